"""Learns what neighbours are worth in Kabooom! for two: `python -m tests.bench.kabooom_learn [--games N]
[--only S]`.

Plays games of the search (two moves ahead, one in eight moves at random among its five best) from random
deals and some random hits, notes what each board's points still changed to under the exact end, and fits the
weights of `companion/games/kabooom/judge.py` by least squares with a small ridge. Run it several times: it
begins with the weights that are there. Seeded; writes `companion/games/kabooom/learned.py`."""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import numpy as np

from companion.games.kabooom import fast, judge, learned, rules
from companion.games.kabooom.endgame import Solver
from companion.games.kabooom.search import Search

SOLVED = 10  # towers from which on the end is exact
RIDGE = 30.0
Note = tuple[list[tuple[int, int]], float]


def dealt(options: rules.Options, rng: random.Random) -> tuple[list[int], int]:
    """A random deal, and how many random hits it goes through."""
    position = rules.opening(rules.Options(level="easy", board=options.board, dynamite=options.dynamite))
    deal = rules.outcome(position, rules.awaits(position)[0], rng)
    return fast.cells(rules.play(position, deal)), rng.randrange(7)


def game(options: rules.Options, rng: random.Random) -> Iterator[tuple[list[int], int, float]]:
    """Boards, who is to move, and what the lead still changed by."""
    table = fast.tables(options)
    board, wild = dealt(options, rng)
    solver = Solver(table, lambda: False)
    seen: list[tuple[list[int], int, int]] = []
    turn = passes = 0
    while True:
        turn, passes, over = fast.settled(table, board, turn, passes)
        points = fast.scores(table, board)
        lead = points[0] - points[1]
        gain = 0 if over else None
        if gain is None and sum(map(bool, board)) <= SOLVED:
            gain = solver.gain(board, turn, passes) * (1 - 2 * turn)
        if gain is not None:
            break
        seen.append((board[:], turn, lead))
        moves = [move for move, _ in Search(table, board, turn, passes, lambda: False).ranked(0)]
        if len(seen) <= wild:
            move = rng.choice([move for move in moves if move != fast.PASS])
        elif rng.random() < 0.125:
            move = rng.choice(moves[:5])
        else:
            *_, found = Search(table, board, turn, passes, lambda: False).deepen(2)
            move = found.move
        if move == fast.PASS:
            passes += 1
        else:
            fast.hit(table, board, move)
            passes = 0
        turn = 1 - turn
    for past, mover, before in seen:
        yield past, mover, (lead + gain - before) * (1 - 2 * mover)
    if sum(map(bool, board)) <= SOLVED:
        yield from ends(table, solver, board, turn, rng)


def ends(
    table: fast.Tables, solver: Solver, board: list[int], turn: int, rng: random.Random
) -> Iterator[tuple[list[int], int, float]]:
    """Random ways on from a board of few towers, with what each is exactly worth."""
    passes = 0
    while not fast.settled(table, board, turn, passes)[2]:
        turn, passes, _ = fast.settled(table, board, turn, passes)
        yield board[:], turn, solver.gain(board, turn, 0)
        fast.hit(table, board, rng.choice(fast.captures(table, board, turn)))
        turn, passes = 1 - turn, 0


def learn(options: list[rules.Options], games: int, seed: int) -> tuple[list[int], float, int]:
    """The weights, how much of the variance they explain on every tenth game, the number of boards."""
    rng, places = random.Random(f"{options[0]} {seed}"), judge.places()
    rows, targets, held = [], [], []
    for number in range(games):
        for board, mover, gain in game(options[number % len(options)], rng):
            near = fast.tables(options[number % len(options)]).near
            row = np.zeros(len(places), np.float32)
            for place, cell in enumerate(board):
                for other in near[place]:
                    if cell and other > place and board[other]:
                        row[places[judge.kind(cell, board[other], mover)]] += 1
            rows.append(row)
            targets.append(gain)
            held.append(number % 10 == 0)
    x, y, test = np.array(rows), np.array(targets), np.array(held)
    square = x[~test].T @ x[~test] + RIDGE * np.eye(len(places))
    weights = np.linalg.solve(square, x[~test].T @ y[~test])
    rest = y[test] - x[test] @ weights
    return (
        [round(judge.POINT * w) for w in weights],
        1 - float((rest**2).sum() / (y[test] ** 2).sum()),
        len(y),
    )


def main() -> None:
    """All settings, or one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    asked = parser.parse_args()
    for level in rules.LEVELS:
        for dynamite in ("stack", "explode"):
            setting = f"{level} {dynamite}"
            if asked.only in (None, setting):
                chosen: dict[str, Any] = {"level": level, "dynamite": dynamite}
                agreed = [rules.Options(board=board, **chosen) for board in get_args(rules.Board)]
                weights, explained, seen = learn(agreed, asked.games, asked.seed)
                learned.WEIGHTS[setting] = " ".join(map(str, weights))
                print(f"{setting}: {seen} boards, {explained:.1%} of the variance explained", flush=True)
                judge.judges.cache_clear()
    path, rows = Path(learned.__file__), sorted(learned.WEIGHTS.items())
    head, _, rest = path.read_text().partition("WEIGHTS: dict[str, str] = {\n")
    lines = "".join(f'    "{setting}": "{numbers}",  # noqa: E501\n' for setting, numbers in rows)
    path.write_text(f"{head}WEIGHTS: dict[str, str] = {{\n{lines}}}\n{rest.partition('}' + chr(10))[2]}")


if __name__ == "__main__":
    main()
