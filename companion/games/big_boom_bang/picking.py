"""Which dice are to be thrown again: a touch on a bomb brings the scissors that it needs. Pure."""

from collections.abc import Sequence

from companion.games.big_boom_bang.rules import Position, Reroll, legal


def toggled(position: Position, chosen: frozenset[int], die: int) -> frozenset[int]:
    """Return the dice, by their numbers from 1, that are to be thrown again after a touch on one of them.

    What is returned may still be illegal: then the rules say why (BANG-R10 to R12).
    """
    if die in chosen:
        return _without(position, chosen - {die})
    wanted = chosen | {die}
    for scissors in _of(position, "scissors"):
        if allowed(position, wanted):
            break
        wanted |= {scissors}
    return wanted if allowed(position, wanted) else chosen | {die}


def _without(position: Position, chosen: frozenset[int]) -> frozenset[int]:
    """Let go of the bombs that have no scissors any more."""
    for bomb in reversed(_of(position, "bomb")):
        if allowed(position, chosen):
            break
        chosen -= {bomb}
    return chosen


def allowed(position: Position, chosen: frozenset[int]) -> bool:
    """Whether these dice may be thrown again; none always."""
    return not chosen or Reroll(tuple(sorted(chosen))) in legal(position)


def locked(position: Position) -> set[int]:
    """Return the bombs that no choice of dice can move (BANG-R10)."""
    movable = {die for move in legal(position) if isinstance(move, Reroll) for die in move.dice}
    return set(_of(position, "bomb")) - movable


def _of(position: Position, face: str) -> Sequence[int]:
    return [number for number, own in enumerate(position.dice, 1) if own == face]
