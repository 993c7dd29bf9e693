"""Train in child processes for `test_distributed`. Imports once, then forks.

    python -m tests.model.training.driver DATA FOLDER

The parent never computes a gradient, because autograd does not survive a fork.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import torch
import torch.distributed as dist

from model.training.batches import Position
from model.training.recipe import Plan, Recipe
from model.training.trainer import Trainer
from tests.model.training.runs import build_tiny_recipe

PLAN = Plan("rnnsearch", 50)


def fork_child(work: Callable[[], object]) -> int:
    """Run `work` in a child process and return its id. The child prints an error and exits with 1."""
    child = os.fork()
    if child:
        return child
    try:
        work()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def wait_for_child(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def import_modules(data: Path, folder: Path, recipe: Recipe) -> None:
    """Import what all children need, which is much of torch."""
    Trainer(folder / "warm", recipe, PLAN, data).export(folder / "warm" / "best")


# --- two processes as torchrun starts them


def run_group_test(data: Path, folder: Path) -> None:
    """Run the same batches in one process and in two, in float64 without dropout."""
    recipe = build_tiny_recipe(dropout=0.0, average_decay=0.0, evaluate_pieces=700)
    import_modules(data, folder, recipe)
    children = [fork_child(lambda: record_run(data, folder / "alone", folder / "alone.pt", recipe))]
    store = dist.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    for rank in (0, 1):
        os.environ.update(  # as torchrun sets them
            RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE="2", MASTER_ADDR="127.0.0.1", MASTER_PORT=str(store.port),
            TORCHELASTIC_RUN_ID="test", TORCHELASTIC_USE_AGENT_STORE="True",
        )  # fmt: skip
        children.append(fork_child(lambda rank=rank: record_run(  # type: ignore[misc]
            data, folder / f"of two {rank}", folder / f"{rank}.pt", recipe)))
    assert [wait_for_child(child) for child in children] == [0, 0, 0]


def record_run(data: Path, run: Path, record_path: Path, recipe: Recipe) -> None:
    """Write to `record_path` the gradients of some batches, one of a single pair, and the result of a run."""
    trainer = Trainer(run, recipe, PLAN, data)
    trainer.network.double()
    trainer.use_bfloat16 = False
    batches = list(islice(trainer.batches.iterate_from(Position()), 3))
    batches.append(replace(batches[0], source=batches[0].source[:1], target=batches[0].target[:1],
                           target_tokens=int((batches[0].target[:1] != 0).sum())))
    gradients = []
    for batch in batches:
        loss = trainer.compute_gradients(batch)
        gradients.append({"loss": loss, **{name: p.grad.clone() for name, p in trainer.network.named_parameters()
                                           if p.grad is not None}})
    reports = [report.is_evaluated for report in trainer.run(max_updates=6)]
    weights = {name: value.clone() for name, value in trainer.network.state_dict().items()}
    progress = vars(trainer.progress) | {"position": vars(trainer.progress.position)}
    if trainer.group.rank == 1:
        trainer.request_stop()  # must stop both
    reports += [report.is_evaluated for report in trainer.run(max_updates=12)]
    random_numbers = []
    for _ in range(2):
        trainer.group.seed_dropout(1, 5)
        random_numbers.append(torch.rand(3))
    torch.save({
        "gradients": gradients, "weights": weights, "progress": progress, "reports": reports,
        "last_update": trainer.progress.updates, "random": random_numbers, "size": trainer.group.size,
        "sum": trainer.group.all_reduce_sum(trainer.group.rank + 0.5),
    }, record_path)  # fmt: skip


if __name__ == "__main__":
    torch.set_num_threads(1)
    os.fsync = lambda fd: None  # needed after a power failure only, and slow
    run_group_test(Path(sys.argv[1]), Path(sys.argv[2]))
