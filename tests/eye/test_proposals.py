"""What the recipe cuts out of tiles for the second and the third network."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.eye import face
from companion.eye.network import NO_PIPS
from companion.eye.read import COCKED, LONG, NO_DIE
from companion.eye.train.compose import Float
from companion.eye.train.proposals import OF_FACES, OF_OPINION, Wanted, keep, proposals
from tests.eye.lying import LYING, picture

NAME, HALF = "5.jpg", 26  # px: half of what a die measures there
BOTH = pytest.mark.parametrize("wanted", [OF_OPINION, OF_FACES], ids=["second", "third"])


def rows(pieces: list[dict[str, Any]], cocked: bool = False) -> Float:
    """What is known of some pieces, as `compose` has it; of blank ends nothing is asked."""

    def row(piece: dict[str, Any]) -> tuple[float, ...]:
        die, shown = piece["kind"] == "die", piece["face"]
        kind = (shown - 1 if die else LONG + shown - 1) if shown else -1
        return (*piece["center"], *[HALF * (1 if die else 1.5)] * 4, COCKED if die and cocked else kind, 1)

    return np.array([row(piece) for piece in pieces], np.float32).reshape(-1, 8)


def cut(pieces: list[dict[str, Any]], wanted: Wanted, cocked: bool = False) -> Counter[int]:
    """How many of each kind are cut out."""
    random = np.random.default_rng(3)
    cuts = list(proposals(picture(NAME), rows(pieces, cocked), random, wanted))
    assert all(part.shape == (wanted.wide, wanted.wide, 3) for part, _ in cuts)
    return Counter(kind for _, kind in cuts)


@BOTH
def test_each_die_is_cut_out_as_what_it_shows(wanted: Wanted) -> None:
    pieces = LYING[NAME]
    shown = Counter(piece["face"] - 1 for piece in pieces if piece["kind"] == "die")
    assert shown <= cut(pieces, wanted)


@BOTH
def test_what_is_taken_for_a_die_and_is_none_is_cut_out_as_no_die(wanted: Wanted) -> None:
    """Told of some dice that they are none."""
    pieces = LYING[NAME]
    dice = [piece for piece in pieces if piece["kind"] == "die"]
    least = len(dice) - 1
    assert cut([piece for piece in pieces if piece not in dice[1:]], wanted)[len(wanted.kinds) - 1] >= least


def test_the_third_network_is_shown_neither_cuboids_nor_dice_that_lean() -> None:
    assert LONG + 1 in cut(LYING[NAME], OF_OPINION) and COCKED in cut(LYING[NAME], OF_OPINION, cocked=True)
    assert OF_FACES.kinds[-1] == NO_DIE and len(OF_FACES.kinds) == face.NO_DIE + 1
    assert set(cut(LYING[NAME], OF_FACES, cocked=True)) <= {NO_PIPS, face.NO_DIE}


@pytest.mark.parametrize("count", [0, 2])
def test_what_is_cut_out_is_kept_even_if_it_is_nothing(count: int, tmp_path: Path) -> None:
    """All upper faces of a light may be hidden."""
    keep(tmp_path / "0.npz", [picture(NAME)] * count, [3] * count)
    with np.load(tmp_path / "0.npz") as kept:
        assert len(kept["pictures"]) == count and kept["kinds"].tolist() == [3] * count
    assert [path.name for path in tmp_path.iterdir()] == ["0.npz"]
