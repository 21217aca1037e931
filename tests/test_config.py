"""All mistakes of the configuration at once, with file, line and advice; what the screen changes stays."""

import errno
import os
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.make.settings import commented_file
from companion.config import (
    CONFIG,
    KINDS,
    OFFERED,
    ROOT,
    SETTINGS,
    ConfigError,
    MqttConfig,
    Offered,
    PanelConfig,
    Settings,
    Value,
    WrongError,
    config_dir,
    data_dir,
    load_all,
    load_panel,
    machine_file,
    save,
    understood,
)
from companion.config.files import read_settings
from companion.config.kinds import Camera
from companion.config.mqtt import named_after, read_mqtt
from companion.language import Texts
from hardware.camera import parse
from tests.disks import full_disk

ENGLISH = Texts("en")
GERMAN = Texts("de")


@pytest.fixture
def user(tmp_path: Path) -> Path:
    return tmp_path / "companion.yaml"


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    return tmp_path / "data" / "settings.yaml"


def load(user: Path, machine: Path) -> Settings:
    """Return the settings of both files, or raise all mistakes of the user's."""
    found = read_settings(user, machine)
    if found.problems:
        raise ConfigError(found.problems)
    return found.settings


def mistakes(user: Path, machine: Path, texts: Texts = ENGLISH) -> list[str]:
    """Return the mistakes as the user reads them, without the folder in front."""
    with pytest.raises(ConfigError) as caught:
        load(user, machine)
    return [problem.say(texts).replace(f"{user.parent}/", "") for problem in caught.value.problems]


def mistake(text: str, user: Path, machine: Path, texts: Texts = ENGLISH) -> str:
    """Return the one mistake of a user's file with that text."""
    user.write_text(text, encoding="utf-8")
    (found,) = mistakes(user, machine, texts)
    return found


# The table


def test_the_file_in_the_repository_is_the_one_that_the_table_gives() -> None:
    """If this fails: `python assets/make/settings.py > config/companion.yaml`."""
    assert (CONFIG / "companion.yaml").read_text(encoding="utf-8") == commented_file()


def test_the_commented_file_is_complete_valid_and_all_default(user: Path, machine: Path) -> None:
    user.write_text(commented_file(), encoding="utf-8")
    assert load(user, machine) == Settings()
    assert all(f"\n{setting.key}: " in user.read_text(encoding="utf-8") for setting in SETTINGS)


def test_an_empty_file_is_all_default(user: Path, machine: Path) -> None:
    user.write_text("# nothing\n", encoding="utf-8")
    assert load(user, machine) == Settings()


def test_the_screen_offers_what_is_meant_for_it() -> None:
    offered = {setting.key for setting in OFFERED}
    assert offered == {
        "language",
        "voice",
        "camera",
        "stopper_interval_s",
        "large_text",
        "high_contrast",
        "saver_min",
    }


def one(key: str) -> Any:
    return next(setting for setting in SETTINGS if setting.key == key)


@pytest.mark.parametrize(
    ("key", "value", "by", "then"),
    [
        ("volume", 70, 1, 80),
        ("volume", 75, 1, 80),
        ("volume", 75, -1, 70),
        ("volume", 100, 1, 100),
        ("volume", 0, -1, 0),
        ("stopper_interval_s", 1.2, 1, 1.3),
        ("stopper_interval_s", 0.5, -1, 0.5),
        ("voice", True, 1, False),
        ("language", "en", 1, "auto"),
        ("language", "auto", -1, "en"),
        ("camera", "auto", 1, "usb:0"),
        ("camera", "http://phone/", 1, "auto"),
        ("camera", "auto", -1, "auto upside-down"),
        ("camera", "csi", 1, "csi upside-down"),
        ("camera", "usb:1 upside-down", 1, "usb:0 upside-down"),
    ],
)
def test_touch_steps_through_the_values(key: str, value: Value, by: int, then: Value) -> None:
    assert one(key).kind.step(value, by, one(key).default) == then


def test_what_the_user_has_written_stays_on_the_menu() -> None:
    camera, mine = one("camera").kind, "http://phone:8080/video"
    seen, value = [], mine
    for _ in range(len(camera.menu) + 1):
        value = camera.step(value, 1, mine)
        seen.append(value)
    assert set(seen) == {*camera.menu, mine} and seen[-1] == mine


def test_what_the_user_has_written_is_known_beside_what_was_touched(tmp_path: Path) -> None:
    (tmp_path / "companion.yaml").write_text("camera: http://phone/\n")
    (tmp_path / "panel.yaml").write_text((CONFIG / "panel.yaml").read_text())
    (tmp_path / "settings.yaml").write_text("camera: usb:0\n")
    found = load_all(tmp_path, tmp_path)
    assert (found.settings.camera, found.written.camera) == ("usb:0", "http://phone/")


def reached(setting: Offered) -> list[Value]:
    """All that touches lead to from what a setting is by itself."""
    default: Value = getattr(Settings(), setting.key)
    found = [default]
    for by in (1, -1):
        value = default
        while (value := setting.kind.step(value, by, default)) not in found:
            found.append(value)
    return found


