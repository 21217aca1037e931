"""Rendered throws as they are kept (`throws` makes them), and what a camera shows of them.

`frames` makes of one picture what a camera delivers in a second: the same, with other noise each time.
"""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.eye.dice import Die
from companion.eye.network import Image
from companion.eye.read import DARKER
from companion.eye.train.numbered import load

WIDTH = 960  # px: of a picture
NEAR = 0.4  # of its width: so near to a die a reading is of that
DIM = "{}-darker-{:g}.png"
STREAM = 4  # keeps these random numbers apart from those of the recipe's scenes


@dataclass(frozen=True, slots=True)
class Truth:
    """A die as it really lies: its face, the middle of that in pixels, and how far its pips stand out."""

    face: int
    centre: tuple[float, float]
    contrast: float  # as artwork has it


@dataclass(frozen=True, slots=True, eq=False)
class Thrown:
    """A throw in a picture (H x W x 3, BGR), and the dice as they really lie. The darker pictures are rarely
    wanted, so they are read when they are, from their paths.
    """

    picture: Image
    dice: tuple[Truth, ...]
    darker: tuple[Path, ...]


def throws(folder: Path) -> Iterator[Thrown]:
    """The throws of a folder, one at a time in memory."""
    for path in sorted(folder.glob("*.json")):
        known = json.loads(path.read_text(encoding="utf-8"))["dice"]
        dice = tuple(Truth(die["face"], tuple(die["centre"]), die["contrast"]) for die in known)
        yield Thrown(load(path.with_suffix(".png")), dice, darker(path))


def darker(path: Path) -> tuple[Path, ...]:
    """Where the darker pictures of a throw lie, of which this is any file but those."""
    return tuple(path.with_name(DIM.format(path.stem, stops)) for stops in DARKER)


def matched(dice: Sequence[Die], truth: Sequence[Truth]) -> list[Truth | None]:
    """Which die each reading is of, whatever face it says; the nearest pairs first, each die once."""
    pairs = sorted(
        (math.dist(die.center, real.centre), i, j)
        for i, die in enumerate(dice)
        for j, real in enumerate(truth)
        if math.dist(die.center, real.centre) <= NEAR * die.width
    )
    found: dict[int, int] = {}
    for _, i, j in pairs:
        if i not in found and j not in found.values():
            found[i] = j
    return [truth[found[i]] if i in found else None for i in range(len(dice))]


def frames(picture: Image, seed: int, count: int) -> Iterator[Image]:
    """What one camera makes of a still picture (H x W x 3, BGR): blur, noise, flicker, compression."""
    random = np.random.default_rng((STREAM, seed))
    blur, grain, flicker = random.uniform(0.3, 1.0), random.uniform(1.0, 5.0), random.uniform(0.0, 0.01)
    balance, gamma = random.normal(1, 0.04, 3), random.uniform(0.8, 1.2)
    quality = int(random.integers(60, 95)) if random.random() < 0.7 else None
    level = np.clip(picture / 255 * balance, 0, 1) ** gamma * 255
    level = np.asarray(cv2.GaussianBlur(level.astype(np.float32), (0, 0), blur), np.float32)
    for _ in range(count):
        noise = random.normal(0, 1, level.shape).astype(np.float32) * grain * (0.4 + level / 255)
        frame = np.clip(level * random.normal(1, flicker) + noise, 0, 255).astype(np.uint8)
        if quality is not None:
            frame = np.asarray(
                cv2.imdecode(
                    cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR
                ),
                np.uint8,
            )
        yield frame
