"""`companion read` and `companion bench`: the eye on the command line."""

import argparse
import itertools
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import bench, troubles
from companion.config import data_dir
from companion.dicebox import DiceBox
from companion.eye import Die, annotate, read
from companion.eye.network import find
from companion.eye.taught import Taught, tell
from companion.language import Texts
from hardware.camera import PictureError, decode


def read_pictures(options: argparse.Namespace, texts: Texts) -> int:
    """Print one JSON object a picture; 1 if any of them could not be read."""
    taught = None
    if options.taught:
        try:
            taught = dicebox().load(options.taught)
        except (OSError, ValueError) as error:
            print(texts.say(troubles.not_taught(options.taught, str(error))), file=sys.stderr)
            return 2
    lines = [_read_one(path, options.annotate, taught, texts) for path in options.images]
    return int(any("error" in line for line in lines))


def dicebox() -> DiceBox:
    """The dice that were taught."""
    return DiceBox(data_dir() / "dice")


def _read_one(path: str, annotate: Path | None, taught: Taught | None, texts: Texts) -> dict[str, Any]:
    """Read one picture and print its line."""
    line: dict[str, Any] = {"image": path}
    try:
        frame = decode(Path(path))
        begin = time.perf_counter()
        dice = read(frame)
        line |= {"dice": [_plain(die) for die in dice], "ms": round((time.perf_counter() - begin) * 1000, 1)}
        if taught:
            line["taught"] = list(_told(taught, frame))
        if annotate:
            _annotate(frame, dice, annotate, Path(path))
    except PictureError as error:
        line["error"] = texts.say(troubles.picture(error.kind.name))
    except OSError as error:
        line["error"] = texts.say(troubles.writing(error.strerror or str(error)))
    print(json.dumps(line, ensure_ascii=False), flush=True)
    return line


def _told(taught: Taught, frame: NDArray[np.uint8]) -> Iterator[dict[str, Any]]:
    """The faces of a die that was taught, from left to right."""
    for found in sorted(find(frame), key=lambda each: each.centre):
        told = tell(taught, frame, found.centre, found.size)
        if told.known:
            place = [round(v, 1) for v in found.centre]
            yield {
                "face": told.face,
                "center": place,
                "distance": round(told.away, 3),
                "confidence": round(found.sure, 3),
            }


def _plain(die: Die) -> dict[str, Any]:
    """A die as JSON has it; a tenth of a pixel is enough."""
    return {
        "face": die.face,
        "center": [round(v, 1) for v in die.center],
        "box": [round(v, 1) for v in die.box],
        "colour": die.colour,
        "confidence": round(die.confidence, 3),
        **({"cocked": True} if die.cocked else {}),
    }


def _annotate(frame: NDArray[np.uint8], dice: Sequence[Die], folder: Path, path: Path) -> None:
    """Write the picture, with what was seen drawn over it, to `folder` under a name that is free."""
    folder.mkdir(parents=True, exist_ok=True)
    names = (folder / f"{path.stem}{f'-{n}' if n else ''}.png" for n in itertools.count())
    target = next(name for name in names if not name.exists())
    _, encoded = cv2.imencode(".png", annotate(frame, dice))
    target.write_bytes(encoded.tobytes())


def measure(options: argparse.Namespace, texts: Texts) -> int:
    """Measure the eye: its times, and how often it is right over a folder of labelled pictures."""
    bench.one_core()
    try:
        for line in bench.report(bench.labelled(options.folder), decode, texts):
            print(line, flush=True)
    except BrokenPipeError:
        raise
    except (OSError, ValueError, PictureError) as error:
        print(texts.say(troubles.no_labels(options.folder, str(error))), file=sys.stderr)
        return 2
    return 0
