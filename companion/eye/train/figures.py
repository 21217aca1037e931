"""Dice with any figures on their faces: from these it is learned what makes two looks at one face alike.

A set has six faces that people tell apart: letters, outlines, strokes, icons of a few shapes, dots and bars,
one of them perhaps blank; of one kind or of several, or all of them small changes of one figure.
"""

import math
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.eye.train.artwork import FACE, Picture, Style, clouds, draw_ink, draw_style, rgb, square, sunk

FINE = 3  # so many times as large figures are drawn
SIDE = FACE * FINE
FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX, cv2.FONT_HERSHEY_PLAIN,
)  # fmt: skip
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz0123456789?!&%#@+*=$"
APART = 0.03  # of a face: so much of it two faces of a die differ at least, ...
TURN = 15  # ... however the one is turned, by so many degrees each time
TRIES = 60  # figures for a set; then it begins anew with others
SMALL = 40  # px: side of a face as it is compared

Canvas = NDArray[np.uint8]
Draw = Callable[[Generator], Canvas]


def draw_figures(random: Generator) -> Style:
    """A kind of die with six different figures, in the order of its faces."""
    style = draw_style(random, "plain")
    body = np.median(style.atlas[..., :3].reshape(-1, 3), axis=0)
    masks = _six(random)
    inks = [draw_ink(random, tuple(body.tolist())) for _ in range(8)]
    many, two, coloured = random.random(3) < (0.25, 0.2, 0.08)
    atlas = style.atlas.copy()
    for place, mask in enumerate(masks):
        face = atlas[square(place)]
        if coloured:  # each face has a ground of its own
            ground = np.asarray(
                rgb(random.random(), random.uniform(0.3, 1), random.uniform(0.3, 1)), np.float32
            )
            face[..., :3] = face[..., :3] * 0.2 + ground * 0.8
        colour = np.broadcast_to(np.asarray(inks[place if many else 6], np.float32), (FACE, FACE, 3)).copy()
        if two:
            colour[_half(random)] = inks[7]
        face[..., :3] += (colour - face[..., :3]) * mask[..., None]
        face[..., 3] = mask
    slope = float(random.choice([1.0, random.uniform(0.1, 0.6)]))
    return replace(style, atlas=atlas, relief=sunk(atlas[..., 3], slope))


def _six(random: Generator) -> list[Picture]:
    """Six masks (FACE x FACE, 0..1), no two of them alike in any turn."""
    masks = list[Picture]()
    while len(masks) < 6:
        masks = _some(random)
    if random.random() < 0.3:
        masks[int(random.integers(6))] = np.zeros((FACE, FACE), np.float32)
    return masks


def _some(random: Generator) -> list[Picture]:
    """Six masks, or fewer, where TRIES figures of one kind are too much alike."""
    how, large = random.random(), random.uniform(0.45, 0.8)
    one = KINDS[int(random.choice(len(KINDS), p=OFTEN))]()
    base = one(random)
    masks, centred = list[Picture](), list[Picture]()
    for _ in range(TRIES):
        if how < 0.45:
            drawn = KINDS[int(random.choice(len(KINDS), p=OFTEN))]()(random)
        elif how < 0.75:
            drawn = one(random)
        else:
            drawn = _changed(random, base)
        middle = _laid(drawn, large, np.zeros(2))
        if all(_apart(middle, other) > APART for other in centred):
            centred.append(middle)
            masks.append(_laid(drawn, large, random.normal(0, 0.02, 2)))
            if len(masks) == 6:
                break
    return masks


def _apart(one: Picture, other: Picture) -> float:
    """How much of a face two figures in its middle differ at least, in any turn."""
    small = [cv2.resize(each, (SMALL, SMALL), interpolation=cv2.INTER_AREA) for each in (one, other)]
    first, second = (np.asarray(cv2.GaussianBlur(each, (0, 0), 1.2)) for each in small)
    middle = (SMALL / 2 - 0.5,) * 2
    turns = (cv2.getRotationMatrix2D(middle, turn, 1) for turn in range(0, 360, TURN))
    return min(float(np.abs(cv2.warpAffine(first, turn, (SMALL, SMALL)) - second).mean()) for turn in turns)


def _laid(canvas: Canvas, large: float, shift: NDArray[np.floating]) -> Picture:
    """A figure so large, and so far beside the middle of a face (both of its side)."""
    x, y, wide, high = cv2.boundingRect(canvas)
    if not wide:
        return np.zeros((FACE, FACE), np.float32)
    size = large * FACE / max(wide, high)
    middle = (0.5 + shift) * FACE
    how = np.array(
        [[size, 0, middle[0] - size * (x + wide / 2)], [0, size, middle[1] - size * (y + high / 2)]]
    )
    soft = cv2.GaussianBlur(canvas, (0, 0), max(0.3, 0.4 / size))
    laid = cv2.warpAffine(soft, how, (FACE, FACE), flags=cv2.INTER_LINEAR)
    return np.asarray(laid, np.float32) / 255


