"""Kabooom! in writing: `deal a1:1r …`, `place d b2`, `b3-c4`, `pass`. Pure."""

import re

from companion.games.kabooom.rules import SYMBOLS, Deal, Hit, Move, Pass, Place, Position, squares
from companion.games.rulebook import Grammar, State, seat

_SQUARE = "[a-h][1-5]"
_STONE = f"{_SQUARE}:[1-4][{SYMBOLS}]"


def _deal(match: re.Match[str]) -> Deal:
    stones = (token.split(":") for token in match[1].split())
    return Deal(tuple((square, int(stone[0]) - 1, stone[1]) for square, stone in stones))


_GRAMMAR: Grammar[Move] = Grammar(
    {
        f"({_SQUARE})-({_SQUARE})": lambda match: Hit(match[1], match[2]),
        f"place ([{SYMBOLS}]) ({_SQUARE})": lambda match: Place(match[1], match[2]),
        "pass": lambda _: Pass(),
        f"deal ({_STONE}(?: {_STONE})*)": _deal,
    }
)


def parse(text: str) -> Move:
    """Return the move that a line means; raises `NotationError`."""
    return _GRAMMAR.parse(text)


def write(move: Move) -> str:
    """Return the line that means a move."""
    match move:
        case Hit(origin, target):
            return f"{origin}-{target}"
        case Place(symbol, square):
            return f"place {symbol} {square}"
        case Pass():
            return "pass"
        case Deal(stones):
            return "deal " + " ".join(f"{square}:{owner + 1}{symbol}" for square, owner, symbol in stones)


def state(position: Position) -> State:
    """Return the position as JSON has it."""
    towers = zip(squares(position.options.board), position.board, strict=True)
    return {
        "board": {
            square: {"owner": seat(tower.owner), "symbol": tower.symbol, "height": tower.height}
            for square, tower in towers
            if tower is not None
        },
        "supply": [dict(zip(SYMBOLS, own, strict=True)) for own in position.supply],
        "passes": position.passes,
    }
