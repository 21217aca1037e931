"""Bau Boom, rule by rule."""

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from companion.config import WrongError
from companion.games.bau_boom import rules
from companion.games.bau_boom.hill import COLOURS, ROWS, colour_of, exposed, free, places, rests
from companion.games.bau_boom.rules import Barrow, Options, Position, opening

Bau = Callable[..., Any]
# Hill 1 with 10 places: row 1 red yellow green blue, row 2 yellow blue red, row 3 red green, row 4 yellow
LOW = ["1.1", "1.2", "1.3", "1.4"]
ALL = [*LOW, "2.1", "2.2", "2.3", "3.1", "3.2", "4.1"]


@pytest.fixture
def bau(begin: Bau) -> Bau:
    """Begins a game whose trail is all red, in the midst of which things can be put differently."""

    def make(players: int = 2, **more: Any) -> Any:
        changes = {"tiles": (36, 12, 12, 12), **more.pop("changes", {})}
        game = begin("bau-boom", players, changes=changes, **more)
        return game("deal" + " red" * 30)

    return make


def put(
    game: Any,
    *,
    at: dict[int, int] | None = None,
    tiles: dict[int, str] | None = None,
    trail: dict[int, str | None] | None = None,
    covered: dict[int, list[str]] | None = None,
    container: tuple[int, int, int, int] | None = None,
) -> Any:
    """Put barrows, tiles on the trail and on hills, and the container as a test needs them."""
    step = game.match._steps[-1]
    position: Position = step.position
    barrows = [
        Barrow((at or {}).get(p, barrow.at), tuple((tiles or {}).get(p, " ".join(barrow.tiles)).split()))  # type: ignore[arg-type]
        for p, barrow in enumerate(position.barrows)
    ]
    on_trail = [(trail or {}).get(space, tile) for space, tile in enumerate(position.trail)]
    laid = [
        frozenset((int(text[0]), int(text[2])) for text in (covered or {}).get(p, [])) or own
        for p, own in enumerate(position.covered)
    ]
    changed = replace(
        position,
        barrows=tuple(barrows),
        trail=tuple(on_trail),  # type: ignore[arg-type]
        covered=tuple(laid),
        container=position.container if container is None else container,
    )
    game.match._steps[-1] = replace(step, position=changed)
    return game


def barrow(game: Any, player: int = 0) -> tuple[int, list[str]]:
    state = game.state["barrows"][player]
    return state["at"], state["tiles"]


# Set-up


@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_play(bau: Bau, players: int) -> None:
    """BAU-R1"""
    assert [len(bau(count).position.barrows) for count in (2, 3, 4)] == [2, 3, 4]
    with pytest.raises(WrongError):
        bau(players)


def test_what_is_in_the_box(begin: Bau) -> None:
    """BAU-R2, A-BAU2, A-BAU3: 72 tiles, hills with 10 and with 15 places, each of its own colours"""
    assert sum(Options().tiles) == 72 and set(Options().tiles) == {18}
    assert {size: sum(rows) for size, rows in ROWS.items()} == {10: 10, 15: 15}
    state = begin("bau-boom", 4).state
    assert sum(state["container"].values()) == 72
    plans = [Counter(hill["plan"].values()) for hill in state["hills"]]
    assert all(sorted(plan.values()) == [2, 2, 3, 3] for plan in plans)
    assert len({tuple(hill["plan"].items()) for hill in state["hills"]}) == 4
    for colour in COLOURS:
        assert sum(plan[colour] for plan in plans) == 10
    large = begin("bau-boom", 4, variant="clever").state["hills"]
    assert all(sorted(Counter(hill["plan"].values()).values()) == [3, 4, 4, 4] for hill in large)


def test_the_trail(begin: Bau) -> None:
    """A-BAU1: 33 spaces with the start, ladybugs and two anteaters"""
    kinds = begin("bau-boom").state["kinds"]
    assert len(kinds) == 33 and kinds[0] == "start"
    assert [space for space, kind in enumerate(kinds) if kind == "ladybug"] == [5, 10, 15, 21, 28]
    assert [space for space, kind in enumerate(kinds) if kind == "anteater"] == [8, 24]


