"""Games in tests: lines in, and what comes of them."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from companion.config import CONFIG
from companion.games.book import books
from companion.games.rulebook import Awaited, IllegalMove, NotationError, seat
from companion.match import Match, seeded


class Play:
    """A game that is played by lines, one or several in a string."""

    def __init__(
        self, name: str, players: int | None, seed: str, chosen: dict[str, str], changes: Any
    ) -> None:
        book = books()[name]
        options = replace(book.agree(CONFIG, players, chosen), **changes)
        self.match = Match(book, options, seeded(seed))

    def __call__(self, *lines: str) -> "Play":
        """Play the lines."""
        for line in "\n".join(lines).strip().splitlines():
            self.match.play(line)
        return self

    @property
    def position(self) -> Any:
        """The position now."""
        return self.match.position

    @property
    def state(self) -> dict[str, Any]:
        """The position as JSON has it."""
        return self.match.book.notation.state(self.position)

    @property
    def awaited(self) -> Awaited[Any]:
        """The only one who may act."""
        (awaited,) = self.match.awaits
        return awaited

    @property
    def who(self) -> str:
        """The name of who may act."""
        return "chance" if self.awaited.who is None else seat(self.awaited.who)

    @property
    def legal(self) -> list[str]:
        """The legal moves of the only one who may act, as text."""
        texts = self.match.texts(self.awaited)
        assert texts is not None
        return texts

    def refused(self, line: str) -> str | None:
        """The rule that forbids a line; the position must stay as it is."""
        before = self.position
        with pytest.raises(IllegalMove) as caught:
            self.match.play(line)
        assert self.position is before
        return caught.value.rule

    def senseless(self, line: str) -> bool:
        """Whether a line is no move at all."""
        try:
            self.match.book.notation.parse(line)
        except NotationError:
            return True
        return False

    def throw(self) -> str:
        """Let the companion throw or deal."""
        return self.match.play(self.match.throw(self.awaited))

    def at_random(self, choose: random.Random, most: int = 10_000) -> "Play":
        """Play on with random decisions, at most so many moves."""
        for _ in range(most):
            if self.position.over:
                break
            awaited = choose.choice(self.match.awaits)
            if awaited.who is None:
                self.match.play(self.match.throw(awaited))
            else:
                self.match.play(choose.choice(self.match.texts(awaited) or []))
        return self


Begin = Callable[..., Play]


@pytest.fixture
def begin() -> Begin:
    """Begins a game: `begin("kabooom", 2, level="hard")`; `changes` are options that no word can set."""

    def make(
        name: str, players: int | None = None, seed: str = "test", changes: Any = None, **chosen: str
    ) -> Play:
        return Play(name, players, seed, chosen, changes or {})

    return make
