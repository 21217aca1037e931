"""The deck of Make 'n' Break: ours is what its maker makes; every mistake of another one is explained."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from assets.make.deck import make, points, shape, written
from companion.config import CONFIG, ConfigError, WrongError
from companion.games.book import books
from companion.games.make_n_break.builds import expected_throws
from companion.games.make_n_break.deck import load
from companion.games.make_n_break.tasks import Task, faults
from companion.language import Texts

SHIPPED = CONFIG / "games" / "make-n-break-deck.yaml"
BOOK = books()["make-n-break"]


@pytest.fixture(scope="module")
def ours() -> tuple[Task, ...]:
    tasks, problems = load(SHIPPED)
    assert not problems
    return tasks


def test_the_shipped_file_is_what_the_maker_makes_and_every_task_is_worth_what_it_takes(
    ours: tuple[Task, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A-MNB1"""
    takes: dict[object, float] = {}

    def kept(task: Task) -> float:
        return takes.setdefault((task.pieces, task.free), expected_throws(task))

    monkeypatch.setattr("assets.make.deck.expected_throws", kept)
    assert SHIPPED.read_text().splitlines() == list(written(make(1)))
    for task in ours:
        assert task.points == points(takes[task.pieces, task.free]), task.name


def test_thirty_cards_with_two_different_sides_each(ours: tuple[Task, ...]) -> None:
    """MNB-R2, MNB-R5, MNB-R7: 60 tasks, all different, yellow ones and blue ones"""
    assert sorted(task.name for task in ours) == sorted(f"{s}{n:02}" for s in "yb" for n in range(1, 31))
    assert len({str(shape(task)) for task in ours}) == 60


def test_every_kind_of_task_is_among_them(ours: tuple[Task, ...]) -> None:
    """MNB-R26, MNB-R27, MNB-R29"""
    assert sorted(task.free for task in ours if task.free) == [3, 4]
    assert sum(task.neutral for task in ours) == 14
    assert sum(not task.neutral and not task.free for task in ours) == 44
    assert any(piece.upright for task in ours for piece in task.pieces)


def test_every_task_can_be_built(ours: tuple[Task, ...]) -> None:
    """A-MNB1"""
    for task in ours:
        assert list(faults(task)) == [], task.name


def test_yellow_is_easier_than_blue(ours: tuple[Task, ...]) -> None:
    """MNB-R5, MNB-R7"""
    yellow, blue = (sorted(task.points for task in ours if task.name[0] == side) for side in "yb")
    assert sum(yellow) / 30 < 2 < 2.5 < sum(blue) / 30
    assert all(one <= other for one, other in zip(yellow, blue, strict=True))


# A deck of one's own


def test_it_is_parsed_once_until_something_else_is_written(tmp_path: Path) -> None:
    file = tmp_path / "deck.yaml"
    file.write_bytes(SHIPPED.read_bytes())
    first = load(file)
    assert load(file) is first
    file.write_text(SHIPPED.read_text().replace("points: 1", "points: 2", 1))
    assert load(file)[0] != first[0]


@pytest.fixture
def changed(tmp_path: Path) -> Callable[[str, str], list[str]]:
    """Our file with something replaced, once: what is said of it, without the file's name."""

    def change(old: str, new: str) -> list[str]:
        text = SHIPPED.read_text()
        assert old in text
        file = tmp_path / "deck.yaml"
        file.write_text(text.replace(old, new, 1))
        return [problem.say(Texts("en")).removeprefix(str(file)) for problem in load(file)[1]]

    return change


def line_of(text: str) -> int:
    return SHIPPED.read_text().split(text, 1)[0].count("\n") + 1


CARD = "05:\n  yellow:\n    points: "


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("\n07:\n", "\n7:\n", "unknown key '7'"),
        (CARD, CARD.replace("yellow", "yelow"), "unknown key 'yelow': did you mean 'yellow'?"),
        (CARD, "05:\n  yellow:\n    pionts: ", "did you mean 'points'"),
        (CARD, CARD + "x", "points: 'x"),
        (CARD, CARD + "9", "out of range"),
        ("    free: 3", "    free: 5", "out of range"),
        ("    free: 3", "    free: 3\n    build: |\n      white 0 0", "needs either"),
        ("    free: 3\n", "", "needs either"),
        ("build: |\n", "build: >\n", "one in a line"),
    ],
)
def test_mistakes_of_a_card(changed: Callable[[str, str], list[str]], old: str, new: str, says: str) -> None:
    found = changed(old, new)
    assert len(found) >= 1 and any(says in each for each in found)
    assert all(each.startswith(":") for each in found), "every mistake has its line"


