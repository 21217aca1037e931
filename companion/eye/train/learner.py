"""How the networks learn: step by step, and from where an earlier call stopped."""

import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, Dataset

from companion.eye.train.compose import GAMMA, shaded
from companion.eye.train.options import Start
from companion.whole import whole

KEEP = 0.999  # of the running mean of the weights, a step
IN_SHADE = 0.5  # part of what is shown to a loyal network
SHOW = 250  # steps, after which a training says how far it is
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

T = TypeVar("T")


def as_tensor(pictures: NDArray[Any]) -> Tensor:
    """Pictures (N x H x W x 3) as networks take them (N x 3 x H x W)."""
    return torch.from_numpy(np.ascontiguousarray(pictures)).permute(0, 3, 1, 2)


def softened(kinds: Tensor, count: int, part: float) -> Tensor:
    """How likely each of `count` kinds is (N x count x ...) of what is these (N x ...), if a `part` of it is
    to stay unsure (label smoothing).
    """
    return functional.one_hot(kinds, count).movedim(-1, 1) * (1 - part) + part / count


def _in_shade(pictures: Tensor, random: Generator) -> Tensor:
    """Pictures (N x 3 x H x W, 0..1, H = W), onto some of which a shadow falls."""
    lit = np.ones((len(pictures), *pictures.shape[2:], 3), np.float32)
    for number in range(len(lit)):
        if random.random() < IN_SHADE:
            lit[number] = shaded(random, lit[number]) ** np.float32(1 / GAMMA)
    return pictures * as_tensor(lit).to(pictures.device)


class _Numbered(Dataset[T]):
    """What is made for each number."""

    def __init__(self, make: Callable[[int], T]) -> None:
        self._make = make

    def __getitem__(self, number: int) -> T:
        return self._make(number)


def coming(make: Callable[[int], T], numbers: Iterable[int], workers: int) -> Iterator[T]:
    """What is made for each number, in order: here when it is wanted, or by other processes ahead of that.

    A graphics card learns faster than one core makes its batches.
    """
    loader = DataLoader(
        _Numbered(make),
        batch_size=None,
        sampler=numbers,
        num_workers=workers,
        multiprocessing_context="fork" if workers else None,  # what they make it of is not copied
        pin_memory=DEVICE != "cpu",
        collate_fn=_same,
    )
    return iter(loader)


def _same(made: T) -> T:
    return made


def _mean(training: Path) -> dict[str, Tensor]:
    return cast(dict[str, Tensor], torch.load(training, map_location=DEVICE, weights_only=True)["mean"])


class Learner:
    """A network that learns, the running mean of its weights, and the file in which both are kept.

    It begins with what is in the file, else with the mean of another training (`first`), else anew; of one
    that knows more kinds, with the first of those. Layers that one does not have begin anew. `start` is the
    step to begin with. If it is loyal to the other one, that is `before`, which does not learn; then batches
    are not measured, either, but normed as that one does it.
    """

    def __init__(
        self,
        make: Callable[[], nn.Module],
        saved: Path,
        steps: int,
        rate: float,
        decay: float,
        first: Start | None,
    ) -> None:
        self.network = make().to(DEVICE).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.mean = make().to(DEVICE)
        self.mean.load_state_dict(self.network.state_dict())
        self.start = 0
        self.before: nn.Module | None = None
        self._optimiser = torch.optim.AdamW(self.network.parameters(), lr=rate, weight_decay=decay)
        self._saved, self._steps, self._rate = saved, steps, rate
        # A processor without AVX-512 is 13 times slower with numbers of 16 bits than with those of 32.
        self._halves = DEVICE != "cpu" or "AVX512" in torch.backends.cpu.get_cpu_capability()
        if first and first.loyal:
            self.before = make().to(DEVICE).eval()
            self.before.load_state_dict(_mean(first.path))
        if saved.exists():
            state = torch.load(saved, map_location=DEVICE, weights_only=True)
            self.network.load_state_dict(state["network"])
            self.mean.load_state_dict(state["mean"])
            self._optimiser.load_state_dict(state["optimiser"])
            self.start = state["step"]
        elif first:
            known = _mean(first.path)
            mine = self.network.state_dict()
            known = {n: v[: len(mine[n])] if v.dim() else v for n, v in known.items() if n in mine}
            if not known:
                raise ValueError(f"{first.path} is the training of another kind of network")
            self.network.load_state_dict(mine | known)
            self.mean.load_state_dict(mine | known)
        saved.parent.mkdir(parents=True, exist_ok=True)
        both = (self.mean.state_dict().values(), self.network.state_dict().values())
        self._means, self._weights = ([v for v in values if v.is_floating_point()] for values in both)

    def rate(self, step: int) -> float:
        """How fast it learns at a step: quickly after a warm start, and slower and slower (half a cosine)."""
        return self._rate * min(1.0, step / 300) * (0.5 + 0.5 * math.cos(math.pi * step / self._steps)) + 1e-5

    def say(self, pictures: Tensor) -> Tensor:
        """What it says of pictures (N x 3 x H x W, 0..1), to be learned from."""
        self.network.train(self.before is None)
        with torch.autocast(DEVICE, torch.bfloat16, enabled=self._halves):
            said = self.network(pictures.contiguous(memory_format=torch.channels_last))
        return cast(Tensor, said.float())

    def both(self, pictures: Tensor, random: Generator) -> tuple[Tensor, Tensor | None]:
        """What it says of them, and what the network `before` does, if it is loyal to one: then it sees some
        of them in shade, that one none. So it learns to say there what that one says in the light.
        """
        if self.before is None:
            return self.say(pictures), None
        with torch.no_grad():
            before = self.before(pictures.contiguous(memory_format=torch.channels_last)).float()
        return self.say(_in_shade(pictures, random)), before

    def learn(self, step: int, wrong: Tensor) -> None:
        """Be less wrong."""
        for group in self._optimiser.param_groups:
            group["lr"] = self.rate(step)
        self._optimiser.zero_grad()
        wrong.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self._optimiser.step()
        keep = min(KEEP, (1 + step) / (10 + step))
        with torch.no_grad():
            torch._foreach_lerp_(self._means, self._weights, 1 - keep)

    def save(self, step: int) -> None:
        """Keep all of it after so many steps, whole or not at all."""
        state = {
            "network": self.network.state_dict(),
            "mean": self.mean.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "step": step,
        }
        with whole(self._saved) as file:
            torch.save(state, file)
