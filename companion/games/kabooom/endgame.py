"""Kabooom! for two, solved: what is left of the board as a sum of independent parts. Pure.

Hits never leave a group of connected towers (KAB-R20), so the board is a sum of groups, here *parts*. A part
where nobody can hit is dropped, one where only one player has stones is worth what that player makes of it
alone. Nobody has to move (KAB-R21): "pass for ever" is a defence, so nobody gains more than by hitting alone,
and these bounds, kept with each part, cut most of the tree. The rest is alpha-beta over sets of parts, with a
table (Knuth and Moore, An Analysis of Alpha-Beta Pruning, 1975), asked with narrow windows only (Plaat et
al., Best-First Fixed-Depth Minimax Algorithms, 1996).

What is counted is what a player gains from now on: the lead at the end less the lead now.
"""

from collections.abc import Callable, Iterator
from operator import itemgetter

from companion.games.kabooom.fast import PASS, Cells, Tables, components

FAR = 99  # more points than there are
LARGE = 8  # towers of a part from which on its bounds are guessed from above
_CHECKED = 64  # work between two questions whether to go on: about a millisecond


class Stopped(Exception):
    """Thinking was interrupted."""


class Part:
    """A group of connected towers in which somebody may still hit something."""

    __slots__ = ("cells", "key", "lines", "most")

    def __init__(self, cells: dict[int, int], key: int) -> None:
        self.cells, self.key = cells, key
        self.lines: list[list[Line] | None] = [None, None]  # the hits of each player, the best gain first
        self.most: list[int | None] = [None, None]  # what each player gains at most


Line = tuple[
    int, int, int, tuple[Part, ...]
]  # what its player gains, the hit, the key of the parts after, these
Sum = tuple[Part, ...]


