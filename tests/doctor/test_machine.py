"""The checks of the machine, over files that stand in for Linux'."""

import errno
import os
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from companion.config import CONFIG
from companion.dicebox import DiceBox
from companion.doctor import camera as eye
from companion.doctor import panel
from companion.doctor.findings import Finding, Health, healthy
from companion.doctor.machine import (
    ask_power,
    dice,
    disk,
    display,
    groups,
    machine,
    power,
    settings,
    sound,
    store,
    temperature,
    touch,
    versions,
)
from companion.language import Texts
from companion.store import Store, StoredDie, hindrance
from companion.store.database import Database
from companion.store.schema import MIGRATIONS
from companion.tray.drift import small
from companion.tray.light import flaws_of
from tests.tray.scene import glaring, seen, tray


def put(root: Path, **files: str) -> Path:
    for name, text in files.items():
        file = root / name.replace("__", "/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


@pytest.mark.parametrize(
    ("free", "health", "told"),
    [(5e9, Health.OK, "5 000"), (1e8, Health.WARN, "100"), (1e6, Health.BAD, "1"), (0, Health.BAD, "0")],
)
def test_room_on_the_disk(tmp_path: Path, free: float, health: Health, told: str) -> None:
    found = disk(tmp_path / "not" / "yet", lambda path: int(free))
    assert found.health is health and found.what.fields["room"] == told
    assert (found.todo is None) is (health is Health.OK)


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert disk(tmp_path, lambda path: 10**10).health is Health.BAD


def test_a_store_that_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "companion.db").touch()
    assert disk(tmp_path, lambda path: 10**10).health is Health.OK


@pytest.mark.parametrize("wrong", ["a file for a folder", "a folder for a file", "read only"])
def test_a_store_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    data = tmp_path / "data"
    if wrong == "a file for a folder":
        data.write_text("")
    else:
        (data / "companion.db").mkdir(parents=True)
    if wrong == "read only":
        (data / "companion.db").rmdir()
        (data / "companion.db").write_text("")
        monkeypatch.setattr("os.access", lambda path, mode: path == data)
    found = disk(data, lambda path: 10**10)
    assert found.health is Health.BAD
    assert found.what.fields["folder"] == str(data / "companion.db")


