"""Troubles that come and go while people play: they are said, the game goes on, all is well afterwards."""

import errno
import logging
import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pygame
import pytest
from gpiozero.pins.mock import MockFactory

from companion.app import GLANCE, App
from companion.commands.wiring import configured
from companion.config import ASSETS, CONFIG, load_all, machine_file
from companion.events import Press
from companion.journal import RETRY, Journal
from companion.language import Message
from companion.loudspeaker import SELDOM, SOON, Search, ways_out
from companion.opening import keep_log, open_table, start
from companion.screens.dice import DiceScreen
from companion.screens.home import HomeScreen
from companion.store import Store, StoreError, StoreErrorKind
from companion.voice import Voice, VoiceState
from companion.window import Window
from hardware.camera import Camera
from hardware.camera.picture import CameraError, CameraState
from hardware.camera.testing import QUICK, Scripted
from hardware.panel import Panel, PanelError, PanelEvent, PanelProblem
from tests.disks import full, mounted, read_only
from tests.mind import thinkers
from tests.process import handles, threads
from tests.running import CLOCK, click, closed, end, until
from tests.wanderer import Wanderer, companion, die

Start = Callable[..., App]
WIRING = configured(CONFIG / "panel.yaml")


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Start]:
    """Starts companions on the data in a folder, as `companion.opening` does, and closes them at the end."""
    with closed() as made:

        def build(data: Path | None = None, **parts: Any) -> App:
            data, notices = data or tmp_path / "data", list[Message]()
            table = open_table(data / "companion.db", notices)
            pygame.event.clear()
            settings = load_all(CONFIG, data).settings
            settings = replace(settings, language="en", camera=str(tmp_path / "none.png"))
            window = Window((800, 480))
            app = App(settings, table, Voice(ASSETS, "en"), window, data, notices=notices, now=CLOCK, **parts)
            made.append(app)
            return app

        yield build


def said(app: App, after: float = 0.0) -> str:
    """What the screen says is wrong, some time later."""
    CLOCK.ahead += after
    for _ in range(3):
        app.step()
    return " ".join(app.context.t.say(notice) for notice in app.context.notices)


def play(app: App, *places: str) -> list[str]:
    """Set stones in a game of Kabooom!, begun if there is none; return its moves."""
    if app.context.table.game is None:
        for key in ("kabooom", "start", "begins-0"):
            click(app, key)
    for place in places:
        click(app, place)
    game = app.context.table.game
    return game.match.moves if game else []


def softer(app: App) -> int:
    """Touch the volume; return it."""
    for key in ("volume", "softer"):
        click(app, key)
    app.stage.handle(Press("back"))
    return app.context.settings.volume


# The disk


@pytest.mark.parametrize(("how", "word"), [(full, "disk is full"), (read_only, "cannot be written")])
def test_a_disk_that_takes_nothing_is_said_and_the_game_goes_on(
    how: Callable[[Path], AbstractContextManager[None]], word: str, begun: Start, tmp_path: Path
) -> None:
    """From the start on: what it holds is there, and what happens meanwhile is on it when it takes that."""
    with mounted(tmp_path / "disk", "1m") as disk:
        app = begun(disk)
        play(app, "a1")
        end(app)
        with how(disk):
            app = begun(disk)
            assert len(play(app)) == 1 and word in said(app)
            moves, volume = play(app, "b1", "c1"), softer(app)
            assert len(moves) == 3 and word in said(app, RETRY)
        assert said(app, 2 * RETRY) == ""
        again = begun(tmp_path / "other")  # the store of the disk is held
        assert again.context.table.game is None
        end(app)
        app = begun(disk)
        assert play(app) == moves and app.context.settings.volume == volume
        end(app)


def uses_up_the_log(app: App) -> None:
    """Store so much that the room which the store's log has got is used up."""
    for number in range(60):
        app.context.table.keep("x" * 2000 + str(number))


def test_a_disk_that_becomes_full_during_play_is_got_over(begun: Start, tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "1m") as disk:
        app = begun(disk)
        play(app, "a1")
        with full(disk):
            uses_up_the_log(app)
            moves, volume = play(app, "b1"), softer(app)
            assert "disk is full: nothing can be stored" in said(app)
            assert "holds until the program ends" in said(app)
        assert said(app, 2 * RETRY) == ""
        end(app)
        app = begun(disk)
        assert play(app) == moves and app.context.settings.volume == volume
        end(app)


