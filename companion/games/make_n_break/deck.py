"""The deck of Make 'n' Break: 30 cards with two tasks each, read from a file that people can edit.

Ours is made by `assets/make/deck.py`.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import yaml

from companion.config import Problem, WrongError
from companion.config.document import Document
from companion.config.kinds import Number
from companion.config.words import known_word
from companion.games.make_n_break.rules import CARDS
from companion.games.make_n_break.tasks import CUBOIDS, DICE, Kind, Piece, Task, faults
from companion.language import Message, mark

SIDES = {"yellow": "y", "blue": "b"}  # MNB-R5, R7
ANY = "any"
MOST = 9  # points of a task


def load(file: Path) -> tuple[tuple[Task, ...], Sequence[Problem]]:
    """Return the 60 tasks of a deck file as far as they are right, and every mistake.

    It is parsed once, as long as the same is written there.
    """
    try:
        written = file.read_bytes()
    except (OSError, ValueError):  # which the document notes
        return _parsed.__wrapped__(file, b"")
    return _parsed(file, written)


@lru_cache(maxsize=4)
def _parsed(file: Path, _written: bytes) -> tuple[tuple[Task, ...], tuple[Problem, ...]]:
    document = Document(file)
    numbers = [f"{number:02}" for number in range(1, CARDS + 1)]
    cards = document.entries(document.root(), numbers)
    tasks = []
    for number in numbers:
        sides = document.entries(cards.get(number), SIDES)
        if not document.problems:
            _note_missing(document, cards.get(number), number, sides)
        tasks += [_task(document, SIDES[side] + number, sides[side]) for side in sides]
    return tuple(task for task in tasks if task), tuple(document.problems)


def _note_missing(
    document: Document, card: yaml.Node | None, number: str, sides: dict[str, yaml.Node]
) -> None:
    for side in SIDES:
        if side not in sides:
            message = Message("the {side} side of card {number} is missing", {"side": side, "number": number})
            document.note(card, message)


def _task(document: Document, name: str, node: yaml.Node) -> Task | None:
    entries = document.entries(node, ("points", "build", "free"))
    values = document.values(entries, {"points": Number(1, MOST, 1), "free": Number(3, 4, 1)})
    if "points" not in entries:
        document.note(node, Message("the points of {task} are missing", {"task": name}))
    if ("build" in entries) == ("free" in entries):
        text = mark("{task} needs either the pieces to build, or the number of free pieces")
        document.note(node, Message(text, {"task": name}))
        return None
    pieces = _pieces(document, entries["build"]) if "build" in entries else ()
    if pieces is None or "points" not in values or ("free" in entries and "free" not in values):
        return None
    task = Task(name, int(values["points"]), pieces, int(values.get("free", 0)))
    for fault in faults(task):
        line = entries["build"].start_mark.line + 2 + fault.piece
        document.note(
            line,
            Message(
                "piece {number}: {what}",
                {"number": fault.piece + 1, "what": Message(fault.text, fault.fields)},
            ),
        )
    return task


def _pieces(document: Document, node: yaml.Node) -> tuple[Piece, ...] | None:
    """Return the pieces of a block of lines; None if one is wrong, which is noted."""
    if not isinstance(node, yaml.ScalarNode) or node.style != "|":
        document.note(node, Message("write the pieces below 'build: |', one in a line"))
        return None
    pieces: list[Piece] = []
    lines = node.value.splitlines()
    for line, text in enumerate(lines, node.start_mark.line + 2):
        try:
            pieces.append(piece(text))
        except WrongError as error:
            document.note(line, error.message)
    return tuple(pieces) if len(pieces) == len(lines) else None


def piece(text: str) -> Piece:
    """Return the piece that a line means, such as `white 0 0` or `lying blue 0.5 1`; raises `WrongError`."""
    words = text.lower().split()
    how = words.pop(0) if words[:1] in (["lying"], ["upright"]) else None
    if len(words) != 3:
        raise WrongError(Message("write the piece as: white 0 0, or lying blue 0.5 1", {}))
    colour = known_word(words[0], (*(DICE if how is None else CUBOIDS), ANY))
    left = Number(0, 9, 0.5).read(words[1], True)
    if left * 2 != int(left * 2):
        raise WrongError(Message("{text} is not a whole or a half number", {"text": words[1]}))
    level = int(Number(0, 9, 1).read(words[2], True))
    kind: Kind = "die" if how is None else "cuboid"
    return Piece(kind, None if colour == ANY else colour, float(left), level, how == "upright")