@pytest.mark.parametrize("setting", OFFERED, ids=lambda setting: setting.key)
def test_every_value_that_can_be_reached_has_a_name_and_can_be_kept(
    setting: Offered, user: Path, machine: Path
) -> None:
    user.write_text("", encoding="utf-8")
    names = [GERMAN.say(setting.kind.show(value)) for value in reached(setting)]
    assert all(names)
    assert len(set(names)) == len(names)
    for value in reached(setting)[:3]:
        save(machine, {setting.key: value})
        assert getattr(load(user, machine), setting.key) == value


def test_values_are_named_in_the_language_of_the_table() -> None:
    def named(key: str, value: Value) -> str:
        return GERMAN.say(one(key).kind.show(value))

    assert named("stopper_interval_s", 1.2) == "1,2 s"
    assert named("voice", False) == "aus"
    assert named("camera", "usb:0") == "USB-Kamera 1"
    assert named("camera", "http://phone:8080/video") == "http://phone:8080/video"


# What may be written


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("language: de", "de"),
        ("language: 'de'", "de"),
        ("voice: no", False),
        ("voice: Off", False),
        ("voice: ON", True),
        ("fullscreen: yes", True),
        ("fullscreen: auto", None),
        ("volume: 0", 0),
        ("volume: 75", 75),
        ("volume: 1e1", 10),
        ("volume: +5", 5),
        ("stopper_interval_s: 5", 5.0),
        ("stopper_interval_s: .5", 0.5),
        ("size: 1280x720", (1280, 720)),
        ("size: 320×240", (320, 240)),
        ("size: 1280X720", (1280, 720)),
        ("lock: exposure=156\u2028  gain=12", "exposure=156 gain=12"),
        ("camera: usb:3", "usb:3"),
        ("camera: csi", "csi"),
        ("camera: csi:1", "csi:1"),
        ("camera: http://192.168.1.7:8080/video", "http://192.168.1.7:8080/video"),
        ("camera: https://kid:secret@phone/v?x=1#a", "https://kid:secret@phone/v?x=1#a"),
        ("camera: rtsp://[fe80::1]/x", "rtsp://[fe80::1]/x"),
        ("camera: ./throws", "./throws"),
        ("camera: throw.png", "throw.png"),
        ("camera: 'C:\\dice'", "C:\\dice"),
        ("camera: /home/kid/Würfel: alle", None),
    ],
)
def test_right_values_are_read(line: str, value: Value, user: Path, machine: Path) -> None:
    user.write_text(line, encoding="utf-8")
    if line.endswith("alle"):  # the colon makes it no value any more
        assert "quotes" in mistakes(user, machine)[0]
        return
    read = getattr(load(user, machine), line.partition(":")[0])
    assert (read, type(read)) == (value, type(value))


# The configuration may not know the camera, and the other way round: they agree on what chooses one

CAMERAS = [
    "csi upside-down", "usb:1 upside-down", "/dev/video0 upside-down", "http://cam/ upside-down",
    "auto", "csi", "csi:0", "csi:1", "usb:0", "usb:02", "usb:100", "/dev/video0", "/dev/video\u0663",
    "/dev/video" + "9" * 5000, "http://10.0.0.5:8080/video", "https://me:secret@cam/x?a=1",
    "RTSP://[::1]/live", "~", "~/pictures", "~nouser/pictures", ".", "..", "throw.png", "./throws", "a b/",
    "/a ", "C:\\dice", "a.b c", "/" + "x" * 5000, "./usb:x",
]  # fmt: skip
NO_CAMERAS = [
    "", " ", "usb", "usb0", "webcam", "x" * 5000, "usb:", "usb:x", "usb:\u0663", "usb:1000", "usb:-1",
    "upside-down", " upside-down", "csi upside-down upside-down", "csi  upside-down", "csi:upside-down",
    "usb:0/x", "usb:0.png", "csi:x", "csi:1/", "CSI", " auto", "usb:0 ", " http://cam/",
    "http://10.0.0.5/my cam", "http://cam/\u3000x", "http://cam/\a", "http://", "http:///video",
    "http://cam:eighty/", "http://cam:0/", "http://cam:70000/", "http://[fe80/", "ftp://cam/x",
    "file:///etc/passwd", "x/http://cam/", "a\0b", "/a\nb", "~\0",
]  # fmt: skip


def can_be_written(camera: str) -> bool:
    """Whether the configuration takes a setting of the camera."""
    try:
        return KINDS["camera"].read(camera, plain=False) == camera
    except WrongError:
        return False


def can_be_opened(camera: str) -> bool:
    """Whether the camera knows what a setting chooses."""
    try:
        return bool(parse(camera))
    except ValueError:
        return False


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_right_camera_can_be_written_and_opened(camera: str) -> None:
    assert (can_be_written(camera), can_be_opened(camera)) == (True, True)


