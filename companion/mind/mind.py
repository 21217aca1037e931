"""The companion's side of thinking: it asks, hears, and sees to it that somebody is there to think."""

import logging
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from companion.events import Heard, Thoughts
from companion.mind.questions import Answer, Question

log = logging.getLogger(__name__)
ROOT = Path(__file__).resolve().parents[2]  # where `companion` lies, however it was started
COMMAND = (sys.executable, "-m", "companion.mind.child")
TRIES = 2  # how many processes may fail at a question before that is said


class Child:
    """A process that thinks, and the thread that listens to it. `put` is called from that thread.

    What it has to say about mistakes goes where our own log goes. Raises OSError if it cannot be started.
    """

    def __init__(self, put: Callable[[Heard], None]) -> None:
        self.process = subprocess.Popen(
            COMMAND,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is meant for the companion
        )
        self._put = put
        self._thread = threading.Thread(target=self._listen, name="mind", daemon=True)
        self._thread.start()

    def send(self, number: int, question: Question | None) -> None:
        """Send a question, or that nothing is asked any more; one that has died hears nothing."""
        assert self.process.stdin
        packed = pickle.dumps(question) if question else b""
        with suppress(BrokenPipeError):
            pickle.dump((number, packed), self.process.stdin)
            self.process.stdin.flush()

    def _listen(self) -> None:
        assert self.process.stdout
        try:
            with self.process.stdout as answers, suppress(EOFError, pickle.UnpicklingError):
                while True:
                    self._put(Heard(self, pickle.load(answers)))
        finally:
            self.process.wait()
            self._put(Heard(self, None))

    def close(self) -> None:
        """End it, whatever it does; it takes some milliseconds."""
        assert self.process.stdin
        with suppress(BrokenPipeError):  # what could not be sent to one that has died
            self.process.stdin.close()
        self.process.kill()
        self._thread.join()


class Mind:
    """One question at a time; a new one ends the one before. The process is started with the first."""

    def __init__(self, put: Callable[[Heard], None]) -> None:
        self.child: Child | None = None
        self._put = put
        self._question: Question | None = None
        self._number = self._failed = 0

    def ask(self, question: Question | None) -> None:
        """Think about this from now on, or about nothing."""
        self._question, self._failed = question, 0
        self._number += 1
        self._send()

    def _send(self) -> None:
        if self.child is None and self._question:
            try:
                self.child = Child(self._put)
            except OSError as error:
                log.error("nobody can think: %s", error)
                self._put(Heard(None, Answer(self._number, None, over=True)))
        if self.child:
            self.child.send(self._number, self._question)

    def hear(self, heard: Heard) -> Iterator[Thoughts]:
        """What follows from something that a process has said: nothing if that is past."""
        if heard.by is not self.child:
            return
        if heard.answer is None:
            yield from self._died()
        elif heard.answer.number == self._number and self._question:
            yield Thoughts(self._question, heard.answer.answer, heard.answer.over)

    def _died(self) -> Iterator[Thoughts]:
        """Once more with another process; if that one dies too, it is no use."""
        assert self.child
        log.error("thinking ended with %s", self.child.process.returncode)
        self._drop()
        self._failed += 1
        if self._question and self._failed < TRIES:
            self._send()
        elif self._question:
            yield Thoughts(self._question, None, over=True)

    def _drop(self) -> None:
        if self.child:
            self.child.close()
        self.child = None

    def close(self) -> None:
        """Think no more."""
        self._question = None
        self._drop()
