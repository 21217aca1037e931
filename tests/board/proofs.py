"""The companion on an emulated board, from a fresh card on: `tests/board/run` (README.md).

They build on each other: later ones use the card that the first has installed.
"""

import io
import json
import re
import subprocess
import time
import wave
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import __version__, troubles
from companion.config import ASSETS, ROOT, Settings
from companion.dicebox import DiceBox
from companion.eye.read import look
from companion.eye.throws import Throw
from companion.language import Message, Texts
from companion.screens.base import CameraView, Context
from companion.screens.dice import DiceScreen
from companion.screens.notices import NoticesScreen
from companion.store import Store, StoreError, StoreErrorKind
from companion.table import Table
from tests.board.board import BUILT, Board, Image, overlay, until
from tests.board.twin import Twin, alike, cut

NAME = "tabletop-companion"
DATA = f"/var/lib/{NAME}"
CARD = BUILT / "installed.qcow2"
WORLD = "PIP_NO_INDEX=1 PIP_FIND_LINKS=/opt/wheels LANG=de_DE.UTF-8"  # no network there
LONG_S = 3600.0  # for an installation


@pytest.fixture(scope="session")
def pictures() -> Path:
    folder = ROOT / "tests/pictures/board"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def figures(pictures: Path) -> Iterator[dict[str, str]]:
    """What was measured; written down at the end."""
    found: dict[str, str] = {}
    yield found
    file = pictures / "figures.json"
    before = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps(before | found, indent=1, ensure_ascii=False) + "\n")


