"""The whole recipe in one command: `python -m companion.eye.train FOLDER`.

It renders scenes, composes tiles of them, learns from those, and writes FOLDER/eye.onnx; then a second
network learns from what that one takes for dice: FOLDER/opinion.onnx; and a third one goes on from there with
upper faces, rendered and printed, and with what is taken for dice in finer tiles: FOLDER/face.onnx. A fourth
one learns from figures printed in the same light what is alike: FOLDER/sign.onnx. Each step goes on where it
was stopped. All follows from the seed, but for the order in which sums are made, and for what is hard to
learn, which has to be found out anew after a stop. With small amounts all of it can be tried in minutes.
"""

import argparse
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from companion.eye.train import options

SHARD = 2500  # tiles in a folder
CHECKED = 600  # tiles to check by, at most
NEEDED = ("bpy", "torch", "onnx", "OpenEXR", "skimage")
STEPS, SECOND, SIGN, THIRD = 40000, 16000, 8000, 20000  # of the four networks: the others as the first one
CHECK = 10**6  # scenes to check by have numbers from here on, fine ones from twice that


def _do(module: str, *arguments: object) -> None:
    command = [sys.executable, "-m", f"companion.eye.train.{module}", *map(str, arguments)]
    if code := subprocess.run(command).returncode:
        sys.exit(f"{module} has failed ({code}); what was done before is kept, and is gone on from")


def _tiles(scenes: Path, folder: Path, count: int, seed: int, *how: str) -> None:
    """Compose tiles of scenes, unless they are there."""
    if not (folder / "dice.npy").exists():
        _do("compose", scenes, folder, "--count", count, "--seed", seed, *how)


def main() -> None:
    """Run every step that has not been run yet."""
    parser = argparse.ArgumentParser(prog="python -m companion.eye.train", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scenes", type=options.some, default=600)
    parser.add_argument("--tiles", type=options.some, default=60000)
    parser.add_argument("--steps", type=options.some, default=STEPS)
    parser.add_argument("--fields", type=options.some, default=150)
    parser.add_argument("--lights", type=options.some, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=options.some, default=1)
    options.add_card(parser)
    args = parser.parse_args()
    if missing := [name for name in NEEDED if not find_spec(name)]:
        parser.error(f"{', '.join(missing)} cannot be imported; the model card says how to install all")
    how = ("--seed", args.seed, "--times", args.times, "--workers", args.workers)
    second, sign, third = (max(1, steps * args.steps // STEPS) for steps in (SECOND, SIGN, THIRD))
    scenes, tiles = args.folder / "scenes", args.folder / "tiles"
    _do("render", scenes / "learn", "--count", args.scenes, "--seed", args.seed)
    _do(
        "render", scenes / "check", "--count", max(1, args.scenes // 8), "--first", CHECK, "--seed", args.seed
    )
    for number, first in enumerate(range(0, args.tiles, SHARD)):
        count = min(SHARD, args.tiles - first)
        _tiles(scenes / "learn", tiles / "learn" / f"{number:03}", count, args.seed * CHECK + number)
    _tiles(scenes / "check", tiles / "check", min(CHECKED, args.tiles), args.seed)
    _do(
        "fit", tiles / "learn", "--check", tiles / "check", "--out", args.folder, "--steps", args.steps,
        "--threads", args.threads, *how,
    )  # fmt: skip
    _do("export", args.folder / "network.pt", args.folder / "eye.onnx")
    cuts = args.folder / "cuts"
    _do("proposals", tiles / "learn", "--model", args.folder / "eye.onnx", "--out", cuts, "--seed", args.seed)
    _do("second", cuts, "--out", args.folder, "--steps", second, *how)
    _do("export", args.folder / "second.pt", args.folder / "opinion.onnx", "--second")
    fields, lights, prints = (args.folder / name for name in ("fields", "lights", "prints"))
    _do("fields", fields, "--count", args.fields, "--seed", args.seed)
    _do("lights", lights, "--count", args.lights, "--seed", args.seed)
    looks = args.folder / "looks"
    _do("looks", lights, looks, "--seed", args.seed)
    _do("alike", looks, "--out", args.folder, "--seed", args.seed, "--steps", sign)
    _do("export", args.folder / "sign.pt", args.folder / "sign.onnx", "--sign")
    _do("prints", lights, "--out", prints, "--seed", args.seed)
    _do(
        "render", scenes / "fine", "--fine", "--count", max(1, args.scenes // 4), "--first", 2 * CHECK,
        "--seed", args.seed,
    )  # fmt: skip
    _tiles(scenes / "fine", tiles / "fine" / "000", max(1, args.tiles // 12), args.seed, "--fine")
    things = args.folder / "things"
    _do(
        "proposals", tiles / "fine", "--faces", "--model", args.folder / "eye.onnx", "--out", things,
        "--seed", args.seed,
    )  # fmt: skip
    _do(
        "second", prints, fields, things, "--faces", "--out", args.folder, "--steps", third,
        "--first", args.folder / "second.pt", *how,
    )  # fmt: skip
    _do("export", args.folder / "third.pt", args.folder / "face.onnx", "--third")


if __name__ == "__main__":
    main()
