"""The command line as a whole: help, refusals, and closed or full outputs."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from model.checkpoints import checkpoint, model_folders
from model.cli import commands
from model.cli.shared import show_progress
from model.paths import ROOT
from tests.model.cli.running import Run, assert_one_error

LONG = "x" * 5000


@pytest.mark.verdict
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("translate --beam 0", ["beam", "1 to 100"]),
        ("translate --n-best 2", ["n_best", "beam"]),
        ("translate --model a\x00b", ["no model"]),
        ("translate no/such/file", ["no/such/file"]),
        (f"translate {LONG}", ["xxx…xxx"]),
        ("translate --sample --top-p 2", ["top_p"]),
        ("translate --tree", ["--format json"]),
        ("translate --stop beam", ["--beam"]),
        ("evaluate x.tsv --stop beam", ["--beam"]),
        ("data . --kind letter", ["letter"]),
        ("data no/such/folder", ["no/such/folder holds no corpus"]),
        ("train", ["recipe"]),
        ("train --resume", ["no run to resume"]),
        ("train tiny --resume", ["leave out the recipe"]),
        ("train tiny --minutes nan", ["minutes", "range from 0 to 1,000,000,000"]),
        ("train tiny --tokens 2500000", ["tokens", "in millions: 2.5 for 2,500,000 tokens"]),
        ("train --name nobody --ship", ["no best weights"]),
        ("train tiny --data /nowhere --runs /nowhere", ["python -m model data"]),
        ("evaluate x.tsv --threads 1000000000", ["threads", "1024"]),
        ("evaluate /nowhere --all", ["/nowhere is not a folder"]),
        ("bench --hidden 65536 --embedding 65536", ["GiB", "smaller sizes"]),
        ("bench --kind lstm", ["no kind of network 'lstm'", "luong"]),
        ("bench --source 2 --target 300", ["--target"]),
        ("claims --from /nowhere", ["/nowhere is not a folder"]),
        ("claims --from / --save", ["leave out --from"]),
        ("--models /nowhere models", ["/nowhere is not a folder"]),
        ("average rnnsearch-50 rnnencdec-50 --out new", ["rnnsearch-50 has another network"]),
        ("average rnnsearch-50 --out new", ["two checkpoints or more"]),
        ("sing", ["sing"]),
        ("--sing", ["--sing"]),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_bad_arguments_are_refused_in_one_sentence(
    run: Run, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, expected: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = arguments.split(" ")
    if words[0] == "translate" and "--model" not in words:
        words += ["--model", str(tiny)]
    assert_one_error(run(*words), *expected)


@pytest.mark.parametrize("command", ["", *commands.COMMANDS])
def test_every_command_has_help(run: Run, command: str) -> None:
    code, stdout, _ = run(*([command] if command else []), "--help")
    assert code == 0
    assert "Usage: " in stdout


@pytest.mark.verdict
def test_models_lists_shipped_models_uncut_in_a_narrow_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "20")
    code, stdout, _ = run("models")
    assert code == 0
    assert "rnnsearch-50" in stdout
    assert "rnnencdec-50" in stdout
    assert "…" not in stdout


def test_models_lists_the_folders_of_further_models(run: Run, tiny: Path) -> None:
    code, stdout, _ = run("--models", str(tiny), "models")
    model_folders.set_extra_folders(())
    assert code == 0
    assert any(line.startswith("tiny ") for line in stdout.splitlines())


def test_too_little_memory_is_one_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_memory_error() -> None:
        raise MemoryError

    monkeypatch.setattr(checkpoint, "list_cards", raise_memory_error)
    assert_one_error(run("models"), "too little memory")


@pytest.mark.skipif(os.name != "posix", reason="shell redirection")
def test_output_is_complete_without_standard_error(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = [sys.executable, "-m", "model", "translate", "-m", str(tiny)]
    text = b"Yes.\n" + b"\xff\n" * 3 + b"Yes.\n"
    result = subprocess.run(["bash", "-c", '"$@" 2>&-', "bash", *command], cwd=ROOT, input=text,
                            stdout=subprocess.PIPE, env={**os.environ, "OMP_NUM_THREADS": "1"}, check=False)
    assert result.returncode == 2
    first, *invalid, last = result.stdout.split(b"\n")[:-1]
    assert first == last
    assert invalid == [b"", b"", b""]
    monkeypatch.setattr(sys, "stderr", None)
    with show_progress() as progress:
        progress("cleaning", 1, 2)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_named() -> None:
    with open("/dev/full", "w") as output:
        result = subprocess.run([sys.executable, "-m", "model", "models"], cwd=ROOT, stdout=output,
                                stderr=subprocess.PIPE, text=True, check=False)  # fmt: skip
    assert (result.returncode, result.stderr) == (2, f"error: standard output: {os.strerror(errno.ENOSPC)}\n")
