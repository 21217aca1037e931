"""Pips that are counted one by one."""

import importlib
from dataclasses import replace
from math import cos, pi, sin
from unittest import mock

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.eye import pips as counting
from companion.eye.network import NO_PIPS, Found, Image
from companion.eye.pips import counted, single
from companion.eye.read import COUNTABLE, LONG, NO_DIE
from companion.eye.train.artwork import PIPS

reader = importlib.import_module("companion.eye.read")
CENTRE = (100.0, 90.0)
WIDE = 16  # parts of a pixel, as cv2 draws them


def face(
    pips: int,
    size: float = 80,
    turn: float = 0.3,
    apart: float = 0.25,
    body: tuple[int, int, int] = (200, 200, 200),
    ink: tuple[int, int, int] = (30, 30, 30),
    without: int | None = None,
    wide: float = 0.16,
) -> Image:
    """A die on a green table, seen from above; its pips are so wide and lie so far apart, and one may be
    missing.
    """
    frame = np.full((180, 200, 3), (60, 110, 60), np.uint8)
    along, across = (cos(turn), sin(turn)), (-sin(turn), cos(turn))

    def at(x: float, y: float) -> tuple[int, int]:
        return (
            round(WIDE * (CENTRE[0] + size * (x * along[0] + y * across[0]))),
            round(WIDE * (CENTRE[1] + size * (x * along[1] + y * across[1]))),
        )

    corners = np.array([at(x, y) for x, y in ((-0.45, -0.45), (0.45, -0.45), (0.45, 0.45), (-0.45, 0.45))])
    cv2.fillConvexPoly(frame, corners, body, cv2.LINE_AA, 4)
    for number, (x, y) in enumerate(PIPS[pips]):
        if number != without:
            cv2.circle(
                frame, at(x * apart, y * apart), round(WIDE * wide / 2 * size), ink, -1, cv2.LINE_AA, 4
            )
    return frame


def noisy(frame: Image, noise: int) -> Image:
    """The same with noise of so many levels."""
    grain = np.random.default_rng(noise).normal(0, noise, frame.shape)
    return np.asarray(np.clip(frame + grain, 0, 255), np.uint8)


@settings(max_examples=30)
@given(
    pips=st.integers(2, 6),
    size=st.floats(40, 100),
    turn=st.floats(0, 2 * pi),
    apart=st.floats(0.22, 0.29),
    dark=st.booleans(),
    noise=st.integers(0, 5),
)
def test_pips_that_can_be_seen_are_counted(
    pips: int, size: float, turn: float, apart: float, dark: bool, noise: int
) -> None:
    colours = ((40, 30, 30), (230, 230, 230)) if dark else ((210, 200, 190), (40, 20, 30))
    frame = noisy(face(pips, size, turn, apart, *colours), noise)
    assert counted(frame, CENTRE, size) == pips


@pytest.mark.parametrize(("pips", "apart"), [(2, 0.12), (2, 0.2), (2, 0.28), (3, 0.15), (3, 0.2), (3, 0.28)])
def test_twos_and_threes_are_counted_however_near_their_pips_lie(pips: int, apart: float) -> None:
    """Networks take them for ones if they are as near as on hardly any die."""
    assert counted(face(pips, apart=apart), CENTRE, 80) == pips


@pytest.mark.parametrize("likely", range(7))
@pytest.mark.parametrize("pips", range(2, 7))
def test_as_many_are_counted_however_many_are_likely(pips: int, likely: int) -> None:
    assert counted(face(pips), CENTRE, 80, likely) == pips


