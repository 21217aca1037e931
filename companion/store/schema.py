"""The tables, as the steps that lead from each version of the file to the next.

A step that has been in use is never changed; a new one is added behind it. Times are UTC as ISO 8601;
the order of things is that of their ids, since clocks jump.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

import msgspec

PAGE = 4096  # bytes, as SQLite makes them

_THROWS = """
CREATE TABLE throws (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('camera', 'hand', 'demonstration'))
) STRICT
"""
# What was seen or entered at first, never changed afterwards
_DICE = """
CREATE TABLE dice (
    throw INTEGER NOT NULL REFERENCES throws,
    place INTEGER NOT NULL CHECK (place >= 0),
    face INTEGER CHECK (face BETWEEN 1 AND 6),
    read_face INTEGER CHECK (read_face BETWEEN 1 AND 6),
    colour TEXT,
    confidence REAL CHECK (confidence BETWEEN 0 AND 1),
    PRIMARY KEY (throw, place)
) STRICT, WITHOUT ROWID
"""
# What people changed: face NULL is "not a die", a place behind the last one is a die that was not seen.
# An undone correction stays, marked; older versions marked it anew when another had taken its place.
_CORRECTIONS = """
CREATE TABLE corrections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    throw INTEGER NOT NULL REFERENCES throws,
    place INTEGER NOT NULL CHECK (place >= 0),
    face INTEGER CHECK (face BETWEEN 1 AND 6),
    at TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'undone', 'replaced'))
) STRICT
"""
_STOPPER_RUNS = """
CREATE TABLE stopper_runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    began TEXT NOT NULL,
    interval_s REAL NOT NULL CHECK (interval_s > 0),
    ended TEXT,
    how TEXT CHECK (how IN ('reached', 'stopped')),
    CHECK ((ended IS NULL) = (how IS NULL))
) STRICT
"""
_STOPPER_THROWS = """
CREATE TABLE stopper_throws (
    run INTEGER NOT NULL REFERENCES stopper_runs,
    number INTEGER NOT NULL CHECK (number >= 1),
    value INTEGER NOT NULL CHECK (value BETWEEN 0 AND 3),
    at TEXT NOT NULL,
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID
"""
# `options` is JSON; `secret` is what the companion's throws and deals follow from
_GAMES = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    began TEXT NOT NULL,
    book TEXT NOT NULL,
    options TEXT NOT NULL,
    secret BLOB NOT NULL CHECK (length(secret) = 32),
    over INTEGER NOT NULL DEFAULT 0 CHECK (over IN (0, 1)),
    on_table INTEGER NOT NULL DEFAULT 0 CHECK (on_table IN (0, 1))
) STRICT
"""
# An undone move can be redone until another takes its place.
_MOVES = """
CREATE TABLE moves (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game INTEGER NOT NULL REFERENCES games,
    text TEXT NOT NULL,
    by TEXT NOT NULL CHECK (by IN ('person', 'camera', 'companion')),
    at TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'undone', 'replaced'))
) STRICT
"""

PARTS = """(
    (SELECT count(*) FROM dice WHERE throw = throws.id)
    + (SELECT count(*) FROM corrections WHERE throw = throws.id)
)"""
COUNT_PARTS = f"UPDATE throws SET parts = {PARTS}"
NUMBER_MOVES = """
UPDATE moves SET number = place FROM (
    SELECT id AS move, row_number() OVER (PARTITION BY game ORDER BY id) AS place FROM moves
) WHERE id = move
"""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        _THROWS,
        _DICE,
        _CORRECTIONS,
        "CREATE INDEX corrections_of_throw ON corrections (throw, state)",
        _STOPPER_RUNS,
        "CREATE INDEX running_stoppers ON stopper_runs (id) WHERE how IS NULL",
        _STOPPER_THROWS,
    ),
    (
        _GAMES,
        "CREATE UNIQUE INDEX one_on_table ON games (on_table) WHERE on_table = 1",
        _MOVES,
        "CREATE INDEX moves_of_game ON moves (game, state, id)",
    ),
    # Who plays and in which manner, and the seats that have won, both as JSON
    (
        "ALTER TABLE games ADD COLUMN party TEXT NOT NULL DEFAULT '{}'",
        "ALTER TABLE games ADD COLUMN winners TEXT NOT NULL DEFAULT '[]'",
    ),
    # What people have begun to enter and is no move yet
    ("ALTER TABLE games ADD COLUMN draft TEXT NOT NULL DEFAULT ''",),
    # A throw of which the eye was not sure is asked, until a person confirms it
    (
        "ALTER TABLE throws ADD COLUMN trust TEXT NOT NULL DEFAULT 'sure'"
        " CHECK (trust IN ('sure', 'asked', 'confirmed'))",
    ),
    # A die that was taught shows a sign instead of a face: die/side
    (
        "ALTER TABLE dice ADD COLUMN sign TEXT",
        "ALTER TABLE dice ADD COLUMN read_sign TEXT",
        "ALTER TABLE corrections ADD COLUMN sign TEXT",
    ),
    # How many corrections there were when a person confirmed it
    ("ALTER TABLE throws ADD COLUMN answered INTEGER",),
    # Of which dice of a throw that is asked the eye was not sure: the next best guess, 0 if there is none
    ("ALTER TABLE dice ADD COLUMN doubt INTEGER CHECK (doubt BETWEEN 0 AND 6)",),
    # How many dice and corrections a throw has, and which one of its game a move is: so a lost one is missed
    (
        "ALTER TABLE throws ADD COLUMN parts INTEGER",
        COUNT_PARTS,
        "ALTER TABLE moves ADD COLUMN number INTEGER",
        NUMBER_MOVES,
    ),
)
"""Step i, a tuple of statements, leads from version i to version i + 1 (`PRAGMA user_version`)."""


def seats(text: str) -> tuple[int, ...]:
    """Return the seats that some JSON means."""
    return msgspec.json.decode(text, type=tuple[int, ...])


_MEANING: Mapping[str, Mapping[str, Callable[[str], object]]] = {
    "throws": {"at": datetime.fromisoformat},
    "stopper_runs": {"began": datetime.fromisoformat},
    "games": {"began": datetime.fromisoformat, "winners": seats},
}


def understand(table: str, values: Mapping[str, str]) -> None:
    """Raise ValueError or TypeError if some columns of a table hold what cannot be read again."""
    for column, read in _MEANING.get(table, {}).items():
        if column in values:
            read(values[column])
