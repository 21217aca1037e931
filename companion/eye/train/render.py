"""Photographs of dice that never were: Blender's Cycles renders heaps of dice, and what lies beside them.

`python -m companion.eye.train.render FOLDER --count 100 --seed 1` adds pictures to a folder. Each is
NUMBER.png, NUMBER.id.png (which thing each pixel shows, 0 is the table) and NUMBER.json (what is known of
each die). On a grey table the light that lies on it can be told, and another table be put in its place.

A unit of the scene is half the side of a usual die.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
from mathutils import Euler, Matrix, Vector
from numpy.random import Generator
from numpy.typing import NDArray

from companion.eye.train import studio
from companion.eye.train.artwork import (
    FACE,
    FIRST_OTHER,
    Style,
    around,
    draw_domino,
    draw_plate,
    draw_set,
    rgb,
)
from companion.eye.train.compose import FINE
from companion.eye.train.numbered import render_all, write_known
from companion.eye.train.studio import AXES, pixel
from companion.eye.train.tables import draw_table

WIDTH, HEIGHT = 400, 320
SAMPLES = 12
HARD = 0.3  # so many kinds of dice have pips that are hard to see
GRID = 33  # vertices along the side of a face


@dataclass(slots=True)
class Placed:
    """A die in the scene."""

    thing: Any
    style: Style
    half: float
    long: float  # its length along x, in sides
    number: int

    @property
    def reach(self) -> float:
        """Half of its longest side."""
        return self.half * self.long

    @property
    def halves(self) -> tuple[float, float, float]:
        """Half of its sides along x, y and z."""
        return (self.reach, self.half, self.half)


def render(folder: Path, number: int, seed: int, fine: bool = False) -> None:
    """Render one scene into a folder, or the same one FINE times as large. The same number and seed give the
    same scene.
    """
    random = np.random.default_rng((seed, number))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    dice = _throw(random)
    others = _clutter(random, dice)
    whole = random.random() < 0.35
    ground = make_ground(random, whole)
    light_up(random)
    lift = set_camera(random, dice)
    set_up(scene, random)
    finer = FINE if fine else 1
    scene.render.resolution_x, scene.render.resolution_y = WIDTH * finer, HEIGHT * finer
    scene.render.filepath = str(folder / f"{number:05}.png")
    bpy.ops.render.render(write_still=True)
    labels = [label(die) for die in dice]
    _identify(scene, ground, {die.number: die.thing for die in dice}, others)
    scene.render.filepath = str(folder / f"{number:05}.id.png")
    bpy.ops.render.render(write_still=True)
    known = {"whole": whole, "lift": lift, "dice": labels}
    pictures = (folder / f"{number:05}.png", folder / f"{number:05}.id.png")
    write_known(folder / f"{number:05}.json", known, *pictures)


def _throw(random: Generator) -> list[Placed]:
    """Some dice that have come to rest."""
    count = int(
        random.choice(
            [random.integers(1, 4), random.integers(3, 8), random.integers(8, 15)], p=[0.3, 0.45, 0.25]
        )
    )
    kinds = ["pips", "digits", "symbols", "plain", "cuboid"]
    sets = [
        draw_set(random, str(random.choice(kinds, p=[0.82, 0.05, 0.06, 0.03, 0.04])), HARD)  # type: ignore[arg-type]
        for _ in range(1 if random.random() < 0.45 else int(random.integers(2, 6)))
    ]
    close = random.random()  # how near to each other they lie
    extent = math.sqrt(count) * (1.1 + 1.5 * (1 - close))
    half_of = {
        id(style): float(
            random.choice([1.0, random.uniform(0.7, 1.4), random.uniform(0.35, 0.7)], p=[0.55, 0.25, 0.2])
        )
        for style in sets
    }
    styles = [sets[int(random.integers(len(sets)))] for _ in range(count)]
    dice = lay(random, [(style, half_of[id(style)]) for style in styles], extent, close)
    if len(dice) > 1 and dice[-1].long == 1 and random.random() < 0.12:
        _lean(random, dice)
    return dice


def lay(random: Generator, pieces: list[tuple[Style, float]], extent: float, close: float) -> list[Placed]:
    """Let dice (with half of their sides) lie as they fell; one for which there is no room is left out."""
    dice: list[Placed] = []
    for style, half in pieces:
        turn = any_side_up(random)
        long = 2.0 if style.kind == "cuboid" else 1.0
        spot = _free(random, dice, half * long, extent, close)
        if spot is None:
            continue
        place, yaw = spot
        thing = make_die(style, half, long)
        upright = abs((turn.to_3x3() @ AXES[0]).z) > 0.5
        height = half * long if upright else half
        thing.matrix_world = Matrix.Translation((*place, height)) @ Matrix.Rotation(yaw, 4, "Z") @ turn
        dice.append(Placed(thing, style, half, long, len(dice) + 1))
    return dice


def any_side_up(random: Generator) -> Any:
    """A turn (4 x 4) that brings any side of a die up, and any other to the front."""
    quarter = math.pi / 2
    turns = [quarter * int(random.integers(4)) for _ in range(3)]
    return Euler(turns).to_matrix().to_4x4()


def _free(
    random: Generator, dice: list[Placed], half: float, extent: float, close: float
) -> tuple[tuple[float, float], float] | None:
    """A place that is not taken, and the angle; close to another die if they lie close."""
    for _ in range(40):
        yaw = float(random.uniform(0, 2 * math.pi))
        if dice and random.random() < close:
            other = dice[int(random.integers(len(dice)))]
            heading = other.thing.matrix_world.to_euler().z
            at = other.thing.matrix_world.translation
            if random.random() < 0.5:  # side by side
                yaw = heading
                side = heading + math.pi / 2 * int(random.integers(4))
                apart = half + other.reach + random.uniform(0.0, 0.15)
                slide = random.uniform(-1, 1) * half * random.choice([0.1, 1.0])
                x = at.x + math.cos(side) * apart - math.sin(side) * slide
                y = at.y + math.sin(side) * apart + math.cos(side) * slide
            else:
                side = random.uniform(0, 2 * math.pi)
                apart = (half + other.reach) * random.uniform(1.0, 1.5)
                x, y = at.x + math.cos(side) * apart, at.y + math.sin(side) * apart
        else:
            x, y = random.uniform(-extent, extent, 2)
        mine = footprint(x, y, half, yaw)
        if all(
            are_apart(
                mine,
                footprint(
                    d.thing.matrix_world.translation.x,
                    d.thing.matrix_world.translation.y,
                    d.reach,
                    d.thing.matrix_world.to_euler().z,
                ),
            )
            for d in dice
        ):
            return (float(x), float(y)), yaw
    return None


def footprint(x: float, y: float, half: float, yaw: float) -> NDArray[np.float64]:
    """The corners (4 x 2) of a die that lies turned (radians); a little smaller, as dice may touch."""
    corner = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half * 0.995
    turn = np.array([(math.cos(yaw), math.sin(yaw)), (-math.sin(yaw), math.cos(yaw))])
    return np.asarray(corner @ turn + (x, y), np.float64)


def are_apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Whether two squares do not overlap (separating axes)."""
    for square in (one, other):
        for edge in (square[1] - square[0], square[2] - square[1]):
            a, b = one @ edge, other @ edge
            if a.max() <= b.min() or b.max() <= a.min():
                return True
    return False


