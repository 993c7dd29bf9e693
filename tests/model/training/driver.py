"""Trains in processes of their own, which `test_kill` and `test_processes` need: imports once, then forks.

    python -m tests.model.training.driver kill DATA FOLDER
    python -m tests.model.training.driver group DATA FOLDER

The process that forks never computes a gradient: autograd does not survive a fork.
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

from model.training.batches import Position
from model.training.recipe import Plan, Recipe
from model.training.state import STATE, read_state
from model.training.trainer import Trainer
from tests.model.training.runs import build_tiny_recipe, drop_clocks, find_differences, train_until

KILLS = 20
LONGEST = 0.15  # seconds from one of a child's first updates to its end; an update and its saves take some 0.03
NAME = "rnnsearch-50"
PLAN = Plan("rnnsearch", 50)


def fork_child(work: Callable[[], object]) -> int:
    """Do the work in a child; returns its number. An error is written and ends it with 1."""
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
    """Import once what all children need, which is much of torch."""
    Trainer(folder / "warm", recipe, PLAN, data).export(folder / "warm" / "best")


# --- killed at random moments


def run_kill_test(data: Path, folder: Path) -> None:
    """Train, saving and exporting at every update; kill at random; look at what is left; go on. Twenty times.

    In the end the run, with all it lost and did again, is compared with one that nobody touched.
    """
    recipe = build_tiny_recipe(evaluate_pieces=700, save_minutes=1e-9)
    chance = random.Random(4)
    run, before = folder / "run", 0
    import_modules(data, folder, recipe)
    reached, bests = [], 0
    for _ in range(KILLS):
        ready, tell = os.pipe()

        def work(ready: int = ready, tell: int = tell) -> None:
            os.close(ready)  # with the driver gone nobody reads what is told, and the next write ends the child
            trainer = Trainer.resume(run, data) if (run / STATE).exists() else Trainer(run, recipe, PLAN, data)
            for _ in trainer.run():
                os.write(tell, b".")
                trainer.export(run / "best")

        child = fork_child(work)
        os.close(tell)
        for _ in range(chance.randint(2, 3)):
            assert os.read(ready, 1) == b".", "it goes on from what a kill left"
        time.sleep(chance.uniform(0.0, LONGEST))
        os.kill(child, signal.SIGKILL)
        assert wait_for_child(child) == -signal.SIGKILL, "it would have trained for ever"
        os.close(ready)
        if (run / STATE).exists():  # whole
            progress = read_state(run)["progress"]
            assert progress["updates"] >= before, "never less than was saved"
            before = progress["updates"]
            bests += has_loadable_best(run / "best")
        reached.append(before)
    child = fork_child(lambda: train_until(Trainer.resume(run, data), before + 2))
    assert wait_for_child(child) == 0
    child = fork_child(lambda: train_until(Trainer(folder / "untouched", recipe, PLAN, data), before + 2))
    assert wait_for_child(child) == 0
    states = [drop_clocks(read_state(folder / name)) for name in ("run", "untouched")]
    print(json.dumps({"reached": reached, "bests": bests, "differences": find_differences(states[0], states[1])}))


def has_loadable_best(best: Path) -> bool:
    from model.checkpoints import checkpoint

    try:
        return bool(checkpoint.load_model(best).card.sha256)
    except checkpoint.CheckpointError as error:
        if "there is no model" not in str(error):
            raise
        return False


# --- two processes as torchrun starts them


def run_group_test(data: Path, folder: Path) -> None:
    """What one process and two make of the same batches and the same run, in float64 with dropout off."""
    recipe = build_tiny_recipe(dropout=0.0, average_decay=0.0, evaluate_pieces=700)
    import_modules(data, folder, recipe)
    alone = fork_child(lambda: record_run(data, folder / "alone", folder / "alone.pt", recipe))
    store = dist.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    together = []
    for rank in (0, 1):
        os.environ.update(  # what torchrun tells its workers
            RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE="2", MASTER_ADDR="127.0.0.1", MASTER_PORT=str(store.port),
            TORCHELASTIC_RUN_ID="test", TORCHELASTIC_USE_AGENT_STORE="True",
        )  # fmt: skip
        together.append(fork_child(lambda rank=rank: record_run(  # type: ignore[misc]
            data, folder / f"of two {rank}", folder / f"{rank}.pt", recipe)))
    assert [wait_for_child(child) for child in (alone, *together)] == [0, 0, 0]


def record_run(data: Path, run: Path, out: Path, recipe: Recipe) -> None:
    """Gradients of some batches, one of them too small to be shared; then a run; all written to `out`."""
    trainer = Trainer(run, recipe, PLAN, data)
    trainer.network.double()
    trainer.use_bfloat16 = False
    batches = list(islice(trainer.batches.iterate_from(Position()), 3))
    batches.append(replace(batches[0], source=batches[0].source[:1], target=batches[0].target[:1],
                           target_tokens=int((batches[0].target[:1] != 0).sum())))
    found = []
    for batch in batches:
        loss = trainer.compute_gradients(batch)
        found.append({"loss": loss, **{name: p.grad.clone() for name, p in trainer.network.named_parameters()
                                       if p.grad is not None}})
    reports = [report.event for report in trainer.run(max_updates=6)]
    weights = {name: value.clone() for name, value in trainer.network.state_dict().items()}
    progress = vars(trainer.progress) | {"position": vars(trainer.progress.position)}
    if trainer.group.rank == 1:
        trainer.request_stop()  # asked in one process, both end
    for report in trainer.run(max_updates=12):
        reports.append(report.event)
    first = torch.rand(3)
    trainer.group.seed_dropout(1, 5)
    sown = torch.rand(3)
    trainer.group.seed_dropout(1, 5)
    torch.save({
        "gradients": found, "weights": weights, "progress": progress, "reports": reports,
        "stopped": trainer.progress.updates, "sown": sown, "again": torch.rand(3), "first": first,
        "size": trainer.group.size, "sum": trainer.group.all_reduce_sum(trainer.group.rank + 0.5),
    }, out)  # fmt: skip


if __name__ == "__main__":
    torch.set_num_threads(1)
    os.fsync = lambda fd: None  # what is written survives a kill without it; only the plug needs it, and time
    {"kill": run_kill_test, "group": run_group_test}[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
