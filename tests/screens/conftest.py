"""Games on the table and hands that play them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pytest
from pygame import Surface

from companion.config import CONFIG
from companion.events import (
    Ask,
    ButtonName,
    Effect,
    Event,
    Press,
    ReadTiles,
    Seen,
    Thoughts,
    Tick,
    TilesRead,
    Touch,
)
from companion.eye.dice import PIPS, Die, Shown
from companion.eye.network import NO_PIPS, Found
from companion.eye.signs import signed
from companion.eye.throws import State, Throw
from companion.eye.tiles import see_tiles
from companion.games import parts
from companion.games.book import books
from companion.match import seeded
from companion.mind.questions import Question
from companion.players import COLOURS, Party, Seat
from companion.screens.base import Context, Screen, Widget
from companion.screens.game import GameScreen
from companion.screens.home import HomeScreen
from companion.screens.stage import SETTLE_S, Stage
from tests.eye.table import Lies, seen_on
from tests.screens.through import NAMES

CLOTH = np.full((480, 640, 3), (60, 110, 70), np.uint8)  # what the camera sees beside dice
CLOTH.flags.writeable = False


def screens() -> dict[str, type[GameScreen]]:
    """The screen of every game, by the game's name."""
    found = {}
    for part in parts("screen"):
        kinds = [k for k in vars(part).values() if isinstance(k, type) and issubclass(k, GameScreen)]
        found.update({kind.book.name: kind for kind in kinds if hasattr(kind, "book")})
    return found


TableGame = Callable[..., Any]


@pytest.fixture
def table_game(context: Context) -> TableGame:
    """See `maker`."""
    return maker(context)


def maker(context: Context) -> TableGame:
    """Puts a game on the table and returns its screen; `moves` are played before anybody looks."""

    def make(
        name: str,
        players: int | None = None,
        chosen: Mapping[str, str] | None = None,
        manner: Mapping[str, str] | None = None,
        seed: str = "seed",
        moves: Iterable[str] = (),
        plays: Iterable[str] = (),
    ) -> GameScreen:
        book = books()[name]
        options = book.agree(CONFIG, players, chosen)
        kinds = dict(enumerate(plays))
        seats = tuple(
            Seat(NAMES[i], COLOURS[i], kinds.get(i, "person"))  # type: ignore[arg-type]
            for i in range(options.players)
        )
        context.table.begin(book, options, seeded(seed), Party(seats, dict(manner or {})))
        for text in moves:
            context.table.play(text)
        return screens()[name](context)

    return make


