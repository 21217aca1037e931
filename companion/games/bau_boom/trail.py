"""The ants' trail on the screen: a closed path round the table, with its spaces and what lies on them."""

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache

import pygame
from pygame import Rect, Surface

from companion.games.bau_boom.art import SAND, space
from companion.games.bau_boom.position import Kind
from companion.screens import art
from companion.screens.theme import mixed

Spot = tuple[int, int]
_STEP = 4  # pixels between two points of the path, about
_WAVE = 0.09  # how far the path winds to either side, in parts of its width


@lru_cache(maxsize=16)
def spots(width: int, height: int, count: int, wide: int) -> tuple[Spot, ...]:
    """The middles of the spaces of a trail that is `wide` pixels wide, the start at the bottom left first."""
    path = _path(width, height, wide)
    lengths = [0.0]
    for one, other in itertools.pairwise(path):
        lengths.append(lengths[-1] + math.dist(one, other))
    found, at = [], 0
    for number in range(count):
        while lengths[at + 1] < lengths[-1] * number / count:
            at += 1
        found.append((round(path[at][0]), round(path[at][1])))
    return tuple(found)


def width_of(width: int, height: int, count: int) -> int:
    """How wide a trail of so many spaces is, in pixels, where it goes round a box of that size."""
    wide = min(width, height) / 6.2
    for _ in range(8):  # the wider the trail, the shorter it is
        wide = min(wide, (2 * (width + height - 2 * wide) - 2.4 * wide) / count * 1.04)
    return round(wide)


@lru_cache(maxsize=16)
def _path(width: int, height: int, wide: int) -> list[tuple[float, float]]:
    """Points close to each other round a box, clockwise from the bottom left, which wind a little."""
    margin = wide * (0.5 + _WAVE)
    box = (margin, margin, width - margin, height - margin)
    radius = wide * 1.4
    plain = _rounded(box, radius)
    length = len(plain)
    waves = max(6, round(length * _STEP / (wide * 3.6)))
    found = []
    for i, (x, y) in enumerate(plain):
        (a, b), (c, d) = plain[i - 1], plain[(i + 1) % length]
        along = math.hypot(c - a, d - b) or 1.0
        out = wide * _WAVE * math.sin(2 * math.pi * waves * i / length)
        found.append((x + out * (d - b) / along, y - out * (c - a) / along))
    return [*found, found[0]]


def _rounded(box: tuple[float, float, float, float], radius: float) -> list[tuple[float, float]]:
    """A box with round corners as points, clockwise from the middle of its bottom left corner."""
    left, top, right, bottom = box
    corners = [
        (left + radius, bottom - radius, 225, 270),
        (left + radius, top + radius, 270, 360),
        (right - radius, top + radius, 0, 90),
        (right - radius, bottom - radius, 90, 180),
        (left + radius, bottom - radius, 180, 225),
    ]
    found: list[tuple[float, float]] = []
    for x, y, begin, end in corners:
        steps = max(2, round(radius * math.radians(end - begin) / _STEP))
        for i in range(steps + 1):
            a = math.radians(begin + (end - begin) * i / steps)
            point = (x + radius * math.sin(a), y - radius * math.cos(a))
            found += _between(found[-1], point) if found else []
            found.append(point)
    return found[:-1]


def _between(one: tuple[float, float], other: tuple[float, float]) -> list[tuple[float, float]]:
    parts = round(math.dist(one, other) / _STEP)
    return [
        (one[0] + (other[0] - one[0]) * i / parts, one[1] + (other[1] - one[1]) * i / parts)
        for i in range(1, parts)
    ]


@lru_cache(maxsize=4)
def ground(width: int, height: int, kinds: Sequence[Kind]) -> Surface:
    """The path with its empty spaces, on nothing."""
    wide = width_of(width, height, len(kinds))

    def draw(s: Surface) -> None:
        points = [(x * art.OVER, y * art.OVER) for x, y in _path(width, height, wide)[::2]]
        for colour, share in ((mixed(SAND, (0, 0, 0), 0.45), 1.0), (SAND, 0.92)):
            for point in points:
                pygame.draw.circle(s, colour, point, wide * art.OVER * share / 2)

    picture = art.crisp((width, height), draw)
    for kind, spot in zip(kinds, spots(width, height, len(kinds), wide), strict=True):
        disc = space(kind, round(wide * (0.98 if kind == "start" else 0.84)))
        picture.blit(disc, disc.get_rect(center=spot))
    return picture


class Trail:
    """Where everything on the trail lies in a box of the screen."""

    def __init__(self, box: Rect, kinds: tuple[Kind, ...]) -> None:
        self.box, self.kinds = box, kinds
        self.wide = width_of(box.width, box.height, len(kinds))
        self._spots = spots(box.width, box.height, len(kinds), self.wide)

    @property
    def inner(self) -> Rect:
        """The room within the trail."""
        return self.box.inflate(-2.36 * self.wide, -2.36 * self.wide)

    def spot(self, number: int) -> Spot:
        """The middle of a space."""
        x, y = self._spots[number]
        return self.box.x + x, self.box.y + y

    def square(self, number: int, part: float) -> Rect:
        """A square about the middle of a space, as a part of the trail's width."""
        side = round(self.wide * part)
        x, y = self.spot(number)
        return Rect(x - side // 2, y - side // 2, side, side)
