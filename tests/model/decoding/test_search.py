"""Greedy and beam search on a translator made by hand, against enumeration and recomputation."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given
from hypothesis import settings as run
from hypothesis import strategies as st

from model.decoding import Hypothesis, Settings, search
from model.decoding import settings as settings_module
from model.decoding.batch_decoder import select_top_k
from model.decoding.beam import Beam, beam_search
from model.decoding.greedy import greedy_search
from model.decoding.settings import StopRule
from tests.model.decoding.toy import EOS, PAD, UNK, Toy, constant_toy, random_toy

SEEDS = st.integers(0, 10**6)
CALM = run(suppress_health_check=[HealthCheck.too_slow])  # on a machine that does other things too
PENALTIES: st.SearchStrategy[dict[str, Any]] = st.sampled_from([
    {"length_penalty": "none"}, {"length_penalty": "length"}, {"length_penalty": "gnmt"},
    {"length_penalty": "gnmt", "alpha": 1.0, "beta": 0.4}, {"length_penalty": "gnmt", "alpha": 0.0, "beta": 3.0},
])
STOPS: st.SearchStrategy[StopRule] = st.sampled_from(["exact", "beam"])
SOURCES = st.lists(st.lists(st.integers(3, 9), max_size=6).map(lambda pieces: [*pieces, EOS]), min_size=1, max_size=6)


def same(one: Hypothesis, other: Hypothesis) -> bool:
    """Whether two hypotheses agree to the last bit."""
    plain = all(getattr(one, name) == getattr(other, name) for name in (
        "tokens", "log_probs", "candidates", "total_log_prob", "score", "is_finished", "tree"))
    return plain and one.weights.keys() == other.weights.keys() and all(
        np.array_equal(one.weights[name], other.weights[name]) for name in one.weights)


def all_same(some: Sequence[Sequence[Hypothesis]], others: Sequence[Sequence[Hypothesis]]) -> bool:
    return len(some) == len(others) and all(
        len(one) == len(other) and all(map(same, one, other)) for one, other in zip(some, others, strict=True))


# ---- the beam against what is known -----------------------------------------------------------------------------


def by_hand(total: float, pieces: int, covered: list[float], settings: Settings) -> float:
    """The score of Settings, written once more."""
    if settings.length_penalty == "gnmt":
        cover = sum(math.log(min(one, 1.0)) for one in covered)
        return total / math.pow((5 + pieces) / (5 + 1), settings.alpha) + settings.beta * cover
    return total / pieces if settings.length_penalty == "length" else total


def enumerated(toy: Toy, source: list[int], longest: int, settings: Settings) -> list[tuple[tuple[int, ...], float]]:
    """Every target of at most `longest` pieces with its score: those that end first, then by score."""
    words = [piece for piece in range(toy.table.shape[-1]) if piece not in (PAD, EOS, UNK)]
    targets = [(*body, EOS) for length in range(longest) for body in itertools.product(words, repeat=length)]
    targets += itertools.product(words, repeat=longest)
    scored = []
    for target in targets:
        total, covered = 0.0, [0.0] * (len(source) - 1)  # the source's end needs no cover
        for (log_probabilities, weights, _), piece in zip(toy.recompute(source, target), target, strict=True):
            total += float(log_probabilities[piece])
            covered = [one + float(weight) for one, weight in zip(covered, weights[:-1], strict=True)]
        scored.append((target, by_hand(total, len(target), covered, settings)))
    return sorted(scored, key=lambda pair: (pair[0][-1] != EOS, -pair[1]))


@pytest.mark.verdict
@given(SEEDS, PENALTIES, st.integers(1, 40))
@run(CALM, max_examples=40)
def test_a_beam_with_room_for_everything_is_exhaustive_search(seed: int, penalty: dict[str, Any], n_best: int) -> None:
    toy, source, longest = random_toy(seed), [4, 3, EOS], 5
    settings = Settings(beam=60, n_best=n_best, max_ratio=0.1, **penalty)
    with mock.patch.object(settings_module, "MIN_TARGET_LIMIT", longest):
        found = search(toy, [source], settings)[0]
    expected = enumerated(toy, source, longest, settings)[:n_best]
    assert [one.tokens for one in found] == [target for target, _ in expected]
    assert [one.score for one in found] == pytest.approx([score for _, score in expected], abs=1e-12)
    assert [one.is_finished for one in found] == [target[-1] == EOS for target, _ in expected]


@pytest.mark.verdict
@given(SEEDS, SOURCES, st.floats(-2, 3), PENALTIES, st.integers(0, 3))
@run(CALM, max_examples=40)
def test_a_beam_of_one_is_greedy_search(
    seed: int, sources: list[list[int]], end: float, penalty: dict[str, Any], candidates: int
) -> None:
    settings = Settings(candidates=candidates, **penalty)
    toy = random_toy(seed, end=end)
    assert all_same(beam_search(toy, sources, settings), greedy_search(toy, sources, settings))


def test_greedy_takes_the_likeliest_piece_of_every_step() -> None:
    toy, source = random_toy(11, end=-1.0), [5, 8, 3, EOS]
    (found,) = search(toy, [source])[0]
    for (log_probabilities, _, _), piece, noted in zip(
            toy.recompute(source, found.tokens), found.tokens, found.log_probs, strict=True):
        allowed = log_probabilities.copy()
        allowed[[PAD, UNK]] = -math.inf
        assert piece == allowed.argmax()
        assert noted == allowed.max()


def test_the_beam_finds_what_greedy_search_misses() -> None:
    # 3 is likelier than 4 at first, but only after 4 is the end certain.
    table = torch.full((1, 5, 5), -30.0, dtype=torch.float64)
    table[0, PAD, 3], table[0, PAD, 4] = math.log(0.6), math.log(0.4)
    table[0, 3, 3], table[0, 3, EOS] = math.log(0.5), math.log(0.5)
    table[0, 4, EOS] = 0.0
    toy = Toy(table)
    assert search(toy, [[3, EOS]], Settings(length_penalty="none"))[0][0].tokens == (3, EOS)
    best, second = search(toy, [[3, EOS]], Settings(beam=2, n_best=2, length_penalty="none"))[0]
    assert (best.tokens, best.score) == ((4, EOS), pytest.approx(math.log(0.4)))
    assert (second.tokens, second.score) == ((3, EOS), pytest.approx(math.log(0.3)))


@given(SEEDS, SOURCES, st.floats(-2, 2), PENALTIES, STOPS, st.integers(2, 5))
@run(CALM, max_examples=40)
def test_n_best_of_one_is_the_first_of_n_best_of_many(
    seed: int, sources: list[list[int]], end: float, penalty: dict[str, Any], stop: StopRule, width: int
) -> None:
    toy = random_toy(seed, end=end)
    lists = [search(toy, sources, Settings(beam=width, n_best=n, stop=stop, **penalty)) for n in range(1, width + 1)]
    for n, shorter in enumerate(lists, 1):
        assert all_same([found[:n] for found in lists[-1]], shorter)


@given(SEEDS, st.floats(-2, 2), PENALTIES, STOPS, st.integers(2, 5), st.integers(1, 5))
@run(CALM, max_examples=60)
def test_stopping_where_nothing_can_win_changes_nothing(
    seed: int, end: float, penalty: dict[str, Any], stop: StopRule, width: int, n_best: int
) -> None:
    toy, sources = random_toy(seed, end=end), [[5, 3, EOS], [4, 4, 8, 9, EOS]]
    settings = Settings(beam=width, n_best=min(n_best, width), stop=stop, **penalty)
    early = search(toy, sources, settings)
    steps = len(toy.batch_sizes)
    with mock.patch.object(Beam, "can_improve", return_value=True):
        assert all_same(search(toy, sources, settings), early)
    assert steps <= len(toy.batch_sizes) - steps


@pytest.mark.parametrize(("given", "steps"), [
    ({"length_penalty": "none"}, 1), ({"length_penalty": "length"}, 3), ({"length_penalty": "gnmt", "alpha": 2.0}, 2),
    ({"length_penalty": "gnmt", "alpha": 0.5}, 1), ({"length_penalty": "length", "stop": "beam"}, 2)])
def test_it_does_stop_early(given: dict[str, Any], steps: int) -> None:
    # To end at once scores log 0.8 = -0.22. Without a penalty log 0.2 is behind already; with it log(0.2) / 15 = -0.11
    # and log(0.04) / 15 = -0.21 could still win, log(0.008) / 15 = -0.32 could not. (3 * 5 pieces are allowed.) With
    # lp(15) = (20 / 6)^2 = 11.1 log(0.2) / 11.1 = -0.14 could, log(0.04) / 11.1 = -0.29 could not; nor could
    # log(0.2) / (20 / 6)^0.5 = -0.88. The second of two has ended after two steps.
    toy = constant_toy([0, 0.8, 0, 0.2])
    assert search(toy, [[3, 3, 3, 3, EOS]], Settings(beam=2, **given))[0][0].tokens == (EOS,)
    assert len(toy.batch_sizes) == steps


def test_coverage_alone_can_keep_the_search_going() -> None:
    # Ended at once, its score is below that of the live hypothesis by what it has not looked at.
    toy, source = constant_toy([0, 0.8, 0, 0.2]), [[3, 3, 3, 3, EOS]]
    plain, covering = (Settings(beam=2, length_penalty="gnmt", alpha=0.0, beta=beta) for beta in (0.0, 5.0))
    assert len(search(toy, source, plain)[0][0].tokens) == 1
    best = search(toy, source, covering)[0][0]
    assert len(best.tokens) > 1
    assert best.weights["attention"][:, :-1].sum(axis=0).min() > 0.8


@given(SEEDS, SOURCES, st.floats(-2, 2), PENALTIES, st.integers(2, 5))
@run(CALM, max_examples=40)
def test_stopping_at_as_many_as_the_beam_is_a_search_cut_short(
    seed: int, sources: list[list[int]], end: float, penalty: dict[str, Any], width: int
) -> None:
    toy = random_toy(seed, end=end)
    settings = Settings(beam=width, n_best=width, **penalty)
    whole = search(toy, sources, settings)
    steps = len(toy.batch_sizes)
    for found, all_found in zip(search(toy, sources, replace(settings, stop="beam")), whole, strict=True):
        assert found[0].is_finished or len(found) < width or not all_found[0].is_finished
        for one, other in zip(found, all_found, strict=False):
            assert (not one.is_finished, -one.score) >= (not other.is_finished, -other.score)
    assert len(toy.batch_sizes) - steps <= steps


@given(SEEDS, PENALTIES, st.floats(-3, 0), st.integers(1, 4))
@run(CALM, max_examples=40)
def test_hypotheses_come_best_first_and_all_different(
    seed: int, penalty: dict[str, Any], end: float, width: int
) -> None:
    found = search(random_toy(seed, end=end), [[5, 3, EOS]], Settings(beam=width, n_best=width, **penalty))[0]
    order = [(not one.is_finished, -one.score) for one in found]
    assert order == sorted(order)
    assert len({one.tokens for one in found}) == len(found)


# ---- every hypothesis has its own history -----------------------------------------------------------------------


@given(SEEDS, SOURCES, st.floats(-2, 1), st.integers(1, 5))
@run(CALM, max_examples=25)
def test_state_weights_candidates_and_detail_follow_their_hypothesis(
    seed: int, sources: list[list[int]], end: float, width: int
) -> None:
    toy = random_toy(seed, vocabulary=9, end=end, spread=0.7)  # flat: the beam reorders a great deal
    for detail in (False, True):
        settings = Settings(beam=width, n_best=width, candidates=4, detail=detail)
        for source, found in zip(sources, search(toy, sources, settings), strict=True):
            for one in found:
                steps = toy.recompute(source, one.tokens)
                for k, (log_probabilities, weights, code) in enumerate(steps):
                    assert one.log_probs[k] == log_probabilities[one.tokens[k]]
                    np.testing.assert_allclose(one.weights["attention"][k], weights, rtol=1e-12)
                    allowed = [piece for piece in range(9) if piece not in (PAD, UNK)]
                    ranked = sorted(allowed, key=lambda piece: (-log_probabilities[piece], piece))[:4]
                    assert one.candidates[k] == tuple((piece, float(log_probabilities[piece])) for piece in ranked)
                    if detail:
                        assert one.detail is not None
                        assert one.detail["code"][k].tolist() == [code]
                assert one.weights["attention"].shape == (len(one.tokens), len(source))
                assert one.total_log_prob == sum(one.log_probs)
                assert one.score == one.total_log_prob / len(one.tokens)
                assert (one.detail is not None) == detail


def test_no_candidates_are_noted_where_nobody_asks() -> None:
    for width in (1, 3):
        found = search(random_toy(3), [[5, EOS]], Settings(beam=width, candidates=0))[0][0]
        assert found.candidates == ((),) * len(found.tokens)


# ---- the batch ---------------------------------------------------------------------------------------------------


@pytest.mark.verdict
@given(SEEDS, SOURCES, st.floats(-2, 2), PENALTIES, STOPS, st.sampled_from([(1, 1), (3, 2), (5, 5)]))
@run(CALM, max_examples=40)
def test_results_do_not_depend_on_the_batch(
    seed: int, sources: list[list[int]], end: float, penalty: dict[str, Any], stop: StopRule, sizes: tuple[int, int]
) -> None:
    toy = random_toy(seed, end=end)
    settings = Settings(beam=sizes[0], n_best=sizes[1], stop=stop, tree=sizes[0] == 3, **penalty)
    together = search(toy, sources, settings)
    assert all_same(together, [search(toy, [source], settings)[0] for source in sources])
    assert all_same(together[::-1], search(toy, sources[::-1], settings))


@pytest.mark.parametrize("width", [1, 4])
def test_a_batch_has_no_row_that_none_of_its_sentences_needs(width: int) -> None:
    toy = random_toy(5, codes=50)
    sources = [[piece, 3, EOS] for piece in range(3, 12)]
    settings = Settings(beam=width)
    search(toy, sources, settings)
    together, alone = toy.batch_sizes.copy(), []
    for source in sources:
        toy.batch_sizes.clear()
        search(toy, [source], settings)
        alone.append(toy.batch_sizes.copy())
    assert together == [sum(rows) for rows in itertools.zip_longest(*alone, fillvalue=0)]
    assert len({len(rows) for rows in alone}) > 2  # they end at different times


def test_no_sentences_give_no_hypotheses() -> None:
    assert search(random_toy(1), []) == []


# ---- the greatest length ----------------------------------------------------------------------------------------


def test_what_does_not_end_is_returned_unfinished_at_the_greatest_length() -> None:
    toy = constant_toy([0, 1e-9, 0, 0.6, 0.4])
    short, long = search(toy, [[3, EOS], [3] * 6 + [EOS]], Settings(max_ratio=2.5))
    assert (short[0].tokens, long[0].tokens) == ((3,) * 10, (3,) * 18)  # max(10, 5) and ceil(2.5 * 7)
    assert not short[0].is_finished
    assert not long[0].is_finished


def test_what_ends_comes_before_what_does_not() -> None:
    found = search(constant_toy([0, 1e-9, 0, 0.6, 0.4]), [[3, EOS]], Settings(beam=3, n_best=2))[0]
    assert [(one.is_finished, len(one.tokens)) for one in found] == [(True, 1), (False, 10)]
    assert found[0].score < found[1].score


def test_a_beam_that_found_no_end_returns_its_live_hypotheses() -> None:
    found = search(constant_toy([0, 0, 0, 0.6, 0.4]), [[3, EOS]], Settings(beam=3, n_best=3))[0]
    assert [one.is_finished for one in found] == [False] * 3
    assert found[0].tokens == (3,) * 10
    assert all(len(one.tokens) == 10 for one in found)


# ---- which pieces, and ties --------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1, 2])
def test_padding_and_unknown_are_never_written_nor_listed(width: int) -> None:
    found = search(constant_toy([0.4, 0.04, 0.5, 0.06]), [[3, EOS]], Settings(beam=width))[0][0]
    assert found.tokens[0] in (EOS, 3)
    for listed in found.candidates:
        assert [piece for piece, _ in listed] == [3, EOS]
    assert found.log_probs[0] in (math.log(0.06), math.log(0.04))  # the network's own numbers


def test_of_equal_pieces_the_lowest_is_taken() -> None:
    toy = constant_toy([0, 0.1, 0, 0.225, 0.225, 0.225, 0.225])
    assert search(toy, [[3, EOS]])[0][0].tokens == (3,) * 10
    found = search(toy, [[3, EOS]], Settings(beam=3, n_best=3, candidates=3))[0]
    assert all(listed == ((3, math.log(0.225)), (4, math.log(0.225)), (5, math.log(0.225)))
               for one in found for listed in one.candidates)
    live = search(constant_toy([0, 0, 0, 0.5, 0.5]), [[3, EOS]], Settings(beam=4, n_best=4))[0]
    assert [one.tokens[-2:] for one in live] == [(3, 3), (3, 4), (4, 3), (4, 4)]


@given(st.lists(st.lists(st.sampled_from([-math.inf, -2.0, -1.0, -0.5]), min_size=6, max_size=6), min_size=1,
                max_size=4), st.integers(1, 8))
@CALM
def test_the_likeliest_are_those_of_a_stable_sort(rows: list[list[float]], count: int) -> None:
    values, columns = select_top_k(torch.tensor(rows), count)
    for row, got_values, got_columns in zip(rows, values.tolist(), columns.tolist(), strict=True):
        assert got_columns == sorted(range(6), key=lambda column: (-row[column], column))[:count]
        assert got_values == [row[column] for column in got_columns]


@pytest.mark.parametrize("columns", [1000, 1024, 3001])
@pytest.mark.parametrize("count", [1, 2, 5, 12, 40])
def test_the_likeliest_of_many_columns_are_those_of_a_stable_sort(columns: int, count: int) -> None:
    generator = torch.Generator().manual_seed(columns + count)
    scores = torch.randn(3, columns, generator=generator)
    scores[1] = scores[1].round()  # hundreds of equal ones
    scores[2, : columns // 2] = -math.inf
    values, found = scores.sort(dim=1, descending=True, stable=True)
    best = select_top_k(scores, count)
    assert torch.equal(best[0], values[:, :count])
    assert torch.equal(best[1], found[:, :count])


@pytest.mark.parametrize("count", [1, 5])
def test_no_number_comes_before_every_number(count: int) -> None:
    scores = torch.zeros(2, 3000)
    scores[1, 2000] = math.nan
    assert select_top_k(scores, count)[0][:, 0].isnan().tolist() == [False, True]


# ---- what is refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", [[], [3, 4], [3, PAD, EOS]])
def test_a_source_that_is_no_sentence_is_refused(source: list[int]) -> None:
    with pytest.raises(ValueError, match="ends in EOS"):
        search(random_toy(1), [[3, EOS], source])


@pytest.mark.parametrize("width", [1, 3])
def test_a_network_that_gives_no_numbers_is_told(width: int) -> None:
    with pytest.raises(ValueError, match="may be damaged"):
        search(Toy(torch.full((1, 5, 5), math.nan)), [[3, EOS]], Settings(beam=width))
