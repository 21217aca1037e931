"""The computer's play at Kabooom!: five strengths, each with the mistakes of its kind. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.kabooom import crowd, duel, notation, placing, reasons, search
from companion.games.kabooom.eager import glimpse, setting
from companion.games.kabooom.endgame import Stopped
from companion.games.kabooom.fast import Tables, cells, placed, tables, written
from companion.games.kabooom.rules import Position
from companion.games.rulebook import Rng
from companion.games.thought import ANIMALS, Pressed, Strength, Thought

STRENGTHS: tuple[Strength, ...] = ANIMALS


@dataclass(frozen=True, slots=True)
class Mind:
    """How far a strength looks.

    `ahead` is how many moves while hitting, 0 for the eager ones; `tries` how many stones it thinks of while
    setting, of which it takes the boldest, 0 for those that judge the whole board and look `setting` moves
    ahead; `solves` from how many towers on it knows the end; `games` how many it plays in its head with
    three and four.
    """

    ahead: int = 0
    tries: int = 0
    setting: int = 1
    solves: int = 0
    games: int = 0


MINDS: dict[Strength, Mind] = {
    "mouse": Mind(tries=1),
    "hare": Mind(tries=4),
    "fox": Mind(ahead=1, tries=4, games=60),
    "wolf": Mind(ahead=3, setting=1, solves=8, games=300),
    "dragon": Mind(search.DEEPEST, 0, 24, duel.TRIED, crowd.GAMES),
}


def think(position: Position, strength: Strength, rng: Rng, pressed: Pressed) -> Iterator[Thought]:
    """Yield ever better moves of whoever is to move, with reasons; mouse and hare are eager (`eager.py`)."""
    table = tables(position.options)
    if position.phase == "place":
        yield from _setting(position, table, strength, rng, pressed)
    elif position.phase == "hit":
        yield from _hitting(position, table, strength, rng, pressed)


def _setting(
    position: Position, table: Tables, strength: Strength, rng: Rng, pressed: Pressed
) -> Iterator[Thought]:
    mind = MINDS[strength]
    if mind.tries:
        kind, place = setting(position, mind.tries, rng)
        why = reasons.set_stone(position, kind, place)
        yield Thought(notation.write(placed(table, kind, place)), why, 0.0)
        return
    seat = placing.Setting(table, cells(position), position.supply, position.turn, pressed)
    try:
        for order, _ in seat.deepen(mind.setting):
            good = [choice for choice in order if choice[0] > order[0][0] - 1e-6]
            worth, kind, place = good[rng.randrange(len(good))]
            why = reasons.set_stone(position, kind, place)
            yield Thought(notation.write(placed(table, kind, place)), why, worth)
    except Stopped:
        return


def _hitting(
    position: Position, table: Tables, strength: Strength, rng: Rng, pressed: Pressed
) -> Iterator[Thought]:
    board, turn, passes = cells(position), position.turn, position.passes
    mind = MINDS[strength]
    if not mind.ahead:
        views = iter([duel.View(glimpse(table, board, turn, strength, rng), 0.0, False)])
    elif table.options.players == 2:
        views = duel.views(table, board, turn, passes, pressed, mind.ahead, mind.solves)
    else:
        views = crowd.views(table, board, turn, passes, rng, pressed, mind.games)
    for view in views:
        move = written(table, view.move)
        yield Thought(notation.write(move), reasons.move(position, view), view.lead)
