"""The network learns from tiles. `python -m companion.eye.train.fit TILES... --out FOLDER --steps 20000`.

Half of the steps look at whole tiles, half at small cut-outs around dice: the eye looks twice, too.
Every few hundred steps it writes FOLDER/network.pt, from which it goes on when it is started again.
On a graphics card steps can be larger (--times 4), and other processes have to make them (--workers 8).
"""

import argparse
import json
import math
import time
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from companion.eye.network import CLASSES, CLOSE, CUT, STRIDE, cut_out
from companion.eye.train import options
from companion.eye.train.learner import DEVICE, SHOW, Learner, as_tensor, coming, softened
from companion.eye.train.network import Network
from companion.eye.train.numbered import all_in
from companion.eye.train.options import Start

SMALLEST = 13  # px: smaller dice cannot be read, and are not cut out
TILES, CUTS = 16, 72  # in a batch
# Of a die's size: so far around its middle all is as hot, as nobody can say where exactly the middle of a six
# is, which has no pip there; then the heat falls (standard deviation).
MIDDLE, BELL = 0.1, 0.08
UNSURE = 0.02  # how unsure of what it names it is to stay (label smoothing)

Float = NDArray[np.floating[Any]]


class Batch(NamedTuple):
    """Pictures (N x 3 x H x W, uint8) and what should come of them, per cell."""

    pictures: Tensor
    heat: Tensor  # N x h x w
    middle: Tensor  # N x h x w: of each die all together 1, where it is hottest
    asked: Tensor  # N x h x w: 0 where the heat is neither asked for nor held against
    weight: Tensor  # N x h x w: of the other answers
    kind: Tensor  # N x h x w, int64
    place: Tensor  # N x 6 x h x w

    def there(self) -> "Batch":
        """The same where the networks are."""
        return Batch(*(part.to(DEVICE, non_blocking=True) for part in self))


class Tiles:
    """All tiles of some folders, and of the folders in them; `look_again` finds those that were added.

    Each of the folders given is as likely as the others, however many tiles it has.
    """

    def __init__(self, folders: list[Path]) -> None:
        self.folders = folders
        self.known: set[Path] = set()
        self.tiles: list[NDArray[np.uint8]] = []
        self.dice: list[Float] = []
        self.where: list[list[tuple[int, int]]] = [[] for _ in folders]
        self.looked = 0
        self.look_again()

    def look_again(self) -> None:
        """Take in what was finished since: `dice.npy` is written last."""
        for group, folder in zip(self.where, self.folders, strict=True):
            for done in all_in([folder], "**/dice.npy"):
                if done not in self.known:
                    self.known.add(done)
                    self.tiles.append(np.load(done.with_name("tiles.npy"), mmap_mode="r"))
                    self.dice.append(np.load(done))
                    group += [(len(self.tiles) - 1, number) for number in range(len(self.dice[-1]))]

    def choose(self, random: Generator) -> tuple[NDArray[np.uint8], Float]:
        """Any tile and its dice, perhaps mirrored."""
        group = self.where[int(random.integers(len(self.where)))]
        part, number = group[int(random.integers(len(group)))]
        tile = np.asarray(self.tiles[part][number])
        dice = self.dice[part][number]
        dice = dice[dice[:, 7] > 0].copy()
        if random.random() < 0.5:
            tile = tile[:, ::-1]
            dice[:, 0] = tile.shape[1] - 1 - dice[:, 0]
            dice[:, [2, 4]] = dice[:, [4, 2]]
        return tile, dice

    def batch(self, seed: int, times: int, step: int) -> Batch:
        """What is shown at a step: so many times as much as on one core."""
        if step - self.looked >= SHOW:
            self.look_again()
            self.looked = step
        random = np.random.default_rng((seed, step))
        return self.cut(random, times) if step % 2 else self.whole(random, times)

    def whole(self, random: Generator, times: int) -> Batch:
        """A batch of tiles."""
        return aim([self.choose(random) for _ in range(TILES * times)])

    def cut(self, random: Generator, times: int) -> Batch:
        """A batch of cut-outs, as the eye makes them for its second look: of dice, and of what is none."""
        cuts: list[tuple[NDArray[np.uint8], Float]] = []
        while len(cuts) < CUTS * times:
            tile, dice = self.choose(random)
            size = dice[:, 2:6].sum(axis=1) / 2
            fit = np.nonzero((size > SMALLEST) & (dice[:, 6] >= 0))[0]
            for _ in range(min(3, 1 + len(fit))):
                if len(fit) and random.random() < 0.8:
                    number = int(fit[int(random.integers(len(fit)))])
                    side = size[number] * CUT / CLOSE * random.uniform(0.8, 1.25)
                    middle = dice[number, :2] + random.uniform(-0.16, 0.16, 2) * size[number]
                else:
                    side = math.exp(random.uniform(math.log(20), math.log(tile.shape[0])))
                    middle = random.uniform(0, tile.shape[0], 2)
                cuts.append(cut(tile, dice, middle, round(min(side, tile.shape[0]))))
        return aim(cuts[: CUTS * times])


