"""The whole program, driven by real pygame events, mock pins and recorded pictures."""

import contextlib
import logging
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pygame
import pytest
from gpiozero.pins.mock import MockFactory
from pygame import Rect

from companion.app import App
from companion.bulletin import Bulletin
from companion.commands.wiring import configured
from companion.config import (
    ASSETS,
    CONFIG,
    Configuration,
    MqttConfig,
    PanelConfig,
    Settings,
    load_all,
    understood,
)
from companion.config.files import read_settings
from companion.dicebox import DiceBox
from companion.events import (
    Ask,
    Buzz,
    Event,
    Press,
    Proceed,
    Restart,
    Seen,
    Set,
    Sound,
    Thoughts,
    Tick,
    Touch,
)
from companion.eye.throws import State, Throw
from companion.eye.tiles import Tile, see_tiles
from companion.games.bau_boom.screen import BauScreen
from companion.games.bau_boom.tile_look import TileLook
from companion.games.big_boom_bang.screen import BangScreen
from companion.games.book import books
from companion.games.kabooom.screen import KabooomScreen
from companion.games.make_n_break.stopper_screen import StopperScreen
from companion.language import DamagedFileError, Message, Texts
from companion.mind.questions import Question
from companion.opening import keep_log, open_table, open_window, show_problems, start
from companion.players import Party, Seat
from companion.screens import theme
from companion.screens.base import Context, Screen, Step, Widget
from companion.screens.calibrate import CalibrateScreen, Part
from companion.screens.canvas import Canvas
from companion.screens.dice import DiceScreen
from companion.screens.home import HomeScreen
from companion.screens.lesson import LessonScreen
from companion.screens.player import PlayerScreen
from companion.screens.problems import ProblemsScreen
from companion.screens.settings import SettingsScreen
from companion.screens.setup import SetupScreen
from companion.screens.stage import SETTLE_S, TOAST_S
from companion.store import Store
from companion.table import Table
from companion.tray.drift import Drift
from companion.voice import Voice
from companion.window import Window, whole_screen
from hardware.camera import CameraState, CameraStatus, Picture
from hardware.panel import Panel, PanelError, PanelEvent, PanelProblem
from hardware.service import PowerError, Service
from tests.eye.table import Lies, animals, bang, photograph
from tests.eye.test_tiles import plain
from tests.mind import thinkers
from tests.running import CLOCK, PATIENCE, click, closed, until
from tests.screens.test_teach import sides_of
from tests.screens.through import put_on_table

Make = Callable[..., App]


