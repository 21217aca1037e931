"""Games as text: written down, played again, and checked against what was promised."""

import hashlib
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion import playthrough
from companion.cli import main
from companion.config import CONFIG
from companion.games.book import books
from companion.match import Match, seeded
from companion.store import Store
from companion.table import Table

NAMES = sorted(books())
Run = Callable[..., tuple[int, list[str], list[str]]]


def played(name: str, moves: int | None = None, seed: str = "a", **chosen: str) -> Match:
    """A game by random players, to its end or so many moves."""
    book = books()[name]
    match, choose = Match(book, book.agree(CONFIG, None, chosen), seeded(seed)), random.Random(seed)
    while not match.position.over and len(match.moves) < (moves or 2000):
        awaited = choose.choice(match.awaits)
        texts = match.texts(awaited)
        match.play(match.throw(awaited) if awaited.who is None else choose.choice(texts or []))
    return match


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command: its status, its lines, its lines of complaint."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))

    def command(*words: object) -> tuple[int, list[str], list[str]]:
        status = main(["--language", "en", *map(str, words)])
        said = capsys.readouterr()
        return status, said.out.splitlines(), said.err.splitlines()

    return command


@pytest.fixture
def stored(tmp_path: Path) -> Callable[[Match], None]:
    """Puts a game on the table and into the store that `run` knows."""

    def put(match: Match) -> None:
        table = Table(Store.open(tmp_path / "companion.db"))
        table.begin(match.book, match.options, match._secret)
        for text in match.moves:
            table.play(text)
        table.close()

    return put


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_is_played_to_the_same_end(name: str) -> None:
    match = played(name)
    again, moves = playthrough.read(list(playthrough.written(match)), Path("nowhere"))
    for _, text in moves:
        again.play(text)
    assert again.options == match.options and again.moves == match.moves
    assert again.position == match.position


def test_what_stands_before_the_first_remark_is_passed_over() -> None:
    match, moves = playthrough.read(["", "place r a1", " # kabooom --players 3", "place p b1"], CONFIG)
    assert (match.book.name, match.options.players) == ("kabooom", 3)
    assert moves == [(2, "place r a1"), (4, "place p b1")]


def test_what_is_set_stands_in_the_first_line_for_every_referee() -> None:
    match = played("kabooom", level="hard", board="3x8", dynamite="explode")
    first = next(playthrough.written(match))
    assert first == "# kabooom --players 2 --set level=hard --set board=3x8 --set dynamite=explode"


def test_a_stored_game_is_listed_exported_and_replayed(
    run: Run, stored: Callable[[Match], None], tmp_path: Path
) -> None:
    whole, half = played("big-boom-bang"), played("kabooom", 9)
    stored(whole)
    stored(half)
    status, lines, _ = run("games")
    assert status == 0 and len(lines) == 2
    assert lines[0].endswith("Kabooom!, 9 moves, on the table") and lines[0].split()[0] == "2"
    assert lines[1].endswith(f"BIG BOOM! BANG, {len(whole.moves)} moves, over")
    status, lines, warnings = run("export", 1)
    assert (status, warnings) == (0, [])
    (tmp_path / "game.txt").write_text("\n".join(lines))
    status, lines, _ = run("replay", tmp_path / "game.txt")
    answers = [json.loads(line) for line in lines]
    assert status == 0 and [answer["move"] for answer in answers] == [None, *whole.moves]
    assert answers[-1]["over"] and answers[-1]["scores"] == list(whole.position.scores)


def test_the_export_of_a_running_game_warns(run: Run, stored: Callable[[Match], None]) -> None:
    stored(played("big-boom-bang", 9))
    status, lines, warnings = run("export", 1)
    assert status == 0 and len(lines) >= 11 and "still hidden" in warnings[0]


def test_without_games_the_list_is_empty_and_nothing_is_made(run: Run, tmp_path: Path) -> None:
    assert run("games") == (0, [], [])
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_store_is_set_aside_and_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "companion.db").write_bytes(b"no database at all" * 1000)
    status, lines, warnings = run("games")
    assert (status, lines) == (0, []) and "damaged-" in warnings[0]


