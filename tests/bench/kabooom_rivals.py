"""Whom Kabooom!'s computer is measured against: simple players, honestly made."""

import random
import time

from companion.games.kabooom import fast
from companion.games.kabooom.rules import SYMBOLS, Deal, Move, Place, Position, legal
from tests.bench.kabooom_greedy import choose


def anything(position: Position, rng: random.Random, budget: float) -> Move:
    """Any legal move."""
    return rng.choice(legal(position))


def greedy(position: Position, rng: random.Random, budget: float) -> Move:
    """One answer ahead."""
    return choose(position, rng)


def carlo(position: Position, rng: random.Random, budget: float) -> Move:
    """Flat Monte Carlo: every move in turn, random games to the end, the best mean result (1, 1/2, 0)."""
    begin = time.process_time()
    table, moves, me = fast.tables(position.options), list(legal(position)), position.turn
    won = [0.0] * len(moves)
    played = [0] * len(moves)
    while time.process_time() - begin < budget:
        for number, move in enumerate(moves):
            board, turn, passes = fast.cells(position), position.turn, position.passes
            after = (turn + 1) % position.options.players
            if isinstance(move, Place):
                kind = SYMBOLS.index(move.symbol)
                board[table.names.index(move.square)] = fast.number(me, kind)
                supply = [list(own) for own in position.supply]
                supply[me][kind] -= 1
                turn = _fill(board, supply, after, rng)
                passes = 0
            elif not isinstance(move, Deal):
                code = fast.read(table, move)
                turn = after
                passes = passes + 1 if code == fast.PASS else 0
                if code != fast.PASS:
                    fast.hit(table, board, code)
            won[number] += share(_at_random(table, board, turn, passes, rng), me)
            played[number] += 1
    return moves[max(range(len(moves)), key=lambda number: won[number] / max(1, played[number]))]


def _at_random(
    table: fast.Tables, board: fast.Cells, turn: int, passes: int, rng: random.Random
) -> list[int]:
    """Play on to the end by any hits and passes; returns everybody's points."""
    while passes < table.options.players:
        move = rng.choice([*fast.captures(table, board, turn), fast.PASS])
        passes = passes + 1 if move == fast.PASS else 0
        if move != fast.PASS:
            fast.hit(table, board, move)
        turn = (turn + 1) % table.options.players
    return fast.scores(table, board)


def _fill(board: list[int], supply: list[list[int]], turn: int, rng: random.Random) -> int:
    """Set random stones on all free squares; returns who is to move then."""
    kits = [[kind for kind, left in enumerate(own) for _ in range(left)] for own in supply]
    free = [place for place, cell in enumerate(board) if not cell]
    rng.shuffle(free)
    for kit in kits:
        rng.shuffle(kit)
    for place in free:
        board[place] = fast.number(turn, kits[turn].pop())
        turn = (turn + 1) % len(kits)
    return turn


def share(points: list[int], me: int) -> float:
    """What a player has of the victory."""
    best = max(points)
    return 0.0 if points[me] < best else 1 / points.count(best)


def plain(position: Position, rng: random.Random, budget: float) -> Move:
    """Alpha-beta of four moves, points only, the greatest gain first; nothing to see while stones are set."""
    if position.phase == "place":
        return rng.choice(legal(position))
    table, board = fast.tables(position.options), fast.cells(position)
    points = fast.scores(table, board)
    lead = points[position.turn] - points[1 - position.turn]
    best, chosen = -99, [fast.PASS]
    for move in [*_ordered(table, board, position.turn), fast.PASS]:
        value = _answer(table, board, position.turn, position.passes, 4, lead, best - 1, 99, move)
        if value > best:
            best, chosen = value, []
        if value == best:
            chosen.append(move)
    return fast.written(table, rng.choice(chosen))


def _ordered(table: fast.Tables, board: list[int], me: int) -> list[int]:
    mine = table.leads[me]

    def gain(move: int) -> int:
        one, other = board[move >> 5], board[move & 31]
        return mine[table.after(one, other)] - mine[one] - mine[other]

    return sorted(fast.captures(table, board, me), key=gain, reverse=True)


def _answer(
    table: fast.Tables, board: list[int], me: int, passes: int, depth: int, lead: int, alpha: int, beta: int,
    move: int,
) -> int:  # fmt: skip
    """The value of a move."""
    if move == fast.PASS:
        return lead if passes else -_plain(table, board, 1 - me, 1, depth - 1, -lead, -beta, -alpha)
    one, other = was = fast.hit(table, board, move)
    mine = table.leads[me]
    gain = mine[board[move & 31]] - mine[one] - mine[other]
    value = -_plain(table, board, 1 - me, 0, depth - 1, -lead - gain, -beta, -alpha)
    fast.undo(board, move, was)
    return value


def _plain(
    table: fast.Tables, board: list[int], me: int, passes: int, depth: int, lead: int, alpha: int, beta: int
) -> int:
    if not depth:
        return lead
    best = -99
    for move in [*_ordered(table, board, me), fast.PASS]:
        best = max(best, _answer(table, board, me, passes, depth, lead, max(alpha, best), beta, move))
        if best >= beta:
            break
    return best


RIVALS = {"random": anything, "greedy": greedy, "carlo": carlo, "plain": plain}