def test_a_store_of_a_newer_version_is_told_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "companion.db"
    assert store(tmp_path, hindrance(file), tmp_path).health is Health.OK and not file.exists()
    Database.open(file).close()
    assert store(tmp_path, hindrance(file), tmp_path).health is Health.OK
    later = (*MIGRATIONS, ("CREATE TABLE planets (id INTEGER)",))
    with patch("companion.store.database.MIGRATIONS", later):
        Database.open(file).close()
    before = {each: each.read_bytes() for each in tmp_path.iterdir()}
    found = store(tmp_path, hindrance(file))
    assert (found.health, found.what.fields["file"]) == (Health.BAD, str(file)) and found.todo
    assert {each: each.read_bytes() for each in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("data", "health"), [("/var/lib/x", Health.WARN), ("/mnt/stick/x", Health.OK), ("/run/x", Health.WARN)]
)
def test_what_is_gone_when_the_machine_is_switched_off(data: str, health: Health, tmp_path: Path) -> None:
    """The overlay that spares a card forgets all that is written, and says that it is on the disk."""
    mounts = "overlayroot / overlay rw 0 0\n/dev/sda1 /mnt/stick ext4 rw 0 0\ntmpfs /run tmpfs rw 0 0\n"
    found = store(Path(data), None, put(tmp_path, mounts=mounts))
    assert found.health is health and (health is Health.OK or "raspi-config" in str(found.todo))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("damaged", "At the next start it is set aside"),
        ("only a log", "At the next start it is set aside"),
        ("a pipe", "companion.db is no file"),
        ("a folder", "companion.db is no file"),
        ("a folder for the log", "companion.db-wal is no file"),
        ("a folder for the lock", "companion.db.lock is no file"),
        ("somebody else's log", "this user is not allowed to. Make"),
    ],
)
def test_a_store_that_cannot_be_opened(
    wrong: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "companion.db"
    if wrong == "damaged":
        file.write_bytes(b"no database at all" * 1000)
    elif wrong == "only a log":
        (tmp_path / "companion.db-wal").write_bytes(b"the last moves")
    elif wrong == "a pipe":
        os.mkfifo(file)
    elif wrong == "a folder":
        file.mkdir()
    else:
        Database.open(file).close()
        log = tmp_path / "companion.db-wal"
        opens = Path.open
        if wrong == "a folder for the log":
            log.mkdir()
        elif wrong == "a folder for the lock":
            (tmp_path / "companion.db.lock").unlink()
            (tmp_path / "companion.db.lock").mkdir()
        else:
            log.write_bytes(b"")

        def allowed(path: Path, *how: Any, **more: Any) -> Any:
            if path == log:
                raise PermissionError(errno.EACCES, "no", str(path))
            return opens(path, *how, **more)

        monkeypatch.setattr(Path, "open", allowed)
    before = sorted(tmp_path.iterdir())
    found = store(tmp_path, hindrance(file))
    assert found.health is Health.BAD and found.todo
    assert said in Texts("en").say(found.todo)
    assert sorted(tmp_path.iterdir()) == before


def test_a_store_that_a_companion_has_open_is_not_judged_by_what_it_is_just_writing(tmp_path: Path) -> None:
    file = tmp_path / "companion.db"
    with closing(Store.open(file, alone=True)):
        file.with_name("companion.db-wal").write_bytes(b"half of it")
        file.write_bytes(b"half of it")
        assert hindrance(file) is None


def test_a_look_at_the_machine_lets_go_of_no_lock_of_a_store_that_is_open(tmp_path: Path) -> None:
    """Else whoever reads it takes the log away, and what is played from then on is lost."""
    file, two = tmp_path / "companion.db", StoredDie(2, 2, "white", 0.9)
    with closing(Store.open(file, alone=True)) as opened:
        opened.add_throw("camera", [two])
        machine(CONFIG, tmp_path, None)
        reads = [sys.executable, "-m", "companion", "games"]
        subprocess.run(reads, env=os.environ | {"COMPANION_DATA": str(tmp_path)}, check=True)
        opened.add_throw("camera", [two])
        copy = tmp_path / "copy.db"
        for part in ("", "-wal"):
            shutil.copy(tmp_path / f"companion.db{part}", tmp_path / f"copy.db{part}")
        with closing(Store.open(copy)) as after_a_cut:
            assert len(after_a_cut.last_throws(9)) == 2


@pytest.mark.parametrize("below", ["", "deep/data"])
def test_a_folder_that_is_closed_to_us(below: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stat, closed = Path.stat, tmp_path / "closed"
    closed.mkdir()

    def allowed(path: Path, **how: bool) -> os.stat_result:
        if closed in path.parents:
            raise PermissionError(errno.EACCES, "no")
        return stat(path, **how)

    monkeypatch.setattr(Path, "stat", allowed)
    monkeypatch.setattr("os.access", lambda path, mode: path != closed)
    found = disk(closed / below, lambda path: 10**10)
    assert (found.health, found.what.fields["folder"]) == (Health.BAD, str(closed))


@pytest.mark.parametrize("wrong", ["a file", "the folder"])
def test_dice_that_were_taught_and_cannot_be_read(tmp_path: Path, wrong: str) -> None:
    folder = tmp_path / "dice"
    box = DiceBox(folder)
    assert dice(box).health is Health.OK
    if wrong == "a file":
        put(folder, **{"mine.npz": "no die at all"})
    else:
        folder.symlink_to(folder)
    box.look_again()
    found = dice(box)
    assert found.health is Health.BAD and found.todo
    assert found.what.fields["file"] == str(box.file("mine") if wrong == "a file" else folder)


WARMTH = [("48000", Health.OK), ("74500", Health.WARN), ("81000", Health.BAD)]


@pytest.mark.parametrize(("said", "health"), WARMTH)
def test_the_temperature(tmp_path: Path, said: str, health: Health) -> None:
    found = temperature(put(tmp_path, class__thermal__thermal_zone0__temp=said + "\n"))
    assert found.health is health
    assert found.what.fields["degrees"] == int(said) / 1000


def test_a_machine_without_a_thermometer_is_well(tmp_path: Path) -> None:
    assert temperature(tmp_path).health is Health.OK
    assert temperature(put(tmp_path, class__thermal__thermal_zone0__temp="?")).health is Health.OK


@pytest.mark.parametrize(
    ("said", "health", "words"),
    [
        ("throttled=0x0\n", Health.OK, "strong enough"),
        ("throttled=0x50005\n", Health.BAD, "is too low"),
        ("throttled=0x50000\n", Health.WARN, "has been too low"),
        *((f"throttled={1 << bit:#x}\n", Health.WARN, "heat") for bit in (2, 3, 18, 19)),
        ("VCHI initialization failed", Health.OK, "does not say"),
        (None, Health.OK, "does not say"),
    ],
)
def test_the_power_supply(said: str | None, health: Health, words: str) -> None:
    found = power(said)
    assert found.health is health and words in found.what.text


def test_a_raspberry_pi_is_asked_how_its_power_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert ask_power() is None
    tool = tmp_path / "vcgencmd"
    tool.write_text('#!/bin/sh\n[ "$*" = get_throttled ] && echo throttled=0x50005\n')
    tool.chmod(0o755)
    assert power(ask_power()).health is Health.BAD


def test_the_display(tmp_path: Path) -> None:
    assert display(tmp_path, {}).health is Health.WARN
    for desktop in ({"WAYLAND_DISPLAY": "wayland-0"}, {"DISPLAY": ":0"}):
        assert display(tmp_path, desktop).health is Health.OK
    port = "class__drm__card1-"
    put(tmp_path, **{f"{port}HDMI-A-1__status": "disconnected\n", f"{port}HDMI-A-1__modes": ""})
    assert display(tmp_path, {}).health is Health.WARN
    put(tmp_path, **{f"{port}DSI-1__status": "connected\n", f"{port}DSI-1__modes": "800x480\n640x480\n"})
    assert display(tmp_path, {}).what.fields == {"name": "DSI-1", "size": "800x480"}


def test_the_touchscreen(tmp_path: Path) -> None:
    device = "class__input__event{}__device__{}"
    put(tmp_path, **{device.format(0, "name"): "Mouse\n", device.format(0, "properties"): "1\n"})
    assert "No touchscreen" in touch(tmp_path).what.text
    put(tmp_path, **{device.format(1, "name"): "FT5x06\n", device.format(1, "properties"): "2\n"})
    assert touch(tmp_path).what.fields == {"name": "FT5x06"}


def test_the_sound(tmp_path: Path) -> None:
    assert sound(tmp_path).health is Health.WARN
    cards = " 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones\n     bcm2835 Headphones\n"
    found = sound(put(tmp_path, asound__cards=cards))
    assert found.health is Health.OK and "bcm2835 Headphones" in str(found.what.fields["names"])
    assert sound(put(tmp_path, asound__cards="--- no soundcards ---\n")).health is Health.WARN


def test_where_there_are_several_loudspeakers_it_is_said_how_one_is_chosen(tmp_path: Path) -> None:
    """Without a desktop ALSA takes the first card: often an HDMI socket that nothing is plugged into."""
    cards = " 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0\n 1 [Device         ]: USB-Audio - USB Audio\n"
    said = Texts("en").say(sound(put(tmp_path, asound__cards=cards)).what)
    assert said.startswith("Sound: vc4-hdmi-0, USB Audio.") and "hardware/README.md" in said


def by_name(path: Path) -> str:
    """The group of a device as Linux has it."""
    return path.name.rstrip("0123456789").removesuffix("chip").replace("event", "input")


def test_the_groups(tmp_path: Path) -> None:
    assert groups(tmp_path, lambda path: False, by_name).health is Health.OK  # there is nothing to use
    put(tmp_path, gpiochip0="", video0="", video1="")
    assert groups(tmp_path, lambda path: True, by_name).health is Health.OK
    found = groups(tmp_path, lambda path: path.name == "video1", by_name)
    assert found.health is Health.BAD and found.what.fields["groups"] == "gpio"
    assert found.todo and found.todo.fields["list"] == "gpio"


def test_who_lacks_a_group_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`sudo companion doctor` looks as the service's user; $USER would be whoever reads it."""
    monkeypatch.setattr(os, "geteuid", lambda: 65534)
    found = groups(put(tmp_path, gpiochip0=""), lambda path: False, by_name)
    assert found.todo and " gpio nobody," in Texts("en").say(found.todo)
    monkeypatch.setattr(os, "geteuid", lambda: 4242424)
    found = groups(tmp_path, lambda path: False, by_name)
    assert found.todo and " gpio 4242424," in Texts("en").say(found.todo)


def test_no_group_is_named_that_would_not_help(tmp_path: Path) -> None:
    """On a laptop pins belong to root alone, and the desktop hands touches on."""
    (tmp_path / "input").mkdir()
    put(tmp_path, gpiochip0="")
    (tmp_path / "input" / "event0").touch()

    def of(path: Path) -> str:
        return "root" if "gpio" in path.name else by_name(path)

    assert groups(tmp_path, lambda path: False, of, desktop=True).health is Health.OK
    found = groups(tmp_path, lambda path: False, of, desktop=False)
    assert found.what.fields["groups"] == "input"

    def nobody(path: Path) -> str:
        raise KeyError(path)

    assert groups(tmp_path, lambda path: False, nobody, desktop=False).health is Health.OK
    put(tmp_path, video0="")
    assert groups(tmp_path, lambda path: False, of, desktop=True).what.fields["groups"] == "video"


def test_the_configuration(tmp_path: Path) -> None:
    from companion.config import CONFIG

    assert settings(CONFIG, tmp_path).health is Health.OK
    put(tmp_path, **{"settings.yaml": "volume: loud\n"})
    found = settings(CONFIG, tmp_path)
    assert found.health is Health.WARN and found.todo and "settings.yaml:1" in str(found.todo.fields["place"])
    put(tmp_path, **{"companion.yaml": "volume: loud\n"})
    found = settings(tmp_path, tmp_path)
    assert found.health is Health.BAD and found.todo and "companion.yaml:1: " in Texts("en").say(found.todo)


def test_what_was_chosen_on_the_screen_is_named_since_it_goes_first(tmp_path: Path) -> None:
    """Whoever edits the file wonders why nothing changes."""
    put(tmp_path, **{"settings.yaml": "camera: usb:1\nvolume: 70\ntray: 0 0 1 0 1 1 0 1\n"})
    assert Texts("en").say(settings(CONFIG, tmp_path).what).endswith("which goes first: camera")


def test_the_versions_name_what_is_installed() -> None:
    said = str(versions().what.fields["text"])
    assert all(name in said for name in ("Companion", "Python", "numpy", "opencv-python"))


# The camera


@pytest.mark.parametrize(
    ("kind", "health"),
    [("LIVE", Health.OK), ("MISSING", Health.WARN), ("DENIED", Health.BAD), ("BUSY", Health.BAD),
     ("DARK", Health.BAD), ("NO_TOOL", Health.BAD), ("SEARCHING", Health.WARN)],
)  # fmt: skip
def test_whether_a_camera_is_there(kind: str, health: Health) -> None:
    found = eye.found(kind, "usb:0", "HD Webcam")
    assert found.health is health and (found.todo is None) is (health is Health.OK)


def test_a_file_of_pictures_that_is_not_there_cannot_be_plugged_in() -> None:
    found = eye.found("MISSING", "/home/pi/dice.mp4", "")
    assert found.health is Health.BAD and found.todo is not None
    assert Texts("en").say(found.todo).startswith("There is no /home/pi/dice.mp4.")


def test_a_camera_at_an_address_cannot_be_plugged_in_either() -> None:
    found = eye.found("MISSING", "http://10.0.0.9/video", "")
    said = f"{Texts('en').say(found.what)} {found.todo and Texts('en').say(found.todo)}"
    assert found.health is Health.WARN and "answers at http://10.0.0.9/video" in said and "lug" not in said


def test_a_picture_that_is_black_is_one() -> None:
    assert "shows nothing" in Texts("en").say(eye.found("DARK", "usb:0", "").what)


def test_how_many_pictures_come() -> None:
    assert eye.rate(30, 2.0).health is Health.OK
    assert eye.rate(6, 2.0).health is Health.WARN


def test_what_the_light_is_like() -> None:
    names = ["exposure", "glare", "shadow", "flicker", "sharpness"]
    good = eye.light((), seen(), tray())
    assert [each.name for each in good] == names and healthy(good)
    nothing = eye.light((), np.full_like(seen(), 90), tray())[-1]
    assert nothing.what.text == "Nothing to see by which to tell whether it is sharp"
    frame = glaring(seen())
    bad = {each.name: each.health for each in eye.light(flaws_of(frame, tray()), frame, tray())}
    assert bad == {name: Health.WARN if name == "glare" else Health.OK for name in names}


def test_whether_the_tray_is_in_view() -> None:
    before, moved = (
        small(seen()),
        seen([(x + 40, y + 20) for x, y in ((70, 70), (580, 80), (600, 430), (50, 420))]),
    )
    assert eye.tray_in_view(seen(noise=2), tray(), before).health is Health.OK
    assert eye.tray_in_view(moved, tray(), before).health is Health.BAD
    assert eye.tray_in_view(moved, None, None).health is Health.WARN
    assert eye.tray_in_view(moved, tray(), None).health is Health.WARN
    lidded, dimmed = np.full_like(seen(), 90), np.asarray(seen() * 0.5, np.uint8)
    assert eye.tray_in_view(lidded, tray(), before).what.text == "The tray is covered, or it is dark"
    assert eye.tray_in_view(dimmed, tray(), before).health is Health.OK, "less light moves nothing"


# The panel


def test_the_pins() -> None:
    assert panel.pins(False, None, "-").health is Health.OK
    assert panel.pins(True, None, "gpiochip0").health is Health.OK
    found = panel.pins(True, ("PIN_BUSY", "GPIO 5"), "gpiochip0")
    assert found.health is Health.BAD and found.todo


def test_each_line_of_the_panel() -> None:
    numbers = {"confirm": 5, "back": 6}
    health = {each.name: each.health for each in panel.lines(numbers, {"back"})}
    assert health == {"button-confirm": Health.OK, "button-back": Health.WARN}
    health = {each.name: each.health for each in panel.pressed(numbers, {"back"}, ())}
    assert health == {"button-confirm": Health.WARN, "button-back": Health.OK}


def test_the_buttons_are_called_by_their_places_in_german_too() -> None:
    """The word for what lies on the right is not the one for what is right."""
    left, right = (Texts("de").say(each.what) for each in panel.lines({"left": 5, "right": 6}, ()))
    assert left == "Linke Taste (GPIO 5) ist in Ruhe" and right == "Rechte Taste (GPIO 6) ist in Ruhe"


def test_the_chips(tmp_path: Path) -> None:
    dev, sys = put(tmp_path / "dev", gpiochip0="", gpiochip4=""), tmp_path / "sys"
    put(sys, bus__gpio__devices__gpiochip0__of_node__compatible="brcm,bcm2711-gpio\0")
    assert panel.chips(dev, sys) == "gpiochip0 brcm,bcm2711-gpio, gpiochip4"
    assert panel.chips(tmp_path / "none", sys) == "-"


def test_what_could_be_better_is_not_wrong() -> None:
    findings = [Finding(health.value, health, eye.CALIBRATE) for health in Health]
    assert not healthy(findings)
    assert healthy(each for each in findings if each.health is not Health.BAD)
