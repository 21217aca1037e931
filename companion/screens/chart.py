"""Charts: how the scores of a game went."""

from collections import Counter
from collections.abc import Sequence

import pygame
from pygame import Rect

from companion.eye.dice import Colour
from companion.players import PlayerColour
from companion.screens.canvas import Canvas
from companion.screens.theme import DICE, FAINT, LINE, PLAYER_COLOURS


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
    level: Counter[float] = Counter()
    for player, colour in enumerate(colours):
        x, y = point(len(course) - 1, course[-1][player])
        side = c.px(24)
        beside = level[course[-1][player]] * side  # equal scores: one sign beside the other
        level[course[-1][player]] += 1
        c.player(Rect(x + c.px(2) - beside, y - side // 2, side, side), colour)


def bars(canvas: Canvas, box: Rect, scores: Sequence[float], colours: Sequence[PlayerColour]) -> None:
    """A bar for each player's score, with the score above and the player's sign below."""
    c, count = canvas, len(scores)
    most, low, head = max(1, *scores), c.px(40), c.px(40)
    wide = min(c.px(84), box.width // count)
    left = box.centerx - count * wide // 2
    room = box.height - low - head
    for player, (score, colour) in enumerate(zip(scores, colours, strict=True)):
        column = Rect(left + player * wide, box.y, wide, box.height)
        high = max(c.px(4), round(room * max(0, score) / most))
        bar = Rect(column.x + wide // 6, column.bottom - low - high, wide - wide // 3, high)
        pygame.draw.rect(c.surface, PLAYER_COLOURS[colour], bar, border_radius=min(c.px(6), high // 2))
        c.text(f"{score:g}", Rect(column.x, bar.y - head, wide, head), 32, face="title")
        side = c.px(30)
        c.player(Rect(column.centerx - side // 2, column.bottom - side, side, side), colour)


def histogram(canvas: Canvas, box: Rect, counts: Sequence[int], colour: Colour) -> None:
    """How often each face came, over pictures of the faces; a line where all would come equally often."""
    c, count = canvas, len(counts)
    low, head, wide = c.px(54), c.px(32), box.width // count
    room, most = box.height - low - head, max(1, *counts)
    numbers = []
    for i, times in enumerate(counts):
        column = Rect(box.x + i * wide, box.y, wide, box.height)
        high = max(c.px(3), round(room * times / most))
        bar = Rect(column.x + wide // 5, column.bottom - low - high, wide - 2 * (wide // 5), high)
        pygame.draw.rect(c.surface, DICE, bar, border_radius=min(c.px(5), high // 2))
        number = Rect(column.x, bar.y - head, wide, head)
        c.text(str(times), number, 26, face="title")
        numbers.append(number.inflate(c.text_width(str(times), number, 26, face="title") + c.px(8) - wide, 0))
        side = c.px(44)
        c.die(Rect(column.centerx - side // 2, column.bottom - side, side, side), i + 1, colour)
    y = box.bottom - low - round(room * sum(counts) / count / most)
    for x in range(box.x, box.right - c.px(8), c.px(16)):
        if Rect(x, y, c.px(8), c.px(2)).collidelist(numbers) >= 0:
            continue
        pygame.draw.line(c.surface, c.look.tone(FAINT), (x, y), (x + c.px(8), y), c.px(2))
