"""Where things lie: the program's own files, the user's configuration, the machine's data."""

import os
from pathlib import Path

from platformdirs import user_data_path

ROOT = Path(__file__).resolve().parent.parent.parent
"""The folder of the repository."""
ASSETS = ROOT / "assets"
CONFIG = ROOT / "config"
STORE = "companion.db"
"""What has happened at the table, in the folder of the machine's data."""


def config_dir() -> Path:
    """Return the folder of the user's configuration: COMPANION_CONFIG, else systemd's, else `config/`."""
    return _named("COMPANION_CONFIG", "CONFIGURATION_DIRECTORY") or CONFIG


def data_dir() -> Path:
    """Return the folder for what the program writes: COMPANION_DATA, else systemd's, else the user's."""
    return _named("COMPANION_DATA", "STATE_DIRECTORY") or user_data_path("tabletop-companion")


def _named(ours: str, systemd: str) -> Path | None:
    """Return the folder that the environment names; systemd may give several, the first is the main one."""
    name = os.environ.get(ours) or os.environ.get(systemd, "").partition(":")[0]
    # The home of nobody is only a name, as for a shell; Path.expanduser would raise an error.
    return Path(os.path.expanduser(name)).absolute() if name else None  # noqa: PTH111
