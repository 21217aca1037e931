"""When a throw is announced, and when it is not: readings and movement as a table would give them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.eye.dice import Die
from companion.eye.motion import Movement
from companion.eye.throws import State, Throw, Watcher

SIZE = (640, 480)
Box = tuple[float, float, float, float]
HAND: Box = (0, 0, 640, 480)


def die(face: int, x: float = 200, y: float = 200, width: float = 80) -> Die:
    h = width / 2
    return Die(face, (x, y), (x - h, y - h, x + h, y + h), "white", 0.9)


def row(*faces: int) -> tuple[Die, ...]:
    return tuple(die(face, 100 + 110 * i) for i, face in enumerate(faces))


def pushed(by: float, *dice: Die) -> tuple[Die, ...]:
    """The same dice, so many pixels farther right."""
    return tuple(die(each.face, each.center[0] + by, each.center[1]) for each in dice)


def movement(*boxes: Box) -> Movement:
    cells = np.zeros((60, 80), np.bool_)
    for x0, y0, x1, y1 in boxes:
        cells[int(y0 // 8) : int(y1 // 8) + 1, int(x0 // 8) : int(x1 // 8) + 1] = True
    return Movement(cells, 8.0)


class Table:
    """A watcher and its clock."""

    def __init__(self, fps: float = 15, awaited: int | None = None) -> None:
        self.watcher, self.fps, self.now = Watcher(), fps, 100.0
        self.throws: list[Throw] = []
        self.size, self.awaited = SIZE, awaited
        self.doubts: Sequence[Die] = ()

    def show(self, dice: Sequence[Die], seconds: float, *moving: Box) -> list[tuple[int, ...]]:
        """The same picture for a while; what is announced meanwhile."""
        before = len(self.throws)
        for _ in range(max(1, round(seconds * self.fps))):
            self.frame(dice, *moving)
        return [faces(throw) for throw in self.throws[before:]]

    @property
    def state(self) -> State:
        return self.watcher.state

    def frame(self, dice: Sequence[Die], *moving: Box) -> None:
        self.now += 1 / self.fps
        throw = self.watcher.see(
            tuple(dice),
            movement(*moving),
            self.now,
            self.size,
            doubts=tuple(self.doubts),
            awaited=self.awaited,
        )
        if throw:
            self.throws.append(throw)

    def roll(self, seconds: float = 1.0) -> list[tuple[int, ...]]:
        """Hands and rolling dice everywhere."""
        return self.show((), seconds, HAND)


def faces(throw: Throw) -> tuple[int, ...]:
    return tuple(d.face for d in throw.dice)


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_throw_is_announced_once(table: Table) -> None:
    assert (table.show((), 1), table.state) == ([], State.NOTHING)
    assert (table.roll(), table.state) == ([], State.MOVING)
    assert (table.show(row(2, 5), 10), table.state) == ([(2, 5)], State.RESTING)


@pytest.mark.parametrize("fps", [6, 10, 15, 30])
def test_it_is_announced_within_half_a_second_of_coming_to_rest(fps: int) -> None:
    table = Table(fps)
    table.roll()
    rested = table.now
    table.show(row(2, 5), 2)
    assert table.throws[0].at - rested <= 0.5 + 1e-9


def test_dice_that_lie_there_at_the_start_are_a_throw(table: Table) -> None:
    assert table.show(row(4), 1) == [(4,)]


def test_what_lies_there_at_the_start_is_told_to_have_been_found(table: Table) -> None:
    table.show(row(4), 1)
    table.roll()
    table.show(row(4, 2), 1)
    assert [throw.found for throw in table.throws] == [True, False]


def test_what_lies_there_after_nobody_has_looked_has_been_found_too(table: Table) -> None:
    table.roll()
    table.show((die(3),), 1)
    table.watcher.look_away()
    assert table.show((die(2, 420, 300),), 2) == [(2,)]
    table.roll()
    table.show((die(6),), 1)
    assert [throw.found for throw in table.throws] == [False, True, False]


def test_what_lies_there_is_found_too_if_a_hand_moves_far_from_it_while_one_begins_to_look(
    table: Table,
) -> None:
    table.show(row(2, 5), 0.2)
    table.show(row(2, 5), 0.5, FAR_AWAY)
    assert table.show(row(2, 5), 1) == [(2, 5)] and table.throws[-1].found
    table.show(row(2, 5), 0.5, (500, 320, 639, 479))
    assert table.show((*row(2, 5), die(6, 560, 380)), 1) == [(2, 5, 6)] and not table.throws[-1].found


def test_what_was_put_there_while_nobody_looked_is_found_whatever_moves_near_the_others(table: Table) -> None:
    table.show(row(2), 1)
    table.watcher.look_away()
    both = (*row(2), die(6, 420, 300))
    table.show(both, 0.2)
    table.show(both, 0.5, row(2)[0].box)
    assert table.show(both, 1) == [(2, 6)] and table.throws[-1].found
    table.watcher.look_away()
    both = (die(3), die(4, 420, 300))
    table.show(both, 0.2)
    table.show(both, 0.5, die(3).box)
    assert table.show(both, 1) == [(3, 4)] and not table.throws[-1].found
    assert not any(throw.revises for throw in table.throws)


def test_a_throw_has_a_number_that_only_what_revises_it_has_too(table: Table) -> None:
    other = Table()
    table.show(row(4), 1)
    table.roll()
    table.show(row(2, 5), 1)
    other.show(row(6), 1)
    table.show(row(2, 6), 3)
    first, second, third = (throw.number for throw in table.throws)
    assert table.throws[2].revises and second == third
    assert len({0, first, second, other.throws[0].number}) == 4


@pytest.mark.parametrize("blind", [0.2, 0.4, 1.0, 3.0])
def test_a_die_that_is_seen_late_on_an_empty_table_is_a_throw_of_its_own(table: Table, blind: float) -> None:
    table.roll()
    table.show(row(4, 2), 1)
    table.show((), 0.5, HAND)
    table.show((), 2)
    table.roll()
    table.show((), blind)  # it lies there, and the eye does not see it yet
    assert table.show((die(6, 420, 300),), 3) == [(6,)]
    assert not table.throws[-1].revises


def test_rolling_dice_are_no_throw(table: Table) -> None:
    for i in range(40):
        rolling = die(i % 6 + 1, 60 + 12 * i)
        table.frame((rolling,), rolling.box)
    assert table.throws == [] and table.state is State.MOVING


def test_a_die_at_rest_waits_for_the_one_that_still_rolls(table: Table) -> None:
    table.roll()
    for i in range(20):
        table.frame(row(3), (300 + 12 * i, 300, 370 + 12 * i, 370))
    assert table.throws == []
    assert table.show([*row(3), die(6, 560, 330)], 1) == [(3, 6)]


def test_what_moves_hardly_beside_a_die_may_be_that_die(table: Table) -> None:
    assert table.show((die(2),), 4, (264, 180, 290, 220)) == []
    assert table.show((die(2),), 1) == [(2,)]


def test_fidgeting_far_away_does_not_hold_up_the_throw_for_ever(table: Table) -> None:
    table.roll()
    assert table.show(row(3, 4), 4, (560, 400, 639, 479)) == [(3, 4)]


def test_fidgeting_where_a_die_was_taken_up_does_not_hold_up_its_throw_for_ever(table: Table) -> None:
    table.show((die(2),), 1)
    table.show((), 1, (150, 150, 250, 250))
    table.show((), 0.2, (150, 150, 250, 250), (500, 300, 639, 479))
    assert table.show((die(5, 560, 380),), 4, (150, 150, 250, 250)) == [(5,)]


def test_a_hand_over_the_dice_is_no_throw_and_lifting_it_is_none_either(table: Table) -> None:
    table.roll()
    table.show(row(2, 5), 1)
    for seen in (row(2, 5), (), row(2), (), row(2, 5)):
        assert table.show(seen, 0.3, (60, 100, 400, 300)) == []
    assert table.show(row(2, 5), 3) == []


def test_a_shadow_that_passes_changes_nothing(table: Table) -> None:
    table.show(row(2, 5), 1)
    table.show(row(2, 5), 1, HAND)
    assert table.show(row(2, 5), 3) == []


def test_taking_the_dice_away_and_throwing_the_same_again_is_a_new_throw(table: Table) -> None:
    assert table.show(row(2, 5), 1) == [(2, 5)]
    table.roll(0.5)
    assert table.show((), 1) == [] and table.state is State.NOTHING
    table.roll(0.5)
    assert table.show(pushed(20, *row(2, 5)), 1) == [(2, 5)]


def test_picked_up_and_thrown_at_once_the_same_faces_elsewhere_are_a_new_throw(table: Table) -> None:
    table.show(row(2, 5), 1)
    table.roll(1.0)
    assert table.show((die(2, 180, 330), die(5, 400, 120)), 1) == [(2, 5)]
    table.roll(1.0)
    assert table.show((die(6, 300, 200),), 1) == [(6,)], "so are fewer than lay there"


def test_throwing_one_of_the_dice_again_announces_them_all(table: Table) -> None:
    """And which of them have stayed, also where the other one is read anew."""
    table.show(row(2, 5), 1)
    table.show(row(2), 1.0, (170, 150, 639, 479))
    assert table.show((*row(2), die(4, 400, 300)), 1) == [(2, 4)]
    assert table.show((*row(2), die(6, 400, 300)), 3) == [(2, 6)]
    assert [sorted(throw.stayed) for throw in table.throws] == [[], [0], [0]]


def test_a_die_that_is_thrown_back_to_where_it_lay_has_not_stayed_there(table: Table) -> None:
    table.show(row(2, 5), 1)
    table.roll()
    assert table.show((*pushed(40, *row(2)), die(6, 400, 300)), 1) == [(2, 6)]
    assert table.throws[-1].stayed == frozenset()


def test_a_die_put_to_the_others_counts(table: Table) -> None:
    table.show(row(2, 5), 1)
    table.show(row(2, 5), 0.5, (300, 160, 500, 300))
    assert table.show(row(2, 5, 6), 1) == [(2, 5, 6)]


@pytest.mark.parametrize("doubtful", [False, True])
def test_a_die_put_far_from_those_that_lie_there_for_long_is_thrown_and_revises_nothing(
    table: Table, doubtful: bool
) -> None:
    far = replace(die(6, 560, 380), known=not doubtful)
    table.show(row(2, 5), 4)
    table.show(row(2, 5), 0.5, (500, 320, 639, 479))
    assert table.show((*row(2, 5), far), 3) == [(2, 5, 6)]
    assert not table.throws[-1].revises and table.throws[-1].sure is not doubtful


def test_what_a_hand_had_covered_in_part_is_told_once_it_can_be_seen(table: Table) -> None:
    covered = (row(2)[0], replace(row(2, 5)[1], known=False))
    over_it, elsewhere = (170, 150, 260, 300), (500, 380, 639, 479)
    table.roll()
    assert table.show(covered, 3) == [(2, 5)] and not table.throws[-1].sure
    table.show(covered, 0.5, elsewhere)
    assert table.show(row(2, 5), 3) == [], "nothing has come off it: what is seen now may as well be wrong"
    table.show(covered, 0.5, over_it)
    assert table.show(covered, 3) == [], "it is still in doubt"
    table.show(covered, 0.5, over_it)
    assert table.show(row(2, 5), 1) == [(2, 5)]
    asked, told = table.throws
    assert told.sure and told.revises and told.number == asked.number
    table.show(row(2, 5), 0.5, over_it)
    assert table.show(row(2, 5), 1) == []


def test_what_was_in_doubt_and_has_been_taken_away_is_told_by_nobody(table: Table) -> None:
    table.roll()
    table.show((row(2)[0], replace(row(2, 5)[1], known=False)), 3)
    table.show(row(2), 0.5, (170, 150, 260, 300))
    assert table.show(row(2), 3) == []


def test_clearing_the_table_die_by_die_announces_nothing(table: Table) -> None:
    assert table.show(row(2, 5, 6), 1) == [(2, 5, 6)]
    for left in (row(2, 5), row(2), ()):
        table.show(left, 0.5, (60, 100, 400, 300))
        assert table.show(left, 1) == []
    assert table.state is State.NOTHING


def test_a_die_taken_away_while_a_hand_moves_elsewhere_is_new_when_it_comes_back(table: Table) -> None:
    table.show(row(2, 5), 1)
    table.show(row(2), 0.3, (150, 150, 300, 300))
    table.show(row(2), 1.5, (500, 380, 639, 479))
    table.show(row(2), 0.3, (150, 150, 300, 300))
    assert table.show((*row(2), *pushed(20, row(2, 5)[1])), 1) == [(2, 5)]


def test_nudging_a_die_and_knocking_the_camera_announce_nothing(table: Table) -> None:
    dice = row(2, 5, 3)
    table.show(dice, 1)
    nudged = (*dice[:2], replace(dice[2], center=(dice[2].center[0] + 40, 210)))
    table.show(nudged, 0.2, HAND)
    assert table.show(nudged, 2) == []
    knocked = [die(d.face, d.center[0] + 100, d.center[1] + 60) for d in nudged]
    table.show(knocked, 0.3, HAND)
    assert (table.show(knocked, 2), table.state) == ([], State.RESTING)


@pytest.mark.parametrize(
    ("out", "whole"),
    [
        ((20, 300), (300, 300)),
        ((38, 300), (45, 300)),
        ((400, 38), (400, 45)),
        ((600, 300), (590, 300)),
        ((400, 440), (400, 430)),
    ],
)
def test_half_seen_dice_are_no_throw(
    table: Table, out: tuple[float, float], whole: tuple[float, float]
) -> None:
    table.roll()
    assert table.show((die(3), die(5, *out)), 4) == [] and table.state is State.CUT_OFF
    table.show((die(3),), 0.3, HAND)
    assert [sorted(told) for told in table.show((die(3), die(5, *whole)), 1)] == [[3, 5]]


def test_a_die_that_was_told_may_be_pushed_to_the_edge(table: Table) -> None:
    """Nobody has to throw it again."""
    table.show((die(3), die(5, 45, 300)), 1)
    table.show((die(3),), 0.3, (0, 250, 200, 350))
    assert (table.show((die(3), die(5, 25, 300)), 3), table.state) == ([], State.RESTING)


def test_a_sign_in_doubt_at_the_edge_is_no_throw(table: Table) -> None:
    table.roll()
    heart = replace(die(9, 20, 300), sign="heart", known=False)
    assert table.show((die(3), heart), 4) == [] and table.state is State.CUT_OFF
    assert table.show((die(3), replace(heart, known=True)), 3) == [(9, 3)]


def test_what_lies_at_the_edge_beside_all_dice_that_are_awaited_is_not_in_play() -> None:
    table = Table(awaited=2)
    table.roll()
    faint = replace(die(4, 420), confidence=0.5)  # as it is awaited, it is one
    assert table.show((die(3), faint, die(5, 20, 300)), 1) == [(3, 4)]
    table.roll()
    assert table.show((die(3), die(5, 20, 300)), 4) == [] and table.state is State.CUT_OFF


@pytest.mark.parametrize("again", [0.2, 1.5])
def test_while_a_cocked_die_is_shaken_to_be_thrown_again_the_others_are_no_throw(
    table: Table, again: float
) -> None:
    table.roll()
    table.show((die(2, 100), replace(die(4, 310), cocked=True)), 3)
    spot: Box = (250, 150, 370, 250)
    assert table.show((die(2, 100),), 0.4, spot) + table.show((die(2, 100),), again) == []
    assert table.state is (State.SETTLING if again > 1 else State.MOVING)
    assert table.show((die(2, 100),), 0.5, spot) + table.show((die(2, 100), die(6, 330)), 1) == [(2, 6)]


@pytest.mark.parametrize(("awaited", "at_once"), [(None, False), (1, True)])
def test_a_cocked_die_that_is_taken_away_for_good_leaves_a_throw(awaited: int | None, at_once: bool) -> None:
    table = Table(awaited=awaited)
    table.roll()
    table.show((die(2, 100), replace(die(4, 310), cocked=True)), 3)
    assert table.show((die(2, 100),), 0.4, (250, 150, 370, 250)) == []
    assert (table.show((die(2, 100),), 1) == [(2,)]) is at_once
    table.show((die(2, 100),), 6)
    assert [faces(throw) for throw in table.throws] == [(2,)]


def test_dice_that_were_thrown_while_nobody_looked_revise_nothing(table: Table) -> None:
    """However short that was; nor do they if the camera delivers another size."""
    table.show(row(2, 5), 1)
    table.watcher.look_away()
    assert table.show(pushed(30, *row(2, 5)), 3) == []
    table.watcher.look_away()
    assert table.show(row(6, 3), 3) == [(6, 3)]
    table.size = (1280, 960)
    table.show([die(face, 100 + 220 * i, 400, 160) for i, face in enumerate((6, 3))], 3)
    assert not any(throw.revises for throw in table.throws)


def test_a_die_that_was_overlooked_revises_the_throw(table: Table) -> None:
    table.roll()
    assert table.show(row(2), 1) == [(2,)]
    assert table.show(row(2, 5), 4) == [(2, 5)]
    assert [throw.revises for throw in table.throws] == [False, True]


def test_dice_that_the_eye_loses_while_nobody_touches_them_stay(table: Table) -> None:
    table.show(row(2, 5), 1)
    assert table.show((), 3) == [] and table.state is State.RESTING
    assert table.show(row(2, 5), 3) == []


@pytest.mark.parametrize("first", range(3))
def test_readings_that_never_agree_are_decided_by_the_majority(table: Table, first: int) -> None:
    """Whatever the newest one shows."""
    table.roll()
    for i in range(40):
        table.frame(row(2, 6 if (i + first) % 3 else 4))
    assert [faces(throw) for throw in table.throws] == [(2, 6)]
    assert table.throws[0].at - 101.0 <= 2.0


@pytest.mark.parametrize("seconds", [(4,), (11,), (0.5, 4), (30, 1, 9)])
def test_an_eye_that_takes_long_for_each_frame_or_for_some_sees_throws_too(seconds: Sequence[float]) -> None:
    table, pauses = Table(), cycle(seconds)

    def show(dice: Sequence[Die], frames: int, *moving: Box) -> None:
        for _ in range(frames):
            table.now += next(pauses)
            table.frame(dice, *moving)

    show((), 3)
    show(row(2, 5), 1, HAND)
    show(row(2, 5), 10)
    show(row(2, 6), 1, (160, 150, 280, 260))
    show(row(2, 6), 10)
    assert [(faces(each), each.found, each.revises) for each in table.throws] == [
        ((2, 5), False, False),
        ((2, 6), False, False),
    ]


def test_what_was_read_before_nobody_looked_does_not_count(table: Table) -> None:
    table.roll()
    table.show(row(2, 5), 0.2)
    table.watcher.look_away()
    assert (table.show(row(3, 3), 0.15), table.state) == ([], State.SETTLING)
    assert table.show(row(3, 3), 1) == [(3, 3)]


def test_dice_that_were_thrown_while_the_camera_was_gone_are_a_throw_and_those_that_lie_there_are_none(
    table: Table,
) -> None:
    table.show(row(2, 5), 1)
    table.watcher.look_away()
    assert table.show(row(2, 5), 3) == []
    table.watcher.look_away()
    table.frame(row(6, 6), HAND)  # compared with what was seen last
    assert table.show(row(6, 6), 3) == [(6, 6)]
    assert table.throws[-1].found and not table.throws[-1].revises


@settings(max_examples=30)
@given(st.data(), st.sampled_from([6, 10, 15, 30]), st.lists(st.integers(1, 6), min_size=1, max_size=5))
def test_flicker_and_jitter_never_announce_a_throw_twice(
    data: st.DataObject, fps: int, true: list[int]
) -> None:
    """One frame in five, at most and at random, lacks a die or has a wrong face; positions jitter."""
    table, seed = Table(fps), data.draw(st.integers(0, 2**16))
    chance = np.random.default_rng(seed)
    table.roll()
    last_bad = -10
    for i in range(fps * 6):
        dice = [replace(d, center=(d.center[0] + chance.normal(0, 3), d.center[1])) for d in row(*true)]
        if i - last_bad >= 7 and chance.random() < 0.3:
            last_bad, victim = i, int(chance.integers(len(dice)))
            wrong = replace(dice[victim], face=int(chance.integers(1, 7)))
            dice[victim : victim + 1] = [wrong] if chance.random() < 0.5 else []
        table.frame(dice)
    assert [faces(throw) for throw in table.throws] == [tuple(true)]


@settings(max_examples=40)
@given(
    st.lists(st.lists(st.integers(1, 6), min_size=1, max_size=4), min_size=1, max_size=6),
    st.sampled_from([8, 15, 30]),
)
def test_every_throw_of_a_game_is_announced_once(game: list[list[int]], fps: int) -> None:
    table = Table(fps)
    for number, throw in enumerate(game):
        table.roll(0.8)
        table.show(pushed(20 * number, *row(*throw)), 1.0)
        table.roll(0.4)
        table.show((), 0.6)
    assert [list(faces(t)) for t in table.throws] == game


def test_a_cocked_die_holds_the_throw_back_until_it_lies_flat(table: Table) -> None:
    table.roll()
    leaning = replace(die(4, 210), cocked=True)
    assert table.show((die(2, 100), leaning), 4) == [] and table.state is State.COCKED
    table.show((die(2, 100),), 0.4, (150, 150, 300, 250))
    assert table.show((die(2, 100), die(6, 210)), 1) == [(2, 6)]


def test_one_die_that_the_eye_loses_while_nobody_touches_it_stays(table: Table) -> None:
    table.show(row(2, 5), 1)
    assert table.show(row(2), 4) == [] and table.state is State.RESTING
    assert table.show(row(2, 5), 3) == [] and len(table.throws) == 1


def test_a_die_that_is_misread_while_the_eye_loses_another_revises_nothing(table: Table) -> None:
    table.show(row(2, 5), 1)
    assert (table.show(row(6), 4), table.state) == ([], State.RESTING)


def test_a_die_that_is_read_anew_after_another_was_taken_away_revises_nothing(table: Table) -> None:
    """The throw had that one, too."""
    table.show(row(2, 5), 1)
    table.show(row(2), 0.5, (170, 150, 260, 300))
    assert table.show(row(2), 1) == []
    assert (table.show(row(6), 4), table.state) == ([], State.RESTING)


def test_what_seems_to_be_a_die_in_doubt_where_nothing_moved_is_asked_about_by_nobody(table: Table) -> None:
    table.show(row(2, 5), 1)
    assert (table.show((*row(2, 5), *doubted(die(6, 420, 300))), 4), table.state) == ([], State.RESTING)


def test_a_die_at_the_edge_that_was_overlooked_revises_nothing(table: Table) -> None:
    table.show(row(2), 1)
    assert table.show((*row(2), die(5, 20, 300)), 4) == [] and table.state is State.CUT_OFF


def test_a_die_that_was_misread_is_no_new_throw_though_a_hand_moved_far_away(table: Table) -> None:
    table.roll()
    table.show(row(2, 5), 1)
    table.show(row(2, 5), 0.4, (560, 400, 630, 470))
    assert table.show(row(2, 6), 3) == [(2, 6)] and table.throws[-1].revises


def test_a_die_that_was_turned_by_hand_is_a_new_throw(table: Table) -> None:
    table.roll()
    table.show(row(2, 5), 1)
    table.show(row(2), 0.6, (150, 150, 280, 260))
    table.show(row(2, 6), 0.2, FAR_AWAY)  # the hand leaves
    assert table.show(row(2, 6), 3) == [(2, 6)] and not table.throws[-1].revises


def test_dice_that_touch_and_show_the_same_are_matched_as_a_whole(table: Table) -> None:
    """The nearest die of each may be the other's only one."""
    table.roll()
    table.show((die(3, 200), die(3, 290)), 1)
    assert table.show((die(3, 250), die(3, 280)), 0.3, (150, 150, 330, 260)) == []
    assert table.show((die(3, 250), die(3, 340)), 2) == []


