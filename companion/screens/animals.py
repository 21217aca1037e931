"""The five animals that say how strong the computer plays: heads in one colour, like the other signs."""

import math

from pygame import Surface

from companion.screens.icons import OFF, Pen, Point, disc, line, shape


def _oval(cx: float, cy: float, rx: float, ry: float, turn: float = 0.0) -> list[Point]:
    """The outline of an ellipse; `turn` in degrees, clockwise."""
    a = math.radians(turn)
    points = []
    for i in range(40):
        x, y = rx * math.cos(i * math.pi / 20), ry * math.sin(i * math.pi / 20)
        points.append((cx + x * math.cos(a) - y * math.sin(a), cy + x * math.sin(a) + y * math.cos(a)))
    return points


def _mirrored(points: list[Point]) -> list[Point]:
    return [(1 - x, y) for x, y in points]


def _twice(s: Surface, n: float, points: list[Point], ink: tuple[int, int, int] = (255, 255, 255)) -> None:
    """A shape and its mirror image."""
    shape(s, n, points, ink)
    shape(s, n, _mirrored(points), ink)


def _mouse(s: Surface, n: float) -> None:
    """Huge round ears, a pointed face, whiskers."""
    for x in (0.23, 0.77):
        disc(s, n, x, 0.29, 0.235)
        disc(s, n, x, 0.29, 0.13, OFF)
    shape(s, n, [(0.2, 0.46), (0.3, 0.3), (0.5, 0.24), (0.7, 0.3), (0.8, 0.46), (0.72, 0.66), (0.5, 0.94),
                 (0.28, 0.66)])  # fmt: skip
    for x in (0.36, 0.64):
        disc(s, n, x, 0.52, 0.06, OFF)
    disc(s, n, 0.5, 0.88, 0.075)
    disc(s, n, 0.5, 0.84, 0.05, OFF)
    for side in (-1, 1):
        for end in (0.66, 0.8):
            line(s, n, [(0.5 + side * 0.2, 0.73), (0.5 + side * 0.42, end)], 0.035)


def _hare(s: Surface, n: float) -> None:
    """Long ears, front teeth."""
    for side, turn in ((-1, -10), (1, 12)):
        shape(s, n, _oval(0.5 + side * 0.17, 0.27, 0.11, 0.27, turn))
        shape(s, n, _oval(0.5 + side * 0.17, 0.28, 0.045, 0.19, turn), OFF)
    shape(s, n, _oval(0.5, 0.68, 0.29, 0.25))
    shape(s, n, _oval(0.36, 0.77, 0.17, 0.14))
    shape(s, n, _oval(0.64, 0.77, 0.17, 0.14))
    for x in (0.37, 0.63):
        shape(s, n, _oval(x, 0.61, 0.05, 0.07), OFF)
    shape(s, n, [(0.43, 0.71), (0.57, 0.71), (0.5, 0.78)], OFF)
    line(s, n, [(0.5, 0.76), (0.5, 0.82)], 0.03, OFF)
    shape(s, n, [(0.43, 0.86), (0.57, 0.86), (0.56, 0.98), (0.44, 0.98)], OFF)
    shape(s, n, [(0.45, 0.85), (0.49, 0.85), (0.49, 0.96), (0.45, 0.96)])
    shape(s, n, [(0.51, 0.85), (0.55, 0.85), (0.55, 0.96), (0.51, 0.96)])


def _fox(s: Surface, n: float) -> None:
    """Large pointed ears, wide cheeks that are lighter, a narrow nose."""
    _twice(s, n, [(0.06, 0.02), (0.46, 0.34), (0.1, 0.56)])
    shape(s, n, [(0.1, 0.36), (0.3, 0.28), (0.7, 0.28), (0.9, 0.36), (0.98, 0.6), (0.5, 0.97), (0.02, 0.6)])
    _twice(s, n, [(0.13, 0.14), (0.29, 0.27), (0.16, 0.34)], OFF)
    _twice(s, n, [(0.07, 0.61), (0.36, 0.6), (0.46, 0.86)], OFF)
    _twice(s, n, [(0.16, 0.63), (0.335, 0.635), (0.4, 0.77)])
    _twice(s, n, [(0.23, 0.44), (0.4, 0.53), (0.3, 0.54)], OFF)
    disc(s, n, 0.5, 0.9, 0.075)
    disc(s, n, 0.5, 0.86, 0.055, OFF)


def _wolf(s: Surface, n: float) -> None:
    """It howls at the moon: the head thrown back, the ears laid down, a shaggy neck."""
    disc(s, n, 0.5, 0.5, 0.48)
    head = [
        (0.716, 0.222), (0.766, 0.247), (0.766, 0.298), (0.657, 0.424), (0.64, 0.466), (0.741, 0.415),
        (0.774, 0.432), (0.766, 0.474), (0.632, 0.6), (0.59, 0.676), (0.64, 0.743), (0.59, 0.768),
        (0.648, 0.86), (0.623, 1.02), (0.111, 1.02), (0.237, 0.86), (0.186, 0.844), (0.27, 0.743),
        (0.212, 0.718), (0.296, 0.617), (0.245, 0.583), (0.346, 0.508), (0.186, 0.466), (0.178, 0.432),
        (0.371, 0.39), (0.455, 0.39), (0.539, 0.356),
    ]  # fmt: skip
    shape(s, n, head, OFF)
    shape(s, n, [(0.464, 0.482), (0.548, 0.432), (0.531, 0.491)])


def _dragon(s: Surface, n: float) -> None:
    """Horns, a comb, a long jaw, and fire."""
    head = [
        (0.04, 0.06), (0.3, 0.14), (0.4, 0.2), (0.36, 0.02), (0.56, 0.2), (0.68, 0.28), (0.86, 0.3),
        (0.9, 0.36), (0.88, 0.46), (0.7, 0.48), (0.58, 0.5), (0.66, 0.56), (0.76, 0.57), (0.7, 0.66),
        (0.54, 0.66), (0.48, 0.76), (0.54, 0.98), (0.14, 0.98), (0.16, 0.88), (0.02, 0.84), (0.15, 0.74),
        (0.02, 0.66), (0.17, 0.58), (0.04, 0.48), (0.2, 0.42), (0.08, 0.32), (0.24, 0.28), (0.24, 0.22),
    ]  # fmt: skip
    shape(s, n, head)
    shape(s, n, [(0.42, 0.36), (0.58, 0.3), (0.54, 0.4)], OFF)
    disc(s, n, 0.82, 0.36, 0.03, OFF)
    for x, y in ((0.3, 0.56), (0.3, 0.7), (0.34, 0.84)):
        line(s, n, [(x, y), (x + 0.1, y + 0.03)], 0.04, OFF)
    flame = [(0.76, 0.62), (0.86, 0.66), (0.99, 0.56), (0.95, 0.7), (1.0, 0.8), (0.9, 0.78), (0.86, 0.9),
             (0.8, 0.76), (0.68, 0.78), (0.74, 0.7)]  # fmt: skip
    shape(s, n, flame)


ANIMAL_SIGNS: dict[str, Pen] = {
    "mouse": _mouse,
    "hare": _hare,
    "fox": _fox,
    "wolf": _wolf,
    "dragon": _dragon,
}
