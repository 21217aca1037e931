"""Nothing that was acknowledged is ever lost, and every failure of the disk has a name."""

import errno
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.store import (
    Ending,
    Source,
    Store,
    StoredDie,
    StoredRun,
    StoredThrow,
    StoreError,
    StoreErrorKind,
    aside,
    database,
    is_there,
)
from companion.store.database import ROOM, Database
from companion.store.rescue import copied
from companion.store.schema import MIGRATIONS
from tests.disks import full, mounted, read_only, without_privileges

KILLS = int(os.environ.get("COMPANION_KILLS", "25"))
TWO = StoredDie(2, 2, "white", 0.9)
FIVE = StoredDie(5, 5, "red", 0.75)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "companion.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with closing(Store.open(path)) as opened:
        yield opened


def faces(store: Store) -> tuple[int | str | None, ...]:
    return tuple(die.face for die in store.last_throws(1)[0].dice)


def shown(throw: StoredThrow) -> tuple[int | str, ...]:
    """The faces that count."""
    return tuple(die.face for die in throw.dice if die.face is not None)


def known(*migrations: tuple[str, ...]) -> AbstractContextManager[object]:
    """It is another version that opens a file meanwhile."""
    return patch.object(database, "MIGRATIONS", migrations)


@contextmanager
def fails(kind: StoreErrorKind) -> Iterator[pytest.ExceptionInfo[StoreError]]:
    with pytest.raises(StoreError) as caught:
        yield caught
    assert caught.value.kind is kind


# What is remembered


def test_throws_come_back_newest_first_after_closing(path: Path) -> None:
    with closing(Store.open(path)) as store:
        first = store.add_throw("camera", [TWO, FIVE])
        second = store.add_throw("hand", [StoredDie(6)])
    with closing(Store.open(path)) as store:
        newest, oldest = store.last_throws(5)
        assert store.last_throws(1) == (newest,)
    assert (newest.id, newest.source, newest.dice) == (second, "hand", (StoredDie(6),))
    assert (oldest.id, oldest.source, oldest.dice) == (first, "camera", (TWO, FIVE))


def test_a_correction_keeps_what_the_eye_had_read(store: Store) -> None:
    throw = store.add_throw("camera", [TWO, FIVE])
    store.correct(throw, 0, 3)
    assert store.last_throws(1)[0].dice == (StoredDie(3, 2, "white", 0.9), FIVE)


def test_a_die_that_is_none_stays_marked_and_an_added_one_stands_last(store: Store) -> None:
    throw = store.add_throw("camera", [TWO, FIVE])
    store.correct(throw, 0, None)
    store.add_die(throw, 6)
    store.correct(throw, 2, 4)
    assert faces(store) == (None, 5, 4)


Steps = list[tuple[str, int, int | None]]
STEPS = st.lists(st.tuples(st.sampled_from(["correct", "add", "undo"]), st.integers(0, 9),
                           st.none() | st.integers(1, 6)), max_size=25)  # fmt: skip


@given(STEPS)
def test_corrections_are_undone_to_any_depth(steps: Steps) -> None:
    past: list[tuple[int | None, ...]] = [(2, 5)]
    with closing(Store.open(None)) as store:
        throw = store.add_throw("camera", [TWO, FIVE])
        for step, index, face in steps:
            now: list[int | None] = list(past[-1])
            if step == "undo":
                store.undo(throw)
                past = past[:-1] or past
            elif step == "add":
                store.add_die(throw, face or 1)
                past.append((*now, face or 1))
            else:
                now[index % len(now)] = face
                store.correct(throw, index % len(now), face)
                past.append(tuple(now))
            assert faces(store) == past[-1]


def test_corrections_of_one_throw_leave_the_others_alone(store: Store) -> None:
    first, second = store.add_throw("camera", [TWO]), store.add_throw("camera", [FIVE])
    store.correct(first, 0, 1)
    store.undo(second)
    assert [shown(throw) for throw in store.last_throws(2)] == [(5,), (1,)]


def test_the_stopper_is_found_where_it_was(path: Path) -> None:
    with closing(Store.open(path)) as store:
        run = store.begin_stopper(1.2)
        for value in (3, 0, 2):
            store.add_stopper(run, value)
    with closing(Store.open(path)) as store:
        assert store.unfinished_stopper() == StoredRun(run, (3, 0, 2))


@pytest.mark.parametrize("how", ["reached", "stopped"])
def test_an_ended_stopper_is_not_taken_up_again(store: Store, how: Ending) -> None:
    run = store.begin_stopper(1.2)
    store.end_stopper(run, how)
    assert store.unfinished_stopper() is None
    with pytest.raises(ValueError, match="no stopper run"):
        store.add_stopper(run, 1)
    with pytest.raises(ValueError, match="no stopper run"):
        store.end_stopper(run, "stopped")


def test_a_new_stopper_ends_the_one_before(store: Store) -> None:
    first = store.begin_stopper(1.2)
    store.add_stopper(first, 3)
    second = store.begin_stopper(0.5)
    store.add_stopper(second, 1)
    assert store.unfinished_stopper() == StoredRun(second, (1,))
    store.end_stopper(second, "stopped")
    assert store.unfinished_stopper() is None


def test_what_cannot_be_is_refused_and_changes_nothing(store: Store) -> None:
    throw = store.add_throw("camera", [TWO])
    run = store.begin_stopper(1.2)
    wrong = (
        lambda: store.correct(throw + 1, 0, 3),
        lambda: store.correct(throw, 1, 3),
        lambda: store.correct(throw, -1, 3),
        lambda: store.correct(throw, 0, 7),
        lambda: store.add_die(throw, 0),
        lambda: store.add_stopper(run, 4),
        lambda: store.add_stopper(run + 1, 1),
        lambda: store.add_throw("camera", [TWO, StoredDie(9)]),
        lambda: store.games.amend(7, 0, "place r a1"),
    )
    for call in wrong:
        with pytest.raises(ValueError, match=r"no |cannot"):
            call()
    assert [found.dice for found in store.last_throws(9)] == [(TWO,)]


def test_a_source_outside_the_list_is_refused(store: Store) -> None:
    source: Source = "dream"  # type: ignore[assignment]
    with pytest.raises(ValueError, match="cannot be stored"):
        store.add_throw(source, [TWO])


def test_the_file_is_written_through_to_the_disk(store: Store) -> None:
    pragmas = {name: store._database.read(f"PRAGMA {name}")[0][0] for name in ("journal_mode", "synchronous")}
    assert pragmas == {"journal_mode": "wal", "synchronous": 2}  # 2 is FULL


# Versions


def test_an_older_file_is_brought_to_the_newest_version(path: Path) -> None:
    with closing(Store.open(path)) as store:
        store.add_throw("camera", [TWO])
    later = (*MIGRATIONS, ("CREATE TABLE planets (id INTEGER)", "ALTER TABLE throws ADD COLUMN game INTEGER"))
    with known(*later), closing(Database.open(path)) as newer:
        assert newer.read("PRAGMA user_version") == [(len(later),)]
        assert newer.read("SELECT id, game FROM throws") == [(1, None)]


def test_a_migration_that_fails_leaves_the_file_as_it_was(path: Path) -> None:
    with closing(Store.open(path)) as store:
        store.add_throw("camera", [TWO])
    failing = ("CREATE TABLE planets (id INTEGER)", "ALTER TABLE nowhere ADD x")
    with known(*MIGRATIONS, failing), fails(StoreErrorKind.BROKEN):
        Database.open(path)
    with closing(Store.open(path)) as store:
        assert store.set_aside is None
        assert len(store.last_throws(1)) == 1
        assert store._database.read("SELECT 1 FROM sqlite_schema WHERE name = 'planets'") == []


def test_a_newer_file_is_refused_and_left_alone(path: Path) -> None:
    with known(*MIGRATIONS, ("CREATE TABLE planets (id INTEGER)",)):
        Database.open(path).close()
    before = path.read_bytes()
    with fails(StoreErrorKind.NEWER):
        Store.open(path)
    assert path.read_bytes() == before
    assert {file.name for file in path.parent.iterdir()} == {path.name, path.name + ".lock"}


@contextmanager
def no_file_grows_beyond(size: int) -> Iterator[None]:
    """Let the system refuse what a write would put behind so many bytes of a file."""
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))


def mounts(monkeypatch: pytest.MonkeyPatch, flag: int) -> None:
    """Let every disk seem to be mounted with this flag."""
    disk = os.statvfs("/")
    now = os.statvfs_result((*disk[:8], flag, *disk[9:]))
    monkeypatch.setattr("companion.store.database.os.statvfs", lambda _: now)


