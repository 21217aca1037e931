"""BIG BOOM! BANG in writing: the lines, what is no line at all, the options and what is wrong with them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.config import CONFIG, ConfigError, WrongError
from companion.games.big_boom_bang.rules import Keep, Name, Options, Reroll, Reveal, Roll, Shuffle
from companion.games.book import books
from companion.language import Texts

BOOK = books()["big-boom-bang"]
parse, write = BOOK.notation.parse, BOOK.notation.write
Bang = Callable[..., Any]


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("shuffle fuse gift boom", Shuffle(("fuse", "gift", "boom"))),
        ("roll bomb scissors heart gift", Roll(("bomb", "scissors", "heart", "gift"))),
        ("reroll 1 3 5", Reroll((1, 3, 5))),
        ("keep", Keep()),
        ("reveal 14", Reveal(14)),
        ("name p5", Name(4)),
    ],
)
def test_every_move_is_a_line(line: str, move: object) -> None:
    assert parse(line) == move and write(move) == line


@pytest.mark.parametrize("blank", [" ", "  ", "\t", " \t "])
def test_blanks_and_a_carriage_return_do_not_matter(bang: Bang, blank: str) -> None:
    line = f"{blank}roll{blank}gift{blank}gift heart heart bomb{blank}\r\n"
    assert bang().match.play(line) == "roll gift gift heart heart bomb"


@pytest.mark.parametrize(
    "line",
    [
        *("roll", "roll six", "roll Bomb", "roll bomb,gift", "roll fuse", "shuffle", "shuffle bomb", "boom"),
        *(
            "reroll",
            "reroll 0",
            "reroll 6",
            "reroll 01",
            "reroll 2 1",
            "reroll 2 2",
            "reroll 1,2",
            "reroll 12",
        ),
        *("keep 1", "KEEP", "", "pass", "reveal", "reveal 0", "reveal 15", "reveal 01", "reveal 1 2"),
        *("reveal +1", "name", "name p0", "name p6", "name 1", "name p1 p2", "name P1", "reveal \u0661"),
    ],
)
def test_what_is_no_move_at_all(bang: Bang, line: str) -> None:
    assert bang().senseless(line)


@pytest.mark.parametrize(
    ("lines", "rules"),
    [
        ([], ["BANG-R6", "BANG-R6", "BANG-R6", "BANG-R6"]),
        (["roll bomb gift heart heart gift"], ["BANG-R10", None, "BANG-R8", "BANG-R8"]),
        (["roll bomb gift heart heart gift", "keep"], ["BANG-R20", "BANG-R20", None, "BANG-R20"]),
        (
            ["roll bomb gift heart heart gift", "keep", "reveal 10"],
            ["BANG-R22", "BANG-R22", "BANG-R22", "A-BANG7"],
        ),
    ],
)
def test_a_move_that_is_not_due_is_no_nonsense(bang: Bang, lines: list[str], rules: list[str | None]) -> None:
    """What is due is said by the number of a rule."""
    for line, rule in zip(("reroll 1", "keep", "reveal 1", "name p1"), rules, strict=True):
        game = bang()(*lines)
        assert line in game.legal if rule is None else game.refused(line) == rule
    assert bang()(*lines).refused("shuffle" + " fuse" * 11 + " gift gift boom") is not None


def test_after_the_end_nothing_is_a_move(bang: Bang) -> None:
    game = bang(hearts=(1, 0, 2))("roll bomb scissors scissors scissors scissors", "keep", "reveal 12")
    assert game.position.over and game.match.awaits == ()
    for line in (*game.match.moves, "name p3", "reroll 1"):
        assert game.refused(line) is None


def test_the_state_is_the_whole_truth(bang: Bang) -> None:
    game = bang(4)("roll bomb bomb gift scissors heart", "reroll 1 4", "roll heart heart", "keep")
    game("reveal 13", "reveal 10")
    assert game.state == {
        "active": "p1",
        "hearts": [3, 2, 2, 2],
        "supply": 6,
        "dice": ["heart", "bomb", "gift", "heart", "heart"],
        "throws": 2,
        "open": {"10": "gift", "13": "fuse"},
        "tiles": ["fuse"] * 9 + ["gift", "gift", "boom", "fuse", "fuse"],
        "owed": 1,
    }
    assert (game.who, game.legal) == ("p2", ["name p1", "name p3", "name p4"])


def test_while_dice_are_in_the_hand_they_show_nothing(bang: Bang) -> None:
    game = bang()("roll gift gift scissors heart heart", "reroll 4 5")
    assert game.state["dice"] == ["gift", "gift", "scissors", None, None]
    assert (game.who, game.awaited.what, game.awaited.dice, game.awaited.count) == (
        "chance",
        "roll",
        (4, 5),
        2,
    )
    assert game.refused("roll bomb") == game.refused("roll bomb bomb bomb") == "BANG-R8"
    assert game("roll bomb gift").state["dice"] == ["gift", "gift", "scissors", "bomb", "gift"]


# Options


def agreed(folder: Path, text: str, players: int = 3, chosen: Mapping[str, str] | None = None) -> Options:
    (folder / "games").mkdir(exist_ok=True)
    (folder / "games" / "big-boom-bang.yaml").write_text(text)
    options = BOOK.agree(folder, players, chosen)
    assert isinstance(options, Options)
    return options


def refused(chosen: Mapping[str, str], players: int = 3) -> str:
    """Why a choice is none."""
    with pytest.raises(WrongError) as caught:
        BOOK.agree(CONFIG, players, chosen)
    return Texts("en").say(caught.value.message)


def test_the_file_is_read(tmp_path: Path) -> None:
    options = agreed(tmp_path, "scissors: keep\nfaces: Gift, heart heart, scissors bomb heart\n", 4)
    assert options == Options(4, "keep", ("gift", "heart", "heart", "scissors", "bomb", "heart"))
    assert agreed(tmp_path, "") == Options()


@pytest.mark.parametrize("word", ["reroll", "keep"])
def test_scissors_can_be_set_for_one_game(tmp_path: Path, word: str) -> None:
    """A-BANG2"""
    assert agreed(tmp_path, f"scissors: {word}").scissors == word
    assert agreed(tmp_path, "scissors: reroll", 3, {"scissors": word}).scissors == word
    assert agreed(tmp_path, "scissors: keep", 3, {"scissors": word}).scissors == word


def test_what_cannot_be_set_for_one_game() -> None:
    assert refused({"scissors": "kept"}).startswith("scissors: 'kept' is not possible: did you mean 'keep'?")
    assert refused({"faces": "bomb"}).startswith("'faces' is not chosen for one game")


@pytest.mark.parametrize("players", [-1, 0, 2, 6, 99])
def test_so_many_cannot_play(players: int) -> None:
    """BANG-R1"""
    assert refused({}, players) == f"BIG BOOM! BANG is for 3 to 5 players, not for {players}"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("\nscissors: no", "big-boom-bang.yaml:2: scissors: 'no' is not possible"),
        ("scissors:", ":1: scissors: there is no value"),
        ("faces: bomb bomb bomb scissors heart", ":1: faces: 6 words are expected, not 5"),
        ("faces: bomb bomb bomb scissors scissors gift", ":1: faces: 'heart' is missing"),
        ("scissors: keep\nfaces: bomb bomb fuse scissors heart gift", ":2: faces: 'fuse' is not possible"),
        ("faces: [bomb, bomb, scissors, heart, gift, gift]", ":1: faces: one value is expected"),
        ("face: bomb", ":1: unknown key 'face': did you mean 'faces'?"),
        ("scissors: keep\nscissors: reroll", ":2: "),
    ],
)
def test_each_mistake_is_explained_with_its_line(tmp_path: Path, text: str, says: str) -> None:
    """A-BANG1: every symbol is on the die, or somebody waits for it for ever"""
    with pytest.raises(ConfigError) as caught:
        agreed(tmp_path, text)
    (problem,) = caught.value.problems
    assert says in problem.say(Texts("en"))


def test_the_companion_throws_what_is_on_the_dice(bang: Bang) -> None:
    """A-BANG1: each side as likely"""
    faces = ("heart", "heart", "heart", "heart", "scissors", "bomb")
    throws = [bang(changes={"faces": faces}, seed=str(number)).throw() for number in range(40)]
    shown = " ".join(throws).replace("roll ", "").split()
    assert set(shown) == set(faces) and shown.count("heart") > len(shown) / 2
