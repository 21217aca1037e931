"""Which pin of the 40-pin header does what, in BCM numbers; see config/panel.yaml for why these."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

BUTTONS = ("confirm", "back", "left", "right", "undo")
"""The buttons, each with a lamp in it, in the order in which they stand."""


class PinProblem(Enum):
    """What is wrong with a pin."""

    UNKNOWN_BUTTON = "unknown button"
    NOT_A_PIN = "not a pin"
    """Not a number from 0 to 27."""
    PIN_TWICE = "pin twice"


@dataclass(frozen=True)
class PinMistake:
    """One mistake: what, where (`buttons.confirm`, `lamps.undo`, `buzzer`), and the pin as given."""

    kind: PinProblem
    where: str
    pin: int


class PinsError(ValueError):
    """Pins that cannot be; `mistakes` has all of them."""

    def __init__(self, mistakes: tuple[PinMistake, ...]) -> None:
        super().__init__("; ".join(f"{m.where}: {m.kind.value} ({m.pin})" for m in mistakes))
        self.mistakes = mistakes


def _default_buttons() -> dict[str, int]:
    return {"confirm": 5, "back": 6, "left": 13, "right": 26, "undo": 16}


def _default_lamps() -> dict[str, int]:
    return {"confirm": 17, "back": 27, "left": 22, "right": 23, "undo": 24}


@dataclass(frozen=True)
class PanelPins:
    """The pins of the panel, in BCM numbers. A button or lamp that is left out is not there.

    A pressed button joins its pin to ground; a lamp is lit, and the buzzer sounds, while its pin is high.
    PinsError if a name is no button, a number no pin, or a pin is used twice.
    """

    buttons: Mapping[str, int] = field(default_factory=_default_buttons)
    lamps: Mapping[str, int] = field(default_factory=_default_lamps)
    buzzer: int | None = 25

    def __post_init__(self) -> None:
        if mistakes := tuple(self._mistakes()):
            raise PinsError(mistakes)

    def _mistakes(self) -> list[PinMistake]:
        uses = [
            (group, name, pin)
            for group, pins in (("buttons", self.buttons), ("lamps", self.lamps))
            for name, pin in pins.items()
        ]
        mistakes = [
            PinMistake(PinProblem.UNKNOWN_BUTTON, f"{group}.{name}", pin)
            for group, name, pin in uses
            if name not in BUTTONS
        ]
        places = [(f"{group}.{name}", pin) for group, name, pin in uses]
        places += [] if self.buzzer is None else [("buzzer", self.buzzer)]
        taken: set[int] = set()
        for where, pin in places:
            if not 0 <= pin <= 27:
                mistakes.append(PinMistake(PinProblem.NOT_A_PIN, where, pin))
            elif pin in taken:
                mistakes.append(PinMistake(PinProblem.PIN_TWICE, where, pin))
            taken.add(pin)
        return mistakes
