"""The stack of screens: draws the topmost one and turns touches and the panel into its acts."""

import math
from collections.abc import Iterable, Iterator, Sequence

from pygame import Rect, Surface

from companion.events import ButtonName, Effect, Event, Hold, LampName, Press, Thoughts, Touch, Typed
from companion.eye.taught import Taught
from companion.language import Message
from companion.screens import art
from companion.screens.base import Back, Context, Go, Home, Screen, Step, Widget
from companion.screens.canvas import Canvas, Look, centred, inset, roomy
from companion.screens.notices import NoticesScreen, show
from companion.screens.theme import CARD, INK, LINE, TABLE, TABLE_EDGE, WARN, Rgb
from companion.screens.volume import VolumeScreen

HEADER = 64  # units
TOOL = 68  # units that a sign in the header takes
BESIDE = ""  # the key of what lies beside an overlay
LATE = "late"  # what a touch means that was meant for something else
TOAST = "toast"  # that of a new notice
SHIFT_S = 20.0  # seconds after which the picture of the screen saver moves
BOUNCE_S = 0.05  # seconds in which a finger that was lifted bounces, and means nothing by it
SETTLE_S = 0.4  # seconds in which a touch may still be meant for what was there before
TOAST_S = 8.0  # seconds for which a new notice is shown over the screen


def body(canvas: Canvas) -> Rect:
    """The part of the canvas that belongs to the screen: below the header."""
    top = canvas.px(HEADER)
    return Rect(0, top, canvas.width, canvas.height - top)


def tool(canvas: Canvas, number: int) -> Rect:
    """The place of a sign in the header, counted from the right; number 0 is that of the volume."""
    wide = canvas.px(TOOL)
    return Rect(canvas.width - (number + 1) * wide, 0, wide, canvas.px(HEADER))


def title_box(canvas: Canvas, tools: int) -> Rect:
    """The part of the header between the way back and a screen's own signs."""
    left, right = canvas.px(TOOL), canvas.px(TOOL) * (1 + tools)
    return Rect(left, 0, canvas.width - left - right, canvas.px(HEADER))


