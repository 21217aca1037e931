"""BIG BOOM! BANG as positions and moves (BANG-R1 to BANG-R36). Pure.

A turn: up to three throws, then hearts, bombs and gifts are evaluated in this order; bombs and gifts
make people reveal tiles, until the one that goes BOOM ends the round.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Literal

from companion.games.rulebook import Awaited, IllegalMove, Rng, pick, replaced, shuffled

FACES: tuple["Face", ...] = ("bomb", "scissors", "heart", "gift")
TILES = ("fuse",) * 11 + ("gift",) * 2 + ("boom",)  # BANG-R2
DICE = 5
HEARTS = 15
START = 2  # hearts of each player at the beginning (BANG-R4)
MOST = 3  # hearts that a player may have (BANG-R18)
THROWS = 3  # BANG-R7
PLAYERS = range(3, 6)  # BANG-R1

Face = Literal["bomb", "scissors", "heart", "gift"]
Phase = Literal["shuffle", "roll", "choose", "reveal", "name", "over"]


@dataclass(frozen=True, slots=True)
class Options:
    """What is agreed before the game. `faces` are the six sides of a die (A-BANG1)."""

    players: int = 3
    scissors: Literal["reroll", "keep"] = "reroll"  # A-BANG2
    faces: tuple[Face, Face, Face, Face, Face, Face] = ("bomb", "bomb", "scissors", "heart", "gift", "gift")


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The 14 tiles on their places."""

    tiles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Roll:
    """What the thrown dice show, in the order of their numbers."""

    faces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reroll:
    """These dice, by their numbers from 1, are thrown again."""

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Keep:
    """No more throws."""


@dataclass(frozen=True, slots=True)
class Reveal:
    """A tile, by its place from 1, is turned over."""

    place: int


@dataclass(frozen=True, slots=True)
class Name:
    """A gift tile hits a player."""

    player: int


Move = Shuffle | Roll | Reroll | Keep | Reveal | Name


