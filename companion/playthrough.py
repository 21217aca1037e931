"""Games as text: written down, read again, checked.

A playthrough is the game's name and what was agreed, as a remark in the first line, then one move a line:

    # kabooom --players 2 --set level=hard
    place r a1
    …

All that was agreed, as JSON, may stand in a remark `# options {…}`. Before what the companion had bound
itself to deal stands `# commitment …`, behind it, once its round is over, `# salt …`.
"""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from companion.config import WrongError
from companion.games.book import Book, books
from companion.games.rulebook import Refusal, is_move, words
from companion.language import Message, ToldError
from companion.match import Commitment, Match
from companion.store import StoredGame

OPTIONS, COMMITMENT, SALT = "# options ", "# commitment ", "# salt "


class UnplayableError(ToldError):
    """A game that cannot be played as it is written; `message` says why."""


# what was agreed


def frozen(options: Any) -> str:
    """Return the options of a game as JSON."""
    return msgspec.json.encode(options).decode()


def thawed(book: Book, text: str) -> Any:
    """Return the options that some JSON means; raises `UnplayableError`."""
    try:
        options = msgspec.json.decode(text, type=book.options)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        message = Message("what was agreed for this game cannot be read: {reason}", {"reason": str(error)})
        raise UnplayableError(message) from error
    if options.players not in book.players:
        raise UnplayableError(book.players_wrong(options.players))
    for key, message in book.faults(options):
        raise UnplayableError(Message("{key}: {what}", {"key": key, "what": message}))
    return options


# stored games


def revived(stored: StoredGame) -> Match:
    """Return a stored game as it stands; raises `UnplayableError`."""
    match = Match(_book(stored.book), thawed(_book(stored.book), stored.options), stored.secret)
    for number, move in enumerate(stored.moves, 1):
        try:
            match.play(move.text)
        except Refusal as refusal:
            what = Message(refusal.text, refusal.fields)
            raise UnplayableError(
                Message("move {number}: {what}", {"number": number, "what": what})
            ) from refusal
    return match


def _book(name: str) -> Book:
    book = books().get(name)
    if book is None:
        raise UnplayableError(Message("there is no game '{name}'", {"name": name}))
    return book


# writing


def written(match: Match) -> Iterator[str]:
    """Yield the lines of a playthrough."""
    yield "# " + " ".join((match.book.name, f"--players {match.options.players}", *_chosen(match)))
    yield OPTIONS + frozen(match.options)
    deals = dict(match.deals())
    for index, text in enumerate(match.moves):
        if index in deals:
            yield COMMITMENT + deals[index].digest
        yield text
        if index in deals and (match.position.over or index < max(deals)):  # its round is over
            yield SALT + deals[index].salt


def _chosen(match: Match) -> Iterator[str]:
    """Yield what `--set` can say of the options, where it differs from the defaults."""
    plain = match.book.options(players=match.options.players)
    for key, kind in match.book.sets.items():
        value = getattr(match.options, key)
        text = kind.write(value)
        if text is not None and value != getattr(plain, key):
            yield f"--set {key}={text}"


# reading


def read(lines: Sequence[str], config: Path) -> tuple[Match, list[tuple[int, str]]]:
    """Return the game of a playthrough at its opening, and its moves with the numbers of their lines, from 1.

    What its remarks leave open comes from the configuration. Raises `UnplayableError`, and `ConfigError`
    for mistakes in the configuration.
    """
    remarks = [line.strip() for line in lines if line.strip().startswith("#")]
    if not remarks:
        raise UnplayableError(Message("the first line must name the game: # kabooom --players 2"))
    book, players, chosen = _header(remarks[0])
    agreed = next((line[len(OPTIONS) :] for line in remarks if line.startswith(OPTIONS)), None)
    options = _agreed(book, players, chosen, config) if agreed is None else thawed(book, agreed)
    moves = [(number, line) for number, line in enumerate(lines, 1) if is_move(line)]
    return Match(book, options), moves


def named(lines: Sequence[str]) -> Book | None:
    """Return the game that the first remark of a playthrough names, if it does nothing else."""
    remark = next((line.strip() for line in lines if line.strip().startswith("#")), "")
    name, _, rest = remark.lstrip("# ").partition(" ")
    return books().get(name) if not rest or rest.lstrip().startswith("--") else None


def _header(line: str) -> tuple[Book, int | None, dict[str, str]]:
    """Return what the first line says: the game, how many play, what is set."""
    try:
        name, *rest = shlex.split(line.lstrip("# "))
    except ValueError as error:  # an empty line, a quotation mark too few
        raise UnplayableError(_no_header(line)) from error
    rest_of_line = iter(rest)
    players: int | None = None
    chosen: dict[str, str] = {}
    for word in rest_of_line:
        value = next(rest_of_line, "")
        key, equals, text = value.partition("=")
        if word == "--players" and re.fullmatch("[0-9]{1,3}", value):
            players = int(value)
        elif word == "--set" and equals:
            chosen[key] = text
        else:
            raise UnplayableError(_no_header(line))
    return _book(name), players, chosen


def _no_header(line: str) -> Message:
    return Message("this is no first line of a game: {line}", {"line": line})


def _agreed(book: Book, players: int | None, chosen: Mapping[str, str], config: Path) -> Any:
    try:
        return book.agree(config, players, chosen)
    except WrongError as error:
        raise UnplayableError(error.message) from error


# checking


@dataclass(frozen=True, slots=True)
class Checked:
    """One deal that was committed to: the number of its line, and whether it is what was promised.

    `kept` is None while its salt is not known: the round is not over.
    """

    line: int
    text: str
    kept: bool | None


def checked(lines: Iterable[str]) -> Iterator[Checked]:
    """Yield every deal that the companion was bound to in a playthrough (see `Commitment`)."""
    promise = deal = None
    for number, line in enumerate(map(words, lines), 1):
        if line.startswith(COMMITMENT):
            if deal:
                yield Checked(*deal, None)
            promise, deal = line[len(COMMITMENT) :], None
        elif line.startswith(SALT) and promise and deal:
            yield Checked(*deal, Commitment(deal[1], line[len(SALT) :]).digest == promise.lower())
            promise = deal = None
        elif promise and not deal and is_move(line):
            deal = (number, line)
    if deal:
        yield Checked(*deal, None)
