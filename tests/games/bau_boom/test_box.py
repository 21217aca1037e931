"""The boxes that Bau Boom is played with: what is refused, and that what is not comes to an end."""

import itertools
import random
from dataclasses import replace
from typing import Any

import pytest

from companion.games.bau_boom.hill import COLOURS, Plan, demand
from companion.games.bau_boom.position import Options, Position, Size, Variant, trail
from companion.games.book import books
from companion.language import Texts
from companion.match import Match, seeded

BOOK = books()["bau-boom"]
VARIANTS: tuple[Variant, ...] = ("base", "younger", "clever")


def plan(*rows: str) -> Plan:
    """A hill from its rows, the bottom one first."""
    colours = {colour[0]: colour for colour in COLOURS}
    return tuple(tuple(colours[letter] for letter in row) for row in rows)


def said(**changes: Any) -> list[tuple[str, str]]:
    """What is wrong with a box that is otherwise ours."""
    found = BOOK.faults(replace(Options(), **changes))
    return [(key, Texts("en").say(message)) for key, message in found]


def test_our_own_box_is_sound() -> None:
    """A-BAU1, A-BAU2, A-BAU3: for every number of players, every variant and any mixture of hills"""
    assert said() == []
    mixtures: list[tuple[Size, Size, Size, Size]] = [(10,) * 4, (15,) * 4, (10, 15, 15, 15), (15, 10, 10, 10)]
    for players, variant, mixture in itertools.product(BOOK.players, VARIANTS, mixtures):
        assert said(players=players, variant=variant, hills=mixture[:players]) == []
        assert said(players=players, variant=variant) == []


@pytest.mark.parametrize(
    ("changes", "key", "says"),
    [
        ({"trail": trail(33, (), (8,))}, "anteaters", "two anteaters"),
        ({"trail": trail(33, (), (8, 9, 10))}, "anteaters", "two anteaters"),
        ({"trail": ("normal", *trail(33, (), (8, 9)))}, "spaces", "begins with its only start"),
        ({"trail": (*trail(33, (), (8, 9)), "start")}, "spaces", "begins with its only start"),
        ({"trail": ()}, "spaces", "begins with its only start"),
        ({"trail": trail(76, (), (8, 9))}, "spaces", "73 spaces cannot be dealt from 72 tiles"),
        ({"trail": trail(4, (), (2, 3))}, "spaces", "two spaces that are neither ladybug nor anteater"),
        ({"trail": trail(6, (1, 2, 3), (4, 5))}, "spaces", "two spaces that are neither"),
        ({"trail": trail(33, (9, 10, 11, 12), (8, 13))}, "ladybugs", "at most 5 ladybugs and anteaters"),
        ({"trail": trail(33, (27, 28, 29, 30, 31, 32), (8, 13))}, "ladybugs", "at most 5"),
        ({"tiles": (18, 18, 18, 17)}, "tiles", "72 tiles in all, not 71"),
        ({"tiles": (18, 18, 18, 19)}, "tiles", "72 tiles in all, not 73"),
        ({"tiles": (14, 22, 18, 18)}, "tiles", "the hills need 15 tiles in red, there are 14"),
        ({"tiles": (-4, 40, 18, 18)}, "tiles", "from 0 to 72"),
        ({"hills": (10,)}, "hills", "2 sizes are needed, one for each player, not 1"),
        ({"plans10": (plan("rrrr", "rrr", "rr"),) * 4}, "hill_1", "another shape"),
    ],
)
def test_what_is_wrong_with_a_box(changes: dict[str, Any], key: str, says: str) -> None:
    """A-BAU1, A-BAU2, A-BAU3, BAU-R2, BAU-R28"""
    assert any(found == key and says in text for found, text in said(**changes)), said(**changes)


def test_colours_are_counted_over_any_mixture_of_sides() -> None:
    """A-BAU2: red is wanted most by the small side of one hill and by the large side of another"""
    red10, red15 = plan("rrrr", "rrr", "rr", "r"), plan("rrrrr", "rrrr", "rrr", "rr", "r")
    none10, none15 = plan("yyyy", "ggg", "bb", "b"), plan("yyyyy", "gggg", "bbb", "bb", "b")
    plans: Any = {"plans10": (red10, none10, none10, none10), "plans15": (none15, red15, none15, none15)}
    assert any("need 25 tiles in red, there are 18" in text for _, text in said(**plans))
    assert not any("red" in text for _, text in said(tiles=(25, 16, 16, 15), **plans))


def tight() -> dict[str, Any]:
    """Hills that want every tile of red, yellow and green that there is."""
    small, large = plan("rygr", "ygr", "yg", "b"), plan("rygry", "grgy", "bry", "gb", "b")
    wanted = [4 * max(demand(small, colour), demand(large, colour)) for colour in COLOURS]
    return {"plans10": (small,) * 4, "plans15": (large,) * 4, "tiles": (*wanted[:3], 72 - sum(wanted[:3]))}


# Boxes that are hard to play with
HARD = {
    "shortest": {"trail": trail(5, (), (3, 4))},
    "anteaters first": {"trail": trail(5, (), (1, 2))},
    "five in a row": {"trail": trail(13, (1, 2, 3, 8, 9, 10, 11, 12), (4, 5))},
    "no tile left over": {"trail": trail(75, (5, 10), (8, 24))},
    "no ladybug": {"trail": trail(20, (), (8, 14))},
    "tight": tight(),
}


def wise(position: Position, legal: list[str], choose: random.Random) -> str:
    """Build; take what the hill wants, and now and then what it does not; else anything."""
    if legal == ["leave", "take"]:
        due = position.due
        barrow, plan = position.barrows[due.player], position.options.plan(due.player)
        colour = position.trail[barrow.at]
        missing = sum(row.count(colour) for row in plan) - sum(
            plan[row - 1][number - 1] == colour for row, number in position.covered[due.player]
        )
        wanted = missing > barrow.tiles.count(colour) if colour else False
        return "take" if wanted or choose.random() < 0.02 else "leave"
    return choose.choice([line for line in legal if line.startswith("place")] or legal)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("box", HARD)
def test_the_hardest_boxes_come_to_an_end(box: str, variant: Variant) -> None:
    """BAU-R39, BAU-R49: nobody is ever stuck"""
    for players in (2, 4):
        options = replace(Options(players, variant), **HARD[box])
        assert list(BOOK.faults(options)) == []
        match, choose = Match(BOOK, options, seeded(box + variant)), random.Random(box + variant)
        moves = 0
        while not match.position.over:
            (awaited,) = match.awaits
            if awaited.who is None:
                match.play(match.throw(awaited))
            else:
                match.play(wise(match.position, match.texts(awaited) or [], choose))
            moves += 1
            assert moves < 20_000
