"""Which pin of the 40-pin header does what, in BCM numbers; see config/panel.yaml for why these."""

from collections.abc import Mapping
from dataclasses import dataclass

BUTTONS = ("confirm", "back", "left", "right", "undo")
"""The buttons, each with a lamp in it, in the order in which they stand."""


@dataclass(frozen=True)
class PanelPins:
    """The pins of the panel, in BCM numbers. A button or lamp that is left out is not there.

    A pressed button joins its pin to ground; a lamp is lit, and the buzzer sounds, while its pin is high.
    """

    buttons: Mapping[str, int]
    lamps: Mapping[str, int]
    buzzer: int | None
