"""Pictures of Bau Boom tiles as cameras take them, drawn by chance: what is in them is known exactly.

`python -m tests.eye.tile_pictures FOLDER` writes some of them, to be looked at.
"""

import math
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
SIDE = 56  # pixels of a tile on the drawn table
TABLE = (1500, 1100)
# Families of colours that a print may have (BGR); each picture varies them.
COLOURS = {
    "red": [(45, 40, 200), (58, 66, 224), (40, 30, 165), (50, 70, 215)],
    "yellow": [(40, 205, 240), (62, 206, 250), (30, 185, 245), (70, 215, 235)],
    "green": [(84, 158, 70), (60, 140, 40), (60, 175, 110), (70, 120, 30)],
    "blue": [(224, 122, 56), (165, 80, 30), (200, 110, 20), (190, 90, 60)],
}


@dataclass(frozen=True)
class Drawn:
    """A picture, and its tiles in the order in which they lie: colour and middle."""

    image: Image
    colours: tuple[str, ...]
    middles: Floats
    sides: Floats
    kind: str  # "rows", "ring"


def clouds(chance: np.random.Generator, size: tuple[int, int], cell: float) -> NDArray[np.float32]:
    """Soft noise about 0 with deviation 1 (height x width)."""
    wide, high = size
    small = chance.normal(size=(max(2, round(high / cell)), max(2, round(wide / cell))))
    soft = cv2.resize(small.astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    soft -= soft.mean()
    return np.asarray(soft / (soft.std() + 1e-6), np.float32)


def table(chance: np.random.Generator) -> Image:
    """Wood, cloth, or one colour."""
    base = np.array(
        [(70, 110, 160), (60, 90, 120), (150, 180, 205), (60, 62, 66), (225, 228, 230), (70, 95, 40),
         (110, 60, 30), (40, 45, 130), (120, 120, 125), (35, 60, 95)][chance.integers(10)], float
    )  # fmt: skip
    picture = np.full((TABLE[1], TABLE[0], 3), base, np.float32)
    kind = chance.integers(4)
    if kind == 0:  # grain along one direction
        grain = cv2.resize(
            chance.normal(size=(TABLE[1] // 3, 12)).astype(np.float32), TABLE, interpolation=cv2.INTER_CUBIC
        ) + 0.7 * clouds(chance, TABLE, 40)
        picture *= 1 + 0.07 * grain[..., None]
    elif kind == 1:  # cloth
        picture *= (1 + 0.06 * chance.normal(size=(TABLE[1], TABLE[0], 1))).astype(np.float32)
    elif kind == 2:  # checks
        step = int(chance.integers(60, 200))
        check = (np.arange(TABLE[1])[:, None] // step + np.arange(TABLE[0]) // step) % 2
        picture *= (1 - 0.15 * check[..., None]).astype(np.float32)
    picture *= 1 + 0.04 * clouds(chance, TABLE, 200)[..., None]
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def board(chance: np.random.Generator, picture: Image, spots: Floats, specials: list[int]) -> None:
    """A printed board: grass, a winding path, spaces, and much that is colourful."""
    low, high = spots.min(axis=0) - 1.3 * SIDE, spots.max(axis=0) + 1.3 * SIDE
    ground = [(70, 150, 95), (60, 130, 130), (110, 170, 200), (90, 160, 160), (160, 150, 110)][
        chance.integers(5)
    ]
    x0, y0, x1, y1 = (round(v) for v in (*low, *high))
    cv2.rectangle(picture, (x0 + 6, y0 + 8), (x1 + 6, y1 + 8), (20, 20, 22), -1)
    cv2.rectangle(picture, (x0, y0), (x1, y1), ground, -1)
    for _ in range(int(chance.integers(20, 90))):  # leaves, flowers, stones
        at = chance.uniform(low, high)
        colour = [int(v) for v in chance.integers(20, 235, 3)]
        axes = [int(v) for v in chance.uniform(4, 34, 2)]
        cv2.ellipse(
            picture,
            [round(v) for v in at],
            axes,
            float(chance.uniform(0, 180)),
            0,
            360,
            colour,
            -1,
            cv2.LINE_AA,
        )
    path = [(120, 185, 215), (95, 140, 175), (150, 205, 225), (75, 105, 140)][chance.integers(4)]
    points = np.round(np.vstack([spots, spots[:1]])).astype(np.int32)
    cv2.polylines(picture, [points], True, path, round(1.7 * SIDE), cv2.LINE_AA)
    for number, (x, y) in enumerate(spots):
        shade = tuple(float(v * 0.82) for v in path)
        cv2.circle(picture, (round(x), round(y)), round(0.66 * SIDE), shade, -1, cv2.LINE_AA)
        if number in specials:
            ink = [(60, 60, 190), (90, 110, 140), (70, 120, 200)][specials.index(number) % 3]
            cv2.circle(picture, (round(x), round(y)), round(0.5 * SIDE), ink, -1, cv2.LINE_AA)
            cv2.ellipse(picture, (round(x), round(y)), (20, 9), 30, 0, 360, (30, 30, 30), -1, cv2.LINE_AA)
        elif chance.random() < 0.2:  # a ladybug looks out below the tile
            cv2.circle(picture, (round(x), round(y)), round(0.72 * SIDE), (40, 40, 200), -1, cv2.LINE_AA)


def _square(middle: Floats, angle: float, side: float) -> Floats:
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return np.asarray(middle + side / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ turn.T)


def _fill(picture: Image, points: Floats, colour: tuple[float, ...]) -> None:
    cv2.fillPoly(picture, [np.round(points * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def tile(
    chance: np.random.Generator,
    picture: Image,
    middle: Floats,
    angle: float,
    body: Floats,
    style: int,
    side: float,
    rim: float,
) -> None:
    """A thick plate with a shadow; plain, with a bright or dark sign, or with a rim."""
    drop = np.array([0.05, 0.07]) * side
    left, top = (max(0, int(v - side)) for v in middle)
    around = picture[top : top + round(2 * side), left : left + round(2 * side)]
    shadow = around.copy()
    _fill(shadow, _square(middle + drop * 1.3 - (left, top), angle, side * 1.02), (12, 12, 14))
    cv2.addWeighted(shadow, 0.45, around, 0.55, 0, around)
    _fill(picture, _square(middle + drop * 0.7, angle, side), tuple(body * 0.5))
    own = np.clip(body * chance.normal(1, 0.03) + chance.normal(0, 3, 3), 0, 255)
    _fill(picture, _square(middle, angle, side), tuple(own * rim))
    _fill(picture, _square(middle, angle, side * 0.94), tuple(own))
    if style in (1, 2):
        ink = tuple(own * 0.3 + 170) if style == 1 else tuple(own * 0.35)
        x, y = (round(v) for v in middle)
        if chance.random() < 0.5:
            cv2.circle(picture, (x, y), round(0.22 * side), ink, -1, cv2.LINE_AA)
        else:
            _fill(picture, _square(middle, angle + 0.8, side * 0.36), ink)
    elif style == 3:
        inner = tuple(np.clip(own * 1.15 + 12, 0, 255))
        _fill(picture, _square(middle, angle, side * 0.74), inner)


def clutter(chance: np.random.Generator, picture: Image, spots: Floats) -> None:
    """Dice, pawns, a hill with coloured places, pens: not where tiles lie."""

    def free(reach: float) -> Floats | None:
        for _ in range(20):
            at = chance.uniform((60, 60), (TABLE[0] - 60, TABLE[1] - 60))
            if np.min(np.linalg.norm(spots - at, axis=1)) > reach + 0.8 * SIDE:
                return np.asarray(at)
        return None

    for _ in range(int(chance.integers(0, 5))):
        at = free(40)
        if at is None:
            continue
        kind = chance.integers(4)
        colour = tuple(float(v) for v in chance.integers(30, 240, 3))
        if kind == 0:  # a die, smaller than a tile
            _fill(picture, _square(at, float(chance.uniform(0, 3)), 0.5 * SIDE), (225, 230, 232))
            cv2.circle(picture, [round(v) for v in at], 4, (25, 25, 25), -1, cv2.LINE_AA)
        elif kind == 1:
            cv2.circle(picture, [round(v) for v in at], int(chance.integers(15, 40)), colour, -1, cv2.LINE_AA)
        elif kind == 2:
            end = at + chance.normal(0, 150, 2)
            cv2.line(picture, [round(v) for v in at], [round(v) for v in end], colour, 14, cv2.LINE_AA)
        else:  # a hill: a brown plate with small coloured places
            _fill(picture, at + np.array([(-80, 70), (0, -90), (80, 70)]), (60, 90, 130))
            for x, y in ((-30, 50), (0, 50), (30, 50), (-15, 18), (15, 18), (0, -14)):
                body = tuple(float(v) for v in list(COLOURS.values())[chance.integers(4)][0])
                _fill(picture, _square(at + np.array((x, y)), 0.0, 24), body)
    if chance.random() < 0.35 and len(spots):  # a hand at the edge
        side = chance.integers(4)
        corner = [
            (0, TABLE[1] * 0.3),
            (TABLE[0], TABLE[1] * 0.6),
            (TABLE[0] * 0.4, TABLE[1]),
            (TABLE[0] * 0.6, 0),
        ][side]
        if np.min(np.linalg.norm(spots - corner, axis=1)) > 170:
            skin = [(140, 170, 225), (90, 125, 190), (50, 75, 120)][chance.integers(3)]
            cv2.ellipse(
                picture,
                [round(v) for v in corner],
                (120, 75),
                float(chance.uniform(0, 180)),
                0,
                360,
                skin,
                -1,
                cv2.LINE_AA,
            )


def ring(chance: np.random.Generator, spaces: int) -> Floats:
    """The middles of the spaces of a closed trail, clockwise, evenly spaced."""
    a = np.linspace(0, 2 * np.pi, 2000, endpoint=False)
    power = chance.uniform(0.45, 1.0)
    x = np.sign(np.cos(a)) * np.abs(np.cos(a)) ** power
    y = np.sign(np.sin(a)) * np.abs(np.sin(a)) ** power * chance.uniform(0.6, 0.95)
    wind = 1 + chance.uniform(0, 0.07) * np.sin(a * chance.integers(3, 8) + chance.uniform(0, 6))
    points = np.stack([x * wind, y * wind], axis=1)
    lengths = np.concatenate(
        [[0], np.cumsum(np.linalg.norm(np.diff(points, axis=0, append=points[:1]), axis=1))]
    )
    where = np.linspace(0, lengths[-1], spaces, endpoint=False) + chance.uniform(0, lengths[-1])
    found = points[np.searchsorted(lengths[1:], where % lengths[-1]) % len(points)]
    step = lengths[-1] / spaces
    scale = SIDE * chance.uniform(1.28, 1.6) / step
    return np.asarray(found * scale + np.array(TABLE) / 2)


def rows(chance: np.random.Generator, count: int) -> Floats:
    """The middles of tiles in rows, in reading order."""
    across = int(chance.integers(min(count, 5), min(count, 11) + 1))
    gap = SIDE * chance.choice([1.0, 1.02, 1.08, 1.2, 1.5])
    line = SIDE * chance.choice([1.03, 1.1, 1.3, 1.6])
    n = np.arange(count)
    found = np.stack([n % across * gap, n // across * line], axis=1)
    return np.asarray(found - found.mean(axis=0) + np.array(TABLE) / 2)


def camera(chance: np.random.Generator, size: tuple[int, int], spots: Floats) -> Floats:
    """A homography from the table into a picture in which all spots are seen."""
    tilt, turn = chance.uniform(0, 0.85), chance.normal(0, 0.1)
    about = np.array([[1, 0, -TABLE[0] / 2], [0, 1, -TABLE[1] / 2], [0, 0, 1]], float)
    spin = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]])
    away = 1.6 * TABLE[0]
    look = np.array([[1, 0, 0], [0, math.cos(tilt), 0], [0, -math.sin(tilt) / away, 1]])
    seen = look @ spin @ about
    corners = np.vstack([spots + d for d in SIDE * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])])
    flat = cv2.perspectiveTransform(corners[None], seen)[0]
    low, high = flat.min(axis=0), flat.max(axis=0)
    scale = float(min(np.array(size) / (high - low))) * chance.uniform(0.6, 1.0)
    scale = min(scale, 2.4)
    room = np.array(size) - (high - low) * scale
    shift = chance.uniform(0, 1, 2) * room - low * scale
    return np.asarray(np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]]) @ seen)


def photograph(chance: np.random.Generator, image: Image, middles: Floats) -> Image:
    """Lamplight, a wrong white balance, shadows, glare, blur, noise and JPEG."""
    high, wide = image.shape[:2]
    light = ((np.arange(256, dtype=np.float32) / 255) ** 2.2)[image]
    y, x = np.ogrid[0:high, 0:wide]
    lamp = chance.uniform((-0.2 * wide, -0.2 * high), (1.2 * wide, 1.2 * high))
    fall = 1 / (1 + ((x - lamp[0]) ** 2 + (y - lamp[1]) ** 2) / (chance.uniform(0.6, 2.5) * wide) ** 2)
    level = fall / fall.mean()
    if chance.random() < 0.5:  # somebody's shadow
        edge = (x * math.cos(a := chance.uniform(0, 6.3)) + y * math.sin(a)) - chance.uniform(
            -0.3, 0.9
        ) * wide
        level = level * (1 - chance.uniform(0.2, 0.5) / (1 + np.exp(-edge / chance.uniform(6, 60))))
    cast = np.exp(chance.normal(0, 0.14, 3))
    light *= level[..., None].astype(np.float32) * np.float32(cast * chance.uniform(0.55, 1.15))
    if chance.random() < 0.4:  # a lamp is mirrored
        at = chance.uniform((0, 0), (wide, high))
        spot = np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (chance.uniform(0.03, 0.12) * wide) ** 2)
        light += (chance.uniform(0.1, 0.6) * spot[..., None]).astype(np.float32)
    found = np.clip(light, 0, 1) ** (1 / 2.2) * 255
    blur = float(chance.uniform(0.4, 1.0) + 0.7 * (chance.random() < 0.15))
    found = np.asarray(cv2.GaussianBlur(found, (0, 0), blur))
    found += chance.normal(0, chance.uniform(1, 6), found.shape)
    _, code = cv2.imencode(
        ".jpg",
        np.clip(found, 0, 255).astype(np.uint8),
        [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(60, 96))],
    )
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)


