"""Kabooom! on the screen: by touch, by dragging, by panel; every state as a picture."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pygame
import pytest
from pygame import Rect, Surface

from companion.events import Say, Sound, Touch
from companion.games.kabooom import art
from companion.games.kabooom.reviewing import ReviewScreen
from companion.games.kabooom.rules import BOARDS, Hit, legal, squares
from companion.games.kabooom.screen import KabooomScreen, PassScreen
from companion.language import Message
from companion.screens.base import Context, Screen
from companion.screens.canvas import Canvas
from companion.screens.end import EndScreen
from companion.screens.stage import SETTLE_S
from tests.screens.checks import SIZES, Size, check_screen, size_name, staged
from tests.screens.conftest import Hand, TableGame
from tests.screens.through import GOLDEN, moves_of, put_on_table


def moves(count: int) -> list[str]:
    """The beginning of a golden game of two."""
    return moves_of("kabooom", "medium-2.txt")[:count]


def selected(make: TableGame) -> Screen:
    screen: KabooomScreen = make("kabooom", 2, moves=moves(26))
    origin = next(move.origin for move in legal(screen.position) if isinstance(move, Hit))
    list(screen.board(canvas()))
    list(screen._touch(origin))
    screen.context.now += 5
    return screen


def canvas() -> Canvas:
    return Canvas(Surface((800, 480)))


def dragged(make: TableGame) -> Screen:
    screen: KabooomScreen = make("kabooom", 2, moves=moves(26))
    origin = next(move.origin for move in legal(screen.position) if isinstance(move, Hit))
    list(screen.board(canvas()))
    list(screen._drags(origin, 400, 300, False))
    return screen


def flying(make: TableGame) -> Screen:
    screen: KabooomScreen = make("kabooom", 2, moves=moves(28))
    list(screen.play(moves(29)[28]))
    screen.context.now += 0.1
    return screen


def dealt(board: str, file: str) -> str:
    """The stones of a golden game, dealt to another board."""
    stones = (each.partition(":")[2] for each in moves_of("kabooom", file)[0].split()[1:])
    return " ".join(["deal", *map(":".join, zip(squares(board), stones, strict=True))])


def warned(make: TableGame) -> Screen:
    return PassScreen(make("kabooom", 2, moves=moves(26)))


SCREENS: dict[str, Callable[[TableGame], Screen]] = {
    "kabooom-setting": lambda make: make("kabooom", 2, moves=moves(9)),
    "kabooom-hitting": lambda make: make("kabooom", 3, moves=moves_of("kabooom", "medium-3.txt")[:34]),
    "kabooom-selected": selected,
    "kabooom-dragged": dragged,
    "kabooom-flying": flying,
    "kabooom-four": lambda make: make(
        "kabooom",
        4,
        {"level": "hard"},
        moves=moves_of("kabooom", "hard-4.txt")[:35],
        plays=("person", "computer"),
    ),
    "kabooom-4x6": lambda make: make(
        "kabooom", 2, {"board": "4x6"}, moves=moves_of("kabooom", "board-4x6.txt")[:30]
    ),
    "kabooom-3x8": lambda make: make(
        "kabooom", 2, {"board": "3x8"}, moves=moves_of("kabooom", "board-3x8.txt")[:7]
    ),
    "kabooom-3x8-four": lambda make: make(
        "kabooom", 4, {"board": "3x8", "level": "easy"}, moves=[dealt("3x8", "easy-4.txt")]
    ),
    "kabooom-pass": warned,
    "kabooom-over": lambda make: make("kabooom", 2, moves=moves_of("kabooom", "medium-2.txt")),
}


@pytest.mark.parametrize("name", SCREENS)
def test_pictures(context: Context, table_game: TableGame, pictures: Path, name: str) -> None:
    screen = SCREENS[name](table_game)
    below = screen.game if isinstance(screen, PassScreen) else None
    check_screen(context, pictures, name, screen, below)


def touches(text: str) -> tuple[str, ...]:
    """What is touched for a move."""
    match text.split():
        case ["place", symbol, square]:
            return f"symbol-{symbol}", square
        case ["pass"]:
            return ("pass",)
        case ["deal", *_]:
            return ()
    return tuple(text.split("-"))


def through(context: Context, file: str) -> Iterator[tuple[Hand, str]]:
    """Play a golden game by touch; yield after each move."""
    screen, moves = put_on_table(context, KabooomScreen, file)
    hand = Hand.at(screen)
    hand.wait(0.1)
    while (played := len(screen.match.moves)) < len(moves):
        hand.touch(*touches(moves[played]))
        if isinstance(hand.stage.top, PassScreen):
            hand.touch("pass")
        assert screen.match.moves[played:] == [moves[played]]
        yield hand, moves[played]
    hand.wait()
    assert isinstance(hand.stage.top, EndScreen) or not screen.position.over


@pytest.mark.parametrize("file", [path.name for path in GOLDEN["kabooom"]])
def test_golden_games_can_be_played_by_touch(file: str, context: Context) -> None:
    """KAB-R8, R16, R21 and R23, on all levels and boards."""
    assert len(list(through(context, file))) > 2


@pytest.fixture
def hitting(table_game: TableGame) -> Hand:
    """Before a game of two in which the towers have begun to move."""
    return Hand.at(table_game("kabooom", 2, moves=moves(24)))


def game(hand: Hand) -> KabooomScreen:
    screen = hand.stage.top
    assert isinstance(screen, KabooomScreen)
    return screen


def a_hit(hand: Hand) -> Hit:
    return next(move for move in legal(game(hand).position) if isinstance(move, Hit))


def test_a_tower_can_be_dragged(hitting: Hand) -> None:
    move = a_hit(hitting)
    hitting.drag(move.origin, *hitting.widget(move.target).rect.center)
    assert game(hitting).match.moves[-1] == f"{move.origin}-{move.target}"
    assert not game(hitting).animating, "it lies where it was dropped, and does not fly there once more"


def test_while_a_tower_is_dragged_its_targets_light_up_and_dropped_beside_them_it_stays_in_the_hand(
    hitting: Hand,
) -> None:
    move = a_hit(hitting)
    a, b = hitting.widget(move.origin).rect.center
    hitting.stage.handle(Touch(a, b, "down"))
    hitting.stage.handle(Touch(a + 60, b + 60, "move"))
    assert game(hitting).held and move.target in game(hitting)._targets()
    hitting.stage.handle(Touch(790, 470, "up"))
    assert game(hitting).held is None and move.target in game(hitting)._targets()


def test_a_stone_can_be_dragged_to_its_square(table_game: TableGame) -> None:
    hand = Hand.at(table_game("kabooom", 2))
    x, y = hand.widget("symbol-s").rect.center
    for touch in (Touch(x, y, "down"), Touch(x, y - 60, "move")):
        hand.stage.handle(touch)
    assert game(hand).chosen == "s", "it is marked in the supply"
    hand.stage.handle(Touch(*hand.widget("c1").rect.center, "up"))
    assert game(hand).match.moves == ["place s c1"]


def test_what_is_dropped_beside_the_board_goes_back(hitting: Hand) -> None:
    hitting.drag(a_hit(hitting).origin, 790, 470)
    assert len(game(hitting).match.moves) == 24 and game(hitting).held is None


@pytest.mark.parametrize("by", ["finger", "panel"])
def test_what_was_dragged_lies_where_it_lay_once_something_else_is_done(hitting: Hand, by: str) -> None:
    """A second finger counts after a while, and the panel opens what lies over the board."""
    screen = game(hitting)
    x, y = hitting.widget(a_hit(hitting).origin).rect.center
    for touch in (Touch(x, y, "down"), Touch(x + 60, y + 60, "move")):
        hitting.stage.handle(touch)
    assert screen.held
    if by == "finger":
        hitting.stage.handle(Touch(790, 470, "down"))
    else:
        while hitting.stage.focus != "pause":
            hitting.press("right")
        hitting.confirm()
        assert hitting.stage.top is not screen
    assert screen.held is None


def test_a_finger_that_trembles_touches_what_it_is_on(hitting: Hand) -> None:
    """A tower of one's own, too, which is the target of another one and could be dragged itself."""
    screen = game(hitting)
    movable = screen._movable()
    move = next(m for m in legal(screen.position) if isinstance(m, Hit) and m.target in movable)
    for key in (move.origin, move.origin, move.origin, move.target):
        x, y = hitting.widget(key).rect.center
        hitting.drag(key, x + 15, y - 8)
    assert screen.match.moves[24:] == [f"{move.origin}-{move.target}"]


