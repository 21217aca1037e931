"""Who wins BIG BOOM! BANG if everybody plays for it: value iteration over all states between two turns. Pure.

Whoever is out is never asked again (A-BANG9). So a state is: the hearts of those who are still in the game,
from the one on whose turn it is, and how many fuses and gifts still lie hidden. Its value is the chance of
each of them to win. Everybody chooses what to throw again, and whom a gift tile hits, so that his own chance
is greatest. One sweep computes all values from those before; it is repeated until nothing changes any more
(value iteration, Bellman 1957; each for himself as in the max^n of Luckhardt and Irani, 1986). The last heart
lost leads to the values of one player less, which are computed before.

From three players on there may be no such end if everybody is quite resolute: a difference of a millionth
turns the decision of one, and that of another turns it back. So all waver between choices that differ by
about a ten-thousandth (see `chosen`); where even then no end comes, as with many scissors on the dice, by a
thousandth. With three and more players there may be other solutions as well; this is one in which nobody
gains more than that by deciding otherwise.
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from companion.games.big_boom_bang.rules import DICE, MOST, Options
from companion.games.big_boom_bang.throwing import ALL, BOMB, GIFT, HEART, Turn, chosen

FUSES, GIFTS = 11, 2
DOUBT = 1e-4  # of a chance
MOST_DOUBT = 1e-2
CLOSE = 3e-6  # a sweep that changes no chance by more ends the iteration
WHOLE = 60  # sweeps; those after them go half the way, so that decisions which swing come to rest
SWEEPS = 160

Values = NDArray[np.float32]  # hearts x fuses x gifts x seats: chances to win
Hearts = tuple[int, ...]  # of those in the game, from the active player on


def number(hearts: Hearts) -> int:
    """The place of a state in the values of so many players."""
    place = 0
    for each in hearts:
        place = place * MOST + each - 1
    return place


def states(count: int) -> list[Hearts]:
    """All hearts that so many players may have, in the order of their numbers."""
    return list(product(range(1, MOST + 1), repeat=count))


def struck(hearts: Hearts, seat: int) -> tuple[Hearts, list[int]]:
    """The state after BOOM has hit a seat, and which of the seats before are in it (BANG-R25 to R27, R33)."""
    left = [*hearts[:seat], hearts[seat] - 1, *hearts[seat + 1 :]]
    order = [(seat + step) % len(hearts) for step in range(len(hearts))]
    stay = [each for each in order if left[each]]
    return tuple(left[each] for each in stay), stay


class Solver:
    """Value iteration for as many players as the options say, from the values of one player less."""

    def __init__(self, options: Options, fewer: Values | None, doubt: float = DOUBT) -> None:
        self.options, self.fewer, self.doubt, self.sweeps = options, fewer, doubt, 0
        count = self.count = options.players
        self.hearts = states(count)
        self.values: Values = np.full((len(self.hearts), FUSES + 1, GIFTS + 1, count), 1 / count, np.float32)
        self.left = np.array([number((*rest, first)) for first, *rest in self.hearts])
        self.richer = np.array([number((min(MOST, first + 1), *rest)) for first, *rest in self.hearts])
        self.hits = [
            (row, seat, *struck(hearts, seat))
            for row, hearts in enumerate(self.hearts)
            for seat in range(count)
        ]

    def solve(self) -> Values:
        """Sweep until nothing changes. Raises ArithmeticError if that never comes."""
        for self.sweeps in range(1, SWEEPS + 1):
            new: Values = Turn(self.options, self.ends(), self.doubt).before()
            change = float(np.abs(new - self.values).max())
            self.values = new if self.sweeps <= WHOLE else np.asarray((new + self.values) / 2)
            if change < CLOSE:
                return self.values
        raise ArithmeticError(f"after {SWEEPS} sweeps a chance still changes by {change}")

    def ends(self) -> Values:
        """The value of each of what the dice may show in the end: shown x hearts x fuses x gifts x seats."""
        booms, queues = self._booms(), {}
        passed = np.roll(self.values[self.left], 1, axis=-1)  # the dice pass to the left neighbour
        for gifts in range(DICE + 1):
            value = passed
            for turn in reversed(range(gifts)):  # those who reveal for gift dice, the last one first
                value = self._revealed(value, booms)[1 + turn % (self.count - 1)]
            queues[0, gifts] = value
            for bombs in range(1, DICE + 1 - gifts):
                value = self._revealed(value, booms)[0]
                queues[bombs, gifts] = value
        found = ((queues[shown[BOMB], shown[GIFT]], shown[HEART] >= 3) for shown in ALL)
        return np.stack([value[self.richer] if more else value for value, more in found])

    def _booms(self) -> Values:
        """The value if BOOM hits a seat: seats x hearts x seats."""
        value = np.zeros((self.count, len(self.hearts), self.count), np.float32)
        for row, seat, hearts, stay in self.hits:
            if len(stay) == self.count:
                value[seat, row, stay] = self.values[number(hearts), FUSES, GIFTS]
            elif self.fewer is not None:
                value[seat, row, stay] = self.fewer[number(hearts), FUSES, GIFTS]
            else:
                value[seat, row, stay] = 1
        return value

    def _revealed(self, then: Values, booms: Values) -> Values:
        """The value if a seat reveals a tile and `then` comes if all goes well (seats x as `then`)."""
        value = np.zeros((self.count, *then.shape), np.float32)
        fuses = np.arange(FUSES + 1, dtype=np.float32)[:, None]
        for gifts in range(GIFTS + 1):
            total = value[..., gifts, :]
            total += booms[:, :, None]
            total[:, :, 1:] += fuses[1:] * then[:, :-1, gifts]
            for seat in range(self.count if gifts else 0):  # a gift tile: that seat names another
                others = np.delete(value[..., gifts - 1, :], seat, axis=0)
                total[seat] += gifts * chosen(others, seat, self.doubt)
            total /= fuses + gifts + 1
        return value


def solve(options: Options, most: int) -> list[Values]:
    """The values for 2 to `most` players in the game, with these dice, and as little doubt as there must be.

    Raises ArithmeticError if there is no end with any.
    """
    found: list[Values] = []
    doubt = DOUBT
    while len(found) < most - 1:
        alike = Options(len(found) + 2, options.scissors, options.faces)
        try:
            found.append(Solver(alike, found[-1] if found else None, doubt).solve())
        except ArithmeticError:
            doubt *= 10
            if doubt > MOST_DOUBT:
                raise
    return found
