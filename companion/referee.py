"""The referee: moves come in as lines, positions go out as JSON; and perft, which counts what is legal."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from companion.games.book import Book
from companion.games.rulebook import Awaited, IllegalMove, Refusal, is_move, seat, words
from companion.language import Texts
from companion.match import Match

LONGEST = 65_536  # bytes of a line; no move is nearly as long
Answer = dict[str, Any]


def lines(stream: BinaryIO) -> Iterator[str]:
    """Yield the lines of a stream of any bytes; one that is far too long is cut, and ends with dots.

    The sign with which some programs begin a text in UTF-8 is left out.
    """
    first = True
    while line := stream.readline(LONGEST):
        rest = line
        while len(rest) == LONGEST and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST)
        cut = "" if rest is line else "…"
        yield line.decode("utf-8-sig" if first else "utf-8", "backslashreplace").rstrip("\r\n") + cut
        first = False


class Referee:
    """Plays the lines that it is given; says in a language why it refuses one.

    If it `throws`, it also plays all that the table provides.
    """

    def __init__(self, match: Match, texts: Texts, throws: bool = False) -> None:
        self.match, self._texts, self._throws = match, texts, throws
        self.refused = 0

    def answers(self, moves: Iterable[str]) -> Iterator[Answer]:
        """Yield the opening position, then what comes of each move, and of each throw."""
        yield self._accepted(None)
        yield from self._thrown()
        for line in filter(is_move, moves):
            yield self._answer(words(line))
            yield from self._thrown()

    def _answer(self, line: str) -> Answer:
        try:
            paced = self._throws and line in self.match.book.paced
            return self._accepted(self.match.play(self.match.throw_paced(line) if paced else line))
        except Refusal as refusal:
            self.refused += 1
            return self._refused(line, refusal)

    def _thrown(self) -> Iterator[Answer]:
        """Play what the table provides; what has a pace of its own waits for its word."""
        while self._throws and (
            due := [each for each in self.match.awaits if each.who is None and not each.paced]
        ):
            yield self._accepted(self.match.play(self.match.throw(due[0])))

    def _accepted(self, move: str | None) -> Answer:
        state = self.match.book.notation.state(self.match.position)
        return {"ok": True, "move": move, **_standing(self.match), "state": state}

    def _refused(self, line: str, refusal: Refusal) -> Answer:
        illegal = isinstance(refusal, IllegalMove)
        error = {
            "kind": "illegal" if illegal else "syntax",
            "rule": refusal.rule if isinstance(refusal, IllegalMove) else None,
            "message": self._texts(refusal.text, **refusal.fields),
        }
        return {"ok": False, "move": line, "error": error, **_standing(self.match)}


def _standing(match: Match) -> Answer:
    position = match.position
    return {
        "awaits": [_awaited(match, awaited) for awaited in match.awaits],
        "over": position.over,
        "winners": [seat(player) for player in position.winners],
        "scores": list(position.scores),
    }


def _awaited(match: Match, awaited: Awaited[Any]) -> Answer:
    answer: Answer = {
        "who": "chance" if awaited.who is None else seat(awaited.who),
        "what": awaited.what,
    }
    if awaited.dice is not None:
        answer["dice"] = list(awaited.dice)
    if awaited.count is not None:
        answer["count"] = awaited.count
    return answer | {"legal": match.texts(awaited)}


def encode(answer: Answer) -> str:
    """Return an answer as one line of JSON."""
    return json.dumps(answer, ensure_ascii=False)


def perft(book: Book, position: Any, depth: int) -> int:
    """Return how many sequences of `depth` decisions are legal, without any throw or deal among them."""
    if depth == 0:
        return 1
    decisions = [
        move
        for awaited in book.rules.awaits(position)
        if awaited.who is not None
        for move in awaited.moves or ()
    ]
    if depth == 1:
        return len(decisions)
    return sum(perft(book, book.rules.play(position, move), depth - 1) for move in decisions)
