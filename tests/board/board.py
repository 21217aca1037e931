"""The emulated board, seen from outside: its power, pins, camera and screen, and a shell in it."""

import base64
import gzip
import json
import os
import shlex
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
BUILT = Path(os.environ.get("BOARD") or CACHE / "tabletop-companion" / "board")
SIZE = (800, 480)
PATIENCE_S = 300.0  # an emulated board is slow, and this machine may be busy
Image = NDArray[np.uint8]
Found = TypeVar("Found")


class GuestError(Exception):
    """A command on the board failed; the text has what it said."""


class Channel:
    """JSON, a line each way, to QEMU's monitor or to its agent on the board."""

    def __init__(self) -> None:
        self._end, self.theirs = socket.socketpair()
        self._lines = b""

    def ask(self, command: str, seconds: float = 60, **arguments: Any) -> Any:
        """Its answer; TimeoutError if none comes."""
        self._send(command, arguments)
        return self._answer(time.monotonic() + seconds)

    def meet(self, until: float) -> None:
        """Until the agent answers; what it was asked before that is answered, too."""
        number = met = 0
        while met < number or not number:
            number += 1
            self._send("guest-sync", {"id": number})
            try:
                while met < number:
                    met = self._answer(time.monotonic() + 2)
            except TimeoutError:
                if time.monotonic() > until:
                    raise

    def _send(self, command: str, arguments: dict[str, Any]) -> None:
        self._end.settimeout(None)
        self._end.sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")

    def _answer(self, until: float) -> Any:
        while True:
            reply = self._next(until)
            if "error" in reply:
                raise GuestError(reply["error"]["desc"])
            if "return" in reply:
                return reply["return"]

    def _next(self, until: float) -> dict[str, Any]:
        while b"\n" not in self._lines:
            self._end.settimeout(max(0.001, until - time.monotonic()))
            said = self._end.recv(1 << 20)
            if not said:
                raise EOFError("QEMU has ended")
            self._lines += said
        line, _, self._lines = self._lines.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found

    def close(self) -> None:
        self._end.close()
        self.theirs.close()


