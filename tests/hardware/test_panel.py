"""The panel on gpiozero's mock pins: what the fingers do, and what the app hears and sees."""

import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from gpiozero import LED, GPIODeviceError
from gpiozero.pins.mock import MockFactory, MockPin

from companion.commands.wiring import configured
from companion.config import CONFIG
from hardware.panel import (
    BUTTONS,
    Held,
    Lamp,
    NoPanel,
    Panel,
    PanelError,
    PanelEvent,
    PanelPins,
    PanelProblem,
    Pressed,
    Released,
)
from hardware.panel import gpio as gpio_module
from hardware.panel import panel as panel_module
from hardware.panel.gpio import Wires

PINS = configured(CONFIG / "panel.yaml")


class Desk:
    """A panel on mock pins, and the queue its events go to."""

    def __init__(self, pins: PanelPins = PINS, hold: float = 60.0) -> None:
        self.factory = MockFactory()
        self.events: queue.Queue[PanelEvent] = queue.Queue()
        self.pins = pins
        self.panel = Panel(pins, self.events.put, self.factory, settle=0.004, hold=hold)

    def button(self, name: str) -> MockPin:
        return self.factory.pin(self.pins.buttons[name])

    def lamp(self, name: str) -> MockPin:
        return self.factory.pin(self.pins.lamps[name])

    @property
    def buzzer(self) -> MockPin:
        return self.factory.pin(self.pins.buzzer)

    def next(self) -> PanelEvent:
        return self.events.get(timeout=3)


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.panel.close()


@pytest.mark.parametrize("name", BUTTONS)
def test_a_finger_presses_and_lets_go(desk: Desk, name: str) -> None:
    desk.button(name).drive_low()
    assert desk.next() == Pressed(name)
    desk.button(name).drive_high()
    assert desk.next() == Released(name)


def test_a_bouncing_contact_presses_once(desk: Desk) -> None:
    for _ in range(10):
        desk.button("confirm").drive_low()
        desk.button("confirm").drive_high()
    desk.button("confirm").drive_low()
    assert desk.next() == Pressed("confirm")
    desk.button("back").drive_low()
    assert desk.next() == Pressed("back")  # and nothing before it


def test_a_press_that_is_told_late_is_as_long_as_it_was(desk: Desk) -> None:
    """While Python is held up the kernel notes when the levels change, and tells it all at once."""
    pin = desk.button("confirm")
    for level, ago in ((False, 0.3), (True, 0.2)):
        pin._change_state(level)
        pin._last_change -= ago
        pin._call_when_changed()
    assert [desk.next(), desk.next()] == [Pressed("confirm"), Released("confirm")]


def test_a_finger_that_stays_is_a_long_press() -> None:
    desk = Desk(hold=0.03)
    desk.button("undo").drive_low()
    assert [desk.next(), desk.next()] == [Pressed("undo"), Held("undo")]
    desk.button("undo").drive_high()
    assert desk.next() == Released("undo")
    desk.panel.close()


def test_an_edge_that_the_kernel_lost_is_found_in_the_level(desk: Desk) -> None:
    pin = desk.button("left")
    pin.drive_low()
    pin.edges = "none"  # from now on nobody is told
    pin.drive_high()
    assert [desk.next(), desk.next()] == [Pressed("left"), Released("left")]


def test_a_button_that_is_down_at_the_start_is_pressed() -> None:
    factory, events = MockFactory(), queue.Queue[PanelEvent]()
    factory.pin(PINS.buttons["right"])._set_pull = lambda value: None  # a finger is stronger than a pull-up
    factory.pin(PINS.buttons["right"]).drive_low()
    with Panel(PINS, events.put, factory, settle=0.004):
        assert events.get(timeout=3) == Pressed("right")


def test_lamps_light_and_go_out(desk: Desk) -> None:
    assert not any(desk.lamp(name).state for name in BUTTONS)
    desk.panel.lamp("confirm", Lamp.ON)
    assert desk.lamp("confirm").state
    desk.panel.lamp("confirm", Lamp.OFF)
    assert not desk.lamp("confirm").state


