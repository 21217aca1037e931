"""Whether the light on the tray is good, and the picture sharp; and where it is not."""

from collections import deque
from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.tray.region import WHOLE, Image, Point, Tray

DARK = 45.0  # the median of the tray's brightness below which pips drown in noise
WHITE = 246  # levels from which on a pixel tells nothing more
MUCH = 0.25  # of the tray: more white than that is an exposure too long, not glare
SPOT = 0.0006  # of the tray: a smaller bright spot is no glare
SHADE = 0.62  # of the brightness that most of the tray has: what has less lies in shadow
COLUMNS, ROWS = 8, 6  # cells in which the light is compared
TYPICAL = 75.0  # percentile of a cell's pixels that is its floor: dice and markers are darker or few
FLICKER = 0.012  # standard deviation of the brightness of a strip from picture to picture, in parts of it
STRIPS = 12
NOW_AND_THEN = 4  # pictures, of which one is looked at for all but flicker: that is dear
PICTURES = 12  # that are compared for flicker: most of a second
BLUR = 6.0  # px of a frame that is 640 long: a sharp edge is 2 to 4 wide
FLAT = 25.0  # px: a wider edge is none
EDGE = 40.0  # levels: only edges as strong as that tell how sharp a picture is
FEWEST = 30  # pixels of such edges

Grey = NDArray[np.float32]
Box = tuple[float, float, float, float]  # x0, y0, x1, y1 in parts of what is looked at


class Kind(Enum):
    """What can be wrong with the light."""

    DARK = "dark"
    BRIGHT = "bright"
    GLARE = "glare"
    SHADOW = "shadow"
    FLICKER = "flicker"
    BLUR = "blur"


@dataclass(frozen=True)
class Flaw:
    """Something that is wrong, and where: shapes of four corners each, in parts of the picture."""

    kind: Kind
    places: tuple[tuple[Point, ...], ...]


class LightMeter:
    """Judges one picture after the other; flicker needs several."""

    def __init__(self) -> None:
        self._strips: deque[NDArray[np.float32]] = deque(maxlen=PICTURES)
        self._flaws: tuple[Flaw, ...] = ()
        self._until_next = 0

    def see(self, frame: Image, tray: Tray | None, still: bool = True) -> tuple[Flaw, ...]:
        """What is wrong in a frame (H x W x 3, BGR). Unless it is `still`, what flickers is not judged."""
        if self._until_next == 0:
            self._flaws, self._until_next = flaws_of(frame, tray), NOW_AND_THEN
        self._until_next -= 1
        flaws = [*self._flaws]
        floor = _grey((tray or WHOLE).flattened(frame, 160))
        strips = np.array([part.mean() for part in np.array_split(floor, STRIPS)], np.float32)
        if not still:
            self._strips.clear()
        self._strips.append(strips)
        if len(self._strips) == PICTURES and _flickers(np.array(self._strips)):
            flaws.append(Flaw(Kind.FLICKER, (tray or WHOLE).spots([(0.0, 0.0, 1.0, 1.0)])))
        return tuple(flaws)


def _flickers(strips: NDArray[np.float32]) -> bool:
    """Whether strips (pictures x strips) change all the time: not once, as when a lamp is switched on."""
    change = np.abs(np.diff(strips, axis=0)) / np.maximum(strips[1:], 8.0)
    return bool(np.median(change.mean(axis=1)) > FLICKER)


def flaws_of(frame: Image, tray: Tray | None) -> tuple[Flaw, ...]:
    """What one frame (H x W x 3, BGR) shows of it, in the tray or, without one, everywhere."""
    place = tray or WHOLE
    floor = _grey(place.flattened(frame))
    whole = place.spots([(0.0, 0.0, 1.0, 1.0)])
    found = []
    if float(np.median(floor)) < DARK:
        found.append(Flaw(Kind.DARK, whole))
    white = floor >= WHITE
    closed = cv2.morphologyEx(white.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    if white.mean() > MUCH:
        found.append(Flaw(Kind.BRIGHT, whole))
    elif glare := _boxes(closed, SPOT):
        found.append(Flaw(Kind.GLARE, place.spots(glare)))
    if shadow := _shadow(floor):
        found.append(Flaw(Kind.SHADOW, place.spots(shadow)))
    width = blur(frame, tray)
    if width is not None and width > BLUR:
        found.append(Flaw(Kind.BLUR, whole))
    return tuple(found)


def _grey(image: Image) -> Grey:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.float32)


def _boxes(mask: cv2.typing.MatLike, least: float, connectivity: int = 8) -> list[Box]:
    """Where a mask (H x W, uint8) is set: the boxes of its connected parts in parts of its size, none smaller
    than `least` of it.
    """
    height, width = mask.shape
    _, _, parts, _ = cv2.connectedComponentsWithStats(mask, connectivity=connectivity)
    return [
        (x / width, y / height, (x + w) / width, (y + h) / height)
        for x, y, w, h, area in parts[1:].tolist()
        if area >= least * height * width
    ]


def _shadow(floor: Grey) -> list[Box]:
    """Where the floor is much darker than in most places. What is bright on it is not looked at."""
    rows = np.array_split(floor, ROWS)
    cells = np.array([[np.percentile(c, TYPICAL) for c in np.array_split(r, COLUMNS, axis=1)] for r in rows])
    dark = cells < SHADE * np.median(cells)
    return _boxes(dark.astype(np.uint8), least=0.0, connectivity=4)


def blur(frame: Image, tray: Tray | None) -> float | None:
    """How wide the sharpest edges in the tray or, without one, anywhere are, in pixels of a frame that is 640
    long; None if there are none to tell it by.

    The width of an edge is its height over its steepness (P. Marziliano et al., "A no-reference perceptual
    blur metric", 2002, measures it along the rows).
    """
    grey = _grey(frame)
    scale = 640 / max(grey.shape)
    if scale < 1:
        size = (max(1, round(scale * grey.shape[1])), max(1, round(scale * grey.shape[0])))
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    grey = cv2.GaussianBlur(grey, (3, 3), 0).astype(np.float32)
    around = np.ones((15, 15), np.uint8)
    rise = cv2.dilate(grey, around) - cv2.erode(grey, around)
    steep = np.hypot(
        cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8)
    )
    crest = (steep >= cv2.dilate(steep, np.ones((5, 5), np.uint8))) & (rise >= EDGE) & (steep > rise / FLAT)
    if tray:
        inside = np.zeros(grey.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.rint(tray.pixels(frame) * min(1.0, scale)).astype(np.int32), 1)
        crest &= inside > 0
    if int(crest.sum()) < FEWEST:
        return None
    return float(np.percentile(rise[crest] / np.maximum(steep[crest], 0.1), 10))
