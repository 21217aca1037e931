"""A table for benchmarks in a folder of its own: what the user has taught and begun stays as it is."""

import tempfile
from pathlib import Path

from companion.config import Settings
from companion.dicebox import DiceBox
from companion.language import Texts
from companion.screens.base import Context
from companion.store import Store
from companion.table import Table

FOLDER = tempfile.TemporaryDirectory(prefix="companion-bench-")  # gone when the benchmark ends


def context(language: str) -> Context:
    """What screens share, at a new table."""
    data = Path(tempfile.mkdtemp(dir=FOLDER.name))
    box = DiceBox(data / "dice")
    return Context(Texts(language), Settings(), Table(Store.open(None)), now=100.0, data=data, box=box)
