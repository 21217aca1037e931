"""Bau Boom on the screen: two touches a turn, nothing given away, every state as a picture."""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pygame import Rect, Surface

from companion import troubles
from companion.events import LookAnew, Say, Seen, Sound
from companion.eye.throws import State
from companion.games.bau_boom import cards, paint, plan
from companion.games.bau_boom.choices import legal
from companion.games.bau_boom.dice_entry import DiceEntry
from companion.games.bau_boom.drive import Drive
from companion.games.bau_boom.hill import COLOURS, Colour
from companion.games.bau_boom.hill_view import HillView
from companion.games.bau_boom.knowledge import known
from companion.games.bau_boom.layout import targets
from companion.games.bau_boom.position import Barrow, Due, Options, Position
from companion.games.bau_boom.rules import opening
from companion.games.bau_boom.screen import BauScreen
from companion.games.bau_boom.steps import Card
from companion.games.bau_boom.tile_look import TileLook
from companion.games.bau_boom.workshop import Workshop
from companion.journal import Job
from companion.language import Message, Texts
from companion.players import COLOURS as SEATED
from companion.screens.base import Context, Screen
from companion.screens.canvas import Canvas
from companion.screens.dice import STATES, DiceScreen
from companion.screens.end import EndScreen
from companion.screens.game import AS_BEFORE
from companion.screens.home import resumed
from companion.screens.pause import HelpScreen
from companion.screens.setup import SetupScreen
from companion.screens.stage import Stage
from companion.table import Table
from tests.eye.tile_pictures import draw
from tests.games.bau_boom.hidden import turned
from tests.screens.checks import (
    SIZES,
    SMALLEST,
    TURNED,
    VIEWS,
    Size,
    check_picture,
    check_screen,
    pixels,
    size_name,
    staged,
    texts_watched,
    view_name,
)
from tests.screens.conftest import Hand, TableGame
from tests.screens.through import GOLDEN, put_on_table

LONG = "clever-4.txt"  # nearly twice as long as any other, and has nothing that the others have not
FILES = [path.name for path in GOLDEN["bau-boom"] if path.name != LONG]
REAL = {"container": "real"}
DEALT = " ".join(
    ["yellow red blue? green green blue red", "red? yellow blue green red"] * 2 + ["blue green yellow"] * 2
)
Wanted = Callable[[Position], bool]


def due(what: str, **more: object) -> Wanted:
    """Whether this is due."""
    return lambda p: (
        not p.over and p.due.what == what and all(getattr(p.due, k) == v for k, v in more.items())
    )


def at(
    context: Context, file: str, wanted: Wanted, skip: int = 0, manner: dict[str, str] | None = None
) -> BauScreen:
    """A golden game as soon as it comes to a position of some kind."""
    screen, moves = put_on_table(context, BauScreen, file, manner)
    assert isinstance(screen, BauScreen)
    for number, text in enumerate(moves):
        context.table.play(text)
        if number > skip and wanted(screen.position):
            screen.game.match.throw = lambda awaited: moves[len(screen.match.moves)]  # type: ignore[method-assign]
            return screen
    raise AssertionError("it does not come to that")


# Pictures


def with_cards(context: Context, file: str, sign: str) -> Screen:
    """Before a throw, with a card of some kind."""
    screen, moves = put_on_table(context, BauScreen, file)
    assert isinstance(screen, BauScreen)
    for text in moves:
        context.table.play(text)
        if due("roll")(screen.position) and sign in [card.sign for card in screen.cards]:
            return screen
    raise AssertionError(f"no {sign}")


def told(context: Context, file: str, *signs: str) -> BauScreen:
    """Before a throw, when a computer has just had its turn, with cards of some kinds."""
    screen, moves = put_on_table(context, BauScreen, file)
    assert isinstance(screen, BauScreen)
    screen.game.party = replace(
        screen.game.party, seats=tuple(replace(seat, name="", plays="computer") for seat in screen.seats)
    )
    for text in moves:
        context.table.play(text, "companion")
        if due("roll")(screen.position) and set(signs) <= {card.sign for card in screen.cards}:
            return screen
    raise AssertionError(f"no {signs}")


def draws_for_it(context: Context) -> Screen:
    screen = at(context, "base-2.txt", due("draw"), 0, REAL)
    seats = tuple(replace(seat, name="", plays="computer") for seat in screen.seats)
    screen.game.party = replace(screen.game.party, seats=seats)
    return screen


def looking(context: Context) -> Screen:
    screen = with_cards(context, "base-2.txt", "drawn")
    assert isinstance(screen, BauScreen)
    number = [card.sign for card in screen.cards].index("drawn")
    list(screen.looks(number))
    return screen


def without_camera(context: Context) -> Screen:
    context.camera.trouble = Message("No camera")
    return at(context, "base-4.txt", due("roll"), 60)


def one_die(context: Context) -> Screen:
    screen = at(context, "base-4.txt", due("roll"), 60)
    hand = Hand.at(screen)
    hand.show(3)
    return screen


def early(context: Context) -> Screen:
    """What was thrown before it was awaited: does it count?"""
    screen = at(context, "base-4.txt", due("roll"), 60)
    assert isinstance(screen, BauScreen)
    hand = Hand.at(screen)
    hand.doubt(3, 5, doubts=())
    assert "yes" in hand.keys
    return screen


def asked_for_it(context: Context, *doubts: int) -> Screen:
    """A computer's dice, which people have thrown: they are in doubt, or came too early."""
    screen = told(context, "base-4.txt", "drive")
    Hand.at(screen).doubt(3, 5, doubts=doubts)
    return screen


def large_hill(context: Context, file: str, sign: str = "build") -> Screen:
    """What a computer has built, or pays, from its card."""
    screen = told(context, file, "drive", "build", "back")
    return HillView(screen, next(card for card in screen.cards if card.sign == sign))


def three_entered(context: Context) -> Screen:
    screen = put_on_table(context, BauScreen, "base-4.txt", REAL)[0]
    assert isinstance(screen, BauScreen)
    for colour in COLOURS[:3]:
        list(screen.lay(colour))
    return screen


def entering(context: Context) -> Screen:
    screen = at(context, "base-3.txt", due("refill"), 10, REAL)
    list(screen.lay("red"))
    return screen


def checking_refill(context: Context) -> Screen:
    """The camera has seen the tiles of a refill, after somebody has built."""
    screen = at(context, "base-3.txt", due("refill"), 10, REAL)
    assert "build" in [card.sign for card in screen.cards]
    context.table.keep(" ".join(["rows", *["yellow"] * 3, *["green"] * (len(screen.filled) - 3)]))
    return screen


def checking(context: Context, draft: str, chosen: int | None = None) -> Screen:
    """Before a deal that the camera has seen."""
    screen = put_on_table(context, BauScreen, "base-4.txt", REAL)[0]
    assert isinstance(screen, BauScreen)
    context.table.keep(draft)
    screen.chosen = chosen
    return screen


def recolouring(context: Context, file: str, what: str, chosen: int = 0) -> Screen:
    """One of the tiles that people have entered has another colour."""
    screen = at(context, file, due(what), 10, REAL)
    screen.chosen = chosen
    return screen


def tile_look(context: Context) -> Screen:
    screen = put_on_table(context, BauScreen, "base-4.txt", REAL)[0]
    assert isinstance(screen, BauScreen)
    look = TileLook(screen, screen.saw)
    list(look.handle(Seen(draw(6, "ring").image, (), State.NOTHING, None)))
    return look


def reading_tiles(context: Context) -> Screen:
    look = tile_look(context)
    list(look.widgets(Canvas(Surface((800, 480))))[0].act())
    return look


def tile_look_without_camera(context: Context) -> Screen:
    context.camera.trouble = troubles.camera("MISSING", "auto")
    return tile_look(context)


def open_hand(context: Context) -> Screen:
    screen = at(context, "younger-2.txt", due("drawn"))
    screen.open_hand = True
    return screen


def correcting(context: Context) -> Screen:
    screen = at(context, "base-2.txt", due("move"))
    return DiceEntry(screen, screen.corrected, screen.position.dice)


def only_the_container(context: Context) -> Screen:
    setup = SetupScreen(context, BauScreen)
    setup.values["depth"] = "container"
    return setup


def driving(context: Context) -> Screen:
    screen, moves = put_on_table(context, BauScreen, "base-2.txt")
    for text in moves[:8]:
        context.table.play(text)
    list(screen.play(moves[8]))
    context.now += 0.1
    return screen


def rules_page(number: int) -> Callable[[Context], Screen]:
    return lambda context: HelpScreen(context, BauScreen.guide, number)