def test_a_tile_on_each_space_but_start_and_anteaters(begin: Bau) -> None:
    """BAU-R3, BAU-R4, BAU-R5: ladybugs get one; the others are in the container"""
    game = begin("bau-boom")
    assert game.awaited.what == "deal" and game.awaited.count == 30
    assert game.refused("deal red") == "BAU-R3" and game.refused("roll 1 2") == "BAU-R3"
    assert game.refused("deal" + " red" * 30) == "BAU-R5", "there are only 18"
    dealt = game.throw()
    assert game.refused(dealt) == "BAU-R11", "it is dealt once"
    assert [s for s, tile in enumerate(game.state["trail"]) if tile is None] == [0, 8, 24]
    assert sum(game.state["container"].values()) == 42
    assert len({begin("bau-boom", seed=str(seed)).throw() for seed in range(20)}) == 20


def test_everybody_has_a_hill_and_a_barrow_on_the_start(bau: Bau) -> None:
    """BAU-R6, BAU-R7, BAU-R8, BAU-R10: and the first seat, where the youngest sits, begins"""
    game = bau(3)
    assert [hill["size"] for hill in game.state["hills"]] == [10, 10, 10]
    assert game.state["barrows"] == [{"at": 0, "tiles": []}] * 3
    game("roll 1 1", "move 1")
    assert game.who == "p1"
    for player in ("p2", "p3", "p1"):
        game("leave")
        assert game.awaited.what == "roll"
        game("roll 3 1") if player != "p1" else game("roll 1 1")
        assert game.who == player
        game("move 4") if player == "p2" else game("move 3") if player == "p3" else game("move 1")


def test_hills_of_both_sizes(begin: Bau) -> None:
    """BAU-R9, A-BAU23: a setting for each player, with the base rules; in clever too"""
    game = begin("bau-boom", 3, hills="10,15,10")
    assert [hill["size"] for hill in game.state["hills"]] == [10, 15, 10]
    assert len(game.state["hills"][1]["plan"]) == 15
    mixed = begin("bau-boom", 2, variant="clever", hills="15,10")
    assert [hill["size"] for hill in mixed.state["hills"]] == [15, 10]
    for wrong in ("10", "10,15,10", "12,10", "ten"):
        with pytest.raises(WrongError):
            begin("bau-boom", 2, hills=wrong)


# Moving


@pytest.mark.parametrize(
    ("variant", "dice", "numbers"),
    [
        ("base", "2 5", [2, 5, 7]),
        ("base", "3 3", [3, 6]),
        ("younger", "2 5", [2, 5]),
        ("younger", "4 4", [4]),
        ("clever", "2 5", [2, 3, 5, 7]),
        ("clever", "4 4", [0, 4, 8]),
    ],
)
def test_the_numbers_to_move(bau: Bau, variant: str, dice: str, numbers: list[int]) -> None:
    """BAU-R11, BAU-R12, BAU-R41, BAU-R47"""
    game = bau(variant=variant)
    assert game.refused("move 1") == "BAU-R11"
    assert len(game.legal) == 36 and game.awaited.count == 2
    game(f"roll {dice}")
    assert sorted(int(text.split()[1]) for text in game.legal) == numbers
    for other in set(range(13)) - set(numbers):
        expected = {"base": "BAU-R12", "younger": "BAU-R41", "clever": "BAU-R47"}[variant]
        assert game.refused(f"move {other}") == expected


def test_the_companion_throws_whatever_two_dice_can_show(bau: Bau) -> None:
    """BAU-R11"""
    game, rng = bau(), random.Random(1)
    thrown = {rules.outcome(game.position, game.awaited, rng) for _ in range(500)}
    assert thrown == set(game.awaited.moves)


def test_only_the_last_space_counts(bau: Bau) -> None:
    """BAU-R13: forward; what is passed over has no effect"""
    game = put(bau(), at={0: 3, 1: 6}, tiles={0: "blue"})("roll 2 5", "move 7")
    assert barrow(game) == (10, ["blue"]) and barrow(game, 1) == (6, [])
    assert game.position.barrows[0].at == 10 and game.who == "p1"


def test_a_space_without_a_tile(bau: Bau) -> None:
    """BAU-R14"""
    game = put(bau(), trail={3: None})("roll 1 2", "move 3")
    assert game.awaited.what == "roll" and barrow(game) == (3, [])


