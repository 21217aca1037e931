"""Cameras that OpenCV reads: USB, and addresses (MJPEG over HTTP, RTSP) through its FFmpeg."""

import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence, Set
from typing import Protocol
from urllib.parse import urlsplit

import cv2
import numpy as np
from numpy.typing import NDArray

from . import controls, v4l2
from .choice import CameraChoice
from .jpeg import SOI
from .lock import Lock
from .picture import CameraError, CameraState, Image
from .still import as_bgr, decoded

RATE = 15
"""Pictures a second asked of a camera: enough to see dice come to rest, and half the work of 30."""

SIZE = (1280, 720)
"""Width and height asked of a camera."""

_MJPG = cv2.VideoWriter.fourcc(*"MJPG")
_RAW = -1

_BROKEN, _PAUSE_S, _AGAIN_S = 5, 0.05, 1.0
"""So many pictures in a row may be broken, with a pause after each, and so long it may take."""

_NAP_S = 1.0
"""While the machine sleeps no longer, nobody exchanges dice; and two clocks are not asked at once."""

_OPEN_MS, _READ_MS = 4000, 3000
_CODED_MS = 12_000
"""A video over RTSP begins with its next whole picture, of which many a camera sends one in ten seconds."""

_WAITED_S, _HURRY_S = 0.01, 0.1
"""A picture for which one had to wait so long is new; so long others are left out at most."""

