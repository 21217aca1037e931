"""The tiles of Bau Boom and the places they lie on: four colours, each with a sign of its own.

The whole game and the container alone show the same ones.
"""

import math
from functools import lru_cache

import pygame
from pygame import Surface

from companion.eye.tiles import TileColour
from companion.screens import art
from companion.screens.theme import CARD, Rgb, mixed

BODY: dict[TileColour, Rgb] = {
    "red": (224, 66, 58),
    "yellow": (250, 206, 62),
    "green": (70, 158, 84),
    "blue": (56, 122, 224),
}
SIGN: dict[TileColour, Rgb] = {
    "red": (255, 228, 222),
    "yellow": (110, 66, 0),
    "green": (226, 250, 216),
    "blue": (224, 238, 255),
}
BACK: Rgb = (171, 134, 92)
ANT: Rgb = (78, 50, 26)


@lru_cache(maxsize=128)
def tile(colour: TileColour, side: int) -> Surface:
    """A tile that lies face up, `side` pixels wide and high."""

    def draw(s: Surface) -> None:
        plate(s, BODY[colour])
        sign(s, colour, SIGN[colour])

    return art.crisp((side, side), draw)


@lru_cache(maxsize=32)
def back(side: int) -> Surface:
    """A tile that lies face down: an ant on its back, the same for all."""

    def draw(s: Surface) -> None:
        plate(s, BACK)
        ant(s, ANT)

    return art.crisp((side, side), draw)


@lru_cache(maxsize=128)
def place(colour: TileColour, side: int) -> Surface:
    """A free place that waits for a tile: its colour and sign, dimmed."""
    body = mixed(BODY[colour], CARD, 0.74)

    def draw(s: Surface) -> None:
        n = s.get_width()
        pygame.draw.rect(s, body, s.get_rect(), border_radius=round(n * 0.18))
        edge = mixed(BODY[colour], CARD, 0.35)
        pygame.draw.rect(s, edge, s.get_rect(), width=round(n * 0.05), border_radius=round(n * 0.18))
        sign(s, colour, mixed(BODY[colour], CARD, 0.25))

    return art.crisp((side, side), draw)


def plate(s: Surface, body: Rgb) -> None:
    """Draw on a square surface a thick plate seen a little from the front."""
    n = s.get_width()
    radius = round(n * 0.18)
    pygame.draw.rect(s, mixed(body, (0, 0, 0), 0.38), s.get_rect(), border_radius=radius)
    pygame.draw.rect(s, body, (0, 0, n, round(n * 0.93)), border_radius=radius)


def sign(s: Surface, colour: TileColour, ink: Rgb) -> None:
    """The sign of a colour, on a square surface: a heart, a sun, a leaf or a drop."""
    {"red": _heart, "yellow": _sun, "green": _leaf, "blue": _drop}[colour](s, s.get_width(), ink)


def _heart(s: Surface, n: int, ink: Rgb) -> None:
    for x in (0.345, 0.655):
        pygame.draw.circle(s, ink, (x * n, 0.36 * n), 0.19 * n)
    points = [(0.19, 0.47), (0.5, 0.8), (0.81, 0.47), (0.5, 0.3)]
    pygame.draw.polygon(s, ink, [(x * n, y * n) for x, y in points])


def _sun(s: Surface, n: int, ink: Rgb) -> None:
    pygame.draw.circle(s, ink, (0.5 * n, 0.47 * n), 0.18 * n)
    for i in range(8):
        a = math.radians(45 * i)
        rays = ((0.235, -0.24), (0.39, 0.0), (0.235, 0.24))
        points = [(0.5 + r * math.sin(a + d), 0.47 - r * math.cos(a + d)) for r, d in rays]
        pygame.draw.polygon(s, ink, [(x * n, y * n) for x, y in points])


def _leaf(s: Surface, n: int, ink: Rgb) -> None:
    """Two arcs that meet in two tips, and a stalk."""
    steps = [i / 20 for i in range(21)]
    arc = [(t, 0.2 * math.sin(math.pi * t)) for t in steps]
    outline = [*arc, *((t, -bulge) for t, bulge in reversed(arc))]
    points = [(0.27 + 0.53 * t + bulge, 0.7 - 0.53 * t + bulge) for t, bulge in outline]
    pygame.draw.polygon(s, ink, [(x * n, y * n) for x, y in points])
    pygame.draw.line(s, ink, (0.19 * n, 0.78 * n), (0.4 * n, 0.57 * n), round(0.06 * n))


def _drop(s: Surface, n: int, ink: Rgb) -> None:
    pygame.draw.circle(s, ink, (0.5 * n, 0.56 * n), 0.235 * n)
    points = [(0.5, 0.1), (0.715, 0.47), (0.285, 0.47)]
    pygame.draw.polygon(s, ink, [(x * n, y * n) for x, y in points])


def ant(s: Surface, ink: Rgb) -> None:
    """An ant from above, on a square surface."""
    n = s.get_width()
    for x, y, wide, high in ((0.5, 0.27, 0.17, 0.15), (0.5, 0.46, 0.14, 0.2), (0.5, 0.69, 0.22, 0.28)):
        pygame.draw.ellipse(s, ink, ((x - wide / 2) * n, (y - high / 2) * n, wide * n, high * n))
    pen = max(1, round(0.035 * n))
    for side in (-1, 1):
        for y, far, end in ((0.42, 0.24, 0.3), (0.47, 0.27, 0.5), (0.52, 0.25, 0.72)):
            knee = (0.5 + side * far * 0.65, (y + end) / 2 - 0.02)
            points = [(0.5, y), knee, (0.5 + side * far, end)]
            pygame.draw.lines(s, ink, False, [(a * n, b * n) for a, b in points], pen)
        feeler = [(0.5 + side * 0.04, 0.22), (0.5 + side * 0.12, 0.12)]
        pygame.draw.lines(s, ink, False, [(a * n, b * n) for a, b in feeler], pen)
