"""What is printed on dice: six faces in one atlas, for the renderer.

An atlas is a float32 RGBA array of 2 x 3 faces. Its colours are sRGB, 0..1; alpha is 1 where a pip,
a digit or a symbol is and 0 on the body, so that the renderer can keep it opaque. `relief` says how deep it
is engraved.
"""

import colorsys
import math
from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.eye.dice import Colour

SYMBOLS = 9  # kinds of symbols; no die has one of them twice
FACE = 160  # px: side of a face in the atlas
FIRST_OTHER = 200  # ids of things in a scene from here on are no dice
APART = 0.4  # so far (of 0..1 in red, green and blue) pips are at least that only their hue tells from a body
COCKED = 8.0  # degrees by which a face that lies flat may lean
OPPOSITE = ((1, 6), (2, 5), (3, 4))
# Which way the faces of an atlas look, in their order.
FACING = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))

Kind = Literal[
    "pips", "digits", "symbols", "plain", "cuboid"
]  # a cuboid has blank ends and 1 to 4 on its long sides
Picture = NDArray[np.floating[Any]]

ODD = 0.25  # of the sets drawn for their pips: these lie where others hardly do ...
NEARER = 0.7  # ... so many of them nearer to each other: such a two looks like a part of a larger face
# Where pips lie, in units of the spacing between them.
PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}

# Hue (0..1), saturation, value of what dice are sold in, and how often it is met.
BODIES: tuple[tuple[Colour, tuple[float, float, float], float], ...] = (
    ("white", (0.12, 0.04, 0.95), 22),
    ("white", (0.12, 0.16, 0.90), 6),
    ("white", (0.60, 0.04, 0.75), 4),
    ("black", (0.60, 0.10, 0.06), 13),
    ("black", (0.60, 0.15, 0.16), 6),
    ("red", (0.99, 0.90, 0.70), 10),
    ("red", (0.98, 0.85, 0.40), 3),
    ("orange", (0.06, 0.90, 0.92), 6),
    ("yellow", (0.145, 0.85, 0.93), 7),
    ("green", (0.38, 0.80, 0.50), 8),
    ("green", (0.27, 0.70, 0.75), 4),
    ("blue", (0.61, 0.85, 0.60), 9),
    ("blue", (0.54, 0.60, 0.85), 4),
    ("blue", (0.64, 0.80, 0.25), 3),
    ("purple", (0.77, 0.65, 0.55), 6),
    ("purple", (0.92, 0.55, 0.85), 3),
)

# What their bodies are like, and how often.
PATTERNS = {"plain": 0.46, "halves": 0.1, "flowing": 0.06, "marbled": 0.18, "glitter": 0.12, "wood": 0.08}
CLEAR = 0.22  # part of the dice that let light through ...
DEEP = 0.6  # ... of these so many so well that the pips of other sides are seen among the upper ones


@dataclass(frozen=True, slots=True)
class Style:
    """How one die looks: what a set of dice has in common."""

    kind: Kind
    colour: Colour
    atlas: Picture
    relief: Picture  # of the size of the atlas, 0 (the body's surface) to 1 (the bottom of a pip)
    values: tuple[int, ...]  # of the faces +x -x +y -y +z -z; 0 where no pips are counted
    engraved: float  # height of the relief; 0 is painted, more than 0 sunk, less raised
    rounding: float  # radius of the edges, in halves of a side
    ball: float  # radius of the sphere that cuts the corners, in halves of a side; 2 cuts nothing
    roughness: float
    transmission: float
    metallic: float
    coat: float


def rgb(hue: float, saturation: float, value: float) -> tuple[float, float, float]:
    """A colour as red, green, blue, each 0..1."""
    return colorsys.hsv_to_rgb(hue % 1.0, min(max(saturation, 0), 1), min(max(value, 0), 1))


def square(place: int) -> tuple[slice, slice]:
    """Where one of the six faces lies in an atlas."""
    row, column = divmod(place, 3)
    return np.s_[row * FACE : (row + 1) * FACE, column * FACE : (column + 1) * FACE]


