"""What the board ought to show: the same screens here, touched as the board is touched."""

import time

import cv2
import numpy as np
import pygame

from companion.events import Effect, Event, Press, Touch
from companion.screens.base import Context
from companion.screens.home import HomeScreen
from companion.screens.stage import SETTLE_S, Stage
from tests.board.board import SIZE, Board, Image, until

APART = 60  # of 255: letters are not drawn alike everywhere, at their edges
ALIKE = 0.02  # so many of the points may be as far apart


class Twin:
    """A companion without camera, panel and voice, whose screens go where those of the board go."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.stage = Stage(context, [HomeScreen(context)], pygame.Surface(SIZE))

    def does(self, *events: Event) -> list[Effect]:
        """Something happens to it, when everything before is long over."""
        self.context.now += 60 * 60
        self.stage._active = self.context.now  # it does not sleep
        return [effect for event in events for effect in self.stage.handle(event)]

    def touches(self, board: Board, key: str) -> None:
        """A finger on what has that key, here and there; then both show the same."""
        x, y = next(w.rect for w in self.stage.widgets() if w.key == key).center
        time.sleep(2 * SETTLE_S)  # as long as people look; what comes sooner was meant for the screen before
        board.touch(x, y)
        self.does(Touch(x, y, "down"), Touch(x, y, "up"))
        self.is_shown(board)

    def presses(self, board: Board, button: str) -> None: ...

    def picture(self) -> Image:
        """What it shows (H x W x 3, BGR)."""
        self.stage.draw()
        rgb = pygame.surfarray.array3d(self.stage.canvas.surface).transpose(1, 0, 2)
        return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), np.uint8)

    def is_shown(self, board: Board) -> None:
        """Wait until the board shows the same."""
        mine = self.picture()
        until(lambda: alike(board.screen(), mine) or None, f"the screen {self.stage.top.title}")


def alike(one: Image, other: Image) -> bool:
    """Whether two screens show the same."""
    apart = np.abs(one.astype(np.int16) - other).max(axis=2) > APART
    return bool(apart.mean() < ALIKE)
