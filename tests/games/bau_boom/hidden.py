"""The same table with other things out of sight."""

import random
from dataclasses import replace

from companion.games.bau_boom.hill import COLOURS
from companion.games.bau_boom.position import Position


def turned(position: Position, choose: random.Random, owner: int | None = None) -> Position:
    """The same table, with all that lies face down mixed anew, except in the barrow of an `owner`."""
    building = None if position.over or position.due.what != "build" else position.due.player
    hidden = [p for p in range(len(position.barrows)) if p not in (building, owner)]
    pool = [c for c, n in zip(COLOURS, position.container, strict=True) for _ in range(n)]
    pool += [tile for p in hidden for tile in position.barrows[p].tiles]
    choose.shuffle(pool)
    for player in hidden:
        count = len(position.barrows[player].tiles)
        position = position.with_tiles(player, tuple(pool[:count]))
        del pool[:count]
    return replace(position, container=tuple(pool.count(colour) for colour in COLOURS))
