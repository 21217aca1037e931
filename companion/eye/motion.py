"""Where a picture changes from frame to frame, or shows something else, whatever the light does meanwhile."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye.network import Image, cut_out

COLUMNS = 80  # cells across a frame, but ...
SMALLEST = 8.0  # ... none smaller than so many pixels
CHANGE = 0.10  # by so much of its brightness a cell must change, or ...
NOISE = 5.5  # ... by so many standard deviations of what changes where nothing moves, but ...
LARGE = 0.25  # ... never by more than this: much may move
ALONE = 2.0  # a colour that changes alone must do so much more: compression makes one flicker, mostly blue
QUIET = 75  # this percentile of all changes is of what does not move; of a normal distribution ...
DEVIATIONS = 1.15  # ... it lies so many standard deviations from 0
DARK = 24.0  # levels that are added to a cell, so that noise in the dark is no change
AROUND = (13, 24)  # a die is so large in a small picture of so many pixels of what lies about it
WHITE = 225  # from here on a level says nothing of what another exposure shows
ALIKE = 0.7  # correlation of two exposures: of 450 bright things in rendered throws it was 0.91 at least

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Movement:
    """Which cells (rows x columns) of a frame changed since the one before; a cell is `cell` pixels wide."""

    cells: NDArray[np.bool_]
    cell: float = 8.0

    @classmethod
    def none(cls) -> "Movement":
        """Nothing has moved."""
        return cls(np.zeros((1, 1), np.bool_))

    def with_more(self, other: "Movement") -> "Movement":
        """Where anything has moved in either; of two sizes the later one counts."""
        same = self.cells.shape == other.cells.shape
        return Movement(self.cells | other.cells, other.cell) if same else other

    @property
    def anywhere(self) -> bool:
        """Whether anything moved."""
        return bool(self.cells.any())

    def near(self, box: Box, margin: float) -> bool:
        """Whether anything moved in a box (x0, y0, x1, y1) that has grown by `margin`, all in pixels."""
        x0, y0 = (max(0, int((v - margin) / self.cell)) for v in box[:2])
        x1, y1 = (max(0, int((v + margin) / self.cell) + 1) for v in box[2:])
        return bool(self.cells[y0:y1, x0:x1].any())


class Motion:
    """Compares each frame with the one before it."""

    def __init__(self) -> None:
        self._before: NDArray[np.float32] | None = None
        self._shape: tuple[int, ...] = ()

    def see(self, frame: NDArray[np.uint8]) -> Movement:
        """What has moved since the last frame (H x W x 3, BGR); nothing in a first one, or one of a new size.

        The brightness of each colour is compared by its logarithm, and the change of most of the picture is
        taken off: a lamp that flickers and a camera that adapts change all cells alike. In the dark, where a
        camera's noise is strong, more must change.
        """
        cell = max(SMALLEST, frame.shape[1] / COLUMNS)
        size = (max(1, round(frame.shape[1] / cell)), max(1, round(frame.shape[0] / cell)))
        small = cv2.resize(frame.astype(np.float32), size, interpolation=cv2.INTER_AREA)
        now = np.log(np.asarray(small, np.float32) + np.float32(DARK))
        before, self._before = self._before, now
        known, self._shape = self._shape == frame.shape, frame.shape
        if before is None or not known:
            return Movement(np.zeros(now.shape[:2], np.bool_), cell)
        change = now - before
        change = np.abs(change - np.median(change, axis=(0, 1)))
        noise = float(np.percentile(change, QUIET)) / DEVIATIONS
        least = min(max(CHANGE, NOISE * noise), LARGE)
        changed = ((change > least).sum(axis=2) >= 2) | (change > ALONE * least).any(axis=2)
        around = cv2.boxFilter(
            changed.astype(np.float32), -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT
        )
        return Movement(changed & (around >= 2), cell)  # a cell alone is noise


def alike(usual: Image, darker: Image, centre: tuple[float, float], size: float) -> bool:
    """Whether two frames (H x W x 3, BGR) show the same about a die, the one with less light than the other:
    a hand may have come and gone between them.

    What is white in the usual one, or beside that, tells nothing. Each row counts by itself, for lamps
    flicker: a short exposure sees stripes. Where there is nothing to compare, nothing differs.
    """
    parts = [cut_out(frame, centre, size, *AROUND) for frame in (usual, darker)]
    seen = cv2.dilate(parts[0].max(axis=2), np.ones((3, 3))) < WHITE
    one, other = (_structure(part, seen) for part in parts)
    return bool((one * other).sum() >= ALIKE * np.linalg.norm(one) * np.linalg.norm(other))


def _structure(picture: Image, seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """How much brighter each pixel is than what is seen of its row (logarithm)."""
    level = np.log(picture.mean(axis=2) + DARK)
    usual = (level * seen).sum(axis=1, keepdims=True) / np.maximum(seen.sum(axis=1, keepdims=True), 1)
    return np.asarray((level - usual) * seen)
