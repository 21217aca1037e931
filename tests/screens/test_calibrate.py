"""Setting up the camera on the screen: frame, light, hold, try; what is kept, and what is left alone."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion import troubles
from companion.events import ASKS, Calibrated, Expose, SayThrow, Seen, Sound
from companion.eye.dice import Die
from companion.eye.throws import State, Throw
from companion.language import Texts
from companion.screens.base import Context, Screen
from companion.screens.calibrate import CalibrateScreen, Part
from companion.screens.settings import SettingsScreen
from companion.tray.light import PICTURES, Kind
from companion.tray.words import FLAWS, WELL
from tests.screens.checks import check_screen, texts_watched
from tests.screens.conftest import Hand
from tests.tray.scene import Image, glaring, seen, shaded, tray

DICE = tuple(
    Die(face, (x, 250.0), (x - 30, 220, x + 30, 280), "white", 0.95) for face, x in ((2, 250.0), (5, 380.0))
)


def look(hand: Hand, frame: Image, dice: tuple[Die, ...] = (), throw: bool = False) -> None:
    """The camera sees something."""
    hand.context.now += 0.4
    thrown = Throw(dice, hand.context.now, False) if throw else None
    hand._do(Seen(frame, dice, State.RESTING if dice else State.NOTHING, thrown))


def begun(context: Context, frame: Image | None = None) -> Hand:
    hand = Hand.at(CalibrateScreen(context))
    look(hand, seen() if frame is None else frame)
    return hand


def screen_of(hand: Hand) -> CalibrateScreen:
    screen = hand.stage.top
    assert isinstance(screen, CalibrateScreen)
    return screen


def at_light(context: Context, *frames: Image) -> Hand:
    hand = begun(context)
    hand.touch("next")
    for frame in frames or (seen(),):
        look(hand, frame)
    return hand


def at_hold(context: Context, held: tuple[str, ...] | None) -> Hand:
    hand = at_light(context)
    hand.touch("next")
    context.camera.held = held
    return hand


def at_try(context: Context) -> Hand:
    hand = at_hold(context, ("exposure", "focus"))
    hand.touch("next")
    return hand


def thrown(context: Context, doubts: tuple[tuple[int, int | None], ...] = ()) -> Screen:
    hand = at_try(context)
    frame = seen()
    for die in DICE:
        x0, y0, x1, y1 = (round(v) for v in die.box)
        frame[y0:y1, x0:x1] = 235
    hand._do(Seen(frame, DICE, State.RESTING, Throw(DICE, context.now, sure=not doubts, doubts=doubts)))
    return screen_of(hand)


def two_frames(context: Context) -> Screen:
    """Hands have moved a corner where the sheet lies."""
    hand = begun(context)
    hand.drag("corner-0", 150, 150)
    return screen_of(hand)


def without_camera(context: Context) -> Screen:
    context.camera.trouble = troubles.camera("MISSING", "auto")
    return CalibrateScreen(context)


def crossed(context: Context) -> Screen:
    hand = begun(context, seen(plain=True))
    screen = screen_of(hand)
    screen.corners[0], screen.corners[1] = screen.corners[1], screen.corners[0]
    return screen


def flickering(context: Context) -> Screen:
    frames = [(seen(noise=n) * (1.0 if n % 2 else 0.93)).astype(np.uint8) for n in range(PICTURES)]
    return screen_of(at_light(context, *frames))


SCREENS: dict[str, Callable[[Context], Screen]] = {
    "calibrate-no-camera": without_camera,
    "calibrate-by-hand": lambda context: screen_of(begun(context, seen(plain=True))),
    "calibrate-sheet": lambda context: screen_of(begun(context)),
    "calibrate-crossed": crossed,
    "calibrate-two-frames": two_frames,
    "calibrate-light-good": lambda context: screen_of(at_light(context)),
    "calibrate-light-bad": lambda context: screen_of(at_light(context, glaring(shaded(seen()), (420, 250)))),
    "calibrate-light-dark": lambda context: screen_of(at_light(context, (seen() * 0.2).astype(np.uint8))),
    "calibrate-light-flicker": flickering,
    "calibrate-hold-wait": lambda context: screen_of(at_hold(context, None)),
    "calibrate-hold": lambda context: screen_of(at_hold(context, ("exposure", "white_balance"))),
    "calibrate-hold-not": lambda context: screen_of(at_hold(context, ())),
    "calibrate-try": lambda context: screen_of(at_try(context)),
    "calibrate-thrown": thrown,
    "calibrate-doubted": lambda context: thrown(context, ((1, 3),)),
}


@pytest.mark.parametrize("name", SCREENS)
def test_pictures(context: Context, pictures: Path, name: str) -> None:
    check_screen(context, pictures, name, SCREENS[name](context))


def test_with_the_printed_sheet_five_touches_do_it(context: Context) -> None:
    hand = begun(context)
    assert screen_of(hand).found
    assert Expose("free") in hand.effects  # it looks at this light, not at that of the last time
    hand.touch("next")
    look(hand, seen())
    hand.touch("next")
    assert Expose("now") in hand.effects
    context.camera.held = ("exposure",)
    hand.touch("next")
    (kept,) = (effect for effect in hand.effects if isinstance(effect, Calibrated))
    assert np.abs(np.array(kept.tray) - np.array(tray().numbers)).max() < 0.006
    look(hand, seen(), DICE, True)
    assert hand.effects[-2:] == [Sound("seen"), SayThrow((2, 5))], "as everywhere else"
    hand.touch("next")
    assert not isinstance(hand.stage.top, CalibrateScreen)
    assert Expose("saved") not in hand.effects
    assert hand.touches == 4


def test_corners_are_dragged_onto_those_of_the_tray(context: Context) -> None:
    hand = begun(context, seen(plain=True))
    screen = screen_of(hand)
    shown = screen._shown(hand.stage.canvas)
    assert shown and not screen.found
    goal = ((120, 100), (520, 100), (530, 380), (110, 370))
    for number, (x, y) in enumerate(goal):
        hand.drag(f"corner-{number}", shown.x + x * shown.width / 640, shown.y + y * shown.height / 480)
    assert np.abs(np.array(screen.corners) * (640, 480) - np.array(goal)).max() < 3
    look(hand, seen())  # what hands have framed, a sheet does not change
    assert screen.by_hand and not screen.found
    hand.touch("sheet")  # it is offered, though
    assert screen.found and np.abs(np.array(screen.tray.numbers) - tray().numbers).max() < 0.006
    hand.drag("corner-0", shown.x + 90, shown.y + 90)
    look(hand, seen(plain=True))
    assert screen.by_hand and "sheet" not in hand.keys
    hand.touch("again")
    look(hand, seen())
    assert screen.found


def test_the_panel_passes_by_what_only_a_finger_moves(context: Context) -> None:
    hand, walked = begun(context), set[str | None]()
    for _ in hand.keys:
        hand.press("right")
        walked.add(hand.stage.focus)
    assert {key for key in hand.keys if not key.startswith("corner")} == walked
    hand.press("left", "right")
    assert hand.stage.focus in walked


def test_corners_that_have_changed_places_do_not_go_on(context: Context) -> None:
    hand = Hand.at(crossed(context))
    hand.touch("next")
    assert screen_of(hand).part is Part.FRAME


def test_a_finger_that_bounces_passes_over_no_part(context: Context) -> None:
    hand = begun(context)
    hand.bounce("next")
    assert screen_of(hand).part is Part.LIGHT


def test_a_button_pressed_twice_at_once_passes_over_no_part(context: Context) -> None:
    hand = begun(context)
    hand.confirm()
    hand.press("confirm")
    assert screen_of(hand).part is Part.LIGHT


def test_given_up_it_leaves_everything_as_it_was(context: Context) -> None:
    hand = at_light(context)
    hand.touch("back")
    assert hand.effects[-1] == Expose("saved")
    assert not any(isinstance(effect, Calibrated) for effect in hand.effects)


def test_a_throw_in_doubt_is_marked_and_whoever_says_no_begins_again_with_the_same_corners(
    context: Context,
) -> None:
    hand = at_try(context)
    screen, corners = screen_of(hand), screen_of(hand).corners
    assert "?" not in written(hand)
    throw = Throw(DICE, hand.context.now, sure=False, doubts=((1, 3),))
    hand._do(Seen(seen(), DICE, State.RESTING, throw))
    assert hand.effects[-2:] == list(ASKS) and written(hand).count("?") == 1
    hand.touch("no")
    assert (screen.part, screen.throw, hand.effects[-1]) == (Part.FRAME, None, Expose("free"))
    look(hand, seen(plain=True))
    assert screen.corners == corners


def test_why_there_is_no_throw_is_said_and_nobody_is_asked_whether_the_last_one_was_right(
    context: Context,
) -> None:
    assert not begun(context).stage.awaits_throw
    hand, right = at_try(context), context.t("Is that right? Then all is set up.")
    assert hand.stage.awaits_throw
    hand._do(Seen(seen(), DICE, State.RESTING, Throw(DICE, hand.context.now)))
    for state, why in ((State.COCKED, "Cocked: throw again"), (State.CUT_OFF, "At the edge: throw again")):
        hand._do(Seen(seen(), DICE, state, None))
        assert context.t(why) in written(hand) and right not in written(hand)
    hand._do(Seen(seen(), DICE, State.RESTING, Throw(DICE, hand.context.now)))
    assert right in written(hand)


def written(hand: Hand) -> list[str]:
    """What stands on the screen."""
    with texts_watched() as texts:
        hand.stage.draw()
    return [words for words, _, _ in texts]


def test_a_camera_that_does_not_answer_does_not_hold_it_up(context: Context) -> None:
    hand = at_hold(context, None)
    assert "next" not in hand.keys
    hand.wait(16)
    hand.touch("next")
    assert screen_of(hand).part is Part.TRY


def test_after_another_camera_was_chosen_it_is_offered_once(context: Context) -> None:
    hand = Hand.at(SettingsScreen(context))
    hand.touch("camera")
    context.settings = replace(context.settings, camera="usb:0")
    hand.touch("back")
    assert isinstance(hand.stage.top, CalibrateScreen)
    hand.touch("back")
    assert [type(screen).__name__ for screen in hand.stage.stack] == ["HomeScreen"]


def test_whoever_has_been_there_is_not_led_there_again(context: Context) -> None:
    hand = Hand.at(SettingsScreen(context))
    context.settings = replace(context.settings, camera="usb:0")
    hand.touch("corners", "back", "back")
    assert [type(screen).__name__ for screen in hand.stage.stack] == ["HomeScreen"]


@pytest.mark.parametrize("chosen", [{}, {"camera": "usb:0", "tray": tray().numbers}], ids=["none", "set up"])
def test_it_is_not_offered_when_no_camera_was_chosen_or_one_that_is_set_up(
    context: Context, chosen: dict[str, Any]
) -> None:
    hand = Hand.at(SettingsScreen(context))
    context.settings = replace(context.settings, **chosen)
    hand.touch("back")
    assert [type(screen).__name__ for screen in hand.stage.stack] == ["HomeScreen"]


@pytest.mark.parametrize(
    ("setting", "live"),
    [("usb:1", True), ("csi:1", True), ("/dev/video1", True), ("http://phone:8080/video", True),
     ("~/dice.mp4", False), ("/data/usb:1.jpg", False)],
)  # fmt: skip
def test_it_is_offered_for_whatever_looks_at_a_table(context: Context, setting: str, live: bool) -> None:
    hand = Hand.at(SettingsScreen(context))
    context.settings = replace(context.settings, camera=setting)
    hand.touch("back")
    assert isinstance(hand.stage.top, CalibrateScreen) is live


@pytest.mark.parametrize(
    ("frame", "wrong"),
    [
        (seen(), ()),
        (glaring(shaded(seen()), (420, 250)), (Kind.GLARE, Kind.SHADOW)),
        ((seen() * 0.2).astype(np.uint8), (Kind.DARK,)),
    ],
    ids=["good", "glare and shadow", "dark"],
)
def test_of_each_thing_about_the_light_it_is_said_whether_it_is_well(
    context: Context, frame: Image, wrong: tuple[Kind, ...]
) -> None:
    hand = at_light(context, frame)
    context.t = Texts("en")
    with texts_watched() as texts:
        hand.stage.draw()
    said = {words for words, _, _ in texts}
    assert {kind for kind in Kind if FLAWS[kind][0] in said} == set(wrong)
    assert not [kind for kind in wrong if WELL[kind] in said]
    assert all(WELL[kind] in said for kind in {Kind.GLARE, Kind.SHADOW, Kind.FLICKER, Kind.BLUR} - set(wrong))


def test_that_corners_have_changed_places_is_said_until_they_are_begun_again(context: Context) -> None:
    hand = Hand.at(crossed(context))
    context.t = Texts("en")
    with texts_watched() as texts:
        hand.stage.draw()
    said = {words for words, _, _ in texts}
    assert "The corners have changed places. Touch the arrow to begin again." in said


def test_a_throw_on_trial_of_which_the_eye_is_not_sure_is_not_announced(context: Context) -> None:
    hand = at_try(context)
    hand.effects.clear()
    hand._do(Seen(seen(), DICE, State.RESTING, Throw(DICE, context.now, sure=False, doubts=((1, 3),))))
    assert hand.effects == list(ASKS)
