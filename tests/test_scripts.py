"""play and check: what is missing is installed or named, once, and a second start costs nothing.

The scripts run for real; Python, pip, apt-get and the tests' tools are stand-ins that write down their calls.
"""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ("play", "check", ".ci/run", ".ci/setup.sh")
TOOL = '#!/bin/sh\necho "TOOL $*" >>"$LOG"\necho "TOOL in $PWD: $*"\nexit "${FAILS_TOOL:-0}"\n'
PYTHON = """#!/bin/sh
echo "python $*" >>"$LOG"
bin=${0%/*}
case "$*" in
    *"sys.version_info[:2]"*) exit "${OLD:-0}" ;;
    *ensurepip*) exit "${NO_VENV:-0}" ;;
    *find_spec*) exit "${NO_LGPIO:-0}" ;;
    *"import cv2"*) exit "${NO_CV2:-0}" ;;
    --version) echo Python 3.9.2 ;;
    "-m venv"*)
        for folder; do :; done
        mkdir -p "$folder/bin" "$folder/lib/python3/site-packages/cv2"
        ln -s "$(readlink -f "$0")" "$folder/bin/python"
        : >"$folder/lib/python3/site-packages/cv2/cv2.abi3.so" ;;
    "-m pip"*)
        [ -z "${NO_NETWORK:-}" ] || { echo "no address for pypi.org" >&2; exit 1; }
        cp "$TOOLS"/* "$bin" ;;
esac
"""
STANDINS = {
    "python3": PYTHON,
    "ldconfig": '#!/bin/sh\necho "$LIBRARIES"\n',
    "id": '#!/bin/sh\necho "${USER_ID:-1000}"\n',
    "sudo": '#!/bin/sh\n[ -n "${MAY_SUDO:-}" ] || exit 1\nshift\necho "sudo $*" >>"$LOG"\nexec "$@"\n',
    "apt-get": '#!/bin/sh\necho "apt-get $*" >>"$LOG"\nexit "${NO_APT:-0}"\n',
    "grep": '#!/bin/sh\n[ -n "${PI:-}" ]\n',  # asked for the model of the machine, and for nothing else
    "ldd": '#!/bin/sh\nfor lib in SM.so.6 GL.so.1; do echo "lib$lib => not found"; done\n',
}
BOTH_LIBRARIES = "libGL.so.1 libglib-2.0.so.0"


def executable(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


@dataclass
class House:
    """A copy of the scripts in a folder with a space in its name, and a machine of stand-ins around it."""

    folder: Path
    machine: Path
    cwd: Path | None = None

    def start(self, script: str, *words: str, **environment: str) -> subprocess.Popen[str]:
        usual = {
            "PATH": f"{self.machine / 'bin'}:/usr/bin:/bin",
            "LOG": str(self.machine / "log"),
            "TOOLS": str(self.machine / "tools"),
            "LANG": "en_GB.UTF-8",
            "LIBRARIES": BOTH_LIBRARIES,
        }
        command = [str(self.folder / script), *words]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command, env=usual | environment, cwd=self.cwd, text=True, stdout=pipe, stderr=pipe
        )

    def run(self, script: str, *words: str, **environment: str) -> tuple[int, str, str]:
        """Return exit status, standard output and standard error."""
        process = self.start(script, *words, **environment)
        out, err = process.communicate(timeout=30)
        return process.returncode, out, err

    def calls(self, of: str) -> list[str]:
        """Return how something was called, and forget it."""
        log = self.machine / "log"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        log.write_text("".join(f"{line}\n" for line in lines if of not in line), encoding="utf-8")
        return [line for line in lines if of in line]


@pytest.fixture
def house(tmp_path: Path) -> House:
    folder, machine = tmp_path / "the table", tmp_path / "machine"
    for script in SCRIPTS:
        (folder / script).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / script, folder / script)
    (folder / "pyproject.toml").write_text("[project]\n")
    for name, text in STANDINS.items():
        executable(machine / "bin" / name, text)
    for tool in ("companion", "ruff", "mypy", "pytest"):
        executable(machine / "tools" / tool, TOOL.replace("TOOL", tool))
    return House(folder, machine)


def test_the_first_start_sets_up_and_the_second_does_not(house: House) -> None:
    house.cwd = house.machine
    code, out, err = house.run("play", "read", "a picture.jpg")
    assert (code, out) == (0, f"companion in {house.machine}: read a picture.jpg\n")
    assert "sets itself up" in err
    assert house.calls("pip install") == [
        "python -m pip install --quiet --disable-pip-version-check --editable " + str(house.folder)
    ]
    house.calls("")
    assert house.run("play", "--help")[2] == ""
    assert house.calls("") == ["companion --help"]


