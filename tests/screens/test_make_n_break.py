"""Make 'n' Break on the screen: rounds by touch, by panel, with one's own cards and stopper; every state."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from pygame import Surface

from companion.config import CONFIG
from companion.events import Buzz, Press, Say, SayNumber, Sound
from companion.games.book import books
from companion.games.make_n_break import picture
from companion.games.make_n_break.screen import STOPPED, BreakScreen
from companion.games.make_n_break.tasks import Task
from companion.language import Message, Texts
from companion.match import seeded
from companion.screens.base import Context, Screen
from companion.screens.canvas import Canvas, centred
from companion.screens.end import EndScreen
from companion.screens.home import HomeScreen
from companion.screens.pause import PromiseScreen
from companion.screens.setup import SetupScreen
from tests.screens.checks import (
    SIZES,
    TURNED,
    Size,
    check_picture,
    check_screen,
    size_name,
    staged,
    texts_watched,
)
from tests.screens.conftest import Hand, TableGame
from tests.screens.through import GOLDEN, moves_of, put_on_table

DECK: tuple[Task, ...] = books()["make-n-break"].agree(CONFIG).deck


def round_of(
    make: TableGame, *tasks: str, throws: int = 9, halted: bool = False, **manner: str
) -> BreakScreen:
    """A round that runs, with these tasks on top of the pile."""
    order = [*tasks, *(f"{side}{n:02}" for n in range(1, 31) for side in "y" if f"b{n:02}" not in tasks)]
    pile = list(dict.fromkeys(task[1:] for task in order))
    sides = {task[1:]: task for task in reversed(order)}
    level = "basic" if any(task[0] == "b" for task in tasks) else "intro"
    if level == "basic":  # half of the cards by the other side
        blue = [card for card in pile if sides[card][0] == "y" and sides[card] not in tasks]
        need = 15 - sum(sides[card][0] == "b" for card in pile)
        sides |= {card: f"b{card}" for card in blue[:need]}
    shuffle = " ".join(["shuffle", *(sides[card] for card in pile)])
    values = [(2, 0, 3, 1)[i % 4] for i in range(throws)]
    moves = [shuffle, "go", *(f"stopper {value}" for value in values)]
    screen = make("make-n-break", 3, {"level": level}, manner, moves=moves)
    assert isinstance(screen, BreakScreen)
    screen.halted = halted
    return screen


def stopped(make: TableGame) -> BreakScreen:
    """The stopper has just ended a round."""
    screen = round_of(make, "y07", throws=18)
    list(screen.play("built"))
    while screen.position.phase == "run":
        list(screen.play("stopper 3"))
    screen.context.now += 1
    return screen


def finished(make: TableGame) -> Screen:
    screen = stopped(make)
    screen.context.now += 1
    list(screen.go_on())
    return screen


def own_cards(make: TableGame) -> Screen:
    screen = make("make-n-break", 2, {"cards": "own"}, moves=["go", "stopper 3", "built 2"])
    screen.halted = False
    assert isinstance(screen, BreakScreen)
    return screen


SCREENS: dict[str, Callable[[TableGame], Screen]] = {
    "break-go": lambda make: make("make-n-break", 4, moves=moves_of("make-n-break", "basic-4.txt")[:1]),
    "break-round": lambda make: round_of(make, "y07"),
    "break-blue": lambda make: round_of(make, "b22"),
    "break-neutral": lambda make: round_of(make, "b09"),
    "break-free": lambda make: round_of(make, "y01"),
    "break-halted": lambda make: round_of(make, "y12", halted=True),
    "break-by-hand": lambda make: round_of(make, "y20", stopper="own"),
    "break-own-cards": own_cards,
    "break-stopped": stopped,
    "break-between": finished,
    "break-over": lambda make: make("make-n-break", 3, moves=moves_of("make-n-break", "basic-3.txt")),
}


@pytest.mark.parametrize("name", SCREENS)
def test_pictures(context: Context, table_game: TableGame, pictures: Path, name: str) -> None:
    check_screen(context, pictures, name, SCREENS[name](table_game))


@pytest.mark.parametrize("task", DECK, ids=lambda task: str(task.name))
def test_every_task_of_the_deck_can_be_drawn_with_a_letter_on_every_piece(task: Task) -> None:
    """MNB-R26, R27, R29; nothing is cut."""
    canvas = Canvas(Surface((400, 400)))
    with texts_watched() as texts:
        picture.card(canvas, canvas.rect.inflate(-10, -10), task, Texts("de"))
    assert texts.count((str(task.points), texts[0][1], True)) == 2
    assert all(fits for _, _, fits in texts)


@pytest.mark.parametrize("language", ["de", "en"])
def test_no_two_colours_have_the_same_letter(language: str) -> None:
    signs = picture.letters(Texts(language))
    assert len(set(signs.values())) == len(signs) == 7


def through(context: Context, file: str) -> Iterator[tuple[Hand, str]]:
    """Play a golden game by touch, while the stopper throws by itself; yield after each move."""
    context.settings = replace(context.settings, stopper_interval_s=0.5)
    screen, moves = put_on_table(context, BreakScreen, file)
    hand = Hand.at(screen)
    while (played := len(screen.match.moves)) < len(moves):
        text = moves[played]
        if text == "go" or text.startswith("built"):
            while text not in hand.keys:
                hand.wait(0.03)
            hand.touch(text)
        while len(screen.match.moves) == played:
            hand.wait(0.03)
        assert screen.match.moves[played] == text
        yield hand, text
    hand.wait(STOPPED + 0.1)
    assert isinstance(hand.stage.top, EndScreen)
    hand.touch("back")
    assert "blink" not in hand.stage.lamps().values(), "no other round is to begin"


@pytest.mark.parametrize("file", [path.name for path in GOLDEN["make-n-break"]])
def test_golden_games_cost_one_touch_a_card_and_one_a_round(file: str, context: Context) -> None:
    """MNB-R10, R17, R18, R20, R21."""
    before = 0
    for hand, text in through(context, file):
        assert hand.touches - before == (text == "go" or text.startswith("built"))
        before = hand.touches


def test_the_stopper_throws_at_its_pace_and_calls_the_total(table_game: TableGame, context: Context) -> None:
    """MNB-R10, R11, A-MNB13."""
    hand = Hand.at(round_of(table_game, "y07", throws=0))
    hand.wait(1.1)
    assert screen_of(hand).position.stopper.throws == ()
    hand.wait(0.3)
    assert len(screen_of(hand).position.stopper.throws) == 1
    assert SayNumber(screen_of(hand).position.stopper.total) in hand.effects


def screen_of(hand: Hand) -> BreakScreen:
    screen = hand.stage.top
    assert isinstance(screen, BreakScreen)
    return screen


def test_a_second_touch_builds_no_second_card_though_it_is_the_same_one_again(
    table_game: TableGame,
) -> None:
    """The last one of the pile may lie on top once the cards have been shuffled anew."""
    screen = round_of(table_game, "y07", throws=0)
    hand, cards = Hand.at(screen), screen.match.moves[0].split()[1:]
    for _ in cards[:-1]:
        list(screen.play("built"))
    before = hand.widget("built").means
    for move in ("built", " ".join(["shuffle", *cards[::-1]])):
        hand.context.table.play(move)
    assert screen.position.task == cards[-1] and hand.widget("built").means != before


def test_at_thirty_it_is_over_for_everybody_to_hear_and_see(table_game: TableGame) -> None:
    """MNB-R10, R19."""
    screen = round_of(table_game, "y07", throws=0)
    hand = Hand.at(screen)
    hand.touch("built")
    for _ in range(10):
        hand.effects += list(screen.play("stopper 3"))  # type: ignore[arg-type]
    assert {Sound("stop"), Say("stop"), Buzz()} <= set(hand.effects)
    assert screen.last == (0, 1, next(task.points for task in DECK if task.name == "y07"), 30)
    assert set(screen.lamps().values()) == {"blink"}
    hand.wait(STOPPED - 0.1)
    assert "go" not in hand.keys  # a hand may still be on its way to "built"
    hand.wait(0.2)
    hand.touch("go")
    assert screen.last is None and screen.position.round == 2


def test_nor_does_a_button_that_was_meant_for_it_open_the_rules_or_keep_the_next_one_from_go(
    table_game: TableGame,
) -> None:
    """MNB-R10, R18: whoever has the panel alone."""
    for walked in (True, False):
        screen = round_of(table_game, "y07", throws=18)
        hand = Hand.at(screen)
        if walked:
            hand.press("right")  # to "built", which is the first
        while not screen.stopped:
            hand.wait(0.06)
        hand.wait(STOPPED / 2)
        hand.press("confirm")
        assert hand.stage.top is screen
        hand.wait(STOPPED)
        hand.press("confirm")
        assert screen.running and screen.position.round == 2


@pytest.mark.parametrize("size", [(800, 480), (480, 320), (720, 1280)])
def test_the_stop_is_read_from_across_the_table(context: Context, table_game: TableGame, size: Size) -> None:
    """MNB-R10, R19: as large as on the screen of the stopper alone; then it is gone by itself."""
    screen = stopped(table_game)
    stage = staged(context, screen, size)
    with texts_watched() as texts:
        stage.draw()
    heights = {words: high for words, high, fits in texts if fits}
    assert heights["Stopp!"] >= min(size) / 6
    assert "1 Karte" in " ".join(heights) and screen.animating
    context.now += STOPPED
    assert not screen.animating
    with texts_watched() as texts:
        stage.draw()
    assert "Stopp!" not in [words for words, _, _ in texts]


def test_a_power_cut_in_a_round_comes_back_waiting_at_the_same_total(
    table_game: TableGame, context: Context
) -> None:
    screen = round_of(table_game, "y07")
    again = BreakScreen(context)
    assert again.halted and again.position.stopper == screen.position.stopper
    hand = Hand.at(again)
    hand.wait(3)
    assert again.position.stopper == screen.position.stopper
    hand.touch("go-on")
    hand.wait(1.3)
    assert len(again.position.stopper.throws) == 10


def test_the_menu_and_the_rules_halt_the_stopper(table_game: TableGame) -> None:
    hand = Hand.at(round_of(table_game, "y07"))
    hand.touch("pause")
    hand.wait(3)
    hand.touch("go-on", "help")
    hand.wait(3)
    hand.touch("close")
    assert len(screen_of(hand).position.stopper.throws) == 9
    hand.wait(1.3)
    assert len(screen_of(hand).position.stopper.throws) == 10


def test_whatever_lies_over_a_round_halts_its_clock(table_game: TableGame, context: Context) -> None:
    """Nobody can say that a card is built then."""
    context.notices = (Message("The disk is full"),)
    hand = Hand.at(round_of(table_game, "y07"))
    for key in ("volume", "notices"):
        hand.touch(key)
        hand.wait(3)
        hand.press("back")
    assert len(screen_of(hand).position.stopper.throws) == 9
    hand.wait(1.3)
    assert len(screen_of(hand).position.stopper.throws) == 10


def test_what_people_throw_counts_whatever_lies_over_the_round(table_game: TableGame) -> None:
    """They throw on while somebody makes it louder."""
    screen, hand = by_hand(table_game, 3)
    hand.touch("volume")
    hand.show(1)
    hand.show(2)
    assert screen.position.stopper.throws == (3, 1, 2)


def test_that_the_round_goes_on_is_heard(table_game: TableGame) -> None:
    hand = Hand.at(round_of(table_game, "y07", halted=True))
    hand.touch("go-on")
    assert hand.effects == [Sound("go"), Say("continue")]


def test_the_panel_alone_plays_a_round(table_game: TableGame) -> None:
    screen = table_game("make-n-break", 2, moves=moves_of("make-n-break", "basic-2.txt")[:1])
    hand = Hand.at(screen)
    hand.press("confirm")
    assert screen.position.phase == "run"
    hand.press("confirm")
    assert screen.position.done == (), "the second press of an impatient hand is not for what is new"
    hand.wait(0.5)
    hand.press("confirm")
    assert len(screen.position.done) == 1
    hand.press("back")
    assert screen.halted and hand.stage.top is screen
    hand.stage.handle(Press("back"))
    assert isinstance(hand.stage.top, HomeScreen)


def test_whoever_leaves_a_round_that_waits_hears_nothing_more_of_it(table_game: TableGame) -> None:
    hand = Hand.at(round_of(table_game, "y07"))
    hand.press("back", "back")
    assert isinstance(hand.stage.top, HomeScreen) and hand.effects.count(Say("pause")) == 1


def test_a_real_die_before_the_camera_is_the_stopper(table_game: TableGame) -> None:
    """MNB-R2: 4, 5 and 6 of an ordinary die are the three blank sides."""
    screen = round_of(table_game, "y07", throws=0, stopper="own")
    hand = Hand.at(screen)
    assert hand.stage.wants_eye
    hand.show(3)
    hand.show(5)
    hand.show(1)
    assert screen.position.stopper.throws == (3, 0, 1)
    hand.wait(5)
    assert len(screen.position.stopper.throws) == 3, "nothing is thrown by itself"
    hand.show(2, 2)
    assert screen.trouble is not None and len(screen.position.stopper.throws) == 3
    hand.touch("stopper 2")
    assert screen.position.stopper.total == 6


def test_the_camera_looks_before_the_round_so_that_it_sees_the_first_throw_but_counts_nothing_until_then(
    table_game: TableGame,
) -> None:
    """MNB-R10: it takes a second to begin, and what lies there when it first looks is asked about."""
    screen = table_game("make-n-break", 2, {"cards": "own"}, {"stopper": "own"})
    hand = Hand.at(screen)
    assert hand.stage.wants_eye and not hand.stage.awaits_throw
    hand.show(3)
    hand.touch("help")
    assert hand.stage.wants_eye, "whoever has read the rules begins at once"
    hand.touch("close", "go")
    hand.wait(1)
    assert screen.position.stopper.throws == () and hand.stage.awaits_throw
    hand.touch("pause")
    assert hand.stage.wants_eye and not hand.stage.awaits_throw, "nor is it to begin anew in a round"
    hand.touch("go-on")
    hand.show(2)
    assert screen.position.stopper.throws == (2,)


def test_what_was_thrown_after_the_stop_does_not_count_when_that_is_taken_back(
    table_game: TableGame,
) -> None:
    """MNB-R10."""
    screen, hand = by_hand(table_game, *[3] * 10)
    hand.wait(STOPPED)
    hand.show(2)
    hand.press("undo")
    hand.wait(1)
    assert screen.position.stopper.total == 27


def test_two_dice_are_refused_for_everybody_to_hear(table_game: TableGame) -> None:
    hand = Hand.at(round_of(table_game, "y07", throws=0, stopper="own"))
    hand.show(2, 2)
    assert hand.effects == [Sound("refused")]


def test_a_card_that_is_built_leaves_two_dice_refused_until_there_is_one(table_game: TableGame) -> None:
    """MNB-R2, R17."""
    hand = Hand.at(round_of(table_game, "y07", throws=0, stopper="own"))
    screen = screen_of(hand)
    hand.show(2, 2)
    hand.touch("built")
    assert screen.trouble, "whoever throws has not seen it yet"
    hand.show(2, revises=True)
    assert screen.position.stopper.throws == (2,) and screen.trouble is None


def test_the_real_stopper_die_counts_whatever_lies_beside_it(table_game: TableGame) -> None:
    """MNB-R2, R10: the builder's dice roll far."""
    hand = Hand.at(round_of(table_game, "y07", throws=0, stopper="own"))
    screen = screen_of(hand)
    hand.show("3")
    hand.show("3", 5, stayed=[0])
    assert screen.position.stopper.total == 3 and screen.trouble is None
    hand.show("2", 5, stayed=[1])
    assert screen.position.stopper.total == 5
    hand.touch("stopper 1")
    hand.show("1", 5, stayed=[1])
    assert screen.position.stopper.total == 6, "a slow eye reads what was said a moment ago"
    hand.show("1", "2")
    assert screen.position.stopper.total == 6 and screen.trouble


