"""The camera's thread: newest wins, lost and found, stalled, dark, closed."""

import logging
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hardware.camera import Camera, CameraError, CameraState, Image, Patience, Picture
from hardware.camera.testing import QUICK, Scripted, Watched, picture, write, write_video
from tests.process import handles

BLACK = np.zeros((48, 64, 3), np.uint8)
LOST = CameraError(CameraState.LOST, "pulled out")


@pytest.fixture
def played() -> Iterator[tuple[Scripted, Watched]]:
    source = Scripted()
    watched = Watched(source=source)
    yield source, watched
    source.fail(LOST)
    watched.camera.close()


def test_pictures_are_numbered_timed_and_read_only(played: tuple[Scripted, Watched]) -> None:
    source, watched = played
    assert watched.camera.latest() is None
    before = time.monotonic()
    source.show(picture(10))
    first = watched.camera.wait(0, 3)
    source.show(picture(20))
    assert first is not None
    second = watched.camera.wait(first.number, 3)
    assert second is not None
    assert (first.number, second.number) == (1, 2)
    assert before <= first.at <= second.at <= time.monotonic()
    assert second.image[0, 0, 0] == 20
    with pytest.raises(ValueError, match="read-only"):
        second.image[0, 0, 0] = 1


def test_a_slow_consumer_gets_the_newest_and_the_others_are_gone(played: tuple[Scripted, Watched]) -> None:
    source, watched = played
    images = [picture(value) for value in range(100)]
    shadows = [weakref.ref(image) for image in images]
    source.show(*images)
    del images
    watched.until(lambda camera: (camera.latest() or Picture(BLACK, 0, 0)).number == 100)
    newest = watched.camera.wait(3, 0)
    assert newest is not None
    assert (newest.number, newest.image[0, 0, 0]) == (100, 99)
    assert sum(shadow() is not None for shadow in shadows) == 1


def test_waiting_ends_when_nothing_comes(played: tuple[Scripted, Watched]) -> None:
    source, watched = played
    source.show(picture())
    assert watched.camera.wait(0, 3) is not None
    assert watched.camera.wait(1, 0.01) is None


def test_waiting_ends_when_the_camera_is_closed() -> None:
    source = Scripted()
    watched, answers = Watched(source=source), []
    waiter = threading.Thread(target=lambda: answers.append(watched.camera.wait(0, 10)))
    waiter.start()
    source.fail(LOST)
    watched.camera.close()
    waiter.join(3)
    assert answers == [None]


def test_a_camera_is_searched_missing_found_lost_and_found_again() -> None:
    source = Scripted()
    source.absent = CameraState.MISSING
    with Watched(source=source) as watched:
        watched.state(CameraState.MISSING)
        source.absent = None
        source.show(picture(1))
        watched.state(CameraState.LIVE)
        source.absent = CameraState.MISSING
        source.fail(LOST)
        watched.state(CameraState.LOST)
        source.tried.clear()
        assert source.tried.wait(3)
        assert watched.camera.status.kind is CameraState.LOST  # it was there: still lost, not missing
        kept = watched.camera.latest()
        assert kept is not None and kept.number == 1
        source.absent = None
        source.show(picture(2))
        watched.state(CameraState.LIVE)
        again = watched.camera.latest()
        assert again is not None and (again.number, again.image[0, 0, 0]) == (2, 2)
        source.absent = CameraState.BUSY
        source.fail(LOST)
        watched.state(CameraState.BUSY)
    assert source.closed == source.opened


def test_a_camera_searches_before_it_knows() -> None:
    source = Scripted()
    with Watched(source=source) as watched:
        assert source.tried.wait(3)
        assert watched.camera.status.kind is CameraState.SEARCHING
        source.fail(LOST)


def test_a_read_that_stalls_is_lost_and_goes_on_where_it_was(played: tuple[Scripted, Watched]) -> None:
    source, watched = played
    source.show(picture())
    watched.state(CameraState.LIVE)
    watched.state(CameraState.LOST)
    assert watched.camera.status.detail == "stalled"
    source.show(picture())
    watched.state(CameraState.LIVE)
    assert source.opened == 1


class Deaf(Scripted):
    """A read goes on though the camera is closed."""

    def read(self, stop: threading.Event) -> Image:
        return super().read(threading.Event())