def test_targets_light_up_and_a_second_touch_lets_go(hitting: Hand) -> None:
    move = a_hit(hitting)
    hitting.touch(move.origin)
    assert move.target in game(hitting)._targets()
    hitting.touch(move.origin)
    assert game(hitting).selected is None and not game(hitting)._targets()


def test_two_taps_at_once_choose_a_tower_as_one_does(hitting: Hand) -> None:
    move = a_hit(hitting)
    hitting.touch(move.origin)
    hitting.context.now += SETTLE_S / 2
    hitting.tap(move.origin)
    assert game(hitting).selected == move.origin


def test_a_tower_that_was_just_touched_can_be_dragged_at_once(hitting: Hand) -> None:
    move = a_hit(hitting)
    hitting.touch(move.origin)
    hitting.context.now += SETTLE_S / 2
    hitting.drag(move.origin, *hitting.widget(move.target).rect.center)
    assert game(hitting).match.moves[24:] == [f"{move.origin}-{move.target}"]


def test_a_wrong_target_is_refused_with_the_reason_and_the_tower_stays_in_the_hand(hitting: Hand) -> None:
    """KAB-R16."""
    move, far = a_hit(hitting), None
    targets = {
        m.target for m in legal(game(hitting).position) if isinstance(m, Hit) and m.origin == move.origin
    }
    far = next(key for key in hitting.keys if key in squares("5x5hole") and key not in targets | {move.origin}
               and game(hitting).tower(key).owner != 0)  # fmt: skip
    hitting.touch(move.origin, far)
    assert game(hitting).trouble is not None and game(hitting).selected == move.origin
    assert Sound("refused") in hitting.effects and len(game(hitting).match.moves) == 24


