"""The games, a folder each: `rules.py`, `notation.py`, `book.py`, and `screen.py` for what is seen of it.

Where the computer can play, `computer.py` says how (see `thought.py`); where it can look back, `review.py`;
where it can tell the odds, `odds.py`.
"""

import importlib
import importlib.util
import pkgutil
from functools import cache
from types import ModuleType
from typing import Any


@cache
def parts(name: str) -> tuple[ModuleType, ...]:
    """Return the module of that name of every game that has one."""
    packages = [each.name for each in pkgutil.iter_modules(__path__, f"{__name__}.") if each.ispkg]
    found = [f"{package}.{name}" for package in packages]
    return tuple(importlib.import_module(part) for part in found if importlib.util.find_spec(part))


@cache
def part(game: str, name: str) -> Any:
    """Return the module of that name of a game, by the game's name; None if it has none."""
    module = f"{__name__}.{game.replace('-', '_')}.{name}"
    return importlib.import_module(module) if importlib.util.find_spec(module) else None
