"""Tabletop Companion: it sees the dice, keeps the game and speaks, beside a real board."""

__version__ = "0.1.0"
