"""The two files of settings: the user's, and the machine's own, which the settings screen writes."""

import errno
import os
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from companion.config.document import ConfigError, Document, Problem
from companion.config.kinds import Value
from companion.config.settings import KINDS, Settings, comment
from companion.language import Message

_HEAD = "Written by the companion: what was changed on its screen. Delete this file to go back."


def load(user_file: Path, machine_file: Path) -> Settings:
    """Return the settings of both files, the machine's before the user's.

    The machine's file may be missing, the user's may not. Raises `ConfigError` with every mistake.
    """
    _, settings, problems = read_settings(user_file, machine_file)
    if problems:
        raise ConfigError(problems)
    return settings


def read_settings(user_file: Path, machine_file: Path) -> tuple[Settings, Settings, list[Problem]]:
    """Return the settings of the user's file, those of both as far as they are right, and all mistakes."""
    user = Document(user_file)
    values = _values(user)
    machine_values, problems = _machine(machine_file)
    return Settings(**values), Settings(**values | machine_values), user.problems + problems


class SaveKind(Enum):
    """Why the settings could not be written."""

    READ_ONLY = "read-only"
    FULL = "full"
    FAILED = "failed"


class SaveError(Exception):
    """The settings could not be written to `file`; what stood there still stands."""

    def __init__(self, kind: SaveKind, file: Path, reason: str) -> None:
        super().__init__(f"{file}: {reason}")
        self.kind, self.file, self.reason = kind, file, reason


_SAVE_KINDS = {
    errno.EROFS: SaveKind.READ_ONLY,
    errno.EACCES: SaveKind.READ_ONLY,
    errno.EPERM: SaveKind.READ_ONLY,
    errno.ENOSPC: SaveKind.FULL,
    errno.EDQUOT: SaveKind.FULL,
}


def save(machine_file: Path, changes: Mapping[str, Value]) -> None:
    """Add `changes` to the machine's own settings: afterwards all of them are on the disk, or none.

    Raises `SaveError` if they cannot be written, `ConfigError` if the file that is there has
    mistakes, `ValueError` for a value that its setting does not allow.
    """
    before, problems = _machine(machine_file)
    if problems:
        raise ConfigError(problems)
    values = {**before, **changes}
    lines = (f"{key}: {KINDS[key].write(value)}\n" for key, value in values.items())
    text = comment(_HEAD) + "".join(lines)
    try:
        _replace(machine_file, text, values)
    except OSError as error:
        kind = _SAVE_KINDS.get(error.errno or 0, SaveKind.FAILED)
        raise SaveError(kind, machine_file, error.strerror or str(error)) from error


def _values(document: Document) -> dict[str, Any]:
    return document.values(document.entries(document.root(), KINDS), KINDS)


def _machine(file: Path) -> tuple[dict[str, Any], list[Problem]]:
    document = Document(file, optional=True)
    values = _values(document)
    return values, [_with_way_out(problem) for problem in document.problems]


def _with_way_out(problem: Problem) -> Problem:
    text = Message(
        "{what}. The companion wrote this file itself: delete it to go back to companion.yaml",
        {"what": problem.message},
    )
    return Problem(problem.file, problem.line, text)


def _replace(file: Path, text: str, values: Mapping[str, Value]) -> None:
    """Put `text` in the place of `file` so that a power cut leaves the old or the new one whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(file.name + ".new")
    try:
        with new.open("w", encoding="utf-8") as output:
            output.write(text)
            output.flush()
            os.fsync(output.fileno())
        if _values(Document(new)) != values:
            raise ValueError(f"not possible: {dict(values)}")
        new.replace(file)
    except (OSError, ValueError):
        new.unlink(missing_ok=True)
        raise
    _sync_folder(file.parent)


def _sync_folder(folder: Path) -> None:
    """Bring a folder's new names to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
