"""The Transformer's fast decoder in float32, with its kernels, compared with the network in float64."""

from __future__ import annotations

from copy import deepcopy
from itertools import product
from typing import Any

import pytest
import torch

from model.decoding.fast.transformer import CACHE_BLOCK, MAX_COMPILED_ROWS, FastTransformer
from model.networks.transformer import Transformer, describe_decoder_map, describe_mean_map
from model.networks.transformer_layers import Norm, TransformerConfig
from tests.model.decoding.fast.test_search_kernels import build_padded_sources
from tests.model.tiny import PAD

NORMS: tuple[Norm, ...] = ("pre", "post")


def build_fp16_transformer(norm: Norm, seed: int = 0) -> Transformer:
    """Build a float32 network whose weights are exact in fp16."""
    torch.manual_seed(seed)
    config = TransformerConfig("transformer", 50, 24, 40, heads=3, layers=3, decoder_layers=2, norm=norm)
    network = Transformer(config).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter), alpha=0.2)
    return network.half().float()


def _sharpen(weights: torch.Tensor) -> torch.Tensor:
    """Return squared weights, each row with the sum 1; padding keeps the weight 0."""
    return weights.square() / weights.square().sum(1, keepdim=True)


@pytest.mark.parametrize(("norm", "rows"), list(product(NORMS, (1, 5, 8, MAX_COMPILED_ROWS + 1))))
@torch.no_grad()
def test_steps_equal_the_network(norm: Norm, rows: int) -> None:
    """Over more steps than the cache has room for, with rows reordered, repeated and dropped, and an override.

    Of a few rows, a step is a single kernel.
    """
    network = build_fp16_transformer(norm)
    decoders: tuple[Any, Any] = deepcopy(network).double(), FastTransformer(network)
    assert decoders[1].kernel_parameters
    source = build_padded_sources(rows)
    states: list[Any] = [decoder.start(decoder.encode(source)) for decoder in decoders]
    tokens = torch.full((rows,), PAD)
    for step in range(CACHE_BLOCK + 4):
        maps = [describe_mean_map(1), describe_decoder_map(2, 3)] if step == 2 else []
        overrides = {described.key: _sharpen for described in maps}
        expected, actual = (decoder.step(state, tokens, detail=True, overrides=overrides)
                            for decoder, state in zip(decoders, states, strict=True))
        assert list(actual.weights) == list(expected.weights)
        for name, values in {"": expected.log_probs, **expected.weights, **expected.detail}.items():
            actual_values = {"": actual.log_probs, **actual.weights, **actual.detail}[name]
            assert float((actual_values.double() - values).abs().max()) < 3e-5, name
        states, tokens = [expected.state, actual.state], expected.log_probs.argmax(1)
        if rows > 1 and step in (1, 5):
            kept_rows = torch.tensor([4, 2, 2, 0, *range(5, rows)]) if step == 1 else torch.tensor([3, 1])
            states, tokens = [state.select(kept_rows) for state in states], tokens[kept_rows]
