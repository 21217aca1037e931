"""What the screens of all games share: set-up, prompt, undo, pause, the end; Kabooom! is the game here."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pygame
import pytest
from babel.messages.pofile import read_po
from pygame import Rect, Surface

from companion.config import CONFIG
from companion.events import Hold, Sound, Typed
from companion.games.book import books
from companion.language import Message, Texts, mark, verbatim
from companion.match import seeded
from companion.players import COLOURS, Party, Seat
from companion.playthrough import UnplayableError
from companion.screens.base import Context, Screen, Step, Widget
from companion.screens.canvas import Canvas
from companion.screens.end import EndScreen
from companion.screens.entry import entry, opened
from companion.screens.game import GameScreen, _sentence
from companion.screens.home import HomeScreen, resumed
from companion.screens.pause import HelpScreen, PauseScreen, PromiseScreen, SeatsScreen
from companion.screens.player import PlayerScreen
from companion.screens.setup import BeginnerScreen, SetupScreen
from companion.screens.stage import Stage
from companion.screens.terms import Choice, Page, Prompt
from companion.screens.theme import NEUTRAL
from tests.screens.checks import (
    SIZES,
    SMALLEST,
    TURNED,
    VIEWS,
    Size,
    check_picture,
    check_screen,
    size_name,
    staged,
    texts_watched,
    view_name,
)
from tests.screens.conftest import Hand, screens
from tests.screens.through import put_on_table

KABOOOM = books()["kabooom"]
GUIDE: tuple[Page, ...] = (
    Page(mark("Rules"), (mark("The voice speaks"), mark("The voice is silent"))),
    Page(mark("Fair play"), (mark("How well does the computer play?"),)),
)


class Sample(GameScreen):
    """Offers the first three legal moves as buttons."""

    book = KABOOOM
    title = "Kabooom!"
    icon = "tower"
    asks = "Who is the youngest?"
    guide = GUIDE
    choices = (
        Choice("level", mark("Fair play"), (("medium", mark("Go on")), ("easy", mark("Close")))),
        Choice("throws", mark("Rules"), (("a", mark("Done")), ("b", mark("Close"))), of="manner"),
    )

    def prompt(self) -> Prompt:
        awaited = self.awaited()
        return Prompt(Message(mark("Go on")), awaited.who if awaited else None, "hand")

    def board(self, canvas: Canvas) -> Sequence[Widget]:
        awaited, area = self.awaited(), self.area(canvas)
        texts = (self.match.texts(awaited) or []) if awaited else []
        side = canvas.px(80)
        return [
            Widget(text, Rect(area.x + i * side, area.y, side, side), self.plays(text), label=text)
            for i, text in enumerate(texts[:3])
        ]

    def paint_board(self, canvas: Canvas) -> None:
        canvas.text(str(self.position.scores), self.area(canvas), 40)


@pytest.fixture
def begun(context: Context) -> Sample:
    """A game of two that has just begun."""
    context.table.begin(
        KABOOOM, KABOOOM.agree(CONFIG), seeded("x"), Party((Seat("Anna", "red"), Seat("Ben", "blue")))
    )
    return Sample(context)


def played_out(context: Context) -> Sample:
    """A game that is over."""
    path = Path(__file__).parents[1] / "playthroughs" / "kabooom" / "medium-3.txt"
    seats = (Seat("Anna", "red"), Seat("", "blue"), Seat("", "yellow", "computer"))
    context.table.begin(KABOOOM, KABOOOM.agree(CONFIG, 3), seeded("x"), Party(seats))
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            context.table.play(line)
    return Sample(context)


def setup(context: Context) -> SetupScreen:
    context.table.begin(
        KABOOOM, KABOOOM.agree(CONFIG), None, Party((Seat("Maximiliane", "red"), Seat("Ben", "blue")))
    )
    context.table.play("place d a1")
    context.table.put_aside()
    return SetupScreen(context, Sample)


def several_wait(context: Context, name: str = "big-boom-bang") -> SetupScreen:
    """Two have left another game, as few and as many as can play this one."""
    setup(context)
    kind = screens()[name]
    names = ("Maximiliane", "Ben", "Cleo", "Dario", "Emilia")
    for count in (kind.book.players[0], kind.book.players[-1]):
        seats = tuple(Seat(name, colour) for name, colour in zip(names[-count:], COLOURS, strict=False))
        context.table.begin(kind.book, kind.book.agree(CONFIG, count), None, Party(seats))
        context.table.keep("no")
        context.table.put_aside()
    return SetupScreen(context, kind)


def middle(context: Context) -> Sample:
    context.table.begin(KABOOOM, KABOOOM.agree(CONFIG, None, {"level": "easy"}), seeded("x"))
    screen = Sample(context)
    list(screen.go_on())
    list(screen.undo())
    return screen


def troubled(context: Context) -> Sample:
    screen = middle(context)
    list(screen.play("place r a1"))
    return screen


def before(name: str) -> Callable[[Context], Screen]:
    """The set-up of a game, for as many as can play it, who have played before and left a game unfinished."""

    def make(context: Context) -> Screen:
        kind = screens()[name]
        names = ("Maximiliane", "Ben", "Cleo", "Dario", "Emilia")
        people = [Seat(name, colour) for name, colour in zip(names, COLOURS, strict=True)]
        seats = tuple(people[: kind.book.players[-1]])
        context.table.begin(kind.book, kind.book.agree(CONFIG, len(seats)), None, Party(seats))
        context.table.put_aside()
        return SetupScreen(context, kind)

    return make


def of_five(context: Context) -> GameScreen:
    """A computer plays for one of five."""
    kind, seats = (
        screens()["big-boom-bang"],
        tuple(map(Seat, ("Anna", "Ben", "Cleo", "Dario", "Emilia"), COLOURS)),
    )
    context.table.begin(kind.book, kind.book.agree(CONFIG, 5), seeded("x"), Party(seats))
    screen = kind(context)
    list(screen.go_on())
    context.table.throw(screen.match.awaits[0])
    context.table.undo()
    list(screen.reseat(1, replace(screen.seats[1], plays="computer", strength="dragon")))
    return screen


def all_out(context: Context) -> Screen:
    """The end of a game of five."""
    screen, moves = put_on_table(context, screens()["big-boom-bang"], "reroll-5.txt")
    for text in moves:
        context.table.play(text)
    return EndScreen(screen, type(screen))


SCREENS: dict[str, Any] = {
    **{f"setup-{name}": before(name) for name in screens() if name != "container"},
    "end-of-five": all_out,
    "game-sample": middle,
    "game-trouble": troubled,
    "setup-new": lambda context: SetupScreen(context, Sample),
    "setup": setup,
    "setup-several-wait": several_wait,
    "beginner": lambda context: BeginnerScreen(context, SetupScreen(context, Sample)),
    "player": lambda context: PlayerScreen(context, setup(context).seating, 0, NEUTRAL),
    "pause": lambda context: PauseScreen(middle(context)),
    "pause-of-five": lambda context: PauseScreen(of_five(context)),
    "seats": lambda context: SeatsScreen(middle(context)),
    "seats-of-five": lambda context: SeatsScreen(of_five(context)),
    "help": lambda context: HelpScreen(context, GUIDE, 0),
    "promise": lambda context: PromiseScreen(middle(context)),
    "end": lambda context: EndScreen(played_out(context), Sample),
}


@pytest.mark.parametrize("name", SCREENS)
def test_pictures(context: Context, pictures: Path, name: str) -> None:
    screen: Screen = SCREENS[name](context)
    check_screen(context, pictures, name, screen, HomeScreen(context) if screen.overlay else None)


# Playing


def test_a_touch_plays_stores_and_goes_on_to_the_next_player(begun: Sample) -> None:
    hand = Hand.at(begun)
    hand.touch("place d a1")
    assert begun.match.moves == ["place d a1"] and begun.prompt().player == 1


def test_a_computer_moves_by_itself_but_not_while_the_game_pauses(context: Context) -> None:
    party = Party((Seat("Anna", "red"), Seat("", "blue", "computer")))
    context.table.begin(KABOOOM, KABOOOM.agree(CONFIG), seeded("x"), party)
    hand = Hand.at(Sample(context))
    hand.touch("pause")
    context.table.play("place d a1")
    hand.wait()
    assert hand.stage.stack[1].match.moves == ["place d a1"]  # type: ignore[attr-defined]
    hand.touch("go-on")
    hand.wait()
    assert len(hand.stage.top.match.moves) == 2  # type: ignore[attr-defined]


def test_undo_takes_back_the_last_decision_of_a_person_and_what_followed(context: Context) -> None:
    party = Party((Seat("Anna", "red"), Seat("", "blue", "computer")))
    context.table.begin(KABOOOM, KABOOOM.agree(CONFIG), seeded("x"), party)
    screen = Sample(context)
    hand = Hand.at(screen)
    hand.touch("place d a1")
    hand.wait()
    assert len(screen.match.moves) == 2
    hand.press("undo")
    hand.wait()
    assert screen.match.moves == []
    hand.press("undo")
    assert hand.effects[-1] == Sound("refused")
    hand.touch("pause", "redo")
    hand.wait()
    assert len(screen.match.moves) == 2 and screen.match.moves[0] == "place d a1"


def test_what_the_rules_refuse_is_said_and_plays_nothing(begun: Sample) -> None:
    assert list(begun.play("b1-b2")) == [Sound("refused")]
    assert begun.trouble is not None and begun.match.moves == []
    list(begun.play("place r a1"))
    assert begun.trouble is None


def test_the_reason_stands_below_the_prompt(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    screen, places, text = troubled(context), dict[str, Rect](), Canvas.text

    def noted(self: Canvas, words: str, box: Rect, *more: Any, **named: Any) -> None:
        places[words] = box.copy()
        text(self, words, box, *more, **named)

    monkeypatch.setattr(Canvas, "text", noted)
    stage = staged(context, screen, (800, 480))
    stage.draw()
    assert screen.trouble
    said = (context.t.say(screen.shown().text), _sentence(context.t.say(screen.trouble)))
    prompt, reason = (places[words] for words in said)
    assert prompt.bottom <= reason.top


def test_the_prompt_leads_to_the_rules_and_pages_turn_round(begun: Sample) -> None:
    hand = Hand.at(begun)
    hand.touch("help", "next", "next", "before")
    assert isinstance(hand.stage.top, HelpScreen) and hand.stage.top.number == 1 and begun.paused
    hand.touch("close")
    assert hand.stage.stack[-1] == begun and not begun.paused


@pytest.mark.parametrize(("size", "language"), VIEWS, ids=view_name)
def test_every_page_of_the_rules_can_be_read(context: Context, size: Size, language: str) -> None:
    context.t = Texts(language)
    pages = [page for screen in screens().values() for page in screen.guide]
    help_screen = HelpScreen(context, pages, 0)
    stage = staged(context, help_screen, size)
    with texts_watched() as texts:
        for help_screen.number in range(len(pages)):
            stage.draw()
    assert [(words, high) for words, high, fits in texts if not fits] == []
    if size in ((800, 480), (720, 1280)):
        assert [(words, high) for words, high, _ in texts if high < SMALLEST] == []


def test_a_game_that_is_put_aside_waits_in_its_set_up(begun: Sample, context: Context) -> None:
    hand = Hand.at(begun)
    hand.touch("place d a1", "pause", "aside")
    assert context.table.game is None and isinstance(hand.stage.top, HomeScreen)
    waiting = Hand.at(SetupScreen(context, Sample))
    waiting.touch("continue")
    assert isinstance(waiting.stage.top, Sample) and waiting.stage.top.match.moves == ["place d a1"]


def test_a_game_that_was_begun_by_mistake_does_not_hide_the_one_that_waits(
    begun: Sample, context: Context
) -> None:
    hand = Hand.at(begun)
    hand.touch("place d a1", "pause", "aside")
    context.table.begin(KABOOOM, KABOOOM.agree(CONFIG, None, {"level": "easy"}), seeded("x"))
    awaited = Sample(context).awaited()
    assert awaited and context.table.game
    context.table.throw(awaited)
    context.table.put_aside()
    waiting = Hand.at(SetupScreen(context, Sample))
    waiting.touch("continue")
    assert isinstance(waiting.stage.top, Sample) and waiting.stage.top.match.moves[-1] == "place d a1"


def test_a_game_that_cannot_be_taken_up_is_said_and_offered_no_more(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(number: int) -> None:
        raise UnplayableError(Message("?"))

    screen = setup(context)
    hand = Hand.at(screen)
    monkeypatch.setattr(context.table, "continue_game", refused)
    hand.touch("continue")
    assert hand.stage.top is screen and hand.effects == [Sound("refused")]
    assert screen.trouble == Message("?") and "continue" not in hand.keys


@pytest.mark.parametrize("said", [False, True])
@pytest.mark.parametrize("name", [name for name in screens() if name != "container"])
def test_who_plays_a_game_that_waits_can_be_read_on_an_upright_screen(
    context: Context, pictures: Path, name: str, said: bool
) -> None:
    """And all can be touched, also where it is said why another one cannot go on."""
    screen = several_wait(context, name)
    screen.trouble = Message("No move for {names}", {"names": "Maximiliane"}) if said else None
    check_picture(context, pictures, f"setup-upright-{name}", staged(context, screen, TURNED), TURNED, "de")


def test_of_several_games_that_wait_each_can_go_on(context: Context) -> None:
    """Who plays it says which one it is, and its number where they are the same."""
    hand, shown = Hand.at(several_wait(context)), list[str]()
    for _ in range(3):
        shown += [hand.widget("other").label, hand.widget("continue").label]
        hand.touch("other")
    first = ["1/2", "Maximiliane, Ben, Cleo, Dario und Emilia"]
    assert shown == [*first, "2/2", "Cleo, Dario und Emilia", *first]
    hand.touch("continue")
    assert context.table.game and len(context.table.game.party.seats) == 3


def test_a_game_that_cannot_be_taken_up_does_not_hide_an_older_one(context: Context) -> None:
    """An update may have changed its rules. A second touch that comes at once is not meant for the other."""
    setup(context)
    hand = Hand.at(setup(context))
    with context.table._store._database.writing() as connection:
        connection.execute("UPDATE moves SET text = 'place d c3' WHERE game = 2")
    hand.bounce("continue")
    assert isinstance(hand.stage.top, SetupScreen) and hand.stage.top.trouble
    hand.touch("continue")
    assert context.table.game and context.table.game.id == 1


def test_in_a_set_up_no_sign_means_two_things(context: Context) -> None:
    hand = Hand.at(setup(context))
    signs = [widget.icon for widget in hand.stage.widgets() if widget.icon]
    assert "continue" in hand.keys and len(set(signs)) == len(signs)


# The end


def test_the_end_is_shown_by_itself_and_leads_to_a_rematch_opened_by_the_same_player(
    context: Context,
) -> None:
    """KAB-R31."""
    hand = Hand.at(played_out(context))
    hand.wait(0.1)
    assert isinstance(hand.stage.top, EndScreen)
    before = context.table.game
    hand.touch("again")
    assert isinstance(hand.stage.top, Sample)
    assert context.table.game is not before and context.table.game is not None and before is not None
    assert context.table.game.party == before.party and context.table.game.match.moves == []


def test_after_the_end_all_ways_on_are_named_and_undo_is_lit(context: Context) -> None:
    context.t = Texts("en")
    kabooom, moves = put_on_table(context, screens()["kabooom"], "medium-2.txt")
    for text in moves:
        context.table.play(text)
    screen = type(kabooom)(context)
    with texts_watched() as texts:
        stage = staged(context, EndScreen(screen, type(screen)), (800, 480))
        stage.draw()
    assert {"Play again", "Deciding moves", "Home"} <= {words for words, _, _ in texts}
    assert stage.lamps()["undo"] == "on"


def test_the_end_can_be_undone(context: Context) -> None:
    screen = played_out(context)
    hand = Hand.at(screen)
    hand.wait(0.1)
    hand.press("undo")
    assert hand.stage.top is screen and not screen.position.over


def test_after_the_end_home_clears_the_table(context: Context) -> None:
    hand = Hand.at(played_out(context))
    hand.wait(0.1)
    hand.touch("home")
    assert context.table.game is None


def test_a_game_that_is_over_and_was_left_comes_back_no_more(context: Context) -> None:
    """It stays in the statistics; the same people are offered again."""
    game = played_out(context).game
    (shown,) = resumed(context)  # a power cut: nobody has left it
    hand = Hand.at(shown)
    hand.wait(0.1)
    hand.touch("back")
    assert hand.stage.top is shown and context.table.game is game, "it can still be undone"
    hand.touch("undo")
    assert not shown.position.over  # type: ignore[attr-defined]
    hand.touch("pause", "redo", "go-on")
    hand.wait(0.1)
    assert isinstance(hand.stage.top, EndScreen)
    hand.touch("back", "back")
    assert context.table.game is None and resumed(context) == []
    assert len(context.table.finished()) == 1
    card = opened(context, screens()["kabooom"])
    assert isinstance(card, SetupScreen) and card.waiting == []
    assert [row.seat for row in card.seating.rows] == list(game.party.seats)


def test_a_game_that_is_left_before_its_end_was_seen_shows_it_once(context: Context) -> None:
    screen = played_out(context)
    screen.until = context.now + 5
    hand = Hand.at(screen)
    hand.touch("back")
    assert len(resumed(context)) == 1


# Before the game


def test_new_players_are_asked_who_begins_and_he_is_the_first(context: Context) -> None:
    hand = Hand.at(SetupScreen(context, Sample))
    hand.touch("level", "throws", "start", "begins-1")
    game = context.table.game
    assert game is not None and isinstance(hand.stage.top, Sample)
    assert [seat.colour for seat in game.party.seats] == ["blue", "red"]
    assert game.match.options.level == "easy" and game.party.manner["throws"] == "b"


def test_the_last_group_begins_again_with_one_touch(context: Context) -> None:
    hand = Hand.at(setup(context))
    hand.touch("start")
    assert context.table.game is not None
    assert [seat.name for seat in context.table.game.party.seats] == ["Maximiliane", "Ben"]


def test_who_was_about_to_play_is_offered_again_also_by_another_game(context: Context) -> None:
    """Whoever has touched the wrong card, or the way back, need not write the names once more."""
    hand = Hand.at(setup(context))
    hand.touch("back")
    hand = Hand.at(SetupScreen(context, screens()["big-boom-bang"]))
    hand.touch("add", "key-M", "key-I", "done", "back")
    names = ["Maximiliane", "Ben", "Mi"]
    hand = Hand.at(SetupScreen(context, screens()["big-boom-bang"]))
    assert [seat.name for seat in hand.stage.top.seating.seats] == ["Maximiliane", "Ben", "", "Mi"]  # type: ignore[attr-defined]
    hand.touch("seat-2", "remove", "back")
    hand = Hand.at(SetupScreen(context, screens()["kabooom"]))
    hand.touch("start", "begins-2")
    assert context.table.game
    assert [seat.name for seat in context.table.game.party.seats] == [names[2], *names[:2]]
    context.table.put_aside()
    again = SetupScreen(context, screens()["kabooom"])
    assert [seat.name for seat in again.seating.seats] == [names[2], *names[:2]] and again.seating.known


def test_what_was_entered_before_a_game_survives_a_power_cut(context: Context) -> None:
    """It is on the disk with every touch; another game gets the players, not what was chosen for this one."""

    def later(name: str = "bau-boom") -> SetupScreen:
        anew = Context(context.t, context.settings, context.table, data=context.data)
        return SetupScreen(anew, screens()[name])

    two = (Seat("", "red"), Seat("", "blue"))
    context.table.begin(KABOOOM, KABOOOM.agree(CONFIG), None, Party(two, {"level": "hard"}))
    context.table.put_aside()
    hand = Hand.at(SetupScreen(context, screens()["bau-boom"]))
    hand.touch("variant", "pick-1", "add", "key-M", "key-I", "colour-purple")
    hand.stage.handle(Typed(" "))
    assert [(seat.name, seat.colour) for seat in later().seating.seats][2:] == [("Mi", "purple")]
    assert [row.pick for row in later().seating.rows] == ["auto", "15", "auto"]
    assert later().values["variant"] == "younger"
    other = later("kabooom")
    assert other.seating.seats[2].name == "Mi" and other.values["level"] == "hard"
    hand.touch("earlier", "done", "seat-0", "remove")
    assert [seat.name for seat in later().seating.seats] == ["Mi", ""]
    hand.touch("start", "begins-1")
    context.table.put_aside()
    assert [seat.name for seat in later().seating.seats] == ["", "Mi"], "who has played"
    assert later().seating.known
    hand = Hand.at(later())
    hand.touch("seat-0", "colour-green", "done")
    assert isinstance(hand.stage.top, SetupScreen) and not hand.stage.top.seating.known, "who has no name"
    assert later().seating.known is False


def test_one_more_who_was_not_named_is_kept_too(context: Context) -> None:
    hand = Hand.at(SetupScreen(context, Sample))
    count = len(SetupScreen(context, Sample).seating.rows)
    hand.touch("add", "done")
    anew = Context(context.t, context.settings, context.table, data=context.data)
    assert len(SetupScreen(anew, Sample).seating.rows) == count + 1


def test_who_begins_is_asked_if_somebody_else_sits_there(context: Context) -> None:
    """BAU-R10. Another colour makes nobody another one."""
    people = (Seat("Anna", "red"), Seat("Ben", "blue"))
    context.table.begin(KABOOOM, KABOOOM.agree(CONFIG), None, Party(people))
    context.table.put_aside()
    setup = SetupScreen(context, screens()["kabooom"])
    hand = Hand.at(setup)
    assert setup.seating.known
    hand.touch("seat-1", "colour-green", "done")
    assert setup.seating.known
    hand.touch("seat-1", "key-O", "done")
    assert not setup.seating.known


def test_who_is_about_to_play_is_asked_anew_by_whoever_cannot_read_or_keep_it(context: Context) -> None:
    file = context.data / "about-to-play.json"
    for damaged in (b"{", b'{"book": "\xff"', b'{"new": ' + b"[" * 100_000):
        file.write_bytes(damaged)
        context = Context(context.t, context.settings, context.table, data=context.data)
        assert context.about_to_play.entered is None
    hand = Hand.at(SetupScreen(context, screens()["kabooom"]))
    file.unlink()
    file.mkdir()
    hand.touch("seat-0", "key-B", "done", "back")
    assert SetupScreen(context, screens()["kabooom"]).seating.seats[0].name == "B"
    hand = Hand.at(SetupScreen(context, screens()["kabooom"]))
    hand.touch("start", "begins-0")
    assert context.table.game and context.table.game.party.seats[0].name == "B"


def test_a_player_gets_a_name_by_touch_or_from_a_keyboard_and_another_colour(context: Context) -> None:
    screen = SetupScreen(context, Sample)
    hand = Hand.at(screen)
    hand.touch("seat-0", "key-M", "key-A", "key-X", "erase", "key-X", "colour-blue")
    hand.stage.handle(Typed("i"))
    hand.touch("done")
    assert [row.seat for row in screen.seating.rows] == [Seat("Maxi", "blue"), Seat("", "red")]


def test_names_are_written_as_people_write_them(context: Context) -> None:
    screen = SetupScreen(context, screens()["kabooom"])
    hand = Hand.at(screen)
    for typed, name in ((" ann-lena MIA", "Ann-Lena Mia"), ("ben ", "Ben"), ("ann  mia", "Ann Mia")):
        hand.touch("seat-0", *["erase"] * len(screen.seating.rows[0].seat.name))
        for letter in typed:
            hand.stage.handle(Typed(letter))
        hand.press("back")
        assert screen.seating.seats[0].name == name, "else he would be two people in the statistics"


def test_what_no_typeface_can_write_is_in_no_name(context: Context) -> None:
    """Two players whose names are boxes could not be told apart."""
    screen = SetupScreen(context, screens()["kabooom"])
    hand = Hand.at(screen)
    hand.touch("seat-0")
    for letter in "ş\u0416e\u674e\u05d5n\U0001f600\ud800":
        hand.effects = list(hand.stage.handle(Typed(letter)))
        assert Sound("press" if letter in "şen" else "refused") in hand.effects
    assert screen.seating.rows[0].seat.name == "Şen"


@pytest.mark.parametrize(("language", "first"), [("de", "QWERTZUIOPÜ"), ("en", "QWERTYUIOPÜ")])
def test_letters_lie_as_on_the_keyboards_of_the_language(context: Context, language: str, first: str) -> None:
    context.t = Texts(language)
    keys = [w for w in staged(context, SCREENS["player"](context), SIZES[0]).widgets() if w.key[:4] == "key-"]
    assert "".join(w.label for w in keys if w.rect.y == keys[0].rect.y) == first
    assert "".join(sorted(w.label for w in keys)) == "-ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜß"


def test_what_the_games_file_says_is_offered_first(context: Context, tmp_path: Path) -> None:
    """Until a group has chosen something else."""
    shutil.copytree(context.config, tmp_path / "config")
    file = tmp_path / "config" / "games" / "kabooom.yaml"
    text = file.read_text(encoding="utf-8").replace("\nboard: 5x5hole", "\nboard: 4x6")
    file.write_text(text.replace("\nlevel: medium", "\nlevel: hard"), encoding="utf-8")
    context.config = tmp_path / "config"
    screen = SetupScreen(context, screens()["kabooom"])
    assert (screen.values["board"], screen.values["level"]) == ("4x6", "hard")


def test_names_of_earlier_games_are_offered(context: Context) -> None:
    hand = Hand.at(setup(context))
    screen = hand.stage.top
    assert isinstance(screen, SetupScreen)
    screen.seating.rows = [replace(row, seat=replace(row.seat, name="")) for row in screen.seating.rows]
    hand.touch("seat-1", "name-Ben")
    assert screen.seating.rows[1].seat.name == "Ben"


def test_players_come_go_and_change_seats_within_what_the_game_allows(context: Context) -> None:
    screen = SetupScreen(context, Sample)
    hand = Hand.at(screen)
    for count in (3, 4):
        hand.touch("add", "key-Q", "done")
        assert len(screen.seating.rows) == count
    assert "add" not in hand.keys and len({row.seat.colour for row in screen.seating.rows}) == 4
    hand.touch("seat-3", "earlier", "remove")
    assert len(screen.seating.rows) == 3 and [row.seat.name for row in screen.seating.rows] == ["", "", "Q"]
    hand.touch("seat-0", "plays", "done")
    assert screen.seating.rows[0].seat.plays == "computer"


def test_a_mistake_in_the_settings_of_a_game_is_said_and_nothing_begins(
    context: Context, tmp_path: Path
) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "kabooom.yaml").write_text("level: heavy\n")
    context.config = tmp_path
    hand = Hand.at(SetupScreen(context, Sample))
    hand.touch("start", "begins-0")
    screen = hand.stage.top
    assert isinstance(screen, SetupScreen) and screen.trouble is not None and context.table.game is None


@pytest.mark.parametrize("key", ["variant", "pick-0", "add"])
def test_why_a_game_cannot_begin_is_said_until_something_else_is_chosen(context: Context, key: str) -> None:
    """The game, somebody's hill, who plays: any of it may have been what was wrong."""
    screen = SetupScreen(context, screens()["bau-boom"])
    screen.trouble = verbatim("?")
    Hand.at(screen).touch(key)
    assert screen.trouble is None


