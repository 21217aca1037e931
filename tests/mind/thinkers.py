"""Questions whose answers cost nothing, never end or kill; they are answered in the process that thinks."""

import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.games.thought import Pressed


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """Asks for a word; the time is never over if nothing else is said."""

    word: str = "yes"
    seconds: float = 1e6

    def answers(self, pressed: Pressed) -> Iterator[object]:
        yield self.word


class Endless(Question):
    """Thinks until it is pressed."""

    def answers(self, pressed: Pressed) -> Iterator[object]:
        yield "first"
        while not pressed():
            pass
        yield "pressed"


class Stubborn(Question):
    """Thinks for ever, whoever presses."""

    def answers(self, pressed: Pressed) -> Iterator[object]:
        yield "first"
        while True:
            pass


class Wrong(Question):
    """Fails in a thought."""

    def answers(self, pressed: Pressed) -> Iterator[object]:
        yield "first"
        raise ZeroDivisionError(self.word)


class Silent(Question):
    """Has no answer."""

    def answers(self, pressed: Pressed) -> Iterator[object]:
        yield from ()


class Chatty(Question):
    """Prints while it thinks."""

    def answers(self, pressed: Pressed) -> Iterator[object]:
        print("a remark", flush=True)
        os.write(1, b"another")
        yield self.word


class Knowing(Question):
    """What the process has loaded."""

    def answers(self, pressed: Pressed) -> Iterator[object]:
        yield frozenset(sys.modules)


class Mortal(Question):
    """Kills its process the first time; `word` is a file that remembers it."""

    def answers(self, pressed: Pressed) -> Iterator[object]:
        file = Path(self.word)
        if not file.exists():
            file.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        yield "alive"
