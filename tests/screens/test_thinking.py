"""What a screen does while somebody thinks: computers, hints, looking back; Kabooom! is the game here."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.config import CONFIG
from companion.events import Ask, Sound
from companion.games import part
from companion.games.big_boom_bang.board import LOOK
from companion.games.book import books
from companion.games.kabooom.review import Deciding
from companion.games.kabooom.reviewing import ReviewScreen
from companion.games.kabooom.screen import KabooomScreen
from companion.games.thought import ANIMALS, Thought
from companion.language import Message, mark
from companion.match import seeded
from companion.mind.questions import BestMove, DecidingMoves, Question
from companion.players import Party, Seat, animal, read, written
from companion.screens.base import Context, Screen
from companion.screens.end import EndScreen
from companion.screens.game import THOUGHT, GameScreen
from companion.screens.home import HomeScreen
from companion.screens.player import PlayerScreen
from companion.screens.seating import Seating
from companion.screens.setup import BeginnerScreen, SetupScreen
from companion.screens.stuck import StuckScreen
from companion.screens.terms import seat_name
from companion.screens.theme import NEUTRAL
from companion.store import Store
from companion.table import Table
from tests.screens.checks import SIZES, TURNED, check_picture, check_screen, staged, texts_watched
from tests.screens.conftest import Hand, TableGame, maker, screens
from tests.screens.through import moves_of

KABOOOM = books()["kabooom"]
WHY = Message(mark("If you pass, the game is over."))
LONG_WHY = Message(
    mark("Nothing can be stored: the disk cannot be written to. What happens meanwhile is kept.")
)
ANNA, FOX = Seat("Anna", "red"), Seat("", "blue", "computer", "fox")


def thought(move: str, why: Message = WHY) -> Thought:
    return Thought(move, why, 1.0)


class Slow(Hand):
    """A person before a table at which somebody thinks until the test says what has been thought."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.questions: list[Question] = []
        self.thinks = self.questions.append

    @property
    def last(self) -> Question:
        """What was asked last."""
        return self.questions[-1]


def slow(screen: Screen) -> Slow:
    hand = Slow.at(screen)
    assert isinstance(hand, Slow)
    return hand


def against_fox(context: Context, *moves: str) -> KabooomScreen:
    context.table.begin(KABOOOM, KABOOOM.agree(CONFIG), seeded("x"), Party((ANNA, FOX)))
    for move in moves:
        context.table.play(move)
    return KabooomScreen(context)


def moves(context: Context) -> list[str]:
    assert context.table.game
    return context.table.game.match.moves


# A computer thinks


def test_it_is_asked_at_once_and_answers_after_a_moment(context: Context) -> None:
    hand = slow(against_fox(context))
    hand.touch("a1")
    question = hand.last
    assert isinstance(question, BestMove)
    assert (question.book, question.moves, question.strength) == ("kabooom", ("place r a1",), "fox")
    hand.hear(question, thought("place s b1"), thought("place p b1"))
    assert moves(context) == ["place r a1"], "people still look at what they have done"
    hand.wait(THOUGHT + 0.05)
    assert moves(context) == ["place r a1", "place p b1"] and len(hand.questions) == 1


def test_the_last_thought_counts_even_if_it_takes_longer(context: Context) -> None:
    hand = slow(against_fox(context, "place r a1"))
    hand.wait(0.1)
    hand.hear(hand.last, thought("place s b1"), over=False)
    hand.wait(5.0)
    assert len(moves(context)) == 1
    hand.hear(hand.last, thought("place p b1"))
    hand.wait(0.1)
    assert moves(context)[1:] == ["place p b1"]


def test_what_it_has_done_last_is_seen_and_said_before_the_end_is_shown(context: Context) -> None:
    """KAB-R22."""
    hand = slow(against_fox(context, *moves_of("kabooom", "medium-2.txt")[:24], "pass"))
    hand.wait(0.1)
    hand.hear(hand.last, thought("pass"))
    hand.wait(0.1)
    screen = hand.stage.top
    assert isinstance(screen, KabooomScreen) and screen.position.over
    assert screen.trouble and context.t.say(screen.trouble) == "Fuchs Blau setzt aus"
    hand.wait(THOUGHT)
    assert isinstance(hand.stage.top, EndScreen)
    hand.touch("back")
    assert screen.trouble is None, "then it is said that the game is over"


