"""The throws of dice so far, as they count now: what the eye has read, and what people made of it."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import dist

from companion.eye.dice import COLOURS, PIPS, Colour, Die, Shown
from companion.eye.motion import Box
from companion.eye.network import Found, inside
from companion.eye.taught import Look
from companion.eye.throws import Throw
from companion.journal import Job, Journal, id_of
from companion.store import Source, Store, StoredDie, StoredThrow, Trust

KEPT = 12  # throws that are kept at hand


@dataclass(frozen=True, slots=True)
class LoggedDie:
    """A die of a throw; `face` is None for what turned out to be no die, `die/side` for one without pips, of
    which there is a `look` while the program runs.
    """

    face: Shown | None
    colour: Colour = "white"
    look: Look | None = field(default=None, compare=False, repr=False)


@dataclass(eq=False, slots=True)
class LoggedThrow:
    """A throw as it counts now, and how it counted before each correction; `id` is the store's.

    If it is `asked`, the eye was not sure and people have not said yet what it shows; if it is `confirmed`,
    somebody has said that it is right. `guesses` are the indices of the dice that the eye was not sure of,
    each with the face that is the next best guess, and `dazzled` of those that were too bright.
    """

    dice: tuple[LoggedDie, ...]
    source: Source
    id: int | None = None
    history: list[tuple[LoggedDie, ...]] = field(default_factory=list)
    trust: Trust = "sure"
    guesses: dict[int, int | None] = field(default_factory=dict)
    dazzled: frozenset[int] = frozenset()
    answered: int = 0  # corrections there were when it was confirmed
    numbers: frozenset[int] = frozenset()  # of that throw, as the eye has seen it while the program runs
    boxes: dict[int, Box] = field(default_factory=dict)  # where its dice lie, by index, likewise

    @property
    def faces(self) -> tuple[Shown, ...]:
        """The faces that count."""
        return tuple(die.face for die in self.dice if die.face)

    @property
    def pips(self) -> tuple[int, ...]:
        """Those of them that are numbers, and are summed up."""
        return tuple(face for face in self.faces if isinstance(face, int))

    @property
    def corrected(self) -> bool:
        """Whether a person has corrected it."""
        return bool(self.history)

    @property
    def asked(self) -> bool:
        """Whether the eye was not sure, and people have not said yet what it shows."""
        return self.trust == "asked"

    @property
    def doubts(self) -> dict[int, int | None]:
        """The guesses that people are asked about: where nobody has corrected a die, be it to its face."""
        read = self.history[0] if self.history else self.dice
        left = {index: guess for index, guess in self.guesses.items() if self.dice[index] is read[index]}
        return left if self.asked else {}

    def follow(self, seen: Sequence[Die], found: Iterable[Found] = ()) -> None:
        """Note where its dice lie now; they may have been pushed. What shows what a die was read as is that
        die, the nearest first; of those in doubt the eye may only have `found` something there.
        """
        read = self.history[0] if self.history else self.dice
        lies, known = dict[int, Box](), set[int]()
        pairs = [(i, n) for i, was in enumerate(read) for n, die in enumerate(seen) if die.shows == was.face]
        for index, number in sorted(pairs, key=lambda pair: self._off(pair[0], seen[pair[1]].box)):
            if index not in lies and number not in known:
                lies[index] = seen[number].box
                known.add(number)
        spare = [each.box for each in found if not any(inside(die.center, each.box) for die in seen)]
        for index in self.guesses.keys() & self.boxes.keys() - lies.keys() if spare else ():
            nearest, (left, _, right, _) = min(spare, key=partial(self._off, index)), self.boxes[index]
            if self._off(index, nearest) <= right - left:
                lies[index] = nearest
        self.boxes |= lies

    def _off(self, index: int, box: Box) -> float:
        """How far a box is from where a die lay, in pixels; 0 if nobody knows that."""
        return dist(_middle(self.boxes.get(index, box)), _middle(box))

    @property
    def dazzling(self) -> frozenset[int]:
        """The dice in doubt that are too bright."""
        return self.dazzled & self.doubts.keys()

    @property
    def said(self) -> bool:
        """Whether a person has said what it shows: nobody knows better."""
        return self.trust == "confirmed" or self.corrected


class ThrowLog:
    """The last throws. Raises `StoreError` only when it is made."""

    def __init__(self, store: Store, journal: Journal) -> None:
        self._store, self._journal = store, journal
        last = reversed(store.last_throws(KEPT))
        self._real = deque((_logged(throw) for throw in last), maxlen=KEPT)
        self._recorded = deque[LoggedThrow](maxlen=KEPT)  # those of the demonstration
        self.changed: LoggedThrow | None = None  # what was corrected last, since the newest one came

    def _like(self, source: Source) -> deque[LoggedThrow]:
        """Where throws of a source are."""
        return self._recorded if source == "demonstration" else self._real

    @property
    def throws(self) -> tuple[LoggedThrow, ...]:
        """The last throws that count, the newest first; recorded ones of the demonstration are none."""
        return tuple(throw for throw in reversed(self._real) if throw.faces)

    @property
    def demonstrated(self) -> tuple[LoggedThrow, ...]:
        """Those of the demonstration since the program was started, the newest first."""
        return tuple(throw for throw in reversed(self._recorded) if throw.faces)

    @property
    def current(self) -> LoggedThrow | None:
        """The newest real one, or one whose dice a person has all taken off: that can be taken back."""
        return _newest(self._real)

    @property
    def current_demonstrated(self) -> LoggedThrow | None:
        """As `current`, of the demonstration."""
        return _newest(self._recorded)

    def holds(self, throw: LoggedThrow) -> bool:
        """Whether a throw is among them: the eye may have revised it meanwhile."""
        return throw in self._like(throw.source)

    def thrown(self, throw: Throw, demonstration: bool = False) -> LoggedThrow:
        """Take down what the eye has seen. A reading that revises another one takes its place; what is
        found lying there as it was read before is that throw.
        """
        source: Source = "demonstration" if demonstration else "camera"
        before = next((each for each in reversed(self._like(source)) if each.source == source), None)
        guesses = {i: second if second and second <= PIPS else None for i, second in throw.doubts}
        dice = [
            _stored(die, i in throw.stayed, (guesses[i] or 0) if i in guesses else None)
            for i, die in enumerate(throw.dice)
        ]
        revised = self._revised(throw, source)
        if revised and revised.said:
            revised.follow(throw.dice)
            return revised
        lay_there = before if throw.found and before and _as_read(before) == _shown(throw) else None
        if lay_there and (lay_there.corrected or not lay_there.asked):
            lay_there.numbers |= {throw.number}
            lay_there.follow(throw.dice)
            return lay_there
        dazzled = frozenset(i for i in guesses if throw.dice[i].dazzling)
        logged = LoggedThrow(
            tuple(_logged_die(stored, die.look) for stored, die in zip(dice, throw.dice, strict=True)),
            source,
            trust="sure" if throw.sure else "asked",
            guesses=guesses,
            dazzled=dazzled,
            boxes=dict(enumerate(die.box for die in throw.dice)),
        )
        replaced = revised or lay_there
        logged.numbers = (replaced.numbers if replaced else frozenset()) | {throw.number}
        if replaced:
            return self._replace(replaced, logged, dice)
        return self._add(logged, dice)

    def withdraw(self, throw: Throw) -> None:
        """What a reading revises counts no more, unless a person has said what it shows; nor does this."""
        revised = self._revised(throw, "camera")
        if revised and not revised.said:
            self._replace(revised, LoggedThrow((), revised.source), [])

    def _revised(self, throw: Throw, source: Source) -> LoggedThrow | None:
        """The throw that a reading revises, if it was taken down."""
        same = (each for each in reversed(self._like(source)) if throw.number in each.numbers)
        return next(same, None) if throw.revises else None

    def confirm(self, throw: LoggedThrow) -> None:
        """A throw that was asked is right as it was read."""
        if self.holds(throw) and throw.asked:
            self._write(self._confirmed(throw))

    def settle(self, throw: LoggedThrow, faces: Sequence[Shown]) -> None:
        """A person says what its dice show: what was read otherwise is corrected, the rest confirmed."""
        if not self.holds(throw):  # the eye has revised the throw meanwhile
            return
        read = enumerate(zip(throw.dice, faces, strict=False))
        jobs = [self._corrected(throw, index, face) for index, (die, face) in read if die.face != face]
        if throw.asked:
            jobs.append(self._confirmed(throw))
        if jobs:
            self._write(*jobs)

    def correct(self, throw: LoggedThrow, index: int, face: Shown | None) -> None:
        """Let the die at `index` of the throw show another face, or be none."""
        if self.holds(throw):
            self._write(self._corrected(throw, index, face), *self._answered(throw))

    def add(self, throw: LoggedThrow | None, face: Shown) -> LoggedThrow:
        """Add a die that was not seen; without a throw it begins one, entered by hand."""
        if throw is None or not self.holds(throw):
            throw = self._add(LoggedThrow((), "hand"), [])  # its first die can be taken back like all others
        throw.history.append(throw.dice)
        throw.dice = (*throw.dice, LoggedDie(face))
        self._write(lambda: self._store.add_die(id_of(throw), face), *self._answered(throw))
        return throw

    def _write(self, *jobs: Job) -> None:
        """Store what belongs together: all of it, or nothing."""

        def job() -> None:
            with self._store.together():
                for each in jobs:
                    each()

        self._journal.write(job)

    def _confirmed(self, throw: LoggedThrow) -> Job:
        throw.trust, throw.answered = "confirmed", len(throw.history)
        return lambda: self._store.confirm(id_of(throw))

    def _corrected(self, throw: LoggedThrow, index: int, face: Shown | None) -> Job:
        throw.history.append(throw.dice)
        self.changed = throw
        die = replace(throw.dice[index], face=face, look=None)
        throw.dice = (*throw.dice[:index], die, *throw.dice[index + 1 :])
        return lambda: self._store.correct(id_of(throw), index, face)

    def _answered(self, throw: LoggedThrow) -> list[Job]:
        """Where corrections leave nothing in doubt, nothing is asked any more."""
        return [self._confirmed(throw)] if throw.asked and not throw.doubts else []

    def undo(self, throw: LoggedThrow) -> bool:
        """Take back what a person said last of it: that it is right, or a correction, and with that what it
        answered; False if nobody has said anything.
        """
        if not throw.said:
            return False
        asks_again = throw.trust == "confirmed" and len(throw.history) <= throw.answered
        if asks_again:
            throw.trust = "asked"
        corrects = throw.corrected and not (asks_again and throw.doubts)  # else a correction had answered it
        if corrects:
            throw.dice = throw.history.pop()
        undone: list[Job] = [lambda: self._store.undo(id_of(throw))] if corrects else []
        asked: list[Job] = [lambda: self._store.confirm(id_of(throw), right=False)] if asks_again else []
        self._write(*undone, *asked)
        return True

    def _add(self, throw: LoggedThrow, dice: list[StoredDie]) -> LoggedThrow:
        def job() -> None:
            throw.id = self._store.add_throw(throw.source, dice, throw.trust)

        self._journal.write(job)
        self._like(throw.source).append(throw)
        self.changed = None
        return throw

    def _replace(self, before: LoggedThrow, throw: LoggedThrow, dice: list[StoredDie]) -> LoggedThrow:
        def job() -> None:
            throw.id = self._store.replace_throw(id_of(before), throw.source, dice, throw.trust)

        self._journal.write(job)
        throws = self._like(throw.source)
        throws.remove(before)
        throws.append(throw)
        self.changed = None
        return throw


def _middle(box: Box) -> tuple[float, float]:
    x0, y0, x1, y1 = box
    return (x0 + x1) / 2, (y0 + y1) / 2


def _newest(throws: Iterable[LoggedThrow]) -> LoggedThrow | None:
    """The last one that counts, or of which a person has said that no die does; what the eye has replaced
    nobody has answered.
    """
    newest = reversed(tuple(throws))
    return next((throw for throw in newest if throw.faces or (throw.corrected and not throw.asked)), None)


def _as_read(throw: LoggedThrow) -> list[str]:
    """What the eye had read, whatever people made of it."""
    dice = throw.history[0] if throw.history else throw.dice
    return sorted(str(die.face) for die in dice)


def _shown(throw: Throw) -> list[str]:
    """What the eye reads."""
    return sorted(str(die.shows) for die in throw.dice)


def _stored(die: Die, stayed: bool, doubt: int | None) -> StoredDie:
    return StoredDie(die.shows, None if stayed else die.shows, die.colour, die.confidence, doubt)


def _logged_die(die: StoredDie, look: Look | None = None) -> LoggedDie:
    return LoggedDie(die.face, next((known for known in COLOURS if known == die.colour), COLOURS[0]), look)


def _logged(throw: StoredThrow) -> LoggedThrow:
    """As it was stored. Of older versions nobody knows which dice were in doubt: all are then."""
    # A die that was not corrected is the same one before and after.
    dice_of = {id(die): _logged_die(die) for dice in (*throw.before, throw.dice) for die in dice}
    *before, dice = (tuple(dice_of[id(die)] for die in dice) for dice in (*throw.before, throw.dice))
    read = throw.before[0] if throw.before else throw.dice
    guesses = {i: die.doubt or None for i, die in enumerate(read) if die.doubt is not None}
    guesses = guesses or dict.fromkeys(range(len(read)))
    answered = len(before) if throw.answered is None else throw.answered
    return LoggedThrow(dice, throw.source, throw.id, before, throw.trust, guesses, answered=answered)
