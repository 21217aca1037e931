"""What is remembered: throws of dice with their corrections, runs of the stopper, and games."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from sqlite3 import Connection
from typing import Literal

from companion.store.database import Database, StoreError, new_id, now
from companion.store.games import Games
from companion.store.standin import StandIn

Source = Literal["camera", "hand", "demonstration"]
Ending = Literal["reached", "stopped"]
Trust = Literal["sure", "asked", "confirmed"]
Face = int | str
"""What a die shows: 1..6, or the sign of one that was taught."""


@dataclass(frozen=True, slots=True)
class StoredDie:
    """One die of a throw.

    `face` is what counts now, None for what turned out to be no die. `read_face` is what the
    eye had read, with its colour and confidence (0..1); None for a die that was entered by hand, or lay there
    before and was not thrown. `doubt` is None where it was sure, else the next best guess, 0 if there is
    none.
    """

    face: Face | None
    read_face: Face | None = None
    colour: str | None = None
    confidence: float | None = None
    doubt: int | None = None


@dataclass(frozen=True, slots=True)
class StoredThrow:
    """One throw. `dice` keeps its order for ever: a die that was taken off stays, with `face` None.

    `before` are the dice as they counted before each correction, the first reading first. `trust` says
    whether the eye was sure; if it asked, whether a person has confirmed what it had read, and after how
    many corrections (None: that was not kept yet).
    """

    id: int
    source: Source
    dice: tuple[StoredDie, ...]
    before: tuple[tuple[StoredDie, ...], ...]
    trust: Trust
    answered: int | None


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run of the stopper that was not ended: the values thrown so far (0 is a blank)."""

    id: int
    values: tuple[int, ...]


