"""What the Transformer computes in one step, as data (`model.equations`): Vaswani et al. 2017, section 3."""

from collections.abc import Mapping
from typing import Any

from model.equations import Equation, Line, StepEquations, Symbol

_X = Symbol("x", "{step}", "after")
_LOOKED, _FOUND = Symbol("a", "{step}"), Symbol("c", "{step}", "context")
_NORM = "LayerNorm("


def transformer(network: Mapping[str, Any]) -> StepEquations:
    """The equations of every layer in their order, for a card's network configuration: what is written so far, the
    source, the feed-forward network; norms where the network has them. Raises ValueError for a norm there is not."""
    norm = network.get("norm", "post")
    if norm not in ("post", "pre"):
        raise ValueError(f"norm is {norm!r}; allowed: post, pre")
    pre = norm == "pre"

    def given(one: Symbol) -> Line:
        return (_NORM, one, ")") if pre else (one,)

    def added(*made: str | Symbol) -> Line:
        return (_X, " ← ", _X, " + ", *made) if pre else (_X, " ← ", _NORM, _X, " + ", *made, ")")

    previous = Symbol("E", part="previous", word="previous")
    query, key, value = Symbol("q", "{step}", "query"), Symbol("k", "j"), Symbol("v", "j")
    energy, alpha = Symbol("e", "{step},j", "energies"), Symbol("α", "{step},j", "alpha")
    first = Symbol("x", "1")
    begun: Line = (_X, " = √d ", previous, " + ", Symbol("PE", "{step}"))
    back: Line = (_LOOKED, " = MultiHead(", *given(_X), "; ", *given(first), " … ", *given(_X), ")")
    scored: Line = (energy, " = ", query, "ᵀ ", key, " / √", Symbol("d", "k"))
    read = Symbol("h", "j", "h")
    asking: Line = (query, " = ", Symbol("W", "Q"), *given(_X), ", ", key, " = ", Symbol("W", "K"), read, ", ", value,
                    " = ", Symbol("W", "V"), read)  # fmt: skip
    share: Line = (alpha, " = exp ", energy, " / ", Symbol("Σ", "k"), " exp ", Symbol("e", "{step},k", "energies"))
    found: Line = (_FOUND, " = ", Symbol("W", "O"), "[", Symbol("Σ", "j"), alpha, value, "; …]")
    inner: Line = (Symbol("W", "2"), " max(0, ", Symbol("W", "1"), *given(_X), ")")
    written: Line = (Symbol("p", "", "candidates"), "(", Symbol("y", "{step}"), ") = softmax(E ", *given(_X), ")")
    return StepEquations((
        Equation("embedding", (begun,)),
        Equation("own", (back, added(_LOOKED))),
        Equation("energies", (scored, asking), ("energies",)),
        Equation("alpha", (share,), ("alpha",)),
        Equation("context", (found, added(_FOUND)), ("mostly", "norm_context")),
        Equation("feed_forward", (added(*inner),)),
        Equation("candidates", (written,), ("p", "log", "so_far")),
    ))  # fmt: skip
