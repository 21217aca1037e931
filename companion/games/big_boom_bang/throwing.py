"""What to throw again in BIG BOOM! BANG, by solving the whole turn backwards. Pure.

Dynamic programming over what five dice show (56 cases) and the throws that are left: the worth of a throw is
the mean over what may come, that of a choice the best of the legal sets (BANG-R7 to R14).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod

from companion.games.big_boom_bang.odds import hit
from companion.games.big_boom_bang.rules import DICE, FACES, THROWS, Options, Position

Shown = tuple[int, ...]  # how many dice show each of FACES
Worth = Callable[[Shown], float]  # of what the dice show in the end; more is better
BOMB, SCISSORS, HEART, GIFT = range(4)


@dataclass(frozen=True, slots=True)
class Advice:
    """A choice after a throw: dice that go back into the hand, as counts of FACES, and what it is worth."""

    again: Shown
    worth: float


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


class Turn:
    """A turn that is solved for one aim: the worth of what the dice show in the end."""

    def __init__(self, options: Options, worth: Worth) -> None:
        self.options = options
        self._final = lru_cache(maxsize=256)(worth)
        self._best = lru_cache(maxsize=1024)(self._solve)

    def advice(self, shown: Shown, left: int) -> list[Advice]:
        """All choices with so many throws left, the best first; of equals, the one with fewer dice."""
        rated = [
            Advice(again, self._mean(shown, again, left)) for again in sets(shown, self.options.scissors)
        ]
        return sorted(rated, key=lambda each: (-round(each.worth, 12), sum(each.again)))

    def worth(self, shown: Shown, left: int) -> float:
        """What it is worth that the dice show this, with so many throws left."""
        return self._best(shown, left)

    def before(self) -> float:
        """What the turn is worth before the first throw."""
        return sum(
            chance * self._best(shown, THROWS - 1)
            for shown, chance in throws(self.options.faces, DICE).items()
        )

    def _solve(self, shown: Shown, left: int) -> float:
        if not left:
            return self._final(shown)
        return max(self._mean(shown, again, left) for again in sets(shown, self.options.scissors))

    def _mean(self, shown: Shown, again: Shown, left: int) -> float:
        if not sum(again):
            return self._final(shown)
        stay = tuple(there - gone for there, gone in zip(shown, again, strict=True))
        return sum(
            chance * self._best(tuple(a + b for a, b in zip(stay, new, strict=True)), left - 1)
            for new, chance in throws(self.options.faces, sum(again)).items()
        )


def survival(position: Position) -> Turn:
    """The turn, with the aim that the BOOM does not hit the active player, whom all others name."""
    kinds = [position.tiles[place - 1] for place in position.hidden]
    return _survival(position.options, kinds.count("fuse"), kinds.count("gift"))


def best(position: Position) -> tuple[tuple[int, ...], float]:
    """Which dice, by their numbers, are best thrown again to survive the turn, and the chance that one does.

    No dice: it is best to stop.
    """
    advice = survival(position).advice(shows(position), THROWS - position.throws)[0]
    left = dict(zip(FACES, advice.again, strict=True))
    numbers = []
    for number, face in enumerate(position.dice, 1):
        if face is not None and left[face]:  # type: ignore[index]
            left[face] -= 1  # type: ignore[index]
            numbers.append(number)
    return tuple(numbers), advice.worth


@lru_cache(maxsize=64)
def _survival(options: Options, fuses: int, gifts: int) -> Turn:
    def worth(shown: Shown) -> float:
        return 1 - hit(fuses, gifts, (True,) * shown[BOMB] + (False,) * shown[GIFT])

    return Turn(options, worth)
