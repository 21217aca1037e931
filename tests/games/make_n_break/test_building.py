"""The building tasks of Make 'n' Break: what stands, what may lie on what, and how many throws it takes."""

import itertools
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.make.deck import points, shape
from companion.games.make_n_break import builds
from companion.games.make_n_break.builds import again, built, expected_throws, remaining, solve
from companion.games.make_n_break.deck import piece
from companion.games.make_n_break.tasks import CUBOIDS, DICE, Task, faults, reaches, supports
from tests.games.make_n_break.tower import Wrong, check


def task(*lines: str, free: int = 0) -> Task:
    return Task("y01", 1, tuple(map(piece, lines)), free)


def stack(count: int) -> Task:
    return task(*(f"{colour} 0 {level}" for level, colour in enumerate(DICE[:count])))


EXAMPLE = task("white 0 0", "black 1 0", "lying blue 0 1", "yellow 0.5 2")
BRIDGE = task(
    "white 0 0",
    "yellow 2 0",
    "lying blue 0.5 1",
    "black 0.5 2",
    "red 1.5 2",
    "lying orange 0.5 3",
    "green 1 4",
)


# What stands


def test_what_rests_on_what() -> None:
    """MNB-R24: a piece may rest on two, and A-MNB2: two may stand on one lying cuboid"""
    assert supports(EXAMPLE.pieces) == ((), (), (0, 1), (2,))
    assert supports(task("lying blue 0 0", "white 0 1", "black 1 1").pieces) == ((), (0,), (0,))
    assert list(faults(task("lying blue 0 0", "white 0 1", "black 1 1"))) == []


@pytest.mark.parametrize(
    ("lines", "wrong", "says"),
    [
        (["white 0 0", "black 0 2"], 1, "hangs in the air"),
        (["white 0 0", "black 1 1"], 1, "hangs in the air"),
        (["white 0 0", "lying blue 0 1"], 1, "would fall"),
        (["white 0 0", "black 0.5 1"], 1, "would fall"),
        (["lying blue 0 0", "white 0 1", "lying orange 0 2"], 2, "would fall"),
        (["white 1 0", "lying blue 0 1"], 1, "would fall"),
        (["white 0 0", "black 0 0"], 1, "where piece 1 is"),
        (["upright blue 0 0", "black 0 1"], 1, "where piece 1 is"),
        (["lying blue 0 0", "white 1.5 0"], 1, "where piece 1 is"),
        (["white 0 0", "white 1 0"], 1, "used twice"),
        (["lying blue 0 0", "upright blue 2 0"], 1, "used twice"),
        ([f"any {n} 0" for n in range(7)], 6, "only 6"),
        (["lying any 0 0", "lying any 2 0", "lying any 4 0"], 2, "only 2"),
        (["white 0 0", "any 1 0"], 0, "its colour"),
    ],
)
def test_what_cannot_be_built(lines: list[str], wrong: int, says: str) -> None:
    """A-MNB1: every task of a deck can be built with the pieces of the box"""
    found = next(faults(task(*lines)))
    assert found.piece == wrong and says in found.text.format_map(found.fields)


@pytest.mark.parametrize(
    "lines",
    [
        ["white 0 0", "black 2 0", "lying blue 0.5 1"],
        ["white 0 0", "black 1 0", "red 0.5 1"],
        ["upright blue 0 0", "white 1 0", "black 1 1", "lying orange 0 2"],
        ["white 0.5 0", "lying blue 0 1", "black 0 2", "red 1 2", "lying orange 0 3"],
        ["lying blue 0 0", "lying orange 2 0", "white 1.5 1"],
    ],
)
def test_what_can_be_built(lines: list[str]) -> None:
    """A-MNB2, MNB-R25"""
    assert list(faults(task(*lines))) == []


def test_a_counterweight_holds_a_cuboid() -> None:
    """A load on one end of a beam is balanced by one on the other, or it tips over."""
    seesaw = ["white 2 0", "lying blue 1 1"]
    assert [fault.piece for fault in faults(task(*seesaw))] == [1]
    assert list(faults(task(*seesaw, "red 2 2"))) == []
    assert [fault.piece for fault in faults(task(*seesaw, "red 2 2", "black 1 2"))] == [1]
    assert list(faults(task(*seesaw, "red 2 2", "black 1 2", "green 2 3"))) == []


def test_tasks_are_told_apart_by_their_looks() -> None:
    assert shape(task("white 0 0", "black 1 0", "red 1 1")) == shape(
        task("black 5 0", "white 6 0", "red 5 1")
    )
    assert shape(stack(2)) != shape(task("yellow 0 0", "white 0 1"))
    assert shape(stack(2)) != shape(task("any 0 0", "any 0 1"))


# The building rule


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        ((1, 2, 2, 2), None),
        ((1, 2, 1, 2), Wrong(2, "MNB-R24", 1)),
        ((1, 2, 1, 6), Wrong(2, "MNB-R24", 1)),
        ((1, 3, 4, 6), None),
        ((1, 3, 4, 3), Wrong(3, "MNB-R23", 2)),
        ((3, 1, 2, 2), Wrong(2, "MNB-R24", 0)),
    ],
)
def test_the_examples_of_the_sheet(values: tuple[int, ...], wrong: Wrong | None) -> None:
    """MNB-R23, MNB-R24, MNB-R29: white, black, cuboid, yellow"""
    assert check(EXAMPLE, values) == ([wrong] if wrong else [])


