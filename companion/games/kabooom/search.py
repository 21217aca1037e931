"""The second phase of Kabooom! for two: alpha-beta, deeper and deeper. Pure.

Iterative deepening with a table of positions, narrow windows, killer moves and history, and reductions of
late moves (Marsland, A Review of Game-Tree Pruning, 1986; Schaeffer, The History Heuristic, 1983). Boards of
the last ply are not made: only what changes of their judgement is added up. Values are in `POINT`ths of a
point, for whoever moves."""

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import NamedTuple

from companion.games.kabooom.endgame import Stopped
from companion.games.kabooom.fast import PASS, Cells, Tables, passing_ends, scores
from companion.games.kabooom.judge import POINT, judges

END = 1 << 20
DEEPEST = 40
_CHECKED = 32  # boards that are valued between two questions whether to go on


class Found(NamedTuple):
    """The best move so far, its value, and how many moves were looked ahead."""

    move: int
    value: int
    depth: int


class Search:
    """One position and those after it; what was found out is kept as the search goes deeper."""

    def __init__(
        self, table: Tables, board: Cells, turn: int, passes: int, pressed: Callable[[], bool]
    ) -> None:
        self.table, self.board, self.turn, self.passes = table, board[:], turn, passes
        self.pressed, self.nodes = pressed, 0
        self.judges = judges(table.options)
        self.known: dict[int, tuple[int, int, int, int]] = {}  # depth, at least, at most, move
        self.killers = [PASS] * (DEEPEST + 2)
        self.history = [0] * 1024
        self._second, self._passed = table.keys[1][-1], table.keys[0][-1]

    def deepen(self, deepest: int = DEEPEST) -> Iterator[Found]:
        """Yield what is found at each depth; ends when it cannot change any more, raises `Stopped`."""
        points = scores(self.table, self.board)
        lead = POINT * (points[self.turn] - points[1 - self.turn])
        key = 0
        for place, cell in enumerate(self.board):
            key ^= self.table.keys[place][cell]
        order = self.ranked(lead)
        for depth in range(1, min(deepest, 2 * sum(map(bool, self.board))) + 1):
            found = self._root(order, lead, depth, key)
            order.sort(key=lambda each: each[0] != found.move)
            yield found

    def ranked(self, lead: int) -> list[tuple[int, int]]:
        """Return the moves of the root with their values after one ply, the best first. A pass that loses at
        once is none of them, unless there is no other (KAB-R30).
        """
        values = list(self._judged(self.turn, self.passes, lead))
        if lead < 0 and passing_ends(self.table, self.board, self.turn, self.passes):
            values = [each for each in values if each[0] != PASS] or values
        return sorted(values, key=itemgetter(1), reverse=True)

    def _root(self, order: list[tuple[int, int]], lead: int, depth: int, key: int) -> Found:
        if depth == 1:
            return Found(*order[0], 1)
        best, chosen = -END, PASS
        for number, (move, _) in enumerate(order):
            value = self._child(move, lead, depth, best, END, key, self.turn, self.passes, 0, number)
            if value > best:
                best, chosen = value, move
        return Found(chosen, best, depth)

    def _child(
        self, move: int, lead: int, depth: int, alpha: int, beta: int, key: int,
        me: int, passes: int, ply: int, number: int,
    ) -> int:  # fmt: skip
        """Return the value of a move: the first fully, the others as not better until they prove it."""
        if move == PASS:
            if passes:
                return lead
            return -self.value(1 - me, 1, depth - 1, -lead, -beta, -alpha, key, ply + 1)
        board, table = self.board, self.table
        origin, target = move >> 5, move & 31
        one, other = board[origin], board[target]
        new = 0 if table.explodes[one] else one + (other & 31)
        mine = table.leads[me]
        gain = mine[new] - mine[one] - mine[other]
        board[origin], board[target] = 0, new
        keys, there = table.keys[origin], table.keys[target]
        key ^= keys[one] ^ there[other] ^ there[new]
        lead = -lead - POINT * gain
        you = 1 - me
        if number:
            less = 1 + (number > 12) if depth > 2 and number > 3 else 0
            value = -self.value(you, 0, depth - 1 - less, lead, -alpha - 1, -alpha, key, ply + 1)
            if value > alpha and (less or value < beta):
                value = -self.value(you, 0, depth - 1, lead, -beta, -alpha, key, ply + 1)
        else:
            value = -self.value(you, 0, depth - 1, lead, -beta, -alpha, key, ply + 1)
        board[origin], board[target] = one, other
        return value

    def value(
        self, me: int, passes: int, depth: int, lead: int, alpha: int, beta: int, key: int, ply: int
    ) -> int:
        """Return the value for the player to move, exactly within (alpha, beta), else a bound beyond. Raises
        `Stopped`.
        """
        self.nodes += 1
        if not self.nodes % _CHECKED and self.pressed():
            raise Stopped
        if passes and lead >= beta:
            return lead
        if depth <= 1:
            return self._last(me, passes, lead, beta)
        name = key ^ self._second if me else key
        if passes:
            name ^= self._passed
        first = -2
        known = self.known.get(name)
        if known is not None:
            done, least, most, first = known
            if done >= depth:
                if least + lead >= beta or least == most:
                    return least + lead
                if most + lead <= alpha:
                    return most + lead
        moves = self._moves(me, first, ply)
        if not moves:
            if passes:
                return lead
            return -self.value(1 - me, 1, depth, -lead, -beta, -alpha, key, ply + 1)
        moves.append(PASS)
        best, chosen, floor = -END, PASS, alpha
        for number, move in enumerate(moves):
            value = self._child(move, lead, depth, floor, beta, key, me, passes, ply, number)
            if value > best:
                best, chosen = value, move
                if value > floor:
                    floor = value
                    if value >= beta:
                        if move != PASS:
                            self.killers[ply] = move
                            self.history[move] += depth * depth
                        break
        low, high = -END, END
        if best > alpha:
            low = best - lead
        if best < beta:
            high = best - lead
        self.known[name] = (depth, low, high, chosen)
        return best

    def _moves(self, me: int, first: int, ply: int) -> list[int]:
        """Return a player's hits, the most promising first."""
        board, table, history = self.board, self.table, self.history
        hits, mine = table.hits[me], table.leads[me]
        killer = self.killers[ply]
        ranked = []
        for place, near in table.around:
            one = board[place]
            beaten = hits[one]
            if beaten:
                base, explodes = place * 32, table.explodes[one]
                for target in near:
                    other = board[target]
                    if beaten[other]:
                        new = 0 if explodes else one + (other & 31)
                        gain = mine[new] - mine[one] - mine[other]
                        move = base + target
                        rank = gain * 1000 + history[move]
                        if move == first:
                            rank = END
                        elif move == killer:
                            rank += 1500
                        ranked.append((rank, move))
        ranked.sort(reverse=True)
        return [move for _, move in ranked]

    def _last(self, me: int, passes: int, lead: int, beta: int) -> int:
        """Return the best of the judgements after each move."""
        best = -END
        for _, value in self._judged(me, passes, lead):
            if value > best:
                best = value
                if value >= beta:
                    break
        return best

    def _judged(self, me: int, passes: int, lead: int) -> Iterator[tuple[int, int]]:
        """Yield the moves of a player, the greatest gains first, with what they are worth at a glance."""
        board, table = self.board, self.table
        beside = self.judges[1 - me]
        hits, mine, all_near, explodes = table.hits[me], table.leads[me], table.near, table.explodes
        sums = []
        twice = 0
        moves = []
        for place, near in table.around:
            one = board[place]
            if not one:
                sums.append(0)
                continue
            row = beside[one]
            around = 0
            for target in near:
                around += row[board[target]]
            sums.append(around)
            twice += around
            beaten = hits[one]
            if beaten:
                for target in near:
                    other = board[target]
                    if beaten[other]:
                        new = 0 if explodes[one] else one + (other & 31)
                        gain = mine[new] - mine[one] - mine[other]
                        moves.append((gain, place, target, one, other, new))
        total = twice // 2
        yield PASS, lead if passes else lead - total
        moves.sort(reverse=True)
        for gain, place, target, one, other, new in moves:
            after = total - sums[place] - sums[target] + beside[one][other]
            if new:
                row = beside[new]
                after -= row[one]
                for each in all_near[target]:
                    after += row[board[each]]
            yield place * 32 + target, lead + POINT * gain - after
