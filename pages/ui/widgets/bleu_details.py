"""BLEU of one translation worked out: the runs of words it shares with a reference, the brevity penalty, the product.

The reference is at hand, or the reader gives one; it belongs to its sentence.
"""

from collections.abc import Sequence
from functools import lru_cache

import streamlit as st

from model.analysis.metrics.bleu_breakdown import NgramOrder, break_down_bleu
from model.text.normalise import normalise
from model.trace import Trace
from pages.ui.backend.cards import get_title
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import param_widgets, params
from pages.ui.url_state.state import store_param

MAX_CHARACTERS = (
    10 * params.MAX_CHARACTERS
)  # characters; a translation may be longer than what the box takes, a part of it is none
MAX_LISTED = 8  # runs of one length that are told; a reader sees of what kind they are

_compute_bleu = lru_cache(maxsize=64)(break_down_bleu)


def draw_reference_box(traces: Sequence[Trace | None], t: Messages) -> None:
    """A box for a reference, and below it the BLEU of each translation; another sentence empties the box."""
    shown = [trace for trace in traces if trace is not None]
    with st.container(key="worked"):
        label = t("worked.ask", language=t.name_language(shown[0].target_language))
        given = param_widgets.draw_text_input(params.REFERENCE, shown[0].source.text, label)
        if len(given) > MAX_CHARACTERS:
            told = t("worked.long", count=f"{len(given):,}", limit=f"{MAX_CHARACTERS:,}")
            st.html(f'<p role="alert">{escape_html(told)}</p>')
        elif given := normalise(given):
            st.html("".join(render_trace_bleu(trace, given, t) for trace in shown))


def set_reference(sentence: str, reference: str) -> None:
    """Let that be the reference of a sentence, on the page that is opened next."""
    st.session_state[param_widgets.get_sentence_key(params.REFERENCE)] = normalise(sentence), reference
    store_param(params.REFERENCE, reference)
    st.session_state.pop(params.REFERENCE.name, None)


def render_trace_bleu(trace: Trace, reference: str, t: Messages) -> str:
    """`html` of a translation that a model made."""
    return render_bleu(get_title(trace.made_by.model), trace.target.text, reference, trace.target_language, t)


def render_bleu(model: str, output: str, reference: str, language: str, t: Messages) -> str:
    """What opens into the whole working, as HTML. `model`: its title; `language`: of both texts."""
    found = _compute_bleu(output, reference, language)
    score, penalty = f"{found.score:.1f}", f"{found.penalty:.2f}"
    heads = "".join(f"<th scope='col'>{escape_html(t(f'worked.{name}'))}</th>"
                    for name in ("n", "shared", "of", "share", "which"))  # fmt: skip
    rows = "".join(_render_row(order, language, t) for order in found.orders)
    words = " ".join(f"<span class='run-{most}'>{escape_html(word)}</span>"
                     for word, most in zip(found.words, found.longest, strict=True))  # fmt: skip
    brevity = t.format_html("worked.brevity", words=len(found.words), reference=len(found.reference), penalty=penalty)
    shares = " × ".join(f"{order.share:.3f}" for order in found.orders) or "0"
    root = t(f"worked.root_{max(1, len(found.orders))}", shares=shares)
    product = t.format_html("worked.product", penalty=penalty, root=root, score=score)
    return (
        f"<details class='worked'><summary>{escape_html(t('worked.title', model=model, score=score))}</summary>"
        f"<p class='runs' lang='{escape_html(language)}'>{words}</p>"
        f"<div class='table' tabindex='0'><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
        f"<p>{brevity}</p><p>{product}</p></details>"
    )


def _render_row(order: NgramOrder, language: str, t: Messages) -> str:
    """The runs of one length."""
    named = list(dict.fromkeys(order.shared))
    listed = " · ".join(escape_html(run) for run in named[:MAX_LISTED]) + (" …" if len(named) > MAX_LISTED else "")
    if not order.shared:
        listed = escape_html(t("worked.none", count=f"{order.share * order.total:g}"))
    cells = (str(len(order.shared)), str(order.total), f"{order.share:.3f}")
    numbers = "".join(f"<td>{cell}</td>" for cell in cells)
    told = f" lang='{escape_html(language)}'" if order.shared else ""
    return f"<tr><th scope='row'>{order.n}</th>{numbers}<td class='which'{told}>{listed}</td></tr>"
