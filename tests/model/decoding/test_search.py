"""Greedy and beam search with a toy translator, compared with enumeration and recomputation."""

from __future__ import annotations

import itertools
import math
from contextlib import nullcontext
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st

from model.decoding import Settings, search
from model.decoding import settings as settings_module
from model.decoding.batch_decoder import select_top_k
from model.decoding.beam import Beam, search_with_beam
from model.decoding.fast.background_compile import disable_kernels
from model.decoding.greedy import search_greedily
from model.decoding.settings import StopRule
from tests.model.decoding.helpers import (
    CALM,
    PENALTIES,
    SEEDS,
    SOURCES,
    STOPS,
    are_all_identical,
    enumerate_targets,
)
from tests.model.decoding.toy import EOS, PAD, UNK, Toy, constant_toy, random_toy


@pytest.mark.verdict
@given(SEEDS, PENALTIES, st.lists(st.sampled_from([3, 4]), max_size=3), st.integers(1, 40))
@run(CALM, max_examples=50)
def test_beam_with_room_for_everything_is_exhaustive(
    seed: int, penalty: dict[str, Any], prefix: list[int], n_best: int
) -> None:
    toy, source, max_length = random_toy(seed), [4, 3, EOS], 5
    settings = Settings(beam=60, n_best=n_best, max_ratio=0.1, **penalty)
    with mock.patch.object(settings_module, "MIN_TARGET_LIMIT", max_length):
        hypotheses = search(toy, [source], settings, [prefix])[0]
    expected = [(target, score) for target, score in enumerate_targets(toy, source, max_length, settings)
                if list(target[: len(prefix)]) == prefix and len(target) > len(prefix)][:n_best]
    assert [hypothesis.tokens for hypothesis in hypotheses] == [target for target, _ in expected]
    assert [hypothesis.score for hypothesis in hypotheses] == pytest.approx([score for _, score in expected], abs=1e-12)
    assert [hypothesis.is_finished for hypothesis in hypotheses] == [target[-1] == EOS for target, _ in expected]


@pytest.mark.verdict
@given(SEEDS, SOURCES, st.floats(-2, 3), PENALTIES, st.integers(0, 3),
       st.lists(st.sampled_from([UNK, 3, 4]), max_size=6))
@run(CALM, max_examples=40)
def test_beam_of_one_is_greedy_search(
    seed: int, sources: list[list[int]], end: float, penalty: dict[str, Any], candidates: int, prefix: list[int]
) -> None:
    toy, settings = random_toy(seed, end=end), Settings(candidates=candidates, **penalty)
    prefixes = [prefix] * (len(sources) - 1) + [[]]
    greedy = search_greedily(toy, sources, settings, prefixes)
    assert are_all_identical(search_with_beam(toy, sources, settings, prefixes), greedy)
    for source, forced, (hypothesis,) in zip(sources, prefixes, greedy, strict=True):
        assert list(hypothesis.tokens[: len(forced)]) == forced
        assert all(len(step_candidates) == min(candidates, 3) for step_candidates in hypothesis.candidates)
        for index, (log_probs, _, _) in enumerate(toy.recompute(source, hypothesis.tokens)):
            assert hypothesis.log_probs[index] == log_probs[hypothesis.tokens[index]]
            assert index < len(forced) or hypothesis.log_probs[index] == np.delete(log_probs, [PAD, UNK]).max()


# ---- when a beam stops -------------------------------------------------------------------------------------------


@given(SEEDS, st.floats(-2, 2), PENALTIES, STOPS, st.integers(2, 5), st.integers(1, 5))
@run(CALM, max_examples=60)
def test_early_stopping_changes_no_result(
    seed: int, end: float, penalty: dict[str, Any], stop: StopRule, width: int, n_best: int
) -> None:
    toy, sources = random_toy(seed, end=end), [[5, 3, EOS], [4, 4, 8, 9, EOS]]
    settings = Settings(beam=width, n_best=min(n_best, width), stop=stop, **penalty)
    early_results = search(toy, sources, settings)
    step_count = len(toy.batch_sizes)
    with mock.patch.object(Beam, "can_improve", return_value=True):
        assert are_all_identical(search(toy, sources, settings), early_results)
    assert step_count <= len(toy.batch_sizes) - step_count


@pytest.mark.parametrize(("penalty", "step_count"), [
    ({"length_penalty": "none"}, 1), ({"length_penalty": "length"}, 3), ({"length_penalty": "gnmt", "alpha": 2.0}, 2),
    ({"length_penalty": "gnmt", "alpha": 0.5}, 1), ({"length_penalty": "length", "stop": "beam"}, 2)])
