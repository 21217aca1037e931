"""What happens, as small frozen values on the one queue, and what a screen wants done about it.

Events come in from the window, the panel, the camera and the clock. A screen answers each with effects;
only the app carries them out.
"""

from dataclasses import dataclass
from typing import Any, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from companion.doctor.findings import Finding
from companion.eye.dice import Die
from companion.eye.motion import Movement
from companion.eye.network import Found
from companion.eye.taught import Taught
from companion.eye.throws import State, Throw
from companion.eye.tiles import Tile
from companion.language import Message
from companion.mind.questions import Answer, Question
from companion.tray.drift import Drift, DriftWatch

ButtonName = Literal["confirm", "back", "left", "right", "undo"]
LampName = Literal["off", "on", "blink"]

ALL_BLINK: dict[ButtonName, LampName] = dict.fromkeys(get_args(ButtonName), "blink")
"""Every lamp, where nobody is to miss that something is over."""


@dataclass(frozen=True, slots=True)
class Touch:
    """A finger or the mouse at (x, y) pixels of the window; it moves only while it is down."""

    x: float
    y: float
    phase: Literal["down", "move", "up"]


@dataclass(frozen=True, slots=True)
class Press:
    """A button of the panel, or the key that stands in for it, went down."""

    button: ButtonName


@dataclass(frozen=True, slots=True)
class Typed:
    """A letter, or "\b" for a step back, on a real keyboard, where a screen takes letters."""

    letter: str


@dataclass(frozen=True, slots=True)
class Hold:
    """A button has been held down for long."""

    button: ButtonName


class Looker(Protocol):
    """Who looks through a camera."""

    def taken(self) -> None:
        """One of its looks has arrived: it may look on."""


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """One frame (H x W x 3, uint8, BGR) at a time in seconds, as the lookout `by` has read it.

    `found` is all that may be a die, whatever is on it, `awaited` the dice without pips that were looked for.
    It is `darkened` if since something moved a darker picture was asked for, had or not.
    """

    frame: NDArray[np.uint8]
    dice: tuple[Die, ...]
    moving: Movement
    at: float
    by: Looker
    doubts: tuple[Die, ...] = ()
    found: tuple[Found, ...] = ()
    awaited: Taught | None = None
    darkened: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One frame (H x W x 3, uint8, BGR), the dice in it, and the throw that it settled, if it did.

    `found` is all that may be a die, whatever is on it.
    """

    frame: NDArray[np.uint8]
    dice: tuple[Die, ...]
    state: State
    throw: Throw | None
    found: tuple[Found, ...] = ()


@dataclass(frozen=True, slots=True)
class EyeFailed:
    """A picture could not be read because of a mistake of ours, `by` somebody who looks; the log has it."""

    by: object


@dataclass(frozen=True, slots=True)
class Drifted:
    """What is not as it was when the tray was calibrated (None: nothing any more), compared `by` somebody."""

    what: Drift | None
    by: DriftWatch


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found wrong with this machine, and what is well."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TilesRead:
    """The tiles in a picture that was to be read, the surest first; none if the eye has failed."""

    frame: NDArray[np.uint8]
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class SpeakersChanged:
    """A loudspeaker was connected, or, if it is `gone`, taken away."""

    gone: bool


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """What the process `by` that thinks has said; None if it has ended."""

    by: object
    answer: Answer | None


@dataclass(frozen=True, slots=True, eq=False)
class Thoughts:
    """An answer to a question, better than the one before; the last if it is `over`.

    It is None if nobody can answer: a mistake of ours, which the log has.
    """

    question: Question
    answer: Any
    over: bool


@dataclass(frozen=True, slots=True)
class Resized:
    """The window has another size now, or has to be drawn anew."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed; `now` in seconds of the monotonic clock."""

    now: float


@dataclass(frozen=True, slots=True)
class Quit:
    """The window was closed or the system asks the program to end."""


Event = (
    Touch
    | Typed
    | Press
    | Hold
    | Looked
    | Seen
    | EyeFailed
    | Drifted
    | Examined
    | TilesRead
    | SpeakersChanged
    | Heard
    | Thoughts
    | Resized
    | Tick
    | Quit
)


@dataclass(frozen=True, slots=True)
class Say:
    """Speak a word or a sentence of the vocabulary, and others after it."""

    word: str
    then: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SayNumber:
    """Call a number."""

    number: int


@dataclass(frozen=True, slots=True)
class SayThrow:
    """Speak the faces of a throw and their sum."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sound:
    """Play a sound of `assets/sounds`."""

    name: str


@dataclass(frozen=True, slots=True)
class LookAnew:
    """Forget what lies before the camera: it is found there once more."""


@dataclass(frozen=True, slots=True)
class Buzz:
    """Sound the panel's buzzer for a moment."""


@dataclass(frozen=True, slots=True)
class Set:
    """Change a setting and write it to the machine's own part of the configuration."""

    key: str
    value: Any


@dataclass(frozen=True, slots=True)
class Demonstrate:
    """Show the recorded throws instead of the camera, or go back to the camera."""

    on: bool


@dataclass(frozen=True, slots=True)
class Expose:
    """Let the camera decide on exposure, white balance and focus (`free`), hold what it has now (`now`),
    or what the calibration has found (`saved`).
    """

    how: Literal["free", "now", "saved"]


@dataclass(frozen=True, slots=True, eq=False)
class Calibrated:
    """The tray was framed: its corners (eight numbers, parts of the picture) in a frame (H x W x 3, BGR)."""

    tray: tuple[float, ...]
    frame: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Examine:
    """Look at everything that can be wrong with this machine; the answer is `Examined`."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadTiles:
    """See which tiles lie in a picture (H x W x 3, uint8, BGR), which can take seconds: then `TilesRead`."""

    frame: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Restart:
    """Read the configuration once more."""


@dataclass(frozen=True, slots=True)
class Proceed:
    """Begin with what is right in the configuration."""


@dataclass(frozen=True, slots=True)
class Dismiss:
    """A notice has been read."""

    notice: Message


@dataclass(frozen=True, slots=True)
class Ask:
    """Think about a question instead of the one before, or about nothing any more; `Thoughts` will come."""

    question: Question | None


@dataclass(frozen=True, slots=True)
class SwitchOff:
    """Switch the machine off."""


@dataclass(frozen=True, slots=True)
class Leave:
    """End the program: a desktop lies behind it."""


Effect = (
    Say
    | SayNumber
    | SayThrow
    | Sound
    | Buzz
    | Set
    | Demonstrate
    | Dismiss
    | Expose
    | LookAnew
    | Calibrated
    | Examine
    | ReadTiles
    | Restart
    | Proceed
    | Ask
    | SwitchOff
    | Leave
)

ASKS: tuple[Effect, ...] = (Sound("asks"), Say("asks"))
"""What is heard when the eye is not sure of what lies there."""
