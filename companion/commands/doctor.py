"""`companion doctor`: what is well and what is not, each with what to do; `companion tray-sheet`."""

import argparse
import json
import os
import select
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from companion.config import (
    PanelConfig,
    Settings,
    config_dir,
    data_dir,
    store_file,
    understood,
    with_camera,
)
from companion.doctor import camera as eye
from companion.doctor import panel as buttons
from companion.doctor.findings import Finding, Health, healthy
from companion.doctor.machine import machine
from companion.eye.motion import Motion
from companion.games.book import books
from companion.language import Message, Texts, ToldError, mark
from companion.store import hindrance, in_use
from companion.tray.drift import kept, reference
from companion.tray.light import LightMeter
from companion.tray.region import Tray
from companion.tray.sheet import PAPER, Sheet, SheetError
from companion.whole import write
from hardware.camera import Camera, CameraState, Lock, Picture
from hardware.panel import NoPanel, Panel, PanelError, PanelEvent, PanelPins, PanelProblem, Pressed

SIGNS = {Health.OK: ("✓", "32"), Health.WARN: ("!", "33"), Health.BAD: ("✗", "31")}
BEGINNING = 18.0  # seconds for which the first picture is waited for
LOOKING = 6.0  # seconds for which others are
PICTURES = 20  # that are looked at
WAITING = 30.0  # seconds in which all buttons are to be pressed
GIVEN_UP = (
    CameraState.DENIED,
    CameraState.BUSY,
    CameraState.NO_TOOL,
    CameraState.UNREADABLE,
    CameraState.EMPTY,
)
OpenPanel = Callable[[PanelPins, Callable[[PanelEvent], None]], Panel]


def doctor(
    options: argparse.Namespace, texts: Texts, open_panel: OpenPanel = Panel, wants: bool | None = None
) -> int:
    """Say what was found; 1 if anything is wrong. `open_panel` and `wants` (a panel) are for tests."""
    teller = _Json(texts) if options.json else _Lines(texts)
    configuration = understood(config_dir(), data_dir())
    settings, pins = configuration.settings, configuration.panel
    setting = options.camera or settings.camera
    measured = with_camera(settings, data_dir(), setting)
    asks = not options.json and sys.stdin.isatty() and sys.stdout.isatty()
    found: list[Finding] = []
    for finding in (
        *look(measured, reference(data_dir(), setting), named=options.camera is not None),
        *_panel(pins, _wants(settings) if wants is None else wants, open_panel, texts if asks else None),
        *machine(
            config_dir(),
            data_dir(),
            hindrance(store_file(data_dir())),
            [book.agree for book in books().values()],
        ),
    ):
        found.append(finding)
        teller.tell(finding)
    teller.end(found)
    return 0 if healthy(found) else 1


def _wants(settings: Settings) -> bool:
    from companion.opening import wants_gpio  # pygame

    return wants_gpio(settings)


class _Lines:
    """For people: a line each, and what to do below it."""

    def __init__(self, texts: Texts) -> None:
        self._t = texts
        self._colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR")

    def tell(self, finding: Finding) -> None:
        sign, colour = SIGNS[finding.health]
        sign = f"\033[{colour}m{sign}\033[0m" if self._colours else sign
        print(f"{sign} {self._t.say(finding.what)}", flush=True)
        if finding.todo:
            print(f"    {self._t.say(finding.todo)}", flush=True)

    def end(self, findings: Sequence[Finding]) -> None:
        """Say it all in one line."""
        wrong = sum(each.health is Health.BAD for each in findings)
        better = sum(each.health is Health.WARN for each in findings)
        t = self._t
        if wrong:
            print(t("Wrong: {wrong}. Could be better: {better}.", wrong=wrong, better=better))
        elif better:
            print(t("Nothing is wrong. Could be better: {better}.", better=better))
        else:
            print(t("All is well."))


class _Json:
    """For programs: one object."""

    def __init__(self, texts: Texts) -> None:
        self._t = texts

    def tell(self, finding: Finding) -> None:
        """All is told at the end."""

    def end(self, findings: Sequence[Finding]) -> None:
        """Print it."""
        lines = [
            {
                "name": each.name,
                "state": each.health.value,
                "what": self._t.say(each.what),
                "todo": self._t.say(each.todo) if each.todo else None,
            }
            for each in findings
        ]
        print(json.dumps({"ok": healthy(findings), "findings": lines}, ensure_ascii=False, indent=1))


