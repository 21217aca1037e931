"""The tiles of Bau Boom before the camera: one picture instead of thirty touches, corrected by touch."""

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from pygame import Surface

from companion.events import ReadTiles, Say, Seen, Sound
from companion.eye.throws import State
from companion.games.bau_boom import steps
from companion.games.bau_boom.hill import COLOURS, Colour
from companion.games.bau_boom.position import Position
from companion.games.bau_boom.screen import BauScreen
from companion.games.bau_boom.tile_look import TileLook
from companion.language import Message, Texts
from companion.screens.base import Context, Step
from companion.screens.canvas import Canvas
from companion.screens.home import resumed
from tests.eye.test_tiles import plain
from tests.eye.tile_pictures import draw
from tests.screens.checks import SIZES, Size, size_name
from tests.screens.conftest import Hand, TableGame
from tests.screens.test_bau_boom import DEALT, REAL, at, due
from tests.screens.through import put_on_table

BOARD = 6  # the seed of a picture of a board that the eye reads almost wholly


@pytest.fixture
def hand(context: Context) -> Hand:
    """Before a deal that people lay."""
    screen, _ = put_on_table(context, BauScreen, "base-2.txt", REAL)
    hand = Hand.at(screen)
    hand.wait(0.2)
    return hand


def screen_of(hand: Hand) -> BauScreen:
    screen = hand.stage.stack[1]
    assert isinstance(screen, BauScreen)
    return screen


def picture(hand: Hand, frame: np.ndarray) -> None:
    """Hold something before the camera."""
    hand.stage.handle(Seen(frame, (), State.NOTHING, None))


def look(hand: Hand, frame: np.ndarray) -> None:
    """Touch the camera, hold something before it, and have it read."""
    hand.touch("camera")
    picture(hand, frame)
    hand.touch("read")


def words(hand: Hand) -> tuple[str, ...]:
    sight = screen_of(hand).sight
    assert sight is not None
    return sight.words


def test_one_picture_of_the_board_deals(hand: Hand) -> None:
    """BAU-R3, BAU-R4: what the eye doubts is asked for, the rest needs one touch."""
    drawn, screen = draw(BOARD, "ring"), screen_of(hand)
    look(hand, drawn.image)
    found = screen.sight
    assert found is not None and found.kind == "ring" and len(found.words) == 30
    asked = len(found.doubts)
    for _ in range(asked):
        assert screen.chosen is not None
        hand.touch(drawn.colours[screen.chosen])
    wrong = [i for i, word in enumerate(words(hand)) if word != drawn.colours[i]]
    for i in wrong:
        hand.touch(f"tile-{i}", drawn.colours[i])
    assert asked + len(wrong) <= 4
    hand.touch("confirm")
    assert screen.match.moves == ["deal " + " ".join(drawn.colours)]
    assert screen.position.due.what == "roll"


def test_the_deal_is_taken_back_as_one_step(hand: Hand) -> None:
    screen = screen_of(hand)
    screen.context.table.keep(f"ring {DEALT.replace('?', '')}")
    hand.touch("confirm", "undo")
    assert screen.position.due.what == "deal" and not screen.match.moves
    assert words(hand) == tuple(DEALT.replace("?", "").split()), "nobody has to enter them again"
    hand.touch("confirm")
    assert len(screen.match.moves) == 1


def test_of_tiles_that_were_entered_the_last_one_is_corrected_without_entering_all_again(hand: Hand) -> None:
    screen = screen_of(hand)
    right = DEALT.replace("?", "").split()
    other = next(colour for colour in COLOURS if colour != right[-1])
    screen.context.table.keep(" ".join(right[:-1]))
    hand.touch(other)
    assert screen.match.moves == ["deal " + " ".join([*right[:-1], other])]
    hand.touch("undo", f"tile-{len(right) - 1}", right[-1], "confirm")
    assert screen.match.moves == ["deal " + " ".join(right)]


