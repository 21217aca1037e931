"""What the calibration keeps in the machine's own settings: read, written, and refused when it cannot be."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.config import CONFIG, camera_file, load_all, save
from companion.config.files import read_settings

TRAY = (0.1, 0.125, 0.9, 0.1, 0.95, 0.9, 0.05, 0.875)


def test_it_is_kept_and_read_again(tmp_path: Path) -> None:
    file = tmp_path / "settings.yaml"
    save(file, {"tray": TRAY, "lock": "exposure=156 white_balance=1.966,1.733"})
    kept = read_settings(CONFIG / "companion.yaml", file).settings
    assert (kept.tray, kept.lock) == (TRAY, "exposure=156 white_balance=1.966,1.733")
    save(file, {"tray": None, "lock": None})
    kept = read_settings(CONFIG / "companion.yaml", file).settings
    assert (kept.tray, kept.lock) == (None, None)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("tray: 0.1 0.1 0.9 0.1 0.9 0.9", "eight numbers"),
        ("tray: 0.1 0.1 0.9 0.1 0.9 0.9 0.1 1.2", "eight numbers"),
        ("tray: 0.1 0.1 0.9 0.1 0.9 0.9 0.1 x", "eight numbers"),
        ("tray: 0.9 0.1 0.1 0.1 0.9 0.9 0.1 0.9", "clockwise"),
        ("tray: 0.1 0.1 0.1 0.9 0.9 0.9 0.9 0.1", "clockwise"),
        ("tray: 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5", "clockwise"),
        ("tray:", "no value"),
        ("lock: fast", "exposure=156"),
        ("lock: exposure=-3", "exposure=156"),
        ("lock: ''", "exposure=156"),
    ],
)
def test_what_cannot_be_is_named_with_its_line_and_holds_nothing_else_back(
    tmp_path: Path, line: str, why: str
) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text(f"volume: 50\n{line}\n")
    found = read_settings(CONFIG / "companion.yaml", file)
    (problem,) = found.foreign
    assert found.settings == replace(found.written, volume=50)
    assert problem.line == 2
    said = str(problem.message)
    assert why in said


def test_of_a_camera_whose_file_is_damaged_the_start_tells(tmp_path: Path) -> None:
    camera = load_all(CONFIG, tmp_path).settings.camera
    file = camera_file(tmp_path, camera)
    file.parent.mkdir()
    file.write_text("tray: 0.1 0.1 [\n")
    configuration = load_all(CONFIG, tmp_path)
    assert configuration.settings.tray is None
    assert [problem.file for problem in configuration.foreign] == [file]