@pytest.mark.parametrize("apart", [9, 12, 16])
def test_a_pattern_of_dots_is_not_gone_through_spot_by_spot(
    monkeypatch: pytest.MonkeyPatch, apart: int
) -> None:
    """A dotted coaster beside the dice took half a minute a picture."""
    frame = np.full((480, 640, 3), 220, np.uint8)
    for y in range(0, 480, apart):
        for x in range(0, 640, apart):
            cv2.circle(frame, (x, y), apart // 4, (40, 40, 40), -1, cv2.LINE_AA)
    looked = mock.Mock(wraps=counting._about)
    monkeypatch.setattr(counting, "_about", looked)
    assert counted(frame, (320, 240), 96) == 0
    assert looked.call_count < 24 * counting.MOST**2


def test_a_single_pip_is_not_counted() -> None:
    """A lamp may hide the others."""
    assert counted(face(1), CENTRE, 80) == 0


@settings(max_examples=20)
@given(
    size=st.floats(40, 100),
    turn=st.floats(0, 2 * pi),
    wide=st.floats(0.32, 0.48),
    red=st.booleans(),
    noise=st.integers(0, 5),
)
def test_a_single_pip_that_is_large_is_seen(
    size: float, turn: float, wide: float, red: bool, noise: int
) -> None:
    ink = (40, 30, 180) if red else (40, 20, 30)
    frame = noisy(face(1, size, turn, body=(210, 200, 190), ink=ink, wide=wide), noise)
    assert single(frame, CENTRE, size)


@pytest.mark.parametrize(
    "other",
    [
        face(1),
        face(1, wide=0.24),
        face(1, wide=0.6),
        face(1, wide=0.4, body=(30, 30, 30), ink=(250, 250, 250)),
        *(face(pips, wide=0.24) for pips in range(2, 7)),
        np.full((180, 200, 3), 128, np.uint8),
    ],
    ids=["usual", "as of several", "half of a face", "light", *"23456", "none"],
)
def test_what_may_be_one_of_several_pips_or_a_lamp_is_no_single_one(other: Image) -> None:
    assert not single(other, CENTRE, 80)


@pytest.mark.parametrize(("pips", "missing"), [(2, 0), (3, 0), (4, 1), (5, 0), (6, 0), (6, 1)])
def test_where_a_pip_is_missing_nothing_is_counted(pips: int, missing: int) -> None:
    """What is left of a six lies about the middle as no other number does; so it is with the others."""
    assert counted(face(pips, without=missing), CENTRE, 80) == 0


@pytest.mark.parametrize(
    "spots",
    [
        [(-1, 0), (-0.4, 0), (0.4, 0), (1, 0)],
        [(-1, 0), (0, -0.5), (0, 0.5), (1, 0)],
        [(-1, -0.4), (-1, 0.4), (1, -0.4), (1, 0.4)],
        [(-1, 0), (-0.5, -0.87), (0.5, -0.87), (1, 0), (0.5, 0.87), (-0.5, 0.87)],
        [(-1, -1), (0, -1), (1, -1), (0, 0), (-1, 1), (0, 1), (1, 1)],
    ],
)
def test_spots_that_lie_otherwise_than_on_dice_are_not_counted(
    spots: list[tuple[float, float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PIPS, 7, tuple(spots))
    assert counted(face(7), CENTRE, 80) == 0


def test_where_something_else_lies_among_them_nothing_is_counted() -> None:
    frame = face(4)
    cv2.circle(frame, (100, 90), 3, (30, 30, 30), -1, cv2.LINE_AA)
    assert counted(frame, CENTRE, 80) == 0


def test_pips_of_its_side_do_not_count() -> None:
    frame = face(3, turn=0)
    for x in (75, 125):
        cv2.ellipse(frame, (x, 133), (6, 4), 0, 0, 360, (30, 30, 30), -1, cv2.LINE_AA)
    assert counted(frame, CENTRE, 80) == 3


@pytest.mark.parametrize("what", ["plain", "noise", "cut off"])
def test_of_what_shows_none_nothing_is_counted(what: str) -> None:
    frame = np.full((180, 200, 3), 128, np.uint8)
    if what == "noise":
        frame = np.random.default_rng(5).integers(0, 256, frame.shape, np.uint8)
    elif what == "cut off":
        frame = face(5)[:70]
    assert counted(frame, CENTRE, 80) == 0


def found(likeliest: int, likely: float) -> Found:
    """A die of which this face is so likely, and of the others one more than the rest."""
    rest = np.full(12, (1 - likely) / 22)
    rest[likeliest % 6] += (1 - likely) / 2
    rest[likeliest - 1] = likely
    second = (*(rest * 0.9).tolist(), 0.1)
    return Found(CENTRE, (60, 50, 140, 130), 0.9, rest.astype(np.float32), second=second)


@pytest.mark.parametrize(
    ("likeliest", "likely", "surer"), [(3, 0.6, True), (3, COUNTABLE, False), (2, 0.6, False)]
)
def test_what_is_counted_only_makes_surer_of_what_is_seen(likeliest: int, likely: float, surer: bool) -> None:
    """Networks and counting err about other dice; whether it is a die at all it does not tell."""
    before = found(likeliest, likely)
    after = reader._checked(face(3), before)
    assert (after is not before) == surer
    assert np.argmax(after.classes) == likeliest - 1
    assert after.second[NO_DIE] == before.second[NO_DIE]
    assert sum(after.second) == pytest.approx(sum(before.second))
    if surer:
        assert after.classes[likeliest - 1] > 0.95 and after.second[likeliest - 1] > 0.85


def test_of_what_shows_no_pips_none_are_counted() -> None:
    none = found(1, 0.6)
    none = replace(none, classes=np.roll(none.classes, NO_PIPS))
    assert reader._checked(face(3), none) is none


def test_two_pips_that_are_counted_on_a_cuboid_do_not_overrule_its_four() -> None:
    before = found(2, 0.6)
    four = replace(before, second=(*(each / 4 for each in before.second[:LONG]), 0.0, 0.0, 0.0, 0.675, 0.1))
    assert reader._checked(face(2), before) is not before
    assert reader._checked(face(2), four) is four
