"""The container alone, on the screen: one touch a tile."""

from collections.abc import Callable
from pathlib import Path

import cv2
import pygame
import pytest
from pygame import Surface

from companion.events import Touch
from companion.games.bau_boom.hill import COLOURS
from companion.games.bau_boom.screen import BauScreen
from companion.games.container.screen import ContainerScreen
from companion.screens import tiles
from companion.screens.base import Context, Screen
from companion.screens.home import HomeScreen, resumed
from companion.screens.setup import BeginnerScreen, SetupScreen
from companion.screens.theme import CARD
from tests.screens.checks import check_picture, check_screen, staged
from tests.screens.conftest import Hand, TableGame
from tests.screens.through import GOLDEN, put_on_table

TOLD = "deal red 7 yellow 8 green 8 blue 7"

SCREENS: dict[str, Callable[[TableGame], Screen]] = {
    "container-trail": lambda make: make("container", 2),
    "container-untold": lambda make: make("container", 2, {"trail": "untold"}),
    "container": lambda make: make(
        "container", 2, moves=[TOLD, "open red", "hide", "hide", "back", "open blue"]
    ),
    "container-full": lambda make: make("container", 2, moves=["deal red 0 yellow 0 green 0 blue 0"]),
}


@pytest.mark.parametrize("name", SCREENS)
def test_pictures(context: Context, table_game: TableGame, pictures: Path, name: str) -> None:
    check_screen(context, pictures, name, SCREENS[name](table_game))


def test_in_a_square_window_there_is_room_for_the_tiles_too(
    context: Context, table_game: TableGame, pictures: Path
) -> None:
    stage = staged(context, SCREENS["container-trail"](table_game), (700, 700))
    check_picture(context, pictures, "container-trail", stage, (700, 700), "de")


@pytest.mark.parametrize("file", [path.name for path in GOLDEN["container"]])
def test_golden_games_cost_one_touch_a_tile(file: str, context: Context) -> None:
    """CON-R3 to CON-R6."""
    screen, moves = put_on_table(context, ContainerScreen, file)
    assert isinstance(screen, ContainerScreen)
    hand = Hand.at(screen)
    screen.tell([int(word) for word in moves[0].split() if word.isdigit()])
    hand.touch("lay")
    hand.touch(*(f"tell {move}" for move in moves[1:-1]))
    assert screen.match.moves == moves[:-1] and hand.touches == len(moves) - 1
    context.table.play(moves[-1])
    hand.wait(0.1)
    assert isinstance(hand.stage.top, HomeScreen) and context.table.game is None


def test_the_trail_of_the_box_is_told_with_few_touches(table_game: TableGame) -> None:
    """CON-R2"""
    screen = table_game("container", 2)
    hand = Hand.at(screen)
    hand.touch("more-0", "less-1", "less-1", "lay")
    assert screen.match.moves == ["deal red 9 yellow 6 green 7 blue 7"]


def test_only_what_is_possible_can_be_touched(table_game: TableGame) -> None:
    """CON-R8"""
    hand = Hand.at(table_game("container", 2, moves=["deal red 18 yellow 0 green 0 blue 0"]))
    told = {key.removeprefix("tell ") for key in hand.keys}
    assert "open red" not in told and "back blue" not in told and "back red" in told


def test_the_arrow_leads_back_while_tiles_are_told(table_game: TableGame) -> None:
    hand = Hand.at(table_game("container", 2, moves=[TOLD, "hide"]))
    arrow = next(widget for widget in reversed(hand.stage.widgets()) if widget.icon == "back")
    hand.context.now += 1
    for phase in ("down", "up"):
        hand.stage.handle(Touch(*arrow.rect.center, phase))
    assert isinstance(hand.stage.top, HomeScreen)


