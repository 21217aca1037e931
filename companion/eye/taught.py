"""Dice that were taught: whatever is on their faces, each is known again by a few looks at it.

A face is looked at along circles around its middle; brightness and tint are taken off, so that another lamp
changes little. What a small network sees in two looks (`sign`) is compared in every turn at once, by
correlation over the angle (a product of Fourier transforms); the nearest look counts (Snell et al.:
Prototypical Networks for Few-shot Learning, 2017, take the mean of them). What is like no face that was
taught stays unknown.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye.network import Image, cut_out
from companion.eye.sign import seen_in
from companion.whole import whole

Look = NDArray[np.float32]  # 3 colours x RINGS x ANGLES
Looks = NDArray[np.float32]  # N of them: N x 3 x RINGS x ANGLES
Places = tuple[tuple[float, float], ...]  # beside a point, in sizes of the die
Spectra = NDArray[np.complex64]  # what is seen in looks, over the angle: frequencies x parts x N

RINGS, ANGLES = 12, 64
NEAR, FAR = 0.05, 0.37  # radii of the circles, in sizes of the die
CUT, WIDE = 96, 1.2  # px: side of the cut-out that is looked at; and that side in sizes of the die
LARGE = 160  # px: what comes of more of the frame than so is smoothed first, ...
SMOOTH = 0.4  # px of the cut-out: ... by so much (standard deviation)
PLAIN = 9.0  # grey levels of contrast below which a face counts as plain
SCALES = (0.7, 0.79, 0.89, 1.0, 1.12, 1.26, 1.42)  # a box around a die grows by up to 1.41 when it turns
AS_FOUND = SCALES.index(1.0)
HERE = ((0.0, 0.0),)
# What is not known where it was found is looked at around there, too, in some sizes.
AROUND = ((-0.08, 0.0), (0.08, 0.0), (0.0, -0.08), (0.0, 0.08))
NEARLY = SCALES[AS_FOUND - 1 : AS_FOUND + 2]
KNOWN = 0.65  # farther than this from all looks a face is unknown
CLEAR = 0.75  # of how far the next best face is, at most: two faces of a die may be much alike
ALIKE = 0.4  # nearer than this a face is taken for one that is known; different ones of a die may be so near
AT_ONCE = 16  # looks that are compared at once; with more, threads would be begun that wait for each other
FLAT = 0.3  # a face with less contrast than this is a plain one
PICTURE = 96  # px: side of the picture of a face
TAUGHT = 14  # looks at a face that stay ...
MOST = 24  # ... of so many
ROOM = MOST * (3 * RINGS * ANGLES * 4 + 8) + 3 * PICTURE * PICTURE + 2048  # bytes: more than a face takes


@dataclass(frozen=True, eq=False)
class Taught:
    """A kind of die: the names of its faces, looks at them, and of which face each look is.

    `pictures` (faces x PICTURE x PICTURE x 3, BGR) show the faces to people; there are none if it was taught
    before they were kept. Several kinds `together` have no name; they are its `parts`.
    """

    name: str
    faces: tuple[str, ...]
    looks: Looks
    of: NDArray[np.int64]
    pictures: Image = field(default_factory=lambda: NO_PICTURES)
    parts: tuple["Taught", ...] = ()

    @property
    def mixed(self) -> bool:
        """Whether these are several kinds of dice."""
        return bool(self.parts)

    @cached_property
    def spectra(self) -> Spectra:
        """Those of all its looks."""
        if self.parts:  # each of them takes its time, but only once
            return np.concatenate([part.spectra for part in self.parts], axis=-1)
        return spectra(self.looks)

    def picture(self, face: str) -> Image | None:
        """The picture of a face, if there is one."""
        shown = len(self.pictures) > 0 and face in self.faces
        return np.asarray(self.pictures[self.faces.index(face)]) if shown else None

    def with_look(self, face: str, look: Look) -> "Taught":
        """The same with a look more at a face, in another light perhaps. There are MOST at most: but for the
        first TAUGHT the oldest gives way. Raises ValueError if it has no such face.
        """
        number = self.faces.index(face)
        mine = np.flatnonzero(self.of == number)
        old = mine[TAUGHT : len(mine) - MOST + TAUGHT + 1]
        return replace(
            self,
            looks=np.concatenate([np.delete(self.looks, old, axis=0), look[None]]),
            of=np.append(np.delete(self.of, old), number),
        )

    def save(self, path: Path) -> None:
        """Write it to a file, whole or not at all. Raises OSError."""
        with whole(path) as file:
            np.savez(
                file,
                name=self.name,
                faces=np.array(self.faces),
                looks=self.looks,
                of=self.of,
                pictures=self.pictures,
            )

    @classmethod
    def load(cls, path: Path) -> "Taught":
        """Read it from a file. Raises OSError and ValueError (it is none)."""
        try:
            with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
                looks, of = np.asarray(file["looks"], np.float32), file["of"].astype(np.int64, casting="safe")
                pictures = np.asarray(file["pictures"]) if "pictures" in file else NO_PICTURES
                found = cls(str(file["name"]), tuple(map(str, file["faces"])), looks, of, pictures)
            sound = (
                len(found.faces) > 0
                and of.ndim == 1
                and looks.shape == (len(of), 3, RINGS, ANGLES)
                and bool(np.isfinite(looks).all())
                and set(of.tolist()) == set(range(len(found.faces)))
                and pictures.dtype == np.uint8
                and pictures.shape in (NO_PICTURES.shape, (len(found.faces), *NO_PICTURES.shape[1:]))
            )
        except OSError:
            raise
        except Exception as error:  # what reads the archive raises anything, depending on which byte is wrong
            raise ValueError(f"no die that was taught: {error}") from error
        if not sound:
            raise ValueError("its looks or pictures do not belong to its faces")
        return found


NO_PICTURES: Image = np.zeros((0, PICTURE, PICTURE, 3), np.uint8)


@lru_cache(maxsize=2)
def together(*kinds: Taught) -> Taught:
    """Several kinds of dice as one, so that each die is told as the likest of all; a face is `die/face`."""
    begins = np.cumsum([0, *(len(kind.faces) for kind in kinds)])
    return Taught(
        "",
        tuple(f"{kind.name}/{face}" for kind in kinds for face in kind.faces),
        np.concatenate([kind.looks for kind in kinds]),
        np.concatenate([kind.of + begin for kind, begin in zip(kinds, begins, strict=False)]),
        parts=kinds,
    )


def teach(
    name: str, faces: Sequence[str], shown: Sequence[tuple[int, Image, tuple[float, float], float]]
) -> Taught:
    """A kind of die from pictures of its faces: (face, frame, centre, size) for each look, in pixels."""
    looks = np.stack([look(frame, centre, size) for _, frame, centre, size in shown])
    first = {face: picture(frame, centre, size) for face, frame, centre, size in reversed(shown)}
    pictures = np.stack([first[face] for face in range(len(faces))])
    return Taught(name, tuple(faces), looks, np.array([face for face, *_ in shown], np.int64), pictures)


def picture(frame: Image, centre: tuple[float, float], size: float) -> Image:
    """A face for people to see (PICTURE x PICTURE x 3, BGR)."""
    return cut_out(frame, centre, size, PICTURE, PICTURE)


def look(frame: Image, centre: tuple[float, float], size: float) -> Look:
    """One look at a face."""
    return np.asarray(looks_at(frame, centre, size)[AS_FOUND], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """The face that is most like what lies there, how far it is from that, and whether it is that one.

    `plain`: there is nothing on it by which anything could be known again. `look` is the look at what lies
    there.
    """

    face: str
    away: float
    known: bool
    plain: bool
    look: Look


def tell(taught: Taught, frame: Image, centre: tuple[float, float], size: float) -> Told:
    """Which face of the die lies there, or a little beside: a sign's middle is not always found well."""
    looks = looks_at(frame, centre, size)
    nearest = _nearest(taught, looks)
    if not _known(nearest):
        around = looks_at(frame, centre, size, NEARLY, AROUND)
        nearest = np.minimum(nearest, _nearest(taught, around))
    best = int(np.argmin(nearest))
    alike = taught.looks[taught.of == best]
    return Told(
        taught.faces[best],
        max(0.0, float(nearest[best])),  # for numbers are rounded
        _known(nearest),
        bool(contrast(alike).mean() < FLAT),
        looks[AS_FOUND].copy(),  # a part alone would keep all the others
    )


