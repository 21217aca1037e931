"""Kabooom! in writing: the lines, what is no line at all, the options and what is wrong with them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.config import CONFIG, ConfigError, WrongError
from companion.games.book import books
from companion.games.kabooom.rules import Deal, Hit, Options, Pass, Place
from companion.language import Texts

BOOK = books()["kabooom"]
parse, write = BOOK.notation.parse, BOOK.notation.write
Kab = Callable[..., Any]


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("place d b2", Place("d", "b2")),
        ("b3-c4", Hit("b3", "c4")),
        ("pass", Pass()),
        ("deal a1:1r b1:4d", Deal((("a1", 0, "r"), ("b1", 3, "d")))),
    ],
)
def test_every_move_is_a_line(line: str, move: object) -> None:
    assert parse(line) == move and write(move) == line


@pytest.mark.parametrize("blank", [" ", "  ", "\t", " \t "])
def test_blanks_and_a_carriage_return_do_not_matter(kab: Kab, blank: str) -> None:
    line = f"{blank}place{blank}r{blank}a1{blank}\r\n"
    assert kab().match.play(line) == "place r a1"


@pytest.mark.parametrize(
    "line",
    [
        *("place x a1", "place r i1", "place r a6", "place r a0", "place r a01", "place a1 r", "place r"),
        *("Place r a1", "place R a1", "PASS", "pass pass", "b3-c", "b3 - c4", "b3c4", "b3-c4-d5", "B3-C4"),
        *("deal", "deal a1:5r", "deal a1:0r", "deal a1:r", "deal a1:1x", "deal a1:1r,b1:1r", "a1:1r"),
        *("", "place r a1 # remark", "plac\u00e9 r a1", "place r a\u0661", "place\u00a0r a1", "keep"),
    ],
)
def test_what_is_no_move_at_all(kab: Kab, line: str) -> None:
    assert kab().senseless(line)


def test_a_move_that_is_out_of_place_is_no_nonsense(kab: Kab) -> None:
    """What other boards have is a move, but not here: the number of a rule says why."""
    assert kab().refused("place r f1") == "A-KAB1"
    assert kab(board="3x8").refused("place r a4") == "A-KAB1"
    assert kab(board="3x8")("place r h3").position.turn == 1
    assert kab(board="4x6").refused("a1-b2") == "KAB-R13"
    assert kab(level="easy").refused("deal a1:1r") == "KAB-R7"
    four = kab(4, level="easy").throw()
    assert kab(2, level="easy").refused(four) == "KAB-R1"
    assert kab(2, level="easy").refused(four.replace(":4", ":3")) == "KAB-R1"


def test_after_the_end_nothing_is_a_move(kab: Kab) -> None:
    game = kab(level="easy")
    game.throw()
    deal = game.match.moves[0]
    game("pass", "pass")
    assert game.position.over and game.match.awaits == ()
    for line in ("pass", "place r a1", "a1-b1", deal):
        assert game.refused(line) is None


def test_the_state_is_the_whole_truth(kab: Kab) -> None:
    game = kab(3)("place d b2", "place r e5")
    assert game.state == {
        "board": {
            "b2": {"owner": "p1", "symbol": "d", "height": 1},
            "e5": {"owner": "p2", "symbol": "r", "height": 1},
        },
        "supply": [
            {"r": 3, "p": 3, "s": 3, "d": 2},
            {"r": 2, "p": 3, "s": 3, "d": 3},
            {"r": 3, "p": 3, "s": 3, "d": 3},
        ],
        "passes": 0,
    }
    assert (game.who, game.awaited.what, len(game.legal)) == ("p3", "place a stone", 4 * 22)
    assert game.legal == sorted(game.legal)


def test_the_board_is_told_in_the_order_of_its_squares(kab: Kab) -> None:
    game = kab()("place r b2", "place r a1", "place r a2", "place r e1")
    assert list(game.state["board"]) == ["a1", "e1", "a2", "b2"]


# Options


def agreed(folder: Path, text: str, players: int = 2, chosen: Mapping[str, str] | None = None) -> Options:
    (folder / "games").mkdir(exist_ok=True)
    (folder / "games" / "kabooom.yaml").write_text(text)
    options = BOOK.agree(folder, players, chosen)
    assert isinstance(options, Options)
    return options


def test_the_file_is_read(tmp_path: Path) -> None:
    text = "level: hard\nboard: 3x8\ndynamite: explode\nsupply: dynamite 0, rock 1, paper 2, scissors 9\n"
    options = agreed(tmp_path, text + "easy_symbols: iid\ntiebreak: highest_tower\n", 3)
    assert options == Options(3, "hard", "3x8", "explode", (1, 2, 9, 0), "iid", "highest_tower")
    assert agreed(tmp_path, "") == Options()


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("level", ("easy", "medium", "hard")),
        ("board", ("5x5hole", "4x6", "3x8")),
        ("dynamite", ("stack", "explode")),
    ],
)
def test_what_can_be_set_for_one_game(tmp_path: Path, key: str, words: tuple[str, ...]) -> None:
    for word in words:
        assert getattr(agreed(tmp_path, f"{key}: {word}"), key) == word
        both = agreed(tmp_path, f"{key}: {words[0]}", 2, {key: word})
        assert getattr(both, key) == word, "what is chosen goes first"
    assert refused({key: "nothing"}).startswith(f"{key}: 'nothing' is not possible")


def refused(chosen: Mapping[str, str], players: int = 2) -> str:
    """Why a choice is none."""
    with pytest.raises(WrongError) as caught:
        BOOK.agree(CONFIG, players, chosen)
    return Texts("en").say(caught.value.message)


def test_what_cannot_be_set_for_one_game() -> None:
    assert refused({"supply": "rock 12"}) == (
        "'supply' is not chosen for one game, but for all, in games/kabooom.yaml"
    )
    assert refused({"bord": "4x6"}) == "unknown key 'bord': did you mean 'board'?"


@pytest.mark.parametrize("players", [-1, 0, 1, 5, 99])
def test_so_many_cannot_play(players: int) -> None:
    """KAB-R1"""
    assert refused({}, players) == f"Kabooom! is for 2 to 4 players, not for {players}"


@pytest.mark.parametrize(
    ("text", "players", "says"),
    [
        (
            "\nlevel: heavy",
            2,
            "kabooom.yaml:2: level: 'heavy' is not possible",
        ),
        ("level: hrd", 2, "kabooom.yaml:1: level: 'hrd' is not possible: did you mean 'hard'?"),
        ("dynamite: explodes", 2, ":1: dynamite: 'explodes' is not possible: did you mean 'explode'?"),
        ("tiebreak:", 2, ":1: tiebreak: there is no value"),
        ("easy_symbols: [set]", 2, ":1: easy_symbols: one value is expected"),
        ("supply: rock 2, paper 2, scissors 2, dynamite 1", 3, ":1: supply: 3 players need 8 stones each"),
        ("supply: rock 13, paper 2, scissors 2, dynamite 1", 3, ":1: supply: "),
        ("supply: rock 1.5, paper 9, scissors 9, dynamite 1", 3, ":1: supply: "),
        ("level: easy\nlevel: hard", 2, ":2: "),
        ("supplies: rock 3", 2, ":1: unknown key 'supplies': did you mean 'supply'?"),
    ],
)
def test_each_mistake_is_explained_with_its_line(tmp_path: Path, text: str, players: int, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        agreed(tmp_path, text, players)
    (problem,) = caught.value.problems
    assert says in problem.say(Texts("en"))


def test_the_same_stones_are_enough_for_more_players(tmp_path: Path) -> None:
    """KAB-R6, KAB-R11, A-KAB5"""
    six = "supply: rock 2, paper 2, scissors 2, dynamite 0"
    assert agreed(tmp_path, six, 4).supply == (2, 2, 2, 0)
    with pytest.raises(ConfigError, match="3 players need 8"):
        agreed(tmp_path, six, 3)