def test_a_tile_may_be_taken_or_left(bau: Bau) -> None:
    """BAU-R15"""
    game = put(bau(), trail={3: "blue"})("roll 1 2", "move 3")
    assert game.who == "p1" and game.legal == ["leave", "take"] and game.refused("roll 1 2") == "BAU-R15"
    left = put(bau(), trail={3: "blue"})("roll 1 2", "move 3", "leave")
    assert left.state["trail"][3] == "blue" and barrow(left) == (3, [])
    game("take")
    assert game.state["trail"][3] is None and barrow(game) == (3, ["blue"])


def test_what_is_collected_is_known_to_the_position(bau: Bau) -> None:
    """BAU-R16: screens and voices must hide it; the position tells it, the first one collected first"""
    game = put(bau(), trail={3: "blue", 6: "green"})(
        "roll 1 2", "move 3", "take", "roll 6 6", "move 12", "leave"
    )
    game("roll 1 2", "move 3", "take")
    assert barrow(game) == (6, ["blue", "green"])


def test_a_ladybug_with_a_tile(bau: Bau) -> None:
    """BAU-R17, A-BAU4, A-BAU5: both must be taken, that of the container on top; it is drawn blindly"""
    game = put(bau(), trail={5: "blue"})("roll 1 4", "move 5")
    assert game.legal == ["take"] and game.refused("leave") == game.refused("roll 1 2") == "BAU-R17"
    game("take")
    assert game.who == "chance" and game.legal == ["draw blue", "draw green", "draw red", "draw yellow"]
    game("draw green")
    assert barrow(game) == (5, ["blue", "green"]) and game.awaited.what == "roll"
    assert game.state["trail"][5] is None


def test_a_ladybug_without_a_tile(bau: Bau) -> None:
    """BAU-R18"""
    game = put(bau(), trail={5: None})("roll 1 4", "move 5")
    assert game.awaited.what == "draw"
    game("draw blue")
    assert barrow(game) == (5, ["blue"])


def test_a_ladybug_with_an_empty_container(bau: Bau) -> None:
    """A-BAU6: only what is there is taken"""
    game = put(bau(), trail={5: None}, container=(0, 0, 0, 0))("roll 1 4", "move 5")
    assert game.awaited.what == "roll" and barrow(game) == (5, [])
    scarce = put(bau(), container=(0, 0, 1, 0))("roll 1 4", "move 5", "take")
    assert scarce.legal == ["draw green"] and scarce.refused("draw red") == "BAU-R5"


def test_an_anteater_takes_the_last_tile(bau: Bau) -> None:
    """BAU-R19"""
    game = put(bau(), at={0: 3}, tiles={0: "blue green"})
    before = game.state["container"]["green"]
    game("roll 1 4", "move 5")
    assert barrow(game) == (8, ["blue"]) and game.state["container"]["green"] == before + 1
    assert game.awaited.what == "roll"


def test_an_anteater_takes_nothing_from_an_empty_barrow(bau: Bau) -> None:
    """A-BAU7: and never from the hill"""
    game = put(bau(), at={0: 3}, covered={0: LOW})("roll 1 4", "move 5")
    assert barrow(game) == (8, []) and game.state["hills"][0]["covered"] == LOW


# Pushing


def test_a_barrow_is_pushed_one_space(bau: Bau) -> None:
    """BAU-R20, BAU-R21, BAU-R24, A-BAU9: who is pushed must take; then the mover may"""
    game = put(bau(), at={1: 3}, trail={3: "blue", 4: "green"})("roll 1 2", "move 3")
    assert game.who == "p2" and game.legal == ["take"] and game.refused("leave") == "BAU-R21"
    game("take")
    assert barrow(game, 1) == (4, ["green"]) and game.who == "p1"
    assert game.legal == ["leave", "take"]
    game("take")
    assert barrow(game) == (3, ["blue"])


def test_pushed_onto_a_ladybug(bau: Bau) -> None:
    """BAU-R21, A-BAU4"""
    game = put(bau(), at={1: 4}, trail={5: "green"})("roll 1 3", "move 4", "take", "draw blue")
    assert barrow(game, 1) == (5, ["green", "blue"]) and game.who == "p1"


def test_pushed_onto_an_anteater(bau: Bau) -> None:
    """BAU-R22, A-BAU8: the tile collected last"""
    game = put(bau(), at={1: 7}, tiles={1: "red blue"}, trail={7: None})("roll 3 4", "move 7")
    assert barrow(game, 1) == (8, ["red"]) and game.awaited.what == "roll"


