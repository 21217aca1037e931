"""Dice, dominoes and coins drawn with OpenCV: flat faces from anywhere above, smoothed as a lens does."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from companion.eye import read
from companion.eye.network import COARSE, FINER, Found
from companion.eye.read import OF_PICTURES, OF_THROWS, Effort, look
from companion.eye.train.artwork import PIPS
from tests.eye.lying import PIECES

reader = import_module("companion.eye.read")  # the package has a function of this name
Image = NDArray[np.uint8]
BGR = tuple[int, int, int]

WHITE, BLACK, RED, YELLOW, GREEN, BLUE = (
    (235, 240, 240), (30, 28, 28), (40, 30, 190), (30, 200, 230), (60, 150, 40), (170, 80, 30),
)  # fmt: skip
TABLE: BGR = (70, 105, 130)
FINE = 4  # drawn this many times larger, then scaled down


@dataclass(frozen=True)
class Drawn:
    """One die: side and place in pixels, turned by degrees."""

    face: int
    at: tuple[float, float]
    side: float = 60
    turn: float = 20
    body: BGR = WHITE
    pips: BGR = BLACK


@dataclass(frozen=True)
class Scene:
    """A table with dice, `tilt` degrees from straight above."""

    dice: Sequence[Drawn] = ()
    size: tuple[int, int] = (640, 480)
    table: BGR = TABLE
    tilt: float = 0.0


def draw(scene: Scene) -> Image:
    """The scene as a BGR frame."""
    width, height = scene.size
    flat = np.empty((height * FINE, width * FINE, 3), np.uint8)
    frame = np.asarray(cv2.rectangle(flat, (0, 0), flat.shape[1::-1], scene.table, cv2.FILLED), np.uint8)
    for die in scene.dice:
        _draw_die(frame, die, np.cos(np.radians(scene.tilt)))
    small = cv2.resize(frame, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.uint8)


def _draw_die(frame: Image, die: Drawn, squash: float) -> None:
    a = np.radians(die.turn)
    axes = np.array([[1, 0], [0, squash]]) @ np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    if squash < 1:  # the side that looks at the camera
        _fill(frame, die, axes, _rounded(1.0), shade=0.6, down=np.sqrt(1 - squash**2))
    _fill(frame, die, axes, _rounded(1.0), shade=1.0)
    circle = np.stack([np.cos(np.linspace(0, 6.28, 40)), np.sin(np.linspace(0, 6.28, 40))], 1) * 0.2
    for u, v in PIPS[die.face]:
        _fill(frame, die, axes, circle + np.array([u, v]) * 0.5, 1.0, paint=die.pips)


def _rounded(half: float, radius: float = 0.3) -> NDArray[np.float64]:
    quarter = np.linspace(0, np.pi / 2, 8)
    corners = []
    for k, (x, y) in enumerate([(1, 1), (-1, 1), (-1, -1), (1, -1)]):
        a = quarter + k * np.pi / 2
        corners.append(np.array([x, y]) * (half - radius) + radius * np.stack([np.cos(a), np.sin(a)], 1))
    return np.concatenate(corners)


def _fill(
    frame: Image, die: Drawn, axes: NDArray[np.float64], outline: NDArray[np.float64], shade: float,
    down: float = 0.0, paint: BGR | None = None,
) -> None:  # fmt: skip
    points = np.array(die.at) + outline @ axes.T * die.side / 2
    if down:
        both = np.concatenate([points, points + np.array([0, die.side * down])])
        points = np.asarray(cv2.convexHull(both.astype(np.float32)), np.float64)[:, 0]
    colour = [channel * shade for channel in (paint or die.body)]
    cv2.fillPoly(frame, [np.rint(points * FINE).astype(np.int32)], colour)


FACES = range(1, 7)
THROWS = Path(__file__).parent / "throws"
ROW = [(80, 130), (240, 110), (420, 140), (100, 330), (270, 350), (450, 320)]


def faces(frame: Image) -> list[int]:
    return sorted(die.face for die in read(frame))


def six(
    side: float = 60, turn: float = 20, body: tuple[int, int, int] = WHITE, pips: tuple[int, int, int] = BLACK
) -> list[Drawn]:
    return [Drawn(face, at, side, turn + 37 * face, body, pips) for face, at in zip(FACES, ROW, strict=True)]


@pytest.mark.parametrize(
    ("body", "pips"),
    [
        (WHITE, BLACK),
        (BLACK, WHITE),
        (RED, WHITE),
        (YELLOW, BLACK),
        (GREEN, WHITE),
        (BLUE, WHITE),
        (WHITE, RED),
        (WHITE, BLUE),
    ],
)
def test_all_faces_in_either_polarity_and_any_colour(
    body: tuple[int, int, int], pips: tuple[int, int, int]
) -> None:
    assert faces(draw(Scene(six(body=body, pips=pips)))) == list(FACES)


@pytest.mark.parametrize("turn", range(0, 90, 15))
def test_all_faces_at_any_angle(turn: float) -> None:
    dice = [Drawn(face, at, turn=turn) for face, at in zip(FACES, ROW, strict=True)]
    assert faces(draw(Scene(dice))) == list(FACES)


@pytest.mark.parametrize("tilt", [0, 15, 30, 45])
def test_side_faces_do_not_count_when_seen_obliquely(tilt: float) -> None:
    assert faces(draw(Scene(six(), tilt=tilt))) == list(FACES)


@pytest.mark.parametrize("side", [32, 40, 80, 120, 200])
def test_all_faces_in_any_size(side: float) -> None:
    for face in FACES:
        assert faces(draw(Scene([Drawn(face, (320, 240), side)]))) == [face]


@pytest.mark.parametrize("side", [18, 20])
def test_small_dice_beside_each_other_are_all_found(side: float) -> None:
    bodies = [(WHITE, BLACK), (BLACK, WHITE), ((30, 25, 110), WHITE)]
    dice = [
        Drawn(i % 6 + 1, (150 + 1.3 * side * (i % 5), 150 + 1.3 * side * (i // 5)), side, 10, *bodies[i % 3])
        for i in range(20)
    ]
    assert faces(draw(Scene(dice))) == sorted(die.face for die in dice)


@pytest.mark.parametrize("face", FACES)
def test_a_very_large_die(face: int) -> None:
    assert faces(draw(Scene([Drawn(face, (320, 240), 330)]))) == [face]


@pytest.mark.parametrize("table", [BLACK, RED, GREEN, (200, 200, 200)])
def test_any_table(table: tuple[int, int, int]) -> None:
    assert faces(draw(Scene(six(), table=table))) == list(FACES)


@pytest.mark.parametrize(("left", "right"), list(product([1, 4, 5, 6], [2, 3, 6])))
def test_touching_dice_stay_two(left: int, right: int) -> None:
    dice = [Drawn(left, (250, 240), turn=0), Drawn(right, (312, 240), turn=0)]
    assert faces(draw(Scene(dice))) == sorted([left, right])


def test_a_shadow_over_half_of_the_table_changes_nothing() -> None:
    frame = draw(Scene(six()))
    light = np.where(np.arange(640) < 330, 0.35, 1.0)
    light = cv2.blur(light[None, :], (41, 1))[0]
    assert faces((frame * light[None, :, None]).astype(np.uint8)) == list(FACES)


@pytest.mark.parametrize("body", [WHITE, RED, BLACK])
@pytest.mark.parametrize("left", [0.3, 0.15])
def test_in_weak_light_dice_are_read_as_in_good_light(left: float, body: tuple[int, int, int]) -> None:
    bright = draw(Scene(six(body=body, pips=BLACK if body == WHITE else WHITE)))
    grain = np.random.default_rng(1).normal(0, 4, bright.shape)
    assert faces(np.clip(bright * left + grain, 0, 255).astype(np.uint8)) == list(FACES)


@pytest.mark.parametrize("noise", [1, 3, 6])
def test_in_the_dark_there_are_no_dice(noise: int) -> None:
    grain = np.random.default_rng(noise).normal(6, noise, (480, 640, 3))
    assert not faces(np.clip(grain, 0, 255).astype(np.uint8))


def test_a_rough_table_is_no_die() -> None:
    frame = draw(Scene(six()))
    table = (np.abs(frame.astype(int) - TABLE).max(axis=2) < 12)[:, :, None]
    noise = np.random.default_rng(3).normal(0, 75, frame.shape[:2])
    grain = np.asarray(cv2.GaussianBlur(noise, (5, 5), 0))[:, :, None]
    rough = np.where(table, frame + grain, frame).clip(0, 255).astype(np.uint8)
    assert faces(rough) == list(FACES)


def test_how_much_of_a_face_is_so_bright_that_it_may_hide_pips() -> None:
    frame = draw(Scene([Drawn(5, (300, 200), 80, 0, RED, BLACK)]))
    found = Found((300.0, 200.0), (260.0, 160.0, 340.0, 240.0), 0.9, np.eye(12, dtype=np.float32)[4])
    assert reader.as_die(frame, found, 5).glare < 0.01
    frame[180:200, 280:320] = 255  # where a lamp is mirrored
    whole = 9 * 19  # samples lie in 20 x 40 of the 49 x 49 pixels of the middle
    assert reader.as_die(frame, found, 5).glare == pytest.approx(whole / 24**2)


def test_where_a_die_lies_and_what_colour_it_has() -> None:
    (die,) = read(draw(Scene([Drawn(5, (300, 200), 80, 0, RED, WHITE)])))
    assert die.center == pytest.approx((300, 200), abs=3)
    assert die.box == pytest.approx((260, 160, 340, 240), abs=8)
    assert die.colour == "red"
    assert die.confidence > 0.7


@pytest.mark.parametrize(
    ("body", "name"),
    [(WHITE, "white"), (BLACK, "black"), (RED, "red"), (YELLOW, "yellow"), (GREEN, "green"), (BLUE, "blue")],
)
def test_colours_are_named(body: tuple[int, int, int], name: str) -> None:
    pips = BLACK if body in (WHITE, YELLOW) else WHITE
    assert {die.colour for die in read(draw(Scene(six(body=body, pips=pips))))} == {name}


@pytest.mark.parametrize("light", [(255, 205, 150), (150, 200, 240)], ids=["sky", "lamp"])
def test_white_dice_are_white_in_the_light_of_the_sky_and_of_lamps(light: tuple[int, int, int]) -> None:
    shone_on = draw(Scene(six(body=WHITE, pips=BLACK))) * (np.array(light) / 255)
    assert {die.colour for die in read(shone_on.astype(np.uint8))} == {"white"}


@pytest.mark.parametrize("blue", [BLUE, (230, 180, 130)])
def test_blue_dice_have_light_pips(blue: tuple[int, int, int]) -> None:
    assert {die.colour for die in read(draw(Scene(six(body=blue, pips=WHITE))))} == {"blue"}


def test_dice_come_from_left_to_right() -> None:
    centres = [die.center for die in read(draw(Scene(six())))]
    assert centres == sorted(centres)


def domino(one: int, other: int) -> Image:
    """Two faces on one body with a line between."""
    frame = draw(Scene())
    cv2.rectangle(frame, (250, 180), (310, 300), WHITE, cv2.FILLED)
    cv2.line(frame, (258, 240), (302, 240), BLACK, 2)
    for face, y in ((one, 210), (other, 270)):
        for u, v in PIPS[face]:
            cv2.circle(frame, (280 + 14 * u, y + 12 * v), 6, BLACK, cv2.FILLED, cv2.LINE_AA)
    return frame


@pytest.mark.parametrize(("one", "other"), [(1, 4), (4, 4), (1, 1)])
def test_dominoes_are_no_dice(one: int, other: int) -> None:
    assert read(domino(one, other)) == ()


def test_coins_are_no_dice() -> None:
    frame = draw(Scene())
    for x, y in ROW:
        cv2.circle(frame, (x, y), 40, (60, 150, 190), cv2.FILLED, cv2.LINE_AA)
        cv2.circle(frame, (x, y), 34, (50, 130, 170), 2, cv2.LINE_AA)
        cv2.putText(
            frame, "20", (x - 22, y + 12), cv2.FONT_HERSHEY_DUPLEX, 1.1, (40, 110, 150), 2, cv2.LINE_AA
        )
    assert read(frame) == ()


def test_round_spots_on_the_table_are_no_dice() -> None:
    frame = draw(Scene())
    for x, y in ROW:
        cv2.circle(frame, (x, y), 9, BLACK, cv2.FILLED, cv2.LINE_AA)
    assert read(frame) == ()


def test_huge_frames_are_read_in_their_own_pixels() -> None:
    frame = np.full((3000, 4000, 3), TABLE, np.uint8)
    frame[1000:1480, 1500:2140] = draw(Scene([Drawn(5, (320, 240), 120)]))
    (die,) = read(frame)
    assert die.face == 5
    assert die.center == pytest.approx((1820, 1240), abs=7)


def test_the_frame_is_left_as_it_was() -> None:
    frame = draw(Scene(six()))
    before = frame.copy()
    read(frame)
    assert np.array_equal(frame, before)


def test_frames_may_be_read_only_and_not_contiguous() -> None:
    frame = draw(Scene(six()))[:, ::-1]
    frame.flags.writeable = False
    assert faces(frame) == list(FACES)


@settings(max_examples=20)
@given(
    st.permutations(ROW),
    st.lists(st.integers(1, 6), min_size=1, max_size=6),
    st.integers(0, 89),
    st.sampled_from([40, 60, 90]),
)
def test_turning_the_frame_changes_no_face(
    places: list[tuple[int, int]], values: list[int], turn: int, side: int
) -> None:
    dice = [
        Drawn(face, at, side, turn + 31 * k) for k, (face, at) in enumerate(zip(values, places, strict=False))
    ]
    frame = draw(Scene(dice))
    for turned in (frame, np.rot90(frame), np.rot90(frame, 2), frame[:, ::-1]):
        assert faces(np.ascontiguousarray(turned)) == sorted(values)


def recorded(name: str, noise: int | None = None) -> Image:
    """A rendered throw, perhaps with noise of some seed."""
    frame = cv2.imread(str(THROWS / name), cv2.IMREAD_COLOR)
    assert frame is not None
    grain = 0.0 if noise is None else np.random.default_rng(noise).normal(0, 2.0, frame.shape)
    return np.asarray(np.clip(frame + grain, 0, 255), np.uint8)


def test_two_dice_side_by_side_that_look_like_one_from_afar_are_told_apart_in_a_throw() -> None:
    """Three black glittering ones, two of which look like a two."""
    sight = look(recorded("three-ones.jpg"))
    seen = [die for die in (*sight.dice, *sight.doubts) if die.face == 1]
    for x, y in ((456, 339), (493, 354), (533, 397)):
        assert sum(np.hypot(die.center[0] - x, die.center[1] - y) < 10 for die in seen) == 1


@pytest.mark.parametrize("noise", range(4))
def test_a_part_of_a_die_does_not_hide_the_whole(noise: int) -> None:
    """A pip of a marbled two, with what is pale around it, looks like a one."""
    found = look(recorded("marbled-two.jpg", noise)).found
    assert any(np.hypot(each.centre[0] - 395, each.centre[1] - 250) < 12 and each.size > 80 for each in found)


@pytest.mark.parametrize("noise", range(3))
def test_a_two_through_which_a_five_is_seen_is_a_two(noise: int) -> None:
    """Below the upper face of a clear die lies a five, fainter."""
    (die,) = look(recorded("clear-two.jpg", noise)).dice
    assert die.face == 2 and die.faces[1] > 0.95


@pytest.mark.parametrize("noise", range(3))
def test_through_clear_dice_fainter_pips_of_other_sides_do_not_count(noise: int) -> None:
    """Two ones over sixes, and a four over a three: together they look like sixes and a five."""
    sight = look(recorded("clear-dice.jpg", noise))
    assert sorted(die.face for die in (*sight.dice, *sight.doubts)) == [1, 1, 4]


@pytest.mark.parametrize("noise", range(3))
def test_a_large_single_pip_is_one_beside_dice_of_its_set(noise: int) -> None:
    """The networks take it for a sign."""
    sight = look(recorded("large-one.jpg", noise))
    assert [(die.face, die.known) for die in sight.dice] == [(2, True), (1, True), (3, True)]


@pytest.mark.parametrize("picture", ["0", "7"])
def test_a_die_that_fills_the_picture_is_read_and_not_its_pips(picture: str) -> None:
    """From so near the network sees it as a whole only from farther away."""
    frame = cv2.imread(str(PIECES / f"{picture}.jpg"))
    assert frame is not None
    dice = read(np.asarray(frame, np.uint8))
    assert len(dice) >= 6
    for die in dice:
        edge = 0.06 * (die.box[2] - die.box[0])
        ends = zip(die.box, (-edge, -edge, edge, edge), strict=True)
        x0, y0, x1, y1 = (max(0, int(end + by)) for end, by in ends)
        larger = 480 / (y1 - y0)
        part = frame[y0:y1, x0:x1]
        near = cv2.resize(part, None, fx=larger, fy=larger, interpolation=cv2.INTER_CUBIC)
        assert [each.face for each in read(np.asarray(near, np.uint8))] == [die.face]


def test_dice_that_take_little_of_a_large_picture_are_read() -> None:
    """As a table shows them that somebody has photographed from where they stood."""
    near = np.asarray(cv2.imread(str(PIECES / "0.jpg")), np.uint8)
    dice = read(near)
    smaller = 30 / np.median([die.width for die in dice])
    part = cv2.resize(near, None, fx=smaller, fy=smaller, interpolation=cv2.INTER_AREA)
    frame = np.full((1500, 2000, 3), np.median(near, axis=(0, 1)), np.uint8)
    frame[200 : 200 + part.shape[0], 300 : 300 + part.shape[1]] = part
    assert faces(frame) == sorted(die.face for die in dice)


@pytest.mark.parametrize(
    ("size", "effort", "again"),
    [((960, 1280), OF_PICTURES, True), ((480, 640), OF_PICTURES, False), ((960, 1280), OF_THROWS, False)],
)
def test_where_no_dice_are_seen_tiny_ones_are_looked_for_if_they_could_be_read_and_time_is(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], effort: Effort, again: bool
) -> None:
    sides = []

    def none(_: Image, side: int = COARSE, *, finer: bool = False) -> list[Found]:
        sides.append(side)
        return []

    monkeypatch.setattr(reader, "find", none)
    assert look(np.full((*size, 3), TABLE, np.uint8), effort).dice == ()
    assert sides == [COARSE, FINER][: 1 + again]


@pytest.mark.parametrize(
    ("apart", "long", "told"),
    [(0.5, False, [1]), (0.65, False, [1, 6]), (0.5, True, [1, 6])],
    ids=["within each other", "in a heap", "a cuboid and what lies beside it"],
)
def test_two_dice_cannot_lie_within_each_other(
    monkeypatch: pytest.MonkeyPatch, apart: float, long: bool, told: list[int]
) -> None:
    def seen(x: float, face: int, heat: float) -> Found:
        return Found((x, 100.0), (x - 30, 70, x + 30, 130), heat, np.eye(12, dtype=np.float32)[face - 1])

    def cuboid(*_: object) -> tuple[float, ...]:
        return (0.4, *[0.0] * 7, 0.6, *[0.0] * 4)

    one, other = seen(100, 1, 0.95), seen(100 + 60 * apart, 6, 0.9)
    monkeypatch.setattr(reader, "_found", lambda *_: [other, one])
    if long:
        monkeypatch.setattr(reader, "opinion", cuboid)
        one = replace(one, heat=0.5)  # so the second network is asked
    assert [die.face for die in read(np.full((200, 300, 3), TABLE, np.uint8))] == told


@pytest.mark.parametrize("picture", ["0", "5", "6"])
def test_in_weak_light_colours_are_still_told_apart(picture: str) -> None:
    frame = np.asarray(cv2.imread(str(PIECES / f"{picture}.jpg")), np.uint8)
    dim = (frame * 0.2).astype(np.uint8)
    assert [die.colour for die in read(dim)] == [die.colour for die in read(frame)]
