"""The dice screen: what is announced, stored and corrected."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import pygame
import pytest
from pygame import Rect, Surface

from companion.events import Demonstrate, Press, Say, SayThrow, Seen, Sound, Touch
from companion.eye.dice import Die
from companion.eye.network import Found
from companion.eye.throws import State, Throw
from companion.language import Message
from companion.screens.base import Context
from companion.screens.canvas import Canvas
from companion.screens.dice import DiceScreen
from companion.screens.die_kinds import paint_die
from companion.screens.face_picker import FacePicker
from companion.screens.home import HomeScreen
from companion.screens.stage import SETTLE_S, Stage
from companion.screens.theme import WARN, Rgb
from companion.table import Table
from companion.throwlog import KEPT
from tests.screens.checks import texts_watched
from tests.screens.conftest import blank

FRAME = np.zeros((480, 640, 3), np.uint8)


def dice(*faces: int) -> tuple[Die, ...]:
    return tuple(
        Die(f, (100.0 + 90 * i, 200.0), (60 + 90 * i, 160, 140 + 90 * i, 240), "white", 0.9)
        for i, f in enumerate(faces)
    )


def seen(*faces: int, revises: bool = False) -> Seen:
    return Seen(FRAME, dice(*faces), State.RESTING, Throw(dice(*faces), 1.0, revises))


@pytest.fixture
def stage(context: Context) -> Stage:
    return Stage(context, [HomeScreen(context), DiceScreen(context)], Surface((800, 480)))


def touch(stage: Stage, key: str) -> list[object]:
    stage.context.now += 2 * SETTLE_S
    place = next(w.rect for w in stage.widgets() if w.key == key).center
    return [*stage.handle(Touch(*place, "down")), *stage.handle(Touch(*place, "up"))]


def faces(stage: Stage) -> list[tuple[int | str, ...]]:
    return [throw.faces for throw in stage.context.table.log.throws]


def test_a_throw_is_stored_shown_and_spoken(stage: Stage) -> None:
    assert stage.handle(seen(2, 5)) == [Sound("seen"), SayThrow((2, 5))]
    assert faces(stage) == [(2, 5)]


@pytest.mark.parametrize(
    ("found", "words"),
    [((blank(),), "Keine Augen zu sehen"), ((blank(no_die=0.3),), "Bitte würfeln"), ((), "Bitte würfeln")],
)
def test_that_no_pips_can_be_seen_on_what_lies_there_is_said(
    stage: Stage, found: tuple[Found, ...], words: str
) -> None:
    stage.handle(Seen(FRAME, (), State.NOTHING, None, found))
    with texts_watched() as texts:
        stage.draw()
    unseen = words == "Keine Augen zu sehen"
    said = {text for text, _, _ in texts}
    assert words in said
    assert ("Keine Augen zu sehen" in said, "Was zeigen sie?" in said) == (unseen, unseen)
    assert ("Bitte würfeln" in said) != unseen


def test_pictures_between_throws_are_shown_and_announce_nothing(stage: Stage) -> None:
    assert stage.handle(Seen(FRAME, dice(3), State.MOVING, None)) == []
    assert faces(stage) == []
    stage.draw()


def test_touching_a_die_and_a_face_corrects_the_reading(stage: Stage) -> None:
    stage.handle(seen(2, 5))
    assert touch(stage, "die-1") == []
    assert isinstance(stage.top, FacePicker)
    assert touch(stage, "face-6") == [Sound("press"), Say("corrected")]
    assert faces(stage) == [(2, 6)] and isinstance(stage.top, DiceScreen)


@pytest.mark.parametrize(("glare", "hinted"), [(0.4, True), (0.01, False)])
def test_of_a_die_in_doubt_that_is_too_bright_is_said_so(stage: Stage, glare: float, hinted: bool) -> None:
    lying = tuple(replace(die, glare=glare) for die in dice(2, 5))
    throw = Throw(lying, 1.0, sure=False, doubts=((1, 3),), chance=0.6)
    stage.handle(Seen(FRAME, lying, State.RESTING, throw))
    touch(stage, "die-1")
    with texts_watched() as texts:
        stage.draw()
    said = [words for words, _, _ in texts if "Lampe" in words]
    assert bool(said) is hinted
    touch(stage, "face-6")
    touch(stage, "die-1")  # who has said what it shows is not asked about the lamp
    with texts_watched() as texts:
        stage.draw()
    assert isinstance(stage.top, FacePicker) and not any("Lampe" in words for words, _, _ in texts)


def test_something_that_is_no_die_is_taken_off(stage: Stage) -> None:
    stage.handle(seen(2, 5, 5))
    touch(stage, "die-1")
    touch(stage, "none")
    assert faces(stage) == [(2, 5)]
    touch(stage, "die-1")  # of two equal dice the one that is touched is meant
    touch(stage, "face-1")
    assert faces(stage) == [(2, 1)]


def test_a_die_that_was_not_seen_is_added(stage: Stage) -> None:
    stage.handle(seen(4))
    touch(stage, "add")
    touch(stage, "face-3")
    assert faces(stage) == [(4, 3)]


def test_without_a_camera_throws_are_entered_by_hand(stage: Stage) -> None:
    touch(stage, "add")
    touch(stage, "face-3")
    assert faces(stage) == [(3,)]


def test_without_a_camera_one_throw_after_the_other_is_entered(stage: Stage) -> None:
    stage.context.camera.trouble = Message("No camera")
    for key in ("add", "face-3", "add", "face-4", "new", "add", "face-6", "add", "face-6"):
        touch(stage, key)
    assert faces(stage) == [(6, 6), (3, 4)]
    touch(stage, "undo")
    assert faces(stage) == [(6,), (3, 4)]


def test_whatever_is_entered_by_hand_can_be_taken_back_from_the_first_die_on(stage: Stage) -> None:
    stage.handle(seen(2, 5))
    stage.context.camera.trouble = Message("No camera")
    for key in ("add", "face-2", "die-0", "face-3", "new"):
        touch(stage, key)
    assert stage.lamps()["undo"] == "on" and stage.handle(Press("undo")) == [Sound("press")]
    touch(stage, "add")  # it was not complete yet
    touch(stage, "face-4")
    assert faces(stage) == [(3, 4), (2, 5)]
    for left in ([(3,), (2, 5)], [(2,), (2, 5)], [(2, 5)]):
        touch(stage, "undo")
        assert faces(stage) == left
    assert "undo" not in [widget.key for widget in stage.widgets()]


def test_without_a_camera_confirm_enters_a_die_and_starts_no_demonstration(stage: Stage) -> None:
    stage.context.camera.trouble = Message("No camera")
    assert stage.handle(Press("confirm")) == [] and isinstance(stage.top, FacePicker)


def test_throws_of_the_demonstration_are_shown_only_while_it_runs(stage: Stage, context: Context) -> None:
    stage.handle(seen(2, 5))
    stage.handle(seen(6, 6))
    context.camera.demonstration = True
    assert "7" not in words_of(stage), "no real throw is shown beside recorded ones"
    for number in range(KEPT + 1):
        stage.handle(replace(seen(1, 3), throw=Throw(dice(1, 3), 1.0, number=number)))
    context.now += 5
    assert words_of(stage).count("4") > 2
    context.camera.demonstration = False
    said = words_of(stage)
    assert "12" in said and "7" in said and "4" not in said


def test_what_is_entered_without_a_camera_is_no_part_of_what_one_has_seen(stage: Stage) -> None:
    stage.handle(seen(2, 5))
    stage.context.camera.trouble = Message("No camera")
    for key in ("add", "face-1", "add", "face-3"):
        touch(stage, key)
    assert faces(stage) == [(1, 3), (2, 5)]


def test_dice_without_pips_are_entered_as_a_throw_of_their_own(stage: Stage) -> None:
    stage.handle(seen(2, 5))
    stage.handle(Seen(FRAME, (), State.NOTHING, None, (blank(),)))
    for key in ("add", "face-1", "new", "add", "face-4"):
        touch(stage, key)
    assert faces(stage) == [(4,), (1,), (2, 5)]


def test_without_a_camera_no_throw_of_before_is_shown_as_if_it_had_just_been_thrown(stage: Stage) -> None:
    stage.handle(seen(2, 5))
    context = stage.context
    context.camera.trouble = Message("No camera")
    assert "die-0" in [widget.key for widget in stage.widgets()], "what was read last can still be corrected"
    later = Stage(context, [HomeScreen(context), DiceScreen(context)], Surface((800, 480)))
    assert "Gib ein, was du geworfen hast" in words_of(later)
    assert later.handle(Press("confirm")) == [] and isinstance(later.top, FacePicker)


@pytest.mark.parametrize(
    ("lies", "words"),
    [
        (Seen(FRAME, (), State.NOTHING, None, (blank(),)), "Was zeigen sie?"),
        (Seen(FRAME, dice(3), State.COCKED, None), "Kippe: noch einmal werfen"),
        (Seen(FRAME, dice(3), State.CUT_OFF, None), "Am Rand: noch einmal werfen"),
    ],
)
def test_while_the_eye_cannot_read_what_lies_there_no_other_throw_is_shown(
    stage: Stage, lies: Seen, words: str
) -> None:
    stage.handle(seen(2, 5))
    stage.handle(lies)
    assert words in words_of(stage) and "die-0" not in [widget.key for widget in stage.widgets()]
    stage.handle(Seen(FRAME, dice(2, 5), State.RESTING, None))
    assert "die-0" in [widget.key for widget in stage.widgets()]


def test_a_question_stays_while_a_die_is_turned(stage: Stage) -> None:
    stage.handle(replace(seen(2, 5), throw=Throw(dice(2, 5), 1.0, sure=False, doubts=((1, None),))))
    stage.handle(Seen(FRAME, dice(2), State.COCKED, None))
    assert {"yes", "die-0", "die-1"} <= {widget.key for widget in stage.widgets()}


def test_dice_found_as_they_were_read_are_not_read_again(stage: Stage) -> None:
    stage.handle(seen(2, 5))
    lying = replace(seen(2, 5), throw=Throw(dice(2, 5), 1.0, found=True))
    assert stage.handle(lying) == [] and faces(stage) == [(2, 5)]
    other = replace(seen(2, 4), throw=Throw(dice(2, 4), 1.0, found=True))
    assert stage.handle(other) != [] and faces(stage) == [(2, 4), (2, 5)]


def test_dice_found_after_others_were_entered_by_hand_are_not_spoken_again(stage: Stage) -> None:
    stage.handle(seen(3, 4))
    stage.handle(Seen(FRAME, (), State.NOTHING, None, (blank(),)))
    for key in ("add", "face-5"):
        touch(stage, key)
    assert stage.handle(replace(seen(3, 4), throw=Throw(dice(3, 4), 1.0, found=True))) == []


def test_undo_takes_corrections_back_one_by_one(stage: Stage) -> None:
    stage.handle(seen(2, 5))
    for face in ("face-6", "face-1"):
        touch(stage, "die-0")
        touch(stage, face)
    assert faces(stage) == [(1, 5)]
    assert stage.lamps()["undo"] == "on"
    assert touch(stage, "undo") == [Sound("press")]
    assert faces(stage) == [(6, 5)]
    assert stage.handle(Press("undo")) == [Sound("press")]
    assert faces(stage) == [(2, 5)]
    assert stage.handle(Press("undo")) == [Sound("refused")]


def test_a_revised_reading_takes_the_place_of_the_first(stage: Stage) -> None:
    stage.handle(seen(2, 5))
    stage.handle(seen(2, 5, 6, revises=True))
    assert faces(stage) == [(2, 5, 6)]


def test_a_new_throw_while_a_die_is_being_corrected_does_not_get_the_correction(stage: Stage) -> None:
    stage.handle(seen(2, 5))
    touch(stage, "die-0")
    stage.handle(seen(3, 3))
    touch(stage, "face-6")
    assert faces(stage) == [(3, 3), (6, 5)]


def test_what_was_corrected_after_the_next_throw_had_come_can_be_taken_back(stage: Stage) -> None:
    """But not what was said of the throw before while that was shown."""
    stage.handle(seen(2, 5))
    touch(stage, "die-0")
    stage.handle(seen(3, 3))
    touch(stage, "face-6")
    assert touch(stage, "undo") == [Sound("press")]
    assert faces(stage) == [(3, 3), (2, 5)]
    assert stage.handle(Press("undo")) == [Sound("refused")]
    touch(stage, "die-0")
    touch(stage, "face-1")
    stage.handle(seen(4))
    assert stage.handle(Press("undo")) == [Sound("refused")]


def test_what_was_corrected_while_another_die_leans_can_be_taken_back(stage: Stage) -> None:
    lying = dice(2, 5)
    stage.handle(replace(seen(2, 5), throw=Throw(lying, 1.0, sure=False, doubts=((1, 3),))))
    stage.handle(Seen(FRAME, lying, State.COCKED, None))
    touch(stage, "die-1")
    touch(stage, "face-3")
    assert faces(stage) == [(2, 3)]
    assert stage.lamps()["undo"] == "on" and touch(stage, "undo") == [Sound("press")]
    assert faces(stage) == [(2, 5)] and stage.context.table.log.throws[0].asked


def test_a_revision_while_a_die_is_being_corrected_breaks_nothing(stage: Stage) -> None:
    stage.handle(seen(2, 5))
    touch(stage, "die-0")
    stage.handle(seen(3, 5, revises=True))
    touch(stage, "face-6")
    assert faces(stage) == [(3, 5)] and isinstance(stage.top, DiceScreen)


def test_the_panel_alone_corrects(stage: Stage) -> None:
    stage.handle(seen(2, 5))
    for button in ("right", "confirm", "right", "right", "right", "confirm"):
        stage.handle(Press(button))
    assert faces(stage) == [(4, 5)]


def test_the_panel_that_has_opened_the_dice_confirms_what_is_asked(context: Context) -> None:
    stage = Stage(context, [HomeScreen(context)], Surface((800, 480)))
    while stage.focus != "dice":
        stage.handle(Press("right"))
    stage.handle(Press("confirm"))
    lying = dice(5)
    stage.handle(Seen(FRAME, lying, State.RESTING, Throw(lying, 1.0, sure=False, doubts=((0, 3),))))
    context.now += 1
    assert stage.focus in (None, "yes")
    stage.handle(Press("confirm"))
    assert faces(stage) == [(5,)] and not context.table.log.throws[0].asked


@pytest.mark.parametrize("how", ["touch", "held", "panel"])
def test_a_reading_that_has_just_come_is_not_confirmed_by_whoever_meant_the_one_before(
    stage: Stage, context: Context, how: str
) -> None:
    def doubted(number: int, face: int) -> None:
        lying = dice(face)
        throw = Throw(lying, 1.0, sure=False, doubts=((0, 3),), number=number)
        stage.handle(Seen(FRAME, lying, State.RESTING, throw))

    doubted(1, 5)
    context.now += 5
    x, y = next(widget.rect.center for widget in stage.widgets() if widget.key == "yes")
    if how == "held":
        stage.handle(Touch(x, y, "down"))
    doubted(2, 6)
    context.now += 0.1
    said = [Touch(x, y, "down"), Touch(x, y, "up")] if how == "touch" else [Touch(x, y, "up")]
    for event in said if how != "panel" else [Press("confirm")]:
        stage.handle(event)
    assert context.table.log.throws[0].asked
    context.now += 2 * SETTLE_S
    stage.handle(Press("confirm"))
    assert not context.table.log.throws[0].asked


def test_without_a_camera_the_demonstration_is_offered(stage: Stage, context: Context) -> None:
    context.camera.trouble = Message("No camera")
    stage.draw()
    assert touch(stage, "demo") == [Demonstrate(True)]
    context.camera.trouble, context.camera.demonstration = None, True
    assert touch(stage, "demo") == [Demonstrate(False)]


def test_throws_outlast_the_program(
    context: Context, tmp_path: Path, open_table: Callable[[Path], Table]
) -> None:
    context.table = open_table(tmp_path / "companion.db")
    stage = Stage(context, [HomeScreen(context), DiceScreen(context)], Surface((800, 480)))
    stage.handle(seen(2, 5))
    stage.handle(seen(6))
    touch(stage, "die-0")
    touch(stage, "face-1")
    assert [t.faces for t in open_table(tmp_path / "companion.db").log.throws] == [(1,), (2, 5)]


def test_whoever_leaves_the_dice_leaves_the_demonstration(stage: Stage, context: Context) -> None:
    """No game may take its throws for real ones."""
    context.camera.demonstration = True
    assert Demonstrate(False) in stage.handle(Press("back"))


def marks(stage: Stage, colour: Rgb) -> int:
    """How many pixels of a colour the picture of the camera bears."""
    stage.draw()
    picture = stage.canvas.surface.subsurface((14, 80, 380, 320))
    return int((pygame.surfarray.array3d(picture) == colour).all(axis=2).sum())


def test_dice_fly_from_where_they_lie_in_the_picture_to_their_places(stage: Stage) -> None:
    stage.handle(seen(2, 5))
    stage.context.now += 0.01
    stage.draw()
    (right,) = (w.rect for w in stage.widgets() if w.key == "die-1")
    flying = pygame.surfarray.array3d(stage.canvas.surface.subsurface(right))
    stage.context.now += 5
    stage.draw()
    assert (pygame.surfarray.array3d(stage.canvas.surface.subsurface(right)) != flying).any()


def test_the_picture_shows_which_die_is_in_doubt(stage: Stage) -> None:
    """Though the eye sees hardly anything of it."""
    throw = Throw(dice(2, 5), 1.0, sure=False, doubts=((1, 3),))
    stage.handle(Seen(FRAME, dice(2), State.RESTING, throw))
    stage.context.now += 5
    assert marks(stage, WARN) > 100
    stage.handle(Seen(FRAME, dice(2), State.MOVING, None))
    assert marks(stage, WARN) == 0
    stage.handle(Seen(FRAME, dice(2), State.RESTING, None))
    assert marks(stage, WARN) > 100
    stage.handle(Press("confirm"))
    stage.context.now += 5
    assert marks(stage, WARN) == 0


def labels(stage: Stage) -> list[tuple[str, int]]:
    """The numbers at the dice in the picture, and how far from the left."""
    found = list[tuple[str, int]]()
    draw = Canvas.text

    def watched(canvas: Canvas, words: str, box: Rect, *more: Any, **how: Any) -> Any:
        if how.get("colour") == (8, 30, 26):
            found.append((words, box.x))
        return draw(canvas, words, box, *more, **how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Canvas, "text", watched)
        stage.draw()
    return sorted(found, key=itemgetter(1))


def pushed(lying: Sequence[Die], by: float) -> tuple[Die, ...]:
    def moved(die: Die) -> Die:
        (x, y), (x0, y0, x1, y1) = die.center, die.box
        return replace(die, center=(x + by, y), box=(x0 + by, y0, x1 + by, y1))

    return tuple(map(moved, lying))


def test_a_row_that_was_pushed_bears_the_same_numbers_in_the_picture(stage: Stage) -> None:
    """By nearly the width of a die: each lies where its neighbour lay."""
    lying = dice(1, 3, 6)
    stage.handle(Seen(FRAME, lying, State.RESTING, Throw(lying, 1.0)))
    touch(stage, "die-1")
    touch(stage, "face-5")
    stage.context.now += 5
    assert [words for words, _ in labels(stage)] == ["1", "5", "6"]
    stage.handle(Seen(FRAME, pushed(lying, 75), State.MOVING, None))
    stage.handle(Seen(FRAME, pushed(lying, 75), State.RESTING, None))
    assert [words for words, _ in labels(stage)] == ["1", "5", "6"], "what was corrected stays so"


def test_of_two_that_show_the_same_each_is_followed_to_where_it_was_pushed(stage: Stage) -> None:
    (upper,) = dice(3)
    lower = replace(upper, center=(100.0, 300.0), box=(60, 260, 140, 340))
    stage.handle(Seen(FRAME, (upper, lower), State.RESTING, Throw((upper, lower), 1.0)))
    below, above = pushed((lower, upper), 75)
    stage.handle(Seen(FRAME, (below, above), State.RESTING, None))
    throw = stage.context.table.log.current
    assert throw and throw.boxes == {0: above.box, 1: below.box}


def test_a_die_in_doubt_that_was_pushed_is_marked_where_the_eye_finds_something(stage: Stage) -> None:
    lying = dice(1, 3)
    stage.handle(Seen(FRAME, lying, State.RESTING, Throw(lying, 1.0, sure=False, doubts=((1, 5),))))
    (screen,) = (each for each in stage.stack if isinstance(each, DiceScreen))
    assert screen.in_doubt == [lying[1].box]
    near, far = ((lying[1].box[0] + by, 160, lying[1].box[2] + by, 240) for by in (40, 160))
    for box in (near, far):  # something else, so far away
        found = replace(blank(), box=box, centre=((box[0] + box[2]) / 2, 200.0))
        stage.handle(Seen(FRAME, lying[:1], State.RESTING, None, (found,)))
        assert screen.in_doubt == [near]


def test_who_comes_back_while_the_dice_lie_there_sees_them_as_they_were_left(stage: Stage) -> None:
    lying = dice(1, 3, 6)
    doubted = Throw(lying, 1.0, sure=False, doubts=((2, 5),))
    stage.handle(Seen(FRAME, lying, State.RESTING, doubted))
    touch(stage, "die-1")
    touch(stage, "face-5")
    stage.start_over(DiceScreen(stage.context))
    stage.handle(Seen(FRAME, lying[:2], State.RESTING, None))
    stage.context.now += 5
    assert [words for words, _ in labels(stage)] == ["1", "5"] and marks(stage, WARN) > 100


@pytest.mark.parametrize("size", [(800, 480), (480, 320), (1024, 600)])
@pytest.mark.parametrize("count", [3, 4, 6, 8])
def test_no_button_covers_the_name_of_a_colour(context: Context, size: tuple[int, int], count: int) -> None:
    stage = Stage(context, [HomeScreen(context), DiceScreen(context)], Surface(size))
    lying = tuple(replace(die, colour=("red", "green")[i % 2]) for i, die in enumerate(dice(*[2] * count)))
    stage.handle(Seen(FRAME, lying, State.RESTING, Throw(lying, 1.0)))
    touch(stage, "die-0")
    touch(stage, "face-5")
    context.now += 5
    names = list[Rect]()
    draw = Canvas.text

    def watched(canvas: Canvas, words: str, box: Rect, *more: Any, **how: Any) -> Any:
        if words in ("rot", "grün"):
            names.append(box)
        return draw(canvas, words, box, *more, **how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Canvas, "text", watched)
        stage.draw()
    undo = next(widget.rect for widget in stage.widgets() if widget.key == "undo")
    assert undo.collidelist(names) < 0 and (names or count == 8)


def test_the_picture_shows_which_die_leans(stage: Stage) -> None:
    flat, leaning = dice(2, 5)
    stage.handle(Seen(FRAME, (flat, leaning), State.RESTING, None))
    assert marks(stage, WARN) == 0
    stage.handle(Seen(FRAME, (flat, replace(leaning, cocked=True)), State.COCKED, None))
    assert marks(stage, WARN) > 100


@pytest.mark.parametrize("state", [State.COCKED, State.CUT_OFF])
def test_what_is_entered_while_the_eye_cannot_read_the_dice_is_a_throw_of_its_own(
    stage: Stage, state: State
) -> None:
    stage.handle(seen(2, 5))
    stage.handle(Seen(FRAME, dice(3), state, None))
    for key in ("add", "face-4", "add", "face-6"):
        touch(stage, key)
    assert faces(stage) == [(4, 6), (2, 5)]


def test_among_the_earlier_throws_no_total_lies_on_a_die(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, totals, text = list[Rect](), list[Rect](), Canvas.text

    def noted(self: Canvas, words: str, box: Rect, *more: Any, **named: Any) -> None:
        totals.extend([box.copy()] * (words in ("7", "6")))
        text(self, words, box, *more, **named)

    def painted(c: Canvas, box: Any, place: Rect, *more: Any) -> None:
        drawn.append(place.copy())
        paint_die(c, box, place, *more)

    for thrown in ((2, 5), (6,), (1, 1, 2)):
        stage.handle(seen(*thrown))
    stage.context.now += 5
    monkeypatch.setattr(Canvas, "text", noted)
    monkeypatch.setattr("companion.screens.dice.paint_die", painted)
    stage.draw()
    assert len(totals) == 2 and len(drawn) == 6
    assert not [place for place in drawn for total in totals if place.colliderect(total)]


def test_a_throw_that_nobody_has_confirmed_stays_in_doubt_among_the_earlier_ones(stage: Stage) -> None:
    stage.handle(replace(seen(2, 5), throw=Throw(dice(2, 5), 1.0, sure=False, doubts=((1, None),))))
    stage.handle(seen(6))
    with texts_watched() as shown:
        stage.draw()
    assert "7?" in [words for words, _, _ in shown]


def test_a_reading_that_is_revised_after_a_person_has_confirmed_it_says_nothing(stage: Stage) -> None:
    doubted = replace(seen(2, 5), throw=Throw(dice(2, 5), 1.0, sure=False, doubts=((1, None),)))
    stage.handle(doubted)
    stage.context.now += 2 * SETTLE_S
    stage.handle(Press("confirm"))
    assert stage.handle(seen(2, 6, revises=True)) == []
    current = stage.context.table.log.current
    assert current and current.faces == (2, 5)


@pytest.mark.parametrize(("found", "revises"), [(True, False), (False, True)])
def test_what_a_person_has_taken_off_is_not_seen_once_more(stage: Stage, found: bool, revises: bool) -> None:
    stage.handle(seen(2))
    touch(stage, "die-0")
    touch(stage, "none")
    again = Throw(dice(2), 1.0, found=found, revises=revises)
    assert stage.handle(replace(seen(2), throw=again)) == [] and faces(stage) == []


def test_a_reading_that_is_revised_after_a_person_has_corrected_it_says_nothing(stage: Stage) -> None:
    stage.handle(seen(2, 5))
    touch(stage, "die-1")
    touch(stage, "face-6")
    assert stage.handle(seen(2, 6, revises=True)) == []
    assert faces(stage) == [(2, 6)]


def words_of(stage: Stage) -> list[str]:
    """What is written now."""
    with texts_watched() as texts:
        stage.draw()
    return [words for words, _, _ in texts]


def test_without_a_camera_nobody_is_told_to_throw_and_no_entry_is_called_a_correction(stage: Stage) -> None:
    stage.context.camera.trouble = Message("No camera")
    said = words_of(stage)
    assert "Bitte würfeln" not in said and "Gib ein, was du geworfen hast" in said and "Dazu" in said
    for face in (3, 4):
        touch(stage, "add")
        assert "Was zeigt der Würfel?" in words_of(stage)
        assert touch(stage, f"face-{face}") == [Sound("press")]
    touch(stage, "die-0")
    assert touch(stage, "face-1") == [Sound("press"), Say("corrected")]


def test_a_die_that_the_eye_has_missed_corrects_what_it_has_read(stage: Stage) -> None:
    stage.handle(seen(2))
    touch(stage, "add")
    assert "Was zeigt der fehlende Würfel?" in words_of(stage)
    assert touch(stage, "face-6") == [Sound("press"), Say("corrected")]


def test_a_corrected_die_bears_its_new_number_in_the_picture(stage: Stage) -> None:
    stage.handle(seen(2, 5))
    stage.context.now += 5
    assert {"2", "5"} <= set(words_of(stage))
    touch(stage, "die-1")
    touch(stage, "face-6")
    lying = tuple(
        replace(die, center=(die.center[0] + 2.3, 201.0), box=(die.box[0] + 2, 161, die.box[2] + 3, 241))
        for die in dice(2, 5)
    )
    stage.handle(Seen(FRAME, lying, State.RESTING, None))  # the eye still takes it for what it did
    assert "6" in words_of(stage) and "5" not in words_of(stage)
    touch(stage, "die-0")
    touch(stage, "none")
    assert not {"2", "5"} & set(words_of(stage))
    stage.handle(Seen(FRAME, dice(2, 5), State.MOVING, None))
    assert {"2", "5"} <= set(words_of(stage))


def test_a_die_that_was_laid_beside_a_throw_bears_what_the_eye_sees_on_it(stage: Stage) -> None:
    stage.handle(seen(2, 5))
    stage.context.now += 5
    stage.handle(Seen(FRAME, dice(2, 5, 3), State.RESTING, None))
    assert {"2", "5", "3"} <= set(words_of(stage))


def test_where_all_dice_were_taken_off_none_are_left(stage: Stage) -> None:
    stage.handle(seen(2))
    touch(stage, "die-0")
    touch(stage, "none")
    assert "0" not in words_of(stage) and "Keine Würfel" in words_of(stage)