def by_hand(make: TableGame, *values: int) -> tuple[BreakScreen, Hand]:
    """A round in which people throw the stopper die, after these throws before the camera."""
    screen = round_of(make, "y07", throws=0, stopper="own")
    hand = Hand.at(screen)
    for value in values:
        hand.show(value)
    return screen, hand


def test_a_throw_read_anew_counts_so_also_if_a_card_was_built_meanwhile(table_game: TableGame) -> None:
    """MNB-R10, R17."""
    screen, hand = by_hand(table_game, 3, 2)
    hand.touch("built")
    hand.doubt(1, revises=True)
    assert screen.position.stopper.throws == (3, 2), "not if it is in doubt"
    hand.show(1, revises=True)
    assert screen.position.stopper.throws == (3, 1) and screen.position.done == ("y07",)
    assert hand.effects[-1] == SayNumber(4)


def test_what_was_built_after_a_stop_that_is_read_only_then_does_not_count(table_game: TableGame) -> None:
    """MNB-R18."""
    screen, hand = by_hand(table_game, *[3] * 9, 2)
    hand.touch("built")
    hand.show(3, revises=True)
    assert screen.last == (0, 0, 0, 30)


def test_a_stopper_die_that_was_declined_stays_so_when_a_card_is_built(
    table_game: TableGame, context: Context
) -> None:
    hand = by_hand(table_game, 3)[1]
    hand.doubt(2)
    hand.press("undo")
    hand.touch("built")
    again = BreakScreen(context)  # after a power cut
    Hand.at(again).doubt(2, found=True)
    assert again.guess is None


