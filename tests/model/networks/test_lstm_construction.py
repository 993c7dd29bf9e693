"""How Seq2Seq and Luong's networks are built and what they refuse; where Luong's look, and what changes it."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from model.networks import registry
from model.networks.equations.lstm import build_luong_equations, build_seq2seq_equations
from tests.model.tiny import EOS, PAD, PAIRS, V, build_batch
from tests.model.tiny_lstm import ATTENTION_VARIANTS, VARIANTS, M, N, build_tiny_network, get_settings

every = pytest.mark.parametrize("name", VARIANTS)
looking = pytest.mark.parametrize("name", ATTENTION_VARIANTS)
SOURCE = torch.tensor([PAIRS[3][0]])  # eight pieces


def roomy(kind: str, **given: Any) -> Any:
    known = registry.find_kind(kind)
    return known.build(known.configure({"kind": kind, "vocabulary": 300, "embedding": 44, "hidden": 48, "layers": 2,
                                        **given}))


# --- initialisation and size


@pytest.mark.parametrize(("kind", "given", "reach"), [
    ("seq2seq", {}, 0.08), ("luong", {}, 0.1), ("luong", {"score": "concat", "window": "local-p"}, 0.1)])  # fmt: skip
def test_weights_are_even_as_in_the_papers_and_forget_gates_begin_open(kind: str, given: Any, reach: float) -> None:
    network = roomy(kind, **given)
    for name, parameter in network.named_parameters():
        values = parameter.detach()
        if name.endswith(".b"):
            assert values.chunk(4)[1].eq(1.0).all()
            assert not torch.cat([values[:48], values[96:]]).any()
        elif name == "b_o":
            assert not values.any()
        else:
            filled = values[1:] if "embedding" in name else values  # without PAD's zeros
            assert filled.abs().max() <= torch.tensor(reach)  # in float32, as it was drawn: 0.1 is a little more there
            assert float(filled.std()) == pytest.approx(reach / 3**0.5, rel=0.2 if filled.dim() == 1 else 0.05), name
            assert abs(float(filled.mean())) < 4 * reach / filled.numel() ** 0.5, name
    for embedding in (network.source_embedding, network.target_embedding):
        assert not bool(embedding.weight[PAD].any())


def test_initialisation_repeats_with_its_generator() -> None:
    first, second, third = (roomy("luong") for _ in range(3))
    for network, seed in ((first, 1), (second, 1), (third, 2)):
        network.initialise(torch.Generator().manual_seed(seed))
    assert all(torch.equal(a, b) for a, b in zip(first.parameters(), second.parameters(), strict=True))
    assert not torch.equal(first.W_c, third.W_c)


@every
def test_the_embedding_of_padding_stays_zero(name: str) -> None:
    network = build_tiny_network(name)
    steps = torch.optim.Adam(network.parameters(), lr=0.1)
    for _ in range(2):
        steps.zero_grad()
        network.loss(*build_batch()).backward()
        steps.step()
    for embedding in (network.source_embedding, network.target_embedding):
        assert not bool(embedding.weight[PAD].any())
        assert bool(embedding.weight[3].any())


def layer_count(inputs: int, hidden: int) -> int:
    return 4 * hidden * (inputs + hidden + 1)


@every
def test_parameter_counts(name: str) -> None:
    """By hand: embeddings and output; the encoder's layers, the decoder's; the score, the window, W_c."""
    kind, told_ = VARIANTS[name][0], get_settings(name)
    above, ways, half = told_["layers"] - 1, told_.get("directions", 1), N // told_.get("directions", 1)
    count = 2 * V * M + V * N + V + ways * (layer_count(M, half) + above * layer_count(N, half))
    count += layer_count(M + (N if told_.get("feeding") else 0), N) + above * layer_count(N, N)
    if kind == "luong":
        count += {"general": N * N, "concat": 2 * N * N + N, "location": 5 * N}.get(told_["score"], 0) + 2 * N * N
        count += N * N + N if told_["window"] == "local-p" else 0
    assert sum(parameter.numel() for parameter in build_tiny_network(name).parameters()) == count


# --- where Luong's networks look


@looking
def test_the_map_says_whether_its_rows_sum_to_one(name: str) -> None:
    network = build_tiny_network(name)
    (said,) = network.maps
    assert (said.key, said.rows, said.columns) == ("attention", "target", "source")
    sums = network(*build_batch())[1].sum(-1)
    assert said.rows_sum_to_one == ("local-p" not in name)
    if said.rows_sum_to_one:
        torch.testing.assert_close(sums, torch.ones_like(sums), rtol=0, atol=1e-12)
    else:
        assert bool((sums < 1).all())
        assert bool((sums > 0).all())


@pytest.mark.parametrize("name", ["local-m", "local-m, concat", "local-m, not fed"])
def test_a_monotonic_window_moves_with_the_step_and_stays_at_the_end(name: str) -> None:
    alpha = build_tiny_network(name)(SOURCE, torch.tensor([[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 3, EOS]]))[1][0]
    for step, row in enumerate(alpha, 1):
        middle = min(step, 8)
        seen = [j for j in range(1, 9) if row[j - 1] > 0]
        assert seen == [j for j in range(1, 9) if middle - 2 <= j <= middle + 2]


@pytest.mark.parametrize("name", ["local-p", "local-p, concat", "local-p, not fed"])
def test_a_predicted_window_is_bounded(name: str) -> None:
    for seed in range(5):
        alpha = build_tiny_network(name, seed)(SOURCE, torch.tensor([[3, 4, 5, 6, EOS]]))[1][0]
        assert bool(((alpha > 0).sum(-1) <= 5).all())
        assert bool((alpha > 0).any(-1).all())


@pytest.mark.parametrize("name", ["location", "location, not fed"])
def test_location_cannot_look_beyond_its_places(name: str) -> None:
    alpha = build_tiny_network(name)(SOURCE, torch.tensor([[3, 4, EOS]]))[1][0]
    assert bool((alpha[:, :5] > 0).all())
    assert not bool(alpha[:, 5:].any())


@looking
def test_a_row_explains_the_piece_that_is_being_written(name: str) -> None:
    """The look comes after the state: y_k reaches probabilities and alpha alike from row k + 1 on."""
    network, k = build_tiny_network(name, seed=7), 1
    one, other = (network(SOURCE, torch.tensor([[4, piece, 9, 10, EOS]])) for piece in (8, 12))
    for a, b in zip(one, other, strict=True):
        if "local-m" not in name:  # whose rows at a window's edge may be alike
            assert int((a != b).flatten(2).any(-1)[0].nonzero()[0]) == k + 1
        assert torch.equal(a[:, : k + 1], b[:, : k + 1])


# --- weights changed from outside


@looking
def test_its_own_weights_put_back_change_nothing(name: str) -> None:
    network = build_tiny_network(name)
    source, _ = build_batch()
    state = network.start(network.encode(source))
    plain = network.step(state, source[:, 0])
    rows = plain.weights["attention"]
    for given in (rows, rows.clone().fill_(torch.nan), lambda own: own):
        again = network.step(state, source[:, 0], overrides={"attention": given})
        assert torch.equal(again.log_probs, plain.log_probs)
    again = network.step(state, source[:, 0], overrides={"another map": rows * 0})
    assert torch.equal(again.log_probs, plain.log_probs)


@looking
def test_changed_weights_reach_the_next_step_only_by_input_feeding(name: str) -> None:
    network = build_tiny_network(name)
    given = torch.zeros(1, 8, dtype=torch.float64)
    given[0, 4] = 1.0
    state = network.start(network.encode(SOURCE))
    plain, changed = (network.step(state, torch.tensor([PAD]), detail=True, overrides=alpha)
                      for alpha in (None, {"attention": given}))
    assert torch.equal(changed.weights["attention"], given)
    torch.testing.assert_close(changed.detail["context"], network.annotate(SOURCE)[1][:, 4])
    assert not torch.equal(changed.log_probs, plain.log_probs)
    after, changed_after = (network.step(one.state, torch.tensor([4])) for one in (plain, changed))
    assert torch.equal(after.log_probs, changed_after.log_probs) != get_settings(name)["feeding"]


# --- what is refused


@pytest.mark.parametrize("name", ["seq2seq", "general"])
@pytest.mark.parametrize(("source", "target", "says"), [
    (torch.zeros(1, 0, dtype=torch.int64), torch.tensor([[EOS]]), "empty"),
    (torch.tensor([[4, EOS], [PAD, PAD]]), torch.tensor([[EOS], [EOS]]), "empty"),
    (torch.tensor([[PAD, 4, EOS]]), torch.tensor([[EOS]]), "padding on the right"),
    (torch.tensor([[4, V, EOS]]), torch.tensor([[EOS]]), "13"),
    (torch.tensor([[4, EOS]]), torch.tensor([[V, EOS]]), "13"),
    (torch.tensor([[4, EOS]]), torch.tensor([[4, EOS], [5, EOS]]), r"\(1, 2\).*\(2, 2\)"),
    (torch.tensor([[4, EOS]]), torch.zeros(1, 0, dtype=torch.int64), r"\(1, 0\)"),
])  # fmt: skip
def test_batches_that_cannot_be_are_refused(name: str, source: Tensor, target: Tensor, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        build_tiny_network(name)(source, target)


@pytest.mark.parametrize("name", ["seq2seq", "general"])
def test_a_step_refuses_other_pieces(name: str) -> None:
    network = build_tiny_network(name)
    state = network.start(network.encode(torch.tensor([[4, EOS]])))
    for number in (V, -1):
        with pytest.raises(ValueError, match=str(number)):
            network.step(state, torch.tensor([number]))
    for piece in (torch.tensor([2, 3]), torch.tensor([[2]]), torch.tensor(2)):
        with pytest.raises(ValueError, match="one token a row"):
            network.step(state, piece)


@pytest.mark.parametrize(("kind", "change", "says"), [
    ("seq2seq", {"layers": 0}, "layers is 0"), ("seq2seq", {"hidden": 2.5}, "hidden is 2.5"),
    ("seq2seq", {"reverse": 1}, "reverse is 1; it must be true or false"), ("seq2seq", {"dropout": 1.0}, "is 1.0"),
    ("seq2seq", {"score": "dot"}, r"unknown keys \['score'\]"), ("luong", {"directions": 3}, "directions is 3"),
    ("luong", {"directions": 2, "hidden": 5}, "hidden is 5; two directions share it"),
    ("luong", {"score": "additive"}, "score is 'additive'; allowed: dot, general, concat, location, scaled dot"),
    ("luong", {"window": "local"}, "window is 'local'; allowed: global, local-m, local-p"),
    ("luong", {"window": "local-p", "score": "location"}, "location scores places"),
    ("luong", {"feeding": None}, "feeding is None"), ("luong", {"distance": 0}, "distance is 0"),
    ("luong", {"places": True}, "places is True"), ("luong", {"dropout": -0.1}, "dropout is -0.1"),
])  # fmt: skip
def test_configurations_that_cannot_be_are_refused(kind: str, change: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        registry.find_kind(kind).configure({"kind": kind, "vocabulary": V} | change)


# --- equations

CELL = """\
x_1 = {taken}
i, f, o = σ(W_l x_l + U_l s_l,{{i-1}} + b_l)
g = tanh(W_l x_l + U_l s_l,{{i-1}} + b_l)
m_l,i = f ∘ m_l,{{i-1}} + i ∘ g
s_l,i = o ∘ tanh(m_l,i)
"""
SHARE, WITHIN = "α_i,j = exp e_i,j / Σ_k exp e_i,k", "|j − p_i| ≤ D = 10"


def bare(text: object) -> str:
    return str(text).replace(" ", "")


def test_the_equations_of_a_step_of_seq2seq() -> None:
    expected = CELL.format(taken="E y_{i-1}") + "x_l+1 = s_l,i, l = 1 … 2\np(y_i) = softmax(W_o s_2,i + b_o)"
    assert bare(build_seq2seq_equations({"layers": 2})) == bare(expected)
    assert bare(build_seq2seq_equations({"layers": 1})) == bare(expected).replace("x_l+1=s_l,i,l=1…2", "l=1").replace(
        "s_2", "s_1"
    )


@pytest.mark.parametrize(("score", "energy"), [
    ("dot", "s_2,iᵀ h_j"), ("general", "s_2,iᵀ W_a h_j"), ("concat", "v_aᵀ tanh(W_a [s_2,i; h_j])"),
    ("location", "W_a,j s_2,i"), ("scaled dot", "s_2,iᵀ h_j / √n")])  # fmt: skip
@pytest.mark.parametrize(("window", "weights"), [
    ("global", SHARE), ("local-m", f"{SHARE}\np_i = min(i, S)\n{WITHIN}"),
    ("local-p", f"{SHARE} · exp(−2 (j − p_i)² / D²)\np_i = S σ(v_pᵀ tanh(W_p s_2,i))\n{WITHIN}")])  # fmt: skip
@pytest.mark.parametrize(("feeding", "taken"), [(True, "[E y_{i-1}; s̃_{i-1}]"), (False, "E y_{i-1}")])
def test_the_equations_of_a_step_of_luong(
    score: str, energy: str, window: str, weights: str, feeding: bool, taken: str
) -> None:
    told_ = build_luong_equations({"layers": 2, "score": score, "window": window, "feeding": feeding, "distance": 10})
    expected = CELL.format(taken=taken) + f"""\
x_l+1 = s_l,i, l = 1 … 2
e_i,j = {energy}
{weights}
c_i = Σ_j α_i,j h_j
s̃_i = tanh(W_c [c_i; s_2,i])
p(y_i) = softmax(W_o s̃_i + b_o)"""
    assert bare(told_) == bare(expected)
    numbers = [name for one in told_.equations for name in one.numbers]
    gates = ["gate_input", "gate_forget", "gate_output", "norm_state"]
    assert numbers == [*gates, "energies", "alpha", "mostly", "norm_context", "p", "log", "so_far"]


def test_equations_of_what_there_is_not_are_refused() -> None:
    with pytest.raises(ValueError, match="score is 'x'; allowed: dot"):
        build_luong_equations({"score": "x"})
    with pytest.raises(ValueError, match="window is 'x'; allowed: global"):
        build_luong_equations({"window": "x"})
