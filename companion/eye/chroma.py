"""Colours under an unknown lamp: differences of logarithms, which any lamp shifts alike.

A pixel is (u, v): u = ln(R/G) / sqrt(2), v = ln(RG/B²) / sqrt(6). Brightness is gone, grey is (0, 0), and a
lamp or a wrong white balance, which multiplies R, G and B, adds the same shift to every colour.
"""

from dataclasses import dataclass, field
from itertools import permutations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye.network import Image
from companion.eye.plane import Floats

DARK = 10.0  # added to all values: the logarithm of noise near black says nothing
_RANGE = float(np.log1p(255 / DARK))
UNIT = 255 / _RANGE  # steps of a byte in one unit of the natural logarithm
_LOGARITHMS = np.round(np.log1p(np.arange(256) / DARK) * UNIT).astype(np.uint8)

# In (u, v), of the four colours of tiles as print and plastic have them in daylight (2 x 4).
ANGLES = np.radians([36.0, 84.0, 152.0, 242.0])
DIRECTIONS = np.stack([np.cos(ANGLES), np.sin(ANGLES)])
STRENGTH = (0.35, 0.9)  # how far they are from grey: at least, and usually
LIKELY_SHIFT = 0.22  # how far a lamp is from what the camera takes for white, usually
LARGEST_SHIFT, STEP = 0.5, 0.05
NEAR = 0.3  # a colour so near to the line of a tile's colour may well be of it
GROUP = 0.22  # so far apart may tiles of one colour be
GROUPS = 6  # of colours are looked at: the four, and what is no tile
TOGETHER = 0.14  # how far apart tiles of one colour are, usually
WASHED, FULL = 0.3, 1.3  # from grey on: a mirrored lamp makes a tile paler; shade and wear make little of it
STRONGEST = 2.7  # so far from grey a colour may be though most of its tiles are pale
MANY, RARE = 12, 0.04  # among so many tiles none of the four is rarer than that, as a rule
SURE = 0.3  # how sure and how square those are that count then
FEWEST = 2  # tiles are of one hue at least ...
LEAST_SPREAD, DISTINCT = 0.05, 2.5  # ... and so many spreads, of so many radians at least, from the other
FAR = 0.36  # what is so far from all four is of none


def opponents(image: Image) -> Image:
    """The logarithms of an image (H x W x 3, BGR), in `UNIT` steps (H x W x 3, uint8)."""
    return np.asarray(cv2.LUT(image, _LOGARITHMS), np.uint8)


def place(logs: Floats) -> Floats:
    """(u, v) of logarithms as `opponents` gives them (... x 3 to ... x 2)."""
    blue, green, red = logs[..., 0], logs[..., 1], logs[..., 2]
    found = np.stack([(red - green) / 2**0.5, (red + green - 2 * blue) / 6**0.5], axis=-1) / UNIT
    return np.asarray(found)


def _away(points: Floats) -> Floats:
    """How far points (... x 2) are from the lines of the four colours (... x 4)."""
    along = np.maximum(points @ DIRECTIONS, STRENGTH[0])
    feet = along[..., None] * DIRECTIONS.T
    strong = np.maximum(1, np.linalg.norm(points, axis=-1) / STRENGTH[1])  # of those the hue counts
    return np.asarray(np.linalg.norm(points[..., None, :] - feet, axis=-1) / strong[..., None])


