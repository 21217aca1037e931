"""The odds of Make 'n' Break in words: what to throw again, and whether it is built in time. Pure.

How they are computed stands in `builds` (the throws of a task) and `chances` (the race with the stopper).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from companion.config import WrongError
from companion.games.make_n_break.builds import SIDES, again, built, expected_throws, solve, thrown
from companion.games.make_n_break.chances import in_time, running, stops, throws_left
from companion.games.make_n_break.rules import Position
from companion.games.make_n_break.stopper import GOAL
from companion.games.make_n_break.tasks import Task
from companion.language import Message, mark

FASTEST = 100  # throws of the stopper for each one of the builder
COLOURS = {
    None: mark("any"),
    "white": mark("white"),
    "yellow": mark("yellow"),
    "blue": mark("blue"),
    "black": mark("black"),
    "red": mark("red"),
    "green": mark("green"),
    "orange": mark("orange"),
}
KINDS = {"die": mark("{number} ({colour})"), "cuboid": mark("{number} (cuboid, {colour})")}


def told(
    position: Position,
    task: str | None = None,
    shown: Sequence[int] = (),
    total: int | None = None,
    pace: float | None = None,
) -> Iterator[Message]:
    """Yield what is known of a task that is being built, a line each; without a name, of the one on top.

    `shown` are its thrown pieces as they lie, in the order of the card; `total` is the stopper's, `pace` how
    often he throws while the builder throws once. Raises `WrongError`.
    """
    at = position.stopper.total if total is None else total
    if not 0 <= at < GOAL:
        raise WrongError(Message(mark("the total of a stopper who runs is 0 to {most}"), {"most": GOAL - 1}))
    if pace is not None and not 0 < pace <= FASTEST:
        raise WrongError(Message(mark("the pace is more than 0, and at most {most}"), {"most": FASTEST}))
    name = task or position.task
    if not name and (shown or pace is not None):
        raise WrongError(Message(mark("name the task that is built: --task y07")))
    if name:
        found = next((each for each in position.options.deck if each.name == name), None)
        if found is None:
            raise WrongError(Message(mark("there is no task '{task}'; tasks are y01 to b30"), {"task": name}))
        yield from _building(position, found, shown, at, measured(position) if pace is None else pace)
    yield from _stopper(at)


def measured(position: Position) -> float:
    """How often the stopper has thrown in this round for each throw of the builder; 1 if nothing is built.

    The builder's throws nobody counts: it is taken that he needed as many as one needs on the average.
    """
    tasks = {task.name: task for task in position.options.deck}
    needed = sum(_expected(position, tasks[name]) for name in position.done if name in tasks)
    return len(position.stopper.throws) / needed if needed and position.stopper.throws else 1.0


def _expected(position: Position, task: Task) -> float:
    return _expected_of(task, position.options.compare, position.options.joker)


_expected_of = lru_cache(maxsize=128)(expected_throws)  # a large task takes half a second


def _building(
    position: Position, task: Task, shown: Sequence[int], total: int, pace: float
) -> Iterator[Message]:
    pieces = thrown(task.pieces)
    if shown:
        _fitting(task, shown)
    if task.free or not pieces:
        need = _expected(position, task)
        yield Message(
            mark("Task {task}: {throws:.2f} throws on average"), {"task": task.name, "throws": need}
        )
        chance = running(total)[min(int(need * pace), len(running(total)) - 1)]
    else:
        fits = built(task, position.options.compare, position.options.joker)
        values = solve(fits)
        if shown and fits[tuple(value - 1 for value in shown)]:
            yield Message(mark("This can be built as it lies"))
            return
        if shown:
            hand, need = again(values, shown)
            names = [_piece(task, pieces[index]) for index in hand]
            fields = {"pieces": _listed(names), "throws": need}
            yield Message(mark("Throw again: {pieces}; {throws:.2f} throws on average"), fields)
        else:
            fields = {"task": task.name, "throws": float(values[(-1,) * values.ndim])}
            yield Message(mark("Task {task}: {throws:.2f} throws on average"), fields)
        chance = in_time(values, fits, shown or None, total, pace)
    text = mark(
        "In time: {chance:.1f} %, if the stopper throws {pace:.2f} times for each throw of the builder"
    )
    yield Message(text, {"chance": 100 * chance, "pace": pace})


def _fitting(task: Task, shown: Sequence[int]) -> None:
    """Raise `WrongError` if these are not the values of the task's thrown pieces."""
    pieces = thrown(task.pieces)
    if len(shown) != len(pieces):
        fields = {"task": task.name, "count": len(pieces), "given": len(shown)}
        raise WrongError(Message(mark("task {task} has {count} pieces to throw, not {given}"), fields))
    for index, value in zip(pieces, shown, strict=True):
        most = SIDES[task.pieces[index].kind]
        if not 1 <= value <= most:
            fields = {"piece": _piece(task, index), "most": most, "value": value}
            raise WrongError(Message(mark("{piece} shows 1 to {most}, not {value}"), fields))


def _piece(task: Task, index: int) -> Message:
    """A piece by its number on the card, and its colour."""
    piece = task.pieces[index]
    return Message(KINDS[piece.kind], {"number": index + 1, "colour": Message(COLOURS[piece.colour])})


def _listed(items: Sequence[Message]) -> Message:
    """Some things in a row."""
    first, *rest = items
    if not rest:
        return first
    return Message(mark("{first}, {rest}"), {"first": first, "rest": _listed(rest)})


def _stopper(total: int) -> Iterator[Message]:
    fields = {"total": total, "throws": throws_left(total)}
    yield Message(mark("The stopper is at {total}: {throws:.1f} throws to go on average"), fields)
    for end, chance in stops(total).items():
        yield Message(mark("He stops at {total}: {chance:.1f} %"), {"total": end, "chance": 100 * chance})
