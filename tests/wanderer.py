"""Somebody who plays a whole companion at random: every touch is an event of the window system."""

import random
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pygame

from companion.app import App
from companion.config import ASSETS, CONFIG, Settings
from companion.events import Tick
from companion.games.book import books
from companion.memory import return_large_pieces
from companion.opening import open_table
from companion.players import COLOURS, Party, Seat
from companion.screens.game import GameScreen
from companion.screens.home import HomeScreen, resumed
from companion.voice import Voice
from companion.window import Window
from hardware.camera.picture import Image
from hardware.camera.testing import write
from tests.running import PATIENCE, end
from tests.screens.conftest import screens

GAMES = ("bau-boom", "big-boom-bang", "kabooom", "make-n-break")
AWAY = ("back", "aside", "volume", "home", "help", "pause", "undo", "notices", "camera", "teach")
NEVER = ("power", "off", "end")  # nobody goes on after these
ENOUGH = 200  # acts after which a game is left for another


class Time:
    """Time that passes only when it is let."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def die() -> Image:
    """A small picture of a white four on a green table."""
    image = np.full((240, 320, 3), (52, 88, 60), np.uint8)
    cv2.rectangle(image, (120, 80), (190, 150), (225, 235, 238), -1)
    for x, y in ((138, 98), (172, 98), (138, 132), (172, 132)):
        cv2.circle(image, (x, y), 7, (25, 25, 28), -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), np.uint8)


@contextmanager
def companion(data: Path, settings: Mapping[str, object] | None = None) -> Iterator[App]:
    """A companion with its data in a folder; its `_now` is a `Time`, its camera shows a die."""
    return_large_pieces()
    data.mkdir(parents=True, exist_ok=True)
    picture = write(data / "table.png", die())
    chosen = Settings(**{"language": "de", "saver_min": 0, "camera": str(picture)} | dict(settings or {}))  # type: ignore[arg-type]
    table = open_table(data / "companion.db", [])
    app = App(chosen, table, Voice(ASSETS, "de"), Window((800, 480)), data, now=Time())
    try:
        yield app
    finally:
        end(app)


class Wanderer:
    """Plays one game after the other; `turns` are the moves that were made."""

    def __init__(self, app: App, chance: random.Random, names: tuple[str, ...] = GAMES) -> None:
        self.app, self.chance, self.names = app, chance, names
        self.turns = self._left = 0
        self.by_game: Counter[str] = Counter()

    @property
    def _made(self) -> int:
        game = self.app.context.table.game
        return len(game.match.moves) if game else 0

    def act(self) -> None:
        """One touch, and all that follows from it, drawn."""
        if self.app.done:  # SDL makes that of a signal to end
            raise SystemExit(1)
        game = self.app.context.table.game
        self._left -= 1
        if game is None or game.match.position.over or self._left < 0:
            self.begin()
        before = self._made
        pick = self.chance.random()
        if not any(isinstance(screen, GameScreen) for screen in self.app.stage.stack):
            self.sit_down()
        elif pick < 0.25 and not isinstance(self.app.stage.top, GameScreen):
            self._key(pygame.K_ESCAPE)
        elif pick < 0.85:
            self._touch()
        elif pick < 0.9:
            self._key(self.chance.choice((pygame.K_RETURN, pygame.K_LEFT, pygame.K_RIGHT, pygame.K_u)))
        else:
            self._drag()
        self.pass_time(self.chance.choice((0.5, 1.0, 3.0)))
        made = max(0, self._made - before)
        self.turns += made
        game = self.app.context.table.game
        self.by_game[game.match.book.name if game else ""] += made

    def begin(self) -> None:
        """Another game lies on the table."""
        self._left = ENOUGH
        book = books()[min(self.names, key=lambda name: self.by_game[name])]
        players = self.chance.choice(book.players)
        can = screens()[book.name].strengths()
        computer = can and self.chance.random() < 0.1
        seats = tuple(
            Seat("", colour, "computer" if computer and i == 1 else "person", "mouse")
            for i, colour in enumerate(COLOURS[:players])
        )
        context = self.app.context
        context.table.begin(book, book.agree(CONFIG, players), self.chance.randbytes(32), Party(seats))
        self.sit_down()

    def sit_down(self) -> None:
        """The game on the table is shown."""
        context = self.app.context
        self.app.stage.start_over(HomeScreen(context))
        self.app.stage.stack += resumed(context)

    def rest(self) -> None:
        """Nothing is shown but home, and the threads of the camera have ended."""
        self.app.stage.start_over(HomeScreen(self.app.context))
        self._left = 0
        self.pass_time(1.0)
        for thread in threading.enumerate():
            if thread.name in ("lookout", "camera", "camera guard"):
                thread.join(PATIENCE)
        self.pass_time(0.1)

    def pass_time(self, seconds: float) -> None:
        """One turn of the loop, so much later, in which the picture is drawn."""
        clock = self.app._now
        assert isinstance(clock, Time)
        clock.now += seconds
        self.app.put(Tick(clock.now))  # so that it waits for nothing
        self.app.step()

    def _places(self) -> list[tuple[int, int]]:
        rare = self.chance.random() < 0.03
        widgets = [w for w in self.app.stage.widgets() if w.key not in NEVER]
        usual = [w for w in widgets if rare or w.key not in AWAY]
        return [w.rect.center for w in usual or widgets]

    def _touch(self) -> None:
        places = self._places()
        place = self.chance.choice(places) if places else (1, 1)
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            pygame.event.post(pygame.event.Event(kind, pos=place, button=1, touch=False))

    def _drag(self) -> None:
        places = self._places() or [(1, 1)]
        a, b = self.chance.choice(places), self.chance.choice(places)
        post = pygame.event.post
        post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=a, button=1, touch=False))
        post(pygame.event.Event(pygame.MOUSEMOTION, pos=b, rel=(1, 1), buttons=(1, 0, 0), touch=False))
        post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=b, button=1, touch=False))

    def _key(self, key: int) -> None:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=""))
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key))
