"""The Raspberry Pi's own camera, through `rpicam-vid` writing JPEG pictures to a pipe.

OpenCV's wheel cannot read it, and picamera2 would tie us to the system's numpy; the program does neither.
"""

import json
import os
import re
import select
import shutil
import subprocess
import threading
import time

import numpy as np

from .capture import RATE, SIZE
from .jpeg import JpegSplitter
from .lock import Lock
from .picture import CameraError, CameraState, Image
from .still import decoded

_TOOLS = ("rpicam-vid", "libcamera-vid")  # the second is its name before 2024
_FIRST_S, _NEXT_S = 8.0, 3.0
_ASKED_S = 10.0
_SLICE_S = 0.2
_GAINS = 2  # numbers of a white balance: of red and of blue
_ADAPT_MS = 2000  # in which exposure, white balance and focus find their values
_SAID = 2000

_MODE = "1640:1232"
"""Of the sensor: the one nearest to this sees all that a camera can, be it a v1, v2, v3, HQ or AI. What is
nearest to the pictures' own size sees only the middle: of a v3 two thirds of the width.
"""

_MEANINGS = {
    "no cameras available": CameraState.MISSING,
    "in use by another process": CameraState.BUSY,
    "resource busy": CameraState.BUSY,
    "failed to acquire camera": CameraState.BUSY,
    "permission denied": CameraState.DENIED,
}


def tool() -> str | None:
    """The program that reads the CSI camera, if it is installed."""
    return next((path for name in _TOOLS if (path := shutil.which(name))), None)


def _answer(program: str, *said: str) -> subprocess.CompletedProcess[str]:
    """What the program answers; it need not be text. Raises OSError, and TimeoutExpired."""
    return subprocess.run(
        [program, *said], capture_output=True, text=True, errors="replace", timeout=_ASKED_S, check=False
    )


def is_listed() -> bool:
    """Whether the program is there and lists a CSI camera. It also lists USB cameras, which do not count.

    MISSING if it does not answer, as a machine may not that has just been switched on.
    """
    program = tool()
    if program is None:
        return False
    try:
        done = _answer(program, "--list-cameras")
    except subprocess.TimeoutExpired as error:
        raise CameraError(CameraState.MISSING, str(error)) from error
    except OSError:
        return False
    lines = (done.stdout + done.stderr).splitlines()
    return any(re.match(r"\s*\d+ : ", line) and "usb" not in line.lower() for line in lines)


def meaning(said: str, otherwise: CameraState) -> CameraState:
    """The state in what the program has said before it ended."""
    return next((state for words, state in _MEANINGS.items() if words in said.lower()), otherwise)


def lock_in(said: str) -> Lock:
    """The values that the program's metadata (JSON, an object a picture) name last."""
    pictures = re.findall(r"\{[^{}]*\}", said)
    try:
        last = json.loads(pictures[-1])
        gain = last["AnalogueGain"] * last.get("DigitalGain", 1.0)
        red, blue = last["ColourGains"]
        exposure = float(last["ExposureTime"])
        focus = (round(float(last["LensPosition"]), 3),) if "LensPosition" in last else ()
    except (IndexError, KeyError, TypeError, ValueError):  # an older program, or none that has seen anything
        return Lock()
    return Lock((exposure,), (round(gain, 3),), (round(red, 3), round(blue, 3)), focus)


def options(lock: Lock) -> list[str]:
    """The program's options that hold these values."""
    said = {
        "exposure": "--shutter",
        "gain": "--gain",
        "white_balance": "--awbgains",
        "focus": "--lens-position",
    }
    found = [
        part
        for name, value in lock.values.items()
        for part in (said[name], ",".join(f"{v:g}" if name != "exposure" else f"{v:.0f}" for v in value))
    ]
    return [*found, "--autofocus-mode", "manual"] if lock.focus else found


