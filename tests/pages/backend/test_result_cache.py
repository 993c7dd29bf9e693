"""What a server keeps of what it worked out: as much as it may, whatever each result takes."""

from dataclasses import replace

import numpy as np

from model.trace import WeightMap
from pages.ui.backend.result_cache import ResultCache, estimate_bytes
from pages.ui.backend.service import MAX_RESULT_BYTES, MAX_RESULTS
from tests.pages.traces import make_trace


def test_so_many_are_kept_and_those_asked_for_last() -> None:
    kept = ResultCache()
    for key in ("a", "b", "c"):
        kept.store(key, key, 3, MAX_RESULT_BYTES)
    assert kept.find("a") == (True, "a")
    kept.store("d", "d", 3, MAX_RESULT_BYTES)
    assert [kept.find(key)[0] for key in "abcd"] == [True, False, True, True]


def test_what_takes_much_memory_goes_before_there_are_so_many() -> None:
    kept = ResultCache()
    for key in ("a", "b", "a", "c"):
        kept.store(key, (np.zeros(100),), MAX_RESULTS, 2000)
    assert [kept.find(key)[0] for key in "abc"] == [True, False, True]
    kept.store("d", np.zeros(1000), MAX_RESULTS, 2000)  # too large for company, and kept all the same
    assert [kept.find(key)[0] for key in "abcd"] == [False, False, False, True]
    kept.store("e", np.zeros(1), MAX_RESULTS, 2000)
    assert [kept.find(key)[0] for key in "de"] == [False, True]


def test_a_result_takes_what_its_maps_take() -> None:
    """Of a model with many heads a long sentence has some fifty maps of some hundred pieces each way."""
    one = make_trace()
    (first,) = one.maps
    many = replace(one, maps=tuple(WeightMap("attention", first.values, head=head) for head in range(1, 51)),
                   shown="attention-h1")  # fmt: skip
    steps = estimate_bytes(replace(one, maps=(), shown=None))
    assert steps > 100 * sum(1 + len(step.candidates) for step in one.steps)
    assert estimate_bytes(one) == steps + first.values.nbytes
    assert estimate_bytes((many, one)) == 2 * steps + 51 * first.values.nbytes
    assert estimate_bytes(replace(one, detail={"energies": first.values})) == estimate_bytes(one) + first.values.nbytes
    assert estimate_bytes({"needs": [many]}) == estimate_bytes(many)
    assert estimate_bytes("text") == 0
