"""The eye at work: a thread that takes the newest picture, reads it, and reports what it saw."""

import logging
import math
import threading
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.events import Drifted, EyeFailed, Looked
from companion.eye.dice import Die
from companion.eye.motion import Motion, Movement
from companion.eye.network import Found
from companion.eye.read import look, useful
from companion.eye.signs import signed
from companion.eye.taught import Taught
from companion.tray.drift import DriftWatch
from companion.tray.markers import without_markers
from companion.tray.region import Part, Tray

log = logging.getLogger(__name__)

UNDER_WAY = 2  # looks: while one is taken in the next one is read
CALM = 4.0  # seconds without any movement, in which the same was read, after which it is read anew ...
SELDOM = 1.0  # ... only so many seconds later: the processor of a table that waits stays cool
Reading = tuple[tuple[Die, ...], tuple[Die, ...], tuple[Found, ...]]  # dice, doubts, all that was found


class Picture(Protocol):
    """A numbered frame (H x W x 3, uint8, BGR) and when it was taken, in seconds of the monotonic clock."""

    @property
    def image(self) -> NDArray[np.uint8]: ...  # noqa: D102
    @property
    def number(self) -> int: ...  # noqa: D102
    @property
    def at(self) -> float: ...  # noqa: D102


class Pictures(Protocol):
    """A camera, as far as the lookout cares."""

    def wait(self, after: int, timeout: float) -> Picture | None:
        """The newest picture with a number above `after`, or None if none comes in time."""

    def darker(self, *stops: float) -> tuple[NDArray[np.uint8], ...]:
        """Pictures (H x W x 3, uint8, BGR) with so many stops less light, as many as it can take of them."""

    def leave(self) -> None:
        """Begin to end: whoever waits for a picture gets none."""

    def close(self) -> None:
        """End the camera."""


class Lookout:
    """Reads a camera until it is told to stop, and then closes it. `put` is called from its thread. Whoever
    gets its looks says so of each (`taken`): only a few may be under way, as each holds a whole picture.

    After `look_darker` it reads what lies there with darker pictures as well, until something moves there.
    With a `tray` it reads only what lies there, and `drift` sees whether it still does. `awaited` is the
    kind of taught dice that is looked for beside pips, if any is; it may change at any time.
    """

    def __init__(
        self,
        camera: Pictures,
        put: Callable[[Looked | EyeFailed | Drifted], None],
        tray: Tray | None = None,
        drift: DriftWatch | None = None,
    ) -> None:
        self.camera = camera
        self.tray, self.drift = tray, drift
        self.awaited: Taught | None = None
        self._put = put
        self._stop = threading.Event()
        self._dazzled = threading.Event()  # whether darker pictures were asked for since something moved
        self._under_way = threading.Semaphore(UNDER_WAY)
        self._darker: tuple[NDArray[np.uint8], ...] = ()
        self._darkened = False  # whether that has been tried since
        self._motion = Motion()
        self._last: Reading = (), (), ()
        self._for: tuple[object, ...] = (None, None, None, None)  # what that was read for
        self._calm = self._read_at = -math.inf  # since when all was calm; when that was read
        self._thread = threading.Thread(target=self._run, name="lookout", daemon=True)
        self._thread.start()

    def look_darker(self) -> None:
        """Take darker pictures of what lies there, too, unless that has been tried."""
        self._dazzled.set()

    def taken(self) -> None:
        """One of its looks has arrived."""
        self._under_way.release()

    def stop(self) -> None:
        """Look at no further picture; the camera is closed by the thread, so this never waits."""
        self._stop.set()
        self.camera.leave()

    @property
    def over(self) -> bool:
        """Whether the camera is closed."""
        return not self._thread.is_alive()

    def join(self, timeout: float) -> None:
        """Wait until the camera is closed, at most so many seconds."""
        self._thread.join(timeout)

    def _run(self) -> None:
        number = 0
        while not self._stop.is_set():
            if not self._under_way.acquire(timeout=0.25):
                continue
            picture = self.camera.wait(number, 0.25)
            look = None
            if picture is not None:
                number = picture.number
                look = self._look(picture)
                self._put(look)
            if not isinstance(look, Looked):  # nothing that anybody will have taken
                self._under_way.release()
        self.camera.close()

    def _look(self, picture: Picture) -> Looked | EyeFailed:
        try:
            moving = self._motion.see(picture.image)
            tray, awaited = self.tray, self.awaited
            part = Part(picture.image, tray)
            movement = part.movement(moving)
            self._see_darker(part, movement, picture.image.shape)
            dice, doubts, found = self._reading(picture, part, movement.anywhere, tray, awaited)
            self._watch_tray(picture, movement)
            return Looked(
                picture.image,
                part.dice(dice),
                movement,
                picture.at,
                self,
                part.dice(doubts),
                part.found(found),
                awaited,
                self._darkened,
            )
        except Exception:  # one bad picture must not blind the companion
            log.exception("the eye failed on a picture")
            return EyeFailed(self)

    def _reading(
        self, picture: Picture, part: Part, moves: bool, tray: Tray | None, awaited: Taught | None
    ) -> Reading:
        """What is read in a picture, or was read a moment ago where nothing has changed for long."""
        before, now = self._for, (tray, awaited, self._darker, part.image.shape)
        same = before[3] == now[3] and all(a is b for a, b in zip(before[:3], now[:3], strict=True))
        if moves or not same:
            self._calm = picture.at
        elif picture.at - self._calm > CALM and picture.at - self._read_at < SELDOM:
            return self._last
        darker = [Part(each, tray).image for each in self._darker]
        sight = without_markers(part.image, look(part.image, darker=darker))
        dice, doubts = sight.dice, sight.doubts
        if awaited:
            dice, doubts = signed(part.image, sight, awaited, darker)
        last, self._last = self._last, (dice, doubts, sight.found)
        if _shown(last) != _shown(self._last):  # it is hard to read: every frame counts
            self._calm = picture.at
        self._for, self._read_at = now, picture.at
        return self._last

    def _see_darker(self, part: Part, movement: Movement, shape: tuple[int, ...]) -> None:
        """Have the darker pictures of what lies there, if they were asked for since something moved."""
        if self._dazzled.is_set() and not (self._darkened or movement.anywhere):
            self._darker, self._darkened = self.camera.darker(*useful(part.image)), True
        if movement.anywhere or any(each.shape != shape for each in self._darker):
            self._darker, self._darkened = (), False
            self._dazzled.clear()  # that was asked of what lay there before

    def _watch_tray(self, picture: Picture, moving: Movement) -> None:
        drift = self.drift
        if drift and not moving.anywhere and drift.see(picture.image, picture.at):
            self._put(Drifted(drift.verdict, drift))


def _shown(reading: Reading) -> tuple[list[str], int, int]:
    """What would be told of it, wherever it lies."""
    dice, doubts, found = reading
    return sorted(str(die.shows) for die in dice), len(doubts), len(found)
