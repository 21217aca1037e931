"""The values a camera hands out: pictures, its state, and what went wrong."""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A picture's pixels: H x W x 3, uint8, BGR."""


@dataclass(frozen=True, eq=False)
class Picture:
    """One picture of the camera. `image` is shared and read-only: copy it before you draw on it."""

    image: Image
    number: int
    """Rises by one with every picture of this camera, from 1."""
    at: float
    """When it came: `time.monotonic()`, seconds."""


class CameraState(Enum):
    """How the camera is. In LIVE and DARK pictures come; in ENDED the last one stays."""

    SEARCHING = "searching"
    """Nothing has been found or refused yet."""
    LIVE = "live"
    """Pictures come."""
    DARK = "dark"
    """Pictures come, and all of them are black: a lid, a shutter, no light."""
    MISSING = "missing"
    """There is no such camera, file or address, or it never delivered a picture."""
    LOST = "lost"
    """It delivered pictures and stopped: pulled out, out of reach, stalled."""
    ENDED = "ended"
    """The video is over."""
    UNREADABLE = "unreadable"
    """The file is there, but is no picture and no video; or the address answers, and delivers none."""
    EMPTY = "empty"
    """The folder has no pictures."""
    DENIED = "denied"
    """No permission to use it (Linux: the user is not in the group `video`), or to read the file."""
    BUSY = "busy"
    """Another program has the camera."""
    NO_TOOL = "no tool"
    """The CSI camera needs `rpicam-vid`, which is not installed."""


@dataclass(frozen=True)
class CameraStatus:
    """The state, what is (or was) used (`usb:0`, `csi`, a path, an address without its password), and
    details.

    `detail` is technical and not translated: the camera's name, the tool's own message, the files left out.
    """

    kind: CameraState
    source: str
    detail: str = ""


class CameraError(Exception):
    """A source cannot deliver. `state` says in which state that leaves the camera."""

    def __init__(self, state: CameraState, detail: str = "") -> None:
        super().__init__(f"{state.value}: {detail}" if detail else state.value)
        self.state = state
        self.detail = detail
