"""What a screen is: things to touch, a picture, and an answer to every event."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pygame import Rect

from companion.config import Settings, config_dir, data_dir
from companion.dicebox import DiceBox
from companion.events import ButtonName, Effect, Event, LampName
from companion.eye.taught import Taught
from companion.language import Message, Texts, mark
from companion.players import AboutToPlay
from companion.screens.canvas import Canvas
from companion.screens.theme import NEUTRAL, Rgb
from companion.table import Table


@dataclass(frozen=True, slots=True)
class Go:
    """Open a screen on top of this one."""

    screen: "Screen"


@dataclass(frozen=True, slots=True)
class Back:
    """Close this screen."""


@dataclass(frozen=True, slots=True)
class Home:
    """Close all screens but the first."""


Step = Effect | Go | Back | Home
Act = Callable[[], Iterator[Step]]
Drag = Callable[[int, int, bool], Iterator[Step]]  # where the finger is, in pixels, and whether it was lifted


@dataclass(slots=True)
class CameraView:
    """What a screen may know of the camera: a sentence about it while there is no picture, and what plays."""

    trouble: Message | None = None
    lost: bool = False  # whether it was there, and is gone
    blind: bool = False  # whether there is a trouble, and not only that it is being looked for
    demonstration: bool = False
    held: tuple[str, ...] | None = None  # which values it holds; None while it decides, () if it cannot
    pictures: int = field(default=0, compare=False)  # how many have come


@dataclass(slots=True)
class Context:
    """What all screens share. The app keeps it up to date; screens read it."""

    t: Texts
    settings: Settings
    table: Table
    own: Settings = field(default_factory=Settings)  # as they stand in the user's own file
    camera: CameraView = field(default_factory=CameraView)
    notices: tuple[Message, ...] = ()
    can_switch_off: bool = False  # whether the machine is ours, so that it may be switched off from a screen
    desktop: bool = False  # whether one lies behind the screen
    now: float = 0.0  # seconds of the monotonic clock
    chance: Callable[[Sequence[int]], int] = secrets.choice  # throws the dice that the companion throws
    config: Path = field(default_factory=config_dir)  # the folder with the games' own settings
    data: Path = field(default_factory=data_dir)  # the folder of the machine's data
    box: DiceBox = field(default_factory=lambda: DiceBox(data_dir() / "dice"))  # the dice that were taught
    about_to_play: AboutToPlay = field(init=False)

    def __post_init__(self) -> None:
        """Whoever was about to play before a power cut still is."""
        self.about_to_play = AboutToPlay(self.data / "about-to-play.json")


class Widget(NamedTuple):  # hundreds at every event, so of all that is frozen what is made soonest
    """One thing to touch: where it lies, what it says and what it does.

    What it `means` may change though its key stays: a touch or a press that may still have been meant for
    what it was before does nothing.
    """

    key: str
    rect: Rect
    act: Act
    label: str = ""
    icon: str | None = None
    style: Literal["plain", "main", "quiet", "drawn"] = "plain"  # a drawn one is painted by its screen
    colour: Rgb | None = None  # of its sign
    drag: Drag | None = None  # what follows when a finger that lies on it moves, or is lifted elsewhere
    by_finger: bool = False  # whether only a finger can do anything with it, so that the panel passes it by
    hinted: bool = False  # whether it is what one might touch now
    means: object = None


SIDES = 6  # of an own die, at most
THIS_SIDE = mark("this side")


@dataclass(frozen=True, slots=True)
class DieKind:
    """A kind of dice that has to be taught: its `name` in the box, its faces and how they are drawn.

    `faces` are (name, text to translate); `paint` draws the die that shows one of them. The faces of a die of
    one's `own` are those that have been taught, whatever they are.
    """

    name: str
    title: str
    accent: Rgb
    faces: tuple[tuple[str, str], ...]
    paint: Callable[[Canvas, Rect, str], None]
    own: bool = False

    @property
    def asked(self) -> tuple[tuple[str, str], ...]:
        """The faces that are asked for when it is taught: of an own one those that are known, and others."""
        if not self.own:
            return self.faces
        numbers = [str(n) for n in range(1, SIDES + 1) if str(n) not in dict(self.faces)]
        new = [(number, mark("another side")) for number in numbers[: max(0, SIDES - len(self.faces))]]
        if not self.faces:
            new[0] = (numbers[0], mark("any side"))
        return (*self.faces, *new)

    def taught(self, box: DiceBox) -> Taught | None:
        """What was taught of it; None if nothing was, or other faces."""
        found = box.get(self.name)
        same = found and (self.own or set(found.faces) == {face for face, _ in self.faces})
        return found if same else None


class Screen:
    """A screen of the program; the stage shows the topmost one and gives it the events."""

    title = ""
    accent: Rgb = NEUTRAL
    overlay = False  # drawn over the screen below; a touch beside its widgets closes it
    covered = False  # whether another one lies over it
    typing = False  # whether the keys of a keyboard are letters here
    tools = 0  # how many signs it has in the header, beside that of the volume (see `Stage.tool`)
    audible = True  # whether anything is heard while it is shown, so that it matters how loud that is
    wants_eye = False  # whether the camera runs while it is shown
    die_kind: DieKind | None = None  # the dice without pips that it awaits, beside those with pips
    dice_awaited: int | None = None  # how many dice the next throw has, as far as a game says so

    def __init__(self, context: Context) -> None:
        self.context = context

    @property
    def awaits_throw(self) -> bool:
        """Whether somebody is to throw dice before the camera now."""
        return False

    @property
    def awaited_die(self) -> Taught | None:
        """The dice without pips that are looked for, as they have been taught."""
        return self.die_kind.taught(self.context.box) if self.die_kind else None

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """What can be touched on a canvas of this size, in the order in which the panel walks through it."""
        raise NotImplementedError

    def paint_title(self, canvas: Canvas, box: Rect) -> None:
        """What stands in the header between the signs."""
        canvas.text(self.context.t(self.title), box, 32, face="title", colour=self.accent)

    def paint(self, canvas: Canvas) -> None:
        """Everything that is not a widget."""

    def handle(self, event: Event) -> Iterator[Step]:
        """What follows from an event that is no touch of a widget."""
        yield from ()

    def press(self, button: ButtonName) -> Iterator[Step] | None:
        """What a panel button does here, where that differs from walking, choosing and going back."""
        return None

    def let_go(self) -> None:
        """Nothing is dragged any more, though no finger was lifted: something opens, or another touches."""

    def leave(self) -> Iterator[Step]:
        """What has to be done when the screen is closed."""
        yield from ()

    @property
    def confirm_answers(self) -> object:
        """What is asked that the confirm button answers; None if nothing is. A press that may have been meant
        for what was asked before does nothing.
        """
        return None

    def lamps(self) -> dict[ButtonName, LampName]:
        """The lamps of buttons that `press` takes over here."""
        return {}

    @property
    def animating(self) -> bool:
        """Whether the picture moves by itself at this moment."""
        return False


@dataclass(frozen=True, slots=True)
class Entry:
    """A card of the home screen. A game offers its own as `ENTRIES` in its `screen.py`."""

    key: str
    title: str  # an English text, marked for translation
    icon: str
    accent: Rgb
    make: Callable[[Context], Screen]
    interrupted: Callable[[Context], bool] = lambda context: False
    """Whether something on it was cut off by the last end of the program, and it should open at the start."""
    kind: Any = None  # of a game, which has a large card: the class of its screen
    home: bool = True  # whether it has a card on the home screen
