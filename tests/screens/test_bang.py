"""BIG BOOM! BANG on the screen: throwing, choosing, turning over, naming; every state as a picture."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pygame
import pytest
from pygame import Rect

from companion.events import Buzz, Say, Sound
from companion.games.big_boom_bang.board import FLIP, LEFT, LOOK, READ, SHAKE, STAY
from companion.games.big_boom_bang.screen import BangScreen
from companion.language import Message, Texts
from companion.players import COLOURS, Party, PlayerColour, Seat
from companion.screens.base import Context, Screen
from companion.screens.canvas import Canvas
from companion.screens.end import EndScreen
from companion.screens.home import resumed
from companion.screens.pause import PromiseScreen
from companion.screens.stage import SETTLE_S
from companion.screens.theme import Rgb
from companion.table import Table
from tests.screens.checks import (
    SMALLEST,
    TURNED,
    Size,
    check_picture,
    check_screen,
    pixels,
    staged,
    texts_watched,
)
from tests.screens.conftest import Hand, TableGame
from tests.screens.through import GOLDEN, moves_of, put_on_table

SAFE = ("gift", *["fuse"] * 6, "boom", *["fuse"] * 5, "gift")
SHUFFLE = " ".join(("shuffle", *SAFE))
ROLL = "roll bomb bomb scissors heart gift"


def begun(make: TableGame, *moves: str, players: int = 3, own: bool = False) -> BangScreen:
    manner = {"dice": "own" if own else "screen"}
    screen = make("big-boom-bang", players, manner=manner, moves=(SHUFFLE, *moves))
    assert isinstance(screen, BangScreen)
    return screen


def chosen(make: TableGame) -> Screen:
    screen = begun(make, ROLL)
    list(screen._toggles(1))
    return screen


def entering(make: TableGame) -> Screen:
    screen = begun(make, own=True)
    for face in ("bomb", "gift"):
        list(screen._enters(face))
    return screen


def turned(make: TableGame, place: int, after: float) -> BangScreen:
    screen = begun(make, ROLL, "keep")
    list(screen.play(f"reveal {place}"))
    screen.context.now += after
    return screen


def with_odds(make: TableGame, *moves: str) -> Screen:
    screen = begun(make, ROLL, *moves)
    screen.odds_shown = True
    return screen


def late(make: TableGame) -> Screen:
    """Far into a game of five, somebody is out."""
    moves = moves_of("big-boom-bang", "reroll-5.txt")
    screen: BangScreen = make("big-boom-bang", 5, moves=moves[: len(moves) - 12])
    return screen


def late_with_odds(make: TableGame) -> Screen:
    screen = late(make)
    assert isinstance(screen, BangScreen)
    screen.odds_shown = True
    return screen


def against_computers(make: TableGame) -> Screen:
    """A computer has thrown."""
    screen = make("big-boom-bang", 3, moves=(SHUFFLE, ROLL), plays=["computer", "person", "computer"])
    assert isinstance(screen, BangScreen)
    return screen


def hinted(make: TableGame) -> Screen:
    """Somebody has asked what to throw again."""
    hand = Hand.at(begun(make, ROLL))
    hand.touch("hint")
    return hand.stage.top


def refused(make: TableGame) -> Screen:
    """A bomb was touched that cannot be thrown again."""
    screen = begun(make, "roll bomb bomb heart heart gift")
    list(screen._toggles(1))
    return screen


SCREENS: dict[str, Callable[[TableGame], Screen]] = {
    "bang-refused": refused,
    "bang-throw": begun,
    "bang-choose": lambda make: begun(make, ROLL),
    "bang-chosen": chosen,
    "bang-locked": lambda make: begun(make, "roll bomb bomb heart heart gift", players=4),
    "bang-enter": entering,
    "bang-reveal": lambda make: begun(make, ROLL, "keep", players=5),
    "bang-turning": lambda make: turned(make, 2, 0.2),
    "bang-open": lambda make: turned(make, 2, 1.0),
    "bang-name": lambda make: turned(make, 1, 1.0),
    "bang-boom": lambda make: turned(make, 8, 0.7),
    "bang-odds": lambda make: with_odds(make, "keep"),
    "bang-odds-choose": with_odds,
    "bang-odds-late": late_with_odds,
    "bang-computer": against_computers,
    "bang-hint": hinted,
    "bang-late": late,
}


@pytest.mark.parametrize("name", SCREENS)
def test_pictures(context: Context, table_game: TableGame, pictures: Path, name: str) -> None:
    check_screen(context, pictures, name, SCREENS[name](table_game))


def touches(text: str, screen: BangScreen) -> list[str]:
    """What is touched for a move; dice that a touch on another brings along are not touched again."""
    match text.split():
        case ["reroll", *dice]:
            faces = screen.position.dice
            dice.sort(
                key=lambda die: faces[int(die) - 1] == "bomb"
            )  # scissors first: they are chosen by hand
            return [f"die-{die}" for die in dice] + ["again"]
        case ["roll", *faces]:
            return [f"face-{face}" for face in faces] if screen._own else ["throw"]
    return [text]


def through(context: Context, file: str, dice: str) -> Iterator[tuple[Hand, str]]:
    """Play a golden game by touch; yield after each move that somebody has made."""
    screen, moves = put_on_table(context, BangScreen, file, {"dice": dice})
    assert isinstance(screen, BangScreen)
    hand = Hand.at(screen)
    hand.wait(0.05)
    while (played := len(screen.match.moves)) < len(moves):
        play_by_touch(hand, screen, moves[played])
        assert screen.match.moves[played] == moves[played]
        yield hand, moves[played]
        hand.wait(0.05 + (STAY if screen.boom else READ if screen.thrown else 0.3))
    assert isinstance(hand.stage.top, EndScreen) == screen.position.over


@pytest.mark.parametrize("dice", ["screen", "own"])
@pytest.mark.parametrize("file", [path.name for path in GOLDEN["big-boom-bang"]])
def test_golden_games_cost_a_touch_a_throw_and_a_touch_a_tile(file: str, dice: str, context: Context) -> None:
    """BANG-R6 to R36. Dice that are chosen, or entered, cost one touch each."""
    before = 0
    for hand, text in through(context, file, dice):
        word, *rest = text.split()
        chosen = len(rest) if word == "reroll" or (word == "roll" and dice == "own") else 0
        assert hand.touches - before <= chosen + (not (word == "roll" and dice == "own"))
        before = hand.touches


def play_by_touch(hand: Hand, screen: BangScreen, text: str) -> None:
    keys = touches(text, screen)
    for key in keys:
        if not (key.startswith("die-") and int(key[4:]) in screen.chosen):
            hand.touch(key)


def test_a_bomb_brings_its_scissors_along(table_game: TableGame) -> None:
    """BANG-R12."""
    screen = begun(table_game, ROLL)
    hand = Hand.at(screen)
    hand.touch("die-1")
    assert screen.chosen == {1, 3}
    hand.touch("die-2")
    assert screen.chosen == {1, 3} and screen.trouble is not None and Sound("refused") in hand.effects
    hand.touch("die-3")
    assert screen.chosen == frozenset()
    hand.touch("die-4", "again")
    assert screen.match.moves[-2] == "reroll 4" and screen.match.moves[-1].startswith("roll ")


def test_two_taps_at_once_choose_a_die_as_one_does(table_game: TableGame) -> None:
    screen = begun(table_game, ROLL)
    hand = Hand.at(screen)
    hand.touch("die-4")
    hand.context.now += SETTLE_S / 2
    hand.tap("die-4")
    assert screen.chosen == {4}


def test_without_scissors_a_bomb_stays_and_the_rule_says_why(table_game: TableGame) -> None:
    """BANG-R10."""
    screen = begun(table_game, "roll bomb bomb heart heart gift")
    hand = Hand.at(screen)
    hand.touch("die-1")
    assert screen.chosen == frozenset() and screen.trouble is not None
    assert screen.trouble.text == "You need scissors for that"
    hand.touch("die-3")
    assert screen.trouble is None and screen.chosen == {3}


def test_a_touch_at_the_wrong_time_is_refused_and_it_is_said_why(table_game: TableGame) -> None:
    """BANG-R6, R8, R20, R22, R32, A-BANG7; the panel passes such dice, tiles and players by."""

    def refuses(hand: Hand, *reasons: tuple[str, str]) -> None:
        for key, why in reasons:
            hand.touch(key)
            assert str(on_table(hand).trouble.text) == why and hand.effects[-1] == Sound("refused")  # type: ignore[union-attr]
        for _ in hand.keys:
            assert hand.stage.focus not in dict(reasons)
            hand.press("right")

    hand = Hand.at(begun(table_game))
    refuses(hand, ("reveal 3", "the dice are thrown first"), ("die-2", "the dice are thrown first"))
    hand.touch("throw")
    assert on_table(hand).trouble is None
    refuses(hand, ("reveal 3", "now dice are thrown again or kept"))
    hand = Hand.at(begun(table_game, ROLL, "keep"))
    refuses(hand, ("die-1", "now a tile is revealed"))
    hand.touch("reveal 3")
    hand.context.now += FLIP
    hand.tap("reveal 3")
    assert on_table(hand).trouble is None, "a finger bounces, or somebody taps twice"
    refuses(hand, ("reveal 3", "That tile lies open already"))
    hand.touch("reveal 1")
    hand.wait(STAY)
    refuses(hand, ("reveal 4", "now a player is named"), ("name p1", "nobody names himself"))
    named = moves_of("big-boom-bang", "keep-4.txt")[:48]
    hand = Hand.at(table_game("big-boom-bang", 4, moves=named))
    refuses(hand, ("name p1", "{name} is out"))


def test_a_second_tap_beside_the_first_turns_over_no_tile_for_the_next_player(table_game: TableGame) -> None:
    """BANG-R29; one's own two bombs one may turn over as fast as one likes."""
    for roll, turned in (("roll gift gift scissors heart heart", 1), ("roll bomb bomb gift heart heart", 2)):
        hand = Hand.at(begun(table_game, roll, "keep"))
        hand.touch("reveal 2")
        hand.context.now += 0.15
        hand.tap("reveal 3")
        assert len(on_table(hand).position.open) == turned
        hand.touch("reveal 4")
        assert len(on_table(hand).position.open) == turned + 1