@pytest.mark.parametrize(
    "flag, code, kind",
    [
        (os.ST_RDONLY, sqlite3.SQLITE_IOERR_WRITE, StoreErrorKind.READ_ONLY),
        (0, sqlite3.SQLITE_IOERR_WRITE, StoreErrorKind.BROKEN),
        (0, sqlite3.SQLITE_BUSY_RECOVERY, StoreErrorKind.LOCKED),
    ],
    ids=["card", "other", "another program"],
)
def test_of_a_write_that_fails_the_disk_tells_why(
    path: Path, store: Store, monkeypatch: pytest.MonkeyPatch, flag: int, code: int, kind: StoreErrorKind
) -> None:
    """A card that turns read-only in mid-game is no more than an input/output error to SQLite. What it could
    not take does not stay in the log, which would bring it back some day.
    """
    failed = sqlite3.OperationalError("disk I/O error")
    failed.sqlite_errorcode = code
    with fails(kind), store._database.writing():
        mounts(monkeypatch, flag)
        raise failed
    assert path.with_name(path.name + "-wal").stat().st_size == 0


def test_nor_does_what_the_end_of_a_transaction_could_not_write(path: Path, store: Store) -> None:
    """SQLite itself takes it back then."""
    log = path.with_name(path.name + "-wal")
    store.add_throw("camera", [TWO])
    with no_file_grows_beyond(log.stat().st_size + 100), fails(StoreErrorKind.BROKEN):
        store.add_throw("camera", [FIVE])
    assert log.stat().st_size == 0
    store.add_throw("camera", [TWO])
    assert [shown(throw) for throw in store.last_throws(9)] == [(2,), (2,)]


