"""What went wrong, in words that say what to do: for every kind of trouble that the lower rooms report."""

import sys
from collections.abc import Sequence
from pathlib import Path

from companion.config import MqttConfig, Problem, is_path, program
from companion.config.kinds import Camera
from companion.disk import is_closed, is_full
from companion.doctor.findings import bad
from companion.language import Message, mark, reason, verbatim
from companion.store import StoreError, StoreErrorKind

SCREEN_FAILED = Message(
    mark("Something went wrong on that screen. Nothing is lost; the log has the details.")
)
EYE_FAILED = Message(mark("A picture could not be read. The log has the details."))

NO_EXAMINATION = bad(
    "doctor",
    Message(mark("The machine could not be examined")),
    Message(mark("The log has the details.")),
)

# By the names of hardware's CameraState; None: pictures come, there is nothing to say.
CAMERA: dict[str, str | None] = {
    "LIVE": None,
    "ENDED": mark("The video {source} is over. {choose}"),
    "SEARCHING": mark("Looking for the camera …"),
    "DARK": mark("The camera sees only black. Take off its cap or switch on a light."),
    "MISSING": mark("No camera sends pictures ({source}). Plug one in, or in again: it is found by itself."),
    "LOST": mark("The camera is gone ({source}). Plug it in again: it is found by itself."),
    "UNREADABLE": mark("{source} is neither a picture nor a video, or it is damaged or too large. {choose}"),
    "EMPTY": mark("There are no pictures in {source}. Put some there. Or: {choose}"),
    "DENIED": mark("The camera may not be used. Add this user to the group “video” and log in again."),
    "BUSY": mark("Another program is using the camera. Close it: the camera is found by itself."),
    "NO_TOOL": mark("The camera needs the program rpicam-vid. Install the package rpicam-apps."),
}

CHOOSE = Message(mark("Choose another camera in the settings."))
NAME_ANOTHER = Message(mark("Name another one behind --camera."))
NO_FILE = mark("There is no {source}. Once it is there it is found by itself.")
NO_RIGHT = mark("This user is not allowed to read {source}. {choose}")
NO_PICTURES = mark(
    "{source} answers, but sends no pictures. Check all of the address, user and password too: it is tried"
    " again."
)
NO_ANSWER = mark("No camera answers at {source}. Switch it on and check the address: it is tried again.")
NO_CABLE = mark(
    "No camera answers on the flat cable ({source}). Switch the machine off first, then plug it in."
)

# By the names of hardware's PictureProblem.
PICTURE: dict[str, str] = {
    "MISSING": mark("there is no such file"),
    "FOLDER": mark("it is a folder"),
    "DENIED": mark("this user is not allowed to"),
    "UNREADABLE": mark("this is no picture that can be read (JPEG and PNG can), or it is damaged"),
    "TOO_LARGE": mark("this picture is too large"),
}

# By the names of hardware's PanelProblem.
PANEL: dict[str, str] = {
    "NO_GPIO": mark("No panel is there: this machine has no usable GPIO pins. Keys and touch work. {detail}"),
    "PIN_BUSY": mark(
        "The panel does not work: another program is using a pin. Close it: the panel is found by itself. If"
        " you have none, write panel: none in companion.yaml. {detail}"
    ),
    "DENIED": mark("The panel may not be used. Add this user to the group “gpio” and log in again."),
    "LOST": mark("The panel is gone. Keys and touch work. Check its cable: it is found by itself."),
}

DAMAGED = mark(
    "The store is damaged. At the next start it is set aside, and all that can still be read is kept."
)
OVERTAKEN = mark(
    "Another companion has changed the store meanwhile: what is played here cannot be stored any more. Write"
    " down what is to be kept, then start again."
)
STORE: dict[StoreErrorKind, str] = {
    StoreErrorKind.FULL: mark(
        "The disk is full: nothing can be stored. Make room; what happens meanwhile is kept."
    ),
    StoreErrorKind.READ_ONLY: mark(
        "Nothing can be stored: the disk cannot be written to. What happens meanwhile is kept."
    ),
    StoreErrorKind.LOCKED: mark(
        "Another companion is using the same store. Close it; what happens meanwhile is kept."
    ),
    StoreErrorKind.OVERTAKEN: OVERTAKEN,
    StoreErrorKind.NEWER: mark(
        "The store was made by a newer version. It is left alone; nothing is stored now."
    ),
    StoreErrorKind.DAMAGED: DAMAGED,
    StoreErrorKind.BROKEN: mark("Storing failed. What happens meanwhile is kept; start again if this stays."),
}

OPENING: dict[StoreErrorKind, str] = {
    StoreErrorKind.FULL: mark("The disk is full. Make room in {folder}."),
    StoreErrorKind.READ_ONLY: mark("The store cannot be written to. Make {folder} writable."),
    StoreErrorKind.LOCKED: mark("Another companion is using the store: close it."),
    StoreErrorKind.OVERTAKEN: OVERTAKEN,
    StoreErrorKind.NEWER: mark(
        "The store was made by a newer version and is left alone: bring the companion up to date."
    ),
    StoreErrorKind.DAMAGED: DAMAGED,
    StoreErrorKind.BROKEN: mark("The store could not be opened: {reason}. See what is wrong with {folder}."),
}

