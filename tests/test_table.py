"""The table goes on when the disk does not, and catches up when it does."""

import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.eye.dice import Die
from companion.eye.network import Found
from companion.eye.throws import Throw
from companion.journal import RETRY, TURN, Journal
from companion.store import Outline, Store, StoredDie, StoreError, StoreErrorKind
from companion.table import Table
from companion.throwlog import KEPT


class FailingStore(Store):
    """A store whose disk can be filled."""

    full = False

    def _fail(self) -> None:
        if self.full:
            raise StoreError(StoreErrorKind.FULL, "no space")

    def add_throw(self, *arguments: object) -> int:
        self._fail()
        return super().add_throw(*arguments)  # type: ignore[arg-type]

    def correct(self, *arguments: object) -> None:
        self._fail()
        super().correct(*arguments)  # type: ignore[arg-type]

    def add_stopper(self, *arguments: object) -> None:
        self._fail()
        super().add_stopper(*arguments)  # type: ignore[arg-type]

    def begin_stopper(self, interval_s: float) -> int:
        self._fail()
        return super().begin_stopper(interval_s)


def throw(*faces: int) -> Throw:
    return Throw(
        tuple(Die(f, (90.0 * i, 9), (0, 0, 9, 9), "red", 0.5) for i, f in enumerate(faces)), 1.0, False
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FailingStore]:
    with FailingStore.open(tmp_path / "companion.db") as store:
        assert isinstance(store, FailingStore)
        yield store


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Callable[[], Table]]:
    """Reads what is on the disk."""
    with ExitStack() as stack:
        yield lambda: Table(stack.enter_context(Store.open(tmp_path / "companion.db")))


def test_what_happens_while_the_disk_is_full_is_kept_and_written_later(
    store: FailingStore, written: Callable[[], Table]
) -> None:
    table = Table(store)
    table.log.thrown(throw(1))
    store.full = True
    second = table.log.thrown(throw(2, 3))
    table.log.correct(second, 0, 6)
    table.begin_stopper(1.2)
    table.stopper_shows(3)
    assert table.trouble is not None
    assert [t.faces for t in table.log.throws] == [(6, 3), (1,)]
    assert [t.faces for t in written().log.throws] == [(1,)]
    store.full = False
    table.retry(10.0)
    assert table.trouble is None
    again = written()
    assert [t.faces for t in again.log.throws] == [(6, 3), (1,)]
    assert again.stopper is not None and again.stopper.throws == (3,)


def test_it_does_not_try_all_the_time(store: FailingStore) -> None:
    table = Table(store)
    store.full = True
    table.log.thrown(throw(4))
    table.retry(10.0)
    store.full = False
    table.retry(10.5)
    assert table.trouble is not None
    table.retry(12.5)
    assert table.trouble is None


