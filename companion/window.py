"""The window: the only place that reads the window system's events, and the surface that people see."""

import contextlib
import math
import os
from collections.abc import Iterator
from typing import Literal

import pygame
from pygame import Surface

from companion.config import ASSETS
from companion.events import ButtonName, Event, Hold, Press, Quit, Resized, SpeakersChanged, Touch, Typed

KEYS: dict[int, ButtonName] = {
    pygame.K_RETURN: "confirm", pygame.K_KP_ENTER: "confirm", pygame.K_SPACE: "confirm",
    pygame.K_ESCAPE: "back", pygame.K_BACKSPACE: "back",
    pygame.K_LEFT: "left", pygame.K_RIGHT: "right", pygame.K_UP: "left", pygame.K_DOWN: "right",
    pygame.K_TAB: "right", pygame.K_u: "undo", pygame.K_z: "undo",
}  # fmt: skip
HOLD_S = 0.8
LOST_S = 5.0  # seconds after which a finger that does nothing gives way to another
TREMBLE = 0.03  # parts of the screen by which a hand that rests on it moves
MOST = 1920 * 1080  # pixels: of a screen with more each picture takes as much longer
UNSEEN = ("dummy", "offscreen")  # drivers that show nothing, which only tests ask for
Phase = Literal["down", "move", "up"]
_MOUSE: dict[int, Phase] = {pygame.MOUSEBUTTONDOWN: "down", pygame.MOUSEBUTTONUP: "up"}
_FINGER: dict[int, Phase] = {
    pygame.FINGERDOWN: "down",
    pygame.FINGERMOTION: "move",
    pygame.FINGERUP: "up",
}


