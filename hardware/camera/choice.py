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


class ChoiceProblem(Enum):
    """What is wrong with a setting."""

    EMPTY = "empty"
    BAD_NUMBER = "bad number"
    """`usb:` or `csi:` is not followed by a number."""
    BAD_ADDRESS = "bad address"
    """An address without a host, with a port that is none, or with a space."""
    UNKNOWN_SCHEME = "unknown scheme"
    """An address of a kind that is not read (`ftp://...`)."""
    UNKNOWN_WORD = "unknown word"
    """No kind of camera, and no path: a bare word, or nothing that can be printed."""


class ChoiceError(ValueError):
    """A setting that chooses no camera. `kind` says why; `setting` is the text."""

    def __init__(self, kind: ChoiceProblem, setting: str) -> None:
        super().__init__(f"{kind.value}: {setting!r}")
        self.kind = kind
        self.setting = setting


_SCHEMES = ("http", "https", "rtsp")
_UPSIDE_DOWN = " upside-down"


def parse(text: str) -> CameraChoice:
    """Read the setting; ChoiceError (a ValueError with a kind) if it is none.

    Only its shape counts: a path need not exist (the camera then waits for it). A bare word may be a slip
    (`usb0`) and is none; it can be written as `./word`.
    """
    return replace(_parse(text.removesuffix(_UPSIDE_DOWN)), upside_down=text.endswith(_UPSIDE_DOWN))


def _parse(text: str) -> CameraChoice:
    if not text:
        raise ChoiceError(ChoiceProblem.EMPTY, text)
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
        raise ChoiceError(ChoiceProblem.BAD_NUMBER, f"{kind.value}:{number}")
    return CameraChoice(kind, str(int(number)))


def _address(text: str) -> CameraChoice:
    scheme = text.partition("://")[0].lower()
    if scheme not in _SCHEMES:
        raise ChoiceError(ChoiceProblem.UNKNOWN_SCHEME, text)
    try:
        parts = urlsplit(text)
        has_host = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:  # a port or an IPv6 address that is none
        has_host = False
    if not has_host or " " in text or not text.isprintable():
        raise ChoiceError(ChoiceProblem.BAD_ADDRESS, text)
    return CameraChoice(CameraKind.ADDRESS, text)


def _path(text: str) -> CameraChoice:
    if not re.search(r"[/\\.~]", text) or not text.isprintable():
        raise ChoiceError(ChoiceProblem.UNKNOWN_WORD, text)
    path = Path(text)
    with suppress(RuntimeError, ValueError):  # the home of nobody: then nothing is there
        path = path.expanduser()
    return CameraChoice(CameraKind.PATH, str(path))
