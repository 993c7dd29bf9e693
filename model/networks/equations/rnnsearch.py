"""What a network computes in one step of its decoder, as data: the equations that a reader is shown, symbol by symbol.

Here stand those of `model.networks.rnnsearch`, for each wiring; any other network's file gives its own, and its line in
`model.networks.registry` names them. Whoever draws them needs to know none of their mathematics. A symbol says which
part of the picture it stands for and an equation which numbers of the step belong beside it; whoever knows neither
draws them as text. Nothing here needs torch.

Indices may hold {step} (the number of the step, from 1), {before} (the one before it) and {last} (how many pieces the
source has).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from model.networks.equations.stage import InputToken, Stage


@dataclass(frozen=True)
class Symbol:
    """One symbol: its letter and index, the part of the picture it stands for (None: no part, a matrix), and, of the
    embedding of a piece, which piece that is: the one written in the step before, or the one written in this."""

    letter: str
    index: str = ""
    part: str | None = None
    token: InputToken | None = None

    def __str__(self) -> str:
        """As plain text: s_{i-1}, E y_i."""
        if self.token:
            return f"{self.letter} y_{'{i-1}' if self.token == 'previous' else 'i'}"
        index = self.index.format(step="i", before="{i-1}", last="T")
        return f"{self.letter}_{index}" if index else self.letter


Line = tuple[str | Symbol, ...]


@dataclass(frozen=True)
class Equation:
    """The phase of the step it belongs to, its lines, and the names of the numbers that stand below it."""

    phase: str
    lines: tuple[Line, ...]
    numbers: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join("".join(map(str, line)) for line in self.lines)


@dataclass(frozen=True)
class StepEquations:
    """The equations of one step in the order in which they are computed, and the stage they are drawn on; None for a
    plain one."""

    equations: tuple[Equation, ...] = ()
    stage: Stage | None = None

    def __str__(self) -> str:
        return "\n".join(map(str, self.equations))


WIRINGS: dict[str, Stage] = {
    "equation4": Stage("after", "previous", before_offset=-1, after_offset=0, gates_offset=0),
    "appendix": Stage("before", "previous", before_offset=0, after_offset=1, gates_offset=0),
    # The update stands at the head of the next step, so that its gates and its state are found there.
    "groundhog": Stage("before", "current", before_offset=0, after_offset=1, gates_offset=1),
}
"""The wirings of `model.networks.rnnsearch`, each with the rows its detail has them in: a step notes the state that its
readout used, and the gates of the update that it made."""


def build_rnnsearch_equations(network: Mapping[str, Any]) -> StepEquations:
    """Bahdanau et al. 2015, eq. 5 and 6 and appendix A.2, for a card's network configuration. Raises ValueError for a
    wiring that there is not."""
    energy, alpha = Symbol("e", "{step},j", "energies"), Symbol("α", "{step},j", "alpha")
    asked = (_matrix("v", "a"), "ᵀ tanh(", _matrix("W", "a"), _BEFORE, " + ", _matrix("U", "a"), _annotation("j"), ")")
    share = (" = exp ", energy, " / ", _matrix("Σ", "k"), " exp ", Symbol("e", "{step},k", "energies"))
    context = Symbol("c", "{step}", "context")
    looking = (
        Equation("energies", ((energy, " = ", *asked),), ("energies",)),
        Equation("alpha", ((alpha, *share),), ("alpha",)),
        Equation("context", ((context, " = ", _matrix("Σ", "j"), alpha, _annotation("j")),), _OF_CONTEXT),
    )
    return _build_step_equations(network, looking, context)


def build_rnnencdec_equations(network: Mapping[str, Any]) -> StepEquations:
    """The same network with one context for all steps, the encoder's last state. Raises ValueError for a wiring that
    there is not."""
    context = Symbol("c", "", "context")
    kept = Equation("context", ((context, " = ", _annotation("{last}")),), _OF_CONTEXT)
    return _build_step_equations(network, (kept,), context, explains=(("h", "h_read"), ("before", "before_state")))


_BEFORE, _AFTER = Symbol("s", "{before}", "before"), Symbol("s", "{step}", "after")
_OF_CONTEXT = ("mostly", "norm_context")


def _matrix(letter: str, index: str) -> Symbol:
    return Symbol(letter, index)


def _annotation(index: str) -> Symbol:
    return Symbol("h", index, "h")


def _build_step_equations(network: Mapping[str, Any], looking: tuple[Equation, ...], context: Symbol,
          explains: tuple[tuple[str, str], ...] = ()) -> StepEquations:  # fmt: skip
    """What both share: the deep output and the update, in the order of the wiring; `explains` as in `Stage`."""
    name = network.get("wiring", "groundhog")
    if name not in WIRINGS:
        raise ValueError(f"wiring is {name!r}; allowed: {', '.join(WIRINGS)}")
    stage = replace(WIRINGS[name], explains=explains)
    previous, current = Symbol("E", part="previous", token="previous"), Symbol("E", part="fed", token="current")
    readout, probability = Symbol("t", "{step}", "readout"), Symbol("p", "", "candidates")
    state = _BEFORE if stage.readout == "before" else _AFTER
    summed = (_matrix("U", "o"), state, " + ", _matrix("V", "o"), previous, " + ", _matrix("C", "o"), context)
    output = Equation(
        "candidates",
        (
            (probability, "(", _matrix("y", "{step}"), ") = softmax(", _matrix("W", "o"), readout, ")"),
            (readout, " = maxout(", *summed, ")"),
        ),
        ("p", "log", "so_far"),
    )
    fed = current if stage.update_token == "current" else previous
    gru = Symbol("GRU", "", "gru")
    update = Equation(
        "update",
        ((_AFTER, " = ", gru, "(", _BEFORE, ", ", fed, ", ", context, ")"),),
        ("gate_update", "gate_reset", "norm_state"),
    )
    rest = (output, update) if stage.readout == "before" else (update, output)
    return StepEquations((*looking, *rest), stage)
