"""A real broker on loopback, for the tests that want one; they are skipped where it is not installed."""

import getpass
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

PROGRAM = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
needs_mosquitto = pytest.mark.skipif(
    PROGRAM is None, reason="mosquitto is not installed: apt-get install mosquitto"
)


def until(so: Callable[[], object], seconds: float = 20.0) -> None:
    """Wait until something that another thread does is so."""
    limit = time.monotonic() + seconds
    while not so():
        assert time.monotonic() < limit, "it never came"
        threading.Event().wait(0.01)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Mosquitto:
    """The broker; it keeps nothing when it ends."""

    def __init__(self, folder: Path, lines: str = "allow_anonymous true") -> None:
        self.port, self._file = free_port(), folder / "mosquitto.conf"
        self._file.write_text(f"user {getpass.getuser()}\nlistener {self.port} 127.0.0.1\n{lines}\n")
        self.start()

    def start(self) -> None:
        """Begin, or begin again on the same port."""
        assert PROGRAM
        self.process = subprocess.Popen([PROGRAM, "-c", str(self._file)], stderr=subprocess.DEVNULL)
        until(self._listens)

    def _listens(self) -> bool:
        assert self.process.poll() is None, "mosquitto has ended"
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        """End."""
        self.process.terminate()
        self.process.wait()


class Listener:
    """One who hears everything: the newest text of each topic."""

    def __init__(self, port: int) -> None:
        self.heard: dict[str, bytes] = {}
        self.retained: dict[str, bool] = {}
        self._client = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
        self._client.on_message = self._hear
        self._client.connect("127.0.0.1", port)
        self._client.subscribe("#", 1)
        self._client.loop_start()

    def _hear(self, client: Any, data: Any, message: paho.MQTTMessage) -> None:
        self.retained[message.topic] = message.retain
        self.heard[message.topic] = bytes(message.payload)

    def hears(self, expected: Mapping[str, bytes]) -> None:
        """Wait until these are the newest texts."""
        until(lambda: expected.items() <= self.heard.items())

    def close(self) -> None:
        """Hear no more."""
        self._client.disconnect()
        self._client.loop_stop()
