"""Who has played and won; whether the dice are fair; charts."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pygame
import pytest
from pygame import Rect, Surface

from companion.eye.dice import Colour, Die
from companion.eye.throws import Throw
from companion.honesty import Honesty, honesty
from companion.language import Texts
from companion.players import COLOURS, Finished, Party, Seat
from companion.screens.base import Context, Screen
from companion.screens.canvas import Canvas
from companion.screens.chart import histogram
from companion.screens.statistics import StatisticsScreen, records, said
from companion.store import Store
from companion.table import Table
from tests.screens.checks import (
    TURNED,
    Size,
    check_picture,
    check_screen,
    size_name,
    staged,
    texts_watched,
)
from tests.screens.conftest import Hand
from tests.screens.through import golden

ANNA, BEN, ROBOT = Seat("Anna", "red"), Seat("Ben", "blue"), Seat("", "green", "computer")


def play(table: Table, name: str, file: str, *seats: Seat) -> None:
    """Play a golden game to its end."""
    match, moves = golden(name, file)
    table.begin(match.book, match.options, bytes(32), Party(seats))
    for text in moves:
        table.play(text)


def throw(context: Context, colour: Colour, *faces: int) -> None:
    dice = tuple(Die(face, (9, 9), (0, 0, 9, 9), colour, 0.9) for face in faces)
    context.table.log.thrown(Throw(dice, 1.0, False))


def several(context: Context) -> StatisticsScreen:
    play(context.table, "kabooom", "medium-2.txt", ANNA, BEN)
    play(context.table, "kabooom", "easy-3.txt", BEN, ROBOT, Seat("Maximiliane", "yellow"))
    play(context.table, "make-n-break", "intro-2.txt", ANNA, BEN)
    return StatisticsScreen(context)


def many(context: Context) -> StatisticsScreen:
    """More people than there is room for."""
    for number in range(8):
        seats = Seat(f"Maximilian {number}", "red"), Seat(f"Ben {number}", "blue")
        play(context.table, "kabooom", "easy-2.txt", *seats)
    return StatisticsScreen(context)


def dice(context: Context, count: int = 60) -> Screen:
    colours: tuple[Colour, ...] = ("white", "red")
    for i in range(count):
        throw(context, colours[i % 2], i % 6 + 1, i * i % 6 + 1)
    screen = StatisticsScreen(context)
    screen.shows_dice = True
    return screen


SCREENS: dict[str, Callable[[Context], Screen]] = {
    "statistics-empty": StatisticsScreen,
    "statistics": several,
    "statistics-many": many,
    "statistics-few": lambda context: dice(context, 4),
    "statistics-dice": dice,
}


@pytest.mark.parametrize("name", SCREENS)
def test_pictures(context: Context, pictures: Path, name: str) -> None:
    screen = SCREENS[name](context)
    check_screen(context, pictures, name, screen)
    check_picture(context, pictures, name, staged(context, screen, TURNED), TURNED, "de")


@pytest.mark.parametrize("size", [(800, 480), (720, 1280)], ids=size_name)
def test_everybody_who_has_played_is_in_the_table(context: Context, size: Size) -> None:
    screen, shown = many(context), list[str]()
    hand = Hand.at(screen, size)
    while True:
        with texts_watched() as texts:
            hand.stage.draw()
        shown += [words for words, _, _ in texts if words.startswith(("Max", "Ben"))]
        if "down" not in hand.keys:
            break
        hand.touch("down")
    assert shown == [record.name for record in screen.records] and len(shown) == 16
    hand.touch("dice")
    assert not {"up", "down"} & set(hand.keys)


def test_games_are_counted_for_people_with_a_name() -> None:
    games = [
        Finished("kabooom", (ANNA, ROBOT), (1,)),
        Finished("bau-boom", (BEN, ANNA, Seat("", "red")), (1,)),
    ]
    found = {record.name: record for record in records(games)}
    assert set(found) == {"Anna", "Ben"}
    assert found["Anna"].played.total() == 2 and found["Anna"].won == {"bau-boom": 1, "kabooom": 0}
    assert [record.name for record in records(games)] == ["Anna", "Ben"]


def test_two_of_the_same_name_are_counted_once_a_game() -> None:
    games = [
        Finished("kabooom", (ANNA, replace(ANNA, colour="green")), (0, 1)),
        Finished("kabooom", (BEN, ANNA), (0,)),
    ]
    found = {record.name: record for record in records(games)}
    assert (found["Anna"].played.total(), found["Anna"].won.total()) == (2, 1)
    assert found["Anna"].colour == ANNA.colour


def test_a_game_counts_when_it_is_over_and_undoing_the_end_uncounts_it(context: Context) -> None:
    play(context.table, "kabooom", "medium-2.txt", ANNA, BEN)
    (finished,) = context.table.finished()
    assert finished.seats == (ANNA, BEN) and finished.winners == context.table.game.match.position.winners  # type: ignore[union-attr]
    context.table.undo()
    assert context.table.finished() == ()
    context.table.redo()
    assert context.table.finished() == (finished,)


def test_who_played_is_found_after_a_restart(tmp_path: Path) -> None:
    table = Table(Store.open(tmp_path / "companion.db"))
    play(table, "kabooom", "medium-2.txt", ANNA, BEN)
    table.close()
    again = Table(Store.open(tmp_path / "companion.db"))
    assert again.last_party(["kabooom"]) == (Party((ANNA, BEN)), True) and len(again.finished()) == 1
    assert again.last_party(["bau-boom"]) == (Party((ANNA, BEN)), False), "offered for another game too"
    again.close()


def test_dice_count_as_they_were_corrected_and_only_those_of_the_camera(context: Context) -> None:
    log = context.table.log
    throw(context, "red", 3, 4)
    assert log.current is not None
    log.correct(log.current, 0, 6)
    log.correct(log.current, 1, None)
    log.add(None, 5)  # entered by hand
    log.thrown(Throw((Die(2, (9, 9), (0, 0, 9, 9), "red", 0.9),), 1.0, False), demonstration=True)
    assert context.table.faces_read() == (("red", 6, 1),)


def test_a_die_that_stays_while_another_is_thrown_again_is_counted_once(context: Context) -> None:
    """Whoever keeps his sixes would have dice that are not fair."""
    six, two = (Die(face, (9 * face, 9), (0, 0, 9, 9), "red", 0.9) for face in (6, 2))
    context.table.log.thrown(Throw((six, two), 1.0))
    context.table.log.thrown(Throw((six, two), 2.0, stayed=frozenset({0})))
    assert context.table.faces_read() == (("red", 2, 2), ("red", 6, 1))


def test_each_colour_of_dice_is_looked_at_alone(context: Context) -> None:
    hand = Hand.at(dice(context))
    screen = hand.stage.top
    assert isinstance(screen, StatisticsScreen)
    assert sum(screen.dice[""]) == 120 and sum(screen.dice["red"]) == 60
    hand.touch("colour")
    assert screen.colour == "red"
    hand.touch("colour", "colour", "players")
    assert screen.colour == "" and not screen.shows_dice


def test_only_dice_that_are_looked_at_are_judged(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a small machine the exact test takes long, and nobody waits for what he does not see."""
    judged = list[int]()

    def noted(counts: Sequence[int]) -> Honesty:
        judged.append(sum(counts))
        return honesty(counts)

    monkeypatch.setattr("companion.screens.statistics.honesty", noted)
    dice(context)
    hand = Hand.at(StatisticsScreen(context))
    hand.stage.draw()
    assert judged == []
    for key in ("dice", "colour", "colour", "colour"):
        hand.touch(key)
        hand.stage.draw()
    assert judged == [120, 60, 60]


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ([1, 1, 1, 1, 1, 1], "The camera has read too few dice so far: 6 of 30."),
        ([52] * 6, "These dice look fair, after 312 dice."),
        ([10, 10, 10, 10, 10, 90], "Not fair, after 140 dice: the 6 comes up too often."),
        ([60, 60, 2, 60, 60, 60], "Not fair, after 302 dice: the 3 comes up too rarely."),
    ],
)
def test_what_is_said_of_the_dice(context: Context, counts: list[int], words: str) -> None:
    assert Texts("en").say(said(honesty(counts))) == words


