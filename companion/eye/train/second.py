"""The networks of the second and the third opinion, and how they learn from what is cut out.

`python -m companion.eye.train.second CUTS... --out FOLDER --steps 16000` goes on where it was stopped, and
keeps FOLDER/second.pt: the second network, from what `proposals` has cut out. With --faces it is the third
one, from what `fields` has, in FOLDER/third.pt; it may begin with what the second one knows (--first). Small
residual networks (He et al., 2016), each twice as large as the first one: they look at single dice only.
"""

import argparse
import json
import math
import time
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
from companion.eye.train.compose import GAMMA, shine, smear
from companion.eye.train.learner import Learner, as_tensor
from companion.eye.train.network import step
from companion.eye.train.proposals import WIDE

BATCH = 96


@dataclass(frozen=True, slots=True)
class Task:
    """What a network learns: how often each kind is shown to it, and the side of its cut-outs, in pixels."""

    shares: tuple[float, ...]
    side: int


# Faces, no pips, cocked, cuboids, what is no die.
OPINION = Task((*(0.085,) * 6, 0.05, 0.02, *(0.0225,) * 4, 0.33), SIDE)
FACES = Task((*(0.16,) * 6, 0.04), face.SIDE)


class _Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = step(channels, channels)
        self.then = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.then(self.first(x)))


class Second(nn.Module):
    """N x 3 x side x side (BGR, 0..1) becomes N x kinds logits."""

    def __init__(self, kinds: int, widths: tuple[int, int, int, int] = (24, 48, 96, 144)) -> None:
        super().__init__()
        first, second, third, fourth = widths
        self.body = nn.Sequential(
            step(3, first, stride=2),
            step(first, second, stride=2),
            _Residual(second),
            step(second, third, stride=2),
            _Residual(third),
            _Residual(third),
            step(third, fourth, stride=2),
            _Residual(fourth),
        )
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(fourth, kinds)

    def forward(self, x: Tensor) -> Tensor:
        """As the class says."""
        return cast(Tensor, self.out(self.drop(self.body(x).mean((2, 3)))))


class Cuts:
    """All cut-outs of some folders, each shown as often as the others, and each kind as the task says."""

    def __init__(self, folders: list[Path], task: Task) -> None:
        known = [[np.load(path) for path in sorted(folder.glob("*.npz"))] for folder in folders]
        self.pictures = [np.concatenate([part["pictures"] for part in parts]) for parts in known]
        kinds = [np.concatenate([part["kinds"] for part in parts]) for parts in known]
        self.where = [[np.nonzero(of == kind)[0] for kind in range(len(task.shares))] for of in kinds]
        self.shares, self.edge = np.array(task.shares) / sum(task.shares), (SIDE - task.side) // 2

    def batch(self, seed: int, number: int) -> tuple[Float, NDArray[np.int64]]:
        """Pictures (N x side x side x 3, 0..1), and what they show."""
        random = np.random.default_rng((seed, number))
        pairs = [self._one(random) for _ in range(BATCH)]
        middle = slice(self.edge, SIDE - self.edge)
        pictures = np.stack([varied(cut, random)[middle, middle] for cut, _ in pairs])
        return pictures, np.array([kind for _, kind in pairs])

    def _one(self, random: Generator) -> tuple[Image, int]:
        while True:
            kind = int(random.choice(len(self.shares), p=self.shares))
            folder = int(random.integers(len(self.where)))
            there = self.where[folder][kind]
            if len(there):
                return self.pictures[folder][int(there[int(random.integers(len(there)))])], kind


def varied(cut: Image, random: Generator) -> Float:
    """A cut-out as another camera might have seen it: turned, pushed, mirrored, coarser, in other light."""
    turn = random.uniform(0, 360) if random.random() < 0.6 else random.normal(0, 8)
    how = cv2.getRotationMatrix2D((WIDE / 2 - 0.5,) * 2, turn, math.exp(random.normal(0, 0.1)))
    how = how + np.pad(((SIDE - WIDE) / 2 + random.normal(0, 0.06 * SHOWN, 2))[:, None], ((0, 0), (2, 0)))
    seen = cv2.warpAffine(cut, how, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if random.random() < 0.5:
        seen = seen[:, ::-1]
    if random.random() < 0.15:  # fewer pixels, as far dice have
        few = max(18, round(SIDE * random.uniform(0.35, 0.9)))
        seen = cv2.resize(seen, (few, few), interpolation=cv2.INTER_AREA)
        seen = cv2.resize(seen, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
    if random.random() < 0.12:
        seen = cv2.GaussianBlur(seen, (0, 0), random.uniform(0.4, 1.6))
    level: NDArray[np.floating[Any]] = np.asarray(seen, np.float32) / 255
    if random.random() < 0.2:
        linear = level**GAMMA
        shine(random, linear, (SIDE / 2 - 0.5,) * 2, SHOWN)
        level = np.clip(linear, 0, 1) ** (1 / GAMMA)
    if random.random() < 0.05:
        level = smear(random, level)
    level *= np.asarray(random.uniform(0.7, 1.3) * random.uniform(0.9, 1.1, 3), np.float32)
    level = np.clip(level + random.uniform(-0.1, 0.1), 0, 1)
    if random.random() < 0.5:
        level = level ** random.uniform(0.7, 1.4)
    if random.random() < 0.2:
        level = level[..., random.permutation(3)]
    if random.random() < 0.25:
        level = level + random.uniform(0.005, 0.04) * random.standard_normal(level.shape, np.float32)
    return np.asarray(np.clip(level, 0, 1), np.float32)


def fit(
    folders: list[Path], out: Path, task: Task, steps: int, seed: int, rate: float, first: Path | None
) -> None:
    """Train, going on from where an earlier call stopped, or else from the weights of another training."""
    torch.manual_seed(seed)
    learner = Learner(partial(Second, len(task.shares)), out, steps, rate, decay=0.02, first=first)
    cuts, began = Cuts(folders, task), time.monotonic()
    sums: list[tuple[float, float]] = []
    with ThreadPoolExecutor(1) as other:
        coming = other.submit(cuts.batch, seed, learner.start)
        for number in range(learner.start, steps):
            pictures, kinds = coming.result()
            coming = other.submit(cuts.batch, seed, number + 1)
            said = learner.say(as_tensor(pictures))
            wanted = torch.from_numpy(kinds)
            wrong = functional.cross_entropy(said, wanted, label_smoothing=0.03)
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
