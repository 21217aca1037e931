"""One SQLite file: opened, migrated, set aside when it is damaged; its errors as ours."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from enum import Enum
from functools import lru_cache
from itertools import chain
from pathlib import Path
from shutil import disk_usage
from stat import S_ISREG
from tempfile import TemporaryFile
from typing import Any

from companion.disk import is_closed, is_full
from companion.store import aside
from companion.store.log import is_damaged
from companion.store.rescue import copied, parts, rescue
from companion.store.schema import MIGRATIONS, PAGE, PARTS, understand

APPLICATION_ID = 0x54544331  # "TTC1": the file is ours
LOGGED = 100  # pages in the log, of which some three are a move, that are then written where they belong
BUSY_S = 1.0
ROOM = 64 * 1024  # bytes on the disk without which a database cannot be opened
SCHEMA = "SELECT CAST(name AS BLOB), CAST(sql AS BLOB) FROM sqlite_schema"
TEXTS = """
SELECT tables.name, columns.name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
WHERE tables.type = 'table' AND columns.type = 'TEXT'
"""


class StoreErrorKind(Enum):
    """Why something could not be stored or read."""

    FULL = "full"
    READ_ONLY = "read-only"
    LOCKED = "locked"
    OVERTAKEN = "overtaken"  # only a `StandIn`: another program has written what it stands in for
    NEWER = "newer"
    DAMAGED = "damaged"
    BROKEN = "broken"


class StoreError(Exception):
    """The store failed; `kind` says why, `detail` is for the log, `error` is what the system has said, if it
    has. What was acknowledged before is kept.
    """

    def __init__(self, kind: StoreErrorKind, detail: str, error: OSError | None = None) -> None:
        super().__init__(f"{kind.value}: {detail}")
        self.kind, self.detail, self.error = kind, detail, error

    @property
    def unwritable(self) -> bool:
        """Whether what the file holds may still be read: see `StandIn`."""
        return self.kind in (StoreErrorKind.FULL, StoreErrorKind.READ_ONLY)


def now() -> str:
    """Return the time as it is stored."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def new_id(connection: sqlite3.Connection, insert: str, *values: object) -> int:
    """Insert a row and return its id."""
    (id,) = connection.execute(f"{insert} RETURNING id", values).fetchone()
    return int(id)


class DamagedError(StoreError):
    """The file is no database, not ours, or torn, or holds what cannot be understood."""

    def __init__(self) -> None:
        super().__init__(StoreErrorKind.DAMAGED, "the file is damaged")


_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_NO_FORMAT = "unsupported file format"
_KINDS = {
    sqlite3.SQLITE_FULL: StoreErrorKind.FULL,
    sqlite3.SQLITE_READONLY: StoreErrorKind.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: StoreErrorKind.READ_ONLY,
    sqlite3.SQLITE_PERM: StoreErrorKind.READ_ONLY,
    sqlite3.SQLITE_BUSY: StoreErrorKind.LOCKED,
    sqlite3.SQLITE_LOCKED: StoreErrorKind.LOCKED,
    sqlite3.SQLITE_PROTOCOL: StoreErrorKind.LOCKED,
}


