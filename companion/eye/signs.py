"""Dice that were taught, in a whole picture: they become dice like all others, with signs instead of pips."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.eye.dice import Die
from companion.eye.network import distinct, inside
from companion.eye.read import NO_PIPS, Sight, as_die
from companion.eye.taught import Taught, tell

SURE = 0.3  # from here on what has no pips is a die, where dice without pips are awaited


def signed(frame: NDArray[np.uint8], sight: Sight, kind: Taught) -> tuple[tuple[Die, ...], tuple[Die, ...]]:
    """The dice of a frame (H x W x 3, BGR) in which dice of a kind are awaited, from left to right, and
    what may be others.

    Whatever the network has found is looked at; what is like no face of the kind counts as it did before. A
    die without pips that is none of them is given the sign that it is most like, and is not known.
    """
    found = list(_signed(frame, sight, kind))

    def elsewhere(dice: Iterable[Die]) -> tuple[Die, ...]:
        return tuple(die for die in dice if not any(inside(die.center, other.box) for other in found))

    dice = sorted([*found, *elsewhere(sight.dice)], key=lambda die: die.center)
    return tuple(dice), elsewhere(sight.doubts)


def _signed(frame: NDArray[np.uint8], sight: Sight, kind: Taught) -> Iterator[Die]:
    for each in distinct(sight.found):
        told = tell(kind, frame, each.centre, each.size)
        sure = each.sure >= SURE and np.argmax(each.classes) == NO_PIPS
        # That there is a plain face only the network knows.
        known = bool(told.known and (sure or not told.plain))
        if known or sure:
            confidence = 1 - told.away / 2 if known else each.sure
            die = as_die(frame, each, kind.faces.index(told.face) + 1)
            yield replace(die, sign=told.face, confidence=confidence, known=known, cocked=False, faces=())
