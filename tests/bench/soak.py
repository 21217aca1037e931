"""Whether anything grows: `python -m tests.bench.soak [TURNS] [SEED]`; 100,000 turns take about half an hour.

A whole companion is played by touches at random, one game after the other, with computers now and then, the
camera where it is wanted, the store and the settings on the disk, every picture drawn. Prints the memory, the
open files and the threads of the program as the turns go by, the size of the store, and at the end how much
each has grown per 10,000 turns in the second half (least squares; in the first one pictures, words and
positions that are kept are still met for the first time). The exit status is 1 if files or threads grow, or
the memory by more than 0.5 MB per 10,000 turns.
"""

import os
import sys
import time

os.environ |= {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "COMPANION_DEV": "1"}

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.bench.asked import asked
from tests.process import handles, memory, threads
from tests.wanderer import Wanderer, companion

LOOKS = 40
MOST = 0.5  # MB of memory for 10,000 turns
Row = tuple[float, ...]
HEADS = ("turns", "RSS MB", "files", "threads", "store MB", "log MB", "ms/turn")


def size(path: Path) -> float:
    """Of a file, in MB."""
    return path.stat().st_size / 2**20 if path.exists() else 0.0


def growth(rows: Sequence[Row], column: int) -> float:
    """How much a column grows for 10,000 turns."""
    late = np.array(rows[len(rows) // 2 :])
    return float(np.polyfit(late[:, 0], late[:, column], 1)[0]) * 10_000


def main() -> int:
    """Play, and tell what has grown."""
    told = asked(__doc__, turns=100_000, seed=1)
    turns, seed = told.turns, told.seed
    rows: list[Row] = []
    print("".join(f"{head:>10}" for head in HEADS))
    with tempfile.TemporaryDirectory() as folder, companion(Path(folder)) as app:
        wanderer = Wanderer(app, random.Random(seed))
        store = Path(folder) / "companion.db"
        for look in range(1, LOOKS + 1):
            before, begun = wanderer.turns, time.process_time()
            while wanderer.turns < turns * look / LOOKS:
                wanderer.act()
            cost = 1000 * (time.process_time() - begun) / max(1, wanderer.turns - before)
            wanderer.rest()
            log = size(store.with_name(store.name + "-wal"))
            rows.append((wanderer.turns, memory(), handles(), threads(), size(store), log, cost))
            print("".join(f"{value:10.1f}" for value in rows[-1]), flush=True)
        print(f"of the games: {dict(wanderer.by_game)}; notices: {len(app.context.notices)}")
    grown = [growth(rows, column) for column in range(1, len(HEADS))]
    print("growth for 10,000 turns:")
    print("".join(f"{value:10.2f}" for value in (10_000, *grown)))
    return int(grown[0] > MOST or grown[1] >= 0.5 or grown[2] >= 0.5)


if __name__ == "__main__":
    sys.exit(main())
