"""What every rule book is written with: what a position awaits, and how a move is refused. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

Move = TypeVar("Move")
Item = TypeVar("Item")

BLANKS = " \t\r\n"  # what may stand around a move


class Refusal(ValueError):
    """Why a line is not played. The position stands as it stood.

    `text` is English with {fields}, to be translated; `str()` of the error is the English sentence.
    """

    def __init__(self, text: str, fields: Mapping[str, object]) -> None:
        super().__init__(text.format_map(fields))
        self.text, self.fields = text, fields


class IllegalMove(Refusal):
    """A move that the rules forbid now; `rule` is the number of the rule, None where none says so."""

    def __init__(self, rule: str | None, text: str, /, **fields: object) -> None:
        super().__init__(text, fields)
        self.rule = rule


class NotationError(Refusal):
    """A line that is no move of the game, in no position."""

    def __init__(self, text: str, /, **fields: object) -> None:
        super().__init__(text, fields)


@dataclass(frozen=True, slots=True)
class Awaited(Generic[Move]):
    """One who may act now.

    `who` is the seat of a player, from 0 in the order of their turns, None for what the table provides
    (dice, tiles). `what` is a word for what is asked; for the table the first word of the move. `moves`
    are all that are legal, None where the table's outcomes are too many to list. `count` is how many
    tokens the move takes, `dice` the numbers (from 1) of the dice that are thrown. What is `paced` may
    come at any moment beside the players' decisions, at a pace of its own, like the stopper die.
    """

    who: int | None
    what: str
    moves: tuple[Move, ...] | None = None
    count: int | None = None
    dice: tuple[int, ...] | None = None
    paced: bool = False


class Rng(Protocol):
    """Where chance comes from; `random.Random` is one."""

    def randrange(self, stop: int, /) -> int:
        """Return a number from 0 to `stop` - 1, each as likely."""


def pick(rng: Rng, items: Sequence[Item]) -> Item:
    """Return one of the items, each as likely."""
    return items[rng.randrange(len(items))]


def shuffled(rng: Rng, items: Iterable[Item]) -> tuple[Item, ...]:
    """Return the items in a random order, each order as likely (Fisher and Yates, as Durstenfeld has it)."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = rng.randrange(last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def replaced(items: tuple[Item, ...], place: int, item: Item) -> tuple[Item, ...]:
    """Return the items with another one at `place`."""
    return (*items[:place], item, *items[place + 1 :])


def seat(player: int) -> str:
    """Return the name of a seat in the notation: p1 for seat 0."""
    return f"p{player + 1}"


def words(text: str) -> str:
    """Return a line of the notation with its needless blanks, tabs and carriage return taken out."""
    return " ".join(re.split(r"[ \t]+", text.strip(BLANKS)))


def is_move(line: str) -> bool:
    """Whether a line is neither blank nor a remark."""
    text = line.strip(BLANKS)
    return bool(text) and not text.startswith("#")


class Grammar(Generic[Move]):
    """The moves of one game as patterns: what matches none of them is no move of the game."""

    def __init__(self, patterns: Mapping[str, Callable[[re.Match[str]], Move]]) -> None:
        self._patterns = [(re.compile(pattern), build) for pattern, build in patterns.items()]

    def parse(self, text: str) -> Move:
        """Return the move that a line means, or raise `NotationError`."""
        line = words(text)
        for pattern, build in self._patterns:
            match = pattern.fullmatch(line)
            if match:
                return build(match)
        raise NotationError("'{line}' is no move of this game", line=line)


def numbers(text: str) -> tuple[int, ...]:
    """Return the numbers in a list of words."""
    return tuple(map(int, text.split()))


State = dict[str, Any]
"""A position as JSON has it: the whole truth, hidden things included."""
