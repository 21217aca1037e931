"""How often the learned eye looks at a frame, how finely, and from which sides."""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import pytest

from companion.eye import network
from companion.eye.network import COARSE, FINE, FINER, FINEST, Float, Found, Image, Wholes, find
from tests.eye.lying import picture

FAR = COARSE // 2
EMPTY = np.zeros((480, 640, 3), np.uint8)


def lying(x: float, size: float, sure: float) -> Found:
    """A one at (x, 200)."""
    box = (x - size / 2, 200 - size / 2, x + size / 2, 200 + size / 2)
    return Found((x, 200.0), box, sure, np.eye(12, dtype=np.float32)[0], sure)


@pytest.fixture
def looks() -> list[tuple[int, bool]]:
    """How the frame was looked at as a whole: how long it was, and whether in a mirror, too."""
    return []


def show(
    monkeypatch: pytest.MonkeyPatch, looks: list[tuple[int, bool]], *dice: Found, finer: Sequence[Found] = ()
) -> None:
    """Let every look at the whole find these, the finer one some more, and the close ones the same."""

    def coarse(_: Image, side: int, direct: Wholes, mirror: bool) -> Iterator[Found]:
        looks.append((side, mirror))
        return iter([*dice, *finer] if side == FINE else dice)

    monkeypatch.setattr(network, "_coarse", coarse)
    monkeypatch.setattr(network, "closely", lambda _, seen, mirror: iter(seen))


@pytest.mark.parametrize(
    ("size", "sure", "fine"),
    [
        (30.0, 0.65, [FINE]),  # small, and as sure as what is told: more may have been overlooked
        (18.0, 0.65, [FINE, FINER]),
        (12.0, 0.65, [FINE, FINER, FINEST]),
        (30.0, 0.5, []),  # nothing to speak of
        (60.0, 0.95, []),  # large dice were all seen
    ],
)
def test_where_a_small_die_surely_lies_the_whole_is_looked_at_more_finely(
    monkeypatch: pytest.MonkeyPatch, looks: list[tuple[int, bool]], size: float, sure: float, fine: list[int]
) -> None:
    show(monkeypatch, looks, lying(400, 60, 0.95), lying(100, size, sure))
    assert [die.centre[0] for die in find(EMPTY)] == [400, 100]
    assert looks == [(side, False) for side in (COARSE, *fine)]


def test_what_was_looked_at_finely_is_not_looked_at_more_coarsely(
    monkeypatch: pytest.MonkeyPatch, looks: list[tuple[int, bool]]
) -> None:
    show(monkeypatch, looks, lying(100, 12, 0.9))
    assert len(find(EMPTY, FINER)) == 1
    assert looks == [(FINER, False), (FINEST, False)]


@pytest.mark.parametrize(("other", "both"), [(0.525, True), (0.505, False)])
def test_of_near_answers_about_one_die_both_are_looked_at_closely(
    monkeypatch: pytest.MonkeyPatch, looks: list[tuple[int, bool]], other: float, both: bool
) -> None:
    """Which one is ahead the noise of a camera decides; only one of the two fits the die."""
    show(monkeypatch, looks, lying(300, 60, 0.53), lying(310, 60, other))
    seen = {300.0: lying(300, 60, 0.5), 310.0: lying(310, 60, 0.9)}
    monkeypatch.setattr(network, "closely", lambda _, first, mirror: (seen[die.centre[0]] for die in first))
    (die,) = find(EMPTY)
    assert (die.centre[0], die.heat) == ((310, 0.9) if both else (300, 0.5))


@pytest.mark.parametrize(("many", "fine"), [(5, False), (6, True)])
def test_where_many_dice_surely_lie_more_of_their_size_are_looked_for(
    monkeypatch: pytest.MonkeyPatch, looks: list[tuple[int, bool]], many: int, fine: bool
) -> None:
    dice = [lying(40 + 90 * i, 60, 0.95) for i in range(many)]
    unseen = [lying(600, 60, 0.9), lying(625, 10, 0.9)]  # one more, and a pip of it
    show(monkeypatch, looks, *dice, finer=unseen)
    assert len(find(EMPTY)) == many + fine
    assert looks == [(COARSE, False), (FINE, False)][: 1 + fine]


@pytest.mark.parametrize(
    ("dice", "again"),
    [
        ([], []),
        ([(60.0, 0.9), (60.0, 0.5)], []),
        ([(60.0, 0.9), (60.0, 0.22)], []),  # hardly a die
        ([(60.0, 0.9), (60.0, 0.3)], [(COARSE, True)]),  # perhaps one
        ([(60.0, 0.75)], [(COARSE, True)]),  # none is surely one
        ([(170.0, 0.75)], [(COARSE, True), (FAR, True)]),  # perhaps a pip
        ([(170.0, 0.9)], []),
    ],
)
def test_in_doubt_it_is_looked_at_in_a_mirror_as_well_and_what_is_large_from_farther_away(
    monkeypatch: pytest.MonkeyPatch,
    looks: list[tuple[int, bool]],
    dice: list[tuple[float, float]],
    again: list[tuple[int, bool]],
) -> None:
    show(monkeypatch, looks, *(lying(150 + 250 * i, *die) for i, die in enumerate(dice)))
    assert len(find(EMPTY)) == len(dice)
    assert looks == [(COARSE, False), *again]


