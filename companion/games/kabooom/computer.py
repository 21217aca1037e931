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
    """How far a strength looks: moves ahead while hitting and setting, towers from which it knows the end,
    games it plays in its head when there are more than two."""

    ahead: int
    setting: int
    solves: int
    games: int


MINDS: dict[Strength, Mind] = {
    "fox": Mind(2, 1, 0, 60),
    "wolf": Mind(4, 2, 8, 400),
    "dragon": Mind(search.DEEPEST, 24, duel.TRIED, crowd.GAMES),
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
    if strength not in MINDS:
        kind, place = setting(position, strength, rng)
        yield Thought(
            notation.write(placed(table, kind, place)), reasons.set_stone(position, kind, place), 0.0
        )
        return
    seat = placing.Setting(table, cells(position), position.supply, position.turn, pressed)
    try:
        for order, _ in seat.deepen(MINDS[strength].setting):
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
    mind = MINDS.get(strength)
    if mind is None:
        views = iter([duel.View(glimpse(table, board, turn, strength, rng), 0.0, False)])
    elif table.options.players == 2:
        views = duel.views(table, board, turn, passes, pressed, mind.ahead, mind.solves)
    else:
        views = crowd.views(table, board, turn, passes, rng, pressed, mind.games)
    for view in views:
        move = written(table, view.move)
        yield Thought(notation.write(move), reasons.move(position, view), view.lead)
