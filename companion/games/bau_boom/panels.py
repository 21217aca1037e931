"""What can be touched within the trail, one panel for each thing that is awaited."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from pygame import Rect

from companion.games.bau_boom import art, paint
from companion.games.bau_boom.hill import COLOURS, Colour
from companion.games.bau_boom.layout import Layout, cells, columns, rows, targets
from companion.games.bau_boom.odds import odds
from companion.games.bau_boom.rules import numbers
from companion.games.bau_boom.story import BauGame
from companion.language import Message, mark
from companion.screens.base import Act, Widget
from companion.screens.canvas import Canvas, inset
from companion.screens.terms import Prompt
from companion.screens.theme import BAU, INK, LINE, TABLE_EDGE
from companion.throwlog import LoggedThrow

TARGET = 47  # units that a finger needs


class Panel:
    """Asks for nothing: what is due comes by itself, or the game is over."""

    large = False  # whether it takes all the room within the trail
    wide = False  # whether it takes the room of hills and cards, too
    sign = "crate"
    words = Message(mark("One moment"))

    def __init__(self, game: BauGame) -> None:
        self.game = game

    def prompt(self) -> Prompt:
        """What now?"""
        return Prompt(self.words, self.who, self.sign)

    @property
    def who(self) -> int | None:
        """Whom it concerns."""
        return None if self.game.position.over else self.game.position.due.player

    def leads(self) -> dict[int, int]:
        """The spaces that numbers lead to."""
        return {}

    def touched(self, space: int) -> Act | None:
        """What a touch on a space does that no number leads to, if it is no mistake."""
        return None

    def widgets(self, c: Canvas, where: Layout) -> Iterator[Widget]:
        """What can be touched."""
        yield from ()

    def paint(self, c: Canvas, where: Layout) -> None:
        """What is seen of it."""


def palette(boxes: Sequence[Rect], act: Callable[[Colour], Act]) -> Iterator[Widget]:
    """The four colours, as `paint.palette` draws them."""
    for colour, box in zip(COLOURS, boxes, strict=False):
        yield Widget(colour, box, act(colour), style="drawn")


class Over(Panel):
    """Somebody has won."""

    sign, words = "trophy", Message(mark("The game is over"))

    def paint(self, c: Canvas, where: Layout) -> None:
        """Who that is."""
        box = where.action
        side = min(box.height, c.px(90))
        c.icon("trophy", Rect(box.x, box.centery - side // 2, side, side), BAU)
        names = self.game.context.t.listed([self.game.name(each) for each in self.game.position.winners])
        words = Rect(box.x + side + c.px(12), box.y, box.width - side - c.px(12), box.height)
        c.text(names, words, 44, face="title", align="left")


class Throwing(Panel):
    """Two dice are awaited: from the camera, by hand, or from the companion."""

    sign = "dice"

    @property
    def words(self) -> Message:  # type: ignore[override]
        """It is the turn of somebody; a computer has no hands."""
        text = mark("Throw for {name}") if self.who in self.game.told else mark("{name}: throw both dice")
        return Message(text, {"name": self.game.name(self.who)})

    @property
    def who(self) -> int:
        """Whose turn it is."""
        return self.game.position.turn

    def _buttons(self, c: Canvas, where: Layout) -> list[Rect]:
        """The two buttons; with a camera there is room for the dice before them."""
        box, gap = where.action, c.px(12)
        left = 0 if self.game.context.camera.trouble else self._die(c, box).width + gap
        room = Rect(box.x + left, box.y, box.width - left, box.height)
        wide = room.width * 56 // 100
        rest = Rect(room.x + wide + gap, room.y, room.width - wide - gap, room.height)
        return [Rect(room.x, room.y, wide, room.height), rest]

    def _die(self, c: Canvas, box: Rect) -> Rect:
        side = min(c.px(60), (box.height - c.px(8)) // 2)
        return Rect(box.x, box.y, side, side)

    def widgets(self, c: Canvas, where: Layout) -> Iterator[Widget]:
        """Let the companion throw, or enter real dice; without a camera the first is what people want."""
        t, (box, rest) = self.game.context.t, self._buttons(c, where)
        awaited = self.game.awaited("roll")
        assert awaited is not None
        throw = self.game.throws(awaited)
        label = t("Throw") if self.who in self.game.told else t("Throw for me")
        if self.game.context.camera.trouble:
            yield Widget("throw", box, throw, label=label, icon="dice", style="main")
        else:
            yield Widget("throw", box, throw, label=label, icon="dice")
        yield Widget("by-hand", rest, self.game.enters, label=t("Enter dice"), icon="pencil")

    def paint(self, c: Canvas, where: Layout) -> None:
        """Where the dice will lie that the camera sees."""
        if not self.game.context.camera.trouble:
            die, seen = self._die(c, where.action), self.game.glimpse
            for i, box in enumerate((die, die.move(0, where.action.height - die.height))):
                if len(seen) == 1 and i == 0:
                    c.die(box, seen[0])
                    continue
                c.frame(box, LINE, 2)
                c.icon("camera", inset(box, box.width // 4), LINE)

    def touched(self, space: int) -> Act | None:
        """What people have entered can be corrected."""
        entered = self.game.real and self.game.position.trail[space]
        return partial(self.game.chooses, space) if entered else None


class Recolouring(Throwing):
    """A tile on the trail was touched that people have entered: one touch gives it another colour."""

    sign = "pencil"
    words = Message(mark("What lies on the marked space?"))

    def _colours(self, where: Layout, c: Canvas) -> list[Rect]:
        return columns(where.action, len(COLOURS), c.px(8))

    def widgets(self, c: Canvas, where: Layout) -> Iterator[Widget]:
        """The four colours."""
        yield from palette(self._colours(where, c), self.game.recolours)

    def paint(self, c: Canvas, where: Layout) -> None:
        """The colours, and which space it is about."""
        space = self.game.chosen
        assert space is not None
        paint.palette(c, self._colours(where, c), self.game.position.trail[space])
        paint.marked(c, where.trail, space)


class Asking(Panel):
    """The camera has seen two dice and is not sure: one touch says that they are right, or which is not."""

    sign = "dice"

    @property
    def words(self) -> Message:  # type: ignore[override]
        """The question, to people if it is the turn of a computer. What was thrown too early is not in doubt,
        but whether it was meant.
        """
        doubted = bool(self._throw.doubts)
        if self.who in self.game.told:
            right, counts = mark("Throw for {name}: is this right?"), mark("Throw for {name}: does it count?")
        else:
            right, counts = mark("{name}: is this right?"), mark("{name}: does this throw count?")
        return Message(right if doubted else counts, {"name": self.game.name(self.who)})

    @property
    def who(self) -> int:
        """Whose throw it is."""
        return self.game.position.turn

    @property
    def _throw(self) -> LoggedThrow:
        assert self.game.asked is not None
        return self.game.asked

    def _places(self, c: Canvas, where: Layout) -> tuple[list[Rect], Rect]:
        """The two dice, and the room for the answers."""
        box, gap = where.action, c.px(16)
        side = min(box.height - c.px(16), (box.width - 3 * gap) // 4)
        first = Rect(box.x, box.centery - side // 2, side, side)
        second = first.move(side + gap, 0)
        return [first, second], Rect(second.right + gap, box.y, box.right - second.right - gap, box.height)

    def widgets(self, c: Canvas, where: Layout) -> Iterator[Widget]:
        """Yes, or the die that is wrong; that it does not count, where that is the question."""
        t, (dice, box) = self.game.context.t, self._places(c, where)
        one, other = self._throw.pips
        doubted = bool(self._throw.doubts)
        yes, no = rows(box, 2, c.px(8))
        label = t("Right") if doubted else t("Yes, it counts")
        act = lambda: self.game.answers((one, other))  # noqa: E731
        means = self.game.confirm_answers
        yield Widget("yes", box if doubted else yes, act, label=label, icon="ok", style="main", means=means)
        if not doubted:
            label = t("No, throw again")
            yield Widget("no", no, self.game.declines, label=label, icon="dice", means=means)
        for i, box in enumerate(dice):
            yield Widget(f"die-{i}", box, partial(self.game.enters, (one, other)), style="drawn")

    def paint(self, c: Canvas, where: Layout) -> None:
        """The best guess, with a question at what is in doubt."""
        dice, _ = self._places(c, where)
        for i, (die, box) in enumerate(zip(self._throw.dice, dice, strict=True)):
            c.die(box, self._throw.pips[i], die.colour)
            if i in self._throw.doubts:
                c.doubt(box)


class Moving(Panel):
    """A number is chosen: each button shows what lies where it leads."""

    sign, words = "right", Message(mark("How far?"))

    def leads(self) -> dict[int, int]:
        """Each number may be chosen."""
        position = self.game.position
        at = position.barrows[position.due.player].at
        return {number: position.stops(at + number) for number in numbers(position)}

    def _places(self, c: Canvas, where: Layout) -> tuple[list[Rect], Rect]:
        """The two dice, and the room for the numbers."""
        box, gap = where.action, c.px(8)
        if c.portrait:
            side = c.px(58)
            dice = columns(Rect(box.x, box.y, box.width, side), 2, gap, side)
            return dice, Rect(box.x, box.y + side + gap, box.width, box.height - side - gap)
        side = min(c.px(60), (box.height - gap) // 2)
        one = Rect(box.x, box.y, side, side)
        return [one, one.move(0, side + gap)], Rect(
            one.right + gap, box.y, box.right - one.right - gap, box.height
        )

    def widgets(self, c: Canvas, where: Layout) -> Iterator[Widget]:
        """The numbers, the dice, which can be corrected, and the spaces themselves."""
        dice, room = self._places(c, where)
        spaces = self.leads()
        for number, box in zip(spaces, columns(room, len(spaces), c.px(8)), strict=True):
            yield Widget(f"move {number}", box, self.game.plays(f"move {number}"), style="drawn")
        one, other = self.game.position.dice
        fixed = self.game.game.done[-1].by == "companion"  # nobody corrects what the companion has thrown
        act = self.game.plays(f"roll {one} {other}") if fixed else partial(self.game.enters, (one, other))
        for i, box in enumerate(dice):
            yield Widget(f"die-{i}", box, act, style="drawn", by_finger=fixed)
        side = c.px(TARGET)
        if where.trail.wide >= side:
            for number, spot in zip(spaces, targets(where, spaces.values(), side), strict=True):
                if spot:
                    yield Widget(f"to-{number}", spot, self.game.plays(f"move {number}"), style="drawn")

    def paint(self, c: Canvas, where: Layout) -> None:
        """Dice, numbers, and rings on the trail."""
        dice, room = self._places(c, where)
        position, spaces = self.game.position, self.leads()
        paint.targets(c, where.trail, spaces)
        for face, box in zip(position.dice, dice, strict=True):
            c.die(box, face)
        for (number, space), box in zip(spaces.items(), columns(room, len(spaces), c.px(8)), strict=True):
            paint.plate(c, box)
            half = box.height * 46 // 100
            c.text(str(number), Rect(box.x, box.y, box.width, half), 54, face="title", colour=BAU)
            picture = inset(Rect(box.x, box.y + half, box.width, box.height - half), c.px(5))
            paint.landing(c, picture, position, space, self.game.colours)


class Answering(Panel):
    """A tile lies on the space: it may be taken or left."""

    sign, words = "hand", Message(mark("Take the tile or leave it?"))

    def widgets(self, c: Canvas, where: Layout) -> Iterator[Widget]:
        """Both."""
        for key, box in zip(("take", "leave"), columns(where.action, 2, c.px(12)), strict=True):
            yield Widget(key, box, self.game.plays(key), style="drawn")

    def paint(self, c: Canvas, where: Layout) -> None:
        """The tile on its way into the barrow, or still on its space."""
        t, position = self.game.context.t, self.game.position
        player = position.due.player
        space = position.barrows[player].at
        for words, box in zip((t("Take"), t("Leave")), columns(where.action, 2, c.px(12)), strict=True):
            taking = words == t("Take")
            paint.plate(c, box, main=taking)
            ink = TABLE_EDGE if taking else INK
            c.text(
                words, Rect(box.x, box.bottom - c.px(42), box.width, c.px(36)), 30, face="bold", colour=ink
            )
            picture = inset(Rect(box.x, box.y, box.width, box.height - c.px(40)), c.px(6))
            if not taking:
                paint.landing(c, picture, position, space, self.game.colours)
                continue
            side = min(picture.height, picture.width // 2 - c.px(4))
            one = Rect(picture.centerx - side - c.px(4), picture.centery - side // 2, side, side)
            paint.tile(c, inset(one, side // 8), position.trail[space])
            c.surface.blit(art.barrow(self.game.colours[player], side, False), one.move(side + c.px(8), 0))


class Entering(Panel):
    """People draw from the real container: one touch for the colour of each tile."""

    @property
    def words(self) -> Message:  # type: ignore[override]
        """How many are still to come."""
        awaited = self.game.awaited()
        player = self.game.position.due.player
        if awaited is not None and awaited.what == "draw" and player in self.game.told:
            return Message(mark("Draw a tile for {name}"), {"name": self.game.name(player)})
        if awaited is None or awaited.what == "draw":
            return Message(mark("Draw a tile: only you look!"))
        left = (awaited.count or 1) - len(self.game.entered)
        return Message(mark("Draw and lay tiles: {count} to go"), {"count": left})

    @property
    def who(self) -> int | None:
        """Tiles for the trail are laid by all."""
        return super().who if self.game.position.due.what == "draw" else None

    def widgets(self, c: Canvas, where: Layout) -> Iterator[Widget]:
        """The four colours; the last tile can be taken back; the camera can look at all."""
        boxes = self._boxes(c, where)
        yield from palette(boxes, self.game.lays)
        if self.game.entered:
            yield Widget("erase", boxes[4], self.game.unlay, icon="erase")
        if self._for_trail:
            yield Widget("camera", boxes[5], self.game.looks_at_tiles, icon="camera")

    @property
    def _for_trail(self) -> bool:
        """Whether the tiles lie open, so that the camera may see them."""
        return self.game.position.due.what != "draw"

    def _boxes(self, c: Canvas, where: Layout) -> list[Rect]:
        return cells(where.action, 6 if self._for_trail else 5, c.px(8))

    def paint(self, c: Canvas, where: Layout) -> None:
        """The palette; what was entered lies on the trail, the next space is in a ring.

        Of one tile, that nobody sees, it says how likely each colour is.
        """
        expected = odds(self.game.position)
        for kind, (colour, box) in enumerate(zip(COLOURS, self._boxes(c, where), strict=False)):
            paint.plate(c, box)
            if self._for_trail or expected is None:
                paint.tile(c, inset(box, c.px(8)), colour)
                continue
            foot = Rect(box.x, box.bottom - c.px(34), box.width, c.px(30))
            paint.tile(c, inset(Rect(box.x, box.y, box.width, box.height - c.px(30)), c.px(8)), colour)
            c.text(f"{100 * expected.expected[kind]:.0f} %", foot, 24, face="title")
        if not self._for_trail:
            return
        spaces, entered = self.game.filled, self.game.entered
        for space, colour in zip(spaces, entered, strict=False):
            paint.tile(c, where.trail.square(space, 0.54), colour)
        if len(entered) < len(spaces):
            c.frame(where.trail.square(spaces[len(entered)], 0.9), INK, 4, radius=40)
