"""The printed sheet: true to scale, and its markers are found however the camera looks at it."""

import re
from itertools import permutations
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from companion.language import Texts
from companion.tray.markers import markers, tray_of
from companion.tray.region import Part
from companion.tray.sheet import MODULES, PAPER, WRONG, Sheet, SheetError, dictionary
from tests.tray.scene import MM, QUAD, Quad, seen, tray

QUADS: list[Quad] = [
    QUAD,
    ((20, 60), (620, 70), (600, 470), (10, 460)),
    ((150, 40), (590, 120), (540, 440), (60, 380)),  # turned, and from the side
]


@pytest.mark.parametrize("quad", QUADS)
@pytest.mark.parametrize("sheet", [Sheet(), Sheet(200, 200), Sheet(280, 120)], ids=str)
def test_its_corners_are_found_within_three_pixels(quad: Quad, sheet: Sheet) -> None:
    frame = seen(quad, sheet)
    found = tray_of(frame)
    assert found
    assert np.abs(found.pixels(frame) - np.array(quad)).max() < 3


def test_it_may_lie_upside_down() -> None:
    turned = (*QUAD[2:], *QUAD[:2])
    frame = seen(turned)
    found = tray_of(frame)
    assert found and np.abs(found.pixels(frame) - np.array(QUAD)).max() < 3


def test_four_markers_are_needed() -> None:
    frame = seen()
    frame[:140, :160] = 50  # a hand lies on one
    assert sorted(markers(frame)) == [1, 2, 3]
    assert tray_of(frame) is None
    assert tray_of(seen(plain=True)) is None


def test_they_are_found_where_a_picture_is_soft() -> None:
    """Else each is in doubt, and every throw is asked about."""
    found = tray_of(np.asarray(cv2.GaussianBlur(seen(), (0, 0), 1.8), np.uint8))
    assert found and np.abs(found.pixels(seen()) - np.array(QUAD)).max() < 5


def test_bits_that_are_read_wrongly_make_no_marker_another() -> None:
    for one, other in permutations(range(4), 2):
        bits = cv2.aruco.generateImageMarker(dictionary(), one, MODULES)[1:-1, 1:-1] // 255
        assert dictionary().getDistanceToId(bits, other) > 2 * WRONG


@pytest.mark.parametrize("light", [0.3, 0.1, 0.06])
def test_they_are_found_in_as_little_light_as_dice_are(light: float) -> None:
    """Else they may be taken for dice when the lamp is switched off."""
    noise = np.random.default_rng(1).normal(0, 1, seen().shape)
    frame = np.clip(seen() * light + noise, 0, 255).astype(np.uint8)
    assert len(markers(frame)) == 4


def test_the_svg_has_the_paper_the_line_and_the_markers_in_millimetres() -> None:
    sheet = Sheet(200, 150)
    root = ElementTree.fromstring(sheet.svg(Texts("de")))
    assert (root.get("width"), root.get("height")) == ("297mm", "210mm")
    assert root.get("viewBox") == "0 0 297 210"
    boxes = [
        tuple(float(e.get(k, "nan")) for k in ("x", "y", "width", "height"))
        for e in root.iter()
        if e.get("x")
    ]
    left, top = (PAPER[0] - 200) / 2, (PAPER[1] - 150) / 2
    assert (left, top, 200, 150) in boxes
    for x, y, w, h in sheet.markers():
        assert (left + x, top + y, w, h) in boxes
    bits = [(round(left + x, 3), round(top + y, 3), w, h) for x, y, w, h in sheet.bits()]
    assert bits and set(bits) <= set(boxes)


def test_the_page_as_it_is_printed_has_the_tray_at_its_cutting_line() -> None:
    page = np.full((round(PAPER[1] * MM), round(PAPER[0] * MM), 3), 255, np.uint8)
    for each in ElementTree.fromstring(Sheet().svg(Texts("en"))).iter():
        if each.get("x") and each.get("fill", "").startswith("#") and each.tag.endswith("rect"):
            x, y, w, h = (float(each.get(k, "nan")) * MM for k in ("x", "y", "width", "height"))
            grey = 0 if each.get("fill") == "#000" else 255
            cv2.rectangle(page, (round(x), round(y)), (round(x + w) - 1, round(y + h) - 1), (grey,) * 3, -1)
    found = tray_of(page)
    assert found
    left, top = (PAPER[0] - 230) / 2, (PAPER[1] - 160) / 2
    ends = [(left, top), (left + 230, top), (left + 230, top + 160), (left, top + 160)]
    assert np.abs(found.pixels(page) / MM - np.array(ends)).max() < 0.5  # mm


def test_the_middle_is_left_plain() -> None:
    sheet = Sheet()
    for x, y, w, h in sheet.markers():
        assert x + w < 20 or x > sheet.wide - 20
        assert y + h < 20 or y > sheet.high - 20


@pytest.mark.parametrize("size", [(300, 160), (230, 205), (50, 160), (230, 59)])
def test_what_does_not_fit_is_refused(size: tuple[float, float]) -> None:
    with pytest.raises(SheetError, match=re.escape(f"{size[0]:g}x{size[1]:g}")):
        Sheet(*size)


def test_a_printed_marker_is_no_die() -> None:
    from companion.eye.read import look
    from companion.tray.markers import without_markers

    frame = seen()
    part = Part(frame, tray())
    sight = look(part.image)
    assert sight.found  # the eye takes some of them for something
    kept = without_markers(part.image, sight)
    shapes = markers(part.image).values()
    assert len(shapes) == 4
    for each in kept.found:
        assert all(np.linalg.norm(shape.mean(axis=0) - each.centre) > 20 for shape in shapes)
    assert kept.dice == ()
