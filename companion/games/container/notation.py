"""The container in writing: `deal red 7 …`, `open red`, `hide`, `back blue`, `back`. Pure."""

import re
from typing import cast

from companion.games.container.rules import (
    COLOURS,
    Back,
    Colour,
    Deal,
    End,
    Hide,
    Move,
    Open,
    Position,
)
from companion.games.rulebook import Grammar, State

_COLOUR, _COUNT = f"({'|'.join(COLOURS)})", "(0|[1-9][0-9]?)"


def _told(match: re.Match[str]) -> Deal:
    return Deal(tuple(map(int, match.groups())))


_GRAMMAR: Grammar[Move] = Grammar(
    {
        f"open {_COLOUR}": lambda match: Open(cast(Colour, match[1])),
        "hide": lambda _: Hide(),
        "back": lambda _: Back(),
        f"back {_COLOUR}": lambda match: Back(cast(Colour, match[1])),
        "end": lambda _: End(),
        " ".join(["deal", *(f"{colour} {_COUNT}" for colour in COLOURS)]): _told,
        f"deal {_COUNT}": _told,
    }
)


def parse(text: str) -> Move:
    """Return the move that a line means; raises `NotationError`."""
    return _GRAMMAR.parse(text)


def write(move: Move) -> str:
    """Return the line that means a move."""
    match move:
        case Open(colour):
            return f"open {colour}"
        case Hide():
            return "hide"
        case Back(None):
            return "back"
        case Back(colour):
            return f"back {colour}"
        case End():
            return "end"
        case Deal((count,)):
            return f"deal {count}"
        case Deal(counts):
            told = zip(COLOURS, counts, strict=True)
            return " ".join(["deal", *(f"{colour} {count}" for colour, count in told)])


def state(position: Position) -> State:
    """Return the position as JSON has it."""
    return {
        "inside": position.inside,
        "least": {colour: position.span(colour)[0] for colour in COLOURS},
        "most": {colour: position.span(colour)[1] for colour in COLOURS},
    }
