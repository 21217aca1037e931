"""Dice with symbols, each face seen several times, to try teaching on.

`python -m companion.eye.train.symbols FOLDER --sets 3` renders each face of each set four times in one light,
from which it is taught, and four times in another, from another height, at other places and turns, in which
it should be known again, of these also with less light. They are written as sheets: SET-teach.jpg,
SET-read.jpg, SET-read-2.jpg and SET-read-4.jpg (stops), a row a face. What knows taught dice again has not
learned from these symbols; `tests.bench.taught` measures how well it does.
"""

import argparse
import math
import tempfile
from pathlib import Path

import bpy
import cv2
import numpy as np
from mathutils import Euler, Matrix, Vector
from numpy.typing import NDArray

from companion.eye.read import DARKER
from companion.eye.train import render, studio
from companion.eye.train.artwork import draw_style
from companion.eye.train.numbered import load

SIDE = 112  # px: a view
VIEWS = 4
# What is written: under which lamp, and with so many stops less light.
SHEETS = {"teach": (1, 0.0), "read": (2, 0.0), **{f"read-{stops:g}": (2, stops) for stops in DARKER}}
# Turns (x, y, z in quarters) that bring each face of a die up.
UP = ((0, -1, 0), (0, 1, 0), (1, 0, 0), (-1, 0, 0), (0, 0, 0), (2, 0, 0))


def view(number: int, face: int, lamp: int, stops: float, shot: int) -> NDArray[np.uint8]:
    """One face of a set under one lamp, with so many stops less light (SIDE x SIDE x 3, BGR)."""
    style = draw_style(np.random.default_rng((number, 77)), "symbols")
    light = np.random.default_rng((number, lamp))
    chance = np.random.default_rng((number, face, lamp, shot))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    die = render.make_die(style, 1.0)
    turn = Euler([math.pi / 2 * quarter for quarter in UP[face]]).to_matrix().to_4x4()
    yaw = Matrix.Rotation(chance.uniform(0, 2 * math.pi), 4, "Z")
    die.matrix_world = Matrix.Translation((*chance.uniform(-0.3, 0.3, 2), 1)) @ yaw @ turn
    render.make_ground(light, True)
    render.light_up(light)
    camera = bpy.data.cameras.new("camera")
    camera.angle = math.radians(light.uniform(25, 45))
    lift, side = math.radians(light.uniform(68, 88)), light.uniform(0, 2 * math.pi)
    away = 2.7 / math.tan(camera.angle / 2)
    place = Vector((math.cos(side) * math.cos(lift), math.sin(side) * math.cos(lift), math.sin(lift))) * away
    studio.camera(camera, place + Vector((0, 0, 1)), place.to_track_quat("Z", "Y"))
    render.set_up(scene, light)
    scene.cycles.samples = 20
    scene.view_settings.exposure -= stops
    scene.render.resolution_x = scene.render.resolution_y = SIDE * 3 // 2
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = f"{folder}/symbol.png"
        bpy.ops.render.render(write_still=True)
        picture = load(Path(scene.render.filepath))
    return np.asarray(cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)


def main() -> None:
    """Render the sheets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", type=int, default=3)
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    for number in range(args.first, args.first + args.sets):
        for name, light in SHEETS.items():
            rows = [[view(number, face, *light, shot) for shot in range(VIEWS)] for face in range(6)]
            sheet = np.vstack([np.hstack(row) for row in rows])
            cv2.imwrite(str(args.folder / f"{number}-{name}.jpg"), sheet, [cv2.IMWRITE_JPEG_QUALITY, 88])


if __name__ == "__main__":
    main()
