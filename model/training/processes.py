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


@dataclass(frozen=True)
class Group:
    """This process's place among all; alone unless started by torchrun."""

    device: torch.device
    rank: int = 0
    size: int = 1

    @property
    def first(self) -> bool:
        """Whether this is the process that saves, evaluates and reports."""
        return self.rank == 0

    def add_up(self, parameters: list[Tensor], number: Tensor) -> Tensor:
        """Add up all processes' gradients in place, and a number (), which is returned; the same in every process."""
        if self.size == 1:
            return number
        gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
        flat = torch.cat([*(gradient.flatten() for gradient in gradients), number.detach().reshape(1)])
        dist.all_reduce(flat)
        parts = flat.split([*(gradient.numel() for gradient in gradients), 1])
        for gradient, part in zip(gradients, parts[:-1], strict=True):
            gradient.copy_(part.view_as(gradient))
        return parts[-1][0]

    def sum(self, here: float) -> float:
        """The sum of a number over all processes; all ask at the same point and hear the same."""
        if self.size == 1:
            return here
        number = torch.tensor([here], dtype=torch.float64, device=self.device)
        dist.all_reduce(number)
        return number.item()

    def any(self, here: bool) -> bool:
        """Whether something holds in any process; all ask at the same point and hear the same."""
        return self.sum(float(here)) > 0

    def seed(self, seed: int, update: int) -> None:
        """Give each process random numbers of its own, for dropout, that depend on seed and update alone.

        One process goes on in its one stream of random numbers, which is saved with its state.
        """
        if self.size > 1:
            torch.manual_seed(int(np.random.SeedSequence([seed, update, self.rank]).generate_state(1)[0]))


def join() -> Group:
    """The group `torchrun` started this process in (gloo between processors, nccl between GPUs), or a group of one."""
    cuda = torch.cuda.is_available()
    if not (dist.is_available() and dist.is_torchelastic_launched() and int(os.environ["WORLD_SIZE"]) > 1):
        return Group(torch.device("cuda" if cuda else "cpu"))
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if cuda else torch.device("cpu")
    if cuda:
        torch.cuda.set_device(device)
    if not dist.is_initialized():
        dist.init_process_group("nccl" if cuda else "gloo")
        atexit.register(dist.destroy_process_group)
    return Group(device, dist.get_rank(), dist.get_world_size())