def test_a_second_tap_enters_no_die_for_the_next_player(table_game: TableGame) -> None:
    moves = ("roll scissors scissors heart heart heart", "reroll 1", "roll scissors", "reroll 1")
    hand = Hand.at(begun(table_game, *moves, own=True))
    hand.touch("face-scissors")
    hand.context.now += 0.15
    hand.tap("face-scissors")
    assert on_table(hand).position.active == 1 and on_table(hand).entered == []


def test_boom_is_heard_buzzes_blinks_and_gives_way_to_a_touch(table_game: TableGame) -> None:
    """BANG-R25, R26."""
    screen = begun(table_game, ROLL, "keep")
    hand = Hand.at(screen)
    hand.touch("reveal 8")
    hand.wait(0.1)
    assert Sound("boom") not in hand.effects, "first it is turned over"
    hand.wait(0.4)
    assert {Sound("boom"), Say("boom"), Buzz()} <= set(hand.effects)
    assert set(screen.lamps().values()) == {"blink"}
    assert screen.boom is not None and screen.position.tiles == ()
    hand.touch("go-on")
    assert screen.position.tiles and screen.boom is None
    hand.wait(STAY)
    assert Say("turn-red") in hand.effects


def test_boom_gives_way_by_itself(table_game: TableGame) -> None:
    hand = Hand.at(begun(table_game, ROLL, "keep"))
    hand.touch("reveal 8")
    hand.wait(STAY + 0.1)
    assert hand.stage.top.position.phase == "roll"  # type: ignore[attr-defined]


