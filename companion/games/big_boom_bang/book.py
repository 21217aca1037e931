"""BIG BOOM! BANG on the shelf: its settings and how they are written."""

from collections.abc import Iterable

from companion.config.words import Words, word
from companion.games.big_boom_bang import notation, rules
from companion.games.book import Book, Fault
from companion.language import Message, mark


def faults(options: rules.Options) -> Iterable[Fault]:
    """Yield the symbols that no side of the dice shows (A-BANG1)."""
    for face in rules.FACES:
        if face not in options.faces:
            yield "faces", Message("'{word}' is missing", {"word": face})


_SETS = {"scissors": word("reroll", "keep")}

BOOK = Book(
    name="big-boom-bang",
    title=mark("BIG BOOM! BANG"),
    players=rules.PLAYERS,
    rules=rules,
    notation=notation,
    options=rules.Options,
    kinds=_SETS | {"faces": Words(rules.FACES, count=6)},  # A-BANG1
    sets=_SETS,
    faults=faults,
    hidden=("tiles",),
)
