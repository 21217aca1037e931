"""The networks of the second and the third opinion, and how they learn from what is cut out.

`python -m companion.eye.train.second CUTS... --out FOLDER --steps 16000` goes on where it was stopped, and
keeps FOLDER/second.pt: the second network, from what `proposals` has cut out. With --faces it is the third
one, from what `fields` has, in FOLDER/third.pt; it may begin with what the second one knows (--first). Small
residual networks (He et al., 2016), each twice as large as the first one: they look at single dice only. The
third one has more layers where the picture is still fine: pips of hardly another colour than the body's, and
glitter as large as pips, are told apart there.
"""

import argparse
import json
import math
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from companion.eye import face
from companion.eye.network import Float, Image
from companion.eye.opinion import SHOWN, SIDE
from companion.eye.read import MIDDLE, WHITE
from companion.eye.train.compose import GAMMA, shine, smear
from companion.eye.train.learner import Learner, as_tensor
from companion.eye.train.network import step
from companion.eye.train.proposals import WIDE

BATCH = 96
SEARCH = 2000  # so many steps later it is looked anew what it is unsure of ...
SEARCHED = 3  # ... in one of so many: a look at all takes as long as hundreds of steps ...
UNBIASED = 0.75  # ... but not after this part of all steps: how often it is wrong it has to learn as well
SURE = 0.97  # from here on it is sure
LOSS = (0.05, 0.7)  # what it is unsure of is shown the more often, the larger its loss is: from, to
LOST = 0.5  # but not where this part of the face is white: nobody can read it


@dataclass(frozen=True, slots=True)
class Variety:
    """How differently other cameras may see a cut-out: how often, and how far it goes."""

    size: float  # standard deviation, of its logarithm
    push: float  # standard deviation, in sizes of the die
    astray: tuple[float, float]  # how often it is much more, and what then: a lit half may look like a die
    coarser: tuple[float, float, float]  # how often; the fewest and the most of its pixels that are left
    blurred: tuple[float, float, float]  # how often; from and to, in pixels
    shine: float
    smear: float
    light: float  # how much lighter or darker
    shift: float  # how much is added or taken
    noise: tuple[float, float, float]  # how often; from and to, of white
    jpeg: float


@dataclass(frozen=True, slots=True)
class Task:
    """What a network learns: how often each kind is shown to it, the side of its cut-outs in pixels, how many
    blocks more it has in the half and in the quarter of its size, how its cut-outs vary, how unsure it is to
    stay (label smoothing), and which part of what it is shown is such as it has been unsure of.
    """

    shares: tuple[float, ...]
    side: int
    fine: tuple[int, int]
    variety: Variety
    smoothing: float
    hard: float


# Faces, no pips, cocked, cuboids, what is no die. The second network has to know any camera, the third one
# only what hangs above a tray: shown what hardly anybody can read, it would learn less of what can be read.
OPINION = Task(
    shares=(*(0.085,) * 6, 0.05, 0.02, *(0.0225,) * 4, 0.33),
    side=SIDE,
    fine=(0, 0),
    variety=Variety(
        size=0.1,
        push=0.06,
        astray=(0.0, 0.0),
        coarser=(0.15, 0.35, 0.9),
        blurred=(0.12, 0.4, 1.6),
        shine=0.2,
        smear=0.05,
        light=0.3,
        shift=0.1,
        noise=(0.25, 0.005, 0.04),
        jpeg=0.0,
    ),
    smoothing=0.03,
    hard=0.0,
)
FACES = Task(
    shares=(*(0.16,) * 6, 0.04),
    side=face.SIDE,
    fine=(2, 1),
    variety=Variety(
        size=0.08,
        push=0.04,
        astray=(0.2, 0.12),
        coarser=(0.3, 0.55, 0.95),
        blurred=(0.3, 0.3, 1.0),
        shine=0.05,
        smear=0.0,
        light=0.25,
        shift=0.05,
        noise=(0.4, 0.004, 0.02),
        jpeg=0.35,
    ),
    smoothing=0.01,
    hard=0.35,
)