# By the names of VoiceState.
VOICE: dict[str, str | None] = {
    "OK": None,
    "OFF": None,
    "NO_DEVICE": mark(
        "There is no sound: no loudspeaker was found. Connect one: it is found by itself. If one is there,"
        " hardware/README.md says how it is chosen."
    ),
    "CLIP_MISSING": mark("A sound file is missing: {detail}. Install the companion again."),
}

# By the names of hardware's BrokerState; None: nobody has to do anything.
BROKER: dict[str, str | None] = {
    "CONNECTING": None,
    "CONNECTED": None,
    "LOST": None,
    "UNREACHABLE": mark(
        "The MQTT broker {broker} cannot be reached ({detail}). It is tried again. Is mqtt.yaml right?"
    ),
    "UNTRUSTED": mark(
        "The MQTT broker {broker} has a certificate that is not trusted ({detail}). See ca_file in mqtt.yaml."
    ),
    "REFUSED": mark(
        "The MQTT broker {broker} refuses this table ({detail}). Check username and password in"
        " mqtt.yaml; it has to speak MQTT 5."
    ),
    "DENIED": mark(
        "The MQTT broker {broker} does not take all that it is told ({detail}). Let the account of this table"
        " write its topics: README.md names them."
    ),
    "TAKEN": mark(
        "Another companion is called {table} at the MQTT broker {broker}. Give this table another name in"
        " mqtt.yaml and start again."
    ),
    "NO_PAHO": mark(
        "mqtt.yaml is switched on, but paho-mqtt 2 is missing. Run sudo systemd/install.sh once more, or:"
        " {python} -m pip install 'paho-mqtt>=2.2'"
    ),
    "NO_CERTIFICATE": mark("{detail} is no certificate. Correct ca_file in mqtt.yaml and start again."),
}


def camera(kind: str, source: str, named: bool = False) -> Message | None:
    """What to say of a camera in a state; None while pictures come. It is one of the settings, unless the
    command line has `named` it.
    """
    text = CAMERA[kind]
    if kind == "MISSING" and is_file(source):
        text = NO_FILE
    elif kind == "DENIED" and is_file(source):
        text = NO_RIGHT
    elif kind in ("MISSING", "LOST") and is_address(source):
        text = NO_ANSWER
    elif kind in ("MISSING", "LOST") and is_csi(source):
        text = NO_CABLE
    elif kind == "UNREADABLE" and is_address(source):
        text = NO_PICTURES
    fields = {"source": camera_name(source, named), "choose": NAME_ANOTHER if named else CHOOSE}
    return Message(text, fields) if text else None


def camera_name(source: str, named: bool) -> Message:
    """What a camera is called in the settings, and everywhere but where the command line has `named` it."""
    return verbatim(source) if named else Camera().show(source)


def is_file(source: str) -> bool:
    """Whether pictures come from a file or a folder, and not from a device."""
    return is_path(source) and not source.startswith("/dev/")


def is_address(source: str) -> bool:
    """Whether pictures come over the network: nothing can be plugged in."""
    return "://" in source


def is_csi(source: str) -> bool:
    """Whether pictures come over the Raspberry Pi's flat cable: nothing can be plugged in while it is on."""
    return source.startswith("csi") and not is_path(source)


def picture(kind: str) -> Message:
    """Why a picture file could not be read."""
    return Message(PICTURE[kind])


def no_labels(folder: Path, why: Message) -> Message:
    """Why a folder of labelled pictures cannot be used."""
    text = mark("{folder} cannot be measured on; it needs a labels.json and the pictures it names: {why}")
    return Message(text, {"folder": str(folder), "why": why})


def picture_file(file: Path, kind: str) -> Message:
    """Why which picture file could not be read."""
    return Message(mark("{file}: {why}"), {"file": str(file), "why": picture(kind)})


def unread(path: Path, error: OSError) -> Message:
    """Why a file or a folder that a command names cannot be read."""
    return Message(mark("{file} cannot be read: {reason}"), {"file": str(path), "reason": reason(error)})


def writing(error: OSError) -> Message:
    """Why an annotated picture could not be written."""
    return Message(mark("the annotated picture could not be written: {reason}"), {"reason": reason(error)})


def not_kept(error: OSError, folder: Path) -> Message:
    """Why a die that was shown cannot be kept, and what to do about it."""
    text = mark("It cannot be kept: {reason}. {remedy}")
    return Message(text, {"reason": reason(error), "remedy": _remedy(error, folder)})


def dice_unread(error: OSError, folder: Path) -> Message:
    """Why nobody can say which dice were taught, and what to do about it."""
    text = mark("The dice that were taught cannot be read: {reason}. {remedy}")
    return Message(text, {"reason": reason(error), "remedy": _remedy(error, folder)})


