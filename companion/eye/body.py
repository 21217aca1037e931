"""What lies between and around the pips: of a face, the rest is plain, and it ends where a die ends."""

from dataclasses import dataclass
from functools import reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye.columns import Columns, Floats, Image
from companion.eye.patterns import Faces
from companion.eye.pips import Spots

Colours = NDArray[np.float32]

# Lengths are in steps of the pips' grid; a die's face reaches about two steps from its centre.
LATTICE = np.stack(np.meshgrid(np.linspace(-1.5, 1.5, 7), np.linspace(-1.5, 1.5, 7)), axis=-1).reshape(-1, 2)
LATTICE_OF_ONE = 0.5  # a one's grid is only guessed: its lattice is smaller by this
ANGLES = np.arange(24) * np.pi / 12
RAYS = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
REACH = np.arange(0.6, 5.0, 0.11)
NEAR = 14  # so many of them may be on a pip
PIP_MARGIN = 1.45  # a pip's blurred rim counts as the pip up to here, in its half axes
ODD = 0.35  # a point is odd if it differs from the face by this part of the pips' contrast
LEFT = (0.12, 0.25, 0.45)  # the face is left at a difference by one of these parts of the pips' contrast
JUMP = (0.1, 0.22)  # ... or ends at such a change of colour
STEP = 3  # samples along a ray between which it changes
LEAST_CHANGE = 8.0  # grey levels: less is noise
NARROW, WIDE = 0.72, 1.4  # a square's border lies between these parts of its median distance from the centre
UNSEEN = 9.0  # the distance of a border that is nowhere seen


@dataclass(frozen=True)
class Surfaces(Columns):
    """The plain part of H faces as columns: `colour` (H x 3, BGR), `contrast` of the pips to it,
    `clear`: the same as a part of the brighter of the two, `odd`: the
    part of its points that have another colour, `uneven`: their mean deviation as a part of the contrast.
    """

    colour: Colours
    contrast: Colours
    clear: Colours
    odd: Colours
    uneven: Colours


@dataclass(frozen=True)
class Borders(Columns):
    """Where H faces end: `distance` along each ray (H x 24, inf where nowhere), its `median` (UNSEEN if
    most are inf), and `regular`: the part of the rays that end where a square would.
    """

    distance: Floats
    median: Floats
    regular: Floats


def look(frame: Image, points: Floats) -> Colours:
    """Colours of a frame at points (... x 2) in pixels; outside of it those of its border."""
    if points.size == 0:
        return np.zeros((*points.shape[:-1], 3), np.float32)
    x, y = (points[..., i].reshape(-1, points.shape[-2]).astype(np.float32) for i in (0, 1))
    seen = cv2.remap(frame, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen.reshape(*points.shape[:-1], 3), np.float32)


def see_surfaces(frame: Image, faces: Faces, spots: Spots) -> Surfaces:
    """The faces between their pips."""
    lattice = np.where(faces.value == 1, LATTICE_OF_ONE, 1.0)[:, None, None] * LATTICE
    points = _placed(faces, lattice)
    free = ~_on_pips(points, faces, spots)
    seen = look(frame, points)
    count = np.maximum(free.sum(axis=1), 1)
    colour = _median(seen, free)
    pip = _median(look(frame, spots.xy)[faces.members], faces.members >= 0)
    contrast = np.maximum(np.abs(pip - colour).max(axis=1), LEAST_CHANGE)
    clear = np.minimum(contrast / np.maximum(pip, colour).max(axis=1), 1)
    change = _largest(seen - colour[:, None]) / contrast[:, None]
    odd = (free & (change > ODD)).sum(axis=1) / count
    uneven = np.where(free, np.minimum(change, 1), 0).sum(axis=1) / count
    return Surfaces(colour, contrast, clear, odd.astype(np.float32), uneven.astype(np.float32))