@pytest.mark.parametrize(
    ("piece", "says"),
    [
        ("pink 0 0", "'pink' is not possible"),
        ("blu 0 0", "did you mean 'blue'"),
        ("orange 0 0", "'orange' is not possible"),  # no die is orange
        ("lying red 0 0", "'red' is not possible"),  # no cuboid is red
        ("white 0", "write the piece as"),
        ("white 0,5 0", "with a point"),
        ("white 0.3 0", "whole or a half"),
        ("white 0 0.5", "whole number"),
        ("any 0 4", "hangs in the air"),
    ],
)
def test_mistakes_of_a_piece(tmp_path: Path, piece: str, says: str) -> None:
    """The line is that of the piece."""
    text = SHIPPED.read_text()
    start = text.index("    build: |\n") + len("    build: |\n")
    end = text.index("\n", start)
    file = tmp_path / "deck.yaml"
    file.write_text(text[:start] + "      " + piece + text[end:])
    first = load(file)[1][0].say(Texts("en"))
    assert first.startswith(f"{file}:{text[:start].count(chr(10)) + 1}: ") and says in first


def test_a_missing_card_and_a_missing_side_are_named(tmp_path: Path) -> None:
    text = SHIPPED.read_text()
    card = text[text.index("\n12:\n") : text.index("\n13:\n")]
    file = tmp_path / "deck.yaml"
    file.write_text(text.replace(card, ""))
    said = [problem.say(Texts("en")) for problem in load(file)[1]]
    assert len(said) == 2 and "the yellow side of card 12 is missing" in said[0]
    file.write_text(text.replace(card, card[: card.index("  blue:")]))
    (one,) = [problem.say(Texts("en")) for problem in load(file)[1]]
    assert "the blue side of card 12 is missing" in one


def test_another_deck_is_played(tmp_path: Path) -> None:
    """A-MNB1: by its name in the configuration, or for one game"""
    file = tmp_path / "mine.yaml"
    file.write_text(SHIPPED.read_text().replace("points: 1", "points: 9", 1))
    options = BOOK.agree(CONFIG, chosen={"deck": str(file)})
    assert max(task.points for task in options.deck) == 9
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "make-n-break.yaml").write_text("deck: mine.yaml\n")
    file.rename(folder / "mine.yaml")
    assert BOOK.agree(tmp_path).deck == options.deck


def test_a_deck_that_no_file_can_be_called(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "make-n-break.yaml").write_text('deck: "\\0"\n')
    with pytest.raises(ConfigError, match=r"make-n-break.yaml:1: deck: .*no file can have that name"):
        BOOK.agree(tmp_path)


def test_a_deck_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(WrongError) as chosen:
        BOOK.agree(CONFIG, chosen={"deck": str(tmp_path / "nowhere.yaml")})
    assert "nowhere.yaml" in Texts("en").say(chosen.value.message)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "make-n-break.yaml").write_text("level: basic\n")
    with pytest.raises(ConfigError, match=r"make-n-break-deck.yaml: the file is missing"):
        BOOK.agree(tmp_path)
    (tmp_path / "games" / "make-n-break.yaml").write_text("deck: gone.yaml\n")
    with pytest.raises(ConfigError, match=r"make-n-break.yaml:1: deck: .*gone.yaml: the file is missing"):
        BOOK.agree(tmp_path)


def test_the_mistakes_of_a_deck_are_told_one_by_one(tmp_path: Path) -> None:
    """With their own lines; and however many they are: somebody has translated all keys."""
    shutil.copytree(CONFIG / "games", tmp_path / "games")
    deck = tmp_path / "games" / "make-n-break-deck.yaml"
    deck.write_text(deck.read_text().replace("points:", "punkte:").replace("build:", "bauen:"))
    with pytest.raises(ConfigError) as wrong:
        BOOK.agree(tmp_path)
    assert len(wrong.value.problems) > 200
    assert {problem.file for problem in wrong.value.problems} == {deck} and all(
        problem.line for problem in wrong.value.problems
    )
    said = Texts("en").say(wrong.value.message)
    assert "deck.yaml:17: unknown key 'punkte'" in said and said.endswith(" more")
