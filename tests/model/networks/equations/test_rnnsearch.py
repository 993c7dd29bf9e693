"""The equations of RNNsearch and RNNencdec as text: eq. 5 and 6 and appendix A.2 of Bahdanau et al. 2015."""

import subprocess
import sys
from dataclasses import replace

import pytest

from model.networks.equations.rnnsearch import WIRINGS, build_rnnencdec_equations, build_rnnsearch_equations

ATTENTION = """\
e_i,j = v_aᵀ tanh(W_a s_{i-1} + U_a h_j)
α_i,j = exp e_i,j / Σ_k exp e_i,k
c_i = Σ_j α_i,j h_j"""
UPDATES_AND_OUTPUTS = {
    "equation4": """\
s_i = GRU(s_{i-1}, E y_{i-1}, %c)
p(y_i) = softmax(W_o t_i)
t_i = maxout(U_o s_i + V_o E y_{i-1} + C_o %c)""",
    "appendix": """\
p(y_i) = softmax(W_o t_i)
t_i = maxout(U_o s_{i-1} + V_o E y_{i-1} + C_o %c)
s_i = GRU(s_{i-1}, E y_{i-1}, %c)""",
    "groundhog": """\
p(y_i) = softmax(W_o t_i)
t_i = maxout(U_o s_{i-1} + V_o E y_{i-1} + C_o %c)
s_i = GRU(s_{i-1}, E y_i, %c)""",
}


def normalise(text: object) -> str:
    """Return the text without spaces: matrices are written next to their factors."""
    return str(text).replace(" ", "")


@pytest.mark.parametrize("wiring", UPDATES_AND_OUTPUTS)
def test_equations_of_rnnsearch(wiring: str) -> None:
    equations = build_rnnsearch_equations({"kind": "rnnsearch", "wiring": wiring})
    expected = f"{ATTENTION}\n{UPDATES_AND_OUTPUTS[wiring].replace('%c', 'c_i')}"
    assert normalise(equations) == normalise(expected)
    assert equations.stage == WIRINGS[wiring]


def test_equations_of_rnnencdec_have_a_fixed_context() -> None:
    equations = build_rnnencdec_equations({"kind": "rnnencdec", "wiring": "appendix"})
    expected = f"c = h_T\n{UPDATES_AND_OUTPUTS['appendix'].replace('%c', 'c')}"
    assert normalise(equations) == normalise(expected)
    part_keys = (("h", "h_read"), ("before", "before_state"))
    assert equations.stage == replace(WIRINGS["appendix"], part_keys=part_keys)


@pytest.mark.verdict
def test_each_number_belongs_to_one_equation() -> None:
    equations = build_rnnsearch_equations({"kind": "rnnsearch"})
    assert equations == build_rnnsearch_equations({"wiring": "groundhog"})
    numbers = [name for equation in equations.equations for name in equation.numbers]
    assert sorted(numbers) == sorted([
        "energies", "alpha", "mostly", "norm_context", "p", "log", "so_far", "gate_update", "gate_reset", "norm_state",
    ])  # fmt: skip
    with pytest.raises(ValueError, match="wiring is 'own'; allowed: equation4, appendix, groundhog"):
        build_rnnencdec_equations({"wiring": "own"})


def test_equations_need_no_torch() -> None:
    modules = ", ".join(f"model.networks.equations.{name}" for name in ("rnnsearch", "lstm", "coverage", "transformer"))
    code = f"import sys, {modules}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
