"""The coloured square tiles that lie on a table: red, yellow, green and blue, all of one size.

Nothing is known of the lamp, the camera or the table. So the tiles themselves have to say it:
- a tile is a region of one colour that ends at edges and has four corners (`regions`, `rim`);
- all have one size, on one table: under any perspective the cube root of their area is an affine function of
  the place in the picture, and they are stretched alike, however they are turned (`Plane`);
- the lamp shifts the logarithms of all colours alike: the shift is looked for that brings as many as possible
  close to the four colours (`Palette`).
"""

from dataclasses import dataclass
from typing import Literal, get_args

import cv2
import numpy as np

from companion.eye.beside import SEEN, WORTH, beside
from companion.eye.chroma import Palette, opponents
from companion.eye.network import Image, check_frame
from companion.eye.plane import Floats, Plane
from companion.eye.regions import Region, regions
from companion.eye.rim import edges, seen_at

TileColour = Literal["red", "yellow", "green", "blue"]
TILE_COLOURS: tuple[TileColour, ...] = get_args(TileColour)
LARGEST_SIDE = 960  # px: larger frames are scaled down to this
COARSE = 0.5  # of that size is enough for a first look, which tells what the lamp does to the colours
LEAST_FIT = 0.15  # how well a region fits at least to be looked at
LEAST = 0.22  # confidence below which nothing is told
SURE = 0.85  # ... and from which on nobody is asked
MOST = 240  # tiles, many more than any game has: a cloth may show thousands ...
COMPARED = 1000  # ... of which so many regions are compared with each other, which takes 48 MB at most
ONE_COLOUR, PRINTED = 30, 0.1  # no game has so many tiles of one colour, so near to each other
SAME = 0.6  # of a tile's side: so near two regions are one tile
WHOLE = 0.2  # for each of several tiles that look like one: how far from a whole number their sides may be
TOGETHER = {(1, n) for n in range(2, 7)} | {(n, 1) for n in range(2, 7)} | {(2, 2)}  # how they may lie then


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile as seen in a frame.

    Positions are pixels of the frame, x to the right, y down. `corners` go round the tile, clockwise as one
    sees it, `center` is its middle, `confidence` lies in 0..1: how surely it is a tile of this colour. What
    is `faint` hardly stands out from what it lies on: it counts only where a tile is missing.
    """

    colour: TileColour
    center: tuple[float, float]
    corners: tuple[tuple[float, float], ...]
    confidence: float
    faint: bool = False

    @property
    def sure(self) -> bool:
        """Whether it may be told without asking."""
        return self.confidence >= SURE


@dataclass(frozen=True, slots=True)
class _Look:
    """The regions that are tiles and how well each fits, the palette they agree on, their plane; and those
    that are faint.
    """

    found: list[Region]
    worth: Floats
    palette: Palette
    plane: Plane
    faint: list[Region]


def see_tiles(frame: Image) -> tuple[Tile, ...]:
    """The tiles in a frame (H x W x 3, BGR), the surest first, faint ones behind all others.

    Raises TypeError for an array that is not uint8 and ValueError for another shape.
    """
    check_frame(frame)
    scale = min(1.0, LARGEST_SIDE / max(frame.shape[:2]))
    logs = opponents(_scaled(frame, scale))
    first = _look(_scaled(logs, COARSE), Palette())
    look = _look(logs, first.palette if first else Palette())
    if look is None:
        return ()
    ends = np.array([edges(seen_at(region.corners, logs)) > 0 for region in look.found])
    if not ends.any():
        return ()
    seen, worth = [look.found[number] for number in np.flatnonzero(ends)], look.worth[ends]
    more = beside(seen, worth, logs)
    more += _faint(look, [*seen, *more])
    worth = np.append(worth, [SEEN] * len(more))
    return _named([*seen, *more], look.palette, worth, scale)[:MOST]


def _scaled(image: Image, scale: float) -> Image:
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _look(logs: Image, palette: Palette) -> _Look | None:
    """What there is of tiles in a picture, if there are any."""
    every = regions(logs, palette)
    found = [region for region in every if not region.faint]
    if not found:
        return None
    corners, weights = _stacked(found)
    kinds, _ = palette.judge(np.array([region.colour for region in found]))
    plane = Plane.of(corners, weights, kinds)
    sides = np.stack([corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]])
    lengths = plane.lengths(sides, corners.mean(axis=1)).T
    found = [part for region, long in zip(found, lengths, strict=True) for part in _parts(region, long)]
    corners, weights = _stacked(found)
    fits = plane.fit(corners) * weights
    kept = _apart(_best(fits, LEAST_FIT), corners.mean(axis=1), plane)
    colours = np.array([region.colour for region in found])
    kept = _without_cloth(kept, colours)
    if not kept:
        return None
    chosen, worth, colours = [found[number] for number in kept], fits[kept], colours[kept]
    faint = [region for region in every if region.faint]
    return _Look(chosen, worth, Palette.of(colours, worth), plane, faint)


def _without_cloth(kept: list[int], colours: Floats) -> list[int]:
    """Without those that are too many of one colour: they are printed on what the tiles lie on."""
    near = np.linalg.norm(colours[kept][:, None] - colours[kept], axis=2) < PRINTED
    left = np.ones(len(kept), bool)
    while left.any():
        alike = near[:, left].sum(axis=1) * left
        if alike.max() <= ONE_COLOUR:
            break
        left &= ~near[int(np.argmax(alike))]
    return [number for number, one in zip(kept, left.tolist(), strict=True) if one]


def _faint(look: _Look, seen: list[Region]) -> list[Region]:
    """Faint regions that are as large as tiles, where nothing else was seen."""
    if not look.faint:
        return []
    corners, weights = _stacked(look.faint)
    fits = look.plane.fit(corners) * weights
    places = np.concatenate([_stacked(seen)[0], corners]).mean(axis=1)
    order = [*range(len(seen)), *(len(seen) + number for number in _best(fits, WORTH))]
    order = _apart(order, places, look.plane)
    return [look.faint[number - len(seen)] for number in order if number >= len(seen)]


def _best(fits: Floats, least: float) -> list[int]:
    """What fits better than that, the best first."""
    return [int(number) for number in np.argsort(-fits, kind="stable") if fits[number] > least]


def _stacked(found: list[Region]) -> tuple[Floats, Floats]:
    return np.array([region.corners for region in found]), np.array([region.quality for region in found])


def _parts(region: Region, lengths: Floats) -> list[Region]:
    """A region as it is, or the tiles of which it is made: in a row they may look like one.

    `lengths` are those of its two sides, in sides of a tile.
    """
    whole = np.maximum(1, np.round(lengths))
    across, down = int(whole[0]), int(whole[1])
    if (across, down) not in TOGETHER or (abs(lengths - whole) > WHOLE * whole**0.5).any():
        return [region]
    grid = np.array([(0, 0), (across, 0), (across, down), (0, down)], np.float32)
    onto = cv2.getPerspectiveTransform(grid, region.corners.astype(np.float32))
    squares = np.array(
        [[(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)] for j in range(down) for i in range(across)],
        np.float64,
    )
    parts = cv2.perspectiveTransform(squares.reshape(1, -1, 2), onto).reshape(-1, 4, 2)
    return [Region(np.asarray(part, np.float64), region.colour, region.quality * 0.95) for part in parts]


def _apart(order: list[int], middles: Floats, plane: Plane) -> list[int]:
    """Of regions that are the same tile the first, and COMPARED of all."""
    kept: list[int] = []
    free = np.ones(len(middles), np.bool_)
    for number in order:
        if free[number]:
            kept.append(number)
            if len(kept) == COMPARED:
                break
            here = middles[number]
            free &= plane.lengths(middles - here, here[None]) >= SAME
    return kept


def _named(found: list[Region], palette: Palette, worth: Floats, scale: float) -> tuple[Tile, ...]:
    kinds, sure = palette.judge(np.array([region.colour for region in found]))
    tiles = [
        Tile(
            TILE_COLOURS[kind],
            _point(region.corners.mean(axis=0), scale),
            tuple(_point(corner, scale) for corner in region.corners),
            float(part),
            region.faint,
        )
        for region, kind, part in zip(found, kinds, sure * np.minimum(1.0, 1.2 * worth), strict=True)
        if part > LEAST
    ]
    return tuple(sorted(tiles, key=lambda tile: (tile.faint, -tile.confidence)))


def _point(place: Floats, scale: float) -> tuple[float, float]:
    """A point of the small picture in the frame."""
    x, y = ((place + 0.5) / scale - 0.5).tolist()
    return x, y
