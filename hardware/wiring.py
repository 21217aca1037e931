"""What is wired where, from the pins that are configured: as a table, and as a drawing (SVG)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal
from xml.sax.saxutils import escape

from .panel import BUTTONS, PanelPins

Kind = Literal["button", "lamp", "buzzer"]
Words = Callable[[str], str]  # a text in the language of whoever reads it

POSITIONS = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22,
    11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""The place on the 40-pin header of each GPIO number, alike on every model since the Raspberry Pi B+."""
GROUND = (6, 9, 14, 20, 25, 30, 34, 39)
POWER = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"}
DISPLAY = (2, 6)  # the seven-inch display takes its power here


@dataclass(frozen=True)
class Wire:
    """One part, the GPIO it hangs on, and where that is on the header."""

    kind: Kind
    name: str
    gpio: int

    @property
    def position(self) -> int:
        """The place on the header, counted as is printed on the board: 1 is at the corner."""
        return POSITIONS[self.gpio]


def wires(pins: PanelPins) -> list[Wire]:
    """Everything that is connected, buttons first."""
    found = [Wire("button", name, pins.buttons[name]) for name in BUTTONS if name in pins.buttons]
    found += [Wire("lamp", name, pins.lamps[name]) for name in BUTTONS if name in pins.lamps]
    return found if pins.buzzer is None else [*found, Wire("buzzer", "buzzer", pins.buzzer)]


def table(pins: PanelPins, t: Words = str) -> str:
    """All wires as a table in Markdown: a line for each button with its lamp, then the buzzer."""
    found = {(wire.kind, wire.name): wire for wire in wires(pins)}
    kinds: tuple[Kind, ...] = ("button", "lamp")
    lines = [
        [t(name), *(cell for kind in kinds for cell in _cells(found.get((kind, name))))] for name in BUTTONS
    ]
    lines.append([t("buzzer"), "", "", *_cells(found.get(("buzzer", "buzzer")))])
    head = ["", t("button: GPIO"), t("position"), t("lamp: GPIO"), t("position")]
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * 5, *lines]) + "\n"


def _cells(wire: Wire | None) -> list[str]:
    return [str(wire.gpio), str(wire.position)] if wire else ["–", "–"]


# The drawing. Its unit is the pixel; pads stand in two columns of twenty, as on the board.

WIDE, TOP, STEP, PAD, MIDDLE = 860, 64, 27, 20, 430
HIGH = TOP + 20 * STEP + 230
INKS: dict[Kind, str] = {"button": "#1b6ca8", "lamp": "#b8860b", "buzzer": "#9c2f6f"}