class Hand:
    """A person before a stage: touches, drags, presses, throws, waits. Notes what follows."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.context = stage, stage.context
        self.effects: list[Effect] = []
        self.place = (0, 0)  # where it has touched last
        self.touches = 0
        self.thinks: Callable[[Question], None] = self.answer  # what comes of a question
        self.reads: Callable[[ReadTiles], None] = self.answer_tiles
        self.number = 0  # of the last throw

    @classmethod
    def at(cls, screen: Screen, size: tuple[int, int] = (800, 480)) -> "Hand":
        """Before a screen that lies on the home screen."""
        return cls(Stage(screen.context, [HomeScreen(screen.context), screen], Surface(size)))

    @property
    def keys(self) -> list[str]:
        """What can be touched now."""
        return [widget.key for widget in self.stage.widgets()]

    def widget(self, key: str) -> Widget:
        """What has this key."""
        found = [widget for widget in self.stage.widgets() if widget.key == key]
        assert found, f"{key!r} is none of {self.keys}"
        return found[0]

    def _do(self, event: Event) -> None:
        effects = self.stage.handle(event)
        self.effects += effects
        for effect in effects:
            if isinstance(effect, Ask) and effect.question:
                self.thinks(effect.question)
            elif isinstance(effect, ReadTiles):
                self.reads(effect)

    def answer(self, question: Question) -> None:
        """Think about a question just as long as one must."""
        self.hear(question, *question.answers(lambda: True))

    def answer_tiles(self, asked: ReadTiles) -> None:
        """See the tiles that were to be read."""
        self._do(TilesRead(asked.frame, see_tiles(asked.frame)))

    def hear(self, question: Question, *answers: Any, over: bool = True) -> None:
        """Hear the answers to a question."""
        for number, answer in enumerate(answers, 1):
            self._do(Thoughts(question, answer, over and number == len(answers)))

    def touch(self, *keys: str) -> None:
        """Touch one thing after the other."""
        for key in keys:
            self.context.now += 2 * SETTLE_S  # nobody looks, decides and touches faster
            self.touches += 1
            self.tap(key)

    def tap(self, key: str) -> None:
        """Touch something at once, whatever was there before."""
        self.place = self.widget(key).rect.center
        self._tap()

    def _tap(self) -> None:
        for phase in ("down", "up"):
            self._do(Touch(*self.place, phase))

    def drag(self, key: str, x: float, y: float) -> None:
        """Drag something to a place and let go."""
        self.touches += 1
        a, b = self.widget(key).rect.center
        self._do(Touch(a, b, "down"))
        for part in (0.3, 0.7, 1.0):
            self._do(Touch(a + (x - a) * part, b + (y - b) * part, "move"))
        self._do(Touch(x, y, "up"))

    def press(self, *buttons: ButtonName) -> None:
        """Press buttons of the panel."""
        for button in buttons:
            self._do(Press(button))

    def confirm(self) -> None:
        """Press confirm, once there was time to see what is asked."""
        self.context.now += 2 * SETTLE_S
        self.press("confirm")

    def wait(self, seconds: float = 1.0) -> None:
        """Let time pass as the loop does when it draws little."""
        for _ in range(max(1, round(seconds / 0.06))):
            self.context.now += 0.06
            self._do(Tick(self.context.now))

    def bounce(self, key: str) -> None:
        """Touch something twice, faster than anybody means to."""
        self.touch(key)
        self.context.now += 0.04
        self._tap()

    def show(
        self, *faces: Shown, revises: bool = False, found: bool = False, stayed: Iterable[int] = ()
    ) -> None:
        """Throw real dice, with pips or signs, before the camera, but for those that have `stayed`, by their
        numbers; or let it read what lies there anew, or find it there.
        """
        dice, number = in_a_row(faces, 0.99), self._next(revises)
        throw = Throw(dice, 1.0, revises, found=found, number=number, stayed=frozenset(stayed))
        self._do(Seen(CLOTH, dice, State.RESTING, throw))

    def _next(self, revises: bool) -> int:
        self.number += not revises
        return self.number

    def leave(self, *faces: int, found: int = 0) -> None:
        """Let dice lie there that were thrown before; so many may be some, whatever can be read of them."""
        dice = in_a_row(faces, 0.99)
        self._do(Seen(CLOTH, dice, State.RESTING, None, (blank(),) * found))

    def lean(self, state: State = State.COCKED) -> None:
        """Let a die lean on something, or lie so badly otherwise."""
        self._do(Seen(CLOTH, (), state, None))

    def clear(self) -> None:
        """Take all dice away."""
        self._do(Seen(CLOTH, (), State.NOTHING, None))

    def stir(self) -> None:
        """Hold a hand before the camera."""
        self._do(Seen(CLOTH, (), State.MOVING, None))

    def lay(
        self,
        *dice: Lies,
        thrown: bool = False,
        revises: bool = False,
        found: bool = False,
        noise: int = 0,
    ) -> None:
        """Let the camera see dice that lie on the table, and, if they were thrown, the throw."""
        (frame, sight), kind = seen_on(dice, noise), self.stage.awaited_die
        seen = signed(frame, sight, kind)[0] if kind else sight.dice
        doubts = tuple((i, None) for i, die in enumerate(seen) if not die.known)
        throw = None
        if thrown:
            number = self._next(revises)
            throw = Throw(seen, self.context.now, revises, not doubts, doubts, found=found, number=number)
        self._do(Seen(frame, seen, State.RESTING, throw, sight.found))

    def doubt(
        self,
        *faces: int,
        doubts: Iterable[int] = (0,),
        second: int | None = None,
        revises: bool = False,
        found: bool = False,
    ) -> None:
        """Throw real dice of which the eye is not sure."""
        dice = in_a_row(faces, 0.5)
        others = tuple((i, second) for i in doubts)
        throw = Throw(dice, 1.0, revises, False, others, 0.7, found, self._next(revises))
        self._do(Seen(CLOTH, dice, State.RESTING, throw))


def in_a_row(faces: Iterable[Shown], confidence: float) -> tuple[Die, ...]:
    """White dice."""
    return tuple(
        Die(
            shows if isinstance(shows, int) else PIPS + 1,
            (90.0 * i + 60, 200.0),
            (90 * i + 20, 160, 90 * i + 100, 240),
            "white",
            confidence,
            sign="" if isinstance(shows, int) else shows,
        )
        for i, shows in enumerate(faces)
    )


def blank(no_die: float = 0.01) -> Found:
    """A die without pips, of which the second network is so sure that it is none."""
    classes = np.eye(12, dtype=np.float32)[NO_PIPS]
    second = (*np.eye(12)[NO_PIPS] * (1 - no_die), no_die)
    return Found((300.0, 200.0), (260, 160, 340, 240), 0.9, classes, 0.9, second)
