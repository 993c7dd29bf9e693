"""Search settings: what they allow, how they score, and coverage."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from model.decoding import Settings, SettingsError, search
from model.decoding.forced_decoding import force_decode
from model.decoding.hypothesis import COVERAGE_FLOOR, compute_coverage_penalty
from tests.model.decoding.toy import EOS
from tests.model.networks.tiny_networks import NETWORKS
from tests.model.tiny import PAIRS, build_tiny_network

GNMT: dict[str, Any] = {"length_penalty": "gnmt"}
SAMPLE: dict[str, Any] = {"sample": True}
COVERAGE = GNMT | {"alpha": 0.5, "beta": 0.3}


@pytest.mark.parametrize(("options", "message"), [
    ({"beam": 0}, "beam must be a whole number from 1 to 100: got 0"),
    ({"beam": 101}, "got 101"), ({"beam": 2.0}, r"got 2\.0"), ({"beam": True}, "got True"),
    ({"beam": 3, "n_best": 4}, r"n_best must be a whole number from 1 to 3 \(the beam is 3\): got 4"),
    ({"candidates": -1}, "candidates must be a whole number from 0 to 100: got -1"),
    ({"max_ratio": 0}, "max_ratio must be a number above 0 and up to 100: got 0"),
    ({"max_ratio": float("nan")}, "got nan"), ({"max_ratio": "3"}, "got '3'"),
    ({"length_penalty": "GNMT"}, "length_penalty must be \"none\" or \"length\" or \"gnmt\": got 'GNMT'"),
    ({"stop": "soon"}, "stop must be \"exact\" or \"beam\": got 'soon'"),
    ({"detail": 1}, "detail must be true or false: got 1"),
    (GNMT | {"alpha": -0.1}, r"alpha must be a number from 0 to 10: got -0\.1"),
    (GNMT | {"beta": 11}, "beta must be a number from 0 to 10: got 11"),
    ({"alpha": 0.2}, r'alpha works only with length_penalty "gnmt": got alpha 0\.2 without'),
    ({"length_penalty": "none", "beta": 0.2}, r'beta works only with length_penalty "gnmt": got beta 0\.2 without'),
    (SAMPLE | {"temperature": 0}, "temperature must be a number above 0 and up to 100: got 0"),
    (SAMPLE | {"top_k": -1}, "top_k must be a whole number from 0 to 1000000: got -1"),
    (SAMPLE | {"seed": -1}, "seed must be a whole number from 0 to 9223372036854775807: got -1"),
    (SAMPLE | {"seed": 2**63}, "got 9223372036854775808"),
    (SAMPLE | {"top_p": 1.1}, r"top_p must be a number above 0 and up to 1: got 1\.1"),
    ({"top_p": 0.5}, r"top_p works only with sample: got top_p 0\.5 without"),
    ({"temperature": 0.5}, r"temperature works only with sample: got temperature 0\.5 without"),
    ({"top_k": 5}, "top_k works only with sample: got top_k 5 without"),
    ({"seed": 7}, "seed works only with sample: got seed 7 without"),
    (SAMPLE | {"beam": 2}, "sample follows one hypothesis and goes with no beam and no tree: got a beam of 2"),
    (SAMPLE | {"tree": True}, "sample follows one hypothesis and goes with no beam and no tree: got tree"),
])
def test_invalid_settings_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        Settings(**options)


def test_maximal_target_length() -> None:
    assert [Settings().compute_max_target_length(length) for length in (1, 3, 4, 21)] == [10, 10, 12, 63]
    assert Settings(max_ratio=1.5).compute_max_target_length(11) == 17


def test_scores() -> None:
    assert Settings(length_penalty="none").score(-6.0, 4) == -6.0
    assert Settings().score(-6.0, 4) == Settings().score(-6.0, 4, -4.0) == -1.5
    assert Settings(length_penalty="none").compute_score_upper_bound(-6.0, 12) == -6.0
    assert Settings().compute_score_upper_bound(-6.0, 12) == -0.5
    for alpha, expected in ((0.0, -6.0), (1.0, -3.0), (2.0, -1.5)):  # lp(7) = (12 / 6)^alpha
        assert Settings(**GNMT, alpha=alpha).score(-6.0, 7) == expected
    assert Settings(**GNMT).score(-6.0, 7) == pytest.approx(-6 / 2**0.6)
    assert Settings(**GNMT, alpha=1.0, beta=0.5).score(-6.0, 7, -4.0) == -5.0
    assert Settings(**GNMT, alpha=1.0, beta=0.5).compute_score_upper_bound(-6.0, 13) == -2.0


def test_method_and_trace_settings_hold_what_decides_the_result() -> None:
    assert (Settings().method, Settings(beam=2).method, Settings(sample=True).method) == ("greedy", "beam", "sampling")
    assert Settings(detail=True, candidates=0, tree=True).trace_settings == Settings().trace_settings
    greedy = {"beam": 1, "n_best": 1, "max_ratio": 3.0, "length_penalty": "length"}
    assert Settings().trace_settings == Settings(stop="beam").trace_settings == greedy
    assert Settings(beam=4, stop="beam").trace_settings == greedy | {"beam": 4, "stop": "beam"}
    assert Settings(**GNMT, alpha=1, beta=0.25).trace_settings == greedy | GNMT | {"alpha": 1.0, "beta": 0.25}
    sampling = Settings(sample=True, temperature=2, top_k=9, seed=4)
    assert sampling.trace_settings == greedy | {"temperature": 2.0, "top_k": 9}
    assert replace(sampling, top_p=0.5).trace_settings == sampling.trace_settings | {"top_p": 0.5}
    assert sampling.search_record == {"name": "sampling", **sampling.trace_settings, "seed": 4}
    assert Settings().search_record == {"name": "greedy", **greedy}


def test_settings_and_translate_are_imported_without_torch() -> None:
    code = "import sys, model.decoding.settings, model.decoding.translate; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


# ---- coverage ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("attention", "expected"), [
    ([[0.50, 0.25, 0.00, 0.25], [0.75, 0.00, 0.25, 0.00]], 2 * math.log(0.25)),  # 1.25 counts as 1
    ([[1.0, 0.0]], 0.0),  # EOS of the source needs no coverage
    ([[1.0]], 0.0),
    ([[0.5, 0.5], [0.5, 0.5]], 0.0),  # attention of the target's EOS counts
    ([[0.0, 1.0, 0.0]], math.log(COVERAGE_FLOOR)),
])
def test_coverage(attention: list[list[float]], expected: float) -> None:
    assert compute_coverage_penalty(np.array(attention)) == pytest.approx(expected)


@pytest.mark.parametrize(("name", "main_map", "options"), [
    ("rnnsearch, equation4", "attention", {}), ("rnnsearch, groundhog", "attention", {"sample": True}),
    ("transformer, post", "cross-attention-l2", {"beam": 4, "n_best": 4}),
])
def test_score_uses_the_recorded_main_map_without_padding(name: str, main_map: str, options: dict[str, Any]) -> None:
    sources, penalties = [source for source, _ in PAIRS], []
    network = NETWORKS[name]()
    for source, hypotheses in zip(sources, search(network, sources, Settings(**COVERAGE, **options)), strict=True):
        for hypothesis in hypotheses:
            sums = [sum(float(row[j]) for row in hypothesis.weights[main_map]) for j in range(len(source) - 1)]
            coverage = sum(math.log(min(max(total, COVERAGE_FLOOR), 1.0)) for total in sums)
            expected = hypothesis.total_log_prob / ((5 + len(hypothesis.tokens)) / 6) ** 0.5 + 0.3 * coverage
            assert hypothesis.score == pytest.approx(expected, abs=1e-12)
            penalties.append(coverage)
    assert min(penalties) < -0.1


@pytest.mark.parametrize("options", [{}, {"beam": 3}, {"sample": True}])
def test_coverage_is_refused_without_attention(options: dict[str, Any]) -> None:
    network = build_tiny_network("rnnencdec", "groundhog")
    message = r"beta must be 0 for a model without attention, which covers nothing: got 0\.3"
    with pytest.raises(SettingsError, match=message):
        search(network, [[3, EOS]], Settings(**COVERAGE, **options))
    with pytest.raises(SettingsError, match=message):
        force_decode(network, [[3, EOS]], [[EOS]], Settings(**COVERAGE))
    assert search(network, [[3, EOS]], Settings(**(COVERAGE | {"beta": 0.0}), **options))[0][0].score < 0
