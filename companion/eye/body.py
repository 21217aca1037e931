"""What lies between and around the pips: a hypothesis is a face if the rest of it is plain and it ends where a die ends."""

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye.patterns import Faces
from companion.eye.pips import Floats, Image, Spots

LATTICE = np.stack(np.meshgrid(np.linspace(-1.5, 1.5, 7), np.linspace(-1.5, 1.5, 7)), -1).reshape(-1, 2)
ANGLES = np.arange(24) * (2 * np.pi / 24)
REACH = np.arange(0.6, 5.01, 0.11)


def sample(image: Image, points: Floats) -> Floats:
    """Colours at points (... x 2); outside the picture the nearest pixel."""
    x = np.clip(np.rint(points[..., 0]).astype(np.intp), 0, image.shape[1] - 1)
    y = np.clip(np.rint(points[..., 1]).astype(np.intp), 0, image.shape[0] - 1)
    return image[y, x].astype(np.float32)


def covered(points: Floats, faces: Faces, spots: Spots, margin: float) -> NDArray[np.bool_]:
    """Which of the points (H x K x 2) lie on a pip of their face, grown by margin."""
    out = np.zeros(points.shape[:2], bool)
    inverse = np.linalg.inv(spots.shape)
    for m in faces.members.T:
        use = m >= 0
        local = np.einsum("hij,hkj->hki", inverse[m], points - spots.xy[m][:, None])
        out |= (np.einsum("hki,hki->hk", local, local) < margin**2) & use[:, None]
    return out


def interior(image: Image, faces: Faces, spots: Spots):
    """Face colour (H x 3), pip colour (H x 3), contrast (H), plainness of the rest."""
    lattice = np.where((faces.value == 1)[:, None, None], LATTICE[None] * 0.5, LATTICE[None])
    points = faces.centre[:, None] + np.einsum("hij,hkj->hki", faces.axes, lattice)
    colours = sample(image, points)
    on = covered(points, faces, spots, 1.4)
    masked = np.where(on[:, :, None], np.nan, colours)
    free = ~on
    face = np.nanmedian(masked, axis=1)
    members = faces.members
    use = members >= 0
    pip_all = sample(image, spots.xy)
    pip = np.where(use[:, :, None], pip_all[members], np.nan)
    pip = np.nanmedian(pip, axis=1)
    contrast = np.maximum(np.abs(pip - face).max(1), 8)
    dev = np.abs(colours - face[:, None]).max(2) / contrast[:, None]
    n = np.maximum(free.sum(1), 1)
    rough = (free & (dev > 0.35)).sum(1) / n
    soft = np.where(free, np.minimum(dev, 1), 0).sum(1) / n
    return face, pip, contrast, rough, soft


def border(image: Image, faces: Faces, spots: Spots, face: Floats, contrast: Floats) -> tuple[Floats, Floats]:
    """Along rays from the centre: where the colour of the face ends, in grid units (H x 24), inf where it does not."""
    rays = np.stack([np.cos(ANGLES), np.sin(ANGLES)], 1)
    offsets = (rays[:, None] * REACH[None, :, None]).reshape(-1, 2)
    points = faces.centre[:, None] + np.einsum("hij,kj->hki", faces.axes, offsets)
    colours = sample(image, points)
    on = covered(points, faces, spots, 1.5)
    change = np.abs(colours - face[:, None]).max(2)
    outside = (points[..., 0] < 0) | (points[..., 1] < 0) | (points[..., 0] > image.shape[1] - 1) | (points[..., 1] > image.shape[0] - 1)
    best = None
    for part in (0.12, 0.2, 0.3, 0.45):
        off = ((change > np.maximum(part * contrast, 8)[:, None]) & ~on) | outside
        off = off.reshape(len(faces), len(ANGLES), len(REACH))
        twice = off[:, :, :-1] & off[:, :, 1:]
        ends = np.where(twice.any(2), REACH[twice.argmax(2)], np.inf)
        med = np.median(np.where(np.isfinite(ends), ends, 9), axis=1)
        reg = (np.isfinite(ends) & (ends > 0.72 * med[:, None]) & (ends < 1.4 * med[:, None])).mean(1)
        reg[med < 1.0] *= 0.7
        if best is None:
            best, top = ends, reg
        else:
            better = reg > top + 0.02
            best[better], top[better] = ends[better], reg[better]
    return best, None