@pytest.mark.parametrize("seen", [200, 270])
def test_one_of_two_that_touch_and_show_the_same_is_lost_for_a_while(table: Table, seen: float) -> None:
    """What is seen of them may be either."""
    both = (die(3, 200), die(3, 270))
    table.show(both, 1)
    assert table.show((die(3, seen),), 3) == []
    assert (table.show(both, 3), table.state) == ([], State.RESTING)


FAR_AWAY = (560, 400, 639, 479)


@pytest.mark.parametrize("seconds", [0.6, 2, 6, 25])
@pytest.mark.parametrize("left", [(), row(2)], ids=["both", "one"])
def test_a_hand_that_rests_over_dice_makes_no_new_throw_of_them(
    table: Table, seconds: float, left: Sequence[Die]
) -> None:
    """Nor does a lid, or a lamp that is off for a while."""
    table.roll()
    table.show(row(2, 5), 1)
    table.show(row(2, 5), 0.4, (60, 100, 400, 300))
    assert table.show(left, seconds) == []
    table.show(left, 0.3, (60, 100, 400, 300))
    jitter = pushed(6, *row(2, 5))
    assert (table.show(jitter, 3), table.state) == ([], State.RESTING)
    table.roll(0.5)
    assert table.show(row(2, 5), 1) == [], "nor does another hand"


