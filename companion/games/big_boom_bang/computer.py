"""Who plays BIG BOOM! BANG for the computer. Pure; it knows what everybody sees.

The mouse plays as a child does: it hunts for hearts, even those it may not take, until it is afraid of the
bombs. The fox wants no BOOM for itself in this turn (see `throwing`); the dragon wants to win the game (see
`winning`). Mouse and fox name whoever has most hearts. What a thought is worth is the chance to win.
"""

from collections.abc import Iterator

from companion.games.big_boom_bang import notation
from companion.games.big_boom_bang.rules import THROWS, Keep, Move, Name, Position, Reveal
from companion.games.big_boom_bang.throwing import BOMB, HEART, SCISSORS, decision, shows, survival
from companion.games.big_boom_bang.winning import Choice, choices
from companion.games.rulebook import Rng, pick
from companion.games.thought import Pressed, Strength, Thought
from companion.language import Message, mark

STRENGTHS: tuple[Strength, ...] = ("mouse", "fox", "dragon")
AFRAID = 2  # bombs that no scissors cuts: then the mouse stops


def think(position: Position, strength: Strength, rng: Rng, pressed: Pressed) -> Iterator[Thought]:
    """Yield one thought, within some milliseconds: it is all there is to think."""
    rated = choices(position)
    if not rated:
        return
    if position.phase == "reveal":
        (only,) = rated
        place = Reveal(pick(rng, position.hidden))
        yield Thought(notation.write(place), Message(mark("One tile is like the other")), only.worth)
    elif strength == "dragon":
        yield Thought(notation.write(rated[0].move), _reason(rated), rated[0].worth)
    else:
        move, why = _named(position) if position.phase == "name" else _THROWS[strength](position)
        worth = next(each.worth for each in rated if each.move == move)
        yield Thought(notation.write(move), why, worth)


def _reason(rated: list[Choice]) -> Message:
    """What the best decision wins, beside the other that one would think of, if there is any."""
    best = rated[0]
    if len(rated) == 1 and isinstance(best.move, Name):
        return Message(mark("Nobody else has hearts"))
    if len(rated) == 1:
        return Message(mark("No die may be thrown again"))
    if isinstance(best.move, Name):
        other = rated[-1]
        text = mark("That wins {best:.1f} %, the worst choice {other:.1f} %")
    elif isinstance(best.move, Keep):
        other = rated[1]
        text = mark("Stopping wins {best:.1f} %, throwing again {other:.1f} %")
    else:
        other = next(each for each in rated if isinstance(each.move, Keep))
        text = mark("Throwing again wins {best:.1f} %, stopping {other:.1f} %")
    return Message(text, {"best": 100 * best.worth, "other": 100 * other.worth})


def _named(position: Position) -> tuple[Move, Message]:
    """Whoever has most hearts; of equals, the next to the left."""
    count, who = position.options.players, position.forced
    assert who is not None
    others = [(who + step) % count for step in range(1, count)]
    richest = max(others, key=lambda seat: position.hearts[seat])
    return Name(richest), Message(mark("Nobody has more hearts"))


def _hunting(position: Position) -> tuple[Move, Message]:
    """All but the hearts once more, until there are three, or too many bombs."""
    shown = shows(position)
    cut = min(shown[BOMB], shown[SCISSORS])
    if shown[HEART] >= 3:
        return Keep(), Message(mark("Three hearts!"))
    if shown[BOMB] - cut >= AFRAID:
        return Keep(), Message(mark("So many bombs!"))
    return decision(position, (cut, shown[SCISSORS], 0, shown[-1])), Message(mark("It wants hearts"))


def _surviving(position: Position) -> tuple[Move, Message]:
    """What brings the least danger in this turn."""
    best = survival(position).advice(shows(position), THROWS - position.throws)[0]
    why = Message(mark("{share:.1f} % without a BOOM of its own"), {"share": 100 * best.worth})
    return decision(position, best.again), why


_THROWS = {"mouse": _hunting, "fox": _surviving}
