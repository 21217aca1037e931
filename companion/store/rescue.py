"""What can still be read of a damaged database goes into a new one."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

PAGE = 4096  # bytes, as SQLite makes them
MEMORY = Path("/dev/shm")  # where files need no disk
LAST = 2**31 - 1  # id: there are none behind it
Range = tuple[int, int]
PATIENCE = 1000  # failures after which the rest of a table is given up
GAPS = """
SELECT id, at FROM (SELECT id, at, lag(id, 1, 0) OVER (ORDER BY id) AS before FROM moves)
WHERE id > before + 1
"""


def rescue(damaged: Path, application_id: int, into: sqlite3.Connection) -> None:
    """Copy every row of a file of ours that can be read and that the tables `into` which it goes allow.

    Moves count on from one game to the next. Behind a lost one nobody can say what is missing: games that had
    begun by then end there. Raises sqlite3's errors if the rows cannot be written.
    """
    if not damaged.exists():  # only its log was there
        return
    with copied(damaged) as copy, closing(sqlite3.connect(copy)) as source:
        # Of a page that was cut off nobody can say what is missing: SQLite takes the rest of it for zeros.
        os.truncate(copy, copy.stat().st_size // PAGE * PAGE)
        source.execute("PRAGMA writable_schema = ON")  # else a file that was cut off is not read at all
        if not _is_ours(source, application_id):
            return
        tables = into.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid").fetchall()
        for (table,) in tables:
            if not table.startswith("sqlite_"):
                _copy(source, into, table)
    _end_torn_games(into)


@contextmanager
def copied(path: Path) -> Iterator[Path]:
    """A copy of a file and of its log, as far as they are there, for as long as it is needed: SQLite cannot
    read a write-ahead log without a place to write.
    """
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        copy = Path(folder) / "copy"
        for part, target in zip(parts(path), parts(copy), strict=True):
            if part.exists():
                target.write_bytes(part.read_bytes())
        yield copy


def parts(path: Path) -> tuple[Path, Path]:
    """A file and its log."""
    return path, path.with_name(path.name + "-wal")


def _is_ours(source: sqlite3.Connection, application_id: int) -> bool:
    try:
        return bool(source.execute("PRAGMA application_id").fetchone()[0] == application_id)
    except sqlite3.DatabaseError:
        return False


def _copy(source: sqlite3.Connection, into: sqlite3.Connection, table: str) -> None:
    there = dict(_columns(source, table))
    columns = [name for name, _ in _columns(into, table) if name in there]
    key = next((name for name, rank in there.items() if rank == 1), None)
    if key is None:
        return
    query = f"SELECT {', '.join(columns)} FROM {table} WHERE {key} BETWEEN ? AND ? ORDER BY {key}"
    insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    torn: list[Range] = []
    for row in _readable(source, query, torn):
        try:
            into.execute(insert, row)
        except sqlite3.IntegrityError:
            continue  # what it belongs to is lost, or it is no row of ours
    parents = into.execute("SELECT [table] FROM pragma_foreign_key_list(?) WHERE [from] = ?", (table, key))
    for (parent,) in parents.fetchall():
        for between in torn:  # half a throw would be another throw
            into.execute(f"DELETE FROM {table} WHERE {key} BETWEEN ? AND ?", between)
            into.execute(f"DELETE FROM {parent} WHERE id BETWEEN ? AND ?", between)


def _columns(connection: sqlite3.Connection, table: str) -> list[tuple[str, int]]:
    """The names of a table's columns, and their ranks in its key, from 1 on; nothing if that is lost."""
    try:
        return connection.execute("SELECT name, pk FROM pragma_table_info(?)", (table,)).fetchall()
    except sqlite3.DatabaseError:
        return []


def _readable(source: sqlite3.Connection, query: str, torn: list[Range]) -> Iterator[tuple[object, ...]]:
    """The rows of a query between two keys; where it fails each half is asked for alone.

    Between which keys it failed in the end is added to `torn`.
    """
    ranges, failures = [(0, LAST)], 0
    while ranges and failures < PATIENCE:
        low, high = ranges.pop()
        try:
            yield from source.execute(query, (low, high)).fetchall()
        except sqlite3.DatabaseError:
            failures += 1
            if low == high:
                torn.append((low, high))
            else:
                middle = (low + high) // 2
                ranges += [(middle + 1, high), (low, middle)]
    torn += ranges


def _end_torn_games(into: sqlite3.Connection) -> None:
    """Take away all moves that may follow a lost one: of games that had begun when the next one was made."""
    for behind, at in into.execute(GAPS).fetchall():
        torn = into.execute(
            "DELETE FROM moves WHERE id >= ?"
            " AND game IN (SELECT id FROM games WHERE began <= ?) RETURNING game",
            (behind, at),
        )
        for game in set(torn.fetchall()):
            into.execute("UPDATE games SET over = 0, winners = '[]', draft = '' WHERE id = ?", game)
