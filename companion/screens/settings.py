"""The settings that can be touched: one row each, made from the table of settings."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from pygame import Rect

from companion import troubles
from companion.config import OFFERED, Offered
from companion.config.kinds import Number
from companion.events import Set, Sound
from companion.language import mark
from companion.screens.base import Act, Context, Go, Screen, Step, Widget
from companion.screens.calibrate import CalibrateScreen
from companion.screens.canvas import Canvas, inset
from companion.screens.doctor import DoctorScreen
from companion.screens.stage import body, tool
from companion.screens.teach import TeachScreen
from companion.screens.theme import CARD, NEUTRAL

ICONS = {
    "language": "globe",
    "voice": "speech",
    "camera": "camera",
    "stopper_interval_s": "clock",
    "large_text": "letter",
    "high_contrast": "contrast",
    "saver_min": "moon",
}


class SettingsScreen(Screen):
    """A touch changes a value; it is in force and written at once."""

    title = mark("Settings")
    tools = 3

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.camera = context.settings.camera  # as it was when the screen was opened

    def leave(self) -> Iterator[Step]:
        """Another camera sees the tray elsewhere: it is offered to set it up, unless it is."""
        settings = self.context.settings
        another = settings.camera != self.camera and not troubles.is_file(settings.camera)
        if another and settings.tray is None:
            yield from self._calibrates()

    def _calibrates(self) -> Iterator[Step]:
        """Set the camera up; whoever has been there is not led there again."""
        self.camera = self.context.settings.camera
        yield Go(CalibrateScreen(self.context))

    def _rows(self, c: Canvas) -> list[Rect]:
        area = inset(body(c), c.px(12))
        gap = c.px(8)
        high = min((area.height - gap * (len(OFFERED) - 1)) // len(OFFERED), c.px(96))
        return [Rect(area.x, area.y + i * (high + gap), area.width, high) for i in range(len(OFFERED))]

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Minus and plus for a number, one button that goes round for a choice; the dice in the header."""
        rows = [
            w
            for setting, row in zip(OFFERED, self._rows(canvas), strict=True)
            for w in self._row(canvas, setting, row)
        ]
        tools: dict[str, Act] = {
            "teach": partial(self._opens, TeachScreen),
            "corners": self._calibrates,
            "pulse": partial(self._opens, DoctorScreen),
        }
        return rows + [
            Widget(icon, tool(canvas, i), act, icon=icon, style="quiet")
            for i, (icon, act) in enumerate(tools.items(), 1)
        ]

    def _opens(self, kind: Callable[[Context], Screen]) -> Iterator[Step]:
        yield Go(kind(self.context))

    def _row(self, c: Canvas, setting: Offered, row: Rect) -> list[Widget]:
        value = _value(c, row)
        if not isinstance(setting.kind, Number):
            turn, shown = partial(self._steps, setting, 1), self._shown(setting)
            return [Widget(setting.key, value, turn, label=shown, icon="again", means=shown)]
        wide = value.width * 5 // 16
        less, more = Rect(value.x, row.y, wide, row.height), Rect(value.right - wide, row.y, wide, row.height)
        return [
            Widget(f"{setting.key}-less", less, partial(self._steps, setting, -1), icon="minus"),
            Widget(f"{setting.key}-more", more, partial(self._steps, setting, 1), icon="plus"),
        ]

    def _shown(self, setting: Offered) -> str:
        if setting.key == "saver_min" and not self.context.settings.saver_min:
            return self.context.t("off")
        return self.context.t.say(setting.kind.show(getattr(self.context.settings, setting.key)))

    def _steps(self, setting: Offered, by: int) -> Iterator[Step]:
        before = getattr(self.context.settings, setting.key)
        after = setting.kind.step(before, by, getattr(self.context.own, setting.key))
        if after != before:
            yield Set(setting.key, after)
        yield Sound("press" if after != before else "refused")

    def paint(self, canvas: Canvas) -> None:
        """The name of each setting, and the value between minus and plus."""
        c = canvas
        for setting, row in zip(OFFERED, self._rows(c), strict=True):
            c.card(row, CARD, shade=False)
            side = min(c.px(40), row.height - c.px(12))
            c.icon(ICONS[setting.key], Rect(row.x + c.px(14), row.centery - side // 2, side, side), NEUTRAL)
            value = _value(c, row)
            name = Rect(row.x + c.px(62), row.y, value.x - row.x - c.px(70), row.height)
            c.text(self.context.t(setting.title), name, 26, align="left")
            if isinstance(setting.kind, Number):
                c.text(self._shown(setting), value, 28, face="title")


def _value(c: Canvas, row: Rect) -> Rect:
    """Where the value of a row stands, with its buttons."""
    wide = c.px(240 if c.portrait else 380)
    return Rect(row.right - wide, row.y, wide, row.height)
