"""Which of the dice on the table were thrown: those that were kept lie among them, or out of sight."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from companion.eye.dice import Die
from companion.games.big_boom_bang.rules import DICE
from companion.language import Message, mark

LAIN = 0.35  # of its width a die may be seen beside where it lies
STILL = 0.1  # so near no other die comes to rest, hardly ever


Shown = Sequence[str | None]
"""What each die shows that counts now; nothing for those that are to be thrown (`Position.dice`)."""

Kept = tuple[str, Die | None]
"""What a die that was kept shows, and where it lay, if it was seen."""


class Lying:
    """Where each of the five dice was seen last, by its number from 1."""

    def __init__(self) -> None:
        self._at: dict[int, Die] = {}

    @property
    def whole(self) -> bool:
        """Whether that is known of all."""
        return len(self._at) == DICE

    def forget(self) -> None:
        """They were taken up."""
        self._at = {}

    def keep(self, shown: Shown) -> None:
        """Only those still lie there that count."""
        self._at = {number: die for number, die in self._at.items() if shown[number - 1]}

    def take(self, shown: Shown, thrown: Mapping[int, Die], others: Iterable[Die]) -> None:
        """So many were thrown, and lie there now; those that are kept are among the others that were seen."""
        self.keep(shown)
        if thrown:
            self._at = _among(shown, others) | dict(thrown)

    def before(self, shown: Shown) -> list[Die]:
        """Where those lay that are to be thrown, as far as that is known."""
        return [self._at[number] for number in missing(shown) if number in self._at]

    def kept(self, shown: Shown) -> list[Kept]:
        """Those that stay."""
        return [(face, self._at.get(number)) for number, face in enumerate(shown, 1) if face]

    def exchange(self, shown: Shown, dice: Sequence[Die]) -> None:
        """Of dice that show the same any may have been thrown, whatever their numbers: those that still lie
        there are kept.
        """
        lain = {number for number, die in self._at.items() if untouched(dice, [die])}
        gone = [number for number in self._at.keys() - lain if shown[number - 1]]
        if len(dice) - len(lain) != shown.count(None):  # not all lie there yet, or kept ones were moved
            return
        for number in lain.intersection(missing(shown)):
            twin = next((n for n in gone if self._at[n].shows == self._at[number].shows), None)
            if twin:
                gone.remove(twin)
                self._at[number], self._at[twin] = self._at[twin], self._at[number]

    def unthrown(self, shown: Shown, dice: Sequence[Die]) -> bool:
        """Whether only dice that stay were moved, if any: the others lie where they lay, or in a hand."""
        before = self.before(shown)
        rest = [die for die in dice if not untouched(before, [die])]
        if self.whole and self.aside(shown, rest):
            return True
        return len(before) == shown.count(None) and untouched(dice, before)

    def aside(self, shown: Shown, dice: Sequence[Die]) -> bool:
        """Whether these are those that count and no other: then they lie there."""
        lying = _among(shown, dice)
        whole = len(dice) == len(lying) == DICE - shown.count(None)
        if whole:
            self._at |= lying
        return whole

    def astray(self, shown: Shown, others: Iterable[Die]) -> list[str]:
        """What those show that stay and are not among the others that are seen now."""
        seen = _among(shown, others)
        return [die.sign for number, die in self._at.items() if shown[number - 1] and number not in seen]


def missing(shown: Shown) -> list[int]:
    """The numbers of those that are to be thrown."""
    return [number for number, face in enumerate(shown, 1) if face is None]


def signs(dice: Iterable[Die]) -> Counter[str]:
    """How many of them show what."""
    return Counter(die.sign for die in dice)


def _among(shown: Shown, dice: Iterable[Die]) -> dict[int, Die]:
    """Which of these dice are those that count, by their numbers."""
    left, lying = list(dice), dict[int, Die]()
    for number, face in enumerate(shown, 1):
        die = next((die for die in left if die.sign == face), None)
        if die:
            left.remove(die)
            lying[number] = die
    return lying


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
