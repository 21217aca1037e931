"""The mean of trainings: `python -m companion.eye.train.mean A.pt B.pt --out OUT.pt --tiles TILES...`.

It is better than each if all went on from the same weights (Wortsman et al.: Model soups, 2022). Unless all
have the same statistics of batch normalisation, as loyal trainings do, these are taken anew, of what the
network learns from: the first one from --tiles, the second one from --cuts, the third one from --fields, the
fourth one from --looks.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from companion.eye.train.alike import Both, Pool, around
from companion.eye.train.fit import Tiles
from companion.eye.train.network import Network
from companion.eye.train.second import FACES, OPINION, Cuts, Second, Task

OF_TILES, OF_CUTS, OF_LOOKS = 24, 60, 40  # batches


def mean(trainings: list[Path], network: nn.Module, batches: Iterator[Tensor]) -> dict[str, Any]:
    """The mean of the weights in some files; layers that one does not have count as at the beginning."""
    mine = network.state_dict()
    every = [mine | torch.load(path, map_location="cpu", weights_only=True)["mean"] for path in trainings]
    together = {
        name: torch.stack([each[name] for each in every]).mean(0) if value.dtype.is_floating_point else value
        for name, value in every[0].items()
    }
    network.load_state_dict(together)
    statistics = [name for name in together if "running_" in name]
    if all(torch.equal(each[name], every[0][name]) for each in every for name in statistics):
        return together
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.reset_running_stats()
            module.momentum = None  # a plain mean over all batches
    network.train()
    for pictures in batches:
        with torch.no_grad():
            network(pictures)
    return dict(network.state_dict())


def add_known(parser: argparse.ArgumentParser) -> None:
    """Let a command line say which network it is about, by what that one learns from."""
    given = parser.add_mutually_exclusive_group(required=True)
    for name in ("--tiles", "--cuts", "--fields", "--looks"):
        given.add_argument(name, type=Path, nargs="+")


def known(args: argparse.Namespace) -> tuple[nn.Module, Iterator[Tensor]]:
    """That network, which knows nothing yet, and some of what it learns from (N x 3 x H x W), always the
    same.
    """
    if args.tiles:
        return Network(), _of_tiles(args.tiles)
    if args.looks:
        return Both(), _of_looks(args.looks)
    task = OPINION if args.cuts else FACES
    return Second(task), _of_cuts(args.cuts or args.fields, task)


def _of_tiles(folders: list[Path]) -> Iterator[Tensor]:
    tiles = Tiles(folders)
    for number in range(OF_TILES):
        yield tiles.batch(0, 1, number).pictures.float() / 255


def _of_cuts(folders: list[Path], task: Task) -> Iterator[Tensor]:
    cuts = Cuts(folders, task)
    for number in range(OF_CUTS):
        yield cuts.batch(0, number)[0]


def _of_looks(folders: list[Path]) -> Iterator[Tensor]:
    pool = Pool(folders)
    for number in range(OF_LOOKS):
        looks, _ = pool.batch(np.random.default_rng(number), pool.learn)
        yield around(torch.from_numpy(looks))


def main() -> None:
    """Write the mean as a training that may be gone on from, or exported."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trainings", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    add_known(parser)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.save({"mean": mean(args.trainings, *known(args))}, args.out)


if __name__ == "__main__":
    main()
