"""The end of a game: who has won, how it went, and whether to play again."""

from collections.abc import Callable, Iterator, Sequence

from pygame import Rect

from companion.events import ButtonName, LampName, Sound
from companion.language import mark
from companion.screens.base import Back, Context, Go, Home, Screen, Step, Widget
from companion.screens.canvas import Canvas, inset
from companion.screens.chart import lines
from companion.screens.playing import PlayingScreen
from companion.screens.stage import body
from companion.screens.theme import CARD, INK


class EndScreen(Screen):
    """Winners, scores and the course of the game. The way back leads to the board, where it can be undone."""

    title = mark("The game is over")

    def __init__(self, game: PlayingScreen, anew: Callable[[Context], Screen]) -> None:
        """`anew` makes the screen of the next game."""
        super().__init__(game.context)
        self.screen, self.accent, self.anew = game, game.accent, anew
        self.winners = game.position.winners
        self.scores = game.position.scores
        self.review = game.review()
        self.course = [tuple(position.scores) for position in game.match.positions]

    def _places(self, c: Canvas) -> tuple[Rect, Rect, Rect]:
        """Winners and scores, the chart, the buttons."""
        area, gap, high = inset(body(c), c.px(14)), c.px(14), c.px(84)
        if c.portrait:  # one below the other
            high = (3 if self.review else 2) * (high + gap) - gap
        foot = Rect(area.x, area.bottom - high, area.width, high)
        room = area.height - high - gap
        if c.portrait:
            upper = Rect(area.x, area.y, area.width, room * 45 // 100)
            return upper, Rect(area.x, upper.bottom + gap, area.width, room - upper.height - gap), foot
        left = Rect(area.x, area.y, area.width * 44 // 100, room)
        return left, Rect(left.right + gap, area.y, area.right - left.right - gap, room), foot

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Once more; looking back; home."""
        t, (_, _, foot), gap = self.context.t, self._places(canvas), canvas.px(14)
        offers = [Widget("again", foot, self._again, label=t("Play again"), icon="again", style="main")]
        if self.review:
            offers.append(Widget("review", foot, self._review, label=t("Deciding moves"), icon="lamp"))
        offers.append(Widget("home", foot, self._home, label=t("Home"), icon="house"))
        if canvas.portrait:
            high = (foot.height - gap * (len(offers) - 1)) // len(offers)
            places = [Rect(foot.x, foot.y + i * (high + gap), foot.width, high) for i in range(len(offers))]
        else:
            wide = (foot.width - gap * (len(offers) - 1)) // len(offers)
            places = [Rect(foot.x + i * (wide + gap), foot.y, wide, foot.height) for i in range(len(offers))]
        return [offer._replace(rect=place) for offer, place in zip(offers, places, strict=True)]

    def _review(self) -> Iterator[Step]:
        if self.review:
            yield Go(self.review)

    def _again(self) -> Iterator[Step]:
        """The same people, and the same who begins (KAB-R31)."""
        old, table = self.screen, self.context.table
        table.begin(old.match.book, old.match.options, party=old.game.party)
        yield Sound("go")
        yield Home()
        yield Go(self.anew(self.context))

    def _home(self) -> Iterator[Step]:
        yield Sound("press")
        yield Home()

    def undo(self) -> Iterator[Step]:
        """Back to the board, with the last decision taken back."""
        yield Back()
        yield from self.screen.undo()

    def press(self, button: str) -> Iterator[Step] | None:
        """Undo is undo here too."""
        return self.undo() if button == "undo" else None

    def lamps(self) -> dict[ButtonName, LampName]:
        """Undo is lit while there is something to take back."""
        return {"undo": "on"} if self.screen.can_undo else {}

    def paint(self, canvas: Canvas) -> None:
        """The winners, everybody's score, and how the scores went."""
        who, course, _ = self._places(canvas)
        self._paint_winners(canvas, who)
        canvas.card(course, CARD, shade=False)
        colours = [seat.colour for seat in self.screen.seats]
        lines(canvas, inset(course, canvas.px(14)), self.course, colours)

    def _paint_winners(self, c: Canvas, box: Rect) -> None:
        head, t = Rect(box.x, box.y, box.width, box.height * 38 // 100), self.context.t
        side = min(head.height, c.px(96))
        c.icon("trophy", Rect(head.x, head.centery - side // 2, side, side), self.accent)
        names = t.listed([self.screen.name(player) for player in self.winners])
        words = Rect(head.x + side + c.px(10), head.y, head.width - side - c.px(10), head.height)
        c.text(names, words, 44, face="title", align="left")
        high = min(c.px(52), (box.height - head.height) // max(1, len(self.scores)))
        order = sorted(range(len(self.scores)), key=lambda player: -self.scores[player])
        for i, player in enumerate(sorted(order, key=lambda player: player not in self.winners)):
            self._paint_score(c, Rect(box.x, head.bottom + i * high, box.width, high), player)

    def _paint_score(self, c: Canvas, row: Rect, player: int) -> None:
        side = min(row.height - c.px(8), c.px(34))
        sign = Rect(row.x + c.px(6), row.centery - side // 2, side, side)
        left = c.seat(sign, self.screen.seats[player]).right + c.px(10)
        name = Rect(left, row.y, row.right - left - c.px(80), row.height)
        c.text(self.screen.name(player), name, 26, align="left", face="bold")
        score = Rect(row.right - c.px(80), row.y, c.px(72), row.height)
        c.text(self.screen.score(player), score, 34, face="title", colour=INK)
