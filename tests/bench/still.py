"""How often photographs of dice are told rightly, asked or told wrongly, if a camera sees them as a throw.

    python -m tests.bench.still FOLDER [--awaited]

FOLDER is labelled as for `companion bench eye`. Of each picture, made at most as wide as a tray is seen,
three frames with noise vote. With --awaited it is known how many dice there are, as in a game: that can be
said only of pictures in which all of them count.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.bench import Labelled, labelled, score
from companion.eye.dice import Die
from companion.eye.read import look
from companion.eye.throws import FRAMES, Reading, candidates
from companion.eye.trust import judge
from hardware.camera import decode
from tests.bench.tray import FPS, interval

WIDE = 960  # px: of a frame's longer side
NOISE = 2.5  # levels: standard deviation

Frame = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a picture: right, asked or wrong; and whether any die in it counts."""

    outcome: str
    counts: bool


def frames(picture: Frame) -> Iterator[Frame]:
    """It as a camera would deliver it several times."""
    random = np.random.default_rng(1)
    for _ in range(FRAMES):
        seen = picture + random.normal(0, NOISE, picture.shape)
        yield np.asarray(np.clip(seen, 0, 255), np.uint8)


def judged(picture: Labelled, awaits: bool) -> Judged:
    """Let the companion see one picture as a throw."""
    whole = decode(picture.path)
    scale = min(1.0, WIDE / max(whole.shape[:2]))
    size = (round(whole.shape[1] * scale), round(whole.shape[0] * scale))
    seen = np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)
    sights = [look(frame) for frame in frames(seen)]
    readings = [Reading(i / FPS, sight.dice, sight.doubts) for i, sight in enumerate(sights)]
    verdict = judge(candidates(readings), len(picture.dice) if awaits else None)
    result = score(picture, [_back(each.die, scale) for each in verdict.dice])
    outcome = "right" if result.exact else "wrong"
    return Judged(outcome if verdict.sure else "asked", result.true > 0)


def _back(die: Die, scale: float) -> Die:
    """Where it lies in the whole picture."""
    x, y = die.center
    return replace(die, center=(x / scale, y / scale))


def main() -> None:
    """Judge all pictures of a folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--awaited", action="store_true", help="tell how many dice there are")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    seen = []
    for picture in labelled(args.folder):
        if args.awaited and any(die.get("ignore") for die in picture.dice):
            continue
        each = judged(picture, args.awaited)
        seen.append(each)
        if each.outcome == "wrong":
            print(f"{picture.path.name} is told wrongly", flush=True)
    for name, counts in (("with dice that count", True), ("without any", False)):
        some = Counter(each.outcome for each in seen if each.counts == counts)
        for outcome in ("right", "asked", "wrong") if some else ():
            low, high = (100 * end for end in interval(some[outcome], some.total()))
            print(f"{name}, {outcome}: {some[outcome]} of {some.total()} ({low:.2f} to {high:.2f} %)")


if __name__ == "__main__":
    main()
