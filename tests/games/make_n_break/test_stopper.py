"""The stopper: MNB-R2, R4, R10, R11, R18, and that a round survives whatever happens to it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygame import Surface

from companion.events import Buzz, Effect, Press, Say, SayNumber, Sound, Tick, Touch
from companion.games.make_n_break.stopper import FACES, GOAL, Stopper
from companion.games.make_n_break.stopper_screen import ENTRY, StopperScreen
from companion.games.rulebook import IllegalMove
from companion.language import Texts
from companion.screens.base import Context, Step
from companion.screens.canvas import Canvas
from companion.screens.home import HomeScreen
from companion.screens.stage import Stage
from companion.screens.theme import STOP, STOPPER
from companion.table import Table


def test_mnb_r2_the_die_has_1_2_3_and_three_blank_sides() -> None:
    assert sorted(FACES) == [0, 0, 0, 1, 2, 3]


@pytest.mark.parametrize(
    ("total", "value", "over"), [(28, 3, True), (29, 0, False), (29, 1, True), (27, 3, True)]
)
def test_mnb_r10_stop_at_30_or_more(total: int, value: int, over: bool) -> None:
    before = Stopper((3,) * (total // 3) + (total % 3,))
    assert before.total == total and not before.over
    assert before.play(value).over is over


def test_mnb_r10_nothing_is_thrown_after_the_stop() -> None:
    with pytest.raises(IllegalMove) as caught:
        Stopper((3,) * 10).play(1)
    assert caught.value.rule == "MNB-R10"


@pytest.mark.parametrize("value", [-1, 4, 6])
def test_mnb_r2_a_side_that_the_die_does_not_have_is_refused(value: int) -> None:
    with pytest.raises(IllegalMove) as caught:
        Stopper().play(value)
    assert caught.value.rule == "MNB-R2"


@given(st.lists(st.sampled_from(FACES), max_size=400))
def test_mnb_r11_the_totals_never_fall_and_end_between_30_and_32(values: list[int]) -> None:
    position, totals = Stopper(), [0]
    for value in values:
        if position.over:
            break
        position = position.play(value)
        totals.append(position.total)
    assert totals == sorted(totals)
    assert totals[-1] <= GOAL + 2 and position.over == (totals[-1] >= GOAL)


def throws(context: Context, values: list[int]) -> None:
    rest: Iterator[int] = iter(values)
    context.chance = lambda faces: next(rest)


def ticks(screen: StopperScreen, seconds: float, fps: int = 30) -> list[Effect]:
    """Let the time pass, a picture at a time."""
    effects: list[Effect] = []
    for _ in range(round(seconds * fps)):
        screen.context.now += 1 / fps
        effects += list(screen.handle(Tick(screen.context.now)))  # type: ignore[arg-type]
    return effects


def main(screen: StopperScreen) -> list[Step]:
    """Touch the large button."""
    return list(screen.widgets(Canvas(Surface((800, 480))))[0].act())


def started(context: Context) -> StopperScreen:
    screen = StopperScreen(context)
    assert main(screen) == [Sound("go"), Say("go")]
    return screen


def test_mnb_r11_every_total_is_called_the_blanks_too(context: Context) -> None:
    throws(context, [2, 3, 1, 0, 2])
    screen = started(context)
    called = [e.number for e in ticks(screen, 6.2) if isinstance(e, SayNumber)]
    assert called == [2, 5, 6, 6, 8]


def test_mnb_r18_the_stop_is_called_rung_and_buzzed_once(context: Context) -> None:
    throws(context, [3] * 10)
    effects = ticks(started(context), 30)
    assert effects[-3:] == [Sound("stop"), Say("stop"), Buzz()]
    assert effects.count(Say("stop")) == 1
    assert [e.number for e in effects if isinstance(e, SayNumber)] == list(range(3, 30, 3))
    assert context.table.stopper is None


@pytest.mark.parametrize("interval", [0.5, 1.2, 5.0])
def test_the_pace_is_kept_without_drifting(context: Context, interval: float) -> None:
    context.settings = replace(context.settings, stopper_interval_s=interval)
    throws(context, [0] * 1000)
    screen = started(context)
    ticks(screen, interval * 20.5)
    assert len(screen.position.throws) == 20


def test_pause_holds_the_total_and_continue_goes_on(context: Context) -> None:
    throws(context, [2] * 50)
    screen = started(context)
    ticks(screen, 3)
    assert screen.position.total == 4
    assert main(screen) == [Say("pause")]
    assert ticks(screen, 10) == [] and screen.position.total == 4 and screen.phase == "paused"
    assert main(screen) == [Sound("go"), Say("continue")]
    ticks(screen, 1.3)
    assert screen.position.total == 6 and screen.phase == "running"


def test_stop_ends_the_round_and_the_next_begins_at_nothing(context: Context) -> None:
    throws(context, [2] * 50)
    screen = started(context)
    ticks(screen, 3)
    assert [widget.key for widget in screen.widgets(Canvas(Surface((800, 480))))] == ["main"]
    assert list(screen.press("undo") or ()) == [Say("pause")], "one wrong touch takes no round away"
    assert screen.phase == "paused" and screen.position.total == 4
    list(screen.press("undo") or ())
    assert screen.phase == "ready" and context.table.stopper is None
    main(screen)
    assert screen.position.total == 0 and screen.phase == "running"


@pytest.mark.parametrize("by", ["touch", "panel"])
def test_a_second_press_of_a_button_does_not_mean_the_next(context: Context, by: str) -> None:
    throws(context, [2] * 50)
    screen = StopperScreen(context)
    stage = Stage(context, [HomeScreen(context), screen], Surface((800, 480)))
    for phase in ("running", "paused", "running"):
        x, y = stage.widgets()[0].rect.center
        for _ in range(2):
            for event in [Touch(x, y, "down"), Touch(x, y, "up")] if by == "touch" else [Press("confirm")]:
                stage.handle(event)
            context.now += 0.15
        assert screen.phase == phase
        context.now += 0.5


def test_going_away_pauses_and_coming_back_finds_the_same_total(context: Context) -> None:
    throws(context, [1] * 50)
    screen = started(context)
    ticks(screen, 3.8)
    list(screen.leave())
    back = StopperScreen(context)
    assert back.phase == "paused" and back.position.total == 3


def test_going_away_while_nothing_runs_says_nothing(context: Context) -> None:
    throws(context, [1] * 50)
    assert list(StopperScreen(context).leave()) == []
    screen = started(context)
    main(screen)
    assert screen.phase == "paused" and list(screen.leave()) == []


def test_all_lamps_blink_at_the_end(context: Context) -> None:
    throws(context, [3] * 10)
    screen = started(context)
    assert screen.lamps()["undo"] == "on"
    ticks(screen, 13)
    assert set(screen.lamps().values()) == {"blink"} and len(screen.lamps()) == 5


def test_a_round_that_a_power_cut_ended_comes_back_paused(
    context: Context, tmp_path: Path, open_table: Callable[[Path], Table]
) -> None:
    path = tmp_path / "companion.db"
    context.table = open_table(path)
    throws(context, [3, 0, 2, 1] * 5)
    ticks(started(context), 4 * 1.2 + 0.1)
    later = Context(Texts("de"), context.settings, open_table(path))  # nothing was closed before
    assert ENTRY.interrupted(later)
    screen = StopperScreen(later)
    assert screen.phase == "paused" and screen.position.throws == (3, 0, 2, 1)


def test_the_panel_drives_it(context: Context) -> None:
    throws(context, [2] * 50)
    stage = Stage(context, [HomeScreen(context)], Surface((800, 480)))
    while stage.focus != "stopper":
        stage.handle(Press("right"))
    for _ in range(2):
        stage.handle(Press("confirm"))
        context.now += 0.5
    assert isinstance(stage.top, StopperScreen) and stage.top.phase == "running"
    assert Say("pause") in stage.handle(Press("back"))
    assert isinstance(stage.top, HomeScreen) and context.table.stopper is not None


def test_the_ring_fills_with_the_total(context: Context) -> None:
    screen = StopperScreen(context)
    stage = Stage(context, [HomeScreen(context), screen], Surface((800, 480)))
    filled = []
    for throws in ((), (3,) * 3, (3,) * 9):
        screen.position, context.now = Stopper(throws), context.now + 5
        stage.draw()
        filled.append(int((pygame.surfarray.array3d(stage.canvas.surface) == STOPPER).all(axis=2).sum()))
    assert filled[0] + 500 < filled[1] and filled[1] + 500 < filled[2]


def test_at_the_end_a_red_sign_fills_the_picture(context: Context) -> None:
    throws(context, [3] * 10)
    screen = started(context)
    ticks(screen, 13)
    stage = Stage(context, [HomeScreen(context), screen], Surface((800, 480)))
    stage.draw()
    assert screen.phase == "over"
    assert (pygame.surfarray.array3d(stage.canvas.surface) == STOP).all(axis=2).sum() > 50_000
