"""The automatic stopper alone: it throws the yellow die, calls each total, and cries "Stopp!" at 30."""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

import pygame
from pygame import Rect, Surface

from companion.events import ALL_BLINK, ButtonName, Buzz, Event, LampName, Say, SayNumber, Sound, Tick
from companion.games.make_n_break.stopper import FACES, GOAL, Stopper
from companion.language import mark
from companion.screens import art
from companion.screens.base import Context, DieKind, Entry, Screen, Step, Widget
from companion.screens.canvas import Canvas, centred, inset
from companion.screens.stage import body
from companion.screens.theme import CARD, FAINT, INK, STOP, STOPPER

SPIN = 0.25  # seconds for which the die is seen to roll


class StopperScreen(Screen):
    """One round of the stopper. A round that was interrupted comes back paused, at the same total."""

    title = mark("Stopper")
    accent = STOPPER

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        run = context.table.stopper
        self.position = Stopper(run.throws if run else ())
        self.due: float | None = None  # when the die is thrown next; None while nothing runs
        self.thrown = -math.inf

    @property
    def phase(self) -> str:
        """ready, running, paused or over."""
        if self.position.over:
            return "over"
        if self.due is not None:
            return "running"
        return "paused" if self.context.table.stopper else "ready"

    @property
    def animating(self) -> bool:
        """While the die rolls."""
        return self.context.now - self.thrown < SPIN

    # what happens

    def handle(self, event: Event) -> Iterator[Step]:
        """The clock throws the die."""
        if isinstance(event, Tick) and self.due is not None and event.now >= self.due:
            yield from self._throw(event.now)

    def _throw(self, now: float) -> Iterator[Step]:
        value = self.context.chance(FACES)
        self.position = self.position.play(value)
        self.context.table.stopper_shows(value)
        interval = self.context.settings.stopper_interval_s
        self.thrown, self.due = now, max(now, (self.due or now) + interval)
        if not self.position.over:
            yield Sound("roll")
            yield SayNumber(self.position.total)
            return
        self.due = None
        self.context.table.end_stopper("reached")
        yield Sound("stop")
        yield Say("stop")
        yield Buzz()

    def _go(self) -> Iterator[Step]:
        """Los! (MNB-R10)"""
        self.context.table.begin_stopper(self.context.settings.stopper_interval_s)
        self.position = Stopper()
        self._run()
        yield Sound("go")
        yield Say("go")

    def _run(self) -> None:
        self.due = self.context.now + self.context.settings.stopper_interval_s

    def _goes_on(self) -> Iterator[Step]:
        self._run()
        yield Sound("go")
        yield Say("continue")

    def _pause(self) -> Iterator[Step]:
        self.due = None
        yield Say("pause")

    def _stop(self) -> Iterator[Step]:
        self.due = None
        self.context.table.end_stopper("stopped")
        self.position = Stopper()
        yield Sound("press")

    def leave(self) -> Iterator[Step]:
        """Going away pauses the round; it waits here."""
        if self.due is not None:
            yield from self._pause()

    def press(self, button: ButtonName) -> Iterator[Step] | None:
        """Undo pauses a round and stops one that is paused: a wrong touch takes none away."""
        acts = {"running": self._pause, "paused": self._stop}
        return acts[self.phase]() if button == "undo" and self.phase in acts else None

    def lamps(self) -> dict[ButtonName, LampName]:
        """All lamps blink when the round is over."""
        if self.phase == "over":
            return ALL_BLINK
        return {"undo": "on"} if self.phase != "ready" else {}

    # what is shown

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Go; pause; continue and stop; again."""
        t, phase, (_, first, second) = self.context.t, self.phase, self._places(canvas)
        words, sign, act = {
            "ready": (t("Go!"), "play", self._go),
            "over": (t("Again"), "again", self._go),
            "running": (t("Pause"), "pause", self._pause),
            "paused": (t("Continue"), "play", self._goes_on),
        }[phase]
        box = first if phase == "paused" else first.union(second)
        main = Widget("main", box, act, label=words, icon=sign, style="main", means=phase)
        stop = Widget("stop", second, self._stop, label=t("Stop"), icon="stop", colour=STOP)
        return [main, stop] if phase == "paused" else [main]

    def _places(self, canvas: Canvas) -> tuple[Rect, Rect, Rect]:
        """The picture, the main button and the second one."""
        area = inset(body(canvas), canvas.px(14))
        gap, wide, high = canvas.px(14), canvas.px(220), canvas.px(96)
        if canvas.portrait:
            picture = Rect(area.x, area.y, area.width, area.height - high - gap)
            half = (area.width - gap) // 2
            first = Rect(area.x, area.bottom - high, half, high)
            return picture, first, first.move(half + gap, 0)
        picture = Rect(area.x, area.y, area.width - wide - gap, area.height)
        half = (area.height - gap) // 2
        first = Rect(area.right - wide, area.y, wide, half)
        return picture, first, first.move(0, half + gap)

    def paint(self, canvas: Canvas) -> None:
        """The ring of thirty, the total in its middle, and the die."""
        area = self._places(canvas)[0]
        side = min(area.width, area.height)
        circle = centred(area.center, side, side)
        if self.phase == "over":
            stop_sign(canvas, circle, self.context.t("Stop!"), self.position.total)
            return
        canvas.surface.blit(ring(min(self.position.total, GOAL), side), circle)
        canvas.text(
            str(self.position.total),
            Rect(circle.x, circle.y + side // 5, side, side * 2 // 5),
            190,
            face="title",
            colour=INK if self.phase == "running" else FAINT,
        )
        middle = (circle.centerx, circle.y + side * 18 // 25)
        paint_rolling(canvas, middle, side // 5, self.position, self.context.now - self.thrown)


def paint_rolling(canvas: Canvas, middle: tuple[int, int], side: int, stopper: Stopper, since: float) -> None:
    """The die, so many seconds since it was thrown: it rolls, and then shows what was thrown last."""
    turned = since / SPIN
    picture = numbered_die(stopper.throws[-1] if stopper.throws and turned > 0.7 else 0, side)
    if turned < 1:
        picture = pygame.transform.rotozoom(picture, 360 * turned * (2 - turned), 1.0)
    canvas.surface.blit(picture, picture.get_rect(center=middle))


def stop_sign(canvas: Canvas, circle: Rect, words: str, total: int) -> None:
    """The large red sign that ends a round, with the total that has ended it."""
    canvas.icon("stop", circle, STOP)
    inner = inset(circle, circle.width // 5)
    canvas.text(words, Rect(inner.x, inner.y, inner.width, inner.height * 2 // 3), 130, face="title")
    low = Rect(inner.x, inner.y + inner.height * 6 // 10, inner.width, inner.height * 3 // 10)
    canvas.text(str(total), low, 60, face="title")


@lru_cache(maxsize=8)
def numbered_die(value: int, side: int) -> Surface:
    """The stopper's small yellow die, which has digits and blank sides."""
    picture = art.die(0, "yellow", side).copy()
    if value:
        Canvas(picture).text(str(value), picture.get_rect(), 400, face="title", colour=(52, 42, 10))
    return picture


