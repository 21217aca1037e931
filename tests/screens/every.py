"""Every screen that the tests take pictures of."""

from collections.abc import Callable
from typing import Any

from pygame import Surface

from companion.screens.base import Context, Screen
from companion.screens.home import HomeScreen
from companion.screens.stage import Stage
from tests.screens import (
    conftest,
    test_any_die,
    test_bang,
    test_bau_boom,
    test_calibrate,
    test_container,
    test_doctor_screen,
    test_game,
    test_kabooom,
    test_make_n_break,
    test_own_dice,
    test_pictures,
    test_statistics,
    test_teach,
    test_thinking,
)

Make = Callable[[Context, tuple[int, int]], Stage]


def _plain(make: Callable[[Context], Screen]) -> Make:
    return lambda context, size: _staged(make(context), size)


def _game(make: Callable[[Any], Screen]) -> Make:
    return lambda context, size: _staged(make(conftest.maker(context)), size)


def _staged(screen: Screen, size: tuple[int, int]) -> Stage:
    below = [] if isinstance(screen, HomeScreen) else [HomeScreen(screen.context)]
    return Stage(screen.context, [*below, screen], Surface(size))


EVERY: dict[str, Make] = {}
for _module in (
    test_pictures,
    test_game,
    test_statistics,
    test_bau_boom,
    test_teach,
    test_any_die,
    test_thinking,
    test_calibrate,
    test_doctor_screen,
):
    EVERY |= {name: _plain(make) for name, make in _module.SCREENS.items()}
for _games in (test_bang, test_kabooom, test_make_n_break, test_container, test_own_dice):
    EVERY |= {name: _game(make) for name, make in _games.SCREENS.items()}
