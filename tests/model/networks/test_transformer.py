"""The Transformer against an independent numpy version of its equations, and what else is known of it beforehand."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any, get_args

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.func import functional_call

from model.decoding import Settings, search
from model.decoding import settings as settings_module
from model.decoding.fast.get_decoder import get_fast_decoder
from model.decoding.fast.transformer import CACHE_BLOCK
from model.networks import registry
from model.networks.base import AttentionOverrides, apply_override
from model.networks.transformer import (
    Transformer,
    describe_cross_map,
    describe_decoder_map,
    describe_encoder_map,
    describe_mean_map,
)
from model.networks.transformer_layers import Norm, TransformerConfig, compute_positions, fused_attention
from model.trace import find_main_map
from model.training.losses import transformer as transformer_fast
from tests.model.networks import oracle_transformer as oracle
from tests.model.networks.test_rnnsearch import same
from tests.model.tiny import EOS, PAD, PAIRS, V, build_batch, pad

NORMS: tuple[Norm, ...] = get_args(Norm)
D, F, HEADS, LAYERS = 6, 10, 3, 3
every = pytest.mark.parametrize("norm", NORMS)
losses = pytest.mark.parametrize("loss", [Transformer.loss, transformer_fast.compute_loss], ids=["plain", "fast"])
ways = pytest.mark.parametrize("way", ["its own", "for search"])
Loss = Callable[[Transformer, Tensor, Tensor], Tensor]


def tiny(norm: Norm, seed: int = 0, dropout: float = 0.0) -> Transformer:
    """A float64 network in evaluation mode whose weights are large enough for every nonlinearity to bend."""
    network = (
        registry.build_network(TransformerConfig("transformer", V, D, F, HEADS, LAYERS, norm, dropout)).double().eval()
    )
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            gain = name.endswith("weight")
            size = 1.4 / parameter.shape[-1] ** 0.5 if parameter.dim() == 2 else 0.3
            parameter.normal_(1.0 if gain else 0.0, size, generator=generator)
    assert isinstance(network, Transformer)
    return network


def stepping(network: Transformer, way: str) -> Any:
    """The network, or what search goes through."""
    return network if way == "its own" else get_fast_decoder(network)


def weights_of(network: Transformer) -> oracle.Weights:
    """The state dict under the oracle's names, matrices as a row vector takes them."""
    state = {name: value.detach().numpy().copy() for name, value in network.state_dict().items()}
    weights = {"E": state.pop("embedding")}
    names = {"self_attention": "own", "cross_attention": "cross", "feed_forward": "ffn"}
    sublayers = {"encoder": ["self_attention", "feed_forward"], "decoder": list(names)}
    for stack, kinds in sublayers.items():
        for layer, (number, kind) in itertools.product(range(LAYERS), enumerate(kinds, 1)):
            name = f"{stack}.{layer}"
            for theirs, ours in (("weight", "g"), ("bias", "b")):
                weights[f"{name}.norm{number}.{ours}"] = state.pop(f"{name}.{kind}_residual.{theirs}")
            matrices = ("W_1", "b_1", "W_2", "b_2") if kind == "feed_forward" else ("W_Q", "W_K", "W_V", "W_O")
            for one in matrices:
                weights[f"{name}.{names[kind]}.{one}"] = state.pop(f"{name}.{kind}.{one}").T
        if network.config.norm == "pre":
            weights |= {f"{stack}.norm.g": state.pop(f"after_{stack}.weight"),
                        f"{stack}.norm.b": state.pop(f"after_{stack}.bias")}
    assert not state, f"not in the equations: {sorted(state)}"
    return weights


def told(network: Transformer, source: list[int], target: list[int]) -> oracle.Seen:
    return oracle.forced(weights_of(network), network.config.norm, LAYERS, HEADS, source, target)


def by_key(truth: oracle.Seen, stacks: tuple[str, ...] = ("own", "cross")) -> dict[str, oracle.Array]:
    """The oracle's maps under the network's keys, the means of heads among them."""
    made = {"own": describe_decoder_map, "cross": describe_cross_map, "encoder": describe_encoder_map}
    found = {made[stack](layer + 1, head + 1).key: values for (stack, layer, head), values in truth.weights.items()
             if stack in stacks}
    for layer in range(LAYERS if "cross" in stacks else 0):
        heads = [values for (stack, at, _), values in truth.weights.items() if (stack, at) == ("cross", layer)]
        found[describe_mean_map(layer + 1).key] = np.mean(heads, axis=0)
    return found


