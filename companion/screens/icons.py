"""The signs, all in one style: filled, round-ended, in one colour. Each is drawn by a pen."""

import math
from collections.abc import Callable
from itertools import pairwise

import pygame
from pygame import Rect, Surface

from companion.screens.theme import Rgb

Point = tuple[float, float]
Pen = Callable[
    [Surface, float], None
]  # draws in white on a black square surface with sides of the given length

_ON = (255, 255, 255)
OFF = (0, 0, 0)


def line(s: Surface, n: float, points: list[Point], width: float = 0.11, ink: Rgb = _ON) -> None:
    """Strokes with round ends, as wide when they lean as when they stand."""
    half = width / 2
    for (x0, y0), (x1, y1) in pairwise(points):
        length = math.hypot(x1 - x0, y1 - y0) or 1.0
        a, b = half * (y1 - y0) / length, half * (x1 - x0) / length
        shape(s, n, [(x0 - a, y0 + b), (x1 - a, y1 + b), (x1 + a, y1 - b), (x0 + a, y0 - b)], ink)
    for x, y in points:
        disc(s, n, x, y, half, ink)


def shape(s: Surface, n: float, points: list[Point], ink: Rgb = _ON) -> None:
    """A polygon."""
    pygame.draw.polygon(s, ink, [(x * n, y * n) for x, y in points])


def _box(
    s: Surface, n: float, x: float, y: float, w: float, h: float, r: float = 0.0, ink: Rgb = _ON
) -> None:
    pygame.draw.rect(
        s, ink, Rect(round(x * n), round(y * n), round(w * n), round(h * n)), border_radius=round(r * n)
    )


def disc(s: Surface, n: float, x: float, y: float, r: float, ink: Rgb = _ON) -> None:
    """A disc."""
    pygame.draw.circle(s, ink, (x * n, y * n), r * n)


def _arc(s: Surface, n: float, radius: float, end: float) -> None:
    """A round-capped arc about the middle; it ends at an angle in degrees, clockwise from the top."""
    steps = [math.radians(40 + (end - 40) * i / 160) for i in range(161)]
    for a in steps:
        disc(s, n, 0.5 + radius * math.sin(a), 0.5 - radius * math.cos(a), 0.055)


def _octagon(radius: float) -> list[Point]:
    corners = [math.radians(22.5 + 45 * i) for i in range(8)]
    return [(0.5 + radius * math.cos(a), 0.5 + radius * math.sin(a)) for a in corners]


def _back(s: Surface, n: float) -> None:
    line(s, n, [(0.55, 0.2), (0.25, 0.5), (0.55, 0.8)])
    line(s, n, [(0.28, 0.5), (0.8, 0.5)])


def _arrow(s: Surface, n: float) -> None:
    shape(
        s,
        n,
        [(0.08, 0.38), (0.52, 0.38), (0.52, 0.16), (0.94, 0.5), (0.52, 0.84), (0.52, 0.62), (0.08, 0.62)],
    )


def _dice(s: Surface, n: float) -> None:
    _box(s, n, 0.06, 0.3, 0.52, 0.52, 0.11)
    for x, y in ((0.2, 0.44), (0.32, 0.56), (0.44, 0.68)):
        disc(s, n, x, y, 0.05, OFF)
    _box(s, n, 0.6, 0.12, 0.34, 0.34, 0.08)
    disc(s, n, 0.77, 0.29, 0.055, OFF)


def _stop(s: Surface, n: float) -> None:
    shape(s, n, _octagon(0.46))
    shape(s, n, _octagon(0.42), OFF)
    shape(s, n, _octagon(0.39))


def _gear(s: Surface, n: float) -> None:
    for i in range(8):
        a = math.radians(45 * i)
        disc(s, n, 0.5 + 0.33 * math.cos(a), 0.5 + 0.33 * math.sin(a), 0.1)
    disc(s, n, 0.5, 0.5, 0.33)
    disc(s, n, 0.5, 0.5, 0.14, OFF)


def _play(s: Surface, n: float) -> None:
    shape(s, n, [(0.28, 0.16), (0.28, 0.84), (0.84, 0.5)])


def _resume(s: Surface, n: float) -> None:
    """To play on from where it was stopped."""
    _box(s, n, 0.12, 0.16, 0.16, 0.68, 0.05)
    shape(s, n, [(0.4, 0.16), (0.4, 0.84), (0.94, 0.5)])


