"""One touch says what a die really shows."""

from collections.abc import Callable, Iterator, Sequence

from pygame import Rect

from companion.events import Say, Sound
from companion.screens.base import Back, Context, Screen, Step, Widget
from companion.screens.canvas import Canvas, inset
from companion.screens.theme import CARD, LINE, STOPPER
from companion.throwlog import LoggedThrow


class FacePicker(Screen):
    """What a die really shows: one touch corrects it. Without a die, the face of one that was not seen."""

    overlay = True
    accent = STOPPER

    def __init__(self, context: Context, throw: LoggedThrow | None, index: int | None) -> None:
        super().__init__(context)
        self.throw, self.index = throw, index
        self.die = throw.dice[index] if throw and index is not None else None

    def _plate(self, c: Canvas) -> Rect:
        plate = Rect(0, 0, c.px(440), c.px(450 if self.die else 366))
        plate.center = c.rect.center
        return plate

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Six faces, and "no die" for something that is none."""
        plate = self._plate(canvas)
        faces = Rect(
            plate.x + canvas.px(16), plate.y + canvas.px(62), plate.width - canvas.px(32), canvas.px(290)
        )
        found = [
            Widget(f"face-{i + 1}", place, self._choose(i + 1), style="drawn")
            for i, place in enumerate(_rows_of_three(faces))
        ]
        if self.die:
            box = Rect(
                plate.x + canvas.px(16),
                plate.bottom - canvas.px(90),
                plate.width - canvas.px(32),
                canvas.px(78),
            )
            found.append(
                Widget(
                    "none", box, self._choose(None), label=self.context.t("This is not a die"), icon="cross"
                )
            )
        return found

    def _choose(self, face: int | None) -> Callable[[], Iterator[Step]]:
        def act() -> Iterator[Step]:
            log = self.context.table.log
            if self.throw and not log.holds(self.throw):  # the eye has read it anew meanwhile: look again
                yield Back()
                yield Sound("refused")
                return
            if self.throw and self.index is not None:
                log.correct(self.throw, self.index, face)
            elif face:
                log.add(self.throw, face)
            yield Back()
            yield Sound("press")
            yield Say("corrected")

        return act

    def paint(self, canvas: Canvas) -> None:
        """The question and the six faces."""
        plate = self._plate(canvas)
        canvas.card(plate, CARD, edge=LINE)
        question = (
            self.context.t("What does this die show?")
            if self.die
            else self.context.t("What does the missing die show?")
        )
        canvas.text(
            question,
            Rect(plate.x + canvas.px(12), plate.y + canvas.px(8), plate.width - canvas.px(24), canvas.px(48)),
            28,
            face="bold",
        )
        for widget in self.widgets(canvas)[:6]:
            face = int(widget.key[-1])
            canvas.die(inset(widget.rect, canvas.px(6)), face, self.die.colour if self.die else "white")
            if self.die and face == self.die.face:
                canvas.frame(widget.rect, STOPPER, 4)
            elif self.throw and self.index is not None and face == self.throw.doubts.get(self.index):
                canvas.frame(widget.rect, LINE, 3)


def _rows_of_three(box: Rect) -> list[Rect]:
    wide, high = box.width // 3, box.height // 2
    return [Rect(box.x + i % 3 * wide, box.y + i // 3 * high, wide, high) for i in range(6)]
