"""Exposure, gain, white balance and focus are held where the camera can, and given back."""

import errno
import struct
import sys
import threading
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hardware.camera import Camera, CameraError, CameraState, Image, Lock, Picture
from hardware.camera.auto import AutoSource
from hardware.camera.camera import Patience
from hardware.camera.capture import UsbSource
from hardware.camera.controls import PAIRS, free, hold
from hardware.camera.csi import CsiSource, lock_in, options
from hardware.camera.source import Source
from hardware.camera.testing import QUICK, Exposed, Scripted, Watched, picture, write
from hardware.camera.v4l2 import Device
from tests.hardware.test_csi import Program
from tests.hardware.test_usb import Plug

METADATA = """[
{ "ExposureTime": 29984, "AnalogueGain": 1.0, "LensPosition": 1.0, "ColourGains": [ 1.0, 1.0 ] },
{ "ExposureTime": 20000, "AnalogueGain": 2.0, "DigitalGain": 1.5, "LensPosition": 1.7298,
  "ColourGains": [ 1.9658, 1.7330 ], "ScalerCrop": "(1152, 432)/2304x1728" }
]"""


class Controls:
    """A camera's controls as the kernel has them: numbers by their ids, with their defaults."""

    def __init__(self, **values: int) -> None:
        ids = {pair.name: pair.value for pair in PAIRS} | {f"{pair.name}_auto": pair.switch for pair in PAIRS}
        self.names = {ids[name]: name for name in values}
        self.values, self.defaults = dict(values), dict(values)
        self.read_only: set[str] = set()
        self.least = 0

    def ask(self, path: str, request: int, content: bytes) -> bytes:
        control = struct.unpack_from("I", content)[0]
        name = self.names.get(control)
        if name is None:
            raise CameraError(CameraState.MISSING, errno.errorcode[errno.EINVAL])
        if request & 0xFF == 36:  # VIDIOC_QUERYCTRL
            flags = 4 if name in self.read_only else 0
            return struct.pack("II32siiiiI8x", control, 1, b"", 0, 9999, 1, self.defaults[name], flags)
        if request & 0xFF == 28:  # VIDIOC_S_CTRL
            self.values[name] = max(self.least, struct.unpack("Ii", content)[1])
        return struct.pack("Ii", control, self.values[name])


def webcam() -> Controls:
    switches = {"exposure_auto": 3, "white_balance_auto": 1, "focus_auto": 1}
    return Controls(exposure=156, gain=12, white_balance=4600, focus=30, **switches)


def test_a_webcam_holds_what_it_had_decided() -> None:
    camera = webcam()
    lock = hold("/dev/video0", None, camera.ask)
    assert lock == Lock((156.0,), (12.0,), (4600.0,), (30.0,))
    assert [camera.values[f"{n}_auto"] for n in ("exposure", "white_balance", "focus")] == [1, 0, 0]


def test_it_takes_values_that_were_noted_before_and_can_be_freed_again() -> None:
    camera = webcam()
    assert hold("/dev/video0", Lock((80.0,), focus=(5.0,)), camera.ask) == Lock((80.0,), focus=(5.0,))
    assert (camera.values["exposure"], camera.values["focus"]) == (80, 5)
    assert camera.values["white_balance_auto"] == 1  # of which nothing was said
    free("/dev/video0", camera.ask)
    assert (camera.values["exposure_auto"], camera.values["focus_auto"]) == (3, 1)


def test_what_a_camera_does_not_have_or_let_set_is_not_held() -> None:
    camera = Controls(exposure=100, exposure_auto=3, gain=4)
    camera.read_only.add("gain")
    assert hold("/dev/video0", None, camera.ask) == Lock((100.0,))
    assert hold("/dev/video0", None, Controls().ask) == Lock()


def test_what_a_webcam_has_made_of_a_value_is_held() -> None:
    camera = webcam()
    camera.least = 3
    assert hold("/dev/video0", Lock((0.4,), (12.0,)), camera.ask) == Lock((3.0,), (12.0,))


@pytest.mark.parametrize(
    "lock", [Lock((156.0,), (12.0,), (4600.0,), (30.0,)), Lock(white_balance=(1.966, 1.733)), Lock()]
)
def test_a_lock_is_written_and_read(lock: Lock) -> None:
    assert Lock.parse(str(lock)) == lock


