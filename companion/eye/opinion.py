"""A second opinion: a larger network, asked of single dice: in throws all, else what the first doubts.

It looks at a cut-out with more of what is around the die, and says what that is: one of the classes of the
first network, or no die at all. Its recipe is companion/eye/train/second.py.
"""

from pathlib import Path

from companion.eye.network import Image, ask, cut_out

MODEL = Path(__file__).parents[2] / "assets" / "model" / "opinion.onnx"
SIDE = 80  # px: side of a cut-out
SHOWN = 48  # px: size of the die in it


def opinion(frame: Image, centre: tuple[float, float], size: float) -> tuple[float, ...]:
    """What may lie at a point of a frame (H x W x 3, BGR): how likely each class, and, last, no die (13)."""
    return tuple(ask(MODEL, cut_out(frame, centre, size, SHOWN, SIDE)).tolist())