def test_what_is_seen_of_the_whole_directly_is_not_looked_for_again_in_doubt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = []

    def answer(picture: Image) -> Float:
        shown.append(picture.shape[:2])
        high, wide = (side // network.STRIDE for side in picture.shape[:2])
        nothing = np.full((1, 1 + network.CLASSES + 6, high, wide), -9, np.float32)
        nothing[..., high // 2, wide // 2] = 0
        return nothing

    unsure = [lying(400, 60, 0.75)]
    monkeypatch.setattr(network, "directly", answer)
    monkeypatch.setattr(network, "_found", lambda *_: unsure[0])
    monkeypatch.setattr(network, "closely", lambda *_: iter(unsure))
    find(EMPTY)
    assert shown == [(192, 256)] * 2, "once directly, and once in a mirror"


@pytest.mark.parametrize(
    ("close", "again", "looked_at", "told"),
    [
        ((60.0, 0.6), (60.0, 0.9), [60.0], 0.6),  # what it had seemed
        ((60.0, 0.4), (100.0, 0.9), [60.0, 96.0], 0.9),  # perhaps a part of it
        (None, (100.0, 0.9), [60.0, 96.0], 0.9),
        ((60.0, 0.4), (100.0, 0.55), [60.0, 96.0], 0.4),  # not surely one even so
        ((60.0, 0.4), None, [60.0, 96.0], 0.4),
        (None, None, [60.0, 96.0], None),  # nothing at all
    ],
)
def test_what_closely_is_hardly_the_die_that_it_had_seemed_is_looked_at_as_if_it_were_larger(
    monkeypatch: pytest.MonkeyPatch,
    close: tuple[float, float] | None,
    again: tuple[float, float] | None,
    looked_at: list[float],
    told: float | None,
) -> None:
    """A six on a table of its colour may seem as small as its pips reach: then its edges are not seen."""
    sizes: list[float] = []

    def cut(_: Image, die: Found) -> tuple[Image, tuple[float, float, float]]:
        sizes.append(die.size)
        return EMPTY, (0.0, 0.0, 1.0)

    def nearest(*_: object) -> Found | None:
        seen = close if len(sizes) == 1 else again
        return lying(300, *seen) if seen else None

    monkeypatch.setattr(network, "_cut", cut)
    monkeypatch.setattr(network, "directly", lambda _: None)
    monkeypatch.setattr(network, "_nearest", nearest)
    found = [(die.heat, die.coarse) for die in network.closely(EMPTY, [lying(300, 60, 0.7)])]
    assert sizes == looked_at
    assert found == ([(told, 0.7)] if told else [])


def test_looked_at_as_something_larger_it_is_not_another_die_beside_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = iter([lying(300, 60, 0.4), lying(340, 60, 0.9)])
    monkeypatch.setattr(network, "_close", lambda *_: next(seen))
    (die,) = network.closely(EMPTY, [lying(300, 60, 0.7)])
    assert die.centre[0] == 300 and next(seen, None) is None


@pytest.mark.parametrize("size", [(640, 480), (960, 720), (1280, 720), (641, 480), (300, 200)])
def test_a_frame_made_smaller_in_two_steps_is_what_it_is_in_one(size: tuple[int, int]) -> None:
    frame = np.asarray(cv2.resize(picture("5.jpg"), size), np.uint8)
    small = (256, round(256 * size[1] / size[0]))
    once = cv2.resize(frame, small, interpolation=cv2.INTER_AREA)
    twice = np.asarray(network._smaller(frame, small))
    assert twice.shape == once.shape
    assert np.abs(twice.astype(int) - once).mean() < 0.8


def test_in_a_mirror_the_same_is_seen_in_any_picture_and_its_mirrored_one() -> None:
    cut = picture("5.jpg")[:160, :240]
    said, mirrored = (network.in_a_mirror(each).mean(axis=0) for each in (cut, cut[:, ::-1]))
    heat, offset = said[0], said[1 + network.CLASSES]
    assert heat.max() > 0, "a die lies there"
    assert np.allclose(mirrored[0][:, ::-1], heat, atol=1e-4)
    assert np.allclose(-mirrored[1 + network.CLASSES][:, ::-1], offset, atol=1e-3)
    assert np.allclose(mirrored[-4:][:, :, ::-1], said[-4:][[2, 1, 0, 3]], atol=1e-3)


def test_a_tray_of_dice_is_no_die_but_what_has_pips_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def sizes(whole: float, part: float) -> list[float]:
        show(monkeypatch, [], lying(200, 200, whole), lying(140, 50, part), lying(260, 50, part))
        return [die.size for die in find(EMPTY)]

    assert sizes(0.8, 0.9) == [50, 50] and sizes(0.9, 0.8) == [200, 50, 50]


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
    dice = [lying(100, 60, 0.9), lying(250, 60, 0.8), lying(450, size, sure)]

    def close(_: Image, die: Found, mirror: bool) -> Found:
        """The third is one of the usual size, of which this look is surer."""
        return lying(die.centre[0], die.size, 0.85 if die.size == 60 else die.sure)

    monkeypatch.setattr(network, "_coarse", lambda *_: iter(dice))
    monkeypatch.setattr(network, "_close", close)
    dice = sorted(find(EMPTY), key=lambda die: die.centre[0])
    assert [die.size for die in dice] == found