@pytest.mark.parametrize("camera", NO_CAMERAS)
def test_a_wrong_camera_can_neither_be_written_nor_opened(camera: str) -> None:
    assert (can_be_written(camera), can_be_opened(camera)) == (False, False)


PARTS_OF_CAMERAS = [
    "auto",
    "csi",
    "usb",
    ":",
    "0",
    "12",
    "\u0663",
    "http",
    "RTSP",
    "://",
    "/",
    "[::1]",
    "@",
    "%",
    "a",
]
PARTS_OF_CAMERAS += [" upside-down", "~", ".", "\\", " ", "\u3000", "\t", "\0", "/dev/video", "ftp", "?", "#"]


@given(st.lists(st.sampled_from(PARTS_OF_CAMERAS), max_size=7).map("".join) | st.text())
def test_what_can_be_written_as_a_camera_can_be_opened(camera: str) -> None:
    assert can_be_written(camera) is can_be_opened(camera)


def test_spaces_that_only_look_like_one_do_no_harm(user: Path, machine: Path) -> None:
    user.write_text("volume:\u00a040\u00a0\n\u00a0\u00a0\nlanguage: de", encoding="utf-8")
    assert load(user, machine) == Settings(volume=40, language="de")


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(user: Path, machine: Path) -> None:
    user.write_bytes(b"\xef\xbb\xbfvolume: 10\r\nvoice: no\r\n")
    assert (load(user, machine).volume, load(user, machine).voice) == (10, False)


# Mistakes


def test_all_mistakes_of_both_files_come_at_once(user: Path, machine: Path) -> None:
    user.write_text(
        "language: no\nvoice: yes\ncamra: usb:0\nvoice: on\nvolume: 200\nsize: big\n", encoding="utf-8"
    )
    machine.parent.mkdir()
    machine.write_text("panel: gpoi\n", encoding="utf-8")
    assert mistakes(user, machine) == [
        "companion.yaml:1: language: 'no' is not possible; write one of: auto, de, en",
        "companion.yaml:3: unknown key 'camra': did you mean 'camera'?",
        "companion.yaml:4: 'voice' stands here a second time, first in line 2",
        "companion.yaml:5: volume: 200 is out of range; write a number from 0 to 100",
        "companion.yaml:6: size: 'big' is not possible;"
        " write auto, or WIDTHxHEIGHT from 320x240 to 7680x4320",
    ]
    (foreign,) = read_settings(user, machine).foreign
    assert foreign.say(ENGLISH).endswith(
        "settings.yaml:1: panel: 'gpoi' is not possible: did you mean 'gpio'? Possible are: auto, gpio, none"
    )


@pytest.mark.parametrize(("count", "more"), [(5, ""), (7, "; and 2 more")])
def test_of_many_mistakes_it_is_told_how_many_more_there_are(
    user: Path, machine: Path, count: int, more: str
) -> None:
    user.write_text("".join(f"weather-{number}: fine\n" for number in range(count)), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load(user, machine)
    *_, last = str(caught.value).split("companion.yaml:")
    assert last.startswith("5: unknown key 'weather-4'") and last.endswith(", ".join(KINDS) + more)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("volume: loud", "volume: 'loud' is not possible; write a number from 0 to 100"),
        ("volume: '70'", "volume: write the number without quotes"),
        ("volume: 010", "volume: '010' could be meant octal: write it without the leading zero"),
        ("volume: 0x1F", "volume: '0x1F' is not possible; write a number from 0 to 100"),
        ("volume: 1_0", "volume: '1_0' is not possible; write a number from 0 to 100"),
        ("volume: 1:30", "volume: '1:30' is not possible; write a number from 0 to 100"),
        ("volume: 7.5", "volume: 7.5 is not a whole number"),
        ("volume: 1e999", "volume: 1e999 is out of range; write a number from 0 to 100"),
        ("volume: -1", "volume: -1 is out of range; write a number from 0 to 100"),
        ("volume: .nan", "volume: '.nan' is not possible; write a number from 0 to 100"),
        ("tray: 0 0 1.2 0 1 1 0 1", "tray: '0 0 1.2 0 1 1 0 1' is not possible; write none, or eight"),
        ("lock: ''", "lock: '' is not possible; write none, or words"),
        ("volume:", "volume: there is no value: write one, or remove the line"),
        ("camera: ~", "camera: there is no value: write one, or remove the line"),
        ("volume: [70]", "volume: one value is expected here, not a list or a mapping"),
        ("panel: on", "panel: 'on' is not possible; write one of: auto, gpio, none"),
        ("voice: 1", "voice: '1' is not possible; write one of: true, false"),
        ("voice: 'true'", "voice: write true without quotes"),
        ("stopper_interval_s: 1,5", "stopper_interval_s: write 1.5 with a point"),
        ("stopper_interval_s: 0.4", "stopper_interval_s: 0.4 is out of range; write a number from 0.5 to 5"),
        ("size: 300x240", None),
        ("size: 99999999x240", None),
        ("camera: webcam", None),
        ("camera: usb", None),
        ("camera: usb:x", None),
        ("camera: ftp://phone/", None),
        ("camera: http:///video", None),
        ("camera: http://phone:eighty/", None),
        ("camera: http://[fe80/", None),
        ("camera: rtsp://me:se/cret@cam/v", "camera: 'rtsp://…@cam/v' is not possible; write auto, "),
        (
            "camera: http://me:se cr@et@cam/v?pw=x",
            "camera: 'http://…@cam/v?pw=…' is not possible; write auto, ",
        ),
        ('camera: "a/\\a"', None),
        ("Volume: 7", "unknown key 'Volume': did you mean 'volume'?"),
        ("weather: fine", "unknown key 'weather'; known are: "),
        ("<<: 1", "unknown key '<<'; known are: "),
        ("? [a]\n: 1", "a key must be one word"),
        ("- volume", "expected lines of the form 'key: value'"),
        ("seventy", "expected lines of the form 'key: value'"),
    ],
)
def test_wrong_values_are_explained(text: str, expected: str | None, user: Path, machine: Path) -> None:
    said = mistake(text, user, machine)
    key, _, value = text.partition(": ")
    shape = value.strip("'\"").replace("\\a", "\a")
    assert said.startswith(
        "companion.yaml:1: " + (expected or f"{key}: '{shape}' is not possible; write auto, ")
    )