SCREENS: dict[str, Callable[[Context], Screen]] = {
    "bau-dealt": lambda context: with_cards(context, "base-3.txt", "lay"),
    "bau-roll": lambda context: at(context, "mixed-hills.txt", due("roll"), 30),
    "bau-no-camera": without_camera,
    "bau-told": lambda context: told(context, "base-4.txt", "drive", "take"),
    "bau-told-push": lambda context: told(context, "base-4.txt", "drive", "push"),
    "bau-told-secret": lambda context: told(context, "base-3.txt", "drive", "drawn"),
    "bau-told-home": lambda context: told(context, "base-2.txt", "drive", "build", "back"),
    "bau-told-draw": draws_for_it,
    "bau-hill": lambda context: large_hill(context, "base-2.txt"),
    "bau-hill-15": lambda context: large_hill(context, "clever-2.txt"),
    "bau-hill-paid": lambda context: large_hill(context, "younger-4.txt", "back"),
    "bau-told-asked": lambda context: asked_for_it(context, 0),
    "bau-told-early": asked_for_it,
    "bau-one-die": one_die,
    "bau-early": early,
    "bau-move": lambda context: at(context, "base-2.txt", due("move"), 40),
    "bau-move-four": lambda context: at(context, "clever-4.txt", due("move"), 40),
    "bau-driving": driving,
    "bau-take": lambda context: at(context, "base-3.txt", due("tile", forced=False), 30),
    "bau-build": lambda context: at(context, "base-2.txt", due("build"), 10),
    "bau-build-15": lambda context: at(
        context, "clever-3.txt", lambda p: due("build")(p) and len(p.barrows[p.due.player].tiles) > 5
    ),
    "bau-pay": lambda context: at(context, "base-2.txt", due("pay"), 10),
    "bau-after-building": lambda context: with_cards(context, "base-2.txt", "back"),
    "bau-pushed": lambda context: with_cards(context, "chain-to-the-start.txt", "push"),
    "bau-anteater": lambda context: with_cards(context, "base-3.txt", "anteater"),
    "bau-secret": lambda context: with_cards(context, "base-2.txt", "drawn"),
    "bau-looking": looking,
    "bau-younger": lambda context: at(context, "younger-3.txt", due("tile", forced=False), 30),
    "bau-younger-drawn": lambda context: at(context, "younger-2.txt", due("drawn")),
    "bau-younger-open": open_hand,
    "bau-real-deal": lambda context: put_on_table(context, BauScreen, "base-4.txt", REAL)[0],
    "bau-real-three": three_entered,
    "bau-real-refill": entering,
    "bau-real-refill-check": checking_refill,
    "bau-real-look": tile_look,
    "bau-real-reading": reading_tiles,
    "bau-real-no-camera": tile_look_without_camera,
    "bau-real-check": lambda context: checking(context, f"ring {DEALT}"),
    "bau-real-check-row": lambda context: checking(context, "red blue rows green yellow red? - blue"),
    "bau-real-check-one": lambda context: checking(context, f"ring {DEALT}", 3),
    "bau-real-missing": lambda context: checking(context, f"ring {DEALT.replace('red', '-', 2)}"),
    "bau-real-draw": lambda context: at(context, "base-2.txt", due("draw"), 0, REAL),
    "bau-real-build": lambda context: at(context, "base-2.txt", due("build"), 10, REAL),
    "bau-real-colour": lambda context: recolouring(context, "base-2.txt", "build"),
    "bau-real-colour-trail": lambda context: recolouring(context, "base-2.txt", "roll", 20),
    "bau-real-colour-younger": lambda context: recolouring(context, "younger-3.txt", "tile"),
    "bau-over": lambda context: at(context, "base-2.txt", lambda p: p.over),
    "bau-dice": lambda context: DiceEntry(at(context, "base-2.txt", due("roll"), 10), lambda dice: iter(())),
    "bau-dice-missing": lambda context: DiceEntry(
        at(context, "base-2.txt", due("roll"), 10), lambda dice: iter(()), (3,)
    ),
    "bau-dice-correct": correcting,
    "bau-setup": lambda context: SetupScreen(context, BauScreen),
    "bau-setup-container": only_the_container,
} | {f"bau-rules-{number}": rules_page(number) for number in range(len(BauScreen.guide))}


@pytest.mark.parametrize("name", SCREENS)
def test_pictures(context: Context, pictures: Path, name: str) -> None:
    screen = SCREENS[name](context)
    below = getattr(screen, "game", None) if screen.overlay else None
    if screen.overlay and below is None:
        below = SCREENS["bau-move"](context)
    check_screen(context, pictures, name, screen, below)


@pytest.mark.parametrize("size", [(800, 480), (720, 1280), TURNED], ids=size_name)
def test_what_a_card_says_is_large_enough_where_there_are_four(
    context: Context, monkeypatch: pytest.MonkeyPatch, size: Size
) -> None:
    screen = told(context, "base-4.txt", "drive", "take")
    one: tuple[int, ...] = (1,)
    tiles: tuple[Colour, ...] = ("red", "blue", "red")
    said: list[Card] = [Card(sign, one, spaces=11) for sign in ("drive", "push", "take", "drawn", "anteater")]
    said += [Card("return", one), Card("stay", one), Card("build", one, places=((1, 1),))]
    said += [Card("back", one, tiles), Card("lay", tiles=tiles), Card("drawn", (0,)), Card("take", (0, 2))]
    for first in range(0, len(said), 4):
        monkeypatch.setattr(BauScreen, "cards", said[first : first + 4])
        with texts_watched() as texts:
            staged(context, screen, size).draw()
        assert [(words, high) for words, high, fits in texts if high < SMALLEST or not fits] == []


@pytest.mark.parametrize(("size", "language"), VIEWS, ids=view_name)
def test_where_more_than_four_things_are_to_be_done_none_is_out_of_reach(
    context: Context, pictures: Path, monkeypatch: pytest.MonkeyPatch, size: Size, language: str
) -> None:
    """What comes first is shown first, and the next throw begins there again"""
    screen, places = told(context, "base-4.txt", "drive", "take"), ((1, 1),)
    asked = [Card("drive", (0,), spaces=11), Card("push", (1,), spaces=1), Card("build", (1,), places=places)]
    asked += [Card("back", (1,), ("red",)), Card("lay", tiles=("red",)), Card("anteater", (2,))]
    asked += [Card("push", (3,), spaces=1), Card("drawn", (3,)), Card("stay", (0,))]
    monkeypatch.setattr(BauScreen, "cards", asked)
    hand, seen = Hand.at(screen, size), list[str]()
    while True:
        with monkeypatch.context() as patch:
            patch.setattr(cards, "draw", lambda c, box, card, *_: seen.append(card.sign))
            hand.stage.draw()
        check_picture(context, pictures, f"bau-many-{len(seen)}", hand.stage, size, language)
        if "down" not in hand.keys:
            break
        hand.touch("down")
    assert seen == [card.sign for card in asked] and "up" in hand.keys
    hand.show(3, 5)
    hand.wait(1.5)
    assert "down" in hand.keys and "up" not in hand.keys


@pytest.mark.parametrize("name", ["bau-build-15", "bau-told-home", "bau-told-secret"])
def test_on_the_seven_inch_screen_set_upright_all_is_large_enough(
    context: Context, pictures: Path, name: str
) -> None:
    check_picture(context, pictures, name, staged(context, SCREENS[name](context), TURNED), TURNED, "de")


@pytest.mark.parametrize("name", ["bau-roll", "bau-move-four", "bau-after-building"])
@pytest.mark.parametrize("large", [False, True])
def test_large_texts_and_high_contrast_find_room(context: Context, name: str, large: bool) -> None:
    context.settings = replace(context.settings, large_text=large, high_contrast=not large)
    stage = staged(context, SCREENS[name](context), (800, 480))
    with texts_watched() as texts:
        stage.draw()
    assert texts and all(fits for _, _, fits in texts)


# Golden games


def touch_for(hand: Hand, screen: BauScreen, text: str) -> None:
    """Do with dice and finger what a move says."""
    word, *rest = text.split()
    if word == "roll":
        hand.clear()
        hand.show(*map(int, rest))
    elif word in ("deal", "refill", "draw"):
        hand.touch(*rest)
    elif word == "place" and text not in hand.keys:  # a drawn tile is still a secret
        before = len(screen.match.moves)
        hand.touch("build")
        if len(screen.match.moves) == before:
            hand.touch(text)
    else:
        hand.touch(text)


def through(context: Context, file: str, manner: dict[str, str] | None = None) -> Iterator[tuple[Hand, str]]:
    """Play a golden game with dice and fingers; yield after each thing that somebody has done."""
    screen, moves = put_on_table(context, BauScreen, file, manner)
    assert isinstance(screen, BauScreen)
    hand = Hand.at(screen)
    hand.wait(0.1)
    while (played := len(screen.match.moves)) < len(moves):
        touch_for(hand, screen, moves[played])
        hand.wait(0.5)
        now = screen.match.moves
        assert len(now) > played and now == moves[: len(now)]
        yield hand, moves[played]
    assert isinstance(hand.stage.top, EndScreen) or not screen.position.over


@pytest.mark.parametrize("file", FILES)
def test_golden_games_can_be_played(context: Context, file: str) -> None:
    """All variants and mixed hills. A turn needs two touches at most: the number, and take or leave. Only a
    hill of its own choosing takes more. Nothing that is said names a colour of a tile (BAU-R16).
    """
    turn, before = [0], 0
    for hand, text in through(context, file):
        if text.startswith("roll"):
            turn.append(0)
        elif not text.startswith(("place", "remove")):
            turn[-1] += hand.touches - before
        before = hand.touches
    assert 1 <= max(turn) <= 2, turn
    players = {f"{what}-{colour}" for what in ("turn", "wins") for colour in SEATED}
    said = {clip for each in hand.effects if isinstance(each, Say) for clip in (each.word, *each.then)}
    assert said and all(clip in players or clip.startswith("bau-") for clip in said), said


