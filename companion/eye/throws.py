"""Frames become throws: dice that have come to rest are announced, once.

While nothing moves, readings are collected and vote. When they agree, what lies on the table is compared with
what lay there before: only dice that were newly placed make a throw.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import reduce
from itertools import count

from companion.eye.dice import Die
from companion.eye.motion import Movement
from companion.eye.trust import Candidate, Verdict, judge

REST = 0.25  # seconds without movement, at least ...
FRAMES = 3  # ... and so many readings
FAR = 2.0  # seconds after which movement far from all dice no longer matters: it is no die that still rolls
PATIENT = 0.7  # seconds after which a darker picture is wanted of bright dice in doubt or dazzling, ...
PLAIN = 0.9995  # ... or where the chance that all is right is less
DOUBT = 1.5  # seconds after which people are asked where the readings do not agree, or are not sure
KEEP = 2.5  # seconds of readings that vote
SHAKEN = 4.0  # seconds for which the one that was cocked may be in a hand, to be thrown again
LIFTED = 4.0  # seconds for which a hand may rest on the edge of a die that lies there
TRIES = 3  # darker pictures before a verdict at most: taking one may look like movement
KNOCKED = 0.5  # seconds within which what was pushed is seen again: a die, or all on a table that was knocked

# In widths of a die:
SAME = 0.35  # readings so near each other are of one die
NUDGE = 1.0  # so far a die may be pushed and still be the same throw
PLACE = 0.15  # so near to where it lay a die that was out of sight has only been covered: none is thrown so
MARGIN = 0.5  # movement so near to a die may be its own

_NUMBERS = count(1)


class State(Enum):
    """What goes on on the table."""

    NOTHING = "nothing"
    """There are no dice."""
    MOVING = "moving"
    """Dice roll, or a hand is at work."""
    SETTLING = "settling"
    """Nothing moves, and the readings do not agree yet."""
    CUT_OFF = "cut off"
    """A die lies on the edge of the picture."""
    COCKED = "cocked"
    """A die leans on something: it has to be thrown again, or laid flat."""
    RESTING = "resting"
    """The throw has been announced, and lies there."""


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice that lie still since they were thrown; `at` is the time of the frame that settled it, in seconds.

    If it `revises` the throw before, no die was touched: that one had been read wrongly. It was `found` if
    nothing has moved near it since somebody looks: perhaps it has been told before. It is `sure`, or
    somebody has to be asked: then `doubts` says which dice are doubted, by their numbers, and what each shows
    otherwise. `chance` (0..1) is how likely all of it is right. A reading that revises another one has the
    same `number`, and no other has. Those dice were not thrown that have `stayed` there, by their numbers.
    """

    dice: tuple[Die, ...]
    at: float
    revises: bool = False
    sure: bool = True
    doubts: tuple[tuple[int, int | None], ...] = ()
    chance: float = 1.0
    found: bool = False
    number: int = field(default=0, compare=False)
    stayed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Reading:
    """What was seen of a frame: dice, and what may be one; and what moved there, far from all of them."""

    at: float
    dice: tuple[Die, ...]
    doubts: tuple[Die, ...] = ()
    moving: Movement = field(default_factory=Movement.none)