@pytest.mark.parametrize("text", ["exposure", "exposure=", "exposure=x", "speed=3", "gain=1,2,3", "gain=-1"])
def test_what_is_no_lock_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="holds nothing"):
        Lock.parse(text)


def test_usb_holds_from_its_opening_on_and_again_after_it_was_pulled_out() -> None:
    plug, camera = Plug(), webcam()
    source = plug.source()
    source._ask = camera.ask
    with Watched(source=source) as watched:
        watched.state(CameraState.LIVE)
        watched.camera.hold(Lock((80.0,)))
        watched.until(lambda c: c.held == Lock((80.0,)), "held")
        plug.there = False
        watched.until(lambda c: c.status.kind is CameraState.LOST and not plug.open, "given back")
        camera.values["exposure"] = 156
        plug.there = True
        watched.state(CameraState.LIVE)
        assert camera.values["exposure"] == 80
        watched.camera.free()
        watched.until(lambda c: camera.values["exposure_auto"] == 3, "freed")
        assert watched.camera.held is None


def test_what_was_freed_stays_free_after_it_was_pulled_out() -> None:
    plug, camera = Plug(), webcam()
    with Watched(source=UsbSource(0, capture=plug.capture, query=plug.query, ask=camera.ask)) as watched:
        watched.camera.hold(Lock((80.0,)))
        watched.until(lambda c: c.held == Lock((80.0,)), "held")
        watched.camera.free()
        watched.until(lambda c: camera.values["exposure_auto"] == 3, "freed")
        plug.there = False
        watched.until(lambda c: c.status.kind is CameraState.LOST and not plug.open, "given back")
        plug.there = True
        watched.state(CameraState.LIVE)
        assert camera.values["exposure_auto"] == 3


def test_freed_and_closed_before_the_next_picture_a_webcam_is_free_for_the_next_program() -> None:
    camera, plug, waits = webcam(), Plug(), threading.Event()

    class Still(UsbSource):
        def read(self, stop: threading.Event) -> Image:
            if self.held is None:
                return super().read(stop)
            waits.set()
            stop.wait(6)
            raise CameraError(CameraState.LOST, "closed")

    usb = Still(0, capture=plug.capture, query=plug.query, ask=camera.ask)
    with Watched(source=AutoSource(lambda: [usb], list)) as watched:
        watched.camera.hold(Lock((80.0,)))
        assert waits.wait(6)
        watched.camera.free()
        watched.camera.close()
    assert camera.values["exposure_auto"] == 3


def test_freed_and_closed_while_it_is_looked_for_a_webcam_is_free() -> None:
    camera, plug = webcam(), Plug()
    usb = UsbSource(0, capture=plug.capture, query=plug.query, ask=camera.ask)
    with Watched(source=usb, patience=Patience(retry=(10.0, 10.0))) as watched:
        watched.camera.hold(Lock((80.0,)))
        watched.until(lambda c: c.held == Lock((80.0,)), "held")
        plug.there = False
        watched.state(CameraState.LOST)
        watched.camera.free()
    assert camera.values["exposure_auto"] == 3


def test_a_camera_that_was_never_ours_is_left_as_it_is() -> None:
    camera, plug = webcam(), Plug()
    plug.there = False
    usb = UsbSource(0, capture=plug.capture, query=plug.query, ask=camera.ask)
    with Watched(source=usb, lock=Lock((80.0,))) as watched:
        watched.state(CameraState.MISSING)
    assert (camera.values["exposure_auto"], camera.values["exposure"]) == (3, 156)


def test_what_another_program_has_taken_meanwhile_is_left_as_it_is() -> None:
    camera, plug, taken = webcam(), Plug(), threading.Event()

    def query(path: str) -> Device:
        if taken.is_set():
            raise CameraError(CameraState.BUSY, path)
        return plug.query(path)

    usb = UsbSource(0, capture=plug.capture, query=query, ask=camera.ask)
    with Watched(source=usb) as watched:
        watched.camera.hold(Lock((80.0,)))
        watched.until(lambda c: c.held == Lock((80.0,)), "held")
        taken.set()
        plug.there = False
        watched.state(CameraState.BUSY)
        watched.camera.free()
    assert (camera.values["exposure_auto"], camera.values["exposure"]) == (1, 80)


