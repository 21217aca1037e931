"""Tiles to learn from: rendered dice on any table, in any light, through any lens.

`python -m companion.eye.train.compose RENDERED FOLDER --count 20000 --seed 1` writes `tiles.npy`
(N x TILE x TILE x 3, uint8, BGR; with --fine all in them is FINE times as large) and `dice.npy`
(N x MOST x 8, float32), a row a die: x and y of the middle of the upper face, the distances from there to
its left, upper, right and lower end (all in pixels), its class (see CLASSES; -1: neither asked for nor held
against), and 1 (rows of zeros are no dice).
"""

import argparse
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.eye import face, opinion
from companion.eye.network import Image
from companion.eye.train.artwork import (
    COCKED,
    FACE,
    FIRST_OTHER,
    draw_domino,
    draw_plate,
    draw_plug,
    draw_style,
    lit,
    square,
)
from companion.eye.train.numbered import all_in, load
from companion.eye.train.tables import draw_table
from companion.whole import whole

TILE = 192  # px
FINE = face.SHOWN // opinion.SHOWN  # so many times as large is what the third network learns from
MOST = 24  # dice in a tile
CLASSES = (
    "1", "2", "3", "4", "5", "6", "no pips", "cocked", "cuboid 1", "cuboid 2", "cuboid 3", "cuboid 4",
)  # fmt: skip
SEEN = 0.72  # part of an upper face that must be seen to be read; with less than HARDLY it is no die
HARDLY = 0.3
CROWDED = 0.35  # part of the tiles on whose dice those of other scenes are laid, of MORE scenes at most
MORE = 3
ELSE = 0.25  # how much their size differs (standard deviation of its logarithm)
BARE = 0.9  # part of the middle of a die that must be seen to be asked for when others were laid on it
ALIKE = 0.2  # part of the tiles on which the table has the colour of a die
PLAIN = 0.6  # part of the tiles that are as most people's pictures are: what makes dice hard to read ...
GENTLE = 0.35  # ... (lamps, shade, blur, noise and the like) is so much rarer there, and partly weaker
SHINES = 0.04  # part of the dice that mirror a lamp, beside those that already do where they were rendered
GLINTS = 0.08  # part of the dice of which points as small as pips mirror a lamp ...
GLINT = (0.15, 1.35)  # ... and are so bright (of white)
SHADED = 0.25  # part of the tiles onto which something that is not to be seen throws a shadow ...
SHADE = (0.12, 0.7)  # ... in which so much of the light is left
VEILED = 0.08  # part of the tiles over which a lamp veils the lens
ANYHOW = 0.15  # part of the tiles that are turned any way, though up is up in them: so some cameras hang
NEAR = 0.15  # part of the tiles that are out of focus, as what lies near to a lens often is ...
DISC = (0.03, 0.14)  # ... so that a point becomes a disc of this radius, in sizes of a die: from, to
JAGGED = 0.06  # part of the tiles that were made smaller without care, as many a collected picture was
DRAWN = 0.2  # part of the tiles on which dice are drawn instead of rendered: any print on them costs nothing
DRAWN_THINGS = {"die": 0.7, "domino": 0.15, "cuboid": 0.06, "plate": 0.05, "plug": 0.04}  # how often each is
BESIDE = 0.12  # part of the tiles with rendered dice beside which some of these lie that are no dice
GAMMA = 2.2

