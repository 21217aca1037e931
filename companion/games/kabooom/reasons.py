"""Why a move of Kabooom! is good, in a few words that are true. Pure."""

from companion.games.kabooom.duel import View
from companion.games.kabooom.fast import PASS, cells, hit, tables
from companion.games.kabooom.rules import BEATS, SYMBOLS, Position, neighbours, squares
from companion.language import Message, mark

STONES = (mark("rock"), mark("paper"), mark("scissors"), mark("dynamite"))


def move(position: Position, view: View) -> Message:
    return Message("x")


def set_stone(position: Position, kind: int, place: int) -> Message:
    return Message("x")
