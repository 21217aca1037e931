"""Checks of the machine: power, warmth, room, screen, touch, sound, rights, versions.

Each looks at files that Linux offers; the folders are arguments, so that a test can give others.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from companion import __version__, troubles
from companion.config import ConfigError, store_file, texts_of, understood
from companion.dicebox import DiceBox
from companion.doctor.findings import Finding, bad, ok, warn
from companion.language import Message, mark, verbatim
from companion.store import StoreError

Agreements = Iterable[Callable[[Path], object]]
"""What reads a game's file in a folder; each raises `ConfigError`."""

SYS, DEV, PROC = Path("/sys"), Path("/dev"), Path("/proc")
FULL, TIGHT = 20e6, 200e6  # bytes that are free
IN_MEMORY = ("overlay", "tmpfs", "ramfs")  # an overlay is what raspi-config lays over a card to spare it
HOT, WARM = 80.0, 70.0  # °C; a Raspberry Pi slows down from 80 on
DIRECT = 1 << 1  # <linux/input-event-codes.h>: INPUT_PROP_DIRECT, touched where it is seen
PACKAGES = ("opencv-python", "numpy", "pygame", "pygame-ce", "gpiozero", "lgpio")
GROUPS = {
    "video": "video*",
    "gpio": "gpiochip*",
    "input": "input/event*",
    "audio": "snd/pcm*",
    "render": "dri/render*",
}

# https://www.raspberrypi.com/documentation/computers/os.html#get_throttled
LOW_NOW, LOW_BEFORE, HOT_NOW, HOT_BEFORE = 1 << 0, 1 << 16, 1 << 2 | 1 << 3, 1 << 18 | 1 << 19


def read(path: Path) -> str | None:
    """The first line of a small file; None if it cannot be read."""
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return None


def disk(folder: Path, free: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free) -> Finding:
    """Whether there is room for what is played, and whether it can be written."""
    there = next(each for each in (folder, *folder.parents) if _is_there(each))
    room = free(there)
    fields = {"room": f"{room / 1e6:,.0f}".replace(",", " "), "folder": str(folder)}
    store = store_file(folder)
    shut = [each for each in (there, store) if _is_there(each) and not os.access(each, os.W_OK)]
    if shut or not there.is_dir() or (_is_there(store) and not store.is_file()):
        todo = Message(
            mark("Nothing is kept now. Is the card worn out, or does the folder belong to somebody else?")
        )
        fields["folder"] = str(shut[0] if shut else store)
        return bad("disk", Message(mark("{folder} cannot be written to"), fields), todo)
    what = Message(mark("{room} MB are free in {folder}"), fields)
    todo = Message(mark("Make room: delete what is not needed, or take a larger card."))
    return (
        bad("disk", what, todo)
        if room < FULL
        else warn("disk", what, todo)
        if room < TIGHT
        else ok("disk", what)
    )


def _is_there(path: Path) -> bool:
    """Whether there is such a file or folder, as far as we may look."""
    try:
        return path.exists()
    except PermissionError:
        return False


def store(folder: Path, hindrance: StoreError | None, proc: Path = PROC) -> Finding:
    """Whether what was played can be read, and outlasts the night; whether it can be written, `disk` says."""
    file = store_file(folder)
    if hindrance is None and _file_system(file, proc) in IN_MEMORY:
        gone = mark("{file} is gone once the machine is switched off")
        todo = mark(
            "It lies in memory only. Switch the overlay file system off: sudo raspi-config, Performance."
        )
        return warn("store", Message(gone, {"file": str(file)}), Message(todo))
    if hindrance is None:
        return ok("store", Message(mark("What is played is kept in {file}"), {"file": str(file)}))
    what = Message(mark("{file} cannot be opened"), {"file": str(file)})
    return bad("store", what, troubles.opening(hindrance, file))


