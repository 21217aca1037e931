"""The loop: all that happens comes in by one queue, the screens answer, their effects are carried out."""

import contextlib
import logging
import os
import queue
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from companion import troubles
from companion.bulletin import Bulletin
from companion.config import (
    MEASURED,
    Settings,
    Value,
    camera_file,
    is_measured,
    machine_file,
    save,
    with_camera,
)
from companion.dicebox import DiceBox
from companion.doctor import panel as panel_doctor
from companion.doctor.findings import Finding
from companion.events import (
    Ask,
    ButtonName,
    Buzz,
    Calibrated,
    Demonstrate,
    Dismiss,
    Drifted,
    Effect,
    Event,
    Examine,
    Examined,
    Expose,
    EyeFailed,
    Heard,
    Hold,
    LampName,
    Leave,
    LookAnew,
    Looked,
    Press,
    Quit,
    ReadTiles,
    Say,
    SayNumber,
    SayThrow,
    Seen,
    Set,
    Sound,
    SpeakersChanged,
    SwitchOff,
    Tick,
    TilesRead,
)
from companion.eye.tiles import see_tiles
from companion.gaze import Gaze, OpenCamera, open_camera
from companion.journal import RETRY
from companion.language import Message, Texts, spoken
from companion.loudspeaker import Search
from companion.mind.mind import Mind
from companion.notices import Notices
from companion.screens.base import Context
from companion.screens.home import HomeScreen, resumed
from companion.screens.stage import Stage
from companion.table import Table
from companion.tray.drift import adopt
from companion.tray.words import DRIFTS
from companion.voice import URGENT, Voice, VoiceState, number_phrase, throw_phrase, word_phrase
from companion.window import Window
from hardware.panel import Held, Lamp, NoPanel, Panel, PanelError, PanelEvent, PanelProblem, Pressed
from hardware.service import NOBODY, PowerError, Supervisor

log = logging.getLogger(__name__)
FRAME = 0.032  # seconds; waiting takes a little longer than asked, and 30 pictures a second are wanted
GLANCE = 5.0  # seconds between two looks at the panel
REOPEN = 2.0  # seconds between two attempts to open the sound device
BUZZ = 0.8  # seconds for which the panel's buzzer sounds


AnyPanel = Panel | NoPanel
OpenPanel = Callable[[Callable[[PanelEvent], None]], AnyPanel]


def no_panel(on_event: Callable[[PanelEvent], None]) -> NoPanel:
    """The stand-in for the panel, which reports nothing."""
    return NoPanel()


