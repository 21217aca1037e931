"""The recorded throws of the demonstration: what they promise, and that the eye reads each of them once."""

import json
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.config import ASSETS
from companion.eye import COLOURS, read
from companion.eye.motion import Motion
from companion.eye.throws import Throw, Watcher

SAMPLES = ASSETS / "samples"
LABELS: list[dict[str, Any]] = json.loads((SAMPLES / "labels.json").read_text())["images"]
FPS = 15


@cache
def frames(name: str) -> tuple[NDArray[np.uint8], ...]:
    """All pictures of a video."""
    video = cv2.VideoCapture(str(SAMPLES / name))
    found: list[NDArray[np.uint8]] = []
    assert round(video.get(cv2.CAP_PROP_FPS)) == FPS
    while True:
        there, frame = video.read()
        if not there:
            video.release()
            return tuple(found)
        found.append(np.asarray(frame, np.uint8))


def test_every_video_is_labelled_and_there_is_nothing_else() -> None:
    assert sorted(p.name for p in SAMPLES.iterdir()) == sorted([*(x["file"] for x in LABELS), "labels.json"])
    assert len(LABELS) >= 5
    assert len({die["color"] for label in LABELS for die in label["dice"]}) >= 4, "several colours"


@pytest.mark.parametrize("label", LABELS, ids=lambda x: Path(x["file"]).stem)
def test_dice_roll_come_to_rest_and_are_taken_away(label: dict[str, Any]) -> None:
    film = frames(label["file"])
    assert all(frame.shape == (480, 640, 3) for frame in film)
    rest = round(label["rest_from_s"] * FPS)
    motion = Motion()
    moved = [motion.see(frame).anywhere for frame in film]
    assert not any(moved[:5]) and any(moved[5 : rest + 1]), "an empty table, then rolling dice"
    assert not any(moved[rest + 2 : rest + 25]), "at rest"
    assert np.abs(film[0].astype(int) - film[-1]).mean() < 4, "the empty table again"
    for die in label["dice"]:
        x0, y0, x1, y1 = die["box"]
        assert die["face"] in range(1, 7) and die["color"] in COLOURS
        assert 0 < x0 < die["center"][0] < x1 < 640 and 0 < y0 < die["center"][1] < y1 < 480
        assert 50 < x1 - x0 < 140


@pytest.mark.parametrize("label", LABELS, ids=lambda x: Path(x["file"]).stem)
def test_each_throw_is_announced_once_and_rightly_half_a_second_after_it_has_come_to_rest(
    label: dict[str, Any],
) -> None:
    watcher, motion = Watcher(), Motion()
    throws: list[Throw] = []
    for number, frame in islice(enumerate(frames(label["file"])), 0, None, 2):  # as a slow machine sees it
        throw = watcher.see(read(frame), motion.see(frame), number / FPS, (640, 480))
        throws += [throw] if throw else []
    assert [sorted(die.face for die in throw.dice) for throw in throws] == [
        sorted(d["face"] for d in label["dice"])
    ]
    assert throws[0].at - label["rest_from_s"] <= 0.5
    for die in label["dice"]:
        near = min(throws[0].dice, key=lambda d: float(np.hypot(*np.subtract(d.center, die["center"]))))
        assert (near.face, near.colour) == (die["face"], die["color"])