def test_whoever_turns_over_a_gift_touches_the_player_who_gets_it(table_game: TableGame) -> None:
    """BANG-R22, A-BANG7."""
    screen = begun(table_game, ROLL, "keep")
    hand = Hand.at(screen)
    hand.touch("reveal 1")
    hand.touch("name p3")
    awaited = screen.awaited()
    assert awaited is not None and awaited.who == 2 and "Cleo" in context_text(screen)
    assert Say("reveal-yellow") in hand.effects


def test_who_has_thrown_is_called_too_when_another_one_names_him(table_game: TableGame) -> None:
    """BANG-R30."""
    screen = begun(table_game, "roll gift heart heart scissors scissors", "keep")
    hand = Hand.at(screen)
    hand.touch("reveal 1", "name p1")
    assert Say("reveal-red") in hand.effects
    assert screen.prompt().text.text == "{name} has to turn over a tile!"


def test_nobody_is_asked_who_gets_the_gift_if_only_one_can(table_game: TableGame) -> None:
    """BANG-R22, A-BANG14. He is called at once."""
    named = moves_of("big-boom-bang", "reroll-3.txt")[:66]
    hand = Hand.at(table_game("big-boom-bang", 3, moves=named))
    hand.wait(STAY)
    screen = on_table(hand)
    assert screen.match.moves[-1] == "name p3" and screen.position.forced == 2
    assert "Cleo" in context_text(screen) and Say("reveal-yellow") in hand.effects


