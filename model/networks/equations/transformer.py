"""The equations of one step of the Transformer (Vaswani et al. 2017, section 3)."""

from collections.abc import Mapping
from typing import Any

from model.networks.equations.rnnsearch import Equation, Line, StepEquations, Symbol
from model.networks.equations.stage import Arrow, Box, Frame, PrefixRow, Stage, select_drawn_layers

_X = Symbol("x", "{step}", "after")
_SELF_ATTENTION, _CONTEXT = Symbol("a", "{step}", "self_attention"), Symbol("c", "{step}", "context")
_NORM = "LayerNorm("


def build_transformer_equations(settings: Mapping[str, Any]) -> StepEquations:
    """Return the equations of a layer in order: self-attention, cross-attention, feed-forward.

    For a card's network config; raises ValueError for an unknown norm.
    """
    norm = settings.get("norm", "post")
    if norm not in ("post", "pre"):
        raise ValueError(f"norm is {norm!r}; allowed: post, pre")
    is_pre_norm = norm == "pre"

    def normalise(symbol: Symbol) -> Line:
        return (_NORM, symbol, ")") if is_pre_norm else (symbol,)

    def add(*output: str | Symbol) -> Line:
        return (_X, " ← ", _X, " + ", *output) if is_pre_norm else (_X, " ← ", _NORM, _X, " + ", *output, ")")

    previous = Symbol("E", part="previous", token="previous")
    query, key, value = Symbol("q", "{step}", "query"), Symbol("k", "j"), Symbol("v", "j")
    first = Symbol("x", "1")
    embedding: Line = (_X, " = √d ", previous, " + ", Symbol("PE", "{step}", "position"))
    self_attention: Line = (
        _SELF_ATTENTION,
        " = MultiHead(",
        *normalise(_X),
        "; ",
        *normalise(first),
        " … ",
        *normalise(_X),
        ")",
    )
    annotation = Symbol("h", "j", "h")
    projections: Line = (query, " = ", Symbol("W", "Q"), *normalise(_X), ", ", key, " = ", Symbol("W", "K"), annotation,
                         ", ", value, " = ", Symbol("W", "V"), annotation)  # fmt: skip
    feed_forward: Line = (
        Symbol("W", "2", "feed_forward"),
        " max(0, ",
        Symbol("W", "1", "feed_forward"),
        *normalise(_X),
        " + ",
        Symbol("b", "1"),
        ") + ",
        Symbol("b", "2"),
    )
    output: Line = (Symbol("p", "", "candidates"), "(", Symbol("y", "{step}"), ") = softmax(E ", *normalise(_X), ")")

    def list_equations(head: str, mean: tuple[Line, ...] = ()) -> tuple[Equation, ...]:
        """Return the equations; `head`: index of a head in e and α, `mean`: more lines for α, which is then their
        mean."""
        energy, alpha = (
            Symbol("e", f"{head}{{step}},j", "energies"),
            Symbol("α", f"{head}{{step}},j", None if mean else "alpha"),
        )
        energies: Line = (energy, " = ", query, "ᵀ ", key, " / √", Symbol("d", "k"))
        total = Symbol("e", f"{head}{{step}},k", "energies")
        softmax: Line = (alpha, " = exp ", energy, " / ", Symbol("Σ", "k"), " exp ", total)
        context: Line = (_CONTEXT, " = ", Symbol("W", "O"), "[", Symbol("Σ", "j"), alpha, value, "; …]")
        return (
            Equation("embedding", (embedding,)),
            Equation("self_attention", (self_attention, add(_SELF_ATTENTION))),
            Equation("energies", (energies, projections), ("energies",)),
            Equation("alpha", (softmax, *mean), ("alpha",)),
            Equation("context", (context, add(_CONTEXT)), ("mostly", "norm_context")),
            Equation("feed_forward", (add(*feed_forward),)),
            Equation("candidates", (output,), ("p", "log", "so_far")),
        )

    layers, heads = int(settings.get("layers", 6)), int(settings.get("heads", 8))
    decoder_layers = int(settings.get("decoder_layers") or layers)
    mean: Line = (Symbol("ᾱ", "{step},j", "alpha"), f" = 1/{heads} ", Symbol("Σ", "n"), Symbol("α", "n,{step},j"))
    return StepEquations(
        list_equations(""), _build_stage(decoder_layers, heads), list_equations("n,", (mean,)),
        encoder=tuple("all" for _ in select_drawn_layers(layers)), encoder_lines=_build_encoder_lines(is_pre_norm),
    )  # fmt: skip