def test_a_finger_that_bounces_corrects_one_tile(hand: Hand) -> None:
    screen = screen_of(hand)
    screen.context.table.keep("rows red blue? yellow? green")
    hand.touch("tile-1")
    hand.bounce("green")
    assert words(hand) == ("red", "green", "yellow?", "green")


def test_a_finger_that_bounces_enters_one_tile(hand: Hand) -> None:
    hand.bounce("red")
    assert screen_of(hand).entered == ("red",)


def test_why_tiles_are_refused_is_said_in_words_and_no_longer_than_it_is_so(hand: Hand) -> None:
    screen = screen_of(hand)
    screen.context.table.keep("rows " + " ".join(["red"] * 19 + ["blue"] * 11))
    hand.touch("confirm")
    assert screen.trouble is not None
    said = Texts("de").say(screen.trouble)
    assert said.endswith("Rot") and "red" not in said
    hand.touch("tile-0", "green")
    assert screen.trouble is None


def test_rows_come_one_after_the_other(hand: Hand) -> None:
    screen = screen_of(hand)
    hand.touch("green")
    look(hand, plain(["red", "blue", "yellow"]))
    assert words(hand) == ("red", "blue", "yellow")
    hand.touch("confirm")
    assert screen.entered == ("green", "red", "blue", "yellow")
    look(hand, plain(["blue", "blue"]))
    hand.touch("reverse", "confirm", "undo")
    assert list(screen.entered) == ["green", "red", "blue", "yellow", "blue"]


def test_undo_puts_away_what_was_seen_and_nothing_else(hand: Hand) -> None:
    hand.touch("green")
    look(hand, plain(["red", "blue", "yellow"]))
    hand.press("undo")
    assert screen_of(hand).sight is None and screen_of(hand).entered == ("green",)


def test_undo_takes_back_one_correction_after_the_other(hand: Hand) -> None:
    look(hand, plain(["red", "blue", "yellow"]))
    hand.touch("tile-0", "green", "tile-2", "none")
    assert words(hand) == ("green", "blue")
    hand.press("undo")
    assert words(hand) == ("green", "blue", "yellow")
    hand.press("undo")
    assert words(hand) == ("red", "blue", "yellow")
    hand.press("undo")
    assert screen_of(hand).sight is None


def test_whoever_looks_once_more_can_take_that_back_and_finds_every_correction(hand: Hand) -> None:
    look(hand, plain(["red", "blue", "yellow"]))
    hand.touch("tile-0", "green", "again")
    picture(hand, plain(["blue", "blue"]))
    hand.touch("read")
    assert words(hand) == ("blue", "blue")
    hand.press("undo")
    assert words(hand) == ("green", "blue", "yellow")


def test_what_was_seen_and_corrected_is_there_after_a_power_cut(hand: Hand) -> None:
    look(hand, plain(["red", "blue", "yellow"]))
    hand.touch("tile-1", "green")
    (again,) = resumed(hand.context)
    assert isinstance(again, BauScreen) and again.sight is not None
    assert again.sight.words == ("red", "green", "yellow")
    list(again.undo())
    assert again.sight is not None and again.sight.words == ("red", "blue", "yellow"), "one correction"
    list(again.undo())
    assert again.sight is None


def test_where_no_tile_lies_nothing_is_left_to_be_confirmed(hand: Hand) -> None:
    hand.touch("green")
    look(hand, plain(["red"]))
    hand.touch("tile-0", "none")
    assert screen_of(hand).sight is None and screen_of(hand).entered == ("green",)
    hand.press("undo")
    assert words(hand) == ("red",), "the last correction"
    hand.press("undo")
    assert screen_of(hand).sight is None and screen_of(hand).entered == ("green",)
    look(hand, plain(["red"]))
    hand.touch("tile-0", "none", "blue")
    assert screen_of(hand).entered == ("green", "blue")


