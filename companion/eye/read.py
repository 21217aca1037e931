"""A frame becomes dice: what the first network has found, and what the others say of it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import NamedTuple

import cv2
import numpy as np

from companion.eye.colours import name_colour
from companion.eye.dice import Die
from companion.eye.face import upper_face
from companion.eye.motion import alike
from companion.eye.network import (
    BESIDE,
    CERTAIN,
    DOUBT,
    FINER,
    NEVER,
    NO_PIPS,
    Float,
    Found,
    Image,
    Parts,
    check_frame,
    closely,
    find,
    from_afar,
    inside,
    mixed,
)
from companion.eye.opinion import opinion
from companion.eye.pips import counted, single

SURE = 0.6  # from here on a die that shows no pips is one, and any is certain if the second network sees one
SMALLER = 0.6  # of a die's size: what is smaller, or larger than it by as much, is not of one set with it
LEAST = 0.1  # from here on something is handed on as a doubt
THIRD = 0.9  # how much the third network counts of what it and the second one say of a face, ...
ALONE, UNSURE = 0.5, 0.9  # ... or if it alone sees another one than the others and is less sure than so; ...
NONE, STEEP = 0.5, 50  # ... and, if it is very sure, of whether there is a die; how fast that falls if not
COUNTABLE, COUNTS = 0.95, 30.0  # less likely faces, and fives, are counted; what fits has so much larger odds
SAME = 0.4  # of a die's size: so near two readings are of one die
WITHIN = 0.57  # ... and so near no two dice lie, be it in a heap
LEANS = 0.7  # how likely a die must lean to be told as cocked: else its best face counts
TOGETHER = 12.0  # odds that all networks give a die: from here on it is told, whatever lies beside it
SEEN = 0.05  # less likely none than that: the second one sees nothing but a die, with or without pips
REFUSED = 0.5  # how sure it must be that there is no die: what it rather takes for none is not told
CUBOIDS = 0.5  # how sure that there is a cuboid
LIKELY = 0.5  # how likely one face of what shows no pips must be, if it has some on each side, to be told
BLANK = 0.5  # how sure that what seems to show no pips does not
FIVE, COCKED, LONG, NO_DIE = 4, NO_PIPS + 1, 8, 12  # classes; from LONG on those of cuboids
WITH_PIPS = np.array([1] * NO_PIPS + [0, 1] + [0] * 4, np.float32)
SAMPLES = 24  # the middle of a face is looked at in so many samples a side ...
MIDDLE = 0.3  # ... and reaches so far from its centre, in sizes of the die
BODY = (0.5, 0.97)  # of those, from the pips' brightness to the body's, these parts are the body
GLARE = 0.02  # what is white in a lamp's light counts so much beside what has a colour
DARKER = (2.0, 4.0)  # stops: with so much less light what mirrors a lamp is white no longer
RATHER = 0.5  # how likely another number than one must be in the usual picture, for a one to be asked for
# Where hardly anything (of 100 pixels one) is brighter than DIM it is made LIT, but no more than so much
# brighter: the networks have learned from hardly any pictures that are as dark.
DIM, LIT, BRIGHTER = 150, 230, 8.0
ENOUGH = 80  # px: in a frame that is so long nothing is overlooked that makes it bright
FAR = 900  # px: in a frame that is longer dice that can be read may be too tiny to be seen at first
WHITE = 235  # from here on a level tells hardly anything more
GREY = np.array([0.114, 0.587, 0.299], np.float32)


@dataclass(frozen=True, slots=True)
class Effort:
    """Of which findings the second network is asked, from one sureness of the first to another (if there is
    a CERTAIN die; else of all from the one on), how much the first one still counts of what both say, and
    whether the third one looks, too; each of these takes 1 to 4 ms a die. And whether the first one looks
    finer in doubt: where things lie that are no dice, it finds more of them; and for `tiny` dice where it
    sees none: of a table without any it takes twice as long, or, where all is asked of all, four times.
    """

    least: float
    below: float
    first: float
    faces: bool
    finer: bool
    tiny: bool


# Of throws all is asked, as their chance of being right must be known; of single pictures what the second
# network may overrule. The third one has learned from no photograph.
OF_THROWS = Effort(least=LEAST, below=inf, first=0.2, faces=True, finer=True, tiny=False)
OF_PICTURES = Effort(least=DOUBT, below=0.65, first=1 / 3, faces=False, finer=False, tiny=True)


@dataclass(frozen=True, slots=True)
class Sight:
    """All that is seen in a frame.

    `dice` show pips, or are cocked, or are of one set with those (then they are not `known`); `others` are
    dice without pips: digits, symbols, nothing. `doubts` may be dice: one frame alone does not tell them,
    several may. `found` is all that the first network takes for a die, from DOUBT on, others among it: how
    many pips there are, two may disagree on, and it is a die nevertheless.
    """

    dice: tuple[Die, ...] = ()
    others: tuple[Found, ...] = ()
    doubts: tuple[Die, ...] = ()
    found: tuple[Found, ...] = ()


class Shot(NamedTuple):
    """What was found, the picture in which its face can be seen best, whether a lamp hides a part of it in a
    darker one, too, and, if it is read in such a one, what was found in the usual one.
    """

    found: Found
    picture: Image
    hidden: bool = False
    usual: Found | None = None


def read(frame: Image) -> tuple[Die, ...]:
    """The dice whose upper faces can be read in a frame (H x W x 3, BGR), from left to right.

    Raises TypeError for an array that is not uint8 and ValueError for another shape.
    """
    return look(frame, OF_PICTURES).dice


def look(frame: Image, effort: Effort = OF_THROWS, darker: Sequence[Image] = ()) -> Sight:
    """All that is seen in a frame, from left to right. Raises as `read` does.

    `darker` are pictures of the same, as large, DARKER than this, or the first of them: there the dice are
    read that are bright, those of which light hides anything in the last one.
    """
    check_frame(frame)
    clear = lit(frame)
    shots = [_shot(clear, darker, each) for each in _found(clear, effort)]
    if not any(shot.found.sure >= CERTAIN for shot in shots):
        effort = replace(effort, below=inf)
    asked = [_asked(shot, effort) for shot in shots]
    found = [replace(shot.found, second=each.second) for shot, each in zip(shots, asked, strict=True)]
    kinds = [_kind(each) for each in asked]
    piped = [(shot, each) for shot, each, kind in zip(shots, asked, kinds, strict=True) if kind != NO_PIPS]
    plain = [(alone, each) for alone, each, kind in zip(found, asked, kinds, strict=True) if kind == NO_PIPS]
    seen = [_seen(frame, *each) for each in piped if each[1].sure >= LEAST]
    possible = [die for die in seen if not refused(die)]
    least = BESIDE if _certain(possible) else CERTAIN
    dice: list[Die] = []
    for die in sorted(possible, key=lambda die: -die.confidence):
        if (die.confidence >= least or _odds(die) >= TOGETHER) and not _crowded(die, dice):
            dice.append(die)
    faint = [
        _single(clear, die) for die in _faint(frame, plain) if _of_a_set(die, dice) and not _at(die, dice)
    ]
    dice += [die for die in faint if _is_die(die) and max(die.faces) >= LIKELY]
    pale = (replace(die, known=False) for die in _pale(frame, plain) if not _at(die, faint))
    doubts = [die for die in (*seen, *faint, *pale) if not _at(die, dice)]
    if clear is not frame:  # in the dark all with light pips would be black
        dice, doubts = ([_coloured(die, clear) for die in each] for each in (dice, doubts))
    return Sight(
        dice=_from_left(dice),
        others=tuple(alone for alone, each in plain if each.sure >= SURE),
        doubts=_from_left(doubts),
        found=tuple(each for each in found if each.sure >= DOUBT),
    )


def _found(frame: Image, effort: Effort) -> list[Found]:
    """What may be dice. Where none is certain these may be the pips of a large one, seen from too near: from
    farther away that is one to the second network, too. Where none is likely all may be too tiny to be seen.
    """
    found = find(frame, finer=effort.finer)
    if any(each.sure >= CERTAIN for each in found):
        return found
    large = [die for die in from_afar(frame) if die.sure >= SURE]
    larger = [die for die in large if opinion(frame, die.centre, die.size)[NO_DIE] < SEEN]
    far = effort.tiny and max(frame.shape[:2]) > FAR
    if far and not larger and all(each.sure < SURE for each in found):
        larger, found = found, find(frame, FINER)
    return [*larger, *(each for each in found if not any(inside(each.centre, one.box) for one in larger))]


def lit(frame: Image) -> Image:
    """A frame as the networks see it: where a lamp is weak, or a camera takes too little light, everything is
    brighter, as it is in what they have learned from.
    """
    every = max(1, max(frame.shape[:2]) // ENOUGH)
    blue, green, red = np.moveaxis(frame[::every, ::every], 2, 0)
    levels = np.maximum(np.maximum(blue, green), red).ravel()
    bright = float(np.partition(levels, place := int(0.99 * (len(levels) - 1)))[place])
    if bright >= DIM:
        return frame
    return np.asarray(cv2.convertScaleAbs(frame, alpha=min(LIT / max(bright, 1.0), BRIGHTER)), np.uint8)


def useful(frame: Image) -> tuple[float, ...]:
    """By how many stops pictures DARKER than a frame are of use for it; each takes its time. The last one is
    only if light hides anything.
    """
    return DARKER if cv2.inRange(frame, (WHITE,) * 3, (255,) * 3).any() else DARKER[:1]


def _from_left(dice: Iterable[Die]) -> tuple[Die, ...]:
    return tuple(sorted(dice, key=lambda die: die.center))


def _shot(frame: Image, darker: Sequence[Image], found: Found) -> Shot:
    """What was found, and how it is read: in the first of the pictures of use in which it is found, too, and
    nothing has come between.
    """
    for picture in of_use(frame, darker, found):
        again = next(closely(picture, [found]), None)
        if again:
            hidden = as_die(picture, again, _pips(again)).dazzling
            return Shot(replace(found, classes=again.classes), picture, hidden, found)
    return Shot(found, frame)


def of_use(frame: Image, darker: Sequence[Image], found: Found) -> Iterator[Image]:
    """Those pictures with less light in which more may be seen of what was found, if it is bright and nothing
    has come between; the darkest one first where light hides anything of it.
    """
    if not darker:
        return
    die = as_die(frame, found, _pips(found))
    for picture in (darker[::-1] if die.glare else darker[:1]) if die.bright else ():
        if alike(frame, picture, found.centre, found.size):
            yield picture


def _asked(shot: Shot, effort: Effort) -> Found:
    """What was found, with what the other networks say of it; of what seems to show no pips, or five, always,
    if it is likely: dice with none are rare, and a single pip may be faint; and through a clear die other
    faces look like fives.
    """
    found = shot.found
    below = inf if np.argmax(found.classes) in (NO_PIPS, FIVE) else effort.below
    if not effort.least <= found.sure < below:
        return found
    second = opinion(shot.picture, found.centre, found.size)
    if not effort.faces:
        return replace(found, classes=_both(found.classes, second, effort.first), second=second)
    third = upper_face(shot.picture, found.centre, found.size)
    second = _joined(second, third, THIRD if _heard(found.classes, second, third) else ALONE)
    classes = _both(found.classes, second, effort.first)
    return _checked(shot.picture, replace(found, classes=classes, second=second))


def _checked(picture: Image, found: Found) -> Found:
    """What was found, with the same face, of which it is surer if as many pips can be counted there, and it
    is no cuboid that shows others. Of a five of which others are counted it is not: through a clear die that
    shows two, three or four the pips of the opposite side make it one.
    """
    face = int(np.argmax(found.classes))
    sure = found.classes[face] >= COUNTABLE
    if face >= NO_PIPS or (sure and face != FIVE) or _kind(found) not in (face, LONG + face):
        return found
    number = counted(picture, found.centre, found.size, face + 1 if sure else 0)
    if number == face + 1 and not sure:
        weighed = partial(_surer, face=face)
    elif number and number != face + 1 and face == FIVE:
        weighed = partial(_as_likely, face=face, other=number - 1)
    else:
        return found
    second = weighed(np.array(found.second[:NO_DIE]))
    classes = np.asarray(weighed(found.classes), np.float32)
    return replace(found, classes=classes, second=(*second.tolist(), found.second[NO_DIE]))


def _as_likely(likely: Parts, face: int, other: int) -> Parts:
    """The same chances, but those of two faces are the same."""
    weighed = likely.copy()
    weighed[[face, other]] = (weighed[face] + weighed[other]) / 2
    return weighed


def _surer(likely: Parts, face: int) -> Parts:
    """The same chances, but the odds of one are larger."""
    weighed = likely.copy()
    weighed[face] *= COUNTS
    return np.asarray(weighed * (likely.sum() / weighed.sum()))


def _heard(first: Float, second: tuple[float, ...], third: tuple[float, ...]) -> bool:
    """Whether the third network sees what another one does, too, or is sure: in pictures that are less sharp
    than those it has learned from it errs where both others are right.
    """
    one, other, mine = (int(np.argmax(each[:COCKED])) for each in (first, second, third))
    return one != other or other == mine or max(third) >= UNSURE


def _joined(second: tuple[float, ...], third: tuple[float, ...], share: float) -> tuple[float, ...]:
    """What the second network says, but which face it is, or none, the third one says as well, with this
    `share`; and whether there is a die at all, if it is sure of what it sees, as far as the second one sees
    nothing that the third one does not know.
    """
    kinds, none = _parts(np.array(second[:NO_DIE])), second[NO_DIE]
    flat = kinds[:COCKED].sum()
    there = NONE * flat * max(third) ** STEEP
    both = mixed(np.array([none, 1 - none]), np.array([third[-1], 1 - third[-1]]), there)
    kinds[:COCKED] = flat * mixed(_parts(kinds[:COCKED]), _parts(np.array(third[:COCKED])), share)
    return (*(kinds * both[1]).tolist(), float(both[0]))


def _parts(likely: Parts) -> Parts:
    """How likely each of some is if it is one of them."""
    return likely / max(float(likely.sum()), NEVER)


def _both(classes: Float, second: tuple[float, ...], first: float) -> Float:
    """How likely each class is, of those of a die (a geometric mean of what both networks say, in which the
    `first` one counts so much).

    As far as the second one sees no die, what it says of one does not count.
    """
    other, share = np.array(second[:LONG], np.float32), (1 - first) * (1 - second[NO_DIE])
    return np.append(mixed(classes[:LONG], other, share), classes[LONG:])


def _kind(found: Found) -> int:
    """Its class. Only the second network knows cuboids: dice, the first one says."""
    if sum(found.second[LONG:NO_DIE]) >= CUBOIDS:
        return LONG + int(np.argmax(found.second[LONG:NO_DIE]))
    return int(np.argmax(found.classes[:LONG]))


def _seen(frame: Image, shot: Shot, found: Found) -> Die:
    """What shows pips. A single one, with less light, is perhaps only what a lamp leaves of more: where that
    hides a part of the face even so, or where more are seen in the usual picture.
    """
    die = _with_pips(frame, found)
    return replace(die, known=die.face != 1 or not (shot.hidden or _shows_more(frame, shot.usual)))


def _shows_more(frame: Image, usual: Found | None) -> bool:
    """Whether what is read in a darker picture, found in the usual one, rather shows more pips than one there
    to the third network, which sees finest: to the others it may look like the same in both.
    """
    return bool(usual and max(upper_face(frame, usual.centre, usual.size)[1:NO_PIPS]) >= RATHER)


def _with_pips(frame: Image, found: Found) -> Die:
    kind = _kind(found)
    if kind >= LONG:
        return replace(as_die(frame, found, kind - LONG + 1), cuboid=True, cocked=False)
    return as_die(frame, found, kind + 1 if kind < NO_PIPS else _pips(found))


def _pips(found: Found) -> int:
    """How many pips the network sees if it has to say a number."""
    return int(np.argmax(found.classes[:NO_PIPS])) + 1


def refused(seen: Die | Found, least: float = REFUSED) -> bool:
    """Whether the second network sees no die there, and is at least so sure of it."""
    return bool(seen.second) and seen.second[NO_DIE] >= least


def shows_no_pips(found: Found) -> bool:
    """Whether it surely is a die, and surely shows no pips: a sign, nothing, or such as nobody can see."""
    blank = found.sure >= SURE and np.argmax(found.classes) == NO_PIPS
    return bool(blank and _is_die(found) and found.second[NO_PIPS] >= BLANK)


def _is_die(seen: Die | Found) -> bool:
    """Whether the second network sees nothing but a die there."""
    return bool(seen.second) and seen.second[NO_DIE] < SEEN


def _odds(die: Die) -> float:
    """How much likelier a die with this face than none: what speaks for it, and what the second network says
    against none, which hardly ever errs about the same things as the first one.
    """
    if not die.second:
        return 0.0
    none = max(die.second[NO_DIE], NEVER)
    return die.confidence / max(1 - die.confidence, NEVER) * (1 - none) / none


def _faint(frame: Image, plain: list[tuple[Found, Found]]) -> Iterator[Die]:
    """What is a die and shows no pips, as if it had some on each side: which are the likeliest."""
    for _, each in plain:
        if each.there >= BESIDE and each.second and not refused(each):
            faces = tuple(_parts(each.classes[:NO_PIPS]).tolist())
            yield replace(as_die(frame, each, _pips(each)), faces=faces, known=False)


def _single(frame: Image, die: Die) -> Die:
    """The same, but one that shows a large single pip is known: to the networks that is much like a sign."""
    if die.face != 1 or die.faces[0] < LIKELY or not single(frame, die.center, die.width):
        return die
    return replace(die, faces=tuple(_surer(np.array(die.faces), 0).tolist()), known=True)


def _of_a_set(die: Die, dice: Sequence[Die]) -> bool:
    """Whether it looks like one of the dice that show pips: of their colour, unless a lamp is mirrored in it,
    and of their size. Then it has some, too.
    """
    return any(
        (die.dazzling or die.colour == other.colour) and SMALLER <= die.width / other.width <= 1 / SMALLER
        for other in dice
        if not other.cuboid
    )


def _pale(frame: Image, plain: list[tuple[Found, Found]]) -> Iterator[Die]:
    """Dice that show no pips, but perhaps they do after all: as sure as the first network is of the pips.

    `plain` are findings as the first network says, and as both do. Where the second one does not agree, they
    are as sure as what was found: that nobody can read a die does not make it less of a die.
    """
    for alone, each in plain:
        piped = replace(alone, classes=alone.classes * WITH_PIPS)
        if each.sure >= DOUBT and each.second and each.second[NO_PIPS] < BLANK:
            yield as_die(frame, each, _pips(each))
        elif piped.sure >= LEAST:
            yield replace(_with_pips(frame, piped), second=each.second)


def _certain(dice: list[Die]) -> bool:
    """Whether there are dice at all, by the first network's word or by both: then more are to be expected."""
    return any(die.confidence >= (SURE if _is_die(die) else CERTAIN) for die in dice)


