"""Bau Boom on the screen, beside the real board: it counts, draws, remembers and says what to do."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from pygame import Rect

from companion.events import Say, SayThrow, Sound
from companion.games.bau_boom import cards, paint
from companion.games.bau_boom.book import BOOK
from companion.games.bau_boom.checking import Checking
from companion.games.bau_boom.drive import DRIVE, Drive
from companion.games.bau_boom.guide import GUIDE, page_for
from companion.games.bau_boom.hill_panels import AtTheHill, Drawn
from companion.games.bau_boom.hill_view import HillView
from companion.games.bau_boom.knowledge import known
from companion.games.bau_boom.layout import Layout, cells, layout, targets
from companion.games.bau_boom.odds import odds
from companion.games.bau_boom.panels import (
    TARGET,
    Answering,
    Asking,
    Entering,
    Moving,
    Over,
    Panel,
    Recolouring,
    Throwing,
)
from companion.games.bau_boom.position import Draw, Lay, Leave, Roll, What
from companion.games.bau_boom.position import Go as Drives
from companion.games.bau_boom.steps import Card, fresh
from companion.games.bau_boom.story import LOOK, BauGame
from companion.games.rulebook import Awaited
from companion.language import mark
from companion.screens.base import Context, Go, Step, Widget
from companion.screens.canvas import Canvas
from companion.screens.entry import entry
from companion.screens.pages import Pages
from companion.screens.terms import Choice, Prompt
from companion.screens.theme import BAU

SHOWN = 4  # cards that find room side by side; of more, one is the way to the next ones


class BauScreen(BauGame):
    """The whole game. Hands stay on the board: a turn is two dice, one number, and take or leave."""

    book, title, icon, accent = BOOK, BOOK.title, "hill", BAU
    asks = mark("Who is the youngest?")
    guide = GUIDE
    choices = (
        Choice(
            "depth",
            mark("What shall I do?"),
            (("bau-boom", mark("the whole game")), ("container", mark("only the container"))),
            of="book",
        ),
        Choice(
            "variant",
            mark("Rules"),
            (
                ("base", mark("Normal")),
                ("younger", mark("Younger children")),
                ("clever", mark("Clever builders")),
            ),
        ),
        Choice(
            "container",
            mark("Who draws the tiles?"),
            (("companion", mark("The companion")), ("real", mark("We, from the container"))),
            of="manner",
        ),
    )
    seat_choice = Choice(
        "hills", mark("Hill"), (("auto", mark("auto")), ("10", "10"), ("15", "15")), icon="hill"
    )
    real_dice = True
    dice_awaited = 2

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.drive = Drive()
        self.pages = Pages()  # of the cards
        self._untold = self.real and not self.match.moves  # whether nobody has heard what has to be laid
        self._heard = len(self.match.moves)  # how many moves have been spoken of

    @classmethod
    def seat_default(cls, values: Mapping[str, str]) -> str:
        """The hill of somebody who has not chosen one."""
        return "15" if values.get("variant") == "clever" else "10"

    def page(self) -> int:
        """The page that fits what is awaited."""
        return page_for(self.position)

    def reset(self) -> None:
        """Nobody drives any more either, and what was taken back may be heard again."""
        super().reset()
        self.drive = Drive()
        self._heard = min(self._heard, len(self.match.moves))

    # what goes by itself

    def deals(self, awaited: Awaited[Any]) -> bool:
        """The companion draws, unless people do."""
        return not self.real and super().deals(awaited)

    def score(self, player: int) -> str:
        """How much of the hill is covered: not all need be of the same size (BAU-R9)."""
        return f"{super().score(player)}/{self.position.options.size(player)}"

    def forced(self, awaited: Awaited[Any]) -> str | None:
        """What must be taken, cannot be built or leaves no choice; but a number is always chosen."""
        texts = self.match.texts(awaited)
        if awaited.what == "move the barrow" or texts is None or len(texts) > 1:
            return None
        return None if texts[0].startswith("place") else texts[0]

    def go_on(self) -> Iterator[Step]:
        """In the beginning, too, it is said what people have to do."""
        if self._untold:
            self._untold = False
            yield Say(_DRAWS["deal"])
        yield from super().go_on()

    def after(self, text: str, before: Any) -> Iterator[Step]:
        """Barrows drive, and what people have to do now is said."""
        frame = self.frames[-1]
        if isinstance(frame.move, Roll):
            thrown = self.game.done[-1].by != "companion"
            self.left = self._open if thrown else None
            yield Sound("seen" if thrown else "roll")
            yield SayThrow(frame.move.dice)
            self.pages.number = 0
        elif isinstance(frame.move, Drives):
            self.drive = Drive.between(frame.before, frame.after, self.context.now)
            self.until = self.context.now + DRIVE
            yield Sound("push" if any(card.sign == "push" for card in self.cards_of([frame])) else "press")
        elif not (isinstance(frame.move, Lay) and self.game.done[-1].by == "companion"):
            yield Sound(_SOUNDS.get(type(frame.move), "tile"))
        yield from self._speaks()

    def _speaks(self) -> Iterator[Step]:
        """Say in one go what follows by itself: of two phrases that wait for the end of another one, such as
        what was thrown, the first is never heard.
        """
        if type(self.panel) is Panel or self._at_work(self.accepting):
            return
        unheard = max(1, len(self.frames) - self._heard)
        new = self.turn_frames[-unheard:] or self.frames[-1:]
        self._heard = len(self.frames)
        clips = list(self._clips(new[0].before, self.cards_of(new)))
        if clips:
            yield Say(clips[0], tuple(clips[1:]))

    def _clips(self, before: Any, new: Sequence[Card]) -> Iterator[str]:
        late = {"drawn"} if self.real else set()  # whoever draws it is told so before
        yield from (clip for card in new if card.sign not in late and (clip := self._clip(card)))
        now = self.position
        if now.over:
            return
        if self.real and now.due != before.due:
            yield from filter(None, [_DRAWS.get(now.due.what)])
        if now.due.what == "build" and before.due.what != "build" and now.barrows[now.due.player].tiles:
            yield "bau-build"
        if now.due.what == "roll":
            yield f"turn-{self.colours[now.turn]}"

    def _clip(self, card: Card) -> str | None:
        """People build for a computer that has come home."""
        told = card.sign == "build" and card.player in self.told
        return "bau-build" if told and not self.position.barrows[card.player].at else cards.clip(card)

    @property
    def animating(self) -> bool:
        """While barrows drive or a drawn tile lies face up."""
        return self.drive.going(self.context.now) or self.context.now - self.looked[0] < LOOK

    # what is seen

    @property
    def panel(self) -> Panel:
        """What is awaited, as something to touch."""
        awaited = self.awaited()
        if awaited is None:
            return Over(self)
        if self.computer is not None or self.deals(awaited):
            return Panel(self)
        if awaited.who is not None and self.forced(awaited):
            return Panel(self)
        due = self.position.due
        if self.sight:
            return Checking(self)
        if due.what == "roll" and self.asked:
            return Asking(self)
        if due.what == "roll" and self.chosen is not None:
            return Recolouring(self)
        if due.what == "drawn" and not self.open_hand:
            return Drawn(self)
        if due.what == "tile" and self.position.options.variant != "younger":
            return Answering(self)
        return _PANELS.get(due.what, AtTheHill)(self)

    def prompt(self) -> Prompt:
        """What now?"""
        return self.panel.prompt() if self.computer is None else self.thinks(self.computer)

    def hinted(self, move: str) -> tuple[str, ...]:
        """What bears the move as its key; of a number the space on the trail, too, and of a place for a tile
        that was drawn the way there.
        """
        return move, "build" if move.startswith("place") else move.replace("move ", "to-")

    def layout(self, canvas: Canvas) -> Layout:
        """Where things are."""
        return layout(canvas, self.area(canvas), self.position.options.trail)

    def board(self, canvas: Canvas) -> Sequence[Widget]:
        """What the panel offers; and drawn tiles, which their owners may look at."""
        where, panel = self.layout(canvas), self.panel
        offered = panel.widgets(canvas, where)
        found = [each._replace(means=(self.position.due, each.means)) for each in offered]
        if found and not self.sight:
            found += self._elsewhere(canvas, where, panel, [widget.rect for widget in found])
        if panel.large or panel.wide:
            return found
        pages = self._card_pages()
        for number, card, box in self._placed(canvas, where.strip, pages):
            if self._lookable(card):
                look, open_now = partial(self.looks, number), self.looked_at(number)
                found.append(Widget(f"look-{number}", box, look, style="drawn", means=open_now))
            elif card.places:
                found.append(
                    Widget(f"{card.sign}-{number}", box, partial(self._enlarges, card), style="drawn")
                )
        return [*found, *self._ways(canvas, where.strip, len(pages))]

    def _elsewhere(self, c: Canvas, where: Layout, panel: Panel, taken: list[Rect]) -> Iterator[Widget]:
        """The spaces that no number leads to: they say why not, unless what lies there can be corrected."""
        leads, side = panel.leads(), c.px(TARGET)
        if where.trail.wide < side:
            return
        refuse = self.plays(f"move {next(number for number in range(1, 13) if number not in leads)}")
        others = [space for space in range(len(self.position.trail)) if space not in leads.values()]
        spots = targets(where, [*leads.values(), *others], side)[len(leads) :]
        for space, spot in zip(others, spots, strict=True):
            if spot and spot.collidelist(taken) < 0:
                act, means = panel.touched(space) or refuse, space == self.chosen
                yield Widget(f"space-{space}", spot, act, style="drawn", by_finger=True, means=means)

    def _lookable(self, card: Card) -> bool:
        """Whether a card has a tile that only its owner may look at."""
        return card.sign == "drawn" and not self.real and card.player not in self.told

    def _enlarges(self, card: Card) -> Iterator[Step]:
        """Show large what is to be built, or is paid."""
        yield Sound("press")
        yield Go(HillView(self, card))

    def paint_board(self, canvas: Canvas) -> None:
        """The trail, and within it the rest."""
        where, panel, position = self.layout(canvas), self.panel, self.position
        paint.trail(canvas, where.trail, position, fresh(self.turn_frames))
        if not panel.large:
            told = self.told_so_far
            paint.container(canvas, where.container, known(told), odds(told))
        if not panel.large and not panel.wide:
            self._paint_strip(canvas, where.strip)
        panel.paint(canvas, where)
        spots = self.drive.spots(where.trail, position, self.context.now)
        loads = [len(barrow.tiles) for barrow in position.barrows]
        paint.barrows(canvas, where.trail, spots, loads, self.colours, position.turn)

    def _card_pages(self) -> list[list[tuple[int, Card]]]:
        """The numbered cards, the first ones first, page by page."""
        shown = self.position.agenda and self.position.due.what != "move"
        numbered = list(enumerate(self.cards)) if shown else []
        on_page = SHOWN if len(numbered) <= SHOWN else SHOWN - 1
        return [numbered[first : first + on_page] for first in range(0, len(numbered), on_page)]

    def _placed(
        self, c: Canvas, strip: Rect, pages: list[list[tuple[int, Card]]]
    ) -> list[tuple[int, Card, Rect]]:
        """The cards of the page that is shown, each with its number and its place."""
        shown = self.pages.of(pages) if pages else []
        boxes = cells(strip, len(shown) if len(pages) == 1 else SHOWN, c.px(8))
        return [(number, card, box) for (number, card), box in zip(shown, boxes, strict=False)]

    def _ways(self, c: Canvas, strip: Rect, count: int) -> Iterator[Widget]:
        """To the other pages."""
        last = cells(strip, SHOWN, c.px(8))[-1]
        between = 0 < self.pages.shown(count) < count - 1
        up, down = cells(last, 2, c.px(8)) if between else (last, last)
        yield from self.pages.widgets(count, up, down)

    def _paint_strip(self, c: Canvas, strip: Rect) -> None:
        """What is to be done, or else the hills."""
        placed = self._placed(c, strip, self._card_pages())
        for number, card, box in placed:
            told = not self.told.isdisjoint(card.players)
            said = cards.words(card, self.context.t, self.real, self.eaten(card), told)
            whose = card.player if self.looked_at(number) else None
            looked_at = None if whose is None else self.secret(whose)
            touched, fetched = bool(card.places) or self._lookable(card), self.fetched(card)
            cards.draw(c, box, card, said, self.position, self.colours, looked_at, touched, fetched)
        if not placed:
            self._paint_hills(c, strip)

    def _paint_hills(self, c: Canvas, strip: Rect) -> None:
        options, players = self.position.options, range(self.position.options.players)
        for player, box in zip(players, cells(strip, len(players), c.px(8)), strict=True):
            covered = self.position.covered[player]
            paint.small_hill(c, box, options.plan(player), covered, self.colours[player])


_SOUNDS: dict[type, str] = {Draw: "draw", Lay: "build", Leave: "press"}
_DRAWS: dict[What, str] = {"deal": "bau-fill", "refill": "bau-fill", "draw": "bau-drawn"}
_PANELS: dict[What, type[Panel]] = {
    "roll": Throwing,
    "move": Moving,
    "deal": Entering,
    "refill": Entering,
    "draw": Entering,
}

ENTRIES = [entry(BauScreen)]
