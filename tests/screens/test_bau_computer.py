"""Bau Boom against computers: they choose, people carry it out, with one touch a turn."""

import random
from dataclasses import replace

from pygame import Surface

from companion.events import Say, Touch
from companion.games.bau_boom.hill_view import HillView
from companion.games.bau_boom.position import Remove
from companion.games.bau_boom.screen import BauScreen
from companion.games.container.screen import ContainerScreen
from companion.language import Texts
from companion.screens.base import Context
from companion.screens.canvas import Canvas
from companion.screens.end import EndScreen
from companion.screens.game import THOUGHT
from companion.screens.setup import SetupScreen
from tests.games.bau_boom.hidden import turned
from tests.screens.checks import SIZES, texts_watched
from tests.screens.conftest import Hand, TableGame
from tests.screens.test_bau_boom import REAL, alone, at, due, told

QUICK: tuple[str, ...] = ("throw", "accept", "take", "red", "yellow", "green", "blue")


def played(table_game: TableGame, manner: dict[str, str] | None = None) -> tuple[BauScreen, Hand]:
    """A person against a computer."""
    screen = table_game("bau-boom", 2, seed="a", plays=["person", "computer"], manner=manner)
    hand = Hand.at(screen)
    hand.wait(0.3)
    return screen, hand


def one_touch(hand: Hand) -> None:
    """What a person does who does not think long."""
    keys = hand.keys
    quick = [key for key in QUICK if key in keys]
    hand.touch(*(quick or [key for key in keys if key.startswith(("move", "place"))])[:1])
    hand.wait(0.5)
    while isinstance(screen := hand.stage.top, BauScreen) and screen.computer is not None:
        hand.wait(THOUGHT)


def computers_throw(screen: BauScreen) -> bool:
    return not screen.position.over and screen.position.due.what == "roll" and screen.position.turn == 1


def until_its_throw(screen: BauScreen, hand: Hand) -> None:
    while not computers_throw(screen):
        one_touch(hand)


def test_a_whole_game_in_which_a_turn_of_the_computer_needs_one_touch(table_game: TableGame) -> None:
    """It throws, moves, takes and builds; a person is asked again only for his own barrow."""
    screen, hand = played(table_game)
    turns = 0
    while not isinstance(hand.stage.top, EndScreen):
        theirs = computers_throw(screen)
        one_touch(hand)
        turns += theirs
        position = screen.position
        assert not theirs or position.over or position.due.player == 0
    assert turns > 5


def test_it_can_be_thrown_for_with_real_dice(table_game: TableGame) -> None:
    screen, hand = played(table_game)
    until_its_throw(screen, hand)
    touches = hand.touches
    hand.show(2, 5)
    hand.wait(2 * THOUGHT)
    assert hand.touches == touches and not computers_throw(screen)
    assert any(text in screen.match.moves[-3:] for text in ("move 2", "move 5", "move 7"))


def test_what_was_read_wrongly_is_read_anew_though_it_has_moved(table_game: TableGame) -> None:
    screen, hand = played(table_game)
    until_its_throw(screen, hand)
    before = list(screen.match.moves)
    hand.show(2, 5)
    hand.wait(2 * THOUGHT)
    hand.show(3, 6, revises=True)
    hand.wait(2 * THOUGHT)
    assert screen.match.moves[: len(before)] == before
    roll, move, *_ = screen.match.moves[len(before) :]
    assert roll == "roll 3 6" and move in ("move 3", "move 6", "move 9")


def test_what_it_has_chosen_is_shown_and_said(table_game: TableGame) -> None:
    screen, hand = played(table_game)
    until_its_throw(screen, hand)
    hand.effects.clear()
    one_touch(hand)
    (number,) = [text.split()[1] for text in screen.match.moves[-4:] if text.startswith("move")][-1:]
    drive = next(card for card in screen.cards if card.sign == "drive")
    assert (drive.player, str(drive.spaces)) == (1, number)
    assert number in [effect.word for effect in hand.effects if isinstance(effect, Say)]


def test_what_follows_by_itself_is_said_in_one_go(table_game: TableGame) -> None:
    """Of phrases that wait while the throw is said only the last is heard: how far it has moved was not."""
    screen, hand = played(table_game)
    for _ in range(3):
        until_its_throw(screen, hand)
        hand.effects.clear()
        one_touch(hand)
        number, answer = screen.match.moves[-2:]
        (said,) = [effect for effect in hand.effects if isinstance(effect, Say)]
        assert answer == "take" and said == Say(number.split()[1], ("bau-take", "turn-red"))


