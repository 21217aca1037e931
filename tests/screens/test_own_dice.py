"""The games' own dice before the camera: BIG BOOM! BANG's symbols, the stopper die of Make 'n' Break."""

import errno
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.dicebox import DiceBox
from companion.events import ASKS, LookAnew
from companion.eye.taught import Taught
from companion.eye.throws import Throw
from companion.games.big_boom_bang.screen import BangScreen
from companion.games.make_n_break.screen import BreakScreen
from companion.language import Message, Texts
from companion.screens.base import Context, Screen
from companion.screens.dice import DiceScreen
from companion.screens.home import resumed
from companion.screens.lesson import LessonScreen
from companion.screens.terms import Prompt
from companion.table import Table
from tests.eye.table import Lies, bang, stopper
from tests.screens.checks import check_screen
from tests.screens.conftest import Hand, TableGame, in_a_row
from tests.screens.test_bang import SHUFFLE, begun, context_text
from tests.screens.test_make_n_break import round_of

FIVE = ("bomb", "scissors", "heart", "gift", "bomb")


def row(*signs: str, down: float = 0.0) -> list[Lies]:
    return [Lies(sign, (90.0 + 112 * i, 200 + down), 37 * i) for i, sign in enumerate(signs)]


@pytest.fixture
def known(table_game: TableGame, context: Context) -> TableGame:
    """Games whose dice have been taught."""
    context.box.keep(bang())
    context.box.keep(stopper())
    return table_game


def thrown(make: TableGame, *signs: str) -> tuple[Hand, BangScreen]:
    """Real dice lie before the camera, and were thrown."""
    screen = begun(make, own=True)
    hand = Hand.at(screen)
    hand.lay(*row(*signs), thrown=bool(signs))
    return hand, screen


def laid(make: TableGame, *signs: str, found: bool = False) -> Screen:
    screen = awaiting(make)
    Hand.at(screen).lay(*row(*signs), thrown=True, found=found)
    return screen


def awaiting(make: TableGame) -> Screen:
    screen = begun(make, own=True)
    screen.context.box.keep(bang())
    return screen


def side_asked(make: TableGame) -> Screen:
    screen = round_of(make, "y20", stopper="own")
    screen.context.box.keep(stopper())
    Hand.at(screen).lay(Lies("heart"), thrown=True)
    return screen


SCREENS: dict[str, Callable[[TableGame], Screen]] = {
    "bang-untaught": lambda make: begun(make, own=True),
    "bang-awaiting": awaiting,
    "bang-asked": lambda make: laid(make, "bomb", "scissors", "2", "gift", "bomb"),
    "bang-missing": lambda make: laid(make, *FIVE[:4]),
    "bang-unclaimed": lambda make: laid(make, *FIVE, found=True),
    "break-untaught": lambda make: make("make-n-break", 2, manner={"stopper": "own"}),
    "break-asked": side_asked,
}


@pytest.mark.parametrize("name", SCREENS)
def test_pictures(context: Context, table_game: TableGame, pictures: Path, name: str) -> None:
    screen = SCREENS[name](table_game)
    Hand.at(screen).wait(0.5)
    check_screen(context, pictures, name, screen)


# BIG BOOM! BANG


def test_symbols_before_the_camera_are_the_throw(known: TableGame) -> None:
    """BANG-R6; the order of the dice is that on the table."""
    hand, screen = thrown(known, *FIVE)
    assert screen.match.moves[-1] == "roll bomb scissors heart gift bomb"
    assert screen.game.done[-1].by == "camera" and hand.touches == 0


def test_without_having_been_taught_they_are_touched_and_it_is_offered_to_teach_them(
    table_game: TableGame,
) -> None:
    hand = Hand.at(begun(table_game, own=True))
    assert not hand.stage.wants_eye and {"face-bomb", "teach"} <= set(hand.keys)
    hand.touch("teach")
    assert isinstance(hand.stage.top, LessonScreen) and hand.stage.top.kind.name == "big-boom-bang"
    hand.context.box.keep(bang())
    hand.press("back")
    assert hand.stage.wants_eye and "teach" not in hand.keys and "face-bomb" in hand.keys


def test_what_another_program_has_taught_meanwhile_is_known(table_game: TableGame) -> None:
    hand = Hand.at(begun(table_game, own=True))
    DiceBox(hand.context.box.folder).keep(bang())
    hand.touch("help")
    hand.press("back")
    assert hand.stage.wants_eye and "teach" not in hand.keys


