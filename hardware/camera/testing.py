"""For tests, here and in programs with a camera: pictures, a source that obeys, and a watched camera."""

import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from .camera import Camera, Patience
from .lock import Lock
from .picture import CameraError, CameraState, Image
from .source import Source

QUICK = Patience(stalled=0.15, dark=0.05, retry=(0.005, 0.02), close=2.0, exposed=0.5)
"""Patient enough to be certain, and no more."""
UNHEARD_S = 10.0  # a test that says nothing for so long has failed


def picture(value: int = 120, size: tuple[int, int] = (64, 48)) -> Image:
    """A picture (size: width, height), never black: the upper half is `value`, the lower the contrary."""
    image = np.full((size[1], size[0], 3), value, np.uint8)
    image[size[1] // 2 :] = 255 - value
    return image


def write(path: Path, image: NDArray[np.integer | np.floating]) -> Path:
    """Write a picture to a file; returns the path."""
    assert cv2.imwrite(str(path), image)
    return path


def write_video(path: Path, values: list[int], fps: float = 50.0) -> Path:
    """Write a video (.avi or .mp4) of one `picture` a value; returns the path."""
    code = "MJPG" if path.suffix == ".avi" else "mp4v"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), fps, (64, 48))
    assert writer.isOpened()
    for value in values:
        writer.write(picture(value))
    writer.release()
    return path


class Watched:
    """A camera of which one can wait until something is true."""

    def __init__(
        self,
        setting: str = "auto",
        source: Source | None = None,
        patience: Patience = QUICK,
        lock: Lock | None = None,
    ) -> None:
        self.camera = Camera(setting, patience=patience, source=source, lock=lock)

    def until(self, true: Callable[[Camera], bool], what: str = "") -> None:
        """Wait until it is true of the camera; AssertionError if that takes too long."""
        news = self.camera._changed
        with news:
            assert news.wait_for(lambda: true(self.camera), 6), f"{what} {self.camera.status}"

    def state(self, kind: CameraState) -> None:
        """Wait until the camera is in this state."""
        self.until(lambda camera: camera.status.kind is kind, f"waiting for {kind}:")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.camera.close()


class Exposed:
    """A source that shows its `scene` (H x W x 3) as brightly as its exposure lets it: with an exposure of
    100 as it is, and where that is brighter than 255, white. What it is told to hold its pictures show only
    `late` pictures afterwards, or never (None). `pulled` out it is as soon as something is to be held.
    """

    source, detail = "exposed", ""

    def __init__(self, scene: NDArray[np.uint8 | np.float32], late: int | None = 2) -> None:
        self.scene, self.late = scene, late
        self.held: Lock | None = None
        self.exposures: list[float] = []
        self.began: list[Lock | None] = []  # what was held, at each opening
        self.opened = self.open_now = self.most = 0  # times, at present, and at the same time
        self.dimmed = threading.Event()
        self._shown: deque[float] = deque([100.0])
        self.pulled = self._gone = False

    def open(self, stop: threading.Event) -> None:
        """Begin with what is held."""
        self.opened, self.open_now = self.opened + 1, self.open_now + 1
        self.most = max(self.most, self.open_now)
        self.began.append(self.held)
        self._shown = deque([self.held.exposure[0] if self.held else 100.0])

    def read(self, stop: threading.Event) -> Image:
        """A picture, a moment later."""
        stop.wait(0.002)
        if self._gone:
            self.pulled = self._gone = False
            raise CameraError(CameraState.LOST, "pulled out")
        exposure = self._shown.popleft() if len(self._shown) > 1 else self._shown[0]
        return np.asarray(np.clip(self.scene * (exposure / 100), 0, 255), np.uint8)

    def hold(self, lock: Lock | None) -> Lock:
        """Hold these values, or an exposure of 100."""
        self.held = lock or Lock((100.0,))
        self.exposures.append(self.held.exposure[0])
        if self.held.exposure[0] < 100:
            self.dimmed.set()
        self._gone = self.pulled
        if self.late is not None:
            self._shown = deque([*[self._shown[0]] * self.late, self.held.exposure[0]])
        return self.held

    def free(self) -> None:
        """Show the scene as it is."""
        self.held, self._shown = None, deque([100.0])

    def close(self) -> None:
        """Be there for somebody else."""
        self.open_now -= 1


class Scripted:
    """A source that a test plays. A read waits for `show` or `fail`, or until the camera is closed: what went
    on waiting would fail in the midst of another test. `absent` is how opening fails.
    """

    source, detail = "scripted", ""

    def __init__(self) -> None:
        self._next: queue.Queue[Image | Exception] = queue.Queue()
        self.absent: CameraState | None = None
        self.opened = self.closed = 0
        self.tried = threading.Event()

    def show(self, *images: Image) -> None:
        """The next reads return these pictures."""
        for image in images:
            self._next.put(image)

    def fail(self, error: Exception) -> None:
        """The next read raises this."""
        self._next.put(error)

    def open(self, stop: threading.Event) -> None:
        """Count it, and fail if it is absent."""
        self.opened += 1
        self.tried.set()
        if self.absent is not None:
            raise CameraError(self.absent, "absent")

    def read(self, stop: threading.Event) -> Image:
        """What the test has said."""
        until = time.monotonic() + UNHEARD_S
        while not stop.is_set():
            try:
                step = self._next.get(timeout=0.05)
            except queue.Empty:
                if time.monotonic() > until:
                    raise
                continue
            if isinstance(step, Exception):
                raise step
            return step
        raise CameraError(CameraState.LOST, "closed")

    def close(self) -> None:
        """Count it."""
        self.closed += 1