@dataclass(frozen=True, slots=True)
class Position:
    """`dice` has a face for each die, None while it is in the hand; `tiles` is empty until they are shuffled.

    `queue` are the players who still have to reveal a tile each, for the dice of the active player;
    `forced` is who must reveal one out of turn, or must name somebody, for a gift tile.
    """

    options: Options
    phase: Phase
    hearts: tuple[int, ...]
    active: int = 0
    dice: tuple[str | None, ...] = (None,) * DICE
    throws: int = 0
    tiles: tuple[str, ...] = ()
    open: tuple[int, ...] = ()
    queue: tuple[int, ...] = ()
    forced: int | None = None

    @property
    def turn(self) -> int:
        """Whose turn it is, also while others reveal."""
        return self.active

    @property
    def supply(self) -> int:
        """The hearts that nobody has (BANG-R19)."""
        return HEARTS - sum(self.hearts)

    @property
    def over(self) -> bool:
        """Whether only one player has hearts left (BANG-R34)."""
        return self.phase == "over"

    @property
    def scores(self) -> tuple[int, ...]:
        """The hearts."""
        return self.hearts

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has hearts when the game is over."""
        return tuple(self.alive) if self.over else ()

    @property
    def alive(self) -> list[int]:
        """The players who are still in the game."""
        return [player for player, hearts in enumerate(self.hearts) if hearts]

    @property
    def due(self) -> tuple[int, ...]:
        """Who still has to reveal a tile, one after the other; first whoever is forced to, or has to name."""
        return self.queue if self.forced is None else (self.forced, *self.queue)

    @property
    def owed(self) -> int:
        """How many reveals are still due, a forced one included."""
        return len(self.due)

    @property
    def hidden(self) -> list[int]:
        """The places, from 1, of the tiles that lie face down."""
        return [place for place in range(1, len(self.tiles) + 1) if place not in self.open]

    def after(self, player: int) -> int:
        """The next player to the left who is still in the game (A-BANG9)."""
        count = self.options.players
        seats = ((player + step) % count for step in range(1, count + 1))
        return next(seat for seat in seats if self.hearts[seat])


def opening(options: Options) -> Position:
    """Return the position before the tiles are shuffled (BANG-R3, R4)."""
    return Position(options, "shuffle", (START,) * options.players)


def awaits(position: Position) -> tuple[Awaited[Move], ...]:
    """Return who may act now."""
    match position.phase:
        case "shuffle":
            return (Awaited(None, "shuffle", count=len(TILES)),)
        case "roll":
            dice = tuple(i for i, face in enumerate(position.dice, 1) if face is None)
            return (Awaited(None, "roll", count=len(dice), dice=dice),)
        case "choose":
            return (Awaited(position.active, "throw again or keep", legal(position)),)
        case "reveal":
            return (Awaited(position.due[0], "reveal a tile", legal(position)),)
        case "name":
            return (Awaited(position.forced, "name a player", legal(position)),)
        case "over":
            return ()


def legal(position: Position) -> tuple[Move, ...]:
    """Return every decision that is legal now."""
    match position.phase:
        case "choose":
            rerolls = _rerolls(position.dice, position.options.scissors)
            return (Keep(), *(Reroll(dice) for dice in rerolls))
        case "reveal":
            return tuple(Reveal(place) for place in position.hidden)
        case "name":
            return tuple(Name(player) for player in position.alive if player != position.forced)
        case _:
            return ()


@lru_cache(maxsize=2048)
def _rerolls(dice: Sequence[str | None], scissors: str) -> tuple[tuple[int, ...], ...]:
    """Return every set of dice that may be thrown again."""
    sets = (chosen for size in range(1, DICE + 1) for chosen in combinations(range(1, DICE + 1), size))
    return tuple(chosen for chosen in sets if _refusal(dice, scissors, chosen) is None)


def _refusal(dice: Sequence[str | None], scissors: str, chosen: tuple[int, ...]) -> IllegalMove | None:
    """Return why these dice may not be thrown again, None if they may (BANG-R9 to R13, A-BANG2)."""
    thrown = [dice[number - 1] for number in chosen]
    bombs, along, lying = thrown.count("bomb"), thrown.count("scissors"), dice.count("scissors")
    if bombs and not lying:
        return IllegalMove("BANG-R10", "a bomb needs a scissors to be thrown again")
    if bombs > lying:
        return IllegalMove("BANG-R11", "every bomb that is thrown again needs a scissors of its own")
    if scissors == "reroll" and bombs > along:
        return IllegalMove("BANG-R12", "the scissors is thrown together with the bomb")
    return None


def play(position: Position, move: Move) -> Position:
    """Return the position after a move; raises `IllegalMove`."""
    if position.over:
        raise IllegalMove(None, "the game is over")
    match move:
        case Shuffle(tiles):
            return _shuffle(position, tiles)
        case Roll(faces):
            return _roll(position, faces)
        case Reroll(dice):
            return _reroll(position, dice)
        case Keep():
            _require(position, "choose")
            return _evaluated(position)
        case Reveal(place):
            return _reveal(position, place)
        case Name(player):
            return _name(position, player)


_ONLY: dict[Phase, Callable[[Position], IllegalMove]] = {
    "shuffle": lambda _: IllegalMove("BANG-R26", "the tiles are shuffled first"),
    "roll": lambda _: IllegalMove("BANG-R6", "the dice are thrown first"),
    "choose": lambda _: IllegalMove("BANG-R8", "now dice are thrown again or kept"),
    "reveal": lambda position: IllegalMove(_reveals(position), "now a tile is revealed"),
    "name": lambda _: IllegalMove("BANG-R22", "now a player is named"),
}


def _require(position: Position, *phases: Phase) -> None:
    if position.phase not in phases:
        raise _ONLY[position.phase](position)


def _reveals(position: Position) -> str:
    """Return the rule by which a tile is revealed: for a gift tile, a bomb, or a gift on a die."""
    if position.forced is not None:
        return "BANG-R22"
    return "BANG-R20" if position.queue[0] == position.active else "BANG-R29"


def _shuffle(position: Position, tiles: tuple[str, ...]) -> Position:
    _require(position, "shuffle")
    if sorted(tiles) != sorted(TILES):
        raise IllegalMove("BANG-R2", "there are 14 tiles: 11 fuses, 2 gifts and 1 boom")
    return replace(position, phase="roll", tiles=tiles)


def _roll(position: Position, faces: tuple[str, ...]) -> Position:
    _require(position, "roll")
    if len(faces) != position.dice.count(None):
        count = position.dice.count(None)
        rule = "BANG-R8" if position.throws else "BANG-R6"
        raise IllegalMove(rule, "the number of dice to throw is {count}", count=count)
    unknown = [face for face in faces if face not in position.options.faces]
    if unknown:
        raise IllegalMove("A-BANG1", "the dice have no side {face}", face=unknown[0])
    shown = iter(faces)
    dice = tuple(face or next(shown) for face in position.dice)
    after = replace(position, phase="choose", dice=dice, throws=position.throws + 1)
    return _evaluated(after) if after.throws == THROWS else after


def _reroll(position: Position, dice: tuple[int, ...]) -> Position:
    _require(position, "choose")
    refusal = _refusal(position.dice, position.options.scissors, dice)
    if refusal:
        raise refusal
    kept = tuple(None if number in dice else face for number, face in enumerate(position.dice, 1))
    return replace(position, phase="roll", dice=kept)


def _evaluated(position: Position) -> Position:
    """Hearts first, then bombs, then gifts (BANG-R15); scissors are nothing (BANG-R16)."""
    active, dice = position.active, position.dice
    hearts = position.hearts
    if dice.count("heart") >= 3:  # BANG-R17
        hearts = replaced(hearts, active, min(MOST, hearts[active] + 1))
    bombs = (active,) * dice.count("bomb")
    queue = bombs + tuple(_opponents(position, dice.count("gift")))
    return _resolved(replace(position, hearts=hearts, queue=queue))


def _opponents(position: Position, gifts: int) -> Iterator[int]:
    """Who reveals for each gift die: from the left neighbour on, the active player left out (BANG-R29)."""
    player = position.active
    for _ in range(gifts):
        player = position.after(player)
        if player == position.active:
            player = position.after(player)
        yield player


def _resolved(position: Position) -> Position:
    """Go on to the next reveal, or, when all is done, to the left neighbour's turn (BANG-R31)."""
    if position.owed:
        return replace(position, phase="reveal")
    return _turn_of(position, position.after(position.active))


