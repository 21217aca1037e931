"""The mean of trainings: `python -m companion.eye.train.mean A.pt B.pt --out OUT.pt --tiles TILES...`.

It is better than each if all went on from the same weights (Wortsman et al.: Model soups, 2022). The
statistics of batch normalisation are taken anew: from tiles, or of the third network from --fields.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from companion.eye.train.fit import Tiles
from companion.eye.train.learner import as_tensor
from companion.eye.train.network import Network
from companion.eye.train.second import FACES, Cuts, Second

BATCHES, OF_FIELDS = 24, 60


def mean(trainings: list[Path], network: nn.Module, batches: Iterator[Tensor]) -> dict[str, Any]:
    """The mean of the weights in some files; layers that one does not have count as at the beginning."""
    mine = network.state_dict()
    every = [mine | torch.load(path, map_location="cpu", weights_only=True)["mean"] for path in trainings]
    together = {
        name: torch.stack([each[name] for each in every]).mean(0) if value.dtype.is_floating_point else value
        for name, value in every[0].items()
    }
    network.load_state_dict(together)
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.reset_running_stats()
            module.momentum = None  # a plain mean over all batches
    network.train()
    for pictures in batches:
        with torch.no_grad():
            network(pictures)
    return dict(network.state_dict())


def of_tiles(folders: list[Path]) -> Iterator[Tensor]:
    """Pictures as the first network learns from."""
    known = Tiles(folders)
    for number in range(BATCHES):
        random = np.random.default_rng(number)
        batch = known.cut(random) if number % 2 else known.whole(random)
        yield as_tensor(batch.pictures).float() / 255


def of_fields(folders: list[Path]) -> Iterator[Tensor]:
    """Pictures as the third network learns from."""
    known = Cuts(folders, FACES)
    for number in range(OF_FIELDS):
        yield as_tensor(known.batch(0, number)[0])


def main() -> None:
    """Write the mean as a training that may be gone on from, or exported."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trainings", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    known = parser.add_mutually_exclusive_group(required=True)
    known.add_argument("--tiles", type=Path, nargs="+")
    known.add_argument("--fields", type=Path, nargs="+")
    args = parser.parse_args()
    torch.set_num_threads(1)
    network = Second(FACES) if args.fields else Network()
    batches = of_fields(args.fields) if args.fields else of_tiles(args.tiles)
    torch.save({"mean": mean(args.trainings, network, batches)}, args.out)


if __name__ == "__main__":
    main()
