"""How the whole program does on this machine: `python -m tests.bench.screen [WIDTH [HEIGHT]]`.

Prints the time to the first picture, the processor's share at rest on the home screen, the pictures a second
that the screen keeps while the eye works and dice fly, and the memory. No window is opened; the times of the
window system come on top.
"""

import os
import time

STARTED = time.perf_counter()
os.environ |= {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}

import statistics
import tempfile
from itertools import pairwise
from pathlib import Path

from companion.app import App
from companion.config import ASSETS, Settings
from companion.screens.dice import DiceScreen
from companion.store import Store
from companion.table import Table
from companion.voice import Voice
from companion.window import Window
from tests.bench.asked import asked
from tests.process import memory

SECONDS = 6.0


def pictures(app: App) -> list[float]:
    """Run for some seconds and return when each picture was shown."""
    shown: list[float] = []
    app.window.show = lambda: shown.append(time.perf_counter())  # type: ignore[method-assign]
    until = time.perf_counter() + SECONDS
    while time.perf_counter() < until:
        app.step()
    return shown


def at_rest(app: App) -> None:
    while app.voice.prepare():
        app.step()
    begin = time.process_time()
    shown = pictures(app)
    load = 100 * (time.process_time() - begin) / SECONDS
    print(f"at rest: {load:.1f} % of a core, {len(shown)} pictures drawn")


def at_work(app: App) -> None:
    """The demonstration runs and the screen always moves."""
    app.context.camera.demonstration = True
    screen = DiceScreen(app.context)
    app.stage.stack.append(screen)
    type(screen).animating = property(lambda self: True)  # type: ignore[method-assign, assignment]
    begin = time.process_time()
    shown = pictures(app)
    gaps = sorted(1000 * (b - a) for a, b in pairwise(shown))
    load = 100 * (time.process_time() - begin) / SECONDS
    middle, late = statistics.median(gaps), gaps[int(0.95 * len(gaps))]
    print(f"at work: {len(shown) / SECONDS:.1f} pictures a second, {load:.0f} % of a core")
    print(f"         from one picture to the next: median {middle:.1f} ms, 95 % {late:.1f} ms")


def main() -> None:
    size = asked(__doc__, width=800, height=480)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        table = Table(Store.open(data / "companion.db"))
        app = App(Settings(), table, Voice(ASSETS, "en"), Window((size.width, size.height)), data)
        app.step()
        print(f"first picture after {time.perf_counter() - STARTED:.2f} s (Python's own start comes on top)")
        at_rest(app)
        at_work(app)
        print(f"memory: {memory():.0f} MB, at most {memory(key='VmHWM'):.0f} MB")
        app.close()


main()
