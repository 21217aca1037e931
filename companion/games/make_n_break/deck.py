"""The deck of Make 'n' Break: 30 cards with two tasks each, read from a file that people can edit.

    python -m companion.games.make_n_break.deck > config/games/make-n-break-deck.yaml

makes our own deck: shapes as a family knows them, coloured at random, worth points by the exact number of
throws that they take (A-MNB1).
"""

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import yaml

from companion.config import Problem, WrongError
from companion.config.document import Document
from companion.config.kinds import Number
from companion.config.words import known_word
from companion.games.make_n_break.tasks import CUBOIDS, DICE, Kind, Piece, Task, faults, shape
from companion.language import Message, mark

CARDS = 30  # MNB-R2
SIDES = {"yellow": "y", "blue": "b"}  # MNB-R5, R7
ANY = "any"
MOST = 9  # points of a task

# Reading


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


# Writing


def written(tasks: Sequence[Task]) -> Iterator[str]:
    """Yield the lines of a deck file."""
    yield from _HEAD.splitlines()
    by_name = {task.name: task for task in tasks}
    for number in range(1, CARDS + 1):
        yield ""
        yield f"{number:02}:"
        for side, letter in SIDES.items():
            task = by_name[f"{letter}{number:02}"]
            yield f"  {side}:"
            yield f"    points: {task.points}"
            yield from [f"    free: {task.free}"] if task.free else _built(task)


def _built(task: Task) -> Iterator[str]:
    yield "    build: |"
    for each in task.pieces:
        how = "" if each.kind == "die" else "upright " if each.upright else "lying "
        yield f"      {how}{each.colour or ANY} {each.x:g} {each.level}"


_HEAD = """\
# The cards of Make 'n' Break: 30 cards, each with a yellow (easy) and a blue (hard) side. Ours are all
# buildable, and worth points by the exact number of throws that they take on average if nobody errs.
# To play with the cards of your box, write them here in their place.
#
# points: what stands in the corners of the side.
# build: the pieces, one in a line, the lowest first: colour, left edge, level. A die is 1 wide and 1 high.
#   The table is level 0; what stands on a die of level 0 is on level 1. Left edges may be halves: a die at
#   0.5 1 rests on those at 0 0 and 1 0.
#     white 0 0           a die: white, yellow, blue, black, red or green
#     lying blue 0.5 1    a cuboid, blue or orange, on its side: 2 wide, 1 high
#     upright orange 2 0  a cuboid standing: 1 wide, 2 high
#   any instead of a colour, for all pieces of a side: the builder chooses them.
# free: 3 or 4 instead of build: the red figure; so many pieces as one likes, only one touching the table."""

# Our deck. A shape has a letter for each piece (d die, l lying, u upright) with left edge and level.

EASY = (
    "d0,0 d0,1",
    "d0,0 d0,1 d0,2",
    "d0,0 d1,0 d.5,1",
    "d0,0 d1,0 l0,1",
    "d0,0 d2,0 l.5,1",
    "l0,0 d.5,1",
    "l0,0 d0,1 d1,1",
    "d0,0 d1,0 d1,1",
    "u0,0 d1,0 d1,1",
    "d.5,0 l0,1",
    "d.5,0 l0,1 d.5,2",
    "d0,0 d1,0 l0,1 d.5,2",
    "d0,0 d1,0 d2,0 l.5,1",
    "u0,0 d1,0 d1,1 l0,2",
    "d0,0 d1,0 d0,1 d1,1",
    "l0,0 l0,1",
    "l0,0 d0,1 u1,1",
    "u0,0 d1,0 d1,1 d.5,2",
    "d0,0 u1,0 d2,0 d2,1",
    "l0,0 d0,1 d1,1 d.5,2",
)
HARD = (
    "d0,0 d0,1 d0,2 d0,3",
    "d0,0 d0,1 d0,2 d0,3 d0,4",
    "d0,0 d0,1 d0,2 d0,3 d0,4 d0,5",
    "d0,0 d1,0 d2,0 d.5,1 d1.5,1",
    "d0,0 d1,0 d2,0 d.5,1 d1.5,1 d1,2",
    "d0,0 d1,0 l0,1 d0,2 d1,2",
    "d0,0 d1,0 l0,1 d0,2 d1,2 l0,3",
    "d0,0 d2,0 l.5,1 d.5,2 d1.5,2 l.5,3 d1,4",
    "d0,0 d0,1 d2,0 d2,1 l.5,2 d1,3",
    "d.5,0 d.5,1 l0,2 d0,3 d1,3",
    "l0,0 d.5,1 d.5,2 l0,3 d.5,4",
    "d0,0 d1,0 d1,1 d2,0 d2,1 d2,2",
    "d0,0 d1,0 d0,1 d1,1 d0,2 d1,2",
    "d0,0 d1,0 d2,0 d0,1 d1,1 d2,1",
    "d.5,0 l0,1 d0,2 d1,2 l0,3 d.5,4",
    "l0,0 l0,1 d.5,2 d.5,3 d.5,4",
    "d0,0 u0,1 d0,3 d0,4 d0,5",
    "u0,0 u1,0 d0,2 d1,2 d.5,3",
    "l0,0 l2,0 d.5,1 d1.5,1 d2.5,1 d1,2 d2,2",
    "d0,0 d0,1 d1,0 d1,1 l0,2 d.5,3",
    "d0,0 d1,0 l0,1 l0,2 d.5,3",
    "d1,0 l.5,1 d.5,2 d1.5,2 d1,3 d1,4",
)
NEUTRAL = 7  # tasks of each side where the builder chooses


def make(seed: int) -> list[Task]:
    """Return our deck: 60 different tasks, the easier cards first."""
    from companion.games.make_n_break.builds import (
        expected_throws,
        points,
    )  # numpy, which reading does without

    rng, tasks, known = random.Random(seed), [], []
    for letter, shapes, free in (("y", EASY, 3), ("b", HARD, 4)):
        made: list[Task] = [Task("", 0, (), free)]
        choosers = sorted((s for s in shapes if "l" in s), key=len)[-NEUTRAL:]
        made += [Task("", 0, _coloured(each, None)) for each in choosers]
        while len(made) < CARDS:
            task = Task("", 0, _coloured(shapes[len(made) % len(shapes)], rng))
            if shape(task) not in known:
                made.append(task)
                known.append(shape(task))
        costs = sorted(((expected_throws(task), task) for task in made), key=lambda cost: cost[0])
        tasks += [
            Task(f"{letter}{number:02}", points(expected), task.pieces, task.free)
            for number, (expected, task) in enumerate(costs, 1)
        ]
    return tasks


def _coloured(pieces: str, rng: random.Random | None) -> tuple[Piece, ...]:
    """Return the pieces of a shape in random colours, or in any."""
    dice, cuboids = (
        [None] * len(own) if rng is None else rng.sample(own, len(own)) for own in (DICE, CUBOIDS)
    )
    found = []
    for word in pieces.split():
        left, level = word[1:].split(",")
        kind: Kind = "die" if word[0] == "d" else "cuboid"
        colour = (dice if kind == "die" else cuboids).pop()
        found.append(Piece(kind, colour, float(left), int(level), word[0] == "u"))
    return tuple(found)


if __name__ == "__main__":
    print(*written(make(1)), sep="\n")
