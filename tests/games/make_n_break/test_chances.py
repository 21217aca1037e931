"""The race of builder and stopper, against every throw written down, and its odds in words."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest

from companion.config import CONFIG, WrongError
from companion.games.book import books
from companion.games.make_n_break.builds import again, built, expected_throws, solve
from companion.games.make_n_break.chances import built_within, in_time, running, stops, throws_left
from companion.games.make_n_break.deck import piece
from companion.games.make_n_break.odds import measured, told
from companion.games.make_n_break.rules import Position, opening
from companion.games.make_n_break.stopper import FACES, GOAL, Stopper
from companion.games.make_n_break.tasks import Task
from companion.language import Texts


def task(*lines: str) -> Task:
    return Task("y01", 1, tuple(map(piece, lines)))


TWO = task("white 0 0", "black 0 1")
MIXED = task("white 0.5 0", "lying blue 0 1", "black 0.5 2")


def test_the_stopper_throws_thirty_and_two_thirds_times() -> None:
    """MNB-R10: a throw counts one on the average (Wald), and it ends at 30, 31 or 32."""
    assert throws_left() == pytest.approx(30.667, abs=0.0005)
    assert stops() == pytest.approx({30: 1 / 2, 31: 1 / 3, 32: 1 / 6}, abs=1e-6)
    assert throws_left() == pytest.approx(sum(end * chance for end, chance in stops().items()))


@pytest.mark.parametrize("total", [24, 27, 28, 29])
def test_the_stopper_against_all_its_throws(total: int) -> None:
    for count in range(6):
        still = [sum(throws) + total < GOAL for throws in product(FACES, repeat=count)]
        assert running(total)[count] == pytest.approx(sum(still) / len(still))


@cache
def ended(total: int) -> dict[int, float]:
    """Where the stopper ends, as one would write it down: blank sides change nothing."""
    if total >= GOAL:
        return {total: 1.0}
    found = dict.fromkeys(range(GOAL, GOAL + 3), 0.0)
    for face in (1, 2, 3):
        for end, chance in ended(total + face).items():
            found[end] += chance / 3
    return found


@pytest.mark.parametrize("total", [0, 20, 28, 29])
def test_where_the_stopper_stops(total: int) -> None:
    assert stops(total) == pytest.approx(ended(total))


@pytest.mark.parametrize(
    ("what", "total", "pace"), [(TWO, 24, 1), (TWO, 27, 2), (TWO, 0, 8), (MIXED, 28, 1)], ids=str
)
def test_the_race_against_every_throw(what: Task, total: int, pace: int) -> None:
    """A-MNB9: first the stopper throws, then the builder, who throws again what is best (MNB-R14, R15)."""
    fits = built(what)
    values = solve(fits)
    lies: dict[tuple[tuple[int, ...], int], float] = {((0,) * fits.ndim, total): 1.0}  # 0: in the hand
    won = 0.0
    while sum(lies.values()) > 1e-6:
        before, lies = lies, {}
        for (shown, at), chance in before.items():
            falls = [range(1, size + 1) if not v else (v,) for v, size in zip(shown, fits.shape, strict=True)]
            ways = list(product(*falls))
            for after, still in stopper(at, pace).items():
                for new in ways:
                    part = chance * still / len(ways)
                    if fits[tuple(value - 1 for value in new)]:
                        won += part
                    else:
                        hand = again(values, new)[0]
                        key = tuple(0 if i in hand else value for i, value in enumerate(new)), after
                        lies[key] = lies.get(key, 0.0) + part
    assert in_time(values, fits, None, total, pace) == pytest.approx(won, abs=1e-5)


@cache
def stopper(total: int, times: int) -> dict[int, float]:
    """Where he is after so many throws, if he has not stopped."""
    if not times:
        return {total: 1.0}
    found: dict[int, float] = {}
    for face in FACES:
        for at, chance in stopper(total + face, times - 1).items() if total + face < GOAL else ():
            found[at] = found.get(at, 0.0) + chance / len(FACES)
    return found


def test_it_is_built_as_soon_as_is_expected() -> None:
    """The mean of the throws is that of the value iteration."""
    fits = built(MIXED)
    values = solve(fits)
    chances = built_within(values, fits, range(fits.ndim), (1,) * fits.ndim)
    left, mean = 1.0, 0.0
    while left > 1e-10:
        mean += left
        left = 1 - next(chances)
    assert mean == pytest.approx(expected_throws(MIXED), abs=1e-5)


def test_who_is_faster_is_more_often_in_time() -> None:
    fits = built(MIXED)
    values = solve(fits)
    races = [
        in_time(values, fits, (6, 1, 1), total, pace) for total, pace in ((0, 1), (20, 1), (20, 4), (28, 4))
    ]
    assert races == sorted(races, reverse=True) and len(set(races)) == 4


# In words


@pytest.fixture(scope="module")
def position() -> Position:
    return opening(books()["make-n-break"].agree(CONFIG))


def said(position: Position, **more: Any) -> list[str]:
    return [Texts("en").say(message) for message in told(position, **more)]


def test_what_to_throw_again_is_said(position: Position) -> None:
    named = next(
        each for each in position.options.deck if expected_throws(each) > 2 and len(each.pieces) == 4
    )
    count = built(named).ndim
    lines = said(position, task=named.name, shown=(4,) + (1,) * (count - 1), total=20, pace=2.0)
    assert lines[0].startswith("Throw again: ") and "throws on average" in lines[0]
    assert lines[1].startswith("In time: ") and "throws 2.00 times" in lines[1]
    assert lines[2].startswith("The stopper is at 20: 10.7 throws")
    assert said(position, task=named.name, shown=(1,) * count)[0] == "This can be built as it lies"


def test_free_figures_take_one_throw(position: Position) -> None:
    """A-MNB7."""
    free = next(each.name for each in position.options.deck if each.free)
    assert said(position, task=free)[0] == f"Task {free}: 1.00 throws on average"


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"task": "x99"}, "there is no task 'x99'"),
        ({"task": "y02", "shown": (1, 1, 1, 1, 1, 1, 1, 1)}, "pieces to throw, not 8"),
        ({"task": "y02", "shown": (9, 9)}, "not 9"),
        ({"total": 30}, "0 to 29"),
        ({"total": -1}, "0 to 29"),
        ({"pace": 0.0}, "more than 0"),
    ],
)
def test_what_cannot_be_is_said(position: Position, asked: dict[str, Any], says: str) -> None:
    with pytest.raises(WrongError) as refused:
        said(position, **asked)
    assert says in Texts("en").say(refused.value.message)


def test_the_pace_is_that_of_the_round(position: Position) -> None:
    assert measured(position) == 1
    names: Sequence[str] = [each.name for each in position.options.deck if each.pieces][:2]
    needed = sum(expected_throws(each) for each in position.options.deck if each.name in names)
    later = replace(position, phase="run", stopper=Stopper((0, 1, 2) * 5), done=tuple(names))
    assert measured(later) == pytest.approx(15 / needed)