def see_borders(frame: Image, faces: Faces, spots: Spots, surfaces: Surfaces) -> Borders:
    """Where each face ends: where its colour is left, or where the colour changes at once, whichever makes
    it more regular. How sharp an edge is depends on the ground, so several thresholds are tried, as in a
    component tree. Beyond the edge of the frame nothing ends.
    """
    points = _placed(faces, (RAYS[:, None] * REACH[:, None]).reshape(1, -1, 2))
    seen = look(frame, points).reshape(len(faces), len(RAYS), len(REACH), 3)
    near = points.reshape(*seen.shape[:3], 2)[:, :, :NEAR].reshape(len(faces), len(RAYS) * NEAR, 2)
    on_pips = _on_pips(near, faces, spots).reshape(len(faces), len(RAYS), NEAR)
    face = surfaces.colour[:, None, None]
    seen[:, :, :NEAR] = np.where(on_pips[..., None], face, seen[:, :, :NEAR])
    left = _largest(seen - face)
    left = np.minimum(left[:, :, :-1], left[:, :, 1:])  # one pixel alone is no border
    jump = _largest(seen[:, :, STEP:] - seen[:, :, :-STEP])
    tried = [_borders(left, part * surfaces.contrast, REACH[:-1]) for part in LEFT]
    tried += [_borders(jump, part * surfaces.contrast, REACH[STEP // 2 :]) for part in JUMP]
    return reduce(_more_regular, tried)


def _largest(difference: Colours) -> Colours:
    """The largest absolute difference in a channel (... x 3)."""
    blue, green, red = np.moveaxis(np.abs(difference), -1, 0)  # far faster than a reduction by max
    return np.asarray(np.maximum(np.maximum(blue, green), red))


def _borders(change: Colours, limit: Colours, reach: Floats) -> Borders:
    """The first change above the limit along each ray."""
    ends = change > np.maximum(limit, LEAST_CHANGE)[:, None, None]
    first = ends.argmax(axis=2)
    found = np.take_along_axis(ends, first[:, :, None], axis=2)[:, :, 0]
    distance = np.where(found, reach[first], np.inf)
    ordered = np.sort(np.minimum(distance, UNSEEN), axis=1)
    median = ordered[:, len(RAYS) // 2 - 1 : len(RAYS) // 2 + 1].mean(axis=1)
    regular = ((distance > NARROW * median[:, None]) & (distance < WIDE * median[:, None])).mean(axis=1)
    return Borders(distance, median, np.where(median < 1, 0.7, 1.0) * regular)


def _more_regular(a: Borders, b: Borders) -> Borders:
    better = b.regular > a.regular + 0.02
    return Borders(
        np.where(better[:, None], b.distance, a.distance),
        np.where(better, b.median, a.median),
        np.where(better, b.regular, a.regular),
    )


def _placed(faces: Faces, grid: Floats) -> Floats:
    """Points of the faces' grids (H or 1 x K x 2) in pixels (H x K x 2)."""
    single = np.float32  # exact to a thousandth of a pixel, and half the work
    axes = np.swapaxes(faces.axes, 1, 2).astype(single)
    return np.asarray(faces.centre[:, None].astype(single) + grid.astype(single) @ axes)


def _on_pips(points: Floats, faces: Faces, spots: Spots) -> NDArray[np.bool_]:
    """Which of the points (H x K x 2) lie on a pip of their face."""
    inverse = (np.linalg.inv(spots.shape) / PIP_MARGIN).astype(points.dtype)
    centre = spots.xy.astype(points.dtype)
    covered = np.zeros(points.shape[:2], bool)
    for members in faces.members.T:
        rows = np.flatnonzero(members >= 0)
        own = members[rows]
        local = (points[rows] - centre[own][:, None]) @ inverse[own]
        covered[rows] |= local[..., 0] ** 2 + local[..., 1] ** 2 < 1
    return covered


def _median(values: Colours, valid: NDArray[np.bool_]) -> Colours:
    """Median of the valid ones of values (H x K x 3); of all where none is valid."""
    valid = valid | ~valid.any(axis=1, keepdims=True)
    ordered = np.sort(np.where(valid[:, :, None], values, np.inf), axis=1)
    middle = (valid.sum(axis=1) - 1) // 2
    return np.asarray(ordered[np.arange(len(values)), middle], np.float32)
