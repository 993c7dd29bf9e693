"""Coverage and copying against an independent numpy version, and what else is known of them beforehand."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest
import torch
from torch import Tensor

from model.decoding import Settings, search
from model.decoding.fast.get_decoder import get_fast_decoder
from model.decoding.forced_decoding import force_decode as force
from model.networks import registry, rnnsearch
from model.networks.coverage import COVERAGE, CoverageConfig, CoverageKind, CoverageRNNsearch
from model.networks.equations.coverage import build_coverage_equations as equations
from model.networks.rnnsearch import ATTENTION, RNNsearch, Wiring
from model.trace import find_main_map
from model.training.losses import common
from model.training.losses import coverage as fast
from tests.model.networks import oracle_coverage as oracle
from tests.model.networks.test_rnnsearch import same, weights_of
from tests.model.tiny import EOS, PAD, PAIRS, WIRINGS, A, L, M, N, V, build_batch, cycle_values, gradcheck, pad
from tests.model.tiny import build_tiny_network as plain_tiny
from tests.model.training.losses.test_gru import assert_gradients_close as same_slopes
from tests.model.training.losses.test_gru import compute_gradients, round_in_loops_only

WAYS: tuple[CoverageKind, ...] = get_args(CoverageKind)
KINDS = [(way, copying) for way in WAYS for copying in (False, True) if way != "none" or copying]
BUILDS = [(*kind, wiring) for kind in KINDS for wiring in WIRINGS]
STEPPED_BY = ["its own", "for search"]
D = 3  # of neural coverage
every = pytest.mark.parametrize(("way", "copying"), KINDS)
wirings = pytest.mark.parametrize("wiring", WIRINGS)
by = pytest.mark.parametrize("by", STEPPED_BY)


def build(way: CoverageKind, copying: bool, wiring: Wiring = "groundhog", loss: float = 0.0,
          dropout: float = 0.0) -> CoverageRNNsearch:
    kind = "copy" if way == "none" else "coverage"
    network = registry.build_network(CoverageConfig(kind, V, M, N, A, L, wiring, dropout, way, D, 2, loss, copying))
    assert isinstance(network, CoverageRNNsearch)
    return network.double().eval()


def tiny(way: CoverageKind, copying: bool, wiring: Wiring = "groundhog", seed: int = 0,
         loss: float = 0.0) -> CoverageRNNsearch:
    """A float64 network whose weights, those that are added too, are large enough to matter."""
    network = build(way, copying, wiring, loss)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            fan_in = parameter.shape[-1] if parameter.dim() == 2 and "embedding" not in name else 1
            parameter.normal_(0.0, (3.0 if name == "v_a" else 1.7) / fan_in**0.5, generator=generator)
        for embedding in (network.source_embedding, network.target_embedding):
            embedding.weight[PAD] = 0.0
    return network


def stepping(network: CoverageRNNsearch, by: str) -> Any:
    """The network, or what search goes through."""
    return network if by == "its own" else get_fast_decoder(network)


def told(network: CoverageRNNsearch, source: list[int], target: list[int]) -> oracle.Forced:
    config = network.config
    state = {name: value.detach().numpy().copy() for name, value in network.state_dict().items()}
    plain = RNNsearch(rnnsearch.RNNsearchConfig("rnnsearch", V, M, N, A, L, config.wiring)).double()
    plain.load_state_dict({name: value for name, value in network.state_dict().items() if name in plain.state_dict()})
    weights = weights_of(plain) | {name: value for name, value in state.items() if name not in plain.state_dict()}
    if config.coverage == "neural":
        parts = {"_z": slice(D), "_r": slice(D, 2 * D), "": slice(2 * D, None)}
        weights |= {f"cover.W{name}": state["cover.W"][rows] for name, rows in parts.items()}
        weights |= {f"cover.U{name}": state["cover.U_gates"][rows] for name, rows in parts.items() if name}
    return oracle.forced(weights, source, target, config.wiring, config.coverage, config.copying,
                         config.fertility)


# --- against the equations


@pytest.mark.verdict
@pytest.mark.parametrize(("way", "copying", "wiring", "pair"), cycle_values(BUILDS, PAIRS))
def test_teacher_forcing_is_the_oracle(
    way: CoverageKind, copying: bool, wiring: Wiring, pair: tuple[list[int], list[int]]
) -> None:
    network, (source, target) = tiny(way, copying, wiring), pair
    truth, ours = told(network, source, target), network(torch.tensor([source]), torch.tensor([target]))
    same(ours.log_probs[0], truth.log_probs)
    same(ours.weights[ATTENTION.key][0], truth.alphas)
    assert (COVERAGE.key in ours.weights) == (way in ("sum", "linguistic"))
    if COVERAGE.key in ours.weights:
        same(ours.weights[COVERAGE.key][0], truth.coverage[:, :, 0])


@pytest.mark.verdict
@pytest.mark.parametrize(("way", "copying", "wiring", "by", "pair"), cycle_values(BUILDS, STEPPED_BY, PAIRS))
def test_steps_are_the_oracle(
    way: CoverageKind, copying: bool, wiring: Wiring, by: str, pair: tuple[list[int], list[int]]
) -> None:
    made, (source, target) = tiny(way, copying, wiring, seed=1), pair
    truth, network = told(made, source, target), stepping(made, by)
    state: Any = network.start(network.encode(torch.tensor([source])))
    for i, previous in enumerate([PAD, *target[:-1]]):
        result = network.step(state, torch.tensor([previous]), detail=True)
        same(result.log_probs[0], truth.log_probs[i])
        assert list(result.weights) == [one.key for one in network.maps]
        for key, values in result.weights.items():
            same(values[0], truth.alphas[i] if key == ATTENTION.key else truth.coverage[i, :, 0])
        assert ("p_gen" in result.detail) == copying
        if copying:
            same(result.detail["p_gen"][0], truth.generated[i : i + 1])
        state = result.state


@pytest.mark.parametrize(("way", "copying", "wiring"), cycle_values(KINDS, WIRINGS))
def test_gradcheck(way: CoverageKind, copying: bool, wiring: Wiring) -> None:
    assert gradcheck(tiny(way, copying, wiring, seed=4), CoverageRNNsearch.loss)


# --- starting from RNNsearch


@pytest.mark.verdict
@pytest.mark.parametrize(("way", "copying", "wiring"), cycle_values(KINDS, WIRINGS))
def test_added_to_a_trained_network_nothing_changes_at_first(way: CoverageKind, copying: bool, wiring: Wiring) -> None:
    """With the weights that are added as they begin, and coverage's at 0; of copying nothing is left where b is great,
    and as it begins next to nothing: log p falls by at most -log sigmoid(5) = 0.0068 nats."""
    trained, network = plain_tiny("rnnsearch", wiring, seed=3), build(way, copying, wiring)
    network.load_state_dict(network.state_dict() | trained.state_dict())
    source, target = build_batch()
    before = trained(source, target)
    after = network(source, target)
    same(after.weights[ATTENTION.key], before.weights[ATTENTION.key], 0.0)
    lost = before.log_probs - after.log_probs
    assert float(lost.detach().max()) <= (0.0068 if copying else 0.0)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            if name not in trained.state_dict():
                parameter.fill_(60.0 if name == "b_gen" else 0.0)
    same(network(source, target).log_probs.detach(), before.log_probs.detach(), 1e-12)


@every
def test_what_is_added_learns_from_the_first_update_on(way: CoverageKind, copying: bool) -> None:
    trained, network = plain_tiny("rnnsearch", "groundhog", seed=3), build(way, copying)
    network.load_state_dict(network.state_dict() | trained.state_dict())
    if way == "neural":
        with torch.no_grad():
            assert network.cover is not None
            network.cover.W.normal_(0.0, 0.5, generator=torch.Generator().manual_seed(1))
    found = compute_gradients(network, fast.compute_loss(network, *build_batch()))
    expected = {"V_a"} if way != "none" else set()
    expected |= {"w_c", "w_s", "w_x", "b_gen"} if copying else set()
    for name in expected:
        assert float(found[name].abs().max()) > 1e-5, name


# --- the fast loss


@pytest.mark.verdict
@pytest.mark.parametrize(("way", "copying", "wiring", "training"), cycle_values(BUILDS, [False, True]))
def test_the_fast_loss_and_its_gradients_are_the_plain_ones(
    way: CoverageKind, copying: bool, wiring: Wiring, training: bool
) -> None:
    network = tiny(way, copying, wiring, seed=20, loss=0.7 if way == "sum" else 0.0).train(training)
    for pieces in (build_batch(), (pad([[4, 8, 8, EOS], [12, 3, 2, EOS]]), pad([[5, 8, EOS], [6, 7, EOS]]))):
        ours, plain = fast.compute_loss(network, *pieces), network.loss(*pieces)
        torch.testing.assert_close(ours, plain, rtol=0.0, atol=1e-9)
        same_slopes(compute_gradients(network, ours), compute_gradients(network, plain))


@every
def test_smoothed_labels_are_those_of_the_plain_loop(way: CoverageKind, copying: bool) -> None:
    network = tiny(way, copying, seed=20)
    ours, plain = fast.compute_loss(network, *build_batch(), smoothing=0.2), network.loss(*build_batch(), 0.2)
    torch.testing.assert_close(ours, plain, rtol=0.0, atol=1e-9)
    same_slopes(compute_gradients(network, ours), compute_gradients(network, plain))


def test_looking_again_costs_while_training_alone() -> None:
    network, (source, target) = tiny("sum", False, seed=21, loss=0.5), build_batch()
    without = network.loss(source, target)
    again = 0.0
    for x, y in PAIRS:
        truth = told(network, x, y)
        again += sum(float(np.minimum(alpha, truth.alphas[:i].sum(0)).sum()) for i, alpha in enumerate(truth.alphas))
    same(network.train().loss(source, target), without + 0.5 * again)
    same(fast.compute_loss(network, source, target), without + 0.5 * again)
    assert again > 1.0


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize(("half", "loss_off", "gradient_off"), [(False, 1e-6, 1e-4), (True, 5e-3, 0.1)])
@pytest.mark.parametrize(("way", "copying"), [("linguistic", True), ("sum", False), ("none", True)])
def test_rounding_stays_small(
    way: CoverageKind, copying: bool, half: bool, loss_off: float, gradient_off: float
) -> None:
    """In float32, with the compiled loops, and with bfloat16 factors, against float64: relative to the loss and to each
    gradient's norm."""
    network = tiny(way, copying, seed=22)
    exact = network.loss(*build_batch())
    exact_slopes = compute_gradients(network, exact)
    network.float()
    assert common.get_kernels(*network.parameters()) is not None
    ours, full = fast.compute_loss(network, *build_batch(), half=half), fast.compute_loss(network, *build_batch())
    with round_in_loops_only():
        looped = fast.compute_loss(network, *build_batch(), half=half)
    assert torch.equal(ours, full) == torch.equal(looped, full) == (not half)
    assert ours.dtype == torch.float32
    assert abs(float(ours.detach() / exact.detach()) - 1) < loss_off
    found = compute_gradients(network, ours)
    for name, expected in exact_slopes.items():
        assert found[name].dtype == torch.float32
        off = float((found[name] - expected).norm() / expected.norm())
        assert off < gradient_off, f"{name} is {off} off"