def test_what_is_chosen_before_a_game_is_heard(context: Context) -> None:
    screen = before("bau-boom")(context)
    assert isinstance(screen, SetupScreen)
    hand = Hand.at(screen)
    for key in ("pick-0", screen.choices[0].key):
        hand.effects.clear()
        hand.touch(key)
        assert hand.effects == [Sound("press")]


@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_why_a_game_cannot_begin_lies_on_nothing_that_can_be_touched(context: Context, size: Size) -> None:
    screen = before("bau-boom")(context)
    assert isinstance(screen, SetupScreen)
    stage, pictures = staged(context, screen, size), list[Any]()
    for said in ("/etc/tabletop-companion/games/bau-boom.yaml:23: trail: „grene“ ist nicht möglich", "?"):
        screen.trouble = verbatim(said)
        stage.draw()
        pictures.append(pygame.surfarray.array3d(stage.canvas.surface))
    ink = (pictures[0] != pictures[1]).any(axis=2)
    assert ink.any()
    places = {w.key: w.rect for w in stage.widgets()}
    assert not [key for key, (x, y, w, h) in places.items() if ink[x : x + w, y : y + h].any()]


# Waking, walking


def test_the_touch_that_wakes_the_screen_presses_nothing(begun: Sample, context: Context) -> None:
    hand = Hand.at(begun)
    context.now += 60 * context.settings.saver_min + 1
    assert hand.stage.saver is not None
    hand.stage.draw()
    hand.touch("place d a1")
    assert begun.match.moves == [] and hand.stage.saver is None
    hand.touch("place d a1")
    assert begun.match.moves == ["place d a1"]


