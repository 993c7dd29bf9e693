"""Write a Trace's attention in the text formats of other tools. A Trace without attention has none."""

from __future__ import annotations

from model.analysis.alignment.alignment import Alignment
from model.trace import Side, Trace

_BAR = "|||"


def format_pharaoh(trace: Trace | None) -> str:
    """Return the hard alignment in Pharaoh format: `i-j` for source word i and target word j, from 0, on one line.

    Each target word is linked to the source word with the largest attention weight, or to none if that is the end.
    Returns "" for no translation. Raises TraceError for a model without attention.
    """
    if trace is None:
        return ""
    weights = trace.compute_word_map_with_end()
    return Alignment(trace.source.words, trace.target.words, weights, trace).format_pharaoh()


def format_nematus(number: int, trace: Trace) -> str:
    """Return the attention over tokens in the text format of Nematus, ending with an empty line.

    The header has five fields separated by " ||| ": sentence number from 0, target, cost (-log p in nats), source, and
    the two token counts, "</s>" included. Then one line of weights for each target token. An unfinished target has no
    line for "</s>". Raises TraceError for a model without attention.
    """
    values = trace.get_map().values
    fields = (
        str(number), _join_tokens(trace.target), f"{-trace.log_probability:.6g}", _join_tokens(trace.source),
        f"{len(trace.source.pieces)} {len(trace.target.pieces)}",
    )  # fmt: skip
    rows = (" ".join(f"{value:.6g}" for value in row) for row in values.tolist())
    return "\n".join([f" {_BAR} ".join(fields), *rows]) + "\n\n"


def _join_tokens(side: Side) -> str:
    """Join the tokens without "</s>" by spaces; field separators in the text are escaped."""
    pieces = side.pieces[:-1] if side.has_end else side.pieces
    return " ".join(piece.replace(_BAR, "&#124;" * 3) for piece in pieces)
