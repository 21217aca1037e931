"""How fast a program can play through `companion referee`: every line waits for its answer.

    python -m tests.bench.referee [MOVES]

Prints for every game the moves a second, legal moves included, as the median and the spread of five runs.
The decisions and the throws are drawn beforehand, so that only the referee is measured.
"""

import json
import random
import statistics
import subprocess
import sys
import time

from companion.config import CONFIG
from companion.games.book import Book, books
from companion.match import Match, seeded
from tests.bench.asked import asked

RUNS = 5


def game(book: Book, moves: int, seed: int) -> list[str]:
    """Games of random players, one begun after the other, cut into what one referee can play."""
    match, choose = Match(book, book.agree(CONFIG), seeded(str(seed))), random.Random(seed)
    while not match.position.over and len(match.moves) < moves:
        awaited = choose.choice(match.awaits)
        if awaited.who is None:
            match.play(match.throw(awaited))
        else:  # nobody ends a game that can be ended at will
            match.play(choose.choice([text for text in match.texts(awaited) or [] if text != "end"]))
    return match.moves


def seconds(name: str, lines: list[str]) -> float:
    """Play the lines through a referee; its start does not count."""
    command = [sys.executable, "-m", "companion", "referee", name]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as court:
        assert court.stdin and court.stdout
        court.stdout.readline()
        begin = time.perf_counter()
        for line in lines:
            court.stdin.write(line + "\n")
            assert json.loads(court.stdout.readline())["ok"], line
        end = time.perf_counter()
        court.stdin.close()
    return end - begin


def main() -> None:
    """Measure every game."""
    wanted = asked(__doc__, moves=2000).moves
    for name, book in sorted(books().items()):
        rates = []
        for run in range(RUNS):
            done, spent, seed = 0, 0.0, 100 * run
            while done < wanted:
                lines = game(book, wanted - done, seed)
                spent += seconds(name, lines)
                done, seed = done + len(lines), seed + 1
            rates.append(done / spent)
        middle = statistics.median(rates)
        print(f"{name:15} {middle:8.0f} moves/s (from {min(rates):.0f} to {max(rates):.0f})")


if __name__ == "__main__":
    main()
