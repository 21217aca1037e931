"""mqtt.yaml: the broker that is told what happens at the table, if one is."""

import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.config.document import NULLS, Document, Kind, Problem, WrongError
from companion.config.kinds import Number, impossible, refuse_null
from companion.config.words import switch
from companion.language import Message, mark

LONGEST = 32  # letters of a table's name


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttConfig:
    """The broker, the account, and how the table is called there.

    `table` is None for the name of the machine, `port` for the usual one, `ca_file` for the authorities that
    the system trusts, `discovery` where Home Assistant is told nothing.
    """

    enabled: bool = False
    table: str | None = None
    host: str = "localhost"
    port: int | None = None
    username: str = ""
    password: str = field(default="", repr=False)
    tls: bool = False
    ca_file: Path | None = None
    topic: str = "tabletop"
    discovery: str | None = "homeassistant"

    @property
    def table_name(self) -> str:
        """How the table is called in the topics."""
        return self.table or named_after(socket.gethostname())

    @property
    def client(self) -> str:
        """The name of the table among all that know the broker."""
        return f"{self.topic}-{self.table_name}".replace("/", "-")

    def topic_of(self, what: str) -> str:
        """The topic of `status`, `throw`, `game` or `result`."""
        return f"{self.topic}/{self.table_name}/{what}"

    @property
    def port_number(self) -> int:
        """The port, if need be the usual one (IANA: mqtt, secure-mqtt)."""
        return self.port or (8883 if self.tls else 1883)


def named_after(machine: str) -> str:
    """Return the name of a table for that of a machine."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", machine)[:LONGEST].strip("-") or "table"


@dataclass(frozen=True)
class Shaped:
    """A text of some shape; `words` stand for a value of their own."""

    pattern: str
    wrong: str  # what is to be written: a text to translate
    words: Mapping[str, Any] = field(default_factory=dict)

    def read(self, text: str, plain: bool) -> Any:
        """Return what the text means."""
        refuse_null(text, plain)
        if text in self.words:
            return self.words[text]
        if not re.fullmatch(self.pattern, text):
            raise impossible(text, Message(self.wrong))
        return text


class Port:
    """The number of a port, None for auto."""

    def read(self, text: str, plain: bool) -> int | None:
        """Return the number."""
        return None if text == "auto" else int(Number(1, 65535, 1).read(text, plain))


class Secret:
    """A text that is never repeated.

    It must stand in quotes: YAML would take parts of many passwords for something else.
    """

    def read(self, text: str, plain: bool) -> str:
        """Return the text."""
        if plain and text not in NULLS:
            raise WrongError(Message("write it in single quotes"))
        refuse_null(text, plain)
        return text


class Certificate:
    """The file of an authority's certificate, None for ''."""

    def read(self, text: str, plain: bool) -> Path | None:
        """Return the file, which must be there."""
        refuse_null(text, plain)
        try:
            file = Path(text).expanduser()
            there = file.is_file()
        except (OSError, RuntimeError, ValueError):  # too long a name; the home of nobody, or of "\0"
            there = False
        if text and not there:
            raise WrongError(Message("there is no file {file}", {"file": text}))
        return file if text else None


_LEVELS = r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*"
_TOPIC = mark("letters (a to z), digits, - and _, with / between words")
_KINDS: Mapping[str, Kind] = {
    "enabled": switch(),
    "table": Shaped(
        rf"[A-Za-z0-9_-]{{1,{LONGEST}}}",
        mark("auto, or at most 32 letters (a to z), digits, - and _"),
        {"auto": None},
    ),
    "host": Shaped(
        r"[A-Za-z0-9_.-]+|[0-9A-Fa-f:]+(%\w+)?",
        mark("the machine's name or address alone, without mqtt:// and port"),
    ),
    "port": Port(),
    "username": Shaped(r"[^\x00-\x1f]*", mark("one line of text")),
    "password": Secret(),
    "tls": switch(),
    "ca_file": Certificate(),
    "topic": Shaped(_LEVELS, _TOPIC),
    "discovery": Shaped(_LEVELS, _TOPIC, {"none": None}),
}


def read_mqtt(file: Path) -> tuple[MqttConfig | None, list[Problem]]:
    """Return what is told to whom, None if there are mistakes, and all mistakes. Without a file nothing is
    told.
    """
    document = Document(file, optional=True)
    values = document.values(document.entries(document.root(), _KINDS), _KINDS)
    return (None if document.problems else MqttConfig(**values)), document.problems
