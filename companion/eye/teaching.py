"""Teaching a die: each face is shown for some seconds and turned a little now and then."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import dist

import numpy as np

from companion.eye.network import Found, Image, distinct
from companion.eye.taught import (
    ALIKE,
    ANGLES,
    AS_FOUND,
    KNOWN,
    NO_PICTURES,
    RINGS,
    TAUGHT,
    Look,
    Spectra,
    Taught,
    away,
    looks_at,
    picture,
    spectra,
    turned,
)

LOOKS = 6  # so many looks at a face are enough ...
TURNS = 3  # ... in so many turns of it, ...
MOST = TAUGHT  # ... or so many in any
TURN = 20.0  # degrees from which on it is another turn
STILL = 0.08  # of its size a die may seem to move between two pictures and be at rest: noise does as much
PAUSE = 0.25  # seconds between two looks
SEEN = 0.3  # how sure it must be that there is a die
LEAST = 2  # faces that a die has


class Hint(Enum):
    """What is right or wrong with what is being shown."""

    GOOD = "good"
    NOTHING = "nothing"
    """No die is to be seen."""
    MANY = "many"
    """Several are."""
    MOVES = "moves"
    """It does not lie still."""
    KNOWN = "known"
    """This face is known already."""
    STRANGE = "strange"
    """It is another face than the one that was begun with."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Which face is being shown, how much of it is known (0..1), and what is wrong.

    `face` is its number, or how many faces there are once all are known. `like` is the number of the face
    that it is, where that is known already.
    """

    face: int
    part: float = 0.0
    hint: Hint = Hint.NOTHING
    like: int | None = None

    @property
    def just_begun(self) -> bool:
        """Whether the side before has just been learned: it still lies there."""
        return self == Progress(self.face, hint=Hint.GOOD)


@dataclass(frozen=True, slots=True, eq=False)
class _Taken:
    """A look at a face, and its spectra."""

    face: int
    look: Look
    spectra: Spectra


class Teacher:
    """Takes down a die of some faces, one after the other, from the pictures of a camera; of what has `begun`
    to be taught only the faces that are missing.
    """

    def __init__(self, name: str, faces: Sequence[str], begun: Taught | None = None) -> None:
        self.name, self.faces = name, tuple(faces)
        self._taken: list[_Taken] = []
        self._pictures: dict[int, Image] = {}  # the first one of each face: so it was laid down to be seen
        self._turns: list[Spectra] = []  # a look at each turn of the face that is shown
        self._before: Found | None = None
        self._last = float("-inf")
        if begun:
            self._recall(begun)
        self.progress = Progress(self._missing)

    def _recall(self, begun: Taught) -> None:
        for i, (number, look) in enumerate(zip(begun.of.tolist(), begun.looks, strict=True)):
            name = begun.faces[number]
            shown = begun.picture(name)
            if name in self.faces and shown is not None:
                face = self.faces.index(name)
                self._taken.append(_Taken(face, look, begun.spectra[..., i : i + 1]))
                self._pictures[face] = shown

    @property
    def _missing(self) -> int:
        """The first face of which nothing was seen, or how many there are."""
        return next((face for face in range(len(self.faces)) if not self._seen(face)), len(self.faces))

    def _seen(self, face: int) -> bool:
        return any(each.face == face for each in self._taken)

    @property
    def done(self) -> bool:
        """Whether all faces are known."""
        return self.progress.face == len(self.faces)

    def see(self, frame: Image, found: Sequence[Found], at: float) -> Progress:
        """Take in a picture and what may be dice in it, at so many seconds."""
        dice = [die for die in distinct(found) if die.sure >= SEEN]
        die = dice[0] if len(dice) == 1 else None
        before, self._before = self._before, die
        if self.done:
            return self.progress
        if die is None:
            self._hint(Hint.MANY if dice else Hint.NOTHING)
        elif before is None or dist(die.centre, before.centre) > STILL * die.size:
            self._hint(Hint.MOVES)
        elif at - self._last >= PAUSE:
            self._last = at
            self._take(frame, die)
        return self.progress

    def known(self, face: int) -> bool:
        """Whether a face was shown to the end."""
        return face != self.progress.face and self._seen(face)

    def again(self, face: int | None = None) -> None:
        """Begin the face anew that is being shown, or another `face` that is known: what was seen of both is
        forgotten.
        """
        now = self.progress.face if face is None else face
        gone = {self.progress.face, now}
        self._taken = [each for each in self._taken if each.face not in gone]
        self._turns = []
        for each in gone:
            self._pictures.pop(each, None)
        self.progress = Progress(now)

    @property
    def enough(self) -> bool:
        """Whether so many faces are known that it may have no others; not while one of them is taken anew."""
        shown = self.progress.face
        known = [face for face in range(len(self.faces)) if self.known(face)]
        return shown >= LEAST and known == list(range(shown))

    def finish(self) -> None:
        """It has no other faces than those that are known."""
        self.again()
        self.faces = self.faces[: self.progress.face]

    def picture(self, face: int) -> Image | None:
        """A face that was shown, for people to see."""
        return self._pictures.get(face)

    def _hint(self, hint: Hint, like: int | None = None) -> None:
        self.progress = Progress(self.progress.face, self.progress.part, hint, like)

    def _take(self, frame: Image, die: Found) -> None:
        face = self.progress.face
        looks = looks_at(frame, die.centre, die.size)
        seen = spectra(looks)
        far = self._far(seen)
        known = min((each for each in far if each != face), key=lambda each: far[each], default=None)
        if far.get(face, 0.0) > KNOWN:
            if sum(each.face == face for each in self._taken) > 1:
                self._hint(Hint.STRANGE)
                return
            self.again()  # one look may have been wrong: of the face before, badly seen, perhaps
            far.pop(face)
        if face not in far and known is not None and far[known] < ALIKE:
            self._hint(Hint.KNOWN, known)
            return
        self._pictures.setdefault(face, picture(frame, die.centre, die.size))
        # A part alone would keep all the other sizes.
        taken = _Taken(face, looks[AS_FOUND].copy(), seen[..., AS_FOUND : AS_FOUND + 1].copy())
        self._taken.append(taken)
        if all(turned(taken.spectra, other) >= TURN for other in self._turns):
            self._turns.append(taken.spectra)
        count = sum(each.face == face for each in self._taken)
        part = max(min(count / LOOKS, len(self._turns) / TURNS), count / MOST)
        if part >= 1:
            self._turns = []
            self.progress = Progress(self._missing, 0.0, Hint.GOOD)
        else:
            self.progress = Progress(face, part, Hint.GOOD)

    def _far(self, seen: Spectra) -> dict[int, float]:
        """How far what is seen is from each face of which there are looks."""
        if not self._taken:
            return {}
        known = np.concatenate([each.spectra for each in self._taken], axis=-1)
        far: dict[int, float] = {}
        for each, found in zip(self._taken, away(seen, known).tolist(), strict=True):
            far[each.face] = min(found, far.get(each.face, found))
        return far

    def taught(self) -> Taught:
        """What was learned: the faces that are known so far."""
        known = [face for face in range(len(self.faces)) if self.known(face)]
        taken = [each for each in self._taken if each.face in known]
        return Taught(
            self.name,
            tuple(self.faces[face] for face in known),
            np.array([each.look for each in taken], np.float32).reshape(-1, 3, RINGS, ANGLES),
            np.array([known.index(each.face) for each in taken], np.int64),
            np.array([self._pictures[face] for face in known], np.uint8).reshape(-1, *NO_PICTURES.shape[1:]),
        )