@lru_cache(maxsize=3)
def ring(filled: int, side: int) -> Surface:
    """Thirty segments in a circle of `side` pixels, so many of them filled, clockwise from the top."""
    big = Surface((side * 2, side * 2), pygame.SRCALPHA)
    for number in range(GOAL):
        begin, end = (math.radians(12 * number + d) for d in (1.2, 10.8))
        arc = [(begin + (end - begin) * i / 4) for i in range(5)]
        outer = [(side + 0.98 * side * math.sin(a), side - 0.98 * side * math.cos(a)) for a in arc]
        inner = [(side + 0.84 * side * math.sin(a), side - 0.84 * side * math.cos(a)) for a in reversed(arc)]
        pygame.draw.polygon(big, STOPPER if number < filled else CARD, outer + inner)
    return pygame.transform.smoothscale(big, (side, side))


def _paint_kind(canvas: Canvas, box: Rect, face: str) -> None:
    canvas.surface.blit(numbered_die(VALUES[face], box.width), box)


VALUES = {"blank": 0, "1": 1, "2": 2, "3": 3}  # what its sides are called where they are taught
KIND = DieKind(
    "stopper",
    mark("Stopper die"),
    STOPPER,
    (("blank", mark("a blank side")), ("1", mark("the 1")), ("2", mark("the 2")), ("3", mark("the 3"))),
    _paint_kind,
)
ENTRY = Entry(
    "stopper",
    mark("Stopper"),
    "stop",
    STOPPER,
    StopperScreen,
    interrupted=lambda context: context.table.stopper is not None,
)
