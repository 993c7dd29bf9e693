"""Sampling: the distribution of the draws, its greedy limits, and its seeds."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence

import pytest
import torch
from hypothesis import assume, given
from hypothesis import settings as run
from hypothesis import strategies as st

from model.decoding import Settings, search
from model.decoding.sampling import draw_tokens, sample
from model.decoding.translate import MAX_SAMPLES, sample_translations, translate_sentence
from model.text.normalise import normalise
from tests.model.decoding.helpers import CALM, SEEDS, SOURCES, TinyModel, are_all_identical
from tests.model.decoding.toy import EOS, PAD, UNK, constant_toy, random_toy

MANY_SOURCES = [[*tokens, EOS] for tokens in itertools.product(range(3, 17), repeat=3)]  # 2,744 different ones


def compute_chi_square(counts: Sequence[float], expected: Sequence[float]) -> float:
    return sum((count - other) ** 2 / other for count, other in zip(counts, expected, strict=True))


def measure_shares(
    log_probs: list[float], temperature: float, top_k: int, points: int = 5_000, top_p: float = 1.0
) -> list[float]:
    """Return the share of evenly spaced quantiles that draw each token."""
    quantiles = (torch.arange(points, dtype=torch.float64) + 0.5) / points
    rows = torch.tensor(log_probs, dtype=torch.float64).expand(points, -1)
    counts = torch.bincount(draw_tokens(rows, quantiles, temperature, top_k, top_p), minlength=len(log_probs))
    return [count / points for count in counts.tolist()]


# ---- one draw ----------------------------------------------------------------------------------------------------


@given(st.lists(st.floats(-8, 0) | st.just(-math.inf), min_size=4, max_size=9), st.floats(0.2, 5), st.integers(0, 12),
       st.just(1.0) | st.floats(0.01, 0.99))
@run(CALM, max_examples=60)
def test_tokens_are_drawn_by_temperature_top_k_and_top_p(
    log_probs: list[float], temperature: float, top_k: int, top_p: float
) -> None:
    possible_tokens = [token for token in range(len(log_probs)) if token not in (PAD, UNK)]
    assume(any(math.isfinite(log_probs[token]) for token in possible_tokens))
    allowed = sorted(possible_tokens, key=lambda token: (-log_probs[token], token))[: top_k or None]
    powers = {token: math.exp(log_probs[token] / temperature) for token in allowed}
    kept_tokens: list[int] = []
    for token in allowed:  # most probable first
        reached = sum(powers[other] for other in kept_tokens) / sum(powers.values())
        assume(top_p == 1 or abs(reached - top_p) > 1e-9)
        if top_p < 1 and reached >= top_p:
            break
        kept_tokens.append(token)
    total = sum(powers[token] for token in kept_tokens)
    expected = [powers[token] / total if token in kept_tokens else 0.0 for token in range(len(log_probs))]
    assert measure_shares(log_probs, temperature, top_k, top_p=top_p) == pytest.approx(expected, abs=2e-3)


@given(st.lists(st.floats(-30, 0), min_size=4, max_size=9), st.integers(0, 4), st.floats(1e-12, 100))
@run(CALM, max_examples=30)
def test_extreme_quantiles_draw_allowed_tokens(log_probs: list[float], top_k: int, temperature: float) -> None:
    quantiles = torch.tensor([0.0, math.nextafter(1.0, 0.0)], dtype=torch.float64)
    tokens = draw_tokens(torch.tensor([log_probs] * 2, dtype=torch.float64), quantiles, temperature, top_k).tolist()
    ranked = sorted((-log_probs[token], token) for token in range(len(log_probs)) if token not in (PAD, UNK))
    assert set(tokens) <= {token for _, token in ranked[: top_k or None]}
    assert tokens[0] <= tokens[1]


# ---- whole translations ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_one_sentence", [False, True], ids=["many sentences", "one sentence"])
def test_translations_are_drawn_by_their_probabilities(is_one_sentence: bool) -> None:
    toy = random_toy(6, codes=1, end=0.5)  # with one code, a token depends on the previous one alone
    sources = [[3, 5, EOS]] * len(MANY_SOURCES) if is_one_sentence else MANY_SOURCES
    sample_indices = list(range(len(sources))) if is_one_sentence else None
    settings = Settings(sample=True, candidates=0)
    results = sample(toy, sources, settings, [()] * len(sources), sample_indices=sample_indices)
    counts = Counter(hypothesis.tokens[:3] for (hypothesis,) in results)
    table = torch.log_softmax(toy.table[0].index_fill(1, torch.tensor([PAD, UNK]), -math.inf), dim=1).exp().numpy()
    probabilities: dict[tuple[int, ...], float] = {(): 1.0}
    for _ in range(3):
        finished = {tokens: value for tokens, value in probabilities.items() if EOS in tokens}
        probabilities = finished | {
            (*tokens, token): value * float(table[tokens[-1] if tokens else PAD, token])
            for tokens, value in probabilities.items() if EOS not in tokens for token in (EOS, 3, 4)}
    assert sum(probabilities.values()) == pytest.approx(1.0)
    assert counts.keys() <= probabilities.keys()
    frequent = [tokens for tokens, value in probabilities.items() if value * len(sources) >= 5]
    assert len(frequent) >= 8
    expected = [probabilities[tokens] * len(sources) for tokens in frequent]
    assert compute_chi_square([counts[tokens] for tokens in frequent], expected) < 2.5 * len(frequent) + 10


@given(SEEDS, SOURCES, st.integers(0, 2**63 - 1))
@run(CALM, max_examples=30)
def test_temperature_near_zero_and_top_k_of_one_are_greedy_search(
    seed: int, sources: list[list[int]], sampling_seed: int
) -> None:
    toy = random_toy(seed)
    greedy = search(toy, sources)
    for options in ({"temperature": 1e-9}, {"top_k": 1}):
        settings = Settings(sample=True, seed=sampling_seed, **options)
        assert are_all_identical(search(toy, sources, settings), greedy)


# ---- seeds -------------------------------------------------------------------------------------------------------


@given(SEEDS, SOURCES, st.integers(0, 2**63 - 1), st.floats(0.3, 3), st.integers(0, 3))
@run(CALM, max_examples=30)
def test_draw_does_not_depend_on_the_batch(
    seed: int, sources: list[list[int]], sampling_seed: int, temperature: float, top_k: int
) -> None:
    toy = random_toy(seed, end=-1.0)
    settings = Settings(sample=True, temperature=temperature, top_k=top_k, seed=sampling_seed)
    batch_results = search(toy, sources, settings)
    assert are_all_identical(batch_results, [search(toy, [source], settings)[0] for source in sources])
    assert are_all_identical(batch_results[::-1], search(toy, sources[::-1], settings))
    for source, (hypothesis,) in zip(sources, batch_results, strict=True):  # probabilities before temperature and top_k
        steps = zip(toy.recompute(source, hypothesis.tokens), hypothesis.tokens, strict=True)
        assert hypothesis.log_probs == tuple(float(log_probs[token]) for (log_probs, _, _), token in steps)


def test_other_seeds_and_other_sentences_give_other_draws() -> None:
    toy = constant_toy([0, 1e-6, 0, *[0.1] * 10])
    draws = [search(toy, [[3, EOS]], Settings(sample=True, seed=seed))[0][0].tokens for seed in range(20)]
    assert len(set(draws)) == 20
    results = search(toy, MANY_SOURCES[:20], Settings(sample=True))
    assert len({hypothesis.tokens for (hypothesis,) in results}) == 20


def test_several_samples_repeat_with_the_seed_and_begin_with_that_of_search(model: TinyModel) -> None:
    text, settings = normalise("The grey cat sleeps."), Settings(sample=True, seed=7, max_ratio=1.0)
    texts = [trace.target.text for trace in sample_translations(model, text, settings, 5)]
    single_trace = translate_sentence(model, text, settings)
    assert (single_trace.provenance.search, single_trace.provenance.seed) == ("sampling", 7)
    assert texts[0] == single_trace.target.text
    assert [trace.target.text for trace in sample_translations(model, text, settings, 3)] == texts[:3]
    assert len(set(texts)) > 1
    for count in (0, MAX_SAMPLES + 1):
        with pytest.raises(ValueError, match=f"From 1 to {MAX_SAMPLES}"):
            sample_translations(model, text, settings, count)
    with pytest.raises(ValueError, match="greedy"):
        sample_translations(model, text, Settings(), 3)
