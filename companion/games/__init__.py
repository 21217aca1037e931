"""The games, a folder each: `rules.py`, `notation.py`, `book.py`, and `screen.py` for what is seen of it.

Where the computer can play, `computer.py` says how (see `thought.py`); where it can look back, `review.py`.
"""

import importlib
import importlib.util
import pkgutil
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any


def parts(name: str) -> Iterator[ModuleType]:
    """Yield the module of that name of every game that has one."""
    for package in pkgutil.iter_modules(__path__, f"{__name__}."):
        part = f"{package.name}.{name}"
        if package.ispkg and importlib.util.find_spec(part):
            yield importlib.import_module(part)


@cache
def part(game: str, name: str) -> Any:
    """Return the module of that name of a game, by the game's name; None if it has none."""
    module = f"{__name__}.{game.replace('-', '_')}.{name}"
    return importlib.import_module(module) if importlib.util.find_spec(module) else None
