"""How often a throw in the tray is told rightly, asked, or told wrongly.

    python -m companion.eye.train.throws FOLDER --count 800 --seed 22     # needs Blender's bpy
    python -m tests.bench.tray FOLDER [--awaited]

Each throw is watched as in use: frames of a camera, ten a second, through movement, the readers and the
watcher. With --awaited the watcher is told how many dice are awaited, as a game does, which asks if it sees
more or fewer. A throw whose darker pictures are not there is seen by a camera that cannot take any. What is
asked counts as asked whether the best guess is right or not, and so does a throw that is never told because
a die lies on the edge or cocked.
"""

import argparse
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2

from companion.eye.motion import Motion
from companion.eye.network import Image
from companion.eye.read import look
from companion.eye.throws import Throw, Watcher
from companion.eye.train.numbered import load
from companion.eye.train.thrown import Thrown, frames, throws

FPS = 10
PATIENCE = 40  # frames; by then everything has been told or asked
STEPS = (0.0, 0.5, 0.9, 0.98, 0.99, 0.995, 0.999, 0.9995, 1.0001)  # of chance
CLEAR = 4.0  # contrast from which on the pips of a die can be seen well on paper
Z = 1.96  # of a 95 % interval


@dataclass(frozen=True, slots=True)
class Watched:
    """What became of a throw."""

    number: int
    throw: Throw | None
    faces: tuple[int, ...]
    darker: bool
    contrast: float  # of the die whose pips stand out least
    awaited: int | None

    @property
    def told(self) -> tuple[int, ...]:
        """The faces that were read, in order of size."""
        return tuple(sorted(die.face for die in self.throw.dice)) if self.throw else ()

    @property
    def right(self) -> bool:
        """Whether they are what lies there."""
        return self.told == self.faces

    @property
    def outcome(self) -> str:
        """Told rightly, asked, or told wrongly."""
        if not (self.throw and self.throw.sure and self.awaited in (None, len(self.throw.dice))):
            return "asked"
        return "right" if self.right else "wrong"


def watch(number: int, thrown: Thrown, awaits: bool) -> Watched:
    """Let the companion see one throw."""
    watcher, motion = Watcher(), Motion()
    awaited = len(thrown.dice) if awaits else None
    throw, seed = None, 10**6 + number
    can, darker = all(path.exists() for path in thrown.darker), list[Image]()
    for i, frame in enumerate(frames(thrown.picture, seed, PATIENCE)):
        moving, sight = motion.see(frame), look(frame, darker=darker)
        throw = watcher.see(
            sight.dice,
            moving,
            i / FPS,
            (frame.shape[1], frame.shape[0]),
            doubts=sight.doubts,
            awaited=awaited,
            darker=can,
            darkened=bool(darker),
        )
        if watcher.wants_darker:
            darker = [next(frames(load(path), seed, 1)) for path in thrown.darker]
        if throw:
            break
    faces = tuple(sorted(die.face for die in thrown.dice))
    return Watched(number, throw, faces, bool(darker), min(die.contrast for die in thrown.dice), awaited)


def interval(part: int, whole: int) -> tuple[float, float]:
    """Where the true part lies, by Wilson's interval."""
    p, n = part / whole, whole
    middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    reach = Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def shares(outcomes: Iterable[str]) -> Iterator[str]:
    """How many are told rightly, asked and told wrongly, of some at least; and where the true parts lie."""
    count = Counter(outcomes)
    whole = count.total()
    for name in ("right", "asked", "wrong"):
        low, high = (100 * end for end in interval(count[name], whole))
        part = 100 * count[name] / whole
        yield f"{name:>6}: {count[name]:4} of {whole} = {part:.2f} % ({low:.2f} to {high:.2f})"


def report(seen: list[Watched]) -> Iterator[str]:
    """The lines."""
    yield from shares(each.outcome for each in seen)
    asked = [each for each in seen if each.outcome == "asked"]
    silent = sum(each.throw is None for each in asked)
    guessed = sum(each.right for each in asked)
    for name, clear in (("clear", True), ("faint", False)):
        some = [each for each in seen if (each.contrast >= CLEAR) == clear]
        doubted = sum(each.outcome == "asked" for each in some)
        yield f"with {name} pips: {doubted} of {len(some)} asked"
    darker = sum(each.darker for each in seen)
    still = sum(each.darker for each in asked)
    yield f"{darker} were looked at with less light, {still} of them asked nevertheless"
    yield f"of those asked, the best guess is right {guessed} times; {silent} were never told"
    for low, high in pairwise(STEPS):
        told = ((each.throw.chance, each.right) for each in seen if each.throw)
        there = [pair for pair in told if low <= pair[0] < high]
        if there:
            mean, right = (100 * sum(column) / len(there) for column in zip(*there, strict=True))
            yield f"chance from {low:<6.4g}: {len(there):4} throws, right {right:.1f} %, expected {mean:.2f}"


def options(about: str | None) -> argparse.Namespace:
    """The `folder` of a command line, and whether the number of dice is `awaited`; one core does the rest."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--awaited", action="store_true", help="tell how many dice are awaited")
    cv2.setNumThreads(1)
    return parser.parse_args()


def main() -> None:
    """Watch all throws of a folder."""
    args = options(__doc__)
    seen = []
    for number, thrown in enumerate(throws(args.folder)):
        each = watch(number, thrown, args.awaited)
        seen.append(each)
        if each.outcome != "right":
            doubts = each.throw.doubts if each.throw else "silence"
            chance = f"{each.throw.chance:.4f}" if each.throw else ""
            print(
                f"{number:05} {each.outcome} {each.faces} read as {each.told} {chance} {doubts}", flush=True
            )
    print(*report(seen), sep="\n")


if __name__ == "__main__":
    main()
