"""Building tasks of Make 'n' Break: pieces, what rests on what, and whether it stands (MNB-R23 to R29). Pure.

A construction is seen from the front. Lengths are in widths of a die; a cuboid is as long as two dice.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

DICE = ("white", "yellow", "blue", "black", "red", "green")  # MNB-R2
CUBOIDS = ("blue", "orange")
Kind = Literal["die", "cuboid"]
Compare = Literal["contact", "level"]
Joker = Literal["cut", "transparent"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A die or cuboid in its place: `x` is its left edge, in halves, `level` its lower one.

    `colour` None is any: the builder chooses (MNB-R27). An upright cuboid shows no value (MNB-R25).
    """

    kind: Kind
    colour: str | None
    x: float
    level: int
    upright: bool

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + (2 if self.kind == "cuboid" and not self.upright else 1)

    @property
    def top(self) -> int:
        """Its upper edge."""
        return self.level + (2 if self.upright else 1)

    @property
    def weight(self) -> int:
        """Its weight, that of a die being 1."""
        return 2 if self.kind == "cuboid" else 1

    def over(self, other: "Piece") -> float:
        """How much of its width is above, or below, the other's."""
        return min(self.right, other.right) - max(self.x, other.x)


@dataclass(frozen=True, slots=True)
class Task:
    """One side of a card: `name` is y or b and the card's number, such as y07.

    `pieces` from the lowest level up. A red 3 or 4 has none: so many pieces are `free` (MNB-R26).
    """

    name: str
    points: int
    pieces: tuple[Piece, ...] = ()
    free: int = 0

    @property
    def neutral(self) -> bool:
        """Whether the builder decides which die goes where (MNB-R27)."""
        return not self.free and all(piece.colour is None for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a construction, in English with {fields}, to be translated; `piece` is its index."""

    piece: int
    text: str
    fields: Mapping[str, object] = field(default_factory=dict)


# What rests on what


def supports(pieces: Sequence[Piece]) -> tuple[tuple[int, ...], ...]:
    """Return for every piece the indices of those that it rests on; none on the table."""
    return tuple(
        tuple(i for i, under in enumerate(pieces) if under.top == piece.level and piece.over(under) > 0)
        for piece in pieces
    )


def reaches(
    pieces: Sequence[Piece], compare: Compare = "contact", joker: Joker = "cut"
) -> tuple[tuple[int, ...], ...]:
    """Return for every piece whose values it must at least show (MNB-R23, R24, R28; A-MNB3, A-MNB4).

    An upright cuboid asks for nothing. Above it nothing is asked, or, if transparent, what it stands on.
    """
    if compare == "contact":
        below = supports(pieces)
    else:
        below = tuple(
            tuple(i for i, under in enumerate(pieces) if under.top == piece.level) for piece in pieces
        )

    def asked(index: int) -> Iterator[int]:
        for under in below[index]:
            if not pieces[under].upright:
                yield under
            elif joker == "transparent":
                yield from asked(under)

    return tuple(
        () if piece.upright else tuple(sorted(set(asked(index)))) for index, piece in enumerate(pieces)
    )


# Whether it can be built


def faults(task: Task) -> Iterator[Fault]:
    """Yield what keeps a task from being built, the first piece first."""
    pieces = task.pieces
    yield from _kit(pieces)
    for one, other in combinations(range(len(pieces)), 2):
        first, second = pieces[one], pieces[other]
        if first.over(second) > 0 and first.level < second.top and second.level < first.top:
            yield Fault(other, "it is where piece {number} is", {"number": one + 1})
            return
    yield from _falls(pieces)


def _kit(pieces: Sequence[Piece]) -> Iterator[Fault]:
    """Yield the pieces that the box does not hold."""
    for kind, colours in (("die", DICE), ("cuboid", CUBOIDS)):
        own = [index for index, piece in enumerate(pieces) if piece.kind == kind]
        for index in own[len(colours) :]:
            yield Fault(index, "there are only {count} of this kind", {"count": len(colours)})
        for index in own:
            colour = pieces[index].colour
            if colour is not None and colour in [pieces[i].colour for i in own if i < index]:
                yield Fault(index, "this piece is used twice")
    if len({piece.colour is None for piece in pieces}) > 1:
        yield Fault(0, "either every piece has its colour, or any colour is right for all")


def _falls(pieces: Sequence[Piece]) -> Iterator[Fault]:
    """Yield the pieces that do not stand.

    From the top down: a piece and all that it carries have a centre of mass, which must lie within what they
    rest on; a load between two supports is shared as by a lever.
    """
    loads: list[list[tuple[float, float]]] = [
        [(piece.weight, (piece.x + piece.right) / 2)] for piece in pieces
    ]
    below = supports(pieces)
    for index in sorted(range(len(pieces)), key=lambda i: -pieces[i].level):
        piece = pieces[index]
        if piece.level == 0:
            continue
        weight = sum(load for load, _ in loads[index])
        centre = sum(load * at for load, at in loads[index]) / weight
        edges = [(max(piece.x, pieces[i].x), min(piece.right, pieces[i].right)) for i in below[index]]
        if not edges:
            yield Fault(index, "it hangs in the air")
            return
        if not min(edges)[0] < centre < max(right for _, right in edges):
            yield Fault(index, "it would fall")
            return
        for under, load, at in _shared(weight, centre, list(zip(below[index], edges, strict=True))):
            loads[under].append((load, at))


def _shared(
    weight: float, centre: float, rests: list[tuple[int, tuple[float, float]]]
) -> Iterator[tuple[int, float, float]]:
    """Yield (support, load, where) for a weight on the leftmost and the rightmost of its supports."""
    first, last = min(rests, key=lambda rest: rest[1]), max(rests, key=lambda rest: rest[1])
    left, right = sum(first[1]) / 2, sum(last[1]) / 2
    if left < centre < right:
        share = (centre - left) / (right - left)
        yield first[0], weight * (1 - share), left
        yield last[0], weight * share, right
    else:
        yield (first if centre <= left else last)[0], weight, centre
