"""The broker, with links that fail as networks do, and with a real one: it keeps nobody waiting."""

import contextlib
import itertools
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware import broker as module
from hardware.broker import (
    LONGEST_S,
    SHORTEST_S,
    Account,
    Broker,
    BrokerError,
    BrokerState,
    Link,
    connector,
    pauses,
)
from tests.mosquitto import Listener, Mosquitto, needs_mosquitto, until

ROOT = Path(__file__).resolve().parent.parent.parent


class FakeLink:
    """A connection that a test can hold up and cut."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes]] = []
        self.delivered, self.closed, self.denied = True, False, ""
        self.cut: BrokerError | None = None
        self.turns = 0

    def turn(self, timeout: float) -> None:
        threading.Event().wait(0.001)
        self.turns += 1
        if self.cut:
            raise self.cut

    def send(self, topic: str, text: bytes) -> None:
        self.sent.append((topic, text))

    def close(self) -> None:
        self.closed = True

    def goes_round(self) -> None:
        """Wait until the thread has had two whole turns."""
        before = self.turns
        until(lambda: self.turns >= before + 2)


class Network:
    """Where connections come from: one after the other as they stand in the list, errors among them."""

    def __init__(self, *outcomes: FakeLink | BrokerError) -> None:
        self.outcomes = list(outcomes)
        self.attempts = 0

    def __call__(self) -> Link:
        outcome = self.outcomes[min(self.attempts, len(self.outcomes) - 1)]
        self.attempts += 1
        if isinstance(outcome, BrokerError):
            raise outcome
        return outcome


Open = Callable[[Callable[[], Link]], Broker]


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens brokers that try again at once, and closes them at the end."""
    with contextlib.ExitStack() as stack:

        def build(connect: Callable[[], Link]) -> Broker:
            broker = Broker(connect, "t/status", pauses=lambda: itertools.repeat(0.001))
            stack.callback(broker.close)
            return broker

        yield build


def posts_a_lot(broker: Broker) -> None:
    for number in range(1000):
        broker.post("t/game", b"%d" % number)


LOST = BrokerError(BrokerState.UNREACHABLE, "the cable")


def test_news_are_sent_and_the_table_is_there_from_the_beginning(opened: Open) -> None:
    link = FakeLink()
    broker = opened(Network(link))
    broker.post("t/game", b"one")
    until(lambda: len(link.sent) == 2)
    broker.post("t/game", b"two")
    until(lambda: len(link.sent) == 3)
    assert dict(link.sent[:2]) == {"t/status": b"online", "t/game": b"one"} and link.sent[2] == (
        "t/game",
        b"two",
    )
    assert broker.status.state is BrokerState.CONNECTED
    broker.close()
    assert link.closed


def test_nobody_waits_for_a_broker_that_does_not_answer(opened: Open) -> None:
    """The attempt to connect hangs for ever: what is posted is taken all the same, and the end comes too."""
    held = threading.Event()

    def hangs() -> Link:
        held.wait()
        raise LOST

    broker = opened(hangs)
    poster = threading.Thread(target=posts_a_lot, args=(broker,))
    poster.start()
    poster.join(20)
    assert not poster.is_alive()
    closer = threading.Thread(target=broker.close)
    closer.start()
    closer.join(20)
    assert not closer.is_alive()
    held.set()


def test_a_link_that_hangs_in_the_middle_keeps_nobody_waiting(opened: Open) -> None:
    held, inside, link = threading.Event(), threading.Event(), FakeLink()

    def hang(topic: str, text: bytes) -> None:
        inside.set()
        held.wait()

    link.send = hang  # type: ignore[method-assign]
    broker = opened(Network(link))
    assert inside.wait(20)
    poster = threading.Thread(target=posts_a_lot, args=(broker,))
    poster.start()
    poster.join(20)
    assert not poster.is_alive()
    held.set()


def test_while_the_broker_is_away_the_newest_of_each_topic_is_kept_and_nothing_else(opened: Open) -> None:
    network, link = Network(LOST), FakeLink()
    broker = opened(network)
    for number in range(10_000):
        broker.post(f"t/{number % 3}", b"%d" % number)
    assert len(broker._board) == 4 and len(broker._news) <= 4
    network.outcomes.append(link)
    network.attempts = 1
    until(lambda: len(link.sent) >= 4)
    link.goes_round()
    newest = {"t/0": b"9999", "t/1": b"9997", "t/2": b"9998"}
    assert dict(link.sent) == {"t/status": b"online"} | newest and len(link.sent) == 4


