"""The panel: five buttons with lamps, and a buzzer, on the pins of a Raspberry Pi."""

from .debounce import Button, Change, Debouncer
from .events import Held, PanelEvent, Pressed, Released
from .gpio import PanelError, PanelProblem
from .panel import Lamp, NoPanel, Panel
from .pins import BUTTONS, PanelPins

__all__ = [
    "BUTTONS",
    "Button",
    "Change",
    "Debouncer",
    "Held",
    "Lamp",
    "NoPanel",
    "Panel",
    "PanelError",
    "PanelEvent",
    "PanelPins",
    "PanelProblem",
    "Pressed",
    "Released",
]
