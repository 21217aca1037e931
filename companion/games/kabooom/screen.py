"""Kabooom! on the screen, which is the board: drag a tower, or touch it and where it shall go."""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pygame import Rect

from companion.events import Say, Sound
from companion.games.kabooom import art, notation
from companion.games.kabooom.book import BOOK
from companion.games.kabooom.guide import GUIDE
from companion.games.kabooom.opponent import choose
from companion.games.kabooom.rules import BOARDS, SYMBOLS, Hit, Move, Pass, Place, Position, legal, squares
from companion.games.rulebook import Awaited
from companion.language import Message, mark
from companion.screens.base import Back, Context, Go, Screen, Step, Widget
from companion.screens.canvas import Canvas, inset
from companion.screens.game import Choice, GameScreen, Prompt, entry
from companion.screens.theme import CARD, FAINT, INK, KABOOOM, LINE

FLIGHT = 0.22  # seconds for which a tower is seen to move
THOUGHT = 0.7  # seconds until a computer moves, so that one sees what happened before


class KabooomScreen(GameScreen):
    """The board, everybody's points, and the stones that are still to be set."""

    book = BOOK
    title = BOOK.title
    icon = "tower"
    accent = KABOOOM
    asks = mark("Who begins?")
    guide = GUIDE
    computers = True
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

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.symbol = ""  # the one that is set next
        self.selected: str | None = None  # the square of the tower that is to move
        self.held: tuple[str, int, int] | None = None  # what the finger drags, and where the finger is
        self.flight: tuple[str, str, float] | None = None  # from, to, when it began
        self._cells: dict[str, Rect] = {}

    @property
    def position(self) -> Position:
        """The position now."""
        position: Position = self.match.position
        return position

    @property
    def animating(self) -> bool:
        """While a tower flies."""
        return self.flight is not None and self.context.now - self.flight[2] < FLIGHT

    @property
    def mine(self) -> bool:
        """Whether a person is to move."""
        awaited = self.awaited()
        return awaited is not None and awaited.who is not None and self.seats[awaited.who].plays == "person"

    @property
    def moves(self) -> tuple[Move, ...]:
        """What a person may do now."""
        return legal(self.position) if self.mine else ()

    def tower(self, name: str) -> Any:
        """The tower on a square, None if it is empty."""
        return self.position.board[squares(self.position.options.board).index(name)]

    # what now

    def prompt(self) -> Prompt:
        """Set, hit or pass."""
        position = self.position
        if position.phase == "deal":
            return Prompt(Message("The stones are dealt"), None, "tower")
        if position.over:
            return Prompt(Message("The game is over"), None, "trophy")
        fields = {"name": self.name(position.turn)}
        if not self.mine:
            return Prompt(Message("{name} thinks …", fields), position.turn, "clock")
        if position.phase == "place":
            return Prompt(Message("{name}: set a stone", fields), position.turn, "hand")
        if self.selected:
            return Prompt(Message("{name}: where to?", fields), position.turn, "hand")
        return Prompt(Message("{name}: hit or pass", fields), position.turn, "hand")

    def page(self) -> int:
        """Setting or hitting."""
        return 0 if self.position.phase == "place" else 1

    def reset(self) -> None:
        """Nothing is held or chosen any more; the symbol is one that is left."""
        self.selected = self.held = None
        self.symbol = ""

    @property
    def chosen(self) -> str:
        """The symbol that is set next: the one that was touched, or what there is most of."""
        supply = dict(zip(SYMBOLS, self.position.supply[self.position.turn], strict=True))
        if self.symbol and supply[self.symbol]:
            return self.symbol
        return max(SYMBOLS, key=lambda symbol: supply[symbol])

    def after(self, text: str, before: Any) -> Iterator[Step]:
        """A stone clicks, a tower flies, dynamite goes off; then the next one is called."""
        move, now = notation.parse(text), self.context.now
        self.flight = None
        if isinstance(move, Hit):
            self.flight = (move.origin, move.target, now)
            struck = before.board[squares(before.options.board).index(move.origin)]
            yield Sound("boom" if struck.symbol == "d" else "tile")
        else:
            yield Sound("draw" if isinstance(move, Pass) else "tile")
        position = self.position
        self.until = now + (FLIGHT if self.flight else 0)
        if position.over or position.phase == "deal":
            return
        if self.seats[position.turn].plays == "computer":
            self.until = now + THOUGHT
        elif position.phase == "hit":
            yield Say(f"turn-{self.seats[position.turn].colour}")

    def think(self, awaited: Awaited[Any]) -> str:
        """The simple opponent; what it does among equals follows from the moves so far."""
        chance = random.Random(" ".join(self.match.moves))
        return notation.write(choose(self.position, chance))

    # touching

    def _touch(self, name: str) -> Callable[[], Iterator[Step]]:
        def act() -> Iterator[Step]:
            if self.position.phase == "place":
                yield from self.play(notation.write(Place(self.chosen, name)))
            elif self.selected and self.selected != name and Hit(self.selected, name) in self.moves:
                yield from self.play(notation.write(Hit(self.selected, name)))
            elif name in self._movable():
                self.selected = None if self.selected == name else name
                yield Sound("press")
            elif self.selected:
                yield from self._refused(Hit(self.selected, name))

        return act

    def _refused(self, move: Hit) -> Iterator[Step]:
        """Say why; a tower stays in the hand."""
        selected = self.selected
        yield from self.play(notation.write(move))
        self.selected = selected

    def _drags(self, name: str) -> Callable[[int, int, bool], Iterator[Step]]:
        """Drag a tower by its square, or a stone by its symbol."""

        def drag(x: int, y: int, lifted: bool) -> Iterator[Step]:
            self.held = None if lifted else (name, x, y)
            self.selected = name if name in self._cells else None
            self.symbol = self.symbol if name in self._cells else name
            if lifted:
                yield from self._dropped(name, self._at(x, y))

        return drag

    def _at(self, x: int, y: int) -> str | None:
        return next((name for name, cell in self._cells.items() if cell.collidepoint(x, y)), None)

    def _dropped(self, name: str, over: str | None) -> Iterator[Step]:
        if over is None or over == name:
            return
        if name in SYMBOLS:
            yield from self.play(notation.write(Place(name, over)))
        else:
            yield from self.play(notation.write(Hit(name, over)))

    def _movable(self) -> set[str]:
        return {move.origin for move in self.moves if isinstance(move, Hit)}

    def _targets(self) -> set[str]:
        """Where what is chosen may go."""
        if self.position.phase == "place":
            return {move.square for move in self.moves if isinstance(move, Place)} if self.held else set()
        return {move.target for move in self.moves if isinstance(move, Hit) and move.origin == self.selected}

    def _chooses(self, symbol: str) -> Callable[[], Iterator[Step]]:
        def act() -> Iterator[Step]:
            self.symbol = symbol
            yield Sound("press")

        return act

    def _pass(self) -> Iterator[Step]:
        """Whoever would end the game by passing is warned first (KAB-R23)."""
        if self.position.passing_ends:
            yield Sound("refused")
            yield Go(PassScreen(self))
        else:
            yield from self.play(notation.write(Pass()))

    # where things are

    def _places(self, c: Canvas) -> tuple[Rect, Rect]:
        """The board and what is beside it."""
        area = inset(self.area(c), c.px(8))
        columns, rows, _ = BOARDS[self.position.options.board]
        if c.portrait:
            side = min(area.width // columns, area.height * 62 // 100 // rows)
            board = Rect(area.centerx - side * columns // 2, area.y, side * columns, side * rows)
            return board, Rect(
                area.x, board.bottom + c.px(10), area.width, area.bottom - board.bottom - c.px(10)
            )
        side = min((area.width - c.px(250)) // columns, area.height // rows)
        board = Rect(area.x, area.centery - side * rows // 2, side * columns, side * rows)
        return board, Rect(board.right + c.px(14), area.y, area.right - board.right - c.px(14), area.height)

    def _squares(self, c: Canvas) -> dict[str, Rect]:
        """The place of every square; row 1 lies at the bottom."""
        board = self._places(c)[0]
        columns, rows, _ = BOARDS[self.position.options.board]
        side = board.width // columns
        return {
            name: Rect(
                board.x + "abcdefgh".index(name[0]) * side,
                board.y + (rows - int(name[1:])) * side,
                side - c.px(3),
                side - c.px(3),
            )
            for name in squares(self.position.options.board)
        }

    def _supply(self, c: Canvas) -> dict[str, Rect]:
        """The place of each symbol that can be set."""
        box, gap = self._places(c)[1], c.px(8)
        wide = (box.width - 3 * gap) // 4
        high = min(c.px(96), max(c.px(52), wide + c.px(26)))
        return {
            symbol: Rect(box.x + i * (wide + gap), box.bottom - high, wide, high)
            for i, symbol in enumerate(SYMBOLS)
        }

    def board(self, canvas: Canvas) -> Sequence[Widget]:
        """Squares that mean something now, symbols, passing."""
        self._cells = self._squares(canvas)
        return [*self._touchable(), *self._beside(canvas)]

    def _touchable(self) -> Iterator[Widget]:
        if not self.mine:
            return
        placing, movable = self.position.phase == "place", self._movable()
        for name, cell in self._cells.items():
            if placing and self.tower(name) is None:
                yield Widget(name, cell, self._touch(name), style="drawn")
            elif not placing and self.tower(name) is not None:
                drag = self._drags(name) if name in movable else None
                yield Widget(name, cell, self._touch(name), style="drawn", drag=drag)

    def _beside(self, c: Canvas) -> Iterator[Widget]:
        if not self.mine:
            return
        if self.position.phase == "place":
            supply = self.position.supply[self.position.turn]
            for (symbol, place), left in zip(self._supply(c).items(), supply, strict=True):
                if left:
                    drag = self._drags(symbol)
                    yield Widget(f"symbol-{symbol}", place, self._chooses(symbol), style="drawn", drag=drag)
        else:
            box, high = self._places(c)[1], c.px(80)
            place = Rect(box.x, box.bottom - high, box.width, high)
            yield Widget("pass", place, self._pass, label=self.context.t("Pass"), icon="cross")

    # what is shown

    def paint_board(self, canvas: Canvas) -> None:
        """The squares, the towers, what flies or is held; points; stones to set."""
        cells = self._squares(canvas)
        for cell in cells.values():
            art.board_square(canvas, cell)
        self._paint_marks(canvas, cells)
        flying = self.flight[1] if self.flight and self.animating else None
        held = self.held[0] if self.held else None
        for name, cell in sorted(cells.items(), key=lambda item: item[1].y):
            if name not in (flying, held) and self.tower(name):
                self._paint_tower(canvas, cell, name, lifted=name == self.selected)
        for name in self._targets():
            art.target(canvas, cells[name], self.accent)
        self._paint_scores(canvas)
        if self.position.phase == "place":
            self._paint_supply(canvas)
        if flying and self.flight:
            self._paint_flight(canvas, cells, self.flight)
        if self.held:
            self._paint_held(canvas, cells, self.held)

    def _paint_tower(self, c: Canvas, cell: Rect, name: str, lifted: bool = False) -> None:
        tower = self.tower(name)
        box = cell.move(0, -c.px(7)) if lifted else cell
        art.tower(c, box, self.seats[tower.owner].colour, tower.symbol, tower.height, lifted)
        if lifted:
            art.mark(c, cell, INK)

    def _paint_marks(self, c: Canvas, cells: dict[str, Rect]) -> None:
        """What the last move has touched."""
        last = notation.parse(self.match.moves[-1]) if self.match.moves else None
        match last:
            case Hit(origin, target):
                touched = [origin, target]
            case Place(_, square):
                touched = [square]
            case _:
                touched = []
        for name in touched:
            art.mark(c, cells[name], FAINT)

    def _paint_flight(self, c: Canvas, cells: dict[str, Rect], flight: tuple[str, str, float]) -> None:
        origin, target, began = flight
        if not self.tower(target):
            return
        part = min(1.0, (self.context.now - began) / FLIGHT)
        part = part * (2 - part)
        a, b = cells[origin], cells[target]
        hop = round(math.sin(math.pi * part) * a.height * 0.25)
        box = Rect(round(a.x + (b.x - a.x) * part), round(a.y + (b.y - a.y) * part) - hop, a.width, a.height)
        self._paint_tower(c, box, target)

    def _paint_held(self, c: Canvas, cells: dict[str, Rect], held: tuple[str, int, int]) -> None:
        name, x, y = held
        side = next(iter(cells.values())).width
        box = Rect(x - side // 2, y - side * 3 // 4, side, side)
        if name in SYMBOLS:
            art.tower(c, box, self.seats[self.position.turn].colour, name, 1, lifted=True)
        elif self.tower(name):
            tower = self.tower(name)
            art.tower(c, box, self.seats[tower.owner].colour, tower.symbol, tower.height, lifted=True)

    def _paint_scores(self, c: Canvas) -> None:
        box, gap, count = self._places(c)[1], c.px(6), len(self.seats)
        foot = c.px(110) if self.position.phase == "place" else c.px(90)
        columns = 2 if c.portrait else 1
        rows = -(-count // columns)
        high = min(c.px(62), (box.height - foot - gap * (rows - 1)) // rows)
        wide = (box.width - gap * (columns - 1)) // columns
        for player in range(count):
            x, y = player % columns, player // columns
            self._paint_score(c, Rect(box.x + x * (wide + gap), box.y + y * (high + gap), wide, high), player)

    def _paint_score(self, c: Canvas, box: Rect, player: int) -> None:
        turn = not self.position.over and player == self.position.turn
        c.card(box, CARD, edge=self.accent if turn else LINE, shade=False, radius=10)
        side = min(c.px(30), box.height - c.px(8))
        c.player(Rect(box.x + c.px(8), box.centery - side // 2, side, side), self.seats[player].colour)
        name = Rect(box.x + side + c.px(16), box.y, box.width - side - c.px(78), box.height)
        c.text(self.name(player), name, 22, face="bold" if turn else "text", align="left")
        score = Rect(box.right - c.px(60), box.y, c.px(52), box.height)
        c.text(str(self.position.scores[player]), score, 36, face="title")

    def _paint_supply(self, c: Canvas) -> None:
        supply, colour = self.position.supply[self.position.turn], self.seats[self.position.turn].colour
        for (symbol, box), left in zip(self._supply(c).items(), supply, strict=True):
            own = symbol == self.chosen and self.mine
            c.card(box, CARD, edge=INK if own else LINE, shade=False, radius=10)
            if not left:
                continue
            high = c.px(26)
            side = min(box.width - c.px(6), box.height - high)
            if own:
                c.frame(box, self.accent, 4, 10)
            picture = art.stone(colour, symbol, side)
            c.surface.blit(picture, (box.centerx - side // 2, box.y + c.px(4)))
            count = Rect(box.x, box.bottom - high - c.px(2), box.width, high)
            c.text(self.context.t("{count} left", count=left), count, 20)


class PassScreen(Screen):
    """The warning before the pass that ends the game (KAB-R23)."""

    overlay = True
    title = mark("Pass")

    def __init__(self, game: KabooomScreen) -> None:
        super().__init__(game.context)
        self.game, self.accent = game, game.accent

    def _plate(self, c: Canvas) -> Rect:
        plate = Rect(0, 0, c.px(460), c.px(280))
        plate.center = c.rect.center
        return plate

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Pass all the same, or not."""
        t, plate, gap = self.context.t, self._plate(canvas), canvas.px(12)
        half, high = (plate.width - 3 * gap) // 2, canvas.px(84)
        stay = Rect(plate.x + gap, plate.bottom - gap - high, half, high)
        go = stay.move(half + gap, 0)
        return [
            Widget("stay", stay, self._stay, label=t("Play on"), icon="back", style="main"),
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
