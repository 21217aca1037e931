"""Dice with signs go the way of all dice: found in a picture, voted on, announced when they rest."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from companion.eye import signs as signs_module
from companion.eye.dice import PIPS, Die
from companion.eye.motion import Motion
from companion.eye.network import Found
from companion.eye.read import Sight, look, read
from companion.eye.signs import signed
from companion.eye.taught import Taught, together
from companion.eye.throws import State, Throw, Watcher
from tests.eye.table import PICTURES, Image, Lies, animals, bang, photograph, seen_on, stopper

FIVE = ("bomb", "scissors", "heart", "gift", "bomb")


def row(*signs: str, turn: float = 0.0, down: float = 0.0) -> list[Lies]:
    return [
        Lies(sign, (90.0 + 112 * i, 200 + 40 * (i % 2) + down), 37 * i + turn) for i, sign in enumerate(signs)
    ]


def seen(frame: Image, kind: Taught) -> tuple[Die, ...]:
    return signed(frame, look(frame), kind)[0]


@lru_cache(maxsize=150)
def view(
    dice: tuple[Lies, ...], hand: tuple[int, int] | None, number: int, kind: Taught
) -> tuple[Image, tuple[Die, ...]]:
    """One of some pictures of dice, perhaps with a hand that moves above them, and what is seen there."""
    frame, sight = seen_on(dice, number)
    if hand:
        x, y = hand[0] + number * 25, hand[1]
        frame = frame.copy()
        frame[y : y + 130, x : x + 90] = (120, 150, 205)
        sight = look(frame)
    return frame, signed(frame, sight, kind)[0]


class Eye:
    """A camera above a table, ten pictures a second, and what becomes of them."""

    def __init__(self, kind: Taught) -> None:
        self.kind, self.motion, self.watcher, self.now = kind, Motion(), Watcher(), 100.0
        self.pictures = 0

    def show(
        self, dice: Sequence[Lies], seconds: float = 0.8, hand: tuple[int, int] | None = None
    ) -> list[Throw]:
        """The same dice for a while, a hand above them that moves."""
        throws = []
        for _ in range(round(seconds * 10)):
            self.now += 0.1
            self.pictures += 1
            frame, dice_seen = view(tuple(dice), hand, self.pictures % PICTURES, self.kind)
            throw = self.watcher.see(dice_seen, self.motion.see(frame), self.now, (640, 480))
            throws += [throw] if throw else []
        return throws


def signs(throw: Throw) -> list[str]:
    return [die.sign for die in throw.dice]


def test_dice_with_signs_are_read_from_left_to_right() -> None:
    dice = seen(photograph(row(*FIVE)), bang())
    assert [die.sign for die in dice] == list(FIVE)
    assert [die.face - PIPS for die in dice] == [1, 2, 3, 4, 1], "no numbers of pips"
    assert all(die.confidence > 0.5 and die.shows == die.sign for die in dice)


@pytest.mark.parametrize("light", [0.6, 1.1])
@pytest.mark.parametrize("size", [40, 90])
def test_in_other_light_and_from_another_height_none_is_taken_for_another(light: float, size: float) -> None:
    lying = [Lies(die.sign, die.at, die.turn, size) for die in row(*FIVE, turn=20)]
    told = [(die.sign, die.known) for die in seen(photograph(lying, light), bang())]
    assert len(told) == 5
    assert all(sign == lies or not sure for (sign, sure), lies in zip(told, FIVE, strict=True)), told
    assert sum(sure for _, sure in told) >= 4, told


def test_the_stopper_die_has_plain_sides() -> None:
    dice = seen(photograph(row("blank", "2", "blank", "3", "1")), stopper())
    assert [die.sign for die in dice if die.known] == ["blank", "2", "blank", "3", "1"]


def test_where_there_is_no_die_there_is_no_plain_side() -> None:
    assert seen(photograph([]), stopper()) == ()


def test_what_was_not_taught_has_only_a_guess() -> None:
    (die,) = seen(photograph([Lies("2")]), bang())
    assert not die.known and die.sign in bang().faces


def test_dice_with_pips_stay_what_they_are() -> None:
    """The eye reads them as it does where no others are awaited."""
    frame = np.full((480, 640, 3), (60, 90, 50), np.uint8)
    face = np.full((100, 100, 3), (225, 235, 240), np.uint8)
    for x, y in ((25, 25), (75, 25), (25, 75), (75, 75), (50, 50)):
        face[y - 9 : y + 9, x - 9 : x + 9] = (30, 30, 35)
    frame[180:280, 270:370] = face
    assert [die.face for die in read(frame)] == [5]
    assert seen(frame, bang()) == look(frame).dice


def test_a_die_that_the_network_takes_for_one_with_pips_is_known_by_what_was_taught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A bomb looks much like one pip."""
    frame = photograph([Lies("bomb")])
    sight = look(frame)
    (found,) = sight.found
    classes = np.zeros(12, np.float32)
    classes[0] = 1.0
    pip = Found(found.centre, found.box, found.heat, classes, found.coarse)
    one = Die(1, found.centre, found.box, "white", 0.9)
    (die,), _ = signed(frame, Sight(dice=(one,), found=(pip,)), bang())
    assert die.sign == "bomb" and die.known


# Whatever was taught, beside dice with pips


