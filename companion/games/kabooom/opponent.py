"""A simple computer player for Kabooom!: it looks one answer ahead. Pure; chance comes as an argument."""

from companion.games.kabooom.rules import (
    BEATS,
    SYMBOLS,
    Move,
    Pass,
    Place,
    Position,
    legal,
    neighbours,
    play,
)
from companion.games.rulebook import Rng, pick


def choose(position: Position, rng: Rng) -> Move:
    """Return a legal decision for whoever is to move; among equally good ones any."""
    moves = legal(position)
    if position.phase == "place":
        values = [_placing(position, move) for move in moves if isinstance(move, Place)]
    else:
        values = [after_answer(play(position, move), position.turn) for move in moves]
    best = max(values)
    good = [move for move, value in zip(moves, values, strict=True) if value == best]
    hits = [move for move in good if not isinstance(move, Pass)]
    return pick(rng, hits or good)


def lead(position: Position, player: int) -> int:
    """Return by how many points a player is ahead of the best of the others."""
    scores = position.scores
    return scores[player] - max(score for other, score in enumerate(scores) if other != player)


def after_answer(position: Position, player: int) -> int:
    """Return the lead after the answer that is worst for the player."""
    if position.over or position.turn == player:
        return lead(position, player)
    return min(lead(play(position, answer), player) for answer in legal(position))


def _placing(position: Position, move: Place) -> int:
    """Return how many neighbours a stone could hit there, less those that could hit it."""
    value = 0
    for place in neighbours(position.options.board, move.square):
        other = position.board[place]
        if other is not None:
            value += (other.symbol in BEATS[move.symbol]) - (move.symbol in BEATS[other.symbol])
    rest = position.supply[position.turn][SYMBOLS.index(move.symbol)]
    return 4 * value + rest  # what there is most of goes first