def draw_style(random: Generator, kind: Kind = "pips") -> Style:
    """A kind of die that a shop may have."""
    weights = np.array([often for _, _, often in BODIES])
    name, (hue, saturation, value), _ = BODIES[random.choice(len(BODIES), p=weights / weights.sum())]
    body = rgb(
        hue + random.normal(0, 0.012),
        saturation * random.uniform(0.75, 1.15),
        value * random.uniform(0.8, 1.08),
    )
    ink = draw_ink(random, body)
    values = _values(random, kind)
    ground = _ground(random, body, ink)
    atlas = np.zeros((2 * FACE, 3 * FACE, 4), np.float32)
    marks = _marks(random, kind)
    red = marks.red if marks.red and math.dist(marks.red, body) > APART else ink
    for place, shown in enumerate(values):
        mask = marks.signs[place] if marks.signs else pips(shown, marks)
        ones = np.asarray(red if shown in marks.reds else ink, np.float32)
        planes = zip(cv2.split(ground[square(place)]), ones, strict=True)
        atlas[square(place)] = cv2.merge([*(plane * (1 - mask) + one * mask for plane, one in planes), mask])
    clear = random.random() < CLEAR and name != "black"
    deep = clear and random.random() < DEEP
    if deep:
        _see_through(random, atlas, ink)
    return Style(
        kind=kind,
        colour=name,
        atlas=atlas,
        relief=sunk(atlas[..., 3], float(random.choice([1.0, random.uniform(0.1, 0.6)]))),
        values=values,
        engraved=float(random.choice([0.0, 1.0, -0.3], p=[0.3, 0.65, 0.05]) * random.uniform(0.3, 1.0)),
        rounding=float(random.choice([random.uniform(0.02, 0.08), random.uniform(0.08, 0.5)], p=[0.3, 0.7])),
        ball=2.0 if kind == "cuboid" or random.random() < 0.55 else float(random.uniform(1.28, 1.55)),
        roughness=float(random.choice([random.uniform(0.03, 0.2), random.uniform(0.2, 0.65)])),
        transmission=float(random.uniform(0, 0.4) if deep else random.uniform(0.5, 0.95)) if clear else 0.0,
        metallic=float(random.random() < 0.05) * 0.9,
        coat=float(random.random() < 0.25),
    )


def _see_through(random: Generator, atlas: Picture, ink: tuple[float, float, float]) -> None:
    """Let through the faces of an atlas be seen what is on the others: that of the opposite one smaller,
    those of its neighbours along the edges, all fainter than its own. A renderer's few rays hardly show it.
    """
    masks = [atlas[square(place)][..., 3].copy() for place in range(6)]
    small, deep = random.uniform(0.5, 0.85), round(FACE * random.uniform(0.08, 0.25))
    faint, soft = random.uniform(0.25, 0.7), random.uniform(0.5, 4)
    for place in range(6):
        tile = atlas[square(place)]
        to_x, to_y = (1 - small) * FACE / 2 + random.uniform(-0.12, 0.12, 2) * FACE
        seen = cv2.warpAffine(
            cv2.flip(masks[place ^ 1], 1), np.array([[small, 0, to_x], [0, small, to_y]]), (FACE, FACE)
        )
        for turn, beside in enumerate(other for other in range(6) if other // 2 != place // 2):
            edge = np.zeros_like(masks[place])
            edge[:deep] = cv2.resize(masks[beside], (FACE, deep), interpolation=cv2.INTER_AREA)
            seen = np.maximum(seen, np.rot90(edge, turn))
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), soft), np.float32) * faint
        bare = 1 - tile[..., 3:]
        glow = 1 + random.uniform(0, 0.8) * (clouds(random, (FACE, FACE), 2)[..., None] - 0.4)
        body = np.clip(tile[..., :3] * glow, 0, 1)
        body += (np.asarray(ink, np.float32) - body) * seen[..., None]
        tile[..., :3] += (body - tile[..., :3]) * bare


def draw_set(random: Generator, kind: Kind, hard: float, among: int = 3) -> Style:
    """A kind of die, `hard` of those with pips the one `among` so many whose pips are hardest to see, and ODD
    the one whose pips lie nearest to each other, or farthest apart.

    What stands out, and lies where it mostly does, is soon learned; in a shop there is little else.
    """
    drawn = random.random()
    if kind != "pips" or drawn >= hard + ODD:
        return draw_style(random, kind)
    some = [draw_style(random) for _ in range(among)]
    if drawn < hard:
        return min(some, key=contrast)
    return (min if random.random() < NEARER else max)(some, key=spread)


