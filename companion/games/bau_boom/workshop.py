"""A hill, large, where tiles are laid and paid by touch. What is proposed needs one touch."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pygame import Rect

from companion.games.bau_boom import notation, paint, plan
from companion.games.bau_boom.hill import Colour, Place, colour_of
from companion.games.bau_boom.layout import pyramid
from companion.games.bau_boom.position import Lay, Move, Position, Remove
from companion.language import Texts, mark
from companion.screens.base import Act, Widget
from companion.screens.canvas import Canvas, inset
from companion.screens.theme import BAU, FAINT, INK, TABLE_EDGE, WARN

PlaysText = Callable[[str], Act]


@dataclass(frozen=True, slots=True)
class Workshop:
    """What one player may do at his hill now, and with which tiles that lie open."""

    position: Position
    legal: tuple[Move, ...]
    tiles: tuple[Colour, ...]
    drawn: tuple[bool, ...]  # which of the tiles have to be taken from the container first

    @property
    def player(self) -> int:
        """Whose hill it is."""
        return self.position.due.player

    @property
    def paying(self) -> bool:
        """Whether a tile of the hill goes back."""
        return self.position.due.what == "pay"

    def targets(self) -> dict[Place, Move]:
        """The places that can be touched, and what that means."""
        return {move.place: move for move in self.legal if isinstance(move, Lay | Remove)}

    def proposed(self) -> list[Place]:
        """The places that the proposal fills, or the one that it pays from."""
        if self.position.due.what in ("build", "pay"):
            moves = plan.accepting(self.position)
            first = Remove if self.paying else Lay
            return [
                move.place for move in moves if isinstance(move, Lay | Remove) and isinstance(move, first)
            ]
        return [self.best().place]

    def best(self) -> Lay:
        """The best place for a single tile."""
        lays = [move for move in self.legal if isinstance(move, Lay)]
        covered = self.position.covered[self.player]
        best = plan.proposal(self.position.options.plan(self.player), covered, (lays[0].colour,))[0]
        return next(lay for lay in lays if lay == best)

    # where things are

    def places(self, c: Canvas, box: Rect) -> tuple[Rect, Rect, Rect]:
        """The hill, the tiles, the buttons."""
        gap = c.px(12)
        if c.portrait:
            hill = Rect(box.x, box.y, box.width, box.height * 46 // 100)
            tray = Rect(box.x, hill.bottom + gap, box.width, box.height * 24 // 100)
            return hill, tray, Rect(box.x, tray.bottom + gap, box.width, box.bottom - tray.bottom - gap)
        hill = Rect(box.x, box.y, box.width * 50 // 100, box.height)
        rest = Rect(hill.right + gap, box.y, box.right - hill.right - gap, box.height)
        low = c.px(92)
        buttons = Rect(rest.x, rest.bottom - low, rest.width, low)
        return hill, Rect(rest.x, rest.y, rest.width, rest.height - low - gap), buttons

    def widgets(self, c: Canvas, box: Rect, plays: PlaysText) -> Iterator[Widget]:
        """Every place that a tile may be laid on or paid from."""
        squares = pyramid(self.places(c, box)[0], self.position.options.size(self.player))
        for place, move in self.targets().items():
            text = notation.write(move)
            yield Widget(text, squares[place], plays(text), style="drawn")

    # what is shown

    def paint(self, c: Canvas, box: Rect, t: Texts) -> None:
        """The hill with the proposal, and the tiles that were brought."""
        hill, tray, _ = self.places(c, box)
        covered = self.position.covered[self.player]
        paint.hill(c, hill, self.position.options.plan(self.player), covered)
        squares = pyramid(hill, self.position.options.size(self.player))
        targets, proposed = self.targets(), self.proposed()
        for place in proposed:
            self._paint_proposed(c, squares[place], place)
        for place in targets:
            if place not in proposed:
                c.frame(inset(squares[place], c.px(3)), INK, 2, radius=9)
        self._paint_tray(c, tray, t)

    def _paint_proposed(self, c: Canvas, square: Rect, place: Place) -> None:
        """A tile to be laid looks like one, with a plus on it; one to be paid has a cross."""
        if self.paying:
            c.frame(square, WARN, 4, radius=9)
            sign = Rect(0, 0, c.px(26), c.px(26))
            sign.center = (square.right - c.px(8), square.y + c.px(8))
            c.card(sign, WARN, radius=13, shade=False)
            c.icon("cross", inset(sign, c.px(4)), TABLE_EDGE)
            return
        paint.tile(c, inset(square, c.px(3)), colour_of(self.position.options.plan(self.player), place))
        c.frame(square, BAU, 4, radius=9)

    def _paint_tray(self, c: Canvas, box: Rect, t: Texts) -> None:
        """The tiles to be laid; those that have to be fetched first show the container."""
        head = Rect(box.x, box.y, box.width, c.px(30))
        title = t(mark("One tile of the hill goes back")) if self.paying else t(mark("Brought home"))
        c.text(title, head, 22, colour=FAINT)
        room = Rect(box.x, head.bottom + c.px(4), box.width, box.bottom - head.bottom - c.px(4))
        squares = _rows(room, len(self.tiles), c.px(50), c.px(6))
        for square, colour, drawn in zip(squares, self.tiles, self.drawn, strict=True):
            paint.tile(c, square, colour)
            if drawn:
                sign = Rect(square.right - c.px(18), square.bottom - c.px(18), c.px(22), c.px(22))
                c.card(sign, TABLE_EDGE, radius=6, shade=False)
                c.icon("crate", inset(sign, c.px(2)), INK)


def _rows(box: Rect, count: int, most: int, gap: int) -> list[Rect]:
    """Squares in rows, from the left, at most so large, in the middle of a box."""
    side = most
    while side > 8 and (box.width // (side + gap)) * (box.height // (side + gap)) < count:
        side -= 2
    per_row = max(1, min(count, box.width // (side + gap)))
    lines = -(-count // per_row)
    left = box.centerx - (per_row * (side + gap) - gap) // 2
    top = box.centery - (lines * (side + gap) - gap) // 2
    return [
        Rect(left + i % per_row * (side + gap), top + i // per_row * (side + gap), side, side)
        for i in range(count)
    ]