def test_tiles_are_corrected_by_touch(hand: Hand) -> None:
    look(hand, plain(["red", "blue", "yellow"]))
    hand.touch("tile-0", "insert")
    assert words(hand) == ("-", "red", "blue", "yellow") and "confirm" not in hand.keys
    hand.touch("green", "tile-2", "none")
    assert list(words(hand)) == ["green", "red", "yellow"]
    hand.touch("tile-2", "tile-2", "confirm")
    assert screen_of(hand).entered == ("green", "red", "yellow")


def test_the_ring_is_turned_and_reversed(hand: Hand) -> None:
    dealt = DEALT.replace("?", "").split()
    hand.context.table.keep(f"ring {' '.join(dealt)}")
    hand.touch("turn")
    assert list(words(hand)) == [dealt[-1], *dealt[:-1]]
    hand.touch("reverse")
    assert list(words(hand)) == [*dealt[-2::-1], dealt[-1]]


def test_more_of_a_colour_than_there_are_is_refused_and_can_be_corrected(hand: Hand) -> None:
    """BAU-R5"""
    screen = screen_of(hand)
    hand.context.table.keep("ring" + 19 * " red" + 11 * " blue")
    hand.touch("confirm")
    assert screen.trouble and screen.sight and not screen.match.moves
    hand.touch("tile-0", "green", "confirm")
    assert screen.trouble is None and len(screen.match.moves) == 1


def test_more_tiles_than_there_is_room_for_are_said(hand: Hand) -> None:
    screen = screen_of(hand)
    for _ in range(14):
        hand.touch("green")
    for _ in range(14):
        hand.touch("blue")
    look(hand, plain(["red", "red", "yellow"]))
    assert len(words(hand)) == 2 and screen.trouble
    assert screen.trouble.fields == {"count": 3, "most": 2}


def test_what_lies_in_the_middle_of_the_board_is_no_tile_of_the_trail(hand: Hand) -> None:
    """Many do not count as more than there is room for, nor in the place of others."""
    drawn = draw(BOARD, "ring")
    look(hand, drawn.image)
    before, half = words(hand), round(float(np.median(drawn.sides)) / 2)
    more = drawn.image.copy()
    x, y = drawn.middles.mean(axis=0).round().astype(int).tolist()
    for left in range(x - 9 * half, x + 8 * half, 4 * half):
        cv2.rectangle(more, (left, y - half), (left + 2 * half, y + half), (45, 40, 200), -1)
    hand.press("undo")
    look(hand, more)
    assert words(hand) == before and screen_of(hand).trouble is None


def test_where_no_tiles_lie_that_is_said(hand: Hand) -> None:
    look(hand, np.full((480, 640, 3), 120, np.uint8))
    screen = screen_of(hand)
    assert hand.stage.top is screen and screen.trouble and screen.sight is None
    assert Sound("refused") in hand.effects


def test_without_a_camera_that_is_said_and_touch_remains(hand: Hand) -> None:
    hand.touch("camera")
    assert isinstance(hand.stage.top, TileLook) and "read" not in hand.keys, "there is no picture yet"
    picture(hand, plain(["red"]))
    hand.context.camera.trouble = Message("No camera")
    assert "read" not in hand.keys
    hand.touch("back", "red")
    assert screen_of(hand).entered == ("red",)


@pytest.fixture
def reading(hand: Hand) -> ReadTiles:
    """A picture is being read, which takes its time."""
    hand.reads = lambda _: None
    look(hand, plain(["red", "blue"]))
    asked = hand.effects[-1]
    assert isinstance(asked, ReadTiles)
    return asked


def test_while_tiles_are_read_the_picture_stays_and_nothing_waits(hand: Hand, reading: ReadTiles) -> None:
    assert "read" not in hand.keys, "once is enough"
    picture(hand, plain(["green"]))
    looking = hand.stage.top
    assert isinstance(looking, TileLook) and looking.frame is reading.frame
    hand.answer_tiles(reading)
    assert words(hand) == ("red", "blue")


def test_whoever_goes_back_while_tiles_are_read_hears_no_more_of_them(hand: Hand, reading: ReadTiles) -> None:
    hand.touch("back")
    hand.answer_tiles(reading)
    assert screen_of(hand).sight is None
    hand.touch("camera")
    hand.answer_tiles(reading)
    assert isinstance(hand.stage.top, TileLook)


