"""Dice are picked by touch, to be thrown again."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Literal

import pytest

from companion.games.big_boom_bang.picking import Picked, allowed, touched
from companion.games.big_boom_bang.rules import DICE, Options, Position, opening

DICE_OF = range(1, DICE + 1)
Scissors = Literal["reroll", "keep"]


def throws(scissors: Scissors) -> Iterator[Position]:
    """After every throw with bombs and scissors; a heart is as free as a gift."""
    begun = opening(Options(scissors=scissors))
    for dice in combinations_with_replacement(("bomb", "scissors", "heart"), DICE):
        if {"bomb", "scissors"} <= set(dice):
            yield replace(begun, phase="choose", dice=dice, throws=1)


def reachable(position: Position) -> set[Picked]:
    """All that can be picked; of two ways to the same, one, for every die that was touched last."""
    found: dict[object, Picked] = {}
    ways = [Picked()]
    while ways:
        way = ways.pop()
        if allowed(position, way.chosen) and (way.chosen, way.brought, way.die) not in found:
            found[way.chosen, way.brought, way.die] = way
            ways += [touched(position, way, die) for die in DICE_OF]
    return set(found.values())


@pytest.mark.parametrize("scissors", ["reroll", "keep"])
def test_a_touch_turns_a_die_over_and_a_second_one_takes_the_first_back(scissors: Scissors) -> None:
    """BANG-R10 to R12."""
    for position in throws(scissors):
        for before in reachable(position):
            for die in DICE_OF:
                after = touched(position, before, die)
                assert (die in after.chosen) is not (die in before.chosen)
                if allowed(position, after.chosen):
                    assert touched(position, after, die) == before