class Watcher:
    """Watches one table. Give it the reading of every frame in turn.

    If a bright die is in doubt or dazzles, or lies among dice that are not quite certain, it `wants_darker`:
    a picture with less light, once for what lies there. Until that is there (or found not to be had, which
    has to be said), or something moves, nothing that is read counts.
    """

    def __init__(self) -> None:
        self.state = State.NOTHING
        self.wants_darker = False
        self._wanted = False  # whether it has wanted that of what lies there
        self._tries = 0  # how often since the last verdict
        self._readings: deque[Reading] = deque()  # since something moved near dice
        self._lying: tuple[Die, ...] = ()  # what was announced and still lies there
        self._told: tuple[Die, ...] = ()  # the last throw; of what is not known in it somebody is asked
        self._stayed: list[Die] = []  # what of that was not thrown with it
        self._gone: tuple[Die, ...] = ()  # what was, and has been taken away, or covered, however long ago
        self._touched = True  # whether anything has moved since the last verdict
        self._stirred: Movement | None = None  # where it has; None: nobody knows, so anywhere
        self._looked = Movement.none()  # where it has since somebody looks
        self._moved = self._complete = float("-inf")
        self._number = 0  # of the last throw
        self._lost = False  # whether dice were out of sight for longer than a knock takes
        self._missed: dict[Die, float] = {}  # since when a die is not seen about where it lies
        self._strayed: set[Die] = set()  # those of which that lasted longer, while something moved there
        self._size = (0, 0)  # of the last frame; none if nobody has looked since
        self._flat: tuple[Die, ...] = ()  # what lay beside one that could not be read ...
        self._until = float("-inf")  # ... which may be in a hand until then

    def see(
        self,
        dice: tuple[Die, ...],
        moving: Movement,
        at: float,
        size: tuple[int, int],
        *,
        doubts: tuple[Die, ...] = (),
        awaited: int | None = None,
        darker: bool = False,
        darkened: bool = False,
    ) -> Throw | None:
        """Take in the reading of a frame of `size` (width, height) at `at` seconds; the throw it settles.

        `dice` and `doubts` are what `companion.eye.read.look` says of the frame and `moving` what `Motion`
        says; `at` rises. So many dice are `awaited`, if a game has said so. A `darker` picture can be had, or
        cannot; the frame is `darkened` if it was read when one had been taken, or been found not to be had.
        """
        anew = size != self._size
        if anew:  # nobody knows what happened meanwhile
            self._readings.clear()
            self._touched, self._stirred, self._looked = True, None, Movement.none()
            self._wanted = self.wants_darker = False
            self._size = size
        lying = [die for die in self._lying if die not in self._strayed]
        before = self._readings[-1].dice if self._readings else ()  # what moves may be one that is gone
        all_dice = (*dice, *before, *lying)  # without any, it may be dice that the eye does not see yet
        near = any(_near(moving, die) for die in all_dice) if all_dice else moving.anywhere
        if moving.anywhere:
            self._moved, self._touched = at, True
            self._wanted = False  # what lies there then may want one, too
            self._stirred = self._stirred and self._stirred.with_more(moving)
            self._looked = self._looked if anew else self._looked.with_more(moving)
        self.wants_darker &= not (darkened or moving.anywhere)
        self._follow(dice, doubts, at)
        if near:
            self._readings.clear()
        elif not self.wants_darker:
            self._readings.append(Reading(at, dice, doubts, moving))
        while len(self._readings) > FRAMES and at - self._readings[0].at > KEEP:
            self._readings.popleft()
        if self._touched:
            self.state = State.MOVING if at - self._moved < REST else State.SETTLING
        evidence = self._evidence(at)
        return self._settle(evidence, size, awaited, darker) if evidence else None

    def look_away(self) -> None:
        """Nobody looks from now on until the next frame: what moves meanwhile is not seen. However long an
        eye takes for each frame, it sees that something has moved since the last one.
        """
        self._size = (0, 0)

    def _follow(self, dice: Sequence[Die], doubts: Sequence[Die], at: float) -> None:
        """Keep in mind which of the dice that lie there are not seen there for long, be it in doubt."""
        if len(self._lying) <= len(dice) + len(doubts):
            self._complete = at
        self._lost |= at - self._complete > KNOCKED
        for die in self._lying if self._touched else ():
            if any(_like(die, other, NUDGE) for other in (*dice, *doubts)):
                self._missed.pop(die, None)
            elif at - self._missed.setdefault(die, at) > KNOCKED and self._stirred_near(die):
                self._strayed.add(die)

    def _stirred_near(self, die: Die) -> bool:
        """Whether anything moved near a die since the last verdict, as far as anybody knows."""
        return self._stirred is None or _near(self._stirred, die)

    def _evidence(self, at: float) -> list[Reading]:
        """The readings since all was quiet, if that is long ago; else those since it was quiet near dice."""
        quiet = [reading for reading in self._readings if reading.at > self._moved]
        if len(quiet) >= FRAMES and at - quiet[0].at >= REST:
            return quiet
        return list(self._readings) if self._long_read(at) else []

    def _long_read(self, at: float) -> bool:
        """Whether it was quiet near dice for so long that it matters no more what moved elsewhere."""
        return bool(self._readings) and at - self._readings[0].at >= FAR

    def _settle(
        self, readings: list[Reading], size: tuple[int, int], awaited: int | None, darker: bool
    ) -> Throw | None:
        found = candidates(readings)
        verdict = _in_play(found, awaited, size)
        clear = verdict.sure and all(each.agreed for each in verdict.dice)
        calm = readings[-1].at - readings[0].at
        if not self._touched and not clear:
            return None
        hidden = _dazzled(verdict) if clear else _bright(found, verdict)
        if hidden and self._touched and darker and not self._wanted and self._tries < TRIES:
            clear = False
            if calm >= PATIENT:
                self.wants_darker = self._wanted = True
                self._tries += 1
                self._readings.clear()
                calm = 0.0
        if not clear and calm < DOUBT:
            if self._long_read(readings[-1].at):
                return self._settle(list(self._readings), size, awaited, darker)
            return None
        return self._compare(readings, verdict, size, awaited)

    def _compare(
        self, readings: list[Reading], verdict: Verdict, size: tuple[int, int], awaited: int | None
    ) -> Throw | None:
        """What lies there now with what lay there before: the throw that it is, if it is one.

        What nothing moved near still lies there, though the eye may lose it. Where it sees another face or
        one die more, and nothing moved, it was wrong before; but not if dice of the throw are missing. If it
        was in doubt, and is sure of the same now that something has moved there, it had been covered or
        shaded.
        """
        at, result = readings[-1].at, _dice(verdict)
        strayed = tuple(self._strayed)
        if len(strayed) > 1 and _all_found(strayed, result, NUDGE):
            strayed = ()  # no throw leaves several about where they lay: they were pushed
        places = [(die, PLACE if die in strayed else NUDGE) for die in self._lying]
        places += [(die, PLACE) for die in self._gone]
        owners = _matched(result, places)
        known = [die for number, die in enumerate(result) if number in owners.values()]
        new = [die for die in result if die not in known]
        if new and self._unclear(result, size):
            self._flat = tuple(die for die in result if not (die.cocked or _cut_off(die, size)))
            self._until = at + SHAKEN
            return None
        fewer = new and len(result) != awaited and not _besides(new, self._flat)
        if fewer and at < self._until:  # the other one will be thrown again
            return None
        if new and not self._lost and _knocked(result, self._lying):
            self._lay(readings, result, ())
            return None
        missing = [die for number, (die, _) in enumerate(places) if number not in owners]
        doubted = [result[i] for i in verdict.doubted if result[i] in new]
        hidden = [die for die in self._lying if at - self._missed.get(die, at) < LIFTED]
        if any(die.near(other) <= SAME for die in doubted for other in hidden):
            return None  # it may be what lies there, or a part of it, half under a hand
        quiet = [die for die in missing if die in self._lying and not self._stirred_near(die)]
        gone = [die for die in missing if die not in quiet]
        misread = bool(self._lying) and not any(map(self._stirred_near, new))
        if not new or (misread and len(result) < len(self._told)):
            uncovered = any(self._stirred_near(die) for die in self._told if not die.known)
            self._lay(readings, (*known, *quiet), gone)
            if missing or not (verdict.sure and uncovered):
                return None
            return self._announced(verdict, at, revises=True)
        lying = result if misread else (*result, *_besides(quiet, result))
        self._lay(readings, lying, gone if misread or not verdict.sure else ())
        if not misread:
            self._number, self._stayed = next(_NUMBERS), known
        found = not any(_near(self._looked, die) for die in new)
        return self._announced(verdict, at, misread, found)

    def _announced(self, verdict: Verdict, at: float, revises: bool, found: bool = False) -> Throw:
        dice = tuple(replace(die, known=i not in verdict.doubted) for i, die in enumerate(_dice(verdict)))
        self._told = dice
        doubts = tuple((i, verdict.dice[i].otherwise()) for i in verdict.doubted)
        stayed = frozenset(_matched(dice, [(die, NUDGE) for die in self._stayed]).values())
        return Throw(dice, at, revises, verdict.sure, doubts, verdict.chance, found, self._number, stayed)

    def _unclear(self, result: tuple[Die, ...], size: tuple[int, int]) -> bool:
        """Whether a die lies so that it cannot be read; the state says how."""
        if any(die.cocked for die in result):
            self.state = State.COCKED
        elif any(_cut_off(die, size) for die in result):
            self.state = State.CUT_OFF
        else:
            return False
        return True

    def _lay(self, readings: Iterable[Reading], dice: Iterable[Die], gone: Iterable[Die]) -> None:
        """These lie there from now on; those that are gone have done so since the last throw, until then.

        What has moved while that was read may have laid something down that counts with the next readings.
        """
        self._lying, self._gone = tuple(dice), tuple(gone)
        self._stirred = reduce(Movement.with_more, (each.moving for each in readings))
        self._touched, self._lost, self._until = self._stirred.anywhere, False, float("-inf")
        if not self._touched:
            self._wanted, self._tries = False, 0
        self._missed.clear()
        self._strayed.clear()
        self.state = State.RESTING if self._lying else State.NOTHING