@pytest.mark.parametrize("seen", [die(1, 225), die(1, 233, width=30)], ids=["half", "a pip"])
@pytest.mark.parametrize(("seconds", "asked"), [(2, []), (8, [(2, 1)])])
def test_a_hand_that_rests_on_the_edge_of_a_die_makes_no_new_throw_of_it(
    table: Table, seconds: float, asked: list[tuple[int, ...]], seen: Die
) -> None:
    """If it does not come off soon, it is asked what lies there; lifting it is no throw even so."""
    half, edge = (*row(2), replace(seen, known=False)), (170, 150, 300, 300)
    table.roll()
    table.show(row(2, 5), 1)
    table.show(half, 0.4, edge)
    assert (table.show(half, seconds), table.state is State.SETTLING) == (asked, not asked)
    table.show(half, 0.3, edge)
    assert (table.show(row(2, 5), 3), table.state) == ([], State.RESTING)


def test_a_die_in_doubt_where_one_lay_is_asked_about_though_something_moves_far_away(table: Table) -> None:
    table.show((die(5),), 1)
    table.show((), 1, HAND)
    for _ in range(6):
        table.show((replace(die(3), known=False),), 0.9)
        table.show((replace(die(3), known=False),), 0.1, FAR_AWAY)
    assert [faces(throw) for throw in table.throws] == [(5,), (3,)]