def _half(random: Generator) -> NDArray[np.bool_]:
    """A part of a face that has another colour: beyond a line, or around the middle."""
    y, x = np.mgrid[:FACE, :FACE] - FACE / 2
    turn = random.uniform(0, 2 * math.pi)
    if random.random() < 0.3:
        return np.asarray(np.hypot(x, y) < random.uniform(0.1, 0.3) * FACE)
    return np.asarray(x * math.cos(turn) + y * math.sin(turn) > random.uniform(-0.15, 0.15) * FACE)


def _empty() -> Canvas:
    return np.zeros((SIDE, SIDE), np.uint8)


def _points(places: NDArray[np.floating]) -> NDArray[np.int32]:
    """Places (N x 2, from -1 to 1) in pixels."""
    return np.round((places * 0.45 + 0.5) * SIDE).astype(np.int32)


def _letter() -> Draw:
    state: dict[str, int] = {}

    def draw(random: Generator) -> Canvas:
        if not state:
            state["font"] = FONTS[int(random.integers(len(FONTS)))]
            state["thick"] = int(random.integers(2, 9)) * FINE
        text = LETTERS[int(random.integers(len(LETTERS)))]
        if random.random() < 0.15:
            text += LETTERS[int(random.integers(len(LETTERS)))]
        canvas = _empty()
        (wide, high), _ = cv2.getTextSize(text, state["font"], 1.0, 1)
        size = 0.6 * SIDE / max(wide, high)
        at = (round((SIDE - wide * size) / 2), round((SIDE + high * size) / 2))
        cv2.putText(canvas, text, at, state["font"], size, 255, state["thick"], cv2.LINE_AA)
        return canvas

    return draw