@pytest.mark.parametrize("file", [file for file in FILES if not file.endswith(("-3.txt", "-4.txt"))])
def test_people_may_draw_and_enter_what_they_draw(context: Context, file: str) -> None:
    """For more than two it is the same."""
    assert len(list(through(context, file, REAL))) > 5


def test_a_space_on_the_trail_can_be_touched_as_well(context: Context) -> None:
    screen = at(context, "base-2.txt", due("move"), 40)
    hand, player = Hand.at(screen), screen.position.due.player
    number = screen.position.dice[0]
    origin = screen.position.barrows[player].at
    hand.touch(f"to-{number}")
    assert screen.position.barrows[player].at == (origin + number) % 33


def test_a_touch_on_the_board_that_is_no_move_is_refused_and_it_is_said_why(context: Context) -> None:
    """BAU-R11, R12, R15, R29 to R34; the panel passes such spaces and places by."""

    def refuses(screen: BauScreen, *touches: tuple[str, str]) -> None:
        hand, moves = Hand.at(screen), screen.match.moves
        assert {key for key, _ in touches} <= set(
            mute := [w.key for w in hand.stage.widgets() if w.by_finger]
        )
        for key, why in touches:
            hand.touch(key)
            assert screen.trouble and str(screen.trouble.text) == why
            assert hand.effects[-1] == Sound("refused") and screen.match.moves == moves
            with texts_watched() as texts:
                hand.stage.draw()
            asked = context.t.say(screen.prompt().text)
            assert asked in [words for words, _, _ in texts], "what is asked can be read all the same"
        for _ in hand.keys:
            hand.press("right")
            assert hand.stage.focus not in mute

    refuses(at(context, "base-2.txt", due("roll"), 40), ("space-3", "the dice are thrown first"))
    screen = at(context, "base-2.txt", due("move"), 40)
    own = screen.position.barrows[screen.position.due.player].at
    refuses(screen, (f"space-{own}", "the dice show {one} and {other}"))
    screen = at(context, "base-2.txt", due("tile", forced=False), 40)
    refuses(screen, ("space-1", "First this tile"))
    refuses(
        at(context, "base-2.txt", due("build"), 60),
        ("space-1", "Now you build"),
        ("place blue 3.2", "First both below it"),
        ("place yellow 3.1", "there is no such tile to lay: {colour}"),
    )
    refuses(
        at(context, "base-2.txt", due("pay"), 60),
        ("remove 1.2", "another tile lies on it"),
        ("remove 4.1", "No tile lies there"),
    )
    refuses(at(context, "base-2.txt", due("draw"), 0, REAL), ("space-1", "First draw a tile"))
    dealt, _ = put_on_table(context, BauScreen, "base-2.txt", REAL)
    assert isinstance(dealt, BauScreen)
    refuses(dealt, ("space-1", "the tiles are dealt first"))
    Hand.at(dealt).touch("red")
    assert dealt.trouble is None


def test_a_second_tap_answers_nothing_that_has_only_come_then(
    context: Context, table_game: TableGame
) -> None:
    """BAU-R42, R45: or a secret tile is kept unseen, and a wrong one entered."""

    def taps_twice(screen: BauScreen, key: str) -> None:
        hand = Hand.at(screen)
        hand.touch(key)
        moves = screen.match.moves
        hand.context.now += 0.2
        hand.tap(key)
        assert screen.match.moves == moves

    screen, moves = put_on_table(context, BauScreen, "younger-4.txt", REAL)
    for text in moves[:22]:
        context.table.play(text)
    assert isinstance(screen, BauScreen)
    taps_twice(screen, moves[22].removeprefix("refill "))
    assert screen.position.due.what == "draw"
    screen, chance = table_game("bau-boom", 2, {"variant": "younger"}), random.Random(0)
    while screen.position.due.what != "tile" or "take" not in texts_of(screen) or not texts_of(screen)[1:]:
        awaited = screen.match.awaits[0]
        context.table.play(chance.choice(texts_of(screen)) if awaited.moves else screen.match.throw(awaited))
    taps_twice(screen, "take")
    assert screen.position.due.what == "drawn"


def texts_of(screen: BauScreen) -> list[str]:
    return screen.match.texts(screen.match.awaits[0]) or []


@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_no_two_targets_on_the_trail_overlap(context: Context, size: Size) -> None:
    screen = at(context, "base-2.txt", due("move"), 40)
    where, side = screen.layout(Canvas(Surface(size))), Canvas(Surface(size)).px(47)
    for first in range(1, 33):
        for steps in ((1, 2, 3), (1, 6, 7), (2, 3, 5), (3, 3, 6)):
            boxes = targets(where, [(first + step) % 33 for step in dict.fromkeys(steps)], side)
            shown = [box for box in boxes if box]
            assert where.action.collidelist(shown) == -1, "nor what is beside them"
            assert len(shown) >= len(boxes) - 1
            assert all(box.collidelist(shown[:i]) == -1 for i, box in enumerate(shown))
            assert all(Rect((0, 0), size).contains(box) for box in shown)


def test_an_arrival_needs_one_touch(context: Context) -> None:
    """BAU-R29 to R34: built and paid as proposed; one undo takes all of it back"""
    screen = at(context, "base-2.txt", due("build"), 10)
    before, player = screen.position, screen.position.due.player
    expected = plan.accepting(before)
    del screen.match.throw
    hand = Hand.at(screen)
    hand.touch("accept")
    hand.wait(0.5)
    laid = len([move for move in expected if type(move).__name__ == "Lay"])
    paid = len(expected) - laid - 1
    assert len(screen.position.covered[player]) == len(before.covered[player]) + laid - paid
    assert screen.position.due.what == "roll", "refilled by itself"
    hand.touch("undo")
    assert screen.position == before


# Dice


@pytest.fixture
def throwing(context: Context) -> Hand:
    """Before a throw in the midst of a game, in which chance is free."""
    screen = at(context, "base-2.txt", due("roll"), 10)
    del screen.match.throw
    return Hand.at(screen)


def screen_of(hand: Hand) -> BauScreen:
    screen = hand.stage.stack[1]
    assert isinstance(screen, BauScreen)
    return screen


@pytest.mark.parametrize("faces", [(3,), (3, 4, 5)])
def test_another_number_of_dice_than_two_is_no_throw(throwing: Hand, faces: tuple[int, ...]) -> None:
    """BAU-R11"""
    screen = screen_of(throwing)
    throwing.show(*faces)
    assert screen.position.due.what == "roll" and screen.trouble
    assert Say("throw-two") in throwing.effects
    throwing.show(3, 4)
    assert screen.position.dice == (3, 4) and screen.trouble is None


def test_who_takes_away_one_die_too_many_has_thrown_the_others(throwing: Hand) -> None:
    screen = screen_of(throwing)
    throwing.show(2, 5, 6)
    assert screen.trouble
    throwing.leave(2, 5)
    assert screen.trouble, "one of them was overlooked for a moment: nothing has moved"
    throwing.stir()
    throwing.leave(2, 5, 6)
    assert screen.trouble
    throwing.stir()
    throwing.leave(2, 5)
    assert screen.trouble is None and LookAnew() in throwing.effects
    throwing.show(2, 5, found=True)
    throwing.touch("yes")
    assert screen.match.moves[-1] == "roll 2 5"


def test_dice_that_are_asked_about_are_so_though_one_is_taken_up(throwing: Hand) -> None:
    throwing.doubt(2, 5)
    throwing.stir()
    throwing.leave(2)
    assert LookAnew() not in throwing.effects
    throwing.touch("yes")
    assert screen_of(throwing).match.moves[-1] == "roll 2 5"


def test_what_could_not_be_taken_is_not_spoken_of_any_more_when_it_has_gone(throwing: Hand) -> None:
    throwing.show(2, 5, 6)
    throwing.stir()
    throwing.clear()
    assert screen_of(throwing).trouble is None and not screen_of(throwing).glimpse
    assert LookAnew() not in throwing.effects, "they may only be covered"


@pytest.mark.parametrize("state", [State.COCKED, State.CUT_OFF])
def test_a_die_that_lies_badly_is_said_to_those_who_hear_nothing_too(throwing: Hand, state: State) -> None:
    words = throwing.context.t(STATES[state][1])

    def written() -> bool:
        with texts_watched() as texts:
            throwing.stage.draw()
        return words in [each for each, _, _ in texts]

    throwing.show(3)
    throwing.lean(state)
    assert written(), "whatever was wrong before"
    throwing.stir()
    assert not written()
    throwing.show(3, 4)
    throwing.lean(state)
    assert not written(), "nobody is to throw"


def test_dice_that_nobody_awaits_are_no_throw(throwing: Hand) -> None:
    throwing.show(3, 4)
    throwing.show(1, 1)
    assert screen_of(throwing).position.dice == (3, 4)


def test_a_die_that_was_read_wrongly_is_corrected(throwing: Hand) -> None:
    throwing.show(2, 5)
    throwing.touch("die-0", "die-0-4")
    screen = screen_of(throwing)
    assert screen.position.dice == (4, 5) and throwing.stage.top is screen
    current = throwing.context.table.log.current
    assert current and current.faces == (4, 5) and current.corrected


