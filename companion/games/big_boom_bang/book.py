"""BIG BOOM! BANG on the shelf: its settings and how they are written."""

from companion.config.words import Words, word
from companion.games.big_boom_bang import notation, rules
from companion.games.book import Book
from companion.language import mark

_SETS = {"scissors": word("reroll", "keep")}

BOOK = Book(
    name="big-boom-bang",
    title=mark("BIG BOOM! BANG"),
    players=rules.PLAYERS,
    rules=rules,
    notation=notation,
    options=rules.Options,
    kinds=_SETS | {"faces": Words(rules.FACES, count=6, each_once=True)},  # A-BANG1
    sets=_SETS,
)
