"""A Trace's attention in the text formats of other tools. What a model without attention did has no such form."""

from __future__ import annotations

from model.analysis.alignment.alignment import Alignment
from model.trace import Side, Trace

_BAR = "|||"


def format_pharaoh(trace: Trace | None) -> str:
    """The hard alignment as `i-j`, source word - target word, counted from 0, one line; "" for no translation.

    Each target word is linked to the source word it looked at most, and to none where that is the source's end.
    Raises TraceError for a model without attention.
    """
    if trace is None:
        return ""
    weights = trace.compute_word_map_with_end()
    return Alignment(trace.source.words, trace.target.words, weights, trace).pharaoh()


def format_nematus(number: int, trace: Trace) -> str:
    """α over pieces in the text layout of Nematus, with a line break at the end.

    A line of sentence number (counted from 0), target, cost (-log p, nats), source, and how many pieces source and
    target have, "</s>" counted, the fields apart by " ||| " and the two numbers by a space; then a line a target piece,
    its weights apart by spaces. An unfinished target has no line for "</s>" and doesn't count it. Sentences are
    followed by an empty line. Raises TraceError for a model without attention.
    """
    values = trace.get_map().values
    fields = (
        str(number), _spaced(trace.target), f"{-trace.log_probability:.6g}", _spaced(trace.source),
        f"{len(trace.source.pieces)} {len(trace.target.pieces)}",
    )  # fmt: skip
    rows = (" ".join(f"{value:.6g}" for value in row) for row in values.tolist())
    return "\n".join([f" {_BAR} ".join(fields), *rows]) + "\n\n"


def _spaced(side: Side) -> str:
    """The pieces without "</s>", apart by spaces; the bars between fields are spelt out where a text has them."""
    pieces = side.pieces[:-1] if side.has_end else side.pieces
    return " ".join(piece.replace(_BAR, "&#124;" * 3) for piece in pieces)
