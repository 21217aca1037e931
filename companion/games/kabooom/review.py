"""The moves that decided a game of Kabooom!: where the most points were given away. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from companion.games.kabooom import crowd, duel, notation, placing, reasons
from companion.games.kabooom.endgame import Stopped
from companion.games.kabooom.fast import PASS, Tables, cells, hit, placed, read, settled, tables, written
from companion.games.kabooom.rules import SYMBOLS, Hit, Pass, Place, Position, play, squares
from companion.games.thought import Pressed
from companion.language import Message

DECIDING = 3
_AHEAD = 6  # moves that are looked ahead
_GAMES = 400  # games in the head, with three and four players
_LEAST = 0.75  # points that a move must have cost


@dataclass(frozen=True, slots=True)
class Deciding:
    """A move that cost points: its index in all moves, whose it was, what was better and why; the points are
    those of the lead, one's own or what others have less.
    """

    number: int
    player: int
    played: str
    better: str
    why: Message
    points: float


def deciding(
    positions: Sequence[Position], moves: Sequence[str], pressed: Pressed
) -> Iterator[tuple[Deciding, ...]]:
    """Yield the three moves that cost most, as far as has been looked; hits first, then how stones were set.

    `positions` has the opening first and one more than `moves`, as a match has them.
    """
    found: list[Deciding] = []
    order = sorted(range(len(moves)), key=lambda number: positions[number].phase != "hit")
    for number in order:
        if pressed():
            return
        try:
            costly = _weighed(positions[number], moves[number], number, pressed)
        except Stopped:
            return
        if costly is not None and costly.points >= _LEAST:
            found.append(costly)
            found.sort(key=lambda each: each.points, reverse=True)
            yield tuple(found[:DECIDING])


def _weighed(position: Position, text: str, number: int, pressed: Pressed) -> Deciding | None:
    """Return what a move has cost; None for a deal, or if it was the best."""
    move, table = notation.parse(text), tables(position.options)
    match move:
        case Place():
            better, why, lost = _placing(position, table, move, pressed)
        case Hit() | Pass() if position.options.players == 2:
            better, why, lost = _duel(position, table, move, pressed)
        case Hit() | Pass():
            better, why, lost = _crowd(position, table, read(table, move), number, pressed)
        case _:
            return None
    return None if better == text else Deciding(number, position.turn, text, better, why, lost)


def _placing(position: Position, table: Tables, move: Place, pressed: Pressed) -> tuple[str, Message, float]:
    board, own = cells(position), position.supply
    seat = placing.Setting(table, board, own, position.turn, pressed)
    *_, (order, depth) = seat.deepen(2)
    value, kind, place = order[0]
    played = seat.value(SYMBOLS.index(move.symbol), squares(position.options.board).index(move.square), depth)
    return (
        notation.write(placed(table, kind, place)),
        reasons.set_stone(position, kind, place),
        value - played,
    )


def _duel(
    position: Position, table: Tables, move: Hit | Pass, pressed: Pressed
) -> tuple[str, Message, float]:
    best = _look(position, pressed, _AHEAD)
    after = play(position, move)
    lead = after.scores[position.turn] - after.scores[1 - position.turn]
    if after.over:
        value = float(lead)
    else:
        value = _look(after, pressed, _AHEAD - 1).lead * (1 if after.turn == position.turn else -1)
    return notation.write(written(table, best.move)), reasons.move(position, best), best.lead - value


def _look(position: Position, pressed: Pressed, ahead: int) -> duel.View:
    table = tables(position.options)
    asked = False

    def stopped() -> bool:
        nonlocal asked
        asked = asked or pressed()
        return asked

    *_, view = duel.views(table, cells(position), position.turn, position.passes, stopped, ahead)
    if asked:
        raise Stopped
    return view


def _crowd(
    position: Position, table: Tables, played: int, number: int, pressed: Pressed
) -> tuple[str, Message, float]:
    rng = Random(number)
    board, turn, passes = cells(position), position.turn, position.passes
    *_, best = crowd.views(table, board, turn, passes, rng, pressed, _GAMES)

    def lead(code: int) -> float:
        total = 0.0
        for _ in range(_GAMES):
            if pressed():
                raise Stopped
            copy, passed = board[:], passes + 1
            if code != PASS:
                hit(table, copy, code)
                passed = 0
            who, passed, _ = settled(table, copy, (turn + 1) % position.options.players, passed)
            points = crowd.playout(table, copy, who, passed, rng)
            total += points[turn] - max(p for each, p in enumerate(points) if each != turn)
        return total / _GAMES

    lost = 0.0 if best.move == played else lead(best.move) - lead(played)
    return notation.write(written(table, best.move)), reasons.move(position, best), lost
