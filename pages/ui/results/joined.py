"""BLEU of sentences joined to texts longer than any in training, from the shipped records."""

import logging
from collections.abc import Sequence

from model.analysis.evaluation.stored import RECORD_ERRORS, load_record
from pages.ui.backend.cards import get_fingerprint, get_title
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal, format_percent
from pages.ui.widgets import tables

_log = logging.getLogger(__name__)


def format_joined_table(models: Sequence[str], t: Messages) -> str:
    """Return what was measured of these models as a table, HTML; "" if none was measured."""
    rows = []
    for name in models:
        try:
            record = load_record(f"joined-{name}.json")
            if record is None or record.get("fingerprint") != get_fingerprint(name):
                continue
            rows += [
                [get_title(name), f"{point['words']}", format_decimal(point["joined"]["bleu"], 1),
                 format_decimal(point["single"]["bleu"], 1), format_percent(point["share_of_words"], t)]
                for point in record["points"]
            ]  # fmt: skip
        except RECORD_ERRORS:
            _log.exception("The record of joined sentences of %s can't be read", name)
    if not rows:
        return ""
    head = [t("joined.model"), t("joined.words"), t("joined.together"), t("joined.single"), t("joined.share")]
    return f"<p>{escape_html(t('joined.lead'))}</p>{tables.render_table(head, rows)}"
