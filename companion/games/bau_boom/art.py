"""What stands on the board of Bau Boom: the spaces of the trail, the barrows and the container."""

import itertools
import math
from functools import lru_cache

import pygame
from pygame import Surface

from companion.games.bau_boom.position import Kind
from companion.players import PlayerColour
from companion.screens import art
from companion.screens.theme import BAU, INK, PLAYER_COLOURS, TABLE_EDGE, Rgb, mixed
from companion.screens.tiles import BACK

SAND: Rgb = (74, 62, 47)
EARTH: Rgb = (112, 92, 66)
_BLACK: Rgb = (24, 26, 30)
_BEETLE: Rgb = (214, 48, 44)
_FUR: Rgb = (142, 124, 108)
_CRATE: Rgb = (96, 116, 136)


@lru_cache(maxsize=64)
def space(kind: Kind, side: int) -> Surface:
    """A space of the trail, `side` pixels wide; what makes it special is seen around a tile on it too."""
    pen = {"start": _start, "normal": _normal, "ladybug": _ladybug, "anteater": _anteater}[kind]
    return art.crisp((side, side), pen)


def _normal(s: Surface) -> None:
    n = s.get_width()
    pygame.draw.circle(s, mixed(EARTH, (0, 0, 0), 0.35), (n / 2, n * 0.52), n * 0.48)
    pygame.draw.circle(s, EARTH, (n / 2, n * 0.48), n * 0.48)


def _start(s: Surface) -> None:
    """An ant hill with a door: home."""
    n = s.get_width()
    pygame.draw.circle(s, mixed(BAU, (0, 0, 0), 0.45), (n / 2, n / 2), n * 0.5)
    pygame.draw.circle(s, mixed(BAU, (0, 0, 0), 0.2), (n / 2, n / 2), n * 0.45)
    outline = [(0.18, 0.76), (0.34, 0.36), (0.42, 0.22), (0.58, 0.22), (0.66, 0.36), (0.82, 0.76)]
    pygame.draw.polygon(s, (128, 88, 52), [(x * n, y * n) for x, y in outline])
    for y, half in ((0.4, 0.17), (0.56, 0.235)):
        pygame.draw.rect(
            s,
            (104, 70, 40),
            ((0.5 - half) * n, y * n, 2 * half * n, 0.035 * n),
            border_radius=round(0.01 * n),
        )
    pygame.draw.circle(s, _BLACK, (0.5 * n, 0.62 * n), 0.11 * n)
    pygame.draw.rect(s, _BLACK, (0.39 * n, 0.62 * n, 0.22 * n, 0.14 * n))


def _ladybug(s: Surface) -> None:
    """A red beetle from above; its head, spots and rim are seen around a tile."""
    n = s.get_width()
    pen = round(0.035 * n)
    for side in (-1, 1):
        feeler = [(0.5 + side * 0.06, 0.14), (0.5 + side * 0.15, 0.03)]
        pygame.draw.lines(s, INK, False, [(x * n, y * n) for x, y in feeler], pen)
    pygame.draw.circle(s, _BLACK, (0.5 * n, 0.17 * n), 0.17 * n)
    for side in (-1, 1):
        pygame.draw.circle(s, INK, ((0.5 + side * 0.09) * n, 0.12 * n), 0.035 * n)
    pygame.draw.circle(s, mixed(_BEETLE, (0, 0, 0), 0.4), (0.5 * n, 0.56 * n), 0.44 * n)
    pygame.draw.circle(s, _BEETLE, (0.5 * n, 0.54 * n), 0.43 * n)
    pygame.draw.line(s, _BLACK, (0.5 * n, 0.13 * n), (0.5 * n, 0.97 * n), pen)
    for angle in (48, 90, 132):
        for side in (-1, 1):
            a = math.radians(angle)
            at = (0.5 + side * 0.335 * math.sin(a), 0.54 - 0.335 * math.cos(a))
            pygame.draw.circle(s, _BLACK, (at[0] * n, at[1] * n), 0.072 * n)


