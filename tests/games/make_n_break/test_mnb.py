"""Make 'n' Break, rule by rule, but for building (test_building.py) and the deck (test_deck.py)."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from companion.config import Settings, WrongError
from companion.games.make_n_break.rules import Options, opening
from companion.games.rulebook import NotationError

Mnb = Callable[..., Any]
BASIC = [f"y{number:02}" for number in range(1, 16)] + [f"b{number:02}" for number in range(16, 31)]
PILE = "shuffle " + " ".join(BASIC)


@pytest.fixture
def mnb(begin: Mnb) -> Mnb:
    """Begins a game of Make 'n' Break."""

    def make(players: int = 2, **more: Any) -> Any:
        return begin("make-n-break", players, **more)

    return make


def who(game: Any) -> list[str]:
    return ["chance" if each.who is None else f"p{each.who + 1}" for each in game.match.awaits]


def stopp(game: Any) -> Any:
    """Let the stopper die show 3 until the round is over."""
    while game.position.phase == "run":
        game("stopper 3")
    return game


@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_play(mnb: Mnb, players: int) -> None:
    """MNB-R1"""
    assert [len(mnb(count).position.scores) for count in (2, 3, 4)] == [2, 3, 4]
    with pytest.raises(WrongError):
        mnb(players)


def test_the_stopper_die(mnb: Mnb) -> None:
    """MNB-R2, MNB-R10: 1, 2, 3 and blanks, which count nothing"""
    game = mnb()(PILE, "go", "stopper 0", "stopper 1", "stopper 2", "stopper 3", "stopper 0")
    assert game.state["throws"] == [0, 1, 2, 3, 0] and game.state["total"] == 6
    assert game.match.texts(game.match.awaits[0]) == ["stopper 0", "stopper 1", "stopper 2", "stopper 3"]
    assert game.senseless("stopper 4") and game.senseless("stopper")


def test_the_first_seat_builds_its_right_neighbour_stops(mnb: Mnb) -> None:
    """MNB-R3, MNB-R4: p1 is where the oldest sits; clockwise p2 is to the left, the last one to the right"""
    assert mnb(4).state["builder"] == "p1" and mnb(4).state["stopper"] == "p4"
    game = mnb(3)(PILE)
    assert who(game) == ["p3"] and game.legal == ["go"]


@pytest.mark.parametrize(
    ("level", "sides", "rule"),
    [
        ("intro", "y" * 30, "MNB-R5"),
        ("basic", "y" * 15 + "b" * 15, "MNB-R6"),
        ("advanced", "b" * 30, "MNB-R7"),
    ],
)
def test_the_sides_of_a_level(mnb: Mnb, level: str, sides: str, rule: str) -> None:
    """MNB-R5, MNB-R6, MNB-R7, MNB-R9: the pile tells the sides that are played, those that lay underneath"""
    tasks = [f"{side}{number:02}" for number, side in enumerate(sides, 1)]
    assert mnb(level=level)("shuffle " + " ".join(tasks)).state["pile"] == tasks
    tasks[14] = ("b" if tasks[14][0] == "y" else "y") + tasks[14][1:]
    assert mnb(level=level).refused("shuffle " + " ".join(tasks)) == rule
    dealt = mnb(level=level).throw().split()[1:]
    assert sorted(task[0] for task in dealt) == sorted(sides)


@pytest.mark.parametrize("level", ["intro", "basic", "advanced"])
def test_all_else_is_the_same_at_every_level(mnb: Mnb, level: str) -> None:
    """MNB-R8"""
    game = mnb(level=level)
    game.throw()
    game("go", "built", "built")
    stopp(game)
    assert game.position.scores[0] > 0 and game.position.scores[1] == 0


@pytest.mark.parametrize("tasks", [BASIC[:-1], [*BASIC[:-1], "b29"], [*BASIC, "b30"]])
def test_the_pile_has_each_card_once(mnb: Mnb, tasks: list[str]) -> None:
    """MNB-R2"""
    assert mnb().refused("shuffle " + " ".join(tasks)) == "MNB-R2"


@pytest.mark.parametrize("line", ["shuffle y31", "shuffle y00", "shuffle y1", "shuffle", "built 6", "go go"])
def test_what_is_no_move(mnb: Mnb, line: str) -> None:
    """MNB-R2"""
    assert mnb().senseless(line)


def test_a_round_runs_until_thirty(mnb: Mnb) -> None:
    """MNB-R10, MNB-R18: 28 + 3 stops, 29 + 0 goes on, 30 stops"""
    for throws, stopped in (([1, *[3] * 9, 3], True), ([2, *[3] * 9, 0], False), ([0, *[3] * 9, 3], True)):
        game = mnb()(PILE, "go", *(f"stopper {value}" for value in throws[:-1]))
        assert game.position.phase == "run"
        game(f"stopper {throws[-1]}")
        assert (game.position.phase == "shuffle") is stopped


def test_before_los_nothing_runs(mnb: Mnb) -> None:
    """MNB-R10, MNB-R12: the card on top is turned when the round runs"""
    game = mnb()
    assert game.refused("go") == game.refused("stopper 1") == "MNB-R10"
    game(PILE)
    assert game.refused("stopper 1") == "MNB-R10" and game.refused("built") == "MNB-R18"
    assert game.state["task"] is None and game.refused(PILE) == "MNB-R20"
    game("go")
    assert game.state["task"] == "y01" and game.refused("go") == "MNB-R10" and game.refused(PILE) == "MNB-R20"


def test_the_running_total_is_told(mnb: Mnb) -> None:
    """MNB-R11: 2, 5, 6, 6, 8"""
    game = mnb()(PILE, "go")
    assert [game(f"stopper {value}").state["total"] for value in (2, 3, 1, 0, 2)] == [2, 5, 6, 6, 8]


def test_stopper_and_builder_play_side_by_side(mnb: Mnb) -> None:
    """MNB-R12, MNB-R17, MNB-R18, A-MNB14: card after card, at any moment; `built` is broken down too"""
    game = mnb(3)(PILE, "go")
    assert who(game) == ["chance", "p1"]
    assert game("built", "stopper 2", "built").state["done"] == ["y01", "y02"]
    assert game.state["task"] == "y03" and game.state["pile"][0] == "y03" and len(game.state["pile"]) == 28


def test_points_come_after_stopp(mnb: Mnb) -> None:
    """MNB-R17, MNB-R19, A-MNB9: those of what is complete; the card on top counts nothing"""
    game = mnb()(PILE, "go", "built", "built")
    assert game.position.scores == (0, 0)
    worth = {task.name: task.points for task in game.position.options.deck}
    stopp(game)
    assert game.position.scores == (worth["y01"] + worth["y02"], 0)
    assert game.refused("built") == "MNB-R18"


def test_the_left_neighbour_builds_next(mnb: Mnb) -> None:
    """MNB-R20: the cards are shuffled, and the old builder is the stopper"""
    game = mnb(4)
    for builder, stopper in (("p1", "p4"), ("p2", "p1"), ("p3", "p2"), ("p4", "p3"), ("p1", "p4")):
        assert game.awaited.what == "shuffle"
        assert (game.state["builder"], game.state["stopper"]) == (builder, stopper)
        stopp(game(PILE, "go"))


def test_every_card_keeps_its_side(mnb: Mnb) -> None:
    """A-MNB10: the unfinished card goes back too"""
    game = stopp(mnb()(PILE, "go", "built"))
    other = [*BASIC[:14], "b15", "y16", *BASIC[16:]]
    assert game.refused("shuffle " + " ".join(other)) == "A-MNB10"
    game("shuffle " + " ".join(reversed(BASIC)))
    assert game.state["pile"] == BASIC[::-1] and game.state["done"] == []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_builds_three_times(mnb: Mnb, players: int) -> None:
    """MNB-R21"""
    game = mnb(players)
    for number in range(1, 3 * players + 1):
        assert game.state["round"] == number and not game.position.over
        stopp(game(PILE, "go"))
    assert game.position.over and game.match.awaits == ()
    assert game.refused(PILE) is None


def test_most_points_win(mnb: Mnb) -> None:
    """MNB-R22, A-MNB12: equal points win together"""
    game = mnb()
    for number in range(6):
        assert game.position.winners == (), "whoever leads has not won yet"
        stopp(game(PILE, "go", *["built"] * (number == 3)))
    assert game.position.winners == (1,)
    tie = mnb(3)
    for _ in range(9):
        stopp(tie(PILE, "go"))
    assert tie.position.winners == (0, 1, 2)


def test_of_two_each_is_the_others_neighbour(mnb: Mnb) -> None:
    """A-MNB12"""
    assert mnb().state["builder"] == "p1" and mnb().state["stopper"] == "p2"


def test_an_empty_pile_is_shuffled_within_the_round(mnb: Mnb) -> None:
    """A-MNB11: the stopper goes on meanwhile, what is fulfilled stays fulfilled"""
    game = mnb()(PILE, "go", *["built"] * 30)
    assert who(game) == ["chance", "chance"]
    assert [each.what for each in game.match.awaits] == ["stopper", "shuffle"]
    assert game.match.awaits[1].count == 30 and game.state["task"] is None
    assert game.refused("built") == "A-MNB11"
    game("stopper 3", "shuffle " + " ".join(reversed(BASIC)), "built")
    assert len(game.state["done"]) == 31 and game.state["task"] == "b29" and game.state["total"] == 3
    worth = {task.name: task.points for task in game.position.options.deck}
    stopp(game)
    assert game.position.scores[0] == sum(worth[task] for task in BASIC) + worth["b30"]


def test_no_card_is_skipped_unless_that_was_agreed(mnb: Mnb) -> None:
    """A-MNB8"""
    with pytest.raises(NotationError):
        mnb()(PILE, "go").match.play("skip")
    game = mnb(changes={"skip": True})(PILE, "go", "skip")
    assert game.state["pile"] == [*BASIC[1:], "y01"] and game.match.texts(game.match.awaits[1]) == [
        "built",
        "skip",
    ]


def test_the_stopper_has_a_pace_of_its_own(mnb: Mnb) -> None:
    """A-MNB13: 1.2 seconds; within the rules it may come at any moment of the round"""
    assert Settings().stopper_interval_s == 1.2
    game = mnb()(PILE, "go")
    assert game.match.awaits[0].paced
    assert game.match.throw_paced("stopper") in {"stopper 0", "stopper 1", "stopper 2", "stopper 3"}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("level", ["intro", "basic", "advanced"])
def test_what_is_always_true(mnb: Mnb, players: int, level: str) -> None:
    """MNB-R9, MNB-R19, MNB-R20, A-MNB10: cards are kept, the stopper sits at the builder's right"""
    game = mnb(players, level=level).at_random(random.Random(players))
    sides = set(game.match.moves[0].split()[1:])
    for before, now in zip(game.match.positions, game.match.positions[1:], strict=False):
        assert (now.thrower + 1) % players == now.builder
        if now.phase in ("go", "run"):
            assert set(now.pile) | set(now.done) == sides and len(now.pile) + len(now.done) % 30 in (30, 0)
        if now.round > before.round or now.over:
            total = before.stopper.total
            assert 27 <= total <= 29 and sum(now.scores) >= sum(before.scores)
        else:
            assert now.scores == before.scores
    assert game.position.round == 3 * players


