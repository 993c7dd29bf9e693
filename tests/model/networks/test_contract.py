"""What every network must do (`model.networks.base`), tested with each kind in all its settings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from model.decoding import Settings, search
from model.decoding.fast.get_decoder import get_fast_decoder
from model.networks import registry
from model.networks.base import compute_summed_loss
from tests.model.networks.tiny_networks import NETWORKS, assert_close, get_decoder, run_teacher_forcing
from tests.model.tiny import EOS, PAD, PAIRS, V, build_batch, gradcheck

FAMILIES = ["rnnsearch, groundhog", "rnnencdec, appendix", "seq2seq", "general",
            "coverage neural, copying True, equation4", "transformer, pre"]  # fmt: skip
every_network = pytest.mark.parametrize("name", NETWORKS)
every_family = pytest.mark.parametrize("name", FAMILIES)
every_decoder = pytest.mark.parametrize("decoder", ["reference", "fast"])


def compute_fused_loss(network: Any, source: Tensor, target: Tensor, smoothing: float = 0.0) -> Tensor:
    return registry.find_kind(network.config.kind).compute_loss(network, source, target, smoothing=smoothing)


def pad_right(tokens: Tensor, count: int) -> Tensor:
    return torch.cat([tokens, torch.full((len(tokens), count), PAD)], dim=1)


# ---- batches ----------------------------------------------------------------------------------------------------


@pytest.mark.verdict
@every_network
@torch.no_grad()
def test_padded_batch_equals_its_sentences(name: str) -> None:
    network, (source, target) = NETWORKS[name](seed=8), build_batch()
    axes = {described.key: (described.columns, described.rows_sum_to_one) for described in network.maps}
    for padded in (source, pad_right(source, 2)):  # the second has padding in every row
        log_probs, weights = run_teacher_forcing(network, padded, target)
        encoder_weights = network.get_encoder_attention_weights(network.encode(padded))
        for row, (x, y) in enumerate(PAIRS):
            single = torch.tensor([x]), torch.tensor([y])
            single_log_probs, single_weights = run_teacher_forcing(network, *single)
            assert_close(log_probs[row, : len(y)], single_log_probs[0], 1e-12)
            assert weights.keys() == single_weights.keys()
            for key, values in weights.items():
                columns, rows_sum_to_one = axes[key]
                width = len(x) if columns == "source" else len(y)
                assert_close(values[row, : len(y), :width], single_weights[key][0], 1e-12)
                assert not bool(values[row, : len(y), width:].any()), f"weight on padding in {key}"
                if rows_sum_to_one:
                    assert_close(values[row, : len(y)].sum(-1), torch.ones(len(y), dtype=torch.float64), 1e-12)
            for key, values in network.get_encoder_attention_weights(network.encode(single[0])).items():
                assert_close(encoder_weights[key][row, : len(x), : len(x)], values[0], 1e-12)
                assert not bool(encoder_weights[key][row, len(x) :].any())
                assert not bool(encoder_weights[key][row, :, len(x) :].any())


@every_network
@torch.no_grad()
def test_loss_is_the_cross_entropy_summed_over_target_tokens(name: str) -> None:
    network, (source, target) = NETWORKS[name](seed=9), build_batch()
    log_probs, _ = run_teacher_forcing(network, source, target)
    for smoothing in (0.0, 0.3):
        uniform = -log_probs.mean(-1)[target != PAD].sum()
        target_loss = -log_probs.gather(2, target[:, :, None])[:, :, 0][target != PAD].sum()
        expected = (1 - smoothing) * target_loss + smoothing * uniform
        assert_close(compute_summed_loss(log_probs, target, smoothing), expected, 1e-11)
        for padding in (0, 3):
            batch = pad_right(source, padding), pad_right(target, padding)
            assert_close(network.loss(*batch, smoothing), expected, 1e-10)
            assert_close(compute_fused_loss(network, *batch, smoothing), expected, 1e-9)


# ---- gradients --------------------------------------------------------------------------------------------------


@every_network
def test_gradcheck(name: str) -> None:
    network = NETWORKS[name](seed=4)
    assert gradcheck(network, type(network).loss)


@every_family
def test_embedding_of_padding_stays_zero_in_training(name: str) -> None:
    network = NETWORKS[name]()
    if not hasattr(network, "source_embedding"):
        pytest.skip("one embedding matrix for source, target and output")
    optimiser = torch.optim.Adam(network.parameters(), lr=0.1)
    for _ in range(2):
        optimiser.zero_grad()
        network.loss(*build_batch()).backward()
        optimiser.step()
    for embedding in (network.source_embedding, network.target_embedding):
        assert not bool(embedding.weight[PAD].any())
        assert bool(embedding.weight[3].any())


@every_network
def test_dropout_is_applied_in_training_only(name: str) -> None:
    network, plain_network = NETWORKS[name](dropout=0.4), NETWORKS[name]()
    assert torch.equal(network.loss(*build_batch()), plain_network.loss(*build_batch()))
    network.train()
    assert not torch.equal(network.loss(*build_batch()), network.loss(*build_batch()))


# ---- steps ------------------------------------------------------------------------------------------------------


@every_network
@every_decoder
@torch.no_grad()
def test_states_can_be_selected(name: str, decoder: str) -> None:
    reference, (source, target) = NETWORKS[name](seed=11), build_batch()
    network = get_decoder(reference, decoder)
    rows = torch.tensor([3, 0, 3, 4])
    state, selected = network.start(network.encode(source)), network.start(network.encode(source[rows]))
    for previous in (torch.full_like(target[:, 0], PAD), target[:, 0].roll(1), target[:, 0]):
        actual, expected = network.step(state.select(rows), previous[rows]), network.step(selected, previous[rows])
        assert_close(actual.log_probs, expected.log_probs, 1e-12)
        state, selected = network.step(state, previous).state, expected.state


@every_network
@torch.no_grad()
def test_fast_decoder_steps_like_the_network(name: str) -> None:
    """With several rows per sentence, overrides, reordering and removed sentences, and after the weights changed."""
    network, (source, target) = NETWORKS[name](seed=15), build_batch()
    override = torch.full((7, source.shape[1]), torch.nan, dtype=torch.float64)
    scores = torch.arange(source.shape[1], dtype=torch.float64).masked_fill(source[0] == PAD, -torch.inf)
    override[1] = torch.softmax(scores, dim=0)
    keys = [described.key for described in network.maps if described.is_target_by_source]
    for _ in range(2):
        rows, overrides = torch.tensor([0, 0, 1, 2, 2, 2, 4]), dict.fromkeys(keys, override)
        decoders: list[Any] = [network, get_fast_decoder(network)]
        assert get_fast_decoder(network) is decoders[1]  # built once for the same weights
        states = [decoder.start(decoder.encode(source)).select(rows) for decoder in decoders]
        previous = torch.full_like(rows, PAD)
        for number in range(6):
            if number == 2:
                states = [state.reorder(torch.tensor([1, 0, 2, 5, 4, 4, 6])) for state in states]
            if number == 4:
                remaining = torch.tensor([1, 4, 5])
                states = [state.select(remaining) for state in states]
                rows, previous = rows[remaining], previous[remaining]
                overrides = dict.fromkeys(keys, override[remaining])
            expected, actual = (decoder.step(state, previous, detail=True, overrides=overrides)
                                for decoder, state in zip(decoders, states, strict=True))
            assert_close(actual.log_probs, expected.log_probs, 1e-12)
            assert list(actual.weights) == list(expected.weights)
            assert actual.detail.keys() == expected.detail.keys()
            for key, values in {**expected.weights, **expected.detail}.items():
                mask = source[rows] != PAD if key == "energies" else ...
                assert_close({**actual.weights, **actual.detail}[key][mask], values[mask], 1e-12)
            states, previous = [expected.state, actual.state], target[rows, number]
        for parameter in network.parameters():
            parameter.mul_(1.1)


@every_family
@pytest.mark.parametrize("beam", [1, 4])
@torch.no_grad()
def test_hypotheses_of_a_batch_score_as_when_forced(name: str, beam: int) -> None:
    network, sources = NETWORKS[name](), [source for source, _ in PAIRS]
    settings = Settings(beam=beam, n_best=beam)
    for source, hypotheses in zip(sources, search(network, sources, settings), strict=True):
        (expected,) = search(network, [source], settings)
        assert [one.tokens for one in hypotheses] == [one.tokens for one in expected]
        encoder_weights = network.get_encoder_attention_weights(network.encode(torch.tensor([source])))
        for hypothesis in hypotheses:
            target = torch.tensor([hypothesis.tokens])
            log_probs, weights = run_teacher_forcing(network, torch.tensor([source]), target)
            token_log_probs = log_probs[0].gather(1, target.T)[:, 0]
            np.testing.assert_allclose(hypothesis.log_probs, token_log_probs, atol=1e-9)
            assert list(hypothesis.weights) == [described.key for described in network.maps]
            for key, values in hypothesis.weights.items():
                np.testing.assert_allclose(values, (weights | encoder_weights)[key][0], atol=1e-9)


# ---- errors -----------------------------------------------------------------------------------------------------


@every_family
@pytest.mark.parametrize(("source", "target", "message"), [
    (torch.zeros(1, 0, dtype=torch.int64), torch.tensor([[EOS]]), "empty"),
    (torch.tensor([[4, EOS], [PAD, PAD]]), torch.tensor([[EOS], [EOS]]), "empty"),
    (torch.tensor([[PAD, 4, EOS]]), torch.tensor([[EOS]]), "padding before its end"),
    (torch.tensor([[2, PAD, 9, EOS]]), torch.tensor([[EOS]]), "padding before its end"),
    (torch.tensor([4, EOS]), torch.tensor([[EOS], [EOS]]), r"\(2,\)"),
    (torch.tensor([[4, V, EOS]]), torch.tensor([[EOS]]), "13"),
    (torch.tensor([[4, EOS]]), torch.tensor([[-3, EOS]]), "-3"),
    (torch.tensor([[4, EOS]]), torch.tensor([[4, EOS], [5, EOS]]), r"\(1, 2\).*\(2, 2\)"),
    (torch.tensor([[4, EOS]]), torch.zeros(1, 0, dtype=torch.int64), r"\(1, 0\)"),
])  # fmt: skip
def test_malformed_batches_are_refused(name: str, source: Tensor, target: Tensor, message: str) -> None:
    """To a network that copies, ids from V up are unknown words of the source."""
    if message == "13" and "copying True" in name:
        log_probs, _ = run_teacher_forcing(NETWORKS[name](), source, target)
        assert log_probs.shape[-1] == V + 1
        return
    with pytest.raises(ValueError, match=message):
        NETWORKS[name]()(source, target)


@every_family
def test_step_refuses_malformed_tokens(name: str) -> None:
    network = NETWORKS[name]()
    state = network.start(network.encode(torch.tensor([[4, EOS]])))
    unknown_cases = [] if "copying True" in name else [([V], "13")]
    for token, message in (*unknown_cases, ([-1], "-1"), ([1, 2], "one token a row"), ([[2]], "one token a row"),
                           (2, "one token a row"), ([2.0], "int64")):
        with pytest.raises(ValueError, match=message):
            network.step(state, torch.tensor(token))
