"""What is rendered is numbered: each number is the same picture again, and what is there already stays."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye.network import Image
from companion.whole import whole


def render_all(about: str | None, render: Callable[..., None], count: int, seed: int, **flags: str) -> None:
    """The command line of a renderer, which is given a folder, a number and a seed; it leaves NUMBER.json.

    `flags` are what else it may be told, and what they mean.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=seed)
    for flag, meaning in flags.items():
        parser.add_argument(f"--{flag}", action="store_true", help=meaning)
    args = parser.parse_args()
    told = {flag: getattr(args, flag) for flag in flags}
    args.folder.mkdir(parents=True, exist_ok=True)
    for number in range(args.first, args.first + args.count):
        if not (args.folder / f"{number:05}.json").exists():
            render(args.folder, number, args.seed, **told)


def all_in(folders: Sequence[Path], pattern: str) -> list[Path]:
    """The files of some folders, in order; without any there is nothing to do, and the program ends."""
    found = sorted(path for folder in folders for path in folder.glob(pattern))
    if not found:
        sys.exit(f"there is no {pattern} in {', '.join(map(str, folders))}")
    return found


def load(path: Path) -> Image:
    """A picture (H x W x 3, BGR). Raises OSError if there is none."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise OSError(f"{path}: no picture")
    return np.asarray(picture, np.uint8)


def write_whole(target: Path, **arrays: NDArray[np.generic]) -> None:
    """Keep arrays in a file (npz): whole, or not at all."""
    with whole(target) as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]


def write_known(target: Path, known: object, *pictures: Path) -> None:
    """Keep what is known of pictures (JSON), whole or not at all: by that they count as done.

    Raises OSError if a picture is not whole: of a full disk Blender says nothing.
    """
    for picture in pictures:
        if cv2.imread(str(picture)) is None:
            raise OSError(f"{picture} was not written whole: is the disk full?")
    with whole(target) as file:
        file.write(json.dumps(known).encode())
