"""Who wins BIG BOOM! BANG if everybody plays for it: value iteration over all states between two turns.

A state is how many hearts each player has, seats counted from the one whose turn it is, and how many fuses
and gifts still lie hidden. Its value is the chance of each seat to win. Every player chooses what to throw
again, and whom a gift tile hits, so that his own chance is greatest. One sweep computes all values from those
before; it is repeated until nothing changes any more (value iteration, Bellman 1957; each for himself as in
the max^n of Luckhardt and Irani, 1986).
"""

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.games.big_boom_bang.rules import DICE, MOST, THROWS, Options
from companion.games.big_boom_bang.throwing import BOMB, GIFT, HEART, sets, throws

FUSES, GIFTS = 11, 2
CLOSE = 1e-5  # a sweep that changes no chance by more ends the iteration
SWEEPS = 2000

Values = NDArray[np.float32]  # ... x fuses x gifts x seats: chances to win


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The chance to win, of each seat from the active one on: hearts (4 each) x fuses x gifts x seats."""

    options: Options
    values: Values

    def chances(self, hearts: tuple[int, ...], fuses: int, gifts: int) -> tuple[float, ...]:
        """The chance of each seat, from the active player on, whose hearts are the first."""
        if sum(map(bool, hearts)) == 1:
            return tuple(float(bool(each)) for each in hearts)
        return tuple(self.values[_number(hearts), fuses, gifts].astype(float).tolist())

    def save(self, path: Path) -> None:
        """Write it, in half precision: four digits are more than anybody asks for. Raises OSError."""
        np.savez_compressed(path, values=self.values.astype(np.float16))

    @classmethod
    def load(cls, options: Options, path: Path) -> "Table":
        """Read it. Raises OSError and ValueError."""
        with np.load(path, allow_pickle=False) as file:
            return cls(options, np.asarray(file["values"], np.float32))


def _number(hearts: tuple[int, ...]) -> int:
    number = 0
    for each in hearts:
        number = number * (MOST + 1) + each
    return number


class Solver:
    """Value iteration for one agreement of rules."""

    def __init__(self, options: Options) -> None:
        self.options, self.seats = options, options.players
        everyone = list(product(range(MOST + 1), repeat=self.seats))
        self.hearts = [each for each in everyone if each[0] and sum(map(bool, each)) > 1]
        self.rows = np.array([_number(each) for each in self.hearts])
        self.row_of = {each: row for row, each in enumerate(self.hearts)}
        self.alive = np.array(self.hearts) > 0
        self.values = np.zeros(((MOST + 1) ** self.seats, FUSES + 1, GIFTS + 1, self.seats), np.float32)
        self.values[self.rows] = (self.alive / self.alive.sum(axis=1, keepdims=True))[:, None, None]
        richer = [(min(MOST, first + 1), *rest) for first, *rest in self.hearts]
        self.richer = np.array([self.row_of[each] for each in richer])
        self.next = np.array([_after(each, 0) for each in self.hearts])
        self.order = [
            np.array(seats) for seats in zip(*(_opponents(each) for each in self.hearts), strict=True)
        ]
        self.lost = [self._lost(seat) for seat in range(self.seats)]
        self.actions = self._actions()

    def _lost(self, seat: int) -> tuple[NDArray[np.int64], NDArray[np.int64], Values]:
        """For each row, if the seat loses a heart: who begins, the number of that state, who has won."""
        starters, numbers = np.zeros((2, len(self.hearts)), np.int64)
        winners = np.zeros((len(self.hearts), self.seats), np.float32)
        for row, hearts in enumerate(self.hearts):
            if not hearts[seat]:
                continue
            left = (*hearts[:seat], hearts[seat] - 1, *hearts[seat + 1 :])
            starter = seat if left[seat] else _after(left, seat)
            starters[row], numbers[row] = starter, _number((*left[starter:], *left[:starter]))
            if sum(map(bool, left)) == 1:
                winners[row, starter] = 1
        return starters, numbers, winners

    def _seen_from(self, values: Values, starters: NDArray[np.int64]) -> Values:
        """Values (rows x ... x seats), whose first seat is the starter, with the active player's first."""
        seats = (np.arange(self.seats) - starters[:, None]) % self.seats
        shape = (len(values), *(1,) * (values.ndim - 2), self.seats)
        return np.take_along_axis(values, seats.reshape(shape), axis=-1)

    def _actions(self) -> list[tuple[int, Values]]:
        """For each of what five dice may show: its place, and what each set to throw again leads to."""
        shown = list(throws(self.options.faces, DICE))
        self.shown, place = shown, {each: number for number, each in enumerate(shown)}
        found = []
        for each in shown:
            rows = []
            for again in sets(each, self.options.scissors):
                if sum(again):
                    stay = [there - gone for there, gone in zip(each, again, strict=True)]
                    row = np.zeros(len(shown), np.float32)
                    for new, chance in throws(self.options.faces, sum(again)).items():
                        row[place[tuple(a + b for a, b in zip(stay, new, strict=True))]] += chance
                    rows.append(row)
            found.append((place[each], np.array(rows, np.float32).reshape(-1, len(shown))))
        self.first = np.array(list(throws(self.options.faces, DICE).values()), np.float32)
        return found

    def solve(self) -> Table:
        """Sweep until nothing changes. Raises ArithmeticError if that never comes."""
        for _ in range(SWEEPS):
            new = self._turn(self._ends())
            change = float(np.abs(new - self.values[self.rows]).max())
            self.values[self.rows] = new
            if change < CLOSE:
                return Table(self.options, self.values)
        raise ArithmeticError(f"after {SWEEPS} sweeps a chance still changes by {change}")

    def _ends(self) -> list[Values]:
        """The value of each of what the dice may show in the end (rows x fuses x gifts x seats)."""
        booms = []
        for starters, numbers, winners in self.lost:
            then = self._seen_from(self.values[numbers][:, FUSES, GIFTS], starters)
            booms.append(np.where(winners.any(axis=1, keepdims=True), winners, then))
        self.booms = np.stack(booms)  # seats x rows x seats
        passed = self._passed()
        queues: dict[tuple[int, int], Values] = {}
        for gifts in range(DICE + 1):
            value = passed
            for turn in reversed(range(gifts)):  # those who reveal for gift dice, the last one first
                value = self._revealed(value)[self.order[turn], np.arange(len(self.hearts))]
            queues[0, gifts] = value
            for bombs in range(1, DICE + 1 - gifts):
                value = self._revealed(value)[0]
                queues[bombs, gifts] = value
        ends = []
        for shown in self.shown:
            value = queues[shown[BOMB], shown[GIFT]]
            ends.append(value[self.richer] if shown[HEART] >= 3 else value)
        return ends

    def _passed(self) -> Values:
        """The value if the dice pass to the left neighbour."""
        numbers = [
            _number((*hearts[seat:], *hearts[:seat]))
            for hearts, seat in zip(self.hearts, self.next.tolist(), strict=True)
        ]
        return self._seen_from(self.values[numbers], self.next)

    def _revealed(self, then: Values) -> Values:
        """The value if a seat reveals a tile and `then` comes if all goes well (seats x as `then`)."""
        value = np.zeros((self.seats, *then.shape), np.float32)
        fuses = np.arange(FUSES + 1, dtype=np.float32)[:, None]
        for gifts in range(GIFTS + 1):
            total = np.broadcast_to(self.booms[:, :, None], value[..., gifts, :].shape).copy()
            total[:, :, 1:] += fuses[1:] * then[None, :, :-1, gifts]
            if gifts:
                for seat in range(self.seats):
                    total[seat] += gifts * self._named(seat, value[..., gifts - 1, :])
            value[..., gifts, :] = total / (fuses + gifts + 1)
        return value

    def _named(self, seat: int, value: Values) -> Values:
        """The value if a seat names whoever is best for it, and that one reveals (rows x fuses x seats)."""
        allowed = self.alive.copy()
        allowed[:, seat] = False
        own = np.where(allowed.T[:, :, None], value[..., seat], -1)  # seats x rows x fuses
        best = own.argmax(axis=0)
        return np.asarray(np.take_along_axis(value, best[None, ..., None], axis=0)[0], np.float32)

    def _turn(self, ends: list[Values]) -> Values:
        """The value before the first throw."""
        final = np.stack([end.reshape(-1, self.seats) for end in ends])
        value = final
        for _ in range(THROWS - 1):
            value = np.stack([self._chosen(final[kept], rows, value) for kept, rows in self.actions])
        first = np.tensordot(self.first, value, axes=1)
        return np.asarray(first.reshape(ends[0].shape), np.float32)

    def _chosen(self, kept: Values, rows: Values, value: Values) -> Values:
        """The value of the best choice for the active player (states x seats)."""
        options = np.concatenate([kept[None], np.tensordot(rows, value, axes=1)])
        best = options[..., 0].argmax(axis=0)
        return np.asarray(np.take_along_axis(options, best[None, :, None], axis=0)[0], np.float32)


def _after(hearts: tuple[int, ...], seat: int) -> int:
    count = len(hearts)
    return next(to % count for to in range(seat + 1, seat + count + 1) if hearts[to % count])


def _opponents(hearts: tuple[int, ...]) -> list[int]:
    """Who reveals for each of five gift dice (BANG-R29)."""
    seats, seat = [], 0
    for _ in range(DICE):
        seat = _after(hearts, seat) or _after(hearts, 0)
        seats.append(seat)
    return seats