def test_nobody_is_asked_to_throw_again_what_must_lie(table_game: TableGame) -> None:
    """BANG-R10. Of five bombs none can be thrown again."""
    hand = Hand.at(begun(table_game, "roll" + " bomb" * 5))
    words = words_of(hand)
    assert any("muss aufhören" in each for each in words)
    assert "Kein Würfel darf noch einmal geworfen werden" in words


def context_text(screen: BangScreen) -> str:
    return screen.context.t.say(screen.prompt().text)


def test_long_names_of_five_can_be_read_where_the_screen_is_narrow(table_game: TableGame) -> None:
    screen = begun(table_game, players=5)
    names = ("Charlotte", "Johanna", "Matthias", "Sebastian", "Emilia")
    seats = tuple(replace(seat, name=name) for seat, name in zip(screen.seats, names, strict=True))
    screen.game.party = replace(screen.game.party, seats=seats)
    with texts_watched() as texts:
        staged(screen.context, screen, (720, 1280)).draw()
    heights = {words: high for words, high, fits in texts if fits}
    assert min(heights[name] for name in names) >= SMALLEST


def test_what_was_entered_can_be_erased(table_game: TableGame) -> None:
    screen = begun(table_game, own=True)
    hand = Hand.at(screen)
    hand.touch("face-bomb", "face-gift", "erase", *["face-heart"] * 4)
    assert screen.match.moves[-1] == "roll bomb heart heart heart heart"


def test_undo_lets_go_of_dice_before_it_takes_back_a_move(table_game: TableGame) -> None:
    screen = begun(table_game, ROLL, "reroll 5", "roll heart")
    hand = Hand.at(screen)
    hand.touch("die-4", "die-5")
    hand.press("undo")
    assert not screen.chosen and screen.match.moves[-1] == "roll heart"
    hand.press("undo")
    assert screen.match.moves[-1] != "roll heart"


def test_undo_of_dice_that_were_entered_takes_back_the_last_touch(
    table_game: TableGame, context: Context
) -> None:
    """Four right ones need not be entered anew because of the fifth; after a power cut neither."""
    hand = Hand.at(begun(table_game, own=True))
    hand.touch("face-bomb", "face-gift", "face-gift", "face-gift", "face-bomb")
    hand.press("undo")
    context.table = Table(context.table._store)
    (screen,) = resumed(context)
    hand = Hand.at(screen)
    hand.touch("face-heart", "die-2", "again", "face-heart")
    assert context.table.game
    assert context.table.game.match.moves[1:] == ["roll bomb gift gift gift heart", "reroll 2", "roll heart"]
    hand.press("undo")
    assert "erase" not in hand.keys, "there was but one touch"
    hand.press("undo")
    hand.touch("keep")


