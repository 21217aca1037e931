"""Computers at BIG BOOM! BANG: they decide as the rules allow, and by what everybody sees."""

import random
from dataclasses import replace
from typing import Any

import pytest

from companion.games.big_boom_bang.computer import STRENGTHS, think
from companion.games.big_boom_bang.notation import write
from companion.games.big_boom_bang.rules import (
    TILES,
    Options,
    Position,
    awaits,
    legal,
    opening,
    outcome,
    play,
)
from companion.games.big_boom_bang.throwing import best
from companion.games.big_boom_bang.winning import choices
from companion.games.rulebook import shuffled
from companion.games.thought import Thought
from companion.language import Texts


def thought(position: Position, strength: Any, seed: int = 0) -> Thought:
    (only,) = think(position, strength, random.Random(seed), lambda: True)
    return only


def decisions(seed: int, players: int = 3, scissors: Any = "reroll") -> list[Position]:
    """Everything that is decided in a random game."""
    rng = random.Random(seed)
    position, found = opening(Options(players, scissors)), []
    while not position.over:
        (awaited,) = awaits(position)
        if awaited.who is None:
            position = play(position, outcome(position, awaited, rng))
        else:
            found.append(position)
            position = play(position, rng.choice(legal(position)))
    return found


ANYWHERE = [
    each
    for seed, (players, scissors) in enumerate([(3, "reroll"), (4, "keep"), (5, "reroll")])
    for each in decisions(seed, players, scissors)[::3]
]


@pytest.mark.parametrize("strength", STRENGTHS)
def test_whatever_it_decides_is_legal_and_has_its_reason(strength: Any) -> None:
    for position in ANYWHERE:
        found = thought(position, strength)
        assert found.move in map(write, legal(position))
        assert 0 <= found.worth <= 1
        assert Texts("de").say(found.why) != Texts("en").say(found.why), "the reason is translated"


@pytest.mark.parametrize("strength", STRENGTHS)
def test_nobody_looks_under_the_tiles(strength: Any) -> None:
    """A-BANG12: where the hidden tiles lie changes nothing."""
    rng = random.Random(5)
    for position in ANYWHERE:
        hidden = [place - 1 for place in position.hidden]
        tiles = list(position.tiles)
        for place, kind in zip(hidden, shuffled(rng, [tiles[place] for place in hidden]), strict=True):
            tiles[place] = kind
        assert thought(replace(position, tiles=tuple(tiles)), strength) == thought(position, strength)


def test_the_dragon_wins_most_and_the_fox_survives_best() -> None:
    for position in ANYWHERE:
        if position.phase == "choose":
            rated = {write(each.move): each.worth for each in choices(position)}
            assert rated[thought(position, "dragon").move] == max(rated.values())
            dice, _ = best(position)
            expected = " ".join(("reroll", *map(str, dice))) if dice else "keep"
            assert thought(position, "fox").move == expected


@pytest.mark.parametrize(
    ("dice", "move"),
    [
        (("heart", "heart", "gift", "scissors", "bomb"), "reroll 3 4 5"),
        (("heart", "heart", "heart", "gift", "bomb"), "keep"),
        (("bomb", "bomb", "gift", "gift", "heart"), "keep"),
        (("bomb", "bomb", "scissors", "gift", "heart"), "reroll 1 3 4"),
    ],
)
def test_the_mouse_hunts_for_hearts_until_it_is_afraid(dice: tuple[str, ...], move: str) -> None:
    position = Position(Options(), "choose", (3, 2, 2), 0, dice, 1, TILES)
    assert thought(position, "mouse").move == move


def test_mouse_and_fox_name_whoever_has_most_hearts() -> None:
    position = Position(Options(4), "name", (1, 2, 0, 2), 0, ("bomb",) * 5, 3, TILES, (12,), (), 1)
    assert thought(position, "mouse").move == thought(position, "fox").move == "name p4"


@pytest.mark.parametrize(
    ("position", "move", "why"),
    [
        (Position(Options(), "choose", (2, 2, 2), 0, ("bomb",) * 5, 1, TILES), "keep", "No die may"),
        (
            Position(Options(), "name", (1, 0, 2), 0, ("bomb",) * 5, 3, TILES, (12,), (), 0),
            "name p3",
            "Nobody else",
        ),
    ],
)
def test_where_there_is_no_choice_that_is_said(position: Position, move: str, why: str) -> None:
    """BANG-R10, A-BANG14."""
    found = thought(position, "dragon")
    assert found.move == move and found.why.text.startswith(why)


def test_there_is_nothing_to_think_about_before_the_throw() -> None:
    position = play(
        opening(Options()), outcome(opening(Options()), awaits(opening(Options()))[0], random.Random())
    )
    assert list(think(position, "dragon", random.Random(), lambda: True)) == []
