"""BIG BOOM! BANG, rule by rule."""

import itertools
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from companion.config import WrongError
from companion.games.big_boom_bang import rules
from companion.games.big_boom_bang.rules import Options, Position, opening

Bang = Callable[..., Any]
# Tiles 1 to 9 and 14 are fuses, 10 and 11 gifts, 12 is BOOM
TILES = "shuffle" + " fuse" * 9 + " gift gift boom fuse fuse"


@pytest.fixture
def bang(begin: Bang) -> Bang:
    """Begins a game whose tiles lie as in `TILES`."""

    def make(players: int = 3, tiles: str = TILES, **more: Any) -> Any:
        return begin("big-boom-bang", players, **more)(tiles)

    return make


def with_hearts(game: Any, *hearts: int, active: int = 0) -> Any:
    """The game as if so many hearts were left."""
    step = game.match._steps[-1]
    game.match._steps[-1] = replace(step, position=replace(step.position, hearts=hearts, active=active))
    return game


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


def independent(dice: tuple[str, ...], chosen: set[int], keep: bool) -> bool:
    """Whether dice may be thrown again, said in another way: every bomb can be paired with a scissors."""
    bombs = [i for i in chosen if dice[i] == "bomb"]
    payers = [i for i in range(5) if dice[i] == "scissors" and (keep or i in chosen)]
    return bool(chosen) and len(bombs) <= len(payers)


@pytest.mark.parametrize("keep", [False, True])
def test_every_throw_again_of_every_throw(keep: bool) -> None:
    """BANG-R8 to R14: all 4^5 throws, all 32 sets of dice"""
    for dice in itertools.product(rules.FACES, repeat=5):
        found = set(rules._rerolls(dice, "keep" if keep else "reroll"))
        for mask in range(32):
            chosen = {i for i in range(5) if mask >> i & 1}
            numbers = tuple(sorted(i + 1 for i in chosen))
            assert (numbers in found) is independent(dice, chosen, keep)


@pytest.mark.parametrize("line", ["reroll", "reroll 6", "reroll 2 1", "reroll 1 1", "reroll 0"])
def test_dice_are_named_in_rising_order(bang: Bang, line: str) -> None:
    """BANG-R8"""
    assert bang().senseless(line)


# Evaluation


def test_hearts_then_bombs_then_gifts(bang: Bang) -> None:
    """BANG-R15, BANG-R16, A-BANG6: scissors are nothing; the heart comes before the bombs"""
    game = bang()("roll heart heart heart bomb gift", "keep")
    assert game.state["hearts"] == [3, 2, 2] and game.who == "p1" and game.state["owed"] == 2
    game("reveal 1")
    assert game.who == "p2"
    nothing = bang()("roll scissors scissors scissors scissors scissors", "keep")
    assert nothing.state["active"] == "p2" and nothing.state["hearts"] == [2, 2, 2]


def test_a_last_heart_can_be_saved(bang: Bang) -> None:
    """A-BANG6"""
    game = with_hearts(bang(), 1, 2, 2)("roll heart heart heart bomb bomb", "keep", "reveal 12")
    assert game.state["hearts"] == [1, 2, 2] and not game.position.over


@pytest.mark.parametrize(("hearts", "gain"), [(2, 0), (3, 1), (4, 1), (5, 1)])
def test_three_hearts_or_more_bring_one(bang: Bang, hearts: int, gain: int) -> None:
    """BANG-R17"""
    game = bang()("roll" + " heart" * hearts + " scissors" * (5 - hearts), "keep")
    assert game.state["hearts"] == [2 + gain, 2, 2] and game.state["supply"] == 9 - gain


def test_nobody_has_more_than_three_hearts(bang: Bang) -> None:
    """BANG-R18, A-BANG11: and only the last throw counts"""
    game = with_hearts(bang(), 3, 2, 2)("roll heart heart heart heart heart", "keep")
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


def test_who_is_out_cannot_be_named(bang: Bang) -> None:
    """A-BANG7, A-BANG14: with two players left the other one is named, and is asked for all the same"""
    game = with_hearts(bang(), 2, 0, 2)("roll bomb scissors scissors scissors scissors", "keep", "reveal 10")
    assert game.legal == ["name p3"]
    assert game.refused("name p2") == "A-BANG7"
    assert game.refused("name p4") == "BANG-R22"


