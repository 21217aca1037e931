"""Two dice, entered by hand: six faces for each. A die that was read wrongly needs one touch."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from pygame import Rect

from companion.language import mark
from companion.screens.base import Back, Step, Widget
from companion.screens.canvas import Canvas, centred, inset
from companion.screens.game import GameScreen
from companion.screens.pause import Overlay

Entered = Callable[[tuple[int, int]], Iterator[Step]]
TITLES = (
    mark("What do the dice show?"),
    mark("What does the missing die show?"),
    mark("Which die is wrong?"),
)


class DiceEntry(Overlay):
    """Asks what the two dice show; `dice` are those that are known: two, to be corrected, one, or none."""

    size = (600, 300)

    def __init__(self, game: GameScreen, entered: Entered, dice: Sequence[int] = ()) -> None:
        super().__init__(game.context, game)
        self.entered = entered
        self.title = TITLES[len(dice)]
        self.faces: list[int | None] = [*dice, None, None][:2]

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Two rows of six faces."""
        plate, gap = self.plate(canvas), canvas.px(14)
        top = plate.y + canvas.px(60)
        wide, high = (plate.width - 2 * gap) // 6, (plate.bottom - gap - top) // 2
        return [
            Widget(
                f"die-{row}-{face}",
                inset(Rect(plate.x + gap + (face - 1) * wide, top + row * high, wide, high), canvas.px(4)),
                partial(self._shows, row, face),
                style="drawn",
            )
            for row in (0, 1)
            for face in range(1, 7)
        ]

    def _shows(self, row: int, face: int) -> Iterator[Step]:
        self.faces[row] = face
        one, other = self.faces
        if one and other:
            yield Back()
            yield from self.entered((one, other))

    def paint(self, canvas: Canvas) -> None:
        """The faces; those that count are in a ring."""
        super().paint(canvas)
        for widget in self.widgets(canvas):
            _, row, face = widget.key.split("-")
            side = min(widget.rect.size)
            box = centred(widget.rect.center, side, side)
            canvas.die(inset(box, canvas.px(7)), int(face))
            if self.faces[int(row)] == int(face):
                canvas.frame(box, self.accent, 4)
