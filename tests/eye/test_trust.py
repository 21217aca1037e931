"""Evidence becomes chances: what is told, what is asked, and what the awaited number of dice changes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.eye.dice import DAZZLING, Die
from companion.eye.motion import Movement
from companion.eye.throws import DOUBT, PLAIN, TRIES, State, Throw, Watcher
from companion.eye.train.thrown import Truth, frames, matched
from companion.eye.train.trust import fitted
from companion.eye.trust import Candidate, judge, logistic, weights

SURE, DOUBTFUL, FAINT = 0.8, 0.4, 0.15
FRAMES = 4


def die(face: int, x: float, confidence: float = SURE, second: float = 0.001, other: int = 0) -> Die:
    """A die of which both networks hold the next best face, or the `other` one, for so likely."""
    faces = [0.0005] * 6
    faces[(other or face % 6 + 1) - 1], faces[face - 1] = second, 1 - second
    box = (x - 40, 160, x + 40, 240)
    return Die(
        face, (x, 200), box, "white", confidence, False, tuple(faces), second=(*faces, *[0.0] * 6, 0.1)
    )


def candidate(face: int, confidence: float = SURE, second: float = 0.001, x: float = 100) -> Candidate:
    return Candidate((die(face, x, confidence, second),) * FRAMES, FRAMES)


def told(*candidates: Candidate, awaited: int | None = None) -> list[int]:
    return sorted(each.face for each in judge(candidates, awaited).dice)


@st.composite
def anything(draw: st.DrawFn) -> list[Candidate]:
    count = draw(st.integers(0, 5))
    return [
        Candidate(
            tuple(
                die(draw(st.integers(1, 6)), 100.0 * i, draw(st.floats(0, 1)), draw(st.floats(0.001, 0.5)))
                for _ in range(draw(st.integers(1, FRAMES)))
            ),
            FRAMES,
        )
        for i in range(count)
    ]


@given(anything(), st.one_of(st.none(), st.integers(0, 6)))
def test_only_what_was_seen_is_told_and_its_chance_is_one(seen: list[Candidate], awaited: int | None) -> None:
    verdict = judge(seen, awaited)
    assert set(verdict.dice) <= set(seen) and len(set(verdict.dice)) == len(verdict.dice)
    assert 0 <= verdict.chance <= 1 + 1e-9
    assert verdict.sure == (verdict.chance >= weights().ask)


@given(anything())
def test_being_awaited_makes_a_number_of_dice_likelier_never_less(seen: list[Candidate]) -> None:
    free = judge(seen)
    for awaited in range(len(seen) + 1):
        verdict = judge(seen, awaited)
        assert abs(len(verdict.dice) - awaited) <= abs(len(free.dice) - awaited)


def test_clear_dice_are_sure_and_none_of_them_is_doubted() -> None:
    verdict = judge([candidate(2), candidate(5, x=300)])
    assert verdict.sure and verdict.doubted == ()


def test_a_faint_third_is_dropped_where_two_are_awaited_and_makes_it_sure() -> None:
    seen = candidate(2), candidate(5, x=300), candidate(1, FAINT, 0.4, 500)
    assert told(*seen, awaited=2) == [2, 5]
    assert judge(seen, 2).chance > judge(seen).chance


def test_where_two_are_awaited_the_doubtful_second_is_told_but_asked() -> None:
    seen = candidate(2), candidate(5, 0.2, 0.4, 300)
    verdict = judge(seen, 2)
    assert told(*seen, awaited=2) == [2, 5] and not verdict.sure and 1 in verdict.doubted


def test_one_die_stays_one_however_many_are_awaited() -> None:
    assert told(candidate(3), awaited=5) == [3]


def test_what_most_frames_do_not_show_is_not_told_however_sure_the_others_are() -> None:
    seen = candidate(2), Candidate((die(5, 300),), FRAMES)
    assert told(*seen) == [2] and not judge(seen).sure


def test_three_clear_dice_stay_three_where_two_are_awaited() -> None:
    assert told(candidate(1), candidate(2, x=300), candidate(3, x=500), awaited=2) == [1, 2, 3]


def test_what_is_like_a_die_is_asked_about_unless_as_many_others_are_awaited() -> None:
    """What is more like one is asked about even then."""
    dice, like, liker = (
        (candidate(2), candidate(5, x=300)),
        candidate(1, 0.1, x=500),
        candidate(1, 0.2, x=500),
    )
    assert not judge([*dice, like]).sure and judge([*dice, like], 2).sure
    assert told(*dice, like, awaited=2) == [2, 5] and not judge([*dice, liker], 2).sure


def test_dice_that_can_hardly_be_seen_are_asked_about_unless_as_many_are_awaited() -> None:
    """More like them may lie there that nobody has seen."""
    faint = [candidate(2, 0.55), candidate(5, 0.58, x=300)]
    assert not judge(faint).sure and not judge(faint, awaited=6).sure and judge(faint, awaited=2).sure
    assert judge([candidate(2, 0.55), candidate(5, x=300)]).sure


def test_a_face_that_may_be_another_is_asked_with_the_next_best_guess() -> None:
    verdict = judge([candidate(3, DOUBTFUL, 0.45), candidate(5, x=300)])
    assert not verdict.sure and verdict.doubted == (0,) and verdict.dice[0].otherwise() == 4
    assert verdict.dice[1].otherwise() is None, "nothing speaks for any other"


def test_all_dice_that_cannot_be_told_by_themselves_are_asked_about() -> None:
    verdict = judge([candidate(3, DOUBTFUL, 0.45), candidate(2, x=200), candidate(5, DOUBTFUL, 0.45, x=300)])
    assert verdict.doubted == (0, 2)


def test_of_many_dice_that_are_each_just_sure_the_least_sure_is_asked() -> None:
    seen = [candidate(3, 0.5, 0.02 + 0.005 * (i == 2), 100.0 * i) for i in range(30)]
    one = [judge([each]) for each in seen]
    known = replace(weights(), ask=min(verdict.chance for verdict in one) - 1e-6)
    verdict = judge(seen, known=known)
    assert all(judge([each], known=known).doubted == () for each in seen)
    assert not verdict.sure and verdict.doubted == (2,)


def test_what_is_not_known_is_asked_however_likely() -> None:
    """What shows no pips to the first network may say in every frame that it has some."""
    half = replace(die(3, 100.0), known=False)
    verdict = judge([Candidate((half,) * FRAMES, FRAMES), candidate(5, x=300)])
    assert [each.face for each in verdict.dice] == [3, 5]
    assert not verdict.sure and verdict.doubted == (0,)


@pytest.mark.parametrize(("no_die", "sure"), [(0.1, True), (0.6, False)])
def test_what_the_second_network_rather_takes_for_no_die_is_not_told(no_die: float, sure: bool) -> None:
    """As halves of a domino are, of which the first one is sure in every frame."""
    half = die(1, 100.0, 0.95)
    half = replace(half, second=(*((1 - no_die) * face for face in half.faces), *[0.0] * 6, no_die))
    verdict = judge([Candidate((half,) * FRAMES, FRAMES)])
    assert verdict.sure is sure


def test_a_sign_that_some_frames_show_as_pips_is_still_a_sign() -> None:
    """The sides of taught dice are numbered behind the pips, and the second network knows only pips."""
    sign = replace(die(3, 100.0, SURE), face=9, sign="own/mouse", faces=())
    verdict = judge([Candidate((sign, sign, sign, die(6, 100.0, DOUBTFUL)), FRAMES)])
    assert [each.face for each in verdict.dice] == [9]


def test_where_a_die_lies_no_other_has_room() -> None:
    real, shadow = die(4, 100), replace(die(1, 160, FAINT), second=(0.1, *[0.0] * 11, 0.45))
    beside, within = (
        Candidate((replace(shadow, center=(x, 200.0)),) * FRAMES, FRAMES) for x in (190.0, 160.0)
    )
    four = Candidate((real,) * FRAMES, FRAMES)
    assert judge([four, within]).chance > judge([four, beside]).chance
    assert told(four, within) == [4]


@pytest.mark.parametrize(
    ("near", "wide", "no_die", "sure"),
    [
        (75, 80, 0.6, True),  # within 1.1 of the other's width, and rather no die: its side
        (100, 80, 0.6, False),
        (75, 80, 0.2, False),  # a die beside it
        (45, 30, 0.2, True),  # six small pips on its side
        (70, 30, 0.2, False),
    ],
)
def test_what_lies_at_a_die_like_its_side_is_asked_for_only_if_it_may_be_another_one(
    near: float, wide: float, no_die: float, sure: bool
) -> None:
    side = replace(die(6, 100 + near, 0.35), second=(*[(1 - no_die) / 12] * 12, no_die))
    side = replace(side, box=(100 + near - wide / 2, 200 - wide / 2, 100 + near + wide / 2, 200 + wide / 2))
    verdict = judge([candidate(4), Candidate((side,) * FRAMES, FRAMES)])
    assert verdict.sure is sure
    if sure:
        assert [each.face for each in verdict.dice] == [4]


@pytest.mark.parametrize("other", [{"cuboid": True}, {"cocked": True}])
def test_beside_a_cuboid_and_under_a_die_that_leans_there_is_room(other: dict[str, bool]) -> None:
    unsure = Candidate((replace(die(1, 160, FAINT), second=(0.1, *[0.0] * 11, 0.45)),) * FRAMES, FRAMES)
    beside = Candidate((replace(die(4, 100), **other),) * FRAMES, FRAMES)  # type: ignore[arg-type]
    assert judge([beside, unsure]).chance < judge([candidate(4), unsure]).chance


@pytest.mark.parametrize(("wide", "sure"), [(60, False), (100, True)])
def test_what_seems_a_cuboid_is_asked_about_if_it_may_be_the_side_of_a_larger_die(
    wide: float, sure: bool
) -> None:
    """Of 800 throws one was told with the side of a two, seen aslant, as a cuboid's three."""
    long = (*[0.001] * 10, 0.96, 0.001, 0.03)
    box = (165 - wide / 2, 200 - wide / 2, 165 + wide / 2, 200 + wide / 2)
    seeming = replace(die(3, 165, 0.3), box=box, cuboid=True, second=long)
    assert judge([candidate(2), Candidate((seeming,) * FRAMES, FRAMES)]).sure is sure