def test_a_touch_on_what_cannot_move_is_said_and_chooses_nothing(hitting: Hand) -> None:
    foreign = next(
        key for key in hitting.keys if key in squares("5x5hole") and game(hitting).tower(key).owner
    )
    hitting.touch(foreign)
    assert hitting.effects[-1] == Sound("refused") and game(hitting).selected is None
    assert game(hitting).trouble == Message("That is not your tower")
    movable = {move.origin for move in legal(game(hitting).position) if isinstance(move, Hit)}
    board = zip(squares("5x5hole"), game(hitting).position.board, strict=True)
    stuck = next((name for name, own in board if own and own.owner == 0 and name not in movable), None)
    if stuck:
        hitting.touch(stuck)
        assert game(hitting).trouble == Message("This tower beats none of its neighbours")


def test_so_is_one_that_is_dragged_and_cannot_move(hitting: Hand) -> None:
    """KAB-R16."""
    screen = game(hitting)
    towers = list(zip(squares("5x5hole"), screen.position.board, strict=True))
    foreign, other = [name for name, tower in towers if tower and tower.owner][:2]
    for selected in (None, a_hit(hitting).origin):
        screen.selected, before = selected, len(hitting.effects)
        hitting.drag(foreign, *hitting.widget(other).rect.center)
        assert (Sound("refused") in hitting.effects[before:]) is (selected is None)
        assert screen.held is None and screen.selected == selected and len(screen.match.moves) == 24
    assert screen.trouble == Message("That is not your tower")


def test_a_stone_that_is_set_and_dragged_says_that_its_square_is_not_free(table_game: TableGame) -> None:
    """KAB-R8."""
    hand = Hand.at(table_game("kabooom", 2, moves=moves(9)))
    screen = game(hand)
    stone = next(n for n, tower in zip(squares("5x5hole"), screen.position.board, strict=True) if tower)
    hand.touch(stone)
    said, screen.trouble = screen.trouble, None
    hand.drag(stone, *hand.widget("symbol-r").rect.center)
    assert said is not None and screen.trouble == said and len(screen.match.moves) == 9


