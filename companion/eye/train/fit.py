"""The network learns from tiles. `python -m companion.eye.train.fit TILES... --out FOLDER --steps 20000`.

Half of the steps look at whole tiles, half at small cut-outs around dice: the eye looks twice, too.
Every few hundred steps it writes FOLDER/network.pt, from which it goes on when it is started again.
"""

import argparse
import json
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from companion.eye.network import CLASSES, CLOSE, CUT, STRIDE, cut_out
from companion.eye.train.learner import Learner, as_tensor
from companion.eye.train.network import Network
from companion.eye.train.numbered import all_in

SMALLEST = 13  # px: smaller dice cannot be read, and are not cut out
TILES, CUTS = 16, 72  # in a batch
# Of a die's size: so far around its middle all is as hot, as nobody can say where exactly the middle of a six
# is, which has no pip there; then the heat falls (standard deviation).
MIDDLE, BELL = 0.1, 0.08

Float = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Batch:
    """Pictures (N x H x W x 3, uint8) and what should come of them, per cell."""

    pictures: NDArray[np.uint8]
    heat: Float  # N x h x w
    middle: Float  # N x h x w: of each die all together 1, where it is hottest
    asked: Float  # N x h x w: 0 where the heat is neither asked for nor held against
    weight: Float  # N x h x w: of the other answers
    kind: NDArray[np.int64]  # N x h x w
    place: Float  # N x 6 x h x w


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

    def whole(self, random: Generator) -> Batch:
        """A batch of tiles."""
        return aim([self.choose(random) for _ in range(TILES)])

    def cut(self, random: Generator) -> Batch:
        """A batch of cut-outs, as the eye makes them for its second look: of dice, and of what is none."""
        cuts: list[tuple[NDArray[np.uint8], Float]] = []
        while len(cuts) < CUTS:
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
        return aim(cuts[:CUTS])


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
    return Batch(np.stack([tile for tile, _ in pictures]), heat, middle, asked, weight, kind, place)


def loss(out: Tensor, batch: Batch, device: str) -> tuple[Tensor, dict[str, float]]:
    """How wrong the network's answer is, and its parts."""
    heat = torch.from_numpy(batch.heat).to(device)
    middle = torch.from_numpy(batch.middle).to(device)
    asked = torch.from_numpy(batch.asked).to(device)
    weight = torch.from_numpy(batch.weight).to(device)
    kind = torch.from_numpy(batch.kind).to(device)
    place = torch.from_numpy(batch.place).to(device)
    said = out[:, 0]
    sure = torch.sigmoid(said).clamp(1e-4, 1 - 1e-4)
    hit = -((1 - sure) ** 2) * torch.log(sure) * middle
    miss = -(sure**2) * torch.log(1 - sure) * (1 - heat) ** 4 * (middle == 0) * asked
    found = (hit.sum() + miss.sum()) / middle.sum().clamp(min=1)
    total = weight.sum().clamp(min=1)
    named = functional.cross_entropy(out[:, 1 : 1 + CLASSES], kind, reduction="none", label_smoothing=0.02)
    named = (named * weight).sum() / total
    placed = ((out[:, 1 + CLASSES :] - place).abs().sum(dim=1) * weight).sum() / total
    right = ((out[:, 1 : 1 + CLASSES].argmax(dim=1) == kind) * middle).sum() / middle.sum().clamp(min=1)
    parts = {"found": found.item(), "named": named.item(), "placed": placed.item(), "right": right.item()}
    return found + named + 0.15 * placed, parts


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
    folders: list[Path], out: Path, steps: int, seed: int, rate: float, check: list[Path], first: Path | None
) -> None:
    """Train, going on from where an earlier call stopped, or else from the weights of another training."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(seed)
    learner = Learner(Network, out / "network.pt", steps, rate, decay=0.01, first=first, device=device)
    tiles = Tiles(folders)
    began = time.monotonic()
    sums: dict[tuple[str, int], list[float]] = {}
    for step in range(learner.start, steps):
        random = np.random.default_rng((seed, step))
        batch = tiles.cut(random) if step % 2 else tiles.whole(random)
        pictures = as_tensor(batch.pictures).to(device).float() / 255
        wrong, parts = loss(learner.say(jitter(pictures, random)), batch, device)
        learner.learn(step, wrong)
        for name, part in parts.items():
            sums.setdefault((name, step % 2), []).append(part)
        if (step + 1) % 250 == 0 or step + 1 == steps:
            shown = {
                f"{name}{'_cut' if odd else ''}": round(float(np.mean(v)), 4)
                for (name, odd), v in sums.items()
            }
            shown |= {
                "step": step + 1,
                "tiles": sum(map(len, tiles.where)),
                "seconds": round(time.monotonic() - began),
                "rate": round(learner.rate(step), 6),
            }
            if check and (step + 1) % 1000 == 0:
                shown |= examine(learner.mean, check, device)
            print(json.dumps(shown), flush=True)
            sums = {}
            tiles.look_again()
            learner.save(step + 1)


def examine(network: nn.Module, folders: list[Path], device: str) -> dict[str, float]:
    """The loss and its parts on tiles that were not learned from."""
    tiles = Tiles(folders)
    network.eval()
    sums: dict[str, list[float]] = {}
    for number in range(12):
        random = np.random.default_rng(number)
        batch = tiles.cut(random) if number % 2 else tiles.whole(random)
        pictures = as_tensor(batch.pictures).to(device).float() / 255
        with torch.no_grad():
            _, parts = loss(network(pictures), batch, device)
        for name, part in parts.items():
            sums.setdefault(f"new_{name}{'_cut' if number % 2 else ''}", []).append(part)
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
    parser.add_argument("--first", type=Path, help="a network.pt to begin with")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    fit(args.tiles, args.out, args.steps, args.seed, args.rate, args.check, args.first)


if __name__ == "__main__":
    main()