# --- against the equations


@pytest.mark.verdict
@every
@pytest.mark.parametrize("pair", PAIRS)
def test_teacher_forcing_is_the_oracle(norm: Norm, pair: tuple[list[int], list[int]]) -> None:
    network, (source, target) = tiny(norm), pair
    truth, ours = told(network, source, target), network(torch.tensor([source]), torch.tensor([target]))
    same(ours.log_probs[0], truth.log_probs)
    same(ours.states[0], truth.states)
    expected = by_key(truth)
    assert ours.weights.keys() == expected.keys()
    for key, values in expected.items():
        same(ours.weights[key][0], values)
    between = network.encoder_attention_weights(network.encode(torch.tensor([source])))
    expected = by_key(truth, ("encoder",))
    assert between.keys() == expected.keys()
    for key, values in expected.items():
        same(between[key][0], values)


@pytest.mark.verdict
@every
@ways
@pytest.mark.parametrize("pair", PAIRS)
def test_steps_are_the_oracle(norm: Norm, pair: tuple[list[int], list[int]], way: str) -> None:
    """Keys and values of the past are kept; nothing of it is computed again."""
    made, (source, target) = tiny(norm, seed=1), pair
    truth, network = told(made, source, target), stepping(made, way)
    expected = by_key(truth)
    memory = network.encode(torch.tensor([source]))
    for key, values in by_key(truth, ("encoder",)).items():
        same(network.encoder_attention_weights(memory)[key][0], values)
    state: Any = network.start(memory)
    for i, previous in enumerate([PAD, *target[:-1]]):
        result = network.step(state, torch.tensor([previous]), detail=True)
        same(result.log_probs[0], truth.log_probs[i])
        same(result.detail["state"][0], truth.states[i])
        assert result.weights.keys() == expected.keys()
        for key, values in result.weights.items():
            columns = i + 1 if key.startswith("decoder") else len(source)
            same(values[0], expected[key][i, :columns])
        bare = network.step(state, torch.tensor([previous]))
        assert bare.detail == {}
        same(bare.log_probs, result.log_probs, 0.0)
        state = result.state


@pytest.mark.verdict
@every
@losses
def test_the_loss_is_the_oracles(norm: Norm, loss: Loss) -> None:
    network = tiny(norm, seed=2)
    truth = sum(float(told(network, *pair).log_probs[range(len(pair[1])), pair[1]].sum()) for pair in PAIRS)
    same(loss(network, *build_batch()).detach(), np.float64(-truth))


@every
@losses
def test_gradcheck(norm: Norm, loss: Loss) -> None:
    """The gradient in all parameters is the slope of the loss, on a small padded batch."""
    network = tiny(norm, seed=4)

    class Module(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, source: Tensor, target: Tensor) -> Tensor:
            return loss(self.network, source, target)

    module = Module()
    names, values = zip(*module.named_parameters(), strict=True)
    pieces = pad([[5, 3, EOS], [EOS]]), pad([[4, EOS], [9, 9, EOS]])

    def of_parameters(*given: Tensor) -> Tensor:
        result: Tensor = functional_call(module, dict(zip(names, given, strict=True)), pieces)
        return result

    assert torch.autograd.gradcheck(of_parameters, values, fast_mode=True)


@every
def test_no_parameter_is_without_influence(norm: Norm) -> None:
    network = tiny(norm, seed=5)
    transformer_fast.compute_loss(network, *build_batch()).backward()
    for name, parameter in network.named_parameters():
        assert parameter.grad is not None
        assert float(parameter.grad.abs().max()) > 1e-4, name


def test_the_tiny_networks_are_far_from_linear() -> None:
    """The comparisons above would prove little with weights so small that all looks are even."""
    for norm in NORMS:
        truths = [told(tiny(norm), *pair) for pair in PAIRS]
        looks = np.concatenate([values.ravel() for truth in truths for values in truth.weights.values()
                                if values.shape[1] > 1])
        assert np.quantile(looks[looks > 0], 0.05) < 0.02
        assert np.quantile(looks, 0.95) > 0.7