def _pause(s: Surface, n: float) -> None:
    _box(s, n, 0.24, 0.18, 0.18, 0.64, 0.05)
    _box(s, n, 0.58, 0.18, 0.18, 0.64, 0.05)


def _again(s: Surface, n: float) -> None:
    _arc(s, n, 0.31, 330)
    shape(s, n, [(0.47, 0.02), (0.47, 0.36), (0.74, 0.19)])


def _undo(s: Surface, n: float) -> None:
    line(
        s, n, [(0.3, 0.38), (0.62, 0.38), (0.76, 0.46), (0.8, 0.58), (0.76, 0.7), (0.62, 0.78), (0.34, 0.78)]
    )
    shape(s, n, [(0.36, 0.14), (0.36, 0.62), (0.08, 0.38)])


def _plus(s: Surface, n: float) -> None:
    line(s, n, [(0.5, 0.2), (0.5, 0.8)])
    line(s, n, [(0.2, 0.5), (0.8, 0.5)])


def _minus(s: Surface, n: float) -> None:
    line(s, n, [(0.2, 0.5), (0.8, 0.5)])


def _cross(s: Surface, n: float) -> None:
    line(s, n, [(0.25, 0.25), (0.75, 0.75)])
    line(s, n, [(0.75, 0.25), (0.25, 0.75)])


def _camera(s: Surface, n: float) -> None:
    _box(s, n, 0.06, 0.26, 0.88, 0.56, 0.1)
    _box(s, n, 0.32, 0.16, 0.36, 0.2, 0.06)
    disc(s, n, 0.5, 0.54, 0.2, OFF)
    disc(s, n, 0.5, 0.54, 0.13)


def _struck(s: Surface, n: float) -> None:
    """A stroke through what there is not."""
    pygame.draw.line(s, OFF, (0.06 * n, 0.06 * n), (0.98 * n, 0.98 * n), round(0.2 * n))
    line(s, n, [(0.1, 0.1), (0.9, 0.9)], 0.09)


def _no_camera(s: Surface, n: float) -> None:
    _camera(s, n)
    _struck(s, n)


def _film(s: Surface, n: float) -> None:
    _box(s, n, 0.08, 0.18, 0.84, 0.64, 0.08)
    for i in range(4):
        for y in (0.24, 0.68):
            _box(s, n, 0.15 + i * 0.195, y, 0.1, 0.08, 0.02, OFF)
    shape(s, n, [(0.42, 0.38), (0.42, 0.62), (0.62, 0.5)], OFF)


def _speaker(s: Surface, n: float) -> None:
    shape(s, n, [(0.1, 0.37), (0.27, 0.37), (0.5, 0.16), (0.5, 0.84), (0.27, 0.63), (0.1, 0.63)])
    for radius in (0.2, 0.36):
        for i in range(21):
            a = math.radians(-45 + 4.5 * i)
            disc(s, n, 0.52 + radius * math.cos(a), 0.5 + radius * math.sin(a), 0.045)


def _speech(s: Surface, n: float) -> None:
    _box(s, n, 0.08, 0.14, 0.84, 0.54, 0.16)
    shape(s, n, [(0.24, 0.6), (0.24, 0.9), (0.52, 0.62)])
    for x in (0.3, 0.5, 0.7):
        disc(s, n, x, 0.41, 0.055, OFF)


def _no_speech(s: Surface, n: float) -> None:
    _speech(s, n)
    _struck(s, n)


def _globe(s: Surface, n: float) -> None:
    disc(s, n, 0.5, 0.5, 0.42)
    disc(s, n, 0.5, 0.5, 0.35, OFF)
    pygame.draw.ellipse(s, _ON, Rect(0.3 * n, 0.1 * n, 0.4 * n, 0.8 * n), round(0.07 * n))
    line(s, n, [(0.12, 0.5), (0.88, 0.5)], 0.07)


def _clock(s: Surface, n: float) -> None:
    disc(s, n, 0.5, 0.54, 0.4)
    disc(s, n, 0.5, 0.54, 0.32, OFF)
    _box(s, n, 0.4, 0.02, 0.2, 0.12, 0.03)
    line(s, n, [(0.5, 0.34), (0.5, 0.54), (0.64, 0.62)], 0.08)


