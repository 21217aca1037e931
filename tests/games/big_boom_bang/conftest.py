"""BIG BOOM! BANG in tests."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

TILES = "shuffle" + " fuse" * 9 + " gift gift boom fuse fuse"


@pytest.fixture
def bang(begin: Callable[..., Any]) -> Callable[..., Any]:
    """Begins a game: tiles 10 and 11 are gifts, 12 is BOOM, the others fuses.

    `hearts` are what the players have left, `active` is the seat whose turn it is.
    """

    def make(
        players: int = 3, tiles: str = TILES, hearts: Sequence[int] = (), active: int = 0, **more: Any
    ) -> Any:
        game = begin("big-boom-bang", players, **more)(tiles)
        (*_, step) = game.match._steps
        now = replace(step.position, hearts=tuple(hearts) or step.position.hearts, active=active)
        game.match._steps[-1] = replace(step, position=now)
        return game

    return make
