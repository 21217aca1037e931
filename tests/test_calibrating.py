"""The whole program sets up a camera, remembers it, reads only the tray, and notices when it has moved."""

import errno
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from itertools import count, product
from math import dist
from pathlib import Path
from typing import Any, BinaryIO

import cv2
import numpy as np
import pygame
import pytest
from numpy.typing import NDArray

from companion import troubles
from companion.app import App
from companion.cli import main
from companion.config import ASSETS, CONFIG, Configuration, Settings, load_all, machine_file, with_camera
from companion.doctor.findings import Finding, ok
from companion.events import Calibrated, Drifted, Effect, EyeFailed, Looked, Say, Seen, Sound
from companion.eye.dice import Die
from companion.eye.motion import Movement
from companion.eye.read import DARKER, Sight
from companion.eye.taught import Taught
from companion.gaze import DEMONSTRATION, Gaze
from companion.language import Message
from companion.lookout import Lookout
from companion.screens.base import Context
from companion.screens.calibrate import CalibrateScreen, Part
from companion.screens.dice import DiceScreen
from companion.screens.doctor import DoctorScreen
from companion.screens.home import HomeScreen
from companion.screens.stage import SETTLE_S
from companion.store import Store
from companion.table import Table
from companion.tray.drift import Drift, DriftWatch, keep, reference, small
from companion.tray.drift import kept as kept_picture
from companion.tray.region import Tray
from companion.tray.words import DRIFTS
from companion.voice import Voice
from companion.window import Window
from hardware.camera import Camera, CameraError, CameraState, CameraStatus, Lock, Picture
from hardware.camera.testing import Exposed
from tests import running
from tests.bench.taught import darker_views, taught, views
from tests.eye.lying import LYING, in_glare, picture
from tests.eye.table import Lies, bang, photograph
from tests.running import CLOCK, PATIENCE, closed, until
from tests.tray.scene import QUAD, Image, seen, tray

SYMBOLS = Path(__file__).parent / "eye" / "symbols" / "lamp"

Make = Callable[..., App]
HELD = Lock((156.0,), white_balance=(4600.0,))


class Webcam:
    """A source that shows one picture again and again, and can hold its exposure and white balance."""

    source, detail = "usb:0", "HD Webcam"

    def __init__(self, image: Image) -> None:
        self.image = image
        self.wishes: list[str] = []
        self.held: Lock | None = None

    def open(self, stop: Any) -> None:
        """It is there."""

    def read(self, stop: Any) -> Image:
        """Fifty pictures a second."""
        if stop.wait(0.02):
            raise CameraError(CameraState.LOST)
        return self.image.copy()

    def hold(self, lock: Lock | None) -> Lock:
        self.wishes.append("now" if lock is None else str(lock))
        self.held = lock or HELD
        return self.held

    def free(self) -> None:
        self.wishes.append("free")
        self.held = None

    def close(self) -> None:
        """Nothing was opened."""


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    with closed() as made:

        def build(webcam: Webcam, settings: Settings | None = None, **parts: Any) -> App:
            settings = settings or Settings(language="en")
            pygame.event.clear()

            def opened(setting: str, lock: Lock | None) -> Camera:
                return Camera(setting, source=webcam, lock=lock)

            voice = Voice(ASSETS, "en", 0, False)
            table = Table(Store.open(None))
            window = Window((800, 480))
            app = App(settings, table, voice, window, tmp_path, open_camera=opened, now=CLOCK, **parts)
            made.append(app)
            return app

        yield build


def click(app: App, key: str) -> None:
    until(app, lambda: key in [w.key for w in app.stage.widgets()])
    running.click(app, key)


def set_up(app: App) -> CalibrateScreen:
    """Begin to set up the camera."""
    click(app, "settings")
    click(app, "corners")
    screen = app.stage.top
    assert isinstance(screen, CalibrateScreen)
    return screen


def goes_on(app: App, screen: CalibrateScreen) -> None:
    """On to the next part, as soon as a touch is meant for that."""
    CLOCK.ahead += SETTLE_S
    until(app, lambda: app.context.now - screen._since >= SETTLE_S)
    click(app, "next")


def test_a_camera_is_set_up_by_touch_and_the_next_start_remembers_it(make: Make, tmp_path: Path) -> None:
    webcam = Webcam(seen())
    app = make(webcam)
    screen = set_up(app)
    until(app, lambda: screen.found)
    until(app, lambda: "free" in webcam.wishes)
    for part in (Part.LIGHT, Part.HOLD, Part.TRY):
        goes_on(app, screen)
        assert screen.part is part
    assert set(webcam.wishes[:-1]) == {"free"} and webcam.wishes[-1] == "now"
    assert app.gaze.lookout and app.gaze.lookout.tray == Tray.of(app.context.settings.tray)
    kept = load_all(CONFIG, tmp_path).settings
    assert kept.lock == str(HELD)
    assert kept.tray and np.abs(np.array(kept.tray) - np.array(tray().numbers)).max() < 0.006
    assert reference(tmp_path, "auto").exists()
    click(app, "next")
    app.close()
    pygame.display.init()

    again = Webcam(seen())
    app = make(again, load_all(CONFIG, tmp_path).settings)
    click(app, "dice")
    until(app, lambda: again.held == HELD)
    assert app.gaze.lookout and app.gaze.lookout.tray and app.gaze.lookout.drift


