"""How often the learned eye looks at a frame, and how finely."""

from collections.abc import Iterator

import numpy as np
import pytest

from companion.eye import network
from companion.eye.network import COARSE, FINE, Found, Image, find


@pytest.mark.parametrize(
    ("size", "sure", "looks"),
    [
        (30.0, 0.65, [COARSE, FINE]),  # small, and as sure as what is told: more may have been overlooked
        (30.0, 0.5, [COARSE]),  # nothing to speak of
        (60.0, 0.95, [COARSE]),  # large dice were all seen
    ],
)
def test_where_a_small_die_surely_lies_the_whole_is_looked_at_more_finely(
    monkeypatch: pytest.MonkeyPatch, size: float, sure: float, looks: list[int]
) -> None:
    seen: list[int] = []
    box = (100.0, 100.0, 100.0 + size, 100.0 + size)
    die = Found((100 + size / 2,) * 2, box, sure, np.eye(12, dtype=np.float32)[0], sure)

    def coarse(_: Image, side: int) -> Iterator[Found]:
        seen.append(side)
        yield die

    monkeypatch.setattr(network, "_coarse", coarse)
    monkeypatch.setattr(network, "_close", lambda _, dice: iter(dice))
    assert find(np.zeros((480, 640, 3), np.uint8)) == [die]
    assert seen == looks