def test_why_a_touch_was_refused_is_over_with_the_next_one(hitting: Hand) -> None:
    origin = a_hit(hitting).origin
    foreign = next(
        key for key in hitting.keys if key in squares("5x5hole") and game(hitting).tower(key).owner
    )
    hitting.touch(foreign, origin)
    assert game(hitting).trouble is None and game(hitting).selected == origin
    hitting.touch(origin, foreign)
    hitting.drag(origin, 795, 300)
    assert game(hitting).trouble is None


def test_whoever_would_end_the_game_by_passing_is_warned_first(hitting: Hand) -> None:
    """KAB-R23."""
    hitting.touch("pass")
    assert isinstance(hitting.stage.top, KabooomScreen)
    hitting.touch("pass")
    assert isinstance(hitting.stage.top, PassScreen)
    assert hitting.widget("stay").icon != "back", "it is a way on, not back to the games"
    hitting.touch("stay")
    assert not game(hitting).position.over
    hitting.touch("pass", "pass")
    hitting.wait(0.1)
    assert isinstance(hitting.stage.top, EndScreen)


def test_a_second_tap_does_not_pass_for_the_next_player(table_game: TableGame) -> None:
    hand = Hand.at(table_game("kabooom", 3, moves=moves_of("kabooom", "medium-3.txt")[:30]))
    before, turn = len(game(hand).match.moves), game(hand).position.turn
    for _ in range(2):
        x, y = hand.widget("pass").rect.center
        for phase in ("down", "up"):
            hand.stage.handle(Touch(x, y, phase))
        hand.context.now += 0.15
    assert len(game(hand).match.moves) == before + 1 and game(hand).position.turn != turn
    hand.touch("pass")
    assert len(game(hand).match.moves) == before + 2


def test_a_second_tap_beside_the_first_sets_no_stone_for_the_next_player(table_game: TableGame) -> None:
    """KAB-R8."""
    hand = Hand.at(table_game("kabooom", 2))
    hand.touch("a1")
    hand.context.now += 0.15
    hand.tap("b1")
    assert len(game(hand).match.moves) == 1
    hand.touch("b1")
    assert len(game(hand).match.moves) == 2


@pytest.mark.parametrize(("file", "number", "said"), [
    ("board-3x8.txt", 39, "Kein Zug für Anna"), ("easy-3.txt", 19, "Kein Zug für Anna und Ben"),
])  # fmt: skip
def test_it_is_said_who_cannot_move(context: Context, file: str, number: int, said: str) -> None:
    """A-KAB9."""
    screen, moves = put_on_table(context, KabooomScreen, file)
    for text in moves[:number]:
        context.table.play(text)
    list(screen.play(moves[number]))
    assert screen.trouble and context.t.say(screen.trouble) == said


def test_it_is_said_that_a_computer_passes(table_game: TableGame) -> None:
    """KAB-R21."""
    moves = moves_of("kabooom", "medium-2.txt")[:24]
    screen = table_game("kabooom", 2, moves=moves, plays=["computer", "person"])
    list(screen.play("pass", "companion"))
    assert screen.trouble and screen.context.t.say(screen.trouble).endswith("setzt aus")


def test_it_is_said_that_a_computer_passes_and_who_cannot_move_behind_it(table_game: TableGame) -> None:
    """KAB-R21, A-KAB9."""
    plays = ["person"] * 3 + ["computer"]
    moves = moves_of("kabooom", "hard-4.txt")[:39]
    screen = table_game("kabooom", 4, {"level": "hard"}, moves=moves, plays=plays)
    list(screen.play("pass", "companion"))
    assert screen.trouble
    assert screen.context.t.say(screen.trouble) == "Hase Grün setzt aus, kein Zug für Anna"


def test_computers_play_a_whole_game_by_themselves_at_a_pace_one_can_follow(table_game: TableGame) -> None:
    hand = Hand.at(table_game("kabooom", 3, {"level": "easy"}, plays=["computer"] * 3))
    hand.wait(0.5)
    assert len(game(hand).match.moves) == 1
    for _ in range(120):
        hand.wait(0.8)
    assert isinstance(hand.stage.top, EndScreen)