def _at(die: Die, among: Iterable[Die]) -> bool:
    """Whether one of the others is the same die."""
    return any(die.near(other) < SAME for other in among)


def _crowded(die: Die, among: Iterable[Die]) -> bool:
    """Whether one of the others leaves no room for it. Beside its long side a cuboid leaves some."""
    return any(die.near(other) < (SAME if die.cuboid or other.cuboid else WITHIN) for other in among)


def as_die(frame: Image, found: Found, face: int) -> Die:
    """What the network has found, with this face."""
    height, width = frame.shape[:2]
    x, y = _within(found.centre, width, height)
    x0, y0, x1, y1 = *_within(found.box[:2], width, height), *_within(found.box[2:], width, height)
    middle = _middle(frame, (x, y), found.size)
    return Die(
        face=face,
        center=(x, y),
        box=(min(x0, x), min(y0, y), max(x1, x), max(y1, y)),
        colour=name_colour(*_surface(middle)),
        confidence=found.sure,
        cocked=float(found.classes[COCKED]) >= LEANS,
        faces=tuple(found.classes[:NO_PIPS].tolist()),
        second=found.second,
        glare=_glare(middle),
        level=_level(middle),
    )


def _coloured(die: Die, clear: Image) -> Die:
    """The same with the colour that it has in enough light."""
    return replace(die, colour=name_colour(*_surface(_middle(clear, die.center, die.width))))


