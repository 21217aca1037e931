"""The container of Bau Boom on the shelf."""

from collections.abc import Iterable

from companion.config.words import Amounts, word
from companion.games.book import Book, Fault
from companion.games.container import notation, rules
from companion.language import Message, mark


def faults(options: rules.Options) -> Iterable[Fault]:
    """Yield what cannot be: another number of tiles than the box has."""
    if not all(0 <= count <= rules.TILES for count in options.tiles):
        yield "tiles", Message("write an amount from 0 to {most}", {"most": rules.TILES})
    elif sum(options.tiles) != rules.TILES:
        fields = {"count": rules.TILES, "found": sum(options.tiles)}
        yield "tiles", Message("there are {count} tiles in all, not {found}", fields)


_SETS = {"trail": word("told", "untold")}

BOOK = Book(
    name="container",
    title=mark("Bau Boom: container"),
    players=rules.PLAYERS,
    rules=rules,
    notation=notation,
    options=rules.Options,
    kinds=_SETS | {"tiles": Amounts(rules.COLOURS, rules.TILES)},
    sets=_SETS,
    faults=faults,
)
