"""Teaching dice on the screen: face after face before the camera, what may go wrong, and what is kept."""

import errno
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from companion import troubles
from companion.dicebox import DiceBox, Lessons
from companion.events import LookAnew, Say, Sound
from companion.eye.taught import Taught
from companion.eye.teaching import Hint, Progress
from companion.language import Message
from companion.screens.base import Context, DieKind, Screen
from companion.screens.canvas import Canvas
from companion.screens.die_kinds import MOST, known_dice, of_games
from companion.screens.lesson import LessonScreen
from companion.screens.settings import SettingsScreen
from companion.screens.teach import TeachScreen
from companion.screens.theme import WARN, Rgb
from companion.troubles import not_kept
from tests.disks import full_disk
from tests.eye.table import Lies, bang, stopper, taught
from tests.killed import killed
from tests.screens.checks import TURNED, check_picture, check_screen, staged, texts_watched
from tests.screens.conftest import Hand

KINDS = {kind.name: kind for kind in of_games()}
BANG, STOPPER = KINDS["big-boom-bang"], KINDS["stopper"]


def shown(
    hand: Hand, sign: str, seconds: float = 0.8, turn: float = 0.0, at: tuple[float, float] = (300, 230)
) -> None:
    """Let a die lie before the camera for a while, four pictures a second."""
    for number in range(max(1, round(seconds * 4))):
        hand.context.now += 0.25
        hand.lay(Lies(sign, at, turn), noise=number)


def show_all(hand: Hand, kind: DieKind) -> float:
    """Show every face, turned a little every second, until it is known; how long it took in seconds."""
    begin, lesson = hand.context.now, lesson_of(hand)
    while (number := lesson.teacher.progress.face) < len(kind.faces):
        show_sides(hand, [kind.faces[number][0]], number)
    return hand.context.now - begin


def show_sides(hand: Hand, sides: Sequence[str], first: int = 0) -> float:
    """Show one side after the other, each turned a little every second; how long it took in seconds."""
    begin, teacher = hand.context.now, lesson_of(hand).teacher
    for number, sign in enumerate(sides, first):
        turn = 0
        while teacher.progress.face == number:
            shown(hand, sign, 0.9, turn)
            turn += 50
    return hand.context.now - begin


def lesson_of(hand: Hand) -> LessonScreen:
    screen = hand.stage.top
    assert isinstance(screen, LessonScreen)
    return screen


def begun(context: Context, kind: DieKind = STOPPER) -> Hand:
    hand = Hand.at(TeachScreen(context))
    hand.touch(f"teach-{kind.name}")
    return hand


def halfway(context: Context) -> Hand:
    """Two faces are known, the third one half."""
    hand = begun(context)
    show_sides(hand, ("blank", "1"))
    shown(hand, "2", 1.0)
    return hand


def sides_of(die: Taught, count: int) -> Taught:
    """The first sides of a die."""
    few = die.of < count
    return Taught(die.name, die.faces[:count], die.looks[few], die.of[few], die.pictures[:count])


def at(context: Context, progress: Progress, *lying: Lies, known: bool = False) -> LessonScreen:
    """A lesson so far, to look at."""
    if progress.face:
        context.box.lessons.keep(sides_of(stopper(), progress.face))
    lesson = LessonScreen(context, STOPPER)
    lesson.teacher.progress = progress
    if known:
        context.box.keep(stopper())
        lesson.known, lesson.die_kind = True, STOPPER
    hand = Hand.at(lesson)
    hand.lay(*lying)
    lesson.teacher.progress = progress
    return lesson


def full(context: Context) -> Screen:
    lesson = at(context, Progress(4), Lies("3", (200, 230), 50))
    folder = Path("/var/lib/tabletop-companion/dice")
    lesson.trouble = not_kept(OSError(errno.ENOSPC, "No space left on device"), folder)
    return lesson


def shut(context: Context) -> Screen:
    context.box = DiceBox(Path("/var/lib/tabletop-companion/dice"))
    screen = TeachScreen(context)
    screen.trouble = not_kept(PermissionError(errno.EACCES, "Permission denied"), context.box.folder)
    return screen