def test_what_a_webcam_does_not_take_when_it_is_plugged_in_it_is_told_again_the_next_time() -> None:
    camera = webcam()
    source = UsbSource(0, capture=Plug().capture, query=Plug().query, ask=camera.ask)
    source.hold(Lock((80.0,), (7.0,)))
    names, camera.names = camera.names, {}
    source.open(threading.Event())
    source.close()
    camera.values["exposure"], camera.names = 156, names
    source.open(threading.Event())
    assert camera.values["exposure"] == 80


def test_a_read_that_comes_back_late_changes_nothing_of_what_another_holds_by_then() -> None:
    camera, plug = webcam(), Plug()
    reading, back, ended = threading.Event(), threading.Event(), threading.Event()

    class Hangs(UsbSource):
        def read(self, stop: threading.Event) -> Image:
            reading.set()
            back.wait(6)
            raise CameraError(CameraState.LOST, "late")

        def close(self) -> None:
            super().close()
            ended.set()

    usb = Hangs(0, capture=plug.capture, query=plug.query, ask=camera.ask)
    others = set(threading.enumerate())
    watched = Watched(source=usb, patience=Patience(close=0.1))
    assert reading.wait(6)
    watched.camera.free()
    watched.camera.close()
    hold("/dev/video0", Lock((50.0,)), camera.ask)
    back.set()
    for thread in set(threading.enumerate()) - others:
        thread.join(6)
    assert ended.is_set() and camera.values["exposure_auto"] == 1


def test_a_camera_begins_with_what_it_is_to_hold() -> None:
    source = Exposed(picture(200))
    with Watched(source=source, lock=USUAL) as watched:
        watched.until(lambda c: c.held == USUAL and c.latest() is not None, "held")
        assert source.began == [USUAL]


def test_a_camera_of_which_nothing_was_measured_holds_nothing_from_before() -> None:
    """What a program holds outlives it."""
    camera, plug = webcam(), Plug()
    hold("/dev/video0", Lock((5.0,)), camera.ask)
    source = UsbSource(0, capture=plug.capture, query=plug.query, ask=camera.ask)
    with Watched(source=source) as watched:
        watched.until(lambda c: c.latest() is not None)
        assert camera.values["exposure_auto"] == 3 and watched.camera.held is None


def test_what_one_kind_of_camera_has_held_is_put_on_no_other_kind() -> None:
    """A white balance is one number of a webcam, and two of a CSI camera; the rest has other units."""
    camera, both = webcam(), Lock((20000.0,), (2.0,), (1.966, 1.733))
    assert hold("/dev/video0", both, camera.ask) == Lock() and camera.values["exposure_auto"] == 3
    source = CsiSource()
    assert source.hold(Lock((156.0,), (12.0,), (4600.0,))) == source.held == Lock()
    assert source.hold(both) == source.held == both


def test_a_wish_to_hold_outlives_a_camera_that_fails_at_it() -> None:
    class Fails(Exposed):
        def hold(self, lock: Lock | None) -> Lock:
            if self.opened == 1:
                raise CameraError(CameraState.LOST, "begun anew")
            return super().hold(lock)

    with Watched(source=Fails(picture(200))) as watched:
        watched.camera.hold()
        watched.until(lambda c: c.held == Lock((100.0,)), "held")


def test_whichever_camera_is_found_begins_with_what_the_one_before_held() -> None:
    """Another webcam may be plugged in instead, and what was freed is free. One camera is enough."""
    *cameras, spare = (Exposed(picture(200)) for _ in range(5))
    found, stop = list(cameras), threading.Event()
    auto = AutoSource(lambda: [found.pop(0), spare], lambda: pytest.fail("nobody need look for a CSI camera"))

    def another() -> None:
        auto.close()
        auto.open(stop)

    auto.open(stop)
    assert auto.hold(Lock((50.0,))) == auto.held == Lock((50.0,))
    another()
    auto.free()
    assert auto.held is None and cameras[1].held is None
    another()
    auto.held = Lock((25.0,))
    another()
    assert [camera.began for camera in cameras] == [[None], [Lock((50.0,))], [None], [Lock((25.0,))]]
    assert [camera.open_now for camera in cameras] == [0, 0, 0, 1] and not spare.opened


