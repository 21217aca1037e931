"""Where things are on the screen of Bau Boom: the trail goes round, the rest lies within it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pygame import Rect

from companion.games.bau_boom.hill import ROWS, Place
from companion.games.bau_boom.position import Kind
from companion.games.bau_boom.trail import Trail
from companion.screens.canvas import Canvas, inset


@dataclass(frozen=True, slots=True)
class Layout:
    """The trail; within it the container, a strip for hills or cards, and what can be touched."""

    trail: Trail
    container: Rect
    strip: Rect
    action: Rect

    @property
    def workshop(self) -> Rect:
        """All the room within the trail."""
        return self.trail.inner


def layout(canvas: Canvas, area: Rect, kinds: tuple[Kind, ...]) -> Layout:
    """Divide the area of the board."""
    trail, gap = Trail(inset(area, canvas.px(3)), kinds), canvas.px(12)
    inner = trail.inner
    if canvas.portrait:
        crate = Rect(inner.x, inner.y, inner.width, canvas.px(132))
        rest = Rect(inner.x, crate.bottom + gap, inner.width, inner.bottom - crate.bottom - gap)
        low = canvas.px(180)
    else:
        crate = Rect(inner.x, inner.y, canvas.px(158), inner.height - canvas.px(22))
        rest = Rect(crate.right + gap, inner.y, inner.right - crate.right - gap, inner.height)
        low = canvas.px(124)
    strip = Rect(rest.x, rest.y, rest.width, rest.height - low - gap)
    return Layout(trail, crate, strip, Rect(rest.x, rest.bottom - low, rest.width, low))


def pyramid(box: Rect, size: int) -> dict[Place, Rect]:
    """Return the squares of the places of a hill, as large as fits, in the middle of a box."""
    rows = ROWS[size]
    step = min(box.width // rows[0], box.height // len(rows))
    side = step - max(1, step // 14)
    bottom = box.centery + step * len(rows) // 2
    return {
        (row, number): Rect(
            box.centerx - count * step // 2 + (number - 1) * step, bottom - row * step, side, side
        )
        for row, count in enumerate(rows, 1)
        for number in range(1, count + 1)
    }


def columns(box: Rect, count: int, gap: int, most: int = 10_000) -> list[Rect]:
    """Return `count` equal parts of a box side by side, at most `most` wide, in its middle."""
    wide = min(most, (box.width - gap * (count - 1)) // max(1, count))
    left = box.centerx - (count * (wide + gap) - gap) // 2
    return [Rect(left + i * (wide + gap), box.y, wide, box.height) for i in range(count)]


def rows(box: Rect, count: int, gap: int) -> list[Rect]:
    """Return `count` equal parts of a box one below the other."""
    high = (box.height - gap * (count - 1)) // count
    return [Rect(box.x, box.y + i * (high + gap), box.width, high) for i in range(count)]


def cells(box: Rect, count: int, gap: int) -> list[Rect]:
    """Return `count` equal parts of a box, in as many rows as make them least narrow or low."""

    def part(rows: int) -> tuple[int, int]:
        in_row = -(-count // rows)
        return (box.width - gap * (in_row - 1)) // in_row, (box.height - gap * (rows - 1)) // rows

    lines = max(range(1, max(1, count) + 1), key=lambda rows: min(part(rows)) if count else 0)
    in_row = -(-count // lines)
    return [cell for line in rows(box, lines, gap) for cell in columns(line, in_row, gap)][:count]


def targets(where: Layout, spaces: Iterable[int], side: int) -> Sequence[Rect | None]:
    """Return squares to touch spaces in, clear of what lies within the trail and of each other."""
    boxes = (tuple(box) for box in (where.trail.box, where.strip, where.action))
    return _squares(tuple(map(where.trail.spot, spaces)), side, *boxes)


@lru_cache(maxsize=16)  # asked for at every touch, and the same until somebody moves; no Rect can be a key
def _squares(
    spots: Sequence[tuple[int, int]], side: int, within: tuple[int, ...], *others: tuple[int, ...]
) -> Sequence[Rect | None]:
    """Squares about spots, within a box, clear of others and of each other."""
    taken, moved = [Rect(*box) for box in others], []
    for x, y in spots:
        square = Rect(x - side // 2, y - side // 2, side, side)
        for box in taken:
            over = square.clip(box)
            if over and over.width < over.height:
                square.x += over.width if x > box.centerx else -over.width
            elif over:
                square.y += over.height if y > box.centery else -over.height
        moved.append(square.center)
    return _apart(moved, side, Rect(*within))


def _apart(spots: Sequence[tuple[int, int]], side: int, within: Rect) -> list[Rect | None]:
    """Return squares about spots; one that would overlap is moved aside, or left out if that is no help."""
    found: list[Rect | None] = []
    for x, y in spots:
        square, taken = Rect(x - side // 2, y - side // 2, side, side), [each for each in found if each]
        hit = square.collidelist(taken)
        if hit >= 0:
            square.x = taken[hit].right if x >= taken[hit].centerx else taken[hit].x - side
        fits = square.collidelist(taken) < 0 and within.contains(square)
        found.append(square if fits else None)
    return found