def _file_system(file: Path, proc: Path) -> str:
    """The kind of that on which a file lies; empty if nobody says."""
    mounts = [line.split(" ") for line in (read(proc / "mounts") or "").splitlines()]
    above = {mount: kind for _, mount, kind, *_ in mounts if file.is_relative_to(mount)}
    return above[max(above, key=len)] if above else ""


def dice(box: DiceBox) -> Finding:
    """Whether the dice that were taught can be read."""
    names = box.names()
    if box.refusal:
        what = Message(mark("{file} cannot be opened"), {"file": str(box.folder)})
        return bad("dice", what, troubles.dice_unread(box.refusal, box.folder))
    for name in names:
        try:
            box.load(name)
        except (OSError, ValueError) as error:
            what = Message(mark("{file} cannot be opened"), {"file": str(box.file(name))})
            return bad("dice", what, troubles.not_taught(name, error))
    return ok("dice", Message(mark("Dice that were taught: {count}"), {"count": len(names)}))


def temperature(root: Path = SYS) -> Finding:
    """How warm the processor is."""
    said = read(root / "class/thermal/thermal_zone0/temp")
    if said is None or not said.lstrip("-").isdigit():
        return ok("temperature", Message(mark("This machine does not say how warm it is")))
    degrees = int(said) / 1000
    what = Message(mark("The processor is at {degrees} °C"), {"degrees": round(degrees, 1)})
    todo = Message(mark("Give it air: a heat sink, a fan, a case with holes."))
    if degrees >= HOT:
        return bad("temperature", what, todo)
    return warn("temperature", what, todo) if degrees >= WARM else ok("temperature", what)