# --- batches and search


@every
def test_a_padded_batch_equals_its_sentences(way: CoverageKind, copying: bool) -> None:
    network, (source, target) = tiny(way, copying, seed=8), build_batch()
    wide = torch.cat([source, torch.full((len(source), 2), PAD)], dim=1)
    for given in (source, wide):
        together = network(given, target)
        for row, (x, y) in enumerate(PAIRS):
            alone = network(torch.tensor([x]), torch.tensor([y]))
            same(together.log_probs[row, : len(y)], alone.log_probs[0], 1e-12)
            for key, weights in together.weights.items():
                same(weights[row, : len(y), : len(x)], alone.weights[key][0], 1e-12)
                assert not bool(weights[row, :, len(x) :].any()), f"{key} on padding"
    losses = [fast.compute_loss(network, torch.tensor([x]), torch.tensor([y])) for x, y in PAIRS]
    same(fast.compute_loss(network, source, target), torch.stack(losses).sum(), 1e-11)


@every
@pytest.mark.parametrize("width", [1, 4])
def test_every_hypothesis_scores_and_looks_as_when_it_is_forced(way: CoverageKind, copying: bool, width: int) -> None:
    """Coverage moves with the beam: what a hypothesis looked at is its own."""
    network, sources = tiny(way, copying), [source for source, _ in PAIRS]
    for source, found in zip(sources, search(network, sources, Settings(beam=width, n_best=width)), strict=True):
        for one, again in zip(found, force(network, [source] * len(found), [one.tokens for one in found]), strict=True):
            with torch.no_grad():
                forced = network(torch.tensor([source]), torch.tensor([one.tokens]))
            rows = forced.log_probs[0, torch.arange(len(one.tokens)), list(one.tokens)]
            np.testing.assert_allclose(one.log_probs, rows, atol=1e-9)
            np.testing.assert_allclose(again.log_probs, rows, atol=1e-9)
            assert list(one.weights) == [described.key for described in network.maps]
            for key, weights in one.weights.items():
                np.testing.assert_allclose(weights, forced.weights[key][0], atol=1e-9)


