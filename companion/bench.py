"""How fast and how good the eye is on this machine, measured on pictures whose dice are known."""

import json
import math
import os
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye import Die, read
from companion.eye.dice import PIPS
from companion.language import Message, Texts, ToldError, mark, reason
from companion.varied import VARIATIONS, Variation

Part = TypeVar("Part")
Frame = NDArray[np.uint8]
SIZES = ((640, 480), (1280, 720))
DEGREES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999)  # of confidence
NAME = 36  # letters of the longest name of a source
ROUNDS = 2  # readings of each picture at each size


@dataclass(frozen=True, slots=True)
class Labelled:
    """A picture, the dice that it shows, and what it is a case of, as `labels.json` has them."""

    path: Path
    dice: tuple[dict[str, Any], ...]
    source: str = ""
    tags: tuple[str, ...] = ()


class LabelsError(ToldError):
    """Why pictures cannot be measured on."""


@dataclass(frozen=True, slots=True)
class Score:
    """What was read in one picture: true dice that count, readings that count, readings that are right.

    `sure` holds the confidence of each reading and whether it is right.
    """

    true: int
    read: int
    hits: int
    exact: bool
    sure: tuple[tuple[float, bool], ...]


def labelled(folder: Path) -> list[Labelled]:
    """The pictures of a folder that its labels.json names; they lie in it or in its `images`.

    Raises `LabelsError`.
    """
    labels = folder / "labels.json"
    try:
        if labels.exists() and not labels.is_file():  # a pipe would never end
            raise LabelsError(Message(mark("labels.json is no file")))
        known = json.loads(labels.read_text(encoding="utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise LabelsError(Message(mark("there is no labels.json"))) from error
    except OSError as error:
        raise LabelsError(reason(error)) from error
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise LabelsError(Message(mark("line {line} of labels.json is no JSON"), {"line": line})) from error
    entries = known.get("images") if isinstance(known, dict) else None
    if not isinstance(entries, list) or not entries:
        raise LabelsError(Message(mark("labels.json names no 'images'")))
    place = folder / "images" if (folder / "images").is_dir() else folder
    pictures = [_labelled(place, number, entry) for number, entry in enumerate(entries, 1)]
    for picture in pictures:
        if not os.path.isfile(picture.path):  # noqa: PTH113 (for any name, and where nothing may be read)
            fields = {"picture": picture.path.name}
            raise LabelsError(Message(mark("picture {picture} of labels.json is not there"), fields))
    return pictures


def _labelled(place: Path, number: int, entry: Any) -> Labelled:
    """A picture as labels.json has it. Raises `LabelsError`."""
    name = _part(str(number), "file", lambda: _words(entry["file"]))
    dice = _part(name, "dice", lambda: list(entry["dice"]))
    return Labelled(
        place / name,
        tuple(_die(name, die) for die in dice),
        _part(name, "source", lambda: _words(entry.get("source") or "")),
        _part(name, "tags", lambda: _tags(entry.get("tags") or ())),
    )


def _die(name: str, entry: Any) -> dict[str, Any]:
    """A die of a picture. Raises `LabelsError`."""
    box = _part(name, "box", lambda: _box(entry["box"]))
    known = {**entry, "box": box}
    if not entry.get("ignore"):
        known["center"] = _part(name, "center", lambda: _point(entry["center"]))
        known["face"] = _part(name, "face", lambda: _face(entry["face"]))
    return known


def _part(name: str, part: str, read: Callable[[], Part]) -> Part:
    """What labels.json says of a picture in one of its parts. Raises `LabelsError`."""
    try:
        return read()
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
        text = mark("picture {picture} of labels.json: '{part}' is missing or wrong")
        raise LabelsError(Message(text, {"picture": name, "part": part})) from error


def _numbers(given: Any) -> Iterator[float]:
    if not isinstance(given, list):  # of a text each letter would be one
        raise TypeError("that is no list")
    return map(float, given)


def _box(given: Any) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = _numbers(given)
    if not (math.isfinite(x0 + y0 + x1 + y1) and x0 < x1 and y0 < y1):
        raise ValueError("a box has an extent")
    return x0, y0, x1, y1


def _point(given: Any) -> tuple[float, float]:
    x, y = _numbers(given)
    if not math.isfinite(x + y):
        raise ValueError("nothing lies there")
    return x, y


def _tags(given: Any) -> tuple[str, ...]:
    return tuple(map(_words, (given,) if isinstance(given, str) else given))


def _words(given: Any) -> str:
    """What can be printed, and name a file."""
    if not isinstance(given, str):
        raise TypeError("that is no text")
    if "\0" in given:
        raise ValueError("no file has such a name")
    given.encode()
    return given


def _face(given: Any) -> int:
    if type(given) is not int or not 1 <= given <= PIPS:
        raise ValueError("that is no number of pips")
    return given


def score(picture: Labelled, dice: Sequence[Die]) -> Score:
    """Hold a reading against the truth.

    A reading hits a die if its middle is within half a die's width of the true one and its face is right.
    Dice marked `ignore` (moving, cut off) are neither asked for nor held against it: what lies in their boxes
    is left out, unless it hits one that is asked for and touches them.
    """
    true = [d for d in picture.dice if not d.get("ignore")]
    hidden = [d["box"] for d in picture.dice if d.get("ignore")]
    hits = _hits(true, dice)
    counted = [
        (die, number in hits)
        for number, die in enumerate(dice)
        if number in hits or not any(_within(die.center, box) for box in hidden)
    ]
    exact = Counter(d["face"] for d in true) == Counter(die.face for die, _ in counted)
    sure = tuple((die.confidence, hit) for die, hit in counted)
    return Score(len(true), len(counted), len(hits), exact, sure)


def _within(point: tuple[float, float], box: Sequence[float]) -> bool:
    """Whether a point lies in a box grown by a quarter."""
    x0, y0, x1, y1 = box
    dx, dy = (x1 - x0) / 4, (y1 - y0) / 4
    return x0 - dx <= point[0] <= x1 + dx and y0 - dy <= point[1] <= y1 + dy


def _hits(true: Sequence[dict[str, Any]], dice: Sequence[Die]) -> set[int]:
    """Which readings are right, the nearest pairs first, each die used once."""
    pairs = []
    for i, each in enumerate(true):
        x0, y0, x1, y1 = each["box"]
        for j, die in enumerate(dice):
            away = math.dist(each["center"], die.center) / ((x1 - x0 + y1 - y0) / 2)
            if away <= 0.5 and each["face"] == die.face:
                pairs.append((away, i, j))
    found: set[int] = set()
    used: set[int] = set()
    for _, i, j in sorted(pairs):
        if i not in found and j not in used:
            found.add(i)
            used.add(j)
    return used


def framed(picture: Frame, size: tuple[int, int]) -> Frame:
    """The picture as a camera of that size (width, height) would show it: filled and cut to its middle."""
    high, wide = picture.shape[:2]
    scale = max(size[0] / wide, size[1] / high)
    across, down = min(wide, math.ceil(size[0] / scale)), min(high, math.ceil(size[1] / scale))
    top, left = (high - down) // 2, (wide - across) // 2
    middle = picture[top : top + down, left : left + across]
    return np.asarray(cv2.resize(middle, size, interpolation=cv2.INTER_AREA), np.uint8)


def timed(frame: Frame) -> tuple[tuple[Die, ...], float]:
    """What is read in a frame, and the milliseconds that took."""
    begin = time.perf_counter()
    dice = read(frame)
    return dice, (time.perf_counter() - begin) * 1000


def one_core() -> None:
    """Keep to one core, so that the figures can be compared with those of a small machine."""
    cv2.setNumThreads(1)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def report(frames: Iterable[tuple[Labelled, Frame]], t: Texts, varied: bool) -> Iterator[str]:
    """The lines of the report: times, then how much was read rightly at the pictures' own size.

    That is told of all pictures, each source, each tag and each degree of confidence; and, if they shall be
    `varied`, of each variation. One picture at a time is in memory. Raises `LabelsError` if there is none.
    """
    variations = VARIATIONS if varied else ()
    others: list[list[Score]] = [[] for _ in variations]
    times: dict[tuple[int, int], list[float]] = {size: [] for size in SIZES}
    scores: list[tuple[Labelled, Score]] = []
    for picture, frame in frames:
        scores.append((picture, score(picture, read(frame))))
        for size in SIZES:
            times[size] += [timed(framed(frame, size))[1] for _ in range(ROUNDS)]
        for variation, found in zip(variations, others, strict=True):
            found.append(_varied(picture, frame, variation))
    if not scores:
        raise LabelsError(Message(mark("none of its pictures can be read")))
    yield from (spread(size, taken, t) for size, taken in times.items())
    yield ""
    yield from table(scores, t)
    yield ""
    yield from calibration([each for _, each in scores], t)
    if variations:
        yield ""
        yield _heads(t)
        yield row(t, t("as they are"), [each for _, each in scores])
        yield from (row(t, t.say(each.name), found) for each, found in zip(variations, others, strict=True))
        yield row(t, t("all that is varied"), [each for found in others for each in found])


def _varied(picture: Labelled, frame: Frame, variation: Variation) -> Score:
    """What is read of a picture if it is varied."""
    moved = replace(picture, dice=variation.dice(picture.dice, frame.shape))
    return score(moved, read(variation.picture(frame)))


def spread(size: tuple[int, int], times: Sequence[float], t: Texts) -> str:
    """One line: median and 95th percentile of some milliseconds."""
    p95 = sorted(times)[math.ceil(0.95 * len(times)) - 1]
    wide, high = size
    return t(
        "{wide}x{high}: median {median:.1f} ms, 95 % {most:.1f} ms, {count} readings",
        wide=wide, high=high, median=statistics.median(times), most=p95, count=len(times),
    )  # fmt: skip


def table(scores: Sequence[tuple[Labelled, Score]], t: Texts) -> Iterator[str]:
    """A line of heads, one for all pictures, one for each source and one for each tag."""
    yield _heads(t)
    yield row(t, t("all"), [each for _, each in scores])
    for source in sorted({picture.source for picture, _ in scores if picture.source}):
        yield row(t, source, [each for picture, each in scores if picture.source == source])
    for tag in sorted({tag for picture, _ in scores for tag in picture.tags}):
        yield row(t, f"#{tag}", [each for picture, each in scores if tag in picture.tags])
    yield t("exact: of the pictures with dice; false: dice read in a picture without any")


def _heads(t: Texts) -> str:
    heads = (t("pictures"), t("exact"), t("dice"), t("recall"), t("precision"), t("false"))
    return " " * NAME + "".join(f"{head:>11}" for head in heads)


def row(t: Texts, name: str, scores: Sequence[Score]) -> str:
    """How many pictures; how many with dice are exact; recall, precision, false dice per empty picture."""
    shown = [s for s in scores if s.true]
    empty = [s for s in scores if not s.true]
    hits, true, found = (sum(getattr(s, key) for s in scores) for key in ("hits", "true", "read"))
    cells = (
        str(len(scores)),
        _percent(t, sum(s.exact for s in shown), len(shown)),
        str(true),
        _percent(t, hits, true),
        _percent(t, hits, found),
        t.number(sum(s.read for s in empty) / len(empty), ".2f") if empty else "–",
    )
    return f"{name[: NAME - 1]:<{NAME}}" + "".join(f"{cell:>11}" for cell in cells)


def calibration(scores: Sequence[Score], t: Texts) -> Iterator[str]:
    """Of the readings of each degree of confidence, how many there are and how many of them are right."""
    readings = [pair for each in scores for pair in each.sure]
    for low, high in zip(DEGREES, (*DEGREES[1:], 1.01), strict=True):
        right = [was for confidence, was in readings if low <= confidence < high]
        if right:
            yield t.plural(
                "confidence {low} to {high}: {count} reading, {right} right",
                "confidence {low} to {high}: {count} readings, {right} right",
                len(right),
                low=low,
                high=min(high, 1.0),
                right=_percent(t, sum(right), len(right)),
            )


def _percent(t: Texts, part: int, whole: int) -> str:
    return f"{t.number(100 * part / whole, '.1f')} %" if whole else "–"