def one_known(context: Context) -> Screen:
    context.box.keep(bang())
    (context.box.file("stopper")).write_bytes(b"nothing")
    screen = TeachScreen(context)
    screen.asking = "stopper"
    return screen


def without_camera(context: Context) -> Screen:
    context.camera.trouble = troubles.camera("MISSING", "auto")
    return LessonScreen(context, BANG)


def one_begun(context: Context) -> Screen:
    """A die of one's own of which three sides were shown, alone on the last page."""
    context.box.lessons.keep(taught("own-abc", "mouse", "hare", "fox"))
    screen = TeachScreen(context)
    screen.pages.number = 1
    return screen


SCREENS: dict[str, Callable[[Context], Screen]] = {
    "teach": TeachScreen,
    "teach-begun": one_begun,
    "teach-known": one_known,
    "teach-shut": shut,
    "lesson-begin": lambda context: LessonScreen(context, BANG),
    "lesson-no-camera": without_camera,
    "lesson-half": lambda context: at(context, Progress(2, 0.4, Hint.GOOD), Lies("2", (200, 230))),
    "lesson-wrong": lambda context: at(context, Progress(2, 0.0, Hint.KNOWN, 1), Lies("1", (200, 230))),
    "lesson-done": lambda context: at(
        context, Progress(4), Lies("3", (200, 230), 50), Lies("heart", (450, 330)), known=True
    ),
    "lesson-full": full,
}


@pytest.mark.parametrize("name", SCREENS)
def test_pictures(context: Context, pictures: Path, name: str) -> None:
    check_screen(context, pictures, name, SCREENS[name](context))


@pytest.mark.parametrize("large", [False, True])
def test_on_the_seven_inch_screen_set_upright_it_can_be_read_why_nothing_can_be_kept(
    context: Context, pictures: Path, large: bool
) -> None:
    context.settings = replace(context.settings, large_text=large)
    name = "teach-shut-large" if large else "teach-shut"
    check_picture(context, pictures, name, staged(context, shut(context), TURNED), TURNED, "de")


# Face after face


@pytest.mark.parametrize("kind", [BANG, STOPPER], ids=lambda kind: kind.name)
def test_in_less_than_a_minute_a_die_is_known_from_then_on(context: Context, kind: DieKind) -> None:
    hand = begun(context, kind)
    assert hand.stage.wants_eye and hand.stage.awaited_die is None
    assert not hand.stage.awaits_throw, "a die in a hand may lie askew"
    assert show_all(hand, kind) < 60
    assert {Sound("count"), Sound("found"), Say("next-side"), Sound("win"), Say("die-known")} <= set(
        hand.effects
    )
    taught = kind.taught(context.box)
    assert taught is not None and taught.faces == tuple(face for face, _ in kind.faces)
    assert hand.stage.awaited_die is taught and hand.stage.awaits_throw, "it can be tried at once"
    before = lesson_of(hand).seen
    shown(hand, kind.faces[0][0], 0.25)
    assert lesson_of(hand).seen is not before, "and it is seen how it lies"
    hand.touch("done")
    assert isinstance(hand.stage.top, TeachScreen)
    assert "I know it" in words(hand, "en")


def words(hand: Hand, language: str) -> list[str]:
    """What stands on the screen."""
    hand.context.t = type(hand.context.t)(language)
    with texts_watched() as texts:
        hand.stage.draw()
    return [text for text, _, _ in texts]


def test_it_is_said_what_to_do_now(context: Context) -> None:
    hand = begun(context)
    assert {"Show: a blank side", "Lay the die where the camera sees it."} <= set(words(hand, "en"))
    shown(hand, "blank", 0.8)
    assert "Good! Turn it a little, and let it lie." in words(hand, "en")
    for i in range(3):
        shown(hand, "blank", 0.1, at=(300 + 20 * i, 230))
    assert "Let it lie, and take your hand away." in words(hand, "en")
    hand.lay(Lies("1", (200, 200)), Lies("2", (400, 300)))
    assert "Only this one die, please." in words(hand, "en")
    hand.lay()
    assert "Lay the die where the camera sees it." in words(hand, "en")


