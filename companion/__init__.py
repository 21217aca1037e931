"""Tabletop Companion: it sees the dice, keeps the game and speaks, beside a real board."""

import os
import sys
from types import TracebackType

# `companion` prints what it has to say, and nothing else.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

__version__ = "0.1.0"


def _tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Who presses Ctrl-C while the modules are loaded knows why it has ended."""
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)


sys.excepthook = _tell