def test_search_stops_as_soon_as_no_live_hypothesis_can_win(penalty: dict[str, Any], step_count: int) -> None:
    # Ending at once scores log 0.8 = -0.22. Without a penalty log 0.2 cannot win; with it log(0.2) / 15 = -0.11 and
    # log(0.04) / 15 = -0.21 can, log(0.008) / 15 = -0.32 cannot. (3 * 5 tokens are allowed.) With lp(15) = (20 / 6)^2
    # = 11.1, log(0.2) / 11.1 = -0.14 can, log(0.04) / 11.1 = -0.29 cannot; nor can log(0.2) / (20 / 6)^0.5 = -0.88.
    # With stop="beam" the second of two hypotheses has finished after two steps.
    toy = constant_toy([0, 0.8, 0, 0.2])
    assert search(toy, [[3, 3, 3, 3, EOS]], Settings(beam=2, **penalty))[0][0].tokens == (EOS,)
    assert len(toy.batch_sizes) == step_count


# ---- the record of a hypothesis, and the batch -------------------------------------------------------------------


@pytest.mark.parametrize("detail", [False, True])
@given(SEEDS, SOURCES, st.floats(-2, 1), st.integers(1, 5))
@run(CALM, max_examples=20)
def test_state_weights_candidates_and_detail_follow_their_hypothesis(
    detail: bool, seed: int, sources: list[list[int]], end: float, width: int
) -> None:
    toy = random_toy(seed, vocabulary=9, end=end, spread=0.7)  # nearly uniform, so that the beam often reorders
    settings = Settings(beam=width, n_best=width, candidates=4, detail=detail)
    allowed = [token for token in range(9) if token not in (PAD, UNK)]
    for source, hypotheses in zip(sources, search(toy, sources, settings), strict=True):
        for hypothesis in hypotheses:
            assert (hypothesis.detail is not None) == detail
            for index, (log_probs, weights, code) in enumerate(toy.recompute(source, hypothesis.tokens)):
                assert hypothesis.log_probs[index] == log_probs[hypothesis.tokens[index]]
                np.testing.assert_allclose(hypothesis.weights["attention"][index], weights, rtol=1e-12)
                ranked = sorted(allowed, key=lambda token: (-log_probs[token], token))[:4]
                assert hypothesis.candidates[index] == tuple((token, float(log_probs[token])) for token in ranked)
                assert hypothesis.detail is None or hypothesis.detail["code"][index].tolist() == [code]
            assert hypothesis.weights["attention"].shape == (len(hypothesis.tokens), len(source))
            assert hypothesis.total_log_prob == sum(hypothesis.log_probs)
            assert hypothesis.score == hypothesis.total_log_prob / len(hypothesis.tokens)


@pytest.mark.verdict
@given(SEEDS, SOURCES, st.floats(-2, 2), PENALTIES, STOPS, st.sampled_from([(1, 1), (3, 2), (5, 5)]))
@run(CALM, max_examples=40)
def test_results_do_not_depend_on_the_batch(
    seed: int, sources: list[list[int]], end: float, penalty: dict[str, Any], stop: StopRule, sizes: tuple[int, int]
) -> None:
    toy = random_toy(seed, end=end)
    settings = Settings(beam=sizes[0], n_best=sizes[1], stop=stop, tree=sizes[0] == 3, **penalty)
    batch_results = search(toy, sources, settings)
    assert are_all_identical(batch_results, [search(toy, [source], settings)[0] for source in sources])
    assert are_all_identical(batch_results[::-1], search(toy, sources[::-1], settings))
    assert search(toy, [], settings) == []


@pytest.mark.parametrize("width", [1, 4])
def test_finished_sentences_leave_the_batch(width: int) -> None:
    toy, settings = random_toy(5, codes=50), Settings(beam=width)
    sources = [[token, 3, EOS] for token in range(3, 12)]
    search(toy, sources, settings)
    batch_sizes, single_sizes = toy.batch_sizes.copy(), []
    for source in sources:
        toy.batch_sizes.clear()
        search(toy, [source], settings)
        single_sizes.append(toy.batch_sizes.copy())
    assert batch_sizes == [sum(rows) for rows in itertools.zip_longest(*single_sizes, fillvalue=0)]
    assert len({len(rows) for rows in single_sizes}) > 2  # they end at different times


# ---- maximal length, forbidden tokens and ties -------------------------------------------------------------------


