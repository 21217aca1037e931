"""The networks as ONNX, as cv2.dnn runs them: `python -m companion.eye.train.export network.pt eye.onnx`.

With --second it is that of the second opinion, with --third that of the third, with --sign that of dice that
were taught. Weights are kept with 16 bits, and of all but the first, where there are many, with 8: so all are
smaller than 3 MB.
"""

import argparse
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, helper, numpy_helper

from companion.eye.sign import BATCH, REACH
from companion.eye.taught import ANGLES, RINGS
from companion.eye.train.alike import Both
from companion.eye.train.network import Network
from companion.eye.train.second import FACES, OPINION, Second, Task

OPSET = 13
MANY = 30000  # weights: a layer of the second network with so many is kept with 8 bits ...
FEWER = 10000  # ... and one of the third and the fourth with so many; of the first one none
Values = NDArray[np.floating[Any]]


def export(weights: Path, model: Path) -> None:
    """Write the model of the first network, with any number of pictures of any size (multiples of 16)."""
    network = Network()
    network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True)["mean"])
    axes = {"pictures": {0: "n", 2: "h", 3: "w"}, "cells": {0: "n", 2: "h", 3: "w"}}
    _write(network, torch.zeros(1, 3, 240, 320), model, "cells", axes)
    shrink(model)


def export_one(weights: Path, model: Path, task: Task, many: int) -> None:
    """Write the model of the second or the third network, for one cut-out at a time."""
    network = Second(task)
    network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True)["mean"])
    whole = torch.nn.Sequential(network, torch.nn.Softmax(1))
    _write(whole, torch.zeros(1, 3, task.side, task.side), model, "kinds", {})
    shrink(model, many)


def export_sign(weights: Path, model: Path) -> None:
    """Write the model of what dice that were taught show, for BATCH looks at a time."""
    both = Both()
    both.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True)["mean"])
    whole = torch.nn.Sequential(both.network.body, both.network.out)
    _write(whole, torch.zeros(BATCH, 3, RINGS, ANGLES + 2 * REACH), model, "seen", {})
    shrink(model, FEWER)


def _write(
    network: torch.nn.Module, example: torch.Tensor, model: Path, output: str, axes: dict[str, dict[int, str]]
) -> None:
    torch.onnx.export(
        network.eval(), (example,), str(model), input_names=["pictures"], output_names=[output],
        dynamic_axes=axes, opset_version=OPSET, dynamo=False,
    )  # fmt: skip


def shrink(model: Path, many: float = inf) -> None:
    """Keep weights with 16 bits, and `many` together with 8; they are made 32 when the model is read."""
    whole = onnx.load(str(model))
    graph, nodes = whole.graph, []
    for tensor in list(graph.initializer):
        if tensor.data_type == TensorProto.FLOAT:
            values = numpy_helper.to_array(tensor)
            kept, node = (_in_steps if values.size >= many else _halved)(tensor.name, values)
            graph.initializer.remove(tensor)
            graph.initializer.extend(kept)
            nodes.append(node)
    nodes += graph.node
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(whole)
    onnx.save(whole, str(model))


def _halved(name: str, values: Values) -> tuple[list[TensorProto], NodeProto]:
    kept = numpy_helper.from_array(values.astype(np.float16), f"{name}.half")
    return [kept], helper.make_node("Cast", [kept.name], [name], to=TensorProto.FLOAT)


def _in_steps(name: str, values: Values) -> tuple[list[TensorProto], NodeProto]:
    """Whole steps, of the largest of each channel's weights 127."""
    most = np.abs(values).max(axis=tuple(range(1, values.ndim)))
    unit = np.where(most > 0, most, 1).astype(np.float32) / 127
    steps = np.round(values / unit.reshape(-1, *(1,) * (values.ndim - 1))).astype(np.int8)
    parts = {"steps": steps, "unit": unit, "zero": np.zeros(len(unit), np.int8)}
    kept = [numpy_helper.from_array(part, f"{name}.{what}") for what, part in parts.items()]
    return kept, helper.make_node("DequantizeLinear", [part.name for part in kept], [name], axis=0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--second", action="store_true")
    parser.add_argument("--third", action="store_true")
    parser.add_argument("--sign", action="store_true")
    args = parser.parse_args()
    if args.second:
        export_one(args.weights, args.model, OPINION, MANY)
    elif args.third:
        export_one(args.weights, args.model, FACES, FEWER)
    elif args.sign:
        export_sign(args.weights, args.model)
    else:
        export(args.weights, args.model)
