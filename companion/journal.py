"""What is written before it is shown, and what waits while the disk does not take it.

When the disk fails (full, read-only) play goes on: what could not be written waits here in order, the
screen says so, and it is written as soon as the disk takes it again.
"""

import logging
import math
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from companion import troubles
from companion.language import Message
from companion.store import Store, StoreError

log = logging.getLogger(__name__)
RETRY = 2.0  # seconds between two attempts to write what waits
TURN = 1.0  # seconds after which an attempt ends: of much that waits the rest is for the next one
Job = Callable[[], object]


class Storable(Protocol):
    """What the store has given an `id`, or will."""

    id: int | None


def id_of(thing: Storable) -> int:
    """The id of something: jobs run in order. Raises ValueError for what could not be stored."""
    if thing.id is None:
        raise ValueError("it is not stored")
    return thing.id


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C takes effect when this is over: what was written is not left half done, nor done once more."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield  # nobody is interrupted
        return
    asked = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: asked.set())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if asked.is_set():
            signal.raise_signal(signal.SIGINT)


class Journal:
    """The jobs of a store, done in order; and the move of one that only stands in for a file."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: deque[Job] = deque()
        self._retry_at: float | None = 0.0  # None: at the first turn after an attempt it is not known yet
        self._error: StoreError | None = None

    @property
    def trouble(self) -> Message | None:
        """Why something waits, or is in memory only."""
        error = self._error or self._store.trouble
        return troubles.store(error) if error else None

    def write(self, job: Job) -> None:
        """Do a job now if the disk works and nothing waits before it."""
        self._waiting.append(job)
        self.catch_up()

    def catch_up(self, seconds: float = TURN) -> None:
        """Do what waits, as far as that is possible in about so many seconds."""
        until = time.monotonic() + seconds
        while self._waiting:
            with uninterrupted():
                try:
                    self._waiting[0]()
                except StoreError as error:
                    if self._error is None:
                        log.error("what happens waits for the disk: %s", error)
                    self._error = error
                    return
                except ValueError:  # a mistake of ours: it must not keep what comes after it from the disk
                    log.exception("this cannot be stored")
                self._waiting.popleft()
            if self._waiting and time.monotonic() > until:
                return
        self._error = None

    def settle(self) -> None:
        """Write what waits, so that what is read afterwards is whole; raises `StoreError` if that fails."""
        self.catch_up(math.inf)
        if self._error:
            raise self._error

    def retry(self, now: float) -> None:
        """Try again to write what waits, a few seconds of `now` after the last attempt has ended."""
        if self._retry_at is None:
            self._retry_at = now + RETRY
        if (self._waiting or self._store.trouble) and now >= self._retry_at:
            self.finish(TURN)
            self._retry_at = None

    def finish(self, seconds: float = math.inf) -> None:
        """Bring everything to the disk, as far as that is possible in about so many seconds."""
        self._store.move_in()
        self.catch_up(seconds)
