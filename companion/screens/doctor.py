"""How the machine is: a line for each thing that was looked at, the worst first; and the buttons."""

import math
from collections.abc import Iterator, Sequence

from pygame import Rect

from companion.doctor import camera as eye
from companion.doctor.findings import Finding, Health
from companion.events import ButtonName, Event, Examine, Examined, LampName, Seen, Sound, Tick
from companion.eye.throws import State
from companion.language import mark
from companion.screens.base import Context, Screen, Step, Widget
from companion.screens.canvas import Canvas, centred, inset
from companion.screens.pages import Pages
from companion.screens.stage import body
from companion.screens.theme import CARD, CARD_PRESSED, DICE, FAINT, INK, LINE, STOP, WARN, Rgb
from companion.tray.drift import kept, reference
from companion.tray.light import LightMeter
from companion.tray.region import Tray

SIGNS: dict[Health, tuple[str, Rgb]] = {
    Health.BAD: ("cross", STOP),
    Health.WARN: ("warning", WARN),
    Health.OK: ("ok", DICE),
}
ORDER = tuple(SIGNS)
EVERY = 1.0  # seconds between two looks at the camera's picture
LINE_UNITS, TODO_UNITS = 46, 96  # how high a line is, without and with what to do ...
UPRIGHT = 1.6  # ... and by how much higher where there is less room beside it
BUTTONS: dict[ButtonName, str] = {
    "confirm": "ok",
    "back": "back",
    "left": "left",
    "right": "right",
    "undo": "undo",
}


