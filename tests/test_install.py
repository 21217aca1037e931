"""The installer runs for real in a folder that stands for a whole Raspberry Pi.

Of the machine, its package tools, users and services are stand-ins that remember what was done to them.
"""

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.test_scripts import PYTHON, executable

ROOT = Path(__file__).resolve().parent.parent
UNITS = ROOT / "systemd"
NAME = "tabletop-companion"

COMPANION = """#!/bin/sh
version=${0%/*}/../../companion/version
case "$*" in
    --version) cat "$version" ;;
    games) [ "$(cat "$COMPANION_DATA/companion.db")" -le "$(cat "$version")" ] ;;
esac
"""  # a version reads the data of its own and of earlier ones
SYSTEMCTL = """#!/bin/sh
case "$1" in
    get-default) echo "${TARGET:-multi-user.target}"; exit ;;
    is-active) [ -e "$STATE/runs" ]; exit ;;
esac
echo "systemctl $*" >>"$LOG"
program=$DESTDIR/opt/tabletop-companion/current/companion
case "$*" in *restart*) [ ! -e "$program/breaks" ] && cp "$program/version" "$STATE/runs" ;; esac
"""
STANDINS = {
    "python3": PYTHON,
    "systemctl": SYSTEMCTL,
    "ldconfig": "echo libGL.so.1 libglib-2.0.so.0",
    "grep": 'case "$*" in *Raspberry*) [ -n "${PI:-}" ] ;; *) exec /bin/grep "$@" ;; esac',
    "dpkg": 'echo "${ARCH:-arm64}"',
    "dpkg-query": """for last; do :; done
while read -r each; do [ "$each" != "$last" ] || printf installed; done <"$STATE/packages\"""",
    "apt-get": """echo "apt-get $*" >>"$LOG"
[ -z "${NO_NETWORK:-}" ] || exit 100
for each; do echo "$each" >>"$STATE/packages"; done""",
    "apt-cache": "exit 0",
    "id": """case "$1" in
    -nG) cat "$STATE/groups-of-$2" 2>/dev/null ;;
    -u) if [ -n "${2:-}" ]; then echo 1000; else echo "${USER_ID:-0}"; fi ;;
    *) /bin/grep -qx "$1" "$STATE/users" ;;
esac""",
    "getent": """case "$1" in
    group) /bin/grep -qx "$2" "$STATE/groups" ;;
    passwd) echo "anna:x:1000" ;;
esac""",
    "groupadd": 'echo "groupadd $*" >>"$LOG"; for last; do :; done; echo "$last" >>"$STATE/groups"',
    "useradd": 'echo "useradd $*" >>"$LOG"; for last; do :; done; echo "$last" >>"$STATE/users"',
    "usermod": 'echo "usermod $*" >>"$LOG"; printf " %s" "$2" >>"$STATE/groups-of-$3"',
    "userdel": 'echo "userdel $*" >>"$LOG"; echo >"$STATE/users"',
    "groupdel": 'echo "groupdel $*" >>"$LOG"',
    "chown": 'echo "chown $*" >>"$LOG"; echo "${2%:*}" >"$STATE/owner"',
    "stat": 'cat "$STATE/owner" 2>/dev/null || echo nobody',
    "runuser": 'shift 3; exec "$@"',
    "sync": "",
}
GROUPS = ("video", "render", "input", "audio", "gpio")
ENTRIES = [f"etc/xdg/autostart/{NAME}.desktop", f"usr/local/share/applications/{NAME}.desktop"]


