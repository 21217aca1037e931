"""Teaching a die: each face is shown for some seconds and turned a little now and then."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist

import numpy as np
from numpy.typing import NDArray

from companion.eye.network import Found
from companion.eye.taught import KNOWN, Looks, Taught, distance, look

LOOKS = 6  # so many looks at a face are enough ...
TURNS = 3  # ... in so many turns of it, ...
MOST = 14  # ... or so many in any
TURN = 20.0  # degrees from which on it is another turn
STILL = 0.03  # of its size a die may move between two pictures and be at rest
PAUSE = 0.25  # seconds between two looks
SEEN = 0.3  # how sure it must be that there is a die

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Progress:
    """Which face is being shown, and how much of it is known (0..1).

    `face` is its number, or how many faces there are once all are known. `waits`: the face before still
    lies there.
    """

    face: int
    part: float
    waits: bool


class Teacher:
    """Takes down a die of some faces, one after the other, from the pictures of a camera."""

    def __init__(self, name: str, faces: Sequence[str]) -> None:
        self.name, self.faces = name, tuple(faces)
        self._looks: list[Looks] = []
        self._of: list[int] = []
        self._turns: list[Looks] = []  # a look at each turn of the face that is shown
        self._before: Found | None = None
        self._last = float("-inf")
        self.progress = Progress(0, 0.0, False)

    def see(self, frame: Image, dice: Sequence[Found], at: float) -> Progress:
        """Take in a picture and the dice in it, at so many seconds."""
        found = [die for die in dice if die.sure >= SEEN]
        die = found[0] if len(found) == 1 else None
        before, self._before = self._before, die
        if die is None or before is None or self.progress.face == len(self.faces):
            return self.progress
        if dist(die.centre, before.centre) > STILL * die.size or at - self._last < PAUSE:
            return self.progress
        self._last = at
        self._take(look(frame, die.centre, die.size))
        return self.progress

    def _take(self, seen: Looks) -> None:
        face = self.progress.face
        if not self._turns and self._is_face(seen, face - 1):
            self.progress = Progress(face, 0.0, True)
            return
        self._looks.append(seen)
        self._of.append(face)
        if all(distance(seen, other)[1] >= TURN for other in self._turns):
            self._turns.append(seen)
        count = self._of.count(face)
        part = max(min(count / LOOKS, len(self._turns) / TURNS), count / MOST)
        if part >= 1:
            self._turns = []
            self.progress = Progress(face + 1, 0.0, False)
        else:
            self.progress = Progress(face, part, False)

    def _is_face(self, seen: Looks, face: int) -> bool:
        """Whether this is a face that is known already."""
        known = [each for each, of in zip(self._looks, self._of, strict=True) if of == face]
        return any(distance(seen, each)[0] < KNOWN for each in known)

    def taught(self) -> Taught:
        """What was learned, once all faces are known."""
        return Taught(self.name, self.faces, np.stack(self._looks), np.array(self._of, np.int64))