def test_a_chain(bau: Bau) -> None:
    """BAU-R23, BAU-R27, A-BAU9: all are moved first; then the front one's space counts, the mover's last"""
    game = put(bau(4), at={1: 2, 2: 3, 3: 4}, trail={5: "blue"})("roll 1 1", "move 2")
    assert [barrow(game, player)[0] for player in range(4)] == [2, 3, 4, 5]
    assert game.who == "p4" and game.legal == ["take"]
    game("take", "draw green")
    assert barrow(game, 3) == (5, ["blue", "green"]) and game.who == "p3"
    game("take")
    assert game.who == "p2"
    game("take")
    assert game.who == "p1" and game.legal == ["leave", "take"]


def test_a_special_space_binds_the_mover_too(bau: Bau) -> None:
    """A-BAU10: who pushes somebody from a ladybug must take, from an anteater must give"""
    game = put(bau(), at={1: 5}, trail={6: None})("roll 1 4", "move 5")
    assert game.who == "p1" and game.legal == ["take"]
    eaten = put(bau(), at={0: 3, 1: 8}, tiles={0: "blue"}, trail={9: None})("roll 1 4", "move 5")
    assert barrow(eaten) == (8, [])


# The start


def test_the_start_stops_everybody(bau: Bau) -> None:
    """BAU-R25, BAU-R26, BAU-R29: what is left of the throw lapses, and it is built"""
    game = put(bau(), at={0: 30}, tiles={0: "red"})("roll 6 6", "move 12")
    assert barrow(game) == (0, ["red"]) and game.who == "p1" and game.legal == ["place red 1.1"]
    exact = put(bau(), at={0: 30})("roll 1 2", "move 3")
    assert barrow(exact) == (0, []) and exact.legal == ["done"]


def test_pushed_to_the_start(bau: Bau) -> None:
    """BAU-R26, A-BAU24, A-BAU17: it is built during the other's turn, then the trail is refilled"""
    game = put(bau(3), at={0: 30, 1: 32}, tiles={1: "red"}, trail={32: "green", 5: None, 6: None})
    game("roll 1 1", "move 2")
    assert barrow(game, 1)[0] == 0 and game.who == "p2"
    assert game.refused("take") == "BAU-R32"
    # hill 2 begins with yellow, green, blue, red
    game("place red 1.4", "done")
    assert game.awaited.what == "refill" and game.awaited.count == 2
    game("refill blue blue")
    assert game.who == "p1" and game.legal == ["leave", "take"], "then the mover's own space"
    game("leave")
    assert game.awaited.what == "roll" and game.position.turn == 1, "the order of turns is unchanged"


def test_many_stand_on_the_start_and_nobody_is_pushed_there(bau: Bau) -> None:
    """BAU-R27"""
    game = put(bau(), at={0: 31, 1: 0})("roll 1 1", "move 2")
    assert barrow(game)[0] == 0 and barrow(game, 1)[0] == 0 and game.who == "p1"


# Building


def test_a_tile_lies_on_a_place_of_its_colour(bau: Bau) -> None:
    """BAU-R29, BAU-R31, BAU-R35: one tile a place, in any order"""
    game = put(bau(), at={0: 31}, tiles={0: "blue yellow blue"}, covered={0: ["1.1"]})("roll 1 1", "move 2")
    assert game.legal == ["place blue 1.4", "place yellow 1.2"]
    assert game.refused("place green 1.3") == "BAU-R29", "no green tile was brought"
    assert game.refused("place blue 1.2") == game.refused("place yellow 1.1") == "BAU-R31"
    assert game.refused("place blue 5.1") == "BAU-R2"
    assert game.refused("place blue 2.2") == "BAU-R30"
    game("place yellow 1.2", "place blue 1.4")
    assert game.refused("place blue 1.4") == "BAU-R31"
    assert game.legal == ["done"]


def orders(size: int) -> Iterator[frozenset[tuple[int, int]]]:
    """Every filling of a hill that can come about."""
    plan = opening(Options(hills=(size, size))).options.plan(0)  # type: ignore[arg-type]
    seen, todo = set[frozenset[tuple[int, int]]](), [frozenset[tuple[int, int]]()]
    while todo:
        covered = todo.pop()
        if covered in seen:
            continue
        seen.add(covered)
        yield covered
        todo += [covered | {place} for c in COLOURS for place in free(plan, covered, c)]