class App:
    """One running companion. All its parts are given to it, so that a test can give others.

    `own` are the settings of the user's own file, `files` what all files say, where the command line says
    otherwise.
    """

    def __init__(
        self,
        settings: Settings,
        table: Table,
        voice: Voice,
        window: Window,
        data: Path,
        *,
        own: Settings | None = None,
        files: Settings | None = None,
        open_panel: OpenPanel = no_panel,
        open_camera: OpenCamera = open_camera,
        service: Supervisor = NOBODY,
        notices: Iterable[Message] = (),
        examine: Callable[[], Iterable[Finding]] = tuple,
        bulletin: Bulletin | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._queue: queue.Queue[Event] = queue.Queue()
        self._data, self._machine_file, self._now = data, machine_file(data), now
        self.window, self.voice, self.service, self.bulletin = window, voice, service, bulletin
        texts = Texts(spoken(settings.language))
        box = DiceBox(data / "dice")
        self.context = Context(
            texts,
            settings,
            table,
            own or settings,
            can_switch_off=service.can_switch_off,
            desktop=window.desktop,
            now=now(),
            data=data,
            box=box,
        )
        screens = [HomeScreen(self.context), *resumed(self.context)]
        self.stage = Stage(self.context, screens, window.surface)
        self.notices = Notices(notices)
        self._files = files or settings
        if self._files.tray:
            try:
                adopt(data, self._files.camera)
            except OSError as error:
                self.notices.say(troubles.keeping_tray(error))
        self._save_trouble: Message | None = None
        self._unsaved = defaultdict[Path, dict[str, Value]](dict)  # of each file
        self._saved = 0.0
        self._examine_machine, self._panel_wanted = examine, open_panel is not no_panel
        self._lamps: dict[ButtonName, LampName] = {}
        self._open_panel, self._panel_seen = open_panel, now()
        self._panel_problem: PanelError | None = None
        self.panel: AnyPanel = NoPanel()
        self._seek_panel()
        self._speakers = Search()
        self.mind = Mind(self.put)
        self.gaze = Gaze(self.context, open_camera, self.put)
        self._stale, self._drawn, self._reopened = True, 0.0, 0.0
        self._passing: tuple[object, ...] = ()  # what comes and goes by itself
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
        self.service.alive(self._now())

    def _safely(self, act: Callable[[], None]) -> None:
        """A mistake of ours leads to the home screen and into the log, not out of the program."""
        try:
            act()
        except Exception:
            log.exception("a screen failed")
            if os.environ.get("COMPANION_DEV"):
                raise
            self.notices.say(troubles.SCREEN_FAILED)
            self.stage.start_over(HomeScreen(self.context))
            if self.context.camera.demonstration:
                self.gaze.elsewhere(demonstration=False)

    def _dispatch(self, event: Event) -> None:
        if isinstance(event, Quit):
            self.done = True
        elif isinstance(event, EyeFailed):
            if event.by is self.gaze.lookout:
                self.notices.say(troubles.EYE_FAILED)
        elif isinstance(event, Drifted):
            self.gaze.drifts(event)
        elif isinstance(event, SpeakersChanged):
            self._follow_speakers(event)
        elif isinstance(event, Looked):
            self._watch(event)
            return
        elif isinstance(event, Heard):
            for thoughts in self.mind.hear(event):
                self._dispatch(thoughts)
            return
        effects = self.stage.handle(event)
        for effect in effects:
            self._carry_out(effect)
        self._stale |= bool(effects) or not isinstance(event, Tick)

    def _watch(self, look: Looked) -> None:
        look.by.taken()
        if not self.stage.wants_eye:
            return  # since a moment ago
        stage = self.stage
        for step in self.gaze.see(look, stage.awaited_die, stage.dice_awaited, stage.awaits_throw):
            if isinstance(step, Seen):
                # After the next throw nobody takes back any more what was said of the last.
                if step.throw and not step.throw.revises:
                    self.context.box.learn()
                self._dispatch(step)
            else:
                self._carry_out(step)

    def _draw(self) -> None:
        self._drawn = self._now()
        animating = self.stage.animating  # once more after the last movement, so that it is seen to end
        self.stage.look_at(self.window.surface)  # its size may have changed
        self.stage.draw()
        self.window.show()
        self.context.now = self._now()
        self.stage.was_shown()
        self.service.ready()
        self._stale = animating

    # what screens want done

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Say(word, then):
                self.voice.say((*word_phrase(word), *then), urgent=word in URGENT)
            case SayNumber(number):
                self.voice.say(number_phrase(number))
            case SayThrow(faces):
                self.voice.say(throw_phrase(faces))
            case Sound(name):
                self.voice.sound(name)
            case Buzz():
                if self.context.settings.volume:  # whoever wants silence means the buzzer, too
                    self._on_panel(lambda panel: panel.buzz(BUZZ))
            case Set(key, value):
                self._set(key, value)
            case Demonstrate(on):
                self.gaze.elsewhere(on)
            case Ask(question):
                self.mind.ask(question)
            case Dismiss(notice):
                self.notices.dismiss(notice)
            case SwitchOff():
                self._switch_off()
            case Leave():
                self.done = True
            case LookAnew():
                self.gaze.look_anew()
            case Expose(how):
                self.gaze.expose(how)
            case Calibrated():
                self._calibrated(effect)
            case Examine():
                pins = self._pins()
                failed: Event = Examined((pins, troubles.NO_EXAMINATION))
                self._meanwhile("doctor", lambda: Examined((pins, *self._examine_machine())), failed)
            case ReadTiles(frame):
                self._meanwhile("tiles", lambda: TilesRead(frame, see_tiles(frame)), TilesRead(frame, ()))

    def _meanwhile(self, name: str, work: Callable[[], Event], failed: Event) -> None:
        """Do what takes long on a thread of its own. What comes of it is put into the queue, or, after a
        mistake of ours, that it has `failed`: without an answer a screen would wait for ever.
        """

        def run() -> None:
            try:
                done = work()
            except Exception:
                log.exception("%s: a mistake", name)
                done = failed
            self.put(done)

        threading.Thread(target=run, name=name, daemon=True).start()

    def _switch_off(self) -> None:
        log.info("the machine is switched off from the screen")
        try:
            self.service.switch_off()
        except PowerError as error:
            self.notices.say(troubles.power(str(error)))

    def _set(self, key: str, value: Value) -> None:
        before = self.context.settings
        self._unsaved[self._machine_file][key] = value
        if key == "camera" and value != before.camera:
            self._change(self._another_camera(before, str(value)))
        else:
            self._change(replace(before, **cast(Any, {key: value})))
        if key == "camera":
            self.gaze.elsewhere(demonstration=False)
            self.gaze.frame_anew()

    def _change(self, settings: Settings) -> None:
        """These hold from now on."""
        self.context.settings = settings
        if self._save_trouble:
            self.notices.again(self._save_trouble)
        self._save()  # if it fails once more, that is said once more
        self.context.t = Texts(spoken(settings.language))
        self.voice.set(self.context.t.language, settings.volume, settings.voice)

    def _another_camera(self, before: Settings, camera: str) -> Settings:
        """What was measured with one camera holds for that one, also when it is chosen again: versions before
        have kept that of the camera in the settings beside it, and not in the file of that camera.
        """
        kept = {name: getattr(self._files, name) for name in MEASURED}
        own = self._files.camera
        stands = camera_file(self._data, own) in self._unsaved or is_measured(self._data, own)
        if any(kept.values()) and not stands:
            self._measured(own, kept)
        self._unsaved[self._machine_file] |= dict.fromkeys(MEASURED)
        unsaved = self._unsaved.get(camera_file(self._data, camera), {})
        return replace(with_camera(before, self._data, camera), **cast(Any, unsaved))

    def _measured(self, camera: str, kept: Mapping[str, Value]) -> None:
        self._unsaved[camera_file(self._data, camera)] = {"camera": camera, **kept}

    def _save(self) -> None:
        """Write what was changed, with what could not be written before; what was measured comes first, so
        that it is always in one of the files.
        """
        self._saved, self._save_trouble = self._now(), None
        try:
            for file in sorted(self._unsaved, key=self._machine_file.__eq__):
                save(file, self._unsaved[file])
            self._unsaved.clear()
        except OSError as error:
            self._save_trouble = troubles.saving(error, file.parent)

    def _save_again(self) -> None:
        """Write what could not be written before: the disk may take it now."""
        if self._unsaved and self._now() - self._saved >= RETRY:
            self._save()

    # the calibration

    def _calibrated(self, found: Calibrated) -> None:
        """Keep where the tray lies, what the camera holds, and the picture by which a drift is seen."""
        held = self.gaze.held
        kept: dict[str, Value] = {"tray": found.tray, "lock": str(held) if held and held.values else None}
        settings = self.context.settings
        self._measured(settings.camera, kept)
        self._change(replace(settings, **cast(Any, kept)))
        try:  # after the tray: if it ends between them, a tray is said to have moved that has not
            self.gaze.keep(found.frame)
        except OSError as error:
            self.notices.say(troubles.keeping_tray(error))
        self.gaze.frame_anew()

    # the doctor

    def _pins(self) -> Finding:
        """What is known of the panel's pins."""
        problem = self._panel_problem
        said = (problem.kind.name, problem.detail) if problem else None
        return panel_doctor.pins(self._panel_wanted, said, panel_doctor.chips())

    # the panel

    def _seek_panel(self) -> None:
        """Take the panel, if it is there."""
        try:
            self.panel = self._open_panel(self._from_panel)
        except PanelError as error:
            self._miss_panel(error)
        else:
            self._panel_problem = None
            self._lamps.clear()  # they are to be lit anew

    def _miss_panel(self, error: PanelError) -> None:
        """Of one that is lost, nothing is to be said but that, until it is found."""
        before = self._panel_problem
        if before is None or before.kind not in (PanelProblem.LOST, error.kind):
            self._panel_problem = error
            log.warning("the panel: %s", error)

    def _on_panel(self, act: Callable[[AnyPanel], object]) -> None:
        try:
            act(self.panel)
        except PanelError as error:
            self._miss_panel(error)
            self.panel.close()
            self.panel = NoPanel()

    def _follow_panel(self) -> None:
        """See now and then whether it is there: one whose lamps do not change would not be missed."""
        if self._now() - self._panel_seen >= GLANCE:
            self._panel_seen = self._now()
            if self._panel_problem:
                self._seek_panel()
            else:
                self._on_panel(lambda panel: panel.down)

    # what has to follow the state of things

    def _keep_up(self) -> None:
        self.context.table.retry(self.context.now)
        self._save_again()
        self.window.typing = self.stage.top.typing
        passing = self.stage.top, self.stage.saver, self.stage.toast
        self._stale |= passing != self._passing
        self._passing = passing
        self._follow_camera()
        self._follow_panel()
        self._follow_sound()
        self._follow_notices()
        self._follow_bulletin()
        self.service.status(self._status)
        for button, state in self.stage.lamps().items():
            if self._lamps.get(button) != state:
                self._lamps[button] = state
                self._on_panel(partial(_light, button, Lamp(state)))

    @property
    def _status(self) -> str:
        """What goes on, for whoever looks after the machine."""
        camera = self.gaze.camera.status.kind.value if self.gaze.camera else "off"
        screen = self.stage.top.title or type(self.stage.top).__name__
        return f"{screen}; camera: {camera}; notices: {len(self.context.notices)}"

    def _follow_bulletin(self) -> None:
        """A mistake of ours in what is told elsewhere costs nobody the game: nothing more is told then."""
        if self.bulletin is None:
            return
        try:
            self.bulletin.follow(self.context.table, self.context.t)
        except Exception:
            log.exception("the broker is told nothing any more")
            if os.environ.get("COMPANION_DEV"):
                raise
            self.bulletin.close()
            self.bulletin = None

    def _follow_camera(self) -> None:
        before = self.context.camera
        for effect in self.gaze.follow(self.stage.wants_eye, self.stage.awaited_die):
            self._carry_out(effect)
        self._stale |= before != self.context.camera

    def _follow_sound(self) -> None:
        """Look for a loudspeaker while there is none: the system says nothing of it then."""
        if self.voice.status.state is not VoiceState.NO_DEVICE:
            self._speakers.over()
        elif self._speakers.due(self.context.now):
            self.voice.reopen()

    def _follow_speakers(self, event: SpeakersChanged) -> None:
        """Take a loudspeaker that comes where there is none, or another for one that went.

        Opening the sound device reports all loudspeakers as new: it must not follow from that alone.
        """
        wanted = event.gone or self.voice.status.state is VoiceState.NO_DEVICE
        if wanted and self._now() - self._reopened >= REOPEN:
            self._reopened = self._now()
            self.voice.reopen()

    def _follow_notices(self) -> None:
        voice, problem = self.voice.status, self._panel_problem
        standing = [
            self.context.table.trouble,
            self._save_trouble,
            troubles.voice(voice.state.name, voice.detail),
            troubles.panel(problem.kind.name, problem.detail) if problem else None,
            self.bulletin.trouble if self.bulletin else None,
            DRIFTS[self.gaze.drift] if self.gaze.drift else None,
        ]
        notices = self.notices.shown(standing)
        self._stale |= notices != self.context.notices
        self.context.notices = notices

    def close(self) -> None:
        """Let table, camera, mind, panel, voice, window and broker go; one that fails keeps no other."""
        self.service.stopping()
        with contextlib.ExitStack() as parts:
            if self.bulletin:
                parts.callback(self.bulletin.close)
            for part in (self.window, self.voice, self.panel, self.mind):
                parts.callback(part.close)
            parts.callback(self.gaze.close)
            if self._unsaved:
                parts.callback(self._save)
            parts.callback(self._close_table)  # first: it writes what waits

    def _close_table(self) -> None:
        if not self.context.table.close():
            log.error("not all could be stored: what was played since then is lost")


def _light(button: ButtonName, lamp: Lamp, panel: AnyPanel) -> None:
    panel.lamp(button, lamp)
