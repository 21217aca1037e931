"""Setting up the camera: frame the tray, look at the light, hold the camera's values, try a throw."""

import math
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import partial

import pygame
from pygame import Rect

from companion.events import ASKS, Calibrated, Event, Expose, LookAnew, SayThrow, Seen, Sound
from companion.eye.throws import State, Throw
from companion.language import mark
from companion.screens.base import Back, Context, Screen, Step, Widget
from companion.screens.canvas import Canvas, centred, grid, inset
from companion.screens.dice import STATES, UNCLEAR
from companion.screens.live import fitted, paint_frame, spot
from companion.screens.stage import body
from companion.screens.theme import CARD, DICE, FAINT, INK, LINE, WARN, Rgb
from companion.tray.light import Flaw, Kind, LightMeter
from companion.tray.markers import tray_of
from companion.tray.region import Point, Tray
from companion.tray.words import FLAWS, WELL

LOOK_S = 0.3  # seconds between two looks for the printed sheet
PATIENCE_S = 15.0  # seconds after which it goes on even if the camera has not answered
FIRST = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))  # where the corners are before anything is known
HANDLE = 56  # units
VALUES = {
    "exposure": mark("Exposure"),
    "gain": mark("Gain"),
    "white_balance": mark("White balance"),
    "focus": mark("Focus"),
}
SUBJECTS: tuple[tuple[Kind, ...], ...] = (
    (Kind.DARK, Kind.BRIGHT),
    (Kind.GLARE,),
    (Kind.SHADOW,),
    (Kind.FLICKER,),
    (Kind.BLUR,),
)


class Part(Enum):
    """The parts of it, in their order."""

    FRAME = mark("Frame the tray")
    LIGHT = mark("The light")
    HOLD = mark("Hold still")
    TRY = mark("Try a throw")


PARTS = tuple(Part)