@pytest.mark.parametrize(
    "shown", ["rtsp://192.168.1.20:554/stream1", "http://cam/@home", "http://cam?to=a@b"]
)
def test_the_account_of_a_camera_stands_on_no_screen(shown: str) -> None:
    address = shown.replace("://", "://anna:se@cret@")
    assert ENGLISH.say(Camera().show(address)) == shown
    assert ENGLISH.say(Camera().show(f"{address} upside-down")) == f"{shown}, upside down"
    assert ENGLISH.say(Camera().show(shown)) == shown


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://cam/v.cgi?user=me&pwd=s:e@cret", "http://cam/v.cgi?user=me&pwd=…"),
        ("http://cam/v?loginpas=secret&x=1", "http://cam/v?loginpas=…&x=1"),
        (
            "rtsp://cam:554/user=me&password=secret&channel=1.sdp",
            "rtsp://cam:554/user=me&password=…&channel=1.sdp",
        ),
        ("http://cam/v?Token=secret#1", "http://cam/v?Token=…#1"),
    ],
)
def test_a_password_in_the_rest_of_an_address_stands_on_no_screen(address: str, shown: str) -> None:
    """So webcams want it; and the camera says of itself what the settings say."""
    assert ENGLISH.say(Camera().show(address)) == shown == parse(address).shown
    assert ENGLISH.say(Camera().show(f"{address} upside-down")) == f"{shown}, upside down"
    assert ENGLISH.say(Camera().show(shown)) == shown


def test_half_a_sign_is_no_text(user: Path, machine: Path) -> None:
    """No name can be made of it, nor anything be sent to a broker."""
    said = mistake('camera: "\\ud800"', user, machine)
    assert said.startswith("companion.yaml:1: camera: put the value in single quotes")
    assert mistake('"\\ud800x": 1', user, machine).startswith("companion.yaml:1: put the value in single")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("voice: yes\n\tvolume: 7\n", "2: there is a tab: use spaces"),
        ("volume:\t7\n", "1: there is a tab: use spaces"),
        (
            "voice: yes\ncamera: usb: 0\n",
            "2: there is a colon too many: put the value in quotes, or check the",
        ),
        ("camera: @home\n", "1: the character @ must stand in quotes"),
        ("voice: yes\ncamera: 'x\nsize: auto\n", "2: a quotation mark is opened here and never closed"),
        ("voice: yes\nvolume\nsize: auto\n", "2: a colon and a space are missing after the key"),
        ("voice: yes\nvolume:70\nsize: auto\n", "2: a colon and a space are missing after the key"),
        ("voice: yes\n---\nvoice: no\n", "2: a second document begins here; only one is allowed"),
        ("volume: [1, 2\n", "1: a bracket is opened here and not closed, or a comma is missing"),
        ("size: {x: 1\nvoice: no\n", "1: a bracket is opened here and not closed, or a comma is missing"),
        ("- voice\nvolume: 7\n", "2: this does not fit what stands above: check the indentation"),
        ('camera: "C:\\q"\n', "1: put the value in single quotes: within double ones \\ means another"),
        (
            'voice: yes\ncamera: "\\U00110000"\n',
            "2: put the value in single quotes: within double ones \\ means",
        ),
        (
            'voice: yes\ncamera: "\\UFFFFFFFF"\n',
            "2: put the value in single quotes: within double ones \\ means",
        ),
        ("camera: ]\n", "1: this is not valid YAML: put the value in quotes, or check the indentation"),
        ("camera: !<x b\n", "1: this is not valid YAML: put the value in quotes, or check the indentation"),
        ("volume: *loud\n", "1: the character * must stand in quotes"),
        ("voice: yes\nvolume: \x00\n", "2: this is no text file: it holds control characters"),
    ],
)
def test_what_is_no_yaml_is_explained(text: str, expected: str, user: Path, machine: Path) -> None:
    assert mistake(text, user, machine).startswith("companion.yaml:" + expected)