class Stage:
    """Which screens are open, which widget is pressed and which one the panel points at."""

    def __init__(self, context: Context, screens: Sequence[Screen], surface: Surface) -> None:
        self.context = context
        self.stack = list(screens)
        self.look_at(surface)
        self.pressed: str | None = None
        self._by_panel = False  # whether the panel's buttons were used last, not a finger
        self._walked: dict[Screen, str] = {}  # to which widget they have gone on each screen
        self._confirmed = -math.inf  # when the confirm button has come to do something else
        self._down = (0, 0)  # where the finger was put down, and ...
        self._meant: object = None  # ... what that meant
        self._touched = (-math.inf, "")  # when it was lifted from what
        self._pressed_on: Screen | None = None  # the screen on which a button went down
        self._dragging = False
        self._active = context.now  # when somebody last did something
        self._told: list[tuple[Message, float]] = []  # the notices, and when each was first seen
        self._gone: list[tuple[float, list[Widget]]] = []  # when something else was offered, and what before
        self._seen = context.now  # when the last picture could be seen
        self._swallowing = False  # the touch or press that has woken the screen may still go on
        self._offered = self.widgets()
        self._does = self._confirms(self._offered)

    def look_at(self, surface: Surface) -> None:
        """Draw on a surface from now on, as the settings want it."""
        settings = self.context.settings
        self.canvas = Canvas(roomy(surface), Look(settings.large_text, settings.high_contrast))

    @property
    def saver(self) -> int | None:
        """How often the picture of the screen saver has moved; None while the screen is awake."""
        minutes = self.context.settings.saver_min
        asleep = self.context.now - self._active - 60 * minutes
        return int(asleep / SHIFT_S) if minutes and asleep >= 0 else None

    @property
    def top(self) -> Screen:
        """The screen that is shown and gets the events."""
        return self.stack[-1]

    @property
    def wants_eye(self) -> bool:
        """Whether any part of what is shown looks at the camera."""
        return self._looking.wants_eye

    @property
    def awaited_die(self) -> Taught | None:
        """The dice without pips that are awaited, if they have been taught."""
        return self._looking.awaited_die

    @property
    def awaits_throw(self) -> bool:
        """Whether the screen that looks at the camera awaits a throw now."""
        return self._looking.awaits_throw

    @property
    def dice_awaited(self) -> int | None:
        """How many dice are awaited by the screen that looks at the camera."""
        return self._looking.dice_awaited

    @property
    def _looking(self) -> Screen:
        """The screen that looks at the camera, if any does: what lies above another never does."""
        return self.stack[-2] if self.top.overlay else self.top

    def start_over(self, first: Screen) -> None:
        """Leave everything behind."""
        self.stack, self.pressed, self._by_panel, self._walked = [first], None, False, {}

    @property
    def focus(self) -> str | None:
        """What the panel points at: where its buttons have gone, else the main button, else the first one,
        unless the confirm button answers what a screen asks.
        """
        pointed = self._pointed(self.widgets())
        return pointed.key if pointed else None

    def _pointed(self, widgets: Sequence[Widget]) -> Widget | None:
        """As `focus`, of what can be touched now."""
        if not self._by_panel:
            return None
        widgets = [widget for widget in widgets if not widget.by_finger]
        walked = next((widget for widget in widgets if widget.key == self._walked.get(self.top)), None)
        first = None if self.top.confirm_answers is not None else next(iter(widgets), None)
        return walked or _main(widgets) or first

    def _confirms(self, widgets: Sequence[Widget]) -> tuple[object, ...]:
        """What the confirm button does now, of what can be touched."""
        widget = self._pointed(widgets) or _main(widgets)
        return self.top, self.top.confirm_answers, widget and (widget.key, widget.means)

    def widgets(self) -> list[Widget]:
        """All that can be touched now: what the screen has, its notices, the way back."""
        widgets = list(self.top.widgets(self.canvas))
        if not self.top.overlay:
            if self.toast:  # it takes the touch of what lies below it
                widgets.insert(0, Widget(TOAST, self._toast_box, self._notices, style="drawn"))
            if self.context.notices:
                box = tool(self.canvas, 1 + self.top.tools)
                widgets.append(
                    Widget("notices", box, self._notices, icon="warning", style="quiet", colour=WARN)
                )
            if self.top.audible:
                box = tool(self.canvas, 0)
                widgets.append(Widget("volume", box, self._volume, icon=self._loudness(), style="quiet"))
        if len(self.stack) > 1 and not self.top.overlay:
            box, label = Rect(0, 0, self._left, self.canvas.px(HEADER)), self.context.t("Back")
            label = "" if self.top.tools else label
            widgets.append(Widget("back", box, self._back, label=label, icon="back", style="quiet"))
        return widgets

    @property
    def _left(self) -> int:
        """How many pixels of the header the way back takes."""
        return self.canvas.px(TOOL if self.top.tools else 150)

    def _loudness(self) -> str:
        return "speaker" if self.context.settings.volume else "mute"

    def _volume(self) -> Iterator[Step]:
        yield Go(VolumeScreen(self.context))

    def handle(self, event: Event) -> list[Effect]:
        """Everything that follows from an event; walking between screens is done here already.

        What wakes a dark screen does nothing else.
        """
        by_hand = isinstance(event, Touch | Press | Hold | Typed)
        if by_hand:
            asleep, goes_on = self.saver is not None, isinstance(event, Hold)
            goes_on |= isinstance(event, Touch) and event.phase != "down"
            self._active, self._swallowing = self.context.now, asleep or (self._swallowing and goes_on)
            if self._swallowing:
                return []
        top = self.top
        effects = list(self._follow(self._answer(event)))
        if effects:
            self._active = self.context.now
        if effects or self.top is not top:
            self._remember(self.widgets(), knowingly=by_hand and event != Press("confirm"))
        return effects

    def _remember(self, offered: list[Widget], knowingly: bool = False) -> None:
        """Keep for a moment what could be touched before: a second tap may still be meant for that. So may a
        press of confirm for what that did, unless a person has changed it `knowingly`.
        """
        now, does = self.context.now, self._confirms(offered)
        if does != self._does and not knowingly:
            self._confirmed = now
        self._does = does
        if self.top.overlay:  # a touch beside all closes it
            offered = [*offered, Widget(BESIDE, self.canvas.rect, self._back)]
        if [(w.key, w.means) for w in offered] != [(w.key, w.means) for w in self._offered]:
            recent = [(since, widgets) for since, widgets in self._gone if now - since < SETTLE_S]
            self._gone = [*recent, (now, self._offered)]
            self._offered = offered

    def _too_late(self, widget: Widget | None, point: tuple[int, int] | None = None) -> bool:
        """Whether it meant something else until a moment ago, or something else could be touched at this
        point, at which there may be nothing now; or a finger bounces there.
        """
        (when, touched), key = self._touched, widget.key if widget else BESIDE
        if point and key == touched and self.context.now - when < BOUNCE_S:
            return True
        for since, widgets in self._gone:
            if self.context.now - since < SETTLE_S:
                same = next((w for w in widgets if w.key == key), None)
                under = next((w for w in widgets if point and w.rect.collidepoint(point)), None)
                if (same and widget and same.means != widget.means) or (under and under.key != key):
                    return True
        return False

    def _answer(self, event: Event) -> Iterable[Step]:
        if isinstance(event, Touch):
            return self._touch(event)
        if isinstance(event, Press):
            self._pressed_on = self.top
            return self._press(event.button)
        if isinstance(event, Hold) and event.button == "back":
            at_home = len(self.stack) == 1 and self._pressed_on is self.top
            return self._deliver(event) if at_home else [Home()]  # it has led home already
        return self._deliver(event)

    def _deliver(self, event: Event) -> Iterator[Step]:
        """What the eye sees reaches the screen below an overlay too; a thought, whoever has asked for it."""
        if isinstance(event, Thoughts):
            for screen in self.stack:
                yield from screen.handle(event)
            return
        over = self.top
        if over.overlay:
            for step in self.stack[-2].handle(event):
                if isinstance(step, Go | Back) and self.top is over:  # what lies over what is left closes
                    yield Back()
                yield step
            if not self.top.overlay:
                return
        yield from self.top.handle(event)

    def _follow(self, steps: Iterable[Step]) -> Iterator[Effect]:
        for step in steps:
            if isinstance(step, Go):
                self._turn([*self.stack, step.screen])
            elif isinstance(step, Back | Home):
                yield from self._close(1 if isinstance(step, Home) else max(1, len(self.stack) - 1))
            else:
                yield step

    def _close(self, keep: int) -> Iterator[Effect]:
        closed = self.stack[keep:]
        self._turn(self.stack[:keep])
        for screen in reversed(closed):
            yield from self._follow(screen.leave())

    def _turn(self, stack: list[Screen]) -> None:
        self._lets_go()
        self.context.box.look_again()
        self.stack, self.pressed = stack, None
        for screen in stack:
            screen.covered = screen is not self.top
        self._walked = {screen: key for screen, key in self._walked.items() if screen in stack}

    def _touch(self, touch: Touch) -> Iterable[Step]:
        point = (round(touch.x), round(touch.y))
        widgets = self.widgets()
        if touch.phase == "down":
            self._lets_go()
            self._down, self._by_panel, self._walked = point, False, {}
            under = next((w for w in widgets if w.rect.collidepoint(point)), None)
            late = self._too_late(under, point)
            self._meant = LATE if late else under and under.means
            self.pressed = under.key if under and (under.drag or not late) else None  # a drag is meant
            return [Back()] if under is None and self.top.overlay and not late else []
        slack = self.canvas.px(12)  # a finger rolls a little
        held = next((w for w in widgets if w.key == self.pressed), None)
        if held and held.drag and (self._dragging or math.dist(point, self._down) > slack):
            self._dragging = touch.phase == "move"
            self.pressed = self.pressed if self._dragging else None
            return held.drag(*point, not self._dragging)
        if touch.phase == "move":
            return []
        self.pressed = None
        if not held or not held.rect.inflate(slack, slack).collidepoint(point) or held.means != self._meant:
            return []
        self._touched = self.context.now, held.key
        return held.act()

    def _lets_go(self) -> None:
        """The finger that has dragged something counts no more."""
        if self._dragging:
            self._dragging = False
            self.top.let_go()

    def _press(self, button: ButtonName) -> Iterable[Step]:
        if button == "confirm" and self.context.now - self._confirmed < SETTLE_S:
            return []  # the press may still be meant for what the button did before
        pointed = self._pointed(self.widgets())
        if button == "confirm" and pointed:  # what the ring is around goes before what the screen would do
            return self._act(pointed)
        own = self.top.press(button)
        if own is not None:
            return own
        if button in ("left", "right"):
            self._walk(1 if button == "right" else -1)
        elif button == "confirm":
            main = _main(self.widgets())
            if main:
                return self._act(main)
            self._walk(1)
        elif button == "back" and len(self.stack) > 1:
            return [Back()]
        return []

    def _act(self, widget: Widget) -> Iterable[Step]:
        """What a button of the panel does with a widget."""
        return [] if self._too_late(widget) else widget.act()

    def _walk(self, by: int) -> None:
        widgets = self.widgets()
        keys, pointed = [w.key for w in widgets if not w.by_finger], self._pointed(widgets)
        if pointed:
            self._walked[self.top] = keys[(keys.index(pointed.key) + by) % len(keys)]
        elif keys:
            self._walked[self.top] = keys[0] if by > 0 else keys[-1]
        self._by_panel, self._confirmed = True, -math.inf
        self._does = self._confirms(widgets)

    def _back(self) -> Iterator[Step]:
        yield Back()

    def _notices(self) -> Iterator[Step]:
        yield Go(NoticesScreen(self.context))

    @property
    def toast(self) -> Message | None:
        """A notice that is new: it is shown over the screen for some seconds."""
        now, before = self.context.now, self._told
        self._told = [
            (notice, next((since for old, since in before if old == notice), now))
            for notice in self.context.notices
        ]
        return next((notice for notice, since in self._told if now - since < TOAST_S), None)

    @property
    def _toast_box(self) -> Rect:
        c = self.canvas
        return Rect(c.px(10), c.px(HEADER), c.width - c.px(20), c.px(84 if c.portrait else 62))

    def lamps(self) -> dict[ButtonName, LampName]:
        """A lamp is lit while its button would do something."""
        walk: LampName = "on" if len(self.widgets()) > 1 else "off"
        lit: dict[ButtonName, LampName] = {
            "confirm": "on",
            "left": walk,
            "right": walk,
            "undo": "off",
            "back": "on" if len(self.stack) > 1 else "off",
        }
        lit |= self.top.lamps()
        if lit["confirm"] == "off" and self.focus:  # what the ring is around goes first
            lit["confirm"] = "on"
        return lit

    @property
    def animating(self) -> bool:
        """Whether anything that is shown moves by itself."""
        return any(screen.animating for screen in self._shown())

    def _shown(self) -> Sequence[Screen]:
        return self.stack[-2:] if self.top.overlay else self.stack[-1:]

    def draw(self) -> None:
        """Draw the whole picture on the surface."""
        c = self.canvas
        if self.saver is not None:
            self._draw_saver(self.saver)
            return
        c.surface.blit(art.table(c.width, c.height, c.look.tone(TABLE), c.look.tone(TABLE_EDGE)), (0, 0))
        for screen in self._shown():
            if screen.overlay:
                c.surface.blit(art.veil(c.width, c.height), (0, 0))
            else:
                self._header(screen)
            screen.paint(c)
        widgets = self.widgets()
        self._remember(widgets)  # what has changed by itself is seen from now on
        pointed = self._pointed(widgets)
        for widget in sorted(widgets, key=lambda each: each.key == TOAST):  # it covers what lies below it
            if widget.key == TOAST and self.toast:
                show(c, widget.rect, self.context.t.say(self.toast))
            pressed = widget.key == self.pressed and not self._dragging
            paint_widget(c, widget, self.top.accent, pressed, widget is pointed)

    def was_shown(self) -> None:
        """What was drawn last can be seen from now on: only now begins the moment in which a touch may still
        be meant for what was there before, however long it took to come.
        """
        now = self.context.now
        self._gone = [(now if since > self._seen else since, widgets) for since, widgets in self._gone]
        self._confirmed = now if self._confirmed > self._seen else self._confirmed
        self._seen = now

    def _draw_saver(self, moved: int) -> None:
        """A dark screen with a small sign that wanders, so that nothing burns in."""
        c, side = self.canvas, self.canvas.px(72)
        c.surface.fill((0, 0, 0))
        x = (moved * 37 % 100) * (c.width - side) // 100
        y = (moved * 61 % 100) * (c.height - side) // 100
        c.icon("dice", Rect(x, y, side, side), LINE)

    def _header(self, screen: Screen) -> None:
        c = self.canvas
        signs = bool(self.context.notices)
        if screen.tools:
            title = title_box(c, screen.tools + signs)
        else:  # then it stands in the middle of the screen
            margin = max(c.px(TOOL) * (1 + signs), self._left if len(self.stack) > 1 else 0)
            title = Rect(margin, 0, c.width - 2 * margin, c.px(HEADER))
        screen.paint_title(c, title)


