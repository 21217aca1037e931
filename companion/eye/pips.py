"""Pips counted one by one: spots that are alike, and lie about the middle of a face as they do on dice.

Of most dice nothing can be said so: their pips hardly stand out, touch, or are not all to be seen. What is
counted is no better than what networks see, but errs about other things.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, groupby
from math import dist, hypot, pi, sqrt
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye.network import Float, Image, cut_out

SIDE, SHOWN = 160, 96  # px: side of a cut-out, and size of the die in it
SHARP = 0.5  # px: what is finer than so is smoothed away
STEPS = np.geomspace(6, 110, 24)  # by so much, in L*a*b*, a pip differs from its face
ROW = 3  # of these steps, one after the other, have to show the same
BODY, FACE = 29, 53  # px from the middle: most of what is so near is the body, and pips lie at most so far
MOST = 12  # round spots: where there are more it is a pattern, and every two would have to be looked at
SPECK, PIP = 6, 40  # px: areas of what may belong to a pip, and of the smallest one
# px: areas of a pip that is a single one: those of several are at most 24 px wide, and what is wider than
# half of a face may be several of them, out of focus.
LARGE = (660, 2000)
DISC = 0.96  # of the area of an ellipse: a square has 0.955, and a heart less
ROUND, LONG = 0.9, 0.55  # of the area of an ellipse, and the shorter axis of the longer one, at least
OPPOSITE, ALIKE = 1.7, 2.2  # by these factors the areas of opposite pips, and of all of them, differ at most
OFF = 4.8  # px: so far from its place a pip lies at most
# How far their middle is from that of the face, as others see it, at most: px, and of how near the pips are
# to it; if some are missing it is as far away as they are.
AWAY, ASIDE = 20, 0.8
BESIDE, FREE = 0.3, 4.5  # the same: if it is farther away ...
ALONE = 40  # px: ... nothing else lies so near to it (two pips of a four have a middle, too), else ...
AROUND = 1.4  # ... so many times as far as its edge from a pip
EDGE = 0.8  # of that: nearer than so there is nothing but the face
NEARER, SLANTED = 0.65, 0.6  # on a four: the shorter diagonal of the longer one, and the cosine between them

_AT = np.mgrid[:SIDE, :SIDE].astype(np.float32)
_MIDDLE = ((SIDE - 1) / 2,) * 2


class Spot(NamedTuple):
    """Something that differs from the face: its middle (px), its area (px), and the number of its label."""

    at: tuple[float, float]
    area: float
    label: int


Pair = tuple[Spot, Spot]


def counted(frame: Image, centre: tuple[float, float], size: float, likely: int = 0) -> int:
    """How many pips (2 to 6) can be counted at a point of a frame (H x W x 3, BGR) on a face of such a die; 0
    if that cannot be said. A single one may be what is left of several. So many as are `likely` need only
    be seen in a third of the steps.
    """
    unlike, _ = _unlike(frame, centre, size, _far(_MIDDLE) < BODY)
    seen = cache(lambda step: _pips(np.asarray(unlike > step, np.uint8)))
    for steps in (STEPS[ROW - 1 :: ROW], STEPS):  # each row has one of the first, and most faces have no row
        numbers = {seen(step) for step in steps} - {0}
        if len(numbers) != 1:
            return 0
        if numbers == {likely}:
            return likely
    return numbers.pop() if _in_a_row(map(seen, STEPS)) else 0


def single(frame: Image, centre: tuple[float, float], size: float) -> bool:
    """Whether one pip can be seen in the middle of a face of such a die, larger than one of several is. A
    light one may be a lamp.
    """
    far = _far(_MIDDLE)
    unlike, lighter = _unlike(frame, centre, size, (far >= BODY) & (far < ALONE))
    dark = np.where(lighter < 0, unlike, 0.0)
    return _in_a_row(_large(np.asarray(dark > step, np.uint8)) for step in STEPS)


def _unlike(
    frame: Image, centre: tuple[float, float], size: float, body: NDArray[np.bool_]
) -> tuple[Float, Float]:
    """How far each pixel of a face (SIDE x SIDE) is from what most of its `body` is, in L*a*b*, and how much
    lighter it is.
    """
    cut = cv2.GaussianBlur(cut_out(frame, centre, size, SHOWN, SIDE), (0, 0), SHARP)
    colours = cv2.cvtColor(cut.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    off = [
        plane - usual
        for plane, usual in zip(cv2.split(colours), np.median(colours[body], axis=0), strict=True)
    ]
    return np.asarray(np.sqrt(sum(map(np.square, off))), np.float32), np.asarray(off[0], np.float32)


def _in_a_row(seen: Iterable[int]) -> bool:
    """Whether enough steps, one after the other, show the same, if they show anything."""
    return max((len(list(row)) for number, row in groupby(seen) if number), default=0) >= ROW


def _far(middle: tuple[float, float]) -> Float:
    """How far each pixel is from a point."""
    return np.asarray(np.hypot(_AT[1] - middle[0], _AT[0] - middle[1]), np.float32)


def _pips(mask: NDArray[np.uint8]) -> int:
    """How many pips what differs shows; 0 if they lie otherwise, or something else is among them."""
    spots, labels, areas = _spots(mask)
    if len(spots) > MOST:
        return 0
    best: list[Spot] = []
    for one, other in combinations(spots, 2):
        middle = ((one.at[0] + other.at[0]) / 2, (one.at[1] + other.at[1]) / 2)
        pips = _about(middle, spots) if dist(middle, _MIDDLE) <= AWAY else []
        if len(pips) > len(best) and not _others(pips, middle, labels, areas):
            best = pips
    return len(best)


def _large(mask: NDArray[np.uint8]) -> bool:
    """Whether what differs shows one large pip in the middle, and nothing else about it."""
    spots, labels, areas = _spots(mask)
    least, most = LARGE
    large = [spot for spot in spots if least <= spot.area <= most and dist(spot.at, _MIDDLE) <= AWAY]
    return any(_disc(labels, spot) and not _others([spot], spot.at, labels, areas) for spot in large)


def _disc(labels: NDArray[np.int32], spot: Spot) -> bool:
    """Whether a spot is rounder than a heart is, but for holes: lamps are mirrored in a drilled pip."""
    mask = np.asarray(labels == spot.label, np.uint8)
    (edge,), _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return _as_ellipse(cv2.moments(edge))[0] >= DISC


def _spots(mask: NDArray[np.uint8]) -> tuple[list[Spot], NDArray[np.int32], NDArray[np.int32]]:
    """The round spots of what differs, the label of each pixel, and how many pixels each label has."""
    _, *seen, middles = cv2.connectedComponentsWithStats(mask, ltype=cv2.CV_16U)  # faster than 32 bits
    labels, stats = (np.asarray(each, np.int32) for each in seen)
    areas = stats[:, cv2.CC_STAT_AREA]
    spots = [
        Spot(tuple(middles[label].tolist()), float(areas[label]), label)
        for label in range(1, len(areas))
        if areas[label] >= PIP
        and dist(middles[label], _MIDDLE) < FACE
        and _round(labels, stats[label], label)
    ]
    return spots, labels, areas


def _round(labels: NDArray[np.int32], stats: NDArray[np.int32], label: int) -> bool:
    """Whether a spot is an ellipse, and a whole one."""
    x, y, wide, high = stats[:4].tolist()
    if min(x, y) <= 0 or max(x + wide, y + high) >= SIDE:
        return False
    mask = np.asarray(labels[y : y + high, x : x + wide] == label, np.uint8)
    full, slim = _as_ellipse(cv2.moments(mask, binaryImage=True))
    return full >= ROUND and slim >= LONG


def _as_ellipse(moments: cv2.typing.Moments) -> tuple[float, float]:
    """How much of the ellipse of these moments is full, and its shorter axis as a part of the longer one."""
    area = moments["m00"]
    across, down, both = (moments[name] / area for name in ("mu20", "mu02", "mu11"))
    mean, apart = (across + down) / 2 + 1 / 12, sqrt((across - down) ** 2 / 4 + both**2)
    longer, shorter = mean + apart, mean - apart
    return area / (4 * pi * sqrt(longer * shorter)), sqrt(shorter / longer)


def _about(middle: tuple[float, float], spots: Sequence[Spot]) -> list[Spot]:
    """The spots that lie about a point as pips do; none if they do not."""
    inner = [spot for spot in spots if dist(spot.at, middle) <= OFF]
    pairs = list(_opposite(middle, [spot for spot in spots if spot not in inner]))
    pips = [*inner, *(spot for pair in pairs for spot in pair)]
    areas = [spot.area for spot in pips]
    fits = (
        len(inner) <= 1
        and dist(middle, _MIDDLE) <= ASIDE * _near(pips, middle)
        and max(areas, default=0.0) <= ALIKE * min(areas, default=0.0)
        and _as_on_dice(pairs, bool(inner))
    )
    return pips if fits else []


def _near(pips: Sequence[Spot], middle: tuple[float, float]) -> float:
    """How far the nearest pip is from their middle, but for one that lies there; 0 if there is none."""
    return min((apart for pip in pips if (apart := dist(pip.at, middle)) > OFF), default=0.0)


def _opposite(middle: tuple[float, float], spots: Sequence[Spot]) -> Iterator[Pair]:
    """Pairs of spots that are alike, on opposite sides of a point and as far from it; the best ones first."""

    def off(pair: Pair) -> float:
        return dist(
            [a + b for a, b in zip(pair[0].at, pair[1].at, strict=True)], [2 * each for each in middle]
        )

    left = set(spots)
    for pair in sorted(combinations(spots, 2), key=off):
        areas = sorted(spot.area for spot in pair)
        if off(pair) <= 2 * OFF and left.issuperset(pair) and areas[1] < OPPOSITE * areas[0]:
            left.difference_update(pair)
            yield pair


def _as_on_dice(pairs: Sequence[Pair], inner: bool) -> bool:
    """Whether pairs lie as those of two to six pips, of which one may lie in the middle."""
    halves = [np.subtract(one.at, other.at) / 2 for one, other in pairs]
    halves.sort(key=lambda half: hypot(*half))
    if len(halves) == 2:
        short, long = (hypot(*half) for half in halves)
        return short >= NEARER * long and abs(halves[0] @ halves[1]) <= SLANTED * short * long
    if len(halves) == 3:  # the pips of the shortest pair lie between those of the others
        half, one, other = halves
        ends = (one + other, one - other, other - one, -one - other)
        return not inner and min(hypot(*(half - end / 2)) for end in ends) <= 1.5 * OFF
    return len(halves) == 1


def _others(
    pips: Sequence[Spot], middle: tuple[float, float], labels: NDArray[np.int32], areas: NDArray[np.int32]
) -> bool:
    """Whether anything else is seen where the pips are; what the die lies on begins at the face's edge."""
    edge = AROUND * sqrt(max(spot.area for spot in pips) / pi)
    reach = edge + max(dist(spot.at, middle) for spot in pips)
    if dist(middle, _MIDDLE) > max(FREE, BESIDE * _near(pips, middle)):
        reach = max(reach, ALONE)
    far = _far(middle)
    table = _among(labels[0], labels[-1], labels[:, 0], labels[:, -1])
    there = _among(labels[far < reach]) - table - {spot.label for spot in pips}
    least = max(SPECK, min(spot.area for spot in pips) / 5)
    near = table & _among(labels[far < EDGE * reach])
    return bool(near) or any(areas[label] >= least for label in there)


def _among(*labels: NDArray[np.int32]) -> set[int]:
    """The labels of spots among some."""
    return set(np.flatnonzero(np.bincount(np.concatenate(labels))).tolist()) - {0}
