"""The referee: moves come in as lines, positions go out as JSON; and perft, which counts what is legal."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from companion.games.book import Book
from companion.games.rulebook import Awaited, IllegalMove, NotationError, seat, words
from companion.match import Match

LONGEST = 65_536  # bytes of a line; no move is nearly as long
Answer = dict[str, Any]


def lines(stream: BinaryIO) -> Iterator[str]:
    """Yield the lines of a stream of any bytes; of one that is far too long only its beginning."""
    while line := stream.readline(LONGEST):
        rest = line
        while len(rest) == LONGEST and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST)
        yield line.decode("utf-8", "backslashreplace").rstrip("\r\n")


def is_move(line: str) -> bool:
    """Whether a line is neither blank nor a remark."""
    text = line.strip()
    return bool(text) and not text.startswith("#")


def answers(match: Match, moves: Iterable[str], throws: bool = False) -> Iterator[Answer]:
    """Yield the opening, then what comes of each move, and of each throw if the companion `throws`."""
    yield accepted(match, None)
    if throws:
        yield from _thrown(match)
    for line in filter(is_move, moves):
        yield _answer(match, words(line), throws)
        if throws:
            yield from _thrown(match)


def _answer(match: Match, line: str, throws: bool) -> Answer:
    try:
        paced = throws and any(awaited.paced and awaited.what == line for awaited in match.awaits)
        return accepted(match, match.play(match.throw_paced(line) if paced else line))
    except (NotationError, IllegalMove) as error:
        return refused(match, line, error)


def _thrown(match: Match) -> Iterator[Answer]:
    """Play what the table provides; what has a pace of its own waits for its word."""
    while due := [awaited for awaited in match.awaits if awaited.who is None and not awaited.paced]:
        yield accepted(match, match.play(match.throw(due[0])))


def accepted(match: Match, move: str | None) -> Answer:
    """Return what is said of a move that was played; of None at the opening."""
    return {"ok": True, "move": move, **_standing(match), "state": match.book.notation.state(match.position)}


def refused(match: Match, line: str, error: NotationError | IllegalMove) -> Answer:
    """Return what is said of a line that was refused."""
    rule = error.rule if isinstance(error, IllegalMove) else None
    kind = "illegal" if isinstance(error, IllegalMove) else "syntax"
    return {
        "ok": False,
        "move": line,
        "error": {"kind": kind, "rule": rule, "message": str(error)},
        **_standing(match),
    }


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
