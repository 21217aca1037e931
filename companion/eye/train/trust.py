"""Fits how far a reading can be trusted: `python -m companion.eye.train.trust FOLDER` writes
assets/model/trust.json.

FOLDER holds rendered throws (`companion.eye.train.throws`). Each is looked at as the companion does, several
frames at a time, in several qualities of camera. It has to be run again whenever the model changes.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye import trust
from companion.eye.read import look
from companion.eye.throws import Reading, candidates
from companion.eye.train.thrown import Truth, frames, matched, throws
from companion.eye.trust import Candidate, Weights, judge

Float = NDArray[np.floating[Any]]
FRAMES = 4  # that vote when a throw comes to rest: a little less than in use
QUALITIES = 2  # of the camera, for each throw
THERE = (1.0, 0.0, 1.0)  # what is expected: both networks are taken at their word that there is a die,
RIGHT = (0.0, 0.0, 0.0, 0.0)  # and nothing is expected of the faces
# How much weights are kept near those: much, as in a tray without clutter little only looks like dice.
KEEP_THERE, KEEP_RIGHT = 1.0, 0.3
MARGIN = 4.0
CERTAIN = 0.98  # below it is always asked


@dataclass(frozen=True, slots=True)
class Group:
    """Candidates in some frames of a throw, the die that each really is, and whether all were `seen`."""

    found: list[Candidate]
    which: list[Truth | None]
    seen: bool

    def right(self, weights: Weights) -> bool:
        """Whether what would be told is what lies there."""
        told = judge(self.found, known=weights).dice
        return self.seen and all(
            (each in told) == (die is not None) and (die is None or each.die.face == die.face)
            for each, die in zip(self.found, self.which, strict=True)
        )


def groups(folder: Path) -> Iterator[Group]:
    """What the companion sees of each throw, and what it really is."""
    for number, thrown in enumerate(throws(folder)):
        for quality in range(QUALITIES):
            seen = [look(frame) for frame in frames(thrown.picture, QUALITIES * number + quality, FRAMES)]
            found = candidates([Reading(0.1 * i, each.dice, each.doubts) for i, each in enumerate(seen)])
            which = matched([each.die for each in found], thrown.dice)
            yield Group(found, which, sum(each is not None for each in which) == len(thrown.dice))


def fitted(
    rows: Sequence[tuple[float, ...]], truth: Sequence[bool], expected: tuple[float, ...], keep: float
) -> tuple[float, ...]:
    """Logistic regression by Newton's method: a constant and the weights of a row.

    A ridge (`keep`) around the weights that are expected, and no constant, keeps it sensible where nothing
    contradicts.
    """
    x = np.column_stack([np.ones(len(rows)), np.array(rows, np.float64)])
    y = np.array(truth, np.float64)
    ridge = keep * np.eye(x.shape[1])
    before = np.array((0.0, *expected))
    w = before
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ w))
        slope = x.T @ (y - p) - ridge @ (w - before)
        bend = (x * (p * (1 - p))[:, None]).T @ x + ridge + 1e-9 * np.eye(len(w))
        w = w + np.linalg.solve(bend, slope)
    return tuple(round(float(each), 3) for each in w)


def fit(known: Sequence[Group]) -> Weights:
    """The weights that explain what was seen."""
    each = [pair for group in known for pair in zip(group.found, group.which, strict=True)]
    there = fitted([c.there() for c, _ in each], [die is not None for _, die in each], THERE, KEEP_THERE)
    real = [(c, die) for c, die in each if die is not None]
    good = [c.die.face == die.face for c, die in real]
    right = fitted([c.right() for c, _ in real], good, RIGHT, KEEP_RIGHT)
    return Weights(there, right, ask(known, Weights(there, right, 1.0)))


def ask(known: Sequence[Group], weights: Weights) -> float:
    """The chance below which to ask: MARGIN times less doubt than the surest one that was wrong leaves.

    It is CERTAIN at least, however few were wrong here. A die of which nothing was seen at all is left out:
    no asking finds it.
    """
    wrong = [
        judge(each.found, known=weights).chance for each in known if each.seen and not each.right(weights)
    ]
    return max(CERTAIN, round(1 - (1 - max(wrong, default=0.5)) / MARGIN, 4))


def main() -> None:
    """Fit the weights, tell how well they do, and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=trust.WEIGHTS)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    known = list(groups(args.folder))
    weights = fit(known)
    for name, row in (("there", weights.there), ("right", weights.right)):
        print(name, *row)
    chances = [judge(each.found, known=weights).chance for each in known]
    right = [each.right(weights) for each in known]
    told = [good for chance, good in zip(chances, right, strict=True) if chance >= weights.ask]
    print(f"{len(known)} groups of frames, {sum(not each.seen for each in known)} with a die nobody saw")
    print(
        f"asked below {weights.ask}: {len(known) - len(told)}; told {len(told)}, of which {sum(told)} right"
    )
    args.out.write_text(
        json.dumps({"there": weights.there, "right": weights.right, "ask": weights.ask}) + "\n"
    )


if __name__ == "__main__":
    main()
