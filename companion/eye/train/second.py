"""The networks of the second and the third opinion, and how they learn from what is cut out.

`python -m companion.eye.train.second CUTS... --out FOLDER --steps 16000` goes on where it was stopped (what
is hard it has to find out anew), and keeps FOLDER/second.pt: the second network, from what `proposals` has
cut out. With --faces it is the third one, from what `fields`, `prints` and `proposals --faces` have, in
FOLDER/third.pt; it may begin with what the second one knows (--first). Small residual networks (He et al.,
2016), each twice as large as the first one: they look at single dice only. The third one has more layers
where the picture is still fine, and looks at one twice as fine as well: pips of hardly another colour than
the body's, and glitter as large as pips, are told apart there.
"""

import argparse
import json
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from companion.eye import face, opinion
from companion.eye.network import NO_PIPS, Float, Image
from companion.eye.train import options
from companion.eye.train.learner import DEVICE, SHOW, Learner, as_tensor, coming, softened
from companion.eye.train.network import step
from companion.eye.train.numbered import all_in
from companion.eye.train.options import Start
from companion.eye.train.variety import Variety, part_of, varied

BATCH = 96
STEPS = 1_000_000  # more than any training has
AMONG = 10  # cut-outs from which what is hard is chosen
LOSS = (0.02, 0.7)  # the more often, the larger its loss was when it was last shown: from, to ...
UNSEEN = 0.4  # ... what was never shown counts as much ...
UNBIASED = 0.8  # ... but not after this part of all steps: how often it is wrong it has to learn as well
FIRM = 0.8  # of all faces: what it names less surely a loyal training learns anew


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What a network learns: how often each kind is shown to it, the side of its cut-outs and of a die in
    them in pixels, how many blocks more it has in the half and in the quarter of its size, whether it looks
    `twice` as fine as well, how its cut-outs vary, how unsure it is to stay (label smoothing), which part of
    what it is shown is such as it has been unsure of, and how often what is no die is a part of one.
    """

    shares: tuple[float, ...]
    side: int
    shown: int
    fine: tuple[int, int] = (0, 0)
    twice: bool = False
    variety: Variety
    smoothing: float
    hard: float = 0.0
    parts: float = 0.0


# Faces, no pips, cocked, cuboids, what is no die; the third one knows neither cocked ones nor cuboids. The
# second network has to know any camera, the third one only what sees a tray: shown what hardly anybody can
# read, it would learn less of what can be read.
OPINION = Task(
    shares=(*(0.085,) * 6, 0.05, 0.02, *(0.0225,) * 4, 0.33),
    side=opinion.SIDE,
    shown=opinion.SHOWN,
    variety=Variety(
        size=0.1,
        push=0.06,
        coarser=(0.15, 0.35, 0.9),
        blurred=(0.12, 0.4, 1.6),
        shine=0.2,
        gloss=0.06,
        glints=0.1,
        smear=0.05,
        light=0.3,
        shift=0.1,
        noise=(0.25, 0.005, 0.04),
    ),
    smoothing=0.03,
)
FACES = Task(
    shares=(*(0.125,) * 6, 0.05, 0.2),
    side=face.SIDE,
    shown=face.SHOWN,
    fine=(2, 1),
    twice=True,
    variety=Variety(
        size=0.08,
        push=0.04,
        astray=(0.2, 0.12),
        coarser=(0.75, 0.3, 1.0),
        blurred=(0.4, 0.3, 1.1),
        dark=(0.2, 0.5, 2.3),
        parted=0.15,
        gloss=0.15,
        glints=0.25,
        light=0.25,
        shift=0.05,
        noise=(0.5, 0.004, 0.025),
        jpeg=0.35,
    ),
    smoothing=0.01,
    hard=0.5,
    parts=0.4,
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

    def __init__(self, task: Task) -> None:
        super().__init__()
        first, second, third, fourth = 24, 48, 96, 144
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
        self.twice = _twice_as_fine(first) if task.twice else None

    def forward(self, x: Tensor) -> Tensor:
        """As the class says."""
        if self.twice is None:
            y = self.body(x)
        else:
            y = self.body[1:](self.body[0](functional.avg_pool2d(x, 2)) + self.twice(x))
        return cast(Tensor, self.out(self.drop(y.mean((2, 3)))))


def _twice_as_fine(channels: int, fine: int = 16) -> nn.Sequential:
    """What is seen in a picture, in a quarter of its size, to be added to what is seen in the half of it;
    nothing at first.
    """
    last = nn.BatchNorm2d(channels)
    nn.init.zeros_(last.weight)
    down = nn.Conv2d(fine, channels, 3, 2, 1, bias=False)
    return nn.Sequential(step(3, fine, stride=2), _Residual(fine), down, last)


Place = tuple[int, int]  # the number of a file, and of a cut-out in it


class Cuts:
    """All cut-outs of some folders, each of which is shown as often as the others, and each kind that there
    is as often as the task says.
    """

    def __init__(self, folders: list[Path], task: Task) -> None:
        self.pictures: list[NDArray[np.uint8]] = []  # of each file: never joined, they are gigabytes
        self.kinds: list[NDArray[np.int64]] = []
        self.losses: list[Float] = []  # when they were last shown
        self.where = [self._load(folder, len(task.shares)) for folder in folders]
        there = [any(len(places[kind]) for places in self.where) for kind in range(len(task.shares))]
        shares = np.array(task.shares) * there
        self.shares, self.task = shares / shares.sum(), task

    def _load(self, folder: Path, count: int) -> list[NDArray[np.int64]]:
        """Where each kind is in a folder: files and numbers in them (N x 2)."""
        found = []
        for path in all_in([folder], "*.npz"):
            with np.load(path) as part:
                kinds = part["kinds"].astype(np.int64)
                file = np.full_like(kinds, len(self.pictures))
                found.append(np.stack([file, np.arange(len(kinds)), kinds], axis=1))
                self.pictures.append(part["pictures"])
                self.kinds.append(kinds)
                # Shared with the processes that make batches.
                self.losses.append(torch.full((len(kinds),), UNSEEN).share_memory_().numpy())
        every = np.concatenate(found)
        return [every[every[:, 2] == kind, :2] for kind in range(count)]

    def batch(
        self, seed: int, number: int, hard: float = 0.0, times: int = 1
    ) -> tuple[Tensor, Tensor, list[Place]]:
        """Pictures (N x 3 x side x side, 0..1), what they show, and where they are. A part of them is `hard`
        (after Shrivastava et al.: Training Region-based Object Detectors with Online Hard Example Mining,
        2016; here it is remembered which were).
        """
        random = np.random.default_rng((seed, number))
        chosen = [self._one(random, hard) for _ in range(BATCH * times)]
        pictures = as_tensor(np.stack([self._varied(random, *each) for each in chosen]))
        return pictures, torch.tensor([kind for _, kind in chosen]), [place for place, _ in chosen]

    def _varied(self, random: Generator, place: Place, kind: int) -> Float:
        task = self.task
        return varied(self._cut(random, place, kind), task.variety, task.side, task.shown, random)

    def _one(self, random: Generator, hard: float) -> tuple[Place, int]:
        kind = int(random.choice(len(self.shares), p=self.shares))
        if kind == len(self.shares) - 1 and random.random() < self.task.parts:
            return self._any(random, range(NO_PIPS), 0.0), kind
        return self._any(random, (kind,), hard), kind

    def _any(self, random: Generator, kinds: Sequence[int], hard: float) -> Place:
        """Where one of some kinds is."""
        while True:
            there = self.where[int(random.integers(len(self.where)))][int(random.choice(kinds))]
            if len(there):
                count = AMONG if random.random() < hard else 1
                some = there[random.integers(len(there), size=count)].tolist()
                losses = np.clip([self.losses[file][number] for file, number in some], *LOSS)
                file, number = some[int(random.choice(len(some), p=losses / losses.sum()))]
                return file, number

    def _cut(self, random: Generator, place: Place, kind: int) -> Image:
        """What is there, or of a die that is to be none a part."""
        file, number = place
        cut = np.asarray(self.pictures[file][number], np.uint8)
        return cut if self.kinds[file][number] == kind else part_of(random, cut, self.task.shown)

    def remember(self, places: list[Place], kinds: list[int], losses: list[float]) -> None:
        """Keep how large the losses of what was shown were, as what it is."""
        for (file, number), kind, loss in zip(places, kinds, losses, strict=True):
            if self.kinds[file][number] == kind:
                self.losses[file][number] = loss


def likely(kinds: Tensor, count: int, smoothing: float, before: Tensor | None) -> Tensor:
    """How likely each of `count` kinds should be (N x count) of what shows these (N). If a network of
    `before` has answered (logits, N x count), as likely as it says, but where it takes one face for another
    the true one is as likely as all faces together. So what it knows is to stay (after Li and Hoiem: Learning
    without Forgetting, 2016), and how it draws the line to what is no die or shows no pips.
    """
    if before is None:
        return softened(kinds, count, smoothing)
    said = before.softmax(1)
    faces = said[:, :NO_PIPS]
    true = kinds.clamp(max=NO_PIPS - 1)
    seen = faces.sum(1)
    unsure = (kinds < NO_PIPS) & (faces.gather(1, true[:, None])[:, 0] < FIRM * seen)
    mended = torch.cat([seen[:, None] * softened(true, NO_PIPS, smoothing), said[:, NO_PIPS:]], 1)
    return torch.where(unsure[:, None], mended, said)


def fit(
    folders: list[Path],
    out: Path,
    task: Task,
    steps: int,
    seed: int,
    rate: float,
    first: Start | None,
    times: int,
    workers: int,
) -> None:
    """Train, going on from where an earlier call stopped, or else from the weights of another training."""
    torch.manual_seed(seed)
    learner = Learner(partial(Second, task), out, steps, rate, decay=0.02, first=first)
    if learner.start >= steps:
        return
    cuts, began = Cuts(folders, task), time.monotonic()
    sums: list[Tensor] = []
    numbers = range(learner.start, steps)

    def make(number: int) -> tuple[Tensor, Tensor, list[Place]]:
        return cuts.batch(seed, number, task.hard if number < UNBIASED * steps else 0.0, times)

    for number, (pictures, wanted, places) in zip(numbers, coming(make, numbers, workers), strict=True):
        torch.manual_seed(seed * STEPS + number)  # what it drops is the same after a stop
        kinds = wanted.to(DEVICE, non_blocking=True)
        shown = pictures.to(DEVICE, non_blocking=True)
        said, before = learner.both(shown, np.random.default_rng((seed, number, 1)))
        aim = likely(kinds, said.shape[1], task.smoothing, before)
        wrong = functional.cross_entropy(said, aim)
        learner.learn(number, wrong)
        if task.hard:
            losses = functional.cross_entropy(said.detach(), kinds, reduction="none")
            cuts.remember(places, wanted.tolist(), losses.tolist())
        sums.append(torch.stack([wrong.detach(), (said.detach().argmax(1) == kinds).float().mean()]))
        if (number + 1) % SHOW == 0 or number + 1 == steps:
            loss, right = torch.stack(sums).mean(0).tolist()
            told = {"step": number + 1, "loss": round(loss, 4), "right": round(right, 4)}
            print(json.dumps(told | {"seconds": round(time.monotonic() - began)}), flush=True)
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
    options.add_start(parser, "second.pt")
    parser.add_argument("--faces", action="store_true", help="the third network")
    options.add_card(parser)
    args = parser.parse_args()
    task, name = (FACES, "third.pt") if args.faces else (OPINION, "second.pt")
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    fit(
        args.cuts, args.out / name, task, args.steps, args.seed, args.rate, args.start,
        args.times, args.workers,
    )  # fmt: skip


if __name__ == "__main__":
    main()
