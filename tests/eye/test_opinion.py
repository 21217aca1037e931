"""The second network: asked about what the first is not sure of, and the only one that knows cuboids."""

import importlib
from dataclasses import replace
from functools import lru_cache
from math import dist
from typing import Any

import cv2
import numpy as np
import pytest

from companion.eye import opinion as second
from companion.eye.dice import Die
from companion.eye.network import CERTAIN, Found, Image
from companion.eye.read import COCKED, FIVE, NO_DIE, OF_PICTURES, OF_THROWS, REFUSED, Effort, Sight, look
from companion.eye.trust import Candidate, judge
from tests.eye.lying import LYING, picture
from tests.eye.table import Lies, seen_on

BLUE, GREEN = (160, 40, 20), (40, 140, 30)

reader = importlib.import_module("companion.eye.read")  # `companion.eye` has a function of that name


def finds(monkeypatch: pytest.MonkeyPatch, *found: Found) -> None:
    """Let the first network find this."""
    monkeypatch.setattr(reader, "find", lambda frame, finer: list(found))


def say(monkeypatch: pytest.MonkeyPatch, shares: tuple[float, ...]) -> None:
    """Let the second network say this of everything, and the third one agree."""
    upper = np.array((*shares[:COCKED], shares[NO_DIE]))
    monkeypatch.setattr(reader, "opinion", lambda frame, centre, size: shares)
    monkeypatch.setattr(reader, "upper_face", lambda frame, centre, size: tuple(upper / upper.sum()))


def say_the_same(monkeypatch: pytest.MonkeyPatch, *found: Found) -> None:
    """Let the second network say of each of these what the first one does."""
    said = {each.centre: (*each.classes.tolist(), 0.0) for each in found}
    monkeypatch.setattr(reader, "opinion", lambda frame, centre, size: said[centre])


@lru_cache
def seen(name: str) -> Sight:
    return look(picture(name))


def at(dice: tuple[Die, ...], piece: dict[str, Any]) -> Die | None:
    return next((die for die in dice if dist(die.center, piece["center"]) < 0.35 * die.width), None)


@pytest.mark.parametrize("name", sorted(LYING))
def test_no_die_is_taken_for_a_cuboid(name: str) -> None:
    dice = [(piece, at(seen(name).dice, piece)) for piece in LYING[name] if piece["kind"] == "die"]
    assert all(die is None or not die.cuboid for _, die in dice)
    assert all(die is None or die.face == piece["face"] for piece, die in dice)


def test_cuboids_are_known_with_their_faces() -> None:
    lying = [(name, piece) for name, pieces in LYING.items() for piece in pieces if piece["kind"] == "cuboid"]
    lying = [(name, piece) for name, piece in lying if piece["face"]]  # the others stand on end
    told = [(piece, at(seen(name).dice, piece)) for name, piece in lying]
    known = [die.face == piece["face"] for piece, die in told if die and die.cuboid]
    assert len(lying) == 13
    assert known.count(True) >= 12 and all(known)


def test_the_six_colours_are_told_apart() -> None:
    """Also where half of a face is white in a lamp's light."""
    lying = [(name, piece) for name, pieces in LYING.items() for piece in pieces if piece["kind"] == "die"]
    dice = [(piece, at((*seen(name).dice, *seen(name).doubts), piece)) for name, piece in lying]
    named = [die.colour == piece["colour"] for piece, die in dice if die]
    assert len(named) == 72 and named.count(True) >= 68


@pytest.mark.parametrize("effort", [OF_THROWS, OF_PICTURES])
def test_of_single_pictures_only_what_is_unsure_and_fives_are_asked_for_and_of_throws_all(
    monkeypatch: pytest.MonkeyPatch, effort: Effort
) -> None:
    asked = []

    def opinion(frame: Image, centre: tuple[float, float], size: float) -> tuple[float, ...]:
        asked.append(centre)
        return second.opinion(frame, centre, size)

    monkeypatch.setattr(reader, "opinion", opinion)
    found = look(picture("5.jpg"), effort).found
    sure = [each for each in found if each.sure >= OF_PICTURES.below]
    assert {int(each.classes.argmax()) == FIVE for each in sure} == {True, False} and len(sure) < len(found)
    unsure = [each.centre for each in found if each.sure < effort.below or each.classes.argmax() == FIVE]
    assert [each.centre for each in found if each.centre in asked] == unsure