def test_a_wrong_line_is_named_and_the_rest_is_played(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("# kabooom\nplace r a1\nplace r a1\nhop\nplace p b1\n")
    status, lines, warnings = run("replay", file)
    assert status == 1 and [json.loads(line)["ok"] for line in lines] == [True, True, False, False, True]
    assert warnings == [f"{file}:3: a1 is not free", f"{file}:4: 'hop' is no move of this game"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "first line"),
        (b"place r a1\n", "first line"),
        (b"#\nplace r a1", "no first line"),
        (b'# kabooom "\n', "no first line"),
        (b"# chess --players 2\n", "no game 'chess'"),
        (b"# kabooom --players\n", "no first line"),
        (b"# kabooom --players two\n", "no first line"),
        (b"# kabooom --players " + b"2" * 5000 + b"\n", "no first line"),
        (b"# kabooom --players 9\n", "2 to 4 players"),
        (b"# kabooom --set level=soft\n", "level"),
        (b"# kabooom\n# options {\n", "cannot be read"),
        (b"# kabooom\n# options " + b"[" * 60_000 + b"\n", "cannot be read"),
        (b'# kabooom\n# options {"players": 2, "board": "9x9"}\n', "cannot be read"),
        (b'# kabooom\n# options {"players": 4, "supply": [1, 1, 1, 1]}\n', "supply"),
        (b'# kabooom\n# options {"players": 4, "supply": [9, -1, 9, 9]}\n', "0 to 12"),
        (b'# big-boom-bang\n# options {"players": 3, "faces": ["bomb"]}\n', "cannot be read"),
        (b'# big-boom-bang\n# options {"players": 7}\n', "3 to 5"),
        (
            b'# kabooom\n# options {"players": 2, "leve": "hard"}\n',
            "unknown key 'leve': did you mean 'level'?",
        ),
        (
            b'# make-n-break\n# options {"players": 2, "deck": [{"nome": "y01"}]}\n',
            "'deck' is missing or wrong",
        ),
        (b'# kabooom --players 3\n# options {"players": 2}\n', "--players 3"),
        (b'# kabooom --set level=hard\n# options {"players": 2, "level": "easy"}\n', "--set level=hard"),
        (b'# kabooom --set leve=hard\n# options {"players": 2}\n', "--set leve=hard"),
        (b"\xff\xfe\x00\x01", "no text file"),
    ],
)
def test_what_is_no_game_is_explained(run: Run, tmp_path: Path, text: bytes, says: str) -> None:
    file = tmp_path / "game.txt"
    file.write_bytes(text)
    status, lines, warnings = run("replay", file)
    assert (status, lines, len(warnings)) == (2, [], 1)
    assert str(file) in warnings[0] and says in warnings[0]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ('{"players": 2, "level": "nix"}', "„level“ fehlt oder stimmt nicht"),
        ('{"players": 2, "supply": [1, "a", 3, 4]}', "„supply“ fehlt oder stimmt nicht"),
        ("[]", "das ist kein JSON-Objekt"),
        ("{", "das ist kein JSON-Objekt"),
    ],
)
def test_what_cannot_be_agreed_is_said_in_one_language(
    run: Run, tmp_path: Path, options: str, says: str
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(f"# kabooom\n# options {options}\n")
    _, _, (warning,) = run("--language", "de", "replay", file)
    assert says in warning and "Invalid" not in warning and "$" not in warning and "Expected" not in warning


def test_what_is_said_twice_alike_is_no_contradiction(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text('# kabooom --players 3 --set board=4x6\n# options {"players": 3, "board": "4x6"}\n')
    status, lines, warnings = run("replay", file)
    assert (status, len(lines), warnings) == (0, 1, [])


# What was promised


def promised(tmp_path: Path, change: Callable[[str], str] = str) -> Path:
    file = tmp_path / "promised.txt"
    file.write_text(change("\n".join(playthrough.written(played("big-boom-bang")))))
    return file


def test_what_was_dealt_as_promised_is_right(run: Run, tmp_path: Path) -> None:
    status, lines, _ = run("verify", promised(tmp_path))
    assert status == 0 and len(lines) >= 4 and all("right" in line for line in lines)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"shuffle (\w+)(.*) (?!\1)(\w+)\n", r"shuffle \3\2 \1\n"),  # two tiles have changed places
        (r"# salt .", "# salt x"),
        (r"# commitment (.{10})", "# commitment 0123456789"),
    ],
)
def test_what_was_changed_is_found(run: Run, tmp_path: Path, old: str, new: str) -> None:
    file = promised(tmp_path, lambda text: re.sub(old, new, text, count=1))
    status, lines, _ = run("verify", file)
    assert status == 1 and "WRONG" in lines[0] and all("right" in line for line in lines[1:])


