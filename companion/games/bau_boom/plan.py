"""A good way to build what was brought, so that a whole arrival is accepted with one touch. Pure."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from companion.games.bau_boom import rules
from companion.games.bau_boom.choices import payable
from companion.games.bau_boom.hill import COLOURS, Colour, Place, Plan, colour_of, free
from companion.games.bau_boom.knowledge import known
from companion.games.bau_boom.position import Done, Lay, Move, Position, Remove

Covered = frozenset[Place]


@lru_cache(maxsize=8)
def accepting(position: Position) -> tuple[Move, ...]:
    """Return the moves by which an arrival is built and paid for as proposed, up to what comes after it."""
    moves: list[Move] = []
    while not position.over and position.due.what in ("build", "pay"):
        moves.append(proposed(position))
        position = rules.play(position, moves[-1])
    return tuple(moves)


def proposed(position: Position) -> Move:
    """Return the next move of a player who builds or pays as is best."""
    player = position.due.player
    if position.due.what == "pay":
        return Remove(cheapest(position))
    brought = position.barrows[player].tiles
    laid = proposal(position.options.plan(player), position.covered[player], brought)
    return laid[0] if laid else Done()


def proposal(plan: Plan, covered: Covered, tiles: tuple[Colour, ...]) -> tuple[Lay, ...]:
    """Return a way to lay as many of some tiles as possible, in an order that is allowed (BAU-R30, R31).

    Of several it is one after which most places are free, of as many colours as possible.
    """
    best = max(_reached(plan, covered, tiles).items(), key=lambda found: _worth(plan, *found))
    return best[1]


def _reached(plan: Plan, covered: Covered, tiles: tuple[Colour, ...]) -> dict[Covered, tuple[Lay, ...]]:
    """Return every hill that can be built, with a way to it: 42 at most with 10 places, 132 with 15."""
    ways: dict[Covered, tuple[Lay, ...]] = {covered: ()}
    todo = [covered]
    for hill in todo:
        left = Counter(tiles) - Counter(lay.colour for lay in ways[hill])
        for lay in _next(plan, hill, left):
            higher = hill | {lay.place}
            if higher not in ways:
                ways[higher] = (*ways[hill], lay)
                todo.append(higher)
    return ways


def _next(plan: Plan, hill: Covered, left: Counter[Colour]) -> Iterator[Lay]:
    return (Lay(colour, place) for colour in sorted(left) for place in free(plan, hill, colour))


def _worth(plan: Plan, hill: Covered, way: tuple[Lay, ...]) -> tuple[int, int, int]:
    opened = [len(free(plan, hill, colour)) for colour in COLOURS]
    return len(way), sum(map(bool, opened)), sum(opened)


def cheapest(position: Position) -> Place:
    """Return the place to pay from that costs least (BAU-R34, A-BAU13).

    It closes as few free places as possible, and its colour is the one that is found most easily.
    """
    player = position.due.player
    plan, covered = position.options.plan(player), position.covered[player]
    supply = _supply(position)

    def cost(place: Place) -> tuple[int, int]:
        colour = colour_of(plan, place)
        assert colour is not None
        left = covered - {place}
        still_free = sum(len(free(plan, left, each)) for each in COLOURS)
        return -still_free, -supply[colour]

    return min(payable(position, player), key=cost)


def _supply(position: Position) -> Counter[Colour]:
    """Return how easily each colour is found: those on the trail, and the least that the container holds."""
    held = dict(zip(COLOURS, known(position).low, strict=True))
    return Counter(tile for tile in position.trail if tile) + Counter(held)
