"""The game that is played on a screen: who plays it, who is to decide, and who thinks about that."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pygame import Rect

from companion.events import Ask, Sound
from companion.games import part
from companion.games.book import Book
from companion.games.rulebook import Awaited, Refusal
from companion.games.thought import Strength, Thought
from companion.language import Message, mark
from companion.match import Match
from companion.mind.questions import HINT_S, MOVE_S, BestMove
from companion.players import COLOURS, Seat, animal
from companion.screens.asking import Asked
from companion.screens.base import Context, Home, Screen, Step
from companion.screens.canvas import Canvas
from companion.screens.stage import body
from companion.screens.terms import Choice, Page, Prompt, seat_name
from companion.table import Game

log = logging.getLogger(__name__)
UNKNOWN = Message(mark("Nobody can think about that now. The log has the details."))


class PlayingScreen(Screen):
    """What is known of the game on the table, what is thought about it, and what the screens over it may ask.
    Nothing is played here.
    """

    book: ClassVar[Book]
    choices: ClassVar[tuple[Choice, ...]] = ()
    guide: ClassVar[tuple[Page, ...]]
    away: ClassVar[str] = mark("Put the game aside")  # what `aside` does, a text to translate

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.paused = False
        self.trouble: Message | None = None  # why the last touch or throw was not a move
        self._thinking: Asked | None = None  # what is thought about: a computer's move, or a hint

    # what is being played

    @property
    def game(self) -> Game:
        """The game on the table."""
        assert self.context.table.game is not None
        return self.context.table.game

    @property
    def match(self) -> Match:
        """Its match."""
        return self.game.match

    @property
    def position(self) -> Any:
        """Its position; a subclass says of which type."""
        return self.game.match.position

    @property
    def seats(self) -> Sequence[Seat]:
        """Who plays; colours alone if nobody has said so."""
        known = self.game.party.seats
        return known or [Seat("", colour) for colour in COLOURS[: self.match.options.players]]

    def name(self, player: int) -> str:
        """How a player is called."""
        return seat_name(self.context.t, self.seats[player])

    def area(self, canvas: Canvas) -> Rect:
        """The part of the canvas that belongs to the board."""
        return body(canvas)

    def page(self) -> int:
        """Which page of the guide fits the position."""
        return 0

    def score(self, player: int) -> str:
        """What a player has reached."""
        return self.context.t.number(self.position.scores[player])

    def review(self) -> Screen | None:
        """A screen that looks back at a game that is over, if there is one."""
        return None

    @property
    def can_undo(self) -> bool:
        """Whether there is anything to take back."""
        raise NotImplementedError

    def undo(self) -> Iterator[Step]:
        """Take back the last decision of a person."""
        raise NotImplementedError

    def redo(self) -> Iterator[Step]:
        """Make the decision again that was taken back last."""
        raise NotImplementedError

    def aside(self) -> Iterator[Step]:
        """Put the game aside; it can be taken up again."""
        yield Sound("press")
        yield Home()
        self.context.table.put_aside()

    def manner(self, key: str) -> str:
        """What was chosen of a `Choice` of the manner."""
        default = next(choice.options[0][0] for choice in self.choices if choice.key == key)
        return self.game.party.manner.get(key, default)

    def awaited(self, what: str | None = None) -> Awaited[Any] | None:
        """Who may act now, or for what: the first that fits; nothing paced unless it is named."""
        fits = (a for a in self.match.awaits if (a.what == what if what else not a.paced))
        return next(fits, None)

    # who decides, and who thinks about it

    @classmethod
    def strengths(cls) -> tuple[Strength, ...]:
        """How strong computers can play it, the weakest first; none where the game has no `computer.py`."""
        computer = part(cls.book.name, "computer")
        return computer.STRENGTHS if computer else ()

    @property
    def computer(self) -> int | None:
        """The computer that is to decide, if one is."""
        awaited = self.awaited()
        if awaited is None or awaited.who is None or not self.by_computer(awaited.who):
            return None
        return awaited.who

    @property
    def turn(self) -> int:
        """Whose turn it is, also while dice are thrown."""
        turn: int = self.position.turn
        return turn

    @property
    def rolls(self) -> bool:
        """Whether dice are to be thrown for a computer."""
        awaited = self.awaited("roll") if self.strengths() else None
        return awaited is not None and self.by_computer(self.turn)

    def by_computer(self, player: int) -> bool:
        """Whether a computer plays for somebody."""
        return self.seats[player].plays == "computer" and bool(self.strengths())

    @property
    def mine(self) -> bool:
        """Whether a person is to decide."""
        awaited = self.awaited()
        return awaited is not None and awaited.who is not None and self.computer is None

    @property
    def thinking(self) -> Asked | None:
        """What is thought about the position as it is now."""
        return self._thinking if self._thinking and self._thinking.about is self.position else None

    @property
    def hint(self) -> Thought | None:
        """What a person might do now, as far as that has been thought about."""
        return self.thinking.answer if self.thinking and self.mine else None

    # thinking

    def _asks(self, strength: Strength, seconds: float) -> Step:
        """Let somebody think about the position, who is as strong as that, so long."""
        moves = tuple(self.match.moves)
        seed = f"{self.game.id} {' '.join(moves)}"
        question = BestMove(self.book.name, self.match.options, moves, strength, seed, seconds)
        self._thinking = Asked(question, self.position)
        return Ask(question)

    def _think(self) -> Iterator[Step]:
        """A computer thinks as soon as it is to decide; nobody thinks about what is past."""
        awaited, player = self.awaited(), self.computer
        if self._thinking and self.thinking is None:
            yield from self._forget()
        if player is None:
            if self.thinking and self.thinking.failed:
                self._thinking, self.trouble = None, UNKNOWN
                yield Sound("refused")
        elif awaited and self.thinking is None and not self.forced(awaited):
            yield self._asks(animal(self.seats[player].strength, self.strengths()), MOVE_S)

    def _forget(self) -> Iterator[Step]:
        """Think about it no more."""
        if self._thinking and not self._thinking.over:
            yield Ask(None)
        self._thinking = None

    @property
    def stuck(self) -> int | None:
        """The computer that is to decide and cannot."""
        return self.computer if self.thinking and self.thinking.failed else None

    def _thought_of(self) -> str | None:
        """The move of a computer that has thought about it."""
        if self.computer is None or not self.thinking or not self.thinking.over or self.thinking.failed:
            return None
        move: str = self.thinking.answer.move
        try:
            self.book.rules.play(self.position, self.book.notation.parse(move))
        except Refusal:
            log.exception("no move of the computer's: %s", move)
            self.thinking.answer = None
            return None
        return move

    def _hint(self) -> Iterator[Step]:
        """Ask the strongest of all what to do now; or away with what he has said."""
        yield Sound("press")
        if self.thinking:
            yield from self._forget()
        else:
            self.trouble = None
            yield self._asks(self.strengths()[-1], HINT_S)

    def reseat(self, player: int, seat: Seat) -> Iterator[Step]:
        """Somebody else plays on from now on: a person, or a computer."""
        seats = list(self.seats)
        seats[player] = seat
        self.context.table.reseat(replace(self.game.party, seats=tuple(seats)))
        yield from self._forget()
        yield Sound("press")

    def forced(self, awaited: Awaited[Any]) -> str | None:
        """A decision that is none, because only one move makes sense."""
        return None

    def thinks(self, player: int) -> Prompt:
        """What is said while a computer is to decide."""
        return Prompt(Message("{name} thinks …", {"name": self.name(player)}), player, "clock")
