"""The one value that every reader of dice returns."""

from dataclasses import dataclass, field
from math import dist
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Colour = Literal["white", "black", "red", "orange", "yellow", "green", "blue", "purple"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
PIPS = 6  # faces above show no pips
DAZZLING = 0.3  # of a face: where more is white, pips may be lost in it
BRIGHT = 0.4  # of white: a face that is brighter can be seen with less light as well
Shown = int | str
"""What lies on top of a die: so many pips, or the name of a face: `die/face` where any dice may lie."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die as seen in a frame.

    Positions are pixels of the frame, x to the right, y down. `box` is (x0, y0, x1, y1) around
    the whole visible die, `center` the middle of its upper face, `confidence` lies in 0..1. A `cocked` die
    leans on something: nobody can say what it shows, and its face is only the best guess.
    `faces` (6) is how likely the network holds each face; a die that was taught has none. `second`, if it was
    asked for, is the opinion of the second network: of each face (6), of what else it may be (6), and of no
    die; in a throw the third network has its share in that.

    A `cuboid` shows 1 to 4 on its long sides.

    A die that was taught has a `sign` instead of pips, the name of its upper face; `face` is the number of
    that face among those that were taught, from 7: no number of pips.

    What is not `known` has to be asked for: its face is only the most likely one. `glare` (0..1) is the part
    of its face in which light leaves hardly anything to be seen, and `level` (0..1) how bright that is.
    `look` is the look at the face of a die that was taught (see `companion.eye.taught`).
    """

    face: int
    center: tuple[float, float]
    box: tuple[float, float, float, float]
    colour: Colour
    confidence: float
    cocked: bool = False
    faces: tuple[float, ...] = ()
    second: tuple[float, ...] = ()
    cuboid: bool = False
    sign: str = ""
    known: bool = True
    glare: float = 0.0
    level: float = 0.0
    look: NDArray[np.float32] | None = field(default=None, compare=False, repr=False)

    @property
    def shows(self) -> Shown:
        """What lies on top: the sign, or the number of pips."""
        return self.sign or self.face

    @property
    def dazzling(self) -> bool:
        """Whether so much of its face is that bright that pips may be lost in it."""
        return self.glare >= DAZZLING

    @property
    def bright(self) -> bool:
        """Whether its face is that bright that with less light more may be seen of it."""
        return self.level >= BRIGHT

    @property
    def width(self) -> float:
        """Mean side of the box in pixels."""
        x0, y0, x1, y1 = self.box
        return (x1 - x0 + y1 - y0) / 2

    def apart(self, other: "Die") -> float:
        """The distance of the middles of both, in widths of a die."""
        return dist(self.center, other.center) / max(1.0, (self.width + other.width) / 2)

    def near(self, other: "Die") -> float:
        """The same in widths of the larger one: what is small lies near to it also at its edge."""
        return dist(self.center, other.center) / max(1.0, self.width, other.width)
