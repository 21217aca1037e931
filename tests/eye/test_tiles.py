"""Tiles in drawn pictures: found, named, in order. `python -m tests.eye.test_tiles N` measures N of them."""

import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from unittest import mock

import cv2
import numpy as np
import pytest

from companion.eye import beside
from companion.eye.arrange import arrange
from companion.eye.chroma import Palette
from companion.eye.tiles import TILE_COLOURS, Tile, TileColour, see_tiles
from tests.eye.tile_pictures import Drawn, draw

NEAR = 0.4  # of a tile's side: so near to its middle it is found
PALETTE = {"red": (45, 40, 200), "yellow": (40, 205, 240), "green": (84, 158, 70), "blue": (200, 110, 40)}


def which(drawn: Drawn, tile: Tile) -> int | None:
    """Which of the tiles in the picture a tile is."""
    away = np.linalg.norm(drawn.middles - tile.center, axis=1) / drawn.sides
    nearest = int(np.argmin(away))
    return nearest if away[nearest] < NEAR else None


def score(drawn: Drawn, tiles: Sequence[Tile]) -> Counter[str]:
    """How many tiles there are, are told, found, and found with their colour; whether all is exact."""
    found = {number: tile for tile in tiles if (number := which(drawn, tile)) is not None}
    right = sum(tile.colour == drawn.colours[number] for number, tile in found.items())
    exact = right == len(drawn.colours) == len(tiles)
    told = {"tiles": len(drawn.colours), "told": len(tiles), "found": len(found), "right": right}
    surely = sum(
        tile.confidence >= 0.85 and ((n := which(drawn, tile)) is None or tile.colour != drawn.colours[n])
        for tile in tiles
    )
    return Counter({**told, "pictures": 1, "exact": int(exact), "surely wrong": surely})


def plain(
    colours: Sequence[TileColour], side: int = 60, table: tuple[int, int, int] = (150, 160, 165)
) -> np.ndarray:
    """Tiles side by side on a grey table, with small gaps."""
    image = np.full((240, 60 + len(colours) * (side + 8), 3), table, np.uint8)
    for number, colour in enumerate(colours):
        x = 30 + number * (side + 8)
        cv2.rectangle(image, (x, 90), (x + side, 90 + side), PALETTE[colour], -1)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)


def test_a_row_is_read_from_left_to_right() -> None:
    colours: list[TileColour] = ["blue", "red", "red", "yellow", "green", "blue", "yellow"]
    seen = arrange(see_tiles(plain(colours)))
    assert not seen.ring and [tile.colour for tile in seen.tiles] == colours
    assert all(tile.confidence > 0.85 for tile in seen.tiles)
    first = seen.tiles[0]
    assert abs(first.center[0] - 60) < 2 and abs(first.center[1] - 120) < 2
    assert np.ptp(np.array(first.corners), axis=0) == pytest.approx((60, 60), abs=5)


@pytest.mark.parametrize("colour", TILE_COLOURS)
def test_a_single_tile_is_seen(colour: TileColour) -> None:
    (tile,) = see_tiles(plain([colour]))
    assert tile.colour == colour


@pytest.mark.parametrize("gains", [(0.7, 1.0, 1.25), (1.3, 1.0, 0.75), (1.0, 1.2, 1.0)])
def test_a_wrong_white_balance_changes_no_colour(gains: tuple[float, ...]) -> None:
    colours: list[TileColour] = ["blue", "red", "green", "yellow", "green", "red", "yellow", "blue"]
    cast = np.clip(plain(colours).astype(float) * gains, 0, 255).astype(np.uint8)
    assert [tile.colour for tile in arrange(see_tiles(cast)).tiles] == colours


@pytest.mark.parametrize("colour", TILE_COLOURS)
def test_a_tile_in_the_shade_has_the_colour_of_those_that_a_lamp_pales(colour: TileColour) -> None:
    colours: list[TileColour] = ["red", "yellow", "green", "blue", colour, colour, colour]
    image = plain(colours)
    for number, each in enumerate(colours[:-1]):
        if each == colour:
            x = 30 + number * 68
            image[90:151, x : x + 61] = 0.5 * image[90:151, x : x + 61] + 0.5 * 230
    assert [tile.colour for tile in arrange(see_tiles(image)).tiles] == colours