def test_it_is_said_that_people_build_for_it_when_it_has_come_home(context: Context) -> None:
    screen, _ = built(context)
    said = list(screen._clips(screen.turn_frames[0].before, screen.cards))
    assert said[1:] == ["bau-build", "bau-back", "bau-lay", "turn-red"]


def test_an_arrival_that_is_accepted_is_spoken_of_once(context: Context) -> None:
    screen = at(context, "base-2.txt", due("build"), 60)
    del screen.match.throw
    hand = Hand.at(screen)
    hand.touch("accept")
    hand.wait(0.5)
    (said,) = [effect for effect in hand.effects if isinstance(effect, Say)]
    assert (said.word, *said.then)[-3:] == ("bau-back", "bau-lay", "turn-red")


def test_what_a_person_has_chosen_himself_needs_no_card(table_game: TableGame) -> None:
    screen, hand = played(table_game)
    until_its_throw(screen, hand)
    assert not any(card.sign == "drive" for card in screen.cards)


def test_what_somebody_has_chosen_is_told_as_before_whoever_plays_on_for_him(table_game: TableGame) -> None:
    """A barrow that stands where its owner has put it was driven on once more for the computer."""
    screen, hand = played(table_game)
    for player in (0, 1):
        seat = screen.seats[player]
        while screen.position.turn == player:
            one_touch(hand)
        shown = screen.cards
        assert ("drive" in [card.sign for card in shown]) is (seat.plays == "computer")
        list(screen.reseat(player, replace(seat, plays="person" if player else "computer")))
        assert screen.cards == shown
        list(screen.reseat(player, replace(seat, plays="person")))


def test_a_tile_that_it_takes_is_named_by_its_card(context: Context) -> None:
    """It lay open on the trail."""
    screen = told(context, "base-4.txt", "drive", "take")
    before = screen.turn_frames[0].before
    (card,) = [card for card in screen.cards if card.sign == "take"]
    number = next(card.spaces for card in screen.cards if card.sign == "drive")
    assert card.tiles == (before.trail[before.barrows[before.turn].at + number],)


def test_nobody_looks_at_a_tile_that_it_has_drawn(context: Context) -> None:
    """BAU-R17"""
    screen = told(context, "base-3.txt", "drive", "drawn")
    assert not any(key.startswith("look") for key in Hand.at(screen).keys)


def test_no_picture_of_it_depends_on_what_lies_face_down(context: Context) -> None:
    """BAU-R16"""
    screen = told(context, "base-3.txt", "drive", "drawn")
    step, shown = screen.match._steps[-1], alone(screen)
    screen.match._steps[-1] = replace(step, position=turned(step.position, random.Random(1)))
    assert alone(screen) == shown


def test_people_draw_for_it_from_the_real_container(table_game: TableGame) -> None:
    screen, hand = played(table_game, REAL)
    drawn = 0
    while not isinstance(hand.stage.top, EndScreen) and drawn < 1:
        due = None if screen.position.over else screen.position.due
        mine = due is not None and due.what == "draw" and due.player == 1
        if mine:
            assert "{name}" in screen.prompt().text.text and screen.prompt().player == 1
        colours = [key for key in hand.keys if key in ("red", "yellow", "green", "blue")]
        if colours:
            held = zip(("red", "yellow", "green", "blue"), screen.position.container, strict=True)
            left = {c: n - screen.entered.count(c) for c, n in held}
            hand.touch(max(left, key=lambda c: left[c]))
            hand.wait(0.3)
        else:
            one_touch(hand)
        drawn += mine
    assert drawn


def test_undo_takes_back_what_it_has_done_together_with_what_a_person_has(table_game: TableGame) -> None:
    screen, hand = played(table_game)
    until_its_throw(screen, hand)
    decided = [move.by for move in screen.game.done].count("person")
    one_touch(hand)
    hand.touch("undo")
    assert [move.by for move in screen.game.done].count("person") == decided - 1
    assert screen.position.turn == 0


def test_a_computer_can_be_seated(context: Context) -> None:
    hand = Hand.at(SetupScreen(context, BauScreen))
    hand.touch("seat-1", "plays", "done", "start", "begins-0")
    assert context.table.game
    assert [seat.plays for seat in context.table.game.party.seats] == ["person", "computer"]


def test_with_the_container_only_people_play(context: Context) -> None:
    """Nobody can tell what a computer would take out of it; the next whole game has its computers again."""
    hand = Hand.at(SetupScreen(context, BauScreen))
    hand.touch("seat-0", "plays", "done", "depth", "start")
    hand.wait(1)
    screen = hand.stage.top
    assert isinstance(screen, ContainerScreen) and not screen.by_computer(0)
    hand.touch("lay", "tell open red", "pause", "aside")
    again = SetupScreen(context, BauScreen)
    assert [seat.plays for seat in again.seating.seats] == ["computer", "person"]