def test_the_opening() -> None:
    """MNB-R3"""
    assert opening(Options()).scores == (0, 0) and not opening(Options()).over


# One's own cards (A-MNB1)


def test_with_ones_own_cards_nothing_is_dealt_and_the_builder_says_the_points(mnb: Mnb) -> None:
    """A-MNB1, MNB-R17, R19."""
    game = mnb(cards="own")
    assert game.awaited.what == "call Los!"
    builder = game("go").match.awaits[1]
    assert game.match.texts(builder) == [f"built {points}" for points in range(1, 6)]
    game("built 3", "built 1")
    assert game.state["done"] == ["3", "1"] and game.state["task"] is None
    assert game.refused("built") == "MNB-R19"
    game(*["stopper 3"] * 10)
    assert game.position.scores == (4, 0) and game.position.round == 2
    assert game.awaited.what == "call Los!"


def test_ones_own_cards_are_built_only_while_the_round_runs(mnb: Mnb) -> None:
    """MNB-R18."""
    game = mnb(cards="own")
    assert game.refused("built 3") == "MNB-R18"
    game("go", *["stopper 3"] * 10)
    assert game.refused("built 3") == "MNB-R18"


def test_points_are_said_only_of_ones_own_cards(mnb: Mnb) -> None:
    """A-MNB1."""
    game = mnb()
    with pytest.raises(NotationError):
        game("built 3")


def test_ones_own_cards_are_shuffled_by_people(mnb: Mnb) -> None:
    """MNB-R20."""
    tasks = " ".join(f"y{number:02}" for number in range(1, 31))
    assert mnb(cards="own").refused(f"shuffle {tasks}") == "MNB-R20"
