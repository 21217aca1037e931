"""`companion referee` and `companion perft`: the rule books on the command line."""

import argparse
import sys
from pathlib import Path

from companion import referee as court
from companion.commands.unusable import UnusableError
from companion.config import ConfigError, WrongError, config_dir
from companion.config.document import did_you_mean
from companion.games.book import Book, books
from companion.games.rulebook import Refusal
from companion.language import Message, Texts
from companion.match import Match, seeded


def referee(options: argparse.Namespace, texts: Texts) -> int:
    """Answer each line of standard input; 1 if one was refused."""
    match = _match(options)
    judge = court.Referee(match, texts, throws=options.chance is not None)
    for answer in judge.answers(court.lines(sys.stdin.buffer)):
        print(court.encode(answer), flush=True)
    return int(judge.refused > 0)


def perft(options: argparse.Namespace, texts: Texts) -> int:
    """Print how many sequences of decisions are legal after a transcript; 1 if a line is refused."""
    if options.depth < 0:
        raise UnusableError(Message("the depth must be 0 or more"))
    match = _match(options)
    for number, line in enumerate(_read(options.transcript), 1):
        try:
            if court.is_move(line):
                match.play(line)
        except Refusal as refusal:
            place = f"{options.transcript}:{number}"
            print(f"{place}: {texts(refusal.text, **refusal.fields)}", file=sys.stderr)
            return 1
    print(court.perft(match.book, match.position, options.depth))
    return 0


def _match(options: argparse.Namespace) -> Match:
    """Return the game that a command names, with what was chosen for it."""
    book = find(options.game)
    chosen = dict(_pair(text) for text in options.chosen)
    seed = getattr(options, "chance", None)
    try:
        agreed = book.agree(config_dir(), options.players, chosen)
    except WrongError as error:
        raise UnusableError(error.message) from error
    except ConfigError as error:
        raise UnusableError(*error.problems) from error
    return Match(book, agreed, None if seed is None else seeded(seed))


def find(name: str) -> Book:
    """Return the game of a name, or raise `UnusableError`."""
    book = books().get(name)
    if book is None:
        raise UnusableError(_unknown(name))
    return book


def _unknown(name: str) -> Message:
    closest = did_you_mean(name, list(books()))
    if closest:
        return Message(
            "there is no game '{name}': did you mean '{closest}'?", {"name": name, "closest": closest}
        )
    return Message("there is no game '{name}', only {known}", {"name": name, "known": ", ".join(books())})


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise UnusableError(Message("'{text}' is no KEY=VALUE", {"text": text}))
    return key, value


def _read(path: Path) -> list[str]:
    try:
        with path.open("rb") as file:
            return list(court.lines(file))
    except OSError as error:
        fields = {"file": str(path), "reason": error.strerror}
        raise UnusableError(Message("{file} cannot be read: {reason}", fields)) from error
