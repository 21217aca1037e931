"""What a game's screen says of its game."""

from dataclasses import dataclass
from typing import Literal

from companion.games.thought import Strength
from companion.language import Message, Texts, mark
from companion.players import PlayerColour, Seat, animal

COLOUR_NAMES: dict[PlayerColour, str] = {
    "red": mark("Red"),
    "blue": mark("Blue"),
    "yellow": mark("Yellow"),
    "green": mark("Green"),
    "purple": mark("Purple"),
}

ANIMAL_NAMES: dict[Strength, str] = {
    "mouse": mark("Mouse"),
    "hare": mark("Hare"),
    "fox": mark("Fox"),
    "wolf": mark("Wolf"),
    "dragon": mark("Dragon"),
}


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is to be done now, and by whom; the sign says it to those who do not read."""

    text: Message
    player: int | None
    icon: str


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the rules at hand; its title and its lines are texts to translate."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to choose before the game: (value, text to translate) of each possibility, the default first.

    It is a setting of the rules, or the manner in which the game is played at this table, or the name of
    the game itself: that of another one that is played in its stead. It may make a difference `only` with a
    value of another choice: (key, value).
    """

    key: str
    title: str
    options: tuple[tuple[str, str], ...]
    of: Literal["rules", "manner", "book"] = "rules"
    only: tuple[str, str] | None = None
    icon: str = ""  # what it is about, where there is no room for its title

    def label(self, value: str) -> str:
        """The text of a value."""
        return dict(self.options)[value]

    def after(self, value: str) -> str:
        """The value that comes after another, round and round."""
        values = [each for each, _ in self.options]
        return values[(values.index(value) + 1) % len(values)]


def seat_name(t: Texts, seat: Seat) -> str:
    """How a player is called: by name, or else by colour; a computer by its animal and its colour."""
    if seat.plays == "computer":
        of, colour = ANIMAL_NAMES[animal(seat.strength)], COLOUR_NAMES[seat.colour]
        return t("{colour} {animal}", animal=Message(of), colour=Message(colour))
    return seat.name or t(COLOUR_NAMES[seat.colour])
