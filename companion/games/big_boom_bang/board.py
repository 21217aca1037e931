"""The table of BIG BOOM! BANG: where dice, tiles and hearts lie, and how they are drawn."""

import math
from dataclasses import dataclass

from pygame import Rect

from companion.eye.dice import Die
from companion.games.big_boom_bang import art
from companion.games.big_boom_bang.picking import Dice, Picked, locked
from companion.games.big_boom_bang.reading import Lying
from companion.games.big_boom_bang.reveals import odds
from companion.games.big_boom_bang.rules import DICE, FACES, THROWS, TILES, Position
from companion.games.big_boom_bang.throwing import best
from companion.games.big_boom_bang.winning import chances
from companion.language import mark
from companion.screens.base import Context, DieKind
from companion.screens.canvas import Canvas, centred, inset
from companion.screens.game import GameScreen
from companion.screens.theme import BANG, CARD, FAINT, INK, LINE, STOPPER, Rgb

FLIP = 0.28  # seconds for which a tile is turned over
SHAKE = 0.35  # seconds for which BOOM shakes the screen
READ = 1.6  # seconds for which a throw is seen that leaves nothing to decide
LOOK = 1.0  # seconds for which one sees what a computer has thrown, or what it throws again
STAY = 2.4  # seconds for which BOOM is seen, unless somebody touches it away
NARROW = 100  # units: chances with less room are one below the other
LEFT = 28  # units: a small die that stands for a throw that is left
SYMBOL_NAMES = {
    "bomb": mark("Bomb"),
    "scissors": mark("Scissors"),
    "heart": mark("Heart"),
    "gift": mark("Gift"),
}


def _paint_kind(canvas: Canvas, box: Rect, face: str) -> None:
    canvas.surface.blit(art.die(face, box.width), box)


KIND = DieKind(
    "big-boom-bang", mark("Dice of BIG BOOM! BANG"), BANG, tuple(SYMBOL_NAMES.items()), _paint_kind
)


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


@dataclass(frozen=True, slots=True)
class Thrown:
    """A throw with which a turn is over: the position before, all the dice, and when."""

    before: Position
    dice: tuple[str, ...]
    at: float


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """What the eye makes of one of the dice that were thrown, by its number from 1, as long as something is
    asked: `die` lies there, unless it was not seen, and shows what a person has `said`, if anybody has.
    """

    number: int
    die: Die | None
    said: str = ""

    @property
    def face(self) -> str:
        """The symbol; nothing if nobody can guess it."""
        return self.said or (self.die.sign if self.die else "")

    @property
    def sure(self) -> bool:
        """Whether it need not be asked for."""
        return bool(self.said or (self.die and self.die.sign and self.die.known))