def test_the_button_that_wakes_the_screen_presses_nothing(begun: Sample, context: Context) -> None:
    hand = Hand.at(begun)
    hand.touch("place d a1")
    context.now += 60 * context.settings.saver_min + 1
    hand.press("undo")
    assert len(begun.match.moves) == 1
    hand.press("undo")
    assert begun.match.moves == []


def test_without_a_screen_saver_the_screen_never_sleeps(begun: Sample, context: Context) -> None:
    context.settings = replace(context.settings, saver_min=0)
    hand = Hand.at(begun)
    context.now += 1e6
    assert hand.stage.saver is None


def test_dragging_tells_where_the_finger_is_and_where_it_is_lifted(context: Context) -> None:
    seen: list[tuple[int, int, bool]] = []

    class Board(Screen):
        def widgets(self, canvas: Canvas) -> Sequence[Widget]:
            return [Widget("piece", Rect(100, 100, 80, 80), self.act, drag=self.drag)]

        def act(self) -> Iterator[Step]:
            seen.append((0, 0, True))
            yield from ()

        def drag(self, x: int, y: int, lifted: bool) -> Iterator[Step]:
            seen.append((x, y, lifted))
            yield from ()

    hand = Hand(Stage(context, [Board(context)], Surface((800, 480))))
    hand.drag("piece", 400, 300)
    assert seen[-1] == (400, 300, True) and [lifted for *_, lifted in seen] == [False] * 3 + [True]
    seen.clear()
    hand.touch("piece")
    assert seen == [(0, 0, True)]


