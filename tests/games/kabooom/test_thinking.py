"""Kabooom!'s computer: exact ends, legal moves, true reasons, and that it stops when it is told to."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.kabooom import (
    computer,
    crowd,
    duel,
    endgame,
    fast,
    judge,
    notation,
    reasons,
    review,
    rules,
)
from companion.games.kabooom.search import Search
from companion.games.thought import ANIMALS, Pressed, Strength, Thought
from tests.bench.kabooom import minimax, small
from tests.games.kabooom.test_fast import AGREED, full
from tests.games.kabooom.test_hitting import board as towers


def never() -> bool:
    return False


def after(calls: int) -> tuple[Pressed, Callable[[], int]]:
    """Pressed from a call on, and how often was asked."""
    asked = 0

    def pressed() -> bool:
        nonlocal asked
        asked += 1
        return asked > calls

    return pressed, lambda: asked


def last(position: rules.Position, strength: Strength, seed: int = 1, calls: int = 12) -> Thought:
    *_, thought = computer.think(position, strength, random.Random(seed), after(calls)[0])
    return thought


# The exact end


@pytest.mark.parametrize("seed", range(60))
def test_ends_are_solved_as_plain_minimax_does(seed: int) -> None:
    """The solver's gain and its move, and the dragon's move, against every line of the rules."""
    rng = random.Random(seed)
    position = replace(small(rng, 4, 8), passes=seed % 2)  # every other time the other one has passed
    known: dict[object, int] = {}
    sign = 1 - 2 * position.turn
    best = sign * minimax(position, known)
    table, cells = fast.tables(position.options), fast.cells(position)
    points = position.scores
    lead = points[position.turn] - points[1 - position.turn]
    solver = endgame.Solver(table, never)
    assert lead + solver.gain(cells, position.turn, position.passes) == best
    order = [*fast.captures(table, cells, position.turn), fast.PASS]
    *_, (move, low, exact) = solver.best(cells, position.turn, position.passes, lead, order)
    assert exact and low == best
    assert sign * minimax(rules.play(position, fast.written(table, move)), known) == best
    dragon = notation.parse(last(position, "dragon", calls=10**9).move)
    if position.passing_ends and lead < 0 and len(order) > 1:  # a pass would lose at once
        hits = [fast.written(table, move) for move in order[:-1]]
        best = max(sign * minimax(rules.play(position, hit), known) for hit in hits)
    assert sign * minimax(rules.play(position, dragon), known) == best


@pytest.mark.parametrize("seed", range(20))
def test_a_full_search_without_judgement_is_minimax(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Alpha-beta with all it has, but no guesses: as deep as the game goes it must find the same value."""
    nothing = ((0,) * 256,) * 256
    monkeypatch.setattr("companion.games.kabooom.search.judges", lambda options: (nothing, nothing))
    position = small(random.Random(seed), 3, 6)
    *_, found = Search(
        fast.tables(position.options), fast.cells(position), position.turn, position.passes, never
    ).deepen()
    assert found.value == judge.POINT * (1 - 2 * position.turn) * minimax(position, {})


def test_what_nobody_disputes_is_taken_before_a_pass_ends_the_game() -> None:
    """Unless the pass takes more from the other one, who has something undisputed as well, and wins."""
    takes = {"a1-b1", "b1-a1"}
    assert last(towers("a1:1r b1:1r e5:2r2", passes=1), "dragon").move in takes
    assert last(towers("a1:1r b1:1r e1:2s4 d1:2s4", passes=0), "dragon").move in takes
    assert last(towers("a1:1r b1:1r a5:1s20 e1:2s4 d1:2s4 e5:2r d5:2r", passes=1), "dragon").move == "pass"


LOST = """
    deal a1:2p b1:1s c1:1d d1:2s e1:1p f1:1s g1:2p h1:2d a2:1r b2:1s c2:2r d2:2r e2:1d f2:1r g2:2s h2:1p
    a3:2p b3:1p c3:1d d3:2r e3:2d f3:2d g3:1r h3:2s; a2-b1; g2-h3; h2-g3; c2-b2; f1-e1; pass
"""
WON = """
    deal a1:1r b1:1s c1:2r d1:2r e1:1d f1:2s g1:2s h1:2d a2:2s b2:2p c2:1p d2:1s e2:1p f2:1d g2:1p h2:2p
    a3:2d b3:2r c3:2d d3:2p e3:1r f3:1r g3:1s h3:1d; e1-f1; pass
"""


