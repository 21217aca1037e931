"""What the camera has seen of the tiles, as people correct it: lines of text that outlive a power cut.

A line begins with what was entered before, then comes `ring` or `rows`, then a word for each tile: its
colour, with a `?` behind it if that is in doubt, or `-` where no tile was seen. Each correction adds a line.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Literal, get_args

from companion.eye.arrange import Arrangement, arrange
from companion.eye.tiles import Tile
from companion.games.bau_boom.hill import COLOURS, Colour
from companion.games.bau_boom.position import Kind

Laid = Literal["ring", "rows"]
KINDS: tuple[Laid, ...] = get_args(Laid)
MISSING = "-"
DOUBT = "?"
OFF = 0.3  # how far the distance of two tiles may be from a whole number of spaces, usually
WORST = 9.0  # more than that no distance speaks against two spaces
CLOCKWISE = 0.5  # so much must speak for the other direction


@dataclass(frozen=True, slots=True)
class Sight:
    """What was seen, on a ring or in rows, behind what was `entered` before. `words` are as in the draft."""

    kind: Laid
    words: tuple[str, ...]
    entered: tuple[Colour, ...] = ()

    def __str__(self) -> str:
        return " ".join((*self.entered, self.kind, *self.words))

    @property
    def colours(self) -> tuple[Colour | None, ...]:
        """The colours as they stand now."""
        return tuple(colour_of(word) for word in self.words)

    @property
    def doubts(self) -> tuple[int, ...]:
        """Where somebody has to look: what is missing or in doubt."""
        return tuple(i for i, word in enumerate(self.words) if word not in COLOURS)

    @property
    def complete(self) -> bool:
        """Whether no tile is missing."""
        return MISSING not in self.words

    def painted(self, number: int, colour: Colour) -> "Sight":
        """One tile has this colour, as a person says."""
        return replace(self, words=(*self.words[:number], colour, *self.words[number + 1 :]))

    def opened(self, number: int) -> "Sight":
        """A tile was not seen here: those behind it move on, up to the next one that is missing."""
        words, most = [*self.words], len(self.words)
        gap = next((i for i in range(number, most) if words[i] == MISSING), None)
        if gap is not None:
            del words[gap]
        elif self.kind == "ring":
            del words[-1]
        words.insert(number, MISSING)
        return replace(self, words=tuple(words))

    def closed(self, number: int) -> "Sight":
        """What was seen here is no tile: those behind it move up."""
        words = (*self.words[:number], *self.words[number + 1 :])
        return replace(self, words=(*words, MISSING) if self.kind == "ring" else words)

    def turned(self) -> "Sight":
        """The start is one tile earlier: all tiles of the ring move on by one."""
        return replace(self, words=(self.words[-1], *self.words[:-1]))

    def reversed(self) -> "Sight":
        """The other way round."""
        return replace(self, words=self.words[::-1])


def seen(
    laid: Arrangement, kinds: Sequence[Kind], spaces: Sequence[int], entered: tuple[Colour, ...]
) -> Sight | None:
    """What tiles laid so mean for the empty spaces of a trail, the first of which were `entered` already.

    In a ring they lie on the trail. In rows they come next, and where one seems to be missing that is asked,
    if there is room for it. If there are too many, the surest count.
    """
    laid = _at_most(laid, room(kinds))
    if laid.ring:
        there = dict(zip(along(laid.gaps, kinds), laid.tiles, strict=True))
        words = tuple(_word(there[space]) if space in there else MISSING for space in spaces)
        return Sight("ring", words, entered)
    most = len(spaces) - len(entered)
    laid = _at_most(laid, most)
    holes = laid.holes if len(laid.tiles) + sum(laid.holes) <= most else (0,) * len(laid.tiles)
    pairs = zip(laid.tiles, holes, strict=True)
    row = [word for tile, hole in pairs for word in ([MISSING] * hole + [_word(tile)])]
    return Sight("rows", tuple(row), entered) if row else None


def _at_most(laid: Arrangement, count: int) -> Arrangement:
    """The surest tiles, if more lie there."""
    surest = sorted(laid.tiles, key=lambda tile: -tile.confidence)[:count]
    return laid if len(laid.tiles) <= count else arrange(tuple(surest))


def room(kinds: Sequence[Kind]) -> int:
    """How many tiles a trail has room for (BAU-R4)."""
    return sum(kind in ("normal", "ladybug") for kind in kinds)


def _word(tile: Tile) -> str:
    return tile.colour + ("" if tile.sure else DOUBT)


def colour_of(word: str) -> Colour | None:
    """The colour in a word of a draft."""
    bare = word.removesuffix(DOUBT)
    return next((colour for colour in COLOURS if colour == bare), None)


def read(draft: str) -> Sight | None:
    """What was seen, as it stands now, if a draft tells of that."""
    words = _now(draft)
    for kind in KINDS:
        if kind in words:
            return Sight(kind, tuple(words[words.index(kind) + 1 :]), entered(draft))
    return None


def entered(draft: str) -> tuple[Colour, ...]:
    """What was entered before anything was seen."""
    words = takewhile(lambda word: word not in KINDS, _now(draft))
    return tuple(colour for word in words if (colour := colour_of(word)))


def _now(draft: str) -> list[str]:
    """The words of the last line."""
    return draft.rpartition("\n")[2].split()


def after(draft: str, sight: Sight) -> str:
    """The draft with a correction more."""
    return f"{draft}\n{sight}"


def before(draft: str) -> str:
    """The draft without the last correction; nothing if there is none."""
    return draft.rpartition("\n")[0]


def along(gaps: Sequence[float], kinds: Sequence[Kind]) -> list[int]:
    """The space of each tile of a ring that lies on the trail, given the distances from each to the next.

    `gaps` are in the usual distance of neighbours, the last one leads to the first tile, clockwise. Start and
    anteaters are empty (BAU-R4): the way in which these gaps follow one another says where the start is and
    in which direction the trail goes.
    """
    forward = _walk(gaps, kinds)
    backward = _walk([*gaps[-2::-1], gaps[-1]], kinds)
    if backward[0] + CLOCKWISE < forward[0]:
        return backward[1][::-1]
    return forward[1]


def _walk(gaps: Sequence[float], kinds: Sequence[Kind]) -> tuple[float, list[int]]:
    """The best way round the trail: what speaks against it, and the space of each tile."""
    total, count = len(kinds), len(gaps)
    free = [kind in ("normal", "ladybug") for kind in kinds]
    best: tuple[float, list[int]] = (float("inf"), [])
    prices = [[min(((gap - step) / OFF) ** 2, WORST) for step in range(total + 1)] for gap in gaps]
    for begin in (space for space in range(total) if free[space]):
        reached: dict[int, tuple[float, list[int]]] = {0: (0.0, [begin])}
        for number in range(count - 1):
            last = total - (count - 1 - number)  # so far at most: the others need a space each
            reached = _next(reached, prices[number], begin, free, last)
        for at, (price, spaces) in reached.items():
            price += prices[-1][total - at]
            if price < best[0]:
                best = price, spaces
    return best


def _next(
    reached: dict[int, tuple[float, list[int]]], price: list[float], begin: int, free: list[bool], last: int
) -> dict[int, tuple[float, list[int]]]:
    found: dict[int, tuple[float, list[int]]] = {}
    for at, (before, spaces) in reached.items():
        for to in range(at + 1, last + 1):
            space = (begin + to) % len(free)
            cost = before + price[to - at]
            if free[space] and (to not in found or cost < found[to][0]):
                found[to] = cost, [*spaces, space]
    return found