def draw_kind(random: Generator) -> Kind:
    """What upper faces show from which the third network learns: nearly always pips."""
    kinds: tuple[Kind, ...] = ("pips", "digits", "symbols", "plain")
    return kinds[int(random.choice(len(kinds), p=[0.91, 0.03, 0.03, 0.03]))]


def contrast(style: Style) -> float:
    """How far the colour of pips is from that of the body, in how far that one differs from itself."""
    marked = style.atlas[..., 3] > 0.5
    pips, body = style.atlas[marked][:, :3], style.atlas[~marked][:, :3]
    return float(
        np.linalg.norm(pips.mean(axis=0) - body.mean(axis=0)) / (np.linalg.norm(body.std(axis=0)) + 0.05)
    )


def spread(style: Style) -> float:
    """How far from the middle the pips of two and three lie, in pixels of an atlas."""
    faces = [style.atlas[square(style.values.index(value))][..., 3] for value in (2, 3)]
    return float(
        np.mean([np.linalg.norm(np.argwhere(face > 0.5) - FACE / 2, axis=1).mean() for face in faces])
    )


def sunk(marks: Picture, slope: float) -> Picture:
    """How deep what is marked is drilled: as by a ball, or flat but for a `slope` (0..1 of its reach)."""
    away = cv2.distanceTransform((marks > 0.5).astype(np.uint8), cv2.DIST_L2, 5)
    down = np.clip(away / max(float(away.max()) * slope, 1e-3), 0, 1)
    return np.asarray(np.sqrt(1 - (1 - down) ** 2), np.float32)


def lit(face: Picture, relief: Picture, engraved: float, angle: float) -> Picture:
    """A face (H x W x 3) whose marks are sunk, or raised (`engraved` as in Style), in light from an angle."""
    down, across = np.gradient(cv2.GaussianBlur(relief, (0, 0), 1.5))
    slope = (across * np.cos(angle) + down * np.sin(angle)) * engraved
    return np.asarray(np.clip(face * (1 + np.clip(4 * slope, -0.6, 0.6))[..., None], 0, 1), np.float32)


