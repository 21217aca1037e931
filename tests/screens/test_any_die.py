"""Any die with symbols: taught on the screen by its sides, read beside dice with pips, corrected, kept."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.dicebox import DiceBox
from companion.events import ASKS, Say, SayThrow, Sound
from companion.eye.taught import NO_PICTURES, Taught
from companion.eye.teaching import Hint, Progress
from companion.screens import die_kinds
from companion.screens.base import CameraView, Context, Screen
from companion.screens.dice import DiceScreen
from companion.screens.face_picker import FacePicker
from companion.screens.lesson import LessonScreen
from companion.screens.teach import TeachScreen
from companion.table import Table
from tests.disks import full_disk
from tests.eye.table import ANIMALS, Lies, animals, bang, stopper, taught
from tests.screens.checks import check_screen
from tests.screens.conftest import Hand
from tests.screens.test_teach import lesson_of, show_sides, shown, words

THREE = ANIMALS[:3]
THROWN = (Lies("fox", (130, 200), 20), Lies("pips-5", (300, 230), 40), Lies("mouse", (470, 210), 70))


def begun(context: Context) -> Hand:
    hand = Hand.at(TeachScreen(context))
    hand.touch("add")
    return hand


def own(context: Context) -> Taught:
    """The one own die that is known."""
    (kind,) = die_kinds.own_dice(context.box)
    taught = kind.taught(context.box)
    assert taught is not None
    return taught


def dice_known(context: Context) -> Hand:
    """The screen of the dice, where a die with animals has been taught."""
    context.box.keep(animals())
    return Hand.at(DiceScreen(context))


def throws(hand: Hand) -> list[tuple[int | str, ...]]:
    return [throw.faces for throw in hand.context.table.log.throws]


# Pictures to look at


def lesson_with(context: Context, *sides: str) -> Hand:
    hand = begun(context)
    show_sides(hand, sides)
    return hand


def taught_so_far(context: Context) -> Screen:
    hand = lesson_with(context, "mouse", "hare", "fox")
    shown(hand, "wolf", 0.5, 15)
    return hand.stage.top


def shown_again(context: Context) -> Screen:
    hand = lesson_with(context, "mouse", "hare", "fox")
    shown(hand, "hare", 1.0, 15)
    return hand.stage.top


def all_shown(context: Context) -> Screen:
    hand = lesson_with(context, *THREE)
    hand.touch("all")
    hand.lay(Lies("fox", (200, 230), 50), Lies("heart", (450, 330)))
    return hand.stage.top


def many(context: Context) -> TeachScreen:
    """Six own dice, one of them damaged, one named on the command line."""
    context.box.keep(stopper())
    one = animals()
    for number in range(4):
        pictures = np.roll(one.pictures, number, axis=0)
        context.box.keep(Taught(f"own-{number}", one.faces, one.looks, one.of, pictures))
    words = ("Sonne", "Regen", "Sturm", "Nebel", "Schnee")
    context.box.keep(Taught("Wetter", words, one.looks, one.of))
    context.box.file("own-9").write_bytes(b"nothing")
    for age, name in enumerate((*(f"own-{number}" for number in range(4)), "Wetter", "own-9")):
        os.utime(context.box.file(name), (age, age))  # the newest comes last
    return TeachScreen(context)


def three() -> Taught:
    """A die with the first three animals."""
    one = animals()
    return Taught("own-1", THREE, one.looks[one.of < 3], one.of[one.of < 3], one.pictures[:3])


def page(context: Context, number: int) -> Screen:
    screen = many(context)
    screen.pages.number = number
    return screen


def refused(context: Context) -> Screen:
    hand = Hand.at(many(context))
    hand.touch("add")
    return hand.stage.top


def read(context: Context, *lying: Lies) -> Screen:
    hand = dice_known(context)
    hand.show(2, 6)
    hand.lay(Lies("wolf", (200, 230)), Lies("pips-3", (400, 200)), thrown=True)
    hand.lay(Lies("hare", (200, 230)), thrown=True)
    hand.lay(*(lying or THROWN), thrown=True)
    hand.context.now += 5
    return hand.stage.top


def only_signs(context: Context) -> Screen:
    return read(context, *(Lies(sign, (90 + 115 * i, 200), 30 * i) for i, sign in enumerate(ANIMALS)))


def forgotten(context: Context) -> Screen:
    screen = read(context)
    context.box.forget("own-1")
    return screen


def picker(context: Context) -> Screen:
    read(context)
    return FacePicker(context, context.table.log.current, 0)


SCREENS: dict[str, Callable[[Context], Screen]] = {
    "own-first": lambda context: begun(context).stage.top,
    "own-half": taught_so_far,
    "own-again": shown_again,
    "own-done": all_shown,
    "own-page": lambda context: page(context, 1),
    "own-damaged": lambda context: page(context, 3),
    "own-enough": refused,
    "own-read": read,
    "own-only": only_signs,
    "own-forgotten": forgotten,
    "own-picker": picker,
}


@pytest.mark.parametrize("name", SCREENS)
def test_pictures(context: Context, pictures: Path, name: str) -> None:
    screen = SCREENS[name](context)
    check_screen(context, pictures, name, screen, DiceScreen(context) if screen.overlay else None)


# Taught


def test_six_sides_are_shown_in_less_than_a_minute_and_known_from_then_on(context: Context) -> None:
    hand = begun(context)
    assert hand.stage.wants_eye and hand.stage.awaited_die is None
    assert show_sides(hand, (*ANIMALS, "heart")) < 60
    assert {Sound("count"), Sound("found"), Say("next-side"), Sound("win"), Say("die-known")} <= set(
        hand.effects
    )
    assert hand.stage.awaited_die is own(context), "it can be tried at once"
    hand.touch("done")
    assert isinstance(hand.stage.top, TeachScreen) and len(own(context).faces) == 6
    assert "I know it" in words(hand, "en"), "its card is on the page that is shown"


def test_a_die_may_have_fewer_sides_than_six_but_not_only_one(context: Context) -> None:
    hand = begun(context)
    show_sides(hand, ("mouse",))
    assert "all" not in hand.keys
    show_sides(hand, ("hare", "fox"), 1)
    shown(hand, "wolf", 0.5)
    hand.touch("all")
    assert len(own(context).faces) == 3, "what was not shown to the end is no side"
    assert {"again", "done"} <= set(hand.keys)


def test_the_side_that_has_just_been_learned_is_not_refused_while_it_still_lies_there(
    context: Context,
) -> None:
    hand = begun(context)
    show_sides(hand, ("mouse",))
    shown(hand, "mouse", 0.6, 35)
    assert lesson_of(hand).teacher.progress.hint is Hint.KNOWN and Sound("refused") not in hand.effects
    shown(hand, "hare", 0.3)
    shown(hand, "mouse", 0.6, 35)
    assert Sound("refused") in hand.effects


def test_a_side_that_was_just_forgotten_may_still_be_seen(context: Context) -> None:
    hand = begun(context)
    show_sides(hand, ("mouse", "hare", "fox"))
    hand.touch("all")
    shown(hand, "fox", 1.0)
    lesson = lesson_of(hand)
    assert lesson.seen and [die.sign for die in lesson.seen.dice] == ["3"]
    hand.touch("side-2", "all")
    assert lesson.teacher.faces == ("1", "2")
    hand.stage.draw()


def test_equal_sides_need_be_shown_only_once(context: Context) -> None:
    hand = begun(context)
    show_sides(hand, ("mouse",))
    shown(hand, "mouse", 1.0, 35)
    progress = lesson_of(hand).teacher.progress
    assert (progress.face, progress.hint, progress.like) == (1, Hint.KNOWN, 0)
    assert "This side I know already: show another one." in words(hand, "en")
    show_sides(hand, ("hare",), 1)
    shown(hand, "mouse", 1.0, 30)
    assert "This side I know already: show another one, or touch “That was all”." in words(hand, "en")


def test_each_side_keeps_a_picture_that_shows_it(context: Context) -> None:
    hand = begun(context)
    show_sides(hand, THREE)
    hand.touch("all")
    again = DiceBox(context.box.file("x").parent)
    (name,) = again.names()
    taught = again.get(name)
    assert taught is not None
    for number, face in enumerate(taught.faces):
        picture = taught.picture(face)
        assert picture is not None and picture.shape == (96, 96, 3)
        blue = (picture[..., 0] > picture[..., 2].astype(int) + 60).mean()
        assert 0.02 < blue < 0.6, "the sign is to be seen"
        for other in taught.faces[:number]:
            difference = np.abs(picture.astype(int) - np.asarray(taught.picture(other), int)).mean()
            assert difference > 8


def test_taught_again_it_keeps_its_place_and_its_old_sides_until_the_end(context: Context) -> None:
    context.box.keep(three())
    hand = Hand.at(TeachScreen(context))
    hand.touch("down", "teach-own-1")
    show_sides(hand, ("wolf", "dragon"))
    assert own(context).faces == THREE
    hand.touch("all")
    assert own(context).name == "own-1" and len(own(context).faces) == 2


def test_whoever_leaves_before_the_end_leaves_nothing(context: Context) -> None:
    hand = begun(context)
    show_sides(hand, THREE)
    hand.press("back")
    assert isinstance(hand.stage.top, TeachScreen) and not die_kinds.own_dice(context.box)


def test_a_full_disk_loses_nothing_and_it_can_be_kept_later(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = begun(context)
    show_sides(hand, THREE)
    with full_disk(monkeypatch):
        hand.touch("all")
    assert f"It cannot be kept: the disk is full. Make room in {context.box.folder}." in words(hand, "en")
    assert not die_kinds.own_dice(context.box) and "done" not in hand.keys
    hand.touch("keep")
    assert len(own(context).faces) == 3 and "done" in hand.keys


# Which dice there are


def test_dice_that_were_taught_on_the_command_line_are_there_too(context: Context) -> None:
    screen = TeachScreen(context)
    DiceBox(context.box.file("x").parent).keep(replace(three(), name="weather"))
    hand = Hand.at(TeachScreen(context))
    hand.touch("down")
    assert {"weather", "I know it"} <= set(words(hand, "en")) and "forget-weather" in hand.keys
    assert screen.kinds, "an older screen does not mind"


def test_six_own_dice_are_enough(context: Context) -> None:
    hand = Hand.at(many(context))
    hand.touch("add")
    assert isinstance(hand.stage.top, TeachScreen) and Sound("refused") in hand.effects
    assert "6 dice of your own are enough: forget one first." in words(hand, "en")
    hand.touch("down", "forget-own-0", "forget-own-0", "add")
    assert isinstance(hand.stage.top, LessonScreen)


def test_every_page_can_be_reached_and_the_last_one_goes_with_its_die(context: Context) -> None:
    hand = Hand.at(many(context))
    seen = set(hand.keys)
    while "down" in hand.keys:
        hand.touch("down")
        seen |= set(hand.keys)
    names = {kind.name for kind in die_kinds.kinds(context.box)}
    assert {f"teach-{name}" for name in names} <= seen and len(names) == 8
    for name in ("own-9", "Wetter"):
        hand.touch(f"forget-{name}", f"forget-{name}")
    assert not {"teach-own-9", "teach-Wetter"} & set(hand.keys) and "down" not in hand.keys


def test_a_long_name_is_cut_where_its_card_ends(context: Context, pictures: Path) -> None:
    context.box.keep(replace(three(), name="Wetter-" * 8 + "heute"))
    screen = TeachScreen(context)
    screen.pages.number = 1
    assert [kind.title for kind in screen.kinds if kind.own] == ["Wetter-Wetter-Wetter-We…"]
    check_screen(context, pictures, "own-long", screen)


def test_a_damaged_file_is_said_and_the_die_may_be_taught_anew(context: Context) -> None:
    context.box.keep(animals())
    context.box.file("own-1").write_bytes(b"nothing")
    context.box.look_again()
    hand = Hand.at(TeachScreen(context))
    hand.touch("down")
    assert "Its file is damaged: teach it again" in words(hand, "en")
    assert die_kinds.known_dice(context.box) is None
    hand.touch("teach-own-1")
    show_sides(hand, ("mouse", "hare"))
    hand.touch("all")
    assert own(context).name == "own-1" and not context.box.damaged("own-1")


# Read


def test_dice_with_signs_and_with_pips_are_one_throw(context: Context) -> None:
    hand = dice_known(context)
    hand.lay(*THROWN, thrown=True)
    assert throws(hand) == [("own-1/fox", 5, "own-1/mouse")]
    assert hand.effects == [Sound("seen"), SayThrow((5,))], "signs are not counted"


def test_signs_alone_are_seen_and_not_spoken(context: Context) -> None:
    hand = dice_known(context)
    hand.lay(Lies("wolf"), thrown=True)
    assert throws(hand) == [("own-1/wolf",)] and hand.effects == [Sound("seen")]


def test_the_dice_of_the_games_are_read_as_well_once_they_are_known(context: Context) -> None:
    context.box.keep(bang())
    hand = dice_known(context)
    hand.lay(Lies("heart", (150, 200)), Lies("hare", (400, 200)), thrown=True)
    assert throws(hand) == [("big-boom-bang/heart", "own-1/hare")]


def test_without_any_die_that_was_taught_nothing_is_compared(context: Context) -> None:
    assert Hand.at(DiceScreen(context)).stage.awaited_die is None


def test_a_touch_on_a_sign_corrects_it(context: Context) -> None:
    hand = dice_known(context)
    hand.lay(*THROWN, thrown=True)
    hand.touch("die-0")
    assert [key for key in hand.keys if key.startswith("face-")] == [f"face-{i}" for i in range(1, 6)]
    hand.touch("face-4")
    assert throws(hand) == [("own-1/wolf", 5, "own-1/mouse")]
    hand.touch("die-2", "none")
    assert throws(hand) == [("own-1/wolf", 5)]
    hand.press("undo", "undo")
    assert throws(hand) == [("own-1/fox", 5, "own-1/mouse")]


def test_what_was_taken_for_another_die_and_what_was_not_seen_can_be_said(context: Context) -> None:
    hand = dice_known(context)
    hand.show(6, 2)
    hand.touch("die-0", "other")
    context.now += 0.1
    hand.tap("other")
    hand.touch("face-1")
    hand.touch("add", "other", "face-5")
    assert throws(hand) == [("own-1/mouse", 2, "own-1/dragon")]
    hand.touch("die-0", "other", "face-3")
    assert throws(hand) == [(3, 2, "own-1/dragon")]


def test_without_any_die_that_was_taught_there_is_no_other(context: Context) -> None:
    hand = Hand.at(DiceScreen(context))
    hand.show(6)
    hand.touch("die-0")
    assert hand.keys == [*(f"face-{i}" for i in range(1, 7)), "none"]


def test_a_sign_in_doubt_is_asked_with_the_best_guess(context: Context) -> None:
    context.box.keep(animals())
    context.box.keep(replace(three(), name="own-2"))
    hand = Hand.at(DiceScreen(context))
    hand.lay(Lies("pips-2", (150, 200)), Lies("fox", (317, 149), 40), thrown=True)
    (pips, _) = hand.context.table.log.throws[0].faces
    assert pips == 2 and hand.effects == list(ASKS), "two dice have such a side"
    hand.touch("yes")
    assert hand.effects[-2:] == [Sound("seen"), SayThrow((2,))]


def learned(context: Context) -> dict[str, int]:
    """How many looks at its sides more than were taught are known of the own die, once that is learned."""
    context.box.learn()
    known, before = own(context), animals()
    return {
        face: more
        for n, face in enumerate(known.faces)
        if (more := int((known.of == n).sum() - (before.of == n).sum()))
    }


@pytest.fixture
def doubted(context: Context) -> Hand:
    """See `doubting`."""
    return doubting(context)


def doubting(context: Context) -> Hand:
    """A fox is asked about: two dice have one; but only one of them is known from then on."""
    context.box.keep(animals())
    context.box.keep(replace(three(), name="own-2"))
    hand = Hand.at(DiceScreen(context))
    hand.lay(Lies("fox", (317, 149), 40), thrown=True)
    screen = hand.stage.top
    assert isinstance(screen, DiceScreen) and screen.current and screen.current.faces[0] == "own-1/fox"
    assert hand.effects == list(ASKS)
    context.box.forget("own-2")
    return hand


def test_what_is_confirmed_is_known_in_that_light_from_then_on(doubted: Hand) -> None:
    doubted.touch("yes")
    assert own(doubted.context).of.tolist() == animals().of.tolist(), "it may still be taken back"
    assert learned(doubted.context) == {"fox": 1}


@pytest.mark.parametrize(
    "touches",
    [
        ("die-0", "face-4"),
        ("die-0", "none"),
        ("die-0", "other", "face-3"),
        ("yes", "die-0", "face-4"),
        ("yes", "die-0", "none", "undo"),
    ],
)
def test_of_what_is_corrected_or_taken_back_nothing_is_learned(
    doubted: Hand, touches: tuple[str, ...]
) -> None:
    doubted.touch(*touches)
    assert learned(doubted.context) == {}


def test_undo_after_a_confirmation_takes_back_what_would_be_learned(doubted: Hand) -> None:
    doubted.touch("yes")
    doubted.press("undo")
    assert doubted.effects[-1] == Sound("press")
    doubted.press("undo")
    assert doubted.effects[-1] == Sound("refused") and learned(doubted.context) == {}


def test_whoever_leaves_has_said_it(doubted: Hand) -> None:
    doubted.touch("yes")
    doubted.press("back")
    assert not doubted.context.box.take_back() and learned(doubted.context) == {"fox": 1}


def test_of_dice_that_do_not_lie_there_any_more_nothing_is_learned(doubted: Hand) -> None:
    doubted.stir()
    doubted.touch("yes")
    assert learned(doubted.context) == {}


def test_of_the_demonstration_nothing_is_learned(context: Context) -> None:
    context.camera = CameraView(demonstration=True)
    hand = doubting(context)
    hand.touch("yes")
    assert learned(context) == {}


def test_throws_outlast_the_program(
    context: Context, tmp_path: Path, open_table: Callable[[Path], Table]
) -> None:
    context.table = open_table(tmp_path / "companion.db")
    hand = dice_known(context)
    hand.lay(*THROWN, thrown=True)
    hand.lay(Lies("hare"), thrown=True)
    hand.touch("die-0", "face-5")
    again = open_table(tmp_path / "companion.db").log
    assert [throw.faces for throw in again.throws] == [("own-1/dragon",), ("own-1/fox", 5, "own-1/mouse")]
    assert again.current is not None and again.undo(again.current)
    assert again.current.faces == ("own-1/hare",)


def test_what_a_forgotten_die_showed_stays_a_die_that_can_be_taken_off(context: Context) -> None:
    hand = dice_known(context)
    hand.lay(*THROWN, thrown=True)
    context.box.forget("own-1")
    hand.stage.draw()
    hand.touch("die-0")
    assert hand.keys == ["none", "other"]
    hand.touch("none")
    assert throws(hand) == [(5, "own-1/mouse")]


def test_a_die_whose_lesson_was_left_is_forgotten_with_it(context: Context) -> None:
    context.box.keep(taught("own-abc", "mouse", "fox"))
    context.box.lessons.keep(taught("own-abc", "mouse"))
    hand = Hand.at(TeachScreen(context))
    while "forget-own-abc" not in hand.keys:
        hand.touch("down")
    hand.touch("forget-own-abc")
    hand.touch("forget-own-abc")
    hand.touch("add")
    assert isinstance(hand.stage.top, LessonScreen) and hand.stage.top.teacher.name != "own-abc"


def test_a_lesson_of_which_the_disk_has_only_the_beginning_has_one_card(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    context.box.lessons.keep(taught("own-abc", "mouse"))
    with full_disk(monkeypatch):
        context.box.lessons.keep(taught("own-abc", "mouse", "fox"))
    assert [kind.name for kind in die_kinds.begun(context.box)] == ["own-abc"]


def test_a_new_die_is_never_taken_for_one_that_was_forgotten() -> None:
    assert len({die_kinds.new_die().name for _ in range(20)}) == 20


def test_a_lesson_that_was_left_has_a_card_and_is_not_mixed_into_the_next(context: Context) -> None:
    hand = begun(context)
    show_sides(hand, ("mouse", "hare", "fox"))
    left = lesson_of(hand).teacher.name
    hand.touch("back")
    assert {f"teach-{left}", f"forget-{left}"} <= set(hand.keys)
    assert "Begun, and not finished yet" in words(hand, "en")
    hand.touch("add")
    assert lesson_of(hand).teacher.name != left and lesson_of(hand).teacher.progress == Progress(0)
    hand.touch("back", f"teach-{left}")
    assert lesson_of(hand).teacher.progress == Progress(3), "it goes on where it was"
    hand.touch("back", f"forget-{left}", f"forget-{left}")
    assert f"teach-{left}" not in hand.keys and context.box.lessons.names() == ()


def test_progress_of_a_die_without_pictures_can_be_drawn(context: Context) -> None:
    """One that was taught before pictures were kept."""
    context.box.keep(replace(three(), pictures=NO_PICTURES))
    hand = Hand.at(TeachScreen(context))
    hand.touch("down")
    assert {"mo", "ha", "fo"} <= set(words(hand, "en"))
    hand.touch("teach-own-1")
    lesson_of(hand).teacher.progress = Progress(1, 0.5, Hint.GOOD)
    assert "Show: hare" in words(hand, "en")