def test_a_camera_that_can_hold_nothing_is_set_up_all_the_same(make: Make, tmp_path: Path) -> None:
    """As one in the network, or one of another system than Linux."""

    class Phone(Webcam):
        def hold(self, lock: Lock | None) -> Lock:
            self.held = Lock()
            return self.held

    app = make(Phone(seen()))
    screen = set_up(app)
    until(app, lambda: screen.found)
    for part in (Part.LIGHT, Part.HOLD):
        goes_on(app, screen)
        assert screen.part is part
    until(app, lambda: app.gaze.held is not None)
    goes_on(app, screen)
    assert app.stage.top is screen and screen.part is Part.TRY
    kept = load_all(CONFIG, tmp_path).settings
    assert kept.tray and kept.lock is None


def test_given_up_before_anything_was_held_the_camera_decides_again(make: Make) -> None:
    webcam = Webcam(seen())
    app = make(webcam)
    screen = set_up(app)
    for _ in range(2):
        goes_on(app, screen)
    until(app, lambda: webcam.wishes[-1:] == ["now"])
    click(app, "back")
    until(app, lambda: webcam.wishes[-1] == "free" and webcam.held is None)


def test_a_disk_that_takes_no_picture_of_the_tray_keeps_none_of_where_it_lay_before(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(reference(tmp_path, "auto"), seen())
    app = make(
        Webcam(seen([(x + 40, y + 20) for x, y in QUAD])), Settings(language="en", tray=tray().numbers)
    )
    screen = set_up(app)
    until(app, lambda: screen.found)

    def full(path: Path) -> AbstractContextManager[BinaryIO]:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patch:
        patch.setattr("companion.tray.drift.whole", full)
        for _ in range(3):
            goes_on(app, screen)
    said = [app.context.t.say(notice) for notice in app.context.notices]
    assert said == [
        "The picture of the tray could not be kept: the disk is full. Whether it moves is not seen."
    ]
    assert app.gaze.lookout and app.gaze.lookout.tray and app.gaze.lookout.drift is None
    assert not reference(tmp_path, "auto").exists()


def test_who_looks_through_all_cameras_and_back_finds_everything_as_it_was(
    make: Make, tmp_path: Path
) -> None:
    app = make(Webcam(seen()), Settings(language="en", tray=tray().numbers, lock=str(HELD)))
    click(app, "settings")
    click(app, "camera")
    assert (app.context.settings.tray, app.context.settings.lock) == (None, None)
    while app.context.settings.camera != Settings().camera:
        click(app, "camera")
    click(app, "back")
    assert isinstance(app.stage.top, HomeScreen)
    kept = load_all(CONFIG, tmp_path).settings
    assert (kept.tray, kept.lock) == (tray().numbers, str(HELD))


def test_who_looks_through_other_cameras_when_the_power_is_cut_finds_every_set_up_again(
    make: Make, tmp_path: Path
) -> None:
    keep(tmp_path / "tray.png", seen())  # as versions before have kept it
    other = Tray.of((0.2, 0.2, 0.8, 0.2, 0.8, 0.8, 0.2, 0.8))
    app = make(Webcam(seen()), Settings(language="en", tray=tray().numbers, lock=str(HELD)))
    click(app, "settings")
    click(app, "camera")
    assert other
    app._calibrated(Calibrated(other.numbers, seen(plain=True)))
    app = make(Webcam(seen()), load_all(CONFIG, tmp_path).settings)  # nothing was closed before
    assert app.context.settings.camera == "usb:0" and app.context.settings.tray == other.numbers
    click(app, "settings")
    while app.context.settings.camera != "auto":
        click(app, "camera")
    kept = load_all(CONFIG, tmp_path).settings
    assert (kept.tray, kept.lock) == (tray().numbers, str(HELD))
    adopted = kept_picture(reference(tmp_path, "auto"))
    assert adopted is not None and np.array_equal(adopted, small(seen()))
    click(app, "camera")
    assert app.context.settings.tray == other.numbers
    kept_other = kept_picture(reference(tmp_path, "usb:0"))
    assert kept_other is not None and np.array_equal(kept_other, small(seen(plain=True)))


def test_a_camera_that_the_command_line_names_is_set_up_for_itself(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    opened: list[Configuration] = []

    def start(configuration: Configuration, *_: object) -> int:
        opened.append(configuration)
        return 0

    def settings(*words: str) -> Settings:
        assert main(list(words)) == 0
        return opened[-1].settings

    monkeypatch.setattr("companion.opening.start", start)

    machine_file(tmp_path).write_text(f"tray: {' '.join(map(str, tray().numbers))}\n")  # of a version before
    keep(tmp_path / "tray.png", seen())
    other = Tray.of((0.2, 0.2, 0.8, 0.2, 0.8, 0.8, 0.2, 0.8))
    assert other and settings("--camera", "usb:1").tray is None
    app = make(Webcam(seen()), settings("--camera", "usb:1"))
    app._calibrated(Calibrated(other.numbers, seen(plain=True)))
    app = make(Webcam(seen()), settings("--camera", "usb:1"))
    assert app.context.settings.tray == other.numbers
    kept = kept_picture(reference(tmp_path, "usb:1"))
    assert kept is not None and np.array_equal(kept, small(seen(plain=True)))
    app = make(Webcam(seen()), settings())
    assert (app.context.settings.camera, app.context.settings.tray) == ("auto", tray().numbers)
    kept = kept_picture(reference(tmp_path, "auto"))
    assert kept is not None and np.array_equal(kept, small(seen()))


def test_what_a_version_before_has_measured_outlasts_a_first_start_with_another_camera(
    make: Make, tmp_path: Path
) -> None:
    machine_file(tmp_path).write_text(f"tray: {' '.join(map(str, tray().numbers))}\n")
    keep(tmp_path / "tray.png", seen())
    files = load_all(CONFIG, tmp_path).settings
    app = make(Webcam(seen()), with_camera(files, tmp_path, "usb:0"), files=files)
    click(app, "settings")
    click(app, "camera")
    assert (app.context.settings.camera, app.context.settings.tray) == ("usb:1", None)
    while app.context.settings.camera != "auto":
        click(app, "camera")
    assert app.context.settings.tray == load_all(CONFIG, tmp_path).settings.tray == tray().numbers
    picture = kept_picture(reference(tmp_path, "auto"))
    assert picture is not None and np.array_equal(picture, small(seen()))


def test_another_camera_that_was_set_up_is_not_offered_to_be_set_up(make: Make) -> None:
    app = make(Webcam(seen()), Settings(language="en", camera="usb:0"))
    click(app, "settings")
    click(app, "camera")
    click(app, "corners")
    screen = app.stage.top
    assert isinstance(screen, CalibrateScreen)
    until(app, lambda: screen.found)
    for _ in range(3):
        goes_on(app, screen)
    click(app, "next")
    click(app, "back")
    assert isinstance(app.stage.top, HomeScreen)


def test_the_demonstration_ends_with_a_screen_that_fails(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make(Webcam(seen()))
    click(app, "dice")
    app.gaze.elsewhere(demonstration=True)
    with monkeypatch.context() as patch:
        patch.delenv("COMPANION_DEV", raising=False)
        patch.setattr(DiceScreen, "handle", None)
        until(app, lambda: isinstance(app.stage.top, HomeScreen))
    assert not app.context.camera.demonstration


def test_nobody_opens_a_camera_that_is_still_being_closed(make: Make) -> None:
    """A webcam is left, and looked through again, while it takes a darker picture and hardly obeys."""
    source = Exposed(dazzling(), late=10**6)
    app = make(source, Settings(language="en", lock="exposure=100"))
    click(app, "dice")
    until(app, source.dimmed.is_set)
    before = source.opened
    click(app, "back")
    click(app, "dice")
    until(app, lambda: app.context.camera.pictures > 0 and app.gaze.held is not None)
    assert source.most == 1 and source.opened == before + 1


class Hangs:
    """A camera whose closing takes as long as a test wants."""

    status, held, stops = CameraStatus(CameraState.LIVE, "usb:0"), None, (0.0,)

    def __init__(self) -> None:
        self.left, self.let_go, self.closed = (threading.Event() for _ in range(3))

    def latest(self) -> None:
        """It shows nothing yet."""

    def wait(self, number: int, timeout: float) -> None:
        self.left.wait(timeout)

    def leave(self) -> None:
        self.left.set()

    def close(self) -> None:
        self.let_go.wait(PATIENCE)
        self.closed.set()


def test_nor_after_a_demonstration_that_came_between(context: Context) -> None:
    opened = list[tuple[str, Hangs]]()

    def opens(setting: str, lock: Lock | None) -> Any:
        opened.append((setting, Hangs()))
        return opened[-1][1]

    gaze = Gaze(context, opens, lambda event: None)
    looked = list[Lookout]()
    for demonstration in (True, False):
        list(gaze.follow(True, None))
        assert gaze.lookout
        looked.append(gaze.lookout)
        gaze.elsewhere(demonstration)
    (_, real), (shown, other) = opened
    assert shown == DEMONSTRATION
    other.let_go.set()
    looked[1].join(PATIENCE)
    list(gaze.follow(True, None))
    assert len(opened) == 2 and context.camera.trouble, "the real one is still being closed"
    real.let_go.set()
    looked[0].join(PATIENCE)
    list(gaze.follow(True, None))
    assert len(opened) == 3
    opened[-1][1].let_go.set()
    gaze.close()
    assert all(camera.closed.is_set() for _, camera in opened)


def test_what_was_seen_by_a_camera_that_was_left_is_no_throw_before_the_next_one(context: Context) -> None:
    camera: Any = Hangs()
    frame, told = np.zeros((48, 64, 3), np.uint8), list[list[Effect | Seen]]()
    gaze = Gaze(context, lambda setting, lock: camera, lambda event: None)
    list(gaze.follow(True, None))
    late = gaze.lookout
    gaze.elsewhere(demonstration=True)
    list(gaze.follow(True, None))
    for by in (late, gaze.lookout):
        assert by
        told.append([*gaze.see(Looked(frame, (), Movement.none(), 1.0, by), None, None, awaited_now=True)])
    camera.let_go.set()
    gaze.close()
    assert not told[0] and told[1]


def test_what_is_heard_of_an_eye_that_looks_no_more_is_not_told(make: Make) -> None:
    app = make(Webcam(seen()))
    click(app, "dice")
    until(app, lambda: app.gaze.lookout is not None)
    late = app.gaze.lookout
    click(app, "back")
    app.put(EyeFailed(late))
    app.step()
    assert troubles.EYE_FAILED not in app.context.notices
    click(app, "dice")
    until(app, lambda: app.gaze.lookout is not None)
    app.put(EyeFailed(app.gaze.lookout))
    app.step()
    assert troubles.EYE_FAILED in app.context.notices


def test_what_a_program_before_has_held_is_set_free(make: Make) -> None:
    webcam = Webcam(seen())
    app = make(webcam)
    click(app, "dice")
    until(app, lambda: webcam.wishes == ["free"])


def test_given_up_the_camera_holds_what_it_held(make: Make, tmp_path: Path) -> None:
    webcam = Webcam(seen())
    app = make(webcam, Settings(language="en", lock=str(HELD)))
    click(app, "settings")
    click(app, "corners")
    until(app, lambda: "free" in webcam.wishes)
    click(app, "back")
    assert not machine_file(tmp_path).exists()


def test_another_camera_has_no_tray_yet(make: Make, tmp_path: Path) -> None:
    app = make(Webcam(seen()), Settings(language="en", tray=tray().numbers, lock=str(HELD)))
    click(app, "settings")
    click(app, "camera")
    assert (app.context.settings.tray, app.context.settings.lock) == (None, None)
    assert load_all(CONFIG, tmp_path).settings.tray is None


def test_a_tray_that_has_moved_is_said_once_until_it_is_put_back(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.tray.drift.EVERY", 0.0)
    keep(reference(tmp_path, "auto"), seen())
    moved = seen([(x + 40, y + 20) for x, y in QUAD])
    app = make(Webcam(moved), Settings(language="en", tray=tray().numbers))
    click(app, "dice")
    notice = DRIFTS[Drift.MOVED]
    until(app, lambda: notice in app.context.notices)
    click(app, "notices")
    click(app, "notice-0")
    until(app, lambda: notice not in app.context.notices)
    click(app, "back")
    click(app, "dice")  # the camera is opened anew
    until(
        app,
        lambda: (
            app.gaze.lookout is not None
            and app.gaze.camera is not None
            and app.gaze.camera.latest() is not None
        ),
    )
    for _ in range(5):
        app.step()
    assert notice not in app.context.notices
    assert app.gaze.lookout and app.gaze.lookout.drift
    watch = app.gaze.lookout.drift
    app.put(Drifted(None, watch))
    until(app, lambda: app.gaze.drift is None)
    app.put(Drifted(Drift.MOVED, watch))  # put back, and moved once more
    until(app, lambda: notice in app.context.notices)
    app.put(Drifted(None, watch))
    until(app, lambda: notice not in app.context.notices)


def dazzling() -> NDArray[np.float32]:
    """The light of a table with two white fours, one of which mirrors a lamp: 255 is as much as shows."""
    light = np.full((480, 640, 3), (52, 88, 60), np.float32)
    for x, body, pips in ((180, 205, 25), (430, 700, 258)):
        cv2.rectangle(light, (x - 60, 180), (x + 60, 300), (body,) * 3, -1)
        for across, down in product((-32, 32), repeat=2):
            cv2.circle(light, (x + across, 240 + down), 13, (pips,) * 3, -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(light, (0, 0), 1.0), np.float32)


@pytest.mark.parametrize(("held", "taught"), [(True, False), (True, True), (False, False)])
def test_a_die_that_mirrors_a_lamp_is_read_with_less_light_if_the_camera_holds_its_exposure(
    make: Make, held: bool, taught: bool
) -> None:
    camera = Exposed(dazzling())
    app = make(camera, Settings(language="en", lock="exposure=100" if held else None))
    if taught:
        app.context.box.keep(bang())
    click(app, "dice")
    screen = app.stage.top
    assert isinstance(screen, DiceScreen)
    until(app, lambda: screen.current is not None)
    throw = screen.current
    assert throw is not None
    if held:
        pictures = app.context.camera.pictures
        until(app, lambda: app.context.camera.pictures > pictures + 3)
        assert camera.exposures == [100.0, 25.0, 6.25, 100.0] and app.gaze.held == Lock((100.0,))
        assert not throw.asked and [die.face for die in throw.dice] == [4, 4]
    else:
        assert throw.asked and camera.exposures == []


def test_the_doctor_answers_on_the_screen(make: Make) -> None:
    asked: list[str] = []

    def examine() -> list[Finding]:
        asked.append("once")
        return [ok("disk", Message("There is room"))]

    app = make(Webcam(seen()), examine=examine)
    click(app, "settings")
    click(app, "pulse")
    screen = app.stage.top
    assert isinstance(screen, DoctorScreen)
    until(app, lambda: {each.name for each in screen.findings} >= {"gpio", "disk", "exposure", "tray"})
    assert asked == ["once"]
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_u, unicode="u"))
    until(app, lambda: screen.pressed == {"undo"})


def test_a_doctor_that_fails_says_so(make: Make) -> None:
    def examine() -> list[Finding]:
        raise ValueError("a mistake of ours")

    app = make(Webcam(seen()), examine=examine)
    click(app, "settings")
    click(app, "pulse")
    screen = app.stage.top
    assert isinstance(screen, DoctorScreen)
    until(app, lambda: "doctor" in {each.name for each in screen.findings})


# The lookout alone


class One:
    """A camera with one picture."""

    def __init__(self, image: Image) -> None:
        self.image = image

    def wait(self, after: int, timeout: float) -> Picture | None:
        return None if after else Picture(self.image, 1, 100.0)

    def darker(self, *stops: float) -> tuple[Image, ...]:
        return ()

    def leave(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Nothing to close."""


def looked(image: Image, where: Tray | None, drift: DriftWatch | None = None) -> Looked:
    said: queue.Queue[Any] = queue.Queue()
    lookout = Lookout(One(image), said.put, where, drift)
    try:
        answer = said.get(timeout=30)
    finally:
        lookout.stop()
        lookout.join(5)
    assert isinstance(answer, Looked)
    return answer


def test_the_lookout_reads_the_tray_alone_and_shows_the_whole_picture() -> None:
    frame = photograph([Lies("1", (430, 240)), Lies("2", (110, 240))])
    cloth = Tray(((0.4, 0.1), (0.97, 0.1), (0.97, 0.95), (0.4, 0.95)))
    everything, inside = looked(frame, None), looked(frame, cloth)
    assert any(each.centre[0] < 200 for each in everything.found)
    assert inside.found and all(each.centre[0] > 256 for each in inside.found)
    assert inside.frame is frame
    nearest = min(inside.found, key=lambda each: abs(each.centre[0] - 430))
    assert abs(nearest.centre[0] - 430) < 10
    assert looked(frame, cloth, DriftWatch(small(frame), cloth)).found


def test_printed_markers_are_nothing_to_the_eye_before_the_tray_is_framed_either() -> None:
    there = looked(seen(), None)
    assert (there.dice, there.doubts, there.found) == ((), (), ())


class Lamp:
    """A camera above a die in which a lamp is mirrored; it is asked for `shown` pictures, one at a time."""

    def __init__(self, *shown: Image, darker: tuple[Image, ...]) -> None:
        self.shown, self.dark, self.stops = shown, darker, list[tuple[float, ...]]()
        self.next = threading.Semaphore(0)

    def wait(self, after: int, timeout: float) -> Picture | None:
        if after == len(self.shown) or not self.next.acquire(timeout=timeout):
            return None
        return Picture(self.shown[after], after + 1, 100.0 + after)

    def darker(self, *stops: float) -> tuple[Image, ...]:
        self.stops.append(stops)
        return self.dark

    def leave(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Nothing to close."""


def test_with_darker_pictures_the_lookout_reads_what_lies_there_until_it_is_touched() -> None:
    plain, piece = picture("5.jpg"), next(each for each in LYING["5.jpg"] if each["kind"] == "die")
    bright = in_glare(plain, piece)
    dark = in_glare(np.asarray(plain * 0.55, np.uint8), piece), np.asarray(plain * 0.3, np.uint8)
    touched = bright.copy()
    touched[:, :90] = 255 - touched[:, :90]
    camera, said = Lamp(bright, bright, bright, touched, darker=dark), queue.Queue[Any]()
    lookout = Lookout(camera, said.put)

    def share(darkened: bool) -> float:
        """How likely the die shows the face that it does."""
        camera.next.release()
        looked = said.get(timeout=30)
        looked.by.taken()
        assert looked.darkened is darkened
        near = [die for die in (*looked.dice, *looked.doubts) if dist(die.center, piece["center"]) < 25]
        return max((die.faces[piece["face"] - 1] for die in near if die.faces), default=0.0)

    try:
        first = share(False)
        lookout.look_darker()
        assert [first < 0.6, share(True) > 0.9] == [True] * 2
        lookout.look_darker()  # once more, of a picture that was seen before
        assert [share(True) > 0.9, share(False) < 0.6] == [True] * 2
        assert camera.stops == [DARKER]
    finally:
        lookout.stop()
        lookout.join(5)


def test_a_picture_on_which_the_eye_fails_blinds_it_for_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    image, said = picture("5.jpg"), queue.Queue[Any]()
    camera = Lamp(image, image, image, darker=())
    lookout = Lookout(camera, said.put)
    try:
        with monkeypatch.context() as patch:
            patch.setattr("companion.lookout.look", lambda *_: 1 / 0)
            for _ in range(2):  # of which nobody has to say that it was taken
                camera.next.release()
                assert isinstance(said.get(timeout=30), EyeFailed)
        camera.next.release()
        assert isinstance(said.get(timeout=30), Looked)
    finally:
        lookout.stop()
        lookout.join(5)


class Timed(Lamp):
    """A camera whose pictures are two a second, by its own clock."""

    def wait(self, number: int, timeout: float) -> Picture | None:
        found = super().wait(number, timeout)
        return replace(found, at=found.number / 2) if found else None


def test_where_nothing_changes_for_long_the_eye_reads_now_and_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever watches hears the same at every picture. It reads at once where looks differ though nothing
    moves, when something moves or other dice are awaited, in a picture of another size, in a tray that was
    framed meanwhile, and with darker pictures.
    """
    die = Die(1, (80, 60), (60, 40, 100, 80), "white", 0.9)
    calm, read, steady = np.full((120, 160, 3), 90, np.uint8), list[int](), False

    def once(*_: Any, **__: Any) -> Sight:
        read.append(1)
        return Sight((die if steady else replace(die, face=1 + len(read) % 6),))

    def reads() -> bool:
        """Whether the eye reads the next picture."""
        before = len(read)
        camera.next.release()
        looked = said.get(timeout=30)
        looked.by.taken()
        assert looked.dice == (die,) or not steady
        return len(read) > before

    monkeypatch.setattr("companion.lookout.look", once)
    monkeypatch.setattr("companion.lookout.signed", lambda *_: ((die,), ()))
    camera, said = Timed(*[calm] * 99, darker=()), queue.Queue[Any]()
    moved = calm.copy()
    moved[:60] = 200
    kind = Taught("dice", (), np.zeros((0, 1, 1), np.float32), np.zeros(0, np.int64))
    lookout = Lookout(camera, said.put)
    try:
        assert all(reads() for _ in range(12))
        steady = True
        everywhere = Tray(((0, 0), (1, 0), (1, 1), (0, 1)))
        for lookout.awaited, lookout.tray, shown in (
            (None, None, calm),
            (kind, None, calm),
            (kind, None, moved),
            (kind, None, calm[:60]),
            (kind, everywhere, calm[:60]),
        ):
            camera.shown = (shown,) * 99
            assert sum(iter(reads, False)) >= 8, "at first every picture counts"
            assert reads() and not reads() and reads()
        camera.dark = (calm[:60],)
        lookout.look_darker()
        assert reads()
    finally:
        lookout.stop()
        lookout.join(5)


def test_of_all_pictures_the_lookout_reads_the_tray_alone_until_it_gives_the_camera_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    die, sizes, ends = Die(1, (20, 60), (0, 40, 40, 80), "white", 0.9), list[set[object]](), list[str]()
    whole = np.full((120, 160, 3), 90, np.uint8)
    elsewhere = whole.copy()
    elsewhere[:, :30] = 200

    def once(frame: Image, darker: list[Image]) -> Sight:
        sizes.append({each.shape for each in (frame, *darker)})
        return Sight((die,), doubts=(die,))

    monkeypatch.setattr("companion.lookout.look", once)
    camera, said = Lamp(whole, elsewhere, darker=(whole,)), queue.Queue[Any]()
    for end in "leave", "close":
        monkeypatch.setattr(camera, end, partial(ends.append, end))
    lookout = Lookout(camera, said.put, Tray(((0.5, 0), (1, 0), (1, 1), (0.5, 1))))
    for _ in range(2):
        lookout.look_darker()
        camera.next.release()
        looked = said.get(timeout=30)
        looked.by.taken()
    lookout.stop()
    lookout.join(5)
    assert looked.darkened and not looked.moving.anywhere
    assert looked.dice == looked.doubts != (die,)
    assert len(sizes[1]) == 1 and whole.shape not in sizes[1] and ends == ["leave", "close"]


def test_while_something_moves_nobody_looks_whether_the_tray_has_moved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calm, seen = np.full((120, 160, 3), 90, np.uint8), list[Image]()
    hand = calm.copy()
    hand[:, :60] = 200
    monkeypatch.setattr("companion.lookout.look", lambda *_, **__: Sight(()))
    monkeypatch.setattr(DriftWatch, "see", lambda _, frame, at: seen.append(frame))
    cloth = Tray(((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)))
    camera, said = Lamp(calm, calm, hand, darker=()), queue.Queue[Any]()
    lookout = Lookout(camera, said.put, cloth, DriftWatch(small(calm), cloth))
    for _ in range(3):
        camera.next.release()
        looked = said.get(timeout=30)
        looked.by.taken()
    lookout.stop()
    lookout.join(5)
    assert looked.moving.anywhere and seen and all(frame is calm for frame in seen)


def test_with_darker_pictures_the_lookout_reads_what_was_taught() -> None:
    """A lamp is mirrored in its face; with less light it is as it was taught."""
    sheet = SYMBOLS / "12-read.jpg"
    kind, lies = taught(SYMBOLS / "12-teach.jpg"), 2
    (face, bright), dark = list(views(sheet))[lies], list(darker_views(sheet))[lies]
    camera, said = Lamp(bright, bright, darker=dark), queue.Queue[Any]()
    lookout = Lookout(camera, said.put)
    lookout.awaited = kind

    def told() -> list[tuple[str, bool]]:
        camera.next.release()
        looked = said.get(timeout=30)
        looked.by.taken()
        return [(die.sign, die.known) for die in looked.dice]

    try:
        assert (str(face), True) not in told()
        lookout.look_darker()
        assert told() == [(str(face), True)]
    finally:
        lookout.stop()
        lookout.join(5)


@pytest.mark.parametrize("held", [True, False])
def test_a_bright_sign_in_doubt_is_looked_at_with_less_light_if_the_camera_holds_its_exposure(
    make: Make, held: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make(Webcam(seen()), Settings(language="en", lock="exposure=100" if held else None))
    click(app, "dice")
    until(app, lambda: app.gaze.lookout is not None and (app.gaze.held is not None) is held)
    by, gaze, kind, wanted = app.gaze.lookout, app.gaze, bang(), list[bool]()
    assert by
    monkeypatch.setattr(by, "look_darker", lambda: wanted.append(True))
    lying = Die(7, (300, 200), (260, 160, 340, 240), "white", 0.5, known=False, sign="bomb", level=0.9)
    for number in range(30):
        moving = Movement(np.full((60, 80), number < 2), 8.0)
        list(gaze.see(Looked(seen(), (lying,), moving, 100 + number / 10, by, awaited=kind), kind, 1, True))
    assert bool(wanted) is held


def test_of_what_moves_no_darker_pictures_are_taken() -> None:
    """They take seconds, in which nobody would see what is thrown."""
    still, moved = seen(), seen([(x + 40, y + 20) for x, y in QUAD])
    camera, said = Lamp(still, moved, moved, moved, darker=()), queue.Queue[Any]()
    lookout = Lookout(camera, said.put)
    try:
        for asks, darkened in ((True, False), (False, False), (True, False), (False, True)):
            camera.next.release()
            looked = said.get(timeout=30)
            looked.by.taken()
            assert looked.darkened is darkened
            if asks:
                lookout.look_darker()
        assert len(camera.stops) == 1
    finally:
        lookout.stop()
        lookout.join(5)


def test_where_no_lamp_is_mirrored_one_darker_picture_is_enough() -> None:
    """A CSI camera begins anew for each of them."""
    plain = picture("5.jpg")
    camera, said = Lamp(plain, plain, darker=(np.asarray(plain * 0.55, np.uint8),)), queue.Queue[Any]()
    lookout = Lookout(camera, said.put)
    try:
        for darkened in (False, True):
            camera.next.release()
            looked = said.get(timeout=30)
            looked.by.taken()
            assert looked.darkened is darkened
            lookout.look_darker()
        assert camera.stops == [DARKER[:1]]
    finally:
        lookout.stop()
        lookout.join(5)


def test_a_darker_picture_of_another_size_shows_nothing_of_what_is_seen_now() -> None:
    plain, piece = picture("5.jpg"), next(each for each in LYING["5.jpg"] if each["kind"] == "die")
    bright = in_glare(plain, piece)
    half = np.asarray(cv2.resize(bright, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    camera, said = (
        Lamp(bright, bright, half, darker=(np.asarray(plain * 0.55, np.uint8),)),
        queue.Queue[Any](),
    )
    lookout = Lookout(camera, said.put)
    try:
        for darkened in (False, True, False):
            camera.next.release()
            looked = said.get(timeout=30)
            looked.by.taken()
            assert looked.darkened is darkened
            if not darkened:
                lookout.look_darker()
    finally:
        lookout.stop()
        lookout.join(5)


def test_only_a_few_pictures_wait_for_a_table_that_stands_still() -> None:
    frame = photograph([Lies("1", (430, 240))])
    camera, said = Lamp(*[frame] * 9, darker=()), queue.Queue[Any]()
    for _ in range(9):
        camera.next.release()
    lookout = Lookout(camera, said.put)
    try:
        first = said.get(timeout=30)
        said.get(timeout=30)
        with pytest.raises(queue.Empty):
            said.get(timeout=0.4)
        first.by.taken()
        assert said.get(timeout=30).at == 102.0, "none was left out: it may have been the one that moved"
    finally:
        lookout.stop()
        lookout.join(5)


def test_a_light_that_has_changed_hides_no_tray_that_moves_later(make: Make, tmp_path: Path) -> None:
    keep(reference(tmp_path, "auto"), seen())
    app = make(Webcam(seen()), Settings(language="en", tray=tray().numbers))
    click(app, "dice")
    for what in Drift.LIGHT, Drift.MOVED:
        until(app, lambda: app.gaze.lookout is not None and app.gaze.lookout.drift is not None)
        assert app.gaze.lookout and app.gaze.lookout.drift
        app.put(Drifted(what, app.gaze.lookout.drift))
        until(app, lambda what=what: DRIFTS[what] in app.context.notices)  # type: ignore[misc]
        click(app, "back")
        click(app, "dice")


@pytest.mark.parametrize(("place", "words"), [(620, "at-the-edge"), (300, "cocked")])
def test_dice_that_cannot_be_read_as_they_lie_are_heard_once_as_soon_as_somebody_is_to_throw(
    make: Make, place: int, words: str
) -> None:
    app = make(Webcam(seen()))
    click(app, "dice")
    until(app, lambda: app.gaze.lookout is not None)
    by, gaze = app.gaze.lookout, app.gaze
    assert by
    box = (place - 40.0, 160.0, min(639.0, place + 40.0), 240.0)
    lying = Die(5, (place, 200), box, "white", 0.95, cocked=words == "cocked")
    said = list[tuple[int, Effect | Seen]]()
    for number in range(80):
        moves = Movement(np.full((60, 80), number < 5), 8.0)
        look = Looked(seen(), () if number < 5 else (lying,), moves, 100 + number / 10, by)
        said += [(number, each) for each in gaze.see(look, None, None, awaited_now=number >= 60)]
    assert [each for each in said if not isinstance(each[1], Seen)] == [
        (60, Sound("refused")), (60, Say(words)),
    ]  # fmt: skip


@pytest.mark.parametrize("lost", [True, False])
def test_dice_that_were_thrown_while_the_camera_was_gone_or_others_were_looked_for_have_been_found(
    make: Make, lost: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has changed when the camera is back looks like movement."""
    app, clock = make(Webcam(seen())), count(1000)
    click(app, "dice")
    until(app, lambda: app.gaze.lookout is not None)
    by, gaze, hand = app.gaze.lookout, app.gaze, Movement(np.ones((60, 80), np.bool_), 8.0)
    assert by

    def show(face: int, moves: int, awaited: Taught | None = None) -> list[tuple[bool, bool]]:
        """Of each throw whether it was found, and whether it revises another one."""
        throws = []
        for number in range(15):
            lying = (Die(face, (300, 200), (260, 160, 340, 240), "white", 0.95),)
            moving = hand if number < moves else Movement.none()
            look = Looked(seen(), lying, moving, next(clock) / 10, by, awaited=awaited)
            steps = gaze.see(look, awaited, None, awaited_now=True)
            throws += [each.throw for each in steps if isinstance(each, Seen) and each.throw]
        return [(each.found, each.revises) for each in throws]

    said = [CameraState.LIVE]
    monkeypatch.setattr(Camera, "status", property(lambda _: CameraStatus(said[-1], "usb:0")))
    assert show(2, 2) == [(False, False)]
    for state in (CameraState.LOST, CameraState.BUSY, CameraState.LIVE) if lost else ():
        said.append(state)
        list(gaze.follow(True, None))
    if not lost:
        show(2, 2, bang())
    assert show(5, int(lost)) == [(True, False)]


def test_a_drift_that_was_seen_before_the_tray_was_framed_anew_is_no_news(make: Make, tmp_path: Path) -> None:
    keep(reference(tmp_path, "auto"), seen())
    app = make(Webcam(seen()), Settings(language="en", tray=tray().numbers))
    click(app, "dice")
    until(app, lambda: app.gaze.lookout is not None)
    assert app.gaze.lookout
    before = app.gaze.lookout.drift
    app.gaze.frame_anew()
    now = app.gaze.lookout.drift
    assert before and now
    app.put(Drifted(Drift.MOVED, before))
    app.put(Drifted(Drift.LIGHT, now))
    until(app, lambda: DRIFTS[Drift.LIGHT] in app.context.notices)
    assert DRIFTS[Drift.MOVED] not in app.context.notices
