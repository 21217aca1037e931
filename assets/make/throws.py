"""Makes the recorded throws in `assets/samples`: dice thrown by a physics engine, seen by a ray tracer.

Needs Python 3.11, `pip install bpy==5.0.1` (Blender as a module) and the program `ffmpeg` with x264::

    python assets/make/throws.py all --work /tmp/throws      # everything; or some names instead of `all`
    python assets/make/throws.py seeds                       # look for seeds whose dice end as wanted

Every throw is simulated by Bullet, 120 poses a second, until all dice lie flat, and rendered by Cycles at
15 frames a second. The picture at rest is rendered once and shown again and again under fresh sensor noise.
The truth in `labels.json` is computed from the last poses, not typed in. Lengths are centimetres.
"""

import argparse
import json
import math
import random
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
WIDTH, HEIGHT, FPS = 640, 480, 15
PHYSICS_FPS = 120
STEPS = PHYSICS_FPS // FPS  # physics poses between two frames
EMPTY, REST, FADE = 5, 26, 2  # frames before the throw, of dice at rest, of the cut back to the table

EDGE = 1.6  # of a die
TRAY = (8.2, 6.6, 1.4)  # half width, half depth, height of the rim
CAMERA_DISTANCE = 32.0

# Direction of each face in the die's own axes: opposite faces sum to seven, and 1, 2, 3 run
# counterclockwise around their corner, as on western dice.
FACES = {1: (1, 0, 0), 2: (0, 1, 0), 3: (0, 0, 1), 4: (0, 0, -1), 5: (0, -1, 0), 6: (-1, 0, 0)}
PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}

Colour = tuple[float, float, float]
Pose = tuple[tuple[float, float, float], tuple[float, float, float, float]]  # place, quaternion
Poses = list[list[Pose]]  # [physics frame][die]

DARK, LIGHT = (0.012, 0.012, 0.014), (0.86, 0.85, 0.82)


@dataclass(frozen=True)
class Look:
    """A die's body and pips; `name` is the colour as labels have it."""

    name: str
    body: Colour
    pips: Colour


WHITE = Look("white", (0.80, 0.79, 0.76), DARK)
IVORY = Look("white", (0.78, 0.66, 0.44), (0.05, 0.022, 0.01))
RED = Look("red", (0.55, 0.012, 0.016), LIGHT)
BLUE = Look("blue", (0.012, 0.055, 0.42), LIGHT)
GREEN = Look("green", (0.01, 0.22, 0.05), LIGHT)
YELLOW = Look("yellow", (0.84, 0.52, 0.015), DARK)
BLACK = Look("black", (0.014, 0.014, 0.016), LIGHT)
ORANGE = Look("orange", (0.8, 0.16, 0.01), LIGHT)


@dataclass(frozen=True)
class Throw:
    """One recording: its dice, the ground, the camera's tilt off the vertical, the lamp, the seed."""

    name: str
    dice: tuple[Look, ...]
    ground: str
    tilt: float
    lamp: tuple[float, float, float]
    seed: int
    touching: bool = False
    pace: float = 1.0  # of the hand


THROWS = (
    Throw("two-white", (WHITE, WHITE), "green felt", 24, (-14, 10, 34), 30),
    Throw("red-and-white", (RED, WHITE), "wood", 30, (16, 12, 30), 17),
    Throw("four-colours", (BLUE, GREEN, YELLOW, IVORY), "grey felt", 20, (-10, 14, 36), 35, pace=0.5),
    Throw("one-orange", (ORANGE,), "blue felt", 33, (12, -8, 34), 1),
    Throw("two-touching", (WHITE, WHITE, BLUE), "red felt", 22, (-16, -6, 32), 26, touching=True, pace=0.5),
    Throw("two-black", (BLACK, BLACK), "wood", 26, (10, 16, 32), 54),
    Throw("three-ivory", (IVORY, IVORY, IVORY), "blue felt", 28, (-12, 8, 36), 244, pace=0.5),
)