def cut(tile: NDArray[np.uint8], dice: Float, middle: Float, side: int) -> tuple[NDArray[np.uint8], Float]:
    """A square of a tile around a point, as the eye cuts it out, and the dice in it."""
    picture = cut_out(tile, tuple(middle.tolist()), side, CUT, CUT)
    x, y = (round(part - side / 2) for part in middle.tolist())
    scale = CUT / side
    inside = dice.copy()
    inside[:, :2] = (inside[:, :2] - (x, y) + 0.5) * scale - 0.5
    inside[:, 2:6] *= scale
    inside = inside[((inside[:, :2] >= 0) & (inside[:, :2] < CUT)).all(axis=1)]
    size = inside[:, 2:6].sum(axis=1) / 2
    left, up, right, down = inside[:, 2:6].T
    ends = np.stack(
        [inside[:, 0] - left, inside[:, 1] - up, CUT - inside[:, 0] - right, CUT - inside[:, 1] - down]
    )
    inside[(ends < -0.2 * size).any(axis=0) | (size > 1.1 * CUT), 6] = -1
    return picture, inside


def aim(pictures: list[tuple[NDArray[np.uint8], Float]]) -> Batch:
    """What should come of some pictures of one size with their dice (rows as in compose)."""
    count, side = len(pictures), pictures[0][0].shape[0] // STRIDE
    heat, middle, weight = np.zeros((3, count, side, side), np.float32)
    asked = np.ones((count, side, side), np.float32)
    kind = np.zeros((count, side, side), np.int64)
    place = np.zeros((count, 6, side, side), np.float32)
    row, column = np.mgrid[:side, :side].astype(np.float32)
    for number, (_, dice) in enumerate(pictures):
        for x, y, left, up, right, down, what, _ in dice.tolist():
            cx, cy = (x + 0.5) / STRIDE - 0.5, (y + 0.5) / STRIDE - 0.5
            size = min(left + right, up + down) / STRIDE
            far = np.hypot(column - cx, row - cy)
            if what < 0:
                asked[number][far < 0.6 * max(size, 3)] = 0
                continue
            bell = np.exp(-0.5 * (np.maximum(far - MIDDLE * size, 0) / max(0.7, BELL * size)) ** 2)
            bell[min(max(round(cy), 0), side - 1), min(max(round(cx), 0), side - 1)] = 1
            middle[number][bell == 1] = 1 / (bell == 1).sum()
            heat[number] = np.maximum(heat[number], bell)
            mine = bell > np.maximum(weight[number], 0.3)
            weight[number][mine] = bell[mine]
            kind[number][mine] = int(what)
            place[number][0][mine] = (cx - column)[mine]
            place[number][1][mine] = (cy - row)[mine]
            for channel, reach in enumerate((left, up, right, down), 2):
                place[number][channel][mine] = math.log(max(reach, 1.0) / STRIDE)
    asked[middle > 0] = 1
    shown = as_tensor(np.stack([tile for tile, _ in pictures]))
    return Batch(shown, *map(torch.from_numpy, (heat, middle, asked, weight, kind, place)))