Float = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A rendered scene, as the renderer left it."""

    picture: Image
    ids: Image
    whole: bool
    upright: bool  # whether the camera looks aslant, so that up is up
    dice: Float  # N x 8 as in a tile; -1 where too little is seen
    size: float  # median side of an upper face, px

    @property
    def on_dice(self) -> NDArray[np.bool_]:
        """Where dice are to be seen."""
        return np.asarray((self.ids > 0) & (self.ids < FIRST_OTHER - 1))

    @property
    def linear(self) -> Float:
        """The picture as light, 0..1."""
        return (self.picture.astype(np.float32) / 255) ** GAMMA


def load_scene(name: Path) -> Scene:
    """Read NUMBER.png and what belongs to it; name is the path without its ending."""
    known = json.loads(name.with_suffix(".json").read_text())
    ids = load(name.with_suffix(".id.png"))[..., 2]
    rows, sizes = [], []
    for die in known["dice"]:
        top = np.array(die["top"])
        mask = np.zeros(ids.shape, np.uint8)
        cv2.fillConvexPoly(mask, top.round().astype(np.int32), 1)
        area = float(cv2.contourArea(top.astype(np.float32)))
        if area < 9:
            continue
        seen = float(((ids == die["id"]) & (mask > 0)).sum()) / area
        body = np.argwhere(ids == die["id"])
        if len(body) < 9:
            continue
        x, y = die["centre"]
        y0, x0 = body.min(axis=0)
        y1, x1 = body.max(axis=0) + 1
        shown = f"cuboid {die['face']}" if die["kind"] == "cuboid" else str(die["face"])
        kind = CLASSES.index(shown if die["face"] else "no pips")
        if die["lean"] > COCKED:
            kind = CLASSES.index("cocked")
        if seen < SEEN:
            kind = -1
        if seen >= HARDLY or len(body) > 0.3 * area:
            rows.append((x, y, x - x0, y - y0, x1 - x, y1 - y, kind, 1))
            sizes.append(math.sqrt(area))
    dice = np.array(rows, np.float32).reshape(-1, 8)
    return Scene(
        load(name.with_suffix(".png")),
        ids,
        known["whole"],
        known["lift"] < 72,
        dice,
        float(np.median(sizes or [40])),
    )


def _sound(path: Path) -> bool:
    dice = json.loads(path.read_text())["dice"]
    return [die["id"] for die in dice] == list(range(1, len(dice) + 1))


class Scenes:
    """The scenes of a folder, read when they are first wanted."""

    def __init__(self, folder: Path) -> None:
        self.names = [path.with_suffix("") for path in all_in([folder], "*.json") if _sound(path)]
        self.load = lru_cache(maxsize=None)(load_scene)

    def choose(self, random: Generator) -> Scene:
        """Any of them."""
        return self.load(self.names[int(random.integers(len(self.names)))])


def draw_tile(random: Generator, scenes: Scenes, side: int = TILE) -> tuple[Image, Float]:
    """A tile and its dice."""
    hard = GENTLE if random.random() < PLAIN else 1.0
    wanted = float(
        random.choice([random.uniform(22, 46), math.exp(random.uniform(math.log(4), math.log(130)))])
    ) * (side / TILE)
    if random.random() < DRAWN:
        image, rows = draw_flat(random, side, wanted)
        return photograph(random, _in_focus(random, image, wanted, hard), hard), rows
    scene = scenes.choose(random)
    scale = min(wanted / scene.size, 1.8)
    matrix = _frame(random, scene, scale, side)
    empty = random.random() < 0.1
    image, shown = _warp(random, scene, scale, matrix, side, empty)
    dice = np.zeros((0, 8), np.float32) if empty else _moved(scene.dice, matrix, shown, side)
    for _ in range(int(random.integers(1, MORE + 1)) if not empty and random.random() < CROWDED else 0):
        image, dice = _laid_on(random, image, dice, scenes.choose(random), wanted)
    if random.random() < BESIDE:
        _lay_beside(random, image, dice, wanted)
    for x, y, *ends, _, _ in dice.tolist():
        if random.random() < SHINES * hard:
            shine(random, image, (x, y), sum(ends) / 2)
        if random.random() < GLINTS * hard:
            glints(random, image, (x, y), sum(ends) / 2)
    return photograph(random, _in_focus(random, image, scene.size * scale, hard), hard), dice


def _laid_on(
    random: Generator, image: Float, dice: Float, scene: Scene, wanted: float
) -> tuple[Float, Float]:
    """A tile (linear) and its dice when those of another scene are laid on them, with their shadows, as far
    as their own ground lies apart from them.
    """
    side = len(image)
    scale = min(wanted * math.exp(random.normal(0, ELSE)) / scene.size, 1.8)
    matrix = _frame(random, scene, scale, side)
    lain = _lain(scene, scene.on_dice, scale, matrix, side)
    more = _moved(scene.dice, matrix, lain.shown, side)
    bare = np.array([_bare(die, lain.alpha) for die in dice])
    left = dice[bare >= HARDLY]
    left[bare[bare >= HARDLY] < BARE, 6] = -1
    if len(left) + len(more) > MOST:
        return image, dice
    return lain.on(image), np.concatenate([left, more])


def _lay_beside(random: Generator, image: Float, dice: Float, wanted: float) -> None:
    """Lay one to three things that are no dice into a tile (linear), about as large as its dice, where none
    of these are.
    """
    taken = [(x, y, (left + up + right + down) / 4) for x, y, left, up, right, down, _, _ in dice.tolist()]
    for _ in range(int(random.integers(1, 4))):
        face, body = NO_DICE[str(random.choice(list(NO_DICE)))](random)
        half = wanted * math.exp(random.normal(0, ELSE)) / 2
        reach = half * len(face) / FACE
        x, y = random.uniform(0, len(image), 2).tolist()
        if all(math.hypot(x - at_x, y - at_y) > reach + other for at_x, at_y, other in taken):
            _draw_body(random, image, face, body, (x, y), half, random.uniform(0, 2 * math.pi))
            taken.append((x, y, reach))


def _bare(die: Float, alpha: Float) -> float:
    """The part of the middle of a die (a row) that nothing covers."""
    x, y, left, up, right, down = die[:6]
    size = (0.3 * np.array([left + right, up + down])).tolist()
    middle = np.zeros(alpha.shape[:2], np.float32)
    cv2.ellipse(middle, ((float(x), float(y)), (2 * size[0], 2 * size[1]), 0.0), 1.0, -1)
    return 1 - float((middle * alpha[..., 0]).sum() / max(middle.sum(), 1.0))


def _in_focus(random: Generator, linear: Float, size: float, hard: float) -> Float:
    """A picture (linear light) of dice of a size (px), seen through a lens whose focus may be elsewhere (as
    often as is `hard`: see photograph).
    """
    near, radius = random.random() < NEAR * hard, size * math.exp(random.uniform(*np.log(DISC)))
    return defocused(linear, radius) if near else linear


def defocused(linear: Float, radius: float) -> Float:
    """A picture (H x W x 3, linear light) in which each point has become a disc of a radius (px)."""
    reach = math.ceil(radius)
    away = np.hypot(*np.mgrid[-reach : reach + 1, -reach : reach + 1])
    disc = np.clip(radius + 0.5 - away, 0, 1).astype(np.float32)
    blurred = cv2.filter2D(linear.astype(np.float32), -1, disc / disc.sum(), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(blurred, np.float32)


def shine(random: Generator, image: Float, at: tuple[float, float], size: float) -> None:
    """Let something of a size (px) at a place of a picture (linear light, 0..1) mirror a lamp or a window."""
    x, y = (int(part + random.normal(0, 0.2 * size)) for part in at)
    wide, high = np.maximum(1, random.uniform(0.15, 0.6, 2) * size).astype(int).tolist()
    oval = random.random() < 0.5
    lamp = mirrored(image, ((x, y), (2 * wide, 2 * high), random.uniform(0, 180)), oval)
    lamp = np.asarray(cv2.GaussianBlur(lamp, (0, 0), 0.3 + size * random.uniform(0, 0.12)), np.float32)
    image += lamp[..., None] * random.uniform(0.1, 1.5)


def glints(random: Generator, image: Float, at: tuple[float, float], size: float) -> None:
    """Let one to three points of something of a size (px) at a place of a picture (linear light) mirror a
    lamp, as rounded corners do: no pips are as bright, where others are dark, or lie where they do.
    """
    colour = random.uniform(0.85, 1, 3).astype(np.float32)
    for _ in range(int(random.integers(1, 4))):
        turn, away = random.uniform(0, 2 * math.pi), size * random.uniform(0.1, 0.55)
        middle = (at[0] + away * math.cos(turn), at[1] + away * math.sin(turn))
        wide = max(0.5, size * random.uniform(0.012, 0.06))
        long = wide * (1 if random.random() < 0.6 else random.uniform(1, 8))
        mask = np.zeros(image.shape[:2], np.float32)
        cv2.ellipse(mask, (middle, (2 * wide, 2 * long), random.uniform(0, 180)), 1.0, -1, cv2.LINE_AA)
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.3, wide * random.uniform(0.15, 0.6)))
        bright = np.float32(math.exp(random.uniform(*np.log(GLINT))))
        image += np.asarray(soft, np.float32)[..., None] * colour * bright


def mirrored(image: Float, box: tuple[tuple[float, float], tuple[float, float], float], oval: bool) -> Float:
    """Where a lamp or a window appears in a picture (H x W, 0 or 1): oval, or with corners; `box` is its
    middle, its sides and its turn in degrees.
    """
    mask = np.zeros(image.shape[:2], np.float32)
    if oval:
        cv2.ellipse(mask, box, 1.0, -1)
    else:
        cv2.fillConvexPoly(mask, cv2.boxPoints(box).round().astype(np.int32), 1.0)
    return mask


def _frame(random: Generator, scene: Scene, scale: float, side: int) -> NDArray[np.float64]:
    """The affine matrix (2 x 3) from the scene to the tile."""
    angle = turned(random, 12) if scene.upright else random.uniform(0, 360)
    height, width = scene.ids.shape
    if len(scene.dice) and random.random() < 0.92:
        centre = scene.dice[int(random.integers(len(scene.dice))), :2].astype(np.float64)
        centre = centre + random.uniform(-0.42, 0.42, 2) * side / scale
    else:
        centre = random.uniform(0, 1, 2) * (width, height)
    return framed(random, centre, angle, scale, side)


def turned(random: Generator, most: float) -> float:
    """How far a picture in which up is up is turned, in degrees: this far at most, or any way."""
    return random.uniform(0, 360) if random.random() < ANYHOW else random.uniform(-most, most)


def framed(
    random: Generator, centre: NDArray[np.float64], angle: float, scale: float, side: int
) -> NDArray[np.float64]:
    """The affine matrix (2 x 3) that brings a point to the middle of a tile, turned, so much larger, and
    perhaps mirrored.
    """
    x, y = centre.tolist()
    matrix = np.asarray(cv2.getRotationMatrix2D((x, y), angle, scale), np.float64)
    matrix[:, 2] += side / 2 - centre
    if random.random() < 0.5:  # a mirrored die has the same pips
        matrix = np.array([[-1, 0, side - 1], [0, 1, 0]]) @ np.vstack([matrix, (0, 0, 1)])
    return matrix


def _warp(
    random: Generator, scene: Scene, scale: float, matrix: NDArray[np.float64], side: int, empty: bool
) -> tuple[Float, Float]:
    """The tile (float, 0..1) and a mask of what of it the scene covers."""
    if scene.whole and not empty:
        linear, shown = scene.linear, np.ones(scene.ids.shape, np.float32)
        shown = _placed(shown, scale, matrix, side)
        fill = linear.mean(axis=(0, 1))
        return _placed(linear, scale, matrix, side) + (1 - shown[..., None]) * fill, shown
    like = None
    if random.random() < ALIKE and scene.on_dice.any():
        like = (np.median(scene.picture[scene.on_dice], axis=0) / 255).astype(np.float32)
    table = (draw_table(random, (side, side), like).astype(np.float32) / 255) ** GAMMA
    things = (scene.ids > 0) & ~scene.on_dice if empty else scene.ids > 0
    lain = _lain(scene, things, scale, matrix, side)
    return lain.on(table), lain.shown


class Lain(NamedTuple):
    """What lies in a tile: its light (H x W x 3, linear; 0 where nothing lies), how much it covers
    (H x W x 1), how much light what lies under it gets (H x W x 3), and what of the tile its scene covers
    (H x W).
    """

    light: Float
    alpha: Float
    shade: Float
    shown: Float

    def on(self, ground: Float) -> Float:
        """A tile (linear) on which it lies."""
        return self.light + (1 - self.alpha) * ground * self.shade


def _lain(
    scene: Scene, things: NDArray[np.bool_], scale: float, matrix: NDArray[np.float64], side: int
) -> Lain:
    """Some of the things of a scene (a mask) as they lie in a tile, with the shadows of all."""
    linear = scene.linear
    mask = np.asarray(cv2.GaussianBlur(things.astype(np.float32), (0, 0), 0.6), np.float32)
    return Lain(
        light=_placed(linear * _thrice(mask), scale, matrix, side),
        alpha=_placed(mask, scale, matrix, side)[..., None],
        shade=_placed(_shade(scene), scale, matrix, side, cv2.BORDER_REPLICATE),
        shown=_placed(np.ones_like(mask), scale, matrix, side),
    )


def _shade(scene: Scene) -> Float:
    """How much light each point of a scene's ground gets (H x W x 3)."""
    linear = scene.linear
    if scene.whole:
        return np.ones_like(linear)
    ground = (scene.ids == 0).astype(np.float32)
    bare = linear * _thrice(ground)
    weight = cv2.blur(ground, (7, 7)) + 1e-4
    light = np.asarray(cv2.blur(bare, (7, 7)) / _thrice(weight), np.float32)
    far = cv2.blur(bare, (99, 99)) / _thrice(cv2.blur(ground, (99, 99)) + 1e-4)
    under = weight <= 0.08  # what lies there
    light[under] = far[under]
    lit = float(np.percentile(light[ground > 0], 85)) if ground.any() else 1.0
    return np.asarray(np.clip(light / max(lit, 1e-3), 0, 1.4), np.float32)


