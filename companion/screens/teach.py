"""Which dice are taught: those without pips of the games, one card each."""

from collections.abc import Callable, Iterator, Sequence

from pygame import Rect

from companion.events import Sound
from companion.games import parts
from companion.language import Message, mark
from companion.screens.base import Context, DieKind, Go, Screen, Step, Widget
from companion.screens.canvas import Canvas, grid, inset
from companion.screens.lesson import LessonScreen
from companion.screens.stage import body
from companion.screens.theme import CARD, FAINT, INK, LINE, NEUTRAL, WARN


def kinds() -> list[DieKind]:
    """The dice of all games that have to be taught."""
    found = [each.kind.die_kind for part in parts("screen") for each in part.ENTRIES if each.kind]
    return list({kind.name: kind for kind in found if kind}.values())


class TeachScreen(Screen):
    """A card a kind of dice: what is on it, whether it is known; teach it, teach it again, forget it."""

    title = mark("Teach dice")
    accent = NEUTRAL

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.kinds = kinds()
        self.asking = ""  # which one is to be forgotten, if that is touched once more
        self.trouble: Message | None = None

    def _opens(self, kind: DieKind) -> Callable[[], Iterator[Step]]:
        def act() -> Iterator[Step]:
            self.asking, self.trouble = "", None
            yield Go(LessonScreen(self.context, kind))

        return act

    def _forgets(self, kind: DieKind) -> Callable[[], Iterator[Step]]:
        def act() -> Iterator[Step]:
            if self.asking != kind.name:
                self.asking = kind.name
                yield Sound("press")
                return
            self.asking = ""
            try:
                self.context.box.forget(kind.name)
            except OSError as error:
                fields = {"reason": error.strerror or str(error)}
                self.trouble = Message(mark("It could not be forgotten: {reason}"), fields)
                yield Sound("refused")
                return
            yield Sound("press")

        return act

    # where things are

    def _cards(self, c: Canvas) -> list[Rect]:
        area, gap = inset(body(c), c.px(14)), c.px(12)
        area = Rect(area.x, area.y + c.px(62), area.width, area.height - c.px(62))
        count = len(self.kinds)
        if c.portrait:
            high = min((area.height - gap * (count - 1)) // count, c.px(340))
            return [Rect(area.x, area.y + i * (high + gap), area.width, high) for i in range(count)]
        wide = (area.width - gap * (count - 1)) // count
        return [Rect(area.x + i * (wide + gap), area.y, wide, area.height) for i in range(count)]

    def _buttons(self, c: Canvas, card: Rect) -> tuple[Rect, Rect]:
        row = Rect(card.x + c.px(12), card.bottom - c.px(96), card.width - c.px(24), c.px(84))
        wide = (row.width - c.px(10)) * 6 // 10
        return Rect(row.x, row.y, wide, row.height), Rect(
            row.x + wide + c.px(10), row.y, row.width - wide - c.px(10), row.height
        )

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Teach; where something was taught, forget it."""
        found = []
        for kind, card in zip(self.kinds, self._cards(canvas), strict=True):
            teach, forget = self._buttons(canvas, card)
            if not self.context.box.file(kind.name).exists():
                teach = teach.union(forget)
                found.append(self._teach(kind, teach, "main"))
                continue
            found.append(self._teach(kind, teach, "plain"))
            sure = self.asking == kind.name
            words = self.context.t("Really?") if sure else self.context.t("Forget")
            found.append(Widget(f"forget-{kind.name}", forget, self._forgets(kind), label=words))
        return found

    def _teach(self, kind: DieKind, box: Rect, style: str) -> Widget:
        words = self.context.t("Teach it") if style == "main" else self.context.t("Teach again")
        act = self._opens(kind)
        return Widget(f"teach-{kind.name}", box, act, label=words, icon="teach", style=style)  # type: ignore[arg-type]

    # what is shown

    def paint(self, canvas: Canvas) -> None:
        """What teaching is for; the cards."""
        c, area = canvas, inset(body(canvas), canvas.px(14))
        head = Rect(area.x, area.y, area.width, c.px(54))
        if self.trouble:
            c.text(self.context.t.say(self.trouble), head, 24, colour=WARN)
        else:
            words = self.context.t("Dice without pips: show me each side once, and I read them from then on.")
            c.text(words, head, 24, colour=FAINT)
        for kind, card in zip(self.kinds, self._cards(c), strict=True):
            self._paint_card(c, kind, card)

    def _paint_card(self, c: Canvas, kind: DieKind, card: Rect) -> None:
        c.card(card, CARD, edge=LINE)
        teach, _ = self._buttons(c, card)
        title = Rect(card.x + c.px(12), card.y + c.px(8), card.width - c.px(24), c.px(48))
        c.text(self.context.t(kind.title), title, 28, face="title", colour=kind.accent)
        state = Rect(title.x, teach.y - c.px(46), title.width, c.px(38))
        room = Rect(title.x, title.bottom, title.width, state.y - title.bottom)
        for (face, _), box in zip(
            kind.faces, grid(room, len(kind.faces), c.px(14), most=c.px(84)), strict=True
        ):
            kind.paint(c, box, face)
        icon, words, colour = self._state(kind)
        c.icon(icon, Rect(state.x, state.y, state.height, state.height), colour)
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
        return "help", t("I do not know it yet"), FAINT