def test_closing_does_not_wait_for_a_read_that_hangs_and_hears_no_more_of_it() -> None:
    others = set(threading.enumerate())
    source = Deaf()
    watched = Watched(source=source, patience=Patience(close=0.05))
    source.show(picture())
    watched.state(CameraState.LIVE)
    before = time.monotonic()
    watched.camera.close()
    assert time.monotonic() - before < 1
    last, left = watched.camera.latest(), set(threading.enumerate()) - others
    source.show(picture())  # the read returns at last
    for thread in left:
        thread.join(3)
        assert not thread.is_alive()
    assert watched.camera.latest() is last
    assert source.closed == 1


def test_black_pictures_are_dark_until_there_is_light(played: tuple[Scripted, Watched]) -> None:
    source, watched = played
    source.show(BLACK.copy())
    watched.state(CameraState.LIVE)  # one black picture is nothing yet
    for _ in range(100):
        time_passes = watched.camera.wait(1000, QUICK.dark / 5)
        assert time_passes is None
        source.show(BLACK.copy())
        if watched.camera.status.kind is CameraState.DARK:
            break
    assert watched.camera.status.kind is CameraState.DARK
    source.show(picture())
    watched.state(CameraState.LIVE)


@pytest.mark.parametrize("lit", [picture(3), np.full((48, 64, 3), 30, np.uint8)], ids=["edges", "grey"])
def test_a_dim_picture_is_not_dark(lit: Image, played: tuple[Scripted, Watched]) -> None:
    source, watched = played
    source.show(lit.copy())
    watched.state(CameraState.LIVE)
    assert watched.camera.wait(1, QUICK.dark * 1.5) is None
    source.show(lit.copy())
    assert watched.camera.wait(1, 3) is not None
    assert watched.camera.status.kind is CameraState.LIVE


def test_a_fault_in_a_source_is_logged_and_the_camera_lives_on(
    played: tuple[Scripted, Watched], caplog: pytest.LogCaptureFixture
) -> None:
    source, watched = played
    with caplog.at_level(logging.ERROR):
        source.fail(ZeroDivisionError("a fault"))
        watched.state(CameraState.LOST)
    assert "ZeroDivisionError" in caplog.text
    source.show(picture())
    watched.state(CameraState.LIVE)


def test_the_end_is_the_end(played: tuple[Scripted, Watched]) -> None:
    source, watched = played
    source.show(picture(7))
    source.fail(CameraError(CameraState.ENDED))
    watched.state(CameraState.ENDED)
    source.show(picture(8))
    assert watched.camera.wait(1, QUICK.stalled * 2) is None
    last = watched.camera.latest()
    assert last is not None and last.image[0, 0, 0] == 7
    assert watched.camera.status.kind is CameraState.ENDED


def test_a_setting_that_is_none_opens_nothing() -> None:
    before = threading.active_count()
    with pytest.raises(ValueError, match="no number"):
        Camera("usb:first")
    assert threading.active_count() == before


def test_pictures_of_a_camera_that_hangs_upside_down_are_turned() -> None:
    source, seen = Scripted(), picture(7)
    seen[0, 0] = 200
    with Watched("csi upside-down", source=source) as watched:
        source.show(seen)
        watched.until(lambda camera: camera.latest() is not None)
        last = watched.camera.latest()
        assert last is not None
        assert np.array_equal(last.image, np.rot90(seen, 2))
        assert watched.camera.status.source == source.source


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts handles as Linux lists them")
def test_fifty_cameras_leave_no_threads_and_no_handles(tmp_path: Path) -> None:
    settings = [
        str(write(tmp_path / "a.png", picture())),
        str(write_video(tmp_path / "b.avi", [1, 200, 30])),
        "http://127.0.0.1:9/nobody",
        "csi:7",
        str(tmp_path),
    ]
    Camera(settings[1]).close()  # what OpenCV keeps for itself is not ours

    def cycle(setting: str) -> None:
        with Camera(setting) as camera:
            camera.wait(0, 0.02)

    cycle(settings[1])
    threads, open_before = threading.active_count(), handles()
    for i in range(50):
        cycle(settings[i % len(settings)])
    assert threading.active_count() <= threads
    assert handles() <= open_before
