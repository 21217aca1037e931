"""Colours and typefaces: a calm, dark table and the things that lie on it."""

from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Literal

import pygame

from companion.config import ASSETS
from companion.eye.dice import Colour
from companion.language import DamagedFileError
from companion.players import PlayerColour

Rgb = tuple[int, int, int]
Face = Literal["title", "text", "bold"]

TABLE: Rgb = (25, 31, 38)
TABLE_EDGE: Rgb = (15, 19, 24)
CARD: Rgb = (40, 49, 59)
CARD_PRESSED: Rgb = (58, 71, 85)
LINE: Rgb = (78, 94, 110)
INK: Rgb = (240, 243, 245)
FAINT: Rgb = (168, 182, 194)
SHADOW: Rgb = (6, 8, 10)
WARN: Rgb = (255, 176, 92)
DICE: Rgb = (94, 210, 190)
HINT: Rgb = (255, 228, 120)
STOPPER: Rgb = (255, 205, 70)
STOP: Rgb = (226, 62, 54)
NEUTRAL: Rgb = (150, 176, 204)

KABOOOM: Rgb = (255, 138, 101)
BANG: Rgb = (240, 98, 146)
BREAK: Rgb = (255, 205, 70)
BAU: Rgb = (156, 204, 101)

PLAYER_COLOURS: dict[PlayerColour, Rgb] = {  # each has a shape of its own as well, see `art.player`
    "red": (239, 83, 80),
    "blue": (79, 147, 245),
    "yellow": (253, 216, 53),
    "green": (102, 187, 106),
    "purple": (186, 104, 220),
}

DICE_COLOURS: dict[Colour, tuple[Rgb, Rgb]] = {  # body, pips
    "white": ((246, 243, 234), (34, 38, 44)),
    "black": ((52, 56, 63), (244, 244, 240)),
    "red": ((208, 52, 48), (255, 246, 238)),
    "orange": ((236, 132, 44), (40, 26, 12)),
    "yellow": ((250, 208, 70), (52, 42, 10)),
    "green": ((46, 148, 84), (246, 255, 246)),
    "blue": ((52, 106, 204), (246, 250, 255)),
    "purple": ((128, 78, 176), (252, 246, 255)),
}

CONTRAST: dict[Rgb, Rgb] = {  # what takes the place of a colour where high contrast is wanted
    TABLE: (0, 0, 0),
    TABLE_EDGE: (0, 0, 0),
    CARD: (0, 0, 0),
    CARD_PRESSED: (70, 70, 70),
    LINE: (255, 255, 255),
    INK: (255, 255, 255),
    FAINT: (235, 235, 235),
}

_FILES: dict[Face, str] = {
    "title": "Fredoka-SemiBold.ttf",
    "text": "AtkinsonHyperlegible-Regular.ttf",
    "bold": "AtkinsonHyperlegible-Bold.ttf",
}

NO_SIGN = "\uffff"  # nothing, in any typeface


def mixed(one: Rgb, other: Rgb, part: float) -> Rgb:
    """The colour between two: `part` 0 is the one, 1 the other."""
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(one, other, strict=True))
    return red, green, blue


def font_file(face: Face) -> Path:
    """Where a typeface lies."""
    return ASSETS / "fonts" / _FILES[face]


@cache
def _outlines(face: Face) -> bytes:
    """What the file holds: read once, for a typeface of each size would keep it open."""
    return font_file(face).read_bytes()


@lru_cache(maxsize=96)
def font(face: Face, pixels: int) -> pygame.font.Font:
    """A typeface whose line is about `pixels` high. Raises `DamagedFileError`."""
    try:
        made = pygame.font.Font(BytesIO(_outlines(face)), max(6, round(pixels * 0.82)))
        made.size("A")  # pygame makes one of any bytes, and complains only now
        return made
    except (OSError, pygame.error) as error:
        raise DamagedFileError(font_file(face)) from error


@lru_cache(maxsize=512)
def has_sign(face: Face, sign: str) -> bool:
    """Whether a typeface has a sign: what it lacks it writes as the same empty box, or not at all."""

    def drawn(text: str) -> bytes | None:
        try:
            return pygame.image.tobytes(font(face, 40).render(text, True, INK), "RGBA")
        except (pygame.error, UnicodeError):  # beyond what it can be asked for
            return None

    return drawn(sign) not in (None, drawn(NO_SIGN))
