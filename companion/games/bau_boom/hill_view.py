"""What is to be built on a hill or is paid from it, large: a card has room for a small picture only."""

from collections.abc import Iterator, Sequence

from pygame import Rect

from companion.events import ButtonName
from companion.games.bau_boom import paint
from companion.games.bau_boom.hill import Place
from companion.games.bau_boom.layout import pyramid
from companion.games.bau_boom.steps import Card
from companion.games.bau_boom.story import BauGame
from companion.language import mark
from companion.screens.base import Step, Widget
from companion.screens.canvas import Canvas, inset
from companion.screens.pause import Overlay
from companion.screens.theme import FAINT, WARN


class HillView(Overlay):
    """The hill of a card with the new tiles in frames, or a cross at what is paid, and one sentence. Any
    touch closes it.
    """

    size = (600, 360)

    def __init__(self, game: BauGame, card: Card) -> None:
        super().__init__(game.context, game)
        self.bau, self.card = game, card
        self.paid = card.places if card.sign == "back" else ()
        self.title = mark("Back it goes") if self.paid else mark("Build it like this")

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """The whole plate: a touch anywhere."""
        return [Widget("close", self.plate(canvas), self.close, style="drawn")]

    def press(self, button: ButtonName) -> Iterator[Step] | None:
        """The button that confirms closes it, too."""
        return self.close() if button == "confirm" else None

    def _places(self, c: Canvas) -> tuple[Rect, Rect]:
        """The hill, and the sentence beside it."""
        plate, gap = self.plate(c), c.px(16)
        room = inset(Rect(plate.x, plate.y + c.px(48), plate.width, plate.height - c.px(48)), gap)
        hill = Rect(room.x, room.y, room.width * 55 // 100, room.height)
        return hill, Rect(hill.right + gap, room.y, room.right - hill.right - gap, room.height)

    def squares(self, c: Canvas) -> dict[Place, Rect]:
        """Where each place of the hill is."""
        return pyramid(self._places(c)[0], self.bau.position.options.size(self.card.player))

    def paint(self, canvas: Canvas) -> None:
        """The way back; the hill, a sign at each tile that has to be taken from the container first."""
        super().paint(canvas)
        c, t, player = canvas, self.context.t, self.card.player
        position, fetched = self.bau.position, self.bau.fetched(self.card)
        hill, words = self._places(c)
        plan, covered = position.options.plan(player), position.covered[player]
        paint.hill(c, hill, plan, covered.union(self.paid), self.card.places)
        squares = self.squares(c)
        for place in fetched:
            paint.to_fetch(c, squares[place])
        for place in self.paid:
            paint.flag(c, squares[place], "cross", WARN)
        plate, side, low = self.plate(c), c.px(44), c.px(56) if fetched else 0
        c.icon("back", Rect(plate.x + c.px(14), plate.y + c.px(12), c.px(40), c.px(40)), FAINT)
        c.seat(Rect(words.x, words.y, side, side), self.bau.seats[player])
        room = Rect(words.x, words.y + side, words.width, words.height - side - low)
        text = mark("Lay the tiles with a frame on the hill of {name}.")
        if self.paid:
            text = mark("What has a cross is taken off the hill of {name}.")
        said = t(text, name=self.bau.name(player))
        c.text(said, room, 28, align="left")
        if fetched:
            paint.legend(c, Rect(words.x, room.bottom, words.width, low), t(paint.FETCH))