def keeping_tray(error: OSError) -> Message:
    """Why nobody will see whether the tray moves."""
    text = mark("The picture of the tray could not be kept: {reason}. Whether it moves is not seen.")
    return Message(text, {"reason": reason(error)})


def no_name(name: str) -> Message:
    """Why no die can be called so."""
    return Message(mark("A name has letters, digits and dashes, 60 at most, not '{name}'"), {"name": name})


def not_taught(name: str, error: OSError | ValueError) -> Message:
    """Why a die is not known."""
    if isinstance(error, ValueError):
        text = mark(
            "The file of {name} is damaged. Teach it anew: on the screen, or {program} teach {name} --faces …"
        )
        return Message(text, {"name": name, "program": program()})
    if isinstance(error, FileNotFoundError):
        text = mark("{name} was not taught; that is done by: {program} teach {name} --faces …")
        return Message(text, {"name": name, "program": program()})
    text = mark("The file of {name} cannot be read: {reason}")
    return Message(text, {"name": name, "reason": reason(error)})


def panel(kind: str, detail: str) -> Message:
    """Why there is no panel."""
    return Message(PANEL[kind], {"detail": detail})


def power(said: str) -> Message:
    """Why the machine could not be switched off, in the system's own words."""
    return Message(mark("The machine could not be switched off: {reason}"), {"reason": said})


def voice(kind: str, detail: str) -> Message | None:
    """Why nothing is heard; None while all is well."""
    text = VOICE[kind]
    return Message(text, {"detail": detail}) if text else None


def store(error: StoreError) -> Message:
    """Why nothing can be stored."""
    return Message(STORE[error.kind])


def no_screen(said: str) -> Message:
    """Why no window could be opened."""
    text = mark(
        "There is no screen for a window: {reason}. Start the companion on a desktop. On a Raspberry Pi"
        " without one, this makes it draw on the screen itself: sudo systemd/install.sh"
    )
    return Message(text, {"reason": said})


def no_store(error: StoreError, path: Path) -> Message:
    """Why this time nothing outlasts the program."""
    text = mark("{why} What is played now is forgotten when the program ends. The store is {path}.")
    return Message(text, {"why": _unopened(error, path), "path": str(path)})


def opening(error: StoreError, path: Path) -> Message:
    """Why a command cannot read the store."""
    text = mark("{why} The store is {path}.")
    return Message(text, {"why": _unopened(error, path), "path": str(path)})


def _unopened(error: StoreError, path: Path) -> Message:
    """What is in the way, and what to do about it."""
    if error.error is None:
        fields = {"reason": verbatim(error.detail), "folder": str(path.parent)}
        return Message(OPENING[error.kind], fields)
    place = path if error.error.filename == str(path) else path.parent
    text = mark("The store could not be opened: {reason}. {remedy}")
    return Message(text, {"reason": reason(error.error), "remedy": _remedy(error.error, place)})


def _remedy(error: OSError, folder: Path) -> Message:
    """What helps where a folder, or a file, does not take something."""
    text = mark("See what is wrong with {folder}.")
    if is_full(error):
        text = mark("Make room in {folder}.")
    elif is_closed(error):
        text = mark("Make {folder} writable.")
    return Message(text, {"folder": str(folder)})


def set_aside(path: Path) -> Message:
    """What has become of a damaged store."""
    text = mark("The store was damaged. It was set aside as {name}; what could still be read of it is here.")
    return Message(text, {"name": path.name})


def unplayable(reason: Message) -> Message:
    """Why the game that lay on the table is not there."""
    return Message(mark("The last game cannot be continued; it stays stored. {reason}"), {"reason": reason})


def saving(error: OSError, folder: Path) -> Message:
    """Why a setting could not be written."""
    text = mark("The change holds until the program ends: {reason}. {remedy}")
    return Message(text, {"reason": reason(error), "remedy": _remedy(error, folder)})


def foreign_settings(problems: Sequence[Problem]) -> Message:
    """Where the machine's own settings were not understood."""
    text = mark("Some settings come from another version or are damaged: others hold instead ({places}).")
    return Message(text, {"places": _places(problems)})


def mistakes(problems: Sequence[Problem]) -> Message:
    """Where the configuration is wrong, if somebody plays all the same."""
    text = mark("What is wrong in the configuration does not hold ({places}).")
    return Message(text, {"places": _places(problems)})


def _places(problems: Sequence[Problem]) -> str:
    """The first of them."""
    places = sorted({f"{each.file.name}:{each.line}" if each.line else each.file.name for each in problems})
    return ", ".join(places[:3])


def broker(kind: str, detail: str, config: MqttConfig) -> Message | None:
    """Why the broker is told nothing; None while that is nobody's concern. The password is in no message."""
    text = BROKER[kind]
    address = f"{config.host}:{config.port_number}"
    fields = {"broker": address, "detail": detail, "table": config.table_name, "python": sys.executable}
    return Message(text, fields) if text else None
