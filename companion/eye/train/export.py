"""The networks as ONNX, as cv2.dnn runs them: `python -m companion.eye.train.export network.pt eye.onnx`.

With --second it is that of the second opinion. Weights are kept with 16 bits, as half of the size does.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from companion.eye.opinion import SIDE
from companion.eye.train.network import CLASSES, Network
from companion.eye.train.second import Second

OPSET = 13


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
    """Write the model of the first network, with any number of pictures of any size (multiples of 16)."""
    network = Network()
    network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True)["mean"])
    axes = {"pictures": {0: "n", 2: "h", 3: "w"}, "cells": {0: "n", 2: "h", 3: "w"}}
    _write(_Answer(network), torch.zeros(1, 3, 240, 320), model, "cells", axes)


def export_second(weights: Path, model: Path) -> None:
    """Write the model of the second network, for one cut-out at a time."""
    network = Second()
    network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True)["mean"])
    whole = torch.nn.Sequential(network, torch.nn.Softmax(1))
    _write(whole, torch.zeros(1, 3, SIDE, SIDE), model, "kinds", {})


def _write(
    network: torch.nn.Module, example: torch.Tensor, model: Path, output: str, axes: dict[str, dict[int, str]]
) -> None:
    torch.onnx.export(
        network.eval(), (example,), str(model), input_names=["pictures"], output_names=[output],
        dynamic_axes=axes, opset_version=OPSET, dynamo=False,
    )  # fmt: skip
    halve(model)


def halve(model: Path) -> None:
    """Keep the weights of a model with 16 bits; they are cast to 32 when it is read."""
    whole = onnx.load(str(model))
    graph, casts = whole.graph, []
    for tensor in graph.initializer:
        if tensor.data_type == TensorProto.FLOAT:
            small, name = numpy_helper.to_array(tensor).astype(np.float16), tensor.name
            tensor.CopyFrom(numpy_helper.from_array(small, f"{name}.half"))
            casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(whole)
    onnx.save(whole, str(model))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--second", action="store_true")
    args = parser.parse_args()
    (export_second if args.second else export)(args.weights, args.model)
