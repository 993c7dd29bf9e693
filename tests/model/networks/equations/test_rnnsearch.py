"""The equations of every kind and wiring, as text: eq. 5 and 6 and appendix A.2 of Bahdanau et al. 2015."""

import subprocess
import sys
from dataclasses import replace

import pytest

from model.networks.equations import rnnsearch as equations
from model.networks.equations.rnnsearch import WIRINGS, Equation, StepEquations, Symbol

LOOKING = """\
e_i,j = v_aᵀ tanh(W_a s_{i-1} + U_a h_j)
α_i,j = exp e_i,j / Σ_k exp e_i,k
c_i = Σ_j α_i,j h_j"""
LAST = "c = h_T"
CONTEXTS = {"rnnsearch": "c_i", "rnnencdec": "c"}
RESTS = {
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


@pytest.mark.parametrize("wiring", RESTS)
@pytest.mark.parametrize("kind", CONTEXTS)
def test_the_equations_of_a_step(kind: str, wiring: str) -> None:
    told = getattr(equations, kind)({"kind": kind, "wiring": wiring})
    looking = LOOKING if kind == "rnnsearch" else LAST
    expected = f"{looking}\n{RESTS[wiring].replace('%c', CONTEXTS[kind])}"
    # Matrices stand before what they are multiplied with, without a sign between them: spaces say nothing.
    assert str(told).replace(" ", "") == expected.replace(" ", "")
    explained = () if kind == "rnnsearch" else (("h", "h_read"), ("before", "before_state"))
    assert told.stage == replace(WIRINGS[wiring], explains=explained)


def test_the_wiring_is_the_authors_where_none_is_said_and_a_strange_one_is_refused() -> None:
    assert equations.build_rnnsearch_equations({"kind": "rnnsearch"}) == equations.build_rnnsearch_equations({"wiring": "groundhog"})
    with pytest.raises(ValueError, match="wiring is 'own'; allowed: equation4, appendix, groundhog"):
        equations.build_rnnencdec_equations({"wiring": "own"})


@pytest.mark.verdict
@pytest.mark.parametrize("wiring", WIRINGS)
def test_every_number_stands_beside_one_equation(wiring: str) -> None:
    told = equations.build_rnnsearch_equations({"wiring": wiring})
    numbers = [name for one in told.equations for name in one.numbers]
    assert len(numbers) == len(set(numbers))
    assert set(numbers) == {
        "energies", "alpha", "mostly", "norm_context", "p", "log", "so_far", "gate_update", "gate_reset", "norm_state",
    }  # fmt: skip


def test_another_network_says_its_own() -> None:
    score = Symbol("e", "{step},j", "energies")
    told = StepEquations((Equation("energies", ((score, " = ", Symbol("s", "{before}"), "ᵀ ", Symbol("h", "j")),)),))
    assert str(told) == "e_i,j = s_{i-1}ᵀ h_j"
    assert told.stage is None


def test_pages_need_no_torch_for_them() -> None:
    code = "import sys, model.networks.equations.rnnsearch; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
