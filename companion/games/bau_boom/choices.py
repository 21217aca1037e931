"""Bau Boom: what there is to choose from, and what the table has to provide. Pure."""

from collections.abc import Iterator

from companion.games.bau_boom.hill import COLOURS, Colour, Place, exposed, free
from companion.games.bau_boom.position import Done, Due, Go, Lay, Leave, Move, Position, Remove, Take


def legal(position: Position) -> tuple[Move, ...]:
    """Return every decision that is legal now."""
    if position.over:
        return ()
    due = position.due
    match due.what:
        case "move":
            return tuple(map(Go, numbers(position)))
        case "tile" | "drawn":
            return _answers(position, due)
        case "build":
            return tuple(buildings(position, due.player)) or (Done(),)
        case "pay":
            return tuple(map(Remove, payable(position, due.player)))
        case _:
            return ()


def numbers(position: Position) -> list[int]:
    """Return the numbers that may be moved with the dice (BAU-R12, R41, R47)."""
    one, other = position.dice
    found = {one, other}
    if position.options.variant != "younger":
        found.add(one + other)
    if position.options.variant == "clever":
        found.add(abs(one - other))
    return sorted(found)


def _answers(position: Position, due: Due) -> tuple[Move, ...]:
    """Return the answers to a tile on the space, or to one that was drawn."""
    if position.options.variant != "younger":
        return (Take(),) if due.forced else (Take(), Leave())
    colour = offered(position, due)
    fitting = free(position.options.plan(due.player), position.covered[due.player], colour)
    return (*(Lay(colour, place) for place in fitting), Take() if due.forced else Leave())


def offered(position: Position, due: Due) -> Colour:
    """Return the colour of the tile that is to be answered."""
    barrow = position.barrows[due.player]
    colour = barrow.tiles[-1] if due.what == "drawn" else position.trail[barrow.at]
    assert colour is not None
    return colour


def buildings(position: Position, player: int) -> Iterator[Lay]:
    """Yield every way to lay a tile that a player has brought (BAU-R29 to R31)."""
    plan, covered = position.options.plan(player), position.covered[player]
    brought = position.barrows[player].tiles
    for colour in COLOURS:
        if colour in brought:
            for place in free(plan, covered, colour):
                yield Lay(colour, place)


def payable(position: Position, player: int) -> list[Place]:
    """Return the places whose tile a player may pay with (BAU-R34, A-BAU13)."""
    covered = position.covered[player]
    return exposed(covered) if position.options.penalty_tile == "exposed" else sorted(covered)


def held(position: Position) -> list[Colour]:
    """Return the colours that the container holds."""
    return [colour for colour, count in zip(COLOURS, position.container, strict=True) if count]


def dealt(position: Position) -> list[int]:
    """Return the spaces that get a tile at the beginning (BAU-R4)."""
    return [space for space, kind in enumerate(position.options.trail) if kind in ("normal", "ladybug")]


def empty(position: Position, due: Due) -> list[int]:
    """Return the spaces to refill, as far as the container lasts (BAU-R36 to R38)."""
    taken = {barrow.at for barrow in position.barrows}
    wanted = [space for space in dealt(position) if due.space in (None, space)]
    spaces = [space for space in wanted if position.trail[space] is None and space not in taken]
    return spaces[: sum(position.container)]