def test_after_a_persons_move_the_computer_answers_and_undo_takes_both_back(table_game: TableGame) -> None:
    hand = Hand.at(table_game("kabooom", 2, plays=["person", "computer"]))
    hand.touch("a1")
    assert hand.keys[:1] != ["b1"], "nothing can be touched while the computer thinks"
    hand.wait(1.0)
    assert len(game(hand).match.moves) == 2
    hand.press("undo")
    assert game(hand).match.moves == []


def test_the_panel_alone_plays(hitting: Hand) -> None:
    move = a_hit(hitting)
    for key in (move.origin, move.target):
        while hitting.stage.focus != key:
            hitting.press("right")
        hitting.press("confirm")
    assert game(hitting).match.moves[-1] == f"{move.origin}-{move.target}"


def test_whose_turn_it_is_is_called(hitting: Hand) -> None:
    hitting.touch("pass")
    assert Say("turn-blue") in hitting.effects


def test_towers_are_drawn_with_three_stones_at_most_and_their_true_height(hitting: Hand) -> None:
    """KAB-R25."""
    pictures = []
    for height in (3, 9):
        surface = Surface((100, 100))
        art.tower(Canvas(surface), Rect(10, 20, 70, 70), "red", "r", height)
        pictures.append(pygame.surfarray.array3d(surface))
    badge = np.zeros((100, 100), bool)
    badge[50:80, 60:90] = True
    assert (pictures[0] == pictures[1])[~badge].all() and (pictures[0] != pictures[1])[badge].any()


@pytest.mark.parametrize("board", BOARDS)
def test_every_square_of_every_board_can_be_touched(board: str, table_game: TableGame) -> None:
    """A-KAB1."""
    hand = Hand.at(table_game("kabooom", 2, {"board": board}), (720, 1280))
    assert set(squares(board)) <= set(hand.keys)


@pytest.mark.parametrize("board", BOARDS)
def test_a_finger_finds_every_square_on_a_small_screen(board: str, table_game: TableGame) -> None:
    screen = table_game("kabooom", 2, {"board": board})
    found = staged(screen.context, screen, (480, 320)).widgets()
    assert min(widget.rect.width for widget in found if widget.key in squares(board)) >= 40


