"""`companion read` and `companion bench`: the eye on the command line."""

import argparse
import itertools
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import bench, troubles
from companion.config import data_dir, program
from companion.dicebox import NAME, DiceBox
from companion.eye import Die, annotate, read
from companion.eye.arrange import Arrangement, arrange
from companion.eye.draw import annotate_tiles
from companion.eye.network import inside
from companion.eye.read import look
from companion.eye.signs import signed
from companion.eye.taught import Taught
from companion.eye.tiles import Tile, see_tiles
from companion.eye.words import TILE_NAMES
from companion.language import Message, Texts, ToldError, mark
from companion.whole import named
from hardware.camera import PictureError, decode


def read_pictures(options: argparse.Namespace, texts: Texts) -> int:
    """Print one JSON object a picture; 1 if any of them could not be read."""
    taught = None if options.taught is None else _taught(options.taught)
    reader = _Tiles(texts) if options.tiles else _Dice(taught)
    lines = [_read_one(path, reader, options.annotate, texts) for path in options.images]
    return int(any("error" in line for line in lines))


def _taught(name: str) -> Taught:
    """The die of a name. Raises `ToldError`."""
    box = dicebox()
    if not NAME.fullmatch(name) and name not in box.names():  # a file may have been renamed
        raise ToldError(troubles.no_name(name))
    try:
        return box.load(name)
    except (OSError, ValueError) as error:
        why, known = troubles.not_taught(name, error), box.names()
        if isinstance(error, FileNotFoundError) and known:
            fields = {"why": why, "names": ", ".join(known)}
            why = Message(mark("{why} Dice that were taught: {names}"), fields)
        raise ToldError(why) from error


def dicebox() -> DiceBox:
    """The dice that were taught."""
    return DiceBox(data_dir() / "dice")


class _Reader(Protocol):
    """What is looked for in a picture."""

    def read(self, frame: NDArray[np.uint8]) -> dict[str, Any]:
        """What the line says of it."""

    def annotate(self, frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The picture with what was read last drawn over it."""


class _Dice:
    """The dice, and the faces of one that was taught: what shows one of these shows no pips."""

    def __init__(self, taught: Taught | None) -> None:
        self.taught = taught
        self.dice: Sequence[Die] = ()
        self.signs: Sequence[Die] = ()

    def read(self, frame: NDArray[np.uint8]) -> dict[str, Any]:
        self.dice, ms = _timed(read, frame)
        line: dict[str, Any] = {}
        if self.taught is not None:
            self.signs = [die for die in signed(frame, look(frame), self.taught)[0] if die.sign]
            self.dice = [d for d in self.dice if not any(inside(d.center, sign.box) for sign in self.signs)]
            line = {"taught": [_plain_sign(die) for die in self.signs]}
        return {"dice": [_plain(die) for die in self.dice], "ms": ms, **line}

    def annotate(self, frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return annotate(frame, (*self.dice, *self.signs))


class _Tiles:
    """The tiles, in the order in which they lie."""

    def __init__(self, texts: Texts) -> None:
        self.found = Arrangement()
        self._names: dict[str, str] = {colour: texts(n).lower() for colour, n in TILE_NAMES.items()}

    def read(self, frame: NDArray[np.uint8]) -> dict[str, Any]:
        self.found, ms = _timed(lambda frame: arrange(see_tiles(frame)), frame)
        return {
            "tiles": [_plain_tile(tile) for tile in self.found.tiles],
            "order": "ring" if self.found.ring else "rows",
            **({"holes": list(self.found.holes)} if any(self.found.holes) else {}),
            **({"apart": [_plain_tile(tile) for tile in self.found.apart]} if self.found.apart else {}),
            "ms": ms,
        }

    def annotate(self, frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return annotate_tiles(frame, self.found, self._names)


Result = TypeVar("Result")


def _timed(reader: Callable[[NDArray[np.uint8]], Result], frame: NDArray[np.uint8]) -> tuple[Result, float]:
    """What a look finds, and how many milliseconds it took."""
    begin = time.perf_counter()
    found = reader(frame)
    return found, round((time.perf_counter() - begin) * 1000, 1)


def _read_one(path: str, reader: _Reader, folder: Path | None, texts: Texts) -> dict[str, Any]:
    """Read one picture and print its line."""
    line: dict[str, Any] = {"image": os.fsencode(path).decode("utf-8", "backslashreplace")}
    try:
        frame = decode(Path(path))
        line |= reader.read(frame)
        if folder:
            _annotate(reader.annotate(frame), folder, Path(path))
    except PictureError as error:
        line["error"] = texts.say(troubles.picture(error.kind.name))
    except OSError as error:
        line["error"] = texts.say(troubles.writing(error))
    print(json.dumps(line, ensure_ascii=False), flush=True)
    return line


def _plain_sign(die: Die) -> dict[str, Any]:
    """A die that was taught as JSON has it."""
    return {"face": die.sign, "center": _pixels(die.center), **_sureness(die)}


def _plain(die: Die) -> dict[str, Any]:
    """A die as JSON has it."""
    return {
        "face": die.face,
        "center": _pixels(die.center),
        "box": _pixels(die.box),
        "colour": die.colour,
        **_sureness(die),
        **({"cocked": True} if die.cocked else {}),
        **({"cuboid": True} if die.cuboid else {}),
    }


def _plain_tile(tile: Tile) -> dict[str, Any]:
    """A tile as JSON has it."""
    return {
        "colour": tile.colour,
        "center": _pixels(tile.center),
        "corners": [_pixels(corner) for corner in tile.corners],
        "confidence": round(tile.confidence, 3),
    }


def _pixels(place: Sequence[float]) -> list[float]:
    """A tenth of a pixel is enough."""
    return [round(value, 1) for value in place]


def _sureness(die: Die) -> dict[str, Any]:
    return {"confidence": round(die.confidence, 3), **({} if die.known else {"known": False})}


def _annotate(picture: NDArray[np.uint8], folder: Path, path: Path) -> None:
    """Write a picture to `folder` under a name that is free."""
    names = (folder / f"{path.stem}{f'-{n}' if n else ''}.png" for n in itertools.count())
    target = next(name for name in names if not name.exists())
    _, encoded = cv2.imencode(".png", picture)
    with named(target) as file:
        file.write(encoded.tobytes())


def measure(options: argparse.Namespace, texts: Texts) -> int:
    """Measure the eye: its times, and how often it is right over a folder of labelled pictures; 1 if any of
    them could not be read.
    """
    bench.one_core()
    frames = _Frames(texts)
    try:
        pictures = bench.labelled(options.folder)
        for line in bench.report(frames.of(pictures), texts, options.varied):
            print(line, flush=True)
    except bench.LabelsError as error:
        raise ToldError(troubles.no_labels(options.folder, error.message)) from error
    return int(frames.torn)


class _Frames:
    """Pictures to be measured on; those that cannot be read are named and left out, and `torn` is so."""

    def __init__(self, texts: Texts) -> None:
        self.torn = False
        self._texts = texts

    def of(self, pictures: Sequence[bench.Labelled]) -> Iterator[tuple[bench.Labelled, NDArray[np.uint8]]]:
        for picture in pictures:
            try:
                yield picture, decode(picture.path)
            except PictureError as error:
                self.torn = True
                why = self._texts.say(troubles.picture_file(picture.path, error.kind.name))
                print(f"{program()}: {why}", file=sys.stderr, flush=True)
