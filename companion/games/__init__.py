"""The games, a folder each: `rules.py`, `notation.py`, `book.py`, and `screen.py` for what is seen of it."""

import importlib
import importlib.util
import pkgutil
from collections.abc import Iterator
from types import ModuleType


def parts(name: str) -> Iterator[ModuleType]:
    """Yield the module of that name of every game that has one."""
    for package in pkgutil.iter_modules(__path__, f"{__name__}."):
        part = f"{package.name}.{name}"
        if package.ispkg and importlib.util.find_spec(part):
            yield importlib.import_module(part)
