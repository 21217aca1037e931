"""BIG BOOM! BANG between computers: `python -m tests.bench.bang [GAMES]`.

First dragons alone: from some states of hearts, how often each seat wins, beside what the table promises.
Then the strengths against each other, at seats that change from game to game. With 95 % confidence intervals.
"""

import math
import random
from collections.abc import Sequence

from companion.games.big_boom_bang import notation
from companion.games.big_boom_bang.computer import think
from companion.games.big_boom_bang.rules import Options, Position, awaits, outcome, play
from companion.games.big_boom_bang.winning import chances
from companion.games.thought import Strength
from tests.bench.asked import asked

GAMES = 1200
STATES = ((2, 2, 2), (1, 3, 2), (3, 1, 1), (2, 1, 2, 1))
TABLES: tuple[tuple[Strength, ...], ...] = (
    ("dragon", "mouse", "mouse"),
    ("dragon", "fox", "fox"),
    ("fox", "mouse", "mouse"),
    ("mouse", "dragon", "dragon"),
    ("fox", "dragon", "dragon"),
    ("dragon", "fox", "mouse"),
)


def winner(start: Position, minds: Sequence[Strength], rng: random.Random) -> int:
    """Who wins a game from here on, if these play it."""
    position = start
    while not position.over:
        (awaited,) = awaits(position)
        if awaited.who is None:
            position = play(position, outcome(position, awaited, rng))
        else:
            *_, thought = think(position, minds[awaited.who], rng, lambda: False)
            position = play(position, notation.parse(thought.move))
    return position.winners[0]


def share(wins: int, games: int) -> str:
    """A share in per cent with its interval (normal approximation)."""
    part = wins / games
    return f"{100 * part:5.1f} ± {196 * math.sqrt(part * (1 - part) / games):3.1f} %"


def main(games: int) -> None:
    """Both lists."""
    rng = random.Random(1)
    for hearts in STATES:
        start = Position(Options(len(hearts)), "shuffle", hearts)
        wins = [0] * len(hearts)
        for _ in range(games):
            wins[winner(start, ["dragon" for _ in hearts], rng)] += 1
        for seat, promised in enumerate(chances(start)):
            said = f"{share(wins[seat], games)}, promised {100 * promised:.1f} %"
            print(f"hearts {hearts}, seat {seat + 1}: {said}", flush=True)
    for minds in TABLES:
        first = 0
        for game in range(games):
            turn = game % len(minds)
            seats = (*minds[turn:], *minds[:turn])
            found = winner(Position(Options(len(minds)), "shuffle", (2,) * len(minds)), seats, rng)
            first += (found + turn) % len(minds) == 0
        print(f"{minds[0]} against {' and '.join(minds[1:])}: {share(first, games)}", flush=True)


if __name__ == "__main__":
    main(asked(__doc__, games=GAMES).games)
