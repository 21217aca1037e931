"""One player: name, colour, seat, and whether the computer plays, and how strong."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from pygame import Rect

from companion.events import Event, Sound, Typed
from companion.games.thought import Strength
from companion.language import mark
from companion.players import COLOURS, LONGEST, PlayerColour, Plays, Seat, animal, read
from companion.screens.base import Act, Back, Context, Screen, Step, Widget
from companion.screens.canvas import Canvas, inset
from companion.screens.seating import Seating
from companion.screens.stage import body
from companion.screens.terms import ANIMAL_NAMES
from companion.screens.theme import CARD, CARD_PRESSED, FAINT, INK, LINE, PLAYER_COLOURS, Rgb, has_sign

WIDE = {  # as on the keyboards of the language
    "de": ("QWERTZUIOPÜ", "ASDFGHJKLÖÄ", "YXCVBNMß-"),
    "en": ("QWERTYUIOPÜ", "ASDFGHJKLÖÄ", "ZXCVBNMß-"),
}
NARROW = ("ABCDEFG", "HIJKLMN", "OPQRSTU", "VWXYZÄÖ", "Üß-")
OFFERED = 3  # names of earlier games that are offered


class PlayerScreen(Screen):
    """Every change is in force at once."""

    title = mark("Player")
    typing = True

    def __init__(self, context: Context, seating: Seating, number: int, accent: Rgb) -> None:
        super().__init__(context)
        self.seating, self.number, self.accent = seating, number, accent
        taken = {seat.name for seat in seating.seats}
        self.known = [name for name in _names(context) if name not in taken]

    @property
    def seat(self) -> Seat:
        """The player as he is now."""
        return self.seating.rows[self.number].seat

    # what happens

    def handle(self, event: Event) -> Iterator[Step]:
        """A real keyboard writes too."""
        if isinstance(event, Typed) and self.seat.plays == "person":
            yield from self._types(event.letter)

    def _types(self, letter: str) -> Iterator[Step]:
        name = self.seat.name[:-1] if letter == "\b" else self.seat.name + letter
        if len(name) > LONGEST or not (letter == "\b" or has_sign("bold", letter)):
            yield Sound("refused")
            return
        name = name.lstrip()
        proper = "".join(
            each.lower() if i and name[i - 1].isalpha() else each.upper() for i, each in enumerate(name)
        )
        yield from self._changes(replace(self.seat, name=proper))

    def _changes(self, seat: Seat) -> Iterator[Step]:
        self.seating.change(self.number, seat)
        yield Sound("press")

    def _named(self, name: str) -> Iterator[Step]:
        yield from self._changes(replace(self.seat, name=name))
        yield Back()

    def _moves(self, by: int) -> Iterator[Step]:
        self.number = self.seating.move(self.number, by)
        yield Sound("press")

    def _remove(self) -> Iterator[Step]:
        yield Back()
        self.seating.remove(self.number)
        yield Sound("press")

    def _done(self) -> Iterator[Step]:
        yield Back()

    # where things are

    def _rows(self, c: Canvas) -> list[Rect]:
        """Colours, name, keyboard, buttons."""
        area, gap = inset(body(c), c.px(10)), c.px(8)
        letters = c.px(60 * 5 if c.portrait else 57 * 3)
        heights = [c.px(58), c.px(56), letters, c.px(72)]
        if c.portrait:
            heights[1] = c.px(120)
        rows, top = [], area.y
        for high in heights:
            rows.append(Rect(area.x, top, area.width, high))
            top += high + gap
        rows[3].bottom = area.bottom
        return rows

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """Colours; names and letters for a person, animals for a computer; seat and end."""
        colours, name, letters, foot = self._rows(canvas)
        found = [*self._colours(canvas, colours)]
        if self.seat.plays == "person":
            found += [*self._name(canvas, name), *self._letters(canvas, letters)]
        else:
            found += self._animals(canvas, letters)
        return [*found, *self._foot(canvas, foot)]

    def _colours(self, c: Canvas, row: Rect) -> Iterator[Widget]:
        side, gap = row.height, c.px(8)
        for i, colour in enumerate(COLOURS):
            box = Rect(row.x + i * (side + gap), row.y, side, side)
            yield Widget(
                f"colour-{colour}",
                box,
                partial(self._changes, replace(self.seat, colour=colour)),
                style="drawn",
            )
        if self.seating.strengths:
            left = row.x + len(COLOURS) * (side + gap)
            other: Plays = "person" if self.seat.plays == "computer" else "computer"
            label = self.context.t("Computer") if other == "computer" else self.context.t("Person")
            strength = animal(self.seat.strength, self.seating.strengths)
            turned = replace(self.seat, plays=other, strength=strength)
            yield Widget(
                "plays",
                Rect(left, row.y, row.right - left, row.height),
                partial(self._changes, turned),
                label="" if c.portrait else label,
                icon=other,
                means=other,
            )

    def _name(self, c: Canvas, row: Rect) -> Iterator[Widget]:
        gap, high = c.px(8), c.px(56)
        wide = c.px(72)
        field = self._field(c, row)
        erase = Rect(field.right - wide, row.y, wide, high)
        yield Widget("erase", erase, partial(self._types, "\b"), icon="erase", style="quiet")
        chips = (
            Rect(row.x, row.y + high + gap, row.width, high)
            if c.portrait
            else Rect(field.right + gap, row.y, row.right - field.right - gap, high)
        )
        wide = (chips.width - gap * (OFFERED - 1)) // OFFERED
        for i, name in enumerate(self.known[:OFFERED]):
            box = Rect(chips.x + i * (wide + gap), chips.y, wide, high)
            yield Widget(f"name-{name}", box, partial(self._named, name), label=name)

    def _field(self, c: Canvas, row: Rect) -> Rect:
        return Rect(row.x, row.y, row.width if c.portrait else c.px(340), c.px(56))

    def _letters(self, c: Canvas, box: Rect) -> Iterator[Widget]:
        rows, gap = NARROW if c.portrait else WIDE[self.context.t.language], c.px(4)
        wide = (box.width - gap * (len(rows[0]) - 1)) // len(rows[0])
        high = (box.height - gap * (len(rows) - 1)) // len(rows)
        for y, row in enumerate(rows):
            for x, letter in enumerate(row):
                place = Rect(box.x + x * (wide + gap), box.y + y * (high + gap), wide, high)
                yield Widget(f"key-{letter}", place, partial(self._types, letter), label=letter)

    def _animals(self, c: Canvas, box: Rect) -> Iterator[Widget]:
        """How strong the computer plays, the weakest first."""
        gap, offered = c.px(8), self.seating.strengths
        wide = min(c.px(190), (box.width - gap * (len(offered) - 1)) // len(offered))
        high = min(box.height, c.px(170))
        for i, strength in enumerate(offered):
            place = Rect(box.x + i * (wide + gap), box.y, wide, high)
            act = partial(self._changes, replace(self.seat, strength=strength))
            yield Widget(f"strength-{strength}", place, act, style="drawn")

    def _foot(self, c: Canvas, row: Rect) -> Iterator[Widget]:
        t, gap, wide = self.context.t, c.px(8), c.px(96 if c.portrait else 168)
        left = row.x
        offers: list[tuple[str, str, str, Act]] = [
            ("earlier", t("Earlier"), "up", partial(self._moves, -1)),
            ("later", t("Later"), "down", partial(self._moves, 1)),
        ]
        if len(self.seating.rows) > self.seating.numbers[0]:
            offers.append(("remove", t("Remove"), "cross", self._remove))
        for key, label, icon, act in offers:
            yield Widget(key, Rect(left, row.y, wide, row.height), act, label=label, icon=icon)
            left += wide + gap
        yield Widget(
            "done",
            Rect(left, row.y, row.right - left, row.height),
            self._done,
            label=t("Done"),
            icon="ok",
            style="main",
        )

    # what is shown

    def paint(self, canvas: Canvas) -> None:
        """The colours, the name."""
        c, (colours, name, letters, _) = canvas, self._rows(canvas)
        for widget in self._colours(c, colours):
            colour = next((own for own in COLOURS if widget.key == f"colour-{own}"), None)
            if colour:
                self._paint_choice(c, widget.rect, colour == self.seat.colour, colour)
        if self.seat.plays == "computer":
            c.text(self.context.t("How well does the computer play?"), name, 30, face="bold")
            for place, strength in zip(self._animals(c, letters), self.seating.strengths, strict=True):
                self._paint_animal(c, place.rect, strength)
            return
        field = self._field(c, name)
        c.card(field, CARD, edge=LINE, shade=False)
        inner = Rect(field.x + c.px(14), field.y, field.width - c.px(90), field.height)
        own = self.seat.name
        c.text(
            own or self.context.t("Name"), inner, 32, face="bold", align="left", colour=INK if own else FAINT
        )

    def _paint_animal(self, c: Canvas, box: Rect, strength: Strength) -> None:
        words = Rect(box.x + c.px(4), box.bottom - c.px(46), box.width - c.px(8), c.px(40))
        self._paint_choice(c, box, strength == self.seat.strength)
        sign = Rect(box.x + c.px(6), box.y + c.px(8), box.width - c.px(12), box.height - c.px(56))
        c.icon(strength, sign, PLAYER_COLOURS[self.seat.colour])
        c.text(self.context.t(ANIMAL_NAMES[strength]), words, 26, face="bold")

    @staticmethod
    def _paint_choice(c: Canvas, box: Rect, own: bool, colour: PlayerColour | None = None) -> None:
        """A card with the sign of a colour; that of his own is brighter, and ticked."""
        c.card(box, CARD_PRESSED if own else CARD, edge=INK if own else LINE, shade=False)
        if colour:
            c.player(inset(box, c.px(10)), colour)
        if own:
            side = c.px(20)
            c.tick(Rect(box.right - side - c.px(3), box.y + c.px(3), side, side))


def _names(context: Context) -> list[str]:
    """The names of earlier games, the latest first."""
    seats = (seat for outline in context.table.outlines() for seat in read(outline.party).seats)
    return list(dict.fromkeys(seat.name for seat in seats if seat.name and seat.plays == "person"))
