"""From a choice to its source; and `auto`, the first camera that really delivers."""

import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from . import csi, v4l2
from .capture import AddressSource, UsbSource
from .choice import CameraChoice, CameraKind
from .csi import CsiSource
from .files import PathSource
from .lock import Holding, Lock
from .picture import CameraError, CameraState, Image
from .source import Source


def usb_sources() -> list[Source]:
    """The USB cameras that are there, also those that may not be opened. Beyond Linux: the first four
    numbers.
    """
    return [UsbSource(number) for number in range(len(v4l2.usb_cameras()) if sys.platform == "linux" else 4)]


def _csi_sources() -> list[Source]:
    return [CsiSource()] if csi.is_listed() else []


class AutoSource:
    """The first USB camera that delivers, else the CSI camera; looked for anew each time it is opened.

    The CSI camera is looked for until there is an answer, and not again: its ribbon is not plugged in while
    the power is on, and asking is dear.
    """

    def __init__(self, usb: Callable[[], Sequence[Source]], csi: Callable[[], Sequence[Source]]) -> None:
        self._usb, self._find_csi = usb, csi
        self._csi: Sequence[Source] | None = None
        self._chosen: Source | None = None
        self.held: Lock | None = None

    @property
    def source(self) -> str:
        """What was found, or `auto`."""
        return self._chosen.source if self._chosen else "auto"

    @property
    def detail(self) -> str:
        """The name of what was found."""
        return self._chosen.detail if self._chosen else ""

    def open(self, stop: threading.Event) -> None:
        """Try them in turn. DENIED or BUSY if that is why one cannot be used, else MISSING."""
        errors = [error for source in self._usb() if (error := self._try(source, stop))]
        if self._open is None:
            try:
                self._csi = self._find_csi() if self._csi is None else self._csi
                errors += [error for source in self._csi if (error := self._try(source, stop))]
            except CameraError as error:
                errors.append(error)
        if self._open is None:
            raise next((e for e in errors if e.state in v4l2.TELLING), CameraError(CameraState.MISSING))

    _open: Source | None = None

    def _try(self, source: Source, stop: threading.Event) -> CameraError | None:
        """Open it, unless one is open already."""
        if self._open is not None:
            return None
        if isinstance(source, Holding):
            source.held = self.held
        try:
            source.open(stop)
        except CameraError as error:
            source.close()
            return error
        self._open = self._chosen = source
        return None

    def hold(self, lock: Lock | None) -> Lock:
        """Hold what the camera found can hold."""
        self.held = self._chosen.hold(lock) if isinstance(self._chosen, Holding) else Lock()
        return self.held

    def free(self) -> None:
        """Let the camera that was found decide again."""
        self.held = None
        if isinstance(self._chosen, Holding):
            self._chosen.free()

    def read(self, stop: threading.Event) -> Image:
        """The next picture of the camera found."""
        assert self._open is not None, "read before open"
        return self._open.read(stop)

    def close(self) -> None:
        """Give it back."""
        if self._open is not None:
            self._open.close()
            self._open = None


def source_for(choice: CameraChoice) -> Source:
    """The source that a choice means. Nothing is opened."""
    match choice.kind:
        case CameraKind.AUTO:
            return AutoSource(usb_sources, _csi_sources)
        case CameraKind.USB:
            return UsbSource(int(choice.value) if choice.value.isdigit() else choice.value)
        case CameraKind.CSI:
            return CsiSource(int(choice.value) if choice.value else None)
        case CameraKind.ADDRESS:
            return AddressSource(choice)
        case CameraKind.PATH:
            return PathSource(Path(choice.value))
