"""Who plays Bau Boom without hands: what they choose, and why, from what they may know. Pure.

They know what lies open, and their own barrow. The barrows of others and the container are to them what lies
face down: no answer depends on which tile is where.
"""

from collections import Counter
from collections.abc import Callable, Iterator

from companion.games.bau_boom import plan
from companion.games.bau_boom.choices import legal, offered
from companion.games.bau_boom.hill import COLOURS, Colour, free, missing, places
from companion.games.bau_boom.lap import Hill, Lap, brought_home, hills, turns
from companion.games.bau_boom.notation import write
from companion.games.bau_boom.odds import for_player
from companion.games.bau_boom.position import Go, Lay, Move, Position, Remove, Take
from companion.games.bau_boom.reasons import why
from companion.games.rulebook import Rng, pick
from companion.games.thought import Pressed, Strength, Thought

STRENGTHS: tuple[Strength, ...] = ("mouse", "fox", "dragon")

Value = Callable[[Move], float]
"""What a move is worth: minus the turns that are still to come."""


def think(position: Position, strength: Strength, rng: Rng, pressed: Pressed) -> Iterator[Thought]:
    """Yield what an animal would do; the last counts.

    The mouse goes for what it likes and forgets what it has. The fox takes what it lacks, throw by throw. The
    dragon begins like the fox, and then thinks its lap to the end (see `lap`).
    """
    yield _best(position, _liked(position) if strength == "mouse" else _lacked(position), rng)
    if strength == "dragon" and len(legal(position)) > 1:
        value = _ahead(position, pressed)
        if value:
            yield _best(position, value, rng)


def _best(position: Position, value: Value, rng: Rng) -> Thought:
    values = {move: value(move) for move in legal(position)}
    best = max(values.values())
    move = pick(rng, [move for move, each in values.items() if each == best])
    return Thought(write(move), why(position, move), best)


def _sensible(position: Position) -> Move | None:
    """The proposal at the hill; on the trail the best place for a tile that fits."""
    player = position.due.player
    if position.due.what == "move":
        return None
    if position.due.what in ("build", "pay"):
        return plan.proposed(position)
    own, covered = position.options.plan(player), position.covered[player]
    return next(iter(plan.proposal(own, covered, (offered(position, position.due),))), None)


# The mouse

REMEMBERED = 3  # tiles


def _liked(position: Position) -> Value:
    """What a child likes: the nearest tile that has a place now, best of its favourite colour, and ladybugs.

    Where there is nothing to like it goes as far as it can. Of what lies in its barrow it remembers only the
    last tiles.
    """
    options, player = position.options, position.due.player
    own, covered = options.plan(player), position.covered[player]
    last = position.barrows[player].tiles[-REMEMBERED:]
    wanted = {colour: len(free(own, covered, colour)) - last.count(colour) for colour in COLOURS}
    favourite = max(COLOURS, key=lambda colour: wanted[colour])
    fun = 1.0 if options.size(player) - len(covered) > 2 else -1.0  # ladybugs, as long as much is missing
    dull, sensible = -turns(options, player, covered), _sensible(position)

    def liked(tile: Colour | None) -> float:
        return 0.0 if tile is None or wanted[tile] <= 0 else 2.0 if tile == favourite else 1.0

    def value(move: Move) -> float:
        match move:
            case Go(0) if not options.zero_triggers:
                return dull
            case Go(number):
                space = position.stops(position.barrows[player].at + number)
                brings = options.trail[space] == "ladybug" and (
                    position.trail[space] or any(position.container)
                )
                there = fun if brings else liked(position.trail[space])
                return dull + there - (number if there > 0 else -number) / 100
            case Take() if position.due.what == "tile" and options.variant != "younger":
                return dull + liked(offered(position, position.due)) - 0.5
            case _:
                return dull + (move == sensible)

    return value


# The fox

LEFT_OVER = 1.0  # turns that it costs to bring home what does not fit, one tile or several
IDLE = 0.2  # turns that it costs to stand still, about: all that may come later is still to come