def _code(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code, 0 for an error of the Python module."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _of_disk(path: Path) -> StoreErrorKind | None:
    """What is wrong with the disk of a file, where SQLite only says that a write failed."""
    with suppress(OSError):
        disk = os.statvfs(path.parent)
        if disk.f_flag & os.ST_RDONLY:
            return StoreErrorKind.READ_ONLY
        if disk.f_bavail * disk.f_frsize < ROOM:
            return StoreErrorKind.FULL
    return None


def _refuse_read_only(path: Path | None) -> None:
    """Raise if the disk takes nothing: ext4 then writes into memory, and says that it is on the disk."""
    if path is not None and _of_disk(path) is StoreErrorKind.READ_ONLY:
        raise StoreError(StoreErrorKind.READ_ONLY, "the disk is mounted read-only")


@contextmanager
def our_errors(path: Path | None = None) -> Iterator[None]:
    """Turn the errors of sqlite3 and of the file system into ours; `path` is the database's file."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise ValueError(f"this cannot be stored: {error}") from error
    except sqlite3.Error as error:
        kind = _KINDS.get(_code(error)) or (path and _of_disk(path)) or StoreErrorKind.BROKEN
        raise StoreError(kind, str(error)) from error
    except OSError as error:
        kind = StoreErrorKind.BROKEN
        if is_full(error):
            kind = StoreErrorKind.FULL
        elif is_closed(error):
            kind = StoreErrorKind.READ_ONLY
        raise StoreError(kind, str(error), error) from error


@contextmanager
def _told_by_system(path: Path | None) -> Iterator[None]:
    """Where SQLite only says that a file cannot be opened, the system is asked why."""
    try:
        yield
    except StoreError as error:
        unexplained = error.error is None and error.kind in (StoreErrorKind.READ_ONLY, StoreErrorKind.BROKEN)
        if path is not None and unexplained:
            with our_errors():
                ask_disk(path)
        raise


def ask_disk(path: Path, room: int = 0) -> None:
    """Raise the system's error if a file may not be written, or nothing beside it, where its logs lie, or if
    there is not so much room.
    """
    if path.exists():
        path.open("r+b").close()
    if disk_usage(path.parent).free < room:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
    TemporaryFile(dir=path.parent).close()


class Database:
    """An open database in which every transaction that has ended is on the disk.

    `set_aside` is where a damaged file was put before a new one was begun with what could be read of it, None
    if there was none, or once people have been told and it was closed. `trouble` is why what it holds is not
    on the disk: None, but for a `StandIn`.
    """

    trouble: StoreError | None = None

    def __init__(
        self,
        parts: ExitStack,
        connection: sqlite3.Connection,
        path: Path | None,
        set_aside: Path | None = None,
    ) -> None:
        self._parts, self._connection, self._path = parts, connection, path
        self.set_aside = set_aside

    @classmethod
    def open(cls, path: Path | None, alone: bool = False) -> "Database":
        """Open a file, made if it is missing, and migrate it; None is a database in memory.

        Raises `StoreError`; a file of a newer version than ours is left as it is. Only one program at a time
        opens a file `alone`; others can still read it.
        """
        with _told_by_system(path), our_errors(path), ExitStack() as parts:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                if alone:
                    parts.enter_context(closing(_hold(path, BUSY_S)))
                    ask_disk(path)  # SQLite opens what may only be read, and its log is then such a file, too
            if path is None:
                connection = prepared(_connected(":memory:"))
            elif alone:
                connection = _made(path)
            else:
                connection = _shared(path)
            parts.enter_context(closing(connection))
            if alone:
                with suppress(sqlite3.Error):  # the log begins anew, without what was cut off
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                _refuse_read_only(path)  # a log that is there already hides it, and the connection stays so
            return Database(parts.pop_all(), connection, path, aside.unsaid(path) if path else None)

    def move_in(self) -> None:
        """Go to the disk, if that is to be done and can be done now: see `StandIn`."""

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, or a part of the one around it: on leaving it is on the disk, on an error nothing
        of it is.

        Raises `StoreError`, or `ValueError` for values that the tables do not allow.
        """
        with our_errors(self._path):
            if self._connection.in_transaction:
                yield self._connection
                return
            _refuse_read_only(self._path)
            with _transaction(self._connection):
                yield self._connection

    def read(self, query: str, *values: object) -> list[Any]:
        """Return the rows of a query."""
        with our_errors(self._path):
            return self._connection.execute(query, values).fetchall()

    def close(self) -> None:
        """Close the file; twice does no harm."""
        with our_errors(self._path):
            self._parts.close()
        if self.set_aside and self._path:
            aside.said(self._path)


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException as error:
        with suppress(sqlite3.Error):  # the error that led here is the one to report
            if connection.in_transaction:  # SQLite has taken back what it could not write itself
                connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError) and _code(error) != sqlite3.SQLITE_FULL:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # all of it may stand in the log
        raise