def test_tiles_are_shown_also_if_something_was_opened_meanwhile(hand: Hand, reading: ReadTiles) -> None:
    hand.touch("volume")
    hand.answer_tiles(reading)
    assert hand.stage.top is screen_of(hand) and words(hand) == ("red", "blue")


def test_tiles_are_refilled_from_a_row(context: Context) -> None:
    """BAU-R36"""
    screen = at(context, "base-3.txt", due("refill"), 10, REAL)
    del screen.match.throw
    hand, count = Hand.at(screen), len(screen.filled)
    held = [c for c, n in zip(COLOURS, screen.position.container, strict=True) for _ in range(n)][:count]
    look(hand, plain(held))
    hand.touch("confirm")
    assert screen.match.moves[-1] == " ".join(("refill", *held))


def test_a_tile_that_only_one_may_see_is_not_shown_to_the_camera(context: Context) -> None:
    """BAU-R17"""
    assert "camera" not in Hand.at(at(context, "base-2.txt", due("draw"), 0, REAL)).keys


@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_every_tile_can_be_touched(context: Context, size: Size) -> None:
    screen, _ = put_on_table(context, BauScreen, "base-2.txt", REAL)
    context.table.keep(f"ring {DEALT}")
    assert isinstance(screen, BauScreen)
    for chosen in (None, 7):
        screen.chosen = chosen
        keys = [w.key for w in screen.widgets(Canvas(Surface(size))) if w.key.startswith("tile-")]
        assert len(keys) == 30


def test_undo_leaves_a_tile_as_it_is_that_was_only_touched(hand: Hand) -> None:
    """Whoever has touched the wrong one does not lose the other twenty-nine."""
    screen = screen_of(hand)
    for colour in (COLOURS * 8)[:30]:
        list(screen.lay(colour))
    hand.press("undo")
    hand.touch("tile-3")
    hand.press("undo")
    assert "confirm" in hand.keys and len(words(hand)) == 30
    hand.press("undo")
    assert screen.sight is None


def test_whoever_has_laid_the_tiles_is_not_told_to_lay_them(hand: Hand) -> None:
    """BAU-R3."""
    for colour in (COLOURS * 8)[:30]:
        hand.effects += list(screen_of(hand).lay(colour))  # type: ignore[arg-type]
    assert Say("turn-red") in hand.effects


def test_whoever_draws_from_the_real_container_is_told_so_before(context: Context) -> None:
    """BAU-R17; nobody who does not read would know it else, and afterwards it is too late."""
    screen = at(context, "base-2.txt", due("draw"), 0, REAL)
    last = context.table.undo()
    assert last is not None
    assert "bau-drawn" in words_of(screen.play(last.text, last.by))
    assert "bau-drawn" not in words_of(screen.lay("red"))


def test_whoever_fills_the_trail_from_the_real_container_is_told_so_before(context: Context) -> None:
    """BAU-R3, R36, R45."""
    screen, _ = put_on_table(context, BauScreen, "base-2.txt", REAL)
    hand = Hand.at(screen)
    hand.wait(5)
    assert [effect for effect in hand.effects if isinstance(effect, Say)] == [Say("bau-fill")]
    for file in ("base-2.txt", "younger-2.txt"):
        screen = at(context, file, due("refill"), 10, REAL)
        last = context.table.undo()
        assert last is not None
        assert words_of(screen.play(last.text, last.by))[-1] == "bau-fill"
        again = Hand.at(BauScreen(context))
        again.wait(1)
        assert not again.effects, "only in the beginning nobody has heard it"


def words_of(steps: Iterator[Step]) -> list[str]:
    """What is spoken."""
    return [word for step in steps if isinstance(step, Say) for word in (step.word, *step.then)]


