"""How soon somebody thinks, and what it costs: `python -m tests.bench.thinking`.

For each game that the computer can play: milliseconds from a question to the first thought, of a process
that has to be started for it and of one that is there, and from a new question to its first thought while
another one is thought about (the median of so many); megabytes of memory of the process then.
"""

import json
import queue
import statistics
import time

from companion.config import CONFIG
from companion.events import Heard
from companion.games import part
from companion.games.book import Book, books
from companion.match import Match, seeded
from companion.mind.mind import Mind
from companion.mind.questions import BestMove, Question
from tests.bench.asked import asked
from tests.mind.thinkers import Endless
from tests.process import memory

TIMES = 20


class Timed:
    """A mind, and how long its first answers take."""

    def __init__(self) -> None:
        self._said: queue.Queue[Heard] = queue.Queue()
        self.mind = Mind(self._said.put)

    def first(self, question: Question) -> float:
        """Milliseconds until the first answer."""
        began = time.perf_counter()
        self.mind.ask(question)
        while not list(self.mind.hear(self._said.get())):
            pass
        return 1000 * (time.perf_counter() - began)

    @property
    def megabytes(self) -> float:
        """What the process takes of the memory."""
        assert self.mind.child
        return memory(self.mind.child.process.pid)


def question(book: Book) -> BestMove:
    """The strongest is asked about the first decision."""
    match = Match(book, book.agree(CONFIG), seeded("bench"))
    while match.awaits[0].who is None:
        match.play(match.throw(match.awaits[0]))
    strongest = part(book.name, "computer").STRENGTHS[-1]
    return BestMove(book.name, match.options, tuple(match.moves), strongest, "bench")


def measured(book: Book) -> dict[str, object]:
    """The figures of one game."""
    begun, there, busy, took = list[float](), list[float](), list[float](), list[float]()
    for _ in range(TIMES):
        timed = Timed()
        begun.append(timed.first(question(book)))
        there.append(timed.first(question(book)))
        timed.first(Endless())
        busy.append(timed.first(question(book)))
        took.append(timed.megabytes)
        timed.mind.close()
    figures = {"started_ms": begun, "there_ms": there, "busy_ms": busy, "megabytes": took}
    return {"game": book.name} | {key: round(statistics.median(each), 1) for key, each in figures.items()}


if __name__ == "__main__":
    asked(__doc__)
    for book in books().values():
        if part(book.name, "computer"):
            print(json.dumps(measured(book)))
