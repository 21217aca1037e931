"""Charts: how the scores of a game went."""

from collections.abc import Sequence

import pygame
from pygame import Rect

from companion.players import PlayerColour
from companion.screens.canvas import Canvas
from companion.screens.theme import FAINT, LINE, PLAYER_COLOURS


def lines(
    canvas: Canvas, box: Rect, course: Sequence[Sequence[float]], colours: Sequence[PlayerColour]
) -> None:
    """A line for each player: `course` has the scores of all players for each position of the game.

    Every line ends in its player's sign. The axis names the lowest and the highest score.
    """
    c, t = canvas, canvas.px(30)
    plot = Rect(box.x + t, box.y + t // 2, box.width - 2 * t, box.height - t)
    low, high = min(map(min, course)), max(max(map(max, course)), min(map(min, course)) + 1)

    def point(number: int, score: float) -> tuple[int, int]:
        across = number / max(1, len(course) - 1)
        return (
            round(plot.x + across * plot.width),
            round(plot.bottom - (score - low) / (high - low) * plot.height),
        )

    for score in (low, high):
        y = point(0, score)[1]
        pygame.draw.line(c.surface, c.look.tone(LINE), (plot.x, y), (plot.right, y), c.px(1.5))
        c.text(f"{score:g}", Rect(box.x, y - c.px(12), t - c.px(4), c.px(24)), 20, colour=FAINT)
    step = max(1, len(course) // plot.width)
    shown = [*range(0, len(course) - 1, step), len(course) - 1]
    for player, colour in enumerate(colours):
        points = [point(number, course[number][player]) for number in shown]
        if len(points) > 1:
            pygame.draw.lines(c.surface, PLAYER_COLOURS[colour], False, points, c.px(3.5))
    for player, colour in enumerate(colours):
        x, y = point(len(course) - 1, course[-1][player])
        side = c.px(24)
        c.player(Rect(x + c.px(2), y - side // 2, side, side), colour)
