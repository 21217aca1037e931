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
    missing = unseen(position)
    total = sum(position.container)
    in_barrows = sum(missing) - total
    low = tuple(max(0, count - in_barrows) for count in missing)
    return Knowledge(total, low, tuple(min(count, total) for count in missing))


def unseen(position: Position, player: int | None = None) -> tuple[int, ...]:
    """Return by `COLOURS` how many tiles lie face down; for a `player` those that are not in his barrow."""
    seen = list(_open(position))
    if player is not None and not _opened(position, player):
        seen += position.barrows[player].tiles
    return tuple(count - seen.count(c) for c, count in zip(COLOURS, position.options.tiles, strict=True))


def _opened(position: Position, player: int) -> bool:
    """Whether what a player has brought lies open before him (BAU-R29)."""
    return not position.over and position.due.what == "build" and position.due.player == player


def _open(position: Position) -> Iterator[Colour]:
    """Yield every tile that lies open: on the trail, on a hill, before a player who builds (BAU-R16, R29)."""
    yield from (tile for tile in position.trail if tile)
    for player, covered in enumerate(position.covered):
        for place in covered:
            colour = colour_of(position.options.plan(player), place)
            assert colour is not None
            yield colour
    for player, barrow in enumerate(position.barrows):
        if _opened(position, player):
            yield from barrow.tiles