def test_a_die_may_be_corrected_twice(throwing: Hand) -> None:
    throwing.show(2, 5)
    throwing.touch("die-0", "die-0-4", "die-1", "die-1-6")
    assert screen_of(throwing).position.dice == (4, 6)
    current = throwing.context.table.log.current
    assert current and current.faces == (4, 6)


def test_the_eye_may_think_better_of_a_throw_but_knows_no_better_than_people(throwing: Hand) -> None:
    screen = screen_of(throwing)
    throwing.show(2, 5)
    throwing.show(3, 5, revises=True)
    assert screen.position.dice == (3, 5) and len(throwing.context.table.log.throws) == 1
    throwing.touch("die-0", "die-0-6")
    throwing.show(1, 5, revises=True)
    assert screen.position.dice == (6, 5) and screen.waiting is None, "it is read anew once"


def test_the_eye_knows_no_better_than_who_has_said_that_it_is_right(throwing: Hand) -> None:
    throwing.doubt(2, 5)
    throwing.touch("yes")
    throwing.show(2, 6, revises=True)
    current = throwing.context.table.log.current
    assert screen_of(throwing).position.dice == (2, 5) and current and current.faces == (2, 5)


def test_what_the_eye_reads_while_somebody_says_what_it_is_is_not_the_next_players_throw(
    table_game: TableGame,
) -> None:
    hand = to_throw(table_game)
    hand.doubt(2, 6, doubts=(1,))
    hand.touch("die-1")
    hand.show(2, 6, revises=True)
    hand.touch("die-1-5")
    moves_on(hand)
    assert screen_of(hand).position.due.what == "roll" and "yes" not in hand.keys
    assert [throw.faces for throw in hand.context.table.log.throws] == [(2, 5)]


def test_dice_that_were_taken_off_elsewhere_are_asked_for(throwing: Hand) -> None:
    log = throwing.context.table.log
    dice = Hand.at(DiceScreen(throwing.context))
    dice.doubt(2, 5)
    assert log.current
    log.correct(log.current, 0, None)
    throwing.doubt(2, 5, found=True)
    assert screen_of(throwing).trouble and "yes" not in throwing.keys


def test_a_doubt_about_the_throw_in_play_leaves_it_as_it_is(throwing: Hand) -> None:
    throwing.show(2, 5)
    throwing.effects.clear()
    throwing.doubt(2, 6, doubts=(1,), revises=True)
    assert throwing.effects == []
    throwing.touch("die-1", "die-1-6")
    current = throwing.context.table.log.current
    assert screen_of(throwing).position.dice == (2, 6) and current and current.faces == (2, 6)


def test_a_throw_while_the_rules_are_open_counts_when_they_are_closed(throwing: Hand) -> None:
    throwing.touch("help")
    throwing.show(2, 5)
    throwing.wait(1)
    assert screen_of(throwing).position.due.what == "roll"
    throwing.press("back")
    throwing.wait(0.2)
    assert screen_of(throwing).position.dice == (2, 5)


def test_of_two_throws_while_the_rules_are_open_the_last_one_counts(throwing: Hand) -> None:
    throwing.touch("help")
    throwing.show(2, 5)
    throwing.stir()
    throwing.show(3, 4)
    throwing.show(3, 6, revises=True)
    throwing.press("back")
    throwing.wait(0.2)
    assert screen_of(throwing).match.moves[-1] == "roll 3 6"
    assert len(throwing.context.table.log.throws) == 1


def test_a_throw_that_was_taken_away_while_the_rules_were_open_does_not_count(throwing: Hand) -> None:
    throwing.touch("help")
    throwing.show(2, 5)
    throwing.clear()
    throwing.press("back")
    throwing.wait(0.2)
    assert screen_of(throwing).position.due.what == "roll" and not throwing.context.table.log.throws


def test_why_a_throw_is_none_is_said_until_somebody_touches_it_whatever_the_eye_loses(throwing: Hand) -> None:
    throwing.stir()
    throwing.show(2)
    throwing.leave()
    assert screen_of(throwing).trouble
    throwing.stir()
    throwing.leave()
    assert not screen_of(throwing).trouble


@pytest.mark.parametrize("found", [1, 2])
def test_a_throw_that_was_made_while_the_rules_were_open_counts_if_all_of_it_may_lie_there(
    throwing: Hand, found: int
) -> None:
    """What is found is more than what can be read just then."""
    throwing.touch("help")
    throwing.show(2, 5)
    throwing.leave(2, found=found)
    throwing.press("back")
    throwing.wait(0.2)
    assert (screen_of(throwing).position.due.what == "roll") is (found == 1)


def test_a_hand_at_dice_that_were_thrown_meanwhile_is_waited_for(throwing: Hand) -> None:
    throwing.touch("help")
    throwing.show(2, 5)
    throwing.stir()
    throwing.press("back")
    throwing.wait(0.2)
    assert screen_of(throwing).position.due.what == "roll"
    throwing.show(6, 5)
    throwing.wait(0.2)
    assert screen_of(throwing).position.dice == (6, 5)


def test_who_throws_too_early_is_asked_when_it_is_the_turn(context: Context, table_game: TableGame) -> None:
    hand = to_throw(table_game)
    screen = screen_of(hand)
    hand.show(2, 5)
    hand.touch("move 2")
    hand.wait(0.5)
    hand.show(1, 6)
    hand.wait(0.5)
    assert "yes" not in hand.keys and len(context.table.log.throws) == 1
    hand.touch("leave")
    hand.wait(0.5)
    assert screen.position.turn == 1
    hand.touch("yes")
    assert screen.match.moves[-1] == "roll 1 6"
    assert [throw.faces for throw in context.table.log.throws] == [(1, 6), (2, 5)]


def test_an_early_throw_is_asked_about_as_long_as_all_of_it_lies_there(table_game: TableGame) -> None:
    """A die that was taken up will be thrown again, or has only been held."""
    hand = to_throw(table_game)
    hand.show(2, 5)
    hand.touch("move 2")
    hand.wait(0.5)
    hand.show(1, 6)
    hand.stir()
    hand.leave(1)
    hand.touch("leave")
    hand.wait(0.5)
    assert screen_of(hand).position.turn == 1 and "yes" not in hand.keys
    hand.leave(1, 6)
    hand.wait(0.1)
    assert "yes" in hand.keys
    hand.touch("no")
    hand.leave(1)
    hand.show(1, 3)
    assert screen_of(hand).match.moves[-1] == "roll 1 3"


def test_while_a_throw_waits_the_panel_points_at_what_can_be_touched(table_game: TableGame) -> None:
    hand = to_throw(table_game)
    hand.show(2, 5)
    hand.press("right", "confirm")
    hand.wait(0.5)
    hand.show(1, 6)
    assert hand.stage.focus == "take"


def test_dice_entered_by_hand_are_not_read_as_the_next_players_throw(
    context: Context, table_game: TableGame
) -> None:
    hand = to_throw(table_game)
    screen = screen_of(hand)
    hand.show(2)
    hand.touch("by-hand", "die-0-2", "die-1-5")
    moves_on(hand)
    hand.show(2, 5, revises=True)
    hand.wait(0.5)
    assert screen.position.due.what == "roll" and screen.position.turn == 1


def to_throw(table_game: TableGame) -> Hand:
    """Anna is to throw first."""
    hand = Hand.at(table_game("bau-boom", 2, seed="a"))
    hand.wait(0.1)
    return hand


def moves_on(hand: Hand) -> None:
    """Anna moves by 2 and leaves it at that; Ben is to throw."""
    hand.touch("move 2")
    hand.wait(0.5)
    hand.touch("leave")
    hand.wait(0.5)


def after_a_move(table_game: TableGame) -> Hand:
    """Anna has thrown 2 and 5, and moved; Ben is to throw."""
    hand = to_throw(table_game)
    hand.show(2, 5)
    moves_on(hand)
    return hand


def test_dice_that_lie_there_after_a_power_cut_are_not_the_next_players_throw(table_game: TableGame) -> None:
    hand = after_a_move(table_game)
    hand.show(5, 2, found=True)
    screen = screen_of(hand)
    assert screen.position.due.what == "roll" and "yes" not in hand.keys
    assert len(hand.context.table.log.throws) == 1
    hand.show(2, 6, revises=True)
    assert screen.position.due.what == "roll"
    hand.clear()
    hand.show(2, 5)
    assert screen.match.moves[-1] == "roll 2 5"


def cut(hand: Hand) -> Hand:
    """The power is cut, and comes back."""
    context = hand.context
    context.table = Table(context.table._store)
    (screen,) = resumed(context)
    again = Hand.at(screen)
    again.number = hand.number
    return again


def test_dice_that_were_thrown_while_nobody_looked_are_asked_about(table_game: TableGame) -> None:
    hand = after_a_move(table_game)
    hand.show(3, 5, found=True)
    hand = cut(hand)
    assert "yes" not in hand.keys
    hand.show(3, 5, found=True)
    assert hand.widget("yes").label == "Ja, er zählt"
    hand.touch("yes")
    assert screen_of(hand).match.moves[-1] == "roll 3 5"
    assert [throw.faces for throw in hand.context.table.log.throws] == [(3, 5), (2, 5)]