def test_what_was_said_of_the_last_throw_is_not_said_of_the_first_one_of_the_next_round(
    table_game: TableGame,
) -> None:
    """MNB-R10: a slow eye would have read it by then."""
    screen, hand = by_hand(table_game, *[3] * 9)
    hand.touch("stopper 3")
    hand.wait(STOPPED)
    hand.touch("go")
    hand.show(3)
    assert screen.position.stopper.throws == (3,)


def test_undo_of_a_thrown_stopper_takes_back_that_throw_alone_and_the_round_goes_on(
    table_game: TableGame,
) -> None:
    screen, hand = by_hand(table_game, 3, 2)
    hand.press("undo")
    assert screen.position.stopper.throws == (3,)
    assert hand.stage.wants_eye and "built" in hand.keys and "go-on" not in hand.keys
    hand.show(1, revises=True)  # what was taken back is read anew: it stays taken back, and so does the 3
    assert screen.position.stopper.throws == (3,)
    hand.show(1)
    assert list(screen.position.stopper.throws) == [3, 1]


def test_a_question_about_the_stopper_that_was_taken_back_takes_back_no_throw(table_game: TableGame) -> None:
    screen, hand = by_hand(table_game, 3)
    hand.doubt(2)
    hand.press("undo")
    hand.show(1, revises=True)
    assert screen.position.stopper.throws == (3,) and screen.guess is None


