"""The settings: one table yields the commented file, the frozen values and the menu on the screen."""

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from companion.config.kinds import Camera, Choice, Corners, FileKind, Held, MenuKind, Number, Size
from companion.config.words import switch, word
from companion.language import Message, mark, verbatim

VOLUME = Number(0, 100, 10)
MEASURED = ("tray", "lock")  # settings that hold for one camera alone


def _about(kind: FileKind, comment: str) -> Mapping[str, Any]:
    """Return what is known about a setting besides its name, type and default."""
    return {"kind": kind, "comment": comment}


def _offered(kind: MenuKind, title: str, comment: str) -> Mapping[str, Any]:
    """Return the same for one that can be changed on the screen, where it has a title."""
    return {"title": title, **_about(kind, comment)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings in force."""

    language: str = field(
        default="auto",
        metadata=_offered(
            Choice(
                {"auto": "auto", "de": "de", "en": "en"},
                {"auto": Message("automatic"), "de": verbatim("Deutsch"), "en": verbatim("English")},
            ),
            mark("Language"),
            "Language of the screen and the voice; auto is the system's.",
        ),
    )
    voice: bool = field(
        default=True,
        metadata=_offered(
            switch(),
            mark("Voice"),
            "Whether throws and results are spoken.",
        ),
    )
    volume: int = field(
        default=70,
        metadata=_about(
            VOLUME,
            "How loud the voice and the sounds are, in percent.",
        ),
    )
    camera: str = field(
        default="auto",
        metadata=_offered(
            Camera(),
            mark("Camera"),
            "Where the dice are seen: auto takes the first camera that is found; usb:0 is the first USB"
            " camera, csi the Raspberry Pi's own, csi:1 its second one; http://… or rtsp://… is a phone or a"
            " network camera; a path is a picture, a folder of pictures or a video. Behind it stands"
            " upside-down if the camera hangs so: csi upside-down.",
        ),
    )
    tray: tuple[float, ...] | None = field(
        default=None,
        metadata=_about(
            Corners(),
            "Where the tray lies in the picture, and dice are looked for: its corners clockwise from the"
            " upper left, x and y in parts of the picture. The calibration on the screen writes it.",
        ),
    )
    lock: str | None = field(
        default=None,
        metadata=_about(
            Held(),
            "What the camera must not change by itself, in its own units. The calibration on the screen"
            " writes it.",
        ),
    )
    stopper_interval_s: float = field(
        default=1.2,
        metadata=_offered(
            Number(0.5, 5.0, 0.1, mark("{value} s")),
            mark("Stopper pace"),
            "Seconds between two throws of the automatic stopper.",
        ),
    )
    large_text: bool = field(
        default=False,
        metadata=_offered(
            switch(),
            mark("Large text"),
            "Whether texts are larger and bolder.",
        ),
    )
    high_contrast: bool = field(
        default=False,
        metadata=_offered(
            switch(),
            mark("High contrast"),
            "Whether everything is drawn on black, with bright edges.",
        ),
    )
    saver_min: int = field(
        default=10,
        metadata=_offered(
            Number(0, 60, 5, mark("{value} min")),
            mark("Screen saver"),
            "Minutes without a touch until the screen goes dark; 0 keeps it bright.",
        ),
    )
    size: tuple[int, int] | None = field(
        default=None,
        metadata=_about(Size(), "Size of the window in pixels; auto fits the screen."),
    )
    fullscreen: bool | None = field(
        default=None,
        metadata=_about(
            Choice({"auto": None, **switch().words}),
            "Whether the companion fills the screen; auto does on a Raspberry Pi.",
        ),
    )
    rotation: int = field(
        default=0,
        metadata=_about(
            Choice({str(degrees): degrees for degrees in (0, 90, 180, 270)}),
            "By how many degrees the screen is turned clockwise: what it shows is turned back, and where it"
            " is touched. On a desktop turn it there.",
        ),
    )
    panel: str = field(
        default="auto",
        metadata=_about(
            word("auto", "gpio", "none"),
            "The buttons and lamps of panel.yaml: gpio uses them, none does without; auto"
            " uses them on a Raspberry Pi.",
        ),
    )
    log_level: str = field(
        default="info",
        metadata=_about(
            word("debug", "info", "warning", "error"),
            "How much is logged for engineers; the service's log is read by:"
            " journalctl -u tabletop-companion (with a desktop: journalctl --user -u tabletop-companion)",
        ),
    )


@dataclass(frozen=True, slots=True)
class Setting:
    """One line of the table. `comment` is what the file says in English."""

    key: str
    default: Any
    kind: FileKind
    comment: str


@dataclass(frozen=True, slots=True)
class Offered:
    """A setting that can be changed on the screen. `title` is a text to translate."""

    key: str
    kind: MenuKind
    title: str


SETTINGS = tuple(
    Setting(entry.name, entry.default, entry.metadata["kind"], entry.metadata["comment"])
    for entry in fields(Settings)
)
OFFERED = tuple(
    Offered(entry.name, entry.metadata["kind"], entry.metadata["title"])
    for entry in fields(Settings)
    if "title" in entry.metadata
)
KINDS = {setting.key: setting.kind for setting in SETTINGS}


def comment(text: str) -> str:
    """Return `text` as lines of a YAML comment."""
    return "".join(f"# {line}\n" for line in textwrap.wrap(text, 96, break_on_hyphens=False))
