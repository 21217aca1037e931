"""Bau Boom in writing: `deal red …`, `roll 2 5`, `move 7`, `take`, `place blue 2.1`, `done`. Pure."""

import re
from typing import cast

from companion.games.bau_boom.hill import COLOURS, Colour, Place, places
from companion.games.bau_boom.position import (
    Deal,
    Done,
    Draw,
    Go,
    Lay,
    Leave,
    Move,
    Position,
    Refill,
    Remove,
    Roll,
    Take,
)
from companion.games.rulebook import Grammar, State

_COLOUR = f"(?:{'|'.join(COLOURS)})"
_COLOURS = f"({_COLOUR}(?: {_COLOUR})*)"
_PLACE = "([1-5])\\.([1-5])"


def _colours(text: str) -> tuple[Colour, ...]:
    return tuple(cast(Colour, word) for word in text.split())


def _place(row: str, number: str) -> Place:
    return int(row), int(number)


def _lay(match: re.Match[str]) -> Lay:
    return Lay(cast(Colour, match[1]), _place(match[2], match[3]))


_GRAMMAR: Grammar[Move] = Grammar(
    {
        f"place ({_COLOUR}) {_PLACE}": _lay,
        "move ([0-9]|1[0-2])": lambda match: Go(int(match[1])),
        "roll ([1-6]) ([1-6])": lambda match: Roll((int(match[1]), int(match[2]))),
        "take": lambda _: Take(),
        "leave": lambda _: Leave(),
        "done": lambda _: Done(),
        f"draw ({_COLOUR})": lambda match: Draw(cast(Colour, match[1])),
        f"remove {_PLACE}": lambda match: Remove(_place(match[1], match[2])),
        f"refill {_COLOURS}": lambda match: Refill(_colours(match[1])),
        f"deal {_COLOURS}": lambda match: Deal(_colours(match[1])),
    }
)


def parse(text: str) -> Move:
    """Return the move that a line means; raises `NotationError`."""
    return _GRAMMAR.parse(text)


def write(move: Move) -> str:
    """Return the line that means a move."""
    match move:
        case Lay(colour, place):
            return f"place {colour} {_written(place)}"
        case Go(number):
            return f"move {number}"
        case Roll((one, other)):
            return f"roll {one} {other}"
        case Take():
            return "take"
        case Leave():
            return "leave"
        case Done():
            return "done"
        case Draw(colour):
            return f"draw {colour}"
        case Remove(place):
            return f"remove {_written(place)}"
        case Refill(colours):
            return " ".join(("refill", *colours))
        case Deal(colours):
            return " ".join(("deal", *colours))


def _written(place: Place) -> str:
    return f"{place[0]}.{place[1]}"


def state(position: Position) -> State:
    """Return the position as JSON has it."""
    options = position.options
    return {
        "trail": list(position.trail),
        "kinds": list(options.trail),
        "barrows": [{"at": barrow.at, "tiles": list(barrow.tiles)} for barrow in position.barrows],
        "container": dict(zip(COLOURS, position.container, strict=True)),
        "hills": [
            {
                "size": options.size(player),
                "plan": {_written(place): colour for place, colour in places(options.plan(player))},
                "covered": [_written(place) for place in sorted(covered)],
            }
            for player, covered in enumerate(position.covered)
        ],
    }
