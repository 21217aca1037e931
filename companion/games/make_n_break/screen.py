"""Make 'n' Break on the screen: the task as a picture, the stopper beside it, one button for "built"."""

from collections.abc import Iterator, Sequence
from functools import partial

from pygame import Rect

from companion.events import ALL_BLINK, ASKS, ButtonName, Buzz, Event, LampName, Say, SayNumber, Sound, Tick
from companion.eye.throws import Throw as Thrown
from companion.games.make_n_break import notation
from companion.games.make_n_break.board import BreakBoard, Ended, counts, stopper_of
from companion.games.make_n_break.book import BOOK
from companion.games.make_n_break.guide import GUIDE
from companion.games.make_n_break.rules import Built, Go, Position, Skip, Throw, score
from companion.games.make_n_break.stopper import GOAL
from companion.games.make_n_break.stopper_screen import ENTRY
from companion.language import Message, mark
from companion.screens.base import Act, Step, Widget
from companion.screens.canvas import Canvas
from companion.screens.entry import entry
from companion.screens.terms import Choice, Prompt
from companion.screens.theme import BREAK
from companion.throwlog import LoggedThrow

BROKEN = 0.7  # seconds that it takes at least to knock down what was built: a hand has tapped twice
STOPPED = 1.5  # seconds after the stop in which a hand may still be on its way to "built"
LATE = 3.0  # seconds after which a slow eye may still read what somebody has said


