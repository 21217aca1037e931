"""The process that thinks: questions come in by its standard input, answers go out by its standard output.

It knows neither screens nor the eye, so that it is small and there at once. It ends with its input, hence
with the companion, however that has ended. What it has to say about mistakes goes to its standard error.
"""

import faulthandler
import os
import pickle
import threading
import time
from typing import Any, BinaryIO

from companion.mind.questions import Answer, Question

NICE = 5  # screens and the eye go first
STUCK_S = 10.0  # seconds after which a thought that does not end when it is pressed is given up


class Inbox:
    """The newest question; those before it count no more. A thread reads, so that looking costs nothing."""

    def __init__(self, file: BinaryIO) -> None:
        self.number = 0
        self._file, self._packed = file, b""
        self._new = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def after(self, number: int) -> tuple[int, bytes]:
        """Wait for a question that is newer than the one with this number; it is packed."""
        with self._new:
            self._new.wait_for(lambda: self.number != number and self._packed)
            return self.number, self._packed

    def _read(self) -> None:
        try:
            while True:
                number, packed = pickle.load(self._file)
                with self._new:
                    self.number, self._packed = number, packed
                    self._new.notify()
        finally:
            os._exit(0)  # also in the middle of a thought


def main() -> None:
    """Answer the newest question as long as there are any."""
    faulthandler.enable()
    os.nice(NICE)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed is no answer
    inbox, number = Inbox(os.fdopen(os.dup(0), "rb")), 0
    while True:
        number, packed = inbox.after(number)
        question: Question = pickle.loads(packed)
        faulthandler.dump_traceback_later(question.seconds + STUCK_S, exit=True)
        try:
            think(question, number, inbox, answers)
        except BrokenPipeError:  # nobody hears it: the companion has ended, or was killed
            os._exit(0)
        faulthandler.cancel_dump_traceback_later()


def think(question: Question, number: int, inbox: Inbox, answers: BinaryIO) -> None:
    """Send every answer, until there is no better one, the time is over or something else is asked."""
    end = time.monotonic() + question.seconds

    def pressed() -> bool:
        return inbox.number != number or time.monotonic() >= end

    def say(answer: Any, over: bool) -> None:
        pickle.dump(Answer(number, answer, over), answers)
        answers.flush()

    best = None
    for best in question.answers(pressed):
        say(best, over=False)
        if pressed():
            break
    if best is None:
        raise RuntimeError(f"no answer to {question}")
    say(best, over=True)


if __name__ == "__main__":
    main()
