"""Kabooom! in tests."""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def kab(begin: Callable[..., Any]) -> Callable[..., Any]:
    """Begins Kabooom!: `kab(3, level="hard")`."""

    def make(players: int = 2, **chosen: Any) -> Any:
        return begin("kabooom", players, **chosen)

    return make
