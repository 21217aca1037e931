"""The dice: the live picture with what is seen in it, the throw as large dice, its sum, the throws before."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Literal

import pygame
from pygame import Rect

from companion.events import ASKS, ButtonName, Demonstrate, Effect, Event, LampName, SayThrow, Seen, Sound
from companion.eye.dice import Colour, Die, Shown
from companion.eye.motion import Box
from companion.eye.network import Found, inside
from companion.eye.read import shows_no_pips
from companion.eye.taught import Taught
from companion.eye.throws import State
from companion.language import mark
from companion.screens.base import Context, Go, Screen, Step, Widget
from companion.screens.canvas import Canvas, grid, inset
from companion.screens.die_kinds import known_dice, paint_die
from companion.screens.face_picker import FacePicker
from companion.screens.live import fitted, paint_frame, parted, spot
from companion.screens.stage import body
from companion.screens.theme import CARD, DICE, FAINT, INK, LINE, WARN
from companion.throwlog import LoggedDie, LoggedThrow

ADD = 92  # units: how wide the button is that adds a die
NAME = 22  # units: how high the name of a colour below its die is
FLY = 0.3  # seconds in which a die flies from the picture to its place

STATES: dict[State, tuple[str, str]] = {
    State.NOTHING: ("hand", mark("Throw the dice")),
    State.MOVING: ("again", mark("Rolling …")),
    State.SETTLING: ("camera", mark("Looking …")),
    State.CUT_OFF: ("warning", mark("At the edge: throw again")),
    State.COCKED: ("warning", mark("Cocked: throw again")),
    State.RESTING: ("dice", mark("Read")),
}

UNCLEAR = (State.COCKED, State.CUT_OFF)  # there are dice, and none of them is told

NO_PIPS = ("warning", mark("No pips can be seen"))
NO_DICE = mark("No dice")
ENTER = mark("Enter what you have thrown")  # beside it is what adds a die
WHAT_SHOWS = mark("What do they show?")  # beside it is what adds a die

COLOUR_NAMES: dict[Colour, str] = {
    "white": mark("white"),
    "black": mark("black"),
    "red": mark("red"),
    "orange": mark("orange"),
    "yellow": mark("yellow"),
    "green": mark("green"),
    "blue": mark("blue"),
    "purple": mark("purple"),
}


class DiceScreen(Screen):
    """Reads throw after throw. Touching a die corrects it."""

    title = mark("Dice")
    accent = DICE
    wants_eye = True

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.seen: Seen | None = None
        self.arrived = -math.inf  # when the throw that is shown was announced
        self.read: LoggedThrow | None = None  # the last one that was announced
        self.done: LoggedThrow | None = None  # what was entered by hand is complete

    @property
    def awaits_throw(self) -> bool:
        """Always: that is what it is for."""
        return True

    @property
    def awaited_die(self) -> Taught | None:
        """Whatever has been taught may lie beside dice with pips."""
        return known_dice(self.context.box)

    @property
    def throws(self) -> tuple[LoggedThrow, ...]:
        """The last throws; while the demonstration runs, those of the demonstration."""
        log = self.context.table.log
        return log.demonstrated if self.context.camera.demonstration else log.throws

    @property
    def current(self) -> LoggedThrow | None:
        """The throw that is shown large; none while a new one is begun by hand, or one that the eye cannot
        read lies there.
        """
        log = self.context.table.log
        if self.context.camera.demonstration:
            return log.current_demonstrated
        current = log.current
        if current is None or current is self.done:
            return None
        counts = current.asked or (current is self.read and not self._unread)
        return current if counts or not self._is_past(current) else None

    def _is_past(self, throw: LoggedThrow) -> bool:
        """Whether what people enter now was thrown after this one."""
        return throw.source != "hand" and self.by_hand

    @property
    def by_hand(self) -> bool:
        """Whether people enter what they have thrown: no camera is there, or it cannot read the dice."""
        return self.context.camera.trouble is not None or self._unread

    @property
    def _unread(self) -> bool:
        """Whether there are dice that the camera cannot read."""
        return (self.seen is not None and self.seen.state in UNCLEAR) or bool(_blank(self.seen))

    @property
    def _lies(self) -> LoggedThrow | None:
        """The throw that is shown, if its dice lie there."""
        there = self.seen is not None and self.seen.state is State.RESTING
        return self.current if there and self.current and self.current.boxes else None

    @property
    def in_doubt(self) -> list[Box]:
        """Where the dice lie that people are asked about."""
        lies = self._lies
        return [lies.boxes[index] for index in lies.doubts if index in lies.boxes] if lies else []

    @property
    def animating(self) -> bool:
        """While dice fly."""
        return self.context.now - self.arrived < FLY

    # what happens

    def handle(self, event: Event) -> Iterator[Step]:
        """A settled throw is stored, then shown and spoken."""
        if not isinstance(event, Seen):
            return
        self.seen = event
        if event.throw is None:
            if lies := self._lies:
                lies.follow(event.dice, event.found)
            return
        log = self.context.table.log
        before, throw = self.throws, log.thrown(event.throw, self.context.camera.demonstration)
        if throw.said or throw in before:  # a person knows better, or it lay there before anybody looked
            return
        self.read = throw
        self.arrived = self.context.now
        if throw.asked:
            yield from ASKS
            return
        yield from self._says(throw)

    def _says(self, throw: LoggedThrow) -> Iterator[Step]:
        """Pips are spoken; signs only are seen."""
        yield Sound("seen")
        if throw.pips:
            yield SayThrow(throw.pips)

    def leave(self) -> Iterator[Step]:
        """The demonstration is over: no game may take its throws for real ones. What was said is learned."""
        self.context.box.learn()
        if self.context.camera.demonstration:
            yield Demonstrate(False)

    def press(self, button: ButtonName) -> Iterator[Step] | None:
        """Undo takes back what was said last."""
        return self._undo() if button == "undo" else None

    @property
    def confirm_answers(self) -> object:
        """That the throw is right."""
        throw = self.current
        return (throw, throw.faces, tuple(throw.doubts)) if throw and throw.asked else None

    def lamps(self) -> dict[ButtonName, LampName]:
        """Undo is lit while there is something to take back."""
        return {"undo": "on"} if self._can_undo else {}

    @property
    def _undoable(self) -> LoggedThrow | None:
        """The throw that is shown, or one before that was corrected since this one has come, or since none is
        shown any more.
        """
        current, changed = self.current, self.context.table.log.changed
        shown = current or not self.done
        return changed if shown and changed in self.throws and changed.corrected else current

    @property
    def _can_undo(self) -> bool:
        """Whether a person has said something of a throw, or that another one begins."""
        return self._undoable.said if self._undoable else self.done is not None

    def _undo(self) -> Iterator[Step]:
        throw = self._undoable
        if throw is None and self.done:
            self.done = None
            yield Sound("press")
            return
        done = throw is not None and self.context.table.log.undo(throw)
        if throw and throw.asked:  # nothing is learned of what is in doubt again
            for die in throw.dice:
                if die.look is not None:
                    self.context.box.take_back(die.look)
        yield Sound("press" if done else "refused")

    def _confirm(self) -> Iterator[Step]:
        """The best guess is right."""
        throw = self.current
        assert throw is not None
        if self.seen and self.seen.state is State.RESTING and throw.source == "camera":
            for die in (throw.dice[index] for index in throw.doubts):
                if isinstance(die.face, str) and die.look is not None:
                    self.context.box.tell(die.face, die.look)
        self.context.table.log.confirm(throw)
        yield from self._says(throw)

    def _corrects(self, throw: LoggedThrow, index: int) -> Iterator[Step]:
        yield Go(FacePicker(self.context, throw, index))

    def _add(self) -> Iterator[Step]:
        current = self.current
        yield Go(FacePicker(self.context, None if current and self._is_past(current) else current, None))

    def _new(self) -> Iterator[Step]:
        """The next die that is entered begins another throw."""
        self.done = self.current
        yield Sound("press")

    def _demonstrate(self, on: bool) -> Iterator[Effect]:
        yield Demonstrate(on)

    # where things are

    def _places(self, c: Canvas) -> tuple[Rect, Rect, Rect, Rect]:
        """The picture, the large dice, the sum and the throws before."""
        area = inset(body(c), c.px(12))
        gap = c.px(12)
        strip = Rect(area.x, area.bottom - c.px(58), area.width, c.px(58))
        picture, rest = parted(c, Rect(area.x, area.y, area.width, strip.y - gap - area.y), gap)
        total = max(c.px(136), c.height // 5)
        return (
            picture,
            Rect(rest.x, rest.y, rest.width, rest.height - total - gap),
            Rect(rest.x, rest.bottom - total, rest.width, total),
            strip,
        )

    def _slots(self, c: Canvas) -> list[tuple[int, LoggedDie, Rect]]:
        """The dice of the throw that is shown: the index of each, and its place."""
        dice = [(i, die) for i, die in enumerate(self.current.dice) if die.face] if self.current else []
        room = self._places(c)[1]
        if self._many_coloured:
            room.height -= c.px(NAME - 11)  # some of it fits between the dice and what is below them
        places = grid(room, len(dice), c.px(NAME + 2), most=c.px(150))
        return [(index, die, place) for (index, die), place in zip(dice, places, strict=True)]

    @property
    def _many_coloured(self) -> bool:
        """Whether the colours of the dice are named: not everybody can tell them apart."""
        dice = self.current.dice if self.current else ()
        return len({die.colour for die in dice if isinstance(die.face, int)}) > 1

    @staticmethod
    def _add_box(total: Rect, c: Canvas) -> Rect:
        """What adds a die; what takes something back has room above it."""
        return Rect(total.right - c.px(ADD), total.centery - c.px(8), c.px(ADD), c.px(76))

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Each large die; a die more; yes, or undo; the demonstration where there is no camera."""
        t, c, found = self.context.t, canvas, list[Widget]()
        picture, _, total, _ = self._places(c)
        for number, (index, _, place) in enumerate(self._slots(c)):
            assert self.current is not None
            found.append(
                Widget(f"die-{number}", place, partial(self._corrects, self.current, index), style="drawn")
            )
        current, side, add = self.current, c.px(72), self._add_box(total, c)
        if current or not self.context.camera.demonstration:  # nothing is entered beside recorded throws
            style: Literal["plain", "main"] = "main" if self._asks() in (ENTER, WHAT_SHOWS) else "plain"
            found.append(Widget("add", add, self._add, label=t("Add"), icon="plus", style=style))
        if self._can_undo:
            undo = Rect(add.x, add.y - c.px(60), add.width, c.px(56))
            found.append(Widget("undo", undo, self._undo, icon="undo"))
        box = Rect(total.x, total.centery - side // 2, side, side)
        if current and current.asked:
            box.width = min(total.width // 3, c.px(116))
            yes = Widget("yes", box, self._confirm, label=t("Right"), icon="ok", style="main")
            found.append(yes._replace(means=self.confirm_answers))
        elif current and current.source == "hand" and self.by_hand:
            found.append(Widget("new", box, self._new, label=t("New"), icon="dice"))
        if self.context.camera.demonstration:
            box = Rect(picture.right - c.px(248), picture.y + c.px(8), c.px(240), c.px(54))
            found.append(
                Widget(
                    "demo", box, partial(self._demonstrate, False), label=t("Use the camera"), icon="camera"
                )
            )
        elif self.context.camera.trouble:
            box = Rect(0, 0, min(picture.width - c.px(24), c.px(330)), c.px(78))
            box.midbottom = (picture.centerx, picture.bottom - c.px(14))
            found.append(
                Widget(
                    "demo",
                    box,
                    partial(self._demonstrate, True),
                    label=t("Show the demonstration"),
                    icon="film",
                )
            )
        return found

    # what is shown

    def paint(self, canvas: Canvas) -> None:
        """Everything but the buttons."""
        picture, _, total, strip = self._places(canvas)
        self._paint_picture(canvas, picture)
        self._paint_total(canvas, total)
        self._paint_log(canvas, strip)
        self._paint_dice(canvas, picture)

    def _paint_picture(self, c: Canvas, box: Rect) -> None:
        c.card(box, CARD, radius=10)
        camera = self.context.camera
        if camera.trouble:
            self._paint_trouble(c, box)
        elif self.seen is None:
            c.icon("camera", inset(box, box.height // 3), LINE)
        else:
            blank = _blank(self.seen)
            self._paint_frame(c, box, self.seen, blank)
            self._paint_state(c, box, *(NO_PIPS if blank else STATES[self.seen.state]))

    def _paint_trouble(self, c: Canvas, box: Rect) -> None:
        assert self.context.camera.trouble is not None
        upper = Rect(box.x, box.y + c.px(10), box.width, min(box.height // 3, c.px(110)))
        c.icon("no-camera", upper, FAINT)
        words = Rect(
            box.x + c.px(16), upper.bottom, box.width - c.px(32), box.bottom - upper.bottom - c.px(100)
        )
        c.text(self.context.t.say(self.context.camera.trouble), words, 24)

    def _paint_frame(self, c: Canvas, box: Rect, seen: Seen, blank: Sequence[Found]) -> None:
        shown = paint_frame(c, box, seen.frame)
        for found in blank:
            c.doubt(spot(found.box, seen.frame, shown))
        for die in seen.dice:
            place, face = spot(die.box, seen.frame, shown), self._shows(die)
            if face is None:
                continue
            if die.cocked:
                c.frame(place, WARN, 4, 6)
                c.icon("warning", Rect(place.x, max(shown.y, place.y - c.px(40)), c.px(40), c.px(40)), WARN)
                continue
            c.frame(place, DICE, 2.5, 6)
            if isinstance(face, str):
                label = Rect(place.x, max(shown.y, place.y - c.px(40)), c.px(40), c.px(40))
                paint_die(c, self.context.box, label, face)
                continue
            label = Rect(place.x, max(shown.y, place.y - c.px(24)), c.px(24), c.px(24))
            pygame.draw.rect(c.surface, DICE, label, border_radius=c.px(5))
            c.text(str(face), label, 24, face="title", colour=(8, 30, 26))
        for part in self.in_doubt:
            place = spot(part, seen.frame, shown)
            c.frame(place, WARN, 2.5, 6)
            c.doubt(place)

    def _shows(self, die: Die) -> Shown | None:
        """What a die in the picture shows, or what people have said of it; None if it is none."""
        lies = self._lies
        there = [i for i, box in lies.boxes.items() if inside(die.center, box)] if lies else []
        return lies.dice[there[0]].face if lies and there else die.shows

    def _paint_state(self, c: Canvas, box: Rect, sign: str, words: str) -> None:
        wide = min(c.px(300), box.width - c.px(16))
        chip = Rect(box.x + c.px(8), box.bottom - c.px(46), wide, c.px(38))
        c.card(chip, CARD, radius=10, shade=False)
        c.icon(sign, Rect(chip.x + c.px(6), chip.y + c.px(5), c.px(28), c.px(28)), DICE)
        c.text(
            self.context.t(words),
            Rect(chip.x + c.px(42), chip.y, chip.width - c.px(48), chip.height),
            22,
            align="left",
        )

    def _paint_dice(self, c: Canvas, picture: Rect) -> None:
        part = min(1.0, max(0.0, (self.context.now - self.arrived) / FLY))
        part = part * (2 - part)
        named = self._many_coloured and part == 1
        for index, die, place in self._slots(c):
            if part < 1 and self.current and index in self.current.boxes and self.seen is not None:
                start = spot(self.current.boxes[index], self.seen.frame, fitted(self.seen.frame, picture))
                place = _between(start.center, place, part)
            paint_die(c, self.context.box, place, die.face, die.colour)
            if self.current and index in self.current.doubts and part == 1:
                c.doubt(place)
            if named and isinstance(die.face, int) and place.height >= c.px(64):
                name = Rect(place.x - c.px(10), place.bottom, place.width + c.px(20), c.px(NAME))
                c.text(self.context.t(COLOUR_NAMES[die.colour]), name, 20, colour=FAINT)

    def _paint_total(self, c: Canvas, box: Rect) -> None:
        high = 1.15 * box.height / c.look.size(c.u)  # it is large in any case
        if self.current and self.current.asked:
            room = Rect(box.x + c.px(124), box.y, box.width - c.px(132 + ADD), box.height)
            c.text(_total(self.current), room, high, face="title", colour=FAINT)
        elif self.current and self.current.faces:
            c.text(_total(self.current), box.inflate(-2 * c.px(ADD + 8), 0), high, face="title")
        else:
            room = Rect(box.x, box.y, box.width - c.px(ADD + 8), box.height)
            c.text(self.context.t(self._asks()), room, 34, face="title", colour=FAINT)

    def _asks(self) -> str:
        """What to do, where no throw is shown."""
        if self.current:
            return NO_DICE
        if self.context.camera.trouble:
            return ENTER
        return WHAT_SHOWS if _blank(self.seen) else STATES[State.NOTHING][1]

    def _paint_log(self, c: Canvas, box: Rect) -> None:
        left = box.x
        for throw in (each for each in self.throws if each is not self.current):
            small, gap = c.px(26), c.px(4)
            total = _total(throw)
            wide = len(throw.faces) * (small + gap) + c.px(56 if total else 12)
            if left + wide > box.right:
                break
            c.card(Rect(left, box.y, wide, box.height), CARD, radius=10, shade=False)
            for number, die in enumerate(d for d in throw.dice if d.face):
                place = Rect(left + c.px(8) + number * (small + gap), box.centery - small // 2, small, small)
                paint_die(c, self.context.box, place, die.face, die.colour)
            c.text(
                total,
                Rect(left + wide - c.px(50), box.y, c.px(44), box.height),
                28,
                face="title",
                colour=INK,
            )
            left += wide + c.px(8)


def _total(throw: LoggedThrow) -> str:
    """The sum of the pips; nothing, where only signs were thrown. What nobody has confirmed is in doubt."""
    signs_only = bool(throw.faces) and not throw.pips
    return ("" if signs_only else str(sum(throw.pips))) + "?" * throw.asked


def _blank(seen: Seen | None) -> list[Found]:
    """The dice that lie there, if no pips can be seen on any."""
    if seen is None or seen.state is not State.NOTHING:
        return []
    return [found for found in seen.found if shows_no_pips(found)]


def _between(start: tuple[float, float], end: Rect, part: float) -> Rect:
    """A die on its way from a point of the picture to its place, growing."""
    side = max(8, round(end.width * (0.35 + 0.65 * part)))
    x = start[0] + (end.centerx - start[0]) * part
    y = start[1] + (end.centery - start[1]) * part
    return Rect(round(x - side / 2), round(y - side / 2), side, side)
