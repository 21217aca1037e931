"""How likely a hypothesis is an upper face of a die: what speaks against it costs.

The costs are weights of a logistic regression with weights of one sign, so that the score of a face is the
logarithm of its odds and can only fall as more is looked at: hypotheses that have fallen too low are
dropped before the dearer looks. The weights were fitted to 134 photographs of DamianTab/DiceDetection
(Apache-2.0), matteop65/Dice_Detection_Recognition (MIT), KamilPiechowiak/DiceDetection (MIT) and
N3VERS4YDIE/dice-recognition (CC BY 4.0); none of them is part of this project.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.eye.body import Borders, Surfaces, see_borders, see_surfaces
from companion.eye.columns import Columns, Floats, Image, Ints, distances
from companion.eye.patterns import Faces
from companion.eye.pips import Spots

# Rows: 1, 2, 3, and 4 to 6. A hypothesis starts with START and loses these times its costs.
GROUP = np.array([-1, 0, 1, 2, 3, 3, 3])
#    uneven crowded tilt grid skew
GEOMETRY = np.array(
    [
        [0.2, 2.6, 0.1, 0.0, 0.0],
        [0.0, 0.0, 1.8, 3.9, 0.0],
        [0.0, 0.0, 1.5, 4.6, 0.0],
        [0.0, 0.1, 3.4, 0.7, 8.0],
    ]
)
STRANGERS = np.array([[1.8], [0.5], [1.0], [1.8]])
#    odd uneven faint
SURFACE = np.array([[0.0, 6.0, 1.8], [0.0, 0.0, 0.0], [8.9, 4.8, 0.0], [3.4, 0.0, 0.1]])
#    ragged size
BORDER = np.array([[14.5, 1.5], [15.1, 1.0], [11.8, 0.0], [4.5, 1.0]])
START = np.array([3.0, 2.1, 3.0, 4.2])
LIKELY = 0.2  # the least score of a die: 55 %; what falls below is dropped at once

USUAL_GRID = 2.4  # steps of the pips' grid in radii of a pip
USUAL_SIZE = 2.3  # median distance from the centre of a face to its border in steps
STRANGER_SIZE = 1.7  # spots within a face, up to so much larger or smaller than its pips, should be its own
OVERLAP = 0.65  # distance of two spots, in the sum of their radii, below which they overlap


@dataclass(frozen=True)
class Judged(Columns):
    """Hypotheses that may be dice, with their `score` (logarithm of the odds), `roundness` of their pips
    (shorter to longer axis), whether these are `light`, and what was seen of them.
    """

    faces: Faces
    score: Floats
    roundness: Floats
    light: NDArray[np.bool_]
    surfaces: Surfaces
    borders: Borders


def judge(smooth: Image, spots: Spots, faces: Faces) -> Judged:
    """The hypotheses that are likelier true than not, from a slightly smoothed BGR frame."""
    shape = _mean_shape(faces, spots)
    axes = np.linalg.eigvalsh(shape)
    roundness = axes[:, 0] / axes[:, 1]
    score = START[GROUP[faces.value]] - _cost(GEOMETRY, faces, _geometry(faces, spots, shape, roundness))
    kept = score > LIKELY
    faces, score, roundness = faces[kept], score[kept], roundness[kept]
    score -= _cost(STRANGERS, faces, _strangers(faces, spots)[:, None].astype(np.float64))
    kept = score > LIKELY
    faces, score, roundness = faces[kept], score[kept], roundness[kept]
    surfaces = see_surfaces(smooth, faces, spots)
    faint = -np.log(surfaces.clear)
    score -= _cost(SURFACE, faces, np.stack([surfaces.odd, surfaces.uneven, faint], axis=1))
    kept = score > LIKELY
    faces, score, roundness, surfaces = faces[kept], score[kept], roundness[kept], surfaces[kept]
    borders = see_borders(smooth, faces, spots, surfaces)
    size = np.minimum(np.abs(np.log(borders.median / USUAL_SIZE)), 1)
    score -= _cost(BORDER, faces, np.stack([1 - borders.regular, size], axis=1))
    light = spots.light[faces.members[:, 0]]
    return Judged(faces, score, roundness, light, surfaces, borders)[score > LIKELY]


def _cost(weights: Floats, faces: Faces, costs: Floats) -> Floats:
    return np.asarray((weights[GROUP[faces.value]] * costs).sum(axis=1))


def _mean_shape(faces: Faces, spots: Spots) -> Floats:
    """The mean shape of each face's pips (H x 2 x 2)."""
    belongs = faces.members >= 0
    shapes = np.where(belongs[:, :, None, None], spots.shape[faces.members], 0)
    return np.asarray(shapes.sum(axis=1) / belongs.sum(axis=1)[:, None, None])


def _geometry(faces: Faces, spots: Spots, shape: Floats, roundness: Floats) -> Floats:
    """Costs of the spots and their places (H x 5), each 0 at best."""
    belongs = faces.members >= 0
    count = belongs.sum(axis=1)
    uneven = np.where(belongs, spots.uneven[faces.members], 0).sum(axis=1) / count
    crowded = np.where(belongs, spots.crowded[faces.members], 0).sum(axis=1) / count
    tilt = np.minimum(1 / roundness - 1, 2)
    # Seen along the plane's normal the two steps of the grid are equally long and at right angles.
    steps = np.linalg.svd(np.linalg.solve(shape, faces.axes), compute_uv=False)
    grid = np.minimum(np.abs(np.log(np.sqrt(steps.prod(axis=1)) / USUAL_GRID)), 1)
    grid[faces.value == 1] = 0
    skew = np.minimum(steps[:, 0] / steps[:, 1] - 1, 1)
    return np.stack([uneven, crowded, tilt, grid, skew], axis=1)


def _strangers(faces: Faces, spots: Spots) -> Ints:
    """How many spots like its pips lie within each face without belonging to it, two at most."""
    local = np.abs((spots.xy[None] - faces.centre[:, None]) @ np.swapaxes(np.linalg.inv(faces.axes), 1, 2))
    pip = faces.members[:, 0]
    within = (local[..., 0] < 1.6) & (local[..., 1] < 1.6)
    within &= np.abs(np.log(spots.radius[None] / spots.radius[pip][:, None])) < np.log(STRANGER_SIZE)
    within &= spots.light[None] == spots.light[pip][:, None]
    within &= spots.contrast[None] > 0.4 * spots.contrast[pip][:, None]
    for members in faces.members.T:
        rows = np.flatnonzero(members >= 0)
        own = members[rows]
        # Two pips that nearly touch may also have been seen as one spot: what overlaps a pip is no other.
        apart = distances(spots.xy[own], spots.xy)
        within[rows] &= apart > OVERLAP * (spots.radius[None] + spots.radius[own][:, None])
    return np.asarray(np.minimum(within.sum(axis=1), 2), np.intp)
