"""The tray in the picture: only there the eye looks for dice."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye.dice import Die
from companion.eye.motion import Movement
from companion.eye.network import Found

Image = NDArray[np.uint8]
Point = tuple[float, float]
AROUND = 0.03  # so much of its size is looked at beside the tray: a die may lean on its wall
GROWN = 0.05  # a die whose middle lies so far outside still belongs to the tray
LEAST = 0.02  # of the picture: what has a smaller area is no tray


@dataclass(frozen=True)
class Tray:
    """Its inner corners in parts of the picture (0..1), clockwise from the upper left."""

    corners: tuple[Point, Point, Point, Point]

    @classmethod
    def of(cls, numbers: Iterable[float] | None) -> "Tray | None":
        """The tray of eight numbers: x, y, x, y …"""
        if numbers is None:
            return None
        values = list(numbers)
        a, b, c, d = zip(values[::2], values[1::2], strict=True)
        return cls((a, b, c, d))

    @property
    def numbers(self) -> tuple[float, ...]:
        """The eight numbers, rounded as they are kept."""
        return tuple(round(v, 4) for corner in self.corners for v in corner)

    @property
    def sound(self) -> bool:
        """Whether the corners, in their order and as they are kept, are of a convex shape of some size."""
        shape = np.array(self.numbers).reshape(4, 2)
        sides = np.roll(shape, -1, 0) - shape
        after = np.roll(sides, -1, 0)
        turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
        return bool((turns > 0).all() and cv2.contourArea(shape.astype(np.float32)) >= LEAST)

    def pixels(self, frame: Image) -> NDArray[np.float32]:
        """The corners (4 x 2) in pixels of a frame (H x W x 3)."""
        height, width = frame.shape[:2]
        return np.array(self.corners, np.float32) * np.array([width, height], np.float32)

    def flattened(self, frame: Image, width: int = 320) -> Image:
        """The floor of the tray alone, seen from straight above, `width` pixels wide."""
        found = self.pixels(frame)
        wide = float(np.linalg.norm(found[1] - found[0]) + np.linalg.norm(found[2] - found[3]))
        high = float(np.linalg.norm(found[3] - found[0]) + np.linalg.norm(found[2] - found[1]))
        height = max(16, round(width * high / max(wide, 1.0)))
        ends = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        matrix = cv2.getPerspectiveTransform(found, ends)
        return np.asarray(cv2.warpPerspective(frame, matrix, (width, height)), np.uint8)

    def spots(self, boxes: Iterable[tuple[float, float, float, float]]) -> tuple[tuple[Point, ...], ...]:
        """Boxes in parts of the flattened tray (x0, y0, x1, y1) as four corners in parts of the picture."""
        unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
        matrix = cv2.getPerspectiveTransform(unit, np.array(self.corners, np.float32))
        found = []
        for x0, y0, x1, y1 in boxes:
            box = np.array([[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]], np.float32)
            lain = cv2.perspectiveTransform(box, matrix)[0]
            found.append(tuple((float(x), float(y)) for x, y in lain))
        return tuple(found)


WHOLE = Tray(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)))
"""The whole picture: what counts as the tray until one is framed."""


class Part:
    """What of a frame (H x W x 3) is read: `image`. What was read there is moved back into the frame."""

    def __init__(self, frame: Image, tray: Tray | None) -> None:
        height, width = frame.shape[:2]
        self._shape: NDArray[np.float32] | None = None
        self._box = (0, 0, width, height)
        if tray:
            shape = tray.pixels(frame)
            middle = shape.mean(axis=0)
            self._shape = middle + (shape - middle) * np.float32(1 + 2 * GROWN)
            low, high = shape.min(axis=0), shape.max(axis=0)
            low, high = low - AROUND * (high - low), high + AROUND * (high - low)
            x0, y0 = (max(0, int(v)) for v in low)
            self._box = (x0, y0, min(width, int(high[0]) + 1), min(height, int(high[1]) + 1))
        x0, y0, x1, y1 = self._box
        self.image: Image = np.ascontiguousarray(frame[y0:y1, x0:x1]) if tray else frame

    def dice(self, seen: Iterable[Die]) -> tuple[Die, ...]:
        """Dice that lie in the tray, in pixels of the frame."""
        moved = (replace(die, center=self._point(die.center), box=self._moved(die.box)) for die in seen)
        return tuple(die for die in moved if self._holds(die.center))

    def found(self, seen: Iterable[Found]) -> tuple[Found, ...]:
        """Whatever may be a die in the tray, in pixels of the frame."""
        moved = (replace(each, centre=self._point(each.centre), box=self._moved(each.box)) for each in seen)
        return tuple(each for each in moved if self._holds(each.centre))

    def movement(self, moving: Movement) -> Movement:
        """What moves in the part that is read; hands beside the tray are no throw."""
        if self._shape is None:
            return moving
        cells = np.zeros_like(moving.cells)
        x0, y0, x1, y1 = (v / moving.cell for v in self._box)
        inside = np.s_[int(y0) : int(np.ceil(y1)), int(x0) : int(np.ceil(x1))]
        cells[inside] = moving.cells[inside]
        return Movement(cells, moving.cell)

    def _point(self, point: Point) -> Point:
        return (point[0] + self._box[0], point[1] + self._box[1])

    def _moved(self, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        return (*self._point(box[:2]), *self._point(box[2:]))

    def _holds(self, point: Point) -> bool:
        return self._shape is None or cv2.pointPolygonTest(self._shape, point, False) >= 0