def reached(text: str) -> rules.Position:
    position = rules.opening(rules.Options(level="easy", board="3x8"))
    for line in " ".join(text.split()).split("; "):
        position = rules.play(position, notation.parse(line))
    return position


@pytest.mark.parametrize("strength", ["fox", "wolf", "dragon"])
def test_nobody_who_looks_ahead_gives_up_or_lets_a_victory_go(strength: Strength) -> None:
    """KAB-R30. The other one has passed: a pass ends the game, whatever the search has found by then."""
    for calls in (0, 30, 300):
        behind, ahead = reached(LOST), reached(WON)
        assert (behind.scores, ahead.scores) == ((8, 10), (9, 8))
        assert last(behind, strength, calls=calls).move != "pass"
        thought = last(ahead, strength, calls=calls)
        assert thought.move == "pass" and thought.why.text == "ends the game, {points} ahead"


def test_nor_does_anybody_at_a_table_of_three() -> None:
    ahead = towers("a1:1r6 b1:1s c1:2r c2:3p e5:2r e4:3s", players=3, passes=2)
    assert last(ahead, "dragon").move == "pass"
    behind = towers("a1:1r b1:2s c1:2r6 c2:3p e5:2r e4:3s", players=3, passes=2)
    assert last(behind, "dragon", calls=200).move != "pass"


@pytest.mark.parametrize("players", [2, 3])
def test_nor_where_the_others_can_only_pass(players: int) -> None:
    """A-KAB9. Nobody else has a hit: one pass ends it, though nobody has passed yet."""
    ahead = towers("a1:1r6 b1:1s e5:2r", players=players)
    assert ahead.passing_ends and ahead.passes == 0
    assert last(ahead, "dragon").move in ("pass", "a1-b1", "b1-a1")
    behind = towers("a1:1r b1:1s e5:2r9", players=players)
    assert behind.passing_ends and last(behind, "dragon", calls=100).move != "pass"


# Every strength, every setting


@settings(max_examples=25)
@given(
    AGREED,
    st.sampled_from(ANIMALS),
    st.integers(0, 24),
    st.integers(0, 18),
    st.randoms(use_true_random=False),
)
def test_every_thought_is_a_legal_move(
    options: rules.Options, strength: Strength, stones: int, hits: int, rng: random.Random
) -> None:
    position = rules.opening(options)
    if options.level == "easy" or stones == 24:
        position = full(options, rng)
    while position.phase == "place" and sum(map(bool, position.board)) < stones:
        position = rules.play(position, rng.choice(rules.legal(position)))
    for _ in range(hits):
        if position.phase == "hit":
            position = rules.play(position, rng.choice(rules.legal(position)))
    thoughts = list(computer.think(position, strength, rng, after(6)[0]))
    assert bool(thoughts) is not position.over
    for thought in thoughts:
        assert notation.parse(thought.move) in rules.legal(position)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("level", ["easy", "hard"])
def test_it_stops_when_pressed(players: int, level: str) -> None:
    """Pressed at once there is a thought all the same; after it is pressed it is hardly asked again."""
    options = rules.Options(players=players, level="easy" if level == "easy" else "hard")
    rng = random.Random(1)
    positions = [full(options, rng)] + ([rules.opening(options)] if level == "hard" else [])
    for position in positions:
        for calls in (0, 5):
            pressed, asked = after(calls)
            assert list(computer.think(position, "dragon", random.Random(1), pressed))
            assert calls < asked() <= calls + 2


def test_it_asks_whether_to_stop_however_much_of_the_game_is_known() -> None:
    """All lines of this position end before the search is at its depth."""
    position = towers("a1:1r b1:1s c1:2p a2:2s b2:1p c2:2r a3:1d b3:2d a4:1r")
    table, cells = fast.tables(position.options), fast.cells(position)
    pressed, asked = after(10**9)
    deep = Search(table, cells, position.turn, 0, pressed)
    *_, found = deep.deepen()
    assert found.depth > 12 and asked() >= deep.nodes // 32 > 100


