"""One touch says what a die really shows."""

import math
from collections.abc import Iterator, Sequence
from functools import partial

from pygame import Rect

from companion.events import Say, Sound
from companion.eye.dice import Shown
from companion.language import mark
from companion.screens.base import Back, Context, Screen, Step, Widget
from companion.screens.canvas import Canvas, centred, inset
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
        self.dice: list[tuple[Shown, ...]] = [PIPS, *sides(context.box)]  # what it may be
        face = self.die.face if self.die else 1
        self.which = next((i for i, faces in enumerate(self.dice) if face in faces), -1)
        if self.which < 0:  # it has been forgotten
            self.dice.append(())

    @property
    def entered(self) -> bool:
        """Whether a die is entered that nobody has read: nothing is corrected then."""
        return self.die is None and (self.throw is None or self.throw.source == "hand")

    @property
    def faces(self) -> tuple[Shown, ...]:
        """The faces that can be chosen now."""
        return self.dice[self.which]

    def _plate(self, c: Canvas) -> Rect:
        return centred(c.rect.center, c.px(440), c.px(450 if self.die or len(self.dice) > 1 else 366))

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """The faces of the die, "no die" for something that is none, and the faces of another die."""
        c, t, plate = canvas, self.context.t, self._plate(canvas)
        box = Rect(plate.x + c.px(16), plate.y + c.px(62), plate.width - c.px(32), c.px(290))
        places = _in_rows(box, len(self.faces))
        found = [
            Widget(f"face-{i + 1}", place, partial(self._choose, face), style="drawn")
            for i, (face, place) in enumerate(zip(self.faces, places, strict=True))
        ]
        low = Rect(box.x, plate.bottom - c.px(90), box.width, c.px(78))
        gap = c.px(8) if self.die and len(self.dice) > 1 else 0
        left = Rect(low.x, low.y, (low.width - gap) // 2 if gap else low.width, low.height)
        right = Rect(low.right - left.width, low.y, left.width, low.height)
        if self.die:
            none = partial(self._choose, None)
            found.append(Widget("none", left, none, label=t("This is not a die"), icon="cross"))
        if len(self.dice) > 1:
            label, which = t("Another die"), self.which
            found.append(Widget("other", right, self._turn, label=label, icon="again", means=which))
        return found

    def _turn(self) -> Iterator[Step]:
        self.which = (self.which + 1) % len(self.dice)
        yield Sound("press")

    def _choose(self, face: Shown | None) -> Iterator[Step]:
        log = self.context.table.log
        if self.throw and not log.holds(self.throw):  # the eye has read it anew meanwhile: look again
            yield Back()
            yield Sound("refused")
            return
        if self.throw and self.index is not None:
            log.correct(self.throw, self.index, face)
            if self.die and self.die.look is not None:
                self.context.box.take_back(self.die.look)
        elif face:
            log.add(self.throw, face)
        yield Back()
        yield Sound("press")
        if not self.entered:
            yield Say("corrected")

    def paint(self, canvas: Canvas) -> None:
        """The question and the faces."""
        plate = self._plate(canvas)
        canvas.card(plate, CARD, edge=LINE)
        question = mark("What does the die show?" if self.entered else "What does the missing die show?")
        if self.die:
            question = mark("What does this die show?")
        dazzling = self.throw is not None and self.index in self.throw.dazzling
        head = Rect(
            plate.x + canvas.px(12), plate.y + canvas.px(8), plate.width - canvas.px(24), canvas.px(48)
        )
        if dazzling:  # what can be done about it, for the next throws
            words = Rect(head.x, head.bottom - canvas.px(18), head.width, canvas.px(24))
            canvas.text(self.context.t("Is a lamp mirrored in it?"), words, 21)
            head.height = canvas.px(28)
        canvas.text(self.context.t(question), head, 28, face="bold")
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