# --- the throw: Bullet ---------------------------------------------------------------------------


def new_scene() -> Any:
    """An empty scene with gravity in centimetres."""
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.preferences.edit.keyframe_new_interpolation_type = "LINEAR"
    scene = bpy.context.scene
    scene.gravity = (0, 0, -981)
    return scene


def box(name: str, size: Sequence[float], place: Sequence[float], bevel: float = 0.0) -> Any:
    """A cuboid with rounded edges."""
    import bpy

    bpy.ops.mesh.primitive_cube_add(size=1, location=place)
    made = bpy.context.object
    made.name = name
    made.scale = size
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    if bevel:
        rounding = made.modifiers.new("rounding", "BEVEL")
        rounding.width, rounding.segments = bevel, 5
        bpy.ops.object.modifier_apply(modifier="rounding")
    return made


def tray() -> list[Any]:
    """The ground and the four sides of the rim."""
    x, y, rim = TRAY
    long, short = (2 * x + 2.4, 1.2, rim + 2), (1.2, 2 * y, rim + 2)
    at = rim / 2 - 1
    return [
        box("ground", (80, 80, 2), (0, 0, -1)),
        *(box("rim", long, (0, side * (y + 0.6), at), 0.25) for side in (-1, 1)),
        *(box("rim", short, (side * (x + 0.6), 0, at), 0.25) for side in (-1, 1)),
    ]


def rigid(thing: Any, kind: str, friction: float, bounce: float) -> Any:
    """Make a thing part of the physics."""
    import bpy

    bpy.context.view_layer.objects.active = thing
    bpy.ops.rigidbody.object_add(type=kind)
    body = thing.rigid_body
    body.collision_shape = "CONVEX_HULL"
    body.use_margin, body.collision_margin = True, 0.005
    body.friction, body.restitution = friction, bounce
    return body


