"""The odds of BIG BOOM! BANG, exact, from what everybody sees. Pure.

Nobody knows which of the hidden tiles is which (A-BANG12), so only their numbers matter: hidden fuses,
hidden gifts, and the one BOOM. A gift tile takes one reveal away and brings another, by whoever is named.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from companion.games.big_boom_bang.rules import Keep, Position, play


@dataclass(frozen=True, slots=True)
class Odds:
    """Chances from 0 to 1.

    `next` is that of the next tile to be the BOOM; `turn` that of a BOOM before the turn is over, whoever it
    hits; `own` that it hits the active player, if everybody who may name somebody names him.
    """

    next: float
    turn: float
    own: float


def odds(position: Position) -> Odds | None:
    """Return the odds of this turn; while dice can be thrown again, those of stopping now.

    None before the dice have been thrown, and while no tiles lie there.
    """
    if position.phase == "choose":
        after = play(position, Keep())
        position = after if after.phase == "reveal" else replace(position, queue=(), forced=None)
    elif position.phase not in ("reveal", "name"):
        return None
    kinds = [position.tiles[place - 1] for place in position.hidden]
    fuses, gifts = kinds.count("fuse"), kinds.count("gift")
    queue = tuple(player == position.active for player in position.due)
    if position.phase == "name":  # whoever names does not name himself
        queue = (not queue[0], *queue[1:])
    return Odds(1 / len(kinds), boom(fuses, gifts, len(queue)), hit(fuses, gifts, queue))


@lru_cache(maxsize=4096)
def boom(fuses: int, gifts: int, reveals: int) -> float:
    """Return the chance of BOOM among so many reveals, with so many fuses and gifts hidden beside it."""
    if not reveals:
        return 0.0
    chance = 1.0
    if fuses:
        chance += fuses * boom(fuses - 1, gifts, reveals - 1)
    if gifts:  # somebody is named and has to reveal as well
        chance += gifts * boom(fuses, gifts - 1, reveals)
    return chance / (fuses + gifts + 1)


@lru_cache(maxsize=4096)
def hit(fuses: int, gifts: int, queue: tuple[bool, ...]) -> float:
    """Return the chance that BOOM hits one player, whom all others name.

    `queue` says of each reveal that is due whether it is his.
    """
    if not queue:
        return 0.0
    own, *rest = queue
    chance = float(own)
    if fuses:
        chance += fuses * hit(fuses - 1, gifts, tuple(rest))
    if gifts:
        chance += gifts * hit(fuses, gifts - 1, (not own, *rest))
    return chance / (fuses + gifts + 1)
