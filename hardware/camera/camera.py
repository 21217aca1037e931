"""The camera: a source read on a thread of its own. The newest picture wins; none pile up."""

import logging
import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Self

import cv2
import numpy as np

from .auto import source_for
from .choice import parse
from .lock import Holding, Lock
from .opencv import quiet
from .picture import CameraError, CameraState, CameraStatus, Image, Picture
from .source import Source

log = logging.getLogger(__name__)

_FLOWING = (CameraState.LIVE, CameraState.DARK)
_BLACK, _FLAT = 10.0, 4.0
_Wish = tuple[bool, Lock | None]  # whether to hold something, and what
_DARKER, _AGAIN, _STEADY = 0.8, 0.9, 0.03  # of how bright pictures are: with less light, again, in a row
_LATE = 8  # pictures at least in which another exposure may show: a slow camera takes longer for them


@dataclass(frozen=True)
class Patience:
    """How long the camera waits, in seconds; tests are less patient."""

    stalled: float = 3.0
    """Without a picture for so long, it counts as lost."""
    dark: float = 1.0
    """Black for so long, it counts as dark."""
    exposed: float = 1.0
    """For pictures to show another exposure, once it is asked for."""
    darker: float = 6.0
    """For each darker picture; a CSI camera begins anew for it, and once more after the last one."""
    retry: tuple[float, float] = (0.5, 3.0)
    """Between two attempts to open it: at first, and at most (it doubles)."""
    close: float = 2.0
    """For the end of a read that hangs, before its thread is left to itself."""


@dataclass(eq=False)
class _Darker:
    """Pictures darker by so many `stops` that somebody waits for, as far as they are taken, until it is
    `over`.
    """

    stops: tuple[float, ...]
    images: list[Image] = field(default_factory=list)
    over: bool = False


def is_black(image: Image) -> bool:
    """Whether a picture shows nothing at all: dark, and the same everywhere (it looks at each 16th pixel)."""
    return bool(_level(image) < _BLACK and image[::16, ::16].std() < _FLAT)


def _level(image: Image) -> float:
    """How bright a picture is (of each 16th pixel)."""
    return float(image[::16, ::16].mean())


