"""Switching off: offered where the machine is ours, by touch and by a long press, and never by mistake."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pygame import Surface

from companion.events import ButtonName, Effect, Hold, Press, SwitchOff
from companion.screens.base import Context
from companion.screens.home import HomeScreen
from companion.screens.power import PowerScreen
from companion.screens.settings import SettingsScreen
from companion.screens.stage import Stage
from tests.screens.checks import VIEWS, Size, check_picture, staged, view_name


@dataclass
class Hand:
    """Whoever uses the panel and touches the screen."""

    stage: Stage
    effects: list[Effect] = field(default_factory=list)

    def press(self, *buttons: ButtonName) -> None:
        for button in buttons:
            self.effects += self.stage.handle(Press(button))

    def hold(self, button: ButtonName) -> None:
        self.press(button)
        self.effects += self.stage.handle(Hold(button))

    def do(self, key: str) -> None:
        widget = next(each for each in self.stage.widgets() if each.key == key)
        self.effects += self.stage._follow(widget.act())


@pytest.fixture
def hand(context: Context) -> Iterator[Hand]:
    context.can_switch_off = True
    yield Hand(Stage(context, [HomeScreen(context)], Surface((800, 480))))


def off(hand: Hand) -> bool:
    return SwitchOff() in hand.effects


def test_by_touch(hand: Hand) -> None:
    hand.do("power")
    assert isinstance(hand.stage.top, PowerScreen) and not off(hand)
    hand.do("off")
    assert off(hand) and isinstance(hand.stage.top, HomeScreen)


def test_by_the_panel_alone(hand: Hand) -> None:
    hand.hold("back")
    assert isinstance(hand.stage.top, PowerScreen)
    hand.press("confirm")
    assert off(hand)


def test_back_and_stay_leave_it_on(hand: Hand) -> None:
    hand.hold("back")
    hand.press("back")
    assert isinstance(hand.stage.top, HomeScreen)
    hand.hold("back")
    hand.do("stay")
    assert isinstance(hand.stage.top, HomeScreen) and not off(hand)


def test_a_long_press_that_leads_home_offers_nothing(hand: Hand) -> None:
    """The button went down on another screen, which its press has closed before it counts as held."""
    hand.press("back")  # at home, where it does nothing
    hand.stage.stack.append(SettingsScreen(hand.stage.context))
    hand.hold("back")
    assert isinstance(hand.stage.top, HomeScreen)
    hand.hold("undo")
    assert isinstance(hand.stage.top, HomeScreen)


def test_on_the_machine_of_somebody_else_it_is_not_offered(hand: Hand) -> None:
    context = hand.stage.context
    context.can_switch_off = False
    hand.stage.start_over(HomeScreen(context))
    assert "power" not in [each.key for each in hand.stage.widgets()]
    hand.hold("back")
    assert isinstance(hand.stage.top, HomeScreen)


@pytest.mark.parametrize(("size", "language"), VIEWS, ids=view_name)
def test_it_can_be_read_and_touched(context: Context, pictures: Path, size: Size, language: str) -> None:
    context.can_switch_off = True
    home = HomeScreen(context)
    check_picture(context, pictures, "home-service", staged(context, home, size), size, language)
    stage = staged(context, PowerScreen(context), size)
    check_picture(context, pictures, "power", stage, size, language)
