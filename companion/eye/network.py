"""The learned eye: one small network looks twice, at the whole frame and then closely at what it found.

The whole frame is looked at in a coarse size; every candidate is then cut out of the full frame so that it
always appears in the same size. Where small dice are, or many, the whole is looked at in finer sizes too;
in doubt all of it once more, also in a mirror. The answers are those of `CHANNELS` in the recipe
(companion/eye/train/network.py), per cell of 4 x 4 pixels; heat and classes are logits.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import dist, exp, inf
from pathlib import Path
from threading import Lock
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.language import DamagedFileError

MODEL = Path(__file__).parents[2] / "assets" / "model" / "eye.onnx"
COARSE = 256  # px: longer side of the whole frame as it is looked at ...
FINE, FINER, FINEST = 340, 480, 680  # ... and once more where dice may be overlooked
SURELY = 0.6
# px of COARSE: if there SURELY is a die smaller than so, more like it may not have been seen.
SMALL = {FINE: 14.0, FINER: 7.5, FINEST: 5.3}
MANY = 6  # dice: among so many one is easily overlooked
LARGE = 64.0  # px of COARSE: larger than so; a still larger one may not have been seen as a whole
CERTAIN = 0.8  # a picture with something so sure does show dice, and no dominoes or buttons
BESIDE = 0.45  # from here on something is taken for a die beside a certain one
DOUBT = 0.25  # from here on something may be a die
LARGER = 1.6  # than the dice that surely are some: that is none so large
CUT = 80  # px: side of a cut-out
CLOSE = 56  # px: size of a die in it
HARDLY, WIDER = 0.5, 1.6  # with less heat than so, closely, it is looked at as if it were so much larger
STRIDE = 4  # px: side of a cell
CLASSES = 12
NO_PIPS = 6  # the class behind those of the faces
# Channels that mean something else in a mirror: the first of two, the first of four, and the third of those.
OFFSET, LEFT, RIGHT = 1 + CLASSES, 3 + CLASSES, 5 + CLASSES
BLOCK = 16  # px: what both sides of the whole frame must be a multiple of
CANDIDATE = 0.2  # heat from which on something is looked at closely
MOST = 40  # candidates
FAINT, FEW = 0.1, 10  # heat from which on something may be one if it were smaller; so many at most
TIE = 0.02  # of heat: less than so much says nothing about which of two answers fits a die better
WIDE = 0.35  # weight of the first look in how sure a die is
NEVER = 1e-3  # less likely no network thinks that anything is
TWICE = 0.36  # of a die's size: nearer than this two answers are about the same die

Float = NDArray[np.float32]
Image = NDArray[np.uint8]
Parts = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What the network says of one die, in pixels of the frame.

    `heat` is how sure the second look is that there is a die, `coarse` how sure the first one was;
    `classes` (12) how likely each face is, "no pips", "cocked", and the 1 to 4 of a cuboid's long sides.
    `second` (13), if it was asked for, is another opinion of the same, and last how likely it is no die. In a
    throw a third one has its share in that.
    """

    centre: tuple[float, float]
    box: tuple[float, float, float, float]
    heat: float
    classes: Float
    coarse: float = 1.0
    second: tuple[float, ...] = ()

    @property
    def there(self) -> float:
        """How sure it is that there is a die, whatever it shows, 0..1. The first look sees more around it."""
        return float(self.heat ** (1 - WIDE) * self.coarse**WIDE)

    @property
    def sure(self) -> float:
        """How sure all of it is, 0..1."""
        return float(self.there * self.classes.max() ** (1 - WIDE))

    @property
    def size(self) -> float:
        """Mean side of the box."""
        x0, y0, x1, y1 = self.box
        return (x1 - x0 + y1 - y0) / 2


