"""`companion doctor` and `companion tray-sheet`, as a person or a program calls them."""

import json
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from companion.cli import main
from companion.commands import doctor as command
from companion.config import CONFIG, Settings, data_dir, load_panel
from companion.language import Texts
from companion.store import Store
from hardware.camera import Camera, CameraState, CameraStatus, Lock, Picture
from hardware.camera.testing import Exposed, write
from hardware.panel import Panel, PanelError, PanelEvent, PanelPins, PanelProblem
from tests.tray.scene import seen


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(command, "PICTURES", 3)
    monkeypatch.setattr(command, "LOOKING", 8.0)


def lines(said: str) -> dict[str, dict[str, Any]]:
    return {line["name"]: line for line in json.loads(said)["findings"]}


def test_for_programs_it_is_one_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path / "tray.png", seen())
    status = main(["--language", "en", "--camera", str(file), "doctor", "--json"])
    said = capsys.readouterr().out
    found = lines(said)
    assert status == (0 if json.loads(said)["ok"] else 1)
    assert found["camera"]["state"] == "ok" and str(file) in found["camera"]["what"]
    assert found["exposure"] == {"name": "exposure", "state": "ok", "what": "Bright enough", "todo": None}
    assert found["tray"]["state"] == "warn" and "sign with four corners" in found["tray"]["todo"]
    assert {"rate", "gpio", "display", "touch", "sound", "disk", "power", "groups"} <= set(found)


