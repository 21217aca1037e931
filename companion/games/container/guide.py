"""The container's rules at hand."""

from companion.language import mark
from companion.screens.terms import Page

GUIDE = (
    Page(
        mark("Tell me every tile"),
        (
            mark("Minus: a tile was drawn. Plus: a tile came back."),
            mark("Touch the colour if everybody has seen it, the question mark if not."),
            mark("Only its owner sees the tile of a ladybug. That of an anteater goes back face down."),
        ),
    ),
    Page(
        mark("What you see"),
        (
            mark("The large number: exactly that many tiles are in the container."),
            mark("A number at a colour: that many are in for certain. Two numbers: at least and at most."),
        ),
    ),
)
