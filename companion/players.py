"""Who sits at the table: names, colours, and who plays for them."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from companion.games.thought import ANIMALS, Strength
from companion.whole import whole

log = logging.getLogger(__name__)

PlayerColour = Literal["red", "blue", "yellow", "green", "purple"]
COLOURS: tuple[PlayerColour, ...] = ("red", "blue", "yellow", "green", "purple")
Plays = Literal["person", "computer"]
Mover = Literal["person", "camera", "companion"]  # who has made a move
LONGEST = 12  # letters of a name
DEFAULT: Strength = "hare"  # how strong a computer is that nobody has chosen


@dataclass(frozen=True, slots=True)
class Seat:
    """One player of a game. A computer has no name of its own: an animal and its colour name it.

    `strength` is that of a computer; it may be one that a newer version knows (see `animal`).
    """

    name: str
    colour: PlayerColour
    plays: Plays = "person"
    strength: str = DEFAULT


def animal(strength: str, offered: Sequence[Strength] = ANIMALS) -> Strength:
    """Return of the animals that are offered, the weakest first, the one that is wanted.

    If it is not offered it is the next weaker one, or else the weakest.
    """
    known = ANIMALS.index(strength) if strength in ANIMALS else ANIMALS.index(DEFAULT)
    return next((each for each in reversed(offered) if ANIMALS.index(each) <= known), offered[0])


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
class Entered:
    """Who was entered before a game of this name, and what was chosen for it."""

    book: str
    party: Party


class AboutToPlay:
    """What was entered before a game that has not begun. It is in a file: a power cut must not lose it."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.entered: Entered | None = None
        try:
            self.entered = msgspec.json.decode(file.read_bytes(), type=Entered)
        except FileNotFoundError:
            pass
        except (OSError, msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            log.warning("nobody knows who was about to play: %s", error)

    def enter(self, book: str, party: Party) -> None:
        """Keep them; if the disk takes nothing, as long as the program runs."""
        self.entered = Entered(book, party)
        try:
            with whole(self._file) as file:
                file.write(msgspec.json.encode(self.entered))
        except OSError as error:
            log.warning("who is about to play is not on the disk: %s", error)

    def begun(self) -> None:
        """They play."""
        self.entered = None
        try:
            self._file.unlink(missing_ok=True)
        except OSError as error:
            log.warning("who was about to play stays on the disk: %s", error)


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that was played to its end: the game's name, who played, and the seats that have won."""

    book: str
    seats: tuple[Seat, ...]
    winners: tuple[int, ...]
