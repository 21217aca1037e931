"""What to throw again: against the rules, against the known values, and against games that are played."""

from functools import cache
from itertools import combinations_with_replacement

import pytest

from companion.games.big_boom_bang.reveals import boom, hit
from companion.games.big_boom_bang.rules import DICE, FACES, TILES, Options, Position, Reroll, legal
from companion.games.big_boom_bang.throwing import Shown, Turn, sets, shows, survival, throws

FRESH = Position(Options(3), "choose", (2, 2, 2), tiles=TILES, throws=1)


@pytest.mark.parametrize("scissors", ["reroll", "keep"])
@pytest.mark.parametrize("dice", list(combinations_with_replacement(FACES, DICE)))
def test_the_sets_are_those_of_the_rules(dice: tuple[str, ...], scissors: str) -> None:
    """BANG-R9 to R13, A-BANG2."""
    position = Position(Options(3, scissors), "choose", (2, 2, 2), dice=dice, tiles=TILES, throws=1)  # type: ignore[arg-type]
    rerolls = [move.dice for move in legal(position) if isinstance(move, Reroll)]
    expected = {tuple([dice[i - 1] for i in again].count(face) for face in FACES) for again in rerolls}
    assert set(sets(shows(position), scissors)) == {(0, 0, 0, 0), *expected}


def test_what_is_thrown_adds_up() -> None:
    for count in range(DICE + 1):
        assert sum(throws(Options().faces, count).values()) == pytest.approx(1)


def test_the_known_values_of_a_fresh_turn() -> None:
    turn = survival(FRESH)
    first = throws(Options().faces, DICE)
    stopping = sum(chance * (1 - turn.worth(shown, 0)[0]) for shown, chance in first.items())
    assert stopping == pytest.approx(0.139, abs=0.0005)
    assert 1 - turn.before()[0] == pytest.approx(0.1268, abs=0.00005)
    anybody = sum(chance * _hits(turn, shown, 2) for shown, chance in first.items())
    assert anybody - (1 - turn.before()[0]) == pytest.approx(0.1710, abs=0.00005)
    assert 1 - anybody == pytest.approx(0.7022, abs=0.00005)


def _hits(turn: Turn, shown: Shown, left: int) -> float:
    """The chance of a BOOM, whomever it hits, if the best is thrown again."""
    bombs, _, _, gifts = shown
    again = turn.advice(shown, left)[0].again if left else (0, 0, 0, 0)
    if not sum(again):
        return boom(11, 2, bombs + gifts)
    stay = [a - b for a, b in zip(shown, again, strict=True)]
    return sum(
        chance * _hits(turn, tuple(a + b for a, b in zip(stay, new, strict=True)), left - 1)
        for new, chance in throws(Options().faces, sum(again)).items()
    )


def test_the_best_choice_is_the_best_of_all() -> None:
    """Against the same turn written down as plainly as can be."""

    @cache
    def best(shown: Shown, left: int) -> float:
        bombs, _, _, gifts = shown
        stay_so = 1 - hit(11, 2, (True,) * bombs + (False,) * gifts)
        if not left:
            return stay_so
        found = [stay_so]
        for again in sets(shown, "reroll"):
            total = 0.0
            for new, chance in throws(Options().faces, sum(again)).items():
                total += chance * best(
                    tuple(s - a + n for s, a, n in zip(shown, again, new, strict=True)), left - 1
                )
            found.append(total)
        return max(found)

    turn = survival(FRESH)
    for shown in throws(Options().faces, DICE):
        assert turn.worth(shown, 2)[0] == pytest.approx(best(shown, 2))
        assert turn.advice(shown, 2)[0].worth == pytest.approx(best(shown, 2))


def test_bombs_are_thrown_again_with_the_scissors() -> None:
    assert survival(FRESH).advice((2, 2, 1, 0), 1)[0].again[:2] == (2, 2)
