"""Bau Boom as positions and moves (BAU-R1 to BAU-R50). Pure.

What is due stands in the position as an agenda, the next thing first: a push, for instance, puts the
landing of each pushed barrow on it, the front one first and the mover's own last (A-BAU9).
"""

from collections.abc import Callable
from dataclasses import replace

from companion.games.bau_boom.choices import buildings, dealt, empty, held, legal, numbers, offered, payable
from companion.games.bau_boom.hill import COLOURS, Colour, Place, colour_of, free, rests
from companion.games.bau_boom.position import (
    Barrow,
    Deal,
    Done,
    Draw,
    Due,
    Go,
    Lay,
    Leave,
    Move,
    Options,
    Position,
    Refill,
    Remove,
    Roll,
    Take,
    What,
)
from companion.games.rulebook import Awaited, IllegalMove, Rng, pick, replaced, shuffled

__all__ = ["Barrow", "Options", "Position", "awaits", "legal", "numbers", "opening", "outcome", "play"]


def opening(options: Options) -> Position:
    """Return the position before the trail is dealt: all tiles in the container, all barrows on the start."""
    return Position(
        options,
        (Due("deal"),),
        (None,) * len(options.trail),
        (Barrow(),) * options.players,
        options.tiles,
        (frozenset[Place](),) * options.players,
    )


# Who may act


def awaits(position: Position) -> tuple[Awaited[Move], ...]:
    """Return who may act now."""
    if position.over:
        return ()
    due = position.due
    match due.what:
        case "deal":
            return (Awaited(None, "deal", count=len(dealt(position))),)
        case "refill":
            return (Awaited(None, "refill", count=len(empty(position, due))),)
        case "roll":
            return (Awaited(None, "roll", _ROLLS, count=2),)
        case "draw":
            return (Awaited(None, "draw", tuple(Draw(colour) for colour in held(position))),)
        case _:
            return (Awaited(due.player, _QUESTIONS[due.what], legal(position)),)


_ROLLS = tuple(Roll((one, other)) for one in range(1, 7) for other in range(1, 7))
_QUESTIONS: dict[What, str] = {
    "move": "move the barrow",
    "tile": "answer the tile",
    "drawn": "answer the tile",
    "build": "build",
    "pay": "pay a tile",
}


# Playing


def play(position: Position, move: Move) -> Position:
    """Return the position after a move; raises `IllegalMove`."""
    if position.over:
        raise IllegalMove(None, "the game is over")
    match move:
        case Deal(colours):
            after = _deal(position, colours)
        case Roll(dice):
            _require(position, "roll")
            after = replace(position, dice=dice, agenda=(Due("move", position.turn),))
        case Go(number):
            after = _go(position, number)
        case Take():
            after = _take(position)
        case Leave():
            after = _leave(position)
        case Draw(colour):
            after = _draw(position, colour)
        case Lay(colour, place):
            after = _lay(position, colour, place)
        case Done():
            after = _done(position)
        case Remove(place):
            after = _remove(position, place)
        case Refill(colours):
            after = _refill(position, colours)
    return _settled(after)


_ONLY: dict[What, Callable[[Position], IllegalMove]] = {
    "deal": lambda _: IllegalMove("BAU-R3", "the tiles are dealt first"),
    "roll": lambda _: IllegalMove("BAU-R11", "the dice are thrown first"),
    "move": lambda _: IllegalMove("BAU-R12", "now the barrow moves"),
    "tile": lambda position: _bound(position) if position.due.forced else _answered(),
    "draw": lambda _: IllegalMove("BAU-R17", "now a tile is drawn from the container"),
    "drawn": lambda _: IllegalMove("BAU-R42", "now decide about the tile from the container"),
    "build": lambda _: IllegalMove("BAU-R32", "now you build until nothing fits any more"),
    "pay": lambda _: IllegalMove("BAU-R34", "now a tile of the hill is paid"),
    "refill": lambda position: IllegalMove(_refills(position.due), "now the trail is refilled"),
}


def _answered() -> IllegalMove:
    return IllegalMove("BAU-R15", "now decide about the tile on the space")


def _require(position: Position, *whats: What) -> Due:
    """Return what is due if it is one of these."""
    due = position.due
    if due.what not in whats:
        raise _ONLY[due.what](position)
    return due


def _refills(due: Due) -> str:
    """Return the rule by which the trail is refilled, or the space that was left."""
    return "BAU-R36" if due.space is None else "BAU-R45"


def _then(position: Position, *dues: Due) -> Position:
    """Return the position with what was due done, and other things due next."""
    return replace(position, agenda=(*dues, *position.agenda[1:]))


