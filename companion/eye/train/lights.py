"""The light on dice: rendered once, it falls on any print (`prints`), which takes a fortieth of the time.

`python -m companion.eye.train.lights FOLDER --count 100 --seed 1` writes NUMBER.npz, a `Lit` field: a dozen
blank dice of several shapes, flat, most seen from above, and what their surfaces send back of the lamps'
light. Clear dice do so in other ways, drilled and metal ones nearly so: `fields` has those as they are.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
import OpenEXR
from numpy.random import Generator

from companion.eye.train import studio
from companion.eye.train.artwork import draw_style
from companion.eye.train.fields import PITCH, camera, floor, light, put, seen
from companion.eye.train.numbered import render_all, write_known
from companion.eye.train.prints import Field, Lit, around, faces
from companion.eye.train.render import make_die

STREAM = 21  # keeps these random numbers apart from those of the fields
WIDTH, HEIGHT = 1280, 960  # twice as fine as it will be seen: each pixel shows one point
SAMPLES = 4  # the light on one side of a die hardly differs from pixel to pixel, so little noise is left
ACROSS, DOWN = 4, 3  # places for dice
TAKEN = 0.9  # part of the places on which a die lies
SHAPES = 5
ANGLE = (20, 45)  # degrees that the camera sees, from and to
MATT, MIRRORED = 4.0, 2.5  # px: so far the noise of either light is smoothed on each side of a die
SPECK = 5  # px: smaller than that what is mirrored is noise
BRIGHTEST = 60.0  # of white
BLANK = 0.8  # of white (sRGB) a blank die is


def render(folder: Path, number: int, seed: int) -> None:
    """Render one field into a folder. The same number and seed give the same field."""
    random = np.random.default_rng((STREAM, seed, number))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    dice = _lay(random)
    floor(random)
    light(random)
    camera(random, ACROSS * PITCH, ANGLE)
    shot = folder / f"{number:05}.exr"
    _settings(bpy.context.scene, random, shot)
    bpy.ops.render.render(write_still=True)
    with OpenEXR.File(str(shot), separate_channels=True) as file:
        channels = [pair for part in file.parts for pair in part.channels.items()]
        layers = {name.split(".", 1)[-1]: channel.pixels for name, channel in channels}
    shot.unlink()
    lit = _smoothed(_lit(layers, tuple(seen(thing, half) for thing, half in dice)))
    lit.save(folder / f"{number:05}.npz")
    write_known(folder / f"{number:05}.json", {"dice": len(dice)})


def _lay(random: Generator) -> list[tuple[Any, float]]:
    """Blank dice of some shapes and sizes, flat on the floor, each at a place of its own."""
    shapes = []
    for _ in range(SHAPES):
        style = draw_style(random)
        blank = np.full((6, 9, 4), BLANK, np.float32)
        shapes.append(
            replace(style, atlas=blank, relief=blank[..., 0], engraved=0.0, transmission=0.0, metallic=0.0)
        )
    dice: list[tuple[Any, float]] = []
    for place in range(ACROSS * DOWN):
        if random.random() < TAKEN:
            half = float(random.uniform(0.8, 1.15))
            thing = make_die(shapes[int(random.integers(SHAPES))], half)
            put(random, thing, half, place, (ACROSS, DOWN))
            thing.pass_index = len(dice) + 1
            dice.append((thing, half))
    return dice


def _settings(scene: Any, random: Generator, shot: Path) -> None:
    studio.set_up(random, SAMPLES, 3, (WIDTH, HEIGHT))
    out, layer = scene.render, bpy.context.view_layer
    scene.cycles.pixel_filter_type, scene.cycles.filter_width = "BOX", 0.01
    layer.use_pass_diffuse_direct = layer.use_pass_diffuse_indirect = True
    layer.use_pass_glossy_direct = layer.use_pass_glossy_indirect = layer.use_pass_glossy_color = True
    layer.use_pass_uv = layer.use_pass_object_index = True
    out.image_settings.media_type = "MULTI_LAYER_IMAGE"
    out.image_settings.file_format, out.image_settings.color_depth = "OPEN_EXR_MULTILAYER", "32"
    out.filepath = str(shot)


def _lit(layers: dict[str, Any], dice: tuple[tuple[int, tuple[float, float], float], ...]) -> Lit:
    def layer(name: str, parts: str = "BGR") -> Field:
        return np.stack([layers[f"{name}.{part}"] for part in parts], axis=-1).astype(np.float32)

    matt = layer("Diffuse Direct") + layer("Diffuse Indirect")
    mirrored = (layer("Glossy Direct") + layer("Glossy Indirect")) * layer("Glossy Color")
    return Lit(
        matt=matt,
        mirrored=np.minimum(mirrored, BRIGHTEST),
        whole=np.minimum(layer("Combined"), BRIGHTEST),
        atlas=layer("UV", "UV"),
        which=layers["Object Index.X"].astype(np.uint8),
        dice=dice,
    )


def _smoothed(lit: Lit) -> Lit:
    """The same without the renderer's noise: both lights are smoothed on each side of each die for itself."""
    matt, mirrored, sides = lit.matt.copy(), lit.mirrored.copy(), faces(lit)
    for side in np.unique(sides[sides >= 0]):
        part = around(sides == side)
        mine = (sides[part] == side).astype(np.float32)
        for field, reach in ((matt, MATT), (mirrored, MIRRORED)):
            there = field[part] * mine[..., None]
            if field is mirrored:
                there = np.asarray(cv2.medianBlur(there, SPECK), np.float32) * mine[..., None]
            weight = cv2.GaussianBlur(mine, (0, 0), reach)
            spread = cv2.GaussianBlur(there, (0, 0), reach) / np.maximum(weight, 1e-6)[..., None]
            field[part] = np.where(mine[..., None] > 0, spread, field[part])
    return replace(lit, matt=matt, mirrored=mirrored)


def main() -> None:
    """Render as many fields as asked for; those that are already there stay."""
    render_all(__doc__, render, count=100, seed=1)


if __name__ == "__main__":
    main()
