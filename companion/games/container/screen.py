"""The container alone: how many tiles are inside, and what is known of their colours."""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

import pygame
from pygame import Rect, Surface

from companion.events import Sound
from companion.games.container import notation
from companion.games.container.book import BOOK
from companion.games.container.guide import GUIDE
from companion.games.container.rules import (
    COLOURS,
    TRAIL,
    Back,
    Colour,
    Deal,
    Hide,
    Move,
    Open,
    Position,
    legal,
)
from companion.games.rulebook import Awaited
from companion.language import Message, mark
from companion.screens import art, tiles
from companion.screens.base import Home, Step, Widget
from companion.screens.canvas import Canvas, inset
from companion.screens.entry import entry
from companion.screens.game import GameScreen
from companion.screens.terms import Prompt
from companion.screens.theme import BAU, CARD, FAINT, INK, LINE, mixed


@lru_cache(maxsize=4)
def unseen(side: int) -> Surface:
    """A tile of which nobody has seen the colour: a question on its back."""

    def draw(s: Surface) -> None:
        tiles.plate(s, tiles.BACK)
        Canvas(s).text("?", s.get_rect(), 420, face="title", colour=tiles.ANT)

    return art.crisp((side, side), draw)


def tile(colour: Colour | None, side: int) -> Surface:
    """A tile that lies open, or, without a colour, one that nobody has seen."""
    return tiles.tile(colour, side) if colour else unseen(side)


