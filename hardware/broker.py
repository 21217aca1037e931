"""The MQTT broker: what is posted for it is sent by a thread of its own, and never keeps anybody waiting.

Only the newest text of each topic is kept and sent, so that nothing grows however long the broker is away; it
is retained there, and told anew after every connection. That the table is gone the broker says itself: by its
will (MQTT 5.0, 3.1.2.5).
"""

import logging
import random
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

log = logging.getLogger(__name__)

KEEPALIVE_S = 20  # the broker misses whoever is silent for half as long again
TURN_S = 0.2  # how long news may wait
PATIENCE_S = 5.0  # until a connection stands
GOODBYE_S = 1.0  # until a thread that ends is waited for no longer
SHORTEST_S, LONGEST_S = 1.0, 60.0  # between two attempts
ONLINE, OFFLINE = b"online", b"offline"
WITH_WILL, TAKEN_OVER = 0x04, 0x8E  # reasons to disconnect (MQTT 5.0, 3.14.2.1)
CONNACK = 2  # the kind of packet that answers to an attempt to connect (2.1.2)


class BrokerState(Enum):
    """How things stand with the broker."""

    CONNECTING = "connecting"
    CONNECTED = "connected"
    UNREACHABLE = "unreachable"  # never reached so far
    LOST = "lost"  # reached before
    UNTRUSTED = "untrusted"  # its certificate
    REFUSED = "refused"
    DENIED = "denied"  # it is there, and does not take all that it is told
    TAKEN = "taken"  # by another table of that name; mosquitto tells so from 2.0.15 on
    NO_PAHO = "no paho"
    NO_CERTIFICATE = "no certificate"


@dataclass(frozen=True, slots=True)
class BrokerStatus:
    """A state, and the reason in the words of the system or the broker."""

    state: BrokerState
    detail: str = ""


class BrokerError(Exception):
    """There is no connection, or no more."""

    def __init__(self, state: BrokerState, detail: str) -> None:
        super().__init__(f"{state.value}: {detail}")
        self.state, self.detail = state, detail


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Where the broker is, and who connects to it: no two at the same time as the same `client`."""

    host: str
    port: int
    client: str
    username: str = ""
    password: str = field(default="", repr=False)
    tls: bool = False
    authority: Path | None = None


class Link(Protocol):
    """A connection that stands."""

    def turn(self, timeout: float) -> None:
        """Give the network so many seconds; raises `BrokerError` when the connection is lost."""

    @property
    def delivered(self) -> bool:
        """Whether the broker has confirmed all that was sent."""

    @property
    def denied(self) -> str:
        """Which topic the broker does not take, and why; nothing if it takes all."""

    def send(self, topic: str, text: bytes) -> None:
        """Send a text, which the broker keeps."""

    def close(self) -> None:
        """Let the broker carry out the will, and go."""


Connect = Callable[[], Link]  # raises BrokerError


def pauses(rng: random.Random | None = None) -> Iterator[float]:
    """Yield the seconds until each next attempt: about twice as many, and not the same for all tables."""
    rng, longest = rng or random.Random(), SHORTEST_S
    while True:
        yield rng.uniform(longest / 2, longest)
        longest = min(LONGEST_S, 2 * longest)


class Broker:
    """The broker as the companion knows it."""

    def __init__(
        self, connect: Connect, presence: str, *, pauses: Callable[[], Iterator[float]] = pauses
    ) -> None:
        """`presence` is the topic that says whether the table is there."""
        self._connect, self._pauses = connect, pauses
        self._board = {presence: ONLINE}  # the newest text of each topic
        self._news: dict[str, bytes] = {}  # what of it is still to be sent
        self._lock, self._closing = threading.Lock(), threading.Event()
        self._reached = False
        self.status = BrokerStatus(BrokerState.CONNECTING)
        self._thread = threading.Thread(target=self._run, name="broker", daemon=True)
        self._thread.start()

    def post(self, topic: str, text: bytes) -> None:
        """Let the broker know, as soon as it is there; from any thread, without waiting."""
        with self._lock:
            self._board[topic] = self._news[topic] = text

    def close(self) -> None:
        """Say goodbye. A broker that does not answer is not waited for."""
        self._closing.set()
        self._thread.join(GOODBYE_S)

    def _run(self) -> None:
        pauses = self._pauses()
        while not self._closing.is_set():
            begun = time.monotonic()
            try:
                with closing(self._connect()) as link:
                    self._stay(link)
            except BrokerError as error:
                self._note(error)
                if time.monotonic() - begun > LONGEST_S:  # else it hardly was one
                    pauses = self._pauses()
                if error.state is BrokerState.TAKEN:  # else the two would oust each other for ever
                    return
                self._closing.wait(next(pauses))

    def _stay(self, link: Link) -> None:
        """Send news until the connection is lost or closed."""
        self._reached = True
        log.info("the broker is there")
        self._tell_all()  # it may have forgotten everything
        told = time.monotonic()
        while not self._closing.is_set():
            if link.denied and time.monotonic() - told > LONGEST_S:  # by now it may be allowed
                self._tell_all()
                told = time.monotonic()
            if link.delivered:
                self._send_news(link)
            link.turn(TURN_S)
            state = BrokerState.DENIED if link.denied else BrokerState.CONNECTED
            self.status = BrokerStatus(state, link.denied)
        self._send_news(link)

    def _tell_all(self) -> None:
        with self._lock:
            self._news = dict(self._board)

    def _send_news(self, link: Link) -> None:
        with self._lock:
            news, self._news = self._news, {}
        for topic, text in news.items():
            link.send(topic, text)

    def _note(self, error: BrokerError) -> None:
        state = error.state
        if state is BrokerState.UNREACHABLE and self._reached:
            state = BrokerState.LOST
        status = BrokerStatus(state, error.detail)
        if status != self.status:
            log.warning("no broker: %s: %s", state.value, error.detail)
        self.status = status


# paho-mqtt


class Socket(ssl.SSLSocket):
    """One that is closed when the certificate is not trusted; paho-mqtt leaves it open."""

    def do_handshake(self, block: bool = False) -> None:
        """Look at each other's certificates."""
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


