"""The things of BIG BOOM! BANG: dice with symbols, tiles, hearts, the explosion."""

import math
from functools import lru_cache

import pygame
from pygame import Rect, Surface

from companion.games.big_boom_bang.rules import MOST
from companion.screens import art
from companion.screens.canvas import Canvas
from companion.screens.icons import Point
from companion.screens.theme import BANG, CARD, FAINT, INK, LINE, STOPPER, TABLE_EDGE, Rgb

DARK: Rgb = (34, 38, 46)
IVORY: Rgb = (246, 243, 234)
HEART: Rgb = (229, 57, 83)
GIFT: Rgb = (64, 132, 214)
RIBBON: Rgb = (255, 205, 70)
STEEL: Rgb = (120, 134, 150)
BACK: Rgb = (92, 60, 104)


def _poly(s: Surface, n: float, colour: Rgb, points: list[Point]) -> None:
    pygame.draw.polygon(s, colour, [(x * n, y * n) for x, y in points])


def _disc(s: Surface, n: float, colour: Rgb, x: float, y: float, r: float) -> None:
    pygame.draw.circle(s, colour, (x * n, y * n), r * n)


def _line(s: Surface, n: float, colour: Rgb, points: list[Point], width: float) -> None:
    pygame.draw.lines(s, colour, False, [(x * n, y * n) for x, y in points], max(1, round(width * n)))
    for x, y in points:
        _disc(s, n, colour, x, y, width / 2)


def _star(x: float, y: float, tips: int, outer: float, inner: float, turn: float = 0.0) -> list[Point]:
    found = []
    for i in range(2 * tips):
        a, r = math.pi * i / tips + turn, inner if i % 2 else outer
        found.append((x + r * math.sin(a), y - r * math.cos(a)))
    return found


def _bomb(s: Surface, n: float) -> None:
    _line(s, n, (150, 118, 80), [(0.6, 0.34), (0.68, 0.2), (0.8, 0.18)], 0.05)
    _poly(s, n, (255, 176, 40), _star(0.82, 0.17, 6, 0.13, 0.06))
    _disc(s, n, DARK, 0.46, 0.6, 0.3)
    _poly(s, n, DARK, [(0.52, 0.28), (0.7, 0.38), (0.64, 0.48), (0.46, 0.38)])
    _disc(s, n, (96, 104, 118), 0.36, 0.5, 0.07)


def _scissors(s: Surface, n: float) -> None:
    for side in (-1, 1):
        _line(s, n, STEEL, [(0.5, 0.56), (0.5 + side * 0.22, 0.14)], 0.09)
        _line(s, n, (206, 80, 70), [(0.5, 0.54), (0.5 - side * 0.16, 0.72)], 0.08)
        _disc(s, n, (206, 80, 70), 0.5 - side * 0.2, 0.78, 0.14)
    for side in (-1, 1):
        pygame.draw.circle(s, (0, 0, 0, 0), ((0.5 - side * 0.2) * n, 0.78 * n), 0.07 * n)
    _disc(s, n, DARK, 0.5, 0.55, 0.035)


def _heart(s: Surface, n: float, colour: Rgb = HEART) -> None:
    for x in (0.32, 0.68):
        _disc(s, n, colour, x, 0.38, 0.2)
    _poly(s, n, colour, [(0.135, 0.46), (0.5, 0.36), (0.865, 0.46), (0.5, 0.88)])


def _gift(s: Surface, n: float) -> None:
    pygame.draw.rect(s, GIFT, Rect(0.18 * n, 0.44 * n, 0.64 * n, 0.44 * n), border_radius=round(0.03 * n))
    pygame.draw.rect(
        s, (92, 158, 236), Rect(0.13 * n, 0.34 * n, 0.74 * n, 0.16 * n), border_radius=round(0.03 * n)
    )
    pygame.draw.rect(s, RIBBON, Rect(0.44 * n, 0.34 * n, 0.12 * n, 0.54 * n))
    for side in (-1, 1):
        _poly(s, n, RIBBON, [(0.5, 0.34), (0.5 + side * 0.24, 0.14), (0.5 + side * 0.3, 0.3)])
    _disc(s, n, (230, 170, 40), 0.5, 0.32, 0.06)


def _fuse(s: Surface, n: float) -> None:
    """A bomb whose fuse was cut: nothing happens."""
    _line(s, n, (150, 118, 80), [(0.58, 0.38), (0.62, 0.3)], 0.05)
    _line(s, n, (150, 118, 80), [(0.7, 0.22), (0.8, 0.16)], 0.05)
    _disc(s, n, DARK, 0.46, 0.6, 0.27)
    _disc(s, n, (96, 104, 118), 0.37, 0.5, 0.06)
    _line(s, n, (46, 140, 84), [(0.34, 0.62), (0.43, 0.72), (0.6, 0.5)], 0.07)


def _boom(s: Surface, n: float) -> None:
    _poly(s, n, (196, 40, 30), _star(0.5, 0.5, 11, 0.5, 0.3))
    _poly(s, n, (255, 138, 30), _star(0.5, 0.5, 11, 0.42, 0.25, 0.14))
    _poly(s, n, (255, 222, 90), _star(0.5, 0.5, 11, 0.3, 0.17))
    _disc(s, n, (255, 250, 220), 0.5, 0.5, 0.1)