_PORTS = {"http": 80, "https": 443, "rtsp": 554}
_KNOCK_S = 1.0


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used here."""

    def isOpened(self) -> bool:
        """Whether it is open."""

    def read(self) -> tuple[bool, NDArray[np.generic]]:
        """Whether there was a picture, and the picture."""

    def get(self, prop: int, /) -> float:
        """What a property is."""

    def set(self, prop: int, value: float, /) -> bool:
        """Ask for a property."""

    def release(self) -> None:
        """Close it."""


class _Captured:
    """What USB and addresses share: an OpenCV capture that is opened, read, and gone when a read fails."""

    source: str
    detail = ""
    _open: Capture | None = None
    _slept = 0.0

    def read(self, stop: threading.Event) -> Image:
        """The next picture; LOST when none comes, or the machine has slept since it was opened: many a camera
        delivers as if nothing had been. A picture that is broken is no reason to begin anew.
        """
        until = time.monotonic() + _AGAIN_S
        for _ in range(_BROKEN):
            image = self._next()
            if self._has_slept:
                break
            if image is not None:
                return image
            if time.monotonic() > until or stop.wait(_PAUSE_S):
                break
        raise CameraError(CameraState.LOST, self.detail)

    def close(self) -> None:
        """Give the camera back."""
        if self._open is not None:
            self._open.release()
            self._open = None

    def _next(self) -> Image | None:
        """The next picture; None if it is broken."""
        assert self._open is not None, "read before open"
        there, image = self._open.read()
        return as_bgr(image) if there else None

    @property
    def _has_slept(self) -> bool:
        """Whether the machine has slept since it was opened."""
        return slept() > self._slept + _NAP_S

    def _take(self, capture: Capture) -> bool:
        self._open, self._slept = capture, slept()
        return capture.isOpened()


def slept() -> float:
    """How many seconds the machine has slept since it was started, which only Linux tells: the monotonic
    clock does not go meanwhile.
    """
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic() if sys.platform == "linux" else 0.0


def _v4l2_capture(device: str) -> Capture:
    return cv2.VideoCapture(device, cv2.CAP_V4L2)


def _any_capture(device: str) -> Capture:
    return cv2.VideoCapture(int(device), cv2.CAP_ANY)


def _device(which: int | str) -> str:
    """The device of a USB camera on Linux, if it is not named itself; 0 is the first, and if there are not so
    many it is that of this number.
    """
    if isinstance(which, str):
        return which
    cameras = list(v4l2.usb_cameras())
    return cameras[which] if which < len(cameras) else f"/dev/video{which}"


class UsbSource(_Captured):
    """The USB camera number N: on Linux of those that there are when it is opened, elsewhere OpenCV's; or the
    one whose device is named. One that was beside it is not taken for it once it is pulled out.

    MJPG is asked for, without which USB 2 is too slow for 1280 x 720, and a short queue, so that pictures are
    fresh. `capture`, `query` and `ask` are for tests: what opens the device, what asks the system about it,
    and what sets its controls.
    """

    _device = ""
    _beside: Set[v4l2.Device | None] = frozenset()  # the other cameras, when it was opened last

    def __init__(
        self,
        which: int | str,
        capture: Callable[[str], Capture] | None = None,
        query: Callable[[str], v4l2.Device] | None = None,
        ask: controls.Ask | None = None,
    ) -> None:
        linux = sys.platform == "linux"
        self.source = which if isinstance(which, str) else f"usb:{which}"
        self._which, self._find = which, _device if linux else str
        self._capture = capture or (_v4l2_capture if linux else _any_capture)
        self._query = query or (v4l2.query if linux else None)
        self._ask = ask or (v4l2.ask if linux else None)
        self.held: Lock | None = None

    def open(self, stop: threading.Event) -> None:
        """Open it and see that it delivers. MISSING, DENIED or BUSY if not."""
        device = self._find(self._which)
        camera = self._query(device) if self._query else None
        if camera in self._beside:
            raise CameraError(CameraState.MISSING, self.detail)
        self._device, self.detail = device, camera.card if camera else ""
        if not self._take(self._capture(self._device)) or not self._delivers(stop):
            self.close()
            busy = self._query is v4l2.query and v4l2.is_busy(self._device)
            raise CameraError(CameraState.BUSY if busy else CameraState.MISSING, self.detail)
        self._beside = set(v4l2.usb_cameras().values()) - {None, camera}
        if self.held and self._ask:  # what it does not take now it may take the next time
            controls.hold(self._device, self.held, self._ask)

    def hold(self, lock: Lock | None) -> Lock:
        """Hold these values, or those of this moment. Beyond Linux nothing can be held."""
        self.held = controls.hold(self._device, lock, self._ask) if self._ask else Lock()
        return self.held

    def free(self) -> None:
        """Let the camera decide again."""
        self.held = None
        if self._ask:
            controls.free(self._device, self._ask)

    def _delivers(self, stop: threading.Event) -> bool:
        assert self._open is not None
        wishes = {
            cv2.CAP_PROP_FOURCC: _MJPG,
            cv2.CAP_PROP_FRAME_WIDTH: SIZE[0],
            cv2.CAP_PROP_FRAME_HEIGHT: SIZE[1],
            cv2.CAP_PROP_FPS: RATE,
            cv2.CAP_PROP_BUFFERSIZE: 2,
        }
        for prop, value in wishes.items():
            self._open.set(prop, value)  # a camera that cannot gives what it has
        try:
            high, wide, _ = self.read(stop).shape
        except CameraError:
            return False
        self.detail = f"{self.detail} {wide} x {high}".strip()
        return True


def _ffmpeg_capture(address: str, options: Sequence[int]) -> Capture:
    return cv2.VideoCapture(address, cv2.CAP_FFMPEG, list(options))


class AddressSource(_Captured):
    """A camera in the network: a phone's MJPEG address, or RTSP; one that shows a single picture each time is
    asked again and again. Opening ends after 5 s at most, a read after 3 s, of RTSP after 12 s.
    """

    _taken = 0  # pictures since it was opened
    _jpeg = False  # whether they come as JPEG

    def __init__(
        self, choice: CameraChoice, capture: Callable[[str, Sequence[int]], Capture] = _ffmpeg_capture
    ) -> None:
        self.source = choice.shown
        self._address = choice.value
        self._capture = capture

    def open(self, stop: threading.Event) -> None:
        """Connect; MISSING if nobody answers there, UNREADABLE if what answers has no pictures for us."""
        self._taken = 0
        read_ms = _CODED_MS if self._address.lower().startswith("rtsp:") else _READ_MS
        patience = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _OPEN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, read_ms)
        capture = self._capture(self._address, patience)
        if not self._take(capture):
            answers = _answers(self._address)
            raise CameraError(CameraState.UNREADABLE if answers else CameraState.MISSING, self.source)
        self._jpeg = capture.get(cv2.CAP_PROP_FOURCC) == _MJPG
        if self._jpeg:  # FFmpeg gives each the size of the first one, and a phone may be turned
            capture.set(cv2.CAP_PROP_FORMAT, _RAW)

    def read(self, stop: threading.Event) -> Image:
        """The next picture; UNREADABLE without a first one, and as `open` if a single one cannot be had once
        more.
        """
        try:
            image = super().read(stop)
        except CameraError as error:
            if not self._taken:
                raise CameraError(CameraState.UNREADABLE, self.source) from error
            if self._taken > 1 or self._has_slept:
                raise
            self.close()
            self.open(stop)
            image = super().read(stop)
        self._taken += 1
        return image

    def _next(self) -> Image | None:
        """Of a stream of JPEGs, the last that has come: those that had to wait for us show what was."""
        if not self._jpeg:
            return super()._next()
        assert self._open is not None, "read before open"
        jpeg, before = None, time.monotonic()
        until = before + _HURRY_S
        while True:
            there, read = self._open.read()
            jpeg, now = read if there else jpeg, time.monotonic()
            if not there or self._taken < 2 or now - before > _WAITED_S or now > until:
                return None if jpeg is None else _decoded(np.asarray(jpeg, np.uint8))
            before = now


def _decoded(part: NDArray[np.uint8]) -> Image | None:
    """The picture in a part of a stream; some servers send an empty line before it."""
    return decoded(part.ravel()[max(0, part.tobytes().find(SOI)) :])


def _answers(address: str) -> bool:
    """Whether anything is at an address: FFmpeg does not tell that from a password that is wrong."""
    parts = urlsplit(address)
    try:
        socket.create_connection((parts.hostname, parts.port or _PORTS[parts.scheme]), _KNOCK_S).close()
    except (OSError, UnicodeError):  # a name that cannot be one
        return False
    return True
