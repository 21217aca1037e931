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
            mark("The large number: so many tiles are in the container, exactly."),
            mark("A number at a colour: so many are inside for certain. Two numbers: at least and at most."),
        ),
    ),
)
