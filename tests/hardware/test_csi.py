"""The Raspberry Pi's camera, through a program that stands in for `rpicam-vid` on the PATH."""

import sys
import threading
from pathlib import Path

import cv2
import pytest

from hardware.camera import CameraState
from hardware.camera.csi import CsiSource, is_listed, meaning
from hardware.camera.testing import Watched, picture

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")

LISTED = "0 : imx708 [4608x2592 10-bit RGGB] (/base/axi/pcie@1000120000/rp1/i2c@88000/imx708@1a)"
USB_ONLY = "0 : HD Webcam [1280x720] (/base/axi/pcie@1000120000/rp1/usb@200000-1.2:1.0-046d:0825)"


class Program:
    """A stand-in for `rpicam-vid`: a shell script that keeps its arguments, and does what the test says."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.path = folder / "rpicam-vid"
        monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
        jpegs = [cv2.imencode(".jpg", picture(value, (320, 240)))[1].tobytes() for value in (40, 80, 120)]
        (folder / "three").write_bytes(b"".join(jpegs))

    def does(self, script: str) -> None:
        new = self.path.with_suffix(".new")
        new.write_text(f'#!/bin/sh\ncd "{self.folder}"\necho "$@" > arguments\n{script}\n')
        new.chmod(0o755)
        new.replace(self.path)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    return Program(tmp_path, monkeypatch)


def test_pictures_come_through_the_pipe_and_the_program_is_ended(program: Program) -> None:
    ends = "trap 'touch kindly; exit' TERM"
    program.does(f"{ends}; echo $$ > process; cat three; while :; do sleep 0.02; done")
    with Watched("csi") as watched:
        watched.state(CameraState.LIVE)
        newest = watched.camera.latest()
        assert newest is not None
        assert newest.image.shape == (240, 320, 3)
        assert abs(int(newest.image[0, 0, 0]) - 120) < 8  # the newest of three
        assert watched.camera.status.source == "csi"
    process = (program.folder / "process").read_text().strip()
    assert not Path(f"/proc/{process}").exists() and (program.folder / "kindly").exists()


def test_motion_jpeg_goes_to_standard_output_without_a_window(program: Program) -> None:
    program.does("cat three; exec sleep 60")
    source = CsiSource(1)
    source.open(threading.Event())
    source.close()
    said = (program.folder / "arguments").read_text()
    wanted = "--camera 1 --timeout 0 --nopreview --codec mjpeg --width 1280 --height 720 --output -"
    assert "--mode 1640:1232 " in said, "else a mode is chosen that shows only the middle of what is seen"
    for option, value in zip(wanted.split()[::2], wanted.split()[1::2], strict=False):
        if option.startswith("--") and not value.startswith("--"):
            assert f"{option} {value}" in said
    assert "--nopreview" in said


def test_a_broken_picture_is_passed_over(program: Program) -> None:
    whole = (program.folder / "three").read_bytes()
    (program.folder / "broken").write_bytes(whole[:200] + b"\xff\xd9" + b"\xff\xd8\xff\xd9")
    program.does("while true; do cat broken; sleep 0.02; cat three; cat broken; sleep 0.02; done")
    source = CsiSource(0)
    source.open(threading.Event())
    for _ in range(4):
        assert source.read(threading.Event()).shape == (240, 320, 3)
    source.close()


@pytest.mark.parametrize("end", ["", "; exec sleep 60 >&-"], ids=["ends", "closes its output and stays"])
def test_a_program_that_ends_is_lost_and_started_again(program: Program, end: str) -> None:
    program.does(f"cat three{end}")
    with Watched("csi") as watched:
        watched.state(CameraState.LOST)
        program.does("cat three; exec sleep 60")
        watched.state(CameraState.LIVE)


def test_a_program_that_is_started_again_has_its_time_and_its_pictures_begin_anew(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A camera that was pulled out stops in the midst of a picture."""
    monkeypatch.setattr("hardware.camera.csi._NEXT_S", 0.02)
    monkeypatch.setattr("hardware.camera.csi._SLICE_S", 0.01)
    whole = (program.folder / "three").read_bytes()
    one = whole[: whole.index(b"\xff\xd9") + 2]
    (program.folder / "cut").write_bytes(whole[:-100])
    (program.folder / "one").write_bytes(one)
    source = CsiSource(0)
    for script, value in (("cat cut", 80), ("sleep 0.1; cat one; exec sleep 60", 40)):
        program.does(script)
        source.open(threading.Event())
        assert abs(int(source.read(threading.Event())[0, 0, 0]) - value) < 8
        source.close()


