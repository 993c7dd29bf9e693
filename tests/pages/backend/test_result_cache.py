"""Cached results are bounded by number and by memory."""

from dataclasses import replace

import numpy as np

from model.trace import WeightMap
from pages.ui.backend.result_cache import ResultCache, estimate_bytes
from tests.traces import make_trace


def test_the_least_recently_used_results_are_dropped_first() -> None:
    cache = ResultCache(3, 1000)
    for key in ("a", "b", "c"):
        cache.store(key, key)
    assert cache.find("a") == (True, "a")
    cache.store("d", "d")
    assert [cache.find(key)[0] for key in "abcd"] == [True, False, True, True]


def test_results_beyond_the_memory_limit_are_dropped_but_the_newest_stays() -> None:
    cache = ResultCache(100, 2000)
    for key in ("a", "b", "a", "c"):
        cache.store(key, (np.zeros(100),))
    assert [cache.find(key)[0] for key in "abc"] == [True, False, True]
    cache.store("d", np.zeros(1000))  # alone larger than the limit
    assert [cache.find(key)[0] for key in "abcd"] == [False, False, False, True]
    cache.store("e", np.zeros(1))
    assert [cache.find(key)[0] for key in "de"] == [False, True]


def test_the_size_of_a_result_counts_maps_details_and_steps() -> None:
    trace = make_trace()
    weights = trace.maps[0].values
    heads = tuple(WeightMap("attention", weights, head=head) for head in range(1, 51))
    steps = estimate_bytes(replace(trace, maps=(), displayed_map_key=None))
    assert steps > 100 * sum(1 + len(step.candidates) for step in trace.steps)
    assert estimate_bytes(trace) == steps + weights.nbytes
    trace_with_heads = replace(trace, maps=heads, displayed_map_key="attention-h1")
    assert estimate_bytes({"needs": [trace_with_heads, (trace,)]}) == 2 * steps + 51 * weights.nbytes
    assert estimate_bytes(replace(trace, detail={"energies": weights})) == estimate_bytes(trace) + weights.nbytes
    assert estimate_bytes("text") == 0