def _anteater(s: Surface) -> None:
    """The whole animal from the side: a bushy tail, and a long snout down to the ground."""
    _normal(s)
    n = s.get_width()
    dark, light = mixed(_FUR, (0, 0, 0), 0.55), mixed(_FUR, INK, 0.25)

    def blob(colour: Rgb, x: float, y: float, wide: float, high: float) -> None:
        pygame.draw.ellipse(s, colour, ((x - wide / 2) * n, (y - high / 2) * n, wide * n, high * n))

    def limb(colour: Rgb, width: float, *points: tuple[float, float]) -> None:
        for (x, y), (u, v) in itertools.pairwise(points):
            for i in range(13):
                at = ((x + (u - x) * i / 12) * n, (y + (v - y) * i / 12) * n)
                pygame.draw.circle(s, colour, at, width * n / 2)

    blob(dark, 0.16, 0.5, 0.22, 0.44)
    for x in (0.28, 0.54):
        limb(dark, 0.1, (x, 0.6), (x, 0.76))
    blob(light, 0.41, 0.5, 0.48, 0.34)
    limb(dark, 0.09, (0.47, 0.4), (0.57, 0.6))
    blob(light, 0.66, 0.41, 0.24, 0.22)
    limb(light, 0.1, (0.7, 0.42), (0.84, 0.55), (0.9, 0.74))
    limb((245, 120, 130), 0.035, (0.9, 0.78), (0.82, 0.86))
    blob(_BLACK, 0.9, 0.75, 0.08, 0.07)
    blob(dark, 0.6, 0.3, 0.1, 0.11)
    blob(_BLACK, 0.7, 0.39, 0.065, 0.065)


@lru_cache(maxsize=64)
def barrow(colour: PlayerColour, side: int, loaded: bool) -> Surface:
    """A wheelbarrow with its player's colour and sign; what lies in it is covered."""
    body = PLAYER_COLOURS[colour]

    def draw(s: Surface) -> None:
        n = s.get_width()
        pen = round(0.07 * n)
        if loaded:
            for x, y, turn in ((0.3, 0.2, -8), (0.5, 0.17, 5), (0.42, 0.1, 12)):
                _heap(s, x * n, y * n, 0.2 * n, turn)
        frame = mixed(body, (0, 0, 0), 0.5)
        pygame.draw.line(s, frame, (0.66 * n, 0.66 * n), (0.98 * n, 0.3 * n), pen)
        pygame.draw.line(s, frame, (0.74 * n, 0.62 * n), (0.8 * n, 0.92 * n), pen)
        pygame.draw.line(s, frame, (0.2 * n, 0.62 * n), (0.2 * n, 0.78 * n), pen)
        pygame.draw.polygon(
            s, TABLE_EDGE, [(x * n, y * n) for x, y in ((0.0, 0.25), (0.92, 0.25), (0.78, 0.74), (0.2, 0.74))]
        )
        pygame.draw.polygon(
            s, body, [(x * n, y * n) for x, y in ((0.045, 0.285), (0.87, 0.285), (0.755, 0.7), (0.225, 0.7))]
        )
        pygame.draw.circle(s, _BLACK, (0.2 * n, 0.8 * n), 0.19 * n)
        pygame.draw.circle(s, frame, (0.2 * n, 0.8 * n), 0.09 * n)

    picture = art.crisp((side, side), draw)
    mark = _stencil(colour, max(4, round(side * 0.36)))
    picture.blit(mark, mark.get_rect(center=(round(side * 0.48), round(side * 0.49))))
    return picture


def _heap(s: Surface, x: float, y: float, side: float, turn: int) -> None:
    """A covered tile that sticks out of a barrow."""
    plate = Surface((round(side), round(side)), pygame.SRCALPHA)
    pygame.draw.rect(plate, TABLE_EDGE, plate.get_rect(), border_radius=round(side * 0.2))
    pygame.draw.rect(
        plate, BACK, plate.get_rect().inflate(-side // 6, -side // 6), border_radius=round(side * 0.2)
    )
    s.blit(pygame.transform.rotate(plate, turn), (x, y))


def _stencil(colour: PlayerColour, side: int) -> Surface:
    """The sign of a player in black."""
    return art.inked(pygame.surfarray.array_alpha(art.player(colour, side)), TABLE_EDGE)


@lru_cache(maxsize=16)
def container(width: int, height: int) -> Surface:
    """The container, a steel box with a lid ajar."""

    def draw(s: Surface) -> None:
        w, h = s.get_size()
        rim = round(min(h * 0.13, w * 0.1))
        pygame.draw.rect(s, mixed(_CRATE, (0, 0, 0), 0.55), (0, rim, w, h - rim), border_radius=rim)
        pygame.draw.rect(
            s,
            mixed(_CRATE, (0, 0, 0), 0.35),
            (rim // 3, rim, w - 2 * (rim // 3), h - rim - rim // 3),
            border_radius=rim,
        )
        for i in range(1, 6):
            x = w * i // 6
            pygame.draw.line(s, mixed(_CRATE, (0, 0, 0), 0.46), (x, 2 * rim), (x, h - rim), max(2, w // 60))
        pygame.draw.rect(s, _CRATE, (0, 0, w, round(rim * 1.3)), border_radius=rim // 2)

    return art.crisp((max(8, width), max(8, height)), draw)
