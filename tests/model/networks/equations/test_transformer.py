"""The equations of the Transformer as text: Vaswani et al. 2017, section 3, with norms after or before sublayers."""

import pytest

from model.networks import registry
from model.networks.equations.transformer import build_transformer_equations

POST = """\
x_i = √d E y_{i-1} + PE_i
a_i = MultiHead(x_i; x_1 … x_i)
x_i ← LayerNorm(x_i + a_i)
e_i,j = q_iᵀ k_j / √d_k
q_i = W_Q x_i, k_j = W_K h_j, v_j = W_V h_j
α_i,j = exp e_i,j / Σ_k exp e_i,k
c_i = W_O [Σ_j α_i,j v_j; …]
x_i ← LayerNorm(x_i + c_i)
x_i ← LayerNorm(x_i + W_2 max(0, W_1 x_i + b_1) + b_2)
p(y_i) = softmax(E x_i)"""
PRE = """\
x_i = √d E y_{i-1} + PE_i
a_i = MultiHead(LayerNorm(x_i); LayerNorm(x_1) … LayerNorm(x_i))
x_i ← x_i + a_i
e_i,j = q_iᵀ k_j / √d_k
q_i = W_Q LayerNorm(x_i), k_j = W_K h_j, v_j = W_V h_j
α_i,j = exp e_i,j / Σ_k exp e_i,k
c_i = W_O [Σ_j α_i,j v_j; …]
x_i ← x_i + c_i
x_i ← x_i + W_2 max(0, W_1 LayerNorm(x_i) + b_1) + b_2
p(y_i) = softmax(E LayerNorm(x_i))"""


@pytest.mark.parametrize(("norm", "expected"), [("post", POST), ("pre", PRE)])
def test_equations_of_a_step(norm: str, expected: str) -> None:
    equations = registry.find_kind("transformer").build_equations({"kind": "transformer", "norm": norm})
    assert str(equations).replace(" ", "") == expected.replace(" ", "")
    if norm == "post":
        assert build_transformer_equations({}) == equations
        assert build_transformer_equations({"decoder_layers": None}) == equations  # as many as the encoder has
    with pytest.raises(ValueError, match="norm is 'own'; allowed: post, pre"):
        build_transformer_equations({"norm": "own"})
