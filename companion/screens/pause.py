"""What lies over a game while it pauses: the menu, the rules at hand, and what the companion has promised."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from pygame import Rect

from companion.config import program
from companion.events import Sound
from companion.language import mark
from companion.players import animal
from companion.screens.base import Act, Back, Context, Go, Screen, Step, Widget
from companion.screens.canvas import Canvas, centred, inset
from companion.screens.playing import PlayingScreen
from companion.screens.terms import Page, seat_name
from companion.screens.theme import CARD, FAINT, INK, LINE, Rgb

LONG = 150  # letters of a deal that can still be read on the plate


class Overlay(Screen):
    """A plate over a game, which pauses as long."""

    overlay = True
    size: tuple[int, int] = (600, 400)  # units, as far as there is room

    def __init__(self, context: Context, game: PlayingScreen | None) -> None:
        super().__init__(context)
        self.game = game
        if game:
            game.paused = True
            self.accent = game.accent

    def leave(self) -> Iterator[Step]:
        """The game goes on."""
        if self.game:
            self.game.paused = False
        yield from ()

    def plate(self, c: Canvas) -> Rect:
        """Where it lies."""
        room = c.rect.inflate(-c.px(32), -c.px(32))
        wide, high = map(c.px, self.size)
        return centred(c.rect.center, min(room.width, wide), min(room.height, high))

    def paint(self, canvas: Canvas) -> None:
        """The plate and its title."""
        plate = self.plate(canvas)
        canvas.card(plate, CARD, edge=LINE)
        head = Rect(
            plate.x + canvas.px(12), plate.y + canvas.px(8), plate.width - canvas.px(24), canvas.px(48)
        )
        canvas.text(self.context.t(self.title), head, 30, face="title", colour=self.accent)

    def close(self) -> Iterator[Step]:
        """Away with it."""
        yield Back()


class PauseScreen(Overlay):
    """The menu of a game. As long as it is open nothing goes by itself."""

    title = mark("Pause")

    def __init__(self, game: PlayingScreen) -> None:
        super().__init__(game.context, game)
        self.screen, self.promised = game, any(game.match.deals())

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Go on; redo; the rules; who plays; the promise; put the game aside."""
        t, game = self.context.t, self.screen
        offers: list[tuple[str, str, str, Act]] = [
            ("rules", t("Rules"), "book", self._rules),
        ]
        if game.game.undone:
            offers.append(("redo", t("Make the move again"), "redo", game.redo))
        if game.strengths():
            offers.append(("seats", t("Who plays?"), "person", self._seats))
        if self.promised:
            offers.append(("promise", t("Fair play"), "shield", self._promise))
        offers.append(("aside", t(game.away), "house", game.aside))
        plate, gap = self.plate(canvas), canvas.px(12)
        main = Rect(plate.x + gap, plate.bottom - gap - canvas.px(84), plate.width - 2 * gap, canvas.px(84))
        top = plate.y + canvas.px(60)
        places = _pairs(Rect(main.x, top, main.width, main.y - gap - top), len(offers), gap)
        return [
            Widget("go-on", main, self.close, label=t("Go on"), icon="play", style="main"),
            *(
                Widget(key, place, act, label=label, icon=icon)
                for (key, label, icon, act), place in zip(offers, places, strict=True)
            ),
        ]

    def _rules(self) -> Iterator[Step]:
        yield Back()
        yield Go(HelpScreen(self.context, self.screen.guide, self.screen.page(), self.screen))

    def _seats(self) -> Iterator[Step]:
        yield Back()
        yield Go(SeatsScreen(self.screen))

    def _promise(self) -> Iterator[Step]:
        yield Back()
        yield Go(PromiseScreen(self.screen))


