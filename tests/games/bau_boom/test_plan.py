"""A good way to build: never a tile less than possible, and a penalty that hurts least."""

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.bau_boom import plan as advice
from companion.games.bau_boom import rules
from companion.games.bau_boom.choices import buildings, payable
from companion.games.bau_boom.hill import COLOURS, Colour, Place, Plan, default_plans, free
from companion.games.bau_boom.position import Barrow, Done, Due, Lay, Options, Position, Remove

PLANS = [*default_plans(10), *default_plans(15)]


def most(plan: Plan, covered: frozenset[Place], tiles: tuple[Colour, ...]) -> int:
    """The greatest number of tiles that any order of laying them can place, by trying all."""
    best = 0
    for index, colour in enumerate(tiles):
        if colour not in tiles[:index]:
            left = (*tiles[:index], *tiles[index + 1 :])
            ways = [most(plan, covered | {place}, left) for place in free(plan, covered, colour)]
            best = max([best, *(1 + way for way in ways)])
    return best


def grown(plan: Plan, steps: int, choose: random.Random) -> frozenset[Place]:
    """A hill that was built at random."""
    covered: frozenset[Place] = frozenset()
    for _ in range(steps):
        reach = [place for colour in COLOURS for place in free(plan, covered, colour)]
        covered |= {choose.choice(reach)} if reach else set()
    return covered


tiles_brought = st.lists(st.sampled_from(COLOURS), max_size=6).map(tuple)


@settings(max_examples=150)
@given(st.sampled_from(PLANS), st.integers(0, 14), tiles_brought, st.randoms(use_true_random=False))
def test_no_other_way_lays_more(
    plan: Plan, steps: int, tiles: tuple[Colour, ...], choose: random.Random
) -> None:
    """BAU-R29 to BAU-R32"""
    covered = grown(plan, steps, choose)
    laid = advice.proposal(plan, covered, tiles)
    assert len(laid) == most(plan, covered, tiles)
    hill, left = covered, list(tiles)
    for lay in laid:
        assert lay.place in free(plan, hill, lay.colour)
        left.remove(lay.colour)
        hill |= {lay.place}


def arriving(tiles: tuple[Colour, ...], covered: frozenset[Place] = frozenset(), **more: bool) -> Position:
    """The first player comes to the start with some tiles; all other tiles are in the container."""
    options = replace(Options(), **more)  # type: ignore[arg-type]
    position = replace(rules.opening(options), agenda=(Due("build", 0), Due("next")))
    for colour in tiles:
        position = position.out_of_container(colour)
    barrows = (Barrow(0, tiles), Barrow())
    return replace(position, barrows=barrows, covered=(covered, frozenset()))


def test_of_equal_ways_the_one_that_opens_more_is_proposed() -> None:
    """Red lies at 1.1 and 1.5 of a large hill; next to the only other tile it opens a place above."""
    plan = default_plans(15)[0]
    laid = advice.proposal(plan, frozenset(), ("red", "yellow"))
    assert {lay.place for lay in laid} == {(1, 1), (1, 2)}


def test_a_whole_arrival_is_one_list_of_moves() -> None:
    """BAU-R32 to BAU-R34: built, finished, and one tile paid"""
    moves = advice.accepting(arriving(("red", "red", "yellow")))
    assert [type(move) for move in moves] == [Lay, Lay, Done, Remove]


def test_without_left_overs_nothing_is_paid() -> None:
    assert advice.accepting(arriving(("red",))) == (Lay("red", (1, 1)), Done())


def test_a_penalty_for_each_tile_is_paid_tile_by_tile() -> None:
    """A-BAU12"""
    moves = advice.accepting(arriving(("red", "red", "red", "yellow"), penalty_per_tile=True))
    assert [type(move) for move in moves] == [Lay, Lay, Done, Remove, Remove]


def test_the_arrival_that_wins_ends_at_the_last_place() -> None:
    """BAU-R39"""
    covered = grown(PLANS[0], 9, random.Random(1))
    moves = advice.accepting(arriving(("yellow", "red"), covered))
    assert moves == (Lay("yellow", (4, 1)),)


def paying(covered: frozenset[Place], **more: str) -> Position:
    options = replace(Options(), **more)  # type: ignore[arg-type]
    return replace(
        rules.opening(options), agenda=(Due("pay", 0), Due("next")), covered=(covered, frozenset())
    )


def test_the_penalty_closes_no_place_that_another_would_leave_open() -> None:
    """A-BAU13: 1.1 and 1.2 carry a free place, 1.4 carries none"""
    assert advice.cheapest(paying(frozenset({(1, 1), (1, 2), (1, 4)}))) == (1, 4)


def test_the_penalty_is_of_the_colour_that_is_found_most_easily() -> None:
    """Of two places that carry nothing, blue lies on the trail and red does not."""
    position = paying(frozenset({(1, 1), (1, 4)}))
    trail: list[Colour | None] = ["red", "blue", "blue", "blue"]
    lying = replace(position, trail=(None, None, *trail, *(None,) * 28), container=(0, 18, 18, 15))
    options = replace(position.options, tiles=(1, 18, 18, 18))
    assert advice.cheapest(replace(lying, options=options)) == (1, 4)


@settings(max_examples=50)
@given(st.integers(1, 10), st.sampled_from(["exposed", "any"]), st.randoms(use_true_random=False))
def test_the_penalty_may_be_paid(steps: int, penalty: str, choose: random.Random) -> None:
    position = paying(grown(PLANS[0], steps, choose), penalty_tile=penalty)
    assert advice.cheapest(position) in payable(position, 0)
    rules.play(position, advice.proposed(position))


def test_what_is_proposed_leaves_nothing_that_fits() -> None:
    """BAU-R32"""
    position = arriving(("red", "yellow", "yellow", "green", "blue", "blue"))
    for move in advice.accepting(position):
        if isinstance(move, Done):
            assert not list(buildings(position, 0))
        position = rules.play(position, move)
