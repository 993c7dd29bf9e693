"""On a GPU: a loss and its gradients, recorded once for every shape of batches and played for each batch of it.

The loops over time are thousands of small operations, each of which takes longer to start than to do. A CUDA graph
starts them all at once. It is bound to the shape and the memory it was recorded with: batches are rounded up to a few
shapes, inputs are copied into place, and gradients come out in the parameters' own `.grad`, which have to stay.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from model.text.vocabulary import EOS, PAD
from model.training.batches import Ids

LENGTH_MULTIPLE, PAIR_MULTIPLE = 8, 32  # what lengths and numbers of pairs are rounded up to a multiple of
MAX_GRAPHS = 400  # recordings kept; the one played longest ago makes room

Loss = Callable[[Tensor, Tensor], Tensor]
"""From padded pieces (pairs, source) and (pairs, target) to their summed loss (), in operations that ask for no value
of a tensor."""


def round_up_shape(source: Ids, target: Ids) -> tuple[Ids, Ids]:
    """A batch (pairs, source), (pairs, target) with padding up to the next shape; loss and gradients stay. Pairs that
    are added have sources of EOS alone, for attention needs something to look at, and no target piece."""
    pairs = -(-len(source) // PAIR_MULTIPLE) * PAIR_MULTIPLE
    wide, long = (
        np.full((pairs, -(-ids.shape[1] // LENGTH_MULTIPLE) * LENGTH_MULTIPLE), PAD, ids.dtype)
        for ids in (source, target)
    )
    wide[:, 0] = EOS
    wide[: len(source), : source.shape[1]] = source
    long[: len(target), : target.shape[1]] = target
    return wide, long


class _Inputs(NamedTuple):
    """What a loss and its gradients are made of."""

    source: Tensor
    target: Tensor
    divisor: Tensor


@dataclass(frozen=True)
class _Recording:
    """A graph, and where its inputs and its loss lie."""

    graph: torch.cuda.CUDAGraph
    inputs: _Inputs
    total: Tensor


class CudaGraphCache:
    """The recordings of one loss of one network's parameters, whose `.grad` have to lie where they do from now on."""

    def __init__(self, loss: Loss, parameters: list[Tensor]) -> None:
        self._loss, self._parameters = loss, parameters
        self._device = parameters[0].device
        self._made: OrderedDict[tuple[int, ...], _Recording | None] = OrderedDict()  # None: seen once
        self._pool = torch.cuda.graph_pool_handle()  # of memory, which they share: only one plays at a time

    def __len__(self) -> int:
        """How many there are."""
        return sum(one is not None for one in self._made.values())

    def compute_gradients(self, source: Ids, target: Ids, divisor: int) -> Tensor:
        """Put the gradient of a batch's loss, over a divisor, in the place of every parameter's; returns the loss ().

        The first batch of a shape is computed as it comes, which makes ready what libraries make at a first call; the
        second is recorded.
        """
        source, target = round_up_shape(source, target)
        shape = (*source.shape, target.shape[1])
        given = _Inputs(torch.from_numpy(source).to(self._device), torch.from_numpy(target).to(self._device),
                        self._parameters[0].new_tensor(divisor))
        if shape not in self._made:
            self._made[shape] = None
            self._forget()
            return self._computed(given)
        recording = self._made[shape]
        if recording is None:
            recording = self._made[shape] = self._record(given)
        self._made.move_to_end(shape)
        for place, value in zip(recording.inputs, given, strict=True):
            place.copy_(value)
        recording.graph.replay()
        return recording.total.clone()

    def _computed(self, inputs: _Inputs) -> Tensor:
        """The loss, and the gradients into their places. Not by `backward`, which works on the stream on which a
        parameter was first seen, and that is not the one that is recorded."""
        total = self._loss(inputs.source, inputs.target)
        found = torch.autograd.grad(total / inputs.divisor, self._parameters, allow_unused=True)
        for parameter, gradient in zip(self._parameters, found, strict=True):
            assert parameter.grad is not None
            if gradient is None:
                parameter.grad.zero_()
            else:
                parameter.grad.copy_(gradient)
        return total.detach()

    def _record(self, inputs: _Inputs) -> _Recording:
        """What `_computed` does with batches of this shape, from now on read from these very tensors."""
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self._pool):
            total = self._computed(inputs)
        return _Recording(graph, inputs, total)

    def _forget(self) -> None:
        """Let the recordings go that were played longest ago."""
        while len(self._made) > MAX_GRAPHS:
            self._made.popitem(last=False)
