"""How long every screen takes to be drawn, and from a touch to its picture: `python -m tests.bench.draw`.

Draws all screens that the tests take pictures of, at 800x480, and prints the slowest. The time of the window
system comes on top. Then every thing that can be touched on them is touched once, and drawn.
"""

import os
import statistics
import time

os.environ |= {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}

from collections.abc import Iterator

import pygame

from companion.events import Touch
from companion.screens.stage import Stage
from tests.bench.asked import asked
from tests.bench.table import context
from tests.screens.every import EVERY, Make

SIZE = (800, 480)
TIMES = 30


def staged(make: Make) -> Stage:
    """A screen on a table of its own."""
    return make(context("de"), SIZE)


def drawing(stage: Stage) -> float:
    """Seconds to draw it, the median."""
    stage.draw()
    times = []
    for _ in range(TIMES):
        begin = time.perf_counter()
        stage.draw()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def touching(make: Make) -> Iterator[float]:
    """Seconds from a finger that is lifted to the picture, for everything that can be touched."""
    for number in range(len(staged(make).widgets())):
        stage = staged(make)
        stage.draw()
        x, y = stage.widgets()[number].rect.center
        stage.handle(Touch(x, y, "down"))
        begin = time.perf_counter()
        stage.handle(Touch(x, y, "up"))
        stage.draw()
        yield time.perf_counter() - begin


def main() -> None:
    """All screens."""
    pygame.display.init()
    pygame.font.init()
    times = sorted(((drawing(staged(make)), name) for name, make in EVERY.items()), reverse=True)
    middle = 1e3 * statistics.median(t for t, _ in times)
    print(f"{len(times)} screens at {SIZE[0]}x{SIZE[1]}: median {middle:.1f} ms; the slowest:")
    for seconds, name in times[:8]:
        print(f"  {name:28} {1e3 * seconds:5.1f} ms")
    touches = sorted(t for make in EVERY.values() for t in touching(make))
    middle, most, longest = (1e3 * touches[int(part * (len(touches) - 1))] for part in (0.5, 0.95, 1))
    print(f"{len(touches)} touches: median {middle:.1f} ms, 95 % {most:.1f} ms, longest {longest:.1f} ms")


if __name__ == "__main__":
    asked(__doc__)
    main()