def _main(widgets: Iterable[Widget]) -> Widget | None:
    """The main button."""
    return next((widget for widget in widgets if widget.style == "main"), None)


def paint_widget(c: Canvas, widget: Widget, accent: Rgb, pressed: bool, focused: bool) -> None:
    """A widget: its plate, its sign, its words, the haze that a finger on it leaves, and the ring that shows
    where the panel points: white between two dark ones, so that it is seen on every ground.
    """
    box = widget.rect.move(0, c.px(2)) if pressed else widget.rect
    if widget.style in ("plain", "main"):
        fill = accent if widget.style == "main" else CARD
        c.card(box, fill, edge=None if widget.style == "main" else LINE)
    if widget.style != "drawn":
        ink = TABLE_EDGE if widget.style == "main" else INK
        _sign_and_words(c, widget, inset(box, c.px(8)), ink, widget.colour or ink)
    if pressed:
        c.haze(box if widget.style != "drawn" else widget.rect)
    if widget.hinted:
        c.hint(widget.rect)
    if focused:
        c.frame(widget.rect, TABLE_EDGE, 8)
        c.frame(inset(widget.rect, c.px(2)), INK, 4)


def _sign_and_words(c: Canvas, widget: Widget, box: Rect, ink: Rgb, sign: Rgb) -> None:
    if not widget.icon:
        c.text(widget.label, box, 26, face="bold", colour=ink)
    elif not widget.label:
        side = min(box.width, box.height, c.px(64))
        place = centred(box.center, side, side)
        c.icon(widget.icon, place, sign)
    elif box.height > min(1.1 * box.width, c.px(110)) or _squeezed(c, widget.label, box):
        words = min(c.px(44), box.height // 3)
        c.icon(widget.icon, inset(Rect(box.x, box.y, box.width, box.height - words), c.px(4)), sign)
        c.text(widget.label, Rect(box.x, box.bottom - words, box.width, words), 28, face="bold", colour=ink)
    else:
        side, room = _beside(c, box)
        wide = c.text_width(widget.label, room, 24, face="bold")
        left = box.centerx - (box.width - room.width + wide) // 2  # both together stand in the middle
        c.icon(widget.icon, Rect(left, box.centery - side // 2, side, side), sign)
        room = Rect(left + box.width - room.width, box.y, wide + 2, box.height)
        c.text(widget.label, room, 24, face="bold", colour=ink)


def _beside(c: Canvas, box: Rect) -> tuple[int, Rect]:
    """The side of a sign at the left end of a box, and the room for words beside it."""
    side, gap = min(c.px(34), box.height), c.px(10)
    return side, Rect(box.x + side + gap, box.y, box.width - side - gap, box.height)


def _squeezed(c: Canvas, words: str, box: Rect) -> bool:
    """Whether the longest word has more room below the sign than beside it, and needs that."""
    if 2 * box.height <= box.width:
        return False
    line = Rect(0, 0, c.width, box.height)
    longest = max(c.text_width(word, line, 24, face="bold") for word in words.split())
    return longest > 1.3 * _beside(c, box)[1].width
