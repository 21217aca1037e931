"""What dice lie on: tables, felt, cloth, carpet, boards, printed things. Drawn by seeded noise."""

from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.eye.network import Image
from companion.eye.train.artwork import clouds, rgb
from companion.eye.train.numbered import load

Float = NDArray[np.floating[Any]]


def draw_table(random: Generator, shape: tuple[int, int], like: Float | None = None) -> Image:
    """A table of some kind seen from above or aslant (H x W x 3, BGR), perhaps in the colour `like`."""
    kinds = (
        _plain, _plain, _wood, _wood, _felt, _carpet, _loops, _loops, _weave, _checks, _spots, _print,
        _clouds, _marble, _photo, _photo, _keys,
    )  # fmt: skip
    kind = kinds[int(random.integers(len(kinds)))]
    table = kind(random, shape)
    if random.random() < 0.15:  # the edge of something, a tray's rim, another table beside
        other = kinds[int(random.integers(len(kinds)))](random, shape)
        angle, offset = random.uniform(0, 2 * np.pi), random.uniform(-0.4, 0.4)
        y, x = np.mgrid[: shape[0], : shape[1]] / max(shape) - 0.5
        mask = (x * np.cos(angle) + y * np.sin(angle) > offset)[..., None]
        table = np.where(mask, other, table)
    if random.random() < 0.15:  # dust and crumbs
        dirt = np.zeros(shape, np.float32)
        for _ in range(int(random.integers(1, 30))):
            at = (int(random.integers(0, shape[1])), int(random.integers(0, shape[0])))
            cv2.circle(dirt, at, int(random.integers(0, 4)), float(random.uniform(0.3, 1)), -1, cv2.LINE_AA)
        soft = np.asarray(cv2.GaussianBlur(dirt, (0, 0), random.uniform(0.4, 1.0)), np.float32)[..., None]
        table = table * (1 - soft) + random.choice([0.05, 0.2, 0.9]) * soft
    if like is not None:  # white on white, black on black
        level = table.mean(axis=(0, 1))
        table = table * np.clip(like * random.uniform(0.85, 1.15) / np.maximum(level, 0.02), 0, 8)
    return np.clip(table * 255, 0, 255).astype(np.uint8)


def draw_floor(random: Generator, shape: tuple[int, int]) -> Float:
    """The floor of a tray (H x W x 3, RGB, 0..1): plain, felt or wood."""
    kinds = (_plain, _plain, _felt, _felt, _felt, _wood)
    return np.clip(kinds[int(random.integers(len(kinds)))](random, shape), 0, 1)


def _colour(random: Generator) -> Float:
    """Any colour a table may have, rather a quiet one."""
    value = random.choice([random.uniform(0.05, 0.35), random.uniform(0.3, 0.7), random.uniform(0.7, 1.0)])
    saturation = random.choice([random.uniform(0, 0.15), random.uniform(0.1, 0.6), random.uniform(0.5, 1.0)])
    return np.asarray(rgb(random.random(), saturation, value), np.float32)


def _fill(colour: Float, shape: tuple[int, int]) -> Float:
    table = np.empty((*shape, 3), np.float32)
    table[:] = colour
    return table


def _plain(random: Generator, shape: tuple[int, int]) -> Float:
    table = _fill(_colour(random), shape)
    grain = random.normal(0, random.uniform(0, 0.04), shape).astype(np.float32)
    return np.asarray(
        table + cv2.GaussianBlur(grain, (0, 0), random.uniform(0.4, 1.5))[..., None], np.float32
    )


def _clouds(random: Generator, shape: tuple[int, int]) -> Float:
    mix = clouds(random, shape, int(random.integers(2, 20)))[..., None]
    return np.asarray(_fill(_colour(random), shape) * mix + _colour(random) * (1 - mix), np.float32)


