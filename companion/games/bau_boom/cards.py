"""The cards that show what to do with the real barrows and tiles: a picture, few words, whose it is."""

import math
from collections import Counter
from collections.abc import Collection, Sequence

from pygame import Rect

from companion.games.bau_boom import art, paint
from companion.games.bau_boom.hill import COLOURS, Colour, Place
from companion.games.bau_boom.layout import cells
from companion.games.bau_boom.position import Position
from companion.games.bau_boom.steps import Card, Sign
from companion.language import Message, Texts, mark
from companion.players import PlayerColour
from companion.screens.canvas import Canvas, grid, inset
from companion.screens.theme import BAU, CARD, FAINT, INK

_CLIPS: dict[Sign, str] = {
    "push": "bau-push",
    "take": "bau-take",
    "drawn": "bau-drawn",
    "anteater": "bau-anteater",
    "back": "bau-back",
    "lay": "bau-lay",
    "return": "bau-return",
    "stay": "bau-stay",
}


def clip(card: Card) -> str | None:
    """What is said of a card: how far to move, or what is to be done."""
    return str(card.spaces) if card.sign == "drive" else _CLIPS.get(card.sign)


_WORDS: dict[Sign, Message] = {
    "drive": Message(mark("Move on by {count}")),
    "push": Message(mark("Push on by {count}")),
    "take": Message(mark("Take it face down")),
    "drawn": Message(mark("Only you: look!")),
    "anteater": Message(mark("Last tile: back!")),
    "back": Message(mark("Back it goes")),
    "build": Message(mark("Build it like this")),
    "lay": Message(mark("Lay what has a ring")),
    "return": Message(mark("Fits nowhere: back!")),
    "stay": Message(mark("Leave the tile there")),
}


def words(card: Card, t: Texts, real: bool, secret: bool, told: bool) -> str:
    """Return what a card says.

    `real`: people draw themselves; `secret`: its tile was drawn; `told`: a computer plays.
    """
    if card.sign == "drawn" and real:
        return t("Keep it face down")
    if card.sign == "drawn" and told:
        return t("I keep a secret tile")
    if card.sign == "anteater" and secret:
        return t("I take back the secret tile")
    return t(_WORDS[card.sign].text, count=card.spaces)


def draw(
    c: Canvas,
    box: Rect,
    card: Card,
    said: str,
    position: Position,
    colours: Sequence[PlayerColour],
    looked_at: Colour | None,
    touched: bool,
    fetched: Collection[Place],
) -> None:
    """A card; one that can be `touched` has an edge. A drawn tile that its owner looks at lies face up.

    Where tiles have to be `fetched` from the container first, the sign of that is beside the hill.
    """
    c.card(box, CARD, edge=BAU if touched else None)
    inner = inset(box, c.px(6))
    if inner.height > c.px(84):
        high = c.px(46)
        picture = Rect(inner.x, inner.y, inner.width, inner.height - high)
        text = Rect(inner.x, picture.bottom, inner.width, high)
    else:
        picture = Rect(inner.x, inner.y, min(inner.width // 2, c.px(92)), inner.height)
        text = Rect(picture.right + c.px(6), inner.y, inner.right - picture.right - c.px(6), inner.height)
    c.text(said, text, 21)
    _picture(c, picture, card, position, colours, looked_at)
    if fetched:
        side = c.px(22)
        c.icon("crate", Rect(picture.x, picture.y + c.px(28), side, side), INK)


def _picture(
    c: Canvas,
    box: Rect,
    card: Card,
    position: Position,
    colours: Sequence[PlayerColour],
    looked_at: Colour | None,
) -> None:
    if card.sign == "lay":
        _amounts(c, box, card.tiles)
        return
    if card.sign == "build":
        plan, covered = position.options.plan(card.player), position.covered[card.player]
        paint.hill(c, _whose(c, box, card, colours), plan, covered, card.places)
        return
    if card.sign == "drive":
        barrow, number = _pair(box)
        c.surface.blit(art.barrow(colours[card.player], barrow.width, False), barrow)
        c.text(str(card.spaces), number, 80, face="title", colour=BAU)
        return
    if card.sign in ("push", "take", "drawn"):
        _with_barrows(c, box, card, colours, looked_at)
        return
    left, right = _pair(_whose(c, box, card, colours))
    if card.sign == "stay":
        c.surface.blit(art.space("normal", left.width), left)
        c.icon("hand", inset(right, right.width // 6), FAINT)
    else:
        _gives_back(c, left, right, card)


def _with_barrows(
    c: Canvas, box: Rect, card: Card, colours: Sequence[PlayerColour], looked_at: Colour | None
) -> None:
    """A tile that goes into a barrow, or barrows that are pushed on."""
    squares = grid(box, len(card.players) + 1, c.px(3))
    if card.sign == "push":
        sign = squares.pop()
        c.icon("right", inset(sign, sign.width // 6), INK)
    else:
        sign = squares.pop(0)
        paint.tile(c, inset(sign, sign.width // 10), looked_at or next(iter(card.tiles), None))
    for player, square in zip(card.players, squares, strict=True):
        c.surface.blit(art.barrow(colours[player], square.width, False), square)


def _pair(box: Rect) -> tuple[Rect, Rect]:
    """Two squares side by side in the middle of a box."""
    side = min(box.width // 2 - 2, box.height)
    left = Rect(box.centerx - side - 2, box.centery - side // 2, side, side)
    return left, left.move(side + 2, 0)


def _gives_back(c: Canvas, left: Rect, right: Rect, card: Card) -> None:
    """Tiles, face down unless they lie open, and the container."""
    shown: Sequence[Colour | None] = card.tiles or (None,)
    if card.sign == "anteater":
        c.surface.blit(art.space("anteater", left.width), left)
    else:
        columns = math.ceil(math.sqrt(len(shown)))
        side = left.width // columns
        for i, colour in enumerate(shown):
            spot = Rect(left.x + i % columns * side, left.y + i // columns * side, side, side)
            paint.tile(c, inset(spot, max(1, side // 10)), colour)
    crate = right.inflate(-right.width // 6, -right.height // 4)
    c.surface.blit(art.container(crate.width, crate.height), crate)
    c.icon("down", inset(crate, crate.width // 5), INK)


def _whose(c: Canvas, box: Rect, card: Card, colours: Sequence[PlayerColour]) -> Rect:
    """The sign of the player; return the room that is left."""
    side = c.px(22)
    c.player(Rect(box.x, box.y, side, side), colours[card.player])
    return Rect(box.x + side, box.y, box.width - side, box.height)


def _amounts(c: Canvas, box: Rect, laid: Sequence[Colour]) -> None:
    """How many tiles of each colour are to be laid."""
    counts = Counter(laid)
    wanted = [colour for colour in COLOURS if counts[colour]]
    for colour, cell in zip(wanted, cells(box, len(wanted), 0), strict=True):
        high, wide = cell.height, cell.width
        side = min(high - c.px(4), wide // 2 - c.px(2), c.px(48))
        paint.tile(c, Rect(cell.centerx - side - c.px(2), cell.centery - side // 2, side, side), colour)
        number = Rect(cell.centerx + c.px(2), cell.y, wide // 2 - c.px(4), high)
        c.text(str(counts[colour]), number, 24, face="title", align="left")
