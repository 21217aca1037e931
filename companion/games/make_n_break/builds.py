"""How many throws a task of Make 'n' Break takes, under the best possible play.

After each throw the builder keeps some pieces and throws the others again, also ones that are built already
(MNB-R14, R15), until the building rule holds. The expected number of throws is the least solution of

    V(kept) = 1 + mean over the thrown pieces of W,    W(values) = 0 if built, else min over kept of V(kept)

(the stochastic shortest path problem; Bertsekas, Dynamic Programming and Optimal Control, vol. 2, ch. 3).
Value iteration from 0 finds it; each axis is a piece: the values that it is kept at, then "in the hand".
"""

from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from companion.games.make_n_break.tasks import Compare, Joker, Piece, Task, reaches

SIDES = {"die": 6, "cuboid": 4}  # values that a throw can show, each as likely (MNB-R2, A-MNB5)
PRECISION = 1e-7  # of the result, relative

Values = NDArray[np.float64]


def thrown(pieces: Sequence[Piece]) -> list[int]:
    """Return the indices of the pieces that are thrown: an upright cuboid is not (A-MNB5)."""
    return [index for index, piece in enumerate(pieces) if not piece.upright]


def built(task: Task, compare: Compare = "contact", joker: Joker = "cut") -> NDArray[np.bool_]:
    """Return whether values of the thrown pieces, an axis each from 1 on, can be built."""
    pieces = [task.pieces[index] for index in thrown(task.pieces)]
    axis = {index: place for place, index in enumerate(thrown(task.pieces))}
    sizes = [SIDES[piece.kind] for piece in pieces]
    grid = np.ogrid[tuple(slice(size) for size in sizes)]
    fits = np.ones(sizes, np.bool_)
    for index, below in enumerate(reaches(task.pieces, compare, joker)):
        for other in below:
            fits &= grid[axis[index]] >= grid[axis[other]]
    return _assigned(fits, pieces) if task.neutral else fits


def _assigned(fits: NDArray[np.bool_], pieces: Sequence[Piece]) -> NDArray[np.bool_]:
    """Return whether the dice, and the cuboids, can be built in some order among themselves (MNB-R27)."""
    kinds = [[i for i, piece in enumerate(pieces) if piece.kind == kind] for kind in ("die", "cuboid")]
    for own in kinds:
        found = np.zeros_like(fits)
        for order in permutations(own):
            axes = list(range(fits.ndim))
            for place, axis in zip(own, order, strict=True):
                axes[place] = axis
            found |= fits.transpose(axes)
        fits = found
    return fits


def expected_throws(task: Task, compare: Compare = "contact", joker: Joker = "cut") -> float:
    """Return the expected number of throws of a task under the best play, with a relative error below 1e-7.

    A red 3 or 4 takes one: any dice can be stacked in rising order (A-MNB7). What needs no throw takes none.
    """
    if task.free:
        return 1.0
    if not thrown(task.pieces):
        return 0.0
    values = solve(built(task, compare, joker))
    return float(values[(-1,) * values.ndim])


def solve(fits: NDArray[np.bool_]) -> Values:
    """Return V for every set of kept pieces: each axis has the values from 1 on, the last is "in the hand".

    From 0 the iteration rises. As soon as no entry rises by more than d < 1, the solution is at most
    V / (1 - d): since a throw costs 1, that is no less than 1 + its own mean under the best choices.
    """
    values = np.zeros([size + 1 for size in fits.shape])
    while True:
        after = _improved(values, fits)
        rise = float(np.max(np.subtract(after, values, out=values)))
        values = after
        if rise < PRECISION:
            return values


def _improved(values: Values, fits: NDArray[np.bool_]) -> Values:
    return spread(remaining(values, fits)) + 1


def spread(rest: Values) -> Values:
    """Return the mean of what comes of a throw, for every set of kept pieces, given that of all values."""
    means = np.empty([size + 1 for size in rest.shape])
    part = [slice(size) for size in rest.shape]
    means[tuple(part)] = rest
    for axis in reversed(range(rest.ndim)):  # the last first: whole rows are summed, half the time
        kept = means[tuple(part)]
        part[axis] = slice(-1, None)
        means[tuple(part)] = kept.mean(axis, keepdims=True)
        part[axis] = slice(None)
    return means


def remaining(values: Values, fits: NDArray[np.bool_]) -> Values:
    """Return W for all values of the pieces: the throws still to come if the best pieces are kept."""
    rest = values
    for axis, size in enumerate(fits.shape):
        kept, hand = np.split(rest, [size], axis)
        rest = np.minimum(kept, hand)
    rest[fits] = 0
    return rest


def again(values: Values, shown: Sequence[int]) -> tuple[tuple[int, ...], float]:
    """Return which thrown pieces to throw again, by index, and the expected throws until it is built.

    `values` comes from `solve`; `shown` are the values of the thrown pieces, from 1, which are not built yet.
    """
    best, choice = np.inf, tuple[int, ...]()
    for mask in range(1, 2 ** len(shown)):
        hand = tuple(i for i in range(len(shown)) if mask >> i & 1)
        index = tuple(-1 if i in hand else value - 1 for i, value in enumerate(shown))
        if values[index] < best - PRECISION:
            best, choice = float(values[index]), hand
    return choice, float(best)
