"""Bau Boom on the shelf: its settings, its trail and its hills, and how they are written."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.config import WrongError
from companion.config.document import Document, Kind
from companion.config.kinds import Number, refuse_null
from companion.config.words import Amounts, switch, word
from companion.games.bau_boom import notation, position, rules
from companion.games.bau_boom.hill import COLOURS, ROWS, Plan, demand
from companion.games.book import Book, Entries, Fault, SetKind
from companion.language import Message, mark

LONGEST = 99  # spaces of a trail
TILES = 72  # in all (BAU-R2)
MOST_SPECIAL = 5  # ladybugs and anteaters in a row: one die must be able to pass them
HILLS = ("hill_1", "hill_2", "hill_3", "hill_4")
_LETTERS = {colour[0]: colour for colour in COLOURS}


@dataclass(frozen=True)
class Sizes:
    """The sizes of the hills, one for each player in turn: `10, 15`; or auto, those of the variant."""

    def read(self, text: str, plain: bool) -> tuple[int, ...]:
        """Return the sizes; auto is an empty list."""
        refuse_null(text, plain)
        if text == "auto":
            return ()
        sizes = tuple(Spaces().read(text, plain))
        if not set(sizes) <= set(ROWS):
            raise WrongError(Message("a hill has 10 or 15 places"))
        return sizes

    def write(self, value: Any) -> str:
        """Return the sizes as text."""
        return ",".join(map(str, value)) or "auto"


@dataclass(frozen=True)
class Spaces:
    """Numbers of spaces: `5, 10, 15`."""

    def read(self, text: str, plain: bool) -> tuple[int, ...]:
        """Return the numbers, which blanks or commas part; null is none at all."""
        if plain and text in ("", "~", "null"):
            return ()
        number = Number(1, LONGEST - 1, 1)
        return tuple(int(number.read(part, True)) for part in re.split(r"[\s,]+", text.strip()))


@dataclass(frozen=True)
class Pyramid:
    """The places of a hill, drawn as it looks: the top row first, a letter for the colour of each place."""

    size: int

    def read(self, text: str, plain: bool) -> Plan:
        """Return the rows, the bottom one first."""
        rows = [row.split() for row in text.lower().splitlines() if row.strip()]
        letters = [list("".join(row)) for row in reversed(rows)]
        wanted = ROWS[self.size]
        if len(letters) != len(wanted):
            raise WrongError(Message("{count} rows are expected", {"count": len(wanted)}))
        for row, (found, length) in enumerate(zip(letters, wanted, strict=True), 1):
            if len(found) != length:
                raise WrongError(
                    Message("places in row {row} from the bottom: {count}", {"row": row, "count": length})
                )
        unknown = next((letter for row in letters for letter in row if letter not in _LETTERS), None)
        if unknown:
            fields = {"letter": unknown, "letters": " ".join(_LETTERS)}
            raise WrongError(Message("'{letter}' is no colour; write {letters}", fields))
        return tuple(tuple(_LETTERS[letter] for letter in row) for row in letters)


def read(document: Document, entries: Entries) -> dict[str, Any]:
    """Return the trail and the plans of the hills, as far as they are written."""
    kinds: Mapping[str, Kind] = {"spaces": Number(4, LONGEST, 1), "ladybugs": Spaces(), "anteaters": Spaces()}
    given = document.values(entries, kinds)
    spaces = int(given.get("spaces", len(position.TRAIL)))
    ladybugs = tuple(given.get("ladybugs", _spaces("ladybug")))
    anteaters = tuple(given.get("anteaters", _spaces("anteater")))
    special = [*ladybugs, *anteaters]
    for space in sorted(set(special)):
        if space >= spaces:
            fields = {"space": space, "last": spaces - 1}
            outside = Message("space {space} is not on the trail, which ends with {last}", fields)
            _note(document, entries, space, outside)
        if special.count(space) > 1:
            _note(document, entries, space, Message("space {space} is given twice", {"space": space}))
    return {"trail": position.trail(spaces, ladybugs, anteaters), **_plans(document, entries)}


def _spaces(kind: position.Kind) -> tuple[int, ...]:
    return tuple(space for space, each in enumerate(position.TRAIL) if each == kind)


def _note(document: Document, entries: Entries, space: int, message: Message) -> None:
    """Note a mistake about a space where it is written."""
    listed = re.compile(rf"\b{space}\b")
    keys = [
        key for key in ("anteaters", "ladybugs") if key in entries and listed.search(str(entries[key].value))
    ]
    key = keys[0] if keys else "spaces"
    document.note(entries.get(key), Message("{key}: {what}", {"key": key, "what": message}))


def _plans(document: Document, entries: Entries) -> dict[str, Any]:
    plans10, plans15 = list(position.PLANS10), list(position.PLANS15)
    for number, key in enumerate(HILLS):
        kinds = {str(size): Pyramid(size) for size in ROWS}
        drawn = document.values(document.entries(entries.get(key), kinds), kinds)
        plans10[number] = drawn.get("10", plans10[number])
        plans15[number] = drawn.get("15", plans15[number])
    return {"plans10": tuple(plans10), "plans15": tuple(plans15)}


def faults(options: position.Options) -> Iterator[Fault]:
    """Yield what does not go together.

    Without these faults no game can run into a dead end: from every position one player can be brought to
    the end, with some luck and the good will of the others.
    - There are at least as many tiles of each colour as all hills have places for it, on their more demanding
      sides. So while a place is free on some hill, a tile of its colour lies on none; and the lowest free
      place of a hill always rests on two that are covered.
    - With at most five special spaces in a row, one die is enough to stop on normal spaces alone. So a player
      can go round and round without having to take anything, and can bring home a single tile of a normal
      space: no left-overs, nothing to pay, one place more; in clever too.
    - Any other tile can come onto a normal space. In barrows it comes to the start and from there into the
      container, unless it is built; from a ladybug it comes into a barrow. From the container it comes onto
      the trail when a normal space has been emptied by another player, who takes what lies there.
    - In younger what fits nobody is not taken, but a push empties a space too: the second of two normal
      spaces can be pushed onto, from a normal space, an anteater or a ladybug. On a ladybug whose tile has
      been taken before, the right tile can also be drawn, and is built at once.
    """
    yield from _trail_faults(options)
    if options.hills and len(options.hills) != options.players:
        fields = {"count": options.players, "found": len(options.hills)}
        yield "hills", Message("{count} sizes are needed, one for each player, not {found}", fields)
    for plans, size in ((options.plans10, 10), (options.plans15, 15)):
        if any(tuple(map(len, plan)) != ROWS[size] for plan in plans):
            yield "hill_1", Message("a hill of {size} places has another shape", {"size": size})
    if sum(options.tiles) != TILES:
        fields = {"count": TILES, "found": sum(options.tiles)}
        yield "tiles", Message("there are {count} tiles in all, not {found}", fields)
    for colour, count in zip(COLOURS, options.tiles, strict=True):
        sides = zip(options.plans10, options.plans15, strict=True)
        wanted = sum(max(demand(one, colour), demand(other, colour)) for one, other in sides)
        if wanted > count:
            needed = {"colour": colour, "count": count, "wanted": wanted}
            yield "tiles", Message("the hills need {wanted} tiles in {colour}, there are {count}", needed)


def _trail_faults(options: position.Options) -> Iterator[Fault]:
    kinds, tiles = options.trail, sum(options.tiles)
    spaces = kinds.count("normal") + kinds.count("ladybug")
    if kinds[:1] != ("start",) or kinds.count("start") != 1:
        yield "spaces", Message("the trail begins with its only start")
    if kinds.count("anteater") != 2:
        yield "anteaters", Message("there are two anteaters on the trail")
    if not 1 <= spaces <= tiles:
        fields = {"spaces": spaces, "tiles": tiles}
        yield "spaces", Message("{spaces} spaces cannot be dealt from {tiles} tiles", fields)
    if not all(0 <= count <= TILES for count in options.tiles):
        yield "tiles", Message("write an amount from 0 to {most}", {"most": TILES})
    if kinds.count("normal") < 2:
        yield "spaces", Message("the trail needs two spaces that are neither ladybug nor anteater")
    if any(set(row) <= {"ladybug", "anteater"} for row in _rows(kinds, MOST_SPECIAL + 1)):
        fields = {"most": MOST_SPECIAL}
        yield "ladybugs", Message("at most {most} ladybugs and anteaters may follow one another", fields)


def _rows(kinds: tuple[position.Kind, ...], length: int) -> Iterator[tuple[position.Kind, ...]]:
    """Yield every so many spaces that follow one another."""
    return (kinds[start : start + length] for start in range(len(kinds) - length + 1))


_SETS: dict[str, SetKind] = {"variant": word("base", "younger", "clever"), "hills": Sizes()}

BOOK = Book(
    name="bau-boom",
    title=mark("Bau Boom"),
    players=position.PLAYERS,
    rules=rules,
    notation=notation,
    options=position.Options,
    kinds=_SETS
    | {
        "tiles": Amounts(COLOURS, TILES),
        "penalty_tile": word("exposed", "any"),
        "penalty_per_tile": switch(),
        "zero_triggers": switch(),
        "young_forced": word("barrow", "return"),
    },
    sets=_SETS,
    more=("spaces", "ladybugs", "anteaters", *HILLS),
    read=read,
    faults=faults,
    hidden=("tiles", "container"),
    for_each=("hills",),
)