def test_brackets_without_end_are_no_crash(user: Path, machine: Path) -> None:
    assert mistake("[" * 5000, user, machine) == "companion.yaml: the brackets are nested too deeply"


def test_mistakes_are_german_at_a_german_table(user: Path, machine: Path) -> None:
    said = mistake("volume: 200", user, machine, GERMAN)
    assert said == "companion.yaml:1: volume: 200 liegt außerhalb; möglich ist: eine Zahl von 0 bis 100"


def test_a_file_that_is_no_text_is_named(user: Path, machine: Path) -> None:
    user.write_bytes(b"voice: yes\n\x89PNG\r\n\xff\xfe")
    assert mistakes(user, machine) == ["companion.yaml:2: this is no text in UTF-8"]


def test_a_missing_file_is_named(user: Path, machine: Path) -> None:
    assert mistakes(user, machine) == [
        f"companion.yaml: the file is missing: put one there; those of the companion are in {CONFIG}"
    ]


def test_a_folder_in_the_place_of_the_file_is_named(user: Path, machine: Path) -> None:
    user.mkdir()
    assert mistakes(user, machine) == ["companion.yaml: this is a folder or a device, not a file"]


def test_a_file_that_may_not_be_read_is_named(
    user: Path, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied")

    user.write_text("voice: yes")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    expected = "companion.yaml: the file cannot be read: this user is not allowed to"
    assert mistakes(user, machine)[0] == expected


@given(
    st.binary(max_size=60)
    | st.text(alphabet="volumeca: \n\t'\"[]{}#&*!|>%@`-?,0y", max_size=60).map(str.encode)
)
def test_no_file_makes_the_reading_fail(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    folder = tmp_path_factory.getbasetemp()
    file = folder / f"any-{os.getpid()}.yaml"
    file.write_bytes(content)
    try:
        load(file, folder / "none.yaml")
    except ConfigError as error:
        assert error.problems
        assert all(GERMAN.say(problem.message) for problem in error.problems)


# The machine's own part


def test_the_machines_part_goes_before_the_users(user: Path, machine: Path) -> None:
    user.write_text("volume: 10\nlanguage: de\n", encoding="utf-8")
    save(machine, {"volume": 90})
    assert (load(user, machine).volume, load(user, machine).language) == (90, "de")


def test_changes_add_up_and_the_file_says_what_it_is(user: Path, machine: Path) -> None:
    user.write_text("", encoding="utf-8")
    save(machine, {"volume": 90, "voice": False})
    save(machine, {"volume": 20, "size": (800, 480)})
    assert load(user, machine) == Settings(volume=20, voice=False, size=(800, 480))
    text = machine.read_text(encoding="utf-8")
    assert text.startswith("# Written by the companion")
    assert [file.name for file in machine.parent.iterdir()] == [machine.name]


PRINTABLE = st.text(st.characters(codec="utf-8"), max_size=30).filter(str.isprintable)
VALUES = st.fixed_dictionaries(
    {},
    optional={
        "language": st.sampled_from(["auto", "de", "en"]),
        "voice": st.booleans(),
        "volume": st.integers(0, 100),
        "camera": PRINTABLE.map(lambda text: f"/{text}")
        | PRINTABLE.map(lambda text: f"http://phone/{text.replace(' ', '')}"),
        "size": st.none() | st.tuples(st.integers(320, 7680), st.integers(240, 4320)),
        "fullscreen": st.none() | st.booleans(),
        "panel": st.sampled_from(["auto", "gpio", "none"]),
        "stopper_interval_s": st.floats(0.5, 5.0),
    },
)


@given(VALUES)
def test_whatever_is_saved_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, Any]
) -> None:
    folder = tmp_path_factory.getbasetemp() / f"saved-{os.getpid()}"
    machine_file(folder).unlink(missing_ok=True)
    save(machine_file(folder), values)
    assert load(CONFIG / "companion.yaml", machine_file(folder)) == Settings(**values)


def test_nobody_else_reads_the_password_of_a_camera(machine: Path) -> None:
    save(machine, {"camera": "http://me:secret@10.0.0.9/video"})
    assert machine.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "changes",
    [{"volume": 101}, {"volume": True}, {"language": "fr"}, {"camera": "webcam"}, {"size": (1, 1)},
     {"camera": "/a\nvoice: no"}, {"stopper_interval_s": float("nan")}],
)  # fmt: skip
def test_what_cannot_be_is_not_saved(changes: dict[str, Value], machine: Path) -> None:
    save(machine, {"volume": 20})
    before = machine.read_bytes()
    with pytest.raises(ValueError, match=r"."):
        save(machine, changes)
    assert [file.read_bytes() for file in machine.parent.iterdir()] == [before]


