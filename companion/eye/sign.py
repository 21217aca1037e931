"""What dice that were taught show: a small network to which looks at one face are alike in any light.

It makes of a look (companion/eye/taught.py) another one of the same angles; the nearer two of these are, the
likelier they are of one face. Its recipe is companion/eye/train/figures.py, looks.py and alike.py.
"""

from pathlib import Path

import numpy as np

from companion.eye.network import Float, answer

MODEL = Path(__file__).parents[2] / "assets" / "model" / "sign.onnx"
REACH = 6  # angles to both sides on which what is seen at one depends
BATCH = 7  # looks that are shown to it at once: as many as are taken of one die


def seen_in(looks: Float) -> Float:
    """What is to be seen in looks (N x colours x rings x angles): N x parts x angles, of each the sum of the
    squares is 1.
    """
    count, *_, angles = looks.shape
    whole = np.concatenate([looks, np.zeros((-count % BATCH, *looks.shape[1:]), np.float32)])
    around = np.concatenate([whole[..., -REACH:], whole, whole[..., :REACH]], axis=-1)
    parts = [answer(MODEL, around[i : i + BATCH]) for i in range(0, count, BATCH)]
    seen = np.concatenate(parts)[:count].reshape(count, -1, angles)
    return np.asarray(seen / (np.sqrt((seen**2).sum(axis=(1, 2), keepdims=True)) + 1e-6), np.float32)
