"""Summarise the numbers inside decoder steps for a Trace.

All units of all states of a sentence would take megabytes. A vector is reduced to its norm, its mean and the means of
BLOCKS blocks of neighbouring units. Energies, one for each source token, are kept.
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
class SourceAnnotator(Protocol):
    """A network with an encoder output for each source token."""

    def annotate(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """Return the mask and the annotations (batch, source, units) of source token ids (batch, source)."""


def summarise_detail(detail: Mapping[str, Array]) -> dict[str, Array]:
    """Summarise the detail of T steps.

    "energies" (T, source) is kept. Every other array NAME (T, units) becomes NAME, its block means (T, at most BLOCKS),
    "NAME mean" and "NAME norm" (T,).
    """
    summary: dict[str, Array] = {}
    for name, values in detail.items():
        summary |= {name: values} if name == ENERGIES else _summarise_array(name, values)
    return summary


def summarise_source(network: object, ids: Sequence[int]) -> dict[str, Array] | None:
    """Summarise the annotations of source tokens; None for a network without an annotation for each token."""
    if not isinstance(network, SourceAnnotator):
        return None
    import torch  # here: pages import this module, and torch takes seconds

    from model.decoding.batch_decoder import get_device, to_index_tensor

    with torch.inference_mode():
        _, annotations = network.annotate(to_index_tensor(get_device(network), [list(ids)]))
    return _summarise_array(ANNOTATIONS, annotations[0].cpu().numpy())


def _summarise_array(name: str, values: Array) -> dict[str, Array]:
    blocks = np.array_split(values, min(BLOCKS, values.shape[1]), axis=1)
    return {
        name: np.stack([block.mean(axis=1) for block in blocks], axis=1),
        f"{name} mean": values.mean(axis=1),
        f"{name} norm": np.linalg.norm(values, axis=1),
    }
