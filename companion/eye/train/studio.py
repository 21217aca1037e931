"""What every rendered picture needs: a room with its light, lamps, a camera, and where things are in it."""

import math
from typing import Any

import bpy
import numpy as np
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector
from numpy.random import Generator

from companion.eye.train.artwork import FACING, rgb

Range = tuple[float, float]
AXES = tuple(map(Vector, FACING))


def set_up(random: Generator, samples: int, bounces: int, size: tuple[int, int]) -> None:
    """How the scene is rendered: so many samples of each pixel and bounces of the light, in a size."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    cycles, out = scene.cycles, scene.render
    cycles.device, cycles.samples, cycles.seed = "CPU", samples, int(random.integers(1 << 30))
    cycles.use_denoising = cycles.use_light_tree = cycles.use_adaptive_sampling = False
    cycles.max_bounces, cycles.sample_clamp_indirect = bounces, 4
    cycles.caustics_reflective = cycles.caustics_refractive = False
    out.resolution_x, out.resolution_y = size
    out.threads_mode, out.threads = "FIXED", 1


def room(random: Generator, tint: float, strength: Range) -> None:
    """The light that comes from everywhere: warm or cold, of some saturation at most and some strength."""
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    background = world.node_tree.nodes["Background"].inputs
    background["Color"].default_value = (*rgb(random.choice([0.08, 0.6]), random.uniform(0, tint), 1.0), 1)
    background["Strength"].default_value = random.uniform(*strength)


def lamp(random: Generator, size: float, height: float, out: Range, power: Range, tint: float) -> None:
    """A square lamp that shines on the middle, `out` heights from above it; `power` is what arrives there."""
    light = bpy.data.lights.new("lamp", "AREA")
    light.size = size
    turn, away = random.uniform(0, 2 * math.pi), random.uniform(*out) * height
    light.energy = random.uniform(*power) * (height * height + away * away)
    light.color = rgb(random.choice([0.09, 0.6]), random.uniform(0, tint), 1.0)
    place = Vector((math.cos(turn) * away, math.sin(turn) * away, height))
    put("lamp", light, place, place.to_track_quat("Z", "Y"))


def camera(seer: Any, place: Any, turn: Any) -> None:
    """Look at the scene through a camera at a place, turned so (a quaternion)."""
    bpy.context.scene.camera = put("camera", seer, place, turn)


def put(name: str, data: Any, place: Any, turn: Any) -> Any:
    """Put something into the scene; what it is."""
    thing = bpy.data.objects.new(name, data)
    thing.location = place
    thing.rotation_mode = "QUATERNION"
    thing.rotation_quaternion = turn
    bpy.context.collection.objects.link(thing)
    return thing


def uppermost(thing: Any) -> int:
    """Which of AXES of a thing points up most."""
    turn = thing.matrix_world.to_3x3()
    return int(np.argmax([(turn @ axis).z for axis in AXES]))


def pixel(point: Any) -> tuple[float, float]:
    """Where a point of the world is in the picture."""
    scene = bpy.context.scene
    view = world_to_camera_view(scene, scene.camera, point)
    return (view.x * scene.render.resolution_x - 0.5, (1 - view.y) * scene.render.resolution_y - 0.5)
