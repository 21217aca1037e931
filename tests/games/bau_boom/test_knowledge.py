"""What everybody may know of the container: never wrong, never more than lies open."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.bau_boom.hill import COLOURS
from companion.games.bau_boom.knowledge import Knowledge, known
from companion.games.bau_boom.position import Options, Position, Variant
from companion.games.book import books
from companion.match import Match, seeded
from tests.games.bau_boom.hidden import turned

BOOK = books()["bau-boom"]
VARIANTS: list[Variant] = ["base", "younger", "clever"]


def positions(players: int, variant: Variant, seed: int, most: int = 150) -> list[Position]:
    """The positions of a game with random decisions."""
    match, choose = Match(BOOK, Options(players, variant), seeded(str(seed))), random.Random(seed)
    while not match.position.over and len(match.moves) < most:
        (awaited,) = match.awaits
        legal = match.texts(awaited) or []
        match.play(match.throw(awaited) if awaited.who is None else choose.choice(legal))
    return [step.position for step in match._steps]


games = st.builds(positions, st.integers(2, 4), st.sampled_from(VARIANTS), st.integers(0, 10_000))


@settings(max_examples=25)
@given(games)
def test_the_truth_is_always_within_what_is_known(game: list[Position]) -> None:
    for position in game:
        told = known(position)
        assert told.total == sum(position.container)
        assert sum(told.low) <= told.total <= sum(told.high)
        for low, truth, high in zip(told.low, position.container, told.high, strict=True):
            assert 0 <= low <= truth <= high
        if not any(barrow.tiles for barrow in position.barrows):
            assert told.low == told.high == position.container


@settings(max_examples=25)
@given(games, st.randoms(use_true_random=False))
def test_nothing_is_told_that_depends_on_what_lies_face_down(
    game: list[Position], choose: random.Random
) -> None:
    """BAU-R16: whatever lies in the barrows and in the container, the same is told."""
    for position in game[:: max(1, len(game) // 20)]:
        assert known(turned(position, choose)) == known(position)


@settings(max_examples=25)
@given(games)
def test_the_ranges_are_as_narrow_as_can_be(game: list[Position]) -> None:
    """Both ends can be true: all that is out of sight can lie so."""
    position = game[-1]
    told, inside = known(position), sum(position.container)
    building = None if position.over or position.due.what != "build" else position.due.player
    unseen = list(position.container)
    for player, barrow in enumerate(position.barrows):
        for tile in barrow.tiles if player != building else ():
            unseen[COLOURS.index(tile)] += 1
    for index, count in enumerate(unseen):
        others = sum(unseen) - count
        assert told.high[index] == min(count, inside)
        assert told.low[index] == max(0, inside - others)


@pytest.fixture
def bau(begin: Callable[..., Any]) -> Any:
    game = begin("bau-boom", 2, changes={"tiles": (36, 12, 12, 12)})
    return game("deal" + " red" * 30)


def test_a_tile_is_out_of_sight_as_soon_as_it_lies_in_a_barrow(bau: Any) -> None:
    """BAU-R16, though all have seen it picked up"""
    assert known(bau.position) == Knowledge(42, (6, 12, 12, 12), (6, 12, 12, 12))
    bau("roll 1 2", "move 3", "take")
    assert known(bau.position) == Knowledge(42, (6, 11, 11, 11), (7, 12, 12, 12))


def test_a_barrow_that_is_emptied_lies_open(bau: Any) -> None:
    """BAU-R29, BAU-R33: what was brought is seen, and what goes back is seen as well"""
    bau("roll 1 2", "move 3", "take")
    step = bau.match._steps[-1]
    mover = replace(step.position.barrows[0], at=32)
    near = replace(step.position, barrows=(mover, step.position.barrows[1]))
    bau.match._steps[-1] = replace(step, position=near)
    bau("roll 6 5", "move 11", "leave", "roll 1 1", "move 1")
    assert bau.awaited.what == "build"
    assert known(bau.position) == Knowledge(42, (6, 12, 12, 12), (6, 12, 12, 12))
