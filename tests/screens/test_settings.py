"""The settings that can be touched: what each row says, and what a touch of it changes."""

from dataclasses import replace
from typing import Any

import pytest

from companion.config import OFFERED
from companion.events import Set, Sound
from companion.screens.base import Context
from companion.screens.settings import SettingsScreen
from tests.screens.checks import texts_watched
from tests.screens.conftest import Hand


def settings(context: Context, **values: Any) -> Hand:
    """A person before the settings, of which these hold."""
    context.settings = replace(context.settings, **values)
    return Hand.at(SettingsScreen(context))


def said(hand: Hand) -> list[str]:
    """What stands on the screen."""
    with texts_watched() as texts:
        hand.stage.draw()
    return [words for words, _, _ in texts]


def test_each_row_says_what_it_is_and_what_holds(context: Context) -> None:
    hand = settings(context, language="en", voice=False, camera="usb:1", stopper_interval_s=2.5, saver_min=25)
    rows = [context.t(setting.title) for setting in OFFERED]
    assert {*rows, "English", "aus", "USB-Kamera 2", "2,5 s", "25 min"} <= set(said(hand))


def test_a_screen_saver_that_never_comes_is_off(context: Context) -> None:
    words = said(settings(context, saver_min=0))
    assert "aus" in words and "0 min" not in words


@pytest.mark.parametrize(
    ("key", "minutes", "then"),
    [("saver_min-more", 10, 15), ("saver_min-less", 10, 5), ("saver_min-more", 60, None)],
)
def test_plus_is_more_and_minus_is_less_up_to_the_ends(
    context: Context, key: str, minutes: int, then: int | None
) -> None:
    hand = settings(context, saver_min=minutes)
    hand.touch(key)
    assert hand.effects == ([Set("saver_min", then), Sound("press")] if then else [Sound("refused")])


def test_a_camera_of_ones_own_can_be_chosen_again(context: Context) -> None:
    context.own = replace(context.own, camera="http://phone/")
    hand = settings(context, camera="auto upside-down")
    hand.touch("camera")
    assert hand.effects == [Set("camera", "http://phone/"), Sound("press")]