def test_solving_stops_when_pressed() -> None:
    position = full(rules.Options(), random.Random(3))
    pressed, asked = after(2)
    solver = endgame.Solver(fast.tables(position.options), pressed)
    with pytest.raises(endgame.Stopped):
        solver.gain(fast.cells(position), 0, 0)
    assert asked() == 3


@pytest.mark.parametrize("strength", ["mouse", "hare", "fox"])
@pytest.mark.parametrize("phase", ["place", "hit"])
def test_the_same_chance_brings_the_same_thoughts(strength: Strength, phase: str) -> None:
    options = rules.Options()
    position = rules.opening(options) if phase == "place" else full(options, random.Random(2))
    one, two = (list(computer.think(position, strength, random.Random(7), never)) for _ in range(2))
    assert one == two


def test_the_mouse_makes_mistakes_of_its_kind() -> None:
    """It takes a stone although paper waits beside it for the tower; the dragon does not."""
    position = towers("a1:1r3 b1:2s c1:2p", level="easy")
    assert last(position, "mouse", 3).move == "a1-b1"
    assert last(position, "dragon", 3, 10**9).move == "pass"


def test_the_mouse_looks_where_the_high_towers_are() -> None:
    position = towers("a1:1r9 b1:2s e5:1r d5:2s", level="easy")
    assert {last(position, "mouse", seed).move for seed in range(20)} == {"a1-b1"}


# Reasons


def why(
    position: rules.Position, line: str, lead: float = 0, certain: bool = False
) -> tuple[str, dict[str, object]]:
    table, move = fast.tables(position.options), notation.parse(line)
    assert isinstance(move, rules.Hit | rules.Pass)
    said = reasons.move(position, duel.View(fast.read(table, move), lead, certain))
    return said.text, dict(said.fields)


def test_reasons_of_hits() -> None:
    game = towers("a1:1r b1:2s3 e5:2p d5:1p c5:1r")
    assert why(game, "a1-b1") == (
        "takes a tower of {height}, and nobody can reach it any more",
        {"height": 3},
    )
    assert why(game, "a1-b1", 2, True) == ("wins for certain, by {points} at least", {"points": 2})
    beside = towers("a1:1r b1:2s3 c1:2p e5:2p d5:1p")
    assert why(beside, "a1-b1") == ("takes a tower of {height}", {"height": 3})
    flight = towers("a1:1r4 b1:1s a2:2p d1:2r e1:2r", board="3x8")
    assert why(flight, "a1-b1")[0] != "saves the tower on {square}", "the paper reaches b1, too"
    away = towers("b1:1r4 c1:1s a2:2p", board="3x8")
    assert why(away, "b1-c1") == ("saves the tower on {square}", {"square": "b1"})
    assert why(towers("a1:1r b1:1r d1:2p e1:2p"), "a1-b1") == (
        "nobody can reach the tower on {square} any more",
        {"square": "b1"},
    )


def test_reasons_of_dynamite_and_passing() -> None:
    game = towers("a1:1d b1:2s4 c1:2s d5:1p3 e5:2p")
    text = "lays dynamite on a tower of {height}: it scores nothing any more"
    assert why(game, "a1-b1") == (text, {"height": 4})
    blown = replace(game, options=replace(game.options, dynamite="explode"))
    assert why(blown, "a1-b1") == ("blows a tower of {height} away", {"height": 4})
    assert (
        why(towers("a1:1d b1:2s c1:1p d5:2p"), "a1-b1")[0] == "what stood on {square} can hit nobody any more"
    )
    ahead = towers("a1:1r5 b1:1s e5:2p d5:2r", passes=1)
    assert why(ahead, "pass") == ("ends the game, {points} ahead", {"points": 4})
    even = towers("a1:1r2 b1:2s2 e5:2p d5:2r", passes=1)
    assert why(even, "pass")[0] == "ends the game, and nobody has more points", "it does not wait"


@settings(max_examples=20)
@given(AGREED, st.randoms(use_true_random=False))
def test_out_of_reach_is_out_of_reach(options: rules.Options, rng: random.Random) -> None:
    """What is called safe is never taken by others, however the game goes on."""
    position, table = full(options, rng), fast.tables(options)
    board = fast.cells(position)
    said: dict[int, int] = {}
    turn = 0
    for _ in range(60):
        said |= {p: cell >> 7 for p, cell in enumerate(board) if cell and reasons.safe(table, board, p)}
        hits = fast.captures(table, board, turn)
        if hits:
            move = rng.choice(hits)
            assert said.get(move & 31, turn) == turn
            for place in divmod(move, 32):
                said.pop(place, None)
            fast.hit(table, board, move)
        turn = (turn + 1) % options.players


