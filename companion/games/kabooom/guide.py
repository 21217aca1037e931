"""Kabooom!'s rules at hand."""

from companion.language import mark
from companion.screens.terms import Page

GUIDE = (
    Page(
        mark("Set your stones"),
        (
            mark("In turn, set one stone on any free square, with any symbol that you have left."),
            mark("Easy: the stones are dealt."),
            mark("When the board is full, the towers begin to move."),
        ),
    ),
    Page(
        mark("Hit"),
        (
            mark("Move one of your towers onto a neighbour, straight or diagonally. It lies on top then."),
            mark("Your symbol must beat the other one. The other tower may be anybody's, even your own."),
            mark("Nobody moves onto an empty square: what has no neighbours is safe."),
        ),
    ),
    Page(
        mark("Who beats whom"),
        (
            mark("Rock beats scissors, scissors beat paper, paper beats rock. Every symbol beats itself."),
            mark("Dynamite beats everything. Only dynamite beats dynamite."),
            mark("If you have agreed that it blows everything away, both towers are gone then."),
        ),
    ),
    Page(
        mark("Whose is it, what does it score?"),
        (
            mark("A tower belongs to whoever has the stone on top."),
            mark("Easy: it scores its height. Medium: one less. Hard: two less."),
            mark("A tower with dynamite on top scores nothing."),
        ),
    ),
    Page(
        mark("Pass"),
        (
            mark("You may pass at any time. Later you may move again."),
            mark("When all have passed in a row, or nobody can move, the game is over. Most points win."),
            mark("Equal points: you win together. If you agreed on it, the higher tower that scores wins."),
        ),
    ),
)
