"""Where things lie: the program's own files, the user's configuration, the machine's data."""

import os
from contextlib import suppress
from pathlib import Path

from platformdirs import user_data_path

from companion.language import Message, ToldError

ROOT = Path(__file__).resolve().parent.parent.parent
"""The folder of the repository."""
ASSETS = ROOT / "assets"
CONFIG = ROOT / "config"


def program() -> str:
    """Return what people type to call the program: `./play`, if that has started it, else `companion`."""
    return os.environ.get("COMPANION_PROGRAM") or "companion"


def config_dir() -> Path:
    """Return the folder of the user's configuration: COMPANION_CONFIG, else systemd's, else `config/`."""
    return _named("COMPANION_CONFIG", "CONFIGURATION_DIRECTORY") or CONFIG


def data_dir() -> Path:
    """Return the folder for what the program writes: COMPANION_DATA, else systemd's, else the user's.

    Raises `ToldError` for a user without a home.
    """
    folder = _named("COMPANION_DATA", "STATE_DIRECTORY")
    if folder is None:
        with suppress(RuntimeError):  # newer platformdirs raise it, older ones leave the name of the home
            folder = user_data_path("tabletop-companion")
    if folder is None or not folder.is_absolute():
        raise ToldError(
            Message("this user has no home: say in COMPANION_DATA which folder what is played is kept in")
        )
    return folder


def store_file(folder: Path) -> Path:
    """Return the file with what has happened at the table, in the folder of the machine's data. A link to it
    is followed: its logs lie beside the file, and not beside the link.
    """
    return Path(os.path.realpath(folder / "companion.db"))  # .resolve raises where links go round


def _named(ours: str, systemd: str) -> Path | None:
    """Return the folder that the environment names; systemd may give several, the first is the main one."""
    name = os.environ.get(ours) or os.environ.get(systemd, "").partition(":")[0]
    # The home of nobody is only a name, as for a shell; Path.expanduser would raise an error.
    return Path(os.path.expanduser(name)).absolute() if name else None  # noqa: PTH111
