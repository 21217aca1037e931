"""What lies on the table: the throws so far, the stopper's run, the game in progress.

Everything is stored before it is shown. After a power cut the table stands as it stood.
"""

import secrets
from dataclasses import dataclass
from typing import Any

from companion.games.book import Book
from companion.games.rulebook import Awaited
from companion.journal import Journal
from companion.language import Message
from companion.match import Match
from companion.playthrough import UnplayableError, frozen, revived
from companion.store import Ending, Mover, Store, StoredGame, StoredMove
from companion.throwlog import ThrowLog


@dataclass(eq=False, slots=True)
class StopperRun:
    """The run of the stopper that is not finished: every value thrown so far."""

    throws: tuple[int, ...] = ()
    id: int | None = None


@dataclass(eq=False, slots=True)
class Game:
    """The game on the table, and who made each move; `undone` can be redone, the next one last."""

    match: Match
    done: list[StoredMove]
    undone: list[StoredMove]
    id: int | None = None  # the store's


class Table:
    """What is in progress. Raises `StoreError` only when it is made."""

    def __init__(self, store: Store) -> None:
        self._store, self._journal = store, Journal()
        self.log = ThrowLog(store, self._journal)
        run = store.unfinished_stopper()
        self.stopper = StopperRun(run.values, run.id) if run else None
        self.game: Game | None = None
        self.unplayable: Message | None = None  # why the game that lay on the table does not lie there now
        self._resume()

    # the stopper

    def begin_stopper(self, interval_s: float) -> None:
        """A run begins."""
        run = StopperRun()

        def job() -> None:
            run.id = self._store.begin_stopper(interval_s)

        self._journal.write(job)
        self.stopper = run

    def stopper_shows(self, value: int) -> None:
        """The stopper die of the run shows a value."""
        run = self._run()
        run.throws = (*run.throws, value)
        self._journal.write(lambda: self._store.add_stopper(_id(run), value))

    def end_stopper(self, how: Ending) -> None:
        """The run is over."""
        run = self._run()
        self._journal.write(lambda: self._store.end_stopper(_id(run), how))
        self.stopper = None

    def _run(self) -> StopperRun:
        if self.stopper is None:
            raise ValueError("the stopper is not running")
        return self.stopper

    # the game

    def begin(self, book: Book, options: Any, secret: bytes | None = None) -> Game:
        """Begin a game; one that lies on the table is put aside as it stands.

        Its chance follows from `secret`, 32 bytes that nobody can guess if none are given.
        """
        secret = secrets.token_bytes(32) if secret is None else secret
        game = self.game = Game(Match(book, options, secret), [], [])

        def job() -> None:
            game.id = self._store.games.begin(book.name, frozen(options), secret)

        self._journal.write(job)
        return game

    def play(self, text: str, by: Mover = "person") -> str:
        """Play a move, and return it written properly. Raises `Refusal`: then nothing has happened."""
        game = self._game()
        move = StoredMove(game.match.play(text), by)
        over = game.match.position.over
        self._journal.write(lambda: self._store.games.add(_id(game), move.text, by, over))
        game.done.append(move)
        game.undone.clear()
        return move.text

    def throw(self, awaited: Awaited[Any]) -> str:
        """Let the companion throw or deal what the table is to provide; return the move."""
        return self.play(self._game().match.throw(awaited), "companion")

    def undo(self) -> StoredMove | None:
        """Take back the last move, and return it; None at the beginning."""
        game = self._game()
        if not game.done:
            return None

        def job() -> None:
            self._store.games.undo(_id(game))

        self._journal.write(job)
        game.match.take_back()
        game.undone.append(game.done.pop())
        return game.undone[-1]

    def redo(self) -> StoredMove | None:
        """Make the move again that was taken back last, and return it; None if there is none."""
        game = self._game()
        if not game.undone:
            return None
        game.match.play(game.undone[-1].text)
        over = game.match.position.over

        def job() -> None:
            self._store.games.redo(_id(game), over)

        self._journal.write(job)
        game.done.append(game.undone.pop())
        return game.done[-1]

    def games(self) -> tuple[StoredGame, ...]:
        """Return every stored game, the newest first. Raises `StoreError`."""
        return self._store.games.all()

    def take_up(self, stored: StoredGame) -> Game:
        """Put a stored game on the table; raises `UnplayableError` and leaves the table as it is."""
        match = revived(stored)
        self._journal.write(lambda: self._store.games.put_on_table(stored.id))
        self.game = Game(match, list(stored.moves), list(reversed(stored.undone)), stored.id)
        return self.game

    def put_aside(self) -> None:
        """Clear the table; the game can be taken up again."""
        self._journal.write(lambda: self._store.games.put_on_table(None))
        self.game = None

    def _resume(self) -> None:
        stored = self._store.games.on_table()
        if stored is not None:
            try:
                self.take_up(stored)
            except UnplayableError as error:
                self.unplayable = error.message

    def _game(self) -> Game:
        if self.game is None:
            raise ValueError("there is no game on the table")
        return self.game

    # the disk

    @property
    def trouble(self) -> Message | None:
        """Why something waits to be stored; None if nothing does."""
        return self._journal.trouble

    def retry(self, now: float) -> None:
        """Try again to write what waits, every few seconds of `now`."""
        self._journal.retry(now)

    def close(self) -> None:
        """Write what waits, if that is possible now, and close the store."""
        self._journal.catch_up()
        self._store.close()


def _id(thing: StopperRun | Game) -> int:
    assert thing.id is not None  # jobs run in order: what it depends on has been written
    return thing.id
