"""Why a move is good, in few words. They say nothing that is not seen on the table (BAU-R16). Pure."""

from companion.games.bau_boom.choices import offered
from companion.games.bau_boom.hill import Colour, free, missing
from companion.games.bau_boom.odds import NAMES
from companion.games.bau_boom.position import Go, Lay, Leave, Move, Position, Remove, Take
from companion.language import Message, mark


def why(position: Position, move: Move) -> Message:
    """Return a true sentence about a move; for one that is forced, what forces it."""
    player, due = position.due.player, position.due
    match move:
        case Go(number):
            return _going(position, player, number)
        case Take() if due.forced:
            return Message(mark("This tile must be taken"))
        case Take():
            return _of(position, player, offered(position, due))
        case Leave():
            return _left(position, player, offered(position, due))
        case Lay() if due.what == "drawn":  # everybody reads this, and only one has seen the tile
            return Message(mark("It fits on the hill"))
        case Lay(colour):
            return Message(mark("{colour} fits here"), {"colour": NAMES[colour]})
        case Remove():
            return Message(mark("This tile is missed least"))
        case _:
            return Message(mark("Nothing fits any more"))


def _missing(position: Position, player: int) -> list[Colour]:
    return missing(position.options.plan(player), position.covered[player])


def _of(position: Position, player: int, colour: Colour) -> Message:
    if colour in _missing(position, player):
        return Message(mark("{colour} is still missing on the hill"), {"colour": NAMES[colour]})
    return Message(mark("{colour} is complete on the hill"), {"colour": NAMES[colour]})


def _left(position: Position, player: int, colour: Colour) -> Message:
    """Colours that have a place now are better than this one, or it has none any more."""
    open_now = free(position.options.plan(player), position.covered[player], colour)
    if colour in _missing(position, player) and not open_now:
        return Message(mark("For {colour} something below is missing"), {"colour": NAMES[colour]})
    if colour in _missing(position, player):
        return Message(mark("Other tiles are better now"))
    return _of(position, player, colour)


def _going(position: Position, player: int, number: int) -> Message:
    at = position.stops(position.barrows[player].at + number)
    if number == 0:
        return Message(mark("Standing still is better than any other space"))
    if at == 0:
        return Message(mark("That leads home"))
    tile = position.trail[at]
    match position.options.trail[at]:
        case "ladybug" if tile or any(position.container):
            return Message(mark("The ladybug brings another tile"))
        case "anteater":
            return Message(mark("From there it goes on well"))
    if tile and tile in _missing(position, player):
        return _of(position, player, tile)
    return Message(mark("Nothing has to be taken there"))