def test_while_a_hand_rests_over_one_die_the_other_may_be_thrown_again(table: Table) -> None:
    table.show(row(2, 5), 1)
    table.show((), 0.8, HAND)
    assert table.show(row(2), 1) == []
    table.show((), 0.8, HAND)
    assert table.show((die(2, 100), die(4, 300, 330)), 1) == [(2, 4)]


@pytest.mark.parametrize("seen", [row(2, 6), row(2), ()], ids=["misread", "one lost", "both lost"])
@pytest.mark.parametrize("long", [0.3, 0.8, 3.0])
def test_what_the_eye_loses_while_something_moves_far_away_is_no_new_throw(
    table: Table, seen: Sequence[Die], long: float
) -> None:
    table.roll()
    table.show(row(2, 5), 1)
    said = table.show(seen, long, FAR_AWAY) + table.show(pushed(20, *row(2, 5)), 3)
    assert said in ([], [(2, 6), (2, 5)])
    assert all(throw.revises for throw in table.throws[1:])
    assert table.state is State.RESTING


def test_dice_in_doubt_are_not_looked_at_anew_when_something_far_away_has_stopped_moving(
    table: Table,
) -> None:
    dice = (die(2, 100), replace(die(5, 210), known=False))
    assert table.show(dice, 3) == [(2, 5)]
    for moving in [(FAR_AWAY,)] * 60 + [()] * 45:
        table.frame(dice, *moving)
        assert table.state is State.RESTING
    assert len(table.throws) == 1


