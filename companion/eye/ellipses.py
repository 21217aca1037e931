"""Outlines become ellipses: all outlines of a picture at once, by the moments of their polygons (Green's
theorem).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.eye.columns import Columns, Floats, Ints


@dataclass(frozen=True)
class Ellipses(Columns):
    """N ellipses as columns, in pixels: `middle` (N x 2), half `axes` (N x 2, the shorter first), their
    directions as the columns of `turn` (N x 2 x 2), the outlines' `area`, and `rough`: the standard
    deviation of the outline's points from the ellipse, in half axes.
    """

    middle: Floats
    axes: Floats
    turn: Floats
    area: Floats
    rough: Floats


def fit_ellipses(outlines: Sequence[NDArray[np.int32]]) -> Ellipses:
    """The ellipse with the moments of each outline (cv2's form, points x 1 x 2); at least one outline is
    needed.
    """
    counts = np.array([len(outline) for outline in outlines])
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    owner = np.repeat(np.arange(len(outlines)), counts)
    points = np.concatenate(outlines).reshape(-1, 2).astype(np.float64)
    origin = points[starts]
    here = points - origin[owner]
    area, centroid, spread = _moments(here, starts, counts)
    values, turn = np.linalg.eigh(spread)
    axes = 2 * np.sqrt(np.maximum(values, 1e-4))
    local = np.einsum("nij,ni->nj", turn[owner], here - centroid[owner]) / axes[owner]
    rough = _deviation(np.hypot(local[:, 0], local[:, 1]), starts, counts)
    # An outline runs through the middles of the outermost pixels, half a pixel inside the spot.
    return Ellipses(origin + centroid, axes + 0.5, turn, area, rough)


def _moments(here: Floats, starts: Ints, counts: Ints) -> tuple[Floats, Floats, Floats]:
    """Area, centroid and covariance of each polygon; the points of all polygons follow one another."""
    following = np.arange(1, len(here) + 1)
    following[starts + counts - 1] = starts
    there = here[following]
    cross = here[:, 0] * there[:, 1] - there[:, 0] * here[:, 1]
    area = np.add.reduceat(cross, starts) / 2
    divisor = np.where(np.abs(area) > 0.5, area, 0.5)
    centroid = np.add.reduceat((here + there) * cross[:, None], starts) / (6 * divisor[:, None])
    x, y = here.T
    u, v = there.T
    squares = np.stack(
        [x * x + x * u + u * u, (2 * x * y + x * v + u * y + 2 * u * v) / 2, y * y + y * v + v * v], 1
    )
    xx, xy, yy = (np.add.reduceat(squares * cross[:, None], starts) / (12 * divisor[:, None])).T
    second = np.stack([np.stack([xx, xy], 1), np.stack([xy, yy], 1)], 1)
    return np.abs(area), centroid, second - centroid[:, :, None] * centroid[:, None, :]


def _deviation(values: Floats, starts: Ints, counts: Ints) -> Floats:
    """Standard deviation of each run of values."""
    mean = np.add.reduceat(values, starts) / counts
    return np.asarray(np.sqrt(np.maximum(np.add.reduceat(values**2, starts) / counts - mean**2, 0)))