class Store:
    """The memory of the companion. What a method has returned from is on the disk.

    Every method raises `StoreError` if the disk fails, and `ValueError` for a throw, a die or a run
    that there is not. To be used from one thread; `with` closes it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.games = Games(database)

    @classmethod
    def open(cls, path: Path | None, alone: bool = False) -> "Store":
        """Open the store in a file, made with its folder if missing; None keeps everything in memory only.

        `alone` refuses a second program that wants it alone too.
        """
        return cls(Database.open(path, alone))

    @classmethod
    def standing_in(cls, path: Path, trouble: StoreError) -> "Store":
        """A store in memory that holds what the file holds, until that can be written: see `move_in`."""
        return cls(StandIn(path, trouble))

    @property
    def trouble(self) -> StoreError | None:
        """Why nothing of this is on the disk; None if all is."""
        return self._database.trouble

    def move_in(self) -> None:
        """Go to the disk with everything, if the store stands in for a file that can be written now."""
        self._database.move_in()

    @property
    def set_aside(self) -> Path | None:
        """The damaged file in whose place the store was begun; None once a store with that was closed."""
        return self._database.set_aside

    def close(self) -> None:
        """Close the file; twice does no harm."""
        self._database.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """All that is stored within is stored, or nothing of it."""
        with self._database.writing():
            yield

    def add_throw(self, source: Source, dice: Sequence[StoredDie], trust: Trust = "sure") -> int:
        """Store a throw and return its id."""
        with self._database.writing() as connection:
            return _add_throw(connection, source, dice, trust)

    def confirm(self, throw_id: int, right: bool = True) -> None:
        """A person says that a throw that was asked is right, or takes that back."""
        trust: Trust = "confirmed" if right else "asked"
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE throws SET trust = ?, answered = (SELECT count(*) FROM corrections"
                " WHERE throw = throws.id AND state = 'active') WHERE id = ?",
                (trust, throw_id),
            )

    def replace_throw(
        self, throw_id: int, source: Source, dice: Sequence[StoredDie], trust: Trust = "sure"
    ) -> int:
        """Store a throw in the place of another, no die of which counts any more; return its id. What no
        person has said of that one is asked for good.
        """
        with self._database.writing() as connection:
            for place in range(_count_dice(connection, throw_id)):
                _add_correction(connection, throw_id, place, None)
            connection.execute("UPDATE throws SET trust = 'asked' WHERE id = ?", (throw_id,))
            return _add_throw(connection, source, dice, trust)

    def correct(self, throw_id: int, index: int, face: Face | None) -> None:
        """Let the die at `index` of the throw count as `face`, or as no die at all (None)."""
        with self._database.writing() as connection:
            if not 0 <= index < _count_dice(connection, throw_id):
                raise ValueError(f"throw {throw_id} has no die {index}")
            _add_correction(connection, throw_id, index, face)

    def add_die(self, throw_id: int, face: Face) -> None:
        """Add a die that was not seen behind the others of the throw."""
        with self._database.writing() as connection:
            _add_correction(connection, throw_id, _count_dice(connection, throw_id), face)

    def undo(self, throw_id: int) -> None:
        """Take back the last correction of a throw."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE corrections SET state = 'undone' WHERE id ="
                " (SELECT max(id) FROM corrections WHERE throw = ? AND state = 'active')",
                (throw_id,),
            )

    def last_throws(self, count: int) -> tuple[StoredThrow, ...]:
        """Return up to `count` throws, the newest first, with the faces that count now; those of the
        demonstration are none.
        """
        query = (
            "SELECT id, source, trust, answered FROM throws"
            " WHERE source != 'demonstration' ORDER BY id DESC LIMIT ?"
        )
        throws = []
        for id, source, *answer in self._database.read(query, count):
            *before, dice = self._versions(id)
            throws.append(StoredThrow(id, source, dice, tuple(before), *answer))
        return tuple(throws)

    def faces_read(self) -> tuple[tuple[str, int, int], ...]:
        """Return (colour, face, how often) for the dice that were thrown before the camera, as they count
        now: of what it asks about only the dice that people have corrected.
        """
        query = """
            SELECT colour, shown, count(*) FROM (
                SELECT dice.colour AS colour, CASE WHEN corrections.id IS NULL THEN dice.face
                    ELSE corrections.face END AS shown
                FROM dice JOIN throws ON throws.id = dice.throw AND throws.source = 'camera'
                LEFT JOIN corrections ON corrections.id = (
                    SELECT max(id) FROM corrections
                    WHERE throw = dice.throw AND place = dice.place AND state = 'active')
                WHERE dice.read_face IS NOT NULL AND (throws.trust != 'asked' OR corrections.id IS NOT NULL))
            WHERE shown IS NOT NULL GROUP BY colour, shown ORDER BY colour, shown"""
        return tuple(self._database.read(query))

    def begin_stopper(self, interval_s: float) -> int:
        """Store that the stopper was started; return the id of the run. One still running is stopped."""
        with self._database.writing() as connection:
            at = now()
            connection.execute("UPDATE stopper_runs SET how = 'stopped', ended = ? WHERE how IS NULL", (at,))
            insert = "INSERT INTO stopper_runs (began, interval_s) VALUES (?, ?)"
            return new_id(connection, insert, at, float(interval_s))

    def add_stopper(self, run_id: int, value: int) -> None:
        """Store the next value (0 for a blank, 1..3) that the stopper die has shown."""
        with self._database.writing() as connection:
            _require_running(connection, run_id)
            connection.execute(
                "INSERT INTO stopper_throws (run, number, value, at)"
                " SELECT :run, count(*) + 1, :value, :at FROM stopper_throws WHERE run = :run",
                {"run": run_id, "value": int(value), "at": now()},
            )

    def end_stopper(self, run_id: int, how: Ending) -> None:
        """Store how a run has ended."""
        with self._database.writing() as connection:
            _require_running(connection, run_id)
            connection.execute(
                "UPDATE stopper_runs SET how = ?, ended = ? WHERE id = ?", (how, now(), run_id)
            )

    def unfinished_stopper(self) -> StoredRun | None:
        """Return the run that was not ended, for instance because of a power cut."""
        query = "SELECT id FROM stopper_runs WHERE how IS NULL"  # one at most
        for (id,) in self._database.read(query):
            rows = self._database.read("SELECT value FROM stopper_throws WHERE run = ? ORDER BY number", id)
            return StoredRun(id, tuple(value for (value,) in rows))
        return None

    def _versions(self, throw_id: int) -> list[tuple[StoredDie, ...]]:
        """Return the dice of a throw as they were read, and as they counted after each correction."""
        query = """
            SELECT coalesce(face, sign), coalesce(read_face, read_sign), colour, confidence, doubt
            FROM dice WHERE throw = ? ORDER BY place"""
        dice = [StoredDie(*row) for row in self._database.read(query, throw_id)]
        query = """
            SELECT place, coalesce(face, sign) FROM corrections
            WHERE throw = ? AND state = 'active' ORDER BY id"""
        return list(_corrected(tuple(dice), self._database.read(query, throw_id)))