def test_people_are_asked_about_the_dice_that_they_throw_for_it(table_game: TableGame) -> None:
    """A computer has none, and answers nothing."""
    screen, hand = played(table_game)
    until_its_throw(screen, hand)
    hand.doubt(2, 5)
    assert screen.prompt().text.text == "Throw for {name}: is this right?"
    hand.touch("undo")
    hand.doubt(2, 5, doubts=())
    assert screen.prompt().text.text == "Throw for {name}: does it count?"


def test_what_is_asked_of_dice_is_asked_still_when_somebody_else_plays_on(table_game: TableGame) -> None:
    """They lie there, and are no throw as long as nobody says so."""
    _, hand = played(table_game)
    hand.doubt(2, 5)
    hand.touch("pause", "seats", "seat-0", "go-on")
    assert {"yes", "die-0"} <= set(hand.keys)


# Its hill, large


def built(context: Context, file: str = "base-2.txt") -> tuple[BauScreen, Hand]:
    """A computer has come home, and what it builds is on a card."""
    screen = told(context, file, "drive", "build", "back")
    del screen.match.throw
    return screen, Hand.at(screen)


def test_a_hill_on_a_card_is_shown_large_until_the_next_touch(context: Context) -> None:
    context.t = Texts("en")
    screen, hand = built(context)
    (card,) = [card for card in screen.cards if card.sign == "build"]
    (key,) = [key for key in hand.keys if key.startswith("build-")]
    small = hand.widget(key).rect
    hand.touch(key)
    view = hand.stage.top
    assert isinstance(view, HillView) and view.card == card
    squares = view.squares(hand.stage.canvas)
    assert squares.keys() >= set(card.places)
    assert min(squares[card.places[0]].size) >= 40 > small.height // 4
    with texts_watched() as texts:
        hand.stage.draw()
    assert any(words.startswith("Lay the tiles with a frame") for words, _, _ in texts)
    hand.touch("close")
    assert hand.stage.top is screen
    hand.touch(key)
    hand.press("confirm")
    assert hand.stage.top is screen


def test_which_tile_of_its_hill_a_computer_pays_is_shown_large(context: Context) -> None:
    """BAU-R34, A-BAU13: another one of that colour may lie open, too."""
    context.t = Texts("en")
    screen, hand = built(context, "younger-4.txt")
    (place,) = [frame.move.place for frame in screen.turn_frames if isinstance(frame.move, Remove)]
    (key,) = [key for key in hand.keys if key.startswith("back-")]
    hand.touch(key)
    view = hand.stage.top
    assert isinstance(view, HillView) and view.card.places == (place,)
    with texts_watched() as texts:
        hand.stage.draw()
    assert {"Back it goes"} <= {words for words, _, _ in texts}
    assert any(words.startswith("What has a cross") for words, _, _ in texts)


def test_the_arrow_closes_a_large_hill_and_not_the_game(context: Context) -> None:
    screen, hand = built(context)
    arrow = hand.widget("back").rect.center
    hand.touch(next(key for key in hand.keys if key.startswith("build-")))
    for size in SIZES:
        assert not hand.stage.top.widgets(Canvas(Surface(size)))[0].rect.collidepoint(arrow)
    hand.context.now += 1
    for phase in ("down", "up"):
        hand.stage.handle(Touch(*arrow, phase))
    assert hand.stage.top is screen


def test_a_throw_while_a_hill_is_large_counts_when_it_is_closed(context: Context) -> None:
    screen, hand = built(context)
    hand.touch(next(key for key in hand.keys if key.startswith("build-")))
    hand.show(2, 5)
    hand.wait(0.3)
    assert computers_throw(screen) or screen.position.due.what == "roll"
    hand.touch("close")
    hand.wait(0.3)
    assert "roll 2 5" in screen.match.moves[-4:]


def test_tiles_that_have_to_be_fetched_before_they_are_built_are_marked(table_game: TableGame) -> None:
    """What a computer has drawn, nobody has in his hands yet."""
    screen, hand = played(table_game)
    marked = 0
    while not isinstance(hand.stage.top, EndScreen):
        one_touch(hand)
        for card in screen.cards:
            if card.sign == "build" and card.player == 1:
                fetched = screen.fetched(card)
                assert fetched <= set(card.places)
                marked += len(fetched)
    assert marked


def test_a_card_does_not_say_in_riddles_what_is_to_be_built(context: Context) -> None:
    context.t = Texts("en")
    screen, _ = built(context)
    with texts_watched() as texts:
        alone(screen)
    assert not any("fetch" in words for words, _, _ in texts)
