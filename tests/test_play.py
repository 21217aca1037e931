"""A game at the terminal: stored, resumed, and dealt as promised."""

import hashlib
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.cli import main
from companion.commands.play import Terminal
from companion.config import CONFIG
from companion.games.book import books
from companion.language import Texts
from companion.match import seeded
from companion.store import Store, StoreError, StoreErrorKind
from companion.table import Table
from tests.disks import without_privileges

Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Plays with typed lines: the exit status, what is said, what is complained about."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))

    def run(*words: str, lines: str = "", language: str = "en") -> tuple[int, str, str]:
        answers = iter(lines.splitlines())

        def answer(prompt: str = "") -> str:
            try:
                return next(answers)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)
        status = main(["--language", language, "play", *words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def test_a_game_goes_on_where_it_ended(typed: Typed) -> None:
    status, said, _ = typed("kabooom", lines="place r a1\nplace r a1\nnonsense\nplace d b1\nundo\n")
    assert status == 0 and "a1 is not free" in said and "'nonsense' is no move" in said
    status, said, _ = typed(lines="redo\n")
    assert '"b1"' not in said.splitlines()[1] and '"b1"' in said.splitlines()[3]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("kabooom", "--continue", "1"), "leave out all but --continue"),
        (("--players", "3", "--continue", "1"), "leave out all but --continue"),
        (("--players", "3"), "name the game"),
        (("--set", "level=easy"), "name the game"),
    ],
)
def test_a_game_that_goes_on_is_not_agreed_anew(typed: Typed, words: tuple[str, ...], why: str) -> None:
    typed("big-boom-bang", lines="\n")
    status, said, complaint = typed(*words, lines="place r a1\n")
    assert (status, said) == (2, "") and why in complaint
    assert typed("--continue", "2")[0] == 2, "and none was begun"


