"""Asking Linux about its video devices, which OpenCV cannot: is it a camera, may we, is it taken?

The structures are those of <linux/videodev2.h>: v4l2_capability (VIDIOC_QUERYCAP), v4l2_requestbuffers
(VIDIOC_REQBUFS).
"""

import errno
import os
import re
import struct
import sys
from dataclasses import dataclass
from pathlib import Path

from .picture import CameraError, CameraState

if sys.platform == "linux":
    import fcntl

_CAPABILITY = struct.Struct("16s32s32sIII12x")
_REQUEST = struct.Struct("IIIIB3x")
_QUERYCAP = 0x80685600
_REQBUFS = 0xC0145608
_CAPTURE, _HAS_DEVICE_CAPS = 0x1, 0x80000000
_TYPE_CAPTURE, _MEMORY_MMAP = 1, 1

_STATES = {
    errno.ENOENT: CameraState.MISSING,
    errno.EACCES: CameraState.DENIED,
    errno.EPERM: CameraState.DENIED,
    errno.EBUSY: CameraState.BUSY,
}

TELLING = (CameraState.DENIED, CameraState.BUSY)
"""Why a camera that is there cannot be used."""


@dataclass(frozen=True)
class Device:
    """A video device: its camera's name, the kernel's driver, where it is plugged in, and whether it takes
    pictures.
    """

    card: str
    driver: str
    bus: str
    captures: bool

    @property
    def is_usb(self) -> bool:
        """A USB camera, or a program that poses as one (v4l2loopback), and not its metadata node.

        A Raspberry Pi has a dozen video devices more (decoders, the raw CSI sensor) which OpenCV cannot use.
        """
        return self.captures and (self.bus.startswith("usb-") or self.driver == "v4l2 loopback")


def device_of(answer: bytes) -> Device:
    """What a VIDIOC_QUERYCAP has answered (104 bytes)."""
    driver, card, bus, _, caps, device_caps = _CAPABILITY.unpack(answer)
    own = device_caps if caps & _HAS_DEVICE_CAPS else caps
    driver, card, bus = (text.split(b"\0")[0].decode("utf-8", "replace") for text in (driver, card, bus))
    return Device(card, driver, bus, bool(own & _CAPTURE))


def ask(path: str, request: int, content: bytes) -> bytes:
    """One ioctl on the device; CameraError MISSING, DENIED or BUSY."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        try:
            return fcntl.ioctl(handle, request, content)
        finally:
            os.close(handle)
    except OSError as error:
        raise CameraError(_STATES.get(error.errno or 0, CameraState.MISSING), str(error)) from error


def query(path: str) -> Device:
    """The device at the path; CameraError MISSING (also: no video device), DENIED or BUSY."""
    return device_of(ask(path, _QUERYCAP, bytes(_CAPABILITY.size)))


def is_busy(path: str) -> bool:
    """Whether another program takes pictures from it: to free no buffers is refused while it has some."""
    try:
        ask(path, _REQBUFS, _REQUEST.pack(0, _TYPE_CAPTURE, _MEMORY_MMAP, 0, 0))
    except CameraError as error:
        return error.state is CameraState.BUSY
    return False


def paths(folder: Path = Path("/dev")) -> list[str]:
    """Every video device there is, in the order of their numbers."""
    found = [(int(m[1]), str(p)) for p in folder.glob("video*") if (m := re.fullmatch(r"video(\d+)", p.name))]
    return [path for _, path in sorted(found)]


def usb_cameras() -> dict[str, Device | None]:
    """The USB cameras that are there, by their paths; and what does not say whether it is one (None): let it
    be tried, so that the user hears why it is not used.
    """
    found: dict[str, Device | None] = {}
    for path in paths():
        try:
            device = query(path)
        except CameraError as error:
            if error.state in TELLING:
                found[path] = None
        else:
            if device.is_usb:
                found[path] = device
    return found
