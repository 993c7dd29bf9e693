"""The equations of one decoder step as data, symbol by symbol; here those of RNNsearch and RNNencdec for each wiring.

Other networks have files of their own, named in `model.networks.registry`. A symbol names the part of the picture it
stands for, and an equation the numbers of the step shown below it. Indices may contain {step} (from 1), {before} (the
previous step) and {last} (the number of source tokens). Needs no torch.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from model.networks.equations.stage import InputToken, ReadingOrder, Stage


@dataclass(frozen=True)
class Symbol:
    """One symbol: letter, index, and the part of the picture it stands for (None for a matrix).

    `token`, for embeddings: the token generated in the previous step or in the current one.
    """

    letter: str
    index: str = ""
    part: str | None = None
    token: InputToken | None = None

    def __str__(self) -> str:
        """Return it as plain text: s_{i-1}, E y_i."""
        if self.token:
            return f"{self.letter} y_{'{i-1}' if self.token == 'previous' else 'i'}"
        index = self.index.format(step="i", before="{i-1}", last="T")
        return f"{self.letter}_{index}" if index else self.letter


Line = tuple[str | Symbol, ...]


@dataclass(frozen=True)
class Equation:
    """Its phase of the step, its lines, and the names of the numbers shown below it."""

    phase: str
    lines: tuple[Line, ...]
    numbers: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join("".join(map(str, line)) for line in self.lines)


@dataclass(frozen=True)
class StepEquations:
    """The equations of one step in order of computation, and the stage they are drawn on, if any.

    `mean_equations`: the same where the mean of several heads is shown. `encoder`: the rows of encoder states, the
    lowest first; two in different orders are joined in the annotations. `encoder_lines`: their equations.
    """

    equations: tuple[Equation, ...] = ()
    stage: Stage | None = None
    mean_equations: tuple[Equation, ...] = ()
    encoder: tuple[ReadingOrder, ...] = ()
    encoder_lines: tuple[Line, ...] = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self.equations))


WIRINGS: dict[str, Stage] = {
    "equation4": Stage("after", "previous", before_offset=-1, after_offset=0, gates_offset=0),
    "appendix": Stage("before", "previous", before_offset=0, after_offset=1, gates_offset=0),
    # The network runs the update at the start of the next step: its gates and state are found there.
    "groundhog": Stage("before", "current", before_offset=0, after_offset=1, gates_offset=1),
}
"""The stage of each wiring of `model.networks.rnnsearch`."""


def build_rnnsearch_equations(settings: Mapping[str, Any]) -> StepEquations:
    """Return the equations for a card's network config (Bahdanau et al. 2015, eq. 5 and 6, appendix A.2).

    Raises ValueError for an unknown wiring.
    """
    energy, alpha = Symbol("e", "{step},j", "energies"), Symbol("α", "{step},j", "alpha")
    query = (Symbol("v", "a"), "ᵀ tanh(", Symbol("W", "a"), _PREVIOUS_STATE, " + ", Symbol("U", "a"),
             _build_annotation("j"), ")")  # fmt: skip
    softmax = (" = exp ", energy, " / ", Symbol("Σ", "k"), " exp ", Symbol("e", "{step},k", "energies"))
    context = Symbol("c", "{step}", "context")
    attention = (
        Equation("energies", ((energy, " = ", *query),), ("energies",)),
        Equation("alpha", ((alpha, *softmax),), ("alpha",)),
        Equation("context", ((context, " = ", Symbol("Σ", "j"), alpha, _build_annotation("j")),), _CONTEXT_NUMBERS),
    )
    return replace(_build_step_equations(settings, attention, context), encoder=("forward", "backward"), encoder_lines=(
        (_FORWARD, " = GRU(", Symbol("h⃗", "j−1", "h"), ", ", _SOURCE_EMBEDDING, ")"),
        (_BACKWARD, " = GRU(", Symbol("h⃖", "j+1", "h"), ", ", _SOURCE_EMBEDDING, ")"),
        (_build_annotation("j"), " = [", _FORWARD, "; ", _BACKWARD, "]"),
    ))  # fmt: skip


def build_rnnencdec_equations(settings: Mapping[str, Any]) -> StepEquations:
    """Return the equations with one context for all steps, the encoder's last state. Raises ValueError likewise."""
    context = Symbol("c", "", "context")
    context_equation = Equation("context", ((context, " = ", _build_annotation("{last}")),), _CONTEXT_NUMBERS)
    part_keys = (("h", "h_read"), ("before", "before_state"))
    read: Line = (_build_annotation("j"), " = GRU(", _build_annotation("j−1"), ", ", _SOURCE_EMBEDDING, ")")
    step_equations = _build_step_equations(settings, (context_equation,), context, part_keys)
    return replace(step_equations, encoder=("forward",), encoder_lines=(read,))


_PREVIOUS_STATE, _STATE = Symbol("s", "{before}", "before"), Symbol("s", "{step}", "after")
_FORWARD, _BACKWARD, _SOURCE_EMBEDDING = Symbol("h⃗", "j", "h"), Symbol("h⃖", "j", "h"), Symbol("Ex", "j")
_CONTEXT_NUMBERS = ("mostly", "norm_context")


def _build_annotation(index: str) -> Symbol:
    return Symbol("h", index, "h")


def _build_step_equations(settings: Mapping[str, Any], attention: tuple[Equation, ...], context: Symbol,
          part_keys: tuple[tuple[str, str], ...] = ()) -> StepEquations:  # fmt: skip
    """Add update and deep output in the order of the wiring; `part_keys` as in `Stage`."""
    name = settings.get("wiring", "groundhog")
    if name not in WIRINGS:
        raise ValueError(f"wiring is {name!r}; allowed: {', '.join(WIRINGS)}")
    stage = replace(WIRINGS[name], part_keys=part_keys)
    previous, current = Symbol("E", part="previous", token="previous"), Symbol("E", part="fed", token="current")
    readout, probability = Symbol("t", "{step}", "readout"), Symbol("p", "", "candidates")
    state = _PREVIOUS_STATE if stage.readout == "before" else _STATE
    summed = (Symbol("U", "o"), state, " + ", Symbol("V", "o"), previous, " + ", Symbol("C", "o"), context)
    output = Equation(
        "candidates",
        (
            (probability, "(", Symbol("y", "{step}"), ") = softmax(", Symbol("W", "o"), readout, ")"),
            (readout, " = maxout(", *summed, ")"),
        ),
        ("p", "log", "so_far"),
    )
    update_token = current if stage.update_token == "current" else previous
    gru = Symbol("GRU", "", "gru")
    update = Equation(
        "update",
        ((_STATE, " = ", gru, "(", _PREVIOUS_STATE, ", ", update_token, ", ", context, ")"),),
        ("gate_update", "gate_reset", "norm_state"),
    )
    last_equations = (output, update) if stage.readout == "before" else (update, output)
    return StepEquations((*attention, *last_equations), stage)
