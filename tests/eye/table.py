"""A table with drawn dice, as a camera above it would see them: with symbols, digits, or nothing on top."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import pygame
from numpy.typing import NDArray

from companion.eye.network import distinct, find
from companion.eye.read import Sight, look
from companion.eye.taught import Taught, teach
from companion.games.big_boom_bang import art
from companion.games.make_n_break.stopper_screen import numbered_die
from companion.screens import art as plain

Image = NDArray[np.uint8]
SIDE = 160  # px: a face as it is drawn, before it is laid on the table
DEEP = 0.22  # so much of its size is to be seen of a die's sides: the camera looks a little from below
TURNS = 6  # in which a face is shown when it is taught
PICTURES = 2  # of the same, each with its own noise
ANIMALS = ("mouse", "hare", "fox", "wolf", "dragon")  # on a die of one's own
DIGITS = {"blank": 0, "1": 1, "2": 2, "3": 3}


@dataclass(frozen=True)
class Lies:
    """A die on the table: what is on top, its middle in pixels, how far it is turned in degrees."""

    sign: str
    at: tuple[float, float] = (320.0, 240.0)
    turn: float = 0.0
    size: float = 64.0  # px: an edge


@lru_cache
def face(sign: str) -> Image:
    """The upper face (SIDE x SIDE x 4, BGRA)."""
    surface = _drawn(sign)
    alpha = pygame.surfarray.array_alpha(surface).T[..., None]
    return np.concatenate([pygame.surfarray.array3d(surface).transpose(1, 0, 2)[..., ::-1], alpha], axis=2)


def _drawn(sign: str) -> pygame.Surface:
    """A digit, an animal, pips, or a symbol of BIG BOOM! BANG."""
    if sign in DIGITS:
        return numbered_die(DIGITS[sign], SIDE)
    if sign.startswith("pips-"):
        return plain.die(int(sign[-1]), "white", SIDE)
    if sign in ANIMALS:
        surface = plain.die(0, "white", SIDE).copy()
        surface.blit(plain.icon(sign, SIDE * 3 // 4, (30, 60, 150)), (SIDE // 8, SIDE // 8))
        return surface
    return art.die(sign, SIDE)


def photograph(dice: Iterable[Lies], light: float = 1.0, noise: int = 0) -> Image:
    """The table (480 x 640 x 3, BGR); each `noise` is another picture of the same."""
    frame = _laid(tuple(dice)) * np.float32(light) + noisy(noise % PICTURES)
    return np.asarray(np.clip(frame, 0, 255), np.uint8)


@lru_cache(maxsize=4)  # of the same dice several pictures are taken
def _laid(dice: tuple[Lies, ...]) -> NDArray[np.float32]:
    frame = _cloth().copy()
    for die in dice:
        _lay(frame, _cloth(), die)
    return np.asarray(cv2.GaussianBlur(frame, (0, 0), 0.9), np.float32)


@lru_cache(maxsize=1)
def _cloth() -> NDArray[np.float32]:
    """The lamp is on the right."""
    falls = np.tile(np.linspace(0.9, 1.1, 640, dtype=np.float32), (480, 1))[..., None]
    return np.asarray(np.array([52.0, 84.0, 60.0], np.float32) * falls, np.float32)


def _lay(frame: NDArray[np.float32], cloth: NDArray[np.float32], die: Lies) -> None:
    """Draw a die: its shadow, its sides, its face."""
    high, upper = round(DEEP * die.size), face(die.sign)
    reach = round(0.75 * die.size) + high + 4
    left, top = (round(v) - reach for v in die.at)
    x0, y0, x1, y1 = max(0, left), max(0, top), min(640, left + 2 * reach), min(480, top + 2 * reach)
    part, ground = frame[y0:y1, x0:x1], cloth[y0:y1, x0:x1]
    side = upper[SIDE // 2, 8, :3] * np.float32(0.62)
    turn = np.asarray(cv2.getRotationMatrix2D(((SIDE - 1) / 2,) * 2, die.turn, die.size / SIDE), np.float64)
    for down in (high + 4, high + 2, *range(high, 0, -3), 0):
        matrix = turn.copy()
        place = np.array(die.at) - (x0, y0) + (down / 2 if down > high else 0, down)
        matrix[:, 2] += place - (SIDE - 1) / 2
        drawn = cv2.warpAffine(upper, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_AREA)
        colour = drawn[..., :3] if down == 0 else side if down <= high else ground * 0.5
        part += (colour - part) * (drawn[..., 3:] / np.float32(255))


def seen_on(dice: tuple[Lies, ...], noise: int = 0) -> tuple[Image, Sight]:
    """A photograph, which differs from the one before, and what the eye sees there."""
    return _seen_on(dice, noise % PICTURES)


@lru_cache(maxsize=150)  # many tests show the same
def _seen_on(dice: tuple[Lies, ...], noise: int) -> tuple[Image, Sight]:
    frame = photograph(dice, noise=noise)
    frame.flags.writeable = False
    return frame, look(frame)


@lru_cache
def noisy(noise: int) -> NDArray[np.float32]:
    """What a cheap camera adds to a picture."""
    return np.random.default_rng(noise).normal(0, 2.5, (480, 640, 3)).astype(np.float32)


@lru_cache
def taught(name: str, *signs: str) -> Taught:
    """A die of which each face was shown in six turns."""
    faces = [_shown(sign) for sign in signs]
    looks = np.concatenate([face.looks for face in faces])
    pictures = np.concatenate([face.pictures for face in faces])
    return Taught(name, signs, looks, np.repeat(np.arange(len(signs)), TURNS), pictures)


@lru_cache  # dice of other names have some, too
def _shown(sign: str) -> Taught:
    shown = []
    for turn in range(TURNS):
        frame = photograph([Lies(sign, turn=35 * turn)], noise=turn)
        found, *_ = distinct(find(frame))
        shown.append((0, frame, found.centre, found.size))
    return teach(sign, [sign], shown)


def animals() -> Taught:
    """A die of one's own."""
    return taught("own-1", *ANIMALS)


def bang() -> Taught:
    """The dice of BIG BOOM! BANG."""
    return taught("big-boom-bang", "bomb", "scissors", "heart", "gift")


def stopper() -> Taught:
    """The stopper die of Make 'n' Break."""
    return taught("stopper", *DIGITS)
