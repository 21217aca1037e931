"""The parts of a companion are opened here, and what cannot be opened is said."""

import logging
import signal
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import get_args

import pygame

from companion import troubles
from companion.app import FRAME, App, no_panel
from companion.bulletin import Bulletin
from companion.config import (
    ASSETS,
    ConfigError,
    Configuration,
    MqttConfig,
    PanelConfig,
    Settings,
    config_dir,
    store_file,
)
from companion.doctor.machine import machine
from companion.events import Proceed, Quit, Restart
from companion.games.book import books
from companion.language import Message, Texts, spoken
from companion.memory import return_large_pieces
from companion.screens.base import Context
from companion.screens.problems import ProblemsScreen
from companion.screens.stage import Stage
from companion.screens.theme import Face, font
from companion.store import Store, StoreError, StoreErrorKind
from companion.table import Table
from companion.voice import Voice
from companion.window import Window
from hardware.panel import Panel, PanelEvent, PanelPins
from hardware.service import NOBODY, JournalFormatter, Supervisor, goes_to_journal

log = logging.getLogger(__name__)


def start(configuration: Configuration, data: Path, service: Supervisor = NOBODY) -> int:
    """Open everything that is configured and run until the window is closed; the exit status."""
    settings, notices = configuration.settings, list[Message]()
    keep_log(settings.log_level)
    if configuration.foreign:
        log.warning("%s", ConfigError(configuration.foreign))
        notices.append(troubles.foreign_settings(configuration.foreign))
    if configuration.mistakes:
        notices.append(troubles.mistakes(configuration.mistakes))
    return_large_pieces()
    try:
        window = open_window(settings)
    except pygame.error as error:
        print(Texts(spoken(settings.language)).say(troubles.no_screen(str(error))), file=sys.stderr)
        return 1
    heed_hangup()
    table = open_table(store_file(data), notices)
    voice = Voice(ASSETS, spoken(settings.language), settings.volume, settings.voice)
    opener = partial(_gpio_panel, configuration.panel) if wants_gpio(settings) else no_panel
    examine = partial(machine, config_dir(), data, table.hindrance, [book.agree for book in books().values()])
    App(
        settings,
        table,
        voice,
        window,
        data,
        own=configuration.written,
        files=configuration.files,
        open_panel=opener,
        service=service,
        notices=notices,
        examine=examine,
        bulletin=open_bulletin(configuration.mqtt, table, notices),
    ).run()
    return 0


def heed_hangup() -> None:
    """Let a terminal that is closed end the program as SIGTERM does, of which SDL makes the end of the
    window; unless it was started to outlive that (nohup).
    """
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))


def show_problems(
    lines: Sequence[str], settings: Settings, service: Supervisor = NOBODY
) -> Restart | Proceed | None:
    """Show mistakes of the configuration, as the settings want it that are right, until somebody chooses how
    to go on, or ends it (None). Without a screen to show them on, nobody can.
    """
    texts = Texts(spoken(settings.language))
    try:
        window = Window(None, fullscreen=True, rotation=settings.rotation)
    except pygame.error as error:
        print(texts.say(troubles.no_screen(str(error))), file=sys.stderr)
        return None
    table, clock = Table(Store.open(None)), pygame.time.Clock()
    context = Context(texts, settings, table, now=time.monotonic())
    stage = Stage(context, [ProblemsScreen(context, lines)], window.surface)
    try:
        while True:
            stage.look_at(window.surface)  # its size may have changed
            stage.draw()
            window.show()
            service.ready()
            context.now = time.monotonic()
            service.alive(context.now)
            for event in window.events(context.now):
                if isinstance(event, Quit):
                    return None
                for effect in stage.handle(event):
                    if isinstance(effect, Restart | Proceed):
                        return effect
            clock.tick(1 / FRAME)
    finally:
        table.close()
        window.close()


def open_window(settings: Settings) -> Window:
    """The window that the settings ask for; by itself it fills a Raspberry Pi's screen, and only that. Raises
    `DamagedFileError` if nothing can be written in it.
    """
    whole = is_raspberry_pi() if settings.fullscreen is None else settings.fullscreen
    window = Window(settings.size, fullscreen=whole, rotation=settings.rotation)
    for face in get_args(Face):
        font(face, 20)
    return window


def open_table(path: Path, notices: list[Message]) -> Table:
    """The table with the store in a file, or, where that is impossible, in memory; that is said."""
    try:
        store = _open_store(path)
        table = Table(store)
    except StoreError as error:
        log.error("the store %s cannot be opened: %s", path, error)
        notices.append(troubles.no_store(error, path))
        table = Table(Store.open(None))
        table.hindrance = error
        return table
    if store.set_aside:
        notices.append(troubles.set_aside(store.set_aside))
    if table.unplayable:
        notices.append(troubles.unplayable(table.unplayable))
    return table


def _open_store(path: Path) -> Store:
    """The store in a file; if its disk cannot be written now, what stands in for it."""
    try:
        return Store.open(path, alone=True)
    except StoreError as error:
        if not error.unwritable:
            raise
        log.error("the store %s cannot be written: %s", path, error)
        return Store.standing_in(path, error)


def open_bulletin(config: MqttConfig, table: Table, notices: list[Message]) -> Bulletin | None:
    """What tells the broker of the table, if that is wanted; where it is impossible, a notice says why.

    Whoever does not have the store because another companion has it is not the table that bears the name.
    """
    if not config.enabled:
        return None
    if table.hindrance and table.hindrance.kind is StoreErrorKind.LOCKED:
        log.warning("the broker is told nothing: another companion is the table")
        return None
    from hardware.broker import Account, Broker, BrokerError, connector  # it takes time, and few want it

    account = Account(
        host=config.host,
        port=config.port_number,
        client=config.client,
        username=config.username,
        password=config.password,
        tls=config.tls,
        authority=config.ca_file,
    )
    try:
        broker = Broker(connector(account, config.topic_of("status")), config.topic_of("status"))
    except BrokerError as error:
        notices.extend(filter(None, [troubles.broker(error.state.name, error.detail, config)]))
        return None

    def trouble() -> Message | None:
        return troubles.broker(broker.status.state.name, broker.status.detail, config)

    return Bulletin(broker, config, table, trouble)


def wants_gpio(settings: Settings) -> bool:
    """Whether the panel on the pins is meant: asked for by name, or `auto` on a Raspberry Pi."""
    return settings.panel == "gpio" or (settings.panel == "auto" and is_raspberry_pi())


def _gpio_panel(pins: PanelConfig, on_event: Callable[[PanelEvent], None]) -> Panel:
    wiring = PanelPins(pins.buttons, pins.lamps, pins.buzzer)
    return Panel(wiring, on_event, settle=pins.bounce_s, hold=pins.hold_s)


def is_raspberry_pi(model: Path = Path("/proc/device-tree/model")) -> bool:
    """Whether this machine says that it is one."""
    return model.exists() and model.read_text(errors="replace").startswith("Raspberry Pi")


def keep_log(level: str) -> None:
    """Write what is for engineers to standard error; the journal of a service sorts it by its levels."""
    logging.raiseExceptions = False  # a log that nobody takes must not end a game
    handler = logging.StreamHandler()
    plain = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handler.setFormatter(JournalFormatter("%(name)s: %(message)s") if goes_to_journal() else plain)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
