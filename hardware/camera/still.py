"""Reading still pictures, whatever is in the file."""

from enum import Enum
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from .. import MAX_PIXELS
from .jpeg import SOI, is_cut_off
from .opencv import quiet
from .picture import Image

_BACKGROUND = 128
_STRIP = 256
_PAGE = 4096  # bytes that come to a disk at a time, mostly
_DARK = 16  # so many of the last ones that did may be zeros
_SILENT = (b"BM", b"RIFF", b"P4", b"P5", b"P6")  # BMP, WebP, PBM, PGM, PPM: their decoders miss nothing


class PictureProblem(Enum):
    """Why a picture cannot be read."""

    MISSING = "missing"
    FOLDER = "a folder"
    DENIED = "not allowed"
    UNREADABLE = "unreadable"
    TOO_LARGE = "too large"


class PictureError(Exception):
    """A still picture that cannot be read: `kind`, and a technical `detail` that is not translated."""

    def __init__(self, kind: PictureProblem, detail: str) -> None:
        super().__init__(f"{kind.value}: {detail}")
        self.kind = kind
        self.detail = detail


def decode(path: Path) -> Image:
    """The picture in the file as people see it, BGR (H x W x 3, uint8): turned as EXIF says, unless something
    is transparent.

    Grey, 16-bit and palette pictures become 8-bit BGR; what is transparent shows mid grey, on which both
    light and dark dice stand out. PictureError: MISSING, FOLDER, DENIED, UNREADABLE (garbage, cut off, no
    file), or TOO_LARGE (more than MAX_PIXELS).
    """
    quiet()
    data = _bytes_of(path)
    if is_cut_off(data) or _is_unwritten(data):
        raise PictureError(PictureProblem.UNREADABLE, f"{path}: cut off")
    coded = np.frombuffer(data, np.uint8)
    try:
        # IMREAD_UNCHANGED ignores EXIF's orientation, IMREAD_COLOR what is transparent, which no JPEG is.
        image = None if data.startswith(SOI) else cv2.imdecode(coded, cv2.IMREAD_UNCHANGED)
        if image is None or image.shape[2:] != (4,):
            turned = cv2.imdecode(coded, cv2.IMREAD_COLOR)
            image = image if turned is None else turned  # nothing that bears EXIF has 32 bits
    except cv2.error as error:
        kind = PictureProblem.TOO_LARGE if "CV_IO_MAX_IMAGE" in str(error) else PictureProblem.UNREADABLE
        raise PictureError(kind, f"{path}: {error}") from error
    if image is None:
        raise PictureError(PictureProblem.UNREADABLE, f"{path}: no picture that OpenCV can read")
    return as_bgr(image)


def _bytes_of(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise PictureError(PictureProblem.FOLDER, str(path))
        size = path.stat().st_size
        if not path.is_file() or not size:  # a pipe or a device would never end
            raise PictureError(PictureProblem.UNREADABLE, f"{path}: empty, or no file")
        if size > 3 * MAX_PIXELS:
            raise PictureError(PictureProblem.TOO_LARGE, f"{path}: {size} bytes")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise PictureError(PictureProblem.MISSING, str(path)) from error
    except PermissionError as error:
        raise PictureError(PictureProblem.DENIED, str(path)) from error
    except OSError as error:
        raise PictureError(PictureProblem.UNREADABLE, str(error)) from error


def _is_unwritten(data: bytes) -> bool:
    """Whether the last pages of a file are zeros where its decoder would show black: it was being written
    when the power was cut.
    """
    if not data.startswith(_SILENT) or any(data[-_PAGE:]):
        return False
    written = len(data.rstrip(b"\0"))
    return -written % _PAGE <= _DARK


def decoded(jpeg: NDArray[np.uint8]) -> Image | None:
    """The picture in the bytes of a JPEG as it was taken; None if it is broken."""
    image = cv2.imdecode(jpeg, cv2.IMREAD_UNCHANGED)
    return None if image is None else as_bgr(image)


def as_bgr(image: NDArray[np.generic]) -> Image:
    """A picture of any depth and 1, 3 or 4 channels as BGR, 8 bits; BGRA is laid over mid grey."""
    bits = _eight_bits(image)
    channels = 1 if bits.ndim == 2 else bits.shape[2]
    if channels == 1:
        return np.asarray(cv2.cvtColor(bits, cv2.COLOR_GRAY2BGR), np.uint8)
    return bits if channels == 3 else _over_grey(bits)


def _eight_bits(image: NDArray[np.generic]) -> Image:
    if image.dtype == np.uint8:
        return image.astype(np.uint8, copy=False)
    scale = {"f": 255.0, "u": 1 / 257}.get(image.dtype.kind, 1.0)
    return np.asarray(cv2.convertScaleAbs(np.nan_to_num(image), alpha=scale), np.uint8)


def _over_grey(image: Image) -> Image:
    """BGRA over mid grey, in strips, so that a large picture needs little more memory than itself."""
    out = np.empty((*image.shape[:2], 3), np.uint8)
    for top in range(0, len(image), _STRIP):
        strip = image[top : top + _STRIP].astype(np.uint16)
        alpha = strip[..., 3:]
        out[top : top + _STRIP] = (strip[..., :3] * alpha + _BACKGROUND * (255 - alpha) + 127) // 255
    return out
