"""How well dice that were taught are known again: `python -m tests.bench.taught FOLDER`.

The folder holds sheets as `companion.eye.train.symbols` writes them: SET-teach and SET-read, a row a face.
Each set is taught from the one and read on the other, in another light and from another height: as it is;
with the same in less light, where it was rendered so (SET-read-2, SET-read-4); as a throw in a game that
awaits one such die, of which a camera delivers some frames; once more but for the first picture of each face,
where people have confirmed what was asked and guessed rightly before; varied (darker, lighter, coarser, with
noise ...); and as if another set had been taught, as it is and as a throw: then whatever is known is wrong,
but for a star that is on both.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.eye.dice import Die
from companion.eye.network import Image, find
from companion.eye.read import DARKER, Sight, look
from companion.eye.signs import signed
from companion.eye.taught import Taught, teach
from companion.eye.throws import FRAMES
from companion.eye.train.thrown import frames
from companion.varied import VARIATIONS
from tests.bench.still import voted

VIEW = 112  # px: side of a picture on a sheet
TABLE = 60  # px: so much more of the table is to be seen around


def views(sheet: Path) -> Iterator[tuple[int, Image]]:
    """The pictures of a sheet, each on a larger table, and which face each shows."""
    whole = cv2.imread(str(sheet))
    if whole is None:
        raise SystemExit(f"{sheet}: no picture")
    for row in range(whole.shape[0] // VIEW):
        for column in range(whole.shape[1] // VIEW):
            view = whole[row * VIEW : (row + 1) * VIEW, column * VIEW : (column + 1) * VIEW]
            yield row, np.asarray(cv2.copyMakeBorder(view, *(TABLE,) * 4, cv2.BORDER_REPLICATE), np.uint8)


def taught(sheet: Path) -> Taught:
    """The die of a sheet."""
    found = [(face, frame, find(frame)) for face, frame in views(sheet)]
    shown = [(face, frame, dice[0].centre, dice[0].size) for face, frame, dice in found if dice]
    faces = sorted({face for face, *_ in found})
    if {face for face, *_ in shown} != set(faces):
        raise SystemExit(f"{sheet}: on one of its faces no die is found")
    return teach(sheet.stem, list(map(str, faces)), shown)


def told(frame: Image, kind: Taught, face: int | None, darker: Sequence[Image] = ()) -> str:
    """What becomes of a die that shows a face, or none that was taught."""
    return _became(signed(frame, look(frame, darker=darker), kind, darker)[0], face)


def thrown(shots: Sequence[tuple[Image, Sight]], kind: Taught, face: int | None) -> str:
    """What becomes of a throw of one such die, of some frames and what is seen in each."""
    return _became(voted((signed(frame, sight, kind) for frame, sight in shots), 1) or (), face)


def darker_sheets(sheet: Path) -> list[Path]:
    """Where the same pictures as on a sheet lie with less light, if it was rendered so."""
    return [sheet.with_stem(f"{sheet.stem}-{stops:g}") for stops in DARKER]


def darker_views(sheet: Path) -> Iterator[tuple[Image, ...]]:
    """The same pictures as on a sheet with less light."""
    return zip(*((frame for _, frame in views(path)) for path in darker_sheets(sheet)), strict=True)


def with_less_light(sheet: Path, kind: Taught) -> Counter[str]:
    """What becomes of a die that is shown with less light, too; nothing if it was not rendered so."""
    if not all(path.exists() for path in darker_sheets(sheet)):
        return Counter()
    shown = zip(views(sheet), darker_views(sheet), strict=True)
    return Counter(told(frame, kind, face, darker) for (face, frame), darker in shown)


def confirmed(sheet: Path, kind: Taught) -> Counter[str]:
    """What becomes of a die, picture after picture of each face, where what is asked is confirmed; the first
    pictures do not count.
    """
    count, shown = Counter[str](), list(views(sheet))
    columns = len(shown) // len(kind.faces)
    for place in sorted(range(len(shown)), key=lambda place: place % columns):
        face, frame = shown[place]
        dice, _ = signed(frame, look(frame), kind)
        became = _became(dice, face)
        if place % columns:
            count[became] += 1
        for die in dice if became == "asked" else ():
            if die.look is not None and die.shows == str(face):
                kind = kind.with_look(str(face), die.look)
    return count


def _became(dice: tuple[Die, ...], face: int | None) -> str:
    known = {str(die.shows) for die in dice if die.known}
    if not known:
        return "asked"
    return "right" if known == {str(face)} else "wrong"


def main() -> None:
    """Measure all sets of a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    sheets = sorted(args.folder.glob("*-teach.*"))
    if len(sheets) < 2:
        raise SystemExit(f"{args.folder}: two sheets SET-teach.jpg at least are needed")
    kinds = [taught(sheet) for sheet in sheets]
    every = defaultdict[str, Counter[str]](Counter)
    for number, sheet in enumerate(sheets):
        read = sheet.with_name(sheet.name.replace("teach", "read"))
        other = kinds[(number + 1) % len(kinds)]
        count = defaultdict[str, Counter[str]](Counter)
        for seed, (face, frame) in enumerate(views(read)):
            shots = [(shot, look(shot)) for shot in frames(frame, seed, FRAMES)]
            count["as they are"][told(frame, kinds[number], face)] += 1
            count["thrown"][thrown(shots, kinds[number], face)] += 1
            for way in VARIATIONS:
                if not way.mirrored:
                    count["varied"][told(way.picture(frame), kinds[number], face)] += 1
            count["not taught"][told(frame, other, None)] += 1
            count["not taught, thrown"][thrown(shots, other, None)] += 1
        count["confirmed"] = confirmed(read, kinds[number])
        if darker := with_less_light(read, kinds[number]):
            count["with less light"] = darker
        print(sheet.stem, {name: dict(each) for name, each in count.items()}, flush=True)
        for name, each in count.items():
            every[name].update(each)
    for name, each in every.items():
        parts = (f"{100 * each[what] / each.total():.1f} % {what}" for what in ("right", "asked", "wrong"))
        print(f"{name}: {each.total()} readings, {', '.join(parts)}")


if __name__ == "__main__":
    main()