def test_while_it_thinks_only_signs_can_be_touched(context: Context) -> None:
    hand = slow(against_fox(context, "place r a1"))
    hand.wait(0.1)
    assert set(hand.keys) == {"help", "pause", "undo", "volume", "back"}


def test_while_it_thinks_the_button_that_confirms_opens_no_rules(context: Context) -> None:
    """But it opens what the others have led to."""
    screen = against_fox(context, "place r a1")
    hand = slow(screen)
    for _ in range(2):
        hand.confirm()
        assert hand.stage.top is screen and hand.stage.focus is None
        assert hand.stage.lamps()["confirm"] == "off"
    hand.press("right")
    assert hand.stage.focus == "help" and hand.stage.lamps()["confirm"] == "on"
    hand.confirm()
    assert hand.stage.top is not screen


def test_a_pause_keeps_the_thought_until_it_ends(context: Context) -> None:
    hand = slow(against_fox(context, "place r a1"))
    hand.wait(0.1)
    hand.touch("pause")
    hand.hear(hand.last, thought("place p b1"))
    hand.wait()
    assert len(moves(context)) == 1
    hand.touch("go-on")
    hand.wait(0.1)
    assert len(moves(context)) == 2


def test_what_comes_after_undo_is_dropped_and_nobody_thinks_on(context: Context) -> None:
    hand = slow(against_fox(context))
    hand.touch("a1")
    late = hand.last
    hand.press("undo")
    hand.wait(0.1)
    assert hand.effects[-1] == Ask(None)
    hand.hear(late, thought("place p b1"))
    hand.wait()
    assert moves(context) == []
    hand.touch("pause", "redo", "go-on")
    hand.wait(0.1)
    assert hand.last is not late and moves(context) == ["place r a1"]


def test_put_aside_and_home_end_a_thought(context: Context) -> None:
    hand = slow(against_fox(context, "place r a1"))
    hand.wait(0.1)
    hand.touch("pause", "aside")
    assert Ask(None) in hand.effects and isinstance(hand.stage.top, HomeScreen)
    hand.hear(hand.last, thought("place p b1"))
    assert context.table.game is None


def test_after_a_power_cut_it_is_thought_again(context: Context, tmp_path: Path) -> None:
    context.table = Table(Store.open(tmp_path / "companion.db"))
    slow(against_fox(context, "place r a1")).wait(0.1)
    context.table.close()
    context.table = Table(Store.open(tmp_path / "companion.db"))
    hand = slow(KabooomScreen(context))
    hand.wait(0.1)
    assert isinstance(hand.last, BestMove) and hand.last.strength == "fox"
    context.table.close()


def test_a_forced_move_needs_no_thought(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KabooomScreen, "forced", lambda screen, awaited: "place r b1")
    hand = slow(against_fox(context, "place r a1"))
    hand.wait(0.05)
    assert hand.questions == [] and moves(context)[1] == "place r b1"


# It cannot


@pytest.fixture
def stuck(context: Context) -> Slow:
    """Before a game whose computer cannot think."""
    hand = slow(against_fox(context, "place r a1"))
    hand.wait(0.1)
    hand.hear(hand.last, None)
    hand.wait(0.1)
    return hand


def test_who_cannot_think_is_not_replaced_in_silence(stuck: Slow, context: Context) -> None:
    assert isinstance(stuck.stage.top, StuckScreen) and moves(context) == ["place r a1"]
    stuck.touch("try-again")
    stuck.wait(0.1)
    assert len(stuck.questions) == 2
    stuck.hear(stuck.last, thought("place p b1"))
    stuck.wait(0.1)
    assert len(moves(context)) == 2


