"""How the machine is, on the screen: the worst first, page by page; buttons that light up."""

from collections.abc import Callable
from pathlib import Path

import pytest

from companion import troubles
from companion.doctor.findings import Finding, Health
from companion.doctor.machine import groups, power, temperature, versions
from companion.doctor.panel import pins
from companion.events import Examine, Examined, Seen, Tick
from companion.eye.throws import State
from companion.language import Message, Texts
from companion.screens.base import Context, Screen
from companion.screens.doctor import BUTTONS, DoctorScreen
from companion.screens.settings import SettingsScreen
from tests.screens.checks import TURNED, VIEWS, check_picture, check_screen, staged
from tests.screens.conftest import Hand
from tests.tray.scene import Image, seen, shaded


def findings(sys: Path) -> tuple[Finding, ...]:
    (sys / "class/thermal/thermal_zone0").mkdir(parents=True, exist_ok=True)
    (sys / "class/thermal/thermal_zone0/temp").write_text("74500\n")
    (sys / "gpiochip0").touch()
    return (
        pins(True, ("NO_GPIO", "[Errno 2] can not open gpiochip"), "-"),
        temperature(sys),
        power("throttled=0x50005"),
        groups(sys, lambda path: False, lambda path: "gpio"),
        versions(),
    )


def examined(context: Context, *frames: Image) -> Hand:
    hand = Hand.at(DoctorScreen(context))
    hand.wait(0.05)
    hand._do(Examined(findings(context.data)))
    for frame in frames:
        context.now += 2
        context.camera.pictures += 20
        hand._do(Seen(frame, (), State.NOTHING, None))
    return hand


def pressed(context: Context) -> Screen:
    hand = examined(context, seen(), seen())
    hand.press("confirm", "left", "undo")
    return hand.stage.top


def without_camera(context: Context) -> Screen:
    context.camera.trouble = troubles.camera("MISSING", "auto")
    return examined(context).stage.top


SCREENS: dict[str, Callable[[Context], Screen]] = {
    "doctor-begin": DoctorScreen,
    "doctor": lambda context: examined(context, shaded(seen()), shaded(seen())).stage.top,
    "doctor-pressed": pressed,
    "doctor-no-camera": without_camera,
}


@pytest.mark.parametrize("name", SCREENS)
def test_pictures(context: Context, pictures: Path, name: str) -> None:
    screen = SCREENS[name](context)
    assert isinstance(screen, DoctorScreen)
    check_screen(context, pictures, name, screen)
    for size, language in [*VIEWS, (TURNED, "de")]:
        context.t = Texts(language)
        stage = staged(context, screen, size)
        for page in range(1, len(screen._pages(stage.canvas))):
            screen.pages.number = page
            check_picture(context, pictures, f"{name}-{page + 1}", stage, size, language)


def test_it_asks_once_and_shows_the_worst_first(context: Context) -> None:
    hand = examined(context, seen(), seen())
    hand.wait(1)
    assert hand.effects.count(Examine()) == 1
    screen = hand.stage.top
    assert isinstance(screen, DoctorScreen)
    order = [finding.health for finding in screen.findings]
    assert order == sorted(order, key=[Health.BAD, Health.WARN, Health.OK].index)
    assert order[0] is Health.BAD and order[-1] is Health.OK
    names = {finding.name for finding in screen.findings}
    assert {"rate", "exposure", "glare", "shadow", "flicker", "sharpness", "tray", "gpio", "power"} <= names


def test_the_pages_are_turned_and_every_line_is_on_one(context: Context) -> None:
    hand = examined(context, seen(), seen())
    screen = hand.stage.top
    assert isinstance(screen, DoctorScreen)
    pages = screen._pages(hand.stage.canvas)
    assert sum(map(len, pages)) == len(screen.findings) > 8
    for _ in pages[1:]:
        hand.touch("down")
    assert screen.pages.number == len(pages) - 1 and "down" not in hand.keys
    hand.touch("up")
    assert screen.pages.number == len(pages) - 2


def test_a_camera_that_was_pulled_out_is_no_longer_said_to_be_well(context: Context) -> None:
    hand = examined(context, seen(), seen())
    screen = hand.stage.top
    assert isinstance(screen, DoctorScreen)
    well = {finding.what.text for finding in screen.findings}
    context.camera.trouble = Message("The camera is gone.")
    hand.wait(0.1)
    gone = {finding.what.text for finding in screen.findings}
    assert "The camera is gone." in gone and screen.camera == () and len(gone) < len(well) + 1
    context.camera.trouble = None
    hand.wait(0.1)
    hand._do(Seen(seen(), (), State.NOTHING, None))
    assert "The camera is gone." not in {finding.what.text for finding in screen.findings} and screen.camera


@pytest.mark.parametrize("walked_there", [False, True])
def test_every_button_lights_up_once_and_then_does_what_it_does_elsewhere(
    context: Context, walked_there: bool
) -> None:
    hand = examined(context)
    screen = hand.stage.top
    assert isinstance(screen, DoctorScreen)
    if walked_there:
        hand.stage.start_over(SettingsScreen(context))
        while hand.stage.focus != "pulse":
            hand.press("right")
        hand.press("confirm")
        screen = hand.stage.top
        assert isinstance(screen, DoctorScreen)
        hand._do(Examined(findings(context.data)))
        hand.wait(1)
    assert set(hand.stage.lamps().values()) == {"blink"}
    hand.press(*BUTTONS)
    assert screen.pressed == set(BUTTONS) and screen.pages.number == 0
    assert set(hand.stage.lamps().values()) == {"on"}
    if hand.stage.focus is None:
        hand.press("right")
    for page in range(1, len(screen._pages(hand.stage.canvas))):
        hand.confirm()
        assert screen.pages.number == page
    hand.confirm()
    assert screen.pages.number == page - 1
    hand.press("back")
    assert hand.stage.top is not screen


def test_it_opens_from_the_settings(context: Context) -> None:
    hand = Hand.at(SettingsScreen(context))
    hand.touch("pulse")
    assert isinstance(hand.stage.top, DoctorScreen)
    hand._do(Tick(context.now))
    assert Examine() in hand.effects
