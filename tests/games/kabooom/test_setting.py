"""Kabooom!, rule by rule: how it is set up."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.config import WrongError
from companion.games.kabooom import rules
from companion.games.kabooom.rules import Options, opening, squares
from companion.games.rulebook import IllegalMove

Kab = Callable[..., Any]
ORDER = squares("5x5hole")


def full(kab: Kab, players: int = 2, **chosen: Any) -> Any:
    """A game whose board has just been filled: every player sets r, p, s, d in turn."""
    game = kab(players, **chosen)
    for number, square in enumerate(squares(chosen.get("board", "5x5hole"))):
        game(f"place {'rpsd'[number // players % 4]} {square}")
    return game


@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_play(kab: Kab, players: int) -> None:
    """KAB-R1"""
    assert [kab(count).position.options.players for count in (2, 3, 4)] == [2, 3, 4]
    with pytest.raises(WrongError):
        kab(players)
    of_three = kab(3, level="easy").throw()
    with pytest.raises(IllegalMove, match="there is no player 3"):
        kab(2, level="easy").match.play(of_three)


def test_the_level_is_chosen(kab: Kab) -> None:
    """KAB-R2: before the game; medium if nothing is said."""
    assert [kab(level=level).position.options.level for level in rules.LEVELS] == list(rules.LEVELS)
    assert kab().position.options.level == "medium"


def test_easy_is_dealt_the_others_are_set(kab: Kab) -> None:
    """KAB-R3, KAB-R4, KAB-R5, KAB-R7"""
    assert kab(level="easy").awaited.what == "deal"
    for level in ("medium", "hard"):
        assert kab(level=level).who == "p1" and len(kab(level=level).legal) == 4 * 24
        assert kab(level=level).refused(kab(level="easy").throw()) == "KAB-R3"
    assert kab(level="easy").refused("place r a1") == "KAB-R3"
    assert kab(level="easy").refused("pass") == "A-KAB8"
    assert kab(level="easy").refused("a1-a2") == "KAB-R13"


@pytest.mark.parametrize(("players", "stones"), [(2, 12), (3, 8), (4, 6)])
def test_each_has_as_many_stones(kab: Kab, players: int, stones: int) -> None:
    """KAB-R6: 12, 8 or 6, always 24 in all; a deal with other numbers is refused."""
    game = kab(players, level="easy")
    game.throw()
    owners = [square["owner"] for square in game.state["board"].values()]
    assert [owners.count(f"p{player + 1}") for player in range(players)] == [stones] * players
    tokens = [f"{square}:{1 + (number + (number == 1)) % players}r" for number, square in enumerate(ORDER)]
    tokens[1] = f"{ORDER[1]}:1r"
    assert kab(players, level="easy").refused("deal " + " ".join(tokens)) == "KAB-R6"


def test_a_deal_names_every_square_in_order(kab: Kab) -> None:
    """KAB-R7: random squares and symbols"""
    game = kab(level="easy")
    tokens = game.match.throw(game.awaited).split()[1:]
    assert [token.split(":")[0] for token in tokens] == list(ORDER)
    assert game.refused("deal " + " ".join(reversed(tokens))) == "KAB-R7"
    assert game.refused("deal " + " ".join(tokens[:-1])) == "KAB-R7"
    assert len({kab(level="easy", seed=str(seed)).throw() for seed in range(20)}) == 20


def test_stones_are_set_in_turn_on_free_squares(kab: Kab) -> None:
    """KAB-R8"""
    game = kab(3)
    assert [game.who, game("place r a1").who, game("place r b1").who, game("place r c1").who] == [
        "p1",
        "p2",
        "p3",
        "p1",
    ]
    assert game.refused("place p a1") == "KAB-R8"
    assert "place p a1" not in game.legal
    assert game.refused("place p c3") == "A-KAB1"


def test_any_symbol_that_is_left_may_be_set(kab: Kab) -> None:
    """KAB-R9, A-KAB5: three of each symbol"""
    game = kab()("place d a1", "place r b1", "place d c1", "place r d1", "place d e1", "place r a2")
    assert game.state["supply"] == [
        {"r": 3, "p": 3, "s": 3, "d": 0},
        {"r": 0, "p": 3, "s": 3, "d": 3},
    ]
    assert game.refused("place d b2") == "KAB-R9"
    assert {text.split()[1] for text in game.legal} == {"r", "p", "s"}
    assert Options().supply == (3, 3, 3, 3)
    assert kab(changes={"supply": (6, 6, 0, 0)}).refused("place s a1") == "KAB-R9"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_board_is_filled_then_towers_move(kab: Kab, players: int) -> None:
    """KAB-R10, KAB-R11, KAB-R13, A-KAB7: what is left over stays outside; whoever began moves first."""
    game = full(kab, players)
    assert len(game.state["board"]) == 24 and game.who == "p1"
    assert [sum(own.values()) for own in game.state["supply"]] == [12 - 24 // players] * players
    assert game.refused("place r a1") == "KAB-R13"
    game("pass")
    assert game.who == "p2"


def test_towers_wait_until_the_board_is_full(kab: Kab) -> None:
    """KAB-R13, A-KAB8"""
    game = kab()("place r a1", "place s b1")
    assert game.refused("a1-b1") == "KAB-R13"
    assert game.refused("pass") == "A-KAB8"


def test_easy_symbols(kab: Kab) -> None:
    """A-KAB6: without putting back no symbol comes more than three times; or each by itself"""
    tokens = [f"{square}:{1 + number % 2}r" for number, square in enumerate(ORDER)]
    rocks = "deal " + " ".join(tokens)
    assert kab(level="easy").refused(rocks) == "A-KAB6"
    game = kab(level="easy", changes={"easy_symbols": "iid"})(rocks)
    assert {square["symbol"] for square in game.state["board"].values()} == {"r"}
    whole = sorted(f"{player}{symbol}" for player in "12" for symbol in "rpsd" * 3)
    assert all(dealt(kab, seed=str(seed)) == whole for seed in range(30))
    assert dealt(kab, changes={"easy_symbols": "iid"}) != whole


def dealt(kab: Kab, **more: Any) -> list[str]:
    """The stones that the companion deals to two players."""
    return sorted(token.split(":")[1] for token in kab(2, level="easy", **more).throw().split()[1:])


def test_points_of_another_game_do_not_count(kab: Kab) -> None:
    """A-KAB12, A-KAB13, KAB-R31: every game begins with nothing, and with the seat that made it, p1"""
    assert kab().position.scores == (0, 0) and kab().who == "p1"
    assert full(kab).who == "p1"


def test_the_opening_is_empty() -> None:
    """KAB-R8"""
    assert opening(Options()).board == (None,) * 24 and not opening(Options()).over