def _thrice(plane: Float) -> Float:
    """A plane (H x W) for each colour (H x W x 3): what is done to many values of a pixel is done faster."""
    return np.asarray(cv2.merge([plane] * 3), np.float32)


def _placed(
    layer: Float, scale: float, matrix: NDArray[np.float64], side: int, border: int = cv2.BORDER_CONSTANT
) -> Float:
    """A layer of a scene in a tile, in which it is so much larger."""
    shrink = max(1.0, 1 / scale)
    blur = 0.45 * math.sqrt(shrink * shrink - 1)
    if blur > 0.3:
        layer = np.asarray(cv2.GaussianBlur(layer, (0, 0), blur), np.float32)
    return np.asarray(
        cv2.warpAffine(layer, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=border), np.float32
    )


def draw_flat(random: Generator, side: int, wanted: float) -> tuple[Float, Float]:
    """A tile (linear, 0..1) with dice drawn as seen from straight above, and what is known of them."""
    style = draw_style(random, "pips" if random.random() < 0.9 else "symbols")
    like = style.atlas[4, 4, 2::-1] if random.random() < ALIKE else None
    tile = (draw_table(random, (side, side), like).astype(np.float32) / 255) ** GAMMA
    taken: list[tuple[float, float, float, float]] = []  # x, y, half a side, angle
    rows: list[tuple[float, ...]] = []
    together = random.random() < 0.4
    for _ in range(int(random.integers(0, 12))):
        if random.random() < 0.4:
            style = draw_style(random, "pips" if random.random() < 0.9 else "digits")
        half = wanted * random.uniform(0.9, 1.1) / 2
        half *= random.uniform(0.4, 1.0) if random.random() < 0.2 else 1.0
        (x, y), angle = random.uniform(0, side, 2), random.uniform(0, 2 * math.pi)
        if together and taken:  # side by side with another
            at_x, at_y, other, turned = taken[int(random.integers(len(taken)))]
            angle = turned + math.pi / 2 * int(random.integers(4))
            apart = half + other + wanted * random.uniform(0, 0.1)
            x, y = at_x + apart * math.cos(angle), at_y + apart * math.sin(angle)
        kind = str(random.choice(list(DRAWN_THINGS), p=list(DRAWN_THINGS.values())))
        no_die = NO_DICE[kind](random) if kind in NO_DICE else None
        reach = half * (len(no_die[0]) / FACE if no_die else 2 if kind == "cuboid" else 1)
        if any(math.hypot(x - at_x, y - at_y) < 0.99 * (reach + other) for at_x, at_y, other, _ in taken):
            continue
        if not (0.3 * half < x < side - 0.3 * half and 0.3 * half < y < side - 0.3 * half):
            continue
        taken.append((x, y, reach, angle))
        if no_die:
            _draw_body(random, tile, *no_die, (x, y), half, angle)
            continue
        if kind == "cuboid":
            value = int(random.integers(1, 5))
            _draw_body(random, tile, *_cuboid(random, value), (x, y), half, angle)
            rows.append((x, y, *_cuboid_reach(half, angle), CLASSES.index(f"cuboid {value}"), 1))
            if not (reach < x < side - reach and reach < y < side - reach and half > 4):
                rows[-1] = (*rows[-1][:6], -1, 1)
            continue
        number = int(random.integers(6))
        part = square(number)
        light = random.uniform(0, 2 * math.pi)
        face = lit(style.atlas[part][..., :3], style.relief[part], style.engraved, light)
        _draw_body(random, tile, face, _rounded(style.rounding * 0.5), (x, y), half, angle)
        complete = half < x < side - half and half < y < side - half and half > 4
        name = str(style.values[number]) if style.kind == "pips" else "no pips"
        rows.append((x, y, *[half * 1.15] * 4, CLASSES.index(name) if complete else -1, 1))
    return tile, np.array(rows[:MOST], np.float32).reshape(-1, 8)