def candidates(readings: Sequence[Reading]) -> list[Candidate]:
    """All that may be a die: readings at one place are of one."""
    spots: list[list[Die]] = []
    for die in (die for reading in readings for die in (*reading.dice, *reading.doubts)):
        spot = min(spots, key=lambda s: s[-1].apart(die), default=None)
        if spot is None or spot[-1].apart(die) > SAME:
            spot = []
            spots.append(spot)
        spot.append(die)
    return [Candidate(tuple(spot), len(readings)) for spot in spots]


def _in_play(found: Sequence[Candidate], awaited: int | None, size: tuple[int, int]) -> Verdict:
    """What lies there. If as many dice are whole as are awaited, what lies at the edge is not in play."""
    whole = [each for each in found if not _cut_off(each.die, size)]
    if awaited and len(whole) < len(found):
        verdict = judge(whole, awaited)
        if len(verdict.dice) == awaited and verdict.sure:
            return verdict
    return judge(found, awaited)


def _bright(found: Sequence[Candidate], verdict: Verdict) -> bool:
    """Whether what is in doubt is bright: which face it is, or whether it is a die."""
    clear = [each for i, each in enumerate(verdict.dice) if i not in verdict.doubted]
    return any(each.die.bright for each in found if each not in clear)


def _dazzled(verdict: Verdict) -> bool:
    """Whether pips may be lost in a lamp's light, though what is left of them looks like another face: in a
    bright one, which dazzles or is not quite certain. A sign in a lamp's light is in doubt anyhow, or much
    like one that was taught.
    """
    dice = [each.die for each in verdict.dice if not each.die.sign]
    return any(die.bright and (die.dazzling or verdict.chance < PLAIN) for die in dice)


