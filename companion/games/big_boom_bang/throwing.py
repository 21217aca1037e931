"""What to throw again in BIG BOOM! BANG, by solving the whole turn backwards. Pure.

Dynamic programming over what five dice show (56 cases) and the throws that are left: the worth of a throw is
the mean over what may come, that of a choice the best of the legal sets (BANG-R7 to R14). What may come
depends only on the dice that stay: all sets that leave the same dice lying are one.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations_with_replacement
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.big_boom_bang.reveals import boom, hit
from companion.games.big_boom_bang.rules import DICE, FACES, THROWS, Keep, Options, Position, Reroll

Shown = tuple[int, ...]  # how many dice show each of FACES
Worths = NDArray[Any]  # of what the dice show in the end: shown x … x seats, the active player's first
BOMB, SCISSORS, HEART, GIFT = range(4)
EXACT = 1e-9  # worths that differ by less are equal
ALL: tuple[Shown, ...] = tuple(
    tuple(fallen.count(face) for face in range(len(FACES)))
    for fallen in combinations_with_replacement(range(len(FACES)), DICE)
)
PLACE = {shown: place for place, shown in enumerate(ALL)}


@dataclass(frozen=True, slots=True)
class Advice:
    """A choice after a throw: dice that go back into the hand, as counts of FACES, and what it is worth."""

    again: Shown
    worth: float
    others: tuple[float, ...]  # what it is worth to the other seats


def shows(position: Position) -> Shown:
    """What the dice of a position show."""
    return tuple(position.dice.count(face) for face in FACES)


@lru_cache(maxsize=256)
def throws(faces: tuple[str, ...], count: int) -> Mapping[Shown, float]:
    """What so many dice with these six sides may show, and how likely (the multinomial distribution)."""
    sides = [faces.count(face) for face in FACES]
    chances: dict[Shown, float] = {}
    for fallen in combinations_with_replacement(range(len(FACES)), count):
        shown = tuple(Counter(fallen)[face] for face in range(len(FACES)))
        ways = factorial(count) // prod(map(factorial, shown))
        chance = ways * prod(side**number for side, number in zip(sides, shown, strict=True))
        if chance:
            chances[shown] = chance / len(faces) ** count
    return chances


@lru_cache(maxsize=256)
def sets(shown: Shown, scissors: str) -> tuple[Shown, ...]:
    """Every set of dice that may be thrown again, none of them included (BANG-R9 to R13, A-BANG2)."""
    return tuple(_sets(shown, scissors))


def _sets(shown: Shown, scissors: str) -> Iterator[Shown]:
    for bombs in range(min(shown[BOMB], shown[SCISSORS]) + 1):  # one scissors for each bomb
        along = bombs if scissors == "reroll" else 0
        for cut in range(along, shown[SCISSORS] + 1):
            for hearts in range(shown[HEART] + 1):
                for gifts in range(shown[GIFT] + 1):
                    yield (bombs, cut, hearts, gifts)


class Cup:
    """The dice of one game: what may come of those that stay, and what may stay of what they show.

    `place` numbers all that may stay, less than five dice; `falls` has a row for each, `choices` their
    numbers for each of ALL.
    """

    def __init__(self, faces: tuple[str, ...], scissors: str) -> None:
        self.scissors = scissors
        self.first = _row((0,) * len(FACES), throws(faces, DICE))
        staying = [[minus(shown, again) for again in sets(shown, scissors) if sum(again)] for shown in ALL]
        self.place = {stay: place for place, stay in enumerate(dict.fromkeys(chain(*staying)))}
        self.falls = np.array([_row(stay, throws(faces, DICE - sum(stay))) for stay in self.place])
        self.choices = [np.array([self.place[stay] for stay in each], np.intp) for each in staying]


def minus(shown: Shown, again: Shown) -> Shown:
    """What stays of some dice."""
    return tuple(there - gone for there, gone in zip(shown, again, strict=True))


def _row(stay: Shown, coming: Mapping[Shown, float]) -> NDArray[np.float64]:
    row = np.zeros(len(ALL))
    for new, chance in coming.items():
        row[PLACE[tuple(a + b for a, b in zip(stay, new, strict=True))]] = chance
    return row


@lru_cache(maxsize=32)
def cup(faces: tuple[str, ...], scissors: str) -> Cup:
    """The dice with these sides."""
    return Cup(faces, scissors)


def chosen(worths: Worths, seat: int, doubt: float) -> Worths:
    """The worth, to each seat, of one of the choices (… x seats each), whichever `seat` likes best.

    Between choices whose worths differ by no more than about `doubt` he wavers (the logit response of
    McKelvey and Palfrey, 1995): so that a hair's breadth does not turn everything over.
    """
    own = worths[..., seat]
    likely = np.exp((own - own.max(axis=0)) / worths.dtype.type(doubt))
    likely /= likely.sum(axis=0)
    return np.asarray(np.einsum("c...,c...s->...s", likely, worths))


class Turn:
    """A turn that is solved for whoever throws, given the worth of what the dice show in the end."""

    def __init__(self, options: Options, ends: Worths, doubt: float = EXACT) -> None:
        self.cup, self.ends = cup(options.faces, options.scissors), ends
        falls = self.cup.falls.astype(ends.dtype)
        self.worths, self.after = [ends], [ends[:0]]  # by the throws that are left; what stays x … x seats
        for _ in range(THROWS - 1):
            after = np.tensordot(falls, self.worths[-1], axes=1)
            options_of = (
                np.concatenate([end[None], after[choices]])
                for end, choices in zip(ends, self.cup.choices, strict=True)
            )
            self.worths.append(np.stack([chosen(each, 0, doubt) for each in options_of]))
            self.after.append(after)

    def before(self) -> Worths:
        """What the turn is worth before the first throw: … x seats."""
        first = self.cup.first.astype(self.ends.dtype)
        return np.asarray(np.tensordot(first, self.worths[-1], axes=1))

    def worth(self, shown: Shown, left: int) -> Worths:
        """What it is worth, to each seat, that the dice show this, with so many throws left."""
        return np.asarray(self.worths[left][PLACE[shown]])

    def again(self, stay: Shown, left: int) -> Worths:
        """What it is worth, to each seat, to throw all dice but these, with so many throws left."""
        return np.asarray(self.after[left][self.cup.place[stay]])

    def advice(self, shown: Shown, left: int) -> list[Advice]:
        """All choices of a single turn with so many throws left, the best first; of equals, fewer dice."""
        rated = []
        for again in sets(shown, self.cup.scissors) if left else [(0,) * len(FACES)]:
            stay = minus(shown, again)
            worths = self.again(stay, left) if sum(again) else self.ends[PLACE[shown]]
            rated.append(Advice(again, float(worths[0]), tuple(worths[1:].tolist())))
        return sorted(rated, key=lambda each: (-round(each.worth, 9), sum(each.again)))


def survival(position: Position) -> Turn:
    """The turn, with the aim that the BOOM does not hit the active player, whom all others name.

    Its worths are two: the chance of that, and the chance that the BOOM hits another.
    """
    kinds = [position.tiles[place - 1] for place in position.hidden]
    return _survival(position.options, kinds.count("fuse"), kinds.count("gift"))


@lru_cache(maxsize=64)
def _survival(options: Options, fuses: int, gifts: int) -> Turn:
    ends = []
    for shown in ALL:
        own = hit(fuses, gifts, (True,) * shown[BOMB] + (False,) * shown[GIFT])
        ends.append((1 - own, boom(fuses, gifts, shown[BOMB] + shown[GIFT]) - own))
    return Turn(options, np.array(ends))


def best(position: Position) -> tuple[tuple[int, ...], float]:
    """Which dice, by their numbers, are best thrown again to survive the turn, and the chance that one does.

    No dice: it is best to stop.
    """
    advice = survival(position).advice(shows(position), THROWS - position.throws)[0]
    return numbers(position, advice.again), advice.worth


def numbers(position: Position, again: Shown) -> tuple[int, ...]:
    """Which dice these are, by their numbers; of equals, the first."""
    left = dict(zip(FACES, again, strict=True))
    found = []
    for number, face in enumerate(position.dice, 1):
        if face is not None and left[face]:  # type: ignore[index]
            left[face] -= 1  # type: ignore[index]
            found.append(number)
    return tuple(found)


def decision(position: Position, again: Shown) -> Reroll | Keep:
    """The move that throws these again."""
    dice = numbers(position, again)
    return Reroll(dice) if dice else Keep()