def test_a_die_lost_in_a_quiet_moment_is_no_new_throw_when_something_moves_again(table: Table) -> None:
    table.roll()
    table.show(row(2, 5), 1)
    table.show(row(2, 5), 0.2, FAR_AWAY)
    assert (table.show(row(2), 0.6), table.state) == ([], State.RESTING)
    table.show(row(2, 5), 0.2, FAR_AWAY)
    assert table.show(row(2, 5), 3) == []


def test_a_die_that_was_overlooked_revises_the_throw_though_something_moved_far_away(table: Table) -> None:
    table.roll()
    table.show(row(2), 1)
    table.show(row(2), 0.3, FAR_AWAY)
    assert table.show(row(2, 5), 2) == [(2, 5)] and table.throws[-1].revises


@pytest.mark.parametrize("seconds", [0.8, 1.2, 3])
def test_a_die_thrown_again_that_shows_the_same_beside_its_old_place_is_a_throw(
    table: Table, seconds: float
) -> None:
    table.roll()
    table.show((die(2, 300),), 1)
    table.show((), seconds, HAND)
    assert table.show((die(2, 360),), 2) == [(2,)] and not table.throws[-1].revises


def test_a_die_that_rolls_back_to_where_it_lay_is_a_throw(table: Table) -> None:
    table.show((die(2, 300),), 1)
    for i in range(12):
        rolling = die(i % 6 + 1, 500 - 15 * i, 320 - 8 * i)
        table.frame((rolling,), rolling.box, (240, 140, 360, 260))
    assert table.show((die(2, 330, 225),), 2) == [(2,)]


