"""A tray with the printed sheet in it, as a camera above it would see it."""

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.tray.region import Tray
from companion.tray.sheet import Sheet

Image = NDArray[np.uint8]
Quad = Sequence[tuple[float, float]]
SIZE = (640, 480)
QUAD: Quad = ((70, 70), (580, 80), (600, 430), (50, 420))
MM = 4  # pixels that a millimetre has before the camera looks


def printed(sheet: Sheet, paper: int = 170, ink: int = 20) -> Image:
    """The sheet from the data that the SVG is made of."""
    page = np.full((round(sheet.high * MM), round(sheet.wide * MM), 3), paper, np.uint8)
    for boxes, grey in ((sheet.markers(), ink), (sheet.bits(), paper)):
        for x, y, w, h in boxes:
            ends = (round(x * MM), round(y * MM)), (round((x + w) * MM) - 1, round((y + h) * MM) - 1)
            cv2.rectangle(page, *ends, (grey,) * 3, -1)
    return page


@lru_cache(maxsize=32)
def _seen(quad: Quad, sheet: Sheet, size: tuple[int, int], plain: bool) -> NDArray[np.float32]:
    page = printed(sheet, ink=170 if plain else 20)
    high, wide = page.shape[:2]
    ends = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    matrix = cv2.getPerspectiveTransform(ends, np.array(quad, np.float32))
    frame = np.full((size[1], size[0], 3), (40, 60, 50), np.uint8)
    cv2.warpPerspective(
        page, matrix, size, dst=frame, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
    )
    return np.asarray(cv2.GaussianBlur(frame, (0, 0), 0.8), np.float32)


@lru_cache(maxsize=2)
def _noise(size: tuple[int, int]) -> NDArray[np.float32]:
    return np.random.default_rng(1).normal(0, 2.5, (size[1], size[0], 3)).astype(np.float32)


def seen(
    quad: Quad = QUAD,
    sheet: Sheet | None = None,
    size: tuple[int, int] = SIZE,
    noise: int = 1,
    plain: bool = False,
) -> Image:
    """The tray with its corners at `quad` on a dark table; without markers if it is `plain`."""
    frame = _seen(tuple(quad), sheet or Sheet(), size, plain)
    noise_there = np.roll(_noise(size), 37 * noise, axis=(0, 1))
    return np.asarray(np.clip(frame + noise_there, 0, 255), np.uint8)


def tray(quad: Quad = QUAD, size: tuple[int, int] = SIZE) -> Tray:
    """The tray with these corners, in pixels."""
    a, b, c, d = ((x / size[0], y / size[1]) for x, y in quad)
    return Tray((a, b, c, d))


def glaring(frame: Image, at: tuple[int, int] = (300, 220)) -> Image:
    """With the image of a lamp on it."""
    bright = frame.copy()
    cv2.circle(bright, at, 24, (255, 255, 255), -1)
    return bright


def shaded(frame: Image) -> Image:
    """With a shadow on its left third."""
    dark = frame.astype(np.float32)
    dark[:, :240] *= 0.42
    return dark.astype(np.uint8)
