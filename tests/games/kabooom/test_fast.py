"""The quick board of Kabooom! is the board of the rules: every hit, every result, on random games."""

import random
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.kabooom import crowd, fast, rules

AGREED = st.builds(
    rules.Options,
    players=st.integers(2, 4),
    level=st.sampled_from(rules.LEVELS),
    board=st.sampled_from(get_args(rules.Board)),
    dynamite=st.sampled_from(("stack", "explode")),
)


def full(options: rules.Options, rng: random.Random) -> rules.Position:
    """A full board, set or dealt at random."""
    position = rules.opening(options)
    while position.phase != "hit":
        moves = rules.legal(position)
        chance = rules.awaits(position)[0]
        position = rules.play(position, rng.choice(moves) if moves else rules.outcome(position, chance, rng))
    return position


@settings(max_examples=40)
@given(AGREED, st.randoms(use_true_random=False))
def test_every_hit_and_every_result(options: rules.Options, rng: random.Random) -> None:
    position, table = full(options, rng), fast.tables(options)
    board, turn, passes = fast.cells(position), position.turn, position.passes
    while not position.over:
        hits = fast.captures(table, board, turn)
        assert {fast.written(table, move) for move in [*hits, fast.PASS]} == set(rules.legal(position))
        assert fast.scores(table, board) == list(position.scores)
        move = rng.choice([*hits, *hits, fast.PASS])
        kept = board[:]
        if move != fast.PASS:
            was = fast.hit(table, board, move)
            after = board[:]
            fast.undo(board, move, was)
            assert board == kept
            board = after
        code = fast.written(table, move)
        assert isinstance(code, rules.Hit | rules.Pass) and fast.read(table, code) == move
        position = rules.play(position, code)
        passed = passes + 1 if move == fast.PASS else 0
        turn, passes, over = fast.settled(table, board, (turn + 1) % options.players, passed)
        assert (board, over) == (fast.cells(position), position.over)
        assert over or (turn, passes) == (position.turn, position.passes)
    assert fast.scores(table, board) == list(position.scores)


@settings(max_examples=20)
@given(AGREED, st.randoms(use_true_random=False))
def test_a_game_in_the_head_ends_with_nobody_willing(options: rules.Options, rng: random.Random) -> None:
    """A playout leaves a board that hits can have led to: no stone is added, all are counted (KAB-R32)."""
    position, table = full(options, rng), fast.tables(options)
    board = fast.cells(position)
    points = crowd.playout(table, board, position.turn, position.passes, rng)
    stones = sum(fast.height(cell) for cell in board)
    assert stones == 24 if options.dynamite == "stack" else stones <= 24
    assert points == fast.scores(table, board)
