"""The doors: one short function a command."""

import argparse
import itertools
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import __version__, bench, troubles
from companion.config import KINDS, ConfigError, Value, WrongError, config_dir, data_dir, load_all
from companion.eye import Die, annotate, read
from companion.language import LANGUAGES, Texts, install_for_argparse, system_language
from hardware.camera import PictureError, decode

UNUSABLE = 2  # exit status: the command itself or the configuration cannot be used


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the `companion` command; return its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    texts = Texts(_language(words))
    install_for_argparse(texts)
    options = _parser(texts).parse_args(words)
    try:
        return int(options.run(options, texts))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # whoever read our lines has had enough
        sys.stderr.close()
        return 1


def _language(words: Sequence[str]) -> str:
    """The language asked for on the command line, before anything else is read; else the system's."""
    finder = argparse.ArgumentParser(add_help=False, exit_on_error=False, allow_abbrev=False)
    finder.add_argument("--language")
    try:
        asked = finder.parse_known_args(words)[0].language
    except argparse.ArgumentError:
        asked = None
    return asked if asked in LANGUAGES else system_language()


def _parser(t: Texts) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "companion", description=t("Reads dice, stops rounds, helps at the table.")
    )
    parser.add_argument(
        "--version", action="version", version=__version__, help=t("show the version and exit")
    )
    parser.add_argument("--language", choices=LANGUAGES, help=t("language of the screen and the voice"))
    parser.add_argument(
        "--camera", type=_value("camera", t), help=t("auto, csi, usb:N, an address or a path")
    )
    parser.add_argument(
        "--size", type=_value("size", t), metavar="WxH", help=t("size of the window in pixels")
    )
    whole = parser.add_mutually_exclusive_group()
    whole.add_argument("--fullscreen", action="store_true", default=None, help=t("fill the whole screen"))
    whole.add_argument("--window", dest="fullscreen", action="store_false", help=t("open a window"))
    parser.set_defaults(run=_open)
    commands = parser.add_subparsers(title=t("commands"), metavar="COMMAND")
    read = commands.add_parser("read", help=t("read the dice in photographs"))
    read.add_argument("images", nargs="+", metavar="IMAGE", help=t("a picture file"))
    read.add_argument(
        "--annotate", type=Path, metavar="DIR", help=t("write each picture with what was seen to DIR")
    )
    read.set_defaults(run=_read)
    measure = commands.add_parser("bench", help=t("measure the companion on this machine"))
    measure.add_argument("what", choices=["eye"], help=t("what is measured"))
    measure.add_argument("folder", type=Path, help=t("a folder with labels.json and images"))
    measure.set_defaults(run=_bench)
    return parser


def _value(key: str, t: Texts) -> Any:
    """A reader of a setting's value for argparse, with the same errors as in the configuration."""

    def read(text: str) -> Value:
        try:
            return KINDS[key].read(text, True)
        except WrongError as error:
            raise argparse.ArgumentTypeError(t.say(error.message)) from error

    return read


def _open(options: argparse.Namespace, texts: Texts) -> int:
    """Open the touchscreen program."""
    from companion.app import is_raspberry_pi, show_problems, start  # pygame; `--help` and `read` do without

    while True:
        try:
            configuration = load_all(config_dir(), data_dir())
            break
        except ConfigError as error:
            lines = [problem.say(texts) for problem in error.problems]
            print(*lines, sep="\n", file=sys.stderr)
            nobody_reads = is_raspberry_pi() and not sys.stderr.isatty()
            if not (nobody_reads and show_problems(lines, texts)):
                return UNUSABLE
    asked = {key: getattr(options, key) for key in ("language", "camera", "size", "fullscreen")}
    changes = {key: value for key, value in asked.items() if value is not None}
    return start(replace(configuration, settings=replace(configuration.settings, **changes)), data_dir())


def _read(options: argparse.Namespace, texts: Texts) -> int:
    """Print one JSON object a picture; 1 if any of them could not be read."""
    lines = [_read_one(path, options.annotate, texts) for path in options.images]
    return int(any("error" in line for line in lines))


def _read_one(path: str, annotate: Path | None, texts: Texts) -> dict[str, Any]:
    """Read one picture and print its line."""
    line: dict[str, Any] = {"image": path}
    try:
        frame = decode(Path(path))
        begin = time.perf_counter()
        dice = read(frame)
        line |= {"dice": [_plain(die) for die in dice], "ms": round((time.perf_counter() - begin) * 1000, 1)}
        if annotate:
            _annotate(frame, dice, annotate, Path(path))
    except PictureError as error:
        line["error"] = texts.say(troubles.picture(error.kind.name))
    except OSError as error:
        line["error"] = texts.say(troubles.writing(error.strerror or str(error)))
    print(json.dumps(line, ensure_ascii=False), flush=True)
    return line


def _plain(die: Die) -> dict[str, Any]:
    """A die as JSON has it; a tenth of a pixel is enough."""
    return {
        "face": die.face,
        "center": [round(v, 1) for v in die.center],
        "box": [round(v, 1) for v in die.box],
        "colour": die.colour,
        "confidence": round(die.confidence, 3),
    }


def _annotate(frame: NDArray[np.uint8], dice: Sequence[Die], folder: Path, path: Path) -> None:
    """Write the picture, with what was seen drawn over it, to `folder` under a name that is free."""
    folder.mkdir(parents=True, exist_ok=True)
    names = (folder / f"{path.stem}{f'-{n}' if n else ''}.png" for n in itertools.count())
    target = next(name for name in names if not name.exists())
    _, encoded = cv2.imencode(".png", annotate(frame, dice))
    target.write_bytes(encoded.tobytes())


def _bench(options: argparse.Namespace, texts: Texts) -> int:
    """Measure the eye: its times, and how often it is right over a folder of labelled pictures."""
    bench.one_core()
    try:
        for line in bench.report(bench.labelled(options.folder), decode):
            print(line, flush=True)
    except (OSError, ValueError, PictureError) as error:
        print(texts.say(troubles.no_labels(options.folder, str(error))), file=sys.stderr)
        return UNUSABLE
    return 0
