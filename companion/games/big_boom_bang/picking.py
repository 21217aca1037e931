"""Which dice are to be thrown again: a touch on a bomb brings the scissors that it needs. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Optional

from companion.games.big_boom_bang.rules import Position, Reroll, legal

Dice = frozenset[int]  # by their numbers from 1


@dataclass(frozen=True, slots=True)
class Picked:
    """The dice that are chosen, and which of these are scissors that a bomb has brought: they go with it.

    It is so by a touch on a `die`; what was picked `before` that is kept.
    """

    chosen: Dice = frozenset()
    brought: Dice = frozenset()
    die: int = 0
    before: Optional["Picked"] = None


def touched(position: Position, picked: Picked, die: int) -> Picked:
    """What is picked after a touch on a die: a second one takes the first back, whatever that has changed.

    What is chosen then may still be illegal: then the rules say why (BANG-R10 to R12).
    """
    if picked.before and die == picked.die:
        return picked.before
    chosen, brought = picked.chosen, picked.brought
    if die not in chosen:
        wanted = _with_scissors(position, chosen | {die})
        return Picked(wanted, brought | (wanted - chosen - {die}), die, picked)
    left = _without(position, chosen - {die})
    gone = len((chosen - left).intersection(_of(position, "bomb")))
    for scissors in sorted(brought & left, reverse=True)[:gone]:
        if allowed(position, left - {scissors}):
            left -= {scissors}
    return Picked(left, brought & left, die, picked)


def _with_scissors(position: Position, wanted: Dice) -> Dice:
    """These dice with the scissors that they need, as far as there are any."""
    dice = wanted
    for scissors in _of(position, "scissors"):
        if allowed(position, dice):
            break
        dice |= {scissors}
    return dice if allowed(position, dice) else wanted


def _without(position: Position, chosen: Dice) -> Dice:
    """Let go of the bombs that have no scissors any more."""
    for bomb in reversed(_of(position, "bomb")):
        if allowed(position, chosen):
            break
        chosen -= {bomb}
    return chosen


def allowed(position: Position, chosen: Dice) -> bool:
    """Whether these dice may be thrown again; none always."""
    return not chosen or Reroll(tuple(sorted(chosen))) in legal(position)


def locked(position: Position) -> set[int]:
    """Return the bombs that no choice of dice can move (BANG-R10)."""
    movable = {die for move in legal(position) if isinstance(move, Reroll) for die in move.dice}
    return set(_of(position, "bomb")) - movable


def _of(position: Position, face: str) -> Sequence[int]:
    return [number for number, own in enumerate(position.dice, 1) if own == face]
