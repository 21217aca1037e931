"""Many dice flat in one picture, most seen from above: from their upper faces the third network learns, as
from those of `prints`; what is drilled, clear or of metal looks here as it does.

`python -m companion.eye.train.fields FOLDER --count 150 --seed 1` writes NUMBER.npz, as `proposals` does:
`pictures` (N x WIDE x WIDE x 3, uint8, BGR), each die as EXPOSURES cameras show it, and `kinds` (N), 0 to 5
for its pips, NO_PIPS for what has none. Lamps are mirrored in faces more often than at home: what a lamp's
light leaves to be seen is what is to be learned.
"""

import math
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector
from numpy.random import Generator

from companion.eye.face import SHOWN
from companion.eye.network import Image, cut_out
from companion.eye.train import studio
from companion.eye.train.artwork import Style, draw_kind, draw_set
from companion.eye.train.numbered import load, render_all, write_known
from companion.eye.train.prints import BRIGHT, WIDE, shows
from companion.eye.train.proposals import keep
from companion.eye.train.render import any_side_up, make_die, printed
from companion.eye.train.studio import AXES, pixel
from companion.eye.train.tables import draw_floor
from companion.eye.train.throws import set_up

STREAM = 8  # keeps these random numbers apart from those of the throws
ACROSS, DOWN = 8, 6  # places for dice
PITCH = 3.4  # halves of a usual die from one to the next
TAKEN = 0.85  # part of the places on which a die lies
STYLES = 14
ANGLE = (36, 66)  # degrees that the camera sees, from and to
ASLANT, STEEP = 0.4, 60.0  # so often it looks from any side: at most so many degrees from straight down
HARD = 0.6  # so many of them have pips that are hard to see
EXPOSURES = 3
TRANSFORMS = ("Standard", "Filmic", "AgX")


def render(folder: Path, number: int, seed: int) -> None:
    """Render one field into a folder. The same number and seed give the same field."""
    random = np.random.default_rng((STREAM, seed, number))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    dice = _lay(random)
    floor(random)
    light(random)
    camera(random, ACROSS * PITCH, ANGLE)
    set_up(scene, random)
    shot = folder / f"{number:05}.png"
    scene.render.filepath = str(shot)
    scene.view_settings.view_transform, scene.view_settings.exposure = "Raw", -4.0
    bpy.ops.render.render(write_still=True)
    faces = [seen(thing, half) for thing, _, half in dice]
    linear = load(shot).max(axis=2).astype(np.float32) / 255 * 16
    bright = max(float(np.percentile(linear, 99)), 1e-2)
    pictures = [_exposed(scene, shot, random, bright) for _ in range(EXPOSURES)]
    shot.unlink()
    cuts = [cut_out(picture, at, size, SHOWN, WIDE) for _, at, size in faces for picture in pictures]
    shown = [shows(style, top) for (_, style, _), (top, _, _) in zip(dice, faces, strict=True)]
    keep(folder / f"{number:05}.npz", cuts, [kind for kind in shown for _ in pictures])
    write_known(folder / f"{number:05}.json", {"dice": len(dice)})


def _exposed(scene: Any, shot: Path, random: Generator, bright: float) -> Image:
    """The rendered picture, in which so much light is nearly the brightest, as one camera shows it."""
    view = scene.view_settings
    view.view_transform = str(random.choice(TRANSFORMS, p=[0.6, 0.15, 0.25]))
    view.exposure = math.log2(math.exp(random.uniform(*np.log(BRIGHT))) / bright)
    bpy.data.images["Render Result"].save_render(str(shot), scene=scene)
    return load(shot)


def _lay(random: Generator) -> list[tuple[Any, Style, float]]:
    """Dice of many kinds, flat on the floor, each at a place of its own."""
    styles = [draw_set(random, draw_kind(random), HARD) for _ in range(STYLES)]
    halves = [float(random.choice([1.0, random.uniform(0.75, 1.15)])) for _ in styles]
    dice = []
    for place in range(ACROSS * DOWN):
        if random.random() < TAKEN:
            number = int(random.integers(STYLES))
            style, half = styles[number], halves[number]
            thing = make_die(style, half)
            put(random, thing, half, place, (ACROSS, DOWN))
            dice.append((thing, style, half))
    return dice


def put(random: Generator, thing: Any, half: float, place: int, grid: tuple[int, int]) -> None:
    """Lay a die flat at one of so many places (across, down), turned in any way."""
    row, column = divmod(place, grid[0])
    x, y = (np.array([column - (grid[0] - 1) / 2, row - (grid[1] - 1) / 2]) * PITCH).tolist()
    x, y = (np.array([x, y]) + random.uniform(-0.3, 0.3, 2)).tolist()
    yaw = Matrix.Rotation(float(random.uniform(0, 2 * math.pi)), 4, "Z")
    thing.matrix_world = Matrix.Translation((x, y, half)) @ yaw @ any_side_up(random)


def floor(random: Generator) -> None:
    """What dice lie on, of any colour."""
    sheet = np.ones((768, 768, 4), np.float32)
    sheet[..., :3] = draw_floor(random, (768, 768))
    bpy.ops.mesh.primitive_plane_add(size=1)
    bpy.context.object.scale = (50, 50, 1)
    bpy.context.object.data.materials.append(printed(sheet, random.uniform(0.4, 1.0)))


def light(random: Generator) -> None:
    """A room, and lamps of all sizes; mostly one hangs where flat faces mirror it."""
    studio.room(random, 0.25, (0.1, 0.9))
    for number in range(int(random.integers(1, 4))):
        size, height = math.exp(random.uniform(math.log(1), math.log(30))), random.uniform(15, 60)
        near = number == 0 and random.random() < 0.65
        studio.lamp(random, size, height, out=(0, 0.35 if near else 1.3), power=(3, 14), tint=0.35)


def camera(random: Generator, wide: float, angle: tuple[float, float]) -> None:
    """A camera that looks down on all that is so wide, or nearly; as often as ASLANT says from any side. It
    sees so many degrees.
    """
    aslant = random.random() < ASLANT
    lift = math.radians(90 - (random.uniform(0, STEEP) if aslant else min(abs(random.normal(0, 14)), 40)))
    seer = bpy.data.cameras.new("camera")
    seer.angle = math.radians(random.uniform(*angle))
    away = wide / 2 / math.tan(seer.angle / 2) * 1.06 + 2
    place = away * Vector((0, -math.cos(lift), math.sin(lift)))
    studio.camera(seer, place, place.to_track_quat("Z", "Y"))


def seen(thing: Any, half: float) -> tuple[int, tuple[float, float], float]:
    """Which side lies uppermost, where its middle is in the picture, and how large the die is there."""
    world = thing.matrix_world
    top = studio.uppermost(thing)
    corners = [Vector((a, b, c)) * half for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    size = np.ptp([pixel(world @ corner) for corner in corners], axis=0).mean()
    return top, pixel(world @ (AXES[top] * half)), float(size)


def main() -> None:
    """Render as many fields as asked for; those that are already there stay."""
    render_all(__doc__, render, count=150, seed=1)


if __name__ == "__main__":
    main()