def test_a_blinking_lamp_comes_on_and_can_be_stopped(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    lit, change = threading.Event(), desk.lamp("left")._change_state

    def changed(value: bool) -> None:
        change(value)
        if value:
            lit.set()

    monkeypatch.setattr(desk.lamp("left"), "_change_state", changed)
    desk.panel.lamp("left", Lamp.BLINK)
    assert lit.wait(3)
    desk.panel.lamp("left", Lamp.OFF)
    assert not desk.lamp("left").state


def test_the_buzzer_sounds_for_a_while_and_stops(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    states: queue.Queue[bool] = queue.Queue()
    monkeypatch.setattr(desk.buzzer, "_change_state", states.put)
    before = set(threading.enumerate())
    desk.panel.buzz(0.01)
    assert [states.get(timeout=3), states.get(timeout=0.9)] == [True, False]
    for sounding in set(threading.enumerate()) - before:
        sounding.join(0.5)
    assert set(threading.enumerate()) <= before and states.empty(), "it does not go on"


def test_what_is_not_wired_is_left_alone() -> None:
    desk = Desk(PanelPins({"confirm": 5}, {}, None))
    desk.panel.lamp("undo", Lamp.BLINK)
    desk.panel.buzz(1)
    desk.button("confirm").drive_low()
    assert desk.next() == Pressed("confirm")
    desk.panel.close()


def test_closing_puts_out_the_lamps_and_gives_back_pins_and_threads() -> None:
    before = set(threading.enumerate())
    desk = Desk()
    desk.panel.lamp("confirm", Lamp.BLINK)
    desk.panel.buzz(60)
    with desk.panel:
        pass
    assert set(threading.enumerate()) <= before
    desk.panel.close()
    with LED(PINS.lamps["confirm"], pin_factory=desk.factory) as lamp:  # nobody has it any more
        assert not lamp.is_lit


def test_a_taken_pin_says_so_and_nothing_stays_open() -> None:
    factory, before = MockFactory(), set(threading.enumerate())
    with LED(PINS.lamps["undo"], pin_factory=factory), pytest.raises(PanelError) as caught:
        Panel(PINS, print, factory)
    assert caught.value.kind is PanelProblem.PIN_BUSY
    assert set(threading.enumerate()) <= before
    Panel(PINS, print, factory).close()


def test_the_pin_that_another_program_has_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """lgpio says no more than that, by an error of its own."""
    lgpio = ModuleType("lgpio")
    lgpio.error = type("error", (Exception,), {})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)

    class Taken(MockFactory):  # type: ignore[misc]
        def pin(self, name: object) -> MockPin:
            if name == PINS.lamps["undo"]:
                raise lgpio.error("GPIO busy")
            return super().pin(name)

    with pytest.raises(PanelError) as caught:
        Panel(PINS, print, Taken())
    assert (caught.value.kind, caught.value.detail) == (PanelProblem.PIN_BUSY, "GPIO 24: GPIO busy")


def test_pins_that_fail_later_are_lost(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(value: bool) -> None:
        raise OSError("gone")

    monkeypatch.setattr(desk.lamp("back"), "_set_state", broken)
    with pytest.raises(PanelError) as caught:
        desk.panel.lamp("back", Lamp.ON)
    assert caught.value.kind is PanelProblem.LOST
    desk.panel.close()  # which has nothing to say about it


def test_a_chip_that_goes_before_the_first_look_is_lost_and_gives_back_its_pins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    factory, before = MockFactory(), set(threading.enumerate())

    def gone(*_: object) -> None:
        raise OSError("No such device")

    class Going(Wires):
        def __init__(self, pins: PanelPins, pin_factory: MockFactory) -> None:
            super().__init__(pins, pin_factory)
            for pin in pin_factory.pins.values():
                patch.setattr(pin, "_get_state", gone)

    with monkeypatch.context() as patch, pytest.raises(PanelError) as caught:
        patch.setattr(panel_module, "Wires", Going)
        Panel(PINS, print, factory)
    assert caught.value.kind is PanelProblem.LOST
    assert set(threading.enumerate()) <= before
    Panel(PINS, print, factory).close()  # it is back


def test_a_chip_that_is_gone_leaves_no_pins_to_the_one_that_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """gpiozero's factories for real pins share them; closing fails at the first one of a lost chip."""
    shared: dict[object, MockPin] = {}
    closed: list[MockFactory] = []

    class Shared(MockFactory):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.pins = shared

        def close(self) -> None:
            for pin in shared.values():
                pin.close()
            shared.clear()
            closed.append(self)

    def gone(*_: object) -> None:
        raise OSError("No such device")

    monkeypatch.setattr(gpio_module, "pi_factory", Shared)
    first = Panel(PINS, print)
    for pin in shared.values():
        monkeypatch.setattr(pin, "close", gone)
        monkeypatch.setattr(pin, "_get_state", gone)
    with pytest.raises(PanelError) as caught:
        print(first.down)
    assert caught.value.kind is PanelProblem.LOST
    first.close()
    assert len(closed) == 1, "the chip itself was let go of"
    with Panel(PINS, print) as second:
        assert second.down == frozenset()


def test_a_panel_that_hears_no_more_says_so_when_it_is_glanced_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pins failed but once, and the levels can be read again; nobody listens to the buttons any more."""
    factory = MockFactory()

    def gone(*_: object) -> None:
        raise OSError("No such device")

    with Panel(PINS, print, factory) as panel:
        with monkeypatch.context() as patch:
            for pin in factory.pins.values():
                patch.setattr(pin, "_get_state", gone)
            panel._edge("confirm", True)
            panel._thread.join(3)
        with pytest.raises(PanelError) as caught:
            print(panel.down)
    assert caught.value.kind is PanelProblem.LOST


@pytest.mark.skipif(any(Path("/dev").glob("gpiochip*")), reason="this machine has pins")
def test_without_gpio_there_is_no_panel_but_a_reason() -> None:
    here = Path.cwd()
    with pytest.raises(PanelError) as caught:
        Panel(PINS, print)
    assert caught.value.kind is PanelProblem.NO_GPIO
    assert caught.value.detail
    assert Path.cwd() == here


def test_nothing_of_lgpio_stays_behind_however_the_program_ends_and_we_are_where_we_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Lgpio(ModuleType):
        @property
        def LGPIOFactory(self) -> Any:
            """As lgpio does when it is imported."""
            os.chdir(os.environ.get("LG_WD", "."))
            os.mkfifo(".lgd-nfy0")
            return MockFactory

    here, folders = tmp_path / "here", tmp_path / "folders"
    here.mkdir()
    folders.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(folders))
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", Lgpio("lgpio"))
    Panel(PINS, print).close()
    assert Path.cwd() == here and not any(here.iterdir()) and not any(folders.iterdir())


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (RuntimeError("GPIO busy"), PanelProblem.PIN_BUSY),
        (PermissionError("Permission denied"), PanelProblem.DENIED),
        (GPIODeviceError("whatever"), PanelProblem.NO_GPIO),
        (RuntimeError("can not open gpiochip"), PanelProblem.NO_GPIO),
    ],
)
def test_what_an_error_means(error: Exception, kind: PanelProblem, tmp_path: Path) -> None:
    assert gpio_module.problem(error, tmp_path) is kind


def test_a_chip_that_is_there_but_closed_to_us_is_denied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gpiochip0").touch()
    error = RuntimeError("can not open gpiochip")
    assert gpio_module.problem(error, tmp_path) is PanelProblem.NO_GPIO, "it is open to us"
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert gpio_module.problem(error, tmp_path) is PanelProblem.DENIED


def test_the_stand_in_has_the_same_interface() -> None:
    def public(kind: type) -> set[str]:
        return {name for name in vars(kind) if not name.startswith("_")}

    assert public(NoPanel) == public(Panel)


def test_the_defaults_keep_off_the_pins_of_others() -> None:
    others = {0, 1, 2, 3, 7, 8, 9, 10, 11, 14, 15, 18, 19, 20, 21}  # ID, I2C, SPI, UART, I2S
    used = {*PINS.buttons.values(), *PINS.lamps.values(), PINS.buzzer}
    assert len(used) == 11
    assert not used & others


def test_importing_the_panel_does_not_import_gpiozero() -> None:
    code = "import sys, hardware.panel; assert 'gpiozero' not in sys.modules and 'lgpio' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
