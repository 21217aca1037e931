"""What is wrong with the configuration, on the screen of a machine that has no keyboard to ask."""

from collections.abc import Iterator, Sequence

from pygame import Rect

from companion.events import Proceed, Restart
from companion.language import mark
from companion.screens.base import Context, Screen, Step, Widget
from companion.screens.canvas import Canvas, inset
from companion.screens.pages import Pages
from companion.screens.stage import body
from companion.screens.theme import CARD, WARN

ROW = 88  # units that a mistake takes


class ProblemsScreen(Screen):
    """Every mistake with its file and line; "Again" reads the files once more, "Play anyway" does without
    what is wrong in them.
    """

    title = mark("The configuration has mistakes")
    accent = WARN
    audible = False

    def __init__(self, context: Context, lines: Sequence[str]) -> None:
        super().__init__(context)
        self.lines = lines
        self.pages = Pages()

    def _places(self, c: Canvas) -> tuple[Rect, Rect]:
        """The plate of the mistakes, and the strip below it."""
        area = inset(body(c), c.px(14))
        foot = Rect(area.x, area.bottom - c.px(80), area.width, c.px(80))
        return Rect(area.x, area.y, area.width, foot.y - c.px(14) - area.y), foot

    def _pages(self, c: Canvas) -> list[Sequence[str]]:
        """The mistakes of each page."""
        count = inset(self._places(c)[0], c.px(12)).height // c.px(ROW)
        return [self.lines[i : i + count] for i in range(0, len(self.lines), count)]

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """The two ways on; to the other mistakes."""
        c, t, foot, side, gap = canvas, self.context.t, self._places(canvas)[1], canvas.px(80), canvas.px(14)
        width = min(c.px(260), (foot.width - 2 * side - 3 * gap) // 2)
        box = Rect(foot.centerx - gap // 2 - width, foot.y, width, foot.height)
        other = box.move(width + gap, 0)
        up, down = Rect(foot.x, foot.y, side, side), Rect(foot.right - side, foot.y, side, side)
        again = Widget("again", box, self._again, label=t("Again"), icon="again", style="main")
        anyway = Widget("anyway", other, self._anyway, label=t("Play anyway"), icon="play")
        return [again, anyway, *self.pages.widgets(len(self._pages(c)), up, down)]

    def _again(self) -> Iterator[Step]:
        yield Restart()

    def _anyway(self) -> Iterator[Step]:
        yield Proceed()

    def paint(self, canvas: Canvas) -> None:
        """The mistakes of this page, one below the other."""
        plate, _ = self._places(canvas)
        canvas.card(plate, CARD)
        room, high = inset(plate, canvas.px(12)), canvas.px(ROW)
        for number, line in enumerate(self.pages.of(self._pages(canvas))):
            row = Rect(room.x, room.y + number * high, room.width, high - canvas.px(6))
            canvas.text(line, row, 22, align="left")
