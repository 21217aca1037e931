"""The odds of the next tile that comes out of the container, and for whom. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.bau_boom.hill import COLOURS, Colour
from companion.games.bau_boom.knowledge import known, unseen
from companion.games.bau_boom.position import Position
from companion.language import Message, mark

Chances = tuple[float, ...]
"""By `COLOURS`, from 0 to 1."""

NAMES: dict[Colour, Message] = {
    "red": Message(mark("Red")),
    "yellow": Message(mark("Yellow")),
    "green": Message(mark("Green")),
    "blue": Message(mark("Blue")),
}


@dataclass(frozen=True, slots=True)
class Odds:
    """The chance of each colour: bounds that are certain, and what to expect between them."""

    low: Chances
    expected: Chances
    high: Chances


def odds(position: Position) -> Odds | None:
    """Return the odds for whoever sees what lies open and nothing else; None if the container is empty.

    The bounds are those of `known`: each is true for some way in which the hidden tiles may lie. What is
    expected takes every way to lay them face down, in container and barrows, as equally likely. The next
    tile is then any one of the hidden tiles: if k of n are red, it is red with k / n, whatever part of them
    the container holds, as no place of a shuffled row is better than another (the hypergeometric
    distribution). In truth people carry what they need rather than what they do not, so that the container
    holds a little more of that; only who has watched knows it.
    """
    told, hidden = known(position), unseen(position)
    if not told.total:
        return None
    return Odds(
        tuple(count / told.total for count in told.low),
        tuple(count / sum(hidden) for count in hidden),
        tuple(count / told.total for count in told.high),
    )


def for_player(position: Position, player: int) -> Chances:
    """Return what a player expects who knows his own barrow as well; all 0 if the container is empty."""
    hidden = unseen(position, player)
    return tuple(count / sum(hidden) if any(position.container) else 0.0 for count in hidden)


def told(position: Position) -> Iterator[Message]:
    """Yield the odds in words, a line for each colour."""
    found = odds(position)
    if found is None:
        yield Message(mark("The container is empty"))
        return
    count = {"count": sum(position.container)}
    yield Message(mark("The next of {count} tiles in the container, from what lies open:"), count)
    for colour, low, expected, high in zip(COLOURS, found.low, found.expected, found.high, strict=True):
        fields = {"colour": NAMES[colour], "low": 100 * low, "chance": 100 * expected, "high": 100 * high}
        yield Message(mark("{colour}: {chance:.1f} % (at least {low:.1f} %, at most {high:.1f} %)"), fields)