def test_positions_are_the_papers() -> None:
    for count in (1, 3, 256, 257):
        made = compute_positions(count, D, torch.float64, torch.device("cpu"))
        same(made, np.array([oracle.position(pos, D) for pos in range(count)]), 1e-12)


# --- batches, and what comes later


@every
def test_a_padded_batch_equals_its_sentences(norm: Norm) -> None:
    network = tiny(norm, seed=8)
    source, target = build_batch()
    wide = torch.cat([source, torch.full((len(source), 2), PAD)], dim=1)  # padding in every row
    for given in (source, wide):
        together = network(given, target)
        between = network.encoder_attention_weights(network.encode(given))
        for row, (x, y) in enumerate(PAIRS):
            alone = network(torch.tensor([x]), torch.tensor([y]))
            same(together.log_probs[row, : len(y)], alone.log_probs[0], 1e-12)
            for key, weights in together.weights.items():
                columns = len(y) if key.startswith("decoder") else len(x)
                same(weights[row, : len(y), :columns], alone.weights[key][0], 1e-12)
                assert not bool(weights[row, : len(y), columns:].any()), "weight on padding or on what comes later"
                same(weights[row].sum(-1), torch.ones(target.shape[1], dtype=torch.float64), 1e-12)
            for key, weights in network.encoder_attention_weights(network.encode(torch.tensor([x]))).items():
                same(between[key][row, : len(x), : len(x)], weights[0], 1e-12)
                assert not bool(between[key][row, len(x) :].any())
                assert not bool(between[key][row, :, len(x) :].any())


@every
@losses
def test_padding_adds_nothing_to_the_loss(norm: Norm, loss: Loss) -> None:
    network, (source, target) = tiny(norm, seed=9), build_batch()
    apart = [loss(network, torch.tensor([x]), torch.tensor([y])) for x, y in PAIRS]
    same(loss(network, source, target), torch.stack(apart).sum(), 1e-11)
    more = torch.full((len(source), 3), PAD)
    same(loss(network, torch.cat([source, more], 1), torch.cat([target, more], 1)), torch.stack(apart).sum(), 1e-11)


@pytest.mark.verdict
@every
@torch.no_grad()
def test_a_later_piece_of_the_target_changes_nothing_earlier(norm: Norm) -> None:
    network, source = tiny(norm, seed=10), torch.tensor([PAIRS[0][0]])
    for k in range(5):
        pieces = [4, 8, 9, 10, 3, EOS]
        other = [*pieces[:k], 12, *pieces[k + 1 :]]
        one, two = (network(source, torch.tensor([given])) for given in (pieces, other))
        changed = (one.log_probs != two.log_probs).any(-1)[0]
        assert not bool(changed[: k + 1].any())
        assert bool(changed[k + 1 :].all())
        for key in one.weights:
            assert torch.equal(one.weights[key][0, : k + 1], two.weights[key][0, : k + 1])


def after(network: Any, source: Tensor, pieces: list[int]) -> Any:
    """The step after the last of these pieces, from the beginning of a sentence (1, source)."""
    state = network.start(network.encode(source))
    for piece in pieces[:-1]:
        state = network.step(state, torch.tensor([piece])).state
    return network.step(state, torch.tensor([pieces[-1]]))


@every
@ways
@torch.no_grad()
def test_states_are_picked_and_reordered(norm: Norm, way: str) -> None:
    made = tiny(norm, seed=11)
    network = stepping(made, way)
    source, target = build_batch()
    rows = torch.tensor([3, 0, 3, 4])
    whole: Any = network.start(network.encode(source))
    picked: Any = network.start(network.encode(source[rows]))
    for previous in (torch.full_like(target[:, 0], PAD), target[:, 0].roll(1), target[:, 0]):
        ours, theirs = network.step(whole.select(rows), previous[rows]), network.step(picked, previous[rows])
        same(ours.log_probs, theirs.log_probs, 1e-12)
        whole, picked = network.step(whole, previous).state, theirs.state
    # Hypotheses of one sentence trade places: the memory may stay, the keys and values of each move with it.
    state: Any = network.start(network.encode(source[:1].repeat(3, 1)))
    history = [[PAD, 4], [PAD, 5], [PAD, 6]]
    for pieces in zip(*history, strict=True):
        state = network.step(state, torch.tensor(pieces)).state
    order, pieces = torch.tensor([2, 0, 0]), (7, 8, 9)
    for moved in (state.reorder(order), state.select(order)):
        result = network.step(moved, torch.tensor(pieces))
        for row, piece in enumerate(pieces):
            alone = after(network, source[:1], [*history[int(order[row])], piece])
            same(result.log_probs[row], alone.log_probs[0], 1e-12)


