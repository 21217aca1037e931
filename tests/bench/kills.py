"""Whether anything is lost when the whole companion is killed: `python -m tests.bench.kills [KILLS] [SEED]`.

Each time a companion starts, finds what the one before has left, and is played by touches at random, until
it is killed (SIGKILL) at a random moment: from outside, one in ten while it starts, or by itself between two
steps of SQLite. It says through a pipe what the store holds after each thing that was stored. Afterwards the
store must hold exactly that, or, if something was under way, all of that and what was under way, whole. What
is on the table must be there again, and the settings must be readable. 1,000 kills, the default, take about a
quarter of an hour.
"""

import os

os.environ |= {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "COMPANION_DEV": "1"}

import json
import random
import tempfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from companion.config import CONFIG, load_all, machine_file
from companion.journal import TURN
from companion.store import Store
from companion.table import Table
from tests.bench.asked import asked
from tests.killed import die_inside, killed, shown, tell
from tests.screens.conftest import screens
from tests.wanderer import Wanderer, companion

TABLES = ("throws", "dice", "corrections", "stopper_runs", "stopper_throws", "games", "moves")
Held = dict[str, Any]


def held(table: Table) -> Held:
    """What the store holds: a mark of all, and how much of each kind."""
    database = table._store._database
    mark = sha256(database._connection.serialize()).hexdigest()
    rows = {name: database.read(f"SELECT count(*) FROM {name}")[0][0] for name in TABLES}
    return {"mark": mark, **rows}


def play(folder: Path, pipe: int, chance: random.Random, inside: bool) -> None:
    """Play until killed."""
    with companion(folder) as app:
        table = app.context.table
        tell(pipe, {"found": shown(table), "notices": [str(notice.text) for notice in app.context.notices]})
        catch_up = table._journal.catch_up

        def write(seconds: float = TURN) -> None:
            tell(pipe, {"trying": True})
            catch_up(seconds)
            tell(pipe, {"held": held(table)})

        table._journal.catch_up = write  # type: ignore[method-assign]
        if inside:
            die_inside(table, chance.randrange(500, 20_000))
        wanderer = Wanderer(app, chance)
        while True:
            wanderer.act()


def kill_once(folder: Path, chance: random.Random) -> list[dict[str, Any]]:
    """Let a child play and die; return what it has said."""
    inside, seed = chance.random() < 0.3, chance.random()
    begun = chance.random() < 0.9  # else it is killed while it starts
    within = 20 if inside else chance.uniform(0.0, 0.5)
    return killed(lambda pipe: play(folder, pipe, random.Random(seed), inside), within, begun)


def follows(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether one thing was stored besides what was there: nothing may have become less."""
    return all(before[name] <= after[name] for name in TABLES)


def kill(folder: Path, kills: int, chance: random.Random) -> dict[str, int]:
    """Kill as often as asked; AssertionError if anything is lost."""
    under_way = stored = starts = 0
    with Store.open(folder / "companion.db") as store:
        last, left = held(table := Table(store)), shown(table)
    screens()  # imported once, and not by each child
    for number in range(kills):
        said = kill_once(folder, chance)
        for line in said[:1]:  # it came so far as to show something
            assert line["found"] == left, f"kill {number}: it came back to something else"
            assert not line["notices"], f"kill {number}: {line['notices']}"
            starts += 1
        told = [line["held"] for line in said if "held" in line]
        busy = bool(said) and "trying" in said[-1]
        before = told[-1] if told else last
        with Store.open(folder / "companion.db") as store:
            table = Table(store)
            assert table.unplayable is None and store.set_aside is None, f"kill {number}: damaged"
            last, left = held(table), shown(table)
        assert last == before or (busy and follows(before, last)), f"kill {number}: lost"
        if machine_file(folder).exists():
            assert not load_all(CONFIG, folder).foreign, f"kill {number}: the settings"
        under_way, stored = under_way + busy, stored + len(told)
    return {
        "kills": kills,
        "starts": starts,
        "under_way": under_way,
        "stored": stored,
        "games": last["games"],
    }


if __name__ == "__main__":
    told = asked(__doc__, kills=1000, seed="one")
    with tempfile.TemporaryDirectory() as data:
        print(json.dumps(kill(Path(data), told.kills, random.Random(told.seed))))
