"""What lies in a row of tiles and was not seen by itself: two of one colour run together, or a lamp pales it.

In a row the next tile lies as far from each as the others do from theirs. Where it should lie there is one if
the place has one of the four colours and ends where a tile ends; between two tiles the colour is enough, and
where two of one colour fit between them, which run together, it may be open to one side.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from companion.eye.chroma import place
from companion.eye.network import Image
from companion.eye.plane import Floats, sides
from companion.eye.regions import Region
from companion.eye.rim import OUT, SQUARE, edges, seen_at

WORTH = 0.5  # how well a region fits at least to say where the next one lies
ROW = 0.25  # of a tile's side: what is no farther above or below is in the same row
NEXT = (0.85, 1.9)  # sides from one to the next in a row, from and to
ROWS = 0.6  # part of the tiles that have another beside them, else these are no rows
TAKEN = 0.6  # of a tile's side: so near to one there is no other
AGREE = 0.35  # of a tile's side: so near to each other two places are one
INNER = 0.42  # of a side, from its middle: what is looked at for the colour
CLOSE = 0.24  # so near to its colour a sample belongs to it
FILLED = 0.6  # part of the samples that must
ENDS = 3  # of its four sides have one at least, where tiles may end: two are those of a shadow, too ...
OPEN = 2  # ... but enough where two fit between others
SEEN = 0.6  # how well what was found so fits: it is asked about
ROUNDS = 8  # at the ends a row may go on, but not for ever
FEW, MANY = 2, 100  # tiles, from and to: fewer say nothing of a row, and so many are the squares of a cloth


@dataclass(frozen=True)
class _Rows:
    """Tiles in rows: their middles (N x 2), their sides (N x 2 x 2: to the right, and down), and the usual
    step from one to the next, in sides.
    """

    middles: Floats
    sides: Floats
    step: float

    @classmethod
    def of(cls, corners: Floats) -> "_Rows | None":
        """The rows of tiles (N x 4 x 2), if they lie in any."""
        middles, own = corners.mean(axis=1), _turned(corners)
        away = _away(middles, own, middles)
        beside = (abs(away[..., 1]) < ROW) & (away[..., 0] > NEXT[0]) & (away[..., 0] < NEXT[1])
        if (beside.any(axis=0) | beside.any(axis=1)).mean() < ROWS:
            return None
        steps = np.where(beside, away[..., 0], np.inf).min(axis=1)
        return cls(middles, own, float(np.median(steps[np.isfinite(steps)])))

    def places(self, taken: Floats) -> Iterator[tuple[Floats, int]]:
        """Where others may lie, but not on the middles (M x 2) of what is there: corners (4 x 2), and how
        many sides have to end there.
        """
        steps = np.array([self.step, -self.step])[:, None, None] * self.sides[:, 0]
        at = (self.middles + steps).reshape(-1, 2)
        own, ways = np.concatenate([self.sides, self.sides]), np.repeat([1, -1], len(self.middles))
        near = np.linalg.norm(_away(at, own, taken), axis=-1).min(axis=1) < TAKEN
        same = np.linalg.norm(_away(at, own, at), axis=-1) < AGREE
        left = ~near
        opposite = (ways[:, None] != ways) & left
        next_but_one = np.linalg.norm(_away(at + steps.reshape(-1, 2), own, at), axis=-1) < AGREE
        two = (next_but_one & opposite).any(axis=1)
        while left.any():
            mine = same[int(np.argmax(left))] & left
            left &= ~mine
            between = len({*ways[mine].tolist()}) == 2
            ends = 0 if between else OPEN if two[mine].any() else ENDS
            yield at[mine].mean(axis=0) + SQUARE @ own[mine].mean(axis=0), ends


def _turned(corners: Floats) -> Floats:
    """The sides of quadrilaterals (N x 4 x 2) to the right and down (N x 2 x 2)."""
    one, other = sides(corners)
    flat = (abs(one[:, 0]) >= abs(other[:, 0]))[:, None]
    right, down = np.where(flat, one, other), np.where(flat, other, one)
    right, down = right * np.where(right[:, :1] < 0, -1, 1), down * np.where(down[:, 1:] < 0, -1, 1)
    return np.stack([right, down], axis=1)


def _away(middles: Floats, own: Floats, points: Floats) -> Floats:
    """Where points (M x 2) are, seen from each tile, in its own sides (N x M x 2)."""
    return np.asarray((points - middles[:, None]) @ np.linalg.inv(own))


def beside(found: list[Region], worth: Floats, logs: Image) -> list[Region]:
    """What else lies in the rows of what was found (each of which fits so well), if these are rows."""
    sound = [region for region, each in zip(found, worth, strict=True) if each >= WORTH]
    more: list[Region] = []
    for _ in range(ROUNDS):
        if not FEW <= len(sound) + len(more) <= MANY:
            break
        rows = _Rows.of(_corners([*sound, *more]))
        places = rows.places(_corners([*found, *more]).mean(axis=1)) if rows else ()
        new = [region for each in places if (region := _seen(*each, logs))]
        if not new:
            break
        more += new
    return more


def _corners(found: list[Region]) -> Floats:
    return np.array([region.corners for region in found])


def _seen(corners: Floats, ends: int, logs: Image) -> Region | None:
    """What lies at a place, if it has one colour and so many sides that end at least."""
    seen = seen_at(corners, logs)
    inner = place(seen[np.maximum(abs(OUT[:, None]), abs(OUT)) < INNER])
    colour = np.median(inner, axis=0)
    if (np.linalg.norm(inner - colour, axis=1) < CLOSE).mean() < FILLED:
        return None
    if ends and edges(seen) < ends:
        return None
    return Region(corners, colour, SEEN)
