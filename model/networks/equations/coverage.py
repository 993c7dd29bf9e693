"""What RNNsearch with coverage or copying computes in one step, as data: the equations of
`model.networks.equations.rnnsearch.rnnsearch` with what Tu et al. (2016) and See et al. (2017) add to them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from model.networks.equations.rnnsearch import Equation, Line, StepEquations, Symbol, build_rnnsearch_equations
from model.networks.equations.stage import Arrow, Box, Stage

_ALPHA = Symbol("α", "{step},j", "alpha")
_BEFORE, _NOW = Symbol("C", "{before},j", "coverage"), Symbol("C", "{step},j", "coverage")
_READ, _GENERATED = Symbol("h", "j", "h"), Symbol("p", "gen", "p_gen")
_KEPT: dict[str, tuple[Line, ...]] = {
    "sum": ((_NOW, " = ", _BEFORE, " + ", _ALPHA),),
    "linguistic": ((_NOW, " = ", _BEFORE, " + ", _ALPHA, " / ", Symbol("Φ", "j")),
                   (Symbol("Φ", "j"), " = N σ(", Symbol("U", "f"), _READ, ")")),
    "neural": ((_NOW, " = GRU(", _BEFORE, ", ", _ALPHA, ", ", _READ, ", ", Symbol("s", "", "state"), ")"),),
}  # fmt: skip


def build_coverage_equations(network: Mapping[str, Any]) -> StepEquations:
    """For a card's network configuration. Raises ValueError for a coverage or a wiring that there is not."""
    told = build_rnnsearch_equations(network)
    kept = network.get("coverage", "linguistic")
    if kept not in (*_KEPT, "none"):
        raise ValueError(f"coverage is {kept!r}; allowed: none, {', '.join(_KEPT)}")
    equations: list[Equation] = []
    for one in told.equations:
        if one.phase == "energies" and kept != "none":
            *asked, end = one.lines[0]
            equations.append(replace(one, lines=((*asked, " + ", Symbol("V", "a"), _BEFORE, end), *one.lines[1:])))
        elif one.phase == "candidates" and network.get("copying"):
            lines = (*_mixed(one.lines[0]), _generating(told), *one.lines[1:])
            equations.append(replace(one, lines=lines, numbers=("p_gen", *one.numbers)))
        else:
            equations.append(one)
        if one.phase == "context" and kept != "none":
            equations.append(Equation("coverage", _KEPT[kept], () if kept == "neural" else ("coverage",)))
    return StepEquations(tuple(equations), _drawn(told.stage, kept, bool(network.get("copying"))))


def _drawn(stage: Stage | None, kept: str, copying: bool) -> Stage:
    """The stage of RNNsearch with what is covered below the source, and the switch between writing and copying."""
    assert stage is not None  # every wiring of RNNsearch has one
    if kept in ("sum", "linguistic"):  # neural coverage is several numbers a piece
        stage = replace(stage, covers="coverage", explains=(*stage.part_keys, ("coverage", "coverage")))
    if copying:
        stage = replace(
            stage, boxes=(Box("p_gen", "p_gen", "switch", 0.575, 64, 0.93, content="p_gen", phase="candidates"),),
            arrows=(Arrow("context", "p_gen", "candidates", "alpha", "top", "top"),),
            explains=(*stage.part_keys, ("p_gen", "p_gen")),
        )  # fmt: skip
    return stage


def _mixed(chosen: Line) -> tuple[Line, Line]:
    """p(y_i) = p_gen softmax(..) + (1 - p_gen) of what its own pieces in the source get, from p(y_i) = softmax(..), in
    two lines."""
    start = chosen.index(") = softmax(")
    return (
        (*chosen[:start], ") = ", _GENERATED, " softmax(", *chosen[start + 1 :]),
        (" + (1 − ", _GENERATED, ") ", Symbol("Σ", "j: x = y"), _ALPHA),
    )


def _generating(told: StepEquations) -> Line:
    state = Symbol("s", "{before}", "before") if told.stage and told.stage.readout == "before" else \
        Symbol("s", "{step}", "after")
    weighed: Line = (Symbol("w", "c"), "ᵀ ", Symbol("c", "{step}", "context"), " + ", Symbol("w", "s"), "ᵀ ", state)
    return (_GENERATED, " = σ(", *weighed, " + ", Symbol("w", "x"), "ᵀ ",
            Symbol("E", part="previous", token="previous"), " + b)")  # fmt: skip