SYMBOLS = {"bomb": _bomb, "scissors": _scissors, "heart": _heart, "gift": _gift, "fuse": _fuse, "boom": _boom}


@lru_cache(maxsize=128)
def symbol(name: str, side: int) -> Surface:
    """A symbol alone."""
    return art.crisp((side, side), lambda s: SYMBOLS[name](s, s.get_width()))


@lru_cache(maxsize=64)
def die(face: str, side: int) -> Surface:
    """A die that shows a symbol; an empty name is a die in the hand."""

    def draw(s: Surface) -> None:
        n = s.get_width()
        pygame.draw.rect(s, IVORY, s.get_rect(), border_radius=round(n * 0.2))
        if face:
            part = Surface((round(0.78 * n),) * 2, pygame.SRCALPHA)
            SYMBOLS[face](part, part.get_width())
            s.blit(part, (0.11 * n, 0.11 * n))

    return art.crisp((side, side), draw)


@lru_cache(maxsize=8)
def padlock(side: int) -> Surface:
    """The sign of a bomb that must stay where it is (BANG-R9)."""

    def draw(s: Surface) -> None:
        n = s.get_width()
        _disc(s, n, TABLE_EDGE, 0.5, 0.5, 0.5)
        pygame.draw.circle(s, STOPPER, (0.5 * n, 0.4 * n), 0.2 * n, round(0.07 * n))
        pygame.draw.rect(
            s, STOPPER, Rect(0.27 * n, 0.42 * n, 0.46 * n, 0.36 * n), border_radius=round(0.06 * n)
        )

    return art.crisp((side, side), draw)


@lru_cache(maxsize=8)
def heart(full: bool, side: int) -> Surface:
    """A heart that somebody has, or the place of one."""

    def draw(s: Surface) -> None:
        n = s.get_width()
        _heart(s, n, HEART if full else LINE)
        if not full:
            hole = Surface(s.get_size(), pygame.SRCALPHA)
            _heart(hole, n, CARD)
            small = pygame.transform.smoothscale(hole, (round(0.8 * n),) * 2)
            s.blit(small, (0.1 * n, 0.105 * n))

    return art.crisp((side, side), draw)


@lru_cache(maxsize=32)
def tile(kind: str, side: int) -> Surface:
    """A tile that lies open: fuse, gift or boom; or, with an empty name, its back."""
    ground = {"": BACK, "fuse": (206, 228, 212), "gift": (208, 222, 244), "boom": (255, 214, 200)}[kind]

    def draw(s: Surface) -> None:
        n = s.get_width()
        r = round(0.14 * n)
        pygame.draw.rect(s, ground, s.get_rect(), border_radius=r)
        if kind:
            part = Surface((round(0.84 * n),) * 2, pygame.SRCALPHA)
            SYMBOLS[kind](part, part.get_width())
            s.blit(part, (0.08 * n, 0.08 * n))
            return
        pygame.draw.rect(s, (122, 84, 136), s.get_rect().inflate(-0.14 * n, -0.14 * n), round(0.03 * n), r)
        _poly(s, n, BANG, _star(0.5, 0.5, 8, 0.3, 0.18))
        _line(s, n, IVORY, [(0.5, 0.34), (0.5, 0.52)], 0.08)
        _disc(s, n, IVORY, 0.5, 0.64, 0.05)

    return art.crisp((side, side), draw)


def flat(picture: Surface, box: Rect, turned: float) -> tuple[Surface, Rect]:
    """A tile that is being turned over, as wide as it looks; `turned` from 0 to 1 (then it lies flat)."""
    wide = max(2, round(box.width * abs(math.cos(math.pi * turned))))
    place = Rect(box.centerx - wide // 2, box.y, wide, box.height)
    return pygame.transform.smoothscale(picture, place.size), place


def hearts(canvas: Canvas, box: Rect, count: int) -> None:
    """Hearts in a row, as many as somebody has, and the places of the others."""
    side = min(box.height, box.width // MOST - canvas.px(2))
    for i in range(MOST):
        canvas.surface.blit(
            heart(i < count, side), (box.x + i * (side + canvas.px(2)), box.centery - side // 2)
        )


def chance(canvas: Canvas, box: Rect, share: float) -> None:
    """A chance of BOOM with its sign, in per cent, and as a bar."""
    side = min(box.height - canvas.px(10), canvas.px(40))
    canvas.surface.blit(symbol("boom", side), (box.x, box.centery - side // 2))
    words = Rect(
        box.x + side + canvas.px(6), box.y, box.width - side - canvas.px(6), box.height - canvas.px(12)
    )
    canvas.text(f"{100 * share:.0f} %", words, 32, face="title", colour=INK)
    bar = Rect(words.x, box.bottom - canvas.px(12), words.width, canvas.px(8))
    pygame.draw.rect(canvas.surface, canvas.look.tone(LINE), bar, border_radius=bar.height // 2)
    filled = Rect(bar.x, bar.y, round(bar.width * share), bar.height)
    pygame.draw.rect(canvas.surface, FAINT if share < 0.2 else BANG, filled, border_radius=bar.height // 2)