def test_what_could_not_be_stored_is_said_at_the_end(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise StoreError(StoreErrorKind.FULL, "for now")

    monkeypatch.setattr("companion.store.games.Games.add", full)
    status, said, complaint = typed("kabooom", lines="place r a1\n")
    assert (
        status == 1
        and "The disk is full" in said
        and "What was played last is not stored; the reason" in complaint
    )


def test_games_are_listed_and_go_on_where_nothing_can_be_written(
    typed: Typed, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with TemporaryDirectory() as place:
        monkeypatch.setenv("COMPANION_DATA", place)
        typed("kabooom", lines="place r a1\n")
        Path(place).chmod(0o555)
        with without_privileges():
            assert main(["--language", "en", "games"]) == 0
            assert "Kabooom!, 1 move, on the table" in capsys.readouterr().out
            status, said, complaint = typed(lines="place d b1\n")
        Path(place).chmod(0o755)
    assert (status, said.count('"b1"')) == (1, 1)
    assert "the disk cannot be written" in said[: said.index('"b1"')]
    assert "What was played last is not stored; the reason" in complaint


def test_moves_that_differ_by_their_last_word_are_told_in_one(typed: Typed) -> None:
    said = typed("kabooom", lines="place r a1\n")[1].splitlines()
    assert said[2].startswith("0 0 | p1: place d a1|a2|a3|a4|a5|b1|") and said[2].count("place") == 4
    assert said[4].startswith("0 0 | p2: ") and "place d a2|a3" in said[4] and "place d a1" not in said[4]
    twice = typed("make-n-break", lines="\n\n")[1]
    assert twice.count("p2: go\n") == 2 and twice.count("{") == 1, "the same position is told once"


def test_what_cannot_be_taken_back_is_said(typed: Typed) -> None:
    _, said, _ = typed("kabooom", lines="undo\nplace r a1\nredo\nundo\nredo\n")
    assert said.count("There is nothing to take back.") == said.count("There is nothing to play again.") == 1


def test_real_dice_are_typed_and_the_companions_are_thrown_by_an_empty_line(typed: Typed) -> None:
    _, said, _ = typed("big-boom-bang", lines="\nroll bomb bomb gift gift heart\nkeep\n")
    assert "the table: roll" in said and "p1: reveal 1" in said
    _, said, _ = typed("make-n-break", lines="\ngo\n\nbuilt\n")
    assert "stopper" in said and '"done": [' in said


def test_what_is_hidden_stays_hidden_until_the_round_is_over(typed: Typed) -> None:
    _, said, _ = typed("big-boom-bang", lines="\n\nkeep\n")
    dealt = [line for line in said.splitlines() if "for example" not in line]
    assert "fuse" not in "".join(dealt) and '"tiles"' not in said
    for name, secret in (("make-n-break", '"pile"'), ("bau-boom", '"container"')):
        _, said, _ = typed(name, lines="\n\n")
        assert secret not in said


@pytest.mark.parametrize(("language", "says"), [("en", "Winner: p"), ("de", "Gewonnen hat: p")])
def test_one_alone_wins_in_the_singular(typed: Typed, language: str, says: str) -> None:
    file = Path(__file__).parent / "playthroughs" / "kabooom" / "by-hand.txt"
    first, *rest = file.read_text().splitlines()
    agreed, moves = first.split()[2:], [line for line in rest if not line.startswith("#")]
    _, said, _ = typed("kabooom", *agreed, lines="\n".join(moves), language=language)
    assert "p1, p2" not in said and says in said.splitlines()[-1]


@pytest.mark.parametrize(("language", "says"), [("en", "over. Scores: 0"), ("de", "aus. Punkte: 0")])
def test_where_nobody_can_win_nobody_is_said_to_have_won(typed: Typed, language: str, says: str) -> None:
    _, said, _ = typed("container", lines="\nend\n", language=language)
    assert says in said.splitlines()[-1]


@pytest.mark.parametrize(("name", "deals"), [("big-boom-bang", 2), ("make-n-break", 1), ("bau-boom", 2)])
def test_what_the_table_provides_is_shown_by_an_example_that_can_be_typed(
    typed: Typed, name: str, deals: int
) -> None:
    examples: list[str] = []
    for number in range(deals):
        _, said, _ = typed(name, lines="\n".join(examples))
        examples += re.findall(r"for example: (.*)\)", said)[-1:]
        assert len(examples) == number + 1
    _, said, _ = typed(name, lines="\n".join(examples))
    assert "no move" not in said and len(re.findall(r"^[0 2]+ [|] ", said, re.MULTILINE)) == deals + 1


def test_an_example_tells_nothing_of_what_will_be_dealt(typed: Typed) -> None:
    """It is the same in every game."""
    first, second = (typed("big-boom-bang")[1].splitlines() for _ in range(2))
    assert "for example: shuffle" in first[2] and first[2] == second[2] and first[3] != second[3]


def test_help_is_given_and_quit_leaves(typed: Typed) -> None:
    status, said, _ = typed("kabooom", lines="help\nplace r a1\nquit\nplace r b1\n")
    assert status == 0 and "no move" not in said and '"b1"' not in said
    hint = said.splitlines()[0]
    assert "quit" in hint and "stored" in hint and said.count(hint) == 2
    assert '"a1"' in typed(lines="quit\n")[1]


def test_an_empty_line_of_a_player_is_answered(typed: Typed) -> None:
    assert "It is for p1 to decide" in typed("kabooom", lines="\n")[1]
    assert "entscheidet p1" in typed("kabooom", lines="\n", language="de")[1]


def test_it_speaks_german(typed: Typed) -> None:
    _, said, _ = typed("big-boom-bang", lines="\n\nkeep keep\n", language="de")
    for text in ("Bei einer leeren Zeile", "der Tisch: shuffle", "gebunden", "kein Zug dieses Spiels"):
        assert text in said


def test_stored_games_are_taken_up_by_their_number(typed: Typed) -> None:
    typed("kabooom", lines="place r a1\n")
    typed("kabooom", "--set", "board=4x6", lines="place d f4\n")
    assert '"a1"' in typed("--continue", "1")[1]
    assert '"f4"' in typed("--continue", "2")[1]
    status, _, complaint = typed("--continue", "3")
    assert status == 2 and "no game 3" in complaint


def test_without_a_game_one_must_be_named(typed: Typed, tmp_path: Path) -> None:
    status, _, complaint = typed()
    assert status == 2 and "no game lies on the table" in complaint
    with Store.open(tmp_path / "companion.db", alone=True):
        status, _, complaint = typed("kabooom")
    assert status == 2 and "Another companion" in complaint


def test_every_deal_is_promised_and_told_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    """What is shown before a deal is the SHA-256 of what is shown when its round is over."""
    table, book = Table(Store.open(None)), books()["big-boom-bang"]
    game, choose = table.begin(book, book.agree(CONFIG), seeded("told")), random.Random(5)

    def answers() -> Iterator[str]:
        while True:
            (awaited,) = game.match.awaits
            yield choose.choice(game.match.texts(awaited) or [""])

    lines = answers()
    Terminal(table, Texts("en"), lambda prompt: next(lines)).run()
    table.close()
    said = capsys.readouterr().out
    promises = re.findall(r"SHA-256: ([0-9a-f]{64})", said)
    told = re.findall(r"The deal was: (shuffle .*), salt ([0-9a-f]{64})", said)
    assert len(promises) == len(told) >= 4
    assert [hashlib.sha256(f"{text} {salt}".encode()).hexdigest() for text, salt in told] == promises
    assert "The game is over. Winner" in said


def test_a_round_that_is_dealt_anew_after_an_undo_is_told_too(capsys: pytest.CaptureFixture[str]) -> None:
    table, book = Table(Store.open(None)), books()["big-boom-bang"]
    game = table.begin(book, book.agree(CONFIG, 3), seeded("anew"))
    rolled = ["roll bomb bomb bomb bomb bomb", "keep"]

    def place(tile: str) -> int:
        return int(game.match.position.tiles.index(tile)) + 1

    def a_round(*turned: int) -> Iterator[str]:
        """One throw; these tiles are turned, then the one with BOOM; and it is dealt again."""
        yield from (*rolled, *(f"reveal {each}" for each in turned))
        yield f"reveal {place('boom')}"
        yield ""

    def answers() -> Iterator[str]:
        yield ""
        one = place("fuse")
        two = one + game.match.position.tiles[one:].index("fuse") + 1
        yield from a_round(one, two)
        yield from a_round()
        yield from ["undo"] * (len(game.match.moves) - 1)
        yield from a_round(two, one)
        yield from a_round()

    lines = answers()
    with pytest.raises(EOFError):
        Terminal(table, Texts("en"), lambda prompt: next(lines, "quit")).run()
    table.close()
    told = re.findall("salt ([0-9a-f]{64})", capsys.readouterr().out)
    assert len(told) == len(set(told)) == 3