ROOT_CONFIG = CONFIG / "companion.yaml"
WIRING = configured(CONFIG / "panel.yaml")


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Builds running companions in a folder of their own and closes them at the end."""
    with closed() as made:

        def build(settings: Settings | None = None, **parts: Any) -> App:
            settings = settings or Settings(language="en")
            data = parts.pop("data", tmp_path / "data")
            store = Store.open(tmp_path / "companion.db")
            voice = Voice(ASSETS, "en", settings.volume, settings.voice)
            parts.setdefault("now", CLOCK)
            pygame.event.clear()
            app = App(settings, Table(store), voice, Window(settings.size or (800, 480)), data, **parts)
            made.append(app)
            return app

        yield build


def written(folder: Path) -> list[tuple[str, int]]:
    """The dice that are on the disk, each with where its throw came from."""
    with Store.open(folder / "companion.db") as store:
        return store._database.read("SELECT source, face FROM throws JOIN dice ON throw = throws.id")


def post(kind: int, **values: Any) -> None:
    pygame.event.post(pygame.event.Event(kind, **values))


def key(app: App, *keys: int) -> None:
    for each in keys:
        post(pygame.KEYDOWN, key=each, unicode="")
        post(pygame.KEYUP, key=each)
    app.step()


def die_picture(path: Path) -> Path:
    """A picture of a table with one large white four."""
    image = np.full((480, 640, 3), (52, 88, 60), np.uint8)
    cv2.rectangle(image, (250, 170), (390, 310), (225, 235, 238), -1)
    for x, y in ((285, 205), (355, 205), (285, 275), (355, 275)):
        cv2.circle(image, (x, y), 14, (25, 25, 28), -1, cv2.LINE_AA)
    cv2.imwrite(str(path), cv2.GaussianBlur(image, (0, 0), 1.0))
    return path


def test_the_mouse_leads_everywhere_and_escape_back(make: Make) -> None:
    app = make()
    for card, screen in (("dice", DiceScreen), ("stopper", StopperScreen), ("settings", SettingsScreen)):
        click(app, card)
        assert isinstance(app.stage.top, screen)
        key(app, pygame.K_ESCAPE)
        assert isinstance(app.stage.top, HomeScreen)


def test_fingers_are_understood_and_the_mouse_events_made_of_them_are_not_counted_twice(make: Make) -> None:
    app = make()
    click(app, "volume")
    CLOCK.ahead += 2 * SETTLE_S  # what is touched then is meant for what is shown then
    before = app.context.settings.volume
    x, y = next(w.rect for w in app.stage.widgets() if w.key == "louder").center
    for kind, mouse in ((pygame.FINGERDOWN, pygame.MOUSEBUTTONDOWN), (pygame.FINGERUP, pygame.MOUSEBUTTONUP)):
        post(kind, x=x / 800, y=y / 480, finger_id=1, touch_id=1)
        post(mouse, pos=(x, y), button=1, touch=True)
    app.step()
    assert app.context.settings.volume == before + 10


@pytest.mark.parametrize(
    ("screen", "modes", "asked"),
    [
        ((3840, 2160), [(3840, 2160), (2560, 1440), (1920, 1080), (1920, 800), (1280, 720)], (1920, 1080)),
        ((2560, 1600), [(2560, 1600), (1920, 1080), (1680, 1050), (1280, 800)], (1680, 1050)),
        ((3440, 1440), [(3440, 1440), (1920, 1080)], (0, 0)),
        ((1920, 1080), [(1920, 1080), (1280, 720)], (0, 0)),
        ((800, 480), [(800, 480)], (0, 0)),
    ],
)
def test_a_whole_screen_with_more_pixels_than_can_be_drawn_in_time_shows_fewer(
    screen: tuple[int, int],
    modes: list[tuple[int, int]],
    asked: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [screen])
    monkeypatch.setattr(pygame.display, "list_modes", lambda: modes)
    assert whole_screen() == asked


def test_on_the_whole_screen_the_pointer_is_seen_while_a_mouse_moves(make: Make) -> None:
    """Without it nobody could touch anything with a mouse; on a touchscreen it is in the way."""
    app = make()
    app.window = Window(None, fullscreen=True)
    seen = [pygame.mouse.get_visible()]
    for kind, values in (
        (pygame.MOUSEMOTION, {"pos": (9, 9), "rel": (1, 1), "buttons": (0, 0, 0), "touch": True}),
        (pygame.MOUSEMOTION, {"pos": (9, 9), "rel": (0, 0), "buttons": (0, 0, 0), "touch": False}),
        (pygame.MOUSEMOTION, {"pos": (9, 9), "rel": (1, 1), "buttons": (0, 0, 0), "touch": False}),
        (pygame.FINGERDOWN, {"x": 0.9, "y": 0.9, "finger_id": 1, "touch_id": 1}),
    ):
        post(kind, **values)
        app.step()
        seen.append(pygame.mouse.get_visible())
    assert seen == [False, False, False, True, False]


def test_a_second_finger_does_nothing_until_the_first_is_lifted(make: Make) -> None:
    """The palm of a hand that drags a tower touches nothing."""
    app = make()
    click(app, "volume")
    CLOCK.ahead += 2 * SETTLE_S  # what is touched then is meant for what is shown then
    before = app.context.settings.volume
    louder, softer = (
        next(w.rect for w in app.stage.widgets() if w.key == key).center for key in ("louder", "softer")
    )

    def finger(kind: int, place: tuple[int, int], number: int) -> None:
        post(kind, x=place[0] / 800, y=place[1] / 480, finger_id=number, touch_id=1)

    finger(pygame.FINGERDOWN, louder, 1)
    finger(pygame.FINGERDOWN, softer, 2)
    finger(pygame.FINGERUP, softer, 2)
    finger(pygame.FINGERUP, louder, 1)
    app.step()
    assert app.context.settings.volume == before + 10
    finger(pygame.FINGERDOWN, softer, 2)
    finger(pygame.FINGERUP, softer, 2)
    app.step()
    assert app.context.settings.volume == before


def test_a_hand_that_rests_on_the_screen_gives_way_to_a_finger_though_it_trembles() -> None:
    window = Window((800, 480))

    def finger(kind: int, x: float, number: int, now: float) -> list[Event]:
        post(kind, x=x, y=0.9, finger_id=number, touch_id=1)
        return [event for event in window.events(now) if isinstance(event, Touch)]

    finger(pygame.FINGERDOWN, 0.9, 1, 0)
    for now in range(1, 7):
        assert finger(pygame.FINGERMOTION, 0.9 + 0.01 * (now % 2), 1, now)
    assert finger(pygame.FINGERDOWN, 0.1, 2, 6.5) and finger(pygame.FINGERUP, 0.1, 2, 6.6)
    assert not finger(pygame.FINGERMOTION, 0.5, 1, 7)


@pytest.mark.parametrize(
    ("rotation", "place"), [(0, (10, 20)), (90, (20, 469)), (180, (789, 459)), (270, (779, 10))]
)
def test_on_a_screen_that_is_turned_pictures_are_turned_back_and_touches_too(
    rotation: int, place: tuple[int, int]
) -> None:
    """Turned clockwise by 90 degrees its left edge is above: there is the upper edge of the picture."""
    window = open_window(Settings(size=(800, 480), fullscreen=False, rotation=rotation))
    screen = pygame.display.get_surface()
    window.surface.fill("black")
    window.surface.set_at((10, 20), "white")
    window.show()
    assert screen.get_at(place) == pygame.Color("white")
    list(window.events(0))
    x, y = place
    post(pygame.MOUSEBUTTONDOWN, pos=place, button=1, touch=False)
    post(pygame.MOUSEMOTION, pos=place, rel=(-1, -1), buttons=(1, 0, 0), touch=False)
    post(pygame.FINGERDOWN, x=x / 800, y=y / 480, finger_id=1, touch_id=1)
    touches = [event for event in window.events(0) if isinstance(event, Touch)]
    assert [event.phase for event in touches] == ["down", "move", "down"]
    assert all((round(event.x, 6), round(event.y, 6)) == (10, 20) for event in touches)


def test_keys_alone_reach_the_stopper_and_start_it(make: Make) -> None:
    app = make()
    walked = [w.key for w in app.stage.widgets()].index("stopper") + 1
    key(app, *[pygame.K_RIGHT] * walked, pygame.K_RETURN, pygame.K_RETURN)
    assert isinstance(app.stage.top, StopperScreen) and app.stage.top.phase == "ready", "it was pressed twice"
    CLOCK.ahead += 2 * SETTLE_S
    key(app, pygame.K_RETURN)
    assert isinstance(app.stage.top, StopperScreen) and app.stage.top.phase == "running"


def test_a_setting_is_in_force_at_once_and_written(make: Make, tmp_path: Path) -> None:
    app = make()
    click(app, "settings")
    while app.context.settings.language != "de":
        click(app, "language")
    assert app.context.t("Settings") == "Einstellungen"
    assert "language: de" in (tmp_path / "data" / "settings.yaml").read_text()


def test_a_setting_that_cannot_be_written_holds_and_says_so(make: Make, tmp_path: Path) -> None:
    (tmp_path / "data" / "settings.yaml.new").mkdir(parents=True)
    app = make()
    click(app, "volume")
    click(app, "softer")
    app.step()
    assert app.context.settings.volume == 60
    assert any("holds until the program ends" in app.context.t.say(n) for n in app.context.notices)


def test_closing_the_window_ends_the_program(make: Make) -> None:
    app = make()
    post(pygame.QUIT)
    app.run()
    assert app.done


def test_at_rest_nothing_is_drawn(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make()
    until(app, lambda: not app.voice.prepare())
    app.step()
    shown: list[int] = []
    monkeypatch.setattr(app.window, "show", lambda: shown.append(1))
    for _ in range(20):
        app.step()
    assert shown == []


def test_the_window_can_change_its_size(make: Make) -> None:
    app = make()
    pygame.display.set_mode((1024, 600))
    post(pygame.VIDEORESIZE, w=1024, h=600, size=(1024, 600))
    until(app, lambda: app.stage.canvas.width == 1024)


def test_a_mistake_of_ours_leads_home_and_is_said_not_thrown(
    make: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    app = make()
    click(app, "settings")

    def broken(screen: SettingsScreen, event: Event) -> Iterator[Any]:
        raise RuntimeError("a mistake")

    monkeypatch.setattr(SettingsScreen, "handle", broken)
    until(app, lambda: isinstance(app.stage.top, HomeScreen))
    app.step()
    assert "Something went wrong" in app.context.t.say(app.context.notices[0])
    assert "a mistake" in caplog.text


def test_the_camera_runs_only_while_somebody_looks(make: Make, tmp_path: Path) -> None:
    app = make(Settings(language="en", camera=str(die_picture(tmp_path / "four.png"))))
    app.step()
    assert app.gaze.camera is None
    click(app, "dice")
    until(app, lambda: app.gaze.camera is not None and app.gaze.camera.latest() is not None)
    key(app, pygame.K_ESCAPE)
    assert app.gaze.camera is None


def test_from_the_camera_to_the_store(make: Make, tmp_path: Path) -> None:
    app = make(Settings(language="en", camera=str(die_picture(tmp_path / "four.png"))))
    click(app, "dice")
    until(app, lambda: app.context.table.log.current is not None)
    assert app.context.table.log.current is not None and app.context.table.log.current.faces == (4,)
    assert written(tmp_path) == [("camera", 4)]


@pytest.mark.parametrize("fails", [False, True], ids=["read", "failed"])
def test_the_clock_goes_on_while_tiles_are_read(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fails: bool
) -> None:
    lie, goes = tmp_path / "tiles.png", threading.Event()
    cv2.imwrite(str(lie), plain(["red", "blue"]))

    def slowly(frame: np.ndarray) -> tuple[Tile, ...]:
        assert goes.wait(PATIENCE)
        if fails:
            raise RuntimeError("a mistake")
        return see_tiles(frame)

    monkeypatch.setattr("companion.app.see_tiles", slowly)
    app = make(Settings(language="en", camera=str(lie)))
    screen, _ = put_on_table(app.context, BauScreen, "base-2.txt", {"container": "real"})
    assert isinstance(screen, BauScreen)
    app.stage.stack.append(screen)
    click(app, "camera")
    until(app, lambda: any(widget.key == "read" for widget in app.stage.widgets()))
    click(app, "read")
    app.step()
    assert isinstance(app.stage.top, TileLook)
    goes.set()
    until(app, lambda: app.stage.top is screen)
    assert screen.sight is None if fails else screen.sight and screen.sight.words == ("red", "blue")
    assert bool(screen.trouble) is fails is ("a mistake" in caplog.text)


def test_a_camera_that_is_missing_is_said_and_found_when_it_comes(make: Make, tmp_path: Path) -> None:
    app = make(Settings(language="en", camera=str(tmp_path / "four.png")))
    click(app, "dice")
    until(
        app,
        lambda: (
            app.context.camera.trouble is not None
            and "No camera sends pictures" in app.context.t.say(app.context.camera.trouble)
        ),
    )
    app.stage.draw()
    die_picture(tmp_path / "four.png")
    until(app, lambda: app.context.camera.trouble is None and app.context.table.log.current is not None)


def test_a_camera_that_is_pulled_out_and_comes_back_is_heard(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Pulled:
        """A camera whose state the test sets."""

        status = CameraStatus(CameraState.LIVE, "usb:0")
        held = None

        def latest(self) -> None:
            """None was kept."""

        def free(self) -> None:
            """Nothing is held."""

        def wait(self, after: int, timeout: float) -> None:
            threading.Event().wait(0.01)

        def leave(self) -> None:
            pass

        def close(self) -> None:
            pass

    camera, heard, lost = Pulled(), list[str](), list[bool]()
    app = make(open_camera=lambda setting, lock: camera)
    monkeypatch.setattr(app.voice, "sound", heard.append)
    click(app, "dice")
    for state in (CameraState.LOST, CameraState.LOST, CameraState.LIVE):
        camera.status = CameraStatus(state, "usb:0")
        app.step()
        lost.append(app.context.camera.lost)
    assert heard == ["lost", "found"] and lost == [True, True, False]


def test_without_a_camera_the_demonstration_shows_throws(make: Make, tmp_path: Path) -> None:
    app = make(Settings(language="en", camera=str(tmp_path / "none.png")))
    click(app, "dice")
    until(app, lambda: any(w.key == "demo" for w in app.stage.widgets()))
    click(app, "demo")
    until(app, lambda: app.context.table.log.current_demonstrated is not None)
    assert app.context.camera.demonstration
    assert {source for source, _ in written(tmp_path)} == {"demonstration"}


def test_the_panel_moves_the_screen_and_its_lamps_follow(make: Make) -> None:
    pins = MockFactory()

    def panel(on_event: Callable[[PanelEvent], None]) -> Panel:
        return Panel(WIRING, on_event, pins, settle=0.01)

    app = make(open_panel=panel)

    def push(name: str) -> None:
        pin = pins.pin(WIRING.buttons[name])
        pin.drive_low()
        before = len(app.stage.stack), app.stage.focus
        until(app, lambda: (len(app.stage.stack), app.stage.focus) != before)
        pin.drive_high()
        settled = time.monotonic() + 0.1  # what comes sooner is a bouncing contact
        until(app, lambda: time.monotonic() > settled)

    app.step()
    assert pins.pin(WIRING.lamps["confirm"]).state and not pins.pin(WIRING.lamps["back"]).state
    while app.stage.focus != "dice":
        push("right")
    push("confirm")
    assert isinstance(app.stage.top, DiceScreen)
    app.step()
    assert pins.pin(WIRING.lamps["back"]).state
    push("back")
    assert isinstance(app.stage.top, HomeScreen)


def test_a_long_press_of_back_on_the_panel_leads_home(make: Make) -> None:
    pins = MockFactory()
    app = make(open_panel=lambda on_event: Panel(WIRING, on_event, pins, settle=0.01, hold=0.1))
    click(app, "settings")
    app.stage.stack.append(DiceScreen(app.context))
    app.step()
    pins.pin(WIRING.buttons["back"]).drive_low()
    until(app, lambda: isinstance(app.stage.top, HomeScreen))


def test_whoever_wants_silence_hears_no_buzzer_either(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    app, buzzed = make(open_panel=lambda on_event: Panel(WIRING, on_event, MockFactory())), list[float]()
    monkeypatch.setattr(app.panel, "buzz", buzzed.append)
    app._carry_out(Set("volume", 0))
    app._carry_out(Buzz())
    assert not buzzed
    app._carry_out(Set("volume", 5))
    app._carry_out(Buzz())
    assert buzzed == [0.8]


def test_without_pins_the_panel_is_said_to_be_missing(make: Make) -> None:
    def panel(on_event: Callable[[PanelEvent], None]) -> Panel:
        raise PanelError(PanelProblem.NO_GPIO, "no chip")

    app = make(open_panel=panel)
    app.step()
    assert "No panel is there" in app.context.t.say(app.context.notices[0])


def test_opening_the_sound_device_does_not_open_it_again_and_again(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SDL reports every loudspeaker as new whenever the device is opened."""
    app, opened = make(), list[int]()
    reopen = app.voice.reopen

    def reopened() -> None:
        opened.append(1)
        reopen()
        post(pygame.AUDIODEVICEADDED, which=0, iscapture=0)

    monkeypatch.setattr(app.voice, "reopen", reopened)
    post(pygame.AUDIODEVICEADDED, which=0, iscapture=0)
    post(pygame.AUDIODEVICEREMOVED, which=0, iscapture=1)
    for _ in range(5):
        app.step()
    assert opened == []
    for _ in range(5):
        post(pygame.AUDIODEVICEREMOVED, which=0, iscapture=0)
        app.step()
    assert opened == [1]


