"""What the eye is not sure of it asks, with its best guess on the screen: one touch answers."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.config import Settings
from companion.events import ASKS, Say, SayThrow, Sound
from companion.games.bau_boom.screen import BauScreen
from companion.games.make_n_break.screen import BreakScreen
from companion.language import Texts
from companion.screens.base import Context
from companion.screens.dice import DiceScreen
from companion.store import Store
from companion.table import Table
from tests.screens.conftest import Hand, TableGame


@pytest.fixture
def dice(context: Context) -> Hand:
    return Hand.at(DiceScreen(context))


@contextmanager
def kept_dice(path: Path) -> Iterator[Hand]:
    """The dice of a table that is kept in a file, until the power is cut."""
    with Store.open(path) as store:
        table = Table(store)
        yield Hand.at(DiceScreen(Context(Texts("de"), Settings(), table, now=100.0)))
        table.close()


@pytest.fixture
def bau(table_game: TableGame) -> Hand:
    hand = Hand.at(table_game("bau-boom", 2, seed="a"))
    hand.wait(0.1)
    hand.effects.clear()
    return hand


@pytest.fixture
def stopper(table_game: TableGame) -> Hand:
    hand = Hand.at(table_game("make-n-break", 2, manner={"stopper": "own"}))
    hand.wait(0.1)
    hand.touch("go")
    hand.wait(0.1)
    hand.effects.clear()
    return hand


def logged(hand: Hand) -> tuple[tuple[int | str, ...], bool]:
    """What the newest throw shows, and whether it is still asked."""
    throw = hand.context.table.log.current
    assert throw is not None
    return throw.faces, throw.asked


def dice_of(hand: Hand) -> tuple[int, int]:
    screen = hand.stage.top
    assert isinstance(screen, BauScreen)
    return screen.position.dice


def total(hand: Hand) -> tuple[int, ...]:
    screen = hand.stage.top
    assert isinstance(screen, BreakScreen)
    return screen.position.stopper.throws


# The dice


def test_what_is_doubted_is_asked_and_not_announced(dice: Hand) -> None:
    dice.doubt(2, 5)
    assert dice.effects == [*ASKS] and logged(dice) == ((2, 5), True)
    dice.stage.draw()


def test_one_touch_confirms_and_then_it_is_spoken(dice: Hand) -> None:
    dice.doubt(2, 5)
    dice.touch("yes")
    assert dice.effects == [*ASKS, Sound("seen"), SayThrow((2, 5))]
    assert logged(dice) == ((2, 5), False) and "yes" not in dice.keys


def test_one_touch_confirms_also_while_another_die_leans(dice: Hand) -> None:
    dice.doubt(2, 5)
    dice.lean()
    dice.touch("yes")
    assert dice.effects[-2:] == [Sound("seen"), SayThrow((2, 5))]
    assert dice.context.table.log.throws[0].trust == "confirmed"


def test_a_better_look_confirms_too(dice: Hand) -> None:
    dice.doubt(2, 5)
    dice.show(2, 5, revises=True)
    assert dice.effects == [*ASKS, Sound("seen"), SayThrow((2, 5))]
    assert logged(dice) == ((2, 5), False) and len(dice.context.table.log.throws) == 1


def test_the_button_of_the_panel_confirms_too(dice: Hand) -> None:
    dice.doubt(2, 5)
    dice.confirm()
    assert logged(dice) == ((2, 5), False)


def test_one_touch_on_the_die_and_one_on_its_face_correct_it_and_nothing_is_asked_any_more(
    dice: Hand,
) -> None:
    dice.doubt(2, 5, second=3)
    dice.touch("die-0", "face-3")
    assert logged(dice) == ((3, 5), False) and dice.effects[-1] == Say("corrected")


def test_what_is_said_of_one_die_answers_nothing_of_another(dice: Hand) -> None:
    dice.doubt(2, 5, 6, doubts=(0, 1))
    throw = dice.context.table.log.current
    assert throw is not None
    dice.touch("add", "face-1")
    dice.touch("die-2", "none")
    assert set(throw.doubts) == {0, 1}
    dice.touch("die-0", "face-2")  # as it was read
    assert set(throw.doubts) == {1} and "yes" in dice.keys
    dice.touch("die-1", "face-4")
    assert logged(dice) == ((2, 4, 1), False) and "yes" not in dice.keys
    dice.press("undo")
    assert logged(dice) == ((2, 5, 1), True) and set(throw.doubts) == {1}
    dice.touch("yes")
    assert logged(dice) == ((2, 5, 1), False)


def test_that_a_throw_is_right_can_be_taken_back(tmp_path: Path) -> None:
    """Also after a power cut."""
    path = tmp_path / "companion.db"
    with kept_dice(path) as hand:
        hand.doubt(2, 5, doubts=(0, 1))
        throw = hand.context.table.log.current
        hand.touch("yes")
        assert logged(hand) == ((2, 5), False) and hand.stage.lamps()["undo"] == "on"
        hand.touch("undo")
        assert logged(hand) == ((2, 5), True) and "yes" in hand.keys and "undo" not in hand.keys
        assert throw is not None and set(throw.doubts) == {0, 1}
        hand.press("undo")
        assert hand.effects[-1] == Sound("refused")
        hand.touch("yes")
    with Store.open(path) as store:
        log = Table(store).log
        assert log.current is not None and not log.current.asked
        assert log.undo(log.current) and log.current.asked and not log.undo(log.current)
    with Store.open(path) as store:
        current = Table(store).log.current
        assert current is not None and current.asked


def test_what_was_right_with_a_correction_is_asked_again_with_and_then_without_it(tmp_path: Path) -> None:
    """Also after a power cut, and nothing of it counts for the fairness of dice before it is answered."""
    path = tmp_path / "companion.db"
    with kept_dice(path) as hand:
        hand.doubt(2, 5, doubts=(0, 1))
        hand.touch("die-0", "face-3")
        assert logged(hand) == ((3, 5), True)
        hand.touch("yes")
        assert logged(hand) == ((3, 5), False)
        hand.touch("undo")
        assert logged(hand) == ((3, 5), True)
        hand.touch("undo")
        assert logged(hand) == ((2, 5), True)
        hand.touch("die-0", "face-3")
    with Store.open(path) as store:
        assert store.faces_read() == (("white", 3, 1),)
        throw = Table(store).log.current
        assert throw is not None and throw.asked


def test_what_people_have_said_stands_when_the_dice_are_found_again(dice: Hand) -> None:
    dice.doubt(2, 5, doubts=(0, 1))
    dice.touch("die-0", "face-3")
    dice.doubt(2, 5, doubts=(0, 1), found=True)
    assert logged(dice) == ((3, 5), True)


def test_what_was_answered_is_not_asked_after_a_power_cut(tmp_path: Path) -> None:
    path = tmp_path / "companion.db"
    with kept_dice(path) as hand:
        hand.doubt(2, 5)
        hand.touch("die-0", "face-3")
    with Store.open(path) as store:
        throw = Table(store).log.current
        assert throw is not None and throw.faces == (3, 5) and not throw.asked


def test_after_a_power_cut_that_is_asked_which_nobody_has_answered(tmp_path: Path) -> None:
    path = tmp_path / "companion.db"
    with kept_dice(path) as hand:
        hand.doubt(2, 5, doubts=(0, 1))
        hand.touch("die-0", "face-3")
    with Store.open(path) as store:
        throw = Table(store).log.current
        assert throw is not None and throw.faces == (3, 5) and set(throw.doubts) == {1}


def test_a_sure_throw_needs_no_touch(dice: Hand) -> None:
    dice.show(2, 5)
    assert "yes" not in dice.keys and dice.effects[-1] == SayThrow((2, 5))


def test_what_is_asked_is_asked_again_after_a_power_cut_and_what_was_confirmed_is_not(tmp_path: Path) -> None:
    for confirms in (False, True):
        path = tmp_path / f"{confirms}.db"
        with kept_dice(path) as hand:
            hand.doubt(2, 5)
            if confirms:
                hand.touch("yes")
        with Store.open(path) as store:
            throw = Table(store).log.current
            assert throw is not None and throw.asked is not confirms and throw.faces == (2, 5)


# Bau Boom


def test_a_doubted_throw_is_no_move_until_one_touch_confirms_it(bau: Hand) -> None:
    bau.doubt(2, 5)
    assert bau.effects == [*ASKS] and dice_of(bau) != (2, 5)
    bau.touch("yes")
    assert dice_of(bau) == (2, 5) and logged(bau) == ((2, 5), False)
    assert any(key.startswith("move") for key in bau.keys)


def test_the_panels_button_confirms_a_doubted_throw(bau: Hand) -> None:
    bau.doubt(2, 5)
    bau.confirm()
    assert dice_of(bau) == (2, 5)


def test_the_die_that_is_wrong_is_corrected_before_it_is_a_move(bau: Hand) -> None:
    bau.doubt(2, 5, doubts=(1,))
    bau.touch("die-1", "die-1-6")
    assert dice_of(bau) == (2, 6) and logged(bau) == ((2, 6), False)


def test_a_better_look_answers_by_itself(bau: Hand) -> None:
    bau.doubt(2, 5)
    bau.show(2, 5, revises=True)
    assert dice_of(bau) == (2, 5) and logged(bau) == ((2, 5), False)


def test_a_better_look_at_what_somebody_has_answered_changes_nothing(bau: Hand) -> None:
    bau.doubt(2, 5)
    bau.touch("yes")
    bau.effects.clear()
    bau.show(2, 5, revises=True)
    assert dice_of(bau) == (2, 5) and not bau.effects


def test_another_throw_takes_the_place_of_what_is_asked(bau: Hand) -> None:
    bau.doubt(2, 5)
    bau.doubt(3, 3)
    bau.show(4, 6)
    assert dice_of(bau) == (4, 6)


def test_undo_leaves_what_is_asked(bau: Hand) -> None:
    bau.doubt(2, 5)
    bau.press("undo")
    assert "yes" not in bau.keys and "by-hand" in bau.keys


def test_one_die_is_too_few_however_sure_the_eye_is(bau: Hand) -> None:
    bau.doubt(2)
    assert Say("throw-two") in bau.effects and "yes" not in bau.keys


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6), st.booleans()), max_size=4))
def test_no_doubted_throw_ever_moves_a_barrow(
    table_game: TableGame, seen: list[tuple[int, int, bool]]
) -> None:
    screen = table_game("bau-boom", 2, seed="a")
    hand = Hand.at(screen)
    hand.wait(0.1)
    before = list(screen.match.moves)
    for one, other, both in seen:
        hand.doubt(one, other, doubts=(0, 1) if both else ())
        hand.wait(0.1)
    assert screen.match.moves == before


# The stopper die


def test_a_doubted_stopper_die_is_preselected_and_one_touch_counts_it(stopper: Hand) -> None:
    stopper.doubt(3)
    assert stopper.effects == [*ASKS] and total(stopper) == ()
    stopper.stage.draw()
    stopper.touch("stopper 3")
    assert total(stopper) == (3,) and logged(stopper) == ((3,), False)


def test_a_better_look_counts_it_without_a_touch(stopper: Hand) -> None:
    stopper.doubt(3)
    stopper.show(3, revises=True)
    assert total(stopper) == (3,) and logged(stopper) == ((3,), False)


def test_any_other_side_is_one_touch_as_well(stopper: Hand) -> None:
    stopper.doubt(3)
    stopper.touch("stopper 1")
    assert total(stopper) == (1,) and logged(stopper) == ((1,), False)


def test_building_goes_on_while_the_stopper_is_asked(stopper: Hand) -> None:
    stopper.doubt(3)
    stopper.touch("built")
    stopper.press("confirm")
    assert total(stopper) == (3,)
