"""The games that were begun, with every move; an undone one stays in the record, marked."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from sqlite3 import Connection

from companion.players import Mover
from companion.store.database import Database, new_id, now
from companion.store.schema import seats


@dataclass(frozen=True, slots=True)
class StoredMove:
    """A move as text, and who made it."""

    text: str
    by: Mover


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game that was begun.

    `book` is the game's name, `options` what was agreed, as JSON; `secret` is where its chance comes from.
    `party` is who plays, as JSON.
    `moves` are those that count; `undone` those that can be redone, the next one first. `draft` is what
    people have begun to enter for the next one.
    """

    id: int
    began: datetime
    book: str
    options: str
    secret: bytes
    party: str
    over: bool
    on_table: bool
    moves: tuple[StoredMove, ...]
    undone: tuple[StoredMove, ...]
    draft: str


@dataclass(frozen=True, slots=True)
class Outline:
    """A stored game without its moves; `winners` are seats, nobody as long as it is not over. It is `empty`
    while nothing has happened in it, but for what the companion has dealt.
    """

    id: int
    book: str
    party: str
    over: bool
    winners: tuple[int, ...]
    empty: bool


class Games:
    """The games of a store. Errors are those of `Store`; a game that there is not is a `ValueError`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, book: str, options: str, secret: bytes, party: str = "{}") -> int:
        """Store a new game, which is then the one on the table, and return its id."""
        with self._database.writing() as connection:
            _clear_table(connection)
            insert = (
                "INSERT INTO games (book, options, secret, party, began, on_table) VALUES (?, ?, ?, ?, ?, 1)"
            )
            return new_id(connection, insert, book, options, secret, party, now())

    def add(self, game: int, text: str, by: Mover, over: bool, winners: Sequence[int] = ()) -> None:
        """Store a move, and whether the game is over with it. What was undone cannot be redone any more."""
        with self._database.writing() as connection:
            _set_over(connection, game, over, winners)
            _replace(connection, game)
            connection.execute(
                "INSERT INTO moves (game, text, by, at, number)"
                " SELECT :game, :text, :by, :at, count(*) + 1 FROM moves WHERE game = :game",
                {"game": game, "text": text, "by": by, "at": now()},
            )

    def amend(self, game: int, number: int, text: str) -> None:
        """Store another text for the move with this number, from 0, of those that count."""
        with self._database.writing() as connection:
            _replace(connection, game)
            changed = connection.execute(
                "UPDATE moves SET text = ? WHERE id ="
                " (SELECT id FROM moves WHERE game = ? AND state = 'active' ORDER BY id LIMIT 1 OFFSET ?)",
                (text, game, number),
            )
            if changed.rowcount != 1:
                raise ValueError(f"there is no move {number} in game {game}")

    def undo(self, game: int) -> None:
        """Mark the last move that counts as undone."""
        with self._database.writing() as connection:
            _set_over(connection, game, False)
            _change(connection, game, "active", "undone", "max")

    def redo(self, game: int, over: bool, winners: Sequence[int]) -> None:
        """Let the move that was undone last count again, and with it whether the game is over."""
        with self._database.writing() as connection:
            _set_over(connection, game, over, winners)
            _change(connection, game, "undone", "active", "min")

    def keep(self, game: int, draft: str) -> None:
        """Keep what people have begun to enter; the next move, or taking one back, ends it."""
        with self._database.writing() as connection:
            _set(connection, game, "draft = ?", draft)

    def reseat(self, game: int, party: str) -> None:
        """Let others play on, as JSON."""
        with self._database.writing() as connection:
            _set(connection, game, "party = ?", party)

    def put_on_table(self, game: int | None) -> None:
        """Let a game be the one on the table, or none."""
        with self._database.writing() as connection:
            _clear_table(connection)
            if game is not None:
                _set(connection, game, "on_table = 1")

    def on_table(self) -> StoredGame | None:
        """Return the game on the table."""
        return next(self._where("on_table = 1"), None)

    def get(self, game: int) -> StoredGame:
        """Return a game."""
        found = next(self._where("id = ?", game), None) if abs(game) < 2**63 else None  # SQLite's limit
        if found is None:
            raise ValueError(f"there is no game {game}")
        return found

    def all(self) -> tuple[StoredGame, ...]:
        """Return every game, the newest first."""
        return tuple(self._where("true"))

    def outlines(self) -> tuple[Outline, ...]:
        """Return every game without its moves, the newest first."""
        more = "EXISTS (SELECT 1 FROM moves WHERE game = games.id AND (by <> 'companion' OR number > 1))"
        empty = f"draft = '' AND NOT {more}"  # than what it has dealt
        query = f"SELECT id, book, party, over, winners, {empty} FROM games ORDER BY id DESC"
        return tuple(
            Outline(id, book, party, bool(over), seats(winners), bool(empty))
            for id, book, party, over, winners, empty in self._database.read(query)
        )

    def _where(self, condition: str, *values: object) -> Iterator[StoredGame]:
        columns = "id, began, book, options, secret, party, over, on_table, draft"
        query = f"SELECT {columns} FROM games WHERE {condition} ORDER BY id DESC"
        for id, began, book, options, secret, party, over, on_table, draft in self._database.read(
            query, *values
        ):
            moves, undone = (self._moves(id, state) for state in ("active", "undone"))
            at = datetime.fromisoformat(began)
            yield StoredGame(
                id, at, book, options, secret, party, bool(over), bool(on_table), moves, undone, draft
            )

    def _moves(self, game: int, state: str) -> tuple[StoredMove, ...]:
        query = "SELECT text, by FROM moves WHERE game = ? AND state = ? ORDER BY id"
        return tuple(StoredMove(text, by) for text, by in self._database.read(query, game, state))


def _clear_table(connection: Connection) -> None:
    connection.execute("UPDATE games SET on_table = 0 WHERE on_table = 1")


def _replace(connection: Connection, game: int) -> None:
    """What was undone cannot be redone any more."""
    connection.execute("UPDATE moves SET state = 'replaced' WHERE game = ? AND state = 'undone'", (game,))


def _set_over(connection: Connection, game: int, over: bool, winners: Sequence[int] = ()) -> None:
    _set(connection, game, "over = ?, winners = ?, draft = ''", int(over), json.dumps(list(winners)))


def _set(connection: Connection, game: int, columns: str, *values: object) -> None:
    """Change some columns of a game. Raises ValueError if there is no such game."""
    update = f"UPDATE games SET {columns} WHERE id = ?"
    if connection.execute(update, (*values, game)).rowcount != 1:
        raise ValueError(f"there is no game {game}")


def _change(connection: Connection, game: int, old: str, new: str, which: str) -> None:
    connection.execute(
        f"UPDATE moves SET state = ? WHERE id = (SELECT {which}(id) FROM moves WHERE game = ? AND state = ?)",
        (new, game, old),
    )