class Solver:
    """Positions of one game; what was found out is kept from question to question."""

    def __init__(self, table: Tables, pressed: Callable[[], bool]) -> None:
        self.table, self.pressed, self.nodes = table, pressed, 0
        self._masks = [sum(1 << other for other in near) for near in table.near]
        self._known: dict[int, tuple[Part | None, int]] = {}
        self._bounds: dict[int, tuple[int, int, tuple[int, int]]] = {}  # at least, at most, the best move
        self._worked = 0
        self._passed = table.keys[0][-1]
        self._second = table.keys[1][-1]

    # parts

    def split(self, towers: dict[int, int]) -> tuple[Sum, int]:
        """Return the parts of some towers, and what player 0 gains for certain beside them."""
        found: list[Part] = []
        certain = 0
        masks = self._masks
        rest = 0
        for place in towers:
            rest |= 1 << place
        while rest:
            group = grown = rest & -rest
            while grown:
                low = grown & -grown
                fresh = masks[low.bit_length() - 1] & rest & ~group
                group |= fresh
                grown = grown ^ low | fresh
            rest ^= group
            if group & (group - 1):
                some, gain = self._part({p: cell for p, cell in towers.items() if group >> p & 1})
                if some:
                    found.append(some)
                certain += gain
        return tuple(found), certain

    def _part(self, towers: dict[int, int]) -> tuple[Part | None, int]:
        """Return a connected group as a part, or what it is worth for certain to player 0."""
        keys, key = self.table.keys, 0
        for place, cell in towers.items():
            key ^= keys[place][cell]
        known = self._known.get(key)
        if known is None:
            part = Part(towers, key)
            owners = {cell >> 7 for cell in towers.values()}
            known = (part, 0)
            if len(owners) == 1:
                (player,) = owners
                known = (None, (1 - 2 * player) * self.most(part, player))
            elif not self._lively(towers):
                known = (None, 0)
            self._known[key] = known
        return known

    def _lively(self, towers: dict[int, int]) -> bool:
        beaten, near = self.table.beaten, self.table.near
        return any(
            other in towers and beaten[cell][towers[other]]
            for place, cell in towers.items()
            for other in near[place]
        )

    def lines(self, part: Part, player: int) -> list[Line]:
        """Return a player's hits within a part, the best gain first."""
        found = part.lines[player]
        if found is None:
            self._ask(8)
            found = part.lines[player] = sorted(self._hits(part, player), key=itemgetter(0), reverse=True)
        return found

    def _hits(self, part: Part, player: int) -> list[Line]:
        table, towers = self.table, part.cells
        mine, found = table.leads[player], []
        sign = 1 - 2 * player
        for place, cell in towers.items():
            if cell >> 7 != player:
                continue
            beaten = table.beaten[cell]
            for target in table.near[place]:
                other = towers.get(target, 0)
                if not beaten[other]:
                    continue
                new = table.after(cell, other)
                after = towers | {target: new}
                del after[place]
                if not new:
                    del after[target]
                gain = mine[new] - mine[cell] - mine[other]
                parts, certain = self.split(after)
                key = 0
                for each in parts:
                    key ^= each.key
                found.append((gain + sign * certain, place * 32 + target, key, parts))
        return found

    def _ask(self, work: int) -> None:
        """Ask now and then whether to go on."""
        self._worked += work
        if self._worked >= _CHECKED:
            self._worked = 0
            if self.pressed():
                raise Stopped

    def most(self, part: Part, player: int) -> int:
        """Return what a player gains in a part whose other stones stay where they are: nobody gains more."""
        found = part.most[player]
        if found is None and len(part.cells) > LARGE:
            found = part.most[player] = self._everything(part, player)
        if found is None:
            found = 0
            for gain, _, _, parts in self.lines(part, player):
                for each in parts:
                    gain += self.most(each, player)
                found = max(found, gain)
            part.most[player] = found
        return found

    def _everything(self, part: Part, player: int) -> int:
        """Return what it would gain to have all stones of a part in one tower: cheap, and seldom exact."""
        mine, towers = self.table.leads[player], part.cells.values()
        stones = sum(cell & 31 for cell in towers)
        best = max((mine[cell & ~31 | stones] for cell in towers if cell >> 7 == player), default=0)
        return max(0, best - sum(mine[cell] for cell in towers))

    # sums

    def gain(self, board: Cells, player: int, passes: int, guess: int = 0) -> int:
        """Return what the player to move gains from here on, exactly; near the guess it is found faster."""
        parts, key, certain = self.summed(board, player)
        ends = passes and self._collect(board, player) == PASS
        low, high, value = -FAR, FAR, guess - certain
        while low < high:
            beta = max(value, low + 1)
            value = self.search(parts, key, player, ends, beta - 1, beta)
            if value < beta:
                high = value
            else:
                low = value
        return max(0, certain + value) if passes else certain + value

    def summed(self, board: Cells, player: int) -> tuple[Sum, int, int]:
        """Return the parts of a board, their key, and what the player gains beside them."""
        parts, certain = self.split({place: cell for place, cell in enumerate(board) if cell})
        key = 0
        for part in parts:
            key ^= part.key
        return parts, key, certain * (1 - 2 * player)

    def search(self, parts: Sum, key: int, player: int, passes: int, alpha: int, beta: int) -> int:
        """Return what a player who is to move gains: exactly within (alpha, beta), else a bound beyond."""
        most = self.most
        other = 1 - player
        high = low = 0
        for part in parts:
            high += most(part, player)
            low -= most(part, other)
        if passes:
            low = max(low, 0)  # by passing
        if low >= beta or low >= high:
            return low
        if high <= alpha:
            return high
        name = key ^ self._passed if passes else key
        if player:
            name ^= self._second
        known = self._bounds.get(name)
        first = (-1, PASS)
        if known is not None:
            least, upper, first = known
            if least >= beta or least == upper:
                return least
            if upper <= alpha:
                return upper
            low, high = max(low, least), min(high, upper)
        self.nodes += 1
        self._ask(1)
        best, move = self._tried(parts, key, player, passes, max(alpha, low - 1), min(beta, high), first)
        if best <= alpha:
            high = min(high, best)
        elif best >= beta:
            low = max(low, best)
        else:
            low = high = best
        self._bounds[name] = (low, max(low, high), move)
        return best

    def _tried(
        self, parts: Sum, key: int, player: int, passes: int, alpha: int, beta: int, first: tuple[int, int]
    ) -> tuple[int, tuple[int, int]]:
        other, search = 1 - player, self.search
        tries = [
            (line[0], number, line) for number, part in enumerate(parts) for line in self.lines(part, player)
        ]
        best, move = -FAR, first
        if passes:
            best, move = 0, (-1, PASS)
        tries.sort(key=itemgetter(0), reverse=True)
        if first[0] >= 0:
            tries.sort(key=lambda each: each[2][1] != first[1])
        for gain, number, (_, code, after, fresh) in tries:
            if best >= beta:
                return best, move
            floor = max(alpha, best)
            left = parts[:number] + parts[number + 1 :] + fresh
            value = gain - search(left, key ^ parts[number].key ^ after, other, 0, gain - beta, gain - floor)
            if value > best:
                best, move = value, (number, code)
        if not passes and best < beta:
            floor = max(alpha, best)
            value = -search(parts, key, other, 1, -beta, -floor)
            if value > best:
                best, move = value, (-1, PASS)
        return best, move

    # the best move

    def best(
        self, board: Cells, player: int, passes: int, lead: int, order: list[int]
    ) -> Iterator[tuple[int, int, bool]]:
        """Yield ever better moves, the lead that each is sure of at the end, and whether no move has more.

        Whether the game can be won is asked first. Among equals the first in `order` is taken, which has all
        moves to be thought of. Instead of a pass what nobody disputes is taken, if there is some: that loses
        nothing.
        """
        parts, key, certain = self.summed(board, player)
        lines = {line[1]: (n, line) for n, part in enumerate(parts) for line in self.lines(part, player)}
        order = [move for move in order if move in lines or move == PASS]
        idle = self._collect(board, player)
        ends = passes and idle == PASS
        low, high, chosen = -FAR, FAR, PASS
        if passes and PASS in order:  # who was passed may end the game here
            low = lead
        lead += certain
        beta = max(1, low + 1)
        while low < high:
            best = -FAR
            for move in order:
                value = self._lead(parts, key, player, ends, lead, lines.get(move), beta)
                best = max(best, value)
                if value >= beta:
                    order.sort(key=move.__ne__)
                    chosen = idle if move == PASS else move
                    break
            if best >= beta:
                low, beta = best, best + 1
            else:
                high = beta = max(best, low)
            if low > -FAR:
                yield chosen, low, low >= high

    def _collect(self, board: Cells, player: int) -> int:
        """Return a hit that takes what nobody disputes, in place of a pass; it must be taken some time."""
        for group in components(self.table, board):
            if len(group) > 1 and all(board[place] >> 7 == player for place in group):
                part = Part({place: board[place] for place in group}, 0)
                most = self.most(part, player)
                for gain, move, _, parts in self.lines(part, player):
                    if most and gain + sum(self.most(each, player) for each in parts) == most:
                        return move
        return PASS

    def _lead(
        self,
        parts: Sum,
        key: int,
        player: int,
        passes: int,
        lead: int,
        line: tuple[int, Line] | None,
        beta: int,
    ) -> int:
        """Return the lead after a hit, or a pass, asked whether it is at least `beta`."""
        passed = 1
        if line is not None:
            number, (gain, _, after, fresh) = line
            key ^= parts[number].key ^ after
            parts = parts[:number] + parts[number + 1 :] + fresh
            lead, passed = lead + gain, 0
        elif passes:
            return lead
        return lead - self.search(parts, key, 1 - player, passed, lead - beta, lead - beta + 1)
