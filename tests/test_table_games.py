"""Games on the table: stored before they are shown, taken back, made again, put aside, taken up."""

import os
import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import Mock

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.config import CONFIG
from companion.games.book import books
from companion.games.rulebook import IllegalMove, NotationError
from companion.match import Match
from companion.players import Party, Seat
from companion.players import read as party_of
from companion.playthrough import UnplayableError
from companion.store import Store, StoreError, StoreErrorKind
from companion.table import Game, Table

KABOOOM = books()["kabooom"]
NAMES = sorted(books())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "companion.db"


@pytest.fixture
def table(path: Path) -> Iterator[Table]:
    table = Table(Store.open(path))
    yield table
    table.close()


def begin(table: Table, **chosen: str) -> None:
    table.begin(KABOOOM, KABOOOM.agree(CONFIG, None, chosen))


def moves(table: Table) -> list[str]:
    assert table.game is not None
    return table.game.match.moves


def again(path: Path) -> Table:
    """The table as another process finds it, while the first one has not even closed its store."""
    table = Table(Store.open(path))
    table.close()
    return table


def test_a_move_is_on_the_disk_when_play_returns(table: Table, path: Path) -> None:
    begin(table)
    for text in ("place r a1", "place  d b1 ", "place p c1"):
        table.play(text)
        assert moves(again(path)) == moves(table)
    assert moves(table) == ["place r a1", "place d b1", "place p c1"]


def test_a_refused_move_changes_nothing(table: Table, path: Path) -> None:
    begin(table)
    table.play("place r a1")
    table.undo()
    for text, error in (("place r z9", NotationError), ("pass", IllegalMove)):
        with pytest.raises(error):
            table.play(text)
    assert moves(table) == moves(again(path)) == []
    assert table.redo() is not None, "what was taken back can still be made again"


def test_a_move_that_was_entered_wrongly_is_another_one_and_what_followed_stands(
    table: Table, path: Path
) -> None:
    begin(table)
    for text in ("place r a1", "place d b1", "place p c1", "place p d1"):
        table.play(text)
    table.undo()
    table.undo()
    table.amend(0, "place s a1")
    assert moves(table) == moves(again(path)) == ["place s a1", "place d b1"]
    found = again(path).game
    assert table.redo() is None and found and not found.undone, "it may not go any more"
    with pytest.raises(IllegalMove):
        table.amend(0, "place r b1")
    assert moves(table) == moves(again(path)) == ["place s a1", "place d b1"]
    table.undo()
    table.play("place d c1")
    assert moves(table) == moves(again(path)) == ["place s a1", "place d c1"]


def test_who_made_a_move_is_remembered(table: Table, path: Path) -> None:
    begin(table, level="easy")
    assert table.game is not None
    table.throw(table.game.match.awaits[0])
    table.play("pass")
    found = again(path).game
    assert found is not None and [move.by for move in found.done] == ["companion", "person"]


def test_an_undone_move_stays_in_the_record_marked(table: Table, path: Path) -> None:
    begin(table)
    for text in ("place r a1", "place d b1"):
        table.play(text)
    table.undo()
    table.undo()
    table.play("place s a1")
    with Store.open(path) as store:
        rows = store._database.read("SELECT text, state FROM moves ORDER BY id")
    assert rows == [("place r a1", "replaced"), ("place d b1", "replaced"), ("place s a1", "active")]


def test_what_was_taken_back_is_made_again_in_its_order(table: Table, path: Path) -> None:
    begin(table)
    for text in ("place r a1", "place d b1", "place p c1"):
        table.play(text)
    table.undo()
    table.undo()
    table.redo()
    found = again(path)
    assert moves(found) == ["place r a1", "place d b1"]
    assert found.game and [move.text for move in found.game.undone] == ["place p c1"]


def test_a_throw_of_the_companion_survives_a_restart_before_it_is_made(table: Table, path: Path) -> None:
    begin(table, level="easy")
    found = again(path)
    assert table.game is not None and found.game is not None
    here, there = (each.match.throw(each.match.awaits[0]) for each in (table.game, found.game))
    assert here == there


def test_what_was_begun_to_be_entered_belongs_to_its_position(table: Table, path: Path) -> None:
    begin(table)
    assert table.game
    for change in (lambda: table.play("place r a1"), table.undo, table.redo):
        table.keep("half")
        assert again(path).game.draft == "half"  # type: ignore[union-attr]
        change()
        assert table.game.draft == again(path).game.draft == ""  # type: ignore[union-attr]