def test_people_may_play_for_it_and_that_is_kept(context: Context, tmp_path: Path) -> None:
    context.table = Table(Store.open(tmp_path / "companion.db"))
    hand = slow(against_fox(context, "place r a1"))
    hand.wait(0.1)
    hand.hear(hand.last, None)
    hand.wait(0.1)
    hand.touch("take-over", "b1")
    assert len(moves(context)) == 2 and len(hand.questions) == 1
    context.table.close()
    again = Table(Store.open(tmp_path / "companion.db"))
    assert again.game and [seat.plays for seat in again.game.party.seats] == ["person", "person"]
    again.close()


def test_who_has_to_go_to_bed_lets_a_computer_play_on_and_may_come_back(
    context: Context, tmp_path: Path
) -> None:
    context.table = Table(Store.open(tmp_path / "companion.db"))
    hand = slow(against_fox(context, "place r a1", "place p b1"))
    hand.touch("pause", "seats", "seat-0", "seat-0")
    hand.wait(0.1)
    assert not hand.questions, "as long as somebody chooses, nobody thinks"
    hand.touch("go-on")
    hand.wait(0.1)
    assert isinstance(hand.last, BestMove) and hand.last.strength == "hare"
    context.table.close()
    again = Table(Store.open(tmp_path / "companion.db"))
    assert again.game and again.game.party.seats[0] == Seat("Anna", "red", "computer", "hare")
    again.close()


def test_who_comes_back_decides_alone(context: Context) -> None:
    hand = slow(against_fox(context))
    hand.touch("pause", "seats", "seat-0", "go-on")
    hand.wait(0.1)
    late = hand.last
    hand.touch("pause", "seats", *["seat-0"] * len(ANIMALS), "go-on")
    assert Ask(None) in hand.effects
    hand.hear(late, thought("place p b1"))
    hand.wait()
    screen = hand.stage.top
    assert isinstance(screen, KabooomScreen) and screen.name(0) == "Anna" and screen.hint is None
    assert moves(context) == []


def test_a_move_that_the_rules_forbid_is_a_mistake_too(
    context: Context, caplog: pytest.LogCaptureFixture
) -> None:
    hand = slow(against_fox(context, "place r a1"))
    hand.wait(0.1)
    hand.hear(hand.last, thought("place p a1"))
    hand.wait(0.1)
    assert isinstance(hand.stage.top, StuckScreen) and "place p a1" in caplog.text


# A hint


@pytest.fixture
def asking(table_game: TableGame) -> Slow:
    """Before a game of two in which the towers have begun to move; a hint was asked for."""
    hand = slow(table_game("kabooom", 2, moves=moves_of("kabooom", "medium-2.txt")[:24]))
    hand.touch("hint")
    return hand


def marked(hand: Hand) -> set[str]:
    return {widget.key for widget in hand.stage.widgets() if widget.hinted}


def said(hand: Hand) -> Message:
    assert isinstance(hand.stage.top, KabooomScreen)
    return hand.stage.top.shown().text


def test_the_strongest_is_asked_and_his_best_move_so_far_is_marked(asking: Slow) -> None:
    assert isinstance(asking.last, BestMove) and asking.last.strength == "dragon"
    assert not marked(asking) and said(asking).text == "Let me think …"
    one, other = legal_hits(asking)[:2]
    asking.hear(asking.last, thought(one), over=False)
    assert marked(asking) == set(one.split("-")) and said(asking) == WHY
    asking.hear(asking.last, thought(other, LONG_WHY))
    assert marked(asking) == set(other.split("-")) and said(asking) == LONG_WHY


def legal_hits(hand: Hand) -> list[str]:
    screen = hand.stage.top
    assert isinstance(screen, KabooomScreen)
    awaited = screen.awaited()
    assert awaited
    return [text for text in screen.match.texts(awaited) or [] if "-" in text]


def test_it_vanishes_when_something_is_played_or_it_is_touched_again(asking: Slow) -> None:
    move = legal_hits(asking)[0]
    asking.hear(asking.last, thought(move), over=False)
    asking.touch("hint")
    assert not marked(asking) and asking.effects[-1] == Ask(None)
    asking.touch("hint")
    asking.hear(asking.last, thought(move), over=False)
    asking.touch(*move.split("-"))
    asking.hear(asking.last, thought(move))
    asking.wait(0.1)
    assert not marked(asking) and said(asking) != WHY and asking.effects[-1] == Ask(None)


