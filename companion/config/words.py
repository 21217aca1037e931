"""Kinds of values that are written as words: one of some, a switch, several of them, amounts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from companion.config.document import WrongError
from companion.config.kinds import Choice, Number, none_of, refuse_null
from companion.language import Message


def word(*known: str) -> Choice:
    """Return the kind that is one of some words."""
    return Choice({each: each for each in known})


def switch() -> Choice:
    """Return the kind that is true or false."""
    return Choice({"true": True, "false": False}, {"true": Message("on"), "false": Message("off")})


def known_word(text: str, known: Sequence[str]) -> str:
    """Return a word if it is one of those that are known, or raise `WrongError`."""
    word = text.lower()
    if word in known:
        return word
    raise none_of(text, known)


@dataclass(frozen=True)
class Words:
    """Exactly `count` words of those that are known."""

    known: tuple[str, ...]
    count: int

    def read(self, text: str, plain: bool) -> tuple[str, ...]:
        """Return the words, which blanks or commas part."""
        refuse_null(text, plain)
        found = tuple(known_word(each, self.known) for each in _parts(text))
        if len(found) != self.count:
            fields = {"count": self.count, "found": len(found)}
            raise WrongError(Message("{count} words are expected, not {found}", fields))
        return found


@dataclass(frozen=True)
class Amounts:
    """How many there are of each of the things that are known, at most `most`: `rock 3, paper 3`."""

    known: tuple[str, ...]
    most: int

    def read(self, text: str, plain: bool) -> tuple[int, ...]:
        """Return the amounts in the order of `known`."""
        refuse_null(text, plain)
        found: dict[str, int] = {}
        for part in re.split(r"\s*,\s*", text.strip()):
            first, _, amount = part.partition(" ")
            name = known_word(first, self.known)
            if name in found:
                raise WrongError(Message("'{word}' is there twice", {"word": name}))
            found[name] = int(Number(0, self.most, 1).read(amount.strip(), True))
        missing = [each for each in self.known if each not in found]
        if missing:
            raise WrongError(Message("'{word}' is missing", {"word": missing[0]}))
        return tuple(found[each] for each in self.known)


def _parts(text: str) -> list[str]:
    return [part for part in re.split(r"[\s,]+", text) if part]
