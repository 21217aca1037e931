"""The odds of BIG BOOM! BANG in words: of the next BOOM, of the turn, of the game. Pure.

How they are computed stands in `reveals` (tiles), `throwing` (the turn) and `winning` (the game).
"""

from collections.abc import Callable, Iterator

from companion.games.big_boom_bang import notation
from companion.games.big_boom_bang.reveals import odds
from companion.games.big_boom_bang.rules import THROWS, Position
from companion.games.big_boom_bang.throwing import best, decision, shows, survival
from companion.games.big_boom_bang.winning import chances, choices
from companion.games.rulebook import seat
from companion.language import Message, mark

ANSWERS: dict[str, Callable[[Position], object]] = {
    mark("BOOM in this turn"): odds,
    mark("best throw to survive"): lambda position: position.phase == "choose" and best(position),
    mark("best decision to win"): choices,
    mark("everybody's chance to win"): chances,
}
"""What is wanted to be known at once, of any position."""


def told(position: Position) -> Iterator[Message]:
    """Yield what is known of a position, a line each."""
    if position.phase == "choose":
        yield from _throwing(position)
    elif found := odds(position):
        fields: dict[str, object] = {"next": 100 * found.next, "turn": 100 * found.turn}
        yield Message(mark("BOOM: {next:.1f} % for the next tile, {turn:.1f} % for this turn"), fields)
    for player, chance in enumerate(chances(position)):
        fields = {"player": seat(player), "win": 100 * chance}
        yield Message(mark("{player} wins {win:.1f} %, if all play for it"), fields)


def _throwing(position: Position) -> Iterator[Message]:
    """Stopping, and the throw that is best to survive this turn, if all others name whoever throws."""
    rated = survival(position).advice(shows(position), THROWS - position.throws)
    stopping = next(each for each in rated if not sum(each.again))
    stay = mark("Stopping: {chances}")
    throw = mark("To survive this turn: {move}. {chances}")
    shares = mark("BOOM for oneself {own:.1f} %, for another {other:.1f} %, none {none:.1f} %")
    for words, each in ((stay, stopping), (throw, rated[0])):
        (other,) = each.others
        chance = {"own": 100 * (1 - each.worth), "other": 100 * other, "none": 100 * (each.worth - other)}
        move = notation.write(decision(position, each.again))
        yield Message(words, {"move": move, "chances": Message(shares, chance), **chance})