def draw_plate(random: Generator) -> Picture:
    """What is no die: a plug, a key, a label, longer than wide (height x FACE x 3), with any marks."""
    row = random.random() < 0.3  # as the holes of a plug
    height = round(FACE * random.uniform(1.1 if row else 1.35, 2.6))
    ground, colour = (
        tuple(255 * part for part in rgb(random.random(), random.choice([0.1, random.random()]), value))
        for value in random.uniform(0.1, 1.0, 2).tolist()
    )
    face = np.empty((height, FACE, 3), np.uint8)
    face[:] = ground
    size, kind = random.uniform(0.06, 0.2) * FACE, random.choice(["disc", "square", "line", "print"])
    if row:
        steps = (np.arange(int(random.integers(2, 5))) + 0.5)[:, None]
        places = np.insert(steps / len(steps), 1, random.uniform(0.2, 0.8), axis=1)[
            :, :: random.choice([1, -1])
        ]
    else:
        places = random.uniform(0.12, 0.88, (int(random.integers(1, 9)), 2))
    for x, y in places * (FACE, height):
        at, thick = (round(x), round(y)), int(random.integers(2, 12))
        if kind == "disc":
            cv2.circle(face, at, round(size), colour, -1 if random.random() < 0.7 else thick, cv2.LINE_AA)
        elif kind == "square":
            end = (round(x + size), round(y + size * random.choice([1.0, 1.6])))
            cv2.rectangle(face, at, end, colour, -1)
        elif kind == "line":
            to = (random.uniform(0, 1, 2) * (FACE, height)).round().astype(int).tolist()
            cv2.line(face, at, to, colour, thick, cv2.LINE_AA)
        else:
            text = "".join(random.choice(list("ABCDEHKMNRSTW0123456789-./"), int(random.integers(2, 9))))
            at = (at[0] // 3, at[1])
            cv2.putText(face, text, at, cv2.FONT_HERSHEY_DUPLEX, size / 18, colour, thick // 3 + 1)
    return np.asarray(face, np.float32) / 255


def draw_plug(random: Generator) -> tuple[Picture, Picture]:
    """A plug or a memory stick (height x FACE x 3) and its mask: two square holes in a metal as large as a
    face, which sticks out of something. No die.
    """
    wide, high = round(FACE * random.uniform(0.6, 1.0)), round(FACE * random.uniform(0.6, 1.1))
    long = high + round(FACE * random.uniform(0.6, 2.5))
    face, mask = np.empty((long, FACE, 3), np.float32), np.ones((long, FACE), np.float32)
    face[:] = rgb(random.random(), random.choice([0.05, random.random()]), random.uniform(0.03, 0.95))
    left = (FACE - wide) // 2
    mask[:high, :left] = mask[:high, left + wide :] = 0
    colour = np.asarray(rgb(random.choice([0.1, 0.6]), random.uniform(0, 0.3), random.uniform(0.4, 0.95)))
    brushed = cv2.GaussianBlur(random.normal(0, 1, (high, FACE)).astype(np.float32), (0, 0), 1, sigmaY=9)
    left_end, right_end = random.uniform(-0.2, 0.2, 2).tolist()
    shade = 1 + random.uniform(0, 0.6) * brushed + np.linspace(left_end, right_end, FACE)
    metal = np.asarray(colour * shade[..., None], np.float32)
    side, apart = wide * random.uniform(0.11, 0.23), wide * random.uniform(0.16, 0.26)
    top, hole = high * random.uniform(0.15, 0.55), side * random.uniform(0.8, 1.5)
    light = random.uniform(0, 0.3) if random.random() < 0.75 else 0.95
    ink, contact = (rgb(random.random(), random.uniform(0, 0.5), value) for value in (light, random.random()))
    inside = random.choice([0.0, random.uniform(0, 0.8)])  # so much of a hole shows the contacts
    rows = (top, high - hole / 2) if random.random() < 0.4 else (top,)  # the springs may be seen, too
    for x in (FACE / 2 - apart, FACE / 2 + apart):
        for y in rows:
            start, end = ((round(x + i * side / 2), round(y + (1 + i) * hole / 2)) for i in (-1, 1))
            cv2.rectangle(metal, start, end, ink, -1)
            cv2.rectangle(metal, start, (end[0], start[1] + round(inside * hole)), contact, -1)
    face[:high] = metal
    face[high : high + 3] *= 0.4
    return np.clip(face, 0, 1), mask


def draw_domino(random: Generator) -> tuple[Picture, Picture]:
    """The face of a domino (2 FACE x FACE x 3): two squares of pips, perhaps a line between; its relief."""
    style = draw_style(random)
    halves, marks = [], np.zeros((2 * FACE, FACE), np.float32)
    for half in range(2):
        number = int(random.integers(7))
        if number:
            side = style.atlas[square(style.values.index(number))]
            halves.append(side[..., :3])
            marks[half * FACE : (half + 1) * FACE] = side[..., 3]
        else:
            plain = style.atlas[:FACE, :FACE]
            halves.append(
                np.broadcast_to(np.median(plain[plain[..., 3] == 0][:, :3], axis=0), (FACE, FACE, 3))
            )
    face = np.ascontiguousarray(np.concatenate(halves), np.float32)
    if random.random() < 0.85:
        six = style.atlas[square(style.values.index(6))]
        ink = six[six[..., 3] > 0.9][:, :3]
        colour = (
            ink.mean(axis=0)
            if len(ink) and random.random() < 0.7
            else rgb(random.random(), 0.3, random.random())
        )
        short = int(FACE * random.uniform(0.03, 0.35))
        end, thick = (FACE - short, FACE), int(random.integers(1, 15))
        cv2.line(face, (short, FACE), end, tuple(map(float, colour)), thick, cv2.LINE_AA)
        cv2.line(marks, (short, FACE), end, 1.0, thick, cv2.LINE_AA)
    return face, sunk(marks, float(random.uniform(0.3, 1.0)))


def draw_ink(random: Generator, body: tuple[float, float, float]) -> tuple[float, float, float]:
    """A colour for the pips that can be told from the body: lighter or darker, or of quite another hue."""
    light = float(np.dot(body, (0.3, 0.59, 0.11)))
    least = random.uniform(0.1, 0.3)  # light pips on a yellow die are sold, too
    while True:
        kind = random.random()
        if kind < 0.45:
            ink = rgb(
                random.random(), 0.1, random.uniform(0.85, 1.0) if light < 0.5 else random.uniform(0.0, 0.15)
            )
        elif kind < 0.75:
            ink = rgb(random.random(), 0.1, random.choice([random.uniform(0, 0.12), random.uniform(0.85, 1)]))
        else:
            ink = rgb(random.random(), random.uniform(0.5, 1), random.uniform(0.2, 0.95))
            if math.dist(ink, body) > APART:  # red pips on a blue die
                return ink
        if abs(float(np.dot(ink, (0.3, 0.59, 0.11))) - light) > least:
            return ink


def _values(random: Generator, kind: Kind) -> tuple[int, ...]:
    if kind not in ("pips", "cuboid"):
        return (0,) * 6
    opposite = OPPOSITE if kind == "pips" else ((1, 4), (2, 3))
    pairs = [pair if random.random() < 0.5 else pair[::-1] for pair in opposite]
    random.shuffle(pairs)
    if kind == "cuboid":
        pairs = [(0, 0), *pairs]  # its length runs along x
    return tuple(value for pair in pairs for value in pair)


def around(place: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Where a face of an atlas looks, and where on the die its right and its upper end are."""
    facing = np.array(FACING[place])
    right = np.array(FACING[(2 * (place // 2) + 2) % 6])
    return facing, right, np.cross(facing, right)


def _surface() -> Picture:
    """Where on a die (-1..1 along x, y and z) each pixel of its atlas lies."""
    surface = np.empty((2 * FACE, 3 * FACE, 3), np.float32)
    step = (2 * np.arange(FACE, dtype=np.float32) + 1) / FACE - 1
    for place in range(6):
        facing, right, up = around(place)
        surface[square(place)] = facing + step[None, :, None] * right - step[:, None, None] * up
    return surface


SURFACE = _surface()


def solid(random: Generator, cells: float) -> Picture:
    """Smooth noise over an atlas, 0..1, that goes on around the edges: of what is marbled all through."""
    total = np.zeros(SURFACE.shape[:2], np.float32)
    for octave in (1, 2, 4):
        for _ in range(4):
            wave = random.normal(0, 1, 3) * cells * octave
            total += np.sin(SURFACE @ wave.astype(np.float32) + random.uniform(0, 2 * math.pi)) / octave
    low, high = float(total.min()), float(total.max())
    return (total - low) / max(high - low, 1e-6)


def _any_colour(random: Generator) -> Picture:
    return np.asarray(rgb(random.random(), random.uniform(0, 1), random.random()), np.float32)


def _ground(random: Generator, body: tuple[float, float, float], ink: tuple[float, float, float]) -> Picture:
    """The body's own surface: plain, in two colours, marbled, pearly, with glitter or wood."""
    shape = SURFACE.shape[:2]
    ground = np.empty((*shape, 3), np.float32)
    ground[:] = body
    pattern = random.choice(list(PATTERNS), p=list(PATTERNS.values()))
    if pattern == "halves":  # cast of two colours, which meet somewhere
        other = _any_colour(random)
        while math.dist(other, ink) < APART:
            other = _any_colour(random)
        axis = random.normal(0, 1, 3)
        away = SURFACE @ (axis / np.linalg.norm(axis)).astype(np.float32) - random.uniform(-0.7, 0.7)
        away += (solid(random, random.uniform(0.5, 1.5)) - 0.5) * random.uniform(0, 1.5)
        mix = np.clip(away * random.uniform(1, 8) + 0.5, 0, 1)[..., None]
        ground += (other - ground) * mix * random.uniform(0.6, 1)
    elif pattern == "flowing":
        other = _any_colour(random)
        mix = np.clip((solid(random, 1) - 0.5) * random.uniform(2, 9) + 0.5, 0, 1)[..., None]
        ground += (other - ground) * mix * random.uniform(0.3, 0.9)
    elif pattern == "marbled":
        other = _any_colour(random)
        other = other * 0.5 + np.asarray(body, np.float32) * random.uniform(0.0, 0.5)
        waves = solid(random, random.uniform(0.7, 2.5))
        waves = np.abs(np.sin(waves * random.uniform(4, 14))) ** random.uniform(0.7, 3)
        ground += (other - ground) * (waves * random.uniform(0.15, 0.8))[..., None]
    elif pattern == "glitter":
        specks = random.random(shape) < random.uniform(0.01, 0.12)
        grown = cv2.GaussianBlur(specks.astype(np.float32), (0, 0), random.uniform(0.5, 1.6))
        shine = np.asarray(rgb(random.random(), random.uniform(0, 0.5), 1.0), np.float32)
        ground += (shine - ground) * np.clip(grown * random.uniform(1, 3), 0, 1)[..., None]
    elif pattern == "wood":  # or worn
        noise = cv2.GaussianBlur(random.normal(0, 1, shape).astype(np.float32), (0, 0), 0.8, sigmaY=7)
        ground *= 1 + np.clip(noise * random.uniform(0.2, 0.8), -0.4, 0.4)[..., None]
    return np.clip(ground, 0, 1)


def clouds(random: Generator, shape: tuple[int, int], cells: int) -> Picture:
    """Smooth noise, 0..1, with about so many cells along the longer side, and finer ones in it."""
    total = np.zeros(shape, np.float32)
    weight = 1.0
    for octave in range(3):
        count = cells * 2**octave
        small = random.random((max(2, count * shape[0] // max(shape)) + 1, count + 1)).astype(np.float32)
        total += weight * np.asarray(
            cv2.resize(small, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32
        )
        weight *= 0.5
    low, high = float(total.min()), float(total.max())
    return (total - low) / max(high - low, 1e-6)


@dataclass(frozen=True, slots=True)
class _Marks:
    spacing: float  # between pips, in halves of a side
    near: float  # how much nearer to each other the two pips of a two are, and perhaps those of a three
    near_three: float
    straight: bool  # whether those of a two lie beside each other, not across
    radius: float  # of a pip, in halves of a side
    stretch: float  # of the rows of a six
    narrow: float  # how near the columns of a six are to each other; in many dice nearer than its rows
    one_size: float  # of the single pip, in others
    red: tuple[float, float, float] | None  # a colour of its own ...
    reds: tuple[int, ...]  # ... for the pips of these faces
    shape: Literal["disc", "ring", "square", "heart"]
    signs: tuple[Picture, ...]


def _marks(random: Generator, kind: Kind) -> _Marks:
    spacing = random.uniform(0.42, 0.62)
    radius = min(random.uniform(0.11, 0.24), 0.46 * spacing)
    apart = 2.2 * radius / spacing  # at least: no pips touch
    other = random.random()
    shape: Literal["disc", "ring", "square", "heart"] = "disc"
    if other < 0.06:
        shape = "ring" if other < 0.02 else "square" if other < 0.04 else "heart"
    red = random.random() < 0.08
    near = random.choice([1.0, random.uniform(0.4, 1.0)], p=[0.5, 0.5])
    signs: tuple[Picture, ...] = ()
    if kind == "digits":
        font = int(
            random.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX])
        )
        first = int(random.integers(0, 5))
        thick = int(random.integers(6, 18))
        signs = tuple(digit(str(first + number), font, thick) for number in range(6))
    elif kind == "symbols":
        signs = tuple(symbol(random, int(kind)) for kind in random.permutation(SYMBOLS)[:6])
    elif kind == "plain":
        signs = (np.zeros((FACE, FACE), np.float32),) * 6
    return _Marks(
        spacing=spacing,
        near=near,
        near_three=random.choice([1.0, max(near, apart / math.sqrt(2))]),
        straight=random.random() < 0.08,
        radius=radius,
        stretch=max(random.uniform(0.85, 1.15), apart),
        narrow=random.choice([1.0, random.uniform(0.6, 1.0)]),
        one_size=random.choice([1.0, random.uniform(1.2, 2.0)], p=[0.8, 0.2])
        if not red
        else random.uniform(1.0, 2.2),
        red=rgb(0.99, 0.9, 0.75) if red else None,
        reds=(1,) if random.random() < 0.6 else (1, 4),
        shape=shape,
        signs=signs,
    )


def pips(value: int, marks: _Marks) -> Picture:
    """The mask of a face with so many pips, FACE x FACE, 0..1."""
    scale = 4
    canvas = np.zeros((FACE * scale, FACE * scale), np.uint8)
    half = FACE * scale / 2
    near = {2: 1.0 if marks.straight else marks.near, 3: marks.near_three}.get(value, 1.0)
    wide, high = (marks.narrow, marks.stretch) if value == 6 else (near, near)
    for x, y in PIPS.get(value, ()):
        if value == 2 and marks.straight:
            y = 0
        radius = marks.radius * (min(marks.one_size, 0.5 / marks.radius) if value == 1 else 1.0) * half
        centre = (
            round(half + x * wide * marks.spacing * half),
            round(half + y * high * marks.spacing * half),
        )
        if marks.shape == "square":
            corner = round(radius * 0.85)
            cv2.rectangle(
                canvas,
                (centre[0] - corner, centre[1] - corner),
                (centre[0] + corner, centre[1] + corner),
                255,
                -1,
            )
        elif marks.shape == "heart":
            _heart(canvas, centre, radius * 1.15)
        else:
            cv2.circle(canvas, centre, round(radius), 255, -1, cv2.LINE_AA)
            if marks.shape == "ring":
                cv2.circle(canvas, centre, round(radius * 0.45), 0, -1, cv2.LINE_AA)
    small = cv2.resize(canvas, (FACE, FACE), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / 255


def _heart(canvas: NDArray[np.uint8], centre: tuple[int, int], size: float) -> None:
    turn = np.linspace(0, 2 * np.pi, 60)
    x = 16 * np.sin(turn) ** 3
    y = -(13 * np.cos(turn) - 5 * np.cos(2 * turn) - 2 * np.cos(3 * turn) - np.cos(4 * turn))
    points = np.stack([centre[0] + x * size / 16, centre[1] + y * size / 16], axis=1).round().astype(np.int32)
    cv2.fillPoly(canvas, [points], 255, cv2.LINE_AA)


def digit(text: str, font: int, thick: int) -> Picture:
    """The mask of a number that fills most of a face."""
    canvas = np.zeros((FACE, FACE), np.uint8)
    (width, height), _ = cv2.getTextSize(text, font, 1.0, thick)
    size = 0.55 * FACE / max(width, height)
    (width, height), _ = cv2.getTextSize(text, font, size, thick)
    cv2.putText(
        canvas, text, ((FACE - width) // 2, (FACE + height) // 2), font, size, 255, thick, cv2.LINE_AA
    )
    return np.asarray(canvas, np.float32) / 255


def symbol(random: Generator, kind: int) -> Picture:
    """The mask of something simple that stands for something: a star, a ring, a cross, a bolt, a house.

    None looks like a single pip from afar.
    """
    canvas = np.zeros((FACE, FACE), np.uint8)
    half = FACE / 2
    size = random.uniform(0.7, 0.9) * half  # the largest single pip reaches 0.5
    if kind < 3:  # stars and triangles
        points = int(random.integers(3, 9)) if kind else 3
        inner = random.uniform(0.35, 0.7) if kind else float(np.cos(np.pi / points))
        angle = np.arange(2 * points) * np.pi / points - np.pi / 2
        reach = np.where(np.arange(2 * points) % 2 == 0, size, inner * size)
        shape = np.stack([half + reach * np.cos(angle), half + reach * np.sin(angle)], axis=1)
        cv2.fillPoly(canvas, [shape.round().astype(np.int32)], 255, cv2.LINE_AA)
    elif kind == 3:
        cv2.circle(canvas, (int(half), int(half)), int(size), 255, int(random.integers(6, 24)), cv2.LINE_AA)
    elif kind == 4:
        for sign in (-1, 1):
            start = (int(half - size), int(half - sign * size))
            end = (int(half + size), int(half + sign * size))
            cv2.line(canvas, start, end, 255, int(random.integers(10, 26)), cv2.LINE_AA)
    elif kind == 5:
        _heart(canvas, (int(half), int(half)), size)
    elif kind == 6:  # blots, of which none lies in the middle
        blots = clouds(random, (FACE, FACE), 4)
        grid = np.hypot(*(np.mgrid[:FACE, :FACE] - half)) / size
        canvas[(blots > random.uniform(0.5, 0.6)) & (grid > 0.5) & (grid < 1.2)] = 255
    elif kind == 7:
        letter = "ABEFGHKMRSTX?!&%"[int(random.integers(0, 16))]
        return digit(letter, cv2.FONT_HERSHEY_DUPLEX, int(random.integers(8, 20)))
    else:  # a bolt
        zigzag = (
            np.array([(0.3, -1), (-0.5, 0.1), (0.0, 0.1), (-0.3, 1), (0.6, -0.2), (0.1, -0.2)]) * size + half
        )
        cv2.fillPoly(canvas, [zigzag.round().astype(np.int32)], 255, cv2.LINE_AA)
    return np.asarray(canvas, np.float32) / 255
