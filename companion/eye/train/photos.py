"""Tiles of real photographs whose licence allows it.

`python -m companion.eye.train.photos LABELLED FOLDER --count 4000` cuts them out of a folder of labelled
pictures (`labels.json` as `companion bench eye` reads it), in any size, turned and mirrored, and writes them
as `compose` does: in a folder below those of the other tiles they are learned from, too. With `--sources
NAME...` only the pictures of those are used.
"""

import argparse
import math
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from companion.bench import Labelled, LabelsError, labelled
from companion.eye.network import Image
from companion.eye.train.compose import GAMMA, MOST, TILE, Float, framed, photograph, turned, write
from companion.eye.train.numbered import load
from companion.language import Texts, verbatim


def photos(folder: Path, sources: Sequence[str] | None = None) -> list[Labelled]:
    """The pictures that show dice, of some sources or of all. Raises `LabelsError` if there are none."""
    wanted = [each for each in labelled(folder) if sources is None or each.source in sources]
    if not (found := [each for each in wanted if each.dice]):
        raise LabelsError(verbatim("it names no picture with dice, or none of these sources"))
    return found


_open = lru_cache(maxsize=64)(load)


def draw_photo(random: Generator, known: Sequence[Labelled], side: int = TILE) -> tuple[Image, Float]:
    """A part of a photograph, with rows of dice as in `compose`."""
    photo = known[int(random.integers(len(known)))]
    picture = _open(photo.path)
    boxes = np.array([die["box"] for die in photo.dice], np.float64)
    size = float(np.median((boxes[:, 2] - boxes[:, 0] + boxes[:, 3] - boxes[:, 1]) / 2))
    wanted = float(
        random.choice([random.uniform(26, 54), math.exp(random.uniform(math.log(8), math.log(130)))])
    )
    scale = min(wanted / size, 1.5)
    centre = boxes[int(random.integers(len(boxes)))].reshape(2, 2).mean(axis=0)
    centre += random.uniform(-0.42, 0.42, 2) * side / scale
    matrix = framed(random, centre, turned(random, 15), scale, side)
    if scale < 0.7:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.45 / scale), np.uint8)
    tile = cv2.warpAffine(
        picture, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    high, wide = picture.shape[:2]
    rows = []
    for die in photo.dice:
        x0, y0, x1, y1 = die["box"]
        x, y = matrix @ (*die.get("center", ((x0 + x1) / 2, (y0 + y1) / 2)), 1)
        half = scale * np.array([x1 - x0, y1 - y0]) / 2
        if not (0 <= x < side and 0 <= y < side):
            continue
        inside = (half < (x, y)).all() and (half < (side - x, side - y)).all()
        whole = x0 > 1 and y0 > 1 and x1 < wide - 2 and y1 < high - 2
        unsure = die.get("ignore") or not inside or not whole or half.sum() < 7
        kind = -1 if unsure else die["face"] - 1
        rows.append((x, y, half[0], half[1], half[0], half[1], kind, 1))
    linear = (np.asarray(tile, np.float32) / 255) ** GAMMA
    return photograph(random, linear), np.array(rows[:MOST], np.float32).reshape(-1, 8)


def main() -> None:
    """Write a set of tiles."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("labelled", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sources", nargs="+")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    try:
        known = photos(args.labelled, args.sources)
    except LabelsError as error:
        parser.error(Texts("en").say(error.message))
    write(args.folder, args.count, args.seed, lambda random: draw_photo(random, known))


if __name__ == "__main__":
    main()
