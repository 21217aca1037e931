"""The picture of the camera on a screen, and where in it something lies."""

import cv2
import numpy as np
import pygame
from numpy.typing import NDArray
from pygame import Rect

from companion.screens.canvas import Canvas, centred

Frame = NDArray[np.uint8]


def fitted(frame: Frame, box: Rect) -> Rect:
    """The largest place of the proportions of a frame (H x W x 3) in the middle of the box."""
    height, width = frame.shape[:2]
    scale = min(box.width / width, box.height / height)
    return centred(box.center, max(1, int(width * scale)), max(1, int(height * scale)))


def parted(c: Canvas, area: Rect, gap: int) -> tuple[Rect, Rect]:
    """An area as a place for the camera's picture and, a gap below or beside it, what is left."""
    if c.portrait:
        picture = Rect(area.x, area.y, area.width, min(area.width * 3 // 4, area.height * 45 // 100))
        return picture, Rect(area.x, picture.bottom + gap, area.width, area.height - picture.height - gap)
    picture = Rect(area.x, area.y, min(area.width * 52 // 100, area.height * 4 // 3), area.height)
    return picture, Rect(picture.right + gap, area.y, area.width - picture.width - gap, area.height)


def paint_frame(c: Canvas, box: Rect, frame: Frame) -> Rect:
    """Draw a frame (H x W x 3, uint8, BGR) as large as the box allows; where it is now."""
    shown = fitted(frame, box)
    pixels = cv2.resize(frame, shown.size, interpolation=cv2.INTER_LINEAR)
    c.surface.blit(pygame.image.frombuffer(pixels.tobytes(), shown.size, "BGR"), shown)
    return shown


def spot(part: tuple[float, float, float, float], frame: Frame, shown: Rect) -> Rect:
    """Where a box in pixels of the frame (x0, y0, x1, y1) lies on the screen."""
    x0, y0, x1, y1 = (round(v * shown.width / frame.shape[1]) for v in part)
    return Rect(shown.x + x0, shown.y + y0, max(2, x1 - x0), max(2, y1 - y0)).clip(shown)