def look(settings: Settings, reference: Path, named: bool) -> Iterator[Finding]:
    """Everything about the camera of these settings, with what was measured of it; the command line may have
    `named` it.
    """
    tray = Tray.of(settings.tray)
    with Camera(settings.camera, lock=Lock.saved(settings.lock)) as camera:
        pictures = _pictures(camera)
        status = camera.status
    if not pictures and status.kind is CameraState.BUSY and in_use(store_file(data_dir())):
        yield eye.TAKEN
        return
    if not pictures:
        yield eye.found(status.kind.name, status.source, status.detail, named)
        return
    over = status.kind is CameraState.ENDED  # a video may be
    yield eye.found("LIVE" if over else status.kind.name, status.source, status.detail, named)
    if len(pictures) > 1:
        yield eye.rate(pictures[-1].number - pictures[0].number, pictures[-1].at - pictures[0].at)
    meter, motion = LightMeter(), Motion()
    for picture in pictures:
        flaws = meter.see(picture.image, tray, not motion.see(picture.image).anywhere)
    yield from eye.light(flaws, pictures[-1].image, tray)
    yield eye.tray_in_view(pictures[-1].image, tray, kept(reference))


def _pictures(camera: Camera) -> list[Picture]:
    """The first pictures, as many as come in a few seconds."""
    until, found = time.monotonic() + BEGINNING, list[Picture]()
    while len(found) < PICTURES and time.monotonic() < until and camera.status.kind not in GIVEN_UP:
        picture = camera.wait(found[-1].number if found else 0, 0.25)
        if picture:
            until = until if found else time.monotonic() + LOOKING
            found.append(picture)
        elif not found and camera.status.kind is CameraState.MISSING:
            break
    return found


def _panel(pins: PanelConfig, wanted: bool, open_panel: OpenPanel, texts: Texts | None) -> Iterator[Finding]:
    """The panel's pins, and each button: pressed by somebody, if `texts` can ask for it, else at rest."""
    seen: set[str] = set()
    every = threading.Event()

    def heard(event: PanelEvent) -> None:
        if isinstance(event, Pressed):
            seen.add(event.button)
            if seen >= set(pins.buttons):
                every.set()

    panel: Panel | NoPanel = NoPanel()
    problem = None
    try:
        if wanted:
            panel = open_panel(PanelPins(pins.buttons, pins.lamps, pins.buzzer), heard)
    except PanelError as error:
        problem = (error.kind.name, error.detail)
    if problem and problem[0] == PanelProblem.PIN_BUSY.name and in_use(store_file(data_dir())):
        yield buttons.TAKEN
        return
    with panel:
        yield buttons.pins(wanted, problem, buttons.chips())
        if not wanted or problem:
            return
        if texts is None or not pins.buttons:
            yield from buttons.lines(pins.buttons, panel.down)
            return
        before = panel.down
        print(texts("Press each button of the panel, one after the other; Enter ends it."), flush=True)
        _wait(every)
        yield from buttons.pressed(pins.buttons, seen, before & panel.down)


def _wait(every: threading.Event) -> None:
    """Until all buttons were pressed, or Enter was, or nobody wants to."""
    until = time.monotonic() + WAITING
    while not every.is_set() and time.monotonic() < until:
        ready, _, _ = select.select([sys.stdin], [], [], 0.1)
        if ready:
            sys.stdin.readline()
            return


def tray_sheet(options: argparse.Namespace, texts: Texts) -> int:
    """Write the sheet for the floor of the tray, as SVG."""
    try:
        sheet = Sheet(*_size(options.inner))
    except ValueError as error:
        fields = {"text": options.inner, "most": f"{PAPER[0] - 10:g}x{PAPER[1] - 10:g}"}
        text = mark("'{text}' is no sheet that fits on A4; write WIDTHxHEIGHT in mm, from 60x60 to {most}")
        raise ToldError(Message(text, fields)) from error
    if options.file is None:
        print(sheet.svg(texts), end="")
    else:
        write(options.file, sheet.svg(texts))
    return 0


def _size(text: str) -> tuple[float, float]:
    wide, _, high = text.lower().replace("×", "x").partition("x")
    try:
        return float(wide), float(high)
    except ValueError as error:
        raise SheetError(text) from error