@pytest.mark.parametrize(("size", "count"), [(10, 42), (15, 132)])
def test_the_bottom_row_first(size: int, count: int) -> None:
    """BAU-R30: 42 fillings of the small hill, 132 of the large one; every tile rests on two"""
    found = list(orders(size))
    assert len(found) == count
    assert all(rests(place, covered) for covered in found for place in covered)
    named = [place for place, _ in places(Options().plans10[0] if size == 10 else Options().plans15[0])]
    ideals = sum(
        all(rests(place, chosen) for place in chosen)
        for chosen in map(
            set, itertools.chain.from_iterable(itertools.combinations(named, n) for n in range(size + 1))
        )
    )
    assert ideals == count


def test_all_that_fits_must_be_placed(bau: Bau) -> None:
    """BAU-R32, A-BAU11: but which place, and in which order, is free"""
    game = put(bau(), at={0: 31}, tiles={0: "red yellow"}, covered={0: ["1.2"]})
    game("roll 1 1", "move 2")
    assert game.refused("done") == "BAU-R32" and game.legal == ["place red 1.1"]
    game("place red 1.1")
    assert game.legal == ["place yellow 2.1"], "the red tile has made room for the yellow one"
    two = put(bau(), at={0: 31}, tiles={0: "red"}, covered={0: [*LOW[1:], "2.2"]})("roll 1 1", "move 2")
    assert two.legal == ["place red 1.1", "place red 2.3"]


def test_left_overs_cost_a_tile(bau: Bau) -> None:
    """BAU-R33, BAU-R34, A-BAU12, A-BAU13, A-BAU14, A-BAU15: one tile, of the owner's choice, exposed"""
    game = put(bau(), at={0: 31}, tiles={0: "blue blue"}, covered={0: ["1.1", "1.2", "2.1"]})
    before = game.state["container"]
    game("roll 1 1", "move 2", "place blue 1.4", "done")
    assert game.state["container"]["blue"] == before["blue"] + 1 and barrow(game) == (0, [])
    assert game.legal == ["remove 1.4", "remove 2.1"], "also what was placed just now"
    assert game.refused("remove 1.1") == "A-BAU13" and game.refused("remove 2.2") == "BAU-R34"
    assert game.refused("done") == "BAU-R34"
    game("remove 1.4")
    assert game.state["container"]["blue"] == before["blue"] + 2
    assert game.awaited.what in ("roll", "refill"), "building is over"


def test_a_tile_for_each_left_over(bau: Bau) -> None:
    """A-BAU12 (penalty_per_tile): as long as there are any on the hill"""
    game = put(bau(changes={"penalty_per_tile": True}), at={0: 31}, tiles={0: "blue blue blue blue"})
    game = put(game, covered={0: ["1.1", "1.2"]})("roll 1 1", "move 2", "place blue 1.4", "done")
    game("remove 1.1", "remove 1.2", "remove 1.4")
    assert game.state["hills"][0]["covered"] == [] and game.awaited.what in ("roll", "refill")


def test_any_tile_may_be_paid(bau: Bau) -> None:
    """A-BAU13 (penalty_tile)"""
    game = put(bau(changes={"penalty_tile": "any"}), at={0: 31}, tiles={0: "green"}, covered={0: ALL[:5]})
    game("roll 1 1", "move 2", "done")
    assert game.legal == [f"remove {place}" for place in ALL[:5]]


def test_an_empty_hill_pays_nothing(bau: Bau) -> None:
    """A-BAU14"""
    game = put(bau(), at={0: 31}, tiles={0: "red red"}, covered={0: []})(
        "roll 1 1", "move 2", "place red 1.1"
    )
    assert game("done").legal == ["remove 1.1"]
    none = put(bau(changes={"plans10": (tuple(("red",) * n for n in (4, 3, 2, 1)),) * 4}), at={0: 31})
    none = put(none, tiles={0: "blue"})("roll 1 1", "move 2", "done")
    assert none.awaited.what in ("roll", "refill")


def test_exposed_tiles() -> None:
    """A-BAU13: of a whole hill only the top"""
    whole = {place for place, _ in places(Options().plans10[0])}
    assert exposed(whole) == [(4, 1)]
    assert exposed({(1, 1), (1, 2), (2, 1), (1, 4)}) == [(1, 4), (2, 1)]


# Refilling