@dataclass(frozen=True)
class Palette:
    """Where the four colours are under the lamp of a picture; without a picture, where daylight has them."""

    shift: Floats = field(default_factory=lambda: np.zeros(2))
    middles: Floats = field(default_factory=lambda: STRENGTH[1] * DIRECTIONS.T)

    @classmethod
    def of(cls, points: Floats, weights: Floats) -> "Palette":
        """The shift that explains best the groups of colours (N x 2) of what seems to be tiles.

        Each of the four colours is one of the groups, and no group is two colours.
        """
        groups, sizes = _groups(points, weights)
        steps = np.arange(-LARGEST_SHIFT, LARGEST_SHIFT + STEP / 2, STEP)
        shifts = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        fits = np.zeros((len(shifts), max(4, len(groups)), 4))
        fits[:, : len(groups)] = sizes[:, None] * np.exp(-((_away(groups - shifts[:, None]) / NEAR) ** 2) / 2)
        choices = np.array(list(permutations(range(fits.shape[1]), 4)))
        prior = ((np.linalg.norm(shifts, axis=1) / LIKELY_SHIFT) ** 2) / 2
        score = fits[:, choices, range(4)].sum(axis=2) - prior[:, None]
        best, choice = np.unravel_index(int(np.argmax(score)), score.shape)
        shift = shifts[best]
        middles = shift + STRENGTH[1] * DIRECTIONS.T
        for number, group in enumerate(choices[choice]):
            if group < len(groups) and fits[best, group, number] > 0.1 * sizes[group]:
                middles[number] = groups[group]
        return cls(shift, middles)._parted(points, weights)

    def _parted(self, points: Floats, weights: Floats) -> "Palette":
        """Where one of the four is missing among many tiles and another has two hues: these are the two."""
        kinds, sure = self.judge(points)
        kinds[(sure < SURE) | (weights < SURE)] = -1
        shares = np.bincount(kinds[kinds >= 0], minlength=4)
        rare = np.flatnonzero(shares < RARE * shares.sum()).tolist()
        if shares.sum() < MANY or len(rare) != 1:
            return self
        missing = rare[0]
        neighbours = [(missing + 1) % 4, (missing - 1) % 4]  # round, as the hues go
        parts = [
            _parts(points[kinds == other] - self.shift, self.middles[other] - self.shift)
            for other in neighbours
        ]
        clearer = int(parts[1][0] > parts[0][0])
        apart, low, high = parts[clearer]
        middles = self.middles.copy()
        if apart > DISTINCT:
            pair = (neighbours[clearer], missing) if clearer else (missing, neighbours[clearer])
            middles[list(pair)] = np.stack([low, high]) + self.shift
        return Palette(self.shift, middles)

    def judge(self, points: Floats) -> tuple[NDArray[np.int_], Floats]:
        """For colours (N x 2) the nearest of the four, and how sure that is (0..1)."""
        lines = self.middles - self.shift
        along = ((points - self.shift)[:, None] * lines).sum(axis=2) / (lines**2).sum(axis=1)
        full = np.maximum(FULL, STRONGEST / np.linalg.norm(lines, axis=1))
        feet = self.shift + np.clip(along, WASHED, full)[..., None] * lines
        strong = np.maximum(1, np.linalg.norm(points - self.shift, axis=1) / STRENGTH[1])
        away = np.linalg.norm(points[:, None] - feet, axis=2) / strong[:, None]  # of those the hue counts
        kinds = np.argmin(away, axis=1)
        near = np.sort(away, axis=1)
        pale = np.clip(along[range(len(points)), kinds] / 0.6, 0.4, 1)
        close = np.exp(-((np.maximum(near[:, 0] - TOGETHER, 0) / TOGETHER) ** 2) / 2)
        clear = np.clip((near[:, 1] - near[:, 0]) / (near[:, 1] + near[:, 0]) / 0.5, 0, 1)
        return kinds, np.asarray(np.where(near[:, 0] < FAR, close * clear * pale, 0.0))


def _parts(points: Floats, line: Floats) -> tuple[float, Floats, Floats]:
    """Colours (N x 2) about a line as two hues: how many spreads these lie apart, and the middles of both."""
    if len(points) < 2 * FEWEST:
        return 0.0, line, line
    hues = np.arctan2(points[:, 1] * line[0] - points[:, 0] * line[1], points @ line)
    order = np.argsort(hues)
    edge = FEWEST + int(np.argmax(np.diff(hues[order])[FEWEST - 1 : 1 - FEWEST]))
    low, high = order[:edge], order[edge:]
    wide = max(float(hues[low].std() + hues[high].std()), LEAST_SPREAD)
    away = float(np.median(hues[high]) - np.median(hues[low])) / wide
    return away, np.median(points[low], axis=0), np.median(points[high], axis=0)


def _groups(points: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """The middles of the groups that colours (N x 2) form, the largest first, and how many are in each."""
    left = np.ones(len(points), np.bool_)
    middles: list[Floats] = []
    sizes: list[float] = []
    while left.any() and len(middles) < GROUPS:
        near = (np.linalg.norm(points[:, None] - points[left], axis=2) < GROUP) & left[:, None]
        own = near[:, int(np.argmax((near * weights[:, None]).sum(axis=0)))]
        middles.append(np.median(points[own], axis=0))
        sizes.append(float(weights[own].sum()))
        left &= ~own & (np.linalg.norm(points - middles[-1], axis=1) > GROUP)
    return np.array(middles), np.array(sizes)