class PowerCutError(Exception):
    """The machine is off."""


@pytest.mark.parametrize("answered", [False, True])
@pytest.mark.parametrize("written", [0, 1])
def test_a_throw_is_there_after_a_power_cut_at_any_moment(
    table_game: TableGame, monkeypatch: pytest.MonkeyPatch, answered: bool, written: int
) -> None:
    """It is the move, or is asked about; be it read at once or answered."""
    hand = to_throw(table_game)
    if answered:
        hand.doubt(2, 5)
    journal = hand.context.table._journal
    jobs: list[Job] = []

    def write(job: Job) -> None:
        if len(jobs) == written:
            raise PowerCutError
        jobs.append(job)
        job()

    monkeypatch.setattr(journal, "write", write)
    with pytest.raises(PowerCutError):
        if answered:
            hand.touch("yes")
        else:
            hand.show(2, 5)
    hand = cut(hand)
    hand.show(2, 5, found=True)
    if not written:
        hand.touch("yes")
    assert screen_of(hand).match.moves[-1] == "roll 2 5"


@pytest.mark.parametrize("how", ["no", "undo"])
def test_dice_that_people_have_declined_are_not_asked_about_after_a_power_cut(
    table_game: TableGame, how: str
) -> None:
    hand = after_a_move(table_game)
    before = list(screen_of(hand).match.moves)
    hand.show(3, 5, found=True)
    hand.touch(how)
    hand = cut(hand)
    hand.show(3, 5, found=True)
    assert "yes" not in hand.keys and screen_of(hand).match.moves == before
    hand.show(3, 5)
    assert screen_of(hand).match.moves[-1] == "roll 3 5"


def test_dice_that_were_entered_and_lie_there_after_a_power_cut_are_not_asked_about(
    table_game: TableGame,
) -> None:
    hand = cut(entered(table_game))
    hand.show(5, 2, found=True)
    assert "yes" not in hand.keys and hand.context.table.log.throws == ()


def test_dice_that_were_corrected_and_lie_there_after_a_power_cut_are_not_asked_about(
    table_game: TableGame,
) -> None:
    hand = to_throw(table_game)
    hand.doubt(2, 6)
    hand.touch("die-1", "die-1-5")
    moves_on(hand)
    hand = cut(hand)
    hand.doubt(2, 6, found=True)
    assert screen_of(hand).position.due.what == "roll" and "yes" not in hand.keys


def test_dice_that_nobody_had_confirmed_before_a_power_cut_are_asked_about_again(throwing: Hand) -> None:
    throwing.doubt(2, 5)
    again = Hand.at(type(screen_of(throwing))(throwing.context))
    again.wait(0.1)
    assert "yes" not in again.keys
    again.doubt(2, 5, doubts=(1,), found=True)
    asked = screen_of(again).asked
    assert asked and asked.doubts == {1: None}, "the question is whether it was read rightly"
    again.touch("yes")
    assert screen_of(again).match.moves[-1] == "roll 2 5"
    assert len(throwing.context.table.log.throws) == 1


def test_who_leaves_while_dice_are_asked_about_lets_them_be_found_again(throwing: Hand) -> None:
    throwing.doubt(2, 5)
    throwing.press("back")
    assert LookAnew() in throwing.effects


def test_who_leaves_after_dice_were_refused_lets_them_be_found_again(throwing: Hand) -> None:
    throwing.show(3)
    throwing.press("back")
    assert LookAnew() in throwing.effects


def test_who_leaves_while_nothing_is_asked_does_not(throwing: Hand) -> None:
    throwing.show(2, 5)
    throwing.press("back")
    assert LookAnew() not in throwing.effects


@pytest.mark.parametrize("late", [False, True])
def test_dice_entered_by_hand_that_a_slow_eye_reads_then_are_nobodys_throw(
    table_game: TableGame, late: bool
) -> None:
    """While a number is chosen, or when the next one is to throw already."""
    hand = to_throw(table_game)
    hand.touch("by-hand", "die-0-2", "die-1-5")
    if not late:
        hand.show(5, 2)
    moves_on(hand)
    if late:
        hand.show(5, 2)
    assert screen_of(hand).position.due.what == "roll" and "yes" not in hand.keys
    assert [throw.faces for throw in hand.context.table.log.throws] == [(5, 2)]
    hand.clear()
    hand.show(2, 5)
    assert screen_of(hand).match.moves[-1] == "roll 2 5"


def test_what_is_thrown_after_dice_were_entered_by_hand_is_asked_about(table_game: TableGame) -> None:
    hand = to_throw(table_game)
    hand.touch("by-hand", "die-0-2", "die-1-5")
    hand.stir()
    hand.show(3, 4)
    moves_on(hand)
    hand.touch("yes")
    assert screen_of(hand).match.moves[-1] == "roll 3 4"
    assert [throw.faces for throw in hand.context.table.log.throws] == [(3, 4)]


def test_dice_found_after_some_were_entered_without_a_camera_are_asked_about(table_game: TableGame) -> None:
    hand = entered(table_game)
    hand.show(3, 4, found=True)
    hand.touch("yes")
    assert screen_of(hand).match.moves[-1] == "roll 3 4"
    assert [throw.faces for throw in hand.context.table.log.throws] == [(3, 4)]


def test_what_is_entered_and_corrected_is_kept_as_it_was_corrected(table_game: TableGame) -> None:
    hand = to_throw(table_game)
    hand.touch("by-hand", "die-0-2", "die-1-5", "die-1", "die-1-6")
    hand.show(2, 5)
    assert [throw.faces for throw in hand.context.table.log.throws] == [(2, 6)]


def handed_on(table_game: TableGame, taken_up: bool = False) -> Hand:
    """Dice that show the same again come to lie there before the next one is to throw."""
    hand = to_throw(table_game)
    hand.show(2, 5)
    hand.touch("move 2")
    hand.wait(0.5)
    hand.stir()
    if taken_up:
        hand.clear()
    hand.show(5, 2)
    hand.touch("leave")
    hand.wait(0.5)
    return hand


def test_dice_that_are_handed_on_to_the_next_player_are_not_asked_about(table_game: TableGame) -> None:
    hand = handed_on(table_game)
    assert screen_of(hand).position.turn == 1 and "yes" not in hand.keys


def test_an_early_throw_that_shows_the_same_is_asked_about_if_the_dice_were_taken_up(
    table_game: TableGame,
) -> None:
    assert "yes" in handed_on(table_game, taken_up=True).keys


@pytest.mark.parametrize("taken_up", [False, True])
def test_whether_dice_that_show_the_same_again_were_thrown_is_asked_unless_they_were_taken_up(
    table_game: TableGame, taken_up: bool
) -> None:
    """They may only have been pushed to the next player, or by a sleeve."""
    hand = to_throw(table_game)
    hand.show(2, 5)
    hand.touch("move 2", "leave")
    hand.wait(0.5)
    hand.stir()
    if taken_up:
        hand.clear()
    hand.show(5, 2)
    assert ("yes" in hand.keys) is not taken_up
    if not taken_up:
        hand.touch("yes")
    assert screen_of(hand).match.moves[-1] == "roll 5 2"


@pytest.mark.parametrize("entered", [(), ("die-0", "die-0-2"), ("by-hand", "die-0-2", "die-1-5")])
def test_dice_may_be_thrown_one_after_the_other(table_game: TableGame, entered: tuple[str, ...]) -> None:
    """That which lies there still from the throw before is none of this one, whoever has read that."""
    hand = to_throw(table_game)
    if "by-hand" in entered:
        hand.touch(*entered)
        hand.show(2, 5)
    else:
        hand.show(6 if entered else 2, 5)
        hand.touch(*entered)
    moves_on(hand)
    hand.show(4, 5, stayed=[1])
    assert screen_of(hand).trouble == AS_BEFORE and screen_of(hand).position.due.what == "roll"
    hand.show(4, 3, stayed=[0])
    assert screen_of(hand).match.moves[-1] == "roll 4 3"


@pytest.mark.parametrize("found", [False, True])
def test_dice_that_were_handed_on_may_be_thrown_one_after_the_other(
    table_game: TableGame, found: bool
) -> None:
    """Where they lie then; or where they are found after a power cut."""
    if found:
        hand = cut(after_a_move(table_game))
        hand.show(5, 2, found=True)
    else:
        hand = handed_on(table_game)
    hand.show(5, 4, stayed=[0])
    assert screen_of(hand).trouble == AS_BEFORE and screen_of(hand).position.due.what == "roll"
    hand.show(3, 4, stayed=[1])
    assert screen_of(hand).match.moves[-1] == "roll 3 4"


@pytest.mark.parametrize("answers", [(), ("no",)])
def test_dice_that_are_asked_about_may_be_thrown_one_after_the_other(
    table_game: TableGame, answers: tuple[str, ...]
) -> None:
    """They were only pushed to the next player, and that is said, or not."""
    hand = after_a_move(table_game)
    hand.show(5, 2)
    hand.touch(*answers)
    hand.show(5, 4, stayed=[0])
    assert screen_of(hand).trouble == AS_BEFORE and screen_of(hand).position.due.what == "roll"
    hand.show(3, 4, stayed=[1])
    assert screen_of(hand).match.moves[-1] == "roll 3 4"


