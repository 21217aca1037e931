"""A third opinion: a network that sees single dice twice as fine as the second one, as they lie in a tray.

It says which face lies uppermost, or that there is no die. Dice that lean and cuboids it does not know. Its
recipe is companion/eye/train/fields.py, lights.py, prints.py, proposals.py, variety.py and second.py.
"""

from pathlib import Path

import cv2

from companion.eye.network import Image, Parts, ask, cut_out, mixed

MODEL = Path(__file__).parents[2] / "assets" / "model" / "face.onnx"
SIDE = 128  # px: side of a cut-out
SHOWN = 96  # px: size of the die in it
NO_DIE = 7  # what it says behind the faces and NO_PIPS
CLEAR = 0.985  # a share from which on nothing is looked at in a mirror, too


def upper_face(frame: Image, centre: tuple[float, float], size: float) -> tuple[float, ...]:
    """How likely each face lies at a point of a frame (H x W x 3, BGR), one without pips, and no die (8).

    In doubt it looks into a mirror, too: the geometric mean of both answers counts.
    """
    cut = cut_out(frame, centre, size, SHOWN, SIDE)
    said: Parts = ask(MODEL, cut)
    if said.max() < CLEAR:
        said = mixed(said, ask(MODEL, cv2.flip(cut, 1)), 0.5)
    return tuple(said.tolist())