class Window:
    """A window of `size` pixels (None: what suits the desktop), or the `whole_screen`. `rotation` is by how
    many degrees, 90 at a time, the screen is turned clockwise, if no desktop makes up for it.

    Raises pygame.error where there is no screen.
    """

    def __init__(self, size: tuple[int, int] | None, *, fullscreen: bool = False, rotation: int = 0) -> None:
        self.desktop = bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
        if self.desktop:
            # We draw in memory. There OpenGL would only copy that, and without a GPU take 100 MB for it.
            os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
        pygame.display.init()
        driver = pygame.display.get_driver()
        if driver in UNSEEN and os.environ.get("SDL_VIDEODRIVER") != driver:
            raise pygame.error("no display")  # SDL would go on where nobody sees it
        pygame.font.init()
        pygame.display.set_caption("Tabletop Companion")
        with contextlib.suppress(pygame.error, FileNotFoundError):  # an ornament only
            pygame.display.set_icon(pygame.image.load(ASSETS / "icons" / "companion.png"))
        flags = pygame.FULLSCREEN if fullscreen else pygame.RESIZABLE
        self._rotation = rotation
        self.surface = self._sheet(
            pygame.display.set_mode(whole_screen() if fullscreen else size or suitable(), flags)
        )
        pygame.mouse.set_visible(not fullscreen)
        self._down: dict[ButtonName, float] = {}
        self._finger: int | None = None  # which one touches, where it was last and since when
        self._there, self._since = (-1.0, -1.0), 0.0
        self.typing = False  # whether keys are letters

    def events(self, now: float) -> Iterator[Event]:
        """What people did since the last call, and the keys that have been held down for long by `now`."""
        for event in pygame.event.get():
            yield from self._translated(event, now)
        for button, since in list(self._down.items()):
            if now - since >= HOLD_S:
                self._down[button] = float("inf")
                yield Hold(button)

    def _translated(self, event: pygame.event.Event, now: float) -> Iterator[Event]:
        if event.type == pygame.QUIT:
            yield Quit()
        elif event.type in (pygame.AUDIODEVICEADDED, pygame.AUDIODEVICEREMOVED) and not event.iscapture:
            yield SpeakersChanged(gone=event.type == pygame.AUDIODEVICEREMOVED)
        elif event.type == pygame.VIDEORESIZE:
            self.surface = self._sheet(pygame.display.get_surface())
            yield Resized()
        elif event.type in (pygame.VIDEOEXPOSE, pygame.WINDOWEXPOSED):
            yield Resized()
        elif event.type in _FINGER and self._only(event, now):  # positions from 0 to 1
            pygame.mouse.set_visible(False)  # it would lie beside the finger
            wide, high = pygame.display.get_surface().get_size()
            yield self._touch(event.x * wide, event.y * high, _FINGER[event.type])
        elif event.type in _MOUSE and not getattr(event, "touch", False):  # else SDL made it of a finger
            if event.button == 1:
                yield self._touch(event.pos[0], event.pos[1], _MOUSE[event.type])
        elif event.type == pygame.MOUSEMOTION and not getattr(event, "touch", False):
            if any(event.rel):  # there is a mouse, and not only a pointer in the middle of the screen
                pygame.mouse.set_visible(True)
            if event.buttons[0]:
                yield self._touch(event.pos[0], event.pos[1], "move")
        elif event.type == pygame.KEYDOWN and self.typing and _letter(event):
            yield Typed(_letter(event))
        elif event.type == pygame.KEYDOWN and event.key in KEYS:
            self._down.setdefault(KEYS[event.key], now)
            yield Press(KEYS[event.key])
        elif event.type == pygame.KEYUP and event.key in KEYS:
            self._down.pop(KEYS[event.key], None)

    def _only(self, event: pygame.event.Event, now: float) -> bool:
        """Whether this is the one finger that counts: the palm of a hand beside it does not."""
        down, there = event.type == pygame.FINGERDOWN, (event.x, event.y)
        if down and (self._finger is None or now - self._since > LOST_S):
            self._finger = event.finger_id
        elif event.finger_id != self._finger:
            return False
        if down or math.dist(there, self._there) > TREMBLE:
            self._there, self._since = there, now
        if event.type == pygame.FINGERUP:
            self._finger = None
        return True

    def _sheet(self, screen: Surface) -> Surface:
        """What is drawn on: the screen itself, or what is turned when it is shown."""
        if not self._rotation:
            return screen
        wide, high = screen.get_size()
        return Surface((high, wide) if self._rotation % 180 else (wide, high))

    def _touch(self, x: float, y: float, phase: Phase) -> Touch:
        """A touch of a place of the screen, as what is drawn there has it."""
        wide, high = pygame.display.get_surface().get_size()
        for _ in range(self._rotation // 90):
            x, y, wide, high = high - 1 - y, x, high, wide
        return Touch(x, y, phase)

    def show(self) -> None:
        """Bring what was drawn on the surface before people's eyes."""
        if self._rotation:
            turned = pygame.transform.rotate(self.surface, self._rotation)  # counterclockwise
            pygame.display.get_surface().blit(turned, (0, 0))
        pygame.display.flip()

    def close(self) -> None:
        """Close the window."""
        pygame.display.quit()


def _letter(event: pygame.event.Event) -> str:
    """The letter that a key writes, "\b" for the step back, nothing for any other."""
    if event.key == pygame.K_BACKSPACE:
        return "\b"
    return str(event.unicode) if event.unicode and event.unicode.isprintable() else ""


def whole_screen() -> tuple[int, int]:
    """The whole screen as it is; of one with more than `MOST` pixels the largest mode of the same shape that
    has no more.
    """
    wide, high = pygame.display.get_desktop_sizes()[0]
    modes = pygame.display.list_modes() if wide * high > MOST else []
    return max((m for m in modes if m[0] * m[1] <= MOST and m[0] * high == m[1] * wide), default=(0, 0))


def suitable() -> tuple[int, int]:
    """The larger of two sizes that leaves room on the desktop."""
    wide, high = pygame.display.get_desktop_sizes()[0]
    return (1280, 720) if wide > 1280 and high > 800 else (800, 480)
