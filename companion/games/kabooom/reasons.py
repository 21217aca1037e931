"""Why a move of Kabooom! is good, in a few words that are true. Pure."""

from companion.games.kabooom.duel import View
from companion.games.kabooom.fast import (
    DYNAMITE,
    PASS,
    Cells,
    Tables,
    cells,
    components,
    height,
    hit,
    number,
    owner,
    symbol,
    tables,
)
from companion.games.kabooom.rules import Position
from companion.language import Message, mark

STONES = (mark("Rock"), mark("Paper"), mark("Scissors"), mark("Dynamite"))


def move(position: Position, view: View) -> Message:
    """Return why a hit or a pass is good."""
    if view.move == PASS and position.passing_ends and (ahead := _ahead(position)) >= 0:
        even = mark("ends the game, and nobody has more points")
        return Message(mark("ends the game, {points} ahead") if ahead else even, {"points": ahead})
    if view.certain and view.lead > 0:
        return Message("wins for certain, by {points} at least", {"points": int(view.lead)})
    if view.move == PASS:
        return Message("waits: a hit would cost more than it brings")
    table, board = tables(position.options), cells(position)
    me, origin, target = position.turn, view.move >> 5, view.move & 31
    threatened = attacked(table, board, origin)
    one, other = hit(table, board, view.move)
    new, high = board[target], height(other)
    square, foreign = {"square": table.names[target]}, owner(other) != me
    if foreign and symbol(one) == DYNAMITE:
        return _dynamite(table, other, table.names[target], explodes=not new)
    if not new:
        return Message("clears {square} with a bang", square)
    if foreign and high > 1 and safe(table, board, target):
        return Message("takes a tower of {height}, and nobody can reach it any more", {"height": high})
    if foreign and high > 1:
        return Message("takes a tower of {height}", {"height": high})
    if threatened and not attacked(table, board, target):
        return Message("saves the tower on {square}", {"square": table.names[origin]})
    if safe(table, board, target):
        return Message("nobody can reach the tower on {square} any more", square)
    prey = [place for place in table.near[target] if _taken(table, board, target, place)]
    if prey:
        most = max(prey, key=lambda place: table.points[board[place]])
        return Message("threatens the tower on {square}", {"square": table.names[most]})
    return Message("builds a tower of {height}", {"height": height(new)})


def _ahead(position: Position) -> int:
    """Return the lead of whoever is to move over the best of the others."""
    points = position.scores
    return points[position.turn] - max(p for each, p in enumerate(points) if each != position.turn)


def _dynamite(table: Tables, other: int, square: str, explodes: bool) -> Message:
    high = {"height": height(other)}
    if not table.points[other]:
        return Message("what stood on {square} can hit nobody any more", {"square": square})
    if explodes:
        return Message("blows a tower of {height} away", high)
    return Message("lays dynamite on a tower of {height}: it scores nothing any more", high)


def attacked(table: Tables, board: Cells, place: int) -> bool:
    """Whether somebody else could hit a tower at once."""
    return any(_taken(table, board, other, place) for other in table.near[place])


def _taken(table: Tables, board: Cells, origin: int, target: int) -> bool:
    one, other = board[origin], board[target]
    return bool(one and other and owner(one) != owner(other) and table.beaten[one][other])


def safe(table: Tables, board: Cells, place: int) -> bool:
    """Whether nobody else can ever hit a tower: nobody in its group has a symbol that beats it."""
    group = next(each for each in components(table, board) if place in each)
    own = board[place]
    return not any(owner(board[each]) != owner(own) and table.beaten[board[each]][own] for each in group)


def set_stone(position: Position, kind: int, place: int) -> Message:
    """Return why a stone stands well on a square."""
    table, board = tables(position.options), cells(position)
    board[place] = number(position.turn, kind)
    near = [other for other in table.near[place] if board[other]]
    prey = [other for other in near if _taken(table, board, place, other)]
    afraid = attacked(table, board, place)
    stone = Message(STONES[kind])
    if prey and not afraid:
        return Message(
            "{stone} threatens {count} here, and nobody threatens it", {"stone": stone, "count": len(prey)}
        )
    if prey:
        return Message("{stone} threatens {count} here", {"stone": stone, "count": len(prey)})
    if not afraid:
        return Message("{stone} is threatened by nobody here", {"stone": stone})
    if position.supply[position.turn][DYNAMITE] and kind != DYNAMITE:
        return Message("keeps the dynamite for later")
    return Message("{stone} stands beside {count} here", {"stone": stone, "count": len(near)})