def test_a_face_that_is_shown_again_is_named(context: Context) -> None:
    hand = halfway(context)
    hand.touch("again")
    shown(hand, "1", 1.0)
    assert "This side I know already: the 1." in words(hand, "en")
    assert "all" not in hand.keys, "how many sides a game's die has is known"
    assert hand.effects.count(Sound("refused")) == 1, "it lies there for a while"
    assert lesson_of(hand).teacher.progress.face == 2


def test_another_face_in_the_middle_of_one_is_not_taken_for_it(context: Context) -> None:
    hand = halfway(context)
    part = lesson_of(hand).teacher.progress.part
    shown(hand, "blank", 2.0)
    progress = lesson_of(hand).teacher.progress
    assert (progress.part, progress.hint) == (part, Hint.STRANGE) and Sound("refused") in hand.effects
    said = "That looks different from before: show the same side, or touch the round arrow."
    assert said in words(hand, "en"), "whichever of the two was wrong, it goes on"


def painted(hand: Hand, way: str) -> list[tuple[object, ...]]:
    """What the screen paints in one of the canvas's ways."""
    with patch.object(Canvas, way, autospec=True, side_effect=getattr(Canvas, way)) as calls:
        hand.stage.draw()
    return [call.args[1:] for call in calls.call_args_list]


def frames(hand: Hand, colour: Rgb) -> int:
    return [made for _, made, *_ in painted(hand, "frame")].count(colour)


def test_what_lies_there_is_framed_and_in_another_colour_what_is_too_much(context: Context) -> None:
    hand = begun(context)
    assert (frames(hand, STOPPER.accent), frames(hand, WARN)) == (1, 0), "the side that is asked for"
    hand.lay(Lies("blank"))
    seen = lesson_of(hand).seen
    assert seen and (frames(hand, STOPPER.accent), frames(hand, WARN)) == (2, 0)
    faint = replace(seen.found[0], centre=(100.0, 100.0), box=(80.0, 80.0, 120.0, 120.0), heat=0.1)
    lesson_of(hand).seen = replace(seen, found=(*seen.found, faint))
    assert (frames(hand, STOPPER.accent), frames(hand, WARN)) == (2, 0), "hardly a die"
    hand.lay(Lies("blank", (200, 200)), Lies("2", (400, 300)))
    assert (frames(hand, STOPPER.accent), frames(hand, WARN)) == (1, 2)


def test_sides_that_are_known_are_ticked_and_the_one_that_is_shown_again_is_framed(context: Context) -> None:
    hand = halfway(context)
    hand.touch("again")
    assert len(painted(hand, "tick")) == 2 and frames(hand, WARN) == 0
    shown(hand, "1", 1.0)
    assert frames(hand, WARN) == 1


def test_in_a_trial_each_die_says_what_it_is_known_as(context: Context) -> None:
    hand = begun(context)
    show_all(hand, STOPPER)
    hand.lay(Lies("3", (200, 200)))
    assert frames(hand, WARN) == 0 and "help" not in [name for name, *_ in painted(hand, "icon")]
    hand.lay(Lies("3", (200, 200)), Lies("heart", (400, 300)))
    icons = [name for name, *_ in painted(hand, "icon")]
    assert frames(hand, WARN) == 1 and icons.count("help") == 1


def test_whoever_leaves_before_the_end_leaves_nothing(context: Context) -> None:
    hand = halfway(context)
    hand.press("back")
    assert isinstance(hand.stage.top, TeachScreen) and context.box.get("stopper") is None
    assert LookAnew() in hand.effects, "what lies there is to be found by whoever looks next"
    assert "teach-stopper" in hand.keys and "forget-stopper" not in hand.keys


