"""What was seen, drawn over the frame."""

from collections.abc import Iterable, Mapping

import cv2
import numpy as np

from companion.eye.arrange import Arrangement
from companion.eye.dice import Die
from companion.eye.network import Image

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
FONT = cv2.FONT_HERSHEY_DUPLEX


def annotate(frame: Image, dice: Iterable[Die]) -> Image:
    """A copy of a BGR frame with each die's box and its face or sign on a plate ("1?" if it is not known).

    Black and white only, so that it is told from any table and by any eye; lines and numbers grow with the
    die.
    """
    picture = frame.copy()
    for die in dice:
        _draw(picture, die)
    return picture


def annotate_tiles(frame: Image, laid: Arrangement, names: Mapping[str, str]) -> Image:
    """A copy of a BGR frame with each tile's outline, its number in their order, and how the name of its
    colour begins (with a "?" if it is in doubt); of those that lie apart the outline only.
    """
    picture = frame.copy()
    texts = [f"{n}{names[t.colour][:2]}" + "?" * (not t.sure) for n, t in enumerate(laid.tiles, 1)]
    for tile, text in zip((*laid.tiles, *laid.apart), (*texts, *[""] * len(laid.apart)), strict=True):
        corners = np.round(np.array(tile.corners)).astype(np.int32)
        side = cv2.contourArea(corners) ** 0.5
        line = max(1, round(side / 25))
        cv2.polylines(picture, [corners], True, BLACK, 3 * line)
        cv2.polylines(picture, [corners], True, WHITE, line)
        scale = cv2.getFontScaleFromHeight(FONT, max(7, round(side * 0.3)), line)
        (width, tall), _ = cv2.getTextSize(text, FONT, scale, line)
        origin = (round(tile.center[0] - width / 2), round(tile.center[1] + tall / 2))
        cv2.putText(picture, text, origin, FONT, scale, WHITE, 3 * line, cv2.LINE_AA)
        cv2.putText(picture, text, origin, FONT, scale, BLACK, line, cv2.LINE_AA)
    return picture


def _draw(picture: Image, die: Die) -> None:
    x0, y0, x1, y1 = (round(value) for value in die.box)
    line = max(1, round(die.width / 40))
    cv2.rectangle(picture, (x0, y0), (x1, y1), BLACK, 3 * line)
    cv2.rectangle(picture, (x0, y0), (x1, y1), WHITE, line)
    height = max(10, round(die.width / 3))
    text = f"{die.sign or die.face}" + "?" * (not die.known)
    scale = cv2.getFontScaleFromHeight(FONT, round(0.7 * height), line)
    (width, tall), _ = cv2.getTextSize(text, FONT, scale, line)
    # The plate lies outside of the die, or inside where the frame ends.
    wide = max(height, width + round(0.3 * height))
    left = max(0, min(x0, picture.shape[1] - wide))
    top = y0 - height if y0 >= height else min(y1, picture.shape[0] - height)
    cv2.rectangle(picture, (left, top), (left + wide, top + height), WHITE, cv2.FILLED)
    cv2.rectangle(picture, (left, top), (left + wide, top + height), BLACK, line)
    origin = (left + (wide - width) // 2, top + (height + tall) // 2)
    cv2.putText(picture, text, origin, FONT, scale, BLACK, line, cv2.LINE_AA)