@pytest.mark.parametrize("size", SIZES, ids=size_name)
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("reviewed", [False, True], ids=["played", "reviewed"])
def test_every_row_and_column_is_named_beside_the_board(
    board: str, size: Size, reviewed: bool, table_game: TableGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said of squares can be found; no square is covered."""
    screen = table_game("kabooom", 2, {"board": board})
    shown = ReviewScreen(screen.context) if reviewed else screen
    stage = staged(screen.context, shown, size)
    named: dict[str, Rect] = {}
    original = Canvas.text

    def spy(canvas: Canvas, words: str, box: Rect, units: float, **style: Any) -> None:
        named.setdefault(words, box)
        original(canvas, words, box, units, **style)

    monkeypatch.setattr(Canvas, "text", spy)
    stage.draw()
    cells = shown._squares(stage.canvas)
    names = {part for square in squares(board) for part in square}
    assert names <= named.keys()
    for square, cell in cells.items():
        column, row = named[square[0]], named[square[1]]
        assert column.centerx == cell.centerx and row.centery == cell.centery
    for box in (named[name] for name in names):
        assert stage.canvas.rect.contains(box) and box.collidelist(list(cells.values())) == -1


def test_a_touch_that_is_no_move_is_refused_and_it_is_said_why(table_game: TableGame) -> None:
    """KAB-R8, R16, R20; the panel passes such squares by."""
    hand = Hand.at(table_game("kabooom", 2))
    hand.touch("a1")
    hand.context.now += 0.2
    hand.tap("a1")
    assert game(hand).trouble is None, "that was meant for the empty square"
    hand.touch("a1")
    assert game(hand).trouble == Message("{square} is not free", {"square": "a1"})
    assert hand.effects[-1] == Sound("refused")
    hand = Hand.at(table_game("kabooom", 2, moves=moves(28)))
    cells, tower = game(hand)._squares(hand.stage.canvas), moves(29)[28][:2]
    empty = next(name for name in cells if game(hand).tower(name) is None)
    hand.touch(empty)
    assert game(hand).trouble and hand.effects[-1] == Sound("refused")
    hand.touch(tower, empty)
    assert game(hand).trouble and game(hand).selected == tower
    walked = set()
    for _ in hand.keys:
        hand.press("right")
        walked.add(hand.stage.focus)
    assert tower in walked and empty not in walked


def test_undo_lets_go_of_a_tower_before_it_takes_back_a_move(table_game: TableGame) -> None:
    screen = table_game("kabooom", 2, moves=moves(28))
    hand = Hand.at(screen)
    hand.touch(moves(29)[28][:2])
    assert screen.selected
    hand.press("undo")
    assert screen.selected is None and screen.match.moves == moves(28)
    hand.press("undo")
    assert screen.match.moves == moves(27)


def test_what_the_last_move_has_touched_is_marked_in_high_contrast_too(table_game: TableGame) -> None:
    screen = table_game("kabooom", 2, moves=moves(29))
    screen.context.settings = replace(screen.context.settings, high_contrast=True)
    stage = staged(screen.context, screen, SIZES[0])
    stage.draw()
    picture = pygame.surfarray.array3d(stage.canvas.surface)
    cells = screen._squares(stage.canvas)
    left = screen.match.moves[-1].split("-")[0]

    def white(name: str) -> int:
        cell = cells[name]
        part = picture[cell.left : cell.right, cell.top : cell.bottom]
        return int((part.min(axis=2) > 200).sum())

    empty = [white(name) for name in cells if screen.tower(name) is None and name != left]
    assert screen.tower(left) is None and white(left) > 1.4 * max(empty)


def test_dynamite_that_blows_everything_away_is_seen_to_fly_there(
    table_game: TableGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A-KAB2; what is taken back meanwhile flies no more."""
    moves, chosen = moves_of("kabooom", "explode-2.txt"), {"dynamite": "explode"}
    screen = table_game("kabooom", 2, chosen, moves=moves[:27])
    list(screen.play(moves[27]))
    screen.context.now += 0.1
    stage = staged(screen.context, screen, SIZES[0])
    a, b = (screen._squares(stage.canvas)[name] for name in moves[27].split("-"))
    drawn: list[tuple[str, Rect]] = []
    monkeypatch.setattr(art, "tower", lambda canvas, box, colour, symbol, *more: drawn.append((symbol, box)))
    stage.draw()
    assert any(symbol == "d" and a != box != b and a.union(b).colliderect(box) for symbol, box in drawn[-1:])
    list(screen.undo())
    assert not screen.animating


def test_what_the_last_hit_has_touched_stays_marked_while_others_pass(
    table_game: TableGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two computers the second may pass, and one wants to see what the first has done."""
    screen = table_game("kabooom", 2, moves=[*moves(29), "pass"])
    marked: list[Rect] = []
    monkeypatch.setattr(art, "mark", lambda canvas, cell, colour: marked.append(cell))
    stage = staged(screen.context, screen, SIZES[0])
    stage.draw()
    cells = screen._squares(stage.canvas)
    assert marked == [cells[name] for name in moves(29)[28].split("-")]


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_how_many_stones_are_left_touches_no_frame(table_game: TableGame, size: Size, large: bool) -> None:
    screen = table_game("kabooom", 2, {"board": "3x8"}, moves=moves_of("kabooom", "board-3x8.txt")[:7])
    screen.context.settings = replace(screen.context.settings, large_text=large)
    stage = staged(screen.context, screen, size)
    stage.draw()
    picture, c = pygame.surfarray.array3d(stage.canvas.surface), stage.canvas
    for widget in stage.widgets():
        if widget.key.startswith("symbol"):
            box, edge = widget.rect, c.px(5)
            high = range(box.bottom - c.px(22), box.bottom - c.px(11))
            for x in (box.left + edge, box.right - edge - 1):
                assert len({tuple(picture[x, y]) for y in high}) == 1, widget.key