def test_how_strong_a_colour_is_does_not_make_its_hue_another() -> None:
    """Dark tiles, and those under a weak lamp, have the strongest colours."""
    off = np.radians(np.array([36.0, 84.0, 152.0, 242.0]) + 17)
    usual = 0.9 * np.column_stack([np.cos(off), np.sin(off)])
    kinds, sure = Palette().judge(usual)
    strong, still_sure = Palette().judge(1.3 * usual)
    assert strong.tolist() == kinds.tolist() and (still_sure >= 0.8 * sure).all()


def test_two_hues_are_two_colours_only_where_just_one_is_missing() -> None:
    def kinds(*missing: int) -> list[int]:
        others = [each for each in (84.0, 152.0, 242.0) if each not in missing]
        hues = np.radians(np.array([30.0, 31.0, 44.0, 45.0] * 3 + others * 4))
        seen = 0.9 * np.column_stack([np.cos(hues), np.sin(hues)])
        palette = Palette.of(seen, np.ones(len(seen)))
        assert len(np.unique(palette.middles, axis=0)) == 4
        return [int(kind) for kind in palette.judge(seen)[0]]

    assert kinds(84)[:12] == [0, 0, 1, 1] * 3
    assert kinds(84, 242)[:12] == [0] * 12


PURE = {"red": (30, 0, 255), "yellow": (0, 225, 255), "green": (60, 150, 0), "blue": (235, 140, 30)}
LIME = {"red": (70, 70, 255), "yellow": (60, 240, 255), "green": (60, 240, 200), "blue": (255, 195, 100)}


