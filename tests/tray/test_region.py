"""Only the tray is read: dice outside do not count, those inside lie where they lie in the whole picture."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.config.document import WrongError
from companion.config.kinds import Corners
from companion.eye.dice import Die
from companion.eye.motion import Motion, Movement
from companion.eye.read import look
from companion.tray.region import WHOLE, Part, Tray
from tests.eye.table import Lies, photograph
from tests.tray.scene import QUAD, tray

CLOTH = tray(((250, 40), (620, 40), (620, 460), (250, 460)))


def die(x: float, y: float) -> Die:
    return Die(3, (x, y), (x - 30, y - 30, x + 30, y + 30), "white", 0.9)


def test_a_die_beside_the_tray_is_not_read_and_one_in_it_keeps_its_place() -> None:
    frame = photograph([Lies("1", (420, 230)), Lies("2", (110, 230))])
    part = Part(frame, CLOTH)
    inside = part.found(look(part.image).found)
    whole = look(frame).found
    assert {round(each.centre[0] / 100) for each in whole} >= {1, 4}
    assert len(inside) >= 1
    assert all(each.centre[0] > 250 for each in inside)
    there = min(inside, key=lambda each: abs(each.centre[0] - 420))
    assert abs(there.centre[0] - 420) < 8 and abs(there.centre[1] - 230) < 20


@given(x=st.floats(120, 500), y=st.floats(120, 360))
def test_what_is_read_in_the_part_lies_in_the_whole_where_it_was(x: float, y: float) -> None:
    frame = np.zeros((480, 640, 3), np.uint8)
    part = Part(frame, tray())
    height, width = part.image.shape[:2]
    frame[round(y), round(x)] = 255
    again = Part(frame, tray()).image
    row, column = np.argwhere(again[..., 0] == 255)[0]
    moved = part.dice([die(float(column), float(row))])[0]
    assert moved.center == (round(x), round(y))
    assert moved.box == (round(x) - 30, round(y) - 30, round(x) + 30, round(y) + 30)
    assert width < 640 and height < 480


def test_the_corners_of_the_part_that_do_not_belong_to_a_slanted_tray_do_not_count() -> None:
    slanted = tray(((300, 40), (600, 240), (340, 440), (40, 240)))
    part = Part(np.zeros((480, 640, 3), np.uint8), slanted)
    assert part.dice([die(20, 20)]) == ()
    assert len(part.dice([die(280, 200)])) == 1


def test_without_a_tray_everything_is_as_it_was() -> None:
    frame = photograph([Lies("1")])
    part = Part(frame, None)
    assert part.image is frame
    assert part.dice([die(5, 5)]) == (die(5, 5),)


def test_a_hand_beside_the_tray_is_no_movement() -> None:
    motion, before = Motion(), photograph([])
    hand, throw = before.copy(), before.copy()
    hand[100:300, 20:160] = 200
    throw[100:200, 400:500] = 200
    motion.see(before)
    moving = motion.see(hand)
    part = Part(hand, CLOTH)
    assert moving.anywhere and not part.movement(moving).anywhere
    motion.see(before)
    moving = motion.see(throw)
    assert part.movement(moving).near((400, 100, 500, 200), 0)
    assert not part.movement(Movement.none()).anywhere


@pytest.mark.parametrize(
    ("corners", "sound"),
    [
        (WHOLE.corners, True),
        (tray(QUAD).corners, True),
        (((0, 0), (1, 1), (1, 0), (0, 1)), False),  # crossed
        (((0, 0), (0, 1), (1, 1), (1, 0)), False),  # the wrong way round
        (((0.5, 0.5), (0.55, 0.5), (0.55, 0.55), (0.5, 0.55)), False),  # tiny
    ],
)
def test_corners_that_are_a_tray(corners: tuple[tuple[float, float], ...], sound: bool) -> None:
    a, b, c, d = corners
    assert Tray((a, b, c, d)).sound is sound


@pytest.mark.parametrize(
    "pixels",
    [
        ((125, 225), (394, 22), (589, 380), (577, 376)),
        ((68, 168), (618, 169), (518, 457), (96, 186)),
        ((71, 8), (521, 60), (362, 476), (158, 148)),
    ],
)
def test_what_is_hardly_a_corner_any_more_is_none_if_it_cannot_be_kept(
    pixels: tuple[tuple[int, int], ...],
) -> None:
    a, b, c, d = ((x / 640, y / 480) for x, y in pixels)
    found, corners = Tray((a, b, c, d)), Corners()
    assert not found.sound
    with pytest.raises(WrongError):
        corners.read(corners.write(found.numbers), plain=True)


def test_it_is_kept_as_eight_numbers() -> None:
    found = Tray.of(tray().numbers)
    assert found and np.allclose(found.corners, tray().corners, atol=1e-4)
    assert Tray.of(None) is None
