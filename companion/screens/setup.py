"""Before a game: who plays, in which order and colour, what is agreed, and who begins."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from pygame import Rect

from companion.config import ConfigError, WrongError
from companion.events import Sound
from companion.language import Message, verbatim
from companion.players import Party, Seat, read
from companion.playthrough import UnplayableError
from companion.screens.base import Back, Context, Go, Screen, Step, Widget
from companion.screens.canvas import Canvas, centred, inset
from companion.screens.game import GameScreen
from companion.screens.player import PlayerScreen
from companion.screens.seating import AUTO, Seating
from companion.screens.stage import body
from companion.screens.terms import Choice, seat_name
from companion.screens.theme import CARD, FAINT, LINE, WARN

TROUBLE = 76  # units: how high it is where it is said why a game cannot begin


class SetupScreen(Screen):
    """Offers the last group again: then one touch begins the game.

    The first of the rows begins, once it is known who that is.
    """

    def __init__(self, context: Context, kind: type[GameScreen]) -> None:
        super().__init__(context)
        self.kind, self.accent, self.title = kind, kind.accent, kind.book.title
        table = context.table
        family = kind.family()
        party, entered = table.last_party(family)[0], context.about_to_play.entered
        if entered and entered.book in family:
            party = entered.party
        seats = entered.party.seats if entered else party.seats
        asked, played = table.last_party([name for name, game in family.items() if game.asks])
        known = played and _who(asked.seats) == _who(seats)
        picks = self._last_picks(party) if seats == party.seats else []
        self.seating = Seating(seats, kind.book.players, kind.strengths(), known, picks, self._enter)
        agreed = self._configured()
        usual = kind.seat_choice and agreed.get(kind.seat_choice.key)
        self._usual = usual.split(",") if usual and usual != AUTO else []  # of each player in turn
        self.values = {choice.key: self._last(choice, party, agreed) for choice in kind.choices}
        self.waiting = table.waiting(family)  # the games that can go on
        self.offered = 0  # which of them
        self.trouble: Message | None = None

    def _last_picks(self, party: Party) -> list[str]:
        """What the players have chosen for themselves the last time."""
        own = self.kind.seat_choice
        picks = party.manner.get(own.key, "").split(",") if own else []
        return picks if own and all(pick in dict(own.options) for pick in picks) else []

    def _configured(self) -> dict[str, str | None]:
        """What the game's file says of its choices; nothing if it is wrong, which beginning will say."""
        book = self.kind.book
        try:
            options = book.agree(self.context.config)
        except ConfigError:
            return {}
        keys = [choice.key for choice in self.kind.choices if choice.of == "rules"]
        keys += [self.kind.seat_choice.key] if self.kind.seat_choice else []
        return {key: book.sets[key].write(getattr(options, key)) for key in keys}

    @staticmethod
    def _last(choice: Choice, party: Party, configured: dict[str, str | None]) -> str:
        """What was chosen the last time, or else what is configured, or else the first."""
        wanted = (party.manner.get(choice.key), configured.get(choice.key))
        known = (value for value in wanted if value is not None and value in dict(choice.options))
        return next(known, choice.options[0][0])

    # what can be changed

    def _edits(self, number: int) -> Iterator[Step]:
        yield Go(PlayerScreen(self.context, self.seating, number, self.accent))

    def _add(self) -> Iterator[Step]:
        yield from self._edits(self.seating.add())

    def _turns(self, choice: Choice) -> Iterator[Step]:
        self.values[choice.key] = choice.after(self.values[choice.key])
        self._enter()
        yield Sound("press")

    def _picks(self, number: int) -> Iterator[Step]:
        choice, shown = self.kind.seat_choice, self._pick(number)
        assert choice is not None
        while self._pick(number) == shown:  # of two that look alike one is enough
            self.seating.pick(number, choice.after(self.seating.rows[number].pick))
        yield Sound("press")

    def _enter(self) -> None:
        """Who was entered is offered again, whatever is played then; what was wrong may be so no more."""
        self.trouble = None
        self.context.about_to_play.enter(self.kind.book.name, self._party)

    @property
    def _party(self) -> Party:
        own = self.kind.seat_choice
        picks = {own.key: ",".join(row.pick for row in self.seating.rows)} if own else {}
        return Party(self.seating.seats, self.values | picks)

    # the beginning

    def _start(self) -> Iterator[Step]:
        if self.seating.known or not self.chosen.asks:
            yield from self.begin(0)
        else:
            yield Go(BeginnerScreen(self.context, self))

    def begin(self, first: int) -> Iterator[Step]:
        """Begin the game with the player in this row."""
        self.seating.begin_with(first)
        try:
            options = self._agreed()
        except ConfigError as error:
            self.trouble = verbatim(error.problems[0].say(self.context.t))
        except WrongError as error:
            self.trouble = error.message
        else:
            self.trouble = None
            self.context.table.begin(self.chosen.book, options, party=self._party)
            self.context.about_to_play.begun()
            yield Sound("go")
            yield Back()
            yield Go(self.chosen(self.context))
            return
        yield Sound("refused")

    @property
    def chosen(self) -> type[GameScreen]:
        """The game that is played: this one, or another that was chosen in its stead."""
        names = (self.values[choice.key] for choice in self.kind.choices if choice.of == "book")
        return self.kind.family()[next(names, self.kind.book.name)]

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What makes a difference: of another game that is played in its stead only that."""
        own, agreed = self.chosen is self.kind, self.values.items()
        asked = (choice for choice in self.kind.choices if own or choice.of == "book")
        return tuple(choice for choice in asked if not choice.only or choice.only in agreed)

    def _agreed(self) -> Any:
        if self.chosen is not self.kind:  # another game has its own settings
            return self.chosen.book.agree(self.context.config, len(self.seating.rows))
        chosen = {c.key: self.values[c.key] for c in self.kind.choices if c.of == "rules"}
        own = self.kind.seat_choice
        if own and (self._usual or any(row.pick != AUTO for row in self.seating.rows)):
            chosen[own.key] = ",".join(map(self._pick, range(len(self.seating.rows))))
        return self.kind.book.agree(self.context.config, len(self.seating.rows), chosen)

    def _pick(self, number: int) -> str:
        picked = (self.seating.rows[number].pick, *self._usual[number : number + 1])
        return next((pick for pick in picked if pick != AUTO), self.kind.seat_default(self.values))

    def _continue(self) -> Iterator[Step]:
        game, self.offered = self.waiting.pop(self.offered), 0
        try:
            self.context.table.continue_game(game.id)
        except UnplayableError as error:
            self.trouble = error.message
            yield Sound("refused")
            return
        yield Back()
        yield Go(self.kind.family()[game.book](self.context))

    def _other(self) -> Iterator[Step]:
        """Offer the next game that waits."""
        self.offered = (self.offered + 1) % len(self.waiting)
        yield Sound("press")

    # where things are

    def _places(self, c: Canvas) -> tuple[Rect, Rect, Rect]:
        """The players, the choices, the buttons."""
        area, gap, high = inset(body(c), c.px(12)), c.px(12), c.px(80)
        if self._stacks(c):
            high = 2 * high + gap
        foot = Rect(area.x, area.bottom - high, area.width, high)
        room = Rect(area.x, area.y, area.width, area.height - high - gap)
        if c.portrait:
            upper = Rect(room.x, room.y, room.width, room.height * 52 // 100)
            return upper, Rect(room.x, upper.bottom + gap, room.width, room.bottom - upper.bottom - gap), foot
        left = Rect(room.x, room.y, room.width * 52 // 100, room.height)
        return left, Rect(left.right + gap, room.y, room.right - left.right - gap, room.height), foot

    def _stacks(self, c: Canvas) -> bool:
        """Whether the buttons lie one below the other: names need room."""
        return c.portrait and len(self.waiting) > 1

    def _seat_rows(self, c: Canvas) -> list[Rect]:
        """A place for each player, and one more to add another."""
        box, gap = self._places(c)[0], c.px(6)
        count = self.kind.book.players[-1]
        high = min(c.px(76), (box.height - gap * (count - 1)) // count)
        return [Rect(box.x, box.y + i * (high + gap), box.width, high) for i in range(count)]

    def _choice_rows(self, c: Canvas) -> list[Rect]:
        box, gap, count = self._places(c)[1], c.px(8), len(self.choices)
        box.height -= gap + c.px(TROUBLE) if self.trouble else 0
        high = min(c.px(84), (box.height - gap * max(0, count - 1)) // max(1, count))
        return [Rect(box.x, box.y + i * (high + gap), box.width, high) for i in range(count)]

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """The players, the choices, and to begin; the game that waits, if one does."""
        t, (_, _, foot), gap = self.context.t, self._places(canvas), canvas.px(12)
        found = list(self._seats(canvas))
        found += [
            Widget(
                choice.key, row, partial(self._turns, choice), style="drawn", means=self.values[choice.key]
            )
            for choice, row in zip(self.choices, self._choice_rows(canvas), strict=True)
        ]
        start = foot
        if self.waiting:
            wide, high = (foot.width - gap) // 2, foot.height
            if self._stacks(canvas):
                wide, high = foot.width, (foot.height - gap) // 2
            start = Rect(foot.right - wide, foot.bottom - high, wide, high)
            found += self._waits(canvas, Rect(foot.x, foot.y, wide, high))
        found.append(Widget("start", start, self._start, label=t("Begin"), icon="play", style="main"))
        return found

    def _waits(self, c: Canvas, box: Rect) -> Iterator[Widget]:
        """The game that can go on; if several can, who plays it, which it is, and the way to the next one."""
        t, game, count = self.context.t, self.waiting[self.offered], len(self.waiting)
        label = t("Continue the last game")
        if count > 1:
            label = t.listed([seat_name(t, seat) for seat in read(game.party).seats]) or label
            other = Rect(box.x, box.y, c.px(64), box.height)
            box = Rect(other.right + c.px(8), box.y, box.right - other.right - c.px(8), box.height)
            number = f"{self.offered + 1}/{count}"
            yield Widget("other", other, self._other, label=number, icon="down", means=game.id)
        yield Widget("continue", box, self._continue, label=label, icon="resume", means=game.id)

    def _seats(self, c: Canvas) -> Iterator[Widget]:
        places = self._seat_rows(c)
        for number, place in enumerate(places[: len(self.seating.rows)]):
            wide = c.px(100) if self.chosen.seat_choice else 0
            edit = Rect(place.x, place.y, place.width - wide - (c.px(6) if wide else 0), place.height)
            yield Widget(f"seat-{number}", edit, partial(self._edits, number), style="drawn")
            if choice := self.chosen.seat_choice:
                box = Rect(place.right - wide, place.y, wide, place.height)
                label, act = self.context.t(choice.label(self._pick(number))), partial(self._picks, number)
                yield Widget(f"pick-{number}", box, act, label=label, icon=choice.icon, means=label)
        if len(self.seating.rows) < len(places):
            label = self.context.t("One more")
            yield Widget(
                "add", places[len(self.seating.rows)], self._add, label=label, icon="plus", style="quiet"
            )

    def paint(self, canvas: Canvas) -> None:
        """Names, signs, what is agreed."""
        for widget in self._seats(canvas):
            if widget.style == "drawn":
                self._paint_seat(canvas, widget.rect, int(widget.key.partition("-")[2]))
        for choice, row in zip(self.choices, self._choice_rows(canvas), strict=True):
            self._paint_choice(canvas, row, choice)
        if self.trouble:
            box = self._places(canvas)[1]
            words = Rect(box.x, box.bottom - canvas.px(TROUBLE), box.width, canvas.px(TROUBLE))
            canvas.text(self.context.t.say(self.trouble), words, 22, colour=WARN)

    def _paint_seat(self, c: Canvas, box: Rect, number: int) -> None:
        seat = self.seating.rows[number].seat
        sign = (
            "flag"
            if number == 0 and self.seating.known
            else "computer"
            if seat.plays == "computer"
            else "pencil"
        )
        c.seated(box, seat, seat_name(self.context.t, seat), sign)

    def _paint_choice(self, c: Canvas, box: Rect, choice: Choice) -> None:
        c.card(box, CARD, edge=LINE)
        inner, half = inset(box, c.px(8)), (box.height - c.px(12)) // 2
        name = Rect(inner.x + c.px(4), box.y + c.px(6), inner.width - c.px(40), half)
        c.text(self.context.t(choice.title), name, 21, align="left", colour=FAINT)
        value = name.move(0, half)
        c.text(self.context.t(choice.label(self.values[choice.key])), value, 25, face="bold", align="left")
        side = c.px(26)
        c.icon("again", Rect(inner.right - side, box.centery - side // 2, side, side), FAINT)


def _who(seats: Sequence[Seat]) -> list[tuple[str, str]]:
    """Who sits there, in the order of their turns, whoever plays for them."""
    return [(seat.name, seat.colour) for seat in seats]


class BeginnerScreen(Screen):
    """Asks, as the rules do, who begins: a touch on a player begins the game."""

    overlay = True

    def __init__(self, context: Context, setup: SetupScreen) -> None:
        super().__init__(context)
        self.setup, self.accent = setup, setup.accent

    def _plate(self, c: Canvas) -> Rect:
        return centred(c.rect.center, c.px(460), c.px(72 + 74 * len(self.setup.seating.rows)))

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Every player."""
        plate = self._plate(canvas)
        return [
            Widget(
                f"begins-{i}",
                Rect(
                    plate.x + canvas.px(14), plate.y + canvas.px(66 + 74 * i),
                    plate.width - canvas.px(28), canvas.px(66),
                ),
                partial(self._begins, i),
                style="drawn",
            )
            for i in range(len(self.setup.seating.rows))
        ]  # fmt: skip

    def _begins(self, number: int) -> Iterator[Step]:
        yield Back()
        yield from self.setup.begin(number)

    def paint(self, canvas: Canvas) -> None:
        """The question and the players."""
        c, plate = canvas, self._plate(canvas)
        c.card(plate, CARD, edge=LINE)
        head = Rect(plate.x + c.px(12), plate.y + c.px(8), plate.width - c.px(24), c.px(52))
        c.text(self.context.t(self.setup.chosen.asks), head, 28, face="bold")
        for widget, row in zip(self.widgets(c), self.setup.seating.rows, strict=True):
            c.seated(widget.rect, row.seat, seat_name(self.context.t, row.seat))
