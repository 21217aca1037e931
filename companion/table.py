"""What lies on the table: the throws so far and the stopper's run. Everything is stored before it is shown.

When the disk fails (full, read-only) play goes on: what could not be written waits here in order, the screen
says so, and it is written as soon as the disk takes it again.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from companion import troubles
from companion.eye.dice import COLOURS, Colour, Die
from companion.eye.throws import Throw
from companion.language import Message
from companion.store import Ending, Source, Store, StoredDie, StoredThrow, StoreError

KEPT = 12  # throws that are kept at hand
RETRY = 2.0  # seconds between two attempts to write what waits


@dataclass(frozen=True, slots=True)
class LoggedDie:
    """A die of a throw; `face` is None for what turned out to be no die."""

    face: int | None
    colour: Colour = "white"


@dataclass(eq=False, slots=True)
class LoggedThrow:
    """A throw as it counts now, and how it counted before each correction; `id` is the store's."""

    dice: tuple[LoggedDie, ...]
    id: int | None = None
    history: list[tuple[LoggedDie, ...]] = field(default_factory=list)

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces that count."""
        return tuple(die.face for die in self.dice if die.face)

    @property
    def corrected(self) -> bool:
        """Whether there is a correction to take back."""
        return bool(self.history)


@dataclass(eq=False, slots=True)
class StopperRun:
    """The run of the stopper that is not finished: every value thrown so far."""

    throws: tuple[int, ...] = ()
    id: int | None = None


class Table:
    """What is in progress. Raises `StoreError` only when it is made."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: deque[Callable[[], None]] = deque()
        self._retry_at = 0.0
        self.trouble: Message | None = None
        self._throws = deque((_logged(t) for t in reversed(store.last_throws(KEPT))), maxlen=KEPT)
        run = store.unfinished_stopper()
        self.stopper = StopperRun(run.values, run.id) if run else None

    # throws

    @property
    def throws(self) -> tuple[LoggedThrow, ...]:
        """The last throws that count, the newest first."""
        return tuple(throw for throw in reversed(self._throws) if throw.faces)

    @property
    def current(self) -> LoggedThrow | None:
        """The newest of them."""
        return next(iter(self.throws), None)

    def thrown(self, throw: Throw, demonstration: bool = False) -> LoggedThrow:
        """Take down what the eye has seen. A reading that revises the one before takes its place."""
        if throw.revises and self._throws and not self._throws[-1].corrected:  # a person knows better
            self._discard(self._throws[-1])
        source: Source = "demonstration" if demonstration else "camera"
        return self._add(source, [_stored(die) for die in throw.dice])

    def correct(self, throw: LoggedThrow, die: LoggedDie, face: int | None) -> None:
        """Let a die of the throw (the very one, not one that is equal) show another face, or be none."""
        index = next((i for i, each in enumerate(throw.dice) if each is die), None)
        if index is None:  # the eye has revised the throw meanwhile
            return
        throw.history.append(throw.dice)
        throw.dice = (*throw.dice[:index], replace(die, face=face), *throw.dice[index + 1 :])
        self._write(lambda: self._store.correct(_id(throw), index, face))

    def add(self, throw: LoggedThrow | None, face: int) -> LoggedThrow:
        """Add a die that was not seen; without a throw it begins one, entered by hand."""
        if throw is None:
            return self._add("hand", [StoredDie(face)])
        throw.history.append(throw.dice)
        throw.dice = (*throw.dice, LoggedDie(face))
        self._write(lambda: self._store.add_die(_id(throw), face))
        return throw

    def undo_correction(self, throw: LoggedThrow) -> bool:
        """Take back the last correction; False if there is none."""
        if not throw.history:
            return False
        throw.dice = throw.history.pop()

        def job() -> None:
            self._store.undo(_id(throw))

        self._write(job)
        return True

    def _add(self, source: Source, dice: list[StoredDie]) -> LoggedThrow:
        throw = LoggedThrow(tuple(_logged_die(die) for die in dice))

        def job() -> None:
            throw.id = self._store.add_throw(source, dice)

        self._write(job)
        self._throws.append(throw)
        return throw

    def _discard(self, throw: LoggedThrow) -> None:
        for die in throw.dice:
            self.correct(throw, die, None)

    # the stopper

    def begin_stopper(self, interval_s: float) -> None:
        """A run begins."""
        run = StopperRun()

        def job() -> None:
            run.id = self._store.begin_stopper(interval_s)

        self._write(job)
        self.stopper = run

    def stopper_shows(self, value: int) -> None:
        """The stopper die of the run shows a value."""
        run = self._run()
        run.throws = (*run.throws, value)
        self._write(lambda: self._store.add_stopper(_id(run), value))

    def end_stopper(self, how: Ending) -> None:
        """The run is over."""
        run = self._run()
        self._write(lambda: self._store.end_stopper(_id(run), how))
        self.stopper = None

    def _run(self) -> StopperRun:
        if self.stopper is None:
            raise ValueError("the stopper is not running")
        return self.stopper

    # the disk

    def _write(self, job: Callable[[], None]) -> None:
        self._waiting.append(job)
        self._catch_up()

    def _catch_up(self) -> None:
        while self._waiting:
            try:
                self._waiting[0]()
            except StoreError as error:
                self.trouble = troubles.store(error)
                return
            self._waiting.popleft()
        self.trouble = None

    def retry(self, now: float) -> None:
        """Try again to write what waits, every few seconds of `now`."""
        if self._waiting and now >= self._retry_at:
            self._retry_at = now + RETRY
            self._catch_up()

    def close(self) -> None:
        """Write what waits, if that is possible now, and close the store."""
        self._catch_up()
        self._store.close()


def _id(thing: LoggedThrow | StopperRun) -> int:
    assert thing.id is not None  # jobs run in order: what it depends on has been written
    return thing.id


def _stored(die: Die) -> StoredDie:
    return StoredDie(die.face, die.face, die.colour, die.confidence)


def _logged_die(die: StoredDie) -> LoggedDie:
    return LoggedDie(die.face, next((known for known in COLOURS if known == die.colour), COLOURS[0]))


def _logged(throw: StoredThrow) -> LoggedThrow:
    return LoggedThrow(tuple(map(_logged_die, throw.dice)), throw.id)