def _lean(random: Generator, dice: list[Placed]) -> None:
    """One of the dice leans on something, or lies on top of another."""
    die, under = dice[-1], dice[int(random.integers(len(dice) - 1))]
    turn = die.thing.matrix_world.to_3x3().to_4x4()
    at = under.thing.matrix_world.translation
    if random.random() < 0.3:
        shift = random.uniform(-0.4, 0.4, 2) * under.half
        die.thing.matrix_world = (
            Matrix.Translation((at.x + shift[0], at.y + shift[1], 2 * under.half + die.half)) @ turn
        )
        return
    angle = math.radians(random.uniform(12, 42))
    side = random.uniform(0, 2 * math.pi)
    height = die.half * (math.cos(angle) + math.sin(angle))
    apart = (under.half + die.half * (math.cos(angle) + math.sin(angle))) * 1.02
    axis = Vector((-math.sin(side), math.cos(side), 0))
    place = Matrix.Translation((at.x + math.cos(side) * apart, at.y + math.sin(side) * apart, height))
    die.thing.matrix_world = place @ Matrix.Rotation(angle, 4, axis) @ turn
    mine = die.thing.matrix_world.translation
    for other in dice[:-1]:  # what is in the way goes
        if (other.thing.matrix_world.translation - mine).length < 1.2 * (
            die.half + other.half
        ) and other is not under:
            bpy.data.objects.remove(other.thing)
    dice[:] = [d for d in dice if d is die or _exists(d.thing)]