def test_a_torn_file_of_the_machine_is_set_aside_when_something_is_written(
    user: Path, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user.write_text("volume: 20", encoding="utf-8")
    save(machine, {"camera": "./a 'quoted' folder"})
    torn = machine.read_bytes()[:-8]
    machine.write_bytes(torn)
    found = read_settings(user, machine)
    assert not found.problems and [(p.file, p.line) for p in found.foreign] == [(machine, 2)]
    assert found.settings == found.written == Settings(volume=20)
    with full_disk(monkeypatch), pytest.raises(OSError, match="space"):
        save(machine, {"volume": 40})
    assert machine.read_bytes() == torn, "what can still be read of it is not lost"
    save(machine, {"volume": 40})
    assert load(user, machine) == Settings(volume=40) and not read_settings(user, machine).foreign
    aside = machine.with_name("settings.yaml.damaged")
    assert aside.read_bytes() == torn
    assert aside.stat().st_mode & 0o077 == 0, "in it may stand the password of a camera"
    machine.write_text("- volume: 60", encoding="utf-8")
    save(machine, {"volume": 40})
    assert aside.read_text(encoding="utf-8") == "- volume: 60"


@pytest.mark.parametrize(
    ("strange", "kept"),
    [
        ("[a, b]: c", True),
        ("{a: 1}: c", True),
        ("? [a]\n: c", False),
        ("? other\n: c", False),
        ("? lock: gain=1", False),
        ("one: &x 1\ntwo: *x", False),
    ],
)
def test_a_strange_entry_of_the_machine_holds_nobody_up(
    user: Path, machine: Path, strange: str, kept: bool
) -> None:
    """What cannot be kept beside other settings is set aside with the whole file."""
    user.write_text("", encoding="utf-8")
    machine.parent.mkdir()
    machine.write_text(f"volume: 40\n{strange}\n", encoding="utf-8")
    found = read_settings(user, machine)
    assert found.settings == Settings(volume=40) and found.foreign
    save(machine, {"voice": False})
    assert load(user, machine) == Settings(volume=40, voice=False)
    assert (strange in machine.read_text(encoding="utf-8")) is kept
    assert machine.with_name("settings.yaml.damaged").exists() is not kept


def test_what_a_newer_version_has_written_is_said_kept_and_understood_again(
    user: Path, machine: Path
) -> None:
    """After a rollback: the newer one finds its own settings as it had left them."""
    user.write_text("", encoding="utf-8")
    machine.parent.mkdir()
    machine.write_text(
        "volume: 40\nhologram: {depth: 3, 'of': [1, 2]}\npanel: wireless\nsurfaces:\n  - a\n  - b\n",
        encoding="utf-8",
    )
    found = read_settings(user, machine)
    assert found.settings == Settings(volume=40)
    assert [problem.line for problem in found.foreign] == [2, 3, 4]
    for change in ({"voice": False}, {"volume": 50}):
        save(machine, change)
    kept = yaml.safe_load(machine.read_text(encoding="utf-8"))
    assert kept == {
        "volume": 50,
        "voice": False,
        "hologram": {"depth": 3, "of": [1, 2]},
        "panel": "wireless",
        "surfaces": ["a", "b"],
    }
    save(machine, {"panel": "none"})
    assert load(user, machine) == Settings(volume=50, voice=False, panel="none")
    assert [problem.line for problem in read_settings(user, machine).foreign] == [5, 6]


def test_a_disk_that_fails_keeps_what_was_there(
    user: Path, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    user.write_text("", encoding="utf-8")
    save(machine, {"volume": 20})
    with monkeypatch.context() as patch, pytest.raises(OSError, match="space"):
        patch.setattr(os, "fsync", fail)
        save(machine, {"volume": 80})
    assert load(user, machine).volume == 20
    assert [file.name for file in machine.parent.iterdir()] == [machine.name]


def test_a_file_in_the_place_of_the_data_folder_is_named(user: Path, machine: Path) -> None:
    user.write_text("", encoding="utf-8")
    machine.parent.write_text("in the way")
    (foreign,) = read_settings(user, machine).foreign
    said = foreign.say(ENGLISH)
    assert said.endswith("data/settings.yaml: the file cannot be read: a part of the path is no folder")


# The panel

WIRES = """
buttons: {confirm: 5, back: 6, left: 13, right: 19, undo: 26}
lamps: {confirm: 12, back: 16, left: 20, right: 21, undo: ~}
buzzer: null
hold_s: 0.8
bounce_s: 0.02
"""


@pytest.fixture
def wires(tmp_path: Path) -> Path:
    return tmp_path / "panel.yaml"


def wrong_wires(text: str, file: Path) -> list[str]:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_panel(file)
    return [f"{problem.line}: {ENGLISH.say(problem.message)}" for problem in caught.value.problems]


def test_the_wiring_is_read(wires: Path) -> None:
    wires.write_text(WIRES, encoding="utf-8")
    buttons = {"confirm": 5, "back": 6, "left": 13, "right": 19, "undo": 26}
    lamps = {"confirm": 12, "back": 16, "left": 20, "right": 21}
    assert load_panel(wires) == PanelConfig(buttons, lamps, None, 0.8, 0.02)


def test_the_wiring_in_the_repository_is_right() -> None:
    panel = load_panel(CONFIG / "panel.yaml")
    assert list(panel.buttons) == list(panel.lamps) == ["confirm", "back", "left", "right", "undo"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("buzzer: null", "buzzer: 12", "4: pin 12 is given to lamps: confirm and to buzzer"),
        ("left: 13", "left: 6", "2: pin 6 is given to buttons: back and to buttons: left"),
        ("confirm: 5", "confirm: 6.0", "2: pin 6 is given to buttons: confirm and to buttons: back"),
        ("buzzer: null", "buzzer: +12", "4: pin 12 is given to lamps: confirm and to buzzer"),
        ("buzzer: null", "buzzer: '12'", "4: buzzer: write the number without quotes"),
        ("left: 20", "left: 26", "3: pin 26 is given to buttons: undo and to lamps: left"),
        ("left: 13", "left: 28", "2: left: 28 is out of range; write a number from 0 to 27"),
        ("left: 13", "left: GPIO13", "2: left: 'GPIO13' is not possible; write a number from 0 to 27"),
        ("left: 13", "lft: 13", "2: unknown key 'lft': did you mean 'left'?"),
        ("left: 13", "left: 13, left: 14", "2: 'left' stands here a second time, first in line 2"),
        ("hold_s: 0.8", "hold_s: 0", "5: hold_s: 0 is out of range; write a number from 0.2 to 5"),
        ("hold_s: 0.8\n", "", "None: 'hold_s' is missing"),
        ("bounce_s", "bounce", "6: unknown key 'bounce': did you mean 'bounce_s'?"),
        ("{confirm: 12, back: 16, left: 20, right: 21, undo: ~}", "none", "3: expected lines of the form"),
    ],
)
def test_mistakes_in_the_wiring_are_explained(old: str, new: str, expected: str, wires: Path) -> None:
    (said,) = wrong_wires(WIRES.replace(old, new, 1), wires)
    assert said.startswith(expected)


def test_all_mistakes_in_the_wiring_come_at_once(wires: Path) -> None:
    text = WIRES.replace("left: 13", "left: 6").replace("undo: ~", "undo: 99").replace("0.8", "long")
    assert [said[:3] for said in wrong_wires(text, wires)] == ["2: ", "3: ", "5: "]


def test_an_empty_wiring_lacks_everything(wires: Path) -> None:
    assert len(wrong_wires("", wires)) == 5


def test_a_missing_wiring_is_named(wires: Path) -> None:
    with pytest.raises(ConfigError, match=r"panel\.yaml: the file is missing"):
        load_panel(wires)


# The broker


@pytest.fixture
def broker(tmp_path: Path) -> Path:
    return tmp_path / "mqtt.yaml"


def wrong_broker(text: str, file: Path, texts: Texts = ENGLISH) -> list[str]:
    file.write_text(text, encoding="utf-8")
    found, problems = read_mqtt(file)
    assert found is None
    return [f"{problem.line}: {texts.say(problem.message)}" for problem in problems]


def test_the_broker_in_the_repository_is_complete_and_all_default() -> None:
    text = (CONFIG / "mqtt.yaml").read_text(encoding="utf-8")
    assert read_mqtt(CONFIG / "mqtt.yaml") == (MqttConfig(), [])
    assert all(f"\n{field.name}: " in text for field in fields(MqttConfig))


def test_without_its_file_no_broker_is_told(broker: Path) -> None:
    assert read_mqtt(broker) == (MqttConfig(), []) and not MqttConfig().enabled


def test_a_broker_is_read(broker: Path, tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("")
    lines = [
        "enabled: yes",
        "table: table-7",
        "host: broker.local",
        "tls: true",
        f"ca_file: {tmp_path / 'ca.pem'}",
        "username: 010",
        "password: ' *it''s: #1 '",
        "topic: café/tables".replace("é", "e"),
        "discovery: none",
    ]
    broker.write_text("\n".join(lines), encoding="utf-8")
    found, _ = read_mqtt(broker)
    assert found == MqttConfig(
        enabled=True,
        table="table-7",
        host="broker.local",
        tls=True,
        ca_file=tmp_path / "ca.pem",
        username="010",
        password=" *it's: #1 ",
        topic="cafe/tables",
        discovery=None,
    )
    assert found and found.port_number == 8883 and MqttConfig().port_number == 1883
    assert "it's" not in repr(found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("enabled: maybe", "1: enabled: 'maybe' is not possible; write one of: true, false"),
        ("\nprot: 1", "2: unknown key 'prot': did you mean 'port'?"),
        ("port: 99999", "1: port: 99999 is out of range; write a number from 1 to 65535"),
        ("host: mqtt://here:1883", "1: host: 'mqtt://here:1883' is not possible; write the machine's name"),
        ("table: Tisch 1", "1: table: 'Tisch 1' is not possible; write auto, or at most 32 letters"),
        ("table: a/b", "1: table: 'a/b' is not possible"),
        ("topic: tables/#", "1: topic: 'tables/#' is not possible; write letters"),
        ("ca_file: /no/such.pem", "1: ca_file: there is no file /no/such.pem"),
        ("ca_file: ~nobody-of-this-name/a.pem", "1: ca_file: there is no file ~nobody-of-this-name/a.pem"),
        ('ca_file: "~\\0"', "1: ca_file: there is no file ~\0"),
        (f"ca_file: /{'x' * 300}", f"1: ca_file: there is no file /{'x' * 300}"),
        ("username:", "1: username: there is no value"),
        ("password:", "1: password: there is no value"),
    ],
)
def test_mistakes_in_the_broker_are_explained(text: str, expected: str, broker: Path) -> None:
    (said,) = wrong_broker(text, broker)
    assert said.startswith(expected)


@pytest.mark.parametrize("before", ["", "*", "&", "!", "!!", "@", "%", "- ", "? ", "a: ", "'", '"', "[", "{"])
@pytest.mark.parametrize("texts", [ENGLISH, GERMAN], ids=["en", "de"])
def test_a_password_without_quotes_is_refused_and_not_repeated(
    before: str, texts: Texts, broker: Path
) -> None:
    said = wrong_broker(f"password: {before}geheim", broker, texts)
    assert said and not any("geheim" in each for each in said)


@settings(deadline=None)
@given(st.text())
def test_the_name_of_any_machine_makes_one_of_a_table(name: str) -> None:
    assert re.fullmatch("[A-Za-z0-9_-]{1,32}", named_after(name))


# All of it


def test_everything_is_loaded_together(tmp_path: Path) -> None:
    configuration = load_all(CONFIG, tmp_path)
    assert configuration.settings == Settings()
    assert configuration.panel == load_panel(CONFIG / "panel.yaml")
    assert configuration.mqtt == MqttConfig()


def test_the_mistakes_of_all_files_come_at_once(user: Path, wires: Path, broker: Path, machine: Path) -> None:
    user.write_text("volume: 200", encoding="utf-8")
    broker.write_text("port: none", encoding="utf-8")
    wires.write_text("", encoding="utf-8")
    save(machine, {"volume": 10})
    machine.write_text("volume: 300", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_all(user.parent, machine.parent)
    assert {problem.file for problem in caught.value.problems} == {user, wires, broker}


def test_beside_mistakes_all_that_is_right_holds(
    user: Path, wires: Path, broker: Path, machine: Path
) -> None:
    """No pin is touched that may be wired otherwise: a lamp's might be driven against a button."""
    wires.write_text(WIRES, encoding="utf-8")
    user.write_text("volume: loud\ncamera: usb:1", encoding="utf-8")
    broker.write_text("host: home\nport: none", encoding="utf-8")
    found = understood(user.parent, machine.parent)
    assert found.settings == Settings(camera="usb:1") and found.mqtt == MqttConfig()
    assert found.panel == load_panel(wires)
    assert [problem.file for problem in found.mistakes] == [user, broker]
    wires.write_text(
        wires.read_text(encoding="utf-8").replace("hold_s: 0.8", "hold_s: long"), encoding="utf-8"
    )
    found = understood(user.parent, machine.parent)
    assert not found.panel.buttons and not found.panel.lamps and found.panel.buzzer is None


def test_a_machine_that_is_wrong_keeps_nobody_from_playing(tmp_path: Path) -> None:
    machine_file(tmp_path).write_text("volume: 300\nlanguage: de", encoding="utf-8")
    found = load_all(CONFIG, tmp_path)
    assert found.settings == replace(found.written, language="de") and len(found.foreign) == 1


@pytest.mark.parametrize(
    ("environment", "config", "data"),
    [
        ({}, ROOT / "config", None),
        ({"COMPANION_CONFIG": "/etc/x", "COMPANION_DATA": "/var/x"}, Path("/etc/x"), Path("/var/x")),
        (
            {"CONFIGURATION_DIRECTORY": "/etc/y:/etc/z", "STATE_DIRECTORY": "/var/y"},
            Path("/etc/y"),
            Path("/var/y"),
        ),
        ({"COMPANION_DATA": "/var/x", "STATE_DIRECTORY": "/var/y"}, ROOT / "config", Path("/var/x")),
        (
            {"COMPANION_DATA": "~nobody-of-this-name/x"},
            ROOT / "config",
            Path("~nobody-of-this-name/x").absolute(),
        ),
    ],
)
def test_the_folders_are_those_of_the_environment(
    environment: dict[str, str], config: Path, data: Path | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("COMPANION_CONFIG", "COMPANION_DATA", "CONFIGURATION_DIRECTORY", "STATE_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert config_dir() == config
    assert data_dir() == data if data else data_dir().name == "tabletop-companion"
