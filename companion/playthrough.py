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
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec

from companion.config import WrongError
from companion.config.document import unknown_key
from companion.games.book import Book, books
from companion.games.rulebook import Refusal, is_move, words
from companion.language import Message, ToldError, mark
from companion.match import HIDDEN, Commitment, Match
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
        fields = {"reason": _unreadable(str(error))}
        raise UnplayableError(
            Message("what was agreed for this game cannot be read: {reason}", fields)
        ) from error
    if options.players not in book.players:
        raise UnplayableError(book.players_wrong(options.players))
    for key, message in book.faults(options):
        raise UnplayableError(Message("{key}: {what}", {"key": key, "what": message}))
    return options


def _unreadable(said: str) -> Message:
    """Return why JSON means no options, from what msgspec says of it, which is English."""
    found = re.search(r"`\$\.(\w+)", said) or re.search(r"field `(\w+)`", said)
    if found:
        return Message(mark("'{key}' is missing or wrong"), {"key": found[1]})
    return Message(mark("that is no JSON object"))


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
    deals = {index: (bound, over) for index, bound, over in match.deals()}
    for index, text in enumerate(match.moves):
        bound, over = deals.get(index, (None, False))
        if bound:
            yield COMMITMENT + bound.digest
        yield text
        if bound and over:
            yield SALT + bound.salt


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
    if agreed is None:
        options = _agreed(book, players, chosen, config)
    else:
        options = thawed(book, agreed)
        _see_that_nothing_is_strange(agreed, options)
        said = otherwise(book, players, chosen, options)
        if said:
            text = mark("the first line says {said}, but '# options' says something else: make them agree")
            raise UnplayableError(Message(text, {"said": said}))
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


def _see_that_nothing_is_strange(text: str, options: Any) -> None:
    """Raise `UnplayableError` if some JSON holds a key that is none of the options."""
    known = list(msgspec.to_builtins(options))
    for key in msgspec.json.decode(text):
        if key not in known:
            raise UnplayableError(unknown_key(key, known))


def otherwise(book: Book, players: int | None, chosen: Mapping[str, str], options: Any) -> str | None:
    """Return the first of some words that say something else than the options; None if they agree."""
    if players not in (None, options.players):
        return f"--players {players}"
    for key, text in chosen.items():
        try:
            alike = book.sets[key].read(text, True) == getattr(options, key)
        except (KeyError, WrongError):
            alike = False
        if not alike:
            return f"--set {key}={text}"
    return None


# checking


class Proof(Enum):
    """What a playthrough shows of a deal that the companion was bound to."""

    KEPT = "kept"
    BROKEN = "broken"
    OPEN = "open"
    """The round is not over: its salt is not shown yet."""
    NO_SALT = "no salt"
    NO_PROMISE = "no promise"
    NO_DEAL = "no deal"


@dataclass(frozen=True, slots=True)
class Checked:
    """One deal, or a promise of which nothing was dealt, by the number of its line."""

    line: int
    proof: Proof


def checked(lines: Iterable[str], over: bool) -> Iterator[Checked]:
    """Yield every deal of a playthrough, and what is proven of it (see `Commitment`); `over`: the game is."""
    promise: tuple[int, str] | None = None
    deal: tuple[int, str, str] | None = None
    for number, line in enumerate(map(words, lines), 1):
        if line.startswith(COMMITMENT):
            if promise:
                yield Checked(promise[0], Proof.NO_DEAL)
            promise = number, line[len(COMMITMENT) :].lower()
        elif line.startswith(SALT) and deal:
            dealt = Commitment(deal[1], line[len(SALT) :])
            yield Checked(deal[0], Proof.KEPT if dealt.digest == deal[2] else Proof.BROKEN)
            deal = None
        elif is_move(line) and (promise or line.split()[0] in HIDDEN):
            if deal:
                yield Checked(deal[0], Proof.NO_SALT)
            deal = (number, line, promise[1]) if promise else None
            if not promise:
                yield Checked(number, Proof.NO_PROMISE)
            promise = None
    if deal:
        yield Checked(deal[0], Proof.NO_SALT if over else Proof.OPEN)
    if promise:
        yield Checked(promise[0], Proof.NO_DEAL)