def test_two_dice_in_one_place_at_the_very_edge_are_not_told_unasked() -> None:
    edge = [replace(die(face, 0), center=(0, 200), box=(0, 200, 0, 200)) for face in (4, 2)]
    assert not judge([Candidate((each,) * FRAMES, FRAMES) for each in edge]).sure


@pytest.mark.parametrize(("apart", "sure"), [(65, True), (45, False)])
def test_two_dice_that_are_sure_are_told_however_near_they_lie_but_not_within_each_other(
    apart: int, sure: bool
) -> None:
    """Whichever surface of one die looks like another die: nobody can tell which of them is none."""
    certain = [replace(die(face, x), confidence=0.99) for face, x in ((4, 100), (2, 100 + apart))]
    verdict = judge([Candidate((each,) * FRAMES, FRAMES) for each in certain])
    assert verdict.sure is sure


# In the watcher


def watched(*seen: tuple[Die, ...], awaited: int | None = None, fps: int = 10) -> list[Throw]:
    """What is announced of a table on which this lies, sure and in doubt, for two seconds."""
    watcher, throws = Watcher(), []
    sure, doubts = seen
    for i in range(2 * fps):
        throw = watcher.see(sure, Movement.none(), i / fps, (640, 480), doubts=doubts, awaited=awaited)
        throws += [throw] if throw else []
    return throws