def test_where_there_is_no_room_for_it_the_game_says_so_before_anybody_shows_a_side(
    table_game: TableGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(faces: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    hand = Hand.at(begun(table_game, own=True))
    monkeypatch.setattr(hand.context.box, "prepare", full)
    hand.touch("teach")
    top = hand.stage.top
    assert isinstance(top, BangScreen) and top.trouble
    assert "It cannot be kept: the disk is full" in Texts("en").say(top.trouble)


def test_dice_of_the_screen_need_no_camera(known: TableGame) -> None:
    assert not Hand.at(begun(known)).stage.wants_eye


@pytest.mark.parametrize("early", [False, True])
def test_while_tiles_are_turned_over_the_camera_looks_and_sees_the_next_throw(
    known: TableGame, early: bool
) -> None:
    """It takes its time to begin: what is thrown at once would be found lying there, and asked about. What
    is thrown too early still is.
    """
    hand, screen = thrown(known, *FIVE)
    five = row("gift", "gift", "bomb", "heart", "heart")
    hand.touch("keep")
    if early:
        hand.lay(*five, thrown=True)
    while screen.position.phase == "reveal":
        assert hand.stage.wants_eye and not hand.stage.awaits_throw
        fuse = next(n for n in screen.position.hidden if screen.position.tiles[n - 1] == "fuse")
        hand.touch(f"reveal {fuse}")
        hand.wait(2.0)
    assert (LookAnew() in hand.effects) is early
    hand.lay(*five, thrown=True, found=early)
    assert screen.unclaimed is early
    assert screen.position.active == 1 and screen.position.throws == (not early)


def test_while_computers_play_the_camera_looks_on(known: TableGame) -> None:
    """Whoever throws at once after them has thrown before a camera that looks."""
    moves, plays = (SHUFFLE, "roll heart heart scissors scissors scissors", "keep"), ["person", "computer"]
    hand = Hand.at(known("big-boom-bang", 3, manner={"dice": "own"}, moves=moves, plays=plays))
    screen = hand.stage.top
    assert isinstance(screen, BangScreen) and screen.by_computer(screen.turn)
    assert hand.stage.wants_eye and not hand.stage.awaits_throw


def test_thrown_again_those_that_are_kept_lie_where_they_lay(known: TableGame) -> None:
    """BANG-R8."""
    hand, screen = thrown(known, *FIVE)
    hand.touch("die-3", "die-4", "again")
    kept = [die for i, die in enumerate(row(*FIVE)) if i not in (2, 3)]
    hand.lay(*kept, Lies("gift", (200, 380)), Lies("heart", (420, 400)), thrown=True)
    assert screen.match.moves[-1] == "roll gift heart"
    assert screen.position.dice == ("bomb", "scissors", "gift", "heart", "bomb")


def test_thrown_again_those_that_are_kept_may_lie_out_of_sight(known: TableGame) -> None:
    hand, screen = thrown(known, *FIVE)
    hand.touch("die-3", "die-4", "again")
    hand.lay(Lies("gift", (200, 380)), Lies("gift", (420, 400)), thrown=True)
    assert screen.match.moves[-1] == "roll gift gift"


def test_moving_those_that_are_kept_is_no_throw(known: TableGame) -> None:
    hand, screen = thrown(known, *FIVE)
    hand.touch("die-4", "again")
    moved = [Lies(die.sign, (die.at[0], 380), die.turn) for die in row(*FIVE)]
    hand.lay(*moved[:3], row(*FIVE)[3], moved[4], thrown=True)
    assert screen.match.moves[-1] == "reroll 4" and screen.trouble is None


def test_whoever_throws_before_touching_which_dice_touches_them_afterwards(known: TableGame) -> None:
    hand, screen = thrown(known, *FIVE)
    kept = row(*FIVE)
    hand.lay(*kept[:3], Lies("scissors", (420, 400)), kept[4], thrown=True)
    assert screen.match.moves[-1].startswith("roll")
    hand.touch("die-4", "again")
    assert screen.match.moves[-2:] == ["reroll 4", "roll scissors"]


def test_what_is_doubtful_is_asked_with_the_best_guess_before_it(known: TableGame) -> None:
    hand, screen = thrown(known, "bomb", "scissors", "2", "gift", "bomb")
    assert screen.asked and screen.asked.number == 3 and not screen.game.done[-1].text.startswith("roll")
    assert context_text(screen).endswith("Was zeigt dieser Würfel?")
    hand.touch("face-heart")
    assert screen.match.moves[-1] == "roll bomb scissors heart gift bomb"
    assert screen.game.done[-1].by == "person"


def test_confirm_takes_the_best_guess(known: TableGame) -> None:
    hand, screen = thrown(known, "bomb", "scissors", "2", "gift", "bomb")
    guess = screen.glimpsed[2].face
    hand.confirm()
    assert screen.match.moves[-1] == f"roll bomb scissors {guess} gift bomb"


def test_confirm_does_not_take_a_guess_that_has_just_come(known: TableGame) -> None:
    """It was meant for the one before."""
    hand, screen = thrown(known, "bomb", "scissors", "2", "gift", "bomb")
    hand.context.now += 5
    hand.lay(*row("bomb", "scissors", "3", "gift", "bomb"), thrown=True, revises=True)
    hand.press("confirm")
    assert screen.asked
    hand.confirm()
    assert not screen.asked


def more(box: DiceBox, before: Taught) -> list[str]:
    """Of which sides more looks are known than were taught, once that is learned."""
    box.learn()
    known = box.get(before.name)
    assert known is not None
    count = Counter(known.of.tolist()) - Counter(before.of.tolist())
    return [known.faces[n] for n in count.elements()]


def test_what_is_confirmed_is_known_in_that_light_from_then_on(known: TableGame, context: Context) -> None:
    hand, screen = thrown(known, "bomb", "scissors", "2", "gift", "bomb")
    guess = screen.glimpsed[2].face
    hand.touch(f"face-{guess}")
    assert more(context.box, bang()) == [guess]


def test_of_what_was_guessed_wrongly_nothing_is_learned(known: TableGame, context: Context) -> None:
    hand, screen = thrown(known, "bomb", "scissors", "2", "gift", "bomb")
    hand.touch(f"face-{'gift' if screen.glimpsed[2].face == 'heart' else 'heart'}")
    assert more(context.box, bang()) == []


@pytest.mark.parametrize("sides", [("2", "gift"), ("2", "3")])
def test_of_what_is_taken_back_nothing_is_learned(
    known: TableGame, context: Context, sides: tuple[str, str]
) -> None:
    """After the only question, and between two of them."""
    hand, screen = thrown(known, "bomb", "scissors", *sides, "bomb")
    hand.touch(f"face-{screen.glimpsed[2].face}")
    assert bool(screen.glimpsed) is (sides[1] == "3")
    hand.press("undo")
    assert more(context.box, bang()) == []


def test_of_dice_that_have_moved_since_nothing_is_learned(known: TableGame, context: Context) -> None:
    hand, screen = thrown(known, "bomb", "scissors", "2", "gift", "bomb")
    hand.stir()
    hand.touch(f"face-{screen.glimpsed[2].face}")
    assert more(context.box, bang()) == []


def test_a_reading_can_be_thrown_away_and_everything_be_touched(known: TableGame) -> None:
    hand, screen = thrown(known, "bomb", "scissors", "2", "gift", "bomb")
    hand.touch("erase", *["face-gift"] * 5)
    assert screen.match.moves[-1] == "roll gift gift gift gift gift"


def test_too_few_dice_are_said(known: TableGame) -> None:
    hand, screen = thrown(known, *FIVE[:4])
    assert screen.trouble == Message("Dice that I see: {count}, thrown: {wanted}", {"count": 4, "wanted": 5})
    assert hand.effects == list(ASKS) and screen.position.phase == "roll"
    hand.lay(*row(*FIVE), thrown=True)
    assert screen.match.moves[-1].startswith("roll") and screen.trouble is None


def test_those_that_are_seen_need_not_be_touched(known: TableGame) -> None:
    hand, screen = thrown(known, "bomb", "scissors", "2")
    assert [each.sure for each in screen.glimpsed] == [True, True, False, False, False]
    assert context_text(screen).endswith("Was zeigt dieser Würfel?")
    hand.touch("face-heart")
    assert context_text(screen).endswith("Was zeigt der fehlende Würfel?")
    hand.press("confirm")
    assert screen.position.phase == "roll", "nobody knows what it shows"
    hand.touch("face-gift", "face-bomb")
    assert screen.match.moves[-1] == "roll bomb scissors heart gift bomb"
    assert screen.game.done[-1].by == "person" and hand.touches == 3
    hand.touch("die-3", "die-4", "again")
    hand.lay(*row("bomb", "scissors", "heart", "heart", "bomb"), thrown=True)
    assert screen.match.moves[-1] == "roll heart heart", "what was not seen before may be seen now"


def test_what_the_eye_finds_out_later_takes_the_place_of_what_was_said(
    known: TableGame, context: Context
) -> None:
    """Neither is what was said of the third die learned."""
    hand, screen = thrown(known, "bomb", "scissors", "2", "3", "bomb")
    hand.touch("face-gift")
    hand.lay(*row("bomb", "scissors", "heart", "3", "bomb"), thrown=True, revises=True)
    assert [each.sure for each in screen.glimpsed] == [True, True, True, False, True]
    hand.touch("face-scissors")
    assert screen.match.moves[-1] == "roll bomb scissors heart scissors bomb"
    assert "gift" not in more(context.box, bang())


def test_a_reading_that_is_no_throw_takes_back_what_was_said_too(known: TableGame, context: Context) -> None:
    hand, screen = thrown(known, "bomb", "scissors", "2", "3", "bomb")
    hand.touch(f"face-{screen.glimpsed[2].face}")
    hand.lay(
        *row("bomb", "scissors", "2", "3"), Lies("gift", (90, 400)), Lies("bomb", (400, 400)), thrown=True
    )
    assert screen.glimpsed == [] and more(context.box, bang()) == []


def test_of_what_lies_there_as_before_after_all_nothing_is_learned(
    known: TableGame, context: Context
) -> None:
    hand, screen = thrown(known, "heart", "heart", "heart", "scissors", "scissors")
    hand.touch("keep")
    hand.lay(*row("heart", "heart", "2", "3", "scissors", down=120), thrown=True)
    hand.touch(f"face-{screen.glimpsed[2].face}")
    hand.lay(*row("heart", "heart", "heart", "scissors", "scissors", down=120), thrown=True, revises=True)
    assert screen.unclaimed and more(context.box, bang()) == []


def test_what_nobody_has_thrown_after_all_leaves_no_question(known: TableGame, context: Context) -> None:
    hand, screen = thrown(known, *FIVE)
    hand.touch("die-3", "die-4", "again")
    kept = [die for number, die in enumerate(row(*FIVE), 1) if number not in (3, 4)]
    hand.lay(*kept, Lies("2", (200, 380)), Lies("3", (420, 400)), thrown=True)
    hand.touch(f"face-{screen.glimpsed[0].face}")
    hand.lay(*row(*FIVE), thrown=True, revises=True)
    assert screen.glimpsed == [] and more(context.box, bang()) == []


def test_dice_that_are_pushed_are_no_throw_even_if_one_is_not_seen_at_first(known: TableGame) -> None:
    hand, screen = thrown(known, "heart", "heart", "heart", "scissors", "scissors")
    hand.touch("keep")
    pushed = row("heart", "heart", "heart", "scissors", "scissors", down=120)
    before = list(screen.match.moves)
    hand.lay(*pushed[:4], thrown=True)
    assert screen.glimpsed == []
    hand.lay(*pushed, thrown=True, revises=True)
    assert screen.match.moves == before and screen.unclaimed


def test_whoever_enters_them_all_says_nothing_of_where_they_lie(known: TableGame) -> None:
    hand, screen = thrown(known, "bomb", "scissors", "heart", "gift")
    hand.touch("erase", *(f"face-{face}" for face in ("gift", "bomb", "bomb", "scissors", "heart")))
    hand.touch("die-1", "again")
    hand.lay(*row("bomb", "scissors", "heart", "heart", "bomb"), thrown=True)
    assert screen.match.moves[-1] == "roll heart"


def test_where_the_dice_of_the_last_turn_lay_is_forgotten_with_them(known: TableGame) -> None:
    hand, screen = thrown(known, "heart", "heart", "heart", "scissors", "scissors")
    hand.touch("keep", *(f"face-{face}" for face in ("gift", "bomb", "bomb", "scissors", "heart")))
    hand.touch("die-1", "again")
    hand.lay(*row("heart", "bomb", "bomb", "scissors", "heart"), thrown=True)
    assert screen.match.moves[-1] == "roll heart"


def test_a_die_that_is_kept_is_not_taken_for_one_that_was_thrown_and_fell_from_the_table(
    known: TableGame,
) -> None:
    hand, screen = thrown(known, *FIVE)
    hand.touch("die-2", "die-3", "die-4", "die-5", "again")
    lost = [row(*FIVE)[0], *row("gift", "heart", "gift", down=150)]
    hand.lay(*lost, thrown=True)
    assert screen.position.phase == "roll"
    assert screen.trouble == Message("Dice that I see: {count}, thrown: {wanted}", {"count": 3, "wanted": 4})
    hand.lay(*lost, Lies("heart", (540, 60)), thrown=True)
    assert screen.match.moves[-1] == "roll gift heart gift heart"


def test_a_die_that_is_thrown_may_come_to_rest_near_where_it_lay(known: TableGame) -> None:
    """The same side up, now and then: no die comes to rest at the very place."""
    hand, screen = thrown(known, *FIVE)
    hand.touch("die-3", "die-4", "again")
    kept = [*row(*FIVE)[:2], row(*FIVE)[4]]
    hand.lay(*kept, Lies("gift", (432, 202)), Lies("gift", (200, 380)), thrown=True)
    assert screen.match.moves[-1] == "roll gift gift"


def test_of_those_that_are_kept_one_may_lie_out_of_sight(known: TableGame) -> None:
    hand, screen = thrown(known, *FIVE)
    hand.touch("die-3", "die-4", "again")
    hand.lay(*row(*FIVE[:2]), *row("gift", "heart", down=150), thrown=True)
    assert screen.match.moves[-1] == "roll gift heart"


def test_dice_may_be_thrown_again_one_after_the_other(known: TableGame) -> None:
    hand, screen = thrown(known, *FIVE)
    hand.touch("die-3", "die-4", "again")
    kept, first = [*row(*FIVE)[:2], row(*FIVE)[4]], Lies("gift", (200, 380))
    for anew in (False, True):
        hand.lay(*kept, row(*FIVE)[3], first, thrown=True, revises=anew)
        assert screen.position.phase == "roll" and screen.trouble is not None
    hand.lay(*kept, first, Lies("heart", (420, 400)), thrown=True)
    assert screen.match.moves[-1] == "roll gift heart"


def test_of_a_throw_that_was_taken_back_one_die_may_be_thrown_again(known: TableGame) -> None:
    """It leant on something, or fell from the table, say; the other one stays as it was thrown."""
    hand, screen = thrown(known, *FIVE)
    hand.touch("die-3", "die-4", "again")
    stay = [*row(*FIVE)[:2], row(*FIVE)[4], Lies("gift", (200, 380))]
    hand.lay(*stay, Lies("heart", (420, 400)), thrown=True)
    hand.press("undo")
    hand.lay(*stay, Lies("bomb", (420, 330)), thrown=True)
    assert screen.match.moves[-1] == "roll gift bomb"


def test_to_lay_dice_aside_while_the_others_are_in_a_hand_is_no_throw(known: TableGame) -> None:
    """So the rules want it (BANG-R8, R9)."""
    hand, screen = thrown(known, *FIVE)
    hand.touch("die-2", "die-3", "die-4", "again")
    hand.effects.clear()
    aside = [Lies("bomb", (60, 420)), Lies("bomb", (160, 420))]
    hand.lay(*aside, thrown=True)
    assert screen.trouble is None and hand.effects == []
    hand.lay(*aside, Lies("gift", (420, 100)), thrown=True)
    assert screen.position.phase == "roll", "two fell from the table"
    hand.lay(*aside, *row("gift", "heart", "gift", down=-100), thrown=True)
    assert screen.match.moves[-1] == "roll gift heart gift"


@pytest.mark.parametrize("before_touching", [False, True])
def test_whether_dice_were_only_laid_aside_is_asked_where_not_all_that_are_kept_are_seen(
    known: TableGame, before_touching: bool
) -> None:
    hand, screen = thrown(known, *FIVE)
    aside = [Lies("bomb", (60, 420)), Lies("scissors", (160, 420))]
    if before_touching:
        hand.lay(*aside, thrown=True)
    hand.touch("die-3", "die-4", "again")
    if not before_touching:
        hand.lay(*aside, thrown=True)
    assert screen.position.phase == "roll" and screen.unclaimed
    hand.lay(Lies("gift", (200, 180)), Lies("bomb", (420, 150)), thrown=True)
    assert screen.match.moves[-1] == "roll gift bomb"
    hand.touch("die-3", "again")
    hand.lay(Lies("scissors", (200, 100)), Lies("bomb", (420, 150)), thrown=True)
    assert screen.match.moves[-1] == "roll scissors", "nobody sees any more what was kept before"


def test_what_shows_nothing_that_is_kept_was_thrown_whatever_else_is_seen(known: TableGame) -> None:
    """One of those that were laid aside lies out of sight."""
    hand, screen = thrown(known, *FIVE)
    hand.touch("die-3", "die-4", "again")
    aside = [Lies("bomb", (60, 420)), Lies("scissors", (160, 420))]
    hand.lay(*aside, Lies("gift", (200, 180)), Lies("heart", (420, 150)), thrown=True)
    assert screen.match.moves[-1] == "roll gift heart"


def test_what_is_thrown_where_no_dice_were_seen_was_not_laid_aside(known: TableGame) -> None:
    hand, screen = thrown(known, *FIVE)
    hand.touch("die-3", "die-4", "again")
    hand.clear()
    hand.lay(Lies("bomb", (200, 380)), Lies("scissors", (420, 400)), thrown=True)
    assert screen.match.moves[-1] == "roll bomb scissors"


def test_a_die_that_is_kept_and_was_never_seen_need_not_be_seen(known: TableGame) -> None:
    hand, screen = thrown(known, "bomb", "scissors", "heart", "gift")
    hand.touch("face-gift", "die-3", "again")
    hand.lay(*row("bomb", "scissors", "gift", "gift"), thrown=True)
    assert screen.match.moves[-1] == "roll gift"


@pytest.mark.parametrize("shows", ["bomb", "gift"])
def test_of_dice_that_show_the_same_any_may_be_thrown_again(known: TableGame, shows: str) -> None:
    signs = ("gift", "gift", "heart", "scissors", "gift")
    hand, screen = thrown(known, *signs)
    hand.touch("die-1", "die-3", "again")
    first = [row(*signs)[0], *row(*signs)[3:], Lies("heart", (200, 380))]
    hand.lay(*first, row(*signs)[1], thrown=True)
    assert screen.position.phase == "roll", "the other one is still in nobody's hand"
    hand.lay(*first, Lies(shows, (420, 400)), thrown=True)
    assert screen.match.moves[-1] == f"roll heart {shows}"


def test_a_die_that_comes_to_sight_late_is_not_thrown_again(known: TableGame) -> None:
    hand, screen = thrown(known, "bomb", "scissors", "heart", "gift")
    hand.touch("face-gift")
    hand.lay(*row("bomb", "scissors", "heart", "gift", "heart"), thrown=True)
    hand.touch("die-5", "again")
    assert screen.match.moves[-1] == "reroll 5" and screen.position.phase == "roll"


def test_of_some_dice_that_are_thrown_again_no_part_is_asked_for(known: TableGame) -> None:
    hand, screen = thrown(known, *FIVE)
    hand.touch("die-3", "die-4", "again")
    hand.lay(*row("bomb", down=150), thrown=True)
    assert screen.glimpsed == [] and screen.trouble is not None


def test_who_has_begun_to_touch_them_goes_on_with_that(known: TableGame) -> None:
    hand, screen = thrown(known)
    hand.touch("face-gift")
    hand.lay(*row(*FIVE[:4]), thrown=True)
    assert screen.entered == ["gift"] and screen.glimpsed == []


def test_dice_that_were_not_kept_as_they_were_are_no_throw(known: TableGame) -> None:
    hand, screen = thrown(known, *FIVE)
    hand.touch("die-3", "die-4", "again")
    hand.lay(*row("heart", "heart", "heart", "gift", "gift", down=150), thrown=True)
    assert screen.trouble == Message("I do not see all the dice that you keep")


def test_whether_the_same_five_symbols_are_the_next_throw_is_asked(known: TableGame) -> None:
    """They may have been thrown, or only pushed to the next player."""
    hand, screen = thrown(known, "heart", "heart", "heart", "scissors", "scissors")
    hand.touch("keep")
    assert screen.position.phase == "roll" and screen.position.active == 1
    hand.lay(*row("heart", "scissors", "heart", "heart", "scissors", down=120), thrown=True)
    assert screen.position.phase == "roll" and screen.unclaimed
    hand.touch("yes")
    assert screen.match.moves[-1] == "roll heart scissors heart heart scissors"
    hand.touch("keep")
    hand.lay(*row("heart", "scissors", "heart", "heart", "scissors"), thrown=True)
    hand.lay(*row(*FIVE, down=60), thrown=True)
    assert screen.match.moves[-1] == "roll bomb scissors heart gift bomb"


def test_a_reading_that_is_revised_takes_the_place_of_the_first(known: TableGame) -> None:
    hand, screen = thrown(known, *FIVE)
    hand.lay(*row("bomb", "scissors", "gift", "gift", "bomb"), thrown=True, revises=True)
    assert screen.match.moves[-1] == "roll bomb scissors gift gift bomb"
    assert sum(move.startswith("roll") for move in screen.match.moves) == 1


@pytest.mark.parametrize(
    "anew", [(*FIVE, "gift"), FIVE[:4], ("scissors", "bomb", *FIVE[2:])], ids=["more", "fewer", "the same"]
)
def test_what_was_read_stays_where_the_eye_finds_no_other_throw(
    known: TableGame, anew: tuple[str, ...]
) -> None:
    hand, screen = thrown(known, *FIVE)
    hand.lay(*row(*anew[:5]), *(Lies(sign, (90, 400)) for sign in anew[5:]), thrown=True, revises=True)
    assert screen.match.moves[-1] == "roll bomb scissors heart gift bomb"
    assert screen.trouble is None and screen.glimpsed == []


def test_a_throw_while_the_rules_are_open_counts_when_they_are_closed(known: TableGame) -> None:
    hand, screen = thrown(known)
    hand.touch("help")
    hand.lay(*row(*FIVE), thrown=True)
    hand.press("back")
    hand.wait(0.2)
    assert screen.match.moves[-1] == "roll bomb scissors heart gift bomb"


def test_who_leaves_while_dice_are_asked_about_lets_them_be_found_again(known: TableGame) -> None:
    hand, _ = thrown(known)
    hand.press("back", "back")
    assert LookAnew() not in hand.effects
    hand, _ = thrown(known, "bomb", "scissors", "2", "gift", "bomb")
    hand.press("back", "back")
    assert LookAnew() in hand.effects


def lying(known: TableGame, *signs: str) -> tuple[Hand, BangScreen]:
    """Dice that lay there before anybody looked: after a power cut, say."""
    screen = begun(known, own=True)
    hand = Hand.at(screen)
    hand.lay(*row(*signs), thrown=True, found=True)
    return hand, screen


def test_dice_found_lying_there_are_a_throw_if_somebody_says_so(known: TableGame) -> None:
    hand, screen = lying(known, *FIVE)
    assert screen.position.phase == "roll" and hand.effects[-2:] == list(ASKS)
    assert context_text(screen).endswith("Zählt dieser Wurf?")
    labels = {widget.key: widget.label for widget in hand.stage.widgets()}
    assert labels["yes"] == "Ja, er zählt" and labels["erase"] == "Nein, neu werfen"
    hand.touch("yes")
    assert screen.match.moves[-1] == "roll bomb scissors heart gift bomb" and hand.touches == 1
    hand.touch("die-3", "again")
    hand.lay(*row("bomb", "scissors", "heart", "gift", "bomb"), thrown=True)
    assert screen.position.phase == "roll", "where they lie is known, too"


def test_dice_found_lying_there_are_asked_about_where_they_are_in_doubt(known: TableGame) -> None:
    hand, screen = lying(known, "bomb", "scissors", "2", "gift", "bomb")
    assert context_text(screen).endswith("Was zeigt dieser Würfel?") and "yes" not in hand.keys
    hand.touch("face-heart")
    assert screen.match.moves[-1] == "roll bomb scissors heart gift bomb"


def test_dice_found_lying_there_need_not_be_the_throw(known: TableGame) -> None:
    hand, screen = lying(known, *FIVE)
    hand.lay(*row("gift", "gift", "gift", "heart", "bomb"), thrown=True)
    assert screen.match.moves[-1] == "roll gift gift gift heart bomb"
    hand, screen = lying(known, *FIVE)
    hand.touch("erase", *["face-gift"] * 5)
    assert screen.match.moves[-1] == "roll gift gift gift gift gift"
    hand, screen = lying(known, *FIVE)
    hand.confirm()
    assert screen.match.moves[-1] == "roll bomb scissors heart gift bomb"


def test_whether_dice_count_is_not_answered_for_those_that_lay_there_before(known: TableGame) -> None:
    hand, screen = lying(known, *FIVE)
    for number, key in enumerate(("yes", "erase", "undo")):
        hand.context.now += 5
        dice = row("gift", "gift", "gift", "heart", "bomb" if number % 2 == 0 else "scissors")
        hand.lay(*dice, thrown=True, found=True)
        hand.tap(key)
        assert screen.asks_dice, "that was meant for the one before"
    hand.touch("yes")
    assert screen.match.moves[-1] == "roll gift gift gift heart bomb"


def cut(hand: Hand) -> Hand:
    """The power is cut, and comes back."""
    hand.context.table = Table(hand.context.table._store)
    (screen,) = resumed(hand.context)
    again = Hand.at(screen)
    again.number = hand.number
    return again


def test_dice_that_people_have_declined_are_not_asked_about_after_a_power_cut(known: TableGame) -> None:
    hand, _ = lying(known, *FIVE)
    hand.touch("erase")
    hand = cut(hand)
    hand.lay(*row(*FIVE), thrown=True, found=True)
    assert "yes" not in hand.keys
    hand.lay(*row(*FIVE), thrown=True)
    assert hand.context.table.game and hand.context.table.game.match.moves[-1].startswith("roll")


def test_who_has_begun_to_touch_them_is_not_asked_about_what_lies_there(known: TableGame) -> None:
    hand, screen = thrown(known)
    hand.touch("face-gift")
    hand.lay(*row(*FIVE), thrown=True, found=True)
    assert screen.entered == ["gift"] and screen.glimpsed == []


def test_too_few_dice_found_lying_there_are_no_throw(known: TableGame) -> None:
    hand, screen = lying(known, *FIVE[:3])
    assert screen.glimpsed == [] and screen.trouble is not None
    hand.lay(*row(*FIVE), thrown=True)
    assert screen.match.moves[-1] == "roll bomb scissors heart gift bomb"


def test_dice_entered_by_hand_that_a_slow_eye_reads_then_were_not_thrown_again(known: TableGame) -> None:
    screen = begun(known, own=True)
    hand = Hand.at(screen)
    hand.touch(*(f"face-{sign}" for sign in FIVE))
    hand.lay(*row(*FIVE), thrown=True)
    hand.touch("die-3", "again")
    assert screen.position.phase == "roll" and screen.match.moves[-1] == "reroll 3"


@pytest.mark.parametrize("ends", ["keep", "by itself"])
def test_dice_entered_by_hand_that_a_slow_eye_reads_after_the_turn_are_asked_about(
    known: TableGame, ends: str
) -> None:
    """They may lie there still, or the next one has thrown the same."""
    screen, shown = begun(known, own=True), ("heart", "heart", "heart", "scissors", "scissors")
    hand = Hand.at(screen)
    hand.touch(*(f"face-{sign}" for sign in shown))
    for _ in range(2 * (ends == "by itself")):
        hand.touch("die-4", "again", "face-scissors")
    if ends == "keep":
        hand.touch("keep")
    hand.wait(8)
    assert screen.position.phase == "roll" and screen.position.active == 1
    hand.clear()  # the eye has not seen them yet
    hand.lay(*row("scissors", "heart", "scissors", "heart", "heart"), thrown=True)
    assert screen.position.phase == "roll" and "yes" in hand.keys
    hand.touch("erase")
    hand.lay(*row(*FIVE), thrown=True)
    assert screen.match.moves[-1] == "roll bomb scissors heart gift bomb"


def test_whether_a_die_counts_that_was_thrown_again_after_they_were_entered_by_hand_is_asked(
    known: TableGame,
) -> None:
    """Nobody has seen where they lay, and it came before it was touched."""
    screen = begun(known, own=True)
    hand = Hand.at(screen)
    hand.touch(*(f"face-{sign}" for sign in FIVE))
    hand.lay(*row("bomb", "scissors", "heart", "heart", "bomb"), thrown=True)
    hand.touch("die-4", "again")
    assert screen.position.phase == "roll"
    hand.touch("yes")
    assert screen.match.moves[-1] == "roll heart"


def test_a_die_thrown_again_before_it_was_touched_counts_though_it_shows_the_same(known: TableGame) -> None:
    hand, screen = thrown(known, *FIVE)
    lying = row(*FIVE)
    hand.lay(*lying[:3], Lies("gift", (420, 400)), lying[4], thrown=True)
    hand.touch("die-4", "again")
    assert screen.match.moves[-2:] == ["reroll 4", "roll gift"]


def test_so_it_does_after_somebody_has_said_what_another_one_shows(known: TableGame) -> None:
    hand, screen = thrown(known, "bomb", "scissors", "2", "gift", "bomb")
    hand.touch("face-heart")
    lying = row(*FIVE)
    hand.lay(*lying[:3], Lies("gift", (420, 400)), lying[4], thrown=True)
    hand.touch("die-4", "again")
    assert screen.match.moves[-2:] == ["reroll 4", "roll gift"]


def test_a_die_that_shows_what_a_kept_one_shows_can_be_thrown_again(known: TableGame) -> None:
    shown = ("heart", "heart", "scissors", "gift", "gift")
    hand, screen = thrown(known, *shown)
    lying = row(*shown)
    for sign, x in (("gift", 420), ("bomb", 220)):
        hand.touch("die-4", "again")
        hand.lay(*lying[:3], Lies(sign, (x, 400)), lying[4], thrown=True)
    assert [move for move in screen.match.moves if move.startswith("roll")][-1] == "roll bomb"


def test_what_is_read_anew_of_a_throw_that_was_refused_takes_back_no_other_one(known: TableGame) -> None:
    """The turn before has ended by what the camera read."""
    shown = ("gift", "heart", "heart", "scissors", "scissors")
    hand, screen = thrown(known, *shown)
    lying = row(*shown)
    for sign, x in (("gift", 420), ("heart", 220)):
        hand.touch("die-1", "again")
        hand.lay(Lies(sign, (x, 400)), *lying[1:], thrown=True)
    hand.wait(8)
    assert screen.position.active == 1
    before = list(screen.match.moves)
    seen = [Lies(sign, (90.0 + 112 * i, 300)) for i, sign in enumerate(("heart", "scissors", "gift", "gift"))]
    hand.lay(*seen, thrown=True)
    hand.lay(*seen, Lies("bomb", (540, 300)), thrown=True, revises=True)
    assert screen.match.moves == [*before, "roll heart scissors gift gift bomb"]


def test_a_finger_that_bounces_answers_one_question(known: TableGame) -> None:
    screen = begun(known, own=True)
    screen.context.box.keep(bang())
    hand = Hand.at(screen)
    hand.lay(*row("bomb", "2", "3", "gift", "bomb"), thrown=True)
    assert sum(not each.sure for each in screen.glimpsed) == 2
    hand.bounce("face-heart")
    assert sum(not each.sure for each in screen.glimpsed) == 1


def test_undo_takes_back_the_symbol_that_was_touched_last_and_no_move(table_game: TableGame) -> None:
    screen = begun(table_game, own=True)
    hand, before = Hand.at(screen), list(screen.match.moves)
    hand.touch("face-bomb", "face-gift")
    for entered in (["bomb"], []):
        hand.press("undo")
        assert (list(screen.entered), screen.match.moves) == (entered, before)


def test_a_throw_that_is_asked_about_takes_the_place_of_what_was_touched_before(known: TableGame) -> None:
    screen = begun(known, own=True)
    hand = Hand.at(screen)
    screen.context.table.keep("bomb")
    hand.lay(*row("bomb", "scissors", "2", "gift", "bomb"), thrown=True)
    assert screen.asked and not screen.entered


def test_a_second_touch_at_once_does_not_answer_the_next_question(known: TableGame) -> None:
    screen = begun(known, own=True)
    screen.context.box.keep(bang())
    hand = Hand.at(screen)
    hand.lay(*row("bomb", "2", "3", "gift", "bomb"), thrown=True)
    hand.touch("face-heart")
    hand.context.now += 0.1
    hand.tap("face-heart")
    assert sum(not each.sure for each in screen.glimpsed) == 1


def test_undo_takes_back_what_is_asked_and_no_move(known: TableGame) -> None:
    screen = begun(known, own=True)
    screen.context.box.keep(bang())
    hand = Hand.at(screen)
    before = list(screen.match.moves)
    hand.lay(*row("bomb", "2", "3", "gift", "bomb"), thrown=True)
    hand.press("undo")
    assert screen.glimpsed == [] and screen.match.moves == before


def test_what_is_revised_after_somebody_has_gone_on_changes_nothing(known: TableGame) -> None:
    hand, screen = thrown(known, *FIVE)
    hand.touch("die-3", "again")
    hand.lay(*row("bomb", "scissors", "gift", "gift", "bomb"), thrown=True, revises=True)
    assert screen.match.moves[-1] == "reroll 3"


def test_undo_takes_a_reading_back_and_it_can_be_touched(known: TableGame) -> None:
    hand, screen = thrown(known, *FIVE)
    hand.press("undo")
    hand.touch(*["face-bomb"] * 2, *["face-heart"] * 3)
    assert screen.match.moves[-1] == "roll bomb bomb heart heart heart"


# The stopper die


def thrown_by_hand(make: TableGame) -> tuple[Hand, BreakScreen]:
    """A round in which people throw the stopper die."""
    screen = round_of(make, "y07", throws=0, stopper="own")
    return Hand.at(screen), screen


def test_the_real_stopper_die_counts_what_it_shows(known: TableGame, context: Context) -> None:
    """MNB-R2, R10."""
    hand, screen = thrown_by_hand(known)
    for sign in ("3", "blank", "1", "2"):
        hand.lay(Lies(sign), thrown=True)
    assert screen.position.stopper.throws == (3, 0, 1, 2)
    assert context.table.log.current is None, "it is no die with pips, whose fairness is watched"


def test_an_ordinary_die_still_is_a_stopper(known: TableGame) -> None:
    hand, screen = thrown_by_hand(known)
    hand.show(5)
    hand.show(2)
    assert screen.position.stopper.throws == (0, 2)


def test_a_stopper_that_is_read_anew_leaves_the_throws_of_other_games(
    known: TableGame, context: Context
) -> None:
    """A sign is not taken down; neither may what revises it take the place of an older throw, nor may pips
    stay that turn out to be a sign.
    """
    log = context.table.log
    before = Hand.at(DiceScreen(context))
    before.show(3, 4)
    hand, screen = thrown_by_hand(known)
    hand.number = before.number
    hand.lay(Lies("3"), thrown=True)
    hand.show(2, revises=True)
    assert [throw.faces for throw in log.throws] == [(2,), (3, 4)] and screen.position.stopper.throws == (2,)
    hand.lay(Lies("3"), thrown=True, revises=True)
    assert [throw.faces for throw in log.throws] == [(3, 4)] and screen.position.stopper.throws == (3,)


def test_a_doubtful_side_is_asked_for(known: TableGame) -> None:
    hand, screen = thrown_by_hand(known)
    hand.lay(Lies("heart"), thrown=True)
    hand.touch("built")
    assert screen.position.stopper.throws == () and screen.guess is not None
    question = Message("Which side is it? Touch it below")
    assert screen.prompt() == Prompt(question, screen.position.thrower, "dice")
    hand.touch("stopper 2")
    assert screen.match.moves[-1] == "stopper 2" and screen.guess is None


def test_a_side_that_is_confirmed_is_known_in_that_light_from_then_on(
    known: TableGame, context: Context
) -> None:
    hand, screen = thrown_by_hand(known)
    hand.lay(Lies("heart"), thrown=True)
    guess, value = screen.glimpsed, screen.guess
    assert guess is not None and value is not None
    hand.touch(f"stopper {(value + 1) % 4}")
    assert more(context.box, stopper()) == []
    hand.lay(Lies("heart", (200, 200)), thrown=True)
    hand.press("confirm")
    assert more(context.box, stopper()) == [], "that was meant for the one before"
    hand.confirm()
    assert more(context.box, stopper()) == [guess.sign]


def test_a_side_that_is_read_anew_is_not_counted_twice(known: TableGame) -> None:
    hand, screen = thrown_by_hand(known)
    hand.lay(Lies("2"), thrown=True)
    hand.lay(Lies("3"), thrown=True, revises=True)
    assert screen.position.stopper.throws == (3,)


@pytest.mark.parametrize("anew", [("heart",), ("3", "1")])
def test_what_was_read_stays_where_the_eye_knows_no_better(known: TableGame, anew: tuple[str, ...]) -> None:
    """It is in doubt, or sees a die more."""
    hand, screen = thrown_by_hand(known)
    hand.lay(Lies("2"), thrown=True)
    hand.lay(*row(*anew), thrown=True, revises=True)
    assert screen.position.stopper.throws == (2,) and screen.guess is None and screen.trouble is None


def test_what_a_person_has_said_of_the_stopper_is_not_counted_once_more(known: TableGame) -> None:
    hand, screen = thrown_by_hand(known)
    hand.lay(Lies("heart"), thrown=True)
    hand.touch("stopper 3")
    hand.lay(Lies("3"), thrown=True, revises=True)
    assert screen.position.stopper.throws == (3,)


def test_a_stopper_that_somebody_has_gone_on_from_is_not_counted_once_more(known: TableGame) -> None:
    hand, screen = thrown_by_hand(known)
    hand.lay(Lies("2"), thrown=True)
    hand.touch("built")
    hand.lay(Lies("1"), thrown=True, revises=True)
    assert screen.position.stopper.throws == (1,)


def test_a_stopper_in_doubt_is_read_anew(known: TableGame) -> None:
    hand, screen = thrown_by_hand(known)
    hand.lay(Lies("heart"), thrown=True)
    hand.lay(Lies("3"), thrown=True, revises=True)
    assert screen.position.stopper.throws == (3,)


def test_a_stopper_found_lying_there_is_asked_about(known: TableGame) -> None:
    hand, screen = thrown_by_hand(known)
    hand.lay(Lies("3"), thrown=True, found=True)
    assert screen.position.stopper.throws == () and screen.guess == 3
    hand.press("undo")
    assert screen.guess is None and screen.position.stopper.throws == ()


def test_a_stopper_that_was_counted_and_lies_there_after_a_power_cut_is_not_asked_about(
    known: TableGame,
) -> None:
    hand, _ = thrown_by_hand(known)
    hand.show(3)
    hand = cut(hand)
    hand.show(3, found=True)
    screen = hand.stage.top
    assert isinstance(screen, BreakScreen) and screen.guess is None
    hand.show(2, revises=True)
    assert screen.position.stopper.throws == (3,)
    hand.show(3)
    assert list(screen.position.stopper.throws) == [3, 3]


@pytest.mark.parametrize("pips", [False, True])
def test_a_stopper_that_was_declined_is_not_asked_about_after_a_power_cut(
    known: TableGame, pips: bool
) -> None:
    hand, _ = thrown_by_hand(known)

    def found() -> None:
        if pips:
            hand.show(3, found=True)
        else:
            hand.lay(Lies("3"), thrown=True, found=True)

    found()
    hand.press("undo")
    hand = cut(hand)
    found()
    screen = hand.stage.top
    assert isinstance(screen, BreakScreen)
    assert screen.guess is None
    hand.show(3)
    assert screen.position.stopper.throws == (3,)


def test_a_stopper_entered_by_hand_is_not_counted_again_by_a_slow_eye(known: TableGame) -> None:
    hand, screen = thrown_by_hand(known)
    hand.touch("stopper 3")
    hand.lay(Lies("3"), thrown=True)
    assert list(screen.position.stopper.throws) == [3]
    hand.lay(Lies("3"), thrown=True)
    assert list(screen.position.stopper.throws) == [3, 3]


def test_what_a_slow_eye_doubts_at_first_is_asked_no_more_when_it_reads_what_was_entered(
    known: TableGame,
) -> None:
    hand, screen = thrown_by_hand(known)
    hand.touch("stopper 2")
    hand.doubt(3)
    hand.show(2, revises=True)
    assert screen.position.stopper.throws == (2,) and screen.guess is None


def test_a_stopper_in_doubt_that_is_read_anew_takes_back_no_other_throw(known: TableGame) -> None:
    hand, screen = thrown_by_hand(known)
    hand.lay(Lies("3"), thrown=True)
    hand.lay(Lies("heart"), thrown=True)
    hand.lay(Lies("2"), thrown=True, revises=True)
    assert screen.position.stopper.throws == (3, 2)


def test_what_was_said_of_one_throw_of_the_stopper_says_nothing_of_later_ones(known: TableGame) -> None:
    hand, screen = thrown_by_hand(known)
    hand.touch("stopper 2")
    for side in ("1", "2"):
        hand.wait(1.5)
        hand.lay(Lies(side), thrown=True)
    assert screen.position.stopper.throws == (2, 1, 2)


def test_a_finger_that_bounces_throws_once(known: TableGame) -> None:
    hand, screen = thrown_by_hand(known)
    hand.bounce("stopper 3")
    assert screen.position.stopper.throws == (3,)


def test_who_leaves_while_the_stopper_is_asked_about_lets_it_be_found_again(known: TableGame) -> None:
    hand, _ = thrown_by_hand(known)
    hand.lay(Lies("heart"), thrown=True)
    hand.press("back", "back")
    assert LookAnew() in hand.effects


def test_undo_takes_back_what_the_stopper_asks_and_nothing_else(known: TableGame) -> None:
    hand, screen = thrown_by_hand(known)
    hand.lay(Lies("3"), thrown=True)
    hand.lay(Lies("heart"), thrown=True)
    hand.press("undo")
    assert screen.position.stopper.throws == (3,) and screen.guess is None


def test_before_the_round_it_is_offered_to_teach_the_stopper_die(table_game: TableGame) -> None:
    hand = Hand.at(table_game("make-n-break", 2, manner={"stopper": "own"}))
    hand.wait(0.5)
    hand.touch("teach")
    assert isinstance(hand.stage.top, LessonScreen) and hand.stage.top.kind.name == "stopper"
    hand.context.box.keep(stopper())
    hand.press("back")
    assert "teach" not in hand.keys and "go" in hand.keys


# What is read anew, taken away or taken back


def next_turn(known: TableGame) -> tuple[Hand, BangScreen, list[str]]:
    """The turn of the first player has ended by what the camera read."""
    shown = ("gift", "heart", "heart", "scissors", "scissors")
    hand, screen = thrown(known, *shown)
    for sign, x in (("gift", 420), ("heart", 220)):
        hand.touch("die-1", "again")
        hand.lay(Lies(sign, (x, 400)), *row(*shown)[1:], thrown=True)
    hand.wait(8)
    assert screen.position.active == 1
    return hand, screen, list(screen.match.moves)


def early(known: TableGame) -> tuple[Hand, BangScreen, list[Lies]]:
    """The fourth die was thrown again before anybody has touched it."""
    hand, screen = thrown(known, *FIVE)
    kept = row(*FIVE)
    hand.lay(*kept[:3], Lies("scissors", (420, 400)), kept[4], thrown=True)
    return hand, screen, kept


def test_an_early_throw_that_is_read_anew_takes_back_no_other_one(known: TableGame) -> None:
    hand, screen, kept = early(known)
    hand.lay(*kept[:3], Lies("heart", (420, 400)), kept[4], thrown=True, revises=True)
    assert screen.match.moves[-1] == "roll bomb scissors heart gift bomb"
    hand.touch("die-4", "again")
    assert screen.match.moves[-2:] == ["reroll 4", "roll heart"]


def test_an_early_throw_counts_only_while_its_dice_lie_there(known: TableGame) -> None:
    hand, screen, kept = early(known)
    hand.stir()
    hand.clear()
    hand.touch("die-4", "again")
    assert screen.match.moves[-1] == "reroll 4"
    hand.lay(*kept[:3], Lies("heart", (430, 380)), kept[4], thrown=True)
    assert screen.match.moves[-1] == "roll heart"


def test_an_early_throw_counts_though_a_hand_has_covered_its_dice(known: TableGame) -> None:
    hand, screen, kept = early(known)
    hand.clear()
    hand.lay(*kept[:3], Lies("scissors", (420, 400)), kept[4])
    hand.touch("die-4", "again")
    assert screen.match.moves[-2:] == ["reroll 4", "roll scissors"]


def test_an_early_throw_counts_after_an_undo_too(known: TableGame) -> None:
    hand, screen = thrown(known, *FIVE)
    kept = row(*FIVE)
    hand.touch("die-4", "again")
    hand.press("undo")
    hand.lay(*kept[:3], Lies("heart", (420, 400)), kept[4], thrown=True)
    hand.touch("die-4", "again")
    assert screen.match.moves[-2:] == ["reroll 4", "roll heart"]


@pytest.mark.parametrize(
    "shown", [FIVE, ("heart", "heart", "heart", "scissors", "scissors")], ids=["tiles", "no tiles"]
)
def test_what_the_next_player_has_thrown_before_somebody_stops_is_found_again(
    known: TableGame, shown: tuple[str, ...]
) -> None:
    hand, screen = thrown(known, *shown)
    hand.lay(*row("gift", "gift", "bomb", "heart", "scissors", down=120), thrown=True)
    hand.touch("keep")
    assert LookAnew() in hand.effects and screen.waiting is None


def test_who_leaves_while_an_early_throw_waits_lets_it_be_found_again(known: TableGame) -> None:
    hand, _, _ = early(known)
    hand.press("back", "back")
    assert LookAnew() in hand.effects


@pytest.mark.parametrize(
    ("taken_back", "first", "anew"),
    [("undo", ("heart", "gift"), ("bomb", "gift")), ("erase", ("heart", "2"), ("heart", "bomb"))],
)
def test_what_is_read_anew_of_a_throw_that_was_taken_back_takes_back_no_other_one(
    known: TableGame, taken_back: str, first: tuple[str, str], anew: tuple[str, str]
) -> None:
    """A throw that was played is undone, one that is asked about erased."""
    hand, screen, before = next_turn(known)
    hand.lay(*row(*first, "gift", "gift", "bomb", down=100), thrown=True)
    hand.touch(taken_back)
    hand.lay(*row(*anew, "gift", "gift", "bomb", down=100), thrown=True, revises=True)
    assert screen.match.moves == before


@pytest.mark.parametrize("how", ["gone", "undone"])
def test_dice_that_were_taken_up_may_show_the_same_again(known: TableGame, how: str) -> None:
    hand, screen = thrown(known, "heart", "heart", "heart", "scissors", "scissors")
    if how == "gone":
        hand.touch("keep")
        hand.stir()
        hand.clear()
    else:
        hand.press("undo")
    hand.lay(*row("scissors", "heart", "scissors", "heart", "heart", down=150), thrown=True)
    assert screen.match.moves[-1] == "roll scissors heart scissors heart heart"


def test_a_stopper_that_was_said_and_taken_back_may_be_thrown(known: TableGame) -> None:
    hand, screen = thrown_by_hand(known)
    hand.touch("stopper 3")
    hand.press("undo")
    hand.lay(Lies("3"), thrown=True)
    assert screen.position.stopper.throws == (3,)


def test_what_is_said_of_the_next_throw_corrects_no_older_one(known: TableGame, context: Context) -> None:
    hand, _ = thrown_by_hand(known)
    hand.touch("stopper 2")
    hand.show(2)
    hand.touch("stopper 3")
    hand.show(3)
    assert [throw.faces for throw in context.table.log.throws] == [(3,), (2,)]


def test_of_two_dice_nobody_has_said_which_is_the_stopper(known: TableGame, context: Context) -> None:
    hand, _ = thrown_by_hand(known)
    hand.show(2, 5)
    hand.touch("stopper 3")
    assert [throw.faces for throw in context.table.log.throws] == [(2, 5)]


def test_what_is_read_anew_after_somebody_has_gone_on_is_taken_down(
    known: TableGame, context: Context
) -> None:
    hand, screen = thrown_by_hand(known)
    hand.show(2)
    hand.touch("stopper 1")
    hand.show(3, revises=True)
    assert [throw.faces for throw in context.table.log.throws] == [(3,)]
    assert screen.position.stopper.throws == (2, 1)


def test_pips_that_were_none_are_no_throw_after_a_power_cut_either(
    known: TableGame, context: Context
) -> None:
    """Nobody has said so: nothing is there to take back, and what was thrown before them is shown."""
    context.table.log.thrown(Throw(in_a_row((4,), 0.99), 1.0))
    hand, _ = thrown_by_hand(known)
    hand.show(3)
    hand.show(2, revises=True)
    hand.lay(Lies("3"), thrown=True, revises=True)
    for _ in ("", "after a power cut"):
        dice = Hand.at(DiceScreen(context))
        assert "undo" not in dice.keys and dice.stage.top.current.faces == (4,)  # type: ignore[attr-defined]
        context.table = Table(context.table._store)


def test_what_a_person_has_said_is_no_die_can_be_taken_back_after_a_power_cut(context: Context) -> None:
    log = context.table.log
    log.correct(log.thrown(Throw(in_a_row((4,), 0.99), 1.0, sure=False, doubts=((0, None),))), 0, None)
    context.table = Table(context.table._store)
    hand = Hand.at(DiceScreen(context))
    hand.touch("undo")
    assert [throw.faces for throw in context.table.log.throws] == [(4,)]
