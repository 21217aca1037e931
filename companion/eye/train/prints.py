"""Dice in rendered light (`lights`), printed anew again and again: from these the third network learns.

`python -m companion.eye.train.prints LIGHTS --out FOLDER --prints 40 --seed 1` writes NUMBER.npz, as `fields`
does. What a surface sends back is what is printed there times the light that falls on it, and what it mirrors
(Shafer: Using color to separate reflection components, 1985); so the light, which takes long, is made once.
"""

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.eye.face import SHOWN
from companion.eye.network import NO_PIPS, Image, cut_out
from companion.eye.train.artwork import FACE, Style, draw_kind, draw_set, lit
from companion.eye.train.compose import GAMMA
from companion.eye.train.numbered import all_in, write_whole
from companion.eye.train.proposals import OF_FACES, keep

WIDE = OF_FACES.wide  # px: side of what is cut out
STREAM = 33  # keeps these random numbers apart from those of the lights
STYLES = 5  # in a print
LEAST = 0.21  # of a die's size, squared, must be seen of its upper face: another one may hide it
HARD = 0.6  # so many of those with pips are, of up to MOST, the one whose pips are hardest to see
MOST = 5
SHEEN = (0.5, 1.5)  # how much more or less than rendered half of the prints mirror
DULL = (0.2, 1.0)  # how much less drilled pips mirror than the body, where they are deepest
SHINY = (0.3, 6.0)  # of its print's colour metal sends back less of the light, and more of what it mirrors
BRIGHT = (0.25, 1.8)  # of white: so bright what is nearly the brightest of a picture may be
SHOULDER, REACH = 0.35, 9.0  # so often a camera lets bright parts run out softly; up to so much light ...
LIFT = 1.5  # ... and what is dark is so much brighter then

Field = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Lit:
    """Dice in some light. H x W x 3 each, BGR, of white: what a white `matt` surface would send back, what is
    `mirrored` there, and the `whole` picture with blank dice. `atlas` (H x W x 2) is where in its atlas a
    point of a die lies (to the right and up, 0..1), `which` (H x W, uint8) the number of the die, from 1 on,
    or 0. `dice` are, of each, the side that lies uppermost, its middle and the die's size in pixels.
    """

    matt: Field
    mirrored: Field
    whole: Field
    atlas: Field
    which: NDArray[np.uint8]
    dice: tuple[tuple[int, tuple[float, float], float], ...]

    def save(self, path: Path) -> None:
        """Keep it in a file."""
        dice = np.array([(top, *middle, size) for top, middle, size in self.dice])
        matt, mirrored, whole = (each.astype(np.float16) for each in (self.matt, self.mirrored, self.whole))
        write_whole(
            path, matt=matt, mirrored=mirrored, whole=whole, atlas=self.atlas, which=self.which, dice=dice
        )

    @classmethod
    def load(cls, path: Path) -> "Lit":
        """What was kept."""
        with np.load(path) as kept:
            light = {name: kept[name].astype(np.float32) for name in ("matt", "mirrored", "whole")}
            dice = tuple((int(top), (x, y), size) for top, x, y, size in kept["dice"].tolist())
            return cls(atlas=kept["atlas"], which=kept["which"], dice=dice, **light)


def faces(field: Lit) -> NDArray[np.int64]:
    """Which side of which die a pixel shows, six numbers for each die; -1 where there is none."""
    across, down = (face.astype(np.int64) for _, face in _grid(field.atlas))
    return np.where(field.which > 0, (field.which.astype(np.int64) - 1) * 6 + down * 3 + across, -1)


def around(mask: NDArray[np.bool_]) -> tuple[slice, slice]:
    """The part of a picture (H x W) in which all that is marked lies."""
    x, y, wide, high = cv2.boundingRect(mask.astype(np.uint8))
    return np.s_[y : y + high, x : x + wide]


def _grid(atlas: Field) -> Iterator[tuple[Field, Field]]:
    """Where places of an atlas are, in faces, and in which one: across, and down."""
    for place, count in ((atlas[..., 0] * 3, 3), ((1 - atlas[..., 1]) * 2, 2)):
        yield place, np.clip(np.floor(place), 0, count - 1)


