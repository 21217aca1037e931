"""Whether a task of Make 'n' Break is built before the stopper calls "Stopp!". Pure.

Both are exact. How often the stopper has to throw is a renewal process: the chances of all totals, throw by
throw (Feller, An Introduction to Probability Theory, vol. 1, ch. 13). How often the builder has to throw is
the time of absorption of the Markov chain that the best play makes (see `builds`): what is kept each time.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from companion.games.make_n_break.builds import Values, again, spread
from companion.games.make_n_break.stopper import FACES, GOAL

SURE = 1e-9  # of a chance: what may be left out


@lru_cache(maxsize=64)
def running(total: int) -> tuple[float, ...]:
    """The chances that the stopper, who is at that total, has not stopped after 0, 1, 2 … throws."""
    chances = np.zeros(GOAL)
    chances[total] = 1.0
    found = [1.0]
    while found[-1] > SURE:
        after = sum(np.concatenate([np.zeros(face), chances[: GOAL - face]]) for face in FACES)
        chances = np.asarray(after) / len(FACES)
        found.append(float(chances.sum()))
    return tuple(found)


def stops(total: int = 0) -> dict[int, float]:
    """The chances of the totals at which the stopper stops, from that total on."""
    found = dict.fromkeys(range(GOAL, GOAL + max(FACES)), 0.0)
    chances = np.zeros(GOAL)
    chances[total] = 1.0
    for at in range(total, GOAL):  # every total is reached at most once, but for blank sides
        for face in filter(None, FACES):
            chance = chances[at] / len([each for each in FACES if each])
            if at + face < GOAL:
                chances[at + face] += chance
            else:
                found[at + face] += float(chance)
    return found


def throws_left(total: int = 0) -> float:
    """How often the stopper still has to throw, on the average."""
    return sum(running(total))


def built_within(
    values: Values, fits: NDArray[np.bool_], hand: Sequence[int], shown: Sequence[int]
) -> Iterator[float]:
    """Yield the chance that it is built within 1, 2, 3 … more throws, without end.

    `values` and `fits` are those of `builds`; these pieces are thrown first, by index, the others stay as
    `shown`. After that the best are thrown again.
    """
    start = tuple(-1 if index in hand else value - 1 for index, value in enumerate(shown))
    after, chances = _kept(values, fits.shape), np.zeros(values.shape)
    while True:
        chances = spread(np.where(fits, 1.0, chances.ravel()[after]))
        yield float(chances[start])


def _kept(values: Values, sizes: tuple[int, ...]) -> NDArray[np.intp]:
    """What is kept, as a place in `values`, of everything that may be shown and is not built."""
    rest, place = values, np.arange(values.size).reshape(values.shape)
    for axis, size in enumerate(sizes):
        kept, hand = np.split(rest, [size], axis)
        kept_place, hand_place = np.split(place, [size], axis)
        place = np.where(hand < kept, hand_place, kept_place)
        rest = np.minimum(hand, kept)
    return place


def in_time(
    values: Values, fits: NDArray[np.bool_], shown: Sequence[int] | None, total: int, pace: float
) -> float:
    """The chance that it is built before the stopper, who is at that total, calls "Stopp!".

    `shown` are the thrown pieces as they lie, not built yet; None if nothing has been thrown. The stopper
    throws `pace` times while the builder throws once; what is built at the moment of "Stopp!" is too late
    (A-MNB9).
    """
    hand = range(fits.ndim) if shown is None else again(values, shown)[0]
    lies = (1,) * fits.ndim if shown is None else shown
    found, before, still = 0.0, 0.0, running(total)
    for number, chance in enumerate(built_within(values, fits, hand, lies), 1):
        thrown = int(number * pace)
        if thrown >= len(still) or before > 1 - SURE:
            break
        found += (chance - before) * still[thrown]
        before = chance
    return found