def _rounded(part: float, long: float = 1) -> Float:
    """The mask of a face, so many faces long, whose corners are rounded by a part of its side."""
    corner = round(FACE * min(0.45, part))
    high = round(FACE * long)
    body = np.ones((high, FACE), np.float32)
    if corner > 1:
        body[:] = 0
        cv2.rectangle(body, (corner, 0), (FACE - corner, high), 1.0, -1)
        cv2.rectangle(body, (0, corner), (FACE, high - corner), 1.0, -1)
        for x in (corner, FACE - corner):
            for y in (corner, high - corner):
                cv2.circle(body, (x, y), corner, 1.0, -1)
    return body


def _domino(random: Generator) -> tuple[Float, Float]:
    """The print of a domino (2 FACE x FACE x 3) and its mask: no die."""
    face, relief = draw_domino(random)
    face = lit(face, relief, random.uniform(-1, 1), random.uniform(0, 2 * math.pi))
    return face, _rounded(random.choice([0.02, random.uniform(0.03, 0.3)]), 2)


def _plate(random: Generator) -> tuple[Float, Float]:
    """The print of something else that is longer than wide, and its mask: no die."""
    face = draw_plate(random)
    return face, _rounded(random.uniform(0, 0.2), len(face) / FACE)


NO_DICE = {"domino": _domino, "plate": _plate, "plug": draw_plug}