@every
@ways
@torch.no_grad()
def test_a_state_may_be_gone_on_from_more_than_once(norm: Norm, way: str) -> None:
    """Over more steps than room is made for at once: neither way changes what the other has written."""
    made = tiny(norm, seed=16)
    network = stepping(made, way)
    source = build_batch()[0][:1]

    written, state = [PAD], network.step(network.start(network.encode(source)), torch.tensor([PAD])).state
    for number in range(2 * CACHE_BLOCK):
        both: list[Any] = [network.step(state, torch.tensor([piece])) for piece in (4, 5)]
        for piece, one in zip((4, 5), both, strict=True):
            same(network.step(one.state, torch.tensor([6])).log_probs,
                 after(network, source, [*written, piece, 6]).log_probs, 1e-12)
        taken = number % 2
        written, state = [*written, (4, 5)[taken]], both[taken].state


@every
@torch.no_grad()
def test_search_steps_through_a_padded_batch_as_the_network_does(norm: Norm) -> None:
    """Rows of several sentences and several rows of one; with some weights changed; after the weights have changed."""
    network = tiny(norm, seed=15)
    source, target = build_batch()
    rows = torch.tensor([0, 0, 1, 2, 2, 2, 4])
    given = torch.full((len(rows), source.shape[1]), torch.nan, dtype=torch.float64)
    given[1] = torch.softmax(torch.arange(source.shape[1], dtype=torch.float64), dim=0)
    alpha = {describe_cross_map(1, 2).key: given, describe_mean_map(3).key: given}
    for _ in range(2):
        both = (network, get_fast_decoder(network))
        states: list[Any] = [one.start(one.encode(source)).select(rows) for one in both]
        previous = torch.full_like(target[rows, 0], PAD)
        for number, piece in enumerate(target[rows].unbind(1)):
            order = torch.tensor([1, 0, 2, 5, 4, 4, 6])
            states = [state.reorder(order) for state in states] if number == 2 else states
            if number == 4:
                kept = torch.tensor([1, 4, 5])
                states, previous, piece = [state.select(kept) for state in states], previous[kept], piece[kept]
                alpha, rows = {key: values[kept] for key, values in alpha.items()}, rows[kept]
            own, quick = (one.step(state, previous, detail=True, overrides=alpha)
                          for one, state in zip(both, states, strict=True))
            same(quick.log_probs, own.log_probs, 1e-12)
            assert list(quick.weights) == list(own.weights)
            assert list(quick.detail) == list(own.detail)
            for name in own.weights:
                same(quick.weights[name], own.weights[name], 1e-12)
            for name in own.detail:
                same(quick.detail[name], own.detail[name], 1e-12)
            states, previous = [own.state, quick.state], piece
            if number == 4:
                break
        for parameter in network.parameters():
            parameter.mul_(1.1)
        rows, alpha = (
            torch.tensor([0, 0, 1, 2, 2, 2, 4]),
            {describe_cross_map(1, 2).key: given, describe_mean_map(3).key: given},
        )


def test_a_network_is_made_ready_for_search_once() -> None:
    network = tiny("pre")
    ready = get_fast_decoder(network)
    assert get_fast_decoder(network) is ready
    with torch.no_grad():
        network.embedding.add_(0.1)
    assert get_fast_decoder(network) is not ready


# --- search


