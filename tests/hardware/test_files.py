"""Pictures, folders and videos as cameras."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from hardware.camera import CameraError, CameraState
from hardware.camera.files import LONGEST, FolderSource, PathSource, VideoSource, load
from hardware.camera.testing import Watched, picture, write, write_video
from tests.disks import without_privileges

NEVER = threading.Event()


def first_pixels(watched: Watched, count: int) -> list[int]:
    found, number = [], 0
    for _ in range(count):
        newest = watched.camera.wait(number, 5)
        assert newest is not None
        number = newest.number
        found.append(int(newest.image[0, 0, 0]))
    return found


def test_a_picture_is_shown_again_and_again(tmp_path: Path) -> None:
    path = write(tmp_path / "one.png", picture(77))
    with Watched(str(path)) as watched:
        assert first_pixels(watched, 3) == [77, 77, 77]
        assert watched.camera.status.kind is CameraState.LIVE
        assert watched.camera.status.source == str(path)


def test_a_picture_that_comes_later_is_found(tmp_path: Path) -> None:
    path = tmp_path / "later.png"
    with Watched(str(path)) as watched:
        watched.state(CameraState.MISSING)
        write(tmp_path / "other.png", picture(5)).rename(path)
        watched.state(CameraState.LIVE)


def test_a_large_picture_is_made_as_small_as_a_cameras(tmp_path: Path) -> None:
    path = write(tmp_path / "large.png", np.zeros((1000, 4000, 3), np.uint8))
    assert load(path).shape == (LONGEST // 4, LONGEST, 3)
    path = write(tmp_path / "line.png", np.zeros((1, 4000, 3), np.uint8))
    assert load(path).shape == (1, LONGEST, 3)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello world\n" * 500,
        bytes(range(256)) * 40,
        b"\xff\xd8\xff\xe0 no jpeg",
        b"\x89PNG\r\n\x1a\n and no more",
        b"RIFF\x10\x00\x00\x00AVI LIST",
    ],
    ids=["empty", "text", "bytes", "jpeg", "png", "avi"],
)
@pytest.mark.parametrize("name", ["file.jpg", "file.mp4", "file.txt"])
def test_garbage_is_unreadable_and_the_terminal_stays_clean(
    content: bytes, name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_bytes(content)
    with Watched(str(tmp_path / name)) as watched:
        watched.state(CameraState.UNREADABLE)
        assert name in watched.camera.status.detail
        assert watched.camera.latest() is None
    assert capfd.readouterr() == ("", "")


def test_a_path_that_the_system_refuses_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(CameraError) as caught:
        PathSource(tmp_path / ("long" * 100)).open(NEVER)
    assert caught.value.state is CameraState.UNREADABLE


@pytest.mark.parametrize("name", ["a.png", "a.avi", "folder", "folder/b.png"])
def test_what_this_user_may_not_read_is_denied(name: str) -> None:
    with without_privileges(), TemporaryDirectory() as place:
        folder = Path(place) / "folder"
        folder.mkdir()
        write(folder / "b.png", picture())
        for path in (
            write(Path(place) / "a.png", picture()),
            write_video(Path(place) / "a.avi", [9]),
            folder,
        ):
            path.chmod(0)
        with pytest.raises(CameraError) as caught:
            PathSource(Path(place) / name).open(NEVER)
        folder.chmod(0o700)
    assert caught.value.state is CameraState.DENIED


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe in the file system")
def test_a_pipe_is_no_picture_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    with Watched(str(tmp_path / "pipe.jpg")) as watched:
        watched.state(CameraState.UNREADABLE)


def folder_of(tmp_path: Path) -> Path:
    write(tmp_path / "c.png", picture(30))
    write(tmp_path / "a.PNG", picture(10))
    (tmp_path / "b.jpg").write_bytes(b"no picture")
    (tmp_path / "labels.json").write_text("{}")
    (tmp_path / "d.png").mkdir()
    return tmp_path


def test_a_folder_shows_its_pictures_by_name_over_and_over_and_names_what_it_leaves_out(
    tmp_path: Path,
) -> None:
    folder = FolderSource(folder_of(tmp_path), seconds=0.0)
    folder.open(NEVER)
    assert [int(folder.read(NEVER)[0, 0, 0]) for _ in range(4)] == [30, 10, 30, 10]
    assert folder.detail == "b.jpg"


def test_each_picture_of_a_folder_stays_for_a_while(tmp_path: Path) -> None:
    folder = FolderSource(folder_of(tmp_path), seconds=60)
    folder.open(NEVER)
    assert [int(folder.read(NEVER)[0, 0, 0]) for _ in range(3)] == [10, 10, 10]


def test_a_folder_is_looked_at_anew_in_each_round(tmp_path: Path) -> None:
    folder = FolderSource(folder_of(tmp_path), seconds=0.0)
    folder.open(NEVER)
    folder.read(NEVER)
    write(tmp_path / "b.jpg", picture(20))
    (tmp_path / "c.png").unlink()
    seen = [int(folder.read(NEVER)[0, 0, 0]) for _ in range(4)]
    assert [abs(value - near) < 4 for value, near in zip(seen, [10, 20, 10, 20], strict=True)] == [True] * 4
    assert folder.detail == ""


def test_a_folder_plays_its_videos_once_each_between_its_pictures(tmp_path: Path) -> None:
    write(tmp_path / "a.png", picture(10))
    write_video(tmp_path / "b.avi", [60, 60, 60])
    write_video(tmp_path / "c.avi", [200, 200])
    (tmp_path / "d.mp4").write_bytes(b"no video")
    folder = FolderSource(tmp_path, seconds=0.0)
    folder.open(NEVER)
    seen = [int(folder.read(NEVER)[0, 0, 0]) for _ in range(7)]
    expected = [60, 60, 60, 200, 200, 10, 60]
    assert [abs(value - near) < 6 for value, near in zip(seen, expected, strict=True)] == [True] * 7
    assert folder.detail == "d.mp4"
    folder.close()


def test_a_file_that_is_gone_is_not_named_any_more(tmp_path: Path) -> None:
    folder = FolderSource(folder_of(tmp_path), seconds=0.0)
    folder.open(NEVER)
    assert int(folder.read(NEVER)[0, 0, 0]) == 30
    assert folder.detail == "b.jpg"
    (tmp_path / "b.jpg").unlink()
    assert int(folder.read(NEVER)[0, 0, 0]) == 10
    assert folder.detail == ""


def test_the_camera_tells_what_the_folder_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"no picture")
    write(tmp_path / "b.png", picture(20))
    with Watched(str(tmp_path)) as watched:
        watched.state(CameraState.LIVE)
        assert watched.camera.status.detail == "a.jpg"


def test_a_video_of_which_nothing_is_left_is_left_out_of_a_folder(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.avi", [60, 70, 80])
    data = path.read_bytes()
    path.write_bytes(data[: data.index(b"movi") + 8])  # cut off where the pictures begin
    write(tmp_path / "b.png", picture(20))
    with Watched(str(tmp_path)) as watched:
        watched.state(CameraState.LIVE)
        assert watched.camera.status.detail == "a.avi"


def test_a_folder_without_pictures_is_empty_until_one_comes(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no pictures here")
    with Watched(str(tmp_path)) as watched:
        watched.state(CameraState.EMPTY)
        write(tmp_path / "a.png", picture(20))
        watched.state(CameraState.LIVE)


def test_a_folder_of_garbage_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"no picture")
    (tmp_path / "b.png").write_bytes(b"no picture")
    with Watched(str(tmp_path)) as watched:
        watched.state(CameraState.UNREADABLE)
        assert watched.camera.status.detail == "a.jpg, b.png"


@pytest.mark.parametrize("name", ["clip.avi", "clip.mp4"])
def test_a_video_plays_at_its_own_rate_ends_and_keeps_its_last_picture(name: str, tmp_path: Path) -> None:
    path = write_video(tmp_path / name, [40, 80, 120, 160, 200], fps=50)
    began = time.monotonic()
    with Watched(str(path)) as watched:
        watched.state(CameraState.ENDED)
        last = watched.camera.latest()
        assert last is not None
        assert last.number == 5
        assert abs(int(last.image[0, 0, 0]) - 200) < 8
        assert last.at - began >= 4 / 50


def test_a_video_may_be_closed_at_any_time(tmp_path: Path) -> None:
    video = VideoSource(write_video(tmp_path / "clip.avi", [40, 200]))
    video.close()
    video.open(NEVER)
    video.close()
    video.close()


def test_importing_the_camera_imports_no_gpio() -> None:
    code = "import sys, hardware.camera; assert 'gpiozero' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
