"""The table of Make 'n' Break: where card, stopper and buttons lie, and how they are drawn."""

from collections.abc import Sequence
from typing import NamedTuple

from pygame import Rect

from companion.eye.dice import Die
from companion.games.make_n_break import picture
from companion.games.make_n_break.rules import POINTS, TURNS, Position, score
from companion.games.make_n_break.stopper import GOAL
from companion.games.make_n_break.stopper_screen import (
    KIND,
    SPIN,
    VALUES,
    numbered_die,
    paint_rolling,
    ring,
    stop_sign,
)
from companion.screens.base import Context
from companion.screens.canvas import Canvas, inset
from companion.screens.chart import bars
from companion.screens.game import GameScreen
from companion.screens.theme import CARD, FAINT, INK, LINE, STOPPER
from companion.throwlog import LoggedThrow

BLANKS = (4, 5, 6)  # sides of an ordinary die that stand for the three blank ones


class Ended(NamedTuple):
    """A round that is over: who has built how much, and the total at which the stopper has ended it."""

    builder: int
    cards: int
    points: int
    total: int


class BreakBoard(GameScreen):
    """What is seen; `BreakScreen` says what can be done."""

    die_kind = KIND

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.due: float | None = None  # when the stopper die is thrown next; None while it rests
        self.thrown = float("-inf")  # when the stopper die was
        self.glimpsed: Die | None = None  # the stopper die, while the camera asks what it shows
        self.asked: LoggedThrow | None = None  # what it has read of a die with pips then
        self.halted = self.clocked  # after a power cut a round waits
        self.last: Ended | None = None  # the round before

    @property
    def position(self) -> Position:
        """The position now."""
        position: Position = self.match.position
        return position

    @property
    def guess(self) -> int | None:
        """What the stopper die most likely shows, while the camera asks."""
        return counts(self.glimpsed) if self.glimpsed else None

    @property
    def real_dice(self) -> bool:
        """Whether people throw the stopper die."""
        return self.manner("stopper") == "own"

    @property
    def clocked(self) -> bool:
        """Whether the clock throws in the round that has begun: then it has to wait for people."""
        return self.position.phase == "run" and not self.real_dice

    @property
    def running(self) -> bool:
        """Whether the round goes on."""
        return self.position.phase == "run" and not self.halted and not self.paused

    @property
    def stopped(self) -> bool:
        """Whether the stop that has ended a round is still seen."""
        return self.last is not None and self.context.now < self.until

    @property
    def animating(self) -> bool:
        """While the stopper die rolls, and until the stop has been seen."""
        return self.context.now - self.thrown < SPIN or self.stopped

    def _places(self, c: Canvas) -> tuple[Rect, Rect, Rect]:
        """The card, the stopper, the large button."""
        area, gap = inset(self.area(c), c.px(10)), c.px(12)
        if c.portrait:
            foot = Rect(area.x, area.bottom - c.px(130), area.width, c.px(130))
            stopper = Rect(area.x, area.y, area.width, c.px(170))
            top = stopper.bottom + gap
            return Rect(area.x, top, area.width, foot.y - gap - top), stopper, foot
        card = Rect(area.x, area.y, area.width * 54 // 100, area.height)
        right = Rect(card.right + gap, area.y, area.right - card.right - gap, area.height)
        high = right.height * 46 // 100
        foot = Rect(right.x, right.bottom - high, right.width, high)
        return card, Rect(right.x, right.y, right.width, right.height - high - gap), foot

    def _go_box(self, c: Canvas) -> Rect:
        area, high = inset(self.area(c), c.px(12)), c.px(110)
        return Rect(area.x, area.bottom - high, area.width, high)

    def _halves(self, c: Canvas) -> tuple[Rect, Rect]:
        """The button's place and that of the sides of the stopper die, where that is thrown by hand."""
        foot, gap = self._places(c)[2], c.px(10)
        half = (foot.height - gap) // 2
        return Rect(foot.x, foot.y, foot.width, half), Rect(foot.x, foot.bottom - half, foot.width, half)

    def _points(self, c: Canvas) -> dict[int, Rect]:
        """Where the points of one's own card are touched."""
        card, gap, columns = inset(self._places(c)[0], c.px(14)), c.px(12), 2
        top, rows = card.y + c.px(70), -(-len(POINTS) // columns)
        wide, high = (card.width - gap) // columns, (card.bottom - top - gap * (rows - 1)) // rows
        return {
            points: Rect(card.x + i % columns * (wide + gap), top + i // columns * (high + gap), wide, high)
            for i, points in enumerate(POINTS)
        }

    def _sides(self, c: Canvas) -> list[Rect]:
        """Where the sides of the stopper die are touched: blank, 1, 2, 3."""
        row, gap = self._halves(c)[1], c.px(8)
        wide = (row.width - 3 * gap) // 4
        return [Rect(row.x + value * (wide + gap), row.y, wide, row.height) for value in range(4)]

    def paint_board(self, canvas: Canvas) -> None:
        """Before the round, in it, or the stop that has ended it."""
        if self.position.phase == "run":
            self._paint_round(canvas)
        elif self.last and self.stopped:
            self._paint_stop(canvas, self.last)
        else:
            self._paint_between(canvas)

    def _paint_round(self, c: Canvas) -> None:
        card, stopper, _ = self._places(c)
        if self.position.options.cards == "own":
            self._paint_own(c, card)
        elif self.position.task:
            task = next(each for each in self.position.options.deck if each.name == self.position.task)
            picture.card(c, card, task, self.context.t)
        self._paint_stopper(c, stopper)
        for value, box in enumerate(self._sides(c) if self.real_dice else ()):
            c.card(box, CARD, edge=LINE)
            die = numbered_die(value, min(box.width, box.height) - c.px(16))
            c.surface.blit(die, die.get_rect(center=box.center))
            if value == self.guess:
                c.frame(box, STOPPER, 5)
                c.doubt(box)

    def _paint_own(self, c: Canvas, card: Rect) -> None:
        c.card(card, CARD, radius=20)
        if self.halted:
            c.icon("pause", inset(card, card.width // 4), FAINT)
            return
        head = Rect(card.x + c.px(12), card.y + c.px(10), card.width - c.px(24), c.px(64))
        c.text(self.context.t("Built? Touch the points of your card"), head, 28, face="bold")
        for points, box in self._points(c).items():
            side = picture.SIDES["y" if points < 3 else "b"]
            c.card(box, picture.PAPER, edge=side)
            c.text(str(points), box, 72, face="title", colour=picture.DARK)

    def _paint_stopper(self, c: Canvas, box: Rect) -> None:
        """The ring with the total, the die, and what the round has brought."""
        position = self.position
        side = min(box.height, box.width * 6 // 10)
        circle = Rect(box.x, box.centery - side // 2, side, side)
        c.surface.blit(ring(min(position.stopper.total, GOAL), side), circle)
        colour = INK if self.running else FAINT
        c.text(str(position.stopper.total), Rect(circle.x, circle.y + side // 6, side, side // 2), 120,
               face="title", colour=colour)  # fmt: skip
        middle = (circle.centerx, circle.y + side * 3 // 4)
        paint_rolling(c, middle, side // 5, position.stopper, self.context.now - self.thrown)
        rest = Rect(circle.right + c.px(10), box.y, box.right - circle.right - c.px(10), box.height)
        third = rest.height // 3
        t = self.context.t
        c.text(t("Round {number} of {all}", number=position.round, all=TURNS * len(self.seats)),
               Rect(rest.x, rest.y, rest.width, third), 22, colour=FAINT)  # fmt: skip
        c.text(str(score(position)), Rect(rest.x, rest.y + third, rest.width, third), 60, face="title",
               colour=STOPPER)  # fmt: skip
        words = t.plural("{count} card", "{count} cards", len(position.done))
        c.text(words, Rect(rest.x, rest.y + 2 * third, rest.width, third), 24)

    def _paint_stop(self, c: Canvas, last: Ended) -> None:
        """The sign, large, and what the round has brought to whom."""
        area, gap = inset(self.area(c), c.px(14)), c.px(16)
        side = min(
            area.width * (10 if c.portrait else 6) // 10, area.height * (6 if c.portrait else 10) // 10
        )
        sign = Rect(area.x, area.centery - side // 2, side, side)
        words = Rect(sign.right + gap, area.y, area.right - sign.right - gap, area.height)
        if c.portrait:
            sign.midtop = area.midtop
            words = Rect(area.x, sign.bottom + gap, area.width, area.bottom - sign.bottom - gap)
        stop_sign(c, sign, self.context.t("Stop!"), last.total)
        third = min(words.height // 3, c.px(84))
        rows = [
            Rect(words.x, words.centery + (i - 1) * third - third // 2, words.width, third) for i in range(3)
        ]
        c.text(self.name(last.builder), rows[0], 44, face="title")
        for line, row in zip(self._brought(last), rows[1:], strict=True):
            c.text(line, row, 38, face="bold", colour=STOPPER)

    def _brought(self, last: Ended) -> tuple[str, str]:
        """What a round has brought: cards and points."""
        t = self.context.t
        cards = t.plural("{count} card", "{count} cards", last.cards)
        return cards, t.plural("{count} point", "{count} points", last.points)

    def _paint_between(self, c: Canvas) -> None:
        """Who builds and who stops, large; the scores; what the last round has brought."""
        area, gap = inset(self.area(c), c.px(12)), c.px(12)
        room = Rect(area.x, area.y, area.width, self._go_box(c).y - gap - area.y)
        if c.portrait:
            people = Rect(room.x, room.y, room.width, room.height // 2)
            scores = Rect(room.x, people.bottom + gap, room.width, room.bottom - people.bottom - gap)
        else:
            people = Rect(room.x, room.y, room.width * 55 // 100, room.height)
            scores = Rect(people.right + gap, room.y, room.right - people.right - gap, room.height)
        if self.position.over:
            people, scores = Rect(room.x, room.y, 0, 0), room
        else:
            self._paint_roles(c, people)
        c.card(scores, CARD, shade=False)
        colours = [seat.colour for seat in self.seats]
        bars(c, inset(scores, c.px(12)), self.position.scores, colours)

    def _paint_roles(self, c: Canvas, box: Rect) -> None:
        t, gap = self.context.t, c.px(10)
        head = c.px(58)
        line = Rect(box.x, box.y, box.width, head)
        if self.last:
            cards, points = self._brought(self.last)
            name = self.name(self.last.builder)
            said = t("Stop! {name}: {cards}, {points}", name=name, cards=cards, points=points)
            c.text(said, line, 26, face="bold", colour=STOPPER)
        else:
            number, rounds = self.position.round, TURNS * len(self.seats)
            c.text(t("Round {number} of {all}", number=number, all=rounds), line, 30, face="title")
        high = (box.height - head - gap) // 2
        roles = (
            (self.position.builder, "blocks", t("builds")),
            (self.position.thrower, "stop", t("is the stopper")),
        )
        for i, (player, icon, words) in enumerate(roles):
            self._paint_role(
                c, Rect(box.x, box.y + head + i * (high + gap), box.width, high), player, icon, words
            )

    def _paint_role(self, c: Canvas, box: Rect, player: int, icon: str, words: str) -> None:
        c.card(box, CARD, edge=LINE, shade=False)
        side = min(c.px(64), box.height - c.px(20))
        c.player(Rect(box.x + c.px(14), box.centery - side // 2, side, side), self.seats[player].colour)
        room = Rect(box.x + side + c.px(30), box.y, box.width - 2 * side - c.px(56), box.height)
        half = room.height // 2
        c.text(
            self.name(player),
            Rect(room.x, room.y + c.px(6), room.width, half),
            38,
            face="title",
            align="left",
        )
        c.text(words, Rect(room.x, room.y + half, room.width, half - c.px(6)), 26, align="left", colour=FAINT)
        c.icon(icon, Rect(box.right - side - c.px(14), box.centery - side // 2, side, side), self.accent)


def counts(die: Die) -> int:
    """What a die counts: the real stopper die, or an ordinary one, of which 1, 2 and 3 count."""
    if die.sign:
        return VALUES[die.sign]
    return 0 if die.face in BLANKS else die.face


def stopper_of(dice: Sequence[Die]) -> int | None:
    """Which of these is the stopper, by its number: the one that was taught, whatever lies beside it, or the
    only one; None if nobody can say.
    """
    taught = [number for number, die in enumerate(dice) if die.sign]
    numbers = taught or range(len(dice))
    return numbers[0] if len(numbers) == 1 else None
