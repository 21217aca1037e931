"""The mean of two trainings: `python -m companion.eye.train.mean A.pt B.pt OUT.pt --tiles TILES...`.

It is better than either if both went on from the same weights (Wortsman et al.: Model soups, 2022). The
statistics of batch normalisation are taken anew, from tiles.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch

from companion.eye.train.fit import Tiles
from companion.eye.train.learner import as_tensor
from companion.eye.train.network import Network

BATCHES = 24


def mean(one: Path, other: Path, tiles: list[Path]) -> dict[str, Any]:
    """The mean of the weights in two files."""
    first, second = (torch.load(path, map_location="cpu", weights_only=True)["mean"] for path in (one, other))
    both = {
        name: (value + second[name]) / 2 if value.dtype.is_floating_point else value
        for name, value in first.items()
    }
    network = Network()
    network.load_state_dict(both)
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.reset_running_stats()
            module.momentum = None  # a plain mean over all batches
    network.train()
    known = Tiles(tiles)
    for number in range(BATCHES):
        random = np.random.default_rng(number)
        batch = known.cut(random) if number % 2 else known.whole(random)
        with torch.no_grad():
            network(as_tensor(batch.pictures).float() / 255)
    return dict(network.state_dict())


def main() -> None:
    """Write the mean as a training that may be gone on from, or exported."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("one", type=Path)
    parser.add_argument("other", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tiles", type=Path, nargs="+", required=True)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.save({"mean": mean(args.one, args.other, args.tiles)}, args.out)


if __name__ == "__main__":
    main()