def test_a_program_that_falls_silent_is_lost(program: Program) -> None:
    program.does("cat three; exec sleep 60")
    with Watched("csi") as watched:
        watched.state(CameraState.LIVE)
        watched.state(CameraState.LOST)


def test_a_program_that_will_not_end_is_ended_all_the_same(program: Program) -> None:
    program.does("trap '' TERM; echo $$ > process; cat three; while :; do sleep 0.05; done")
    source = CsiSource(0)
    source.open(threading.Event())
    source.close()
    process = (program.folder / "process").read_text().strip()
    assert not Path(f"/proc/{process}").exists()


def test_a_program_that_never_shows_anything_is_missing(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.camera.csi._FIRST_S", 0.3)
    program.does("exec sleep 60")
    with Watched("csi") as watched:
        watched.state(CameraState.MISSING)
        assert watched.camera.status.detail == "silent"


def test_much_talk_beside_the_pictures_does_not_block(program: Program) -> None:
    program.does("dd if=/dev/zero bs=1000 count=200 >&2 2>/dev/null; cat three; exec sleep 60")
    with Watched("csi") as watched:
        watched.state(CameraState.LIVE)


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("ERROR: *** no cameras available ***", CameraState.MISSING),
        ("failed to acquire camera /base/soc/i2c0mux/i2c@1/imx219@10", CameraState.BUSY),
        ("ERROR: *** Pipeline handler in use by another process ***", CameraState.BUSY),
        ("/dev/dma_heap/linux,cma: Permission denied", CameraState.DENIED),
        ("something else", CameraState.MISSING),
    ],
)
def test_what_the_program_says_before_it_ends_is_understood(
    said: str, state: CameraState, program: Program, capfd: pytest.CaptureFixture[str]
) -> None:
    (program.folder / "messages").write_bytes(b"\xff much\n" * 350 + said.encode())
    program.does("cat messages >&2; exit 255")
    with Watched("csi") as watched:
        watched.state(state)
        assert watched.camera.status.detail == said
    assert capfd.readouterr() == ("", "")


def test_without_the_program_the_camera_says_so_until_it_is_installed(program: Program) -> None:
    with Watched("csi") as watched:
        watched.state(CameraState.NO_TOOL)
        assert watched.camera.status.detail == "rpicam-vid"
        program.does("cat three; exec sleep 60")
        watched.state(CameraState.LIVE)


def test_a_broken_program_is_no_tool(program: Program) -> None:
    program.path.write_text("#!/no/such/shell\n")
    program.path.chmod(0o755)
    with Watched("csi") as watched:
        watched.state(CameraState.NO_TOOL)


@pytest.mark.parametrize(
    ("output", "listed"),
    [
        (f"Available cameras\n-----------------\n{LISTED}", True),
        (f"Available cameras\n-----------------\n{USB_ONLY}", False),
        ("No cameras available!", False),
        ("", False),
        (f"\\0377\n{LISTED}", True),
    ],
    ids=["csi", "usb only", "none", "silent", "csi behind what is no text"],
)
def test_a_csi_camera_is_known_from_the_list(output: str, listed: bool, program: Program) -> None:
    program.does(f"echo '{output}'")
    assert is_listed() is listed
    assert (program.folder / "arguments").read_text().strip() == "--list-cameras"


def test_without_the_program_no_csi_camera_is_listed(program: Program) -> None:
    assert not is_listed()


def test_auto_finds_the_csi_camera(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.camera.auto.usb_sources", lambda: [])
    program.does(f'case "$*" in *list*) echo "{LISTED}";; *) cat three; exec sleep 60;; esac')
    with Watched("auto") as watched:
        watched.state(CameraState.LIVE)
        assert watched.camera.status.source == "csi"


def test_auto_asks_again_for_the_csi_camera_where_nobody_has_answered(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service may start before the machine is ready to tell."""
    monkeypatch.setattr("hardware.camera.auto.usb_sources", lambda: [])
    monkeypatch.setattr("hardware.camera.csi._ASKED_S", 0.1)
    program.does("exec sleep 60")
    with Watched("auto") as watched:
        watched.state(CameraState.MISSING)
        monkeypatch.setattr("hardware.camera.csi._ASKED_S", 10.0)
        program.does(f'case "$*" in *list*) echo "{LISTED}";; *) cat three; exec sleep 60;; esac')
        watched.state(CameraState.LIVE)


def test_meanings_are_found_in_any_case() -> None:
    assert meaning("*** NO CAMERAS AVAILABLE ***", CameraState.LOST) is CameraState.MISSING
    assert meaning("", CameraState.LOST) is CameraState.LOST