def bring(board: Board, folder: str) -> None:
    """Put this checkout there."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True).stdout
    packed = subprocess.run(
        ["tar", "-c", "--null", "-T", "-"], cwd=ROOT, check=True, capture_output=True, input=files
    )
    board.put(packed.stdout, "/root/checkout.tar")
    board.sh(f"mkdir -p {folder} && tar -x -C {folder} -f /root/checkout.tar && rm /root/checkout.tar")


def install(board: Board, folder: str = "/root/checkout", words: str = "") -> str:
    """Run the installer; what it said."""
    return board.sh(f"cd /root && {WORLD} {folder}/systemd/install.sh {words}", LONG_S)


def shown(board: Board, what: str) -> str:
    """A property of the service."""
    return board.sh(f"systemctl show -P {what} {NAME}")


@pytest.fixture(scope="session")
def card() -> Path:
    """The card as the first test leaves it, also that of an earlier run."""
    if not CARD.exists():
        pytest.skip("the installer has not succeeded yet")
    return CARD


@pytest.fixture(scope="session")
def board(card: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """An installed board, switched on."""
    with closing(Board(overlay(tmp_path_factory.mktemp("board") / "card.qcow2", card))) as board:
        yield board


@pytest.fixture
def twin(board: Board, tmp_path: Path) -> Iterator[Twin]:
    """What the board should show, which is up and shows its home screen."""
    table = Table(Store.open(None))
    data = DiceBox(tmp_path)
    context = Context(Texts("de"), Settings(), table, can_switch_off=True, data=tmp_path, box=data)
    twin = Twin(context, board)
    board.wait_until_up()
    if shown(board, "StatusText").partition(";")[0] != twin.title:  # a test before this one has failed
        anew(board)
    twin.is_shown()
    yield twin
    table.close()


def anew(board: Board) -> None:
    """Start it as if nothing had been played yet."""
    board.sh(f"systemctl stop {NAME}; rm -rf {DATA}/*; systemctl start {NAME}")


def test_the_installer_makes_a_companion_of_a_fresh_card(figures: dict[str, str]) -> None:
    CARD.unlink(missing_ok=True)
    disk = overlay(BUILT / "installing.qcow2", BUILT / "disk.img", "raw")
    with closing(Board(disk)) as board:
        board.wait_until_up()
        bring(board, "/root/checkout")
        before, begun = board.sh("ls -A /root"), time.monotonic()
        assert "Es läuft und startet von nun an mit dem Rechner" in install(board)
        figures["installation, s"] = f"{time.monotonic() - begun:.0f}"
        assert board.sh("ls -A /root") == before  # it leaves nothing where it was called
        first = shown(board, "MainPID")
        begun = time.monotonic()
        assert "Diese Version ist schon installiert" in install(board)
        figures["installation once more, s"] = f"{time.monotonic() - begun:.0f}"
        assert shown(board, "MainPID") == first and shown(board, "ActiveState") == "active"
        assert board.sh("companion --version") == __version__
        board.shut_down()
    disk.rename(CARD)


def test_it_starts_with_the_board_and_shows_its_home_screen(
    board: Board, twin: Twin, pictures: Path, figures: dict[str, str]
) -> None:
    figures["from power to picture, s"] = f"{time.monotonic() - board.switched_on:.0f}"
    picture = board.screen(pictures / "home.png")
    assert picture.shape == (480, 800, 3) and len(np.unique(picture.reshape(-1, 3), axis=0)) > 500
    environment = board.sh(f"tr '\\0' '\\n' </proc/{shown(board, 'MainPID')}/environ")
    assert "SDL_VIDEODRIVER=kmsdrm" in environment and "DISPLAY=" not in environment
    assert shown(board, "User") == "companion"
    begun, ready = (
        int(shown(board, f"{when}TimestampMonotonic")) for when in ("ExecMainStart", "ActiveEnter")
    )
    figures["from start to ready in the service, s"] = f"{(ready - begun) / 1e6:.0f}"


def test_the_unit_has_no_mistakes_and_is_exposed_little(
    board: Board, twin: Twin, figures: dict[str, str]
) -> None:
    assert board.run(f"systemd-analyze verify --man=no {NAME}.service") == (0, "")
    said = board.sh(f"systemd-analyze security {NAME}.service").splitlines()[-1]
    exposure = re.search(r"([0-9]+\.[0-9])", said)
    assert exposure and float(exposure[1]) <= 4.0
    figures["exposure"] = exposure[1]


def test_buttons_and_touch_move_the_screen_and_lamps_follow(board: Board, twin: Twin, pictures: Path) -> None:
    lamps = twin.pins.lamps
    assert board.level(lamps["confirm"]) and not board.level(lamps["back"])
    twin.presses("right", "right")
    twin.is_shown()
    board.screen(pictures / "button.png")  # the ring has gone on
    twin.presses("confirm")
    twin.is_shown()
    assert board.level(lamps["back"])
    twin.presses("back")
    twin.touches("settings")
    twin.is_shown()
    board.screen(pictures / "touch.png")
    twin.touches("back")
    twin.is_shown()
    assert not board.level(lamps["back"])


def tells(board: Board, twin: Twin, *notices: Message) -> None:
    """Wait until it tells just this, and show it, too."""
    number = len(notices)
    until(lambda: shown(board, "StatusText").endswith(f"notices: {number}") or None, f"{number} notices")
    twin.context.notices = notices


def reads(board: Board, twin: Twin, picture: Path) -> None:
    """Read what they tell, word for word, and put nothing away."""
    twin.is_shown(next(widget.rect for widget in twin.stage.widgets() if widget.key == "notices"))
    twin.touches("notices")
    told = twin.stage.top
    assert isinstance(told, NoticesScreen)
    twin.is_shown(told._plate(twin.stage.canvas))
    board.screen(picture)
    twin.touches_beside()


def test_pins_that_go_are_missed_and_found_again(board: Board, twin: Twin, pictures: Path) -> None:
    driver = board.sh("readlink -f /sys/devices/platform/gpio-sim*/driver")
    device = board.sh("basename /sys/devices/platform/gpio-sim*")
    board.sh(f"echo {device} >{driver}/unbind")
    tells(board, twin, troubles.panel("LOST", ""))
    assert board.run("ls /dev/gpiochip0")[0]
    reads(board, twin, pictures / "panel-gone.png")
    board.sh(f"echo {device} >{driver}/bind")
    for number in twin.pins.buttons.values():
        board.pin(number, high=True)
    tells(board, twin)
    twin.is_shown()
    assert board.level(twin.pins.lamps["confirm"])
    twin.presses("right")
    twin.is_shown()
    twin.presses("left")


def scene(name: str, thrown: bool) -> Image:
    """A picture of one of the recorded throws: before it, or half of it later, with the dice at rest.

    It is small: the emulated eye takes seconds for each.
    """
    film = cv2.VideoCapture(str(ASSETS / "samples" / name))
    film.set(cv2.CAP_PROP_POS_FRAMES, film.get(cv2.CAP_PROP_FRAME_COUNT) // 2 if thrown else 0)
    found, picture = film.read()
    assert found
    return np.asarray(cv2.resize(picture, (240, 180), interpolation=cv2.INTER_AREA), np.uint8)


def faces(name: str) -> list[int]:
    """What lies there then."""
    labels = json.loads((ASSETS / "samples/labels.json").read_text())["images"]
    return sorted(die["face"] for die in next(i for i in labels if i["file"] == name)["dice"])


def readings(board: Board) -> list[list[int]]:
    """The throws that the board has stored."""
    ask = f"""import json, sqlite3
