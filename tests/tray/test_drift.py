"""The tray moves, or the light changes: it is noticed when it lasts, and said until it is over."""

from pathlib import Path

import numpy as np
import pytest

from companion.tray.drift import EVERY, LASTING, Drift, DriftWatch, compare, keep, kept, small
from tests.tray.scene import QUAD, Image, Quad, seen, tray


def moved(by: float) -> Quad:
    return [(x + by, y + by / 2) for x, y in QUAD]


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize(
    ("by", "drift"), [(0, None), (2, None), (9, Drift.MOVED), (30, Drift.MOVED), (90, Drift.MOVED)]
)
def test_a_tray_that_has_moved(by: float, drift: Drift | None, plain: bool) -> None:
    before = small(seen(plain=plain))
    assert compare(before, small(seen(moved(by), plain=plain, noise=2)), tray()) is drift


def test_dice_in_it_and_a_hand_over_two_corners_are_no_move_of_the_tray() -> None:
    frame = seen(noise=2)
    frame[200:260, 200:260] = 240
    frame[330:480, 380:640] = (120, 150, 200)
    assert compare(small(seen()), small(frame), tray()) is None


@pytest.mark.parametrize(("factor", "drift"), [(0.85, None), (1.15, None), (0.5, Drift.LIGHT)])
def test_another_light(factor: float, drift: Drift | None) -> None:
    frame = np.clip(seen() * factor, 0, 255).astype(np.uint8)
    assert compare(small(seen()), small(frame), tray()) is drift


def test_a_camera_that_delivers_another_shape_shows_the_tray_elsewhere() -> None:
    assert compare(small(seen()), small(seen(size=(640, 360))), tray()) is Drift.MOVED


def watched(frames: list[Image]) -> list[Drift | None]:
    """The verdicts, one after the other."""
    watch = DriftWatch(small(seen()), tray())
    return [watch.verdict for number, frame in enumerate(frames) if watch.see(frame, 100 + EVERY * number)]


def test_what_lasts_is_said_until_it_is_over_and_what_passes_is_not() -> None:
    there, gone = seen(noise=3), seen(moved(40))
    assert watched([there, *[gone] * (LASTING - 1), there]) == []
    assert watched([there, *[gone] * 4 * LASTING]) == [Drift.MOVED]
    assert watched([*[gone] * LASTING, *[there] * (LASTING - 1), gone]) == [Drift.MOVED]
    back = [*[gone] * LASTING, *[there] * LASTING]
    assert watched([*back, *back]) == [Drift.MOVED, None] * 2


def test_of_the_light_is_said_once_that_it_has_changed() -> None:
    """Clouds come and go."""
    there, dim = seen(noise=3), np.clip(seen() * 0.5, 0, 255).astype(np.uint8)
    assert watched([*[dim] * LASTING, *[there] * LASTING] * 3) == [Drift.LIGHT]
    gone = seen(moved(40))
    assert watched([*[dim] * LASTING, *[gone] * LASTING]) == [Drift.LIGHT, Drift.MOVED]


@pytest.mark.parametrize("level", [0, 6, 180, 255])
def test_under_a_lid_or_a_sheet_of_paper_nobody_can_tell(level: int) -> None:
    """Nor whether it was put back."""
    lid, gone = np.full_like(seen(), level), seen(moved(40))
    assert watched([lid] * 2 * LASTING) == []
    assert watched([*[gone] * LASTING, *[lid] * 2 * LASTING]) == [Drift.MOVED]


def test_it_looks_now_and_then() -> None:
    watch, gone = DriftWatch(small(seen()), tray()), seen(moved(40))
    assert not any(watch.see(gone, 100 + 0.1 * n) for n in range(30))


def test_the_picture_is_kept_and_a_damaged_one_is_none(tmp_path: Path) -> None:
    file = tmp_path / "data" / "tray.png"
    assert kept(file) is None
    keep(file, seen())
    again = kept(file)
    assert again is not None and np.array_equal(again, small(seen()))
    file.write_bytes(b"nothing")
    assert kept(file) is None
    file.write_bytes(b"")
    assert kept(file) is None


def test_a_camera_that_has_begun_to_deliver_another_shape_is_said() -> None:
    assert watched([seen(size=(640, 360))] * LASTING) == [Drift.MOVED]
