"""The two files of settings: the user's, and the machine's own, which the settings screen writes."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from companion.config.document import Document, Problem
from companion.config.kinds import Value
from companion.config.settings import KINDS, MEASURED, Settings, comment
from companion.whole import whole

_HEAD = "Written by the companion: what was changed on its screen. Delete this file to go back."


@dataclass(frozen=True, slots=True)
class Found:
    """What both files say, as far as it is right: the user's alone, and both; and the mistakes of each."""

    written: Settings
    settings: Settings
    problems: Sequence[Problem]
    foreign: Sequence[Problem]


def read_settings(user_file: Path, machine_file: Path) -> Found:
    """Read both files, the machine's before the user's. The machine's may be missing, the user's may not.

    What is not understood in the machine's is `foreign`: another version has written it, or it is damaged.
    No person has made these mistakes, so nobody has to correct them.
    """
    user = Document(user_file)
    values = user.values(user.entries(user.root(), KINDS), KINDS)
    own = _Own.read(machine_file)
    return Found(Settings(**values), Settings(**values | own.values), user.problems, own.problems)


def save(machine_file: Path, changes: Mapping[str, Value]) -> None:
    """Add `changes` to the machine's own settings: afterwards all of them are on the disk, or none.

    What is not understood there stays as it is; a file that is no YAML at all is set aside, as `.damaged`.
    Raises OSError if they cannot be written, `ValueError` for a value that its setting does not allow: then
    what stood there still stands.
    """
    own = _Own.read(machine_file)
    values = {**own.values, **changes}
    lines = [f"{key}: {KINDS[key].write(value)}" for key, value in values.items()]
    lines += [text for key, text in own.foreign.items() if key not in values]
    if own.damaged:
        with whole(machine_file.with_name(machine_file.name + ".damaged"), mode=0o600) as aside:
            aside.write(machine_file.read_bytes())
    _replace(machine_file, comment(_HEAD) + "".join(f"{line}\n" for line in lines), values)


def camera_file(data: Path, camera: str) -> Path:
    """The file of what was measured with a camera."""
    return data / "cameras" / f"{hashlib.sha256(camera.encode()).hexdigest()[:16]}.yaml"


def is_measured(data: Path, camera: str) -> bool:
    """Whether a file says what was measured with a camera."""
    return bool(_Own.read(camera_file(data, camera)).values)


def not_understood(file: Path) -> Sequence[Problem]:
    """The mistakes of a file that the companion has written itself."""
    return _Own.read(file).problems


def with_camera(settings: Settings, data: Path, camera: str) -> Settings:
    """The settings with a camera, and with what its file says was measured with it: without such a file what
    the settings themselves say of their own camera, as versions before have kept it.
    """
    values = _Own.read(camera_file(data, camera)).values
    if not values and camera == settings.camera:
        return settings
    kept: dict[str, Any] = {name: values.get(name) for name in MEASURED}
    return replace(settings, camera=camera, **kept)


@dataclass(frozen=True, slots=True)
class _Own:
    """The machine's file: its values, and the entries that are not understood, as they are written."""

    values: dict[str, Any]
    foreign: dict[str, str]
    problems: Sequence[Problem]
    damaged: bool

    @classmethod
    def read(cls, file: Path) -> "_Own":
        document = Document(file, optional=True)
        root = document.root()
        damaged = bool(document.problems) or not isinstance(root, yaml.MappingNode | None)
        values = document.values(document.entries(root, KINDS), KINDS)
        entries = root.value if isinstance(root, yaml.MappingNode) else []
        foreign = {
            name: document.source(key, value)
            for key, value in entries
            if (name := str(key.value)) not in values
        }
        damaged = damaged or not all(_stands_alone(*entry) for entry in foreign.items())
        return cls(values, {} if damaged else foreign, document.problems, damaged)


def _stands_alone(name: str, entry: str) -> bool:
    """Whether an entry means the same without those around it, so that it can be written beside others."""
    try:
        root = yaml.compose(entry, yaml.SafeLoader)
    except yaml.YAMLError:
        return False
    return isinstance(root, yaml.MappingNode) and [str(key.value) for key, _ in root.value] == [name]


def _replace(file: Path, text: str, values: Mapping[str, Value]) -> None:
    """Put `text` in the place of `file`, if it says what it shall say. Nobody else reads it: the address of a
    camera may hold a password.
    """
    with whole(file, mode=0o600) as output:
        output.write(text.encode())
        output.flush()
        if _Own.read(Path(output.name)).values != values:
            raise ValueError(f"not possible: {dict(values)}")