def test_a_hint_to_set_a_stone_marks_stone_and_square(context: Context) -> None:
    hand = slow(against_fox(context))
    hand.touch("hint")
    hand.hear(hand.last, thought("place d c2"))
    assert marked(hand) == {"symbol-d", "c2"}


def test_a_hint_to_pass_marks_that(asking: Slow) -> None:
    asking.hear(asking.last, thought("pass"))
    assert marked(asking) == {"pass"}


def test_nobody_gets_a_hint_while_a_computer_is_to_move(context: Context) -> None:
    hand = slow(against_fox(context))
    assert "hint" in hand.keys
    hand.touch("a1")
    assert "hint" not in hand.keys


def test_a_hint_that_nobody_can_give_is_said(asking: Slow) -> None:
    asking.hear(asking.last, None)
    asking.wait(0.1)
    assert isinstance(asking.stage.top, KabooomScreen) and asking.stage.top.trouble is not None
    assert asking.effects[-1] == Sound("refused")


def test_games_that_nobody_can_play_have_no_hints(table_game: TableGame) -> None:
    screen = table_game("container")
    assert screen.strengths() == () and "hint" not in Hand.at(screen).keys


# In other games


@pytest.fixture
def everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Computers can play all games of which the tests ask that."""
    for name in ("big-boom-bang", "bau-boom"):
        monkeypatch.setattr(screens()[name], "strengths", classmethod(lambda cls: ANIMALS))


def alone(context: Context, name: str, plays: tuple[str, ...], *moves: str) -> Slow:
    """A table at which some are computers; chance is what it is."""
    screen = maker(context)(name, len(plays), plays=plays, moves=moves)
    hand = slow(screen)
    hand.wait(0.1)
    return hand


BANG = ("shuffle fuse fuse fuse gift fuse fuse boom fuse gift fuse fuse fuse fuse fuse",)
THROWN = (*BANG, "roll gift gift scissors heart heart")


@pytest.mark.usefixtures("everywhere")
def test_a_computer_throws_by_itself_and_nobody_else_decides_for_it(context: Context) -> None:
    hand = alone(context, "big-boom-bang", ("computer", "person", "person"), *BANG)
    assert context.table.game
    assert context.table.game.done[1].text.startswith("roll")
    hand.wait(0.1)
    assert isinstance(hand.last, BestMove) and hand.last.book == "big-boom-bang"
    assert set(hand.keys) == {"help", "undo", "pause", "volume", "back"}
    hand.hear(hand.last, thought("keep"))
    hand.wait(LOOK)
    assert moves(context)[2] == "keep"


@pytest.mark.usefixtures("everywhere")
def test_dice_of_people_are_thrown_by_people(context: Context) -> None:
    alone(context, "big-boom-bang", ("person", "computer", "computer"), *BANG).wait()
    assert len(moves(context)) == 1


@pytest.mark.usefixtures("everywhere")
@pytest.mark.parametrize(
    ("move", "keys"), [("reroll 4 5", {"die-4", "die-5"}), ("keep", {"keep"})], ids=["reroll", "keep"]
)
def test_a_hint_marks_the_dice_to_throw_again(context: Context, move: str, keys: set[str]) -> None:
    hand = alone(context, "big-boom-bang", ("person", "person", "person"), *THROWN)
    hand.touch("hint")
    hand.hear(hand.last, thought(move))
    assert marked(hand) == keys


@pytest.mark.usefixtures("everywhere")
def test_a_hint_marks_the_number_to_drive(context: Context) -> None:
    hand = alone(context, "bau-boom", ("person", "person"))
    hand.touch("throw")
    hand.wait()
    number = next(key for key in hand.keys if key.startswith("move "))
    hand.touch("hint")
    hand.hear(hand.last, thought(number))
    assert number in marked(hand)


@pytest.mark.usefixtures("everywhere")
def test_a_computer_drives_by_itself_when_somebody_has_thrown_for_it(context: Context) -> None:
    hand = alone(context, "bau-boom", ("computer", "person"))
    hand.touch("throw")
    hand.wait(THOUGHT + 0.1)
    question = hand.last
    assert isinstance(question, BestMove) and question.moves[-1].startswith("roll")
    assert not [key for key in hand.keys if key.startswith(("move", "to-", "throw"))]
    screen = hand.stage.top
    assert isinstance(screen, GameScreen)
    awaited = screen.awaited()
    assert awaited
    hand.hear(question, thought((screen.match.texts(awaited) or [])[0]))
    hand.wait(THOUGHT + 0.1)
    assert any(move.startswith("move") for move in moves(context))


# How strong


def test_a_computer_is_a_hare_until_somebody_chooses_another_animal(context: Context) -> None:
    hand = Hand.at(SetupScreen(context, screens()["kabooom"]))
    hand.touch("seat-1", "plays", "strength-dragon", "strength-wolf", "done", "seat-0", "plays", "done")
    setup = hand.stage.top
    assert isinstance(setup, SetupScreen)
    assert [(row.seat.plays, row.seat.strength) for row in setup.seating.rows] == [
        ("computer", "hare"),
        ("computer", "wolf"),
    ]
    hand.touch("start", "begins-1")
    game = context.table.game
    assert game and [seat.strength for seat in game.party.seats] == ["wolf", "hare"]


def test_a_game_shows_only_the_animals_that_it_has(context: Context) -> None:
    seating = Seating([ANNA, replace(FOX, strength="dragon")], range(2, 5), ("mouse", "fox"), True)
    hand = Hand.at(PlayerScreen(context, seating, 1, NEUTRAL))
    assert [key for key in hand.keys if key.startswith("strength")] == ["strength-mouse", "strength-fox"]
    assert seating.seats[1].strength == "fox" and seating.known


@pytest.mark.parametrize(
    ("wanted", "offered", "found"),
    [
        ("wolf", ANIMALS, "wolf"),
        ("dragon", ("mouse", "hare"), "hare"),
        ("mouse", ("fox", "wolf"), "fox"),
        ("unicorn", ANIMALS, "hare"),
        ("unicorn", ("fox",), "fox"),
    ],
)
def test_an_animal_that_there_is_not_is_the_next_weaker_one(wanted: str, offered: Any, found: str) -> None:
    assert animal(wanted, offered) == found


def test_parties_of_before_and_of_newer_versions_are_read(context: Context) -> None:
    old = (
        '{"seats": [{"name": "Anna", "colour": "red"}, {"name": "", "colour": "blue", "plays": "computer"}]}'
    )
    assert read(old).seats == (ANNA, Seat("", "blue", "computer", "hare"))
    newer = read(old.replace('"computer"', '"computer", "strength": "unicorn"'))
    assert seat_name(context.t, newer.seats[1]) == "Hase Blau" and read(written(newer)) == newer


def test_every_game_with_computers_offers_animals_in_their_order() -> None:
    offered = [computer.STRENGTHS for name in books() if (computer := part(name, "computer"))]
    assert offered and all(list(each) == [a for a in ANIMALS if a in each] for each in offered)


# Looking back


def over(context: Context) -> Slow:
    """A game of two that is over."""
    make = maker(context)
    hand = slow(make("kabooom", 2, moves=moves_of("kabooom", "medium-2.txt")))
    hand.wait(0.1)
    assert isinstance(hand.stage.top, EndScreen)
    return hand


def decided(context: Context, count: int) -> tuple[Deciding, ...]:
    """What the game's own review finds."""
    assert context.table.game
    match = context.table.game.match
    return looked_back(match.options, tuple(match.moves))[:count]