# OpenCV 5 has two engines: the newer one is faster with cut-outs of up to so many pixels, the older one with
# all that is larger. OpenCV 4 has but one.
_SMALL = 80 * 80
# How much the cells of a cut-out count: those in its middle.
_OFF = np.abs(np.arange(CUT // STRIDE) - (CUT / STRIDE - 1) / 2) * STRIDE / CLOSE
_NEAR = np.exp(-0.5 * (_OFF[:, None] ** 2 + _OFF[None] ** 2) / 0.25**2)
_ONE = Lock()  # a network can be asked by one thread at a time; a camera that is left may still be read


@lru_cache(maxsize=10)
def _network(model: Path, height: int, width: int) -> "cv2.dnn.Net":
    """A network for each size of pictures: OpenCV would have to plan anew at every change. Raises
    `DamagedFileError`.
    """
    try:
        if not hasattr(cv2.dnn, "ENGINE_NEW"):
            return cv2.dnn.readNetFromONNX(str(model))
        engine = cv2.dnn.ENGINE_NEW if height * width <= _SMALL else cv2.dnn.ENGINE_CLASSIC
        return cv2.dnn.readNetFromONNX(str(model), engine)
    except cv2.error as error:
        raise DamagedFileError(model) from error


def ask(model: Path, picture: cv2.typing.MatLike) -> Float:
    """What the network of a model answers to a picture (H x W x 3, BGR, 0..255)."""
    return np.asarray(answer(model, cv2.dnn.blobFromImage(picture, 1 / 255))[0], np.float32)


def answer(model: Path, blob: cv2.typing.MatLike) -> Float:
    """What the network of a model answers to N pictures of one size (N x channels x H x W, 32 bits)."""
    with _ONE:
        network = _network(model, *blob.shape[2:])
        network.setInput(blob)
        return np.array(network.forward(), np.float32)


def mixed(one: Parts, other: Parts, share: float) -> Parts:
    """The geometric mean of what two say, of which the other one has this share, with the sum of the one."""
    mean = np.maximum(one, NEVER) ** (1 - share) * np.maximum(other, NEVER) ** share
    return np.asarray(mean * (one.sum() / mean.sum()))


def directly(picture: cv2.typing.MatLike) -> Float:
    """A picture (H x W x 3, BGR, 0..255) becomes 1 x CHANNELS x H/4 x W/4."""
    return ask(MODEL, picture)[None]


def in_a_mirror(picture: cv2.typing.MatLike, direct: Float | None = None) -> Float:
    """What is seen in the picture (`direct`, if that is known already), and in a mirror: 2 x CHANNELS x H/4 x
    W/4. The mean of both counts.
    """
    mirrored = directly(np.ascontiguousarray(np.asarray(picture)[:, ::-1]))[..., ::-1].copy()
    mirrored[:, OFFSET] *= -1
    mirrored[:, [LEFT, RIGHT]] = mirrored[:, [RIGHT, LEFT]]
    return np.concatenate([directly(picture) if direct is None else direct, mirrored])


def _heat(answers: Float) -> Float:
    """How likely a die has its middle in each cell. (The exponential of 32 bits ends soon after 80.)"""
    return np.asarray((1 / (1 + np.exp(-np.maximum(answers[:, 0], -80)))).mean(axis=0), np.float32)


def _likely(cell: Sequence[float]) -> tuple[float, ...]:
    """An answer (CHANNELS) with chances for logits: the sigmoid of the heat, the softmax of the classes."""
    most = max(cell[1:OFFSET])
    odds = [exp(logit - most) for logit in cell[1:OFFSET]]
    total = sum(odds)
    return 1 / (1 + exp(-cell[0])), *(each / total for each in odds), *cell[OFFSET:]


Wholes = dict[int, tuple[cv2.typing.MatLike, Float]]  # a frame made so long, and what was seen of it directly


def check_frame(frame: Image) -> None:
    """Raise TypeError for an array that is not uint8, and ValueError for another shape than H x W x 3."""
    if frame.dtype != np.uint8:
        raise TypeError(f"a frame has the type uint8, not {frame.dtype}")
    if frame.ndim != 3 or frame.shape[2] != 3 or frame.size == 0:
        raise ValueError(f"a frame has the shape (height, width, 3) in BGR, not {frame.shape}")


def find(frame: Image, side: int = COARSE, *, finer: bool = False) -> list[Found]:
    """The dice in a frame (H x W x 3, BGR), the surest first; at first its longer side is `side` pixels.

    Where a small one lies, or many, it is looked at finer as well. Where pips are in doubt it is looked at in
    a mirror, too, what is large from farther away, and if so asked for all of it also `finer`: side by side
    two dice may look like one.
    """
    direct: Wholes = {}
    found = _find(frame, (side,), direct)
    likely = [die for die in found if die.sure >= DOUBT and np.argmax(die.classes) != NO_PIPS]
    if not _doubted(likely):
        return found
    large = any(die.size > LARGE * max(frame.shape[:2]) / COARSE for die in likely)
    return _find(frame, (side, side // 2) if large else (side,), direct, mirror=True, finer=finer)


def from_afar(frame: Image) -> list[Found]:
    """What is so large that it is seen as a whole only from farther away, the surest first."""
    least = LARGE * max(frame.shape[:2]) / COARSE
    peaks = _coarse(frame, COARSE // 2, {}, mirror=False)
    far = _once([peak for peak in peaks if peak.heat >= CANDIDATE and peak.size > least])
    return [die for die in _once(list(closely(frame, far))) if die.size > least]


def _doubted(likely: Sequence[Found]) -> bool:
    """Whether one of what may be dice may be none, or none is surely one."""
    sure = [die.sure for die in likely]
    return bool(sure) and (max(sure) < CERTAIN or min(sure) < BESIDE)


def _usual(dice: Sequence[Found], least: float) -> float:
    """The size of those that are so sure; without any it is nan: nothing is larger than that, or smaller."""
    sizes = [die.size for die in dice if die.sure >= least]
    return float(np.median(sizes)) if sizes else float("nan")


def _find(
    frame: Image, sides: Sequence[int], direct: Wholes, *, mirror: bool = False, finer: bool = False
) -> list[Found]:
    """As `find`, with these sizes of the whole; what was seen of it directly is kept."""
    peaks = [peak for side in sides for peak in _coarse(frame, side, direct, mirror)]
    first = _once([peak for peak in peaks if peak.heat >= CANDIDATE], TIE)[:MOST]
    dice = list(closely(frame, first, mirror))
    sure = [die for die in dice if die.sure >= SURELY]
    scale = COARSE / max(frame.shape[:2])
    least = min((die.size * scale for die in sure), default=inf)
    tiny = [side for side, below in SMALL.items() if least < below]
    larger = [FINE, FINER] if finer else [FINE] if len(sure) >= MANY else []
    fine = sorted(side for side in {*tiny, *larger} if side > max(sides))
    again = [p for side in fine for p in _coarse(frame, side, direct, mirror) if p.heat >= CANDIDATE]
    if not tiny:
        again = list(_of_usual_size(again, dice))
    more = [die for die in _once([*first, *again])[:MOST] if die not in first]
    dice += closely(frame, more, mirror)
    faint = _once([peak for peak in peaks if peak.heat < CANDIDATE])[:FEW]
    return _once([*dice, *_of_a_size(frame, dice, faint, mirror)])


def _of_usual_size(peaks: list[Found], dice: list[Found]) -> Iterator[Found]:
    """What lies elsewhere than what may be dice, as if it were as large, if it is larger. Smaller things are
    left out: pips, seen finer, may look like dice.
    """
    likely = [die for die in dice if die.sure >= DOUBT]
    likely = [die for die in likely if not any(_holds(die, other) for other in likely)]  # a tray
    usual = _usual(likely, DOUBT)
    for peak in peaks:
        if peak.size > usual / LARGER and not any(_same(peak, die) for die in likely):
            yield peak if peak.size < usual * LARGER else replace(peak, box=_around(peak.centre, usual))


def _of_a_size(frame: Image, dice: list[Found], faint: list[Found], mirror: bool) -> Iterator[Found]:
    """What is much larger than the certain dice, however faint, is looked at again as if it were one of them.

    A die that lies alone may be taken for the one pip of a large die.
    """
    usual = _usual(dice, SURELY)
    large = [die for die in (*dice, *faint) if die.size > LARGER * usual]
    again = [replace(die, box=_around(die.centre, usual), heat=die.coarse) for die in large]
    return filter(None, (_close(frame, die, mirror) for die in again))


def _around(centre: tuple[float, float], size: float) -> tuple[float, float, float, float]:
    x, y = centre
    return x - size / 2, y - size / 2, x + size / 2, y + size / 2


def closely(frame: Image, seen: Sequence[Found], mirror: bool = False) -> Iterator[Found]:
    """What is seen of them when looked at closely; some turn out to be nothing.

    What closely is hardly the die that it had seemed may have been cut off: it is looked at once more as if
    it were larger.
    """
    for first in seen:
        die = _close(frame, first, mirror)
        if first.heat >= BESIDE and (die is None or die.heat < HARDLY):
            larger = _close(frame, replace(first, box=_around(first.centre, WIDER * first.size)), mirror)
            if larger and larger.heat >= SURELY and _same(larger, first):
                die = larger
        if die:
            yield die


def _close(frame: Image, first: Found, mirror: bool) -> Found | None:
    """What is seen of something when it is looked at closely."""
    cut, place = _cut(frame, first)
    die = _nearest(in_a_mirror(cut) if mirror else directly(cut), *place)
    return die and replace(die, coarse=first.heat)


def _coarse(frame: Image, side: int, direct: Wholes, mirror: bool) -> Iterator[Found]:
    """Where dice may be: a look at the whole frame, its longer side made `side` pixels. That picture and what
    is seen of it directly are kept.
    """
    height, width = frame.shape[:2]
    scale = max(height, width) / side
    if side not in direct:
        size = (max(1, round(width / scale)), max(1, round(height / scale)))
        small = _smaller(frame, size)
        padded = cv2.copyMakeBorder(small, 0, -size[1] % BLOCK, 0, -size[0] % BLOCK, cv2.BORDER_REPLICATE)
        direct[side] = (padded, directly(padded))
    picture, said = direct[side]
    if mirror:
        said = in_a_mirror(picture, said)
    heat = _heat(said)
    peaks = (heat >= FAINT) & (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8)))
    for row, column in np.argwhere(peaks).tolist():
        found = _found(said, row, column, 0.0, 0.0, scale)
        if found.centre[0] < width and found.centre[1] < height:
            yield replace(found, coarse=found.heat)


def _smaller(frame: Image, size: tuple[int, int]) -> cv2.typing.MatLike:
    """A frame in a smaller size (width, height): halved first where that is exact, as it is faster so, and
    then with 32 bits, which is faster, too.
    """
    height, width = frame.shape[:2]
    whole: cv2.typing.MatLike = frame
    if height >= 2 * size[1] and not (height % 2 or width % 2):
        half = cv2.resize(frame, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        whole = half.astype(np.float32)
    return cv2.resize(whole, size, interpolation=cv2.INTER_AREA)


def _found(answers: Float, row: int, column: int, left: float, top: float, scale: float) -> Found:
    """What is seen in one cell of a picture that begins at (left, top) and has pixels of `scale` of the
    frame's.
    """
    looks = [_likely(cell) for cell in answers[:, :, row, column].tolist()]
    heat, *cell = (sum(each) / len(looks) for each in zip(*looks, strict=True))
    classes, (x, y), ends = cell[:CLASSES], cell[CLASSES : CLASSES + 2], cell[CLASSES + 2 :]
    x = ((column + x + 0.5) * STRIDE) * scale + left - 0.5
    y = ((row + y + 0.5) * STRIDE) * scale + top - 0.5
    x0, y0, x1, y1 = (exp(min(max(end, -3.0), 5.0)) * STRIDE * scale for end in ends)
    return Found((x, y), (x - x0, y - y0, x + x1, y + y1), heat, np.array(classes, np.float32))


def _cut(frame: Image, die: Found) -> tuple[Image, tuple[float, float, float]]:
    """The die as it is looked at closely, and where that lies: left, top, size of a pixel."""
    left, top, side = _square(die.centre, die.size, CLOSE, CUT)
    return cut_out(frame, die.centre, die.size, CLOSE, CUT), (left, top, side / CUT)


def _square(centre: tuple[float, float], size: float, shown: int, wide: int) -> tuple[int, int, int]:
    side = max(8, round(size * wide / shown))
    return round(centre[0] - side / 2), round(centre[1] - side / 2), side


def cut_out(frame: Image, centre: tuple[float, float], size: float, shown: int, wide: int) -> Image:
    """What is around a point of a frame: `wide` x `wide` x 3, in which `size` measures `shown` pixels."""
    left, top, side = _square(centre, size, shown, wide)
    height, width = frame.shape[:2]
    x0, y0, x1, y1 = max(0, left), max(0, top), min(width, left + side), min(height, top + side)
    part: cv2.typing.MatLike = frame[y0:y1, x0:x1]
    if part.shape[:2] != (side, side):
        part = cv2.copyMakeBorder(
            part, y0 - top, top + side - y1, x0 - left, left + side - x1, cv2.BORDER_REPLICATE
        )
    how = cv2.INTER_AREA if side > wide else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(part, (wide, wide), interpolation=how), np.uint8)


def _nearest(answers: Float, left: float, top: float, scale: float) -> Found | None:
    """The die in the middle of a cut-out."""
    heat = _heat(answers)
    row, column = divmod(int(np.argmax(heat * _NEAR)), len(_NEAR))
    if heat[row, column] < CANDIDATE:
        return None
    return _found(answers, row, column, left, top, scale)


def _once(dice: list[Found], tie: float = 0.0) -> list[Found]:
    """Each die once: of answers about the same one the surest, and what is less sure by less than `tie`."""
    kept: list[Found] = []
    for die in sorted(dice, key=lambda each: -each.heat):
        if not any(_same(die, other) and other.heat - die.heat >= tie for other in kept):
            kept.append(die)
    # A tray of dice is not one large die, however much five dice in it look like pips.
    return [die for i, die in enumerate(kept) if sum(_holds(die, surer) for surer in kept[:i]) < 2]


def distinct(found: Sequence[Found]) -> list[Found]:
    """Each thing once, the surest first: what overlaps with a surer one in its middle is a part of it."""
    kept: list[Found] = []
    for die in sorted(found, key=lambda each: -each.sure):
        if not any(inside(die.centre, other.box) or inside(other.centre, die.box) for other in kept):
            kept.append(die)
    return kept


def inside(point: tuple[float, float], box: tuple[float, float, float, float]) -> bool:
    """Whether a point lies in a box (x0, y0, x1, y1)."""
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _holds(die: Found, other: Found) -> bool:
    return inside(other.centre, die.box) and 2 * other.size < die.size


def _same(one: Found, other: Found) -> bool:
    """Whether two answers are about the same die."""
    return dist(one.centre, other.centre) < TWICE * min(one.size, other.size)
