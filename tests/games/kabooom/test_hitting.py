"""Kabooom!, rule by rule: how towers hit, when it ends, what counts."""

import itertools
from typing import Any

import pytest

from companion.games.book import books
from companion.games.kabooom import rules
from companion.games.kabooom.rules import Options, Position, Tower, awaits, legal, play, squares
from companion.games.rulebook import IllegalMove


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
    """KAB-R21, A-KAB9: also with moves left; who has passed may move again later"""
    position = board("a1:1r b1:2s c1:2p d1:2p")
    assert texts(position) == ["a1-b1", "pass"]
    later = after(position, "pass", "c1-d1")
    assert later.turn == 0 and texts(later) == ["a1-b1", "pass"]


def test_all_passing_ends_the_game() -> None:
    """KAB-R22: three in succession; a hit in between starts the counting anew"""
    position = after(board("a1:1r b1:2r c1:3r d1:1r", players=3), "pass", "pass")
    assert not position.over and position.passes == 2
    assert after(position, "pass").over and after(position, "pass").passes == 3
    moved_on = after(position, "c1-b1")
    assert moved_on.passes == 0 and not moved_on.over


def test_the_last_to_pass_is_known_before() -> None:
    """KAB-R23: his pass would end the game, also because the others cannot move and are passed"""
    position = board("a1:1r b1:2r c1:3r d1:1r", players=3)
    assert not position.passing_ends and not after(position, "pass").passing_ends
    assert after(position, "pass", "pass").passing_ends
    assert not after(position, "pass", "pass", "c1-b1").passing_ends
    alone = board("a1:1r b1:2s c1:3s", players=3)
    assert alone.passing_ends is False, "p3's scissors beat p2's"
    assert board("a1:1r b1:2s e5:3s", players=3).passing_ends
    assert not after(board("a1:1r b1:2s"), "a1-b1").passing_ends, "it has ended"


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


def test_the_true_height_is_told() -> None:
    """KAB-R25: however few stones of a tower are drawn, the position tells how high it is"""
    position = after(board("a1:1r7 b1:2s9 e5:2r d5:2r"), "a1-b1")
    assert books()["kabooom"].notation.state(position)["board"]["b1"]["height"] == 16


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
    assert ended("a1:1r4 e1:1s2 a5:2p3 e5:2r3").winners == (0, 1)
    assert ended("a1:1r4 e1:1s2 a5:2p3 e5:2r3", tiebreak="highest_tower").winners == (0,)
    assert ended("a1:1r2 b1:1r c5:2s2 e5:2d9", tiebreak="highest_tower").winners == (0, 1)