class ContainerScreen(GameScreen):
    """One touch for every tile that leaves the container or comes back."""

    book = BOOK
    title = BOOK.title
    icon = "crate"
    accent = BAU
    asks = ""  # who draws what is seen on the table
    away = mark("Finish counting")
    guide = GUIDE

    @property
    def position(self) -> Position:
        """The position now."""
        position: Position = self.match.position
        return position

    @property
    def _told(self) -> bool:
        return self.position.options.trail == "told"

    @property
    def laid(self) -> list[int]:
        """How many tiles of each kind lie on the trail, as far as it has been told."""
        count = len(COLOURS) if self._told else 1
        told = [int(word) for word in self.game.draft.split() if word.isdigit()]
        return told if len(told) == count else [TRAIL // count + (i < TRAIL % count) for i in range(count)]

    def tell(self, laid: Sequence[int]) -> None:
        """Take down how many lie there."""
        self.context.table.keep(" ".join(map(str, laid)))

    @property
    def counting(self) -> bool:
        """Whether the trail has been told."""
        return self.position.phase != "deal"

    def prompt(self) -> Prompt:
        """What is to be told."""
        if self.counting:
            return Prompt(Message("Tell me every tile that leaves or comes back"), None, "crate")
        return Prompt(Message("What lies on the trail?"), None, "crate")

    def deals(self, awaited: Awaited[Any]) -> bool:
        """People lay the trail out."""
        return False

    def after(self, text: str, before: Any) -> Iterator[Step]:
        """Out or in."""
        yield Sound("draw" if isinstance(notation.parse(text), Open | Hide) else "tile")

    def reopen(self, text: str) -> None:
        """What lies on the trail is corrected, and not told again."""
        move = notation.parse(text)
        if isinstance(move, Deal):
            self.tell(move.counts)

    def end(self) -> Iterator[Step]:
        """Nobody wins here."""
        yield Home()
        self.context.table.put_aside()

    def aside(self) -> Iterator[Step]:
        """Who is done with the container does not come back to it."""
        yield from self.play("end")
        yield from self.end()

    # touching

    def _steps(self, kind: int, by: int) -> Iterator[Step]:
        most = self.position.options.tiles[kind] if self._told else sum(self.position.options.tiles)
        laid = self.laid
        after = min(most, max(0, laid[kind] + by))
        yield Sound("count" if after != laid[kind] else "refused")
        self.tell([*laid[:kind], after, *laid[kind + 1 :]])

    def _lay(self) -> Iterator[Step]:
        yield from self.play(notation.write(Deal(tuple(self.laid))))

    # where things are

    def _columns(self, c: Canvas) -> list[Rect]:
        """A column for each colour, and one for what nobody has seen."""
        area, gap = inset(self.area(c), c.px(10)), c.px(8)
        head = c.px(150 if c.portrait else 120)
        box = Rect(area.x, area.y + head, area.width, area.height - head)
        count = len(COLOURS) + 1 if self.counting else len(self.laid)
        foot = 0 if self.counting else c.px(92)
        wide = min((box.width - gap * (count - 1)) // count, c.px(190))
        left = box.centerx - (count * wide + (count - 1) * gap) // 2
        return [Rect(left + i * (wide + gap), box.y, wide, box.height - foot) for i in range(count)]

    @staticmethod
    def _buttons(c: Canvas, column: Rect) -> tuple[Rect, Rect]:
        """Out and back, one below the other where that is narrow."""
        gap, high = c.px(8), c.px(78)
        if column.width >= c.px(2 * 48 + 8):
            half = (column.width - gap) // 2
            out = Rect(column.x, column.bottom - high, half, high)
            return out, Rect(column.right - half, out.y, half, high)
        out = Rect(column.x, column.bottom - 2 * high - gap, column.width, high)
        return out, out.move(0, high + gap)

    def board(self, canvas: Canvas) -> Sequence[Widget]:
        """Minus and plus for each colour and for what was not seen; or the numbers of the trail."""
        if not self.counting:
            return list(self._laying(canvas))
        possible = legal(self.position)
        found = []
        for colour, column in zip((*COLOURS, None), self._columns(canvas), strict=True):
            out, back = self._buttons(canvas, column)
            drawn: Move = Open(colour) if colour else Hide()
            for move, box, icon in ((drawn, out, "minus"), (Back(colour), back, "plus")):
                if move in possible:
                    text = notation.write(move)
                    found.append(Widget(f"tell {text}", box, self.plays(text), icon=icon))
        return found

    def _laying(self, c: Canvas) -> Iterator[Widget]:
        area = inset(self.area(c), c.px(10))
        for kind, column in enumerate(self._columns(c)):
            less, more = self._buttons(c, column)
            yield Widget(f"less-{kind}", less, partial(self._steps, kind, -1), icon="minus")
            yield Widget(f"more-{kind}", more, partial(self._steps, kind, 1), icon="plus")
        box = Rect(area.x, area.bottom - c.px(80), area.width, c.px(80))
        label = self.context.t("These {count} lie on the trail", count=sum(self.laid))
        yield Widget("lay", box, self._lay, label=label, icon="ok", style="main")

    # what is shown

    def paint_board(self, canvas: Canvas) -> None:
        """The large number, and below it the colours."""
        c, area = canvas, inset(self.area(canvas), canvas.px(10))
        head = Rect(area.x, area.y, area.width, c.px(140 if c.portrait else 110))
        inside = self.position.inside if self.counting else sum(self.position.options.tiles) - sum(self.laid)
        wide = c.text_width(str(inside), head, 110, face="title")
        side = c.px(84)
        left = head.centerx - (side + c.px(18) + wide) // 2
        c.icon("crate", Rect(left, head.centery - side // 2, side, side), self.accent)
        c.text(str(inside), Rect(left + side + c.px(18), head.y, wide + 4, head.height), 110, face="title")
        for i, column in enumerate(self._columns(c)):
            self._paint_column(c, column, i)

    def _paint_column(self, c: Canvas, column: Rect, number: int) -> None:
        out, _ = self._buttons(c, column)
        plate = Rect(column.x, column.y, column.width, out.y - c.px(8) - column.y)
        c.card(plate, CARD, shade=False)
        colour = COLOURS[number] if number < len(COLOURS) and (self.counting or self._told) else None
        if not self.counting:
            self._paint_laid(c, plate, colour, self.laid[number])
            return
        side = min(c.px(52), plate.height // 2, plate.width - c.px(10))
        c.surface.blit(tile(colour, side), (plate.centerx - side // 2, plate.y + c.px(8)))
        words = Rect(plate.x, plate.y + side + c.px(10), plate.width, plate.height - side - c.px(26))
        if colour:
            self._paint_span(c, plate, words, colour)
        else:
            c.text(self.context.t("unseen"), words, 26, colour=FAINT)

    def _paint_laid(self, c: Canvas, plate: Rect, colour: Colour | None, count: int) -> None:
        """A tile and how many of its kind lie on the trail, beside or below it."""
        if plate.width > plate.height:
            half = Rect(plate.x, plate.y, plate.width // 2, plate.height)
            other = half.move(half.width, 0)
        else:
            half = Rect(plate.x, plate.y, plate.width, plate.height // 2)
            other = half.move(0, half.height)
        side = min(c.px(60), half.width - c.px(12), half.height - c.px(12))
        c.surface.blit(tile(colour, side), (half.centerx - side // 2, half.centery - side // 2))
        c.text(str(count), other, 52, face="title")

    def _paint_span(self, c: Canvas, plate: Rect, words: Rect, colour: Colour) -> None:
        """One number if it is certain, two if not, and a bar from none to all."""
        low, high = self.position.span(colour)
        text = str(low) if low == high else f"{low}–{high}"
        c.text(text, words, 52, face="title", colour=INK if low == high else FAINT)
        most = self.position.options.tiles[COLOURS.index(colour)]
        bar = Rect(plate.x + c.px(10), plate.bottom - c.px(14), plate.width - c.px(20), c.px(8))
        pygame.draw.rect(c.surface, c.look.tone(LINE), bar, border_radius=bar.height // 2)
        for count, shade in ((high, 0.5), (low, 1.0)):
            part = Rect(bar.x, bar.y, bar.width * count // max(1, most), bar.height)
            ink = mixed((0, 0, 0), tiles.BODY[colour], shade)
            pygame.draw.rect(c.surface, ink, part, border_radius=bar.height // 2)


ENTRIES = [entry(ContainerScreen, home=False)]
