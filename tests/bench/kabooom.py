"""How well Kabooom! is played: `python -m tests.bench.kabooom WHITE BLACK [--games N] [--budget S] …`.

Players: mouse, hare, fox, wolf, dragon (the product), random, greedy (`kabooom_rivals.py`), carlo (flat Monte
Carlo with the same time), plain (alpha-beta of four moves, points only, without a limit of time). Budgets are
seconds of processor time. Games come in pairs with the same deal, sides changed; boards, levels and readings
of dynamite take turns unless they are named. `league` plays all strengths against each other; `ends` checks
positions of at most twelve towers against a plain minimax over the rules."""

import argparse
import itertools
import math
import random
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.games.kabooom import computer, endgame, fast, notation, rules
from companion.games.thought import ANIMALS, Strength
from tests.bench import kabooom_rivals as rivals

Player = Callable[[rules.Position, random.Random, float], rules.Move]


def thinker(strength: Strength) -> Player:
    """The product's player."""

    def choose(position: rules.Position, rng: random.Random, budget: float) -> rules.Move:
        begin = time.process_time()
        *_, last = computer.think(position, strength, rng, lambda: time.process_time() - begin > budget)
        return notation.parse(last.move)

    return choose


def player(name: str) -> Player:
    """A player by name."""
    return next((thinker(animal) for animal in ANIMALS if animal == name), None) or rivals.RIVALS[name]


def settings(asked: Any) -> list[rules.Options]:
    """All that was asked for, shuffled but always alike."""
    boards: list[Any] = [asked.board] if asked.board else list(rules.BOARDS)
    levels: list[Any] = [asked.level] if asked.level else list(rules.LEVELS)
    readings: list[Any] = [asked.dynamite] if asked.dynamite else ["stack", "explode"]
    mixed = [
        rules.Options(players=asked.players, board=board, level=level, dynamite=dynamite)
        for board, level, dynamite in itertools.product(boards, levels, readings)
    ]
    random.Random(1).shuffle(mixed)
    return mixed


def game(options: rules.Options, seats: list[Player], seed: str, budget: float) -> rules.Position:
    """One game to its end."""
    rng = random.Random(seed)
    position = rules.opening(options)
    while not position.over:
        if position.phase == "deal":
            move: rules.Move = rules.outcome(position, rules.awaits(position)[0], rng)
        else:
            move = seats[position.turn](position, rng, budget)
        position = rules.play(position, move)
    return position


def interval(shares: list[float]) -> tuple[float, float]:
    """The mean share of points and the half width of its 95 % interval (normal, over pairs of games)."""
    mean = sum(shares) / len(shares)
    spread = math.sqrt(sum((share - mean) ** 2 for share in shares) / max(1, len(shares) - 1))
    return mean, 1.96 * spread / math.sqrt(len(shares))