def test_two_dice_that_are_thrown_are_counted_as_two(context: Context) -> None:
    screen = dice(context, 40)
    with texts_watched() as texts:
        staged(context, screen, (800, 480)).draw()
    assert any("nach 80 Würfeln" in words for words, _, _ in texts)


def test_the_line_strikes_through_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas = Canvas(Surface((600, 300)))
    dashes: list[Rect] = []
    numbers: list[Rect] = []
    write = Canvas.text

    def text(canvas: Canvas, words: str, box: Rect, units: float, **style: Any) -> None:
        wide = canvas.text_width(words, box, units, face=style["face"])
        numbers.append(Rect(box.centerx - wide // 2, box.centery - 8, wide, 16))
        write(canvas, words, box, units, **style)

    def line(surface: Surface, colour: object, start: tuple[int, int], end: tuple[int, int], *_: int) -> None:
        dashes.append(Rect(start[0], start[1], end[0] - start[0], 2))

    monkeypatch.setattr(Canvas, "text", text)
    monkeypatch.setattr(pygame.draw, "line", line)
    histogram(canvas, canvas.rect, [40, 45, 38, 48, 39, 40], "white")
    assert len(dashes) > 10 and len(numbers) == 6
    assert all(dash.collidelist(numbers) == -1 for dash in dashes)


def test_every_colour_of_a_player_can_be_counted(context: Context) -> None:
    seats = tuple(Seat(f"P{i}", colour) for i, colour in enumerate(COLOURS))
    assert len(records([Finished("big-boom-bang", seats, (0,))])) == len(COLOURS)