def mixed(light: float = 1.0) -> list[int | str]:
    """A pip die among all that has been taught, from left to right."""
    kinds = together(animals(), bang(), stopper())
    lying = row("fox", "pips-5", "heart", "pips-2", "wolf", turn=20)
    return [die.shows for die in seen(photograph(lying, light), kinds) if die.known]


@pytest.mark.parametrize("light", [0.6, 1.1])
def test_dice_of_several_kinds_and_with_pips_are_told_apart(light: float) -> None:
    assert mixed(light) == ["own-1/fox", 5, "big-boom-bang/heart", 2, "own-1/wolf"]


def test_a_sign_is_no_number_of_pips() -> None:
    kinds = together(bang(), animals())
    (die,) = seen(photograph([Lies("wolf", turn=60)]), kinds)
    assert die.face == PIPS + kinds.faces.index("own-1/wolf") + 1 and die.shows == "own-1/wolf"


def test_what_certainly_shows_pips_is_compared_with_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signs_module, "tell", None)
    frame = photograph([Lies("pips-5", (200, 200)), Lies("pips-4", (400, 220), 30)])
    assert [die.shows for die in seen(frame, together(animals()))] == [5, 4]


def test_what_was_not_taught_is_left_alone_where_any_dice_may_lie() -> None:
    frame = photograph([Lies("wolf", (200, 200), 40), Lies("pips-4", (400, 220))])
    assert [die.shows for die in seen(frame, together(bang()))] == [die.shows for die in look(frame).dice]


def test_a_side_that_two_dice_have_is_asked_for() -> None:
    (die,) = seen(photograph([Lies("fox", turn=40)]), together(animals(), replace(animals(), name="own-2")))
    assert not die.known and die.sign in ("own-1/fox", "own-2/fox")


def test_a_throw_of_signs_and_pips_settles_once_and_can_be_trusted() -> None:
    eye = Eye(together(bang(), animals()))
    (throw,) = eye.show(row("fox", "pips-5", "heart"), 1.2)
    assert [die.shows for die in throw.dice] == ["own-1/fox", 5, "big-boom-bang/heart"]
    assert throw.sure and eye.show(row("fox", "pips-5", "heart"), 1.0) == []
    (throw,) = eye.show(row("wolf", "pips-5", "heart"), 1.5)
    assert [die.shows for die in throw.dice] == ["own-1/wolf", 5, "big-boom-bang/heart"]


def test_a_throw_is_announced_once_when_it_rests() -> None:
    eye = Eye(bang())
    assert eye.show([], 0.6, hand=(200, 100)) == []
    (throw,) = eye.show(row(*FIVE), 1.2)
    assert signs(throw) == list(FIVE) and not throw.revises
    assert eye.show(row(*FIVE), 1.0) == []
    assert eye.watcher.state is State.RESTING


def test_dice_that_stay_while_others_are_thrown_again_lie_in_the_next_throw_too() -> None:
    eye = Eye(bang())
    eye.show(row(*FIVE), 1.0)
    kept = row(*FIVE)[:3]
    assert eye.show(kept, 1.0, hand=(420, 150)) == []
    assert eye.show(kept, 1.0) == [], "dice in the hand are no throw"
    eye.show(kept, 0.4, hand=(420, 150))
    (throw,) = eye.show([*kept, Lies("heart", (430, 330), 10), Lies("scissors", (560, 140), 80)], 1.2)
    assert sorted(signs(throw)) == sorted(["bomb", "scissors", "heart", "heart", "scissors"])


def test_a_hand_above_the_dice_holds_the_throw_back() -> None:
    eye = Eye(bang())
    assert eye.show(row(*FIVE), 1.5, hand=(150, 130)) == []
    assert len(eye.show(row(*FIVE), 1.0)) == 1


def test_a_sign_that_is_known_is_told_at_the_edge_of_the_picture_too() -> None:
    """No part of a sign is another one: of 366 that were cut off in drawn pictures none was taken for one.
    Dice that are laid aside come to lie there.
    """
    edges = [("bomb", (26.0, 240.0)), ("heart", (614.0, 200.0)), ("gift", (300.0, 26.0))]
    eye = Eye(bang())
    (throw,) = eye.show([Lies(sign, place, 20) for sign, place in edges])
    assert signs(throw) == ["bomb", "gift", "heart"] and throw.sure


def test_one_bad_reading_among_many_changes_nothing() -> None:
    eye = Eye(bang())
    good = seen(photograph(row(*FIVE)), bang())
    bad = seen(photograph(row("heart", *FIVE[1:])), bang())
    still = Motion()
    throws = []
    for i, dice in enumerate([good, good, bad, *[good] * 9]):
        throw = eye.watcher.see(dice, still.see(photograph([])), 100 + i / 10, (640, 480))
        throws += [throw] if throw else []
    (throw,) = throws
    assert signs(throw) == list(FIVE)


def test_what_was_announced_wrongly_is_revised() -> None:
    eye, still = Eye(bang()), Motion()
    good = seen(photograph(row(*FIVE)), bang())
    bad = seen(photograph(row("heart", *FIVE[1:])), bang())
    quiet = photograph([])
    throws = [
        eye.watcher.see(dice, still.see(quiet), 100 + i / 10, (640, 480))
        for i, dice in enumerate([bad] * 6 + [good] * 40)
    ]
    first, second = (throw for throw in throws if throw)
    assert signs(first)[0] == "heart" and signs(second) == list(FIVE) and second.revises