def _warning(s: Surface, n: float) -> None:
    shape(s, n, [(0.5, 0.08), (0.96, 0.9), (0.04, 0.9)])
    _box(s, n, 0.45, 0.36, 0.1, 0.3, 0.04, OFF)
    disc(s, n, 0.5, 0.77, 0.06, OFF)


def _hand(s: Surface, n: float) -> None:
    for x, top in ((0.28, 0.26), (0.42, 0.12), (0.56, 0.12), (0.7, 0.24)):
        line(s, n, [(x, top), (x, 0.6)], 0.12)
    line(s, n, [(0.12, 0.5), (0.3, 0.72)], 0.12)
    _box(s, n, 0.22, 0.48, 0.54, 0.44, 0.18)


def _mute(s: Surface, n: float) -> None:
    shape(s, n, [(0.08, 0.37), (0.25, 0.37), (0.48, 0.16), (0.48, 0.84), (0.25, 0.63), (0.08, 0.63)])
    line(s, n, [(0.62, 0.38), (0.88, 0.62)], 0.09)
    line(s, n, [(0.88, 0.38), (0.62, 0.62)], 0.09)


def _menu(s: Surface, n: float) -> None:
    for y in (0.26, 0.5, 0.74):
        line(s, n, [(0.18, y), (0.82, y)], 0.12)


def _redo(s: Surface, n: float) -> None:
    _undo(s, n)
    s.blit(pygame.transform.flip(s, True, False), (0, 0))


def _help(s: Surface, n: float) -> None:
    disc(s, n, 0.5, 0.5, 0.46)
    points = [(0.35, 0.38), (0.38, 0.28), (0.5, 0.23), (0.62, 0.28), (0.64, 0.4), (0.54, 0.5), (0.5, 0.6)]
    line(s, n, points, 0.09, OFF)
    disc(s, n, 0.5, 0.75, 0.06, OFF)


def _person(s: Surface, n: float) -> None:
    disc(s, n, 0.5, 0.28, 0.2)
    _box(s, n, 0.14, 0.54, 0.72, 0.7, 0.3)


def _computer(s: Surface, n: float) -> None:
    line(s, n, [(0.5, 0.1), (0.5, 0.3)], 0.07)
    disc(s, n, 0.5, 0.1, 0.07)
    _box(s, n, 0.14, 0.26, 0.72, 0.6, 0.14)
    for x in (0.35, 0.65):
        disc(s, n, x, 0.5, 0.09, OFF)
    _box(s, n, 0.34, 0.67, 0.32, 0.08, 0.04, OFF)


def _flag(s: Surface, n: float) -> None:
    line(s, n, [(0.22, 0.1), (0.22, 0.92)], 0.1)
    shape(s, n, [(0.24, 0.1), (0.88, 0.3), (0.24, 0.54)])


def _chart(s: Surface, n: float) -> None:
    for x, top in ((0.12, 0.55), (0.4, 0.32), (0.68, 0.12)):
        _box(s, n, x, top, 0.2, 0.88 - top, 0.04)


def _house(s: Surface, n: float) -> None:
    shape(s, n, [(0.5, 0.1), (0.94, 0.5), (0.06, 0.5)])
    _box(s, n, 0.2, 0.46, 0.6, 0.42, 0.04)
    _box(s, n, 0.42, 0.6, 0.16, 0.28, 0.02, OFF)


def _pencil(s: Surface, n: float) -> None:
    line(s, n, [(0.74, 0.24), (0.32, 0.66)], 0.2)
    shape(s, n, [(0.27, 0.56), (0.42, 0.72), (0.14, 0.86)])


def _erase(s: Surface, n: float) -> None:
    shape(s, n, [(0.04, 0.5), (0.3, 0.2), (0.96, 0.2), (0.96, 0.8), (0.3, 0.8)])
    line(s, n, [(0.48, 0.36), (0.76, 0.64)], 0.09, OFF)
    line(s, n, [(0.76, 0.36), (0.48, 0.64)], 0.09, OFF)