def printed(field: Lit, styles: list[Style], random: Generator) -> Field:
    """The picture (H x W x 3, BGR, of white) of those dice with these styles, one each."""
    out = field.whole.copy()
    sheen = random.uniform(*SHEEN) if random.random() < 0.5 else 1.0
    for number, style in enumerate(styles, 1):
        mine = field.which == number
        if not mine.any():
            continue
        part = around(mine)
        x, y = _places(field.atlas[part])
        colour = cv2.remap(_ink(style, random), x, y, cv2.INTER_LINEAR)
        mirrored = field.mirrored[part] * sheen
        if style.engraved > 0:
            marks = np.ascontiguousarray(style.atlas[..., 3])
            depth = cv2.remap(marks, x, y, cv2.INTER_LINEAR)[..., None] * style.engraved
            mirrored = mirrored * (1 - depth * random.uniform(*DULL))
        matt = field.matt[part] * colour
        if style.metallic:
            less, more = SHINY
            matt, mirrored = matt * less, mirrored * colour * more
        out[part] = np.where(mine[part][..., None], matt + mirrored, out[part])
    return out


def _places(atlas: Field) -> tuple[Field, Field]:
    """Pixels of an atlas, none of them between two faces."""
    x, y = (
        np.asarray(np.clip((place - face) * FACE - 0.5, 0, FACE - 1) + face * FACE, np.float32)
        for place, face in _grid(atlas)
    )
    return x, y


def _ink(style: Style, random: Generator) -> Field:
    """What part of the light each place of an atlas sends back (BGR), its marks sunk as in light."""
    colours = style.atlas[..., :3]
    if style.engraved:
        colours = lit(colours, style.relief, style.engraved, random.uniform(0, 2 * math.pi))
    return np.ascontiguousarray((np.clip(colours, 0, 1) ** GAMMA)[..., ::-1], np.float32)


def exposed(picture: Field, random: Generator) -> Image:
    """A picture (H x W x 3, of white) as one camera shows it."""
    small = cv2.resize(picture.max(axis=2), None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    bright = max(float(np.percentile(small, 99)), 1e-2)
    level = picture * (math.exp(random.uniform(*np.log(BRIGHT))) / bright)
    if random.random() < SHOULDER:
        level = level * (1 + level / REACH) / (1 + level) * LIFT
    return np.asarray(np.clip(level, 0, 1) ** (1 / GAMMA) * 255 + 0.5, np.uint8)


def shows(style: Style, side: int) -> int:
    """What a side of a die shows: 0 to 5 for its pips, or NO_PIPS."""
    return style.values[side] - 1 if style.values[side] else NO_PIPS


def cut_outs(field: Lit, prints: int, random: Generator) -> tuple[list[Image], list[int]]:
    """The upper faces of so many prints (WIDE x WIDE x 3 each), and what they show; but for those of which
    hardly anything is seen.
    """
    pictures, kinds, sides = [], [], faces(field)
    clear = [
        (sides == 6 * number + top).sum() >= LEAST * size**2
        for number, (top, _, size) in enumerate(field.dice)
    ]
    for _ in range(prints):
        drawn = [
            draw_set(random, draw_kind(random), HARD, int(random.integers(2, MOST + 1)))
            for _ in range(STYLES)
        ]
        styles = [drawn[int(random.integers(STYLES))] for _ in field.dice]
        picture = exposed(printed(field, styles, random), random)
        for (top, middle, size), style in compress(zip(field.dice, styles, strict=True), clear):
            pictures.append(cut_out(picture, middle, size, SHOWN, WIDE))
            kinds.append(shows(style, top))
    return pictures, kinds


def main() -> None:
    """Print from the command line; what is already there stays."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lights", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--prints", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    for path in all_in([args.lights], "*.npz"):
        if not (args.out / path.name).exists():
            random = np.random.default_rng((STREAM, args.seed, int(path.stem)))
            keep(args.out / path.name, *cut_outs(Lit.load(path), args.prints, random))


if __name__ == "__main__":
    main()
