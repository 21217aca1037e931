"""Tabletop Companion: it sees the dice, keeps the game and speaks, beside a real board."""

import os

os.environ.setdefault(
    "PYGAME_HIDE_SUPPORT_PROMPT", "1"
)  # `companion` prints what it has to say, nothing else

__version__ = "0.1.0"
