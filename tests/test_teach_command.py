"""`companion teach`: dice shown in pictures or to a camera, and what is said if that goes wrong."""

import errno
import io
import itertools
import json
import time
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.cli import main
from companion.commands import teach as command
from companion.commands.eye import dicebox
from companion.config import data_dir
from companion.eye.dice import Die
from companion.eye.network import Found
from companion.eye.teaching import Teacher
from companion.language import Texts
from companion.screens.die_kinds import MOST, of_games
from companion.tray.markers import seek
from hardware.camera import CameraState, CameraStatus, Lock, Picture
from hardware.camera.testing import Scripted, Watched
from tests.bench.taught import views
from tests.eye.table import Lies, face, photograph
from tests.eye.table import taught as taught_with
from tests.eye.test_taught import SETS, SHEETS
from tests.tray.scene import seen as tray_seen
from tests.tray.scene import tray

Image = NDArray[np.uint8]
Say = Callable[..., tuple[int, str, str]]


@pytest.fixture
def companion(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """Runs a command in an empty folder: its status, what it says, and what it complains of."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))

    def run(*arguments: str, language: str = "en") -> tuple[int, str, str]:
        status = main(["--language", language, *arguments])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def write(name: str, *dice: Lies) -> None:
    """A picture of dice on a table, in this folder."""
    cv2.imwrite(name, photograph(dice))


def on_the_sheet(*signs: str) -> Image:
    """Dice in the tray whose printed sheet is seen."""
    frame = tray_seen().copy()
    high, wide = frame.shape[:2]
    for number, sign in enumerate(signs):
        die = cv2.resize(face(sign), (60, 60), interpolation=cv2.INTER_AREA)
        y, x = high // 2 - 30, wide // 2 - 30 + 90 * number
        part = frame[y : y + 60, x : x + 60]
        part[:] = part + (die[..., :3].astype(float) - part) * (die[..., 3:] / 255)
    return frame


# from pictures


def test_a_die_is_taught_from_pictures_and_read(companion: Say, tmp_path: Path) -> None:
    name, folder = SETS[1], tmp_path / "pictures"
    folder.mkdir()
    for number, (side, frame) in enumerate([*views(SHEETS / f"{name}-teach.jpg")][::2]):
        cv2.imwrite(str(folder / f"f{side}-{number}.png"), frame)
    faces = ",".join(f"f{side}" for side in range(6))
    status, said, _ = companion("teach", "mine", "--faces", faces, "--pictures", str(folder))
    assert status == 0 and "mine is known now: f0, f1, f2, f3, f4 and f5" in said
    side, frame = next(views(SHEETS / f"{name}-read.jpg"))
    cv2.imwrite("seen.png", frame)
    status, said, _ = companion("read", "--taught", "mine", "seen.png")
    (told,) = json.loads(said)["taught"]
    assert status == 0 and told["face"] == f"f{side}"


def test_a_die_in_the_printed_tray_is_taught_and_no_marker_is(companion: Say) -> None:
    for sign in ("wolf", "gift"):
        cv2.imwrite(f"{sign}-1.png", on_the_sheet(sign))
    assert companion("teach", "mine", "--faces", "wolf,gift", "--pictures", ".")[0] == 0
    write("seen.png", Lies("gift", turn=30))
    (told,) = json.loads(companion("read", "--taught", "mine", "seen.png")[1])["taught"]
    assert told["face"] == "gift"


def test_a_die_is_shown_in_as_little_light_as_dice_are_read_in() -> None:
    assert seek(photograph([Lies("2", turn=20)], light=0.05))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["teach", "a/b", "--faces", "x,y"], "letters"),
        (["teach", "m" * 61, "--faces", "x,y"], "60 at most"),
        (["teach", "mine", "--faces", "x"], "two different"),
        (["teach", "mine", "--faces", "x,x"], "two different"),
        (["teach", "mine", "--faces", "blue bomb,heart"], "not 'blue bomb'"),
        (["teach", "mine", "--faces", "x,y", "--pictures", "."], "no picture x-1"),
        (["teach", "mine", "--faces", "x,y", "--pictures", "nowhere"], "There is no folder nowhere"),
        (["--camera", "./nothing", "teach", "mine", "--faces", "x,y"], "nothing: there is no such file\n"),
        (["read", "--taught", "nobody", "x.png"], "nobody was not taught"),
    ],
)
def test_what_cannot_be_taught_is_said_and_nothing_is_kept(
    companion: Say, arguments: list[str], says: str
) -> None:
    status, _, complaint = companion(*arguments)
    assert status == 2 and says in complaint and "Errno" not in complaint
    assert dicebox().names() == ()


@pytest.mark.parametrize("file", ["x-2.png", "x-notes.txt"])
def test_the_picture_that_cannot_be_read_is_named(companion: Say, tmp_path: Path, file: str) -> None:
    write("x-1.png", Lies("mouse"))
    write("y-1.png", Lies("fox"))
    (tmp_path / file).write_bytes(b"torn")
    status, _, complaint = companion("teach", "mine", "--faces", "x,y", "--pictures", ".", language="de")
    assert status == 2 and file in complaint and "kein lesbares Bild" in complaint


@pytest.mark.parametrize(
    ("dice", "says"),
    [
        ([Lies("mouse", (200, 240)), Lies("fox", (420, 240))], "y-1.png: several dice"),
        ([], "y-1.png: no die is to be seen"),
    ],
)
def test_pictures_from_which_nothing_can_be_learned_are_refused(
    companion: Say, dice: Iterable[Lies], says: str
) -> None:
    write("x-1.png", Lies("mouse"))
    write("y-1.png", *dice)
    status, _, complaint = companion("teach", "mine", "--faces", "x,y", "--pictures", ".")
    assert status == 2 and says in complaint and dicebox().names() == ()


def test_a_picture_is_of_the_side_after_which_it_is_named_and_of_no_other(companion: Say) -> None:
    write("x-1.png", Lies("mouse"))
    write("xy-1.png", Lies("fox"))
    assert companion("teach", "mine", "--faces", "x,xy", "--pictures", ".")[0] == 0
    assert companion("teach", "other", "--faces", "x,y", "--pictures", ".")[0] == 2


@pytest.mark.parametrize("alone", [False, True])
def test_what_is_hardly_a_die_counts_only_if_nothing_else_is_seen(
    companion: Say, monkeypatch: pytest.MonkeyPatch, alone: bool
) -> None:
    def faintly(frame: Image) -> list[Found]:
        (die,) = seek(frame)
        faint = replace(die, heat=0.1)
        return [faint] if alone else [die, replace(faint, centre=(60, 60), box=(40, 40, 80, 80))]

    monkeypatch.setattr(command, "seek", faintly)
    write("x-1.png", Lies("mouse"))
    write("y-1.png", Lies("fox"))
    assert companion("teach", "mine", "--faces", "x,y", "--pictures", ".")[0] == 0


def test_two_sides_that_look_alike_are_refused(companion: Say) -> None:
    write("x-1.png", Lies("hare"))
    write("y-1.png", Lies("hare", turn=40))
    write("z-1.png", Lies("fox"))
    status, _, complaint = companion("teach", "mine", "--faces", "x,y,z", "--pictures", ".")
    assert status == 2 and "x and y look alike" in complaint and dicebox().names() == ()
    assert companion("teach", "mine", "--faces", "x,z", "--pictures", ".")[0] == 0


def test_a_side_in_doubt_is_told_as_such_and_drawn(companion: Say) -> None:
    write("x-1.png", Lies("hare"))
    write("y-1.png", Lies("fox"))
    assert companion("teach", "mine", "--faces", "x,y", "--pictures", ".")[0] == 0
    write("seen.png", Lies("hare", (200, 240)), Lies("2", (420, 240)))
    status, said, _ = companion("read", "--taught", "mine", "--annotate", "drawn", "seen.png")
    known, doubted = json.loads(said)["taught"]
    assert status == 0 and known["face"] == "x" and "known" not in known
    assert doubted["known"] is False and doubted["face"] in "xy"
    plain, drawn = cv2.imread("seen.png"), cv2.imread("drawn/seen.png")
    assert plain is not None and drawn is not None
    for x in (200, 420):
        assert (plain != drawn)[:, x - 80 : x + 80].any()


def test_a_die_is_told_once_with_its_pips_or_with_its_side(
    companion: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The networks may take a symbol for pips, in a photograph at least."""
    write("x-1.png", Lies("hare"))
    write("y-1.png", Lies("fox"))
    assert companion("teach", "mine", "--faces", "x,y", "--pictures", ".")[0] == 0
    pips = [
        Die(6, (x, 240.0), (x - 50, 190, x + 50, 290), "blue", 0.53) for x in (200.0, 420.0)
    ]  # of the hare, and of something else
    monkeypatch.setattr("companion.commands.eye.read", lambda frame: pips)
    write("seen.png", Lies("hare", (200, 240)))
    line = json.loads(companion("read", "--taught", "mine", "seen.png")[1])
    assert [die["face"] for die in line["taught"]] == ["x"]
    assert [die["center"] for die in line["dice"]] == [[420.0, 240.0]]


def test_nobody_teaches_more_dice_of_their_own_than_the_screen_shows(companion: Say) -> None:
    for number in range(MOST):
        dicebox().keep(replace(taught_with("own", "mouse", "fox"), name=f"own{number}"))
    write("x-1.png", Lies("mouse"))
    write("y-1.png", Lies("fox"))
    status, _, complaint = companion("teach", "mine", "--faces", "x,y", "--pictures", ".")
    assert status == 2 and "forget one first" in complaint and "mine" not in dicebox().names()
    write("mouse-1.png", Lies("mouse"))
    write("fox-1.png", Lies("fox"))
    assert companion("teach", "own1", "--faces", "mouse,fox", "--pictures", ".")[0] == 0
    complaint = companion("teach", "stopper", "--faces", "blank,1,2,3", "--pictures", ".")[2]
    assert "no picture blank-1" in complaint, "the die of a game is none of their own"


def test_a_die_that_is_known_is_not_overwritten_by_another(companion: Say) -> None:
    for sign in ("mouse", "fox", "wolf"):
        write(f"{sign}-1.png", Lies(sign))
    assert companion("teach", "mine", "--faces", "mouse,fox", "--pictures", ".")[0] == 0
    for more in (",wolf", ",fox,wolf"):
        status, _, complaint = companion("teach", "mine", "--faces", f"mouse{more}", "--pictures", ".")
        assert status == 2 and "other faces (mouse,fox)" in complaint
    assert dicebox().load("mine").faces == ("mouse", "fox")
    assert companion("teach", "three", "--faces", "mouse,fox,wolf", "--pictures", ".")[0] == 0
    assert companion("teach", "three", "--faces", "mouse,fox", "--pictures", ".")[0] == 2, "a side is missing"
    assert companion("teach", "mine", "--faces", "fox,mouse", "--pictures", ".")[0] == 0, "but taught anew"


def test_the_die_of_a_game_has_the_faces_of_that_game(companion: Say) -> None:
    write("x-1.png", Lies("mouse"))
    write("y-1.png", Lies("fox"))
    for kind in of_games():
        for given in ("x,y", ",".join(side for side, _ in kind.faces[:2])):
            status, _, complaint = companion("teach", kind.name, "--faces", given, "--pictures", ".")
            assert status == 2 and all(side in complaint for side, _ in kind.faces)


def test_that_the_file_of_a_die_is_damaged_is_said(companion: Say) -> None:
    write("seen.png", Lies("fox"))
    dicebox().keep(taught_with("mine", "mouse", "fox"))
    dicebox().file("mine").write_bytes(b"torn")
    status, _, complaint = companion("read", "--taught", "mine", "seen.png", language="de")
    assert status == 2 and "beschädigt" in complaint and "zip" not in complaint


def test_where_a_die_cannot_be_kept_is_said_before_it_is_shown(
    companion: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder := Path("file/dice")).parent.write_text("no folder")
    monkeypatch.setenv("COMPANION_DATA", "file")
    status, said, complaint = companion("teach", "mine", "--faces", "x,y", language="de")
    assert (status, said) == (2, "") and str(folder) in complaint and "kein Ordner" in complaint


def test_a_folder_of_pictures_that_cannot_be_read_is_named(
    companion: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("shut").mkdir()

    def shut(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", shut)
    status, _, complaint = companion("teach", "mine", "--faces", "x,y", "--pictures", "shut")
    assert status == 2 and "shut cannot be read: this user is not allowed to" in complaint


# from the camera


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is given up after about three looks without progress."""
    looks = itertools.count()
    monkeypatch.setattr(
        command, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + 20 * next(looks))
    )


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A side is learned as fast as pictures come."""
    monkeypatch.setattr("companion.eye.teaching.PAUSE", 0.0)


def shown(companion: Say, *dice: Lies) -> tuple[str, str]:
    """What is said and complained of if a camera sees nothing but these dice."""
    write("camera.png", *dice)
    status, said, complaint = companion("--camera", "camera.png", "teach", "mine", "--faces", "x,y")
    assert status == 2
    return said, complaint


def test_a_camera_that_shows_no_picture_is_named_as_such(companion: Say, tmp_path: Path) -> None:
    (tmp_path / "broken.mp4").write_bytes(b"torn")
    teaching = ["teach", "mine", "--faces", "x,y"]
    what = "broken.mp4 ist weder ein Bild noch ein Video, oder es ist beschädigt oder zu groß. Bitte "
    status, _, complaint = companion("--camera", "broken.mp4", *teaching, language="de")
    assert status == 2 and what + "hinter --camera eine andere nennen." in complaint
    (tmp_path / "data" / "settings.yaml").write_text("camera: broken.mp4\n")
    status, _, complaint = companion(*teaching, language="de")
    assert status == 2 and what + "in den Einstellungen eine andere Kamera wählen." in complaint


@pytest.mark.usefixtures("impatient")
def test_a_camera_that_is_not_there_may_still_be_plugged_in(companion: Say) -> None:
    status, said, complaint = companion("--camera", "/dev/video63", "teach", "mine", "--faces", "x,y")
    assert status == 2 and "63" in said and "Show x" not in said
    assert "Nothing new was to be seen for a minute" in complaint


def test_an_address_that_sends_no_pictures_yet_is_tried_again() -> None:
    source = Scripted()
    source.source, source.absent = "http://phone/video", CameraState.UNREADABLE
    with Watched(source=source) as watched:
        watched.state(CameraState.UNREADABLE)
        lesson = command._lesson(watched.camera, Teacher("mine", ["x", "y"]), None, command.PASSES, False)
        assert "http://phone/video answers, but sends no pictures" in Texts("en").say(next(lesson))


def test_who_reads_no_more_ends_the_lesson_quietly(companion: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: object, **__: object) -> None:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    write("camera.png", Lies("mouse"))
    monkeypatch.setattr("builtins.print", gone)
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert companion("--camera", "camera.png", "teach", "mine", "--faces", "x,y")[0] == 1


@pytest.mark.usefixtures("impatient")
def test_what_is_wrong_before_the_camera_is_said_at_once_and_at_the_end(companion: Say) -> None:
    said, complaint = shown(companion, Lies("mouse", (200, 240)), Lies("fox", (420, 240)))
    assert "Show x, and turn it" in said and "Only this one die, please." in said
    assert "goes on there. Only this one die, please." in complaint


@pytest.mark.usefixtures("impatient", "at_once")
def test_a_side_that_is_shown_twice_is_said_to_be_known(companion: Say) -> None:
    said, complaint = shown(companion, Lies("mouse"))
    assert "Show y" in said and "This side I know already: x." in said
    assert "This side I know already: x." in complaint


@pytest.mark.usefixtures("impatient", "at_once")
def test_only_what_lies_in_the_tray_is_taught_and_no_marker(companion: Say, tmp_path: Path) -> None:
    frame = on_the_sheet("wolf")
    die = cv2.resize(face("fox"), (60, 60), interpolation=cv2.INTER_AREA)
    frame[4:64, 4:64] = die[..., :3]  # beside it
    cv2.imwrite("tray.png", frame)
    (tmp_path / "data").mkdir()
    numbers = " ".join(map(str, tray().numbers))
    (tmp_path / "data" / "settings.yaml").write_text(f"camera: tray.png\ntray: {numbers}\n")
    _, said, _ = companion("teach", "mine", "--faces", "x,y")
    assert "Show y" in said, "the first side is known"
    (tmp_path / "other.png").write_bytes((tmp_path / "tray.png").read_bytes())
    _, said, _ = companion("--camera", "other.png", "teach", "mine", "--faces", "x,y")
    assert "Show y" in said and "Show x" not in said, "it goes on there"
    assert "Only this one die, please." in said, "nobody knows where another camera sees the tray"


@pytest.mark.usefixtures("impatient", "at_once")
def test_what_was_shown_before_is_said_and_can_be_shown_anew(companion: Say) -> None:
    said, _ = shown(companion, Lies("mouse"))
    assert "Shown before" not in said
    said, _ = shown(companion, Lies("mouse"))
    assert said.startswith("Shown before: x. With --anew every face is asked for.\nShow y")
    anew = ["teach", "mine", "--faces", "x,y", "--anew"]
    assert companion("--camera", "./nothing", *anew)[0] == 2
    said, _ = shown(companion, Lies("mouse"))
    assert said.startswith("Shown before: x."), "it is only forgotten once something else is seen"
    assert companion("--camera", "camera.png", *anew)[1].startswith("Show x")


class Film:
    """A camera before which each of some dice lies for six pictures, eight a second; none is passed over."""

    def __init__(self, *dice: Lies) -> None:
        self.pictures = [photograph([each]) for each in dice for _ in range(6)]
        self.status = CameraStatus(CameraState.LIVE, "a film")

    def wait(self, number: int, seconds: float) -> Picture | None:
        if number < len(self.pictures):
            return Picture(self.pictures[number], number + 1, number / 8)
        self.status = CameraStatus(CameraState.ENDED, "a film")
        return None


@pytest.fixture
def filmed(companion: Say, monkeypatch: pytest.MonkeyPatch) -> Say:
    """Teaches two sides to a camera that sees a film."""

    def run(*dice: Lies) -> tuple[int, str, str]:
        monkeypatch.setattr(command, "Camera", lambda *_, **__: nullcontext(Film(*dice)))
        return companion("teach", "mine", "--faces", "x,y")

    return run


WOLF, FOX = ([Lies(sign, turn=turn) for turn in (0, 50, 100)] for sign in ("wolf", "fox"))


def test_a_die_is_taught_from_a_video_and_one_that_is_over_too_early_is_said_to_be(filmed: Say) -> None:
    status, said, complaint = filmed(*WOLF, WOLF[0], FOX[0])
    assert status == 2 and "The video is over, but not all faces were seen" in complaint
    assert dicebox().names() == () and "Show y" in said
    lines = said.splitlines()
    assert all(one != other for one, other in itertools.pairwise(lines)), "nothing is said twice in turn"
    asked = lines.index("Show y, and turn it a little now and then.")
    assert not lines[asked + 1].startswith("Good!"), "nothing of it has been seen"
    status, said, _ = filmed(*FOX)
    assert status == 0 and said.startswith("Shown before: x.") and "mine is known now: x and y" in said
    assert dicebox().load("mine").faces == ("x", "y")


@pytest.mark.parametrize(
    ("named", "held"), [((), Lock((100.0,))), (("--camera", "http://elsewhere/video"), None)]
)
def test_the_camera_exposes_as_it_was_measured_and_another_one_by_itself(
    named: tuple[str, ...], held: Lock | None, companion: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    data_dir().mkdir()
    (data_dir() / "settings.yaml").write_text("lock: exposure=100\n")
    wished = list[Lock | None]()

    def opened(_setting: str, lock: Lock | None) -> nullcontext[Film]:
        wished.append(lock)
        return nullcontext(Film(*WOLF, *FOX))

    monkeypatch.setattr(command, "Camera", opened)
    assert companion(*named, "teach", "mine", "--faces", "x,y")[0] == 0
    assert wished == [held]


@pytest.mark.usefixtures("impatient")
def test_it_is_not_given_up_while_something_new_is_seen(filmed: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "PATIENCE", 180.0)  # nine looks
    assert filmed(*WOLF, *FOX)[0] == 0


def test_a_die_that_is_taught_twice_is_told_of(companion: Say) -> None:
    for sign in ("mouse", "fox"):
        write(f"{sign}-1.png", Lies(sign))
    assert "the same faces" not in companion("teach", "mine", "--faces", "mouse,fox", "--pictures", ".")[1]
    assert (
        "mine has the same faces" in companion("teach", "two", "--faces", "mouse,fox", "--pictures", ".")[1]
    )


def test_a_folder_with_too_long_a_name_is_named(companion: Say) -> None:
    status, _, complaint = companion("teach", "mine", "--faces", "x,y", "--pictures", "a" * 300)
    assert status == 2 and "aaa cannot be read" in complaint and "kept" not in complaint