class BangBoard(GameScreen):
    """What is seen; `BangScreen` says what can be done."""

    die_kind = KIND

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.picked = Picked()
        self.glimpsed: list[Glimpse] = []  # what the eye makes of them, in the order of their numbers
        self.lying = Lying()
        self.turned: Turned | None = None
        self.thrown: Thrown | None = None
        self.told = True  # whether what was turned over has been heard
        self.odds_shown = False

    @property
    def position(self) -> Position:
        """The position now."""
        position: Position = self.match.position
        return position

    @property
    def entered(self) -> list[str]:
        """The symbols of real dice that people have touched so far."""
        words = self.game.draft.split()
        return words if set(words) <= set(FACES) else []

    @property
    def chosen(self) -> Dice:
        """The dice to throw again."""
        return self.picked.chosen

    @property
    def boom(self) -> Turned | None:
        """The BOOM that is still seen: until the tiles are shuffled again, or the end was shown."""
        phase = self.position.phase
        waits = phase == "shuffle" or (phase == "over" and not self._ended)
        return self.turned if self.turned and self.turned.kind == "boom" and waits else None

    @property
    def since(self) -> float:
        """Seconds since a tile was turned over."""
        return self.context.now - self.turned.at if self.turned else math.inf

    @property
    def animating(self) -> bool:
        """While a tile turns and BOOM shakes."""
        return self.since < FLIP + (SHAKE if self.boom else 0)

    @property
    def _own(self) -> bool:
        """Whether people throw their own dice now; for computers the companion throws."""
        return self.manner("dice") == "own" and not self.by_computer(self.turn)

    @property
    def asked(self) -> Glimpse | None:
        """The first of the dice that the eye is not sure of."""
        return next((each for each in self.glimpsed if not each.sure), None)

    @property
    def unclaimed(self) -> bool:
        """Whether dice lie there of which nobody knows if they are this throw."""
        return bool(self.glimpsed) and not self.asked

    def _places(self, c: Canvas) -> tuple[Rect, Rect, Rect, Rect]:
        """The players, the dice, the tiles, the buttons."""
        area, gap = inset(self.area(c), c.px(8)), c.px(10)
        high, dice = c.px(84), c.px(96)
        if c.portrait:
            people = Rect(area.x, area.y, area.width, self._rows * c.px(94) - c.px(6))
            rest = Rect(area.x, people.bottom + gap, area.width, area.bottom - people.bottom - gap)
        else:
            people = Rect(area.x, area.y, c.px(206), area.height)
            rest = Rect(people.right + gap, area.y, area.right - people.right - gap, area.height)
        row = Rect(rest.x, rest.y, rest.width, dice)
        foot = Rect(rest.x, rest.bottom - high, rest.width, high)
        top = row.bottom + (c.px(LEFT + 4) if c.portrait else gap)  # below the throws left
        return people, row, Rect(rest.x, top, rest.width, foot.y - top - gap), foot

    @property
    def _rows(self) -> int:
        """Of players, where they sit side by side: three in a row have room for their names."""
        return -(-len(self.seats) // 3)

    def _people(self, c: Canvas) -> list[Rect]:
        box, gap, count = self._places(c)[0], c.px(6), len(self.seats)
        rows = self._rows if c.portrait else count
        columns = -(-count // rows)
        wide = (box.width - gap * (columns - 1)) // columns
        high = min(c.px(92), (box.height - gap * (rows - 1)) // rows)
        return [
            Rect(box.x + i % columns * (wide + gap), box.y + i // columns * (high + gap), wide, high)
            for i in range(count)
        ]

    def _dice(self, c: Canvas) -> list[Rect]:
        box = self._places(c)[1]
        gap = c.px(10)
        room = box.width if c.portrait else box.width - gap - c.px(LEFT)  # beside them are the throws left
        side = min(box.height, (room - gap * (DICE - 1)) // DICE)
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

    def _odds_box(self, c: Canvas) -> Rect:
        foot = self._places(c)[3]
        wide = c.px(84)
        return Rect(foot.right - wide, foot.y, wide, foot.height)

    def _symbols(self, c: Canvas) -> dict[str, Rect]:
        """Where the symbols of a real die are touched; the last place takes the last one back."""
        foot, gap, signs = self._places(c)[3], c.px(8), len(FACES) + 1
        wide = (foot.width - gap * (signs - 1)) // signs
        boxes = [Rect(foot.x + i * (wide + gap), foot.y, wide, foot.height) for i in range(len(FACES))]
        return dict(zip(FACES, boxes, strict=True))

    def _last_symbol(self, c: Canvas) -> Rect:
        """The place after the symbols."""
        last = self._symbols(c)["gift"]
        return last.move(last.width + c.px(8), 0)

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
        who = self.boom.who if self.boom else self.thrown.before.active if self.thrown else None
        if who is None and awaited:
            who = self.position.active if awaited.who is None else awaited.who
        naming = self.position.phase == "name" and not self.boom and self.mine
        for player, box in enumerate(self._people(c)):
            offered = naming and player != self.position.forced and bool(self.position.hearts[player])
            self._paint_player(c, box, player, player == who, offered)

    def _paint_player(self, c: Canvas, box: Rect, player: int, turn: bool, offered: bool) -> None:
        c.card(box, CARD, edge=self.accent if turn else LINE, shade=False, radius=10)
        if offered:
            c.frame(box, STOPPER, 4, 10)
        hearts, high = self.position.hearts[player], box.height // 2
        side = min(c.px(28), high - c.px(6))
        sign = Rect(box.x + c.px(8), box.y + (high - side) // 2 + c.px(2), side, side)
        left = c.seat(sign, self.seats[player]).right + c.px(6)
        name = Rect(left, box.y + c.px(2), box.right - left - c.px(4), high)
        row = Rect(sign.x, name.bottom, box.width - c.px(16), box.bottom - c.px(8) - name.bottom)
        if c.portrait:  # below the sign a name has more room
            name, row = row, name
        c.text(self.name(player), name, 23, face="bold" if turn else "text", align="left")
        if hearts:
            if self.odds_shown and not self.boom:
                row = self._paint_chance(c, row, chances(self.position)[player])
            art.hearts(c, row, hearts)
            dice = self.position.active == player and self.position.phase != "over"
            if dice and not c.portrait:
                c.icon("dice", Rect(box.right - c.px(38), row.y, c.px(30), row.height), FAINT)
        else:
            c.text(self.context.t("out"), row, 22, colour=FAINT, align="left")

    def _paint_chance(self, c: Canvas, row: Rect, share: float) -> Rect:
        """How likely somebody wins, beside the hearts or below; return the room that is left for these."""
        if c.portrait:
            box = Rect(row.x, row.centery, row.width, row.height // 2)
            room = Rect(row.x, row.y, row.width, row.height // 2)
        else:
            box = Rect(row.right - c.px(32 + 80), row.y, c.px(80), row.height)
            room = Rect(row.x, row.y, box.x - row.x, row.height)
        side = c.px(20)
        c.icon("trophy", Rect(box.x, box.centery - side // 2, side, side), STOPPER)
        words = Rect(box.x + side, box.y, box.width - side, box.height)
        c.text(f"{100 * share:.0f} %", words, 22, face="bold")
        return room

    def _paint_dice(self, c: Canvas) -> None:
        position = self.boom.before if self.boom else self.position
        seen = self.thrown.dice if self.thrown else position.dice
        symbols = iter([each.face for each in self.glimpsed] or self.entered)
        stuck = locked(position) if position.phase == "choose" else set()
        asked, advised = self.asked and self.asked.number, self.advised
        for number, (face, box) in enumerate(zip(seen, self._dice(c), strict=True), 1):
            shown = face or next(symbols, "")
            place = box.move(0, -c.px(8)) if number in self.chosen else box
            if shown:
                c.surface.blit(art.die(shown, place.width), place)
            else:
                c.card(inset(box, c.px(4)), CARD, edge=LINE, shade=False)
            if number in self.chosen:
                c.frame(place, self.accent, 5, 18)
                self._corner(c, place, "again")
            elif number == asked:
                c.frame(place, self.accent, 5, 18)
                self._corner(c, place, "help")
            elif number in advised:
                c.frame(place, STOPPER, 4, 18)
                self._corner(c, place, "again", STOPPER)
            elif number in stuck:
                side = box.width * 2 // 5
                c.surface.blit(art.padlock(side), (box.right - side, box.bottom - side))
        self._paint_throws(c, position)

    @property
    def advised(self) -> tuple[int, ...]:
        """The dice that are best thrown again, while somebody wants to know the odds."""
        if not self.odds_shown or self.chosen or self.position.phase != "choose":
            return ()
        return best(self.position)[0]

    def _corner(self, c: Canvas, box: Rect, icon: str, colour: Rgb | None = None) -> None:
        side = box.width * 2 // 5
        corner = Rect(box.right - side, box.bottom - side, side, side)
        c.card(corner, colour or self.accent, radius=side / 2 / c.u, shade=False)
        c.icon(icon, inset(corner, side // 6), (20, 20, 24))

    def _paint_throws(self, c: Canvas, position: Position) -> None:
        """How many throws are left, as small dice: beside the others, or below them."""
        row, last, side = self._places(c)[1], self._dice(c)[-1], c.px(LEFT)
        left = THROWS - position.throws if position.phase in ("roll", "choose") and not self.thrown else 0
        for i in range(THROWS):
            box = Rect(
                (last.right + row.right - side) // 2, row.bottom - (i + 1) * row.height // THROWS, side, side
            )
            if c.portrait:
                box.topleft = row.centerx + (i - 1) * c.px(44) - side // 2, row.bottom
            sign, ink = ("dice", self.accent) if i < left else ("minus", LINE)
            c.icon(sign, box, ink)

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
                and (boom or place in position.open)  # dealt anew, it lies face down
            ):
                self._paint_turned(c, box, self.turned)
            elif position.tiles:
                c.surface.blit(art.tile(kind, box.width), box)
            else:
                c.card(box, CARD, edge=LINE, shade=False, radius=8)
        if self.position.phase == "reveal" and not boom and self.mine:
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
        words = centred(area.center, area.width, area.height // 3)
        for x, y in ((-2, -2), (2, -2), (-2, 2), (2, 3)):  # a rim, for what lies behind is nearly white
            c.text("BOOM!", words.move(x * c.px(1), y * c.px(1)), 92, face="title", colour=(120, 20, 16))
        c.text("BOOM!", words, 92, face="title", colour=(255, 255, 255))

    def _paint_foot(self, c: Canvas) -> None:
        foot, phase = self._places(c)[3], self.position.phase
        if phase == "roll" and self._own and not self.unclaimed:
            self._paint_symbols(c)
        elif phase in ("reveal", "name"):
            self._paint_owed(c, Rect(foot.x, foot.y, self._odds_box(c).x - foot.x - c.px(10), foot.height))
        elif phase == "choose" and self.mine and not self.chosen:
            left = foot.x + (foot.width - c.px(94)) // 2 + c.px(10)
            room = Rect(left, foot.y, self._odds_box(c).x - left - c.px(10), foot.height)
            if self.odds_shown:
                self._paint_odds(c, room)
            else:
                free = len(locked(self.position)) < DICE
                words = mark("Touch the dice to throw again") if free else mark("No die may be thrown again")
                c.text(self.context.t(words), room, 23, colour=FAINT)

    def _paint_symbols(self, c: Canvas) -> None:
        for face, box in self._symbols(c).items():
            c.card(box, CARD, edge=LINE)
            side = min(box.width, box.height - c.px(34))
            c.surface.blit(art.die(face, side), (box.centerx - side // 2, box.y + c.px(6)))
            words = Rect(box.x, box.bottom - c.px(28), box.width, c.px(24))
            c.text(self.context.t(SYMBOL_NAMES[face]), words, 20)
            if self.asked and self.asked.face == face:
                c.frame(box, self.accent, 5)
        if not self.entered and not self.glimpsed and self.dice_known:  # it may be thrown before the camera
            box = inset(self._last_symbol(c), c.px(14))
            c.icon("no-camera" if self.context.camera.trouble else "camera", box, FAINT)

    def _paint_owed(self, c: Canvas, box: Rect) -> None:
        """Who has to turn over a tile, one after the other; and the odds below."""
        if self.odds_shown:
            row = Rect(box.x, box.y, box.width, c.px(34))
            self._paint_odds(c, Rect(box.x, row.bottom, box.width, box.bottom - row.bottom))
            box = row
        side, left = min(c.px(38), box.height - c.px(4)), box.x
        words = self.context.t.plural("{count} tile:", "{count} tiles:", self.position.owed)
        wide = c.text_width(words, box, 26, face="bold") + c.px(12)
        c.text(words, Rect(left, box.y, wide, box.height), 26, face="bold", align="left")
        for player in self.position.due:
            place = Rect(left + wide, box.centery - side // 2, side, side)
            if place.right > box.right:
                break
            c.player(place, self.seats[player].colour)
            wide += side + c.px(6)

    def _paint_odds(self, c: Canvas, box: Rect) -> None:
        """The chances of BOOM: of the next tile and the turn; before, of one that hits whoever throws."""
        found = odds(self.position)
        if found is None:
            return
        t, gap = self.context.t, c.px(10)
        shares = [(found.next, t("next tile")), (found.turn, t("this turn"))]
        if self.position.phase == "choose":
            shares = [(found.own, t("if you stop"))]
            if self.advised:
                shares.append((1 - best(self.position)[1], t("if you throw")))
        for i, (share, words) in enumerate(shares):
            if box.width > 2 * c.px(NARROW):
                part = Rect(box.x + i * box.width // 2, box.y, box.width // 2 - gap, box.height)
            else:
                part = Rect(box.x, box.y + i * box.height // 2, box.width - gap, box.height // 2)
            label, low = part.copy(), c.px(24)
            if part.height > 3 * low:
                label.top, label.height, part.height = part.bottom - low, low, part.height - low - c.px(2)
            else:  # beside it
                label.left, label.width = part.x + part.width * 55 // 100, part.width * 45 // 100
                part.width = label.x - part.x - c.px(8)
            art.chance(c, part, share)
            c.text(words, label, 20, colour=FAINT)
