"""The network of the learned eye: one small picture in, a map of dice out.

Anchor-free, after CenterNet (Zhou, Wang, Kraehenbuehl: Objects as Points, 2019): every cell of 4 x 4
pixels says whether the middle of an upper face lies in it, and for those in which one does, where exactly,
how far the die reaches, and which face it is. Dense 3 x 3 convolutions and no activation but
ReLU: what cv2.dnn runs fastest.
"""

from typing import cast

from torch import Tensor, nn
from torch.nn import functional

from companion.eye.network import CLASSES

CHANNELS = 1 + CLASSES + 2 + 4  # heat, classes (of both logits), offset of the centre, distances to the ends


def step(inputs: int, outputs: int, side: int = 3, stride: int = 1) -> nn.Sequential:
    """Convolution, normalisation, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, side, stride, side // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class _Again(nn.Module):
    """A step whose input is added to what it gives."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.step = step(channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        return cast(Tensor, x + self.step(x))


class Network(nn.Module):
    """N x 3 x H x W (BGR, 0..1, H and W multiples of 16) becomes N x CHANNELS x H/4 x W/4."""

    def __init__(self) -> None:
        super().__init__()
        first, second, third, fourth = 16, 24, 64, 96
        self.halved = step(3, first, stride=2)
        self.quarter = nn.Sequential(step(first, second, stride=2), _Again(second))
        self.eighth = nn.Sequential(step(second, third, stride=2), _Again(third))
        self.sixteenth = nn.Sequential(
            step(third, fourth, stride=2), _Again(fourth), _Again(fourth), _Again(fourth)
        )
        self.from_sixteenth = step(fourth, third, 1)
        self.mixed_eighth = _Again(third)
        self.from_eighth = step(third, second, 1)
        self.mixed_quarter = _Again(second)
        self.head = nn.Conv2d(second, CHANNELS, 1)
        assert self.head.bias is not None
        nn.init.zeros_(self.head.bias)
        self.head.bias.data[0] = -4.6  # few cells hold a die

    def forward(self, x: Tensor) -> Tensor:
        """As the class says."""
        quarter = self.quarter(self.halved(x))
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        up = functional.interpolate(self.from_sixteenth(sixteenth), scale_factor=2.0, mode="nearest")
        eighth = self.mixed_eighth(eighth + up)
        up = functional.interpolate(self.from_eighth(eighth), scale_factor=2.0, mode="nearest")
        return cast(Tensor, self.head(self.mixed_quarter(quarter + up)))
