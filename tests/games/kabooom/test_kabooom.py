"""Kabooom!, rule by rule."""

import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest

from companion.config import WrongError
from companion.games.book import books
from companion.games.kabooom import rules
from companion.games.kabooom.rules import Options, Position, Tower, awaits, legal, opening, play, squares
from companion.games.rulebook import IllegalMove

Kab = Callable[..., Any]
ORDER = squares("5x5hole")


@pytest.fixture
def kab(begin: Kab) -> Kab:
    """Begins Kabooom!."""

    def make(players: int = 2, **chosen: Any) -> Any:
        return begin("kabooom", players, **chosen)

    return make


def board(towers: str, turn: int = 0, passes: int = 0, **options: Any) -> Position:
    """A position in the second phase from words such as `a1:1r3`: square, owner, symbol, height."""
    agreed = Options(**options)
    names = squares(agreed.board)
    placed: list[Tower | None] = [None] * 24
    for word in towers.split():
        square, tower = word.split(":")
        placed[names.index(square)] = Tower(int(tower[0]) - 1, tower[1], int(tower[2:] or 1))
    supply = ((0, 0, 0, 0),) * agreed.players
    return Position(agreed, "hit", tuple(placed), supply, turn, passes)


def texts(position: Position) -> list[str]:
    return sorted(map(books()["kabooom"].notation.write, legal(position)))


def after(position: Position, *lines: str) -> Position:
    for line in lines:
        position = play(position, books()["kabooom"].notation.parse(line))
    return position


def tower(position: Position, square: str) -> Tower | None:
    return position.board[squares(position.options.board).index(square)]


def full(kab: Kab, players: int = 2, **chosen: Any) -> Any:
    """A game whose board has just been filled: every player sets r, p, s, d in turn."""
    game = kab(players, **chosen)
    for number, square in enumerate(squares(chosen.get("board", "5x5hole"))):
        game(f"place {'rpsd'[number // players % 4]} {square}")
    return game


# Set-up


@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_play(kab: Kab, players: int) -> None:
    """KAB-R1"""
    assert [kab(count).position.options.players for count in (2, 3, 4)] == [2, 3, 4]
    with pytest.raises(WrongError):
        kab(players)


def test_the_level_is_chosen(kab: Kab) -> None:
    """KAB-R2: before the game; medium if nothing is said."""
    assert [kab(level=level).position.options.level for level in rules.LEVELS] == list(rules.LEVELS)
    assert kab().position.options.level == "medium"


def test_easy_is_dealt_the_others_are_set(kab: Kab) -> None:
    """KAB-R3, KAB-R4, KAB-R5, KAB-R7"""
    assert kab(level="easy").awaited.what == "deal"
    for level in ("medium", "hard"):
        assert kab(level=level).who == "p1" and len(kab(level=level).legal) == 4 * 24
        assert kab(level=level).refused(kab(level="easy").throw()) == "KAB-R3"
    assert kab(level="easy").refused("place r a1") == "KAB-R3"
    assert kab(level="easy").refused("pass") == "A-KAB8"
    assert kab(level="easy").refused("a1-a2") == "KAB-R13"


@pytest.mark.parametrize(("players", "stones"), [(2, 12), (3, 8), (4, 6)])
def test_each_has_as_many_stones(kab: Kab, players: int, stones: int) -> None:
    """KAB-R6: 12, 8 or 6, always 24 in all; a deal with other numbers is refused."""
    game = kab(players, level="easy")
    game.throw()
    owners = [square["owner"] for square in game.state["board"].values()]
    assert [owners.count(f"p{player + 1}") for player in range(players)] == [stones] * players
    tokens = [f"{square}:{1 + (number + (number == 1)) % players}r" for number, square in enumerate(ORDER)]
    tokens[1] = f"{ORDER[1]}:1r"
    assert kab(players, level="easy").refused("deal " + " ".join(tokens)) == "KAB-R6"


def test_a_deal_names_every_square_in_order(kab: Kab) -> None:
    """KAB-R7: random squares and symbols"""
    game = kab(level="easy")
    tokens = game.match.throw(game.awaited).split()[1:]
    assert [token.split(":")[0] for token in tokens] == list(ORDER)
    assert game.refused("deal " + " ".join(reversed(tokens))) == "KAB-R7"
    assert game.refused("deal " + " ".join(tokens[:-1])) == "KAB-R7"
    assert len({kab(level="easy", seed=str(seed)).throw() for seed in range(20)}) == 20


