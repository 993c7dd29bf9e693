"""Maps: whatever a network makes is kept whole, follows its hypothesis and stands in the Trace with its axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from torch import Tensor

from model.decoding import Hypothesis, Settings, search
from model.networks.base import AttentionOverrides, StepResult
from model.trace import MapDescription, TraceError, WeightMap, find_main_map, select_displayable_maps
from model.trace.maps import check_unique_keys, select_attention_maps
from tests.model.decoding.toy import EOS, State, Toy, random_toy

LOOKS = tuple(MapDescription("cross-attention", layer=layer, head=head) for layer in (1, 2) for head in (1, 2))
BACK = MapDescription("decoder self-attention", layer=1, rows="target", columns="target")
INNER = MapDescription("encoder self-attention", rows="source", columns="source", rows_sum_to_one=False)
SOURCES = [[3, 4, EOS], [4, 4, 3, 3, EOS], [3, EOS], [4, 3, 4, EOS]]


@dataclass(frozen=True)
class Written(State):
    """The state of `Toy` with the pieces it was given, the one of nothing first: (batch, steps so far)."""

    given: Tensor

    def select(self, rows: Tensor) -> Written:
        return Written(self.source[rows], self.code[rows], self.given[rows])

    def reorder(self, rows: Tensor) -> Written:
        return Written(self.source, self.code[rows], self.given[rows])


class ManyMaps(Toy):
    """`Toy` with maps of every kind: two layers of two heads, a look back at what was written, one between sources."""

    maps = (INNER, *LOOKS, BACK)

    def start(self, encoder_output: Tensor) -> Written:
        state = super().start(encoder_output)
        return Written(state.source, state.code, encoder_output[:, :0])

    def encoder_attention_weights(self, encoder_output: Tensor) -> dict[str, Tensor]:
        return {INNER.key: (encoder_output[:, :, None] * encoder_output[:, None]).double()}  # padding is 0

    def step(
        self, state: State, token: Tensor, *, detail: bool = False, overrides: AttentionOverrides | None = None
    ) -> StepResult:
        assert isinstance(state, Written)
        result = super().step(state, token, detail=detail)
        given = torch.cat([state.given, token[:, None]], dim=1)
        after = Written(result.state.source, result.state.code, given)  # type: ignore[attr-defined]
        powers = {one.key: result.weights["attention"] ** (number + 1) for number, one in enumerate(LOOKS)}
        weights = {key: values / values.sum(1, keepdim=True) for key, values in powers.items()}
        weights[BACK.key] = (given + 1.0).double() / (given + 1.0).sum(1, keepdim=True)
        return StepResult(result.log_probs, after, weights, result.detail)


def toy(seed: int) -> ManyMaps:
    return ManyMaps(random_toy(seed, end=-0.7).table)


def check(network: ManyMaps, source: Sequence[int], found: Hypothesis) -> None:
    """Every map is what the hypothesis's own source and pieces make it."""
    pieces, length = len(found.tokens), len(source)
    assert list(found.weights) == [one.key for one in network.maps]
    np.testing.assert_array_equal(found.weights[INNER.key], np.outer(source, source))
    recomputed = [weights for _, weights, _ in network.recompute(source, found.tokens)]
    for number, one in enumerate(LOOKS):
        powers = np.array(recomputed) ** (number + 1)
        np.testing.assert_allclose(found.weights[one.key], powers / powers.sum(1, keepdims=True), atol=1e-12)
    given = np.array([0, *found.tokens[:-1]]) + 1.0
    expected = np.tril(np.tile(given, (pieces, 1)))
    np.testing.assert_allclose(found.weights[BACK.key], expected / expected.sum(1, keepdims=True), atol=1e-12)
    assert found.weights[BACK.key].shape == (pieces, pieces)
    assert found.weights[LOOKS[0].key].shape == (pieces, length)


@pytest.mark.parametrize("settings", [Settings(), Settings(beam=4, n_best=4), Settings(sample=True, seed=5)],
                         ids=["greedy", "beam", "sampling"])