def let_go(die: Any, chance: random.Random, index: int, pace: float) -> None:
    """Carry a die for two frames, turning, so that it leaves the hand with a speed and a spin."""
    body = rigid(die, "ACTIVE", 0.6, 0.6)
    body.mass, body.angular_damping, body.linear_damping = 0.005, 0.02, 0.01
    place = [
        TRAY[0] + 3.2 + 2.6 * (index // 2),
        chance.uniform(-2.2, -0.6) + 2.9 * (index % 2),
        7 + index % 2,
    ]
    speed = [pace * chance.uniform(-130, -70), chance.uniform(-25, 25), chance.uniform(-30, 0)]
    spin = [chance.uniform(-45, 45) for _ in range(3)]
    turn = [chance.uniform(0, math.tau) for _ in range(3)]
    for frame in (1, 2, 3, 4, 5, 6):
        die.location = [p + v * (frame - 1) / PHYSICS_FPS for p, v in zip(place, speed, strict=True)]
        die.rotation_euler = [a + w * (frame - 1) / PHYSICS_FPS for a, w in zip(turn, spin, strict=True)]
        die.keyframe_insert("location", frame=frame)
        die.keyframe_insert("rotation_euler", frame=frame)
    for frame, held in ((1, True), (4, True), (5, False)):
        body.kinematic = held
        body.keyframe_insert("kinematic", frame=frame)


def simulate(throw: Throw, seconds: float = 2.2) -> Poses:
    """Throw the dice and return where each was, `PHYSICS_FPS` times a second."""
    import bpy

    scene, chance = new_scene(), random.Random(f"{throw.name} {throw.seed}")
    bpy.ops.rigidbody.world_add()
    world = scene.rigidbody_world
    world.substeps_per_frame, world.solver_iterations = 8, 40
    world.point_cache.frame_end = int(seconds * PHYSICS_FPS)
    scene.render.fps = PHYSICS_FPS
    for thing in tray():
        rigid(thing, "PASSIVE", 0.7, 0.75)
    dice = [box("die", (EDGE,) * 3, (0, 0, 50 + 3 * i), 0.13 * EDGE) for i in range(len(throw.dice))]
    for index, die in enumerate(dice):
        let_go(die, chance, index, throw.pace)
    poses = []
    for frame in range(1, int(seconds * PHYSICS_FPS) + 1):
        scene.frame_set(frame)
        poses.append([pose_of(die) for die in dice])
    return poses


def pose_of(thing: Any) -> Pose:
    """Where a thing is now."""
    place, turn, _ = thing.matrix_world.decompose()
    return tuple(place), tuple(turn)


def up(pose: Pose) -> tuple[int, float]:
    """The upper face of a die and how upright it lies (1 is flat)."""
    from mathutils import Quaternion, Vector

    heights = {face: (Quaternion(pose[1]) @ Vector(axis)).z for face, axis in FACES.items()}
    face = max(heights, key=lambda f: heights[f])
    return face, heights[face]


def still(one: Pose, other: Pose) -> bool:
    """Two poses that a camera cannot tell apart."""
    turn = abs(sum(a * b for a, b in zip(one[1], other[1], strict=True)))
    return math.dist(one[0], other[0]) < 0.02 and turn > math.cos(math.radians(0.5))


def rest_frame(poses: Poses) -> int:
    """The first frame of the film, counted from the throw, in which no die moves any more."""
    last = len(poses) - 1
    while last > 0 and all(still(a, b) for a, b in zip(poses[last - 1], poses[-1], strict=True)):
        last -= 1
    return math.ceil(last / STEPS)


def good(throw: Throw, poses: Poses) -> bool:
    """Every die flat, in view, at rest soon enough, and two of them touching just if they should."""
    last = [pose[0] for pose in poses[-1]]
    flat = all(up(pose)[1] > 0.9995 and abs(pose[0][2] - EDGE / 2) < 0.05 for pose in poses[-1])
    inside = all(abs(x) < 5.6 and abs(y) < 4.0 for x, y, _ in last)
    apart = [math.dist(a, b) for i, a in enumerate(last) for b in last[:i]]
    near = bool(apart) and min(apart) < 1.2 * EDGE
    return flat and inside and near == throw.touching and 8 <= rest_frame(poses) <= 30


# --- the picture: Cycles -------------------------------------------------------------------------


def material(name: str, colour: Colour, roughness: float, coat: float = 0.0) -> Any:
    """A plain surface."""
    import bpy

    made = bpy.data.materials.new(name)
    made.use_nodes = True
    surface = made.node_tree.nodes["Principled BSDF"]
    surface.inputs["Base Color"].default_value = (*colour, 1)
    surface.inputs["Roughness"].default_value = roughness
    surface.inputs["Coat Weight"].default_value = coat
    return made


def patterned(made: Any, colours: tuple[Colour, Colour], stretch: Sequence[float], bump: float) -> Any:
    """Give a surface the grain of wood or the nap of felt: noise between two colours, and a relief."""
    tree = made.node_tree
    surface = tree.nodes["Principled BSDF"]
    where, scale = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeMapping")
    noise, ramp = tree.nodes.new("ShaderNodeTexNoise"), tree.nodes.new("ShaderNodeValToRGB")
    relief = tree.nodes.new("ShaderNodeBump")
    scale.inputs["Scale"].default_value = stretch
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 1.0, 8.0
    for stop, colour, at in zip(ramp.color_ramp.elements, colours, (0.3, 0.7), strict=True):
        stop.color, stop.position = (*colour, 1), at
    relief.inputs["Strength"].default_value, relief.inputs["Distance"].default_value = bump, 0.05
    link = tree.links.new
    link(where.outputs["Object"], scale.inputs["Vector"])
    link(scale.outputs["Vector"], noise.inputs["Vector"])
    link(noise.outputs["Fac"], ramp.inputs["Fac"])
    link(ramp.outputs["Color"], surface.inputs["Base Color"])
    link(noise.outputs["Fac"], relief.inputs["Height"])
    link(relief.outputs["Normal"], surface.inputs["Normal"])
    return made


FELTS: dict[str, Colour] = {
    "green felt": (0.012, 0.10, 0.035),
    "blue felt": (0.02, 0.06, 0.14),
    "grey felt": (0.12, 0.12, 0.125),
    "red felt": (0.16, 0.014, 0.022),
}


def ground(kind: str) -> Any:
    """What the dice lie on."""
    if kind == "wood":
        oak = material("wood", (0.3, 0.15, 0.06), 0.55)
        return patterned(oak, ((0.20, 0.088, 0.032), (0.36, 0.19, 0.082)), (0.25, 3.2, 3.2), 0.15)
    colour = FELTS[kind]
    dim: Colour = (colour[0] * 0.72, colour[1] * 0.72, colour[2] * 0.72)
    return patterned(material(kind, colour, 0.95), (dim, colour), (9, 9, 9), 0.6)


def die_mesh() -> Any:
    """A rounded cube with 21 dimples; the first material is the body, the second the pips."""
    import bpy
    from mathutils import Vector

    die = box("model", (EDGE,) * 3, (0, 0, 0), 0.13 * EDGE)
    die.data.materials.append(material("body", LIGHT, 0.3))
    radius, depth = 0.092 * EDGE, 0.04 * EDGE  # of a dimple as seen from above
    ball = (radius**2 + depth**2) / (2 * depth)
    pips = material("pips", DARK, 0.5)
    for face, axis in FACES.items():
        out = Vector(axis)
        across, along = Vector((axis[1], axis[2], axis[0])), Vector((axis[2], axis[0], axis[1]))
        for u, v in PIPS[face]:
            place = out * (EDGE / 2 + ball - depth) + (across * u + along * v) * 0.25 * EDGE
            bpy.ops.mesh.primitive_uv_sphere_add(radius=ball, segments=32, ring_count=20, location=place)
            bpy.context.object.data.materials.append(pips)
            carve(die, bpy.context.object)
    for polygon in die.data.polygons:
        polygon.use_smooth = True
    return die


def carve(die: Any, cutter: Any) -> None:
    """Take one ball out of the die; the hollow keeps the ball's material."""
    import bpy

    bpy.context.view_layer.objects.active = die
    cut = die.modifiers.new("pip", "BOOLEAN")
    cut.operation, cut.object, cut.material_mode = "DIFFERENCE", cutter, "TRANSFER"
    bpy.ops.object.modifier_apply(modifier="pip")
    bpy.data.objects.remove(cutter)


def dress(model: Any, look: Look) -> Any:
    """A die of that look, made from the model."""
    import bpy

    die = bpy.data.objects.new("die", model.data.copy())
    bpy.context.collection.objects.link(die)
    die.data.materials[0] = material("body", look.body, 0.28, coat=0.3)
    die.data.materials[1] = material("pips", look.pips, 0.5)
    sharp = die.modifiers.new("normals", "WEIGHTED_NORMAL")
    sharp.keep_sharp = True
    return die


def look_at_tray(throw: Throw) -> Any:
    """The camera above the table and the light."""
    import bpy
    from mathutils import Vector

    tilt = math.radians(throw.tilt)
    place = Vector((0, -math.sin(tilt), math.cos(tilt))) * CAMERA_DISTANCE
    bpy.ops.object.camera_add(location=place, rotation=(tilt, 0, 0))
    camera = bpy.context.object
    camera.data.lens = 82
    bpy.context.scene.camera = camera
    lamp = Vector(throw.lamp)
    bpy.ops.object.light_add(type="AREA", location=lamp, rotation=lamp.to_track_quat("Z", "Y").to_euler())
    bpy.context.object.data.size = 12
    bpy.context.object.data.energy = 32000
    world = bpy.data.worlds.new("room")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.9, 0.95, 1, 1)
    world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.45
    bpy.context.scene.world = world
    return camera


