"""What can be asked of the mind: which move is best, which moves have decided a game.

A question says itself how it is answered, in the process that thinks; the games' modules are read only there.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from companion.games import part
from companion.games.thought import Pressed, Strength, Thought

MOVE_S = 1.0  # seconds that a computer may think about a move
HINT_S = 5.0  # seconds in which a hint becomes better
REVIEW_S = 5.0  # seconds in which the moves that decided a game are found


class Question(Protocol):
    """Something to think about. It can be pickled, and two of them are never the same."""

    @property
    def seconds(self) -> float:
        """How long the answers may become better."""

    def answers(self, pressed: Pressed, /) -> Iterator[Any]:
        """Think, and yield ever better answers: at least one, also when pressed."""


@dataclass(frozen=True, slots=True, eq=False)
class BestMove:
    """What one would play who is as strong as that, after these moves of a game: ever better `Thought`s.

    The moves are all that were made, hidden ones too: it is the game's `computer.py` that uses of the
    position only what the player who is to move may know. What it does by chance follows from `seed`.
    """

    book: str
    options: Any
    moves: tuple[str, ...]
    strength: Strength
    seed: str
    seconds: float = MOVE_S

    def answers(self, pressed: Pressed) -> Iterator[Thought]:
        """As the game's `think`."""
        rules, notation, computer = (part(self.book, name) for name in ("rules", "notation", "computer"))
        position = rules.opening(self.options)
        for text in self.moves:
            position = rules.play(position, notation.parse(text))
        yield from computer.think(position, self.strength, random.Random(self.seed), pressed)


@dataclass(frozen=True, slots=True, eq=False)
class DecidingMoves:
    """Which moves have decided a game that is over: tuples of the game's own `Deciding`, ever better ones."""

    book: str
    options: Any
    moves: tuple[str, ...]
    seconds: float = REVIEW_S

    def answers(self, pressed: Pressed) -> Iterator[tuple[Any, ...]]:
        """As the game's `deciding`; nothing is found yet at the beginning."""
        yield ()
        yield from part(self.book, "review").deciding(self.options, self.moves, pressed)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the process says of the question with that number; an answer that is `over` is the last."""

    number: int
    answer: Any
    over: bool
