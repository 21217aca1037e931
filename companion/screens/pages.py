"""What does not fit on a screen lies on pages; signs lead from one to the next."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from pygame import Rect

from companion.events import Sound
from companion.screens.base import Step, Widget
from companion.screens.canvas import Canvas
from companion.screens.theme import FAINT

Content = TypeVar("Content")


class Pages:
    """The `number` of the page that is shown, from 0. `left` is called whenever one is left for another."""

    def __init__(self, left: Callable[[], None] = lambda: None) -> None:
        self.number, self._left = 0, left

    def shown(self, count: int) -> int:
        """Which one of so many is shown: the last one, if it has gone."""
        return max(0, min(self.number, count - 1))

    def of(self, pages: Sequence[Content]) -> Content:
        """What is on the one that is shown."""
        return pages[self.shown(len(pages))]

    def widgets(self, count: int, up: Rect, down: Rect) -> Iterator[Widget]:
        """The ways to the pages beside it; the next one first: that is what the panel points at."""
        number = self.shown(count)
        if number < count - 1:
            yield Widget("down", down, lambda: self._turns(number + 1), icon="down")
        if number > 0:
            yield Widget("up", up, lambda: self._turns(number - 1), icon="up")

    def _turns(self, number: int) -> Iterator[Step]:
        self._left()
        self.number = number
        yield Sound("press")

    def paint(self, canvas: Canvas, box: Rect, count: int) -> None:
        """Which one of how many it is."""
        if count > 1:
            canvas.text(f"{self.shown(count) + 1}/{count}", box, 24, colour=FAINT)
