"""What the second readings of the rules share: how they are asked, and compared with the rule book."""

from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest

from companion import playthrough
from companion.config import CONFIG
from companion.games.rulebook import IllegalMove
from companion.match import Match

Question = TypeVar("Question")


def answered(talk: Generator[Question, str, None], line: str) -> Question | None:
    """The next question of a second reading; None when the game is over."""
    try:
        return talk.send(line)
    except StopIteration:
        return None


def only_these(match: Match, legal: list[str], decisions: Mapping[str, Any]) -> None:
    """What is legal is played; all the rest is refused with the number of a rule, and changes nothing."""
    before, rules = match.position, match.book.rules
    for line, move in decisions.items():
        if line in legal:
            assert rules.play(before, move) != before
        else:
            with pytest.raises(IllegalMove) as caught:
                rules.play(before, move)
            assert caught.value.rule or before.over, line
    assert match.position is before


def golden(file: Path, reading: Callable[[Any], Any], compared: Callable[[Match, Any, Any], None]) -> None:
    """A recorded game is what the second reading says, from move to move."""
    match, moves = playthrough.read(file.read_text().splitlines(), CONFIG)
    table = reading(match.options)
    talk = table.game()
    next(talk)
    for _, line in moves:
        match.play(line)
        compared(match, table, answered(talk, line))