@every
@by
@torch.no_grad()
def test_states_are_picked_and_reordered(way: CoverageKind, copying: bool, by: str) -> None:
    made, (source, target) = tiny(way, copying, seed=11), build_batch()
    network = stepping(made, by)
    rows = torch.tensor([3, 0, 3, 4])
    whole: Any = network.start(network.encode(source))
    picked: Any = network.start(network.encode(source[rows]))
    for previous in (torch.full_like(target[:, 0], PAD), target[:, 0].roll(1), target[:, 0]):
        ours, theirs = network.step(whole.select(rows), previous[rows]), network.step(picked, previous[rows])
        same(ours.log_probs, theirs.log_probs, 1e-12)
        whole, picked = network.step(whole, previous).state, theirs.state
    state: Any = network.start(network.encode(source[:1].repeat(3, 1)))
    history = [[PAD, 4], [PAD, 5], [PAD, 6]]
    for pieces in zip(*history, strict=True):
        state = network.step(state, torch.tensor(pieces)).state
    moved = network.step(state.reorder(torch.tensor([2, 0, 0])), torch.tensor([7, 8, 9]))
    for row, (before, piece) in enumerate(zip((2, 0, 0), (7, 8, 9), strict=True)):
        alone: Any = network.start(network.encode(source[:1]))
        for eaten in history[before]:
            alone = network.step(alone, torch.tensor([eaten])).state
        same(moved.log_probs[row], network.step(alone, torch.tensor([piece])).log_probs[0], 1e-12)


