"""The rule books and the stored games on the command line."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from companion import playthrough, troubles
from companion import referee as court
from companion.config import config_dir, data_dir, program, store_file
from companion.config.document import NO_TEXT, did_you_mean
from companion.games.book import Book, books
from companion.games.rulebook import Refusal, is_move, seat
from companion.language import Message, Texts, ToldError, mark
from companion.match import Match, seeded
from companion.playthrough import Proof
from companion.store import Store, StoredGame, StoreError, is_there

PROOFS = {
    Proof.KEPT: mark("right: this was dealt as promised"),
    Proof.BROKEN: mark("WRONG: this is not what was promised"),
    Proof.OPEN: mark("not known yet: the salt is shown when the round is over"),
    Proof.NO_SALT: mark("not proven: the round is over, and its salt is missing"),
    Proof.NO_PROMISE: mark("not promised: no commitment stands before this deal"),
    Proof.NO_DEAL: mark("not dealt: no deal follows this commitment"),
}


def referee(options: argparse.Namespace, texts: Texts) -> int:
    """Answer each line of standard input; 1 if one was refused."""
    match = _match(options)
    judge = court.Referee(match, texts, throws=options.chance is not None)
    for answer in judge.answers(court.lines(sys.stdin.buffer)):
        print(court.encode(answer), flush=True)
    return int(judge.refused > 0)


def perft(options: argparse.Namespace, texts: Texts) -> int:
    """Print how many sequences of decisions are legal after a transcript; 1 if a line is refused."""
    if options.depth < 0:
        raise ToldError(Message("the depth must be 0 or more"))
    match = played(options, texts)
    if match is None:
        return 1
    print(court.perft(match.book, match.position, options.depth))
    return 0


def played(options: argparse.Namespace, texts: Texts) -> Match | None:
    """Return the game after the moves of a transcript, None if one is refused, and say why."""
    lines = _read(options.transcript) if options.transcript else []
    match = _opening(options, lines)
    moves = [(number, line) for number, line in enumerate(lines, 1) if is_move(line)]
    return match if _plays(match, moves, options.transcript, texts) else None


def _plays(match: Match, moves: Iterable[tuple[int, str]], file: Path, texts: Texts) -> bool:
    """Play moves, which come with the numbers of their lines; say why one is refused, and end there."""
    for number, line in moves:
        try:
            match.play(line)
        except Refusal as refusal:
            print(f"{file}:{number}: {texts(refusal.text, **refusal.fields)}", file=sys.stderr)
            return False
    return True


def _opening(options: argparse.Namespace, lines: Sequence[str]) -> Match:
    """Return the game that a command names; if the first line of a playthrough says more, as agreed there."""
    book, named = find(options.game), playthrough.named(lines)
    if named is None:
        return _match(options)
    file = str(options.transcript)
    if named is not book:
        fields = {"file": file, "name": named.name, "game": options.game}
        raise ToldError(Message("{file} is for {name}, not for {game}", fields))
    match = _read_from(options.transcript, lines)[0]
    said = playthrough.otherwise(book, options.players, _chosen(options), match.options)
    if said:
        text = mark("the first line of {file} says what was agreed: leave out {said}, or that line")
        raise ToldError(Message(text, {"file": file, "said": said}))
    return match


def _read_from(file: Path, lines: Sequence[str]) -> tuple[Match, list[tuple[int, str]]]:
    """Return the game of a playthrough at its opening, and its moves with the numbers of their lines."""
    try:
        return playthrough.read(lines, config_dir())
    except playthrough.UnplayableError as error:
        fields = {"file": str(file), "what": error.message}
        raise ToldError(Message("{file}: {what}", fields)) from error


def _match(options: argparse.Namespace) -> Match:
    """Return the game that a command names, with what was chosen for it."""
    seed = getattr(options, "chance", None)
    return Match(find(options.game), agreed(options), None if seed is None else seeded(seed))


def agreed(options: argparse.Namespace) -> Any:
    """Return what a command says of the game that it names."""
    return find(options.game).agree(config_dir(), options.players, _chosen(options))


def find(name: str) -> Book:
    """Return the game of a name, or raise `ToldError`."""
    book = books().get(name)
    if book is None:
        raise ToldError(_unknown(name))
    return book


def _unknown(name: str) -> Message:
    closest = did_you_mean(name, list(books()))
    if closest:
        return Message(
            "there is no game '{name}': did you mean '{closest}'?", {"name": name, "closest": closest}
        )
    return Message("there is no game '{name}', only {known}", {"name": name, "known": ", ".join(books())})


def _chosen(options: argparse.Namespace) -> dict[str, str]:
    return dict(map(_pair, options.chosen))


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise ToldError(Message("'{text}' is no KEY=VALUE", {"text": text}))
    return key, value


def _read(path: Path) -> list[str]:
    """Return the lines of a file; - is standard input."""
    try:
        with nullcontext(sys.stdin.buffer) if path == Path("-") else path.open("rb") as file:
            lines = list(court.lines(file))
    except OSError as error:
        raise ToldError(troubles.unread(path, error)) from error
    if any("\0" in line for line in lines):  # a picture, a program
        raise ToldError(Message("{file}: {what}", {"file": str(path), "what": NO_TEXT}))
    return lines


def ended(match: Match) -> Message:
    """Return who has won a game that is over."""
    winners = list(map(seat, match.position.winners))
    fields = {"winners": ", ".join(winners), "scores": " ".join(map(str, match.position.scores))}
    if not winners:
        return Message(mark("The game is over. Scores: {scores}"), fields)
    if len(winners) == 1:
        return Message(mark("The game is over. Winner: {winners}. Scores: {scores}"), fields)
    return Message(mark("The game is over. Winners: {winners}. Scores: {scores}"), fields)


def games(options: argparse.Namespace, texts: Texts) -> int:
    """Print every stored game in a line, the newest first."""
    with opened(texts) as store:
        for stored in store.games.all():
            print(_line(stored, texts))
    return 0


def _line(stored: StoredGame, t: Texts) -> str:
    title = books()[stored.book].title if stored.book in books() else stored.book
    state = t("over") if stored.over else t("on the table") if stored.on_table else t("put aside")
    moves = t.plural("{count} move", "{count} moves", len(stored.moves))
    at = stored.began.astimezone()
    return f"{stored.id:>4}  {at:%Y-%m-%d %H:%M}  {t(title)}, {moves}, {state}"


def export(options: argparse.Namespace, texts: Texts) -> int:
    """Print a stored game as a playthrough."""
    with opened(texts) as store:
        try:
            stored = store.games.get(options.number)
            lines = list(playthrough.written(playthrough.revived(stored)))
        except ValueError as error:
            fields = {"number": options.number, "program": program()}
            raise ToldError(Message("there is no game {number}; see: {program} games", fields)) from error
    if not stored.over:
        print(texts("This game is not over: what follows shows also what is still hidden."), file=sys.stderr)
    print(*lines, sep="\n")
    return 0


def replay(options: argparse.Namespace, texts: Texts) -> int:
    """Answer each move of a playthrough as the referee does; 1 if one was refused."""
    match, moves = _read_from(options.file, _read(options.file))
    judge = court.Referee(match, texts)
    answers = judge.answers(text for _, text in moves)
    for number, answer in zip([0, *(number for number, _ in moves)], answers, strict=True):
        print(court.encode(answer), flush=True)
        if not answer["ok"]:
            print(f"{options.file}:{number}: {answer['error']['message']}", file=sys.stderr)
    return int(judge.refused > 0)


def verify(options: argparse.Namespace, texts: Texts) -> int:
    """Say of every deal of a playthrough whether it is the one that was promised; 1 if one is not, or if a
    move is refused.
    """
    lines = _read(options.file)
    match, moves = _read_from(options.file, lines)
    whole = _plays(match, moves, options.file, texts)
    deals = list(playthrough.checked(lines, match.position.over))
    if all(deal.proof is Proof.NO_PROMISE for deal in deals):
        fields = {"file": str(options.file)}
        raise ToldError(Message("{file} holds nothing that the companion was bound to deal", fields))
    for deal in deals:
        print(f"{options.file}:{deal.line}: {texts(PROOFS[deal.proof])}")
    return int(not whole or any(deal.proof not in (Proof.KEPT, Proof.OPEN) for deal in deals))


def opened(texts: Texts, alone: bool = False) -> Store:
    """Return the store, or what stands in for it if its disk can only be read; not `alone`, to be read only,
    it is an empty one as long as nothing has been played.
    """
    path = store_file(data_dir())
    try:
        store = _open_store(path, alone)
    except StoreError as error:
        raise ToldError(troubles.opening(error, path)) from error
    if store.set_aside:
        print(texts.say(troubles.set_aside(store.set_aside)), file=sys.stderr)
    return store


def _open_store(path: Path, alone: bool) -> Store:
    try:
        return Store.open(path if alone or is_there(path) else None, alone)
    except StoreError as error:
        if not error.unwritable:
            raise
        return Store.standing_in(path, error)
