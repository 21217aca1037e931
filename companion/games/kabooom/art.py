"""Kabooom!'s things: stones with their four symbols, towers, squares."""

import math
from functools import lru_cache

import pygame
from pygame import Rect, Surface

from companion.players import PlayerColour
from companion.screens import art
from companion.screens.canvas import Canvas
from companion.screens.icons import Point
from companion.screens.theme import CARD, INK, LINE, PLAYER_COLOURS, TABLE_EDGE, Rgb, mixed

SHOWN = 3  # stones of a tower that are drawn (KAB-R25)
STEP = 0.13  # how far each stone lies above the one below, in parts of a square's side
DARK: Rgb = (28, 32, 38)


def _points(n: float, points: list[Point]) -> list[Point]:
    return [(x * n, y * n) for x, y in points]


def _rock(s: Surface, n: float) -> None:
    outline = [(0.14, 0.62), (0.24, 0.34), (0.46, 0.2), (0.7, 0.28), (0.88, 0.52), (0.8, 0.78), (0.28, 0.8)]
    pygame.draw.polygon(s, DARK, _points(n, outline))
    pygame.draw.polygon(s, (150, 158, 168), _points(n, [(0.5 + (x - 0.5) * 0.8, 0.52 + (y - 0.52) * 0.8)
                                                        for x, y in outline]))  # fmt: skip
    pygame.draw.polygon(s, (196, 203, 211), _points(n, [(0.3, 0.42), (0.46, 0.29), (0.64, 0.35), (0.5, 0.5)]))


def _paper(s: Surface, n: float) -> None:
    sheet = [(0.24, 0.14), (0.62, 0.14), (0.78, 0.3), (0.78, 0.86), (0.24, 0.86)]
    pygame.draw.polygon(
        s, DARK, _points(n, [(0.5 + (x - 0.5) * 1.14, 0.5 + (y - 0.5) * 1.1) for x, y in sheet])
    )
    pygame.draw.polygon(s, (250, 250, 246), _points(n, sheet))
    pygame.draw.polygon(s, (178, 186, 194), _points(n, [(0.62, 0.14), (0.78, 0.3), (0.62, 0.3)]))
    for y in (0.42, 0.56, 0.7):
        pygame.draw.rect(s, (120, 130, 142), Rect(0.32 * n, y * n, 0.38 * n, 0.05 * n))


def _scissors(s: Surface, n: float) -> None:
    for side in (-1, 1):
        blade = [(0.5 - side * 0.02, 0.6), (0.5 + side * 0.3, 0.1), (0.5 + side * 0.08, 0.62)]
        pygame.draw.polygon(s, DARK, _points(n, blade))
        pygame.draw.lines(
            s, DARK, False, _points(n, [(0.5, 0.58), (0.5 + side * 0.25, 0.14)]), round(0.1 * n)
        )
        ring = ((0.5 - side * 0.2) * n, 0.76 * n)
        pygame.draw.lines(s, DARK, False, [(0.5 * n, 0.55 * n), ring], round(0.1 * n))
        pygame.draw.circle(s, DARK, ring, 0.16 * n)
        pygame.draw.circle(s, (0, 0, 0, 0), ring, 0.08 * n)
    pygame.draw.circle(s, (214, 220, 226), (0.5 * n, 0.57 * n), 0.04 * n)


def _dynamite(s: Surface, n: float) -> None:
    for x in (0.16, 0.39, 0.62):
        pygame.draw.rect(s, DARK, Rect(x * n, 0.34 * n, 0.24 * n, 0.56 * n), border_radius=round(0.05 * n))
        pygame.draw.rect(
            s, (206, 46, 42), Rect((x + 0.03) * n, 0.37 * n, 0.18 * n, 0.5 * n), border_radius=round(0.04 * n)
        )
    pygame.draw.rect(s, (250, 232, 180), Rect(0.14 * n, 0.54 * n, 0.74 * n, 0.14 * n))
    pygame.draw.lines(s, DARK, False, _points(n, [(0.51, 0.36), (0.54, 0.22), (0.66, 0.16)]), round(0.06 * n))
    star = [
        (0.7 + r * math.cos(a), 0.15 + r * math.sin(a))
        for i in range(12)
        for a, r in [(math.pi * i / 6, 0.14 if i % 2 else 0.06)]
    ]
    pygame.draw.polygon(s, (255, 190, 40), _points(n, star))


SYMBOLS = {"r": _rock, "p": _paper, "s": _scissors, "d": _dynamite}


