"""The shelf of rule books: what the rest of the house knows of a game."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import yaml

from companion.config import ConfigError, WrongError
from companion.config.document import Document, Kind, unknown_key
from companion.games import parts
from companion.games.rulebook import Awaited, Rng, State
from companion.language import Message, mark


class Position(Protocol):
    """One position of a game. Players are seats, from 0."""

    @property
    def turn(self) -> int:
        """Whose turn it is, also while dice are thrown."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""

    @property
    def scores(self) -> tuple[int, ...]:
        """What the game counts, by player."""

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won; nobody while the game goes on."""


class Rules(Protocol):
    """A game's `rules.py`."""

    def opening(self, options: Any, /) -> Any:
        """Return the first position."""

    def awaits(self, position: Any, /) -> tuple[Awaited[Any], ...]:
        """Return who may act now."""

    def play(self, position: Any, move: Any, /) -> Any:
        """Return the next position; raises `IllegalMove`."""

    def outcome(self, position: Any, awaited: Awaited[Any], rng: Rng, /) -> Any:
        """Return a random move of what the table provides."""


class Notation(Protocol):
    """A game's `notation.py`."""

    def parse(self, text: str, /) -> Any:
        """Return the move that a line means; raises `NotationError`."""

    def write(self, move: Any, /) -> str:
        """Return the line that means a move."""

    def state(self, position: Any, /) -> State:
        """Return the position as JSON has it."""


class SetKind(Kind, Protocol):
    """What a value must be that can be chosen for one game."""

    def write(self, value: Any, /) -> str | None:
        """Return `value` as text; None if it is too much for a word."""


Entries = Mapping[str, yaml.Node]
Fault = tuple[str, Message]


def _nothing_more(document: Document, entries: Entries) -> dict[str, Any]:
    return {}


def _no_faults(options: Any) -> Iterable[Fault]:
    return ()


@dataclass(frozen=True, slots=True)
class Book:
    """One game.

    `options` is the type of what is agreed before it begins, a frozen dataclass with `players` first. It is
    read from `file`: the keys of `kinds` as single values, those of `more` by `read`. `sets` are the keys
    that can also be chosen for one game. Those of `for_each` hold something for each player in turn; the file
    may name it for more than play. `faults` finds what does not go together, by key. `hidden` are the keys of
    the state, at any depth, that nobody at the table may see. `paced` are the first words of what comes at a
    pace of its own (see `Awaited`).
    """

    name: str
    title: str
    players: range
    rules: Rules
    notation: Notation
    options: Callable[..., Any]
    kinds: Mapping[str, Kind]
    sets: Mapping[str, SetKind]
    more: tuple[str, ...] = ()
    read: Callable[[Document, Entries], dict[str, Any]] = _nothing_more
    faults: Callable[[Any], Iterable[Fault]] = _no_faults
    hidden: tuple[str, ...] = ()
    paced: tuple[str, ...] = ()
    for_each: tuple[str, ...] = ()

    def agree(self, config: Path, players: int | None = None, chosen: Mapping[str, str] | None = None) -> Any:
        """Return the options of a game: the configuration's, with what is `chosen` (as text) before it.

        Without `players` it is the fewest. Raises `ConfigError` for mistakes in the configuration, and
        `WrongError` for a choice that there is not.
        """
        picked = {"players": self.fewest if players is None else players, **self._chosen(chosen or {})}
        if picked["players"] not in self.players:
            raise WrongError(self.players_wrong(picked["players"]))
        document = Document(config / self.file)
        entries = document.entries(document.root(), [*self.kinds, *self.more])
        values = document.values(entries, self.kinds) | self.read(document, entries)
        if not document.problems:
            options = self.options(**(values | picked))
            for key, message in self.faults(options):
                if key in picked and key != "players":
                    raise WrongError(Message("{key}: {what}", {"key": key, "what": message}))
                if key not in self.for_each or len(values[key]) < picked["players"]:
                    document.note(entries.get(key), Message("{key}: {what}", {"key": key, "what": message}))
        if document.problems:
            raise ConfigError(document.problems)
        return options

    @property
    def file(self) -> str:
        """The file that `options` are read from, as seen from the folder of the configuration."""
        return f"games/{self.name}.yaml"

    @property
    def fewest(self) -> int:
        """The smallest number of players."""
        return self.players[0]

    def _chosen(self, chosen: Mapping[str, str]) -> dict[str, Any]:
        found = {}
        for key, text in chosen.items():
            if key not in self.sets:
                if key not in (*self.kinds, *self.more):
                    raise WrongError(unknown_key(key, self.sets))
                text = mark("'{key}' is not chosen for one game, but for all, in {file}")
                raise WrongError(Message(text, {"key": key, "file": self.file}))
            try:
                found[key] = self.sets[key].read(text, True)
            except WrongError as error:
                raise WrongError(Message("{key}: {what}", {"key": key, "what": error.message})) from error
        return found

    def players_wrong(self, players: int) -> Message:
        """Return why so many cannot play."""
        least, most = self.players[0], self.players[-1]
        text = mark("{title} is for {least} to {most} players, not for {players}")
        return Message(text, {"title": self.title, "least": least, "most": most, "players": players})


@cache
def books() -> Mapping[str, Book]:
    """Return every game by its name: the folders beside this file."""
    return {book.name: book for book in (part.BOOK for part in parts("book"))}
