"""The setting that chooses the camera."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.camera import CameraKind, parse


@pytest.mark.parametrize(
    ("setting", "kind", "value", "shown"),
    [
        ("auto", CameraKind.AUTO, "", "auto"),
        ("csi", CameraKind.CSI, "", "csi"),
        ("csi:1", CameraKind.CSI, "1", "csi:1"),
        ("usb:0", CameraKind.USB, "0", "usb:0"),
        ("usb:02", CameraKind.USB, "2", "usb:2"),
        ("/dev/video2", CameraKind.USB, "/dev/video2", "/dev/video2"),
        ("/dev/v4l/by-id/usb-Cam-index0", CameraKind.USB, *["/dev/v4l/by-id/usb-Cam-index0"] * 2),
        ("/dev/shm/dice.png", CameraKind.PATH, "/dev/shm/dice.png", "/dev/shm/dice.png"),
        (
            "http://10.0.0.2:8080/video",
            CameraKind.ADDRESS,
            "http://10.0.0.2:8080/video",
            "http://10.0.0.2:8080/video",
        ),
        (
            "https://me:secret@cam/x?a=1",
            CameraKind.ADDRESS,
            "https://me:secret@cam/x?a=1",
            "https://cam/x?a=1",
        ),
        ("RTSP://[::1]:554/live", CameraKind.ADDRESS, "RTSP://[::1]:554/live", "rtsp://[::1]:554/live"),
        ("pictures/dice.png", CameraKind.PATH, "pictures/dice.png", "pictures/dice.png"),
        ("throw.mp4", CameraKind.PATH, "throw.mp4", "throw.mp4"),
        (".", CameraKind.PATH, ".", "."),
        ("~nobody-of-this-name/x", CameraKind.PATH, "~nobody-of-this-name/x", "~nobody-of-this-name/x"),
    ],
)
def test_every_kind_of_camera_can_be_chosen(setting: str, kind: CameraKind, value: str, shown: str) -> None:
    choice = parse(setting)
    assert (choice.kind, choice.value, choice.shown) == (kind, value, shown)


@pytest.mark.parametrize(
    "setting",
    [
        "",
        "  ",
        " auto",
        "usb:",
        "usb:one",
        "usb:-1",
        "csi:x",
        "ftp://cam/x",
        "file:///etc/passwd",
        "http://",
        "http://cam:eighty/",
        "http://[::1/",
        "http://my cam/",
        "usb0",
        "webcam",
        "a\0b",
        "~\0",
        "x" * 5000,
    ],
)
def test_nonsense_is_refused(setting: str) -> None:
    with pytest.raises(ValueError, match="no "):
        parse(setting)


def test_a_bare_word_is_none_whatever_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "throws").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="no path"):
        parse("throws")
    assert parse("./throws").kind is CameraKind.PATH


def test_home_may_be_short(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert parse("~/dice.png").value == str(tmp_path / "dice.png")


@given(st.text())
def test_any_text_is_a_choice_or_a_value_error(text: str) -> None:
    with suppress(ValueError):
        assert parse(text).shown