def test_what_was_entered_is_there_again_after_a_power_cut(table_game: TableGame, context: Context) -> None:
    hand = Hand.at(begun(table_game, own=True))
    hand.touch("face-bomb", "face-gift", "face-gift", "erase")
    context.table = Table(context.table._store)
    (screen,) = resumed(context)
    Hand.at(screen).touch(*["face-heart"] * 3)
    assert isinstance(screen, BangScreen)
    assert screen.match.moves[-1] == "roll bomb gift heart heart heart" and not screen.entered


def test_with_the_odds_the_dice_are_marked_that_are_best_thrown_again(table_game: TableGame) -> None:
    """A bomb goes along with the scissors (BANG-R12)."""
    screen = with_odds(table_game)
    assert isinstance(screen, BangScreen)
    assert screen.position.dice[:3] == ("bomb", "bomb", "scissors")
    assert {1, 3} <= set(screen.advised) and 2 not in screen.advised
    screen.odds_shown = False
    assert screen.advised == ()


def test_the_odds_come_and_go_with_a_touch(table_game: TableGame) -> None:
    screen = begun(table_game, ROLL, "keep")
    hand = Hand.at(screen)
    hand.touch("odds")
    assert screen.odds_shown
    hand.touch("odds")
    assert not screen.odds_shown


def test_undo_turns_a_tile_back_and_the_same_lies_there(table_game: TableGame) -> None:
    screen = begun(table_game, ROLL, "keep")
    hand = Hand.at(screen)
    hand.touch("reveal 2")
    hand.wait()
    hand.press("undo")
    assert screen.position.open == () and screen.position.tiles == SAFE and screen.turned is None


def test_the_panel_alone_throws_and_turns_over(table_game: TableGame) -> None:
    hand = Hand.at(screen := begun(table_game))
    hand.press("confirm")
    assert screen.position.dice
    hand = Hand.at(screen := begun(table_game, ROLL, "keep"))
    hand.press("right", "confirm")
    assert len(screen.position.open) == 1


def test_a_power_cut_in_the_middle_of_a_turn_comes_back_to_it(
    table_game: TableGame, context: Context
) -> None:
    screen = begun(table_game, ROLL)
    list(screen.play("reroll 4"))
    again = BangScreen(context)
    assert again.position == screen.position and again.position.throws == 2


def test_boom_is_seen_before_a_touch_takes_it_away(table_game: TableGame) -> None:
    """A second tap on the tile neither hides the explosion nor shuffles."""
    screen = begun(table_game, ROLL, "keep")
    hand = Hand.at(screen)
    hand.touch("reveal 8")
    hand.wait(0.1)
    assert screen.boom is not None and "go-on" not in hand.keys
    hand.wait(FLIP + SHAKE)
    assert "go-on" in hand.keys


def test_a_last_throw_that_leaves_nothing_to_do_is_seen(table_game: TableGame) -> None:
    """BANG-R8: three throws, and all of a sudden it is another player's turn."""
    moves = ("roll heart heart heart bomb scissors", "reroll 4 5", "roll scissors bomb", "reroll 4 5")
    screen = begun(table_game, *moves)
    screen.game.match.throw = lambda awaited: "roll scissors scissors"  # type: ignore[method-assign]
    hand = Hand.at(screen)
    hand.wait(0.1)
    assert screen.thrown and screen.thrown.dice == ("heart", "heart", "heart", "scissors", "scissors")
    assert Say("turn-blue") not in hand.effects
    assert "die-1" not in hand.keys, "of a turn that is over nothing is refused"
    hand.wait(READ)
    assert screen.thrown is None and Say("turn-blue") in hand.effects


def test_what_is_seen_for_a_while_is_said_by_the_prompt(table_game: TableGame) -> None:
    moves = ("roll heart heart heart bomb scissors", "reroll 4 5", "roll scissors bomb", "reroll 4 5")
    screen = begun(table_game, *moves)
    list(screen.play("roll scissors scissors"))
    assert context_text(screen) == "Anna hat gewürfelt"
    over = late(table_game)
    assert isinstance(over, BangScreen)
    for text in moves_of("big-boom-bang", "reroll-5.txt")[-12:]:
        list(over.play(text))
    assert over.position.over and over.boom and context_text(over).endswith("scheidet aus")
    over.turned = over.thrown = None
    assert context_text(over) == Texts("de")("The game is over")


