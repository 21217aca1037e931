"""Draws the table of Bau Boom: what lies on the trail, the hills, and what is known of the container."""

from collections.abc import Collection, Mapping, Sequence

from pygame import Rect

from companion.games.bau_boom import art
from companion.games.bau_boom.drive import Spot
from companion.games.bau_boom.hill import COLOURS, Colour, Place, Plan, places
from companion.games.bau_boom.knowledge import Knowledge
from companion.games.bau_boom.layout import pyramid
from companion.games.bau_boom.odds import Odds
from companion.games.bau_boom.position import Position
from companion.games.bau_boom.trail import Trail, ground
from companion.language import mark
from companion.players import PlayerColour
from companion.screens import tiles
from companion.screens.canvas import Canvas, centred, inset
from companion.screens.theme import BAU, CARD, INK, LINE, TABLE_EDGE, Rgb, mixed

RING = 4  # units
FETCH = mark("take it from the container")


def tile(c: Canvas, box: Rect, colour: Colour | None) -> None:
    """A tile that fills a square in the middle of the box; None is one that lies face down."""
    side = min(box.width, box.height)
    picture = tiles.tile(colour, side) if colour else tiles.back(side)
    c.surface.blit(picture, picture.get_rect(center=box.center))


def trail(c: Canvas, where: Trail, position: Position, fresh: Collection[int]) -> None:
    """The path and the tiles on it, those that were laid just now in a bright ring."""
    c.surface.blit(ground(where.box.width, where.box.height, position.options.trail), where.box)
    for space, colour in enumerate(position.trail):
        if colour:
            box = where.square(space, 0.54)
            tile(c, box, colour)
            if space in fresh:
                c.frame(box.inflate(c.px(8), c.px(8)), INK, 3, radius=10)


