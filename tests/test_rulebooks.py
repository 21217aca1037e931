"""Every rule by its number: each stands in the list of its game, and in a test that proves it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LISTS = {
    "BAU": (ROOT / "companion/games/bau_boom/rules.txt", 50, 24),
    "BANG": (ROOT / "companion/games/big_boom_bang/rules.txt", 36, 14),
    "MNB": (ROOT / "companion/games/make_n_break/rules.txt", 29, 14),
    "CON": (ROOT / "companion/games/container/rules.txt", 9, 0),
    "KAB": (ROOT / "companion/games/kabooom/rules.txt", 33, 13),
}
NUMBER = re.compile(r"\b(?:A-)?(?:BAU|BANG|MNB|KAB|CON)(?:-R)?\d+\b")


def numbers(text: str) -> set[str]:
    return set(NUMBER.findall(text))


def in_code(*folders: str) -> dict[str, set[str]]:
    files = (file for folder in folders for file in (ROOT / folder).rglob("*.py"))
    return {str(file): numbers(file.read_text()) for file in files if file != Path(__file__)}


@pytest.mark.parametrize("game", LISTS)
def test_the_list_is_complete(game: str) -> None:
    file, rules, readings = LISTS[game]
    listed = [line.split()[0] for line in file.read_text().splitlines() if line[:1] not in ("", " ", "#")]
    assert listed == [f"{game}-R{i + 1}" for i in range(rules)] + [
        f"A-{game}{i + 1}" for i in range(readings)
    ]


def test_every_rule_has_a_test() -> None:
    known = set().union(*(numbers(file.read_text()) for file, _, _ in LISTS.values()))
    proven = set().union(*in_code("tests").values())
    assert sorted(known - proven) == []


def test_no_number_is_made_up() -> None:
    known = set().union(*(numbers(file.read_text()) for file, _, _ in LISTS.values()))
    for file, found in in_code("companion", "tests").items():
        assert found <= known, file
