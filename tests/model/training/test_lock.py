"""One training at a time in a folder."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from model.paths import ROOT
from model.training import lock
from model.training.lock import LOCK, RunLockedError, lock_run_folder
from model.training.recipe import Plan
from model.training.state import STATE
from model.training.trainer import Trainer
from tests.model.training.runs import build_tiny_recipe, train_until

SCRIPT = "import sys, pathlib; from model.training.lock import lock_run_folder\n" \
         "with lock_run_folder(pathlib.Path(sys.argv[1])): print('locked', flush=True); sys.stdin.read()"


def lock_in_other_process(folder: Path) -> subprocess.Popen[str]:
    """Start a process that locks the folder until its input ends or it is killed."""
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, str(folder)], cwd=ROOT, text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == "locked\n"
    return process


def test_a_second_trainer_is_refused_until_the_first_is_killed(data: Path, tmp_path: Path) -> None:
    trainer = train_until(Trainer(tmp_path, build_tiny_recipe(), Plan("rnnsearch", 50), data), 1)
    state_bytes = (tmp_path / STATE).read_bytes()
    with lock_in_other_process(tmp_path) as process:
        with pytest.raises(RunLockedError, match=r"another training is running in .*--runs"):
            train_until(trainer, 2)
        assert (tmp_path / STATE).read_bytes() == state_bytes
        process.kill()
        process.wait()
    assert (tmp_path / LOCK).exists()  # a stale file does not lock
    assert train_until(trainer, 2).progress.updates == 2


def test_a_file_system_without_locks_is_no_other_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(file: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(lock, "_lock_file", refuse)
    with pytest.raises(OSError, match="No locks available"), lock_run_folder(tmp_path):
        pass


def test_a_process_may_lock_a_folder_twice(tmp_path: Path) -> None:
    with lock_run_folder(tmp_path), lock_run_folder(tmp_path):
        pass