def _pairs(box: Rect, count: int, gap: int) -> list[Rect]:
    """Places in rows of two; one that is left has a row of its own."""
    rows = -(-count // 2)
    wide, high = (box.width - gap) // 2, (box.height - gap * (rows - 1)) // rows
    places = [
        Rect(box.x + i % 2 * (wide + gap), box.y + i // 2 * (high + gap), wide, high) for i in range(count)
    ]
    if count % 2:
        places[-1].width = box.width
    return places


class SeatsScreen(Overlay):
    """Who has to go to bed lets a computer play on, and may come back."""

    title = mark("Who plays?")

    def __init__(self, game: PlayingScreen) -> None:
        super().__init__(game.context, game)
        self.screen, self.size = game, (520, 154 + 84 * len(game.seats))

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """The players in the order of their turns; go on."""
        plate, gap, count = self.plate(canvas), canvas.px(12), len(self.screen.seats)
        main = Rect(plate.x + gap, plate.bottom - gap - canvas.px(72), plate.width - 2 * gap, canvas.px(72))
        top = plate.y + canvas.px(58)
        high = min(canvas.px(76), (main.y - top) // count - canvas.px(8))
        return [
            Widget("go-on", main, self.close, label=self.context.t("Go on"), icon="play", style="main"),
            *(
                Widget(
                    f"seat-{player}",
                    Rect(main.x, top + player * (high + canvas.px(8)), main.width, high),
                    partial(self._next, player),
                    style="drawn",
                )
                for player in range(count)
            ),
        ]

    def _next(self, player: int) -> Iterator[Step]:
        """A person, then the computers, the weakest first, and round again."""
        seat, strengths = self.screen.seats[player], self.screen.strengths()
        if seat.plays == "computer":
            strengths = strengths[strengths.index(animal(seat.strength, strengths)) + 1 :]
        after = replace(seat, plays="person")
        if strengths:
            after = replace(seat, plays="computer", strength=strengths[0])
        yield from self.screen.reseat(player, after)

    def paint(self, canvas: Canvas) -> None:
        """The players, each with the sign that says that a touch changes it."""
        super().paint(canvas)
        for widget, seat in zip(self.widgets(canvas)[1:], self.screen.seats, strict=True):
            canvas.seated(widget.rect, seat, seat_name(self.context.t, seat), "again")


class HelpScreen(Overlay):
    """The rules at hand, page by page, the one first that fits what is awaited."""

    size = (760, 452)

    def __init__(
        self, context: Context, pages: Sequence[Page], number: int, game: PlayingScreen | None = None
    ) -> None:
        super().__init__(context, game)
        self.pages, self.number = pages, number

    @property
    def title(self) -> str:  # type: ignore[override]
        """That of the page."""
        return self.pages[self.number].title

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Back a page, close, on a page, as they lie."""
        plate, gap, side = self.plate(canvas), canvas.px(12), canvas.px(72)
        top, wide = plate.bottom - gap - side, canvas.px(110)
        left, right = Rect(plate.x + gap, top, wide, side), Rect(plate.right - gap - wide, top, wide, side)
        middle = Rect(left.right + gap, top, right.x - left.right - 2 * gap, side)
        close = Widget("close", middle, self.close, label=self.context.t("Close"), icon="ok", style="main")
        if len(self.pages) == 1:
            return [close]
        before = Widget("before", left, partial(self._turns, -1), icon="left")
        return [before, close, Widget("next", right, partial(self._turns, 1), icon="right")]

    def _turns(self, by: int) -> Iterator[Step]:
        self.number = (self.number + by) % len(self.pages)
        yield Sound("press")

    def paint(self, canvas: Canvas) -> None:
        """The lines, each behind a point, and which page it is of how many."""
        super().paint(canvas)
        c, plate = canvas, self.plate(canvas)
        lines = self.pages[self.number].lines
        box = Rect(plate.x + c.px(24), plate.y + c.px(60), plate.width - c.px(48), plate.height - c.px(168))
        high = box.height // max(1, len(lines))
        for i, line in enumerate(lines):
            row = Rect(box.x, box.y + i * high, box.width, high)
            c.player(Rect(row.x, row.centery - c.px(6), c.px(12), c.px(12)), "green")
            words = Rect(row.x + c.px(26), row.y, row.width - c.px(26), row.height)
            c.text(self.context.t(line), words, 25, align="left")
        if len(self.pages) > 1:
            foot = Rect(box.x, box.bottom, box.width, c.px(24))
            c.text(f"{self.number + 1} / {len(self.pages)}", foot, 20, colour=FAINT)


class PromiseScreen(Overlay):
    """What the companion has dealt face down is fixed; here it can be checked."""

    title = mark("Fair play")
    size = (760, 700)

    def __init__(self, game: PlayingScreen) -> None:
        super().__init__(game.context, game)
        stored = game.context.table.hindrance is None and game.game.id is not None
        self.number, self.over = game.game.id if stored else "N", game.position.over
        deals = list(game.match.deals())
        self.newest = [bound for _, bound, over in deals if self.over or not over][-1:]
        self.told = [bound for _, bound, over in deals if over][-1:]

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Close."""
        plate, gap = self.plate(canvas), canvas.px(12)
        box = Rect(plate.x + gap, plate.bottom - gap - canvas.px(72), plate.width - 2 * gap, canvas.px(72))
        return [Widget("close", box, self.close, label=self.context.t("Close"), icon="ok", style="main")]

    def paint(self, canvas: Canvas) -> None:
        """The promise of this round; deal and salt of the last one that is over."""
        super().paint(canvas)
        c, t, plate = canvas, self.context.t, self.plate(canvas)
        box = inset(Rect(plate.x, plate.y + c.px(56), plate.width, plate.height - c.px(146)), c.px(12))
        over = self.over
        rows = list[tuple[str, int, Rgb]]()
        for bound in self.newest:
            words = t("What lies face down is fixed since it was dealt. This number proves it (SHA-256):")
            rows += [(words, 22, INK), (grouped(bound.digest), 22, INK)]
        for kept in self.told:
            head = (
                t("The game is over. The number was made of this deal, a blank and this salt:")
                if over
                else t("The round before had this number, made of this deal, a blank and this salt:")
            )
            deal = (
                kept.text
                if len(kept.text) <= LONG
                else t(
                    "The deal is too long to be shown: {program} export {number}",
                    program=program(),
                    number=self.number,
                )
            )
            rows.append((head, 20, FAINT))
            rows += [] if over else [(grouped(kept.digest), 20, FAINT)]
            rows += [(deal, 20, FAINT), (grouped(kept.salt), 20, FAINT)]
        high = box.height // 6
        for number, (words, size, colour) in enumerate(rows):
            c.text(words, Rect(box.x, box.y + number * high, box.width, high), size, colour=colour)


def grouped(digits: str) -> str:
    """A long number in groups of eight."""
    return " ".join(digits[i : i + 8] for i in range(0, len(digits), 8))
