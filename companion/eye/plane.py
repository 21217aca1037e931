"""Squares of one size on one table, seen from anywhere."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MANY = 6  # regions, from which on they say how the table leans
TRIALS = 300
STEEPEST = 2.0  # so many times larger may the root be at the near end of the picture than at the far one
TOLERANCE = 0.07  # of the cube root of an area: what counts as the same size
ALIKE = 2 * TOLERANCE  # ... at most: thousands that are farther off would count as much as a few
PLAIN = 0.12  # three regions always agree on a slope; that it is there must be worth this part of all of them
STRETCH = 1.22  # (s + 1/s) / 2 of the stretch s by which a region may differ from the others in its shape
ENOUGH = 24.0  # so many that agree are as good as any number: tiles are larger than specks of a cloth
SEED = 5


def sides(corners: Floats) -> tuple[Floats, Floats]:
    """The two sides of quadrilaterals (N x 4 x 2 to N x 2 each), taken as parallelograms."""
    one = (corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]) / 2
    other = (corners[:, 3] + corners[:, 2] - corners[:, 0] - corners[:, 1]) / 2
    return one, other


def shapes(corners: Floats) -> Floats:
    """The second moments of quadrilaterals (N x 4 x 2 to N x 2 x 2), taken as parallelograms.

    Those of a square do not depend on how it is turned; so on one table they tell the perspective alone.
    """
    one, other = sides(corners)
    return np.asarray(one[:, :, None] * one[:, None] + other[:, :, None] * other[:, None]) / 12


def areas(corners: Floats) -> Floats:
    """The areas of quadrilaterals (N x 4 x 2)."""
    x, y = corners[..., 0], corners[..., 1]
    return np.asarray(abs((x * np.roll(y, -1, 1) - y * np.roll(x, -1, 1)).sum(axis=1)) / 2)


def _lengthy(corners: Floats) -> Floats:
    """(s + 1/s) / 2 of the stretch s of each region (N x 4 x 2); 1 is a square."""
    own = shapes(corners)
    size = np.sqrt(np.maximum(np.linalg.det(own), 1e-9))
    return np.asarray(np.maximum(1, np.trace(own, axis1=1, axis2=2) / 2 / size))


def _sloping(middles: Floats, roots: Floats) -> Floats:
    """The slope that fits best what some regions say; flat, as far as they all lie in a line or at one place.

    That is a ridge regression of a weight of one more region, a side away.
    """
    middle, root = middles.mean(axis=0), float(roots.mean())
    ridge = np.eye(2) * root**1.5
    slope = np.linalg.lstsq(
        np.vstack([middles - middle, ridge]), np.append(roots - root, [0, 0]), rcond=None
    )[0]
    return np.append(root - slope @ middle, slope)


def _alike(roots: Floats, usual: Floats) -> NDArray[np.bool_]:
    """Which roots of areas are about as large as is usual where they are."""
    return np.asarray(abs(roots / usual - 1) < ALIKE)


def _rows(points: Floats) -> Floats:
    return np.column_stack([np.ones(len(points)), points])


@dataclass(frozen=True)
class Plane:
    """How large a tile is anywhere in the picture: `slope` @ (1, x, y) is the cube root of its area.

    `shape` are its second moments where its area is 1.
    """

    slope: Floats
    shape: Floats

    @classmethod
    def of(cls, corners: Floats, weights: Floats, kinds: NDArray[np.int_]) -> "Plane":
        """What most of the regions (N x 4 x 2) agree on; of each kind (N, from 0 on) ENOUGH count at most:
        tiles have several colours, the meshes of a cloth one.
        """
        middles, roots = corners.mean(axis=1), np.cbrt(areas(corners))
        places = _rows(middles)
        count = 1 + int(np.ceil(2 / TOLERANCE * np.log(roots.max() / roots.min())))
        slopes = np.column_stack([np.geomspace(roots.min(), roots.max(), count), np.zeros((count, 2))])
        trust = np.ones(count)
        if len(roots) >= MANY:
            chance = np.random.default_rng(SEED)
            picked = chance.integers(len(roots), size=(TRIALS, 3))
            rows = places[picked]
            sound = abs(np.linalg.det(rows)) > max(1.0, 1e-2 * np.ptp(middles, axis=0).prod())
            sloping = np.linalg.solve(rows[sound], roots[picked][sound][..., None])[..., 0]
            sizes = sloping @ places.T
            sloping = sloping[(sizes.min(axis=1) > 0) & (sizes.max(axis=1) < STEEPEST * sizes.min(axis=1))]
            slopes = np.vstack([slopes, sloping])
            trust = np.append(trust, np.full(len(sloping), 1 - PLAIN))
        weights = weights / _lengthy(corners) ** 2  # two side by side are larger than one, but no square
        apart = roots / (slopes @ places.T) - 1
        agree = np.where(abs(apart) < ALIKE, weights * np.exp(-((apart / TOLERANCE) ** 2) / 2), 0.0)
        usual = (agree * roots**1.5).sum(axis=1) / np.maximum(agree.sum(axis=1), 1e-9)
        many = np.minimum(agree @ np.eye(kinds.max() + 1)[kinds], ENOUGH).sum(axis=1)
        best = slopes[int(np.argmax(usual * many**2 * trust))]
        same = _alike(roots, places @ best)
        for _ in range(2):
            if same.sum() >= MANY:
                finer = _sloping(middles[same], roots[same])
                again = _alike(roots, places @ finer)
                best, same = (finer, again) if again.any() else (best, same)
        shape = np.median((shapes(corners) / areas(corners)[:, None, None])[same], axis=0)
        return cls(np.asarray(best), np.asarray(shape / np.sqrt(np.linalg.det(shape)) / 12))

    def area(self, points: Floats) -> Floats:
        """The area of a tile at points (N x 2), in pixels."""
        return np.asarray(np.maximum(_rows(points) @ self.slope, 1e-3) ** 3)

    def fit(self, corners: Floats) -> Floats:
        """How well regions (N x 4 x 2) agree with it (0..1)."""
        roots = np.cbrt(areas(corners) / self.area(corners.mean(axis=1)))
        own = shapes(corners)
        own = own / np.sqrt(np.maximum(np.linalg.det(own), 1e-9))[:, None, None]
        stretch = np.trace(np.linalg.inv(self.shape * 12) @ own, axis1=1, axis2=2) / 2
        size = np.exp(-(((roots - 1) / (1.6 * TOLERANCE)) ** 2) / 2)
        return np.asarray(np.where(stretch < STRETCH, size, 0.0))

    def lengths(self, vectors: Floats, at: Floats) -> Floats:
        """How long vectors (... x N x 2) at points (N x 2) are, in sides of a tile."""
        inverse = np.linalg.inv(self.shape)
        return np.asarray(np.sqrt((vectors @ inverse * vectors).sum(axis=-1) / 12 / self.area(at)))
