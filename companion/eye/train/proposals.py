"""What the eye takes for dice, cut out: from that the second network learns.

`python -m companion.eye.train.proposals TILES... --model eye.onnx --out FOLDER` shows tiles to the first
network and writes FOLDER/NAME.npz for each folder of tiles: `pictures` (N x WIDE x WIDE x 3, uint8, BGR),
each wider than it will be looked at, so that it can be turned and pushed, and `kinds` (N): the classes of
compose, or NO_DIE. What the eye has overlooked is cut out as well. With --faces it is for the third network:
out of tiles that are FINE times as large, and without what that one does not know.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from companion.eye import face, network, opinion
from companion.eye.network import NO_PIPS, Found, Image, cut_out, find
from companion.eye.read import NO_DIE
from companion.eye.train.compose import FINE, TILE, Float
from companion.eye.train.numbered import all_in, write_whole

SAME, APART = 0.3, 0.45  # of a die's size: nearer to its middle it is that die, farther away it is none
SUSPECT = 0.25  # how sure the eye is of what is always learned from though it is none; of the rest ...
REST = 0.3  # ... this part
AGAIN = 0.3  # part of the dice that were found and are cut out once more, where they really are

Cut = tuple[Image, int]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a network learns from: how large a die is `shown` and how `wide` what is cut out is, in pixels,
    which of compose's classes and NO_DIE it tells apart, in its order (nothing else is cut out), and how
    small dice can still be read.
    """

    shown: int
    wide: int
    kinds: tuple[int, ...]
    smallest: int


OF_OPINION = Wanted(opinion.SHOWN, round(2.4 * opinion.SHOWN), tuple(range(NO_DIE + 1)), 13)
OF_FACES = Wanted(face.SHOWN, 2 * face.SHOWN, (*range(NO_PIPS + 1), NO_DIE), FINE * OF_OPINION.smallest)


def proposals(tile: Image, dice: Float, random: Generator, wanted: Wanted = OF_OPINION) -> Iterator[Cut]:
    """What is seen in a tile (H x W x 3) with these dice (rows as in compose), and what it is."""
    sizes = dice[:, 2:6].sum(axis=1) / 2
    seen: list[tuple[float, float]] = []
    for found in find(tile, side=TILE):
        kind = _kind(found, dice, sizes)
        if kind is None or (kind == NO_DIE and found.sure < SUSPECT and random.random() > REST):
            continue
        seen.append(found.centre)
        if kind in wanted.kinds:
            cut = cut_out(tile, found.centre, found.size, wanted.shown, wanted.wide)
            yield cut, wanted.kinds.index(kind)
    for die, size in zip(dice, sizes.tolist(), strict=True):
        known = any(np.hypot(x - die[0], y - die[1]) < SAME * size for x, y in seen)
        if die[6] in wanted.kinds and size >= wanted.smallest and (not known or random.random() < AGAIN):
            x, y = (die[:2] + random.normal(0, 0.06 * size, 2)).tolist()
            size *= float(np.exp(random.normal(0, 0.1)))
            yield cut_out(tile, (x, y), size, wanted.shown, wanted.wide), wanted.kinds.index(int(die[6]))


def keep(target: Path, pictures: list[Image], kinds: list[int]) -> None:
    """Keep what is cut out, if anything, and what each is, in a file: whole or not at all."""
    write_whole(target, pictures=np.array(pictures, np.uint8), kinds=np.array(kinds, np.int8))


def _kind(found: Found, dice: Float, sizes: Float) -> int | None:
    """What it is that was found; None where nobody can say."""
    if not len(dice):
        return NO_DIE
    away = np.hypot(dice[:, 0] - found.centre[0], dice[:, 1] - found.centre[1]) / np.maximum(sizes, 3)
    nearest = int(np.argmin(away))
    if away[nearest] < SAME:
        return int(dice[nearest, 6]) if dice[nearest, 6] >= 0 else None
    unclear = away[nearest] < APART or bool((away[dice[:, 6] < 0] < 0.8).any())
    return None if unclear else NO_DIE


def main() -> None:
    """Cut out of all tiles of some folders, and of the folders in them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tiles", type=Path, nargs="+")
    parser.add_argument("--model", type=Path, default=network.MODEL)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faces", action="store_true", help="for the third network")
    args = parser.parse_args()
    network.MODEL, wanted = args.model, OF_FACES if args.faces else OF_OPINION
    args.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    every = all_in(args.tiles, "**/dice.npy")
    names = ["-".join(done.parts[-3:-1]) for done in every]
    if len(set(names)) < len(names):
        parser.error("two folders of tiles have the same name")
    for number, (done, name) in enumerate(zip(every, names, strict=True)):
        target = args.out / f"{name}.npz"
        if target.exists():
            continue
        tiles, known = np.load(done.with_name("tiles.npy"), mmap_mode="r"), np.load(done)
        random = np.random.default_rng((args.seed, number))
        cuts = [
            cut
            for tile, dice in zip(tiles, known, strict=True)
            for cut in proposals(np.asarray(tile), dice[dice[:, 7] > 0], random, wanted)
        ]
        keep(target, [cut for cut, _ in cuts], [kind for _, kind in cuts])
        count = np.bincount([kind for _, kind in cuts], minlength=len(wanted.kinds))
        print(target.name, len(cuts), count, flush=True)


if __name__ == "__main__":
    main()
