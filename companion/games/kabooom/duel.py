"""The second phase of Kabooom! for two: a look, then the exact end, if few towers are left, or an ever deeper
search.

Pure.
"""

from collections.abc import Generator, Iterator
from typing import NamedTuple

from companion.games.kabooom.endgame import Solver, Stopped
from companion.games.kabooom.fast import PASS, Cells, Tables, passing_ends, scores
from companion.games.kabooom.judge import POINT
from companion.games.kabooom.search import Search
from companion.games.thought import Pressed

SOLVED = 12  # towers from which on the end is solved first of all
TRIED = 15  # towers from which on solving it is tried, for a while
_GLANCE = 4  # moves that are looked ahead before the end is solved
_TRIES, _ALL = 3000, 1 << 30  # positions for which solving is tried


class View(NamedTuple):
    """A move, the lead at the end that it promises, and whether so much at least is certain."""

    move: int
    lead: float
    certain: bool


def views(
    table: Tables,
    board: Cells,
    turn: int,
    passes: int,
    pressed: Pressed,
    deepest: int,
    solved: int = TRIED,
) -> Iterator[View]:
    """Yield ever better moves until nothing can change any more, at `deepest`, or when interrupted.

    Who can end the game and has won does so, unless more is certain (KAB-R30).
    """
    points = scores(table, board)
    lead = points[turn] - points[1 - turn]
    left = sum(map(bool, board))
    search = Search(table, board, turn, passes, pressed)
    order = [move for move, _ in search.ranked(POINT * lead)]
    asked = solved >= left
    try:
        if lead > 0 and passing_ends(table, board, turn, passes):
            yield View(PASS, lead, True)
            if asked:
                yield from _solved(table, board, turn, passes, pressed, lead, order, left)
            return
        for move, value, depth in search.deepen(deepest):
            order.sort(key=move.__ne__)
            yield View(move, value / POINT, False)
            if asked and depth >= min(_GLANCE, deepest):
                asked = False
                sure = yield from _solved(table, board, turn, passes, pressed, lead, order, left)
                if sure:
                    return
    except Stopped:
        return


def _solved(
    table: Tables,
    board: Cells,
    turn: int,
    passes: int,
    pressed: Pressed,
    lead: int,
    order: list[int],
    left: int,
) -> Generator[View, None, bool]:
    """Yield the moves that the end proves to be best; returns whether it got to the end of it."""
    limit = _ALL if left <= SOLVED else _TRIES
    solver = Solver(table, lambda: solver.nodes > limit or pressed())
    low, exact = 0, False
    try:
        for best in solver.best(board, turn, passes, lead, order):
            move, low, exact = best
            yield View(move, low, True)
    except Stopped:
        if solver.nodes <= limit:
            raise
    return exact or low > 0  # a sure victory is not exchanged for a hope of more