@pytest.mark.parametrize("beside", [True, False])
def test_of_a_single_picture_all_is_asked_for_if_no_die_is_surely_one(
    monkeypatch: pytest.MonkeyPatch, beside: bool
) -> None:
    """The plug of a cable looks like a two; where a die lies beside it, too, only the first one is asked."""
    classes = np.array([0.01, 0.92] + [0.007] * 10, np.float32)
    plug = Found((80.0, 120.0), (50.0, 90.0, 110.0, 150.0), 0.78, classes, 0.78)
    die = Found((240.0, 120.0), (210.0, 90.0, 270.0, 150.0), 0.95, classes, 0.95)
    finds(monkeypatch, *([die, plug] if beside else [plug]))
    say(monkeypatch, tuple(0.6 if kind == NO_DIE else 0.033 for kind in range(NO_DIE + 1)))
    assert OF_PICTURES.below < plug.sure < CERTAIN < die.sure
    dice = look(np.full((240, 320, 3), 90, np.uint8), OF_PICTURES).dice
    assert [each.center for each in dice] == ([plug.centre, die.centre] if beside else [])


@pytest.mark.parametrize(("seen", "is_one"), [(6, 0), (4, 3)])
def test_of_what_surely_seems_to_show_no_pips_or_five_the_second_network_is_asked_too(
    monkeypatch: pytest.MonkeyPatch, seen: int, is_one: int
) -> None:
    """A single light pip may look like none, to the first network; a dark one that is seen through a clear
    die from below makes a five of a four.
    """
    mistaken, six = np.eye(12, dtype=np.float32)[[seen, 5]]
    one = Found((80.0, 120.0), (50.0, 90.0, 110.0, 150.0), 0.85, mistaken, 0.85)
    other = Found((240.0, 120.0), (210.0, 90.0, 270.0, 150.0), 0.95, six, 0.95)
    finds(monkeypatch, other, one)
    say(monkeypatch, tuple(0.95 if kind == is_one else 0.05 / NO_DIE for kind in range(NO_DIE + 1)))
    assert OF_PICTURES.below < one.sure < other.sure
    dice = look(np.full((240, 320, 3), 90, np.uint8), OF_PICTURES).dice
    assert [die.face for die in dice] == [is_one + 1, 6]


def test_a_die_shows_what_both_networks_find_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    classes = np.array([0.02, 0.02, 0.5, 0.4, 0.02, 0.02, 0.01, 0.01] + [0.0] * 4, np.float32)
    alone = Found((160.0, 120.0), (130.0, 90.0, 190.0, 150.0), 0.8, classes)
    shares = [0.01] * 13
    shares[3], shares[4] = 0.6, 0.28
    monkeypatch.setattr(reader, "opinion", lambda frame, centre, size: tuple(shares))
    both = reader._asked(reader.Shot(alone, picture("5.jpg")), replace(OF_THROWS, faces=False))
    assert [int(each.classes.argmax()) + 1 for each in (alone, both)] == [3, 4]
    assert both.classes.sum() == pytest.approx(alone.classes.sum())
    assert both.sure > alone.sure, "they agree on it"


@pytest.mark.parametrize("place", [(0.0, 0.0), (399.0, 319.0), (200.0, 160.0)])
def test_an_opinion_is_a_share_for_each_kind_wherever_one_looks(place: tuple[float, float]) -> None:
    shares = second.opinion(picture("0.jpg"), place, 60.0)
    assert len(shares) == NO_DIE + 1
    assert sum(shares) == pytest.approx(1, abs=1e-3) and min(shares) >= 0


def test_an_empty_table_is_no_die() -> None:
    noise = np.random.default_rng(1).normal(120, 6, (240, 320, 3)).clip(0, 255).astype(np.uint8)
    assert second.opinion(noise, (160.0, 120.0), 40.0)[NO_DIE] >= REFUSED


@pytest.mark.parametrize("agrees", [True, False])
def test_what_shows_no_pips_is_doubted_if_the_second_network_does_not_agree(
    monkeypatch: pytest.MonkeyPatch, agrees: bool
) -> None:
    classes = np.array([0.01] * 6 + [0.9] + [0.008] * 5, np.float32)
    found = Found((160.0, 120.0), (130.0, 90.0, 190.0, 150.0), 0.4, classes, 0.4)
    shares = tuple(0.7 if kind == (6 if agrees else NO_DIE) else 0.025 for kind in range(NO_DIE + 1))
    finds(monkeypatch, found)
    say(monkeypatch, shares)
    sight = look(np.full((240, 320, 3), 90, np.uint8))
    assert sight.dice == () and [die.known for die in sight.doubts] == ([] if agrees else [False])


