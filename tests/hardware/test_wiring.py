"""The build guide shows the wiring that is configured; what is printed has the measures of tray.scad."""

import re
import struct
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.cli import main
from companion.commands.wiring import configured
from companion.config import CONFIG, ROOT
from hardware.panel import PanelPins
from hardware.wiring import GROUND, POSITIONS, POWER, svg, table, wires

HARDWARE = ROOT / "hardware"
PANEL = CONFIG / "panel.yaml"


def texts(drawing: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(drawing).iter() if each.tag.endswith("text")]


def test_the_header_has_forty_places_each_for_one_thing() -> None:
    places = [*POSITIONS.values(), *GROUND, *POWER]
    assert sorted(places) == list(range(1, 41)) and sorted(POSITIONS) == list(range(28))


def test_panel_yaml_names_the_places_of_its_pins() -> None:
    found = re.findall(r"^\s*\w+: (\d+)\s+# position (\d+)$", PANEL.read_text(), re.MULTILINE)
    assert len(found) == len(wires(configured(PANEL)))
    assert all(POSITIONS[int(gpio)] == int(position) for gpio, position in found)


def test_the_build_guide_shows_what_is_configured() -> None:
    """If this fails: ./play wiring --svg hardware/wiring.svg, and put the table into hardware/README.md."""
    pins = configured(PANEL)
    assert table(pins) in (HARDWARE / "README.md").read_text(encoding="utf-8")
    assert svg(pins) == (HARDWARE / "wiring.svg").read_text(encoding="utf-8")


def test_every_wire_is_drawn_once_and_nothing_else() -> None:
    pins = PanelPins({"confirm": 4, "undo": 21}, {"back": 12}, None)
    found = [text for text in texts(svg(pins)) if "GPIO" in text]
    assert sorted(found) == ["back: lamp, GPIO 12", "confirm: button, GPIO 4", "undo: button, GPIO 21"]
    assert "5 V, for the buzzer" not in texts(svg(pins))
    assert "| back | – | – | 12 | 32 |" in table(pins)


def test_a_drawing_says_what_is_in_the_users_own_file_in_the_users_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "panel.yaml").write_text(PANEL.read_text().replace("confirm: 5 ", "confirm: 12"))
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path))
    file = tmp_path / "new" / "wiring.svg"
    assert main(["--language", "de", "wiring", "--svg", str(file)]) == 0
    assert "| bestätigen | 12 | 32 | 17 | 11 |" in capsys.readouterr().out
    assert "bestätigen: Taste, GPIO 12" in texts(file.read_text(encoding="utf-8"))


def test_mistakes_in_the_file_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "panel.yaml").write_text(PANEL.read_text().replace("confirm: 5 ", "confirm: 99"))
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path))
    assert main(["--language", "en", "wiring"]) == 2
    assert "panel.yaml:" in capsys.readouterr().err


# The tray

Point = tuple[float, float, float]


def triangles(file: Path) -> list[tuple[Point, Point, Point]]:
    """Those of a binary STL file."""
    data = file.read_bytes()
    (count,) = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * count
    found = (struct.unpack_from("<9f", data, 84 + 50 * i + 12) for i in range(count))
    return [(tuple(p[:3]), tuple(p[3:6]), tuple(p[6:])) for p in found]


def measures() -> dict[str, float]:
    """The numbers at the top of tray.scad."""
    text = (HARDWARE / "tray/tray.scad").read_text()
    long, wide = re.findall(r"^inner = \[(\d+), (\d+)\]", text, re.MULTILINE)[0]
    plain = {name: float(value) for name, value in re.findall(r"^(\w+) = ([\d.]+);", text, re.MULTILINE)}
    return plain | {"long": float(long), "wide": float(wide)}


def size(file: Path) -> list[float]:
    points = [point for triangle in triangles(file) for point in triangle]
    return [max(p[axis] for p in points) - min(p[axis] for p in points) for axis in range(3)]


@pytest.mark.parametrize("name", ["tray", "half", "clamp", "camera"])
def test_what_is_printed_is_closed(name: str) -> None:
    """Each edge belongs to two triangles, which go along it in opposite directions."""
    edges = Counter(
        (a, b)
        for t in triangles(HARDWARE / f"tray/{name}.stl")
        for a, b in zip(t, t[1:] + t[:1], strict=True)
    )
    assert set(edges.values()) == {1}
    assert all((b, a) in edges for a, b in edges)


def test_the_files_to_print_have_the_measures_of_the_tray() -> None:
    m = measures()
    thick = m["rod"] / 2 + m["around"]
    long, wide, socket = m["long"] + 2 * m["wall"], m["wide"] + 2 * m["wall"], 2 * thick - m["wall"]
    high = m["bottom"] + m["height"]
    assert size(HARDWARE / "tray/tray.stl") == pytest.approx([long, wide + 2 * socket, high], abs=0.05)
    assert size(HARDWARE / "tray/half.stl") == pytest.approx([long / 2, wide + socket, high], abs=0.05)
    assert size(HARDWARE / "tray/clamp.stl") == pytest.approx(
        [2 * thick, 2 * thick, 2 * thick + 20], abs=0.05
    )