def _dice(verdict: Verdict) -> tuple[Die, ...]:
    return tuple(each.die for each in verdict.dice)


def _near(moving: Movement, die: Die) -> bool:
    """Whether something moved that may be this die."""
    return moving.near(die.box, MARGIN * die.width)


def _like(die: Die, other: Die, reach: float) -> bool:
    """Whether the other one shows the same and lies within `reach` widths."""
    return die.shows == other.shows and die.apart(other) <= reach


def _besides(dice: Iterable[Die], others: Sequence[Die]) -> list[Die]:
    """Those that lie where none of the others does."""
    return [die for die in dice if all(die.apart(other) > SAME for other in others)]


def _matched(dice: Sequence[Die], places: Sequence[tuple[Die, float]]) -> dict[int, int]:
    """As many dice as can be, each at a place of its own: where one with its face lay, within so many widths.

    The numbers of those places, and of the die that each has.
    """
    fits = [[i for i, (other, reach) in enumerate(places) if _like(die, other, reach)] for die in dice]
    owner: dict[int, int] = {}

    def seat(number: int, tried: set[int]) -> bool:
        """Give a die a place; who has it already may have to take another one (Kuhn, 1955)."""
        for other in fits[number]:
            if other not in tried:
                tried.add(other)
                if other not in owner or seat(owner[other], tried):
                    owner[other] = number
                    return True
        return False

    for number in range(len(dice)):
        seat(number, set())
    return owner


def _all_found(dice: Sequence[Die], among: Sequence[Die], reach: float) -> bool:
    """Whether each die can have a die of its own, with its face and within reach, among the others."""
    return len(_matched(dice, [(other, reach) for other in among])) == len(dice)


def _knocked(dice: Sequence[Die], before: Sequence[Die]) -> bool:
    """Whether all dice, two at least, lie as before but for one shift of them all: the camera was pushed."""
    if len(dice) != len(before) or len(dice) < 2:
        return False
    for start in before:
        dx, dy = dice[0].center[0] - start.center[0], dice[0].center[1] - start.center[1]
        shifted = [replace(die, center=(die.center[0] + dx, die.center[1] + dy)) for die in before]
        if _all_found(dice, shifted, SAME):
            return True
    return False


def _cut_off(die: Die, size: tuple[int, int]) -> bool:
    """Whether a die touches the edge of the picture: pips may be missing there, but no sign that is known."""
    x0, y0, x1, y1 = die.box
    at_edge = x0 <= 1 or y0 <= 1 or x1 >= size[0] - 2 or y1 >= size[1] - 2
    return at_edge and not (die.sign and die.known)