@cache
def looked_back(options: Any, moves: tuple[str, ...]) -> tuple[Deciding, ...]:
    """Once for all pictures of it."""
    *_, last = DecidingMoves("kabooom", options, moves).answers(lambda: False)
    return tuple(last)


def test_after_the_game_the_deciding_moves_are_shown_one_after_the_other(context: Context) -> None:
    hand = over(context)
    hand.touch("review")
    review = hand.stage.top
    assert isinstance(review, ReviewScreen)
    hand.wait(0.1)
    found = decided(context, 3)
    assert isinstance(hand.last, DecidingMoves) and len(found) == 3
    hand.hear(hand.last, (), found[:1], found)
    for each in (*found, found[0]):
        assert review.now == each and review.position.turn == each.player
        hand.touch("next")
    hand.touch("before")
    assert review.now == found[0]
    hand.touch("back")
    assert isinstance(hand.stage.top, EndScreen)


def test_who_leaves_too_early_asks_again_when_he_comes_back(context: Context) -> None:
    hand = over(context)
    hand.touch("review")
    hand.wait(0.1)
    hand.touch("back")
    assert hand.effects[-1] == Ask(None)
    hand.touch("review")
    hand.wait(0.1)
    assert len(hand.questions) == 2


def test_a_review_that_finds_nothing_or_fails_says_so(context: Context) -> None:
    hand = over(context)
    hand.touch("review")
    review = hand.stage.top
    assert isinstance(review, ReviewScreen)
    hand.wait(0.1)
    hand.hear(hand.last, ())
    assert "next" not in hand.keys and review.now is None and not review.asked.failed
    hand.hear(hand.last, None)
    assert review.asked.failed


