"""Who has played and won how often, and whether the dice are fair."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

from pygame import Rect

from companion.events import Sound
from companion.eye.dice import COLOURS, Colour
from companion.games import parts
from companion.honesty import ENOUGH, FACES, Honesty, honesty
from companion.language import Message, mark
from companion.players import Finished, PlayerColour
from companion.screens.base import Context, Entry, Screen, Step, Widget
from companion.screens.canvas import Canvas, inset
from companion.screens.chart import histogram
from companion.screens.dice import COLOUR_NAMES
from companion.screens.pages import Pages
from companion.screens.stage import body
from companion.screens.theme import CARD, DICE, FAINT, LINE, NEUTRAL

HEAD, ROW = 48, 45  # units: how high the line of the signs is, and that of a player
VERDICTS: dict[tuple[str, bool], str] = {  # verdict, whether a face came too often
    ("fair", True): mark("These dice look fair, after {count} dice."),
    ("odd", True): mark("A bit odd after {count} dice: many {face}s. Keep watching!"),
    ("odd", False): mark("A bit odd after {count} dice: few {face}s. Keep watching!"),
    ("unfair", True): mark("Not fair, after {count} dice: the {face} comes up too often."),
    ("unfair", False): mark("Not fair, after {count} dice: the {face} comes up too rarely."),
}


@dataclass(frozen=True, slots=True)
class Record:
    """How often somebody has played and won, by game, and the colour that he had last."""

    name: str
    colour: PlayerColour
    played: Counter[str]
    won: Counter[str]


def records(finished: Sequence[Finished]) -> list[Record]:
    """The players with a name, those who have won most first. `finished` has the newest game first."""
    found: dict[str, Record] = {}
    for game in finished:
        people = [(seat, n in game.winners) for n, seat in enumerate(game.seats) if seat.plays == "person"]
        named = {seat.name: seat.colour for seat, _ in reversed(people) if seat.name}
        for name, colour in named.items():  # two may bear the same one
            record = found.setdefault(name, Record(name, colour, Counter(), Counter()))
            record.played[game.book] += 1
            record.won[game.book] += any(won for seat, won in people if seat.name == name)
    return sorted(found.values(), key=lambda r: (-r.won.total(), -r.played.total(), r.name))


def said(found: Honesty) -> Message:
    """What a child understands of it."""
    if found.verdict == "few":
        text = mark("The camera has read too few dice so far: {count} of {needed}.")
        return Message(text, {"count": found.dice, "needed": ENOUGH})
    text = VERDICTS[found.verdict, found.often or found.verdict == "fair"]
    return Message(text, {"count": found.dice, "face": found.strange})


class StatisticsScreen(Screen):
    """The table of the players, and a way to the dice."""

    title = mark("Statistics")

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.records = records(context.table.finished())
        games = [each for part in parts("screen") for each in part.ENTRIES if each.kind and each.home]
        self.games: list[Entry] = games
        counts: dict[str, list[int]] = {}
        for colour, face, times in context.table.faces_read():
            counts.setdefault(colour, [0] * FACES)[face - 1] += times
        every = [sum(column) for column in zip(*counts.values(), strict=True)] or [0] * FACES
        several = len(counts) > 1
        self.dice = {"": every} | (counts if several else {})
        self.judged = cache(lambda colour: honesty(self.dice[colour]))  # only what is looked at
        self.colour = ""  # of the dice that are looked at; all of them if empty
        self.shows_dice = False
        self.pages = Pages()  # of the table

    # touching

    def _shows(self, dice: bool) -> Iterator[Step]:
        self.shows_dice = dice
        yield Sound("press")

    def _turn(self) -> Iterator[Step]:
        colours = list(self.dice)
        self.colour = colours[(colours.index(self.colour) + 1) % len(colours)]
        yield Sound("press")

    def _tabs(self, c: Canvas) -> tuple[Rect, Rect, Rect]:
        """The two tabs and what is below them."""
        area, gap, high = inset(body(c), c.px(12)), c.px(10), c.px(62)
        half = (area.width - gap) // 2
        left = Rect(area.x, area.y, half, high)
        below = Rect(area.x, left.bottom + gap, area.width, area.bottom - left.bottom - gap)
        return left, Rect(area.right - half, area.y, half, high), below

    def _table(self, c: Canvas) -> tuple[Rect, Rect]:
        """The table, and beside it or below the strip that leads to its other pages, where there are any."""
        box, side, gap = self._tabs(c)[2], c.px(64), c.px(10)
        if len(self.records) <= _room(c, box):
            return box, Rect(box.bottomright, (0, 0))
        if c.portrait:
            strip = Rect(box.x, box.bottom - side, box.width, side)
            return Rect(box.x, box.y, box.width, strip.y - gap - box.y), strip
        strip = Rect(box.right - side, box.y, side, box.height)
        return Rect(box.x, box.y, strip.x - gap - box.x, box.height), strip

    def _rows(self, c: Canvas) -> list[Sequence[Record]]:
        """The players of each page."""
        count = _room(c, self._table(c)[0])
        return [self.records[i : i + count] for i in range(0, len(self.records), count)]

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Players or dice; which dice; the other pages of the players."""
        t, (left, right, below) = self.context.t, self._tabs(canvas)
        found = [
            Widget("players", left, partial(self._shows, False), label=t("Players"), icon="person",
                   style="plain" if self.shows_dice else "main"),
            Widget("dice", right, partial(self._shows, True), label=t("Are the dice fair?"), icon="dice",
                   style="main" if self.shows_dice else "plain"),
        ]  # fmt: skip
        if not self.shows_dice:
            strip, count = self._table(canvas)[1], len(self._rows(canvas))
            up = down = Rect(0, 0, canvas.px(64), canvas.px(64))
            up, down = up.move(strip.topleft), down.move(strip.right - down.width, strip.bottom - down.height)
            found += self.pages.widgets(count, up, down)
        elif len(self.dice) > 1:
            wide = canvas.px(150)
            box = Rect(below.right - wide, below.y, wide, canvas.px(56))
            found.append(Widget("colour", box, self._turn, label=self._colour_name(), icon="again"))
        return found

    def _colour_name(self) -> str:
        known = self._known(self.colour)
        return self.context.t(COLOUR_NAMES[known]) if known else self.context.t("all")

    @staticmethod
    def _known(colour: str) -> Colour | None:
        return next((own for own in COLOURS if own == colour), None)

    # what is shown

    def paint(self, canvas: Canvas) -> None:
        """The table, or the dice."""
        below = self._tabs(canvas)[2]
        if self.shows_dice:
            self._paint_dice(canvas, below)
        elif self.records:
            self._paint_table(canvas)
        else:
            words = self.context.t("Nobody with a name has finished a game yet.")
            canvas.text(words, below, 30, colour=FAINT)

    def _paint_dice(self, c: Canvas, box: Rect) -> None:
        found = self.judged(self.colour)
        wide = c.px(160) if len(self.dice) > 1 else 0
        head = Rect(box.x, box.y, box.width - wide, c.px(56))
        c.text(self.context.t.say(said(found)), head, 26, face="bold")
        plate = Rect(box.x, head.bottom + c.px(8), box.width, box.bottom - head.bottom - c.px(8))
        c.card(plate, CARD, shade=False)
        histogram(c, inset(plate, c.px(12)), found.counts, self._known(self.colour) or "white")

    def _paint_table(self, c: Canvas) -> None:
        """A row for each player; won of played, in all and for each game."""
        (box, strip), pages, head, high = self._table(c), self._rows(c), c.px(HEAD), c.px(ROW)
        name = box.width * 34 // 100
        wide = (box.width - name) // (1 + len(self.games))
        left = box.x + name
        c.icon("trophy", Rect(left, box.y + c.px(6), wide, head - c.px(12)), NEUTRAL)
        for i, game in enumerate(self.games, 1):
            c.icon(game.icon, Rect(left + i * wide, box.y + c.px(6), wide, head - c.px(12)), game.accent)
        self.pages.paint(c, strip, len(pages))
        for number, record in enumerate(self.pages.of(pages)):
            row = Rect(box.x, box.y + head + number * high, box.width, high - c.px(4))
            c.card(row, CARD, edge=LINE, shade=False, radius=8)
            side = min(c.px(28), row.height - c.px(8))
            c.player(Rect(row.x + c.px(8), row.centery - side // 2, side, side), record.colour)
            words = Rect(row.x + side + c.px(16), row.y, name - side - c.px(20), row.height)
            c.text(record.name, words, 26, face="bold", align="left")
            self._paint_shares(c, row, left, wide, record)

    def _paint_shares(self, c: Canvas, row: Rect, left: int, wide: int, record: Record) -> None:
        shares = [(record.won.total(), record.played.total())]
        shares += [(record.won[game.key], record.played[game.key]) for game in self.games]
        for i, (won, played) in enumerate(shares):
            words = f"{won}/{played}" if played else "–"
            cell = Rect(left + i * wide, row.y, wide, row.height)
            c.text(
                words, cell, 26 if i else 30, face="text" if i else "title", colour=DICE if not i else NEUTRAL
            )


def _room(c: Canvas, table: Rect) -> int:
    """For how many players there is room in a table."""
    return max(1, (table.height - c.px(HEAD)) // c.px(ROW))