def duel(one: str, other: str, asked: argparse.Namespace) -> float:
    """Play a match between two; every two games have the same deal and seed with sides changed."""
    pairs: list[float] = []
    tally = [0, 0, 0]
    mixed = settings(asked)
    by: dict[str, list[float]] = {}
    begin = time.time()
    for number in range(asked.games // 2):
        options, both = mixed[number % len(mixed)], 0.0
        for side in range(2):
            seats = [player(one), player(other)][:: 1 - 2 * side]
            end = game(options, seats, f"{asked.seed} {number}", asked.budget)
            points = end.scores[side] - end.scores[1 - side]
            tally[1 - (points > 0) + (points < 0)] += 1
            share = (1 + (points > 0) - (points < 0)) / 2
            both += share / 2
            for key in (options.level, options.board, options.dynamite):
                by.setdefault(key, []).append(share)
        pairs.append(both)
    mean, half = interval(pairs)
    print(
        f"{one} - {other}: {100 * mean:.1f} % ± {100 * half:.1f} of {2 * len(pairs)} games "
        f"(+{tally[0]} ={tally[1]} -{tally[2]}), {asked.budget} s, {time.time() - begin:.0f} s in all; "
        + ", ".join(f"{key} {100 * sum(got) / len(got):.0f}" for key, got in sorted(by.items())),
        flush=True,
    )
    return mean


def crowd(one: str, other: str, asked: argparse.Namespace) -> None:
    """Three or four at the table: `one` on each seat in turn, the others are all `other`."""
    shares: list[float] = []
    mixed = settings(asked)
    for number in range(max(1, asked.games // asked.players)):
        options, got = mixed[number % len(mixed)], 0.0
        for seat in range(asked.players):
            seats = [player(one if place == seat else other) for place in range(asked.players)]
            end = game(options, seats, f"{asked.seed} {number}", asked.budget)
            got += (seat in end.winners) / len(end.winners) / asked.players
        shares.append(got)
    mean, half = interval(shares)
    print(
        f"{one} among {asked.players - 1} {other}: wins {100 * mean:.1f} % ± {100 * half:.1f} of "
        f"{asked.players * len(shares)} games (alike would be {100 / asked.players:.0f} %), {asked.budget} s",
        flush=True,
    )


def league(asked: argparse.Namespace) -> None:
    """All strengths against each other, and the Elo numbers that explain it best (the fox is 1000)."""
    results = {
        (one, other): duel(one, other, asked) for one, other in itertools.combinations(reversed(ANIMALS), 2)
    }
    elo = dict.fromkeys(ANIMALS, 0.0)
    for _ in range(20000):
        for (one, other), share in results.items():
            share = min(max(share, 0.5 / asked.games), 1 - 0.5 / asked.games)
            wrong = share - 1 / (1 + 10 ** ((elo[other] - elo[one]) / 400))
            elo[one] += 4 * wrong
            elo[other] -= 4 * wrong
    for animal in ANIMALS:
        print(f"{animal:8} {1000 + elo[animal] - elo['fox']:6.0f}")


def small(rng: random.Random, least: int = 4, most: int = 12) -> rules.Position:
    """A position of few towers that random hits have led to."""
    while True:
        options = rng.choice(settings(argparse.Namespace(players=2, board=None, level=None, dynamite=None)))
        position = rules.opening(replace(options, level="easy"))
        position = rules.play(position, rules.outcome(position, rules.awaits(position)[0], rng))
        position, goal = replace(position, options=options), rng.randrange(least, most + 1)
        while not position.over and sum(map(bool, position.board)) > goal:
            position = rules.play(position, rng.choice(rules.legal(position)[:-1]))
        if not position.over and sum(map(bool, position.board)) == goal:
            return position


def minimax(position: rules.Position, known: dict[object, int]) -> int:
    """The lead of player 0 at the end under perfect play: every move by the rules, no cuts, remembered."""
    if position.over:
        return position.scores[0] - position.scores[1]
    key = position.board, position.turn, position.passes
    if key not in known:
        values = [minimax(rules.play(position, move), known) for move in rules.legal(position)]
        known[key] = max(values) if position.turn == 0 else min(values)
    return known[key]


def quick(table: fast.Tables, board: list[int], turn: int, passes: int, known: dict[object, int]) -> int:
    """The same on the quick board, for the many positions of the bench."""
    if passes == 2:
        points = fast.scores(table, board)
        return points[0] - points[1]
    key = *board, turn, passes
    if key not in known:
        values = [quick(table, board, 1 - turn, passes + 1, known)]
        for move in fast.captures(table, board, turn):
            was = fast.hit(table, board, move)
            values.append(quick(table, board, 1 - turn, 0, known))
            fast.undo(board, move, was)
        known[key] = max(values) if turn == 0 else min(values)
    return known[key]


def ends(asked: argparse.Namespace) -> None:
    """Whether the dragon keeps what is won, within its budget, and how long solving takes."""
    rng = random.Random(asked.seed)
    kept = exact = equal = 0
    times: list[float] = []
    while len(times) < asked.games:
        position, known = replace(small(rng), passes=rng.randrange(2)), dict[object, int]()
        sign = 1 - 2 * position.turn
        table, board = fast.tables(position.options), fast.cells(position)
        best = sign * quick(table, board, position.turn, position.passes, known)
        after = rules.play(position, thinker("dragon")(position, rng, asked.budget))
        left = sign * quick(table, fast.cells(after), after.turn, after.passes, known)
        kept += (left > 0) - (left < 0) >= (best > 0) - (best < 0)
        exact += left == best
        lead = sign * (position.scores[0] - position.scores[1])
        begin = time.process_time()
        gain = endgame.Solver(table, lambda: False).gain(board, position.turn, position.passes, -lead)
        times.append(time.process_time() - begin)
        equal += gain + lead == best
    times.sort()
    print(
        f"{len(times)} positions: result kept in {kept}, most points "
        f"in {exact}, solver right in {equal}; solved in {1e3 * times[len(times) // 2]:.1f} ms (median), "
        f"{1e3 * times[len(times) * 99 // 100]:.0f} (99 %), {1e3 * times[-1]:.0f} (longest)"
    )


def main() -> None:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("one")
    parser.add_argument("other", nargs="?")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--budget", type=float, default=0.2)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--board", choices=rules.BOARDS)
    parser.add_argument("--level", choices=rules.LEVELS)
    parser.add_argument("--dynamite", choices=("stack", "explode"))
    asked = parser.parse_args()
    sys.setrecursionlimit(10_000)
    if asked.one == "league":
        league(asked)
    elif asked.one == "ends":
        ends(asked)
    elif asked.players > 2:
        crowd(asked.one, asked.other, asked)
    else:
        duel(asked.one, asked.other, asked)


if __name__ == "__main__":
    main()
