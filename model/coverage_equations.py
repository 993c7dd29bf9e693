"""What RNNsearch with coverage or copying computes in one step, as data: the equations of `model.equations.rnnsearch`
with what Tu et al. (2016) and See et al. (2017) add to them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from model.equations import Equation, Line, StepEquations, Symbol, rnnsearch

_ALPHA, _BEFORE, _NOW = Symbol("α", "{step},j", "alpha"), Symbol("C", "{before},j"), Symbol("C", "{step},j")
_READ, _GENERATED = Symbol("h", "j", "h"), Symbol("p", "gen")
_KEPT: dict[str, tuple[Line, ...]] = {
    "sum": ((_NOW, " = ", _BEFORE, " + ", _ALPHA),),
    "linguistic": ((_NOW, " = ", _BEFORE, " + ", _ALPHA, " / ", Symbol("Φ", "j")),
                   (Symbol("Φ", "j"), " = N σ(", Symbol("U", "f"), _READ, ")")),
    "neural": ((_NOW, " = GRU(", _BEFORE, ", ", _ALPHA, ", ", _READ, ", ", Symbol("s", "", "state"), ")"),),
}  # fmt: skip


def coverage(network: Mapping[str, Any]) -> StepEquations:
    """For a card's network configuration. Raises ValueError for a coverage or a wiring that there is not."""
    told = rnnsearch(network)
    kept = network.get("coverage", "linguistic")
    if kept not in (*_KEPT, "none"):
        raise ValueError(f"coverage is {kept!r}; allowed: none, {', '.join(_KEPT)}")
    equations: list[Equation] = []
    for one in told.equations:
        if one.phase == "energies" and kept != "none":
            *asked, end = one.lines[0]
            equations.append(replace(one, lines=((*asked, " + ", Symbol("V", "a"), _BEFORE, end), *one.lines[1:])))
        elif one.phase == "candidates" and network.get("copying"):
            equations.append(replace(one, lines=(_mixed(one.lines[0]), _generating(told), *one.lines[1:])))
        else:
            equations.append(one)
        if one.phase == "context" and kept != "none":
            equations.append(Equation("coverage", _KEPT[kept]))
    return replace(told, equations=tuple(equations))


def _mixed(chosen: Line) -> Line:
    """p(y_i) = p_gen softmax(..) + (1 - p_gen) of what its own pieces in the source get, from p(y_i) = softmax(..)."""
    start = chosen.index(") = softmax(")
    return (*chosen[:start], ") = ", _GENERATED, " softmax(", *chosen[start + 1 :], " + (1 − ", _GENERATED, ") ",
            Symbol("Σ", "j: x = y"), _ALPHA)  # fmt: skip


def _generating(told: StepEquations) -> Line:
    state = Symbol("s", "{before}", "before") if told.stage and told.stage.readout == "before" else \
        Symbol("s", "{step}", "after")
    weighed: Line = (Symbol("w", "c"), "ᵀ ", Symbol("c", "{step}", "context"), " + ", Symbol("w", "s"), "ᵀ ", state)
    return (_GENERATED, " = σ(", *weighed, " + ", Symbol("w", "x"), "ᵀ ",
            Symbol("E", part="previous", word="previous"), " + b)")  # fmt: skip
