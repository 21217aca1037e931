"""USB cameras through a VideoCapture that is plugged in and pulled out; and `auto`."""

import contextlib
import errno
import os
import struct
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera import CameraError, CameraState, Image, parse
from hardware.camera.auto import AutoSource, usb_sources
from hardware.camera.capture import AddressSource, UsbSource
from hardware.camera.source import Source
from hardware.camera.testing import Scripted, Watched, picture
from hardware.camera.v4l2 import Device, device_of, is_busy, paths, query, usb_cameras

NEVER = threading.Event()


class Plug:
    """A USB camera: `there` is the plug. It makes captures, and knows how many are open."""

    def __init__(self) -> None:
        self.there, self.delivers = True, True
        self.reads, self.broken = 0, 0  # two of so many pictures are broken
        self.image: Image = picture()
        self.open = 0
        self.asked: dict[int, float] = {}
        self.pace = threading.Event()

    def capture(self, device: str) -> "PlugCapture":
        return PlugCapture(self)

    def query(self, path: str) -> Device:
        if not self.there:
            raise CameraError(CameraState.MISSING, path)
        return Device("HD Webcam", "uvcvideo", "usb-1", True)

    def source(self) -> UsbSource:
        return UsbSource(0, capture=self.capture, query=self.query)


class PlugCapture:
    """What cv2.VideoCapture is for such a camera."""

    def __init__(self, plug: Plug) -> None:
        self.plug = plug
        self.opened = plug.there
        plug.open += self.opened

    def isOpened(self) -> bool:
        return self.opened

    def read(self) -> tuple[bool, Image]:
        self.plug.pace.wait(0.001)
        self.plug.reads += 1
        sound = not self.plug.broken or self.plug.reads % self.plug.broken > 1
        return self.opened and self.plug.there and self.plug.delivers and sound, self.plug.image

    def get(self, prop: int, /) -> float:
        return self.plug.asked.get(prop, 0)

    def set(self, prop: int, value: float, /) -> bool:
        self.plug.asked[prop] = value
        return False

    def release(self) -> None:
        self.plug.open -= self.opened
        self.opened = False


def test_a_camera_is_pulled_out_and_put_back() -> None:
    plug = Plug()
    with Watched(source=plug.source()) as watched:
        watched.state(CameraState.LIVE)
        assert watched.camera.status.source == "usb:0"
        assert watched.camera.status.detail == "HD Webcam 64 x 48"
        plug.there = False
        watched.state(CameraState.LOST)
        before = watched.camera.latest()
        assert before is not None
        plug.there = True
        watched.state(CameraState.LIVE)
        after = watched.camera.wait(before.number, 3)
        assert after is not None
    assert plug.open == 0


def test_broken_pictures_are_no_reason_to_begin_anew() -> None:
    plug = Plug()
    plug.reads, plug.broken = 9, 10  # the first two
    source = plug.source()
    source.open(NEVER)
    for _ in range(16):
        assert source.read(NEVER).shape == plug.image.shape
    plug.there = False
    with pytest.raises(CameraError) as caught:
        source.read(NEVER)
    assert caught.value.state is CameraState.LOST
    source.close()


def test_a_camera_whose_pictures_take_long_to_fail_is_lost_with_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """That of an address takes seconds; it was gone for a minute."""
    monkeypatch.setattr("hardware.camera.capture._AGAIN_S", 0.0)
    plug = Plug()
    source = plug.source()
    source.open(NEVER)
    plug.delivers, before = False, plug.reads
    with pytest.raises(CameraError):
        source.read(NEVER)
    assert plug.reads == before + 1
    source.close()