def _trophy(s: Surface, n: float) -> None:
    disc(s, n, 0.5, 0.34, 0.4)
    disc(s, n, 0.5, 0.34, 0.31, OFF)
    _box(s, n, 0.0, 0.56, 1.0, 0.3, 0, OFF)
    _box(s, n, 0.0, 0.0, 1.0, 0.1, 0, OFF)
    shape(s, n, [(0.26, 0.1), (0.74, 0.1), (0.7, 0.4), (0.56, 0.56), (0.44, 0.56), (0.3, 0.4)])
    _box(s, n, 0.45, 0.5, 0.1, 0.3)
    _box(s, n, 0.28, 0.78, 0.44, 0.12, 0.04)


def _ok(s: Surface, n: float) -> None:
    line(s, n, [(0.16, 0.54), (0.4, 0.78), (0.86, 0.26)], 0.13)


def _left(s: Surface, n: float) -> None:
    line(s, n, [(0.62, 0.16), (0.3, 0.5), (0.62, 0.84)], 0.13)


def _right(s: Surface, n: float) -> None:
    line(s, n, [(0.38, 0.16), (0.7, 0.5), (0.38, 0.84)], 0.13)


def _up(s: Surface, n: float) -> None:
    line(s, n, [(0.16, 0.66), (0.5, 0.32), (0.84, 0.66)], 0.13)


def _down(s: Surface, n: float) -> None:
    line(s, n, [(0.16, 0.34), (0.5, 0.68), (0.84, 0.34)], 0.13)


def _book(s: Surface, n: float) -> None:
    _box(s, n, 0.08, 0.16, 0.4, 0.68, 0.05)
    _box(s, n, 0.52, 0.16, 0.4, 0.68, 0.05)
    for y in (0.32, 0.46, 0.6):
        _box(s, n, 0.16, y, 0.24, 0.05, 0, OFF)
        _box(s, n, 0.6, y, 0.24, 0.05, 0, OFF)


def _power(s: Surface, n: float) -> None:
    _arc(s, n, 0.36, 320)
    line(s, n, [(0.5, 0.1), (0.5, 0.46)], 0.11)


def _shield(s: Surface, n: float) -> None:
    shape(s, n, [(0.5, 0.04), (0.9, 0.18), (0.86, 0.58), (0.5, 0.96), (0.14, 0.58), (0.1, 0.18)])
    line(s, n, [(0.3, 0.48), (0.46, 0.64), (0.72, 0.34)], 0.1, OFF)


def _bomb(s: Surface, n: float) -> None:
    disc(s, n, 0.44, 0.6, 0.34)
    line(s, n, [(0.62, 0.34), (0.74, 0.2), (0.84, 0.2)], 0.09)
    for i in range(5):
        a = math.radians(72 * i - 20)
        line(s, n, [(0.88, 0.18), (0.88 + 0.1 * math.cos(a), 0.18 + 0.1 * math.sin(a))], 0.035)
    disc(s, n, 0.33, 0.5, 0.07, OFF)


def _blocks(s: Surface, n: float) -> None:
    _box(s, n, 0.08, 0.56, 0.4, 0.36, 0.06)
    _box(s, n, 0.52, 0.56, 0.4, 0.36, 0.06)
    _box(s, n, 0.3, 0.14, 0.4, 0.38, 0.06)


def _hill(s: Surface, n: float) -> None:
    for row, count in enumerate((4, 3, 2, 1)):
        for i in range(count):
            _box(s, n, 0.5 - count * 0.12 + i * 0.24 + 0.015, 0.7 - row * 0.22, 0.21, 0.19, 0.03)


def _tower(s: Surface, n: float) -> None:
    for y in (0.62, 0.42, 0.22):
        pygame.draw.ellipse(s, OFF, Rect(0.08 * n, (y - 0.02) * n, 0.84 * n, 0.34 * n))
        pygame.draw.ellipse(s, _ON, Rect(0.1 * n, y * n, 0.8 * n, 0.28 * n))
    shape(s, n, [(0.42, 0.28), (0.62, 0.28), (0.52, 0.35), (0.62, 0.42), (0.38, 0.42), (0.5, 0.35)], OFF)


def _crate(s: Surface, n: float) -> None:
    _box(s, n, 0.08, 0.3, 0.84, 0.56, 0.06)
    for x in (0.3, 0.5, 0.7):
        _box(s, n, x - 0.03, 0.4, 0.06, 0.36, 0.02, OFF)
    line(s, n, [(0.12, 0.22), (0.88, 0.22)], 0.09)


