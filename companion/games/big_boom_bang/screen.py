"""BIG BOOM! BANG on the screen: five dice, fourteen tiles, everybody's hearts."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pygame import Rect

from companion.events import ButtonName, Buzz, Event, LampName, Say, Sound, Tick
from companion.games.big_boom_bang import art, notation
from companion.games.big_boom_bang.book import BOOK
from companion.games.big_boom_bang.guide import GUIDE
from companion.games.big_boom_bang.odds import odds
from companion.games.big_boom_bang.picking import allowed, locked, toggled
from companion.games.big_boom_bang.rules import (
    DICE,
    FACES,
    MOST,
    THROWS,
    TILES,
    Position,
    Reroll,
    Reveal,
    Roll,
)
from companion.games.rulebook import Awaited
from companion.language import Message, mark
from companion.screens.base import Context, Step, Widget
from companion.screens.canvas import Canvas, inset
from companion.screens.game import Choice, GameScreen, Prompt, entry
from companion.screens.theme import BANG, CARD, FAINT, INK, LINE, STOPPER

FLIP = 0.28  # seconds for which a tile is turned over
SHAKE = 0.35  # seconds for which BOOM shakes the screen
STAY = 2.4  # seconds for which BOOM is seen, unless somebody touches it away
SYMBOL_NAMES = {
    "bomb": mark("Bomb"),
    "scissors": mark("Scissors"),
    "heart": mark("Heart"),
    "gift": mark("Gift"),
}


@dataclass(frozen=True, slots=True)
class Turned:
    """A tile that has just been turned over: the position before, its place, by whom, and when."""

    before: Position
    place: int
    who: int
    at: float

    @property
    def kind(self) -> str:
        """What it is."""
        return self.before.tiles[self.place - 1]


class BangScreen(GameScreen):
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
            mark("Scissors that cut a fuse"),
            (("reroll", mark("are thrown along")), ("keep", mark("stay"))),
        ),
    )

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.chosen: frozenset[int] = frozenset()  # the dice to throw again
        self.entered: list[str] = []  # symbols of real dice so far
        self.turned: Turned | None = None
        self.told = True  # whether what was turned over has been heard
        self.odds_shown = False

    @property
    def position(self) -> Position:
        """The position now."""
        position: Position = self.match.position
        return position

    @property
    def boom(self) -> Turned | None:
        """The BOOM that is still seen: until the tiles are shuffled again."""
        seen = self.turned and self.turned.kind == "boom" and self.position.phase in ("shuffle", "over")
        return self.turned if seen else None

    @property
    def since(self) -> float:
        """Seconds since a tile was turned over."""
        return self.context.now - self.turned.at if self.turned else math.inf

    @property
    def animating(self) -> bool:
        """While a tile turns and BOOM shakes."""
        return self.since < FLIP + (SHAKE if self.boom else 0)

    # what now

    def prompt(self) -> Prompt:
        """Whose turn it is, and whether to throw, to choose, to turn over or to name somebody."""
        if self.boom:
            name = self.name(self.boom.who)
            if not self.position.hearts[self.boom.who]:
                return Prompt(Message("BOOM! {name} is out", {"name": name}), self.boom.who, "bomb")
            return Prompt(Message("BOOM! {name} loses a heart", {"name": name}), self.boom.who, "bomb")
        awaited = self.awaited()
        if awaited is None:
            return Prompt(Message("The game is over"), None, "trophy")
        who = self.position.active if awaited.who is None else awaited.who
        return Prompt(Message(self._question(awaited), {"name": self.name(who)}), who, "hand")

    def _question(self, awaited: Awaited[Any]) -> str:
        match awaited.what:
            case "roll":
                return mark("{name}: enter your dice") if self._own else mark("{name}: throw the dice")
            case "throw again or keep":
                return mark("{name}: throw again or stop?")
            case "reveal a tile":
                if awaited.who == self.position.active:
                    return mark("{name}: turn over a tile")
                return mark("{name} has to turn over a tile!")
            case "name a player":
                return mark("{name}: who gets the gift?")
        return mark("The tiles are shuffled")

    def page(self) -> int:
        """Throwing, or the tiles."""
        return 0 if self.position.phase in ("shuffle", "roll", "choose") else 2

    @property
    def _own(self) -> bool:
        return self.manner("dice") == "own"

    def deals(self, awaited: Awaited[Any]) -> bool:
        """The tiles; and the dice of the screen, once somebody has chosen which."""
        if awaited.what == "roll":
            return not self._own and self.position.throws > 0
        return awaited.what == "shuffle"

    def reset(self) -> None:
        """Nothing is chosen any more."""
        self.chosen, self.entered = frozenset(), []

    # what happens

    def after(self, text: str, before: Any) -> Iterator[Step]:
        """Dice rattle, tiles turn; what they are is heard when they have turned."""
        move = notation.parse(text)
        if isinstance(move, Reveal):
            who = self._revealer(before)
            assert who is not None
            self.turned, self.told = Turned(before, move.place, who, self.context.now), False
            self.until = self.context.now + (STAY if self.turned.kind == "boom" else FLIP)
            yield Sound("draw")
        elif isinstance(move, Roll):
            yield Sound("roll")
        else:
            yield Sound("press")
        if not isinstance(move, Reveal):
            yield from self._news(before)

    def _news(self, before: Position) -> Iterator[Step]:
        """A heart that was won, and whose turn it is now."""
        position = self.position
        if sum(position.hearts) > sum(before.hearts):
            yield Sound("heart")
        awaited = self.awaited("reveal a tile")
        if awaited and awaited.who not in (position.active, self._revealer(before)):
            yield Say(f"reveal-{self.seats[awaited.who or 0].colour}")
        if position.phase == "roll" and (position.active != before.active or before.phase == "shuffle"):
            yield Sound("turn")
            yield Say(f"turn-{self.seats[position.active].colour}")

    @staticmethod
    def _revealer(position: Position) -> int | None:
        """Who had to turn over a tile already."""
        if position.phase != "reveal":
            return None
        return position.queue[0] if position.forced is None else position.forced

    def handle(self, event: Event) -> Iterator[Step]:
        """When a tile has turned, it is heard what it is."""
        if isinstance(event, Tick) and self.turned and not self.told and self.since >= FLIP:
            self.told = True
            yield from self._heard(self.turned)
        yield from super().handle(event)

    def _heard(self, turned: Turned) -> Iterator[Step]:
        if turned.kind == "boom":
            yield Sound("boom")
            yield Say("boom")
            yield Buzz(0.8)
        else:
            yield Sound("tile" if turned.kind == "fuse" else "found")
            if turned.kind == "gift":
                yield Say("gift")
            yield from self._news(turned.before)

    def lamps(self) -> dict[ButtonName, LampName]:
        """All lamps blink at BOOM."""
        if self.boom and self.told:
            return {"confirm": "blink", "back": "blink", "left": "blink", "right": "blink", "undo": "blink"}
        return super().lamps()

    def undo(self) -> Iterator[Step]:
        """What was turned over is turned back."""
        self.turned = None
        yield from super().undo()

    def read(self, faces: Sequence[str]) -> Iterator[Step]:
        """Real dice show these symbols, in the order of their numbers."""
        yield from self.play(notation.write(Roll(tuple(faces))))

    # touching

    def _toggles(self, die: int) -> Callable[[], Iterator[Step]]:
        def act() -> Iterator[Step]:
            wanted = toggled(self.position, self.chosen, die)
            if allowed(self.position, wanted):
                self.chosen, self.trouble = wanted, None
                yield Sound("press")
            else:  # refused, with the rule's own words
                chosen = self.chosen
                yield from self.play(notation.write(Reroll(tuple(sorted(wanted)))))
                self.chosen = chosen

        return act

    def _again(self) -> Iterator[Step]:
        yield from self.play(notation.write(Reroll(tuple(sorted(self.chosen)))))

    def _enters(self, face: str) -> Callable[[], Iterator[Step]]:
        def act() -> Iterator[Step]:
            self.entered.append(face)
            yield Sound("press")
            if len(self.entered) == self.position.dice.count(None):
                yield from self.read(self.entered)

        return act

    def _erase(self) -> Iterator[Step]:
        self.entered.pop()
        yield Sound("press")

    def _hasten(self) -> Iterator[Step]:
        """A touch lets the next round begin."""
        self.until = self.context.now
        yield Sound("press")
        yield from self.go_on()

    def _odds(self) -> Iterator[Step]:
        self.odds_shown = not self.odds_shown
        yield Sound("press")

    # where things are

    def _places(self, c: Canvas) -> tuple[Rect, Rect, Rect, Rect]:
        """The players, the dice, the tiles, the buttons."""
        area, gap = inset(self.area(c), c.px(8)), c.px(10)
        high, dice = c.px(84), c.px(96)
        if c.portrait:
            people = Rect(area.x, area.y, area.width, c.px(118))
            rest = Rect(area.x, people.bottom + gap, area.width, area.bottom - people.bottom - gap)
        else:
            people = Rect(area.x, area.y, c.px(206), area.height)
            rest = Rect(people.right + gap, area.y, area.right - people.right - gap, area.height)
        row = Rect(rest.x, rest.y, rest.width, dice)
        foot = Rect(rest.x, rest.bottom - high, rest.width, high)
        return people, row, Rect(rest.x, row.bottom + gap, rest.width, foot.y - row.bottom - 2 * gap), foot

    def _people(self, c: Canvas) -> list[Rect]:
        box, gap, count = self._places(c)[0], c.px(6), len(self.seats)
        if c.portrait:
            wide = (box.width - gap * (count - 1)) // count
            return [Rect(box.x + i * (wide + gap), box.y, wide, box.height) for i in range(count)]
        high = min(c.px(92), (box.height - gap * (count - 1)) // count)
        return [Rect(box.x, box.y + i * (high + gap), box.width, high) for i in range(count)]

    def _dice(self, c: Canvas) -> list[Rect]:
        box = self._places(c)[1]
        side, gap = min(box.height, (box.width - c.px(10) * (DICE - 1)) // DICE), c.px(10)
        left = box.x if not c.portrait else box.centerx - (DICE * side + (DICE - 1) * gap) // 2
        return [Rect(left + i * (side + gap), box.centery - side // 2, side, side) for i in range(DICE)]

    def _tiles(self, c: Canvas) -> list[Rect]:
        box, gap = self._places(c)[2], c.px(8)
        columns = 5 if c.portrait else 7
        rows = -(-len(TILES) // columns)
        side = min((box.width - gap * (columns - 1)) // columns, (box.height - gap * (rows - 1)) // rows)
        left = box.centerx - (columns * side + (columns - 1) * gap) // 2
        top = box.centery - (rows * side + (rows - 1) * gap) // 2
        return [
            Rect(left + i % columns * (side + gap), top + i // columns * (side + gap), side, side)
            for i in range(len(TILES))
        ]

    def board(self, canvas: Canvas) -> Sequence[Widget]:
        """What is asked now: dice, symbols, tiles or players; the odds."""
        if self.boom:
            box = self._places(canvas)[2]
            return [Widget("go-on", box, self._hasten, style="drawn")]
        phase = self.position.phase
        found: list[Widget] = []
        if phase == "roll":
            found = list(self._throwing(canvas))
        elif phase == "choose":
            found = list(self._choosing(canvas))
        elif phase == "reveal":
            places = self._tiles(canvas)
            for place in self.position.hidden:
                key = f"reveal {place}"
                found.append(Widget(key, places[place - 1], self.plays(key), style="drawn"))
        elif phase == "name":
            found = list(self._naming(canvas))
        if phase in ("choose", "reveal", "name"):
            found.append(self._odds_sign(canvas))
        return found

    def _odds_box(self, c: Canvas) -> Rect:
        foot = self._places(c)[3]
        wide = c.px(84)
        return Rect(foot.right - wide, foot.y, wide, foot.height)

    def _odds_sign(self, c: Canvas) -> Widget:
        return Widget("odds", self._odds_box(c), self._odds, icon="percent")

    def _throwing(self, c: Canvas) -> Iterator[Widget]:
        t, foot, awaited = self.context.t, self._places(c)[3], self.awaited("roll")
        assert awaited is not None
        if not self._own:
            yield Widget("throw", foot, self.throws(awaited), label=t("Throw"), icon="dice", style="main")
            return
        gap, signs = c.px(8), len(FACES) + bool(self.entered)
        wide = (foot.width - gap * (signs - 1)) // signs
        for i, face in enumerate(FACES):
            box = Rect(foot.x + i * (wide + gap), foot.y, wide, foot.height)
            yield Widget(f"face-{face}", box, self._enters(face), style="drawn")
        if self.entered:
            box = Rect(foot.right - wide, foot.y, wide, foot.height)
            yield Widget("erase", box, self._erase, icon="erase")

    def _choosing(self, c: Canvas) -> Iterator[Widget]:
        t, foot, gap = self.context.t, self._places(c)[3], c.px(10)
        for number, box in enumerate(self._dice(c), 1):
            yield Widget(f"die-{number}", box, self._toggles(number), style="drawn")
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
            if player != self.position.forced and self.position.hearts[player]:
                key = f"name p{player + 1}"
                yield Widget(key, box, self.plays(key), style="drawn")

    # what is shown

    def paint_board(self, canvas: Canvas) -> None:
        """Everything, shaken by BOOM."""
        self._paint_people(canvas)
        self._paint_dice(canvas)
        self._paint_tiles(canvas)
        self._paint_foot(canvas)
        if self.boom and self.since >= FLIP:
            self._paint_boom(canvas, self.boom)

    def _paint_people(self, c: Canvas) -> None:
        awaited = self.awaited()
        who = self.boom.who if self.boom else None
        if who is None and awaited:
            who = self.position.active if awaited.who is None else awaited.who
        naming = self.position.phase == "name" and not self.boom
        for player, box in enumerate(self._people(c)):
            offered = naming and player != self.position.forced and bool(self.position.hearts[player])
            self._paint_player(c, box, player, player == who, offered)

    def _paint_player(self, c: Canvas, box: Rect, player: int, turn: bool, offered: bool) -> None:
        c.card(box, CARD, edge=self.accent if turn else LINE, shade=False, radius=10)
        if offered:
            c.frame(box, STOPPER, 4, 10)
        hearts, high = self.position.hearts[player], box.height // 2
        side = min(c.px(28), high - c.px(6))
        c.player(
            Rect(box.x + c.px(8), box.y + (high - side) // 2 + c.px(2), side, side), self.seats[player].colour
        )
        name = Rect(box.x + side + c.px(14), box.y + c.px(2), box.width - side - c.px(18), high)
        c.text(self.name(player), name, 23, face="bold" if turn else "text", align="left")
        row = Rect(box.x + c.px(8), box.y + high, box.width - c.px(16), high - c.px(8))
        if hearts:
            art.hearts(c, row, hearts, MOST)
            dice = self.position.active == player and self.position.phase != "over"
            if dice and not c.portrait:
                c.icon("dice", Rect(box.right - c.px(38), row.y, c.px(30), row.height), FAINT)
        else:
            c.text(self.context.t("out"), row, 22, colour=FAINT, align="left")

    def _paint_dice(self, c: Canvas) -> None:
        position = self.boom.before if self.boom else self.position
        entered, stuck = iter(self.entered), locked(position) if position.phase == "choose" else set()
        for number, (face, box) in enumerate(zip(position.dice, self._dice(c), strict=True), 1):
            shown = face or next(entered, "")
            place = box.move(0, -c.px(8)) if number in self.chosen else box
            if shown:
                c.surface.blit(art.die(shown, place.width), place)
            else:
                c.card(inset(box, c.px(4)), CARD, edge=LINE, shade=False)
            if number in self.chosen:
                c.frame(place, self.accent, 5, 18)
                self._corner(c, place, "again")
            elif number in stuck:
                side = box.width * 2 // 5
                c.surface.blit(art.padlock(side), (box.right - side, box.bottom - side))
        if not c.portrait:
            self._paint_throws(c, position)

    def _corner(self, c: Canvas, box: Rect, icon: str) -> None:
        side = box.width * 2 // 5
        corner = Rect(box.right - side, box.bottom - side, side, side)
        c.card(corner, self.accent, radius=side / 2 / c.u, shade=False)
        c.icon(icon, inset(corner, side // 6), (20, 20, 24))

    def _paint_throws(self, c: Canvas, position: Position) -> None:
        """How many throws are left, as small dice one above the other."""
        row, last, side = self._places(c)[1], self._dice(c)[-1], c.px(28)
        left = THROWS - position.throws if position.phase in ("roll", "choose") else 0
        x = (last.right + row.right - side) // 2
        for i in range(THROWS):
            box = Rect(x, row.bottom - (i + 1) * row.height // THROWS, side, side)
            c.icon("dice", box, self.accent if i < left else LINE)

    def _paint_tiles(self, c: Canvas) -> None:
        boom = self.boom
        position = boom.before if boom else self.position
        shift = (
            round(c.px(7) * math.sin(self.since * 60)) if boom and FLIP <= self.since < FLIP + SHAKE else 0
        )
        for place, box in enumerate(self._tiles(c), 1):
            kind = position.tiles[place - 1] if place in position.open and position.tiles else ""
            box = box.move(shift, 0)
            if (
                self.turned
                and place == self.turned.place
                and self.turned.before.tiles == (position.tiles or ())
            ):
                self._paint_turned(c, box, self.turned)
            elif position.tiles:
                c.surface.blit(art.tile(kind, box.width), box)
            else:
                c.card(box, CARD, edge=LINE, shade=False, radius=8)
        if self.position.phase == "reveal" and not boom:
            last = self.turned.place if self.turned and self.since < FLIP else None
            for place in self.position.hidden:
                if place != last:
                    c.frame(self._tiles(c)[place - 1], INK, 2, 10)

    def _paint_turned(self, c: Canvas, box: Rect, turned: Turned) -> None:
        part = min(1.0, self.since / FLIP)
        kind = turned.kind if part > 0.5 else ""
        picture = art.tile(kind, box.width)
        if part < 1:
            picture, box = art.flat(picture, box, part)
        c.surface.blit(picture, box)

    def _paint_boom(self, c: Canvas, boom: Turned) -> None:
        """The explosion over the tiles, and whom it hit."""
        area, grown = self._places(c)[2], min(1.0, (self.since - FLIP) / 0.2)
        side = round(min(area.width, area.height * 5 // 4) * (0.4 + 0.6 * grown))
        picture = art.symbol("boom", max(8, side // 8 * 8))
        c.surface.blit(picture, picture.get_rect(center=area.center))
        words = Rect(0, 0, area.width, area.height // 3)
        words.center = area.center
        c.text("BOOM!", words.move(c.px(2), c.px(3)), 92, face="title", colour=(120, 20, 16))
        c.text("BOOM!", words, 92, face="title", colour=(255, 255, 255))

    def _paint_foot(self, c: Canvas) -> None:
        foot, phase = self._places(c)[3], self.position.phase
        if self.boom:
            c.text(self.context.t("Touch the tiles to go on"), foot, 26, colour=FAINT)
        elif phase == "roll" and self._own:
            self._paint_symbols(c)
        elif phase in ("reveal", "name"):
            self._paint_owed(c, Rect(foot.x, foot.y, self._odds_box(c).x - foot.x - c.px(10), foot.height))
        elif phase == "choose" and self.odds_shown and not self.chosen:
            left = foot.x + (foot.width - c.px(94)) // 2 + c.px(10)
            self._paint_odds(c, Rect(left, foot.y, self._odds_box(c).x - left - c.px(10), foot.height))

    def _paint_symbols(self, c: Canvas) -> None:
        for widget in self._throwing(c):
            if widget.style == "drawn":
                face, box = widget.key.removeprefix("face-"), widget.rect
                c.card(box, CARD, edge=LINE)
                side = min(box.width, box.height - c.px(28))
                c.surface.blit(art.symbol(face, side), (box.centerx - side // 2, box.y + c.px(2)))
                words = Rect(box.x, box.bottom - c.px(28), box.width, c.px(24))
                c.text(self.context.t(SYMBOL_NAMES[face]), words, 20)

    def _paint_owed(self, c: Canvas, box: Rect) -> None:
        """Who has to turn over a tile, one after the other; or the odds."""
        if self.odds_shown:
            self._paint_odds(c, box)
            return
        side, left = c.px(38), box.x
        words = self.context.t.plural("{count} tile:", "{count} tiles:", self.position.owed)
        wide = c.text_width(words, box, 26, face="bold") + c.px(12)
        c.text(words, Rect(left, box.y, wide, box.height), 26, face="bold", align="left")
        queue = [self.position.forced, *self.position.queue]
        for player in [each for each in queue if each is not None]:
            place = Rect(left + wide, box.centery - side // 2, side, side)
            if place.right > box.right:
                break
            c.player(place, self.seats[player].colour)
            wide += side + c.px(6)

    def _paint_odds(self, c: Canvas, box: Rect) -> None:
        """The chance of BOOM of the next tile, and of the whole turn."""
        found = odds(self.position)
        if found is None:
            return
        half, t = box.width // 2, self.context.t
        shares = ((found.next, t("next tile")), (found.turn, t("this turn")))
        for i, (share, words) in enumerate(shares):
            part = Rect(box.x + i * half, box.y, half - c.px(10), box.height)
            art.chance(c, Rect(part.x, part.y, part.width, part.height - c.px(26)), "boom", share)
            c.text(words, Rect(part.x, part.bottom - c.px(24), part.width, c.px(24)), 20, colour=FAINT)


ENTRIES = [entry(BangScreen)]
