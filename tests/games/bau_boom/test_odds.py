"""The odds of the next tile out of the container: against all ways in which the hidden tiles can lie."""

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.bau_boom import notation
from companion.games.bau_boom.hill import COLOURS, Colour
from companion.games.bau_boom.odds import for_player, odds, told
from companion.games.bau_boom.position import Draw, Options, Position, Variant, trail
from companion.games.bau_boom.rules import opening, play
from companion.games.bau_boom.steps import Frame
from companion.games.bau_boom.watcher import Watcher
from companion.games.book import books
from companion.games.rulebook import IllegalMove
from companion.language import Texts
from companion.match import Match, seeded
from tests.games.bau_boom.hidden import turned
from tests.games.bau_boom.test_knowledge import games

BOOK = books()["bau-boom"]
SMALL = trail(9, (2, 3, 6), (5, 8))  # ladybugs side by side, so that much is drawn


def small(variant: Variant, tiles: tuple[int, int, int, int], **more: Any) -> Options:
    return Options(2, variant, trail=SMALL, tiles=tiles, **more)


def frames(options: Options, seed: int, most: int) -> list[Frame]:
    """A game with random decisions."""
    match, choose = Match(BOOK, options, seeded(str(seed))), random.Random(seed)
    found: list[Frame] = []
    while not match.position.over and len(found) < most:
        (awaited,) = match.awaits
        before = match.position
        text = match.throw(awaited) if awaited.who is None else choose.choice(match.texts(awaited) or [])
        match.play(text)
        found.append(Frame(notation.parse(text), before, match.position))
    return found


# Whoever sees what lies open


def ways(position: Position) -> Iterator[tuple[Colour, ...]]:
    """Every way to colour the hidden tiles while nobody builds, those of the container first."""
    hidden = [c for c, n in zip(COLOURS, position.container, strict=True) for _ in range(n)]
    hidden += [tile for barrow in position.barrows for tile in barrow.tiles]
    yield from itertools.permutations(hidden)


@pytest.mark.parametrize("seed", range(6))
def test_the_next_tile_is_any_of_those_that_lie_face_down(seed: int) -> None:
    """BAU-R5, BAU-R16: the first of the container, counted over all ways to lay the hidden tiles."""
    game = [f.after for f in frames(small("base", (3, 3, 3, 3)), seed, 60)]
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


# Whoever has watched


def retold(record: Sequence[Frame]) -> Iterator[tuple[Fraction, Position]]:
    """Every game that looks the same to somebody who watches, with its chance, and how it ends.

    It is played by the rules once more, with every colour for each tile that only its owner has looked at.
    """
    todo = [(Fraction(1), opening(record[0].before.options))]
    for frame in record:
        found = []
        for chance, position in todo:
            moves = [Draw(c) for c in COLOURS] if isinstance(frame.move, Draw) else [frame.move]
            for move in moves:
                try:
                    after = play(position, move)
                except IllegalMove:
                    continue
                if seen(after) == seen(frame.after):
                    found.append((chance * likely(position, move), after))
        todo = found
    yield from todo


def likely(position: Position, move: Any) -> Fraction:
    """The chance of a move that draws from the container, tile by tile; of a decision 1."""
    chance = Fraction(1)
    drawn = (move.colour,) if isinstance(move, Draw) else getattr(move, "colours", ())
    for colour in drawn:
        chance *= Fraction(position.container[COLOURS.index(colour)], sum(position.container))
        position = position.out_of_container(colour)
    return chance


def seen(position: Position) -> Any:
    """What anybody sees: no colours in barrows and container, unless somebody builds."""
    building = None if position.over or position.due.what != "build" else position.due.player
    barrows = [
        (b.at, sorted(b.tiles) if p == building else len(b.tiles)) for p, b in enumerate(position.barrows)
    ]
    return position.trail, position.covered, position.agenda, barrows, sum(position.container)


@pytest.mark.parametrize("variant", ["base", "younger", "clever"])
@pytest.mark.parametrize("forced", ["barrow", "return"])
@pytest.mark.parametrize("seed", range(4))
def test_who_has_watched_knows_what_follows_by_the_rules_alone(
    variant: Variant, forced: Any, seed: int
) -> None:
    """BAU-R17: against all games that look the same"""
    options = small(variant, (7, 6, 5, 4), young_forced=forced, hills=(10, 10))
    record = frames(options, seed, 70)
    some = 0
    for end in range(5, len(record), 9):
        part = record[:end]
        games, found = list(retold(part)), Watcher.of(part).chances
        whole, inside = sum(chance for chance, _ in games), sum(part[-1].after.container)
        some += len(games) > 1
        for kind in range(len(COLOURS)):
            expected = (
                sum(chance * Fraction(p.container[kind], max(1, inside)) for chance, p in games) / whole
            )
            assert found[kind] == pytest.approx(float(expected))
    assert some


@settings(max_examples=15)
@given(st.integers(2, 4), st.sampled_from(["base", "younger", "clever"]), st.integers(0, 10_000))
def test_the_truth_is_always_one_of_the_worlds(players: int, variant: Variant, seed: int) -> None:
    record = frames(Options(players, variant), seed, 120)
    watcher = Watcher(record[0].before)
    for frame in record:
        watcher.sees(frame)
        barrows = zip(frame.after.barrows, watcher.barrows, strict=True)
        truth = tuple(
            tuple(tile for tile, known in zip(barrow.tiles, own, strict=True) if known is None)
            for barrow, own in barrows
        )
        assert truth in watcher.worlds
        assert sum(watcher.worlds.values()) == pytest.approx(1)


def test_the_odds_are_told_in_words() -> None:
    record = frames(Options(2), 3, 40)
    t = Texts("de")
    lines = [t.say(line) for line in told(record[-1].after, record)]
    assert len(lines) == 10 and lines[0].startswith("Der nächste von")
    assert all("%" in line and "," in line for line in (*lines[1:5], *lines[6:]))
    empty = replace(record[-1].after, container=(0, 0, 0, 0))
    assert [t.say(line) for line in told(empty)] == ["Der Container ist leer"]
