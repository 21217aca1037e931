"""How far what several frames say can be trusted: evidence becomes chances, by two logistic functions.

Their weights come from rendered throws: `python -m companion.eye.train.trust FOLDER` writes them beside the
model, and has to be run again whenever that one changes.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import zip_longest
from math import exp, inf, log, prod
from pathlib import Path

from companion.eye.dice import PIPS, Die
from companion.eye.read import LONG, NO_DIE, REFUSED

WEIGHTS = Path(__file__).parents[2] / "assets" / "model" / "trust.json"
# How often fewer dice are thrown than are awaited, or more, as parts of how often so many are: one falls off
# the table now and then, but what is like a die beside those that are awaited is hardly ever one.
FEWER, MORE = 0.01, 0.003
LOW = 0.002  # chances are kept this far from 0 and 1, so that their logarithms are finite
SOME = 0.02  # of how likely a face is, from here on it is proposed
# Logarithms of odds above which evidence weighs differently: straight lines bend there.
BEND, CLEAR = -0.5, 3.0
# Of the larger one's width: the middles of two dice are hardly ever nearer than ROOM, and of 5,540 dice in
# rendered throws none was than TIGHT; up to BESIDE the side of a die may look like another one.
ROOM, TIGHT, BESIDE = 0.9, 0.7, 1.1
NARROW, NONE = 0.03, 0.001  # by so much smaller are the odds then that both are dice
# Where the first network is no surer than FAINT of any die, it may not have seen all: in 2 of 7 such throws
# among 784 rendered ones it had overlooked some.
FAINT, OVERLOOKED = 0.6, 0.3
AGREE = 0.8  # part of the frames that must show the same


@dataclass(frozen=True, slots=True)
class Weights:
    """What was fitted. Each row is a constant and the weights of the features, in their order.

    `there` judges whether something is a die, `right` whether its face is; `ask` is the chance of a whole
    throw below which people are asked.
    """

    there: tuple[float, ...]
    right: tuple[float, ...]
    ask: float


@lru_cache(maxsize=1)
def weights() -> Weights:
    """The weights that belong to the model."""
    read = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return Weights(tuple(read["there"]), tuple(read["right"]), float(read["ask"]))


@dataclass(frozen=True, eq=False)
class Candidate:
    """What may be one die: its readings in some of `frames` frames (one at least)."""

    readings: tuple[Die, ...]
    frames: int

    @cached_property
    def face(self) -> int:
        """What most readings show: a face, or 0 for a cocked die."""
        return self._votes.most_common(1)[0][0]

    @property
    def agreed(self) -> bool:
        """Whether nearly all frames show the same, or hardly one shows anything."""
        right = self._votes[self.face]
        return right >= AGREE * self.frames or len(self.readings) <= (1 - AGREE) * self.frames

    @cached_property
    def no_die(self) -> float:
        """How sure the second network is that there is no die; 0 if it was not asked."""
        heard = [die.second[NO_DIE] for die in self.readings if die.second]
        return _mean(heard) if heard else 0.0

    @cached_property
    def _votes(self) -> Counter[int]:
        return Counter(map(_vote, self.readings))

    @cached_property
    def die(self) -> Die:
        """The newest reading of what has most votes, with the mean confidence of those."""
        right = [die for die in self.readings if _vote(die) == self.face]
        known = 2 * sum(die.known for die in right) > len(right)
        return replace(right[-1], confidence=_mean([die.confidence for die in right]), known=known)

    # what speaks for it

    def there(self) -> tuple[float, ...]:
        """That it is a die: how sure the eye is in all frames, also beyond BEND; the second opinion."""
        sure, heard = self._sure, any(die.second for die in self.readings)
        return (sure, max(0.0, sure - BEND), -_logit(self.no_die) if heard else 0.0)

    def right(self) -> tuple[float, ...]:
        """That it shows its face: its lead over the next best one, bent too, and the second opinion of it."""
        lead = self._lead(self._shares)
        second = [_pips(die.second) for die in self.readings if die.second]
        backing = self._lead([_mean(column) for column in zip(*second, strict=True)]) if second else 0.0
        return (lead, max(0.0, lead - CLEAR), self._sure, backing)

    def _lead(self, shares: Sequence[float]) -> float:
        """By how much its face is likelier than any other (logarithm); of signs pips say nothing."""
        face = self.die.face - 1
        if face >= len(shares):
            return 0.0
        return log(_kept(shares[face]) / _kept(max(share for i, share in enumerate(shares) if i != face)))

    @cached_property
    def _sure(self) -> float:
        """How sure the eye is that there is a die, over all frames."""
        return _logit(sum(die.confidence for die in self.readings) / self.frames)

    def otherwise(self) -> int | None:
        """What it shows if not its face; None if nothing speaks for any other."""
        others = {face: share for face, share in enumerate(self._shares, 1) if face != self.die.face}
        likeliest = max(others, key=others.__getitem__)
        return likeliest if others[likeliest] >= SOME else None

    @cached_property
    def _shares(self) -> list[float]:
        """How likely each face is: the mean of the network's opinion, or of what was read without it."""
        count = max(6, *(die.face for die in self.readings))  # those of dice with signs go on behind the pips
        rows = [die.faces or [float(die.face == n) for n in range(1, count + 1)] for die in self.readings]
        return [_mean(column) for column in zip_longest(*rows, fillvalue=0.0)]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What lies there, as far as can be told: candidates that are dice, and the chance that all of it is
    right.

    It is `sure` if it can be told without asking anybody; else `doubted` are the numbers of those that cannot
    by themselves, or at least of the least sure one.
    """

    dice: tuple[Candidate, ...]
    chance: float
    sure: bool
    doubted: tuple[int, ...]


def judge(
    candidates: Sequence[Candidate], awaited: int | None = None, known: Weights | None = None
) -> Verdict:
    """The likeliest dice among the candidates; so many are `awaited`, if anybody has said so.

    What is awaited only makes a number of dice likelier: what no reader has seen is never told.
    """
    known = known or weights()
    chances = _with_room({each: _there(known, each) for each in candidates})
    order = sorted(candidates, key=lambda each: -chances[each])
    p = [chances[each] for each in order]

    def prior(count: int) -> float:
        if awaited in (None, count):
            return 1.0
        return FEWER if count < awaited else MORE

    counts = _counts(p)
    best = max(range(len(p) + 1), key=lambda n: prior(n) * prod(p[:n]) * prod(1 - q for q in p[n:]))
    likely = prior(best) * prod(p[:best]) * prod(1 - q for q in p[best:])
    number = likely / sum(prior(n) * chance for n, chance in enumerate(counts))
    dice = sorted(order[:best], key=lambda each: each.die.center)
    if dice and best != awaited and all(each.die.confidence < FAINT and not each.die.sign for each in dice):
        number *= 1 - OVERLOOKED
    right = [logistic(known.right, each.right()) if each.die.known else 0.0 for each in dice]
    each_sure = [chances[each] * good for each, good in zip(dice, right, strict=True)]
    chance = number * prod(right)
    if chance >= known.ask:
        return Verdict(tuple(dice), chance, True, ())
    doubted = tuple(i for i, sure in enumerate(each_sure) if sure < known.ask)
    least = tuple(sorted(range(len(dice)), key=each_sure.__getitem__)[:1])
    return Verdict(tuple(dice), chance, False, doubted or least)


def _there(known: Weights, candidate: Candidate) -> float:
    """How likely it is a die; what most frames do not show may just have been taken away.

    Halves of dominoes are much like dice, and no throw in a tray tells how likely they are: what the second
    network rather takes for no die is no likelier than not, however sure the first one is.
    """
    chance = logistic(known.there, candidate.there())
    shown = 2 * len(candidate.readings) > candidate.frames
    return chance if shown and candidate.no_die < REFUSED else min(chance, 0.5)


def _with_room(chances: dict[Candidate, float]) -> dict[Candidate, float]:
    """The same, but where there is hardly room for a die beside a likelier one, there hardly is one.

    Dice that lean come nearer, and so do cuboids; but these are larger than dice.
    """
    found: dict[Candidate, float] = {}
    for each, chance in sorted(chances.items(), key=lambda pair: -pair[1]):
        near = min((each.die.near(other.die) for other in found if _keep_off(each, other)), default=inf)
        odds = _room(near, each.no_die >= REFUSED)
        left = chance * odds / (chance * odds + 1 - chance)
        found[each] = min(left, 0.5) if near < TIGHT else left  # of two that are certain one is none
    return found


def _room(near: float, refused: bool) -> float:
    """What becomes of the odds that something is a die, if its middle is so near to that of a likelier one.
    What is `refused` may be that one's side.
    """
    if near < TIGHT:
        return NONE
    return NARROW if near < (BESIDE if refused else ROOM) else 1.0


def _keep_off(*both: Candidate) -> bool:
    """Whether two are dice that lie flat. What seems a smaller cuboid may be the side of the other one."""
    larger = max(each.die.width for each in both)
    return not any(each.die.cocked or (each.die.cuboid and each.die.width == larger) for each in both)


def _counts(chances: Sequence[float]) -> list[float]:
    """How likely it is that none, one, two ... of independent things with these chances are there."""
    counts = [1.0]
    for p in chances:
        counts = [q * (1 - p) + before * p for q, before in zip((*counts, 0.0), (0.0, *counts), strict=True)]
    return counts


def logistic(row: Sequence[float], features: Sequence[float]) -> float:
    """The chance that a row of weights gives to features."""
    constant, *factors = row
    return 1 / (1 + exp(-constant - sum(w * x for w, x in zip(factors, features, strict=True))))


def _pips(second: Sequence[float]) -> list[float]:
    """How likely so many pips are (6), on a die or on the long side of a cuboid."""
    return [p + cuboid for p, cuboid in zip_longest(second[:PIPS], second[LONG:NO_DIE], fillvalue=0.0)]


def _vote(die: Die) -> int:
    """What a reading shows: a face, or 0 for a cocked die."""
    return 0 if die.cocked else die.face


def _kept(chance: float) -> float:
    return min(max(chance, LOW), 1 - LOW)


def _logit(chance: float) -> float:
    return log(_kept(chance) / (1 - _kept(chance)))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
