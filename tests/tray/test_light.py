"""The light on the tray: what is wrong is named, and where."""

import cv2
import numpy as np
import pytest

from companion.tray.light import PICTURES, Flaw, Kind, LightMeter, blur, flaws_of
from companion.tray.region import WHOLE, Tray
from tests.tray.scene import Image, glaring, seen, shaded, tray


def kinds(frame: Image) -> set[Kind]:
    return {flaw.kind for flaw in flaws_of(frame, tray())}


def middle(flaw: Flaw) -> tuple[float, float]:
    x, y = np.mean(flaw.places[0], axis=0)
    return float(x) * 640, float(y) * 480


@pytest.mark.parametrize("plain", [True, False])
def test_good_light_has_no_flaw(plain: bool) -> None:
    assert kinds(seen(plain=plain)) == set()


def test_dark_bright_and_blurred() -> None:
    frame = seen()
    assert kinds((frame * 0.2).astype(np.uint8)) == {Kind.DARK}
    assert Kind.BRIGHT in kinds(np.clip(frame * 1.8, 0, 255).astype(np.uint8))
    assert kinds(cv2.GaussianBlur(frame, (0, 0), 4).astype(np.uint8)) == {Kind.BLUR}


@pytest.mark.parametrize("where", [None, tray()], ids=["anywhere", "in a tray"])
def test_a_picture_that_is_much_too_flat_is_not_blurred(where: Tray | None) -> None:
    assert Kind.BLUR not in {flaw.kind for flaw in flaws_of(np.full((2, 3000, 3), 120, np.uint8), where)}


def test_a_picture_that_stands_upright_is_as_sharp_as_one_that_lies() -> None:
    frame = np.asarray(cv2.resize(seen(), (1600, 1200), interpolation=cv2.INTER_CUBIC), np.uint8)
    soft = np.asarray(cv2.GaussianBlur(frame, (0, 0), 5.5), np.uint8)
    lying, upright = blur(soft, None), blur(np.ascontiguousarray(np.rot90(soft)), None)
    assert lying is not None and upright == pytest.approx(lying, rel=0.02)


def test_what_is_sharp_beside_the_tray_does_not_matter() -> None:
    frame, inside = seen(), np.zeros((480, 640), np.uint8)
    cv2.fillConvexPoly(inside, np.asarray(tray().pixels(frame), np.int32), 1)
    inside = np.asarray(cv2.dilate(inside, np.ones((31, 31), np.uint8)), np.uint8)
    checked = (np.indices(inside.shape) // 40).sum(axis=0) % 2 * 160 + 40
    blurred = cv2.GaussianBlur(frame, (0, 0), 6)
    assert kinds(np.where(inside[..., None] > 0, blurred, checked[..., None]).astype(np.uint8)) == {Kind.BLUR}


@pytest.mark.parametrize("at", [(200, 200), (420, 330)])
def test_glare_is_found_where_it_is(at: tuple[int, int]) -> None:
    (flaw,) = flaws_of(glaring(seen(), at), tray())
    assert flaw.kind is Kind.GLARE
    assert np.hypot(middle(flaw)[0] - at[0], middle(flaw)[1] - at[1]) < 12


def test_glare_beside_the_tray_does_not_matter() -> None:
    assert kinds(glaring(seen(), (20, 20))) == set()


def test_a_shadow_is_found_on_its_side() -> None:
    (flaw,) = flaws_of(shaded(seen()), tray())
    assert flaw.kind is Kind.SHADOW
    assert all(x * 640 < 300 for place in flaw.places for x, _ in place)


def meter(brightness: list[float]) -> set[Kind]:
    watched = LightMeter()
    found: tuple[Flaw, ...] = ()
    for number, factor in enumerate(brightness):
        frame = seen(noise=number)[140:340, 160:480]
        found = watched.see((frame * factor).astype(np.uint8), WHOLE)
    return {flaw.kind for flaw in found}


def test_a_lamp_that_flickers_is_told_from_one_that_is_switched_on_once() -> None:
    assert meter([1.0, 0.95] * PICTURES) == {Kind.FLICKER}
    assert meter([1.0] * PICTURES) == set()
    assert meter([0.7] * PICTURES + [1.0] * (PICTURES // 2)) == set()


def test_while_something_moves_flicker_is_not_judged() -> None:
    watched = LightMeter()
    for number in range(PICTURES):
        frame = (seen()[140:340, 160:480] * (1.0 if number % 2 else 0.9)).astype(np.uint8)
        assert watched.see(frame, WHOLE, still=False) == ()