def test_a_round_without_a_clock_waits_for_nobody(table_game: TableGame, context: Context) -> None:
    screen, hand = by_hand(table_game, 3)
    hand.press("undo")
    hand.touch("pause", "redo", "go-on")
    assert hand.stage.wants_eye and screen.position.stopper.throws == (3,)
    assert "built" in Hand.at(BreakScreen(context)).keys, "after a power cut"
    hand.effects.clear()
    hand.press("back")
    assert isinstance(hand.stage.top, HomeScreen) and Say("pause") not in hand.effects


def test_no_level_is_asked_for_where_the_cards_are_those_of_the_box(context: Context) -> None:
    """MNB-R5 to R7: people turn them as they like."""
    hand = Hand.at(SetupScreen(context, BreakScreen))
    for asked in (True, False, True):
        assert ("level" in hand.keys) is asked and {"cards", "stopper"} <= set(hand.keys)
        hand.stage.draw()
        hand.touch("cards")


def test_nobody_is_asked_to_touch_points_that_are_not_there(table_game: TableGame, context: Context) -> None:
    screen = own_cards(table_game)
    asks = context.t("Built? Touch the points of your card")
    for halted in (False, True):
        screen.halted = halted  # type: ignore[attr-defined]
        with texts_watched() as texts:
            staged(context, screen, (800, 480)).draw()
        assert (asks in [words for words, _, _ in texts]) is not halted


