"""Search settings: what they allow, how they score, and that they need no torch."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from model.search.settings import Settings, SettingsError


@pytest.mark.parametrize(("given", "message"), [
    ({"beam": 0}, "beam must be a whole number from 1 to 100: got 0"),
    ({"beam": 101}, "got 101"),
    ({"beam": 2.0}, r"got 2\.0"),
    ({"beam": True}, "got True"),
    ({"beam": 3, "n_best": 4}, r"n_best must be a whole number from 1 to 3 \(the beam is 3\): got 4"),
    ({"candidates": -1}, "candidates must be a whole number from 0 to 100: got -1"),
    ({"max_ratio": 0}, "max_ratio must be a number above 0 and up to 100: got 0"),
    ({"max_ratio": float("nan")}, "got nan"),
    ({"max_ratio": "3"}, "got '3'"),
    ({"length_penalty": "gnmt"}, "length_penalty must be \"none\" or \"length\": got 'gnmt'"),
    ({"detail": 1}, "detail must be true or false: got 1"),
])
def test_settings_out_of_range_are_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        Settings(**given)


def test_the_greatest_length_counts_the_end_on_both_sides_and_has_a_floor() -> None:
    assert [Settings().longest(pieces) for pieces in (1, 3, 4, 21)] == [10, 10, 12, 63]
    assert Settings(max_ratio=1.5).longest(11) == 17


def test_scores() -> None:
    assert Settings(length_penalty="none").score(-6.0, 4) == -6.0
    assert Settings().score(-6.0, 4) == -1.5
    assert Settings(length_penalty="none").best_possible(-6.0, 12) == -6.0
    assert Settings().best_possible(-6.0, 12) == -0.5


def test_names_and_what_decides() -> None:
    assert (Settings().name, Settings(beam=2).name) == ("greedy", "beam")
    assert Settings(detail=True, candidates=0).deciding == Settings().deciding
    assert Settings(beam=4).deciding == {"beam": 4, "n_best": 1, "max_ratio": 3.0, "length_penalty": "length"}


def test_settings_and_translating_are_imported_without_torch() -> None:
    code = "import sys, model.search.settings, model.search.translate; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
