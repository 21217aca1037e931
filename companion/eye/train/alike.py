"""The network that says which looks at dice that were taught are alike, and how it learns.

`python -m companion.eye.train.alike LOOKS --out FOLDER` keeps FOLDER/sign.pt; stopped, it goes on.
The network makes of a look (colours x RINGS x ANGLES) another one of the same angles, in which looks at one
face are near to each other in some turn, whatever the lamp and the camera, and those at other faces far.
Each angle of the answer depends on those near it only, and the last one lies beside the first: of a face that
is turned it is the same, turned.

What is learned: of all looks at some sets those at the same face are to be the nearest (Khosla et al.:
Supervised Contrastive Learning, 2020), by a distance that means the same everywhere (a logistic loss of each
pair, as in Zhai et al.: Sigmoid Loss for Language Image Pre-Training, 2023).
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from companion.eye.sign import REACH
from companion.eye.taught import ANGLES
from companion.eye.train.learner import SHOW, Learner
from companion.eye.train.numbered import all_in
from companion.eye.train.options import Start, freely

SETS, SEEN = 8, 4  # sets of six faces in a step, and looks at each face
WARM = 12.0  # how sharply nearer is distinguished from farther
CHANNELS = 16  # of what comes of a look, for each of RINGS / 4 rings and each angle
HELD = 10  # of so many sets one is not learned from
OTHERS = 6 * HELD * 10**5  # added to the numbers of faces for each further folder: these are others


class Alike(nn.Module):
    """N x 3 x RINGS x (ANGLES + 2 REACH) becomes N x CHANNELS x RINGS/4 x ANGLES, the squares of
    each of which have the sum 1. What is added on both sides are the angles that come next, once around.
    """

    def __init__(self) -> None:
        super().__init__()
        first, second, third = 24, 40, 48
        self.body = nn.Sequential(
            _ring(3, first, 1), _ring(first, second, 2), _ring(second, second, 1), _ring(second, third, 2),
            _ring(third, third, 1), _ring(third, third, 1),
        )  # fmt: skip
        self.out = nn.Conv2d(third, CHANNELS, 1)

    def forward(self, x: Tensor) -> Tensor:
        """As the class says."""
        return whole(self.out(self.body(x)))


def whole(x: Tensor) -> Tensor:
    """Each of N answers so much smaller or larger that the sum of its squares is 1."""
    return x / (x.flatten(1).square().sum(1).sqrt().view(-1, 1, 1, 1) + 1e-6)


def _ring(inputs: int, outputs: int, stride: int) -> nn.Sequential:
    """Convolution that needs an angle more on both sides, normalisation, ReLU."""
    conv = nn.Conv2d(inputs, outputs, 3, (stride, 1), (1, 0), bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


def around(looks: Tensor) -> Tensor:
    """Looks (N x 3 x RINGS x ANGLES) with the angles that come next on both sides."""
    return torch.cat([looks[..., -REACH:], looks, looks[..., :REACH]], dim=-1)


def likeness(answers: Tensor, others: Tensor) -> Tensor:
    """How like N answers are to M others (N x M, up to 1), in the turn in which they are most so."""
    waves = [torch.fft.rfft(each.float().flatten(1, 2), dim=-1) for each in (answers, others)]
    product = torch.einsum("ncf,mcf->nmf", waves[0], waves[1].conj())
    alike: Tensor = torch.fft.irfft(product, ANGLES, dim=-1).amax(dim=-1)
    return alike


class Pool:
    """The looks of some folders, each of another seed, those of each face together; of one in HELD sets none
    is learned from.
    """

    def __init__(self, folders: list[Path]) -> None:
        looks, faces, blank = [], [], []
        for number, folder in enumerate(folders):
            for path in all_in([folder], "*.npz"):
                with np.load(path) as part:
                    looks.append(part["looks"])
                    faces.append(part["faces"] + number * OTHERS)
                    blank.append(part["blank"])
        self.looks, self.faces, self.blank = map(np.concatenate, (looks, faces, blank))
        order = np.argsort(self.faces, kind="stable")
        known, starts = np.unique(self.faces[order], return_index=True)
        self.where = dict(zip(known.tolist(), np.split(order, starts[1:]), strict=True))
        sets = np.unique(known // 6)
        full = [s for s in sets.tolist() if all(len(self.where.get(6 * s + f, ())) >= SEEN for f in range(6))]
        self.learn = np.array([s for s in full if s % HELD])
        self.held = np.array([s for s in full if not s % HELD])

    def batch(
        self, random: Generator, sets: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Looks at all faces of some sets (N x 3 x RINGS x ANGLES), each turned in any way; and which face it
        is, -1 for those that are blank.
        """
        found, which = [], []
        for name in random.choice(sets, min(SETS, len(sets)), replace=False).tolist():
            scale = int(random.integers(self.looks.shape[1]))
            for face in range(6):
                for place in random.choice(self.where[6 * name + face], SEEN, replace=False):
                    found.append(np.roll(self.looks[place, scale], int(random.integers(ANGLES)), axis=-1))
                    which.append(-1 if self.blank[place] else 6 * name + face)
        return np.array(found, np.float32), np.array(which)


