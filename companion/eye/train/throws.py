"""Throws in the tray of the companion: what its camera sees of dice at rest, as the eye is measured by.

`python -m companion.eye.train.throws FOLDER --count 800 --seed 11` adds throws to a folder: NUMBER.png (960 x
720, what a tray fills of the 1280 x 720 that the companion asks its camera for), NUMBER-darker-STOPS.png (as
it sees it with less light) and NUMBER.json (of each die the face, its middle, how far its pips stand out).
It draws dice, lamps and trays anew for each; nothing is learned from them, so they tell how good the eye is
in use, and how sure it may be (`companion.eye.train.trust`).
"""

import math
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector
from numpy.random import Generator
from numpy.typing import NDArray

from companion.eye.read import DARKER
from companion.eye.train import studio
from companion.eye.train.artwork import FACE, Style, contrast, draw_style, rgb
from companion.eye.train.numbered import load, render_all, write_known
from companion.eye.train.render import any_side_up, are_apart, footprint, make_die, plain, printed
from companion.eye.train.studio import AXES, pixel, uppermost
from companion.eye.train.tables import draw_floor
from companion.eye.train.thrown import STREAM, WIDTH, darker

HEIGHT = 720
SAMPLES = 4
MOST = 6  # dice
UNLIKE = 0.25  # so far the floor's colour is from that of a die, of 0..1: the guide asks for it
BRIGHT = 0.8  # of white: so bright the brightest parts are
LATITUDE, PROBE = 4.0, 20  # stops by which a first picture, of so many per cent of the size, is darker


def render(folder: Path, number: int, seed: int) -> None:
    """Render one throw into a folder. The same number and seed give the same throw."""
    random = np.random.default_rng((STREAM, seed, number))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    wide = float(random.uniform(19, 34))  # of the tray, in halves of a usual die
    size = (wide, wide * float(random.uniform(0.68, 0.8)))
    dice = _throw(random, size)
    _tray(random, size, [style for _, style, _ in dice])
    _light(random)
    _camera(random, size)
    set_up(scene, random)
    path = folder / f"{number:05}.png"
    dim = darker(path)
    scene.render.filepath = str(path)
    _expose(scene)
    bpy.ops.render.render(write_still=True)
    usual, rendered = scene.view_settings.exposure, bpy.data.images["Render Result"]
    for stops, target in zip(DARKER, dim, strict=True):
        scene.view_settings.exposure = usual - stops
        rendered.save_render(str(target), scene=scene)
    known = []
    for thing, style, half in dice:
        top = uppermost(thing)
        middle = pixel(thing.matrix_world @ (AXES[top] * half))
        known.append({"face": style.values[top], "centre": middle, "contrast": contrast(style)})
    write_known(path.with_suffix(".json"), {"dice": known}, path, *dim)


def _throw(random: Generator, size: tuple[float, float]) -> list[tuple[Any, Style, float]]:
    """One to six dice flat on the floor, of one kind or two; some come to lie side by side."""
    half = float(random.choice([1.0, random.uniform(0.75, 1.3)]))
    styles = [draw_style(random) for _ in range(1 if random.random() < 0.7 else 2)]
    placed: list[tuple[Any, Style, float]] = []
    squares: list[NDArray[np.float64]] = []
    count = int(random.integers(1, MOST + 1))
    while len(placed) < count:
        x, y = (float(random.uniform(-1, 1)) * (side / 2 - 1.5 * half) for side in size)
        if squares and random.random() < 0.12:
            other = squares[int(random.integers(len(squares)))].mean(axis=0)
            turn, apart = random.uniform(0, 2 * math.pi), half * random.uniform(2.0, 2.7)
            x, y = other[0] + math.cos(turn) * apart, other[1] + math.sin(turn) * apart
        yaw = float(random.uniform(0, 2 * math.pi))
        mine = footprint(x, y, half, yaw)
        inside = (np.abs(mine) < np.array(size) / 2).all()
        if inside and all(are_apart(mine, square) for square in squares):
            style = styles[int(random.integers(len(styles)))]
            thing = make_die(style, half)
            thing.matrix_world = (
                Matrix.Translation((x, y, half)) @ Matrix.Rotation(yaw, 4, "Z") @ any_side_up(random)
            )
            placed.append((thing, style, half))
            squares.append(mine)
    return placed


