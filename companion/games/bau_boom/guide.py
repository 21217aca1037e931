"""The rules at hand: a few short pages, and which one fits a position."""

from companion.games.bau_boom.position import Position, What
from companion.language import mark
from companion.screens.terms import Page

GUIDE = (
    Page(
        mark("What it is about"),
        (
            mark("Collect tiles on the trail and build your anthill with them."),
            mark("Whoever covers the last place of their own hill wins at once."),
            mark("Remember what you have collected: it lies face down!"),
        ),
    ),
    Page(
        mark("Throw and move"),
        (
            mark("Throw both dice. Move by one of them, or by both together."),
            mark("Younger children use one die. Clever builders may also subtract."),
            mark("Only the space where you stop matters. The start always stops you."),
        ),
    ),
    Page(
        mark("Tiles and special spaces"),
        (
            mark("A tile on your space: take it face down, or leave it."),
            mark("Ladybug: you must take its tile, and one from the container too."),
            mark("Anteater: your last tile goes back into the container."),
        ),
    ),
    Page(
        mark("Pushing"),
        (
            mark("If a barrow stands on your space, push it one space on."),
            mark("It may push the next one. With clever builders it goes as far as you went."),
            mark("Who is pushed must take what lies there. You may choose."),
        ),
    ),
    Page(
        mark("Building"),
        (
            mark("At the start empty your barrow. Tiles go on places of their colour."),
            mark("Bottom row first. Higher up both places below must be covered."),
            mark("Leftovers go back, and one tile of your hill as well."),
            mark("Then all empty spaces of the trail get new tiles."),
        ),
    ),
    Page(
        mark("The container"),
        (
            mark("The bars: how many of a colour at least and at most. The line: what to expect."),
            mark("A tile in a barrow counts as unknown, even if you saw it picked up."),
            mark("When it is empty, the trail is not filled up any more."),
        ),
    ),
    Page(
        mark("Other ways to play"),
        (
            mark("Younger children: a tile that fits is built at once, or left lying."),
            mark("Clever builders: 15 places, and no tile may be left over at the end."),
            mark("Mixed: the older ones build 15 places, the younger ones 10."),
        ),
    ),
)

_FITTING: dict[What, int] = {
    "deal": 0,
    "roll": 1,
    "move": 1,
    "tile": 2,
    "draw": 2,
    "drawn": 2,
    "build": 4,
    "pay": 4,
    "refill": 5,
}


def page_for(position: Position) -> int:
    """Return the number of the page that fits what is awaited; the younger do something else with tiles."""
    if position.over:
        return 0
    if position.options.variant == "younger" and position.due.what in ("tile", "drawn"):
        return len(GUIDE) - 1
    return _FITTING[position.due.what]
