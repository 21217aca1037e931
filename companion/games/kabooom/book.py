"""Kabooom! on the shelf: its settings and how they are written."""

from collections.abc import Iterable

from companion.config.words import Amounts, word
from companion.games.book import Book, Fault
from companion.games.kabooom import notation, rules
from companion.language import Message, mark


def faults(options: rules.Options) -> Iterable[Fault]:
    """Yield what keeps a game from beginning: too few stones (KAB-R6, A-KAB5)."""
    if not all(0 <= count <= MOST for count in options.supply):
        yield "supply", Message("write an amount from 0 to {most}", {"most": MOST})
    if sum(options.supply) < options.stones:
        fields = {"count": options.stones, "players": options.players}
        yield "supply", Message("{players} players need {count} stones each", fields)


MOST = 12  # stones of one symbol that a player may own
_SETS = {
    "level": word(*rules.LEVELS),
    "board": word(*rules.BOARDS),
    "dynamite": word("stack", "explode"),
}

BOOK = Book(
    name="kabooom",
    title=mark("Kabooom!"),
    players=rules.PLAYERS,
    rules=rules,
    notation=notation,
    options=rules.Options,
    kinds=_SETS
    | {
        "supply": Amounts(("rock", "paper", "scissors", "dynamite"), MOST),
        "easy_symbols": word("set", "iid"),
        "tiebreak": word("none", "highest_tower"),
    },
    sets=_SETS,
    faults=faults,
)
