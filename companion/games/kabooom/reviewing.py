"""Looking back at a game of Kabooom!: the moves that decided it, each with a better one."""

from collections.abc import Iterator, Sequence
from typing import Any

from pygame import Rect

from companion.events import Ask, Event, Sound, Thoughts, Tick
from companion.games.kabooom import art, notation
from companion.games.kabooom.board import KabooomBoard
from companion.games.kabooom.book import BOOK
from companion.games.kabooom.reasons import STONES
from companion.games.kabooom.rules import SYMBOLS, Hit, Pass, Place, Position
from companion.language import Message, mark
from companion.mind.questions import DecidingMoves
from companion.screens.asking import Asked
from companion.screens.base import Context, Step, Widget
from companion.screens.canvas import Canvas
from companion.screens.playing import UNKNOWN
from companion.screens.theme import FAINT, HINT, KABOOOM, Rgb


class ReviewScreen(KabooomBoard):
    """The board before one of these moves: an arrow for what was played, a bright one for what was better."""

    book, accent = BOOK, KABOOOM
    title = mark("Deciding moves")
    talks = True

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.index = 0
        moves = tuple(self.match.moves)
        self.asked = Asked(DecidingMoves(self.book.name, self.match.options, moves))
        self._begun = False

    @property
    def found(self) -> Sequence[Any]:
        """The moves that are known so far, as the game's `deciding` has them."""
        return self.asked.answer or ()

    @property
    def now(self) -> Any:
        """The one that is shown, if there is any."""
        return self.found[min(self.index, len(self.found) - 1)] if self.found else None

    @property
    def position(self) -> Position:
        """Before the move that is shown."""
        positions: Sequence[Any] = self.match.positions
        position: Position = positions[self.now.number if self.now else -1]
        return position

    # what happens

    def handle(self, event: Event) -> Iterator[Step]:
        """Asks when it is opened, and shows what comes."""
        if isinstance(event, Tick) and not self._begun:
            self._begun = True
            yield Ask(self.asked.question)
        elif isinstance(event, Thoughts):
            self.asked.hear(event)

    def leave(self) -> Iterator[Step]:
        """Nobody wants to know any more."""
        if not self.asked.over:
            self._begun = False
            yield Ask(None)

    def _turns(self, by: int) -> Iterator[Step]:
        self.index = (min(self.index, len(self.found) - 1) + by) % len(self.found)
        yield Sound("press")

    # what is shown

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """The move before, the next one."""
        if len(self.found) < 2:
            return []
        left, _, right = self._foot(canvas)
        return [
            Widget("before", left, lambda: self._turns(-1), icon="left"),
            Widget("next", right, lambda: self._turns(1), icon="right", style="main"),
        ]

    def _foot(self, c: Canvas) -> list[Rect]:
        """The way back, which move it is, and the way on."""
        box, high, gap = self._places(c).foot, c.px(80), c.px(10)
        wide = (box.width - 2 * gap) // 3
        return [Rect(box.x + i * (wide + gap), box.bottom - high, wide, high) for i in range(3)]

    def paint(self, canvas: Canvas) -> None:
        """The board at that moment, and what could have been."""
        self.paint_board(canvas)
        words = self._places(canvas).words
        if self.now is None:
            canvas.text(self.context.t.say(self._nothing()), words, 28)
            return
        cells = self._squares(canvas)
        self._paint_move(canvas, cells, self.now.played, FAINT)
        self._paint_move(canvas, cells, self.now.better, HINT)
        self._paint_words(canvas, words)

    def paint_board(self, canvas: Canvas) -> None:
        """The squares and the towers."""
        for name, cell in self._paint_squares(canvas).items():
            if tower := self.tower(name):
                self._paint_tower(canvas, cell, tower)

    def _nothing(self) -> Message:
        if self.asked.failed:
            return UNKNOWN
        nothing, thinking = mark("No single move decided this game"), mark("Let me think …")
        return Message(nothing if self.asked.over else thinking)

    def _paint_move(self, c: Canvas, cells: dict[str, Rect], text: str, colour: Rgb) -> None:
        match notation.parse(text):
            case Hit(origin, target):
                art.arrow(c, cells[origin], cells[target], colour)
            case Place(symbol, square):
                art.tower(c, cells[square], self.seats[self.now.player].colour, symbol, 1)
                art.target(c, cells[square], colour)

    def _paint_words(self, c: Canvas, box: Rect) -> None:
        """Which it is, whose, what was played, what was better and why."""
        t, now, name = self.context.t, self.now, self.name(self.now.player)
        count = t("{number} of {count}", number=self.found.index(now) + 1, count=len(self.found))
        foot, side = self._foot(c)[1], c.px(36)
        c.text(count, Rect(foot.x, foot.y, foot.width, foot.height // 2), 26, face="bold")
        signs = 2 if self.by_computer(now.player) else 1
        left = foot.centerx - signs * side // 2
        c.seat(Rect(left, foot.bottom - side, side, side), self.seats[now.player])
        points = round(float(now.points), 1)
        better = t.plural(
            "With {move}, {name} would be {points} point better off.",
            "With {move}, {name} would be {points} points better off.",
            1 if points == 1 else 2,
            **{"move": self._said(now.better), "name": name, "points": points},
        )
        rows = (
            ("arrow", FAINT, t("{name}: {move}.", name=name, move=self._said(now.played))),
            ("lamp", HINT, better),
            (None, FAINT, t.say(now.why)),
        )
        top, high = box.y, box.height // 11
        for (icon, colour, words), part in zip(rows, (3, 4, 4), strict=True):
            row = Rect(box.x, top, box.width, high * part - c.px(6))
            if icon:
                c.icon(icon, Rect(row.x, row.centery - side // 2, side, side), colour)
            left = row.x + side + c.px(8)
            c.text(words, Rect(left, row.y, row.right - left, row.height), 24, align="left")
            top += high * part

    def _said(self, text: str) -> object:
        """A move in words."""
        match notation.parse(text):
            case Hit(origin, target):
                return f"{origin}-{target}"
            case Place(symbol, square):
                stone = Message(STONES[SYMBOLS.index(symbol)])
                return Message(mark("{stone} on {square}"), {"stone": stone, "square": square})
            case Pass():
                return Message("Pass")
        return text
