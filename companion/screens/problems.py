"""What is wrong with the configuration, on the screen of a machine that has no keyboard to ask."""

from collections.abc import Iterator, Sequence

from pygame import Rect

from companion.events import Restart
from companion.language import mark
from companion.screens.base import Context, Screen, Step, Widget
from companion.screens.canvas import Canvas, inset
from companion.screens.stage import body
from companion.screens.theme import CARD, WARN


class ProblemsScreen(Screen):
    """Every mistake with its file and line; "Try again" reads the files once more."""

    title = mark("The configuration has mistakes")
    accent = WARN
    audible = False

    def __init__(self, context: Context, lines: Sequence[str]) -> None:
        super().__init__(context)
        self.lines = lines

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """The only way on."""
        area = inset(body(canvas), canvas.px(14))
        box = Rect(area.centerx - canvas.px(130), area.bottom - canvas.px(80), canvas.px(260), canvas.px(80))
        return [
            Widget("again", box, self._again, label=self.context.t("Try again"), icon="again", style="main")
        ]

    def _again(self) -> Iterator[Step]:
        yield Restart()

    def paint(self, canvas: Canvas) -> None:
        """The mistakes, one below the other."""
        area = inset(body(canvas), canvas.px(14))
        plate = Rect(area.x, area.y, area.width, area.height - canvas.px(94))
        canvas.card(plate, CARD)
        canvas.text("\n".join(self.lines), inset(plate, canvas.px(12)), 22, align="left")
