"""Make 'n' Break's rules at hand."""

from companion.language import mark
from companion.screens.terms import Page

GUIDE = (
    Page(
        mark("A round"),
        (
            mark("The builder throws the dice that the card shows and builds it from the bottom up."),
            mark("Dice that do not fit are thrown again, as often as you like."),
            mark("When it stands: break it down, and on to the next card."),
            mark("At 30 the stopper calls Stop! What is not complete then scores nothing."),
        ),
    ),
    Page(
        mark("Building"),
        (
            mark("What lies on top shows at least as much as what it lies on."),
            mark("On two pieces it shows at least as much as the higher one."),
            mark("A standing cuboid is a joker: it fits everywhere."),
        ),
    ),
    Page(
        mark("The cards"),
        (
            mark("Coloured pieces: exactly these colours."),
            mark("Grey pieces: you choose the colours."),
            mark("A red 3 or 4: any three or four pieces, and only one of them touches the table."),
        ),
    ),
    Page(
        mark("Who builds, who wins?"),
        (
            mark("After each round the left neighbour builds. Whoever has built is the stopper then."),
            mark("Everybody builds three times. Most points win."),
        ),
    ),
)