def test_the_trail_is_refilled_at_each_arrival(bau: Bau) -> None:
    """BAU-R36, BAU-R37, A-BAU16, A-BAU17: in trail order, not under barrows, nor anteaters or the start"""
    game = put(bau(), at={0: 31, 1: 4}, trail=dict.fromkeys((2, 4, 8, 24, 20), None))(
        "roll 1 1", "move 2", "done"
    )
    assert game.awaited.what == "refill" and game.awaited.count == 2
    assert game.refused("refill blue") == "BAU-R36" and game.refused("take") == "BAU-R36"
    game("refill blue green")
    trail = game.state["trail"]
    assert (trail[2], trail[20]) == ("blue", "green") and trail[4] is trail[8] is trail[0] is None


def test_left_overs_and_penalty_come_before_the_refill(bau: Bau) -> None:
    """A-BAU16: and may come out of the container at once"""
    game = put(
        bau(), at={0: 31}, tiles={0: "blue blue"}, trail={2: None, 3: None, 4: None}, container=(0, 0, 0, 0)
    )
    game("roll 1 1", "move 2", "place blue 1.4", "done", "remove 1.4")
    assert game.awaited.what == "refill" and game.awaited.count == 2
    game("refill blue blue")
    assert game.state["trail"][2:5] == ["blue", "blue", None], "stop when the container is empty"


def test_an_empty_container_refills_nothing(bau: Bau) -> None:
    """BAU-R38"""
    game = put(bau(), at={0: 31}, trail={2: None}, container=(0, 0, 0, 0))("roll 1 1", "move 2", "done")
    assert game.awaited.what == "roll" and game.state["trail"][2] is None


# The end


def test_the_last_place_wins_at_once(bau: Bau) -> None:
    """BAU-R39, BAU-R40, A-BAU17: also with left-overs; nothing is refilled or paid any more"""
    game = put(bau(), at={0: 31}, tiles={0: "blue yellow"}, covered={0: ALL[:-1]}, trail={2: None})
    game("roll 1 1", "move 2", "place yellow 4.1")
    assert game.position.over and game.position.winners == (0,) and game.position.scores == (10, 0)
    assert game.match.awaits == () and game.refused("done") is None


def test_a_win_in_a_chain_ends_everything(bau: Bau) -> None:
    """A-BAU9"""
    game = put(bau(3), at={0: 30, 1: 32}, tiles={1: "green"}, covered={1: ALL[:-1]})("roll 1 1", "move 2")
    game("place green 4.1")
    assert game.position.over and game.position.winners == (1,)


# Younger


def test_a_tile_is_built_at_once_or_left(bau: Bau) -> None:
    """BAU-R42, BAU-R43, BAU-R44, A-BAU20"""
    game = put(bau(variant="younger"), covered={0: ["1.2"]})("roll 3 1", "move 3")
    assert game.legal == ["leave", "place red 1.1"]
    assert game.refused("take") == "BAU-R42" and game.refused("place red 2.3") == "BAU-R30"
    game("place red 1.1")
    assert game.state["trail"][3] is None and game.state["hills"][0]["covered"] == ["1.1", "1.2"]
    unfit = put(bau(variant="younger"), trail={3: "green"}, covered={0: LOW})("roll 3 1", "move 3")
    assert unfit.legal == ["leave"]
    assert unfit("leave").state["trail"][3] == "green"


def test_tiles_wait_for_the_start_in_the_other_variants(bau: Bau) -> None:
    """BAU-R42"""
    assert bau()("roll 3 1", "move 3").refused("place red 1.1") == "BAU-R29"


def test_the_space_that_was_left_is_refilled(bau: Bau) -> None:
    """BAU-R45, A-BAU22: if it is empty and no special space, right after the move and before any effect"""
    game = put(bau(variant="younger"), at={0: 3, 1: 6}, trail={3: None})("roll 3 1", "move 3")
    assert game.awaited.what == "refill" and game.awaited.count == 1
    assert game.position.barrows[1].at == 7 and game.refused("take") == "BAU-R45"
    game("refill green")
    assert game.state["trail"][3] == "green" and game.who == "p2"
    lying = put(bau(variant="younger"), at={0: 3})("roll 3 1", "move 3")
    assert lying.who == "p1", "a tile still lies there"
    for space in (0, 8, 24):
        special = put(bau(variant="younger"), at={0: space})("roll 3 1", "move 3")
        assert special.who == "p1"
    empty = put(bau(variant="younger"), at={0: 3}, trail={3: None}, container=(0, 0, 0, 0))(
        "roll 3 1", "move 3"
    )
    assert empty.who == "p1"


