"""Switching off: offered where the machine is ours, by touch and by a long press, and never by mistake."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pygame import Surface

from companion.events import ButtonName, Effect, Hold, Leave, Press, SwitchOff
from companion.language import Texts
from companion.screens.base import Context
from companion.screens.home import HomeScreen
from companion.screens.power import PowerScreen
from companion.screens.settings import SettingsScreen
from companion.screens.stage import Stage
from companion.store import StoreError, StoreErrorKind
from tests.screens.checks import check_screen, staged, texts_watched


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


def test_both_ways_are_named(hand: Hand) -> None:
    hand.do("power")
    hand.stage.context.t = Texts("en")
    with texts_watched() as texts:
        hand.stage.draw()
    assert {"Stay", "Switch off"} <= {words for words, _, _ in texts}


def test_where_a_desktop_lies_behind_one_may_go_there(hand: Hand) -> None:
    """Nobody needs a keyboard for that; from the menu it is opened again"""
    hand.do("power")
    assert "leave" not in [each.key for each in hand.stage.widgets()]
    hand.stage.context.desktop = True
    hand.do("leave")
    assert Leave() in hand.effects and not off(hand)


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


def test_it_can_be_read_and_touched(context: Context, pictures: Path) -> None:
    context.can_switch_off = True
    check_screen(context, pictures, "home-service", HomeScreen(context))
    check_screen(context, pictures, "power", PowerScreen(context))
    context.desktop = True
    check_screen(context, pictures, "power-desktop", PowerScreen(context))


def said(context: Context) -> str:
    """What the screen says."""
    with texts_watched() as texts:
        staged(context, PowerScreen(context), (800, 480)).draw()
    return " ".join(words for words, _, _ in texts)


def waiting(context: Context, kind: StoreErrorKind) -> None:
    """Let something wait for the disk."""

    def fail() -> None:
        raise StoreError(kind, "so it is")

    context.table._journal.write(fail)


@pytest.mark.parametrize("kind", [StoreErrorKind.FULL, StoreErrorKind.OVERTAKEN])
def test_what_waits_for_the_disk_is_not_said_to_be_safe(context: Context, kind: StoreErrorKind) -> None:
    context.t = Texts("en")
    assert "Nothing is lost" in said(context)
    waiting(context, kind)
    assert context.table.trouble
    why = context.t.say(context.table.trouble)
    assert f"{why} See to that first: what was played since then is lost" in said(context)
    assert "Nothing is lost" not in said(context)


def test_what_is_only_in_memory_is_not_said_to_be_safe(context: Context) -> None:
    context.t = Texts("en")
    context.table.hindrance = StoreError(StoreErrorKind.LOCKED, "another has it")
    assert "is lost when it is switched off. Write down" in said(context)
    assert "Nothing is lost" not in said(context)


@pytest.mark.parametrize("kind", [None, *StoreErrorKind], ids=lambda kind: kind.value if kind else "memory")
def test_what_would_be_lost_can_be_read(
    context: Context, tmp_path: Path, kind: StoreErrorKind | None
) -> None:
    if kind:
        waiting(context, kind)
    else:
        context.table.hindrance = StoreError(StoreErrorKind.LOCKED, "another has it")
    check_screen(context, tmp_path, "power", PowerScreen(context))
