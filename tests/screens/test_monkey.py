"""Whatever is touched, dragged, pressed, thrown, resized, in any order: nothing breaks, nothing is lost."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from pygame import Surface

from companion.config import CONFIG
from companion.events import Touch, Typed
from companion.games.book import books
from companion.players import COLOURS, Party, Seat
from companion.screens.base import Context
from companion.screens.home import HomeScreen, resumed
from companion.screens.stage import Stage
from companion.store import Store
from companion.table import Table
from tests.screens.checks import SIZES
from tests.screens.conftest import Hand, screens

BUTTONS = ("confirm", "left", "right", "confirm", "left", "right", "undo")
AWAY = ("back", "aside", "volume", "home", "help", "pause", "undo")  # touched as rarely as people do
ACTS = 250


class Monkey(Hand):
    """Does anything at all."""

    def __init__(self, stage: Stage, chance: random.Random) -> None:
        super().__init__(stage)
        self.chance = chance

    def act(self) -> None:
        """One thing, mostly a touch of something that can be touched."""
        pick = self.chance.random()
        if pick < 0.6:
            self.touch(self._key())
        elif pick < 0.7:
            self.drag(self._key(), *self._point())
        elif pick < 0.8:
            self.press(self.chance.choice(BUTTONS))  # type: ignore[arg-type]
        elif pick < 0.85:
            self.show(*self.chance.choices(range(1, 7), k=self.chance.choice((1, 2, 2, 5))))
        elif pick < 0.87:
            self.stage.look_at(Surface(self.chance.choice(SIZES)))
        elif pick < 0.9:
            x, y = self._point()
            self.stage.handle(Touch(x, y, "down"))
            self.stage.handle(Typed("x"))
        else:
            self.wait(self.chance.choice((0.03, 0.3, 2.5)))

    def _key(self) -> str:
        keys: Sequence[str] = [key for key in self.keys if key not in AWAY or self.chance.random() < 0.03]
        return self.chance.choice(keys or self.keys)

    def _point(self) -> tuple[int, int]:
        return self.chance.randrange(self.stage.canvas.width), self.chance.randrange(self.stage.canvas.height)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", sorted(books()))
def test_nothing_breaks(name: str, seed: int, context: Context) -> None:
    chance = random.Random(f"{name} {seed}")
    book = books()[name]
    players = chance.choice(book.players)
    can = screens()[name].strengths()
    plays = ["computer" if can and chance.random() < 0.4 else "person" for _ in range(players)]
    seats = tuple(Seat("", colour, kind) for colour, kind in zip(COLOURS, plays, strict=False))  # type: ignore[arg-type]
    context.table.begin(book, book.agree(CONFIG, players), None, Party(seats))
    monkey = Monkey(Stage(context, [HomeScreen(context), *resumed(context)], Surface((800, 480))), chance)
    for number in range(ACTS):
        monkey.act()
        if number % 12 == 0:
            monkey.stage.draw()
    monkey.wait(3)
    monkey.stage.draw()


@pytest.mark.parametrize("seed", range(4))
def test_after_any_of_it_a_restart_finds_the_same_game(seed: int, context: Context, tmp_path: Path) -> None:
    chance = random.Random(seed)
    path = tmp_path / "companion.db"

    context.table = Table(Store.open(path))
    book = books()[chance.choice(sorted(books()))]
    context.table.begin(book, book.agree(CONFIG))
    monkey = Monkey(Stage(context, [HomeScreen(context), *resumed(context)], Surface((800, 480))), chance)
    for _ in range(60):
        monkey.act()
    game = context.table.game
    again = Table(Store.open(path))
    found = again.game
    assert (found and found.match.moves) == (game and game.match.moves)
    assert (found and found.party) == (game and game.party)
    again.close()
    context.table.close()