def _exists(thing: Any) -> bool:
    try:
        return bool(thing.name)
    except ReferenceError:  # bpy's way of saying that it was removed
        return False


def make_die(style: Style, half: float, long: float = 1.0) -> Any:
    """A mesh of six grids, bent to the shape of the style, with its atlas; `long` sides long along x."""
    step = np.linspace(-1, 1, GRID)
    step = np.sign(step) * (1 - (1 - np.abs(step)) ** 1.6)
    u, v = np.meshgrid(step, step, indexing="xy")
    points, places, faces = [], [], []
    for number in range(6):
        normal, right, up = around(number)
        points.append((normal + u[..., None] * right + v[..., None] * up).reshape(-1, 3))
        row, column = divmod(number, 3)
        # What is printed on a long side stays square, in its middle.
        across = np.clip(u * long, -1, 1) if number >= 4 else u
        along = np.clip(v * long, -1, 1) if number in (2, 3) else v
        places.append(
            np.stack([(column + (across + 1) / 2) / 3, 1 - (row + (1 - along) / 2) / 2], axis=-1).reshape(
                -1, 2
            )
        )
        index = np.arange(GRID * GRID).reshape(GRID, GRID) + number * GRID * GRID
        faces.append(
            np.stack([index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]], axis=-1).reshape(-1, 4)
        )
    cube = np.concatenate(points)
    core = np.clip(cube, style.rounding - 1, 1 - style.rounding)
    normals = (cube - core) / np.linalg.norm(cube - core, axis=1, keepdims=True)
    bent = core + style.rounding * normals
    reach = np.linalg.norm(bent, axis=1, keepdims=True)
    cut = reach[:, 0] > style.ball
    normals[cut] = (bent / reach)[cut]
    bent[cut] = (bent / reach * style.ball)[cut]
    bent[:, 0] += (long - 1) * core[:, 0] / (1 - style.rounding)
    mesh = bpy.data.meshes.new("die")
    quads = np.concatenate(faces)
    mesh.from_pydata((bent * half).tolist(), [], quads.tolist())
    layer = mesh.uv_layers.new(name="atlas")
    layer.data.foreach_set("uv", np.concatenate(places)[quads.reshape(-1)].astype(np.float32).reshape(-1))
    mesh.shade_smooth()
    mesh.normals_split_custom_set_from_vertices(normals.tolist())
    mesh.materials.append(_material(style))
    thing = bpy.data.objects.new("die", mesh)
    bpy.context.collection.objects.link(thing)
    return thing


def _picture(name: str, pixels: NDArray[np.floating[Any]]) -> Any:
    """An array of rows from the top (H x W x 4, sRGB) as a picture of Blender's."""
    height, width = pixels.shape[:2]
    image = bpy.data.images.new(name, width, height, alpha=True)
    image.alpha_mode = "CHANNEL_PACKED"
    image.pixels.foreach_set(np.ascontiguousarray(pixels[::-1], np.float32).reshape(-1))
    image.update()
    image.pack()
    return image


def _material(style: Style) -> Any:
    material = bpy.data.materials.new("die")
    tree = material.node_tree
    surface = tree.nodes["Principled BSDF"]
    texture = tree.nodes.new("ShaderNodeTexImage")
    texture.image = _picture("atlas", style.atlas)
    texture.extension = "EXTEND"
    tree.links.new(texture.outputs["Color"], surface.inputs["Base Color"])
    surface.inputs["Roughness"].default_value = style.roughness
    surface.inputs["Coat Weight"].default_value = style.coat
    surface.inputs["IOR"].default_value = 1.49
    for name, much in (("Metallic", style.metallic), ("Transmission Weight", style.transmission)):
        if much:  # the body; its pips are painted
            bare = tree.nodes.new("ShaderNodeMath")
            bare.operation = "MULTIPLY_ADD"
            bare.inputs[1].default_value = -much
            bare.inputs[2].default_value = much
            tree.links.new(texture.outputs["Alpha"], bare.inputs[0])
            tree.links.new(bare.outputs[0], surface.inputs[name])
    if style.engraved:
        _engrave(material, style.relief, style.engraved)
    return material