def _cuboid(random: Generator, value: int) -> tuple[Float, Float]:
    """A long side of a cuboid (2 FACE x FACE x 3), its pips in the middle, and its mask."""
    style = draw_style(random, "cuboid")
    side = style.atlas[square(style.values.index(value))][..., :3]
    face = cv2.copyMakeBorder(side, FACE // 2, FACE // 2, 0, 0, cv2.BORDER_REPLICATE)
    return np.asarray(face, np.float32), _rounded(style.rounding * 0.5, 2)


def _cuboid_reach(half: float, angle: float) -> tuple[float, float, float, float]:
    """How far a cuboid reaches to each side, as a box around it would, a little less when it is turned."""
    across, along = abs(math.cos(angle)), abs(math.sin(angle))
    wide, high = half * (across + 2 * along), half * (along + 2 * across)
    grown = 0.5 * (1 + 1 / (across + along))
    return (wide * grown, high * grown, wide * grown, high * grown)


def _draw_body(
    random: Generator,
    tile: Float,
    face: Float,
    body: Float,
    at: tuple[float, float],
    half: float,
    angle: float,
) -> None:
    """Draw a printed face (RGB) with a mask and a shadow into a tile; `half` is half of its shorter side."""
    height, width = body.shape
    shade = np.linspace(random.uniform(0.6, 1.1), random.uniform(0.8, 1.1), height, dtype=np.float32)
    paint = (face[..., ::-1] ** GAMMA) * shade[:, None, None]
    scale = 2 * half / width
    turn = np.array([(math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))]) * scale
    turn[1] *= random.uniform(0.8, 1.0) if random.random() < 0.3 else 1.0
    matrix = np.column_stack([turn, np.array(at) - turn @ (width / 2 - 0.5, height / 2 - 0.5)])
    blur = 0.45 / scale if scale < 1 else 0
    size = (tile.shape[1], tile.shape[0])
    if blur > 0.3:
        paint = np.asarray(cv2.GaussianBlur(paint, (0, 0), blur), np.float32)
        body = np.asarray(cv2.GaussianBlur(body, (0, 0), 0.6 * blur), np.float32)
    mask = cv2.warpAffine(body, matrix, size)[..., None]
    if random.random() < 0.7:
        away = random.uniform(-0.5, 0.5, 2) * half
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.5, half * random.uniform(0.05, 0.3)))
        move = np.array([[1, 0, away[0]], [0, 1, away[1]]])
        tile *= 1 - cv2.warpAffine(soft, move, size)[..., None] * random.uniform(0.2, 0.8)
    if random.random() < 0.3:  # its side, below the face
        move = np.array([[1, 0, 0], [0, 1, half * random.uniform(0.1, 0.4)]])
        low = cv2.warpAffine(mask, move, size)[..., None]
        tile += (paint.mean(axis=(0, 1)) * random.uniform(0.3, 0.8) - tile) * low
    painted = cv2.warpAffine(np.ascontiguousarray(paint), matrix, size, borderMode=cv2.BORDER_REPLICATE)
    tile += (painted - tile) * mask