def test_a_notice_goes_away_when_it_is_touched(make: Make) -> None:
    app = make(notices=[Message("Something to know")])
    app.step()
    click(app, "notices")
    click(app, "notice-0")
    app.step()
    assert app.context.notices == ()


def test_notices_that_are_no_longer_so_are_gone_from_the_picture_too(make: Make) -> None:
    app = make()
    app.gaze.drift = Drift.MOVED
    app.step()
    click(app, "notices")
    CLOCK.ahead += 2 * TOAST_S
    app.step()
    app.gaze.drift = None
    for _ in range(3):
        app.step()
    shown = pygame.surfarray.array3d(app.window.surface)
    app.stage.draw()
    assert np.array_equal(shown, pygame.surfarray.array3d(app.window.surface))


def test_a_stopper_that_was_cut_off_is_there_at_the_start(make: Make) -> None:
    app = make()
    app.context.table.begin_stopper(1.2)
    app.context.table.stopper_shows(3)
    again = make()
    assert isinstance(again.stage.top, StopperScreen) and again.stage.top.position.total == 3


def test_a_damaged_store_is_set_aside_and_named(tmp_path: Path) -> None:
    path = tmp_path / "companion.db"
    path.write_bytes(b"no database at all" * 1000)
    notices: list[Message] = []
    table = open_table(path, notices)
    assert table.log.throws == () and "damaged-" in str(notices[0].fields["name"])
    table.close()