def _deal(position: Position, colours: tuple[Colour, ...]) -> Position:
    _require(position, "deal")
    spaces = dealt(position)
    if len(colours) != len(spaces):
        raise IllegalMove("BAU-R3", "the number of spaces that get a tile is {count}", count=len(spaces))
    return replace(position.laid_out(spaces, colours), agenda=(Due("roll"),))


def _refill(position: Position, colours: tuple[Colour, ...]) -> Position:
    due = _require(position, "refill")
    spaces = empty(position, due)
    if len(colours) != len(spaces):
        raise IllegalMove(_refills(due), "the number of tiles to lay is {count}", count=len(spaces))
    return _then(position.laid_out(spaces, colours))


def _go(position: Position, number: int) -> Position:
    player = _require(position, "move").player
    if number not in numbers(position):
        one, other = position.dice
        rule = {"base": "BAU-R12", "younger": "BAU-R41", "clever": "BAU-R47"}[position.options.variant]
        raise IllegalMove(rule, "the dice show {one} and {other}", one=one, other=other)
    start = position.barrows[player].at
    if number == 0:  # standing still is not landing (A-BAU18)
        landing = (Due("land", player),) if position.options.zero_triggers else ()
        return _then(position, *landing, Due("next"))
    pushed = _moved(position, player, number)
    barrows = tuple(replace(b, at=pushed.get(p, b.at)) for p, b in enumerate(position.barrows))
    vacated = (Due("refill", space=start),) if position.options.variant == "younger" else ()  # BAU-R45
    landings = (Due("land", each, forced=each != player) for each in reversed(pushed))
    return _then(replace(position, barrows=barrows), *vacated, *landings, Due("next"))


def _moved(position: Position, player: int, number: int) -> dict[int, int]:
    """Return the new spaces of the mover and of all whom he pushes, in the order of the chain (BAU-R20, R23).

    The start stops everybody (BAU-R25), and nobody is pushed there (BAU-R27).
    """
    standing = {barrow.at: each for each, barrow in enumerate(position.barrows)}
    push = number if position.options.variant == "clever" else 1  # BAU-R48
    found: dict[int, int] = {}
    mover, at = player, position.barrows[player].at + number
    while True:
        found[mover] = at = position.stops(at)
        if at == 0 or at not in standing:
            return found
        mover, at = standing[at], at + push


def _take(position: Position) -> Position:
    due = _require(position, "tile", "drawn")
    if due.what == "drawn":
        return _then(position)
    if position.options.variant == "younger" and not due.forced:
        raise IllegalMove("BAU-R42", "a tile that is wanted is laid on the hill at once")
    return _then(position.collected(due.player))


def _leave(position: Position) -> Position:
    due = _require(position, "tile", "drawn")
    if due.forced:
        raise _bound(position)
    return _then(position)


def _bound(position: Position) -> IllegalMove:
    """Return why a tile must be taken: the mover is bound by a ladybug, everybody else by the push."""
    own = position.due.player == position.turn
    return IllegalMove("BAU-R17" if own else "BAU-R21", "this tile must be taken")


def _draw(position: Position, colour: Colour) -> Position:
    due = _require(position, "draw")
    tiles = (*position.barrows[due.player].tiles, colour)
    after = position.out_of_container(colour).with_tiles(due.player, tiles)
    younger = position.options.variant == "younger"
    return _then(after, *([Due("drawn", due.player, forced=True)] if younger else []))


def _lay(position: Position, colour: Colour, place: Place) -> Position:
    due = _require(position, "build", "tile", "drawn")
    if due.what != "build" and position.options.variant != "younger":
        raise IllegalMove("BAU-R29", "tiles are laid on the hill only when the barrow is at the start")
    _check_place(position, due, colour, place)
    player, at = due.player, position.barrows[due.player].at
    covered = replaced(position.covered, player, position.covered[player] | {place})
    after = replace(position, covered=covered)
    if due.what == "tile":
        after = _then(after.cleared(at))
    elif due.what == "drawn":
        after = _then(after.with_tiles(player, after.barrows[player].tiles[:-1]))
    else:
        after = after.with_tiles(player, _without(after.barrows[player].tiles, colour))
    left_over = position.options.variant == "clever" and after.barrows[player].tiles  # BAU-R49
    return replace(after, agenda=()) if after.complete(player) and not left_over else after