def test_a_die_that_seems_to_change_is_looked_at_for_longer_however_sure_each_look_is() -> None:
    watcher, told = Watcher(), list[Throw]()
    for i in range(30):
        throw = watcher.see((die((5, 3)[i % 2], 300, 0.99),), Movement.none(), 100 + i / 10, (640, 480))
        told += [throw] if throw else []
    assert told and told[0].at >= 100 + DOUBT


def test_a_sure_throw_is_announced_at_once_and_a_doubted_one_after_a_second_look() -> None:
    (sure,) = watched((die(2, 100), die(5, 300)), ())
    (asked,) = watched((die(2, 100), die(5, 300, DOUBTFUL, 0.45)), ())
    assert sure.sure and sure.doubts == () and sure.at <= 0.5
    assert not asked.sure and asked.doubts == ((1, 6),) and sure.at < asked.at <= 1.6
    assert [each.face for each in asked.dice] == [2, 5]


def test_a_faint_die_is_told_at_once_if_so_many_are_awaited_and_else_asked() -> None:
    faint = (die(2, 100), die(5, 300, 0.25))
    (told,), (asked,) = watched(faint, (), awaited=2), watched(faint, ())
    assert told.sure and told.at <= 0.5 and not asked.sure


def test_a_doubt_alone_is_asked_and_nothing_at_all_is_no_throw() -> None:
    assert watched((), ()) == []
    throws = watched((), (die(4, 100, DOUBTFUL, 0.2),))
    assert all(not throw.sure for throw in throws)