def _within(point: tuple[float, float], width: int, height: int) -> tuple[float, float]:
    """The nearest point of a frame."""
    return min(max(point[0], 0.0), width - 1.0), min(max(point[1], 0.0), height - 1.0)


def _glare(middle: Float) -> float:
    """The part of the samples that is white."""
    return float((middle.min(axis=0) >= WHITE).mean())


def _level(middle: Float) -> float:
    """How bright the samples are on average, of white."""
    return float((GREY @ middle).mean()) / 255


def _middle(frame: Image, centre: tuple[float, float], size: float) -> Float:
    """Samples (3 x N, BGR) of the middle of the upper face."""
    reach = max(2, round(size * MIDDLE))
    x, y = (round(part) for part in centre)
    part = frame[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
    small = cv2.resize(part, (SAMPLES, SAMPLES), interpolation=cv2.INTER_AREA)
    return small.reshape(-1, 3).T.astype(np.float32, order="C")


def _surface(middle: Float) -> tuple[Float, bool]:
    """The colour (BGR) of the body among samples of a face (3 x N), and whether the pips are lighter."""
    level = GREY @ middle
    order = np.argsort(level)
    low, usual, high = (float(level[order[int(part * (len(order) - 1))]]) for part in (0.03, 0.5, 0.97))
    light = high - usual > usual - low
    if light:
        order = order[::-1]
    first, last = (int(part * len(order)) for part in BODY)
    body = np.take(middle, order[first:last], axis=1)  # in rows, of which the least is found much faster
    saturation = 1 - body.min(axis=0) / np.maximum(body.max(axis=0), 1)
    weights = saturation + GLARE
    return np.asarray(body @ weights / weights.sum(), np.float32), light