def test_hypotheses_of_maximal_length_are_unfinished_and_come_last() -> None:
    toy = constant_toy([0, 1e-9, 0, 0.6, 0.4])
    short, long = search(toy, [[3, EOS], [3] * 6 + [EOS]], Settings(max_ratio=2.5))
    assert (short[0].tokens, long[0].tokens) == ((3,) * 10, (3,) * 18)  # max(10, 5) and ceil(2.5 * 7)
    assert not short[0].is_finished
    mixed = search(toy, [[3, EOS]], Settings(beam=3, n_best=2))[0]
    assert [(hypothesis.is_finished, len(hypothesis.tokens)) for hypothesis in mixed] == [(True, 1), (False, 10)]
    assert mixed[0].score < mixed[1].score
    unfinished = search(constant_toy([0, 0, 0, 0.6, 0.4]), [[3, EOS]], Settings(beam=3, n_best=3))[0]
    assert [(hypothesis.is_finished, len(hypothesis.tokens)) for hypothesis in unfinished] == [(False, 10)] * 3


def test_ties_go_to_the_lowest_token_and_the_better_parent() -> None:
    toy = constant_toy([0, 0.1, 0, 0.225, 0.225, 0.225, 0.225])
    assert search(toy, [[3, EOS]])[0][0].tokens == (3,) * 10
    hypotheses = search(toy, [[3, EOS]], Settings(beam=3, n_best=3, candidates=3))[0]
    assert all(step_candidates == ((3, math.log(0.225)), (4, math.log(0.225)), (5, math.log(0.225)))
               for hypothesis in hypotheses for step_candidates in hypothesis.candidates)
    live = search(constant_toy([0, 0, 0, 0.5, 0.5]), [[3, EOS]], Settings(beam=4, n_best=4))[0]
    assert [hypothesis.tokens[-2:] for hypothesis in live] == [(3, 3), (3, 4), (4, 3), (4, 4)]


@pytest.mark.parametrize("uses_kernels", [True, False])
@pytest.mark.parametrize(("columns", "count"), [(1, 3), (6, 6), (63, 5), (130, 20), (1000, 1), (1024, 12), (3001, 40)])
def test_top_k_equals_a_stable_sort(columns: int, count: int, uses_kernels: bool) -> None:
    scores = torch.randn(4, columns, generator=torch.Generator().manual_seed(columns + count))
    scores[1] = scores[1].round()  # many ties
    scores[2, : columns // 2] = -math.inf
    values, order = scores.sort(dim=1, descending=True, stable=True)
    with nullcontext() if uses_kernels else disable_kernels():
        best_values, best_columns = select_top_k(scores, count)
        assert torch.equal(best_values, values[:, :count])
        assert torch.equal(best_columns, order[:, :count])
        for column in {0, columns // 2, columns - 1}:
            with_nan = scores.clone()
            with_nan[1, column] = math.nan
            assert select_top_k(with_nan, count)[0][:, 0].isnan().tolist() == [False, True, False, False]


# ---- errors ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", [[], [3, 4], [3, PAD, EOS]])
def test_invalid_source_is_refused(source: list[int]) -> None:
    with pytest.raises(ValueError, match="ends in EOS"):
        search(random_toy(1), [[3, EOS], source])


@pytest.mark.parametrize("width", [1, 3])
def test_nan_log_probabilities_are_an_error(width: int) -> None:
    with pytest.raises(ValueError, match="may be damaged"):
        search(Toy(torch.full((1, 5, 5), math.nan)), [[3, EOS]], Settings(beam=width))


@pytest.mark.parametrize("options", [{}, {"beam": 3, "n_best": 2}, {"sample": True}])
def test_invalid_prefixes_are_refused(options: dict[str, Any]) -> None:
    toy, settings = constant_toy([0.0, 0.5, 0.0, 0.5, 0.0]), Settings(**options)
    assert len(search(toy, [[3, EOS]], settings, [[3] * 9])[0][0].tokens) == 10
    for sources, prefixes, message in (
        ([[3, EOS]], [[3] * 10], "leave something to search for: got 10 tokens where a target may have 10"),
        ([[3, EOS]], [[PAD]], r"A prefix is a list of token ids without PAD \(0\) and EOS \(1\): got"),
        ([[3, EOS]], [[3, EOS]], r"A prefix is a list of token ids without PAD \(0\) and EOS \(1\): got"),
        ([[3, EOS], [EOS]], [[3]], "got 2 sources and 1 prefixes"),
        ([[EOS], [3, EOS]], [[], [3, 4]], "gives the token 4 at step 2 no usable log-probability: got -inf"),
        ([[EOS]], [[5]], "Token 5 is not in the network's vocabulary of 5 tokens"),
        ([[EOS]], [[-1]], "Token -1 is not in the network's vocabulary of 5 tokens"),
    ):
        with pytest.raises(ValueError, match=message):
            search(toy, sources, settings, prefixes)