def test_a_game_is_empty_until_more_has_happened_in_it_than_a_deal(table: Table) -> None:
    begin(table)
    empty = [table.outlines()[0].empty]
    table.keep("half")
    empty += [table.outlines()[0].empty]
    bang = books()["big-boom-bang"]
    match = table.begin(bang, bang.agree(CONFIG)).match
    for _ in ("shuffle", "roll"):
        table.throw(match.awaits[0])
        empty += [table.outlines()[0].empty]
    assert empty == [True, False, True, False]


def test_several_games_lie_unfinished_and_are_taken_up_again(table: Table, path: Path) -> None:
    begin(table)
    table.play("place r a1")
    begin(table, board="4x6")
    table.play("place r f4")
    newest, oldest = table.games()
    assert (newest.on_table, oldest.on_table) == (True, False)
    table.take_up(oldest)
    table.play("place p b1")
    assert moves(again(path)) == ["place r a1", "place p b1"]
    table.put_aside()
    assert table.game is None and again(path).game is None
    table.take_up(table.games()[0])
    assert moves(table) == ["place r f4"]


def test_a_game_that_is_over_still_lies_there_and_its_end_can_be_taken_back(table: Table, path: Path) -> None:
    begin(table, level="easy")
    assert table.game is not None
    table.throw(table.game.match.awaits[0])
    while not table.game.match.position.over:
        table.play("pass")
    found = again(path).game
    assert found is not None and found.match.position.over and table.games()[0].over
    table.undo()
    assert not table.games()[0].over
    table.redo()
    assert table.games()[0].over


def test_nothing_is_taken_back_at_the_opening(table: Table) -> None:
    begin(table)
    assert table.undo() is None and table.redo() is None


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("UPDATE games SET book = 'chess'", "no game"),
        ("UPDATE games SET options = '{\"players\": 9}'", "players"),
        ("UPDATE games SET options = 'torn'", "cannot be read"),
        ("UPDATE moves SET text = 'place r b9'", "move"),
    ],
)
def test_what_cannot_be_taken_up_is_said_and_stays_stored(
    table: Table, path: Path, change: str, says: str
) -> None:
    begin(table)
    table.play("place r a1")
    with table._store._database.writing() as connection:
        connection.execute(change)
    found = again(path)
    assert found.game is None and found.unplayable is not None
    assert says in found.unplayable.text
    assert len(table.games()) == 1
    with pytest.raises(UnplayableError):
        table.take_up(table.games()[0])
    assert moves(table) == ["place r a1"], "the game on the table is left alone"


