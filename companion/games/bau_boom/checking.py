"""What the camera has seen of the tiles, laid out on the trail: right, or corrected by touch."""

from collections.abc import Iterator
from functools import partial

from companion.games.bau_boom import paint
from companion.games.bau_boom.hill import COLOURS, Colour
from companion.games.bau_boom.layout import Layout, columns, targets
from companion.games.bau_boom.panels import TARGET, Panel, palette
from companion.games.bau_boom.sight import MISSING, Sight, colour_of
from companion.language import Message, mark
from companion.screens.base import Act, Widget
from companion.screens.canvas import Canvas, centred
from companion.screens.theme import TABLE_EDGE, WARN


class Checking(Panel):
    """Asks whether what was seen is right. A tile that is touched, or in doubt, gets its colour by touch."""

    sign = "camera"

    @property
    def words(self) -> Message:  # type: ignore[override]
        """What has to be looked at."""
        if self._chosen is not None:
            return Message(mark("What lies on the marked space?"))
        if not self._sight.complete:
            return Message(mark("Touch the spaces where no tile was seen"))
        return Message(mark("Do the tiles lie like this?"))

    @property
    def wide(self) -> bool:  # type: ignore[override]
        """What can be done with all tiles, or with the chosen one, needs two rows."""
        return self._chosen is not None or self._sight.complete

    @property
    def who(self) -> int | None:
        """It concerns all."""
        return None

    @property
    def _sight(self) -> Sight:
        assert self.game.sight is not None
        return self.game.sight

    @property
    def _chosen(self) -> int | None:
        chosen = self.game.chosen
        return chosen if chosen is not None and chosen < len(self._sight.words) else None

    @property
    def _spaces(self) -> list[int]:
        """The space of each word."""
        begin = 0 if self._sight.kind == "ring" else len(self._sight.entered)
        return self.game.filled[begin : begin + len(self._sight.words)]

    def widgets(self, c: Canvas, where: Layout) -> Iterator[Widget]:
        """Every tile; and what can be done with all of them, or with the one that was chosen."""
        side = c.px(TARGET)
        if where.trail.wide >= side:
            for number, spot in enumerate(targets(where, self._spaces, side)):
                if spot:
                    act, means = partial(self.game.chooses, number), number == self._chosen
                    yield Widget(f"tile-{number}", spot, act, style="drawn", means=means)
        yield from self._for_all(c, where) if self._chosen is None else self._for_one(c, where, self._chosen)

    def _for_all(self, c: Canvas, where: Layout) -> Iterator[Widget]:
        t, sight, gap = self.game.context.t, self._sight, c.px(8)
        if sight.complete:
            label = t("Yes, all right")
            yield Widget("confirm", where.strip, self.game.confirms, label=label, icon="ok", style="main")
        offers: list[tuple[str, str, Act]] = [("again", "camera", self.game.looks_at_tiles)]
        if sight.kind == "rows" or self.game.position.due.what == "deal":
            offers.append(("reverse", "redo", self._becomes(sight.reversed())))
        if sight.kind == "ring" and self.game.position.due.what == "deal":
            offers.append(("turn", "right", self._becomes(sight.turned())))
        labels = {"again": t("Look again"), "reverse": t("Other way round"), "turn": t("Shift by one")}
        for (key, icon, act), box in zip(offers, columns(where.action, len(offers), gap), strict=True):
            means = sight if key == "reverse" else None  # one may shift on and on
            yield Widget(key, box, act, label=labels[key], icon=icon, means=means)

    def _for_one(self, c: Canvas, where: Layout, chosen: int) -> Iterator[Widget]:
        t, sight, gap = self.game.context.t, self._sight, c.px(8)
        yield from palette(columns(where.action, len(COLOURS), gap), partial(self._paints, chosen))
        offers = [("none", t("No tile"), "erase", sight.closed(chosen))]
        if sight.kind == "ring" or len(sight.entered) + len(sight.words) < len(self.game.filled):
            offers.append(("insert", t("One is missing"), "plus", sight.opened(chosen)))
        for (key, label, icon, after), box in zip(
            offers, columns(where.strip, len(offers), gap), strict=True
        ):
            yield Widget(key, box, self._becomes(after), label=label, icon=icon)

    def _paints(self, number: int, colour: Colour) -> Act:
        return lambda: self.game.corrects(self._sight.painted(number, colour))

    def _becomes(self, sight: Sight) -> Act:
        return lambda: self.game.corrects(sight)

    def paint(self, c: Canvas, where: Layout) -> None:
        """The tiles on their spaces; one in doubt has a question mark, one that is missing a sign."""
        for space, colour in zip(self.game.filled, self.game.entered, strict=False):
            if self._sight.kind == "rows":
                paint.tile(c, where.trail.square(space, 0.54), colour)
        for number, (space, word) in enumerate(zip(self._spaces, self._sight.words, strict=True)):
            box, seen = where.trail.square(space, 0.54), colour_of(word)
            if word == MISSING:
                c.icon("warning", box, WARN)
            elif seen:
                paint.tile(c, box, seen)
                if word != seen:
                    flag = centred(box.topright, c.px(22), c.px(24))
                    c.card(flag, WARN, radius=7, shade=False)
                    c.text("?", flag, 24, face="title", colour=TABLE_EDGE)
            if number == self._chosen:
                paint.marked(c, where.trail, space)
        if self._chosen is not None:
            boxes = columns(where.action, len(COLOURS), c.px(8))
            paint.palette(c, boxes, colour_of(self._sight.words[self._chosen]))
