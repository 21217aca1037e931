"""A whole companion that runs in a test: its clock, its end, and what a person does to it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pygame

from companion.app import App
from companion.screens.stage import SETTLE_S


class Clock:
    """The real time, ahead by what people would have needed to look, to decide and to touch."""

    ahead = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.ahead


CLOCK = Clock()
PATIENCE = 30.0  # s, after which what does not come never will


@contextmanager
def closed() -> Iterator[list[App]]:
    """A list for companions, which are closed at the end."""
    made: list[App] = []
    try:
        yield made
    finally:
        for app in made:
            end(app)


def end(app: App) -> None:
    """Close a companion; the display is there for the next."""
    app.close()
    pygame.display.init()


def until(app: App, done: Callable[[], bool]) -> None:
    """Let the program run until something is so; on a busy machine that may take a while."""
    limit = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < limit, "it never came"
        app.step()


def click(app: App, key: str) -> None:
    """Touch what has that key, when time enough has passed."""
    CLOCK.ahead += 2 * SETTLE_S
    place = next(w.rect for w in app.stage.widgets() if w.key == key).center
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        pygame.event.post(pygame.event.Event(kind, pos=place, button=1, touch=False))
    app.step()
