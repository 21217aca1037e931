"""A process that plays and is killed again and again; run by test_table_killed.py.

    python tests/killed.py FILE KILLS SEED

Each time a child takes up what the store holds, plays, takes back and makes again, and says through a pipe
what it is going to do and what the table then shows. It is killed at a random moment: by a signal from
outside, or by itself between two steps of SQLite, most often inside a transaction. Afterwards the store must
show what was acknowledged last, or that with the one move on top that was under way. Prints the number of
kills, of those inside a transaction, and of moves that were acknowledged.
"""

import json
import os
import random
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.config import CONFIG
from companion.games.book import books
from companion.store import Store
from companion.table import Table


def shown(table: Table) -> list[list[str]]:
    """What lies on the table: the game with its moves, and those that can be made again."""
    game = table.game
    if game is None:
        return []
    position = str(game.match.book.notation.state(game.match.position))
    return [[position, *(move.text for move in game.done)], [move.text for move in game.undone]]


def step(table: Table, choose: random.Random) -> None:
    """Do one thing at the table."""
    if table.game is None or table.game.match.position.over or choose.random() < 0.1:
        book = books()[choose.choice(sorted(books()))]
        table.begin(book, book.agree(CONFIG))
        return
    what = choose.random()
    if what < 0.15 and table.game.done:
        table.undo()
    elif what < 0.25 and table.game.undone:
        table.redo()
    else:
        awaited = choose.choice(table.game.match.awaits)
        texts = table.game.match.texts(awaited)
        if awaited.who is None:
            table.throw(awaited)
        else:
            table.play(choose.choice(texts or []))


def play(file: Path, pipe: int, choose: random.Random, inside: bool) -> None:
    """Play until killed."""
    table = Table(Store.open(file))
    tell(pipe, {"shown": shown(table)})
    if inside:
        die_inside(table, choose.randrange(20, 2500))
    while True:
        tell(pipe, {"trying": True})
        step(table, choose)
        tell(pipe, {"shown": shown(table)})


def die_inside(table: Table, left: int) -> None:
    """Let this process kill itself after so many steps of SQLite."""

    def one_step() -> int:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return 0

    table._store._database._connection.set_progress_handler(one_step, 1)


def tell(pipe: int, what: dict[str, object]) -> None:
    """Write a line."""
    data = (json.dumps(what) + "\n").encode()
    while data:
        data = data[os.write(pipe, data) :]


def killed(plays: Callable[[int], None], within: float | None, begun: bool = False) -> list[dict[str, Any]]:
    """Let a child play, which says lines through a pipe, and die; return what it has said.

    It is killed `within` so many seconds, from its first word on if it shall have `begun`; None: it does so
    itself.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            plays(writing)
        finally:
            os._exit(1)
    os.close(writing)
    if begun:
        select.select([reading], [], [])
    said = _listened(reading, None if within is None else time.monotonic() + within, child)
    os.close(reading)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, "the child ended by itself"
    return [json.loads(line) for line in said.split(b"\n")[:-1]]


def kill_once(file: Path, choose: random.Random) -> tuple[list[list[list[str]]], bool]:
    """Let a child play and die; return what it has shown, and whether it died while doing something."""
    inside = choose.random() < 0.5
    seed = choose.random()
    lines = killed(
        lambda pipe: play(file, pipe, random.Random(seed), inside),
        None if inside else choose.uniform(0.002, 0.08),
    )
    return [line["shown"] for line in lines if "shown" in line], bool(lines) and "trying" in lines[-1]


def _listened(pipe: int, deadline: float | None, child: int) -> bytes:
    """Return all that the child says; at the deadline it is killed."""
    said = b""
    while True:
        wait = None if deadline is None else max(0.0, deadline - time.monotonic())
        if not select.select([pipe], [], [], wait)[0]:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            deadline = None
            continue
        data = os.read(pipe, 65536)
        if not data:
            return said
        said += data


def follows(before: list[list[str]], after: list[list[str]]) -> bool:
    """Whether one thing done at the table can lead from one to the other."""
    if not before or after == before:
        return True
    (_, *done), undone = before
    (_, *now), left = after
    played = now[:-1] == done and left == []
    taken_back = now == done[:-1] and left == undone + done[-1:]
    made_again = undone != [] and now == done + undone[-1:] and left == undone[:-1]
    begun = now == [] and left == []
    return played or taken_back or made_again or begun


def main() -> None:
    """Kill as often as asked."""
    file, kills, choose = Path(sys.argv[1]), int(sys.argv[2]), random.Random(sys.argv[3])
    moves = under_way = 0
    last: list[list[str]] = []
    for book in books().values():  # read once, and not by each child
        book.agree(CONFIG)
    for number in range(kills):
        shows, busy = kill_once(file, choose)
        assert not shows or shows[0] == last, f"kill {number}: it came back to something else"
        acknowledged = shows[-1] if shows else last
        table = Table(Store.open(file))
        assert table.unplayable is None and table._store.set_aside is None
        last = shown(table)
        table.close()
        assert last == acknowledged or (busy and follows(acknowledged, last)), f"kill {number}: lost"
        moves += max(0, len(shows) - 1)
        under_way += busy
    print(json.dumps({"kills": kills, "under_way": under_way, "moves": moves}))


if __name__ == "__main__":
    main()