def test_no_camera_is_said_and_nothing_is_praised_beside_it(context: Context) -> None:
    hand = begun(context)
    shown(hand, "blank", 0.8)
    assert any("Good!" in text for text in words(hand, "en"))
    context.camera.trouble = Message("Looking for the camera …")
    said = words(hand, "en")
    assert "Looking for the camera …" in said and not any("Good!" in text for text in said)


def test_a_full_disk_loses_nothing_and_it_can_be_kept_later(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    context.box.keep(stopper())
    before = context.box.file("stopper").read_bytes()

    hand = begun(context)
    with full_disk(monkeypatch):
        show_all(hand, STOPPER)
    assert f"It cannot be kept: the disk is full. Make room in {context.box.folder}." in words(hand, "en")
    assert hand.effects[-1] == Sound("refused") and context.box.file("stopper").read_bytes() == before
    assert not {"done", "again"} & set(hand.keys), "no touch forgets what is kept nowhere else"

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(context.box, "prepare", full)
    hand.touch("back", "teach-stopper")  # nothing is left to show, so no room is needed
    hand.touch("keep")
    assert "done" in hand.keys and context.box.file("stopper").read_bytes() != before
    assert not any("cannot be kept" in text for text in words(hand, "en"))


def test_who_leaves_a_lesson_goes_on_there_and_takes_any_side_anew(context: Context) -> None:
    hand = halfway(context)
    hand.touch("back", "teach-stopper")
    teacher = lesson_of(hand).teacher
    assert teacher.progress == Progress(2)
    for _ in range(2):  # the side that is shown, never the one before it
        hand.touch("again")
        assert teacher.progress == Progress(2) and teacher.picture(2) is None
    assert [key for key in hand.keys if key.startswith("side")] == ["side-0", "side-1"]
    hand.touch("side-0")
    assert teacher.progress == Progress(0) and teacher.picture(0) is None and teacher.known(1)
    hand.touch("back", "teach-stopper")  # what is known of the other one is not lost
    teacher = lesson_of(hand).teacher
    assert teacher.progress == Progress(0) and teacher.known(1)
    for turn in (0, 50, 100, 150):
        shown(hand, "blank", 0.8, turn)
    assert teacher.progress.face == 2, "it goes on where it was"
    show_all(hand, STOPPER)
    before = context.box.get("stopper")
    hand.touch("side-3")
    assert hand.stage.awaited_die is None and not hand.stage.awaits_throw
    assert context.box.get("stopper") is before
    show_all(hand, STOPPER)
    assert "done" in hand.keys and context.box.get("stopper") is not before
    assert not context.box.lessons.names()


def test_what_was_begun_by_a_command_has_a_card_with_its_sides(context: Context) -> None:
    context.box.lessons.keep(taught("mine", "mouse", "hare"))
    hand = Hand.at(TeachScreen(context))
    hand.touch("down")
    assert isinstance(hand.stage.top, TeachScreen)
    (card,) = [kind for kind in hand.stage.top.kinds if kind.name == "mine"]
    assert [face for face, _ in card.faces] == ["mouse", "hare"] and {"teach-mine", "forget-mine"} <= set(
        hand.keys
    )
    hand.touch("teach-mine")
    assert lesson_of(hand).teacher.progress.face == 2
    hand.press("back")
    hand.touch("forget-mine", "forget-mine")
    assert "teach-mine" not in hand.keys and context.box.lessons.names() == ()


def test_that_another_die_has_the_same_sides_is_said(context: Context) -> None:
    context.box.keep(replace(stopper(), name="twin"))
    hand = begun(context)
    show_all(hand, STOPPER)
    assert any(text.startswith("Another die has the same sides") for text in words(hand, "en"))


def test_after_a_power_cut_only_the_sides_are_asked_for_that_were_not_shown(context: Context) -> None:
    def plays(_: int) -> None:
        halfway(context)
        os.kill(os.getpid(), signal.SIGKILL)

    killed(plays, None)
    hand = begun(context)
    teacher = lesson_of(hand).teacher
    assert teacher.progress == Progress(2) and "side-1" in hand.keys and teacher.picture(1) is not None
    shown(hand, "1", 1.0)
    assert teacher.progress == Progress(2, 0.0, Hint.KNOWN, 1)
    show_all(hand, STOPPER)
    assert "done" in hand.keys and not context.box.lessons.names()


def test_a_lesson_that_the_disk_does_not_take_goes_on_as_long_as_the_program_runs(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    with full_disk(monkeypatch):
        hand = halfway(context)
    hand.touch("back", "teach-stopper")
    assert lesson_of(hand).teacher.progress.face == 2
    (context.box.folder / "lessons" / "big-boom-bang.npz").write_bytes(b"nothing")
    assert LessonScreen(context, BANG).teacher.progress.face == 0, "nobody can read it"


def test_what_could_not_be_kept_is_there_after_leaving_and_making_room(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = begun(context)
    with full_disk(monkeypatch):
        show_all(hand, STOPPER)
    hand.touch("back")
    hand.touch("teach-stopper")
    assert "All sides were shown. It has not been kept yet." in words(hand, "en")
    hand.touch("keep")
    assert context.box.get("stopper") and not context.box.lessons.names()


def test_the_lesson_of_another_die_goes_on_too(context: Context) -> None:
    hand = halfway(context)
    hand.touch("back")
    other = begun(context, BANG)
    show_all(other, BANG)
    other.touch("done")
    other.touch("teach-stopper")
    assert lesson_of(other).teacher.progress.face == 2


def test_that_no_die_can_be_read_is_said_and_all_else_is_there(context: Context, tmp_path: Path) -> None:
    (tmp_path / "dice").write_text("in the way")
    context.box = DiceBox(tmp_path / "dice")
    hand = Hand.at(TeachScreen(context))
    why = f"a part of the path is no folder. See what is wrong with {tmp_path / 'dice'}."
    assert f"The dice that were taught cannot be read: {why}" in words(hand, "en")
    assert known_dice(context.box) is None and not context.box.damaged("stopper")
    assert "forget-stopper" not in hand.keys
    hand.touch("add")
    assert isinstance(hand.stage.top, TeachScreen)
    assert any("cannot be kept" in text for text in words(hand, "en"))


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "the disk is full. Make room in {folder}."),
        (errno.EACCES, "this user is not allowed to. Make {folder} writable."),
    ],
)
def test_what_cannot_be_kept_is_said_before_anybody_shows_a_side(
    context: Context, monkeypatch: pytest.MonkeyPatch, number: int, advice: str
) -> None:
    def fails(faces: int) -> None:
        assert faces == 4  # 1, 2, 3 and blank
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(context.box, "prepare", fails)
    hand = Hand.at(TeachScreen(context))
    hand.touch("teach-stopper")
    assert isinstance(hand.stage.top, TeachScreen)
    assert f"It cannot be kept: {advice}".format(folder=context.box.folder) in words(hand, "en")


