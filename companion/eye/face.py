"""A third opinion: a network that reads upper faces and nothing else, twice as fine as the second one.

It takes for granted that there is a die. Its recipe is companion/eye/train/fields.py, lights.py, prints.py
and second.py.
"""

from pathlib import Path

from companion.eye.network import Image, ask, cut_out

MODEL = Path(__file__).parents[2] / "assets" / "model" / "face.onnx"
SIDE = 128  # px: side of a cut-out
SHOWN = 96  # px: size of the die in it


def upper_face(frame: Image, centre: tuple[float, float], size: float) -> tuple[float, ...]:
    """How likely the die at a point of a frame (H x W x 3, BGR) shows each face, and, last, no pips (7)."""
    return tuple(ask(MODEL, cut_out(frame, centre, size, SHOWN, SIDE)).tolist())