def test_who_throws_while_the_throw_before_is_still_seen_has_thrown(table_game: TableGame) -> None:
    moves = ("roll heart heart heart bomb scissors", "reroll 4 5", "roll scissors bomb", "reroll 4 5")
    screen = begun(table_game, *moves, own=True)
    for text in ("roll scissors scissors", ROLL):
        list(screen.play(text))
        assert bool(screen.thrown) is (text != ROLL)
    assert screen.position.dice == ("bomb", "bomb", "scissors", "heart", "gift")


def test_tiles_that_are_dealt_alike_lie_face_down(table_game: TableGame) -> None:
    screen = begun(table_game, ROLL, "keep")
    same = screen.match.moves[0]
    screen.game.match.throw = lambda awaited: same  # type: ignore[method-assign]
    hand = Hand.at(screen)
    hand.touch("reveal 8")
    hand.wait(STAY + 0.1)
    with_tile = pixels(hand.stage)
    screen.turned = None
    assert pixels(hand.stage) == with_tile


def test_after_the_end_the_board_leads_to_the_end_again(table_game: TableGame) -> None:
    screen = table_game("big-boom-bang", 3, moves=moves_of("big-boom-bang", "reroll-3.txt")[:-1])
    hand = Hand.at(screen)
    hand.touch(moves_of("big-boom-bang", "reroll-3.txt")[-1])
    hand.wait(STAY + 0.1)
    assert isinstance(hand.stage.top, EndScreen)
    hand.press("back")
    hand.wait(1)
    assert screen.boom is None and "blink" not in screen.lamps().values()
    hand.touch("help")
    assert isinstance(hand.stage.top, EndScreen)


def test_whoever_asks_what_now_while_the_last_boom_is_seen_comes_to_the_end_once(
    table_game: TableGame,
) -> None:
    hand = Hand.at(table_game("big-boom-bang", 3, moves=moves_of("big-boom-bang", "reroll-3.txt")[:-1]))
    hand.touch(moves_of("big-boom-bang", "reroll-3.txt")[-1], "help")
    assert isinstance(hand.stage.top, EndScreen) and Sound("win") in hand.effects
    hand.press("back")
    hand.wait(STAY + 0.1)
    assert isinstance(hand.stage.top, BangScreen)


def test_deal_and_salt_are_shown_once_the_game_is_over(table_game: TableGame) -> None:
    """Who has noted the number can check it: it is the digest of what the screen shows."""
    screen = table_game("big-boom-bang", 3, seed="check")
    screen.context.table.play(screen.match.throw(screen.awaited()), "companion")
    hand = Hand.at(screen)
    hand.touch("pause", "promise")
    promise = hand.stage.top
    assert isinstance(promise, PromiseScreen)
    promise.over, promise.told = True, promise.newest
    with texts_watched() as texts:
        hand.stage.draw()
    shown = [words for words, _, fits in texts if fits]
    deal = next(words for words in shown if words.startswith("shuffle "))
    digest, salt = (words.replace(" ", "") for words in shown if set(words) <= set("0123456789abcdef "))
    assert hashlib.sha256(f"{deal} {salt}".encode()).hexdigest() == digest


def words_of(hand: Hand) -> dict[str, int]:
    """What is written, and how high."""
    with texts_watched() as texts:
        hand.stage.draw()
    return {words: high for words, high, fits in texts if fits}


