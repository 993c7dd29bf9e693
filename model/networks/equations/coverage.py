"""The equations of one step of RNNsearch with coverage (Tu et al. 2016) or copying (See et al. 2017)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from model.networks.equations.rnnsearch import Equation, Line, StepEquations, Symbol, build_rnnsearch_equations
from model.networks.equations.stage import Arrow, Box, Stage

_ALPHA = Symbol("α", "{step},j", "alpha")
_PREVIOUS_COVERAGE, _COVERAGE = Symbol("C", "{before},j", "coverage"), Symbol("C", "{step},j", "coverage")
_ANNOTATION, _GENERATED = Symbol("h", "j", "h"), Symbol("p", "gen", "p_gen")
_UPDATES: dict[str, tuple[Line, ...]] = {
    "sum": ((_COVERAGE, " = ", _PREVIOUS_COVERAGE, " + ", _ALPHA),),
    "linguistic": ((_COVERAGE, " = ", _PREVIOUS_COVERAGE, " + ", _ALPHA, " / ", Symbol("Φ", "j")),
                   (Symbol("Φ", "j"), " = N σ(", Symbol("U", "f"), _ANNOTATION, ")")),
    "neural": ((_COVERAGE, " = GRU(", _PREVIOUS_COVERAGE, ", ", _ALPHA, ", ", _ANNOTATION, ", ",
                Symbol("s", "{before}", "before"), ")"),),
}  # fmt: skip


def build_coverage_equations(settings: Mapping[str, Any]) -> StepEquations:
    """Return the equations for a card's network config. Raises ValueError for an unknown coverage or wiring."""
    rnnsearch = build_rnnsearch_equations(settings)
    kind = settings.get("coverage", "linguistic")
    if kind not in (*_UPDATES, "none"):
        raise ValueError(f"coverage is {kind!r}; allowed: none, {', '.join(_UPDATES)}")
    equations: list[Equation] = []
    for equation in rnnsearch.equations:
        if equation.phase == "energies" and kind != "none":
            *query, end = equation.lines[0]
            energy_line = (*query, " + ", Symbol("V", "a"), _PREVIOUS_COVERAGE, end)
            equations.append(replace(equation, lines=(energy_line, *equation.lines[1:])))
        elif equation.phase == "candidates" and settings.get("copying"):
            lines = (*_build_mixture(equation.lines[0]), _build_generation_probability(rnnsearch), *equation.lines[1:])
            equations.append(replace(equation, lines=lines, numbers=("p_gen", *equation.numbers)))
        else:
            equations.append(equation)
        if equation.phase == "context" and kind != "none":
            equations.append(Equation("coverage", _UPDATES[kind], () if kind == "neural" else ("coverage",)))
    stage = _extend_stage(rnnsearch.stage, kind, bool(settings.get("copying")))
    return replace(rnnsearch, equations=tuple(equations), stage=stage)


def _extend_stage(stage: Stage | None, kind: str, copying: bool) -> Stage:
    """Add coverage below the source, and the switch between generating and copying, to the stage of RNNsearch."""
    assert stage is not None  # every wiring of RNNsearch has one
    if kind in ("sum", "linguistic"):  # neural coverage is several numbers a piece
        stage = replace(stage, coverage_key="coverage", part_keys=(*stage.part_keys, ("coverage", "coverage")))
    if copying:
        stage = replace(
            stage, boxes=(Box("p_gen", "p_gen", "switch", 0.575, 64, 0.93, content="p_gen", phase="candidates"),),
            arrows=(Arrow("context", "p_gen", "candidates", "alpha", "top", "top"),),
            part_keys=(*stage.part_keys, ("p_gen", "p_gen")),
        )  # fmt: skip
    return stage


def _build_mixture(output: Line) -> tuple[Line, Line]:
    """Turn p(y_i) = softmax(..) into two lines: p_gen softmax(..) + (1 - p_gen) times the attention to y_i."""
    start = output.index(") = softmax(")
    return (
        (*output[:start], ") = ", _GENERATED, " softmax(", *output[start + 1 :]),
        (" + (1 − ", _GENERATED, ") ", Symbol("Σ", "j: x = y"), _ALPHA),
    )


def _build_generation_probability(rnnsearch: StepEquations) -> Line:
    state = Symbol("s", "{before}", "before") if rnnsearch.stage and rnnsearch.stage.readout == "before" else \
        Symbol("s", "{step}", "after")
    weighted_sum: Line = (Symbol("w", "c"), "ᵀ ", Symbol("c", "{step}", "context"), " + ",
                          Symbol("w", "s"), "ᵀ ", state)  # fmt: skip
    return (_GENERATED, " = σ(", *weighted_sum, " + ", Symbol("w", "x"), "ᵀ ",
            Symbol("E", part="previous", token="previous"), " + b)")  # fmt: skip
