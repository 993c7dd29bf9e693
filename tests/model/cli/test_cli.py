"""The command line as a whole: help, refusals, and what it does where nobody reads."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from model.cli import commands
from model.cli.shared import show_progress
from model.paths import ROOT
from tests.model.cli.running import Run, assert_one_error


@pytest.mark.verdict
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["translate", "--beam", "0"], ["beam", "1 to 100"]),
        (["translate", "--beam", "many"], ["--beam"]),
        (["translate", "--format", "xml"], ["xml"]),
        (["translate", "--n-best", "2"], ["n_best", "beam"]),
        (["translate", "--model", "nobody"], ["no model 'nobody'"]),
        (["translate", "--model", "../../etc"], ["no model"]),
        (["translate", "--model", "a\x00b"], ["no model"]),
        (["translate", "--model", ""], ["no model"]),
        (["translate", "no/such/file"], ["no/such/file"]),
        (["translate", "."], ["directory"]),
        (["translate", "--temperature", "2"], ["temperature", "sample"]),
        (["translate", "--top-p", "0.5"], ["top_p", "sample"]),
        (["translate", "--sample", "--top-p", "2"], ["top_p"]),
        (["translate", "--sample", "--beam", "5"], ["sample", "beam"]),
        (["translate", "--beam", "2", "--length-penalty", "short"], ["length_penalty", "gnmt"]),
        (["data", ".", "--vocabulary", "70000"], ["65536"]),
        (["data", ".", "--kind", "letter"], ["letter"]),
        (["train"], ["recipe"]),
        (["train", "nothing"], ["nothing", "shipped", "tiny"]),
        (["train", "tiny", "--kind", "moses"], ["moses", "rnnsearch"]),
        (["train", "--resume"], ["no run to resume"]),
        (["train", "tiny", "--resume"], ["leave out the recipe"]),
        (["train", "tiny", "--threads", "-1"], ["threads", "0"]),
        (["precision", "tiny", "--threads", "-1"], ["threads", "0"]),
        (["evaluate", "x.tsv", "--threads", "1000000000"], ["threads", "1024"]),
        *((["train", "tiny", option, value], [option[2:], "range from 0 to 1,000,000,000"])
          for option in ("--pieces", "--minutes") for value in ("inf", "nan", "-1", "-inf", "1e300")),
        *((["train", "tiny", option, "2500000"], [option[2:], "in millions: 2.5 for 2,500,000 tokens"])
          for option in ("--pieces", "--cool-down")),
        (["bench", "--hidden", "65536", "--embedding", "65536"], ["GiB", "smaller sizes"]),
        (["bench", "--batch", "1000000"], ["GiB", "smaller sizes"]),
        (["bench", "--hidden", "99999999"], ["hidden", "65536"]),
        (["bench", "--kind", "lstm"], ["no kind of network 'lstm'", "luong"]),
        (["bench", "--layers", "0"], ["layers", "1"]),
        (["bench", "--source", "1"], ["source", "2"]),
        (["bench", "--target", "9"], ["target", "10"]),
        (["train", "tiny", "--name", "x" * 5000], []),
        (["translate", "--model", "y" * 5000], ["no model"]),
        (["translate", "z" * 5000], ["zzz…zzz"]),
        (["train", "tiny", "--data", "d" * 5000], ["ddd…ddd"]),
        (["evaluate", "e" * 5000 + ".tsv"], ["eee…eee"]),
        (["data", "no/such/folder"], ["no/such/folder holds no corpus"]),
        (["sing"], ["sing"]),
        (["--sing"], ["--sing"]),
    ],
    ids=" ".join,
)
def test_bad_arguments_get_one_sentence(
    run: Run, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], expected: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    if arguments[0] == "translate" and "--model" not in arguments:
        arguments = [*arguments, "--model", str(tiny)]
    assert_one_error(run(*arguments), *expected)


@pytest.mark.parametrize("command", ["", *commands.COMMANDS])
def test_help_of_every_command(run: Run, command: str) -> None:
    code, out, _ = run(*([command] if command else []), "--help")
    assert code == 0
    assert "Usage: " in out


@pytest.mark.verdict
def test_models_lists_what_is_shipped(run: Run) -> None:
    code, out, _ = run("models")
    assert code == 0
    for name in ("rnnsearch-50", "rnnencdec-50"):
        assert name in out


def test_a_table_is_not_cut_for_a_pipe_where_colours_are_forced(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """As services that run commands in a narrow window do."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "20")
    code, out, _ = run("models")
    assert code == 0
    assert "rnnencdec-50" in out
    assert "…" not in out


@pytest.mark.skipif(os.name != "posix", reason="a closed stream by the shell's redirection")
def test_complaints_that_nobody_reads_harm_no_output(tiny: Path) -> None:
    """Standard error closed, or a pipe whose reader has left."""
    command = [sys.executable, "-m", "model", "translate", "-m", str(tiny)]
    given = b"Yes.\n" + b"\xff\n" * 3 + b"Yes.\n"
    for redirected in ("2>&-", "2> >(true)"):
        found = subprocess.run(["bash", "-c", f'"$@" {redirected}', "bash", *command], cwd=ROOT, input=given,
                               stdout=subprocess.PIPE, env={**os.environ, "OMP_NUM_THREADS": "1"}, check=False)
        assert found.returncode == 2
        first, *broken, last = found.stdout.split(b"\n")[:-1]
        assert first == last
        assert broken == [b"", b"", b""]


def test_without_standard_error_there_is_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with show_progress() as progress:
        progress("cleaning", 1, 2)


@pytest.mark.parametrize(("arguments", "expected"), [
    (["--models", "/nowhere", "models"], "/nowhere is not a folder"), (["translate", "--tree"], "--format json"),
    (["translate", "--stop", "beam"], "--beam"), (["bench", "--source", "2", "--target", "300"], "--target"),
    (["claims", "--from", "/nowhere"], "/nowhere is not a folder"),
    (["claims", "--from", "/", "--save"], "leave out --from"),
    (["evaluate", "/nowhere", "--all"], "/nowhere is not a folder"),
    (["train", "--name", "nobody", "--ship"], "no best weights"),
    (["train", "tiny", "--data", "/nowhere", "--runs", "/nowhere"], "python -m model data"),
])  # fmt: skip
def test_what_cannot_be_done_is_said_before_anything_is(run: Run, arguments: list[str], expected: str) -> None:
    assert_one_error(run(*arguments), expected)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize("command", ["models", "claims"])
def test_a_full_disk_under_standard_output_is_named(command: str) -> None:
    with open("/dev/full", "w") as output:
        done = subprocess.run([sys.executable, "-m", "model", command], cwd=ROOT, stdout=output, stderr=subprocess.PIPE,
                              text=True, check=False)
    assert (done.returncode, done.stderr) == (2, f"error: standard output: {os.strerror(errno.ENOSPC)}\n")


def test_who_reads_a_line_and_goes_is_no_error() -> None:
    command = f"set -o pipefail; {sys.executable} -m model claims | head -1"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Bahdanau")
