"""The course of a game: whose line is whose is seen all along it, not only by its colour."""

import numpy as np
import pygame
from numpy.typing import NDArray
from pygame import Rect, Surface

from companion.players import COLOURS, PlayerColour
from companion.screens.canvas import Canvas
from companion.screens.chart import bars, lines
from companion.screens.theme import PLAYER_COLOURS

END = 60  # pixels at the end of a line, where its player's sign is anyway


def drawn(course: list[tuple[int, ...]]) -> Surface:
    """The chart as it is at the end of a game, on the seven-inch screen, without the ends of its lines."""
    canvas = Canvas(Surface((800, 480)))
    box = Rect(0, 0, 390, 260)
    lines(canvas, box, course, COLOURS[: len(course[0])])
    return canvas.surface.subsurface((0, 0, box.width - END, box.height))


def where(chart: Surface, colour: PlayerColour) -> NDArray[np.bool_]:
    """The pixels of a player's colour."""
    found: NDArray[np.bool_] = (pygame.surfarray.array3d(chart) == PLAYER_COLOURS[colour]).all(axis=2)
    return found


def signs(chart: Surface, colour: PlayerColour) -> list[tuple[int, ...]]:
    """How high each sign on a level line is, column by column."""
    high = where(chart, colour).sum(axis=1)
    found: list[list[int]] = [[]]
    for each in high:
        if each > 5:
            found[-1].append(int(each))
        elif found[-1]:
            found.append([])
    return [tuple(each) for each in found if each]


def test_along_a_line_there_are_signs_of_its_player_which_differ_in_shape() -> None:
    chart = drawn([(0, 1, 2, 3, 4)] * 40)
    found = [signs(chart, colour) for colour in COLOURS]
    assert all(len(each) >= 2 and all(len(sign) >= 8 for sign in each) for each in found)
    assert len({each[0] for each in found}) == len(COLOURS)


def test_lines_that_lie_on_each_other_are_all_seen() -> None:
    for turns in (2, 40, 2000):
        chart = drawn([(0, 0, 0, 0, 0)] * turns)
        assert all(where(chart, colour).sum() > 50 for colour in COLOURS), turns


def test_the_corners_of_bars_are_smooth() -> None:
    canvas = Canvas(Surface((390, 260)))
    bars(canvas, canvas.rect, (5,), COLOURS[:1])
    red = pygame.surfarray.array3d(canvas.surface)[:, 22:60, 0]  # below its number
    assert {0, PLAYER_COLOURS["red"][0]} < set(red.ravel().tolist())
