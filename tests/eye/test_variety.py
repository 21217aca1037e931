"""What a cut-out may look like to other cameras, in the light of other lamps."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.eye.network import Float, Image
from companion.eye.train.variety import Variety, part_of, varied

WIDE, SIDE, SHOWN = 192, 128, 96  # px: of a cut-out, of what is seen of it, of a die there
NEVER = (0.0, 0.5, 1.0)
EXACT = Variety(size=0.0, push=0.0, coarser=NEVER, blurred=NEVER, light=0.0, shift=0.0, noise=NEVER)
PARTED = replace(EXACT, parted=1.0)
SEEDS = range(200)


def grey(level: int) -> Image:
    return np.full((WIDE, WIDE, 3), level, np.uint8)


def seen(picture: Image, variety: Variety, seed: int) -> Float:
    return varied(picture, variety, SIDE, SHOWN, np.random.default_rng(seed))


@pytest.mark.parametrize("variety", [EXACT, PARTED], ids=["exact", "parted"])
def test_it_stays_a_picture(variety: Variety) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (WIDE, WIDE, 3), dtype=np.uint8)
    for seed in range(30):
        picture = seen(noise, variety, seed)
        assert picture.shape == (SIDE, SIDE, 3)
        assert picture.dtype == np.float32
        assert picture.min() >= 0 and picture.max() <= 1


def test_the_light_is_everywhere_the_same_unless_it_is_parted() -> None:
    for seed in SEEDS:
        assert np.ptp(seen(grey(100), EXACT, seed), axis=(0, 1)).max() < 1e-4


def test_a_part_of_it_lies_in_another_light() -> None:
    differing, parts = 0, []
    for seed in SEEDS:
        level = seen(grey(100), PARTED, seed).mean(axis=2)
        differing += np.ptp(level) > 0.04
        parts.append(float((level > (level.max() + level.min()) / 2).mean()))
    assert differing > 0.75 * len(SEEDS)
    assert sum(0.1 < part < 0.9 for part in parts) > 0.75 * len(SEEDS)


def test_what_was_found_is_then_a_half_of_the_die() -> None:
    """It lies aside and is too large, and in its middle the die ends where the light changes."""
    die, half = grey(0), SHOWN // 4
    middle = slice(WIDE // 2 - half, WIDE // 2 + half)
    die[middle, middle] = 255
    aside, larger, towards = [], [], []
    for seed in SEEDS:
        shown = seen(die, PARTED, seed)
        lit = shown.mean(axis=2) > (shown.max() + shown.min()) / 2
        edges = np.hypot(*np.gradient(seen(grey(100), PARTED, seed).mean(axis=2)))
        if edges.max() > 0.01 and 0 < lit.sum() < lit.size / 2:
            away, edge = (_middle(where) - (SIDE - 1) / 2 for where in (lit, edges))
            aside.append(float(np.linalg.norm(away)))
            larger.append(float(np.sqrt(lit.sum()) / (2 * half)))
            towards.append(float(away @ edge))
    assert len(aside) > len(SEEDS) / 2
    assert 0.06 * SHOWN < np.median(aside) < 0.25 * SHOWN
    assert np.quantile(larger, 0.9) > 1.1
    assert np.mean(np.array(towards) > 0) > 0.75


def _middle(weights: Float | NDArray[np.bool_]) -> Float:
    """The middle (x, y) of what has these weights (H x W)."""
    y, x = np.indices(weights.shape)
    return np.asarray(np.array([(x * weights).sum(), (y * weights).sum()]) / weights.sum(), np.float32)


def test_a_part_of_a_die_is_shown_as_large_as_one() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (WIDE, WIDE, 3), dtype=np.uint8)
    for seed in range(10):
        part = part_of(np.random.default_rng(seed), noise, SHOWN)
        assert part.shape == noise.shape
        # Enlarged, it has only few of its pixels, so neighbours hardly differ.
        assert (
            abs(np.diff(part.astype(int), axis=1)).mean()
            < 0.6 * abs(np.diff(noise.astype(int), axis=1)).mean()
        )
