"""The controls of a USB camera that keep its picture still, through Linux' V4L2.

Each has a switch ("the camera decides") and a value. Numbers and structures are those of
<linux/v4l2-controls.h> and <linux/videodev2.h>: v4l2_control (VIDIOC_G_CTRL, VIDIOC_S_CTRL), v4l2_queryctrl
(VIDIOC_QUERYCTRL).
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass

from .lock import Lock
from .picture import CameraError

_GET, _SET, _QUERY = 0xC008561B, 0xC008561C, 0xC0445624
_CONTROL = struct.Struct("Ii")
_QUERYCTRL = struct.Struct("II32siiiiI8x")
_UNUSABLE = 0x0001 | 0x0004  # disabled, read-only

Ask = Callable[[str, int, bytes], bytes]
"""One ioctl on a device: path, request, content; CameraError if it is refused."""


@dataclass(frozen=True)
class _Pair:
    """A value and the switch that lets the camera choose it; `manual` is the switch's word for "not you"."""

    name: str
    switch: int
    manual: int
    value: int


_USER, _CAMERA = 0x00980900, 0x009A0900
_GAINS = 1  # numbers of a white balance: its temperature
PAIRS = (
    _Pair("exposure", _CAMERA + 1, 1, _CAMERA + 2),
    _Pair("gain", _USER + 18, 0, _USER + 19),
    _Pair("white_balance", _USER + 12, 0, _USER + 26),
    _Pair("focus", _CAMERA + 12, 0, _CAMERA + 10),
)


def hold(path: str, lock: Lock | None, ask: Ask) -> Lock:
    """Hold the values of `lock`, or those of this moment; what of it the camera has taken."""
    lock, held = lock and lock.of(_GAINS), {}
    for pair in PAIRS:
        wanted = lock.values.get(pair.name) if lock else None
        value = round(wanted[0]) if wanted else None if lock else _get(path, pair.value, ask)
        if value is not None:
            _set(path, pair.switch, pair.manual, ask)  # some cameras have a gain without a switch
            if (taken := _set(path, pair.value, value, ask)) is not None:
                held[pair.name] = (float(taken),)
    return Lock(**held)


def free(path: str, ask: Ask) -> None:
    """Give every switch the position that it has when the camera is plugged in."""
    for pair in PAIRS:
        usual = _usual(path, pair.switch, ask)
        if usual is not None:
            _set(path, pair.switch, usual, ask)


def _get(path: str, control: int, ask: Ask) -> int | None:
    """The value of a control; None if the camera has no such control that can be set."""
    if _usual(path, control, ask) is None:
        return None
    try:
        return int(_CONTROL.unpack(ask(path, _GET, _CONTROL.pack(control, 0)))[1])
    except CameraError:
        return None


def _set(path: str, control: int, value: int, ask: Ask) -> int | None:
    """What the camera has made of a value; None if it has refused it."""
    try:
        return int(_CONTROL.unpack(ask(path, _SET, _CONTROL.pack(control, value)))[1])
    except CameraError:
        return None


def _usual(path: str, control: int, ask: Ask) -> int | None:
    """The default of a control; None if it is not there or cannot be set."""
    try:
        answer = _QUERYCTRL.unpack(ask(path, _QUERY, _QUERYCTRL.pack(control, 0, b"", 0, 0, 0, 0, 0)))
    except CameraError:
        return None
    return None if answer[7] & _UNUSABLE else int(answer[6])
