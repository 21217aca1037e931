"""One touch says what a die really shows."""

import math
from collections.abc import Callable, Iterator, Sequence

from pygame import Rect

from companion.events import Say, Sound
from companion.eye.dice import Shown
from companion.screens.base import Back, Context, Screen, Step, Widget
from companion.screens.canvas import Canvas, inset
from companion.screens.die_kinds import paint_die, sides
from companion.screens.theme import CARD, LINE, STOPPER
from companion.throwlog import LoggedThrow

PIPS = (1, 2, 3, 4, 5, 6)


class FacePicker(Screen):
    """What a die really shows: one touch corrects it. Without a die, the face of one that was not seen."""

    overlay = True
    accent = STOPPER

    def __init__(self, context: Context, throw: LoggedThrow | None, index: int | None) -> None:
        super().__init__(context)
        self.throw, self.index = throw, index
        self.die = throw.dice[index] if throw and index is not None else None

        own = sides(context.box, self.die.face) if self.die and isinstance(self.die.face, str) else None
        self.faces: tuple[Shown, ...] = PIPS if own is None else own

    def _plate(self, c: Canvas) -> Rect:
        plate = Rect(0, 0, c.px(440), c.px(450 if self.die else 366))
        plate.center = c.rect.center
        return plate

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """The faces of the die, and "no die" for something that is none."""
        c, plate = canvas, self._plate(canvas)
        box = Rect(plate.x + c.px(16), plate.y + c.px(62), plate.width - c.px(32), c.px(290))
        places = _in_rows(box, len(self.faces))
        found = [
            Widget(f"face-{i + 1}", place, self._choose(face), style="drawn")
            for i, (face, place) in enumerate(zip(self.faces, places, strict=True))
        ]
        if self.die:
            low = Rect(box.x, plate.bottom - c.px(90), box.width, c.px(78))
            words = self.context.t("This is not a die")
            found.append(Widget("none", low, self._choose(None), label=words, icon="cross"))
        return found

    def _choose(self, face: Shown | None) -> Callable[[], Iterator[Step]]:
        def act() -> Iterator[Step]:
            log = self.context.table.log
            if self.throw and not log.holds(self.throw):  # the eye has read it anew meanwhile: look again
                yield Back()
                yield Sound("refused")
                return
            if self.throw and self.index is not None:
                log.correct(self.throw, self.index, face)
            elif isinstance(face, int):
                log.add(self.throw, face)
            yield Back()
            yield Sound("press")
            yield Say("corrected")

        return act

    def paint(self, canvas: Canvas) -> None:
        """The question and the faces."""
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
        for face, widget in zip(self.faces, self.widgets(canvas), strict=False):
            colour = self.die.colour if self.die else "white"
            paint_die(canvas, self.context.box, inset(widget.rect, canvas.px(6)), face, colour)
            if self.die and face == self.die.face:
                canvas.frame(widget.rect, STOPPER, 4)
            elif self.throw and self.index is not None and face == self.throw.doubts.get(self.index):
                canvas.frame(widget.rect, LINE, 3)


def _in_rows(box: Rect, count: int) -> list[Rect]:
    """Places in two rows or more, three in each or more."""
    columns = max(3, math.ceil(math.sqrt(count)))
    rows = max(2, -(-count // columns))
    wide, high = box.width // columns, box.height // rows
    return [Rect(box.x + i % columns * wide, box.y + i // columns * high, wide, high) for i in range(count)]