def test_only_the_final_state_counts() -> None:
    """MNB-R14, MNB-R15, MNB-R16, A-MNB6: whatever was thrown before, the tower is judged as it stands"""
    assert check(stack(3), (2, 2, 2)) == [] and check(stack(3), (1, 4, 6)) == []
    assert [wrong.piece for wrong in check(stack(3), (4, 3, 2))] == [1, 2]


def test_a_standing_cuboid_is_a_joker() -> None:
    """MNB-R25, A-MNB4: below and above it anything may lie; or what is above must reach what is below"""
    tower = task("white 0 0", "upright blue 0 1", "black 0 3")
    assert check(tower, (6, None, 1)) == []
    (wrong,) = check(tower, (6, None, 1), joker="transparent")
    assert (wrong.piece, wrong.under) == (2, 0)
    assert check(tower, (5, None, 5), joker="transparent") == []


def test_contact_or_level() -> None:
    """A-MNB3, MNB-R28: what it rests on, or the whole level below"""
    steps = task("white 0 0", "black 1 0", "red 1 1")
    assert check(steps, (6, 2, 3)) == []
    assert [(wrong.piece, wrong.under) for wrong in check(steps, (6, 2, 3), compare="level")] == [(2, 0)]


def test_a_neutral_card() -> None:
    """MNB-R27, MNB-R28: whichever die lies where, each shows at least what is below"""
    neutral = task("any 0 0", "any 1 0", "any 0.5 1")
    assert neutral.neutral and not EXAMPLE.neutral
    assert check(neutral, (1, 4, 4)) == []
    assert [wrong.rule for wrong in check(neutral, (1, 4, 3))] == ["MNB-R28"]


def test_red_three_and_four() -> None:
    """MNB-R26, A-MNB7: free pieces, exactly so many, one on the table, in rising order; cuboids too"""
    three = task(free=3)
    tower = [piece(line) for line in ("white 0.5 0", "lying blue 0 1", "black 0.5 2")]
    assert check(three, (2, 3, 5), tower) == []
    assert [wrong.rule for wrong in check(three, (4, 3, 5), tower)] == ["MNB-R23"]
    assert [wrong.rule for wrong in check(three, (2, 3), tower[:2])] == ["MNB-R26"]
    flat = [piece(line) for line in ("white 0 0", "black 1 0", "red 0.5 1")]
    (wrong,) = check(three, (1, 1, 1), flat)
    assert (wrong.piece, wrong.rule) == (1, "MNB-R26")
    assert (
        check(
            task(free=4),
            (1, 1, 1, None),
            [*tower[:1], *map(piece, ("red 0.5 1", "green 0.5 2", "upright blue 0.5 3"))],
        )
        == []
    )
    hanging = [piece(line) for line in ("white 0 0", "black 0 1", "red 3 2")]
    assert check(three, (1, 2, 3), hanging)[0].piece == 2


def test_a_value_must_be_known() -> None:
    """A-MNB5, MNB-R2: a lying cuboid counts its upper side, 1 to 4; on its end it is thrown again"""
    assert [wrong.piece for wrong in check(EXAMPLE, (1, 1, None, 2))] == [2]
    assert [wrong.piece for wrong in check(EXAMPLE, (1, 1, 5, 6))] == [2]
    with pytest.raises(ValueError, match="4 values"):
        check(EXAMPLE, (1, 2))


@given(st.data())
def test_the_check_agrees_with_the_solver(data: st.DataObject) -> None:
    """MNB-R23, MNB-R24"""
    chosen = data.draw(st.sampled_from([EXAMPLE, BRIDGE, stack(4)]))
    kind: Any = data.draw(st.sampled_from(["contact", "level"]))
    values = [data.draw(st.integers(1, 6 if each.kind == "die" else 4)) for each in chosen.pieces]
    assert bool(built(chosen, kind)[tuple(v - 1 for v in values)]) is not bool(
        check(chosen, values, compare=kind)
    )


# How many throws


@pytest.mark.parametrize(("dice", "throws"), [(2, 1.644), (3, 2.583), (4, 3.565), (5, 4.499), (6, 5.452)])
def test_coloured_stacks(dice: int, throws: float) -> None:
    """A-MNB1, MNB-R13: only the pieces of the card are thrown"""
    assert expected_throws(stack(dice)) == pytest.approx(throws, abs=0.0006)


@pytest.mark.parametrize(
    ("what", "throws"),
    [
        (task("white 0 0", "yellow 1 0", "blue 0.5 1"), 1.970),
        (task("white 0 0", "red 1 0", "green 2 0", "black 0.5 1", "blue 1.5 1", "yellow 1 2"), 3.626),
        (EXAMPLE, 3.007),
        (BRIDGE, 5.630),
    ],
)
def test_other_shapes(what: Task, throws: float) -> None:
    """A-MNB1"""
    assert expected_throws(what) == pytest.approx(throws, abs=0.0006)


