"""The equations of one step of `model.networks.seq2seq` and `model.networks.luong`.

The cell of a layer is written m, since c is a context. Layers are counted by l, from 1 to the highest. Needs no torch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.networks.equations.rnnsearch import Equation, Line, StepEquations, Symbol
from model.networks.equations.stage import (
    HEIGHT,
    LAYER_HEIGHT,
    Arrow,
    Box,
    EncoderDrawing,
    ReadingOrder,
    Stage,
    build_lstm_cells,
    select_drawn_layers,
)

_PROBABILITY = (Symbol("p", part="candidates"), "(", Symbol("y", "{step}"), ") = softmax(", Symbol("W", "o"))
_PROBABILITY_NUMBERS = ("p", "log", "so_far")
_ALPHA, _ENERGY = Symbol("α", "{step},j", "alpha"), Symbol("e", "{step},j", "energies")
_FED_VECTOR = Symbol("s̃", "{before}", "fed")
_PREVIOUS_EMBEDDING, _ANNOTATION = Symbol("E", part="previous", token="previous"), Symbol("h", "j", "h")
_ENCODER_LINES: tuple[Line, ...] = (
    (Symbol("h", "l,j", "h"), " = LSTM(", Symbol("h", "l,j′", "h"), ", ", Symbol("h", "l−1,j", "h"), ")"),
    (Symbol("h", "0,j", "h"), " = ", Symbol("Ex", "j")),
)


def build_seq2seq_equations(settings: Mapping[str, Any]) -> StepEquations:
    """Return the equations for a card's network config (Sutskever et al. 2014, section 2)."""
    layers = int(settings.get("layers", 4))
    top = Symbol("s", f"{layers},{{step}}", "after")
    output = Equation("candidates", ((*_PROBABILITY, top, " + ", Symbol("b", "o"), ")"),), _PROBABILITY_NUMBERS)
    update = _build_update(layers, (_PREVIOUS_EMBEDDING,))
    return StepEquations((update, output), _build_seq2seq_stage(layers, bool(settings.get("reverse", True))),
                         encoder=_list_encoder_rows(settings, layers), encoder_lines=_ENCODER_LINES)  # fmt: skip


def build_luong_equations(settings: Mapping[str, Any]) -> StepEquations:
    """Return the equations for a card's network config (Luong et al. 2015, section 3).

    Raises ValueError for an unknown score or window.
    """
    layers, feeding = int(settings.get("layers", 4)), bool(settings.get("feeding", True))
    s = Symbol("s", f"{layers},{{step}}", "after")
    inputs: Line = ("[", _PREVIOUS_EMBEDDING, "; ", _FED_VECTOR, "]") if feeding else (_PREVIOUS_EMBEDDING,)
    score = _build_score(str(settings.get("score", "general")), s)
    context, attentional = Symbol("c", "{step}", "context"), Symbol("s̃", "{step}", "readout")
    return StepEquations((
        _build_update(layers, inputs),
        Equation("energies", ((_ENERGY, " = ", *score),), ("energies",)),
        Equation("alpha", _build_weights(settings, s), ("alpha",)),
        Equation("context", ((context, " = ", Symbol("Σ", "j"), _ALPHA, _ANNOTATION),), ("mostly", "norm_context")),
        Equation("attentional", ((attentional, " = tanh(", Symbol("W", "c"), "[", context, "; ", s, "])"),)),
        Equation("candidates", ((*_PROBABILITY, attentional, " + ", Symbol("b", "o"), ")"),), _PROBABILITY_NUMBERS),
    ), _build_luong_stage(settings, layers, feeding), encoder=_list_encoder_rows(settings, layers),
       encoder_lines=_ENCODER_LINES)  # fmt: skip


def _build_seq2seq_stage(layers: int, reverse: bool) -> Stage:
    """Return the stage of Seq2Seq: the encoder's cells, and the arrow from their final state to the decoder."""
    drawn_count = len(select_drawn_layers(layers))
    encoder_height = 20 * drawn_count + 64  # pixels
    height = encoder_height + max(HEIGHT, 24 + LAYER_HEIGHT * (drawn_count - 1) + 84)
    boxes, arrows = build_lstm_cells(layers, height - 84)
    return Stage(
        boxes=(*boxes, _build_input_box(height)),
        arrows=(*arrows, _build_input_arrow(), Arrow("after", "out", "candidates", "readout")),
        height=height, phase_order=("pipe", "update", "candidates", "choice"),
        encoder=EncoderDrawing(drawn_count, reverse, "before"),
        part_keys=(("h", "h_read"), ("before", "before_pipe"), ("cell", "cell"), ("pipe", "pipe"),
                  ("readout", "readout_top")),
        terms_key="pipe", fixed_context_key="backwards" if reverse else "forwards",
    )  # fmt: skip


