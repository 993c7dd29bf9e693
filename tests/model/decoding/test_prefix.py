"""Prefixes: given first tokens are forced, and every kind of search goes on from there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st

from model.decoding import Settings, search
from model.decoding.forced_decoding import force_decode
from tests.model.decoding.helpers import CALM, SEEDS, SOURCES, are_all_identical
from tests.model.decoding.toy import EOS, PAD, UNK, constant_toy, random_toy

OPTIONS: list[dict[str, Any]] = [
    {}, {"beam": 3, "n_best": 2}, {"beam": 4, "n_best": 4, "stop": "beam"}, {"sample": True}]
PREFIX = st.lists(st.sampled_from([UNK, 3, 4]), max_size=6)


@given(SEEDS, SOURCES, st.sampled_from(OPTIONS), st.booleans(), st.data())
@run(CALM, max_examples=50)
def test_prefix_is_forced_and_the_rest_is_searched_for(
    seed: int, sources: list[list[int]], options: dict[str, Any], detail: bool, data: st.DataObject
) -> None:
    toy, settings = random_toy(seed), Settings(candidates=2, detail=detail, **options)
    prefixes = [data.draw(PREFIX) for _ in sources]
    results = search(toy, sources, settings, prefixes)
    assert are_all_identical(results, [search(toy, [source], settings, [prefix])[0]
                                       for source, prefix in zip(sources, prefixes, strict=True)])
    for source, prefix, hypotheses in zip(sources, prefixes, results, strict=True):
        assert 1 <= len(hypotheses) <= settings.n_best
        for hypothesis in hypotheses:
            assert list(hypothesis.tokens[: len(prefix)]) == prefix
            assert len(hypothesis.tokens) > len(prefix)
            assert UNK not in hypothesis.tokens[len(prefix) :]
            steps = toy.recompute(source, hypothesis.tokens)
            assert hypothesis.log_probs == tuple(
                float(log_probs[token]) for (log_probs, _, _), token in zip(steps, hypothesis.tokens, strict=True))
            np.testing.assert_allclose(hypothesis.weights["attention"], [weights for _, weights, _ in steps])
            assert hypothesis.detail is None or hypothesis.detail["code"][:, 0].tolist() == [code for *_, code in steps]
        if prefix:
            (forced,) = force_decode(toy, [source], [prefix], settings)
            assert hypotheses[0].log_probs[: len(prefix)] == forced.log_probs
            assert hypotheses[0].candidates[: len(prefix)] == forced.candidates


@given(SEEDS, SOURCES, st.data())
@run(CALM, max_examples=30)
def test_greedy_search_from_a_prefix_of_its_own_result_gives_the_same_result(
    seed: int, sources: list[list[int]], data: st.DataObject
) -> None:
    toy = random_toy(seed)
    results = search(toy, sources)
    prefixes = [hypothesis.tokens[: data.draw(st.integers(0, len(hypothesis.tokens) - 1))] for (hypothesis,) in results]
    assert are_all_identical(search(toy, sources, None, prefixes), results)


@pytest.mark.parametrize("options", OPTIONS)
def test_invalid_prefixes_are_refused(options: dict[str, Any]) -> None:
    toy, settings = constant_toy([0.0, 0.5, 0.0, 0.5, 0.0]), Settings(**options)
    assert len(search(toy, [[3, EOS]], settings, [[3] * 9])[0][0].tokens) == 10
    for sources, prefixes, message in (
        ([[3, EOS]], [[3] * 10], "leave something to search for: got 10 pieces where a target may have 10"),
        ([[3, EOS]], [[PAD]], r"A prefix is a list of piece ids without PAD \(0\) and EOS \(1\): got"),
        ([[3, EOS]], [[3, EOS]], r"A prefix is a list of piece ids without PAD \(0\) and EOS \(1\): got"),
        ([[3, EOS], [EOS]], [[3]], "got 2 sources and 1 prefixes"),
        ([[EOS], [3, EOS]], [[], [3, 4]], "gives the piece 4 at step 2 no usable log-probability: got -inf"),
        ([[EOS]], [[5]], "Piece 5 is not in the network's vocabulary of 5 pieces"),
        ([[EOS]], [[-1]], "Piece -1 is not in the network's vocabulary of 5 pieces"),
    ):
        with pytest.raises(ValueError, match=message):
            search(toy, sources, settings, prefixes)
