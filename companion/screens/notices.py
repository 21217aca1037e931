"""What has gone wrong, in words: all that has not been read yet."""

from collections.abc import Iterator, Sequence
from functools import partial

from pygame import Rect

from companion.events import Dismiss, Event, Sound
from companion.language import Message
from companion.screens.base import Back, Screen, Step, Widget
from companion.screens.canvas import Canvas, centred
from companion.screens.theme import CARD, FAINT, LINE, WARN

MOST = 4  # notices that are shown at once
ROW = 92  # units


class NoticesScreen(Screen):
    """A touch on a notice says that it has been read."""

    overlay = True
    accent = WARN

    @property
    def _told(self) -> tuple[Message, ...]:
        return self.context.notices[:MOST]

    def handle(self, event: Event) -> Iterator[Step]:
        """What is no longer so goes by itself; with the last one, the list."""
        if not self.context.notices:
            yield Back()

    def _plate(self, c: Canvas) -> Rect:
        more = c.px(34) if len(self.context.notices) > MOST else 0
        high = c.px(20) + len(self._told) * c.px(ROW) + more
        return centred(c.rect.center, min(c.width - c.px(24), c.px(740)), high)

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Every notice."""
        plate, high = self._plate(canvas), canvas.px(ROW)
        return [
            Widget(
                f"notice-{i}",
                Rect(plate.x + canvas.px(10), plate.y + canvas.px(10) + i * high, plate.width - canvas.px(20),
                     high - canvas.px(8)),
                partial(self._reads, notice),
                style="drawn",
                means=notice,
            )
            for i, notice in enumerate(self._told)
        ]  # fmt: skip

    def _reads(self, notice: Message) -> Iterator[Step]:
        yield Dismiss(notice)
        yield Sound("press")
        if len(self.context.notices) == 1:
            yield Back()

    def paint(self, canvas: Canvas) -> None:
        """The notices; if they are too many, how many there are besides."""
        c, plate = canvas, self._plate(canvas)
        c.card(plate, CARD, edge=WARN)
        for widget, notice in zip(self.widgets(c), self._told, strict=True):
            show(c, widget.rect, self.context.t.say(notice))
            cross = Rect(widget.rect.right - c.px(44), widget.rect.centery - c.px(14), c.px(28), c.px(28))
            c.icon("cross", cross, FAINT)
        if len(self.context.notices) > MOST:
            words = self.context.t("Further notices: {count}", count=len(self.context.notices) - MOST)
            c.text(words, Rect(plate.x, plate.bottom - c.px(40), plate.width, c.px(32)), 22, colour=FAINT)


def show(c: Canvas, box: Rect, words: str) -> None:
    """A notice on a plate of its own, with its sign."""
    c.card(box, CARD, radius=8, edge=LINE, shade=False)
    side = c.px(32)
    c.icon("warning", Rect(box.x + c.px(10), box.centery - side // 2, side, side), WARN)
    room = Rect(box.x + c.px(52), box.y + c.px(4), box.width - c.px(104), box.height - c.px(8))
    c.text(words, room, 22, align="left")
