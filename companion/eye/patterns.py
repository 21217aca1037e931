"""The six faces as patterns of pips on a plane: spots become hypotheses of faces.

Every face is point symmetric. So a face is a centre, pairs of spots that have it as their middle, and
perhaps a spot on it: 1 is a spot, 2 a pair, 3 a pair and a spot, 4 two pairs, 5 two pairs and a spot, 6
three pairs. An affine view, which a die's is nearly, keeps middles, parallels and ratios along a line;
what it does to lengths across, the spots' own ellipses tell.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.eye.columns import Columns, Floats, Ints, distances
from companion.eye.pips import Spots

# Lengths are in radii of a pip, in the plane of the face.
CLOSEST = 1.2  # half the distance of two pips: 1 is touching
FARTHEST = 6.9  # ... of the diagonal ones, when pips are very small
DIAGONAL_TWO, DIAGONAL_THREE, DIAGONAL_FOUR = 2.0, 2.3, 2.2  # least half diagonal of a 2, 3, 4 or 5
OFF_MIDDLE = 0.8  # of the central pip
OFF_PAIR = 0.8  # between the middles of the pairs of one face
OFF_SIX = 0.9  # of the middle pair of a 6
ALIKE = 1.6  # largest ratio of the radii of two pips of a face
CONTRAST_ALIKE = 2.2  # ... of their contrasts
TWIST = 0.5  # difference of their ellipses, as a part of their size
OBLONG = 1.6  # largest ratio of the diagonals of a 4 or 5
SLANTED = 0.5  # largest cosine between them
SIX_WIDTH = (0.4, 1.7)  # distance of the rows of a 6 from its centre to the distance in a row: dice differ
MOST_PAIRS = 700  # pairs looked at: those most alike
GUESSED_GRID = 2.5  # grid in radii where nothing tells it, as for a 1


@dataclass(frozen=True)
class Faces(Columns):
    """H hypotheses as columns: the `value` (1..6), the `centre` in pixels, `axes` (H x 2 x 2) whose columns
    are the steps of the pips' grid in pixels (the die's side is about four steps), `members`: the numbers
    of its spots (H x 6, -1 for none).
    """

    value: Ints
    centre: Floats
    axes: Floats
    members: Ints


@dataclass(frozen=True)
class Pairs(Columns):
    """P pairs of like spots as columns: their numbers, their `middle` and `half` their distance in pixels,
    their mean shape's `inverse`, `reach`: half the distance in radii, and `central`: the number of the spot
    between them or -1.
    """

    first: Ints
    second: Ints
    middle: Floats
    half: Floats
    inverse: Floats
    reach: Floats
    central: Ints


def find_faces(spots: Spots) -> Faces:
    """Every way in which spots form a face; each single spot may be a one."""
    pairs = _pairs(spots)
    first, second = _crossing(pairs, spots)
    small = [_ones(spots), _twos_and_threes(pairs)]
    return Faces.joined([*small, _fours_and_fives(pairs, first, second), *_sixes(pairs, first, second)])


def _apply(matrices: Floats, vectors: Floats) -> Floats:
    """Each matrix (N x 2 x 2) times its vector (N x 2)."""
    return np.asarray(np.einsum("nij,nj->ni", matrices, vectors))


def _members(*columns: Ints) -> Ints:
    """Columns of spot numbers, filled up with -1 to six."""
    rest = [np.full(len(columns[0]), -1)] * (6 - len(columns))
    return np.stack([*columns, *rest], axis=1)


def _pairs(spots: Spots) -> Pairs:
    """All pairs of spots that may lie on one face."""
    i, j = np.nonzero(np.triu(_alike(spots), 1))
    shape = (spots.shape[i] + spots.shape[j]) / 2
    inverse = np.asarray(np.linalg.inv(shape), np.float64)
    half = (spots.xy[j] - spots.xy[i]) / 2
    reach = np.linalg.norm(_apply(inverse, half), axis=1)
    twist = np.linalg.norm(spots.shape[i] - spots.shape[j], axis=(1, 2)) / np.linalg.norm(shape, axis=(1, 2))
    strange = np.abs(np.log(spots.radius[i] / spots.radius[j]))
    strange += np.abs(np.log(spots.contrast[i] / spots.contrast[j])) / 2 + twist
    kept = np.flatnonzero((reach > CLOSEST) & (reach < FARTHEST) & (twist < TWIST))
    kept = kept[np.argsort(strange[kept])[:MOST_PAIRS]]
    i, j, half, inverse = i[kept], j[kept], half[kept], inverse[kept]
    middle = (spots.xy[i] + spots.xy[j]) / 2
    return Pairs(i, j, middle, half, inverse, reach[kept], _central(spots, i, middle))


def _alike(spots: Spots) -> NDArray[np.bool_]:
    """Which two spots are of one polarity, of similar size and contrast, and near enough for one face (N x
    N).
    """
    size, contrast = np.log(spots.radius), np.log(spots.contrast)
    apart = distances(spots.xy, spots.xy)
    longest = 2 * FARTHEST * np.sqrt(ALIKE) * np.minimum(spots.radius[:, None], spots.radius[None])
    alike = (spots.light[:, None] == spots.light[None]) & (apart < longest)
    alike &= np.abs(size[:, None] - size[None]) < np.log(ALIKE)
    return np.asarray(alike & (np.abs(contrast[:, None] - contrast[None]) < np.log(CONTRAST_ALIKE)))


def _central(spots: Spots, like: Ints, middle: Floats) -> Ints:
    """The spot on each middle that is like the given one, or -1."""
    if len(like) == 0:
        return like
    apart = distances(middle, spots.xy) / spots.radius[like][:, None]
    ratio = np.abs(np.log(spots.radius[None] / spots.radius[like][:, None]))
    apart[(ratio > np.log(ALIKE)) | (spots.light[None] != spots.light[like][:, None])] = np.inf
    nearest = apart.argmin(axis=1)
    return np.where(apart[np.arange(len(like)), nearest] < OFF_MIDDLE, nearest, -1)


def _ones(spots: Spots) -> Faces:
    """Every spot as a one: its grid is guessed from its size, the direction remains unknown."""
    count = len(spots)
    return Faces(np.ones(count, np.intp), spots.xy, spots.shape * GUESSED_GRID, _members(np.arange(count)))


def _twos_and_threes(pairs: Pairs) -> Faces:
    """Pairs, with or without a spot between: one diagonal is seen, the ellipses tell the other."""
    three = pairs.central >= 0
    flat = _apply(pairs.inverse, pairs.half)
    other = np.linalg.solve(pairs.inverse, np.stack([-flat[:, 1], flat[:, 0]], axis=1)[:, :, None])[:, :, 0]
    axes = np.stack([pairs.half + other, pairs.half - other], axis=2) / 2
    members = _members(pairs.first, pairs.second, pairs.central)
    kept = pairs.reach > np.where(three, DIAGONAL_THREE, DIAGONAL_TWO)
    return Faces(np.where(three, 3, 2), pairs.middle, axes, members)[kept]


def _crossing(pairs: Pairs, spots: Spots) -> tuple[Ints, Ints]:
    """Numbers of pairs with one middle, two by two."""
    size = np.minimum(spots.radius[pairs.first], spots.radius[pairs.second])
    light = spots.light[pairs.first]
    apart = distances(pairs.middle, pairs.middle)
    together = (apart < OFF_PAIR * np.minimum(size[:, None], size[None])) & (light[:, None] == light[None])
    first, second = np.nonzero(np.triu(together, 1))
    return first, second


def _fours_and_fives(pairs: Pairs, a: Ints, b: Ints) -> Faces:
    """Two pairs with one middle as the diagonals of a square."""
    inverse = (pairs.inverse[a] + pairs.inverse[b]) / 2
    u, v = _apply(inverse, pairs.half[a]), _apply(inverse, pairs.half[b])
    lengths = np.sort(np.stack([np.linalg.norm(u, axis=1), np.linalg.norm(v, axis=1)]), axis=0)
    cosine = np.abs((u * v).sum(axis=1)) / lengths.prod(axis=0)
    kept = (lengths[1] < OBLONG * lengths[0]) & (cosine < SLANTED) & (lengths[0] > DIAGONAL_FOUR)
    a, b = a[kept], b[kept]
    five = (pairs.central[a] >= 0) & (pairs.central[a] == pairs.central[b])
    members = _members(*_corners(pairs, a, b), np.where(five, pairs.central[a], -1))
    return Faces(np.where(five, 5, 4), (pairs.middle[a] + pairs.middle[b]) / 2, _sides(pairs, a, b), members)


def _corners(pairs: Pairs, a: Ints, b: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    return pairs.first[a], pairs.second[a], pairs.first[b], pairs.second[b]


def _sides(pairs: Pairs, a: Ints, b: Ints) -> Floats:
    """Half the sides of the rectangle whose diagonals are given, as columns."""
    return np.stack([pairs.half[a] + pairs.half[b], pairs.half[a] - pairs.half[b]], axis=2) / 2


def _sixes(pairs: Pairs, a: Ints, b: Ints) -> list[Faces]:
    """Two pairs as the diagonals of a rectangle, a third pair in the middle of two of its sides."""
    if len(a) == 0:
        return []
    sides = _sides(pairs, a, b)
    return [
        _six(pairs, a, b, sides[:, :, 0], sides[:, :, 1]),
        _six(pairs, a, b, sides[:, :, 1], sides[:, :, 0]),
    ]


def _six(pairs: Pairs, a: Ints, b: Ints, across: Floats, along: Floats) -> Faces:
    """Sixes with their rows in the direction `along`, each at the distance `across` from the centre."""
    middle = (pairs.middle[a] + pairs.middle[b]) / 2
    inverse = (pairs.inverse[a] + pairs.inverse[b]) / 2
    wide, long = (np.linalg.norm(_apply(inverse, side), axis=1) for side in (across, along))
    # The third pair is where its half distance is `across`, this way or that, and its middle the common one.
    sign = np.where((pairs.half[None] * across[:, None]).sum(axis=2) < 0, -1.0, 1.0)
    off = np.hypot(*np.moveaxis(sign[:, :, None] * pairs.half[None] - across[:, None], 2, 0))
    off += distances(middle, pairs.middle)
    third = off.argmin(axis=1)
    off = off[np.arange(len(a)), third] * np.sqrt(np.linalg.det(inverse))
    kept = (off < OFF_SIX) & (wide > SIX_WIDTH[0] * long) & (wide < SIX_WIDTH[1] * long)
    kept &= (wide > CLOSEST) & (long > 1.4 * CLOSEST) & (third != a) & (third != b)
    grid = np.maximum(wide, long)
    wide, long = np.maximum(wide, CLOSEST), np.maximum(long, CLOSEST)  # what is nearer is not kept
    axes = np.stack([across * (grid / wide)[:, None], along * (grid / long)[:, None]], axis=2)
    members = _members(*_corners(pairs, a, b), pairs.first[third], pairs.second[third])
    return Faces(np.full(len(a), 6), middle, axes, members)[kept]
