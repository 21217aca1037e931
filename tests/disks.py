"""Disks that are small, full, or read-only: real ones, if root may mount them, and one that only says so."""

import errno
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[Path]:
    """A disk of its own in a new folder; without the right to mount it the test is skipped."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("only root may mount a disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def full(disk: Path) -> Iterator[None]:
    """Nothing more fits on the disk meanwhile."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (65536, 512, 1):
            with pytest.raises(OSError, match="space"):
                while True:
                    file.write(bytes(size))
    yield
    ballast.unlink()


@contextmanager
def read_only(disk: Path) -> Iterator[None]:
    """The disk takes nothing meanwhile."""
    remount(disk, "ro")
    yield
    remount(disk, "rw")


def remount(disk: Path, how: str) -> None:
    """Mount it otherwise."""
    subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], check=True)


@contextmanager
def without_privileges() -> Iterator[None]:
    """Let root be nobody for a while: nothing is read-only to root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No disk brings anything to its place meanwhile: it says that it is full."""

    def nothing_left(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", nothing_left)
        yield
