"""What can still be read of a damaged database goes into a new one."""

import os
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from itertools import count, takewhile
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any

from companion.store.log import mended
from companion.store.schema import COUNT_PARTS, NUMBER_MOVES, PAGE, PARTS, understand

MEMORY = Path("/dev/shm")  # where files need no disk
LAST = 2**31 - 1  # id: there are none behind it
Range = tuple[int, int]
PATIENCE = 1000  # failures after which the rest of a table is given up
UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)  # SQLite's words may be damaged, too
TABLES = (
    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
)


def rescue(damaged: Path, into: sqlite3.Connection) -> None:
    """Copy what can be read and understood of a file of ours: whole throws and runs, the beginnings of games.

    `into` is empty, and of the newest version. Raises sqlite3's errors if the rows cannot be written.
    """
    if not damaged.exists():  # only its log was there
        return
    with copied(damaged) as copy, closing(sqlite3.connect(copy, isolation_level=None)) as source:
        # Of a page that was cut off nobody can say what is missing: SQLite takes the rest of it for zeros.
        os.truncate(copy, copy.stat().st_size // PAGE * PAGE)
        _, log = parts(copy)
        if log.exists():
            log.write_bytes(mended(log.read_bytes()))
        tables = into.execute(TABLES).fetchall()
        with suppress(*UNREADABLE):
            _describe(source, tables)
        # Of the games on the table the last one is.
        into.execute(
            "CREATE TEMP TRIGGER one_on_table BEFORE INSERT ON games WHEN NEW.on_table"
            " BEGIN UPDATE games SET on_table = 0; END"
        )
        for table, _ in tables:
            _copy(source, into, table)
        into.execute("DROP TRIGGER one_on_table")
        _leave_out_half_throws(into, _Parts(source, into, "corrections", "throw", "corrections_of_throw"))
        _end_torn_games(into, _Parts(source, into, "moves", "game", "moves_of_game"))


@contextmanager
def copied(path: Path) -> Iterator[Path]:
    """A copy of a file and of its log, as far as they are there, for as long as it is needed: SQLite cannot
    read a write-ahead log without a place to write.
    """
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        copy = Path(folder) / "copy"
        for part, target in zip(parts(path), parts(copy), strict=True):
            if part.exists():
                copyfile(part, target)
        yield copy


def parts(path: Path) -> tuple[Path, Path]:
    """A file and its log."""
    return path, path.with_name(path.name + "-wal")


def _describe(source: sqlite3.Connection, tables: list[tuple[str, str]]) -> None:
    """Let the file describe its tables as they are now, whatever it says: columns were only ever added."""
    source.execute("PRAGMA writable_schema = ON")  # else a file that was cut off is not read at all
    for name, sql in tables:
        source.execute("UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?", (sql, name))
    source.execute("PRAGMA writable_schema = RESET")  # it is read anew
    source.execute("PRAGMA writable_schema = ON")


def _copy(source: sqlite3.Connection, into: sqlite3.Connection, table: str) -> None:
    described = into.execute("SELECT name, pk FROM pragma_table_info(?)", (table,)).fetchall()
    columns, key = [name for name, _ in described], next(name for name, rank in described if rank == 1)
    query = f"SELECT {', '.join(columns)} FROM {table} WHERE {key} BETWEEN ? AND ? ORDER BY {key}"
    insert = f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})"
    torn: list[Range] = []
    for row in _readable(source, query, torn):
        values = dict(zip(columns, row, strict=True))
        try:
            understand(table, values)
            into.execute(insert, row)
        except (ValueError, TypeError, sqlite3.IntegrityError):  # what it belongs to may be lost, too
            torn.append((values[key], values[key]))
    parents = into.execute("SELECT [table] FROM pragma_foreign_key_list(?) WHERE [from] = ?", (table, key))
    for (parent,) in parents.fetchall():
        for between in torn:  # half a throw would be another throw
            into.execute(f"DELETE FROM {table} WHERE {key} BETWEEN ? AND ?", between)
            into.execute(f"DELETE FROM {parent} WHERE id BETWEEN ? AND ?", between)


