"""What somebody knows of the container who has watched the whole game and forgets nothing. Pure."""

import math
from collections.abc import Callable, Sequence

from companion.games.bau_boom.hill import COLOURS, Colour, colour_of, free
from companion.games.bau_boom.position import Deal, Done, Draw, Lay, Position, Refill, Remove, Take
from companion.games.bau_boom.steps import Frame

World = tuple[tuple[Colour, ...], ...]
"""One way to colour the hidden tiles in the barrows, by player, the first one first."""


class Watcher:
    """He lacks only the tiles that ladybugs have brought and that are still in barrows (BAU-R17).

    What comes from the trail, what goes back and what is brought home he has seen. For every way in which the
    hidden tiles may be coloured he keeps how likely it is, and learns by Bayes' rule: a draw multiplies the
    ways; tiles that are laid out or brought home make some of them likelier and others impossible. What
    people decide is taken to tell nothing about what they hide. k hidden tiles are at most 4 ** k ways.
    """

    def __init__(self, opening: Position) -> None:
        self.options = opening.options
        self.pool = list(opening.options.tiles)  # in the container, or hidden
        self.barrows: list[list[Colour | None]] = [[] for _ in opening.barrows]  # None is a hidden tile
        self.worlds: dict[World, float] = {((),) * len(opening.barrows): 1.0}

    @classmethod
    def of(cls, frames: Sequence[Frame]) -> "Watcher":
        """Who has seen all moves of a game so far, at least one."""
        found = cls(frames[0].before)
        for frame in frames:
            found.sees(frame)
        return found

    @property
    def chances(self) -> tuple[float, ...]:
        """The chances of the next tile by `COLOURS`; all 0 if the container is empty."""
        found = [0.0] * len(COLOURS)
        for world, weight in self.worlds.items():
            inside = self._inside(world)
            for kind, count in enumerate(inside):
                found[kind] += weight * count / max(1, sum(inside))
        return tuple(found)

    def _inside(self, world: World) -> list[int]:
        """What the container holds then."""
        hidden = [tile for tiles in world for tile in tiles]
        return [count - hidden.count(colour) for colour, count in zip(COLOURS, self.pool, strict=True)]

    # what he sees

    def sees(self, frame: Frame) -> None:
        """A move, and what follows from it by itself."""
        before, player = frame.before, frame.before.due.player
        match frame.move:
            case Deal(colours) | Refill(colours):
                self._laid_out(colours)
            case Draw():
                self._drawn(frame, player)
            case Take() if before.due.what == "tile":
                self.barrows[player].append(before.trail[before.barrows[player].at])
            case Lay(colour) if before.due.what == "drawn":
                self._uncovered(player, len(self.barrows[player]) - 1, colour)
                self.barrows[player].pop()
                self._moved(colour, -1)
            case Lay(colour) if before.due.what == "build":
                self.barrows[player].remove(colour)
            case Done():
                for tile in before.barrows[player].tiles:
                    self._moved(tile, 1)
                self.barrows[player].clear()
            case Remove(place):
                self._moved(colour_of(before.options.plan(player), place), 1)
        for each in range(len(self.barrows)):
            self._follows(frame, each)

    def _follows(self, frame: Frame, player: int) -> None:
        """Anteaters, and what is taken or put away unasked (A-BAU20); what is brought home lies open."""
        own, barrow, after = self.barrows[player], frame.after.barrows[player], frame.after
        answered = player == frame.before.due.player and isinstance(frame.move, Take | Lay)
        tile = frame.before.trail[barrow.at]
        if len(barrow.tiles) < len(own):
            self._given_back(player)
        elif tile and after.trail[barrow.at] is None and not answered:
            if len(barrow.tiles) > len(own):
                own.append(tile)
            else:
                self._moved(tile, 1)
        if not after.over and after.due.what == "build" and after.due.player == player:
            for place, colour in enumerate(barrow.tiles):
                if own[place] is None:
                    self._uncovered(player, place, colour)
                    self._moved(colour, -1)

    # what he learns

    def _moved(self, tile: Colour | None, step: int) -> None:
        """A tile that he sees goes into the container, or has come out of it."""
        assert tile is not None
        self.pool[COLOURS.index(tile)] += step

    def _learns(self, likely: Callable[[World], float]) -> None:
        """Weigh the worlds by how likely they make what was seen."""
        weighed = {world: weight * likely(world) for world, weight in self.worlds.items()}
        total = sum(weighed.values())
        self.worlds = {world: weight / total for world, weight in weighed.items() if weight}

    def _becomes(self, player: int, changed: Callable[[tuple[Colour, ...]], tuple[Colour, ...]]) -> None:
        """Worlds in which a player's hidden tiles are others now; those that are alike become one."""
        found: dict[World, float] = {}
        for world, weight in self.worlds.items():
            then = (*world[:player], changed(world[player]), *world[player + 1 :])
            found[then] = found.get(then, 0.0) + weight
        self.worlds = found

    def _laid_out(self, colours: Sequence[Colour]) -> None:
        """Tiles that come out of the container one after the other."""
        counts = [colours.count(colour) for colour in COLOURS]
        self._learns(lambda world: math.prod(map(math.perm, self._inside(world), counts)))
        for colour in colours:
            self._moved(colour, -1)

    def _drawn(self, frame: Frame, player: int) -> None:
        """A tile that only its owner looks at. Among the younger it is seen whether it can be built."""
        found: dict[World, float] = {}
        for world, weight in self.worlds.items():
            inside = self._inside(world)
            for colour, count in zip(COLOURS, inside, strict=True):
                then = (*world[:player], (*world[player], colour), *world[player + 1 :])
                if count:
                    found[then] = weight * count / sum(inside)
        self.worlds = found
        self.barrows[player].append(None)
        if self.options.variant == "younger":
            plan, covered = self.options.plan(player), frame.before.covered[player]
            fitting = [colour for colour in COLOURS if free(plan, covered, colour)]
            asked = frame.after.due.what == "drawn"
            self._learns(lambda world: (world[player][-1] in fitting) == asked)

    def _uncovered(self, player: int, place: int, colour: Colour) -> None:
        """A hidden tile of a barrow lies open now."""
        number = self.barrows[player][:place].count(None)
        self._learns(lambda world: world[player][number] == colour)
        self._becomes(player, lambda tiles: (*tiles[:number], *tiles[number + 1 :]))
        self.barrows[player][place] = colour

    def _given_back(self, player: int) -> None:
        """The last tile of a barrow goes into the container, face down."""
        tile = self.barrows[player].pop()
        if tile:
            self._moved(tile, 1)
        else:
            self._becomes(player, lambda tiles: tiles[:-1])
