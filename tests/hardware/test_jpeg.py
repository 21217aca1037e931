"""Cutting a stream of JPEG pictures, and reading sizes, on real and on broken bytes."""

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hardware.camera.jpeg import JpegSplitter

NOISE = np.random.default_rng(7).integers(0, 256, (40, 56, 3), np.uint8)


def jpeg(value: int) -> bytes:
    return cv2.imencode(".jpg", NOISE // 2 + np.uint8(value))[1].tobytes()


def with_thumbnail(plain: bytes, thumbnail: bytes) -> bytes:
    """A picture that carries another, whole one in its head, as cameras write them."""
    size = len(thumbnail) + 2
    return plain[:2] + b"\xff\xe1" + bytes((size >> 8, size & 255)) + thumbnail + plain[2:]


PICTURES = [jpeg(10), with_thumbnail(jpeg(20), jpeg(1)), jpeg(30)]


def fed(data: bytes, sizes: list[int]) -> list[bytes]:
    """Feed it in pieces of these sizes, over and over."""
    splitter, found, at, turn = JpegSplitter(), [], 0, 0
    while at < len(data):
        size = sizes[turn % len(sizes)]
        found += splitter.feed(data[at : at + size])
        at, turn = at + size, turn + 1
    return found


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=20))
def test_pictures_are_found_however_the_pipe_cuts_them(sizes: list[int]) -> None:
    assert fed(b"".join(PICTURES), sizes) == PICTURES


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=5), st.integers(1, 3000))
def test_a_stream_that_begins_in_the_middle_is_found_into(sizes: list[int], cut: int) -> None:
    data = jpeg(5)[min(cut, len(jpeg(5)) - 1) :] + b"".join(PICTURES)
    assert fed(data, sizes)[-2:] == PICTURES[-2:]


@given(st.binary(max_size=400))
def test_garbage_is_no_picture_and_harms_nothing(garbage: bytes) -> None:
    found = JpegSplitter().feed(garbage)
    assert all(len(picture) < len(garbage) + 1 for picture in found)


def test_garbage_does_not_grow_without_end() -> None:
    splitter = JpegSplitter()
    head = jpeg(1)[: jpeg(1).index(b"\xff\xda") + 20]
    assert splitter.feed(head + bytes(17 << 20)) == []
    assert splitter.feed(PICTURES[0]) == [PICTURES[0]]
