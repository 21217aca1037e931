"""panel.yaml: which pin of the Raspberry Pi each button and lamp of the panel is on."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from companion.config.document import ConfigError, Document, Problem, WrongError
from companion.config.kinds import Number, Pin
from companion.language import Message

BUTTONS = ("confirm", "back", "left", "right", "undo")
_PINS = dict.fromkeys(BUTTONS, Pin())
_VALUES = {"buzzer": Pin(), "hold_s": Number(0.2, 5.0, 0.1), "bounce_s": Number(0.001, 0.5, 0.001)}
_KEYS = ("buttons", "lamps", *_VALUES)


@dataclass(frozen=True, slots=True)
class PanelConfig:
    """The panel's wiring, as BCM numbers, and its times in seconds.

    `hold_s` is how long a long press lasts, `bounce_s` how long a contact may chatter. What is not
    connected is not in `buttons` and `lamps`; `buzzer` is then None.
    """

    buttons: Mapping[str, int]
    lamps: Mapping[str, int]
    buzzer: int | None
    hold_s: float
    bounce_s: float


NO_PINS = PanelConfig({}, {}, None, hold_s=1.0, bounce_s=0.05)
"""A panel that nothing is known of."""


def load_panel(file: Path) -> PanelConfig:
    """Return the wiring in `file`, or raise `ConfigError` with every mistake."""
    panel, problems = read_panel(file)
    if panel is None:
        raise ConfigError(problems)
    return panel


def read_panel(file: Path) -> tuple[PanelConfig | None, list[Problem]]:
    """Return the wiring, None if there are mistakes, and all mistakes."""
    document = Document(file)
    root = document.root()
    entries = document.entries(root, _KEYS)
    if not document.problems:
        _note_missing(document, entries)
    values = document.values(entries, _VALUES)
    buttons, lamps = (_pins(document, entries.get(name)) for name in ("buttons", "lamps"))
    _note_shared(document, entries)
    if document.problems:
        return None, document.problems
    return PanelConfig(buttons, lamps, **values), []


def _pins(document: Document, node: yaml.Node | None) -> dict[str, int]:
    found: dict[str, Any] = document.values(document.entries(node, BUTTONS), _PINS)
    return {name: found[name] for name in BUTTONS if found.get(name) is not None}


def _note_missing(document: Document, entries: Mapping[str, yaml.Node]) -> None:
    for key in _KEYS:
        if key not in entries:
            document.note(None, Message("'{key}' is missing", {"key": key}))


def _note_shared(document: Document, entries: Mapping[str, yaml.Node]) -> None:
    """Note every pin that is given to two things."""
    users: dict[int, str] = {}
    for name, node in _wires(entries):
        pin = _pin(node)
        if pin is not None and (first := users.setdefault(pin, name)) != name:
            document.note(
                node,
                Message(
                    "pin {pin} is given to {first} and to {second}",
                    {"pin": pin, "first": first, "second": name},
                ),
            )


def _pin(node: yaml.ScalarNode) -> int | None:
    """Return the pin that is meant, however it is written; None if it is none."""
    try:
        return Pin().read(node.value, node.style is None)
    except WrongError:
        return None


def _wires(entries: Mapping[str, yaml.Node]) -> list[tuple[str, yaml.ScalarNode]]:
    """Return everything that has a pin, in the order of the file, with the node of its pin."""
    named = [("buzzer", entries["buzzer"])] if "buzzer" in entries else []
    for section in ("buttons", "lamps"):
        node = entries.get(section)
        if isinstance(node, yaml.MappingNode):
            named += [(f"{section}: {key.value}", value) for key, value in node.value]
    wires = [(name, node) for name, node in named if isinstance(node, yaml.ScalarNode)]
    return sorted(wires, key=lambda wire: int(wire[1].start_mark.index))
