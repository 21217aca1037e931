"""BIG BOOM! BANG's rules at hand."""

from companion.language import mark
from companion.screens.terms import Page

GUIDE = (
    Page(
        mark("Throw"),
        (
            mark("Throw all five dice. You may throw again twice, any dice you like."),
            mark("Bombs stay. With one pair of scissors you may throw one bomb again, together with it."),
            mark("If you have agreed that scissors stay, they help again at the next throw."),
            mark("After the third throw, or when you have enough, the dice count."),
        ),
    ),
    Page(
        mark("What the dice mean"),
        (
            mark("Three hearts or more: you get a heart, three at most."),
            mark("Then turn over one tile for each of your bombs."),
            mark("Then the others turn over one tile for each of your gifts, from your left neighbour on."),
            mark("Scissors count for nothing."),
        ),
    ),
    Page(
        mark("The tiles"),
        (
            mark("A tile with a bomb: phew, nothing happens."),
            mark("A gift: name somebody, who has to turn over a tile at once."),
            mark("BOOM: you lose a heart, and the round is over. All tiles are shuffled."),
        ),
    ),
    Page(
        mark("Who wins?"),
        (
            mark("Whoever has lost the last heart is out."),
            mark("Whoever was hit by BOOM begins the next round, or else the left neighbour."),
            mark("The last one with a heart wins."),
        ),
    ),
)
