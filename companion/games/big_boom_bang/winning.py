"""How BIG BOOM! BANG is won: the chance of everybody to win, and the decisions that lead there.

What the turns after this one are worth stands in a table, made once (see `solving`); this turn is solved from
there: what to throw again, and whom a gift tile should hit. It follows from what everybody sees.
"""

import gzip
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.config.paths import ASSETS
from companion.games.big_boom_bang.rules import (
    FACES,
    MOST,
    PLAYERS,
    THROWS,
    Face,
    Move,
    Name,
    Options,
    Position,
    Reveal,
    legal,
)
from companion.games.big_boom_bang.solving import DOUBT, FUSES, GIFTS, Hearts, Values, number, states, struck
from companion.games.big_boom_bang.throwing import ALL, BOMB, GIFT, HEART, Turn, chosen, decision, shows
from companion.language import DamagedFileError

TABLES = ASSETS / "odds"
SCALE = 2**16 - 1  # a chance is written as a whole number of so many parts
GZIP = 31  # asks zlib for a head of gzip; what the module gzip writes there depends on the version of Python

Chances = NDArray[np.float64]  # to win, of those in the game, from the active player on


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision, and the chance to win that it leads to, for whoever takes it."""

    move: Move
    worth: float


class Table:
    """The chances to win between two turns, for each number of players in the game from 2 on."""

    def __init__(self, values: Sequence[Values]) -> None:
        self.values = values

    def chances(self, hearts: Hearts, fuses: int = FUSES, gifts: int = GIFTS) -> Chances:
        """The chance of each of those in the game, from the one on whose turn it is."""
        if len(hearts) == 1:
            return np.ones(1)
        return np.asarray(self.values[len(hearts) - 2][number(hearts), fuses, gifts], np.float64)

    def save(self, path: Path) -> None:
        """Write it, always alike; the last chance of each state is what the others leave. Raises OSError."""
        parts = [np.rint(each[..., :-1] * SCALE).astype("<u2").ravel() for each in self.values]
        halves = np.concatenate(parts).view(np.uint8).reshape(-1, 2).T  # they pack better apart
        path.write_bytes(zlib.compress(halves.tobytes(), level=9, wbits=GZIP))

    @classmethod
    def load(cls, path: Path) -> "Table":
        """Read it. Raises `DamagedFileError`."""
        try:
            halves = np.frombuffer(gzip.decompress(path.read_bytes()), np.uint8).reshape(2, -1)
            return cls._of(halves)
        except (OSError, EOFError, ValueError, zlib.error) as error:
            raise DamagedFileError(path) from error

    @classmethod
    def _of(cls, halves: NDArray[np.uint8]) -> "Table":
        numbers = np.ascontiguousarray(halves.T).view("<u2").ravel()
        values, begin = [], 0
        for count in range(2, PLAYERS[-1] + 1):
            shape = (len(states(count)), FUSES + 1, GIFTS + 1, count - 1)
            end = begin + int(np.prod(shape))
            known = numbers[begin:end].reshape(shape).astype(np.float32) / SCALE
            values.append(np.concatenate([known, 1 - known.sum(axis=-1, keepdims=True)], axis=-1))
            begin = end
        return cls(values)


def path_of(faces: Sequence[Face], scissors: str) -> Path:
    """Where the table lies for dice with these sides: `2-1-1-2-keep.gz` has the numbers of each of FACES."""
    sides = "-".join(str(list(faces).count(face)) for face in FACES)
    return TABLES / f"{sides}-{scissors}.gz"


@lru_cache(maxsize=4)
def table(faces: Sequence[Face], scissors: str) -> Table:
    """The table for these dice; there is one for all that can be agreed. Raises `DamagedFileError`."""
    return Table.load(path_of(faces, scissors))


class Prospects:
    """What is to come when the dice have been evaluated: reveals, and then the turns after this one.

    `hearts` are those of the players in the game, from the active one on; seats are counted likewise.
    """

    def __init__(self, known: Table, hearts: Hearts) -> None:
        self._table, self._seats = known, range(len(hearts))
        self._left = (*hearts[1:], hearts[0])
        self._booms = np.zeros((len(hearts), len(hearts)))  # by the seat that BOOM hits
        for seat in self._seats:
            after, stay = struck(hearts, seat)
            self._booms[seat, stay] = known.chances(after)
        self.due = lru_cache(maxsize=None)(self._due)

    def _due(self, fuses: int, gifts: int, queue: tuple[int, ...]) -> Chances:
        """The chances while these seats have to reveal a tile each, with so many fuses and gifts hidden."""
        if not queue:
            return np.roll(self._table.chances(self._left, fuses, gifts), 1)
        who, rest = queue[0], queue[1:]
        total = self._booms[who].copy()
        if fuses:
            total += fuses * self.due(fuses - 1, gifts, rest)
        if gifts:
            others = [self.due(fuses, gifts - 1, (seat, *rest)) for seat in self._seats if seat != who]
            total += gifts * chosen(np.stack(others), who, DOUBT)
        return np.asarray(total / (fuses + gifts + 1))


@lru_cache(maxsize=12)  # each may grow to a megabyte
def prospects(faces: tuple[Face, ...], scissors: str, hearts: Hearts) -> Prospects:
    """What is to come with these dice and hearts."""
    return Prospects(table(faces, scissors), hearts)


@lru_cache(maxsize=64)
def solved(options: Options, hearts: Hearts, fuses: int, gifts: int) -> Turn:
    """The turn in which everybody plays for winning the game."""
    richer = (min(MOST, hearts[0] + 1), *hearts[1:])
    ends = []
    for shown in ALL:
        ahead = prospects(options.faces, options.scissors, richer if shown[HEART] >= 3 else hearts)
        opponents = (1 + turn % (len(hearts) - 1) for turn in range(shown[GIFT]))  # BANG-R29
        ends.append(ahead.due(fuses, gifts, (*(0,) * shown[BOMB], *opponents)))
    return Turn(options, np.stack(ends), DOUBT)


class _Seen:
    """A position as this room counts: those in the game from the active player on, tiles by their number."""

    def __init__(self, position: Position) -> None:
        self.position, options = position, position.options
        self.order = [
            seat
            for step in range(options.players)
            if position.hearts[seat := (position.active + step) % options.players]
        ]
        self.hearts = tuple(position.hearts[seat] for seat in self.order)
        opened = [position.tiles[place - 1] for place in position.open]
        self.tiles = FUSES - opened.count("fuse"), GIFTS - opened.count("gift")

    def turn(self) -> Turn:
        return solved(self.position.options, self.hearts, *self.tiles)

    def due(self, *seats: int) -> Chances:
        """The chances if these seats of the position turn over tiles, one after the other."""
        options = self.position.options
        queue = tuple(map(self.order.index, seats))
        return prospects(options.faces, options.scissors, self.hearts).due(*self.tiles, queue)

    def chances(self) -> Chances:
        """The chances of those in the game, from the active player on."""
        position, left = self.position, THROWS - self.position.throws
        if position.phase == "choose":
            return self.turn().worth(shows(position), left)
        if position.phase == "roll" and position.throws:
            return self.turn().again(shows(position), left)
        if position.phase == "name":
            assert position.forced is not None
            named = [
                self.due(move.player, *position.queue) for move in legal(position) if isinstance(move, Name)
            ]
            return chosen(np.stack(named), self.order.index(position.forced), DOUBT)
        if position.phase == "reveal":
            return self.due(*position.due)
        options = position.options
        return table(options.faces, options.scissors).chances(self.hearts, *self.tiles)


def chances(position: Position) -> tuple[float, ...]:
    """The chance of each player to win, by seat, if everybody plays for it from here on."""
    seen = _Seen(position)
    found = dict(zip(seen.order, seen.chances().tolist(), strict=True))
    return tuple(found.get(seat, 0.0) for seat in range(position.options.players))


def choices(position: Position) -> list[Choice]:
    """Every decision that makes a difference, the best first, for whoever has to decide.

    Which tile is turned over makes none: it is the first.
    """
    seen = _Seen(position)
    match position.phase:
        case "choose":
            rated = seen.turn().advice(shows(position), THROWS - position.throws)
            return [Choice(decision(position, each.again), each.worth) for each in rated]
        case "reveal":
            return [Choice(Reveal(position.hidden[0]), chances(position)[position.due[0]])]
        case "name":
            assert position.forced is not None
            own = seen.order.index(position.forced)
            named = [
                Choice(move, float(seen.due(move.player, *position.queue)[own]))
                for move in legal(position)
                if isinstance(move, Name)
            ]
            return sorted(named, key=lambda each: -each.worth)
        case _:
            return []
