"""Make 'n' Break on the shelf: its settings, its deck, and how they are written."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.config import ConfigError, WrongError
from companion.config.document import Document, texts_of
from companion.config.kinds import refuse_null
from companion.config.words import switch, word
from companion.games.book import Book, Entries, Fault, SetKind
from companion.games.make_n_break import deck, notation, rules, tasks
from companion.language import Message, mark

DECK = "make-n-break-deck.yaml"


@dataclass(frozen=True)
class DeckFile:
    """The name of a deck file, seen from a folder."""

    folder: Path = Path()

    def read(self, text: str, plain: bool) -> tuple[tasks.Task, ...]:
        """Return the tasks in the file; raises `WrongError` if there is none that can be read, and
        `ConfigError` for the mistakes in it.
        """
        refuse_null(text, plain)
        found, problems = deck.load(self.folder / text)
        if problems:
            raise ConfigError(problems) if problems[0].line else WrongError(texts_of(problems))
        return found

    def write(self, value: Any) -> None:
        """Tasks cannot be told in a word."""


def read(document: Document, entries: Entries) -> dict[str, Any]:
    """Return the deck that the file names, ours if it names none."""
    kind = DeckFile(document.file.parent)
    if "deck" in entries:
        return document.values(entries, {"deck": kind})
    try:
        return {"deck": kind.read(DECK, True)}
    except WrongError as error:
        document.note(None, error.message)
        return {}
    except ConfigError as error:
        document.take_over(error.problems)
        return {}


def faults(options: rules.Options) -> Iterator[Fault]:
    """Yield what keeps a deck from being played: tasks that are missing or cannot be built (A-MNB1)."""
    names = [task.name for task in options.deck]
    for number in range(1, rules.CARDS + 1):
        for side in "yb":
            if names.count(f"{side}{number:02}") != 1:
                yield "deck", Message("task {task} must be there once", {"task": f"{side}{number:02}"})
    for task in options.deck:
        for fault in tasks.faults(task):
            what = Message(fault.text, fault.fields)
            yield "deck", Message("{task}: {what}", {"task": task.name, "what": what})


_SETS: dict[str, SetKind] = {
    "level": word("intro", "basic", "advanced"),
    "deck": DeckFile(),
    "cards": word("deck", "own"),
}

BOOK = Book(
    name="make-n-break",
    title=mark("Make 'n' Break"),
    players=rules.PLAYERS,
    rules=rules,
    notation=notation,
    options=rules.Options,
    kinds={
        "level": _SETS["level"],
        "cards": _SETS["cards"],
        "compare": word("contact", "level"),
        "joker": word("cut", "transparent"),
        "skip": switch(),
    },
    sets=_SETS,
    more=("deck",),
    read=read,
    faults=faults,
    hidden=("pile",),
    paced=("stopper",),
)
