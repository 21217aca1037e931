"""Spots that could be pips: small ellipses, darker or lighter than what surrounds them on all sides.

A spot is what a morphological closing (dark) or opening (light) of its own size removes: the black and the white top
hat (Serra, Image Analysis and Mathematical Morphology, 1982).  They compare a spot with its own surroundings only, so
light, shadow and ground hardly matter, and a square one costs the same at every size.  Halving the picture again and
again covers all sizes with one kernel.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye.ellipses import Ellipses, Floats, fit_ellipses

Image = NDArray[np.uint8]
Chosen = NDArray[np.bool_] | NDArray[np.intp] | slice

KERNEL = np.ones((15, 15), np.uint8)  # px: removes spots up to 14 px across
SMALLEST, LARGEST = 3.4, 15.0  # px at one level: diameters looked for; the next level begins at twice the smallest
SPECK = np.ones((3, 3), np.uint8)  # px: what vanishes under it is no spot
SHORTEST_SIDE = 24  # px: the smallest level looked at
FAINTEST = 14  # grey levels (of 255) between a spot and its surroundings; below it is noise
FAINTEST_PART = 0.16  # the same, as a part of the brighter of the two: paint on plastic, in any light
HALF = 0.5  # the outline runs at half the height of a spot: there blur leaves the edge where it was
LONGEST = 3.2  # longest to shortest axis: a circle seen at 18 degrees above its plane
ROUGHEST = 0.17  # deviation of the outline from its ellipse, in half axes
FULLEST = 0.75  # part of the outline's convex hull that it fills: a glint may bite a piece out of a pip
UNEVEN = 0.75  # spread of the grey around a spot, as a part of its contrast
CROWDED = 0.8  # other spots around a spot, as a part of its contrast
MOST = 160  # spots kept: the best

RING = np.stack([np.cos(np.arange(16) * np.pi / 8), np.sin(np.arange(16) * np.pi / 8)], axis=1)
AROUND, INSIDE = 1.55, 0.6  # where a spot's surroundings and its own grey are measured, in half axes


@dataclass(frozen=True)
class Spots:
    """N spots as columns; positions and lengths are pixels of the frame.

    `shape` holds symmetric matrices M (N x 2 x 2) that map the unit circle to the spot's outline, `radius` is the
    geometric mean of its half axes, `light` tells light spots from dark ones, `contrast` is the difference in grey to
    the surroundings; `rough`, `uneven` and `crowded` (0 is best) say how far it is from an ellipse on a plain ground.
    """

    xy: Floats
    shape: Floats
    radius: Floats
    light: NDArray[np.bool_]
    contrast: Floats
    rough: Floats
    uneven: Floats
    crowded: Floats

    def __len__(self) -> int:
        return len(self.radius)

    def __getitem__(self, chosen: Chosen) -> "Spots":
        return Spots(*(getattr(self, field.name)[chosen] for field in fields(self)))

    @staticmethod
    def joined(parts: Sequence["Spots"]) -> "Spots":
        """All spots of the parts, one after the other."""
        none = np.zeros(0)
        empty = Spots(np.zeros((0, 2)), np.zeros((0, 2, 2)), none, none.astype(bool), none, none, none, none)
        return Spots(*(np.concatenate([getattr(p, f.name) for p in (empty, *parts)]) for f in fields(Spots)))


def find_spots(frame: Image) -> Spots:
    """The spots of either polarity in a BGR frame, at all sizes, each once, the best MOST of them."""
    parts = []
    for level, scale in _pyramid(frame):
        blue, green, red = cv2.split(level)
        grey = cv2.GaussianBlur(cv2.cvtColor(level, cv2.COLOR_BGR2GRAY), (3, 3), 0)
        # White paint is bright in all three channels, a coloured body in one or two only.
        least = cv2.GaussianBlur(cv2.min(cv2.min(blue, green), red), (3, 3), 0)
        closed = cv2.morphologyEx(grey, cv2.MORPH_CLOSE, KERNEL)
        parts += _spots(cv2.subtract(closed, grey), closed, grey, False, scale)
        parts += _spots(cv2.morphologyEx(least, cv2.MORPH_TOPHAT, KERNEL), least, least, True, scale)
    spots = Spots.joined(parts)
    cost = spots.rough / 0.05 + spots.uneven / 0.2 + spots.crowded / 0.3 - 1.5 * np.log(spots.contrast)
    return _each_once(spots[np.argsort(cost)[: 2 * MOST]])[:MOST]


def _pyramid(frame: Image) -> Iterator[tuple[Image, float]]:
    """The frame and its halves, each with the size of its pixels in pixels of the frame."""
    level, scale = frame, 1.0
    while min(level.shape[:2]) >= SHORTEST_SIDE:
        yield level, scale
        size = (level.shape[1] // 2, level.shape[0] // 2)
        level = np.asarray(cv2.resize(level, size, interpolation=cv2.INTER_AREA), np.uint8)
        scale = frame.shape[1] / size[0]


def _spots(hat: cv2.typing.MatLike, bright: cv2.typing.MatLike, grey: cv2.typing.MatLike, light: bool, scale: float) -> list[Spots]:
    """The spots of one polarity between SMALLEST and LARGEST at one level, given its top hat."""
    floor = cv2.max(cv2.convertScaleAbs(cv2.dilate(hat, KERNEL), alpha=HALF), cv2.convertScaleAbs(bright, alpha=FAINTEST_PART))
    mask = cv2.compare(hat, cv2.max(floor, float(FAINTEST)), cv2.CMP_GT)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, SPECK)
    outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    outlines = [o for o in outlines if 2 * SMALLEST <= len(o) <= 3.2 * LARGEST]
    if not outlines:
        return []
    ellipses = fit_ellipses([cv2.convexHull(o) for o in outlines])
    filled = np.array([cv2.contourArea(o) for o in outlines]) / np.maximum(ellipses.area, 1)
    size = 2 * np.sqrt(ellipses.axes.prod(axis=1))
    good = (filled > FULLEST) & (ellipses.rough < ROUGHEST) & (size >= SMALLEST) & (size <= LARGEST)
    good &= ellipses.axes[:, 1] < LONGEST * ellipses.axes[:, 0]
    return [_measured(ellipses, np.flatnonzero(good), hat, grey, light, scale)]


def _measured(
    ellipses: Ellipses, chosen: NDArray[np.intp], hat: cv2.typing.MatLike, grey: cv2.typing.MatLike, light: bool, scale: float
) -> Spots:
    """The chosen ellipses with what is seen in and around them; those that do not stand out are left away."""
    middle, turn, axes = ellipses.middle[chosen], ellipses.turn[chosen], ellipses.axes[chosen]
    shape = np.einsum("nij,nj,nkj->nik", turn, axes, turn)
    directions = np.einsum("ka,naj->nkj", RING, shape)
    low, middling, high = np.percentile(_look(grey, middle[:, None] + AROUND * directions), (25, 50, 75), axis=1)
    own = np.median(_look(grey, middle[:, None] + INSIDE * directions), axis=1)
    contrast = np.maximum(own - middling if light else middling - own, 1)
    others = np.percentile(_look(hat, middle[:, None] + AROUND * directions), 70, axis=1)
    spots = Spots(
        (middle + 0.5) * scale - 0.5, shape * scale, np.sqrt(axes.prod(axis=1)) * scale, np.full(len(chosen), light),
        contrast, ellipses.rough[chosen], (high - low) / contrast, others / contrast,
    )  # fmt: skip
    return spots[(contrast >= FAINTEST) & (spots.uneven < UNEVEN) & (spots.crowded < CROWDED)]


def _look(picture: cv2.typing.MatLike, points: Floats) -> Floats:
    """Values of a one-channel picture at points (... x 2); outside of it those of its border."""
    places = np.rint(points).astype(np.intp)
    x = np.clip(places[..., 0], 0, picture.shape[1] - 1)
    y = np.clip(places[..., 1], 0, picture.shape[0] - 1)
    return np.asarray(picture[y, x], np.float64)


def _each_once(spots: Spots) -> Spots:
    """Of spots of one polarity at one place and of about one size, seen at two levels, the first."""
    apart = np.hypot(*np.moveaxis(spots.xy[:, None] - spots.xy[None], 2, 0))
    small = np.minimum(spots.radius[:, None], spots.radius[None])
    large = np.maximum(spots.radius[:, None], spots.radius[None])
    same = (apart < 0.7 * small) & (large < 1.8 * small) & (spots.light[:, None] == spots.light[None])
    return spots[~np.triu(same, 1).any(axis=0)]
