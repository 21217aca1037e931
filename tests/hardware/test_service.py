"""The service speaks to a real socket, as systemd's."""

import io
import logging
import os
import socket
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from hardware.service import (
    JournalFormatter,
    NoService,
    PowerError,
    Service,
    goes_to_journal,
    supervisor,
)


class Systemd:
    """The other end: what the service has said, in order."""

    def __init__(self, address: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(address)
        self._socket.setblocking(False)

    def heard(self) -> list[str]:
        """Every message since the last call."""
        found = []
        while True:
            try:
                found.append(self._socket.recv(4096).decode())
            except BlockingIOError:
                return found

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def address(tmp_path: Path) -> str:
    return str(tmp_path / "notify")


@pytest.fixture
def systemd(address: str) -> Iterator[Systemd]:
    end = Systemd(address)
    yield end
    end.close()


def test_ready_is_said_once(systemd: Systemd, address: str) -> None:
    service = Service(address)
    service.ready()
    service.ready()
    assert systemd.heard() == ["READY=1"]


def test_the_watchdog_is_fed_often_enough_and_not_at_every_turn(systemd: Systemd, address: str) -> None:
    """sd_watchdog_enabled(3) recommends half of the time; here it is a quarter."""
    service = Service(address, watchdog_s=20)
    fed = []
    for tenth in range(1000):
        service.alive(tenth / 10)
        fed += [tenth / 10] * len(systemd.heard())
    assert fed[0] == 0
    assert max(b - a for a, b in pairwise(fed)) <= 5.1
    assert len(fed) == 20


def test_without_a_watchdog_nobody_is_fed(systemd: Systemd, address: str) -> None:
    Service(address).alive(1.0)
    assert systemd.heard() == []


def test_a_status_is_one_line_and_told_when_it_changes(systemd: Systemd, address: str) -> None:
    service = Service(address)
    for text in ("Dice\nREADY=1", "Dice READY=1", "Home"):
        service.status(text)
    assert systemd.heard() == ["STATUS=Dice READY=1", "STATUS=Home"]


def test_an_abstract_address_is_understood() -> None:
    name = f"companion-test-{os.getpid()}"
    end = Systemd("\0" + name)
    Service("@" + name).stopping()
    assert end.heard() == ["STOPPING=1"]
    end.close()


def test_a_systemd_that_does_not_listen_ends_nothing(address: str, caplog: pytest.LogCaptureFixture) -> None:
    Service(address, 1.0).alive(0.0)
    assert "does not hear WATCHDOG=1" in caplog.text


def test_the_environment_says_who_has_started_the_program(systemd: Systemd, address: str) -> None:
    assert isinstance(supervisor({}), NoService)
    started = supervisor({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "8000000"})
    for second in range(5):
        started.alive(float(second))
    assert systemd.heard() == ["WATCHDOG=1"] * 3  # at 0, 2 and 4
    other = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "8000000", "WATCHDOG_PID": "1"}
    supervisor(other).alive(0.0)
    assert systemd.heard() == []


def test_whoever_was_started_by_a_person_tells_nobody_and_switches_nothing_off() -> None:
    nobody = supervisor({})
    nobody.ready()
    nobody.alive(0.0)
    nobody.status("Home")
    nobody.stopping()
    assert not nobody.can_switch_off
    with pytest.raises(PowerError):
        nobody.switch_off()


def fake_systemctl(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    command = folder / "systemctl"
    command.write_text(f'#!/bin/sh\necho "$*" >"{folder}/called"\n{text}\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder / "called"


def test_the_machine_is_switched_off_through_systemd(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = fake_systemctl(tmp_path, "exit 0", monkeypatch)
    Service(address).switch_off()
    assert called.read_text() == "--no-ask-password poweroff\n"


@pytest.mark.parametrize(
    ("does", "says"), [("echo 'Access denied' >&2; exit 1", "Access denied"), ("exit 4", "systemctl: 4")]
)
def test_a_refusal_is_told_in_its_own_words(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch, does: str, says: str
) -> None:
    fake_systemctl(tmp_path, does, monkeypatch)
    with pytest.raises(PowerError, match=says):
        Service(address).switch_off()


def test_a_machine_without_systemctl_says_so(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PowerError, match="systemctl"):
        Service(address).switch_off()


# The journal


def test_every_line_of_a_record_bears_its_priority() -> None:
    try:
        raise ValueError("odd")
    except ValueError:
        record = logging.LogRecord("eye", logging.ERROR, "", 0, "it %s", ("failed",), sys.exc_info())
    lines = JournalFormatter("%(name)s: %(message)s").format(record).splitlines()
    assert lines[0] == "<3>eye: it failed" and len(lines) > 3
    assert all(line.startswith("<3>") for line in lines)


def test_the_journal_is_known_by_its_file(tmp_path: Path) -> None:
    with (tmp_path / "journal").open("w") as stream:
        found = os.fstat(stream.fileno())
        name = f"{found.st_dev}:{found.st_ino}"
        assert goes_to_journal(stream, {"JOURNAL_STREAM": name})
        assert not goes_to_journal(stream, {"JOURNAL_STREAM": "8:15"})
        assert not goes_to_journal(stream, {})
    assert not goes_to_journal(io.StringIO(), {"JOURNAL_STREAM": name})
