"""The odds of the next tile out of the container: against all ways in which the hidden tiles can lie."""

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.bau_boom.hill import COLOURS, Colour
from companion.games.bau_boom.odds import for_player, odds, told
from companion.games.bau_boom.position import Options, Position, trail
from companion.games.book import books
from companion.language import Texts
from companion.match import Match, seeded
from tests.games.bau_boom.hidden import turned
from tests.games.bau_boom.test_knowledge import games

BOOK = books()["bau-boom"]
SMALL = trail(9, (2, 3, 6), (5, 8))  # ladybugs side by side, so that much is drawn


def played(options: Options, seed: int, most: int) -> list[Position]:
    """The positions of a game with random decisions."""
    match, choose = Match(BOOK, options, seeded(str(seed))), random.Random(seed)
    found: list[Position] = []
    while not match.position.over and len(found) < most:
        (awaited,) = match.awaits
        match.play(match.throw(awaited) if awaited.who is None else choose.choice(match.texts(awaited) or []))
        found.append(match.position)
    return found


def ways(position: Position) -> Iterator[tuple[Colour, ...]]:
    """Every way to colour the hidden tiles while nobody builds, those of the container first."""
    hidden = [c for c, n in zip(COLOURS, position.container, strict=True) for _ in range(n)]
    hidden += [tile for barrow in position.barrows for tile in barrow.tiles]
    yield from itertools.permutations(hidden)


@pytest.mark.parametrize("seed", range(6))
def test_the_next_tile_is_any_of_those_that_lie_face_down(seed: int) -> None:
    """BAU-R5, BAU-R16: the first of the container, counted over all ways to lay the hidden tiles."""
    game = played(Options(2, trail=SMALL, tiles=(3, 3, 3, 3)), seed, 60)
    calm = [p for p in game if not p.over and p.due.what == "roll" and any(b.tiles for b in p.barrows)]
    wanted = [p for p in calm if any(p.container) and sum(map(len, (b.tiles for b in p.barrows))) < 5]
    position = wanted[-1]
    all_ways, inside = list(ways(position)), sum(position.container)
    found = odds(position)
    assert found is not None
    for kind, colour in enumerate(COLOURS):
        chance = Fraction(sum(way[0] == colour for way in all_ways), len(all_ways))
        assert found.expected[kind] == pytest.approx(float(chance))
        shares = [Fraction(way[:inside].count(colour), inside) for way in all_ways]
        assert found.low[kind] == pytest.approx(float(min(shares)))
        assert found.high[kind] == pytest.approx(float(max(shares)))


@settings(max_examples=20)
@given(games, st.randoms(use_true_random=False))
def test_odds_are_chances_and_depend_on_nothing_that_lies_face_down(
    game: list[Position], choose: random.Random
) -> None:
    for position in game[:: max(1, len(game) // 15)]:
        found = odds(position)
        assert odds(turned(position, choose)) == found
        assert (found is None) == (sum(position.container) == 0)
        if found:
            assert sum(found.expected) == pytest.approx(1)
            for low, expected, high in zip(found.low, found.expected, found.high, strict=True):
                assert 0 <= low <= expected + 1e-12 and expected <= high + 1e-12 <= 1 + 1e-9


def test_who_knows_his_barrow_expects_something_else(begin: Callable[..., Any]) -> None:
    """BAU-R16: 6 red tiles are in the container and one is in his barrow"""
    game = begin("bau-boom", 2, changes={"tiles": (36, 12, 12, 12)})("deal" + " red" * 30)
    game("roll 1 2", "move 3", "take")
    assert for_player(game.position, 0)[0] == pytest.approx(6 / 42)
    assert for_player(game.position, 1)[0] == pytest.approx(7 / 43)


def test_the_odds_are_told_in_words() -> None:
    position, t = played(Options(2), 3, 40)[-1], Texts("de")
    lines = [t.say(line) for line in told(position)]
    assert len(lines) == 5 and lines[0].startswith("Der nächste von")
    assert all("%" in line and "," in line for line in lines[1:])
    empty = replace(position, container=(0, 0, 0, 0))
    assert [t.say(line) for line in told(empty)] == ["Der Container ist leer"]
