"""Kabooom! for thinking: the position of `rules.py` as a list of small numbers that is changed in place.
Pure.

A square holds 0 if it is empty, else `(4 * owner + symbol) * 32 + height`. Captures only ever empty squares,
a symbol never changes its owner's kind of stone, and what a tower beats follows from its number alone: so all
that a search asks is one look into a table. A hit is `32 * origin + target`, passing is `PASS`."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from companion.games.kabooom.rules import (
    BEATS,
    STONES,
    SYMBOLS,
    Hit,
    Move,
    Options,
    Pass,
    Place,
    Position,
    Tower,
    neighbours,
    squares,
    worth,
)

DYNAMITE = SYMBOLS.index("d")
HEIGHTS = 32  # a tower's number modulo this is its height
STATES = 16 * HEIGHTS
PASS = -1
Cells = list[int]


def number(owner: int, symbol: int, height: int = 1) -> int:
    """Return the number of a tower; `symbol` is its place in `SYMBOLS`."""
    return (4 * owner + symbol) * HEIGHTS + height


def owner(cell: int) -> int:
    """Return whose tower it is."""
    return cell >> 7


def symbol(cell: int) -> int:
    """Return the place of its symbol in `SYMBOLS`."""
    return cell >> 5 & 3


def height(cell: int) -> int:
    """Return how many stones it has."""
    return cell & 31


def _beaten(cell: int) -> bytes:
    """Return for every number whether that tower may be hit by this one."""
    beats = BEATS[SYMBOLS[symbol(cell)]]
    return bytes(height(other) > 0 and SYMBOLS[symbol(other)] in beats for other in range(STATES))


@dataclass(frozen=True)
class Tables:
    """What is the same all game long.

    `beaten[cell]` says for every number whether the tower `cell` may hit it; `hits[player][cell]` is the
    same, but None where the tower is not the player's. `points[cell]` is what a tower counts for its owner,
    `leads[player][cell]` what it counts in the player's lead: a tower of another's takes from it.
    `keys[place][cell]` are random numbers (Zobrist, A New Hashing Method with Application for Game Playing,
    1970)."""

    options: Options
    names: tuple[str, ...]
    near: tuple[tuple[int, ...], ...]
    around: tuple[tuple[int, tuple[int, ...]], ...]
    beaten: tuple[bytes, ...]
    hits: tuple[tuple[bytes | None, ...], ...]
    points: tuple[int, ...]
    leads: tuple[tuple[int, ...], ...]
    explodes: tuple[bool, ...]
    keys: tuple[tuple[int, ...], ...]

    def after(self, cell: int, other: int) -> int:
        """Return what stands on the target after a tower has hit another."""
        return 0 if self.explodes[cell] else cell + (other & 31)


@lru_cache(maxsize=64)
def tables(options: Options) -> Tables:
    """Return the tables of a game's options."""
    names = squares(options.board)
    near = tuple(neighbours(options.board, name) for name in names)
    kinds = [_beaten(cell * HEIGHTS + 1) for cell in range(16)]
    beaten = tuple(kinds[cell // HEIGHTS] for cell in range(STATES))
    hits = tuple(
        tuple(beaten[cell] if height(cell) and owner(cell) == player else None for cell in range(STATES))
        for player in range(options.players)
    )
    counts = tuple(
        worth(Tower(owner(cell), SYMBOLS[symbol(cell)], height(cell)), options.level) if height(cell) else 0
        for cell in range(STATES)
    )
    leads = tuple(
        tuple(count if owner(cell) == player else -count for cell, count in enumerate(counts))
        for player in range(options.players)
    )
    explodes = tuple(SYMBOLS[symbol(cell)] == "d" and options.dynamite == "explode" for cell in range(STATES))
    return Tables(
        options, names, near, tuple(enumerate(near)), beaten, hits, counts, leads, explodes, _keys()
    )  # fmt: skip


@lru_cache(maxsize=1)
def _keys() -> tuple[tuple[int, ...], ...]:
    rng = random.Random("Kabooom!")
    return tuple((0, *(rng.getrandbits(60) for _ in range(STATES - 1))) for _ in range(STONES))


def cells(position: Position) -> Cells:
    """Return the towers of a position as numbers."""
    return [
        0 if tower is None else number(tower.owner, SYMBOLS.index(tower.symbol), tower.height)
        for tower in position.board
    ]


def scores(table: Tables, board: Cells) -> list[int]:
    """Return everybody's points."""
    points = [0] * table.options.players
    for cell in board:
        if cell:
            points[cell >> 7] += table.points[cell]
    return points


def captures(table: Tables, board: Cells, player: int) -> list[int]:
    """Return every hit of a player."""
    hits = table.hits[player]
    moves = []
    for place, near in table.around:
        beaten = hits[board[place]]
        if beaten:
            base = place * 32
            moves += [base + other for other in near if beaten[board[other]]]
    return moves


def able(table: Tables, board: Cells, player: int) -> bool:
    """Whether a player can hit anything."""
    hits = table.hits[player]
    for place, near in table.around:
        beaten = hits[board[place]]
        if beaten and any(beaten[board[other]] for other in near):
            return True
    return False


def hit(table: Tables, board: Cells, move: int) -> tuple[int, int]:
    """Make a hit; returns what `undo` needs."""
    origin, target = move >> 5, move & 31
    one, other = board[origin], board[target]
    board[origin] = 0
    board[target] = 0 if table.explodes[one] else one + (other & 31)
    return one, other


def undo(board: Cells, move: int, was: tuple[int, int]) -> None:
    """Take a hit back."""
    board[move >> 5], board[move & 31] = was


def settled(table: Tables, board: Cells, turn: int, passes: int) -> tuple[int, int, bool]:
    """Return who is to move after the passes of all who cannot (A-KAB9), their number, whether it is over."""
    players = table.options.players
    for _ in range(players):
        if passes >= players or able(table, board, turn):
            return turn, passes, passes >= players
        turn, passes = (turn + 1) % players, passes + 1
    return turn, passes, True


def passing_ends(table: Tables, board: Cells, turn: int, passes: int) -> bool:
    """Return whether the game would end if whoever is to move passed (KAB-R22, A-KAB9)."""
    return settled(table, board, (turn + 1) % table.options.players, passes + 1)[2]


def components(table: Tables, board: Cells) -> Iterator[list[int]]:
    """Yield the groups of connected towers: no hit ever leaves its group (KAB-R20)."""
    left = {place for place, cell in enumerate(board) if cell}
    while left:
        group = [left.pop()]
        for place in group:
            for other in table.near[place]:
                if other in left:
                    left.remove(other)
                    group.append(other)
        yield group


def written(table: Tables, move: int) -> Move:
    """Return a hit or a pass as the rules have it."""
    return Pass() if move == PASS else Hit(table.names[move >> 5], table.names[move & 31])


def placed(table: Tables, kind: int, place: int) -> Place:
    """Return a placement as the rules have it."""
    return Place(SYMBOLS[kind], table.names[place])


def read(table: Tables, move: Hit | Pass) -> int:
    """Return a hit or a pass as a number."""
    if isinstance(move, Pass):
        return PASS
    return table.names.index(move.origin) * 32 + table.names.index(move.target)
