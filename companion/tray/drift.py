"""Whether the tray still lies where it lay, in the light that there was, when it was calibrated.

The picture of that moment is kept, small and grey. Its patches at the four corners of the tray are
looked for in the present picture.
"""

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
    moves = [move for place in _corners(before, tray) if (move := _move(before, now, place)) is not None]
    gone = [move for move in moves if move > NUDGE]
    if len(gone) >= 2 and 2 * len(gone) > len(moves):
        return Drift.MOVED
    ratio = (_cells(now, tray) + 8.0) / (_cells(before, tray) + 8.0)
    change = float(np.median(ratio))
    return Drift.LIGHT if max(change, 1 / change) > LIGHT else None


def covered(before: Grey, now: Grey, tray: Tray) -> bool:
    """Whether nobody can tell: in the dark, under a lid or a sheet of paper there is nothing to be found."""
    if before.shape != now.shape:
        return False
    places = [place for place in _corners(before, tray) if _tells(_around(before, place, PATCH))]
    rooms = [_around(now, place, PATCH + REACH) for place in places]
    return bool(rooms) and all(room.std() < STRUCTURE for room in rooms)


def _corners(picture: Grey, tray: Tray) -> list[tuple[int, int]]:
    """Where the corners of the tray lie in a picture."""
    height, width = picture.shape
    return [(round(x * width), round(y * height)) for x, y in tray.corners]


def _around(picture: Grey, place: tuple[int, int], reach: int) -> Grey:
    """What lies so near to a place."""
    x, y = place
    return picture[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach]


def _tells(patch: Grey) -> bool:
    """Whether there is anything in it that can be found again."""
    return min(patch.shape) >= PATCH and float(patch.std()) >= STRUCTURE


def _move(before: Grey, now: Grey, place: tuple[int, int]) -> float | None:
    """How far a patch has moved in pixels, infinitely if it is gone; None if there is nothing in it."""
    patch = _around(before, place, PATCH)
    if not _tells(patch):
        return None
    x0, y0 = max(0, place[0] - PATCH), max(0, place[1] - PATCH)
    left, top = max(0, x0 - REACH), max(0, y0 - REACH)
    room = _around(now, place, PATCH + REACH)
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
    """Looks now and then; its `verdict` is what has changed for long, until it is not so for as long. Of the
    light that is said once: clouds come and go.
    """

    def __init__(self, before: Grey, tray: Tray, verdict: Drift | None = None) -> None:
        self.verdict = verdict
        self._before, self._tray = before, tray
        self._seen: list[Drift | None] = []
        self._next = 0.0

    def see(self, frame: Image, at: float) -> bool:
        """A frame at a time in seconds, with nothing moving in it; whether the verdict is another one now."""
        if at < self._next:
            return False
        self._next = at + EVERY
        now = small(frame)
        if covered(self._before, now, self._tray):
            return False
        self._seen = [*self._seen, compare(self._before, now, self._tray)][-LASTING:]
        last = self._seen[-1]
        bright_again = last is None and self.verdict is Drift.LIGHT
        if last is self.verdict or bright_again or self._seen != [last] * LASTING:
            return False
        self.verdict = last
        return True
