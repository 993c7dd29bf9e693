"""What the tests of the command line share: the shape of a run, and what a refusal looks like."""

from __future__ import annotations

from collections.abc import Callable

Outcome = tuple[int, str, str]


Run = Callable[..., Outcome]


def assert_one_error(outcome: Outcome, *expected: str) -> None:
    """Exit code 2, nothing half-said on the output's error side: one line that holds what is expected."""
    code, _, err = outcome
    assert code == 2
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert len(err) < 1000
    assert "Traceback" not in err
    for part in expected:
        assert part in err