def test_a_wrong_touch_takes_no_running_round_away(table_game: TableGame) -> None:
    """MNB-R10, R18: it waits, and goes on at the same total."""
    screen = round_of(table_game, "y07")
    hand, throws = Hand.at(screen), screen.position.stopper.throws
    hand.touch("undo")
    assert screen.halted and screen.position.stopper.throws == throws and Say("pause") in hand.effects
    hand.touch("card")
    assert screen.halted and not screen.position.done and hand.effects[-1] == Sound("refused")
    assert screen.trouble == Message("First touch Continue")
    hand.touch("go-on")
    assert screen.trouble is None
    assert hand.effects[-1] == Say("continue")
    hand.wait(1.3)
    assert len(screen.position.stopper.throws) == len(throws) + 1


def test_undo_takes_a_card_back_once_the_round_waits(table_game: TableGame) -> None:
    screen = round_of(table_game, "y07")
    hand = Hand.at(screen)
    hand.touch("built")
    hand.wait(1.3)
    hand.press("undo", "undo")
    assert screen.position.done == () and screen.halted and screen.position.task == "y07"


def test_a_finger_that_bounces_has_not_built_two_cards(table_game: TableGame, context: Context) -> None:
    screen = round_of(table_game, "y07", throws=0)
    hand = Hand.at(screen)
    hand.touch("built")
    for later in (0.1, 0.5):
        context.now += later
        hand.tap("built")
    assert len(screen.position.done) == 1


