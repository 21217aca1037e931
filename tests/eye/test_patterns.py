"""How spots become hypotheses of faces."""

import numpy as np

from companion.eye.patterns import find_faces
from companion.eye.pips import Spots


def spots_at(*places: tuple[float, float]) -> Spots:
    """Equal round spots."""
    count = len(places)
    same = np.ones(count)
    return Spots(
        xy=np.array(places, float),
        shape=np.broadcast_to(np.eye(2) * 5, (count, 2, 2)),
        radius=5 * same,
        light=same > 0,
        contrast=100 * same,
        rough=0 * same,
        uneven=0 * same,
        crowded=0 * same,
    )


def test_four_spots_in_a_square_are_four() -> None:
    """... among whatever else they may be, each spot by itself, too."""
    faces = find_faces(spots_at((20, 20), (44, 20), (20, 44), (44, 44)))
    assert 4 in faces.value
    assert np.allclose(faces.centre[faces.value == 4], (32, 32))


def test_spots_that_were_seen_twice_make_no_six() -> None:
    """Two rings of one pip have one middle: two pairs of such rings are no rectangle."""
    faces = find_faces(spots_at((20, 20), (44, 44), (20, 20), (44, 44)))
    assert 6 not in faces.value
    assert np.isfinite(faces.axes).all()
