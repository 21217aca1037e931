"""The recipe's prints: any dice in light that was rendered once."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.eye.network import NO_PIPS
from companion.eye.train import prints
from companion.eye.train.artwork import FACE, Style, draw_style, square
from companion.eye.train.prints import WIDE, Field, Lit, cut_outs, exposed, faces, printed

SIDE = 2 * FACE
TOP = 4


def lit(matt: float = 1.0, mirrored: float = 0.0) -> Lit:
    """One die in even light, on black, that shows nothing but one side."""
    high, wide = SIDE + 80, SIDE + 100
    inside = np.s_[40 : 40 + SIDE, 50 : 50 + SIDE]
    which = np.zeros((high, wide), np.uint8)
    which[inside] = 1
    atlas = np.zeros((high, wide, 2), np.float32)
    row, column = divmod(TOP, 3)
    place = (np.arange(SIDE) + 0.5) / SIDE
    atlas[inside][..., 0] = (column + place[None]) / 3
    atlas[inside][..., 1] = 1 - (row + place[:, None]) / 2

    def even(light: float) -> Field:
        return np.full((high, wide, 3), light, np.float32) * (which > 0)[..., None]

    middle = (50 + SIDE / 2 - 0.5, 40 + SIDE / 2 - 0.5)
    return Lit(even(matt), even(mirrored), even(matt), atlas, which, ((TOP, middle, float(SIDE)),))


def plain(seed: int) -> Style:
    style = draw_style(np.random.default_rng(seed))
    return replace(style, engraved=0.0, metallic=0.0)


def face(picture: Field) -> Field:
    """The one side in a picture, as large as in an atlas."""
    return np.asarray(cv2.resize(picture[40:-40, 50:-50], (FACE, FACE), interpolation=cv2.INTER_AREA))


@pytest.mark.parametrize("seed", range(4))
def test_a_die_shows_what_is_printed_on_it_in_the_light_that_falls_on_it(seed: int) -> None:
    style = plain(seed)
    wanted = style.atlas[square(TOP)][..., 2::-1] ** 2.2
    for light in (0.5, 2.0):
        seen = face(printed(lit(light), [style], np.random.default_rng(0)))
        assert np.abs(seen / light - wanted).mean() < 0.01


def test_what_it_mirrors_is_as_bright_on_pips_as_beside_them() -> None:
    style = plain(1)
    random = np.random.default_rng
    more = printed(lit(1.0, 0.4), [style], random(0)) - printed(lit(1.0), [style], random(0))
    assert np.ptp(face(more)) < 1e-5 and 0.2 <= face(more).min() <= 0.6


def test_drilled_pips_mirror_less() -> None:
    style = replace(plain(1), engraved=1.0)
    random = np.random.default_rng
    more = face(printed(lit(1.0, 0.4), [style], random(0)) - printed(lit(1.0), [style], random(0)))
    pips = style.atlas[square(TOP)][..., 3] > 0.9
    assert pips.any() and more[pips].mean() < 0.85 * more[~pips].mean()


def test_around_the_dice_all_stays_as_it_was() -> None:
    field = lit()
    field.whole[:30] = 0.7
    assert (printed(field, [plain(2)], np.random.default_rng(0))[:30] == np.float32(0.7)).all()


def test_each_side_of_each_die_has_a_number_and_what_is_none_has_none() -> None:
    numbers = faces(lit())
    assert set(np.unique(numbers)) == {-1, TOP} and (numbers[40:-40, 50:-50] == TOP).all()


def test_cut_outs_show_the_upper_faces_of_the_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said of them is what lies uppermost: so many pips, or none."""
    monkeypatch.setattr(prints, "STYLES", 1)  # of more than there are dice most would be drawn for nothing
    pictures, kinds = cut_outs(lit(), 6, np.random.default_rng(6))
    assert np.shape(pictures) == (6, WIDE, WIDE, 3) and set(kinds) <= set(range(NO_PIPS + 1))
    assert len(set(kinds)) >= 3
    again = cut_outs(lit(), 2, np.random.default_rng(6))
    assert np.array_equal(pictures[:2], again[0]) and kinds[:2] == again[1]


def test_an_upper_face_that_is_hidden_is_not_cut_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it should be, another side is seen."""
    monkeypatch.setattr(prints, "STYLES", 1)
    ((_, middle, size),) = lit().dice
    hidden = replace(lit(), dice=((TOP - 1, middle, size),))
    assert cut_outs(hidden, 3, np.random.default_rng(0)) == ([], [])


def test_cameras_differ_in_how_bright_a_picture_is() -> None:
    picture = printed(lit(), [plain(3)], np.random.default_rng(0))
    random = np.random.default_rng(1)
    levels = [float(exposed(picture, random).mean()) for _ in range(20)]
    assert max(levels) > 1.5 * min(levels)


def test_what_was_rendered_is_kept(tmp_path: Path) -> None:
    field = lit(0.5, 0.25)
    field.save(tmp_path / "00000.npz")
    kept = Lit.load(tmp_path / "00000.npz")
    assert kept.dice == field.dice
    for name in ("matt", "mirrored", "whole", "atlas", "which"):
        assert (getattr(kept, name) == getattr(field, name)).all()