def test_after_every_connection_all_is_told_anew(opened: Open) -> None:
    """A broker that was started again may have forgotten everything."""
    first, second = FakeLink(), FakeLink()
    broker = opened(Network(first, LOST, LOST, second))
    broker.post("t/game", b"one")
    until(lambda: len(first.sent) == 2)
    first.cut = LOST
    until(lambda: len(second.sent) == 2)
    assert first.closed and dict(second.sent) == {"t/status": b"online", "t/game": b"one"}


def test_what_the_broker_has_not_confirmed_is_waited_for(opened: Open) -> None:
    """So that nothing piles up in a connection that is stuck: of many news the newest goes out."""
    link = FakeLink()
    broker = opened(Network(link))
    until(lambda: len(link.sent) == 1)
    link.delivered = False
    link.goes_round()
    for number in range(100):
        broker.post("t/game", b"%d" % number)
    link.goes_round()
    assert len(link.sent) == 1
    link.delivered = True
    until(lambda: len(link.sent) > 1)
    assert link.sent[1:] == [("t/game", b"99")]


def test_the_last_news_go_out_before_the_end(opened: Open) -> None:
    link = FakeLink()
    broker = opened(Network(link))
    until(lambda: broker.status.state is BrokerState.CONNECTED)
    broker.post("t/game", b"over")
    broker.close()
    assert ("t/game", b"over") in link.sent and link.closed


def test_a_broker_never_reached_is_another_matter_than_one_that_was_lost(opened: Open) -> None:
    link = FakeLink()
    network = Network(LOST)
    broker = opened(network)
    until(lambda: broker.status.state is BrokerState.UNREACHABLE)
    assert broker.status.detail == "the cable"
    network.outcomes, network.attempts = [link, LOST], 0
    until(lambda: broker.status.state is BrokerState.CONNECTED)
    link.cut = LOST
    until(lambda: broker.status.state is BrokerState.LOST)


def test_a_refusal_is_tried_again(opened: Open) -> None:
    """Somebody may mend the account at the broker."""
    link = FakeLink()
    network = Network(BrokerError(BrokerState.REFUSED, "Not authorized"))
    broker = opened(network)
    until(lambda: broker.status.state is BrokerState.REFUSED)
    network.outcomes, network.attempts = [link], 0
    until(lambda: broker.status.state is BrokerState.CONNECTED)


def test_a_broker_that_does_not_take_what_it_is_told_is_not_well_though_it_is_there(opened: Open) -> None:
    link = FakeLink()
    broker = opened(Network(link))
    until(lambda: broker.status.state is BrokerState.CONNECTED)
    link.denied = "t/game: Not authorized"
    until(lambda: broker.status.state is BrokerState.DENIED)
    assert broker.status.detail == link.denied and not link.closed
    link.denied = ""
    until(lambda: broker.status.state is BrokerState.CONNECTED)


