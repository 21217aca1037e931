"""Bau Boom on the table: what is agreed, the moves, the position, and how tiles change places. Pure."""

from dataclasses import dataclass, replace
from typing import Literal

from companion.games.bau_boom.hill import COLOURS, Colour, Place, Plan, default_plans
from companion.games.rulebook import IllegalMove, replaced

Variant = Literal["base", "younger", "clever"]
Kind = Literal["start", "normal", "ladybug", "anteater"]
Size = Literal[10, 15]
PLAYERS = range(2, 5)  # BAU-R1


def trail(spaces: int, ladybugs: tuple[int, ...], anteaters: tuple[int, ...]) -> tuple[Kind, ...]:
    """Return the kinds of the spaces of a trail, the start first."""

    def kind(space: int) -> Kind:
        if space in anteaters:
            return "anteater"
        return "ladybug" if space in ladybugs else "normal"

    return ("start", *(kind(space) for space in range(1, spaces)))


TRAIL = trail(33, (5, 10, 15, 21, 28), (8, 24))  # A-BAU1
PLANS10, PLANS15 = default_plans(10), default_plans(15)  # A-BAU2


@dataclass(frozen=True, slots=True)
class Options:
    """What is agreed before the game, and what box it is played with.

    `hills` are the sizes by player, empty for those of the variant; `tiles` are the numbers by `COLOURS`;
    `plans10` and `plans15` are the two sides of the four hills.
    """

    players: int = 2
    variant: Variant = "base"
    hills: tuple[Size, ...] = ()
    trail: tuple[Kind, ...] = TRAIL
    tiles: tuple[int, int, int, int] = (18, 18, 18, 18)  # A-BAU3
    plans10: tuple[Plan, Plan, Plan, Plan] = PLANS10
    plans15: tuple[Plan, Plan, Plan, Plan] = PLANS15
    penalty_tile: Literal["exposed", "any"] = "exposed"  # A-BAU13
    penalty_per_tile: bool = False  # A-BAU12
    zero_triggers: bool = False  # A-BAU18
    young_forced: Literal["barrow", "return"] = "barrow"  # A-BAU20

    def size(self, player: int) -> Size:
        """Return the size of a player's hill (BAU-R7, R9, R46)."""
        if self.hills:
            return self.hills[player]
        return 15 if self.variant == "clever" else 10

    def plan(self, player: int) -> Plan:
        """Return the places of a player's hill."""
        return (self.plans10 if self.size(player) == 10 else self.plans15)[player]


@dataclass(frozen=True, slots=True)
class Deal:
    """The tiles on the trail, in its order."""

    colours: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class Roll:
    """The two dice."""

    dice: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Go:
    """The barrow moves by a number."""

    number: int


@dataclass(frozen=True, slots=True)
class Take:
    """The tile goes into the barrow."""


@dataclass(frozen=True, slots=True)
class Leave:
    """The tile stays on the trail."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A tile comes out of the container."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class Lay:
    """A tile is laid on a place of the hill."""

    colour: Colour
    place: Place


@dataclass(frozen=True, slots=True)
class Done:
    """Nothing that was brought fits any more."""


@dataclass(frozen=True, slots=True)
class Remove:
    """A tile of the hill is paid as a penalty."""

    place: Place


@dataclass(frozen=True, slots=True)
class Refill:
    """New tiles for the empty spaces, in the order of the trail."""

    colours: tuple[Colour, ...]


Move = Deal | Roll | Go | Take | Leave | Draw | Lay | Done | Remove | Refill
What = Literal["deal", "roll", "move", "land", "tile", "draw", "drawn", "build", "pay", "refill", "next"]


@dataclass(frozen=True, slots=True)
class Due:
    """Something on the agenda.

    `player` is whom it concerns. A tile that is `forced` must be taken, because of a push or a ladybug.
    `space` is the only one to refill; without it all are.
    """

    what: What
    player: int = 0
    forced: bool = False
    space: int | None = None


@dataclass(frozen=True, slots=True)
class Barrow:
    """Where it stands, and its tiles, the first one collected first."""

    at: int = 0
    tiles: tuple[Colour, ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """`trail` has a tile or None for each space; `container` counts by `COLOURS`; `covered` is by player."""

    options: Options
    agenda: tuple[Due, ...]
    trail: tuple[Colour | None, ...]
    barrows: tuple[Barrow, ...]
    container: tuple[int, ...]
    covered: tuple[frozenset[Place], ...]
    turn: int = 0
    dice: tuple[int, int] = (0, 0)

    @property
    def over(self) -> bool:
        """Whether somebody has covered his last place (BAU-R39)."""
        return not self.agenda

    @property
    def scores(self) -> tuple[int, ...]:
        """The covered places."""
        return tuple(map(len, self.covered))

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has covered his last place."""
        return tuple(p for p in range(self.options.players) if self.complete(p)) if self.over else ()

    @property
    def due(self) -> Due:
        """What is awaited now."""
        return self.agenda[0]

    def complete(self, player: int) -> bool:
        """Whether a player's hill is covered."""
        return len(self.covered[player]) == self.options.size(player)

    def stops(self, at: int) -> int:
        """Return the space where a way to `at` stops: nobody passes the start (BAU-R25)."""
        return at if at < len(self.trail) else 0

    # Tiles go from place to place

    def laid_out(self, spaces: list[int], colours: tuple[Colour, ...]) -> "Position":
        """Return the position with tiles from the container on spaces; raises `IllegalMove`."""
        after, on_trail = self, list(self.trail)
        for space, colour in zip(spaces, colours, strict=True):
            after = after.out_of_container(colour)
            on_trail[space] = colour
        return replace(after, trail=tuple(on_trail))

    def out_of_container(self, colour: Colour) -> "Position":
        """Return the position with a tile less in the container; raises `IllegalMove`."""
        kind = COLOURS.index(colour)
        if not self.container[kind]:
            raise IllegalMove("BAU-R5", "the container has no such tile left: {colour}", colour=colour)
        return replace(self, container=replaced(self.container, kind, self.container[kind] - 1))

    def into_container(self, colours: tuple[Colour, ...]) -> "Position":
        """Return the position with more tiles in the container."""
        counts = zip(COLOURS, self.container, strict=True)
        return replace(self, container=tuple(count + colours.count(colour) for colour, count in counts))

    def with_tiles(self, player: int, tiles: tuple[Colour, ...]) -> "Position":
        """Return the position with these tiles in a barrow."""
        barrow = replace(self.barrows[player], tiles=tiles)
        return replace(self, barrows=replaced(self.barrows, player, barrow))

    def cleared(self, space: int) -> "Position":
        """Return the position without the tile on a space."""
        return replace(self, trail=replaced(self.trail, space, None))

    def collected(self, player: int) -> "Position":
        """Return the position with the tile on a player's space in his barrow."""
        barrow = self.barrows[player]
        tile = self.trail[barrow.at]
        assert tile is not None
        return self.cleared(barrow.at).with_tiles(player, (*barrow.tiles, tile))
