"""Checks of the panel: can its pins be had, and does each button report?"""

from collections.abc import Collection, Mapping
from pathlib import Path

from companion import troubles
from companion.doctor.findings import Finding, bad, ok, warn
from companion.doctor.machine import DEV, SYS, read
from companion.language import Message, mark

NAMES = {
    "confirm": mark("Confirm"),
    "back": mark("Back"),
    "left": mark("Left button"),
    "right": mark("Right button"),
    "undo": mark("Undo"),
}
WIRING = Message(mark("Look at its two wires and at its number in panel.yaml."))
TAKEN = ok(
    "gpio",
    Message(
        mark(
            "The companion that runs has the panel. To try its buttons here, end it first; without a desktop:"
            " sudo systemctl stop tabletop-companion"
        )
    ),
)


def pins(wanted: bool, problem: tuple[str, str] | None, chips: str) -> Finding:
    """Whether the panel's pins can be had; `problem` is the name of a PanelProblem and its detail."""
    if not wanted:
        return ok("gpio", Message(mark("No panel is wanted here: keys and touch stand in for it")))
    if problem:
        return bad("gpio", Message(mark("The panel does not work")), troubles.panel(*problem))
    return ok("gpio", Message(mark("The panel's pins are open (gpiozero, lgpio; {chips})"), {"chips": chips}))


def chips(dev: Path = DEV, sys: Path = SYS) -> str:
    """The GPIO chips that there are, with what they are called: gpiochip0 pinctrl-bcm2711."""
    found = []
    for chip in sorted(dev.glob("gpiochip*")):
        of = read(sys / "bus/gpio/devices" / chip.name / "of_node/compatible") or ""
        found.append(" ".join(filter(None, (chip.name, of.split("\0")[0]))))
    return ", ".join(found) or "-"


def lines(numbers: Mapping[str, int], down: Collection[str]) -> list[Finding]:
    """Each button at rest: one that is down although nobody presses it is wired wrongly."""
    return [_line(name, pin, name in down) for name, pin in numbers.items()]


def _line(name: str, pin: int, down: bool) -> Finding:
    fields = {"button": Message(NAMES[name]), "pin": pin}
    if not down:
        return ok(f"button-{name}", Message(mark("{button} (GPIO {pin}) is at rest"), fields))
    return warn(
        f"button-{name}", Message(mark("{button} (GPIO {pin}) is pressed all the time"), fields), WIRING
    )


def pressed(numbers: Mapping[str, int], seen: Collection[str], stuck: Collection[str]) -> list[Finding]:
    """Each button after all were to be pressed; those that are `stuck` nobody has let go."""
    lines = []
    for name, pin in numbers.items():
        fields = {"button": Message(NAMES[name]), "pin": pin}
        if name in stuck:
            lines.append(_line(name, pin, down=True))
        elif name in seen:
            lines.append(ok(f"button-{name}", Message(mark("{button} (GPIO {pin}) was pressed"), fields)))
        else:
            what = Message(mark("{button} (GPIO {pin}) was not seen"), fields)
            lines.append(warn(f"button-{name}", what, WIRING))
    return lines
