"""BIG BOOM! BANG in writing: `shuffle fuse …`, `roll gift …`, `reroll 4 5`, `keep`, `reveal 1`. Pure."""

from itertools import pairwise

from companion.games.big_boom_bang.rules import (
    DICE,
    FACES,
    Keep,
    Move,
    Name,
    Position,
    Reroll,
    Reveal,
    Roll,
    Shuffle,
)
from companion.games.rulebook import Grammar, NotationError, State, numbers, seat

_TILE, _FACE, _DIE = "(?:fuse|gift|boom)", f"(?:{'|'.join(FACES)})", f"[1-{DICE}]"

_GRAMMAR: Grammar[Move] = Grammar(
    {
        "keep": lambda _: Keep(),
        f"reroll ({_DIE}(?: {_DIE})*)": lambda match: Reroll(numbers(match[1])),
        "reveal ([1-9]|1[0-4])": lambda match: Reveal(int(match[1])),
        "name p([1-5])": lambda match: Name(int(match[1]) - 1),
        f"roll ({_FACE}(?: {_FACE})*)": lambda match: Roll(tuple(match[1].split())),
        f"shuffle ({_TILE}(?: {_TILE})*)": lambda match: Shuffle(tuple(match[1].split())),
    }
)


def parse(text: str) -> Move:
    """Return the move that a line means; raises `NotationError`."""
    move = _GRAMMAR.parse(text)
    if isinstance(move, Reroll) and any(one >= other for one, other in pairwise(move.dice)):
        raise NotationError("the numbers of the dice must rise")
    return move


def write(move: Move) -> str:
    """Return the line that means a move."""
    match move:
        case Keep():
            return "keep"
        case Reroll(dice):
            return "reroll " + " ".join(map(str, dice))
        case Reveal(place):
            return f"reveal {place}"
        case Name(player):
            return f"name {seat(player)}"
        case Roll(faces):
            return " ".join(("roll", *faces))
        case Shuffle(tiles):
            return " ".join(("shuffle", *tiles))


def state(position: Position) -> State:
    """Return the position as JSON has it."""
    return {
        "active": seat(position.active),
        "hearts": list(position.hearts),
        "supply": position.supply,
        "dice": list(position.dice),
        "throws": position.throws,
        "open": {str(place): position.tiles[place - 1] for place in sorted(position.open)},
        "tiles": list(position.tiles),
        "owed": position.owed,
    }