def test_boom_costs_a_heart_and_ends_the_round(bang: Bang) -> None:
    """BANG-R25, BANG-R26, BANG-R27, BANG-R28: bombs and gifts that are left lapse; the tiles are shuffled"""
    game = bang()("roll bomb bomb gift gift scissors", "keep", "reveal 12")
    assert game.state["hearts"] == [1, 2, 2] and game.state["owed"] == 0
    assert game.state["open"] == {} and game.state["tiles"] == [] and game.awaited.what == "shuffle"
    game(TILES)
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
    second = with_hearts(bang(4), 2, 2, 2, 2, active=2)("roll gift gift gift gift gift", "keep")
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
    game = with_hearts(bang(4), 2, 0, 2, 2)("roll gift gift gift scissors scissors", "keep")
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
    game = with_hearts(bang(), 1, 2, 2)(
        "roll bomb scissors scissors scissors scissors", "keep", "reveal 12", TILES
    )
    assert game.state["hearts"] == [0, 2, 2] and game.state["active"] == "p2"
    for player in ("p2", "p3", "p2"):
        assert game.state["active"] == player
        game("roll scissors scissors scissors scissors scissors", "keep")


def test_whoever_was_hit_begins(bang: Bang) -> None:
    """BANG-R27, A-BANG10: also an opponent in the gift phase, or one who was named"""
    game = bang()("roll gift gift scissors scissors scissors", "keep", "reveal 1", "reveal 12", TILES)
    assert game.state["active"] == "p3" and game.state["hearts"] == [2, 2, 1]
    named = bang()(
        "roll bomb bomb scissors scissors scissors", "keep", "reveal 10", "name p2", "reveal 12", TILES
    )
    assert named.state["active"] == "p2"
    out = with_hearts(bang(4), 2, 1, 0, 2)(
        "roll gift scissors scissors scissors scissors", "keep", "reveal 12"
    )
    assert out.state["active"] == "p4", "p2 is out now, p3 was before"


def test_the_last_one_with_hearts_wins_at_once(bang: Bang) -> None:
    """BANG-R34"""
    game = with_hearts(bang(), 1, 0, 2)("roll bomb scissors scissors scissors scissors", "keep", "reveal 12")
    assert game.position.over and game.position.winners == (2,) and game.match.awaits == ()
    assert game.position.scores == (0, 0, 2)


def test_two_go_on(bang: Bang) -> None:
    """A-BANG14"""
    game = with_hearts(bang(), 1, 1, 2)("roll bomb scissors scissors scissors scissors", "keep", "reveal 12")
    assert not game.position.over and game.awaited.what == "shuffle"


def test_what_the_dice_show(bang: Bang) -> None:
    """A-BANG1: two bombs, a scissors, a heart, two gifts; or what the box has"""
    assert sorted(Options().faces) == ["bomb", "bomb", "gift", "gift", "heart", "scissors"]
    game = bang(changes={"faces": ("bomb", "bomb", "heart", "heart", "gift", "gift")})
    assert game.refused("roll scissors bomb bomb bomb bomb") == "A-BANG1"


# What is always true


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("scissors", ["reroll", "keep"])
def test_hearts_and_tiles_are_kept(begin: Bang, players: int, scissors: str) -> None:
    """BANG-R18, BANG-R19, BANG-R23, BANG-R35, BANG-R36"""
    for seed in range(8):
        game = begin("big-boom-bang", players, str(seed), scissors=scissors).at_random(random.Random(seed))
        lost, chain, reveals = [], 0, 0
        positions = game.match.positions
        for before, move, now in zip(positions, game.match.moves, positions[1:], strict=False):
            assert sum(now.hearts) + now.supply == 15 and now.supply >= 0
            assert all(0 <= hearts <= 3 for hearts in now.hearts)
            assert sum(now.hearts) >= sum(before.hearts) or move.startswith("reveal")
            chain = chain + 1 if move.startswith("name") else 0 if not move.startswith("reveal") else chain
            chain = chain if now.forced is not None else 0
            assert chain <= 2, "at most two forced reveals follow on each other"
            if move.startswith("shuffle"):
                reveals, loss = 0, 0
            if move.startswith("reveal"):
                reveals += 1
                loss += sum(before.hearts) - sum(now.hearts)
                assert reveals <= 14
                if now.phase in ("shuffle", "over"):
                    lost.append(loss)
                elif len(now.hidden) == 1:
                    assert now.tiles[now.hidden[0] - 1] == "boom", "the last tile is BOOM for certain"
        assert lost and set(lost) == {1} and game.position.over


def test_positions_can_be_compared() -> None:
    """BANG-R4: two openings are one"""
    assert opening(Options()) == opening(Options()) and isinstance(opening(Options()), Position)
