"""Make 'n' Break in writing: `shuffle y07 b01 …`, `go`, `stopper 2`, `built`, `built 3`, `skip`. Pure."""

from companion.games.make_n_break.rules import Built, Go, Move, Position, Shuffle, Skip, Throw
from companion.games.rulebook import Grammar, State, seat

_TASK = "[yb](?:0[1-9]|[12][0-9]|30)"

_GRAMMAR: Grammar[Move] = Grammar(
    {
        "built": lambda _: Built(),
        "built ([1-5])": lambda match: Built(int(match[1])),
        "stopper ([0-3])": lambda match: Throw(int(match[1])),
        "go": lambda _: Go(),
        "skip": lambda _: Skip(),
        f"shuffle ({_TASK}(?: {_TASK})*)": lambda match: Shuffle(tuple(match[1].split())),
    }
)


def parse(text: str) -> Move:
    """Return the move that a line means; raises `NotationError`."""
    return _GRAMMAR.parse(text)


def write(move: Move) -> str:
    """Return the line that means a move."""
    match move:
        case Built(points):
            return f"built {points}" if points else "built"
        case Throw(value):
            return f"stopper {value}"
        case Go():
            return "go"
        case Skip():
            return "skip"
        case Shuffle(tasks):
            return " ".join(("shuffle", *tasks))


def state(position: Position) -> State:
    """Return the position as JSON has it."""
    return {
        "round": position.round,
        "builder": seat(position.builder),
        "stopper": seat(position.thrower),
        "total": position.stopper.total,
        "throws": list(position.stopper.throws),
        "task": position.task,
        "done": list(position.done),
        "pile": list(position.pile),
    }
