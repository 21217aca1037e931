"""Dice that were taught, in a whole picture: they become dice like all others, with signs instead of pips."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from companion.eye.dice import PIPS, Die
from companion.eye.network import NO_PIPS, Found, Image, distinct, inside
from companion.eye.read import COCKED, Sight, as_die, of_use, refused
from companion.eye.taught import KNOWN, Taught, Told, tell

SURE = 0.3  # from here on what has no pips is a die, where dice without pips are awaited
NOTHING = 0.9  # so sure the second network is that there is none, though it knows few signs

# Where any dice may lie, this near to a face that was taught is told, if it is known, and else asked for:
LIKE = 0.8  # what surely is a die without pips
NEAR = 0.45  # what perhaps is one, or shows pips; up to KNOWN the former is only asked for
NEARER = 0.36  # what shows pips ...
CLEARLY = 0.8  # ... so surely
PIPS_SURE = 0.72  # from here on what shows pips is a die with pips, and looked at no closer


def signed(
    frame: Image, sight: Sight, kind: Taught, darker: Sequence[Image] = ()
) -> tuple[tuple[Die, ...], tuple[Die, ...]]:
    """The dice of a frame (H x W x 3, BGR) in which dice of a kind are awaited, from left to right, and
    what may be others.

    Where one kind is awaited, whatever the network has found is looked at; what is like no face counts as it
    did before. A die without pips that is none of them is given the sign that it is most like, and is not
    known. Where several kinds `together` may lie beside dice with pips, what certainly shows pips is such a
    die, and what is like no face is nothing that was taught.

    `darker` are pictures of the same with less light, as `look` has them: bright dice are seen there, too.
    """
    pictures = (frame, *darker)
    found = list(_beside_pips(pictures, sight, kind) if kind.mixed else _signed(pictures, sight, kind))

    def elsewhere(dice: Iterable[Die]) -> tuple[Die, ...]:
        return tuple(die for die in dice if not any(inside(die.center, other.box) for other in found))

    dice = sorted([*found, *elsewhere(sight.dice)], key=lambda die: die.center)
    return tuple(dice), elsewhere(sight.doubts)


def _things(sight: Sight) -> list[Found]:
    """What may be a die: a tile of the floor may look like a face that was taught, too."""
    return distinct([each for each in sight.found if not refused(each, NOTHING)])


def _told(pictures: Sequence[Image], found: Found, kind: Taught) -> Told:
    """Which face something shows, in the usual picture or with less light; where a lamp hides a part of it,
    what is left must be much like that, and where both are known, they must be the same.
    """
    told = []
    usual, *darker = pictures
    for picture in (usual, *islice(of_use(usual, darker, found), 1)):
        each = tell(kind, picture, found.centre, found.size)
        clear = each.away < NEAR or not as_die(picture, found, 1).dazzling
        told.append(replace(each, known=each.known and clear))
    best = min(told, key=lambda each: (not each.known, each.away))
    return replace(best, known=len({each.face for each in told if each.known}) == 1)


def _signed(pictures: Sequence[Image], sight: Sight, kind: Taught) -> Iterator[Die]:
    for each in _things(sight):
        told = _told(pictures, each, kind)
        sure = each.sure >= SURE and np.argmax(each.classes) == NO_PIPS
        # That there is a plain face only the networks know; where they see no die, much must speak for one.
        known = bool(told.known and (sure or not told.plain) and (told.away < NEAR or not refused(each)))
        if known or sure:
            yield _as_signed(pictures[0], each, kind, told, known)


def _beside_pips(pictures: Sequence[Image], sight: Sight, kinds: Taught) -> Iterator[Die]:
    for each in _things(sight):
        of = int(np.argmax(each.classes))
        if each.sure < SURE or of == COCKED or (of < NO_PIPS and each.sure >= PIPS_SURE):
            continue
        told = _told(pictures, each, kinds)
        if each in sight.others:
            reach, known = LIKE, told.known
        elif of == NO_PIPS:
            reach, known = KNOWN, told.known and told.away < NEAR
        else:
            reach, known = NEARER if each.classes[of] >= CLEARLY else NEAR, told.known
        if told.away < reach and (each in sight.others or not told.plain):
            yield _as_signed(pictures[0], each, kinds, told, known)


def _as_signed(frame: Image, found: Found, kind: Taught, told: Told, known: bool) -> Die:
    die = as_die(frame, found, PIPS + kind.faces.index(told.face) + 1)
    confidence = 1 - told.away**2 / 3 if known else found.sure
    return replace(
        die,
        sign=told.face,
        confidence=confidence,
        known=known,
        cocked=False,
        faces=(),
        second=(),
        look=told.look,
    )