def test_the_card_of_a_game_leads_to_the_game_that_lies_on_the_table(begun: Sample, context: Context) -> None:
    card = entry(Sample)
    assert card.interrupted(context) and isinstance(card.make(context), Sample)
    context.table.put_aside()
    assert not card.interrupted(context) and isinstance(card.make(context), SetupScreen)


def test_a_long_press_of_back_leaves_the_game_on_the_table(begun: Sample, context: Context) -> None:
    hand = Hand.at(begun)
    hand.stage.handle(Hold("back"))
    assert isinstance(hand.stage.top, HomeScreen) and context.table.game is not None


def test_a_prompt_begins_with_a_capital_after_the_name() -> None:
    file = Path(__file__).parents[2] / "assets" / "locale" / "de" / "LC_MESSAGES" / "companion.po"
    with file.open("rb") as catalog:
        texts = [(str(entry.id), str(entry.string)) for entry in read_po(catalog)]
    prompts = [(text, said) for text, said in texts if "{name}: " in text]
    assert len(prompts) > 10
    assert [said for _, said in prompts if said.partition("{name}: ")[2][:1].islower()] == []


def test_a_reason_begins_with_a_capital_but_the_name_of_a_square(begun: Sample) -> None:
    hand, shown = Hand.at(begun), []
    for words in ("dafür reicht es nicht", "c1 liegt nicht neben a1"):
        begun.trouble = Message(words)
        with texts_watched() as texts:
            hand.stage.draw()
        shown += [text for text, _, _ in texts if text[1:] == words[1:]]
    assert set(shown) == {"Dafür reicht es nicht", "c1 liegt nicht neben a1"}


def test_what_a_player_who_is_set_up_can_do_is_said_in_words(context: Context) -> None:
    hand = Hand.at(SetupScreen(context, screens()["big-boom-bang"]))
    hand.touch("add", "done", "seat-0")
    labels = {widget.key: widget.label for widget in hand.stage.widgets()}
    assert [labels[key] for key in ("earlier", "later", "remove")] == ["Früher", "Später", "Entfernen"]
