"""Barrows that drive from space to space, so that it is seen who was pushed where."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.games.bau_boom.position import Position
from companion.games.bau_boom.trail import Trail

DRIVE = 0.3  # seconds
Spot = tuple[float, float, float]
"""Where a barrow is seen, in pixels, and how large, in parts of the trail's width."""


@dataclass(frozen=True, slots=True)
class Drive:
    """Who drives from where, and since when."""

    since: float = -math.inf
    origins: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def between(cls, before: Position, after: Position, now: float) -> "Drive":
        """Whoever stands somewhere else after a move drives there."""
        pairs = zip(before.barrows, after.barrows, strict=True)
        return cls(now, {p: old.at for p, (old, new) in enumerate(pairs) if old.at != new.at})

    def going(self, now: float) -> bool:
        """Whether somebody still drives."""
        return bool(self.origins) and now - self.since < DRIVE

    def spots(self, where: Trail, position: Position, now: float) -> list[Spot]:
        """Where each barrow is seen; on the start they stand beside each other."""
        part = min(1.0, max(0.0, (now - self.since) / DRIVE))
        part *= 2 - part  # it slows down
        return [self._spot(where, player, barrow.at, part) for player, barrow in enumerate(position.barrows)]

    def _spot(self, where: Trail, player: int, at: int, part: float) -> Spot:
        origin, length = self.origins.get(player, at), len(where.kinds)
        along = origin + ((at - origin) % length) * part
        share = along - math.floor(along)
        one = _parked(where, player, math.floor(along) % length)
        other = _parked(where, player, math.ceil(along) % length)
        x, y, size = (a + (b - a) * share for a, b in zip(one, other, strict=True))
        return x, y, size


def _parked(where: Trail, player: int, space: int) -> Spot:
    x, y = where.spot(space)
    if space:
        return x, y, 0.86
    across, down = player % 2 - 0.8, player // 2 - 0.3
    return x + across * where.wide * 0.52, y + down * where.wide * 0.5, 0.62
