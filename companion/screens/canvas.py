"""What a screen draws on: a surface with the unit of its size and a few words of drawing."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
import pygame
from numpy.typing import NDArray
from pygame import Rect, Surface

from companion.eye.dice import Colour
from companion.players import PlayerColour, Seat, animal
from companion.screens import art
from companion.screens.theme import (
    CARD,
    CONTRAST,
    FAINT,
    HINT,
    INK,
    LINE,
    PLAYER_COLOURS,
    TABLE_EDGE,
    WARN,
    Face,
    Rgb,
    font,
    has_sign,
)

Align = Literal["left", "center"]
PARTS = re.compile("[^/]*/+|[^/]+")  # of a path or an address
LANDSCAPE, PORTRAIT = 4 / 5, 2 / 3  # of the longer side: the shorter one at most, else all is too narrow
LARGER = 1.25  # how much larger large texts are, where there is room


@lru_cache(maxsize=512)
def _wrapped(words: str, face: Face, pixels: int, width: int) -> tuple[str, ...]:
    """The lines of a text that is `width` pixels wide; a single word may be wider."""
    lines: list[str] = []
    for paragraph in words.split("\n"):
        line = ""
        for gap, piece in _pieces(paragraph):
            longer = f"{line}{gap}{piece}" if line else piece
            if line and font(face, pixels).size(longer)[0] > width:
                lines.append(line)
                longer = piece
            line = longer
        lines.append(line)
    return tuple(lines)


def _pieces(paragraph: str) -> Iterator[tuple[str, str]]:
    """What a line may end after, words and the parts of a path, and what is between it and the one before."""
    for word in paragraph.split(" "):
        first, *others = PARTS.findall(word) if word.count("/") > 1 else [word]
        yield " ", first
        yield from (("", part) for part in others)


def _even(words: str, face: Face, pixels: int, width: int, count: int) -> tuple[str, ...]:
    """The `count` lines of a text, about equally long, so that no word is left alone in the last."""
    narrow = bisect_left(range(width), -count, key=lambda x: -len(_wrapped(words, face, pixels, x)))
    return _wrapped(words, face, pixels, narrow)


@lru_cache(maxsize=512)
def _fitted(words: str, face: Face, pixels: int, width: int, height: int) -> tuple[int, tuple[str, ...]]:
    """The largest size up to `pixels` at which the text fits, and its lines there."""
    while True:
        lines = _wrapped(words, face, pixels, width)
        fits = len(lines) * pixels <= max(height, pixels) and all(
            font(face, pixels).size(x)[0] <= width for x in lines
        )
        if fits or pixels <= 10:
            return pixels, lines if len(lines) == 1 else _even(words, face, pixels, width, len(lines))
        pixels -= max(1, pixels // 16)


@lru_cache(maxsize=256)
def _written(line: str, face: Face, pixels: int, colour: Rgb) -> Surface:
    return font(face, pixels).render(line, True, colour)


@dataclass(frozen=True, slots=True)
class Look:
    """How people want to see it: larger, bolder texts; bright edges on black."""

    large_text: bool = False
    high_contrast: bool = False

    def tone(self, colour: Rgb) -> Rgb:
        """The colour that is drawn for a colour of the theme."""
        return CONTRAST.get(colour, colour) if self.high_contrast else colour

    def size(self, units: float) -> float:
        """The size that a text is written in, where there is room."""
        return units * LARGER if self.large_text else units

    def face(self, face: Face, words: str) -> Face:
        """The typeface that a text is written in: that of the titles lacks letters of some names."""
        lacks = face == "title" and not all(has_sign(face, sign) for sign in words if not sign.isspace())
        return "bold" if lacks or (self.large_text and face == "text") else face


def roomy(surface: Surface) -> Surface:
    """The part of a window in which all screens find room: the upper left one, where a finger finds what it
    sees, if it is too nearly square.
    """
    wide, high = surface.get_size()
    part = Rect(0, 0, wide, min(high, int(wide * LANDSCAPE)))
    if high > wide:
        part = Rect(0, 0, min(wide, int(high * PORTRAIT)), high)
    return surface if part.size == (wide, high) else surface.subsurface(part)


class Canvas:
    """A surface of any size; `u` pixels are one unit, 480 of which make its shorter side."""

    def __init__(self, surface: Surface, look: Look = Look()) -> None:
        self.surface, self.look = surface, look
        self.width, self.height = surface.get_size()
        self.u = min(self.width, self.height) / 480

    def px(self, units: float) -> int:
        """Units in whole pixels."""
        return max(1, round(units * self.u))

    @property
    def rect(self) -> Rect:
        """The whole canvas."""
        return self.surface.get_rect()

    @property
    def portrait(self) -> bool:
        """Whether it is higher than wide."""
        return self.height > self.width

    def text(
        self,
        words: str,
        box: Rect,
        units: float,
        *,
        face: Face = "text",
        colour: Rgb = INK,
        align: Align = "center",
    ) -> None:
        """A text inside a box, centred vertically, wrapped and made smaller until it fits."""
        colour, face, units = self.look.tone(colour), self.look.face(face, words), self.look.size(units)
        pixels, lines = _fitted(words, face, self.px(units), box.width, box.height)
        top = box.centery - len(lines) * pixels // 2
        for number, line in enumerate(lines):
            written = _written(line, face, pixels, colour)
            place = written.get_rect(center=(box.centerx, top + number * pixels + pixels // 2))
            if align == "left":
                place.left = box.left
            self.surface.blit(written, place)

    def text_width(self, words: str, box: Rect, units: float, *, face: Face = "text") -> int:
        """How many pixels wide a text is as `text` writes it into the box."""
        face, units = self.look.face(face, words), self.look.size(units)
        pixels, lines = _fitted(words, face, self.px(units), box.width, box.height)
        return max(font(face, pixels).size(line)[0] for line in lines)

    def die(self, box: Rect, face: int, colour: Colour = "white") -> None:
        """A die that fills the largest square in the box."""
        side = max(4, min(box.width, box.height))
        self.surface.blit(art.die(face, colour, side), centred(box.center, side, side))

    def photo(self, box: Rect, pixels: NDArray[np.uint8]) -> None:
        """A face of a die as the camera has seen it (square, BGR)."""
        self.surface.blit(art.photo(pixels.tobytes(), len(pixels), box.width), box)

    def doubt(self, box: Rect) -> None:
        """The mark of a die in doubt, at its upper right corner: a question."""
        side = max(self.px(26), min(box.width, box.height) * 2 // 5)
        off = min(box.size) // 2 - side // 5
        mark = centred((box.centerx + off, box.centery - off), side, side).clamp(self.rect)
        self.disc(mark.center, side // 2, WARN)
        self.text("?", mark, 0.85 * side / self.u, face="title", colour=TABLE_EDGE)

    def player(self, box: Rect, colour: PlayerColour) -> None:
        """The sign of a player in the middle of the box."""
        side = max(4, min(box.width, box.height))
        self.surface.blit(art.player(colour, side), centred(box.center, side, side))

    def seat(self, box: Rect, seat: Seat) -> Rect:
        """The sign of a player, beside it a computer's animal; return the box of the last of them."""
        self.player(box, seat.colour)
        if seat.plays == "computer":
            box = box.move(box.width + self.px(4), 0)
            self.icon(animal(seat.strength), box, PLAYER_COLOURS[seat.colour])
        return box

    def seated(self, box: Rect, seat: Seat, name: str, sign: str = "") -> None:
        """The card of a player, with his name and perhaps a small sign behind it."""
        side, small = min(box.height - self.px(16), self.px(44)), self.px(28)
        self.card(box, CARD, edge=LINE)
        last = self.seat(Rect(box.x + self.px(12), box.centery - side // 2, side, side), seat)
        left = last.right + self.px(14)
        words = Rect(left, box.y, box.right - left - self.px(54 if sign else 10), box.height)
        self.text(name, words, 30, face="bold", align="left")
        if sign:
            place = Rect(box.right - small - self.px(14), box.centery - small // 2, small, small)
            self.icon(sign, place, FAINT)

    def hint(self, box: Rect) -> None:
        """The mark of what one might touch now: a frame, and a lamp at its upper left corner."""
        self.frame(box.inflate(self.px(4), self.px(4)), HINT, 5)
        side = max(self.px(24), min(box.width, box.height) // 3)
        lamp = Rect(box.x - side // 6, box.y - side // 6, side, side)
        lamp.clamp_ip(self.rect)
        self.disc(lamp.center, side // 2, HINT)
        self.icon("lamp", inset(lamp, side // 8), TABLE_EDGE)

    def tick(self, box: Rect) -> None:
        """The mark of what is chosen or done: a tick on a disc that fills the box, with a dark rim."""
        for ink, radius in ((TABLE_EDGE, box.width // 2), (INK, box.width // 2 - self.px(2))):
            self.disc(box.center, radius, ink)
        self.icon("ok", inset(box, box.width // 6), TABLE_EDGE)

    def icon(self, name: str, box: Rect, colour: Rgb) -> None:
        """A sign in the middle of the box."""
        side = max(4, min(box.width, box.height))
        self.surface.blit(art.icon(name, side, self.look.tone(colour)), centred(box.center, side, side))

    def card(
        self, box: Rect, colour: Rgb, *, radius: float = 14, edge: Rgb | None = None, shade: bool = True
    ) -> None:
        """A plate with a soft shadow."""
        if self.look.high_contrast and edge is None and colour in CONTRAST:
            edge = LINE
        colour, edge = self.look.tone(colour), edge and self.look.tone(edge)
        r, drop = self.px(radius), self.px(4) if shade else None
        plate = art.card(box.width, box.height, r, colour, edge, drop)
        self.surface.blit(plate, (box.x - r, box.y - r) if shade else box)

    def haze(self, box: Rect) -> None:
        """Lay over a thing that a finger is on what darkens the bright and brightens the dark."""
        haze = Surface(box.size, pygame.SRCALPHA)
        pygame.draw.rect(haze, (*LINE, 128), haze.get_rect(), border_radius=self.px(14))
        self.surface.blit(haze, box)

    def disc(self, middle: tuple[int, int], radius: int, colour: Rgb) -> None:
        """A round spot."""
        spot = art.ring(radius, radius, self.look.tone(colour))
        self.surface.blit(spot, centred(middle, *spot.get_size()))

    def frame(self, box: Rect, colour: Rgb, units: float = 3, radius: float = 14) -> None:
        """The outline of a plate."""
        ink, wide = self.look.tone(colour), self.px(units)
        r = max(1, min(self.px(radius), min(box.size) // 2))
        ring = art.ring(r, wide, ink)  # of which each corner is a quarter
        for x, left in ((box.x, 0), (box.right - r, r)):
            for y, top in ((box.y, 0), (box.bottom - r, r)):
                self.surface.blit(ring, (x, y), (left, top, r, r))
        for x in (box.x, box.right - wide):
            self.surface.fill(ink, (x, box.y + r, wide, box.height - 2 * r))
        for y in (box.y, box.bottom - wide):
            self.surface.fill(ink, (box.x + r, y, box.width - 2 * r, wide))


def centred(middle: tuple[int, int], wide: int, high: int) -> Rect:
    """A box of this size around a point."""
    box = Rect(0, 0, wide, high)
    box.center = middle
    return box


def inset(box: Rect, pixels: int) -> Rect:
    """The box, smaller by so many pixels on every side."""
    return box.inflate(-2 * pixels, -2 * pixels)


def grid(box: Rect, count: int, gap: int, *, most: int = 10_000) -> list[Rect]:
    """`count` equal squares, at most `most` wide, as large as fits into the box, around its middle."""
    if count == 0:
        return []

    def side(columns: int) -> int:
        rows = -(-count // columns)
        return min(
            (box.width - gap * (columns - 1)) // columns, (box.height - gap * (rows - 1)) // rows, most
        )

    columns = max(range(1, count + 1), key=side)
    edge = max(1, side(columns))
    rows = -(-count // columns)
    top = box.centery - (rows * (edge + gap) - gap) // 2
    places = []
    for index in range(count):
        row, column = divmod(index, columns)
        here = min(columns, count - row * columns)
        left = box.centerx - (here * (edge + gap) - gap) // 2
        places.append(Rect(left + column * (edge + gap), top + row * (edge + gap), edge, edge))
    return places
