"""Regions of one colour with four corners: what may be a tile."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye.chroma import UNIT, Palette, place
from companion.eye.network import Image
from companion.eye.plane import Floats

SOFT = 0.8  # px: so much noise is smoothed away, to keep what is small ...
GRAIN = 5  # px: ... and so much, to keep edges: dark tiles are noisy, and would fall into pieces
EDGES = (0.14, 0.26, 0.5)  # logarithms: an edge is where they change by so much, from any to clear ones
FAINT = 0.05  # ... and hardly any, as of a red tile on a red disc: cloths are full of such
# Where one range of colours ends and the next begins, in degrees; between purple and red there is no tile.
RANGES = np.array([-25, 60, 115, 202, 290])
TURN = -35  # no one choice suits all colours: the second ranges are turned by so much
# (u, v) by the two differences of logarithms, in steps of 4 and 2 (256 x 256 x 2).
GRID = np.stack(np.meshgrid(np.arange(256) * 2 - 255.0, np.arange(256) * 4 - 510.0), axis=-1)
GRID = GRID / (2**0.5, 6**0.5) / UNIT
PALE = 0.17  # what is nearer to grey is no tile
SMALLEST = 9  # px: the side of the smallest tile that can be seen ...
SMALLEST_EVEN = 3 * GRAIN  # ... and where the edges are kept: smaller ones may be made of noise
LARGEST = 0.3  # of the picture's shorter side
SOLID = 0.3  # part of its box that a square fills at least, however it is turned and foreshortened
SQUARE = 0.8  # part of its convex hull that a tile fills at least ...
BODY = 0.25  # ... and part of that which is of its colour: less is the rim of a tile, or of its shadow
ROUND = 0.87  # ... and part of its four corners that the hull does; a circle fills 0.79
CROOKED = 0.35  # of its side: opposite sides of a tile are alike, as small as it is; more is rarely one
EDGE = 1.0  # px: half the width of an edge, which belongs to no region: its corners are moved out by that


# Corners (4 x 2), mean of the logarithms, area, and how square it is.
Found = tuple[NDArray[np.float32], Sequence[float], float, float]


@dataclass(frozen=True)
class Region:
    """`corners` (4 x 2), clockwise; `colour` is its (u, v); `quality` (0..1) says how square it is, and
    `faint` that it hardly stands out from what is around it.
    """

    corners: Floats
    colour: Floats
    quality: float
    faint: bool = False


def _ranges(palette: Palette) -> Image:
    """For every (u, v) its range of colours times 8, plus the one by the turned ranges; 0 is none."""
    points = GRID - palette.shift
    angle = np.degrees(np.arctan2(points[..., 1], points[..., 0]))
    table = _range(angle, 0) * 8 + _range(angle, TURN)
    table[np.hypot(points[..., 0], points[..., 1]) < PALE] = 0
    return table.astype(np.uint8)


def _range(angle: Floats, turn: float) -> NDArray[np.int_]:
    return np.asarray(np.digitize((angle - turn - RANGES[0]) % 360 + RANGES[0], RANGES), np.int_)


def _within(kinds: Image) -> NDArray[np.bool_]:
    """Where a pixel has a kind, the same as the one before it and the one above it (H x W)."""
    found = kinds > 0
    found[:, 1:] &= kinds[:, 1:] == kinds[:, :-1]
    found[1:] &= kinds[1:] == kinds[:-1]
    return np.asarray(found)


def _contrast(logs: Image) -> Image:
    """How much the logarithms differ among the neighbours of a pixel, in the colour where most (H x W)."""
    kernel = np.ones((3, 3), np.uint8)
    blue, green, red = cv2.split(cv2.morphologyEx(logs, cv2.MORPH_GRADIENT, kernel))
    return np.asarray(cv2.max(cv2.max(blue, green), red))


def regions(logs: Image, palette: Palette) -> list[Region]:
    """All regions that may be a tile, or several side by side; some of them overlap."""
    ranges = _ranges(palette).ravel()
    soft, even = cv2.GaussianBlur(logs, (0, 0), SOFT), cv2.medianBlur(logs, GRAIN)
    found = [
        *_of_picture(soft, ranges, SMALLEST, faint=False),
        *_of_picture(even, ranges, SMALLEST_EVEN, faint=True),
    ]
    if not found:
        return []
    squares, faint = zip(*found, strict=True)
    corners, means, areas, qualities = (np.array(part, np.float64) for part in zip(*squares, strict=True))
    middles = corners.mean(axis=1, keepdims=True)
    grown = middles + (corners - middles) * (1 + (2 * EDGE + 1) / np.maximum(areas, 1) ** 0.5)[:, None, None]
    return [Region(*each) for each in zip(grown, place(means), qualities.tolist(), faint, strict=True)]


def _of_picture(
    picture: cv2.typing.MatLike, ranges: Image, smallest: int, faint: bool
) -> Iterator[tuple[Found, bool]]:
    """The regions of a picture without its noise, from a side on, with those that are `faint`; `ranges` are
    those of each (u, v).
    """
    logs = np.asarray(picture, np.uint8)
    blue, green, red = (part.astype(np.int16) for part in cv2.split(logs))
    index = ((red + green - 2 * blue + 510) >> 2).astype(np.int32) * 256 + ((red - green + 255) >> 1)
    own = ranges[index]
    contrast = _contrast(logs)
    one, other = _within(own // 8), _within(own % 8)
    clear = [contrast < level * UNIT for level in EDGES]
    coloured = own > 0
    for mask in (coloured & clear[0], coloured & clear[1], one & clear[1], one & clear[2], other & clear[2]):
        yield from ((each, False) for each in _of_mask(mask.astype(np.uint8), logs, smallest))
    if faint:
        mask = coloured & (contrast < FAINT * UNIT)
        yield from ((each, True) for each in _of_mask(mask.astype(np.uint8), logs, smallest))


def _of_mask(mask: Image, logs: Image, smallest: int) -> Iterator[Found]:
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    x, y, wide, high, area = stats[:count].T
    largest = LARGEST * min(mask.shape)
    fits = (np.minimum(wide, high) >= smallest / 2) & (area >= smallest**2 / 3) & (area <= largest**2 * 4)
    fits &= (area > SOLID * 0.35 * wide * high) & (area < mask.size / 4)
    fits[0] = False
    for number in np.flatnonzero(fits):
        left, top = int(x[number]), int(y[number])
        part = np.s_[top : top + int(high[number]), left : left + int(wide[number])]
        own = (labels[part] == number).astype(np.uint8)
        found = _region(own, logs[part], (left, top))
        if found is not None:
            yield found


def _region(own: Image, logs: Image, origin: tuple[int, int]) -> Found | None:
    """A component (its pixels in its box), if it has four corners."""
    outlines, _ = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, offset=origin)
    outline = max(outlines, key=len)
    hull = cv2.convexHull(outline)
    around = cv2.contourArea(hull)
    filled = cv2.contourArea(outline)
    if len(hull) < 4 or filled < SQUARE * around or cv2.countNonZero(own) < BODY * filled:
        return None
    corners = cv2.approxPolyN(hull, 4, ensure_convex=True)[0].astype(np.float32)
    box = cv2.contourArea(corners, oriented=True)
    if around < ROUND * abs(box):
        return None
    clockwise = corners if box > 0 else corners[::-1]
    crooked = np.linalg.norm(corners[0] - corners[1] + corners[2] - corners[3]) / abs(box) ** 0.5
    quality = filled / abs(box) * math.exp(-((float(crooked) / CROOKED) ** 2) / 2)
    return clockwise, cv2.mean(logs, own)[:3], abs(box), quality