def test_dice_thrown_one_after_the_other_too_early_are_asked_about_however_often_they_are_read(
    table_game: TableGame,
) -> None:
    hand = to_throw(table_game)
    hand.show(2, 5)
    hand.touch("move 2")
    hand.wait(0.5)
    hand.clear()
    hand.show(3)
    hand.show(3, 4, stayed=[0])
    hand.touch("leave")
    hand.wait(0.5)
    assert "yes" in hand.keys
    hand.show(3, 6, stayed=[0], revises=True)
    hand.touch("yes")
    assert screen_of(hand).match.moves[-1] == "roll 3 6"


def test_a_die_that_fell_from_the_table_is_thrown_alone(table_game: TableGame) -> None:
    hand = after_a_move(table_game)
    hand.show(4)
    hand.show(4, 2, stayed=[0])
    hand.show(4, 3, stayed=[0], revises=True)
    assert screen_of(hand).match.moves[-1] == "roll 4 3"
    hand.press("undo")
    hand.show(5, 3, stayed=[1])
    assert screen_of(hand).match.moves[-1] == "roll 5 3"


def test_a_drawn_tile_may_be_looked_at_until_its_owner_throws_again(table_game: TableGame) -> None:
    """BAU-R17. The next one may be quick, and throw before anybody has touched the card."""
    screen = table_game("bau-boom", 2, seed="seed")
    hand = Hand.at(screen)
    hand.wait(0.3)

    def turn(first: int, second: int, move: str) -> list[str]:
        hand.stir()
        hand.show(first, second)
        hand.wait(0.5)
        hand.touch(move)
        hand.wait(1)
        for key in ("take", "leave"):
            if key in hand.keys:
                hand.touch(key)
                hand.wait(1)
                break
        return [key for key in hand.keys if key.startswith("look-")]

    assert len(turn(2, 3, "move 5")) == 1, "on a ladybug"
    secret = screen_of(hand).secret(0)
    (still,) = turn(1, 2, "move 1")
    hand.touch(still)
    assert screen_of(hand).looked_at(int(still[5:])) and screen_of(hand).secret(0) == secret
    assert turn(1, 1, "move 1") == []


def test_a_throw_that_may_be_the_one_before_is_not_lost_without_a_word(table_game: TableGame) -> None:
    """It was thrown before its turn, and shows the same."""
    hand = handed_on(table_game)
    assert screen_of(hand).trouble == AS_BEFORE
    hand.stir()
    hand.leave(2)
    hand.clear()
    assert screen_of(hand).trouble == AS_BEFORE and LookAnew() not in hand.effects, "a hand lies over them"
    hand.show(5, 3)
    assert screen_of(hand).trouble is None and screen_of(hand).match.moves[-1] == "roll 5 3"


def test_the_end_has_the_winner_first_and_says_how_large_a_hill_is(context: Context) -> None:
    """BAU-R9, R39. Whose hill is larger may have covered more of it."""
    screen, moves = put_on_table(context, BauScreen, "mixed-hills.txt")
    for move in moves:
        context.table.play(move)
    end = EndScreen(screen, type(screen))
    assert end.winners == (2,) and end.scores == (3, 6, 10)
    end.scores = (3, 11, 10)
    with texts_watched() as texts:
        Hand.at(end).stage.draw()
    assert [words for words, _, fits in texts if fits and "/" in words] == ["10/10", "6/15", "3/10"]


def test_dice_that_are_handed_on_and_read_anew_leave_the_move_in_play(table_game: TableGame) -> None:
    hand = to_throw(table_game)
    hand.show(2, 5)
    hand.stir()
    hand.show(5, 2)
    hand.show(5, 6, revises=True)
    assert screen_of(hand).match.moves[-1] == "roll 2 5"


def test_what_the_camera_reads_of_dice_entered_by_hand_is_kept_as_they_were_entered(
    table_game: TableGame,
) -> None:
    hand = after_a_move(table_game)
    hand.touch("by-hand", "die-0-3", "die-1-4")
    hand.show(3, 6)
    hand.show(3, 5, revises=True)
    assert [throw.faces for throw in hand.context.table.log.throws] == [(3, 4), (2, 5)]


def entered(table_game: TableGame, *seen: int) -> Hand:
    """Anna has entered 2 and 5, while the camera saw something, and moved; Ben is to throw."""
    hand = to_throw(table_game)
    hand.touch("by-hand")
    if seen:
        hand.show(*seen)
    hand.touch("die-0-2", "die-1-5")
    moves_on(hand)
    return hand


def test_what_the_camera_misread_of_dice_entered_by_hand_is_nobodys_throw(table_game: TableGame) -> None:
    hand = entered(table_game, 2, 6)
    assert screen_of(hand).position.turn == 1 and "yes" not in hand.keys


def test_what_the_camera_reads_while_dice_are_entered_is_kept_so_and_the_next_throw_is_asked_about(
    table_game: TableGame,
) -> None:
    hand = to_throw(table_game)
    hand.touch("by-hand")
    hand.show(2, 6)
    hand.stir()
    hand.touch("die-0-2", "die-1-5")
    assert [throw.faces for throw in hand.context.table.log.throws] == [(2, 5)]
    hand.show(3, 4)
    moves_on(hand)
    hand.touch("yes")
    assert screen_of(hand).match.moves[-1] == "roll 3 4"


def test_what_a_slow_eye_reads_of_dice_that_were_entered_and_handled_is_asked_about(
    table_game: TableGame,
) -> None:
    """They may lie there still, or have been thrown so again: that is asked, whatever it is read as then."""
    hand = entered(table_game)
    hand.stir()
    hand.show(5)
    hand.show(5, 2, revises=True)
    assert screen_of(hand).position.due.what == "roll" and hand.widget("no")
    hand.show(5, 3, revises=True)
    assert screen_of(hand).position.due.what == "roll"
    hand.touch("no")
    hand.show(5, 2)
    hand.touch("yes")
    assert screen_of(hand).match.moves[-1] == "roll 5 2" and screen_of(hand).position.turn == 1


def test_what_was_entered_may_be_thrown_at_once_after_another_throw(table_game: TableGame) -> None:
    hand = entered(table_game)
    hand.stir()
    hand.show(3, 4)
    hand.touch("move 3")
    hand.wait(0.5)
    hand.touch("leave")
    hand.wait(0.5)
    hand.show(2, 5)
    assert screen_of(hand).match.moves[-1] == "roll 2 5"


def test_after_undo_of_dice_entered_by_hand_the_same_may_be_thrown(throwing: Hand) -> None:
    throwing.touch("by-hand", "die-0-2", "die-1-5")
    throwing.press("undo")
    throwing.stir()
    throwing.show(5, 2)
    assert screen_of(throwing).match.moves[-1] == "roll 5 2"


def test_undo_covers_a_drawn_tile_that_was_to_be_built_before_it_takes_back_a_move(context: Context) -> None:
    screen = open_hand(context)
    assert isinstance(screen, BauScreen)
    before, hand = list(screen.match.moves), Hand.at(screen)
    hand.press("undo")
    assert not screen.open_hand and screen.match.moves == before
    hand.press("undo")
    assert len(screen.match.moves) < len(before)


def test_dice_can_be_entered_by_hand(throwing: Hand) -> None:
    throwing.touch("by-hand", "die-1-6", "die-0-1")
    assert screen_of(throwing).position.dice == (1, 6)


def test_of_two_dice_that_which_is_seen_need_not_be_entered(throwing: Hand) -> None:
    throwing.show(3)
    assert throwing.stage.top.context.table.log.throws[0].faces == (3,)
    throwing.touch("by-hand", "die-1-6")
    assert screen_of(throwing).position.dice == (3, 6) and throwing.touches == 2


def test_what_was_seen_wrongly_may_be_entered_otherwise(throwing: Hand) -> None:
    throwing.show(3)
    throwing.touch("by-hand", "die-0-5", "die-1-6")
    assert screen_of(throwing).position.dice == (5, 6)


@pytest.mark.parametrize("seen", [(1, 2, 3), ()])
def test_otherwise_both_have_to_be_entered(throwing: Hand, seen: tuple[int, ...]) -> None:
    if seen:
        throwing.show(*seen)
    throwing.touch("by-hand", "die-1-6")
    assert screen_of(throwing).position.dice != (1, 6) and isinstance(throwing.stage.top, DiceEntry)
    throwing.touch("die-0-2")
    assert screen_of(throwing).position.dice == (2, 6)


def test_without_a_camera_one_touch_throws(throwing: Hand) -> None:
    throwing.context.camera.trouble = Message("No camera")
    throwing.press("confirm")
    assert screen_of(throwing).position.due.what == "move"


def test_a_turn_can_be_played_by_panel_alone(throwing: Hand) -> None:
    screen, turn = screen_of(throwing), screen_of(throwing).position.turn
    for _ in range(40):
        throwing.press("right", "confirm")
        throwing.wait(0.5)
        while throwing.stage.top is not screen:
            throwing.press("right", "confirm")
        if screen.position.turn != turn:
            return
    raise AssertionError("the turn does not end")


