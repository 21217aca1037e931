"""A phone as a camera: MJPEG over HTTP from a server on this machine that stalls, dies and comes back."""

import http.server
import threading
import time
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import pytest

from hardware.camera import Camera, CameraError, CameraState, Image, Patience, parse
from hardware.camera.capture import AddressSource
from hardware.camera.testing import Watched, picture
from tests.hardware.test_usb import Plug, PlugCapture

NEVER = threading.Event()


class Phone:
    """An MJPEG server: pictures at 50 a second, while it is not `stalled`."""

    def __init__(self, port: int = 0) -> None:
        phone = self
        self.stalled, self.dead = threading.Event(), threading.Event()
        self.size = (64, 48)
        self._go_on = threading.Condition()

        class Stream(http.server.BaseHTTPRequestHandler):
            def log_message(self, *about: object) -> None:
                pass

            def do_GET(self) -> None:
                if self.path not in ("/video", "/photo"):
                    return self.send_error(404)
                self.send_response(200)
                if self.path == "/photo":
                    self.end_headers()
                    self.wfile.write(phone.jpeg())
                    return None
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                try:
                    while phone.next():
                        self.wfile.write(phone.part())
                except OSError:
                    self.close_connection = True  # the other side has gone

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Stream)
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/video"

    def next(self) -> bool:
        """Wait for the time of the next picture; False when the phone is dead."""
        with self._go_on:
            self._go_on.wait_for(self.dead.is_set, 0.02)
            self._go_on.wait_for(lambda: self.dead.is_set() or not self.stalled.is_set())
        return not self.dead.is_set()

    def jpeg(self) -> bytes:
        return cv2.imencode(".jpg", picture(90, self.size))[1].tobytes()

    def part(self) -> bytes:
        jpeg = self.jpeg()
        head = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(jpeg)
        return head + jpeg + b"\r\n"

    def wake(self) -> None:
        with self._go_on:
            self.stalled.clear()
            self._go_on.notify_all()

    def die(self) -> None:
        self.dead.set()
        self.wake()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def phone() -> Iterator[Phone]:
    phone = Phone()
    yield phone
    phone.die()


def test_a_phone_is_a_camera(phone: Phone, capfd: pytest.CaptureFixture[str]) -> None:
    with Watched(phone.address) as watched:
        watched.state(CameraState.LIVE)
        newest = watched.camera.wait(3, 5)
        assert newest is not None
        assert newest.image.shape == (48, 64, 3)
        assert abs(int(newest.image[2, 2, 0]) - 90) < 8
        assert watched.camera.status.source == phone.address
    assert capfd.readouterr() == ("", "")


def test_a_phone_that_is_turned_shows_what_it_sees_and_stretches_nothing(phone: Phone) -> None:
    def upright(camera: Camera) -> bool:
        newest = camera.latest()
        return newest is not None and newest.image.shape == (64, 48, 3)

    with Watched(phone.address) as watched:
        watched.state(CameraState.LIVE)
        phone.size = (48, 64)
        watched.until(upright)


class Stream(PlugCapture):
    """JPEGs: those that have `piled_up` at once, then fifty a second. Each shows its number."""

    piled_up = sent = 0
    line = b""  # before each

    def read(self) -> tuple[bool, Image]:
        if not self.piled_up:
            NEVER.wait(0.02)
        self.piled_up, self.sent = max(0, self.piled_up - 1), self.sent + 1
        jpeg = cv2.imencode(".jpg", picture(self.sent))[1].tobytes()
        return True, np.frombuffer(self.line + jpeg, np.uint8).reshape(1, -1)


@pytest.fixture
def stream() -> Stream:
    stream = Stream(Plug())
    stream.plug.asked[cv2.CAP_PROP_FOURCC] = cv2.VideoWriter.fourcc(*"MJPG")
    return stream


def test_of_pictures_that_have_piled_up_the_newest_is_looked_at(stream: Stream) -> None:
    """A phone sends thirty a second, which a small machine cannot decode: it saw what was seconds ago."""
    source = AddressSource(parse("http://phone/video"), lambda address, options: stream)
    source.open(NEVER)
    for number in (1, 2, 3):
        assert abs(int(source.read(NEVER)[2, 2, 0]) - number) <= 1
    stream.piled_up = 30
    for _ in range(5):  # the machine may be held up in between
        newest = source.read(NEVER)
    assert not stream.piled_up and abs(int(newest[2, 2, 0]) - stream.sent) <= 1


