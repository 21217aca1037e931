"""Finding the printed markers of the tray sheet in a picture."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye.network import Found, find
from companion.eye.read import Sight, lit
from companion.tray.region import Image, Part, Point, Tray
from companion.tray.sheet import MODULES, dictionary


@lru_cache(maxsize=1)
def _detector() -> "cv2.aruco.ArucoDetector":
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.errorCorrectionRate = 1.0  # of as many bits as the dictionary allows
    return cv2.aruco.ArucoDetector(dictionary(), settings)


def markers(frame: Image) -> dict[int, NDArray[np.float32]]:
    """The corners (4 x 2 pixels, clockwise from its own upper left) of each of our markers that is seen, in
    as little light as dice are.
    """
    corners, numbers, _ = _detector().detectMarkers(cv2.cvtColor(lit(frame), cv2.COLOR_BGR2GRAY))
    found = [] if numbers is None else np.ravel(numbers).tolist()
    return {
        int(number): np.asarray(shape, np.float32).reshape(4, 2)
        for number, shape in zip(found, corners, strict=True)
    }


def tray_of(frame: Image) -> Tray | None:
    """The tray whose sheet is seen in a frame (H x W x 3, BGR), however it is turned; None unless all four
    markers are.

    The corner of the sheet lies beyond the outer corner of its marker by the width of one module.
    """
    seen = markers(frame)
    if len(seen) < 4:
        return None
    height, width = frame.shape[:2]
    ends = []
    for number in range(4):
        outer, inner = seen[number][number], seen[number][(number + 2) % 4]
        x, y = outer + (outer - inner) / MODULES
        ends.append((float(np.clip(x / width, 0, 1)), float(np.clip(y / height, 0, 1))))
    first = min(range(4), key=lambda n: ends[n][0] + ends[n][1])  # the sheet may lie upside down
    a, b, c, d = (ends[(first + n) % 4] for n in range(4))
    tray = Tray((a, b, c, d))
    return tray if tray.sound else None


def seek(frame: Image, tray: Tray | None = None) -> tuple[Found, ...]:
    """All that may be a die in the tray, without one anywhere in the frame, but for printed markers; the
    surest first.
    """
    part = Part(frame, tray)
    found = find(lit(part.image))
    free = _free(part.image, [each.centre for each in found])
    return part.found(each for each in found if free(each.centre))


def without_markers(frame: Image, sight: Sight) -> Sight:
    """What is seen in a frame, without printed markers: where one can be read, no die lies on it."""
    seen = [*sight.dice, *sight.doubts]
    free = _free(frame, [die.center for die in seen] + [each.centre for each in sight.found])
    return Sight(
        dice=tuple(die for die in sight.dice if free(die.center)),
        others=tuple(each for each in sight.others if free(each.centre)),
        doubts=tuple(die for die in sight.doubts if free(die.center)),
        found=tuple(each for each in sight.found if free(each.centre)),
    )


def _free(frame: Image, points: Sequence[Point]) -> Callable[[Point], bool]:
    """Which of some points of a frame lie on no marker; where there are none, nobody looks for markers."""
    shapes = list(markers(frame).values()) if points else []
    return lambda point: all(cv2.pointPolygonTest(shape, point, False) < 0 for shape in shapes)
