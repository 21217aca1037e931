"""The six faces as patterns of pips on a plane: spots become hypotheses of faces.

Every face is point symmetric, so a face is a centre, some pairs of spots that have it as their middle, and perhaps a
spot on it: 1 is a spot, 2 one pair, 3 a pair and a spot, 4 two pairs, 5 two pairs and a spot, 6 three pairs.  An affine
view keeps middles, parallels and ratios along a line; the spots' own ellipses tell lengths across.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.eye.pips import Floats, Spots

Ints = NDArray[np.intp]

# Where the pips of each face are, in units of the grid (a quarter of the die's side), centre first.
PIPS: dict[int, Floats] = {
    1: np.array([[0, 0]]),
    2: np.array([[1, 1], [-1, -1]]),
    3: np.array([[0, 0], [1, 1], [-1, -1]]),
    4: np.array([[1, 1], [-1, -1], [1, -1], [-1, 1]]),
    5: np.array([[0, 0], [1, 1], [-1, -1], [1, -1], [-1, 1]]),
    6: np.array([[1, 1], [-1, -1], [1, -1], [-1, 1], [1, 0], [-1, 0]]),
}
GRID = (1.9, 4.6)  # grid in radii of a pip: from pips that almost touch to very small ones
ALIKE = 1.6  # largest ratio of the radii of two pips of a face
MANY = 700  # pairs looked at, at most: the most alike ones


@dataclass(frozen=True)
class Faces:
    """H hypotheses as columns: `axes` maps grid units to pixels (H x 2 x 2, in its columns the two sides), `members`
    are numbers of spots in the order of PIPS (H x 6, -1 for none), `misfit` is the deviation of the spots in radii."""

    value: Ints
    centre: Floats
    axes: Floats
    members: Ints
    misfit: Floats

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, chosen: NDArray[np.bool_] | Ints) -> "Faces":
        return Faces(self.value[chosen], self.centre[chosen], self.axes[chosen], self.members[chosen], self.misfit[chosen])

    @staticmethod
    def joined(parts: list["Faces"]) -> "Faces":
        return Faces(*(np.concatenate([getattr(p, n) for p in parts]) for n in ("value", "centre", "axes", "members", "misfit")))


@dataclass(frozen=True)
class Pairs:
    """P pairs of spots alike: their numbers, middle, half distance in pixels and in radii, and the mean shape."""

    first: Ints
    second: Ints
    middle: Floats
    half: Floats
    shape: Floats
    span: Floats


def find_pairs(spots: Spots) -> Pairs:
    """All pairs of spots that may lie on one face."""
    n = len(spots)
    i, j = np.triu_indices(n, 1)
    near = np.hypot(*(spots.xy[i] - spots.xy[j]).T) < 14 * np.minimum(spots.radius[i], spots.radius[j]) * 1.5
    i, j = i[near], j[near]
    keep = (spots.light[i] == spots.light[j])
    ratio = np.maximum(spots.radius[i] / spots.radius[j], spots.radius[j] / spots.radius[i])
    keep &= ratio < ALIKE
    cr = np.maximum(spots.contrast[i] / spots.contrast[j], spots.contrast[j] / spots.contrast[i])
    keep &= cr < 2.2
    i, j, ratio, cr = i[keep], j[keep], ratio[keep], cr[keep]
    shape = (spots.shape[i] + spots.shape[j]) / 2
    half = (spots.xy[j] - spots.xy[i]) / 2
    span = np.linalg.norm(np.linalg.solve(shape, half[:, :, None])[:, :, 0], axis=1)
    twist = np.linalg.norm(spots.shape[i] - spots.shape[j], axis=(1, 2)) / np.linalg.norm(shape, axis=(1, 2))
    keep = (span > 1.2) & (span < GRID[1] * 1.5) & (twist < 0.5)
    cost = np.log(ratio) + np.log(cr) * 0.5 + twist
    order = np.flatnonzero(keep)
    order = order[np.argsort(cost[order])[:MANY]]
    i, j = i[order], j[order]
    return Pairs(i, j, (spots.xy[i] + spots.xy[j]) / 2, half[order], shape[order], span[order])


def find_faces(spots: Spots) -> Faces:
    """Every way in which two or more spots form a face from 2 to 6."""
    pairs = find_pairs(spots)
    if len(pairs.first) == 0:
        return _none()
    central = _central(spots, pairs)
    return Faces.joined([_lines(pairs, central), *_crosses(spots, pairs, central)])


def single_faces(spots: Spots) -> Faces:
    """Every spot as a one: the grid is guessed from its size, its direction unknown."""
    n = len(spots)
    members = np.full((n, 6), -1)
    members[:, 0] = np.arange(n)
    return Faces(np.ones(n, int), spots.xy, spots.shape * 2.5, members, np.zeros(n))


def _none() -> Faces:
    return Faces(np.zeros(0, int), np.zeros((0, 2)), np.zeros((0, 2, 2)), np.zeros((0, 6), int), np.zeros(0))


def _central(spots: Spots, pairs: Pairs) -> Ints:
    """For each pair the spot on its middle, or -1."""
    apart = np.linalg.norm(pairs.middle[:, None] - spots.xy[None], axis=2) / np.sqrt(np.linalg.det(pairs.shape))[:, None]
    r = spots.radius[None] / spots.radius[pairs.first][:, None]
    apart[(r > ALIKE) | (r < 1 / ALIKE) | (spots.light[None] != spots.light[pairs.first][:, None])] = np.inf
    best = apart.argmin(axis=1)
    return np.where(apart[np.arange(len(best)), best] < 0.8, best, -1)


TURN = np.array([[1.0, -1.0], [1.0, 1.0]])  # columns: the diagonal (1, 0) turned by 45 degrees either way, times root 2


def _lines(pairs: Pairs, central: Ints) -> Faces:
    """Twos and threes: the diagonal is seen, its perpendicular follows from the ellipses."""
    three = central >= 0
    flat = np.linalg.solve(pairs.shape, pairs.half[:, :, None])[:, :, 0]
    across = np.stack([-flat[:, 1], flat[:, 0]], 1)
    normal = np.einsum("nij,nj->ni", pairs.shape, across)
    axes = np.stack([(pairs.half + normal) / 2, (pairs.half - normal) / 2], axis=2)
    members = np.full((len(three), 6), -1)
    members[:, 0] = np.where(three, central, pairs.first)
    members[:, 1] = np.where(three, pairs.first, pairs.second)
    members[:, 2] = np.where(three, pairs.second, -1)
    keep = pairs.span > np.where(three, GRID[0] * 1.2, GRID[0] * 1.05)
    return Faces(np.where(three, 3, 2), pairs.middle, axes, members, np.zeros(len(three)))[keep]


def _crosses(spots: Spots, pairs: Pairs, central: Ints) -> list[Faces]:
    """Fours, fives and sixes: pairs with one middle."""
    size = np.sqrt(np.abs(np.linalg.det(pairs.shape)))
    apart = np.linalg.norm(pairs.middle[:, None] - pairs.middle[None], axis=2)
    together = apart < 1.0 * np.minimum(size[:, None], size[None])
    together &= spots.light[pairs.first][:, None] == spots.light[pairs.first][None]
    a, b = np.nonzero(np.triu(together, 1))
    shape = (pairs.shape[a] + pairs.shape[b]) / 2
    inverse = np.linalg.inv(shape)
    u = np.einsum("nij,nj->ni", inverse, pairs.half[a])
    v = np.einsum("nij,nj->ni", inverse, pairs.half[b])
    lu, lv = np.linalg.norm(u, axis=1), np.linalg.norm(v, axis=1)
    cosine = (u * v).sum(1) / (lu * lv)
    middle = (pairs.middle[a] + pairs.middle[b]) / 2
    gap = np.linalg.norm(np.einsum("nij,nj->ni", inverse, pairs.middle[a] - pairs.middle[b]), axis=1)
    square = (np.maximum(lu, lv) < 1.6 * np.minimum(lu, lv)) & (np.abs(cosine) < 0.5)
    square &= (np.minimum(lu, lv) > GRID[0] * 1.15)
    members = np.full((len(a), 6), -1)
    axes = np.stack([(pairs.half[a] + pairs.half[b]) / 2, (pairs.half[a] - pairs.half[b]) / 2], axis=2)
    five = (central[a] >= 0) & (central[a] == central[b])
    corners = np.stack([pairs.first[a], pairs.second[a], pairs.first[b], pairs.second[b]], 1)
    # half[a] = ex + ey, half[b] = ex - ey: second of a at (1, 1), second of b at (1, -1)
    corners = corners[:, [1, 0, 3, 2]]
    members[:, :4] = corners
    members[five, 1:5] = corners[five]
    members[five, 0] = central[a][five]
    squares = Faces(np.where(five, 5, 4), middle, axes, members, gap)[square]
    # six: a third pair in the middle of the long side
    found = [squares]
    ex = axes[:, :, 0]
    ey = axes[:, :, 1]
    for along, other, flip in ((ex, ey, False), (ey, ex, True)):
        # the middle pair lies at +-along; |along| about half of... grid: corners (1,1),(1,-1), middle (1,0)
        delta = np.minimum(
            np.linalg.norm(np.einsum("nij,nkj->nki", inverse, pairs.half[None] - along[:, None]), axis=2),
            np.linalg.norm(np.einsum("nij,nkj->nki", inverse, pairs.half[None] + along[:, None]), axis=2),
        ) + np.linalg.norm(np.einsum("nij,nkj->nki", inverse, pairs.middle[None] - middle[:, None]), axis=2)
        if delta.size == 0:
            continue
        best = delta.argmin(axis=1)
        off = delta[np.arange(len(a)), best]
        la = np.linalg.norm(np.einsum("nij,nj->ni", inverse, along), axis=1)
        lo = np.linalg.norm(np.einsum("nij,nj->ni", inverse, other), axis=1)
        ok = (off < 1.3) & (la / lo < 1.7) & (la / lo > 0.4) & (lo > 1.7) & (la > 1.2)
        m = members.copy()
        m[:, :4] = corners
        m[:, 4], m[:, 5] = pairs.second[best], pairs.first[best]
        size = np.maximum(la, lo)
        frame = np.stack([along * (size / la)[:, None], other * (size / lo)[:, None]], axis=2)
        found.append(Faces(np.full(len(a), 6), middle, frame, m, off)[ok])
    return found