def loss(out: Tensor, batch: Batch, before: Tensor | None = None) -> tuple[Tensor, dict[str, Tensor]]:
    """How wrong the network's answer is, and its parts. If a network of `before` has answered (as `out`),
    that is what is right, and the truth only how a die is named that it names wrongly.
    """
    _, heat, middle, asked, weight, kind, place = batch
    dice = middle.sum().clamp(min=1)
    likely = softened(kind, CLASSES, UNSURE)
    said = out[:, 0]
    if before is None:
        sure = torch.sigmoid(said).clamp(1e-4, 1 - 1e-4)
        hit = -((1 - sure) ** 2) * torch.log(sure) * middle
        miss = -(sure**2) * torch.log(1 - sure) * (1 - heat) ** 4 * (middle == 0) * asked
        found = (hit.sum() + miss.sum()) / dice
    else:
        heat, old = torch.sigmoid(before[:, 0]), before[:, 1 : 1 + CLASSES].softmax(dim=1)
        found = functional.binary_cross_entropy_with_logits(said, heat, reduction="sum") / dice
        astray = (weight > 0) & (old.argmax(dim=1) != kind)
        likely = torch.where(astray[:, None], likely, old)
        place, weight = before[:, 1 + CLASSES :], torch.maximum(weight, heat)
    total = weight.sum().clamp(min=1)
    named = functional.cross_entropy(out[:, 1 : 1 + CLASSES], likely, reduction="none")
    named = (named * weight).sum() / total
    placed = ((out[:, 1 + CLASSES :] - place).abs().sum(dim=1) * weight).sum() / total
    right = ((out[:, 1 : 1 + CLASSES].argmax(dim=1) == kind) * middle).sum() / dice
    parts = {"found": found, "named": named, "placed": placed, "right": right}
    return found + named + 0.15 * placed, {name: part.detach() for name, part in parts.items()}


def jitter(pictures: Tensor, random: Generator) -> Tensor:
    """Brightness, contrast and colours a little different each time a tile is seen (N x 3 x H x W, 0..1)."""
    count = pictures.shape[0]
    gain = torch.from_numpy(
        random.uniform(0.75, 1.25, (count, 1, 1, 1)) * random.uniform(0.92, 1.08, (count, 3, 1, 1))
    ).float()
    lift = torch.from_numpy(random.uniform(-0.08, 0.08, (count, 1, 1, 1))).float()
    pictures = pictures * gain.to(pictures.device) + lift.to(pictures.device)
    if random.random() < 0.2:
        pictures = pictures[:, random.permutation(3).tolist()]
    return pictures.clamp(0, 1)


def fit(
    folders: list[Path],
    out: Path,
    steps: int,
    seed: int,
    rate: float,
    check: list[Path],
    first: Start | None,
    times: int,
    workers: int,
) -> None:
    """Train, going on from where an earlier call stopped, or else from the weights of another training."""
    torch.manual_seed(seed)
    learner = Learner(Network, out / "network.pt", steps, rate, decay=0.01, first=first)
    tiles = Tiles(folders)
    began = time.monotonic()
    sums: dict[tuple[str, int], list[Tensor]] = {}
    numbers = range(learner.start, steps)
    batches = coming(partial(tiles.batch, seed, times), numbers, workers)
    for step, made in zip(numbers, batches, strict=True):
        random, batch = np.random.default_rng((seed, step, 1)), made.there()
        parted = (batch.pictures.float() / 255).chunk(times)  # each in another light
        pictures = torch.cat([jitter(part, random) for part in parted])
        said, before = learner.both(pictures, random)
        wrong, parts = loss(said, batch, before)
        learner.learn(step, wrong)
        for name, part in parts.items():
            sums.setdefault((name, step % 2), []).append(part)
        if (step + 1) % SHOW == 0 or step + 1 == steps:
            shown = {
                f"{name}{'_cut' if odd else ''}": round(float(torch.stack(v).mean()), 4)
                for (name, odd), v in sums.items()
            }
            shown |= {
                "step": step + 1,
                "tiles": sum(map(len, tiles.where)),
                "seconds": round(time.monotonic() - began),
                "rate": round(learner.rate(step), 6),
            }
            if check and (step + 1) % 1000 == 0:
                shown |= examine(learner.mean, check)
            print(json.dumps(shown), flush=True)
            tiles.look_again()  # for what is shown: workers look for themselves
            sums = {}
            learner.save(step + 1)


def examine(network: nn.Module, folders: list[Path]) -> dict[str, float]:
    """The loss and its parts on tiles that were not learned from."""
    tiles = Tiles(folders)
    network.eval()
    sums: dict[str, list[float]] = {}
    for number in range(12):
        batch = tiles.batch(0, 1, number).there()
        with torch.no_grad():
            _, parts = loss(network(batch.pictures.float() / 255), batch)
        for name, part in parts.items():
            sums.setdefault(f"new_{name}{'_cut' if number % 2 else ''}", []).append(part.item())
    return {name: round(float(np.mean(values)), 4) for name, values in sums.items()}


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tiles", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--check", type=Path, nargs="*", default=[])
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    options.add_start(parser, "network.pt")
    parser.add_argument("--threads", type=int, default=1)
    options.add_card(parser)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    fit(
        args.tiles, args.out, args.steps, args.seed, args.rate, args.check, args.start,
        args.times, args.workers,
    )  # fmt: skip


if __name__ == "__main__":
    main()
