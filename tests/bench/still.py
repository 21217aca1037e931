"""How often photographs of dice are told rightly, asked or told wrongly, if a camera sees them as a throw.

    python -m tests.bench.still FOLDER [--awaited]

FOLDER is labelled as for `companion bench eye`. A camera delivers some frames of each picture, made at most
as wide as a tray is seen, and these vote. With --awaited it is known how many dice there are, as in a game:
that can be said only of pictures in which all of them count.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from companion.bench import Labelled, labelled, score
from companion.eye.dice import Die
from companion.eye.read import look
from companion.eye.throws import FRAMES, Reading, candidates
from companion.eye.train.thrown import WIDTH, frames
from companion.eye.trust import judge
from companion.language import Message
from companion.varied import Variation
from hardware.camera import decode
from tests.bench.tray import FPS, options, shares


def voted(
    seen: Iterable[tuple[tuple[Die, ...], tuple[Die, ...]]], awaited: int | None
) -> tuple[Die, ...] | None:
    """What frames tell, in each of which there are dice and doubts; None if it is asked about."""
    readings = [Reading(i / FPS, *frame) for i, frame in enumerate(seen)]
    verdict = judge(candidates(readings), awaited)
    told = verdict.sure and awaited in (None, len(verdict.dice))
    return tuple(each.die for each in verdict.dice) if told else None


def outcome(number: int, picture: Labelled, awaits: bool) -> str:
    """What becomes of one picture that is seen as a throw: right, asked or wrong."""
    whole = decode(picture.path)
    smaller = Variation(Message("as a tray is seen"), size=min(1.0, WIDTH / max(whole.shape[:2])))
    sights = map(look, frames(smaller.picture(whole), number, FRAMES))
    dice = voted(((sight.dice, sight.doubts) for sight in sights), len(picture.dice) if awaits else None)
    if dice is None:
        return "asked"
    truth = replace(picture, dice=smaller.dice(picture.dice, whole.shape))
    return "right" if score(truth, dice).exact else "wrong"


def main() -> None:
    """Judge all pictures of a folder."""
    args = options(__doc__)
    seen: dict[bool, list[str]] = defaultdict(list)  # by whether a die counts
    for number, picture in enumerate(labelled(args.folder)):
        counts = [not die.get("ignore") for die in picture.dice]
        if args.awaited and not all(counts):
            continue
        seen[any(counts)].append(outcome(number, picture, args.awaited))
        if seen[any(counts)][-1] == "wrong":
            print(f"{picture.path.name} is told wrongly", flush=True)
    for counted, outcomes in sorted(seen.items(), reverse=True):
        print("with dice that count" if counted else "without any", *shares(outcomes), sep="\n")


if __name__ == "__main__":
    main()