def _turn_of(position: Position, player: int) -> Position:
    return replace(position, phase="roll", active=player, dice=(None,) * DICE, throws=0)


def _reveal(position: Position, place: int) -> Position:
    _require(position, "reveal")
    if place in position.open:
        raise IllegalMove("BANG-R32", "tile {place} is open already", place=place)
    who = position.due[0]
    queue = position.queue[1:] if position.forced is None else position.queue  # A-BANG8
    after = replace(position, open=(*position.open, place), queue=queue, forced=None)
    match position.tiles[place - 1]:
        case "boom":
            return _boom(after, who)
        case "gift":
            return replace(after, phase="name", forced=who)  # BANG-R22, R23
        case _:
            return _resolved(after)


def _name(position: Position, player: int) -> Position:
    _require(position, "name")
    if player >= position.options.players:
        raise IllegalMove("BANG-R22", "there is no player {player}", player=player + 1)
    if player == position.forced:
        raise IllegalMove("A-BANG7", "nobody names himself")
    if not position.hearts[player]:
        raise IllegalMove("A-BANG7", "player {player} is out of the game", player=player + 1)
    return replace(position, phase="reveal", forced=player)


def _boom(position: Position, who: int) -> Position:
    """A heart is lost and the round is over; whoever was hit begins the next (BANG-R25 to R27, R33)."""
    hearts = replaced(position.hearts, who, position.hearts[who] - 1)
    after = replace(position, hearts=hearts, queue=(), tiles=(), open=())
    starter = who if hearts[who] else after.after(who)
    after = _turn_of(after, starter)
    return replace(after, phase="shuffle" if len(after.alive) > 1 else "over")


def outcome(position: Position, awaited: Awaited[Move], rng: Rng) -> Move:
    """Return random tiles, or a random throw of the dice that are thrown."""
    if awaited.what == "shuffle":
        return Shuffle(shuffled(rng, TILES))
    return Roll(tuple(pick(rng, position.options.faces) for _ in range(awaited.count or 0)))