def _engrave(material: Any, depths: NDArray[np.floating[Any]], engraved: float) -> None:
    """Sink what is marked (as in Style), or raise it."""
    tree = material.node_tree
    relief = tree.nodes.new("ShaderNodeTexImage")
    relief.image = _picture("relief", np.dstack([depths] * 3 + [np.ones_like(depths)]))
    relief.image.colorspace_settings.name = "Non-Color"
    relief.extension = "EXTEND"
    bump = tree.nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value = abs(engraved)
    bump.inputs["Distance"].default_value = 0.25
    bump.invert = engraved > 0
    tree.links.new(relief.outputs["Color"], bump.inputs["Height"])
    tree.links.new(bump.outputs["Normal"], tree.nodes["Principled BSDF"].inputs["Normal"])


def plain(colour: tuple[float, float, float], roughness: float, metallic: float = 0.0) -> Any:
    """A material of one colour (RGB, 0..1)."""
    material = bpy.data.materials.new("plain")
    surface = material.node_tree.nodes["Principled BSDF"]
    surface.inputs["Base Color"].default_value = (*(c**2.2 for c in colour), 1)
    surface.inputs["Roughness"].default_value = roughness
    surface.inputs["Metallic"].default_value = metallic
    return material


def printed(pixels: NDArray[np.floating[Any]], roughness: float) -> Any:
    """A material that shows a picture (H x W x 4, RGBA, 0..1)."""
    material = bpy.data.materials.new("printed")
    texture = material.node_tree.nodes.new("ShaderNodeTexImage")
    texture.image = _picture("print", pixels)
    surface = material.node_tree.nodes["Principled BSDF"]
    material.node_tree.links.new(texture.outputs["Color"], surface.inputs["Base Color"])
    surface.inputs["Roughness"].default_value = roughness
    return material


def _clutter(random: Generator, dice: list[Placed]) -> list[Any]:
    """What else lies on a table: coins, tiles, dominoes, cards, buttons, pieces, pens, fingers."""
    things: list[Any] = _tray(random, dice) if random.random() < 0.12 else []
    if random.random() < 0.35:
        return things
    makers = (_coin, _coin, _tile, _domino, _domino, _domino, _card, _button, _piece, _pen, _plate, _plate)
    chosen = [makers[int(random.integers(len(makers)))] for _ in range(int(random.integers(1, 4)))]
    reach = max(max(map(abs, d.thing.matrix_world.translation[:2])) for d in dice) + 2.5
    for _ in range(int(random.integers(1, 9))):
        maker = chosen[int(random.integers(len(chosen)))]
        x, y = random.uniform(-reach, reach, 2)
        if all(
            math.hypot(x - d.thing.matrix_world.translation.x, y - d.thing.matrix_world.translation.y)
            > 2.1 + 1.3 * d.half
            for d in dice
        ):
            thing = maker(random)
            thing.matrix_world = (
                Matrix.Translation((x, y, 0))
                @ Matrix.Rotation(random.uniform(0, 6.3), 4, "Z")
                @ thing.matrix_world
            )
            things.append(thing)
    if random.random() < 0.15:
        things += _hand(random, dice)
    return things


def _tray(random: Generator, dice: list[Placed]) -> list[Any]:
    """The walls of a tray around the dice: wood, leather or plastic."""
    reach = max(max(map(abs, d.thing.matrix_world.translation[:2])) + 1.5 * d.reach for d in dice)
    reach += random.uniform(0.1, 4)
    wall, height = random.uniform(0.2, 1.2), random.uniform(0.5, 4)
    tint = rgb(random.uniform(0, 1), random.uniform(0, 0.8), random.uniform(0.05, 0.95))
    material = plain(tint, random.uniform(0.2, 0.8))
    walls = []
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        place = ((reach + wall / 2) * x, (reach + wall / 2) * y, height / 2)
        bpy.ops.mesh.primitive_cube_add(size=1, location=place)
        thing = bpy.context.object
        long = 2 * reach + 2 * wall
        thing.scale = (wall if x else long, wall if y else long, height)
        thing.data.materials.append(material)
        walls.append(thing)
    return walls


def _coin(random: Generator) -> Any:
    bpy.ops.mesh.primitive_cylinder_add(
        radius=random.uniform(0.9, 1.6), depth=0.22, location=(0, 0, 0.11), vertices=64
    )
    thing = bpy.context.object
    tint = rgb(random.choice([0.1, 0.05, 0.6]), random.uniform(0.1, 0.6), random.uniform(0.5, 0.9))
    thing.data.materials.append(plain(tint, random.uniform(0.25, 0.5), 0.9))
    return thing


