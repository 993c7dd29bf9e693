"""Search settings: what they allow, how they score, and that they need no torch."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from model.decoding.settings import Settings, SettingsError

GNMT = {"length_penalty": "gnmt"}


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
    ({"length_penalty": "GNMT"}, "length_penalty must be \"none\" or \"length\" or \"gnmt\": got 'GNMT'"),
    ({"length_penalty": ["none"]}, r"length_penalty must be .*: got \['none'\]"),
    ({"stop": "soon"}, "stop must be \"exact\" or \"beam\": got 'soon'"),
    ({"detail": 1}, "detail must be true or false: got 1"),
    ({"sample": "yes"}, "sample must be true or false: got 'yes'"),
    ({"tree": None}, "tree must be true or false: got None"),
    (GNMT | {"alpha": -0.1}, r"alpha must be a number from 0 to 10: got -0\.1"),
    (GNMT | {"alpha": float("nan")}, "alpha must be a number from 0 to 10: got nan"),
    (GNMT | {"beta": 11}, "beta must be a number from 0 to 10: got 11"),
    (GNMT | {"beta": True}, "beta must be a number from 0 to 10: got True"),
    ({"alpha": 0.2}, r'alpha works only with length_penalty "gnmt": got alpha 0\.2 without'),
    ({"length_penalty": "none", "beta": 0.2}, r'beta works only with length_penalty "gnmt": got beta 0\.2 without'),
    ({"sample": True, "temperature": 0}, "temperature must be a number above 0 and up to 100: got 0"),
    ({"sample": True, "temperature": float("inf")}, "temperature must be a number above 0 and up to 100: got inf"),
    ({"sample": True, "top_k": -1}, "top_k must be a whole number from 0 to 1000000: got -1"),
    ({"sample": True, "seed": -1}, "seed must be a whole number from 0 to 9223372036854775807: got -1"),
    ({"sample": True, "seed": 2**63}, "got 9223372036854775808"),
    ({"sample": True, "top_p": 0}, "top_p must be a number above 0 and up to 1: got 0"),
    ({"sample": True, "top_p": 1.1}, r"top_p must be a number above 0 and up to 1: got 1\.1"),
    ({"top_p": 0.5}, r"top_p works only with sample: got top_p 0\.5 without"),
    ({"temperature": 0.5}, r"temperature works only with sample: got temperature 0\.5 without"),
    ({"top_k": 5}, "top_k works only with sample: got top_k 5 without"),
    ({"seed": 7}, "seed works only with sample: got seed 7 without"),
    ({"sample": True, "beam": 2}, "sample follows one hypothesis and goes with no beam and no tree: got a beam of 2"),
    ({"sample": True, "tree": True}, "sample follows one hypothesis and goes with no beam and no tree: got tree"),
])
def test_settings_out_of_range_are_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        Settings(**given)


def test_the_greatest_length_counts_the_end_on_both_sides_and_has_a_floor() -> None:
    assert [Settings().max_target_length(pieces) for pieces in (1, 3, 4, 21)] == [10, 10, 12, 63]
    assert Settings(max_ratio=1.5).max_target_length(11) == 17


def test_scores() -> None:
    assert Settings(length_penalty="none").score(-6.0, 4) == -6.0
    assert Settings().score(-6.0, 4) == -1.5
    assert Settings(length_penalty="none").score_upper_bound(-6.0, 12) == -6.0
    assert Settings().score_upper_bound(-6.0, 12) == -0.5


def test_the_score_of_gnmt() -> None:
    # lp(7) = (12 / 6)^alpha
    assert Settings(length_penalty="gnmt", alpha=0.0).score(-6.0, 7) == -6.0
    assert Settings(length_penalty="gnmt", alpha=1.0).score(-6.0, 7) == -3.0
    assert Settings(length_penalty="gnmt", alpha=2.0).score(-6.0, 7) == -1.5
    assert Settings(length_penalty="gnmt").score(-6.0, 7) == pytest.approx(-6 / 2**0.6)
    assert Settings(length_penalty="gnmt", alpha=1.0, beta=0.5).score(-6.0, 7, -4.0) == -5.0
    assert Settings(length_penalty="gnmt", alpha=1.0, beta=0.5).score_upper_bound(-6.0, 13) == -2.0
    assert Settings(length_penalty="length").score(-6.0, 4, -4.0) == -1.5


def test_names_and_what_decides() -> None:
    assert (Settings().method, Settings(beam=2).method, Settings(sample=True).method) == ("greedy", "beam", "sampling")
    assert Settings(detail=True, candidates=0, tree=True).provenance == Settings().provenance
    greedy = {"beam": 1, "n_best": 1, "max_ratio": 3.0, "length_penalty": "length"}
    assert Settings().provenance == Settings(stop="beam").provenance == Settings(stop="exact").provenance == greedy
    assert Settings(beam=4, stop="beam").provenance == greedy | {"beam": 4, "stop": "beam"}
    assert Settings(length_penalty="gnmt", alpha=1, beta=0.25).provenance == greedy | {
        "length_penalty": "gnmt", "alpha": 1.0, "beta": 0.25}
    sampling = Settings(sample=True, temperature=2, top_k=9, seed=4)
    assert sampling.provenance == greedy | {"temperature": 2.0, "top_k": 9}
    assert replace(sampling, top_p=0.5).provenance == sampling.provenance | {"top_p": 0.5}


def test_settings_and_translating_are_imported_without_torch() -> None:
    code = "import sys, model.decoding.settings, model.decoding.translate; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
