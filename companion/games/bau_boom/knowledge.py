"""What everybody at the table may know of the container, and not a bit more. Pure.

Bau Boom is a game of memory: who has watched knows a lot about the barrows. This book-keeping is no such
memory. It counts only what lies open now, so a tile is out of sight from the moment it lies face down,
wherever it came from.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.bau_boom.hill import COLOURS, Colour, colour_of
from companion.games.bau_boom.position import Position


@dataclass(frozen=True, slots=True)
class Knowledge:
    """How many tiles the container holds; by `COLOURS`, how many of each at least and at most."""

    total: int
    low: tuple[int, ...]
    high: tuple[int, ...]


def known(position: Position) -> Knowledge:
    """Return what follows from all tiles that lie open and from how many lie face down.

    A colour's tiles that are out of sight lie in the container or in a barrow: the container lacks at most
    as many of them as all barrows hold.
    """
    seen = list(_open(position))
    unseen = [
        count - seen.count(colour) for colour, count in zip(COLOURS, position.options.tiles, strict=True)
    ]
    total = sum(position.container)
    in_barrows = sum(unseen) - total
    low = tuple(max(0, count - in_barrows) for count in unseen)
    return Knowledge(total, low, tuple(min(count, total) for count in unseen))


def _open(position: Position) -> Iterator[Colour]:
    """Yield every tile that lies open: on the trail, on a hill, before a player who builds (BAU-R16, R29)."""
    yield from (tile for tile in position.trail if tile)
    for player, covered in enumerate(position.covered):
        for place in covered:
            colour = colour_of(position.options.plan(player), place)
            assert colour is not None
            yield colour
    if not position.over and position.due.what == "build":
        yield from position.barrows[position.due.player].tiles
