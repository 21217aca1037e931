"""Spots that could be pips: small ellipses, darker or lighter than what surrounds them on all sides.

A spot is what a morphological closing (dark) or opening (light) of its own size removes: the black and the
white top hat (Serra, Image Analysis and Mathematical Morphology, 1982). They compare a spot with its own
surroundings only, so light, shadow and ground hardly matter, and a square one costs the same at every
size. Halving the picture again and again covers all sizes with one kernel.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye.columns import Columns, Floats, Image, Ints, distances
from companion.eye.ellipses import Ellipses, fit_ellipses

KERNEL = np.ones((15, 15), np.uint8)  # px: removes spots up to 14 px across
SMALLEST, LARGEST = 2.6, 15.0  # px at one level: diameters looked for
SPECK = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.uint8)  # what vanishes under it is no spot
SHORTEST_SIDE = 40  # px: the smallest level looked at; no pip is larger than a third of it
FAINTEST = 14.0  # grey levels (of 255) between a spot and its surroundings; below it is noise
FAINTEST_PART = 0.16  # the same, as a part of the brighter of the two: paint on plastic, in any light
SAMPLE = 4001  # pixels that tell how much stands out
TEXTURE = 0.9  # part of the pixels that stand out less than noise may
FAINTEST_AMONG_TEXTURE = 40.0  # grey levels: the noise is taken for no more than this
HALF = 0.5  # the outline runs at half the height of a spot: there blur leaves the edge where it was
LONGEST = 3.2  # longest to shortest axis: a circle seen at 18 degrees above its plane
ROUGHEST = 0.17  # deviation of the outline from its ellipse, in half axes
FULLEST = 0.75  # part of the outline's convex hull that it fills: a glint may bite a piece out of a pip
UNEVEN = 0.75  # spread of the grey around a spot, as a part of its contrast
CROWDED = 0.8  # other spots around a spot, as a part of its contrast
MOST = 160  # spots kept: the best

RING = np.stack([np.cos(np.arange(16) * np.pi / 8), np.sin(np.arange(16) * np.pi / 8)], axis=1)
INSIDE = 0.6  # where a spot's own grey is measured, in half axes
AROUND, BLUR = 1.4, 0.8  # ... and its surroundings: in half axes, and so many pixels farther


@dataclass(frozen=True)
class Spots(Columns):
    """N spots as columns; positions and lengths are pixels of the frame.

    `shape` holds symmetric matrices M (N x 2 x 2) that map the unit circle to the spot's outline, `radius`
    is the geometric mean of its half axes, `light` tells light spots from dark ones, `contrast` is the
    difference in grey to the surroundings; `rough`, `uneven` and `crowded` (0 is best) say how far it is
    from an ellipse on a plain ground.
    """

    xy: Floats
    shape: Floats
    radius: Floats
    light: NDArray[np.bool_]
    contrast: Floats
    rough: Floats
    uneven: Floats
    crowded: Floats


@dataclass(frozen=True)
class _Layer:
    """One level of the pyramid for one polarity: grey picture, top hat and outlines of what stands out."""

    light: bool
    scale: float
    grey: Image
    hat: Image
    outlines: list[NDArray[np.int32]]


def find_spots(frame: Image) -> Spots:
    """The spots of either polarity in a BGR frame, at all sizes, each once, the best MOST of them."""
    layers = [layer for level, scale in _pyramid(frame) for layer in _layers(level, scale)]
    outlines = [outline for layer in layers for outline in layer.outlines]
    if not outlines:
        return _none()
    owner = np.repeat(np.arange(len(layers)), [len(layer.outlines) for layer in layers])
    ellipses = fit_ellipses([np.asarray(cv2.convexHull(outline), np.int32) for outline in outlines])
    filled = np.array([cv2.contourArea(outline) for outline in outlines]) / np.maximum(ellipses.area, 1)
    size = 2 * np.sqrt(ellipses.axes.prod(axis=1))
    good = (filled > FULLEST) & (ellipses.rough < ROUGHEST) & (size >= SMALLEST) & (size <= LARGEST)
    good &= ellipses.axes[:, 1] < LONGEST * ellipses.axes[:, 0]
    spots = _measured(ellipses[good], layers, owner[good])
    cost = spots.rough / 0.05 + spots.uneven / 0.2 + spots.crowded / 0.3 - 1.5 * np.log(spots.contrast)
    return _each_once(spots[np.argsort(cost)[: 2 * MOST]])[:MOST]


def _none() -> Spots:
    none = np.zeros(0)
    return Spots(np.zeros((0, 2)), np.zeros((0, 2, 2)), none, none.astype(bool), none, none, none, none)


def _pyramid(frame: Image) -> Iterator[tuple[Image, float]]:
    """The frame and its halves, each with the size of its pixels in pixels of the frame."""
    level, scale = frame, 1.0
    while min(level.shape[:2]) >= SHORTEST_SIDE:
        yield level, scale
        size = (level.shape[1] // 2, level.shape[0] // 2)
        level = _image(cv2.resize(level, size, interpolation=cv2.INTER_AREA))
        scale = frame.shape[1] / size[0]


def _layers(level: Image, scale: float) -> tuple[_Layer, _Layer]:
    """What is darker and what is lighter than its surroundings at one level."""
    blue, green, red = cv2.split(level)
    grey = cv2.GaussianBlur(cv2.cvtColor(level, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    # White paint is bright in all three channels, a coloured body in one or two only.
    least = cv2.GaussianBlur(cv2.min(cv2.min(blue, green), red), (3, 3), 0)
    closed = cv2.morphologyEx(grey, cv2.MORPH_CLOSE, KERNEL)
    black, white = cv2.subtract(closed, grey), cv2.morphologyEx(least, cv2.MORPH_TOPHAT, KERNEL)
    return (
        _Layer(False, scale, _image(grey), _image(black), _outlines(_image(black), _image(closed))),
        _Layer(True, scale, _image(least), _image(white), _outlines(_image(white), _image(least))),
    )


def _image(picture: cv2.typing.MatLike) -> Image:
    return np.asarray(picture, np.uint8)


def _outlines(hat: Image, bright: Image) -> list[NDArray[np.int32]]:
    """Outlines, at half their height, of what a top hat shows; `bright` is the brighter of a spot and its
    ground.
    """
    # Pips cover little of a picture: where much stands out, it is texture, and its height the noise.
    some = hat.ravel()[:: max(1, hat.size // SAMPLE)]
    place = int(TEXTURE * (len(some) - 1))
    noise = min(float(np.partition(some, place)[place]), FAINTEST_AMONG_TEXTURE)
    least = np.uint8(max(noise, FAINTEST))
    part = np.maximum(cv2.convertScaleAbs(bright, alpha=FAINTEST_PART), least)
    height = cv2.max(cv2.convertScaleAbs(cv2.dilate(hat, KERNEL), alpha=HALF), part)
    mask = cv2.compare(hat, height, cv2.CMP_GT)
    outlines, _ = cv2.findContours(
        cv2.morphologyEx(mask, cv2.MORPH_OPEN, SPECK), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE
    )
    return [np.asarray(o, np.int32) for o in outlines if 4 <= len(o) <= 3.2 * LARGEST]


def _measured(ellipses: Ellipses, layers: Sequence[_Layer], owner: Ints) -> Spots:
    """The ellipses with what is seen in and around them; those that do not stand out are left away."""
    shape = np.einsum("nij,nj,nkj->nik", ellipses.turn, ellipses.axes, ellipses.turn)
    directions = RING @ shape
    away = AROUND * directions + BLUR * directions / np.linalg.norm(directions, axis=2, keepdims=True)
    middle = ellipses.middle[:, None]
    gallery = _Gallery(layers, owner)
    around = gallery.look(gallery.grey, middle + away)
    inside = gallery.look(gallery.grey, middle + INSIDE * directions)
    others = gallery.look(gallery.hat, middle + away)
    light = np.array([layer.light for layer in layers])[owner]
    scale = np.array([layer.scale for layer in layers])[owner]
    difference = (inside[:, 7] + inside[:, 8] - around[:, 7] - around[:, 8]) / 2
    contrast = np.maximum(np.where(light, difference, -difference), 1)
    spots = Spots(
        xy=(ellipses.middle + 0.5) * scale[:, None] - 0.5,
        shape=shape * scale[:, None, None],
        radius=np.sqrt(ellipses.axes.prod(axis=1)) * scale,
        light=light,
        contrast=contrast,
        rough=ellipses.rough,
        uneven=(around[:, 11] - around[:, 4]) / contrast,
        crowded=others[:, 10] / contrast,
    )
    return spots[(contrast >= FAINTEST) & (spots.uneven < UNEVEN) & (spots.crowded < CROWDED)]


class _Gallery:
    """Looks at points of many layers at once: their pictures lie one after the other in one row of pixels."""

    def __init__(self, layers: Sequence[_Layer], owner: Ints) -> None:
        sizes = np.array([layer.grey.shape[::-1] for layer in layers])
        self._starts = np.concatenate([[0], np.cumsum(sizes.prod(axis=1))[:-1]])[owner][:, None]
        self._sizes = sizes[owner][:, None]
        self.grey = np.concatenate([layer.grey.ravel() for layer in layers])
        self.hat = np.concatenate([layer.hat.ravel() for layer in layers])

    def look(self, row: Image, points: Floats) -> Floats:
        """Values of `grey` or `hat` at points (N x K x 2) of the owners' layers, in order; outside of a
        layer those of its border.
        """
        places = np.clip(np.rint(points), 0, self._sizes - 1).astype(np.intp)
        values = row[self._starts + places[..., 1] * self._sizes[..., 0] + places[..., 0]]
        return np.asarray(np.sort(values, axis=1), np.float64)


def _each_once(spots: Spots) -> Spots:
    """Of spots of one polarity at one place and of about one size, seen at two levels, the first."""
    apart = distances(spots.xy, spots.xy)
    small = np.minimum(spots.radius[:, None], spots.radius[None])
    large = np.maximum(spots.radius[:, None], spots.radius[None])
    same = (apart < 0.7 * small) & (large < 1.8 * small) & (spots.light[:, None] == spots.light[None])
    return spots[~np.triu(same, 1).any(axis=0)]