def test_a_die_of_which_one_frame_is_not_sure_is_left_to_several(monkeypatch: pytest.MonkeyPatch) -> None:
    classes = np.array([0.01, 0.01, 0.9] + [0.008] * 9, np.float32)
    found = Found((160.0, 120.0), (130.0, 90.0, 190.0, 150.0), 0.5, classes, 0.5)
    shares = tuple({2: 0.7, NO_DIE: 0.2}.get(kind, 0.1 / 11) for kind in range(NO_DIE + 1))
    finds(monkeypatch, found)
    say(monkeypatch, shares)
    sight = look(np.full((240, 320, 3), 90, np.uint8))
    assert sight.dice == () and [(die.face, die.known) for die in sight.doubts] == [(3, True)]


@pytest.mark.parametrize("sign", ["blank", "1", "3"])
def test_a_sign_on_a_die_of_another_colour_beside_pips_is_no_doubt(sign: str) -> None:
    _, sight = seen_on((Lies("pips-5", (180.0, 240.0), 20), Lies(sign, (420.0, 240.0), 30)))
    assert [die.face for die in sight.dice] == [5] and sight.doubts == ()


@pytest.mark.parametrize("sign", ["heart", "gift"])
def test_a_die_of_the_set_on_which_no_pips_are_seen_is_asked_for(sign: str) -> None:
    """Dice of one colour and size that show pips have some on each side: a faint one, or a dazzled face."""
    _, sight = seen_on((Lies("pips-5", (180.0, 240.0), 20), Lies(sign, (420.0, 240.0), 30)))
    assert [(die.face, die.known) for die in sight.dice if die.known] == [(5, True)]
    assert [die.known for die in (*sight.dice[1:], *sight.doubts)] == [False]


