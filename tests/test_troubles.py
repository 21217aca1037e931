"""Every kind of trouble that the lower rooms know has its words."""

import errno
import os
from enum import Enum
from pathlib import Path

import pytest

from companion import troubles
from companion.config import ROOT
from companion.config.kinds import Camera
from companion.doctor import camera as eye
from companion.language import LANGUAGES, Message, Texts
from companion.store import StoreError, StoreErrorKind
from companion.voice import VoiceState
from hardware.camera import CameraState, PictureProblem
from hardware.panel import PanelProblem

TABLES: list[tuple[type[Enum], set[str]]] = [
    (CameraState, set(troubles.CAMERA)),
    (PictureProblem, set(troubles.PICTURE)),
    (PanelProblem, set(troubles.PANEL)),
    (VoiceState, set(troubles.VOICE)),
    (StoreErrorKind, {kind.name for kind in troubles.STORE}),
    (StoreErrorKind, {kind.name for kind in troubles.OPENING}),
]


@pytest.mark.parametrize(("kinds", "known"), TABLES, ids=lambda x: x.__name__ if isinstance(x, type) else "")
def test_every_kind_has_words(kinds: type[Enum], known: set[str]) -> None:
    assert known == {kind.name for kind in kinds}


@pytest.mark.parametrize("language", LANGUAGES)
def test_they_can_be_said_in_every_language(language: str) -> None:
    texts = Texts(language)
    said: list[Message | None] = [troubles.camera(kind.name, "usb:0") for kind in CameraState]
    said += [troubles.panel(kind.name, "no chip") for kind in PanelProblem]
    said += [troubles.voice(kind.name, "stop.ogg") for kind in VoiceState]
    for message in filter(None, said):
        assert "{" not in texts.say(message)


@pytest.mark.parametrize(
    ("kind", "advice"),
    [
        (StoreErrorKind.FULL, "The disk is full. Make room in /data."),
        (StoreErrorKind.READ_ONLY, "The store cannot be written to. Make /data writable."),
        (StoreErrorKind.BROKEN, "The store could not be opened: so it is. See what is wrong with /data."),
    ],
)
def test_what_helps_a_store_is_said(kind: StoreErrorKind, advice: str) -> None:
    said = Texts("en").say(troubles.opening(StoreError(kind, "so it is"), Path("/data/companion.db")))
    assert said == f"{advice} The store is /data/companion.db."


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "the disk is full. Make room in /data."),
        (errno.EDQUOT, "the disk is full. Make room in /data."),
        (errno.EROFS, "nothing can be written there. Make /data writable."),
        (errno.EACCES, "this user is not allowed to. Make /data writable."),
        (errno.EIO, "the disk does not answer as it should. See what is wrong with /data."),
    ],
)
def test_what_a_folder_does_not_take_is_said_with_what_helps(number: int, advice: str) -> None:
    texts, error, folder = Texts("en"), OSError(number, os.strerror(number)), Path("/data")
    assert texts.say(troubles.saving(error, folder)).endswith(f"until the program ends: {advice}")
    assert texts.say(troubles.not_kept(error, folder)).endswith(f"cannot be kept: {advice}")
    store = StoreError(StoreErrorKind.BROKEN, "", error)
    assert f"could not be opened: {advice} " in texts.say(troubles.no_store(store, folder / "companion.db"))
    error.filename = "/data/companion.db"
    advice = advice.replace("/data", error.filename)
    assert f"could not be opened: {advice} " in texts.say(troubles.opening(store, folder / "companion.db"))


def test_a_camera_is_called_what_the_settings_call_it() -> None:
    camera, texts = Camera(), Texts("en")
    for source in (*camera.menu, "usb:7", "http://phone:8080/video"):
        name = texts.say(camera.show(source))
        said = [troubles.camera(kind, str(source)) for kind in ("MISSING", "LOST")]
        found = [eye.found(kind, str(source), "").what for kind in ("LIVE", "DARK", "ENDED")]
        for message in (*said, *found):
            assert message and name in texts.say(message)


def test_who_may_not_read_a_file_joins_no_group() -> None:
    file, device = (troubles.camera("DENIED", source) for source in ("/home/anna/dice.png", "usb:0"))
    assert file and "not allowed to read /home/anna/dice.png" in Texts("en").say(file)
    assert device and "group “video”" in Texts("en").say(device)


def test_a_flat_cable_is_not_plugged_in_while_the_power_is_on() -> None:
    """Nor would it be found by itself: a Raspberry Pi looks for its cameras when it is switched on."""
    texts = Texts("en")
    for source in ("csi", "csi:1", "csi upside-down"):
        said = [troubles.camera(kind, source) for kind in ("MISSING", "LOST")]
        found = eye.found("MISSING", source, "")
        for message in (*said, found.what):
            assert message and "Switch the machine off first" in texts.say(message)
        assert found.todo and "plug" not in texts.say(found.todo)
    for kind in ("MISSING", "LOST"):
        file = troubles.camera(kind, "csi/dice.png")
        assert file is None or "cable" not in texts.say(file), "that is a file of a folder"


@pytest.mark.parametrize("source", ["csi", "http://10.0.0.9/video"])
def test_what_is_still_looked_for_is_not_plugged_in_either(source: str) -> None:
    found = eye.found("SEARCHING", source, "")
    assert found.todo and "plug" not in Texts("en").say(found.todo)


def test_an_address_without_pictures_is_no_damaged_file() -> None:
    address = "http://10.0.0.9/video"
    nobody, no_pictures = (troubles.camera(kind, address) for kind in ("MISSING", "UNREADABLE"))
    assert nobody and "No camera answers" in Texts("en").say(nobody)
    assert no_pictures and "password" in Texts("en").say(no_pictures)
    found = eye.found("UNREADABLE", address, "")
    assert found.todo == no_pictures


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileNotFoundError(errno.ENOENT, ""), "mine was not taught"),
        (PermissionError(errno.EACCES, os.strerror(errno.EACCES)), "The file of mine cannot be read: "),
        (ValueError(), "The file of mine is damaged"),
    ],
)
def test_why_a_die_is_not_known_is_said(error: OSError | ValueError, said: str) -> None:
    assert Texts("en").say(troubles.not_taught("mine", error)).startswith(said)


def test_who_has_a_loudspeaker_that_is_not_found_is_told_how_it_is_chosen() -> None:
    """Without a desktop ALSA asks the first card alone, and there may be nothing behind an HDMI socket."""
    said = troubles.voice(VoiceState.NO_DEVICE.name, "")
    assert said and "hardware/README.md" in Texts("en").say(said)
    assert "ALSA_CARD=" in (ROOT / "hardware" / "README.md").read_text()
