"""`companion odds` and `companion bench odds`, as people and programs use them."""

import io
import json
import re
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.commands.odds import answers, anywhere
from companion.games import part
from companion.games.book import books

MOVES = """# big-boom-bang --players 3
shuffle fuse fuse fuse gift fuse fuse boom fuse gift fuse fuse fuse fuse fuse
roll bomb bomb scissors heart gift
"""
Run = Callable[..., tuple[int, list[str], str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command, in English: its status, what it printed, what it complained about."""

    def go(*words: str) -> tuple[int, list[str], str]:
        status = main(["--language", "en", *words])
        said = capsys.readouterr()
        return status, said.out.splitlines(), said.err

    return go


@pytest.fixture
def game(tmp_path: Path) -> str:
    (tmp_path / "game.txt").write_text(MOVES)
    return str(tmp_path / "game.txt")


def test_what_to_throw_again_and_with_what_chances(run: Run, game: str) -> None:
    """A survivor keeps the gift, a winner throws it (BANG-R29: whoever reveals may lose a heart)."""
    status, lines, _ = run("odds", "big-boom-bang", game)
    assert status == 0
    assert lines[0] == "Stopping: BOOM for oneself 15.6 %, for another 9.4 %, none 75.0 %"
    assert lines[1].startswith("To survive this turn: reroll 1 3. BOOM for oneself 13.4 %")
    assert [line[:7] for line in lines[2:5]] == ["p1 wins", "p2 wins", "p3 wins"]
    assert lines[5].startswith("Hint: reroll 1 3 5. Throwing again wins 33.5 %")


@pytest.fixture
def of_five(tmp_path: Path) -> str:
    """A game whose first line says more than its name."""
    file = tmp_path / "five.txt"
    file.write_text("# big-boom-bang --players 5 --set scissors=keep\n")
    return str(file)


def test_what_was_agreed_stands_in_the_first_line(run: Run, of_five: str) -> None:
    agreed = ("--players", "5", "--set", "scissors=keep")
    assert run("odds", "big-boom-bang", of_five) == run("odds", "big-boom-bang", *agreed)
    assert run("odds", "big-boom-bang", of_five) != run("odds", "big-boom-bang", "--players", "5")
    assert run("perft", "big-boom-bang", of_five, "--depth", "0")[:2] == (0, ["1"])


@pytest.mark.parametrize("words", [("--players", "5"), ("--set", "scissors=keep")])
def test_what_was_agreed_may_be_said_twice(run: Run, of_five: str, words: tuple[str, str]) -> None:
    assert run("odds", "big-boom-bang", of_five, *words) == run("odds", "big-boom-bang", of_five)
    assert run("perft", "big-boom-bang", of_five, *words, "--depth", "0")[:2] == (0, ["1"])


@pytest.mark.parametrize("words", [("--players", "4"), ("--set", "scissors=reroll"), ("--set", "level=hard")])
def test_what_was_agreed_is_not_said_otherwise(run: Run, of_five: str, words: tuple[str, str]) -> None:
    status, lines, said = run("odds", "big-boom-bang", of_five, *words)
    assert (status, lines) == (2, []) and f"leave out {' '.join(words)}, or that line" in said
    assert "weglassen" in run("--language", "de", "odds", "big-boom-bang", of_five, *words)[2]


@pytest.mark.parametrize("remark", ["container lies on the table", "big-boom-bang and some fun", "", "1 + 1"])
def test_a_remark_that_is_no_first_line_says_nothing(run: Run, tmp_path: Path, remark: str) -> None:
    file = tmp_path / "game.txt"
    file.write_text(f"# {remark}\n")
    assert run("odds", "big-boom-bang", str(file)) == run("odds", "big-boom-bang")


def test_a_task_that_is_being_built_need_not_be_named(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    deal = "y07 b30 y11 y23 y19 y27 y25 b29 y08 b15 b12 y06 b26 b13 y02 y03 b16 b01 b18 b09 b21 y14 b24 b04"
    rest = "b10 y05 y22 b17 y28 y20"
    file.write_text(f"# make-n-break --players 2\nshuffle {deal} {rest}\ngo\nstopper 2\n")
    status, lines, _ = run("odds", "make-n-break", str(file), "--show", "3,5")
    assert status == 0 and lines[0] == "This can be built as it lies"
    assert run("odds", "make-n-break", str(file), "--pace", "2")[0] == 0


def test_the_moves_of_another_game_are_refused(run: Run, of_five: str) -> None:
    said_of = f"{of_five} is for big-boom-bang, not for bau-boom"
    for words in (("odds", "bau-boom", of_five), ("perft", "bau-boom", of_five, "--depth", "1")):
        status, lines, said = run(*words)
        assert (status, lines) == (2, []) and said_of in said


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--task", "y07", "--pace", "nan"), "the pace is more than 0, and at most 100"),
        (("--task", "y07", "--pace", "inf"), "the pace is more than 0, and at most 100"),
        (("--pace", "2"), "name the task that is built"),
        (("--show", "1,2"), "name the task that is built"),
    ],
)
def test_what_cannot_be_said_of_a_task_is_refused(run: Run, words: tuple[str, ...], why: str) -> None:
    status, lines, said = run("odds", "make-n-break", *words)
    assert (status, lines) == (2, []) and why in said and len(said.splitlines()) == 1


def test_the_example_of_the_readme(run: Run) -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text()
    (line,) = (line for line in readme.splitlines() if "odds make-n-break --task" in line)
    assert run(*line.split("`")[1].split()[1:])[0] == 0


PLAYTHROUGHS = Path(__file__).parent / "playthroughs"


def test_of_a_game_that_is_over_it_is_told_who_has_won(run: Run) -> None:
    """Its stopper has thrown more than 29; that is nobody's mistake."""
    over = ("odds", "make-n-break", str(PLAYTHROUGHS / "make-n-break" / "advanced-2.txt"))
    status, lines, said = run(*over)
    assert (status, said) == (0, "") and len(lines) == 1
    assert re.fullmatch(r"The game is over\. (Winner: p\d|Winners: p1, p2)\. Scores: \d+ \d+", lines[0])
    status, lines, _ = run(*over, "--json")
    found = json.loads(lines[0])
    assert status == 0 and found["winners"] in ("p1", "p2", "p1, p2") and len(found["scores"].split()) == 2
    for more in ((), ("--total", "20")):
        task = ("--task", "y07", "--pace", "1", *more)
        assert run(*over, *task) == run(*over[:2], *task)
    assert "0 to 29" in run(*over, "--total", "30")[2]


def test_programs_get_an_object_a_line(run: Run, game: str) -> None:
    _, lines, _ = run("odds", "big-boom-bang", game, "--json")
    found = [json.loads(line) for line in lines]
    stopping, surviving, *winning, hint = found
    for chances in (stopping, surviving):
        assert chances["own"] + chances["other"] + chances["none"] == pytest.approx(100)
    assert stopping["move"] == "keep" and surviving["move"] == "reroll 1 3"
    assert sum(each["win"] for each in winning) == pytest.approx(100, abs=0.1)
    assert hint["move"] == "reroll 1 3 5" and hint["worth"] == pytest.approx(
        winning[0]["win"] / 100, abs=1e-3
    )


def test_moves_may_come_from_standard_input(run: Run, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(MOVES.encode())))
    assert run("odds", "big-boom-bang", "-") == run("odds", "big-boom-bang", game)


def test_a_move_that_is_refused_is_said_with_its_line(run: Run, game: str) -> None:
    Path(game).write_text(MOVES + "reveal 1\n")
    status, lines, complaint = run("odds", "big-boom-bang", game)
    assert (status, lines) == (1, []) and complaint.startswith(f"{game}:4: ")


def test_a_task_and_its_race(run: Run) -> None:
    task = ("odds", "make-n-break", "--task", "b02", "--total", "27", "--pace", "1.5")
    status, lines, _ = run(*task)
    assert status == 0 and lines[0].startswith("Task b02: ") and lines[1].startswith("In time: ")
    assert lines[2].startswith("The stopper is at 27: ")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["odds", "kabooom"], "no odds are known of Kabooom!, only of bau-boom, big-boom-bang, make-n-break"),
        (["odds", "kaboom"], "did you mean 'kabooom'"),
        (["odds", "big-boom-bang", "--task", "y01"], "only Make 'n' Break has tasks"),
        (["odds", "make-n-break", "--task", "z01"], "no task 'z01'"),
        (["odds", "make-n-break", "--task", "y02", "--show", "7"], "pieces to throw, not 1"),
        (["odds", "make-n-break", "--task", "y01", "--show", "3,5"], "has 0 pieces to throw, not 2"),
        (["odds", "make-n-break", "--show", "1,b"], "no numbers with commas"),
        (["odds", "make-n-break", "--total", "33"], "0 to 29"),
        (["odds", "big-boom-bang", "nowhere.txt"], "nowhere.txt"),
        (["bench", "odds", "--positions", "0"], "1 or more"),
        (["bench"], "WHAT"),
    ],
)
def test_what_cannot_be_asked_is_said_in_a_line(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status: Any = main(["--language", "en", *words])
    except SystemExit as end:
        status = end.code
    complaint = capsys.readouterr().err
    assert status == 2 and says in complaint and complaint.count("\n") == 1


def test_the_bench_has_a_line_for_every_answer(run: Run) -> None:
    status, lines, _ = run("bench", "odds", "--positions", "2")
    rooms = {name: part(name, "odds") for name in books()}
    named = [f"{name}: {answer}" for name, room in rooms.items() if room for answer in answers(room)]
    assert status == 0 and "big-boom-bang: best decision to win" in named
    assert [line[:44].strip() for line in lines[1:]] == named
    assert all(len(re.findall(r"\d\.\d ms", line)) == 3 for line in lines[1:])
    _, lines, _ = run("--language", "de", "bench", "odds", "--positions", "1")
    assert all(len(re.findall(r"\d,\d ms", line)) == 3 for line in lines[1:])


@pytest.mark.parametrize("name", [name for name in books() if part(name, "odds")])
def test_of_every_position_something_is_told(name: str) -> None:
    """With all numbers of players, at any moment of a game."""
    for position in islice(anywhere(books()[name]), 6):
        assert list(part(name, "odds").told(position))