def targets(c: Canvas, where: Trail, spaces: Mapping[int, int]) -> None:
    """Rings about the spaces that numbers lead to, each with its number."""
    for number, space in spaces.items():
        ring = where.square(space, 1.0)
        c.frame(ring, TABLE_EDGE, RING + 3, radius=40)
        c.frame(ring, BAU, RING, radius=40)
        corner = (ring.x + ring.width // 7, ring.y + ring.height // 7)
        flag = centred(corner, c.px(34 if number > 9 else 26), c.px(26))
        c.card(flag, BAU, radius=9)
        c.text(str(number), flag, 24, face="title", colour=TABLE_EDGE)


def barrows(
    c: Canvas,
    where: Trail,
    spots: Sequence[Spot],
    loads: Sequence[int],
    colours: Sequence[PlayerColour],
    turn: int,
) -> None:
    """Every barrow at its spot, with the number of tiles in it; a ring about the one whose turn it is."""
    for spot, load, colour in zip(spots, loads, colours, strict=True):
        box = barrow_box(where, spot)
        if colour == colours[turn]:
            ring = box.inflate(c.px(8), c.px(8)).move(0, c.px(2))
            c.frame(ring, TABLE_EDGE, 6, radius=ring.width)
            c.frame(ring, INK, 3, radius=ring.width)
        c.surface.blit(art.barrow(colour, box.width, load > 0), box)
        if load:
            number = badge(c, where, box, load)
            c.card(number, TABLE_EDGE, radius=9, edge=INK, shade=False)
            c.text(str(load), number, 22, face="title")


def barrow_box(where: Trail, spot: Spot) -> Rect:
    """The square that a barrow fills."""
    x, y, size = spot
    side = round(where.wide * size)
    return Rect(round(x) - side // 2, round(y) - round(side * 0.62), side, side)


def badge(c: Canvas, where: Trail, box: Rect, load: int) -> Rect:
    """Where the number of its tiles stands: above a barrow, or below where buttons would lie over it."""
    number = Rect(0, 0, c.px(24 if load < 10 else 34), c.px(24))
    number.midbottom = (box.x + round(box.width * 0.62), box.y + round(box.height * 0.3))
    if number.colliderect(where.inner):
        number.top = box.y + round(box.height * 0.74)
    return number


def hill(
    c: Canvas,
    box: Rect,
    plan: Plan,
    covered: Collection[Place],
    ringed: Collection[Place] = (),
) -> None:
    """A hill with its places, free and covered; some of them in a ring."""
    squares = pyramid(box, sum(map(len, plan)))
    for place, colour in places(plan):
        square = squares[place]
        picture = (tiles.tile if place in covered else tiles.place)(colour, square.width)
        c.surface.blit(picture, square)
        if place in ringed:
            c.frame(square.inflate(c.px(2), c.px(2)), INK, 3, radius=square.width * 0.2 / c.u)


def small_hill(c: Canvas, box: Rect, plan: Plan, covered: Collection[Place], colour: PlayerColour) -> None:
    """A player's hill, and below it his sign and how far he has come."""
    foot = Rect(box.x, box.bottom - c.px(26), box.width, c.px(26))
    hill(c, Rect(box.x, box.y, box.width, box.height - foot.height - c.px(4)), plan, covered)
    c.player(Rect(foot.centerx - c.px(46), foot.y + c.px(2), c.px(22), c.px(22)), colour)
    words = Rect(foot.centerx - c.px(18), foot.y, c.px(66), foot.height)
    c.text(f"{len(covered)}/{sum(map(len, plan))}", words, 22, face="title", align="left")


def container(c: Canvas, box: Rect, known: Knowledge, odds: Odds | None) -> None:
    """The container with the number of its tiles, and what is known of their colours and to be expected."""
    crate, bars = _halves(c, box)
    c.surface.blit(art.container(crate.width, crate.height), crate)
    room = Rect(crate.x, crate.y + crate.height // 8, crate.width, crate.height * 7 // 8)
    c.text(str(known.total), room, 110, face="title")
    high = bars.height // len(COLOURS)
    for i, colour in enumerate(COLOURS):
        row = Rect(bars.x, bars.y + i * high, bars.width, high)
        expected = odds.expected[i] * known.total if odds else 0.0
        _bar(c, row, colour, known.low[i], known.high[i], expected, max(1, *known.high))


def _halves(c: Canvas, box: Rect) -> tuple[Rect, Rect]:
    if box.width > box.height:
        crate = Rect(box.x, box.y, box.width * 44 // 100, box.height)
        return crate, Rect(crate.right + c.px(14), box.y, box.right - crate.right - c.px(14), box.height)
    crate = Rect(box.x, box.y, box.width, box.height * 46 // 100)
    return crate, Rect(box.x, crate.bottom + c.px(8), box.width, box.bottom - crate.bottom - c.px(8))


def _bar(c: Canvas, row: Rect, colour: Colour, low: int, high: int, expected: float, most: int) -> None:
    """What is certain is filled, what may be is outlined, a line is at what is to be expected."""
    side = min(row.height - c.px(4), c.px(30))
    tile(c, Rect(row.x, row.centery - side // 2, side, side), colour)
    words = Rect(row.right - c.px(66), row.y, c.px(66), row.height)
    c.text(str(low) if low == high else f"{low}–{high}", words, 23, face="title")
    left = row.x + side + c.px(6)
    wide, thick = words.x - left, c.px(14)
    for count, filled in ((high, False), (low, True)):
        part = Rect(left, row.centery - thick // 2, max(thick // 2, wide * count // most), thick)
        if count and filled:
            c.card(part, tiles.BODY[colour], radius=5, shade=False)
        elif count:
            c.card(part, CARD, radius=5, edge=mixed(tiles.BODY[colour], CARD, 0.3), shade=False)
    if low < high:
        line = Rect(left + round(wide * expected / most) - c.px(2), row.centery - thick, c.px(4), 2 * thick)
        c.card(line, INK, radius=2, shade=False)


def landing(c: Canvas, box: Rect, position: Position, space: int, colours: Sequence[PlayerColour]) -> None:
    """What lies on a space: its kind, its tile, and the barrow that would be pushed."""
    side = min(box.width, box.height)
    square = centred(box.center, side, side)
    c.surface.blit(art.space(position.options.trail[space], side), square)
    if colour := position.trail[space]:
        tile(c, inset(square, side * 22 // 100), colour)
    for player, barrow in enumerate(position.barrows):
        if barrow.at == space and space and player != position.turn:
            pushed = round(side * 0.66)
            c.surface.blit(
                art.barrow(colours[player], pushed, False), (square.right - pushed, square.y - side // 10)
            )


def flag(c: Canvas, square: Rect, icon: str, colour: Rgb) -> None:
    """A small sign at the upper right corner of a square."""
    _sign(c, (square.right - c.px(6), square.y + c.px(8)), icon, colour)


def to_fetch(c: Canvas, square: Rect) -> None:
    """The sign of a tile that has to be taken from the container first, at its lower right corner."""
    flag(c, square.move(0, square.height - c.px(16)), "crate", INK)


def legend(c: Canvas, box: Rect, words: str) -> None:
    """What the sign of the container on a tile means."""
    _sign(c, (box.x + c.px(16), box.centery), "crate", INK)
    left = box.x + c.px(34)
    c.text(words, Rect(left, box.y, box.right - left, box.height), 21, align="left")


def _sign(c: Canvas, middle: tuple[int, int], icon: str, colour: Rgb) -> None:
    disc = centred(middle, c.px(24), c.px(24))
    c.card(disc, colour, radius=12, shade=False)
    c.icon(icon, inset(disc, c.px(4)), TABLE_EDGE)


def marked(c: Canvas, where: Trail, space: int) -> None:
    """A ring about the space that is asked about."""
    c.frame(where.square(space, 0.95), BAU, 5, radius=40)


def palette(c: Canvas, boxes: Sequence[Rect], chosen: Colour | None = None) -> None:
    """The four colours as something to touch; a frame is about the one that is chosen."""
    for colour, box in zip(COLOURS, boxes, strict=False):
        plate(c, box)
        tile(c, inset(box, c.px(8)), colour)
        if colour == chosen:
            c.frame(box, INK, 4)


def plate(c: Canvas, box: Rect, main: bool = False) -> None:
    """The plate of something to touch."""
    c.card(box, BAU if main else CARD, edge=None if main else LINE)
