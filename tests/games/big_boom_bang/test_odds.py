"""The odds against brute force, and against the values that are known."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import pytest

from companion.games.big_boom_bang.reveals import boom, hit, odds
from companion.games.big_boom_bang.rules import TILES, Options, Position, Reveal, play


def position(queue: Sequence[int], tiles: tuple[str, ...] = TILES, players: int = 3) -> Position:
    """Player 1 is active, and these players owe a reveal each."""
    return Position(Options(players), "reveal", (2,) * players, 0, ("bomb",) * 5, 3, tiles, (), tuple(queue))


def counted(order: Sequence[str], queue: tuple[bool, ...]) -> tuple[bool, bool]:
    """Whether BOOM comes in this order of tiles, and whether it hits the player whom all others name."""
    due = list(queue)
    for tile in order:
        if not due:
            return False, False
        own = due.pop(0)
        if tile == "boom":
            return True, own
        if tile == "gift":
            due.insert(0, not own)
    return False, False


@pytest.mark.parametrize("queue", [q for n in range(4) for q in product((True, False), repeat=n)])
@pytest.mark.parametrize(("fuses", "gifts"), [(0, 0), (1, 0), (0, 2), (2, 1), (3, 2)])
def test_against_every_order_of_the_tiles(fuses: int, gifts: int, queue: tuple[bool, ...]) -> None:
    """A-BANG12, BANG-R22, R23."""
    kinds = ("fuse",) * fuses + ("gift",) * gifts + ("boom",)
    cases = [counted(order, queue) for order in permutations(kinds)]
    assert boom(fuses, gifts, len(queue)) == pytest.approx(sum(a for a, _ in cases) / len(cases))
    assert hit(fuses, gifts, queue) == pytest.approx(sum(b for _, b in cases) / len(cases))


def test_the_next_tile_is_one_of_those_that_are_hidden() -> None:
    found = odds(position([0]))
    assert found is not None and found.next == pytest.approx(1 / 14)
    safe = play(position([0, 0, 0]), Reveal(1))
    again = odds(safe)
    assert again is not None and again.next == pytest.approx(1 / 13)


def test_with_thirteen_open_the_next_is_boom_for_certain() -> None:
    """BANG-R36."""
    last = replace(position([0]), open=tuple(range(1, 14)))
    found = odds(last)
    assert found is not None and found.next == found.turn == found.own == 1


def test_whoever_has_to_name_does_not_name_himself() -> None:
    """A-BANG7."""
    named = replace(position([]), phase="name", forced=0, open=(12,))
    found = odds(named)
    assert found is not None and found.own < found.turn
    other = odds(replace(named, forced=1))
    assert other is not None and other.own > found.own


def test_before_the_throw_nothing_is_due() -> None:
    assert odds(replace(position([]), phase="roll")) is None


def test_while_dice_can_be_thrown_again_the_odds_are_those_of_stopping_now() -> None:
    dice = ("bomb", "bomb", "gift", "heart", "scissors")
    choosing = replace(position([]), phase="choose", dice=dice, throws=1)
    stopped = odds(position([0, 0, 1]))
    assert odds(choosing) == stopped
    harmless = odds(replace(choosing, dice=("heart",) * 5))
    assert harmless is not None and harmless.turn == 0


def test_stopping_after_the_first_throw_goes_boom_for_oneself_in_139_of_1000_turns() -> None:
    """Default die, fresh tiles, the others always name the active player."""
    own = Fraction(0)
    for dice in product(Options().faces, repeat=5):
        found = odds(replace(position([]), phase="choose", dice=dice, throws=1))
        assert found is not None
        own += Fraction(found.own) / 6**5
    assert round(float(own), 3) == 0.139
