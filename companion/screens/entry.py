"""The card of a game on the home screen, and where it leads."""

from companion.screens.base import Context, Entry, Screen
from companion.screens.game import GameScreen
from companion.screens.setup import SetupScreen


def opened(context: Context, kind: type[GameScreen]) -> Screen:
    """The screen that a game's card leads to: the game that lies on the table, or its set-up."""
    lying = (each for each in kind.family().values() if on_table(context, each))
    return next((each(context) for each in lying), None) or SetupScreen(context, kind)


def on_table(context: Context, kind: type[GameScreen]) -> bool:
    """Whether a game of this kind lies on the table."""
    return context.table.game is not None and context.table.game.match.book is kind.book


def entry(kind: type[GameScreen], home: bool = True) -> Entry:
    """The card of a game on the home screen; its game is opened at the start if it was interrupted."""
    return Entry(
        kind.book.name,
        kind.book.title,
        kind.icon,
        kind.accent,
        lambda context: opened(context, kind),
        interrupted=lambda context: on_table(context, kind),
        kind=kind,
        home=home,
    )
