"""Animals that play Bau Boom: legal in all variants, fair, and as good as their animal is."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.bau_boom import notation
from companion.games.bau_boom.choices import legal
from companion.games.bau_boom.computer import STRENGTHS, think
from companion.games.bau_boom.hill import COLOURS, Colour, Place, colour_of
from companion.games.bau_boom.lap import ROLLS, Lap, hills, loads, turns
from companion.games.bau_boom.odds import for_player
from companion.games.bau_boom.position import (
    Barrow,
    Draw,
    Due,
    Go,
    Lay,
    Options,
    Position,
    Roll,
    Variant,
    trail,
)
from companion.games.bau_boom.reasons import why
from companion.games.bau_boom.rules import awaits, opening, outcome, play
from companion.games.rulebook import pick
from companion.games.thought import ANIMALS, Strength, Thought
from companion.language import Texts
from tests.games.bau_boom.hidden import turned

VARIANTS: list[Variant] = ["base", "younger", "clever"]


def decisions(options: Options, seed: int, strength: Strength | None, most: int = 150) -> Iterator[Position]:
    """Every decision of a game in which an animal plays, or chance alone."""
    rng, position = random.Random(seed), opening(options)
    for _ in range(most):
        if position.over:
            return
        (awaited,) = awaits(position)
        if awaited.who is None:
            position = play(position, outcome(position, awaited, rng))
            continue
        yield position
        moves = legal(position)
        if strength:
            *_, thought = think(position, strength, rng, lambda: False)
            position = play(position, notation.parse(thought.move))
        else:
            position = play(position, pick(rng, moves))


boxes = st.builds(
    Options,
    st.integers(2, 4),
    st.sampled_from(VARIANTS),
    penalty_tile=st.sampled_from(["exposed", "any"]),
    penalty_per_tile=st.booleans(),
    zero_triggers=st.booleans(),
    young_forced=st.sampled_from(["barrow", "return"]),
)
seeds = st.integers(0, 10_000)


def thoughts(position: Position, strength: Strength, seed: int = 0) -> list[Thought]:
    return list(think(position, strength, random.Random(seed), lambda: False))


def test_the_animals_are_known() -> None:
    assert list(STRENGTHS) == [animal for animal in ANIMALS if animal in STRENGTHS]


@settings(max_examples=10)
@given(boxes, seeds, st.sampled_from(STRENGTHS), st.booleans())
def test_every_thought_is_a_legal_move_with_a_reason(
    options: Options, seed: int, strength: Strength, alone: bool
) -> None:
    t, english = Texts("de"), Texts("en")
    for position in decisions(options, seed, None if alone else strength, 60):
        moves = [notation.write(move) for move in legal(position)]
        found = thoughts(position, strength)
        assert found and all(thought.move in moves for thought in found)
        for thought in found:
            assert 0 < len(t.say(thought.why)) < 50 and t.say(thought.why) != english.say(thought.why)


@settings(max_examples=8)
@given(boxes, seeds, st.sampled_from(STRENGTHS))
def test_no_thought_depends_on_what_its_player_does_not_see(
    options: Options, seed: int, strength: Strength
) -> None:
    """BAU-R16: with other tiles in the container and in the barrows of others it is just the same"""
    choose = random.Random(seed)
    for position in list(decisions(options, seed, None))[::4]:
        mixed = turned(position, choose, owner=position.due.player)
        assert thoughts(mixed, strength, seed) == thoughts(position, strength, seed)


@settings(max_examples=8)
@given(boxes, seeds)
def test_no_reason_tells_what_lies_in_a_barrow(options: Options, seed: int) -> None:
    """BAU-R16: everybody hears it"""
    choose = random.Random(seed)
    for position in decisions(options, seed, None):
        mixed = turned(position, choose)
        for move in {*legal(position)} & {*legal(mixed)}:
            assert why(position, move) == why(mixed, move)
        if position.due.what == "drawn":
            assert not any(why(position, move).fields for move in legal(position))


def test_whoever_waits_no_longer_gets_the_first_thought() -> None:
    position = next(p for p in decisions(Options(2), 1, None) if p.due.what == "move")
    asked = 0

    def soon() -> bool:
        nonlocal asked
        asked += 1
        return asked > 5

    assert len(list(think(position, "dragon", random.Random(0), soon))) == 1 and asked == 6
    assert len(thoughts(position, "dragon")) == 2


# The lap, against a walk through the rules


def plain(position: Position, drawn: tuple[float, ...]) -> float:
    """The turns that player 0 needs who is about to throw, by the rules, if nobody else moves."""
    options = position.options

    @cache
    def thrown(position: Position) -> float:
        return 1 + sum(chance * best(play(position, Roll((a, b)))) for a, b, chance in ROLLS)

    @cache
    def best(position: Position) -> float:
        if position.over:
            return 0.0
        due = position.due
        if position.barrows[0].at == 0 and due.what in ("roll", "refill"):  # built and paid: the lap is over
            return turns(options, 0, position.covered[0])
        if due.what == "roll":
            return thrown(replace(position, turn=0, dice=(0, 0)))
        if due.what == "draw":
            draws = zip(COLOURS, drawn, strict=True)
            return sum(p * best(play(position, Draw(colour))) for colour, p in draws if p)
        moves = [move for move in legal(position) if move != Go(0)]
        return min(best(play(position, move)) for move in moves)

    return thrown(position)


SHORT = trail(6, (3,), ())


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(2))
def test_a_lap_is_worth_what_a_walk_through_the_rules_brings(variant: Variant, seed: int) -> None:
    """BAU-R12 to R18, R25, R29 to R34, R39 to R49; the younger without a container, so without refills"""
    choose = random.Random(seed)
    options = Options(2, variant, hills=(10, 10), trail=SHORT)
    hill = choose.choice([h for h in hills(options.plan(0), frozenset()) if len(h) == 8])
    laid: tuple[Colour | None, ...] = tuple(choose.choice(COLOURS) if space else None for space in range(6))
    container = (0, 0, 0, 0) if variant == "younger" else (5, 6, 7, 8)
    lying = Counter(laid) + Counter(colour_of(options.plan(0), place) for place in hill)
    red, yellow, green, blue = (n + lying[c] for c, n in zip(COLOURS, container, strict=True))
    options = replace(options, tiles=(red, yellow, green, blue))
    nobody: frozenset[Place] = frozenset()
    start = Position(options, (Due("roll"),), laid, (Barrow(), Barrow()), container, (hill, nobody))
    drawn = for_player(start, 0)
    lap = Lap(start, 0, drawn)
    while lap.space:
        lap.back()
    expected = plain(replace(start, container=(50, 50, 50, 50) if any(container) else container), drawn)
    assert lap.stood[0][lap.loads.at(hill, ())] == pytest.approx(expected)


def test_a_barrow_of_one_colour_loses_one_of_it_to_an_anteater() -> None:
    """BAU-R19, A-BAU7"""
    nobody: frozenset[Place] = frozenset()
    carried, worth = loads(Options(2), 0, nobody)
    reds: tuple[Colour, ...] = ("red", "red")
    none, one, two = (carried.at(nobody, reds[:count]) for count in range(3))
    assert worth[none] > worth[one] < worth[two], "turns until it is won: of the second one nothing is built"
    assert list(carried.robbed(worth)[[none, one, two]]) == list(worth[[none, none, one]])


# What each of them does


def standing(
    options: Options, laid: dict[int, Colour], covered: int, tiles: tuple[Colour, ...] = (), at: int = 0
) -> Position:
    """Player 0 on a space of a trail with few tiles; so many places of his hill are covered, row by row."""
    places = [(row, n) for row, count in ((1, 4), (2, 3), (3, 2), (4, 1)) for n in range(1, count + 1)]
    lying = tuple(laid.get(space) for space in range(len(options.trail)))
    hill, nobody = frozenset(places[:covered]), frozenset[Place]()
    barrows = (Barrow(at, tiles), Barrow())
    return Position(options, (Due("roll"),), lying, barrows, (9, 9, 9, 9), (hill, nobody))


def answer(position: Position, strength: Strength) -> str:
    return thoughts(position, strength)[-1].move


@pytest.mark.parametrize("strength", ["fox", "dragon"])
def test_the_last_tile_is_fetched_and_kept(strength: Strength) -> None:
    """The top place is yellow"""
    position = standing(Options(2), {3: "yellow", 2: "red", 5: "blue"}, 9)
    position = play(position, Roll((2, 3)))
    assert answer(position, strength) == "move 3"
    assert answer(play(position, Go(3)), strength) == "take"
    assert answer(play(position, Go(2)), strength) == "leave"


@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_younger_win_at_once_if_they_can(strength: Strength) -> None:
    """BAU-R42, A-BAU21"""
    position = play(standing(Options(2, "younger"), {3: "yellow"}, 9), Roll((2, 3)))
    assert answer(play(position, Go(3)), strength) == "place yellow 4.1"


def test_the_mouse_forgets_what_it_has_and_the_others_do_not() -> None:
    position = standing(Options(2), {3: "red"}, 0, ("red", "red", "red", "yellow", "green", "blue"))
    position = play(play(position, Roll((1, 3))), Go(3))
    assert answer(position, "mouse") == "take"
    assert answer(position, "fox") == answer(position, "dragon") == "leave"


def test_who_has_all_hurries_home() -> None:
    """Nothing is missing any more: the throw that leads furthest is the best, but not onto the anteater."""
    position = standing(Options(2), {9: "red"}, 9, ("yellow",), at=18)
    position = play(position, Roll((6, 5)))
    assert answer(position, "fox") == answer(position, "dragon") == "move 11"
    anteater = play(standing(Options(2), {}, 9, ("yellow",), at=14), Roll((5, 5)))
    assert answer(anteater, "fox") == answer(anteater, "dragon") == "move 5"


def test_the_dragon_builds_so_that_the_rest_is_found_soon() -> None:
    """What it says the hill will be worth it is worth when all is built and paid."""
    for position in decisions(Options(2, "clever"), 5, "fox", 150):
        if position.due.what == "build" and len(legal(position)) > 1:
            found = thoughts(position, "dragon")[-1]
            move = notation.parse(found.move)
            assert isinstance(move, Lay)
            after = play(position, move)
            while not after.over and after.due.what in ("build", "pay"):
                after = play(after, notation.parse(answer(after, "dragon")))
            assert -turns(after.options, position.due.player, after.covered[position.due.player]) == (
                pytest.approx(found.worth)
            )


def test_the_dragon_beats_whoever_plays_at_random() -> None:
    for seed in range(6):
        rng, position = random.Random(seed), opening(Options(2))
        while not position.over:
            (awaited,) = awaits(position)
            if awaited.who is None:
                position = play(position, outcome(position, awaited, rng))
            elif awaited.who == seed % 2:
                *_, thought = think(position, "dragon", rng, lambda: False)
                position = play(position, notation.parse(thought.move))
            else:
                position = play(position, pick(rng, legal(position)))
        assert position.winners == (seed % 2,)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_what_the_younger_must_take_and_can_build_they_build(strength: Strength) -> None:
    """BAU-R21, R42: in the barrow the next anteater would get it"""
    position = standing(Options(2, "younger"), {4: "red"}, 0, at=3)
    pushed = play(play(replace(position, turn=1), Roll((3, 6))), Go(3))
    assert pushed.due == Due("tile", 0, forced=True)
    for seed in range(5):
        assert thoughts(pushed, strength, seed)[-1].move.startswith("place red")


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize(("at", "laid"), [(5, {}), (3, {3: "red"})])
def test_nobody_stands_still_for_what_standing_still_does_not_bring(
    strength: Strength, at: int, laid: dict[int, Colour]
) -> None:
    """A-BAU18: neither the ladybug gives another tile, nor is that taken which lies there"""
    position = standing(Options(2, "clever", hills=(10, 10)), laid, 0, at=at)
    assert answer(play(position, Roll((1, 1))), strength) != "move 0"


def test_a_ladybug_without_a_tile_brings_nothing_when_the_container_is_empty() -> None:
    """A-BAU6"""
    position = play(replace(standing(Options(2), {}, 0, at=3), container=(0, 0, 0, 0)), Roll((2, 4)))
    assert answer(position, "mouse") != "move 2"
    assert why(position, Go(2)).text != why(play(standing(Options(2), {}, 0, at=3), Roll((2, 4))), Go(2)).text
