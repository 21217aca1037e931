"""Tiles as people have laid them out: in rows, to be read as one reads a page, or in a ring."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from companion.eye.plane import Floats, areas, shapes
from companion.eye.tiles import Tile

APART = 3.6  # in the usual distance of neighbours: what is farther from all others lies there by chance
HOLLOW = 0.9  # of what as many neighbours would cover as squares: a closed way round more than that is a ring
OFF = 1.2  # in the usual distance: what makes the way round longer by so much lies beside it
BETWEEN = 0.35  # in the usual distance: a faint tile belongs where the way round gets hardly longer by it ...
ROOM = 0.65  # ... and where it is so far from both others at least
STEEP = 2.0  # to the right by so much for each one down: two of which one lies lower than that are no row
BENT = 0.65  # in radians: by so much a row may slope otherwise at one of its ends, as an arc does
EVEN, REGULAR = 0.25, 0.9  # steps in rows, of the usual one: how far from a whole number, and how many are
MOST_HOLES = 2  # tiles in a row that were not seen: a larger hole is left on purpose
LINE = 0.5  # of a tile's side: what lies so far above or below is in the same row


@dataclass(frozen=True)
class Arrangement:
    """Tiles in their order; `apart` are those that lie far from all these.

    In a ring they go clockwise as one sees it, and `gaps` are the distances from each to the next, the last
    to the first, in the usual distance of neighbours. In rows there are none; of each `holes` says how many
    others would fit between it and the one before in its row.
    """

    tiles: tuple[Tile, ...] = ()
    gaps: tuple[float, ...] = ()
    apart: tuple[Tile, ...] = ()
    holes: tuple[int, ...] = ()

    @property
    def ring(self) -> bool:
        """Whether the tiles go round."""
        return bool(self.gaps)


def arrange(tiles: tuple[Tile, ...]) -> Arrangement:
    """Tiles in their order, if they lie together; nobody says how many lie there. Faint ones only count
    where a ring has a gap.
    """
    laid = _arranged(tuple(tile for tile in tiles if not tile.faint))
    faint = tuple(tile for tile in tiles if tile.faint)
    return _filled(laid, faint) if laid.ring and faint else laid


def _arranged(tiles: tuple[Tile, ...]) -> Arrangement:
    if len(tiles) < 2:
        return Arrangement(tiles, holes=(0,) * len(tiles))
    away = _distances(tiles)
    kept = _together(away)
    apart = tuple(tile for i, tile in enumerate(tiles) if i not in kept)
    tiles, away = tuple(tiles[i] for i in kept), away[np.ix_(kept, kept)]
    tour = _tour(np.array([tile.center for tile in tiles]), away)
    usual = float(np.median(_gaps(tour, away)))
    middles = np.array([tiles[i].center for i in tour])
    covered = float(areas(middles[None])[0] / np.median(areas(_corners(tiles))))
    if covered > HOLLOW * len(tiles) * usual**2:
        return _ring(tiles, away, tour, apart)
    return _in_rows(tiles, away, apart)


def _in_rows(tiles: tuple[Tile, ...], away: Floats, apart: tuple[Tile, ...]) -> Arrangement:
    """The tiles in rows, and the holes in these, if the others lie at regular distances."""
    rows = _rows(tiles, away)
    steps = [np.array([away[i, j] for i, j in pairwise(row)]) for row in rows]
    every = np.concatenate(steps)
    usual = float(np.median(every)) if len(every) else 1.0
    regular = bool(len(every)) and (abs(every / usual - np.round(every / usual)) < EVEN).mean() >= REGULAR
    holes = []
    for row in steps:
        fit = np.maximum(1, np.round(row / usual))
        there = regular & (fit <= 1 + MOST_HOLES) & (abs(row / usual / fit - 1) < EVEN / 2)
        holes += [0, *np.where(there, fit - 1, 0).astype(int).tolist()]
    return Arrangement(tuple(tiles[i] for row in rows for i in row), apart=apart, holes=tuple(holes))


def _ring(tiles: tuple[Tile, ...], away: Floats, tour: list[int], apart: tuple[Tile, ...]) -> Arrangement:
    """What lies on a closed way; what lies beside it is apart, too."""
    tour, beside = _on_the_way(tour, away)
    return _closed(tiles, away, tour, (*apart, *(tiles[i] for i in beside)))


def _closed(tiles: tuple[Tile, ...], away: Floats, tour: list[int], apart: tuple[Tile, ...]) -> Arrangement:
    """The tiles on a closed way."""
    gaps = _gaps(tour, away)
    return Arrangement(tuple(tiles[i] for i in tour), tuple((gaps / np.median(gaps)).tolist()), apart)


def _filled(ring: Arrangement, faint: tuple[Tile, ...]) -> Arrangement:
    """A ring, with those of the faint tiles that lie in its gaps."""
    tiles = (*ring.tiles, *faint)
    away, tour, left = _distances(tiles), [*range(len(ring.tiles))], [*range(len(ring.tiles), len(tiles))]
    usual = np.median(_gaps(tour, away))
    while left:
        before, behind = away[np.ix_(left, tour)], away[np.ix_(left, np.roll(tour, -1))]
        longer = np.where(np.minimum(before, behind) < ROOM * usual, np.inf, before + behind)
        longer -= _gaps(tour, away)
        one, gap = (int(n) for n in np.unravel_index(int(np.argmin(longer)), longer.shape))
        if longer[one, gap] > BETWEEN * usual:
            break
        tour.insert(gap + 1, left.pop(one))
    return _closed(tiles, away, tour, ring.apart)


def _gaps(tour: list[int], away: Floats) -> Floats:
    """The distances from each to the next on a closed way."""
    return np.asarray(away[tour, np.roll(tour, -1)])


def _saved(tour: list[int], away: Floats) -> Floats:
    """How much shorter the closed way is without each of them."""
    gaps = _gaps(tour, away)
    return np.asarray(gaps + np.roll(gaps, 1) - away[np.roll(tour, 1), np.roll(tour, -1)])


def _corners(tiles: tuple[Tile, ...]) -> Floats:
    return np.array([tile.corners for tile in tiles])


def _distances(tiles: tuple[Tile, ...]) -> Floats:
    """How far tiles are from each other on the table (N x N), in their sides."""
    corners = _corners(tiles)
    size = areas(corners)
    shape = np.median(shapes(corners) / size[:, None, None], axis=0)
    between = corners.mean(axis=1)[:, None] - corners.mean(axis=1)
    squares = (between @ np.linalg.inv(shape) * between).sum(axis=-1) / 12
    return np.asarray(np.sqrt(squares / np.sqrt(size[:, None] * size)))


def _together(away: Floats) -> list[int]:
    """The largest group in which everybody has a neighbour."""
    nearest = np.sort(away, axis=1)[:, 1]
    near = away < APART * np.median(nearest)
    left, best = set(range(len(away))), set[int]()
    while left:
        group, todo = set[int](), [left.pop()]
        while todo:
            one = todo.pop()
            group.add(one)
            new = {int(i) for i in np.flatnonzero(near[one])} & left
            left -= new
            todo += new
        best = max(best, group, key=len)
    return sorted(best)


def _tour(middles: Floats, away: Floats) -> list[int]:
    """A short closed way through all of them, clockwise: the shorter one of two.

    One begins as they lie around their middle, which an arm that doubles back misleads; the other from each
    to the nearest, which is misled by what lies beside the way.
    """
    out = middles - middles.mean(axis=0)
    around = [int(i) for i in np.argsort(np.arctan2(out[:, 1], out[:, 0]))]
    nearest, left = [0], set(range(1, len(middles)))
    while left:
        nearest.append(min(left, key=lambda i: away[nearest[-1], i]))
        left.remove(nearest[-1])
    for tour in (around, nearest):
        while _turned(tour, away) or _moved(tour, away):
            pass
    tour = min(around, nearest, key=lambda tour: float(_gaps(tour, away).sum()))
    x, y = middles[tour].T
    clockwise = (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() > 0  # y goes down
    return tour if clockwise else tour[::-1]


def _on_the_way(tour: list[int], away: Floats) -> tuple[list[int], list[int]]:
    """The closed way without what lies beside it, and that."""
    beside: list[int] = []
    while len(tour) > 3:
        saved = _saved(tour, away)
        worst = int(np.argmax(saved))
        if saved[worst] < OFF * np.median(_gaps(tour, away)):
            break
        beside.append(tour.pop(worst))
    return tour, beside


def _turned(tour: list[int], away: Floats) -> bool:
    """Turn round the part for which that shortens the way most; whether there was one."""
    order = np.array(tour)
    after = np.roll(order, -1)
    step = _gaps(tour, away)
    gain = np.triu(step[:, None] + step - away[np.ix_(order, order)] - away[np.ix_(after, after)], 2)
    i, j = (int(n) for n in np.unravel_index(int(np.argmax(gain)), gain.shape))
    if gain[i, j] < 1e-6:
        return False
    tour[i + 1 : j + 1] = tour[i + 1 : j + 1][::-1]
    return True


def _moved(tour: list[int], away: Floats) -> bool:
    """Move the one tile for which that shortens the way most; whether there was one."""
    order = np.array(tour)
    after = np.roll(order, -1)
    cost = away[np.ix_(order, order)] + away[np.ix_(order, after)] - away[order, after]
    gain = _saved(tour, away)[:, None] - cost
    n = len(tour)
    gain[range(n), range(n)] = gain[range(n), [i - 1 for i in range(n)]] = 0
    i, j = (int(k) for k in np.unravel_index(int(np.argmax(gain)), gain.shape))
    if gain[i, j] < 1e-6:
        return False
    one, behind = tour[i], tour[j]
    tour.remove(one)
    tour.insert(tour.index(behind) + 1, one)
    return True


def _rows(tiles: tuple[Tile, ...], away: Floats) -> list[list[int]]:
    """As one reads: the upper row first, each from the left, also if they slope."""
    middles = np.array([tile.center for tile in tiles])
    sides = np.sqrt(areas(_corners(tiles)))
    steps = middles - middles[:, None]
    steep = STEEP if len(tiles) == 2 else 1.0
    beside = steps[..., 0] > steep * abs(steps[..., 1])
    near = beside & (away < 1.6 * np.median(np.sort(away, axis=1)[:, 1]))
    slope = np.arctan(np.median(steps[near][:, 1] / steps[near][:, 0])) if near.any() else 0.0
    local = _slopes(steps, near, away, float(slope))
    level = middles @ (-np.sin(slope), np.cos(slope))
    along = middles @ (np.cos(slope), np.sin(slope))
    rows: list[list[int]] = []
    for i in np.argsort(along):
        # Across a gap a little that one tile is turned or pushed would count for too much.
        turns = [(local[row[-1]] + local[i]) / 2 if near[row[-1], i] else slope for row in rows]
        ends = [
            abs(steps[row[-1], i] @ (-np.sin(turn), np.cos(turn))) / sides[i]
            for row, turn in zip(rows, turns, strict=True)
        ]
        if ends and min(ends) < LINE:
            rows[int(np.argmin(ends))].append(int(i))
        else:
            rows.append([int(i)])
    rows.sort(key=lambda row: float(np.mean(level[row])))
    return rows


def _slopes(steps: Floats, near: NDArray[np.bool_], away: Floats, usual: float) -> list[float]:
    """How a row slopes at each tile, by those to its left and to its right: it may be an arc."""
    found = []
    for i in range(len(steps)):
        pairs = []
        if near[i].any():
            pairs.append((i, int(np.argmin(np.where(near[i], away[i], np.inf)))))
        if near[:, i].any():
            pairs.append((int(np.argmin(np.where(near[:, i], away[:, i], np.inf))), i))
        angles = np.array([np.arctan2(*steps[pair][::-1]) for pair in pairs])
        angles = angles[abs(angles - usual) < BENT]
        found.append(float(angles.mean()) if len(angles) else usual)
    return found
