"""The odds of a position on the command line."""

import argparse
import itertools
import json
import math
import random
import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from companion.commands.games import ended, find, played
from companion.config import CONFIG
from companion.games import part
from companion.games.book import Book, books
from companion.games.rulebook import pick
from companion.games.thought import Thought
from companion.language import Message, Texts, ToldError, mark
from companion.match import Match, seeded
from companion.mind.questions import HINT_S

NAME = 44  # letters of the longest name of an answer
BUILDING = "make-n-break"
TASK = ("task", "shown", "total", "pace")  # what can be said of a task that is being built


def odds(options: argparse.Namespace, texts: Texts) -> int:
    """Print the odds after some moves, and what the strongest computer would do; 1 if a move is refused."""
    book = find(options.game)
    room = part(book.name, "odds")
    if room is None:
        known = ", ".join(name for name in books() if part(name, "odds"))
        text = mark("no odds are known of {title}, only of {known}")
        raise ToldError(Message(text, {"title": Message(book.title), "known": known}))
    asked = {key: value for key in TASK if (value := getattr(options, key)) is not None}
    if asked and book.name != BUILDING:
        raise ToldError(Message(mark("only Make 'n' Break has tasks")))
    match = played(options, texts)
    if match is None:
        return 1
    if match.position.over and book.name == BUILDING:
        if not asked:
            _print(ended(match), options.json, texts)
            return 0
        asked.setdefault("total", 0)  # of another round: the stopper of the last one has thrown 30
    for message in room.told(match.position, **asked):
        _print(message, options.json, texts)
    thought = hint(match)
    if thought:
        fields = {"move": thought.move, "why": thought.why, "worth": thought.worth}
        _print(Message(mark("Hint: {move}. {why}"), fields), options.json, texts)
    return 0


def hint(match: Match) -> Thought | None:
    """What the strongest computer would do now, if it is for a player to decide and there is a computer."""
    computer = part(match.book.name, "computer")
    if computer is None or not any(awaited.who is not None for awaited in match.awaits):
        return None
    end = time.monotonic() + HINT_S

    def late() -> bool:
        return time.monotonic() > end

    thoughts: list[Thought] = list(
        computer.think(match.position, computer.STRENGTHS[-1], random.Random(0), late)
    )
    return thoughts[-1]


def _print(message: Message, as_json: bool, texts: Texts) -> None:
    """A line for people, or an object for programs: the text and the numbers in it."""
    said = texts.say(message)
    if not as_json:
        print(said, flush=True)
        return
    fields: dict[str, Any] = {
        key: texts.say(value) if isinstance(value, Message) else value
        for key, value in message.fields.items()
    }
    print(json.dumps({"text": said, **fields}, ensure_ascii=False), flush=True)


# How long it takes


def measure(options: argparse.Namespace, texts: Texts) -> int:
    """Print how long every answer takes, over random positions of each game that has odds."""
    if options.positions < 1:
        raise ToldError(Message(mark("the number of positions must be 1 or more")))
    heads = (texts("median"), "95 %", texts("worst"), texts("positions"))
    print(f"{'':<{NAME}}" + "".join(f"{head:>12}" for head in heads))
    for book in books().values():
        room = part(book.name, "odds")
        if room is None:
            continue
        positions = list(islice(anywhere(book), options.positions))
        for name, answer in answers(room).items():
            times = sorted(_timed(answer, position) for position in positions)
            cells = (times[len(times) // 2], times[math.ceil(0.95 * len(times)) - 1], times[-1])
            line = "".join(f"{texts.number(cell, '9.1f')} ms" for cell in cells)
            print(f"{f'{book.name}: {texts(name)}':<{NAME}}{line}{len(times):>12}", flush=True)
    return 0


def answers(room: Any) -> dict[str, Callable[[Any], object]]:
    """What a game's `odds.py` answers, by name: what it wants to be measured alone, then all that is told."""
    alone: dict[str, Callable[[Any], object]] = getattr(room, "ANSWERS", {})
    return {**alone, mark("everything that is told"): lambda position: list(room.told(position))}


def anywhere(book: Book) -> Iterator[Any]:
    """Yield one random decision of each of random games without end, with all numbers of players."""
    for seed in itertools.count():
        rng = random.Random(seed)
        match = Match(book, book.agree(CONFIG, pick(rng, book.players)), seeded(str(seed)))
        seen = []
        while not match.position.over:
            awaited = pick(rng, match.awaits)
            if awaited.who is not None or awaited.paced:
                seen.append(match.position)
            match.play(
                book.notation.write(pick(rng, awaited.moves)) if awaited.moves else match.throw(awaited)
            )
        yield pick(rng, seen)


def _timed(answer: Callable[[Any], object], position: Any) -> float:
    """The milliseconds that an answer takes."""
    begin = time.perf_counter()
    answer(position)
    return (time.perf_counter() - begin) * 1000