def _box(size: tuple[float, float, float], face: NDArray[np.floating[Any]], roughness: float) -> Any:
    """A box that lies on the table with a printed upper side."""
    bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, size[2] / 2))
    thing = bpy.context.object
    thing.scale = size
    bpy.context.view_layer.update()
    layer = thing.data.uv_layers.active
    for polygon in thing.data.polygons:
        top = polygon.normal.z > 0.5
        for loop in polygon.loop_indices:
            point = thing.data.vertices[thing.data.loops[loop].vertex_index].co
            layer.data[loop].uv = (point.x + 0.5, point.y + 0.5) if top else (0.02, 0.02)
    thing.data.materials.append(printed(face, roughness))
    return thing


def _paper(colour: tuple[float, float, float], width: int, height: int) -> NDArray[np.floating[Any]]:
    face = np.ones((height, width, 4), np.float32)
    face[..., :3] = colour
    return face


def _tile(random: Generator) -> Any:
    face = _paper(rgb(random.random(), random.uniform(0.1, 0.9), random.uniform(0.3, 1)), 64, 64)
    if random.random() < 0.4:
        ink = rgb(random.random(), 0.5, random.random())
        cv2.circle(
            face,
            (32, 32),
            int(random.integers(5, 24)),
            (*ink, 1.0),
            -1 if random.random() < 0.5 else 4,
            cv2.LINE_AA,
        )
    side = random.uniform(1.4, 2.6)
    return _box((side, side, random.uniform(0.15, 0.5)), face, random.uniform(0.3, 0.8))


def _domino(random: Generator) -> Any:
    """A domino: any colour, sharp or rounded, its pips sunk or raised, perhaps a line between its halves."""
    face = np.ones((2 * FACE, FACE, 4), np.float32)
    face[..., :3], relief = draw_domino(random)
    side = random.uniform(1.3, 2.4)
    thing = _box((side, 2 * side, random.uniform(0.3, 1.0)), face, random.uniform(0.1, 0.5))
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    bevel = thing.modifiers.new("edges", "BEVEL")
    bevel.width = random.choice([random.uniform(0.02, 0.1), random.uniform(0.1, 0.3)])
    bevel.segments = 4
    _engrave(thing.data.materials[0], relief, float(random.choice([1, -1]) * random.uniform(0.2, 1.0)))
    return thing


def _plate(random: Generator) -> Any:
    """A plug, a key, a remote control: a box with any print."""
    print_ = draw_plate(random)
    face = np.dstack([print_, np.ones(print_.shape[:2], np.float32)])
    side = random.uniform(0.9, 2.2)
    high = float(random.choice([random.uniform(0.05, 0.4), random.uniform(0.4, 1.8)]))
    return _box((side, side * len(face) / FACE, high), face, random.uniform(0.1, 0.7))


def _card(random: Generator) -> Any:
    face = (
        _paper(rgb(random.random(), random.uniform(0, 0.4), random.uniform(0.6, 1)), 160, 240) * 255
    ).astype(np.uint8)
    for _ in range(int(random.integers(1, 14))):
        ink = tuple(
            255 * part for part in (*rgb(random.random(), random.random(), random.uniform(0, 0.8)), 1.0)
        )
        at = (int(random.integers(15, 145)), int(random.integers(15, 225)))
        kind = random.random()
        if kind < 0.4:
            cv2.circle(face, at, int(random.integers(4, 26)), ink, -1, cv2.LINE_AA)
        elif kind < 0.7:
            cv2.putText(
                face,
                str(random.integers(0, 99)),
                at,
                cv2.FONT_HERSHEY_DUPLEX,
                random.uniform(0.5, 2),
                ink,
                2,
                cv2.LINE_AA,
            )
        else:
            cv2.rectangle(
                face, at, (at[0] + int(random.integers(8, 60)), at[1] + int(random.integers(8, 60))), ink, -1
            )
    return _box((5.0, 7.5, 0.03), face.astype(np.float32) / 255, random.uniform(0.2, 0.7))


