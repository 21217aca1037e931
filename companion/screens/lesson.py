"""A die is taught: its faces are shown to the camera one after the other, each for some seconds."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Protocol

import pygame
from pygame import Rect, Surface

from companion import troubles
from companion.events import Event, LookAnew, Say, Seen, Sound
from companion.eye.dice import Die
from companion.eye.network import distinct
from companion.eye.teaching import SEEN, Hint, Teacher
from companion.eye.words import HINTS
from companion.language import Message, mark
from companion.screens import art
from companion.screens.base import THIS_SIDE, Back, Context, DieKind, Go, Screen, Step, Widget
from companion.screens.canvas import Canvas, centred, grid, inset
from companion.screens.live import paint_frame, parted, spot
from companion.screens.stage import body
from companion.screens.theme import CARD, FAINT, INK, LINE, WARN, Rgb

ROUND = 120  # corners of a ring
ICONS: dict[Hint, str] = {
    Hint.GOOD: "again",
    Hint.NOTHING: "camera",
    Hint.MANY: "warning",
    Hint.MOVES: "hand",
    Hint.KNOWN: "warning",
    Hint.STRANGE: "warning",
}
OTHER = mark("This side I know already: show another one.")
ALL = mark("This side I know already: show another one, or touch “That was all”.")
UNLIKE = mark("That looks different from before: show the same side, or touch the round arrow.")
TRY = mark("Try it: throw it, and look at the picture.")
SAME = mark("Another die has the same sides: one of the two is enough, else I have to ask.")


class LessonScreen(Screen):
    """Asks for one face after the other; then the die is known, and it can be tried."""

    title = mark("Teach dice")
    wants_eye = True

    def __init__(self, context: Context, kind: DieKind) -> None:
        super().__init__(context)
        self.kind, self.accent = kind, kind.accent
        self.asked = dict(kind.asked)  # the name of each face
        self.teacher = Teacher(kind.name, list(self.asked), context.box.lessons.get(kind.name))
        self.seen: Seen | None = None
        self.known = False  # whether it has been kept
        self.same = False  # whether another one is like it
        self.trouble: Message | None = None  # why it could not be kept

    @property
    def awaits_throw(self) -> bool:
        """For a trial, at the end."""
        return self.known

    # what happens

    def handle(self, event: Event) -> Iterator[Step]:
        """A picture is a look at the face that is shown, or, once all are known, something to try it on."""
        if not isinstance(event, Seen):
            return
        self.seen = event
        if self.teacher.done:
            return
        before = self.teacher.progress
        now = self.teacher.see(event.frame, event.found, self.context.now)
        if self.teacher.done:
            yield from self._keep()
        elif now.face != before.face:
            self._note()
            yield Sound("found")
            yield Say("next-side")
        elif now.part > before.part:
            yield Sound("count")
        elif not before.just_begun and now.hint is not before.hint and now.hint in (Hint.KNOWN, Hint.STRANGE):
            yield Sound("refused")

    def _note(self) -> None:
        """What was shown is not lost: whoever comes back goes on there, after a power cut, too."""
        self.context.box.lessons.keep(self.teacher.taught())

    def _keep(self) -> Iterator[Step]:
        taught, box = self.teacher.taught(), self.context.box
        try:
            box.keep(taught)
        except OSError as error:
            self._note()
            self.trouble = troubles.not_kept(error, box.folder)
            yield Sound("refused")
            return
        self.trouble, self.known, self.die_kind = None, True, self.kind
        self.same = box.same_as(taught) is not None
        yield Sound("win")
        yield Say("die-known")

    def _again(self) -> Iterator[Step]:
        """The face that is shown; or all of them, once they are known."""
        if self.teacher.done:
            self.teacher = Teacher(self.kind.name, list(self.asked))
            self.known, self.die_kind = False, None
        else:
            self.teacher.again()
        yield Sound("press")

    def _takes_anew(self, number: int) -> Iterator[Step]:
        """A face that is known: it was shown badly, perhaps."""
        self.teacher.again(number)
        self._note()
        self.known, self.die_kind = False, None
        yield Sound("press")

    def _finish(self) -> Iterator[Step]:
        """It has no other faces."""
        self.teacher.finish()
        yield from self._keep()

    def leave(self) -> Iterator[Step]:
        """Dice that were shown or tried here are to be found by whoever looks next."""
        yield LookAnew()

    def _close(self) -> Iterator[Step]:
        yield Back()
        yield Sound("press")

    # where things are

    def _places(self, c: Canvas) -> tuple[Rect, Rect, Rect, Rect]:
        """The picture, the face that is asked for, the words, and all faces with the buttons."""
        area, gap = inset(body(c), c.px(12)), c.px(12)
        low = c.px(124 if c.portrait else 84)
        foot = Rect(area.x, area.bottom - low, area.width, low)
        picture, rest = parted(c, Rect(area.x, area.y, area.width, foot.y - gap - area.y), gap)
        words = Rect(rest.x, rest.bottom - c.px(120), rest.width, c.px(120))
        return picture, Rect(rest.x, rest.y, rest.width, words.y - rest.y - c.px(6)), words, foot

    def _slots(self, c: Canvas) -> list[Rect]:
        foot = self._places(c)[3]
        room = Rect(foot.x, foot.y, foot.width - c.px(250), foot.height)
        return grid(room, len(self.teacher.faces), c.px(10), most=c.px(84))

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """What goes on; and the faces that are known, each of which can be taken anew."""
        return [
            *self._buttons(canvas),
            *(
                Widget(f"side-{number}", box, partial(self._takes_anew, number), style="drawn")
                for number, box in enumerate(self._slots(canvas))
                if self.teacher.known(number)
            ),
        ]

    def _buttons(self, canvas: Canvas) -> Sequence[Widget]:
        """Once more; that was all; at the end, done, or another attempt to keep it."""
        t, c, foot = self.context.t, canvas, self._places(canvas)[3]
        box = Rect(foot.right - c.px(240), foot.centery - c.px(42), c.px(240), c.px(84))
        again = Widget("again", box, self._again, label=t("This side again"), icon="again")
        if not self.teacher.done and not (self.kind.own and self.teacher.enough):
            return [again]
        left = Rect(box.x, box.y, c.px(80), box.height)
        right = Rect(left.right + c.px(8), box.y, box.right - left.right - c.px(8), box.height)
        again = Widget("again", left, self._again, icon="again", means=self.teacher.done)
        if not self.teacher.done:
            return [again, Widget("all", right, self._finish, label=t("That was all"), style="main")]
        if self.known:
            return [again, Widget("done", right, self._close, label=t("Done"), icon="ok", style="main")]
        # Each side can be shown anew, but not all be forgotten while they are nowhere else.
        return [Widget("keep", box, self._keep, label=t("Keep it"), icon="ok", style="main")]

    # what is shown

    def paint_title(self, canvas: Canvas, box: Rect) -> None:
        """Which die."""
        canvas.text(self.context.t(self.kind.title), box, 30, face="title", colour=self.accent)

    def paint(self, canvas: Canvas) -> None:
        """The picture, what is asked for, how far it is, all the faces."""
        picture, asked, words, _ = self._places(canvas)
        self._paint_picture(canvas, picture)
        if self.teacher.done:
            self._paint_end(canvas, asked, words)
        else:
            self._paint_asked(canvas, asked, words)
        for number, box in enumerate(self._slots(canvas)):
            self._paint_slot(canvas, box, number)

    def _paint_face(self, c: Canvas, box: Rect, number: int) -> None:
        """A face as it is drawn; of an own die as it was just seen."""
        picture = self.teacher.picture(number) if self.kind.own else None
        if picture is None:
            self.kind.paint(c, box, self.teacher.faces[number])
        else:
            c.photo(box, picture)

    def _paint_picture(self, c: Canvas, box: Rect) -> None:
        c.card(box, CARD, radius=10)
        trouble = self.context.camera.trouble
        if trouble:
            upper = Rect(box.x, box.y + c.px(10), box.width, box.height // 3)
            c.icon("no-camera", upper, FAINT)
            words = Rect(box.x + c.px(16), upper.bottom, box.width - c.px(32), box.bottom - upper.bottom)
            c.text(self.context.t.say(trouble), words, 24)
        elif self.seen is None:
            c.icon("camera", inset(box, box.height // 3), LINE)
        else:
            self._paint_frame(c, box, self.seen)

    def _paint_frame(self, c: Canvas, box: Rect, seen: Seen) -> None:
        shown = paint_frame(c, box, seen.frame)
        found = seen.dice if self.known else [d for d in distinct(seen.found) if d.sure >= SEEN]
        for die in found:
            place = spot(die.box, seen.frame, shown)
            good = die.known if isinstance(die, Die) else len(found) == 1
            c.frame(place, self.accent if good else WARN, 3, 6)
            if isinstance(die, Die):
                self._paint_told(c, shown, place, die)

    def _paint_told(self, c: Canvas, shown: Rect, place: Rect, die: Die) -> None:
        """What a die is known as: drawn beside it; a question mark, if it is not known."""
        side = c.px(48)
        box = Rect(place.centerx - side // 2, place.y - side - c.px(4), side, side).clamp(shown)
        if die.known and die.sign in self.teacher.faces:  # it may just have been forgotten
            self._paint_face(c, box, self.teacher.faces.index(die.sign))
        else:
            c.card(box, CARD, shade=False)
            c.icon("help", inset(box, c.px(6)), WARN)

    def _paint_asked(self, c: Canvas, box: Rect, words: Rect) -> None:
        """The face, with a ring around it that closes while it is being learned."""
        progress, t = self.teacher.progress, self.context.t
        seen = self.kind.own and self.teacher.picture(progress.face) is not None
        name = THIS_SIDE if seen else self.asked[self.teacher.faces[progress.face]]
        side = min(box.width, box.height)
        circle = centred(box.center, side, side)
        c.surface.blit(ring(progress.part, side, c.look.tone(self.accent), c.look.tone(LINE)), circle)
        self._paint_face(c, inset(circle, side // 4), progress.face)
        upper = Rect(words.x, words.y, words.width, c.px(44))
        c.text(t("Show: {face}", face=Message(name)), upper, 34, face="title")
        if self.context.camera.trouble:  # the picture's place says what is the matter
            return
        icon, text = ICONS[progress.hint], HINTS[progress.hint]
        like = self.asked[self.teacher.faces[progress.like]] if progress.like is not None else ""
        if like and self.kind.own:  # its sides have no names
            text = ALL if self.teacher.enough else OTHER
        if progress.hint is Hint.STRANGE:  # or a finger was on the one that was seen
            text = UNLIKE
        self._paint_hint(c, words, icon, Message(text, {"face": Message(like)} if like else {}))

    def _paint_hint(self, c: Canvas, words: Rect, icon: str, text: Message) -> None:
        wrong = icon == "warning"
        lower = Rect(words.x, words.y + c.px(48), words.width, words.height - c.px(48))
        sign = Rect(lower.x, lower.centery - c.px(22), c.px(44), c.px(44))
        c.icon(icon, sign, WARN if wrong else self.accent)
        room = Rect(sign.right + c.px(10), lower.y, lower.right - sign.right - c.px(10), lower.height)
        c.text(self.context.t.say(text), room, 26, align="left", colour=WARN if wrong else INK)

    def _paint_end(self, c: Canvas, box: Rect, words: Rect) -> None:
        """It is known, and can be tried; or why it could not be kept."""
        c.icon(
            "ok" if self.known else "warning",
            inset(box, box.height // 6),
            self.accent if self.known else WARN,
        )
        if self.trouble:
            c.text(self.context.t.say(self.trouble), words, 26, colour=WARN)
            return
        if not self.known:
            c.text(self.context.t("All sides were shown. It has not been kept yet."), words, 26)
            return
        upper = Rect(words.x, words.y, words.width, c.px(44))
        c.text(self.context.t("I know this die now"), upper, 34, face="title")
        lower = Rect(words.x, upper.bottom, words.width, words.bottom - upper.bottom)
        c.text(self.context.t(SAME if self.same else TRY), lower, 26, colour=WARN if self.same else FAINT)

    def _paint_slot(self, c: Canvas, box: Rect, number: int) -> None:
        """A face below: learned, being learned, or yet to come."""
        done = self.teacher.known(number)
        self._paint_face(c, inset(box, c.px(6)), number)
        if not done and number != self.teacher.progress.face:
            c.surface.blit(art.veil(box.width, box.height), box)
        if number == self.teacher.progress.face:
            c.frame(box, self.accent, 4)
        if number == self.teacher.progress.like:
            c.frame(box, WARN, 4)
        if done:
            side = box.width * 2 // 5
            c.tick(Rect(box.right - side, box.bottom - side, side, side))


class Asking(Protocol):
    """A screen that leads to a lesson, and can say why it does not."""

    context: Context
    trouble: Message | None


def lesson(asking: Asking, kind: DieKind) -> Iterator[Step]:
    """Go where a die is taught, if there is room for it afterwards."""
    screen, box = LessonScreen(asking.context, kind), asking.context.box
    try:
        if not screen.teacher.done:  # else there is nothing left to show
            box.prepare(len(screen.asked))
    except OSError as error:
        asking.trouble = troubles.not_kept(error, box.folder)
        yield Sound("refused")
    else:
        yield Go(screen)


def ring(part: float, side: int, colour: Rgb, rest: Rgb) -> Surface:
    """A ring of `side` pixels that is closed to a part (0..1), clockwise from the top."""
    big = Surface((side * 2, side * 2), pygame.SRCALPHA)
    for begin, end, ink in ((0.0, 1.0, rest), (0.0, part, colour)):
        steps = [2 * math.pi * (begin + (end - begin) * i / ROUND) for i in range(ROUND + 1)]
        outer = [(side + 0.98 * side * math.sin(a), side - 0.98 * side * math.cos(a)) for a in steps]
        inner = [
            (side + 0.84 * side * math.sin(a), side - 0.84 * side * math.cos(a)) for a in reversed(steps)
        ]
        if end > begin:
            pygame.draw.polygon(big, ink, outer + inner)
    return pygame.transform.smoothscale(big, (side, side))
