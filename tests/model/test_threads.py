"""How torch's threads wait for one another is said before torch is there to read it."""

import os
import subprocess
import sys

import pytest

POLICY = "OMP_WAIT_POLICY"
LOOK = f"import os, sys, {{}}; print(os.environ['{POLICY}'], 'torch' in sys.modules)"


def told(module: str, **environment: str) -> list[str]:
    """What a fresh Python says after importing `module`: the policy, and whether torch is loaded."""
    bare = {name: value for name, value in os.environ.items() if name != POLICY}
    command = [sys.executable, "-c", LOOK.format(module)]
    return subprocess.run(command, env=bare | environment, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize("module", ["model", "pages.view.service"])
def test_threads_wait_asleep_and_torch_is_told_in_time(module: str) -> None:
    assert told(module) == ["PASSIVE", "False"]


def test_who_has_chosen_is_heard() -> None:
    assert told("model", OMP_WAIT_POLICY="ACTIVE") == ["ACTIVE", "False"]
