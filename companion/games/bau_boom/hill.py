"""A hill of Bau Boom: rows of coloured places, each resting on two below it (BAU-R30, A-BAU2). Pure."""

from collections.abc import Collection, Iterator
from typing import Literal

Colour = Literal["red", "yellow", "green", "blue"]
COLOURS: tuple[Colour, ...] = ("red", "yellow", "green", "blue")
Plan = tuple[tuple[Colour, ...], ...]
"""The colours of the places, row by row, the bottom row first."""
Place = tuple[int, int]
"""(row, place in it), both from 1."""

ROWS = {10: (4, 3, 2, 1), 15: (5, 4, 3, 2, 1)}  # places in each row, by the size of the hill (BAU-R2)

_BASE = {10: ("rygb", "ybr", "rg", "y"), 15: ("rygbr", "gbry", "ygb", "ry", "g")}


def default_plans(size: int) -> tuple[Plan, Plan, Plan, Plan]:
    """Return four hills of a size, alike but for their colours, which go round from hill to hill."""

    def plan(turn: int) -> Plan:
        return tuple(tuple(COLOURS[("rygb".index(c) + turn) % 4] for c in row) for row in _BASE[size])

    return plan(0), plan(1), plan(2), plan(3)


def places(plan: Plan) -> Iterator[tuple[Place, Colour]]:
    """Yield every place with its colour, the lowest row first."""
    for row, colours in enumerate(plan, 1):
        for number, colour in enumerate(colours, 1):
            yield (row, number), colour


def demand(plan: Plan, colour: Colour) -> int:
    """Return how many places have a colour."""
    return sum(row.count(colour) for row in plan)


def missing(plan: Plan, covered: Collection[Place]) -> list[Colour]:
    """Return the colours of the places that are not covered yet."""
    return [colour for place, colour in places(plan) if place not in covered]


def colour_of(plan: Plan, place: Place) -> Colour | None:
    """Return the colour of a place, None if the hill has no such place."""
    row, number = place
    if 1 <= row <= len(plan) and 1 <= number <= len(plan[row - 1]):
        return plan[row - 1][number - 1]
    return None


def rests(place: Place, covered: Collection[Place]) -> bool:
    """Whether both places below are covered; the bottom row rests on the table (BAU-R30)."""
    row, number = place
    return row == 1 or ((row - 1, number) in covered and (row - 1, number + 1) in covered)


def free(plan: Plan, covered: Collection[Place], colour: Colour) -> list[Place]:
    """Return the places where a tile of a colour may be laid now (BAU-R30, R31)."""
    fitting = (place for place, own in places(plan) if own == colour and place not in covered)
    return [place for place in fitting if rests(place, covered)]


def exposed(covered: Collection[Place]) -> list[Place]:
    """Return the covered places with no tile directly above them (A-BAU13)."""
    return sorted(
        (row, number)
        for row, number in covered
        if (row + 1, number - 1) not in covered and (row + 1, number) not in covered
    )