def _add_throw(connection: Connection, source: Source, dice: Sequence[StoredDie], trust: Trust) -> int:
    insert = "INSERT INTO throws (at, source, trust, parts) VALUES (?, ?, ?, ?)"
    throw = new_id(connection, insert, now(), source, trust, len(dice))
    rows = [(throw, place, *_columns(die)) for place, die in enumerate(dice)]
    insert = (
        "INSERT INTO dice (throw, place, face, sign, read_face, read_sign, colour, confidence, doubt)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
    )
    connection.executemany(insert, rows)
    return throw


def _columns(die: StoredDie) -> tuple[int | str | float | None, ...]:
    """Return the columns of a die as plain numbers, whatever kind of number the eye had."""
    confidence = None if die.confidence is None else float(die.confidence)
    return (*_face_sign(die.face), *_face_sign(die.read_face), die.colour, confidence, die.doubt)


def _face_sign(shown: Face | None) -> tuple[int | None, str | None]:
    """Return the two columns for what a die shows; both are NULL for no die."""
    return (None, shown) if shown is None or isinstance(shown, str) else (int(shown), None)


def _corrected(
    dice: tuple[StoredDie, ...], corrections: Iterable[tuple[int, Face | None]]
) -> Iterator[tuple[StoredDie, ...]]:
    """Yield the dice at first and after each correction; a place behind the last one is an added die."""
    yield dice
    for place, face in corrections:
        changed = replace(dice[place], face=face) if place < len(dice) else StoredDie(face)
        dice = (*dice[:place], changed, *dice[place + 1 :])
        yield dice


def _count_dice(connection: Connection, throw_id: int) -> int:
    """Return how many dice a throw has, with those that were added and those taken off."""
    if connection.execute("SELECT 1 FROM throws WHERE id = ?", (throw_id,)).fetchone() is None:
        raise ValueError(f"there is no throw {throw_id}")
    (count,) = connection.execute(
        "SELECT count(*) FROM (SELECT place FROM dice WHERE throw = :throw"
        " UNION SELECT place FROM corrections WHERE throw = :throw AND state = 'active')",
        {"throw": throw_id},
    ).fetchone()
    return int(count)


def _add_correction(connection: Connection, throw_id: int, place: int, face: Face | None) -> None:
    connection.execute(
        "INSERT INTO corrections (throw, place, face, sign, at) VALUES (?, ?, ?, ?, ?)",
        (throw_id, place, *_face_sign(face), now()),
    )
    connection.execute("UPDATE throws SET parts = parts + 1 WHERE id = ?", (throw_id,))


def _require_running(connection: Connection, run_id: int) -> None:
    query = "SELECT 1 FROM stopper_runs WHERE id = ? AND how IS NULL"
    if connection.execute(query, (run_id,)).fetchone() is None:
        raise ValueError(f"there is no stopper run {run_id} that is still running")
