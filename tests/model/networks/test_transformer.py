"""The Transformer against a numpy version of its equations, its kv_cache, overrides, fused loss and settings."""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from model.decoding.fast.transformer import CACHE_BLOCK
from model.networks import registry
from model.networks.base import apply_override
from model.networks.transformer import (
    Transformer,
    describe_cross_map,
    describe_decoder_map,
    describe_encoder_map,
    describe_mean_map,
)
from model.networks.transformer_layers import Norm, TransformerConfig
from model.trace import find_main_map
from model.training.losses import transformer as fused
from tests.model.networks import oracle_transformer as oracle
from tests.model.networks.tiny_networks import (
    DECODER_LAYERS,
    HEADS,
    LAYERS,
    NORMS,
    assert_close,
    build_tiny_transformer,
    get_decoder,
    run_steps,
)
from tests.model.tiny import EOS, PAD, PAIRS, V, build_batch, cycle_values, pad
from tests.model.training.losses.helpers import assert_losses_equal

every_norm = pytest.mark.parametrize("norm", NORMS)
every_decoder = pytest.mark.parametrize("decoder", ["reference", "fast"])


def get_oracle_weights(network: Transformer) -> oracle.Weights:
    """Return the state dict under the oracle's names, matrices transposed for row vectors."""
    state = {name: value.detach().numpy().copy() for name, value in network.state_dict().items()}
    weights = {"E": state.pop("embedding")}
    names = {"self_attention": "own", "cross_attention": "cross", "feed_forward": "ffn"}
    sublayers = {"encoder": ["self_attention", "feed_forward"], "decoder": list(names)}
    depths = {"encoder": LAYERS, "decoder": DECODER_LAYERS}
    for stack, kinds in sublayers.items():
        for layer, (number, kind) in itertools.product(range(depths[stack]), enumerate(kinds, 1)):
            name = f"{stack}.{layer}"
            for suffix, oracle_suffix in (("weight", "g"), ("bias", "b")):
                weights[f"{name}.norm{number}.{oracle_suffix}"] = state.pop(f"{name}.{kind}_residual.{suffix}")
            matrices = ("W_1", "b_1", "W_2", "b_2") if kind == "feed_forward" else ("W_Q", "W_K", "W_V", "W_O")
            for matrix in matrices:
                weights[f"{name}.{names[kind]}.{matrix}"] = state.pop(f"{name}.{kind}.{matrix}").T
        if network.config.norm == "pre":
            weights |= {f"{stack}.norm.g": state.pop(f"after_{stack}.weight"),
                        f"{stack}.norm.b": state.pop(f"after_{stack}.bias")}
    assert not state, f"not in the equations: {sorted(state)}"
    return weights


def run_oracle(network: Transformer, source: list[int], target: list[int]) -> oracle.ForcedResult:
    depths = LAYERS, DECODER_LAYERS
    return oracle.force_decode(get_oracle_weights(network), network.config.norm, depths, HEADS, source, target)


def get_maps(result: oracle.ForcedResult, *stacks: str) -> dict[str, oracle.Array]:
    """Return the oracle's maps of these stacks under the network's keys, with means over heads."""
    describe = {"own": describe_decoder_map, "cross": describe_cross_map, "encoder": describe_encoder_map}
    maps = {describe[stack](layer + 1, head + 1).key: values for (stack, layer, head), values in result.weights.items()
            if stack in stacks}
    for layer in range(DECODER_LAYERS if "cross" in stacks else 0):
        heads = [values for (stack, map_layer, _), values in result.weights.items()
                 if (stack, map_layer) == ("cross", layer)]
        maps[describe_mean_map(layer + 1).key] = np.mean(heads, axis=0)
    return maps


def assert_maps_close(actual: dict[str, Tensor], expected: dict[str, oracle.Array]) -> None:
    assert actual.keys() == expected.keys()
    for key, values in expected.items():
        assert_close(actual[key][0], values)


# ---- against the equations --------------------------------------------------------------------------------------


@pytest.mark.verdict
@pytest.mark.parametrize(("source", "target", "norm", "decoder"), cycle_values(
    PAIRS * 2, NORMS, ["reference", "reference", "fast", "fast"]))
