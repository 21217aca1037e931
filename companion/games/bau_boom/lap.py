"""How many turns a player still needs, by dynamic programming over the rest of his lap. Pure.

The tiles of the trail lie open and the start stops everybody, so a lap is a chain of decisions with an end,
and its values are found backwards from there (Bellman, Dynamic Programming, 1957). A value is an array over
what the player may carry by then, his loads: `stood[space][load]` is the expected number of turns to the end
of the game for one who stands on a space and has answered its tile.

What it leaves out: the others, who push, take tiles away and bring new ones. A tile that is drawn is any of
those that the player does not see, each as likely. What a hill is worth after the lap, `turns` estimates.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.games.bau_boom.hill import COLOURS, Colour, Place, Plan, colour_of, exposed, free, missing
from companion.games.bau_boom.position import TRAIL, Options, Position, Variant

Hill = frozenset[Place]
Values = NDArray[np.float64]
Index = NDArray[np.intp]
KINDS = range(len(COLOURS))
ROLLS = tuple((a, b, 1 / 36 if a == b else 1 / 18) for a in range(1, 7) for b in range(a, 7))
"""Two dice, the lower one first, with their chance."""


_FIT: dict[Variant, tuple[float, float, float]] = {  # a lap, a missing tile, the squares of missing colours
    "base": (5.2, 0.07, 0.27),
    "younger": (0.9, 2.2, -0.21),
    "clever": (5.2, 0.49, 0.09),
}


@lru_cache(maxsize=8192)
def turns(options: Options, player: int, hill: Hill) -> float:
    """Return about how many turns it takes to cover the rest of a hill, from the start of a lap on.

    Fitted to value iteration over all hills with random trails, which comes within 0.2 turns of it (0.6 with
    the younger). What counts is how many tiles are missing, and in base that they are of different colours.
    """
    lacking = missing(options.plan(player), hill)
    if not lacking:
        return 0.0
    lap, tile, square = _FIT[options.variant]
    squares = sum(lacking.count(colour) ** 2 for colour in COLOURS)
    return lap * len(options.trail) / len(TRAIL) + tile * len(lacking) + square * squares


def fined(options: Options, player: int, hill: Hill) -> float:
    """Return what a hill is worth that has to pay a tile (BAU-R34, A-BAU13, A-BAU14)."""
    payable = exposed(hill) if options.penalty_tile == "exposed" else hill
    left = (turns(options, player, hill - {place}) for place in payable)
    return min(left, default=turns(options, player, hill))


def brought_home(options: Options, player: int, hill: Hill, left_over: bool) -> float:
    """Return what a hill is worth after an arrival (BAU-R34, R39, R40, R49)."""
    won = len(hill) == options.size(player) and options.variant != "clever"
    return fined(options, player, hill) if left_over and not won else turns(options, player, hill)


def hills(plan: Plan, hill: Hill) -> list[Hill]:
    """Return every hill that one can become, itself first (BAU-R30): 42 with 10 places, 132 with 15."""
    found, known = [hill], {hill}
    for each in found:
        for higher in (each | {place} for colour in COLOURS for place in free(plan, each, colour)):
            if higher not in known:
                known.add(higher)
                found.append(higher)
    return found


class Loads(Protocol):
    """All that a player may carry. Values before a tile are found from those after it."""

    def at(self, hill: Hill, tiles: Sequence[Colour]) -> int:
        """Return which load it is to have a hill and the tiles in a barrow."""

    def home(self) -> Values:
        """Return what each load is worth at the start."""

    def offered(self, values: Values, kind: int) -> Values:
        """Return what it is worth to be offered a tile of a colour."""

    def given(self, values: Values, kind: int) -> Values:
        """Return what it is worth to have to take one."""

    def robbed(self, values: Values) -> Values:
        """Return what it is worth to lose the last tile to an anteater."""


class Barrowful:
    """For those who build at the start: how many tiles of each colour.

    A load does not count more than one tile of a colour that cannot be laid any more: one is as bad as two.
    """

    def __init__(self, options: Options, player: int, hill: Hill) -> None:
        self.options, self.player, self.plan, self.hill = options, player, options.plan(player), hill
        lacking = missing(self.plan, hill)
        self.shape = tuple(lacking.count(colour) + 2 for colour in COLOURS)
        self.counts = np.indices(self.shape).reshape(len(COLOURS), -1)
        self.more = [self._stepped(kind, 1) for kind in KINDS]
        self.less = [self._stepped(kind, -1) for kind in KINDS]

    def _stepped(self, kind: int, step: int) -> Index:
        counts = self.counts.copy()
        counts[kind] = np.clip(counts[kind] + step, 0, self.shape[kind] - 1)
        return np.asarray(np.ravel_multi_index(tuple(counts), self.shape))

    def at(self, hill: Hill, tiles: Sequence[Colour]) -> int:
        """The hill does not change on the way."""
        counts = [min(tiles.count(c), most - 1) for c, most in zip(COLOURS, self.shape, strict=True)]
        return int(np.ravel_multi_index(counts, self.shape))

    def home(self) -> Values:
        """Built as well as it can be, and paid for what is left over (BAU-R29 to R34, R40, R49). What has to
        be built (BAU-R32) is: on a higher hill fewer tiles are missing.
        """
        best = np.full(self.counts.shape[1], np.inf)
        for hill in hills(self.plan, self.hill):
            laid = [sum(colour_of(self.plan, place) == c for place in hill - self.hill) for c in COLOURS]
            left = self.counts - np.array(laid)[:, None]
            possible = (left >= 0).all(axis=0)
            paid, clean = (brought_home(self.options, self.player, hill, over) for over in (True, False))
            value = np.where(left.any(axis=0), paid, clean)
            best = np.where(possible, np.minimum(best, value), best)
        return best

    def offered(self, values: Values, kind: int) -> Values:
        """Taken or left."""
        return np.minimum(values, values[self.more[kind]])

    def given(self, values: Values, kind: int) -> Values:
        """Taken."""
        return values[self.more[kind]]

    def robbed(self, values: Values) -> Values:
        """The order is no part of a load: each of its tiles may be the last."""
        total = self.counts.sum(axis=0)
        lost = sum(self.counts[kind] * values[self.less[kind]] for kind in KINDS)
        return np.where(total, lost / np.maximum(total, 1), values)


class AtOnce:
    """For the younger, who build on the way: the hill, and whether the barrow has anything that fitted not.

    The first half of the loads are hills with an empty barrow, the second the same hills with another one.
    """

    def __init__(self, options: Options, player: int, hill: Hill) -> None:
        self.options, self.player, self.plan = options, player, options.plan(player)
        self.hills = hills(self.plan, hill)
        number = {each: i for i, each in enumerate(self.hills)}
        count, most = (
            len(self.hills),
            max(len(free(self.plan, each, c)) for each in self.hills for c in COLOURS),
        )
        self.laid = np.zeros((len(COLOURS), most, 2 * count), np.intp)
        self.fits = np.zeros((len(COLOURS), 2 * count), bool)
        for i, each in enumerate(self.hills):
            for kind, colour in enumerate(COLOURS):
                reached = [number[each | {place}] for place in free(self.plan, each, colour)]
                for way in range(most):
                    to = reached[min(way, len(reached) - 1)] if reached else i
                    self.laid[kind, way, i], self.laid[kind, way, i + count] = to, to + count
                self.fits[kind, [i, i + count]] = bool(reached)
        self.kept = np.tile(np.arange(count) + count, 2)
        self.emptied = np.tile(np.arange(count), 2)
        self.won = np.tile([len(each) == sum(map(len, self.plan)) for each in self.hills], 2)

    def at(self, hill: Hill, tiles: Sequence[Colour]) -> int:
        """Whatever it is that did not fit."""
        return self.hills.index(hill) + (len(self.hills) if tiles else 0)

    def home(self) -> Values:
        """Built is everything that was taken, but for what fitted not."""
        options, player = self.options, self.player
        return np.array(
            [brought_home(options, player, h, over) for over in (False, True) for h in self.hills]
        )

    def offered(self, values: Values, kind: int) -> Values:
        """Built or left."""
        return np.minimum(values, self._built(values, kind))

    def given(self, values: Values, kind: int) -> Values:
        """Built if it fits."""
        kept = values if self.options.young_forced == "return" else values[self.kept]
        return np.where(self.fits[kind], self._built(values, kind), kept)

    def _built(self, values: Values, kind: int) -> Values:
        """On the best place; the last one wins, wherever that is (A-BAU21)."""
        values = np.where(self.won, 0.0, values)
        best: Values = values[self.laid[kind]].min(axis=0)
        return best

    def robbed(self, values: Values) -> Values:
        """The barrow is empty then: who has more than one such tile is rare."""
        return values[self.emptied]


@lru_cache(maxsize=16)
def loads(options: Options, player: int, hill: Hill) -> tuple[Loads, Values]:
    """Return what a player may carry, and what it is worth at the start."""
    found: Loads = (AtOnce if options.variant == "younger" else Barrowful)(options, player, hill)
    return found, found.home()


class Lap:
    """The rest of a player's lap. It is found `back` from the start, space by space."""

    def __init__(self, position: Position, player: int, drawn: Sequence[float]) -> None:
        """`drawn` are the chances of the colours that come out of the container, all 0 if it is empty."""
        self.options, self.trail, self.drawn = position.options, position.trail, drawn
        self.loads, home = loads(position.options, player, position.covered[player])
        self.end = self.space = len(position.trail)
        self.stood: dict[int, Values] = {}
        self.landed: dict[int, Values] = {self.end: home}

    def back(self) -> None:
        """Find the values on the space before those that are known."""
        self.space -= 1
        self.stood[self.space] = self._thrown(self.space)
        self.landed[self.space] = self._landed(self.space, self.stood[self.space])

    def _thrown(self, space: int) -> Values:
        """A turn that begins here (BAU-R12, R41, R47)."""
        found = np.ones_like(self.landed[self.end])
        for low, high, chance in ROLLS:
            reached = [self.landed[min(space + number, self.end)] for number in self._numbers(low, high)]
            best = reached[0]
            for other in reached[1:]:
                best = np.minimum(best, other)
            found += chance * best
        return found

    def _numbers(self, low: int, high: int) -> set[int]:
        """What may be moved, but for 0: to stand still is no way on."""
        match self.options.variant:
            case "younger":
                return {low, high}
            case "base":
                return {low, high, low + high}
            case "clever":
                return {low, high, low + high, high - low} - {0}

    def _landed(self, space: int, stood: Values) -> Values:
        """What lies there (BAU-R14 to R19)."""
        tile = self.trail[space]
        match self.options.trail[space]:
            case "anteater":
                return self.loads.robbed(stood)
            case "ladybug":
                if any(self.drawn):
                    drawn = [p * self.loads.given(stood, kind) for kind, p in enumerate(self.drawn)]
                    stood = np.add.reduce(drawn)
                return stood if tile is None else self.loads.given(stood, COLOURS.index(tile))
            case _:
                return stood if tile is None else self.loads.offered(stood, COLOURS.index(tile))
