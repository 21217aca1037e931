"""Makes our own deck of Make 'n' Break: shapes as a family knows them, coloured at random, worth points by
the exact number of throws that they take (A-MNB1).

    python assets/make/deck.py > config/games/make-n-break-deck.yaml
"""

import random
from collections.abc import Iterator, Sequence

from companion.games.make_n_break.builds import expected_throws
from companion.games.make_n_break.deck import ANY, SIDES
from companion.games.make_n_break.rules import CARDS
from companion.games.make_n_break.tasks import CUBOIDS, DICE, Kind, Piece, Task


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


def points(expected: float) -> int:
    """Return what a task is worth that takes so many throws (A-MNB1)."""
    return next((points for points, limit in ((1, 2), (2, 3), (3, 4)) if expected < limit), 4)


def shape(task: Task) -> object:
    """Return what tells tasks apart: the pieces and their places, seen from the front or from behind."""
    if task.free:
        return task.free
    return min(_from(task.pieces, 1), _from(task.pieces, -1))


def _from(pieces: Sequence[Piece], side: int) -> list[tuple[object, ...]]:
    edges = [piece.x if side > 0 else -piece.right for piece in pieces]
    placed = zip(edges, pieces, strict=True)
    return sorted((p.level, x - min(edges), p.kind, p.upright, p.colour or "") for x, p in placed)


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
