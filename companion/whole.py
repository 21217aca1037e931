"""Files that are on the disk whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole(path: Path, new: Path | None = None, mode: int = 0o666) -> Iterator[BinaryIO]:
    """A file to be written, which takes the place of `path` when the block is left; its folder is made. Until
    then it is called `new`, usually as `path` with `.new` behind it. `mode` says who may read and write it at
    most.

    Whatever happens, a power cut too, the old or the new one is there, if one at a time writes it. Raises
    OSError, which names `path`, and what the block raises: then the old one is.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    new = new or path.with_name(path.name + ".new")
    try:
        with open(new, "wb", opener=partial(os.open, mode=mode)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException as error:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename in (new, str(new)):
            error.filename = str(path)
        raise
    with suppress(OSError):  # not every disk can: there the new one is safe a little later
        _sync(path.parent)


def write(path: Path, text: str) -> None:
    """Write a file that somebody has named, whole or not at all, as above; a pipe or a device is written
    into.
    """
    if path.exists() and not path.is_file():  # not resolved: there is no path to a pipe without a name
        path.write_text(text, encoding="utf-8")
        return
    with named(path) as file:
        file.write(text.encode())


def named(path: Path) -> AbstractContextManager[BinaryIO]:
    """As `whole`, for a file that somebody has named: it may be a link; nothing else of theirs is touched."""
    real = Path(os.path.realpath(path))  # Path.resolve raises an error where links go round
    free = (real.with_name(f".{number}.new") for number in count())
    return whole(real, next(each for each in free if not each.exists()))


def _sync(folder: Path) -> None:
    """Bring a folder's new names to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