class _Residual(nn.Module):
    """Two layers whose input is added to what they give; at first they give nothing."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = step(channels, channels)
        last = nn.BatchNorm2d(channels)
        nn.init.zeros_(last.weight)
        self.then = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), last)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.then(self.first(x)))


class Second(nn.Module):
    """N x 3 x side x side (BGR, 0..1) becomes N x kinds logits."""

    def __init__(self, task: Task, widths: tuple[int, int, int, int] = (24, 48, 96, 144)) -> None:
        super().__init__()
        first, second, third, fourth = widths
        half, quarter = task.fine
        layers = {
            "halved": step(3, first, stride=2),
            "fine": nn.Sequential(*(_Residual(first) for _ in range(half))),
            "quartered": nn.Sequential(step(first, second, stride=2), _Residual(second)),
            "finer": nn.Sequential(*(_Residual(second) for _ in range(quarter))),
            "eighth": nn.Sequential(step(second, third, stride=2), _Residual(third), _Residual(third)),
            "sixteenth": nn.Sequential(step(third, fourth, stride=2), _Residual(fourth)),
        }
        self.body = nn.Sequential(OrderedDict(layers))
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(fourth, len(task.shares))

    def forward(self, x: Tensor) -> Tensor:
        """As the class says."""
        return cast(Tensor, self.out(self.drop(self.body(x).mean((2, 3)))))


class Cuts:
    """All cut-outs of some folders, each shown as often as the others, and each kind as the task says; and
    those that are hard, once they were searched for.
    """

    def __init__(self, folders: list[Path], task: Task) -> None:
        self.pictures: list[NDArray[np.uint8]] = []  # of each file: never joined, they are gigabytes
        self.where = [self._load(folder, len(task.shares)) for folder in folders]
        self.shares, self.task = np.array(task.shares) / sum(task.shares), task
        self.hard: list[tuple[int, int, int]] = []  # file, number, kind
        self._up_to = np.zeros(0)  # the chances of those, summed up

    def _load(self, folder: Path, count: int) -> list[NDArray[np.int64]]:
        """Where each kind is in a folder: files and numbers in them (N x 2)."""
        found = []
        for path in sorted(folder.glob("*.npz")):
            with np.load(path) as part:
                kinds = part["kinds"].astype(np.int64)
                file = np.full_like(kinds, len(self.pictures))
                found.append(np.stack([file, np.arange(len(kinds)), kinds], axis=1))
                self.pictures.append(part["pictures"])
        every = np.concatenate(found)
        return [every[every[:, 2] == kind, :2] for kind in range(count)]

    def search(self, network: nn.Module, turn: int) -> None:
        """Find what is hard: what the network is not sure of (after Shrivastava et al.: Training Region-based
        Object Detectors with Online Hard Example Mining, 2016; here it is searched for now and then). Each
        `turn` looks at others.
        """
        self.hard, losses = [], []
        for kind, places in ((kind, places) for kinds in self.where for kind, places in enumerate(kinds)):
            some = places[turn % SEARCHED :: SEARCHED]
            for part in (some[first : first + BATCH] for first in range(0, len(some), BATCH)):
                cuts = np.stack([self.pictures[file][number] for file, number in part])
                inner = np.asarray(_inner(cuts, self.task.side) / 255, np.float32)
                right = _said(network, inner)[:, kind]
                for (file, number), cut, chance in zip(part.tolist(), cuts, right, strict=True):
                    if chance < SURE and _white(cut) < LOST:
                        self.hard.append((file, number, kind))
                        losses.append(-math.log(max(chance, 1e-6)))
        shown = np.cumsum(np.clip(losses, *LOSS))
        self._up_to = shown / shown[-1:]

    def batch(self, seed: int, number: int, hard: float = 0.0) -> tuple[Float, NDArray[np.int64]]:
        """Pictures (N x side x side x 3, 0..1), and what they show; a part of them is `hard`."""
        random = np.random.default_rng((seed, number))
        pairs = [self._one(random, hard if self.hard else 0.0) for _ in range(BATCH)]
        pictures = np.stack([varied(cut, self.task.variety, random) for cut, _ in pairs])
        return _inner(pictures, self.task.side), np.array([kind for _, kind in pairs])

    def _one(self, random: Generator, hard: float) -> tuple[Image, int]:
        if random.random() < hard:
            file, number, kind = self.hard[int(np.searchsorted(self._up_to, random.random()))]
            return self.pictures[file][number], kind
        while True:
            kind = int(random.choice(len(self.shares), p=self.shares))
            there = self.where[int(random.integers(len(self.where)))][kind]
            if len(there):
                file, number = there[int(random.integers(len(there)))]
                return self.pictures[file][number], kind


def _inner(pictures: NDArray[Any], side: int) -> NDArray[Any]:
    """The middle of square pictures (N x any side x as many x 3): N x side x side x 3."""
    edge = (pictures.shape[1] - side) // 2
    return pictures[:, edge : edge + side, edge : edge + side]


def _said(network: nn.Module, pictures: Float) -> Float:
    """How likely each kind is (N x kinds)."""
    network.eval()
    with torch.no_grad():
        return np.asarray(network(as_tensor(pictures)).softmax(1).numpy(), np.float32)


def _white(cut: Image) -> float:
    """Which part of the face is white."""
    reach = round(MIDDLE * SHOWN)
    middle = slice(WIDE // 2 - reach, WIDE // 2 + reach)
    return float((cut[middle, middle].min(axis=2) >= WHITE).mean())


def varied(cut: Image, variety: Variety, random: Generator) -> Float:
    """A cut-out as another camera might have seen it: turned, pushed, mirrored, coarser, in other light."""
    turn = random.uniform(0, 360) if random.random() < 0.6 else random.normal(0, 8)
    how = cv2.getRotationMatrix2D((WIDE / 2 - 0.5,) * 2, turn, math.exp(random.normal(0, variety.size)))
    often, far = variety.astray
    pushed = (far if random.random() < often else variety.push) * SHOWN
    push = (SIDE - WIDE) / 2 + random.normal(0, pushed, 2)
    how = how + np.pad(push[:, None], ((0, 0), (2, 0)))
    seen = cv2.warpAffine(cut, how, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if random.random() < 0.5:
        seen = seen[:, ::-1]
    few = SIDE
    often, least, most = variety.coarser
    if random.random() < often:  # fewer pixels, as far dice have; what a camera adds is as coarse
        few = max(18, round(SIDE * random.uniform(least, most)))
        seen = cv2.resize(seen, (few, few), interpolation=cv2.INTER_AREA)
    often, least, most = variety.blurred
    if random.random() < often:
        seen = cv2.GaussianBlur(seen, (0, 0), random.uniform(least, most))
    level: NDArray[np.floating[Any]] = np.asarray(seen, np.float32) / 255
    if random.random() < variety.shine:
        linear = level**GAMMA
        shine(random, linear, (few / 2 - 0.5,) * 2, SHOWN * few / SIDE)
        level = np.clip(linear, 0, 1) ** (1 / GAMMA)
    if random.random() < variety.smear:
        level = smear(random, level)
    light = 1 + random.uniform(-variety.light, variety.light)
    level *= np.asarray(light * random.uniform(0.9, 1.1, 3), np.float32)
    level = np.clip(level + random.uniform(-variety.shift, variety.shift), 0, 1)
    if random.random() < 0.5:
        level = level ** random.uniform(0.7, 1.4)
    if random.random() < 0.2:
        level = level[..., random.permutation(3)]
    often, least, most = variety.noise
    if random.random() < often:  # most where it is bright, as of frames
        grain = random.uniform(least, most) * (0.4 + level)
        level = level + grain * random.standard_normal(level.shape, np.float32)
    level = np.asarray(np.clip(level, 0, 1), np.float32)
    if random.random() < variety.jpeg:
        level = _as_jpeg(level, random)
    return np.asarray(cv2.resize(level, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR), np.float32)


def _as_jpeg(level: NDArray[np.floating[Any]], random: Generator) -> Float:
    """What is left after a camera has compressed it."""
    shot = np.ascontiguousarray(level * 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(60, 95))])[1]
    return np.asarray(np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR)) / 255, np.float32)


def fit(
    folders: list[Path], out: Path, task: Task, steps: int, seed: int, rate: float, first: Path | None
) -> None:
    """Train, going on from where an earlier call stopped, or else from the weights of another training."""
    torch.manual_seed(seed)
    learner = Learner(partial(Second, task), out, steps, rate, decay=0.02, first=first)
    cuts, began = Cuts(folders, task), time.monotonic()
    sums: list[tuple[float, float]] = []
    with ThreadPoolExecutor(1) as other:
        coming = other.submit(cuts.batch, seed, learner.start)
        for number in range(learner.start, steps):
            pictures, kinds = coming.result()
            hard = task.hard if number < UNBIASED * steps else 0.0
            if hard and (number % SEARCH == 0 or number == learner.start):
                cuts.search(learner.mean, number // SEARCH)
            coming = other.submit(cuts.batch, seed, number + 1, hard)
            said = learner.say(as_tensor(pictures))
            wanted = torch.from_numpy(kinds)
            wrong = functional.cross_entropy(said, wanted, label_smoothing=task.smoothing)
            learner.learn(number, wrong)
            sums.append((wrong.item(), (said.argmax(1) == wanted).float().mean().item()))
            if (number + 1) % 250 == 0 or number + 1 == steps:
                loss, right = np.mean(sums, axis=0).round(4).tolist()
                took = round(time.monotonic() - began)
                print(
                    json.dumps({"step": number + 1, "loss": loss, "right": right, "seconds": took}),
                    flush=True,
                )
                sums = []
                learner.save(number + 1)


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cuts", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=16000)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=Path, help="a second.pt to begin with")
    parser.add_argument("--faces", action="store_true", help="the third network")
    args = parser.parse_args()
    task, name = (FACES, "third.pt") if args.faces else (OPINION, "second.pt")
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    fit(args.cuts, args.out / name, task, args.steps, args.seed, args.rate, args.first)


if __name__ == "__main__":
    main()