# Bright dice

BRIGHT, UNCLEAR = 0.5, 0.45


def looked_at(
    fps: int, level: float, sight: float = 0.001, can: bool = True, late: int = 0
) -> tuple[list[float], list[Throw]]:
    """When a darker picture was wanted, and what was announced: with it, the other face is so likely. It is
    there so many frames later than at once.
    """
    watcher, wanted, throws = Watcher(), list[float](), list[Throw]()
    for i in range(5 * fps + late):
        darkened = len(wanted) > late
        seen = replace(die(5, 300, second=sight if darkened else UNCLEAR), level=level)
        dice = (replace(die(2, 100), level=BRIGHT), seen)
        throw = watcher.see(dice, Movement.none(), i / fps, (640, 480), darker=can, darkened=darkened)
        wanted += [i / fps] if watcher.wants_darker else []
        throws += [throw] if throw else []
    return wanted, throws


@pytest.mark.parametrize("fps", [2, 6, 15])
def test_a_bright_die_in_doubt_is_looked_at_with_less_light_before_anybody_is_asked(
    fps: int,
) -> None:
    wanted, (throw,) = looked_at(fps, BRIGHT)
    assert len(wanted) == 1 and (wanted[0] <= 1.0 or fps == 2)
    assert throw.sure and [each.face for each in throw.dice] == [2, 5]


def test_a_die_in_a_lamps_light_is_looked_at_with_less_light_once_however_long_it_lies_there() -> None:
    watcher, wanted = Watcher(), 0
    lit = replace(die(5, 300, second=0.001), level=0.9, glare=0.9)
    for i in range(60):
        watcher.see((lit,), Movement.none(), i / 10, (640, 480), darker=True, darkened=wanted > 0)
        wanted += watcher.wants_darker
    assert wanted == 1 and watcher.state is State.RESTING


@pytest.mark.parametrize(
    ("level", "glare", "second", "can", "dark"),
    [
        (0.5, 0.0, 0.08, True, True),
        (0.5, DAZZLING - 0.01, 0.001, True, False),
        (0.5, DAZZLING, 0.001, True, True),  # pips may be lost, however sure the eye is of the others
        (0.3, 0.0, 0.08, True, False),
        (0.3, DAZZLING, 0.001, True, False),  # it would be read in the usual picture anyhow
        (0.5, 0.5, 0.08, False, False),
    ],
)
def test_a_bright_die_is_told_at_once_only_if_it_is_quite_certain_and_does_not_dazzle(
    level: float, glare: float, second: float, can: bool, dark: bool
) -> None:
    """Of a three in a lamp's light a five may be left, and be sure enough to be told."""
    watcher, wanted, throws = Watcher(), 0, list[Throw]()
    lit = replace(die(5, 300, second=second, other=3), level=level, glare=glare)
    verdict = judge([Candidate((each,) * 3, 3) for each in (die(2, 100), lit)])
    assert verdict.sure and (verdict.chance < PLAIN) is (second == 0.08)
    for i in range(40):
        dice = (die(2, 100), die(3, 300) if wanted else lit)
        throw = watcher.see(dice, Movement.none(), i / 10, (640, 480), darker=can, darkened=wanted > 0)
        wanted += watcher.wants_darker
        throws += [throw] if throw else []
    (told,) = throws
    assert told.sure and [each.face for each in told.dice] == [2, 3 if dark else 5]
    assert wanted == dark and (told.at <= 0.5) is not dark


def test_a_sign_that_mirrors_a_lamp_is_not_looked_at_with_less_light() -> None:
    watcher, told = Watcher(), list[Throw]()
    sign = replace(die(5, 300, 0.75), face=9, sign="own/mouse", faces=(), second=(), glare=0.5, level=0.5)
    for i in range(30):
        throw = watcher.see((die(2, 100), sign), Movement.none(), i / 10, (640, 480), darker=True)
        told += [throw] if throw else []
        assert not watcher.wants_darker
    assert [throw.sure for throw in told] == [True] and told[0].chance < PLAIN


@pytest.mark.parametrize("fps", [2, 6, 15])
def test_what_was_read_before_the_darker_picture_was_there_does_not_count(fps: int) -> None:
    """As on a slow machine, or before a camera that needs seconds for it."""
    wanted, (throw,) = looked_at(fps, BRIGHT, late=2 * fps)
    assert len(wanted) == 2 * fps + 1 and throw.sure and [each.face for each in throw.dice] == [2, 5]


