"""The container alone: what is inside for certain and at most, rule by rule, against the whole truth."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.container import rules
from companion.games.container.rules import (
    COLOURS,
    TILES,
    Back,
    Deal,
    End,
    Hide,
    Move,
    Open,
    Options,
    Position,
)
from companion.games.rulebook import IllegalMove

Con = Callable[..., Any]
TOLD = "deal red 7 yellow 8 green 8 blue 7"


@pytest.fixture
def con(begin: Con) -> Con:
    """Begins to count a container."""
    return lambda **more: begin("container", 2, **more)


def spans(game: Any) -> dict[str, tuple[int, int]]:
    return {colour: game.position.span(colour) for colour in COLOURS}


def test_at_first_everything_is_inside(con: Con) -> None:
    """CON-R1"""
    game = con()
    assert game.position.inside == TILES and set(spans(game).values()) == {(18, 18)}
    assert game.who == "chance" and game.awaited.count == 4 and con(trail="untold").awaited.count == 1
    assert game.refused("open red") == "CON-R2"


def test_the_trail_is_told_by_colours(con: Con) -> None:
    """CON-R2"""
    game = con()(TOLD)
    assert game.position.inside == 42
    assert spans(game) == {"red": (11, 11), "yellow": (10, 10), "green": (10, 10), "blue": (11, 11)}
    assert game.who == "p1" and game.position.turn == 0  # who keeps the container tells for all
    assert game.refused(TOLD) == "CON-R2"
    assert (
        con().refused("deal 30") == "CON-R2"
        and con().refused("deal red 19 yellow 0 green 0 blue 0") == "CON-R8"
    )


def test_the_trail_may_be_told_only_by_its_number(con: Con) -> None:
    """CON-R2"""
    game = con(trail="untold")("deal 30")
    assert game.position.inside == 42 and set(spans(game).values()) == {(0, 18)}
    assert con(trail="untold").refused(TOLD) == "CON-R2"


def test_what_is_drawn_and_comes_back_openly_stays_exact(con: Con) -> None:
    """CON-R3, CON-R5"""
    game = con()(TOLD, "open red", "open red", "back blue")
    assert game.position.inside == 41
    assert spans(game)["red"] == (9, 9) and spans(game)["blue"] == (12, 12)


def test_what_only_the_owner_has_seen_leaves_a_range(con: Con) -> None:
    """CON-R4, CON-R7"""
    game = con()(TOLD, "hide")
    assert game.position.inside == 41 and spans(game)["red"] == (10, 11)


def test_what_comes_back_unseen_leaves_a_range(con: Con) -> None:
    """CON-R6, CON-R7"""
    game = con()(TOLD, "back")
    assert game.position.inside == 43 and spans(game)["red"] == (11, 12)


def test_a_tile_that_had_left_unseen_is_known_when_it_comes_back_openly(con: Con) -> None:
    """CON-R5, CON-R7"""
    game = con()("deal red 0 yellow 10 green 10 blue 10", "hide", "back red")
    assert spans(game) == {"red": (18, 18), "yellow": (8, 8), "green": (8, 8), "blue": (8, 8)}


def test_a_tile_that_came_back_unseen_is_known_when_it_is_drawn_openly(con: Con) -> None:
    """CON-R3, CON-R7"""
    game = con()("deal red 18 yellow 4 green 4 blue 4", "back", "open red")
    assert spans(game) == {"red": (0, 0), "yellow": (14, 14), "green": (14, 14), "blue": (14, 14)}


def test_the_only_tile_seen_outside_is_told_back_as_any_other(con: Con) -> None:
    """CON-R5, CON-R7"""
    game = con()("deal red 1 yellow 10 green 10 blue 9", "hide", "back red")
    assert spans(game)["red"] == (17, 18) and spans(game)["blue"] == (8, 9)


def test_nothing_comes_out_that_cannot_be_inside_nor_back_that_cannot_be_outside(con: Con) -> None:
    """CON-R8"""
    game = con()("deal red 18 yellow 0 green 0 blue 0")
    assert game.refused("open red") == "CON-R8" and game.refused("back blue") == "CON-R8"
    assert con()("deal red 0 yellow 0 green 0 blue 0").refused("back") == "CON-R8"
    empty = con()("deal red 18 yellow 18 green 18 blue 18")
    assert empty.refused("hide") == "CON-R8"


@pytest.mark.parametrize(
    ("trail", "told", "line", "why"),
    [
        ("told", "deal red 18 yellow 0 green 0 blue 0", "open red", "no such tile left"),
        ("told", "deal red 18 yellow 0 green 0 blue 0", "back blue", "all these tiles are in the container"),
        ("told", "", "deal 30", "deal red 7 yellow 8"),
        ("untold", "", TOLD, "deal 30"),
    ],
)
def test_a_refusal_says_what_is_wrong(con: Con, trail: str, told: str, line: str, why: str) -> None:
    """CON-R2, CON-R8"""
    with pytest.raises(IllegalMove, match=why):
        con(trail=trail)(told).match.play(line)


def test_it_ends_when_people_say_so(con: Con) -> None:
    """CON-R9"""
    game = con()(TOLD, "end")
    assert game.position.over and game.position.winners == () and game.position.scores == (0, 0)
    assert not game.match.awaits
    for text in ("end", "hide", "back", TOLD):
        with pytest.raises(IllegalMove, match="the game is over"):
            game.match.play(text)


@given(seed=st.integers(0, 2**32), told=st.booleans())
def test_the_truth_is_always_within_the_range(seed: int, told: bool) -> None:
    """CON-R7: whatever really happens to the tiles, and all 72 are somewhere"""
    chance = random.Random(seed)
    inside, outside = Counter[str](dict.fromkeys(COLOURS, 18)), Counter[str]()
    position = rules.opening(Options(2, "told" if told else "untold"))
    drawn = Counter[str](chance.sample(list(inside.elements()), 30))
    inside, outside = inside - drawn, drawn
    counts = tuple(drawn[colour] for colour in COLOURS)
    position = rules.play(position, Deal(counts if told else (30,)))
    for _ in range(60):
        check(position, inside)
        position = rules.play(position, real(chance, inside, outside))
    check(position, inside)


def real(chance: random.Random, inside: Counter[str], outside: Counter[str]) -> Move:
    """Let a tile change places, and tell of it what people see."""
    leaves = bool(inside.total()) and (not outside.total() or chance.random() < 0.5)
    source, target = (inside, outside) if leaves else (outside, inside)
    colour = chance.choice(list(source.elements()))
    source[colour] -= 1
    target[colour] += 1
    seen = next(own for own in COLOURS if own == colour)
    if chance.random() < 0.4:
        return Hide() if leaves else Back()
    return Open(seen) if leaves else Back(seen)


def check(position: Position, inside: Counter[str]) -> None:
    assert position.inside == inside.total()
    lows, highs = zip(*(position.span(colour) for colour in COLOURS), strict=True)
    assert all(low <= inside[c] <= high for c, low, high in zip(COLOURS, lows, highs, strict=True))
    assert sum(lows) <= position.inside <= sum(highs)
    assert End() in rules.legal(position)