@every
@wirings
@torch.no_grad()
def test_search_steps_through_a_padded_batch_as_the_network_does(
    way: CoverageKind, copying: bool, wiring: Wiring
) -> None:
    """Rows of several sentences and several rows of one, with some weights changed, sentences that leave."""
    network, (source, target) = tiny(way, copying, wiring, seed=15), build_batch()
    rows, kept = torch.tensor([0, 0, 1, 3, 3, 3, 4]), torch.tensor([1, 4, 5])
    given = torch.full((len(rows), source.shape[1]), torch.nan, dtype=torch.float64)
    given[1] = torch.softmax(torch.arange(source.shape[1], dtype=torch.float64), dim=0)
    alpha = {one.key: given for one in network.maps}
    both: list[Any] = [network, get_fast_decoder(network)]
    states = [one.start(one.encode(source)).select(rows) for one in both]
    pieces, previous = target[rows], torch.full_like(target[rows, 0], PAD)
    for number in range(6):
        if number == 2:
            states = [state.reorder(torch.tensor([1, 0, 2, 5, 4, 4, 6])) for state in states]
        if number == 4:
            states, pieces, previous = [state.select(kept) for state in states], pieces[kept], previous[kept]
            alpha, rows = {key: values[kept] for key, values in alpha.items()}, rows[kept]
        own, quick = (one.step(state, previous, detail=True, overrides=alpha)
                      for one, state in zip(both, states, strict=True))
        same(quick.log_probs, own.log_probs, 1e-12)
        for ours, theirs in ((quick.weights, own.weights), (quick.detail, own.detail)):
            assert list(ours) == list(theirs)
            for name in theirs:
                there = source[rows] != PAD if name == "energies" else ...
                same(ours[name][there], theirs[name][there], 1e-12)
        states, previous = [own.state, quick.state], pieces[:, number]


# --- what they do


@torch.no_grad()
def test_a_piece_that_the_vocabulary_would_never_write_can_be_copied() -> None:
    network, name = tiny("none", True, seed=12), 7
    network.b_w[name] = -1e4
    source = torch.tensor([[5, name, EOS]])
    state = network.start(network.encode(source))
    result = network.step(state, torch.tensor([PAD]), detail=True)
    share = (1 - float(result.detail["p_gen"])) * float(result.weights[ATTENTION.key][0, 1])
    assert float(result.log_probs[0, name].exp()) == pytest.approx(share)
    assert share > 1e-3
    elsewhere = network.step(network.start(network.encode(torch.tensor([[5, 6, EOS]]))), torch.tensor([PAD]))
    assert float(elsewhere.log_probs[0, name]) < -1e3
    same(result.log_probs.exp().sum(1), torch.ones(1, dtype=torch.float64), 1e-12)


