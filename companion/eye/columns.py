"""Many values of one kind, as columns: what numpy computes at once stays together."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Image = NDArray[np.uint8]
Chosen = NDArray[np.bool_] | Ints | slice


@dataclass(frozen=True)
class Columns:
    """Base of frozen dataclasses whose fields are arrays (or Columns) with one row for each value."""

    def __len__(self) -> int:
        return len(getattr(self, fields(self)[0].name))

    def __getitem__(self, chosen: Chosen) -> Self:
        """The chosen rows of every column."""
        return type(self)(*(getattr(self, field.name)[chosen] for field in fields(self)))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The rows of all parts, one after the other; at least one part is needed."""
        return cls(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(cls)))


def distances(ones: Floats, others: Floats) -> Floats:
    """How far each of N points (N x 2) is from each of M others (M x 2), as N x M."""
    across = ones[:, 0, None] - others[None, :, 0]
    along = ones[:, 1, None] - others[None, :, 1]
    across *= across
    along *= along
    across += along
    return np.asarray(np.sqrt(across, out=across))
