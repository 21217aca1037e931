"""BIG BOOM! BANG, rule by rule: how it is set up and thrown."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from companion.config import WrongError
from companion.games.big_boom_bang import rules
from companion.games.big_boom_bang.rules import Options, opening

Bang = Callable[..., Any]
TILES = "shuffle" + " fuse" * 9 + " gift gift boom fuse fuse"


# Set-up


@pytest.mark.parametrize("players", [2, 6])
def test_three_to_five_play(bang: Bang, players: int) -> None:
    """BANG-R1"""
    assert [len(bang(count).position.hearts) for count in (3, 4, 5)] == [3, 4, 5]
    with pytest.raises(WrongError):
        bang(players)


def test_what_is_in_the_box() -> None:
    """BANG-R2"""
    assert rules.HEARTS == 15 and rules.DICE == 5
    assert [rules.TILES.count(tile) for tile in ("fuse", "gift", "boom")] == [11, 2, 1]


@pytest.mark.parametrize("line", ["shuffle fuse", "shuffle" + " fuse" * 14, TILES + " fuse"])
def test_other_tiles_are_refused(begin: Bang, line: str) -> None:
    """BANG-R2, BANG-R3"""
    assert begin("big-boom-bang").refused(line) == "BANG-R2"


def test_the_tiles_are_shuffled_first_and_hidden_alike(begin: Bang) -> None:
    """BANG-R3, BANG-R26, A-BANG12: any tile that lies face down may be revealed"""
    game = begin("big-boom-bang")
    assert game.awaited.what == "shuffle" and game.refused("roll" + " bomb" * 5) == "BANG-R26"
    game(TILES, "roll bomb gift gift scissors heart", "keep")
    assert game.legal == sorted(f"reveal {place}" for place in range(1, 15))
    assert len({begin("big-boom-bang", seed=str(seed)).throw() for seed in range(20)}) == 20


@pytest.mark.parametrize(("players", "supply"), [(3, 9), (4, 7), (5, 5)])
def test_everybody_starts_with_two_hearts(players: int, supply: int) -> None:
    """BANG-R4"""
    position = opening(Options(players))
    assert position.hearts == (2,) * players and position.supply == supply


def test_p1_begins_and_the_left_neighbour_follows(bang: Bang) -> None:
    """BANG-R5, BANG-R31: p1 sits where the last birthday was; without BOOM the dice go to the left"""
    game = bang(4)
    for player in ("p1", "p2", "p3", "p4", "p1"):
        assert game.state["active"] == player
        game("roll heart heart scissors scissors scissors", "keep")


# Throwing


def test_the_first_throw_is_of_five_dice(bang: Bang) -> None:
    """BANG-R6"""
    game = bang()
    assert game.awaited.dice == (1, 2, 3, 4, 5) and game.awaited.count == 5
    assert game.refused("roll bomb") == "BANG-R6"
    assert game.refused("keep") == "BANG-R6"
    assert game.senseless("roll bomb bomb bomb bomb boom")


def test_three_throws_at_most(bang: Bang) -> None:
    """BANG-R7, A-BANG5: one may stop before; after the third it is evaluated by itself"""
    game = bang()("roll heart heart scissors scissors gift")
    assert "keep" in game.legal and game.state["throws"] == 1
    game("reroll 5", "roll gift")
    assert "keep" in game.legal and game.state["throws"] == 2
    game("reroll 5", "roll scissors")
    assert game.state["active"] == "p2" and game.state["throws"] == 0
    early = bang()("roll heart heart scissors scissors scissors", "keep")
    assert early.state["active"] == "p2"


def test_one_chooses_what_to_throw_again(bang: Bang) -> None:
    """BANG-R8, BANG-R14, A-BANG3, A-BANG4: hearts, gifts and scissors, also those set aside before"""
    game = bang()("roll heart heart gift scissors gift")
    assert len(game.legal) == 1 + 31, "every set of the five dice"
    game("reroll 1")
    assert game.state["dice"] == [None, "heart", "gift", "scissors", "gift"]
    assert game.refused("reroll 2") == "BANG-R6"
    game("roll gift")
    assert len(game.legal) == 1 + 31


def test_bombs_stay(bang: Bang) -> None:
    """BANG-R9, BANG-R10"""
    game = bang()("roll bomb bomb heart gift gift")
    assert {"reroll 3", "reroll 3 4 5", "keep"} <= set(game.legal) and len(game.legal) == 1 + 7
    assert game.refused("reroll 1") == game.refused("reroll 2 3") == "BANG-R10"
    alone = bang()("roll bomb bomb bomb bomb bomb")
    assert alone.legal == ["keep"], "a single legal move is awaited too"


def test_each_bomb_needs_a_scissors_that_is_thrown_along(bang: Bang) -> None:
    """BANG-R11, BANG-R12"""
    game = bang()("roll bomb bomb scissors heart gift")
    assert game.refused("reroll 1 2 3") == "BANG-R11"
    assert game.refused("reroll 1") == game.refused("reroll 2 4") == "BANG-R12"
    assert {"reroll 1 3", "reroll 2 3", "reroll 1 3 4 5"} <= set(game.legal)


def test_the_example_of_the_sheet(bang: Bang) -> None:
    """BANG-R12, BANG-R13, A-BANG4: a scissors and bombs that were set aside before"""
    game = bang()("roll gift gift scissors heart heart", "reroll 4 5", "roll bomb bomb")
    free = [set(chosen) for size in range(4) for chosen in itertools.combinations((1, 2, 3), size)]
    with_bomb = [
        {bomb, 3, *chosen}
        for bomb in (4, 5)
        for size in range(3)
        for chosen in itertools.combinations((1, 2), size)
    ]
    expected = {"reroll " + " ".join(map(str, sorted(dice))) for dice in (*free, *with_bomb) if dice}
    assert set(game.legal) == expected | {"keep"}


def test_scissors_that_stay_where_they_are(bang: Bang) -> None:
    """A-BANG2: with `keep` each scissors on the table serves at every throw"""
    game = bang(scissors="keep")("roll bomb bomb scissors heart gift")
    assert {"reroll 1", "reroll 2", "reroll 1 3", "reroll 1 4"} <= set(game.legal)
    assert game.refused("reroll 1 2") == "BANG-R11"
    game("reroll 1", "roll heart")
    assert "reroll 2" in game.legal


@pytest.mark.parametrize("line", ["reroll", "reroll 6", "reroll 2 1", "reroll 1 1", "reroll 0"])
def test_dice_are_named_in_rising_order(bang: Bang, line: str) -> None:
    """BANG-R8"""
    assert bang().senseless(line)
