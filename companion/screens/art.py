"""The things on the table, drawn by us as vectors: flat, one soft shadow, crisp at every size.

Pygame draws without anti-aliasing, so each thing is drawn four times too large once, scaled down smoothly
and kept.
"""

import math
from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
import pygame
from numpy.typing import NDArray
from pygame import Surface

from companion.eye.dice import Colour
from companion.players import PlayerColour
from companion.screens.animals import ANIMAL_SIGNS
from companion.screens.icons import ICONS
from companion.screens.theme import (
    DICE_COLOURS,
    LINE,
    PLAYER_COLOURS,
    SHADOW,
    TABLE_EDGE,
    Rgb,
)

OVER = 4
Point = tuple[float, float]

_A, _B, _C = 0.26, 0.5, 0.74
_PIPS: dict[int, tuple[Point, ...]] = {
    1: ((_B, _B),),
    2: ((_A, _A), (_C, _C)),
    3: ((_A, _A), (_B, _B), (_C, _C)),
    4: ((_A, _A), (_C, _A), (_A, _C), (_C, _C)),
    5: ((_A, _A), (_C, _A), (_B, _B), (_A, _C), (_C, _C)),
    6: ((_A, _A), (_C, _A), (_A, _B), (_C, _B), (_A, _C), (_C, _C)),
}


def crisp(size: tuple[int, int], draw: Callable[[Surface], None]) -> Surface:
    """What `draw` draws on a surface `OVER` times as large, scaled down to `size` (width, height) pixels."""
    big = Surface((size[0] * OVER, size[1] * OVER), pygame.SRCALPHA)
    draw(big)
    return pygame.transform.smoothscale(big, size)


