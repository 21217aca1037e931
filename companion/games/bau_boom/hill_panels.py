"""What can be touched when tiles are built or paid: the hill of one player, large."""

from collections.abc import Iterator
from functools import partial

from pygame import Rect

from companion.games.bau_boom import notation, paint
from companion.games.bau_boom.choices import offered
from companion.games.bau_boom.hill import COLOURS
from companion.games.bau_boom.layout import Layout, columns
from companion.games.bau_boom.panels import TARGET, Panel, palette
from companion.games.bau_boom.position import Leave, Take
from companion.games.bau_boom.workshop import Workshop
from companion.language import Message, mark
from companion.screens.base import Widget
from companion.screens.canvas import Canvas
from companion.screens.theme import FAINT, INK


class AtTheHill(Panel):
    """Tiles are laid or paid; one touch accepts the whole proposal."""

    large = True

    @property
    def sign(self) -> str:  # type: ignore[override]
        """A hill, or the way back into the container."""
        return "crate" if self.game.position.due.what == "pay" else "hill"

    @property
    def words(self) -> Message:  # type: ignore[override]
        """What now?"""
        if self.game.chosen is not None:
            return Message(mark("Which colour is the tile in the frame?"))
        if self.game.position.due.what == "pay":
            return Message(mark("One tile has to go back"))
        if self.game.position.due.what == "build":
            return Message(mark("Home! Build your hill"))
        if self.game.position.due.forced:
            return Message(mark("Build it, or keep it?"))
        return Message(mark("Build it, or leave it?"))

    def _workshop(self) -> Workshop:
        position, awaited = self.game.position, self.game.awaited()
        assert awaited is not None and awaited.moves is not None
        due = position.due
        if due.what == "build":
            tiles = position.barrows[due.player].tiles
            return Workshop(position, awaited.moves, tiles, self.game.from_container(due.player))
        if due.what in ("tile", "drawn"):
            drawn = due.what == "drawn" and not self.game.real
            return Workshop(position, awaited.moves, (offered(position, due),), (drawn,))
        return Workshop(position, awaited.moves, (), ())

    def widgets(self, c: Canvas, where: Layout) -> Iterator[Widget]:
        """The proposal, something else, and every place; the tiles, if people have entered their colours."""
        shop = self._workshop()
        buttons, chosen = shop.places(c, where.workshop)[2], self.game.chosen
        if chosen is None:
            yield from self._answers(c, buttons, shop)
        else:
            yield from palette(columns(buttons, len(COLOURS), c.px(8)), self.game.recolours)
        yield from shop.widgets(c, where.workshop, self.game.plays)
        for number, square in self._entered(c, where, shop).items():
            act, means = partial(self.game.chooses, number), number == chosen
            yield Widget(f"tile-{number}", square, act, style="drawn", means=means)

    def _entered(self, c: Canvas, where: Layout, shop: Workshop) -> dict[int, Rect]:
        """The tiles whose colours people have entered, if a finger fits on each."""
        squares = shop.squares(c, where.workshop) if self.game.real else {}
        return {number: box for number, box in squares.items() if box.width >= c.px(TARGET)}

    def _answers(self, c: Canvas, buttons: Rect, shop: Workshop) -> Iterator[Widget]:
        t, paying, building = self.game.context.t, shop.paying, self.game.position.due.what == "build"
        others = [move for move in shop.legal if isinstance(move, Take | Leave)]
        boxes = columns(buttons, 1 + len(others), c.px(10))
        label = t("Pay this one") if paying else t("Build like this")
        act = self.game.accepts if paying or building else self.game.plays(notation.write(shop.best()))
        yield Widget("accept", boxes[0], act, label=label, icon="ok", style="main")
        for move, box in zip(others, boxes[1:], strict=True):
            label, icon = (t("Leave"), "hand") if isinstance(move, Leave) else (t("Keep"), "down")
            yield Widget(
                notation.write(move), box, self.game.plays(notation.write(move)), label=label, icon=icon
            )

    def paint(self, c: Canvas, where: Layout) -> None:
        """The hill and what was brought."""
        shop, chosen = self._workshop(), self.game.chosen
        shop.paint(c, where.workshop, self.game.context.t)
        _, tray, buttons = shop.places(c, where.workshop)
        if self._entered(c, where, shop):
            c.icon("pencil", Rect(tray.right - c.px(26), tray.y, c.px(26), c.px(26)), FAINT)
        if chosen is not None:
            c.frame(shop.squares(c, where.workshop)[chosen], INK, 4, radius=9)
            paint.palette(c, columns(buttons, len(COLOURS), c.px(8)), shop.tiles[chosen])


class Drawn(Panel):
    """A drawn tile that fits may be built at once (BAU-R42). Only its owner looks at it."""

    sign, words = "hill", Message(mark("Only you look: build or keep?"))

    def widgets(self, c: Canvas, where: Layout) -> Iterator[Widget]:
        """Build, keep."""
        t, (build, keep) = self.game.context.t, columns(where.action, 2, c.px(12))
        yield Widget("build", build, self.game.builds_drawn, label=t("Build"), icon="hill", style="main")
        yield Widget("take", keep, self.game.plays("take"), label=t("Keep"), icon="down")
