"""Kabooom! on the screen, which is the board: drag a tower, or touch it and where it shall go."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from pygame import Rect

from companion.events import Say, Sound
from companion.games.kabooom import notation
from companion.games.kabooom.board import FLIGHT, Flight, KabooomBoard
from companion.games.kabooom.book import BOOK
from companion.games.kabooom.guide import GUIDE
from companion.games.kabooom.reviewing import ReviewScreen
from companion.games.kabooom.rules import SYMBOLS, Hit, Move, Pass, Place, Position, squares
from companion.language import Message, mark
from companion.screens.base import Back, Go, Screen, Step, Widget
from companion.screens.canvas import Canvas, centred
from companion.screens.entry import entry
from companion.screens.game import GameScreen
from companion.screens.terms import Choice, Prompt
from companion.screens.theme import CARD, KABOOOM, LINE


class KabooomScreen(KabooomBoard, GameScreen):
    """The board, everybody's points, and the stones that are still to be set."""

    book = BOOK
    title = BOOK.title
    icon = "tower"
    accent = KABOOOM
    asks = mark("Who begins?")
    guide = GUIDE
    choices = (
        Choice(
            "level",
            mark("Level"),
            (
                ("medium", mark("medium: towers of 2 and more")),
                ("hard", mark("hard: towers of 3 and more")),
                ("easy", mark("easy: every tower")),
            ),
        ),
        Choice(
            "board",
            mark("Board"),
            (("5x5hole", mark("5 × 5 with a hole")), ("4x6", mark("4 × 6")), ("3x8", mark("3 × 8"))),
        ),
        Choice(
            "dynamite",
            mark("Dynamite"),
            (("stack", mark("lies on top")), ("explode", mark("blows everything away"))),
        ),
    )

    # what now

    def prompt(self) -> Prompt:
        """Set, hit or pass."""
        position = self.position
        if position.phase == "deal":
            return Prompt(Message("The stones are dealt"), None, "tower")
        if position.over:
            return Prompt(Message("The game is over"), None, "trophy")
        if self.computer is not None:
            return self.thinks(self.computer)
        fields = {"name": self.name(position.turn)}
        if position.phase == "place":
            return Prompt(Message("{name}: set a stone", fields), position.turn, "hand")
        if self.moving:
            return Prompt(Message("{name}: where to?", fields), position.turn, "hand")
        return Prompt(Message("{name}: hit or pass", fields), position.turn, "hand")

    def page(self) -> int:
        """Setting or hitting."""
        return 0 if self.position.phase == "place" else 1

    @property
    def begun(self) -> bool:
        """A tower that was touched is to move."""
        return self.moving is not None

    def reset(self) -> None:
        """Nothing is held or chosen any more, nor flies; the symbol is one that is left."""
        self.selected = self.held = self.flight = None
        self.symbol = ""

    def after(self, text: str, before: Any) -> Iterator[Step]:
        """A stone clicks, a tower flies, dynamite goes off; then the next one is called."""
        move, now = notation.parse(text), self.context.now
        if isinstance(move, Hit):
            struck = before.board[squares(before.options.board).index(move.origin)]
            self.flight = Flight(self.tower(move.target) or struck, move.origin, move.target, now)
            yield Sound("boom" if struck.symbol == "d" else "tile")
        else:
            yield Sound("draw" if isinstance(move, Pass) else "tile")
        position = self.position
        self.until = now + (FLIGHT if self.flight else 0)
        self.trouble = self._passed_over(before, move)
        if position.phase == "hit" and self.computer is None:
            yield Say(f"turn-{self.seats[position.turn].colour}")

    def _passed_over(self, before: Position, move: Move) -> Message | None:
        """Who could not move, and that a computer did not want to: else one wonders whose turn it is."""
        count, last = len(self.seats), before.turn if before.phase != "deal" else -1
        passed = [self.name((last + step) % count) for step in range(1, count + 1)]
        passed = passed[: (self.position.turn - last - 1) % count]
        names = {"names": self.context.t.listed(passed)}
        if isinstance(move, Pass) and self.by_computer(last):
            text = mark("{name} passes, no move for {names}") if passed else mark("{name} passes")
            return Message(text, {"name": self.name(last)} | names)
        return Message("No move for {names}", names) if passed else None

    def hinted(self, move: str) -> tuple[str, ...]:
        """The tower and its target, or the symbol and its square."""
        match notation.parse(move):
            case Hit(origin, target):
                return origin, target
            case Place(symbol, square):
                return f"symbol-{symbol}", square
        return ("pass",)

    def review(self) -> Screen:
        """The moves that have decided it."""
        return ReviewScreen(self.context)

    # touching

    def _touch(self, name: str) -> Iterator[Step]:
        if self.position.phase == "place":
            yield from self.play(notation.write(Place(self.chosen, name)))
        elif self.selected and self.selected != name and Hit(self.selected, name) in self.moves:
            yield from self.play(notation.write(Hit(self.selected, name)))
        elif name in self._movable():
            self.selected, self.trouble = None if self.selected == name else name, None
            yield Sound("press")
        elif self.selected or self.tower(name) is None:
            yield from self._refused(Hit(self.selected or name, name))
        else:
            own = self.tower(name).owner == self.position.turn
            stuck = mark("This tower beats none of its neighbours")
            self.trouble = Message(stuck if own else mark("That is not your tower"))
            yield Sound("refused")

    def _refused(self, move: Hit) -> Iterator[Step]:
        """Say why; a tower stays in the hand."""
        selected = self.selected
        yield from self.play(notation.write(move))
        self.selected = selected

    def _drags(self, name: str, x: int, y: int, lifted: bool) -> Iterator[Step]:
        """Drag a tower by its square, or a stone by its symbol."""
        self.held, self.trouble = None if lifted else (name, x, y), None
        if lifted:
            yield from self._dropped(name, self._at(x, y))

    def _tugs(self, name: str, _x: int, _y: int, lifted: bool) -> Iterator[Step]:
        """Drag what cannot move: it is said why not, as if it were touched."""
        if lifted:
            yield from self._touch(name)

    def let_go(self) -> None:
        """What the finger held lies where it lay."""
        self.held = None

    def _at(self, x: int, y: int) -> str | None:
        return next((name for name, cell in self._cells.items() if cell.collidepoint(x, y)), None)

    def _dropped(self, name: str, over: str | None) -> Iterator[Step]:
        """It is set where the finger was lifted; where it lay, the finger has only trembled."""
        if name == over:
            yield from self._touch(name)
        elif name in SYMBOLS:
            self.symbol = name
            if over:
                yield from self.play(notation.write(Place(name, over)))
        else:
            self.selected = name
            if over:
                yield from self.play(notation.write(Hit(name, over)))
                self.flight = None  # it lies there already

    def _movable(self) -> set[str]:
        return {move.origin for move in self.moves if isinstance(move, Hit)}

    def _chooses(self, symbol: str) -> Iterator[Step]:
        self.symbol, self.trouble = symbol, None
        yield Sound("press")

    def _pass(self) -> Iterator[Step]:
        """Whoever would end the game by passing is warned first (KAB-R23)."""
        if self.position.passing_ends:
            yield Sound("refused")
            yield Go(PassScreen(self))
        else:
            yield from self.play(notation.write(Pass()))

    def board(self, canvas: Canvas) -> Sequence[Widget]:
        """Squares, of which some are only there to say why not; symbols, passing."""
        self._cells = self._squares(canvas)
        return [*self._touchable(), *self._beside(canvas)]

    def _touchable(self) -> Iterator[Widget]:
        if not self.mine:
            return
        placing, movable = self.position.phase == "place", self._movable()
        for name, cell in self._cells.items():
            tower, drag = self.tower(name), None
            if name in movable:
                drag = partial(self._drags, name)
            elif tower and not self.selected:
                drag = partial(self._tugs, name)
            mute = placing is not (tower is None)  # it only says why not
            touch, means = partial(self._touch, name), (tower, self.position.turn, name == self.selected)
            yield Widget(name, cell, touch, style="drawn", drag=drag, by_finger=mute, means=means)

    def _beside(self, c: Canvas) -> Iterator[Widget]:
        if not self.mine:
            return
        if self.position.phase == "place":
            supply = self.position.supply[self.position.turn]
            for (symbol, place), left in zip(self._supply(c).items(), supply, strict=True):
                if left:
                    drag = partial(self._drags, symbol)
                    yield Widget(
                        f"symbol-{symbol}", place, partial(self._chooses, symbol), style="drawn", drag=drag
                    )
        else:
            box, high = self._places(c).foot, c.px(80)
            place = Rect(box.x, box.bottom - high, box.width, high)
            words, turn = self.context.t("Pass"), self.position.turn
            yield Widget("pass", place, self._pass, label=words, icon="cross", means=turn)