def _known(far: NDArray[np.float32]) -> bool:
    """Whether what is so far from each face is one of them, and surely no other."""
    nearest, *rest = np.sort(far).tolist()
    return bool(nearest < KNOWN and (not rest or nearest < CLEAR * rest[0]))


def _nearest(taught: Taught, looks: Looks) -> NDArray[np.float32]:
    """How far what is seen in looks at one face in all sizes is from each face."""
    far = away(spectra(looks), taught.spectra)
    return np.array([far[taught.of == face].min() for face in range(len(taught.faces))], np.float32)


def away(seen: Spectra, known: Spectra) -> NDArray[np.float32]:
    """How far what is seen, in any of the sizes in which it was looked at, is from each look that is known
    (N; 0 alike, 2 unlike).
    """
    return np.asarray(2 - 2 * _alike(seen, known).max(axis=(0, 2)), np.float32)


def most_alike(taught: Taught) -> tuple[str, str, float]:
    """The two faces that are most like each other, in the order of the die's, and how far from each other
    (0 alike, 2 unlike).
    """
    far = 2 - 2 * _alike(taught.spectra, taught.spectra).max(axis=2)
    far[taught.of[:, None] >= taught.of] = np.inf
    one, other = np.unravel_index(int(far.argmin()), far.shape)
    return taught.faces[taught.of[one]], taught.faces[taught.of[other]], float(far[one, other])


