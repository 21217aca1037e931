"""What the panel reports."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Pressed:
    """A button went down."""

    button: str


@dataclass(frozen=True)
class Held:
    """A button has been down for a while (a long press); comes once, between its Pressed and its Released."""

    button: str


@dataclass(frozen=True)
class Released:
    """A button went up."""

    button: str


PanelEvent = Pressed | Held | Released