@pytest.mark.parametrize("fps", [2, 4, 15])
@pytest.mark.parametrize("shaken", [1.0, 1.5, 2.0])
def test_a_throw_is_no_revision_however_long_the_die_was_shaken_elsewhere(fps: int, shaken: float) -> None:
    table = Table(fps)
    table.show((die(2, 450, 120),), 3)
    table.show((), 0.75, (390, 60, 510, 180))  # a hand takes it
    table.show((), shaken, (0, 330, 200, 479))
    table.show((), 1 / fps, (110, 210, 190, 290), (0, 330, 200, 479))  # it rolls, and cannot be read
    assert table.show((die(5, 150, 250),), 4) == [(5,)]
    assert not table.throws[-1].revises


def test_a_die_in_doubt_that_is_nudged_is_no_new_throw() -> None:
    """The eye sees it as no more than a doubt, before and after."""
    watcher, throws, at = Watcher(), list[Throw](), 0.0
    sure = Die(6, (450.0, 240.0), (418, 208, 482, 272), "white", 0.99)
    for x in [250] * 40 + [250 + 2 * k for k in range(10)] + [268] * 40:
        moved = np.zeros((60, 80), np.bool_)
        if at < 0.5 or 250 < x < 268:
            moved[26:34, (x - 40) // 8 : (x + 40) // 8] = True
        doubt = Die(3, (float(x), 240.0), (x - 32, 208, x + 32, 272), "white", 0.45, known=False)
        throw = watcher.see((sure,), Movement(moved, 8.0), at, (640, 480), doubts=(doubt,))
        throws += [throw] if throw else []
        at += 0.1
    assert len(throws) == 1 and len(throws[0].dice) == 2


def doubted(*dice: Die) -> tuple[Die, ...]:
    """Dice of which the eye is not sure."""
    return tuple(replace(each, confidence=0.45, known=False) for each in dice)


def test_knocking_the_camera_is_no_throw_though_a_die_is_in_doubt(table: Table) -> None:
    two, five = row(2, 5)
    table.doubts = doubted(five)
    assert table.show((two,), 3) == [(2, 5)]
    table.doubts = doubted(*pushed(100, five))
    assert table.show(pushed(100, two), 0.1, HAND) + table.show(pushed(100, two), 3) == []


def test_knocking_the_camera_is_no_throw_whichever_die_comes_first(table: Table) -> None:
    table.show((die(2, 200, 150), die(5, 204, 300)), 1)
    knocked = (die(2, 304, 150), die(5, 300, 300))
    assert table.show(knocked, 0.1, HAND) + table.show(knocked, 3) == []


def test_a_die_that_was_in_doubt_under_a_hand_is_no_new_throw(table: Table) -> None:
    two, five = row(2, 5)
    table.show((two, five), 1)
    table.doubts = doubted(five)
    table.show((two,), 1, five.box)
    table.doubts = ()
    assert table.show((two, *pushed(40, five)), 3) == []


def test_a_die_that_a_hand_hides_again_and_again_may_be_nudged(table: Table) -> None:
    two, five = row(2, 5)
    table.show((two, five), 1)
    for _ in range(3):
        table.show((two,), 0.3, five.box)
        table.show((two, five), 0.3, five.box)
    assert table.show((two, *pushed(40, five)), 3) == []


def test_a_die_that_the_eye_had_lost_before_a_hand_passed_is_no_new_throw(table: Table) -> None:
    two, five = row(2, 5)
    asked = doubted(die(3, 420))
    table.show((two, five, *asked), 3)
    table.show((two, *asked), 3)
    table.show((two, *asked), 0.3, five.box)
    assert table.show((two, *pushed(40, five), *asked), 3) == []


@pytest.mark.parametrize("by", [8, 24, 60])
def test_dice_that_a_hand_pushes_together_are_no_throw(table: Table, by: float) -> None:
    """Whatever was taken away before them."""
    table.show((die(6, 420, 300),), 1)
    table.roll()
    table.show(row(2, 5), 2)
    table.show((), 0.8, (60, 100, 400, 300))
    assert table.show(pushed(by, *row(2, 5)), 4) == []


@pytest.mark.parametrize("fps", [4, 15])
@pytest.mark.parametrize(
    ("first", "then"),
    [((die(5, 200),), (die(2, 160), die(3, 240))), ((die(3, 200),), (die(4, 235),))],
    ids=["two taken for one", "half a face"],
)
def test_what_was_read_wrongly_beside_its_place_is_revised(
    fps: int, first: Sequence[Die], then: Sequence[Die]
) -> None:
    table = Table(fps)
    table.roll()
    table.show(first, 1.5)
    assert table.show(then, 6) == [tuple(each.face for each in then)]
    assert table.throws[-1].revises
    assert table.show(then, 6) == []


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ((die(5, 200),), (die(2, 160), die(3, 240))),
        ((die(2, 200), die(5, 310)), (die(2, 200), die(6, 310), *doubted(die(3, 450, 380)))),
    ],
    ids=["two taken for one", "another face beside a new die"],
)
def test_knocking_the_camera_is_no_throw_after_dice_were_read_wrongly(
    table: Table, first: Sequence[Die], then: Sequence[Die]
) -> None:
    table.show(first, 1)
    table.show(first, 0.3, (410, 330, 639, 479))
    assert table.show(then, 4) == [tuple(each.face for each in then)]
    knocked = pushed(100, *then)
    assert table.show(knocked, 0.1, HAND) + table.show(knocked, 3) == []


def test_what_seemed_to_lie_at_the_edge_does_not_stay_in_the_way(table: Table) -> None:
    table.show(row(2), 1)
    table.show((*row(2), die(5, 20, 300)), 4)
    assert (table.show(row(2), 4), table.state) == ([], State.RESTING)


def test_a_slow_eye_looks_three_times_before_it_tells() -> None:
    table = Table(fps=2)
    table.roll()
    assert table.show(row(2, 5), 1.0) == []
    assert table.show(row(2, 5), 0.5) == [(2, 5)]


def test_a_machine_that_needs_more_than_a_second_for_a_frame_announces_throws_too() -> None:
    table = Table(fps=0.7)
    table.roll(3)
    assert table.show(row(2, 5), 12) == [(2, 5)]
