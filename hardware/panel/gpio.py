"""The pins as gpiozero has them, opened together or not at all; and what can go wrong with them, as one
error.

gpiozero is imported only when a panel is opened: it is slow, and a desktop needs none.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

from .pins import PanelPins


class PanelProblem(Enum):
    """Why there is no panel."""

    NO_GPIO = "no gpio"
    """No Raspberry Pi, or `lgpio` (Debian: python3-lgpio) is not installed."""
    PIN_BUSY = "pin busy"
    """Another program, or an overlay of the system, has one of the pins."""
    DENIED = "denied"
    """The user may not use /dev/gpiochip* (is not in the group `gpio`)."""
    LOST = "lost"
    """It worked, and stopped."""


class PanelError(Exception):
    """The panel cannot be used: `kind`, and a technical `detail` that is not translated."""

    def __init__(self, kind: PanelProblem, detail: str) -> None:
        super().__init__(f"{kind.value}: {detail}")
        self.kind = kind
        self.detail = detail


def _foreign_errors() -> tuple[type[Exception], ...]:
    from gpiozero import GPIOZeroError

    lgpio = sys.modules.get("lgpio")  # its own error is a plain Exception
    return (GPIOZeroError, OSError, *((lgpio.error,) if lgpio else ()))


def problem(error: Exception, chips: Path = Path("/dev")) -> PanelProblem:
    """What an error of gpiozero, lgpio or the system means while the pins are opened. `chips`: where
    gpiochip0 is.
    """
    text = f"{type(error).__name__} {error}".lower()
    if "inuse" in text or "busy" in text:
        return PanelProblem.PIN_BUSY
    there = sorted(chips.glob("gpiochip*"))
    if "permission" in text or (there and not any(os.access(chip, os.R_OK | os.W_OK) for chip in there)):
        return PanelProblem.DENIED
    return PanelProblem.NO_GPIO


@contextmanager
def lost_if_it_fails() -> Iterator[None]:
    """Turn what goes wrong with open pins into a PanelError LOST."""
    try:
        yield
    except _foreign_errors() as error:
        raise PanelError(PanelProblem.LOST, str(error)) from error


@contextmanager
def _folder_for_lgpio() -> Iterator[None]:
    """While lgpio is imported: it makes a pipe in the folder LG_WD and goes there, and we come back.

    That is a temporary one, which goes at once: the pipe is open by then and needs no name, and nothing stays
    behind, however the program ends.
    """
    here = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="gpio-") as folder:
        os.environ["LG_WD"] = folder
        try:
            yield
        finally:
            del os.environ["LG_WD"]
            os.chdir(here)


def pi_factory() -> Any:
    """gpiozero's pin factory for a Raspberry Pi (through lgpio, the only one that works on every model)."""
    try:
        with _folder_for_lgpio():
            from gpiozero.pins.lgpio import LGPIOFactory
    except (ImportError, OSError) as error:
        raise PanelError(PanelProblem.NO_GPIO, str(error)) from error
    return LGPIOFactory()


def _let_go(device: Any) -> None:
    with suppress(*_foreign_errors()):  # what is lost cannot be let go of, and need not be
        device.close()


def _let_all_go(factory: Any) -> None:
    """Forget a factory's pins and close it: else gpiozero gives those of a chip that is gone to the next, and
    at them closing the chip itself fails.
    """
    factory.pins.clear()
    _let_go(factory)


class Wires:
    """The opened pins: `inputs` and `lamps` by button, and the `buzzer`. PanelError if one of them cannot be
    had.
    """

    def __init__(self, pins: PanelPins, pin_factory: Any) -> None:
        self._open, self._at = ExitStack(), ""  # which pin is being opened
        try:
            self._take(pins, pin_factory or self._own(pi_factory()))
        except _foreign_errors() as error:
            self.close()
            raise PanelError(problem(error), f"{self._at}{error}") from error

    def _take(self, pins: PanelPins, factory: Any) -> None:
        from gpiozero import LED, Buzzer, DigitalInputDevice

        kept = partial(self._kept, pin_factory=factory)
        self.inputs = {
            name: kept(DigitalInputDevice, pin, pull_up=True) for name, pin in pins.buttons.items()
        }
        self.lamps = {name: kept(LED, pin) for name, pin in pins.lamps.items()}
        self.buzzer = None if pins.buzzer is None else kept(Buzzer, pins.buzzer)

    def _kept(self, kind: Callable[..., Any], pin: int, **more: Any) -> Any:
        self._at = f"GPIO {pin}: "
        device = kind(pin, **more)
        self._open.callback(_let_go, device)
        return device

    def _own(self, factory: Any) -> Any:
        self._open.callback(_let_all_go, factory)
        return factory

    def close(self) -> None:
        """Let go of every pin; lamps go out."""
        self._open.close()
