import inspect
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from companion.eye import COLOURS, Die, network, read
from companion.eye.read import look

Image = NDArray[np.uint8]


def test_noise_is_no_die() -> None:
    assert read(np.random.default_rng(1).integers(0, 256, (480, 640, 3), dtype=np.uint8)) == ()


@pytest.mark.parametrize("size", [(1, 1), (1, 500), (500, 1), (23, 23), (24, 24), (480, 640)])
def test_plain_frames_of_any_size_show_nothing(size: tuple[int, int]) -> None:
    assert read(np.zeros((*size, 3), np.uint8)) == ()
    assert read(np.full((*size, 3), 255, np.uint8)) == ()


@pytest.mark.parametrize("shape", [(480, 640), (480, 640, 1), (480, 640, 4), (0, 640, 3), (640,)])
def test_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"height, width, 3"):
        read(np.zeros(shape, np.uint8))


def test_other_types_are_refused() -> None:
    with pytest.raises(TypeError, match="uint8"):
        read(np.zeros((480, 640, 3), np.float32))


def looks_sane(die: Die, frame: Image) -> bool:
    x0, y0, x1, y1 = die.box
    x, y = die.center
    inside = 0 <= x0 <= x <= x1 < frame.shape[1] and 0 <= y0 <= y <= y1 < frame.shape[0]
    return inside and die.face in range(1, 7) and 0 <= die.confidence <= 1 and die.colour in COLOURS


@settings(max_examples=20)
@given(
    hnp.arrays(np.uint8, st.tuples(st.integers(1, 40), st.integers(1, 40), st.just(3))),
    st.integers(1, 6), st.sampled_from([cv2.INTER_NEAREST, cv2.INTER_CUBIC]),
)  # fmt: skip
def test_any_frame_is_read_without_an_error(frame: Image, times: int, how: int) -> None:
    large: Image = np.asarray(cv2.resize(frame, None, fx=times, fy=times, interpolation=how), np.uint8)
    sight = look(large)  # where hardly anything is sure, there are doubts
    assert all(looks_sane(die, large) for die in (*sight.dice, *sight.doubts))


def test_two_threads_may_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A camera that was left may still be read while another begins."""
    monkeypatch.setattr(network, "answer", inspect.unwrap(network.answer))  # not what it has said before
    frames = [
        np.random.default_rng(seed).integers(0, 256, (240, 320, 3), dtype=np.uint8) for seed in range(8)
    ]
    alone = [read(frame) for frame in frames]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(read, frames)) == alone