def test_who_is_asked_whether_an_early_throw_counts_answers_that(throwing: Hand) -> None:
    throwing.context.t = Texts("en")
    throwing.doubt(2, 5, doubts=())
    labels = [throwing.widget(key).label for key in ("yes", "no")]
    assert labels == ["Yes, it counts", "No, throw again"]
    screen, before = screen_of(throwing), list(screen_of(throwing).match.moves)
    throwing.touch("no")
    assert "yes" not in throwing.keys and screen.match.moves == before
    throwing.show(2, 5, revises=True)
    throwing.wait(0.2)
    assert "yes" not in throwing.keys and screen.match.moves == before, "it still lies there"
    throwing.show(3, 6)
    assert screen.match.moves[-1] == "roll 3 6"


@pytest.mark.parametrize("key", ["yes", "no", "undo"])
def test_whether_dice_count_is_not_answered_for_those_that_lay_there_before(throwing: Hand, key: str) -> None:
    throwing.show(2, 5, found=True)
    throwing.context.now += 5
    throwing.show(3, 6, found=True)
    throwing.tap(key)
    throwing.touch("yes")
    assert screen_of(throwing).match.moves[-1] == "roll 3 6"


def test_who_is_asked_whether_dice_are_read_rightly_answers_that(throwing: Hand) -> None:
    throwing.context.t = Texts("en")
    throwing.doubt(2, 5)
    assert throwing.widget("yes").label == "Right" and "no" not in throwing.keys


def test_a_reading_that_has_just_come_is_not_confirmed_by_whoever_meant_the_one_before(
    throwing: Hand,
) -> None:
    throwing.doubt(2, 5)
    throwing.context.now += 5
    throwing.doubt(2, 6, revises=True)
    throwing.press("confirm")
    assert "yes" in throwing.keys
    throwing.touch("yes")
    assert screen_of(throwing).match.moves[-1] == "roll 2 6"


@pytest.mark.parametrize(("size", "language"), VIEWS, ids=view_name)
def test_it_is_seen_that_the_camera_is_gone_and_that_it_is_back(
    throwing: Hand, pictures: Path, size: Size, language: str
) -> None:
    context, screen = throwing.context, screen_of(throwing)

    def written(name: str) -> list[str]:
        with texts_watched() as texts:
            check_picture(context, pictures, name, staged(context, screen, size), size, language)
        return [words for words, _, _ in texts]

    gone, back = (Texts(language)(words) for words in ("The camera is gone", "The camera is back"))
    context.camera.trouble, context.camera.lost = Message("No camera"), True
    throwing.wait(20)
    assert gone in written("bau-lost")
    context.camera.trouble, context.camera.lost = None, False
    throwing.wait(0.1)
    assert back in written("bau-found")
    throwing.wait(6)
    assert not {gone, back} & set(written("bau-looking"))
    context.camera.trouble, nothing = Message("No camera"), Texts(language)("The camera sees nothing")
    context.camera.blind = True
    assert nothing not in written("bau-no-camera"), "only a sign: they play without"
    context.camera.pictures = 9
    assert nothing in written("bau-dark")


# What is where


@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_nothing_that_lies_within_the_trail_covers_how_many_tiles_a_barrow_holds(
    context: Context, size: Size
) -> None:
    canvas = Canvas(Surface(size))
    screen = at(context, "base-4.txt", due("roll"), 60)
    trail = screen.layout(canvas).trail
    for space in range(len(trail.kinds)):
        for player in range(4):
            barrows = tuple(replace(barrow, at=space) for barrow in screen.position.barrows)
            spot = Drive().spots(trail, replace(screen.position, barrows=barrows), 0)[player]
            for load in (3, 12):
                badge = paint.badge(canvas, trail, paint.barrow_box(trail, spot), load)
                assert not badge.colliderect(trail.inner) and canvas.rect.contains(badge), (space, player)


def test_a_tile_that_was_entered_is_in_the_container_no_more(context: Context) -> None:
    screen = put_on_table(context, BauScreen, "base-4.txt", REAL)[0]
    assert isinstance(screen, BauScreen)
    hand = Hand.at(screen)
    hand.touch("red", "red", "blue")
    told = known(screen.told_so_far)
    assert (told.total, told.low, told.high) == (69, (16, 18, 18, 17), (16, 18, 18, 17))
    with texts_watched() as texts:
        hand.stage.draw()
    assert "69" in [words for words, _, _ in texts]
    context.table.keep(f"ring {DEALT}")
    assert known(screen.told_so_far).total == 42, "what the camera has seen lies there too"
    context.table.keep("ring" + 30 * " red")
    assert min(known(screen.told_so_far).low) >= 0, "more than there are are a mistake"
    hand.stage.draw()


def test_nothing_shows_through_between_two_buttons(context: Context) -> None:
    screen = checking(context, f"ring {DEALT}", 3)
    assert isinstance(screen, BauScreen)
    with texts_watched() as texts:
        alone(screen)
    assert not any(words.endswith("/10") for words, _, _ in texts)
    screen.chosen = None
    context.table.keep(f"ring {DEALT.replace('red', '-', 2)}")
    with texts_watched() as texts:
        alone(screen)
    assert any(words.endswith("/10") for words, _, _ in texts), "there is nothing else in their place"


def test_odds_are_written_as_elsewhere(context: Context) -> None:
    screen = at(context, "base-2.txt", due("draw"), 0, REAL)
    with texts_watched() as texts:
        alone(screen)
    shares = [words for words, _, _ in texts if "%" in words]
    assert len(shares) == 4 and all(re.fullmatch(r"\d+ %", words) for words in shares)


# Nothing is given away


def alone(screen: BauScreen) -> bytes:
    """The picture of a screen with nothing below it."""
    return pixels(Stage(screen.context, [screen], Surface((480, 320))))


@pytest.mark.parametrize("file", ["base-3.txt", "younger-3.txt", "clever-4.txt"])
def test_no_picture_depends_on_what_lies_face_down(context: Context, file: str) -> None:
    """BAU-R16: with anything else in barrows and container every picture is the same, to the last pixel"""
    screen, moves = put_on_table(context, BauScreen, file)
    assert isinstance(screen, BauScreen)
    choose = random.Random(file)
    for text in moves[:90]:
        context.table.play(text)
        step = screen.match._steps[-1]
        mixed = turned(step.position, choose)
        if due("drawn")(mixed) and len(legal(mixed)) == 1:
            continue  # that it fits is no secret: else nobody would be asked
        shown = alone(screen)
        screen.match._steps[-1] = replace(step, position=mixed)
        other = alone(screen)
        screen.match._steps[-1] = step
        assert shown == other, text


def test_a_drawn_tile_is_looked_at_for_a_moment_only(context: Context) -> None:
    """BAU-R17, A-BAU4"""
    screen = with_cards(context, "base-2.txt", "drawn")
    assert isinstance(screen, BauScreen)
    hand, covered = Hand.at(screen), alone(screen)
    look = next(key for key in hand.keys if key.startswith("look"))
    hand.touch(look)
    assert alone(screen) != covered and screen.animating
    hand.wait(3.1)
    assert alone(screen) == covered and not screen.animating
    hand.touch(look, look)
    assert alone(screen) == covered


def test_who_draws_from_the_real_container_need_not_look_at_the_screen(context: Context) -> None:
    screen, moves = put_on_table(context, BauScreen, "base-2.txt", REAL)
    assert isinstance(screen, BauScreen)
    for text in moves[:40]:
        context.table.play(text)
        assert not any(key.startswith("look") for key in Hand.at(screen).keys)


# The rules at hand


@pytest.mark.parametrize(
    ("file", "what", "title"),
    [
        ("base-2.txt", "roll", "Throw and move"),
        ("base-2.txt", "build", "Building"),
        ("base-2.txt", "draw", "Tiles and special spaces"),
        ("base-3.txt", "tile", "Tiles and special spaces"),
        ("younger-2.txt", "tile", "Other ways to play"),
        ("younger-2.txt", "drawn", "Other ways to play"),
    ],
)
def test_the_rules_open_where_they_fit(context: Context, file: str, what: str, title: str) -> None:
    hand = Hand.at(at(context, file, due(what), manner=REAL))
    hand.touch("help")
    assert hand.stage.top.title == title


# The real container


def test_that_a_tile_is_to_be_drawn_from_the_real_container_is_said(context: Context) -> None:
    """BAU-R16."""
    screen = at(context, "base-2.txt", due("draw"), 0, REAL)
    context.t = Texts("en")
    with texts_watched() as texts:
        staged(context, screen, (800, 480)).draw()
    assert "Draw a tile: only you look!" in {said for said, _, _ in texts}


def test_the_last_tile_that_was_entered_can_be_taken_back(context: Context) -> None:
    screen, moves = put_on_table(context, BauScreen, "base-2.txt", REAL)
    assert isinstance(screen, BauScreen)
    hand = Hand.at(screen)
    hand.wait(0.2)
    assert screen.position.due.what == "deal", "nothing is dealt by itself"
    colours = moves[0].split()[1:]
    hand.touch("green", "erase", *colours[:-1])
    assert screen.position.due.what == "deal"
    hand.touch(colours[-1])
    assert screen.match.moves == [moves[0]]