def svg(pins: PanelPins, t: Words = str) -> str:
    """The header as it is seen from above, what hangs on it, and how each kind of part is connected."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif" '
        'font-size="14" fill="none" stroke-width="2">',
        f'<rect width="{WIDE}" height="{HIGH}" fill="#fff"/>',
        _text(
            MIDDLE,
            28,
            t("The 40-pin header, seen from above; the end with 1 and 2 is the board's corner"),
            "middle",
        ),
        f'<rect x="{MIDDLE - 34}" y="{TOP - 16}" width="68" height="{20 * STEP + 6}" rx="6" fill="#e8ebe4"/>',
        *_header({wire.position: wire for wire in wires(pins)}, t),
        *_schemes(TOP + 20 * STEP + 40, t),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _header(used: dict[int, Wire], t: Words) -> Iterator[str]:
    for position in range(1, 41):
        side = -1 if position % 2 else 1
        x, y = MIDDLE + side * 15, TOP + (position - 1) // 2 * STEP
        yield from _pad(position, x, y, used.get(position))
        label = _label(position, used, t)
        if wire := used.get(position):
            yield f'<path d="M{x + side * 10} {y}H{MIDDLE + side * 112}" stroke="{INKS[wire.kind]}"/>'
            yield from _sign(wire.kind, MIDDLE + side * 124, y)
            yield _text(MIDDLE + side * 146, y + 5, label, "start" if side > 0 else "end")
        elif label:
            yield _text(MIDDLE + side * 42, y + 4, label, "start" if side > 0 else "end", size=11, ink="#777")


def _label(position: int, used: dict[int, Wire], t: Words) -> str:
    """What stands beside a place of the header; nothing where nothing is connected."""
    if wire := used.get(position):
        name = t("buzzer") if wire.kind == "buzzer" else f"{t(wire.name)}: {t(wire.kind)}"
        return f"{name}, GPIO {wire.gpio}"
    if position in DISPLAY:
        return t("the display's power")
    if position in GROUND:
        return t("ground")
    buzzes = position == 4 and any(wire.kind == "buzzer" for wire in used.values())
    return t("5 V, for the buzzer") if buzzes else ""


def _pad(position: int, x: int, y: int, wire: Wire | None) -> Iterator[str]:
    fill, ink = (
        ("#444", "#fff")
        if position in GROUND
        else ("#f4b183", "#000")
        if position in POWER
        else ("#fff", "#000")
    )
    half = PAD // 2
    shape = f'x="{x - half}" y="{y - half}" width="{PAD}" height="{PAD}" rx="{2 if position == 1 else half}"'
    yield f'<rect {shape} fill="{fill}" stroke="{INKS[wire.kind] if wire else "#999"}"/>'
    yield _text(x, y + 4, str(position), "middle", size=10, ink=ink)


def _sign(kind: Kind, x: int, y: int) -> Iterator[str]:
    """A button is a square with a cap, a lamp a ring with a cross, a buzzer a ring with a dot."""
    ink = INKS[kind]
    if kind == "button":
        yield f'<rect x="{x - 10}" y="{y - 10}" width="20" height="20" rx="3" stroke="{ink}"/>'
        yield f'<circle cx="{x}" cy="{y}" r="5" fill="{ink}"/>'
        return
    yield f'<circle cx="{x}" cy="{y}" r="10" stroke="{ink}"/>'
    if kind == "lamp":
        yield f'<path d="M{x - 7} {y - 7}L{x + 7} {y + 7}M{x - 7} {y + 7}L{x + 7} {y - 7}" stroke="{ink}"/>'
    else:
        yield f'<circle cx="{x}" cy="{y}" r="3" fill="{ink}"/>'


def _schemes(y: int, t: Words) -> Iterator[str]:
    """How one part of each kind is connected."""
    yield _text(40, y, t("button"), ink=INKS["button"])
    yield _line(f"M70 {y + 50}H120M128 {y + 48}L168 {y + 26}M176 {y + 50}H222")
    yield from (_dot(x, y + 50) for x in (124, 172))
    yield from _ends(40, 226, y + 50, t)
    yield _text(300, y, t("lamp"), ink=INKS["lamp"])
    yield _line(f"M330 {y + 50}H350M410 {y + 50}H432M456 {y + 50}H482")
    yield _box(350, y + 38, 60, "330 Ω")
    yield _line(f"M432 {y + 38}V{y + 62}L454 {y + 50}ZM455 {y + 38}V{y + 62}")
    yield from _ends(300, 486, y + 50, t)
    yield _text(570, y, t("buzzer"), ink=INKS["buzzer"])
    yield _line(
        f"M600 {y + 90}H616M666 {y + 90}H690M690 {y + 72}V{y + 108}M690 {y + 80}L716 {y + 66}V{y + 58}"
    )
    yield _line(f"M690 {y + 100}L716 {y + 114}V{y + 132}H742M705 {y + 111}L713 {y + 113}L709 {y + 105}")
    yield _line(f"M716 {y + 34}V{y + 18}H742")
    yield _box(616, y + 78, 50, "1 kΩ")
    yield _box(686, y + 34, 60, t("buzzer"), size=11)
    yield _text(570, y + 95, t("pin"))
    yield _text(746, y + 23, "5 V")
    yield _text(746, y + 137, t("ground"))
    yield _text(730, y + 95, t("NPN: BC547, 2N3904"), size=11)
    yield _text(40, y + 110, t("No resistor: the pin's own pulls it up."), size=12)
    yield _text(300, y + 110, t("The long leg of the LED faces the pin."), size=12)
    yield _text(570, y + 165, t("Its + faces 5 V; it sounds by itself (active)."), size=12)


def _ends(left: int, right: int, y: int, t: Words) -> Iterator[str]:
    yield _text(left, y + 5, t("pin"))
    yield _text(right, y + 5, t("ground"))


def _line(path: str) -> str:
    return f'<path d="{path}" stroke="#000" stroke-linejoin="round"/>'


def _dot(x: int, y: int) -> str:
    return f'<circle cx="{x}" cy="{y}" r="4" stroke="#000"/>'


def _box(x: int, y: int, wide: int, words: str, size: int = 12) -> str:
    box = f'<rect x="{x}" y="{y}" width="{wide}" height="24" stroke="#000"/>'
    return box + _text(x + wide // 2, y + 16, words, "middle", size)


def _text(x: int, y: int, words: str, anchor: str = "start", size: int = 14, ink: str = "#000") -> str:
    style = f'text-anchor="{anchor}" font-size="{size}" fill="{ink}"'
    return f'<text x="{x}" y="{y}" {style}>{escape(words)}</text>'
