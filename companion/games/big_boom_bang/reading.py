"""Which of the dice on the table were thrown: those that were kept lie among them, or out of sight."""

from collections.abc import Sequence

from companion.eye.dice import Die
from companion.language import Message, mark

LAIN = 0.35  # of its width a die may be seen beside where it lies
STILL = 0.1  # so near no other die comes to rest, hardly ever


Kept = tuple[str, Die | None]
"""What a die that was kept shows, and where it lay, if it was seen."""


def thrown(dice: Sequence[Die], kept: Sequence[Kept], wanted: int) -> tuple[Die, ...] | Message:
    """The dice that were thrown, or what is wrong with what lies there.

    `dice` is all that the eye sees; what it is not sure of counts only where it is needed. `wanted` is how
    many dice were thrown.
    """
    sure = [die for die in dice if die.sign and die.known]
    for seen in (sure, list(dice)):
        away = _without_lain(seen, kept)
        placed = [(sign, place) for sign, place in away if place]
        if len(seen) in (wanted, wanted + len(placed), wanted + len(away)):
            break
    else:
        fields = {"count": len(seen), "wanted": wanted}
        for sign, place in away:
            if lying := [die for die in seen if die.sign == sign]:
                seen.remove(_kept(lying, place))
        if len(seen) == wanted:
            return tuple(seen)
        return Message(mark("Dice that I see: {count}, thrown: {wanted}"), fields)
    if len(seen) > wanted:
        for sign, place in away if len(seen) == wanted + len(away) else placed:
            lying = [die for die in seen if die.sign == sign] or [die for die in seen if not die.known]
            if not lying:
                return Message(mark("I do not see all the dice that you keep"))
            seen.remove(_kept(lying, place))
    return tuple(seen)


def _without_lain(seen: list[Die], kept: Sequence[Kept]) -> list[Kept]:
    """Take what was kept, and lies where it lay, off what is seen; the rest of what was kept."""
    away = []
    for sign, place in kept:
        lain = next((die for die in seen if place and _same(die, place)), None)
        if lain:
            seen.remove(lain)
        else:
            away.append((sign, place))
    return away


def _kept(lying: Sequence[Die], place: Die | None) -> Die:
    """Which of them was kept: what is nearest to where it lay, or else what is surest."""
    if place is None:
        return max(lying, key=lambda die: die.confidence)
    return min(lying, key=place.apart)


def untouched(dice: Sequence[Die], before: Sequence[Die], reach: float = LAIN) -> bool:
    """Whether all dice of `before` still lie where they lay, within so many widths, and as they lay."""
    return all(any(_same(die, other, reach) for other in dice) for die in before)


def _same(one: Die, other: Die, reach: float = LAIN) -> bool:
    near = abs(one.center[0] - other.center[0]) + abs(one.center[1] - other.center[1]) < reach * one.width
    return near and one.shows == other.shows
