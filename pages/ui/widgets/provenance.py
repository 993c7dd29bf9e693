"""The provenance line below a picture: the models' fingerprints, and whether overrides were applied."""

from collections.abc import Sequence

from model.trace import Trace
from pages.ui.i18n.messages import Messages


def describe_provenance(traces: Sequence[Trace], t: Messages) -> str:
    """Return the fingerprints of the models and notes on overrides and replaced UNK; for imported attention the file's
    name."""
    if not all(trace.has_probabilities for trace in traces):
        return t("result.read_in", files=", ".join(dict.fromkeys(trace.provenance.model for trace in traces)))
    weights = t.format_for_component(
        "result.provenance", weights=", ".join(dict.fromkeys(trace.provenance.fingerprint for trace in traces))
    )
    is_edited = any(trace.provenance.overrides for trace in traces)
    is_replaced = any(trace.replaced_words for trace in traces)
    notes = [t("result.edited")] * is_edited + [t("result.replaced")] * is_replaced
    return " ".join([weights, *notes])
