"""Bau Boom against computers: they choose, people carry it out, with one touch a turn at most."""

from companion.games.bau_boom.screen import BauScreen
from companion.screens.end import EndScreen
from tests.screens.conftest import Hand, TableGame


def played(table_game: TableGame, hand: Hand | None = None, **more: object) -> tuple[BauScreen, Hand]:
    screen = table_game("bau-boom", 2, seed="a", plays=["person", "computer"], **more)
    hand = Hand.at(screen)
    hand.wait(0.3)
    return screen, hand


def one_touch(hand: Hand) -> None:
    """What a person does who does not think long."""
    keys = hand.keys
    for key in ("throw", "accept", "take", "red", "yellow", "green", "blue"):
        if key in keys:
            hand.touch(key)
            break
    else:
        hand.touch(next(key for key in keys if key.startswith(("move", "place"))))
    hand.wait(0.5)


def computers_throw(screen: BauScreen) -> bool:
    return not screen.position.over and screen.position.due.what == "roll" and screen.position.turn == 1


def test_a_turn_of_a_computer_needs_one_touch(table_game: TableGame) -> None:
    screen, hand = played(table_game)
    turns = 0
    while not isinstance(hand.stage.top, EndScreen):
        before, theirs = hand.touches, computers_throw(screen)
        one_touch(hand)
        if theirs:
            turns += 1
            assert hand.touches == before + 1
            assert screen.position.over or screen.position.turn == 0 or screen.position.due.player == 0
    assert turns > 5