@pytest.mark.parametrize(("size", "least"), [((800, 480), 22), ((480, 320), 14), ((480, 800), 22)])
def test_why_a_touch_is_refused_is_short_and_large(table_game: TableGame, size: Size, least: int) -> None:
    """BANG-R10, R11."""
    hand = Hand.at(begun(table_game, "roll bomb bomb scissors heart gift", players=4), size)
    hand.touch("die-1", "die-2")
    assert words_of(hand)["Jede Bombe braucht eine Schere"] >= least
    hand = Hand.at(begun(table_game, "roll bomb bomb heart heart gift", players=4), size)
    hand.touch("die-1")
    assert words_of(hand)["Dafür brauchst du eine Schere"] >= least


def test_a_long_reason_is_not_written_small(table_game: TableGame) -> None:
    screen = begun(table_game, ROLL)
    screen.trouble = Message("Ich sehe 4 Würfel, es wurden aber 5 geworfen: wirf sie noch einmal")
    assert words_of(Hand.at(screen))[screen.trouble.text] >= 20


def test_scissors_that_a_bomb_has_brought_go_with_it(table_game: TableGame) -> None:
    """BANG-R12; but not those that somebody has chosen."""
    screen = begun(table_game, "roll scissors scissors bomb heart bomb")
    hand = Hand.at(screen)
    hand.touch("die-3")
    assert screen.chosen == {1, 3}
    hand.touch("die-3")
    assert screen.chosen == set()
    hand.touch("die-2", "die-3", "die-3")
    assert screen.chosen == {2}
    hand.touch("die-2", "die-3", "die-5", "die-5")
    assert screen.chosen == {1, 3}
    hand.touch("die-4", "die-1")
    assert screen.chosen == {4}


def test_nobody_is_asked_for_a_touch_that_is_not_needed(table_game: TableGame) -> None:
    hand = Hand.at(turned(table_game, 8, 1.0))
    hand.wait(0.1)
    assert "go-on" in hand.keys and not any("Tipp" in words for words in words_of(hand))


