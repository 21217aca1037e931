"""What the network sees in looks at dice that were taught: the same in every turn, whatever else is asked."""

import numpy as np
import pytest

from companion.eye.sign import BATCH, seen_in
from companion.eye.taught import ANGLES, RINGS, Looks


def some(count: int) -> Looks:
    return np.random.default_rng(count).normal(0, 1, (count, 3, RINGS, ANGLES)).astype(np.float32)


@pytest.mark.parametrize("count", [1, BATCH, BATCH + 1, 3 * BATCH - 1])
def test_each_look_has_an_answer_of_its_own(count: int) -> None:
    answers = seen_in(some(count))
    assert answers.shape[0] == count and answers.shape[2] == ANGLES
    assert (answers**2).sum(axis=(1, 2)) == pytest.approx(np.ones(count), abs=1e-3)
    for number in range(count):
        assert seen_in(some(count)[number : number + 1])[0] == pytest.approx(answers[number], abs=1e-5)


@pytest.mark.parametrize("turn", [1, 17, ANGLES // 2, ANGLES - 1])
def test_what_is_turned_looks_the_same_turned(turn: int) -> None:
    looks = some(3)
    turned = seen_in(np.roll(looks, turn, axis=-1))
    assert turned == pytest.approx(np.roll(seen_in(looks), turn, axis=-1), abs=1e-5)


def test_what_shows_nothing_at_all_is_no_error() -> None:
    assert np.isfinite(seen_in(np.zeros((2, 3, RINGS, ANGLES), np.float32))).all()
