"""What lies on the table: the throws so far, the stopper's run, the game in progress.

Everything is stored before it is shown. After a power cut the table stands as it stood.
"""

import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from companion import troubles
from companion.games.book import Book
from companion.games.rulebook import Awaited
from companion.journal import RETRY, Journal, id_of
from companion.language import Message
from companion.match import Match
from companion.players import Finished, Mover, Party
from companion.players import read as party_of
from companion.players import written as party_text
from companion.playthrough import UnplayableError, frozen, revived
from companion.store import Ending, Outline, Store, StoredGame, StoredMove, StoreError
from companion.throwlog import ThrowLog

Row = TypeVar("Row")


@dataclass(eq=False, slots=True)
class StopperRun:
    """The run of the stopper that is not finished: every value thrown so far."""

    throws: tuple[int, ...] = ()
    id: int | None = None


@dataclass(eq=False, slots=True)
class Game:
    """The game on the table, and who made each move; `undone` can be redone, the next one last.

    `draft` is what people have begun to enter for the next move, or dice that they have declined, as text;
    only a screen knows what it means.
    """

    match: Match
    done: list[StoredMove]
    undone: list[StoredMove]
    party: Party
    id: int | None = None  # the store's
    draft: str = ""


class Table:
    """What is in progress. Raises `StoreError` only when it is made."""

    def __init__(self, store: Store) -> None:
        self._store, self._journal = store, Journal(store)
        self.log = ThrowLog(store, self._journal)
        run = store.unfinished_stopper()
        self.stopper = StopperRun(run.values, run.id) if run else None
        self.game: Game | None = None
        self._unread: Message | None = None  # why nothing could be read, when that was last tried
        self._reread_at = 0.0
        self.hindrance: StoreError | None = None  # why nothing outlasts the program
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
        self._journal.write(lambda: self._store.add_stopper(id_of(run), value))

    def end_stopper(self, how: Ending) -> None:
        """The run is over."""
        run = self._run()
        self._journal.write(lambda: self._store.end_stopper(id_of(run), how))
        self.stopper = None

    def _run(self) -> StopperRun:
        if self.stopper is None:
            raise ValueError("the stopper is not running")
        return self.stopper

    # the game

    def begin(
        self, book: Book, options: Any, secret: bytes | None = None, party: Party | None = None
    ) -> Game:
        """Begin a game; one that lies on the table is put aside as it stands.

        Its chance follows from `secret`, 32 bytes that nobody can guess if none are given.
        """
        secret = secrets.token_bytes(32) if secret is None else secret
        game = self.game = Game(Match(book, options, secret), [], [], party or Party())

        def job() -> None:
            game.id = self._store.games.begin(book.name, frozen(options), secret, party_text(game.party))

        self._journal.write(job)
        return game

    def play(self, text: str, by: Mover = "person") -> str:
        """Play a move, and return it written properly. Raises `Refusal`: then nothing has happened."""
        game = self._game()
        move = StoredMove(game.match.play(text), by)
        end = game.match.position
        self._journal.write(lambda: self._store.games.add(id_of(game), move.text, by, end.over, end.winners))
        game.done.append(move)
        game.undone.clear()
        game.draft = ""
        return move.text

    def amend(self, number: int, text: str) -> None:
        """A move was entered wrongly and is this one; all that followed stands, what was taken back is gone.

        Raises `Refusal`: then nothing has happened.
        """
        game = self._game()
        game.match.amend(number, text)
        self._journal.write(lambda: self._store.games.amend(id_of(game), number, text))
        game.done[number] = replace(game.done[number], text=text)
        game.undone.clear()

    def keep(self, draft: str) -> None:
        """Keep what people have begun to enter: a power cut must not lose it."""
        game = self._game()
        if draft != game.draft:
            game.draft = draft
            self._journal.write(lambda: self._store.games.keep(id_of(game), draft))

    def reseat(self, party: Party) -> None:
        """Others play on from now on, in the same seats."""
        game = self._game()
        game.party = party
        self._journal.write(lambda: self._store.games.reseat(id_of(game), party_text(party)))

    def throw(self, awaited: Awaited[Any]) -> str:
        """Let the companion throw or deal what the table is to provide; return the move."""
        return self.play(self._game().match.throw(awaited), "companion")

    def undo(self) -> StoredMove | None:
        """Take back the last move, and return it; None at the beginning."""
        game = self._game()
        if not game.done:
            return None

        self._journal.write(lambda: self._store.games.undo(id_of(game)))
        game.match.take_back()
        game.draft = ""
        game.undone.append(game.done.pop())
        return game.undone[-1]

    def redo(self) -> StoredMove | None:
        """Make the move again that was taken back last, and return it; None if there is none."""
        game = self._game()
        if not game.undone:
            return None
        game.match.play(game.undone[-1].text)
        end = game.match.position

        self._journal.write(lambda: self._store.games.redo(id_of(game), end.over, end.winners))
        game.done.append(game.undone.pop())
        game.draft = ""
        return game.done[-1]

    def games(self) -> tuple[StoredGame, ...]:
        """Return every stored game, the newest first. Raises `StoreError`."""
        return self._store.games.all()

    def take_up(self, stored: StoredGame) -> Game:
        """Put a stored game on the table; raises `UnplayableError` and leaves the table as it is."""
        match = revived(stored)
        self._journal.write(lambda: self._store.games.put_on_table(stored.id))
        undone = list(reversed(stored.undone))
        self.game = Game(match, list(stored.moves), undone, party_of(stored.party), stored.id, stored.draft)
        return self.game

    def continue_game(self, number: int) -> Game:
        """Put a stored game on the table, as `take_up`. Raises `ValueError` if there is no such game."""
        try:
            self._journal.settle()  # its last moves may still wait for the disk
            stored = self._store.games.get(number)
        except StoreError as error:
            raise UnplayableError(troubles.store(error)) from error
        return self.take_up(stored)

    def put_aside(self) -> None:
        """Clear the table; the game can be taken up again."""
        self._journal.write(lambda: self._store.games.put_on_table(None))
        self.game = None

    # what was played before

    def outlines(self) -> tuple[Outline, ...]:
        """Return every game that was begun, the newest first; none while the store cannot be read."""
        return self._read(self._store.games.outlines)

    def waiting(self, books: Collection[str]) -> list[Outline]:
        """Return the games of these books that are not over and do not lie on the table, the newest first; no
        game in which nothing has happened: it was begun by mistake.
        """
        own = self.game.id if self.game else None
        found = (o for o in self.outlines() if o.book in books and not o.over and not o.empty)
        return [outline for outline in found if outline.id != own]

    def last_party(self, books: Collection[str]) -> tuple[Party, bool]:
        """Return who played one of these games last, or else any game; and whether it was one of these."""
        outlines = self.outlines()
        for same in (True, False):  # of years of games mostly the first that is read will do
            for each in outlines:
                if (each.book in books or not same) and (party := party_of(each.party)).seats:
                    return party, same
        return Party(), False

    def finished(self) -> tuple[Finished, ...]:
        """Return every game that somebody has won, the newest first."""
        return tuple(
            Finished(o.book, party_of(o.party).seats, o.winners) for o in self.outlines() if o.winners
        )

    def faces_read(self) -> tuple[tuple[str, int, int], ...]:
        """Return (colour, face, how often) of all dice that the camera has read, as they count now."""
        return self._read(self._store.faces_read)

    def _read(self, rows: Callable[[], tuple[Row, ...]]) -> tuple[Row, ...]:
        try:
            found, self._unread = rows(), None
        except StoreError as error:
            found, self._unread = (), troubles.store(error)
        return found

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
        """Why something waits to be stored or cannot be read; None if all is well."""
        return self._journal.trouble or self._unread

    def retry(self, now: float) -> None:
        """Try again to write what waits, and to read what could not be read, every few seconds of `now`."""
        self._journal.retry(now)
        if self._unread and now >= self._reread_at:
            self._reread_at = now + RETRY
            self.outlines()

    def close(self) -> bool:
        """Write what waits, if that is possible now, and close the store; False if something still waits."""
        self._journal.finish()
        self._store.close()
        return self._journal.trouble is None
