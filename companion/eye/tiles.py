"""Dominoes look like dice in everything but their body: it is twice as long as wide, with straight edges."""

import numpy as np

from companion.eye.body import LEAST_CHANGE, look
from companion.eye.ellipses import Floats
from companion.eye.evidence import Judged
from companion.eye.pips import Image

# Lengths are in halves of the body's width.
HALF_WIDTH = 1.08  # median distance from the middle of a square to its border
ANGLES = np.arange(96) * np.pi / 48
ALONG = np.linspace(0.1, 2.6, 14)  # from the middle of one half of a domino nearly to the end of the other: 3
INSIDE, OUTSIDE = 0.8, 1.3  # lines clear of the pips, and clear of the body
SAME = 0.12  # a point is of the body if it differs from it by less than this part of the pips' contrast
STRAIGHT = 0.82  # part of the lines that is inside and outside as on a domino; dice that touch are rounded between


def is_tile(smooth: Image, judged: Judged, number: int) -> bool:
    """Whether a face is one half of a domino: the body runs on, in one direction, on both sides of the pips."""
    width = judged.borders.median[number] / HALF_WIDTH
    points = judged.faces.centre[number] + width * _lines() @ judged.faces.axes[number].T
    change = np.abs(look(smooth, points) - judged.surfaces.colour[number]).max(axis=-1)
    same = (change < max(SAME * judged.surfaces.contrast[number], LEAST_CHANGE)).mean(axis=2)
    inside, outside = same[:, :2].min(axis=1), same[:, 2:].max(axis=1)
    return bool((np.minimum(inside, 1 - outside) > STRAIGHT).any())


def _lines() -> Floats:
    """In each direction four lines of points, two inside and two outside of the body (angles x 4 x points x 2)."""
    along = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)[:, None, None]
    across = np.stack([-np.sin(ANGLES), np.cos(ANGLES)], axis=1)[:, None, None]
    offsets = np.array([-INSIDE, INSIDE, -OUTSIDE, OUTSIDE])[:, None, None]
    return np.asarray(along * ALONG[:, None] + across * offsets)
