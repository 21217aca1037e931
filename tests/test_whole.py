"""Files are written whole or not at all: whatever stops that, the one before still stands."""

import errno
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from companion.whole import whole, write
from tests.disks import full, mounted, read_only

STOPPED = """
import os, sys
from pathlib import Path
from companion.whole import whole
with whole(Path(sys.argv[1])) as file:
    file.write(b"half of the new")
    file.flush()
    os.kill(os.getpid(), 9)
"""


def files(folder: Path) -> dict[str, str]:
    """What lies in a folder."""
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_a_file_takes_the_place_of_the_one_before_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "kept.txt"
    for text in ("old", "new"):
        with whole(path) as file:
            file.write(text.encode())
            assert not path.exists() or path.read_text() == "old"
        assert files(path.parent) == {"kept.txt": text}


def test_what_fails_while_it_is_written_leaves_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "kept.txt"
    path.write_text("old")
    with pytest.raises(KeyError), whole(path) as file:
        file.write(b"half of the new")
        raise KeyError
    assert files(tmp_path) == {"kept.txt": "old"}


def test_nothing_else_of_a_user_is_touched(tmp_path: Path) -> None:
    path, long = tmp_path / "mine.svg", tmp_path / ("n" * 251 + ".svg")
    (tmp_path / "mine.svg.new").write_text("mine, too")
    (tmp_path / ".0.new").write_text("and this")
    for each in (path, long):
        write(each, "drawn")
    expected = {"mine.svg": "drawn", "mine.svg.new": "mine, too", ".0.new": "and this", long.name: "drawn"}
    assert files(tmp_path) == expected


def test_a_link_that_leads_nowhere_but_to_itself_gives_way(tmp_path: Path) -> None:
    path = tmp_path / "round.svg"
    path.symlink_to(path)
    write(path, "drawn")
    assert files(tmp_path) == {"round.svg": "drawn"}


def test_an_error_names_the_file_that_was_to_be_written(tmp_path: Path) -> None:
    path = tmp_path / "kept.txt"
    (tmp_path / "kept.txt.new").mkdir()
    with pytest.raises(IsADirectoryError) as opening, whole(path):
        pass
    (tmp_path / "kept.txt.new").rmdir()
    path.mkdir()
    with pytest.raises(IsADirectoryError) as replacing, whole(path):
        pass
    assert [error.value.filename for error in (opening, replacing)] == [str(path)] * 2


def test_a_process_that_is_killed_leaves_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "kept.txt"
    path.write_text("old")
    done = subprocess.run([sys.executable, "-c", STOPPED, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL and path.read_text() == "old"
    with whole(path) as file:
        file.write(b"new")
    assert files(tmp_path) == {"kept.txt": "new"}


@pytest.mark.parametrize("can", [True, False])
def test_it_is_on_the_disk_before_it_has_the_name_and_the_name_is_too_if_the_disk_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, can: bool
) -> None:
    path, done = tmp_path / "kept.txt", []

    def fsync(handle: int) -> None:
        folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        done.append("folder" if folder else "file")
        assert path.exists() == folder
        if folder and not can:
            raise OSError(errno.EINVAL, "no folder can be brought to this disk")

    monkeypatch.setattr(os, "fsync", fsync)
    with whole(path) as file:
        file.write(b"new")
    assert done == ["file", "folder"] and files(tmp_path) == {"kept.txt": "new"}


@pytest.mark.parametrize("fails", [full, read_only])
def test_a_disk_that_takes_nothing_keeps_the_one_before(
    tmp_path: Path, fails: Callable[[Path], AbstractContextManager[None]]
) -> None:
    with mounted(tmp_path / "disk", "1m") as disk:
        (disk / "kept.txt").write_text("old")
        with fails(disk):
            with pytest.raises(OSError), whole(disk / "kept.txt") as file:
                file.write(bytes(20_000))
            assert (disk / "kept.txt").read_text() == "old"
            assert not (disk / "kept.txt.new").exists()


def test_a_pipe_without_a_name_is_written_into() -> None:
    out, into = os.pipe()
    write(Path(f"/dev/fd/{into}"), "all of it")
    os.close(into)
    with os.fdopen(out) as file:
        assert file.read() == "all of it"
