"""Who wins: the tables against the rules themselves, move by move, and the decisions that follow."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.games.big_boom_bang.rules import (
    TILES,
    Name,
    Options,
    Position,
    Reroll,
    Reveal,
    Roll,
    legal,
    play,
)
from companion.games.big_boom_bang.solving import DOUBT, Solver, struck
from companion.games.big_boom_bang.winning import TABLES, Table, chances, choices, path_of, table
from companion.language import DamagedFileError

PLACES = {"fuse": range(1, 12), "gift": range(12, 14)}  # of TILES


def between(
    hearts: tuple[int, ...], fuses: int = 11, gifts: int = 2, scissors: Any = "reroll", active: int = 0
) -> Position:
    """A position between two turns, with so many fuses and gifts hidden."""
    options = Options(len(hearts), scissors)
    opened = (*PLACES["fuse"][fuses:], *PLACES["gift"][gifts:])
    return Position(options, "roll", hearts, active, tiles=TILES, open=opened)


def by_the_rules(start: Position) -> tuple[float, ...]:
    """What a turn is worth to each player, by every move that the rules allow; after it the table is right.

    It knows nothing of the room that it tests but the values between turns, and that equals are chosen alike.
    """
    known: dict[Any, tuple[float, ...]] = {}

    def key(position: Position) -> Any:
        opened = Counter(position.tiles[place - 1] for place in position.open)
        dice = tuple(sorted(position.dice, key=str))
        hidden = (dice, position.throws, opened["fuse"], opened["gift"])
        return position.phase, position.hearts, hidden, position.queue, position.forced, position.active

    def worth(position: Position) -> tuple[float, ...]:
        if (same := key(position)) not in known:
            known[same] = fresh(position)
        return known[same]

    def fresh(position: Position) -> tuple[float, ...]:
        if position.phase in ("shuffle", "over") or (
            position.phase == "roll" and not position.throws and position != start
        ):
            return chances(position)
        if position.phase == "roll":
            hand = position.dice.count(None)
            falls = Counter(tuple(sorted(each)) for each in product(position.options.faces, repeat=hand))
            return mean([(many, play(position, Roll(each))) for each, many in falls.items()])
        if position.phase == "reveal":
            kinds = Counter(position.tiles[place - 1] for place in position.hidden)
            first = {position.tiles[place - 1]: place for place in position.hidden}
            return mean([(many, play(position, Reveal(first[kind]))) for kind, many in kinds.items()])
        who = position.active if position.phase == "choose" else position.forced
        assert who is not None
        after = {key(each): each for each in (play(position, move) for move in legal(position))}.values()
        best = max(worth(each)[who] for each in after)
        return mean([(exp((worth(each)[who] - best) / DOUBT), each) for each in after])

    def mean(cases: list[tuple[float, Position]]) -> tuple[float, ...]:
        total = sum(many for many, _ in cases)
        worths = [(many / total, worth(after)) for many, after in cases]
        return tuple(sum(part * each[seat] for part, each in worths) for seat in range(len(start.hearts)))

    return worth(start)


@pytest.mark.parametrize(
    "start",
    [
        between((1, 1, 0)),
        between((3, 0, 2), 4, 1),
        between((0, 1, 2), 3, 2, active=2, scissors="keep"),
        between((2, 2, 2)),
        between((1, 3, 2), 5, 1, "keep"),
        between((3, 3, 3), 0, 2),
        between((2, 1, 3, 1), 6, 1),
        between((1, 2, 3, 2, 1), 2, 0),
    ],
    ids=lambda start: " ".join(map(str, start.hearts)),
)
def test_a_table_is_right_if_the_rules_lead_from_it_to_itself(start: Position) -> None:
    """BANG-R6 to R35: every throw, every choice, every tile, everybody for himself."""
    assert by_the_rules(start) == pytest.approx(chances(start), abs=DOUBT)


def dice() -> list[tuple[tuple[Any, ...], str]]:
    """All dice that can be agreed (A-BANG1), with both readings of the scissors (A-BANG2)."""
    six = {tuple(sorted(each)) for each in product(("bomb", "scissors", "heart", "gift"), repeat=6)}
    whole = sorted(each for each in six if len(set(each)) == 4)
    return list(product(whole, ("reroll", "keep")))


def test_there_is_a_table_for_all_dice_that_can_be_agreed() -> None:
    assert len(dice()) == 20
    for faces, scissors in dice():
        for values in table(faces, scissors).values:
            assert np.allclose(values.sum(axis=-1), 1, atol=1e-4)
            assert values.min() > -1e-4


@pytest.mark.parametrize("scissors", ["reroll", "keep"])
def test_the_tables_are_what_their_maker_makes(scissors: Any) -> None:
    """For two players in the game, on whom all others build: of nothing, and of what it has made already."""
    solver, made = Solver(Options(2, scissors), None), table(Options().faces, scissors).values[0]
    if scissors == "keep":
        solver.values = made
    assert np.abs(made - solver.solve()).max() < 1e-4


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    known = table(Options().faces, "reroll")
    known.save(tmp_path / "table.gz")
    assert (tmp_path / "table.gz").read_bytes() == path_of(Options().faces, "reroll").read_bytes()
    for one, other in zip(Table.load(tmp_path / "table.gz").values, known.values, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("kept", [0.0, 0.5, 0.99])
def test_a_damaged_table_is_named(kept: float, tmp_path: Path) -> None:
    path = tmp_path / "2-1-1-2-keep.gz"
    with pytest.raises(DamagedFileError, match="install the companion again"):
        Table.load(path)
    content = next(TABLES.glob("*.gz")).read_bytes()
    path.write_bytes(content[: int(kept * len(content))])
    with pytest.raises(DamagedFileError, match=path.name):
        Table.load(path)
    path.write_bytes(content[:10] + bytes(100) + content[110:])
    with pytest.raises(DamagedFileError):
        Table.load(path)


def test_a_heart_more_is_better() -> None:
    for hearts in product((1, 2), (1, 2, 3), (1, 2, 3)):
        poor, rich = (chances(between((first, *hearts[1:]))) for first in (hearts[0], hearts[0] + 1))
        assert rich[0] > poor[0]


def test_who_is_out_cannot_win_and_the_last_one_has_won() -> None:
    """BANG-R33, R34."""
    assert chances(between((2, 0, 1)))[1] == 0
    assert chances(replace(between((0, 0, 1), active=2), phase="over")) == (0, 0, 1)


def test_whom_boom_hits_begins_and_the_left_neighbour_of_one_who_is_out() -> None:
    """BANG-R27, R33: hearts from the one who begins, and which seats they are."""
    assert struck((2, 1, 3), 0) == ((1, 1, 3), [0, 1, 2])
    assert struck((2, 2, 3), 2) == ((2, 2, 2), [2, 0, 1])
    assert struck((2, 1, 3), 1) == ((3, 2), [2, 0])


@pytest.fixture
def anywhere(bang: Callable[..., Any]) -> Callable[[int], Position]:
    """A random decision, far into a game or near."""

    def make(seed: int) -> Position:
        rng = random.Random(seed)
        players = rng.choice((3, 4, 5))
        hearts = [rng.randrange(4) for _ in range(players)]
        hearts[0], hearts[-1] = max(1, hearts[0]), max(1, hearts[-1])
        game = bang(players, hearts=hearts, scissors=rng.choice(("reroll", "keep")))
        for _ in range(rng.randrange(1, 40)):
            if sum(map(bool, game.position.hearts)) == 1:
                break
            awaited = game.awaited
            if awaited.who is None:
                game(
                    game.match.book.notation.write(game.match.book.rules.outcome(game.position, awaited, rng))
                )
            else:
                game(rng.choice(game.legal))
        position: Position = game.position
        return position

    return make


def test_chances_before_a_decision_are_those_of_the_best_one(anywhere: Callable[[int], Position]) -> None:
    """And chances always add up to one."""
    decided = 0
    for seed in range(40):
        position = anywhere(seed)
        assert sum(chances(position)) == pytest.approx(1, abs=2e-4)
        found = choices(position)
        if position.phase == "choose":
            decided += 1
            assert found[0].worth == pytest.approx(chances(position)[position.active], abs=3 * DOUBT)
            for each in found:
                if isinstance(each.move, Reroll):
                    assert chances(play(position, each.move))[position.active] == pytest.approx(each.worth)
        elif position.phase == "name":
            assert position.forced is not None
            decided += 1
            assert found[0].worth == max(
                chances(play(position, move))[position.forced]
                for move in legal(position)
                if isinstance(move, Name)
            )
    assert decided > 5
