"""The board of Kabooom!: where squares, towers and stones lie, and how they are drawn."""

import math
from typing import Any, ClassVar, NamedTuple

from pygame import Rect

from companion.games.kabooom import art, notation
from companion.games.kabooom.rules import (
    BOARDS,
    SYMBOLS,
    Hit,
    Move,
    Pass,
    Place,
    Position,
    Tower,
    legal,
    squares,
)
from companion.screens.base import Context
from companion.screens.canvas import Canvas, inset
from companion.screens.playing import PlayingScreen
from companion.screens.theme import CARD, FAINT, HINT, INK, LINE

NAME = 22  # units: the edge of the board, where the names of its rows and columns stand
SIDE, FOOT = 264, 96  # units: what is beside the board is at least so wide, its foot so high
FLIGHT = 0.22  # seconds for which a tower is seen to move


class Flight(NamedTuple):
    """A tower on its way from one square to another, and when that began."""

    tower: Tower
    origin: str
    target: str
    began: float


class Places(NamedTuple):
    """Where the squares are, the points, or what is said, and what else can be touched."""

    board: Rect
    words: Rect
    foot: Rect


class KabooomBoard(PlayingScreen):
    """What is seen; `KabooomScreen` says what can be done, `ReviewScreen` looks back."""

    talks: ClassVar[bool] = False  # whether so much is said that there is room for it only beside the board

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.symbol = ""  # the one that is set next
        self.selected: str | None = None  # the square of the tower that was touched, to move
        self.held: tuple[str, int, int] | None = None  # what the finger drags, and where the finger is
        self.flight: Flight | None = None
        self._cells: dict[str, Rect] = {}

    @property
    def position(self) -> Position:
        """The position now."""
        position: Position = self.match.position
        return position

    @property
    def animating(self) -> bool:
        """While a tower flies."""
        return self.flight is not None and self.context.now - self.flight.began < FLIGHT

    @property
    def moves(self) -> tuple[Move, ...]:
        """What a person may do now."""
        return legal(self.position) if self.mine else ()

    def tower(self, name: str) -> Any:
        """The tower on a square, None if it is empty."""
        return self.position.board[squares(self.position.options.board).index(name)]

    @property
    def chosen(self) -> str:
        """The symbol that is set next: what is dragged or was touched, or what there is most of."""
        supply = dict(zip(SYMBOLS, self.position.supply[self.position.turn], strict=True))
        wanted = self.moving or self.symbol
        return wanted if supply.get(wanted) else max(SYMBOLS, key=lambda symbol: supply[symbol])

    @property
    def moving(self) -> str | None:
        """What is dragged, or else the tower that was touched."""
        return self.held[0] if self.held else self.selected

    def _targets(self) -> set[str]:
        """Where what is chosen may go."""
        if self.position.phase == "place":
            return {move.square for move in self.moves if isinstance(move, Place)} if self.held else set()
        return {move.target for move in self.moves if isinstance(move, Hit) and move.origin == self.moving}

    def _places(self, c: Canvas) -> Places:
        """The squares, with their names to the left and below, as large as they can be: what else there is
        lies beside a high board, and below a wide one.
        """
        area, edge, gap, high = inset(self.area(c), c.px(8)), c.px(NAME), c.px(14), c.px(FOOT)
        columns, rows, _ = BOARDS[self.position.options.board]
        beside = min((area.width - edge - gap - c.px(SIDE)) // columns, (area.height - edge) // rows)
        below = min((area.width - edge) // columns, (area.height - edge - gap - high) // rows)
        if c.portrait:
            side = min((area.width - edge) // columns, area.height * 62 // 100 // rows)
            board = Rect(area.centerx + (edge - side * columns) // 2, area.y, side * columns, side * rows)
            top = board.bottom + edge + c.px(6)
            rest = Rect(area.x, top, area.width, area.bottom - top)
        elif self.talks or beside >= below:
            top = area.centery - (beside * rows + edge) // 2
            board = Rect(area.x + edge, top, beside * columns, beside * rows)
            rest = Rect(board.right + gap, area.y, area.right - board.right - gap, area.height)
        else:
            left = area.centerx + (edge - below * columns) // 2
            top = area.y + (area.height - gap - high - edge - below * rows) // 2
            half, foot = (area.width - gap) // 2, area.bottom - high
            words, rest = (Rect(x, foot, half, high) for x in (area.x, area.right - half))
            return Places(Rect(left, top, below * columns, below * rows), words, rest)
        words = Rect(rest.x, rest.y, rest.width, rest.height - high - gap)
        return Places(board, words, Rect(rest.x, rest.bottom - high, rest.width, high))

    def _squares(self, c: Canvas) -> dict[str, Rect]:
        """The place of every square; row 1 lies at the bottom."""
        board = self._places(c).board
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
        box, gap = self._places(c).foot, c.px(8)
        wide = (box.width - 3 * gap) // 4
        high = min(box.height, max(c.px(52), wide + c.px(26)))
        return {
            symbol: Rect(box.x + i * (wide + gap), box.bottom - high, wide, high)
            for i, symbol in enumerate(SYMBOLS)
        }

    def paint_board(self, canvas: Canvas) -> None:
        """The squares, the towers, what flies or is held; points; stones to set."""
        cells = self._paint_squares(canvas)
        self._paint_marks(canvas, cells)
        flying = self.flight.target if self.flight and self.animating else None
        held = self.held[0] if self.held else None
        for name, cell in sorted(cells.items(), key=lambda item: item[1].y):
            if name not in (flying, held) and (tower := self.tower(name)):
                self._paint_tower(canvas, cell, tower, lifted=name == self.moving)
        for name in self._targets():
            art.target(canvas, cells[name], self.accent)
        self._paint_scores(canvas)
        if self.position.phase == "place":
            self._paint_supply(canvas)
        if self.hint:
            self._paint_hint(canvas, cells, notation.parse(self.hint.move))
        if flying and self.flight:
            self._paint_flight(canvas, cells, self.flight)
        if self.held:
            self._paint_held(canvas, cells, self.held)

    def _paint_squares(self, c: Canvas) -> dict[str, Rect]:
        """The empty board with the names of its columns and rows; return where each square lies."""
        board, edge, cells = self._places(c).board, c.px(NAME), self._squares(c)
        for name, cell in cells.items():
            art.board_square(c, cell)
            column, row = name[0], name[1:]
            if row == "1":
                c.text(column, Rect(cell.x, board.bottom, cell.width, edge), NAME, colour=FAINT)
            if column == "a":
                c.text(row, Rect(board.x - edge, cell.y, edge, cell.height), NAME, colour=FAINT)
        return cells

    def _paint_tower(self, c: Canvas, cell: Rect, tower: Tower, lifted: bool = False) -> None:
        box = cell.move(0, -c.px(7)) if lifted else cell
        art.tower(c, box, self.seats[tower.owner].colour, tower.symbol, tower.height, lifted)
        if lifted:
            art.mark(c, cell, INK)

    def _paint_marks(self, c: Canvas, cells: dict[str, Rect]) -> None:
        """What the last move has touched; who passes touches nothing."""
        moves = map(notation.parse, reversed(self.match.moves))
        match next((move for move in moves if not isinstance(move, Pass)), None):
            case Hit(origin, target):
                touched = [origin, target]
            case Place(_, square):
                touched = [square]
            case _:
                touched = []
        for name in touched:
            art.mark(c, cells[name], FAINT)

    @staticmethod
    def _paint_hint(c: Canvas, cells: dict[str, Rect], move: Move) -> None:
        """From where to where: which squares these are is marked anyway."""
        if isinstance(move, Hit):
            art.arrow(c, cells[move.origin], cells[move.target], HINT)

    def _paint_flight(self, c: Canvas, cells: dict[str, Rect], flight: Flight) -> None:
        part = min(1.0, (self.context.now - flight.began) / FLIGHT)
        part = part * (2 - part)
        a, b = cells[flight.origin], cells[flight.target]
        hop = round(math.sin(math.pi * part) * a.height * 0.25)
        box = Rect(round(a.x + (b.x - a.x) * part), round(a.y + (b.y - a.y) * part) - hop, a.width, a.height)
        self._paint_tower(c, box, flight.tower)

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
        board, box, _ = self._places(c)
        gap, count = c.px(6), len(self.seats)
        columns = 1 if box.y < board.bottom else 2
        rows = -(-count // columns)
        high = min(c.px(62), (box.height - gap * (rows - 1)) // rows)
        wide = (box.width - gap * (columns - 1)) // columns
        for player in range(count):
            x, y = player % columns, player // columns
            self._paint_score(c, Rect(box.x + x * (wide + gap), box.y + y * (high + gap), wide, high), player)

    def _paint_score(self, c: Canvas, box: Rect, player: int) -> None:
        turn = not self.position.over and player == self.position.turn
        c.card(box, CARD, edge=self.accent if turn else LINE, shade=False, radius=10)
        side = min(c.px(30), box.height - c.px(8))
        last = c.seat(Rect(box.x + c.px(8), box.centery - side // 2, side, side), self.seats[player])
        left = last.right + c.px(8)
        name = Rect(left, box.y, box.right - left - c.px(62), box.height)
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
            count = Rect(box.x, box.bottom - high - c.px(2), box.width, high).inflate(-c.px(12), 0)
            c.text(self.context.t("{count} left", count=left), count, 20)
