"""Are these dice fair? An exact answer for few throws, a very good one for many. Pure.

Few: the multinomial test. Its p-value is the chance that fair dice bring a result that is at most as likely
as the one seen. The six faces are alike, so it is enough to go through the partitions of the number of dice
into at most six parts, each standing for all results with these counts in some order.

Many: Pearson's chi-square test with five degrees of freedom. Its survival function has a closed form for odd
degrees of freedom: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.4.4.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

FACES = 6
EXACT = 60  # dice up to which the exact test takes a tenth of a second or two
ENOUGH = 30  # dice before which nothing is said
ODD, UNFAIR = 0.01, 0.000005
"""Below `ODD` one keeps watching, below `UNFAIR` the dice are called unfair.

People look again and again, and every look is a chance to be misled. Looks at dice of which most have been
seen before hardly differ: of whoever looks after every die, about 0.00005 are misled each time the number of
dice doubles (ten times `UNFAIR`, as simulated), and that is at most 20 times from 30 to 30 million dice. So
fair dice are called unfair in one of a thousand cases at most, however long one looks (Boole's inequality).
"""

Verdict = Literal["few", "fair", "odd", "unfair"]


@dataclass(frozen=True, slots=True)
class Honesty:
    """What the counts of the faces 1 to 6 say.

    `p` is the chance that fair dice look at least as odd. `strange` is the face that lies farthest from what
    fair dice would show, and `often` whether it came too often.
    """

    counts: tuple[int, ...]
    p: float
    verdict: Verdict
    strange: int
    often: bool

    @property
    def dice(self) -> int:
        """How many dice were read."""
        return sum(self.counts)


def honesty(counts: Sequence[int]) -> Honesty:
    """Return what the counts of the faces 1 to 6 say about the dice."""
    dice = sum(counts)
    p = exact(counts) if dice <= EXACT else chi_square(counts)
    off = [count - dice / FACES for count in counts]
    strange = max(range(FACES), key=lambda face: abs(off[face]))
    verdict: Verdict = "fair"
    if dice < ENOUGH:
        verdict = "few"
    elif p < UNFAIR:
        verdict = "unfair"
    elif p < ODD:
        verdict = "odd"
    return Honesty(tuple(counts), p, verdict, strange + 1, off[strange] > 0)


def exact(counts: Sequence[int]) -> float:
    """Return the p-value of the multinomial test."""
    seen = _likelihood(counts)
    return min(1.0, sum(p for one, p in _outcomes(sum(counts)) if one <= seen * (1 + 1e-9)))


def chi_square(counts: Sequence[int]) -> float:
    """Return the p-value of Pearson's test."""
    expected = sum(counts) / FACES
    return survival(sum((count - expected) ** 2 for count in counts) / expected)


def survival(x: float) -> float:
    """Return the chance that a chi-square variable with five degrees of freedom is at least `x`."""
    root = math.sqrt(x)
    tail = math.sqrt(2 / math.pi) * math.exp(-x / 2) * (root + root**3 / 3)
    return math.erfc(root / math.sqrt(2)) + tail


def _likelihood(counts: Sequence[int]) -> float:
    """Return the chance of exactly these counts, face by face."""
    dice = sum(counts)
    ways = math.lgamma(dice + 1) - sum(math.lgamma(count + 1) for count in counts)
    return math.exp(ways - dice * math.log(FACES))


@lru_cache(maxsize=4)
def _outcomes(dice: int) -> tuple[tuple[float, float], ...]:
    """Return of all counts how likely exactly these are, and these in any order."""
    every = ((_likelihood(parts), _orders(parts)) for parts in _partitions(dice, FACES, dice))
    return tuple((one, one * orders) for one, orders in every)


def _orders(parts: tuple[int, ...]) -> int:
    """Return in how many ways the counts can belong to the faces."""
    alike = Counter(parts).values()
    return math.factorial(FACES) // math.prod(map(math.factorial, alike))


def _partitions(total: int, parts: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to write `total` as `parts` numbers from `most` down to 0, none rising."""
    if parts == 1:
        yield (total,)
        return
    for first in range(min(total, most), -(-total // parts) - 1, -1):
        for rest in _partitions(total - first, parts - 1, first):
            yield (first, *rest)
