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
from pygame import Rect, Surface

from companion.eye.dice import Colour
from companion.players import PlayerColour
from companion.screens.theme import (
    DICE_COLOURS,
    LINE,
    PLAYER_COLOURS,
    SHADOW,
    TABLE,
    TABLE_EDGE,
    Rgb,
)

OVER = 4
Point = tuple[float, float]
Pen = Callable[[Surface, float], None]  # draws on a square surface with sides of the given length

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
        pygame.draw.rect(s, body, s.get_rect(), border_radius=round(n * 0.2))
        if colour == "black":
            pygame.draw.rect(s, LINE, s.get_rect(), width=max(OVER, n // 40), border_radius=round(n * 0.2))
        for x, y in _PIPS.get(face, ()):
            pygame.draw.circle(s, ink, (x * n, y * n), n * (0.13 if face == 1 else 0.095))

    return crisp((side, side), draw)


@lru_cache(maxsize=64)
def card(width: int, height: int, radius: int, colour: Rgb, edge: Rgb | None = None) -> Surface:
    """A rounded plate, with a fine edge where one is given."""

    def draw(s: Surface) -> None:
        pygame.draw.rect(s, colour, s.get_rect(), border_radius=radius * OVER)
        if edge:
            pygame.draw.rect(s, edge, s.get_rect(), width=2 * OVER, border_radius=radius * OVER)

    return crisp((max(1, width), max(1, height)), draw)


@lru_cache(maxsize=64)
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
def table(width: int, height: int) -> Surface:
    """The dark table behind everything, a little lighter in the middle."""
    x, y = np.linspace(-1, 1, width)[:, None], np.linspace(-0.9, 1.1, height)[None]
    far = np.minimum(np.hypot(x, y) / 1.25, 1)[:, :, None]
    grain = np.random.default_rng(1).random((width, height, 1))  # so few greys would show as rings
    pixels = np.array(TABLE) + (np.array(TABLE_EDGE) - np.array(TABLE)) * far + grain
    return pygame.surfarray.make_surface(pixels.astype(np.uint8))


@lru_cache(maxsize=2)
def veil(width: int, height: int) -> Surface:
    """What lies between a screen and a question in front of it."""
    plate = Surface((width, height))
    plate.fill(TABLE_EDGE)
    plate.set_alpha(200)
    return plate


@lru_cache(maxsize=128)
def icon(name: str, side: int, colour: Rgb) -> Surface:
    """A sign of `side` pixels in one colour; the names are the keys of ICONS."""
    pen = ICONS[name]

    def draw(s: Surface) -> None:
        mask = Surface(s.get_size())
        pen(mask, s.get_width())
        s.blit(inked(pygame.surfarray.array_red(mask), colour), (0, 0))

    return crisp((side, side), draw)


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


_ON = (255, 255, 255)
_OFF = (0, 0, 0)


def _line(s: Surface, n: float, points: list[Point], width: float = 0.11) -> None:
    scaled = [(x * n, y * n) for x, y in points]
    pygame.draw.lines(s, _ON, False, scaled, round(width * n))
    for point in scaled:
        pygame.draw.circle(s, _ON, point, width * n / 2)


def _shape(s: Surface, n: float, points: list[Point], ink: Rgb = _ON) -> None:
    pygame.draw.polygon(s, ink, [(x * n, y * n) for x, y in points])


def _box(
    s: Surface, n: float, x: float, y: float, w: float, h: float, r: float = 0.0, ink: Rgb = _ON
) -> None:
    pygame.draw.rect(
        s, ink, Rect(round(x * n), round(y * n), round(w * n), round(h * n)), border_radius=round(r * n)
    )


def _disc(s: Surface, n: float, x: float, y: float, r: float, ink: Rgb = _ON) -> None:
    pygame.draw.circle(s, ink, (x * n, y * n), r * n)


def _arc(s: Surface, n: float, radius: float, begin: float, end: float, width: float) -> None:
    """A round-capped arc about the middle; angles in degrees, clockwise from the top."""
    steps = [math.radians(begin + (end - begin) * i / 40) for i in range(41)]
    for a in steps:
        _disc(s, n, 0.5 + radius * math.sin(a), 0.5 - radius * math.cos(a), width / 2)


def _octagon(radius: float) -> list[Point]:
    corners = [math.radians(22.5 + 45 * i) for i in range(8)]
    return [(0.5 + radius * math.cos(a), 0.5 + radius * math.sin(a)) for a in corners]


def _back(s: Surface, n: float) -> None:
    _line(s, n, [(0.55, 0.2), (0.25, 0.5), (0.55, 0.8)])
    _line(s, n, [(0.28, 0.5), (0.8, 0.5)])


def _dice(s: Surface, n: float) -> None:
    _box(s, n, 0.06, 0.3, 0.52, 0.52, 0.11)
    for x, y in ((0.2, 0.44), (0.32, 0.56), (0.44, 0.68)):
        _disc(s, n, x, y, 0.05, _OFF)
    _box(s, n, 0.6, 0.12, 0.34, 0.34, 0.08)
    _disc(s, n, 0.77, 0.29, 0.055, _OFF)


def _stop(s: Surface, n: float) -> None:
    _shape(s, n, _octagon(0.46))
    _shape(s, n, _octagon(0.42), _OFF)
    _shape(s, n, _octagon(0.39))


def _gear(s: Surface, n: float) -> None:
    for i in range(8):
        a = math.radians(45 * i)
        _disc(s, n, 0.5 + 0.33 * math.cos(a), 0.5 + 0.33 * math.sin(a), 0.1)
    _disc(s, n, 0.5, 0.5, 0.33)
    _disc(s, n, 0.5, 0.5, 0.14, _OFF)


def _play(s: Surface, n: float) -> None:
    _shape(s, n, [(0.28, 0.16), (0.28, 0.84), (0.84, 0.5)])


def _pause(s: Surface, n: float) -> None:
    _box(s, n, 0.24, 0.18, 0.18, 0.64, 0.05)
    _box(s, n, 0.58, 0.18, 0.18, 0.64, 0.05)


def _again(s: Surface, n: float) -> None:
    _arc(s, n, 0.31, 40, 330, 0.11)
    _shape(s, n, [(0.47, 0.02), (0.47, 0.36), (0.74, 0.19)])


def _undo(s: Surface, n: float) -> None:
    _line(
        s, n, [(0.3, 0.38), (0.62, 0.38), (0.76, 0.46), (0.8, 0.58), (0.76, 0.7), (0.62, 0.78), (0.34, 0.78)]
    )
    _shape(s, n, [(0.36, 0.14), (0.36, 0.62), (0.08, 0.38)])


def _plus(s: Surface, n: float) -> None:
    _line(s, n, [(0.5, 0.2), (0.5, 0.8)])
    _line(s, n, [(0.2, 0.5), (0.8, 0.5)])


def _minus(s: Surface, n: float) -> None:
    _line(s, n, [(0.2, 0.5), (0.8, 0.5)])


def _cross(s: Surface, n: float) -> None:
    _line(s, n, [(0.25, 0.25), (0.75, 0.75)])
    _line(s, n, [(0.75, 0.25), (0.25, 0.75)])


def _camera(s: Surface, n: float) -> None:
    _box(s, n, 0.06, 0.26, 0.88, 0.56, 0.1)
    _box(s, n, 0.32, 0.16, 0.36, 0.2, 0.06)
    _disc(s, n, 0.5, 0.54, 0.2, _OFF)
    _disc(s, n, 0.5, 0.54, 0.13)


def _no_camera(s: Surface, n: float) -> None:
    _camera(s, n)
    pygame.draw.line(s, _OFF, (0.06 * n, 0.06 * n), (0.98 * n, 0.98 * n), round(0.2 * n))
    _line(s, n, [(0.1, 0.1), (0.9, 0.9)], 0.09)


def _film(s: Surface, n: float) -> None:
    _box(s, n, 0.08, 0.18, 0.84, 0.64, 0.08)
    for i in range(4):
        for y in (0.24, 0.68):
            _box(s, n, 0.15 + i * 0.195, y, 0.1, 0.08, 0.02, _OFF)
    _shape(s, n, [(0.42, 0.38), (0.42, 0.62), (0.62, 0.5)], _OFF)


def _speaker(s: Surface, n: float) -> None:
    _shape(s, n, [(0.1, 0.37), (0.27, 0.37), (0.5, 0.16), (0.5, 0.84), (0.27, 0.63), (0.1, 0.63)])
    for radius in (0.2, 0.36):
        for i in range(21):
            a = math.radians(-45 + 4.5 * i)
            _disc(s, n, 0.52 + radius * math.cos(a), 0.5 + radius * math.sin(a), 0.045)


def _speech(s: Surface, n: float) -> None:
    _box(s, n, 0.08, 0.14, 0.84, 0.54, 0.16)
    _shape(s, n, [(0.24, 0.6), (0.24, 0.9), (0.52, 0.62)])
    for x in (0.3, 0.5, 0.7):
        _disc(s, n, x, 0.41, 0.055, _OFF)


def _globe(s: Surface, n: float) -> None:
    _disc(s, n, 0.5, 0.5, 0.42)
    _disc(s, n, 0.5, 0.5, 0.35, _OFF)
    pygame.draw.ellipse(s, _ON, Rect(0.3 * n, 0.1 * n, 0.4 * n, 0.8 * n), round(0.07 * n))
    _line(s, n, [(0.12, 0.5), (0.88, 0.5)], 0.07)


def _clock(s: Surface, n: float) -> None:
    _disc(s, n, 0.5, 0.54, 0.4)
    _disc(s, n, 0.5, 0.54, 0.32, _OFF)
    _box(s, n, 0.4, 0.02, 0.2, 0.12, 0.03)
    _line(s, n, [(0.5, 0.34), (0.5, 0.54), (0.64, 0.62)], 0.08)


def _warning(s: Surface, n: float) -> None:
    _shape(s, n, [(0.5, 0.08), (0.96, 0.9), (0.04, 0.9)])
    _box(s, n, 0.45, 0.36, 0.1, 0.3, 0.04, _OFF)
    _disc(s, n, 0.5, 0.77, 0.06, _OFF)


def _hand(s: Surface, n: float) -> None:
    for x, top in ((0.28, 0.26), (0.42, 0.12), (0.56, 0.12), (0.7, 0.24)):
        _line(s, n, [(x, top), (x, 0.6)], 0.12)
    _line(s, n, [(0.12, 0.5), (0.3, 0.72)], 0.12)
    _box(s, n, 0.22, 0.48, 0.54, 0.44, 0.18)


_PENS: tuple[Pen, ...] = (
    _again, _back, _camera, _clock, _cross, _dice, _film, _gear, _globe, _hand, _minus, _no_camera, _pause,
    _play, _plus, _speaker, _speech, _stop, _undo, _warning,
)  # fmt: skip
ICONS: dict[str, Pen] = {pen.__name__[1:].replace("_", "-"): pen for pen in _PENS}
