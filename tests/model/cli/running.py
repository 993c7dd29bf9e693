"""The type of the fixture `run`, and the assertion that a command refuses."""

from __future__ import annotations

from collections.abc import Callable

Outcome = tuple[int, str, str]
"""Exit code, standard output, standard error."""

Run = Callable[..., Outcome]


def assert_one_error(outcome: Outcome, *expected: str) -> None:
    """Assert exit code 2 and one line on standard error that contains `expected`."""
    code, _, stderr = outcome
    assert code == 2
    assert stderr.startswith("error: ")
    assert stderr.count("\n") == 1
    assert len(stderr) < 1000
    assert "Traceback" not in stderr
    for part in expected:
        assert part in stderr