def _button(random: Generator) -> Any:
    size = 96
    face = _paper(rgb(random.random(), random.uniform(0, 0.9), random.uniform(0.1, 1)), size, size)
    holes = int(random.choice([2, 4]))
    hole = (*rgb(random.random(), 0.3, random.choice([0.05, 0.9])), 1.0)
    for number in range(holes):
        angle = 2 * math.pi * number / holes
        at = (round(48 + 14 * math.cos(angle)), round(48 + 14 * math.sin(angle)))
        cv2.circle(face, at, 5, hole, -1, cv2.LINE_AA)
    bpy.ops.mesh.primitive_cylinder_add(
        radius=random.uniform(0.7, 1.3), depth=0.2, location=(0, 0, 0.1), vertices=48
    )
    thing = bpy.context.object
    layer = thing.data.uv_layers.active
    reach = max(v.co.x for v in thing.data.vertices)
    for loop, uv in zip(thing.data.loops, layer.data, strict=True):
        point = thing.data.vertices[loop.vertex_index].co
        uv.uv = (point.x / reach / 2 + 0.5, point.y / reach / 2 + 0.5)
    thing.data.materials.append(printed(face, random.uniform(0.1, 0.6)))
    return thing


def _piece(random: Generator) -> Any:
    """A pawn, a cube of wood, a ball."""
    material = plain(
        rgb(random.random(), random.uniform(0.2, 0.9), random.uniform(0.2, 0.9)), random.uniform(0.2, 0.7)
    )
    kind = random.random()
    if kind < 0.4:
        bpy.ops.mesh.primitive_cone_add(radius1=0.8, radius2=0.3, depth=1.8, location=(0, 0, 0.9))
    elif kind < 0.7:
        bpy.ops.mesh.primitive_uv_sphere_add(radius=random.uniform(0.5, 1.2), location=(0, 0, 0.8))
        bpy.context.object.data.shade_smooth()
    else:
        bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=1, radius=1.1, location=(0, 0, 0.95))
    thing = bpy.context.object
    thing.data.materials.append(material)
    return thing


def _pen(random: Generator) -> Any:
    bpy.ops.mesh.primitive_cylinder_add(
        radius=random.uniform(0.25, 0.5), depth=16, location=(0, 0, 0.5), rotation=(math.pi / 2, 0, 0)
    )
    thing = bpy.context.object
    thing.data.materials.append(plain(rgb(random.random(), random.random(), random.random()), 0.3))
    return thing


def _hand(random: Generator, dice: list[Placed]) -> list[Any]:
    """Some fingers that reach in from beyond the picture, beside or over the dice."""
    skin = plain(rgb(random.uniform(0.04, 0.08), random.uniform(0.3, 0.6), random.uniform(0.25, 0.9)), 0.5)
    side = random.uniform(0, 2 * math.pi)
    target = dice[int(random.integers(len(dice)))].thing.matrix_world.translation
    fingers = []
    for number in range(int(random.integers(1, 5))):
        tip = target + Vector(
            (random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5) + 1.1 * number, random.uniform(1.8, 3.0))
        )
        length = 14.0
        root = tip + Vector((math.cos(side) * length, math.sin(side) * length, random.uniform(1, 5)))
        middle = (tip + root) / 2
        bpy.ops.mesh.primitive_cylinder_add(radius=0.6, depth=(root - tip).length, location=middle)
        thing = bpy.context.object
        thing.rotation_mode = "QUATERNION"
        thing.rotation_quaternion = (root - tip).to_track_quat("Z", "Y")
        bpy.ops.mesh.primitive_uv_sphere_add(radius=0.6, location=tip)
        end = bpy.context.object
        for part in (thing, end):
            part.data.shade_smooth()
            part.data.materials.append(skin)
            fingers.append(part)
    return fingers


def make_ground(random: Generator, whole: bool) -> Any:
    """The table: any, if the `whole` scene is kept, else a grey one, for another to be put in its place."""
    bpy.ops.mesh.primitive_plane_add(size=60 if whole else 400)
    ground = bpy.context.object
    if whole:
        table = np.ones((768, 768, 4), np.float32)
        table[..., :3] = draw_table(random, (768, 768))[..., ::-1].astype(np.float32) / 255
        ground.data.materials.append(printed(table, random.uniform(0.15, 0.9)))
    else:
        ground.data.materials.append(plain((0.4, 0.4, 0.4), 1.0))
    return ground