@pytest.mark.parametrize("words", ["--camera {} doctor --json", "doctor --json --camera {}"])
def test_the_camera_is_said_before_the_command_or_behind_it(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([word.format(tmp_path / "none.jpg") for word in words.split()])
    assert "none.jpg" in lines(capsys.readouterr().out)["camera"]["what"]


def test_a_camera_that_delivers_is_called_as_the_command_line_names_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    webcam = Exposed(np.asarray(seen(), np.float32))
    monkeypatch.setattr(webcam, "source", "usb:0")
    monkeypatch.setattr(command, "Camera", partial(Camera, source=webcam))
    for words, name in ((["--camera", "usb:0"], "usb:0"), ([], "USB camera 1")):
        main(["--language", "en", "doctor", "--json", *words])
        assert lines(capsys.readouterr().out)["camera"]["what"] == f"The camera is there: {name}"


def test_a_camera_that_takes_its_time_to_begin_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of a Raspberry Pi may take eight seconds, a video over RTSP sixteen."""
    now = 0.0

    class Slow:
        status = CameraStatus(CameraState.SEARCHING, "csi")

        def wait(self, after: int, timeout: float) -> Picture | None:
            nonlocal now
            now += 0.25
            return Picture(seen(), after + 1, now) if now >= 16 else None

    monkeypatch.setattr("companion.commands.doctor.time.monotonic", lambda: now)
    assert [picture.number for picture in command._pictures(cast(Camera, Slow()))] == [1, 2, 3]


@pytest.mark.parametrize(("measured", "held"), [("", None), ("lock: exposure=100\n", Lock((100.0,)))])
def test_it_looks_with_what_the_companion_would_hold_not_with_what_another_program_has_left(
    measured: str,
    held: Lock | None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "settings.yaml").write_text(measured)
    webcam = Exposed(np.asarray(seen(), np.float32), late=0)
    webcam.held = Lock((3.0,))
    monkeypatch.setattr(command, "Camera", partial(Camera, source=webcam))
    main(["--language", "en", "doctor", "--json"])
    assert lines(capsys.readouterr().out)["exposure"]["what"] == "Bright enough"
    assert webcam.held == held


def test_for_people_each_line_has_a_sign_and_what_to_do_stands_below(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["--language", "de", "--camera", str(tmp_path / "none.jpg"), "doctor"])
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("! Keine Kamera schickt Bilder")
    assert said[1].startswith("    ")
    assert all(line.startswith(("✓ ", "! ", "✗ ", "    ")) for line in said[:-1])
    assert "\033" not in "".join(said)  # nobody sees colours in a file


def test_a_mistake_in_the_configuration_is_a_line_of_its_own_and_the_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "companion.yaml").write_text("volume: loud\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path))
    assert main(["--camera", str(tmp_path / "none.jpg"), "doctor", "--json"]) == 1
    found = lines(capsys.readouterr().out)
    assert found["settings"]["state"] == "bad" and "companion.yaml:1" in found["settings"]["todo"]


def test_every_mistake_is_listed_those_in_the_files_of_the_games_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config"
    shutil.copytree(CONFIG, config)
    (config / "games" / "kabooom.yaml").write_text("# mine\nlevel: soft\nbord: 3x8\n")
    (config / "games" / "big-boom-bang.yaml").unlink()
    monkeypatch.setenv("COMPANION_CONFIG", str(config))
    words = ["--language", "en", "doctor", "--camera", str(write(tmp_path / "tray.png", seen()))]
    assert main([*words, "--json"]) == 1
    found = lines(capsys.readouterr().out)["settings"]
    assert found["state"] == "bad" and found["what"] == "The configuration has mistakes: 3"
    wrong = ["big-boom-bang.yaml: the file is missing", "kabooom.yaml:2: level", "kabooom.yaml:3: unknown"]
    assert [text for text in wrong if text not in found["todo"]] == []
    with (config / "companion.yaml").open("a") as file:
        file.write("vioce: true\n")
    assert main(words) == 1
    said = capsys.readouterr().out
    assert "✗ The configuration has mistakes: 4" in said and said.count(str(config)) == 4


# The panel, on mock pins


WIRED = load_panel(CONFIG / "panel.yaml")


def examined(factory: MockFactory) -> dict[str, str]:
    """What is said of each button, after all were to be pressed."""
    opened = partial(Panel, pin_factory=factory, settle=0.001)
    found = command._panel(WIRED, True, opened, Texts("en"))
    return {each.name: Texts("en").say(each.what) for each in found}


def test_buttons_at_rest_are_looked_at_when_nobody_can_be_asked() -> None:
    def stuck(pins: PanelPins, heard: Callable[[PanelEvent], None]) -> Panel:
        factory = MockFactory()
        panel = Panel(pins, heard, factory, settle=0.001)
        factory.pin(6).drive_low()  # back is joined to ground
        return panel

    findings = command._panel(WIRED, True, stuck, None)
    found = {each.name: each.health.value for each in findings}
    assert found["gpio"] == "ok"
    assert found["button-back"] == "warn" and found["button-confirm"] == "ok"


def test_where_no_panel_is_wanted_none_is_opened() -> None:
    def opened(pins: PanelPins, heard: Callable[[PanelEvent], None]) -> Panel:
        raise AssertionError("nobody wants it")

    (found,) = command._panel(WIRED, False, opened, Texts("en"))
    assert Texts("en").say(found.what) == "No panel is wanted here: keys and touch stand in for it"


def test_pins_that_the_running_companion_has_are_no_fault() -> None:
    def busy(pins: PanelPins, heard: Callable[[PanelEvent], None]) -> Panel:
        raise PanelError(PanelProblem.PIN_BUSY, "GPIO busy")

    def health() -> list[str]:
        return [each.health.value for each in command._panel(WIRED, True, busy, None)]

    assert health() == ["bad"]
    with Store.open(data_dir() / "companion.db", alone=True):
        assert health() == ["ok"]
    assert health() == ["bad"]


def test_a_camera_that_the_running_companion_has_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    busy = CameraStatus(CameraState.BUSY, "usb:0")
    monkeypatch.setattr(command, "_pictures", lambda camera: [])
    monkeypatch.setattr(Camera, "status", property(lambda self: busy))

    def health() -> list[str]:
        found = command.look(Settings(camera="usb:9"), data_dir() / "none", named=False)
        return [each.health.value for each in found]

    assert health() == ["bad"]
    with Store.open(data_dir() / "companion.db", alone=True):
        assert health() == ["ok"]


def test_every_button_that_is_pressed_is_seen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    factory, numbers = MockFactory(), WIRED.buttons

    def press(every: threading.Event) -> None:
        for number in numbers.values():
            factory.pin(number).drive_low()
        assert every.wait(5)

    monkeypatch.setattr(command, "_wait", press)
    found = examined(factory)
    assert all(found[f"button-{name}"].endswith("was pressed") for name in numbers)
    assert "Press each button" in capsys.readouterr().out


def test_where_only_lamps_are_wired_nobody_is_asked_to_press_anything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def waited(every: threading.Event) -> None:
        raise AssertionError("for no button")

    monkeypatch.setattr(command, "_wait", waited)
    lamps = replace(WIRED, buttons={})
    opened = partial(Panel, pin_factory=MockFactory(), settle=0.001)
    assert [each.name for each in command._panel(lamps, True, opened, Texts("en"))] == ["gpio"]


def test_a_button_that_never_comes_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_wait", lambda every: None)
    assert examined(MockFactory())["button-undo"] == "Undo (GPIO 16) was not seen"


def test_a_button_that_was_down_before_anybody_was_asked_was_pressed_by_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    factory = MockFactory()
    monkeypatch.setattr(factory.pin(16), "_set_pull", lambda value: None)  # a wire is stronger than a pull-up
    factory.pin(16).drive_low()

    def press(every: threading.Event) -> None:
        for number in (5, 6, 13, 26):
            factory.pin(number).drive_low()
        assert every.wait(5)

    monkeypatch.setattr(command, "_wait", press)
    found = examined(factory)
    assert found["button-undo"] == "Undo (GPIO 16) is pressed all the time"
    assert found["button-back"] == "Back (GPIO 6) was pressed"


# The sheet


def test_the_sheet_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "new" / "sheet.svg"
    assert main(["--language", "de", "tray-sheet", str(file), "--inner", "200x150"]) == 0
    assert 'width="200" height="150"' in file.read_text(encoding="utf-8")
    assert "wahrer Größe" in file.read_text(encoding="utf-8")
    assert main(["tray-sheet"]) == 0
    assert capsys.readouterr().out.startswith("<svg")


@pytest.mark.parametrize("inner", ["400x160", "230", "axb", "20x20", "nanx160"])
def test_a_sheet_that_cannot_be_is_refused(inner: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "en", "tray-sheet", "--inner", inner]) == 2
    said = capsys.readouterr().err
    assert inner in said and "287x200" in said and said.count("\n") == 1