def test_who_has_to_turn_over_a_tile_is_seen_beside_the_odds(
    table_game: TableGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = begun(table_game, ROLL, "keep", players=5)
    seen: list[str] = []
    original = Canvas.player

    def spy(canvas: Canvas, box: Rect, colour: PlayerColour) -> None:
        seen.append(colour)
        original(canvas, box, colour)

    monkeypatch.setattr(Canvas, "player", spy)
    counts = []
    for screen.odds_shown in (False, True):
        seen.clear()
        for size in ((800, 480), (480, 320), (720, 1280)):
            staged(screen.context, screen, size).draw()
        counts.append(sorted(seen))
    assert counts[0] == counts[1] and len(counts[0]) >= 3 * (5 + 3)


def test_the_odds_can_be_read_on_the_seven_inch_screen_set_upright(
    context: Context, table_game: TableGame, pictures: Path
) -> None:
    stage = staged(context, with_odds(table_game), TURNED)
    check_picture(context, pictures, "bang-odds-choose", stage, TURNED, "en")


def test_names_can_be_read_on_a_screen_set_upright_however_many_play(
    context: Context, table_game: TableGame
) -> None:
    """Also long ones, and no tile lies over the throws that are left."""
    screen = table_game("big-boom-bang", 5, moves=(SHUFFLE, ROLL))
    computers = (Seat("", colour, "computer", "dragon") for colour in COLOURS[1:])
    context.table.reseat(Party((Seat("Maximiliane", "red"), *computers)))
    context.t = Texts("en")
    hand = Hand.at(screen, TURNED)
    assert all(words_of(hand)[screen.name(player)] >= 22 for player in range(5))
    c = hand.stage.canvas
    assert screen._tiles(c)[0].y >= screen._places(c)[1].bottom + c.px(LEFT)


# Computers


def alone(make: TableGame, dice: str = "screen") -> Hand:
    """Anna plays against two computers, and begins."""
    seats = ["person", "computer", "computer"]
    return Hand.at(make("big-boom-bang", 3, manner={"dice": dice}, moves=[SHUFFLE], plays=seats))


def on_table(hand: Hand) -> BangScreen:
    screen = hand.stage.top
    assert isinstance(screen, BangScreen)
    return screen


def move(hand: Hand) -> str:
    """What can be played by touch, and is not only there to say why not."""
    widgets = (w for w in hand.stage.widgets() if not w.by_finger)
    return next(w.key for w in widgets if w.key.startswith(("keep", "reveal", "name")))


def test_computers_play_a_whole_game_by_themselves(table_game: TableGame) -> None:
    """BANG-R34."""
    hand = Hand.at(table_game("big-boom-bang", 3, plays=["computer"] * 3))
    for _ in range(60):
        hand.wait(20)
        if isinstance(hand.stage.top, EndScreen):
            break
    assert isinstance(hand.stage.top, EndScreen)


@pytest.mark.parametrize("dice", ["screen", "own"])
def test_somebody_alone_plays_a_whole_game_against_computers(table_game: TableGame, dice: str) -> None:
    """The companion throws for them, even where people throw their own dice."""
    hand = alone(table_game, dice)
    for _ in range(400):
        if isinstance(hand.stage.top, EndScreen):
            break
        screen = on_table(hand)
        if screen.position.phase == "roll" and not screen.by_computer(screen.position.active):
            hand.touch(*(["throw"] if dice == "screen" else ["face-bomb"] * 2 + ["face-gift"] * 3))
        elif screen.mine:
            hand.touch(move(hand))
        hand.wait(1)
    assert isinstance(hand.stage.top, EndScreen)


def test_one_can_see_what_a_computer_throws(table_game: TableGame) -> None:
    hand = alone(table_game)
    hand.touch("throw", "keep")
    screen = on_table(hand)
    while screen.position.active == 0 and screen.position.phase != "shuffle":
        if screen.mine:
            hand.touch(move(hand))
        hand.wait(0.1)
    while screen.position.phase != "roll" or not screen.by_computer(screen.position.active):
        assert not screen.mine
        hand.wait(0.1)
    assert not {"throw", "keep", "die-1"} & set(hand.keys), "it is not for people to touch"
    before = len(screen.match.moves)
    while len(screen.match.moves) == before:
        hand.wait(0.03)
    thrown = hand.context.now
    while len(screen.match.moves) == before + 1:
        hand.wait(0.03)
    assert hand.context.now - thrown >= LOOK


def test_a_computer_is_not_called_by_name(table_game: TableGame) -> None:
    hand = Hand.at(table_game("big-boom-bang", 3, plays=["computer"] * 3))
    hand.wait(60)
    called = {effect.word for effect in hand.effects if isinstance(effect, Say)}
    assert not {name for name in called if name.startswith(("turn-", "reveal-"))}


def test_a_hint_marks_the_dice_that_are_best_thrown_again(table_game: TableGame) -> None:
    """BANG-R12: the scissors goes along with the bomb."""
    hand = Hand.at(begun(table_game, ROLL))
    hand.touch("hint")
    marked = {widget.key for widget in hand.stage.widgets() if widget.hinted}
    assert {"die-1", "die-3"} <= marked and "die-2" not in marked


def test_a_throw_that_is_spent_is_not_only_of_another_colour(
    context: Context, table_game: TableGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    signs, icon = list[str](), Canvas.icon

    def noted(canvas: Canvas, name: str, box: Rect, *ink: Rgb) -> None:
        signs.extend([name] if box.width == canvas.px(LEFT) else [])
        icon(canvas, name, box, *ink)

    monkeypatch.setattr(Canvas, "icon", noted)
    staged(context, begun(table_game, ROLL), (800, 480)).draw()
    assert sorted(signs) == ["dice", "dice", "minus"]


def test_boom_has_a_rim_and_is_read_on_the_white_of_the_fire(context: Context, table_game: TableGame) -> None:
    stage = staged(context, SCREENS["bang-boom"](table_game), (720, 1280))
    stage.draw()
    pixels = pygame.surfarray.array3d(stage.canvas.surface)
    letters = (pixels == 255).all(axis=2).astype(np.uint8)
    near, far = (cv2.dilate(letters, np.ones((side, side), np.uint8)) for side in (5, 7))
    assert letters.sum() > 5000 and pixels[(far > near)].min(axis=1).max() < 120
