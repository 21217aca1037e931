"""A damaged file is set aside, and what could be read of it takes its place.

    NAME.damaged-20261127-093531            the damaged file; its logs lie beside it
    NAME.damaged-20261127-093531.rescued    what takes its place: whole, or it does not have this name
    NAME.damaged-20261127-093531.unsaid     nobody may have been told of it yet

Whatever moment the power is cut in, what is there says what is left to do.
"""

from contextlib import suppress
from pathlib import Path

from companion.whole import whole

RESCUED, UNSAID = ".rescued", ".unsaid"
LOGS = ("-journal", "-wal", "-shm")


def pending(path: Path) -> Path | None:
    """What was rescued and has not taken the place of the damaged file yet: the power was cut before."""
    return next(iter(_left(path, RESCUED)), None)


def keep(path: Path, stamp: str, content: bytes) -> Path:
    """Write what was rescued of a damaged file; it is whole, or not there. Raises OSError."""
    for begun in _left(path, RESCUED + ".new"):
        begun.unlink()
    damaged = path.with_name(f"{path.name}.damaged-{stamp}")
    while any(path.parent.glob(damaged.name + "*")):
        damaged = _beside(damaged, "x")
    new = _beside(damaged, RESCUED)
    with whole(new) as file:
        file.write(content)
    return new


def replace(path: Path, new: Path) -> None:
    """Let what was rescued take the place of the damaged file, and set that aside. Raises OSError."""
    damaged = new.with_suffix("")
    for suffix in (*LOGS, ""):
        part = _beside(path, suffix)
        if part.exists():
            part.rename(_beside(damaged, suffix))
    with whole(_beside(damaged, UNSAID)):  # brings the new names to the disk, too
        pass
    new.rename(path)


def unsaid(path: Path) -> Path | None:
    """The last damaged file of which nobody may have been told yet."""
    return next((mark.with_suffix("") for mark in reversed(_left(path, UNSAID))), None)


def said(path: Path) -> None:
    """Whoever uses the file has been told of it."""
    for mark in _left(path, UNSAID):
        with suppress(OSError):  # then it is said once more
            mark.unlink()


def _left(path: Path, suffix: str) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.damaged-*{suffix}"))


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
