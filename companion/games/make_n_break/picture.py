"""A task as a picture: stacked dice and cuboids, seen from the front and a little from above right."""

from collections.abc import Sequence
from functools import lru_cache

import pygame
from pygame import Rect, Surface

from companion.games.make_n_break.tasks import Piece, Task
from companion.language import Texts
from companion.screens import art
from companion.screens.canvas import Canvas
from companion.screens.theme import DICE_COLOURS, Rgb, font

DEPTH = (0.34, 0.3)  # how far a piece reaches back, to the right and upwards, in widths of a die
SIDES: dict[str, Rgb] = {"y": (250, 208, 70), "b": (92, 140, 226)}  # the two sides of a card
PAPER: Rgb = (236, 232, 220)
NEUTRAL_PIECE: Rgb = (168, 174, 182)
DARK: Rgb = (36, 40, 46)
RED: Rgb = (208, 52, 48)


def letters(t: Texts) -> dict[str, str]:
    """The letters of the colours, for whoever cannot tell them apart."""
    return {
        "white": t("W"),
        "yellow": t("Y"),
        "blue": t("Bu"),
        "black": t("Bk"),
        "red": t("R"),
        "green": t("G"),
        "orange": t("O"),
    }


def _shade(colour: Rgb, factor: float) -> Rgb:
    r, g, b = (min(255, round(part * factor)) for part in colour)
    return r, g, b


def _colours(piece: Piece) -> tuple[Rgb, Rgb]:
    """Body and ink."""
    if piece.colour is None:
        return NEUTRAL_PIECE, DARK
    return next(pair for name, pair in DICE_COLOURS.items() if name == piece.colour)


def _ordered(pieces: Sequence[Piece]) -> list[Piece]:
    """What covers others comes last: the higher ones, and what stands to the right."""
    return sorted(pieces, key=lambda piece: (piece.level, piece.x))


@lru_cache(maxsize=8)
def construction(
    pieces: tuple[Piece, ...], size: tuple[int, int], signs: tuple[tuple[str, str], ...]
) -> Surface:
    """The construction as large as it fits into `size` (width, height) pixels, standing on its lower edge.

    `signs` are the letters of the colours.
    """
    left, right = min(p.x for p in pieces), max(p.right for p in pieces)
    top = max(p.top for p in pieces)
    unit = min(size[0] / (right - left + DEPTH[0]), size[1] / (top + DEPTH[1]))
    margin = (size[0] - unit * (right - left + DEPTH[0])) / 2
    names = dict(signs)

    def draw(s: Surface) -> None:
        n = unit * art.OVER
        for piece in _ordered(pieces):
            x = margin * art.OVER + (piece.x - left) * n
            y = s.get_height() - piece.top * n
            _piece(s, piece, x, y, n, names.get(piece.colour or "", "?"))

    return art.crisp(size, draw)


def _piece(s: Surface, piece: Piece, x: float, y: float, n: float, sign: str) -> None:
    body, ink = _colours(piece)
    wide, high = (piece.right - piece.x) * n, (piece.top - piece.level) * n
    dx, dy, line = DEPTH[0] * n, DEPTH[1] * n, max(2, round(n * 0.035))
    roof = [(x, y), (x + dx, y - dy), (x + wide + dx, y - dy), (x + wide, y)]
    side = [(x + wide, y), (x + wide + dx, y - dy), (x + wide + dx, y + high - dy), (x + wide, y + high)]
    front = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]
    for shape, factor in ((roof, 1.18), (side, 0.68), (front, 1.0)):
        pygame.draw.polygon(s, _shade(body, factor), shape)
    for shape in (roof, side, front):
        pygame.draw.polygon(s, DARK, shape, line)
    written = font("title", round(n * 0.62)).render(sign, True, ink)
    s.blit(written, written.get_rect(center=(x + wide / 2, y + high / 2)))


def card(canvas: Canvas, box: Rect, task: Task, t: Texts) -> None:
    """The side of a card: its colour, its points in both upper corners, and the construction."""
    c, side = canvas, SIDES[task.name[0]]
    c.card(box, side, radius=20)
    inner = box.inflate(-c.px(14), -c.px(14))
    c.card(inner, PAPER, radius=14, shade=False)
    corner = c.px(64)
    for x in (inner.x + c.px(6), inner.right - corner - c.px(6)):
        spot = Rect(x, inner.y + c.px(6), corner, corner)
        c.card(spot, side, radius=32, shade=False)
        c.text(str(task.points), spot, 46, face="title", colour=DARK)
    room = Rect(inner.x + c.px(20), inner.y + c.px(24), inner.width - c.px(40), inner.height - c.px(48))
    if task.free:
        _free(c, room, task, t)
        return
    room = Rect(room.x, room.y + c.px(44), room.width, room.height - c.px(44))
    wide = max(p.right for p in task.pieces) - min(p.x for p in task.pieces) + DEPTH[0]
    size = min(room.width, round(c.px(118) * wide)), room.height
    picture = construction(task.pieces, size, tuple(letters(t).items()))
    c.surface.blit(picture, (room.centerx - size[0] // 2, room.bottom - size[1]))
    ground = Rect(room.x, room.bottom, room.width, max(2, c.px(3)))
    pygame.draw.rect(c.surface, (150, 140, 120), ground, border_radius=2)


def _free(c: Canvas, room: Rect, task: Task, t: Texts) -> None:
    """A red number: build with so many pieces, only one of which touches the table (MNB-R26)."""
    upper = Rect(room.x, room.y, room.width, room.height * 56 // 100)
    c.text(str(task.free), upper, 190, face="title", colour=RED)
    side = min(c.px(30), room.height // (task.free + 8))
    stack = Rect(room.centerx - side // 2, upper.bottom + c.px(4), side, side)
    for level in range(task.free):
        pygame.draw.rect(c.surface, NEUTRAL_PIECE, stack.move(0, level * side), border_radius=side // 6)
        pygame.draw.rect(
            c.surface, DARK, stack.move(0, level * side), max(1, side // 14), border_radius=side // 6
        )
    ground = Rect(room.x + room.width // 4, stack.y + task.free * side, room.width // 2, max(2, c.px(3)))
    pygame.draw.rect(c.surface, (150, 140, 120), ground, border_radius=2)
    words = t("{count} pieces, only one on the table", count=task.free)
    c.text(
        words,
        Rect(room.x, ground.bottom, room.width, room.bottom - ground.bottom),
        24,
        face="bold",
        colour=DARK,
    )
