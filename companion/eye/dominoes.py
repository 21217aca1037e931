"""Dominoes look like dice in everything but their body: it is twice as long as wide, with straight edges."""

import numpy as np
from numpy.typing import NDArray

from companion.eye.body import LEAST_CHANGE, look
from companion.eye.columns import Floats, Image
from companion.eye.evidence import Judged

# Lengths are in halves of the body's width.
HALF_WIDTH = 1.08  # median distance from the middle of a square to its border
ANGLES = np.arange(96) * np.pi / 48
ALONG = np.concatenate([np.linspace(0.1, 0.7, 4), np.linspace(1.3, 2.6, 8)])  # both halves: the end is at 3
SEAM = np.linspace(0.75, 1.25, 16)  # where they meet: a domino is whole there, dice that touch leave a gap
INSIDE, OUTSIDE = 0.8, 1.3  # lines clear of the pips, and clear of the body
SAME = 0.12  # a point is of the body if it differs from it by less than this part of the pips' contrast
STRAIGHT = 0.82  # part of the lines that must be inside and outside as on a domino


def _lines(along: Floats, across: float) -> Floats:
    """In each direction two lines of points, on either side of the middle (angles x 2 x points x 2)."""
    ahead = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)[:, None, None]
    aside = np.stack([-np.sin(ANGLES), np.cos(ANGLES)], axis=1)[:, None, None]
    return np.asarray(ahead * along[:, None] + aside * np.array([-across, across])[:, None, None])


_EDGES, _SEAMS, _OUTSIDES = _lines(ALONG, INSIDE), _lines(SEAM, INSIDE), _lines(ALONG, OUTSIDE)


def is_domino(smooth: Image, judged: Judged, number: int) -> bool:
    """Whether a face is one half of a domino: in one direction the body runs on at both sides of the pips."""
    width = judged.borders.median[number] / HALF_WIDTH
    colour = judged.surfaces.colour[number]
    limit = max(SAME * judged.surfaces.contrast[number], LEAST_CHANGE)

    def same(lines: Floats) -> NDArray[np.bool_]:
        """Which points of the lines (angles x 2 x points x 2) have the body's colour."""
        points = judged.faces.centre[number] + width * lines @ judged.faces.axes[number].T
        return np.asarray((np.abs(look(smooth, points) - colour) < limit).all(axis=-1))

    ahead = (same(_EDGES).mean(axis=2) > STRAIGHT).all(axis=1)
    if not ahead.any():
        return False
    whole = same(_SEAMS[ahead]).all(axis=(1, 2))
    alone = (same(_OUTSIDES[ahead]).mean(axis=2) < 1 - STRAIGHT).all(axis=1)
    return bool((whole & alone).any())
