"""Which dice are taught: those without pips of the games, and any of one's own; one card each."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Literal

from pygame import Rect

from companion import troubles
from companion.events import Sound
from companion.language import Message, mark, reason
from companion.screens import die_kinds
from companion.screens.base import Context, DieKind, Screen, Step, Widget
from companion.screens.canvas import Canvas, grid, inset
from companion.screens.lesson import lesson
from companion.screens.pages import Pages
from companion.screens.stage import body
from companion.screens.theme import CARD, FAINT, INK, LINE, WARN

ON_PAGE = 2  # cards


class TeachScreen(Screen):
    """A card a kind of dice: what is on it, whether it is known; teach it, teach it again, forget it."""

    title = mark("Teach dice")

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.pages = Pages(self._asks_no_more)
        self.asking = ""  # which one is to be forgotten, if that is touched once more
        self.trouble: Message | None = None

    @property
    def _all(self) -> list[DieKind]:
        """All dice that have a card."""
        return [*die_kinds.kinds(self.context.box), *die_kinds.begun(self.context.box)]

    @property
    def _pages(self) -> list[list[DieKind]]:
        """The dice of each page."""
        kinds = self._all
        return [kinds[i : i + ON_PAGE] for i in range(0, len(kinds), ON_PAGE)]

    @property
    def kinds(self) -> list[DieKind]:
        """The dice of this page."""
        return self.pages.of(self._pages)

    def _asks_no_more(self) -> None:
        self.asking = ""

    def _adds(self) -> Iterator[Step]:
        """Teach a die that nobody has named: its card will be the last one."""
        if sum(kind.own for kind in self._all) >= die_kinds.MOST:
            fields = {"count": die_kinds.MOST}
            self.trouble = Message(die_kinds.ENOUGH, fields)
            yield Sound("refused")
            return
        self.asking, self.trouble = "", None
        self.pages.number = len(self._all) // ON_PAGE
        yield from self._teaches(die_kinds.new_die())

    def _teaches(self, kind: DieKind) -> Iterator[Step]:
        """Show its faces, if there is room for it afterwards."""
        self.asking, self.trouble = "", None
        yield from lesson(self, kind)

    def _forgets(self, kind: DieKind) -> Iterator[Step]:
        if self.asking != kind.name:
            self.asking = kind.name
            yield Sound("press")
            return
        self.asking, self.trouble = "", None
        try:
            self.context.box.forget(kind.name)
        except OSError as error:
            fields = {"reason": reason(error)}
            self.trouble = Message(mark("It could not be forgotten: {reason}"), fields)
            yield Sound("refused")
            return
        yield Sound("press")

    # where things are

    def _head(self, c: Canvas) -> tuple[Rect, Rect]:
        """The words, and the button for a die of one's own."""
        area = inset(body(c), c.px(14))
        wide, high = (c.px(190), c.px(100)) if c.portrait else (c.px(230), c.px(60))
        words = Rect(area.x, area.y, area.width - wide - c.px(10), high)
        return words, Rect(area.right - wide, area.y, wide, high)

    def _cards(self, c: Canvas) -> tuple[list[Rect], Rect]:
        """Where the cards lie, and, where there are more pages, the signs that lead there."""
        area, gap = inset(body(c), c.px(14)), c.px(12)
        top = self._head(c)[0].bottom + c.px(10)
        area = Rect(area.x, top, area.width, area.bottom - top)
        side = c.px(64) if len(self._pages) > 1 else 0
        strip = Rect(area.right - side, area.y, side, area.height)
        wide = area.width - (side + gap if side else 0)
        if c.portrait:
            high = min((area.height - gap) // ON_PAGE, c.px(340))
            found = [Rect(area.x, area.y + i * (high + gap), wide, high) for i in range(ON_PAGE)]
        else:
            half = (wide - gap) // ON_PAGE
            found = [Rect(area.x + i * (half + gap), area.y, half, area.height) for i in range(ON_PAGE)]
        return found[: len(self.kinds)], strip

    def _buttons(self, c: Canvas, card: Rect) -> tuple[Rect, Rect]:
        row = Rect(card.x + c.px(12), card.bottom - c.px(96), card.width - c.px(24), c.px(84))
        wide = (row.width - c.px(10)) * 6 // 10
        return Rect(row.x, row.y, wide, row.height), Rect(
            row.x + wide + c.px(10), row.y, row.width - wide - c.px(10), row.height
        )

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Teach; where something was taught or begun, forget it; the other pages; a die more."""
        found, (cards, strip) = list[Widget](), self._cards(canvas)
        for kind, card in zip(self.kinds, cards, strict=True):
            teach, forget = self._buttons(canvas, card)
            known = kind.name in self.context.box.names()
            style: Literal["plain", "main"] = "plain" if known else "main"
            if not known and not (kind.own and self._is_begun(kind)):
                found.append(self._teach(kind, teach.union(forget), style))
                continue
            found.append(self._teach(kind, teach, style))
            sure = self.asking == kind.name
            words = self.context.t("Really?") if sure else self.context.t("Forget")
            found.append(
                Widget(f"forget-{kind.name}", forget, partial(self._forgets, kind), label=words, means=sure)
            )
        side = strip.width
        up, down = Rect(strip.topleft, (side, side)), Rect(strip.x, strip.bottom - side, side, side)
        found += self.pages.widgets(len(self._pages), up, down)
        words = self.context.t(die_kinds.OWN_DIE)
        return [*found, Widget("add", self._head(canvas)[1], self._adds, label=words, icon="teach")]

    def _is_begun(self, kind: DieKind) -> bool:
        return kind.name in self.context.box.lessons.names()

    def _teach(self, kind: DieKind, box: Rect, style: Literal["plain", "main"]) -> Widget:
        words = self.context.t("Teach it") if style == "main" else self.context.t("Teach again")
        act = partial(self._teaches, kind)
        return Widget(f"teach-{kind.name}", box, act, label=words, icon="teach", style=style)

    # what is shown

    def paint(self, canvas: Canvas) -> None:
        """What teaching is for; the cards."""
        c, head, (cards, strip) = canvas, self._head(canvas)[0], self._cards(canvas)
        box, trouble = self.context.box, self.trouble
        if box.refusal and not trouble:
            trouble = troubles.dice_unread(box.refusal, box.folder)
        if trouble:
            c.text(self.context.t.say(trouble), head, 24, colour=WARN)
        else:
            words = self.context.t("Dice without pips: show me each side once, and I read them from then on.")
            c.text(words, head, 24, colour=FAINT)
        for kind, card in zip(self.kinds, cards, strict=True):
            self._paint_card(c, kind, card)
        number = Rect(strip.x, strip.centery - c.px(20), strip.width, c.px(40))
        self.pages.paint(c, number, len(self._pages))

    def _paint_card(self, c: Canvas, kind: DieKind, card: Rect) -> None:
        c.card(card, CARD, edge=LINE)
        teach, _ = self._buttons(c, card)
        title = Rect(card.x + c.px(12), card.y + c.px(8), card.width - c.px(24), c.px(48))
        c.text(self.context.t(kind.title), title, 28, face="title", colour=kind.accent)
        state = Rect(title.x, teach.y - c.px(54), title.width, c.px(50))
        room = Rect(title.x, title.bottom, title.width, state.y - title.bottom)
        for (face, _), box in zip(
            kind.faces, grid(room, len(kind.faces), c.px(14), most=c.px(84)), strict=True
        ):
            kind.paint(c, box, face)
        icon, words, colour = self._state(kind)
        c.icon(icon, Rect(state.x, state.y, c.px(38), state.height), colour)
        rest = Rect(state.x + c.px(46), state.y, state.width - c.px(46), state.height)
        c.text(words, rest, 24, align="left", colour=colour)

    def _state(self, kind: DieKind) -> tuple[str, str, tuple[int, int, int]]:
        """Whether it is known, in a sign and in words."""
        t, box = self.context.t, self.context.box
        if kind.taught(box):
            return "ok", t("I know it"), INK
        if box.damaged(kind.name):
            return "warning", t("Its file is damaged: teach it again"), WARN
        if box.get(kind.name):
            return "warning", t("It was taught with other sides"), WARN
        if self._is_begun(kind):
            return "help", t("Begun, and not finished yet"), FAINT
        return "help", t("I do not know it yet"), FAINT
