"""What thinking about a position brings: moves, ever better ones, and why. Pure.

A game that the companion can play has a `computer.py` with

    STRENGTHS: tuple[Strength, ...]                                # weakest first
    def think(position, strength, rng, pressed) -> Iterator[Thought]

`think` yields a first thought almost at once and better ones later; the last counts. It uses only what the
player whose turn it is may know, and returns soon (some milliseconds) after `pressed()` has become true. It
ends by itself when thinking on would change nothing. A hint is a thought of the strongest.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from companion.language import Message

Strength = Literal["mouse", "hare", "fox", "wolf", "dragon"]
ANIMALS: tuple[Strength, ...] = ("mouse", "hare", "fox", "wolf", "dragon")  # weakest first
Pressed = Callable[[], bool]  # whether whoever asked wants to wait no longer


@dataclass(frozen=True, slots=True)
class Thought:
    """A move, as it is written, why it is good, and what it is worth to whoever moves.

    What `worth` counts is the game's own matter (points of lead, the chance to win); more is better.
    """

    move: str
    why: Message
    worth: float
