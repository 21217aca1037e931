"""What is shown when a computer cannot play on: nothing is lost, and people may play for it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pygame import Rect

from companion.language import mark
from companion.screens.base import Step, Widget
from companion.screens.canvas import Canvas
from companion.screens.pause import Overlay
from companion.screens.playing import PlayingScreen


class StuckScreen(Overlay):
    """A computer that was to move has failed twice; away with this screen lets it try again."""

    title = mark("The computer is stuck")
    size = (520, 320)

    def __init__(self, game: PlayingScreen, player: int) -> None:
        super().__init__(game.context, game)
        self.screen, self.player = game, player

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Play in its stead, or let it try again."""
        t, plate, gap = self.context.t, self.plate(canvas), canvas.px(12)
        half, high = (plate.width - 3 * gap) // 2, canvas.px(84)
        again = Rect(plate.x + gap, plate.bottom - gap - high, half, high)
        return [
            Widget("take-over", again.move(half + gap, 0), self._take_over, label=t("We play for it"),
                   icon="person", style="main"),
            Widget("try-again", again, self.close, label=t("Try again"), icon="again"),
        ]  # fmt: skip

    def _take_over(self) -> Iterator[Step]:
        yield from self.close()
        yield from self.screen.reseat(self.player, replace(self.screen.seats[self.player], plays="person"))

    def paint(self, canvas: Canvas) -> None:
        """Who it is, and that nothing is lost."""
        super().paint(canvas)
        c, plate = canvas, self.plate(canvas)
        text = mark("{name} cannot go on thinking. Nothing is lost; the log has the details.")
        words = Rect(plate.x + c.px(20), plate.y + c.px(64), plate.width - c.px(40), plate.height - c.px(170))
        c.text(self.context.t(text, name=self.screen.name(self.player)), words, 28)
