"""`companion play`: a game at the terminal, stored move by move, with real dice or with the companion's."""

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from companion.commands.games import agreed, ended, find, opened
from companion.config import program
from companion.games.rulebook import Awaited, Refusal, State, seat
from companion.language import Message, Texts, ToldError
from companion.match import HIDDEN
from companion.table import Game, Table

SHOWN = ("roll", "deal", "shuffle")  # of which an example is shown; one of `refill` would tell what is hidden


def play(options: argparse.Namespace, texts: Texts) -> int:
    """Play a game to its end, or until the input ends or says so; what was played is stored: 1 if it could
    not be.
    """
    table, stored = Table(opened(texts, alone=True)), False
    try:
        _chosen(table, options)
        Terminal(table, texts, input).run()
    except EOFError:
        print()
    finally:
        stored = table.close()
    if not stored:
        print(texts("What was played last is not stored; the reason is given above."), file=sys.stderr)
    return int(not stored)


def _chosen(table: Table, options: argparse.Namespace) -> None:
    """Put the game on the table that the command names, if it names one."""
    agrees = options.game or options.players is not None or options.chosen
    if agrees and options.number is not None:
        raise ToldError(Message("a game that goes on stays as it was agreed: leave out all but --continue"))
    if agrees and not options.game:
        raise ToldError(Message("name the game that --players and --set are for, such as kabooom"))
    if options.game:
        table.begin(find(options.game), agreed(options))
    elif options.number is not None:
        try:
            table.continue_game(options.number)
        except ValueError as error:
            text = "there is no game {number}; see: {program} games"
            fields = {"number": options.number, "program": program()}
            raise ToldError(Message(text, fields)) from error
    elif table.game is None:
        raise ToldError(table.unplayable or Message("no game lies on the table; name one, such as kabooom"))


def seen(state: Any, hidden: Sequence[str]) -> Any:
    """Return of a position's state what everybody at the table may see."""
    if isinstance(state, dict):
        return {key: seen(value, hidden) for key, value in state.items() if key not in hidden}
    return [seen(each, hidden) for each in state] if isinstance(state, list) else state


def together(moves: Iterable[str]) -> Sequence[str]:
    """Moves as a person can take them in: those that differ by their last word only are told in one."""
    last = defaultdict[str, list[str]](list)
    for move in moves:
        begins, space, ends = move.rpartition(" ")
        last[begins + space].append(ends)
    return [begins + "|".join(ends) for begins, ends in last.items()]


class Terminal:
    """Asks one who may act after the other."""

    def __init__(self, table: Table, texts: Texts, ask: Callable[[str], str]) -> None:
        self._table, self.t, self._ask = table, texts, ask
        self._shown: Any = None
        self._told = {bound.digest for _, bound, over in self._game.match.deals() if over}

    @property
    def _game(self) -> Game:
        assert self._table.game is not None
        return self._table.game

    def run(self) -> None:
        """Play until the game is over. Raises EOFError when nobody answers any more, or wants to."""
        self._help()
        self._complain()
        while not self._game.match.position.over:
            self._turn()
        print(self.t.say(ended(self._game.match)))

    def _help(self) -> None:
        print(
            self.t(
                "An empty line lets the companion throw or deal; undo and redo take back and play again; help"
                " says this once more; quit leaves, and the game stays stored."
            )
        )

    @property
    def _state(self) -> State:
        return self._game.match.book.notation.state(self._game.match.position)

    @property
    def _scores(self) -> str:
        return " ".join(map(str, self._game.match.position.scores))

    def _turn(self) -> None:
        awaits = self._game.match.awaits
        state = seen(self._state, self._game.match.book.hidden)
        if state != self._shown:  # it is long
            print(json.dumps(state, ensure_ascii=False))
            self._shown = state
        for awaited in awaits:
            self._tell(awaited)
        line = self._ask("> ").strip()
        try:
            due = sorted((each for each in awaits if each.who is None), key=lambda each: each.paced)
            self._do(line, due[0] if due else None)
        except Refusal as refusal:
            print(self.t(refusal.text, **refusal.fields))
        self._complain()
        self._reveal()

    def _complain(self) -> None:
        """Say why nothing can be stored, if that is so."""
        if self._table.trouble:
            print(self.t.say(self._table.trouble))

    def _tell(self, awaited: Awaited[Any]) -> None:
        """Say who may do what, and what the companion is bound to deal."""
        match = self._game.match
        texts = match.texts(awaited)
        who = self.t("the table") if awaited.who is None else seat(awaited.who)
        what = " / ".join(together(texts)) if texts else awaited.what
        if awaited.what in SHOWN:  # of two dice there are 36 throws
            fields = {"what": awaited.what, "example": self._example(awaited)}
            what = self.t("{what} (typed by yourself, for example: {example})", **fields)
        print(f"{self._scores} | {who}: {what}")
        bound = match.commitment(awaited) if awaited.who is None else None
        if bound:
            print(
                self.t("The companion is bound to deal what has this SHA-256: {digest}", digest=bound.digest)
            )

    def _example(self, awaited: Awaited[Any]) -> str:
        """Some move of what the table is to provide: it tells nothing of what the companion will deal."""
        book, position = self._game.match.book, self._game.match.position
        return book.notation.write(book.rules.outcome(position, awaited, random.Random(0)))

    def _do(self, line: str, chance: Awaited[Any] | None) -> None:
        if line in ("undo", "redo"):
            if line == "undo" and not self._table.undo():
                print(self.t("There is nothing to take back."))
            elif line == "redo" and not self._table.redo():
                print(self.t("There is nothing to play again."))
        elif line == "help":
            self._help()
        elif line == "quit":
            raise EOFError
        elif line:
            self._table.play(line)
        elif chance is not None:
            text = self._table.throw(chance)
            print(text.split()[0] if chance.what in HIDDEN else text)
        else:
            who = ", ".join(seat(each.who) for each in self._game.match.awaits if each.who is not None)
            print(self.t("It is for {who} to decide: type one of the moves.", who=who))

    def _reveal(self) -> None:
        """When a round is over, tell what was dealt in it, so that everybody can check it."""
        for _, bound, over in self._game.match.deals():
            if over and bound.digest not in self._told:
                self._told.add(bound.digest)
                print(self.t("The deal was: {text}, salt {salt}", text=bound.text, salt=bound.salt))
