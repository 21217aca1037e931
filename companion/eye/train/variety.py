"""A cut-out as other cameras and lamps would show it: so all networks but the first learn of it."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.eye.network import Float, Image
from companion.eye.train.compose import GAMMA, SHADE, beyond, glints, mirrored, shine, smear

PART = (0.12, 0.43)  # of a die's size, from and to, is a part of one that is shown as if it were as large
GLOSS = (0.03, 1.1)  # of white: so bright a lamp is in what mirrors it ...
HALF_LIT = (0.03, 0.8)  # ... and in one half of a face
VEIL = (0.005, 0.06)  # of white: so much is mirrored where there is shade
# In sizes of a die, from and to:
EDGE = (-0.25, 0.2)  # from its middle to where the light on it changes
SOFT = (0.01, 0.12)  # how far it does so
ASIDE = (0.0, 0.22)  # how far from its middle it is found, if one half looks like a whole face ...
NEARER = (0.0, 0.28)  # ... and how much larger it then seems (logarithm)

Range = tuple[float, float]
Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variety:
    """How differently other cameras may see a cut-out: how often, and how far it goes; some of it never."""

    size: float  # standard deviation, of its logarithm
    push: float  # standard deviation, in sizes of the die
    astray: Range = (0.0, 0.0)  # how often it is much more, and what then
    parted: float = 0.0  # how often one half of a face lies in another light, and is perhaps what was found
    coarser: tuple[float, float, float]  # how often; the fewest and the most of its pixels that are left
    blurred: tuple[float, float, float]  # how often; from and to, in pixels that are left
    dark: tuple[float, float, float] = (0.0, 0.0, 0.0)  # how often; by how many stops, from and to
    shine: float = 0.0
    gloss: float = 0.0  # how often a lamp is mirrored in a part of it, often but for some points there
    glints: float = 0.0  # how often one is mirrored in points as small as pips, as rounded corners do
    smear: float = 0.0
    light: float  # how much lighter or darker
    shift: float  # how much is added or taken
    noise: tuple[float, float, float]  # how often; from and to, of white
    jpeg: float = 0.0
    mirror: float = 0.5  # how often it is seen in a mirror, and in other colours: what has pips is the same
    recolour: float = 0.2


class _Parted(NamedTuple):
    """A face of which one half was found: `way` (a unit vector) that one lies from the face's middle, `aside`
    (px) the middle of what was found, and `edge` (px) the place where the light changes.
    """

    way: Vector
    aside: float
    edge: float

    @classmethod
    def draw(cls, random: Generator, size: float) -> "_Parted":
        turn = random.uniform(0, 2 * math.pi)
        way = np.array([math.cos(turn), math.sin(turn)])
        return cls(way, random.uniform(*ASIDE) * size, random.uniform(*EDGE) * size)


def part_of(random: Generator, cut: Image, size: int) -> Image:
    """A part of the die of a size (px) in the middle of a cut-out, or of its edge, made as large as a die."""
    middle = _middle(cut)
    zoom = 1 / math.exp(random.uniform(*np.log(PART)))
    at = middle + random.uniform(-0.5, 0.5, 2) * size
    how = np.column_stack([np.eye(2) * zoom, middle - zoom * at])
    part = cv2.warpAffine(cut, how, cut.shape[1::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(part, np.uint8)


def varied(cut: Image, variety: Variety, side: int, shown: int, random: Generator) -> Float:
    """The middle of a cut-out (side x side x 3, 0..1), where a die measures `shown` of the pixels, as another
    camera might have seen it: turned, pushed, mirrored, coarser, in other light.
    """
    often, least, most = variety.coarser
    few = side  # fewer pixels, as far dice have; what a camera adds is as coarse
    if random.random() < often:
        few = max(18, round(side * math.exp(random.uniform(math.log(least), math.log(most)))))
    size = shown * few / side
    parted = _Parted.draw(random, size) if random.random() < variety.parted else None
    wide = round(len(cut) * few / side)
    small = np.asarray(cv2.resize(cut, (wide, wide), interpolation=cv2.INTER_AREA), np.uint8)
    level = _moved(small, few, size, variety, parted, random)
    often, least, most = variety.blurred
    if random.random() < often:
        level = np.asarray(cv2.GaussianBlur(level, (0, 0), random.uniform(least, most)), np.float32)
    often, least, most = variety.dark
    changes = random.random(4) < (often, variety.shine, variety.gloss, variety.glints)
    if parted or changes.any():
        dark, shines, glossy, in_points = changes
        linear = level**GAMMA
        if parted:
            _part(random, linear, size, parted)
        if dark:
            linear *= np.float32(2.0 ** -random.uniform(least, most))
        if shines:
            shine(random, linear, (few / 2 - 0.5,) * 2, size)
        if glossy:
            _gloss(random, linear, size)
        if in_points:
            glints(random, linear, (few / 2 - 0.5,) * 2, size)
        level = np.clip(linear, 0, 1) ** np.float32(1 / GAMMA)
    if random.random() < variety.smear:
        level = smear(random, level)
    light = 1 + random.uniform(-variety.light, variety.light)
    level *= np.asarray(light * random.uniform(0.9, 1.1, 3), np.float32)
    level = np.clip(level + random.uniform(-variety.shift, variety.shift), 0, 1)
    if random.random() < 0.5:
        level = level ** random.uniform(0.7, 1.4)
    if random.random() < variety.recolour:
        level = level[..., random.permutation(3)]
    often, least, most = variety.noise
    if random.random() < often:  # most where it is bright, as of frames
        grain = random.uniform(least, most) * (0.4 + level)
        level = level + grain * random.standard_normal(level.shape, np.float32)
    level = np.asarray(np.clip(level, 0, 1), np.float32)
    if random.random() < variety.jpeg:
        level = _as_jpeg(level, random)
    return np.asarray(cv2.resize(level, (side, side), interpolation=cv2.INTER_LINEAR), np.float32)


def _moved(
    cut: Image, few: int, size: float, variety: Variety, parted: _Parted | None, random: Generator
) -> Float:
    """The middle of a cut-out (few x few x 3, 0..1) in which a die has a size (px): turned, pushed, perhaps
    mirrored, smaller or larger.
    """
    if random.random() < variety.mirror:
        cut = cut[:, ::-1]
    turn = random.uniform(0, 360) if random.random() < 0.6 else random.normal(0, 8)
    often, far = variety.astray
    pushed = (far if random.random() < often else variety.push) * size
    zoom, push = random.normal(0, variety.size), (few - len(cut)) / 2 + random.normal(0, pushed, 2)
    if parted:
        zoom += random.uniform(*NEARER)
        push -= parted.way * parted.aside
    how = cv2.getRotationMatrix2D(_middle(cut).tolist(), turn, math.exp(zoom))
    how = how + np.column_stack([np.zeros((2, 2)), push])
    small = np.ascontiguousarray(cut)
    seen = cv2.warpAffine(small, how, (few, few), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32) / np.float32(255)


def _part(random: Generator, linear: Float, size: float, parted: _Parted) -> None:
    """Let the other half of a face (linear light) that has a size (px), or a corner of it, mirror a lamp, or
    lie in the shade; or be the one that does not mirror a lamp, in a die of metal.
    """
    soft = size * math.exp(random.uniform(*np.log(SOFT)))
    at = _middle(linear) + parted.way * (parted.edge - parted.aside)
    mask = beyond(linear, at, parted.way, soft)
    if random.random() < 0.4:
        beside = parted.way[::-1] * random.choice([(-1, 1), (1, -1)])
        mask *= beyond(linear, at + beside * random.uniform(-0.1, 0.4) * size, beside, soft)
    if random.random() < 0.5:
        mask = _in_points(random, mask, size) if random.random() < 0.3 else mask
        linear += mask[..., None] * _lamp(random, HALF_LIT)
    else:
        dark = math.exp(random.uniform(*np.log(SHADE)))
        linear *= 1 - mask[..., None] * np.float32(1 - dark)
        linear += mask[..., None] * _lamp(random, VEIL)


def _gloss(random: Generator, linear: Float, size: float) -> None:
    """Let a part of what is in the middle of a picture (linear light, 0..1), of a size (px), mirror a lamp:
    evenly, or as satin, glitter and a renderer's noise do, in some points and in others not.
    """
    x, y = (float(side / 2 - 0.5 + random.normal(0, 0.3 * size)) for side in linear.shape[1::-1])
    wide, high = np.maximum(1, random.uniform(0.15, 0.8, 2) * size).tolist()
    box = ((x, y), (2 * wide, 2 * high), random.uniform(0, 180))
    mask = mirrored(linear, box, oval=random.random() < 0.4)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.3 + size * random.uniform(0, 0.25)), np.float32)
    mask = _in_points(random, mask, size) if random.random() < 0.6 else mask
    linear += mask[..., None] * _lamp(random, GLOSS)


def _in_points(random: Generator, mask: Float, size: float) -> Float:
    """The same part of what has a size (px), but there only some points mirror the lamp."""
    points = int(random.choice([1, 2, 4, 8]))  # in a pixel
    mirror = random.binomial(points, np.clip(mask * random.uniform(0.3, 1), 0, 1)) / points
    grain = max(0.25, random.uniform(0.003, 0.014) * size)
    return np.asarray(cv2.GaussianBlur(mirror.astype(np.float32), (0, 0), grain), np.float32)


def _lamp(random: Generator, bright: Range) -> Float:
    """The colour of what mirrors a lamp, so bright from and to (of white): nearly white."""
    return np.asarray(math.exp(random.uniform(*np.log(bright))) * random.uniform(0.85, 1, 3), np.float32)


def _as_jpeg(level: NDArray[np.floating[Any]], random: Generator) -> Float:
    """What is left after a camera has compressed it."""
    shot = np.ascontiguousarray(level * 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(60, 95))])[1]
    return np.asarray(np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR)) / 255, np.float32)


def _middle(picture: cv2.typing.MatLike) -> Vector:
    return np.array(picture.shape[1::-1]) / 2 - 0.5
