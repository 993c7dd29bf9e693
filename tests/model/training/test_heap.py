"""Commands that train begin anew, with an allocator that keeps what it has; nobody else does."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from model.training import heap

GNU = ("glibc", "2.36")
UNTOLD = {name: value for name, value in os.environ.items() if name != heap.VARIABLE}


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What processes would have been begun with."""
    found: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda program, given: found.append([program, *given]))
    monkeypatch.setattr(heap.platform, "libc_ver", lambda: GNU)
    monkeypatch.setenv(heap.VARIABLE, "")  # so that it is as it was afterwards, whatever is set meanwhile
    monkeypatch.delenv(heap.VARIABLE)
    monkeypatch.setattr(sys, "orig_argv", ["python", "-X", "dev", "-m", "model", "train", "tiny", "--out", "x y"])
    monkeypatch.setattr(sys, "argv", ["model/__main__.py", "train", "tiny", "--out", "x y"])
    return found


def test_a_command_that_trains_begins_anew_once(begun: list[list[str]]) -> None:
    heap.keep_memory()
    heap.keep_memory()
    assert begun == [[sys.executable, sys.executable, "-X", "dev", "-m", "model", "train", "tiny", "--out", "x y"]]
    assert os.environ[heap.VARIABLE] == heap.TUNABLES


def test_other_commands_do_not(begun: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    for command in ([], ["translate", "FILE"], ["--help"]):
        monkeypatch.setattr(sys, "argv", ["model/__main__.py", *command])
        heap.keep_memory()
    assert not begun


def test_what_the_allocator_was_told_stands(begun: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(heap.VARIABLE, "glibc.malloc.check=0")
    heap.keep_memory()
    assert not begun


@pytest.mark.parametrize("library", [("", ""), ("musl", "1.2")])
def test_other_allocators_are_told_nothing(library: tuple[str, str], begun: list[list[str]],
                                           monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heap.platform, "libc_ver", lambda: library)
    heap.keep_memory()
    assert not begun
    assert heap.VARIABLE not in os.environ


TOUCH = """
import resource, sys
import numpy
def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
def touch():
    kept = [numpy.empty(3_000_000, numpy.uint8) for _ in range(40)]  # of larger ones numpy asks for large pages
    for one in kept:
        one[::4096] = 1
touch()
before = faults()
touch()
print(faults() - before)
"""


@pytest.mark.skipif(heap.platform.libc_ver()[0] != "glibc", reason="another allocator")
def test_memory_that_was_given_back_is_there_at_once() -> None:
    """120 MB are 29,297 pages of 4 kB."""
    found = []
    for told in ({}, {heap.VARIABLE: heap.TUNABLES}):
        done = subprocess.run([sys.executable, "-c", TOUCH], env=UNTOLD | told, capture_output=True, text=True,
                              check=True)
        found.append(int(done.stdout))
    assert found[0] > 10_000  # else it would need no telling
    assert found[1] < 100


def test_the_command_itself_begins_anew_and_goes_on() -> None:
    done = subprocess.run([sys.executable, "-m", "model", "train", "--help"], env=UNTOLD, capture_output=True,
                          text=True, check=True)
    assert "--cool-down" in done.stdout