def test_it_is_chosen_in_the_set_up_of_bau_boom(context: Context) -> None:
    hand = Hand.at(SetupScreen(context, BauScreen))
    hand.touch("depth", "start")
    assert isinstance(hand.stage.top, ContainerScreen)
    (again,) = resumed(context)
    assert isinstance(again, ContainerScreen)
    hand.touch("lay")
    (again,) = resumed(context)
    assert isinstance(again, ContainerScreen)
    hand.touch("pause", "aside")


@pytest.mark.parametrize("begins", ["lay", "more-0"])
def test_whoever_is_done_with_the_container_is_not_asked_to_go_on_with_it(
    context: Context, begins: str
) -> None:
    """CON-R9. A whole game of Bau Boom that waits is offered instead."""
    _, moves = put_on_table(context, BauScreen, "base-2.txt")
    context.table.play(moves[0])
    hand = Hand.at(SetupScreen(context, BauScreen))
    hand.touch("depth", "start", begins, "pause")
    assert hand.widget("aside").label == "Zählen beenden", "it is not only put aside"
    hand.touch("aside")
    waiting = Hand.at(SetupScreen(context, BauScreen))
    assert "other" not in waiting.keys
    waiting.touch("continue")
    assert isinstance(waiting.stage.top, BauScreen)


def test_what_was_told_of_the_trail_is_there_again_after_a_power_cut(context: Context) -> None:
    hand = Hand.at(SetupScreen(context, BauScreen))
    hand.touch("depth", "start", "more-0", "less-1")
    (again,) = resumed(context)
    assert isinstance(again, ContainerScreen) and again.laid == [9, 7, 7, 7]


def test_who_begins_is_asked_though_the_container_was_there_before(context: Context) -> None:
    """BAU-R10. Once it is known it is not asked again, whatever is played between."""
    for asked in (True, False):
        hand = Hand.at(SetupScreen(context, BauScreen))
        hand.touch("depth", "start", "lay", "pause", "aside")
        hand = Hand.at(SetupScreen(context, BauScreen))
        hand.touch("depth", "start")
        assert isinstance(hand.stage.top, BeginnerScreen) is asked
        if asked:
            hand.touch("begins-0")
        assert isinstance(hand.stage.top, BauScreen)


def test_nothing_is_asked_that_makes_no_difference_to_it(context: Context) -> None:
    """Neither hills nor rules, nor who draws, nor who begins."""
    hand = Hand.at(SetupScreen(context, BauScreen))
    assert {"pick-0", "variant", "container", "depth"} <= set(hand.keys)
    hand.touch("depth")
    assert not {"pick-0", "variant", "container"} & set(hand.keys) and "depth" in hand.keys
    hand.stage.draw()
    hand.touch("depth", "variant", "depth", "start")
    assert isinstance(hand.stage.top, ContainerScreen)


@pytest.mark.parametrize(("name", "side"), [("container-trail", 60), ("container", 52)])
def test_its_tiles_are_those_of_the_whole_game(
    context: Context, table_game: TableGame, name: str, side: int
) -> None:
    stage = staged(context, SCREENS[name](table_game), (800, 480))
    stage.draw()
    picture = pygame.surfarray.array3d(stage.canvas.surface)
    for colour in COLOURS:
        wanted = Surface((side, side))
        wanted.fill(CARD)
        wanted.blit(tiles.tile(colour, side), (0, 0))
        like = cv2.matchTemplate(picture, pygame.surfarray.array3d(wanted), cv2.TM_CCOEFF_NORMED)
        assert like.max() > 0.999, colour


@pytest.mark.parametrize(
    ("trail", "keys"), [("told", ("more-0", "less-1")), ("untold", ("less-0", "less-0"))]
)
def test_the_numbers_of_the_trail_are_there_again_when_they_were_taken_back(
    table_game: TableGame, trail: str, keys: tuple[str, ...]
) -> None:
    """CON-R2: one that was wrong is corrected, and not all are told again."""
    screen = table_game("container", 2, {"trail": trail})
    hand = Hand.at(screen)
    hand.touch(*keys)
    laid = screen.laid
    hand.touch("lay", "undo")
    assert not screen.counting and screen.laid == laid