def _readable(source: sqlite3.Connection, query: str, torn: list[Range]) -> Iterator[tuple[Any, ...]]:
    """The rows of a query between two keys; where it fails each half is asked for alone.

    Between which keys it failed in the end is added to `torn`.
    """
    ranges, failures = [(0, LAST)], 0
    try:
        source.execute(f"{query} LIMIT 0", (0, 0))
    except UNREADABLE:  # there is no such table
        failures = PATIENCE
    while ranges and failures < PATIENCE:
        low, high = ranges.pop()
        try:
            yield from source.execute(query, (low, high)).fetchall()
        except UNREADABLE:
            failures += 1
            if low == high:
                torn.append((low, high))
            else:
                middle = (low + high) // 2
                ranges += [(middle + 1, high), (low, middle)]
    torn += ranges


class _Parts:
    """The corrections of throws, or the moves of games: which of them were copied and which are lost.

    `owners` has the throw or the game of each by its id, of most that are lost, too: they stand in an index,
    which must not say otherwise. `torn` are those that lack a part. `whole` says that every owner is known.
    """

    def __init__(
        self, source: sqlite3.Connection, into: sqlite3.Connection, table: str, owner: str, index: str
    ) -> None:
        copied = dict(into.execute(f"SELECT id, {owner} FROM {table}"))
        query = f"SELECT id, {owner} FROM {table} INDEXED BY {index} WHERE {owner} BETWEEN ? AND ?"
        indexed: dict[int, int] = dict(_readable(source, query, []))
        both = (indexed | copied).items()
        self.owners = {part: owner for part, owner in both if indexed.get(part, owner) == owner}
        self.torn = {self.owners[part] for part in self.owners.keys() - copied.keys()}
        self.whole = len(self.owners) == _made(source, table)


def _made(source: sqlite3.Connection, table: str) -> int | None:
    """How many rows were ever made: nothing but damage makes a table shorter."""
    try:
        made = source.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
    except UNREADABLE:
        return None
    return int(made[0]) if made else 0


def _leave_out_half_throws(into: sqlite3.Connection, corrections: _Parts) -> None:
    """Take away every throw of which a die or a correction is lost: it would count as what it was not.

    Older versions did not count them: unless it is known of which throw each correction was, any throw of
    theirs may lack one.
    """
    if corrections.whole:
        into.execute(f"{COUNT_PARTS} WHERE parts IS NULL")
    into.executemany("UPDATE throws SET parts = -1 WHERE id = ?", zip(corrections.torn))
    into.execute(f"UPDATE throws SET parts = -1 WHERE parts IS NOT {PARTS}")
    half = "SELECT id FROM throws WHERE parts = -1"
    for table, key in (("dice", "throw"), ("corrections", "throw"), ("throws", "id")):
        into.execute(f"DELETE FROM {table} WHERE {key} IN ({half})")


def _end_torn_games(into: sqlite3.Connection, moves: _Parts) -> None:
    """Take away all moves behind a lost one of the same game.

    Older versions did not number them: there all moves behind one that may be of any game are taken away.
    """
    places = _places(moves.owners)
    kept, torn = Counter[int](), set(moves.torn)
    for move, game, number in into.execute("SELECT id, game, number FROM moves ORDER BY id").fetchall():
        if (number or places.get(move)) == kept[game] + 1:
            kept[game] += 1
        else:
            into.execute("DELETE FROM moves WHERE id = ?", (move,))
            torn.add(game)
    into.executemany("UPDATE games SET over = 0, winners = '[]', draft = '' WHERE id = ?", zip(torn))
    if not moves.whole:  # what was begun to be entered may be for a later move
        into.execute("UPDATE games SET draft = ''")
    into.execute(NUMBER_MOVES)


def _places(games: Mapping[int, int]) -> dict[int, int]:
    """Which one of its game each move is, up to the first of which nobody knows of which game it was."""
    made, places = Counter[int](), dict[int, int]()
    for move in takewhile(games.__contains__, count(1)):
        made[games[move]] += 1
        places[move] = made[games[move]]
    return places