def has_all_of(one: Taught, other: Taught) -> bool:
    """Whether one die has a side like each of the other one's, as if they were the same."""
    far = away(one.spectra, other.spectra)
    return all(far[other.of == face].min() < ALIKE for face in range(len(other.faces)))


def contrast(looks: Looks) -> NDArray[np.float32]:
    """How much there is to be seen in each look (N): 0 nothing at all, 1 as much as there can be."""
    return np.asarray((looks**2).sum(axis=(1, 2, 3)) / (RINGS * ANGLES), np.float32)


def turned(one: Spectra, other: Spectra) -> float:
    """By how many degrees (0..180) one look is turned against another."""
    turn = int(np.argmax(_alike(one, other)[0, 0])) * 360 / ANGLES
    return min(turn, 360 - turn)


@lru_cache(maxsize=4)
def _circles(scales: tuple[float, ...], places: Places) -> NDArray[np.float32]:
    """Points to look at (len(places) len(scales) x RINGS x ANGLES x 2), around 0, in sizes of the die."""
    radius = np.linspace(NEAR, FAR, RINGS)[:, None]
    angle = np.arange(ANGLES) * 2 * np.pi / ANGLES
    plain = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)
    return np.array([plain * scale + place for place in places for scale in scales], np.float32)


def looks_at(
    frame: Image,
    centre: tuple[float, float],
    size: float,
    scales: tuple[float, ...] = SCALES,
    places: Places = HERE,
) -> Looks:
    """Looks at a face that may be larger or smaller, or lie at one of some `places` beside the point,
    in sizes of the die (len(places) len(scales) x 3 x RINGS x ANGLES).
    """
    colours = _seen_around(frame, centre, size, _circles(scales, places))
    light = colours.mean(axis=1, keepdims=True)
    seen = np.concatenate([light, colours[:, :1] - light, colours[:, 2:] - light], axis=1)
    weight = np.linspace(NEAR, FAR, RINGS, dtype=np.float32)[:, None]  # an outer circle is more of the face
    weight = weight / weight.mean()
    seen = seen - (seen * weight).mean(axis=(2, 3), keepdims=True)
    deviation = np.sqrt((seen**2 * weight).mean(axis=(1, 2, 3), keepdims=True) * 3)
    return np.asarray(seen / (deviation + PLAIN) * np.sqrt(weight), np.float32)


def _seen_around(
    frame: Image, centre: tuple[float, float], size: float, circles: NDArray[np.float32]
) -> NDArray[np.float32]:
    """The colours along circles around a point (N x 3 x RINGS x ANGLES, BGR): in a cut-out of a fixed size,
    so that a large die is smoothed like a small one.
    """
    side = max(8.0, WIDE * size)
    left, top = (CUT / 2 - part * CUT / side for part in centre)
    matrix = np.array([[CUT / side, 0, left], [0, CUT / side, top]])
    soft = cv2.GaussianBlur(frame, (0, 0), SMOOTH * side / CUT) if side > LARGE else frame
    part = cv2.warpAffine(soft, matrix, (CUT, CUT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    points = circles * np.float32(CUT * size / side) + np.float32(CUT / 2)
    flat = points.reshape(-1, ANGLES, 2)
    found = cv2.remap(part, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, np.float32).reshape(*circles.shape[:3], 3).transpose(0, 3, 1, 2)


def spectra(looks: Looks) -> Spectra:
    """What the network sees in looks (N), to be compared."""
    waves = np.fft.rfft(seen_in(looks), axis=-1).astype(np.complex64)
    return np.ascontiguousarray(waves.transpose(2, 1, 0))


def _alike(seen: Spectra, known: Spectra) -> NDArray[np.float32]:
    """How like each look is to each other one, up to 1, in each turn (N x M x ANGLES)."""
    left, right = seen.transpose(0, 2, 1), np.conj(known)
    count = right.shape[-1]
    parts = [left @ right[..., i : i + AT_ONCE] for i in range(0, count, AT_ONCE)]  # for each frequency
    product = np.concatenate(parts, axis=2).transpose(1, 2, 0)
    return np.asarray(np.fft.irfft(product, ANGLES, axis=-1), np.float32)