def _moved(dice: Float, matrix: NDArray[np.float64], shown: Float, side: int) -> Float:
    """The dice of the scene as they lie in the tile."""
    rows = []
    scale = math.sqrt(abs(float(np.linalg.det(matrix[:, :2]))))
    turn = matrix[:, :2] / scale
    for x, y, left, up, right, down, kind, _ in dice.tolist():
        place = matrix @ (x, y, 1)
        ends = [turn @ (dx * scale, dy * scale) for dx in (-left, right) for dy in (-up, down)]
        spread = np.array(ends)
        # Turning a box makes it larger than the turned die; the sum of both sides grows by as much.
        grown = max(1.0, abs(turn[0, 0]) + abs(turn[0, 1]))
        box = (
            np.array([-spread[:, 0].min(), -spread[:, 1].min(), spread[:, 0].max(), spread[:, 1].max()])
            / grown**0.7
        )
        low, high = place - box[:2], place + box[2:]
        if high.min() <= 0 or low.max() >= side:
            continue
        inside = np.prod(np.clip(np.minimum(high, side) - np.maximum(low, 0), 0, None) / (high - low))
        if not (0 <= place[0] < side and 0 <= place[1] < side):
            continue
        at = shown[int(place[1]), int(place[0])]
        unsure = inside < 0.85 or at < 0.99 or box.sum() / 2 < 7
        rows.append((*place, *np.maximum(box, 1.0), -1 if unsure else kind, 1))
    return np.array(rows[:MOST], np.float32).reshape(-1, 8)


