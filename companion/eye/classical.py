"""The reader without learning: spots, hypotheses of faces, what speaks against each, and the best that can be
true together. It knows what pips are; it is slower, finds fewer dice, and is hardly ever wrong.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye.body import RAYS
from companion.eye.colours import name_colour
from companion.eye.columns import Image
from companion.eye.dice import Die
from companion.eye.dominoes import is_domino
from companion.eye.evidence import USUAL_SIZE, Judged, judge
from companion.eye.patterns import find_faces
from companion.eye.pips import find_spots

LARGEST_SIDE = 1280  # px: larger frames are scaled down to this
SMALL_FRAME = 240_000  # pixels: smaller frames are doubled
# Distances of two faces in steps of a grid; upper faces that touch are 4 apart.
ONE_BODY = 3.3  # nearer than this they are of one die
NEIGHBOUR = 5.5  # a flatter face nearer than this is a side face
FLATTER = 0.8  # ... if its pips are rounder by less than this part
SIDE = 1.0  # what that takes off its score, before the likeliest are chosen


def read_pips(frame: NDArray[np.uint8]) -> tuple[list[Die], list[Die]]:
    """The dice whose upper faces can be read in a frame (H x W x 3, BGR), and the halves of dominoes."""
    small, scale = _scaled(frame)
    spots = find_spots(small)
    if len(spots) == 0:
        return [], []
    smooth = np.asarray(cv2.blur(small, (3, 3)), np.uint8)
    judged = judge(smooth, spots, find_faces(spots))
    dice: list[Die] = []
    tiles: list[Die] = []
    for number in _consistent(judged):
        kind = tiles if is_domino(smooth, judged, number) else dice
        kind.append(_die(judged, number, scale, frame.shape))
    return dice, tiles


def _scaled(frame: Image) -> tuple[Image, float]:
    """The frame as it is looked at, and the size of its pixels in pixels of the frame.

    Large frames are scaled down for speed, small ones up: little lies between pips that nearly touch.
    """
    height, width = frame.shape[:2]
    scale = max(height, width) / LARGEST_SIDE
    if scale > 1:
        size = (max(1, round(width / scale)), max(1, round(height / scale)))
        return np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8), scale
    if height * width <= SMALL_FRAME:
        double = (2 * width, 2 * height)
        return np.asarray(cv2.resize(frame, double, interpolation=cv2.INTER_CUBIC), np.uint8), 0.5
    return frame, 1.0


def _consistent(judged: Judged) -> list[int]:
    """Numbers of the hypotheses that hold: from the likeliest on, each that contradicts none before."""
    faces = judged.faces
    inverse = np.linalg.inv(faces.axes)
    apart = np.linalg.norm(
        np.einsum("aij,abj->abi", inverse, faces.centre[None] - faces.centre[:, None]), axis=2
    )
    # A one's grid is only guessed; what was seen of its body tells how large it is.
    size = np.where(faces.value == 1, np.clip(judged.borders.median / USUAL_SIZE, 0.4, 1.2), 1.0)
    near = apart < ONE_BODY * size[:, None]
    flatter = judged.roundness[None] < FLATTER * judged.roundness[:, None]
    beside = (apart < NEIGHBOUR) & flatter
    excludes = near | near.T | beside
    likely = judged.score - SIDE * beside.any(axis=0)
    spots = [frozenset(row[row >= 0].tolist()) for row in faces.members]
    held: list[int] = []
    for number in np.argsort(-likely).tolist():
        explained = any(spots[number] < other for other in spots)
        if not explained and not any(excludes[n, number] or spots[n] & spots[number] for n in held):
            held.append(number)
    return held


def _die(judged: Judged, number: int, scale: float, shape: tuple[int, ...]) -> Die:
    """One hypothesis as a die in pixels of the frame."""
    faces, borders = judged.faces, judged.borders
    reach = borders.median[number] if borders.median[number] < 5 else USUAL_SIZE
    distance = np.minimum(borders.distance[number], 1.5 * reach)
    corners = (faces.centre[number] + distance[:, None] * RAYS @ faces.axes[number].T + 0.5) * scale - 0.5
    low = np.maximum(corners.min(axis=0), 0)
    high = np.minimum(corners.max(axis=0), [shape[1] - 1, shape[0] - 1])
    x, y = ((faces.centre[number] + 0.5) * scale - 0.5).tolist()
    return Die(
        face=int(faces.value[number]),
        center=(x, y),
        box=(float(low[0]), float(low[1]), float(high[0]), float(high[1])),
        colour=name_colour(judged.surfaces.colour[number], bool(judged.light[number])),
        confidence=float(1 / (1 + np.exp(-judged.score[number]))),
    )
