"""A training to go on from, made of a model.

`python -m companion.eye.train.reopen opinion.onnx OUT.pt --cuts CUTS...`: in a model the batch norms
are folded into the weights before them, and such weights learn badly. So each layer is given one again that
changes nothing: of the mean and the spread that it meets in pictures, which are of the kind that the network
learns from (--tiles, --cuts, --fields or --looks).
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from companion.eye.train.mean import add_known, known

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]  # weights and biases

SPREAD = 1e-2  # at least: what hardly ever differs is not to be made large
CLOSE = 1e-3  # the answers of the network are the same, but for this


def weights(model: Path) -> list[Layer]:
    """Weights and biases of a model's layers that have any, in the order in which they are computed."""
    graph = onnx.load(str(model)).graph
    kept = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    whole: dict[str, NDArray[np.float32]] = {}
    layers: list[Layer] = []
    for node in graph.node:
        if node.op_type == "Cast":
            whole[node.output[0]] = kept[node.input[0]].astype(np.float32)
        elif node.op_type == "DequantizeLinear":
            steps, unit = kept[node.input[0]], kept[node.input[1]].astype(np.float32)
            whole[node.output[0]] = steps * unit.reshape(-1, *(1,) * (steps.ndim - 1))
        elif node.op_type in ("Conv", "Gemm"):
            layers.append((whole[node.input[1]], whole[node.input[2]]))
    return layers


def fill(network: nn.Module, layers: list[Layer], like: Tensor) -> None:
    """Put weights into a network; its batch norms add what was folded into the biases, and no more."""
    met: list[nn.Module] = []
    hooks = [
        module.register_forward_hook(lambda module, *_: met.append(module))
        for module in network.modules()
        if isinstance(module, nn.Conv2d | nn.Linear | nn.BatchNorm2d)
    ]
    network.eval()
    with torch.no_grad():
        network(like)
        for hook in hooks:
            hook.remove()
        bias = torch.zeros(0)
        for module in met:
            if isinstance(module, nn.BatchNorm2d):
                module.running_mean.zero_()
                module.running_var.fill_(1 - module.eps)
                module.weight.fill_(1)
                module.bias.copy_(bias)
            else:
                weight, bias = map(torch.from_numpy, layers.pop(0))
                module.weight.copy_(weight)
                if module.bias is not None:
                    module.bias.copy_(bias)
    assert not layers


def normalise(network: nn.Module, batches: list[Tensor]) -> None:
    """Give the batch norms of a network the statistics of what they meet, without changing its answers."""
    sums: dict[nn.Module, list[Any]] = {}

    def look(module: nn.Module, given: tuple[Tensor, ...], _: Tensor) -> None:
        x = given[0].double()
        mine = sums.setdefault(module, [0, 0, 0])
        mine[0] += x.numel() / x.shape[1]
        mine[1] += x.sum((0, 2, 3))
        mine[2] += (x**2).sum((0, 2, 3))

    norms = [module for module in network.modules() if isinstance(module, nn.BatchNorm2d)]
    hooks = [norm.register_forward_hook(look) for norm in norms]
    with torch.no_grad():
        before = [network(pictures) for pictures in batches]
        for hook in hooks:
            hook.remove()
        for norm in norms:
            count, total, squares = sums[norm]
            middle = total / count
            spread = (squares / count - middle**2).clamp(min=SPREAD**2)
            norm.running_mean.copy_(middle)
            norm.running_var.copy_(spread)
            norm.weight.mul_((spread + norm.eps).sqrt())
            norm.bias.add_(middle)
        after = [network(pictures) for pictures in batches]
    far = max(float((a - b).abs().max()) for a, b in zip(before, after, strict=True))
    assert far < CLOSE, f"the answers differ by {far}"


def main() -> None:
    """Write the training."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    add_known(parser)
    args = parser.parse_args()
    torch.set_num_threads(1)
    network, pictures = known(args)
    batches = list(pictures)
    fill(network, weights(args.model), batches[0])
    normalise(network, batches)
    torch.save({"mean": network.state_dict()}, args.out)


if __name__ == "__main__":
    main()
