"""Golden games: every one in `playthroughs/` is played to the end that its last line tells."""

import itertools
import json
from pathlib import Path

import pytest

from companion import playthrough
from companion.config import CONFIG
from companion.config.kinds import Choice
from companion.games.book import books
from companion.games.rulebook import seat
from companion.match import Match

FOLDER = Path(__file__).parent / "playthroughs"
FILES = sorted(FOLDER.glob("*/*.txt"))
END = "# end: "


def opened(file: Path) -> tuple[Match, list[tuple[int, str]], list[str]]:
    lines = file.read_text().splitlines()
    match, moves = playthrough.read(lines, CONFIG)
    return match, moves, lines


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_it_comes_out_as_it_did(file: Path) -> None:
    match, moves, lines = opened(file)
    assert match.book.name == file.parent.name
    for number, text in moves:
        assert match.play(text) == text, f"line {number}"
    end = {
        "over": match.position.over,
        "winners": [seat(player) for player in match.position.winners],
        "scores": list(match.position.scores),
    }
    assert json.loads(lines[-1].removeprefix(END)) == end


@pytest.mark.parametrize("name", books())
def test_every_variant_has_a_whole_game_for_every_number_of_players(name: str) -> None:
    book = books()[name]
    whole = [
        match.options
        for match, moves, lines in map(opened, FOLDER.glob(f"{name}/*.txt"))
        if json.loads(lines[-1].removeprefix(END))["over"]
    ]
    choices = {key: kind.words for key, kind in book.sets.items() if isinstance(kind, Choice)}
    for key, words in choices.items():
        assert {getattr(options, key) for options in whole} == set(words)
    key, words = next(iter(choices.items()))  # the first is what makes the greatest difference
    wanted = set(itertools.product(book.players, words))
    assert {(options.players, getattr(options, key)) for options in whole} >= wanted
