"""The first phase of Kabooom!: where to set which stone. Pure.

A full board is judged by its pairs of neighbours (`judge.py`), at the start player's turn. A free square
counts as the mean of all stones that are still to come, so that every board has a value at once; moves are
looked ahead from there, the more the fuller the board is. With three and four the others count as one."""

from collections.abc import Iterator
from dataclasses import replace
from operator import itemgetter

from companion.games.kabooom.endgame import Stopped
from companion.games.kabooom.fast import Cells, Tables, number
from companion.games.kabooom.judge import POINT, Judge, judges
from companion.games.thought import Pressed

Supply = tuple[tuple[int, ...], ...]
Choice = tuple[float, int, int]  # what it is worth to me in points, the symbol, the square
END = 1e9
WIDE = 24  # moves of an answer that are looked at, the best at a glance


class Setting:
    """The first phase in the eyes of whoever is to set a stone: he is owner 0, all others are owner 1."""

    def __init__(self, table: Tables, board: Cells, supply: Supply, turn: int, pressed: Pressed) -> None:
        self.near, self.players, self.me, self.pressed = table.near, table.options.players, turn, pressed
        self.judge: Judge = judges(replace(table.options, players=2))[turn > 0]  # player 0 will hit first
        self.sign = 1 if turn == 0 else -1
        self.board = [cell & 127 | (cell >> 7 != turn) << 7 if cell else 0 for cell in board]
        self.supply = [list(own) for own in supply]
        self.free = [place for place, cell in enumerate(board) if not cell]

    def deepen(self, deepest: int) -> Iterator[tuple[list[Choice], int]]:
        """Yield all moves with their values, best first, at each depth; raises `Stopped`."""
        order = sorted(self._glance(self.me), key=itemgetter(0), reverse=True)
        yield order, 1
        for depth in range(2, min(deepest, len(self.free)) + 1):
            best, found = -END, []
            for _, kind, place in order:
                value = self._after(self.me, kind, place, depth, best, END)
                found.append((value, kind, place))
                best = max(best, value)
            order = sorted(found, key=itemgetter(0), reverse=True)
            yield order, depth

    def value(self, kind: int, place: int, depth: int) -> float:
        """Return what one stone on one square is worth to me."""
        if depth == 1:
            return next(value for value, *where in self._glance(self.me) if where == [kind, place])
        return self._after(self.me, kind, place, depth, -END, END)

    def _after(self, player: int, kind: int, place: int, depth: int, alpha: float, beta: float) -> float:
        """Return my value after a stone of a player."""
        self.board[place] = number(int(player != self.me), kind)
        self.supply[player][kind] -= 1
        self.free.remove(place)
        value = self._value((player + 1) % self.players, depth - 1, alpha, beta)
        self.board[place] = 0
        self.supply[player][kind] += 1
        self.free.append(place)
        return value

    def _value(self, player: int, depth: int, alpha: float, beta: float) -> float:
        """Return what I can hope for, exactly within (alpha, beta), when it is a player's turn (paranoid)."""
        if self.pressed():
            raise Stopped
        best = max if player == self.me else min
        moves = list(self._glance(player))
        if depth == 1 or len(self.free) == 1:
            return best(moves)[0]
        mine = player == self.me
        moves.sort(key=itemgetter(0), reverse=mine)
        value = -END if mine else END
        for _, kind, place in moves[:WIDE]:
            value = best(value, self._after(player, kind, place, depth, alpha, beta))
            if mine:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if alpha >= beta:
                break
        return value

    def _glance(self, player: int) -> Iterator[Choice]:
        """Yield every stone that a player can set, with my value after it."""
        judge, board, near, sign = self.judge, self.board, self.near, self.sign / POINT
        owner = int(player != self.me)
        for kind, left in enumerate(self.supply[player]):
            if not left:
                continue
            mean, void = self._mixed(player, kind)
            total = 0.0
            for place, around in enumerate(near):
                row, free = judge[board[place]], mean[board[place]]
                for other in around:
                    cell = board[other]
                    total += (row[cell] if cell else free) if board[place] else mean[cell] if cell else void
            total /= 2
            stone = number(owner, kind)
            row, free = judge[stone], mean[stone]
            for place in self.free:
                change = total
                for other in near[place]:
                    cell = board[other]
                    change += row[cell] - mean[cell] if cell else free - void
                yield sign * change, kind, place

    def _mixed(self, player: int, kind: int) -> tuple[dict[int, float], float]:
        """Return what each stone is worth beside a free square, and two free squares, after a stone."""
        judge = self.judge
        mix: dict[int, float] = {}
        free = len(self.free) - 1
        after = (player + 1) % self.players
        for each, own in enumerate(self.supply):
            order = (each - after) % self.players
            share = max(0, (free - order + self.players - 1) // self.players) / max(1, free)
            counts = [left - (each == player and k == kind) for k, left in enumerate(own)]
            for k, left in enumerate(counts):
                stone = number(int(each != self.me), k)
                mix[stone] = mix.get(stone, 0.0) + share * left / max(1, sum(counts))
        mean = {stone: sum(part * judge[stone][each] for each, part in mix.items()) for stone in mix}
        return mean | {0: 0.0}, sum(part * mean[stone] for stone, part in mix.items())