def test_who_is_pushed_leaves_nothing_to_refill(bau: Bau) -> None:
    """A-BAU22: the pusher stands there now"""
    game = put(bau(variant="younger"), at={0: 1, 1: 4}, trail={1: None, 4: None})("roll 3 1", "move 3")
    game("refill blue")
    assert game.state["trail"][1] == "blue" and game.state["trail"][4] is None


def test_a_forced_tile_goes_onto_the_hill_or_into_the_barrow(bau: Bau) -> None:
    """A-BAU20, BAU-R43: from a ladybug or a push; what fits nowhere goes into the barrow by itself"""
    game = bau(variant="younger")("roll 5 1", "move 5")
    assert game.legal == ["place red 1.1", "take"] and game.refused("leave") == "BAU-R17"
    game("place red 1.1", "draw blue")
    assert game.legal == ["place blue 1.4", "take"] and barrow(game) == (5, ["blue"])
    game("place blue 1.4")
    assert barrow(game) == (5, []) and game.awaited.what == "roll"
    both = put(bau(variant="younger"), covered={0: ["1.1"]})("roll 5 1", "move 5")
    assert both.awaited.what == "draw" and barrow(both) == (5, ["red"])
    both("draw red")
    assert both.awaited.what == "roll" and barrow(both) == (5, ["red", "red"])
    kept = bau(variant="younger")("roll 5 1", "move 5", "take", "draw blue", "take")
    assert barrow(kept) == (5, ["red", "blue"])


def test_a_forced_tile_goes_back(bau: Bau) -> None:
    """A-BAU20 (young_forced)"""
    game = put(bau(variant="younger", changes={"young_forced": "return"}), covered={0: ["1.1"]})
    reds = game.state["container"]["red"]
    game("roll 5 1", "move 5", "draw red")
    assert barrow(game) == (5, []) and game.state["container"]["red"] == reds + 1
    kept = bau(variant="younger", changes={"young_forced": "return"})(
        "roll 5 1", "move 5", "take", "draw blue", "take"
    )
    put(kept, covered={0: ["1.1"]})("roll 1 1", "move 1", "leave")
    kept("roll 5 1", "move 5", "refill red", "draw red")
    assert barrow(kept) == (10, ["red", "blue"]), "what lies in the barrow stays there"


def test_the_young_build_at_the_start_as_well(bau: Bau) -> None:
    """A-BAU20: and anteaters act on the barrow"""
    game = put(bau(variant="younger"), at={0: 31}, tiles={0: "red"})("roll 2 6", "move 2")
    assert game.legal == ["place red 1.1"]
    eaten = put(bau(variant="younger"), at={0: 6}, tiles={0: "red"}, trail={6: "red"})("roll 2 6", "move 2")
    assert barrow(eaten) == (8, [])


def test_the_young_can_win_on_the_trail(bau: Bau) -> None:
    """A-BAU21"""
    game = put(bau(variant="younger"), trail={3: "yellow"}, covered={0: ALL[:-1]})
    game("roll 3 1", "move 3", "place yellow 4.1")
    assert game.position.over and game.position.winners == (0,)
    drawn = put(bau(variant="younger"), trail={5: None}, covered={0: ALL[:-1]})
    drawn("roll 5 1", "move 5", "draw yellow", "place yellow 4.1")
    assert drawn.position.over


# Clever


def test_clever_hills(bau: Bau) -> None:
    """BAU-R46"""
    assert [hill["size"] for hill in bau(variant="clever").state["hills"]] == [15, 15]


def test_standing_still(bau: Bau) -> None:
    """BAU-R47, A-BAU18: is no landing: no tile, no ladybug, no building; or it is (zero_triggers)"""
    game = put(bau(variant="clever"), at={0: 5})("roll 4 4", "move 0")
    assert game.awaited.what == "roll" and game.position.turn == 1
    again = put(bau(variant="clever", changes={"zero_triggers": True}), at={0: 5})("roll 4 4", "move 0")
    assert again.legal == ["take"]
    start = bau(variant="clever", changes={"zero_triggers": True})("roll 4 4", "move 0")
    assert start.legal == ["done"]
    assert bau(variant="clever")("roll 4 4", "move 0").awaited.what == "roll"


