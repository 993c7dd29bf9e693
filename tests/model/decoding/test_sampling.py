"""Sampling: the distribution that is drawn from, its two limits, and seeds that depend on nothing but the sentence."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import settings as run
from hypothesis import strategies as st

from model.decoding import Settings, search
from model.decoding.sampling import draw_tokens
from model.networks.rnnsearch import Wiring
from tests.model.decoding.test_search import CALM, SEEDS, SOURCES, all_same
from tests.model.decoding.toy import EOS, PAD, UNK, constant_toy, random_toy
from tests.model.tiny import KINDS_AND_WIRINGS, PAIRS, build_tiny_network

ALL = [[*pieces, EOS] for pieces in itertools.product(range(3, 17), repeat=3)]  # 2,744 different sources


def chi_square(counts: Sequence[float], expected: Sequence[float]) -> float:
    return sum((one - other) ** 2 / other for one, other in zip(counts, expected, strict=True))


def shares(
    log_probabilities: list[float], temperature: float, top_k: int, points: int = 5_000, top_p: float = 1.0
) -> list[float]:
    """What share of evenly spaced points falls on each piece."""
    at = (torch.arange(points, dtype=torch.float64) + 0.5) / points
    rows = torch.tensor(log_probabilities, dtype=torch.float64).expand(points, -1)
    counts = torch.bincount(draw_tokens(rows, at, temperature, top_k, top_p), minlength=len(log_probabilities))
    return [count / points for count in counts.tolist()]


# ---- one draw ---------------------------------------------------------------------------------------------------


@given(st.lists(st.floats(-8, 0), min_size=4, max_size=9), st.floats(0.2, 5), st.integers(0, 12))
@run(CALM, max_examples=30)
def test_each_piece_is_as_wide_as_its_sharpened_probability(values: list[float], temperature: float, top: int) -> None:
    possible = [piece for piece in range(len(values)) if piece not in (PAD, UNK)]
    allowed = sorted(possible, key=lambda piece: (-values[piece], piece))[: top or None]
    powers = [math.exp(values[piece]) ** (1 / temperature) if piece in allowed else 0.0 for piece in range(len(values))]
    assert shares(values, temperature, top) == pytest.approx([one / sum(powers) for one in powers], abs=2e-3)


@given(st.lists(st.floats(-8, 0), min_size=4, max_size=9), st.floats(0.2, 5), st.integers(0, 6), st.floats(0.01, 0.99))
@run(CALM, max_examples=40)
def test_of_the_likeliest_the_fewest_that_reach_the_share_are_drawn(
    values: list[float], temperature: float, top_k: int, top_p: float
) -> None:
    possible = [piece for piece in range(len(values)) if piece not in (PAD, UNK)]
    allowed = sorted(possible, key=lambda piece: (-values[piece], piece))[: top_k or None]
    powers = {piece: math.exp((values[piece] - max(values)) / temperature) for piece in allowed}
    kept: list[int] = []
    for piece in allowed:  # likeliest first
        reached = sum(powers[one] for one in kept) / sum(powers.values())
        assume(abs(reached - top_p) > 1e-9)
        if reached >= top_p:
            break
        kept.append(piece)
    total = sum(powers[piece] for piece in kept)
    expected = [powers[piece] / total if piece in kept else 0.0 for piece in range(len(values))]
    assert shares(values, temperature, top_k, top_p=top_p) == pytest.approx(expected, abs=2e-3)


@given(st.lists(st.floats(-30, 0), min_size=4, max_size=9), st.integers(0, 4), st.floats(1e-12, 100))
@run(CALM, max_examples=30)
def test_the_ends_of_the_scale_fall_on_pieces_too(values: list[float], top_k: int, temperature: float) -> None:
    at = torch.tensor([0.0, math.nextafter(1.0, 0.0)], dtype=torch.float64)
    drawn = draw_tokens(torch.tensor([values, values], dtype=torch.float64), at, temperature, top_k).tolist()
    ranked = sorted((-values[piece], piece) for piece in range(len(values)) if piece not in (PAD, UNK))
    allowed = {piece for _, piece in ranked[: top_k or None]}
    assert set(drawn) <= allowed
    assert drawn[0] <= drawn[1]


def test_what_is_impossible_is_never_drawn() -> None:
    assert shares([-1.0, -math.inf, -1.0, 0.0, -math.inf], 1.0, 0, points=100) == [0, 0, 0, 1, 0]
    assert shares([-1.0, -math.inf, -1.0, 0.0, -math.inf], 50.0, 3, points=100) == [0, 0, 0, 1, 0]


# ---- whole targets ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("temperature", "top_k"), [(1.0, 0), (0.5, 0), (2.0, 2)])
def test_pieces_are_drawn_by_their_probabilities(temperature: float, top_k: int) -> None:
    chances = {EOS: 0.2, 3: 0.5, 4: 0.3}
    toy = constant_toy([0, 0.2, 0, 0.5, 0.3])
    kept = {piece: chance ** (1 / temperature) for piece, chance in chances.items() if chance > 0.2 or not top_k}
    kept = {piece: chance / sum(kept.values()) for piece, chance in kept.items()}
    settings = Settings(sample=True, temperature=temperature, top_k=top_k, seed=1, candidates=0)
    found = [one.tokens for (one,) in search(toy, ALL, settings)]
    for step in (0, 1, 2):
        counts = Counter(pieces[step] for pieces in found if len(pieces) > step)
        assert counts.keys() == kept.keys()
        expected = [chance * counts.total() for chance in kept.values()]
        assert chi_square([counts[piece] for piece in kept], expected) < 13.8  # 1 in 1000, with 2 degrees of freedom


def test_whole_targets_are_drawn_by_their_probabilities() -> None:
    # one code: what comes next depends on the piece before, and on nothing in the source
    toy = random_toy(6, codes=1, end=0.5)
    found = Counter(one.tokens[:3] for (one,) in search(toy, ALL, Settings(sample=True, candidates=0)))
    table = torch.log_softmax(toy.table[0].index_fill(1, torch.tensor([PAD, UNK]), -math.inf), dim=1).exp().numpy()
    chances: dict[tuple[int, ...], float] = {(): 1.0}
    for _ in range(3):
        chances = {(*pieces, piece): chance * float(table[pieces[-1] if pieces else PAD, piece])
                   for pieces, chance in chances.items() if EOS not in pieces for piece in (EOS, 3, 4)} | {
                       pieces: chance for pieces, chance in chances.items() if EOS in pieces}
    assert sum(chances.values()) == pytest.approx(1.0)
    assert found.keys() <= chances.keys()
    often = [pieces for pieces, chance in chances.items() if chance * len(ALL) >= 5]
    assert len(often) >= 8
    counts, expected = [found[pieces] for pieces in often], [chances[pieces] * len(ALL) for pieces in often]
    assert chi_square(counts, expected) < 2.5 * len(often) + 10


def test_steps_are_drawn_independently() -> None:
    toy = constant_toy([0, 0.01, 0, 0.495, 0.495])
    found = [one.tokens for (one,) in search(toy, ALL, Settings(sample=True, candidates=0)) if len(one.tokens) > 1]
    pairs = Counter(pieces[:2] for pieces in found if EOS not in pieces[:2])
    assert chi_square([pairs[pair] for pair in itertools.product((3, 4), repeat=2)], [pairs.total() / 4] * 4) < 16.3


@given(SEEDS, SOURCES, st.integers(0, 2**63 - 1))
@run(CALM, max_examples=30)
def test_near_temperature_0_it_is_greedy_search(seed: int, sources: list[list[int]], start: int) -> None:
    toy = random_toy(seed)
    assert all_same(search(toy, sources, Settings(sample=True, temperature=1e-9, seed=start)), search(toy, sources))
    assert all_same(search(toy, sources, Settings(sample=True, top_k=1, seed=start)), search(toy, sources))


@given(SEEDS, st.integers(0, 9), st.floats(0.5, 2.0))
@run(CALM, max_examples=30)
def test_the_record_holds_the_models_own_numbers(seed: int, start: int, temperature: float) -> None:
    toy, source = random_toy(seed), [5, 8, EOS]
    (one,) = search(toy, [source], Settings(sample=True, temperature=temperature, seed=start, candidates=2))[0]
    for k, (log_probabilities, weights, _) in enumerate(toy.recompute(source, one.tokens)):
        assert one.log_probs[k] == log_probabilities[one.tokens[k]]
        np.testing.assert_allclose(one.weights["attention"][k], weights, rtol=1e-12)
        assert len(one.candidates[k]) == 2
    assert one.is_finished == (one.tokens[-1] == EOS)
    assert one.score == one.total_log_prob / len(one.tokens)


# ---- seeds ------------------------------------------------------------------------------------------------------


@given(SEEDS, SOURCES, st.integers(0, 2**63 - 1), st.floats(0.3, 3), st.integers(0, 3))
@run(CALM, max_examples=30)
def test_a_sentence_is_drawn_alike_in_every_batch(
    seed: int, sources: list[list[int]], start: int, temperature: float, top_k: int
) -> None:
    toy = random_toy(seed, end=-1.0)
    settings = Settings(sample=True, temperature=temperature, top_k=top_k, seed=start)
    together = search(toy, sources, settings)
    assert all_same(together, [search(toy, [source], settings)[0] for source in sources])
    assert all_same(together[::-1], search(toy, sources[::-1], settings))


@pytest.mark.parametrize(("kind", "wiring"), KINDS_AND_WIRINGS)
def test_networks_are_drawn_from_alike_in_every_batch(kind: str, wiring: Wiring) -> None:
    network, sources = build_tiny_network(kind, wiring), [source for source, _ in PAIRS]
    settings = Settings(sample=True, temperature=1.3, seed=5)
    together = search(network, sources, settings)
    for source, (one,) in zip(sources, together, strict=True):
        ((alone,),) = search(network, [source], settings)
        assert one.tokens == alone.tokens
        assert one.log_probs == pytest.approx(alone.log_probs, abs=1e-9)


def test_other_seeds_and_other_sentences_are_drawn_otherwise() -> None:
    toy = constant_toy([0, 1e-6, 0, *[0.1] * 10])
    drawn = [search(toy, [[3, EOS]], Settings(sample=True, seed=seed))[0][0].tokens for seed in range(20)]
    assert len(set(drawn)) == 20
    assert len({one.tokens for (one,) in search(toy, ALL[:20], Settings(sample=True))}) == 20
