"""The computer at Kabooom!: it looks one answer ahead. Nothing is hidden in this game."""

from collections.abc import Iterator

from companion.games.kabooom import notation
from companion.games.kabooom.opponent import choose
from companion.games.kabooom.rules import Position
from companion.games.rulebook import Rng
from companion.games.thought import Pressed, Strength, Thought
from companion.language import Message

STRENGTHS: tuple[Strength, ...] = ("mouse", "hare", "fox", "wolf", "dragon")


def think(position: Position, strength: Strength, rng: Rng, pressed: Pressed) -> Iterator[Thought]:
    """Yield the one move that is good enough."""
    why = Message("This looks best after the next answer")
    yield Thought(notation.write(choose(position, rng)), why, 0.0)