class BreakScreen(BreakBoard):
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
            only=("cards", "deck"),
        ),
        Choice(
            "stopper",
            mark("Stopper die"),
            (("screen", mark("by itself")), ("own", mark("thrown by hand"))),
            of="manner",
        ),
    )

    dice_awaited = 1

    @property
    def awaits_throw(self) -> bool:
        """While a round runs."""
        return self.real_dice and self.running

    # what now

    def prompt(self) -> Prompt:
        """Who builds, who stops; what the camera asks the stopper."""
        position = self.position
        if position.over:
            return Prompt(Message("The game is over"), None, "trophy")
        fields = {"builder": self.name(position.builder), "stopper": self.name(position.thrower)}
        if position.phase != "run":
            return Prompt(Message("{builder} builds, {stopper} says go", fields), position.builder, "blocks")
        if self.guess is not None:
            return Prompt(Message("Which side is it? Touch it below"), position.thrower, "dice")
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
        if self.covered or not (self.running and self.clocked):
            self.due = None
            return
        interval = self.context.settings.stopper_interval_s
        if self.due is None:
            self.due = now + interval
        if now >= self.due:
            self.due = max(now, self.due + interval)
            yield from self.play(self.match.throw_paced("stopper"), "companion")

    def seen(self, throw: Thrown) -> Iterator[Step]:
        """A die before the camera; if it is not sure which side lies on top, people say it. One found lying
        there that shows what was thrown last is that throw, most likely.
        """
        logged, number = self._logs(throw), stopper_of(throw.dice)
        if number is None:
            self.trouble = Message("One die is the stopper: I see {count}", {"count": len(throw.dice)})
            yield Sound("refused")
        elif number in throw.stayed:  # another one has come to lie beside it
            return
        elif throw.sure and not throw.found:
            yield from self.play(notation.write(Throw(counts(throw.dice[number]))), "camera")
        elif not throw.found or self.position.stopper.throws[-1:] != (counts(throw.dice[number]),):
            self.asked, self.glimpsed = logged, throw.dice[number]
            yield from ASKS

    def spares_dice(self, text: str) -> bool:
        """Whoever builds does not mind what is thrown meanwhile."""
        return isinstance(notation.parse(text), Built | Skip)

    def slow(self, throw: Thrown) -> bool:
        """The side that was touched a moment ago."""
        number = stopper_of(throw.dice)
        there = number is not None and (counts(throw.dice[number]),) == self.typed
        if not there or self.context.now - self.thrown >= LATE:
            return False
        self.typed = ()
        self._logs(throw)
        return True

    def reread(self, throw: Thrown) -> None:
        """Pips are taken down."""
        if not any(die.sign for die in throw.dice):
            self._logs(throw)

    def _logs(self, throw: Thrown) -> LoggedThrow | None:
        """Take down what is read: whether dice are fair is asked of those with pips."""
        log = self.context.table.log
        if any(die.sign for die in throw.dice):
            log.withdraw(throw)
            return None
        return log.thrown(throw, self.context.camera.demonstration)

    def after(self, text: str, before: Position) -> Iterator[Step]:
        """The total is called; a built card counts; at 30 it is over."""
        move = notation.parse(text)
        if isinstance(move, Throw):
            yield from self._thrown(before, move)
        elif isinstance(move, Go):
            self.halted, self.last, self.typed = False, None, ()
            self._closes()  # what was thrown before does not count
            yield Sound("go")
            yield Say("go")
        elif isinstance(move, Built | Skip):
            self.until = self.context.now + BROKEN
            yield Sound("build" if isinstance(move, Built) else "draw")

    def _thrown(self, before: Position, move: Throw) -> Iterator[Step]:
        self.thrown = self.context.now
        self.unask()
        total = before.stopper.total + move.value
        if total < GOAL:
            yield Sound("roll")
            yield SayNumber(total)
            return
        self.last = Ended(before.builder, len(before.done), score(before), total)
        self.until = self.context.now + STOPPED
        yield Sound("stop")
        yield Say("stop")
        yield Buzz()

    @property
    def idle(self) -> bool:
        """While the stop is seen: a hand may still be on its way to "built"."""
        return self.position.phase != "run" and self.stopped

    @property
    def asks_dice(self) -> bool:
        """The best guess waits for an answer."""
        return self.guess is not None

    def unask(self) -> None:
        """Nobody says what a die shows any more."""
        self.asked = self.glimpsed = None

    def undo(self) -> Iterator[Step]:
        """It halts the clock first: one touch alone takes no round from those who build."""
        return self._halt() if self.running and self.clocked else super().undo()

    def _turned(self) -> None:
        """What was taken back or made again waits, so that nobody loses time; what was thrown between two
        rounds counts in neither.
        """
        super()._turned()
        self._closes()
        self.halted, self.last = self.clocked, None

    def _resume(self) -> Iterator[Step]:
        self.halted, self.trouble = False, None
        yield Sound("go")
        yield Say("continue")

    def _waits(self) -> Iterator[Step]:
        """Nothing is built while the round waits."""
        self.trouble = Message("First touch Continue")
        yield Sound("refused")

    def _halt(self) -> Iterator[Step]:
        self.halted = True
        yield Say("pause")

    def leave(self) -> Iterator[Step]:
        """Whoever goes away finds the round waiting."""
        if self.running and self.clocked:
            yield from self._halt()
        yield from super().leave()

    def lamps(self) -> dict[ButtonName, LampName]:
        """All lamps blink when the round is over, until the next one begins, or the end was shown."""
        if self.last and self.position.phase != "run" and not self._ended:
            return ALL_BLINK
        return super().lamps()

    def board(self, canvas: Canvas) -> Sequence[Widget]:
        """Go; built; the points of one's own card; the stopper die by hand; go on."""
        position, t = self.position, self.context.t
        card, _, foot = self._places(canvas)
        if position.phase == "go":
            return list(self._before(canvas))
        if position.phase != "run":
            return []
        if self.halted:
            waits = Widget("card", card, self._waits, style="drawn", by_finger=True)
            return [self._main("go-on", foot, self._resume, t("Continue"), "play"), waits]
        found = list(self._own_points(canvas) if position.options.cards == "own" else self._deck(canvas))
        return [*found, *self._by_hand(canvas)]

    def _before(self, c: Canvas) -> Iterator[Widget]:
        """Go; and the real stopper die, where it is thrown by hand and not known yet."""
        t, box = self.context.t, self._go_box(c)
        if self.real_dice and not self.dice_known:
            wide = c.px(230)
            teach = Rect(box.x, box.y, wide, box.height)
            yield Widget("teach", teach, self.teaches, label=t("Teach the stopper die"), icon="teach")
            box = Rect(teach.right + c.px(12), box.y, box.width - wide - c.px(12), box.height)
        yield self._main("go", box, self.plays("go"), t("Go!"), "play")

    @staticmethod
    def _main(key: str, box: Rect, act: Act, label: str, icon: str, means: object = None) -> Widget:
        return Widget(key, box, act, label=label, icon=icon, style="main", means=means)

    def _deck(self, c: Canvas) -> Iterator[Widget]:
        """The large button; a touch on the card does the same."""
        card, _, foot = self._places(c)
        if self.real_dice:
            foot = self._halves(c)[0]
        task, means = self.position.task, (len(self.position.done), self.position.task)
        if self.position.options.skip:
            wide = foot.width // 4
            box, skips = Rect(foot.x, foot.y, wide, foot.height), self.plays("skip")
            yield Widget("skip", box, skips, icon="right", means=means)
            foot = Rect(foot.x + wide + c.px(10), foot.y, foot.width - wide - c.px(10), foot.height)
        if task:
            built = self._builds("built")
            yield self._main("built", foot, built, self.context.t("Built!"), "ok", means)
            yield Widget("card", card, built, style="drawn", means=means)

    def _own_points(self, c: Canvas) -> Iterator[Widget]:
        """What stands on the card that was built: one touch."""
        for points, box in self._points(c).items():
            key = notation.write(Built(points))
            yield Widget(key, box, self._builds(key), style="drawn", means=len(self.position.done))

    def _builds(self, text: str) -> Act:
        """A card is built, unless the one before still stands (MNB-R17)."""
        return self.plays(text) if self.context.now >= self.until else lambda: iter(())

    def _by_hand(self, c: Canvas) -> Iterator[Widget]:
        for value, box in enumerate(self._sides(c) if self.real_dice else ()):
            key = notation.write(Throw(value))
            count = len(self.position.stopper.throws)
            yield Widget(key, box, partial(self._says, value), style="drawn", means=count)

    def _says(self, value: int) -> Iterator[Step]:
        """A person says what the stopper die shows; if the camera has asked, that is the answer."""
        logged, log = self.asked, self.context.table.log
        if self.glimpsed and value == self.guess:
            self.learns_from(self.glimpsed)
        if logged and value == self.guess:
            log.confirm(logged)
        elif logged and value:  # which of its blank sides it shows nobody has said
            log.correct(logged, 0, value)
        seen = self.guess is not None
        yield from self.play(notation.write(Throw(value)))
        self.typed = () if seen else (value,)

    def press(self, button: ButtonName) -> Iterator[Step] | None:
        """Back halts the clock of a round; a second time it leaves. Confirm answers what the camera asks."""
        if button == "confirm" and self.guess is not None:
            return self._says(self.guess)
        if button == "back" and self.running and self.clocked:
            return self._halt()
        return super().press(button)


ENTRIES = [entry(BreakScreen), ENTRY]
