"""A hill, large, where tiles are laid and paid by touch. What is proposed needs one touch."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from pygame import Rect

from companion.games.bau_boom import notation, paint, plan
from companion.games.bau_boom.hill import COLOURS, Colour, Place, colour_of
from companion.games.bau_boom.layout import pyramid
from companion.games.bau_boom.position import Lay, Move, Position, Remove, What
from companion.language import Texts, mark
from companion.screens.base import Act, Widget
from companion.screens.canvas import Canvas, inset
from companion.screens.theme import BAU, FAINT, INK, WARN

_TITLES: dict[What, str] = {
    "build": mark("Brought home"),
    "pay": mark("One tile of the hill goes back"),
    "tile": mark("From the trail"),
    "drawn": mark("From the container"),
}
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

    @property
    def _moves(self) -> tuple[Move, ...]:
        """What is proposed."""
        if self.position.due.what in ("build", "pay"):
            return plan.accepting(self.position)
        return (self.best(),)

    def proposed(self) -> list[Place]:
        """The places that the proposal fills."""
        return [move.place for move in self._moves if isinstance(move, Lay)]

    def given_up(self) -> list[Place]:
        """The places that it pays from."""
        return [move.place for move in self._moves if isinstance(move, Remove)]

    def brought(self) -> list[tuple[Colour, bool, bool]]:
        """The tiles, colour by colour: whether it lays each one, and whether that was drawn. It lays those
        that were collected first, as the rules do.
        """
        to_lay, found = Counter(move.colour for move in self._moves if isinstance(move, Lay)), []
        for number in self._order:
            colour = self.tiles[number]
            found.append((colour, to_lay[colour] > 0, self.drawn[number]))
            to_lay[colour] -= 1
        return found

    @property
    def _order(self) -> list[int]:
        """The numbers of the tiles as they are shown."""
        return sorted(range(len(self.tiles)), key=lambda number: COLOURS.index(self.tiles[number]))

    @property
    def _fetches(self) -> bool:
        """Whether any tile has to be taken from the container first."""
        return any(laid and drawn for _, laid, drawn in self.brought())

    def best(self) -> Lay:
        """The best place for a single tile."""
        colour = next(move.colour for move in self.legal if isinstance(move, Lay))
        covered = self.position.covered[self.player]
        return plan.proposal(self.position.options.plan(self.player), covered, (colour,))[0]

    # where things are

    def places(self, c: Canvas, box: Rect) -> tuple[Rect, Rect, Rect]:
        """The hill, the tiles, the buttons."""
        gap = c.px(12)
        if c.portrait:
            hill = Rect(box.x, box.y, box.width, box.height * 47 // 100)
            tray = Rect(box.x, hill.bottom + gap, box.width, box.height * 24 // 100)
            return hill, tray, Rect(box.x, tray.bottom + gap, box.width, box.bottom - tray.bottom - gap)
        hill = Rect(box.x, box.y, box.width * 50 // 100, box.height)
        rest = Rect(hill.right + gap, box.y, box.right - hill.right - gap, box.height)
        low = c.px(92)
        buttons = Rect(rest.x, rest.bottom - low, rest.width, low)
        return hill, Rect(rest.x, rest.y, rest.width, rest.height - low - gap), buttons

    def squares(self, c: Canvas, box: Rect) -> dict[int, Rect]:
        """Where each of the tiles lies."""
        tray, line = self.places(c, box)[1], c.px(30)
        high = tray.height - line * (2 if self._fetches else 1)
        room = Rect(tray.x, tray.y + line, tray.width, high)
        return dict(zip(self._order, _rows(room, len(self.tiles), c.px(50), c.px(6)), strict=True))

    def widgets(self, c: Canvas, box: Rect, plays: PlaysText) -> Iterator[Widget]:
        """Every place; one that no tile may be laid on or paid from says why not."""
        squares = pyramid(self.places(c, box)[0], self.position.options.size(self.player))
        targets, plan = self.targets(), self.position.options.plan(self.player)
        for place, square in squares.items():
            colour = colour_of(plan, place)
            assert colour is not None
            text = notation.write(Remove(place) if self.paying else Lay(colour, place))
            mute = place not in targets
            yield Widget(text, square, plays(text), style="drawn", by_finger=mute, means=mute)

    # what is shown

    def paint(self, c: Canvas, box: Rect, t: Texts) -> None:
        """The hill with the proposal, and the tiles that were brought."""
        hill, tray, _ = self.places(c, box)
        covered = self.position.covered[self.player]
        paint.hill(c, hill, self.position.options.plan(self.player), covered)
        squares = pyramid(hill, self.position.options.size(self.player))
        proposed, given_up = self.proposed(), self.given_up()
        for place in proposed:
            colour = colour_of(self.position.options.plan(self.player), place)
            paint.tile(c, inset(squares[place], c.px(3)), colour)
            c.frame(squares[place], BAU, 4, radius=9)
        for place in given_up:
            c.frame(squares[place], WARN, 4, radius=9)
            paint.flag(c, squares[place], "cross", WARN)
        for place in self.targets():
            if place not in (*proposed, *given_up):
                c.frame(inset(squares[place], c.px(3)), INK, 2, radius=9)
        self._paint_tray(c, tray, self.squares(c, box).values(), t)

    def _paint_tray(self, c: Canvas, box: Rect, squares: Iterable[Rect], t: Texts) -> None:
        """The tiles to be laid: those to fetch from the container first, and those that are left over. What
        was drawn and is left over stays there.
        """
        line = c.px(30)
        title = t(_TITLES[self.position.due.what])
        c.text(title, Rect(box.x, box.y, box.width, line), 22, colour=FAINT)
        for square, (colour, laid, drawn) in zip(squares, self.brought(), strict=True):
            paint.tile(c, square, colour)
            if not laid:
                paint.flag(c, square, "cross", WARN)
            elif drawn:
                paint.to_fetch(c, square)
        if self._fetches:
            paint.legend(c, Rect(box.x, box.bottom - line, box.width, line), t(paint.FETCH))


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