def test_lgpio_is_found_without_being_imported(house: House) -> None:
    """It would leave a pipe where somebody happens to stand."""
    modules, here = house.machine / "modules", house.machine / "here"
    here.mkdir()
    modules.mkdir()
    (modules / "sitecustomize.py").write_text("import sys; sys.version_info = (3, 13, 0, 'final', 0)\n")
    ask = f"root=/; . '{house.folder}/.ci/setup.sh'; find_python() {{ echo '{sys.executable}'; }}; has_lgpio"
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(modules)}
    assert subprocess.run(["sh", "-c", ask], cwd=here, env=environment, check=False).returncode == 1
    (modules / "lgpio.py").write_text("open('.lgd-nfy0', 'w')\n")
    assert subprocess.run(["sh", "-c", ask], cwd=here, env=environment, check=False).returncode == 0
    assert not list(here.iterdir())


def test_a_start_through_a_link_is_the_same(house: House) -> None:
    house.run("play")
    link = house.machine / "companion-link"
    link.symlink_to(house.folder / "play")
    done = subprocess.run(
        [link], env={"PATH": "/usr/bin:/bin", "LOG": "/dev/null"}, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_exit_status_is_the_companions(house: House) -> None:
    assert house.run("play", FAILS_companion="7")[0] == 7


def test_a_second_start_costs_less_than_fifty_milliseconds(house: House) -> None:
    def worked() -> float:  # the processor's time: what else the machine does is no matter
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    house.run("play")
    before = worked()
    for _ in range(10):
        house.run("play")
    assert (worked() - before) / 10 < 0.05


def test_changed_requirements_are_installed_into_the_same_environment(house: House) -> None:
    house.run("play")
    house.calls("")
    (house.folder / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    assert house.run("play")[0] == 0
    assert len(house.calls("pip install")) == 1
    assert house.calls("-m venv") == []


def move(house: House) -> None:
    target = house.folder.with_name("elsewhere")
    house.folder.rename(target)
    house.folder = target


def change_python(house: House) -> None:
    python = house.machine / "bin" / "python3"
    python.rename(python.with_name("python3.13"))
    python.symlink_to("python3.13")


def half_make(house: House) -> None:
    (house.folder / ".venv" / "unfinished").touch()
    (house.folder / ".venv" / "set-up").unlink()


def remove_python(house: House) -> None:
    python = house.folder / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python3")


@pytest.mark.parametrize("change", [move, change_python, half_make, remove_python])
def test_an_environment_that_cannot_serve_is_made_anew(house: House, change: Callable[[House], None]) -> None:
    house.run("play")
    (house.folder / ".venv" / "old").touch()
    house.calls("")
    change(house)
    code, out, err = house.run("play", "x")
    assert (code, out) == (0, f"companion in {Path.cwd()}: x\n"), err
    assert len(house.calls("-m venv")) == len(house.calls("pip install")) == 1
    assert not (house.folder / ".venv" / "old").exists()
    assert house.run("play")[2] == ""


def test_an_environment_made_by_hand_is_kept(house: House) -> None:
    house.run("play")
    (house.folder / ".venv" / "set-up").unlink()
    (house.folder / ".venv" / "old").touch()
    assert house.run("play")[0] == 0
    assert (house.folder / ".venv" / "old").exists()


def test_an_environment_that_cannot_be_removed_is_told_of_in_a_few_lines(house: House) -> None:
    """It belongs to another user, and has thousands of files."""
    house.run("play")
    half_make(house)
    denied = 'for last; do :; done; seq -f "rm: cannot remove $last/%g: Permission denied" 5000 >&2; exit 1'
    executable(house.machine / "bin" / "rm", f"#!/bin/sh\n{denied}\n")
    code, out, err = house.run("play")
    assert (code, out) == (1, "")
    venv = house.folder / ".venv"
    begins, why, advice = err.splitlines()
    assert "sets itself up" in begins and why == f"rm: cannot remove {venv}/1: Permission denied"
    assert "Does that folder belong to your user?" in advice


@pytest.mark.parametrize(
    ("language", "said"),
    [("de_DE.UTF-8", "Ist das Netz da, und Platz in {}?"), ("C", "Is the network there, and room in {}?")],
)
def test_without_a_network_or_a_place_it_says_so_and_tries_again_next_time(
    house: House, language: str, said: str
) -> None:
    code, out, err = house.run("play", LANG=language, NO_NETWORK="1")
    assert (code, out) == (1, "")
    assert said.format(house.folder) in err
    assert "no address for pypi.org" in err
    shutil.rmtree(house.folder / ".venv")
    (house.folder / ".venv").symlink_to("/nowhere")
    code, out, err = house.run("play", LANG=language)
    assert (code, out) == (1, "")
    assert said.format(house.folder) in err
    (house.folder / ".venv").unlink()
    assert house.run("play")[0] == 0


def test_two_first_starts_at_once_set_up_once(house: House) -> None:
    starts = [house.start("play", str(number)) for number in range(2)]
    assert [start.communicate(timeout=30)[0].split()[-1] for start in starts] == ["0", "1"]
    assert len(house.calls("pip install")) == 1


@pytest.mark.parametrize(
    ("language", "said"),
    [("de_AT.UTF-8", "Bitte einmal dies ausführen"), ("en_US.UTF-8", "Please run this once")],
)
def test_missing_packages_are_named_in_one_command(house: House, language: str, said: str) -> None:
    code, out, err = house.run("play", LANG=language, LIBRARIES="libc.so.6", NO_VENV="1")
    assert (code, out) == (1, "")
    assert said in err
    assert "    sudo apt-get install -y python3-venv libgl1 libglib2.0-0\n" in err
    assert house.calls("apt-get") == []
    assert not (house.folder / ".venv").exists()


@pytest.mark.parametrize(("who", "before"), [({"USER_ID": "0"}, ""), ({"MAY_SUDO": "1"}, "sudo ")])
def test_whoever_may_install_packages_does(house: House, who: dict[str, str], before: str) -> None:
    code, _, err = house.run("play", LIBRARIES="libGL.so.1", **who)
    assert code == 0
    assert "Installing: libglib2.0-0" in err
    expected = ["apt-get update", "apt-get install -y --no-install-recommends libglib2.0-0"]
    assert [call for call in house.calls("apt-get") if call.startswith("apt-get")] == expected
    assert bool(house.calls("sudo")) is bool(before)


def test_packages_that_cannot_be_installed_are_named(house: House) -> None:
    code, _, err = house.run("play", LIBRARIES="", USER_ID="0", NO_APT="100")
    assert code == 1
    assert "sudo apt-get install -y libgl1 libglib2.0-0" in err


def test_a_library_that_opencv_lacks_is_found_by_its_file(house: House) -> None:
    code, _, err = house.run("play", NO_CV2="1")
    assert code == 1
    assert "sudo apt-get install -y libgl1 libsm6" in err
    assert house.run("play")[0] == 0


def test_a_raspberry_pi_sees_the_systems_packages(house: House) -> None:
    code, _, err = house.run("play", PI="1", NO_LGPIO="1")
    assert code == 1
    assert "sudo apt-get install -y python3-lgpio" in err
    assert house.run("play", PI="1")[0] == 0
    assert "--system-site-packages" in house.calls("-m venv")[0]


def test_other_machines_do_not(house: House) -> None:
    assert house.run("play", NO_LGPIO="1")[0] == 0
    assert "--system-site-packages" not in house.calls("-m venv")[0]


@pytest.mark.parametrize(
    ("language", "said"), [("de_DE", "Raspberry Pi OS ab Bookworm"), ("C", "Raspberry Pi OS from Bookworm")]
)
def test_too_old_a_python_is_named(house: House, language: str, said: str) -> None:
    for name in ("python3.11", "python3.12", "python3.13", "python3.14"):
        (house.machine / "bin" / name).symlink_to("python3")
    code, _, err = house.run("play", LANG=language, OLD="1")
    assert code == 1
    assert said in err
    assert "Python 3.11 " in err and "Python 3.9.2" in err


def test_a_newer_python_beside_an_old_one_is_taken(house: House) -> None:
    python = house.machine / "bin" / "python3"
    executable(python.with_name("python3.12"), PYTHON)
    executable(python, "#!/bin/sh\nexit 1\n")
    executable(python.with_name("python3.13"), "#!/bin/sh\nexit 127\n")
    assert house.run("play")[0] == 0
    assert (house.folder / ".venv" / "set-up").read_text().splitlines()[1] == str(
        python.with_name("python3.12")
    )


def test_check_runs_everything_with_its_own_extra(house: House) -> None:
    code, out, err = house.run("check", "-k", "dice")
    assert code == 0, err
    assert house.calls("pip install")[0].endswith("the table[test]")
    assert [line.split()[0] for line in out.splitlines()] == ["ruff", "mypy", "pytest"]
    assert out.endswith(f"pytest in {house.folder}: -n auto -k dice\n")
    house.run("play")
    assert house.calls("pip install") == []


def test_check_after_play_adds_its_extra(house: House) -> None:
    house.run("play")
    house.calls("")
    house.run("check")
    assert len(house.calls("pip install")) == 1
    house.run("check")
    assert house.calls("pip install") == []


@pytest.mark.parametrize("tool", ["ruff", "mypy", "pytest"])
def test_check_fails_if_one_fails_and_still_runs_the_others(house: House, tool: str) -> None:
    code, out, _ = house.run(".ci/run", **{f"FAILS_{tool}": "1"})
    assert code == 1
    assert len(out.splitlines()) == 3


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
def test_the_scripts_are_clean() -> None:
    done = subprocess.run(
        ["shellcheck", "-x", *SCRIPTS], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout == ""


@pytest.mark.parametrize("script", ["play", "check", ".ci/run"])
def test_the_scripts_can_be_started(script: str) -> None:
    assert os.access(ROOT / script, os.X_OK)
