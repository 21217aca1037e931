"""`companion wiring`: what is connected where, from the pins in panel.yaml."""

import argparse
from pathlib import Path

from companion.config import config_dir, load_panel
from companion.language import Texts, mark
from companion.whole import write
from hardware.panel import PanelPins
from hardware.wiring import svg, table

# What the drawing says, to be translated.
_SAID = (
    mark("confirm"), mark("back"), mark("left"), mark("right"), mark("undo"), mark("buzzer"), mark("button"),
    mark("lamp"), mark("pin"), mark("ground"), mark("position"), mark("button: GPIO"), mark("lamp: GPIO"),
    mark("the display's power"), mark("5 V, for the buzzer"), mark("NPN: BC547, 2N3904"),
    mark("No resistor: the pin's own pulls it up."), mark("The long leg of the LED faces the pin."),
    mark("Its + faces 5 V; it sounds by itself (active)."),
    mark("The 40-pin header, seen from above; the end with 1 and 2 is the board's corner"),
)  # fmt: skip


def configured(file: Path) -> PanelPins:
    """Return the pins that are written in a panel.yaml; `ConfigError` names its mistakes."""
    panel = load_panel(file)
    return PanelPins(panel.buttons, panel.lamps, panel.buzzer)


def show(options: argparse.Namespace, texts: Texts) -> int:
    """Print the table; with a file, write the drawing there."""
    pins = configured(config_dir() / "panel.yaml")
    print(table(pins, texts), end="")
    if options.svg:
        write(options.svg, svg(pins, texts))
    return 0