@every
@pytest.mark.parametrize("width", [1, 4])
def test_search_over_a_batch_equals_its_sentences(norm: Norm, width: int) -> None:
    """Every hypothesis looks and scores as when it is forced, however the beam was reordered."""
    network, settings = tiny(norm), Settings(beam=width, n_best=width)
    for (source, _), found in zip(PAIRS, search(network, [source for source, _ in PAIRS], settings), strict=True):
        (alone,) = search(network, [source], settings)
        for one, other in zip(found, alone, strict=True):
            assert (one.tokens, one.is_finished) == (other.tokens, other.is_finished)
            with torch.no_grad():
                forced = network(torch.tensor([source]), torch.tensor([one.tokens]))
            rows = forced.log_probs[0, torch.arange(len(one.tokens)), list(one.tokens)]
            np.testing.assert_allclose(one.log_probs, rows, atol=1e-9)
            between = network.encoder_attention_weights(network.encode(torch.tensor([source])))
            assert list(one.weights) == [described.key for described in network.maps]
            for key, weights in one.weights.items():
                np.testing.assert_allclose(weights, (forced.weights | between)[key].detach()[0], atol=1e-9)


@pytest.mark.verdict
@every
def test_a_beam_that_holds_everything_finds_all_there_is_in_its_order(
    norm: Norm, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against every target of up to three pieces over a vocabulary of six, each forced alone."""
    monkeypatch.setattr(settings_module, "MIN_TARGET_LIMIT", 3)
    network = registry.build_network(TransformerConfig("transformer", 6, D, F, HEADS, 2, norm, 0.0)).double().eval()
    source, free = [3, 5, 4, EOS], [3, 4, 5]
    ended = [[*begun, EOS] for length in range(3) for begun in itertools.product(free, repeat=length)]
    broken_off = [list(begun) for begun in itertools.product(free, repeat=3)]
    settings = Settings(beam=40, n_best=40, max_ratio=0.5, length_penalty="none")
    (found,) = search(network, [source], settings)

    def ranked(targets: list[list[int]]) -> list[tuple[float, list[int]]]:
        with torch.no_grad():
            values = [network(torch.tensor([source]), torch.tensor([one])).log_probs[0] for one in targets]
        sums = [float(value[range(len(one)), one].sum()) for value, one in zip(values, targets, strict=True)]
        return sorted(zip(sums, targets, strict=True), reverse=True)

    expected = ranked(ended) + ranked(broken_off)
    assert [list(one.tokens) for one in found] == [target for _, target in expected]
    np.testing.assert_allclose([one.total_log_prob for one in found], [value for value, _ in expected], atol=1e-9)


# --- changed attention


@ways
@torch.no_grad()
def test_own_weights_given_back_change_nothing_to_the_bit(way: str) -> None:
    made = tiny("pre", seed=12)
    network = stepping(made, way)
    source, target = build_batch()
    state: Any = network.start(network.encode(source))
    previous = torch.full_like(target[:, 0], PAD)
    for piece in target.unbind(1):
        plain = network.step(state, previous)
        again = network.step(state, previous, overrides=plain.weights)
        assert torch.equal(plain.log_probs, again.log_probs)
        for key, weights in plain.weights.items():
            assert torch.equal(weights, again.weights[key])
        state, previous = plain.state, piece


@ways
@torch.no_grad()
@pytest.mark.parametrize("key", [describe_cross_map(2, 3).key, describe_decoder_map(1, 2).key])
def test_one_row_of_one_head_can_be_changed(key: str, way: str) -> None:
    made, (source, target) = tiny("post", seed=13), build_batch()
    network = stepping(made, way)
    state: Any = network.start(network.encode(source))
    for written, previous in enumerate((torch.full_like(target[:, 0], PAD), target[:, 0])):
        plain = network.step(state, previous)
        given = torch.full_like(plain.weights[key], torch.nan)
        given[2] = 0.0
        given[2, 0] = 1.0
        ways: list[AttentionOverrides] = [{key: given}, {key: partial(apply_override, override=given)}]
        for alpha in ways:
            changed = network.step(state, previous, overrides=alpha)
            assert torch.equal(changed.weights[key][2], given[2])
            for row in (0, 1, 3, 4):
                assert torch.equal(changed.log_probs[row], plain.log_probs[row])
            moved = not torch.equal(changed.log_probs[2], plain.log_probs[2])
            assert moved == (key.startswith("cross") or written > 0)  # the first step has itself alone to look at
        state = plain.state


@ways
@torch.no_grad()
def test_a_row_of_the_mean_becomes_that_of_every_head(way: str) -> None:
    made, (source, target) = tiny("pre", seed=14), build_batch()
    network = stepping(made, way)
    state: Any = network.start(network.encode(source))
    key, heads = describe_mean_map(2).key, [describe_cross_map(2, head).key for head in range(1, HEADS + 1)]
    plain = network.step(state, torch.full_like(target[:, 0], PAD))
    given = torch.full_like(plain.weights[key], torch.nan)
    given[0] = 0.0
    given[0, 2] = 1.0
    changed = network.step(state, torch.full_like(target[:, 0], PAD), overrides={key: given})
    for one in (key, *heads):
        assert torch.equal(changed.weights[one][0], given[0])
        assert torch.equal(changed.weights[one][1:], plain.weights[one][1:])
    each = network.step(state, torch.full_like(target[:, 0], PAD), overrides=dict.fromkeys(heads, given))
    same(changed.log_probs, each.log_probs, 1e-12)
    assert not torch.equal(changed.log_probs[0], plain.log_probs[0])


def test_the_map_that_is_seen_first_is_the_mean_of_the_last_layer_but_one() -> None:
    network = tiny("pre")
    assert find_main_map(network.maps) == describe_mean_map(LAYERS - 1)
    assert len(network.maps) == LAYERS + 3 * LAYERS * HEADS == len({one.key for one in network.maps})


@torch.no_grad()
def test_what_the_source_is_embedded_as_can_be_given() -> None:
    network, source = tiny("post"), torch.tensor([PAIRS[0][0]])
    own = network.embed_source(source).detach()
    assert own.shape == (*source.shape, D)
    same(network.encode(source, own).annotations, network.encode(source).annotations, 0.0)
    mask, annotations = network.annotate(source)
    assert bool(mask.all())
    same(annotations, network.encode(source).annotations, 1e-12)
    other = network.encode(source, 2 * own).annotations
    assert float((other - annotations).abs().max()) > 0.01


# --- training


@every
@pytest.mark.parametrize("smoothing", [0.0, 0.3])
def test_the_fast_loss_is_the_plain_one(norm: Norm, smoothing: float) -> None:
    network = tiny(norm, seed=20)
    names, parameters = zip(*network.named_parameters(), strict=True)
    ours = transformer_fast.compute_loss(network, *build_batch(), smoothing=smoothing)
    plain = network.loss(*build_batch(), smoothing)
    same(ours.detach(), plain.detach())
    for name, one, other in zip(names, torch.autograd.grad(ours, parameters), torch.autograd.grad(plain, parameters),
                                strict=True):
        assert float((one - other).abs().max()) < 1e-9, name


@every
def test_dropout_is_on_embeddings_and_sublayers_while_training(norm: Norm) -> None:
    network, without = tiny(norm, dropout=0.4), tiny(norm)
    assert torch.equal(network.loss(*build_batch()), without.loss(*build_batch()))
    network.train()
    seeds = []
    for loss in (Transformer.loss, transformer_fast.compute_loss):
        for seed in (1, 1, 2):
            torch.manual_seed(seed)
            seeds.append(loss(network, *build_batch()).detach())
    assert torch.equal(seeds[0], seeds[1])
    assert not torch.equal(seeds[0], seeds[2])
    for plain, fast in zip(seeds[:3], seeds[3:], strict=True):  # it falls in the same places
        same(fast, plain, 1e-9)


@every
@pytest.mark.parametrize(("half", "loss_off", "gradient_off"), [(False, 1e-6, 1e-5), (True, 1e-3, 8e-2)])
def test_rounding_stays_small(
    norm: Norm, half: bool, loss_off: float, gradient_off: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In float32, and with bfloat16 factors, against float64: relative to the loss and to the whole gradient's norm."""
    looked = []

    def attend(q: Tensor, *others: Any) -> tuple[Tensor, None]:
        looked.append(q.dtype)
        return fused_attention(q, *others)

    monkeypatch.setattr(transformer_fast, "fused_attention", attend)
    torch.manual_seed(28)
    network = Transformer(TransformerConfig("transformer", 200, 24, 48, 2, 2, norm, 0.0))
    lengths = torch.randint(1, 10, (2, 12)).tolist()
    source, target = (pad([[*torch.randint(3, 200, (k,)).tolist(), EOS] for k in side]) for side in lengths)
    ours = transformer_fast.compute_loss(network, source, target, half=half)
    # The output layer rounds too: what is not rounded in the layers before would not show in the loss.
    assert looked == [torch.bfloat16 if half else torch.float32] * (2 + 2 * 2)
    assert torch.equal(ours, transformer_fast.compute_loss(network, source, target)) != half
    assert ours.dtype == torch.float32
    found = torch.autograd.grad(ours, list(network.parameters()))
    exact = network.double().loss(source, target)
    assert abs(float(ours.detach() / exact.detach()) - 1) < loss_off
    expected = torch.autograd.grad(exact, list(network.parameters()))
    assert all(one.dtype == torch.float32 for one in found)
    apart = [one - other for one, other in zip(found, expected, strict=True)]
    off, whole = (float(torch.cat([one.flatten() for one in part]).norm()) for part in (apart, expected))
    assert off / whole < gradient_off


@every
def test_it_learns_by_heart(norm: Norm) -> None:
    network = Transformer(TransformerConfig("transformer", V, 16, 32, 2, 2, norm, 0.0))
    network.initialise(torch.Generator().manual_seed(31))
    optimiser = torch.optim.Adam(network.parameters(), lr=0.01)
    for _ in range(150):
        optimiser.zero_grad()
        transformer_fast.compute_loss(network, *build_batch()).backward()
        optimiser.step()
    with torch.no_grad():
        assert float(network.loss(*build_batch())) < 3.0  # of 20 pieces' 51 nats at the start


# --- how it is built


def test_parameter_counts() -> None:
    """The paper's base model has 65 million with 37,000 pieces; and by hand, for small sizes."""
    attention, feed_forward, norm = 4 * D * D, 2 * D * F + F + D, 2 * D
    layers = LAYERS * (3 * attention + 2 * feed_forward + 5 * norm)
    count = {one: sum(parameter.numel() for parameter in tiny(one).parameters()) for one in NORMS}
    assert count == {"post": V * D + layers, "pre": V * D + layers + 2 * norm}
    with torch.device("meta"):
        base = Transformer(TransformerConfig("transformer", 37_000))
    assert 62e6 < sum(parameter.numel() for parameter in base.parameters()) < 66e6


def test_initialisation_repeats_with_its_generator() -> None:
    made = [Transformer(TransformerConfig("transformer", V, 16, 32, 4, 2)) for _ in range(3)]
    for network, seed in zip(made, (1, 1, 2), strict=True):
        network.initialise(torch.Generator().manual_seed(seed))
    for (name, a), b, c in zip(made[0].named_parameters(), made[1].parameters(), made[2].parameters(), strict=True):
        assert torch.equal(a, b)
        assert (a.dim() == 2) != torch.equal(a, c), name


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"norm": "both"}, "norm is 'both'; allowed: post, pre"),
        ({"heads": 3}, "3 heads must share it evenly"),
        ({"hidden": 9, "heads": 3}, "must be even"),
        ({"layers": 0}, "layers is 0"),
        ({"feed_forward": 2.5}, r"feed_forward is 2\.5"),
        ({"heads": True}, "heads is True"),
        ({"dropout": 1.0}, r"dropout is 1\.0"),
        ({"wiring": "groundhog"}, r"unknown keys \['wiring'\]"),
    ],
)
def test_configurations_that_cannot_be_are_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(registry.NetworkKindError, match=says):
        registry.find_kind("transformer").configure({"kind": "transformer", "vocabulary": V} | change)


def test_pieces_that_cannot_be_are_refused() -> None:
    network = tiny("pre")
    state = network.start(network.encode(torch.tensor([[4, EOS]])))
    for pieces, says in (([V], "13"), ([-1], "-1"), ([1, 2], "one token a row"), ([2.0], "int64")):
        with pytest.raises(ValueError, match=says):
            network.step(state, torch.tensor(pieces))
    with pytest.raises(ValueError, match="padding before its end"):
        network.encode(torch.tensor([[2, PAD, 9, EOS]]))
    with pytest.raises(ValueError, match="do not pair up"):
        network(torch.tensor([[4, EOS]]), torch.tensor([[EOS], [EOS]]))
