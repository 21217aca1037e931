"""The files of the games: complete, valid, and every mistake is explained with its line."""

import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import msgspec
import pytest

from companion.config import CONFIG, ConfigError
from companion.games.bau_boom.rules import Options as BauOptions
from companion.games.book import books
from companion.language import Texts
from companion.playthrough import UnplayableError, frozen, thawed

NAMES = sorted(books())
Said = Callable[[str, str], list[str]]


@pytest.fixture
def said(tmp_path: Path) -> Said:
    """What is said of a file of a game, each mistake from its line on."""

    def say(name: str, text: str) -> list[str]:
        (tmp_path / "games").mkdir(exist_ok=True)
        file = tmp_path / "games" / f"{name}.yaml"
        file.write_text(text)
        try:
            books()[name].agree(tmp_path)
        except ConfigError as error:
            return [problem.say(Texts("en")).removeprefix(str(file)) for problem in error.problems]
        return []

    return say


def shipped(name: str) -> str:
    return (CONFIG / "games" / f"{name}.yaml").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_the_shipped_file_says_the_defaults(name: str, said: Said) -> None:
    """What is left out has the value that stands in the file."""
    book = books()[name]
    agreed = book.agree(CONFIG)
    plain = book.options(players=book.fewest)
    differing = [f.name for f in fields(agreed) if getattr(agreed, f.name) != getattr(plain, f.name)]
    assert differing == (["deck"] if name == "make-n-break" else [])


@pytest.mark.parametrize("name", NAMES)
def test_the_shipped_file_is_complete_and_commented(name: str) -> None:
    book, text = books()[name], shipped(name)
    keys = re.findall(r"^(\w+):", text, re.MULTILINE)
    assert set(keys) == {*book.kinds, *book.more}
    for key in keys:
        if not key.startswith("hill_"):
            assert re.search(rf"^# .*\n{key}:", text, re.MULTILINE), f"{key} has no comment"


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_file_an_unknown_key_and_garbage(name: str, said: Said, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="missing"):
        books()[name].agree(tmp_path)
    first = next(iter(books()[name].kinds))
    assert f":2: unknown key '{first}x': did you mean '{first}'?" in said(name, f"\n{first}x: 3\n")
    assert said(name, "\x00\x01")[-1].startswith(":1: ")
    assert "too many" in said(name, f"{first}: a: b")[-1]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("kabooom", "board: 5x5", ":1: board: '5x5' is not possible: did you mean '5x5hole'?"),
        ("kabooom", "\nsupply: rock 3, paper 3, scissors 3", ":2: supply: 'dynamite' is missing"),
        ("kabooom", "supply: rock 3, paper 3, scissors 3, dynamit 3", "did you mean 'dynamite'?"),
        ("kabooom", "supply: rock 3, paper 3, scissors 3, dynamite -1", "out of range"),
        ("kabooom", "supply: rock 3, paper 3, scissors 3, dynamite", "no value"),
        ("kabooom", "supply: rock 1, paper 1, scissors 1, dynamite 1", "2 players need 12 stones each"),
        ("kabooom", "supply: [3, 3, 3, 3]", "one value is expected"),
        ("kabooom", "supply: rock 3, rock 9, paper 3, scissors 3, dynamite 3", "'rock' is there twice"),
        ("big-boom-bang", "faces: bomb bomb heart heart gift gift", "'scissors' is missing"),
        ("big-boom-bang", "faces: bomb scissors heart gift", "6 words are expected, not 4"),
        ("big-boom-bang", "faces: bomb scissors heart gift bom gift", "did you mean 'bomb'?"),
        ("big-boom-bang", "scissors: maybe", "write one of: reroll, keep"),
        ("make-n-break", "skip: perhaps", "write one of: true, false"),
        ("make-n-break", "deck:", "no value"),
        ("bau-boom", "anteaters: 8", ":1: anteaters: there are two anteaters"),
        ("bau-boom", "anteaters: 8, 9, 24", "two anteaters"),
        ("bau-boom", "anteaters: 8, 40", "space 40 is not on the trail, which ends with 32"),
        ("bau-boom", "ladybugs: 5, 8", "space 8 is given twice"),
        ("bau-boom", "ladybugs: 5, five", "ladybugs: 'five' is not possible"),
        ("bau-boom", "spaces: 90\ntiles: red 18, yellow 18, green 18, blue 18", "cannot be dealt from 72"),
        ("bau-boom", "spaces: 20", "is not on the trail"),
        (
            "bau-boom",
            "tiles: red 14, yellow 18, green 18, blue 18",
            "the hills need 15 tiles in red, there are 14",
        ),
        ("bau-boom", "tiles: red 18, yellow 18, green 18", "'blue' is missing"),
        ("bau-boom", "hills: 10, 12", "10 or 15"),
        ("bau-boom", "hills: 10", "2 sizes are needed, one for each player, not 1"),
        ("bau-boom", "hill_1:\n  10: |\n    r\n    g b\n    y y y\n", ":2: 10: 4 rows are expected"),
        (
            "bau-boom",
            "hill_1:\n  10: |\n    r\n    g b\n    y y\n    b b b b\n",
            "places in row 2 from the bottom: 3",
        ),
        (
            "bau-boom",
            "hill_1:\n  10: |\n    r\n    g b\n    y y p\n    b b b b\n",
            "'p' is no colour; write r y g b",
        ),
        ("bau-boom", "hill_1:\n  12: |\n    r\n", "unknown key '12'"),
        ("bau-boom", "hill_5:\n  10: |\n    r\n", "did you mean 'hill_"),
        ("bau-boom", "zero_triggers: 'true'", "without quotes"),
    ],
)
def test_each_mistake_is_explained(said: Said, tmp_path: Path, name: str, text: str, says: str) -> None:
    if name == "make-n-break":
        (tmp_path / "games").mkdir()
        (tmp_path / "games" / "make-n-break-deck.yaml").write_text(shipped("make-n-break-deck"))
    found = said(name, text)
    assert any(says in each for each in found), found
    assert all(each.startswith(":") for each in found), "every mistake has its line"