def test_reasons_of_stones() -> None:
    position = rules.opening(rules.Options())
    for line in ("place s a1", "place p e5"):
        position = rules.play(position, notation.parse(line))
    at = rules.squares("5x5hole").index
    rock = reasons.set_stone(position, 0, at("c2"))
    assert rock.text == "{stone} is threatened by nobody here"
    position = rules.play(rules.play(position, notation.parse("place d e1")), notation.parse("place s a2"))
    rock = reasons.set_stone(position, 0, at("b2"))
    assert (rock.text, rock.fields["count"]) == ("{stone} threatens {count} here, and nobody threatens it", 1)
    afraid = reasons.set_stone(position, 0, at("d4"))
    assert afraid.text == "keeps the dynamite for later", "the paper on e5 threatens it"
    spent = replace(position, supply=((1, 1, 1, 0), (1, 1, 1, 0)))
    lonely = reasons.set_stone(spent, 0, at("d4"))
    assert (lonely.text, lonely.fields["count"]) == ("{stone} stands beside {count} here", 1)


# What decided


def played(options: rules.Options, seed: int) -> tuple[list[rules.Position], list[str]]:
    rng = random.Random(seed)
    positions, moves = [full(options, rng)], list[str]()
    while not positions[-1].over:
        thought = last(positions[-1], "hare", rng.randrange(99))
        moves.append(thought.move)
        positions.append(rules.play(positions[-1], notation.parse(thought.move)))
    return positions, moves


def test_the_blunder_is_found() -> None:
    """A tower of six is given to the paper beside it; not to move was better."""
    start = towers("a1:1r b1:1s6 a2:2p c5:1p e5:2r d5:2s e4:1s")
    moves = ["a1-b1", "a2-b1", "pass"]
    positions = [start]
    for line in moves:
        positions.append(rules.play(positions[-1], notation.parse(line)))
    *_, found = review.deciding(positions, moves, never)
    assert (found[0].number, found[0].player, found[0].played) == (0, 0, "a1-b1") and found[0].points >= 5


@pytest.mark.parametrize("players", [2, 3])
def test_three_moves_at_most(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "_AHEAD", 3)
    monkeypatch.setattr(review, "_GAMES", 20)
    positions, moves = played(rules.Options(players=players, level="easy"), 2)
    found: tuple[review.Deciding, ...] = ()
    for found in review.deciding(positions, moves, never):
        assert len(found) <= review.DECIDING
        assert [each.points for each in found] == sorted((each.points for each in found), reverse=True)
    for each in found:
        assert moves[each.number] == each.played != each.better
        assert positions[each.number].turn == each.player
        assert notation.parse(each.better) in rules.legal(positions[each.number])


def test_the_review_stops_when_pressed() -> None:
    positions, moves = played(rules.Options(level="easy"), 4)
    pressed, asked = after(3)
    assert len(list(review.deciding(positions, moves, pressed))) <= 1 and asked() == 4


def test_shares_of_a_victory() -> None:
    """Sharing is worth half, being second is better than being last."""
    assert crowd.shares([3, 3, 0])[:2] == [0.5, 0.5]
    first, second, third = crowd.shares([5, 3, 0])
    assert first > 1 and 0 > second > third


def test_all_pairs_have_a_weight() -> None:
    """Whatever two neighbours there are, they are judged; what beats goes with what is beaten."""
    towers_ = [cell for cell in range(256) if 0 < cell & 31 <= 24]
    places = judge.places()
    assert {judge.kind(one, other, 0) for one in towers_ for other in towers_[::7]} <= set(places)
    for one in towers_[::5]:
        for other in towers_[::3]:
            assert judge.kind(one, other, 1) == judge.kind(other, one, 1)
    for level in get_args(rules.Level):
        for dynamite in ("stack", "explode"):
            options = replace(rules.Options(), level=level, dynamite=dynamite)
            first, second = judge.judges(options)
            assert any(map(any, first)) and len(first) == len(second) == 256