@pytest.mark.parametrize("large", [False, True])
def test_why_another_move_was_better_can_be_read_on_a_screen_set_upright(
    context: Context, pictures: Path, large: bool
) -> None:
    context.settings = replace(context.settings, large_text=large)
    screen = review(3)(context)
    assert isinstance(screen, ReviewScreen)
    why = Message("lays dynamite on a tower of {height}: it scores nothing any more", {"height": 4})
    screen.asked.answer = [replace(each, why=why) for each in screen.found]
    context.table.reseat(Party((FOX, Seat("Maximiliane", "red"))))
    name = f"kabooom-review-long{'-large' * large}"
    check_picture(context, pictures, name, staged(context, screen, TURNED), TURNED, "de")


def test_why_another_move_was_better_can_be_read_beside_a_wide_board(
    context: Context, pictures: Path
) -> None:
    moves = ["place r a1", "place d c1", "place p h3"]
    screen = ReviewScreen(maker(context)("kabooom", 2, {"board": "3x8"}, moves=moves).context)
    why = Message("lays dynamite on a tower of {height}: it scores nothing any more", {"height": 4})
    screen.asked.answer = [Deciding(2, 0, "place p h3", "place s h3", why, 3.5)]
    for size in ((800, 480), (480, 320)):
        check_picture(context, pictures, "kabooom-review-3x8", staged(context, screen, size), size, "de")


def test_in_a_review_whoever_passed_has_not_played_passing(context: Context) -> None:
    screen = review(1)(context)
    assert isinstance(screen, ReviewScreen)
    screen.asked.answer = [replace(each, played="pass") for each in screen.found]
    with texts_watched() as texts:
        staged(context, screen, SIZES[0]).draw()
    assert f"{screen.name(screen.now.player)}: Aussetzen." in [words for words, _, _ in texts]


def test_in_a_review_a_stone_is_told_from_another_on_the_same_square(context: Context) -> None:
    screen = review(1)(context)
    assert isinstance(screen, ReviewScreen)
    stones = {"played": "place r e5", "better": "place d e5"}
    screen.asked.answer = [replace(each, **stones) for each in screen.found]
    with texts_watched() as texts:
        staged(context, screen, SIZES[0]).draw()
    name, said = screen.name(screen.now.player), " ".join(words for words, _, _ in texts)
    assert f"{name}: Stein auf e5." in said and f"Mit Dynamit auf e5 stünde {name} " in said


def test_in_a_review_what_counts_is_how_one_stands_to_the_others(context: Context) -> None:
    """Who lays dynamite on another's tower has no more points, but the other has less."""
    screen = review(1)(context)
    assert isinstance(screen, ReviewScreen)
    for points, words in ((4.0, "4 Punkte besser da."), (1.0, "1 Punkt besser da.")):
        screen.asked.answer = [replace(each, points=points) for each in screen.found]
        with texts_watched() as texts:
            staged(context, screen, SIZES[0]).draw()
        assert any(said.endswith(words) for said, _, _ in texts)