class PassScreen(Screen):
    """The warning before the pass that ends the game (KAB-R23)."""

    overlay = True
    title = mark("Pass")

    def __init__(self, game: KabooomScreen) -> None:
        super().__init__(game.context)
        self.game, self.accent = game, game.accent

    def _plate(self, c: Canvas) -> Rect:
        return centred(c.rect.center, c.px(460), c.px(280))

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Pass all the same, or not."""
        t, plate, gap = self.context.t, self._plate(canvas), canvas.px(12)
        half, high = (plate.width - 3 * gap) // 2, canvas.px(84)
        stay = Rect(plate.x + gap, plate.bottom - gap - high, half, high)
        go = stay.move(half + gap, 0)
        return [
            Widget("stay", stay, self._stay, label=t("Play on"), icon="play", style="main"),
            Widget("pass", go, self._pass, label=t("Pass"), icon="cross"),
        ]

    def _stay(self) -> Iterator[Step]:
        yield Back()

    def _pass(self) -> Iterator[Step]:
        yield Back()
        yield from self.game.play(notation.write(Pass()))

    def paint(self, canvas: Canvas) -> None:
        """The warning."""
        c, plate = canvas, self._plate(canvas)
        c.card(plate, CARD, edge=LINE)
        c.icon("warning", Rect(plate.x, plate.y + c.px(14), plate.width, c.px(64)), self.accent)
        words = Rect(plate.x + c.px(20), plate.y + c.px(84), plate.width - c.px(40), c.px(90))
        c.text(self.context.t("If you pass, the game is over."), words, 30, face="bold")


ENTRIES = [entry(KabooomScreen)]