class Camera:
    """The camera that `setting` chooses (see `parse`; ValueError if it chooses none), open until `close()`.

    A thread reads it from the start on. What is missing, or is pulled out, is looked for again until it is
    back. `lock` is held from its opening on; without one the camera decides, whatever a program before has
    left it to hold.

    A read that hangs cannot be ended from outside. `close()` then leaves its thread (a daemon) behind after
    2 s: it closes the device and ends as soon as the read returns, and is heard of no more.
    """

    def __init__(
        self,
        setting: str,
        *,
        patience: Patience = Patience(),
        source: Source | None = None,
        lock: Lock | None = None,
    ) -> None:
        choice = parse(setting)
        self._source, self._upside_down = source or source_for(choice), choice.upside_down
        self._patience = patience
        self._held: Lock | None = None
        self._wish: _Wish | None = (lock is not None, lock)
        self._darker: _Darker | None = None
        self._had = self._hangs = False  # whether it was ever open, and whether a read has not come back
        self._stop = threading.Event()
        self._changed = threading.Condition()
        self._picture: Picture | None = None
        self._status = CameraStatus(CameraState.SEARCHING, self._source.source)
        self._lit = self._moved = time.monotonic()
        quiet()
        self._threads = [
            threading.Thread(target=self._run, name="camera", daemon=True),
            threading.Thread(target=self._guard, name="camera guard", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def status(self) -> CameraStatus:
        """How the camera is, and what is used."""
        with self._changed:
            return self._status

    @property
    def held(self) -> Lock | None:
        """What is held; None while the camera decides. A lock without values: it cannot hold any."""
        with self._changed:
            return self._held

    def hold(self, lock: Lock | None = None) -> None:
        """Hold these values, or those of this moment, from one of the next pictures on: see `held`."""
        with self._changed:
            self._wish, self._held = (True, lock), None

    def free(self) -> None:
        """Let the camera decide again, from one of the next pictures on."""
        with self._changed:
            self._wish, self._held = (False, None), None

    def latest(self) -> Picture | None:
        """The newest picture so far; None before the first. It stays when the camera is lost: see `at` and
        `status`.
        """
        with self._changed:
            return self._picture

    def wait(self, after: int, timeout: float) -> Picture | None:
        """Wait for a picture newer than number `after`, `timeout` seconds at most; None if none came, or
        after close.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._stop.is_set() or self._number > after, timeout)
            return self._picture if self._number > after and not self._stop.is_set() else None

    def darker(self, *stops: float) -> tuple[Image, ...]:
        """Pictures of now (H x W x 3, uint8, BGR), in whose exposure there is less light by so many stops, of
        each more than of the one before; as many as can be had, from the first one on.

        There is none if the camera is lost before, or its exposure is not held. Until all are taken no other
        picture comes, and this waits, for some seconds at most.
        """
        wanted = _Darker(stops)
        with self._changed:
            self._darker = wanted
            self._changed.wait_for(
                lambda: self._stop.is_set() or wanted.over or self._status.kind not in _FLOWING,
                self._patience.darker * len(stops),
            )
            self._darker = None
            return tuple(wanted.images)

    def leave(self) -> None:
        """Stop, without waiting for that; whoever waits for a picture gets none."""
        with self._changed:
            self._stop.set()
            self._changed.notify_all()

    def close(self) -> None:
        """Stop, and give the camera back. Takes 2 s at most. May be called twice."""
        self.leave()
        until = time.monotonic() + self._patience.close
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        self._hangs = any(thread.is_alive() for thread in self._threads)

    @property
    def _number(self) -> int:
        return self._picture.number if self._picture else 0

    def _run(self) -> None:
        """Open and read, again and again, until closed or at the end of a video."""
        first, longest = self._patience.retry
        delay = first
        while not self._stop.is_set():
            before = self._number
            error = self._session()
            self._report(error)
            if error.state is CameraState.ENDED:
                return
            delay = first if self._number > before else delay
            self._stop.wait(delay)
            delay = min(2 * delay, longest)
        self._let_go()

    def _session(self) -> CameraError:
        """Deliver pictures from one opening; return why it ended."""
        try:
            self._foresee()
            self._source.open(self._stop)
            self._had = True
            while not self._stop.is_set():
                self._grant()
                self._dim()
                self._show(self._read())
            return CameraError(CameraState.LOST, "closed")
        except CameraError as error:
            return error.with_traceback(None)  # of which pictures would be kept
        except Exception as error:  # a dead thread would be a dead program
            log.exception("reading %s failed", self._source.source)
            return CameraError(CameraState.LOST, str(error))
        finally:
            self._source.close()

    def _read(self) -> Image:
        """The next picture, as it would be if the camera hung upright."""
        image = self._source.read(self._stop)
        return np.asarray(cv2.rotate(image, cv2.ROTATE_180), np.uint8) if self._upside_down else image

    def _let_go(self) -> None:
        """Hold or free what was wished for when it was closed: what a webcam holds outlives its opening. But
        not if it was never ours, or is another's by now, or may be.
        """
        with self._changed:
            ours = self._had and not self._hangs and self._status.kind is not CameraState.BUSY
            wish = self._wish if ours else None
        if wish and isinstance(self._source, Holding):
            holds, lock = wish
            if not holds:
                self._source.free()
            elif lock:
                self._source.hold(lock)

    def _foresee(self) -> None:
        """Let a camera that is opened now begin with the values that are wished for already."""
        with self._changed:
            lock = self._wish[1] if self._wish else None
        if lock and isinstance(self._source, Holding):
            self._source.held = lock

    def _grant(self) -> None:
        """Hold or free what was wished for since the last picture."""
        with self._changed:
            wish, self._wish = self._wish, None
        if wish is None:
            return
        source, (holds, lock) = self._source, wish
        held = Lock() if holds else None
        if isinstance(source, Holding):
            try:
                if holds:
                    held = self._hold(source, lock)
                else:
                    with self._unmissed():
                        source.free()
            except CameraError:
                self._wish_again(wish)
                raise
        with self._changed:
            if self._wish is None:  # else it has been overtaken
                self._held = held
                self._changed.notify_all()

    def _wish_again(self, wish: _Wish) -> None:
        """Let that be done when the camera is there again, or left, unless something else is wished for."""
        with self._changed:
            self._wish = self._wish or wish

    @contextmanager
    def _unmissed(self) -> Iterator[None]:
        """What may take seconds, and no picture is missed meanwhile."""
        self._moved = math.inf
        try:
            yield
        finally:
            self._moved = time.monotonic()

    def _dim(self) -> None:
        """Take the darker pictures that somebody waits for, if the camera can."""
        with self._changed:
            wanted, usual, lock = self._darker, self._picture, self._held
        if wanted is None or wanted.over:
            return
        try:
            if usual and lock and lock.exposure and isinstance(self._source, Holding):
                self._expose(self._source, lock, wanted, _level(usual.image))
        finally:  # those that were taken before a camera is lost are of use
            with self._changed:
                wanted.over = True
                self._changed.notify_all()

    def _expose(self, source: Holding, lock: Lock, wanted: _Darker, usual: float) -> None:
        """Take pictures darker than is `usual`; then pictures are again as bright as that."""
        held: Lock | None = None
        try:
            self._bracket(source, lock, wanted, usual)
            if not self._stop.is_set():
                held = self._hold(source, lock)
                self._settled(least=_AGAIN * usual)
        finally:
            source.held = lock  # whatever has happened, it begins with that again
            if held != lock:  # it has refused that, is gone, or is about to be closed
                self._wish_again((True, lock))

    def _bracket(self, source: Holding, lock: Lock, wanted: _Darker, usual: float) -> None:
        """Take one picture after the other, each darker than the one before, as long as the camera has a
        shorter exposure and there is one in time.
        """
        before = lock.exposure
        for stops in wanted.stops:
            exposure = self._hold(source, lock.darker(stops)).exposure
            image = self._settled(most=_DARKER * usual) if () < exposure < before else None
            if image is None:
                return
            wanted.images.append(image)
            before, usual = exposure, _level(image)

    def _hold(self, source: Holding, lock: Lock | None) -> Lock:
        """What the source holds now. That may take seconds, and no picture is missed meanwhile."""
        with self._unmissed():
            return source.hold(lock)

    def _settled(self, least: float = 0.0, most: float = math.inf) -> Image | None:
        """The first picture that is so bright, and as bright as the one before; None if none is in time.

        Cameras take some pictures more with the values from before, and one with both.
        """
        before, count, until = math.inf, 0, time.monotonic() + self._patience.exposed
        while not self._stop.is_set() and (count < _LATE or time.monotonic() < until):
            image = self._read()
            count, self._moved = count + 1, time.monotonic()
            level = _level(image)
            if least <= level <= most and abs(level - before) <= _STEADY * level + 1:
                return image
            before = level
        return None

    def _show(self, image: Image) -> None:
        image.flags.writeable = False
        now = self._moved = time.monotonic()
        if self._status.kind not in _FLOWING or not is_black(image):
            self._lit = now
        kind = CameraState.DARK if now - self._lit >= self._patience.dark else CameraState.LIVE
        status = CameraStatus(kind, self._source.source, self._source.detail)
        self._tell(status, Picture(image, self._number + 1, now))

    def _report(self, error: CameraError) -> None:
        """What was there once is lost; what never was is missing."""
        gone = error.state is CameraState.MISSING and self._number
        kind = CameraState.LOST if gone else error.state
        self._tell(CameraStatus(kind, self._source.source, error.detail))

    def _guard(self) -> None:
        """Notice a read that has stalled, which the thread that waits in it cannot."""
        while not self._stop.wait(self._patience.stalled / 4):
            status = self.status
            if status.kind in _FLOWING and time.monotonic() - self._moved >= self._patience.stalled:
                self._tell(CameraStatus(CameraState.LOST, status.source, "stalled"))

    def _tell(self, status: CameraStatus, picture: Picture | None = None) -> None:
        """Make it known, unless nobody listens any more."""
        with self._changed:
            if not self._stop.is_set():
                self._status, self._picture = status, picture or self._picture
                self._changed.notify_all()