def test_neutral_dice_need_one_throw() -> None:
    """MNB-R27, A-MNB7: in rising order they always fit; a red 3 or 4 of dice as well"""
    for count in range(1, 6):
        assert expected_throws(task(*(f"any 0 {level}" for level in range(count)))) == 1.0
    assert expected_throws(task("any 0 0", "any 1 0", "any 0.5 1")) == 1.0
    assert expected_throws(task(free=3)) == expected_throws(task(free=4)) == 1.0


def test_a_neutral_cuboid_can_spoil_it() -> None:
    """MNB-R27, MNB-R2: it shows 4 at most; but which die lies where is free"""
    neutral = task("any 0 0", "any 1 0", "lying any 0 1", "any 0.5 2")
    assert 1.0 < expected_throws(neutral) < expected_throws(EXAMPLE)


def test_a_standing_cuboid_is_not_thrown() -> None:
    """A-MNB5, MNB-R25"""
    assert expected_throws(task("upright blue 0 0", "white 0 2")) == 1.0
    assert expected_throws(task("upright blue 0 0")) == 0.0
    assert expected_throws(task("white 0 0", "upright blue 0 1", "black 0 3")) == 1.0
    assert expected_throws(task("white 0 0", "upright blue 0 1", "black 0 3"), joker="transparent") == (
        pytest.approx(1.644, abs=0.0006)
    )


def plain(fits: Any, sizes: tuple[int, ...]) -> float:
    """Value iteration in plain Python over every kept pattern, written from the definition."""
    patterns = list(itertools.product(*([*range(size), None] for size in sizes)))
    value = dict.fromkeys(patterns, 0.0)
    throws = list(itertools.product(*(range(size) for size in sizes)))
    for _ in range(400):
        best = {
            shown: 0.0
            if fits(shown)
            else min(value[kept] for kept in itertools.product(*((v, None) for v in shown)))
            for shown in throws
        }
        for pattern in patterns:
            outcomes = [
                best[tuple(v if v is not None else t for v, t in zip(pattern, shown, strict=True))]
                for shown in throws
                if all(v is None or v == t for v, t in zip(pattern, shown, strict=True))
            ]
            value[pattern] = 1 + sum(outcomes) / len(outcomes)
    return value[(None,) * len(sizes)]


@pytest.mark.parametrize(
    "lines", [["white 0 0", "black 0 1"], ["white 0.5 0", "lying blue 0 1"], ["lying blue 0 0", "white 0 1"]]
)
def test_it_agrees_with_the_definition(lines: list[str]) -> None:
    what = task(*lines)
    below = reaches(what.pieces)
    sizes = tuple(6 if each.kind == "die" else 4 for each in what.pieces)

    def fits(shown: tuple[int, ...]) -> bool:
        return all(shown[i] >= shown[j] for i, unders in enumerate(below) for j in unders)

    assert expected_throws(what) == pytest.approx(plain(fits, sizes), abs=1e-6)


def test_the_best_throw_again() -> None:
    """MNB-R14, MNB-R15: following the advice takes as many throws as expected"""
    fits = built(stack(3))
    values = solve(fits)
    rng, total, rounds = random.Random(7), 0, 4000
    for _ in range(rounds):
        shown = [rng.randrange(1, 7) for _ in range(3)]
        total += 1
        while not fits[tuple(v - 1 for v in shown)]:
            hand, rest = again(values, shown)
            assert rest == pytest.approx(float(remaining(values, fits)[tuple(v - 1 for v in shown)]))
            for index in hand:
                shown[index] = rng.randrange(1, 7)
            total += 1
    assert total / rounds == pytest.approx(2.583, abs=0.08)  # five standard errors


def test_the_solution_satisfies_its_equation() -> None:
    values = solve(built(EXAMPLE))
    after = builds._improved(values, built(EXAMPLE))
    assert np.abs(after - values).max() < builds.PRECISION


@pytest.mark.parametrize(
    ("throws", "worth"), [(1.0, 1), (1.99, 1), (2.0, 2), (2.9, 2), (3.0, 3), (4.0, 4), (7, 4)]
)
def test_what_a_task_is_worth(throws: float, worth: int) -> None:
    """A-MNB1"""
    assert points(throws) == worth


def test_the_box() -> None:
    """MNB-R2"""
    assert set(DICE) == {"white", "yellow", "blue", "black", "red", "green"} and set(CUBOIDS) == {
        "blue",
        "orange",
    }


def test_a_stack_of_all_eight() -> None:
    """A-MNB1: two dice, a cuboid, two dice, a cuboid, two dice: the largest of all problems (five seconds)"""
    order = ["white", "yellow", "lying blue", "black", "red", "lying orange", "green", "blue"]
    lines = (f"{name} {'0' if 'lying' in name else '0.5'} {level}" for level, name in enumerate(order))
    assert expected_throws(task(*lines)) == pytest.approx(6.960, abs=0.0006)