def test_a_source_that_can_hold_nothing_says_so() -> None:
    source = Scripted()
    with Watched(source=source) as watched:
        source.show(picture())
        watched.state(CameraState.LIVE)
        watched.camera.hold()
        source.show(picture(), picture())
        watched.until(lambda c: c.held == Lock(), "answered")


# Darker pictures

USUAL = Lock((100.0,), gain=(4.0,))
PATIENT = Patience(exposed=3.0)


def held(source: Source, patience: Patience = QUICK, setting: str = "auto") -> Watched:
    """A camera that holds an exposure of 100, and shows pictures."""
    watched = Watched(setting, source=source, patience=patience)
    watched.camera.hold(USUAL)
    watched.until(lambda c: c.held == USUAL and c.latest() is not None, "held")
    return watched


def test_each_stop_halves_the_light_and_leaves_the_rest() -> None:
    assert USUAL.darker(2) == Lock((25.0,), gain=(4.0,))
    assert Lock(gain=(4.0,)).darker(1) == Lock(gain=(4.0,))


def newest(camera: Camera) -> Picture:
    """The newest picture, of which there is one."""
    found = camera.latest()
    assert found
    return found


@pytest.mark.parametrize("late", [0, 1, 4])
def test_darker_pictures_are_taken_between_two_others_which_are_as_bright_as_ever(late: int) -> None:
    source, seen = Exposed(picture(200), late), set()

    def until(last: int) -> Callable[[Camera], bool]:
        def looked(camera: Camera) -> bool:
            seen.add(newest(camera).image.mean())
            return newest(camera).number >= last

        return looked

    with held(source, PATIENT) as watched:
        darker = watched.camera.darker(2, 4)
        assert [each[0, 0, 0] for each in darker] == [200 // 4, 200 // 16]
        watched.until(until(newest(watched.camera).number + 5))
        assert seen == {picture(200).mean()}
        assert watched.camera.held == source.held == USUAL
        assert source.exposures == [100.0, 25.0, 6.25, 100.0]


def test_darker_pictures_of_a_camera_that_hangs_upside_down_are_turned_as_all_are() -> None:
    with held(Exposed(picture(200)), PATIENT, "usb:0 upside-down") as watched:
        (darker,) = watched.camera.darker(2)
        assert (darker[0, 0, 0], darker[-1, 0, 0]) == ((255 - 200) // 4, 200 // 4)


class Limited(Exposed):
    """A camera with a shortest exposure."""

    def hold(self, lock: Lock | None) -> Lock:
        """Hold these values, or that exposure."""
        return super().hold(lock and replace(lock, exposure=(max(25.0, *lock.exposure),)))


def test_a_camera_that_gets_no_darker_than_once_has_one_darker_picture() -> None:
    """It says so, and nobody waits for another one."""
    source = Limited(picture(200))
    with held(source, Patience(exposed=30.0)) as watched:
        darker = watched.camera.darker(2, 4)
        assert [each[0, 0, 0] for each in darker] == [200 // 4]
        watched.until(lambda c: newest(c).image[0, 0, 0] == 200 and c.held == USUAL, "as bright as ever")
        assert source.exposures == [100.0, 25.0, 25.0, 100.0]


def test_a_camera_that_is_slow_has_its_time() -> None:
    """In the dark it exposes long, and shows late what it was told."""

    class Slow(Exposed):
        def read(self, stop: threading.Event) -> Image:
            stop.wait(0.008)
            return super().read(stop)

    with held(Slow(picture(200), late=4), Patience(exposed=0.01)) as watched:
        darker = watched.camera.darker(2, 4)
        assert [each[0, 0, 0] for each in darker] == [200 // 4, 200 // 16]
        assert newest(watched.camera).image[0, 0, 0] == 200


def test_without_an_exposure_that_is_held_there_is_no_darker_picture() -> None:
    source = Exposed(picture(200))
    with Watched(source=source) as watched:
        watched.state(CameraState.LIVE)
        assert watched.camera.darker(2) == ()
        watched.camera.hold(Lock(gain=(4.0,)))
        assert watched.camera.darker(2) == ()
        assert source.exposures == []


def test_a_camera_that_does_not_get_darker_shows_its_pictures_again() -> None:
    with held(Exposed(picture(200), late=None), replace(QUICK, exposed=0.05)) as watched:
        assert watched.camera.darker(2) == ()
        number = newest(watched.camera).number
        watched.until(lambda c: newest(c).number > number, "going on")
        assert watched.camera.held == USUAL


@pytest.mark.parametrize("chosen", [True, False])
def test_a_camera_that_is_pulled_out_meanwhile_begins_again_as_bright_as_before(chosen: bool) -> None:
    source = Exposed(picture(200), late=10**6)
    with held(source if chosen else AutoSource(lambda: [source], lambda: [])) as watched:
        opened = source.opened
        source.pulled = True
        assert watched.camera.darker(2) == ()
        watched.until(lambda c: source.opened > opened and c.status.kind is CameraState.LIVE, "back")
        assert source.held == watched.camera.held == USUAL


def test_a_camera_that_does_not_get_brighter_at_once_is_told_again() -> None:
    class Refuses(Exposed):
        def hold(self, lock: Lock | None) -> Lock:
            if len(self.exposures) == 2:
                self.exposures.append(0.0)
                return Lock(gain=(4.0,))
            return super().hold(lock)

    with held(Refuses(picture(200)), Patience(exposed=0.05)) as watched:
        assert len(watched.camera.darker(2)) == 1
        number = newest(watched.camera).number + 5
        watched.until(lambda c: newest(c).number > number, "going on")
        assert newest(watched.camera).image[0, 0, 0] == 200 and watched.camera.held == USUAL


@pytest.mark.parametrize("fails", [6.25, 100.0])
def test_darker_pictures_that_were_taken_before_a_camera_fails_are_of_use(fails: float) -> None:
    """A CSI camera begins anew for each, and may fail at the next one, or at the usual exposure."""

    class Fails(Exposed):
        def hold(self, lock: Lock | None) -> Lock:
            if lock and self.dimmed.is_set() and lock.exposure == (fails,):
                self.dimmed.clear()
                raise CameraError(CameraState.LOST, "not begun anew")
            return super().hold(lock)

    with held(Fails(picture(200))) as watched:
        taken = watched.camera.darker(2, 4)
        assert [each[0, 0, 0] for each in taken] == [200 // 4, 200 // 16][: 1 + (fails == 100.0)]
        image = weakref.ref(taken[0])
        del taken
        watched.until(lambda c: c.status.kind is CameraState.LIVE and newest(c).image[0, 0, 0] == 200, "back")
        assert watched.camera.held == USUAL and image() is None


def test_pulled_out_meanwhile_and_closed_before_it_is_found_a_camera_is_as_bright_as_before() -> None:
    source = Exposed(picture(200), late=10**6)
    with held(source, replace(QUICK, retry=(10.0, 10.0))) as watched:
        source.pulled = True
        assert watched.camera.darker(2) == ()
        watched.state(CameraState.LOST)
    assert source.exposures == [100.0, 25.0, 100.0]


def test_a_read_that_hangs_meanwhile_is_noticed_and_what_it_brings_is_given_to_nobody_else() -> None:
    back = threading.Event()

    class Hangs(Exposed):
        def read(self, stop: threading.Event) -> Image:
            if self.dimmed.is_set() and len(self.exposures) == 2:
                back.wait(6)
            return super().read(stop)

    source = Hangs(picture(200), late=0)
    with held(source) as watched:
        assert watched.camera.darker(2) == ()
        assert watched.camera.status.kind is CameraState.LOST
        back.set()
        watched.until(lambda c: c.status.kind is CameraState.LIVE and len(source.exposures) > 2, "back")
        assert watched.camera.held == USUAL and newest(watched.camera).image[0, 0, 0] == 200


def test_darker_pictures_that_were_taken_are_kept_by_whoever_wanted_them_alone() -> None:
    """Each is three megabytes large, of not many."""
    with held(Exposed(picture(200), late=0), PATIENT) as watched:
        darker = watched.camera.darker(2)
        image = weakref.ref(darker[0])
        del darker
        assert image() is None


def test_who_waits_for_a_darker_picture_does_not_keep_the_camera_from_closing() -> None:
    """And the camera is left as bright as it was."""
    source = Exposed(picture(200), late=10**6)
    watched = held(source, Patience(exposed=6.0))
    waiting = threading.Thread(target=watched.camera.darker, args=(2,))
    waiting.start()
    assert source.dimmed.wait(6)
    watched.camera.close()
    waiting.join(5)
    assert not waiting.is_alive()
    assert source.exposures == [100.0, 25.0, 100.0]


# The Raspberry Pi's own camera


def test_the_last_values_of_the_metadata_become_options() -> None:
    lock = lock_in(METADATA)
    assert lock == Lock((20000.0,), (3.0,), (1.966, 1.733), (1.73,))
    assert " ".join(options(lock)) == (
        "--shutter 20000 --gain 3 --awbgains 1.966,1.733 --lens-position 1.73 --autofocus-mode manual"
    )
    assert options(Lock()) == []


def test_a_csi_camera_whose_lens_is_fixed_names_no_focus() -> None:
    said = '[{"ExposureTime": 10000, "AnalogueGain": 2.0, "ColourGains": [1.5, 2.0]}]'
    assert lock_in(said) == Lock((10000.0,), (2.0,), (1.5, 2.0))


UNKNOWN = '[{"ExposureTime": null, "AnalogueGain": 1.0, "ColourGains": [1.0, 1.0]}]'


@pytest.mark.parametrize("said", ["", "[]", "[{}]", "no metadata", '[{"ExposureTime": 1}]', "[{,}]", UNKNOWN])
def test_without_metadata_nothing_is_held(said: str) -> None:
    assert lock_in(said) == Lock()


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
def test_the_csi_camera_measures_and_begins_anew_with_what_it_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = Program(tmp_path, monkeypatch)
    (tmp_path / "metadata").write_text(METADATA)
    program.does('case "$*" in *metadata*) cat metadata;; *) cat three; exec sleep 60;; esac')
    source = CsiSource()
    source.open(threading.Event())
    assert "--shutter" not in (tmp_path / "arguments").read_text()
    (tmp_path / "arguments").unlink()
    source.free()
    assert not (tmp_path / "arguments").exists()
    assert source.hold(None) == lock_in(METADATA)
    assert "--shutter 20000 --gain 3" in (tmp_path / "arguments").read_text()
    source.free()
    assert "--shutter" not in (tmp_path / "arguments").read_text()
    source.hold(Lock((20000.0,)))
    (tmp_path / "arguments").unlink()
    source.hold(Lock((20000.0,)))
    source.close()
    source.hold(Lock((10000.0,)))
    source.free()
    assert source.held is None and not (tmp_path / "arguments").exists()  # nothing is left that it would hold
    source.held = Lock((156.0,), white_balance=(4600.0,))
    source.open(threading.Event())
    assert source.held == Lock() and "--shutter" not in (tmp_path / "arguments").read_text()
    source.close()


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
def test_of_a_csi_camera_that_does_not_say_what_it_found_nothing_is_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.camera.csi._ASKED_S", 0.1)
    Program(tmp_path, monkeypatch).does('case "$*" in *metadata*) ;; *) cat three;; esac; exec sleep 60')
    source = CsiSource()
    source.open(threading.Event())
    assert source.hold(None) == Lock() and source.read(threading.Event()).shape == (240, 320, 3)
    source.close()


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
def test_the_csi_camera_begins_anew_for_each_darker_picture_and_once_more_after_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = Program(tmp_path, monkeypatch)
    for name, level in (("usual", 160), ("dark", 60), ("darkest", 15)):
        write(tmp_path / f"{name}.jpg", np.full((240, 320, 3), level, np.uint8))
    program.does(
        'echo "$@" >> begun; case "$*" in *"--shutter 5000 "*) show=dark.jpg;; '
        '*"--shutter 1250 "*) show=darkest.jpg;; *) show=usual.jpg;; esac; '
        "while :; do cat $show; sleep 0.02; done"
    )
    lock = Lock((20000.0,), gain=(2.0,))
    with Watched("csi", patience=PATIENT) as watched:
        watched.camera.hold(lock)
        watched.until(lambda c: c.held == lock and c.latest() is not None, "held")
        darker = watched.camera.darker(2, 4)
        assert [round(float(each.mean()) / 15) for each in darker] == [4, 1]
        assert abs(float(newest(watched.camera).image.mean()) - 160) < 3
        assert watched.camera.held == lock and watched.camera.status.kind is CameraState.LIVE
    begun = (tmp_path / "begun").read_text().splitlines()
    shutters = [next((each for each in ("20000", "5000", "1250") if each in line), "") for line in begun]
    assert shutters[-3:] == ["5000", "1250", "20000"]