def test_a_round_that_runs_keeps_its_secret(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "running.txt"
    lines = list(playthrough.written(played("big-boom-bang", 9)))
    assert sum(line.startswith("# commitment") for line in lines) > sum(
        line.startswith("# salt") for line in lines
    )
    file.write_text("\n".join(lines))
    status, said, _ = run("verify", file)
    assert status == 0 and "not known yet" in said[-1]


def test_a_deal_whose_promise_was_taken_out_is_named(run: Run, tmp_path: Path) -> None:
    def forged(text: str) -> str:
        _, second, third = re.findall(r"shuffle .*", text)[:3]
        return re.sub(rf"# commitment .*\n{second}\n", f"{third}\n", text)

    file = promised(tmp_path, forged)
    status, lines, _ = run("verify", file)
    deals = [n for n, line in enumerate(file.read_text().splitlines(), 1) if line.startswith("shuffle")]
    assert status == 1 and [line.split(": ")[0] for line in lines] == [f"{file}:{n}" for n in deals]
    assert "not promised" in lines[1] and all("right" in line for line in (lines[0], *lines[2:]))


def test_without_the_salts_of_rounds_that_are_over_nothing_is_proven(run: Run, tmp_path: Path) -> None:
    status, lines, _ = run("verify", promised(tmp_path, lambda text: re.sub(r"# salt .*\n", "", text)))
    assert status == 1 and len(lines) >= 4 and all("its salt is missing" in line for line in lines)
    file = tmp_path / "running.txt"
    whole = played("big-boom-bang")
    deals = [index for index, *_ in whole.deals()]
    running = [*playthrough.written(played("big-boom-bang", deals[1] + 1))]
    file.write_text("\n".join(line for line in running if not line.startswith("# salt")))
    status, lines, _ = run("verify", file)
    assert status == 1 and "its salt is missing" in lines[0] and "not known yet" in lines[1]


def test_a_promise_of_which_nothing_was_dealt_is_named(run: Run, tmp_path: Path) -> None:
    extra = rf"# commitment {'0' * 64}\n\1"
    file = promised(tmp_path, lambda text: re.sub(r"(# commitment .*\n)", extra, text, count=1))
    status, lines, _ = run("verify", file)
    assert status == 1 and lines[0].startswith(f"{file}:3: not dealt")
    assert len(lines) >= 5 and all("right" in line for line in lines[1:])


@pytest.mark.parametrize(
    ("old", "new", "status", "says"),
    [
        (r"\Z", "\nnonsense", 1, "'nonsense' is no move of this game"),
        (r"\A#.*\n#.*\n", "# \n", 2, "no first line of a game"),
    ],
)
def test_what_cannot_be_played_proves_nothing(
    run: Run, tmp_path: Path, old: str, new: str, status: int, says: str
) -> None:
    """Whether a round is over only a game tells that can be played."""
    ended, _, complaints = run("verify", promised(tmp_path, lambda text: re.sub(old, new, text)))
    assert ended == status and len(complaints) == 1 and says in complaints[0]


def test_a_file_without_a_promise_is_no_proof(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("# kabooom\nplace r a1\n")
    status, lines, warnings = run("verify", file)
    assert (status, lines) == (2, []) and "bound" in warnings[0]
    assert run("verify", tmp_path / "nowhere.txt")[0] == 2


def test_the_promise_can_be_checked_without_the_companion(tmp_path: Path) -> None:
    lines: list[Any] = promised(tmp_path).read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("# commitment "))
    promise, deal, salt = lines[start].split()[-1], lines[start + 1], lines[start + 2].split()[-1]
    assert hashlib.sha256(f"{deal} {salt}".encode()).hexdigest() == promise