class CsiSource:
    """The CSI camera number N (a Raspberry Pi 5 has two connectors). Needs `rpicam-vid`: NO_TOOL if it is not
    there.
    """

    detail = ""

    def __init__(self, number: int | None = None) -> None:
        self.source = "csi" if number is None else f"csi:{number}"
        self._number = number or 0
        self._first: Image | None = None
        self._program: subprocess.Popen[bytes] | None = None
        self.held: Lock | None = None
        self._stop = threading.Event()

    def open(self, stop: threading.Event) -> None:
        """Start the program and see that it delivers."""
        program = tool()
        if program is None:
            raise CameraError(CameraState.NO_TOOL, _TOOLS[0])
        self._stop = stop
        self.held = self.held and self.held.of(_GAINS)
        self._splitter, self._said = JpegSplitter(), b""
        self._begun = False
        try:
            self._program = subprocess.Popen(
                [program, *self._arguments(0, "-"), "--flush", *(options(self.held) if self.held else [])],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
            )
        except OSError as error:
            raise CameraError(CameraState.NO_TOOL, str(error)) from error
        self._first = self._newest(stop)

    def _arguments(self, milliseconds: int, output: str) -> list[str]:
        """What it is to do for so long (0: until it is ended), and where the pictures go."""
        width, height = SIZE
        return (
            f"--camera {self._number} --timeout {milliseconds} --nopreview --codec mjpeg --quality 90 "
            f"--verbose=0 --mode {_MODE} --width {width} --height {height} --framerate {RATE} "
            f"--output {output}"
        ).split()

    def hold(self, lock: Lock | None) -> Lock:
        """Hold these values, or those at which the camera arrives by itself; it begins anew with them, unless
        it has or is closed.
        """
        lock = lock and lock.of(_GAINS)
        if lock is not None and (lock == self.held or self._program is None):
            self.held = lock
            return lock
        self.close()
        self.held = self._measured() if lock is None else lock
        self.open(self._stop)
        return self.held

    def free(self) -> None:
        """Let the camera decide again: it begins anew, unless it decides already or is closed."""
        held, self.held = self.held, None
        if held is not None and self._program is not None:
            self.close()
            self.open(self._stop)

    def _measured(self) -> Lock:
        """Let the camera look for a moment, and ask at what it has arrived."""
        program = tool()
        if program is None:
            return Lock()
        try:
            done = _answer(program, *self._arguments(_ADAPT_MS, os.devnull), "--metadata", "-")
        except (OSError, subprocess.TimeoutExpired):
            return Lock()
        return lock_in(done.stdout)

    def read(self, stop: threading.Event) -> Image:
        """The newest picture that has arrived; LOST when the program ends or falls silent."""
        if self._first is not None:
            image, self._first = self._first, None
            return image
        return self._newest(stop)

    def close(self) -> None:
        """End the program, kindly if it lets us."""
        program, self._program = self._program, None
        if program is None:
            return
        program.terminate()
        try:
            program.wait(1)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
        for pipe in (program.stdout, program.stderr):
            if pipe is not None:
                pipe.close()

    def _newest(self, stop: threading.Event) -> Image:
        until = time.monotonic() + (_NEXT_S if self._begun else _FIRST_S)
        while not stop.is_set():
            for jpeg in reversed(self._splitter.feed(self._bytes())):
                image = decoded(np.frombuffer(jpeg, np.uint8))
                if image is not None:  # one that is broken is no reason to begin anew
                    self._begun = True
                    return image
            if time.monotonic() > until:
                raise self._error("silent")
        raise CameraError(CameraState.LOST, "closed")

    def _bytes(self) -> bytes:
        """What the program has written by now; b"" after a moment of silence. Its messages are kept for an
        error.
        """
        assert self._program and self._program.stdout and self._program.stderr, "read before open"
        out, err = self._program.stdout.fileno(), self._program.stderr.fileno()
        ready, _, _ = select.select([out, err], [], [], _SLICE_S)
        if err in ready:
            self._said = (self._said + os.read(err, 4096))[-_SAID:]
        if out not in ready:
            return b""
        if data := os.read(out, 1 << 20):
            return data
        self._said = (self._said + self._rest(err))[-_SAID:]
        raise self._error("ended")

    def _rest(self, err: int) -> bytes:
        """The last messages of a program that has closed its output."""
        ready, _, _ = select.select([err], [], [], _SLICE_S)
        return os.read(err, 4096) if ready else b""

    def _error(self, what: str) -> CameraError:
        said = self._said.decode("utf-8", "replace").strip()
        state = meaning(said, CameraState.LOST if self._begun else CameraState.MISSING)
        return CameraError(state, said.rpartition("\n")[2] or what)
