"""Every screen at every size, as a picture to look at; and that all of it can be touched and read."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pygame
import pytest
from pygame import Surface

from companion import troubles
from companion.events import Seen, Tick
from companion.eye.dice import Colour, Die
from companion.eye.throws import State, Throw
from companion.games.make_n_break.stopper_screen import StopperScreen
from companion.language import Message, mark
from companion.screens.base import Context, Screen
from companion.screens.canvas import Canvas
from companion.screens.dice import DiceScreen
from companion.screens.face_picker import FacePicker
from companion.screens.home import HomeScreen
from companion.screens.notices import NoticesScreen
from companion.screens.pause import HelpScreen
from companion.screens.problems import ProblemsScreen
from companion.screens.settings import SettingsScreen
from companion.screens.stage import HEADER, Stage
from companion.screens.terms import Page
from companion.screens.volume import VolumeScreen
from tests.screens.checks import (
    SIZES,
    Size,
    check_screen,
    size_name,
    staged,
    texts_watched,
)
from tests.screens.conftest import CLOTH, Hand, blank

LONG = Message(mark("The disk is full: nothing can be stored. Make room; what happens meanwhile is kept."))

MISTAKE = (
    "/etc/tabletop-companion/games/bau-boom.yaml:23: trail: 'grene' is not possible: did you mean 'green'?"
    " Possible are: red, green, blue, yellow, white"
)


def die(face: int, x: float, y: float, colour: Colour = "white") -> Die:
    return Die(face, (x, y), (x - 40, y - 40, x + 40, y + 40), colour, 0.9)


def dice_screen(context: Context, count: int = 3) -> DiceScreen:
    screen = DiceScreen(context)
    colours: tuple[Colour, ...] = ("white", "red", "blue", "black", "yellow", "green")
    dice = tuple(
        die(i % 6 + 1, 60 + 90 * (i % 6), 100 + 100 * (i // 6), colours[i % 6]) for i in range(count)
    )
    for _ in range(3):
        list(screen.handle(Seen(CLOTH, dice, State.RESTING, Throw(dice, 1.0, False))))
    context.now += 5
    return screen


def asked(context: Context, count: int = 3, glare: float = 0.0) -> DiceScreen:
    screen = dice_screen(context, count)
    assert screen.seen is not None
    dice = tuple(replace(die, glare=glare) for die in screen.seen.dice)
    throw = Throw(dice, 1.0, sure=False, doubts=((1, 3),), chance=0.7)
    list(screen.handle(Seen(screen.seen.frame, screen.seen.dice, State.RESTING, throw)))
    context.now += 5
    return screen


def half_answered(context: Context) -> Screen:
    screen = asked(context, 5)
    assert screen.current is not None
    context.table.log.correct(screen.current, 0, 6)
    return screen


def no_pips(context: Context) -> Screen:
    """Dice lie there, but nobody can see what they show."""
    screen = DiceScreen(context)
    list(screen.handle(Seen(CLOTH, (), State.NOTHING, None, (blank(),))))
    return screen


def unread(state: State) -> Callable[[Context], Screen]:
    """A die leans on something or is cut off, after a throw that was read."""

    def screen(context: Context) -> Screen:
        screen = dice_screen(context, 2)
        assert screen.seen is not None
        flat, other = screen.seen.dice
        dice = (flat, replace(other, cocked=state is State.COCKED))
        list(screen.handle(Seen(screen.seen.frame, dice, state, None)))
        return screen

    return screen


def upside_down(context: Context) -> SettingsScreen:
    """The longest name that a camera on the menu has."""
    context.settings = replace(context.settings, camera="csi upside-down")
    return SettingsScreen(context)


def picker_doubt(context: Context) -> Screen:
    return FacePicker(context, asked(context).current, 1)


def picker_dazzled(context: Context) -> Screen:
    return FacePicker(context, asked(context, glare=0.4).current, 1)


def without_camera(context: Context) -> Screen:
    context.camera.trouble = troubles.camera("MISSING", "auto")
    return DiceScreen(context)


def entered(context: Context) -> Screen:
    """A throw is entered by hand: the next one may begin."""
    screen, log = without_camera(context), context.table.log
    throw = log.add(None, 3)
    for face in (4, 6):
        log.add(throw, face)
    return screen


def demonstration(context: Context) -> Screen:
    context.camera.demonstration = True
    return dice_screen(context, 5)


def with_notices(context: Context) -> Screen:
    context.notices = (LONG, LONG, LONG, LONG, LONG)
    return dice_screen(context, 2)


def one_notice(context: Context) -> Screen:
    context.notices = (LONG,)
    return NoticesScreen(context)


def picker(context: Context) -> Screen:
    throw = dice_screen(context).current
    assert throw
    return FacePicker(context, throw, 1)


def stopper(context: Context, throws: int, after: float = 1.0) -> StopperScreen:
    context.chance = lambda faces: 3 if throws > 5 else 2
    screen = StopperScreen(context)
    list(screen._go())
    for _ in range(throws):
        context.now += 1.2
        list(screen.handle(Tick(context.now)))
    context.now += after
    return screen


def taken_off(context: Context) -> Screen:
    """Nothing that was read is a die."""
    screen = dice_screen(context, 1)
    assert screen.current is not None
    context.table.log.correct(screen.current, 0, None)
    return screen


def paused(context: Context) -> Screen:
    screen = stopper(context, 4)
    list(screen._pause())
    return screen


SCREENS: dict[str, Callable[[Context], Screen]] = {
    "home": HomeScreen,
    "dice-empty": DiceScreen,
    "dice": dice_screen,
    "dice-one": lambda context: dice_screen(context, 1),
    "dice-twelve": lambda context: dice_screen(context, 12),
    "dice-asked": asked,
    "dice-none": taken_off,
    "dice-half-answered": half_answered,
    "dice-no-pips": no_pips,
    "dice-cocked": unread(State.COCKED),
    "dice-at-the-edge": unread(State.CUT_OFF),
    "dice-asked-six": lambda context: asked(context, 6),
    "dice-no-camera": without_camera,
    "dice-entered": entered,
    "dice-demonstration": demonstration,
    "dice-notices": with_notices,
    "notices": lambda context: with_notices(context) and NoticesScreen(context),
    "notices-one": one_notice,
    "picker": picker,
    "picker-doubt": picker_doubt,
    "picker-dazzled": picker_dazzled,
    "picker-add": lambda context: FacePicker(context, None, None),
    "settings": SettingsScreen,
    "settings-upside-down": upside_down,
    "volume": VolumeScreen,
    "problems": lambda context: ProblemsScreen(context, ["companion.yaml:3: volume: 111 " * 2] * 3),
    "problems-many": lambda context: ProblemsScreen(context, [MISTAKE] * 20),
    "stopper-ready": StopperScreen,
    "stopper-running": lambda context: stopper(context, 4),
    "stopper-rolling": lambda context: stopper(context, 4, after=0.1),
    "stopper-paused": paused,
    "stopper-over": lambda context: stopper(context, 10),
}


def shown(context: Context, name: str, size: tuple[int, int]) -> Stage:
    screen = SCREENS[name](context)
    return staged(context, screen, size, dice_screen(context) if screen.overlay else None)


@pytest.mark.parametrize("name", SCREENS)
def test_every_screen_can_be_drawn_read_touched_and_is_not_crowded(
    context: Context, pictures: Path, name: str
) -> None:
    screen = SCREENS[name](context)
    small = ("die",) if name == "dice-twelve" else ()
    check_screen(context, pictures, name, screen, dice_screen(context) if screen.overlay else None, small)


@pytest.mark.parametrize("size", SIZES[:3], ids=size_name)
@pytest.mark.parametrize("name", ["stopper-running", "dice", "dice-twelve"])
def test_the_number_that_matters_is_read_from_across_the_table(
    context: Context, name: str, size: tuple[int, int]
) -> None:
    """MNB-R11: a fifth of the screen's height, of its width where it is higher than wide."""
    with texts_watched() as texts:
        shown(context, name, size).draw()
    assert max(high for words, high, _ in texts if words.isdigit()) >= min(size) / 5


