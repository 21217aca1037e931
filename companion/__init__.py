"""Tabletop Companion: it sees the dice, keeps the game and speaks, beside a real board."""

import os

import hardware  # noqa: F401  (it tells OpenCV how to behave, which has to be before anybody loads it)

# `companion` prints what it has to say, and nothing else.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

__version__ = "0.1.0"