@lru_cache(maxsize=4)  # screens show the same at four sizes
def draw(
    seed: int,
    kind: str | None = None,
    *,
    count: int = 30,
    spaces: int = 33,
    empty: tuple[int, ...] = (0, 8, 24),
) -> Drawn:
    """A picture of a ring (on a board or not) or of rows; the same for the same seed."""
    chance = np.random.default_rng(seed)
    kind = kind or str(chance.choice(["ring", "rows"]))
    size = [(1280, 720), (1280, 720), (640, 480), (1920, 1080)][chance.integers(4)]
    picture = table(chance)
    if kind == "ring":
        every = ring(chance, spaces)
        if chance.random() < 0.7:
            board(chance, picture, every, list(empty))
        spots = np.array([spot for number, spot in enumerate(every) if number not in empty])
        jitter, turn = 0.1, chance.choice([0.1, 0.5, 3.0])
    else:
        spots = rows(chance, count)
        every, jitter, turn = spots, 0.02, 0.04
    spots = spots + chance.uniform(-jitter, jitter, spots.shape) * SIDE
    clutter(chance, picture, every)
    bodies = {name: np.array(some[chance.integers(len(some))], float) for name, some in COLOURS.items()}
    colours = tuple(chance.permutation([*COLOURS] * 18)[: len(spots)].tolist())
    style, rim = (
        int(chance.integers(4)),
        float(chance.choice([1.0, 0.8, 0.65, 0.5])),
    )  # its edge is rounded: darker
    for spot, colour in zip(spots, colours, strict=True):
        tile(
            chance,
            picture,
            spot,
            float(chance.uniform(-turn, turn)),
            bodies[colour],
            style,
            SIDE * chance.normal(1, 0.01),
            rim,
        )
    view = camera(chance, size, every)
    taken = cv2.warpPerspective(
        picture,
        view,
        size,
        flags=cv2.INTER_AREA,
        borderValue=tuple(int(v) for v in chance.integers(20, 160, 3)),
    )
    middles = cv2.perspectiveTransform(spots[None], view)[0]
    squares = [cv2.perspectiveTransform(_square(s, 0.0, SIDE)[None], view)[0] for s in spots]
    sides = np.sqrt([abs(cv2.contourArea(square.astype(np.float32))) for square in squares])
    image = photograph(chance, np.asarray(taken, np.uint8), middles)
    image.flags.writeable = False
    return Drawn(image, colours, middles, sides, kind)


if __name__ == "__main__":
    for number in range(24):
        cv2.imwrite(str(Path(sys.argv[1]) / f"{number}.jpg"), draw(number).image)
