"""What every source of pictures can do, and the pace of those that are files."""

import threading
import time
from typing import Protocol

from .picture import Image


class Source(Protocol):
    """A source of pictures. It may be opened again after it is closed, and closed at any time.

    `open` and `read` raise CameraError when they cannot go on. When `stop` is set they end early, with
    an error or a picture that nobody needs, as far as the library under them lets them.
    """

    @property
    def source(self) -> str:
        """What is used, in the words of the setting: `usb:0`."""

    @property
    def detail(self) -> str:
        """More about it, not translated: the camera's name, or the files that were left out."""

    def open(self, stop: threading.Event) -> None:
        """Take the device, file or address."""

    def read(self, stop: threading.Event) -> Image:
        """The next picture, when it is due: H x W x 3, uint8, BGR."""

    def close(self) -> None:
        """Give back whatever `open` took."""


class Pace:
    """Lets pictures of a file out at a rate, in pictures a second. The first one goes at once."""

    def __init__(self, rate: float) -> None:
        self._step = 1 / rate
        self._due = time.monotonic()

    def wait(self, stop: threading.Event) -> None:
        """Wait until the next picture is due, or `stop`. Who comes late is not made to hurry afterwards."""
        stop.wait(max(0.0, self._due - time.monotonic()))
        self._due = max(self._due + self._step, time.monotonic())
