"""The referee as programs use it: lines in, JSON out, whatever the lines are."""

import io
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli import main
from companion.config import CONFIG
from companion.games.book import books
from companion.language import Texts
from companion.match import Match, seeded
from companion.referee import LONGEST, Referee, encode, lines, perft

EXAMPLE = """# big-boom-bang --players 3
shuffle fuse fuse fuse gift fuse fuse boom fuse gift fuse fuse fuse fuse fuse
roll gift gift scissors heart heart
reroll 4 5
roll bomb bomb
reroll 3 4
roll heart scissors
reveal 1
reveal 2
reveal 3
"""
NAMES = sorted(books())


def opened(name: str, players: int | None = None, **chosen: str) -> Match:
    return Match(books()[name], books()[name].agree(CONFIG, players, chosen), seeded("test"))


def asked(match: Match, text: str | bytes, throws: bool = False) -> list[dict[str, Any]]:
    """What the referee says, having gone through JSON."""
    data = text.encode() if isinstance(text, str) else text
    referee = Referee(match, Texts("en"), throws)
    return [json.loads(encode(answer)) for answer in referee.answers(lines(io.BytesIO(data)))]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Any]:
    """Runs a command on some input: its exit status, its answers, what it says on standard error."""

    def command(*words: str, given: bytes = b"") -> tuple[int, list[dict[str, Any]], str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        try:
            status = main(["--language", "en", *words])
        except SystemExit as stop:
            status = int(str(stop.code))
        said = capsys.readouterr()
        return status, [json.loads(line) for line in said.out.splitlines()], said.err

    yield command


def test_the_opening_comes_first() -> None:
    (opening,) = asked(opened("big-boom-bang"), "")
    assert list(opening) == ["ok", "move", "awaits", "over", "winners", "scores", "state"]
    assert opening["ok"] and opening["move"] is None and not opening["over"]
    assert opening["awaits"] == [{"who": "chance", "what": "shuffle", "count": 14, "legal": None}]
    assert opening["scores"] == [2, 2, 2] and opening["winners"] == []


def test_the_example_of_a_playthrough() -> None:
    answers = asked(opened("big-boom-bang"), EXAMPLE)
    assert all(answer["ok"] for answer in answers) and len(answers) == 10
    assert answers[3]["awaits"] == [
        {"who": "chance", "what": "roll", "dice": [4, 5], "count": 2, "legal": None}
    ]
    who = [answer["awaits"][0]["who"] for answer in answers[6:9]]
    assert who == ["p1", "p2", "p3"]
    assert answers[-1]["state"]["active"] == "p2" and answers[-1]["state"]["open"] == dict.fromkeys(
        "123", "fuse"
    )


def test_legal_moves_are_sorted_by_character() -> None:
    answers = asked(opened("big-boom-bang"), EXAMPLE)
    legal = answers[2]["awaits"][0]["legal"]
    assert legal == sorted(legal) and legal[:3] == ["keep", "reroll 1", "reroll 1 2"]


def test_a_refusal_repeats_how_things_stand() -> None:
    roll = "roll bomb gift heart heart heart"
    before, answer = asked(opened("big-boom-bang"), f"{EXAMPLE.splitlines()[1]}\n{roll}\nreroll 1")[-2:]
    assert list(answer) == ["ok", "move", "error", "awaits", "over", "winners", "scores"]
    assert answer["error"] == {
        "kind": "illegal",
        "rule": "BANG-R10",
        "message": "a bomb needs a scissors to be thrown again",
    }
    assert answer["move"] == "reroll 1" and not answer["ok"]
    assert all(answer[key] == before[key] for key in ("awaits", "over", "winners", "scores"))


@pytest.mark.parametrize(
    "line", ["roll six", "reroll 0", "reroll 04", "reroll 5 4", "REROLL 4", "keep 1", "ké"]
)
def test_what_is_no_move_at_all_is_syntax(line: str) -> None:
    answer = asked(opened("big-boom-bang"), line)[-1]
    assert answer["error"]["kind"] == "syntax" and answer["error"]["rule"] is None


def test_blanks_carriage_returns_and_remarks_do_not_matter() -> None:
    text = EXAMPLE.replace(" ", "  ").replace("\n", " \t\r\n\n# a remark\n  # another\n \t \n")
    assert [a["move"] for a in asked(opened("big-boom-bang"), "  " + text)] == [
        None,
        *EXAMPLE.splitlines()[1:],
    ]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(data=st.lists(st.one_of(st.binary(max_size=40), st.text(max_size=20).map(str.encode))).map(b"\n".join))
def test_any_bytes_are_answered_and_change_nothing(name: str, data: bytes) -> None:
    match = opened(name)
    opening, *answers = asked(match, data)
    for answer in answers:
        assert answer["error"]["kind"] in ("syntax", "illegal")
        assert answer["awaits"] == opening["awaits"]
    assert match.moves == []


@pytest.mark.parametrize("begin", [b"place r a1 ", b" ", b"x", b"place r a1" + b" " * LONGEST])
def test_a_line_without_end_is_no_move(begin: bytes) -> None:
    endless = begin * (3 * LONGEST // len(begin) + 1)
    answers = asked(opened("kabooom"), endless + b"\npass\n")
    assert [answer["error"]["kind"] for answer in answers[1:]] == ["syntax", "illegal"]


@pytest.mark.parametrize("blank", ["\u00a0", "\u2003", "\x0b", "\x0c", "\x1c", "\u00a0# a remark"])
def test_only_blanks_and_tabs_are_blank(blank: str) -> None:
    """A driver that waits for one answer a line must get one."""
    assert asked(opened("kabooom"), f"{blank}\n")[-1]["error"]["kind"] == "syntax"


def test_a_word_for_the_stopper_is_a_move_only_with_chance() -> None:
    assert asked(opened("make-n-break"), "stopper", throws=True)[-1]["error"]["kind"] == "illegal"
    assert asked(opened("make-n-break"), "stopper")[-1]["error"]["kind"] == "syntax"
    assert asked(opened("make-n-break"), "skip")[-1]["error"]["kind"] == "syntax"


@pytest.mark.parametrize("name", NAMES)
def test_with_chance_people_only_decide(name: str) -> None:
    """Every throw comes by itself and is told; a whole game is played so, and comes out as it is told."""
    match = opened(name)
    referee, choose = Referee(match, Texts("en"), throws=True), random.Random(name)
    told: list[str] = []

    def decisions() -> Iterator[str]:
        while not match.position.over and len(match.moves) < 3000:
            assert all(awaited.who is not None or awaited.paced for awaited in match.awaits)
            texts = [text for a in match.awaits if a.who is not None for text in match.texts(a) or ()]
            paced = [awaited.what for awaited in match.awaits if awaited.paced]
            yield choose.choice(texts + paced)

    for answer in referee.answers(decisions()):
        assert answer["ok"]
        told += [answer["move"]] if answer["move"] else []
    assert told == match.moves
    again = opened(name)
    assert [again.play(text) for text in told] == told and again.position == match.position


@pytest.mark.parametrize("name", NAMES)
def test_perft_counts_what_is_legal(name: str) -> None:
    match = opened(name)
    while match.awaits[0].who is None:
        match.play(match.throw(match.awaits[0]))

    def walk(depth: int) -> int:
        if depth == 0:
            return 1
        texts = [text for a in match.awaits if a.who is not None for text in match.texts(a) or ()]
        found = 0
        for text in texts:
            match.play(text)
            found += walk(depth - 1)
            match.take_back()
        return found

    assert [perft(match.book, match.position, depth) for depth in range(3)] == [walk(d) for d in range(3)]


# The commands


def test_the_exit_status_tells_whether_a_line_was_refused(run: Any) -> None:
    status, answers, said = run("referee", "big-boom-bang", "--players", "3", given=EXAMPLE.encode())
    assert (status, len(answers), said) == (0, 10, "")
    status, answers, said = run("referee", "big-boom-bang", given=b"keep\n")
    assert (status, [a["ok"] for a in answers], said) == (1, [True, False], "")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["referee", "kaboom"], "did you mean 'kabooom'"),
        (["referee"], "required"),
        (["referee", "kabooom", "--players", "5"], "2 to 4 players"),
        (["referee", "kabooom", "--players", "two"], "'two' is no whole number"),
        (["referee", "kabooom", "--set", "level"], "KEY=VALUE"),
        (["referee", "kabooom", "--set", "level=hart"], "did you mean 'hard'"),
        (["referee", "kabooom", "--set", "lewel=hard"], "did you mean 'level'"),
        (["referee", "big-boom-bang", "--set", "faces=bomb"], "in games/big-boom-bang.yaml"),
        (["referee", "make-n-break", "--set", "weather=fine"], "unknown key 'weather'; known are: "),
        (["perft", "kabooom", "nowhere.txt", "--depth", "1"], "nowhere.txt"),
        (["perft", "kabooom", "nowhere.txt", "--depth", "-1"], "0 or more"),
        (["perft", "kabooom", "nowhere.txt"], "--depth"),
        (["replay", "nowhere.txt"], "nowhere.txt"),
        (["verify", "nowhere.txt"], "nowhere.txt"),
        (["export", "12"], "no game 12"),
        (["export", "99999999999999999999"], "no game 99999999999999999999"),
        (["export", "-99999999999999999999"], "no game"),
        (["play", "--continue", "99999999999999999999"], "no game"),
    ],
)
def test_an_unusable_command_is_explained_in_one_line(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], says: str
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    status, answers, said = run(*words)
    assert (status, answers) == (2, [])
    assert says in said and len(said.splitlines()) == 1


