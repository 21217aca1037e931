"""Looks at faces with any figures, to learn from which of them are at the same face.

`python -m companion.eye.train.looks LIGHTS FOLDER --seed 1` prints sets of six figures (`figures`) on dice in
rendered light (`lights`), each set in several lights, and draws others flat; each face is then seen by some
cameras. FOLDER/NUMBER.npz: `looks` (N x scales x 3 x RINGS x ANGLES, 16 bits), `faces` (N): six times
the number of the set and that of the face, and `blank` (N).
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from companion.eye.network import Image, cut_out
from companion.eye.taught import Looks, looks_at
from companion.eye.train.artwork import Style, lit, rgb, square
from companion.eye.train.compose import GAMMA
from companion.eye.train.figures import draw_figures
from companion.eye.train.numbered import all_in, write_whole
from companion.eye.train.prints import Lit, exposed, faces, printed
from companion.eye.train.variety import Variety, varied

SHOWN, WIDE = 80, 144  # px: size of a face in a cut-out, and its side ...
SIDE = 112  # ... and of what is looked at
SCALES = (0.95, 1.13, 1.35)  # of a face's size is what is found: a box around a turned die is larger
STREAM = 43  # keeps these random numbers apart from those of the lights and the sets
TOGETHER = 2  # sets in a print
VIEWS = 8  # lights in which a set is seen
CAMERAS = 4  # of each view
FLAT_SETS = 40  # sets that are drawn, for each light
FLAT_VIEWS = 6
LEAST = 0.6  # of the usual area of a face must be seen of one
VARIETY = Variety(
    size=0.05,
    push=0.06,  # of where it lies, what finds it errs by as much
    coarser=(0.7, 0.25, 1.0),
    blurred=(0.5, 0.3, 1.6),
    dark=(0.15, 0.3, 2.0),
    gloss=0.5,
    glints=0.15,
    smear=0.05,
    light=0.3,
    shift=0.06,
    noise=(0.7, 0.004, 0.03),
    jpeg=0.4,
    mirror=0.0,  # who sees it in a mirror, or in another colour, sees another face
    recolour=0.0,
)


def drawn(seed: int, number: int) -> Style:
    """A set, which is the same whenever it is asked for."""
    return draw_figures(np.random.default_rng((seed, 41, number)))


def in_light(field: Lit, styles: Sequence[Style], random: Generator) -> Iterator[tuple[int, int, Image]]:
    """Cut-outs (WIDE x WIDE x 3) of the faces of some sets in a field: which set, the face, the picture."""
    sides = faces(field)
    areas = [int((sides == 6 * n + top).sum()) for n, (top, _, _) in enumerate(field.dice)]
    whole = float(np.median(areas))
    each = [(number, face) for number in range(len(styles)) for face in range(6)]
    shown = [each[i] for i in random.permutation(len(each))]
    shown = [shown[i % len(shown)] for i in range(len(field.dice))]
    styles = [
        _upwards(styles[number], top, face)
        for (number, face), (top, _, _) in zip(shown, field.dice, strict=True)
    ]
    picture = exposed(printed(field, styles, random), random)
    for (number, face), (_, middle, _), area in zip(shown, field.dice, areas, strict=True):
        if area > LEAST * whole:
            yield number, face, cut_out(picture, middle, math.sqrt(area), SHOWN, WIDE)


def _upwards(style: Style, top: int, face: int) -> Style:
    """A die whose side `top` bears a face."""
    atlas, relief = style.atlas.copy(), style.relief.copy()
    atlas[square(top)], relief[square(top)] = style.atlas[square(face)], style.relief[square(face)]
    return replace(style, atlas=atlas, relief=relief)


def flat(style: Style, face: int, random: Generator) -> Image:
    """A face as if it were drawn on a floor of any colour (WIDE x WIDE x 3)."""
    tile = np.ascontiguousarray(style.atlas[square(face)][..., :3])
    if style.engraved:
        tile = lit(tile, style.relief[square(face)], style.engraved, random.uniform(0, 2 * math.pi))
    small = cv2.resize(tile, (SHOWN, SHOWN), interpolation=cv2.INTER_AREA)
    picture = np.empty((WIDE, WIDE, 3), np.float32)
    picture[:] = rgb(random.random(), random.uniform(0, 0.7), random.uniform(0.05, 0.95))
    start = (WIDE - SHOWN) // 2
    picture[start : start + SHOWN, start : start + SHOWN] = small
    y, x = np.mgrid[:WIDE, :WIDE].astype(np.float32) / WIDE - 0.5
    turn = random.uniform(0, 2 * math.pi)
    slope = random.uniform(0, 1.2) * (x * math.cos(turn) + y * math.sin(turn))
    tint = random.uniform(0.85, 1, 3).astype(np.float32)
    light = picture**GAMMA * (1 + slope)[..., None] * random.uniform(0.3, 1.2) * tint
    seen = np.asarray(np.clip(light, 0, 1)[..., ::-1] ** (1 / GAMMA) * 255 + 0.5, np.uint8)
    # From the side it is less high than wide.
    squeeze = np.diag([1.0, math.cos(min(abs(random.normal(0, 0.35)), 0.9))])
    roll = cv2.getRotationMatrix2D((0, 0), random.uniform(0, 360), 1.0)[:, :2]
    how = roll.T @ squeeze @ roll
    middle = np.full(2, WIDE / 2 - 0.5)
    matrix = np.column_stack([how, middle - how @ middle])
    return np.asarray(cv2.warpAffine(seen, matrix, (WIDE, WIDE), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def looks(picture: Image, random: Generator) -> Looks:
    """What one camera sees of a cut-out (len(SCALES) x 3 x RINGS x ANGLES)."""
    seen = varied(picture, VARIETY, SIDE, SHOWN, random)
    frame = np.asarray(seen * 255 + 0.5, np.uint8)
    middle = SIDE / 2 - 0.5
    return looks_at(frame, (middle, middle), SHOWN, SCALES)


def faces_seen(
    field: Lit, rendered: Sequence[int], flats: Sequence[int], seed: int, random: Generator
) -> Iterator[tuple[Looks, int, bool]]:
    """Looks at the faces of some sets, in light and flat; which face each is at, and whether it is blank."""

    def seen(name: int, style: Style, face: int, picture: Image) -> tuple[Looks, int, bool]:
        blank = not style.atlas[square(face)][..., 3].any()
        return looks(picture, random), 6 * name + face, blank

    for start in range(0, len(rendered), TOGETHER):
        names = rendered[start : start + TOGETHER]
        styles = [drawn(seed, name) for name in names]
        for which, face, picture in in_light(field, styles, random):
            for _ in range(CAMERAS):
                yield seen(names[which], styles[which], face, picture)
    for name in flats:
        style = drawn(seed, name)
        for face in range(6):
            for _ in range(FLAT_VIEWS):
                yield seen(name, style, face, flat(style, face, random))


def main() -> None:
    """Write looks for each field of light; what is already there stays."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lights", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--sets", type=int, default=50, help="in each light")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    paths = all_in([args.lights], "*.npz")
    count = len(paths) * args.sets // VIEWS
    random = np.random.default_rng((args.seed, STREAM))
    seen = min(VIEWS, len(paths))
    lights = [random.choice(len(paths), seen, replace=False) for _ in range(count)]
    for number, path in enumerate(paths):
        out = args.out / f"{number:04}.npz"
        if out.exists():
            continue
        random = np.random.default_rng((args.seed, STREAM + 1, number))
        rendered = [name for name in range(count) if number in lights[name]]
        flats = range(count + number * FLAT_SETS, count + (number + 1) * FLAT_SETS)
        found = list(faces_seen(Lit.load(path), rendered, flats, args.seed, random))
        write_whole(
            out,
            looks=np.array([each for each, _, _ in found], np.float16),
            faces=np.array([face for _, face, _ in found], np.int64),
            blank=np.array([blank for _, _, blank in found]),
        )
        print(out.name, len(found), flush=True)


if __name__ == "__main__":
    main()
