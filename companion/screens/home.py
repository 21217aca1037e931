"""The first screen: what the companion can do, as large cards."""

from collections.abc import Callable, Iterator, Sequence

from pygame import Rect

from companion.games import parts
from companion.language import mark
from companion.screens.base import Context, Entry, Go, Screen, Step, Widget
from companion.screens.canvas import Canvas, inset
from companion.screens.dice import DiceScreen
from companion.screens.settings import SettingsScreen
from companion.screens.stage import body
from companion.screens.theme import DICE, NEUTRAL


def entries() -> list[Entry]:
    """All cards: the dice, whatever the games offer, the settings."""
    found = [Entry("dice", mark("Dice"), "dice", DICE, DiceScreen)]
    for part in parts("screen"):
        found += part.ENTRIES
    return [*found, Entry("settings", mark("Settings"), "gear", NEUTRAL, SettingsScreen)]


class HomeScreen(Screen):
    """Leads everywhere."""

    title = mark("Tabletop Companion")

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.entries = entries()

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """One card an entry, in a row or in a column."""
        return [
            Widget(
                entry.key,
                place,
                self._opens(entry),
                label=self.context.t(entry.title),
                icon=entry.icon,
                colour=entry.accent,
            )
            for entry, place in zip(self.entries, self._places(canvas), strict=True)
        ]

    def _places(self, canvas: Canvas) -> list[Rect]:
        area = inset(body(canvas, self.context), canvas.px(20))
        count, gap = len(self.entries), canvas.px(18)
        if canvas.portrait:
            high = min((area.height - gap * (count - 1)) // count, canvas.px(220))
            top = area.centery - (count * (high + gap) - gap) // 2
            return [Rect(area.x, top + i * (high + gap), area.width, high) for i in range(count)]
        wide = (area.width - gap * (count - 1)) // count
        high = min(area.height, canvas.px(300))
        return [Rect(area.x + i * (wide + gap), area.centery - high // 2, wide, high) for i in range(count)]

    def _opens(self, entry: Entry) -> Callable[[], Iterator[Step]]:
        def act() -> Iterator[Step]:
            yield Go(entry.make(self.context))

        return act


def resumed(context: Context) -> list[Screen]:
    """The screens to open on top of the first one, because something on them was interrupted."""
    return [entry.make(context) for entry in entries() if entry.interrupted(context)]