def test_however_long_an_attempt_takes_there_is_time_to_play_until_the_next() -> None:
    class Slow(Store):
        """A store that stands in for a file."""

        trouble = StoreError(StoreErrorKind.FULL, "no room")
        attempts = 0

        def move_in(self) -> None:
            self.attempts += 1

    with Slow.open(None) as store:
        assert isinstance(store, Slow)
        journal, over = Journal(store), 10.0 + 3 * RETRY  # the attempt that begins at 10.0
        tried = []
        for now in (10.0, over, over + 0.9 * RETRY, over + RETRY):
            journal.retry(now)
            tried.append(store.attempts)
        assert tried == [1, 1, 1, 2]


def test_the_log_tells_once_that_something_waits_for_the_disk_and_that_it_was_lost(
    begun: Start, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with mounted(tmp_path / "disk", "1m") as disk:
        app = begun(disk)
        play(app, "a1")
        with full(disk):
            uses_up_the_log(app)
            for place in ("b1", "c1"):
                play(app, place)
                said(app, 2 * RETRY)
            assert caplog.text.count("waits for the disk") == 1 and "is lost" not in caplog.text
            end(app)
            assert "what was played since then is lost" in caplog.text


@pytest.mark.parametrize("by", ["time", "the end"])
def test_a_setting_that_could_not_be_written_is_written_later(
    by: str, begun: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, file = begun(), machine_file(tmp_path / "data")

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no room")

    monkeypatch.setattr("companion.app.save", fail)
    volume = softer(app)
    assert "disk is full" in said(app, 2 * RETRY) and not file.exists()
    monkeypatch.undo()
    if by == "time":
        assert said(app, 2 * RETRY) == ""
    else:
        end(app)
    assert f"volume: {volume}" in file.read_text()


def test_settings_of_another_version_are_said_when_it_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "settings.yaml").write_text("language: en\nvolume: 30\nhologram: true\n")
    seen: list[str] = []

    def look(app: App) -> None:
        app.step()
        seen.append(app.context.t.say(app.context.notices[0]))
        assert app.context.settings.volume == 30
        app.close()

    monkeypatch.setattr(App, "run", look)
    monkeypatch.setattr("companion.opening.keep_log", lambda level: None)
    assert start(load_all(CONFIG, tmp_path), tmp_path) == 0
    pygame.display.init()
    assert "another version" in seen[0] and "settings.yaml:3" in seen[0]


def test_whatever_is_done_to_the_store_the_companion_starts_and_says_so(begun: Start, tmp_path: Path) -> None:
    """The game is there whole, or it is said that it is not: never a traceback, never half a move."""
    whole = begun(tmp_path / "whole")
    play(whole)
    assert whole.context.table.game is not None
    match = whole.context.table.game.match
    for _ in range(30):
        texts = match.texts(match.awaits[0])
        whole.context.table.play(texts[0] if texts else "")
    moves = match.moves
    end(whole)
    data, chance = (tmp_path / "whole" / "companion.db").read_bytes(), random.Random(1)
    found = {"same": 0, "aside": 0, "rescued": 0}
    for number in range(60):
        folder = tmp_path / str(number)
        folder.mkdir()
        torn = bytearray(data)
        if number % 3 == 0:
            del torn[chance.randrange(len(torn)) :]
        else:
            at = chance.randrange(len(torn)) if number % 3 == 1 else chance.randrange(200)
            torn[at : at + 64] = chance.randbytes(64)
        (folder / "companion.db").write_bytes(torn)
        (folder / "companion.db-wal").write_bytes(chance.choice((b"", chance.randbytes(100))))
        notices: list[Message] = []
        table = open_table(folder / "companion.db", notices)
        if table.game is None:
            assert notices or not torn
            found["aside"] += 1
        elif table.game.match.moves == moves:
            found["rescued" if notices else "same"] += 1
        elif notices:
            assert table.game.match.moves == moves[: len(table.game.match.moves)]
            found["rescued"] += 1
        else:  # a byte within a text was changed: what it says now is a legal move
            assert len(table.game.match.moves) == len(moves)
        table.begin(table.game.match.book, table.game.match.options) if table.game else None
        table.close()
    assert min(found.values()) >= 3, found


def test_a_log_that_goes_nowhere_ends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = logging.root.handlers[:], logging.root.level, logging.raiseExceptions
    nowhere = Path("/dev/full").open("w")  # noqa: SIM115 - to close it fails, too
    monkeypatch.setattr("sys.stderr", nowhere)
    try:
        keep_log("info")
        logging.getLogger("companion").error("unheard")
    finally:
        logging.root.handlers, level, logging.raiseExceptions = before
        logging.root.setLevel(level)
        with pytest.raises(OSError, match="space"):
            nowhere.close()


# The clock


def test_a_clock_that_jumps_moves_nothing(begun: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hours and years, back and forth: the stopper keeps its pace, and the order of things stays theirs."""
    jumps = iter(["2026-05-01", "1970-01-01", "2038-01-20", "2001-09-09", "2026-05-01", "1999-12-31"] * 20)
    stamp = lambda: next(jumps) + "T12:00:00.000+00:00"  # noqa: E731
    for module in ("database", "games", "records"):
        monkeypatch.setattr(f"companion.store.{module}.now", stamp)
    app = begun()
    moves = play(app, "a1", "b1", "c1")
    app.stage.start_over(HomeScreen(app.context))
    click(app, "stopper")
    click(app, "main")
    interval, run = app.context.settings.stopper_interval_s, app.context.table.stopper
    assert run is not None
    for count in (1, 2, 3):
        CLOCK.ahead += interval
        app.step()
        assert len(run.throws) == count
    end(app)
    again = begun()
    assert again.context.table.stopper and again.context.table.stopper.throws == run.throws
    assert again.context.table.game and again.context.table.game.match.moves == moves


# The panel


class Chip:
    """The pins, of which the chip may go and come."""

    def __init__(self) -> None:
        self.there = True
        self.opened = 0
        self.pins = MockFactory()

    def open(self, on_event: Callable[[PanelEvent], None]) -> Panel:
        if not self.there:
            raise PanelError(PanelProblem.NO_GPIO, "no chip")
        self.opened += 1
        self.pins = MockFactory()
        return Panel(WIRING, on_event, self.pins, settle=0.01)

    def go(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def gone(*_: object) -> None:
            raise OSError("No such device")

        self.there = False
        for pin in WIRING.buttons.values():
            monkeypatch.setattr(self.pins.pin(pin), "_get_state", gone)


def test_a_panel_that_goes_is_missed_and_found_again(begun: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its lamps need not change for that, and nobody need press anything."""
    chip = Chip()
    app = begun(open_panel=chip.open)
    assert said(app, GLANCE) == ""
    chip.go(monkeypatch)
    assert "The panel is gone" in said(app, GLANCE)
    assert len(play(app, "a1")) == 1
    assert "The panel is gone" in said(app, GLANCE), "that it is not found says nothing else"
    chip.there = True
    assert said(app, GLANCE) == "" and chip.opened == 2
    assert chip.pins.pin(WIRING.lamps["back"]).state, "the lamps are lit anew"


def test_a_panel_that_is_gone_gives_its_pins_back(begun: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the one that comes back finds them taken."""
    chip, closed, close = Chip(), list[Panel](), Panel.close

    def closes(panel: Panel) -> None:
        closed.append(panel)
        close(panel)

    monkeypatch.setattr(Panel, "close", closes)
    app = begun(open_panel=chip.open)
    before = app.panel
    chip.go(monkeypatch)
    assert "The panel is gone" in said(app, GLANCE) and closed == [before]


def test_a_panel_that_was_not_there_is_found_when_it_comes(begun: Start) -> None:
    chip = Chip()
    chip.there = False
    app = begun(open_panel=chip.open)
    assert "No panel is there" in said(app) and "No panel is there" in said(app, GLANCE)
    chip.there = True
    assert said(app, GLANCE) == "" and isinstance(app.panel, Panel)


# The sound


def test_a_loudspeaker_that_comes_is_found(begun: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "alsa")
    monkeypatch.setenv("ALSA_CONFIG_PATH", "/nowhere")
    app = begun()
    assert "There is no sound" in said(app) and len(play(app, "a1")) == 1
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    assert said(app, 4 * SOON) == ""
    assert app.voice.status.state is VoiceState.OK


def test_it_is_looked_for_soon_after_a_change_and_else_ever_more_seldom() -> None:
    ways: list[str] = []
    search = Search(lambda: frozenset(ways))
    looks = [now for now in range(3600) if search.due(float(now))]
    assert looks[:4] == [0, 2, 6, 14] and len(looks) < 25
    assert max(b - a for a, b in pairwise(looks)) <= SELDOM + SOON
    ways.append("pcmC0D0p")
    assert [now for now in range(3600, 3620) if search.due(float(now))][:2] == [3600, 3602]


def test_where_sound_might_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert ways_out(tmp_path / "none") == frozenset()
    (tmp_path / "pipewire-0").touch()
    (tmp_path / "snd").mkdir()
    (tmp_path / "snd" / "pcmC0D0p").touch()
    assert ways_out(tmp_path / "snd") == {"pipewire-0", "pcmC0D0p"}


# The camera


def test_a_camera_is_pulled_out_and_put_back_a_hundred_times(begun: Start) -> None:
    source = Scripted()
    app = begun(open_camera=lambda setting, lock: Camera(setting, patience=QUICK, source=source))
    for _ in range(2):  # past the welcome of a new companion
        app.step()
    click(app, "dice")
    before = (-1, -1)

    def seen() -> bool:
        source.show(die())  # again and again: one that nobody looks at in time is followed by silence
        return app.context.camera.trouble is None and app.context.camera.pictures > 0

    for number in range(100):
        source.absent = None
        until(app, seen)
        source.absent = CameraState.MISSING
        source.fail(CameraError(CameraState.LOST, "pulled out"))
        until(app, lambda: app.context.camera.trouble is not None)
        if number == 10:
            before = handles(), threads()
    assert (handles(), threads()) == before
    source.absent = None

    def read() -> bool:
        source.show(die())
        throw = app.context.table.log.current
        return throw is not None and throw.pips == (4,)

    until(app, read)
    assert source.opened > 100
    source.absent = CameraState.MISSING  # nobody waits for its next picture
    source.fail(CameraError(CameraState.LOST, "the end"))


# The touchscreen


def finger(app: App, kind: int, place: tuple[int, int], number: int) -> None:
    wide, high = app.window.surface.get_size()
    values: dict[str, Any] = {"x": place[0] / wide, "y": place[1] / high, "finger_id": number, "touch_id": 1}
    pygame.event.post(pygame.event.Event(kind, **values))
    app.step()


def test_a_touchscreen_that_is_lost_in_the_middle_of_a_drag_is_there_again(begun: Start) -> None:
    """The finger that was down is never lifted; the next one counts, and nothing hangs at it."""
    app = begun()
    play(app)
    cells = {w.key: w.rect.center for w in app.stage.widgets()}
    finger(app, pygame.FINGERDOWN, cells["symbol-d"], 1)
    finger(app, pygame.FINGERMOTION, cells["c2"], 1)
    assert play(app) == []
    CLOCK.ahead += 6  # the cable is put back
    for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
        finger(app, kind, cells["a1"], 2)
    assert [move.split()[-1] for move in play(app)] == ["a1"]


# For a long time


def test_nothing_grows_while_people_play(tmp_path: Path) -> None:
    """`python -m tests.bench.soak` does that for longer, and measures the memory, too."""
    with companion(tmp_path) as app:
        wanderer = Wanderer(app, random.Random(3))
        before = handles(), threads()
        for turns in range(4, 41, 4):
            while wanderer.turns < turns:
                wanderer.act()
            app.stage.start_over(DiceScreen(app.context))
            until(app, lambda: app.gaze.camera is not None and app.gaze.camera.latest() is not None)
            app.mind.ask(thinkers.Endless())
            app.mind.close()
            wanderer.rest()
            if turns == 16:  # whatever is kept for the next time is there
                before = handles(), threads()
        assert len(wanderer.by_game) >= 4
        until(app, lambda: handles() <= before[0] and threads() <= before[1])
