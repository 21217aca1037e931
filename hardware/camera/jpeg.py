"""Finding whole JPEG pictures in a stream of bytes, and whether one ends, without decoding.

Markers: ITU-T T.81, table B.1. In the coded data every FF is followed by 00 or a restart marker, so that
after the first scan begins, the first FF D9 is the end of the picture. So it is in JPEG 2000 (ITU-T T.800,
table A.1), where nothing above FF 8F is in the coded data.
"""

from collections.abc import Iterator
from contextlib import suppress

SOI, _EOI = b"\xff\xd8", b"\xff\xd9"
_SOS = 0xDA
_SOD = b"\xff\x93"
_JPEG_2000 = (b"\0\0\0\x0cjP  \r\n\x87\n", b"\xff\x4f\xff\x51")  # in boxes, and without
_LARGEST = 16 << 20


def segment(data: bytes | bytearray, at: int) -> tuple[int, int] | None:
    """The marker at `at` and where the next one stands; None if the bytes end before. ValueError: no marker
    there.
    """
    if len(data) < at + 4:
        return None
    if data[at] != 0xFF:
        raise ValueError("no JPEG marker")
    if data[at + 1] == 0xFF:  # a fill byte
        return 0xFF, at + 1
    return data[at + 1], at + 2 + (data[at + 2] << 8 | data[at + 3])


class JpegSplitter:
    """Cuts a stream of JPEG pictures written one after the other (`rpicam-vid --codec mjpeg -o -`) into
    pictures.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._at = 0
        self._in_scan = False

    def feed(self, data: bytes) -> list[bytes]:
        """Add bytes; return the pictures that are now complete, oldest first."""
        self._buffer += data
        pictures = []
        while (picture := self._next()) is not None:
            pictures.append(picture)
        if len(self._buffer) > _LARGEST:
            self._drop(len(self._buffer))
        return pictures

    def _next(self) -> bytes | None:
        if not self._in_scan and not self._find_scan():
            return None
        end = self._buffer.find(_EOI, self._at)
        if end < 0:
            self._at = max(self._at, len(self._buffer) - 1)
            return None
        picture = bytes(self._buffer[: end + 2])
        self._drop(end + 2)
        return picture

    def _find_scan(self) -> bool:
        """Go to the coded data of the next picture, leaving out what is no picture."""
        while True:
            if not self._at and not self._find_start():
                return False
            try:
                found = segment(self._buffer, self._at)
            except ValueError:
                self._drop(2)
                continue
            if found is None or found[1] > len(self._buffer):
                return False
            self._in_scan = found[0] == _SOS
            self._at = found[1]
            if self._in_scan:
                return True

    def _find_start(self) -> bool:
        start = self._buffer.find(SOI)
        self._drop(start if start >= 0 else max(0, len(self._buffer) - 1))
        self._at = 2 if start >= 0 else 0
        return start >= 0

    def _drop(self, count: int) -> None:
        del self._buffer[:count]
        self._at, self._in_scan = 0, False


def is_cut_off(data: bytes) -> bool:
    """Whether the coded data of a JPEG, or of a JPEG 2000, begin and do not end: decoders make up what is
    missing of it.
    """
    if data.startswith(_JPEG_2000):
        return data.find(_EOI, data.find(_SOD)) < 0
    with suppress(ValueError):
        return any(marker == _SOS and data.find(_EOI, at) < 0 for marker, at in _segments(data))
    return False


def _segments(data: bytes) -> Iterator[tuple[int, int]]:
    """The markers of a JPEG up to its coded data, and where they stand. ValueError as for `segment`."""
    at = len(SOI)
    while data.startswith(SOI) and (found := segment(data, at)) is not None:
        yield found[0], at
        if found[0] == _SOS:
            return
        at = found[1]