def test_a_mistake_in_the_configuration_is_named_with_its_line(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "kabooom.yaml").write_text("level: medium\nboard: 5x5\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path))
    status, _, said = run("referee", "kabooom")
    assert status == 2 and "kabooom.yaml:2: board" in said and len(said.splitlines()) == 1


def test_perft_reads_a_transcript(run: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.txt"
    file.write_text("# kabooom\nplace r a1\n\nplace d b1\n")
    status, answers, _ = run("perft", "kabooom", str(file), "--depth", "1")
    assert (status, answers) == (0, [4 * 22])
    file.write_text("place r a1\nplace d a1\n")
    status, answers, said = run("perft", "kabooom", str(file), "--depth", "1")
    assert (status, answers) == (1, []) and f"{file}:2: a1 is not free" in said


def test_the_sign_before_a_text_of_windows_is_no_move() -> None:
    assert list(lines(io.BytesIO(b"\xef\xbb\xbfplace r a1\r\nplace d b1"))) == ["place r a1", "place d b1"]
    assert list(lines(io.BytesIO(b"\xff\xfe\n\xef\xbb\xbf"))) == ["\\xff\\xfe", "\ufeff"]


def test_each_answer_is_flushed() -> None:
    """A program may wait for the answer before it sends the next line."""
    command = [sys.executable, "-m", "companion", "referee", "kabooom"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        for line in (b"place r a1\n", b"place p b1\n"):
            assert json.loads(process.stdout.readline())["ok"]
            process.stdin.write(line)
            process.stdin.flush()
        assert json.loads(process.stdout.readline())["ok"]
        process.stdin.close()
        assert process.wait(10) == 0