def test_once_known_it_can_be_taught_anew_from_the_first_face(context: Context) -> None:
    hand = begun(context)
    sides, lesson, looks = [sign for sign, _ in STOPPER.faces], lesson_of(hand), 0
    show_sides(hand, sides[:-1])
    while not lesson.teacher.done:
        shown(hand, sides[-1], 0.25, 50 * (looks // 4))
        looks += 1
    hand.tap("again")
    assert lesson.teacher.done, "a moment before, that meant the last side only"
    hand.touch("again")
    assert lesson_of(hand).teacher.progress.face == 0
    assert hand.stage.awaited_die is None and not hand.stage.awaits_throw
    assert context.box.get("stopper") is not None, "until then the old one counts"


# Which dice


def test_the_settings_lead_to_the_dice(context: Context) -> None:
    hand = Hand.at(SettingsScreen(context))
    hand.touch("teach")
    assert isinstance(hand.stage.top, TeachScreen)
    assert {"teach-big-boom-bang", "teach-stopper"} <= set(hand.keys)


def test_a_die_is_forgotten_by_the_second_touch(context: Context) -> None:
    context.box.keep(stopper())
    hand = Hand.at(TeachScreen(context))
    hand.touch("forget-stopper")
    assert context.box.get("stopper") is not None
    hand.touch("forget-stopper")
    assert context.box.get("stopper") is None and "forget-stopper" not in hand.keys


@pytest.mark.parametrize("known", [True, False], ids=["known", "begun"])
def test_a_die_that_cannot_be_forgotten_is_still_known_and_that_is_said(
    context: Context, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    def shut(path: Path, **_: object) -> None:
        if path.exists():
            raise PermissionError(errno.EACCES, "Permission denied")

    keeper: DiceBox | Lessons = context.box if known else context.box.lessons
    keeper.keep(replace(stopper(), name="own-1"))
    hand = Hand.at(TeachScreen(context))
    hand.touch("down", "forget-own-1")
    with monkeypatch.context() as here:
        here.setattr(Path, "unlink", shut)
        hand.touch("forget-own-1")
    assert hand.effects[-1] == Sound("refused") and keeper.get("own-1") is not None
    assert "It could not be forgotten: this user is not allowed to" in words(hand, "en")


def test_whether_a_die_is_to_be_forgotten_is_asked_anew_after_another_page(context: Context) -> None:
    context.box.keep(stopper())
    context.box.keep(replace(bang(), name="own-1"))
    hand = Hand.at(TeachScreen(context))
    hand.touch("forget-stopper", "down", "up", "forget-stopper")
    assert context.box.get("stopper") is not None


def test_the_panel_forgets_a_die_by_two_presses(context: Context) -> None:
    context.box.keep(stopper())
    hand = Hand.at(TeachScreen(context))
    while hand.stage.focus != "forget-stopper":
        hand.press("right")
    hand.press("confirm", "confirm")
    assert context.box.get("stopper") is not None, "not at once"
    hand.wait(1)
    hand.press("confirm")
    assert context.box.get("stopper") is None


def test_a_finger_that_bounces_forgets_nothing(context: Context) -> None:
    context.box.keep(stopper())
    hand = Hand.at(SettingsScreen(context))
    hand.touch("teach")
    hand.bounce("forget-stopper")
    assert context.box.get("stopper") is not None


def test_a_damaged_file_is_said_and_may_be_taught_anew_or_forgotten(context: Context) -> None:
    context.box.keep(stopper())
    context.box.file("stopper").write_bytes(b"nothing")
    context.box = type(context.box)(context.box.file("stopper").parent)
    hand = Hand.at(TeachScreen(context))
    assert "Its file is damaged: teach it again" in words(hand, "en")
    hand.touch("forget-stopper", "forget-stopper")
    assert "I do not know it yet" in words(hand, "en")


def test_a_die_of_that_name_with_other_faces_is_not_that_of_the_game(context: Context) -> None:
    other = bang()
    context.box.keep(type(other)("stopper", other.faces, other.looks, other.of))
    assert STOPPER.taught(context.box) is None
    assert "It was taught with other sides" in words(Hand.at(TeachScreen(context)), "en")


def test_the_panel_alone_teaches(context: Context) -> None:
    hand = Hand.at(TeachScreen(context))
    hand.press("confirm")
    assert lesson_of(hand).kind is BANG
    show_all(hand, BANG)
    hand.press("confirm")
    assert isinstance(hand.stage.top, TeachScreen) and BANG.taught(context.box) is not None


def test_that_there_are_too_many_dice_is_said_until_one_is_forgotten(context: Context) -> None:
    """One that was begun is one of them."""
    for number in range(1, MOST):
        context.box.keep(replace(bang(), name=f"own-{number}"))
    context.box.lessons.keep(taught("own-0", "mouse"))
    hand = Hand.at(TeachScreen(context))
    hand.touch("add")
    assert any("enough" in text for text in words(hand, "en"))
    hand.touch("down")
    forget = next(key for key in hand.keys if key.startswith("forget-own"))
    hand.touch(forget, forget)
    assert len(context.box.names()) == MOST - 2
    assert not any("enough" in text for text in words(hand, "en"))
