"""BIG BOOM! BANG, rule by rule: how a throw is evaluated, tiles, BOOM, and the end."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.big_boom_bang.rules import Options
from companion.games.rulebook import IllegalMove

Bang = Callable[..., Any]
AGAIN = "shuffle boom" + " fuse" * 11 + " gift gift"


def test_hearts_then_bombs_then_gifts(bang: Bang) -> None:
    """BANG-R15, BANG-R16, A-BANG6: scissors are nothing; the heart comes before the bombs"""
    game = bang()("roll heart heart heart bomb gift", "keep")
    assert game.state["hearts"] == [3, 2, 2] and game.who == "p1" and game.state["owed"] == 2
    game("reveal 1")
    assert game.who == "p2" and game.refused("keep") == "BANG-R29", "for the gift"
    nothing = bang()("roll scissors scissors scissors scissors scissors", "keep")
    assert nothing.state["active"] == "p2" and nothing.state["hearts"] == [2, 2, 2]


def test_a_last_heart_can_be_saved(bang: Bang) -> None:
    """A-BANG6"""
    game = bang(hearts=(1, 2, 2))("roll heart heart heart bomb bomb", "keep", "reveal 12")
    assert game.state["hearts"] == [1, 2, 2] and not game.position.over


@pytest.mark.parametrize(("hearts", "gain"), [(2, 0), (3, 1), (4, 1), (5, 1)])
def test_three_hearts_or_more_bring_one(bang: Bang, hearts: int, gain: int) -> None:
    """BANG-R17"""
    game = bang()("roll" + " heart" * hearts + " scissors" * (5 - hearts), "keep")
    assert game.state["hearts"] == [2 + gain, 2, 2] and game.state["supply"] == 9 - gain


def test_nobody_has_more_than_three_hearts(bang: Bang) -> None:
    """BANG-R18, A-BANG11: and only the last throw counts"""
    game = bang(hearts=(3, 2, 2))("roll heart heart heart heart heart", "keep")
    assert game.state["hearts"] == [3, 2, 2]
    game("roll heart heart heart gift gift", "reroll 1 2", "roll scissors scissors", "reroll 4 5")
    game("roll scissors scissors")
    assert game.state["hearts"] == [3, 2, 2]


def test_a_tile_for_each_bomb_one_after_the_other(bang: Bang) -> None:
    """BANG-R20, BANG-R21, BANG-R24"""
    game = bang()("roll bomb bomb bomb scissors scissors", "keep")
    for owed in (3, 2, 1):
        assert (game.who, game.state["owed"]) == ("p1", owed)
        assert game.refused("keep") == "BANG-R20"
        game(f"reveal {owed}")
    assert game.state["active"] == "p2" and game.state["hearts"] == [2, 2, 2]


def test_a_gift_tile_makes_another_player_reveal_at_once(bang: Bang) -> None:
    """BANG-R22, BANG-R24, A-BANG8: it pays for no bomb; then the active player goes on"""
    game = bang()("roll bomb bomb scissors scissors scissors", "keep", "reveal 10")
    assert game.who == "p1" and game.legal == ["name p2", "name p3"] and game.state["owed"] == 2
    assert game.refused("reveal 1") == "BANG-R22"
    game("name p3")
    assert game.who == "p3" and game.state["owed"] == 2
    game("reveal 1")
    assert game.who == "p1" and game.state["owed"] == 1
    game("reveal 2")
    assert game.state["active"] == "p2"


def test_the_second_gift_is_passed_on(bang: Bang) -> None:
    """BANG-R23, BANG-R30, A-BANG7: its revealer names who is next, never himself"""
    game = bang()(
        "roll bomb scissors scissors scissors scissors", "keep", "reveal 10", "name p2", "reveal 11"
    )
    assert game.who == "p2" and game.legal == ["name p1", "name p3"]
    assert game.refused("name p2") == "A-BANG7"
    game("name p1")
    assert game.who == "p1"
    game("reveal 12")
    assert game.state["hearts"] == [1, 2, 2]


def test_what_is_forced_by_a_gift_tile_is_no_matter_of_a_bomb(bang: Bang) -> None:
    """BANG-R22"""
    game = bang()("roll bomb scissors scissors scissors scissors", "keep", "reveal 10", "name p2")
    assert game.who == "p2" and game.refused("keep") == "BANG-R22"


def test_who_is_out_cannot_be_named(bang: Bang) -> None:
    """A-BANG7, A-BANG14: with two players left the other one is named, and is asked for all the same"""
    game = bang(hearts=(2, 0, 2))("roll bomb scissors scissors scissors scissors", "keep", "reveal 10")
    assert game.legal == ["name p3"]
    assert game.refused("name p2") == "A-BANG7"
    assert game.refused("name p4") == "BANG-R22"
    for line, why in (("name p2", "player 2 is out of the game"), ("name p4", "there is no player 4")):
        with pytest.raises(IllegalMove, match=why):
            game.match.play(line)


def test_boom_costs_a_heart_and_ends_the_round(bang: Bang) -> None:
    """BANG-R25, BANG-R26, BANG-R27, BANG-R28: bombs and gifts that are left lapse; the tiles are shuffled"""
    game = bang()("roll bomb bomb gift gift scissors", "keep", "reveal 12")
    assert game.state["hearts"] == [1, 2, 2] and game.state["owed"] == 0
    assert game.state["open"] == {} and game.state["tiles"] == [] and game.awaited.what == "shuffle"
    game(AGAIN)
    assert game.state["active"] == "p1" and game.state["dice"] == [None] * 5


def test_gift_dice_count_after_the_bombs(bang: Bang) -> None:
    """BANG-R28: also if no bomb lies there"""
    game = bang()("roll gift scissors scissors scissors scissors", "keep")
    assert game.who == "p2"
    game("reveal 1")
    assert game.state["active"] == "p2"


def test_gift_dice_go_round_the_opponents(bang: Bang) -> None:
    """BANG-R29, A-BANG13: from the left neighbour on, the active player left out; nobody chooses"""
    game = bang()("roll gift gift gift gift scissors", "keep")
    seen = []
    for place in (1, 2, 3, 4):
        seen.append(game.who)
        assert all(text.startswith("reveal") for text in game.legal)
        game(f"reveal {place}")
    assert seen == ["p2", "p3", "p2", "p3"]
    second = bang(4, hearts=(2, 2, 2, 2), active=2)("roll gift gift gift gift gift", "keep")
    order = []
    for place in range(1, 6):
        order.append(second.who)
        second(f"reveal {place}")
    assert order == ["p4", "p1", "p2", "p4", "p1"]


def test_a_forced_reveal_does_not_change_the_order(bang: Bang) -> None:
    """BANG-R30, A-BANG8: a gift tile may hit the active player; then it goes on as before"""
    game = bang()("roll gift gift gift scissors scissors", "keep", "reveal 10")
    assert game.who == "p2" and game.legal == ["name p1", "name p3"]
    game("name p1", "reveal 1")
    assert game.who == "p3"


def test_those_who_are_out_are_passed_over(bang: Bang) -> None:
    """A-BANG9: in the order of the gift dice and of the turns"""
    game = bang(4, hearts=(2, 0, 2, 2))("roll gift gift gift scissors scissors", "keep")
    order = []
    for place in (1, 2, 3):
        order.append(game.who)
        game(f"reveal {place}")
    assert order == ["p3", "p4", "p3"] and game.state["active"] == "p3"


def test_revealed_tiles_stay_open(bang: Bang) -> None:
    """BANG-R32"""
    game = bang()("roll bomb scissors scissors scissors scissors", "keep", "reveal 7")
    game("roll bomb scissors scissors scissors scissors", "keep")
    assert game.state["open"] == {"7": "fuse"} and "reveal 7" not in game.legal
    assert game.refused("reveal 7") == "BANG-R32"


def test_without_hearts_one_is_out(bang: Bang) -> None:
    """BANG-R33: the left neighbour begins the new round"""
    game = bang(hearts=(1, 2, 2))("roll bomb scissors scissors scissors scissors", "keep", "reveal 12", AGAIN)
    assert game.state["hearts"] == [0, 2, 2] and game.state["active"] == "p2"
    for player in ("p2", "p3", "p2"):
        assert game.state["active"] == player
        game("roll scissors scissors scissors scissors scissors", "keep")


def test_whoever_was_hit_begins(bang: Bang) -> None:
    """BANG-R27, A-BANG10: also an opponent in the gift phase, or one who was named"""
    game = bang()("roll gift gift scissors scissors scissors", "keep", "reveal 1", "reveal 12", AGAIN)
    assert game.state["active"] == "p3" and game.state["hearts"] == [2, 2, 1]
    named = bang()(
        "roll bomb bomb scissors scissors scissors", "keep", "reveal 10", "name p2", "reveal 12", AGAIN
    )
    assert named.state["active"] == "p2"
    out = bang(4, hearts=(2, 1, 0, 2))("roll gift scissors scissors scissors scissors", "keep", "reveal 12")
    assert out.state["active"] == "p4", "p2 is out now, p3 was before"


def test_the_last_one_with_hearts_wins_at_once(bang: Bang) -> None:
    """BANG-R34"""
    game = bang(hearts=(1, 0, 2))("roll bomb scissors scissors scissors scissors", "keep", "reveal 12")
    assert game.position.over and game.position.winners == (2,) and game.match.awaits == ()
    assert game.position.scores == (0, 0, 2)


def test_two_go_on(bang: Bang) -> None:
    """A-BANG14"""
    game = bang(hearts=(1, 1, 2))("roll bomb scissors scissors scissors scissors", "keep", "reveal 12")
    assert not game.position.over and game.awaited.what == "shuffle"


def test_what_the_dice_show(bang: Bang) -> None:
    """A-BANG1: two bombs, a scissors, a heart, two gifts; or what the box has"""
    assert sorted(Options().faces) == ["bomb", "bomb", "gift", "gift", "heart", "scissors"]
    game = bang(changes={"faces": ("bomb", "bomb", "heart", "heart", "gift", "gift")})
    assert game.refused("roll scissors bomb bomb bomb bomb") == "A-BANG1"
