"""Several processes that train one model, started by `torchrun`: each takes its share of every batch.

After going backward the gradients are added up over all processes, explicitly and in one message, where
DistributedDataParallel would average them: the loss is divided by the target pieces of the whole batch, which every
process knows, so that the sum is the very gradient one process would have. And the fast loss is no call of a module,
which is what DistributedDataParallel hooks into.
"""

from __future__ import annotations

import atexit
import os
from dataclasses import dataclass

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor

_LINE = 16  # numbers in a cache line, in float32


@dataclass(frozen=True)
class ProcessGroup:
    """This process's place among all; alone unless started by torchrun."""

    device: torch.device
    rank: int = 0
    size: int = 1

    @property
    def is_first(self) -> bool:
        """Whether this is the process that saves, evaluates and reports."""
        return self.rank == 0

    def all_reduce_gradients(self, gradients: Tensor | None, number: Tensor) -> Tensor:
        """Add up gradients (of `laid_out`, which one process may do without) in place, and a number (), which is
        returned; the same in every process."""
        if self.size == 1 or gradients is None:
            return number
        gradients[-1] = number.detach()
        dist.all_reduce(gradients)
        return gradients[-1].clone()

    def all_reduce_sum(self, here: float) -> float:
        """The sum of a number over all processes; all ask at the same point and hear the same."""
        if self.size == 1:
            return here
        number = torch.tensor([here], dtype=torch.float64, device=self.device)
        dist.all_reduce(number)
        return number.item()

    def all_reduce_any(self, here: bool) -> bool:
        """Whether something holds in any process; all ask at the same point and hear the same."""
        return self.all_reduce_sum(float(here)) > 0

    def seed_dropout(self, seed: int, update: int) -> None:
        """Give each process random numbers of its own, for dropout, that depend on seed and update alone.

        One process goes on in its one stream of random numbers, which is saved with its state.
        """
        if self.size > 1:
            torch.manual_seed(int(np.random.SeedSequence([seed, update, self.rank]).generate_state(1)[0]))


def allocate_gradients(parameters: list[Tensor]) -> Tensor:
    """Zeros as every parameter's gradient, views of one vector, which is returned: one message without copying it.

    After them comes a place for a number. Every gradient begins where a cache line does, as one of its own would.
    """
    begins = [0]
    for parameter in parameters:
        begins.append(begins[-1] + -(-parameter.numel() // _LINE) * _LINE)
    whole = parameters[0].new_zeros(begins[-1] + 1)
    for parameter, begin in zip(parameters, begins, strict=False):
        parameter.grad = whole[begin : begin + parameter.numel()].view_as(parameter)
    return whole


def join_process_group() -> ProcessGroup:
    """The group `torchrun` started this process in (gloo between processors, nccl between GPUs), or a group of one."""
    cuda = torch.cuda.is_available()
    if not (dist.is_available() and dist.is_torchelastic_launched() and int(os.environ["WORLD_SIZE"]) > 1):
        return ProcessGroup(torch.device("cuda" if cuda else "cpu"))
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if cuda else torch.device("cpu")
    if cuda:
        torch.cuda.set_device(device)
    if not dist.is_initialized():
        dist.init_process_group("nccl" if cuda else "gloo")
        atexit.register(dist.destroy_process_group)
    return ProcessGroup(device, dist.get_rank(), dist.get_world_size())
