"""The name of a die's colour."""

import cv2
import numpy as np

from companion.eye.dice import Colour
from companion.eye.network import Float

DARK = 0.18  # brightness below which a body with light pips is black
PALE = 0.3  # saturation below which a body is white or black
TINTED = 0.55  # the same where the hue is that of lamplight or of the sky's: it tints white dice
LAMP, SKY = (10, 22), (92, 112)  # hues of such light
GREY_IS_WHITE = 0.75  # brightness from which on a pale body with light pips is none the less white
# Upper ends of the hues in cv2's half degrees.
HUES: tuple[tuple[float, Colour], ...] = (
    (8, "red"), (22, "orange"), (33, "yellow"), (90, "green"), (128, "blue"), (165, "purple"), (180, "red"),
)  # fmt: skip


def name_colour(bgr: Float, light_pips: bool) -> Colour:
    """The name of a body's colour (3 values, BGR, 0..255).

    White and black are told apart by the pips: nothing says how bright the lamp is, but white dice have
    dark pips and black dice light ones. So have blue ones: what is a pale blue with dark pips is white.
    """
    pixel = (bgr / 255).reshape(1, 1, 3).astype(np.float32)
    hue, saturation, value = cv2.cvtColor(pixel, cv2.COLOR_BGR2HSV)[0, 0] / (2, 1, 1)
    if value < DARK and light_pips:
        return "black"
    tinted = LAMP[0] <= hue <= LAMP[1] or (SKY[0] <= hue <= SKY[1] and not light_pips)
    if saturation < (TINTED if tinted else PALE):
        return "black" if light_pips and value < GREY_IS_WHITE else "white"
    return next(name for end, name in HUES if hue <= end)
