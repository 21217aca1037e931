"""The live picture of the tiles: one touch, and the eye reads them."""

from collections.abc import Callable, Iterator, Sequence

from pygame import Rect

from companion.events import Event, ReadTiles, Seen, Sound, TilesRead
from companion.eye.tiles import Tile
from companion.language import mark
from companion.screens.base import Back, Screen, Step, Widget
from companion.screens.canvas import Canvas, inset
from companion.screens.game import GameScreen
from companion.screens.live import Frame, paint_frame
from companion.screens.stage import body
from companion.screens.theme import CARD, FAINT, LINE


class TileLook(Screen):
    """Shows what the camera sees; `saw` is given the tiles in the picture that a person finds good."""

    title = mark("Look at the tiles")
    wants_eye = True

    def __init__(self, game: GameScreen, saw: Callable[[tuple[Tile, ...]], Iterator[Step]]) -> None:
        super().__init__(game.context)
        self.accent, self._saw = game.accent, saw
        self.frame: Frame | None = None
        self._reading = False

    def handle(self, event: Event) -> Iterator[Step]:
        """The newest picture is shown, then the one that is being read."""
        if isinstance(event, Seen) and not self._reading:
            self.frame = event.frame
        elif isinstance(event, TilesRead) and self._reading and event.frame is self.frame:
            yield Back()
            yield from self._saw(event.tiles)

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Read the tiles, as soon as there is a picture."""
        if self.frame is None or self._reading or self.context.camera.trouble:
            return []
        box = self._places(canvas)[2]
        label = self.context.t("Read the tiles")
        return [Widget("read", box, self._read, label=label, icon="camera", style="main")]

    def _read(self) -> Iterator[Step]:
        assert self.frame is not None
        self._reading = True
        yield Sound("press")
        yield ReadTiles(self.frame)

    def _places(self, c: Canvas) -> tuple[Rect, Rect, Rect]:
        """The picture, the words, the button."""
        area, gap = inset(body(c), c.px(12)), c.px(12)
        if c.portrait:
            picture = Rect(area.x, area.y, area.width, min(area.width * 3 // 4, area.height // 2))
            rest = Rect(area.x, picture.bottom + gap, area.width, area.bottom - picture.bottom - gap)
        else:
            picture = Rect(area.x, area.y, area.width * 62 // 100, area.height)
            rest = Rect(picture.right + gap, area.y, area.right - picture.right - gap, area.height)
        button = Rect(rest.x, rest.bottom - c.px(84), rest.width, c.px(84))
        return picture, Rect(rest.x, rest.y, rest.width, button.y - gap - rest.y), button

    def paint(self, canvas: Canvas) -> None:
        """The picture, or why there is none; and how to lay the tiles."""
        c, t = canvas, self.context.t
        picture, words, button = self._places(c)
        c.card(picture, CARD, radius=10)
        trouble = None if self._reading else self.context.camera.trouble
        if trouble:
            c.icon("no-camera", Rect(picture.x, picture.y, picture.width, picture.height // 2), FAINT)
            low = Rect(picture.x, picture.centery, picture.width, picture.height // 2)
            c.text(t.say(trouble), inset(low, c.px(16)), 24)
        elif self.frame is None:
            c.icon("camera", inset(picture, picture.height // 3), LINE)
        else:
            paint_frame(c, picture, self.frame)
        if self._reading:
            c.text(t("Reading the tiles …"), button, 26)
        half = words.height // 2
        for number, (sign, line) in enumerate(
            (
                (
                    "again",
                    t("Show the whole board: start and anteaters empty, every other space with its tile."),
                ),
                (
                    "blocks",
                    t("Or lay the next tiles in rows, as you read: the one nearest to the start first."),
                ),
            )
        ):
            row = Rect(words.x, words.y + number * half, words.width, half)
            c.icon(sign, Rect(row.x, row.y, c.px(40), row.height), self.accent)
            c.text(line, Rect(row.x + c.px(50), row.y, row.width - c.px(50), row.height), 23, align="left")