def test_a_push_goes_as_far_as_the_move(bau: Bau) -> None:
    """BAU-R48, A-BAU19: each pushed barrow pushes by the same number, at most to the start"""
    game = put(bau(3, variant="clever"), at={1: 5, 2: 10}, trail=dict.fromkeys((5, 10, 15), None))
    game("roll 2 3", "move 5")
    assert [barrow(game, player)[0] for player in range(3)] == [5, 10, 15]
    assert game.who == "chance" and game.position.due.player == 2
    capped = put(bau(variant="clever"), at={0: 25, 1: 30}, trail={30: None})("roll 2 3", "move 5")
    assert barrow(capped, 1)[0] == 0 and capped.who == "p2"
    start = put(bau(variant="clever"), at={0: 25, 1: 0})("roll 5 3", "move 8")
    assert barrow(start)[0] == 0 and start.who == "p1"


def test_clever_winners_have_no_left_overs(bau: Bau) -> None:
    """BAU-R49, BAU-R50"""
    almost = [f"{row}.{i}" for row, n in enumerate((5, 4, 3, 2), 1) for i in range(1, n + 1)]
    game = put(bau(variant="clever"), at={0: 31}, tiles={0: "green red"}, covered={0: almost})
    game("roll 1 1", "move 2", "place green 5.1")
    assert not game.position.over and game.legal == ["done"]
    game("done")
    assert game.legal == ["remove 5.1"]
    game("remove 5.1")
    assert not game.position.over and game.position.scores == (14, 0)
    clean = put(bau(variant="clever"), at={0: 31}, tiles={0: "green"}, covered={0: almost})
    clean("roll 1 1", "move 2", "place green 5.1")
    assert clean.position.over and clean.position.winners == (0,)


# What is always true


def sensible(game: Any, choose: random.Random) -> None:
    """Make one move as a player would who wants his hill built."""
    awaited = game.awaited
    if awaited.who is None:
        game.throw()
        return
    texts = game.legal
    if texts == ["leave", "take"]:
        own, due = game.position, game.position.due
        cart = own.barrows[due.player]
        plan, covered = own.options.plan(due.player), own.covered[due.player]
        open_places = sum(c == own.trail[cart.at] and p not in covered for p, c in places(plan))
        texts = ["take" if open_places > cart.tiles.count(own.trail[cart.at]) else "leave"]
    build = [text for text in texts if text.startswith("place")]
    game(choose.choice(build or texts))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("variant", ["base", "younger", "clever"])
def test_tiles_are_kept_and_games_end(begin: Bau, players: int, variant: str) -> None:
    """BAU-R27, BAU-R28, BAU-R30, BAU-R31, BAU-R39, BAU-R49"""
    for seed in range(4):
        game, choose = begin("bau-boom", players, str(seed), variant=variant), random.Random(seed)
        while not game.position.over:
            sensible(game, choose)
            position = game.position
            standing = [cart.at for cart in position.barrows if cart.at]
            assert len(standing) == len(set(standing))
            count = Counter(tile for tile in position.trail if tile)
            count += Counter(tile for cart in position.barrows for tile in cart.tiles)
            for player, covered in enumerate(position.covered):
                count += Counter(colour_of(position.options.plan(player), place) for place in covered)
                assert all(rests(place, covered) for place in covered)
            count += Counter(dict(zip(COLOURS, position.container, strict=True)))
            assert count == dict.fromkeys(COLOURS, 18)
            assert len(game.match.moves) < 5000
        (winner,) = game.position.winners
        assert game.position.scores[winner] == (15 if variant == "clever" else 10)
        assert variant != "clever" or game.position.barrows[winner].tiles == ()


@pytest.mark.parametrize("variant", ["base", "younger", "clever"])
def test_no_decision_is_ever_missing(begin: Bau, variant: str) -> None:
    """A-BAU11: random players are always offered something, whatever they do"""
    for seed in range(3):
        game = begin("bau-boom", 4, str(seed), variant=variant)
        choose = random.Random(seed)
        for _ in range(400):
            if game.position.over:
                break
            awaited = game.awaited
            assert awaited.moves is None or awaited.moves
            game.at_random(choose, 1)


def test_rules_know_what_is_asked() -> None:
    """BAU-R12"""
    assert rules.numbers(replace(opening(Options()), dice=(2, 5))) == [2, 5, 7]
