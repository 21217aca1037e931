"""One game that is being played: its position, how it came there, and where its chance comes from."""

import hashlib
import hmac
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.games.book import Book, Position
from companion.games.rulebook import Awaited, IllegalMove, Refusal

# What the companion deals face down: it binds itself to it before, and it is told when the round is over.
HIDDEN = ("shuffle",)


@dataclass(frozen=True, slots=True)
class Commitment:
    """What the companion has bound itself to: nobody can know `text` from `digest`, nobody can change it.

    `digest` is the SHA-256, in hex, of the move's text, a blank, and the salt.
    """

    text: str
    salt: str

    @property
    def digest(self) -> str:
        """What is shown before the move."""
        return hashlib.sha256(f"{self.text} {self.salt}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Step:
    text: str  # empty before the first move
    position: Any
    trace: bytes  # a digest of all moves up to here


def seeded(seed: str) -> bytes:
    """Return the secret that a seed stands for, always the same."""
    return hashlib.sha256(seed.encode("utf-8", "surrogateescape")).digest()


class Match:
    """A game from its opening on. With a `secret` the companion can throw the dice and deal.

    What it throws follows from the secret and from all moves so far, so that the same position, come to
    again after an undo or a power cut, brings the same throw.
    """

    def __init__(self, book: Book, options: Any, secret: bytes | None = None) -> None:
        self.book, self.options, self._secret = book, options, secret
        trace = hashlib.sha256(book.name.encode()).digest()
        self._steps = [_Step("", book.rules.opening(options), trace)]
        self._awaits: tuple[Any, tuple[Awaited[Any], ...]] = None, ()

    @property
    def position(self) -> Any:
        """The position now."""
        return self._steps[-1].position

    @property
    def moves(self) -> list[str]:
        """Every move so far."""
        return [step.text for step in self._steps[1:]]

    @property
    def positions(self) -> list[Position]:
        """Every position so far, the opening first."""
        return [step.position for step in self._steps]

    @property
    def awaits(self) -> tuple[Awaited[Any], ...]:
        """Who may act now."""
        position, awaits = self._awaits
        if position is not self.position:  # it is asked for many times
            position, awaits = self._awaits = self.position, self.book.rules.awaits(self.position)
        return awaits

    def texts(self, awaited: Awaited[Any]) -> list[str] | None:
        """Return the legal moves of one who may act, as text, sorted; None if they are too many."""
        return None if awaited.moves is None else sorted(map(self.book.notation.write, awaited.moves))

    def play(self, text: str) -> str:
        """Play a move and return it as it is written properly.

        Raises `NotationError` or `IllegalMove`; the position then stands as it stood.
        """
        move = self.book.notation.parse(text)
        position = self.book.rules.play(self.position, move)
        proper = self.book.notation.write(move)
        trace = hashlib.sha256(self._steps[-1].trace + proper.encode()).digest()
        self._steps.append(_Step(proper, position, trace))
        return proper

    def take_back(self) -> str:
        """Go back by one move, and return it. Raises `IndexError` at the opening."""
        if len(self._steps) == 1:
            raise IndexError("nothing has been played")
        return self._steps.pop().text

    def amend(self, number: int, text: str) -> None:
        """Let a move have been another one, and all that followed stand.

        Raises `NotationError` or `IllegalMove`; the position then stands as it stood.
        """
        steps, later = self._steps, self.moves[number + 1 :]
        self._steps = steps[: number + 1]
        try:
            for each in (text, *later):
                self.play(each)
        except Refusal:
            self._steps = steps
            raise

    # chance

    def throw(self, awaited: Awaited[Any]) -> str:
        """Return what the companion throws or deals for what the table is to provide, without playing it."""
        move = self.book.rules.outcome(self.position, awaited, random.Random(self._derived(awaited.what)))
        return self.book.notation.write(move)

    def throw_paced(self, word: str) -> str:
        """Return what the companion throws for what comes at a pace of its own; raises `IllegalMove`."""
        for awaited in self.awaits:
            if awaited.paced and awaited.what == word:
                return self.throw(awaited)
        raise IllegalMove(None, "nobody awaits this now")

    def commitment(self, awaited: Awaited[Any]) -> Commitment | None:
        """Return what the companion is bound to deal next; None for what everybody sees."""
        if awaited.what not in HIDDEN:
            return None
        return Commitment(self.throw(awaited), self._derived(f"salt of {awaited.what}").hex())

    def deals(self) -> Iterator[tuple[int, Commitment, bool]]:
        """Yield the index of each move that the companion was bound to, its commitment, and whether what was
        dealt may be told: the game is over, or it was dealt again since, by whomever.
        """
        if self._secret is None:
            return
        dealt = [index for index, text in enumerate(self.moves) if text.split()[0] in HIDDEN]
        past = Match(self.book, self.options, self._secret)
        for index, text in enumerate(self.moves):
            for awaited in past.awaits:
                bound = past.commitment(awaited) if awaited.who is None else None
                if bound and bound.text == text:
                    yield index, bound, self.position.over or index < dealt[-1]
            past.play(text)

    def _derived(self, purpose: str) -> bytes:
        if self._secret is None:
            raise ValueError("in this game the dice are real")
        return hmac.digest(self._secret, self._steps[-1].trace + purpose.encode(), "sha256")