def test_steps_and_teacher_forcing_equal_the_oracle(
    source: list[int], target: list[int], norm: Norm, decoder: str
) -> None:
    reference = build_tiny_transformer(norm, seed=1)
    expected, network = run_oracle(reference, source, target), get_decoder(reference, decoder)
    maps = get_maps(expected, "own", "cross")
    forced = reference(torch.tensor([source]), torch.tensor([target]))
    assert_close(forced.log_probs[0], expected.log_probs)
    assert_close(forced.states[0], expected.states)
    assert_maps_close(forced.weights, maps)
    encoder_output = network.encode(torch.tensor([source]))
    assert_maps_close(network.get_encoder_attention_weights(encoder_output), get_maps(expected, "encoder"))
    state: Any = network.start(encoder_output)
    for i, previous in enumerate([PAD, *target[:-1]]):
        result = network.step(state, torch.tensor([previous]), detail=True)
        assert_close(result.log_probs[0], expected.log_probs[i])
        assert_close(result.detail["state"][0], expected.states[i])
        assert result.weights.keys() == maps.keys()
        for key, values in result.weights.items():
            columns = i + 1 if key.startswith("decoder") else len(source)
            assert_close(values[0], maps[key][i, :columns])
        assert network.step(state, torch.tensor([previous])).detail == {}
        state = result.state


# ---- steps and search -------------------------------------------------------------------------------------------


@every_norm
@every_decoder
@torch.no_grad()
def test_state_can_be_continued_more_than_once(norm: Norm, decoder: str) -> None:
    """Over more steps than one block of the kv_cache: no continuation changes what another has written."""
    reference, source = build_tiny_transformer(norm, seed=16), build_batch()[0][:1]
    network = get_decoder(reference, decoder)
    tokens, state = [PAD], network.step(network.start(network.encode(source)), torch.tensor([PAD])).state
    for number in range(2 * CACHE_BLOCK):
        results: list[Any] = [network.step(state, torch.tensor([token])) for token in (4, 5)]
        for token, result in zip((4, 5), results, strict=True):
            actual = network.step(result.state, torch.tensor([6]))
            assert_close(actual.log_probs, run_steps(network, source, [*tokens, token, 6]).log_probs, 1e-12)
        tokens, state = [*tokens, (4, 5)[number % 2]], results[number % 2].state


# ---- overrides --------------------------------------------------------------------------------------------------


@every_decoder
@torch.no_grad()
@pytest.mark.parametrize("key", [describe_cross_map(2, 3).key, describe_decoder_map(1, 2).key])
def test_one_row_of_one_head_can_be_overridden(key: str, decoder: str) -> None:
    reference, (source, target) = build_tiny_transformer("post", seed=13), build_batch()
    network = get_decoder(reference, decoder)
    state = network.step(network.start(network.encode(source)), torch.full_like(target[:, 0], PAD)).state
    plain = network.step(state, target[:, 0])
    override = torch.full_like(plain.weights[key], torch.nan)
    override[2] = 0.0
    override[2, 0] = 1.0
    for value in (override, partial(apply_override, override=override)):
        result = network.step(state, target[:, 0], overrides={key: value})
        assert torch.equal(result.weights[key][2], override[2])
        differs = (result.log_probs != plain.log_probs).any(-1).tolist()
        assert differs == [False, False, True, False, False]


@every_decoder
@torch.no_grad()
def test_override_of_the_mean_map_applies_to_every_head(decoder: str) -> None:
    reference, (source, target) = build_tiny_transformer("pre", seed=14), build_batch()
    network, previous = get_decoder(reference, decoder), torch.full_like(target[:, 0], PAD)
    state: Any = network.start(network.encode(source))
    key, heads = describe_mean_map(2).key, [describe_cross_map(2, head).key for head in range(1, HEADS + 1)]
    plain = network.step(state, previous)
    override = torch.full_like(plain.weights[key], torch.nan)
    override[0] = 0.0
    override[0, 2] = 1.0
    result = network.step(state, previous, overrides={key: override})
    for name in (key, *heads):
        assert torch.equal(result.weights[name][0], override[0])
        assert torch.equal(result.weights[name][1:], plain.weights[name][1:])
    by_heads = network.step(state, previous, overrides=dict.fromkeys(heads, override))
    assert_close(result.log_probs, by_heads.log_probs, 1e-12)
    assert not torch.equal(result.log_probs[0], plain.log_probs[0])