def _hold(path: Path, patience: float = 0) -> sqlite3.Connection:
    """Lock a file beside the store until the connection is closed, or the program ends, however it ends."""
    file = path.with_name(path.name + ".lock")
    if file.exists() and file.stat().st_size:  # damaged: nothing is ever written
        file.unlink()
    lock = sqlite3.connect(file, timeout=patience, isolation_level=None)
    try:
        lock.execute("PRAGMA journal_mode = MEMORY")
        lock.execute("BEGIN EXCLUSIVE")
    except BaseException:
        lock.close()
        raise
    return lock


def in_use(path: Path) -> bool:
    """Whether another program has opened the store in a file alone: a companion that runs."""
    try:
        path.with_name(path.name + ".lock").stat()  # not `exists`: from Python 3.14 on that never raises
        _hold(path).close()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (sqlite3.Error, OSError):  # it belongs to another user: only a service has its own
        return True
    return False


def hindrance(path: Path) -> StoreError | None:
    """Why a file could not be opened as it is; None if it could, or is not there. Nothing is changed.

    Never for a store that this program has opened: closing a file lets go of all locks that the program has
    on it (https://www.sqlite.org/howtocorrupt.html), and another program then takes the log away.
    """
    try:
        with our_errors(path):
            for part in (*parts(path), path.with_name(path.name + ".lock")):
                with suppress(FileNotFoundError, NotADirectoryError):
                    if not S_ISREG(part.stat().st_mode):
                        raise StoreError(StoreErrorKind.BROKEN, f"{part} is no file")  # it may never end
                    part.open("r+b").close()
            if any(part.exists() for part in parts(path)) and not in_use(path):
                with copied(path) as copy:
                    refuse_torn(copy)
                    prepared(_connected(copy.as_uri())).close()
    except StoreError as error:
        return error
    return None


def is_there(path: Path) -> bool:
    """Whether there is a file, or will be when it has been mended. Raises `StoreError` if nobody may look."""

    def there() -> bool:
        with suppress(FileNotFoundError):
            return bool(path.stat())
        return False

    with our_errors():
        return there() or aside.pending(path) is not None or there()  # that took its place in between


def _shared(path: Path) -> sqlite3.Connection:
    """Open a file that another program may have opened alone: that may be making or mending it just now."""
    try:
        return _found(path)
    except DamagedError:
        try:
            with closing(_hold(path, BUSY_S)):
                return _made(path)
        except sqlite3.OperationalError as held:
            with suppress(DamagedError):
                return _found(path)
            raise held


def _made(path: Path) -> sqlite3.Connection:
    """Open a file that is held, made if it is missing, mended if it is damaged."""
    try:
        return _found(path)
    except DamagedError:
        if aside.pending(path) or any(part.exists() for part in parts(path)):
            _renew(path)
        return prepared(_connected(path.absolute().as_uri()))


def _found(path: Path) -> sqlite3.Connection:
    """Open a file that is there and sound, or raise `DamagedError`."""
    if aside.pending(path):  # a rescue was cut off behind the point from which on it counts
        raise DamagedError
    refuse_torn(path)
    try:
        connection = _connected(path.absolute().as_uri() + "?mode=rw")
    except sqlite3.OperationalError as error:
        if path.exists():
            raise
        raise DamagedError from error
    return prepared(connection)


def _connected(address: str) -> sqlite3.Connection:
    return sqlite3.connect(address, timeout=BUSY_S, isolation_level=None, uri=True)


def prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Return a connection to a sound database of the newest version, or close it.

    Raises `DamagedError`, `StoreError` and sqlite3's errors.
    """
    try:
        _refuse_foreign(connection)
        _refuse_newer(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {LOGGED}")
        connection.execute("PRAGMA foreign_keys = ON")
        _refuse_damaged(connection)
        _migrate(connection)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # in what SQLite says may be a damaged text
        connection.close()
        if isinstance(error, UnicodeDecodeError) or _code(error) in _DAMAGE or _NO_FORMAT in str(error):
            raise DamagedError from error
        raise
    except BaseException:
        connection.close()
        raise
    return connection


def _pragma(connection: sqlite3.Connection, name: str) -> Any:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _refuse_foreign(connection: sqlite3.Connection) -> None:
    if _pragma(connection, "application_id") == APPLICATION_ID:
        return
    if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] > 0:
        raise DamagedError


def _refuse_newer(connection: sqlite3.Connection) -> None:
    version, known = _pragma(connection, "user_version"), len(MIGRATIONS)
    if version > known:
        raise StoreError(StoreErrorKind.NEWER, f"the file has version {version}, known is {known}")


def _refuse_damaged(connection: sqlite3.Connection) -> None:
    """Raise `DamagedError` for what SQLite finds wrong, and for what it cannot know to be wrong."""
    made = MIGRATIONS[: _pragma(connection, "user_version")]
    if not _schema(tuple(chain.from_iterable(made))) <= _rows(connection, SCHEMA):
        raise DamagedError
    if _pragma(connection, "integrity_check") != "ok" or _rows(connection, "PRAGMA foreign_key_check"):
        raise DamagedError
    counted = _rows(connection, "SELECT 1 FROM pragma_table_info('throws') WHERE name = 'parts'")
    if counted and _rows(connection, f"SELECT 1 FROM throws WHERE parts IS NOT {PARTS} LIMIT 1"):
        raise DamagedError  # a disk has lost a write
    for table, column in _rows(connection, TEXTS):
        query = f"SELECT DISTINCT CAST({column} AS BLOB) FROM {table} WHERE {column} IS NOT NULL"
        for (value,) in connection.execute(query):
            try:
                understand(table, {column: value.decode()})
            except ValueError as error:
                raise DamagedError from error


@lru_cache(maxsize=4)
def _schema(statements: tuple[str, ...]) -> set[tuple[Any, ...]]:
    """What SQLite says of the tables that some statements make."""
    with closing(sqlite3.connect(":memory:")) as new:
        for statement in statements:
            new.execute(statement)
        return _rows(new, SCHEMA)


def _rows(connection: sqlite3.Connection, query: str) -> set[tuple[Any, ...]]:
    return set(connection.execute(query))


def refuse_torn(path: Path) -> None:
    """Raise `DamagedError` for what SQLite would make worse by opening it.

    It deletes a write-ahead log without a database, and what lies behind a damaged place of a log; of a page
    that was cut off it makes a whole one.
    """
    file, log = parts(path)
    size = file.stat().st_size if file.exists() else 0
    content = log.read_bytes() if log.exists() else b""
    if size % PAGE or (content and not size) or is_damaged(content):
        raise DamagedError


def _migrate(connection: sqlite3.Connection) -> None:
    """Bring the file to the newest version in one transaction; its lock also proves that we may write."""
    with _transaction(connection):
        version = _pragma(connection, "user_version")
        if version == len(MIGRATIONS):
            return
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _renew(path: Path) -> None:
    """Let a new database with all that can be read of a damaged one take its place."""
    new = aside.pending(path)
    if new is None:
        with closing(rescued(path)) as memory:
            stamp = datetime.now(UTC).astimezone().strftime("%Y%m%d-%H%M%S")
            new = aside.keep(path, stamp, memory.serialize())
    aside.replace(path, new)


def rescued(path: Path) -> sqlite3.Connection:
    """Return a database in memory with all that can be read of a damaged one."""
    with ExitStack() as unfinished:
        memory = prepared(sqlite3.connect(":memory:", isolation_level=None))
        unfinished.callback(memory.close)
        with _transaction(memory):
            rescue(path, memory)
        unfinished.pop_all()
    return memory