def _wood(random: Generator, shape: tuple[int, int]) -> Float:
    base = np.asarray(
        rgb(random.uniform(0.03, 0.12), random.uniform(0.2, 0.75), random.uniform(0.2, 0.95)), np.float32
    )
    long = max(shape) * 2
    grain = clouds(random, (max(4, long // 40), long), 6)
    grain = np.asarray(cv2.resize(grain, (long, long), interpolation=cv2.INTER_CUBIC), np.float32)
    rings = np.sin(clouds(random, (long, long), int(random.integers(2, 5))) * random.uniform(20, 90))
    fibre = cv2.GaussianBlur(random.normal(0, 1, (long, long)).astype(np.float32), (0, 0), 12, sigmaY=0.7)
    level = (
        1
        + random.uniform(0, 0.25) * (grain - 0.5)
        + random.uniform(0, 0.12) * rings
        + random.uniform(0, 1.0) * fibre
    )
    if random.random() < 0.4:  # planks
        width = int(random.integers(long // 14, long // 4))
        level = (
            level
            * (1 + 0.12 * random.normal(0, 1, long // width + 1).astype(np.float32))[
                np.arange(long) // width
            ][:, None]
        )
        level[np.arange(long) % width < max(1, long // 400)] *= random.uniform(0.3, 0.8)
    turned = _turn(random, np.asarray(level, np.float32), shape)
    return np.asarray(base * turned[..., None], np.float32)


def _turn(random: Generator, level: Float, shape: tuple[int, int]) -> Float:
    """The middle of a larger picture, turned by any angle."""
    centre = (level.shape[1] / 2, level.shape[0] / 2)
    matrix = cv2.getRotationMatrix2D(centre, random.uniform(0, 360), random.uniform(1.0, 1.6))
    matrix[:, 2] += (shape[1] / 2 - centre[0], shape[0] / 2 - centre[1])
    return np.asarray(
        cv2.warpAffine(level, matrix, shape[::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT),
        np.float32,
    )


def _felt(random: Generator, shape: tuple[int, int]) -> Float:
    base = np.asarray(
        rgb(
            random.choice([0.38, 0.6, 0.0, random.random()]),
            random.uniform(0.4, 1),
            random.uniform(0.15, 0.6),
        ),
        np.float32,
    )
    noise = cv2.GaussianBlur(random.normal(0, 1, shape).astype(np.float32), (0, 0), random.uniform(0.5, 1.2))
    return np.asarray(base * (1 + random.uniform(0.05, 0.5) * noise[..., None]), np.float32)


def _carpet(random: Generator, shape: tuple[int, int]) -> Float:
    total = np.zeros(shape, np.float32)
    for sigma in (0.7, 1.6, 3.5):
        noise = random.normal(0, 1, shape).astype(np.float32)
        layer = np.asarray(cv2.GaussianBlur(noise, (0, 0), sigma), np.float32)
        total += layer / max(float(layer.std()), 1e-6) * random.uniform(0.05, 0.22)
    first, second = _colour(random), _colour(random)
    mix = np.clip(clouds(random, shape, int(random.integers(8, 60))) * 2 - 0.5, 0, 1)[
        ..., None
    ] * random.uniform(0, 0.5)
    return np.asarray((first * (1 - mix) + second * mix) * (1 + total[..., None]), np.float32)


def _loops(random: Generator, shape: tuple[int, int]) -> Float:
    """A carpet of loops, pebbles, leather: cells with dark seams, each lit from one side."""
    long = max(shape) * 2
    period = random.uniform(4, 26)
    count = int(long / period) + 1
    places = (
        np.mgrid[:count, :count].transpose(1, 2, 0) + random.uniform(-0.4, 0.4, (count, count, 2))
    ) * period
    stretch = random.uniform(0.6, 1.0)
    seeds = np.full((long, long), 255, np.uint8)
    rows, columns = np.clip(places.reshape(-1, 2).astype(int), 0, long - 1).T
    seeds[rows, columns] = 0
    away = cv2.distanceTransform(seeds, cv2.DIST_L2, 3)
    height = 1 - np.clip(away / (0.75 * period), 0, 1) ** 2
    lit = cv2.Sobel(height, cv2.CV_32F, 1, 0) * random.uniform(-1, 1) * period * 0.09
    level = (
        0.6
        + random.uniform(0.1, 0.45) * height
        + lit
        + random.normal(0, random.uniform(0, 0.08), height.shape)
    )
    level = cv2.resize(level.astype(np.float32), None, fx=1.0, fy=stretch)
    turned = _turn(random, np.asarray(level, np.float32), shape)
    mix = np.clip(clouds(random, shape, int(random.integers(2, 12))), 0, 1)[..., None] * random.uniform(
        0, 0.3
    )
    return np.asarray((_colour(random) * (1 - mix) + _colour(random) * mix) * turned[..., None], np.float32)


def _weave(random: Generator, shape: tuple[int, int]) -> Float:
    long = max(shape) * 2
    period = random.uniform(3, 16)
    y, x = np.mgrid[:long, :long].astype(np.float32)
    level = np.sin(x * 2 * np.pi / period) * np.sin(y * 2 * np.pi / period)
    level = 1 + random.uniform(0.05, 0.35) * level + random.normal(0, 0.05, level.shape)
    return np.asarray(_colour(random) * _turn(random, level.astype(np.float32), shape)[..., None], np.float32)


def _checks(random: Generator, shape: tuple[int, int]) -> Float:
    """Stripes, checked cloth, a chess board, tiles with joints."""
    long = max(shape) * 2
    period = random.uniform(16, 120)
    y, x = np.mgrid[:long, :long].astype(np.float32) % period / period
    kind = random.random()
    if kind < 0.35:
        level = ((x < 0.5) ^ (y < 0.5)).astype(np.float32)
    elif kind < 0.6:
        level = (x < 0.5) * 0.5 + (y < 0.5) * 0.5
    elif kind < 0.8:
        level = (x < random.uniform(0.05, 0.5)).astype(np.float32)
    else:
        level = ((x < 0.05) | (y < 0.05)).astype(np.float32)
    mix = _turn(random, np.asarray(level, np.float32), shape)[..., None]
    return np.asarray(_colour(random) * mix + _colour(random) * (1 - mix), np.float32)


def _spots(random: Generator, shape: tuple[int, int]) -> Float:
    """Dots in rows or anywhere: what a careless reader takes for pips."""
    table = _fill(_colour(random), shape)
    ink = _colour(random)
    radius = random.uniform(1.5, 14)
    if random.random() < 0.5:
        step = radius * random.uniform(2.5, 6)
        places = [(x, y) for y in np.arange(0, shape[0], step) for x in np.arange(0, shape[1], step)]
    else:
        count = int(random.integers(5, 120))
        places = [(random.uniform(0, shape[1]), random.uniform(0, shape[0])) for _ in range(count)]
    for x, y in places:
        size = radius * random.uniform(0.8, 1.2)
        cv2.circle(table, (int(x * 8), int(y * 8)), int(size * 8), ink.tolist(), -1, cv2.LINE_AA, 3)
    return table


def _print(random: Generator, shape: tuple[int, int]) -> Float:
    """Text, frames and figures: cards, a newspaper, the board of a game."""
    table = (_fill(_colour(random), shape) * 255).astype(np.uint8)
    for _ in range(int(random.integers(5, 60))):
        ink = (_colour(random) * 255).tolist()
        x, y = int(random.integers(0, shape[1])), int(random.integers(0, shape[0]))
        kind = random.random()
        if kind < 0.4:
            letters = "".join(chr(int(random.integers(48, 91))) for _ in range(int(random.integers(1, 9))))
            size = random.uniform(0.3, 2.5)
            cv2.putText(
                table, letters, (x, y), cv2.FONT_HERSHEY_DUPLEX, size, ink, max(1, int(size * 2)), cv2.LINE_AA
            )
        elif kind < 0.7:
            corner = (x + int(random.integers(8, 150)), y + int(random.integers(8, 150)))
            cv2.rectangle(
                table, (x, y), corner, ink, -1 if random.random() < 0.6 else int(random.integers(1, 6))
            )
        elif kind < 0.9:
            radius = int(random.integers(3, 60))
            cv2.circle(table, (x, y), radius, ink, -1 if random.random() < 0.6 else 3, cv2.LINE_AA)
        else:
            cv2.line(
                table,
                (x, y),
                (int(random.integers(0, shape[1])), int(random.integers(0, shape[0]))),
                ink,
                2,
                cv2.LINE_AA,
            )
    return table.astype(np.float32) / 255


@cache
def _photographs() -> list[Image]:
    """Photographs and textures that come with scikit-image: free of rights, and without dice."""
    import skimage

    wanted = (
        "astronaut brick camera cell chelsea chessboard_RGB clock_motion coffee coins color grass gravel "
        "horse hubble_deep_field ihc logo moon motorcycle_left page retina rocket text"
    )
    folder = Path(skimage.__file__).parent / "data"
    found = sorted(path for path in folder.iterdir() if path.stem in wanted.split())
    return [load(path) for path in found]


def _photo(random: Generator, shape: tuple[int, int]) -> Float:
    """A part of a photograph, turned, nearer or farther, in other colours."""
    photographs = _photographs()
    photo = photographs[int(random.integers(len(photographs)))]
    scale = random.uniform(0.35, 2.5)
    centre = (random.uniform(0, photo.shape[1]), random.uniform(0, photo.shape[0]))
    matrix = np.asarray(cv2.getRotationMatrix2D(centre, random.uniform(0, 360), scale), np.float64)
    matrix[:, 2] += (shape[1] / 2 - centre[0], shape[0] / 2 - centre[1])
    if scale < 0.7:
        photo = np.asarray(cv2.GaussianBlur(photo, (0, 0), 0.5 / scale), np.uint8)
    part = cv2.warpAffine(photo, matrix, shape[::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    if random.random() < 0.4:
        part = part[..., random.permutation(3)]
    tint = random.uniform(0.6, 1.2, 3)
    return np.asarray(part * tint / 255, np.float32)


def _keys(random: Generator, shape: tuple[int, int]) -> Float:
    """A keyboard, a keypad, a calendar: little squares with signs, in rows, that are no dice."""
    long = 2 * max(shape)
    base, key, ink = (tuple((255 * _colour(random)).tolist()) for _ in range(3))
    table = np.empty((long, long, 3), np.uint8)
    table[:] = np.array(base, np.uint8)
    step = int(random.integers(14, 90))
    gap = max(1, int(step * random.uniform(0.04, 0.2)))
    for row in range(0, long, step):
        shift = int(random.integers(0, step)) if random.random() < 0.7 else 0
        for column in range(-shift, long, step):
            low, high = (column + gap, row + gap), (column + step - gap, row + step - gap)
            cv2.rectangle(table, low, high, key, -1)
            sign = chr(int(random.integers(33, 91)))
            size = step / 45
            place = (
                column + int(step * random.uniform(0.2, 0.45)),
                row + int(step * random.uniform(0.5, 0.8)),
            )
            cv2.putText(
                table, sign, place, cv2.FONT_HERSHEY_SIMPLEX, size, ink, max(1, int(2 * size)), cv2.LINE_AA
            )
    return _turn(random, np.asarray(table, np.float32) / 255, shape)


def _marble(random: Generator, shape: tuple[int, int]) -> Float:
    veins = 1 - np.abs(clouds(random, shape, int(random.integers(3, 9))) * 2 - 1)
    mix = (veins ** random.uniform(2, 12))[..., None] * random.uniform(0.2, 0.9)
    return np.asarray(_colour(random) * (1 - mix) + _colour(random) * mix, np.float32)
