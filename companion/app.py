"""The loop: all that happens comes in by one queue, the screens answer, their effects are carried out."""

import contextlib
import logging
import logging.handlers
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import pygame

from companion import troubles
from companion.config import (
    ASSETS,
    ConfigError,
    Configuration,
    PanelConfig,
    SaveError,
    Settings,
    Value,
    machine_file,
    save,
)
from companion.events import (
    ButtonName,
    Buzz,
    Demonstrate,
    Dismiss,
    Effect,
    Event,
    EyeFailed,
    Hold,
    LampName,
    Looked,
    Press,
    Quit,
    Restart,
    Say,
    SayNumber,
    SayThrow,
    Seen,
    Set,
    Sound,
    SpeakersChanged,
    Tick,
)
from companion.eye.throws import Watcher
from companion.language import Message, Texts, system_language
from companion.lookout import Lookout
from companion.screens.base import CameraView, Context
from companion.screens.canvas import Canvas
from companion.screens.home import HomeScreen, resumed
from companion.screens.problems import ProblemsScreen
from companion.screens.stage import Stage
from companion.store import Store, StoreError
from companion.table import Table
from companion.voice import URGENT, Voice, VoiceState, number_phrase, throw_phrase, word_phrase
from companion.window import Window
from hardware.camera import Camera, CameraState
from hardware.panel import Held, Lamp, NoPanel, Panel, PanelError, PanelEvent, PanelPins, Pressed

log = logging.getLogger(__name__)
FRAME = 0.032  # seconds; waiting takes a little longer than asked, and 30 pictures a second are wanted
REOPEN = 2.0  # seconds between two attempts to open the sound device
DEMONSTRATION = str(ASSETS / "samples")
LAMPS: dict[LampName, Lamp] = {"off": Lamp.OFF, "on": Lamp.ON, "blink": Lamp.BLINK}


AnyPanel = Panel | NoPanel
OpenCamera = Callable[[str, bool], Camera]  # its setting, and whether a video begins again at its end
OpenPanel = Callable[[Callable[[PanelEvent], None]], AnyPanel]


def open_camera(setting: str, loop: bool) -> Camera:
    """The camera of a setting; `loop` plays a video over and over."""
    return Camera(setting, loop=loop)


def no_panel(on_event: Callable[[PanelEvent], None]) -> NoPanel:
    """The stand-in for the panel, which reports nothing."""
    return NoPanel()