def _outline() -> Draw:
    def draw(random: Generator) -> Canvas:
        """A closed curve or a star, perhaps with a hole."""
        canvas, turns = _empty(), int(random.choice([1, 1, 1, 2, 3, 4, 5, 6, 8]))
        angle = np.linspace(0, 2 * math.pi, 240, endpoint=False)
        reach = np.ones_like(angle)
        for wave in range(1, int(random.integers(2, 6))):
            phase = random.choice([0.0, random.uniform(0, 2 * math.pi)])
            reach += random.normal(0, 0.45 / wave) * np.cos(wave * turns * angle + phase)
        if random.random() < 0.4:  # corners
            corners = 2 * turns * int(random.integers(2 if turns == 1 else 1, 4))
            ends = np.resize(random.uniform(0.25, 1, corners // turns), corners + 1)
            reach = np.interp(angle, np.linspace(0, 2 * math.pi, corners + 1), ends)
        reach = np.clip(reach, 0.12, None) / max(reach.max(), 1e-3)
        curve = np.stack([reach * np.sin(angle), -reach * np.cos(angle)], axis=1)
        curve *= random.uniform((0.5, 0.8), (1, 1))
        thick = int(random.integers(4, 20)) * FINE
        if random.random() < 0.3:
            cv2.polylines(canvas, [_points(curve)], True, 255, thick, cv2.LINE_AA)
        else:
            cv2.fillPoly(canvas, [_points(curve)], 255, cv2.LINE_AA)
            if random.random() < 0.35:
                cv2.fillPoly(canvas, [_points(curve * random.uniform(0.25, 0.7))], 0, cv2.LINE_AA)
        return canvas

    return draw


def _strokes() -> Draw:
    def draw(random: Generator) -> Canvas:
        canvas, thick = _empty(), int(random.integers(4, 18)) * FINE
        for _ in range(int(random.integers(1, 5))):
            if random.random() < 0.4:
                middle, axes = random.uniform(-0.5, 0.5, 2), random.uniform(0.2, 0.9, 2)
                start, end = random.uniform(0, 2 * math.pi, 2).tolist()
                angle = np.linspace(start, end, 40)
                line = middle + axes * np.stack([np.cos(angle), np.sin(angle)], axis=1)
            else:
                line = random.uniform(-1, 1, (int(random.integers(2, 5)), 2))
            cv2.polylines(canvas, [_points(line)], False, 255, thick, cv2.LINE_AA)
        return _mirrored(random, canvas, 0.3)

    return draw


def _icon() -> Draw:
    def draw(random: Generator) -> Canvas:
        """Some shapes, one on the other; most icons are alike on both sides."""
        canvas = _empty()
        for number in range(int(random.integers(2, 8))):
            _shape(
                random, canvas, 255 if number == 0 or random.random() < 0.6 else 0, 0.35 if number else 0.75
            )
        return _mirrored(random, canvas, 0.6)

    return draw


def _shape(random: Generator, canvas: Canvas, level: int, large: float) -> None:
    """Draw any simple shape of about a size (of half a face)."""
    middle = random.uniform(-1, 1, 2) * (1 - large)
    wide, high = random.uniform(0.35, 1, 2) * large
    turn = random.choice([0.0, 90.0, random.uniform(0, 180)])
    kind = random.random()
    at = _points(middle[None])[0].tolist()
    box = (at, (2 * wide * 0.45 * SIDE, 2 * high * 0.45 * SIDE), turn)
    if kind < 0.35:
        cv2.ellipse(canvas, box, level, -1, cv2.LINE_AA)
    elif kind < 0.6:
        cv2.fillConvexPoly(canvas, np.round(cv2.boxPoints(box)).astype(np.int32), level, cv2.LINE_AA)
    elif kind < 0.8:
        corners = middle + random.uniform(-1, 1, (3, 2)) * large
        cv2.fillPoly(canvas, [_points(corners)], level, cv2.LINE_AA)
    else:
        ends = middle + random.uniform(-1, 1, (2, 2)) * large * 1.3
        first, second = _points(ends).tolist()
        cv2.line(canvas, first, second, level, int(random.integers(4, 18)) * FINE, cv2.LINE_AA)


def _mirrored(random: Generator, canvas: Canvas, often: float) -> Canvas:
    return np.maximum(canvas, canvas[:, ::-1]) if random.random() < often else canvas


def _count() -> Draw:
    state: dict[str, float] = {}

    def draw(random: Generator) -> Canvas:
        """Some dots, bars, rings or small stars; of a die all of one size."""
        if not state:
            state["size"], state["kind"] = random.uniform(0.12, 0.28), random.random()
            state["in_row"] = random.random()
        canvas, count = _empty(), int(random.integers(1, 8))
        if state["in_row"] < 0.4:
            places = np.stack([np.linspace(-0.8, 0.8, count + 2)[1:-1], np.zeros(count)], axis=1)
        elif state["in_row"] < 0.7:
            angle = np.arange(count) * 2 * math.pi / count
            places = 0.62 * np.stack([np.sin(angle), -np.cos(angle)], axis=1)
        else:
            grid = [(x, y) for x in (-0.6, 0, 0.6) for y in (-0.6, 0, 0.6)]
            places = np.array(grid)[random.permutation(9)[:count]]
        size = state["size"] * 0.45 * SIDE
        for x, y in _points(places).tolist():
            if state["kind"] < 0.4:
                cv2.circle(canvas, (x, y), round(size), 255, -1, cv2.LINE_AA)
            elif state["kind"] < 0.65:
                cv2.rectangle(
                    canvas,
                    (round(x - size / 3), round(y - 1.6 * size)),
                    (round(x + size / 3), round(y + 1.6 * size)),
                    255,
                    -1,
                )
            elif state["kind"] < 0.8:
                cv2.circle(canvas, (x, y), round(size), 255, round(size / 3), cv2.LINE_AA)
            else:
                angle = np.arange(10) * math.pi / 5
                reach = np.where(np.arange(10) % 2, 0.45, 1.1) * size
                star = np.stack([x + reach * np.sin(angle), y - reach * np.cos(angle)], axis=1)
                cv2.fillPoly(canvas, [star.round().astype(np.int32)], 255, cv2.LINE_AA)
        return canvas

    return draw


def _blots() -> Draw:
    def draw(random: Generator) -> Canvas:
        y, x = np.mgrid[:SIDE, :SIDE] / SIDE - 0.5
        small = np.asarray(cv2.resize(clouds(random, (64, 64), int(random.integers(2, 6))), (SIDE, SIDE)))
        inside = np.hypot(x, y) < 0.46
        return np.asarray(((small > random.uniform(0.45, 0.6)) & inside) * 255, np.uint8)

    return draw


def _changed(random: Generator, base: Canvas) -> Canvas:
    """A figure that differs from another in something small: a dot or a bar more, a piece less, its mirror,
    a frame around it.
    """
    canvas, kind = base.copy(), random.random()
    if kind < 0.15:
        canvas = np.ascontiguousarray(canvas[:, ::-1])
    elif kind < 0.3:
        thick = int(random.integers(4, 14)) * FINE
        cv2.circle(canvas, (SIDE // 2, SIDE // 2), round(0.47 * SIDE), 255, thick, cv2.LINE_AA)
    elif kind < 0.4:
        canvas = 255 - canvas
        canvas[np.hypot(*(np.mgrid[:SIDE, :SIDE] - SIDE / 2)) > 0.47 * SIDE] = 0
    for _ in range(int(random.integers(1, 4))):
        _shape(random, canvas, int(random.choice([0, 255])), random.uniform(0.15, 0.4))
    return canvas


KINDS: tuple[Callable[[], Draw], ...] = (_letter, _outline, _strokes, _icon, _count, _blots)
OFTEN = (0.2, 0.2, 0.15, 0.25, 0.12, 0.08)
