"""The one setting that chooses the camera: `auto | usb:0 | csi | http://... | rtsp://... | path`.

Behind it stands `upside-down` if the camera hangs so: `csi upside-down`.
"""

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit


class CameraKind(Enum):
    """Where pictures may come from."""

    AUTO = "auto"
    USB = "usb"
    CSI = "csi"
    ADDRESS = "address"
    PATH = "path"


_PASSWORD = re.compile(r"(\w*(?:pas|pw|token)\w*=)[^&/?# ]*", re.IGNORECASE)  # `?user=me&pwd=secret`


@dataclass(frozen=True)
class CameraChoice:
    """A parsed setting: the kind, what it needs (a camera's number or device, an address or a path, as text),
    and whether its pictures have to be turned by half a turn.
    """

    kind: CameraKind
    value: str = ""
    upside_down: bool = False

    @property
    def shown(self) -> str:
        """What is chosen, as it may be shown: an address without its user and password."""
        if self.kind is CameraKind.ADDRESS:
            parts = urlsplit(self.value)
            return _PASSWORD.sub(r"\1…", urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2])))
        if self.kind is CameraKind.PATH or self.value.startswith("/"):
            return self.value
        return f"{self.kind.value}:{self.value}" if self.value else self.kind.value


_SCHEMES = ("http", "https", "rtsp")
_UPSIDE_DOWN = " upside-down"


def parse(text: str) -> CameraChoice:
    """Read the setting; ValueError if it chooses no camera.

    Only its shape counts: a path need not exist (the camera then waits for it). A bare word may be a slip
    (`usb0`) and is none; it can be written as `./word`.
    """
    return replace(_parse(text.removesuffix(_UPSIDE_DOWN)), upside_down=text.endswith(_UPSIDE_DOWN))


def _parse(text: str) -> CameraChoice:
    if text in ("auto", "csi"):
        return CameraChoice(CameraKind(text))
    if "://" in text:
        return _address(text)
    if re.fullmatch(r"/dev/(video[0-9]{1,3}|v4l/.*)", text) and text.isprintable():
        return CameraChoice(CameraKind.USB, text)
    head, colon, number = text.partition(":")
    if colon and head in ("usb", "csi"):
        return _numbered(CameraKind(head), number)
    return _path(text)


def _numbered(kind: CameraKind, number: str) -> CameraChoice:
    if not re.fullmatch(r"[0-9]{1,3}", number):
        raise ValueError(f"no number: {number!r}")
    return CameraChoice(kind, str(int(number)))


def _address(text: str) -> CameraChoice:
    scheme = text.partition("://")[0].lower()
    if scheme not in _SCHEMES:
        raise ValueError(f"no address that is read: {text!r}")
    try:
        parts = urlsplit(text)
        has_host = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:  # a port or an IPv6 address that is none
        has_host = False
    if not has_host or " " in text or not text.isprintable():
        raise ValueError(f"no address: {text!r}")
    return CameraChoice(CameraKind.ADDRESS, text)


def _path(text: str) -> CameraChoice:
    if not re.search(r"[/\\.~]", text) or not text.isprintable():
        raise ValueError(f"no kind of camera, and no path: {text!r}")
    path = Path(text)
    with suppress(RuntimeError, ValueError):  # the home of nobody: then nothing is there
        path = path.expanduser()
    return CameraChoice(CameraKind.PATH, str(path))