def photograph(random: Generator, linear: Float, hard: float = 1.0) -> Image:
    """What a camera makes of light (H x W x 3, linear): exposure, colours, blur, noise, compression; less of
    it where what is seen is not to be as hard to read as it can be (1).
    """
    image = np.clip(linear, 0, 4)
    if random.random() < SHADED * hard:
        image = shaded(random, image)
    if random.random() < 0.35:  # light from one side
        side = image.shape[0]
        y, x = np.mgrid[:side, :side].astype(np.float32) / side - 0.5
        angle = random.uniform(0, 2 * math.pi)
        fall = 1 + random.uniform(0, 1.4 * hard) * (x * math.cos(angle) + y * math.sin(angle))
        image = image * np.clip(fall, 0.1, 3)[..., None]
    if random.random() < VEILED * hard:
        image = image + veil(random, image)
    if random.random() < 0.07 * hard:  # a lamp that is mirrored by the table
        side = image.shape[0]
        at = tuple(int(part) for part in random.integers(0, side, 2))
        glow = np.zeros((side, side), np.float32)
        cv2.circle(glow, at, int(random.uniform(3, 40)), 1.0, -1)
        glow = np.asarray(cv2.GaussianBlur(glow, (0, 0), random.uniform(2, 30)), np.float32)
        image = image + glow[..., None] * random.uniform(0.3, 1.5)
    exposure = random.uniform(0.75 - 0.2 * hard, 1.05 + 0.2 * hard)
    exposure /= max(float(np.percentile(image, 97)), 0.05)
    exposure = exposure ** random.uniform(0.4, 1.0)
    image = np.clip(image * exposure, 0, 1) ** (1 / GAMMA)
    if random.random() < 0.25:
        image = image[..., random.permutation(3)]
    if random.random() < 0.45:
        hsv = cv2.cvtColor(np.asarray(image, np.float32), cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0] + random.choice([random.uniform(-15, 15), random.uniform(0, 360)])) % 360
        hsv[..., 1] = np.clip(hsv[..., 1] * random.uniform(0.2, 1.5), 0, 1)
        image = np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.float32)
    if random.random() < 0.05 * hard:
        image = np.repeat(image.mean(axis=2, keepdims=True), 3, axis=2)
    balance = random.normal(1, 0.06, 3)
    image = image * balance
    image = np.clip(image, 0, 1) ** random.uniform(0.9 - 0.25 * hard, 1.1 + 0.4 * hard)
    low = random.uniform(0, 0.12) * (random.random() < 0.4 * hard)
    image = low + image * (random.uniform(0.75, 1.05) - low)
    if random.random() < 0.4:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), random.uniform(0.3, 0.5 + 0.8 * hard)), np.float32)
    if random.random() < 0.12 * hard:
        image = smear(random, image)
    if random.random() < JAGGED * hard:
        image = jagged(random, image)
    if random.random() < 0.25:  # sharpened, as telephones do
        soft = cv2.GaussianBlur(image, (0, 0), random.uniform(0.7, 1.5))
        image = image + (image - soft) * random.uniform(0.3, 2.2)
    grain = random.uniform(0, 0.05 * hard) * (random.random() < 0.7)
    image = image + random.normal(0, 1, image.shape) * grain
    result = np.clip(image * 255, 0, 255).astype(np.uint8)
    if random.random() < 0.5:
        quality = int(random.integers(round(55 - 30 * hard), 95))
        _, packed = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, quality])
        result = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return result


def veil(random: Generator, linear: Float) -> Float:
    """What the light of a lamp beside a picture (H x W x 3, linear light), or in it, adds in the lens."""
    side = len(linear)
    y, x = np.indices(linear.shape[:2], dtype=np.float32)
    at = random.uniform(-0.5, 1.5, 2) * side
    wide = side * math.exp(random.uniform(*np.log((0.2, 2.0))))
    fall = np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * wide**2))
    return np.asarray(fall[..., None] * random.uniform(0.9, 1.1, 3) * random.uniform(0.03, 0.5), np.float32)


