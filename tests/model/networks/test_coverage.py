"""Coverage and copying against a numpy version of their equations, warm starts, and the fused loss."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from model.networks import registry
from model.networks.base import shift_target
from model.networks.coverage import COVERAGE, CoverageKind, CoverageRNNsearch
from model.networks.equations.coverage import build_coverage_equations
from model.networks.rnnsearch import ATTENTION, RNNsearch, RNNsearchConfig, Wiring
from model.trace import find_main_map
from model.training.losses import common
from model.training.losses import coverage as fused
from tests.model.networks import oracle_coverage as oracle
from tests.model.networks.test_rnnsearch import get_oracle_weights
from tests.model.networks.tiny_networks import (
    COVERAGE_SIZE,
    COVERAGE_VARIANTS,
    assert_close,
    build_coverage_network,
    build_tiny_coverage_network,
    get_decoder,
)
from tests.model.tiny import EOS, PAD, PAIRS, WIRINGS, A, L, M, N, V, build_batch, build_tiny_network, cycle_values, pad
from tests.model.training.losses.helpers import assert_losses_equal, compute_gradients, round_in_loops_only

BUILDS = [(*variant, wiring) for variant in COVERAGE_VARIANTS for wiring in WIRINGS]
every_variant_and_a_wiring = pytest.mark.parametrize(
    ("coverage", "copying", "wiring"), cycle_values(COVERAGE_VARIANTS, WIRINGS)
)


def run_oracle(network: CoverageRNNsearch, source: list[int], target: list[int]) -> oracle.ForcedResult:
    config, size = network.config, COVERAGE_SIZE
    state = {name: value.detach().numpy().copy() for name, value in network.state_dict().items()}
    plain = RNNsearch(RNNsearchConfig("rnnsearch", V, M, N, A, L, config.wiring)).double()
    plain.load_state_dict({name: value for name, value in network.state_dict().items() if name in plain.state_dict()})
    added_weights = {name: value for name, value in state.items() if name not in plain.state_dict()}
    weights = get_oracle_weights(plain) | added_weights
    if config.coverage == "neural":
        parts = {"_z": slice(size), "_r": slice(size, 2 * size), "": slice(2 * size, None)}
        weights |= {f"cover.W{name}": state["cover.W"][rows] for name, rows in parts.items()}
        weights |= {f"cover.U{name}": state["cover.U_gates"][rows] for name, rows in parts.items() if name}
    return oracle.force_decode(weights, source, target, config.wiring, config.coverage, config.copying,
                               config.fertility)


# ---- against the equations --------------------------------------------------------------------------------------


@pytest.mark.verdict
@pytest.mark.parametrize(
    ("coverage", "copying", "wiring", "decoder", "pair"), cycle_values(BUILDS, ["reference", "fast"], PAIRS)
)
def test_steps_and_teacher_forcing_equal_the_oracle(
    coverage: CoverageKind, copying: bool, wiring: Wiring, decoder: str, pair: tuple[list[int], list[int]]
) -> None:
    reference, (source, target) = build_tiny_coverage_network(coverage, copying, wiring, seed=1), pair
    expected, network = run_oracle(reference, source, target), get_decoder(reference, decoder)
    forced = reference(torch.tensor([source]), torch.tensor([target]))
    assert_close(forced.log_probs[0], expected.log_probs)
    assert_close(forced.weights[ATTENTION.key][0], expected.alphas)
    assert (COVERAGE.key in forced.weights) == (coverage in ("sum", "linguistic"))
    if COVERAGE.key in forced.weights:
        assert_close(forced.weights[COVERAGE.key][0], expected.coverage[:, :, 0])
    state = network.start(network.encode(torch.tensor([source])))
    for i, previous in enumerate([PAD, *target[:-1]]):
        result = network.step(state, torch.tensor([previous]), detail=True)
        assert_close(result.log_probs[0], expected.log_probs[i])
        assert list(result.weights) == [described.key for described in network.maps]
        for key, values in result.weights.items():
            assert_close(values[0], expected.alphas[i] if key == ATTENTION.key else expected.coverage[i, :, 0])
        assert ("p_gen" in result.detail) == copying
        if copying:
            assert_close(result.detail["p_gen"][0], expected.p_gen[i : i + 1])
        state = result.state


UNKNOWN_PAIRS = [([V, 7, V + 1, V, EOS], [V, 6, V + 1, EOS]), ([5, V, EOS], [2, V, 5, V, EOS])]
"""Ids from V up are unknown words of the source; an unknown word that is not in the source is UNK, 2."""


@pytest.mark.verdict
@pytest.mark.parametrize(("coverage", "wiring", "decoder"), [
    ("none", "groundhog", "reference"), ("none", "groundhog", "fast"), ("linguistic", "appendix", "fast"),
    ("sum", "equation4", "reference"), ("neural", "equation4", "fast"),
])  # fmt: skip
def test_unknown_words_are_copied_as_the_oracle_does(coverage: CoverageKind, wiring: Wiring, decoder: str) -> None:
    """In a batch, whose sentences have their own unknown words, and where rows change their places."""
    reference = build_tiny_coverage_network(coverage, True, wiring, seed=5)
    network = get_decoder(reference, decoder)
    sources, targets = ([pair[side] for pair in UNKNOWN_PAIRS] for side in (0, 1))
    expected = [run_oracle(reference, *pair).log_probs for pair in UNKNOWN_PAIRS]
    forced = reference(pad(sources), pad(targets)).log_probs
    state, previous = network.start(network.encode(pad(sources))), torch.full((2,), PAD)
    order = [0, 1]
    for i in range(3):
        result = network.step(state, previous)
        assert result.log_probs.shape == (2, V + 2)
        for row, number in enumerate(order):
            values = np.pad(expected[number][i], (0, V + 2 - expected[number].shape[1]), constant_values=-np.inf)
            assert_close(result.log_probs[row], values)
            assert_close(forced[number, i], values)
        order = order[::-1]
        state, previous = result.state.select(torch.tensor([1, 0])), torch.tensor([targets[n][i] for n in order])


# ---- warm start from RNNsearch ----------------------------------------------------------------------------------


@pytest.mark.verdict
@every_variant_and_a_wiring
def test_warm_start_computes_what_rnnsearch_does(coverage: CoverageKind, copying: bool, wiring: Wiring) -> None:
    """Copying starts with a small share: log p falls by at most -log sigmoid(5) = 0.0068 nats. With zero coverage
    weights and a large b_gen nothing differs.
    """
    trained = build_tiny_network("rnnsearch", wiring, seed=3)
    network = build_coverage_network(coverage, copying, wiring)
    network.load_state_dict(network.state_dict() | trained.state_dict())
    expected, actual = trained(*build_batch()), network(*build_batch())
    assert_close(actual.weights[ATTENTION.key], expected.weights[ATTENTION.key], 0.0)
    assert float((expected.log_probs - actual.log_probs).detach().max()) <= (0.0068 if copying else 0.0)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            if name not in trained.state_dict():
                parameter.fill_(60.0 if name == "b_gen" else 0.0)
    assert_close(network(*build_batch()).log_probs.detach(), expected.log_probs.detach(), 1e-12)


# ---- losses -----------------------------------------------------------------------------------------------------


@pytest.mark.verdict
@pytest.mark.parametrize(
    ("coverage", "copying", "wiring", "training", "smoothing"), cycle_values(BUILDS, [False, True], [0.0, 0.2, 0.0])
)
def test_fused_loss_and_its_gradients_equal_the_reference(
    coverage: CoverageKind, copying: bool, wiring: Wiring, training: bool, smoothing: float
) -> None:
    network = build_tiny_coverage_network(coverage, copying, wiring, 20, 0.7 if coverage == "sum" else 0.0)
    network.train(training)
    sources, targets = ([pair[side] for pair in UNKNOWN_PAIRS] for side in (0, 1))
    unknown = [(pad(sources), pad(targets))] if copying and not smoothing else []
    for batch in (build_batch(), (pad([[4, 8, 8, EOS], [12, 3, 2, EOS]]), pad([[5, 8, EOS], [6, 7, EOS]])), *unknown):
        loss = fused.compute_loss(network, *batch, smoothing=smoothing)
        assert_losses_equal(network, loss, network.loss(*batch, smoothing))


def test_label_smoothing_is_refused_with_unknown_words() -> None:
    network = build_tiny_coverage_network("none", True)
    sources, targets = ([pair[side] for pair in UNKNOWN_PAIRS] for side in (0, 1))
    with pytest.raises(ValueError, match=r"smoothing is 0\.1; with unknown words it must be 0"):
        network.loss(pad(sources), pad(targets), 0.1)


def test_fused_loss_of_other_previous_tokens_equals_the_steps() -> None:
    """With copying and coverage; a previous token may be an unknown word of the source."""
    network, (source, target) = build_tiny_coverage_network("sum", True, seed=23), build_batch()
    previous = shift_target(target.flip(0))
    previous[:, 1] = V
    state: Any = network.start(network.encode(source))
    total = 0.0
    with torch.no_grad():
        for step, token in enumerate(target.unbind(1)):
            result = network.step(state, previous[:, step])
            state = result.state
            total -= float((result.log_probs.gather(1, token[:, None])[:, 0] * (token != PAD)).sum())
    loss = fused.compute_loss(network, source, target, previous=previous)
    assert_close(loss, torch.tensor(total, dtype=torch.float64))
    with pytest.raises(ValueError, match="only the fused loss takes previous tokens"):
        fused.compute_loss(network, source, target, smoothing=0.1, previous=previous)


def test_mixed_loss_has_the_gradient_of_finite_differences() -> None:
    """Of tokens that are generated, copied, both, and unknown words that are copied only."""
    generator = torch.Generator().manual_seed(4)
    shapes = [(4, L), (V, L), (V,), (4,)]
    inputs = [torch.randn(shape, dtype=torch.float64, generator=generator, requires_grad=True) for shape in shapes]
    copied = torch.tensor([0.0, 0.3, 1.0, 0.4], dtype=torch.float64, requires_grad=True)
    tokens = torch.tensor([5, 6, 7, V + 1])
    assert torch.autograd.gradcheck(lambda *values: fused._MixedLoss.apply(*values, tokens, False), [*inputs, copied])


def test_coverage_loss_counts_in_training_only() -> None:
    network, batch = build_tiny_coverage_network("sum", False, seed=21, loss=0.5), build_batch()
    plain_loss, repeated = network.loss(*batch), 0.0
    for source, target in PAIRS:
        alphas = run_oracle(network, source, target).alphas
        repeated += sum(float(np.minimum(alpha, alphas[:i].sum(0)).sum()) for i, alpha in enumerate(alphas))
    assert_close(network.train().loss(*batch), plain_loss + 0.5 * repeated)
    assert_close(fused.compute_loss(network, *batch), plain_loss + 0.5 * repeated)
    assert repeated > 1.0


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize(
    ("use_bfloat16", "loss_tolerance", "gradient_tolerance"), [(False, 1e-6, 1e-4), (True, 5e-3, 0.1)]
)
@pytest.mark.parametrize(("coverage", "copying"), [("linguistic", True), ("sum", False)])
def test_fused_loss_in_low_precision_is_near_float64(
    coverage: CoverageKind, copying: bool, use_bfloat16: bool, loss_tolerance: float, gradient_tolerance: float
) -> None:
    """In float32 with compiled loops, and in bfloat16; gradients by relative norm."""
    network = build_tiny_coverage_network(coverage, copying, seed=22)
    exact = network.loss(*build_batch())
    exact_gradients = compute_gradients(network, exact)
    network.float()
    assert common.get_training_kernels(*network.parameters()) is not None
    loss = fused.compute_loss(network, *build_batch(), use_bfloat16=use_bfloat16)
    float32_loss = fused.compute_loss(network, *build_batch())
    with round_in_loops_only():
        looped = fused.compute_loss(network, *build_batch(), use_bfloat16=use_bfloat16)
    assert torch.equal(loss, float32_loss) == torch.equal(looped, float32_loss) == (not use_bfloat16)
    assert loss.dtype == torch.float32
    assert abs(float(loss.detach() / exact.detach()) - 1) < loss_tolerance
    gradients = compute_gradients(network, loss)
    for name, expected in exact_gradients.items():
        assert gradients[name].dtype == torch.float32
        assert float((gradients[name] - expected).norm() / expected.norm()) < gradient_tolerance, name


# ---- behaviour --------------------------------------------------------------------------------------------------


@torch.no_grad()
def test_token_that_the_softmax_excludes_can_be_copied() -> None:
    network, token = build_tiny_coverage_network("none", True, seed=12), 7
    network.b_w[token] = -1e4

    def run_first_step(source: list[int]) -> Any:
        return network.step(network.start(network.encode(torch.tensor([source]))), torch.tensor([PAD]), detail=True)

    result = run_first_step([5, token, EOS])
    share = (1 - float(result.detail["p_gen"])) * float(result.weights[ATTENTION.key][0, 1])
    assert share > 1e-3
    assert float(result.log_probs[0, token].exp()) == pytest.approx(share)
    assert_close(result.log_probs.exp().sum(1), torch.ones(1, dtype=torch.float64), 1e-12)
    assert float(run_first_step([5, 6, EOS]).log_probs[0, token]) < -1e3


@torch.no_grad()
def test_overridden_coverage_changes_attention() -> None:
    network, (source, _) = build_tiny_coverage_network("linguistic", True, seed=14), build_batch()
    state, previous = network.start(network.encode(source)), torch.full_like(source[:, 0], PAD)
    plain = network.step(state, previous)
    override = torch.full_like(plain.weights[COVERAGE.key], torch.nan)
    override[0] = torch.arange(source.shape[1])
    result = network.step(state, previous, overrides={COVERAGE.key: override})
    assert torch.equal(result.weights[COVERAGE.key][0], override[0])
    assert not torch.equal(result.weights[ATTENTION.key][0], plain.weights[ATTENTION.key][0])
    assert torch.equal(result.log_probs[1:], plain.log_probs[1:])
    assert find_main_map(network.maps) == ATTENTION


# ---- construction -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("change", "message"), [
    ({"coverage": "all"}, "coverage is 'all'; allowed: none, sum, linguistic, neural"),
    ({"coverage": "none"}, "that is the kind rnnsearch"),
    ({"coverage": "linguistic", "coverage_loss": 1.0}, "for the coverage 'sum' alone"),
    ({"coverage": "sum", "coverage_loss": -1.0}, "coverage_loss is -1"),
    ({"coverage_size": 0}, "coverage_size is 0"), ({"fertility": 1.5}, r"fertility is 1\.5"),
    ({"copying": 1}, "copying is 1"), ({"wiring": "eq4"}, "wiring is 'eq4'"),
])  # fmt: skip
def test_invalid_configs_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(registry.NetworkKindError, match=message):
        registry.find_kind("coverage").configure({"kind": "coverage", "vocabulary": V} | change)


def test_equations_include_coverage_and_copying() -> None:
    config = {"coverage": "linguistic", "copying": True, "wiring": "groundhog"}
    text = str(build_coverage_equations(config)).replace(" ", "")
    assert "e_i,j=v_aᵀtanh(W_as_{i-1}+U_ah_j+V_aC_{i-1},j)" in text
    assert "C_i,j=C_{i-1},j+α_i,j/Φ_j\nΦ_j=Nσ(U_fh_j)" in text
    assert "p(y_i)=p_gensoftmax(W_ot_i)\n+(1−p_gen)Σ_j:x=yα_i,j" in text
    assert "p_gen=σ(w_cᵀc_i+w_sᵀs_{i-1}+w_xᵀEy_{i-1}+b)" in text
    plain = registry.find_kind("rnnsearch").build_equations({"wiring": "appendix"})
    assert build_coverage_equations({"coverage": "none", "copying": False, "wiring": "appendix"}) == plain
    with pytest.raises(ValueError, match="coverage is 'all'"):
        build_coverage_equations({"coverage": "all"})
