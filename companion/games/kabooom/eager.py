"""Kabooom! as children play it: eager for the big tower, blind for what is far away. Pure.

The mouse looks where the biggest towers are, takes what gains most there, and thinks of no answer. The hare
looks at the whole board and sees whether the tower that it moves can be taken on the spot, but not by
dynamite, and not what becomes of its other towers."""

from companion.games.kabooom.fast import (
    DYNAMITE,
    PASS,
    Cells,
    Tables,
    captures,
    height,
    hit,
    owner,
    symbol,
    undo,
)
from companion.games.kabooom.rules import BEATS, SYMBOLS, Position, Tower, neighbours, squares
from companion.games.rulebook import Rng, pick
from companion.games.thought import Strength

_SAVED = 0.5  # points below which dynamite is kept for something better
NEAR = 2  # squares around where it looks that the mouse sees


def glimpse(table: Tables, board: Cells, turn: int, strength: Strength, rng: Rng) -> int:
    """Return the hit that looks best to a mouse or a hare; they pass if none seems to gain anything."""
    moves = captures(table, board, turn)
    if strength == "mouse":
        moves = _in_sight(table, board, moves, rng)
    values = {move: _appeal(table, board, turn, move, strength == "hare") for move in moves}
    best = max(values.values(), default=0)
    if best < 0 or not moves:
        return PASS
    return pick(rng, [move for move, value in values.items() if value == best])


def _in_sight(table: Tables, board: Cells, moves: list[int], rng: Rng) -> list[int]:
    """Return the hits around one of the towers that catch the eye: the higher, the more."""
    stones = [place for place, cell in enumerate(board) for _ in range(height(cell) ** 2)]
    eye = table.names[pick(rng, stones)]

    def far(place: int) -> int:
        name = table.names[place]
        return max(abs(ord(name[0]) - ord(eye[0])), abs(ord(name[1]) - ord(eye[1])))

    return [move for move in moves if far(move & 31) <= NEAR] or moves


def _appeal(table: Tables, board: Cells, turn: int, move: int, answers: bool) -> float:
    """Return what a hit seems to gain: the tower that is taken, and one's own that grows."""
    mine = table.leads[turn]
    one, other = was = board[move >> 5], board[move & 31]
    new = table.after(one, other)
    gain = float(mine[new] - mine[one] - mine[other])
    if symbol(one) == DYNAMITE:
        gain -= _SAVED
    if answers:
        hit(table, board, move)
        target = move & 31
        if new and any(
            cell and owner(cell) != turn and symbol(cell) != DYNAMITE and table.beaten[cell][new]
            for cell in (board[place] for place in table.near[target])
        ):
            gain -= mine[new] + height(new) / 2
        undo(board, move, was)
    return gain


def setting(position: Position, tries: int, rng: Rng) -> tuple[int, int]:
    """Return the boldest of so many stones and free squares that come to mind."""
    free = [place for place, tower in enumerate(position.board) if tower is None]
    kinds = [kind for kind, left in enumerate(position.supply[position.turn]) for _ in range(left)]
    thought_of = [(pick(rng, kinds), pick(rng, free)) for _ in range(tries)]
    return max(thought_of, key=lambda each: _beats(position, *each))


def _beats(position: Position, kind: int, place: int) -> int:
    """Return how many neighbours of others a stone could hit, less those that could hit it."""
    board, name = position.options.board, squares(position.options.board)[place]
    value, mine = 0, SYMBOLS[kind]
    for other in neighbours(board, name):
        tower: Tower | None = position.board[other]
        if tower is not None and tower.owner != position.turn:
            value += (tower.symbol in BEATS[mine]) - (mine in BEATS[tower.symbol])
    return value
