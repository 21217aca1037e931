"""For tests, here and in programs with a camera: pictures, a source that obeys, and a watched camera."""

import queue
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from .camera import Camera, Patience
from .opencv import cv2
from .picture import CameraError, CameraState, Image
from .source import Source

QUICK = Patience(stalled=0.15, dark=0.05, retry=(0.005, 0.02), close=2.0)
"""Patient enough to be certain, and no more."""


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
        loop: bool = False,
    ) -> None:
        self._news = threading.Condition()
        self.calls = 0
        self.camera = Camera(setting, on_change=self._told, patience=patience, source=source, loop=loop)

    def _told(self) -> None:
        with self._news:
            self.calls += 1
            self._news.notify_all()

    def until(self, true: Callable[[Camera], bool], what: str = "") -> None:
        """Wait until it is true of the camera; AssertionError if that takes too long."""
        with self._news:
            assert self._news.wait_for(lambda: true(self.camera), 6), f"{what} {self.camera.status}"

    def state(self, kind: CameraState) -> None:
        """Wait until the camera is in this state."""
        self.until(lambda camera: camera.status.kind is kind, f"waiting for {kind}:")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.camera.close()


class Scripted:
    """A source that a test plays. A read hangs until `show` or `fail`; `absent` is how opening fails."""

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
        step = self._next.get(timeout=10)
        if isinstance(step, Exception):
            raise step
        return step

    def close(self) -> None:
        """Count it."""
        self.closed += 1