@pytest.mark.parametrize(("cards", "key"), [("deck", "stopper 2"), ("own", "built 2")])
def test_nor_has_it_said_two_throws_or_two_cards_of_ones_own(
    table_game: TableGame, cards: str, key: str
) -> None:
    moves = ["go"] if cards == "own" else moves_of("make-n-break", "basic-2.txt")[:2]
    screen = table_game("make-n-break", 2, {"cards": cards}, {"stopper": "own"}, moves=moves)
    hand = Hand.at(screen)
    hand.touch(key)
    before = len(screen.match.moves)
    hand.context.now += 0.1
    hand.tap(key)
    assert len(screen.match.moves) == before


def test_nor_has_it_skipped_two_or_built_what_comes_after_one_that_is_skipped(context: Context) -> None:
    """A-MNB8."""
    book = BreakScreen.book
    game = context.table.begin(book, replace(book.agree(CONFIG), skip=True), seeded("seed"))
    for text in (game.match.throw(game.match.awaits[0]), "go"):
        context.table.play(text)
    screen = BreakScreen(context)
    screen.halted = False
    hand = Hand.at(screen)
    first = screen.position.task
    hand.bounce("skip")
    second = screen.position.task
    for key in ("skip", "built", "card"):
        context.now += 0.05
        hand.tap(key)
    assert screen.position.task == second != first


def test_a_round_whose_stop_was_taken_back_waits(table_game: TableGame) -> None:
    screen = stopped(table_game)
    Hand.at(screen).press("undo")
    assert screen.position.phase == "run" and screen.halted


def test_a_go_that_is_made_again_waits(table_game: TableGame) -> None:
    screen = round_of(table_game, "y07", throws=0)
    hand = Hand.at(screen)
    hand.press("undo", "undo")
    assert "go" in hand.keys
    hand.touch("pause", "redo")
    assert screen.position.phase == "run" and screen.halted


@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_the_mark_of_a_doubt_leaves_the_digit_to_be_read(table_game: TableGame, size: Size) -> None:
    screen, hand = by_hand(table_game)
    stage = staged(screen.context, screen, size)
    box = next(widget.rect for widget in stage.widgets() if widget.key == "stopper 2")
    side = min(box.size) * 2 // 5
    digits = []
    for doubts in (False, True):
        if doubts:
            hand.doubt(2)
        stage.draw()
        digits.append(
            pygame.image.tobytes(stage.canvas.surface.subsurface(centred(box.center, side, side)), "RGB")
        )
    assert digits[0] == digits[1]


@pytest.mark.parametrize("size", [(800, 480), TURNED], ids=size_name)
def test_the_cards_that_were_dealt_can_be_read(
    table_game: TableGame, context: Context, pictures: Path, size: Size
) -> None:
    """Those of the round before, with the number that was their promise."""
    screen = table_game("make-n-break", 2)
    for text in ("go", *["stopper 3"] * 10):
        list(screen.go_on())
        context.table.play(text)
    list(screen.go_on())
    promise = staged(context, PromiseScreen(screen), size)
    check_picture(context, pictures, "break-promise", promise, size, "de")