@pytest.mark.parametrize("again", [True, False])
def test_when_something_moves_a_darker_picture_is_wanted_anew_but_not_for_ever(again: bool) -> None:
    """A hand far from the dice: the lookout has no darker picture of what lies there any more, and taking one
    may itself look like movement.
    """
    watcher, throws, wanted, darkened = Watcher(), list[Throw](), 0, False
    far = np.zeros((60, 80), np.bool_)
    far[:4, 70:] = True
    for i in range(100):
        dice = (die(2, 100), replace(die(5, 300, second=UNCLEAR), level=BRIGHT))
        moves = darkened if again else 10 <= i < 13
        moving, darkened = (
            Movement(far, 8.0) if moves else Movement.none(),
            watcher.wants_darker and not moves,
        )
        throw = watcher.see(dice, moving, i / 10, (640, 480), darker=True, darkened=darkened)
        wanted += watcher.wants_darker and not darkened
        throws += [throw] if throw else []
    assert (wanted, [throw.sure for throw in throws]) == (3 if again else 2, [False])


def test_however_long_somebody_fidgets_far_away_only_some_darker_pictures_are_taken() -> None:
    watcher, wanted = Watcher(), 0
    cells = np.zeros((60, 80), np.bool_)
    cells[:4, 70:] = True
    bright = replace(die(5, 300, second=UNCLEAR), level=BRIGHT)
    for i in range(300):
        moving = Movement.none() if watcher.wants_darker else Movement(cells, 8.0)
        watcher.see((bright,), moving, i / 10, (640, 480), darker=True, darkened=watcher.wants_darker)
        wanted += watcher.wants_darker
    assert wanted <= TRIES and watcher.state is State.RESTING


def test_a_die_that_is_thrown_again_is_looked_at_with_less_light_too() -> None:
    watcher, wanted = Watcher(), 0
    cells = np.zeros((60, 80), np.bool_)
    cells[18:32, 30:48] = True
    for i in range(100):
        shines = replace(die(5, 300, second=UNCLEAR), level=BRIGHT)
        dice = {0: (die(2, 100), shines), 1: (die(2, 100),), 2: (die(2, 100), replace(shines, face=3))}
        moving = Movement(cells, 8.0) if 12 <= i < 22 else Movement.none()
        darkened = watcher.wants_darker
        watcher.see(dice[(i >= 12) + (i >= 20)], moving, i / 10, (640, 480), darker=True, darkened=darkened)
        wanted += watcher.wants_darker
    assert wanted == 2


def test_the_pause_in_which_a_darker_picture_is_taken_is_none() -> None:
    """A CSI camera needs seconds for it."""
    watcher, wanted, throws = Watcher(), 0, list[Throw]()
    bright = replace(die(5, 300, second=UNCLEAR), level=BRIGHT)
    for at in (*(i / 10 for i in range(9)), *(8 + i / 10 for i in range(40))):
        throw = watcher.see((bright,), Movement.none(), at, (640, 480), darker=True, darkened=at >= 8)
        wanted += watcher.wants_darker
        throws += [throw] if throw else []
    assert 1 <= wanted <= 2 and [throw.sure for throw in throws] == [False]


@pytest.mark.parametrize("away", [False, True])
def test_where_that_pause_looks_like_movement_too_some_darker_pictures_are_enough(away: bool) -> None:
    """Whoever is away after them finds what lies there."""
    watcher, wanted, throws, now = Watcher(), 0, list[Throw](), 0.0
    bright = replace(die(5, 300, second=UNCLEAR), level=BRIGHT)
    hand = Movement(np.ones((60, 80), np.bool_), 8.0)
    for _ in range(60):
        taken = watcher.wants_darker
        if away and taken and wanted == TRIES:
            taken = False
            watcher.look_away()
        now += 3.7 if taken else 0.7
        moving = hand if taken else Movement.none()
        throw = watcher.see((bright,), moving, now, (640, 480), darker=True)
        wanted += watcher.wants_darker
        throws += [throw] if throw else []
    assert wanted == TRIES and [(throw.sure, throw.found) for throw in throws] == [(False, away)]