def test_all_mistakes_are_named_at_once(said: Said) -> None:
    found = said(
        "bau-boom", "variant: base2\nladybugs: 5, 99x\nanteaters: 8, 50\npenalty_tile: all\nfoo: 1\n"
    )
    assert [each.split(":")[1] for each in found] == ["1", "2", "3", "4", "5"]


def test_a_box_of_ones_own(said: Said, tmp_path: Path) -> None:
    """The board, the hills and the tiles of a real box are entered by editing one file."""
    text = shipped("bau-boom")
    text = text.replace("spaces: 33", "spaces: 40").replace(
        "ladybugs: 5, 10, 15, 21, 28", "ladybugs: 7 14 21"
    )
    text = text.replace(
        "    y\n    r g\n    y b r\n    r y g b\n", "    b\n\n    B G\n    r r y\n    bgyr\n", 1
    )
    assert said("bau-boom", text) == []
    options = books()["bau-boom"].agree(tmp_path)
    assert len(options.trail) == 40 and options.trail.count("ladybug") == 3
    assert options.plans10[0] == (
        ("blue", "green", "yellow", "red"),
        ("red", "red", "yellow"),
        ("blue", "green"),
        ("blue",),
    )


# What was agreed, from other sources


@pytest.mark.parametrize("name", NAMES)
def test_what_was_agreed_survives_as_json(name: str) -> None:
    book = books()[name]
    for players in book.players:
        options = book.agree(CONFIG, players)
        assert thawed(book, frozen(options)) == options


@pytest.mark.parametrize(
    "change",
    [
        {"trail": ["normal", "start"]},
        {"trail": ["start", "normal", "anteater"]},
        {"hills": [10]},
        {"hills": [12, 12]},
        {"tiles": [1, 1, 1, 1]},
        {"tiles": [-5, 100, 18, 18]},
        {"plans10": [[["red"]]] * 4},
        {"players": 5},
        {"variant": "baser"},
    ],
)
def test_what_could_never_be_agreed_is_refused(change: dict[str, object]) -> None:
    """However it got into a file or the store, it does not reach the rules."""
    data = msgspec.json.decode(frozen(BauOptions())) | change
    with pytest.raises(UnplayableError):
        thawed(books()["bau-boom"], msgspec.json.encode(data).decode())