store = sqlite3.connect("{DATA}/companion.db")
dice = "SELECT throw, face FROM dice WHERE face IS NOT NULL ORDER BY throw, face"
print(json.dumps(store.execute(dice).fetchall()))"""
    rows = json.loads(board.sh("runuser -u companion python3", given=ask.encode()))
    return [[face for throw, face in rows if throw == each] for each in sorted({throw for throw, _ in rows})]


def watched(board: Board, twin: Twin, picture: Image) -> None:
    """Open the dice screen in front of a picture."""
    board.show(picture)
    twin.touches("dice")
    until(lambda: "camera: live" in shown(board, "StatusText") or None, "the camera")


def leave(twin: Twin) -> None:
    """Go home from a screen that shows the camera."""
    twin.touches("back", seen=False)
    twin.is_shown()


def test_a_throw_before_the_camera_is_read_and_announced(board: Board, twin: Twin, pictures: Path) -> None:
    name = "one-orange.mp4"
    watched(board, twin, scene(name, thrown=False))
    before = readings(board)
    board.sh("systemd-run -qG --unit heard arecord -q -D plughw:Loopback,1 -f dat /run/heard.wav")
    board.show(scene(name, thrown=True))
    until(lambda: readings(board) == [*before, faces(name)] or None, "the throw")
    twin.context.table.log.thrown(Throw(look(scene(name, thrown=True)).dice, at=0.0))
    dice = twin.stage.top
    assert isinstance(dice, DiceScreen)
    for part in dice._places(twin.stage.canvas)[1:3]:  # the dice and their sum
        twin.is_shown(part)
    board.screen(pictures / "throw.png")
    board.sh("systemctl stop heard")
    with wave.open(io.BytesIO(board.get("/run/heard.wav"))) as heard:
        loud = np.abs(np.frombuffer(heard.readframes(heard.getnframes()), "<i2").astype(np.int32)) > 1000
    assert loud.sum() > 2 * 48000 / 10  # a tick, and somebody who speaks
    leave(twin)


def logged_in(board: Board) -> int:
    """How often a login has been offered on the screen."""
    return int(board.sh("journalctl -b -u getty@tty1 -o cat | grep -c ^Started; true"))


def ended(board: Board, signal: str) -> None:
    """End the program by a signal and wait for the next one: till that draws, the old picture stays."""
    restarts = int(shown(board, "NRestarts"))
    board.sh(f"kill -{signal} {shown(board, 'MainPID')}")
    until(lambda: int(shown(board, "NRestarts")) == restarts + 1 or None, "the end of the program")
    until(lambda: shown(board, "ActiveState") == "active" or None, "the new start")


def test_a_program_that_hangs_is_started_again(board: Board, twin: Twin, figures: dict[str, str]) -> None:
    logins, begun = logged_in(board), time.monotonic()
    ended(board, "STOP")
    figures["hung, until it shows its screen again, s"] = f"{time.monotonic() - begun:.0f}"
    twin.is_shown()
    assert logged_in(board) == logins  # nobody sees a login meanwhile
    assert "Watchdog timeout" in board.sh(f"journalctl -b -u {NAME} -o cat")


def power_cut(board: Board, twin: Twin) -> None:
    """Pull the plug and put it back; both show again what was stored."""
    board.pull_plug()
    board.power_on()
    board.wait_until_up()
    twin.start()
    twin.is_shown()


def placed(board: Board) -> list[str]:
    """Where stones were placed in the first game."""
    moves = board.sh("companion export 1").splitlines()
    return [line.split()[-1] for line in moves if "place" in line]


def test_kill_9_and_a_power_cut_in_mid_turn_lose_nothing(
    board: Board, twin: Twin, pictures: Path, figures: dict[str, str]
) -> None:
    twin.touches("kabooom", "start", "begins-0", "a1", "symbol-p", "b2")
    twin.is_shown()
    board.screen(pictures / "before.png")
    ended(board, "KILL")
    twin.start()
    twin.is_shown()
    board.screen(pictures / "killed.png")
    twin.touches("d4")
    twin.is_shown()
    power_cut(board, twin)
    figures["from power to the turn where it was, s"] = f"{time.monotonic() - board.switched_on:.0f}"
    board.screen(pictures / "power-cut.png")
    twin.touches("e5", "back")
    twin.is_shown()
    assert placed(board) == ["a1", "b2", "d4", "e5"]


def test_a_card_that_takes_nothing_is_said_and_nothing_is_lost(
    board: Board, twin: Twin, pictures: Path
) -> None:
    anew(board)
    twin.touches("kabooom", "start", "begins-0", "a1")
    twin.is_shown()
    board.sh("echo u >/proc/sysrq-trigger")  # as after an error of the card
    until(lambda: board.run("touch /root/any")[0] or None, "a card that can only be read")
    twin.touches("symbol-p", "b2", seen=False)
    tells(board, twin, troubles.store(StoreError(StoreErrorKind.READ_ONLY, "")))
    reads(board, twin, pictures / "card-read-only.png")
    board.sh("mount -o remount,rw /")
    tells(board, twin)
    twin.is_shown()
    power_cut(board, twin)
    twin.touches("back")
    twin.is_shown()
    assert placed(board) == ["a1", "b2"]
    anew(board)


def test_a_camera_that_goes_comes_back(board: Board, twin: Twin, pictures: Path) -> None:
    watched(board, twin, scene("one-orange.mp4", thrown=False))
    board.sh("systemctl stop board-camera")
    until(lambda: board.run("rmmod v4l2loopback")[0] == 0 or None, "the camera to be let go of")
    until(lambda: "camera: lost" in shown(board, "StatusText") or None, "that the loss is seen")
    twin.context.camera = CameraView(trouble=troubles.camera("LOST", "usb:0"))
    dice = twin.stage.top
    assert isinstance(dice, DiceScreen)
    place = dice._places(twin.stage.canvas)[0]
    twin.is_shown(place)
    gone = cut(board.screen(pictures / "camera-gone.png"), place)
    board.sh("modprobe v4l2loopback")
    board.show(scene("one-orange.mp4", thrown=False))
    until(lambda: "camera: live" in shown(board, "StatusText") or None, "the camera")
    until(lambda: not alike(cut(board.screen(), place), gone) or None, "what the camera sees")
    twin.context.camera = CameraView()
    board.screen(pictures / "camera-back.png")
    leave(twin)


def test_the_doctor_sees_how_it_is(board: Board, twin: Twin) -> None:
    board.show(scene("one-orange.mp4", thrown=False))
    _, said = board.run("companion doctor --json")
    found = {each["name"]: each for each in json.loads(said)["findings"]}
    states = {name: each["state"] for name, each in found.items()}
    well = {
        "camera",
        "gpio",
        "display",
        "touch",
        "sound",
        "disk",
        "temperature",
        "power",
        "groups",
        "settings",
    }
    assert {name: states[name] for name in well} == dict.fromkeys(well, "ok"), said
    assert states["tray"] == "warn" and "GPIO" not in (found["gpio"]["todo"] or "")  # nobody has framed it


def test_it_rests_when_nobody_does_anything(board: Board, twin: Twin, figures: dict[str, str]) -> None:
    pid, name = shown(board, "MainPID"), "CPUUsageNSec"
    memory = dict(re.findall(r"(VmRSS|VmHWM):\s+([0-9]+)", board.sh(f"cat /proc/{pid}/status")))
    figures |= {f"{key}, MB": f"{int(kilobytes) / 1024:.0f}" for key, kilobytes in memory.items()}
    ask = f"systemctl show -P {name} {NAME}"
    first, last = (int(word) for word in board.sh(f"{ask}; sleep 30; {ask}").split())
    figures["idle, % of a core of the board"] = f"{(last - first) / 30e7:.1f}"


def test_an_update_keeps_everything_and_can_be_taken_back(
    board: Board, twin: Twin, figures: dict[str, str]
) -> None:
    newer = "/root/newer"
    bring(board, newer)
    board.sh(f"sed -i 's/^__version__ = .*/__version__ = \"9.9\"/' {newer}/companion/__init__.py")
    board.sh("echo 'language: de' >/etc/tabletop-companion/companion.yaml")
    begun, games = time.monotonic(), board.sh("companion games")
    assert "Es läuft" in install(board, newer)
    figures["update, s"] = f"{time.monotonic() - begun:.0f}"
    for words, version in (("", "9.9"), ("--rollback", __version__), ("--rollback", "9.9")):
        if words:
            install(board, newer, words)
        assert board.sh("companion --version") == version
        assert shown(board, "ActiveState") == "active"
        assert board.sh("companion games") == games
        assert board.sh("cat /etc/tabletop-companion/companion.yaml") == "language: de"


def test_it_switches_the_board_off(board: Board, twin: Twin, pictures: Path) -> None:
    twin.touches("power")
    twin.is_shown()
    board.screen(pictures / "switch-off.png")
    twin.touches("off")
    board.wait_until_off()
