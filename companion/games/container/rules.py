"""The container of Bau Boom alone, beside the real board (CON-R1 to CON-R9). Pure.

People move, collect and build on the table; the companion is told what leaves the container and what comes
back. Some of that nobody has seen but its owner, so of each colour a range is known. A tile that is carried
face down may be any; it is not remembered which one was seen when it was picked up, for that is the game.
"""

from dataclasses import dataclass, replace
from typing import Literal

from companion.games.rulebook import Awaited, IllegalMove, Rng, replaced, shuffled

COLOURS: tuple["Colour", ...] = ("red", "yellow", "green", "blue")
PLAYERS = range(2, 5)
TILES = 72
TRAIL = 30  # tiles on the trail of the box, at the beginning

Colour = Literal["red", "yellow", "green", "blue"]
Phase = Literal["deal", "count", "over"]


@dataclass(frozen=True, slots=True)
class Options:
    """What is agreed before the game; `tiles` are the numbers by `COLOURS`."""

    players: int = 2
    trail: Literal["told", "untold"] = "told"
    tiles: tuple[int, int, int, int] = (18, 18, 18, 18)


@dataclass(frozen=True, slots=True)
class Deal:
    """Tiles are laid open on the trail: how many of each colour, or, untold, how many in all."""

    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Open:
    """A tile is drawn and everybody sees it."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class Hide:
    """A tile is drawn that only its owner sees."""


@dataclass(frozen=True, slots=True)
class Back:
    """A tile comes back; `colour` is None if nobody sees which."""

    colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class End:
    """The game on the table is over."""


Move = Deal | Open | Hide | Back | End


@dataclass(frozen=True, slots=True)
class Position:
    """`seen` are the tiles of each colour that have left the container openly, less those that came back so.

    `hidden` of any colour have left it unseen, `returned` of any colour have come back unseen.
    """

    options: Options
    phase: Phase = "deal"
    seen: tuple[int, ...] = (0, 0, 0, 0)
    hidden: int = 0
    returned: int = 0

    @property
    def turn(self) -> int:
        """Turns are seen on the table; whoever keeps the container stands for all."""
        return 0

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    @property
    def scores(self) -> tuple[int, ...]:
        """Nothing is counted here."""
        return (0,) * self.options.players

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won is seen on the table."""
        return ()

    @property
    def inside(self) -> int:
        """How many tiles are in the container."""
        return sum(self.options.tiles) - sum(self.seen) - self.hidden + self.returned

    def span(self, colour: Colour) -> tuple[int, int]:
        """Return how many tiles of a colour are in the container at least, and at most (CON-R7)."""
        kind, tiles = COLOURS.index(colour), self.options.tiles
        left, outside = tiles[kind] - self.seen[kind], sum(tiles) - self.inside
        low = max(0, tiles[kind] - outside, left - self.hidden)
        return low, min(tiles[kind], self.inside, left + self.returned)


def opening(options: Options) -> Position:
    """Return the position before the trail is laid out: everything is in the container (CON-R1)."""
    return Position(options)


def awaits(position: Position) -> tuple[Awaited[Move], ...]:
    """Return who may act now: the first player tells for all."""
    if position.over:
        return ()
    if position.phase == "deal":
        return (Awaited(None, "deal", count=len(_dealt(position.options))),)
    return (Awaited(0, "tell a tile", legal(position)),)


def _dealt(options: Options) -> tuple[int, ...]:
    return options.tiles if options.trail == "told" else (sum(options.tiles),)


def legal(position: Position) -> tuple[Move, ...]:
    """Return every move that is legal while tiles are counted."""
    spans = {colour: position.span(colour) for colour in COLOURS}
    sizes = dict(zip(COLOURS, position.options.tiles, strict=True))
    out: list[Move] = [Open(colour) for colour in COLOURS if spans[colour][1]]
    back: list[Move] = [Back(colour) for colour in COLOURS if spans[colour][0] < sizes[colour]]
    if position.inside:
        out.append(Hide())
    if position.inside < sum(position.options.tiles):
        back.append(Back())
    return (*out, *back, End())


def play(position: Position, move: Move) -> Position:
    """Return the position after a move; raises `IllegalMove`."""
    if position.over:
        raise IllegalMove(None, "the game is over")
    if isinstance(move, Deal):
        return _deal(position, move.counts)
    if position.phase == "deal" and not isinstance(move, End):
        raise IllegalMove("CON-R2", "first say what lies on the trail")
    if move not in legal(position):
        raise _refusal(move)
    match move:
        case Open(colour):
            return _opened(position, COLOURS.index(colour))
        case Hide():
            return replace(position, hidden=position.hidden + 1)
        case Back(None):
            return replace(position, returned=position.returned + 1)
        case Back(colour):
            assert colour is not None
            return _back(position, COLOURS.index(colour))
        case End():
            return replace(position, phase="over")


def _refusal(move: Move) -> IllegalMove:
    if isinstance(move, Back):
        return IllegalMove("CON-R8", "all these tiles are in the container")
    return IllegalMove("CON-R8", "the container has no such tile left")


def _deal(position: Position, counts: tuple[int, ...]) -> Position:
    options = position.options
    if position.phase != "deal":
        raise IllegalMove("CON-R2", "the trail is laid out only once")
    if len(counts) != len(_dealt(options)):
        rule = "red 7 yellow 8 green 8 blue 7" if options.trail == "told" else str(TRAIL)
        raise IllegalMove("CON-R2", "write the tiles on the trail: deal {example}", example=rule)
    if any(count > most for count, most in zip(counts, _dealt(options), strict=True)):
        raise IllegalMove("CON-R8", "the container has no such tile left")
    if options.trail == "untold":
        return replace(position, phase="count", hidden=counts[0])
    return replace(position, phase="count", seen=counts)


def _opened(position: Position, kind: int) -> Position:
    """If all tiles of the colour seemed to be outside, one of them has come back unseen."""
    if position.seen[kind] == position.options.tiles[kind]:
        return replace(position, returned=position.returned - 1)
    return replace(position, seen=replaced(position.seen, kind, position.seen[kind] + 1))


def _back(position: Position, kind: int) -> Position:
    """If none of the colour seemed to be outside, it is one that had left unseen."""
    if position.seen[kind] == 0:
        return replace(position, hidden=position.hidden - 1)
    return replace(position, seen=replaced(position.seen, kind, position.seen[kind] - 1))


def outcome(position: Position, awaited: Awaited[Move], rng: Rng) -> Move:
    """Return a trail as it may be laid out."""
    tiles = [kind for kind, count in enumerate(position.options.tiles) for _ in range(count)]
    laid = shuffled(rng, tiles)[:TRAIL]
    if position.options.trail == "untold":
        return Deal((len(laid),))
    return Deal(tuple(laid.count(kind) for kind in range(len(COLOURS))))
