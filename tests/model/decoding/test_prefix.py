"""A given beginning: forced like a given target, and searched on from there by every kind of search."""

from __future__ import annotations

import itertools
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st

from model.decoding import Settings, search
from model.decoding import settings as settings_module
from model.decoding.forced_decoding import force_decode
from model.networks.rnnsearch import Wiring
from tests.model.decoding.test_search import CALM, PENALTIES, SEEDS, SOURCES, all_same, enumerated
from tests.model.decoding.toy import EOS, PAD, UNK, constant_toy, random_toy
from tests.model.tiny import KINDS_AND_WIRINGS, PAIRS, build_tiny_network

KINDS: list[dict[str, Any]] = [{}, {"beam": 3, "n_best": 2}, {"beam": 4, "n_best": 4, "stop": "beam"}, {"sample": True}]
PREFIX = st.lists(st.sampled_from([UNK, 3, 4]), max_size=6)


@given(SEEDS, SOURCES, st.sampled_from(KINDS), st.booleans(), st.data())
@run(CALM, max_examples=40)
def test_what_is_given_is_forced_and_the_rest_is_searched_for(
    seed: int, sources: list[list[int]], kind: dict[str, Any], detail: bool, data: st.DataObject
) -> None:
    toy, settings = random_toy(seed), Settings(candidates=2, detail=detail, **kind)
    prefixes = [data.draw(PREFIX) for _ in sources]
    for source, prefix, found in zip(sources, prefixes, search(toy, sources, settings, prefixes), strict=True):
        assert 1 <= len(found) <= settings.n_best
        for one in found:
            assert list(one.tokens[: len(prefix)]) == prefix
            assert len(one.tokens) > len(prefix)
            assert UNK not in one.tokens[len(prefix) :]
            steps = toy.recompute(source, one.tokens)
            assert one.log_probs == tuple(
                float(values[piece]) for (values, _, _), piece in zip(steps, one.tokens, strict=True))
            for row, (_, weights, _) in zip(one.weights["attention"], steps, strict=True):
                np.testing.assert_allclose(row, weights, rtol=1e-12)
            assert one.total_log_prob == sum(one.log_probs)
            assert one.detail is None or one.detail["code"][:, 0].tolist() == [code for _, _, code in steps]
        if prefix:
            (begun,) = force_decode(toy, [source], [prefix], settings)
            assert found[0].log_probs[: len(prefix)] == begun.log_probs
            assert found[0].candidates[: len(prefix)] == begun.candidates


@given(SEEDS, SOURCES, st.data())
@run(CALM, max_examples=30)
def test_greedy_search_goes_on_from_its_own_beginning_as_before(
    seed: int, sources: list[list[int]], data: st.DataObject
) -> None:
    toy = random_toy(seed)
    whole = search(toy, sources)
    prefixes = [one.tokens[: data.draw(st.integers(0, len(one.tokens) - 1))] for (one,) in whole]
    assert all_same(search(toy, sources, None, prefixes), whole)


@given(SEEDS, PENALTIES, st.lists(st.sampled_from([3, 4]), max_size=3), st.integers(1, 20))
@run(CALM, max_examples=30)
def test_a_beam_with_room_for_everything_finds_the_best_that_begin_so(
    seed: int, penalty: dict[str, Any], prefix: list[int], n_best: int
) -> None:
    toy, source, longest = random_toy(seed), [4, 3, EOS], 5
    settings = Settings(beam=60, n_best=n_best, max_ratio=0.1, **penalty)
    with mock.patch.object(settings_module, "MIN_TARGET_LIMIT", longest):
        found = search(toy, [source], settings, [prefix])[0]
    every = enumerated(toy, source, longest, settings)
    expected = [pair for pair in every if list(pair[0][: len(prefix)]) == prefix and len(pair[0]) > len(prefix)]
    assert [one.tokens for one in found] == [target for target, _ in expected[:n_best]]
    assert [one.score for one in found] == pytest.approx([score for _, score in expected[:n_best]], abs=1e-12)


@given(SEEDS, SOURCES, st.sampled_from(KINDS), st.data())
@run(CALM, max_examples=30)
def test_results_do_not_depend_on_the_batch(
    seed: int, sources: list[list[int]], kind: dict[str, Any], data: st.DataObject
) -> None:
    toy, settings = random_toy(seed), Settings(**kind)
    prefixes = [data.draw(PREFIX) for _ in sources]
    alone = [search(toy, [source], settings, [prefix])[0] for source, prefix in zip(sources, prefixes, strict=True)]
    assert all_same(search(toy, sources, settings, prefixes), alone)
    assert all_same(search(toy, sources, settings, [[] for _ in sources]), search(toy, sources, settings))


@pytest.mark.parametrize("given", KINDS)
@pytest.mark.parametrize(("kind", "wiring"), KINDS_AND_WIRINGS)
def test_networks_go_on_from_what_is_given(kind: str, wiring: Wiring, given: dict[str, Any]) -> None:
    network, settings = build_tiny_network(kind, wiring), Settings(**given)
    prefixes = [[7, 3], [], [12], [4, 4, 4], [9]]
    for (source, _), prefix, found in zip(
            PAIRS, prefixes, search(network, [source for source, _ in PAIRS], settings, prefixes), strict=True):
        for one in found:
            assert list(one.tokens[: len(prefix)]) == prefix
            (again,) = force_decode(network, [source], [one.tokens], settings)
            assert one.log_probs == pytest.approx(again.log_probs, abs=1e-9)
            for name, weights in again.weights.items():
                np.testing.assert_allclose(one.weights[name], weights, atol=1e-9)


def test_a_beginning_may_be_as_long_as_leaves_one_piece() -> None:
    toy = constant_toy([0, 0.6, 0, 0.4])
    for kind in KINDS:
        (one, *_) = search(toy, [[3, EOS]], Settings(**kind), [[3] * 9])[0]
        assert one.tokens[:9] == (3,) * 9
        assert len(one.tokens) == 10
        with pytest.raises(ValueError, match="leave something to search for: got 10 pieces where a target may have 10"):
            search(toy, [[3, EOS]], Settings(**kind), [[3] * 10])


@pytest.mark.parametrize("kind", KINDS)
def test_other_beginnings_are_refused(kind: dict[str, Any]) -> None:
    toy, settings = constant_toy([0.0, 0.5, 0.0, 0.5, 0.0]), Settings(**kind)
    for prefix in ([PAD], [3, EOS]):
        with pytest.raises(ValueError, match=r"A prefix is a list of piece ids without PAD \(0\) and EOS \(1\): got"):
            search(toy, [[3, EOS]], settings, [prefix])
    with pytest.raises(ValueError, match="got 2 sources and 1 prefixes"):
        search(toy, [[3, EOS], [EOS]], settings, [[3]])
    with pytest.raises(ValueError, match="gives the piece 4 at step 2 no usable log-probability: got -inf"):
        search(toy, [[EOS], [3, EOS]], settings, [[], [3, 4]])
    for piece in (5, -1):
        with pytest.raises(ValueError, match=f"Piece {piece} is not in the network's vocabulary of 5 pieces"):
            search(toy, [[EOS]], settings, [[piece]])


def test_every_beginning_of_what_beams_find_is_a_place_to_start_from() -> None:
    toy, source = random_toy(9, vocabulary=6), [5, 3, 4, EOS]
    for prefix in itertools.product((3, 4, 5), repeat=2):
        for one in search(toy, [source], Settings(beam=4, n_best=4), [prefix])[0]:
            assert one.tokens[:2] == prefix
