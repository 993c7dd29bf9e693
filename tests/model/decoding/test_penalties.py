"""GNMT's penalties: coverage worked out by hand, the score out of the record itself, and models without attention."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from model.decoding import Settings, SettingsError, search
from model.decoding.forced_decoding import force_decode
from model.decoding.hypothesis import COVERAGE_FLOOR, compute_coverage
from model.networks.rnnsearch import Wiring
from tests.model.decoding.toy import EOS, random_toy
from tests.model.tiny import PAIRS, WIRINGS, build_tiny_network

COVERING: dict[str, Any] = {"length_penalty": "gnmt", "alpha": 0.5, "beta": 0.3}


def test_coverage_is_the_logarithm_of_what_was_looked_at() -> None:
    looks = np.array([[0.50, 0.25, 0.00, 0.25], [0.75, 0.00, 0.25, 0.00]])
    assert compute_coverage(looks) == pytest.approx(math.log(1.0) + math.log(0.25) + math.log(0.25))  # 1.25 counts as 1


def test_the_end_of_the_source_needs_no_cover_and_that_of_the_target_gives_some() -> None:
    assert compute_coverage(np.array([[1.0, 0.0]])) == 0.0
    assert compute_coverage(np.array([[1.0]])) == 0.0  # a source of nothing but its end
    before = np.array([[0.5, 0.5]])
    assert compute_coverage(np.vstack([before, [0.5, 0.5]])) == 0.0 > compute_coverage(before)


def test_a_piece_never_looked_at_costs_much_but_not_everything() -> None:
    assert compute_coverage(np.array([[0.0, 1.0, 0.0]])) == pytest.approx(math.log(COVERAGE_FLOOR))


def test_more_attention_never_lowers_coverage() -> None:
    generator = np.random.default_rng(2)
    for _ in range(50):
        looks = generator.dirichlet(np.full(6, 0.3), size=8)
        values = [compute_coverage(looks[:rows]) for rows in range(1, 9)]
        assert values == sorted(values)
        assert values[-1] <= 0.0


@pytest.mark.parametrize("given", [{}, {"beam": 4, "n_best": 4}, {"sample": True}])
@pytest.mark.parametrize("wiring", WIRINGS)
def test_the_score_is_that_of_the_recorded_attention(wiring: Wiring, given: dict[str, Any]) -> None:
    """In a batch with padding: what lies beyond a sentence's own end takes no part."""
    sources, covers = [source for source, _ in PAIRS], []
    network = build_tiny_network("rnnsearch", wiring)
    for source, found in zip(sources, search(network, sources, Settings(**COVERING, **given)), strict=True):
        for one in found:
            cover = 0.0
            for j in range(len(source) - 1):
                looked = sum(float(row[j]) for row in one.weights["attention"])
                cover += math.log(min(max(looked, COVERAGE_FLOOR), 1.0))
            expected = one.total_log_prob / ((5 + len(one.tokens)) / 6) ** 0.5 + 0.3 * cover
            assert one.score == pytest.approx(expected, abs=1e-12)
            covers.append(cover)
    assert min(covers) < -0.1


def test_a_forced_target_is_scored_alike() -> None:
    toy, source = random_toy(4), [5, 3, EOS]
    (one,) = search(toy, [source], Settings(**COVERING))[0]
    assert force_decode(toy, [source], [one.tokens], Settings(**COVERING))[0].score == one.score


@pytest.mark.parametrize("given", [{}, {"beam": 3}, {"beam": 3, "detail": True}, {"sample": True}])
def test_a_model_without_attention_has_no_coverage(given: dict[str, Any]) -> None:
    network = build_tiny_network("rnnencdec", "groundhog")
    message = r"beta must be 0 for a model without attention, which covers nothing: got 0\.3"
    with pytest.raises(SettingsError, match=message):
        search(network, [[3, EOS]], Settings(**COVERING, **given))
    with pytest.raises(SettingsError, match=message):
        force_decode(network, [[3, EOS]], [[EOS]], Settings(**COVERING))
    assert search(network, [[3, EOS]], Settings(**(COVERING | {"beta": 0.0}), **given))[0][0].score < 0
