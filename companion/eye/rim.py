"""Squares of a picture, looked at one by one: what lies within and around them, and where they end."""

import cv2
import numpy as np

from companion.eye.chroma import UNIT
from companion.eye.network import Image
from companion.eye.plane import Floats

SAMPLES = 24  # a side of a square is looked at in so many samples ...
WIDE = 1.3  # ... and so many sides wide: also at what is around it
OUT = (np.arange(SAMPLES) - (SAMPLES - 1) / 2) / SAMPLES * WIDE  # how far they are from the middle, in sides
RIM = (0.36, 0.48, 0.54, 0.65)  # of a side, from its middle: from and to inside an edge, and outside
EDGE = 0.2  # logarithms: by so much the colours on both sides of an edge differ at least
SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2


def seen_at(corners: Floats, logs: Image) -> Floats:
    """What is seen at a square (4 x 2) and around it (SAMPLES x SAMPLES x 3, of `logs`)."""
    middle = corners.mean(axis=0)
    onto = cv2.getPerspectiveTransform(
        ((corners - middle) * WIDE + middle).astype(np.float32),
        ((SQUARE + 0.5) * SAMPLES - 0.5).astype(np.float32),
    )
    return cv2.warpPerspective(logs, onto, (SAMPLES, SAMPLES), borderMode=cv2.BORDER_CONSTANT).astype(float)


def edges(seen: Floats) -> int:
    """At how many of its four sides what is seen at a square ends."""
    levels = seen / UNIT
    along, inside, outside = (
        (low < far) & (far < high)
        for far, low, high in ((abs(OUT), 0, RIM[0]), (OUT, *RIM[:2]), (OUT, *RIM[2:]))
    )
    count = 0
    for turned in (levels, levels[::-1], levels.transpose(1, 0, 2), levels.transpose(1, 0, 2)[::-1]):
        one, other = (np.median(turned[rows][:, along].reshape(-1, 3), axis=0) for rows in (inside, outside))
        count += bool(np.abs(one - other).max() > EDGE)
    return count