def _build_luong_stage(settings: Mapping[str, Any], layers: int, feeding: bool) -> Stage:
    """Return the stage of Luong: cells, attention from their new state, and s̃, which is fed to the next step."""
    drawn_count = len(select_drawn_layers(layers))
    height = HEIGHT + 14 + LAYER_HEIGHT * max(0, drawn_count - 2)
    boxes, arrows = build_lstm_cells(layers, height - 84)
    result_boxes: tuple[Box, ...] = (
        Box("context", "context", "circle", 0.29, 56, 0.48, "c", "{step}", content="context", phase="context"),
        Box("attentional", "readout", "circle", 0.53, 56, 0.92, "s̃", "{step}", phase="attentional"),
        _build_input_box(height),
    )
    result_arrows: tuple[Arrow, ...] = (
        _build_input_arrow(), Arrow("context", "attentional", "attentional", "context"),
        Arrow("after", "attentional", "attentional", "after", "top", "left"),
        Arrow("attentional", "out", "candidates", "readout"),
    )  # fmt: skip
    if feeding:
        result_boxes = (*result_boxes, Box("fed", "fed", "circle", 0.09, height - 26, 0.16, "s̃", "{before}"),
                Box("next", "fed", "label", 0.53, height - 22, 0.76, text_key="next"))  # fmt: skip
        result_arrows = (*result_arrows, Arrow("fed", "previous", "update", "fed"),
                Arrow("attentional", "next", "choice", "readout", "bottom", "top"))  # fmt: skip
    is_local = settings.get("window", "global") != "global"
    return Stage(
        boxes=(*boxes, *result_boxes), arrows=(*arrows, *result_arrows), height=height, attending_box="after",
        window_distance=int(settings.get("distance", 10)) if is_local else None, terms_key="luong",
        part_keys=(("before", "before_plain"), ("after", "after_asks"), ("cell", "cell"),
                  ("context", "context_luong"), ("readout", "attentional"), ("fed", "fed_state")),
    )  # fmt: skip


def _list_encoder_rows(settings: Mapping[str, Any], layers: int) -> tuple[ReadingOrder, ...]:
    """Return the reading orders of the drawn layers; of a layer in two directions, both."""
    reverse = settings.get("reverse", True)
    if settings.get("directions", 1) == 2:
        return ("reversed", "end_first") if reverse else ("forward", "backward")  # of the highest layer
    orders: tuple[ReadingOrder, ...] = ("reversed",) if reverse else ("forward",)
    return orders * len(select_drawn_layers(layers))


def _build_input_box(height: int) -> Box:
    return Box("previous", "previous", "chip", 0.29, height - 26, 0.48, content="previous")


def _build_input_arrow() -> Arrow:
    return Arrow("previous", "cell 1", "update", "previous", "top", "bottom")


def _build_update(layers: int, inputs: Line) -> Equation:
    """Return the update of the layers; `inputs`: of the lowest layer."""
    previous_state, state = Symbol("s", "l,{before}", "before"), Symbol("s", "l,{step}", "after")
    cell, previous_cell = Symbol("m", "l,{step}", "cell"), Symbol("m", "l,{before}", "cell")
    sums: Line = (Symbol("W", "l"), Symbol("x", "l"), " + ", Symbol("U", "l"), previous_state, " + ",
                  Symbol("b", "l"), ")")  # fmt: skip
    lines: tuple[Line, ...] = (
        (Symbol("x", "1"), " = ", *inputs),
        ("i, f, o = σ(", *sums),
        ("g = tanh(", *sums),
        (cell, " = f ∘ ", previous_cell, " + i ∘ g"),
        (state, " = o ∘ tanh(", cell, ")"),
    )
    last: Line = (Symbol("x", "l+1"), " = ", state, f",  l = 1 … {layers}") if layers > 1 else ("l = 1",)
    return Equation("update", (*lines, last), ("gate_input", "gate_forget", "gate_output", "norm_state"))


def _build_score(score: str, s: Symbol) -> Line:
    """Return the right-hand side of e_ij."""
    scores: dict[str, Line] = {
        "dot": (s, "ᵀ ", _ANNOTATION),
        "general": (s, "ᵀ ", Symbol("W", "a"), _ANNOTATION),
        "concat": (Symbol("v", "a"), "ᵀ tanh(", Symbol("W", "a"), "[", s, "; ", _ANNOTATION, "])"),
        "location": (Symbol("W", "a,j"), s),
        "scaled dot": (s, "ᵀ ", _ANNOTATION, " / √n"),
    }
    if score not in scores:
        raise ValueError(f"score is {score!r}; allowed: {', '.join(scores)}")
    return scores[score]


def _build_weights(settings: Mapping[str, Any], s: Symbol) -> tuple[Line, ...]:
    """Return the lines for alpha_ij."""
    window, distance = settings.get("window", "global"), settings.get("distance", 10)
    softmax: Line = (_ALPHA, " = exp ", _ENERGY, " / ", Symbol("Σ", "k"), " exp ", Symbol("e", "{step},k", "energies"))
    if window == "global":
        return (softmax,)
    middle = Symbol("p", "{step}")
    window_line: Line = ("|j − ", middle, f"| ≤ D = {distance}")
    if window == "local-m":
        return softmax, (middle, " = min(i, S)"), window_line
    if window != "local-p":
        raise ValueError(f"window is {window!r}; allowed: global, local-m, local-p")
    predicted: Line = (middle, " = S σ(", Symbol("v", "p"), "ᵀ tanh(", Symbol("W", "p"), s, "))")
    return (*softmax, " · exp(−2 (j − ", middle, ")² / D²)"), predicted, window_line
