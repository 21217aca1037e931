"""Kabooom! as positions and moves (KAB-R1 to KAB-R33). Pure.

Stones are set one by one until the board is full, or dealt; then towers hit their neighbours.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple

from companion.games.rulebook import Awaited, IllegalMove, Rng, pick, replaced, shuffled

SYMBOLS = "rpsd"  # rock, paper, scissors, dynamite
BEATS = {"r": "sr", "p": "rp", "s": "ps", "d": "rpsd"}  # KAB-R18
LEVELS = ("easy", "medium", "hard")
BOARDS = {"5x5hole": (5, 5, ("c3",)), "4x6": (6, 4, ()), "3x8": (8, 3, ())}  # columns, rows, holes (A-KAB1)
STONES = 24
PLAYERS = range(2, 5)  # KAB-R1

Level = Literal["easy", "medium", "hard"]
Board = Literal["5x5hole", "4x6", "3x8"]


@dataclass(frozen=True, slots=True)
class Options:
    """What is agreed before the game. `supply` is each player's stones of each symbol, as in `SYMBOLS`."""

    players: int = 2
    level: Level = "medium"
    board: Board = "5x5hole"
    dynamite: Literal["stack", "explode"] = "stack"
    supply: tuple[int, int, int, int] = (3, 3, 3, 3)
    easy_symbols: Literal["set", "iid"] = "set"
    tiebreak: Literal["none", "highest_tower"] = "none"

    @property
    def stones(self) -> int:
        """The stones of each player (KAB-R6)."""
        return STONES // self.players


class Tower(NamedTuple):
    """A tower, or a single stone: its top stone is all that counts, besides its height (KAB-R14, R15)."""

    owner: int
    symbol: str
    height: int = 1


