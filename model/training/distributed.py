"""Data-parallel training by several processes, started by `torchrun`: each computes a part of every batch.

The gradients are summed in one all-reduce instead of by DistributedDataParallel. That would average them, but here the
loss is divided by the target tokens of the whole batch, so that the sum is the gradient that one process would compute.
DistributedDataParallel also needs the forward pass of a module, which the fused losses are not.
"""

from __future__ import annotations

import atexit
import os
from dataclasses import dataclass

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor

_CACHE_LINE = 16  # float32 numbers


@dataclass(frozen=True)
class ProcessGroup:
    """The rank of this process among all; a group of one unless started by torchrun."""

    device: torch.device
    rank: int = 0
    size: int = 1

    @property
    def is_first(self) -> bool:
        """Whether this is the process that saves, evaluates and reports."""
        return self.rank == 0

    def all_reduce_gradients(self, gradients: Tensor | None, loss: Tensor) -> Tensor:
        """Sum gradients (of `allocate_gradients`; None in a group of one) in place and return the sum of the losses."""
        if self.size == 1 or gradients is None:
            return loss
        gradients[-1] = loss.detach()
        dist.all_reduce(gradients)
        return gradients[-1].clone()

    def all_reduce_sum(self, value: float) -> float:
        """Return the sum of a number over all processes; a collective call."""
        if self.size == 1:
            return value
        total = torch.tensor([value], dtype=torch.float64, device=self.device)
        dist.all_reduce(total)
        return total.item()

    def all_reduce_any(self, value: bool) -> bool:
        """Return whether the value is true in any process; a collective call."""
        return self.all_reduce_sum(float(value)) > 0

    def seed_dropout(self, seed: int, update: int) -> None:
        """Seed torch's generator by seed, update and rank, so that processes draw different dropout masks.

        A group of one is not seeded: it continues its one random stream, which is part of the saved state.
        """
        if self.size > 1:
            torch.manual_seed(int(np.random.SeedSequence([seed, update, self.rank]).generate_state(1)[0]))


def allocate_gradients(parameters: list[Tensor]) -> Tensor:
    """Set the gradient of every parameter to zeros, as views of one vector, which is returned.

    So one all-reduce needs no copy. The last element is for the loss. Gradients start at cache lines.
    """
    offsets = [0]
    for parameter in parameters:
        offsets.append(offsets[-1] + -(-parameter.numel() // _CACHE_LINE) * _CACHE_LINE)
    vector = parameters[0].new_zeros(offsets[-1] + 1)
    for parameter, offset in zip(parameters, offsets, strict=False):
        parameter.grad = vector[offset : offset + parameter.numel()].view_as(parameter)
    return vector


def join_process_group() -> ProcessGroup:
    """Return the group in which `torchrun` started this process (gloo on CPUs, nccl on GPUs), or a group of one."""
    has_gpu = torch.cuda.is_available()
    if not (dist.is_available() and dist.is_torchelastic_launched() and int(os.environ["WORLD_SIZE"]) > 1):
        return ProcessGroup(torch.device("cuda" if has_gpu else "cpu"))
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if has_gpu else torch.device("cpu")
    if has_gpu:
        torch.cuda.set_device(device)
    if not dist.is_initialized():
        dist.init_process_group("nccl" if has_gpu else "gloo")
        atexit.register(dist.destroy_process_group)
    return ProcessGroup(device, dist.get_rank(), dist.get_world_size())
