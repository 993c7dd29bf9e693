"""What a Trace keeps of the numbers inside a step: enough to draw and to check, not every unit.

A state of 384 and a context of 768 numbers at each of 60 steps would make a Trace of megabytes. So a vector becomes its
norm, its mean and the means of twelve blocks of neighbouring units; energies stay as they are, one a source piece.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from model.trace import ANNOTATIONS, ENERGIES

if TYPE_CHECKING:
    from torch import Tensor

BLOCKS = 12

Array = NDArray[Any]


@runtime_checkable
class AnnotatesSource(Protocol):
    """A network that says something about each source piece."""

    def annotate(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """Source pieces (batch, source) -> their mask and their annotations (batch, source, units)."""


def summarize_detail(detail: Mapping[str, Array]) -> dict[str, Array]:
    """The detail of T steps as a Trace holds it: "energies" (T, source); for every other NAME, which is (T, units),
    NAME, the means of its blocks (T, at most BLOCKS), "NAME mean" and "NAME norm" (T,)."""
    kept: dict[str, Array] = {}
    for name, values in detail.items():
        kept |= {name: values} if name == ENERGIES else _summary(name, values)
    return kept


def summarize_source(network: object, ids: Sequence[int]) -> dict[str, Array] | None:
    """What the network's encoder says about each of the source pieces `ids`, summarised as in `summarised` with the
    source pieces in the place of the steps; None for a network that has nothing to say about a single piece."""
    if not isinstance(network, AnnotatesSource):
        return None
    import torch

    with torch.inference_mode():
        _, annotations = network.annotate(torch.tensor([list(ids)]))
    return _summary(ANNOTATIONS, annotations[0].cpu().numpy())


def _summary(name: str, values: Array) -> dict[str, Array]:
    """`values` (rows, units) as block means, mean and norm."""
    blocks = np.array_split(values, min(BLOCKS, values.shape[1]), axis=1)
    return {
        name: np.stack([block.mean(axis=1) for block in blocks], axis=1),
        f"{name} mean": values.mean(axis=1),
        f"{name} norm": np.linalg.norm(values, axis=1),
    }