def _build_encoder_lines(is_pre_norm: bool) -> tuple[Line, ...]:
    """Return the lines of the encoder: its input, then the two sublayers of a layer, with LayerNorm before or after
    each."""
    h = Symbol("h", "j", "h")
    first: Line = (h, " = √d ", Symbol("Ex", "j"), " + PE", Symbol("", "j"))
    if is_pre_norm:
        return (first, (h, " ← ", h, " + MultiHead(LayerNorm(", h, "))"), (h, " ← ", h, " + FFN(LayerNorm(", h, "))"))
    return (first, (h, " ← LayerNorm(", h, " + MultiHead(", h, "))"), (h, " ← LayerNorm(", h, " + FFN(", h, "))"))


def _build_stage(layers: int, heads: int) -> Stage:
    """Return the stage: one decoder layer in front of the others.

    The target so far is at the bottom, the residual path leads up to the output, and the sublayers are beside it.
    """
    path, narrow = 0.47, 0.78
    sums = ((280, "embedding"), (216, "self_attention"), (146, "context"), (76, "feed_forward"))
    boxes = (
        Box("previous", "previous", "chip", path, 318, narrow, content="previous"),
        Box("position", "position", "circle", 0.55, 280, 0.93, "PE", "{step}", phase="embedding"),
        *(Box(f"sum {number}", "after", "sum", path, y, narrow, "+", phase=phase)
          for number, (y, phase) in enumerate(sums)),
        Box("self_attention", "self_attention", "box", 0.27, 216, 0.4, text_key="self_attention",
            phase="self_attention"),
        Box("context", "context", "circle", 0.13, 146, 0.16, "c", "{step}", content="context", phase="context"),
        Box("feed_forward", "feed_forward", "box", 0.29, 76, 0.42, text_key="feed_forward", phase="feed_forward"),
        Box("kv_cache", "self_attention", "label", 0.02, 362, 0.02, text_key="kv_cache"),
    )  # fmt: skip
    arrows = (
        Arrow("previous", "sum 0", "embedding", "previous", "top", "bottom"),
        Arrow("position", "sum 0", "embedding", "position", "left", "right"),
        Arrow("sum 0", "sum 1", "self_attention", "after", "top", "bottom"),
        Arrow("self_attention", "sum 1", "self_attention", "self_attention"),
        Arrow("sum 1", "sum 2", "context", "after", "top", "bottom"),
        Arrow("context", "sum 2", "context", "context"),
        Arrow("sum 2", "sum 3", "feed_forward", "after", "top", "bottom"),
        Arrow("sum 2", "feed_forward", "feed_forward", "after", "top", "bottom"),
        Arrow("feed_forward", "sum 3", "feed_forward", "feed_forward"),
        Arrow("sum 3", "out", "candidates", "readout"),
    )
    return Stage(
        boxes=boxes, arrows=arrows, height=372, attending_box="sum 1", prefix_row=PrefixRow(318, "self_attention"),
        frame=Frame(layers, heads, 0.015, 0.515, 40, 262), terms_key="transformer",
        part_keys=(("h", "h_layers"), ("after", "residual"), ("context", "context_heads"),
                  ("self_attention", "self_attention"), ("feed_forward", "feed_forward"), ("position", "position"),
                  ("query", "query"), ("readout", "readout_top")),
    )  # fmt: skip
