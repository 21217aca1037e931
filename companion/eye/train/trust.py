"""Fits how far a reading can be trusted: `python -m companion.eye.train.trust FOLDER` writes assets/model/trust.json.

FOLDER holds rendered throws (`companion.eye.train.throws`). Each is looked at as the companion does, several frames
at a time, in several qualities of camera. It has to be run again whenever the model changes.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye import trust
from companion.eye.read import look
from companion.eye.throws import Reading, candidates
from companion.eye.train.throws import Truth, frames, matched, throws
from companion.eye.trust import Candidate, Weights, judge, logistic

Float = NDArray[np.floating[Any]]
FRAMES = 4  # that vote when a throw comes to rest: a little less than in use
QUALITIES = 2  # of the camera, for each throw
RIDGE = 0.02  # keeps weights small where throws are few
WRONG = 0.001  # of the throws that are told without asking, so many may be wrong
Group = tuple[list[Candidate], list[Truth | None], bool]  # which die each is, and whether all were seen


def groups(folder: Path) -> Iterator[Group]:
    """What the companion sees of each throw, and what it really is."""
    for number, (picture, dice) in enumerate(throws(folder)):
        for quality in range(QUALITIES):
            seen = [look(frame) for frame in frames(picture, QUALITIES * number + quality, FRAMES)]
            found = candidates([Reading(0.1 * i, each.dice, each.doubts) for i, each in enumerate(seen)])
            which = matched([each.die() for each in found], dice)
            yield found, which, sum(each is not None for each in which) == len(dice)


def fitted(rows: Sequence[tuple[float, ...]], truth: Sequence[bool]) -> tuple[float, ...]:
    """Logistic regression by Newton's method; a small ridge keeps it finite where nothing contradicts."""
    x = np.column_stack([np.ones(len(rows)), np.array(rows, np.float64)])
    y = np.array(truth, np.float64)
    ridge = RIDGE * np.eye(x.shape[1])
    ridge[0, 0] = 0
    w = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ w))
        slope = x.T @ (y - p) - ridge @ w
        bend = (x * (p * (1 - p))[:, None]).T @ x + ridge + 1e-9 * np.eye(len(w))
        w = w + np.linalg.solve(bend, slope)
    return tuple(round(float(each), 3) for each in w)


def fit(known: Sequence[Group]) -> Weights:
    """The weights that explain what was seen."""
    each = [(c, die) for found, which, _ in known for c, die in zip(found, which, strict=True)]
    there = fitted([c.there() for c, _ in each], [die is not None for _, die in each])
    real = [(c, die) for c, die in each if die is not None]
    right = fitted([c.right() for c, _ in real], [c.die().face == die.face for c, die in real])
    return Weights(there, right, ask(known, Weights(there, right, 1.0)))


def ask(known: Sequence[Group], weights: Weights) -> float:
    """The chance below which to ask: of all throws above it, so few are wrong by their own chances."""
    chances = sorted((judge(found, known=weights).chance for found, _, _ in known), reverse=True)
    doubt = np.cumsum([1 - chance for chance in chances]) / np.arange(1, len(chances) + 1)
    return round(chances[max(0, int(np.searchsorted(doubt, WRONG / 2)) - 1)], 4)


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
    missed = sum(not whole for *_, whole in known)
    print(f"{len(known)} groups of frames, {missed} with a die nobody saw; people are asked below {weights.ask}")
    print(f"mean chance that a candidate is there: {_mean_there(known, weights):.4f}")
    args.out.write_text(json.dumps({"there": weights.there, "right": weights.right, "ask": weights.ask}) + "\n")


def _mean_there(known: Sequence[Group], weights: Weights) -> float:
    return float(np.mean([logistic(weights.there, c.there()) for found, _, _ in known for c in found]))


if __name__ == "__main__":
    main()
