"""How the machine is switched off, so that nobody has to pull its plug."""

from collections.abc import Iterator, Sequence

from pygame import Rect

from companion.events import Leave, Sound, SwitchOff
from companion.language import Message, mark
from companion.screens.base import Back, Context, Step, Widget
from companion.screens.canvas import Canvas
from companion.screens.pause import Overlay


class PowerScreen(Overlay):
    """Off, or stay; or away from the screen, where nobody has a keyboard for that."""

    title = mark("Switch off?")

    def __init__(self, context: Context) -> None:
        super().__init__(context, None)

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Stay, with the sign of a game that goes on; to the desktop, where there is one; off."""
        t, plate, gap, high = self.context.t, self.plate(canvas), canvas.px(12), canvas.px(96)
        count = 3 if self.context.desktop else 2
        wide = (plate.width - gap) // count - gap
        first = Rect(plate.x + gap, plate.bottom - gap - high, wide, high)
        places = [first.move(number * (wide + gap), 0) for number in range(count)]
        found = [
            Widget("stay", places[0], self.close, label=t("Stay"), icon="play"),
            Widget("off", places[-1], self._off, label=t("Switch off"), icon="power", style="main"),
        ]
        if self.context.desktop:
            found.insert(1, Widget("leave", places[1], self._leave, label=t("To the desktop"), icon="back"))
        return found

    def _off(self) -> Iterator[Step]:
        yield Sound("press")
        yield SwitchOff()
        yield Back()

    def _leave(self) -> Iterator[Step]:
        yield Sound("press")
        yield Leave()

    @property
    def _fate(self) -> Message:
        """What becomes of what was played."""
        table = self.context.table
        if table.hindrance:
            return Message(
                mark(
                    "The store could not be opened: what was played since the start is lost when it is"
                    " switched off. Write down what is to be kept."
                )
            )
        if table.trouble:
            text = mark(
                "{why} See to that first: what was played since then is lost when it is switched off now."
            )
            return Message(text, {"why": table.trouble})
        return Message(mark("Nothing is lost: what is on the table goes on next time."))

    def paint(self, canvas: Canvas) -> None:
        """What becomes of the game, and when the plug may be pulled."""
        super().paint(canvas)
        c, plate = canvas, self.plate(canvas)
        top = plate.y + c.px(60)
        box = Rect(plate.x + c.px(24), top, plate.width - c.px(48), plate.bottom - c.px(120) - top)
        words = (
            self.context.t.say(self._fate),
            self.context.t(
                "Pull the plug only when the screen is dark and the green light has stopped blinking."
            ),
        )
        half = box.height // 2
        for number, text in enumerate(words):
            c.text(text, Rect(box.x, box.y + number * half, box.width, half), 26)