def stage(throw: Throw) -> tuple[Any, list[Any]]:
    """The scene to be rendered and its dice."""
    import bpy

    scene = new_scene()
    felt, wood = ground(throw.ground), material("rim", (0.12, 0.05, 0.02), 0.4, coat=0.2)
    for thing in tray():
        thing.data.materials.append(felt if thing.name == "ground" else wood)
    model = die_mesh()
    dice = [dress(model, look) for look in throw.dice]
    bpy.data.objects.remove(model)
    look_at_tray(throw)
    render = scene.render
    render.engine, render.fps, render.use_persistent_data = "CYCLES", FPS, True
    render.resolution_x, render.resolution_y = WIDTH, HEIGHT
    render.use_motion_blur, render.motion_blur_shutter = True, 0.2  # of a frame: 1/75 s
    scene.cycles.device, scene.cycles.samples = "CPU", 20
    scene.cycles.use_denoising, scene.cycles.seed, scene.cycles.max_bounces = True, 7, 4
    scene.view_settings.view_transform = "Standard"
    return scene, dice


def animate(dice: list[Any], poses: Poses) -> None:
    """Key every pose at its time; frame 0 is the start of the throw."""
    for die_index, die in enumerate(dice):
        die.rotation_mode = "QUATERNION"
        turn = poses[0][die_index][1]
        for step, now in enumerate(poses):
            place, new = now[die_index]
            sign = 1 if sum(a * b for a, b in zip(turn, new, strict=True)) >= 0 else -1
            turn = (sign * new[0], sign * new[1], sign * new[2], sign * new[3])  # the short way round
            die.location, die.rotation_quaternion = place, turn
            die.keyframe_insert("location", frame=step / STEPS)
            die.keyframe_insert("rotation_quaternion", frame=step / STEPS)


