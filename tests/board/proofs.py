"""The companion on an emulated board, from a fresh card on: `tests/board/run` (README.md)."""

import hashlib
import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion import __version__
from companion.config import ROOT
from companion.screens.base import Context
from tests.board.board import BUILT, Board, Image, overlay, until
from tests.board.twin import Twin, alike

NAME = "tabletop-companion"
CHECKOUT = "/root/checkout"
PIP = "PIP_NO_INDEX=1 PIP_FIND_LINKS=/opt/wheels"
INSTALL = f"{PIP} COMPANION_LOG= {CHECKOUT}/systemd/install.sh"
LONG_S = 1800.0  # for an installation


@pytest.fixture(scope="session")
def stick() -> Path:
    """This checkout, as somebody brings it to the board."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True).stdout
    stick = BUILT / "stick.tar"
    words = ["tar", "-c", "--null", "-T", "-", "--sort=name", "--mtime=@0", "--owner=0", "--group=0", "-f", stick]
    subprocess.run(words, cwd=ROOT, check=True, input=files)
    return stick
