"""What a board of Kabooom! for two promises beyond its points, at a glance: a sum over neighbours. Pure.

Of two neighbours one beats the other, always, so what still may happen is told by pairs of them. A tower is
seen by whether it belongs to whoever is to move, whether it is dynamite, and its height in steps; a pair by
both and by which beats which. The other three symbols are alike, so that some hundred weights tell
everything; they are fitted to how games ended (`tests/bench/kabooom_learn.py`, least squares on games of the
program against itself) and stand in `learned.py`, in hundredths of a point."""

from functools import lru_cache

from companion.games.kabooom import learned
from companion.games.kabooom.fast import STATES
from companion.games.kabooom.rules import Options

STEPS = (0, 0, 1, 2, 3, 4, 4, *(5,) * 25)  # of heights
_HEIGHTS = (1, 2, 3, 4, 5, 7)  # one of each step
POINT = 100  # what one point is worth here
_TWO = STATES // 2  # numbers of two players' towers

_TOWERS = [code * 32 + height for code in range(8) for height in _HEIGHTS]  # all that are told apart

Seen = tuple[int, int, int]  # not the mover's, dynamite, height
Kind = tuple[Seen, Seen, int]


Judge = tuple[tuple[int, ...], ...]  # [cell][other]: what two neighbours are worth to whoever is to move


def seen(cell: int, mover: int) -> Seen:
    """Return what is seen of a tower."""
    return int(cell >> 7 != mover), int(cell >> 5 & 3 == 3), STEPS[cell & 31]


def kind(cell: int, other: int, mover: int) -> Kind:
    """Return what is seen of two neighbours, in whichever order they come."""
    one, two = seen(cell, mover), seen(other, mover)
    plain = not one[1] and not two[1]
    turn = (cell >> 5 & 3) - (other >> 5 & 3)  # 1: the first beats the second, 2: it is beaten
    forth, back = (turn % 3, -turn % 3) if plain else (3, 3)
    return min((one, two, forth), (two, one, back))


@lru_cache(maxsize=1)
def places() -> dict[Kind, int]:
    """Return where the weight of each kind of pair stands."""
    return {pair: i for i, pair in enumerate(sorted({kind(a, b, 0) for a in _TOWERS for b in _TOWERS}))}


@lru_cache(maxsize=32)
def judges(options: Options) -> tuple[Judge, Judge]:
    """Return how a board is judged when player 0, and when player 1 is to move."""
    weights = learned.weights(f"{options.level} {options.dynamite}", len(places()))
    return _judge(weights, 0), _judge(weights, 1)


def _judge(weights: tuple[int, ...], mover: int) -> Judge:
    pairs, same = places(), [code * 6 + STEPS[height] for code in range(8) for height in range(32)]
    rows = []
    for cell in _TOWERS:
        few = [weights[pairs[kind(cell, other, mover)]] for other in _TOWERS]
        rows.append(tuple(few[same[other]] if other & 31 else 0 for other in range(_TWO)))
    nothing = (0,) * _TWO
    return tuple(rows[same[cell]] if cell & 31 else nothing for cell in range(_TWO))
