"""The computation of one translation's BLEU: shared n-grams, precisions, brevity penalty, and their product.

The reference comes from a test set or from the reader, and belongs to one sentence.
"""

from collections.abc import Sequence
from functools import lru_cache

import streamlit as st

from model.analysis.metrics.bleu_breakdown import NgramOrder, break_down_bleu
from model.text.normalise import normalise
from model.text.politeness import split_tag
from model.trace import Trace
from pages.ui.backend.cards import get_title
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import param_widgets, params
from pages.ui.url_state.state import store_param
from pages.ui.widgets.status import format_alert

MAX_REFERENCE_CHARACTERS = 10 * params.MAX_CHARACTERS  # a translation may be longer than its source
MAX_LISTED = 8  # n-grams of one order that are listed

_compute_bleu = lru_cache(maxsize=64)(break_down_bleu)


def draw_reference_box(traces: Sequence[Trace | None], t: Messages, *, is_prefix_shown: bool = False) -> None:
    """Draw a box for a reference, and below it the BLEU of each translation. Another sentence empties the box.

    `is_prefix_shown`: whether the page shows the translations of a part of the sentence; a note then says so.
    """
    displayed_traces = [trace for trace in traces if trace is not None]
    with st.container(key="bleu-details"):
        label = t("bleu_details.ask", language=t.name_language(displayed_traces[0].target_language))
        reference = param_widgets.draw_text_input(params.REFERENCE, displayed_traces[0].source.text, label)
        if len(reference) > MAX_REFERENCE_CHARACTERS:
            alert = t("bleu_details.long", count=f"{len(reference):,}", limit=f"{MAX_REFERENCE_CHARACTERS:,}")
            st.html(format_alert(alert))
        elif reference := normalise(reference):
            note = f'<p class="note">{escape_html(t("bleu_details.part"))}</p>' if is_prefix_shown else ""
            st.html(note + "".join(render_trace_bleu(trace, reference, t) for trace in displayed_traces))


def set_reference(sentence: str, reference: str) -> None:
    """Set the reference of a sentence for the page that is opened next."""
    st.session_state[param_widgets.get_sentence_key(params.REFERENCE)] = split_tag(normalise(sentence))[1], reference
    store_param(params.REFERENCE, reference)
    st.session_state.pop(params.REFERENCE.name, None)


def render_trace_bleu(trace: Trace, reference: str, t: Messages) -> str:
    """Return the BLEU computation of a Trace as HTML."""
    return format_bleu_table(get_title(trace.provenance.model), trace.target.text, reference, trace.target_language, t)


def format_bleu_table(model: str, output: str, reference: str, language: str, t: Messages) -> str:
    """Return the BLEU computation as HTML, folded. `model`: its title; `language`: of both texts."""
    breakdown = _compute_bleu(output, reference, language)
    score, penalty = f"{breakdown.score:.1f}", f"{breakdown.brevity_penalty:.2f}"
    headers = "".join(f"<th scope='col'>{escape_html(t(f'bleu_details.{name}'))}</th>"
                    for name in ("n", "shared", "of", "share", "which"))  # fmt: skip
    rows = "".join(_render_row(order, language, t) for order in breakdown.orders)
    words = " ".join(f"<span class='run-{order}'>{escape_html(word)}</span>"
                     for word, order in zip(breakdown.words, breakdown.longest_shared_orders, strict=True))  # fmt: skip
    brevity = t.format_html(
        "bleu_details.brevity", words=len(breakdown.words), reference=len(breakdown.reference), penalty=penalty
    )
    precisions = " × ".join(f"{order.precision:.3f}" for order in breakdown.orders) or "0"
    root = t(f"bleu_details.root_{max(1, len(breakdown.orders))}", shares=precisions)
    product = t.format_html("bleu_details.product", penalty=penalty, root=root, score=score)
    title = t("bleu_details.title", model=model, score=score)
    return (
        f"<details class='bleu-details'><summary>{escape_html(title)}</summary>"
        f"<p class='runs' lang='{escape_html(language)}'>{words}</p>"
        f"<div class='table' tabindex='0'><table><thead><tr>{headers}</tr></thead><tbody>{rows}</tbody></table></div>"
        f"<p>{brevity}</p><p>{product}</p></details>"
    )


def _render_row(order: NgramOrder, language: str, t: Messages) -> str:
    """Return the row of one n-gram order."""
    ngrams = list(dict.fromkeys(order.shared_ngrams))
    ngram_list = " · ".join(map(escape_html, ngrams[:MAX_LISTED])) + (" …" if len(ngrams) > MAX_LISTED else "")
    if not order.shared_ngrams:
        ngram_list = escape_html(t("bleu_details.none", count=f"{order.precision * order.ngram_count:g}"))
    cells = (str(len(order.shared_ngrams)), str(order.ngram_count), f"{order.precision:.3f}")
    numbers = "".join(f"<td>{cell}</td>" for cell in cells)
    lang = f" lang='{escape_html(language)}'" if order.shared_ngrams else ""
    return f"<tr><th scope='row'>{order.n}</th>{numbers}<td class='which'{lang}>{ngram_list}</td></tr>"
