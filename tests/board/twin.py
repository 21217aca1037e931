"""What the board ought to show: the same screens here, which go where those of the board go."""

import time

import cv2
import numpy as np
import pygame
from pygame import Rect

from companion.config import CONFIG, load_panel
from companion.events import ButtonName, Event, Press, Touch
from companion.screens.base import Context
from companion.screens.home import HomeScreen, resumed
from companion.screens.stage import SETTLE_S, Stage
from tests.board.board import SIZE, Board, Image, until

APART = 60  # of 255; letters are not drawn quite alike by every SDL
ALIKE = 0.02  # so many of the points may be farther apart
TAP_S = 0.15  # for which a button is pressed; what is held for long means something else


class Twin:
    """A companion without camera, panel and voice, touched and pressed as the one on the board."""

    def __init__(self, context: Context, board: Board) -> None:
        self.context, self.board = context, board
        self.pins = load_panel(CONFIG / "panel.yaml")
        self.start()

    def start(self) -> None:
        """As after a start of the companion: with what the store holds."""
        screens = [HomeScreen(self.context), *resumed(self.context)]
        self.stage = Stage(self.context, screens, pygame.Surface(SIZE))

    def touches(self, *keys: str, seen: bool = True) -> None:
        """A finger on what has each key, here and there, once both show the same (unless not `seen`)."""
        for key in keys:
            x, y = next(w.rect for w in self.stage.widgets() if w.key == key).center
            self._look(seen)
            self.board.touch(x, y)
            self._does(Touch(x, y, "down"), Touch(x, y, "up"))

    def touches_beside(self) -> None:
        """A finger beside what lies on top, which goes away."""
        place = SIZE[0] // 2, SIZE[1] - 20
        self._look()
        self.board.touch(*place)
        self._does(Touch(*place, "down"), Touch(*place, "up"))

    def presses(self, *buttons: ButtonName) -> None:
        """A finger on each button of the panel."""
        for button in buttons:
            self._look()
            self.board.press(self.pins.buttons[button], TAP_S)
            self._does(Press(button))

    def _look(self, seen: bool = True) -> None:
        if seen:
            self.is_shown()
        time.sleep(2 * SETTLE_S)  # as people do; what is touched sooner was meant for the screen before

    def _does(self, *events: Event) -> None:
        self.context.now += 10
        for event in events:
            self.stage.handle(event)

    def picture(self) -> Image:
        """What it shows (H x W x 3, BGR), at rest."""
        self.context.now += 10
        self.stage.draw()
        rgb = pygame.surfarray.array3d(self.stage.canvas.surface).transpose(1, 0, 2)
        return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), np.uint8)

    def is_shown(self, part: Rect | None = None) -> None:
        """Wait until the board shows the same, at least in this part."""
        area = part or Rect((0, 0), SIZE)
        mine = cut(self.picture(), area)
        until(lambda: alike(cut(self.board.screen(), area), mine) or None, f"the screen {self.title}")

    @property
    def title(self) -> str:
        """What the screen is called."""
        return self.stage.top.title or type(self.stage.top).__name__


def cut(picture: Image, part: Rect) -> Image:
    """A part of a picture."""
    return picture[part.top : part.bottom, part.left : part.right]


def alike(one: Image, other: Image) -> bool:
    """Whether two pictures show the same."""
    if one.shape != other.shape:  # before the board has chosen its screen's size
        return False
    apart = np.abs(one.astype(np.int16) - other).max(axis=2) > APART
    return bool(apart.mean() < ALIKE)
