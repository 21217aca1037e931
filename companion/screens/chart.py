"""Charts: how the scores of a game went."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pygame
from pygame import Rect

from companion.eye.dice import Colour
from companion.players import PlayerColour
from companion.screens.canvas import Canvas
from companion.screens.theme import DICE, FAINT, LINE, PLAYER_COLOURS

Point = tuple[int, int]
SIGN = 17  # units: a player's sign on the way of his line


def lines(
    canvas: Canvas, box: Rect, course: Sequence[Sequence[float]], colours: Sequence[PlayerColour]
) -> None:
    """A line for each player: `course` has the scores of all players for each position of the game.

    Every line bears its player's sign along its way and at its end: lines that cross or lie on each other
    can be told apart by shape alone. The axis names the lowest and the highest score.
    """
    c, t = canvas, canvas.px(30)
    plot = Rect(box.x + t, box.y + t // 2, box.width - 2 * t, box.height - t)
    low, high = min(map(min, course)), max(max(map(max, course)), min(map(min, course)) + 1)
    last = len(course) - 1

    def point(number: int, score: float) -> Point:
        return (
            round(plot.x + number / max(1, last) * plot.width),
            round(plot.bottom - (score - low) / (high - low) * plot.height),
        )

    for score in (low, high):
        y = point(0, score)[1]
        pygame.draw.line(c.surface, c.look.tone(LINE), (plot.x, y), (plot.right, y), c.px(1.5))
        c.text(f"{score:g}", Rect(box.x, y - c.px(12), t - c.px(4), c.px(24)), 20, colour=FAINT)
    step = max(1, len(course) // plot.width)
    shown = [*range(0, last, step), last]
    ways = [[point(number, course[number][player]) for number in shown] for player in range(len(colours))]
    for way, colour in zip(ways, colours, strict=True):
        if last:
            pygame.draw.lines(c.surface, PLAYER_COLOURS[colour], False, way, c.px(3.5))
    _signs(c, plot, ways, colours)


def _signs(c: Canvas, plot: Rect, ways: Sequence[Sequence[Point]], colours: Sequence[PlayerColour]) -> None:
    """The sign of every player at the end of his line, and along it, the players in turn: none on another."""
    ends, level, side = list[Rect](), Counter[int](), c.px(24)
    for way, colour in zip(ways, colours, strict=True):
        x, y = way[-1]
        ends.append(Rect(x + c.px(2) - level[y] * side, y - side // 2, side, side))
        level[y] += 1  # equal scores: one sign beside the other
        c.player(ends[-1], colour)
    side = c.px(SIGN)
    for turn, x in enumerate(range(plot.x + side, plot.right, c.px(SIGN + 6))):
        player = turn % len(colours)
        xs, ys = zip(*ways[player], strict=True)
        sign = Rect(x - side // 2, round(np.interp(x, xs, ys)) - side // 2, side, side)
        if sign.collidelist(ends) < 0:
            c.player(sign, colours[player])


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
        c.card(bar, PLAYER_COLOURS[colour], radius=min(6, high / c.u / 2), shade=False)
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
        c.card(bar, DICE, radius=min(5, high / c.u / 2), shade=False)
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