def test_who_closes_a_camera_does_not_wait_for_a_sound_picture() -> None:
    plug, stop = Plug(), threading.Event()
    source = plug.source()
    source.open(NEVER)
    plug.delivers, before = False, plug.reads
    stop.set()
    with pytest.raises(CameraError):
        source.read(stop)
    assert plug.reads == before + 1
    source.close()


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells what hangs where")
def test_of_the_cameras_that_hang_there_those_are_tried_that_are_usb_or_do_not_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    says: dict[str, Device | CameraState] = {
        "/dev/video0": Device("bcm2835-isp", "bcm2835", "platform:bcm2835", True),
        "/dev/video1": Device("HD Webcam", "uvcvideo", "usb-1", True),
        "/dev/video2": CameraState.BUSY,
        "/dev/video3": CameraState.DENIED,
        "/dev/video4": CameraState.MISSING,
    }

    def asked(path: str) -> Device:
        if isinstance(said := says[path], CameraState):
            raise CameraError(said, path)
        return said

    monkeypatch.setattr("hardware.camera.v4l2.paths", lambda: list(says))
    monkeypatch.setattr("hardware.camera.v4l2.query", asked)
    assert list(usb_cameras()) == ["/dev/video1", "/dev/video2", "/dev/video3"]
    assert [source.source for source in usb_sources()] == ["usb:0", "usb:1", "usb:2"]


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells what hangs where")
@pytest.mark.parametrize(
    ("which", "device", "source"),
    [
        (0, "/dev/video1", "usb:0"),
        (1, "/dev/video3", "usb:1"),
        (2, "/dev/video2", "usb:2"),
        (3, "/dev/video3", "usb:3"),
        (9, "/dev/video9", "usb:9"),
        ("/dev/video1", "/dev/video1", "/dev/video1"),
    ],
)
def test_usb_cameras_are_counted_and_not_what_lies_beside_them(
    which: int | str, device: str, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The flat cable's sensor comes first, and each webcam has a second device without pictures. A device
    that is named is not counted.
    """
    says = {
        "/dev/video0": Device("unicam", "unicam", "platform:fe801000.csi", True),
        "/dev/video1": Device("Built in", "uvcvideo", "usb-1", True),
        "/dev/video2": Device("Built in", "uvcvideo", "usb-1", False),
        "/dev/video3": Device("Above the tray", "uvcvideo", "usb-2", True),
        "/dev/video4": Device("Above the tray", "uvcvideo", "usb-2", False),
    }
    monkeypatch.setattr("hardware.camera.v4l2.paths", lambda: list(says))
    monkeypatch.setattr("hardware.camera.v4l2.query", says.__getitem__)
    opened: list[str] = []

    def capture(path: str) -> "PlugCapture":
        opened.append(path)
        return PlugCapture(Plug())

    usb = UsbSource(which, capture=capture, query=Plug().query)
    usb.open(NEVER)
    usb.close()
    assert (opened, usb.source) == ([device], source)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells what hangs where")
def test_a_camera_that_is_pulled_out_is_not_the_one_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number is that of the other one then. It is found again, and so is one that takes its place."""
    tray = {"/dev/video0": Device("Webcam", "uvcvideo", "usb-1", True)}
    beside = {"/dev/video2": Device("Webcam", "uvcvideo", "usb-2", True)}
    new = {"/dev/video0": Device("Better", "uvcvideo", "usb-1", True)}
    says: dict[str, Device] = {}
    monkeypatch.setattr("hardware.camera.v4l2.paths", lambda: sorted(says))
    monkeypatch.setattr("hardware.camera.v4l2.query", says.__getitem__)
    opened: list[str] = []

    def capture(path: str) -> PlugCapture:
        opened.append(path)
        return PlugCapture(Plug())

    usb = UsbSource(0, capture, says.__getitem__)
    for there in (tray | beside, beside, tray | beside, beside, new | beside):
        says.clear()
        says.update(there)
        with contextlib.nullcontext() if there.keys() & tray else pytest.raises(CameraError):
            usb.open(NEVER)
        usb.close()
    assert opened == ["/dev/video0"] * 3


def photo() -> AddressSource:
    """What shows a single picture each time."""
    return AddressSource(parse("http://phone/photo"), lambda address, options: Plug().capture(address))


@pytest.mark.parametrize("made", [Plug().source, photo])
def test_a_camera_that_delivers_as_if_the_machine_had_not_slept_was_lost_meanwhile(
    made: Callable[[], Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dice may have been exchanged, and nobody has looked."""
    source, awake = made(), time.clock_gettime
    source.open(NEVER)
    assert source.read(NEVER).any()
    monkeypatch.setattr(time, "clock_gettime", lambda clock: awake(clock) + 300)
    with pytest.raises(CameraError) as caught:
        source.read(NEVER)
    assert caught.value.state is CameraState.LOST
    source.close()
    source.open(NEVER)
    assert source.read(NEVER).any()


def test_motion_jpeg_in_the_size_wanted_and_a_short_queue_are_asked_for() -> None:
    plug = Plug()
    source = UsbSource(0, plug.capture, plug.query)
    source.open(NEVER)
    assert plug.asked[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
    assert plug.asked[cv2.CAP_PROP_FRAME_WIDTH] == 1280
    assert plug.asked[cv2.CAP_PROP_FRAME_HEIGHT] == 720
    assert plug.asked[cv2.CAP_PROP_BUFFERSIZE] <= 2
    source.close()


def test_a_camera_that_opens_but_delivers_nothing_is_missing_and_given_back() -> None:
    plug = Plug()
    plug.delivers = False
    with pytest.raises(CameraError) as caught:
        plug.source().open(NEVER)
    assert caught.value.state is CameraState.MISSING
    assert plug.open == 0


def test_a_grey_camera_gives_three_channels() -> None:
    plug = Plug()
    plug.image = np.full((48, 64), 90, np.uint8)
    source = plug.source()
    source.open(NEVER)
    assert source.read(NEVER).shape == (48, 64, 3)
    source.close()


def scripted(name: str, absent: CameraState | None = None) -> Scripted:
    source = Scripted()
    source.source, source.absent = name, absent
    source.show(picture())
    return source


def fixed(*sources: Source) -> Callable[[], list[Source]]:
    return lambda: list(sources)


def test_auto_takes_the_first_usb_camera_that_delivers() -> None:
    first, second, ribbon = scripted("usb:0", CameraState.MISSING), scripted("usb:2"), scripted("csi")
    auto = AutoSource(fixed(first, second), fixed(ribbon))
    auto.open(NEVER)
    assert auto.source == "usb:2"
    assert auto.read(NEVER).shape == (48, 64, 3)
    auto.close()
    assert (first.closed, second.closed, ribbon.opened) == (1, 1, 0)


def test_auto_takes_the_csi_camera_when_no_usb_camera_delivers() -> None:
    auto = AutoSource(fixed(scripted("usb:0", CameraState.BUSY)), fixed(scripted("csi")))
    auto.open(NEVER)
    assert auto.source == "csi"
    auto.close()


@pytest.mark.parametrize("state", [CameraState.DENIED, CameraState.BUSY])
def test_auto_says_why_the_only_camera_cannot_be_used(state: CameraState) -> None:
    auto = AutoSource(fixed(scripted("usb:0", CameraState.MISSING), scripted("usb:1", state)), fixed())
    with pytest.raises(CameraError) as caught:
        auto.open(NEVER)
    assert caught.value.state is state


def test_auto_without_any_camera_is_missing_until_one_is_plugged_in() -> None:
    plugged: list[Source] = []
    looked, searched, again = [], [], threading.Event()

    def look() -> list[Source]:
        looked.append(1)
        if len(looked) >= 5:
            again.set()
        return plugged

    def search() -> list[Source]:
        searched.append(1)
        return []

    auto = AutoSource(look, search)
    with Watched(source=auto) as watched:
        watched.state(CameraState.MISSING)
        assert watched.camera.status.source == "auto"
        late = Scripted()
        late.show(picture())
        plugged.append(late)
        watched.state(CameraState.LIVE)
        assert watched.camera.status.source == "scripted"
        late.fail(CameraError(CameraState.LOST))
        plugged.clear()
        watched.state(CameraState.LOST)
        assert watched.camera.status.source == "scripted"
        assert again.wait(3)
    assert searched == [1]  # the ribbon is looked for once


@pytest.mark.skipif(bool(paths()), reason="this machine has a camera")
def test_auto_on_a_machine_without_a_camera(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with Watched("auto") as watched:
        watched.state(CameraState.MISSING)
        assert watched.camera.latest() is None


@pytest.mark.skipif(bool(paths()), reason="this machine has a camera")
def test_a_number_that_is_no_camera_is_missing_and_the_terminal_stays_clean(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with Watched("usb:9") as watched:
        watched.state(CameraState.MISSING)
    assert capfd.readouterr() == ("", "")


def capability(driver: bytes, card: bytes, bus: bytes, caps: int, device_caps: int) -> bytes:
    """struct v4l2_capability of <linux/videodev2.h>."""
    return struct.pack("16s32s32sIII12x", driver, card, bus, 0x60000, caps, device_caps)


@pytest.mark.parametrize(
    ("answer", "is_usb"),
    [
        (capability(b"uvcvideo", b"HD Webcam", b"usb-0000:01:00.0-1.2", 0x84A00001, 0x04200001), True),
        (
            capability(b"uvcvideo", b"HD Webcam", b"usb-0000:01:00.0-1.2", 0x84A00001, 0x04A00000),
            False,
        ),  # metadata
        (capability(b"v4l2 loopback", b"Phone", b"platform:v4l2loopback-000", 0x85200001, 0x05200001), True),
        (capability(b"bcm2835-codec", b"decode", b"platform:bcm2835-codec", 0x84204000, 0x04204000), False),
        (capability(b"unicam", b"unicam", b"platform:fe801000.csi", 0xA5A00001, 0x25200001), False),
        (capability(b"old", b"Old", b"usb-1", 0x04000001, 0), True),  # before the kernel told both
    ],
    ids=["webcam", "metadata", "loopback", "decoder", "csi sensor", "old"],
)
def test_usb_cameras_are_known_from_their_answer(answer: bytes, is_usb: bool) -> None:
    assert len(answer) == 104
    device = device_of(answer)
    assert device.is_usb is is_usb


def test_a_cameras_name_is_read(
    answer: bytes = capability(b"uvcvideo", b"B\xc3\xa4r", b"usb-1", 1, 0),
) -> None:
    assert device_of(answer).card == "Bär"


def test_devices_are_listed_by_number(tmp_path: Path) -> None:
    for name in ("video10", "video2", "video-raw", "v4l", "video0"):
        (tmp_path / name).touch()
    assert paths(tmp_path) == [str(tmp_path / name) for name in ("video0", "video2", "video10")]


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="asks a device")
def test_what_is_no_video_device_is_missing(tmp_path: Path) -> None:
    for path in (str(tmp_path / "video0"), "/dev/null"):
        with pytest.raises(CameraError) as caught:
            query(path)
        assert caught.value.state is CameraState.MISSING
        assert not is_busy(path)


@pytest.mark.parametrize(
    ("code", "state"),
    [
        (errno.EACCES, CameraState.DENIED),
        (errno.EBUSY, CameraState.BUSY),
        (errno.ENODEV, CameraState.MISSING),
    ],
)
def test_what_the_system_refuses_has_its_name(
    code: int, state: CameraState, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str, flags: int) -> int:
        raise OSError(code, os.strerror(code), path)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(CameraError) as caught:
        query("/dev/video0")
    monkeypatch.undo()
    assert caught.value.state is state


def test_a_camera_that_may_not_be_used_says_so() -> None:
    def denied(path: str) -> Device:
        raise CameraError(CameraState.DENIED, path)

    with Watched(source=UsbSource(0, capture=Plug().capture, query=denied)) as watched:
        watched.state(CameraState.DENIED)