def connector(account: Account, presence: str) -> Connect:
    """Return what connects to a broker; `presence` is the topic of its will.

    Raises `BrokerError` if paho-mqtt 2 or the certificate of the authority is missing.
    """
    try:
        from paho.mqtt import client as paho
        from paho.mqtt.enums import CallbackAPIVersion  # noqa: F401  # not in paho-mqtt 1
    except ImportError as error:
        raise BrokerError(BrokerState.NO_PAHO, str(error)) from error
    context: ssl.SSLContext | None = None
    if account.tls:
        try:
            context = ssl.create_default_context(cafile=account.authority)
        except OSError as error:  # among them the SSLError of a file that is no certificate
            raise BrokerError(BrokerState.NO_CERTIFICATE, str(account.authority)) from error
        context.sslsocket_class = Socket
    return lambda: PahoLink(paho, account, presence, context)


class PahoLink:
    """A connection made with paho-mqtt 2, in MQTT 5.0; one thread uses it."""

    def __init__(self, paho: Any, account: Account, presence: str, context: ssl.SSLContext | None) -> None:
        self._reason: Any = None  # of the broker, for a connection that it refuses or ends
        self._unconfirmed = dict[int, str]()  # the topics of what was sent, by the number of the packet
        self._denied = dict[str, str]()  # why the broker does not take a topic
        self._client = client = paho.Client(
            paho.CallbackAPIVersion.VERSION2, client_id=account.client, protocol=paho.MQTTv5
        )
        client.connect_timeout = PATIENCE_S
        client.on_connect = client.on_disconnect = self._hear
        client.on_publish = self._confirmed
        client.will_set(presence, OFFLINE, qos=1, retain=True)
        if account.username or account.password:
            client.username_pw_set(account.username, account.password or None)
        if context:
            client.tls_set_context(context)
        try:
            client.connect(account.host, account.port, KEEPALIVE_S)
        except ssl.SSLCertVerificationError as error:
            raise BrokerError(BrokerState.UNTRUSTED, error.verify_message) from error
        except (OSError, ValueError) as error:  # ValueError: no name of a machine
            reason = getattr(error, "strerror", None) or str(error)
            raise BrokerError(BrokerState.UNREACHABLE, reason) from error
        try:
            self._await_answer()
        except BrokerError:
            self.close()
            raise

    def _await_answer(self) -> None:
        until = time.monotonic() + PATIENCE_S
        while not self._client.is_connected():
            self.turn(TURN_S)
            if time.monotonic() > until:
                raise BrokerError(BrokerState.UNREACHABLE, "no answer")

    def _hear(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        """The broker has answered to the attempt to connect, or the connection has ended."""
        if self._reason is None or not self._reason.is_failure:  # the first failure tells most
            self._reason = reason

    def _confirmed(self, client: Any, data: Any, number: int, reason: Any, properties: Any) -> None:
        topic = self._unconfirmed.pop(number, "")
        if not reason.is_failure:
            self._denied.pop(topic, None)
        elif topic not in self._denied:
            self._denied[topic] = str(reason)
            log.warning("the broker does not take %s: %s", topic, reason)

    def turn(self, timeout: float) -> None:
        """Give the network so many seconds."""
        if not self._client.loop(timeout):
            return
        if self._reason is None:
            raise BrokerError(BrokerState.UNREACHABLE, "no answer")
        if self._reason.value == TAKEN_OVER:
            raise BrokerError(BrokerState.TAKEN, str(self._reason))
        raise BrokerError(self._refusal, str(self._reason))

    @property
    def _refusal(self) -> BrokerState:
        return BrokerState.REFUSED if self._reason.packetType == CONNACK else BrokerState.UNREACHABLE

    @property
    def delivered(self) -> bool:
        """Whether the broker has confirmed all that was sent."""
        return not self._unconfirmed

    @property
    def denied(self) -> str:
        """Which topic the broker does not take, and why."""
        return next((f"{topic}: {reason}" for topic, reason in self._denied.items()), "")

    def send(self, topic: str, text: bytes) -> None:
        """Send a text, to be retained, at least once."""
        sent = self._client.publish(topic, text, qos=1, retain=True)  # that it failed, the next turn says
        self._unconfirmed[sent.mid] = topic

    def close(self) -> None:
        """Go so that the broker says that the table is gone."""
        from paho.mqtt.packettypes import PacketTypes
        from paho.mqtt.reasoncodes import ReasonCode

        self._client.disconnect(ReasonCode(PacketTypes.DISCONNECT, identifier=WITH_WILL))
        self._client.on_connect = self._client.on_disconnect = self._client.on_publish = None
