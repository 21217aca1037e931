"""Whether a tower of Make 'n' Break keeps the building rule: a second reading, beside the solver's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.games.make_n_break.tasks import Compare, Joker, Piece, Task, faults, reaches

SIDES = {"die": range(1, 7), "cuboid": range(1, 5)}  # MNB-R2


@dataclass(frozen=True, slots=True)
class Wrong:
    """A piece that breaks a rule: its index, the rule's number, and the one below it if that is why."""

    piece: int
    rule: str
    under: int | None = None


def check(
    task: Task,
    values: Sequence[int | None],
    built: Sequence[Piece] = (),
    compare: Compare = "contact",
    joker: Joker = "cut",
) -> list[Wrong]:
    """Return what is wrong with a tower, the lowest piece first; nothing if the task is fulfilled.

    `values` are those of the pieces of the task in their order, None for an upright cuboid. For a red 3 or 4
    `built` tells the pieces that were used, and where.
    """
    pieces = tuple(built) if task.free else task.pieces
    if len(values) != len(pieces):
        raise ValueError(f"{len(pieces)} values are needed, not {len(values)}")
    found = [*_free(task, pieces), *_unread(pieces, values)]
    return found or sorted(
        _low(pieces, values, reaches(pieces, compare, joker), task.neutral), key=lambda wrong: wrong.piece
    )


def _free(task: Task, pieces: Sequence[Piece]) -> Iterator[Wrong]:
    """Yield what a red 3 or 4 forbids (MNB-R26)."""
    if not task.free:
        return
    if len(pieces) != task.free:
        yield Wrong(0, "MNB-R26")
    for index in [index for index, piece in enumerate(pieces) if piece.level == 0][1:]:
        yield Wrong(index, "MNB-R26")  # only one piece may touch the table
    for fault in faults(replace(task, pieces=tuple(pieces))):
        yield Wrong(fault.piece, "MNB-R26")


def _unread(pieces: Sequence[Piece], values: Sequence[int | None]) -> Iterator[Wrong]:
    """Yield the pieces whose value is not one that they have (A-MNB5)."""
    for index, (piece, value) in enumerate(zip(pieces, values, strict=True)):
        if not piece.upright and value not in SIDES[piece.kind]:
            yield Wrong(index, "MNB-R2")


def _low(
    pieces: Sequence[Piece], values: Sequence[int | None], below: Sequence[Sequence[int]], neutral: bool
) -> Iterator[Wrong]:
    """Yield the pieces that show less than what they rest on, each with the one that shows most."""
    for index, unders in enumerate(below):
        under = max(unders, key=lambda i: values[i] or 0, default=None)
        if under is None:
            continue
        if (values[index] or 0) < (values[under] or 0):
            yield Wrong(index, "MNB-R28" if neutral else "MNB-R24" if len(unders) > 1 else "MNB-R23", under)
