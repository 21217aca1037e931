"""What the camera has seen on the trail: which space is which, and how people correct it."""

import math
from collections.abc import Sequence

import pytest

from companion.eye.arrange import arrange
from companion.eye.tiles import Tile
from companion.games.bau_boom import sight as sights
from companion.games.bau_boom.hill import COLOURS, Colour
from companion.games.bau_boom.position import TRAIL, Kind, trail
from companion.games.bau_boom.sight import Sight, along, read

FREE = [space for space, kind in enumerate(TRAIL) if kind in ("normal", "ladybug")]
LAID: list[Colour] = [COLOURS[(n * n + n // 3) % 4] for n in range(len(FREE))]


def tile(colour: Colour, x: float, y: float, confidence: float = 0.99) -> Tile:
    corners = tuple((x + dx, y + dy) for dx, dy in ((-10, -10), (10, -10), (10, 10), (-10, 10)))
    return Tile(colour, (x, y), corners, confidence)


def board(
    start: float, direction: int = 1, missing: tuple[int, ...] = (), spaces: int = 33
) -> tuple[Tile, ...]:
    """A set-up board from above: the trail is a circle that begins at an angle, in degrees."""
    found = []
    for space, colour in zip(FREE, LAID, strict=True):
        angle = math.radians(start) + direction * 2 * math.pi * space / spaces
        if space not in missing:
            found.append(tile(colour, 500 + 150 * math.cos(angle), 300 + 140 * math.sin(angle)))
    return tuple(sorted(found, key=lambda each: each.center))


def seen(
    tiles: tuple[Tile, ...], kinds: Sequence[Kind], spaces: Sequence[int], entered: tuple[Colour, ...]
) -> Sight | None:
    """What tiles that lie anyhow mean for a trail."""
    return sights.seen(arrange(tiles), kinds, spaces, entered)


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("start", range(0, 360, 40))
def test_the_gaps_say_where_the_start_is_and_which_way_the_trail_goes(start: int, direction: int) -> None:
    """BAU-R3, BAU-R4, A-BAU1"""
    sight = seen(board(start, direction), TRAIL, FREE, ())
    assert sight is not None and sight.kind == "ring" and list(sight.words) == LAID


@pytest.mark.parametrize("missing", [(5,), (1,), (32,), (12, 13), (2, 17, 30)])
def test_where_a_tile_was_not_seen_its_space_is_left_open(missing: tuple[int, ...]) -> None:
    sight = seen(board(70, missing=missing), TRAIL, FREE, ())
    assert sight is not None
    expected = ["-" if space in missing else colour for space, colour in zip(FREE, LAID, strict=True)]
    assert list(sight.words) == expected and not sight.complete


def test_spaces_to_be_filled_again_are_read_from_the_whole_board() -> None:
    """BAU-R36"""
    sight = seen(board(200), TRAIL, [3, 4, 20], ("red",))
    assert sight is not None
    assert sight.colours == tuple(LAID[FREE.index(space)] for space in (3, 4, 20))


@pytest.mark.parametrize("away", [0, 90, 210])
def test_what_lies_beside_the_trail_takes_no_place_on_it(away: int) -> None:
    """A die, a coin: however much it looks like a tile."""
    sight = seen((tile("red", 500 + away, 300, 1.0), *board(10)), TRAIL, FREE, ())
    assert sight is not None and sight.kind == "ring" and list(sight.words) == LAID


@pytest.mark.parametrize(
    ("missing", "beside"),
    [((1, 3, 16), ((580, 301), (435, 316), (413, 351))), ((11, 16, 32), ((576, 310),))],
)
def test_what_lies_near_the_trail_where_tiles_are_missing_takes_no_place_on_it_either(
    missing: tuple[int, ...], beside: tuple[tuple[float, float], ...]
) -> None:
    strays = tuple(tile("red", x, y, 1.0) for x, y in beside)
    sight = seen((*strays, *board(10, missing=missing)), TRAIL, FREE, ())
    assert sight is not None and sight.kind == "ring"
    assert [space for space, word in zip(FREE, sight.words, strict=True) if word == "-"] == list(missing)


def test_rows_come_behind_what_was_entered() -> None:
    tiles = tuple(tile(colour, 100 + 30 * n, 100) for n, colour in enumerate(LAID[:6]))
    sight = seen(tiles[::-1], TRAIL, FREE, ("red", "blue"))
    assert sight == Sight("rows", tuple(LAID[:6]), ("red", "blue"))


def test_a_hole_in_a_row_is_asked_if_there_is_room_for_a_tile() -> None:
    row = tuple(tile("red", 100 + 22 * column, 100) for column in (0, 1, 2, 4, 5))
    sight = seen(row, TRAIL, FREE, ())
    assert sight is not None and sight.words == ("red", "red", "red", "-", "red", "red")
    assert not sight.complete and sight.closed(3).words == ("red",) * 5
    full = seen(row, TRAIL, FREE[:5], ())
    assert full is not None and full.words == ("red",) * 5


def test_of_too_many_tiles_the_surest_count() -> None:
    tiles = (tile("red", 100, 100), tile("blue", 130, 100), tile("green", 160, 100, 0.3))
    sight = seen(tiles, TRAIL, FREE[:2], ())
    assert sight is not None and sight.words == ("red", "blue")


def test_a_tile_that_is_not_sure_is_in_doubt() -> None:
    sight = seen((tile("red", 100, 100), tile("blue", 130, 100, 0.5)), TRAIL, FREE, ())
    assert sight is not None and sight.words == ("red", "blue?") and sight.doubts == (1,)
    assert sight.painted(1, "blue").doubts == ()


def test_nothing_seen_is_nothing() -> None:
    assert seen((), TRAIL, FREE, ()) is None


def test_a_short_trail_is_walked_too() -> None:
    kinds = trail(7, (), (2, 5))
    assert along([1, 2, 2, 2], kinds) in ([1, 3, 4, 6], [3, 4, 6, 1])
    assert along([2, 1, 2, 2], kinds) == [1, 3, 4, 6]


RING = Sight("ring", ("red", "blue?", "-", "green"), ())


def test_a_sight_is_a_draft_and_back() -> None:
    for sight in (RING, Sight("rows", (), ("red",)), Sight("rows", ("blue",), ("red", "green"))):
        assert read(str(sight)) == sight
    assert read("red blue") is None and read("") is None


def test_people_correct_it() -> None:
    assert RING.turned().words == ("green", "red", "blue?", "-")
    assert RING.reversed().words == ("green", "-", "blue?", "red")
    assert RING.opened(1).words == ("red", "-", "blue?", "green"), "the gap is used up"
    assert RING.closed(0).words == ("blue?", "-", "green", "-")
    row = Sight("rows", ("red", "blue"), ())
    assert row.opened(1).words == ("red", "-", "blue") and row.closed(0).words == ("blue",)