def light_up(random: Generator) -> None:
    """A room and one to three lamps in it."""
    studio.room(random, 0.25, (0.1, 0.9))
    for _ in range(int(random.integers(1, 4))):
        size = float(random.choice([random.uniform(0.3, 2), random.uniform(3, 14)]))
        studio.lamp(random, size, random.uniform(8, 30), out=(0, 1.3), power=(4, 16), tint=0.35)


def set_camera(random: Generator, dice: list[Placed]) -> float:
    """A camera that sees nearly all of the dice; how high it looks from, in degrees (90: from above)."""
    places = np.array([tuple(die.thing.matrix_world.translation) for die in dice])
    middle = Vector(
        ((places[:, 0].min() + places[:, 0].max()) / 2, (places[:, 1].min() + places[:, 1].max()) / 2, 1)
    )
    size = float(max(np.hypot(places[:, 0] - middle.x, places[:, 1] - middle.y).max(), 1) + 1.8)
    lift = math.radians(
        random.choice(
            [random.uniform(72, 90), random.uniform(45, 75), random.uniform(28, 48)], p=[0.4, 0.42, 0.18]
        )
    )
    camera = bpy.data.cameras.new("camera")
    camera.angle = math.radians(random.uniform(22, 70))
    distance = size / math.tan(camera.angle / 2) * random.uniform(0.85, 1.25) * HEIGHT / WIDTH * 1.35
    turn = random.uniform(0, 2 * math.pi)
    place = middle + distance * Vector(
        (math.cos(turn) * math.cos(lift), math.sin(turn) * math.cos(lift), math.sin(lift))
    )
    look = (place - middle).to_track_quat("Z", "Y")
    tilt = math.pi if lift > math.radians(72) else 0.25  # who looks aslant holds the camera upright
    roll = Matrix.Rotation(random.uniform(-tilt, tilt), 3, "Z").to_quaternion()
    studio.camera(camera, place, look @ roll)
    return math.degrees(lift)


def set_up(scene: Any, random: Generator) -> None:
    """How a scene is rendered."""
    studio.set_up(random, SAMPLES, 5, (WIDTH, HEIGHT))  # with noise, as a camera's pictures have it
    scene.render.film_transparent = True
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGBA"
    scene.view_settings.view_transform = str(random.choice(["Standard", "Filmic", "AgX"], p=[0.6, 0.2, 0.2]))
    scene.view_settings.exposure = float(random.uniform(-0.9, 0.3))


def _identify(scene: Any, ground: Any, dice: dict[int, Any], others: list[Any]) -> None:
    """Set the scene up to be rendered once more, each thing in a red of its own."""
    material = bpy.data.materials.new("number")
    tree = material.node_tree
    tree.nodes.clear()
    info, glow, out = (
        tree.nodes.new(f"ShaderNode{name}") for name in ("ObjectInfo", "Emission", "OutputMaterial")
    )
    tree.links.new(info.outputs["Color"], glow.inputs["Color"])
    tree.links.new(glow.outputs[0], out.inputs["Surface"])
    bpy.context.view_layer.material_override = material
    ground.hide_render = True
    for number, thing in [*dice.items(), *enumerate(others, FIRST_OTHER)]:
        thing.color = (min(number, 255) / 255, 0, 0, 1)
    scene.cycles.samples = 1
    scene.cycles.pixel_filter_type = "BOX"
    scene.cycles.filter_width = 0.01
    scene.render.dither_intensity = 0.0  # else a number is one more or less here and there
    scene.cycles.max_bounces = 0
    scene.view_settings.view_transform = "Raw"
    scene.view_settings.exposure = 0.0


def label(die: Placed) -> dict[str, Any]:
    """What is known of a die: value, colour, lean, and where its upper face is, in pixels."""
    world = die.thing.matrix_world
    lifts = [(world.to_3x3() @ axis).normalized().z for axis in AXES]
    top = int(np.argmax(lifts))
    axis, right, up = (Vector(way.tolist()) for way in around(top))
    size = Vector(die.halves)
    flat = [(axis + a * right + b * up) * size for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return {
        "id": die.number,
        "kind": die.style.kind,
        "face": die.style.values[top],
        "colour": die.style.colour,
        "lean": math.degrees(math.acos(min(1.0, lifts[top]))),
        "centre": pixel(world @ (axis * size)),
        "top": [pixel(world @ point) for point in flat],
    }


def main() -> None:
    """Render as many scenes as asked for; those that are already there stay."""
    render_all(__doc__, render, count=100, seed=1, fine="for the third network")


if __name__ == "__main__":
    main()