def test_a_stream_that_is_faster_than_it_can_be_read_is_looked_at_all_the_same(
    stream: Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.camera.capture._HURRY_S", 0.0)
    monkeypatch.setattr("hardware.camera.capture._WAITED_S", 10.0)
    source = AddressSource(parse("http://phone/video"), lambda address, options: stream)
    source.open(NEVER)
    stream.piled_up = 200
    for _ in range(3):
        assert source.read(NEVER).shape == (48, 64, 3)
    assert stream.piled_up


def test_an_empty_line_before_a_picture_does_no_harm(stream: Stream) -> None:
    stream.line = b"\r\n"
    source = AddressSource(parse("http://phone/video"), lambda address, options: stream)
    source.open(NEVER)
    assert source.read(NEVER).shape == (48, 64, 3)


def test_a_phone_that_stalls_is_lost_and_goes_on(phone: Phone) -> None:
    with Watched(phone.address) as watched:
        watched.state(CameraState.LIVE)
        phone.stalled.set()
        watched.state(CameraState.LOST)
        phone.wake()
        watched.state(CameraState.LIVE)


def test_an_address_that_shows_one_picture_each_time_is_slow_and_does_not_come_and_go(phone: Phone) -> None:
    states = set[CameraState]()

    def fifth(camera: Camera) -> bool:
        states.add(camera.status.kind)
        newest = camera.latest()
        return newest is not None and newest.number >= 5

    with Watched(phone.address.replace("video", "photo"), patience=Patience()) as watched:
        watched.until(fifth)
        assert CameraState.LOST not in states
        phone.die()
        watched.state(CameraState.LOST)


def test_closing_does_not_wait_for_a_phone_that_stalls(phone: Phone) -> None:
    others = set(threading.enumerate())
    watched = Watched(phone.address, patience=Patience(close=0.1))
    watched.state(CameraState.LIVE)
    phone.stalled.set()
    before = time.monotonic()
    watched.camera.close()
    assert time.monotonic() - before < 1
    left = {thread for thread in set(threading.enumerate()) - others if thread.name == "camera"}
    phone.wake()
    for thread in left:
        thread.join(5)
        assert not thread.is_alive()


def test_a_phone_that_dies_and_comes_back_is_found_again() -> None:
    phone = Phone()
    with Watched(phone.address) as watched:
        watched.state(CameraState.LIVE)
        phone.die()
        watched.state(CameraState.LOST)
        phone = Phone(phone.port)
        watched.state(CameraState.LIVE)
    phone.die()


def test_an_address_where_nobody_is_is_told_from_one_that_has_no_pictures(
    phone: Phone, capfd: pytest.CaptureFixture[str]
) -> None:
    gone = Phone()
    gone.die()
    with Watched(gone.address) as watched:
        watched.state(CameraState.MISSING)
    with Watched(phone.address + "/not") as watched:  # as with a password that is wrong
        watched.state(CameraState.UNREADABLE)
    assert capfd.readouterr() == ("", "")


def test_where_nobody_can_be_nobody_is() -> None:
    source = AddressSource(parse("http://a..b/video"), lambda address, options: cv2.VideoCapture())
    with pytest.raises(CameraError) as caught:
        source.open(NEVER)
    assert caught.value.state is CameraState.MISSING


def test_an_address_that_connects_and_never_delivers_has_lost_nothing() -> None:
    plug = Plug()
    plug.delivers = False
    source = AddressSource(parse("rtsp://cam/video"), lambda address, options: plug.capture(address))
    source.open(NEVER)
    with pytest.raises(CameraError) as caught:
        source.read(NEVER)
    assert caught.value.state is CameraState.UNREADABLE


def test_a_password_is_used_and_never_shown(phone: Phone) -> None:
    with Watched(phone.address.replace("//", "//me:secret@")) as watched:
        watched.state(CameraState.LIVE)
        assert "secret" not in str(watched.camera.status)


@pytest.mark.parametrize(("scheme", "seconds"), [("http", 3), ("https", 3), ("rtsp", 12), ("RTSP", 12)])
def test_a_video_may_take_its_time_until_the_next_whole_picture(scheme: str, seconds: int) -> None:
    """Cameras that save send one in ten seconds, and what comes before the first cannot be decoded."""
    asked = list[Sequence[int]]()

    def capture(address: str, options: Sequence[int]) -> cv2.VideoCapture:
        asked.append(options)
        return cv2.VideoCapture()

    source = AddressSource(parse(f"{scheme}://cam/video"), capture)
    with pytest.raises(CameraError):
        source.open(NEVER)
    (options,) = asked
    told = dict(zip(options[::2], options[1::2], strict=True))
    assert told == {cv2.CAP_PROP_OPEN_TIMEOUT_MSEC: 4000, cv2.CAP_PROP_READ_TIMEOUT_MSEC: 1000 * seconds}