def test_nothing_is_taken_for_stored_on_a_disk_that_has_become_read_only(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card after an error takes what is written into memory and says that it is on the disk (ext4)."""
    with monkeypatch.context() as meanwhile, fails(StoreErrorKind.READ_ONLY):
        mounts(meanwhile, os.ST_RDONLY)
        store.add_throw("camera", [TWO])
    assert store.last_throws(1) == ()
    store.add_throw("camera", [TWO])


def test_what_has_moved_to_a_disk_is_not_taken_for_stored_either_when_that_becomes_read_only(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(stand_in(path)) as store:
        store.move_in()
        assert store.trouble is None
        with monkeypatch.context() as meanwhile, fails(StoreErrorKind.READ_ONLY):
            mounts(meanwhile, os.ST_RDONLY)
            store.add_throw("camera", [TWO])


def test_a_disk_that_was_pulled_out_need_not_say_why(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(folder: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as meanwhile, fails(StoreErrorKind.BROKEN), store._database.writing():
        meanwhile.setattr("companion.store.database.os.statvfs", gone)
        raise sqlite3.OperationalError("disk I/O error")


def test_a_disk_that_takes_nothing_is_noticed_at_once_though_a_log_of_before_a_power_cut_is_there(
    path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, _ = with_log(path, store, 3)
    with monkeypatch.context() as meanwhile, fails(StoreErrorKind.READ_ONLY):
        mounts(meanwhile, os.ST_RDONLY)
        Store.open(copy, alone=True)
    with closing(Store.open(copy, alone=True)) as again:
        assert len(again.last_throws(9)) == 3


# Damage


def filled(path: Path, throws: int = 300) -> bytes:
    """Make a store of many pages and return its bytes."""
    with closing(Store.open(path)) as store, store.together():
        for _ in range(throws):
            store.add_throw("camera", [TWO, FIVE, TWO])
    return path.read_bytes()


def begins_anew(path: Path, damaged: bytes, least: int = 0, most: int = 0) -> None:
    """Expect that the file at `path` is set aside as it was, and that the new one works.

    Between `least` and `most` of the throws of `filled` are in it again, whole.
    """
    with closing(Store.open(path)) as store:
        assert store.set_aside is not None
        assert store.set_aside.parent == path.parent
        assert store.set_aside.name.startswith(path.name + ".damaged-")
        assert store.set_aside.read_bytes() == damaged
        again = store.last_throws(1000)
        assert least <= len(again) <= most
        assert {shown(throw) for throw in again} <= {(2, 5, 2)}
        store.add_throw("hand", [TWO])
    with closing(Store.open(path)) as store:
        assert store.set_aside is None
        assert len(store.last_throws(1000)) == len(again) + 1


def test_garbage_is_set_aside(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(damaged := random.Random(7).randbytes(20_000))
    begins_anew(path, damaged)


@pytest.mark.parametrize(("keep", "least"), [(0.9, 150), (0.5, 0), (0.02, 0)])
def test_a_truncated_file_is_set_aside(path: Path, keep: float, least: int) -> None:
    whole = filled(path)
    path.write_bytes(damaged := whole[: int(len(whole) * keep)])
    begins_anew(path, damaged, least, most=299)


@pytest.mark.parametrize("lost", [100, 1000, 3000, 4096, 5000, 3 * 4096])
def test_what_was_cut_off_beside_a_log_is_no_half_throw(path: Path, lost: int) -> None:
    whole = filled(path)
    with closing(Store.open(path)) as store:
        store.begin_stopper(1.0)
        log = path.with_name(path.name + "-wal")
        kept = path.read_bytes(), log.read_bytes()
    assert len(kept[1]) > 0 and len(kept[0]) >= len(whole)
    path.write_bytes(kept[0][:-lost])
    log.write_bytes(kept[1])
    with closing(Store.open(path)) as store:
        throws = store.last_throws(1000)
        assert store.set_aside is not None and 150 <= len(throws) < 300
        assert {shown(throw) for throw in throws} == {(2, 5, 2)}
        assert lost % 4096 == 0 or store.set_aside.read_bytes() == kept[0][:-lost]


def test_of_a_file_whose_last_pages_are_lost_the_rest_can_be_read(path: Path) -> None:
    whole = filled(path)
    assert len(whole) % 4096 == 0
    path.write_bytes(damaged := whole[: -2 * 4096])
    begins_anew(path, damaged, least=150, most=299)


@pytest.mark.parametrize("part", [0.5, 0.7, 0.9])
def test_a_page_of_zeros_is_found_and_the_file_set_aside(path: Path, part: float) -> None:
    whole = filled(path)
    at = int(len(whole) * part) // 4096 * 4096
    path.write_bytes(damaged := whole[:at] + bytes(4096) + whole[at + 4096 :])
    begins_anew(path, damaged, least=150, most=300 if part == 0.5 else 299)  # or that of an empty table


@pytest.mark.parametrize("cut_off", [False, True])
def test_what_stands_in_for_a_damaged_file_has_what_can_be_read_of_it_and_takes_it_along(
    path: Path, cut_off: bool
) -> None:
    whole = filled(path)
    at = int(len(whole) * 0.7) // 4096 * 4096
    path.write_bytes(whole[:-1000] if cut_off else whole[:at] + bytes(4096) + whole[at + 4096 :])
    with closing(Store.standing_in(path, StoreError(StoreErrorKind.FULL, "for now"))) as store:
        readable = len(store.last_throws(1000))
        assert 150 <= readable < 300
        store.move_in()
        assert store.trouble is None
    with closing(Store.open(path)) as store:
        assert store.set_aside is not None, "nobody has been told before"
        assert len(store.last_throws(1000)) == readable


def test_what_stands_in_for_a_file_needs_no_more_memory_than_that(path: Path) -> None:
    """A Raspberry Pi Zero has little, and years of games may be in it."""
    with closing(Store.open(path)) as store, store.together():
        for _ in range(400):
            store.games.begin("kabooom", "x" * 10_000, bytes(32))
    tracemalloc.start()
    try:
        with closing(Store.standing_in(path, StoreError(StoreErrorKind.FULL, "for now"))) as store:
            store.move_in()
            assert store.trouble is None
        assert tracemalloc.get_traced_memory()[1] < path.stat().st_size / 2, "what SQLite holds comes on top"
    finally:
        tracemalloc.stop()


def without_page(path: Path, page: int, whole: bytes) -> None:
    """Let one page of a file be lost."""
    path.write_bytes(whole[: page * 4096] + bytes(4096) + whole[(page + 1) * 4096 :])


def without_each_page(path: Path) -> Iterator[Store]:
    """The store that is opened where one page of a file is lost: each but the first, one after the other."""
    whole = path.read_bytes()
    for page in range(1, len(whole) // 4096):
        without_page(path, page, whole)
        with closing(Store.open(path)) as store:
            yield store
        for file in path.parent.iterdir():
            file.unlink()


def changed(path: Path, *statements: str) -> None:
    """Change what a file holds, past everything that would forbid it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in ("PRAGMA ignore_check_constraints = ON", "PRAGMA writable_schema = ON", *statements):
            connection.execute(statement)


def three_games(path: Path) -> dict[int, list[str]]:
    """Make a store with three games, begun one after the other and played in turn; their moves."""
    played: dict[int, list[str]] = {}
    with closing(Store.open(path)) as store, store.together():
        for part in range(3):
            played[store.games.begin("kabooom", "{}", bytes([part] * 32))] = []
            for number in range(40):
                for game, moves in played.items():
                    moves.append(f"move {part} {number}")
                    store.games.add(game, moves[-1], "person", False)
    return played


AHEAD = "UPDATE games SET began = '2038-01-20T12:00:00.000+00:00' WHERE id < 3"


@pytest.mark.parametrize("clock", ["SELECT 1", AHEAD], ids=["right", "was ahead"])
def test_of_torn_games_the_beginning_is_kept_and_nothing_that_may_follow_a_lost_move(
    clock: str, path: Path
) -> None:
    played = three_games(path)
    changed(path, clock)
    kept = set()
    for store in without_each_page(path):
        for game in store.games.all():
            moves = [move.text for move in game.moves]
            assert moves == played[game.id][: len(moves)]
            kept.add((store.set_aside is not None, len(moves)))
    assert {(True, 120), (True, 80), (True, 40)} <= kept and len(kept) > 8


def games_of_an_older_version(path: Path) -> dict[int, list[str]]:
    """Make a store of the version before moves were numbered, with four games played in turn; their moves."""
    path.parent.mkdir()
    insert = "INSERT INTO games (began, book, options, secret) VALUES ('2026-11-20', 'kabooom', '{}', ?)"
    with known(*MIGRATIONS[:8]), closing(Database.open(path)) as old, old.writing() as connection:
        for _ in range(4):
            connection.execute(insert, (bytes(32),))
        for number in range(400):
            move = (1 + number // 100, f"move {number}")
            connection.execute("INSERT INTO moves (game, text, by, at) VALUES (?, ?, 'person', '')", move)
    return {game: [f"move {100 * (game - 1) + number}" for number in range(100)] for game in range(1, 5)}


def test_a_game_of_an_older_version_ends_where_a_move_of_its_own_is_lost(path: Path) -> None:
    played = games_of_an_older_version(path)
    kept = set()
    for store in without_each_page(path):
        games = store.games.all()
        for game in games:
            assert [move.text for move in game.moves] == played[game.id][: len(game.moves)]
        if store.set_aside is not None:
            kept.add(tuple(len(game.moves) for game in reversed(games)))
        assert store._database.read("SELECT 1 FROM moves WHERE number IS NULL") == []
    assert {(100, 100, 100, 100), (0, 0, 0, 0)} <= kept, "of some pages nothing hangs, of one all moves"
    torn = [lengths for lengths in kept if 0 < sum(lengths) < 400]
    assert len(torn) > 3 and all(lengths.count(100) >= 2 for lengths in torn), "a page has moves of few games"


def test_a_game_of_an_older_version_ends_where_a_move_is_lost_that_may_be_its_own(path: Path) -> None:
    games_of_an_older_version(path)
    whole = path.read_bytes()
    contradicted = whole.replace(b"\2move 150", b"\3move 150")  # by the index
    for damaged, statement in (
        (whole, "DELETE FROM moves WHERE id = 151"),
        (contradicted, "SELECT 1"),
    ):
        path.write_bytes(damaged)
        changed(path, statement, "UPDATE games SET draft = 'half'", "PRAGMA application_id = 1")
        with closing(Store.open(path)) as store:
            assert {game.id: len(game.moves) for game in store.games.all()} == {1: 100, 2: 50, 3: 0, 4: 0}
            assert {game.draft for game in store.games.all()} == {""}, "it may have been for a later move"


def test_a_game_that_went_on_after_a_rescue_loses_nothing_by_the_next_one(path: Path) -> None:
    three_games(path)
    with closing(Store.open(path)) as store:
        store.games.keep(1, "half")
    whole = path.read_bytes()
    without_page(path, whole.rindex(b"move 0 30") // 4096, whole)
    with closing(Store.open(path)) as store:
        assert store.set_aside is not None and len(store.games.get(1).moves) < 40
        assert store.games.get(1).draft == "", "it was begun to be entered for a later move"
        for number in range(3):
            store.games.add(1, f"later {number}", "person", False)
        moves = store.games.get(1).moves
        throw = store.add_throw("camera", [TWO])
    changed(path, f"UPDATE throws SET at = 'soon' WHERE id = {throw}")
    with closing(Store.open(path)) as store:
        assert store.set_aside is not None and store.games.get(1).moves == moves


@pytest.mark.parametrize("version", [None, 8])
def test_no_throw_counts_of_which_a_correction_is_lost(version: int | None, path: Path) -> None:
    with closing(Store.open(path)) as store, store.together():
        for _ in range(50):
            throw = store.add_throw("camera", [StoredDie(3, 3, "white", 0.5)], "asked")
            store.correct(throw, 0, 6)
            store.correct(throw, 0, 5)
            store.confirm(throw)
            store.add_throw("camera", [StoredDie(2, 2, "white", 0.9)])
    if version:
        changed(path, *as_of_before_the_last_version())
    kept = set()
    for store in without_each_page(path):
        read = {face: count for _, face, count in store.faces_read()}
        assert read.keys() <= {2, 5}, "the eye had read 3, and 6 was said before 5"
        assert len(store.last_throws(300)) == sum(read.values())
        kept.add((read.get(2, 0), read.get(5, 0)))
    assert (50, 50) in kept
    assert any(two == 50 and 0 < five < 50 for two, five in kept), "only of those it is lost"


@pytest.mark.parametrize("version", [None, 8])
def test_a_correction_that_is_missing_without_a_word_is_missed(version: int | None, path: Path) -> None:
    with closing(Store.open(path)) as store:
        for _ in range(4):
            store.correct(store.add_throw("camera", [TWO]), 0, 5)
    damaged = "PRAGMA application_id = 1"
    changed(
        path,
        *as_of_before_the_last_version() if version else (),
        "DELETE FROM corrections WHERE id = 3",
        damaged,
    )
    with closing(Store.open(path)) as store:
        assert [throw.id for throw in store.last_throws(9)] == ([] if version else [4, 2, 1])


def test_throws_of_an_older_version_of_which_none_was_ever_corrected_are_all_whole(path: Path) -> None:
    with closing(Store.open(path)) as store:
        for _ in range(3):
            store.add_throw("camera", [TWO, FIVE])
    changed(path, *as_of_before_the_last_version(), "PRAGMA application_id = 1")
    with closing(Store.open(path)) as store:
        assert store.set_aside is not None and len(store.last_throws(9)) == 3


def test_of_a_table_of_which_so_much_is_lost_that_it_is_given_up_nothing_hangs_on_the_rest(
    path: Path,
) -> None:
    with closing(Store.open(path)) as store, store.together():
        for _ in range(1000):
            store.add_stopper(store.begin_stopper(1.2), 3)
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'stopper_throws'"
        ((page,),) = store._database.read(query)
    without_page(path, page - 1, path.read_bytes())
    with closing(Store.open(path)) as store:
        assert store.set_aside is not None and store.unfinished_stopper() is None


def test_an_index_that_does_not_fit_its_table_is_damage(path: Path) -> None:
    """A move that is not in it would be missing in its game."""
    with closing(Store.open(path)) as store:
        game = store.games.begin("kabooom", "{}", bytes(32))
        for number in range(4):
            store.games.add(game, f"move {number}", "person", False)
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'moves_of_game'"
        ((page,),) = store._database.read(query)
    damaged = bytearray(path.read_bytes())
    damaged[damaged.index(b"active", (page - 1) * 4096)] ^= 1
    path.write_bytes(damaged)
    with closing(Store.open(path)) as store:
        assert store.set_aside is not None and len(store.games.get(game).moves) == 4


def as_of_before_the_last_version() -> list[str]:
    """What makes a file of this version one of the version before."""
    return [
        "ALTER TABLE throws DROP COLUMN parts",
        "ALTER TABLE moves DROP COLUMN number",
        "PRAGMA user_version = 8",
    ]


NO_TEXT = "CAST(x'80' AS TEXT)"
NOTHING: set[int] = set()


@pytest.mark.parametrize(
    ("change", "throws", "games", "moves"),
    [
        ("UPDATE throws SET at = '2026-11-27T09:35:4p.883+00:00' WHERE id = 2", {2}, NOTHING, 12),
        (f"UPDATE dice SET colour = {NO_TEXT} WHERE throw = 2 AND place = 1", {2}, NOTHING, 12),
        ("UPDATE dice SET face = 9 WHERE throw = 2 AND place = 1", {2}, NOTHING, 12),
        ("UPDATE dice SET throw = 99 WHERE throw = 2 AND place = 1", {2}, NOTHING, 12),
        (f"UPDATE corrections SET sign = {NO_TEXT}", {3}, NOTHING, 12),
        ("UPDATE corrections SET state = 'bctive'", {3}, NOTHING, 12),
        ("UPDATE stopper_runs SET began = '2026'", NOTHING, NOTHING, 12),
        ("UPDATE stopper_throws SET value = 9 WHERE number = 2", NOTHING, NOTHING, 12),
        ("UPDATE games SET began = '2026-11-27T09235:40.748+00:00' WHERE id = 2", NOTHING, {2}, 8),
        ("UPDATE games SET winners = '[0' WHERE id = 2", NOTHING, {2}, 8),
        (f"UPDATE games SET party = {NO_TEXT} WHERE id = 2", NOTHING, {2}, 8),
        (f"UPDATE moves SET text = {NO_TEXT} WHERE id = 5", NOTHING, NOTHING, 9),  # of three times four
        ("UPDATE moves SET game = 99 WHERE id = 5", NOTHING, NOTHING, 9),
        ("UPDATE sqlite_schema SET sql = replace(sql, 'text TEXT', 'tezt TEXT')", NOTHING, NOTHING, 12),
        (f"UPDATE sqlite_schema SET sql = {NO_TEXT} || sql WHERE name = 'dice'", NOTHING, NOTHING, 12),
        ("PRAGMA user_version = 8", NOTHING, NOTHING, 12),
        ("PRAGMA application_id = 1", NOTHING, NOTHING, 12),
        ("PRAGMA application_id = 1; PRAGMA user_version = 99", NOTHING, NOTHING, 12),
        ("DROP INDEX one_on_table; UPDATE games SET on_table = 1", NOTHING, NOTHING, 12),
    ],
)
def test_what_cannot_be_understood_is_left_out_with_what_hangs_on_it_and_all_else_is_there(
    change: str, throws: set[int], games: set[int], moves: int, path: Path
) -> None:
    with closing(Store.open(path)) as store:
        for _ in range(5):
            throw = store.add_throw("camera", [TWO, FIVE])
        store.correct(3, 0, "own-1/fox")
        run = store.begin_stopper(1.2)
        for value in range(4):
            store.add_stopper(run, value)
        for _ in range(3):
            game = store.games.begin("kabooom", "{}", bytes(32))
        for number in range(4):
            for each in range(1, game + 1):
                store.games.add(each, f"move {number}", "person", number == 3, [0])
        store.games.keep(3, "half")
        before = {found.id: found for found in store.last_throws(9)}
    changed(path, *change.split("; "))
    with closing(Store.open(path)) as store:
        assert store.set_aside is not None
        assert {found.id: found for found in store.last_throws(9)} == {
            id: found for id, found in before.items() if id not in throws
        }
        found = store.games.all()
        assert {game.id for game in found} == {1, 2, 3} - games
        assert sum(len(game.moves) for game in found) == moves
        outlines = store.games.outlines()
        assert (
            sum(each.over for each in outlines) == sum(len(each.winners) for each in outlines) == moves // 4
        )
        assert (store.unfinished_stopper() is None) is ("stopper" in change)
        assert [game.draft for game in found if game.on_table] == ["half"], "its own moves are all there"
        store.games.add(1, "another", "person", False)
        store.correct(throw, 0, 1)
    with closing(Store.open(path)) as store:
        assert store.set_aside is None


def test_whatever_bit_is_flipped_the_store_opens_and_can_be_read(path: Path) -> None:
    three_games(path)
    with closing(Store.open(path)) as store:
        for _ in range(40):
            store.correct(store.add_throw("camera", [TWO, FIVE], "asked"), 0, 6)
        store.games.keep(3, "half")
    whole, chance = path.read_bytes(), random.Random(3)
    places = [at for at, byte in enumerate(whole) if byte and at >= 100]  # behind the header
    told = 0
    for _ in range(40):
        torn = bytearray(whole)
        torn[chance.choice(places)] ^= 1 << chance.randrange(8)
        path.write_bytes(torn)
        with closing(Store.open(path)) as store:
            told += store.set_aside is not None
            for read in (store.faces_read, store.games.all, store.games.outlines, store.unfinished_stopper):
                read()
            store.correct(store.add_throw("camera", [TWO]), 0, 3)
        for file in path.parent.iterdir():
            file.unlink()
    assert told >= 15


def test_a_file_in_a_format_that_there_is_not_is_set_aside(path: Path) -> None:
    """SQLite does not call that damage."""
    damaged = bytearray(filled(path))
    damaged[44:48] = b"\xff" * 4  # the schema's format
    path.write_bytes(damaged)
    begins_anew(path, bytes(damaged))


def test_a_database_of_somebody_else_is_set_aside(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE birds (name TEXT)")
    begins_anew(path, path.read_bytes())


def test_a_table_that_somebody_has_added_is_no_damage(path: Path) -> None:
    """As programs do with which people look into databases."""
    filled(path, 1)
    changed(path, "CREATE TABLE notes (text TEXT)")
    with closing(Store.open(path)) as store:
        assert store.set_aside is None and len(store.last_throws(9)) == 1


@pytest.mark.parametrize("empty", [False, True])
def test_a_log_without_its_database_is_set_aside_too(path: Path, empty: bool) -> None:
    path.parent.mkdir()
    if empty:
        path.touch()
    log = path.with_name(path.name + "-wal")
    log.write_bytes(b"the last moves")
    with closing(Store.open(path)) as store:
        assert store.set_aside is not None
        assert store.set_aside.with_name(store.set_aside.name + "-wal").read_bytes() == b"the last moves"


def test_a_store_that_was_just_about_to_be_made_is_no_damage(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    path.with_name(path.name + "-wal").touch()
    with closing(Store.open(path)) as store:
        assert store.set_aside is None
        store.add_throw("camera", [TWO])


def test_a_second_damage_in_the_same_second_overwrites_nothing(path: Path) -> None:
    path.parent.mkdir()
    for text in (b"first" * 300, b"second" * 300):
        path.write_bytes(text)
        Store.open(path).close()
    kept = {file.read_bytes() for file in path.parent.glob("*.damaged-*")}
    assert kept == {b"first" * 300, b"second" * 300}


def test_neither_does_a_third_one_with_the_same_name(path: Path) -> None:
    path.parent.mkdir()
    damaged = {text * 300 for text in (b"first", b"second", b"third")}
    for content in damaged:
        path.write_bytes(content)
        aside.replace(path, aside.keep(path, "20261127-093531", b""))
    last = aside.unsaid(path)
    assert last is not None and last.read_bytes() == content, "of this one people are told"
    aside.said(path)
    assert {file.read_bytes() for file in path.parent.glob("*.damaged-*")} == damaged


def test_all_logs_of_a_damaged_file_lie_beside_it_and_are_none_of_the_new_one(path: Path) -> None:
    """A journal would be rolled back into that."""
    cut_off(path)
    logs = {path.with_name(path.name + suffix) for suffix in ("-journal", "-wal", "-shm")}
    for log in logs:
        log.write_bytes(log.name.encode())
    aside.replace(path, aside.keep(path, "20261127-093531", b""))
    assert not any(log.exists() for log in logs)
    damaged = aside.unsaid(path)
    assert damaged is not None
    for log in logs:
        kept = log.name.replace(path.name, damaged.name)
        assert path.with_name(kept).read_bytes() == log.name.encode()


def test_that_a_file_was_set_aside_is_on_the_disk_before_another_takes_its_place(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_off(path)
    new, there = aside.keep(path, "20261127-093531", b""), list[bool]()
    monkeypatch.setattr(os, "fsync", lambda _: there.append(path.exists()))
    aside.replace(path, new)
    assert there == [False, False] and path.exists()


def test_where_it_cannot_be_noted_that_people_were_told_they_are_once_more(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk may be read-only when the program ends."""

    def refused(mark: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    cut_off(path)
    store = Store.open(path)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(Path, "unlink", refused)
        store.close()
    with closing(Store.open(path)) as again:
        assert again.set_aside == store.set_aside is not None


CUT = """
import os, shutil, sys
from pathlib import Path
from typing import Any
from companion.store import Store, rescue

STEPS = {"open", "write", "fsync", "rename", "replace", "unlink", "connect"}
folder = rescue.MEMORY = Path(sys.argv[1])

def open_with(steps, path):
    left = iter(range(steps))

    def step(frame, event, called):
        if event == "c_call" and called.__name__ in STEPS and next(left, None) is None:
            os._exit(1)

    sys.setprofile(step)
    Store.open(path, alone=True)
    os._exit(0)

for steps in range(200):
    shutil.copytree(folder / "damaged", folder / str(steps))
    if os.fork() == 0:
        open_with(steps, folder / str(steps) / "companion.db")
    if os.wait()[1] == 0:
        break
"""


def damaged_page(path: Path) -> None:
    """Let a page of a store be lost."""
    whole = filled(path, 120)
    without_page(path, whole.rindex(b"camera") // 4096, whole)


def cut_off(path: Path) -> None:
    """Let the end of a store be lost."""
    path.write_bytes(filled(path, 20)[:-100])


def damaged_log(path: Path) -> None:
    """Let a store be sound but for its log."""
    filled(path, 20)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE throws SET at = 'soon' WHERE id = 7")
        kept = [(part, part.read_bytes()) for part in path.parent.iterdir() if part.suffix != ".db-shm"]
    for part, content in kept:
        part.write_bytes(content)


@pytest.mark.parametrize("damage", [cut_off, damaged_log])
def test_whatever_moment_the_power_is_cut_in_a_rescue_ends_well_and_is_told(
    damage: Callable[[Path], None], tmp_path: Path
) -> None:
    """The last of these programs has ended its rescue, and was killed before anybody could read of it."""
    damage(tmp_path / "damaged" / "companion.db")
    damaged = (tmp_path / "damaged" / "companion.db").read_bytes()
    with closing(stand_in(tmp_path / "damaged" / "companion.db")) as store:
        readable = store.last_throws(1000)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    subprocess.run([sys.executable, "-c", CUT, str(tmp_path)], check=True, env=environment)
    moments = list(tmp_path.glob("[0-9]*"))
    assert len(moments) > 15
    for moment in moments:
        path = moment / "companion.db"
        if int(moment.name) % 2:  # the disk is full, and only later it is not
            with closing(stand_in(path)) as store:
                assert store.last_throws(1000) == readable
                store.move_in()
                assert store.trouble is None
        with closing(Store.open(path)) as store:
            assert store.last_throws(1000) == readable
            assert store.set_aside is not None
            assert damage is damaged_log or store.set_aside.read_bytes() == damaged
        with closing(Store.open(path)) as store:
            assert store.set_aside is None
        assert not {file.suffix for file in moment.iterdir()} & {".new", ".rescued", ".unsaid"}


def test_a_rescue_that_was_cut_off_is_ended_though_what_is_left_in_its_place_is_sound(path: Path) -> None:
    """Its log, which was damaged, has been set aside already, and what stood in that would be lost."""
    rescued = filled(path, 3)
    path.write_bytes(filled(path.with_name("older.db"), 1))
    aside.keep(path, "20261127-093531", rescued)
    with closing(Store.open(path)) as store:
        assert store.set_aside is not None and len(store.last_throws(9)) == 3


def test_who_reads_in_the_middle_of_a_rescue_waits_for_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before each step, and the new file is in its place behind the last one."""
    cut_off(path)
    seen, rename, hold = list[int](), Path.rename, database._hold
    waiting, readers = threading.Event(), list[threading.Thread]()

    def read() -> None:
        try:
            with closing(Store.open(path if is_there(path) else None)) as store:
                seen.append(len(store.last_throws(99)))
        finally:
            waiting.set()

    def held(*of: Any) -> sqlite3.Connection:
        if threading.current_thread() in readers:
            waiting.set()
        return hold(*of)

    def renamed(file: Path, target: Path) -> Path:
        readers.append(threading.Thread(target=read))
        readers[-1].start()
        waiting.wait()
        waiting.clear()
        return rename(file, target)

    monkeypatch.setattr(database, "_hold", held)
    monkeypatch.setattr(Path, "rename", renamed)
    with closing(Store.open(path, alone=True)) as store:
        readable = len(store.last_throws(99))
    for reader in readers:
        reader.join()
    assert len(readers) > 1 and readable > 10 and seen == [readable] * len(readers)


def test_a_store_that_takes_its_place_just_while_it_is_looked_for_is_there(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mended(path: Path) -> None:
        path.touch()

    path.parent.mkdir()
    monkeypatch.setattr(aside, "pending", mended)
    assert is_there(path)


@pytest.mark.usefixtures("impatient")
def test_what_seems_torn_while_its_companion_writes_it_is_looked_at_once_more(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who goes on seeing that is told whose it is, and not that it is damaged."""
    looks = iter([True, False, True, True])

    def torn(_: Path) -> None:
        if next(looks):
            raise database.DamagedError

    with Store.open(path, alone=True) as first:
        first.add_throw("camera", [TWO])
        monkeypatch.setattr(database, "refuse_torn", torn)
        with closing(Store.open(path)) as reader:
            assert len(reader.last_throws(9)) == 1
        with fails(StoreErrorKind.LOCKED):
            Store.open(path)


@pytest.mark.parametrize("room", [0, 48, 80])
def test_a_disk_that_is_full_while_a_damaged_store_is_rescued_loses_nothing(
    room: int, tmp_path: Path
) -> None:
    with mounted(tmp_path / "tiny", "512k") as disk:
        path = disk / "companion.db"
        damaged_page(tmp_path / path.name)
        shutil.copy(tmp_path / path.name, path)
        damaged = path.read_bytes()
        with full(disk):
            os.truncate(disk / "ballast", (disk / "ballast").stat().st_size - room * 1024)
            for _ in range(2):
                with pytest.raises(StoreError) as caught:
                    Store.open(path, alone=True)
                assert caught.value.kind is StoreErrorKind.FULL
            store = Store.standing_in(path, caught.value)
            readable = store.last_throws(1000)
            assert 60 < len(readable) < 120
            for more in range(room, 80, 16):  # in the end enough for the new file, and for nothing else
                os.truncate(disk / "ballast", (disk / "ballast").stat().st_size - 16 * 1024)
                store.move_in()
                assert store.trouble is not None and store.trouble.kind is StoreErrorKind.FULL, more
            store.add_throw("hand", [TWO])
        store.move_in()
        assert store.trouble is None
        store.close()
        with closing(Store.open(path, alone=True)) as store:
            assert store.set_aside is not None and store.set_aside.read_bytes() == damaged
            assert store.last_throws(1000)[1:] == readable


def test_a_rescue_that_the_disk_breaks_off_is_ended_by_what_stands_in_for_the_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was rescued lies there, and waits for its name: nobody else has written it."""

    def full(file: Path, target: Path) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    cut_off(path)
    with closing(Store.standing_in(path, StoreError(StoreErrorKind.FULL, "for now"))) as store:
        readable = store.last_throws(1000)
        with monkeypatch.context() as patch:
            patch.setattr(Path, "rename", full)
            store.move_in()
        assert store.trouble is not None and store.trouble.kind is StoreErrorKind.FULL
        store.add_throw("hand", [TWO])
        store.move_in()
        assert store.trouble is None
    with closing(Store.open(path)) as store:
        assert store.last_throws(1000)[1:] == readable


def with_log(path: Path, store: Store, count: int) -> tuple[Path, Path]:
    """Write throws and return a copy of the file and its log, as a power cut would leave them."""
    for _ in range(count):
        store.add_throw("camera", [TWO])
    copy = path.with_name("copy.db")
    copy.write_bytes(path.read_bytes())
    log = copy.with_name("copy.db-wal")
    log.write_bytes(path.with_name(path.name + "-wal").read_bytes())
    return copy, log


@pytest.mark.parametrize("tail", [b"", b"torn" * 300, bytes(4096)])
def test_a_log_with_a_torn_end_keeps_every_throw(path: Path, store: Store, tail: bytes) -> None:
    copy, log = with_log(path, store, 20)
    log.write_bytes(log.read_bytes() + tail)
    with closing(Store.open(copy)) as opened:
        assert opened.set_aside is None
        assert len(opened.last_throws(99)) == 20


@pytest.mark.parametrize("lost", ["dice", "corrections"])
def test_a_throw_of_which_a_part_is_lost_is_noticed_though_all_pages_are_sound(path: Path, lost: str) -> None:
    """As a card leaves it that has lost a write: one page is older than the rest."""
    with closing(Store.open(path)) as store:
        torn, kept = store.add_throw("camera", [TWO, FIVE]), store.add_throw("camera", [FIVE])
        store.correct(torn, 0, 3)
    with closing(sqlite3.connect(path)) as disk:
        disk.execute(f"DELETE FROM {lost} WHERE throw = ?", (torn,))
        disk.commit()
    with closing(Store.open(path)) as store:
        assert store.set_aside is not None
        assert [throw.id for throw in store.last_throws(9)] == [kept]


FRAME, LOG_HEAD = 4096 + 24, 32  # bytes


@pytest.mark.parametrize("bit", [-1, 3, 5, 9, 17, 24 + 50, 24 + 2000, 24 + 4095])  # the byte in a frame
@pytest.mark.parametrize("part", [0.1, 0.4, 0.7])
def test_a_bit_that_changes_in_the_log_loses_no_throw_behind_it(
    path: Path, store: Store, bit: int, part: float
) -> None:
    """SQLite would take the place for the end, and say nothing."""
    copy, log = with_log(path, store, 20)
    content = bytearray(log.read_bytes())
    frames = (len(content) - LOG_HEAD) // FRAME
    content[LOG_HEAD + int(part * frames) * FRAME + bit if bit >= 0 else 20] ^= 4
    log.write_bytes(damaged := bytes(content))
    with closing(Store.open(copy)) as opened:
        throws = opened.last_throws(99)
        assert opened.set_aside is not None
        assert opened.set_aside.with_name(opened.set_aside.name + "-wal").read_bytes() == damaged
        assert len(throws) >= 18 and {shown(throw) for throw in throws} == {(2,)}


def test_nor_does_what_stands_in_for_the_file_lose_one_or_take_any_from_it(path: Path, store: Store) -> None:
    copy, log = with_log(path, store, 20)
    content = bytearray(log.read_bytes())
    content[len(content) // 2] ^= 4
    log.write_bytes(content)
    with closing(stand_in(copy)) as opened:
        assert len(opened.last_throws(99)) >= 18
        opened.move_in()
        assert opened.trouble is None
    with closing(Store.open(copy)) as opened:
        assert opened.set_aside is not None and len(opened.last_throws(99)) >= 18


@pytest.mark.parametrize("lost", [16, 512, 4096])
def test_of_a_log_without_its_head_the_newest_part_is_kept(path: Path, lost: int) -> None:
    """Behind it lies what is left of the log before, and may be more."""
    with closing(Store.open(path, alone=True)) as store:
        for _ in range(40):
            store.add_throw("camera", [TWO])
        copy, log = with_log(path, store, 1)
    content = log.read_bytes()
    salts = [content[at + 8 : at + 16] for at in range(LOG_HEAD, len(content) - FRAME, FRAME)]
    assert 0 < salts.count(salts[0]) < len(salts) / 2
    log.write_bytes(bytes(lost) + content[lost:])
    with closing(Store.open(copy)) as opened:
        assert opened.set_aside is not None and len(opened.last_throws(99)) >= 40


def test_the_last_but_one_transaction_is_missed_if_the_end_of_it_is_damaged(path: Path, store: Store) -> None:
    """Only one transaction ends behind that place; but a page stands there twice."""
    copy, log = with_log(path, store, 10)
    content = bytearray(log.read_bytes())
    ends = [at for at in range(LOG_HEAD, len(content), FRAME) if any(content[at + 4 : at + 8])]
    content[ends[-2] : ends[-2] + 24] = bytes(24)
    log.write_bytes(content)
    with closing(Store.open(copy)) as opened:
        assert opened.set_aside is not None and len(opened.last_throws(99)) >= 9


def test_wherever_the_power_is_cut_in_a_log_that_is_no_damage(path: Path, store: Store) -> None:
    copy, log = with_log(path, store, 8)
    whole, logged, found = copy.read_bytes(), log.read_bytes(), list[int]()
    for cut in range(0, len(logged), FRAME - 1000):
        copy.write_bytes(whole)
        log.write_bytes(logged[:cut])
        with closing(Store.open(copy)) as opened:
            assert opened.set_aside is None
            throws = opened.last_throws(99)
            assert {shown(throw) for throw in throws} <= {(2,)}
            found.append(len(throws))
    assert found == sorted(found) and set(found) == set(range(8))


def test_what_an_older_log_has_left_behind_is_no_damage(path: Path) -> None:
    """SQLite begins at the start of the log again when all of it is in the file."""
    with closing(Store.open(path, alone=True)) as store:
        for _ in range(200):
            store.add_throw("camera", [TWO])
        copy, log = with_log(path, store, 1)
        assert log.stat().st_size > LOG_HEAD + 50 * FRAME
    with closing(Store.open(copy)) as opened:
        assert opened.set_aside is None and len(opened.last_throws(999)) == 201


def test_a_log_does_not_grow_without_end_and_begins_anew_with_the_program(path: Path) -> None:
    with closing(Store.open(path, alone=True)) as store:
        copy, log = with_log(path, store, 300)
        assert log.stat().st_size < 120 * FRAME
    with closing(Store.open(copy, alone=True)) as opened:
        assert log.stat().st_size == 0 and len(opened.last_throws(999)) == 300


def test_a_log_cut_within_the_last_throw_keeps_the_others(path: Path, store: Store) -> None:
    copy, log = with_log(path, store, 20)
    log.write_bytes(log.read_bytes()[:-100])
    with closing(Store.open(copy)) as opened:
        assert opened.set_aside is None
        assert len(opened.last_throws(99)) == 19


# The disk and the others


def write_until_full(store: Store) -> int:
    """Expect that the disk is full at some time, and return how many throws were stored before."""
    acknowledged = list[int]()
    with fails(StoreErrorKind.FULL):
        while True:
            acknowledged.append(store.add_throw("camera", [TWO] * 20))
    return len(acknowledged)


def test_a_full_disk_loses_nothing_and_is_got_over(store: Store) -> None:
    connection = store._database._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + 1}")
    stored = write_until_full(store)
    assert len(store.last_throws(99_999)) == stored
    connection.execute("PRAGMA max_page_count = 100000")
    store.add_throw("camera", [TWO])
    assert len(store.last_throws(99_999)) == stored + 1


def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    with mounted(tmp_path / "tiny", "256k") as disk:
        with closing(Store.open(disk / "companion.db")) as store:
            stored = write_until_full(store)
            assert len(store.last_throws(99_999)) == stored
        with full(disk), fails(StoreErrorKind.FULL):
            Store.open(disk / "another.db")


@pytest.mark.parametrize("how", [full, read_only])
@pytest.mark.parametrize("killed", [False, True])
def test_what_a_disk_holds_that_takes_nothing_is_there_and_goes_on(
    how: Callable[[Path], AbstractContextManager[None]],
    killed: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with mounted(tmp_path / "tiny", "512k") as disk:
        monkeypatch.setattr("tempfile.tempdir", str(disk))  # a small machine has only one
        path = disk / "companion.db"
        with closing(Store.open(tmp_path / "companion.db" if killed else path)) as store:
            first = store.add_throw("camera", [TWO, FIVE])
            if killed:  # as a power cut leaves it: the throw is in the log alone
                for part in ("companion.db", "companion.db-wal"):
                    shutil.copy(tmp_path / part, disk)
        with how(disk):
            with pytest.raises(StoreError) as caught:
                Store.open(path, alone=True)
            store = Store.standing_in(path, caught.value)
            assert store.trouble is caught.value
            second = store.add_throw("hand", [TWO])
            store.move_in()
            assert store.trouble is not None and store.trouble.kind is caught.value.kind
        store.move_in()
        assert store.trouble is None
        third = store.add_throw("hand", [FIVE])
        with fails(StoreErrorKind.LOCKED):
            Store.open(path, alone=True)
        store.close()
        with closing(Store.open(path)) as again:
            assert [throw.id for throw in again.last_throws(9)] == [third, second, first]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that stand-ins have read, as often as they did."""
    found: list[Path] = []

    def read(path: Path) -> AbstractContextManager[Path]:
        found.append(path)
        return copied(path)

    monkeypatch.setattr("companion.store.standin.copied", read)
    return found


@pytest.mark.parametrize("how", [full, read_only])
def test_a_disk_that_takes_nothing_is_asked_again_without_reading_what_it_holds(
    how: Callable[[Path], AbstractContextManager[None]], reads: list[Path], tmp_path: Path
) -> None:
    """To read a store that has grown takes a second: nobody could play if that were done all the time."""
    with mounted(tmp_path / "disk", "1m") as disk:
        path = disk / "companion.db"
        filled(path)
        with how(disk):
            with pytest.raises(StoreError) as caught:
                Store.open(path, alone=True)
            store = Store.standing_in(path, caught.value)
            reads.clear()
            for _ in range(3):
                store.move_in()
                assert store.trouble is not None and store.trouble.kind is caught.value.kind
            assert reads == []
        store.move_in()
        assert store.trouble is None and reads == [path]
        store.close()


def test_a_disk_with_room_for_less_than_the_store_is_not_read_either(
    reads: list[Path], tmp_path: Path
) -> None:
    with mounted(tmp_path / "disk", "1m") as disk:
        path = disk / "companion.db"
        filled(path, 1000)
        store = stand_in(path)
        reads.clear()
        with full(disk):
            with (disk / "ballast").open("r+b") as ballast:
                ballast.truncate(ballast.seek(0, os.SEEK_END) - 2 * ROOM)
            store.move_in()
            assert store.trouble is not None and store.trouble.kind is StoreErrorKind.FULL and reads == []
        store.move_in()
        assert store.trouble is None
        store.close()


def stand_in(path: Path) -> Store:
    return Store.standing_in(path, StoreError(StoreErrorKind.FULL, "no room"))


def test_a_stand_in_for_nothing_becomes_a_file(path: Path) -> None:
    store = stand_in(path)
    store.add_throw("hand", [TWO])
    store.move_in()
    assert store.trouble is None
    store.close()
    with closing(Store.open(path)) as again:
        assert again.last_throws(1)[0].dice == (TWO,)


def test_a_stand_in_that_moves_in_does_not_examine_once_more_what_it_has_read_of_the_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of years of games that takes seconds, and nobody can play meanwhile."""
    filled(path)
    store = stand_in(path)
    monkeypatch.setattr("companion.store.standin.prepared", lambda *_: pytest.fail("it does"))
    store.move_in()
    assert store.trouble is None
    store.close()


def test_a_stand_in_overwrites_nothing_that_another_program_has_stored(path: Path, reads: list[Path]) -> None:
    """Nor does it promise to get in some day, or go on trying."""
    filled(path)
    store = stand_in(path)
    store.add_throw("hand", [TWO])
    with closing(Store.open(path)) as other:
        other.add_throw("hand", [FIVE])
    store.move_in()
    assert store.trouble is not None and store.trouble.kind is StoreErrorKind.OVERTAKEN
    reads.clear()
    store.move_in()
    assert store.trouble is not None and reads == []
    store.close()
    with closing(Store.open(path)) as again:
        assert again.last_throws(1)[0].dice == (FIVE,)


def test_nor_what_is_in_the_log_alone(path: Path, store: Store) -> None:
    """As another program leaves it that is killed."""
    copy, _ = with_log(path, store, 1)
    with closing(stand_in(copy)) as waiting:
        waiting.add_throw("hand", [FIVE])
        before = copy.read_bytes()
        with_log(path, store, 1)
        assert copy.read_bytes() == before
        waiting.move_in()
        assert waiting.trouble is not None and waiting.trouble.kind is StoreErrorKind.OVERTAKEN


def test_who_only_looks_at_a_store_keeps_nothing_from_it(path: Path, store: Store) -> None:
    """Who closes it brings what was in the log to its place: that is nothing new."""
    copy, _ = with_log(path, store, 3)
    with closing(stand_in(copy)) as waiting:
        before = copy.read_bytes()
        Store.open(copy).close()
        assert copy.read_bytes() != before
        waiting.move_in()
        assert waiting.trouble is None


def test_what_another_program_has_stored_while_a_stand_in_waited_for_it_is_not_overwritten(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(path, 1)
    store = stand_in(path)

    def held(*_: object, **__: object) -> Database:
        with closing(Store(opened(path))) as other:
            other.add_throw("hand", [FIVE])
        raise StoreError(StoreErrorKind.LOCKED, "it has the file alone")

    opened = Database.open
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("companion.store.standin.Database.open", held)
        store.move_in()
    store.move_in()
    assert store.trouble is not None and store.trouble.kind is StoreErrorKind.OVERTAKEN
    store.close()


@pytest.mark.parametrize("size", [1000, 2 * 4096], ids=["cut off", "whole pages"])
def test_a_stand_in_for_a_damaged_file_sets_it_aside_when_it_moves_in(path: Path, size: int) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database at all" * size)
    store = stand_in(path)
    store.add_throw("hand", [TWO])
    store.move_in()
    assert store.trouble is None
    store.close()
    with closing(Store.open(path)) as again:
        assert again.set_aside is not None and again.set_aside.exists()
        assert again.last_throws(1)[0].dice == (TWO,)


def test_a_stand_in_for_a_file_whose_tables_are_described_by_no_text_has_what_it_holds(path: Path) -> None:
    """SQLite's words have the damaged byte in them, and Python cannot read those."""
    whole = filled(path, 5)
    path.write_bytes(whole.replace(b"TABLE dice", b"T\xc1BLE dice"))  # a single bit
    with closing(stand_in(path)) as store:
        assert len(store.last_throws(9)) == 5
        store.move_in()
        assert store.trouble is None


def test_a_move_that_fails_half_way_is_made_later(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And of a damaged file people are told after that one."""
    path.parent.mkdir()
    path.write_bytes(b"no database at all" * 1000)
    store = stand_in(path)
    store.add_throw("hand", [TWO])

    class Failing(Database):
        """A file that is opened, and takes nothing."""

        @property
        def _connection(self) -> sqlite3.Connection:
            raise sqlite3.OperationalError("disk I/O error")

        @_connection.setter
        def _connection(self, value: sqlite3.Connection) -> None:
            """Not kept."""

    opened = Database.open

    def fail(*arguments: object, **options: object) -> Database:
        file = opened(*arguments, **options)  # type: ignore[arg-type]
        with closing(sqlite3.connect(":memory:")) as taken:
            return Failing(file._parts, taken, path, file.set_aside)

    monkeypatch.setattr("companion.store.standin.Database.open", fail)
    store.move_in()
    assert store.trouble is not None and store.trouble.kind is StoreErrorKind.BROKEN
    monkeypatch.undo()
    store.move_in()
    assert store.trouble is None and len(store.last_throws(9)) == 1
    store.close()
    with closing(Store.open(path)) as again:
        assert again.set_aside is not None


@pytest.mark.parametrize("there", [False, True])
def test_a_read_only_folder_is_named(there: bool) -> None:
    with without_privileges(), TemporaryDirectory() as place:
        path = Path(place) / "companion.db"
        if there:
            Store.open(path, alone=True).close()
        Path(place).chmod(0o555)
        with fails(StoreErrorKind.READ_ONLY) as caught:
            Store.open(path, alone=True)
        Path(place).chmod(0o755)
    assert isinstance(caught.value.error, PermissionError)


def test_a_file_that_may_only_be_read_is_stood_in_for_until_it_may_be_written() -> None:
    """SQLite opens it as if all were well, and leaves a log that may only be read, too."""
    with without_privileges(), TemporaryDirectory() as place:
        path = Path(place) / "companion.db"
        with closing(Store.open(path, alone=True)) as store:
            store.add_throw("camera", [TWO])
        path.chmod(0o444)
        with fails(StoreErrorKind.READ_ONLY) as caught:
            Store.open(path, alone=True)
        assert isinstance(caught.value.error, PermissionError)
        with closing(Store.standing_in(path, caught.value)) as store:
            store.add_throw("camera", [FIVE])
            store.move_in()
            assert store.trouble is not None
            path.chmod(0o644)
            store.move_in()
            assert store.trouble is None
        with closing(Store.open(path)) as store:
            assert {shown(throw) for throw in store.last_throws(9)} == {(2,), (5,)}


def test_what_may_not_even_be_read_is_not_stood_in_for(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = list[sqlite3.Connection]()
    connect = sqlite3.connect

    def remember(*args: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect(*args, **options))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", remember)
    with without_privileges(), TemporaryDirectory() as place:
        path = Path(place) / "companion.db"
        path.touch(0)
        with fails(StoreErrorKind.READ_ONLY) as caught:
            stand_in(path)
        assert isinstance(caught.value.error, PermissionError)
    for left in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            left.execute("SELECT 1")


def test_where_no_folder_can_be_made_that_is_why() -> None:
    with without_privileges(), TemporaryDirectory() as place:
        Path(place).chmod(0o555)
        with fails(StoreErrorKind.READ_ONLY) as caught:
            Store.open(Path(place) / "data" / "companion.db", alone=True)
        Path(place).chmod(0o755)
    assert isinstance(caught.value.error, PermissionError)


def test_a_folder_in_the_place_of_the_file_is_an_error(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(StoreError) as caught:
        Store.open(path, alone=True)
    assert isinstance(caught.value.error, IsADirectoryError)


def test_two_processes_may_write_in_turn(path: Path, store: Store) -> None:
    with closing(Store.open(path)) as other:
        store.add_throw("camera", [TWO])
        other.add_throw("camera", [FIVE])
        assert [shown(throw) for throw in store.last_throws(2)] == [(5,), (2,)]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What another program holds is hardly waited for."""
    monkeypatch.setattr(database, "BUSY_S", 0.01)


@pytest.mark.usefixtures("impatient")
def test_a_store_that_another_holds_is_locked_and_then_free(path: Path) -> None:
    with closing(Store.open(path)) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with fails(StoreErrorKind.LOCKED):
            store.add_throw("camera", [TWO])
        with fails(StoreErrorKind.LOCKED):
            Store.open(path)
        other.execute("ROLLBACK")
        store.add_throw("camera", [TWO])


def test_with_closes_the_store(path: Path) -> None:
    with Store.open(path) as store:
        store.add_throw("camera", [TWO])
    with fails(StoreErrorKind.BROKEN):
        store.last_throws(1)


def test_damage_in_use_has_a_name(path: Path, store: Store) -> None:
    store._database._connection.execute("DROP TABLE corrections")
    with fails(StoreErrorKind.BROKEN):
        store.undo(1)


def test_a_closed_store_says_so_as_a_store_error(path: Path) -> None:
    store = Store.open(path)
    store.close()
    store.close()
    with fails(StoreErrorKind.BROKEN):
        store.last_throws(1)
    with fails(StoreErrorKind.BROKEN):
        store.add_throw("hand", [TWO])


# kill -9


def write_for_ever(path: Path, acknowledge: int) -> None:
    """Store throws and stopper values, and write a line to a pipe after each one that is on the disk."""
    store = Store.open(path)
    while True:
        throw = store.add_throw("camera", [TWO, FIVE])
        os.write(acknowledge, f"throw {throw}\n".encode())
        store.correct(throw, 0, 6)
        os.write(acknowledge, f"corrected {throw}\n".encode())
        run = store.begin_stopper(1.2)
        for number in range(1, 4):
            store.add_stopper(run, number)
            os.write(acknowledge, f"run {run} {number}\n".encode())


def killed_writer(path: Path, writing_first: bool, after_s: float) -> list[str]:
    """Let a process write, kill it soon after it began, and return what it had acknowledged."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        write_for_ever(path, writing)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        first = pipe.readline() if writing_first else ""
        time.sleep(after_s)  # the moment of death, not a wait for anything
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return [line for line in (first + pipe.read()).splitlines() if line]


def check_acknowledged(path: Path, lines: list[str]) -> None:
    """Expect every acknowledged line in the store."""
    with closing(Store.open(path)) as store:
        assert store.set_aside is None, "the file was damaged"
        throws = {throw.id: shown(throw) for throw in store.last_throws(1_000_000)}
        rows = set(store._database.read("SELECT run, number FROM stopper_throws"))
    for line in lines:
        what, *numbers = line.split()
        if what == "run":
            assert tuple(map(int, numbers)) in rows, line
        else:
            assert throws[int(numbers[0])][0] in ((6,) if what == "corrected" else (2, 6)), line


def kill_again_and_again(path: Path, count: int) -> None:
    """Kill a process while it opens the store, and the next one while it writes, and so on."""
    acknowledged = list[str]()
    moments = random.Random()
    for turn in range(count):
        acknowledged += killed_writer(path, turn % 2 == 1, moments.uniform(0, 0.02))
        check_acknowledged(path, acknowledged)
    print(len(acknowledged))


def test_a_killed_process_loses_nothing_that_it_acknowledged(path: Path) -> None:
    command = [sys.executable, __file__, str(path), str(KILLS)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= KILLS // 2  # it did write


if __name__ == "__main__":
    kill_again_and_again(Path(sys.argv[1]), int(sys.argv[2]))


# Two programs


@pytest.mark.usefixtures("impatient")
def test_a_second_program_is_refused_while_the_first_plays(path: Path) -> None:
    with Store.open(path, alone=True) as first:
        with fails(StoreErrorKind.LOCKED):
            Store.open(path, alone=True)
        first.add_throw("hand", [TWO])
        with Store.open(path) as reader:
            assert len(reader.last_throws(1)) == 1
    with Store.open(path, alone=True) as again:
        assert len(again.last_throws(1)) == 1


def test_who_wants_it_alone_waits_for_another_that_is_about_to_close_it(path: Path) -> None:
    """Else nothing of what is played would be kept, because somebody has just looked whether it is in use."""
    opened = threading.Event()

    def looks() -> None:
        with Store.open(path, alone=True):
            opened.set()
            threading.Event().wait(0.02)

    other = threading.Thread(target=looks)
    other.start()
    opened.wait()
    Store.open(path, alone=True).close()
    other.join()


@pytest.mark.parametrize("version", ["3.11", "3.14"])
def test_a_store_where_this_user_may_not_look_is_somebody_elses(
    version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if version == "3.14":  # no error is raised any more where nobody may look
        monkeypatch.setattr(Path, "exists", lambda path: os.path.exists(path))  # noqa: PTH110
    with TemporaryDirectory() as place:
        path = Path(place) / "companion.db"
        Path(place).chmod(0)
        with without_privileges():
            hindrance = database.hindrance(path)
            assert database.in_use(path) and hindrance and isinstance(hindrance.error, PermissionError)
            with fails(StoreErrorKind.READ_ONLY):
                is_there(path)
        Path(place).chmod(0o700)


@pytest.mark.usefixtures("impatient")
def test_a_damaged_lock_is_replaced(path: Path) -> None:
    assert not database.in_use(path), "there is no folder yet"
    Store.open(path, alone=True).close()
    path.with_name(path.name + ".lock").write_bytes(b"\xff" * 4096)
    with closing(Store.open(path, alone=True)):
        assert database.in_use(path)
        with fails(StoreErrorKind.LOCKED):
            Store.open(path, alone=True)


def test_a_killed_program_leaves_no_lock(path: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path; from companion.store import Store;"
        "store = Store.open(Path(sys.argv[1]), alone=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)]).returncode == -signal.SIGKILL
    Store.open(path, alone=True).close()


def test_a_file_of_the_first_version_is_brought_to_this_one(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    with known(*MIGRATIONS[:1]), closing(Database.open(path)) as old, old.writing() as connection:
        connection.execute("INSERT INTO throws (at, source) VALUES ('2026-11-20T10:00:00+00:00', 'camera')")
    with Store.open(path) as store:
        assert len(store.last_throws(5)) == 1 and store.games.all() == ()
        assert store.games.begin("kabooom", "{}", bytes(32)) == 1


def test_dice_without_pips_are_stored_by_their_signs_beside_older_throws(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    with known(*MIGRATIONS[:5]), closing(Database.open(path)) as old, old.writing() as connection:
        connection.execute("INSERT INTO throws (at, source) VALUES ('2026-11-20T10:00:00+00:00', 'camera')")
        connection.execute("INSERT INTO dice VALUES (1, 0, 4, 5, 'white', 0.5)")
        connection.execute("INSERT INTO corrections (throw, place, face, at) VALUES (1, 0, 3, '')")
    fox = StoredDie("own-1/fox", "own-1/fox", "white", 0.9)
    with Store.open(path) as store:
        throw = store.add_throw("camera", [fox, FIVE])
        store.correct(throw, 0, "own-1/hare")
        store.correct(throw, 1, None)
    with Store.open(path) as store:
        newest, before = store.last_throws(2)
        assert shown(newest) == ("own-1/hare",) and newest.before[0] == (fox, FIVE)
        assert shown(before) == (3,) and before.before == ((StoredDie(4, 5, "white", 0.5),),)
        assert store.faces_read() == (("white", 3, 1),), "signs are no pips that could be unfair"


def test_what_was_in_doubt_and_nobody_has_confirmed_says_nothing_of_the_dice(path: Path) -> None:
    with Store.open(path) as store:
        asked = [
            store.add_throw("camera", [StoredDie(6, 6, "white"), StoredDie(2, 2, "white")], "asked")
            for _ in range(3)
        ]
        store.confirm(asked[0])
        store.correct(asked[1], 0, 4)
        assert store.faces_read() == (("white", 2, 1), ("white", 4, 1), ("white", 6, 1))
        store.undo(asked[1])
        assert store.faces_read() == (("white", 2, 1), ("white", 6, 1))


def test_a_correction_that_was_taken_back_has_answered_nothing(store: Store) -> None:
    throw = store.add_throw("camera", [TWO, FIVE], "asked")
    store.correct(throw, 0, 3)
    store.undo(throw)
    store.confirm(throw)
    assert store.last_throws(1)[0].answered == 0


def test_throws_of_the_demonstration_are_none(store: Store) -> None:
    store.add_throw("demonstration", [TWO, FIVE])
    assert store.last_throws(1) == () and store.faces_read() == ()


def test_a_die_that_was_not_thrown_says_nothing_of_the_dice(path: Path) -> None:
    with Store.open(path) as store:
        store.add_throw("camera", [TWO, FIVE])
        store.add_throw("camera", [StoredDie(2, None, "white", 0.9), FIVE])
        assert store.faces_read() == (("red", 5, 2), ("white", 2, 1))


def test_what_is_stored_together_is_stored_or_nothing_of_it(path: Path) -> None:
    with Store.open(path) as store:
        throw = store.add_throw("camera", [TWO, FIVE], "asked")
        with pytest.raises(ValueError, match="no die"), store.together():
            store.confirm(throw)
            store.correct(throw, 9, 3)
        assert store.last_throws(1)[0].trust == "asked"
        with store.together():
            store.correct(throw, 0, 3)
            store.confirm(throw)
    with Store.open(path) as store:
        (kept,) = store.last_throws(2)
        assert (shown(kept), kept.trust, kept.answered) == ((3, 5), "confirmed", 1)


def test_a_revised_throw_takes_the_place_of_the_one_before_in_one_step(path: Path) -> None:
    with Store.open(path) as store:
        first = store.add_throw("camera", [TWO, FIVE])
        store.replace_throw(first, "camera", [FIVE])
        newest, before = store.last_throws(2)
        assert shown(newest) == (5,) and shown(before) == () and before.trust == "asked"
        with pytest.raises(ValueError, match="no throw"):
            store.replace_throw(99, "camera", [TWO])
        assert len(store.last_throws(9)) == 2
