"""A database in memory that stands in for a file while its disk is full or cannot be written."""

import sqlite3
from contextlib import ExitStack, closing
from hashlib import file_digest
from pathlib import Path

from companion.store import aside
from companion.store.database import (
    ROOM,
    DamagedError,
    Database,
    StoreError,
    StoreErrorKind,
    ask_disk,
    our_errors,
    prepared,
    refuse_torn,
    rescued,
)
from companion.store.rescue import copied, parts
from companion.store.schema import PAGE


class StandIn(Database):
    """Holds what the file holds; as soon as that can be written, it goes there and is an ordinary one.

    `trouble` is why that has not been possible; once another program has written the file it never will be.
    Raises `StoreError` for a file that cannot even be read. Of a damaged one people are told the next time.
    """

    def __init__(self, path: Path, trouble: StoreError) -> None:
        self._file = path
        with our_errors(), ExitStack() as parts:
            self._before, connection = _read(path)
            parts.enter_context(closing(connection))
            super().__init__(parts.pop_all(), connection, None)
        self.trouble = trouble

    def move_in(self) -> None:
        """Write everything into the file and go on there, if that is possible now."""
        if self.trouble is not None and self.trouble.kind is not StoreErrorKind.OVERTAKEN:
            try:
                self._move()
                self.trouble = None
            except StoreError as error:
                self.trouble = error

    def _move(self) -> None:
        with our_errors(self._file), ExitStack() as fresh:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            ask_disk(self._file, ROOM + self._size())  # first: to read what the file holds takes long
            if self._mark() != self._before:  # what somebody else has stored meanwhile is not overwritten
                raise StoreError(StoreErrorKind.OVERTAKEN, "another program has written the file")
            try:
                file = Database.open(self._file, alone=True)
            except StoreError as error:
                if error.kind is not StoreErrorKind.LOCKED:
                    self._before = self._mark()  # a damaged file may have been set aside
                raise
            fresh.callback(self._left, file)
            self._connection.backup(file._connection)
            fresh.pop_all()
        super().close()
        self._parts, self._connection, self._path = file._parts, file._connection, file._path

    def _size(self) -> int:
        """Return how many bytes are to be moved: all of them go into the log of the file first."""
        (pages,) = self._connection.execute("PRAGMA page_count").fetchone()
        return int(pages) * PAGE

    def _left(self, file: Database) -> None:
        """Leave a file into which not everything has gone: nothing has, but it may be new, or migrated."""
        file.set_aside = None  # nobody has been told
        file.close()
        self._before = self._mark()

    def _mark(self) -> str:
        with copied(aside.pending(self._file) or self._file) as copy:
            return _mark_of(copy)


def _read(path: Path) -> tuple[str, sqlite3.Connection]:
    """Return a mark of what the file and its log hold, and all of it in memory, or what can be read of it."""
    with copied(aside.pending(path) or path) as copy:
        mark = _mark_of(copy)
        try:
            refuse_torn(copy)
            return mark, prepared(_in_memory(copy))
        except (DamagedError, sqlite3.DatabaseError):
            return mark, rescued(copy)


def _in_memory(copy: Path) -> sqlite3.Connection:
    """Return all that a sound file holds."""
    with ExitStack() as unfinished, closing(sqlite3.connect(copy)) as source:
        memory = unfinished.enter_context(closing(sqlite3.connect(":memory:", isolation_level=None)))
        source.backup(memory)
        unfinished.pop_all()
    return memory


def _mark_of(copy: Path) -> str:
    """Return a mark of what a copy and its log hold; if they are sound, all of it is then in the copy."""
    held = " ".join(_digest(part) for part in parts(copy) if part.exists())
    try:
        refuse_torn(copy)
        with closing(sqlite3.connect(copy)) as source:
            source.execute("PRAGMA user_version")  # now it knows of the log, and leaves none behind
    except (DamagedError, sqlite3.DatabaseError):
        return held
    return _digest(copy)


def _digest(file: Path) -> str:
    """Of what a file holds, without a second copy of it in memory."""
    with file.open("rb") as content:
        return file_digest(content, "sha256").hexdigest()