def _letter(s: Surface, n: float) -> None:
    line(s, n, [(0.14, 0.86), (0.44, 0.14), (0.74, 0.86)], 0.13)
    line(s, n, [(0.27, 0.62), (0.61, 0.62)], 0.11)
    line(s, n, [(0.88, 0.34), (0.88, 0.1)], 0.09)
    line(s, n, [(0.76, 0.22), (1.0, 0.22)], 0.09)


def _contrast(s: Surface, n: float) -> None:
    disc(s, n, 0.5, 0.5, 0.44)
    disc(s, n, 0.5, 0.5, 0.35, OFF)
    pygame.draw.circle(s, _ON, (0.5 * n, 0.5 * n), 0.4 * n, draw_top_right=True, draw_bottom_right=True)


def _moon(s: Surface, n: float) -> None:
    disc(s, n, 0.46, 0.52, 0.42)
    disc(s, n, 0.64, 0.38, 0.36, OFF)


def _teach(s: Surface, n: float) -> None:
    """A die, and a plus: one more that is known."""
    _box(s, n, 0.04, 0.3, 0.66, 0.66, 0.14)
    line(s, n, [(0.24, 0.64), (0.34, 0.76), (0.52, 0.5)], 0.09, OFF)
    line(s, n, [(0.8, 0.04), (0.8, 0.4)], 0.11)
    line(s, n, [(0.62, 0.22), (0.98, 0.22)], 0.11)


def _lamp(s: Surface, n: float) -> None:
    """A bulb that shines."""
    disc(s, n, 0.5, 0.46, 0.25)
    shape(s, n, [(0.33, 0.6), (0.67, 0.6), (0.61, 0.74), (0.39, 0.74)])
    for y in (0.8, 0.9):
        line(s, n, [(0.42, y), (0.58, y)], 0.07)
    for degrees in (-90, -45, 0, 45, 90):
        a = math.radians(degrees)
        x, y = math.sin(a), -math.cos(a)
        line(s, n, [(0.5 + 0.36 * x, 0.46 + 0.36 * y), (0.5 + 0.44 * x, 0.46 + 0.44 * y)], 0.07)


def _percent(s: Surface, n: float) -> None:
    for x, y in ((0.26, 0.28), (0.74, 0.72)):
        disc(s, n, x, y, 0.19)
        disc(s, n, x, y, 0.09, OFF)
    line(s, n, [(0.24, 0.86), (0.76, 0.14)], 0.11)


def _corners(s: Surface, n: float) -> None:
    """The four corners of what is looked at, and its middle."""
    for x, y, a, b in ((0.1, 0.14, 1, 1), (0.9, 0.14, -1, 1), (0.9, 0.86, -1, -1), (0.1, 0.86, 1, -1)):
        line(s, n, [(x + 0.22 * a, y), (x, y), (x, y + 0.22 * b)])
    disc(s, n, 0.5, 0.5, 0.13)


def _pulse(s: Surface, n: float) -> None:
    """A heart that beats: how the machine is."""
    for x in (0.3, 0.7):
        disc(s, n, x, 0.34, 0.24)
    shape(s, n, [(0.09, 0.46), (0.91, 0.46), (0.5, 0.93)])
    line(s, n, [(0.0, 0.5), (0.32, 0.5), (0.42, 0.3), (0.54, 0.66), (0.62, 0.5), (1.0, 0.5)], 0.07, OFF)


_PENS: tuple[Pen, ...] = (
    _again, _arrow, _back, _blocks, _bomb, _book, _camera, _chart, _clock, _computer, _contrast,
    _corners, _crate, _cross, _dice, _down, _erase, _film, _flag, _gear, _globe, _hand, _help, _hill,
    _house, _lamp, _left, _letter, _menu, _minus, _moon, _mute, _no_camera, _no_speech, _ok, _pause, _pencil,
    _percent, _person, _play, _plus, _power, _pulse, _redo, _resume, _right, _shield, _speaker, _speech,
    _stop, _teach, _tower, _trophy, _undo, _up, _warning,
)  # fmt: skip
ICONS: dict[str, Pen] = {pen.__name__[1:].replace("_", "-"): pen for pen in _PENS}
