"""What counts as movement in a picture, and what is only light and noise."""

from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.eye.motion import Motion, Movement

Frame = NDArray[np.uint8]
CHANCE = np.random.default_rng(7)


def table(size: tuple[int, int] = (640, 480)) -> Frame:
    """A table with some structure and two dice."""
    noise = np.random.default_rng(1).normal(0, 12, (size[1] // 16, size[0] // 16, 3))
    image = 90 + cv2.resize(noise, size, interpolation=cv2.INTER_CUBIC)
    picture = np.clip(image, 0, 255).astype(np.uint8)
    cv2.rectangle(picture, (200, 200), (280, 280), (230, 235, 235), -1)
    return picture


@cache
def grain() -> NDArray[np.float32]:
    """Noise for pictures somewhat smaller than that."""
    return np.random.default_rng(7).standard_normal((800, 1400, 3), np.float32)


def noisy(picture: Frame, sigma: float = 4.0, gain: float = 1.0) -> Frame:
    """Another part of the noise each time."""
    high, wide = picture.shape[:2]
    top, left = CHANCE.integers(0, 80, 2)
    noise = grain()[top : top + high, left : left + wide] * np.float32(sigma)
    return np.clip(picture * np.float32(gain) + noise, 0, 255).astype(np.uint8)


def after(first: Frame, second: Frame) -> Movement:
    motion = Motion()
    motion.see(first)
    return motion.see(second)


@pytest.mark.parametrize("size", [(640, 480), (1280, 720), (320, 240), (1, 1), (33, 7)])
def test_a_still_picture_is_still_under_noise(size: tuple[int, int]) -> None:
    picture = table((640, 480)) if size == (640, 480) else cv2.resize(table(), size).astype(np.uint8)
    motion = Motion()
    assert not any(motion.see(noisy(picture)).anywhere for _ in range(30))


@pytest.mark.parametrize("gain", [0.8, 0.93, 1.1])
def test_a_lamp_that_flickers_moves_nothing(gain: float) -> None:
    assert not after(noisy(table()), noisy(table(), gain=gain)).anywhere


def test_a_dark_picture_with_noise_is_still() -> None:
    assert not after(noisy(table(), gain=0.03), noisy(table(), gain=0.03)).anywhere


@pytest.mark.parametrize(("sigma", "gain", "quality"), [(6, 0.15, 50), (9, 0.3, 70), (9, 0.15, 80)])
def test_a_dark_picture_that_a_camera_has_compressed_is_still(sigma: int, gain: float, quality: int) -> None:
    """Its blocks change more from frame to frame than the noise that made them do so."""
    still, motion = table(), Motion()
    for _ in range(30):
        packed = cv2.imencode(".jpg", noisy(still, sigma, gain), [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        assert not motion.see(np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)).anywhere


def test_a_colour_that_flickers_alone_in_the_dark_is_no_movement() -> None:
    """Compression does that: it keeps brightness better than colour."""
    first = table()
    first[300:340, 100:160] = (20, 20, 90)
    second = first.copy()
    second[300:340, 100:160, 0] = 27
    assert not after(first, second).anywhere


def test_a_blue_die_that_rolls_on_black_is_movement() -> None:
    first, second = np.zeros((480, 640, 3), np.uint8), np.zeros((480, 640, 3), np.uint8)
    first[200:240, 200:240, 0] = 160
    second[200:240, 230:270, 0] = 160
    assert after(first, second).near((200, 200, 270, 240), 0)


@pytest.mark.parametrize("width", [20, 40, 80])
def test_a_die_that_rolls_is_movement_where_it_rolls(width: int) -> None:
    first, second = table(), table()
    cv2.rectangle(first, (400, 300), (400 + width, 300 + width), (30, 30, 200), -1)
    cv2.rectangle(second, (400 + width // 2, 300), (400 + width * 3 // 2, 300 + width), (30, 30, 200), -1)
    moving = after(noisy(first), noisy(second))
    assert moving.anywhere
    assert moving.near((400, 300, 400 + width, 300 + width), 10)
    assert not moving.near((200, 200, 280, 280), 40)


def test_a_hand_that_comes_in_is_movement() -> None:
    second = table()
    cv2.ellipse(second, (600, 100), (90, 60), 30, 0, 360, (140, 170, 220), -1)
    assert after(noisy(table()), noisy(second)).near((560, 60, 620, 140), 0)


def test_a_first_picture_and_one_of_another_size_are_still() -> None:
    motion = Motion()
    assert not motion.see(table()).anywhere
    assert not motion.see(table((320, 240))).anywhere
