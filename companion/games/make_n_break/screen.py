"""Make 'n' Break on the screen: the task as a picture, the stopper beside it, one button for "built"."""

from collections.abc import Iterator, Sequence

import pygame
from pygame import Rect

from companion.events import ButtonName, Buzz, Event, LampName, Say, SayNumber, Seen, Sound, Tick
from companion.games.make_n_break import notation, picture
from companion.games.make_n_break.book import BOOK
from companion.games.make_n_break.guide import GUIDE
from companion.games.make_n_break.rules import POINTS, TURNS, Built, Go, Position, Skip, Throw, score
from companion.games.make_n_break.stopper import GOAL
from companion.games.make_n_break.stopper_screen import ENTRY, SPIN, numbered_die, ring
from companion.language import Message, mark
from companion.screens.base import Act, Context, Step, Widget
from companion.screens.canvas import Canvas, inset
from companion.screens.chart import bars
from companion.screens.game import Choice, GameScreen, Prompt, entry
from companion.screens.theme import BREAK, CARD, FAINT, INK, LINE, STOPPER

BLANKS = (4, 5, 6)  # sides of an ordinary die that stand for the three blank ones


class BreakScreen(GameScreen):
    """Before a round: who builds, who stops, and the scores. In it: the card, the total, the button."""

    book = BOOK
    title = BOOK.title
    icon = "blocks"
    accent = BREAK
    asks = mark("Who is the oldest?")
    guide = GUIDE
    choices = (
        Choice(
            "cards",
            mark("Cards"),
            (("deck", mark("on this screen")), ("own", mark("the box's own"))),
        ),
        Choice(
            "level",
            mark("Level"),
            (
                ("basic", mark("both sides")),
                ("intro", mark("easy: yellow")),
                ("advanced", mark("hard: blue")),
            ),
        ),
        Choice(
            "stopper",
            mark("Stopper die"),
            (("screen", mark("by itself")), ("own", mark("thrown by hand"))),
            of="manner",
        ),
    )

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.due: float | None = None  # when the stopper die is thrown next; None while it rests
        self.thrown = float("-inf")
        self.halted = self.position.phase == "run"  # after a power cut a round waits
        self.last: tuple[int, int, int] | None = None  # builder, cards and points of the round before

    @property
    def position(self) -> Position:
        """The position now."""
        position: Position = self.match.position
        return position

    @property
    def by_hand(self) -> bool:
        """Whether people throw the stopper die."""
        return self.manner("stopper") == "own"

    @property
    def wants_eye(self) -> bool:  # type: ignore[override]
        """While a real stopper die is thrown."""
        return self.by_hand and self.running

    @property
    def running(self) -> bool:
        """Whether the round goes on."""
        return self.position.phase == "run" and not self.halted and not self.paused

    @property
    def animating(self) -> bool:
        """While the stopper die rolls."""
        return self.context.now - self.thrown < SPIN

    # what now

    def prompt(self) -> Prompt:
        """Who builds, who stops."""
        position = self.position
        if position.over:
            return Prompt(Message("The game is over"), None, "trophy")
        fields = {"builder": self.name(position.builder), "stopper": self.name(position.thrower)}
        if position.phase != "run":
            return Prompt(Message("{builder} builds, {stopper} says go", fields), position.builder, "blocks")
        if self.halted:
            return Prompt(Message("The round waits"), position.builder, "pause")
        return Prompt(Message("{builder} builds!", fields), position.builder, "blocks")

    # what happens

    def handle(self, event: Event) -> Iterator[Step]:
        """The clock throws the stopper die."""
        if isinstance(event, Tick):
            yield from self._ticked(event.now)
        yield from super().handle(event)

    def _ticked(self, now: float) -> Iterator[Step]:
        if not self.running or self.by_hand:
            self.due = None
            return
        interval = self.context.settings.stopper_interval_s
        if self.due is None:
            self.due = now + interval
        if now >= self.due:
            self.due = max(now, self.due + interval)
            yield from self.play(self.match.throw_paced("stopper"), "companion")

    def seen(self, event: Seen) -> Iterator[Step]:
        """A die before the camera: 1, 2 and 3 count, the other sides are the blank ones."""
        if event.throw is None:
            return
        self.context.table.log.thrown(event.throw, self.context.camera.demonstration)
        faces = [die.face for die in event.throw.dice]
        if len(faces) == 1 and self.running:
            yield from self.play(notation.write(Throw(0 if faces[0] in BLANKS else faces[0])), "camera")
        elif faces:
            self.trouble = Message("One die is the stopper: I see {count}", {"count": len(faces)})
            yield Sound("refused")

    def after(self, text: str, before: Position) -> Iterator[Step]:
        """The total is called; a built card counts; at 30 it is over."""
        move = notation.parse(text)
        if isinstance(move, Throw):
            yield from self._thrown(before, move)
        elif isinstance(move, Go):
            self.halted, self.last = False, None
            yield Sound("go")
            yield Say("go")
        elif isinstance(move, Built | Skip):
            yield Sound("build" if isinstance(move, Built) else "draw")

    def _thrown(self, before: Position, move: Throw) -> Iterator[Step]:
        self.thrown = self.context.now
        total = before.stopper.total + move.value
        if total < GOAL:
            yield Sound("roll")
            yield SayNumber(total)
            return
        self.last = before.builder, len(before.done), score(before)
        self.until = self.context.now + SPIN
        yield Sound("stop")
        yield Say("stop")
        yield Buzz(0.8)

    def undo(self) -> Iterator[Step]:
        """What was taken back waits, so that nobody loses time."""
        yield from super().undo()
        self.halted, self.last = self.position.phase == "run", None

    def _resume(self) -> Iterator[Step]:
        self.halted = False
        yield Sound("go")

    def _halt(self) -> Iterator[Step]:
        self.halted = True
        yield Say("pause")

    def leave(self) -> Iterator[Step]:
        """Whoever goes away finds the round waiting."""
        if self.running:
            yield from self._halt()

    def lamps(self) -> dict[ButtonName, LampName]:
        """All lamps blink when the round is over, until the next one begins."""
        if self.last and self.position.phase != "run":
            return {"confirm": "blink", "back": "blink", "left": "blink", "right": "blink", "undo": "blink"}
        return super().lamps()

    # where things are

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

    def board(self, canvas: Canvas) -> Sequence[Widget]:
        """Go; built; the points of one's own card; the stopper die by hand; go on."""
        position, t = self.position, self.context.t
        foot = self._places(canvas)[2]
        if position.phase == "go":
            return [self._main("go", self._go_box(canvas), self.plays("go"), t("Go!"), "play")]
        if position.phase != "run":
            return []
        if self.halted:
            return [self._main("go-on", foot, self._resume, t("Continue"), "play")]
        found = list(self._own_points(canvas) if position.options.cards == "own" else self._deck(canvas))
        return [*found, *self._by_hand(canvas)]

    @staticmethod
    def _main(key: str, box: Rect, act: Act, label: str, icon: str) -> Widget:
        return Widget(key, box, act, label=label, icon=icon, style="main")

    def _go_box(self, c: Canvas) -> Rect:
        area, high = inset(self.area(c), c.px(12)), c.px(110)
        return Rect(area.x, area.bottom - high, area.width, high)

    def _deck(self, c: Canvas) -> Iterator[Widget]:
        """The large button; a touch on the card does the same."""
        card, _, foot = self._places(c)
        if self.by_hand:
            foot = self._halves(c)[0]
        if self.position.options.skip:
            wide = foot.width // 4
            yield Widget("skip", Rect(foot.x, foot.y, wide, foot.height), self.plays("skip"), icon="right")
            foot = Rect(foot.x + wide + c.px(10), foot.y, foot.width - wide - c.px(10), foot.height)
        if self.position.task:
            yield self._main("built", foot, self.plays("built"), self.context.t("Built!"), "ok")
            yield Widget("card", card, self.plays("built"), style="drawn")

    def _halves(self, c: Canvas) -> tuple[Rect, Rect]:
        """The button's place and that of the sides of the stopper die, where that is thrown by hand."""
        foot, gap = self._places(c)[2], c.px(10)
        half = (foot.height - gap) // 2
        return Rect(foot.x, foot.y, foot.width, half), Rect(foot.x, foot.bottom - half, foot.width, half)

    def _own_points(self, c: Canvas) -> Iterator[Widget]:
        """What stands on the card that was built: one touch."""
        card, gap = inset(self._places(c)[0], c.px(14)), c.px(12)
        top = card.y + c.px(70)
        columns = 2
        rows = -(-len(POINTS) // columns)
        wide, high = (card.width - gap) // columns, (card.bottom - top - gap * (rows - 1)) // rows
        for i, points in enumerate(POINTS):
            x, y = i % columns, i // columns
            box = Rect(card.x + x * (wide + gap), top + y * (high + gap), wide, high)
            key = notation.write(Built(points))
            yield Widget(key, box, self.plays(key), style="drawn")

    def _by_hand(self, c: Canvas) -> Iterator[Widget]:
        if not self.by_hand:
            return
        row, gap = self._halves(c)[1], c.px(8)
        wide = (row.width - 3 * gap) // 4
        for value in range(4):
            key = notation.write(Throw(value))
            box = Rect(row.x + value * (wide + gap), row.y, wide, row.height)
            yield Widget(key, box, self.plays(key), style="drawn")

    def press(self, button: ButtonName) -> Iterator[Step] | None:
        """Back halts a round that runs; a second time it leaves."""
        if button == "back" and self.running:
            return self._halt()
        return super().press(button)

    # what is shown

    def paint_board(self, canvas: Canvas) -> None:
        """Before the round, or in it."""
        if self.position.phase == "run":
            self._paint_round(canvas)
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
        for widget in self._by_hand(c) if not self.halted else ():
            c.card(widget.rect, CARD, edge=LINE)
            side = min(widget.rect.width, widget.rect.height) - c.px(16)
            die = numbered_die(int(widget.key.split()[1]), side)
            c.surface.blit(die, die.get_rect(center=widget.rect.center))

    def _paint_own(self, c: Canvas, card: Rect) -> None:
        c.card(card, CARD, radius=20)
        head = Rect(card.x + c.px(12), card.y + c.px(10), card.width - c.px(24), c.px(64))
        c.text(self.context.t("Built? Touch the points of your card"), head, 28, face="bold")
        for widget in self._own_points(c) if not self.halted else ():
            side = "y" if int(widget.key.split()[1]) < 3 else "b"
            c.card(widget.rect, picture.PAPER, edge=picture.SIDES[side])
            c.text(widget.key.split()[1], widget.rect, 72, face="title", colour=picture.DARK)

    def _paint_stopper(self, c: Canvas, box: Rect) -> None:
        """The ring with the total, the die, and what the round has brought."""
        position = self.position
        side = min(box.height, box.width * 6 // 10)
        circle = Rect(box.x, box.centery - side // 2, side, side)
        c.surface.blit(ring(min(position.stopper.total, GOAL), side), circle)
        colour = INK if self.running else FAINT
        c.text(str(position.stopper.total), Rect(circle.x, circle.y + side // 6, side, side // 2), 120,
               face="title", colour=colour)  # fmt: skip
        self._paint_die(c, Rect(0, 0, side // 5, side // 5), (circle.centerx, circle.y + side * 3 // 4))
        rest = Rect(circle.right + c.px(10), box.y, box.right - circle.right - c.px(10), box.height)
        third = rest.height // 3
        t = self.context.t
        c.text(t("Round {number} of {all}", number=position.round, all=TURNS * len(self.seats)),
               Rect(rest.x, rest.y, rest.width, third), 22, colour=FAINT)  # fmt: skip
        c.text(str(score(position)), Rect(rest.x, rest.y + third, rest.width, third), 60, face="title",
               colour=STOPPER)  # fmt: skip
        words = t.plural("{count} card", "{count} cards", len(position.done))
        c.text(words, Rect(rest.x, rest.y + 2 * third, rest.width, third), 24)

    def _paint_die(self, c: Canvas, box: Rect, centre: tuple[int, int]) -> None:
        turned = (self.context.now - self.thrown) / SPIN
        throws = self.position.stopper.throws
        die = numbered_die(throws[-1] if throws and turned > 0.7 else 0, box.width)
        if turned < 1:
            die = pygame.transform.rotozoom(die, 360 * turned * (2 - turned), 1.0)
        c.surface.blit(die, die.get_rect(center=centre))

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
            builder, cards, points = self.last
            words = t.plural("{count} card", "{count} cards", cards)
            fields = {"name": self.name(builder), "cards": words, "points": points}
            said = t("Stop! {name}: {cards}, {points} points", **fields)
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


ENTRIES = [entry(BreakScreen), ENTRY]
