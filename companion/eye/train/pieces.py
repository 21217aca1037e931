"""The pieces of Make 'n' Break as they fall: six large dice and two cuboids, to try the eye on.

`python -m companion.eye.train.pieces FOLDER --count 12` writes NUMBER.jpg, and `pieces.json`: for each
picture the kind ("die" or "cuboid"), face (0: a blank end), colour and middle of each piece. Nothing is
learned from them.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
from numpy.random import Generator

from companion.eye.dice import Colour
from companion.eye.train import render
from companion.eye.train.artwork import BODIES, Style, draw_style, rgb
from companion.eye.train.numbered import load

DICE: tuple[Colour, ...] = ("white", "yellow", "blue", "black", "red", "green")  # MNB-R2
CUBOIDS: tuple[Colour, ...] = ("blue", "orange")
LIGHT = ("white", "yellow", "orange")  # bodies with dark pips
STREAM = 6  # keeps these random numbers apart from those of the recipe's scenes


def _style(random: Generator, colour: Colour, cuboid: bool) -> Style:
    """A plain piece of a colour."""
    style = draw_style(random, "cuboid" if cuboid else "pips")
    body = next(rgb(*hue) for name, hue, _ in BODIES if name == colour)
    ink = (0.06,) * 3 if colour in LIGHT else (0.95,) * 3
    atlas, pips = style.atlas.copy(), style.atlas[..., 3:]
    atlas[..., :3] = np.asarray(body) * (1 - pips) + np.asarray(ink) * pips
    return replace(style, atlas=atlas, colour=colour, transmission=0.0, metallic=0.0)


def scene(folder: Path, number: int, seed: int) -> list[dict[str, Any]]:
    """Render one throw of all pieces; what lies there."""
    random = np.random.default_rng((STREAM, seed, number))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    pieces = [(_style(random, colour, False), 1.0) for colour in DICE]
    pieces += [(_style(random, colour, True), 1.0) for colour in CUBOIDS]
    placed = render.lay(random, pieces, 4.5, 0.3)
    render.make_ground(random, True)
    render.light_up(random)
    lift = 0.0
    while lift < 55:  # as a camera is mounted
        if bpy.context.scene.camera:
            bpy.data.objects.remove(bpy.context.scene.camera)
        lift = render.set_camera(random, placed)
    render.set_up(bpy.context.scene, random)
    bpy.context.scene.cycles.samples = 24
    bpy.context.scene.render.filepath = str(folder / f"{number}.png")
    bpy.ops.render.render(write_still=True)
    picture = load(folder / f"{number}.png")
    cv2.imwrite(str(folder / f"{number}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
    (folder / f"{number}.png").unlink()
    labels = [render.label(piece) for piece in placed]
    return [
        {
            "kind": "cuboid" if each["kind"] == "cuboid" else "die",
            "face": each["face"],
            "colour": each["colour"],
            "center": [round(part, 1) for part in each["centre"]],
        }
        for each in labels
        if 0 < each["centre"][0] < render.WIDTH and 0 < each["centre"][1] < render.HEIGHT
    ]


def main() -> None:
    """Render the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    known = {f"{number}.jpg": scene(args.folder, number, args.seed) for number in range(args.count)}
    (args.folder / "pieces.json").write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