def _tray(random: Generator, size: tuple[float, float], styles: list[Style]) -> None:
    """A floor in another colour than the dice, its rim, and the table around it."""
    bodies = [np.median(style.atlas[: FACE // 8, :, :3], axis=(0, 1)) for style in styles]
    floor = draw_floor(random, (768, 768))
    while min(np.linalg.norm(floor.mean(axis=(0, 1)) - body) for body in bodies) < UNLIKE:
        floor = draw_floor(random, (768, 768))
    sheet = np.ones((768, 768, 4), np.float32)
    sheet[..., :3] = floor
    bpy.ops.mesh.primitive_plane_add(size=1)
    bpy.context.object.scale = (*size, 1)
    bpy.context.object.data.materials.append(printed(sheet, random.uniform(0.6, 1.0)))
    rim = plain(
        rgb(random.random(), random.uniform(0, 0.7), random.uniform(0.05, 0.9)), random.uniform(0.3, 0.9)
    )
    high, thick = random.uniform(1.0, 5.0), random.uniform(0.4, 2.0)
    for axis in (0, 1):
        for side in (-1, 1):
            at = [0.0, 0.0, high / 2 - 0.1]
            at[axis] = side * (size[axis] + thick) / 2
            bpy.ops.mesh.primitive_cube_add(size=1, location=at)
            wall = bpy.context.object
            wall.scale = (thick, size[1], high) if axis == 0 else (size[0] + 2 * thick, thick, high)
            wall.data.materials.append(rim)
    bpy.ops.mesh.primitive_plane_add(size=300, location=(0, 0, -0.2))
    shade = rgb(random.choice([0.08, 0.6]), random.uniform(0, 0.5), random.uniform(0.1, 0.9))
    bpy.context.object.data.materials.append(plain(shade, 0.8))


def _light(random: Generator) -> None:
    """The light of a room, and one lamp or two from the side: shades, windows, a few bare bulbs."""
    studio.room(random, 0.2, (0.25, 0.9))
    for _ in range(int(random.integers(1, 3))):
        size = float(random.uniform(1, 3) if random.random() < 0.15 else random.uniform(6, 24))
        studio.lamp(random, size, random.uniform(18, 60), out=(0.2, 1.2), power=(4, 12), tint=0.3)


def _camera(random: Generator, size: tuple[float, float]) -> None:
    """A camera above the tray, which fills its picture; it looks straight down, or nearly."""
    lift = math.radians(90 - abs(random.normal(0, 9)))
    camera = bpy.data.cameras.new("camera")
    camera.angle = math.radians(random.uniform(38, 66))  # across the picture
    direction = Vector((0, -math.cos(lift), math.sin(lift)))
    corners = [
        Vector((x * size[0] / 2, y * size[1] / 2, z)) for x in (-1, 1) for y in (-1, 1) for z in (0, 2)
    ]
    reach = math.tan(camera.angle / 2)
    turn = direction.to_track_quat("Z", "Y").inverted()
    seen = [turn @ corner for corner in corners]  # the whole floor has to be in the picture
    needed = max(max(abs(p.x), abs(p.y) * WIDTH / HEIGHT) / reach + p.z for p in seen)
    place = direction * needed * random.uniform(1.03, 1.15)
    roll = Matrix.Rotation(random.normal(0, 0.05), 3, "Z").to_quaternion()
    studio.camera(camera, place, place.to_track_quat("Z", "Y") @ roll)


def set_up(scene: Any, random: Generator) -> None:
    """How a throw is rendered."""
    studio.set_up(random, SAMPLES, 3, (WIDTH, HEIGHT))
    cycles, out = scene.cycles, scene.render
    cycles.use_denoising = True  # its noise would stand still, other than a camera's
    cycles.denoising_quality, cycles.denoising_prefilter = "FAST", "NONE"
    out.image_settings.file_format, out.image_settings.color_mode = "PNG", "RGB"
    scene.view_settings.view_transform = str(random.choice(["Standard", "AgX"], p=[0.7, 0.3]))


def _expose(scene: Any) -> None:
    """Let the camera set its exposure, as cameras do: hardly anything is white."""
    view, out, transform = scene.view_settings, scene.render, scene.view_settings.view_transform
    view.view_transform, view.exposure, out.resolution_percentage = "Standard", -LATITUDE, PROBE
    bpy.ops.render.render(write_still=True)
    bright = (float(np.percentile(load(Path(out.filepath)).max(axis=2), 99.5)) / 255) ** 2.2 * 2.0**LATITUDE
    view.view_transform, view.exposure = transform, math.log2(BRIGHT / max(bright, 1e-3))
    out.resolution_percentage = 100


def main() -> None:
    """Render as many throws as asked for; those that are already there stay."""
    render_all(__doc__, render, count=800, seed=11)


if __name__ == "__main__":
    main()