@pytest.mark.parametrize("seed", range(4))
def test_every_map_follows_its_hypothesis(settings: Settings, seed: int) -> None:
    network = toy(seed)
    for source, found in zip(SOURCES, search(network, SOURCES, settings), strict=True):
        for one in found:
            check(network, source, one)


def test_coverage_is_read_from_the_map_that_is_seen_first() -> None:
    network = toy(1)
    settings = Settings(beam=3, n_best=3, length_penalty="gnmt", beta=0.5)
    for source, found in zip(SOURCES, search(network, SOURCES, settings), strict=True):
        for one in found:
            covered = one.weights[LOOKS[0].key][:, :-1].sum(0)
            penalty = 0.5 * np.log(np.clip(covered, 1e-10, 1.0)).sum()
            length = ((5 + len(one.tokens)) / 6) ** settings.alpha
            assert one.score == pytest.approx(one.total_log_prob / length + penalty)
            assert len(source) == one.weights[INNER.key].shape[0]


# ---- descriptions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("given", "key"), [
    (MapDescription("attention"), "attention"), (LOOKS[3], "cross-attention-l2-h2"),
    (BACK, "decoder-self-attention-l1"), (MapDescription("Coverage 2", head=7), "coverage-2-h7"),
])  # fmt: skip
def test_a_key_names_a_map_in_a_link(given: MapDescription, key: str) -> None:
    assert given.key == key


def test_the_first_look_is_the_first_map_over_the_source() -> None:
    assert find_main_map((INNER, BACK, *LOOKS)) == LOOKS[0]
    assert find_main_map((INNER, BACK)) is None
    assert find_main_map(()) is None
    assert not INNER.is_source_attention
    assert not BACK.is_source_attention


def test_a_picture_of_looking_has_no_account_and_nothing_of_other_axes() -> None:
    account, loose = (MapDescription(name, rows_sum_to_one=False) for name in ("coverage", "attention"))
    assert select_displayable_maps((INNER, *LOOKS, BACK, account)) == list(LOOKS)
    assert select_displayable_maps((loose, account)) == [loose]  # local-p's rows sum to less than 1
    assert select_displayable_maps((INNER, BACK)) == []


def test_attention_is_every_head_for_itself_and_nothing_that_is_none() -> None:
    means, more = [MapDescription("cross-attention", layer=layer) for layer in (2, 1)], MapDescription("coverage")
    assert select_attention_maps((INNER, *means, *LOOKS, BACK, more)) == list(LOOKS)
    assert select_attention_maps((MapDescription("attention"), more)) == [MapDescription("attention")]
    heads = [MapDescription("cross-attention", head=head) for head in (1, 2)]
    assert select_attention_maps((*heads, INNER)) == heads
    assert select_attention_maps(means) == means
    lower, *above = (MapDescription("cross-attention", layer, head) for layer, head in ((1, None), (2, 1), (2, 2)))
    assert select_attention_maps((lower, means[0], *above)) == [
        lower,
        *above,
    ]  # the heads of one layer speak for no other
    assert select_attention_maps((INNER, BACK)) == []


@pytest.mark.parametrize(("given", "says"), [
    ({"name": ""}, "letters, digits"), ({"name": "<b>"}, "letters, digits"), ({"name": "x" * 5000}, "letters, digits"),
    ({"name": "a", "layer": 0}, "layer .* counts from 1"), ({"name": "a", "head": 10**6}, "head .* counts from 1"),
    ({"name": "a", "rows": "words"}, "axis"), ({"name": "a", "rows": "source", "columns": "target"}, "turn it round"),
])  # fmt: skip
def test_other_descriptions_are_refused(given: dict[str, object], says: str) -> None:
    with pytest.raises(TraceError, match=says) as refused:
        MapDescription(**given)  # type: ignore[arg-type]
    assert len(str(refused.value)) < 250


def test_two_maps_of_one_key_are_refused() -> None:
    with pytest.raises(TraceError, match="one name"):
        check_unique_keys([MapDescription("a-b"), MapDescription("a b")])


def test_a_weight_map_says_what_its_description_says() -> None:
    for one in (INNER, BACK, *LOOKS):
        values = np.full((2, 2), 0.5, np.float32)
        assert WeightMap.from_description(one, values).description == one
        assert WeightMap.from_description(one, values).key == one.key
