"""Pictures from files: one picture, a folder of pictures, a video."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2

from .picture import CameraError, CameraState, Image
from .source import Pace
from .still import PictureError, PictureProblem, decode

RATE = 10.0
"""Still pictures are delivered again and again at this rate (1/s), as a camera does that looks at a still
scene.
"""

LONGEST = 1920
"""Still pictures are made smaller until their longer side has this many pixels, as a camera would deliver
them.
"""

SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".gif", ".ppm", ".pgm", ".avif", ".jp2"}
)
"""Files with these names count as pictures of a folder."""

VIDEOS = frozenset({".mp4", ".avi", ".mov", ".mkv", ".webm", ".m4v"})
"""Files with these names count as videos of a folder."""

_STATES = {PictureProblem.MISSING: CameraState.MISSING, PictureProblem.DENIED: CameraState.DENIED}
_TEXT = int.from_bytes(b"ansi", "little")


@contextmanager
def _our_errors() -> Iterator[None]:
    """What the system says of a path becomes CameraError MISSING, DENIED or UNREADABLE."""
    try:
        yield
    except FileNotFoundError as error:
        raise CameraError(CameraState.MISSING, str(error)) from error
    except PermissionError as error:  # a folder above it may be closed to us
        raise CameraError(CameraState.DENIED, str(error)) from error
    except OSError as error:
        raise CameraError(CameraState.UNREADABLE, str(error)) from error


def load(path: Path) -> Image:
    """The picture in the file in a camera's size; CameraError MISSING, DENIED or UNREADABLE."""
    try:
        image = decode(path)
    except PictureError as error:
        raise CameraError(_STATES.get(error.kind, CameraState.UNREADABLE), str(error)) from error
    scale = LONGEST / max(image.shape[:2])
    if scale >= 1:
        return image
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype("uint8", copy=False)


class StillSource:
    """One picture file, delivered again and again."""

    detail = ""

    def __init__(self, path: Path) -> None:
        self.source = str(path)
        self._path = path

    def open(self, stop: threading.Event) -> None:
        """Read the file."""
        self._image = load(self._path)
        self._pace = Pace(RATE)

    def read(self, stop: threading.Event) -> Image:
        """The picture, at RATE."""
        self._pace.wait(stop)
        return self._image

    def close(self) -> None:
        """Nothing is held open."""


class VideoSource:
    """A video file at its own rate. At its end: CameraError ENDED."""

    detail = ""

    def __init__(self, path: Path) -> None:
        self.source = str(path)
        self._path = path
        self._video: cv2.VideoCapture | None = None
        self._first: Image | None = None  # what was read to see whether there is anything

    def open(self, stop: threading.Event) -> None:
        """Open the file; UNREADABLE if it is no video, or nothing of one is left. (FFmpeg would also play
        text, like a terminal.)
        """
        self._video = video = cv2.VideoCapture(str(self._path.resolve()), cv2.CAP_FFMPEG)
        if not video.isOpened() or int(video.get(cv2.CAP_PROP_FOURCC)) == _TEXT:
            raise CameraError(CameraState.UNREADABLE, str(self._path))
        rate = video.get(cv2.CAP_PROP_FPS)
        self._pace = Pace(rate if 1 <= rate <= 240 else 25.0)
        self._first = self._next()
        if self._first is None:
            raise CameraError(CameraState.UNREADABLE, str(self._path))

    def read(self, stop: threading.Event) -> Image:
        """The next picture of the video, when it is due."""
        self._pace.wait(stop)
        image = self._next()
        if image is None:
            raise CameraError(CameraState.ENDED, str(self._path))
        return image

    def close(self) -> None:
        """Close the file."""
        if self._video is not None:
            self._video.release()
            self._video = self._first = None

    def _next(self) -> Image | None:
        assert self._video is not None, "read before open"
        first, self._first = self._first, None
        if first is not None:
            return first
        there, image = self._video.read()
        return image.astype("uint8", copy=False) if there else None


class FolderSource:
    """The pictures and videos of a folder in the order of their names, over and over.

    A picture is shown for some seconds, a video once. Files that cannot be read are left out, and named in
    `detail`. The folder is looked at anew in each round.
    """

    def __init__(self, path: Path, seconds: float = 4.0) -> None:
        self.source = str(path)
        self._path, self._seconds = path, seconds
        self._bad: set[str] = set()
        self._names: list[str] = []
        self._shown: StillSource | VideoSource | None = None

    @property
    def detail(self) -> str:
        """The files that could not be read."""
        return ", ".join(sorted(self._bad))

    def open(self, stop: threading.Event) -> None:
        """Begin with the first file that can be read."""
        self._names, self._bad = [], set()
        self._turn(stop)

    def read(self, stop: threading.Event) -> Image:
        """The picture whose turn it is, when it is due."""
        assert self._shown is not None, "read before open"
        if time.monotonic() >= self._until:
            self._turn(stop)
        try:
            return self._shown.read(stop)
        except CameraError as error:
            if error.state is not CameraState.ENDED:
                raise
            self._turn(stop)
            return self._shown.read(stop)

    def close(self) -> None:
        """Close the file that is open."""
        if self._shown is not None:
            self._shown.close()
            self._shown = None

    def _turn(self, stop: threading.Event) -> None:
        """Go on to the next file that can be read, through one whole round at most."""
        waiting = self._names or self._list()
        for index, name in enumerate(waiting):
            try:
                self._show(self._path / name, stop)
            except CameraError:
                self._bad.add(name)
                continue
            self._bad.discard(name)
            self._names = waiting[index + 1 :]
            return
        if not self._names:  # it was a whole round
            raise CameraError(CameraState.UNREADABLE, self.detail)
        self._names = []
        self._turn(stop)

    def _show(self, path: Path, stop: threading.Event) -> None:
        self.close()
        moves = path.suffix.lower() in VIDEOS
        shown = VideoSource(path) if moves else StillSource(path)
        shown.open(stop)
        self._shown = shown
        self._until = float("inf") if moves else time.monotonic() + self._seconds

    def _list(self) -> list[str]:
        with _our_errors():
            files = [path for path in self._path.iterdir() if path.is_file()]
        names = sorted(path.name for path in files if path.suffix.lower() in SUFFIXES | VIDEOS)
        self._bad &= set(names)
        if not names:
            raise CameraError(CameraState.EMPTY, str(self._path))
        return names


class PathSource:
    """A path: looked at each time it is opened, it is a folder, a picture or a video, or not there (yet)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._inner: StillSource | FolderSource | VideoSource = StillSource(path)

    @property
    def source(self) -> str:
        """The path."""
        return str(self._path)

    @property
    def detail(self) -> str:
        """What the folder has to say."""
        return self._inner.detail

    def open(self, stop: threading.Event) -> None:
        """Find out what it is, and open it."""
        self._inner = self._what()
        self._inner.open(stop)

    def read(self, stop: threading.Event) -> Image:
        """The next picture, when it is due."""
        return self._inner.read(stop)

    def close(self) -> None:
        """Close what is open."""
        self._inner.close()

    def _what(self) -> StillSource | FolderSource | VideoSource:
        with _our_errors():
            if self._path.is_dir():
                return FolderSource(self._path)
            is_file = self._path.is_file()
            if is_file:
                self._path.open("rb").close()  # OpenCV does not say that it may not
        if not is_file or cv2.haveImageReader(str(self._path)):
            return StillSource(self._path)  # which also says why a path cannot be read
        return VideoSource(self._path)