def test_without_a_store_the_program_runs_and_says_that_it_forgets(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    notices: list[Message] = []
    table = open_table(tmp_path / "file" / "companion.db", notices)
    said = Texts("en").say(notices[0])
    assert table.log.throws == () and "forgotten" in said
    assert "could not be opened: something of that name is there already. See what is wrong" in said
    table.close()


@pytest.mark.parametrize("content", [None, b"", b"no typeface"])
def test_a_damaged_typeface_is_named_before_the_first_picture(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "title.ttf"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setattr(theme, "font_file", lambda face: file)
    theme.font.cache_clear()
    theme._outlines.cache_clear()
    try:
        with pytest.raises(DamagedFileError, match=file.name):
            open_window(Settings(fullscreen=False))
    finally:
        theme._outlines.cache_clear()


def test_without_a_screen_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*arguments: object) -> None:
        raise pygame.error("no available video device")

    monkeypatch.setattr(pygame.display, "set_mode", refuse)
    monkeypatch.setattr("companion.opening.keep_log", lambda level: None)
    panel = PanelConfig({}, {}, None, 0.8, 0.02)
    assert start(Configuration(Settings(language="en"), Settings(), panel), tmp_path) == 1
    said = capsys.readouterr().err
    assert "no screen" in said and said.endswith("sudo systemd/install.sh\n")


@pytest.mark.parametrize("before", [signal.SIG_DFL, signal.SIG_IGN])
def test_a_terminal_that_is_closed_ends_it_in_the_usual_way_unless_it_shall_outlive_that(
    before: signal.Handlers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[bool] = []

    def hang_up(app: App) -> None:
        assert signal.getsignal(signal.SIGHUP) is not signal.SIG_DFL
        signal.raise_signal(signal.SIGHUP)
        app.step()
        ended.append(app.done)
        app.close()

    monkeypatch.setattr(App, "run", hang_up)
    monkeypatch.setattr("companion.opening.keep_log", lambda level: None)
    mine = signal.signal(signal.SIGHUP, before)
    try:
        assert start(load_all(CONFIG, tmp_path), tmp_path) == 0
    finally:
        signal.signal(signal.SIGHUP, mine)
        pygame.display.init()
    assert ended == [before is signal.SIG_DFL]


def test_sdl_does_not_go_on_where_nobody_sees_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.init()
    monkeypatch.delenv("SDL_VIDEODRIVER")
    with pytest.raises(pygame.error, match="no display"):
        Window((800, 480))


def test_dice_that_still_lie_there_after_a_look_at_home_are_no_new_throw(make: Make, tmp_path: Path) -> None:
    app = make(Settings(language="en", camera=str(die_picture(tmp_path / "four.png"))))
    click(app, "dice")
    until(app, lambda: app.context.table.log.current is not None)
    key(app, pygame.K_ESCAPE)
    click(app, "dice")
    screen = app.stage.top
    assert isinstance(screen, DiceScreen)
    until(app, lambda: screen.seen is not None and screen.seen.state is State.RESTING)
    assert len(app.context.table.log.throws) == 1


def camera_says(app: App, kind: CameraState, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the camera report a state, and the program take notice."""
    assert app.gaze.camera is not None
    monkeypatch.setattr(type(app.gaze.camera), "status", property(lambda _: CameraStatus(kind, "usb:0")))
    app.step()


def test_that_a_die_leans_is_heard(make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    app, heard = make(Settings(language="en", camera=str(die_picture(tmp_path / "four.png")))), list[str]()
    monkeypatch.setattr(app.voice, "sound", heard.append)
    monkeypatch.setattr(app.gaze, "see", lambda *_: iter([Sound("refused")]))
    click(app, "dice")
    until(app, lambda: "refused" in heard)


def test_a_camera_is_blind_when_it_has_had_its_time(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not while it is being looked for, which it is whenever a game begins to look."""
    app, seen = make(Settings(language="en", camera=str(ASSETS / "nowhere"))), dict[CameraState, bool]()
    click(app, "dice")
    for kind in (CameraState.SEARCHING, CameraState.LIVE, CameraState.DARK, CameraState.BUSY):
        camera_says(app, kind, monkeypatch)
        seen[kind] = app.context.camera.blind
    assert [kind for kind in seen if seen[kind]] == [CameraState.DARK, CameraState.BUSY]


def test_a_camera_is_back_only_when_it_shows_something(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    app, sounds = make(Settings(language="en", camera=str(ASSETS / "nowhere"))), list[str]()
    click(app, "dice")
    monkeypatch.setattr(app.voice, "sound", sounds.append)
    for kind in (CameraState.LOST, CameraState.SEARCHING, CameraState.DENIED, CameraState.LOST):
        camera_says(app, kind, monkeypatch)
    assert sounds == ["lost"]
    camera_says(app, CameraState.LIVE, monkeypatch)
    assert sounds == ["lost", "found"]
    camera_says(app, CameraState.LOST, monkeypatch)
    camera = app.gaze.camera
    key(app, pygame.K_ESCAPE)
    monkeypatch.setattr(type(camera), "status", property(lambda _: CameraStatus(CameraState.SEARCHING, "")))
    click(app, "dice")
    until(app, lambda: app.gaze.camera is not None)  # the one before has to be closed
    assert app.context.camera.lost, "that can still be seen"
    camera_says(app, CameraState.LIVE, monkeypatch)
    assert "found" not in sounds[2:], "whoever leaves and comes back has not waited for it"
    assert not app.context.camera.lost


def test_what_fails_while_closing_keeps_nothing_else_from_being_closed(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, closed = make(), list[str]()
    monkeypatch.setattr(app.voice, "close", lambda: closed.append("voice"))
    monkeypatch.setattr(app.window, "close", lambda: closed.append("window"))

    def fail() -> None:
        closed.append("table")
        raise ValueError("mistake")

    monkeypatch.setattr(app.context.table, "close", fail)
    with pytest.raises(ValueError, match="mistake"):
        app.close()
    assert closed == ["table", "voice", "window"]
    monkeypatch.undo()


def test_a_setting_that_could_not_be_saved_is_saved_with_the_next(make: Make, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.write_text("in the way")
    app = make(data=data)
    app._set("volume", 30)
    app.step()
    (notice,) = app.context.notices
    click(app, "notices")
    click(app, "notice-0")
    app.step()
    assert not app.context.notices
    app._set("voice", False)
    app.step()
    assert list(app.context.notices) == [notice], "it fails once more, and that is said once more"
    data.unlink()
    app._set("language", "de")
    app.step()
    assert not app.context.notices
    assert read_settings(ROOT_CONFIG, data / "settings.yaml").settings.volume == 30


def test_the_last_game_lies_on_the_table_or_is_said_to_be_missing(tmp_path: Path) -> None:
    path, notices = tmp_path / "companion.db", list[Message]()
    table = open_table(path, notices)
    book = books()["kabooom"]
    table.begin(book, book.agree(CONFIG))
    table.play("place r a1")
    table.close()
    again = open_table(path, notices)
    assert again.game is not None and again.game.match.moves == ["place r a1"] and notices == []
    with again._store._database.writing() as connection:
        connection.execute("UPDATE games SET book = 'chess'")
    again.close()
    open_table(path, notices).close()
    assert "stays stored" in notices[0].text


def test_a_second_program_does_without_the_store_and_says_so(tmp_path: Path) -> None:
    path, notices = tmp_path / "companion.db", list[Message]()
    first = open_table(path, notices)
    assert notices == []
    second = open_table(path, notices)
    assert "Another companion" in Texts("en").say(notices[0])
    second.close()
    first.close()


def test_mistakes_without_a_screen_are_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_window(*_: object, **__: object) -> None:
        raise pygame.error("no display")

    monkeypatch.setattr("companion.opening.Window", no_window)
    assert show_problems(["wrong"], Settings(language="en")) is None
    assert "no screen" in capsys.readouterr().err


# The service


class Told:
    """What systemd is told, and what happened to the machine."""

    can_switch_off = True

    def __init__(self, refusal: str = "") -> None:
        self.refusal = refusal
        self.heard: list[str] = []

    def ready(self) -> None:
        self.heard.append("ready")

    def alive(self, now: float) -> None:
        self.heard.append("alive")

    def status(self, text: str) -> None:
        if f"status {text}" not in self.heard:
            self.heard.append(f"status {text}")

    def stopping(self) -> None:
        self.heard.append("stopping")

    def switch_off(self) -> None:
        if self.refusal:
            raise PowerError(self.refusal)
        self.heard.append("off")


def test_the_service_is_ready_with_the_first_picture_and_fed_at_every_turn(make: Make) -> None:
    told = Told()
    app = make(service=told)
    show, shown = app.window.show, list[int]()

    def watched() -> None:
        shown.append(len(told.heard))
        show()

    app.window.show = watched  # type: ignore[method-assign]
    until(app, lambda: "ready" in told.heard)
    assert told.heard.index("ready") >= shown[0]
    before = told.heard.count("alive")
    for _ in range(5):
        app.step()
    assert told.heard.count("alive") == before + 5
    app.close()
    assert told.heard[-1] == "stopping"


def test_who_goes_to_the_desktop_ends_the_program(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    app = make(service=Told())
    click(app, "power")
    click(app, "leave")
    assert app.done


def test_whoever_looks_after_the_machine_reads_what_goes_on(make: Make) -> None:
    told = Told()
    app = make(service=told)
    click(app, "settings")
    assert told.heard.count("status Settings; camera: off; notices: 0") == 1


def test_a_loop_that_hangs_feeds_nobody(make: Make, tmp_path: Path) -> None:
    """Nothing but the loop feeds the watchdog: while a screen is busy for minutes, systemd hears nothing."""
    systemd = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    systemd.bind(str(tmp_path / "notify"))
    systemd.setblocking(False)

    def heard() -> list[bytes]:
        found = []
        with contextlib.suppress(BlockingIOError):
            while True:
                found.append(systemd.recv(4096))
        return found

    now = [1000.0]
    app = make(service=Service(str(tmp_path / "notify"), watchdog_s=20), now=lambda: now[0])
    now[0] += 1
    app.step()
    assert b"READY=1" in heard()

    def hang(event: Event) -> Iterator[Step]:
        now[0] += 600
        assert heard() == []
        yield from ()

    app.stage.top.handle = hang  # type: ignore[method-assign]
    app.step()
    assert heard().count(b"WATCHDOG=1") == 1  # only now that it goes on
    systemd.close()


def test_the_machine_is_switched_off_by_two_touches(make: Make) -> None:
    told = Told()
    app = make(service=told)
    click(app, "power")
    assert "off" not in told.heard
    click(app, "off")
    assert "off" in told.heard and not app.context.notices


def test_a_machine_that_will_not_be_switched_off_says_why(make: Make) -> None:
    app = make(service=Told("Access denied"))
    click(app, "power")
    click(app, "off")
    app.step()
    assert "Access denied" in Texts("en").say(app.context.notices[0])


def test_mistakes_in_the_configuration_are_shown_to_a_service_that_lives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told, turned = Told(), list[int]()

    def window(size: None, *, fullscreen: bool, rotation: int) -> Window:
        turned.append(rotation)
        return Window((800, 480))

    post(pygame.QUIT)
    monkeypatch.setattr("companion.opening.Window", window)
    assert show_problems(["wrong"], Settings(rotation=180), told) is None
    pygame.display.init()
    assert told.heard == ["ready", "alive"] and turned == [180]


@pytest.mark.parametrize(("keys", "chosen"), [([], Restart()), ([pygame.K_RIGHT] * 2, Proceed())])
def test_with_mistakes_in_the_configuration_it_is_tried_again_or_played_all_the_same(
    keys: list[int], chosen: Restart | Proceed, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in (*keys, pygame.K_RETURN):
        post(pygame.KEYDOWN, key=key, unicode="")
    monkeypatch.setattr("companion.opening.Window", lambda *_, **__: Window((800, 480)))
    assert show_problems(["wrong"], Settings(language="en")) == chosen
    pygame.display.init()


def test_whoever_plays_with_mistakes_in_the_configuration_sees_where_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def run(app: App) -> None:
        app.step()
        seen.extend(map(Texts("en").say, app.context.notices))
        app.close()

    (tmp_path / "companion.yaml").write_text("volume: 40\nlanguage: xx", encoding="utf-8")
    monkeypatch.setattr(App, "run", run)
    monkeypatch.setattr("companion.opening.keep_log", lambda level: None)
    configuration = understood(tmp_path, tmp_path)
    assert start(configuration, tmp_path) == 0 and configuration.settings.volume == 40
    pygame.display.init()
    assert "What is wrong in the configuration does not hold (companion.yaml:2, panel.yaml)." in seen


def test_mistakes_in_the_configuration_fill_a_window_whose_size_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wide = list[int]()

    def paint(screen: ProblemsScreen, canvas: Canvas) -> None:
        if wide:
            post(pygame.QUIT)
        else:
            pygame.display.set_mode((1024, 600))
            post(pygame.VIDEORESIZE, w=1024, h=600, size=(1024, 600))
        wide.append(canvas.width)

    monkeypatch.setattr(ProblemsScreen, "paint", paint)
    monkeypatch.setattr("companion.opening.Window", lambda *_, **__: Window((800, 480)))
    assert show_problems(["wrong"], Settings(language="en")) is None
    pygame.display.init()
    assert wide == [800, 1024]


def test_the_log_goes_to_standard_error_at_its_level(capsys: pytest.CaptureFixture[str]) -> None:
    before = logging.root.handlers[:], logging.root.level, logging.raiseExceptions
    try:
        logging.root.handlers = []
        keep_log("warning")
        logging.getLogger("eye").info("unheard")
        logging.getLogger("eye").warning("heard")
        lines = capsys.readouterr().err.splitlines()
    finally:
        logging.root.handlers, level, logging.raiseExceptions = before
        logging.root.setLevel(level)
    assert len(lines) == 1 and lines[0].endswith("WARNING eye: heard")


# Games


def drag(app: App, a: tuple[int, int], b: tuple[int, int]) -> None:
    """Drag with the mouse from one place to another, when time enough has passed."""
    CLOCK.ahead += 2 * SETTLE_S
    post(pygame.MOUSEBUTTONDOWN, pos=a, button=1, touch=False)
    post(pygame.MOUSEMOTION, pos=b, rel=(1, 1), buttons=(1, 0, 0), touch=False)
    post(pygame.MOUSEBUTTONUP, pos=b, button=1, touch=False)
    app.step()


def test_a_game_is_begun_by_mouse_and_found_again_after_the_power_was_cut(make: Make) -> None:
    app = make()
    click(app, "kabooom")
    click(app, "start")
    click(app, "begins-0")
    cells = {w.key: w.rect.center for w in app.stage.widgets()}
    drag(app, cells["symbol-d"], cells["a1"])
    click(app, "b1")
    again = make()  # nothing was closed or put away
    assert isinstance(again.stage.top, KabooomScreen)
    assert again.stage.top.match.moves[0] == "place d a1" and len(again.stage.top.match.moves) == 2
    assert [type(screen) for screen in again.stage.stack] == [HomeScreen, KabooomScreen]


def test_dice_before_the_camera_move_a_game_on(make: Make, tmp_path: Path) -> None:
    """Two dice are thrown before the camera of the demonstration: Bau Boom awaits two (BAU-R11)."""
    (folder := tmp_path / "over and over").mkdir()
    (folder / "two-white.mp4").symlink_to(ASSETS / "samples" / "two-white.mp4")
    app = make(Settings(language="en", camera=str(folder)))
    click(app, "bau-boom")
    click(app, "start")
    click(app, "begins-1")
    game = app.context.table.game
    assert game is not None
    until(app, lambda: any(text.startswith("roll") for text in game.match.moves))
    assert game.done[-1].by == "camera"


class Shown:
    """A camera above a table on which somebody lays dice; it takes a picture whenever one is wanted."""

    status = CameraStatus(CameraState.LIVE, "table")
    held = None

    def latest(self) -> None:
        """None was kept."""

    def free(self) -> None:
        """Nothing is held."""

    def __init__(self) -> None:
        self.dice: list[Lies] = []
        self._number, self._at = 0, 1000.0

    def wait(self, after: int, timeout: float) -> Picture:
        self._number += 1
        self._at += 0.13
        return Picture(photograph(self.dice, noise=self._number % 2), self._number, self._at)

    def leave(self) -> None:
        pass

    def close(self) -> None:
        pass


def test_a_lesson_goes_on_by_mouse_and_its_dice_are_then_thrown_in_a_game(make: Make) -> None:
    camera = Shown()
    app = make(open_camera=lambda setting, lock: camera)
    app.context.box.lessons.keep(sides_of(bang(), 3))
    click(app, "settings")
    click(app, "teach")
    click(app, "teach-big-boom-bang")
    lesson = app.stage.top
    assert isinstance(lesson, LessonScreen) and lesson.teacher.progress.face == 3
    turn = 0
    while not lesson.teacher.done:
        before = lesson.teacher.progress
        camera.dice = [Lies(lesson.kind.faces[before.face][0], (300, 230), turn)]
        CLOCK.ahead += 0.3
        until(app, lambda before=before: lesson.teacher.progress is not before)  # type: ignore[misc]
        turn += 10
    click(app, "done")
    for _ in range(2):
        key(app, pygame.K_ESCAPE)
    for name in ("big-boom-bang", "dice", "start", "begins-0"):
        click(app, name)
    screen = app.stage.top
    assert isinstance(screen, BangScreen)
    until(app, lambda: screen._state is State.RESTING)  # what lies there when it first looks was not thrown
    thrown = ("heart", "bomb", "gift", "bomb", "scissors")
    camera.dice = [Lies(sign, (90 + 110 * i, 200 + 30 * i), 25 * i) for i, sign in enumerate(thrown)]
    game = app.context.table.game
    assert game is not None
    until(app, lambda: any(text.startswith("roll") for text in game.match.moves))
    assert game.match.moves[-1] == "roll heart bomb gift bomb scissors" and game.done[-1].by == "camera"


def test_what_was_said_of_dice_is_learned_at_the_next_throw_and_kept_when_nobody_looks_any_more(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera, die = Shown(), animals()
    app = make(open_camera=lambda setting, lock: camera)
    box, log = app.context.box, app.context.table.log

    def more() -> list[int]:
        """So many looks more are known, and so many are kept."""
        known = (box.get(die.name), DiceBox(box.file("x").parent).get(die.name))
        return [len(each.of) - len(die.of) for each in known if each]

    box.keep(die)
    click(app, "dice")
    camera.dice = [Lies("fox", (200, 200), 20)]
    until(app, lambda: len(log.throws) == 1)
    box.tell("own-1/fox", die.looks[0])
    with monkeypatch.context() as patched:
        again = Seen(photograph([]), (), State.RESTING, Throw((), 1.0, revises=True))
        patched.setattr(app.gaze, "see", lambda *look: iter([again]))
        until(app, lambda: isinstance(app.stage.top, DiceScreen) and app.stage.top.seen is again)
    assert more() == [0, 0], "what is read anew is no next throw"
    camera.dice = [Lies("wolf", (450, 300), 70)]
    until(app, lambda: bool(log.throws) and log.throws[0].faces == ("own-1/wolf",))
    assert more() == [1, 0]
    box.tell("own-1/wolf", die.looks[0])
    key(app, pygame.K_ESCAPE)
    until(app, lambda: app.gaze.lookout is None)
    assert more() == [2, 2]


def test_a_die_of_ones_own_is_taught_by_mouse_read_corrected_and_there_after_a_restart(make: Make) -> None:
    camera = Shown()
    app = make(open_camera=lambda setting, lock: camera)
    for name in ("settings", "teach", "add"):
        click(app, name)
    lesson = app.stage.top
    assert isinstance(lesson, LessonScreen)
    sides, turn = ("fox", "wolf"), 0
    while lesson.teacher.progress.face < len(sides):
        before = lesson.teacher.progress
        camera.dice = [Lies(sides[before.face], (300, 230), turn)]
        CLOCK.ahead += 0.3
        until(app, lambda before=before: lesson.teacher.progress is not before)  # type: ignore[misc]
        turn += 10
    click(app, "all")
    click(app, "done")
    for _ in range(2):
        key(app, pygame.K_ESCAPE)
    camera.dice = [Lies("fox", (200, 200), 20), Lies("pips-5", (320, 240), 30), Lies("wolf", (450, 210), 70)]
    click(app, "dice")
    log = app.context.table.log
    until(app, lambda: bool(log.throws))
    fox, five, wolf = log.throws[0].faces
    assert five == 5 and str(fox).endswith("/1") and str(wolf).endswith("/2")
    click(app, "die-0")
    click(app, "face-2")
    assert log.throws[0].faces == (str(fox)[:-1] + "2", 5, wolf)
    app.close()
    pygame.display.init()
    again = make(open_camera=lambda setting, lock: Shown())
    click(again, "dice")
    assert again.context.table.log.throws[0].faces == (str(fox)[:-1] + "2", 5, wolf)
    assert again.stage.awaited_die is not None, "the die is still known"
    click(again, "die-0")
    again.step()
    assert {"face-1", "face-2"} <= {widget.key for widget in again.stage.widgets()}


@pytest.mark.parametrize("where", ["lesson", "calibration"])
def test_dice_that_lay_in_a_lesson_or_a_trial_are_read_by_whoever_looks_next(make: Make, where: str) -> None:
    camera, seen = Shown(), list[Seen]()
    app = make(open_camera=lambda setting, lock: camera)
    camera.dice = [Lies("pips-5", (300, 230), 20)]
    click(app, "settings")
    if where == "lesson":
        click(app, "teach")
        click(app, "add")
    else:
        trial = CalibrateScreen(app.context)
        trial.part = Part.TRY
        app.stage.handle(Press("back"))
        app.stage.stack.append(trial)
    handle = app.stage.top.handle

    def watched(event: Event) -> Iterator[Step]:
        seen.extend([event] if isinstance(event, Seen) and event.throw else [])
        yield from handle(event)

    app.stage.top.handle = watched  # type: ignore[method-assign]
    until(app, lambda: bool(seen))
    while len(app.stage.stack) > 1:
        CLOCK.ahead += 2 * SETTLE_S
        key(app, pygame.K_ESCAPE)
    click(app, "dice")
    until(app, lambda: bool(app.context.table.log.throws))
    assert app.context.table.log.throws[0].faces == (5,)


def test_a_keyboard_writes_a_name_and_is_a_panel_again_afterwards(make: Make) -> None:
    app = make()
    click(app, "kabooom")
    click(app, "seat-0")
    app.step()
    for letter in "Udo":
        post(pygame.KEYDOWN, key=ord(letter.lower()), unicode=letter)
    app.step()
    assert isinstance(app.stage.top, PlayerScreen) and app.stage.top.seat.name == "Udo"
    post(pygame.KEYDOWN, key=pygame.K_BACKSPACE, unicode="\b")
    key(app, pygame.K_ESCAPE)
    assert isinstance(app.stage.top, SetupScreen) and app.stage.top.seating.rows[0].seat.name == "Ud"
    app.step()
    assert not app.window.typing


def test_the_screen_goes_dark_by_itself_and_the_waking_touch_presses_nothing(make: Make) -> None:
    clock = [1000.0]
    app = make(Settings(language="en", saver_min=5), now=lambda: clock[0])
    app.step()
    clock[0] += 301
    app.step()
    app.step()
    assert pygame.surfarray.array3d(app.window.surface).mean() < 3
    click(app, "kabooom")
    assert isinstance(app.stage.top, HomeScreen)
    click(app, "kabooom")
    assert isinstance(app.stage.top, SetupScreen)


def test_a_mistake_in_the_settings_of_a_game_is_said_where_it_begins(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "kabooom.yaml").write_text("bord: 4x6\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path))
    app = make()
    click(app, "kabooom")
    click(app, "start")
    click(app, "begins-0")
    screen = app.stage.top
    assert isinstance(screen, SetupScreen) and screen.trouble is not None
    assert "did you mean 'board'" in app.context.t.say(screen.trouble)


# Thinking


class Slow(Screen):
    """Takes a second to follow a touch; meanwhile somebody touches it again, or presses confirm."""

    def __init__(self, context: Context, again: Callable[[], None]) -> None:
        super().__init__(context)
        self.again, self.done = again, 0

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """One after the other at the same place."""
        return [Widget(f"part-{self.done}", Rect(100, 100, 80, 80), self._act, label="x", style="main")]

    def _act(self) -> Iterator[Step]:
        self.done += 1
        CLOCK.ahead += 1
        self.again()
        yield from ()


@pytest.mark.parametrize("by", ["finger", "panel"])
def test_what_nobody_has_seen_yet_is_not_touched_however_long_it_took_to_come(make: Make, by: str) -> None:
    app = make()

    def again() -> None:
        if by == "panel":
            app.put(Press("confirm"))
        else:
            for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
                post(kind, pos=(140, 140), button=1, touch=False)

    screen = Slow(app.context, again)
    app.stage.start_over(screen)
    app.step()
    CLOCK.ahead += 2 * SETTLE_S
    again()
    for _ in range(5):
        app.step()
    assert screen.done == 1
    click(app, "part-1")
    assert screen.done == 2


class Asking(Screen):
    """Asks when it is touched; notes the answers, and how often the loop came round."""

    def __init__(self, context: Context, question: Question) -> None:
        super().__init__(context)
        self.question, self.heard, self.rounds = question, list[object](), 0

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """To ask, and to ask no more."""
        return [
            Widget("ask", Rect(100, 100, 80, 80), lambda: iter([Ask(self.question)])),
            Widget("enough", Rect(300, 100, 80, 80), lambda: iter([Ask(None)])),
        ]

    def handle(self, event: Event) -> Iterator[Step]:
        if isinstance(event, Thoughts):
            self.heard.append(event.answer)
        elif isinstance(event, Tick):
            self.rounds += 1
        yield from ()

    @property
    def animating(self) -> bool:
        """It is drawn in every round that a picture is due."""
        return True


def test_the_loop_goes_on_and_people_are_heard_while_somebody_thinks(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make()
    screen = Asking(app.context, thinkers.Endless())
    app.stage.stack.append(screen)
    pictures = []
    monkeypatch.setattr(app.window, "show", lambda: pictures.append(screen.rounds))
    click(app, "ask")
    until(app, lambda: screen.heard == ["first"])
    rounds, drawn = screen.rounds, len(pictures)
    until(app, lambda: screen.rounds - rounds > 30 and len(pictures) - drawn > 20)
    click(app, "volume")
    assert app.stage.top is not screen, "a touch is followed at once"
    assert screen.heard == ["first"], "and it still thinks"
    key(app, pygame.K_ESCAPE)
    click(app, "enough")
    screen.question = thinkers.Question("next")
    click(app, "ask")
    until(app, lambda: screen.heard[1:] == ["next", "next"])


def test_a_computer_answers_a_person(make: Make) -> None:
    """All of it: the touch, the process that thinks, the move, which is on the disk."""
    app = make(settings=Settings(language="en", saver_min=0))
    book = books()["kabooom"]
    party = Party((Seat("Anna", "red"), Seat("", "blue", "computer", "mouse")))
    app.context.table.begin(book, book.agree(CONFIG), None, party)
    app.stage.stack.append(KabooomScreen(app.context))
    click(app, "a1")
    game = app.context.table.game
    assert game and len(game.done) == 1
    until(app, lambda: len(game.done) == 2 and KabooomScreen(app.context).mine)
    assert game.done[1].by == "companion"
    child = app.mind.child
    assert child
    app.close()
    assert app.mind.child is None and child.process.returncode is not None


def test_who_is_killed_while_a_computer_thinks_is_missed_by_nobody(make: Make) -> None:
    """Once; if that happens again, people are asked whether they play for it."""
    app = make()
    screen = Asking(app.context, thinkers.Endless())
    app.stage.stack.append(screen)
    click(app, "ask")
    for count, heard in ((1, ["first"]), (2, ["first", "first"])):
        until(app, lambda heard=heard: screen.heard == heard)  # type: ignore[misc]
        assert app.mind.child and count
        app.mind.child.process.kill()
    until(app, lambda: screen.heard == ["first", "first", None])


# The broker


class Deaf:
    """A broker that notes what it is told; it may fail as only a mistake of ours could make it."""

    def __init__(self, fails: bool = False) -> None:
        self.fails, self.closed = fails, False
        self.told: dict[str, bytes] = {}

    def post(self, topic: str, text: bytes) -> None:
        if self.fails:
            raise RuntimeError("a mistake of ours")
        self.told[topic] = text

    def close(self) -> None:
        self.closed = True


def told_to(app: App, broker: Deaf, trouble: Callable[[], Message | None] = lambda: None) -> None:
    app.bulletin = Bulletin(broker, MqttConfig(table="one"), app.context.table, trouble)


def test_a_broker_is_told_of_a_game_that_is_played_by_mouse(make: Make) -> None:
    app, broker = make(), Deaf()
    told_to(app, broker)
    app.step()
    assert b'"game":null' in broker.told["tabletop/one/game"]
    click(app, "kabooom")
    click(app, "start")
    click(app, "begins-0")
    app.step()
    assert b'"game":"kabooom"' in broker.told["tabletop/one/game"]
    app.close()
    assert broker.closed


def test_a_bulletin_that_fails_leaves_the_game_alone(make: Make) -> None:
    app, broker = make(), Deaf(fails=True)
    click(app, "kabooom")
    told_to(app, broker)
    app.step()
    assert app.bulletin is None and broker.closed
    assert isinstance(app.stage.top, SetupScreen) and app.context.notices == ()


def test_a_broker_that_somebody_must_see_to_is_a_notice_until_it_is_well(make: Make) -> None:
    app, troubles = make(), [Message("The broker refuses")]
    told_to(app, Deaf(), lambda: next(iter(troubles), None))
    app.step()
    assert list(app.context.notices) == troubles != []
    troubles.clear()
    app.step()
    assert not app.context.notices
