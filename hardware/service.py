"""The service: what systemd is told of the program that it has started, and the machine that is switched off.

The protocol of notifications is that of sd_notify(3): lines of text to the datagram socket NOTIFY_SOCKET.
"""

import logging
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from typing import Protocol, TextIO

SWITCH_OFF = ("systemctl", "--no-ask-password", "poweroff")
PATIENCE_S = 10.0  # until systemctl has passed it on; it does not wait for the end


class PowerError(Exception):
    """The machine could not be switched off; the text is the system's own."""


class Supervisor(Protocol):
    """Whoever has started the program and looks after it."""

    can_switch_off: bool
    """Whether the program may switch the machine off."""

    def ready(self) -> None:
        """Say that the first picture has been shown."""

    def alive(self, now: float) -> None:
        """Say that the loop goes round, at the time `now` in seconds; as often as is wanted."""

    def status(self, text: str) -> None:
        """Say in a line what goes on."""

    def stopping(self) -> None:
        """Say that the program ends."""

    def switch_off(self) -> None:
        """Switch the machine off. Raises `PowerError`."""


class NoService:
    """Stands in where a person has started the program: nobody is told anything."""

    can_switch_off = False

    def ready(self) -> None:
        """Nobody waits for it."""

    def alive(self, now: float) -> None:
        """Nobody asks."""

    def status(self, text: str) -> None:
        """Nobody reads it."""

    def stopping(self) -> None:
        """Nobody waits for it."""

    def switch_off(self) -> None:
        """Refuse: it is a person's machine."""
        raise PowerError("not started as a service")


NOBODY = NoService()


class Service:
    """systemd, at the other end of a datagram socket."""

    can_switch_off = True

    def __init__(self, address: str, watchdog_s: float | None = None) -> None:
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._interval = watchdog_s and watchdog_s / 4  # half would do; a turn of the loop may be late
        self._fed = float("-inf")
        self._ready, self._status = False, ""

    def ready(self) -> None:
        """Say once that the start is over."""
        if not self._ready:
            self._ready = True
            self._send("READY=1")

    def alive(self, now: float) -> None:
        """Feed the watchdog, if there is one and it is time."""
        if self._interval and now - self._fed >= self._interval:
            self._fed = now
            self._send("WATCHDOG=1")

    def status(self, text: str) -> None:
        """Show another line in `systemctl status`."""
        line = " ".join(text.split())
        if line != self._status:
            self._status = line
            self._send(f"STATUS={line}")

    def stopping(self) -> None:
        """Say that the end has begun."""
        self._send("STOPPING=1")

    def switch_off(self) -> None:
        """Ask systemd to switch the machine off, which ends the program in the usual way."""
        try:
            done = subprocess.run(SWITCH_OFF, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise PowerError(str(error)) from error
        if done.returncode:
            raise PowerError(done.stderr.strip() or f"{SWITCH_OFF[0]}: {done.returncode}")

    def _send(self, line: str) -> None:
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                sender.setblocking(False)  # a full queue must not hold the loop
                sender.sendto(line.encode(), self._address)
        except OSError as error:
            logging.getLogger(__name__).warning("systemd does not hear %s: %s", line, error)


def supervisor(environment: Mapping[str, str] = os.environ) -> Supervisor:
    """Whoever has started this process, as its environment says."""
    address = environment.get("NOTIFY_SOCKET")
    if not address:
        return NoService()
    mine = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    microseconds = int(environment.get("WATCHDOG_USEC", "0")) if mine else 0
    return Service(address, microseconds / 1e6 or None)


# The journal

PRIORITIES = {"DEBUG": 7, "INFO": 6, "WARNING": 4, "ERROR": 3, "CRITICAL": 2}


class JournalFormatter(logging.Formatter):
    """Marks each line with its priority, as sd-daemon(3) has it; the journal adds time and name itself."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record, every line of it marked."""
        mark = f"<{PRIORITIES[record.levelname]}>"
        return "\n".join(mark + line for line in super().format(record).splitlines())


def goes_to_journal(stream: TextIO = sys.stderr, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether what is written to the stream lands in systemd's journal."""
    try:
        found = os.fstat(stream.fileno())
    except (OSError, ValueError):  # no real file
        return False
    return environment.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"