@dataclass
class Pi:
    """A machine in a folder, and the version of the companion that somebody has fetched to install it."""

    folder: Path
    installed: Path | None = None  # the same machine with version 1 installed, to be taken over

    @property
    def disk(self) -> Path:
        return self.folder / "disk"

    @property
    def checkout(self) -> Path:
        return self.folder / "the checkout"

    @property
    def base(self) -> Path:
        return self.disk / "opt" / NAME

    @property
    def etc(self) -> Path:
        return self.disk / "etc" / NAME

    @property
    def data(self) -> Path:
        return self.disk / "var/lib" / NAME

    def fetch(self, version: int, config: str = "language: auto\n", breaks: bool = False) -> None:
        """Fetch a version whose companion.yaml is `config`; one that `breaks` does not start."""
        shutil.rmtree(self.checkout, ignore_errors=True)
        for part in ("hardware", "assets", "config", "companion"):
            (self.checkout / part).mkdir(parents=True)
        shutil.copytree(UNITS, self.checkout / "systemd")
        (self.checkout / ".ci").mkdir()
        shutil.copy(ROOT / ".ci/setup.sh", self.checkout / ".ci")
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            (self.checkout / name).write_text("")
        (self.checkout / "companion/version").write_text(f"{version}\n")
        (self.checkout / "config/companion.yaml").write_text(config)
        (self.checkout / "config/panel.yaml").write_text("buzzer: 25\n")
        if breaks:
            (self.checkout / "companion/breaks").touch()

    @property
    def usual(self) -> dict[str, str]:
        """The environment of whatever runs on it."""
        return {
            "PATH": f"{self.folder / 'bin'}:/usr/bin:/bin",
            "LOG": str(self.folder / "log"),
            "STATE": str(self.folder / "state"),
            "TOOLS": str(self.folder / "tools"),
            "DESTDIR": str(self.disk),
            "LANG": "en_GB.UTF-8",
        }

    def run(self, *words: str, **environment: str) -> tuple[int, str]:
        """Run the installer; the exit status and what it said."""
        done = subprocess.run(
            [self.checkout / "systemd/install.sh", *words],
            env=self.usual | environment, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        return done.returncode, done.stderr

    def installs(self, *words: str, **environment: str) -> str:
        """Run it where it must succeed; what it said."""
        code, said = self.run(*words, **environment)
        assert code == 0, said
        return said

    def has_version_1(self) -> None:
        """What `installs` makes of an empty machine: it does so once for all tests."""
        assert self.installed
        shutil.copytree(self.installed, self.folder, symlinks=True, dirs_exist_ok=True)

    @property
    def runs(self) -> int:
        """The version that was started last."""
        return int((self.folder / "state/runs").read_text())

    @property
    def linked(self) -> int:
        return int((self.base / "current/companion/version").read_text())

    def calls(self, of: str = "") -> list[str]:
        """How the stand-ins were called since the last time."""
        log = self.folder / "log"
        lines = log.read_text().splitlines() if log.exists() else []
        log.write_text("")
        return [line for line in lines if of in line]

    def files(self) -> dict[str, tuple[int, bytes]]:
        """Everything on the disk, with the time of its last change."""
        return {
            str(path.relative_to(self.disk)): (path.lstat().st_mtime_ns, path.read_bytes())
            for path in self.disk.rglob("*")
            if path.is_file()
        }


def empty_machine(folder: Path) -> Pi:
    pi = Pi(folder)
    for name, text in STANDINS.items():
        executable(folder / "bin" / name, text if text.startswith("#!") else f"#!/bin/sh\n{text}\n")
    executable(folder / "tools/companion", COMPANION)
    (pi.disk / "run/systemd/system").mkdir(parents=True)
    state = folder / "state"
    state.mkdir()
    (state / "groups").write_text("".join(f"{group}\n" for group in GROUPS))
    (state / "users").write_text("anna\n")
    (state / "packages").write_text("")
    pi.fetch(1)
    return pi


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pi = empty_machine(tmp_path_factory.mktemp("installed"))
    pi.installs()
    return pi.folder


@pytest.fixture
def pi(tmp_path: Path, installed: Path) -> Pi:
    pi = empty_machine(tmp_path)
    pi.installed = installed
    return pi


def with_desktop(pi: Pi) -> dict[str, str]:
    (pi.disk / "etc/systemd/system").mkdir(parents=True, exist_ok=True)
    (pi.disk / "etc/systemd/system/display-manager.service").touch()
    (pi.disk / "run/user/1000").mkdir(parents=True)
    return {"TARGET": "graphical.target"}


def test_an_empty_card_becomes_a_companion_and_a_second_run_changes_nothing(pi: Pi) -> None:
    said = pi.installs()
    assert "starts with the machine" in said
    calls = pi.calls()
    assert [call.split()[0] for call in calls if call.startswith(("groupadd", "useradd"))] == [
        "groupadd",
        "useradd",
    ]
    assert [call for call in calls if "usermod" in call] == [
        f"usermod -aG {group} companion" for group in ("companion", *GROUPS)
    ]
    assert next(c for c in calls if "install -y" in c).split()[-1] == "libgl1-mesa-dri"
    assert "systemctl enable --quiet tabletop-companion" in calls
    assert calls[-1] == "systemctl restart tabletop-companion" and pi.runs == 1
    assert (pi.etc / "companion.yaml").read_text() == "language: auto\n"
    unit = pi.disk / f"etc/systemd/system/{NAME}.service"
    assert unit.read_bytes() == (UNITS / f"{NAME}.service").read_bytes()
    assert os.access(pi.disk / "usr/local/bin/companion", os.X_OK)
    before = pi.files()
    assert "installed already" in pi.installs()
    assert pi.calls() == [] and pi.files() == before


def test_an_update_keeps_settings_and_data_and_can_be_taken_back_and_forth(pi: Pi) -> None:
    pi.has_version_1()
    (pi.etc / "panel.yaml").write_text("buzzer: 12\n")
    (pi.data / "companion.db").write_text("1\n")
    pi.fetch(2, config="language: auto\nnew: yes\n")
    pi.installs()
    assert (pi.linked, pi.runs) == (2, 2)
    assert (pi.etc / "companion.yaml").read_text() == "language: auto\nnew: yes\n"  # nobody had changed it
    assert (pi.etc / "panel.yaml").read_text() == "buzzer: 12\n"
    assert (pi.data / "companion.db").read_text() == "1\n"
    assert "version before is back" in pi.installs("--rollback")
    assert (pi.linked, pi.runs) == (1, 1)
    assert (pi.etc / "companion.yaml").read_text() == "language: auto\n"
    assert (pi.etc / "panel.yaml").read_text() == "buzzer: 12\n"
    pi.installs("--rollback")
    assert (pi.linked, pi.runs) == (2, 2)


def test_data_that_root_has_put_back_are_made_the_companions_own(pi: Pi) -> None:
    pi.has_version_1()
    (pi.data / "companion.db").write_text("1\n")
    copied = 'case "$*" in *companion.db*) echo root ;; *) cat "$STATE/owner" ;; esac'
    executable(pi.folder / "bin/stat", f"#!/bin/sh\n{copied}\n")
    pi.calls()
    pi.installs()
    assert pi.calls() == [f"chown -R companion:companion {pi.data}"]


def test_a_setting_that_was_changed_stays_and_the_new_file_lies_beside_it(pi: Pi) -> None:
    pi.has_version_1()
    (pi.etc / "companion.yaml").write_text("language: de\n")
    pi.fetch(2, config="language: auto\nnew: yes\n")
    assert "Kept, because it was changed" in pi.installs()
    assert (pi.etc / "companion.yaml").read_text() == "language: de\n"
    assert (pi.etc / "companion.yaml.new").read_text() == "language: auto\nnew: yes\n"


def test_settings_that_an_update_cut_off_has_already_written_are_not_taken_for_changed(pi: Pi) -> None:
    pi.has_version_1()
    pi.fetch(2, config="language: auto\nnew: yes\n")
    (pi.etc / "companion.yaml").write_text("language: auto\nnew: yes\n")  # then the power was lost
    assert "Kept" not in pi.installs()
    assert pi.linked == 2 and not list(pi.etc.glob("*.new"))


def test_settings_that_were_there_before_the_first_version_stay_and_the_new_file_lies_beside_them(
    pi: Pi,
) -> None:
    pi.has_version_1()
    pi.installs("--uninstall")
    pi.fetch(2, config="language: auto\nnew: yes\n")
    said = pi.installs()
    assert f"Kept, because it was changed: {pi.etc}/./companion.yaml." in said and "panel.yaml" not in said
    assert (pi.etc / "companion.yaml").read_text() == "language: auto\n"
    assert [file.read_text() for file in pi.etc.glob("*.new")] == ["language: auto\nnew: yes\n"]


def played_on_both(pi: Pi, **environment: str) -> None:
    """Something was played with version 1 and, after the update, with version 2 in its own way."""
    if environment:
        pi.installs(**environment)
    else:
        pi.has_version_1()
    (pi.data / "companion.db").write_text("1\n")
    pi.fetch(2)
    pi.installs(**environment)
    (pi.data / "companion.db").write_text("2\n")


def test_data_that_the_version_before_cannot_read_is_set_aside_and_its_own_comes_back(pi: Pi) -> None:
    played_on_both(pi)  # as the new version writes it
    assert "cannot read the newer data" in pi.installs("--rollback")
    assert (pi.data / "companion.db").read_text() == "1\n"
    assert (pi.data / "companion.db.newer").read_text() == "2\n"


@pytest.mark.parametrize("screen", ["console", "desktop"])
def test_what_was_set_aside_comes_back_by_what_is_said_whenever_a_version_is_entered(
    pi: Pi, screen: str
) -> None:
    """Nothing is lost by it: what was used until then lies in a folder of its own."""
    usual = {"SUDO_USER": "anna", **with_desktop(pi)} if screen == "desktop" else {}
    played_on_both(pi, **usual)
    assert f"{pi.data}/companion.db.newer" in pi.installs("--rollback", **usual)
    (pi.data / "companion.db").write_text("01\n")
    (pi.data / "companion.db.newer-20260501-120000").write_text("02\n")  # and once more, another time
    said = pi.installs("--rollback", **usual)
    (pi.data / "companion.db-wal").write_text("of 01\n")  # it was killed
    pi.calls()
    command = next(line for line in said.splitlines() if line.startswith("    "))
    executable(pi.folder / "bin/sudo", '#!/bin/sh\necho "sudo $*" >>"$LOG"\nexec "$@"\n')
    done = subprocess.run(["sh", "-c", command], env=pi.usual, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    control = "systemctl" if screen == "console" else "systemctl --user"
    calls = pi.calls("systemctl")
    assert calls[-1] == f"{control} start {NAME}" and f"{control} stop {NAME}" in calls[:2]
    assert ("sudo systemctl" in " ".join(calls)) is (screen == "console")
    (older,) = pi.data.glob("older-*")
    assert {file.name: file.read_text() for file in pi.data.iterdir() if file.is_file()} == {
        "companion.db": "2\n",
        "companion.db.newer-20260501-120000": "02\n",
    }
    assert {file.name: file.read_text() for file in older.iterdir()} == {
        "companion.db": "01\n",
        "companion.db-wal": "of 01\n",
    }
    (pi.data / "companion.db.newer-20260501-120000").unlink()
    pi.fetch(3)
    assert ".newer" not in pi.installs(**usual)


def test_whoever_goes_back_once_more_loses_nothing_of_what_was_set_aside(pi: Pi) -> None:
    played_on_both(pi)
    pi.installs("--rollback")
    pi.installs("--rollback")
    (pi.data / "companion.db").write_text("02\n")
    pi.installs("--rollback")
    kept = {file.read_text() for file in pi.data.iterdir() if ".newer" in file.name}
    assert kept == {"2\n", "02\n"}
    assert not list((pi.base).glob("*/left/*.newer*"))


def test_an_update_that_cannot_be_made_changes_nothing(pi: Pi) -> None:
    pi.has_version_1()
    pi.calls()
    before = {name: each for name, each in pi.files().items() if not name.startswith(f"opt/{NAME}/b/")}
    pi.fetch(2)
    code, said = pi.run(NO_NETWORK="1")
    assert code == 1 and "Nothing was changed" in said
    assert pi.calls("systemctl") == []
    assert {
        name: each for name, each in pi.files().items() if not name.startswith(f"opt/{NAME}/b/")
    } == before
    code, said = pi.run("--rollback")
    assert code == 1 and "no version before" in said
    pi.installs()
    assert pi.runs == 2


def disk_is_full(pi: Pi, at: str) -> None:
    """From now on a copy whose command has `at` in it fails, with something of it written."""
    full = f'case "$*" in *{at}*) /bin/cp "$@"; echo "No space left on device" >&2; exit 1 ;; esac'
    executable(pi.folder / "bin/cp", f'#!/bin/sh\n{full}\nexec /bin/cp "$@"\n')


def test_data_that_cannot_be_copied_keep_the_version_that_runs(pi: Pi) -> None:
    pi.has_version_1()
    (pi.data / "companion.db").write_text("1\n")
    pi.fetch(2, config="language: auto\nnew: yes\n")
    pi.calls()
    disk_is_full(pi, "companion.db")
    code, said = pi.run()
    assert code == 1 and "No space left" in said and "Nothing was changed" in said
    assert (pi.linked, pi.runs) == (1, 1)
    assert (pi.etc / "companion.yaml").read_text() == "language: auto\n"
    assert [call.split()[1] for call in pi.calls("systemctl")] == ["stop", "start"]
    (pi.folder / "bin/cp").unlink()  # there is room again
    pi.installs()
    (pi.data / "companion.db").write_text("2\n")
    pi.installs("--rollback")
    assert (pi.data / "companion.db").read_text() == "1\n"


def test_data_that_cannot_be_put_back_stay_what_they_are(pi: Pi) -> None:
    played_on_both(pi)
    disk_is_full(pi, f"var/lib/{NAME}/")
    assert pi.run("--rollback")[0] == 1
    assert (pi.linked, pi.runs) == (2, 2)
    assert [file.read_text() for file in pi.data.iterdir() if file.is_file()] == ["2\n"]
    (pi.folder / "bin/cp").unlink()
    pi.installs("--rollback")
    assert {file.name: file.read_text() for file in pi.data.iterdir()} == {
        "companion.db": "1\n",
        "companion.db.newer": "2\n",
    }


def test_stores_that_were_set_aside_are_not_copied(pi: Pi) -> None:
    pi.has_version_1()
    for name in ("", "-wal", ".newer", ".damaged-20260501-120000", ".damaged-20260501-120000-wal"):
        (pi.data / f"companion.db{name}").write_text("1\n")
    pi.fetch(2)
    pi.installs()
    assert sorted(file.name for file in (pi.base / "a/left").iterdir()) == [
        "companion.db",
        "companion.db-wal",
    ]


def test_an_update_that_does_not_start_is_taken_back_from_a_full_disk_too(pi: Pi) -> None:
    """What it would leave is of no use to anybody: it is never gone back to."""
    pi.has_version_1()
    (pi.data / "companion.db").write_text("1\n")
    pi.fetch(2, breaks=True)
    disk_is_full(pi, "b/left")
    code, said = pi.run()
    assert code == 1 and "Back to the one that ran" in said
    assert (pi.linked, pi.runs) == (1, 1)


def test_an_update_that_does_not_start_is_taken_back_by_itself(pi: Pi) -> None:
    pi.has_version_1()
    pi.fetch(2, config="other: yes\n", breaks=True)
    code, said = pi.run()
    assert code == 1 and "Back to the one that ran" in said
    assert (pi.linked, pi.runs) == (1, 1)
    assert (pi.etc / "companion.yaml").read_text() == "language: auto\n"
    assert pi.run("--rollback")[0] == 1  # it is not offered
    pi.fetch(3)
    pi.installs()
    assert (pi.linked, pi.runs) == (3, 3)


def test_a_first_version_that_does_not_start_says_where_to_look(pi: Pi) -> None:
    pi.fetch(1, breaks=True)
    code, said = pi.run()
    assert code == 1 and "journalctl -u tabletop-companion" in said
    (pi.base / "current/companion/breaks").unlink()  # a screen is connected
    pi.installs()
    assert (pi.linked, pi.runs) == (1, 1)


def test_where_no_screen_is_on_the_installer_says_what_it_waits_for(pi: Pi) -> None:
    screens = [pi.disk / f"sys/class/drm/card1-HDMI-A-{number}" for number in (1, 2)]
    for screen in screens:
        screen.mkdir(parents=True)
        (screen / "status").write_text("disconnected\n")
    assert "No screen is on" in pi.installs()
    (screens[1] / "status").write_text("connected\n")
    pi.fetch(2)
    assert "No screen is on" not in pi.installs()


def test_a_broken_environment_is_made_anew(pi: Pi) -> None:
    """As after an upgrade of the system, which takes its Python away."""
    pi.has_version_1()
    (pi.base / "current/.venv/bin/companion").unlink()
    pi.installs()
    assert (pi.base / "current/.venv/bin/companion").exists() and pi.linked == 1


@pytest.mark.parametrize(
    ("line", "wanted"), [("enabled: true", True), ("enabled : Yes", True), ("enabled: false", False)]
)
def test_what_a_broker_needs_is_installed_once_it_is_switched_on(pi: Pi, line: str, wanted: bool) -> None:
    pi.has_version_1()
    (pi.etc / "mqtt.yaml").write_text(f"# enabled: true\n{line}\n")
    pi.calls()
    assert ("installed already" in pi.installs()) is not wanted
    assert [call.endswith("[mqtt]") for call in pi.calls("pip install")] == [True] * wanted
    assert "installed already" in pi.installs()


def test_uninstalling_leaves_settings_and_data_unless_asked(pi: Pi) -> None:
    pi.has_version_1()
    (pi.data / "companion.db").write_text("1\n")
    pi.calls()
    assert "still there" in pi.installs("--uninstall")
    left = {path for path, _ in pi.files().items()}
    assert left == {f"etc/{NAME}/companion.yaml", f"etc/{NAME}/panel.yaml", f"var/lib/{NAME}/companion.db"}
    assert pi.calls() == [
        f"systemctl disable --now --quiet {NAME}",
        "systemctl start getty@tty1.service",
        "systemctl daemon-reload",
    ]
    pi.installs("--uninstall", "--purge")
    assert pi.files() == {} and "userdel companion" in pi.calls()


def test_on_a_desktop_it_is_a_program_of_its_user(pi: Pi) -> None:
    desktop = with_desktop(pi)
    said = pi.installs(SUDO_USER="anna", **desktop)
    assert "anna logs in" in said
    calls = pi.calls()
    assert not [call for call in calls if "useradd" in call]
    assert "usermod -aG companion anna" in calls
    assert f"chown -R anna:companion {pi.data}" in calls
    assert all((pi.disk / entry).exists() for entry in ENTRIES)
    assert not (pi.disk / f"etc/systemd/system/{NAME}.service").exists()
    pi.fetch(2)
    pi.installs(**desktop)  # whose it is is known now
    assert f"systemctl --user --machine=anna@.host restart {NAME}" in pi.calls()
    code, said = pi.run(COMPANION_SCREEN="console", **desktop)
    assert code == 1 and "raspi-config" in said
    pi.installs("--uninstall", "--purge")
    assert not any(NAME in name for name in pi.files())


def test_from_the_menu_it_starts_however_often_it_was_closed_or_has_failed(pi: Pi) -> None:
    """Else systemd refuses the sixth start in five minutes."""
    entry = (UNITS / f"desktop/{NAME}.desktop").read_text().splitlines()
    (command,) = (line.removeprefix("Exec=") for line in entry if line.startswith("Exec="))
    subprocess.run(shlex.split(command), env=pi.usual, check=False)  # nothing is installed
    assert pi.calls()[-2:] == [f"systemctl --user reset-failed {NAME}", f"systemctl --user restart {NAME}"]


def test_who_puts_it_on_a_desktop_later_has_it_there_alone(pi: Pi) -> None:
    pi.has_version_1()
    desktop = with_desktop(pi)
    code, said = pi.run(**desktop)
    assert code == 1 and f"sudo COMPANION_SCREEN=desktop {pi.checkout}/systemd/install.sh  " in said
    pi.calls()
    said = pi.installs(COMPANION_SCREEN="desktop", SUDO_USER="anna", **desktop)
    assert f"systemctl disable --now --quiet {NAME}" in pi.calls()
    assert not (pi.disk / f"etc/systemd/system/{NAME}.service").exists()
    pi.installs("--uninstall")
    assert "anna logs in" in pi.installs(SUDO_USER="anna", **desktop), "companion never does"


def test_who_takes_it_from_the_desktop_has_it_on_the_console_alone(pi: Pi) -> None:
    desktop = with_desktop(pi)
    pi.installs(SUDO_USER="anna", **desktop)
    pi.calls()
    pi.installs(COMPANION_SCREEN="console")
    assert f"systemctl --user --machine=anna@.host stop {NAME}" in pi.calls()
    assert not any((pi.disk / entry).exists() for entry in ENTRIES)


def test_going_back_stays_on_the_screen_that_is_installed(pi: Pi) -> None:
    desktop = with_desktop(pi)
    pi.installs(SUDO_USER="anna", **desktop)
    pi.fetch(2)
    pi.installs(**desktop)
    pi.calls()
    pi.installs("--rollback", COMPANION_SCREEN="console")
    assert pi.linked == 1 and f"systemctl --user --machine=anna@.host stop {NAME}" in pi.calls()
    assert (pi.disk / f"etc/xdg/autostart/{NAME}.desktop").exists()
    console_unit = pi.disk / f"etc/systemd/system/{NAME}.service"
    assert not console_unit.exists()
    console_unit.touch()  # the power was lost while it was taken to the console
    pi.installs("--rollback")
    assert pi.linked == 2 and f"systemctl --user --machine=anna@.host stop {NAME}" in pi.calls()
    assert not (pi.disk / f"etc/xdg/autostart/{NAME}.desktop").exists()


def test_going_back_on_the_console_does_not_ask_for_a_desktop_that_came_later(pi: Pi) -> None:
    pi.has_version_1()
    pi.fetch(2)
    pi.installs()
    pi.installs("--rollback", **with_desktop(pi))
    assert (pi.linked, pi.runs) == (1, 1)


def test_a_hang_up_does_not_keep_a_version_that_fails(pi: Pi) -> None:
    """The connection is lost, or the screen becomes the companion's, just when it starts."""
    pi.has_version_1()
    pi.fetch(2, breaks=True)
    systemctl = pi.folder / "bin/systemctl"
    hangs_up = 'case "$*" in *restart*) kill -HUP $PPID ;; esac\n'
    executable(systemctl, systemctl.read_text().replace("#!/bin/sh\n", f"#!/bin/sh\n{hangs_up}", 1))
    code, said = pi.run()
    assert code == 1 and "Back to the one that ran" in said
    assert (pi.linked, pi.runs) == (1, 1)


def test_a_version_that_never_started_gives_way_also_when_it_is_installed_once_more(pi: Pi) -> None:
    """The power was cut before it could be taken back."""
    pi.has_version_1()
    pi.fetch(2, breaks=True)
    pi.run()
    (pi.base / "b/fails").rename(pi.base / "b/whole")
    (pi.base / "current").unlink()
    (pi.base / "current").symlink_to("b")
    (pi.folder / "state/runs").unlink()  # nothing runs
    code, said = pi.run()
    assert code == 1 and "Back to the one that ran" in said
    assert (pi.linked, pi.runs) == (1, 1)


def test_into_an_image_nothing_is_started(pi: Pi) -> None:
    pi.installs(COMPANION_START="no")
    assert pi.calls("systemctl") == [f"systemctl enable --quiet {NAME}"]


def test_a_pi_gets_its_camera_program_and_sees_the_systems_packages(pi: Pi) -> None:
    pi.installs(PI="1")
    calls = pi.calls()
    assert next(call for call in calls if "install -y" in call).endswith(" rpicam-apps-lite")
    assert any("-m venv --system-site-packages" in call for call in calls)


@pytest.mark.parametrize(
    ("words", "environment", "said"),
    [
        ((), {"USER_ID": "1000"}, "administrator"),
        ((), {"USER_ID": "1000", "LANG": "de_DE"}, "Verwaltungsrechte"),
        ((), {"ARCH": "armhf"}, "64 bits"),
        ((), {"COMPANION_SCREEN": "cinema"}, "Usage"),
        (("--uninstall", "--rollback"), {}, "Usage"),
        (("--help-me",), {}, "Usage"),
        (("--rollback",), {}, "no version before"),
    ],
)
def test_what_cannot_be_done_is_said(
    pi: Pi, words: tuple[str, ...], environment: dict[str, str], said: str
) -> None:
    code, heard = pi.run(*words, **environment)
    assert code in (1, 2) and said in heard
    assert pi.files() == {}


@pytest.mark.parametrize(("language", "said"), [("de_DE.UTF-8", "Aufruf: "), ("C", "Usage: ")])
def test_help_that_is_asked_for_can_be_read_page_by_page(language: str, said: str) -> None:
    environment = {"PATH": "/usr/bin:/bin", "LANG": language}
    for word in ("--help", "-h"):
        done = subprocess.run(
            [UNITS / "install.sh", word], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout.startswith(said) and done.stderr == ""
        assert "sudo [VARIABLE=" in done.stdout, "sudo lets none through that stands before it"
        assert "COMPANION_SCREEN" in done.stdout and "DESTDIR" not in done.stdout


def command(data: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command `companion` of a machine with its data there, as somebody who is not root."""
    script = (UNITS / "companion").read_text().replace(f"/var/lib/{NAME}", str(data))
    script = script.replace(f"/opt/{NAME}/current/.venv/bin/companion", "/bin/echo")
    return subprocess.run(
        ["sh", "-c", script, "companion", *words], env={"PATH": "/usr/bin:/bin", "LANG": "de_DE.UTF-8"},
        cwd="/", user=None if os.geteuid() else 65534, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_command_says_what_brings_back_the_folder_of_the_data(tmp_path: Path) -> None:
    done = command(tmp_path / NAME, "games")
    said = f"Der Ordner {tmp_path / NAME} fehlt. Er wird angelegt von: sudo systemd/install.sh\n"
    assert (done.returncode, done.stderr) == (1, said)


@pytest.mark.parametrize(
    "words",
    [
        "games", "--language de games", "export 3", "--camera usb:0 play", "teach d8 --faces A,B",
        "doctor --json", "read --taught d8 x.jpg", "read x.jpg --taught=d8",
    ],
)  # fmt: skip
def test_the_command_says_what_can_be_done_only_as_the_owner_of_the_data(words: str) -> None:
    done = command(Path("/etc"), *words.split())  # it is root's
    said = "Was gespielt oder angelernt wurde, gehört dem Benutzer root. Bitte davor schreiben: sudo\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)


@pytest.mark.parametrize("words", ["tray-sheet", "read games.jpg", "--language de replay play.txt", "wiring"])
def test_the_command_does_for_everybody_what_everybody_can_do(words: str) -> None:
    done = command(Path("/etc"), *words.split())
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{words}\n", "")


# The units


def systemd_analyze(runtime: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(runtime)}
    return subprocess.run(
        ["systemd-analyze", *words], env=environment, capture_output=True, text=True, check=False
    )


def systemd_version() -> int:
    said = subprocess.run(["systemd-analyze", "--version"], capture_output=True, text=True, check=True)
    return int(said.stdout.split()[1])


needs_analyze = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")


@needs_analyze
def test_the_unit_is_exposed_little(tmp_path: Path) -> None:
    done = systemd_analyze(
        tmp_path, "security", "--offline=true", "--threshold=40", str(UNITS / f"{NAME}.service")
    )
    assert done.returncode == 0, done.stdout.splitlines()[-1]


@needs_analyze
@pytest.mark.parametrize("unit", [f"{NAME}.service", f"desktop/{NAME}.service"])
def test_the_units_have_no_mistakes(unit: str, tmp_path: Path) -> None:
    text = (
        (UNITS / unit)
        .read_text()
        .replace("/opt/tabletop-companion/current/.venv/bin/companion", sys.executable)
    )
    if systemd_version() < 254:
        text = text.replace("RestartMode=direct\n", "")  # it says that it does not know it, and goes on
    (tmp_path / f"{NAME}.service").write_text(text)
    manager = ["--user"] if unit.startswith("desktop") else []
    done = systemd_analyze(tmp_path, *manager, "verify", "--man=no", str(tmp_path / f"{NAME}.service"))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
def test_the_scripts_are_clean() -> None:
    done = subprocess.run(
        ["shellcheck", "-x", "systemd/install.sh", "systemd/companion"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == ""