def _lacked(position: Position) -> Value:
    """Tile by tile: what the hill lacks and the barrow does not hold is worth a turn."""
    player = position.due.player
    barrow, lacking = position.barrows[player], _lacking(position, player)
    rest, sensible = -turns(position.options, player, position.covered[player]), _sensible(position)
    younger = position.options.variant == "younger"
    surplus = bool(barrow.tiles) if younger else any(count < 0 for count in lacking.values())
    left_over = 0.0 if surplus else -LEFT_OVER

    def wanted(tile: Colour) -> bool:
        if younger:
            return bool(free(position.options.plan(player), position.covered[player], tile))
        return lacking[tile] > 0

    def given(tile: Colour | None) -> float:
        return 0.0 if tile is None else 1.0 if wanted(tile) else left_over

    drawn = sum(p * given(colour) for colour, p in zip(COLOURS, for_player(position, player), strict=True))

    def landed(space: int) -> float:
        tile = position.trail[space]
        match position.options.trail[space]:
            case "ladybug":
                return given(tile) + drawn
            case "anteater":
                return -sum(1.0 if lacking[last] >= 0 else -LEFT_OVER for last in barrow.tiles[-1:])
            case _:
                return max(0.0, given(tile))

    def value(move: Move) -> float:
        match move:
            case Go(0) if not position.options.zero_triggers:
                return rest - IDLE
            case Go(number):
                hurry = 0.01 if any(count > 0 for count in lacking.values()) else -0.01
                return rest + landed(position.stops(barrow.at + number)) - hurry * number
            case Take() if position.due.what == "tile" and not younger:
                return rest + given(offered(position, position.due))
            case _:
                return rest + (move == sensible)

    return value


def _lacking(position: Position, player: int) -> Counter[Colour]:
    """Return how many tiles of each colour are still to be found; below 0, how many are too many."""
    lacking = Counter(missing(position.options.plan(player), position.covered[player]))
    lacking.subtract(position.barrows[player].tiles)
    return lacking


# The dragon


def _ahead(position: Position, pressed: Pressed) -> Value | None:
    """The turns to the end of the game, by the rest of the lap; None if it is to be answered before."""
    if position.due.what in ("build", "pay"):
        return _at_home(position)
    options, player, barrow = position.options, position.due.player, position.barrows[position.due.player]
    hill, tiles = position.covered[player], barrow.tiles
    lap = Lap(position, player, for_player(position, player))
    nearest = min(
        (barrow.at + move.number for move in legal(position) if isinstance(move, Go)), default=barrow.at
    )
    while lap.space > nearest:
        if pressed():
            return None
        lap.back()

    def stands(space: int, then: Hill, carried: tuple[Colour, ...]) -> float:
        return float(lap.stood[space][lap.loads.at(then, carried)])

    def value(move: Move) -> float:
        match move:
            case Go(0):
                return -stands(barrow.at, hill, tiles)
            case Go(number):
                space = min(barrow.at + number, lap.end)
                if space < lap.end and options.trail[space] == "anteater":
                    return -stands(space, hill, tiles[:-1])
                return -float(lap.landed[space][lap.loads.at(hill, tiles)])
            case Lay(_, place) if len(hill) + 1 == options.size(player):
                return 0.0
            case Lay(_, place):
                return -stands(
                    barrow.at, hill | {place}, tiles[:-1] if position.due.what == "drawn" else tiles
                )
            case Take() if position.due.what == "tile":  # not if it makes no difference
                return -stands(barrow.at, hill, (*tiles, offered(position, position.due))) - 1e-9
            case _:
                return -stands(barrow.at, hill, tiles)

    return value


def _at_home(position: Position) -> Value:
    """What the hill is worth that can come of it."""
    options, player = position.options, position.due.player
    own, hill, brought = (
        options.plan(player),
        position.covered[player],
        Counter(position.barrows[player].tiles),
    )
    ends: dict[Hill, float] = {}
    for each in hills(own, hill):
        left = Counter(brought)
        left.subtract(colour for place, colour in places(own) if place in each - hill)
        if min(left.values(), default=0) >= 0 and not any(left[c] and free(own, each, c) for c in COLOURS):
            ends[each] = -brought_home(options, player, each, any(left.values()))

    def value(move: Move) -> float:
        match move:
            case Lay(_, place):
                return max(worth for end, worth in ends.items() if place in end)
            case Remove(place):
                return -turns(options, player, hill - {place})
            case _:
                return max(ends.values())

    return value
