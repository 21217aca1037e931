"""Regions of one colour with four corners: what may be a tile."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye.chroma import UNIT, Floats, Image, place

# An edge is where the logarithms change by so much, and, if ranges count, where one range of colours ends, by
# so many degrees from where `RANGES` has it. No one choice suits all colours: each finds regions of its own.
MASKS: tuple[tuple[float, int | None], ...] = ((0.14, None), (0.26, None), (0.26, 0), (0.5, 0), (0.5, -35))
RANGES = np.array([-25, 60, 115, 202, 290])  # in degrees; what lies between purple and red is no tile
PALE = 0.17  # what is nearer to grey is no tile
SMALLEST = 9  # px: the side of the smallest tile that can be seen
LARGEST = 0.3  # of the picture's shorter side
SOLID = 0.3  # part of its box that a square fills at least, however it is turned and foreshortened
SQUARE = 0.8  # part of its convex hull that a tile fills at least ...
ROUND = 0.87  # ... and part of its four corners that the hull does; a circle fills 0.79
EDGE = 1.0  # px: half the width of an edge, which belongs to no region


@dataclass(frozen=True)
class Region:
    """`corners` (4 x 2), clockwise; `colour` is its (u, v); `quality` (0..1) says how square it is."""

    corners: Floats
    colour: Floats
    quality: float


def _ranges(logs: Image, shift: Floats) -> Image:
    """For every pixel its range of colours times 8, plus the one by the turned ranges; 0 is none (H x W)."""
    u, v = np.meshgrid(np.arange(256) * 2 - 255.0, np.arange(256) * 4 - 510.0)
    points = np.stack([u / 2**0.5, v / 6**0.5], axis=-1) / UNIT - shift
    angle = np.degrees(np.arctan2(points[..., 1], points[..., 0]))
    table = _range(angle, 0) * 8 + _range(angle, -35)
    table[np.hypot(points[..., 0], points[..., 1]) < PALE] = 0
    blue, green, red = (part.astype(np.int16) for part in cv2.split(logs))
    index = ((red + green - 2 * blue + 510) >> 2).astype(np.int32) * 256 + ((red - green + 255) >> 1)
    return np.asarray(table.astype(np.uint8).ravel()[index])


def _range(angle: Floats, turn: float) -> NDArray[np.int_]:
    return np.asarray(np.digitize((angle - turn - RANGES[0]) % 360 + RANGES[0], RANGES), np.int_)


def _changes(kinds: Image) -> Image:
    """Where a pixel is of another kind than the one before it or above it (H x W, 0 or 1)."""
    found = np.zeros(kinds.shape, np.uint8)
    found[:, 1:] |= kinds[:, 1:] != kinds[:, :-1]
    found[1:] |= kinds[1:] != kinds[:-1]
    return found


def _contrast(logs: Image) -> Image:
    """How much the logarithms differ among the neighbours of a pixel, in the colour where most (H x W)."""
    kernel = np.ones((3, 3), np.uint8)
    return np.asarray(cv2.morphologyEx(logs, cv2.MORPH_GRADIENT, kernel).max(axis=2))


def regions(logs: Image, shift: Floats) -> Iterator[Region]:
    """All regions that may be a tile, or several side by side; some of them overlap."""
    soft = np.asarray(cv2.GaussianBlur(logs, (0, 0), 0.8), np.uint8)
    kinds = _ranges(soft, shift)
    coloured = kinds > 0
    changes: dict[int | None, Image] = {
        None: np.zeros(kinds.shape, np.uint8),
        0: _changes(kinds // 8),
        -35: _changes(kinds % 8),
    }
    contrast = _contrast(soft)
    for level, turn in MASKS:
        mask = coloured & (contrast < level * UNIT) & (changes[turn] == 0)
        yield from _of_mask(mask.astype(np.uint8), soft)


def _of_mask(mask: Image, logs: Image) -> Iterator[Region]:
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    x, y, wide, high, area = stats[:count].T
    largest = LARGEST * min(mask.shape)
    fits = (np.minimum(wide, high) >= SMALLEST / 2) & (area >= SMALLEST**2 / 3) & (area <= largest**2 * 4)
    fits &= (area > SOLID * 0.35 * wide * high) & (area < mask.size / 4)
    fits[0] = False
    for number in np.flatnonzero(fits):
        left, top = int(x[number]), int(y[number])
        part = np.s_[top : top + int(high[number]), left : left + int(wide[number])]
        own = (labels[part] == number).astype(np.uint8)
        found = _region(own, logs[part], (left, top))
        if found is not None:
            yield found


def _region(own: Image, logs: Image, origin: tuple[int, int]) -> Region | None:
    """A component (its pixels in its box) as a region, if it has four corners."""
    outlines, _ = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    outline = max(outlines, key=len)
    hull = cv2.convexHull(outline)
    around = cv2.contourArea(hull)
    filled = cv2.contourArea(outline)
    if len(hull) < 4 or filled < SQUARE * around:
        return None
    corners = np.asarray(cv2.approxPolyN(hull, 4, ensure_convex=True)[0], np.float64)
    box = cv2.contourArea(corners.astype(np.float32))
    if around < ROUND * box:
        return None
    mean = np.array(cv2.mean(logs, own)[:3])
    return Region(_grown(_clockwise(corners), box) + origin, place(mean), filled / box)


def _clockwise(corners: Floats) -> Floats:
    return corners if cv2.contourArea(corners.astype(np.float32), oriented=True) > 0 else corners[::-1]


def _grown(corners: Floats, area: float) -> Floats:
    """The corners moved out so far that every side moves by the width of the edge."""
    middle = corners.mean(axis=0)
    return np.asarray(middle + (corners - middle) * (1 + (2 * EDGE + 1) / max(area, 1.0) ** 0.5))
