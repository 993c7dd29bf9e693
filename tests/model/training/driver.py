"""Train in child processes for `test_kill` and `test_distributed`. Imports once, then forks.

    python -m tests.model.training.driver kill DATA FOLDER
    python -m tests.model.training.driver group DATA FOLDER

The parent never computes a gradient, because autograd does not survive a fork.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import torch
import torch.distributed as dist

from model.checkpoints import checkpoint
from model.training.batches import Position
from model.training.recipe import Plan, Recipe
from model.training.state import STATE, read_state
from model.training.trainer import Trainer
from tests.model.training.runs import build_tiny_recipe, drop_clocks, find_differences, train_until

KILLS = 20
MAX_DELAY = 0.15  # seconds from a child's first updates to its kill; an update and its saves take about 0.03
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


# --- SIGKILL at random moments


def run_kill_test(data: Path, folder: Path) -> None:
    """Train, saving and exporting at every update; kill twenty times; check what is left; resume.

    At the end the run, with its lost and repeated updates, is compared with an undisturbed one.
    """
    recipe = build_tiny_recipe(evaluate_pieces=700, save_minutes=1e-9)
    chance = random.Random(4)
    run, saved_updates = folder / "run", 0
    import_modules(data, folder, recipe)
    history, checkpoints = [], 0
    for _ in range(KILLS):
        reader, writer = os.pipe()

        def work(reader: int = reader, writer: int = writer) -> None:
            os.close(reader)  # if the driver dies, the next write ends the child
            trainer = Trainer.resume(run, data) if (run / STATE).exists() else Trainer(run, recipe, PLAN, data)
            for _ in trainer.run():
                os.write(writer, b".")
                trainer.export(run / "best")

        child = fork_child(work)
        os.close(writer)
        for _ in range(chance.randint(2, 3)):
            assert os.read(reader, 1) == b".", "the run does not resume"
        time.sleep(chance.uniform(0.0, MAX_DELAY))
        os.kill(child, signal.SIGKILL)
        assert wait_for_child(child) == -signal.SIGKILL
        os.close(reader)
        if (run / STATE).exists():
            progress = read_state(run)["progress"]
            assert progress["updates"] >= saved_updates
            saved_updates = progress["updates"]
            checkpoints += has_loadable_best(run / "best")
        history.append(saved_updates)
    child = fork_child(lambda: train_until(Trainer.resume(run, data), saved_updates + 2))
    assert wait_for_child(child) == 0
    child = fork_child(lambda: train_until(Trainer(folder / "undisturbed", recipe, PLAN, data), saved_updates + 2))
    assert wait_for_child(child) == 0
    state, undisturbed = (drop_clocks(read_state(folder / name)) for name in ("run", "undisturbed"))
    differences = find_differences(state, undisturbed)
    print(json.dumps({"history": history, "checkpoints": checkpoints, "differences": differences}))


def has_loadable_best(best: Path) -> bool:
    """Return whether there is a checkpoint; raise CheckpointError if it is damaged."""
    try:
        return bool(checkpoint.load_model(best).card.sha256)
    except checkpoint.CheckpointError as error:
        if "there is no model" not in str(error):
            raise
        return False


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


def record_run(data: Path, run: Path, out: Path, recipe: Recipe) -> None:
    """Write to `out` the gradients of some batches, one of a single pair, and the result of a run."""
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
    reports = [report.event for report in trainer.run(max_updates=6)]
    weights = {name: value.clone() for name, value in trainer.network.state_dict().items()}
    progress = vars(trainer.progress) | {"position": vars(trainer.progress.position)}
    if trainer.group.rank == 1:
        trainer.request_stop()  # must stop both
    reports += [report.event for report in trainer.run(max_updates=12)]
    random_numbers = []
    for _ in range(2):
        trainer.group.seed_dropout(1, 5)
        random_numbers.append(torch.rand(3))
    torch.save({
        "gradients": gradients, "weights": weights, "progress": progress, "reports": reports,
        "last_update": trainer.progress.updates, "random": random_numbers, "size": trainer.group.size,
        "sum": trainer.group.all_reduce_sum(trainer.group.rank + 0.5),
    }, out)  # fmt: skip


if __name__ == "__main__":
    torch.set_num_threads(1)
    os.fsync = lambda fd: None  # needed after a power failure only, and slow
    {"kill": run_kill_test, "group": run_group_test}[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