class DoctorScreen(Screen):
    """Reads like a list. A button that is pressed lights up; from then on it does what it does elsewhere."""

    title = mark("How is the machine?")
    wants_eye = True

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.machine: tuple[Finding, ...] = ()
        self.camera: tuple[Finding, ...] = ()
        self.pressed: set[ButtonName] = set()
        self.pages = Pages()
        self.meter = LightMeter()
        self._reference = kept(reference(context.data, context.settings.camera))
        self._asked = False
        self._due = -math.inf
        self._counted: tuple[float, int] | None = None  # when the first picture was seen, and its number

    @property
    def findings(self) -> list[Finding]:
        """All that is known so far, the worst first."""
        camera = tuple(self._no_pictures()) or self.camera
        return sorted((*camera, *self.machine), key=lambda each: ORDER.index(each.health))

    def _no_pictures(self) -> Iterator[Finding]:
        trouble = self.context.camera.trouble
        if trouble:
            yield Finding("camera", Health.WARN, trouble)

    # what happens

    def handle(self, event: Event) -> Iterator[Step]:
        """The answers come one after the other."""
        if isinstance(event, Tick) and not self._asked:
            self._asked = True
            yield Examine()
        elif isinstance(event, Examined):
            self.machine = event.findings
            yield Sound("press")
        elif isinstance(event, Tick) and self.context.camera.trouble:  # what was seen before is over
            self.camera, self._counted, self.meter, self._due = (), None, LightMeter(), -math.inf
        elif isinstance(event, Seen):
            flaws = self.meter.see(event.frame, self._tray, event.state is not State.MOVING)
            if self.context.now >= self._due:
                self._due = self.context.now + EVERY
                light = eye.light(flaws, event.frame, self._tray)
                self.camera = (*self._pace(), *light, self._in_view(event))

    @property
    def _tray(self) -> Tray | None:
        return Tray.of(self.context.settings.tray)

    def _in_view(self, seen: Seen) -> Finding:
        return eye.tray_in_view(seen.frame, self._tray, self._reference)

    def _pace(self) -> Iterator[Finding]:
        """How many pictures have come since the first look."""
        now, count = self.context.now, self.context.camera.pictures
        since, first = self._counted = self._counted or (now, count)
        if now - since >= EVERY:
            yield eye.rate(count - first, now - since)

    def press(self, button: ButtonName) -> Iterator[Step] | None:
        """Every button lights up once."""
        return None if button in self.pressed else self._lights_up(button)

    def _lights_up(self, button: ButtonName) -> Iterator[Step]:
        self.pressed.add(button)
        yield Sound("press")

    @property
    def confirm_answers(self) -> object:
        """As long as it has not lit up, too."""
        return None if "confirm" in self.pressed else "confirm"

    def lamps(self) -> dict[ButtonName, LampName]:
        """Those that were not pressed yet blink."""
        return {button: "on" if button in self.pressed else "blink" for button in BUTTONS}

    # where things are

    def _places(self, c: Canvas) -> tuple[Rect, Rect]:
        """The list, and the buttons below."""
        area = inset(body(c), c.px(12))
        strip = Rect(area.x, area.bottom - c.px(76), area.width, c.px(76))
        return Rect(area.x, area.y, area.width - c.px(76), strip.y - area.y - c.px(10)), strip

    def _pages(self, c: Canvas) -> list[list[tuple[Finding, Rect]]]:
        """The lines of every page, with their places."""
        box, pages, y = self._places(c)[0], list[list[tuple[Finding, Rect]]](), math.inf
        for finding in self.findings:
            units = TODO_UNITS if finding.todo else LINE_UNITS
            high = c.px(units * UPRIGHT if c.portrait else units)
            if y + high > box.bottom:
                pages.append([])
                y = box.y
            pages[-1].append((finding, Rect(box.x, int(y), box.width, high)))
            y += high + c.px(6)
        return pages or [[]]

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """To the other pages."""
        c, box, side = canvas, self._places(canvas)[0], canvas.px(64)
        left = c.rect.right - c.px(12) - side
        up, down = Rect(left, box.y, side, side), Rect(left, box.bottom - side, side, side)
        return list(self.pages.widgets(len(self._pages(c)), up, down))

    # what is shown

    def paint(self, canvas: Canvas) -> None:
        """The lines of this page, and the buttons."""
        c, (box, strip) = canvas, self._places(canvas)
        pages = self._pages(c)
        if not self.findings:
            c.text(self.context.t("I am looking …"), box, 30, colour=FAINT)
        for finding, row in self.pages.of(pages):
            self._paint_line(c, finding, row)
        self.pages.paint(c, Rect(box.right, box.centery - c.px(20), c.px(76), c.px(40)), len(pages))
        self._paint_buttons(c, strip)

    def _paint_line(self, c: Canvas, finding: Finding, row: Rect) -> None:
        icon, colour = SIGNS[finding.health]
        c.card(row, CARD, radius=8, edge=LINE if finding.todo else None, shade=False)
        side = c.px(30)
        c.icon(icon, Rect(row.x + c.px(10), row.centery - side // 2, side, side), colour)
        words = Rect(row.x + c.px(52), row.y + c.px(2), row.width - c.px(60), row.height - c.px(4))
        if finding.todo is None:
            c.text(self.context.t.say(finding.what), words, 22, align="left")
            return
        upper = Rect(words.x, words.y, words.width, words.height * (34 if c.portrait else 46) // 100)
        c.text(self.context.t.say(finding.what), upper, 22, face="bold", align="left", colour=INK)
        lower = Rect(words.x, upper.bottom, words.width, words.bottom - upper.bottom)
        c.text(self.context.t.say(finding.todo), lower, 21, align="left", colour=FAINT)

    def _paint_buttons(self, c: Canvas, strip: Rect) -> None:
        """The panel as it stands: round buttons; one that was pressed is filled, and ticked."""
        wide = min(c.px(190), strip.width // 3)
        words = Rect(strip.x, strip.y, wide, strip.height)
        text = self.context.t("Press the buttons: each one lights up.")
        c.text(text, words, 21, align="left", colour=FAINT)
        step = (strip.width - wide) // len(BUTTONS)
        for number, (button, icon) in enumerate(BUTTONS.items()):
            box = Rect(strip.x + wide + number * step, strip.y, step, strip.height)
            radius, done = min(c.px(30), step * 2 // 5), button in self.pressed
            middle = (box.centerx, box.y + radius + c.px(2))
            c.disc(middle, radius, INK if done else LINE)
            c.disc(middle, radius - c.px(3), DICE if done else CARD_PRESSED)
            sign = centred(middle, radius, radius)
            c.icon(icon, sign, (20, 20, 24) if done else INK)
            if done:
                c.tick(Rect(middle[0] + radius // 2, middle[1] + radius // 4, c.px(24), c.px(24)))