def _check_place(position: Position, due: Due, colour: Colour, place: Place) -> None:
    """Raise `IllegalMove` unless such a tile is there and may lie there (BAU-R29 to R31)."""
    barrow = position.barrows[due.player]
    lying = barrow.tiles if due.what == "build" else (offered(position, due),)
    if colour not in lying:
        raise IllegalMove("BAU-R29", "there is no such tile to lay: {colour}", colour=colour)
    own = colour_of(position.options.plan(due.player), place)
    if own is None:
        raise IllegalMove("BAU-R2", "the hill has no place {row}.{number}", row=place[0], number=place[1])
    if own != colour or place in position.covered[due.player]:
        raise IllegalMove("BAU-R31", "only a free place of the tile's own colour takes it")
    if not rests(place, position.covered[due.player]):
        raise IllegalMove("BAU-R30", "both places below must be covered first")


def _without(tiles: tuple[Colour, ...], colour: Colour) -> tuple[Colour, ...]:
    first = tiles.index(colour)
    return (*tiles[:first], *tiles[first + 1 :])


def _done(position: Position) -> Position:
    """Left-overs go into the container, and cost a tile of the hill (BAU-R33, R34)."""
    player = _require(position, "build").player
    if any(True for _ in buildings(position, player)):
        raise IllegalMove("BAU-R32", "a tile that was brought still fits")
    left = position.barrows[player].tiles
    after = position.into_container(left).with_tiles(player, ())
    owed = len(left) if position.options.penalty_per_tile else min(1, len(left))
    return _then(after, *[Due("pay", player)] * owed, Due("refill"))


def _remove(position: Position, place: Place) -> Position:
    player = _require(position, "pay").player
    covered = position.covered[player]
    if place not in covered:
        raise IllegalMove("BAU-R34", "no tile lies on {row}.{number}", row=place[0], number=place[1])
    if place not in payable(position, player):
        raise IllegalMove("A-BAU13", "another tile lies on it")
    colour = colour_of(position.options.plan(player), place)
    assert colour is not None
    after = replace(position, covered=replaced(position.covered, player, covered - {place}))
    return _then(after.into_container((colour,)))


# What follows by itself


def _settled(position: Position) -> Position:
    """Do all that is due and needs nobody."""
    while position.agenda:
        after = _followed(position)
        if after is None:
            return position
        position = after
    return position


def _followed(position: Position) -> Position | None:
    """Return the position when what is due has happened by itself; None if somebody has to do it."""
    due = position.due
    match due.what:
        case "land":
            return _landed(position, due)
        case "next":
            turn = (position.turn + 1) % position.options.players
            return replace(position, turn=turn, agenda=(Due("roll"),))
        case "tile" | "drawn":
            return _unfitting(position, due)
        case "draw" if not any(position.container):  # A-BAU6
            return _then(position)
        case "pay" if not position.covered[due.player]:  # A-BAU14
            return _then(position)
        case "refill" if not empty(position, due):
            return _then(position)
    return None


def _landed(position: Position, due: Due) -> Position:
    """What the new space brings (BAU-R14 to R26). A special space binds the mover as well (A-BAU10)."""
    player, barrow = due.player, position.barrows[due.player]
    match position.options.trail[barrow.at]:
        case "start":
            return _then(position, Due("build", player))
        case "anteater":
            given = barrow.tiles[-1:]  # the last one collected (BAU-R19, A-BAU7, A-BAU8)
            return _then(position.with_tiles(player, barrow.tiles[:-1]).into_container(given))
        case "ladybug":
            tile = [Due("tile", player, forced=True)] if position.trail[barrow.at] else []
            return _then(position, *tile, Due("draw", player))  # A-BAU5: the container's comes on top
        case _:
            tile = [Due("tile", player, due.forced)] if position.trail[barrow.at] else []
            return _then(position, *tile)


def _unfitting(position: Position, due: Due) -> Position | None:
    """Among the younger, a tile that must be taken and fits nowhere is put away by itself (A-BAU20)."""
    if position.options.variant != "younger" or not due.forced:
        return None
    colour = offered(position, due)
    if free(position.options.plan(due.player), position.covered[due.player], colour):
        return None
    after = position if due.what == "drawn" else position.collected(due.player)
    if position.options.young_forced == "return":
        after = after.with_tiles(due.player, after.barrows[due.player].tiles[:-1])
        after = after.into_container((colour,))
    return _then(after)


def outcome(position: Position, awaited: Awaited[Move], rng: Rng) -> Move:
    """Return random tiles from the container, or a throw of the two dice."""
    tiles = [c for c, count in zip(COLOURS, position.container, strict=True) for _ in range(count)]
    match awaited.what:
        case "roll":
            return Roll((pick(rng, range(1, 7)), pick(rng, range(1, 7))))
        case "draw":
            return Draw(pick(rng, tiles))
        case "deal":
            return Deal(shuffled(rng, tiles)[: awaited.count])
        case _:
            return Refill(shuffled(rng, tiles)[: awaited.count])
