"""Notes below a picture about words that a vocabulary of whole words lacks: UNK, replaced UNK, and copied words."""

from collections.abc import Sequence

from model.trace import UNK_WORD, Trace
from pages.ui.i18n.messages import Messages


def find_unknown_source_words(traces: Sequence[Trace]) -> list[int]:
    """Return the indices of the source words that are UNK to one of these models."""
    return sorted({word for trace in traces for word in trace.source.unknown_words})


def describe_unknown_words(traces: Sequence[Trace], t: Messages) -> list[str]:
    """Return a note on each kind of unknown words that is marked in these translations or their source."""
    written = [trace.target.words[word] for trace in traces for word in trace.target.unknown_words]
    is_copied = any(trace.copied_words for trace in traces)
    has_unknown = bool(written) or is_copied or bool(find_unknown_source_words(traces))
    is_replaced = any(word != UNK_WORD for word in written)
    keys = ["unknown"] * has_unknown + ["replaced"] * is_replaced + ["copied"] * is_copied
    return [t.format_for_component(f"unknown_words.{key}") for key in keys]