@pytest.mark.parametrize("size", [(800, 480), (480, 320)], ids=size_name)
@pytest.mark.parametrize("count", [5, 12])
def test_the_sum_does_not_lie_on_what_is_around_it(
    context: Context, size: Size, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    context.settings = replace(context.settings, large_text=True)
    screen, text = dice_screen(context, count), Canvas.text
    total = str(sum(screen.current.pips if screen.current else ()))
    stage = staged(context, screen, size)
    stage.draw()
    with_it = pygame.surfarray.array3d(stage.canvas.surface)

    def without(canvas: Canvas, words: str, *where: Any, **style: Any) -> None:
        text(canvas, "" if words == total else words, *where, **style)

    monkeypatch.setattr(Canvas, "text", without)
    stage.draw()
    ink = (pygame.surfarray.array3d(stage.canvas.surface) != with_it).any(axis=2)
    below = max(w.rect.bottom for w in stage.widgets() if w.key.startswith("die"))
    assert ink.any() and not ink[:, : below + stage.canvas.px(20 if count < 12 else 0)].any()  # their names
    assert not [
        w.key for w in stage.widgets() if ink[w.rect.left : w.rect.right, w.rect.top : w.rect.bottom].any()
    ]


def test_the_header_leaves_room_for_the_way_back(context: Context) -> None:
    stage = shown(context, "settings", (800, 480))
    back = next(w for w in stage.widgets() if w.key == "back")
    assert back.rect.height == stage.canvas.px(HEADER)


def test_every_mistake_of_the_configuration_is_on_a_page(context: Context) -> None:
    screen = ProblemsScreen(context, [f"mistake {n}" for n in range(7)])
    hand, said = Hand(Stage(context, [screen], Surface((480, 320)))), list[str]()
    for key in ("down", "down", "up"):
        with texts_watched() as texts:
            hand.stage.draw()
        said += [words for words, _, _ in texts if words.startswith("mistake")]
        hand.touch(key)
    assert said == list(screen.lines) and {"up", "down"} < set(hand.keys)
    hand.touch("down")
    hand.stage.look_at(Surface((800, 480)))  # where there are fewer pages
    hand.stage.draw()
    assert "up" in hand.keys and "down" not in hand.keys


def test_the_panel_walks_through_the_pages_as_they_lie(context: Context) -> None:
    hand, places = Hand.at(HelpScreen(context, [Page("Rules", ("Close",))] * 3, 1)), list[int]()
    for _ in range(3):
        hand.press("right")
        places.append(next(w.rect.x for w in hand.stage.widgets() if w.key == hand.stage.focus))
    assert places == sorted(places)


def test_where_nothing_is_ever_heard_no_volume_is_offered(context: Context) -> None:
    keys = [widget.key for widget in staged(context, SCREENS["problems"](context), (800, 480)).widgets()]
    assert keys == ["again", "anyway", "back"]
