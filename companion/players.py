"""Who sits at the table: names, colours, and who plays for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import msgspec

PlayerColour = Literal["red", "blue", "yellow", "green", "purple"]
COLOURS: tuple[PlayerColour, ...] = ("red", "blue", "yellow", "green", "purple")
Plays = Literal["person", "computer"]
Mover = Literal["person", "camera", "companion"]  # who has made a move
LONGEST = 12  # letters of a name


@dataclass(frozen=True, slots=True)
class Seat:
    """One player of a game. A computer has no name of its own: its colour names it."""

    name: str
    colour: PlayerColour
    plays: Plays = "person"


@dataclass(frozen=True, slots=True)
class Party:
    """Who plays a game, in the order of their turns, and in which manner it is played at this table.

    `manner` has what is no matter of the rules: whose dice are thrown, who draws the tiles.
    """

    seats: tuple[Seat, ...] = ()
    manner: Mapping[str, str] = field(default_factory=dict)


def written(party: Party) -> str:
    """Return a party as JSON."""
    return msgspec.json.encode(party).decode()


def read(text: str) -> Party:
    """Return the party that some JSON means; nobody in particular if it means none."""
    try:
        return msgspec.json.decode(text, type=Party)
    except msgspec.MsgspecError:
        return Party()


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that was played to its end: the game's name, who played, and the seats that have won."""

    book: str
    seats: tuple[Seat, ...]
    winners: tuple[int, ...]