@lru_cache(maxsize=256)
def stone(colour: PlayerColour, name: str, side: int) -> Surface:
    """A stone seen from above a little from the front: its thickness below, its symbol on a light disc.

    Whose it is says its colour, and the sign of the player in its corner.
    """
    body = PLAYER_COLOURS[colour]

    def draw(s: Surface) -> None:
        n = s.get_width()
        pygame.draw.circle(s, mixed(body, DARK, 0.55), (0.5 * n, 0.53 * n), 0.46 * n)
        pygame.draw.circle(s, body, (0.5 * n, 0.47 * n), 0.46 * n)
        pygame.draw.circle(s, mixed(body, (255, 255, 255), 0.72), (0.5 * n, 0.47 * n), 0.38 * n)
        part = Surface((round(0.62 * n),) * 2, pygame.SRCALPHA)
        SYMBOLS[name](part, part.get_width())
        s.blit(part, (0.19 * n, 0.16 * n))
        sign = pygame.transform.smoothscale(art.player(colour, 128), (round(0.24 * n),) * 2)
        pygame.draw.circle(s, DARK, (0.17 * n, 0.2 * n), 0.17 * n)
        s.blit(sign, (0.05 * n, 0.08 * n))

    return art.crisp((side, side), draw)


@lru_cache(maxsize=64)
def _below(colour: PlayerColour, side: int) -> Surface:
    """A stone of which others see the edge alone."""
    body = PLAYER_COLOURS[colour]

    def draw(s: Surface) -> None:
        n = s.get_width()
        pygame.draw.circle(s, mixed(body, DARK, 0.75), (0.5 * n, 0.53 * n), 0.46 * n)
        pygame.draw.circle(s, mixed(body, DARK, 0.35), (0.5 * n, 0.47 * n), 0.46 * n)

    return art.crisp((side, side), draw)


def tower(
    canvas: Canvas, box: Rect, colour: PlayerColour, name: str, height: int, lifted: bool = False
) -> None:
    """A tower on its square: at most three stones, the true height at the lower right (KAB-R25)."""
    shown = min(SHOWN, height)
    side = round(box.width * 0.78)
    left, bottom = box.centerx - side // 2, box.bottom - round(box.width * 0.06)
    r = max(2, side // 10)
    shade = art.shadow(side, side // 2, r)
    canvas.surface.blit(shade, (left - r, bottom - side // 2 - r + (box.width // 6 if lifted else 0)))
    for level in range(shown):
        top = bottom - side - round(level * STEP * box.width)
        picture = stone(colour, name, side) if level == shown - 1 else _below(colour, side)
        canvas.surface.blit(picture, (left, top))
    if height > 1:
        badge = Rect(0, 0, round(box.width * 0.36), round(box.width * 0.32))
        badge.bottomright = (box.right, box.bottom)
        canvas.card(badge, TABLE_EDGE, radius=badge.height / 2 / canvas.u, edge=INK, shade=False)
        canvas.text(str(height), badge, badge.height / canvas.u, face="title")


@lru_cache(maxsize=16)
def square(side: int, colour: Rgb, edge: Rgb) -> Surface:
    """An empty square of the board."""

    def draw(s: Surface) -> None:
        r = round(s.get_width() * 0.14)
        pygame.draw.rect(s, colour, s.get_rect(), border_radius=r)
        pygame.draw.rect(s, edge, s.get_rect(), width=art.OVER * 2, border_radius=r)

    return art.crisp((side, side), draw)


def board_square(canvas: Canvas, box: Rect) -> None:
    """A square as it lies on the table."""
    colours = canvas.look.tone(CARD), canvas.look.tone(LINE)
    canvas.surface.blit(square(box.width, *colours), box)


def target(canvas: Canvas, box: Rect, colour: Rgb) -> None:
    """A ring around a square where a move may end, and a dot above it."""
    pygame.draw.rect(canvas.surface, colour, box, canvas.px(4), border_radius=round(box.width * 0.14))
    pygame.draw.circle(canvas.surface, colour, (box.centerx, box.y + canvas.px(8)), canvas.px(5))


def mark(canvas: Canvas, box: Rect, colour: Rgb) -> None:
    """Corners around a square that the last move has touched, thicker than its edge."""
    length, width, colour = box.width // 4, canvas.px(6), canvas.look.tone(colour)
    for x, dx in ((box.x, 1), (box.right - 1, -1)):
        for y, dy in ((box.y, 1), (box.bottom - 1, -1)):
            pygame.draw.line(canvas.surface, colour, (x, y), (x + dx * length, y), width)
            pygame.draw.line(canvas.surface, colour, (x, y), (x, y + dy * length), width)


def arrow(canvas: Canvas, origin: Rect, target: Rect, colour: Rgb) -> None:
    """An arrow from one square to its neighbour, over what stands there."""
    x, y = target.centerx - origin.centerx, target.centery - origin.centery
    length = math.hypot(x, y)
    a, b = x / length, y / length  # along the arrow; across it lies (-b, a)
    wide, tip = origin.width * 0.08, length * 0.85
    outline = [
        (length * 0.15, -wide), (tip - wide * 3, -wide), (tip - wide * 3, -wide * 2.4), (tip, 0),
        (tip - wide * 3, wide * 2.4), (tip - wide * 3, wide), (length * 0.15, wide),
    ]  # fmt: skip
    points = [(origin.centerx + u * a - v * b, origin.centery + u * b + v * a) for u, v in outline]
    pygame.draw.polygon(canvas.surface, canvas.look.tone(colour), points)
    pygame.draw.polygon(canvas.surface, DARK, points, max(2, round(wide / 3)))