def test_what_a_broker_does_not_take_it_is_told_again_now_and_then(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody may have allowed it meanwhile; much of it is told only once else."""
    link = FakeLink()
    broker = opened(Network(link))
    broker.post("t/config", b"x")
    until(lambda: len(link.sent) == 2)
    link.goes_round()
    assert len(link.sent) == 2
    monkeypatch.setattr("hardware.broker.LONGEST_S", 0.05)
    link.denied = "t/config: Not authorized"
    until(lambda: link.sent.count(("t/config", b"x")) >= 3)


def test_two_tables_of_one_name_do_not_oust_each_other_for_ever(opened: Open) -> None:
    link = FakeLink()
    network = Network(link)
    broker = opened(network)
    until(lambda: broker.status.state is BrokerState.CONNECTED)
    link.cut = BrokerError(BrokerState.TAKEN, "Session taken over")
    broker._thread.join(20)
    assert not broker._thread.is_alive()
    assert broker.status.state is BrokerState.TAKEN and network.attempts == 1


def test_the_pauses_between_attempts_begin_anew_after_a_connection_that_has_lasted(
    ends: contextlib.ExitStack, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begun, link = list[Iterator[float]](), FakeLink()

    def pauses() -> Iterator[float]:
        begun.append(itertools.repeat(0.001))
        return begun[-1]

    network = Network(LOST, LOST, link, LOST)
    ends.callback(Broker(network, "t/status", pauses=pauses).close)
    until(lambda: link.turns > 0)
    assert len(begun) == 1 and caplog.text.count("no broker") == 1, "nor is the log filled"
    monkeypatch.setattr(module, "LONGEST_S", 0.0)
    link.cut = LOST
    until(lambda: len(begun) > 1)


def test_the_pauses_between_attempts_grow_to_a_limit_and_differ_between_tables() -> None:
    one, other = (list(itertools.islice(pauses(random.Random(seed)), 30)) for seed in (1, 2))
    assert SHORTEST_S / 2 <= one[0] <= SHORTEST_S
    assert all(LONGEST_S / 2 <= pause <= LONGEST_S for pause in one[10:])
    assert not set(one) & set(other)


def test_the_password_is_not_in_what_is_printed() -> None:
    account = Account(host="h", port=1, client="c", username="u", password="geheim")
    assert "geheim" not in repr(account)


# paho-mqtt


def account(port: int, **more: object) -> Account:
    return Account(**({"host": "127.0.0.1", "port": port, "client": "tabletop-t"} | more))  # type: ignore[arg-type]


def reached(account: Account) -> Callable[[], Link]:
    return connector(account, "t/status")


def test_without_paho_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for missing in ("paho.mqtt", "paho.mqtt.enums"):  # the second: paho-mqtt 1
        with monkeypatch.context() as here:
            here.setitem(sys.modules, missing, None)
            with pytest.raises(BrokerError) as caught:
                reached(account(1))
        assert caught.value.state is BrokerState.NO_PAHO


def test_whoever_wants_no_broker_does_not_wait_for_its_import() -> None:
    code = (
        "import sys, companion.opening; sys.exit(bool({'paho', 'ssl', 'hardware.broker'} & {*sys.modules}))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_a_file_that_is_no_certificate_is_named(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_text("no certificate")
    with pytest.raises(BrokerError) as caught:
        reached(account(1, tls=True, authority=file))
    assert (caught.value.state, caught.value.detail) == (BrokerState.NO_CERTIFICATE, str(file))


def test_a_machine_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE_S", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        with pytest.raises(BrokerError) as caught:
            reached(account(silent.getsockname()[1]))()
        with silent.accept()[0] as other:
            other.settimeout(5)
            while other.recv(1000):
                pass  # until the connection is closed
    assert (caught.value.state, caught.value.detail) == (BrokerState.UNREACHABLE, "no answer")


@pytest.mark.parametrize("host", ["127.0.0.1", "no-such-machine.invalid", "a..b"])
def test_no_broker_is_no_traceback(host: str) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # nobody listens
        with pytest.raises(BrokerError) as caught:
            reached(account(unused.getsockname()[1], host=host))()
    assert caught.value.state is BrokerState.UNREACHABLE and caught.value.detail


# mosquitto


@pytest.fixture
def ends() -> Iterator[contextlib.ExitStack]:
    """What is to be ended at the end."""
    with contextlib.ExitStack() as stack:
        yield stack


def started(ends: contextlib.ExitStack, folder: Path, lines: str = "allow_anonymous true") -> Mosquitto:
    mosquitto = Mosquitto(folder, lines)
    ends.callback(lambda: mosquitto.stop())
    return mosquitto


def listening(ends: contextlib.ExitStack, port: int) -> Listener:
    listener = Listener(port)
    ends.callback(listener.close)
    return listener


@needs_mosquitto
def test_whoever_comes_later_finds_the_newest_of_all(
    opened: Open, ends: contextlib.ExitStack, tmp_path: Path
) -> None:
    port = started(ends, tmp_path).port
    broker = opened(reached(account(port)))
    broker.post("t/game", "größer".encode())
    early = listening(ends, port)
    early.hears({"t/status": b"online", "t/game": "größer".encode()})
    late = listening(ends, port)
    late.hears(early.heard)
    assert all(late.retained.values())
    broker.close()
    late.hears({"t/status": b"offline"})


@needs_mosquitto
def test_a_broker_that_is_started_again_knows_all_again(
    opened: Open, ends: contextlib.ExitStack, tmp_path: Path
) -> None:
    mosquitto = started(ends, tmp_path)
    broker = opened(reached(account(mosquitto.port)))
    broker.post("t/game", b"one")
    until(lambda: broker.status.state is BrokerState.CONNECTED)
    mosquitto.stop()
    until(lambda: broker.status.state is BrokerState.LOST)
    broker.post("t/game", b"two")
    mosquitto.start()
    listening(ends, mosquitto.port).hears({"t/status": b"online", "t/game": b"two"})


@needs_mosquitto
def test_of_a_table_that_is_killed_the_broker_says_that_it_is_gone(
    ends: contextlib.ExitStack, tmp_path: Path
) -> None:
    port = started(ends, tmp_path).port
    code = (
        "import signal; from hardware.broker import *;"
        f"Broker(connector(Account(host='127.0.0.1', port={port}, client='c'), 't/status'), 't/status');"
        "signal.pause()"
    )
    table = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
    ends.callback(table.wait)
    ends.callback(table.kill)
    listener = listening(ends, port)
    listener.hears({"t/status": b"online"})
    table.send_signal(signal.SIGKILL)
    listener.hears({"t/status": b"offline"})


@needs_mosquitto
def test_only_the_right_password_opens_and_none_is_logged(
    opened: Open, ends: contextlib.ExitStack, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "passwords"
    file.write_text("")
    program = shutil.which("mosquitto_passwd")
    assert program, "it comes with mosquitto"
    subprocess.run([program, "-b", str(file), "table", "geheim"], check=True, capture_output=True)
    port = started(ends, tmp_path, f"allow_anonymous false\npassword_file {file}").port
    caplog.set_level("DEBUG")
    wrong = opened(reached(account(port, username="table", password="falsch")))
    until(lambda: wrong.status.state is BrokerState.REFUSED)
    assert "ot authorized" in wrong.status.detail
    wrong.close()
    right = opened(reached(account(port, username="table", password="geheim")))
    until(lambda: right.status.state is BrokerState.CONNECTED)
    assert "no broker" in caplog.text and "geheim" not in caplog.text and "falsch" not in caplog.text


@needs_mosquitto
def test_an_account_that_may_not_write_a_topic_is_said_until_it_may(
    opened: Open, ends: contextlib.ExitStack, tmp_path: Path
) -> None:
    rights = tmp_path / "rights"
    rights.write_text("topic read #\ntopic write t/status\n")
    mosquitto = started(ends, tmp_path, f"allow_anonymous true\nacl_file {rights}")
    broker = opened(reached(account(mosquitto.port)))
    until(lambda: broker.status.state is BrokerState.CONNECTED)
    broker.post("t/game", b"one")
    until(lambda: broker.status.state is BrokerState.DENIED)
    assert broker.status.detail == "t/game: Not authorized"
    listening(ends, mosquitto.port).hears({"t/status": b"online"})
    rights.write_text("topic readwrite #\n")
    mosquitto.process.send_signal(signal.SIGHUP)
    numbers = itertools.count()

    def taken() -> bool:
        broker.post("t/game", b"%d" % next(numbers))
        return broker.status.state is BrokerState.CONNECTED

    until(taken)


@needs_mosquitto
@pytest.mark.skipif(
    shutil.which("openssl") is None, reason="openssl is not installed, which makes certificates"
)
def test_tls_wants_a_certificate_that_is_trusted(
    opened: Open, ends: contextlib.ExitStack, tmp_path: Path
) -> None:
    certificate, secret = tmp_path / "ca.pem", tmp_path / "key.pem"
    make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost"
    names = [
        "-days",
        "2",
        "-addext",
        "subjectAltName=DNS:localhost",
        "-keyout",
        str(secret),
        "-out",
        str(certificate),
    ]
    subprocess.run([*make.split(), *names], check=True, capture_output=True)
    port = started(ends, tmp_path, f"allow_anonymous true\ncertfile {certificate}\nkeyfile {secret}").port
    stranger = opened(reached(account(port, host="localhost", tls=True)))
    until(lambda: stranger.status.state is BrokerState.UNTRUSTED)
    stranger.close()
    wrong_name = opened(reached(account(port, tls=True, authority=certificate)))
    until(lambda: wrong_name.status.state is BrokerState.UNTRUSTED)
    wrong_name.close()
    known = opened(reached(account(port, host="localhost", tls=True, authority=certificate)))
    until(lambda: known.status.state is BrokerState.CONNECTED)
