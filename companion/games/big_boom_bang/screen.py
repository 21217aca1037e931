"""BIG BOOM! BANG on the screen: five dice, fourteen tiles, everybody's hearts."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any

from pygame import Rect

from companion.events import ALL_BLINK, ASKS, ButtonName, Buzz, Event, LampName, LookAnew, Say, Sound, Tick
from companion.eye.dice import Die
from companion.eye.throws import Throw
from companion.games.big_boom_bang import notation
from companion.games.big_boom_bang.board import (
    FLIP,
    LOOK,
    READ,
    SHAKE,
    STAY,
    BangBoard,
    Glimpse,
    Thrown,
    Turned,
)
from companion.games.big_boom_bang.book import BOOK
from companion.games.big_boom_bang.guide import GUIDE
from companion.games.big_boom_bang.picking import Picked, allowed, locked, touched
from companion.games.big_boom_bang.reading import STILL, missing, signs, thrown, untouched
from companion.games.big_boom_bang.rules import DICE, Position, Reroll, Reveal, Roll
from companion.games.rulebook import Awaited, IllegalMove, Refusal
from companion.language import Message, mark
from companion.players import Mover
from companion.screens.base import Step, Widget
from companion.screens.canvas import Canvas
from companion.screens.entry import entry
from companion.screens.game import AS_BEFORE, same
from companion.screens.terms import Choice, Prompt
from companion.screens.theme import BANG

REFUSED = {  # by the number of the rule: what it says, in few words
    "BANG-R10": mark("You need scissors for that"),
    "BANG-R11": mark("Each bomb needs scissors"),
    "BANG-R12": mark("The scissors go along with the bomb"),
    "BANG-R32": mark("That tile lies open already"),
}


class BangScreen(BangBoard):
    """The dice above, the tiles below, the hearts beside them."""

    book = BOOK
    title = BOOK.title
    icon = "bomb"
    accent = BANG
    asks = mark("Whose birthday was last?")
    guide = GUIDE
    choices = (
        Choice(
            "dice",
            mark("Dice"),
            (("screen", mark("on this screen")), ("own", mark("your own"))),
            of="manner",
        ),
        Choice(
            "scissors",
            mark("Scissors for a bomb"),
            (("reroll", mark("are thrown along")), ("keep", mark("stay"))),
        ),
    )

    @property
    def real_dice(self) -> bool:
        """Those of the box, once they have been taught."""
        return self.manner("dice") == "own" and self.dice_known

    # what now

    def prompt(self) -> Prompt:
        """Whose turn it is, and whether to throw, to choose, to turn over or to name somebody."""
        if self.boom:
            name = self.name(self.boom.who)
            if not self.position.hearts[self.boom.who]:
                return Prompt(Message("BOOM! {name} is out", {"name": name}), self.boom.who, "bomb")
            return Prompt(Message("BOOM! {name} loses a heart", {"name": name}), self.boom.who, "bomb")
        if self.thrown:
            who = self.thrown.before.active
            return Prompt(Message("{name} has thrown", {"name": self.name(who)}), who, "dice")
        awaited = self.awaited()
        if awaited is None:
            return Prompt(Message("The game is over"), None, "trophy")
        if self.computer is not None:
            return self.thinks(self.computer)
        who = self.position.active if awaited.who is None else awaited.who
        return Prompt(Message(self._question(awaited), {"name": self.name(who)}), who, "hand")

    def _question(self, awaited: Awaited[Any]) -> str:
        match awaited.what:
            case "roll" if self.asked and self.asked.die:
                return mark("{name}: what does this die show?")
            case "roll" if self.asked:
                return mark("{name}: what does the missing die show?")
            case "roll" if self.unclaimed:
                return mark("{name}: does this throw count?")
            case "roll" if self._own and self.dice_known and not self.entered:
                return mark("{name}: throw your dice")
            case "roll":
                return mark("{name}: enter your dice") if self._own else mark("{name}: throw the dice")
            case "throw again or keep" if len(locked(self.position)) == DICE:
                return mark("{name} has to stop")
            case "throw again or keep":
                return mark("{name}: throw again or stop?")
            case "reveal a tile":
                if awaited.who == self.position.active and self.position.forced is None:
                    return mark("{name}: turn over a tile")
                return mark("{name} has to turn over a tile!")
            case "name a player":
                return mark("{name}: who gets the gift?")
        return mark("The tiles are shuffled")

    def page(self) -> int:
        """Throwing, or the tiles."""
        return 0 if self.position.phase in ("shuffle", "roll", "choose") else 2

    def forced(self, awaited: Awaited[Any]) -> str | None:
        """Who gets the gift if only one can (A-BANG14)."""
        texts = self.match.texts(awaited)
        return texts[0] if awaited.what == "name a player" and texts and len(texts) == 1 else None

    def deals(self, awaited: Awaited[Any]) -> bool:
        """The tiles; the dice of the screen, once somebody has chosen which; those of computers."""
        if awaited.what == "roll":
            return self.rolls or (not self._own and self.position.throws > 0)
        return awaited.what == "shuffle"

    def hinted(self, move: str) -> tuple[str, ...]:
        """The dice to throw again, or what bears the move as its key."""
        match notation.parse(move):
            case Reroll(dice):
                return tuple(f"die-{number}" for number in dice)
        return (move,)

    def words(self, refusal: Refusal) -> Message:
        """Why not; players have names."""
        known = REFUSED.get(refusal.rule or "") if isinstance(refusal, IllegalMove) else None
        if isinstance(player := refusal.fields.get("player"), int):
            return Message(mark("{name} is out"), {"name": self.name(player - 1)})
        return Message(known) if known else super().words(refusal)

    @property
    def begun(self) -> bool:
        """Dice that were touched are to be thrown again."""
        return bool(self.chosen)

    def reset(self) -> None:
        """Nothing is chosen any more."""
        self.picked = Picked()
        self.glimpsed = []

    # what happens

    def after(self, text: str, before: Any) -> Iterator[Step]:
        """Dice rattle, tiles turn; what they are is heard when they have turned."""
        move = notation.parse(text)
        self.thrown = None
        faces = iter(move.faces if isinstance(move, Roll) else ())
        dice = tuple(face or next(faces, "") for face in before.dice)
        if all(dice) and not any(self.position.dice) and not self.by_computer(before.active):
            self.typed = () if self.lying.whole else dice
        goes_on = self.position.throws and self.position.phase in ("roll", "choose")
        if self.waiting and not goes_on:  # it was of a turn that is over
            self.waiting = None
            yield LookAnew()  # or the next one has thrown already
        if self.by_computer(self.turn):  # so that one sees what it throws, and what again
            self.until = self.context.now + LOOK
        if isinstance(move, Reveal):
            who = self._revealer(before)
            assert who is not None
            self.turned, self.told = Turned(before, move.place, who, self.context.now), False
            stay = STAY if self.turned.kind == "boom" else FLIP
            self.until = max(self.until, self.context.now + stay)
            yield Sound("draw")
            return
        if isinstance(move, Roll):
            yield Sound("roll")
            if not any(self.position.dice):  # the turn is over: what was it?
                self.thrown = Thrown(before, dice, self.context.now)
                self.until = self.context.now + READ
                return
        else:
            yield Sound("press")
        yield from self._news(before)

    def _news(self, before: Position) -> Iterator[Step]:
        """A heart that was won, and whose turn it is now."""
        position = self.position
        if sum(position.hearts) > sum(before.hearts):
            yield Sound("heart")
        awaited = self.awaited("reveal a tile")
        called = awaited.who if awaited and self.mine else None
        known = () if position.forced is not None else (position.active, self._revealer(before))
        if called is not None and called not in known:
            yield Say(f"reveal-{self.seats[called].colour}")
        if position.phase == "roll" and (position.active != before.active or before.phase == "shuffle"):
            yield Sound("turn")
            if not self.by_computer(self.turn):
                yield Say(f"turn-{self.seats[position.active].colour}")

    @staticmethod
    def _revealer(position: Position) -> int | None:
        """Who had to turn over a tile already."""
        return position.due[0] if position.phase == "reveal" else None

    def handle(self, event: Event) -> Iterator[Step]:
        """When a tile has turned, it is heard what it is."""
        if isinstance(event, Tick) and self.turned and not self.told and self.since >= FLIP:
            self.told = True
            yield from self._heard(self.turned)
        if isinstance(event, Tick) and self.thrown and self.context.now - self.thrown.at >= READ:
            before, self.thrown = self.thrown.before, None
            yield from self._news(before)
        yield from super().handle(event)

    def _heard(self, turned: Turned) -> Iterator[Step]:
        if turned.kind == "boom":
            yield Sound("boom")
            yield Say("boom")
            yield Buzz()
        else:
            yield Sound("tile" if turned.kind == "fuse" else "found")
            if turned.kind == "gift":
                yield Say("gift")
            yield from self._news(turned.before)

    def lamps(self) -> dict[ButtonName, LampName]:
        """All lamps blink at BOOM."""
        if self.boom and self.told:
            return ALL_BLINK
        return super().lamps()

    @property
    def asks_dice(self) -> bool:
        """What the eye asks waits for an answer."""
        return bool(self.glimpsed)

    def unask(self) -> None:
        """Nor is anything learned of what was said."""
        self.context.box.take_back()
        self.glimpsed = []

    @property
    def can_undo(self) -> bool:
        """What people have begun to enter can be taken back, too."""
        return bool(self.entered) or super().can_undo

    def undo(self) -> Iterator[Step]:
        """What people have begun to enter goes first; what was turned over is turned back."""
        if self.entered:
            yield from self._erase()
            return
        self.turned = self.thrown = None
        yield from super().undo()

    def reopen(self, text: str) -> None:
        """Of dice that were entered by hand the last touch is taken back."""
        move = notation.parse(text)
        if isinstance(move, Roll):
            self._enter(move.faces[:-1])

    def _turned(self) -> None:
        """Of those that are to be thrown nobody knows any more where they lay."""
        super()._turned()
        self.lying.keep(self.position.dice)

    def read(self, faces: Sequence[str], by: Mover = "person") -> Iterator[Step]:
        """Real dice show these symbols, in the order of their numbers; those that were seen lie there."""
        seen = {each.number: each.die for each in self.glimpsed if each.die}
        self.lying.take(self.position.dice, seen, self._others(seen.values()))
        self.typed = ()
        yield from self.play(notation.write(Roll(tuple(faces))), by)

    # what the camera sees

    @property
    def awaits_throw(self) -> bool:
        """It is said which dice are to be thrown."""
        return self._own and self.dice_known and self.position.phase == "roll"

    def cleared(self) -> None:
        """They were taken up: wherever they lie then, they were thrown."""
        if self.awaits_throw:
            self.lying.forget()

    def seen(self, throw: Throw) -> Iterator[Step]:
        """Find out which of the dice were thrown, and play what they show; what is doubtful is asked for. So
        is whether they are this throw where they may have lain there before, or may only have been pushed to
        the next player, or laid aside.
        """
        shown, lying = self.position.dice, self.lying
        lying.exchange(shown, throw.dice)
        if lying.unthrown(shown, throw.dice):
            return
        before = lying.before(shown)
        still = any(untouched(throw.dice, [die], STILL) for die in before)
        if still and not same(throw, self._read[0]):
            self.trouble = AS_BEFORE  # one after the other is thrown
            return
        if throw.found and self.entered:
            return
        found = thrown(throw.dice, lying.kept(shown), shown.count(None))
        perhaps = throw.found or (self.early and len(before) < shown.count(None))
        if not isinstance(found, Message):
            yield from self._falls(found, perhaps)
        elif perhaps:
            self.trouble = AS_BEFORE
        else:
            self.trouble = found
            yield from self._falls_short(throw.dice)

    def _falls(self, dice: Sequence[Die], perhaps: bool) -> Iterator[Step]:
        """These were thrown, or, where they may have lain there or were only moved, `perhaps`."""
        shown = self.position.dice
        if self.entered:
            self._enter([])
        self._glimpse(dice)
        show = signs(dice)
        lent = show == Counter(self.typed) or (not any(shown) and show == signs(self.lying.before(shown)))
        if self.asked or perhaps or lent or show <= Counter(self.lying.astray(shown, self._others(dice))):
            yield from ASKS
        else:
            yield from self.read([die.sign for die in dice], "camera")

    def _falls_short(self, dice: Sequence[Die]) -> Iterator[Step]:
        """Too few, or too many, are seen: of a first throw, what lies out of sight is asked for."""
        shown = self.position.dice
        pushed = signs(dice) <= signs(self.lying.before(shown))
        if any(shown) or len(dice) >= DICE or pushed or self.entered:
            yield Sound("refused")
        else:
            self._glimpse(dice)
            yield from ASKS

    def _glimpse(self, dice: Sequence[Die]) -> None:
        """These of the dice that are to be thrown lie there; of the rest nothing is seen: it is asked for."""
        self.unask()  # and forget what was said of a reading that this one revises
        numbers = missing(self.position.dice)
        self.glimpsed = [Glimpse(number, die) for number, die in zip_longest(numbers, dice)]

    def slow(self, throw: Throw) -> bool:
        """The dice that were entered by hand: the eye only learns where they lie, if it does not know."""
        entered = self.position.phase == "choose" and self.game.done[-1].by == "person"
        return entered and not self.lying.whole and self.lying.aside(self.position.dice, throw.dice)

    def _others(self, dice: Collection[Die]) -> list[Die]:
        """What else is seen beside these, which were thrown."""
        return [die for die in self._open.dice if die not in dice] if self._open else []

    def _tells(self, face: str) -> Iterator[Step]:
        """A person says what the die shows that the eye is not sure of."""
        asked = self.asked
        assert asked
        if asked.die and asked.die.sign == face:
            self.learns_from(asked.die)
        self.glimpsed[self.glimpsed.index(asked)] = replace(asked, said=face)
        yield Sound("press")
        if not self.asked:
            yield from self._counts()

    def _counts(self) -> Iterator[Step]:
        """The dice that were glimpsed are the throw."""
        yield from self.read([each.face for each in self.glimpsed])

    def press(self, button: ButtonName) -> Iterator[Step] | None:
        """Confirm takes what the eye holds most likely."""
        if button == "confirm" and self.asked and self.asked.face:
            return self._tells(self.asked.face)
        return super().press(button)

    # touching

    def _toggles(self, die: int) -> Iterator[Step]:
        wanted = touched(self.position, self.picked, die)
        if allowed(self.position, wanted.chosen):
            self.picked, self.trouble = wanted, None
            yield Sound("press")
        else:  # refused, and it is said why
            yield from self.play(notation.write(Reroll(tuple(sorted(wanted.chosen)))))

    def _again(self) -> Iterator[Step]:
        yield from self.play(notation.write(Reroll(tuple(sorted(self.chosen)))))

    def _enters(self, face: str) -> Iterator[Step]:
        if self.asked:
            yield from self._tells(face)
            return
        entered, self.trouble = [*self.entered, face], None
        if len(entered) < self.position.dice.count(None):
            self._enter(entered)
            yield Sound("press")
        else:
            yield Sound("press")
            yield from self.read(entered)

    def _enter(self, symbols: Sequence[str]) -> None:
        """Keep what was touched so far."""
        self.context.table.keep(" ".join(symbols))

    def _erase(self) -> Iterator[Step]:
        if self.glimpsed:  # what was read is entered by hand instead
            yield from self.declines()
            return
        self._enter(self.entered[:-1])
        yield Sound("press")

    def _hasten(self) -> Iterator[Step]:
        """A touch lets the next round begin."""
        self.until = self.context.now
        yield Sound("press")
        yield from self.go_on()

    def _odds(self) -> Iterator[Step]:
        self.odds_shown = not self.odds_shown
        yield Sound("press")

    def board(self, canvas: Canvas) -> Sequence[Widget]:
        """What is asked now: dice, symbols, tiles or players; the odds. Other dice, tiles and players are
        there to say why not.
        """
        if self.boom:
            box = self._places(canvas)[2]
            if self.since < FLIP + SHAKE:  # nobody touches away what nobody has seen
                return []
            return [Widget("go-on", box, self._hasten, style="drawn")]
        phase = self.position.phase
        found: list[Widget] = []
        if phase == "roll":
            found = list(self._throwing(canvas))
        elif phase == "choose":
            found = list(self._choosing(canvas))
        elif phase == "name":
            found = list(self._naming(canvas))
        found += self._revealing(canvas)
        if phase in ("choose", "reveal", "name"):
            found.append(self._odds_sign(canvas))
        if phase in ("reveal", "name") or (phase == "roll" and not (self.asks_dice or self.thrown)):
            for number, box in enumerate(self._dice(canvas), 1):
                act = self.plays(f"reroll {number}")
                found.append(Widget(f"die-{number}", box, act, style="drawn", by_finger=True, means=phase))
        return found

    def _revealing(self, c: Canvas) -> Iterator[Widget]:
        tiles = self._tiles(c)[: len(self.position.tiles)]
        for place, box in enumerate(tiles, 1):
            mute = self.position.phase != "reveal" or place in self.position.open
            key, means = f"reveal {place}", (mute, self._revealer(self.position))
            yield Widget(key, box, self.plays(key), style="drawn", by_finger=mute, means=means)

    def _odds_sign(self, c: Canvas) -> Widget:
        return Widget("odds", self._odds_box(c), self._odds, icon="percent", means=self.odds_shown)

    def _throwing(self, c: Canvas) -> Iterator[Widget]:
        t, foot, awaited = self.context.t, self._places(c)[3], self.awaited("roll")
        assert awaited is not None
        if not self._own:
            yield Widget("throw", foot, self.throws(awaited), label=t("Throw"), icon="dice", style="main")
            return
        if self.unclaimed:
            half = (foot.width - c.px(10)) // 2
            yes = Rect(foot.x, foot.y, half, foot.height)
            no = Rect(foot.right - half, foot.y, half, foot.height)
            label, means = t("Yes, it counts"), self.confirm_answers
            yield Widget("yes", yes, self._counts, label=label, icon="ok", style="main", means=means)
            yield Widget("erase", no, self._erase, label=t("No, throw again"), icon="dice", means=means)
            return
        for face, box in self._symbols(c).items():
            act, means = partial(self._enters, face), (self.asked, self.turn)
            yield Widget(f"face-{face}", box, act, style="drawn", means=means)
        if self.entered or self.glimpsed:
            yield Widget("erase", self._last_symbol(c), self._erase, icon="erase")
        elif not self.dice_known:
            yield Widget("teach", self._last_symbol(c), self.teaches, label=t("Teach it"), icon="teach")

    def _choosing(self, c: Canvas) -> Iterator[Widget]:
        t, foot, gap = self.context.t, self._places(c)[3], c.px(10)
        for number, box in enumerate(self._dice(c), 1):
            toggles, means = partial(self._toggles, number), number in self.chosen
            yield Widget(f"die-{number}", box, toggles, style="drawn", means=means)
        room = foot.width - c.px(84) - gap
        half = (room - gap) // 2
        stop = Rect(foot.x, foot.y, half, foot.height)
        again = Rect(stop.right + gap, foot.y, room - half - gap, foot.height)
        style = "plain" if self.chosen else "main"
        yield Widget("keep", stop, self.plays("keep"), label=t("Stop here"), icon="ok", style=style)  # type: ignore[arg-type]
        if self.chosen:
            label = t.plural("Throw {count} die again", "Throw {count} dice again", len(self.chosen))
            yield Widget("again", again, self._again, label=label, icon="dice", style="main")

    def _naming(self, c: Canvas) -> Iterator[Widget]:
        for player, box in enumerate(self._people(c)):
            mute = player == self.position.forced or not self.position.hearts[player]
            key = f"name p{player + 1}"
            yield Widget(key, box, self.plays(key), style="drawn", by_finger=mute)


ENTRIES = [entry(BangScreen)]