class Board:
    """A board with a disk of its own, on until `close`."""

    def __init__(self, disk: Path) -> None:
        self._disk = disk
        self._on = False
        self.power_on()

    # power

    def power_on(self) -> None:
        """Switch it on; see `wait_until_up`."""
        self._monitor, self._agent = Channel(), Channel()
        ends = [channel.theirs.fileno() for channel in (self._monitor, self._agent)]
        words: list[str | Path] = [
            "setpriv", "--pdeathsig", "KILL",  # it ends with the test, whatever becomes of that
            "qemu-system-aarch64", *(HERE / "machine").read_text().split(), "-accel", "tcg,thread=multi",
            "-nodefaults", "-display", "none", "-no-reboot", "-dtb", BUILT / "board.dtb",
            "-kernel", BUILT / "vmlinuz", "-initrd", BUILT / "initrd",
            "-append", "root=/dev/vda rw console=ttyAMA0 quiet systemd.show_status=0",
            "-serial", f"file:{BUILT}/console",
            "-drive", f"if=none,id=disk,format=qcow2,file={self._disk}",
            "-device", "virtio-blk-pci,drive=disk",
            "-device", f"virtio-gpu-pci,xres={SIZE[0]},yres={SIZE[1]}", "-device", "virtio-rng-pci",
            "-chardev", f"socket,id=monitor,fd={ends[0]}", "-mon", "chardev=monitor,mode=control",
            "-chardev", f"socket,id=agent,fd={ends[1]}", "-device", "virtio-serial-pci",
            "-device", "virtserialport,chardev=agent,name=org.qemu.guest_agent.0",
        ]  # fmt: skip
        self.switched_on = time.monotonic()
        self._machine = subprocess.Popen(words, pass_fds=ends, stdin=subprocess.DEVNULL)
        self._on = True
        for channel in (self._monitor, self._agent):
            channel.theirs.close()
        self._monitor.ask("qmp_capabilities")

    def wait_until_up(self) -> float:
        """Until a shell answers; how many seconds after it was switched on."""
        self._agent.meet(time.monotonic() + PATIENCE_S)
        return time.monotonic() - self.switched_on

    def pull_plug(self) -> None:
        """No power, at once: what was not on the disk is lost."""
        self._machine.kill()
        self._off()

    def shut_down(self) -> None:
        """As it is meant to be."""
        self.sh("systemctl --no-block poweroff")
        self.wait_until_off()

    def wait_until_off(self) -> None:
        """Until it has switched itself off."""
        self._machine.wait(PATIENCE_S)
        self._off()

    def close(self) -> None:
        """Switch it off, if it is on."""
        if self._on:
            self.pull_plug()

    def _off(self) -> None:
        self._machine.wait()
        self._monitor.close()
        self._agent.close()
        self._on = False

    # a shell

    def run(self, command: str, seconds: float = PATIENCE_S, given: bytes = b"") -> tuple[int, str]:
        """Run a command as root, which reads what is `given`: its status, and all that it said."""
        child = self._agent.ask(
            "guest-exec", 60, path="/bin/sh", arg=["-c", f"exec 2>&1; {command}"],
            **{"input-data": base64.b64encode(given).decode(), "capture-output": True},
        )  # fmt: skip
        done = until(lambda: self._ended(child["pid"]), f"the end of {command}", seconds)
        said = base64.b64decode(done.get("out-data", "")).decode(errors="replace")
        return int(done.get("exitcode", 128 + done.get("signal", 0))), said

    def _ended(self, pid: int) -> dict[str, Any] | None:
        state: dict[str, Any] = self._agent.ask("guest-exec-status", pid=pid)
        return state if state["exited"] else None

    def sh(self, command: str, seconds: float = PATIENCE_S, given: bytes = b"") -> str:
        """As `run`, for what must succeed."""
        status, said = self.run(command, seconds, given)
        if status:
            raise GuestError(f"{command}: {status}\n{said}")
        return said.rstrip("\n")

    def put(self, content: bytes, path: str) -> None:
        """Write a file, at once or not at all."""
        name = shlex.quote(path)
        self.sh(f"gzip -d >{name}.new && mv {name}.new {name}", given=gzip.compress(content, 1))

    def get(self, path: str) -> bytes:
        """Read a file."""
        return base64.b64decode(self.sh(f"base64 -w 0 {shlex.quote(path)}"))

    # what is around it

    def pin(self, number: int, high: bool) -> None:
        """Join a pin to 3.3 V or to ground."""
        self.sh(f"echo pull-{'up' if high else 'down'} >{_pin(number)}/pull")

    def press(self, number: int, seconds: float) -> None:
        """Join a pin to ground for so long, by the board's own clock: a button."""
        pull = f"{_pin(number)}/pull"
        self.sh(f"echo pull-down >{pull}; sleep {seconds}; echo pull-up >{pull}")

    def level(self, number: int) -> bool:
        """Whether a pin is high."""
        return self.sh(f"cat {_pin(number)}/value") == "1"

    def touch(self, x: int, y: int) -> None:
        """A finger taps the screen."""
        self.sh(f"echo {x} {y} >/run/touch")

    def show(self, scene: Image) -> None:
        """Put a picture (H x W x 3, BGR) before the camera, which runs from the first one on."""
        high, wide = scene.shape[:2]
        self.put(yuyv(scene).tobytes(), "/run/scene")
        if self.run("systemctl is-active board-camera")[0]:
            told = "-p Type=notify -p NotifyAccess=all"  # once a picture is there: before, a camera is not
            self.sh(f"systemd-run -qG --unit board-camera {told} python3 /opt/board/camera.py {wide} {high}")

    def screen(self, picture: Path | None = None) -> Image:
        """What the screen shows (H x W x 3, BGR); kept as a picture, too."""
        file = picture or BUILT / "screen.png"
        self._monitor.ask("screendump", filename=str(file), format="png")
        image = cv2.imread(str(file))
        assert image is not None
        return np.asarray(image, np.uint8)


def until(look: Callable[[], Found | None], what: str, seconds: float = PATIENCE_S) -> Found:
    """What `look` finds, as soon as it finds anything."""
    limit = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < limit, f"in vain waited for {what}"
        time.sleep(0.1)
    return found


def overlay(disk: Path, over: Path, kind: str = "qcow2") -> Path:
    """A disk that begins as another one, which stays as it is."""
    subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", kind, "-b", over, disk], check=True)
    return disk


def yuyv(bgr: Image) -> Image:
    """A picture as cameras deliver it (H x W x 2, W even): luma, and one of two colours in turn."""
    y, u, v = cv2.split(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV))
    limited = [np.clip(16 + y * (219 / 255), 16, 235)]
    limited += [np.clip(128 + (c.astype(np.float32) - 128) * 224 / 255, 16, 240) for c in (u, v)]
    chroma = np.where(np.arange(bgr.shape[1]) % 2, limited[2], limited[1])
    return np.stack([limited[0], chroma], axis=2).round().astype(np.uint8)


def _pin(number: int) -> str:
    return f"$(echo /sys/devices/platform/gpio-sim*/gpiochip*/sim_gpio{number})"