def ask_power() -> str | None:
    """What `vcgencmd get_throttled` says; None where there is none."""
    tool = shutil.which("vcgencmd")
    if tool is None:
        return None
    try:
        return subprocess.run(
            [tool, "get_throttled"], capture_output=True, text=True, timeout=5, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None


def power(said: str | None) -> Finding:
    """Whether the power supply is strong enough, from what `get_throttled` says: throttled=0x50000."""
    try:
        bits = int((said or "").strip().partition("=")[2], 16)
    except ValueError:
        return ok("power", Message(mark("This machine does not say how its power is")))
    todo = Message(mark("Use the power supply of the Raspberry Pi and a short, thick cable."))
    if bits & LOW_NOW:
        return bad("power", Message(mark("The voltage is too low")), todo)
    if bits & LOW_BEFORE:
        return warn("power", Message(mark("The voltage has been too low since the start")), todo)
    if bits & (HOT_NOW | HOT_BEFORE):
        air = Message(mark("Give it air: a heat sink, a fan, a case with holes."))
        return warn("power", Message(mark("It has had to slow down because of heat")), air)
    return ok("power", Message(mark("The power supply is strong enough")))


def display(root: Path = SYS, environment: Mapping[str, str] = os.environ) -> Finding:
    """Which screen there is: that of a desktop, or a connected one."""
    desktop = environment.get("WAYLAND_DISPLAY") or environment.get("DISPLAY")
    if desktop:
        return ok("display", Message(mark("A desktop is there ({name})"), {"name": desktop}))
    for port in sorted((root / "class/drm").glob("card*-*")):
        if read(port / "status") == "connected":
            size = (read(port / "modes") or "?").split("\n")[0]
            name = port.name.partition("-")[2]
            return ok(
                "display",
                Message(mark("A screen is connected: {name}, {size}"), {"name": name, "size": size}),
            )
    todo = Message(mark("Connect one and start again; over the network, start it on the machine itself."))
    return warn("display", Message(mark("No screen is to be seen from here")), todo)


def touch(root: Path = SYS) -> Finding:
    """Which touchscreen there is."""
    for device in sorted((root / "class/input").glob("event*/device")):
        if int(read(device / "properties") or "0", 16) & DIRECT:
            return ok(
                "touch",
                Message(mark("A touchscreen is there: {name}"), {"name": read(device / "name") or "?"}),
            )
    return ok("touch", Message(mark("No touchscreen is there; mouse, keys and the panel will do")))


def sound(proc: Path = PROC) -> Finding:
    """Which loudspeakers the system knows."""
    said = read(proc / "asound/cards") or ""
    names = [line.partition("- ")[2] for line in said.split("\n") if " - " in line]
    if names:
        text = mark("Sound: {names}")
        if len(names) > 1:
            text = mark("Sound: {names}. How another one is chosen: hardware/README.md")
        return ok("sound", Message(text, {"names": verbatim(", ".join(names))}))
    todo = Message(mark("To hear it, connect a loudspeaker: USB, the headphone socket, HDMI."))
    return warn("sound", Message(mark("No sound device is there")), todo)


def groups(
    dev: Path = DEV,
    may: Callable[[Path], bool] = lambda path: os.access(path, os.R_OK | os.W_OK),
    owner: Callable[[Path], str] = lambda path: path.group(),
    desktop: bool = bool(os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY")),
) -> Finding:
    """Whether this user may use the devices that are there, as far as a group would let him; a desktop
    delivers touches without one.
    """
    denied = []
    for group, pattern in GROUPS.items():
        there = [] if desktop and group == "input" else sorted(dev.glob(pattern))
        mine = [each for each in there if _owned(each, group, owner)]
        if mine and not any(may(each) for each in there):
            denied.append(group)
    if not denied:
        return ok("groups", Message(mark("This user may use all devices that are there")))
    fields = {"groups": ", ".join(denied), "list": ",".join(denied), "user": _user()}
    todo = Message(mark("sudo usermod -aG {list} {user}, then start the machine again."), fields)
    return bad("groups", Message(mark("This user is not in: {groups}"), fields), todo)


def _owned(path: Path, group: str, owner: Callable[[Path], str]) -> bool:
    try:
        return owner(path) == group
    except (OSError, KeyError, NotImplementedError):  # it is gone; nobody knows that group; no such system
        return False


def _user() -> str:
    """Who runs this: behind sudo another one than $USER, as with the commands of a service."""
    from pwd import getpwuid  # only where there are groups

    try:
        return getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def versions() -> Finding:
    """What is installed."""
    python = ".".join(map(str, sys.version_info[:3]))
    found = [f"Companion {__version__}", f"Python {python}", *_installed()]
    return ok("versions", verbatim(", ".join(found)))


def _installed() -> Iterator[str]:
    from importlib.metadata import PackageNotFoundError, version  # slow, and not needed for a game

    for name in PACKAGES:
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:  # pygame or pygame-ce; lgpio only on a Raspberry Pi
            continue


def settings(config: Path, data: Path, games: Agreements = ()) -> Finding:
    """Whether the configuration can be used, also that of `games`."""
    found = understood(config, data)
    mistakes = list(found.mistakes)
    for agree in games:
        try:
            agree(config)
        except ConfigError as error:
            mistakes += [problem for problem in error.problems if problem not in mistakes]
    if mistakes:
        what = Message(mark("The configuration has mistakes: {count}"), {"count": len(mistakes)})
        return bad("settings", what, texts_of(mistakes))
    if found.foreign:
        what = Message(mark("Settings that were made on the screen are not understood: set them again"))
        return warn("settings", what, texts_of(found.foreign))
    text = mark("The configuration is right ({folder})")
    if found.overruled:
        text = mark("The configuration is right ({folder}). Chosen on the screen, which goes first: {names}")
    return ok("settings", Message(text, {"folder": str(config), "names": ", ".join(found.overruled)}))


def machine(config: Path, data: Path, hindrance: StoreError | None, games: Agreements = ()) -> list[Finding]:
    """All of them; `hindrance` is why the store cannot be opened."""
    return [
        display(),
        touch(),
        sound(),
        disk(data),
        store(data, hindrance),
        dice(DiceBox(data / "dice")),
        temperature(),
        power(ask_power()),
        groups(),
        settings(config, data, games),
        versions(),
    ]