def loss(answers: Tensor, which: Tensor, scale: Tensor) -> tuple[Tensor, dict[str, float]]:
    """How wrong N answers are of these faces, and its parts. `scale`: how sharp the logistic loss is, and
    where its middle lies.
    """
    alike = likeness(answers, answers)
    same = which[:, None] == which[None]
    self_ = torch.eye(len(which), dtype=torch.bool)
    other = torch.where(self_, -torch.inf, alike * WARM)
    near = other - other.logsumexp(dim=1, keepdim=True)
    pairs = same & ~self_
    chosen = -(near[pairs]).mean()
    logits = scale[0].exp() * (alike - scale[1])
    mine = functional.binary_cross_entropy_with_logits(logits[pairs], torch.ones(int(pairs.sum())))
    wrong = functional.binary_cross_entropy_with_logits(
        logits[~same], torch.zeros(int((~same).sum())), reduction="none"
    )
    # Nearly all pairs are of other faces, and easy: those that are hard count.
    hardest = wrong.topk(max(1, int(pairs.sum()))).values.mean()
    best = other.argmax(1)
    right = (which[best] == which).float().mean().item()
    parts = {"chosen": chosen.item(), "same": mine.item(), "other": hardest.item(), "right": right}
    return chosen + mine + hardest, parts


class Both(nn.Module):
    """The network and what its loss needs."""

    def __init__(self) -> None:
        super().__init__()
        self.network = Alike()
        self.scale = nn.Parameter(torch.tensor([2.5, 0.6]))

    def forward(self, x: Tensor) -> Tensor:
        """As the network."""
        answer: Tensor = self.network(x)
        return answer


def fit(folders: list[Path], out: Path, steps: int, seed: int, rate: float, first: Start | None) -> None:
    """Train, going on from where an earlier call stopped, or else from the weights of another training."""
    torch.manual_seed(seed)
    learner = Learner(Both, out / "sign.pt", steps, rate, decay=0.02, first=first)
    if learner.start >= steps:
        return
    pool, began = Pool(folders), time.monotonic()
    sums: dict[str, list[float]] = {}
    for step in range(learner.start, steps):
        looks, which = pool.batch(np.random.default_rng((seed, step)), pool.learn)
        answers = learner.say(around(torch.from_numpy(looks)))
        wrong, parts = loss(answers, torch.from_numpy(which), learner.network.scale)  # type: ignore[arg-type]
        learner.learn(step, wrong)
        for name, part in parts.items():
            sums.setdefault(name, []).append(part)
        if (step + 1) % SHOW == 0 or step + 1 == steps:
            shown: dict[str, Any] = {name: round(float(np.mean(v)), 4) for name, v in sums.items()}
            shown |= {"step": step + 1, "seconds": round(time.monotonic() - began)}
            if (step + 1) % 1000 == 0 and len(pool.held):
                shown |= examine(learner.mean, pool)
            print(json.dumps(shown), flush=True)
            sums = {}
            learner.save(step + 1)


def examine(network: nn.Module, pool: Pool) -> dict[str, float]:
    """The same of what is not learned from."""
    network.eval()
    sums: dict[str, list[float]] = {}
    for number in range(12):
        looks, which = pool.batch(np.random.default_rng((7, number)), pool.held)
        with torch.no_grad():
            _, parts = loss(network(around(torch.from_numpy(looks))), torch.from_numpy(which), network.scale)  # type: ignore[arg-type]
        for name, part in parts.items():
            sums.setdefault(f"new_{name}", []).append(part)
    return {name: round(float(np.mean(values)), 4) for name, values in sums.items()}


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("looks", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=freely, metavar="sign.pt", help="what to begin with")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    fit(args.looks, args.out, args.steps, args.seed, args.rate, args.first)


if __name__ == "__main__":
    main()