def shaded(random: Generator, linear: Float) -> Float:
    """A picture (H x W x 3, linear light) of which a part lies in the shade of something that it does not
    show: beyond an edge or a corner, in stripes, as a blind throws, or in a spot, as a hand does.
    """
    side = len(linear)
    at, turn = random.uniform(0, side, 2) - 0.5, random.uniform(0, 2 * math.pi)
    way = np.array([math.cos(turn), math.sin(turn)])
    soft = side * math.exp(random.uniform(math.log(0.004), math.log(0.15)))
    kind = random.choice(["edge", "stripes", "spot"], p=[0.5, 0.2, 0.3])
    if kind == "spot":
        wide, high = (side * random.uniform(0.1, 0.8, 2)).tolist()
        box = ((float(at[0]), float(at[1])), (wide, high), math.degrees(turn))
        mask = mirrored(linear, box, oval=random.random() < 0.5)
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.3, soft)), np.float32)
    elif kind == "stripes":
        apart = side * math.exp(random.uniform(math.log(0.08), math.log(0.6)))
        far = np.abs(_along(linear, at, way) % apart - apart / 2) - apart / 4
        mask = _within(far, soft)
    else:
        mask = beyond(linear, at, way, soft)
        if random.random() < 0.4:
            mask *= beyond(linear, at, way[::-1] * (-1, 1), soft)
    left = math.exp(random.uniform(*np.log(SHADE))) * random.uniform(0.9, 1.1, 3)
    return np.asarray(linear * (1 - np.asarray(mask, np.float32)[..., None] * (1 - left)), np.float32)


def beyond(picture: Float, at: NDArray[np.float64], way: NDArray[np.float64], soft: float) -> Float:
    """What does not lie this way from a place of a picture (H x W, 0..1), but how soft (px) that ends."""
    return _within(_along(picture, at, way), soft)


def _along(picture: Float, at: NDArray[np.float64], way: NDArray[np.float64]) -> Float:
    """How far (px) each point of a picture lies this way (a unit vector) from a place."""
    y, x = np.indices(picture.shape[:2], dtype=np.float32)
    return np.asarray((x - at[0]) * way[0] + (y - at[1]) * way[1], np.float32)


def _within(far: Float, soft: float) -> Float:
    """1 where it is not as far as an edge (px), 0 beyond it, but how soft (px) that is."""
    return np.asarray(1 / (1 + np.exp(np.clip(2 * far / soft, -30, 30))), np.float32)


def jagged(random: Generator, image: Float) -> Float:
    """A picture (H x W x 3) that had been made smaller by leaving pixels out, and is as large again."""
    height, width = image.shape[:2]
    part = random.uniform(0.65, 0.95)
    fewer = (round(width * part), round(height * part))
    small = cv2.resize(image.astype(np.float32), fewer, interpolation=cv2.INTER_NEAREST_EXACT)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def smear(random: Generator, image: Float) -> Float:
    """A picture (H x W x 3) of what moved a little, or whose camera did."""
    length = int(random.integers(2, 11))
    kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
    angle = random.uniform(0, math.pi)
    reach = np.array([math.cos(angle), math.sin(angle)]) * length / 2
    start, end = (length - reach).round().astype(int), (length + reach).round().astype(int)
    kernel = np.asarray(cv2.line(kernel, start.tolist(), end.tolist(), 1.0, 1), np.float32)
    return np.asarray(cv2.filter2D(image.astype(np.float32), -1, kernel / kernel.sum()), np.float32)


def write(
    folder: Path, count: int, seed: int, draw: Callable[[Generator], tuple[Image, Float]], side: int = TILE
) -> None:
    """Write so many tiles into a folder; `dice.npy` comes last, and says that it is complete."""
    folder.mkdir(parents=True, exist_ok=True)
    tiles = np.lib.format.open_memmap(folder / "tiles.npy", "w+", np.uint8, (count, side, side, 3))
    dice = np.zeros((count, MOST, 8), np.float32)
    for number in range(count):
        tile, rows = draw(np.random.default_rng((seed, number)))
        tiles[number] = tile
        dice[number, : len(rows)] = rows
    tiles.flush()
    with whole(folder / "dice.npy") as file:
        np.save(file, dice)


def main() -> None:
    """Write a set of tiles."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rendered", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fine", action="store_true", help="for the third network")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    scenes, side = Scenes(args.rendered), TILE * (FINE if args.fine else 1)
    write(args.folder, args.count, args.seed, lambda random: draw_tile(random, scenes, side), side)


if __name__ == "__main__":
    main()