@torch.no_grad()
def test_coverage_can_keep_attention_from_what_was_looked_at() -> None:
    network = tiny("sum", False, seed=13)
    network.W_a.zero_()  # the look depends on the source alone
    source = torch.tensor([[5, 3, 12, 7, EOS]])
    pieces = torch.tensor([[4, 9, 9, 4, EOS]])
    coverage = network.V_a
    assert coverage is not None
    coverage.zero_()
    first, second = network(source, pieces).weights[ATTENTION.key][0, :2]
    assert torch.equal(first, second)
    network.v_a.fill_(1.0)
    coverage.fill_(-3.0)
    alphas = network(source, pieces).weights[ATTENTION.key][0]
    most = int(alphas[0].argmax())
    assert alphas[1, most] < alphas[0, most]


@by
@torch.no_grad()
def test_own_weights_given_back_change_nothing_and_coverage_can_be_changed(by: str) -> None:
    made, (source, target) = tiny("linguistic", True, seed=14), build_batch()
    network = stepping(made, by)
    state: Any = network.start(network.encode(source))
    previous = torch.full_like(target[:, 0], PAD)
    for _ in range(3):
        plain = network.step(state, previous)
        again = network.step(state, previous, overrides=plain.weights)
        assert torch.equal(plain.log_probs, again.log_probs)
        given = torch.full_like(plain.weights[COVERAGE.key], torch.nan)
        given[0] = 2.0
        given[0, 1] = 0.0
        changed = network.step(state, previous, overrides={COVERAGE.key: given})
        assert torch.equal(changed.weights[COVERAGE.key][0], given[0])
        assert not torch.equal(changed.weights[ATTENTION.key][0], plain.weights[ATTENTION.key][0])
        assert torch.equal(changed.log_probs[1:], plain.log_probs[1:])
        state = plain.state
    assert find_main_map(network.maps) == ATTENTION


# --- how it is built


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"coverage": "all"}, "coverage is 'all'; allowed: none, sum, linguistic, neural"),
        ({"coverage": "none"}, "a kind of its own"),
        ({"coverage": "linguistic", "coverage_loss": 1.0}, "for the coverage 'sum' alone"),
        ({"coverage": "sum", "coverage_loss": -1.0}, "coverage_loss is -1"),
        ({"coverage_size": 0}, "coverage_size is 0"),
        ({"fertility": 1.5}, r"fertility is 1\.5"),
        ({"copying": 1}, "copying is 1"),
        ({"wiring": "eq4"}, "wiring is 'eq4'"),
    ],
)
def test_configurations_that_cannot_be_are_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(registry.NetworkKindError, match=says):
        registry.find_kind("coverage").configure({"kind": "coverage", "vocabulary": V} | change)


def test_the_equations_say_what_is_added() -> None:
    told = str(equations({"coverage": "linguistic", "copying": True, "wiring": "groundhog"})).replace(" ", "")
    assert "e_i,j=v_aᵀtanh(W_as_{i-1}+U_ah_j+V_aC_{i-1},j)" in told
    assert "C_i,j=C_{i-1},j+α_i,j/Φ_j\nΦ_j=Nσ(U_fh_j)" in told
    assert "p(y_i)=p_gensoftmax(W_ot_i)\n+(1−p_gen)Σ_j:x=yα_i,j" in told
    assert "p_gen=σ(w_cᵀc_i+w_sᵀs_{i-1}+w_xᵀEy_{i-1}+b)" in told
    plain = registry.find_kind("rnnsearch").build_equations({"wiring": "appendix"})
    assert equations({"coverage": "none", "copying": False, "wiring": "appendix"}) == plain
    with pytest.raises(ValueError, match="coverage is 'all'"):
        equations({"coverage": "all"})


def _loss_of(kind: str, network: Any, pieces: tuple[Tensor, Tensor]) -> Tensor:
    return registry.find_kind(kind).compute_loss(network, *pieces)


@pytest.mark.parametrize("kind", ["coverage", "copy"])
def test_the_kinds_are_known(kind: str) -> None:
    network = tiny("linguistic" if kind == "coverage" else "none", kind == "copy")
    assert registry.find_kind(kind).warm_start_kind == "rnnsearch"
    same(_loss_of(kind, network, build_batch()).detach(), network.loss(*build_batch()).detach())