def test_main_map_is_the_mean_of_the_last_layer_but_one() -> None:
    network = build_tiny_transformer("pre")
    assert find_main_map(network.maps) == describe_mean_map(DECODER_LAYERS - 1)
    keys = {described.key for described in network.maps}
    assert len(network.maps) == len(keys) == DECODER_LAYERS + (LAYERS + 2 * DECODER_LAYERS) * HEADS


# ---- training ---------------------------------------------------------------------------------------------------


@every_norm
@pytest.mark.parametrize("smoothing", [0.0, 0.3])
def test_fused_loss_and_its_gradients_equal_the_reference(norm: Norm, smoothing: float) -> None:
    network: Any = build_tiny_transformer(norm, seed=20)
    batch = build_batch()
    loss = fused.compute_loss(network, *batch, smoothing=smoothing)
    assert_losses_equal(network, loss, network.loss(*batch, smoothing))


@every_norm
def test_dropout_falls_alike_in_both_losses(norm: Norm) -> None:
    network = build_tiny_transformer(norm, dropout=0.4).train()
    losses = []
    for compute_loss in (Transformer.loss, fused.compute_loss):
        for seed in (1, 1, 2):
            torch.manual_seed(seed)
            losses.append(compute_loss(network, *build_batch()).detach())
    assert torch.equal(losses[0], losses[1])
    assert not torch.equal(losses[0], losses[2])
    for reference, fast in zip(losses[:3], losses[3:], strict=True):
        assert_close(fast, reference, 1e-9)


@every_norm
@pytest.mark.parametrize(
    ("use_bfloat16", "loss_tolerance", "gradient_tolerance"), [(False, 1e-6, 1e-5), (True, 1e-3, 8e-2)]
)
def test_fused_loss_in_low_precision_is_near_float64(
    norm: Norm, use_bfloat16: bool, loss_tolerance: float, gradient_tolerance: float
) -> None:
    """In float32 and in bfloat16; the gradient by the relative norm of the whole."""
    torch.manual_seed(28)
    network = Transformer(TransformerConfig("transformer", 200, 24, 48, 2, 2, norm, 0.0))
    lengths = torch.randint(1, 10, (2, 12)).tolist()
    source, target = (pad([[*torch.randint(3, 200, (k,)).tolist(), EOS] for k in side]) for side in lengths)
    loss = fused.compute_loss(network, source, target, use_bfloat16=use_bfloat16)
    assert torch.equal(loss, fused.compute_loss(network, source, target)) != use_bfloat16
    assert loss.dtype == torch.float32
    gradients = torch.autograd.grad(loss, list(network.parameters()))
    assert all(gradient.dtype == torch.float32 for gradient in gradients)
    exact = network.double().loss(source, target)
    assert abs(float(loss.detach() / exact.detach()) - 1) < loss_tolerance
    actual, expected = (torch.cat([gradient.flatten().double() for gradient in part])
                        for part in (gradients, torch.autograd.grad(exact, list(network.parameters()))))
    assert float((actual - expected).norm() / expected.norm()) < gradient_tolerance


# ---- construction -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("change", "message"), [
    ({"norm": "both"}, "norm is 'both'; allowed: post, pre"), ({"heads": 3}, "3 heads must share it evenly"),
    ({"hidden": 9, "heads": 3}, "must be even"), ({"layers": 0}, "layers is 0"),
    ({"decoder_layers": 0}, "decoder_layers is 0"),
    ({"feed_forward": 2.5}, r"feed_forward is 2\.5"), ({"heads": True}, "heads is True"),
    ({"dropout": 1.0}, r"dropout is 1\.0"), ({"wiring": "groundhog"}, r"unknown keys \['wiring'\]"),
])  # fmt: skip
def test_invalid_configs_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(registry.NetworkKindError, match=message):
        registry.find_kind("transformer").configure({"kind": "transformer", "vocabulary": V} | change)
