"""Walking between screens, by touch alone and by panel alone."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pygame
import pytest
from numpy.typing import NDArray
from pygame import Rect, Surface

from companion.events import ButtonName, Dismiss, Effect, Event, Hold, Press, Set, Sound, Tick, Touch
from companion.language import Message
from companion.screens.base import Back, Context, Go, Home, Screen, Step, Widget
from companion.screens.canvas import Canvas
from companion.screens.notices import NoticesScreen
from companion.screens.stage import BOUNCE_S, SETTLE_S, TOAST_S, Stage
from companion.screens.theme import INK, Rgb
from tests.screens.every import EVERY


class Plain(Screen):
    """A screen with two buttons; the second leads deeper."""

    title = "Dice"
    left = False

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        return [
            Widget("tick", Rect(100, 200, 100, 100), self.tick, label="A"),
            Widget("deeper", Rect(300, 200, 100, 100), self.deeper, label="B"),
        ]

    def tick(self) -> Iterator[Step]:
        yield Sound("press")

    def deeper(self) -> Iterator[Step]:
        yield Go(Plain(self.context))

    def leave(self) -> Iterator[Step]:
        self.left = True
        yield Sound("left")


class Question(Plain):
    overlay = True

    def deeper(self) -> Iterator[Step]:
        yield Home()


@pytest.fixture
def stage(context: Context) -> Stage:
    return Stage(context, [Plain(context)], Surface((800, 480)))


def touch(stage: Stage, x: int, y: int, up: tuple[int, int] | None = None) -> list[Effect]:
    begun = stage.handle(Touch(x, y, "down"))
    return begun + stage.handle(Touch(*(up or (x, y)), "up"))


def press(stage: Stage, *buttons: ButtonName) -> list[Effect]:
    return [effect for button in buttons for effect in stage.handle(Press(button))]


def test_a_touch_acts_when_the_finger_is_lifted_where_it_was_put_down(stage: Stage) -> None:
    assert stage.handle(Touch(150, 250, "down")) == []
    assert stage.handle(Touch(150, 250, "up")) == [Sound("press")]


def test_a_finger_that_rolls_a_little_still_touches_and_one_that_slides_off_does_not(stage: Stage) -> None:
    assert touch(stage, 195, 250, up=(203, 252)) == [Sound("press")]
    assert touch(stage, 195, 250, up=(260, 252)) == []
    assert touch(stage, 195, 250, up=(350, 250)) == []


def test_a_touch_beside_everything_does_nothing(stage: Stage) -> None:
    assert touch(stage, 700, 450) == []
    assert len(stage.stack) == 1


def test_lifting_a_finger_that_was_never_put_down_does_nothing(stage: Stage) -> None:
    assert stage.handle(Touch(150, 250, "up")) == []


def test_touch_leads_deeper_and_back(stage: Stage) -> None:
    touch(stage, 350, 250)
    assert len(stage.stack) == 2
    deep = stage.top
    assert isinstance(deep, Plain)
    assert touch(stage, 30, 30) == [Sound("left")]
    assert len(stage.stack) == 1 and deep.left


def test_the_panel_alone_reaches_everything(stage: Stage) -> None:
    assert press(stage, "right", "confirm") == [Sound("press")]
    press(stage, "right", "confirm")
    assert len(stage.stack) == 2
    press(stage, "back")
    assert len(stage.stack) == 1
    press(stage, "back", "back")
    assert len(stage.stack) == 1


def test_the_panel_points_where_it_did_once_what_it_has_opened_is_closed(stage: Stage) -> None:
    press(stage, "left", "left", "confirm")
    assert stage.focus == "tick"
    press(stage, "back")
    assert stage.focus == "deeper"


def test_left_walks_the_other_way_round(stage: Stage) -> None:
    press(stage, "left")
    assert stage.focus == "volume"
    press(stage, "left")
    assert stage.focus == "deeper"
    press(stage, "right", "right")
    assert stage.focus == "tick"


def test_the_first_confirm_only_shows_where_the_panel_points(stage: Stage) -> None:
    assert press(stage, "confirm") == [] and stage.focus == "tick"
    assert press(stage, "confirm") == [Sound("press")]


def test_a_touch_takes_the_pointer_of_the_panel_away(stage: Stage) -> None:
    press(stage, "right")
    touch(stage, 700, 450)
    assert stage.focus is None


def test_a_hand_that_rests_on_the_screen_does_not_take_the_pointer_of_the_panel_away(stage: Stage) -> None:
    stage.handle(Touch(700, 450, "down"))
    press(stage, "right")
    stage.handle(Touch(702, 451, "move"))
    press(stage, "right")
    assert stage.focus == "deeper"


def test_a_long_press_of_back_goes_home(stage: Stage) -> None:
    for _ in range(3):
        touch(stage, 350, 250)
        stage.context.now += 2 * BOUNCE_S
    assert len(stage.stack) == 4
    assert stage.handle(Hold("back")) == [Sound("left")] * 3
    assert len(stage.stack) == 1


def test_a_finger_that_bounces_opens_one_screen(stage: Stage) -> None:
    touch(stage, 350, 250)
    stage.context.now += 0.04
    touch(stage, 350, 250)
    assert len(stage.stack) == 2


@pytest.mark.parametrize("event", [Touch(700, 450, "down"), Press("back")], ids=["touch", "back"])
def test_a_question_is_closed_by_a_touch_beside_it_and_by_back(stage: Stage, event: Event) -> None:
    stage.stack.append(Question(stage.context))
    stage.handle(event)
    assert len(stage.stack) == 1


def test_lamps_are_lit_where_a_button_does_something(stage: Stage) -> None:
    assert stage.lamps() == {"confirm": "on", "left": "on", "right": "on", "undo": "off", "back": "off"}
    touch(stage, 350, 250)
    assert stage.lamps()["back"] == "on"


def touch_key(stage: Stage, key: str) -> list[Effect]:
    return touch(stage, *next(w.rect.center for w in stage.widgets() if w.key == key))


def test_a_notice_is_shown_for_some_seconds_and_kept_behind_a_sign(stage: Stage, context: Context) -> None:
    assert stage.toast is None and "notices" not in [w.key for w in stage.widgets()]
    first, second = Message("one"), Message("two")
    context.notices = (first,)
    assert stage.toast == first
    context.now += TOAST_S / 2
    context.notices = (first, second)
    assert stage.toast == first
    context.now += TOAST_S / 2 + 0.1
    assert stage.toast == second
    context.now += TOAST_S
    assert stage.toast is None and "notices" in [w.key for w in stage.widgets()]


def test_notices_are_touched_away_one_by_one(stage: Stage, context: Context) -> None:
    context.notices = (Message("one"), Message("two"))
    touch_key(stage, "notices")
    assert Dismiss(Message("two")) in touch_key(stage, "notice-1")
    context.notices = (Message("one"),)
    assert Dismiss(Message("one")) in touch_key(stage, "notice-0")
    assert len(stage.stack) == 1, "the last one closes the list"


def test_going_back_twice_with_one_step_leaves_nothing_out(stage: Stage, context: Context) -> None:
    below, above = Plain(context), Plain(context)
    stage.stack += [below, above]
    stage._follow([])  # nothing yet
    assert list(stage._follow([Back(), Back()])) == [Sound("left")] * 2
    assert below.left and above.left


@pytest.mark.parametrize(("count", "shown"), [(1, 1), (4, 4), (9, 4)])
def test_many_notices_are_shown_a_few_at_a_time_and_take_no_room_from_the_screen(
    stage: Stage, context: Context, count: int, shown: int
) -> None:
    before = [w.rect for w in stage.widgets() if w.key != "toast"][:2]
    context.notices = tuple(Message(f"notice {number}") for number in range(count))
    assert [w.rect for w in stage.widgets() if w.key != "toast"][:2] == before
    touch_key(stage, "notices")
    assert len(stage.widgets()) == shown


def test_the_ring_goes_before_what_the_screen_would_do(stage: Stage, context: Context) -> None:
    """Confirm does what it points at, even where the screen has a main act of its own."""

    class Eager(Plain):
        def press(self, button: ButtonName) -> Iterator[Step] | None:
            return iter([Sound("main")]) if button == "confirm" else None

    stage.stack.append(Eager(context))
    assert stage.handle(Press("confirm")) == [Sound("main")]
    stage.handle(Press("right"))
    pointed = next(widget for widget in stage.widgets() if widget.key == stage.focus)
    expected = [step for step in pointed.act() if not isinstance(step, Go | Back | Home)]
    assert stage.handle(Press("confirm")) == expected != [Sound("main")]


def test_where_the_panel_was_used_it_points_at_the_main_button_of_the_next_screen(context: Context) -> None:
    class Main(Plain):
        def widgets(self, canvas: Canvas) -> Sequence[Widget]:
            first, second = super().widgets(canvas)
            return [first, second._replace(style="main")]

        def deeper(self) -> Iterator[Step]:
            yield Go(Main(self.context))

    stage = Stage(context, [Main(context)], Surface((800, 480)))
    press(stage, "right", "right", "confirm")
    assert len(stage.stack) == 2 and stage.focus == "deeper"


def test_undo_leads_nowhere_where_there_is_nothing_to_take_back(stage: Stage, context: Context) -> None:
    stage.stack.append(Plain(context))
    assert press(stage, "undo") == [] and len(stage.stack) == 2


def test_a_notice_that_lies_over_the_board_takes_the_touch(stage: Stage, context: Context) -> None:
    """What it hides is not touched by chance."""
    context.notices = (Message("The disk is full."),)
    box = next(w.rect for w in stage.widgets() if w.key == "toast")
    for phase in ("down", "up"):
        stage.handle(Touch(box.centerx, box.centery, phase))
    assert isinstance(stage.top, NoticesScreen)


@pytest.mark.parametrize("event", [Press("right"), Touch(400, 80, "down")], ids=["panel", "finger"])
def test_that_the_panel_points_at_a_notice_or_a_finger_is_on_it_is_seen(
    context: Context, event: Event
) -> None:
    """The notice lies over all else, but not over that."""
    context.notices = (Message("The disk is full."),)
    stage = Stage(context, [Plain(context)], Surface((800, 480)))
    box = next(w.rect for w in stage.widgets() if w.key == "toast")
    before = lightness(stage)
    stage.handle(event)
    changed = standing_out(before, lightness(stage), 1.2)
    assert changed > 2 * box.width, "a pixel wide above and below, at least"


def test_a_second_tap_is_not_meant_for_what_came_in_between(stage: Stage, context: Context) -> None:
    """Where another button was until a moment ago, a touch is ignored; where nothing was, it counts."""

    class Changing(Plain):
        key = "first"

        def widgets(self, canvas: Canvas) -> list[Widget]:
            fixed = [Widget("other", Rect(300, 300, 80, 80), self.act)] if self.key != "first" else []
            return [Widget(self.key, Rect(100, 200, 100, 100), self.act), *fixed]

        def act(self) -> Iterator[Step]:
            self.key += "-next"
            yield Sound("press")

    screen = Changing(context)

    class Leading(Plain):
        def deeper(self) -> Iterator[Step]:
            yield Go(screen)

    stage.stack = [Leading(context)]
    touch_key(stage, "deeper")
    context.now += 2 * SETTLE_S

    def tap(x: int, y: int) -> None:
        for phase in ("down", "up"):
            stage.handle(Touch(x, y, phase))

    tap(150, 250)
    tap(150, 250)
    assert screen.key == "first-next"
    tap(340, 340)
    assert screen.key == "first-next-next"
    context.now += 2 * SETTLE_S
    tap(150, 250)
    assert screen.key == "first-next-next-next"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("bang-choose", "odds"),
        ("kabooom-hitting", "hint"),
        ("player", "plays"),
        ("settings", "large_text"),
        ("setup-bau-boom", "container"),
        ("setup-bau-boom", "pick-0"),
        ("setup-several-wait", "other"),
        ("volume", "voice"),
        ("bau-secret", "look-1"),
        ("bau-real-build", "tile-0"),
        ("bau-real-check", "tile-0"),
        ("bau-real-refill-check", "reverse"),
    ],
)
def test_two_taps_at_once_turn_nothing_on_and_off_again(context: Context, name: str, key: str) -> None:
    stage = EVERY[name](context, (800, 480))
    context.now += 2 * SETTLE_S
    effects = touch_key(stage, key)
    assert effects != []
    changed = {effect.key: effect.value for effect in effects if isinstance(effect, Set)}
    context.settings = replace(context.settings, **changed)
    stage.draw()
    for later, acts in ((SETTLE_S / 2, False), (SETTLE_S, True)):
        context.now += later
        assert (touch_key(stage, key) != []) is acts


def test_what_happens_below_closes_what_lies_over_it(stage: Stage, context: Context) -> None:
    """A game that ends while the volume is open shows its end, and the way back leads to the game."""

    class Ending(Plain):
        def handle(self, event: Event) -> Iterator[Step]:
            yield Go(Plain(context))

    below = Ending(context)
    stage.stack = [Plain(context), below]
    touch_key(stage, "volume")
    assert stage.top.overlay
    stage.handle(Tick(context.now))
    assert [type(each) for each in stage.stack] == [Plain, Ending, Plain]


def test_who_goes_elsewhere_from_below_closes_what_lies_over_it_once(stage: Stage, context: Context) -> None:
    """The screen below goes back and on to another one: nobody else is closed for that."""

    class Passing(Plain):
        def handle(self, event: Event) -> Iterator[Step]:
            yield Back()
            yield Go(Question(context))

    first, stays = Plain(context), Plain(context)
    stage.stack = [first, stays, Passing(context)]
    touch_key(stage, "volume")
    stage.handle(Tick(context.now))
    assert stage.stack[:2] == [first, stays] and [type(each) for each in stage.stack[2:]] == [Question]


class Lying(Screen):
    """One thing that the screen itself paints, in some colour; what it means changes."""

    colour: Rgb = INK
    meaning = 0

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        return [Widget("thing", Rect(100, 200, 120, 120), self.act, style="drawn", means=self.meaning)]

    def act(self) -> Iterator[Step]:
        yield Sound("press")

    def paint(self, canvas: Canvas) -> None:
        canvas.surface.fill(self.colour, (100, 200, 120, 120))


def lightness(stage: Stage) -> NDArray[np.float64]:
    """The relative luminance of every pixel, as WCAG 2.1 defines it."""
    stage.draw()
    parts = pygame.surfarray.array3d(stage.canvas.surface) / 255
    parts = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return np.asarray(parts @ (0.2126, 0.7152, 0.0722))


def standing_out(one: NDArray[np.float64], other: NDArray[np.float64], contrast: float) -> int:
    """How many pixels have changed by that contrast."""
    return int(((np.maximum(one, other) + 0.05) / (np.minimum(one, other) + 0.05) >= contrast).sum())


@pytest.mark.parametrize("colour", [INK, (255, 205, 70), (40, 49, 59), (0, 0, 0)], ids=str)
@pytest.mark.parametrize("high_contrast", [False, True])
def test_where_the_panel_points_is_seen_on_every_ground(
    context: Context, colour: Rgb, high_contrast: bool
) -> None:
    """A white ring alone would be lost on a white die, and nearly so on a yellow button."""
    context.settings = replace(context.settings, high_contrast=high_contrast)
    screen = Lying(context)
    screen.colour = colour
    stage = Stage(context, [screen], Surface((400, 400)))
    before = lightness(stage)
    press(stage, "right")
    assert standing_out(before, lightness(stage), 3) > 4 * 120, "a pixel wide all round, at least"


@pytest.mark.parametrize("colour", [INK, (255, 205, 70), (40, 49, 59), (0, 0, 0)], ids=str)
def test_what_a_finger_is_on_is_seen_until_it_slides_or_is_lifted(context: Context, colour: Rgb) -> None:
    """Also of a thing that the screen paints, as a die."""
    screen = Lying(context)
    screen.colour = colour
    stage = Stage(context, [screen], Surface((400, 400)))
    before = lightness(stage)
    stage.handle(Touch(150, 250, "down"))
    assert standing_out(before, lightness(stage), 1.2) > 100 * 100
    stage.handle(Touch(150, 250, "up"))
    assert np.array_equal(before, lightness(stage))


def test_a_press_that_comes_as_a_screen_opens_by_itself_was_not_meant_for_that(stage: Stage) -> None:
    """The end of a game offers another one: who still confirms his last move has not seen that."""

    class Over(Plain):
        def handle(self, event: Event) -> Iterator[Step]:
            if isinstance(event, Tick):
                yield Go(Ended(self.context))

    class Ended(Plain):
        def widgets(self, canvas: Canvas) -> Sequence[Widget]:
            return [each._replace(style="main") for each in super().widgets(canvas)][:1]

    stage.stack.append(Over(stage.context))
    stage.handle(Tick(stage.context.now))
    stage.context.now += 0.1
    assert isinstance(stage.top, Ended) and stage.handle(Press("confirm")) == []
    stage.context.now += SETTLE_S
    assert stage.handle(Press("confirm")) == [Sound("press")]


def test_a_button_that_means_the_same_can_be_pressed_fast_whatever_else_appears(context: Context) -> None:
    """Two tiles of one colour are told with two presses; after the first there is something to take back."""

    class Telling(Lying):
        told = 0

        def widgets(self, canvas: Canvas) -> Sequence[Widget]:
            more = [Widget("undo", Rect(0, 0, 60, 60), self.act, style="quiet")] if self.told else []
            return [*super().widgets(canvas), *more]

        def act(self) -> Iterator[Step]:
            self.told += 1
            yield Sound("press")

    screen = Telling(context)
    stage = Stage(context, [screen], Surface((400, 400)))
    stage.handle(Press("right"))
    for _ in range(2):
        stage.handle(Press("confirm"))
        stage.draw()
        context.now += 0.15
    assert screen.told == 2


def test_a_second_tap_does_not_close_what_the_first_has_opened(stage: Stage) -> None:
    """The sign that opens it lies beside it."""
    for _ in range(2):
        touch(stage, 770, 30)
        stage.context.now += 0.15
    assert stage.top.overlay
    stage.context.now += SETTLE_S
    for _ in range(2):
        assert touch(stage, 120, 250) == [], "it closes that, and the second tap touches nothing below"
        stage.context.now += 0.15
    assert not stage.top.overlay
    stage.context.now += SETTLE_S
    assert touch(stage, 120, 250) == [Sound("press")]


def test_a_finger_that_lies_on_what_comes_to_mean_something_else_does_nothing(context: Context) -> None:
    screen = Lying(context)
    stage = Stage(context, [screen], Surface((400, 400)))
    stage.handle(Touch(150, 250, "down"))
    screen.meaning = 1
    context.now += 2 * SETTLE_S
    assert stage.handle(Touch(150, 250, "up")) == []
    assert touch(stage, 150, 250) == [Sound("press")]


def test_a_button_that_wakes_the_screen_leads_nowhere_however_long_it_is_held(
    stage: Stage, context: Context
) -> None:
    touch(stage, 350, 250)
    context.now += 60 * context.settings.saver_min + 1
    assert press(stage, "back") == stage.handle(Hold("back")) == [] and len(stage.stack) == 2
    assert touch(stage, 150, 250) == [Sound("press")]
    press(stage, "back")
    assert len(stage.stack) == 1


def test_a_second_tap_reads_no_notice_that_has_moved_there(stage: Stage, context: Context) -> None:
    one, two = Message("one"), Message("two")
    context.notices = (one, two)
    touch_key(stage, "notices")
    assert Dismiss(one) in touch_key(stage, "notice-0")
    context.notices = (two,)
    stage.draw()
    context.now += SETTLE_S / 2
    assert touch_key(stage, "notice-0") == []
    context.now += 2 * SETTLE_S
    assert Dismiss(two) in touch_key(stage, "notice-0")


def test_notices_that_are_no_longer_so_leave_no_empty_list(stage: Stage, context: Context) -> None:
    context.notices = (Message("one"),)
    touch_key(stage, "notices")
    stage.handle(Tick(context.now))
    assert isinstance(stage.top, NoticesScreen)
    context.notices = ()
    stage.handle(Tick(context.now))
    assert not isinstance(stage.top, NoticesScreen)