def truth(throw: Throw, scene: Any, dice: list[Any], poses: Poses) -> dict[str, object]:
    """What lies on the table at the end, as `labels.json` has it."""
    from mathutils import Vector

    seen = []
    for look, die, pose in zip(throw.dice, dice, poses[-1], strict=True):
        corners = [on_picture(scene, die.matrix_world @ vertex.co) for vertex in die.data.vertices]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        top = on_picture(scene, die.matrix_world.translation + Vector((0, 0, EDGE / 2)))
        edges = (min(xs), min(ys), max(xs), max(ys))
        seen.append(
            {
                "face": up(pose)[0],
                "center": [round(v, 1) for v in top],
                "box": [round(v, 1) for v in edges],
                "color": look.name,
            }
        )
    return {
        "file": f"{throw.name}.mp4",
        "source": "assets/make/throws.py",
        "tags": [throw.ground],
        "width": WIDTH,
        "height": HEIGHT,
        "dice": seen,
        "rest_from_s": round((EMPTY + rest_frame(poses)) / FPS, 3),
    }


def on_picture(scene: Any, point: Any) -> tuple[float, float]:
    """The pixel in which a point of the scene is seen."""
    from bpy_extras.object_utils import world_to_camera_view

    across, above, _ = world_to_camera_view(scene, scene.camera, point)
    return across * WIDTH, (1 - above) * HEIGHT