def test_undo_takes_back_the_last_tile_that_was_entered_and_no_move(context: Context) -> None:
    screen, _ = put_on_table(context, BauScreen, "base-2.txt", REAL)
    assert isinstance(screen, BauScreen)
    hand = Hand.at(screen)
    hand.touch("green", "red")
    hand.press("undo")
    assert list(screen.entered) == ["green"]
    hand.touch("undo")
    assert not screen.entered and not screen.can_undo


def test_tiles_that_were_entered_are_there_again_after_a_power_cut(context: Context) -> None:
    screen, _ = put_on_table(context, BauScreen, "base-2.txt", REAL)
    hand = Hand.at(screen)
    hand.touch("green", "red", "blue")
    (again,) = resumed(context)
    assert isinstance(again, BauScreen) and again.entered == ("green", "red", "blue")


def test_a_reading_that_is_revised_after_its_player_has_moved_is_not_the_next_players_throw(
    context: Context, table_game: TableGame
) -> None:
    hand = to_throw(table_game)
    screen = screen_of(hand)
    hand.show(2, 5)
    moves_on(hand)
    assert screen.position.due.what == "roll" and screen.position.turn == 1
    before = list(screen.match.moves)
    hand.show(2, 6, revises=True)
    assert screen.match.moves == before
    assert context.table.log.current is not None and context.table.log.current.faces == (2, 6)
    hand.show(3, 4)
    assert screen.match.moves[-1] == "roll 3 4"


def test_a_reading_that_loses_a_die_changes_nothing_once_the_throw_is_in_play(
    context: Context, table_game: TableGame
) -> None:
    hand = to_throw(table_game)
    screen = screen_of(hand)
    hand.show(2, 5)
    hand.show(2, revises=True)
    hand.touch("die-1", "die-1-6")
    assert screen.match.moves[-1] == "roll 2 6"
    assert context.table.log.current is not None and context.table.log.current.faces == (2, 6)


def test_nobody_corrects_what_the_companion_has_thrown(table_game: TableGame) -> None:
    hand = to_throw(table_game)
    hand.touch("throw")
    hand.wait(0.1)
    assert any(key.startswith("move") for key in hand.keys)
    hand.touch("die-0")
    screen = hand.stage.top
    assert (
        isinstance(screen, BauScreen)
        and str(screen.trouble and screen.trouble.text) == "now the barrow moves"
    )


def test_a_tile_that_was_built_and_paid_again_in_one_turn_is_not_shown_as_built(context: Context) -> None:
    for file in ("penalty.txt", "penalty-per-tile.txt"):
        screen, moves = put_on_table(context, BauScreen, file)
        assert isinstance(screen, BauScreen)
        for text in moves:
            context.table.play(text)
            for card in screen.cards:
                if card.sign == "build":
                    covered = screen.position.covered[card.player]
                    assert all(place in covered for place in card.places), (file, text)


@pytest.mark.parametrize("file", ["base-2.txt", "clever-2.txt"])
def test_nobody_is_told_to_give_back_a_tile_that_only_the_companion_has(context: Context, file: str) -> None:
    """BAU-R33: it was drawn, is left over, and nobody has taken it from the container yet."""
    screen, moves = put_on_table(context, BauScreen, file)
    assert isinstance(screen, BauScreen)
    kept = 0
    for text in moves:
        position, player = screen.position, screen.match.awaits[0].who or 0
        tiles, drawn = position.barrows[player].tiles, screen.from_container(player)
        context.table.play(text)
        if text == "done":
            told = [tile for card in screen.cards if card.sign == "back" for tile in card.tiles]
            assert Counter(told) == Counter(
                tile for tile, known in zip(tiles, drawn, strict=True) if not known
            )
            kept += sum(drawn)
    assert kept


def test_a_tile_that_was_built_and_paid_in_one_turn_is_not_taken_off_the_hill(context: Context) -> None:
    """BAU-R34, A-BAU14: nobody has laid it there yet, nor has he it if it was drawn."""
    screen, moves = put_on_table(context, BauScreen, "penalty.txt")
    assert isinstance(screen, BauScreen)
    for text in moves[: moves.index("remove 1.4") + 1]:
        context.table.play(text)
    (card,) = [card for card in screen.cards if card.sign == "back"]
    assert (Counter(card.tiles), card.places) == (Counter(red=1, blue=2), ())


def test_what_was_drawn_and_is_left_over_is_not_to_be_fetched() -> None:
    """BAU-R33. Of two tiles of a colour that which was collected first is built."""
    tiles: tuple[Colour, ...] = ("red", "red", "blue")
    barrows = (Barrow(0, tiles), Barrow())
    position = replace(opening(Options(2)), agenda=(Due("build"),), barrows=barrows)
    shop = Workshop(position, legal(position), tiles, (False, True, True))
    assert shop.brought() == [("red", True, False), ("red", False, True), ("blue", True, True)]


def test_a_drawn_tile_that_was_built_is_no_secret_any_more(context: Context) -> None:
    """BAU-R16: and no other tile of the barrow is shown in its stead."""
    screen = at(context, "younger-2.txt", due("drawn"))
    hand = Hand.at(screen)
    assert any(key.startswith("look") for key in hand.keys)
    hand.touch("build")
    hand.wait(0.5)
    for key in [key for key in hand.keys if key.startswith("place")][:1]:
        hand.touch(key)
        hand.wait(0.5)
    assert not any(card.sign == "drawn" for card in screen.cards)
    assert not any(key.startswith("look") for key in hand.keys)
    hand.stage.draw()


def test_a_hint_marks_the_way_to_build_a_drawn_tile_and_names_no_colour(context: Context) -> None:
    """BAU-R17, R42: everybody sees the screen."""
    hand = Hand.at(at(context, "younger-2.txt", due("drawn")))
    hand.touch("hint")
    screen = screen_of(hand)
    assert screen.hint and screen.hint.move.startswith("place") and not screen.hint.why.fields
    assert [widget.key for widget in hand.stage.widgets() if widget.hinted] == ["build"]


def test_the_last_tile_of_a_row_that_is_entered_makes_a_move_of_it(context: Context) -> None:
    screen, moves = put_on_table(context, BauScreen, "base-2.txt", REAL)
    assert isinstance(screen, BauScreen)
    colours: Any = moves[0].split()[1:]
    for colour in colours:
        list(screen.lay(colour))
    assert screen.match.moves == [moves[0]]


def test_more_tiles_of_a_colour_than_there_are_must_be_a_mistake(context: Context) -> None:
    """BAU-R5"""
    screen = put_on_table(context, BauScreen, "base-2.txt", REAL)[0]
    assert isinstance(screen, BauScreen)
    for _ in range(30):
        list(screen.lay("red"))
    assert screen.trouble and screen.position.due.what == "deal" and len(screen.lying) == 30
    hand = Hand.at(screen)
    hand.press("undo")
    assert len(screen.entered) == 29, "the last one"


def test_of_tiles_that_cannot_be_so_any_is_corrected_without_entering_those_behind_it_again(
    context: Context,
) -> None:
    """BAU-R5: what was entered wrongly is seldom the last one, which is refused."""
    screen = put_on_table(context, BauScreen, "base-2.txt", REAL)[0]
    assert isinstance(screen, BauScreen)
    tiles: Any = ["red"] * 18 + ["blue"] * 11
    context.table.keep(" ".join([*tiles[:18], "red", *tiles[19:]]))
    hand = Hand.at(screen)
    hand.touch("green")
    assert screen.trouble and not screen.match.moves
    hand.touch("tile-18", "blue", "confirm")
    assert screen.match.moves == [f"deal {' '.join([*tiles, 'green'])}"]


# The set-up


def test_small_children_may_have_smaller_hills(context: Context) -> None:
    """BAU-R9; each touch changes what is seen."""
    hand = Hand.at(SetupScreen(context, BauScreen))
    for seen in ("15", "10", "15"):
        hand.touch("pick-0")
        assert hand.widget("pick-0").label == seen
    hand.touch("start", "begins-0")
    assert context.table.game
    assert context.table.game.match.options.hills == (15, 10)
    again = SetupScreen(context, BauScreen)
    assert [row.pick for row in again.seating.rows] == ["15", "auto"], "offered again with the last group"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hills_that_are_configured_are_shown_and_played(
    context: Context, tmp_path: Path, players: int
) -> None:
    """BAU-R9: one for each player in turn, however many play."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "bau-boom.yaml").write_text("hills: 10, 15, 15, 10\nvariant: clever\n")
    context.config = tmp_path
    setup = SetupScreen(context, BauScreen)
    while len(setup.seating.rows) < players:
        setup.seating.add()
    hand = Hand.at(setup)
    sizes = ["10", "15", "15", "10"][:players]
    assert setup.values["variant"] == "clever"
    assert [hand.widget(f"pick-{number}").label for number in range(players)] == sizes
    hand.touch("start", "begins-0")
    assert context.table.game
    options = context.table.game.match.options
    assert [str(options.size(player)) for player in range(players)] == sizes


def test_clever_builders_have_large_hills(context: Context) -> None:
    """BAU-R46"""
    assert BauScreen.seat_default({"variant": "clever"}) == "15"
    assert BauScreen.seat_default({"variant": "younger"}) == "10"
