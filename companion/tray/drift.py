"""Whether the tray still lies where it lay, in the light that there was, when it was calibrated.

The picture of that moment is kept, small and grey. Its patches at the four corners of the tray are
looked for in the present picture.
"""

from collections.abc import Iterable
from contextlib import suppress
from enum import Enum
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.config import camera_file
from companion.tray.region import Image, Tray
from companion.whole import whole

WIDTH = 320  # px: of the pictures that are compared
PATCH = 24  # px: half the side of a patch
REACH = 28  # px: so far it is looked for
SAME = 0.6  # correlation from which on a patch is found
STRUCTURE = 5.0  # levels: standard deviation of a patch in which there is anything to find
NUDGE = 3.0  # px: less is no movement
LIGHT = 1.5  # the factor of brightness that is another light
EVERY = 3.0  # seconds between two looks
LASTING = 5  # looks in a row that must agree: hands come and go
Grey = NDArray[np.uint8]


class Drift(Enum):
    """What has changed since the calibration."""

    MOVED = "moved"
    LIGHT = "light"


def reference(data: Path, camera: str) -> Path:
    """The file of the picture of a camera's calibration, in the folder of the machine's data."""
    return camera_file(data, camera).with_suffix(".png")


def adopt(data: Path, camera: str) -> None:
    """Versions before kept one picture, that of the camera that was chosen: it becomes that of a camera that
    has none. Raises OSError.
    """
    old, place = data / "tray.png", reference(data, camera)
    if old.exists() and not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        old.replace(place)


def small(frame: Image) -> Grey:
    """A frame (H x W x 3, BGR) as it is compared and kept."""
    height = max(1, round(frame.shape[0] * WIDTH / frame.shape[1]))
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, (WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8)


def keep(path: Path, frame: Image) -> None:
    """Keep the picture of the calibration. Raises OSError, and then there is none: the one before shows where
    the tray lay then.
    """
    done, data = cv2.imencode(".png", small(frame))
    assert done
    try:
        with whole(path) as file:
            file.write(data.tobytes())
    except OSError:
        with suppress(OSError):
            path.unlink(missing_ok=True)
        raise


def kept(path: Path) -> Grey | None:
    """The picture of the calibration; None if there is none, or it is damaged."""
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError:
        return None
    picture = cv2.imdecode(data, cv2.IMREAD_GRAYSCALE) if data.size else None
    return None if picture is None else np.asarray(picture, np.uint8)


def compare(before: Grey, now: Grey, tray: Tray) -> Drift | None:
    """What differs between two small pictures of the same camera."""
    if before.shape != now.shape:
        return Drift.MOVED  # the camera delivers another size: nothing lies where it lay
    height, width = before.shape
    places = [(round(x * width), round(y * height)) for x, y in tray.corners]
    moves = [move for place in places if (move := _move(before, now, place)) is not None]
    gone = [move for move in moves if move > NUDGE]
    if len(gone) >= 2 and 2 * len(gone) > len(moves):
        return Drift.MOVED
    ratio = (_cells(now, tray) + 8.0) / (_cells(before, tray) + 8.0)
    change = float(np.median(ratio))
    return Drift.LIGHT if max(change, 1 / change) > LIGHT else None


def _move(before: Grey, now: Grey, place: tuple[int, int]) -> float | None:
    """How far a patch has moved in pixels, infinitely if it is gone; None if there is nothing in it."""
    x, y = place
    height, width = before.shape
    x0, y0, x1, y1 = max(0, x - PATCH), max(0, y - PATCH), min(width, x + PATCH), min(height, y + PATCH)
    patch = before[y0:y1, x0:x1]
    if min(patch.shape) < PATCH or patch.std() < STRUCTURE:
        return None
    left, top = max(0, x0 - REACH), max(0, y0 - REACH)
    room = now[top : y1 + REACH, left : x1 + REACH]
    match = cv2.matchTemplate(room, patch, cv2.TM_CCOEFF_NORMED)
    if match[y0 - top, x0 - left] >= SAME:
        there = match[max(0, y0 - top - 3) : y0 - top + 4, max(0, x0 - left - 3) : x0 - left + 4]
        if there.max() >= match.max() - 0.02:
            return 0.0
    _, best, _, (column, row) = cv2.minMaxLoc(match)
    return float(np.hypot(column - (x0 - left), row - (y0 - top))) if best >= SAME else float("inf")


def _cells(picture: Grey, tray: Tray) -> NDArray[np.float32]:
    floor = tray.flattened(np.repeat(picture[..., None], 3, axis=2), 64)[..., 0]
    return np.asarray(cv2.resize(floor, (8, 6), interpolation=cv2.INTER_AREA), np.float32)


class DriftWatch:
    """Looks now and then, and says once what has changed for long; what was `told` before it does not say."""

    def __init__(self, before: Grey, tray: Tray, told: Iterable[Drift] = ()) -> None:
        self._before, self._tray, self._told = before, tray, set(told)
        self._seen: list[Drift | None] = []
        self._next = 0.0

    def see(self, frame: Image, at: float) -> Drift | None:
        """A frame at a time in seconds, with nothing moving in it; what has changed, once it is certain."""
        if at < self._next:
            return None
        self._next = at + EVERY
        self._seen = [*self._seen, compare(self._before, small(frame), self._tray)][-LASTING:]
        first = self._seen[0]
        if first and first not in self._told and len(self._seen) == LASTING and set(self._seen) == {first}:
            self._told.add(first)
            return first
        return None
