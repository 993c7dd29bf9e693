"""Which weights made what is shown, and whether a reader changed something in it: one quiet line below a picture."""

from collections.abc import Sequence

from model.trace import Trace
from pages.ui.i18n.messages import Messages


def describe_provenance(traces: Sequence[Trace], t: Messages) -> str:
    """The models' fingerprints, each once, and a word on changes; of attention from elsewhere the file's name."""
    if not all(trace.has_probabilities for trace in traces):
        return t("result.read_in", files=", ".join(dict.fromkeys(trace.made_by.model for trace in traces)))
    made = t.format_for_component(
        "result.made", weights=", ".join(dict.fromkeys(trace.made_by.fingerprint for trace in traces))
    )
    return f"{made} {t('result.edited')}" if any(trace.made_by.edits for trace in traces) else made