# Pictures


def computer_player(context: Context) -> Screen:
    seating = Seating([ANNA, FOX], range(2, 5), ANIMALS, True)
    return PlayerScreen(context, seating, 1, NEUTRAL)


def seated(context: Context) -> SetupScreen:
    seats = (
        Seat("Maximiliane", "red"),
        *(Seat("", colour, "computer", strength) for colour, strength in COMPUTERS),
    )
    context.table.begin(KABOOOM, KABOOOM.agree(CONFIG, 4), None, Party(seats))
    context.table.put_aside()
    return SetupScreen(context, KabooomScreen)


COMPUTERS: tuple[tuple[Any, str], ...] = (("blue", "dragon"), ("yellow", "hare"), ("purple", "wolf"))


def four(context: Context) -> KabooomScreen:
    seats = (ANNA, *(Seat("", colour, "computer", strength) for colour, strength in COMPUTERS))
    context.table.begin(KABOOOM, KABOOOM.agree(CONFIG, 4), seeded("x"), Party(seats))
    for move in moves_of("kabooom", "hard-4.txt")[:33]:
        context.table.play(move)
    return KabooomScreen(context)


def hinted(why: Message, count: int = 24) -> Callable[[Context], Screen]:
    def make(context: Context) -> Screen:
        screen = maker(context)("kabooom", 2, moves=moves_of("kabooom", "medium-2.txt")[:count])
        hand = slow(screen)
        hand.touch("hint")
        moves = [*legal_hits(hand), "place d c2"]
        hand.hear(hand.last, thought(moves[0], why))
        assert isinstance(screen, Screen)
        return screen

    return make


def waiting(context: Context) -> Screen:
    hand = slow(maker(context)("kabooom", 2, moves=moves_of("kabooom", "medium-2.txt")[:24]))
    hand.touch("hint")
    return hand.stage.top


def review(found: int | None) -> Callable[[Context], Screen]:
    def make(context: Context) -> Screen:
        hand = over(context)
        hand.touch("review")
        hand.wait(0.1)
        if found is not None:
            hand.hear(hand.last, decided(context, found))
        return hand.stage.top

    return make


def stuck_screen(context: Context) -> Screen:
    game: Any = against_fox(context, "place r a1")
    return StuckScreen(game, 1)


def bang(plays: tuple[str, ...], hint: str | None = None) -> Callable[[Context], Screen]:
    """Big Boom Bang with computers, or with a hint."""

    def make(context: Context) -> Screen:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(screens()["big-boom-bang"], "strengths", classmethod(lambda cls: ANIMALS))
            hand = alone(context, "big-boom-bang", plays, *THROWN)
            if hint:
                hand.touch("hint")
                hand.hear(hand.last, thought(hint))
        screen = hand.stage.top
        screen.strengths = lambda: ANIMALS  # type: ignore[attr-defined]
        return screen

    return make


SCREENS: dict[str, Callable[[Context], Screen]] = {
    "player-computer": computer_player,
    "setup-computers": seated,
    "beginner-computers": lambda context: BeginnerScreen(context, seated(context)),
    "kabooom-computers": four,
    "kabooom-hint": hinted(WHY),
    "kabooom-hint-long": hinted(LONG_WHY),
    "kabooom-hint-setting": hinted(WHY, 8),
    "kabooom-hint-waiting": waiting,
    "kabooom-review": review(3),
    "kabooom-review-one": review(1),
    "kabooom-review-none": review(0),
    "kabooom-review-waiting": review(None),
    "kabooom-end": lambda context: over(context).stage.top,
    "stuck": stuck_screen,
    "bang-computers": bang(("person", *4 * ("computer",))),
    "bang-computer": bang(("computer", "person", "person")),
    "bang-hint": bang(3 * ("person",), "reroll 4 5"),
}


@pytest.mark.parametrize("name", SCREENS)
def test_pictures(context: Context, pictures: Path, name: str) -> None:
    screen = SCREENS[name](context)
    check_screen(context, pictures, name, screen, HomeScreen(context) if screen.overlay else None)