def test_a_full_disk_loses_nothing(table: Table, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(table)
    table.play("place r a1")
    games = type(table._store.games)
    with monkeypatch.context() as broken:

        def full(*_: object) -> None:
            raise StoreError(StoreErrorKind.FULL, "no space")

        for job in ("add", "undo", "begin"):
            broken.setattr(games, job, full)
        table.play("place d b1")
        table.undo()
        begin(table, board="3x8")
        table.play("place r h3")
        assert table.trouble is not None and moves(table) == ["place r h3"]
        assert moves(again(path)) == ["place r a1"]
    table.retry(1000.0)
    assert table.trouble is None
    assert moves(again(path)) == ["place r h3"]
    assert [move.text for move in table.games()[1].moves] == ["place r a1"]


def test_a_game_whose_moves_still_wait_for_the_disk_is_not_read_from_it(
    table: Table, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else people would play on from an old position, and both lines would be written."""
    begin(table)
    table.play("place r a1")

    def full(*_: object) -> None:
        raise StoreError(StoreErrorKind.FULL, "no space")

    with monkeypatch.context() as broken:
        broken.setattr(type(table._store.games), "add", full)
        table.play("place d b1")
        table.put_aside()
        with pytest.raises(UnplayableError, match="full"):
            table.continue_game(table.outlines()[0].id)
        assert table.game is None
    table.continue_game(table.outlines()[0].id)
    assert moves(table) == ["place r a1", "place d b1"] == moves(again(path))


def test_who_played_last_is_known_at_once_after_years_of_games(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    party, read = Party((Seat("Anna", "red"), Seat("Ben", "blue"))), Mock(side_effect=party_of)
    for _ in range(20):
        table.begin(KABOOOM, KABOOOM.agree(CONFIG), party=party)
    monkeypatch.setattr("companion.table.party_of", read)
    assert table.last_party(["kabooom"]) == (party, True) and read.call_count == 1


def test_a_mistake_of_ours_does_not_keep_what_comes_after_it_from_the_disk(
    table: Table, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(table)

    def refuse(*_: object) -> None:
        raise ValueError("there is no game 7")

    with monkeypatch.context() as broken:
        broken.setattr(type(table._store.games), "undo", refuse)
        table.play("place r a1")
        table.undo()
    begin(table)
    table.play("place d b1")
    assert moves(again(path)) == ["place d b1"]


class Machine(RuleBasedStateMachine):
    """A table beside a model of it; the program ends now and then, with or without saying goodbye."""

    @initialize(name=st.sampled_from(NAMES), seed=st.integers(0, 2**32))
    def open(self, name: str, seed: int) -> None:
        self.choose = random.Random(seed)
        self.folder = TemporaryDirectory(dir=os.environ.get("PYTEST_DEBUG_TEMPROOT"))
        self.path = Path(self.folder.name) / "companion.db"
        self.table = Table(Store.open(self.path))
        self.begin(name)

    def begin(self, name: str) -> None:
        book = books()[name]
        self.table.begin(book, book.agree(CONFIG))
        self.done: list[str] = []
        self.undone: list[str] = []

    @rule(count=st.integers(1, 12))
    def play(self, count: int) -> None:
        for _ in range(count):
            match = self.game.match
            if match.position.over:
                return
            awaited = self.choose.choice(match.awaits)
            texts = match.texts(awaited)
            if awaited.who is None:
                self.done.append(self.table.throw(awaited))
            else:
                self.done.append(self.table.play(self.choose.choice(texts or [])))
            self.undone.clear()

    @rule(count=st.integers(1, 8))
    def undo(self, count: int) -> None:
        for _ in range(count):
            move = self.table.undo()
            assert (move.text if move else None) == (self.done[-1] if self.done else None)
            if move:
                self.undone.append(self.done.pop())

    @rule(count=st.integers(1, 8))
    def redo(self, count: int) -> None:
        for _ in range(count):
            move = self.table.redo()
            assert (move.text if move else None) == (self.undone[-1] if self.undone else None)
            if move:
                self.done.append(self.undone.pop())

    @rule(
        text=st.sampled_from(["pass", "keep", "nonsense", "place r z9", "reveal 14", "built", "move 7", ""])
    )
    def refused(self, text: str) -> None:
        match = self.game.match
        if all(text not in (match.texts(awaited) or []) for awaited in match.awaits):
            with pytest.raises((IllegalMove, NotationError)):
                self.table.play(text)

    @rule(orderly=st.booleans())
    def end_and_start(self, orderly: bool) -> None:
        old = self.table
        if orderly:
            old.close()
        self.table = Table(Store.open(self.path))
        if not orderly:
            old.close()

    @precondition(lambda self: len(self.table.games()) < 4)
    @rule(name=st.sampled_from(NAMES))
    def another(self, name: str) -> None:
        before = (self.game.match.book.name, list(self.done))
        self.begin(name)
        aside = self.table.games()[1]
        assert (aside.book, [move.text for move in aside.moves]) == before

    @rule()
    def put_aside_and_take_up(self) -> None:
        stored = next(game for game in self.table.games() if game.on_table)
        self.table.put_aside()
        self.table.take_up(stored)

    @property
    def game(self) -> Game:
        assert self.table.game is not None
        return self.table.game

    @invariant()
    def the_table_shows_what_was_played(self) -> None:
        assert self.game.match.moves == [move.text for move in self.game.done] == self.done
        assert [move.text for move in self.game.undone] == self.undone

    @invariant()
    def the_position_is_that_of_the_moves(self) -> None:
        match = self.game.match
        fresh = Match(match.book, match.options)
        for text in self.done:
            fresh.play(text)
        assert fresh.position == match.position

    def teardown(self) -> None:
        if hasattr(self, "table"):
            self.table.close()
            self.folder.cleanup()


TestMachine = Machine.TestCase
TestMachine.settings = settings(max_examples=40, stateful_step_count=25)