@pytest.mark.parametrize("bodies", [PURE, {**PURE, "red": (0, 60, 255)}, LIME])
def test_pure_colours_and_two_that_are_close_are_told_apart(
    bodies: dict[str, tuple[int, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A camera makes nothing of the channel that a strong colour lacks; a light green is nearly yellow."""
    for name, body in bodies.items():
        monkeypatch.setitem(PALETTE, name, body)
    colours: list[TileColour] = ["red", "yellow", "green", "blue", "red", "green", "yellow", "blue"] * 2
    seen = arrange(see_tiles(plain(colours))).tiles
    assert [tile.colour for tile in seen] == colours


def test_tiles_that_touch_are_told_apart() -> None:
    image = np.full((240, 500, 3), 160, np.uint8)
    for number, colour in enumerate(["red", "red", "blue", "green", "green", "green"]):
        cv2.rectangle(image, (40 + number * 60, 90), (99 + number * 60, 149), PALETTE[colour], -1)
    seen = arrange(see_tiles(image)).tiles
    assert [tile.colour for tile in seen] == ["red", "red", "blue", "green", "green", "green"]


def test_tiles_of_one_colour_that_run_together_in_two_rows_are_seen_and_asked_about() -> None:
    image = np.full((320, 500, 3), 160, np.uint8)
    rows = (["red", "green", "green", "blue", "yellow"], ["yellow", "blue", "green", "red", "blue"])
    for row, colours in enumerate(rows):
        for number, colour in enumerate(colours):
            x, y = 60 + number * 60, 90 + row * 60
            cv2.rectangle(image, (x, y), (x + 59, y + 59), PALETTE[colour], -1)
    seen = arrange(see_tiles(image)).tiles
    assert [tile.colour for tile in seen] == [*rows[0], *rows[1]]
    assert [tile.confidence < 0.85 for tile in seen] == [n in (1, 2, 7) for n in range(10)]


def test_a_tile_amid_four_of_its_colour_is_seen_though_it_ends_nowhere() -> None:
    image = np.full((320, 500, 3), 160, np.uint8)
    rows = ("red blue green yellow red", "yellow green green green blue", "blue red green yellow red")
    for row, colours in enumerate(rows):
        for number, colour in enumerate(colours.split()):
            x, y = 60 + number * 60, 60 + row * 60
            cv2.rectangle(image, (x, y), (x + 59, y + 59), PALETTE[colour], -1)
    assert [tile.colour for tile in arrange(see_tiles(image)).tiles] == " ".join(rows).split()


def test_no_tile_is_made_up_where_a_row_ends_on_a_table_of_its_colour() -> None:
    colours: list[TileColour] = ["red", "green", "blue", "red"]
    seen = see_tiles(plain(colours, table=(72, 150, 78)))
    assert sum(tile.colour == "red" for tile in seen) == 2 and len(seen) <= 4


@pytest.mark.parametrize("table", [(150, 160, 165), (70, 110, 160)])
def test_where_one_is_missing_in_a_row_no_tile_is_made_up(table: tuple[int, int, int]) -> None:
    colours: list[TileColour] = ["blue", "red", "green", "yellow", "red", "blue"]
    image = plain(colours, table=table)
    image[85:156, 229:300] = table
    seen = arrange(see_tiles(image))
    assert [tile.colour for tile in seen.tiles] == [*colours[:3], *colours[4:]]
    assert seen.holes == (0, 0, 0, 1, 0)


def test_a_pen_across_a_row_in_which_one_is_missing_is_no_tile() -> None:
    colours: list[TileColour] = ["blue", "red", "green", "yellow", "red", "blue"]
    image = plain(colours)
    image[85:156, 229:300] = image[0, 0]
    image[:, 251:277] = PALETTE["red"]
    assert [tile.colour for tile in arrange(see_tiles(image)).tiles] == [*colours[:3], *colours[4:]]


def test_a_tile_that_fits_badly_is_not_looked_for_again_in_its_row() -> None:
    drawn = draw(3053)
    numbers = [which(drawn, tile) for tile in see_tiles(drawn.image)]
    assert len(numbers) == len(set(numbers)) >= 28


def test_dark_tiles_do_not_fall_into_pieces_by_noise() -> None:
    """Blue and yellow ones under a warm, weak lamp: people see all of them at once."""
    drawn = draw(2032)
    laid = arrange(see_tiles(drawn.image))
    assert score(drawn, laid.tiles)["found"] >= 28 and len(laid.tiles) <= 31


def test_the_meshes_of_a_cloth_do_not_outvote_the_tiles() -> None:
    cloth = np.full((720, 960, 3), (40, 40, 45), np.uint8)
    for y in range(2, 720, 20):
        for x in range(2, 960, 20):
            cv2.rectangle(cloth, (x, y), (x + 15, y + 15), PALETTE["yellow"], -1)
    cv2.rectangle(cloth, (200, 200), (760, 520), (150, 160, 165), -1)
    colours: list[TileColour] = ["red", "green", "blue", "yellow", "green", "red"]
    for number, colour in enumerate(colours):
        x = 230 + number * 90
        cv2.rectangle(cloth, (x, 330), (x + 59, 389), PALETTE[colour], -1)
    seen = arrange(see_tiles(np.asarray(cv2.GaussianBlur(cloth, (0, 0), 0.8), np.uint8)))
    assert [tile.colour for tile in seen.tiles] == colours


def test_what_ends_nowhere_is_no_tile() -> None:
    """Clouds on a brown table, about as large as the tiles on it, and about as red."""
    drawn = draw(7034)
    seen = arrange(see_tiles(drawn.image)).tiles
    assert len(seen) >= 18 and [which(drawn, tile) for tile in seen].count(None) <= 1


@pytest.mark.parametrize("step", [14, 32])
def test_a_cloth_full_of_coloured_squares_takes_neither_all_memory_nor_all_time(step: int) -> None:
    cloth = np.full((480, 640, 3), (40, 40, 45), np.uint8)
    for row, y in enumerate(range(2, 480, step)):
        for column, x in enumerate(range(2, 640, step)):
            colour = PALETTE[TILE_COLOURS[(row * 3 + column) % 4]]
            cv2.rectangle(cloth, (x, y), (x + step * 3 // 4, y + step * 3 // 4), colour, -1)
    seen = see_tiles(np.asarray(cv2.GaussianBlur(cloth, (0, 0), 0.8), np.uint8))
    assert len(seen) < 30  # no game has hundreds


@pytest.mark.parametrize(("step", "side"), [(56, 40), (36, 26)])
def test_squares_of_a_cloth_that_are_as_large_as_tiles_are_none(step: int, side: int) -> None:
    """234 of them, and 540."""
    cloth = np.full((720, 960, 3), (40, 40, 45), np.uint8)
    for y in range(4, 720, step):
        for x in range(4, 960, step):
            cv2.rectangle(cloth, (x, y), (x + side, y + side), (60, 190, 90), -1)
    cv2.rectangle(cloth, (200, 200), (760, 520), (150, 160, 165), -1)
    colours: list[TileColour] = ["red", "green", "blue", "yellow", "green", "red"]
    for number, colour in enumerate(colours):
        x = 240 + 56 * number
        cv2.rectangle(cloth, (x, 300), (x + side, 300 + side), PALETTE[colour], -1)
    seen = arrange(see_tiles(np.asarray(cv2.GaussianBlur(cloth, (0, 0), 0.8), np.uint8)))
    assert [tile.colour for tile in seen.tiles] == colours


def test_beside_the_squares_of_a_cloth_nothing_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Place after place, round after round: for half a minute the screen stood still."""
    looked = mock.Mock(wraps=beside._seen)
    monkeypatch.setattr(beside, "_seen", looked)
    random = np.random.default_rng(0)
    cloth = np.full((480, 640, 3), (200, 205, 210), np.uint8)
    for y in range(0, 460, 28):
        for x in range(0, 620, 28):
            colour = random.choice(list(PALETTE.values())) + random.integers(-30, 30, 3)
            cv2.rectangle(cloth, (x, y), (x + 20, y + 20), np.clip(colour, 0, 255).tolist(), -1)
    see_tiles(cloth)
    assert looked.call_count == 0


def test_where_there_are_none_none_are_seen() -> None:
    grey = np.full((480, 640, 3), 128, np.uint8)
    assert see_tiles(grey) == ()
    noise = np.random.default_rng(3).integers(0, 255, (480, 640, 3), dtype=np.uint8)
    assert see_tiles(noise) == ()
    assert see_tiles(np.zeros((1, 1, 3), np.uint8)) == ()


@pytest.mark.parametrize("frame", [np.zeros((4, 4), np.uint8), np.zeros((0, 4, 3), np.uint8)])
def test_a_frame_has_three_colours(frame: np.ndarray) -> None:
    with pytest.raises(ValueError, match="shape"):
        see_tiles(frame)
    with pytest.raises(TypeError):
        see_tiles(np.zeros((4, 4, 3)))  # type: ignore[arg-type]


def measured(seeds: range) -> Counter[str]:
    """The sum of all scores, rows and rings apart."""
    total: Counter[str] = Counter()
    for seed in seeds:
        drawn = draw(seed)
        begin = time.process_time()
        tiles = see_tiles(drawn.image)
        laid = arrange(tiles)
        spent = time.process_time() - begin
        for key, count in score(drawn, laid.tiles).items():
            total[key] += count
            total[f"{drawn.kind}: {key}"] += count
        total[f"{drawn.kind}: order"] += ordered(drawn, laid.tiles) and laid.ring == (drawn.kind == "ring")
        total["ms"] += round(spent * 1000)
    return total


def ordered(drawn: Drawn, tiles: Sequence[Tile]) -> bool:
    """Whether all tiles that are there come in their order; in a ring from any of them on."""
    there = [number for tile in tiles if (number := which(drawn, tile)) is not None]
    first = there.index(min(there)) if there and drawn.kind == "ring" else 0
    turned = there[first:] + there[:first]
    return turned == sorted(turned)


def test_drawn_pictures_of_all_kinds_are_read() -> None:
    """Perspective, casts, glare, shadows, noise, printed boards; seeds that nothing was tuned on."""
    total = measured(range(1000, 1012))
    assert total["found"] >= 0.93 * total["tiles"], total
    assert total["found"] >= 0.96 * total["told"], total
    assert total["right"] >= 0.97 * total["found"], total
    assert total["rows: order"] + total["ring: order"] >= 10, total


def square(x: float, y: float) -> Tile:
    corners = tuple((x + dx, y + dy) for dx, dy in ((-10, -10), (10, -10), (10, 10), (-10, 10)))
    return Tile("red", (x, y), corners, 1.0)


def test_rows_are_read_as_a_page_even_if_they_slope() -> None:
    page = [square(100 + 30 * i + 3 * row, 100 + 40 * row + 4 * i) for row in range(3) for i in range(5)]
    mixed = tuple(page[i] for i in np.random.default_rng(1).permutation(len(page)))
    assert list(arrange(mixed).tiles) == page


@pytest.mark.parametrize("lower", [(-8.0, 120.0), (5.0, 120.0), (-300.0, 200.0), (100.0, 90.0), (0.0, 900.0)])
def test_of_two_tiles_the_upper_one_comes_first(lower: tuple[float, float]) -> None:
    first, second = square(400, 100), square(400 + lower[0], 100 + lower[1])
    assert arrange((second, first)).tiles == arrange((first, second)).tiles == (first, second)


@pytest.mark.parametrize("degrees", [-40, -28, 28, 40])
def test_rows_are_read_however_they_slope(degrees: float) -> None:
    turn = np.radians(degrees)
    right, down = np.array([np.cos(turn), np.sin(turn)]) * 26, np.array([-np.sin(turn), np.cos(turn)]) * 26
    page = [square(*(300 + i * right + j * down).tolist()) for j in (0, 1) for i in range(4)]
    assert list(arrange(tuple(reversed(page))).tiles) == page
    for count in (4, 5):
        assert list(arrange(tuple(reversed(page[:count]))).tiles) == page[:count]


@pytest.mark.parametrize("bend", [-1.1, -0.8, 0.8, 1.1])
def test_rows_are_read_along_an_arc(bend: float) -> None:
    angles, reach = np.linspace(-bend / 2, bend / 2, 10), 9 * 26 / bend
    page = [
        square(400 + (reach - 30 * row) * np.sin(a), 300 + reach - (reach - 30 * row) * np.cos(a))
        for row in range(3)
        for a in angles
    ]
    mixed = tuple(page[i] for i in np.random.default_rng(1).permutation(len(page)))
    assert list(arrange(mixed).tiles) == page


def test_straight_rows_in_which_tiles_are_missing_are_read_in_order() -> None:
    for seed in range(20):
        random = np.random.default_rng(seed)
        page = [
            square(*(np.array([100 + 26 * column, 100 + 34 * row]) + random.uniform(-3, 3, 2)))
            for row in range(3)
            for column in range(10)
        ]
        for gone in sorted(random.choice(len(page), 2, replace=False).tolist(), reverse=True):
            del page[gone]
        mixed = tuple(page[i] for i in random.permutation(len(page)))
        assert list(arrange(mixed).tiles) == page


def row_of(*columns: float) -> tuple[Tile, ...]:
    return tuple(square(100 + 26 * column, 100) for column in columns)


def test_what_lies_far_from_a_row_is_told_apart() -> None:
    row, stray = row_of(*range(6)), square(900, 700)
    laid = arrange((stray, *row))
    assert laid.tiles == row and laid.apart == (stray,)


def test_where_tiles_are_missing_in_a_regular_row_there_are_holes() -> None:
    assert arrange(row_of(0, 1, 2, 4, 5, 8, 9, 10)).holes == (0, 0, 0, 1, 0, 2, 0, 0)
    assert not any(arrange(row_of(*range(6), *np.arange(6.6, 12))).holes), "it is half a tile too wide"
    assert not any(arrange(row_of(0, 1, 2, 4, 5, 6.6, 7.6)).holes), "so many are no row with holes"
    assert not any(arrange(row_of(0, 1.4, 2.2, 4.2, 5, 6.3, 7.2)).holes), "they lie anyhow"
    assert not any(arrange(row_of(0, 1, 2, 3, 6.9, 8, 9, 10)).holes), "so much room is left on purpose"
    assert not any(arrange(row_of(0, 2, 4, 6, 7)).holes), "two lie nearer than the others"
    assert arrange(row_of(0)).holes == (0,) and arrange(()).holes == ()


@pytest.mark.parametrize(("seed", "count"), [(2008, 30), (50087, 4)])
def test_two_of_one_colour_that_run_together_within_a_row_are_seen(seed: int, count: int) -> None:
    """Blue beside blue between others, and green beside green at the end of a short row."""
    drawn = draw(seed, "rows", count=count)
    assert [tile.colour for tile in arrange(see_tiles(drawn.image)).tiles] == list(drawn.colours)


@pytest.mark.parametrize("side", [20, 30, 60])
def test_a_tile_with_a_pale_print_in_its_middle_is_one(side: int) -> None:
    colours: list[TileColour] = ["red", "yellow", "green", "blue", "red", "green", "yellow", "blue"]
    image = np.full((240, 60 + 8 * (side + 8), 3), (150, 160, 165), np.uint8)
    for number, colour in enumerate(colours):
        x, half = 30 + number * (side + 8), round(side * 0.4**0.5 / 2)
        cv2.rectangle(image, (x, 90), (x + side, 90 + side), PALETTE[colour], -1)
        middle = np.array([x + side // 2, 90 + side // 2])
        cv2.rectangle(image, (middle - half).tolist(), (middle + half).tolist(), (235, 240, 240), -1)
    seen = arrange(see_tiles(np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8))).tiles
    assert [tile.colour for tile in seen] == colours


def test_of_two_tiles_side_by_side_the_left_one_comes_first() -> None:
    left, right = square(100, 140), square(220, 100)
    assert arrange((right, left)).tiles == (left, right)


def test_a_ring_is_followed_clockwise() -> None:
    """Whatever its shape: here it bends inwards. Tiles far away, or beside the way, do not belong to it."""
    a = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    reach = 180 + 30 * np.cos(3 * a)
    ring = [square(300 + r * np.cos(b), 300 + r * np.sin(b)) for r, b in zip(reach, a, strict=True)]
    strays = replace(square(800, 300), colour="blue"), replace(square(410, 330), colour="green")
    laid = arrange((*strays, *ring[5:], *ring[:5]))
    assert laid.ring and laid.apart == strays
    begin = ring.index(laid.tiles[0])
    assert list(laid.tiles) == ring[begin:] + ring[:begin]
    assert all(0.7 < gap < 1.5 for gap in laid.gaps)


@pytest.mark.parametrize(("opening", "turned"), [(60, 0), (60, 70), (22, 0)])
def test_a_ring_that_doubles_back_is_followed_too(opening: int, turned: int) -> None:
    """A horseshoe: most of its tiles lie behind others as one sees them from its middle."""
    angles, ends = np.linspace(opening, 360 - opening, 49 - opening // 5) + turned, (175, 150, 125)
    way = [(200, a) for a in angles] + [(r, 360 - opening + turned) for r in ends]
    way += [(100, a) for a in angles[::-2]] + [(r, opening + turned) for r in ends[::-1]]
    ring = [square(300 + r * np.cos(np.radians(a)), 300 + r * np.sin(np.radians(a))) for r, a in way]
    laid = arrange(tuple(ring[i] for i in np.random.default_rng(1).permutation(len(ring))))
    begin = ring.index(laid.tiles[0])
    assert laid.ring and list(laid.tiles) == ring[begin:] + ring[:begin]


def test_faint_tiles_fill_the_gaps_of_a_ring_and_count_nowhere_else() -> None:
    a = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = [square(300 + 180 * np.cos(b), 300 + 180 * np.sin(b)) for b in a]
    faint = {number: replace(ring[number], faint=True) for number in (3, 4, 12)}
    away = replace(square(300, 300), faint=True), replace(square(300 + 180, 325), faint=True)
    clear = [tile for number, tile in enumerate(ring) if number not in faint]
    laid = arrange((*clear, *away, *faint.values()))
    begin = ring.index(laid.tiles[0])
    there = [faint.get(number, tile) for number, tile in enumerate(ring)]
    assert laid.ring and list(laid.tiles) == there[begin:] + there[:begin]
    assert laid.gaps == pytest.approx([1] * 24, abs=0.05) and laid.apart == ()
    row = tuple(square(100 + 30 * i, 100) for i in range(6))
    assert arrange((*row[:3], replace(row[3], faint=True), *row[4:])).tiles == (*row[:3], *row[4:])


def test_a_tile_on_a_disc_of_its_colour_is_seen_and_asked_about() -> None:
    """A red one on the ladybug's red disc: people see its edges, though hardly any change of colour."""
    colours: list[TileColour] = ["red", "yellow", "green", "blue"] * 5
    image = np.full((600, 600, 3), (150, 160, 165), np.uint8)
    for number, angle in enumerate(np.linspace(0, 2 * np.pi, 20, endpoint=False)):
        x, y = round(300 + 230 * np.cos(angle)), round(300 + 230 * np.sin(angle))
        if number == 8:
            cv2.circle(image, (x, y), 36, (49, 44, 218), -1)
        cv2.rectangle(image, (x - 21, y - 21), (x + 21, y + 21), PALETTE[colours[number]], -1)
    laid = arrange(see_tiles(np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)))
    assert laid.ring and len(laid.tiles) == 20 and laid.apart == ()
    assert [tile.colour for tile in laid.tiles if tile.confidence < 0.85] == ["red"]


@pytest.mark.parametrize("count", range(4))
def test_few_tiles_are_a_row(count: int) -> None:
    row = tuple(square(100 + 30 * i, 100) for i in range(count))
    assert arrange(row[::-1]).tiles == row


if __name__ == "__main__":
    cv2.setNumThreads(1)
    sums = measured(range(8000, 8000 + int(sys.argv[1])))
    for key in sorted(sums):
        print(f"{key}: {sums[key]}")
    print(f"ms each: {sums['ms'] / sums['pictures']:.0f}")
