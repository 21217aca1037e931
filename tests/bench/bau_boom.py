"""How the animals play Bau Boom against each other: `python -m tests.bench.bau_boom [GAMES]`.

Every pair plays so many games (200) of each variant for two, the sides alternating; then one of the stronger
plays among three and four. Points: 1 for the winner. In brackets the 95 % interval (Wilson). Then the time
of a thought.
"""

import math
import random
import statistics
import time
from collections.abc import Callable, Sequence

from companion.games.bau_boom.choices import legal
from companion.games.bau_boom.computer import think
from companion.games.bau_boom.notation import parse
from companion.games.bau_boom.position import Move, Options, Position, Variant
from companion.games.bau_boom.rules import awaits, opening, outcome, play
from companion.games.rulebook import pick
from tests.bench.asked import asked

MOST = 4000  # moves, after which a game has no winner
Choose = Callable[[Position, random.Random], Move]
TIMES: dict[str, list[float]] = {}


def player(name: str) -> Choose:
    """Who plays at random, or an animal."""
    if name == "random":
        return lambda position, rng: pick(rng, legal(position))

    def choose(position: Position, rng: random.Random) -> Move:
        begin = time.perf_counter()
        *_, thought = think(position, name, rng, lambda: False)  # type: ignore[arg-type]
        TIMES.setdefault(name, []).append(time.perf_counter() - begin)
        return parse(thought.move)

    return choose


def game(options: Options, players: Sequence[Choose], seed: str) -> tuple[int | None, int]:
    """Play one; return who has won, if anybody, and how many turns it took."""
    rng, position, thrown = random.Random(seed), opening(options), 0
    for _ in range(MOST):
        if position.over:
            return position.winners[0], thrown
        (awaited,) = awaits(position)
        if awaited.who is None:
            thrown += awaited.what == "roll"
            position = play(position, outcome(position, awaited, rng))
        else:
            position = play(position, players[awaited.who](position, rng))
    return None, thrown


def interval(wins: int, games: int) -> str:
    """The share that was won, and where the true one lies with 95 % (Wilson)."""
    share, z = wins / games, 1.96
    middle = (share + z * z / 2 / games) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / 4 / games / games)
    return f"{share:6.1%} ({middle - half:.1%} to {middle + half:.1%})"


def match(variant: Variant, one: str, other: str, players: int, games: int) -> None:
    """One of the one kind among others of the other."""
    wins, lost, turns = 0, 0, []
    for number in range(games):
        seat = number % players
        at_table = [player(one if each == seat else other) for each in range(players)]
        winner, thrown = game(Options(players, variant), at_table, f"{variant} {number // players}")
        wins, lost = wins + (winner == seat), lost + (winner is None)
        turns.append(thrown / players)
    title = f"{variant:8} {players}  {one} against {other}"
    undecided = f"  {lost} without a winner" if lost else ""
    print(
        f"{title:44} {interval(wins, games)}  {statistics.mean(turns):5.1f} turns each{undecided}", flush=True
    )


def main() -> None:
    """All of them."""
    games = asked(__doc__, games=200).games
    variants: tuple[Variant, ...] = ("base", "younger", "clever")
    for variant in variants:
        for one, other in (("mouse", "random"), ("fox", "mouse"), ("dragon", "fox"), ("dragon", "mouse")):
            match(variant, one, other, 2, games)
    for players in (3, 4):
        for one, other in (("mouse", "random"), ("fox", "mouse"), ("dragon", "fox")):
            match("base", one, other, players, games)
    for name, times in TIMES.items():
        milliseconds = [1000 * each for each in sorted(times)]
        slow = milliseconds[len(milliseconds) * 99 // 100]
        median = statistics.median(milliseconds)
        print(f"{name}: a thought takes {median:.2f} ms, 99 % take less than {slow:.1f} ms")


if __name__ == "__main__":
    main()