class App:
    """One running companion. All its parts are given to it, so that a test can give others."""

    def __init__(
        self,
        settings: Settings,
        table: Table,
        voice: Voice,
        window: Window,
        data: Path,
        *,
        open_panel: OpenPanel = no_panel,
        open_camera: OpenCamera = open_camera,
        notices: Iterable[Message] = (),
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._queue: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._machine_file, self._open_camera, self._now = machine_file(data), open_camera, now
        self.window, self.voice = window, voice
        self.context = Context(Texts(spoken(settings)), settings, table, now=now())
        screens = [HomeScreen(self.context), *resumed(self.context)]
        self.stage = Stage(self.context, screens, window.surface)
        self._said = list(notices)  # stay until they are dismissed
        self._dismissed: list[Message] = []
        self._save_trouble: Message | None = None
        self.panel = self._panel(open_panel)
        self.camera: Camera | None = None
        self.lookout: Lookout | None = None
        self._lost = False
        self._watcher = Watcher()  # outlives the camera, so that dice that still lie there are no new throw
        self._lamps: dict[ButtonName, LampName] = {}
        self._stale, self._drawn, self._reopened = True, 0.0, 0.0
        self.done = False

    # the queue

    def put(self, event: Event) -> None:
        """Add something that happened; from any thread."""
        self._queue.put(event)

    def _from_panel(self, event: PanelEvent) -> None:
        button = cast(ButtonName, event.button)
        if isinstance(event, Pressed):
            self.put(Press(button))
        elif isinstance(event, Held):
            self.put(Hold(button))

    def _arrived(self) -> Iterator[Event]:
        """Everything that waits; if nothing does, whatever comes before the next picture is due."""
        wait = FRAME - (self._now() - self._drawn) if self._stale or self.stage.animating else FRAME
        try:
            yield self._queue.get(timeout=max(0.001, wait))
            while True:
                yield self._queue.get_nowait()
        except queue.Empty:
            return

    # the loop

    def run(self) -> None:
        """Go on until the window is closed."""
        try:
            while not self.done:
                self.step()
        finally:
            self.close()

    def step(self) -> None:
        """One turn: what happened, what follows, what is shown."""
        arrived = list(self._arrived())
        self.context.now = self._now()
        for event in [*arrived, *self.window.events(self.context.now), Tick(self.context.now)]:
            self._safely(partial(self._dispatch, event))
        self._safely(self._keep_up)
        if not arrived:
            self.voice.prepare()
        if (self._stale or self.stage.animating) and self._now() - self._drawn >= FRAME * 0.9:
            self._safely(self._draw)

    def _safely(self, act: Callable[[], None]) -> None:
        """A mistake of ours leads to the home screen and into the log, not out of the program."""
        try:
            act()
        except Exception:
            log.exception("a screen failed")
            if os.environ.get("COMPANION_DEV"):
                raise
            self._say_once(troubles.SCREEN_FAILED)
            self.stage.start_over(HomeScreen(self.context))

    def _dispatch(self, event: Event) -> None:
        if isinstance(event, Quit):
            self.done = True
        elif isinstance(event, EyeFailed):
            self._say_once(troubles.EYE_FAILED)
        elif isinstance(event, SpeakersChanged):
            self._follow_speakers(event)
        elif isinstance(event, Looked):
            self._watch(event)
            return
        effects = self.stage.handle(event)
        for effect in effects:
            self._carry_out(effect)
        self._stale |= bool(effects) or not isinstance(event, Tick)

    def _watch(self, look: Looked) -> None:
        """What a frame means for the throw; one that comes late from a camera that was left means nothing."""
        if look.by is self.lookout:
            high, wide = look.frame.shape[:2]
            throw = self._watcher.see(look.dice, look.moving, look.at, (wide, high))
            self._dispatch(Seen(look.frame, look.dice, self._watcher.state, throw))

    def _draw(self) -> None:
        self._drawn = self._now()
        animating = self.stage.animating  # once more after the last movement, so that it is seen to end
        self.stage.canvas = Canvas(self.window.surface)  # its size may have changed
        self.stage.draw()
        self.window.show()
        self._stale = animating

    # what screens want done

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Say(word):
                self.voice.say(word_phrase(word), urgent=word in URGENT)
            case SayNumber(number):
                self.voice.say(number_phrase(number))
            case SayThrow(faces):
                self.voice.say(throw_phrase(faces))
            case Sound(name):
                self.voice.sound(name)
            case Buzz(seconds):
                self._on_panel(lambda panel: panel.buzz(seconds))
            case Set(key, value):
                self._set(key, value)
            case Demonstrate(on):
                self._change_camera(on)
            case Dismiss(notice):
                self._dismissed.append(notice)

    def _set(self, key: str, value: Value) -> None:
        settings = self.context.settings = replace(self.context.settings, **cast(Any, {key: value}))
        self._save_trouble = None
        try:
            save(self._machine_file, {key: value})
        except SaveError as error:
            self._save_trouble = troubles.saving(error)
        except ConfigError as error:  # somebody has damaged the file since the start
            self._save_trouble = error.problems[0].message
        self.context.t = Texts(spoken(settings))
        self.voice.set(language=spoken(settings), volume=settings.volume, enabled=settings.voice)
        if key == "camera":
            self._change_camera(demonstration=False)

    # the panel

    def _panel(self, open_panel: OpenPanel) -> AnyPanel:
        try:
            return open_panel(self._from_panel)
        except PanelError as error:
            self._say_once(troubles.panel(error.kind.name, error.detail))
            return NoPanel()

    def _on_panel(self, act: Callable[[AnyPanel], None]) -> None:
        try:
            act(self.panel)
        except PanelError as error:
            self._say_once(troubles.panel(error.kind.name, error.detail))
            self.panel.close()
            self.panel = NoPanel()

    # what has to follow the state of things

    def _keep_up(self) -> None:
        self.context.table.retry(self.context.now)
        self._follow_camera()
        self._follow_notices()
        for button, state in self.stage.lamps().items():
            if self._lamps.get(button) != state:
                self._lamps[button] = state
                self._on_panel(partial(_light, button, LAMPS[state]))

    def _follow_camera(self) -> None:
        """The camera runs while a screen wants to look."""
        if not self.stage.wants_eye:
            self._look_away()
            return
        if self.camera is None:
            demonstration = self.context.camera.demonstration
            setting = DEMONSTRATION if demonstration else self.context.settings.camera
            self.camera = self._open_camera(setting, demonstration)
            self.lookout = Lookout(self.camera, self.put)
        status = self.camera.status
        self._tell_of_loss(status.kind is CameraState.LOST)
        view = replace(self.context.camera, trouble=troubles.camera(status.kind.name, status.source))
        self._stale |= view != self.context.camera
        self.context.camera = view

    def _tell_of_loss(self, lost: bool) -> None:
        """Whoever looks at the dice hears that the camera is gone, and that it is back."""
        if lost != self._lost:
            self._lost = lost
            self.voice.sound("lost" if lost else "found")
            self.voice.say(word_phrase("camera-missing" if lost else "camera-back"))

    def _follow_speakers(self, event: SpeakersChanged) -> None:
        """Take a loudspeaker that comes where there is none, or another for one that went.

        Opening the sound device reports all loudspeakers as new: it must not follow from that alone.
        """
        wanted = event.gone or self.voice.status.state is VoiceState.NO_DEVICE
        if wanted and self._now() - self._reopened >= REOPEN:
            self._reopened = self._now()
            self.voice.reopen()

    def _change_camera(self, demonstration: bool) -> None:
        """Another table is looked at from now on."""
        self.context.camera, self._lost = CameraView(demonstration=demonstration), False
        self._look_away()
        self._watcher = Watcher()

    def _look_away(self) -> None:
        if self.lookout:
            self.lookout.stop()
        self.camera = self.lookout = None

    def _say_once(self, notice: Message) -> None:
        self._dismissed = [each for each in self._dismissed if each != notice]
        if notice not in self._said:
            self._said.append(notice)

    def _follow_notices(self) -> None:
        voice = self.voice.status
        standing = [
            self.context.table.trouble,
            self._save_trouble,
            troubles.voice(voice.state.name, voice.detail),
        ]
        present = [*self._said, *filter(None, standing)]
        self._dismissed = [n for n in self._dismissed if n in present]  # what comes again is said again
        notices = tuple(n for n in present if n not in self._dismissed)
        self._stale |= notices != self.context.notices
        self.context.notices = notices

    def close(self) -> None:
        """Let camera, panel, voice, store and window go."""
        lookout = self.lookout
        self._look_away()
        if lookout:
            lookout.join(2.5)
        for part in (self.panel, self.voice, self.context.table, self.window):
            part.close()


def _light(button: ButtonName, lamp: Lamp, panel: AnyPanel) -> None:
    panel.lamp(button, lamp)


# opening all the parts


def start(configuration: Configuration, data: Path) -> int:
    """Open everything that is configured and run until the window is closed; the exit status."""
    settings, notices = configuration.settings, list[Message]()
    keep_log(data / "companion.log")
    try:
        window = open_window(settings)
    except pygame.error as error:
        print(Texts(spoken(settings)).say(troubles.no_screen(str(error))), file=sys.stderr)
        return 1
    table = open_table(data / "companion.db", notices)
    voice = Voice(ASSETS, spoken(settings), settings.volume, settings.voice)
    opener = partial(_gpio_panel, configuration.panel) if wants_gpio(settings) else no_panel
    App(settings, table, voice, window, data, open_panel=opener, notices=notices).run()
    return 0


def show_problems(lines: Sequence[str], texts: Texts) -> bool:
    """Show mistakes of the configuration until somebody wants to try again (True) or ends it."""
    window = Window(None, fullscreen=True, title="Tabletop Companion")
    context = Context(texts, Settings(), Table(Store.open(None)))
    stage = Stage(context, [ProblemsScreen(context, lines)], window.surface)
    pause = threading.Event()
    while not pause.wait(FRAME):
        stage.draw()
        window.show()
        for event in window.events(time.monotonic()):
            if isinstance(event, Quit):
                return False
            if Restart() in stage.handle(event):
                return True
    return False


def open_window(settings: Settings) -> Window:
    """The window that the settings ask for; by itself it fills a Raspberry Pi's screen, and only that."""
    whole = is_raspberry_pi() if settings.fullscreen is None else settings.fullscreen
    return Window(settings.size, fullscreen=whole, title="Tabletop Companion")


def open_table(path: Path, notices: list[Message]) -> Table:
    """The table with the store in a file, or, where that is impossible, in memory; a notice says so."""
    try:
        store = Store.open(path)
        table = Table(store)
    except StoreError as error:
        log.error("the store %s cannot be opened: %s", path, error)
        notices.append(troubles.no_store(error, path))
        return Table(Store.open(None))
    if store.set_aside:
        notices.append(troubles.set_aside(store.set_aside))
    return table


def wants_gpio(settings: Settings) -> bool:
    """Whether the panel on the pins is meant: asked for by name, or `auto` on a Raspberry Pi."""
    return settings.panel == "gpio" or (settings.panel == "auto" and is_raspberry_pi())


def _gpio_panel(pins: PanelConfig, on_event: Callable[[PanelEvent], None]) -> Panel:
    wiring = PanelPins(pins.buttons, pins.lamps, pins.buzzer)
    return Panel(wiring, on_event, settle=pins.bounce_s, hold=pins.hold_s)


def is_raspberry_pi(model: Path = Path("/proc/device-tree/model")) -> bool:
    """Whether this machine says that it is one."""
    return model.exists() and model.read_text(errors="replace").startswith("Raspberry Pi")


def spoken(settings: Settings) -> str:
    """The language of a setting; auto is the system's."""
    return system_language() if settings.language == "auto" else settings.language


def keep_log(path: Path) -> None:
    """Write what is for engineers to a file that never grows large; without one, to nowhere."""
    logging.raiseExceptions = False  # a full disk must not end a game
    handler: logging.Handler = logging.NullHandler()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(path, maxBytes=300_000, backupCount=2)
    logging.basicConfig(
        level=logging.INFO,
        handlers=[handler],
        force=True,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
