"""The first screen: the games as large cards, the dice and what else there is."""

from collections.abc import Iterator, Sequence
from functools import partial

from pygame import Rect

from companion.events import Event, Hold
from companion.games import parts
from companion.language import mark
from companion.screens.base import Context, Entry, Go, Screen, Step, Widget
from companion.screens.canvas import Canvas, inset
from companion.screens.dice import DiceScreen
from companion.screens.power import PowerScreen
from companion.screens.settings import SettingsScreen
from companion.screens.stage import body, tool
from companion.screens.statistics import StatisticsScreen
from companion.screens.theme import DICE, NEUTRAL


def entries() -> list[Entry]:
    """All cards: whatever the games offer, the dice, the settings."""
    found = [each for part in parts("screen") for each in part.ENTRIES if each.home]
    found.sort(key=lambda each: each.kind is None)
    return [
        *found,
        Entry("dice", mark("Dice"), "dice", DICE, DiceScreen),
        Entry("statistics", mark("Statistics"), "chart", NEUTRAL, StatisticsScreen),
        Entry("settings", mark("Settings"), "gear", NEUTRAL, SettingsScreen),
    ]


class HomeScreen(Screen):
    """Leads everywhere."""

    title = mark("Tabletop Companion")

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.entries = entries()
        self.tools = int(context.can_switch_off)

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """One card an entry; the way out, where the machine is ours."""
        cards = [
            Widget(
                entry.key,
                place,
                partial(self._opens, entry),
                label=self.context.t(entry.title),
                icon=entry.icon,
                colour=entry.accent,
            )
            for entry, place in zip(self.entries, self._places(canvas), strict=True)
        ]
        return [*cards, *self._power(canvas)]

    def _power(self, c: Canvas) -> list[Widget]:
        if not self.context.can_switch_off:
            return []
        return [Widget("power", tool(c, 1), self._offers, icon="power", style="quiet")]

    def handle(self, event: Event) -> Iterator[Step]:
        """Back that is held where nothing lies behind offers to switch off."""
        if isinstance(event, Hold) and event.button == "back" and self.context.can_switch_off:
            yield from self._offers()

    def _offers(self) -> Iterator[Step]:
        yield Go(PowerScreen(self.context))

    def _places(self, c: Canvas) -> list[Rect]:
        """The games large, what else there is in a row below."""
        area, gap = inset(body(c), c.px(14)), c.px(12)
        games = sum(entry.kind is not None for entry in self.entries)
        others = len(self.entries) - games
        columns, across = (1, 2) if c.portrait else (max(1, games), max(1, others))
        low = c.px(92) * -(-others // across)
        upper = Rect(area.x, area.y, area.width, area.height - low - gap)
        lower = Rect(area.x, area.bottom - low, area.width, low)
        return [*_table(upper, games, columns, gap), *_table(lower, others, across, gap)]

    def _opens(self, entry: Entry) -> Iterator[Step]:
        yield Go(entry.make(self.context))


def _table(box: Rect, count: int, columns: int, gap: int) -> list[Rect]:
    """Places in rows that fill the box."""
    wide = (box.width - gap * (columns - 1)) // columns
    rows = max(1, -(-count // columns))
    high = (box.height - gap * (rows - 1)) // rows
    return [
        Rect(box.x + i % columns * (wide + gap), box.y + i // columns * (high + gap), wide, high)
        for i in range(count)
    ]


def resumed(context: Context) -> list[Screen]:
    """The screens to open on top of the first one, because something on them was interrupted."""
    found = [each for part in parts("screen") for each in part.ENTRIES if each.interrupted(context)]
    return [each.make(context) for each in found][:1]
