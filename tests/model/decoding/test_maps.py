"""Attention maps of every kind follow their hypothesis, and map descriptions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import torch
from torch import Tensor

from model.decoding import Settings, search
from model.networks.base import AttentionOverrides, StepResult
from model.trace import MapDescription, TraceError, WeightMap, find_main_map, select_displayable_maps
from model.trace.maps import check_unique_keys, select_attention_maps
from tests.model.decoding.helpers import SEARCHES
from tests.model.decoding.toy import EOS, State, Toy, random_toy

CROSS = tuple(MapDescription("cross-attention", layer=layer, head=head) for layer in (1, 2) for head in (1, 2))
DECODER = MapDescription("decoder self-attention", layer=1, rows="target", columns="target")
ENCODER = MapDescription("encoder self-attention", rows="source", columns="source", rows_sum_to_one=False)
SOURCES = [[3, 4, EOS], [4, 4, 3, 3, EOS], [3, EOS], [4, 3, 4, EOS]]


@dataclass(frozen=True)
class HistoryState(State):
    """The state of `Toy` with its input tokens, PAD first: (batch, steps so far)."""

    inputs: Tensor

    def select(self, rows: Tensor) -> HistoryState:
        return HistoryState(self.source[rows], self.code[rows], self.inputs[rows])

    def reorder(self, rows: Tensor) -> HistoryState:
        return HistoryState(self.source, self.code[rows], self.inputs[rows])


class MultiMapToy(Toy):
    """`Toy` with maps of every kind: cross-attention of two layers with two heads, decoder and encoder maps."""

    maps = (ENCODER, *CROSS, DECODER)

    def start(self, encoder_output: Tensor) -> HistoryState:
        state = super().start(encoder_output)
        return HistoryState(state.source, state.code, encoder_output[:, :0])

    def encoder_attention_weights(self, encoder_output: Tensor) -> dict[str, Tensor]:
        return {ENCODER.key: (encoder_output[:, :, None] * encoder_output[:, None]).double()}  # padding is 0

    def step(
        self, state: State, token: Tensor, *, detail: bool = False, overrides: AttentionOverrides | None = None
    ) -> StepResult:
        assert isinstance(state, HistoryState)
        result = super().step(state, token, detail=detail)
        inputs = torch.cat([state.inputs, token[:, None]], dim=1)
        next_state = HistoryState(result.state.source, result.state.code, inputs)  # type: ignore[attr-defined]
        powers = {one.key: result.weights["attention"] ** (number + 1) for number, one in enumerate(CROSS)}
        weights = {key: values / values.sum(1, keepdim=True) for key, values in powers.items()}
        weights[DECODER.key] = (inputs + 1.0).double() / (inputs + 1.0).sum(1, keepdim=True)
        return StepResult(result.log_probs, next_state, weights, result.detail)


@pytest.mark.parametrize("settings", [*SEARCHES.values(), Settings(beam=3, n_best=3, length_penalty="gnmt", beta=0.5)],
                         ids=[*SEARCHES, "coverage"])
def test_every_map_follows_its_hypothesis(settings: Settings) -> None:
    for seed in range(4):
        network = MultiMapToy(random_toy(seed, end=-0.7).table)
        results = search(network, SOURCES, settings)
        for source, hypothesis in [(source, hypothesis) for source, hypotheses in zip(SOURCES, results, strict=True)
                                   for hypothesis in hypotheses]:
            length, weights = len(hypothesis.tokens), hypothesis.weights
            assert list(weights) == [description.key for description in network.maps]
            np.testing.assert_array_equal(weights[ENCODER.key], np.outer(source, source))
            attention = np.array([row for _, row, _ in network.recompute(source, hypothesis.tokens)])
            for number, description in enumerate(CROSS):
                powers = attention ** (number + 1)
                np.testing.assert_allclose(weights[description.key], powers / powers.sum(1, keepdims=True), atol=1e-12)
            rows = np.tril(np.tile(np.array([0, *hypothesis.tokens[:-1]]) + 1.0, (length, 1)))
            np.testing.assert_allclose(weights[DECODER.key], rows / rows.sum(1, keepdims=True), atol=1e-12)
            if settings.beta:  # coverage is computed from the main map, the first over the source
                coverage = np.log(np.clip(weights[CROSS[0].key][:, :-1].sum(0), 1e-10, 1.0)).sum()
                expected = hypothesis.total_log_prob / ((5 + length) / 6) ** settings.alpha + 0.5 * coverage
                assert hypothesis.score == pytest.approx(expected)


# ---- descriptions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("description", "key"), [
    (MapDescription("attention"), "attention"), (CROSS[3], "cross-attention-l2-h2"),
    (DECODER, "decoder-self-attention-l1"), (MapDescription("Coverage 2", head=7), "coverage-2-h7"),
])
def test_key_of_a_map(description: MapDescription, key: str) -> None:
    assert description.key == key
    if description.columns == description.rows:
        assert not description.is_source_attention
    weight_map = WeightMap.from_description(description, np.full((2, 2), 0.5, np.float32))
    assert (weight_map.description, weight_map.key) == (description, key)


def test_main_map_is_the_first_over_the_source() -> None:
    assert find_main_map((ENCODER, DECODER, *CROSS)) == CROSS[0]
    assert find_main_map((ENCODER, DECODER)) is None


def test_displayable_maps_are_over_the_source_and_sum_to_one_if_any_does() -> None:
    coverage, local_p = (MapDescription(name, rows_sum_to_one=False) for name in ("coverage", "attention"))
    assert select_displayable_maps((ENCODER, *CROSS, DECODER, coverage)) == list(CROSS)
    assert select_displayable_maps((local_p, coverage)) == [local_p]  # the rows of local-p sum to less than 1
    assert select_displayable_maps((ENCODER, DECODER)) == []


def test_attention_maps_are_single_heads_where_a_layer_has_them() -> None:
    means, coverage = [MapDescription("cross-attention", layer=layer) for layer in (2, 1)], MapDescription("coverage")
    assert select_attention_maps((ENCODER, *means, *CROSS, DECODER, coverage)) == list(CROSS)
    assert select_attention_maps((MapDescription("attention"), coverage)) == [MapDescription("attention")]
    heads = [MapDescription("cross-attention", head=head) for head in (1, 2)]
    assert select_attention_maps((*heads, ENCODER)) == heads
    assert select_attention_maps(means) == means
    mean, *heads = (MapDescription("cross-attention", layer, head) for layer, head in ((1, None), (2, 1), (2, 2)))
    assert select_attention_maps((mean, means[0], *heads)) == [mean, *heads]
    assert select_attention_maps((ENCODER, DECODER)) == []


@pytest.mark.parametrize(("fields", "message"), [
    ({"name": ""}, "letters, digits"), ({"name": "<b>"}, "letters, digits"), ({"name": "x" * 5000}, "letters, digits"),
    ({"name": "a", "layer": 0}, "layer .* counts from 1"), ({"name": "a", "head": 10**6}, "head .* counts from 1"),
    ({"name": "a", "rows": "words"}, "axis"), ({"name": "a", "rows": "source", "columns": "target"}, "turn it round"),
])
def test_invalid_descriptions_are_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(TraceError, match=message) as refused:
        MapDescription(**fields)  # type: ignore[arg-type]
    assert len(str(refused.value)) < 250
    with pytest.raises(TraceError, match="one name"):
        check_unique_keys([MapDescription("a-b"), MapDescription("a b")])
