"""CUDA graphs of a loss and its gradients: captured once per batch shape, then replayed.

The loops over time are thousands of small operations, whose launch takes longer than their work. A CUDA graph launches
them at once. It is bound to the shape and memory of its capture: batches are padded to a few shapes, inputs are copied
into place, and gradients are written into each parameter's `.grad`, which must not be replaced.
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

LENGTH_MULTIPLE, PAIR_MULTIPLE = 8, 32  # lengths and numbers of pairs are rounded up to these
MAX_GRAPHS = 400  # the least recently used graph is dropped

Loss = Callable[[Tensor, Tensor], Tensor]
"""From padded tokens (pairs, source) and (pairs, target) to their summed loss (), without reading a tensor's value."""


def round_up_shape(source: Ids, target: Ids) -> tuple[Ids, Ids]:
    """Pad a batch (pairs, source), (pairs, target) to the next shape; its loss and gradients stay the same.

    An added pair has EOS as its source, because attention needs a token, and no target token.
    """
    pairs = -(-len(source) // PAIR_MULTIPLE) * PAIR_MULTIPLE
    padded_source, padded_target = (
        np.full((pairs, -(-ids.shape[1] // LENGTH_MULTIPLE) * LENGTH_MULTIPLE), PAD, ids.dtype)
        for ids in (source, target)
    )
    padded_source[:, 0] = EOS
    padded_source[: len(source), : source.shape[1]] = source
    padded_target[: len(target), : target.shape[1]] = target
    return padded_source, padded_target


class GraphInputs(NamedTuple):
    """The tensors that a graph reads."""

    source: Tensor
    target: Tensor
    divisor: Tensor


@dataclass(frozen=True)
class CapturedGraph:
    """A graph, its input tensors and its loss."""

    graph: torch.cuda.CUDAGraph
    inputs: GraphInputs
    loss: Tensor


class CudaGraphCache:
    """The graphs of one loss and its gradients in these parameters, whose `.grad` tensors must stay."""

    def __init__(self, loss: Loss, parameters: list[Tensor]) -> None:
        self._loss, self._parameters = loss, parameters
        self._device = parameters[0].device
        self._graphs: OrderedDict[tuple[int, ...], CapturedGraph | None] = OrderedDict()  # None: shape seen once
        self._pool = torch.cuda.graph_pool_handle()  # memory shared by all graphs: one runs at a time

    def __len__(self) -> int:
        """Return the number of graphs."""
        return sum(graph is not None for graph in self._graphs.values())

    def compute_gradients(self, source: Ids, target: Ids, divisor: int) -> Tensor:
        """Write the gradient of loss / divisor into every parameter's `.grad` and return the loss ().

        The first batch of a shape is computed eagerly, which initialises libraries. The second is captured.
        """
        source, target = round_up_shape(source, target)
        shape = (*source.shape, target.shape[1])
        inputs = GraphInputs(torch.from_numpy(source).to(self._device), torch.from_numpy(target).to(self._device),
                             self._parameters[0].new_tensor(divisor))
        if shape not in self._graphs:
            self._graphs[shape] = None
            while len(self._graphs) > MAX_GRAPHS:
                self._graphs.popitem(last=False)
            return self.compute_eagerly(inputs)
        captured = self._graphs[shape]
        if captured is None:
            captured = self._graphs[shape] = self.capture(inputs)
        self._graphs.move_to_end(shape)
        for tensor, value in zip(captured.inputs, inputs, strict=True):
            tensor.copy_(value)
        captured.graph.replay()
        return captured.loss.clone()

    def compute_eagerly(self, inputs: GraphInputs) -> Tensor:
        """Write the gradients and return the loss, operation by operation.

        `Tensor.backward` cannot be captured: it accumulates on the stream on which a parameter was first used.
        """
        loss = self._loss(inputs.source, inputs.target)
        gradients = torch.autograd.grad(loss / inputs.divisor, self._parameters, allow_unused=True)
        for parameter, gradient in zip(self._parameters, gradients, strict=True):
            assert parameter.grad is not None
            if gradient is None:
                parameter.grad.zero_()
            else:
                parameter.grad.copy_(gradient)
        return loss.detach()

    def capture(self, inputs: GraphInputs) -> CapturedGraph:
        """Capture `compute_eagerly` for batches of this shape; the graph reads these very tensors."""
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self._pool):
            loss = self.compute_eagerly(inputs)
        return CapturedGraph(graph, inputs, loss)