@lru_cache(maxsize=256)
def die(face: int, colour: Colour, side: int) -> Surface:
    """A die of `side` pixels from above; face 0 is a blank side."""
    body, ink = DICE_COLOURS[colour]

    def draw(s: Surface) -> None:
        n = s.get_width()
        _rounded(s, body)
        if colour == "black":
            pygame.draw.rect(s, LINE, s.get_rect(), width=max(OVER, n // 40), border_radius=round(n * 0.2))
        for x, y in _PIPS.get(face, ()):
            pygame.draw.circle(s, ink, (x * n, y * n), n * (0.13 if face == 1 else 0.095))

    return crisp((side, side), draw)


@lru_cache(maxsize=64)
def photo(pixels: bytes, wide: int, side: int) -> Surface:
    """A face of a die as the camera has seen it (`wide` x `wide` pixels, BGR), `side` pixels large."""
    smooth = pygame.transform.smoothscale(pygame.image.frombuffer(pixels, (wide, wide), "BGR"), (side, side))
    found = crisp((side, side), lambda s: _rounded(s, (255, 255, 255)))
    found.blit(smooth, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
    return found


def _rounded(s: Surface, colour: Rgb) -> None:
    """The body of a die."""
    pygame.draw.rect(s, colour, s.get_rect(), border_radius=round(s.get_width() * 0.2))


@lru_cache(maxsize=64)
def card(width: int, height: int, radius: int, colour: Rgb, edge: Rgb | None, drop: int | None) -> Surface:
    """A rounded plate, with a fine edge where one is given.

    With a `drop` its soft shadow lies so many pixels below it, and a margin of `radius` pixels around it.
    """
    inner = 2 * radius + 2  # so far from its edge all is alike: no large picture is scaled down for that
    small = _card(min(width, 2 * inner + 1), min(height, 2 * inner + 1), radius, colour, edge, drop)
    if drop is None:
        return _stretched(small, width, height, inner)
    return _stretched(small, width + 2 * radius, height + 2 * radius + drop, inner + radius)


def _stretched(small: Surface, width: int, height: int, alike: int) -> Surface:
    """The same, `width` x `height` pixels large: the column and the row `alike` are repeated."""

    def places(length: int, to: int) -> NDArray[np.intp]:
        place = np.arange(to)
        return place - np.clip(place - alike, 0, to - length)

    out = Surface((width, height), pygame.SRCALPHA)
    line, column = places(small.get_width(), width), places(small.get_height(), height)
    pygame.surfarray.pixels2d(out).T[:] = pygame.surfarray.pixels2d(small).T[column][:, line]
    return out


@lru_cache(maxsize=64)
def _card(width: int, height: int, radius: int, colour: Rgb, edge: Rgb | None, drop: int | None) -> Surface:
    def draw(s: Surface) -> None:
        pygame.draw.rect(s, colour, s.get_rect(), border_radius=radius * OVER)
        if edge:
            pygame.draw.rect(s, edge, s.get_rect(), width=2 * OVER, border_radius=radius * OVER)

    plate = crisp((max(1, width), max(1, height)), draw)
    if drop is None:
        return plate
    raised = Surface((width + 2 * radius, height + 2 * radius + drop), pygame.SRCALPHA)
    raised.blit(shadow(width, height, radius), (0, drop))
    raised.blit(plate, (radius, radius))
    return raised


@lru_cache(maxsize=64)
def ring(radius: int, wide: int, colour: Rgb) -> Surface:
    """A ring of this outer radius, in a square that it fills; as wide as that, it is a disc."""

    def draw(s: Surface) -> None:
        s.fill((*colour, 0))
        pygame.draw.circle(s, colour, s.get_rect().center, radius * OVER, wide * OVER)

    return crisp((2 * radius, 2 * radius), draw)


@lru_cache(maxsize=2)
def shadow(width: int, height: int, radius: int) -> Surface:
    """The soft shadow of a plate; a margin of `radius` pixels lies around it on every side."""
    alpha = np.zeros((height + 2 * radius, width + 2 * radius), np.uint8)
    alpha[radius:-radius, radius:-radius] = 150
    return inked(np.asarray(cv2.GaussianBlur(alpha, (0, 0), radius / 2.5), np.uint8).T, SHADOW)


def inked(alpha: NDArray[np.uint8], colour: Rgb) -> Surface:
    """One colour through a stencil of width x height opacities."""
    out = Surface(alpha.shape, pygame.SRCALPHA)
    out.fill((*colour, 255))
    pygame.surfarray.pixels_alpha(out)[:] = alpha
    return out


@lru_cache(maxsize=2)
def table(width: int, height: int, middle: Rgb, edge: Rgb) -> Surface:
    """The dark table behind everything, a little lighter in the middle."""
    x, y = np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-0.9, 1.1, height, dtype=np.float32)
    far = np.minimum(np.hypot(x[:, None], y) / np.float32(1.25), 1)
    grain = np.random.default_rng(1).random(far.shape, np.float32)  # so few greys would show as rings
    pixels = np.empty((*far.shape, 3), np.uint8)
    for i, (here, there) in enumerate(zip(middle, edge, strict=True)):
        pixels[..., i] = here + (there - here) * far + grain
    return pygame.surfarray.make_surface(pixels)


@lru_cache(maxsize=2)
def veil(width: int, height: int) -> Surface:
    """What lies between a screen and a question in front of it."""
    plate = Surface((width, height))
    plate.fill(TABLE_EDGE)
    plate.set_alpha(200)
    return plate


@lru_cache(maxsize=128)
def icon(name: str, side: int, colour: Rgb) -> Surface:
    """A sign of `side` pixels in one colour; the names are the keys of ICONS and the animals."""
    pen = (ICONS | ANIMAL_SIGNS)[name]
    mask = Surface((side * OVER, side * OVER), depth=32)
    pen(mask, side * OVER)
    return inked(pygame.surfarray.array_red(pygame.transform.smoothscale(mask, (side, side))), colour)


def _regular(corners: int, turn: float, radius: float = 0.46, inner: float | None = None) -> list[Point]:
    """The corners of a regular polygon, or of a star with an inner radius; `turn` in degrees."""
    count = corners * (2 if inner else 1)
    found = []
    for i in range(count):
        a, r = math.radians(turn + 360 * i / count), inner if inner and i % 2 else radius
        found.append((0.5 + r * math.sin(a), 0.5 - r * math.cos(a)))
    return found


_SHAPES: dict[PlayerColour, list[Point]] = {
    "red": _regular(48, 0),  # a disc
    "blue": _regular(4, 45, 0.58),  # a square
    "yellow": [(0.5, 0.02), (0.98, 0.88), (0.02, 0.88)],  # a triangle
    "green": _regular(4, 0, 0.52),  # a diamond
    "purple": _regular(5, 0, 0.52, 0.24),  # a star
}


@lru_cache(maxsize=64)
def player(colour: PlayerColour, side: int) -> Surface:
    """The sign of a player: his colour, in a shape that no other has."""

    def draw(s: Surface) -> None:
        n = s.get_width()
        pygame.draw.polygon(s, PLAYER_COLOURS[colour], [(x * n, y * n) for x, y in _SHAPES[colour]])

    return crisp((side, side), draw)
