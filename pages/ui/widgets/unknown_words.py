"""Notes below a picture about words that a vocabulary of whole words lacks: UNK, replaced UNK, and copied words."""

from collections.abc import Sequence

from model.trace import Trace
from pages.ui.i18n.messages import Messages


def find_unknown_source_words(traces: Sequence[Trace]) -> list[int]:
    """Return the indices of the source words that are UNK to one of these models."""
    return sorted({word for trace in traces for word in trace.source.unknown_words})


def describe_unknown_words(traces: Sequence[Trace], t: Messages, *, marks_copies: bool = True) -> list[str]:
    """Return a note on each kind of unknown words in these translations and their sources.

    `marks_copies`: whether the picture marks copied words.
    """
    has_unknown = any(trace.source.unknown_words or trace.target.unknown_words for trace in traces)
    has_replaced = any(trace.replaced_words for trace in traces)
    has_copied = marks_copies and any(trace.copied_words for trace in traces)
    keys = ["unknown"] * has_unknown + ["replaced"] * has_replaced + ["copied"] * has_copied
    return [t.format_for_component(f"unknown_words.{key}") for key in keys]