def test_stones_are_set_in_turn_on_free_squares(kab: Kab) -> None:
    """KAB-R8"""
    game = kab(3)
    assert [game.who, game("place r a1").who, game("place r b1").who, game("place r c1").who] == [
        "p1",
        "p2",
        "p3",
        "p1",
    ]
    assert game.refused("place p a1") == "KAB-R8"
    assert "place p a1" not in game.legal
    assert game.refused("place p c3") == "A-KAB1"


def test_any_symbol_that_is_left_may_be_set(kab: Kab) -> None:
    """KAB-R9, A-KAB5: three of each symbol"""
    game = kab()("place d a1", "place r b1", "place d c1", "place r d1", "place d e1", "place r a2")
    assert game.state["supply"] == [
        {"r": 3, "p": 3, "s": 3, "d": 0},
        {"r": 0, "p": 3, "s": 3, "d": 3},
    ]
    assert game.refused("place d b2") == "KAB-R9"
    assert {text.split()[1] for text in game.legal} == {"r", "p", "s"}
    assert Options().supply == (3, 3, 3, 3)
    assert kab(changes={"supply": (6, 6, 0, 0)}).refused("place s a1") == "KAB-R9"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_board_is_filled_then_towers_move(kab: Kab, players: int) -> None:
    """KAB-R10, KAB-R11, KAB-R13, A-KAB7: what is left over stays outside; whoever began moves first."""
    game = full(kab, players)
    assert len(game.state["board"]) == 24 and game.who == "p1"
    assert [sum(own.values()) for own in game.state["supply"]] == [12 - 24 // players] * players
    assert game.refused("place r a1") == "KAB-R13"
    game("pass")
    assert game.who == "p2"


def test_towers_wait_until_the_board_is_full(kab: Kab) -> None:
    """KAB-R13, A-KAB8"""
    game = kab()("place r a1", "place s b1")
    assert game.refused("a1-b1") == "KAB-R13"
    assert game.refused("pass") == "A-KAB8"


@pytest.mark.parametrize(
    ("name", "corners", "counts"),
    [
        ("5x5hole", "a1 e1 a5 e5", {3: 4, 5: 12, 7: 8}),
        ("4x6", "a1 f1 a4 f4", {3: 4, 5: 12, 8: 8}),
        ("3x8", "a1 h1 a3 h3", {3: 4, 5: 14, 8: 6}),
    ],
)
def test_squares_and_their_neighbours(name: str, corners: str, counts: dict[int, int]) -> None:
    """KAB-R12, A-KAB1: corners have three neighbours; the closed centre is nobody's neighbour."""
    everywhere = " ".join(f"{square}:1r" for square in squares(name))
    moves = [text.split("-")[0] for text in texts(board(everywhere, board=name)) if text != "pass"]
    found = {square: moves.count(square) for square in squares(name)}
    assert all(found[corner] == 3 for corner in corners.split())
    assert {count: list(found.values()).count(count) for count in counts} == counts
    assert ("c3" in squares(name)) is (name != "5x5hole") and len(squares(name)) == 24


# Hitting


def test_a_tower_is_its_top_stone() -> None:
    """KAB-R14, KAB-R15, KAB-R19: owner and symbol are those of the stone on top; heights add up."""
    position = after(board("a1:1r b1:2s2 c1:2p e5:1r"), "a1-b1")
    assert tower(position, "b1") == Tower(0, "r", 3) and tower(position, "a1") is None
    assert texts(position) == ["c1-b1", "pass"], "paper hits the tower, which is rock now"
    position = after(position, "c1-b1")
    assert tower(position, "b1") == Tower(1, "p", 4)


def test_what_a_move_needs() -> None:
    """KAB-R16: one's own tower, a neighbour, also across, that is not empty, and that the symbol beats"""
    game = board("b2:1r c2:2s b1:2p a1:1s c1:1s d2:2s")
    assert texts(game) == ["a1-b1", "b2-a1", "b2-c1", "b2-c2", "c1-b1", "c1-c2", "c1-d2", "pass"]
    for line, rule in {
        "c2-b2": "KAB-R16",  # another's
        "a4-a5": "KAB-R16",  # nobody's
        "b2-d2": "KAB-R16",  # too far
        "b2-b2": "KAB-R16",
        "b2-b1": "KAB-R18",  # rock does not beat paper
        "b2-a2": "KAB-R20",  # empty
    }.items():
        with pytest.raises(IllegalMove) as caught:
            after(game, line)
        assert caught.value.rule == rule


def test_any_colour_may_be_hit() -> None:
    """KAB-R17, A-KAB4: one's own too, also with dynamite, also dynamite"""
    assert texts(board("a1:1r b1:1s")) == ["a1-b1", "pass"]
    assert texts(board("a1:1d b1:1d c1:2d")) == ["a1-b1", "b1-a1", "b1-c1", "pass"]


def test_who_beats_whom() -> None:
    """KAB-R18: ten of the sixteen pairs"""
    pairs = {
        (one, other)
        for one, other in itertools.product("rpsd", repeat=2)
        if "a1-b1" in texts(board(f"a1:1{one} b1:2{other} d1:1r e1:1r"))
    }
    assert pairs == {
        *(("r", "s"), ("r", "r"), ("p", "r"), ("p", "p"), ("s", "p"), ("s", "s")),
        *(("d", "r"), ("d", "p"), ("d", "s"), ("d", "d")),
    }


def test_empty_squares_stay_empty() -> None:
    """KAB-R20: a tower with empty squares around it is safe"""
    position = after(board("a1:1r b1:2s a5:2r b5:1r"), "a1-b1")
    assert texts(position) == ["a5-b5", "pass"]
    with pytest.raises(IllegalMove) as caught:
        after(position, "a5-a4")
    assert caught.value.rule == "KAB-R20"


def test_dynamite_on_top_of_a_tower() -> None:
    """A-KAB2, A-KAB3: it stacks like any stone, and the tower counts nothing any more"""
    position = after(board("a1:1d b1:2s4 e5:1r d5:2r"), "a1-b1")
    assert tower(position, "b1") == Tower(0, "d", 5) and position.scores == (0, 0)


def test_dynamite_that_explodes() -> None:
    """A-KAB2: dynamite, tower and square are gone"""
    position = after(board("a1:1d b1:2s4 e5:1r d5:2r", dynamite="explode"), "a1-b1")
    assert tower(position, "a1") is None and tower(position, "b1") is None
    assert sum(t.height for t in position.board if t) == 2


# Passing and the end


def test_passing_is_always_allowed() -> None:
    """KAB-R21"""
    assert "pass" in texts(board("a1:1r b1:2s"))


def test_all_passing_ends_the_game() -> None:
    """KAB-R22, KAB-R23: one pass before the end the position tells that the next one ends it"""
    position = after(board("a1:1r b1:2r c1:3r d1:1r", players=3), "pass", "pass")
    assert not position.over and position.passes == position.options.players - 1
    assert after(position, "pass").over
    moved_on = after(position, "c1-b1")
    assert moved_on.passes == 0 and not moved_on.over


def test_the_game_ends_when_nobody_can_move() -> None:
    """KAB-R24"""
    position = after(board("a1:1r b1:2s e5:2r"), "a1-b1")
    assert position.over and awaits(position) == () and legal(position) == ()
    with pytest.raises(IllegalMove):
        after(position, "pass")


def test_who_cannot_move_is_passed() -> None:
    """A-KAB9: it counts as a pass, and he may move again later"""
    position = board("a1:1r a2:1r b1:2s d5:3r e5:3r", players=3)
    moved = after(position, "a1-a2")
    assert (moved.turn, moved.passes) == (2, 1), "p2's scissors beat no rock"
    assert after(moved, "pass").turn == 0
    assert after(moved, "pass", "pass").over
    freed = after(board("a1:1p a2:2r a3:2r", 0), "a1-a2")
    assert freed.turn == 0 and freed.passes == 1


def test_the_true_height_is_told(kab: Kab) -> None:
    """KAB-R25: however many stones are drawn, the position tells them all"""
    game = full(kab)
    game("a1-a2") if "a1-a2" in game.legal else game("pass")
    assert sum(square["height"] for square in game.state["board"].values()) == 24


# Counting


@pytest.mark.parametrize(
    ("level", "points"),
    [("easy", (1, 2, 3, 4, 5)), ("medium", (0, 1, 2, 3, 4)), ("hard", (0, 0, 1, 2, 3))],
)
def test_what_a_tower_counts(level: str, points: tuple[int, ...]) -> None:
    """KAB-R3, KAB-R4, KAB-R5, KAB-R26, KAB-R27, KAB-R28, A-KAB10: never less than nothing"""
    for height, worth in enumerate(points, 1):
        assert board(f"a1:1r{height} c1:2p", level=level).scores[0] == worth


@pytest.mark.parametrize("level", rules.LEVELS)
@pytest.mark.parametrize("height", [1, 2, 9])
def test_dynamite_never_counts(level: str, height: int) -> None:
    """KAB-R29, A-KAB3"""
    for dynamite in ("stack", "explode"):
        assert board(f"a1:1d{height}", level=level, dynamite=dynamite).scores == (0, 0)


def ended(towers: str, **options: Any) -> Position:
    position = board(towers, **options)
    while not position.over:
        position = after(position, "pass")
    return position


def test_most_points_win() -> None:
    """KAB-R30"""
    assert ended("a1:1r4 a2:1r e5:2s3").winners == (0,)
    assert ended("a1:2r4 a2:1r e5:2s3").winners == (1,)


def test_equal_points() -> None:
    """A-KAB11: won together; or the highest tower that counts decides"""
    towers = "a1:1r2 a3:1s2 e5:2p3 e3:2d9 c1:1r c2:1r"
    assert ended(towers).winners == (0, 1)
    assert ended(towers, tiebreak="highest_tower").winners == (1,)
    assert ended("a1:1r2 b1:1r c5:2s2 e5:2d9", tiebreak="highest_tower").winners == (0, 1)


def test_points_of_another_game_do_not_count(kab: Kab) -> None:
    """A-KAB12, A-KAB13, KAB-R31: every game begins with nothing, and with the seat that made it, p1"""
    assert kab().position.scores == (0, 0) and kab().who == "p1"
    assert full(kab).who == "p1"


def test_easy_symbols(kab: Kab) -> None:
    """A-KAB6: without putting back no symbol comes more than three times; or each by itself"""
    tokens = [f"{square}:{1 + number % 2}r" for number, square in enumerate(ORDER)]
    rocks = "deal " + " ".join(tokens)
    assert kab(level="easy").refused(rocks) == "A-KAB6"
    game = kab(level="easy", changes={"easy_symbols": "iid"})(rocks)
    assert {square["symbol"] for square in game.state["board"].values()} == {"r"}
    for seed in range(30):
        dealt = kab(2, level="easy", seed=str(seed)).throw().split()[1:]
        stones = sorted(token.split(":")[1] for token in dealt)
        assert stones == sorted(f"{player}{symbol}" for player in "12" for symbol in "rpsd" * 3)


# What is always true


@pytest.mark.parametrize("level", rules.LEVELS)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", list(rules.BOARDS))
def test_stones_are_kept(kab: Kab, level: str, players: int, name: str) -> None:
    """KAB-R32, KAB-R33: 24 stones, at most 23 hits, and above dynamite only dynamite"""
    for seed in range(4):
        game = kab(players, level=level, board=name, seed=str(seed)).at_random(random.Random(seed))
        hits = 0
        stacks: dict[str, str] = {}
        for before, move, now in zip(
            game.match.positions, game.match.moves, game.match.positions[1:], strict=False
        ):
            if now.phase in ("hit", "over"):
                assert sum(each.height for each in now.board if each) == 24
            if "-" in move:
                hits += 1
                origin, target = move.split("-")
                stacks[target] = stacks.pop(target) + stacks.pop(origin)
                assert "d" not in stacks[target] or stacks[target][-1] == "d"
            elif before.phase in ("place", "deal"):
                stacks = dict(
                    zip(squares(name), (each.symbol if each else "" for each in now.board), strict=True)
                )
        assert hits <= 23 and game.position.over


def test_an_explosion_takes_its_stones_from_the_board(kab: Kab) -> None:
    """A-KAB2: the others are kept; no tower holds dynamite below its top"""
    for seed in range(10):
        game = kab(2, dynamite="explode", seed=str(seed)).at_random(random.Random(seed))
        for before, move, now in zip(
            game.match.positions, game.match.moves, game.match.positions[1:], strict=False
        ):
            if "-" in move:
                origin, target = (tower(before, square) for square in move.split("-"))
                assert origin and target
                gone = 1 + target.height if origin.symbol == "d" else 0
                assert sum(t.height for t in before.board if t) - gone == sum(
                    t.height for t in now.board if t
                )
                assert all(t.height == 1 for t in now.board if t and t.symbol == "d")


def test_the_opening_is_empty() -> None:
    """KAB-R8"""
    assert opening(Options()).board == (None,) * 24 and not opening(Options()).over
