"""The network as ONNX, as cv2.dnn runs it: `python -m companion.eye.train.export network.pt eye.onnx`."""

import argparse
from pathlib import Path

import torch

from companion.eye.train.network import CLASSES, Network


class _Answer(torch.nn.Module):
    """The heat as a probability, with only the peaks left standing; the rest as it is."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.network(x)
        return torch.cat(
            [torch.sigmoid(out[:, :1]), torch.softmax(out[:, 1 : 1 + CLASSES], dim=1), out[:, 1 + CLASSES :]],
            dim=1,
        )


def export(weights: Path, model: Path) -> None:
    """Write the model, with any number of pictures of any size (multiples of 16)."""
    network = Network()
    network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True)["mean"])
    network.eval()
    example = torch.zeros(1, 3, 240, 320)
    axes = {"pictures": {0: "n", 2: "h", 3: "w"}, "cells": {0: "n", 2: "h", 3: "w"}}
    torch.onnx.export(
        _Answer(network).eval(),
        (example,),
        str(model),
        input_names=["pictures"],
        output_names=["cells"],
        dynamic_axes=axes,
        opset_version=13,
        dynamo=False,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("model", type=Path)
    args = parser.parse_args()
    export(args.weights, args.model)