@dataclass(frozen=True, slots=True)
class Deal:
    """The random set-up: (square, owner, symbol) of every stone."""

    stones: tuple[tuple[str, int, str], ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A stone is set."""

    symbol: str
    square: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A tower moves onto its neighbour."""

    origin: str
    target: str


@dataclass(frozen=True, slots=True)
class Pass:
    """A player does not move."""


Move = Deal | Place | Hit | Pass
Phase = Literal["deal", "place", "hit", "over"]


@dataclass(frozen=True, slots=True)
class Position:
    """`board` has a tower or None for each square of `squares(options.board)`; `supply` is by player."""

    options: Options
    phase: Phase
    board: tuple[Tower | None, ...]
    supply: tuple[tuple[int, ...], ...]
    turn: int = 0
    passes: int = 0

    @property
    def over(self) -> bool:
        """Whether the game has ended (KAB-R22, R24)."""
        return self.phase == "over"

    @property
    def scores(self) -> tuple[int, ...]:
        """What the towers on the board count now, by player."""
        points = [0] * self.options.players
        for tower in filter(None, self.board):
            points[tower.owner] += worth(tower, self.options.level)
        return tuple(points)

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has the most points at the end (KAB-R30); a tie is a shared victory (A-KAB11)."""
        if not self.over:
            return ()
        standings = list(zip(self.scores, self._tiebreaks(), strict=True))
        return tuple(player for player, own in enumerate(standings) if own == max(standings))

    @property
    def passing_ends(self) -> bool:
        """Whether the game would end if whoever is to move passed: he is warned first (KAB-R23)."""
        return self.phase == "hit" and _pass(self).over

    def _tiebreaks(self) -> list[int]:
        highest = [0] * self.options.players
        if self.options.tiebreak == "highest_tower":
            for tower in filter(None, self.board):
                if worth(tower, self.options.level):
                    highest[tower.owner] = max(highest[tower.owner], tower.height)
        return highest


@lru_cache
def squares(board: str) -> tuple[str, ...]:
    """Return the names of the squares: a1 b1 … a2 …, without holes."""
    columns, rows, holes = BOARDS[board]
    names = (f"{'abcdefgh'[column]}{row + 1}" for row in range(rows) for column in range(columns))
    return tuple(name for name in names if name not in holes)


@lru_cache
def _places(board: str) -> dict[str, int]:
    return {name: place for place, name in enumerate(squares(board))}


@lru_cache
def _neighbours(board: str) -> tuple[tuple[int, ...], ...]:
    """Return the places around each place, eight at most (KAB-R12)."""

    def near(one: str, other: str) -> bool:
        return max(abs(ord(one[0]) - ord(other[0])), abs(ord(one[1]) - ord(other[1]))) == 1

    names = squares(board)
    return tuple(tuple(p for p, name in enumerate(names) if near(name, own)) for own in names)


def neighbours(board: str, square: str) -> tuple[int, ...]:
    """Return the places, as in `squares`, around a square."""
    return _neighbours(board)[_places(board)[square]]


def worth(tower: Tower, level: Level) -> int:
    """Return the points of a tower (KAB-R26 to R29)."""
    if tower.symbol == "d":
        return 0
    return max(0, tower.height - LEVELS.index(level))


def opening(options: Options) -> Position:
    """Return the empty board; on the easy level it is dealt, on the others set (KAB-R3, R4)."""
    phase: Phase = "deal" if options.level == "easy" else "place"
    return Position(options, phase, (None,) * STONES, (options.supply,) * options.players)


def awaits(position: Position) -> tuple[Awaited[Move], ...]:
    """Return who may act now."""
    if position.phase == "deal":
        return (Awaited(None, "deal", count=STONES),)
    if position.phase == "over":
        return ()
    what = {"place": "place a stone", "hit": "move a tower or pass"}[position.phase]
    return (Awaited(position.turn, what, legal(position)),)


def legal(position: Position) -> tuple[Move, ...]:
    """Return every decision that is legal now."""
    if position.phase == "place":
        return tuple(_placements(position))
    if position.phase == "hit":
        return (*_hits(position, position.turn), Pass())
    return ()


def _placements(position: Position) -> Iterator[Place]:
    names = squares(position.options.board)
    free = [names[place] for place, tower in enumerate(position.board) if tower is None]
    for symbol, left in zip(SYMBOLS, position.supply[position.turn], strict=True):
        if left:
            for square in free:
                yield Place(symbol, square)


def _hits(position: Position, player: int) -> Iterator[Hit]:
    board, names = position.board, squares(position.options.board)
    near = _neighbours(position.options.board)
    for place, tower in enumerate(board):
        if tower is not None and tower.owner == player:
            beaten = BEATS[tower.symbol]
            for other in near[place]:
                target = board[other]
                if target is not None and target.symbol in beaten:
                    yield Hit(names[place], names[other])


def play(position: Position, move: Move) -> Position:
    """Return the position after a move; raises `IllegalMove`."""
    if position.over:
        raise IllegalMove(None, "the game is over")
    match move:
        case Deal():
            return _deal(position, move)
        case Place():
            return _place(position, move)
        case Hit():
            return _hit(position, move)
        case Pass():
            return _pass(position)


def _deal(position: Position, move: Deal) -> Position:
    options = position.options
    if position.phase != "deal":
        raise IllegalMove("KAB-R3", "stones are dealt only once, and only on the easy level")
    if tuple(square for square, _, _ in move.stones) != squares(options.board):
        raise IllegalMove("KAB-R7", "a deal names every square once, from a1 on, row by row")
    supply = [list(options.supply) for _ in range(options.players)]
    for _, owner, symbol in move.stones:
        if owner >= options.players:
            raise IllegalMove("KAB-R1", "there is no player {player}", player=owner + 1)
        supply[owner][SYMBOLS.index(symbol)] -= 1
    if any(sum(options.supply) - sum(own) != options.stones for own in supply):
        raise IllegalMove("KAB-R6", "each player has {count} stones", count=options.stones)
    if options.easy_symbols == "set" and any(left < 0 for own in supply for left in own):
        raise IllegalMove("A-KAB6", "a player has more stones of one symbol than the set holds")
    board = tuple(Tower(owner, symbol) for _, owner, symbol in move.stones)
    left = tuple(tuple(max(0, each) for each in own) for own in supply)
    return _settled(replace(position, phase="hit", board=board, supply=left))


def _place(position: Position, move: Place) -> Position:
    if position.phase == "deal":
        raise IllegalMove("KAB-R3", "on the easy level the stones are dealt")
    if position.phase != "place":
        raise IllegalMove("KAB-R13", "all stones are on the board")
    place = _place_of(position, move.square)
    if position.board[place] is not None:
        raise IllegalMove("KAB-R8", "{square} is not free", square=move.square)
    kind = SYMBOLS.index(move.symbol)
    own = position.supply[position.turn]
    if not own[kind]:
        raise IllegalMove("KAB-R9", "no stone of this symbol is left")
    supply = replaced(position.supply, position.turn, replaced(own, kind, own[kind] - 1))
    board = replaced(position.board, place, Tower(position.turn, move.symbol))
    after = replace(position, board=board, supply=supply, turn=_next(position))
    return after if None in board else _settled(replace(after, phase="hit"))  # KAB-R10


def _hit(position: Position, move: Hit) -> Position:
    if position.phase != "hit":
        raise IllegalMove("KAB-R13", "towers move when all stones are on the board")
    origin, target = (_place_of(position, square) for square in (move.origin, move.target))
    tower, other = position.board[origin], position.board[target]
    if tower is None or tower.owner != position.turn:
        raise IllegalMove("KAB-R16", "there is no tower of yours on {square}", square=move.origin)
    if target not in _neighbours(position.options.board)[origin]:
        raise IllegalMove("KAB-R16", "{one} is not beside {other}", one=move.target, other=move.origin)
    if other is None:
        raise IllegalMove("KAB-R20", "{square} is empty: nobody moves there any more", square=move.target)
    if other.symbol not in BEATS[tower.symbol]:
        raise IllegalMove("KAB-R18", "this symbol does not beat the one on {square}", square=move.target)
    explodes = tower.symbol == "d" and position.options.dynamite == "explode"  # A-KAB2
    on_top = None if explodes else Tower(tower.owner, tower.symbol, tower.height + other.height)
    board = replaced(replaced(position.board, origin, None), target, on_top)
    return _settled(replace(position, board=board, turn=_next(position), passes=0))


def _pass(position: Position) -> Position:
    if position.phase != "hit":
        raise IllegalMove("A-KAB8", "nobody passes before the board is full")
    return _settled(replace(position, turn=_next(position), passes=position.passes + 1))


def _settled(position: Position) -> Position:
    """Return the position after the passes of all who cannot move (A-KAB9), or its end (KAB-R22, R24)."""
    players = position.options.players
    able = [any(True for _ in _hits(position, player)) for player in range(players)]
    while any(able) and position.passes < players and not able[position.turn]:
        position = replace(position, turn=_next(position), passes=position.passes + 1)
    if not any(able) or position.passes >= players:
        return replace(position, phase="over")
    return position


def _next(position: Position) -> int:
    return (position.turn + 1) % position.options.players


def _place_of(position: Position, square: str) -> int:
    place = _places(position.options.board).get(square)
    if place is None:
        raise IllegalMove("A-KAB1", "there is no square {square} on this board", square=square)
    return place


def outcome(position: Position, awaited: Awaited[Move], rng: Rng) -> Move:
    """Return a random deal (KAB-R7): whose stones and which symbols, without putting back (A-KAB6)."""
    options = position.options
    stones: list[tuple[int, str]] = []
    for player in range(options.players):
        kit = shuffled(rng, "".join(s * n for s, n in zip(SYMBOLS, options.supply, strict=True)))
        if options.easy_symbols == "iid":
            kit = tuple(pick(rng, SYMBOLS) for _ in range(options.stones))
        stones += [(player, symbol) for symbol in kit[: options.stones]]
    dealt = zip(squares(options.board), shuffled(rng, stones), strict=True)
    return Deal(tuple((square, owner, symbol) for square, (owner, symbol) in dealt))
