"""What a check has found."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from companion.language import Message


class Health(Enum):
    """How it is."""

    OK = "ok"
    WARN = "warn"
    """It works, or nobody may need it; but it could be better."""
    BAD = "bad"


@dataclass(frozen=True)
class Finding:
    """What was looked at (a name for programs), how it is, in words, and what to do about it."""

    name: str
    health: Health
    what: Message
    todo: Message | None = None


def ok(name: str, what: Message) -> Finding:
    """All is well."""
    return Finding(name, Health.OK, what)


def warn(name: str, what: Message, todo: Message) -> Finding:
    """It could be better."""
    return Finding(name, Health.WARN, what, todo)


def bad(name: str, what: Message, todo: Message) -> Finding:
    """It does not work."""
    return Finding(name, Health.BAD, what, todo)


def healthy(findings: Iterable[Finding]) -> bool:
    """Whether nothing is wrong; what could be better is not wrong."""
    return all(finding.health is not Health.BAD for finding in findings)