@pytest.mark.parametrize("away", [5.0, 600.0])
def test_whoever_comes_back_later_begins_anew(away: float) -> None:
    watcher, wanted, throws = Watcher(), 0, list[Throw]()
    bright = replace(die(5, 300, second=UNCLEAR), level=BRIGHT)
    for at in (*(i / 10 for i in range(9)), *(away + i / 10 for i in range(50))):
        if at == away:
            watcher.look_away()
        dice = () if away < at < away + 1 else (bright,)
        throw = watcher.see(dice, Movement.none(), at, (640, 480), darker=True, darkened=at > away + 3)
        wanted += watcher.wants_darker and at in (0.7, away + 2)
        throws += [throw] if throw else []
    assert wanted == 2 and [throw.sure for throw in throws] == [False]


def test_what_is_in_doubt_even_so_is_asked_and_looked_at_no_more() -> None:
    wanted, (throw,) = looked_at(10, BRIGHT, sight=UNCLEAR)
    assert len(wanted) == 1 and not throw.sure and throw.doubts == ((1, 6),)


@pytest.mark.parametrize(("level", "can"), [(0.3, True), (BRIGHT, False)])
def test_with_less_light_nothing_else_is_seen_and_not_every_camera_can(level: float, can: bool) -> None:
    wanted, (throw,) = looked_at(10, level, can=can)
    assert wanted == [] and not throw.sure and throw.at <= 1.6


def test_the_next_throw_is_looked_at_with_less_light_again() -> None:
    watcher, wanted = Watcher(), 0
    hand = Movement(np.ones((60, 80), np.bool_), 8.0)
    for i in range(100):
        rolls = i % 50 < 10
        dice = () if rolls else (replace(die(5 if i < 50 else 3, 300, second=UNCLEAR), level=BRIGHT),)
        moving = hand if rolls else Movement.none()
        watcher.see(dice, moving, i / 10, (640, 480), darker=True, darkened=watcher.wants_darker)
        wanted += watcher.wants_darker
    assert wanted == 2


@pytest.mark.parametrize("lay", [1.0, 2.0])
def test_dice_that_are_taken_up_before_anybody_is_asked_leave_the_darker_picture_to_the_next(
    lay: float,
) -> None:
    watcher, wanted = Watcher(), 0
    hand = Movement(np.ones((60, 80), np.bool_), 8.0)
    for i in range(round((lay + 5) * 10)):
        at = i / 10
        rolls = lay < at < lay + 1
        bright = replace(die(5 if at < lay else 3, 300, second=UNCLEAR), level=BRIGHT)
        moving = hand if rolls else Movement.none()
        darkened = watcher.wants_darker
        watcher.see(() if rolls else (bright,), moving, at, (640, 480), darker=True, darkened=darkened)
        wanted += watcher.wants_darker
    assert wanted == 2


# What it is fitted by


def test_the_fit_finds_the_weights_that_made_the_truth() -> None:
    random = np.random.default_rng(1)
    rows = [tuple(map(float, random.normal(0, 2, 2))) for _ in range(4000)]
    truth = [bool(random.random() < logistic((0.5, 1.5, -1.0), row)) for row in rows]
    assert fitted(rows, truth, (0.0, 0.0), 0.3) == pytest.approx((0.5, 1.5, -1.0), abs=0.2)


def test_where_nothing_contradicts_what_is_expected_holds_and_the_evidence_still_counts() -> None:
    """A tray may show nothing that only looks like dice: then a domino elsewhere must not be one for sure."""
    random = np.random.default_rng(2)
    rows = [tuple(map(float, random.normal(3, 1, 2))) for _ in range(800)]
    weights = fitted(rows, [True] * len(rows), (1.0, 1.0), 1.0)
    assert all(0.9 < weight < 2.5 for weight in weights[1:]) and weights[0] < 2
    assert logistic(weights, (3.0, 3.0)) > 0.99 > 0.5 > logistic(weights, (-2.0, -2.0))


def test_the_frames_of_one_seed_are_the_same_and_differ_among_themselves() -> None:
    picture = np.full((48, 64, 3), 120, np.uint8)
    one, other = list(frames(picture, 3, 2)), list(frames(picture, 3, 2))
    assert all((a == b).all() for a, b in zip(one, other, strict=True))
    assert (one[0] != one[1]).any() and one[0].shape == picture.shape


def test_each_die_is_matched_to_one_reading_at_most() -> None:
    truth = (Truth(2, (100, 200), 9.0), Truth(5, (300, 200), 9.0))
    assert matched([die(2, 103), die(2, 108), die(1, 500)], truth) == [truth[0], None, None]
