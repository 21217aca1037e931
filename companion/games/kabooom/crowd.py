"""The second phase of Kabooom! for three and four: a tree of games played to the end. Pure.

UCT (Kocsis and Szepesvári, Bandit Based Monte-Carlo Planning, 2006): everybody is taken to look after
himself. Games beyond the tree go on by hits that gain most among a few at random. What counts is the share of
the victory, and a little the points."""

import math
from collections.abc import Iterator

from companion.games.kabooom.duel import View
from companion.games.kabooom.fast import PASS, Cells, Tables, captures, hit, passing_ends, scores, settled
from companion.games.rulebook import Rng
from companion.games.thought import Pressed

GAMES = 20_000  # after which nothing changes any more
LOOKS = 3  # hits of which the best is made beyond the tree
_CURIOUS = 0.6
_POINTS = 0.02  # what a point of lead is worth beside a victory


class Node:
    """A position in the tree: its moves, how often each was tried, and what it brought whoever chose it."""

    __slots__ = ("children", "moves", "player", "sums", "tried", "visits")

    def __init__(self, player: int, moves: list[int]) -> None:
        self.player, self.moves, self.visits = player, moves, 0
        self.children: list[Node | None] = [None] * len(moves)
        self.sums = [0.0] * len(moves)
        self.tried = [0] * len(moves)

    def choose(self) -> int:
        """Return which move is tried next: each once, then the most promising (UCB1)."""
        for number, tried in enumerate(self.tried):
            if not tried:
                return number
        curious = _CURIOUS * math.sqrt(math.log(self.visits))
        values = [s / n + curious / math.sqrt(n) for s, n in zip(self.sums, self.tried, strict=True)]
        return values.index(max(values))


def playout(table: Tables, board: Cells, turn: int, passes: int, rng: Rng) -> list[int]:
    """Play on to the end; returns everybody's points. Whoever moves takes the hit that gains most among a few
    at random, and passes only if none gains.
    """
    players = table.options.players
    while passes < players:
        hits = captures(table, board, turn)
        mine, move, most = table.leads[turn], PASS, 0
        for _ in range(LOOKS if hits else 0):
            each = hits[rng.randrange(len(hits))]
            one, other = board[each >> 5], board[each & 31]
            gain = mine[table.after(one, other)] - mine[one] - mine[other]
            if gain > most or (move == PASS and gain >= 0 and other >> 7 != turn):
                most, move = gain, each
        if move == PASS:
            passes += 1
        else:
            hit(table, board, move)
            passes = 0
        turn = (turn + 1) % players
    return scores(table, board)


def shares(points: list[int]) -> list[float]:
    """Return what everybody has of the victory, with a little for the points."""
    best = max(points)
    winners = points.count(best)
    second = best if winners > 1 else sorted(points)[-2]
    return [
        1 / winners + _POINTS * (best - second) if own == best else _POINTS * (own - best) for own in points
    ]


def views(
    table: Tables, board: Cells, turn: int, passes: int, rng: Rng, pressed: Pressed, games: int
) -> Iterator[View]:
    """Yield the move that was tried most, whenever it changes. Whose pass ends the game passes if he has won,
    and hits, if he can, if he would lose (KAB-R30).
    """
    mine = table.leads[turn]
    own, *others = (had := scores(table, board))[turn:] + had[:turn]
    lead, ends = own - max(others), passing_ends(table, board, turn, passes)
    if ends and lead > 0:
        yield View(PASS, lead, True)
        return

    def gain(move: int) -> int:
        one, other = board[move >> 5], board[move & 31]
        return mine[table.after(one, other)] - mine[one] - mine[other]

    hits = sorted(captures(table, board, turn), key=gain, reverse=True)
    root = Node(turn, hits if hits and ends and lead < 0 else [*hits, PASS])
    best = 0
    yield View(root.moves[0], 0.0, False)
    for _ in range(games):
        _once(table, root, board[:], passes, rng)
        if pressed():
            break
        if root.visits % 64 == 0:
            most = root.tried.index(max(root.tried))
            if most != best:
                best = most
                yield View(root.moves[best], root.sums[best] / root.tried[best], False)
    if all(root.tried):
        best = root.tried.index(max(root.tried))
        yield View(root.moves[best], root.sums[best] / root.tried[best], False)


def _once(table: Tables, root: Node, board: Cells, passes: int, rng: Rng) -> None:
    """Play one game through the tree and beyond, and note what it brought."""
    path: list[tuple[Node, int]] = []
    node: Node | None = root
    players, turn = table.options.players, root.player
    while node is not None:
        number = node.choose()
        path.append((node, number))
        move = node.moves[number]
        if move == PASS:
            passes += 1
        else:
            hit(table, board, move)
            passes = 0
        turn, passes, over = settled(table, board, (node.player + 1) % players, passes)
        if over:
            points = scores(table, board)
            break
        last, node = node, node.children[number]
        if node is None:
            last.children[number] = Node(turn, [*captures(table, board, turn), PASS])
            points = playout(table, board, turn, passes, rng)
    value = shares(points)
    for node, number in path:
        node.visits += 1
        node.tried[number] += 1
        node.sums[number] += value[node.player]