@pytest.mark.parametrize(
    ("across", "likely", "body", "ink", "known"),
    [
        (24, 0.3, 90, 20, True),
        (24, 0.3, 15, 3, True),
        (12, 0.3, 90, 20, False),
        (24, 0.3, 90, 250, False),
        (24, 0.1, 90, 20, False),
    ],
    ids=["large", "in the dark", "usual", "light", "unlikely"],
)
def test_a_die_of_the_set_is_known_that_shows_a_large_single_pip(
    monkeypatch: pytest.MonkeyPatch, across: int, likely: float, body: int, ink: int, known: bool
) -> None:
    """To the networks it is much like a sign."""
    frame = np.full((240, 320, 3), body, np.uint8)
    cv2.circle(frame, (240, 120), across // 2, (ink,) * 3, -1, cv2.LINE_AA)
    five = Found((80.0, 120.0), (50.0, 90.0, 110.0, 150.0), 0.95, np.eye(12, dtype=np.float32)[4], 0.95)
    shares = np.array([likely, *[0.05] * 5, 0.75 - likely, *[0.0] * 5], np.float32)
    plain = Found((240.0, 120.0), (210.0, 90.0, 270.0, 150.0), 0.9, shares, 0.9)
    finds(monkeypatch, five, plain)
    say_the_same(monkeypatch, five, plain)
    sight = look(frame, OF_PICTURES)
    seen = {die.face: die.known for die in (*sight.dice, *sight.doubts)}
    assert seen == {5: True, 1: known}
    assert max(sight.dice[-1].faces) > (0.9 if known else 0)


def test_a_die_of_the_set_of_which_no_face_is_likely_is_one_doubt_and_not_two(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is doubted twice in each frame would count twice in the vote."""
    frame = np.full((240, 320, 3), 90, np.uint8)
    five = Found((80.0, 120.0), (50.0, 90.0, 110.0, 150.0), 0.95, np.eye(12, dtype=np.float32)[4], 0.95)
    shares = np.array([0.2, 0.0, 0.2, 0.15, 0.0, 0.0, 0.45] + [0.0] * 5, np.float32)
    plain = Found((240.0, 120.0), (210.0, 90.0, 270.0, 150.0), 0.9, shares, 0.9)
    finds(monkeypatch, five, plain)
    say_the_same(monkeypatch, five, plain)
    sight = look(frame, OF_PICTURES)
    assert [die.face for die in sight.dice] == [5] and [die.known for die in sight.doubts] == [False]


def test_what_may_be_a_die_of_the_set_is_doubted_like_any_die_though_it_shows_no_pips(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of a throw of four the one with a red pip, which no network knew, had not been told, nor asked for."""
    frame = np.full((240, 320, 3), 90, np.uint8)
    frame[90:150, 50:110] = frame[90:150, 210:270] = BLUE
    five = Found((80.0, 120.0), (50.0, 90.0, 110.0, 150.0), 0.95, np.eye(12, dtype=np.float32)[4], 0.95)
    shares = np.array([0.04, 0.005, 0.005, 0.0, 0.0, 0.0, 0.95] + [0.0] * 5, np.float32)
    plain = Found((240.0, 120.0), (210.0, 90.0, 270.0, 150.0), 0.8, shares, 0.8)
    finds(monkeypatch, five, plain)
    said = {five.centre: (*five.classes.tolist(), 0.0), plain.centre: (*(0.9 * shares).tolist(), 0.1)}
    monkeypatch.setattr(reader, "opinion", lambda frame, centre, size: said[centre])
    sight = look(frame, replace(OF_THROWS, faces=False))
    assert [die.face for die in sight.dice] == [5]
    (doubt,) = sight.doubts
    assert (doubt.face, doubt.known) == (1, False)
    assert not judge([Candidate((die,) * 4, 4) for die in (*sight.dice, doubt)]).sure


def test_its_word_makes_a_throw_more_or_less_likely() -> None:
    def with_second(die_at: int, share: float) -> float:
        others = (1 - share) / NO_DIE
        shares = tuple(share if kind == die_at else others for kind in range(NO_DIE + 1))
        faces = (0.05, 0.05, 0.75, 0.05, 0.05, 0.05)
        die = Die(3, (100, 200), (60, 160, 140, 240), "white", 0.5, faces=faces)
        return judge([Candidate((replace(die, second=shares),) * 4, 4)]).chance

    same, other = with_second(2, 0.9), with_second(4, 0.9)
    assert same > other
    assert with_second(10, 0.9) == pytest.approx(same, abs=0.02), "three pips on a cuboid are three pips"


def test_what_the_second_network_takes_for_none_makes_nothing_beside_it_a_die(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However sure of it the first one is."""
    two, unsure = np.eye(12, dtype=np.float32)[1], (240.0, 120.0)
    domino = Found((80.0, 120.0), (50.0, 90.0, 110.0, 150.0), 0.9, two, 0.9)
    beside = Found(unsure, (210.0, 90.0, 270.0, 150.0), 0.5, two, 0.5)

    def opinion(frame: Image, centre: tuple[float, float], size: float) -> tuple[float, ...]:
        no = 0.3 if centre == unsure else 0.9
        return tuple({1: 0.98 - no, NO_DIE: no}.get(kind, 0.002) for kind in range(NO_DIE + 1))

    finds(monkeypatch, domino, beside)
    monkeypatch.setattr(reader, "opinion", opinion)
    monkeypatch.setattr(reader, "upper_face", lambda *_: (0.01, 0.93, *[0.01] * 6))
    assert look(np.full((240, 320, 3), 90, np.uint8)).dice == ()


@pytest.mark.parametrize(
    ("sure", "none", "told"),
    [
        (0.7, 0.01, 2),  # what both networks take for a die: so there are some, and more are to be expected
        (0.5, 0.01, 1),  # the first one is not sure of it
        (0.7, 0.2, 0),  # the second one is not
    ],
)
def test_beside_what_both_networks_take_for_a_die_an_unsure_one_is_told(
    monkeypatch: pytest.MonkeyPatch, sure: float, none: float, told: int
) -> None:
    two, unsure = np.eye(12, dtype=np.float32)[1], (240.0, 120.0)
    left = Found((80.0, 120.0), (50.0, 90.0, 110.0, 150.0), sure, two, sure)
    right = Found(unsure, (210.0, 90.0, 270.0, 150.0), 0.55, two, 0.55)
    finds(monkeypatch, left, right)

    def opinion(frame: Image, centre: tuple[float, float], size: float) -> tuple[float, ...]:
        no = 0.1 if centre == unsure else none
        return tuple({1: 0.98 - no, NO_DIE: no}.get(kind, 0.002) for kind in range(NO_DIE + 1))

    monkeypatch.setattr(reader, "opinion", opinion)
    assert len(look(np.full((240, 320, 3), 90, np.uint8), OF_PICTURES).dice) == told
