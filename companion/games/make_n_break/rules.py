"""Make 'n' Break (dice edition) as positions and moves (MNB-R1 to MNB-R22). Pure.

A round: the stopper die adds up to 30 while the builder fulfils one task after the other.
"""

from dataclasses import dataclass, field, replace
from typing import Literal

from companion.games.make_n_break.stopper import FACES, Stopper
from companion.games.make_n_break.tasks import Task
from companion.games.rulebook import Awaited, IllegalMove, NotationError, Rng, pick, replaced, shuffled

CARDS = 30  # MNB-R2
TURNS = 3  # how often everybody is the builder (MNB-R21)
PLAYERS = range(2, 5)  # MNB-R1
POINTS = range(1, 6)  # what may stand on a card of the box
YELLOW = {"intro": CARDS, "basic": CARDS // 2, "advanced": 0}  # cards played by that side (MNB-R5 to R7)
_LEVEL_RULES = {"intro": "MNB-R5", "basic": "MNB-R6", "advanced": "MNB-R7"}

Level = Literal["intro", "basic", "advanced"]


@dataclass(frozen=True, slots=True)
class Options:
    """What is agreed before the game; `deck` are both sides of all cards.

    With one's own cards, those of the box, nothing is dealt: the builder says what each was worth.
    """

    players: int = 2
    level: Level = "basic"
    deck: tuple[Task, ...] = ()
    compare: Literal["contact", "level"] = "contact"  # A-MNB3
    joker: Literal["cut", "transparent"] = "cut"  # A-MNB4
    skip: bool = False  # A-MNB8
    cards: Literal["deck", "own"] = "deck"  # A-MNB1


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The pile of tasks, from the top; a task is its card's number behind y or b, the side that is played."""

    tasks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Go:
    """The stopper calls "Los!"."""


@dataclass(frozen=True, slots=True)
class Throw:
    """The stopper die shows a value; 0 is a blank side."""

    value: int


@dataclass(frozen=True, slots=True)
class Built:
    """The task is complete, and broken down again; `points` stand on one's own card, 0 on none."""

    points: int = 0


@dataclass(frozen=True, slots=True)
class Skip:
    """The task on top goes to the bottom of the pile, where that is allowed."""


Move = Shuffle | Go | Throw | Built | Skip
Phase = Literal["shuffle", "go", "run", "over"]


@dataclass(frozen=True, slots=True)
class Position:
    """`pile` has the task on top first; `done` are the tasks fulfilled in this round, oldest first.

    Of one's own cards `done` has the points.

    `sides` are all tasks that are played, sorted, once the first shuffle has shown them (A-MNB10).
    """

    options: Options
    phase: Phase
    scores: tuple[int, ...]
    round: int = 1
    stopper: Stopper = field(default_factory=Stopper)
    pile: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """Whether everybody has been the builder three times (MNB-R21)."""
        return self.phase == "over"

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has the most points at the end (MNB-R22); a tie is a shared victory (A-MNB12)."""
        if not self.over:
            return ()
        return tuple(player for player, own in enumerate(self.scores) if own == max(self.scores))

    @property
    def builder(self) -> int:
        """Who builds; the next round it is the left neighbour (MNB-R20)."""
        return (self.round - 1) % self.options.players

    @property
    def turn(self) -> int:
        """Whose turn it is: the builder's."""
        return self.builder

    @property
    def thrower(self) -> int:
        """Who has the stopper die: the builder's right neighbour (MNB-R4)."""
        return (self.builder - 1) % self.options.players

    @property
    def task(self) -> str | None:
        """The task that is being built: the card on top, once the round runs (MNB-R12)."""
        return self.pile[0] if self.phase == "run" and self.pile else None


def opening(options: Options) -> Position:
    """Return the position before the cards are shuffled; one's own cards people shuffle themselves."""
    return Position(options, _fresh(options), (0,) * options.players)


def _fresh(options: Options) -> Phase:
    """Return what a round begins with."""
    return "go" if options.cards == "own" else "shuffle"


def awaits(position: Position) -> tuple[Awaited[Move], ...]:
    """Return who may act now."""
    shuffle: Awaited[Move] = Awaited(None, "shuffle", count=CARDS)
    match position.phase:
        case "shuffle":
            return (shuffle,)
        case "go":
            return (Awaited(position.thrower, "call Los!", legal(position)),)
        case "run":
            throws: tuple[Move, ...] = tuple(map(Throw, sorted(set(FACES))))
            die = Awaited(None, "stopper", throws, paced=True)
            builder = Awaited(position.builder, "build the task", legal(position))
            return (die, builder if builder.moves else shuffle)
        case "over":
            return ()


def legal(position: Position) -> tuple[Move, ...]:
    """Return every decision that is legal now."""
    if position.phase == "go":
        return (Go(),)
    if position.phase == "run" and position.options.cards == "own":
        return tuple(map(Built, POINTS))
    if position.task is None:
        return ()
    return (Built(), Skip()) if position.options.skip else (Built(),)


def play(position: Position, move: Move) -> Position:
    """Return the position after a move; raises `Refusal`."""
    if isinstance(move, Skip) and not position.options.skip:  # A-MNB8: then there is no such move
        raise NotationError("'{line}' is no move of this game", line="skip")
    if isinstance(move, Built) and move.points and position.options.cards == "deck":
        raise NotationError("'{line}' is no move of this game", line=f"built {move.points}")
    if position.over:
        raise IllegalMove(None, "the game is over")
    match move:
        case Shuffle(tasks):
            return _shuffle(position, tasks)
        case Go():
            if position.phase != "go":
                raise IllegalMove("MNB-R10", "a round begins when the cards are shuffled, and only once")
            return replace(position, phase="run")
        case Throw(value):
            return _throw(position, value)
        case Built(points):
            task = _own(position, points) if position.options.cards == "own" else _task(position)
            return replace(position, pile=position.pile[1:], done=(*position.done, task))
        case Skip():
            task = _task(position)
            return replace(position, pile=(*position.pile[1:], task))


def _shuffle(position: Position, tasks: tuple[str, ...]) -> Position:
    if position.pile or position.options.cards == "own":
        raise IllegalMove("MNB-R20", "the cards are shuffled before a round, or when the pile is empty")
    if sorted(task[1:] for task in tasks) != [f"{number:02}" for number in range(1, CARDS + 1)]:
        raise IllegalMove("MNB-R2", "the pile has each of the cards 01 to 30 once")
    level = position.options.level
    if sum(task[0] == "y" for task in tasks) != YELLOW[level]:
        rule = _LEVEL_RULES[level]
        raise IllegalMove(
            rule, "on this level {count} cards are played by the yellow side", count=YELLOW[level]
        )
    sides = tuple(sorted(tasks))
    if position.sides not in ((), sides):
        raise IllegalMove("A-MNB10", "each card keeps the side that is played")
    phase: Phase = "run" if position.phase == "run" else "go"  # A-MNB11: within a round it goes on
    return replace(position, phase=phase, pile=tasks, sides=sides)


def _throw(position: Position, value: int) -> Position:
    if position.phase != "run":
        raise IllegalMove("MNB-R10", "the stopper throws only while the round runs")
    after = replace(position, stopper=position.stopper.play(value))
    return _ended(after) if after.stopper.over else after


def _task(position: Position) -> str:
    if position.phase != "run":
        raise IllegalMove("MNB-R18", "tasks are built only while the round runs")
    if position.task is None:
        raise IllegalMove("A-MNB11", "the pile is empty: the fulfilled cards are shuffled first")
    return position.task


def _own(position: Position, points: int) -> str:
    if position.phase != "run":
        raise IllegalMove("MNB-R18", "tasks are built only while the round runs")
    if points not in POINTS:
        raise IllegalMove("MNB-R19", "say the points that stand on the card: built 3")
    return str(points)


def _ended(position: Position) -> Position:
    """ "Stopp!": what is fulfilled counts, and the left neighbour builds next (MNB-R17 to R21)."""
    won = score(position)
    scores = replaced(position.scores, position.builder, position.scores[position.builder] + won)
    if position.round == TURNS * position.options.players:
        return replace(position, phase="over", scores=scores)
    fresh = Position(position.options, _fresh(position.options), scores, position.round + 1)
    return replace(fresh, sides=position.sides)


def score(position: Position) -> int:
    """Return the points of the tasks fulfilled in this round; the one on top counts nothing (MNB-R19)."""
    if position.options.cards == "own":
        return sum(map(int, position.done))
    points = {task.name: task.points for task in position.options.deck}
    return sum(points[task] for task in position.done)


def outcome(position: Position, awaited: Awaited[Move], rng: Rng) -> Move:
    """Return a throw of the stopper die, or the cards in a random order, at first with random sides."""
    if awaited.what == "stopper":
        return Throw(pick(rng, FACES))
    if position.sides:
        return Shuffle(shuffled(rng, position.sides))
    cards = shuffled(rng, range(1, CARDS + 1))
    yellow = cards[: YELLOW[position.options.level]]
    return Shuffle(tuple(f"{'y' if card in yellow else 'b'}{card:02}" for card in shuffled(rng, cards)))