def test_of_much_that_waits_no_more_is_written_at_a_time_than_the_loop_may_be_held_up(
    store: FailingStore, written: Callable[[], Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hours may wait, and a card takes its time for each throw: the watchdog ended the program meanwhile."""
    table, seconds = Table(store), iter(range(1000))
    store.full = True
    thrown = [table.log.thrown(replace(throw(4), number=number)) for number in range(7)]
    store.full = False
    monkeypatch.setattr("companion.journal.time.monotonic", lambda: TURN / 2 * next(seconds))
    table.retry(10.0)
    assert table.trouble and sum(each.id is not None for each in thrown) == 3
    table.log.thrown(replace(throw(5), number=5))
    assert table.trouble and [t.faces for t in written().log.throws] == [(4,)] * 6
    table.retry(10.0 + RETRY)
    table.retry(10.0 + 2 * RETRY)
    assert table.trouble is None
    assert [t.faces for t in written().log.throws] == [(5,), *[(4,)] * 7]


def test_closing_writes_what_waits(store: FailingStore, written: Callable[[], Table]) -> None:
    table = Table(store)
    store.full = True
    table.log.thrown(throw(4))
    store.full = False
    table.close()
    assert [t.faces for t in written().log.throws] == [(4,)]


def test_throws_of_the_demonstration_are_marked_and_displace_no_real_ones(
    store: FailingStore, written: Callable[[], Table]
) -> None:
    log = Table(store).log
    log.thrown(throw(2, 3))
    for number in range(1, KEPT + 2):
        log.thrown(replace(throw(4), number=number), demonstration=True)
    assert ("demonstration",) in store._database.read("SELECT source FROM throws")
    assert [t.faces for t in log.throws] == [t.faces for t in written().log.throws] == [(2, 3)]


def test_the_stopper_must_run_to_show_something(store: FailingStore) -> None:
    with pytest.raises(ValueError, match="not running"):
        Table(store).stopper_shows(1)


def revised(*faces: int) -> Throw:
    return replace(throw(*faces), revises=True)


def test_a_revision_takes_the_place_of_what_the_eye_had_read(
    store: FailingStore, written: Callable[[], Table]
) -> None:
    log = Table(store).log
    log.thrown(throw(1))
    log.thrown(throw(2, 3))
    log.thrown(revised(2, 4))
    assert [t.faces for t in log.throws] == [t.faces for t in written().log.throws] == [(2, 4), (1,)]


def test_a_revision_of_what_was_not_taken_down_discards_no_other_throw(
    store: FailingStore, written: Callable[[], Table]
) -> None:
    log = Table(store).log
    log.thrown(replace(throw(3, 4), number=1))
    log.withdraw(replace(revised(5), number=2))
    log.thrown(replace(revised(2), number=2))
    assert [t.faces for t in log.throws] == [t.faces for t in written().log.throws] == [(2,), (3, 4)]
    log.withdraw(replace(revised(2), number=2))
    assert [t.faces for t in log.throws] == [t.faces for t in written().log.throws] == [(3, 4)]
    assert [each.faces for each in (log.current, written().log.current) if each] == [(3, 4), (3, 4)]


def test_an_undo_that_waits_for_the_disk_takes_back_one_correction(
    store: FailingStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(store)
    asked = table.log.thrown(replace(throw(3, 4), sure=False, doubts=((1, None),)))
    table.log.correct(asked, 0, 6)
    table.log.correct(asked, 1, 5)

    def full(*_: object, **__: object) -> None:
        raise StoreError(StoreErrorKind.FULL, "no space")

    with monkeypatch.context() as patch:
        patch.setattr(store, "confirm", full)
        table.log.undo(asked)
    table.retry(1000.0)
    (kept,) = store.last_throws(1)
    assert tuple(die.face for die in kept.dice) == asked.faces == (6, 4)
    assert kept.trust == asked.trust == "asked"


def test_a_throw_that_another_watcher_has_found_is_still_revised(store: FailingStore) -> None:
    log = Table(store).log
    log.thrown(replace(throw(4, 2), number=1))
    log.thrown(replace(throw(4, 2), found=True, number=2))
    log.thrown(replace(revised(4, 3), number=1))
    log.thrown(replace(revised(4, 5), number=2))
    assert [t.faces for t in log.throws] == [(4, 5)]


def test_what_a_person_has_said_is_not_withdrawn(store: FailingStore) -> None:
    log = Table(store).log
    log.correct(log.thrown(throw(2, 3)), 0, 5)
    log.withdraw(revised(1))
    assert [t.faces for t in log.throws] == [(5, 3)]


@pytest.mark.parametrize("written", [False, True])
def test_what_is_interrupted_is_written_once(store: FailingStore, written: bool) -> None:
    """Ctrl-C comes while a move is being stored, or just afterwards."""

    def job() -> None:
        if written:
            store.add_throw("hand", [StoredDie(4)])
        signal.raise_signal(signal.SIGINT)
        if not written:
            store.add_throw("hand", [StoredDie(4)])

    journal, before = Journal(store), signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            journal.write(job)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    journal.finish()
    assert [throw.dice for throw in store.last_throws(9)] == [(StoredDie(4),)]


def test_what_could_not_be_read_is_read_again(store: FailingStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> tuple[Outline, ...]:
        raise StoreError(StoreErrorKind.BROKEN, "disk I/O error")

    table = Table(store)
    with monkeypatch.context() as broken:
        broken.setattr(store.games, "outlines", fails)
        assert table.outlines() == () and table.trouble
        table.retry(100.0)
        assert table.trouble
    table.retry(100.0 + RETRY)
    assert table.trouble is None


def test_what_cannot_be_stored_keeps_nothing_after_it_from_the_disk(
    store: FailingStore, written: Callable[[], Table]
) -> None:
    log = Table(store).log
    die = replace(throw(7).dice[0], sign="W\udcfcrfel/1")
    asked = log.thrown(Throw((die,), 1.0, sure=False, doubts=((0, None),), number=1))
    log.confirm(asked)
    log.thrown(replace(throw(3), number=2))
    assert [t.faces for t in written().log.throws] == [(3,)]


@pytest.mark.parametrize("restarted", [False, True])
def test_undo_takes_back_a_correction_before_a_confirmation_that_was_given_earlier(
    store: FailingStore, written: Callable[[], Table], restarted: bool
) -> None:
    log = Table(store).log
    log.confirm(asked := log.thrown(replace(throw(3, 4), sure=False, doubts=((0, 5),))))
    log.correct(asked, 1, 6)
    log = written().log if restarted else log
    said = []
    while log.current and log.undo(log.current):
        said.append((log.current.faces, log.current.asked))
    assert said == [((3, 4), False), ((3, 4), True)]


def test_a_revision_never_discards_what_was_entered_by_hand(
    store: FailingStore, written: Callable[[], Table]
) -> None:
    log = Table(store).log
    log.thrown(throw(2, 3))
    log.add(None, 6)
    log.thrown(revised(2, 4))
    assert [t.faces for t in log.throws] == [t.faces for t in written().log.throws] == [(2, 4), (6,)]


def test_a_revision_never_discards_what_a_person_has_corrected(store: FailingStore) -> None:
    log = Table(store).log
    seen = log.thrown(throw(2, 3))
    log.correct(seen, 0, 5)
    assert log.thrown(revised(2, 4)) is seen
    assert [t.faces for t in log.throws] == [(5, 3)]


def test_a_revision_never_discards_what_a_person_has_confirmed(store: FailingStore) -> None:
    log = Table(store).log
    asked = log.thrown(replace(throw(2, 3), sure=False, doubts=((1, None),)))
    log.confirm(asked)
    assert log.thrown(revised(2, 4)) is asked
    assert [t.faces for t in log.throws] == [(2, 3)]


def test_what_a_person_has_confirmed_stands_after_a_restart_too(store: FailingStore) -> None:
    log = Table(store).log
    log.confirm(log.thrown(replace(throw(2, 3), sure=False, doubts=((1, None),))))
    again = Table(store).log
    found = again.thrown(replace(throw(2, 3), found=True))
    assert found.said and again.thrown(revised(2, 4)) is found
    assert [t.faces for t in again.throws] == [(2, 3)]


def test_a_throw_in_doubt_whose_correction_is_taken_back_is_in_doubt_again(store: FailingStore) -> None:
    log = Table(store).log
    asked = log.thrown(replace(throw(2, 3), sure=False, doubts=((1, None),)))
    log.correct(asked, 1, 5)
    assert not asked.asked and not asked.doubts
    log.undo(asked)
    again = Table(store).log.current
    assert asked.asked and again is not None and again.asked
    assert asked.doubts == {1: None}, "and it is seen which die"
    log.confirm(asked)
    assert not asked.doubts


def test_what_is_found_as_it_was_read_is_the_same_throw_whatever_people_have_made_of_it(
    store: FailingStore,
) -> None:
    log = Table(store).log
    seen = log.thrown(throw(2, 3))
    log.correct(seen, 0, 5)
    again = Table(store).log
    assert again.thrown(replace(throw(3, 2), found=True)) is again.current
    assert [t.faces for t in again.throws] == [(5, 3)]
    again.thrown(replace(throw(5, 3), found=True))
    assert [t.faces for t in again.throws] == [(5, 3), (5, 3)]


def test_what_was_in_doubt_before_the_power_was_cut_is_in_doubt_again(store: FailingStore) -> None:
    log = Table(store).log
    log.thrown(replace(throw(2, 3), sure=False, doubts=((1, 6),)))
    again = Table(store).log
    assert again.current and again.current.asked
    assert again.current.doubts == {1: 6}
    found = again.thrown(replace(throw(2, 3), sure=False, doubts=((1, 6),), found=True))
    assert found is again.current and found.doubts == {1: 6}
    assert [t.faces for t in again.throws] == [(2, 3)]
    again.confirm(found)
    assert again.thrown(replace(throw(2, 3), sure=False, doubts=((1, 6),), found=True)) is found
    assert [t.faces for t in Table(store).log.throws] == [(2, 3)] and not found.doubts


def test_a_die_that_was_added_before_the_power_was_cut_is_in_no_doubt(store: FailingStore) -> None:
    log = Table(store).log
    log.add(log.thrown(replace(throw(2, 3), sure=False, doubts=((1, 6),))), 5)
    log = Table(store).log
    assert log.current and log.undo(log.current)
    assert log.current.asked and log.current.doubts == {1: 6}


@pytest.mark.parametrize("back", [False, True])
def test_a_correction_and_what_it_answers_are_stored_together_or_not_at_all(
    store: FailingStore, monkeypatch: pytest.MonkeyPatch, back: bool
) -> None:
    """As when the power is cut between the two: nothing of it is there."""
    log = Table(store).log
    asked = log.thrown(replace(throw(2, 3), sure=False, doubts=((1, None),)))
    if back:
        log.correct(asked, 1, 5)

    def cut(*_: object, **__: object) -> None:
        raise ValueError("cut")

    with monkeypatch.context() as broken:
        broken.setattr(store, "confirm", cut)
        if back:
            log.undo(asked)
        else:
            log.correct(asked, 1, 5)
    again = Table(store).log.current
    assert again and (again.faces, again.asked) == (((2, 5), False) if back else ((2, 3), True))


def test_of_a_throw_of_an_older_version_all_is_in_doubt(store: FailingStore) -> None:
    store.add_throw("camera", [StoredDie(2, 2), StoredDie(3, 3)], "asked")
    log = Table(store).log
    assert log.current and log.current.doubts == {0: None, 1: None}


def test_undo_after_a_restart_takes_back_a_correction_with_what_it_answered(store: FailingStore) -> None:
    log = Table(store).log
    log.correct(log.thrown(replace(throw(2, 3), sure=False, doubts=((1, None),))), 1, 5)
    log = Table(store).log
    assert log.current and not log.current.asked and log.undo(log.current)
    assert log.current.faces == (2, 3) and log.current.doubts == {1: None}
    assert not log.undo(log.current)
    assert [t.faces for t in Table(store).log.throws] == [(2, 3)]


def test_correcting_a_throw_that_was_revised_meanwhile_does_nothing(store: FailingStore) -> None:
    log = Table(store).log
    old = log.thrown(throw(2, 3))
    log.thrown(revised(2, 4))
    log.correct(old, 0, 6)
    assert [t.faces for t in log.throws] == [(2, 4)]
    assert log.add(old, 6).faces == (6,)


def test_what_is_said_of_a_throw_that_was_revised_meanwhile_says_nothing(store: FailingStore) -> None:
    log = Table(store).log
    old = log.thrown(replace(throw(2, 3), sure=False, doubts=((1, None),)))
    log.thrown(revised(2, 4))
    log.settle(old, (6, 6))
    log.confirm(old)
    log.correct(old, 0, 6)
    assert [t.faces for t in log.throws] == [(2, 4)] and old.faces == (2, 3) and not old.said


def test_a_throw_that_nobody_was_asked_about_is_not_confirmed(store: FailingStore) -> None:
    log = Table(store).log
    sure = log.thrown(throw(2, 3))
    log.confirm(sure)
    assert not sure.said and not log.undo(sure)


def at(face: int, x: float) -> Die:
    return Die(face, (x, 9), (x - 5, 4, x + 5, 14), "red", 0.9)


def test_two_dice_that_show_the_same_are_never_one_when_they_were_pushed(store: FailingStore) -> None:
    logged = Table(store).log.thrown(replace(throw(), dice=(at(3, 100), at(3, 200))))
    logged.follow((at(3, 190), at(3, 290)))
    assert logged.boxes == {0: at(3, 290).box, 1: at(3, 190).box}


def test_the_mark_of_a_die_in_doubt_follows_it_and_goes_to_none_that_is_seen(store: FailingStore) -> None:
    """The eye finds what it cannot read. The next die is nearer than a turned one is wide."""

    def found(x: float) -> Found:
        return Found((x, 9), at(3, x).box, 0.4, np.full(12, 1 / 12))

    dice = (at(3, 100), at(4, 109))
    logged = Table(store).log.thrown(replace(throw(), dice=dice, sure=False, doubts=((0, None),)))
    for seen, there, lies in (
        (dice[1:], (102, 109), 102),
        (dice[1:], (109,), 102),
        ((at(3, 103), dice[1]), (97, 109), 103),
    ):
        logged.follow(seen, map(found, there))
        assert logged.boxes == {0: at(3, lies).box, 1: dice[1].box}


def test_what_was_asked_is_asked_no_more_once_the_eye_is_sure_of_what_lies_there(store: FailingStore) -> None:
    """Somebody comes back to it."""
    log = Table(store).log
    log.thrown(replace(throw(2, 3), sure=False, doubts=((1, None),)))
    log.thrown(replace(throw(3, 2), found=True, number=1))
    assert [(each.faces, each.asked) for each in log.throws] == [((3, 2), False)]


def test_whoever_adds_the_die_that_was_not_seen_is_asked_no_more(store: FailingStore) -> None:
    log = Table(store).log
    log.add(log.thrown(replace(throw(2, 3), sure=False)), 6)
    assert [(each.faces, each.asked) for each in log.throws] == [((2, 3, 6), False)]


@pytest.mark.parametrize("again", ["found", "revised"])
def test_what_was_corrected_in_part_stays_so_wherever_it_is_read_again(
    store: FailingStore, again: str
) -> None:
    log = Table(store).log
    dice, pushed = (at(3, 100), at(4, 200)), (at(3, 120), at(4, 220))
    first = replace(throw(), dice=dice, sure=False, doubts=((0, None), (1, None)), number=1)
    asked = log.thrown(first)
    log.correct(asked, 0, 6)
    found = again == "found"
    anew = log.thrown(replace(first, dice=pushed, found=found, revises=not found, number=1 + found))
    assert anew is asked and asked.asked and asked.faces == (6, 4)
    assert asked.boxes == {i: die.box for i, die in enumerate(pushed)}


@pytest.mark.parametrize("sure", [True, False])
def test_what_a_person_says_of_a_whole_throw_is_taken_back_at_once(store: FailingStore, sure: bool) -> None:
    """Be it after a restart: what was read as it is said is not corrected."""
    log = Table(store).log
    log.settle(log.thrown(replace(throw(2, 3), sure=sure, doubts=() if sure else ((1, None),))), (2, 5))
    log = Table(store).log
    assert log.current and log.current.faces == (2, 5) and log.undo(log.current)
    assert (log.current.faces, log.current.asked) == ((2, 3), not sure)
    assert not log.undo(log.current)


def test_a_correction_is_taken_back_after_a_restart_too(
    store: FailingStore, written: Callable[[], Table]
) -> None:
    log = Table(store).log
    seen = log.thrown(throw(2, 3))
    log.correct(seen, 0, 5)
    log.add(seen, 6)
    log.correct(seen, 1, None)
    again = written().log
    assert again.current is not None and again.current.corrected
    shown = [again.current.faces]
    while again.undo(again.current):
        shown.append(again.current.faces)
    assert shown == [(5, 6), (5, 3, 6), (5, 3), (2, 3)]
    last = written().log.current
    assert last is not None and last.faces == (2, 3) and not last.corrected