class CalibrateScreen(Screen):
    """One part after the other; the way back leaves everything as it was."""

    accent = DICE
    wants_eye = True

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.part = Part.FRAME
        self.seen: Seen | None = None
        before = Tray.of(context.settings.tray)
        self.corners: list[Point] = list(before.corners if before else FIRST)
        self.found = self.by_hand = False  # whether the sheet was seen; whether somebody has moved a corner
        self.sheet: Tray | None = None  # as the printed sheet lies there now
        self.meter = LightMeter()
        self.flaws: tuple[Flaw, ...] = ()
        self.throw: Throw | None = None
        self._due = self._since = -math.inf

    @property
    def awaits_throw(self) -> bool:
        """For a trial, at the end."""
        return self.part is Part.TRY

    @property
    def tray(self) -> Tray:
        """As it is framed now."""
        a, b, c, d = self.corners
        return Tray((a, b, c, d))

    # what happens

    def handle(self, event: Event) -> Iterator[Step]:
        """A picture is looked at for what this part wants to know."""
        if not isinstance(event, Seen):
            return
        first, self.seen = self.seen is None, event
        if first:
            yield Expose("free")  # to see what it makes of this light
        if self.part is Part.FRAME:
            yield from self._look_for_sheet(event)
        elif self.part is Part.LIGHT:
            self.flaws = self.meter.see(event.frame, self.tray, event.state is not State.MOVING)
        elif self.part is Part.TRY and event.throw:
            self.throw = event.throw
            yield from self._says(event.throw)

    def _says(self, throw: Throw) -> Iterator[Step]:
        """What was thrown, unless the eye is not sure of it."""
        if not throw.sure:
            yield from ASKS
            return
        yield Sound("seen")
        yield SayThrow(tuple(die.face for die in throw.dice))

    def _look_for_sheet(self, seen: Seen) -> Iterator[Step]:
        if self.context.now < self._due:
            return
        self._due = self.context.now + LOOK_S
        self.sheet = tray_of(seen.frame)
        if self.sheet and not self.by_hand:  # what hands have framed it does not change by itself
            self.corners = list(self.sheet.corners)
            if not self.found:
                self.found = True
                yield Sound("found")

    def _takes_sheet(self) -> Iterator[Step]:
        """The sheet counts, not what hands have moved."""
        assert self.sheet
        self.corners, self.found, self.by_hand = list(self.sheet.corners), True, False
        yield Sound("found")

    def _drags(self, number: int, shown: Rect, x: int, y: int, lifted: bool) -> Iterator[Step]:
        """A corner follows the finger."""
        self.by_hand, self.found = True, False
        self.corners[number] = (
            min(1.0, max(0.0, (x - shown.x) / shown.width)),
            min(1.0, max(0.0, (y - shown.y) / shown.height)),
        )
        yield from [Sound("press")] if lifted else []

    def _stays(self) -> Iterator[Step]:
        yield Sound("press")

    def _again(self) -> Iterator[Step]:
        """Forget what hands have moved."""
        self.corners, self.found, self.by_hand = list(FIRST), False, False
        yield Sound("press")

    def _from_start(self) -> Iterator[Step]:
        """It is not right yet: look at all of it again. The corners stay where they are."""
        yield Sound("press")
        yield Expose("free")
        self.part, self.throw, self._since = Part.FRAME, None, self.context.now

    def _next(self) -> Iterator[Step]:
        assert self.seen
        if not self.tray.sound:
            yield Sound("refused")
            return
        yield Sound("press")
        if self.part is Part.TRY:
            yield Back()
            return
        if self.part is Part.LIGHT:
            yield Expose("now")
        elif self.part is Part.HOLD:
            yield Calibrated(self.tray.numbers, self.seen.frame)
        self.part = PARTS[PARTS.index(self.part) + 1]
        self._since = self.context.now

    def leave(self) -> Iterator[Step]:
        """Given up before its end, the camera holds what it held. Dice that were tried are to be found by
        whoever looks next.
        """
        yield LookAnew()
        if self.part is not Part.TRY:
            yield Expose("saved")

    @property
    def _waiting(self) -> bool:
        """Whether the camera has not said yet what it holds."""
        unanswered = self.context.camera.held is None and self.context.now - self._since < PATIENCE_S
        return self.part is Part.HOLD and unanswered

    # where things are

    def _places(self, c: Canvas) -> tuple[Rect, Rect, Rect]:
        """The picture, the words beside it, the buttons."""
        area, gap = inset(body(c), c.px(12)), c.px(12)
        foot = Rect(area.x, area.bottom - c.px(76), area.width, c.px(76))
        high = foot.y - gap - area.y
        if c.portrait:
            picture = Rect(area.x, area.y, area.width, min(area.width * 3 // 4, high // 2))
            return (
                picture,
                Rect(area.x, picture.bottom + gap, area.width, foot.y - 2 * gap - picture.bottom),
                foot,
            )
        picture = Rect(area.x, area.y, min(area.width * 58 // 100, high * 4 // 3), area.bottom - area.y)
        rest = Rect(picture.right + gap, area.y, area.right - picture.right - gap, high)
        return picture, rest, Rect(rest.x, foot.y, rest.width, foot.height)

    def _shown(self, c: Canvas) -> Rect | None:
        """Where the picture lies, while there is one."""
        if self.seen is None or self.context.camera.trouble:
            return None
        return fitted(self.seen.frame, self._places(c)[0])

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """The corners, the way on."""
        c, t, foot = canvas, self.context.t, self._places(canvas)[2]
        shown = self._shown(c)
        if shown is None or self._waiting:
            return []
        main = t("Done") if self.part is Part.TRY else t("Next")
        side = Rect(foot.x, foot.y, c.px(80), foot.height)
        wide = foot.width if self.part in (Part.LIGHT, Part.HOLD) else foot.width - c.px(92)
        box = Rect(foot.right - wide, foot.y, wide, foot.height)
        icon = "ok" if self.part is Part.TRY else "right"
        found = [Widget("next", box, self._next, label=main, icon=icon, style="main", means=self.part)]
        if self.part is Part.TRY:
            no = t("No") if self.throw else ""
            found.append(Widget("no", side, self._from_start, label=no, icon="again"))
        elif self.part is Part.FRAME:
            found.append(Widget("again", side, self._again, icon="again"))
            if self._offers_sheet:
                place, words = self._sheet_box(c), t("Use the printed sheet")
                found.append(Widget("sheet", place, self._takes_sheet, label=words, icon="ok"))
            found += [self._handle(c, number, shown) for number in range(4)]
        return found

    @property
    def _offers_sheet(self) -> bool:
        """Whether the sheet is seen, but hands have moved a corner."""
        return self.by_hand and self.sheet is not None

    def _sheet_box(self, c: Canvas) -> Rect:
        words = self._places(c)[1]
        return Rect(words.x, words.bottom - c.px(76), words.width, c.px(76))

    def _handle(self, c: Canvas, number: int, shown: Rect) -> Widget:
        x, y = self.corners[number]
        middle = (round(shown.x + x * shown.width), round(shown.y + y * shown.height))
        box = centred(middle, c.px(HANDLE), c.px(HANDLE)).clamp(body(c))
        drags = partial(self._drags, number, shown)
        return Widget(f"corner-{number}", box, self._stays, style="drawn", drag=drags, by_finger=True)

    # what is shown

    def paint_title(self, canvas: Canvas, box: Rect) -> None:
        """Which part it is, of how many."""
        number = PARTS.index(self.part) + 1
        words = f"{number}/{len(PARTS)}  {self.context.t(self.part.value)}"
        canvas.text(words, box, 30, face="title", colour=self.accent)

    def paint(self, canvas: Canvas) -> None:
        """The picture with what lies on it, and what is to be done."""
        picture, words, _ = self._places(canvas)
        canvas.card(picture, CARD, radius=10)
        trouble = self.context.camera.trouble
        if trouble or self.seen is None:
            canvas.icon("no-camera" if trouble else "camera", inset(picture, picture.height // 3), FAINT)
            said = self.context.t.say(trouble) if trouble else ""
            canvas.text(said, words, 26)
            return
        shown = paint_frame(canvas, picture, self.seen.frame)
        {
            Part.FRAME: self._paint_frame,
            Part.LIGHT: self._paint_light,
            Part.HOLD: self._paint_hold,
            Part.TRY: self._paint_try,
        }[self.part](canvas, shown, words)

    def _outline(self, c: Canvas, shown: Rect, units: float = 3) -> list[tuple[int, int]]:
        points = on_screen(self.corners, shown)
        pygame.draw.polygon(c.surface, self.accent if self.tray.sound else WARN, points, c.px(units))
        return points

    def _paint_frame(self, c: Canvas, shown: Rect, words: Rect) -> None:
        for x, y in self._outline(c, shown):
            c.frame(centred((x, y), c.px(32), c.px(32)), (0, 0, 0), 7, 16)
            c.frame(centred((x, y), c.px(30), c.px(30)), self.accent, 4, 15)
        t = self.context.t
        if self._offers_sheet:
            words.height = self._sheet_box(c).y - c.px(8) - words.y
        if not self.tray.sound:
            said = t("The corners have changed places. Touch the arrow to begin again.")
            self._tell(c, words, "warning", said, WARN)
        elif self.found:
            said = t("I have found the printed sheet. Is its edge marked? Then go on.")
            self._tell(c, words, "ok", said, INK)
        elif self._offers_sheet:
            said = t("Your own corners count. Or use those of the sheet that lies there.")
            self._tell(c, words, "hand", said, INK)
        else:
            said = t("Drag the four corners onto those of the tray, or lay the printed sheet in it.")
            self._tell(c, words, "hand", said, INK)

    def _tell(self, c: Canvas, box: Rect, icon: str, said: str, colour: tuple[int, int, int]) -> None:
        """A sign and a sentence."""
        side = min(c.px(72), box.height // 3)
        c.icon(icon, Rect(box.x, box.y, box.width, side), colour)
        c.text(said, Rect(box.x, box.y + side, box.width, box.height - side), 26, colour=colour)

    def _paint_light(self, c: Canvas, shown: Rect, words: Rect) -> None:
        self._outline(c, shown, 2)
        for flaw in self.flaws:
            for place in flaw.places:
                paint_flaw(c, flaw.kind, on_screen(place, shown))
        wrong = [flaw.kind for flaw in self.flaws]
        lines = []
        for kinds in SUBJECTS:
            kind = next((k for k in kinds if k in wrong), None)
            lines.append((kind is None, WELL[kinds[0]] if kind is None else FLAWS[kind][0]))
        todo = self.context.t(FLAWS[wrong[0]][1]) if wrong else self.context.t("The light is good.")
        self._list(c, words, lines, todo)

    def _list(
        self,
        c: Canvas,
        box: Rect,
        lines: Sequence[tuple[bool, str]],
        below: str,
        bad: tuple[str, Rgb] = ("warning", WARN),
    ) -> None:
        """Lines with a sign each, and a sentence below them."""
        foot = min(box.height // 3, c.px(100))
        high = min((box.height - foot) // max(1, len(lines)), c.px(52))
        for number, (good, text) in enumerate(lines):
            row = Rect(box.x, box.y + number * high, box.width, high)
            side = min(high - c.px(6), c.px(30))
            sign = Rect(row.x, row.centery - side // 2, side, side)
            c.icon(*(("ok", sign, self.accent) if good else (bad[0], sign, bad[1])))
            rest = Rect(sign.right + c.px(10), row.y, row.right - sign.right - c.px(10), row.height)
            c.text(self.context.t(text), rest, 24, align="left", colour=INK if good else bad[1])
        c.text(below, Rect(box.x, box.bottom - foot, box.width, foot), 24, align="left", colour=FAINT)

    def _paint_hold(self, c: Canvas, shown: Rect, words: Rect) -> None:
        self._outline(c, shown, 2)
        t, held = self.context.t, self.context.camera.held
        if self._waiting:
            self._tell(c, words, "clock", t("The camera notes its values. A moment …"), FAINT)
        elif not held:
            said = t("This camera cannot be told to hold still. In a phone's app, lock focus and exposure.")
            self._tell(c, words, "warning", said, FAINT)
        else:
            lines = [(name in held, text) for name, text in VALUES.items()]
            self._list(c, words, lines, t("What is ticked stays as it is now."), ("minus", FAINT))

    def _paint_try(self, c: Canvas, shown: Rect, words: Rect) -> None:
        assert self.seen
        self._outline(c, shown, 2)
        for die in self.seen.dice:
            place = spot(die.box, self.seen.frame, shown)
            c.frame(place, self.accent if die.known else WARN, 3, 6)
            if not die.known:
                c.doubt(place)
        t = self.context.t
        if self.seen.state in UNCLEAR:  # nobody has to hear it
            sign, why = STATES[self.seen.state]
            self._tell(c, words, sign, t(why), WARN)
            return
        if self.throw is None:
            self._tell(c, words, "dice", t("Now try it: throw some dice into the tray."), INK)
            return
        dice = self.throw.dice
        room = Rect(words.x, words.y, words.width, words.height * 2 // 3)
        doubts = dict(self.throw.doubts)
        for index, (die, box) in enumerate(
            zip(dice, grid(room, len(dice), c.px(24), most=c.px(96)), strict=True)
        ):
            c.die(box, die.face, die.colour)
            if index in doubts:
                c.doubt(box)
        said = t("Is that right? Then all is set up.")
        c.text(said, Rect(words.x, room.bottom, words.width, words.bottom - room.bottom), 26, colour=FAINT)


def on_screen(points: Sequence[Point], shown: Rect) -> list[tuple[int, int]]:
    """Points in parts of the picture as pixels of the screen."""
    return [(round(shown.x + x * shown.width), round(shown.y + y * shown.height)) for x, y in points]


def paint_flaw(c: Canvas, kind: Kind, points: Sequence[tuple[int, int]]) -> None:
    """Where something is wrong; each kind has a shape of its own."""
    left, top = (min(p[i] for p in points) for i in (0, 1))
    right, bottom = (max(p[i] for p in points) for i in (0, 1))
    box, ink, wide = Rect(left, top, max(right - left, 1), max(bottom - top, 1)), WARN, c.px(3)
    if kind is Kind.GLARE:  # a ring
        pygame.draw.ellipse(c.surface, ink, box.inflate(c.px(12), c.px(12)), wide)
    elif kind is Kind.SHADOW:  # hatched
        pygame.draw.polygon(c.surface, ink, points, wide)
        clip = c.surface.get_clip()
        c.surface.set_clip(box)
        for x in range(left - box.height, right, c.px(18)):
            pygame.draw.line(c.surface, ink, (x, bottom), (x + box.height, top), c.px(2))
        c.surface.set_clip(clip)
    elif kind is Kind.FLICKER:  # lines across
        for y in range(top + c.px(14), bottom, c.px(28)):
            pygame.draw.line(c.surface, ink, (left, y), (right, y), c.px(2))
    elif kind is Kind.BLUR:  # a frame in a frame
        pygame.draw.rect(c.surface, ink, inset(box, c.px(10)), wide, border_radius=c.px(10))
        pygame.draw.rect(c.surface, ink, inset(box, c.px(20)), wide, border_radius=c.px(10))
    else:  # all of it
        pygame.draw.rect(c.surface, ink, box, c.px(6))
        side = c.px(64)
        sign = Rect(box.centerx - side // 2, box.centery - side // 2, side, side)
        c.card(sign.inflate(c.px(16), c.px(16)), CARD, edge=LINE)
        c.icon("moon" if kind is Kind.DARK else "contrast", sign, ink)