def render(throw: Throw, work: Path) -> dict[str, object]:
    """Render the empty table, the throw and the dice at rest into `work`; return the truth."""
    import bpy

    poses = simulate(throw)
    if not good(throw, poses):
        raise SystemExit(
            f"{throw.name}: seed {throw.seed} does not end as wanted; run `seeds` and choose one"
        )
    scene, dice = stage(throw)
    animate(dice, poses)
    rest = rest_frame(poses)
    frames = {f"{frame:03}": (frame, False) for frame in range(rest + 1)} | {"empty": (0, True)}
    for name, (frame, empty) in frames.items():
        for die in dice:
            die.hide_render = empty
        scene.frame_set(frame)
        scene.render.filepath = str(work / throw.name / f"{name}.png")
        if not Path(scene.render.filepath).exists():
            bpy.ops.render.render(write_still=True)
    scene.frame_set(len(poses) // STEPS)
    return truth(throw, scene, dice, poses)


# --- the film ------------------------------------------------------------------------------------


def picture(path: Path) -> Any:
    """A rendered picture as H x W x 3 floats in 0..255, RGB."""
    import bpy
    import numpy as np

    image = bpy.data.images.load(str(path))
    image.colorspace_settings.name = "Non-Color"
    flat = np.empty(WIDTH * HEIGHT * 4, np.float32)
    image.pixels.foreach_get(flat)
    bpy.data.images.remove(image)
    return flat.reshape(HEIGHT, WIDTH, 4)[::-1, :, :3] * 255


def sequence(folder: Path) -> list[Any]:
    """The pictures of a film in order: empty table, throw, rest, and the dice taken away."""
    empty = picture(folder / "empty.png")
    throw = [picture(path) for path in sorted(folder.glob("[0-9]*.png"))]
    fade = [throw[-1] + (empty - throw[-1]) * (k + 1) / (FADE + 1) for k in range(FADE)]
    return [empty] * EMPTY + throw[:-1] + [throw[-1]] * REST + fade + [empty] * EMPTY


def film(name: str, work: Path) -> Path:
    """Put fresh sensor noise on every picture and encode them as H.264."""
    import numpy as np

    noise, target = np.random.default_rng(len(name)), SAMPLES / f"{name}.mp4"
    command = ["ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
               f"{WIDTH}x{HEIGHT}", "-r", str(FPS), "-i", "-", "-c:v", "libx264", "-crf", "24",
               "-preset", "slow", "-threads", "1", "-pix_fmt", "yuv420p", "-movflags", "+faststart",
               str(target)]  # fmt: skip
    raw = bytearray()
    for clean in sequence(work / name):
        exposure = noise.normal(1, 0.004)
        grain = noise.normal(0, 1, clean.shape) * (1.2 + 0.02 * np.sqrt(np.maximum(clean, 0)))
        raw += np.clip(clean * exposure + grain + 0.5, 0, 255).astype(np.uint8).tobytes()
    subprocess.run(command, input=raw, check=True)
    return target


def make(names: Sequence[str], work: Path) -> None:
    """Make the named throws, or all, and bring `labels.json` up to date."""
    SAMPLES.mkdir(exist_ok=True)
    labels = SAMPLES / "labels.json"
    known = (
        {entry["file"]: entry for entry in json.loads(labels.read_text())["images"]}
        if labels.exists()
        else {}
    )
    for throw in THROWS:
        if throw.name in names or "all" in names:
            entry = render(throw, work)
            known[film(throw.name, work).name] = entry
            labels.write_text(json.dumps({"images": list(known.values())}, indent=1) + "\n")


def seeds(names: Sequence[str]) -> None:
    """Print, for every throw, the first seeds that end as wanted, with the faces thrown."""
    from dataclasses import replace

    for throw in THROWS:
        found = 0
        for seed in range(1, 400 if not names or throw.name in names else 0):
            poses = simulate(replace(throw, seed=seed))
            if good(throw, poses):
                print(throw.name, seed, [up(p)[0] for p in poses[-1]], rest_frame(poses), flush=True)
                found += 1
            if found == 4:
                break


def main() -> None:
    """See the top of the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="+", help="`all`, names of throws, or `seeds` and names")
    parser.add_argument(
        "--work", type=Path, default=Path("throws-work"), help="where rendered pictures are kept"
    )
    given = parser.parse_args()
    if given.what[0] == "seeds":
        seeds(given.what[1:])
    else:
        make(given.what, given.work.resolve())


if __name__ == "__main__":
    main()
