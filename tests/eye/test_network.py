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
    monkeypatch.setattr(network, "closely", lambda _, dice: iter(dice))
    assert find(np.zeros((480, 640, 3), np.uint8)) == [die]
    assert seen == looks


@pytest.mark.parametrize(
    ("size", "sure", "found"),
    [
        (140.0, 0.55, [60, 60, 60]),
        (80.0, 0.55, [60, 60, 80]),
        (140.0, 0.13, [60, 60, 60]),  # so faint that else it is passed over
        (80.0, 0.13, [60, 60]),
    ],
)
def test_what_is_much_larger_than_the_certain_dice_is_looked_at_as_if_it_were_one_of_them(
    monkeypatch: pytest.MonkeyPatch, size: float, sure: float, found: list[int]
) -> None:
    """A die alone on a wide floor may be taken for the one pip of a large die."""

    def lying(x: float, size: float, sure: float) -> Found:
        box = (x - size / 2, 200 - size / 2, x + size / 2, 200 + size / 2)
        return Found((x, 200.0), box, sure, np.eye(12, dtype=np.float32)[0], sure)

    dice = [lying(100, 60, 0.9), lying(250, 60, 0.8), lying(450, size, sure)]

    def closely(_: Image, seen: list[Found]) -> Iterator[Found]:
        """The third is one of the usual size, of which this look is surer."""
        return (lying(die.centre[0], die.size, 0.85 if die.size == 60 else die.sure) for die in seen)

    monkeypatch.setattr(network, "_coarse", lambda *_: iter(dice))
    monkeypatch.setattr(network, "closely", closely)
    dice = sorted(find(np.zeros((480, 640, 3), np.uint8)), key=lambda die: die.centre[0])
    assert [die.size for die in dice] == found