@pytest.mark.parametrize(("file", "what"), [("base-2.txt", "build"), ("younger-3.txt", "tile")])
def test_a_tile_that_was_entered_wrongly_is_corrected_where_that_shows(
    context: Context, file: str, what: str
) -> None:
    """At home, or where it is to be built: picked up or drawn, and whatever was played since stays."""
    screen = at(context, file, due(what), 10, REAL)
    hand, before, tiles = Hand.at(screen), screen.match.moves, brought(screen.position)
    if what == "build":
        assert len(set(steps.from_container(screen.frames, screen.position.due.player))) == 2
    others = tuple(COLOURS[(COLOURS.index(colour) + 1) % 4] for colour in tiles)
    for number, other in enumerate(others):
        hand.touch(f"tile-{number}", other)
        assert brought(screen.position) == (*others[: number + 1], *tiles[number + 1 :])
    words = (" ".join(texts).split() for texts in (before, screen.match.moves))
    changed = [pair for pair in zip(*words, strict=True) if pair[0] != pair[1]]
    assert sorted(changed) == sorted(zip(tiles, others, strict=True)) != []


@pytest.mark.parametrize(("brings", "fits"), [(5, True), (12, False)])
def test_a_pencil_says_that_tiles_can_be_corrected_where_a_finger_fits_on_them(
    context: Context, monkeypatch: pytest.MonkeyPatch, brings: int, fits: bool
) -> None:
    screen = at(context, "clever-3.txt", lambda p: due("build")(p) and len(brought(p)) >= brings, 0, REAL)
    hand, signs = Hand.at(screen), list[str]()
    monkeypatch.setattr(Canvas, "icon", lambda canvas, name, *where: signs.append(name))
    hand.stage.draw()
    assert ("pencil" in signs) is ("tile-0" in hand.keys) is fits


def test_what_lies_on_the_trail_in_a_colour_that_was_entered_wrongly_is_corrected_there(
    context: Context,
) -> None:
    screen = at(context, "base-2.txt", due("roll"), 10, REAL)
    hand, before = Hand.at(screen), screen.match.moves
    space = next(space for space, tile in enumerate(screen.position.trail) if tile == "red")
    empty = next(space for space, tile in enumerate(screen.position.trail) if tile is None)
    hand.touch(f"space-{space}", "green")
    assert screen.position.trail[space] == "green" and "throw" in hand.keys
    words = (" ".join(texts).split() for texts in (before, screen.match.moves))
    assert [pair for pair in zip(*words, strict=True) if pair[0] != pair[1]] == [("red", "green")]
    hand.touch(f"space-{space}", "undo")
    assert screen.position.trail[space] == "green" and "throw" in hand.keys, "nothing was taken back"
    hand.touch(f"space-{empty}")
    assert screen.trouble is not None and "throw" in hand.keys, "no tile was entered there"


def brought(position: Position) -> tuple[Colour, ...]:
    """What is to be built."""
    barrow = position.barrows[position.due.player]
    on_trail = position.trail[barrow.at]
    return (on_trail,) if on_trail else barrow.tiles


def test_a_colour_of_which_there_are_no_more_is_refused_and_the_game_stands(table_game: TableGame) -> None:
    dealt = ["red"] * 3 + ["blue"] * 18 + ["green"] * 9
    moves = [f"deal {' '.join(dealt)}", "roll 1 2", "move 3", "take", "roll 1 1", "move 1", "leave"]
    moves += ["roll 4 4", "move 8", "leave", "roll 1 1", "move 1", "leave"]
    moves += ["roll 5 6", "move 11", "leave", "roll 1 1", "move 1", "roll 5 6", "move 11"]
    screen = table_game("bau-boom", 2, manner=REAL, moves=moves)
    hand = Hand.at(screen)
    hand.touch("tile-0", "blue")
    assert screen.match.moves == moves and hand.effects[-1] == Sound("refused")
    assert screen.trouble == Message("That does not go with what was played since")
    hand.touch("undo")
    assert screen.match.moves == moves and "accept" in hand.keys, "it lets go of the tile first"
