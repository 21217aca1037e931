"""Fair dice are called fair, biased ones are found: against brute force, tables and simulation."""

import math
import random
from bisect import bisect
from collections import Counter
from itertools import product

import numpy as np
import pytest

from companion.honesty import ENOUGH, EXACT, FACES, UNFAIR, chi_square, exact, honesty, survival


@pytest.mark.parametrize(
    "counts", [(2, 0, 0, 0, 0, 0), (1, 1, 1, 1, 1, 1), (4, 1, 0, 0, 0, 0), (3, 2, 1, 0, 0, 0)]
)
def test_exact_is_what_counting_all_throws_gives(counts: tuple[int, ...]) -> None:
    dice = sum(counts)
    every = Counter(tuple(map(throw.count, range(FACES))) for throw in product(range(FACES), repeat=dice))
    total = sum(n for n in every.values() if n <= every[counts]) / FACES**dice
    assert exact(counts) == pytest.approx(total)


@pytest.mark.parametrize(
    ("x", "p"), [(11.0705, 0.05), (15.0863, 0.01), (1.6103, 0.9), (20.515, 0.001), (0.0, 1.0)]
)
def test_the_chi_square_of_the_tables(x: float, p: float) -> None:
    assert survival(x) == pytest.approx(p, rel=2e-4)


def test_both_tests_agree_where_they_meet() -> None:
    chance = random.Random(1)
    for _ in range(20):
        counts = Counter(chance.choices(range(FACES), k=EXACT))
        faces = [counts[face] for face in range(FACES)]
        assert exact(faces) == pytest.approx(chi_square(faces), abs=0.06)


def test_all_chances_add_up_to_one() -> None:
    even = [EXACT // FACES] * FACES
    assert exact(even) == pytest.approx(1.0)


def thrown(dice: int, weights: list[float], seed: int) -> list[int]:
    chances = np.array(weights) / sum(weights)
    return [int(count) for count in np.random.default_rng(seed).multinomial(dice, chances)]


def test_before_there_are_enough_nothing_is_said() -> None:
    assert honesty([0] * 6).verdict == "few"
    assert honesty([ENOUGH - 1, 0, 0, 0, 0, 0]).verdict == "few"


def test_few_dice_are_judged_by_counting() -> None:
    """Pearson's test would say the contrary of both."""
    assert honesty([18, 3, 3, 2, 2, 2]).verdict == "odd"
    assert honesty([10, 10, 10, 0, 0, 0]).verdict == "unfair"


@pytest.mark.parametrize("dice", [40, 312, 5000])
def test_fair_dice_look_fair(dice: int) -> None:
    verdicts = Counter(honesty(thrown(dice, [1] * 6, seed)).verdict for seed in range(300))
    assert verdicts["unfair"] == 0 and verdicts["odd"] <= 12 and verdicts["fair"] >= 288


def test_a_loaded_die_is_found_and_its_face_named() -> None:
    found = honesty(thrown(400, [1, 1, 1, 1, 1, 2], 3))
    assert (found.verdict, found.strange, found.often) == ("unfair", 6, True)
    rare = honesty(thrown(600, [0.2, 1, 1, 1, 1, 1], 3))
    assert (rare.verdict, rare.strange, rare.often) == ("unfair", 1, False)


def test_whoever_looks_after_every_die_is_hardly_ever_misled() -> None:
    """Three doublings of fair dice, by 20,000 people: 0.00005 of all are misled by each."""
    chance, people, first, last = np.random.default_rng(1), 20_000, 61, 488
    limit = bisect(range(1000), -UNFAIR, key=lambda tenths: -survival(tenths / 10)) / 10
    counts, misled = np.zeros((people, FACES), np.int32), np.zeros(people, bool)
    for dice in range(1, last + 1):
        counts[np.arange(people), chance.integers(0, FACES, people)] += 1
        if dice >= first:
            misled |= (counts**2).sum(axis=1) * FACES / dice - dice > limit
    assert misled.sum() < 3 * 0.00005 * people * 2


def test_p_is_spread_evenly_for_fair_dice() -> None:
    ps = sorted(honesty(thrown(1000, [1] * 6, seed)).p for seed in range(400))
    assert max(abs(p - (i + 0.5) / 400) for i, p in enumerate(ps)) < 1.63 / math.sqrt(400)  # Kolmogorov, 1 %
