"""How loud it is, from every screen."""

from collections.abc import Iterator, Sequence
from functools import partial

from pygame import Rect

from companion.config import VOLUME
from companion.events import Set, Sound
from companion.screens.base import Screen, Step, Widget
from companion.screens.canvas import Canvas, centred
from companion.screens.theme import CARD, INK, LINE, NEUTRAL


class VolumeScreen(Screen):
    """Softer, louder, and whether the voice speaks. What is set is heard at once."""

    overlay = True

    def _plate(self, c: Canvas) -> Rect:
        return centred(c.rect.center, c.px(440), c.px(270))

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Minus, plus, voice."""
        plate, side, gap = self._plate(canvas), canvas.px(96), canvas.px(18)
        top = plate.y + gap
        less = Rect(plate.x + gap, top, side, side)
        more = Rect(plate.right - gap - side, top, side, side)
        t, speaks = self.context.t, self.context.settings.voice
        words, sign = (t("The voice speaks"), "speech") if speaks else (t("The voice is silent"), "no-speech")
        voice = Rect(plate.x + gap, plate.bottom - gap - canvas.px(84), plate.width - 2 * gap, canvas.px(84))
        return [
            Widget("softer", less, partial(self._steps, -1), icon="minus"),
            Widget("louder", more, partial(self._steps, 1), icon="plus"),
            Widget("voice", voice, self._voice, label=words, icon=sign, means=speaks),
        ]

    def _steps(self, by: int) -> Iterator[Step]:
        before = self.context.settings.volume
        after = VOLUME.step(before, by, self.context.own.volume)
        if after != before:
            yield Set("volume", after)
        yield Sound("count" if after != before else "refused")

    def _voice(self) -> Iterator[Step]:
        yield Set("voice", not self.context.settings.voice)
        yield Sound("press")

    def paint(self, canvas: Canvas) -> None:
        """The percentage, with a bar."""
        plate, c, volume = self._plate(canvas), canvas, self.context.settings.volume
        c.card(plate, CARD, edge=LINE)
        middle = Rect(plate.x + c.px(130), plate.y + c.px(14), plate.width - c.px(260), c.px(76))
        c.text(self.context.t("{value} %", value=volume), middle, 56, face="title", colour=INK)
        bar = Rect(middle.x, middle.bottom + c.px(6), middle.width, c.px(14))
        c.card(bar, LINE, radius=7, shade=False)
        if volume:
            filled = Rect(bar.x, bar.y, max(c.px(14), bar.width * volume // 100), bar.height)
            c.card(filled, NEUTRAL, radius=7, shade=False)
