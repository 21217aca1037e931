"""Pictures as they might have been taken as well: other sides, sizes, light and cameras, the same dice.

What is chosen by how well it does on some pictures does a little worse on all others, and on these as well:
so, where there are no further pictures with known dice, they tell better how good a reader is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.language import Message, mark

Frame = NDArray[np.uint8]
QUALITY = 40  # of JPEG, of 100
GRAIN = 8.0  # levels: standard deviation of the noise
SHADE = 0.55  # of its levels what lies in the shade keeps, which is a quarter of the light ...
SOFT = 0.02  # ... and of the picture's diagonal the edge is so wide
WEAK, WEAK_GRAIN = 0.3, 5.0  # of its levels what has a fourteenth of the light keeps, and what noise then is


@dataclass(frozen=True, slots=True)
class Variation:
    """How a picture (H x W x 3, BGR) is varied; also `mirrored`, upside `down` or in another `size`."""

    name: Message
    light: Callable[[Frame], Frame] = lambda frame: frame
    size: float = 1.0
    mirrored: bool = False
    down: bool = False

    def picture(self, frame: Frame) -> Frame:
        """The picture, varied."""
        if self.mirrored:
            frame = np.ascontiguousarray(frame[:, ::-1])
        if self.down:
            frame = np.ascontiguousarray(frame[::-1, ::-1])
        if self.size != 1:
            how = cv2.INTER_AREA if self.size < 1 else cv2.INTER_LINEAR
            size = [max(1, round(side * self.size)) for side in frame.shape[1::-1]]
            frame = np.asarray(cv2.resize(frame, size, interpolation=how), np.uint8)
        return self.light(frame)

    def dice(self, dice: Sequence[dict[str, Any]], shape: Sequence[int]) -> tuple[dict[str, Any], ...]:
        """Where the dice of a picture of a shape (H, W) then lie: `box`, and `center` where it counts."""

        def across(value: float) -> float:
            return (shape[1] - 1 - value if self.mirrored != self.down else value) * self.size

        def downwards(value: float) -> float:
            return (shape[0] - 1 - value if self.down else value) * self.size

        moved = []
        for die in dice:
            x0, y0, x1, y1 = die["box"]
            left, right = sorted((across(x0), across(x1)))
            upper, lower = sorted((downwards(y0), downwards(y1)))
            there = {**die, "box": (left, upper, right, lower)}
            if not die.get("ignore"):
                there["center"] = (across(die["center"][0]), downwards(die["center"][1]))
            moved.append(there)
        return tuple(moved)


def _compressed(frame: Frame) -> Frame:
    packed = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _grey(gamma: float) -> Callable[[Frame], Frame]:
    levels = (np.linspace(0, 1, 256) ** gamma * 255).astype(np.uint8)
    return lambda frame: levels[frame]


def _tinted(*channels: float) -> Callable[[Frame], Frame]:
    return lambda frame: np.clip(frame * np.array(channels), 0, 255).astype(np.uint8)


def _noisy(grain: float, left: float = 1.0) -> Callable[[Frame], Frame]:
    """As noise of so many levels makes it, where so much of its levels is left."""

    def noisy(frame: Frame) -> Frame:
        noise = np.random.default_rng(0).normal(0, grain, frame.shape)
        return np.clip(frame * left + noise, 0, 255).astype(np.uint8)

    return noisy


def _half_shaded(frame: Frame) -> Frame:
    """As if the light of a lamp ended at a diagonal of the picture."""
    high, wide = frame.shape[:2]
    y, x = np.mgrid[:high, :wide]
    shade = np.clip(0.5 + ((x + 0.5) / wide + (y + 0.5) / high - 1) / (2 * SOFT), 0, 1)
    return np.asarray(frame * (1 - (1 - SHADE) * shade)[..., None], np.uint8)


VARIATIONS = (
    Variation(Message(mark("mirrored")), mirrored=True),
    Variation(Message(mark("half as large")), size=0.5),
    Variation(Message(mark("three quarters as large")), size=0.75),
    Variation(Message(mark("larger by three tenths")), size=1.3),
    Variation(Message(mark("strongly compressed")), _compressed),
    Variation(Message(mark("darker")), _grey(1.4)),
    Variation(Message(mark("lighter")), _grey(0.7)),
    Variation(Message(mark("in warmer light")), _tinted(0.8, 1.0, 1.1)),
    Variation(Message(mark("in colder light")), _tinted(1.1, 1.0, 0.85)),
    Variation(Message(mark("with noise")), _noisy(GRAIN)),
    Variation(Message(mark("half in the shade")), _half_shaded),
    Variation(Message(mark("in weak light")), _noisy(WEAK_GRAIN, WEAK)),
    Variation(Message(mark("upside down")), down=True),
)
"""Each changes one thing, and none so much that a person would read the dice much worse."""
